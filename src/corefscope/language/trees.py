"""Read phrase structure trees from the parse bits of CoNLL-2012.

No function is recursive, because a tree can be deeper than Python's stack.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Literal, TypeAlias

from msgspec import Struct

from corefscope.corpus.mentions import Span


class TreeProblem(Struct, frozen=True):
    """A place where a layer cannot be read, so that a caller can report it."""

    layer: Literal["parse", "names"]
    token: int
    """The token of the document, from 0."""
    reason: str


class UnreadableTree(ValueError):
    """The parse bits of a sentence are not one tree."""

    def __init__(self, token: int, reason: str) -> None:
        super().__init__(token, reason)
        self.token = token
        self.reason = reason

    def __str__(self) -> str:
        return f"token {self.token}: {self.reason}"


ParseBrackets: TypeAlias = Sequence[tuple[Sequence[str], int]]
"""The labels that each token of a sentence opens, and how many brackets it closes."""


def read_brackets(bits: Sequence[str], first: int) -> ParseBrackets:
    """Read the parse bits of one sentence, whose tokens are counted from `first`.

    Raises
    ------
    UnreadableTree
        If the brackets do not balance, or form more than one tree. Two trees are not joined under
        an artificial root, because that would add constituents that nobody annotated.
    """
    brackets: list[tuple[Sequence[str], int]] = []
    depth = 0
    for token, bit in enumerate(bits, first):
        found = _brackets(bit)
        if found is None:
            raise UnreadableTree(token, f"the parse bit {bit!r} is not a * with brackets around it")
        is_outside = depth == 0 and bool(brackets)
        depth += len(found[0])
        if is_outside or not depth:
            raise UnreadableTree(token, "the token is outside the tree")
        depth -= found[1]
        if depth < 0:
            raise UnreadableTree(token, "a bracket is closed but was never opened")
        brackets.append(found)
    if depth:
        raise _never_closed(brackets, first)
    if not brackets:
        raise UnreadableTree(first, "the sentence is empty")
    return brackets


def _never_closed(brackets: ParseBrackets, first: int) -> UnreadableTree:
    """Return what is wrong with brackets of which some are still open at the end."""
    waiting: list[tuple[str, int]] = []
    for token, (labels, closings) in enumerate(brackets, first):
        waiting += [(label, token) for label in labels]
        del waiting[len(waiting) - closings :]
    label, token = waiting[-1]
    return UnreadableTree(token, f"the bracket ({label} is not closed")


# A corpus has few different parse bits.
@lru_cache(maxsize=4096)
def _brackets(bit: str) -> tuple[Sequence[str], int] | None:
    """Return the labels that a bit opens before the star, and how many brackets it closes."""
    opened, star, closed = bit.partition("*")
    before, *labels = opened.split("(")
    if not star or before or ")" in opened or closed.strip(")"):
        return None
    return labels, len(closed)


class Tree(Struct, frozen=True, kw_only=True, dict=True):
    """The tree of a sentence in columns: one row per node, parents before children, left to right.

    A node is a phrase, or a token under its part-of-speech tag, and is known by its row. The root
    is row 0. To make an object of each node would take most of the time of reading trees.
    """

    labels: Sequence[str]
    starts: Sequence[int]
    """The first token of each node."""
    ends: Sequence[int]
    """The last token of each node."""
    after: Sequence[int]
    """The row after the last node below each node."""

    def span(self, node: int) -> Span:
        """Return the first and the last token of a node."""
        return self.starts[node], self.ends[node]

    def category(self, node: int) -> str:
        """Return the label without function tags: NP for NP-SBJ-1; -LRB- is unchanged."""
        label = self.labels[node]
        return label if label[:1] == "-" else label.split("-")[0].split("=")[0]

    def children(self, node: int) -> list[int]:
        """Return the children of a node; a token has none."""
        children, child, after = [], node + 1, self.after
        while child < after[node]:
            children.append(child)
            child = after[child]
        return children

    def smallest(self, span: Span) -> int:
        """Return the smallest constituent that covers a span; of several, the highest."""
        first, last = span
        node = top = 0
        while True:
            child = next(
                (
                    each
                    for each in self.children(node)
                    if self.starts[each] <= first and self.ends[each] >= last
                ),
                None,
            )
            if child is None:
                return top
            if self.span(child) != self.span(node):
                top = child
            node = child

    def widest(self, start: int, limit: int) -> int:
        """Return the highest node that starts at a token and ends at ``limit`` or before."""
        path = self._starting[start - self.starts[0]]
        return path[bisect_left(path, -limit, key=lambda node: -self.ends[node])]

    @cached_property
    def _starting(self) -> list[list[int]]:
        """The nodes that start at each token; they form a path down, so their ends decrease."""
        paths: list[list[int]] = [[] for _ in range(self.starts[0], self.ends[0] + 1)]
        for node, start in enumerate(self.starts):
            paths[start - self.starts[0]].append(node)
        return paths


def read_tree(brackets: ParseBrackets, tags: Sequence[str], first: int) -> Tree:
    """Make the tree of one sentence, whose tokens are counted from `first`."""
    labels: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    after: list[int] = []
    waiting: list[int] = []
    for token, ((opened, closings), tag) in enumerate(zip(brackets, tags, strict=True), first):
        row = len(labels)
        waiting.extend(range(row, row + len(opened)))
        labels += opened
        labels.append(tag)
        new = len(opened) + 1
        starts += [token] * new
        ends += [token] * new
        after += [row + new] * new
        for _ in range(closings):
            node = waiting.pop()
            ends[node], after[node] = token, row + new
    return Tree(labels=labels, starts=starts, ends=ends, after=after)
