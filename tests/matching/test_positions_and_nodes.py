"""Positions without words count the empty nodes of the other side."""

from __future__ import annotations

from pathlib import Path

import pytest

import corefscope as cs

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


@pytest.fixture
def with_nodes(tmp_path: Path) -> cs.Corpus:
    path = tmp_path / "x.conllu"
    path.write_text(CONLLU.format("a") + CONLLU.format("b"))
    return cs.read(path)


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
@pytest.mark.parametrize("profile", ["conll-2012", "corefud"])
def test_positions_alone_count_all_tokens(with_nodes: cs.Corpus, profile: str) -> None:
    bare = cs.Corpus.from_clusters({"b": CLUSTERS, "a": CLUSTERS[::-1]})
    for key, response in ((with_nodes, bare), (bare, with_nodes)):
        scores = cs.score(key, response, profile=profile)
        assert scores.conll == 1
        assert "W239" in [finding.code.id for finding in scores.findings]


def test_words_tell_which_tokens_are_meant(with_nodes: cs.Corpus, tmp_path: Path) -> None:
    """With words, positions are those of words, and nothing is to be said."""
    path = tmp_path / "words.jsonl"
    record = (
        '{{"doc_key": "{}", "sentences": [["Anna", "fed", "her", "dog", "it"]], "clusters": []}}'
    )
    path.write_text("".join(record.format(name) + "\n" for name in "ab"))
    bare = cs.read(path)
    scores = cs.score(with_nodes, bare)
    assert "W239" not in [finding.code.id for finding in scores.findings]


def test_documents_without_nodes_stay_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "x.conllu"
    path.write_text(CONLLU.format("a").replace("1.1\t_", "# \t_"))
    clusters = [[(0, 0), (2, 2)], [(3, 3)]]
    scores = cs.score(cs.read(path), {"a": clusters})
    assert scores.conll == 1 and not scores.findings
