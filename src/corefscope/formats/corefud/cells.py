"""Mentions as values of ``Entity``, ``Bridge`` and ``SplitAnte``, always in the same form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from corefscope.corpus import Corpus
from corefscope.formats.corefud.brackets import Spans
from corefscope.formats.corefud.declaration import IDS, TYPES, Declaration
from corefscope.formats.writing.expressing import is_encodable

DEFAULT = ("eid", "etype", "head", "other")
LABEL = re.compile(r"[^-=|()\[\]\s]+")
LONG_OPENING = re.compile(r"\([^()]*(?:\(|$)")
"""An opening bracket that is not closed on the same token."""


class CellItem(NamedTuple):
    """A part of a mention, or a whole one: what is sorted and written."""

    first: int
    minus_size: int
    last: int
    name: str
    text: str
    """The opening bracket without the bracket."""


def is_label(text: str) -> bool:
    """Return whether a label or a type is read as it is written in a bracket."""
    return LABEL.fullmatch(text) is not None and is_encodable(text, "surrogateescape")


def values_of(
    corpus: Corpus, document: int, types: Sequence[str], fields: tuple[str, ...]
) -> dict[int, dict[str, str]]:
    """Return the values to write for the tokens of a document: key and value by token.

    ``types`` are the types of all entities, and ``fields`` those of the brackets.
    """
    writer = _Writer(corpus, document, types, fields)
    found: dict[int, dict[str, str]] = {}
    for key, values in (
        ("Entity", writer.entities()),
        ("Bridge", writer.bridges()),
        ("SplitAnte", writer.split_antecedents()),
    ):
        for token, value in values.items():
            found.setdefault(token, {})[key] = value
    return found


def declared_fields(corpus: Corpus, types: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the fields that brackets of each document are written with.

    They are the same in all documents, unless a file was read that has several declarations: the
    CorefUD scorer reads the whole file with the last one. Readers of CorefUD need the head of a
    mention with gaps.
    """
    given = corpus.openings.fields if corpus.openings else [()] * len(corpus)
    usual = next(filter(None, given), None) or _usual_fields(corpus, types)
    return [fields or usual for fields in given]


def _usual_fields(corpus: Corpus, types: Sequence[str]) -> tuple[str, ...]:
    if corpus.mention_heads is None and not corpus.mention_parts:
        return ("eid", "etype") if any(types) else ("eid",)
    return DEFAULT


def entity_types(corpus: Corpus) -> Sequence[str]:
    """Return the type of each entity, empty if none is known."""
    if corpus.openings:
        return corpus.openings.types
    types = [""] * len(corpus.entity_document)
    for document in corpus:
        known = document.attributes
        for row in corpus.mentions_of(document.index) if known else ():
            start, end = corpus.mention_spans[row].tolist()
            said = known.get((start, end)) if known else None
            entity = int(corpus.mention_entity[row])
            if said is not None and said.type and not types[entity] and is_label(said.type):
                types[entity] = said.type
    return types


