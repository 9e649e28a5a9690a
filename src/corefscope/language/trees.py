"""Read phrase structure trees from the parse bits of CoNLL-2012.

No function is recursive, because a tree can be deeper than Python's stack.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import cached_property, lru_cache
from typing import Literal, TypeAlias

from corefscope.records import dataclass

Span: TypeAlias = tuple[int, int]
"""The first and the last token, counted in the document, both inclusive."""


@dataclass(frozen=True, slots=True)
class Problem:
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


# Nodes are compared by identity, because comparing by value would be recursive. They are not
# frozen, because that would double the time to read a tree.
@dataclass(slots=True, eq=False, kw_only=True)
class Node:
    """A phrase, or, without children, a token under its part-of-speech tag."""

    label: str
    start: int
    end: int
    children: tuple[Node, ...] = field(default=(), repr=False)

    @property
    def span(self) -> Span:
        """The first and the last token."""
        return self.start, self.end

    @property
    def category(self) -> str:
        """The label without function tags and indices: NP for NP-SBJ-1; -LRB- is unchanged."""
        return self.label if self.label[:1] == "-" else self.label.split("-")[0].split("=")[0]


def walk(root: Node) -> Iterator[Node]:
    """Yield all nodes, parents before children, left to right."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node.children))


Brackets: TypeAlias = Sequence[tuple[Sequence[str], int]]
"""The labels that each token of a sentence opens, and how many brackets it closes."""


def read_brackets(bits: Sequence[str], first: int) -> Brackets:
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


def _never_closed(brackets: Brackets, first: int) -> UnreadableTree:
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


def read_tree(brackets: Brackets, tags: Sequence[str], first: int) -> Node:
    """Make the nodes of the tree of one sentence, whose tokens are counted from `first`."""
    root: list[Node] = []
    stack: list[tuple[str, int, list[Node]]] = [("", first, root)]
    for token, ((labels, closings), tag) in enumerate(zip(brackets, tags, strict=True), first):
        stack.extend([(label, token, []) for label in labels])
        stack[-1][2].append(Node(label=tag, start=token, end=token))
        for _ in range(closings):
            label, start, children = stack.pop()
            node = Node(label=label, start=start, end=token, children=tuple(children))
            stack[-1][2].append(node)
    return root[0]


@dataclass(frozen=True)
class Tree:
    """The tree of a sentence with its nodes; each index is built when first used."""

    root: Node

    @cached_property
    def nodes(self) -> list[Node]:
        """All nodes, parents before children, left to right."""
        return list(walk(self.root))

    def widest(self, start: int, limit: int) -> Node:
        """Return the highest node that starts at a token and ends at ``limit`` or before."""
        path = self._starting[start - self.root.start]
        return path[bisect_left(path, -limit, key=lambda node: -node.end)]

    @cached_property
    def _starting(self) -> list[list[Node]]:
        """The nodes that start at each token; they form a path down, so their ends decrease."""
        paths: list[list[Node]] = [[] for _ in range(self.root.start, self.root.end + 1)]
        for node in self.nodes:
            paths[node.start - self.root.start].append(node)
        return paths
