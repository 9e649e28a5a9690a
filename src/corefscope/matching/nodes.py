"""Count the empty nodes of one side in documents of the other side that have positions alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from corefscope.corpus import UNKNOWN_LENGTH, Corpus, Integers
from corefscope.findings import Code, Finding


def with_common_nodes(
    key: Corpus, response: Corpus, key_document: Integers
) -> tuple[Corpus, Corpus, list[Finding]]:
    """Return both sides with the empty nodes that positions count, and what to say about it.

    Tokens are words and empty nodes, so that positions without words count both.
    """
    paired = np.flatnonzero(key_document >= 0)
    response_document = np.full(len(key), -1)
    response_document[key_document[paired]] = paired
    findings: list[Finding] = []
    given = response
    response = _with_nodes_of(response, key, key_document, findings)
    key = _with_nodes_of(key, given, response_document, findings)
    return key, response, findings


def _with_nodes_of(
    bare: Corpus, other: Corpus, other_document: Integers, findings: list[Finding]
) -> Corpus:
    nodes = other.empty_nodes
    if not nodes or not bare.has_spans or bare.empty_nodes:
        return bare
    number = np.full(len(other), -1)
    is_bare = (bare.document_tokens == UNKNOWN_LENGTH) & (other_document >= 0)
    number[other_document[is_bare]] = np.flatnonzero(is_bare)
    length = np.zeros(len(bare), dtype=np.int64)
    np.maximum.at(length, bare.mention_document, bare.mention_spans[:, 1] + 1)
    rows = np.flatnonzero(number[nodes.document] >= 0)
    rows = rows[nodes.token[rows] < length[number[nodes.document[rows]]]]
    if not len(rows):
        return bare
    rows = rows[np.argsort(number[nodes.document[rows]], kind="stable")]
    first = int(number[nodes.document[rows[0]]])
    count = "an empty node" if len(rows) == 1 else f"{len(rows):,} empty nodes"
    message = (
        f"document {bare.document_names[first]!r} has positions but no words, and the other side "
        f"empty nodes; positions also count {count}; if they count words alone, write the words "
        "into the file"
    )
    findings.append(Finding(Code.ZEROS_IN_DOUBT, message, file=bare.file_of(first)))
    return replace(bare, empty_nodes=nodes.chosen(rows, number), _index={})
