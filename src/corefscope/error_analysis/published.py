"""Read a corpus as the published error-analysis tool does, for ``mode="berkeley"``."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from corefscope.corpus import Corpus, Document, Integers
from corefscope.corpus.mentions import MentionId
from corefscope.findings import Code, Finding
from corefscope.matching.matching import Matching, MatchingOptions, match_corpora


def published_matching(key: Corpus, response: Corpus, options: MatchingOptions) -> Matching:
    """Match a response with its key as the tool does: without documents the response lacks."""
    if options.missing == "empty":
        options = replace(options, missing="ignore")
    return match_corpora(as_published_tool_reads(key), as_published_tool_reads(response), options)


def as_published_tool_reads(corpus: Corpus) -> Corpus:
    """Return the mentions that the tool keeps, with a finding for each that it drops.

    The tool looks for the end of a mention only in the sentence where the mention starts. If a
    mention is repeated, it keeps the copy that ends first in the text, while we keep the copy in
    the entity that starts first.
    """
    if not corpus.has_spans:
        return corpus
    spans = corpus.mention_spans
    keep = np.ones(len(spans), dtype=bool)
    findings = list(corpus.findings)
    for document in corpus:
        rows = np.array(corpus.mentions_of(document.index), dtype=np.int64)
        crossing = _crossing(document, spans[rows])
        keep[rows[crossing]] = False
        findings += [_lost(corpus, document, row, "spans sentences") for row in rows[crossing]]
        rows = rows[~crossing]
        copies = _copies(corpus, rows)
        keep[copies] = False
        findings += [_lost(corpus, document, row, "is a copy") for row in copies]
    return replace(corpus.with_mentions(keep), findings=tuple(findings))


def _crossing(document: Document, spans: Integers) -> NDArray[np.bool_]:
    """Return a mask of the mentions that start in one sentence and end in another."""
    begins = np.array([sentence.start for sentence in document.sentences])
    first, last = (np.searchsorted(begins, spans[:, side], side="right") for side in (0, 1))
    return np.asarray(first != last)


def _copies(corpus: Corpus, rows: Integers) -> Integers:
    """Return the rows of repeated mentions, except the copy that ends first."""
    order = rows if corpus.mention_order is None else rows[np.argsort(corpus.mention_order[rows])]
    seen: set[MentionId] = set()
    copies = []
    for row in order.tolist():
        id = corpus.mention_id(row)
        if id in seen:
            copies.append(row)
        seen.add(id)
    return np.sort(np.array(copies, dtype=np.int64))


def _lost(corpus: Corpus, document: Document, row: int, why: str) -> Finding:
    line = None if corpus.mention_lines is None else int(corpus.mention_lines[row]) or None
    message = (
        f"mention {corpus.mention_id(row)} of document {document.name!r} {why}; "
        "it is dropped, because the published tool drops it"
    )
    return Finding(Code.AS_PUBLISHED, message, file=corpus.file_of(document.index), line=line)
