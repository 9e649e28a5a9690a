"""Find the name that heads a mention: in dependencies, in constituents, or by scanning words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import Struct, field

from corefscope.corpus.mentions import Span
from corefscope.language import HeadScan, NominalRules, Text, Tree


class Name(NamedTuple):
    """A named entity of the text."""

    start: int
    end: int
    tag: str

    @property
    def span(self) -> Span:
        """First and last token."""
        return self.start, self.end

    def within(self, mention: Span) -> Name:
        """Return the part of the name that lies inside a mention."""
        return Name(max(self.start, mention[0]), min(self.end, mention[1]), self.tag)


ANY, NO_HEAD = -1, -2
"""Instead of a head token: any name of the mention may be its head, or none is."""


class HeadTest:
    """Decides whether a name is the head of a mention."""

    __slots__ = ()

    def head_of(self, mention: Span) -> int:
        """Return the token that a name must cover to head the mention, or one of the above."""
        raise NotImplementedError

    def heads(self, name: Name, mention: Span) -> bool:
        """Return whether a name that overlaps the mention is its head."""
        return name.start <= self.head_of(mention) <= name.end


class DependencyTest(HeadTest, Struct, frozen=True, eq=False, kw_only=True):
    """Finds heads in a dependency parse."""

    heads_of: Sequence[int]
    """The head token of each token; −1 for a root."""
    relations: Sequence[str] | None
    is_literal: bool
    """Whether heads are those of the paper, taken literally."""
    _depth: dict[int, int] = field(default_factory=dict)

    def head_of(self, mention: Span) -> int:
        """Return ``ANY``: this test looks at names, not at single tokens."""
        return ANY

    def heads(self, name: Name, mention: Span) -> bool:
        """Return whether a name is the head of a mention."""
        name = name.within(mention)
        if not self._is_top(name, mention):
            return False
        return self.is_literal or not self._is_joined(name, mention)

    def _is_top(self, name: Name, mention: Span) -> bool:
        if not self.is_literal:
            return name.start <= self.root(mention) <= name.end
        return not any(
            mention[0] <= ancestor <= mention[1] and not name.start <= ancestor <= name.end
            for token in range(name.start, name.end + 1)
            for ancestor in self._ancestors(token)
        )

    def root(self, mention: Span) -> int:
        """Return the token with the fewest ancestors; the leftmost one if there are several."""
        return min(range(mention[0], mention[1] + 1), key=lambda token: (self._deep(token), token))

    def _ancestors(self, token: int) -> Iterable[int]:
        path: dict[int, None] = {}
        while (token := self.heads_of[token]) >= 0 and token not in path:
            path[token] = None
        return path

    def _deep(self, token: int) -> int:
        """Return the number of ancestors of a token; each token is visited only once."""
        first, path = token, dict[int, None]()
        while token >= 0 and token not in self._depth and token not in path:
            path[token] = None
            token = self.heads_of[token]
        up = list(path)
        if token in path:
            # The tokens of a cycle are each other's ancestors.
            cycle = up[up.index(token) :]
            self._depth.update(dict.fromkeys(cycle, len(cycle)))
            up = up[: up.index(token)]
        above = self._depth[token] + 1 if token >= 0 else 0
        self._depth.update((each, above + below) for below, each in enumerate(reversed(up)))
        return self._depth[first]

    def _is_joined(self, name: Name, mention: Span) -> bool:
        """Return whether another word of the mention is coordinated with the name."""
        if self.relations is None:
            return False
        return any(
            self.relations[token] == "conj"
            and not name.start <= token <= name.end
            and name.start <= self.heads_of[token] <= name.end
            for token in range(mention[0], mention[1] + 1)
        )


class TokenTest(HeadTest, Struct, frozen=True, eq=False, kw_only=True):
    """Finds the head token of a mention, once per mention."""

    is_literal: bool
    """Whether coordinations are headed by one of their parts."""
    known: dict[Span, int] = field(default_factory=dict)
    """The heads that were found so far."""

    def head_of(self, mention: Span) -> int:
        """Return the head token of a mention; coordinated phrases may have none."""
        if mention not in self.known:
            self.known[mention] = self._head(mention)
        return self.known[mention]

    def _head(self, mention: Span) -> int:
        raise NotImplementedError


class ScanTest(TokenTest, frozen=True, eq=False, kw_only=True):
    """Finds heads by scanning tags or words."""

    scan: HeadScan

    def _head(self, mention: Span) -> int:
        found = self.scan.head(*mention)
        return NO_HEAD if found.coordination and not self.is_literal else found.first


class ConstituentTest(TokenTest, frozen=True, eq=False, kw_only=True):
    """Finds heads in constituents: Collins's rules, where a conjunction heads what it joins."""

    text: Text
    rules: NominalRules

    def _head(self, mention: Span) -> int:
        tree = self.text.tree(self.text.sentence_of(mention[0]))
        if tree is None or mention[1] > tree.ends[0]:
            return mention[1]
        (first, last), node = mention, tree.smallest(mention)
        while children := tree.children(node):
            inside = [c for c in children if tree.ends[c] >= first and tree.starts[c] <= last]
            node = inside[self._head_child(tree, node, inside)]
        return tree.starts[node]

    def _head_child(self, tree: Tree, node: int, children: Sequence[int]) -> int:
        labels = list(map(tree.category, children))
        category = tree.category(node)
        if category in self.rules.nominal:
            joined = None if self.is_literal else self.rules.conjunction_between(labels)
            if joined is not None:
                return joined
        return self.rules.head_child(category, labels)
