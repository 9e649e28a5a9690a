"""Anaphora beyond coreference, as Universal Anaphora annotates it.

A *markable* is a mention with an id of its own. Beside its entity it may have a minimum span, its
entity may be an element of plural entities (*split antecedents*: "Ann … Bob … they"), it may be
non-referring ("it rains"), and it may be a bridging anaphor ("the house … the roof").
The entities of a corpus hold the referring markables alone; what is here is for the scores that
need the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import NamedTuple, get_args

from corefscope.choices import Layer
from corefscope.corpus.columns import Axis, Before, Selection, put
from corefscope.corpus.mentions import Span
from corefscope.findings import Finding
from corefscope.records import dataclass

NON_REFERRING = "-Pseudo"
"""How the id of a non-referring entity ends."""


class Markable(NamedTuple):
    """A markable of a document."""

    id: str
    entity: str
    """The id of its entity in the document."""
    parts: tuple[Span, ...]
    """Its parts in the order in which they are opened; none if it is never closed."""
    minimum: Span | None = None
    """The minimum span: a response that is within the markable and covers it is accepted.

    It counts from 0: in version 1 of the scorer all tokens, in version 2 words without empty nodes.
    """
    element_of: tuple[str, ...] = ()
    """The entities of which its entity is an element."""
    is_zero: bool = False
    """Whether it stands on an empty node."""
    line: int | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MarkableColumns:
    """Markables in columns. Objects are made when they are looked at: few scores need them."""

    ids: Sequence[str]
    entities: Sequence[str]
    starts: Sequence[int]
    """The first token of each markable."""
    ends: Sequence[int | None]
    """The last token of each markable; None if it is never closed."""
    minima: Sequence[Span | None]
    zeros: Sequence[bool]
    lines: Sequence[int]
    parts: Mapping[int, tuple[Span, ...]] = field(default_factory=dict)
    """The parts of the markables that are opened more than once."""
    element_of: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """The entities of which the entities of some markables are elements."""

    def __iter__(self) -> Iterator[Markable]:
        spans = zip(self.starts, self.ends, strict=True)
        parts: list[tuple[Span, ...]] = [
            () if end is None else ((start, end),) for start, end in spans
        ]
        elements: list[tuple[str, ...]] = [()] * len(parts)
        for number, several in self.parts.items():
            parts[number] = several
        for number, wholes in self.element_of.items():
            elements[number] = wholes
        columns = (self.ids, self.entities, parts, self.minima, elements, self.zeros, self.lines)
        return map(Markable, *columns)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Iterable) and tuple(self) == tuple(other)


@dataclass(frozen=True, slots=True)
class UaBridge:
    """A bridging anaphor and its anchor, as ids of markables."""

    anaphor: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Markables:
    """One layer of a document: its markables in the order in which they are first opened."""

    markables: Iterable[Markable] = ()
    bridges: tuple[UaBridge, ...] = ()
    findings: tuple[Finding, ...] = ()
    """Errors of a layer that the entities of the corpus do not come from."""


@dataclass(frozen=True, slots=True)
class Anaphora:
    """What the documents of a corpus say about anaphora, by layer."""

    layers: Mapping[Layer, Sequence[Markables | None]]
    """One item per document; None where its format knows nothing of this."""
    entities: Layer = "identity"
    """The layer that the entities of the corpus come from."""

    def selected(self, selection: Selection) -> Anaphora:
        """Return what some documents say."""
        if selection.document is None:
            return self
        rows = selection.document.tolist()
        layers = {layer: [many[row] for row in rows] for layer, many in self.layers.items()}
        return Anaphora(layers, self.entities)

    @classmethod
    def concatenated(
        cls, blocks: Sequence[tuple[Before, Anaphora]], sizes: Mapping[Axis, int]
    ) -> Anaphora:
        """Put together what several parts of a corpus say."""
        layers: dict[Layer, list[Markables | None]] = {
            layer: [None] * sizes["document"] for layer in get_args(Layer)
        }
        for before, given in blocks:
            for layer, markables in given.layers.items():
                put(markables, layers[layer], before.document)
        return cls(layers, blocks[-1][1].entities)
