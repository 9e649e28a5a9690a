from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given

from corefscope.language.trees import Tree, UnreadableTree, read_brackets, read_tree
from language.slow_trees import Shape, columns, shape_of, shapes, slow, slow_nodes

BITS = ["(TOP(S(NP*", "*)", "(VP*", "(NP*))", "*))"]
TAGS = ["DT", "NN", "VBD", "PRP", "."]
DEPTH = 10_000


def tree_of(bits: Sequence[str], tags: Sequence[str], first: int) -> Tree:
    return read_tree(read_brackets(bits, first), tags, first)


def test_brackets_around_the_star() -> None:
    assert shape_of(tree_of(BITS, TAGS, 0)) == (
        "TOP",
        [("S", [("NP", ["DT", "NN"]), ("VP", ["VBD", ("NP", ["PRP"])]), "."])],
    )


def test_token_numbers_and_inclusive_ends() -> None:
    tree = tree_of(BITS, TAGS, 10)
    assert list(zip(tree.labels, tree.starts, tree.ends, strict=True))[:5] == [
        ("TOP", 10, 14),
        ("S", 10, 14),
        ("NP", 10, 11),
        ("DT", 10, 10),
        ("NN", 11, 11),
    ]


def test_labels_are_kept_as_they_stand() -> None:
    tree = tree_of(["(TOP(NP-SBJ=2(*))", "(-X-*))"], ["NN", "-LRB-"], 0)
    assert tree.labels == ["TOP", "NP-SBJ=2", "", "NN", "-X-", "-LRB-"]


@pytest.mark.parametrize(
    ("label", "category"),
    [("NP", "NP"), ("NP-SBJ-1", "NP"), ("NP=2", "NP"), ("-LRB-", "-LRB-"), ("", "")],
)
def test_category_is_label_without_function_tags(label: str, category: str) -> None:
    assert Tree(labels=[label], starts=[0], ends=[0], after=[1]).category(0) == category


@given(shapes())
def test_any_tree_is_read_as_it_was_written(shape: Shape) -> None:
    bits, tags = columns(shape)
    assert shape_of(tree_of(bits, tags, 7)) == shape


@given(shapes())
def test_nodes_in_preorder(shape: Shape) -> None:
    tree = tree_of(*columns(shape), 0)
    expected = slow_nodes(slow(shape))
    assert list(zip(tree.labels, tree.starts, tree.ends, strict=True)) == [
        (n.label, n.start, n.end) for n in expected
    ]


@pytest.mark.parametrize(
    ("bits", "token", "reason"),
    [
        (["(TOP*", "-"], 1, "the parse bit '-' is not a * with brackets around it"),
        (["(TOP*", "_)"], 1, "the parse bit '_)' is not a * with brackets around it"),
        (
            ["(TOP(NP the)", "*)"],
            0,
            "the parse bit '(TOP(NP the)' is not a * with brackets around it",
        ),
        (["TOP*", "*)"], 0, "the parse bit 'TOP*' is not a * with brackets around it"),
        (["(TOP(NP*", ")(VP*))"], 1, "the parse bit ')(VP*))' is not a * with brackets around it"),
        (["(TOP*)*", "*)"], 0, "the parse bit '(TOP*)*' is not a * with brackets around it"),
        (["(TOP*)(NP", "*)"], 0, "the parse bit '(TOP*)(NP' is not a * with brackets around it"),
        (["(TOP(NP*)", "*))"], 1, "a bracket is closed but was never opened"),
        (["(TOP(NP*", "*)"], 0, "the bracket (TOP is not closed"),
        (["(TOP*", "(NP*)"], 0, "the bracket (TOP is not closed"),
        (["(TOP*)", "(TOP*)"], 1, "the token is outside the tree"),
        (["(TOP*)", "*"], 1, "the token is outside the tree"),
        (["*", "(TOP*)"], 0, "the token is outside the tree"),
        ([], 0, "the sentence is empty"),
    ],
)
def test_invalid_trees(bits: list[str], token: int, reason: str) -> None:
    with pytest.raises(UnreadableTree) as refusal:
        read_brackets(bits, 40)
    assert (refusal.value.token, refusal.value.reason) == (40 + token, reason)
    assert str(refusal.value) == f"token {40 + token}: {reason}"


def test_a_tree_may_be_deeper_than_the_stack() -> None:
    right = ["(X*"] * (DEPTH - 1) + ["(X*" + ")" * DEPTH]
    left = ["(X" * DEPTH + "*)"] + ["*)"] * (DEPTH - 1)
    for bits in (right, left, ["(X" * DEPTH + "*" + ")" * DEPTH]):
        tree = tree_of(bits, ["NN"] * len(bits), 0)
        assert len(tree.labels) == len(bits) + DEPTH
        assert tree.ends[tree.widest(0, 0)] == 0
        assert tree.span(0) == (0, len(bits) - 1)
