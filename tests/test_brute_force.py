"""The brute-force metrics give the figures of the papers and of a few hand-computed cases."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F

import pytest

from brute_force import (
    METRICS,
    Entities,
    Ratios,
    Score,
    b3,
    blanc,
    blanc_score,
    ceafe,
    ceafm,
    conll,
    first_copies,
    lea,
    mentions,
    muc,
    without_singletons,
)


def partition(text: str) -> list[list[str]]:
    """`"ab c"` is the entity of a and b and the entity of c."""
    return [list(entity) for entity in text.split()]


KEY, RESPONSE = partition("abc defg"), partition("ab cd fghi")


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        (mentions, Ratios(F(6), F(7), F(6), F(8))),
        (muc, Ratios(F(2), F(5), F(2), F(5))),
        (b3, Ratios(F(35, 12), F(7), F(4), F(8))),
        (ceafm, Ratios(F(4), F(7), F(4), F(8))),
        (ceafe, Ratios(F(13, 10), F(2), F(13, 10), F(3))),
        (lea, Ratios(F(5, 3), F(7), F(8, 3), F(8))),
    ],
)
def test_worked_example(metric: Callable[[Entities, Entities], Ratios], expected: Ratios) -> None:
    """Pradhan et al. 2014, section 4; LEA by its definition."""
    assert metric(KEY, RESPONSE) == expected


def test_blanc_of_worked_example() -> None:
    """Pradhan et al. 2014, section 4.4."""
    coreference, non_coreference = blanc(KEY, RESPONSE)
    assert coreference == Ratios(F(2), F(9), F(2), F(8))
    assert non_coreference == Ratios(F(8), F(12), F(8), F(20))
    assert METRICS["blanc"]([(KEY, RESPONSE)]) == Score(F(4, 9), F(13, 40), F(25, 68))


def test_conll() -> None:
    assert conll([(KEY, RESPONSE)]) == (F(2, 5) + F(5, 11) + F(13, 25)) / 3


def test_lea_of_singletons() -> None:
    assert lea(partition("a bc"), partition("ax bc")) == Ratios(F(2), F(3), F(2), F(4))
    assert lea(partition("a bc"), partition("a bc")) == Ratios(F(3), F(3), F(3), F(3))


@pytest.mark.parametrize(
    ("key", "response", "f1"),
    [
        ("a b c d", "ab cd", F(4, 5)),
        ("abcd", "ab cd", F(1, 2)),
        ("ab", "ab c d", F(1)),
        ("a", "a", F(0)),
        ("", "", F(0)),
        ("", "ab", F(0)),
    ],
)
def test_blanc_kinds_of_link(key: str, response: str, f1: F) -> None:
    """Specification 1, A.4, with the figures of its table D.2."""
    assert METRICS["blanc"]([(partition(key), partition(response))]).f1 == f1


def test_blanc_of_two_documents() -> None:
    """The first key has no coreference link and the second no other: the mean is of both kinds."""
    pairs = [blanc(partition("a b"), partition("a b")), blanc(partition("ab"), partition("a b"))]
    assert blanc_score(pairs) == Score(F(1, 2), F(1, 4), F(1, 3))


def test_documents_are_summed() -> None:
    corpus = [(KEY, RESPONSE), (partition("ab"), partition("ab"))]
    assert METRICS["muc"](corpus) == Score(F(1, 2), F(1, 2), F(1, 2))


def test_empty_side() -> None:
    nothing = Score(F(0), F(0), F(0))
    for metric in METRICS.values():
        assert metric([(KEY, [])]) == metric([([], RESPONSE)]) == metric([([], [])]) == nothing


def test_first_copies() -> None:
    assert first_copies(["aab", "bc", "a", "d"]) == [["a", "b"], ["c"], ["d"]]


def test_without_singletons() -> None:
    assert without_singletons(["ab", "c", "def"]) == [["a", "b"], ["d", "e", "f"]]
