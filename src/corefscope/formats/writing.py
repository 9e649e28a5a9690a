"""Corpora into files: CoNLL-2012 columns, one JSON object a line, plain clusters."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from corefscope.corpus import UNKNOWN_LENGTH, Corpus, Document, Entity, Mention
from corefscope.corpus.mentions import is_parts
from corefscope.exceptions import CannotExpress
from corefscope.findings import Code, Finding
from corefscope.formats.annotations import losses, lost_annotations, written_fields
from corefscope.formats.conll.reading import is_identifier
from corefscope.formats.corefud.writing import corefud_lines
from corefscope.language import read_names, says_something

NAME = re.compile(r"[^\x00-\x20]|[^\x00-\x20][^\x00\n\r]*[^\x00-\x20]")
FIELD = re.compile(r"|[^\x00-\x20]|[^\x00-\x20][^\x00\t\n\r]*[^\x00-\x20]")
NAME_AND_PART = re.compile(r"\((.*)\); part (\d+)")


def conll_lines(corpus: Corpus) -> Iterator[str]:
    """Yield the lines of a corpus in the twelve columns of CoNLL-2012, separated by tabs.

    A layer that the corpus lacks is ``-`` or ``*``. Brackets cannot express everything: see
    :func:`refuse_crossing`.
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
    """Return the first eleven columns."""
    match = NAME_AND_PART.fullmatch(document.name)
    name, part = match.groups() if match else (document.name, "0")
    length = len(document)

    def layer(values: list[str] | None, otherwise: str) -> list[str]:
        return values or [otherwise] * length

    constant = [[re.sub(r"\s|^#", "_", name)] * length, [str(int(part))] * length, [""] * length]
    layers = document.corpus.layers

    def other(name: str) -> list[str]:
        return layer(layers.column(document.index, name) if layers else None, "-")

    return [
        *constant,
        layer(document.words, "_"),
        layer(document.tags, "-"),
        layer(document.parse, "*"),
        layer(document.lemmas, "-"),
        other("framesets"),
        other("senses"),
        layer(document.speakers, "-"),
        layer(document.names, "*"),
    ]


def _cells(document: Document) -> dict[int, str]:
    """Return the coreference cells: long mentions open first, and close last."""
    brackets: dict[int, list[tuple[int, str]]] = {}
    for entity in document.entities:
        _refuse_label(document, entity)
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
    """Refuse two mentions of one entity of which one ends inside the other, but not with it.

    A closing bracket takes the latest opening one of its entity, so crossing mentions, and those
    that touch in one token, would be read as others than were written.
    """
    spans = sorted((_span(document, mention) for mention in entity), key=lambda s: (s[0], -s[1]))
    open_spans: list[tuple[int, int]] = []
    for start, end in spans:
        while open_spans and open_spans[-1][1] < start:
            open_spans.pop()
        if open_spans and open_spans[-1][1] < end:
            message = (
                f"mentions {open_spans[-1]} and {(start, end)} of entity {entity.label} cross; "
                "brackets cannot express that, JSON can"
            )
            raise _cannot(document, message, Code.CROSSING)
        open_spans.append((start, end))


def _refuse_text(document: Document) -> None:
    """Refuse a name and words that columns would not give back as they are."""
    if not NAME.fullmatch(document.name) or not _is_text(document.name, "surrogateescape"):
        raise _cannot(document, "its name is empty, begins or ends in a blank, or has line breaks")
    layers = (document.words, document.tags, document.parse, document.lemmas, document.names)
    for values in (*layers, document.speakers):
        for value in values or ():
            if not FIELD.fullmatch(value) or not _is_text(value, "surrogateescape"):
                raise _cannot(document, f"{value!r} cannot stand in a column")


def _is_text(text: str, errors: str = "strict") -> bool:
    try:
        text.encode(errors=errors)
    except UnicodeEncodeError:
        return False
    return True


def _refuse_label(document: Document, entity: Entity) -> None:
    if not is_identifier(entity.label):
        raise _cannot(document, f"entity {entity.label!r} has a name that brackets cannot hold")


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
    """Yield one object a document: ``doc_key``, ``sentences``, ``speakers``, ``clusters``."""
    for document in corpus:
        if document.words is None:
            raise _cannot(document, "its words are not known; expected a corpus with text")
        record: dict[str, Any] = {
            "doc_key": document.name,
            "sentences": [[document.words[t] for t in s] for s in document.sentences],
        }
        for layer, field in JSON_LAYERS.items():
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


JSON_LAYERS = {"speakers": "speakers", "tags": "pos", "heads": "heads", "deprels": "deprels"}
"""Layers with one value a token, and their fields."""


def _attributes(document: Document) -> dict[str, Any]:
    """Return entity types and mention levels as they stand beside clusters."""
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
    """Write JSON; what is not UTF-8 is escaped, so that it is read as it was."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise _cannot(document, f"JSON has no place for a mention: {error}") from None
    return text if _is_text(text) else json.dumps(value)


def clusters_lines(corpus: Corpus) -> Iterator[str]:
    """Yield the lines of ``{"document": [[mention, …], …]}``, a document each."""
    yield "{\n"
    for document, following in pairwise([*corpus, None]):
        assert document is not None
        entities = [[mention.id for mention in entity] for entity in document.entities]
        ends = "" if following is None else ","
        yield f"{_json(document, document.name)}: {_json(document, entities)}{ends}\n"
    yield "}\n"


LAYERS: Mapping[str, frozenset[str]] = {
    "conll": frozenset(
        {"words", "tags", "parse", "lemmas", "framesets", "senses", "speakers", "names"}
    ),
    "jsonl": frozenset({"words", "speakers", "tags", "names", "heads", "deprels"}),
    "json": frozenset(),
    "corefud": frozenset({"words", "lemmas", "tags", "xpos", "feats", "heads", "deprels"}),
}
"""The layers of the text that each format has a place for."""


def lost_layers(corpus: Corpus, format: str) -> list[Finding]:
    """Report the layers of a corpus that a format has no place for."""
    unseen = {"arguments"}.union(*LAYERS.values()) - LAYERS[format]
    lost: set[str] = set()
    for document in range(len(corpus) if corpus.layers else 0):
        assert corpus.layers
        column = corpus.layers.column
        for layer in unseen - lost:
            values = column(document, layer)
            lost |= {layer} if values and says_something(values) else set()
    if format in ("conll", "json") and any(document.attributes for document in corpus):
        lost |= {"entity_types", "mention_levels"}
    lost.update(lost_annotations(corpus, format))
    found = list(losses(corpus, format))
    if not lost:
        return found
    message = f"{format} has no place for: {', '.join(sorted(lost))}; they are not written"
    return [Finding(Code.LOST_LAYERS, message, file=corpus.path), *found]


WRITERS: Mapping[str, Callable[[Corpus], Iterable[str]]] = {
    "conll": conll_lines,
    "jsonl": jsonl_lines,
    "json": clusters_lines,
    "corefud": corefud_lines,
}
