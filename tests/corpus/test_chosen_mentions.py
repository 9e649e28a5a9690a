"""Some mentions of a corpus: every column with them is that of the same mentions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import corefscope as cs
from corefscope.corpus.links import Bridge
from corefscope.corpus.mentions import MentionId
from corefscope.error_analysis.published import as_published_tool_reads

LINES = """# newdoc id = x
# global.Entity = eid-etype-head-other
1 They _ Entity=(b-people-1)
2 saw _ _
3 Ann _ Entity=(c-x-2(a-person-1-k:v)

1 today _ Entity=c)
2 her _ Entity=(a[1/2]-person-2)
3 old _ _
4 self _ Entity=(a[2/2]-person-2)|Bridge=b<a:part
5 it _ Entity=(d-thing-1)

"""
"""The mention of c reaches into the second sentence, which the published tool does not read."""


@pytest.fixture
def corpus(tmp_path: Path) -> cs.Corpus:
    path = tmp_path / "x.conllu"
    lines = [
        line if line.startswith("#") or not line else as_row(*line.split())
        for line in LINES.splitlines()
    ]
    path.write_text("\n".join(lines) + "\n")
    return cs.read(path)


def as_row(id: str, word: str, head: str, misc: str) -> str:
    return "\t".join([id, word, *"____", head, *"__", misc])


def described(corpus: cs.Corpus) -> list[tuple[object, ...]]:
    """Return what is known of each mention."""
    assert corpus.mention_heads is not None and corpus.openings is not None
    assert corpus.mention_lines is not None
    bridges = {link.mention: link for link in corpus.bridges}
    return [
        (
            corpus.entity_labels[int(corpus.mention_entity[row])],
            corpus.mention_id(row),
            int(corpus.mention_heads[row]),
            corpus.openings.texts[row],
            int(corpus.mention_lines[row]),
            bridges[row][1:] if row in bridges else None,
        )
        for row in range(len(corpus.mention_entity))
    ]


def test_all_columns_follow(corpus: cs.Corpus) -> None:
    every = described(corpus)
    assert ("a", ((4, 4), (6, 6)), 6, "a-person-2", 8, (0, "part")) in every
    for number in range(2 ** len(every)):
        keep = np.array([bool(number >> row & 1) for row in range(len(every))])
        chosen = corpus.with_mentions(keep)
        assert described(chosen) == [row for row, kept in zip(every, keep, strict=True) if kept]
        assert chosen.document_names == corpus.document_names
        assert len(chosen.entity_document) == len(corpus.entity_document)


def test_the_published_tool_drops_a_mention_with_all_its_columns(corpus: cs.Corpus) -> None:
    read = as_published_tool_reads(corpus)
    assert described(read) == [row for row in described(corpus) if row[0] != "c"]
    assert read.bridges == (Bridge(2, 0, "part"),)


def test_a_mention_with_a_gap_is_no_copy_of_one_without() -> None:
    clusters: list[list[MentionId]] = [[((0, 0), (2, 2)), (0, 2)], [(0, 2), (4, 4)]]
    corpus = cs.Corpus.from_clusters({"x": clusters})
    read = as_published_tool_reads(corpus)
    assert [read.mention_id(row) for row in range(3)] == [((0, 0), (2, 2)), (0, 2), (4, 4)]


def test_ids_follow() -> None:
    corpus = cs.Corpus.from_clusters({"x": [["p", "q"], ["r"]]})
    assert corpus.with_mentions(np.array([False, True, True])).mention_ids == ["q", "r"]
