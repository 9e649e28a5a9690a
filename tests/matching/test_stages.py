"""Mentions are paired in stages: every rule, against all choices, and in whole corpora."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest

import word_reference
from corefscope.choices import Match, Zeros
from corefscope.corpus import Corpus
from corefscope.matching import stages
from corefscope.matching.matching import Matching, MatchingOptions, match_corpora
from corefscope.matching.stages import (
    ComparedMention,
    MatchingRules,
    OfferedPair,
    align,
    best_of,
    first_best,
    is_tied,
    of_whole_lists,
)
from corefud_text import corefud, corpus_of
from random_words import random_pair

MODES = list(product(("exact", "head", "partial"), ("linear", "dependent"), (True, False)))


def markable(words: str, head: int = 0, **more: object) -> ComparedMention:
    numbers = [int(word) for word in words.split()]
    return ComparedMention(words=frozenset(numbers), head=head or numbers[0], **more)  # type: ignore[arg-type]


def zero(word: int, *dependencies: str, sentence: int = 0) -> ComparedMention:
    pairs = frozenset((each.split(":")[0], each.split(":")[1]) for each in dependencies)
    return markable(str(word), is_zero=True, sentence=sentence, dependencies=pairs)


def paired(
    key: list[ComparedMention],
    response: list[ComparedMention],
    match: Match,
    zeros: Zeros = "linear",
    same_words: bool = True,
) -> list[tuple[int, int, str]]:
    rules = MatchingRules(match=match, zeros=zeros, same_words=same_words)
    pairs = align(key, response, rules)
    return sorted((pair.key, pair.response, str(pair.stage)) for pair in pairs)


def test_equal_mentions_come_first() -> None:
    """The longer response mention would fit the key mention, too, but is equal to another."""
    key = [markable("1 2 3", 2), markable("2", 2)]
    response = [markable("2", 2)]
    assert paired(key, response, "head") == [(1, 0, "equal")]
    assert paired(key, response, "partial") == [(1, 0, "equal")]


@pytest.mark.parametrize(
    ("words", "head", "found"),
    [
        ("1 2 3 4", 2, {"head": "head"}),
        ("2 3", 2, {"head": "head", "partial": "partial"}),
        ("2", 2, {"head": "head", "partial": "partial"}),
        ("3", 3, {}),
        ("2 3", 3, {"partial": "partial"}),
        ("1 2 3", 1, {"exact": "equal", "partial": "equal", "head": "same words"}),
    ],
)
def test_what_may_be_paired(words: str, head: int, found: dict[str, str]) -> None:
    """The mention of the key is the words 1 to 3, and its head is 2."""
    key, response = [markable("1 2 3", 2)], [markable(words, head)]
    modes: tuple[Match, ...] = ("exact", "head", "partial")
    stage = {mode: pairs[0][2] for mode in modes if (pairs := paired(key, response, mode))}
    assert stage == found


def test_the_last_stage_can_be_left_out() -> None:
    key, response = [markable("1 2", 1)], [markable("1 2", 2)]
    assert paired(key, response, "head", same_words=False) == []


def test_the_total_decides_and_not_the_best_pair() -> None:
    """The response mention 1 2 3 fits the longer key mention best; then the other gets nothing."""
    key = [markable("1 2 3 4", 2), markable("2 3 4 5 6", 2)]
    response = [markable("2 3", 2), markable("1 2 3", 2)]
    assert paired(key, response, "head") == [(0, 1, "head"), (1, 0, "head")]
    key, response = [markable("1 2 3 4", 2), markable("1 2", 2)], [markable("1 2 3", 2)]
    assert paired(key, response, "head") == [(1, 0, "head")]


def test_an_unknown_head_is_nobodys_head() -> None:
    unknown = ComparedMention(words=frozenset({1, 2}))
    other = ComparedMention(words=frozenset({1}))
    assert paired([unknown], [other], "head") == []
    assert paired([unknown], [other], "partial") == []
    assert paired([unknown], [unknown], "head") == [(0, 0, "equal")]


def test_zeros_are_paired_by_what_they_depend_on() -> None:
    """Each stands where the other stands in the response."""
    key = [zero(10, "1:nsubj"), zero(20, "2:obj")]
    response = [zero(10, "2:obj"), zero(20, "1:nsubj")]
    assert paired(key, response, "exact", "dependent") == [(0, 1, "zeros"), (1, 0, "zeros")]
    assert paired(key, response, "exact") == [(0, 0, "equal"), (1, 1, "equal")]


def test_relations_count_ten_times_as_much_as_parents() -> None:
    one, other = zero(1, "1:nsubj", "2:obj"), zero(2, "1:nsubj", "2:dep")
    weight = stages.dependency_weight(one, other)
    assert weight == 10 * Fraction(1, 2) + 1
    assert stages.dependency_weight(one, zero(3)) == 0
    assert stages.dependency_weight(zero(3), zero(3)) == 0


def test_zeros_of_other_sentences_and_without_parents_are_paired_by_position() -> None:
    key = [zero(10, "1:nsubj"), zero(20)]
    response = [zero(11, "1:nsubj", sentence=1), zero(20)]
    assert paired(key, response, "exact", "dependent") == [(1, 1, "equal")]


def test_a_zero_that_is_left_can_be_paired_with_a_word() -> None:
    key, response = [zero(5, "1:nsubj")], [markable("5 6", 5)]
    assert paired(key, response, "head", "dependent") == [(0, 0, "head")]


def test_ties_go_to_the_first() -> None:
    """Both response mentions have as much of the key's mention."""
    key = [markable("1 2 3", 2)]
    response = [markable("2 3", 2), markable("1 2", 2)]
    assert paired(key, response, "head") == [(0, 1, "head")]
    cells = [OfferedPair(0, 0, Fraction(2, 3)), OfferedPair(0, 1, Fraction(2, 3))]
    assert is_tied(cells) and not is_tied(cells[:1])
    assert not is_tied([OfferedPair(0, 0, Fraction(2, 3)), OfferedPair(0, 1, Fraction(1, 3))])


