"""Empty nodes that only one side has, which shift all tokens after them in version 1.

Version 1 numbers tokens by counting lines, and an empty node has a line like any word. What the
figures would be otherwise is counted with numbers that leave room for the nodes of both sides.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from corefscope.corpus import Corpus
from corefscope.corpus.mentions import Span
from corefscope.extensions.universal_anaphora.documents import number_of_words
from corefscope.extensions.universal_anaphora.entities import NumberOf, empty_tokens
from corefscope.findings import Code, Finding
from corefscope.matching.overlap import Floats
from corefscope.metrics.metric import Metric
from corefscope.official import changed_figures


class Shift(Struct, frozen=True, kw_only=True):
    """A document in which the same words have different numbers."""

    name: str
    documents: tuple[int, int]
    """Its position in the key and in the response."""
    number_of: tuple[NumberOf, NumberOf]
    """Return the number of a token of the key, or of the response, with the nodes of both."""
    node: str
    """The first empty node that only one side has, as its file calls it."""
    file: str | None
    line: int | None
    other: str
    """The side without the node: ``key`` or ``response``."""


class Shifted(Struct, frozen=True):
    """The documents with shifts, and the counts of all documents without these shifts."""

    shifts: Sequence[Shift]
    counts: Mapping[str, Floats]


def shifts_between(
    key: Corpus, response: Corpus, pairs: Iterable[tuple[int, int | None]]
) -> list[Shift]:
    """Return the documents in which the empty nodes of key and response are on other lines."""
    if not key.empty_nodes and not response.empty_nodes:
        return []
    found = (_shift(key, ours, response, theirs) for ours, theirs in pairs if theirs is not None)
    return [shift for shift in found if shift is not None]


def _shift(key: Corpus, document: int, response: Corpus, number: int) -> Shift | None:
    corpora, documents = (key, response), (document, number)
    ours, theirs = (empty_tokens(*each) for each in zip(corpora, documents, strict=True))
    words = {number_of_words(*each) for each in zip(corpora, documents, strict=True)}
    if ours.keys() == theirs.keys() or None in words or len(words) > 1:
        # Where the words differ, a side may have nodes that are not marked as such.
        return None
    every = sorted({*ours.values(), *theirs.values()})
    lone = min({*ours.values()} ^ {*theirs.values()})
    side = 0 if lone in ours.values() else 1
    nodes = corpora[side].empty_nodes
    row = nodes.rows_of(documents[side])[list((ours, theirs)[side].values()).index(lone)]
    return Shift(
        name=key.document_names[document],
        documents=documents,
        number_of=(_number_of(ours, every), _number_of(theirs, every)),
        node=nodes.ids[row],
        file=corpora[side].file_of(documents[side]),
        line=int(nodes.line[row]) or None,
        other=("response", "key")[side],
    )


def _number_of(nodes: Mapping[int, Span], every: Sequence[Span]) -> NumberOf:
    """Return what numbers the tokens of a side, given its empty nodes and those of both sides."""
    own = sorted(nodes)

    def number(token: int) -> int:
        if token in nodes:
            return nodes[token][0] + bisect_left(every, nodes[token])
        word = token - bisect_left(own, token)
        return word + bisect_right(every, word, key=lambda node: node[0])

    return number


def shift_findings(
    shifted: Shifted | None, metrics: Sequence[Metric], counts: Mapping[str, Floats]
) -> Iterator[Finding]:
    """Report what the shifts change.

    Parameters
    ----------
    shifted
        What would be counted without shifts, if there are any.
    metrics
        The metrics that were counted, as the profile computes their figures.
    counts
        The official counts.

    Yields
    ------
    Finding
        A warning with both figures of each metric that changes.
    """
    changes = changed_figures(metrics, counts, shifted.counts) if shifted else ""
    if shifted and changes:
        first = shifted.shifts[0]
        others = len(shifted.shifts) - 1
        also = "1 other document has" if others == 1 else f"{others} other documents have"
        more = f" ({also} such nodes)" if others else ""
        yield Finding(
            Code.OFFICIAL_FAULT,
            f"document {first.name!r} has the empty node {first.node} here, the {first.other} "
            f"does not{more}; the official scorer counts lines, so that later words do not match: "
            f"{changes}",
            expected="the same empty nodes",
            file=first.file,
            line=first.line,
        )