class _Writer:
    """The mentions of one document as brackets."""

    def __init__(
        self, corpus: Corpus, document: int, types: Sequence[str], fields: tuple[str, ...]
    ) -> None:
        self.corpus = corpus
        self.types = types
        self.rows = corpus.mentions_of(document)
        self.fields = fields
        self.declaration = Declaration(fields)

    def label(self, entity: int) -> str:
        return self.corpus.entity_labels[entity]

    def spans(self, row: int) -> Spans:
        """Return the parts of a mention, in order."""
        return self.corpus.parts_of(row)

    def order(self, row: int) -> tuple[int, int, int, str]:
        """Return what the mentions of a document are sorted by."""
        spans = self.spans(row)
        label = self.label(int(self.corpus.mention_entity[row]))
        return spans[0][0], -_size(spans), spans[-1][1], label

    # ---- Entity ----

    def entities(self) -> dict[int, str]:
        """Return the values of ``Entity`` by token."""
        values: dict[int, str] = {}
        items = [item for row in self.rows for item in self._items(row)]
        for item in sorted(items, key=lambda item: item[:4]):
            value = values.get(item.first, "")
            if item.first < item.last:
                values[item.first] = f"{value}({item.text}"
                values[item.last] = f"{item.name}){values.get(item.last, '')}"
            elif not value.endswith(")") or LONG_OPENING.search(value):
                values[item.first] = f"{value}({item.text})"
            else:
                values[item.first] = f"({item.text}){value}"
        return values

    def _items(self, row: int) -> list[CellItem]:
        spans = self.spans(row)
        label = self.label(int(self.corpus.mention_entity[row]))
        items = []
        for number, (start, end) in enumerate(spans, 1):
            name = label if len(spans) == 1 else f"{label}[{number}/{len(spans)}]"
            text = self._text(row, name, spans)
            items.append(CellItem(start, start - end, end, name, text))
        return items

    def _text(self, row: int, name: str, spans: Spans) -> str:
        """Return the fields of a bracket; empty ones at the end are left out."""
        said = self._said(row)
        type = self.types[int(self.corpus.mention_entity[row])]
        own_type = next((said[name] for name in TYPES if said.get(name)), "")
        values = []
        for place, field in enumerate(self.fields):
            if field in IDS:
                values.append(name if place == self.declaration.id else said.get(field, ""))
            elif field in TYPES:
                values.append(type)
            elif field == "head":
                values.append(str(self._head(row, spans)))
            elif field == "other":
                values.append(_other(said.get(field, ""), own_type if own_type != type else ""))
            else:
                values.append(said.get(field, ""))
        return "-".join(values).rstrip("-")

    def _said(self, row: int) -> dict[str, str]:
        """Return what the file that was read has in its fields."""
        openings = self.corpus.openings
        return (
            dict(zip(self.fields, openings.texts[row].split("-"), strict=False)) if openings else {}
        )

    def _head(self, row: int, spans: Spans) -> int:
        """Return the number of the head among the tokens of a mention, 1 if it is unknown."""
        heads = self.corpus.mention_heads
        head = -1 if heads is None else int(heads[row])
        before = 0
        for start, end in spans:
            if start <= head <= end:
                return before + head - start + 1
            before += end - start + 1
        return 1

    # ---- Links ----

    def bridges(self) -> dict[int, str]:
        """Return the values of ``Bridge`` by token: those of a mention are on its first one."""
        links = [link for link in self.corpus.bridges if link.mention in self.rows]
        links.sort(key=lambda link: (self.order(link.mention), link.entity, link.relation))
        values: dict[int, list[str]] = {}
        for mention, entity, relation in links:
            source = self.label(int(self.corpus.mention_entity[mention]))
            text = f"{self.label(entity)}<{source}" + (f":{relation}" if relation else "")
            values.setdefault(self.spans(mention)[0][0], []).append(text)
        return {token: ",".join(texts) for token, texts in values.items()}

    def split_antecedents(self) -> dict[int, str]:
        """Return the values of ``SplitAnte`` by token, on the first mention of the entity."""
        values: dict[int, list[str]] = {}
        firsts: dict[int, int] = {}
        for row in self.rows:
            firsts.setdefault(int(self.corpus.mention_entity[row]), self.spans(row)[0][0])
        for entity, token in firsts.items():
            others = self.corpus.split_antecedents.get(entity, ())
            if len(others) > 1:
                values.setdefault(token, []).extend(
                    f"{self.label(other)}<{self.label(entity)}" for other in others
                )
        return {token: ",".join(texts) for token, texts in values.items()}


def _size(spans: Spans) -> int:
    return sum(end - start + 1 for start, end in spans)


def _other(text: str, own_type: str) -> str:
    """Return the field ``other`` sorted by name, with the type that only this mention has."""
    said: dict[str, str | None] = {}
    for pair in text.split(",") if text else ():
        name, colon, value = pair.partition(":")
        said[name] = value if colon else None
    if own_type:
        said["orig_etype"] = own_type
    pairs = sorted(said.items(), key=lambda pair: pair[0].lower())
    return ",".join(name if value is None else f"{name}:{value}" for name, value in pairs)