def random_cells(random: Random, rows: int, columns: int) -> list[OfferedPair]:
    return [
        OfferedPair(row, column, Fraction(random.randint(1, 4), random.randint(1, 3)))
        for row in range(rows)
        for column in range(columns)
        if random.random() < 0.6
    ]


@pytest.mark.parametrize("seed", range(60))
def test_the_best_choice_of_all(seed: int) -> None:
    random = Random(seed)
    rows, columns = random.randint(1, 5), random.randint(1, 5)
    cells = random_cells(random, rows, columns)
    weight = {(cell.key, cell.response): cell.weight for cell in cells}
    worth = [[weight.get((r, c), Fraction(0)) for c in range(columns)] for r in range(rows)]
    every = list(word_reference.choices(worth))
    totals = [sum(worth[r][c] for r, c in enumerate(e) if c is not None) for e in every]
    greatest = max(totals)
    first = every[totals.index(greatest)]
    assert sorted(first_best(cells)) == [(r, c) for r, c in enumerate(first) if c is not None]
    assert any(map(is_tied, stages.tied_together(cells))) == (totals.count(greatest) > 1)
    whole = of_whole_lists(cells, rows, columns)
    assert sum(weight[pair] for pair in whole) == pytest.approx(float(greatest))


def test_a_large_component_has_the_greatest_total(monkeypatch: pytest.MonkeyPatch) -> None:
    """The solver of large components finds the same total."""
    cells = random_cells(Random(1), 12, 14)
    weight = {(cell.key, cell.response): cell.weight for cell in cells}
    small = sum(weight[pair] for pair in first_best(cells))
    monkeypatch.setattr(stages, "MOST_EXACT", 5)
    assert sum(weight[pair] for pair in first_best(cells)) == small


def test_many_mentions_with_one_head_take_no_time_that_matters() -> None:
    """A component of 60 mentions has numbers of 60 digits; it is solved once."""
    cells = [OfferedPair(row, column, Fraction(1, 3)) for row in range(60) for column in range(60)]
    assert best_of(cells) == [(row, row) for row in range(60)]


# ---- Whole corpora ----


def rules_of(mode: tuple[Match, Zeros, bool]) -> MatchingOptions:
    match, zeros, same_words = mode
    return MatchingOptions(match=match, zeros=zeros, is_official=not same_words)


