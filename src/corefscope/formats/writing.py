"""Write corpora as CoNLL-2012 columns, JSON lines, or plain clusters."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from corefscope.corpus import UNKNOWN_LENGTH, Corpus, Document, Entity, Mention
from corefscope.corpus.mentions import first_crossing, is_parts
from corefscope.exceptions import CannotExpress
from corefscope.findings import Code, Finding
from corefscope.formats.annotations import losses, lost_annotations, written_fields
from corefscope.formats.conll.reading import is_identifier
from corefscope.formats.corefud.writing import corefud_lines
from corefscope.formats.jsonl import LAYER_FIELDS
from corefscope.language import read_names, says_something

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


def conll_lines(corpus: Corpus) -> Iterator[str]:
    """Yield the lines of a corpus in the twelve columns of CoNLL-2012, separated by tabs.

    Brackets cannot express everything: see :func:`refuse_crossing`.
    """
    for document in corpus:
        if document.corpus.document_tokens[document.index] == UNKNOWN_LENGTH:
            raise _cannot(
                document, "its number of tokens is not known; expected a corpus with text"
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


def _text_columns(document: Document) -> list[list[str]]:
    """Return the first eleven columns; the third, the number of the token, is still empty."""
    match = NAME_AND_PART.fullmatch(document.name)
    name, part = match.groups() if match else (document.name, "0")
    length = len(document)
    constants = (re.sub(r"\s|^#", "_", name), str(int(part)), "")
    return [
        *([constant] * length for constant in constants),
        *(document.layer(layer) or [none] * length for layer, none in CONLL_LAYERS.items()),
    ]


def _cells(document: Document) -> dict[int, str]:
    """Return the coreference cells: long mentions open first, and close last."""
    brackets: dict[int, list[tuple[int, str]]] = {}
    for entity in document.entities:
        if not is_identifier(entity.label):
            raise _cannot(document, f"entity {entity.label!r} has a name that brackets cannot hold")
        refuse_crossing(document, entity)
        for mention in entity:
            start, end = _span(document, mention)
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
    crossing = first_crossing(_span(document, mention) for mention in entity)
    if crossing:
        message = (
            f"mentions {crossing[0]} and {crossing[1]} of entity {entity.label} cross; "
            "brackets cannot express that, JSON can"
        )
        raise _cannot(document, message, Code.CROSSING)


def _refuse_text(document: Document) -> None:
    """Raise :class:`CannotExpress` if a name or a value would not be read as it is written."""
    if not NAME.fullmatch(document.name) or not _is_text(document.name, "surrogateescape"):
        message = "its name is empty, begins or ends with whitespace, or has line breaks"
        raise _cannot(document, message)
    for layer in CONLL_LAYERS:
        for value in document.layer(layer) or ():
            if not FIELD.fullmatch(value) or not _is_text(value, "surrogateescape"):
                raise _cannot(document, f"{value!r} cannot be written in a column")


def _is_text(text: str, errors: str = "strict") -> bool:
    try:
        text.encode(errors=errors)
    except UnicodeEncodeError:
        return False
    return True


def _span(document: Document, mention: Mention) -> tuple[int, int]:
    try:
        span = mention.start, mention.end
    except AttributeError as error:
        raise _cannot(document, f"{error}; expected first and last token") from None
    if span[1] >= len(document):
        raise _cannot(document, f"mention {span} lies beyond its {len(document)} tokens")
    return span


def _place(document: Document, mention: Mention) -> object:
    """Return first and last token, or those of each part of a mention with gaps."""
    span = _span(document, mention)
    return mention.parts if is_parts(mention.id) else span


def _refuse_gaps(document: Document) -> None:
    rows = document.corpus.mentions_of(document.index)
    for row in document.corpus.mention_parts:
        if row in rows:
            parts = document.corpus.mention_parts[row]
            message = f"mention {parts} has gaps; columns cannot express that, JSON can"
            raise _cannot(document, message)


def _cannot(document: Document, message: str, code: Code = Code.NOT_EXPRESSIBLE) -> CannotExpress:
    return CannotExpress(
        Finding(code, f"document {document.name!r}: {message}", file=document.corpus.path)
    )


def jsonl_lines(corpus: Corpus) -> Iterator[str]:
    """Yield one object per document: ``doc_key``, ``sentences``, ``speakers``, ``clusters``."""
    for document in corpus:
        if document.words is None:
            raise _cannot(document, "its words are not known; expected a corpus with text")
        record: dict[str, Any] = {
            "doc_key": document.name,
            "sentences": [[document.words[t] for t in s] for s in document.sentences],
        }
        for field, layer in LAYER_FIELDS.items():
            values = document.layer(layer)
            if values and (layer == "speakers" or says_something(values)):
                shown = [int(v) for v in values] if layer == "heads" else values
                record[field] = [[shown[t] for t in s] for s in document.sentences]
        if names := document.names:
            found = sorted((*span, tag) for span, tag in read_names(names).types.items())
            record["ner"] = [[n for n in found if n[0] in s] for s in document.sentences]
            if not found:
                del record["ner"]
        record["clusters"] = [[_place(document, m) for m in e] for e in document.entities]
        record.update(_attributes(document))
        record.update(written_fields(document))
        yield _json(document, record) + "\n"


def _attributes(document: Document) -> dict[str, Any]:
    """Return the fields for entity types and mention levels, in the shape of the clusters."""
    known = document.attributes
    if known is None:
        return {}
    of = [[known.get((m.start, m.end)) for m in entity] for entity in document.entities]
    types = [next((a.type for a in entity if a and a.type), None) for entity in of]
    levels = [[a.level if a else None for a in entity] for entity in of]
    return {
        **({"entity_types": types} if any(types) else {}),
        **({"mention_levels": levels} if any(map(any, levels)) else {}),
    }


def _json(document: Document, value: object) -> str:
    """Return a value as JSON; bytes that are not UTF-8 are escaped, so they can be read back."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise _cannot(document, f"JSON has no place for a mention: {error}") from None
    return text if _is_text(text) else json.dumps(value)


