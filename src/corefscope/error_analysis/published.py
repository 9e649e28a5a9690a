"""A corpus as the published tool reads it, for ``mode="berkeley"``."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from corefscope.corpus import Corpus, Document, Integers
from corefscope.findings import Code, Finding
from corefscope.matching.matching import Matching, MatchingOptions, match_corpora


def published_matching(key: Corpus, response: Corpus, options: MatchingOptions) -> Matching:
    """Pair a response with its key as the tool does: it leaves out what the response lacks."""
    if options.missing == "empty":
        options = replace(options, missing="ignore")
    return match_corpora(as_published_tool_reads(key), as_published_tool_reads(response), options)


def as_published_tool_reads(corpus: Corpus) -> Corpus:
    """Keep what the tool keeps, and say what it does not.

    It looks for the end of a mention in its own sentence only, and of a repeated mention it takes
    the copy that ends first in the text, where we take that of the entity that begins first.
    """
    spans = corpus.mention_spans
    if spans is None:
        return corpus
    keep = np.ones(len(spans), dtype=bool)
    findings = list(corpus.findings)
    for document in corpus:
        rows = np.arange(*_bounds(corpus.mentions_of(document.index)))
        crossing = _crossing(document, spans[rows])
        keep[rows[crossing]] = False
        findings += [_lost(corpus, document, row, "spans sentences") for row in rows[crossing]]
        rows = rows[~crossing]
        copies = _copies(corpus, rows)
        keep[copies] = False
        findings += [_lost(corpus, document, row, "is a copy") for row in copies]
    return replace(
        corpus,
        mention_entity=corpus.mention_entity[keep],
        mention_spans=spans[keep],
        mention_lines=None if corpus.mention_lines is None else corpus.mention_lines[keep],
        mention_order=None if corpus.mention_order is None else corpus.mention_order[keep],
        findings=tuple(findings),
        _index={},
    )


def _bounds(rows: range) -> tuple[int, int]:
    return rows.start, rows.stop


def _crossing(document: Document, spans: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Tell which mentions begin in one sentence and end in another."""
    begins = np.array([sentence.start for sentence in document.sentences])
    first, last = (np.searchsorted(begins, spans[:, side], side="right") for side in (0, 1))
    return np.asarray(first != last)


def _copies(corpus: Corpus, rows: Integers) -> Integers:
    """Return the rows of repeated mentions but the one completed first."""
    assert corpus.mention_spans is not None
    order = rows if corpus.mention_order is None else rows[np.argsort(corpus.mention_order[rows])]
    _, first = np.unique(corpus.mention_spans[order], axis=0, return_index=True)
    return np.sort(np.delete(order, first))


def _lost(corpus: Corpus, document: Document, row: int, why: str) -> Finding:
    line = None if corpus.mention_lines is None else int(corpus.mention_lines[row]) or None
    message = (
        f"mention {corpus.mention_id(row)} of document {document.name!r} {why}; "
        "it is dropped, as the published tool does"
    )
    return Finding(
        Code.DROPPED_AS_PUBLISHED, message, file=corpus.file_of(document.index), line=line
    )
