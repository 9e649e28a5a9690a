"""Positions without words count the empty nodes of the other side."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import corefscope as cs
from corefscope.matching.mentions import with_common_nodes

CONLLU = """# newdoc id = {0}
# global.Entity = eid-etype-head-other
1\tAnna\t_\t_\t_\t_\t0\troot\t_\tEntity=(e1-x-1)
1.1\t_\t_\t_\t_\t_\t_\t_\t1:nsubj\tEntity=(e1-x-1)
2\tfed\t_\t_\t_\t_\t1\tdep\t_\t_
3\ther\t_\t_\t_\t_\t1\tdep\t_\tEntity=(e1-x-1)
4\tdog\t_\t_\t_\t_\t1\tdep\t_\tEntity=(e2-x-1)
5\tit\t_\t_\t_\t_\t1\tdep\t_\t_

"""
CLUSTERS = [[(0, 0), (1, 1), (3, 3)], [(4, 4)]]
LATER = """# newdoc id = b
1\tMax\t_\t_\t_\t_\t0\troot\t_\tEntity=(e1-x-1)
2\tran\t_\t_\t_\t_\t1\tdep\t_\t_
3\tand\t_\t_\t_\t_\t1\tdep\t_\t_
3.1\t_\t_\t_\t_\t_\t_\t_\t4:nsubj\tEntity=(e1-x-1)
3.2\t_\t_\t_\t_\t_\t_\t_\t4:obj\tEntity=(e2-x-1)
4\thid\t_\t_\t_\t_\t1\tdep\t_\tEntity=(e2-x-1)

"""
CLUSTERS_LATER = [[(0, 0), (3, 3)], [(4, 4), (5, 5)]]


@pytest.fixture
def with_nodes(tmp_path: Path) -> cs.Corpus:
    path = tmp_path / "x.conllu"
    path.write_text(CONLLU.format("a") + LATER)
    return cs.read(path)


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
@pytest.mark.parametrize("profile", ["conll-2012", "corefud"])
def test_positions_alone_count_all_tokens(with_nodes: cs.Corpus, profile: str) -> None:
    bare = cs.Corpus.from_clusters({"b": CLUSTERS_LATER, "a": CLUSTERS[::-1]})
    for key, response in ((with_nodes, bare), (bare, with_nodes)):
        scores = cs.score(key, response, profile=profile)
        assert scores.conll == 1
        assert "W224" in [finding.code.id for finding in scores.findings]


def test_nodes_are_in_the_order_of_documents(with_nodes: cs.Corpus) -> None:
    bare = cs.Corpus.from_clusters({"b": CLUSTERS_LATER, "a": CLUSTERS})
    _, response, _ = with_common_nodes(with_nodes, bare, np.array([1, 0]))
    nodes = response.empty_nodes
    assert nodes is not None
    assert [nodes.tokens_of(document) for document in (0, 1)] == [[3, 4], [1]]


def test_words_tell_which_tokens_are_meant(with_nodes: cs.Corpus, tmp_path: Path) -> None:
    """With words, positions are those of words, and nothing is to be said."""
    path = tmp_path / "words.jsonl"
    texts = {"a": "Anna fed her dog it", "b": "Max ran and hid"}
    records = [
        {"doc_key": name, "sentences": [text.split()], "clusters": []}
        for name, text in texts.items()
    ]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    scores = cs.score(with_nodes, path)
    assert "W224" not in [finding.code.id for finding in scores.findings]


def test_documents_without_nodes_stay_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "x.conllu"
    path.write_text(CONLLU.format("a").replace("1.1\t_", "# \t_"))
    clusters = [[(0, 0), (2, 2)], [(3, 3)]]
    scores = cs.score(cs.read(path), {"a": clusters})
    assert scores.conll == 1 and not scores.findings
