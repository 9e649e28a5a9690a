"""Describe a corpus: sizes, singletons, nesting, distances."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal

import numpy as np

from corefscope.corpus.arrays import Integers
from corefscope.corpus.corpus import UNKNOWN_LENGTH, Corpus
from corefscope.corpus.mentions import Mention, OverlappingPair, Parts, Span, overlaps_with_gaps
from corefscope.formatting import DECIMAL, LARGE_COUNT, Value, counted
from corefscope.results.record import Record, Result, about, flat
from corefscope.results.rows import Row, Tabular
from corefscope.results.table import Cell, RowCells, Table, TableColumn, columns

SIZE_CLASSES = {"1": (1, 1), "2": (2, 2), "3–5": (3, 5), "6–10": (6, 10), "11–50": (11, 50)}
LARGEST_CLASS = "over 50"


class Spread(Record, frozen=True, kw_only=True):
    """The distribution of some numbers."""

    mean: float
    median: float
    ninety_percent: float
    largest: int

    @classmethod
    def of(cls, values: Integers) -> Spread | None:
        """Describe numbers; return None if there are none."""
        if not len(values):
            return None
        median, ninety = np.percentile(values, [50, 90])
        return cls(
            mean=float(values.mean()),
            median=float(median),
            ninety_percent=float(ninety),
            largest=int(values.max()),
        )


class Description(Tabular, Record, frozen=True, kw_only=True):
    """The figures of a corpus; null where its format does not have the information."""

    path: str | None
    documents: int
    tokens: int | None
    mentions: int
    entities: int
    singletons: int
    entity_sizes: Spread | None
    size_classes: Annotated[Mapping[str, int], about("entities by number of mentions")]
    mention_lengths: Annotated[Spread | None, about("in tokens")]
    nested: Annotated[int | None, about("mentions inside another mention")]
    deepest: Annotated[
        int | None, about("the number of mentions around the most deeply nested mention")
    ]
    crossing: Annotated[int | None, about("pairs of mentions that overlap without nesting")]
    distances: Annotated[Spread | None, about("tokens to the next mention of the entity")]

    def _rows(self) -> list[Row]:
        """Return one row per figure."""
        return [{"figure": name, "value": value} for name, value in self.to_dict().items()]

    def to_dict(self) -> dict[str, Value]:
        """Return the figures by name, such as ``entity_sizes/mean``; unknown ones are left out."""
        figures = flat(self, "/")
        return {name: value for name, value in figures.items() if value is not None}

    def __repr__(self) -> str:
        counts = (
            counted(self.documents, "document"),
            counted(self.entities, "entity", "entities"),
            counted(self.mentions, "mention"),
        )
        return f"<Description of {self.path or 'a corpus'}: {', '.join(counts)}>"


class StatsResult(Result, frozen=True, kw_only=True):
    """The statistics of one or more corpora."""

    schema: Literal["stats/1"] = "stats/1"
    corpora: Sequence[Description]


def describe(corpus: Corpus) -> Description:
    """Describe a corpus; repeated mentions are counted as annotated."""
    sizes = np.bincount(corpus.mention_entity, minlength=len(corpus.entity_document))
    sizes = sizes[sizes > 0]
    has_spans = corpus.has_spans
    known = not (corpus.document_tokens == UNKNOWN_LENGTH).any()
    nested, deepest, crossing = _nesting(corpus) if has_spans else (None, None, None)
    return Description(
        path=corpus.path,
        documents=len(corpus),
        tokens=int(corpus.document_tokens.sum()) if known else None,
        mentions=len(corpus.mention_entity),
        entities=len(sizes),
        singletons=int((sizes == 1).sum()),
        entity_sizes=Spread.of(sizes),
        size_classes=_classes(sizes),
        mention_lengths=Spread.of(corpus.mention_sizes) if has_spans else None,
        nested=nested,
        deepest=deepest,
        crossing=crossing,
        distances=Spread.of(_distances(corpus)) if has_spans else None,
    )


def _classes(sizes: Integers) -> dict[str, int]:
    classes = {
        name: int(((sizes >= low) & (sizes <= high)).sum())
        for name, (low, high) in SIZE_CLASSES.items()
    }
    return {**classes, LARGEST_CLASS: len(sizes) - sum(classes.values())}


def _nesting(corpus: Corpus) -> tuple[int, int, int]:
    """Count nested mentions, the greatest depth, and crossing pairs."""
    # How many mentions are around each one that is in a pair with a mention with gaps.
    around: Counter[tuple[int, Parts]] = Counter()
    nested = deepest = crossing = 0
    for document, pair in _with_gaps(corpus):
        if pair.is_nested:
            around[document, pair.smaller] += 1
        crossing += not pair.is_nested
    for document, span, depth, crossed in _around(corpus):
        depth += around.pop((document, (span,)), 0) if around else 0
        nested += depth > 0
        deepest = max(deepest, depth)
        crossing += crossed
    # What is left are mentions with gaps.
    return nested + len(around), max(deepest, *around.values(), 0), crossing


def _with_gaps(corpus: Corpus) -> Iterator[tuple[int, OverlappingPair]]:
    """Yield the pairs of overlapping mentions that include a mention with gaps, by document."""
    for document in sorted(set(map(corpus.document_of, corpus.mention_parts))):
        mentions = {Mention(corpus.mention_id(row)).parts for row in corpus.mentions_of(document)}
        yield from ((document, pair) for pair in overlaps_with_gaps(mentions))


def _around(corpus: Corpus) -> Iterator[tuple[int, Span, int, int]]:
    """Yield each span without gaps, with its document.

    The numbers are how many such spans contain it, and how many earlier ones it crosses.
    """
    spans = np.column_stack((corpus.mention_document, corpus.mention_spans))
    spans = np.delete(spans, list(corpus.mention_parts), axis=0)
    document, start, end = np.unique(spans, axis=0).T
    order = np.lexsort((-end, start, document))
    here = -1
    ends: list[int] = []
    rows = zip(document[order].tolist(), start[order].tolist(), end[order].tolist(), strict=True)
    for place, first, last in rows:
        if place != here:
            here, ends = place, []
        del ends[: bisect_left(ends, first)]
        around = bisect_left(ends, last)
        yield place, (first, last), len(ends) - around, around
        insort(ends, last)


def _distances(corpus: Corpus) -> Integers:
    start = corpus.mention_spans[:, 0]
    order = np.lexsort((start, corpus.mention_entity))
    same = np.diff(corpus.mention_entity[order]) == 0
    return np.asarray(np.diff(start[order])[same])


def description_table(descriptions: Sequence[Description], names: Sequence[str]) -> Table:
    """Return a table with one row per figure and one column per corpus."""
    figures = [_figures(description) for description in descriptions]
    rows: list[RowCells] = [
        [label, *(_cell(each[label]) for each in figures)]
        for label in figures[0]
        if any(each[label] is not None for each in figures)
    ]
    return Table(columns=[TableColumn(""), *columns(LARGE_COUNT, *names)], rows=rows)


def _cell(value: float | None) -> Cell:
    """Return the cell of a count or, with decimals, of a mean or median."""
    return Cell(value, DECIMAL if isinstance(value, float) else None)


def _figures(d: Description) -> dict[str, float | None]:
    return {
        "documents": d.documents,
        "tokens": d.tokens,
        "mentions": d.mentions,
        "entities": d.entities,
        "  singletons": d.singletons,
        **{f"  of {name} mentions": n for name, n in d.size_classes.items() if name != "1"},
        **_spread("entity size", d.entity_sizes),
        **_spread("mention length", d.mention_lengths),
        "nested mentions": d.nested,
        "  deepest nesting": d.deepest,
        "crossing pairs of mentions": d.crossing,
        **_spread("distance to the next mention", d.distances),
    }


def _spread(label: str, spread: Spread | None) -> dict[str, float | None]:
    values: tuple[float | None, ...] = (None,) * 4
    if spread:
        values = spread.mean, spread.median, spread.ninety_percent, spread.largest
    names = ("mean", "median", "90 %", "largest")
    return {f"{label}, {name}": value for name, value in zip(names, values, strict=True)}
