"""What holds for all pairs of corpora, however their mentions are matched."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from msgspec.structs import replace

import corefscope as cs
from corefscope.choices import Match, Zeros
from corefscope.corpus import arrays
from corefscope.matching import overlap as overlaps
from corefscope.matching.matching import MatchingOptions, SingletonRule, match_corpora
from corefscope.matching.overlap import count_overlap, side_of
from corefscope.matching.pairs import document_pairs
from corefscope.metrics import STANDARD
from corefscope.metrics.b3 import B3
from random_words import random_pair
from strategies import Document, corpora

MATCHES: tuple[Match, ...] = ("exact", "head", "partial")
ZEROS: tuple[Zeros, ...] = ("linear", "dependent", "drop")
MODES = list(product(MATCHES, ZEROS))
RULES: tuple[SingletonRule, ...] = ("keep", "drop")
SYMMETRIC = [mode for mode in MODES if mode[0] == "exact"]
quiet = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")


@pytest.mark.parametrize("mode", MODES, ids=str)
@quiet
def test_equal_files_score_100(mode: tuple[Match, Zeros]) -> None:
    match, zeros = mode
    for seed in range(30):
        key, _ = random_pair(Random(seed))
        scores = cs.score(key, key, metrics="all,mor", match=match, zeros=zeros)
        for id, score in scores.metrics.items():
            assert score.f1 == 1 or score.is_undefined or id == "blanc", (seed, id)
        assert scores.mentions.recall_counts[0] == scores.mentions.recall_counts[1]


@pytest.mark.parametrize("mode", SYMMETRIC, ids=str)
@quiet
def test_swapping_sides_swaps_recall_and_precision(mode: tuple[Match, Zeros]) -> None:
    """Head and partial matching weigh words by the key's mentions, and are not symmetric."""
    match, zeros = mode
    for seed in range(30):
        key, response = random_pair(Random(seed))
        there = match_corpora(key, response, MatchingOptions(match=match, zeros=zeros))
        if zeros == "dependent" and _has_ties(key, response):
            continue
        back = cs.score(response, key, match=match, zeros=zeros)
        scores = cs.score(key, response, match=match, zeros=zeros)
        assert there.overlap("keep").n.sum() == scores.mentions.recall_counts[0]
        for id in ("mentions", "muc", "b3", "ceafm", "ceafe", "lea"):
            assert scores[id].recall == pytest.approx(back[id].precision, abs=1e-12), (seed, id)
            assert scores[id].f1 == pytest.approx(back[id].f1, abs=1e-12), (seed, id)


def _has_ties(key: cs.Corpus, response: cs.Corpus) -> bool:
    options = MatchingOptions(zeros="dependent", is_official=True)
    return bool(match_corpora(key, response, options).alignment("keep").tied)


@settings(max_examples=60)
@given(corpora())
def test_exact_matching_of_plain_words_is_what_it_was(corpus: dict[str, Document]) -> None:
    """Mentions without gaps in texts without empty nodes: word sets give the same table."""
    key, response = (
        cs.Corpus.from_clusters(
            {
                name: [[(ord(m[0]), ord(m[0]) + len(m)) for m in entity] for entity in pair[side]]
                for name, pair in corpus.items()
            }
        )
        for side in range(2)
    )
    plain = match_corpora(key, response, MatchingOptions())
    assert plain.word_sets is None
    words = match_corpora(key, response, MatchingOptions(is_official=True))
    assert words.word_sets is not None
    rules: tuple[SingletonRule, ...] = ("keep", "drop", "drop-response")
    for rule in rules:
        assert plain.overlap(rule).n.tolist() == words.overlap(rule).n.tolist()
        assert plain.overlap(rule).key.tolist() == words.overlap(rule).key.tolist()


def test_heads_do_not_matter_in_exact_matching() -> None:
    for seed in range(20):
        key, response = random_pair(Random(seed))
        others = replace(key, mention_heads=np.asarray(key.mention_spans)[:, 0].astype(np.int64))
        for corpus in (key, others):
            found = match_corpora(corpus, response, MatchingOptions())
            expected = match_corpora(key, response, MatchingOptions())
            assert found.overlap("keep").n.tolist() == expected.overlap("keep").n.tolist()


@quiet
def test_all_standard_metrics_are_known_in_every_mode() -> None:
    key, response = random_pair(Random(3))
    for match, zeros in MODES:
        assert set(cs.score(key, response, match=match, zeros=zeros).metrics) == set(STANDARD)


