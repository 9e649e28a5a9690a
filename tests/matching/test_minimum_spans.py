"""Minimum spans found in parse trees (MINA): what they are, and what is scored with them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import corefscope as cs
from corefscope.matching.minimum import minimum_span

CASES = Path(__file__).parents[3] / "shared" / "cases" / "minimum-spans" / "cases.jsonl"
TREE = [
    ("the", "DT", "(TOP(S(NP(NP(NP*"),
    ("mayor", "NN", "*"),
    ("'s", "POS", "*)"),
    ("old", "JJ", "*"),
    ("dog", "NN", "*)"),
    ("in", "IN", "(PP*"),
    ("the", "DT", "(NP*"),
    ("yard", "NN", "*)))"),
    ("barked", "VBD", "(VP*)"),
    (".", ".", "*))"),
]
"""The words of a sentence, their tags, and their cells of the parse."""


def found(first: int, last: int, tree: list[tuple[str, str, str]] = TREE) -> Any:
    words, tags, cells = zip(*tree[first : last + 1], strict=True)
    return minimum_span(words, tags, cells, first)


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        (0, 7, {("old dog", 4)}),  # The possessor and the place lie deeper.
        (0, 4, {("old dog", 4)}),
        (0, 2, {("the mayor 's", 2)}),
        (6, 7, {("the yard", 7)}),
        (8, 8, {("barked", 8)}),
        (1, 1, {("mayor", 1)}),  # No bracket of its own.
        (9, 9, {(".", 0)}),  # Nothing counts: all words, counted from 0.
    ],
)
def test_the_highest_words_of_a_mention(
    first: int, last: int, expected: set[tuple[str, int]]
) -> None:
    assert found(first, last) == expected


def test_a_coordination_has_the_words_of_all_its_parts() -> None:
    tree = [("Ann", "NNP", "(NP(NP*)"), ("and", "CC", "*"), ("Bob", "NNP", "(NP*))")]
    assert found(0, 2, tree) == {("Ann", 0), ("Bob", 2)}


def test_cells_without_a_node_have_no_minimum_span() -> None:
    assert minimum_span(["a"], ["DT"], ["-"], 0) is None


def text(*mentions: tuple[int, int, int]) -> str:
    """The sentence with mentions: entity, first and last token."""
    lines = []
    for place, (word, tag, parse) in enumerate(TREE):
        cell = "|".join(
            "(" * (place == first) + str(entity) + ")" * (place == last)
            for entity, first, last in mentions
            if place in (first, last)
        )
        lines.append(f"d\t0\t{place}\t{word}\t{tag}\t{parse}\t-\t-\t-\t-\t*\t{cell or '-'}")
    return "#begin document (d); part 000\n" + "\n".join(lines) + "\n\n#end document\n"


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    key.write_text(text((1, 0, 7), (1, 8, 8), (2, 6, 7)))
    response.write_text(text((7, 0, 4), (7, 8, 8), (9, 7, 7)))
    return key, response


def test_longer_mentions_match_by_their_minimum_spans(pair: tuple[Path, Path]) -> None:
    exact, scores = cs.score(*pair), cs.score(*pair, match="min")
    assert exact.mentions.recall_counts == (1, 3)
    # "yard" alone is not "the yard": a run of words counts as a whole.
    assert scores.mentions.recall_counts == (2, 3) and scores.muc.f1 == 1
    assert "|match:min|" in scores.signature


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_every_analysis_uses_the_pairs(pair: tuple[Path, Path], tmp_path: Path) -> None:
    key, response = pair
    analysis = cs.analyze(key, response, match="min")
    assert analysis.errors["span_error"] == 0
    assert "|match:min|" in analysis.signature
    evaluation = cs.evaluate(key, {"ours": response}, match="min", singletons="keep")
    assert evaluation["ours"].explain("muc").to_dict()["f1"] == 1
    assert "|match:min|" in evaluation.comparison.signature
    evaluation.report(tmp_path / "report.html")


def test_a_key_without_trees_is_refused() -> None:
    corpus = cs.Corpus.from_clusters({"d": [[(0, 1), (3, 3)]]})
    with pytest.raises(cs.InvalidInput, match=r"no parse trees.*match exact or head.*E402"):
        cs.score(corpus, corpus, match="min")


def test_mentions_of_one_minimum_span_count_once(tmp_path: Path) -> None:
    key = tmp_path / "key.conll"
    key.write_text(text((1, 0, 4), (2, 0, 7), (2, 8, 8)))
    with pytest.warns(cs.CorefscopeWarning, match=r"same minimum span.*coval counts both.*W108"):
        scores = cs.score(key, key, match="min")
    # Of those that begin together, the longer one counts.
    assert scores.mentions.recall_counts == (2, 2) and scores.muc.f1 == 1


def shared_cases() -> list[Mapping[str, Any]]:
    return (
        [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]
        if CASES.exists()
        else []
    )


@pytest.mark.skipif(not CASES.exists(), reason="no cases beside this checkout")
@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_figures_of_all_cases(tmp_path: Path) -> None:
    for case in shared_cases():
        for name in ("key", "response"):
            (tmp_path / f"{name}.conll").write_text(case[name], encoding="utf-8")
        scores = cs.score(tmp_path / "key.conll", tmp_path / "response.conll", match="min")
        for metric, figures in case["clean"].items():
            score = scores[metric]
            assert [score.recall, score.precision] == pytest.approx(figures, abs=1e-9), case["id"]


@pytest.mark.skipif(not CASES.exists(), reason="no cases beside this checkout")
def test_minimum_spans_of_all_cases() -> None:
    for case in shared_cases():
        sentences: list[list[tuple[str, str, str]]] = [[]]
        for line in case["key"].splitlines():
            fields = line.split("\t")
            if not line.strip():
                sentences.append([])
            elif not line.startswith("#"):
                sentences[-1].append((fields[3], fields[4], fields[5]))
        own = [sentence for sentence in sentences if sentence]
        spans = [each for side in ("key", "response") for each in case["min_spans"][side]]
        for place, first, last, expected in spans:
            span = None if expected is None else {(words, at) for words, at in expected}
            assert found(first, last, own[place]) == span, case["id"]
