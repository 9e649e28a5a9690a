from __future__ import annotations

import pytest

from corefscope.corpus.mentions import Span
from corefscope.language import read_names
from corefscope.language.trees import TreeProblem


def types(column: str) -> dict[Span, str]:
    names = read_names(column.split())
    assert names.problems == []
    return names.types


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ("(GPE) * -", {(0, 0): "GPE"}),
        ("(GPE*) * _", {(0, 0): "GPE"}),
        ("* (PERSON* * *) *", {(1, 3): "PERSON"}),
        ("(PERSON - )", {(0, 2): "PERSON"}),
        ("(ORG(GPE) * *)", {(0, 2): "ORG", (0, 0): "GPE"}),
        ("(ORG(GPE*) *)", {(0, 1): "ORG", (0, 0): "GPE"}),
        ("(ORG* * (GPE*))", {(0, 2): "ORG", (2, 2): "GPE"}),
        ("(ORG*|(GPE*) *)", {(0, 1): "ORG", (0, 0): "GPE"}),
        ("(DATE) (WORK_OF_ART* *)(GPE)", {(0, 0): "DATE", (1, 2): "WORK_OF_ART", (2, 2): "GPE"}),
        ("* - _", {}),
    ],
)
def test_brackets_make_names(column: str, expected: dict[Span, str]) -> None:
    assert types(column) == expected


def test_an_empty_cell_says_nothing() -> None:
    assert read_names(["", "(GPE)"]).types == {(1, 1): "GPE"}


def test_outer_of_two_names_of_one_span() -> None:
    assert types("(ORG(GPE* *))") == {(0, 1): "ORG"}


@pytest.mark.parametrize(
    ("column", "expected", "token", "reason"),
    [
        ("* *) (GPE)", {(2, 2): "GPE"}, 1, "a name is closed but was never opened"),
        ("(ORG* (GPE)", {(1, 1): "GPE"}, 0, "the name (ORG is not closed in its sentence"),
        ("((ORG* *))", {(0, 1): "ORG"}, 0, "the name has no type"),
        ("B-PER (GPE)", {(1, 1): "GPE"}, 0, "'B-PER' is not a bracket with a type"),
    ],
)
def test_unbalanced_names(column: str, expected: dict[Span, str], token: int, reason: str) -> None:
    names = read_names(column.split())
    assert names.types == expected
    assert names.problems == [TreeProblem("names", token, reason)]


def test_name_ends_with_its_sentence() -> None:
    names = read_names(["(ORG*", "*", "*", "*)"], [range(2), range(2, 4)])
    assert names.types == {}
    assert [problem.token for problem in names.problems] == [0, 3]