@pytest.mark.parametrize("mode", MODES, ids=str)
@quiet
def test_documents_of_both_sides_share_what_is_paired(mode: tuple[Match, Zeros]) -> None:
    """Analyses see the same table: both sides have a mention only if it is paired."""
    options = MatchingOptions(match=mode[0], zeros=mode[1])
    for seed in range(40):
        matching = match_corpora(*random_pair(Random(seed)), options)
        for rule in RULES:
            pairs = list(document_pairs(matching, rule))
            sides = side_of([p.key for p in pairs]), side_of([p.response for p in pairs])
            for pair, side in product(pairs, ("key", "response")):
                mentions = [mention for entity in getattr(pair, side) for mention in entity]
                assert len(set(mentions)) == len(mentions), (seed, rule)
            found, expected = count_overlap(len(pairs), *sides), matching.overlap(rule)
            assert sorted(found.n.tolist()) == sorted(expected.n.tolist()), (seed, rule)
            assert sorted(found.key_size.tolist()) == sorted(expected.key_size.tolist())
            assert B3.score_overlap(found) == B3.score_overlap(expected), (seed, rule)


@quiet
@pytest.mark.parametrize("seed", range(20))
def test_much_is_sorted_by_counting_with_the_same_result(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(seed)
    document, *sides = rng.integers(0, 3, 60), rng.integers(-1, 9, 60), rng.integers(-1, 9, 60)

    def overlap() -> list[list[int]]:
        key, response = (cs.Corpus.from_arrays(side, document=document) for side in sides)
        table = match_corpora(key, response, MatchingOptions()).overlap("keep")
        rows = key.mention_spans[:, 0], response.mention_spans[:, 0]
        columns = table.key, table.response, table.n, table.key_size, table.response_size, *rows
        return [column.tolist() for column in columns]

    expected = overlap()
    monkeypatch.setattr(arrays, "MANY", 0)
    monkeypatch.setattr(overlaps, "MANY", 0)
    assert overlap() == expected


@quiet
def test_a_mention_with_a_gap_is_only_itself() -> None:
    """The numbers of a document: in the order of the text, one for each mention of both sides."""
    gap = ((3, 4), (6, 7))
    key = cs.Corpus.from_clusters({"x": [[(4, 4), gap, (3, 9)]]})
    response = cs.Corpus.from_clusters({"x": [[(3, 7), (3, 9)], [gap]]})
    (pair,) = document_pairs(match_corpora(key, response, MatchingOptions()), "keep")
    assert [pair.where(mention).parts for mention in pair.key[0]] == [gap, ((3, 9),), ((4, 4),)]
    first, other = pair.response
    assert set(pair.key[0]) - {*first, *other} == {pair.key[0][2]}
    assert other == [pair.key[0][0]] and pair.span(first[0]) == pair.span(other[0]) == (3, 7)
    assert [pair.where(mention).is_plain for mention in (*first, *other)] == [True, True, False]
    assert pair.where(other[0]).identified() == "3-4,6-7"


def test_shifted_offsets_are_found_in_every_mode() -> None:
    spans = [
        [(10 * entity + 3 * n, 10 * entity + 3 * n + 1) for n in range(3)] for entity in range(8)
    ]
    shifted = [[(first + 1, last + 1) for first, last in entity] for entity in spans]
    key, response = (
        replace(corpus, mention_heads=np.asarray(corpus.mention_spans)[:, 1].astype(np.int64))
        for corpus in (cs.Corpus.from_clusters({"x": each}) for each in (spans, shifted))
    )
    for match in MATCHES:
        found = match_corpora(key, response, MatchingOptions(match=match)).findings
        assert "W208" in [finding.code.id for finding in found], match


@quiet
def test_mentions_that_heads_tell_apart_are_not_identical(tmp_path: Path) -> None:
    """They stand on the same tokens, and are still two mentions for everyone who compares."""
    for name, clusters, heads in (
        ("key", [[[7, 7], [1, 4]]], [[7, 3]]),
        ("response", [[[1, 4], [2, 5]]], [[4, 3]]),
    ):
        words = [[f"w{token}" for token in range(8)]]
        record = {"doc_key": "d", "sentences": words, "clusters": clusters, "mention_heads": heads}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(record))
    key, response = (cs.read(tmp_path / f"{name}.jsonl") for name in ("key", "response"))
    (pair,) = document_pairs(match_corpora(key, response, MatchingOptions(match="head")), "keep")
    assert pair.table.spans.count((1, 4)) == 2
    numbers = range(len(pair.table.spans))
    assert len({pair.table.identity(mention) for mention in numbers}) == len(numbers)
