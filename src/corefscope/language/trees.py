"""Read phrase structure trees from the parse bits of CoNLL-2012.

No function is recursive, because a tree can be deeper than Python's stack.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
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


def read_tree(bits: Sequence[str], tags: Sequence[str], first: int) -> Node:
    """Read the tree of one sentence, whose tokens are counted from `first`; keep labels verbatim.

    Raises
    ------
    UnreadableTree
        If the brackets do not balance, or form more than one tree. Two trees are not joined under
        an artificial root, because that would add constituents that nobody annotated.
    """
    roots: list[Node] = []
    stack: list[_Open] = []
    for token, (bit, tag) in enumerate(zip(bits, tags, strict=True), first):
        brackets = _brackets(bit)
        if brackets is None:
            raise UnreadableTree(token, f"the parse bit {bit!r} is not a * with brackets around it")
        labels, closings = brackets
        for label in labels:
            stack.append((label, token, []))
        if not stack or roots:
            raise UnreadableTree(token, "the token is outside the tree")
        stack[-1][2].append(Node(label=tag, start=token, end=token))
        for _ in range(closings):
            _close(stack, roots, token)
    if stack:
        raise UnreadableTree(stack[-1][1], f"the bracket ({stack[-1][0]} is not closed")
    if not roots:
        raise UnreadableTree(first, "the sentence is empty")
    return roots[0]


_Open: TypeAlias = tuple[str, int, list[Node]]
"""An open bracket: its label, its first token, and its children so far."""


def _close(stack: list[_Open], roots: list[Node], token: int) -> None:
    if not stack:
        raise UnreadableTree(token, "a bracket is closed but was never opened")
    label, start, children = stack.pop()
    siblings = stack[-1][2] if stack else roots
    siblings.append(Node(label=label, start=start, end=token, children=tuple(children)))


# A corpus has few different parse bits.
@lru_cache(maxsize=4096)
def _brackets(bit: str) -> tuple[list[str], int] | None:
    """Return the labels that a bit opens before the star, and how many brackets it closes."""
    opened, star, closed = bit.partition("*")
    before, *labels = opened.split("(")
    if not star or before or ")" in opened or closed.strip(")"):
        return None
    return labels, len(closed)


@dataclass(frozen=True)
class Tree:
    """The tree of a sentence with its nodes by span; each index is built when first used."""

    root: Node

    @cached_property
    def nodes(self) -> list[Node]:
        """All nodes, parents before children, left to right."""
        return list(walk(self.root))

    @cached_property
    def deepest(self) -> dict[Span, Node]:
        """The lowest node of each span, the last in a chain of only children."""
        return _by_span(self.nodes)

    @cached_property
    def highest(self) -> dict[Span, Node]:
        """The highest node of each span, the first in a chain of only children."""
        return _by_span(reversed(self.nodes))

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


def _by_span(nodes: Iterable[Node]) -> dict[Span, Node]:
    return {node.span: node for node in nodes}