def clusters_lines(corpus: Corpus) -> Iterator[str]:
    """Yield the lines of ``{"document": [[mention, …], …]}``, one line per document."""
    yield "{\n"
    for document, following in pairwise([*corpus, None]):
        assert document is not None
        entities = [[mention.id for mention in entity] for entity in document.entities]
        ends = "" if following is None else ","
        yield f"{_json(document, document.name)}: {_json(document, entities)}{ends}\n"
    yield "}\n"


LAYERS: Mapping[str, frozenset[str]] = {
    "conll": frozenset(CONLL_LAYERS),
    "jsonl": frozenset({"words", "names", *LAYER_FIELDS.values()}),
    "json": frozenset(),
    "corefud": frozenset({"words", "lemmas", "tags", "xpos", "feats", "heads", "deprels"}),
}
"""The text layers that each format has a place for."""


def lost_layers(corpus: Corpus, format: str) -> list[Finding]:
    """Report the text layers and annotations of a corpus that are not written in a format."""
    unseen = {"arguments"}.union(*LAYERS.values()) - LAYERS[format]
    lost: set[str] = set()
    for document in corpus:
        for layer in unseen - lost:
            values = document.layer(layer)
            lost |= {layer} if values and says_something(values) else set()
    lost.update(_lost_attributes(corpus, format))
    lost.update(lost_annotations(corpus, format))
    found = list(losses(corpus, format))
    if not lost:
        return found
    message = f"these are not written as {format}: {', '.join(sorted(lost, key=str.lower))}"
    return [Finding(Code.LOST_LAYERS, message, file=corpus.path), *found]


def _lost_attributes(corpus: Corpus, format: str) -> Iterator[str]:
    """Yield the attributes of mentions that a format has no place for."""
    if format == "jsonl":
        return
    for document in corpus:
        attributes = (document.attributes or {}).values()
        if format != "corefud" and any(each.type for each in attributes):
            yield "entity_types"
        # The levels of CorefUD come from its tags, so that it always has them.
        if any(each.level for each in attributes) and corpus.openings is None:
            yield "mention_levels"


WRITERS: Mapping[str, Callable[[Corpus], Iterable[str]]] = {
    "conll": conll_lines,
    "jsonl": jsonl_lines,
    "json": clusters_lines,
    "corefud": corefud_lines,
}