def records(matching: Matching, side: int, document: int) -> list[tuple[int, ComparedMention]]:
    """The mentions of a document that are compared, each with its number."""
    assert matching.word_sets is not None
    which = matching.sides("keep")[side]
    words = matching.word_sets.words[side]
    return [
        (int(number), words.markable(int(row)))
        for number, row, entity in zip(
            which.mention, which.mention_row, which.mention_entity, strict=True
        )
        if which.entity_document[entity] == document
    ]


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_corpora_are_paired_as_by_trying_everything(mode: tuple[Match, Zeros, bool]) -> None:
    pairs = 0
    for seed in range(40):
        key, response = random_pair(Random(seed))
        matching = match_corpora(key, response, rules_of(mode))
        if matching.word_sets is None:
            continue
        for document in range(len(key)):
            ours, theirs = (records(matching, side, document) for side in (0, 1))
            expected = word_reference.aligned(
                [each for _, each in ours], [each for _, each in theirs], matching.rules
            )
            found = {number: place for place, (number, _) in enumerate(theirs)}
            assert sorted(expected) == [
                (place, found[number]) for place, (number, _) in enumerate(ours) if number in found
            ], (seed, document)
            by_records = align(
                [each for _, each in ours], [each for _, each in theirs], matching.rules
            )
            assert sorted((k, r) for k, r, _ in by_records) == sorted(expected)
            pairs += len(expected)
    assert pairs > 100


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_the_numbers_of_pairs_add_up(mode: tuple[Match, Zeros, bool]) -> None:
    for seed in range(20):
        matching = match_corpora(*random_pair(Random(seed)), rules_of(mode))
        for rule in ("keep", "drop"):
            counts = matching.pairs_by_stage(rule)
            if matching.is_aligned:
                assert sum(counts.values()) == matching.overlap(rule).n.sum()


def test_singletons_are_dropped_before_mentions_are_paired() -> None:
    """The singleton is nearer to the response mention, but it does not count."""
    key = corpus_of(corefud("1:(a--1-(b--1- 2:b) 3:a) 4:(a--1-)"))
    response = corpus_of(corefud("1:(c--1- 2:c) 3 4:(c--1-)"))
    matching = match_corpora(key, response, MatchingOptions(match="head"))
    assert matching.pairs_by_stage("keep") == {"equal": 2}
    assert matching.pairs_by_stage("drop") == {"equal": 1, "head": 1}
    assert matching.overlap("drop").n.tolist() == [2]


def test_zeros_can_be_left_out() -> None:
    text = corefud("1:(a--1-) 1.1:(a--1-):1:nsubj 2:(a--1-)")
    matching = match_corpora(corpus_of(text), corpus_of(text), MatchingOptions(zeros="drop"))
    assert matching.overlap("keep").n.tolist() == [2]


def test_the_same_words_among_other_empty_nodes() -> None:
    """The response has an empty node more: the words after it have other token numbers."""
    key = corpus_of(corefud("1 2:(a--1- 3:a)", "1:(a--1-)"))
    response = corpus_of(corefud("1 1.1::1:nsubj 2:(b--1- 3:b)", "1:(b--1-)"))
    matching = match_corpora(key, response, MatchingOptions())
    assert matching.overlap("keep").n.tolist() == [2]


def test_an_empty_node_inside_a_mention_is_a_word_of_it() -> None:
    key = corpus_of(corefud("1:(a--1- 1.1::2:obj 2:a)"))
    response = corpus_of(corefud("1:(a--1- 2:a)"))
    other_place = corpus_of(corefud("0.1::2:obj 1:(a--1- 2:a)"))
    assert matching_mentions(key, response) == 0
    assert matching_mentions(key, key) == 1
    assert matching_mentions(response, other_place) == 1


def test_a_gap_that_only_one_side_can_have() -> None:
    """The key leaves an empty node out that the response does not have: the words are the same."""
    key = corpus_of(corefud("1:(a[1/2]--1-) 1.1::2:obj 2:(a[2/2]--1-)"))
    response = corpus_of(corefud("1:(a--1- 2:a)"))
    assert len(key.mention_parts) == 1
    assert matching_mentions(key, response) == 1


def test_words_of_a_gap_are_not_words_of_the_mention() -> None:
    key = corpus_of(corefud("1:(a[1/2]--1-) 2 3:(a[2/2]--1-)"))
    whole = corpus_of(corefud("1:(a--1- 2 3:a)"))
    assert matching_mentions(key, whole) == 0
    assert matching_mentions(key, key) == 1


def matching_mentions(key: Corpus, response: Corpus) -> int:
    return int(match_corpora(key, response, MatchingOptions()).overlap("keep").n.sum())
