"""Write corpora as CoNLL-2012 columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from corefscope.corpus import UNKNOWN_LENGTH, Document, Entity
from corefscope.corpus.mentions import first_crossing
from corefscope.findings import Code
from corefscope.formats.conll.cell import BARE_ID, DOUBLE_ANTECEDENT, is_name
from corefscope.formats.writing.abilities import Written
from corefscope.formats.writing.expressing import cannot, is_encodable, span_of

STANDS_IN = {"tags": "xpos"}
"""The layers that are written where another one is missing."""

NAME = re.compile(r"[^\x00-\x20]|[^\x00-\x20][^\x00\n\r]*[^\x00-\x20]")
FIELD = re.compile(r"|[^\x00-\x20]|[^\x00-\x20][^\x00\t\n\r]*[^\x00-\x20]")
NAME_AND_PART = re.compile(r"\((.*)\); part (\d+)")
CONLL_LAYERS = {
    "words": "_",
    "tags": "-",
    "parse": "*",
    "lemmas": "-",
    "framesets": "-",
    "senses": "-",
    "speakers": "-",
    "names": "*",
}
"""The layers in columns 4 to 11 of CoNLL-2012, and what is written if a layer is missing."""


def write(documents: Iterable[Document]) -> Iterator[Written]:
    """Yield the file of documents, whose labels fit into brackets (:func:`is_label`)."""
    yield "corpus.conll", "".join(conll_lines(documents)).encode(errors="surrogateescape")


def conll_lines(documents: Iterable[Document]) -> Iterator[str]:
    """Yield the lines of documents in the twelve columns of CoNLL-2012, separated by tabs.

    Brackets cannot express everything: see :func:`refuse_crossing`.
    """
    for document in documents:
        if document.corpus.document_tokens[document.index] == UNKNOWN_LENGTH:
            raise cannot(
                document, "its number of tokens is not known", expected="a corpus with text"
            )
        _refuse_text(document)
        _refuse_gaps(document)
        yield f"#begin document {document.name}\n"
        cells = _cells(document)
        columns = _text_columns(document)
        for sentence in document.sentences:
            for number, token in enumerate(sentence):
                fields = [column[token] for column in columns]
                fields[2] = str(number)
                yield "\t".join([*fields, cells.get(token, "-")]) + "\n"
            yield "\n"
        yield "#end document\n"


def is_label(label: str) -> bool:
    """Return whether a bracket with an entity's label is read as it is written."""
    if not is_encodable(label, "surrogateescape"):
        return False
    id = label.encode(errors="surrogateescape")
    is_other = DOUBLE_ANTECEDENT.fullmatch(id) or is_name(id) or id == b"*"
    return BARE_ID.fullmatch(id) is not None and not is_other


def _text_columns(document: Document) -> list[list[str]]:
    """Return the first eleven columns; the third, the number of the token, is still empty."""
    match = NAME_AND_PART.fullmatch(document.name)
    name, part = match.groups() if match else (document.name, "0")
    length = len(document)
    constants = (re.sub(r"\s|^#", "_", name), str(int(part)), "")
    return [
        *([constant] * length for constant in constants),
        *(_layer(document, layer, none) for layer, none in CONLL_LAYERS.items()),
    ]


def _layer(document: Document, layer: str, none: str) -> list[str]:
    """Return a column; a cell without a value would be no column for readers that split at blanks.

    Words stay as they are, because an empty word is another word than ``_``.
    """
    values = document.layer(layer) or document.layer(STANDS_IN.get(layer, layer))
    if not values:
        return [none] * len(document)
    return values if layer == "words" else [value or none for value in values]


def _cells(document: Document) -> dict[int, str]:
    """Return the coreference cells: long mentions open first, and close last."""
    brackets: dict[int, list[tuple[int, str]]] = {}
    for entity in document.entities:
        refuse_crossing(document, entity)
        for mention in entity:
            start, end = span_of(document, mention)
            if start == end:
                brackets.setdefault(start, []).append((0, f"({entity.label})"))
            else:
                brackets.setdefault(start, []).append((start - end, f"({entity.label}"))
                brackets.setdefault(end, []).append((end - start, f"{entity.label})"))
    return {
        token: "|".join(text for _, text in sorted(cell, key=lambda bracket: bracket[0]))
        for token, cell in brackets.items()
    }


def refuse_crossing(document: Document, entity: Entity) -> None:
    """Raise :class:`CannotExpress` if two mentions of the entity cross or touch.

    A closing bracket belongs to the latest opening bracket of its entity. Mentions that cross, or
    share only one token at their edges, would therefore be read as different mentions.
    """
    crossing = first_crossing(span_of(document, mention) for mention in entity)
    if crossing:
        message = (
            f"mentions {crossing[0]} and {crossing[1]} of entity {entity.label} cross; "
            "brackets cannot express that, JSON can"
        )
        raise cannot(document, message, Code.CROSSING)


def _refuse_text(document: Document) -> None:
    """Raise :class:`CannotExpress` if a name or a value would not be read as it is written."""
    if not NAME.fullmatch(document.name) or not is_encodable(document.name, "surrogateescape"):
        message = "its name is empty, begins or ends with whitespace, or has line breaks"
        raise cannot(document, message)
    for layer in CONLL_LAYERS:
        for value in document.layer(layer) or ():
            if not FIELD.fullmatch(value) or not is_encodable(value, "surrogateescape"):
                raise cannot(document, f"{value!r} cannot be written in a column")


def _refuse_gaps(document: Document) -> None:
    rows = document.corpus.mentions_of(document.index)
    for row in document.corpus.mention_parts:
        if row in rows:
            parts = document.corpus.mention_parts[row]
            message = f"mention {parts} has gaps; columns cannot express that, JSON can"
            raise cannot(document, message)
