"""The words of a copy are aligned with those of its source, against brute force."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefscope.transfer import words as module
from corefscope.transfer.words import align, longest_common

SOME_WORDS = st.lists(st.sampled_from("abcd"), max_size=14)


def longest(source: list[str], copy: list[str]) -> int:
    """The length of a longest common subsequence, by the usual table."""
    row = [0] * (len(copy) + 1)
    for word in source:
        before = row[:]
        for place, other in enumerate(copy, start=1):
            row[place] = (
                before[place - 1] + 1 if word == other else max(before[place], row[place - 1])
            )
    return row[-1]


def checked(source: list[str], copy: list[str]) -> list[int]:
    """Align, and check that words are equal and in order."""
    match = align(source, copy)
    assert len(match) == len(copy)
    found = [(place, at) for place, at in enumerate(match) if at >= 0]
    assert all(source[at] == copy[place] for place, at in found)
    assert all(one < other for (_, one), (_, other) in pairwise(found))
    return match


@given(SOME_WORDS, SOME_WORDS)
def test_small_texts_are_aligned_as_well_as_possible(source: list[str], copy: list[str]) -> None:
    assert sum(at >= 0 for at in checked(source, copy)) == longest(source, copy)


@given(SOME_WORDS, SOME_WORDS)
def test_longest_common_subsequence(one: list[str], other: list[str]) -> None:
    numbers = [[ord(word) for word in words] for words in (one, other)]
    pairs = longest_common(*numbers)
    assert len(pairs) == longest(one, other)
    assert all(one[a] == other[b] for a, b in pairs)
    assert all(a > c and b > d for (a, b), (c, d) in pairwise(pairs))


@given(st.lists(st.sampled_from("abcdefgh"), max_size=60), st.randoms(use_true_random=False))
def test_large_gaps_give_valid_alignments(source: list[str], choice: random.Random) -> None:
    copy = [word for word in source if choice.random() > 0.2]
    copy.insert(choice.randrange(len(copy) + 1), "new")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SMALL", 9)
        patch.setattr(module, "LARGEST", 400)
        checked(source, copy)


def test_equal_texts() -> None:
    words = ["the", "cat", "saw", "the", "cat"]
    assert align(words, words) == [0, 1, 2, 3, 4]
    assert align(words, []) == [] and align([], words) == [-1] * 5


def aligned(source: str, copy: str) -> list[int]:
    return align(source.split(), copy.split())


def test_the_last_full_stop_of_a_remark_does_not_take_that_of_the_text() -> None:
    after = aligned("Ida slept .", "Ida slept . I hope this helps .")
    assert after == [0, 1, 2, -1, -1, -1, -1, -1]
    assert aligned("Ida slept .", "Sure . Here it is . Ida slept .")[-3:] == [0, 1, 2]


def test_a_word_of_the_copy_moves_to_its_neighbour() -> None:
    assert aligned("a b x y b", "a b") == [0, 1]


def novel(size: int, choice: random.Random) -> list[str]:
    """Words as frequent as in a novel."""
    words = [f"w{number}" for number in range(8000)]
    return choice.choices(words, [1 / (number + 2) for number in range(8000)], k=size)


def test_a_novel_with_changes() -> None:
    choice = random.Random(5)
    source = novel(20_000, choice)
    copy, truth = [], []
    for place, word in enumerate(source):
        if choice.random() < 0.02:
            continue
        if choice.random() < 0.03:
            copy.append("changed")
            truth.append(-1)
        copy.append(word)
        truth.append(place)
    match = checked(source, copy)
    right = sum(one == other for one, other in zip(match, truth, strict=True))
    assert right / len(truth) > 0.999


@pytest.mark.parametrize("kind", ["other", "shuffled", "loop", "three words"])
def test_hostile_texts(kind: str) -> None:
    choice = random.Random(7)
    source = novel(8000, choice)
    copies = {
        "other": novel(8000, random.Random(8)),
        "shuffled": choice.sample(source, len(source)),
        "loop": source[:20] * 400,
        "three words": choice.choices("abc", k=8000),
    }
    checked(source, copies[kind])
