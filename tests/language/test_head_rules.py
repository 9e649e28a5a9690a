"""The head rules one label at a time, their consequences, and their reference on random trees."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings

from corefscope.corpus.mentions import Span
from corefscope.language.english import ENGLISH
from corefscope.language.heads import head_tokens
from corefscope.language.tables import HeadRule, HeadRules, HeadSide
from corefscope.language.trees import read_brackets
from language.slow_trees import OTHER_LABELS, PRIORITIES, Shape, columns, shapes, slow, slow_nodes


def heads(shape: Shape) -> dict[Span, int]:
    bits, tags = columns(shape)
    return head_tokens(read_brackets(bits, 0), tags, 0, ENGLISH.head_rules)


def head(label: str, *children: Shape) -> int:
    """The head token of a phrase of these children."""
    found = heads((label, list(children)))
    return found[max(found, key=lambda span: span[1] - span[0])]


def a(label: str) -> Shape:
    """A child of this label whose head has a tag that no rule knows."""
    return (label, ["ZZ"])


LISTED = [(label, side, wanted) for label, (side, *wanted) in PRIORITIES.items()]


@pytest.mark.parametrize(("label", "side", "wanted"), LISTED)
def test_labels_are_tried_in_order(label: str, side: str, wanted: list[str]) -> None:
    for better, worse in pairwise(wanted):
        assert head(label, a(better), a(worse)) == 0
        assert head(label, a(worse), a(better)) == 1
        assert head(label, better, worse) == 0
        assert head(label, worse, better) == 1


@pytest.mark.parametrize(("label", "side", "wanted"), LISTED)
def test_first_of_similar_children_in_direction(label: str, side: str, wanted: list[str]) -> None:
    expected = 1 if side == "L" else 2
    for one in wanted:
        assert head(label, "ZZ", a(one), a(one), "ZZ") == expected


@pytest.mark.parametrize(("label", "side", "wanted"), LISTED)
def test_first_child_in_direction_without_match(label: str, side: str, wanted: list[str]) -> None:
    assert head(label, "ZZ", "ZZ", "ZZ") == (0 if side == "L" else 2)


@pytest.mark.parametrize("label", [*OTHER_LABELS, "", "np", "ZZZ"])
def test_labels_without_rule_take_last_child(label: str) -> None:
    assert head(label, "NN", a("NP"), "ZZ") == 2


def test_every_label_of_the_table_has_its_rule() -> None:
    assert ENGLISH.head_rules.by_label.keys() == {"NP", "NML", *PRIORITIES}


NOUN_STEPS = [
    ("R", "NN NNP NNPS NNS NX POS JJR"),
    ("L", "NP NML"),
    ("R", "$ ADJP PRN"),
    ("R", "CD"),
    ("R", "JJ JJS RB QP"),
]


@pytest.mark.parametrize("label", ["NP", "NML"])
def test_noun_phrases_try_groups_of_labels(label: str) -> None:
    for side, group in NOUN_STEPS:
        for one in group.split():
            for other in group.split():
                expected = 1 if side == "L" else 2
                assert head(label, "ZZ", a(one), a(other), "ZZ") == expected
    assert head(label, "ZZ", "DT", "ZZ") == 2


@pytest.mark.parametrize("label", ["NP", "NML"])
def test_groups_of_noun_phrases_in_order(label: str) -> None:
    for (_, better), (_, worse) in pairwise(NOUN_STEPS):
        for one in better.split():
            for other in worse.split():
                assert head(label, a(one), a(other)) == 0
                assert head(label, a(other), a(one)) == 1


def test_child_matches_by_tag_of_its_head() -> None:
    assert head("VP", ("S", ["TO", "VB"]), "VBD") == 0
    assert head("NP", ("FRAG", ["NN", "ZZ"]), ("NP", ["PRP"])) == 0


def test_the_last_conjunct_is_the_head() -> None:
    assert head("NP", ("NP", ["DT", "NN"]), "CC", ("NP", ["DT", "NN"])) == 4


def test_last_phrase_of_apposition_is_head() -> None:
    assert head("NP", ("NP", ["NNP"]), ",", ("NP", ["DT", "NN"])) == 3


def test_phrase_after_noun_phrase_is_not_head() -> None:
    assert head("NP", ("NP", ["DT", "NN"]), ("PP", ["IN", ("NP", ["NNP"])])) == 1


def test_the_first_of_two_pronouns_is_the_head() -> None:
    assert head("NP", ("NP", ["PRP"]), "CC", ("NP", ["PRP"])) == 0


def test_a_possessive_marker_is_the_head() -> None:
    assert head("NP", "NNP", "POS") == 1
    assert head("NP", ("NP", ["NNP", "POS"]), "NN") == 2


@given(shapes())
@settings(max_examples=300)
def test_heads_are_those_of_the_definition(shape: Shape) -> None:
    assert heads(shape) == {(n.start, n.end): n.head for n in slow_nodes(slow(shape))}


def test_a_tree_of_any_depth_has_heads_at_once() -> None:
    depth = 10_000
    bits = ["(NP*"] * (depth - 1) + ["(NP*" + ")" * depth]
    found = head_tokens(read_brackets(bits, 0), ["DT"] * depth, 0, ENGLISH.head_rules)
    assert found[0, depth - 1] == depth - 1


def test_rules_are_a_value_that_is_passed_in() -> None:
    first = HeadRules(
        {"NP": HeadRule.of_priorities(HeadSide.LEFTMOST, "ZZ")},
        otherwise=HeadRule({}, (HeadSide.LEFTMOST,)),
    )
    brackets = read_brackets(["(TOP(NP*", "*)", "*)"], 0)
    found = head_tokens(brackets, ["NN", "ZZ", "."], 0, first)
    assert found == {(0, 0): 0, (1, 1): 1, (2, 2): 2, (0, 1): 1, (0, 2): 1}
