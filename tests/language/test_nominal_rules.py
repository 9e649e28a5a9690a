"""Head rules by the labels of children, and the smallest constituent over a span."""

from __future__ import annotations

import pytest

from corefscope.language import Tree
from corefscope.language.english import ENGLISH
from corefscope.language.trees import read_brackets, read_tree

RULES = ENGLISH.nominal_rules


def head(label: str, children: str) -> int:
    return RULES.head_child(label, children.split())


@pytest.mark.parametrize("label", ["NP", "NML", "NX", "WHNP", "QP", "FRAG", "TOP"])
@pytest.mark.parametrize(
    ("children", "expected"),
    [
        ("DT NN NN", 2),
        ("NNP POS", 0),
        ("NNP CD", 0),
        ("NX NNP NP", 1),
        ("JJR NP", 0),
        ("NP PP NP", 0),
        ("DT NP WHNP", 1),
        ("NML NP", 1),
        ("DT NML NML", 1),
        ("CD $ ADJP PRN", 3),
        ("CD $", 1),
        ("JJ CD CD JJ", 2),
        ("JJ JJS RB QP DT", 3),
        ("DT PRP", 1),
        ("PRP DT", 1),
        ("VBG", 0),
    ],
)
def test_nominal_nodes(label: str, children: str, expected: int) -> None:
    """Nouns, then phrases, then what is left; a possessive is no head."""
    assert head(label, children) == expected


@pytest.mark.parametrize("label", ["S", "SBAR", "VP"])
@pytest.mark.parametrize(
    ("children", "expected"),
    [
        ("NP VP", 1),
        ("VBD S VP VP", 2),
        ("VBN S", 1),
        ("MD VBZ VBD", 2),
        ("VBZ MD VBN", 2),
        ("VBG VB", 1),
        ("NP VBP", 1),
        ("ADVP NP NP", 1),
        ("IN ADJP", 1),
    ],
)
def test_clauses_take_the_first_label(label: str, children: str, expected: int) -> None:
    assert head(label, children) == expected


@pytest.mark.parametrize(("label", "expected"), [("PP", 0), ("ADJP", 2), ("UCP", 2), ("", 2)])
def test_other_nodes(label: str, expected: int) -> None:
    """A phrase with a preposition takes its first child, any other its last."""
    assert head(label, "IN NP VP") == expected


@pytest.mark.parametrize(
    ("children", "expected"),
    [
        ("NP CC NP", 1),
        ("NNP , NNP CC NNP", 3),
        ("NN CC NN CC NN", 1),
        ("PRP CC NML", 1),
        ("CC NNP", None),
        ("NNP CC", None),
        ("CC NNP NNP CC", None),
        ("JJ CC JJ NN", None),
        ("NP , NP", None),
        ("NP CC VP", None),
        ("", None),
    ],
)
def test_conjunction_joins_two_nominal_children(children: str, expected: int | None) -> None:
    assert RULES.conjunction_between(children.split()) == expected


def tree(bits: str, tags: str) -> Tree:
    return read_tree(read_brackets(bits.split(), 0), tags.split(), 0)


def test_smallest_covering_constituent() -> None:
    """Of several over the same words it is the highest."""
    whole = tree("(TOP(S(NP(NP* *) (PP* (NP*))) (VP*)))", "DT NN IN NNP VBD")
    found = {
        span: whole.labels[whole.smallest(span)]
        for span in [(0, 4), (0, 3), (0, 2), (0, 1), (1, 1), (3, 3), (2, 3), (1, 3), (3, 4), (4, 4)]
    }
    assert found == {
        (0, 4): "TOP",
        (0, 3): "NP",
        (0, 2): "NP",
        (0, 1): "NP",
        (1, 1): "NN",
        (3, 3): "NP",
        (2, 3): "PP",
        (1, 3): "NP",
        (3, 4): "TOP",
        (4, 4): "VP",
    }
    assert whole.span(whole.smallest((0, 2))) == (0, 3)
    assert whole.span(whole.smallest((0, 1))) == (0, 1)
