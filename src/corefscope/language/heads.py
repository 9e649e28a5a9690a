"""The head token of a phrase: by rules over its tree, or, without one, by a scan of its words."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from corefscope.language.tables import HeadRule, HeadRules, ScanRules, Side
from corefscope.language.trees import Span, Tree


def head_tokens(tree: Tree, rules: HeadRules) -> dict[Span, int]:
    """Return the head token of each constituent, found bottom-up, each once.

    A span is enough to name a constituent: under any rules an only child heads its parent, so
    all nodes of a span have one head.
    """
    tags: dict[int, str] = {}
    heads: dict[Span, int] = {}
    for node in reversed(tree.nodes):
        children = node.children
        if not children:
            tags[node.start] = node.label
            heads[node.start, node.end] = node.start
        elif len(children) > 1:
            below = [heads[child.start, child.end] for child in children]
            seen = [(child.label, tags[head]) for child, head in zip(children, below, strict=True)]
            rule = rules.by_label.get(node.label, rules.otherwise)
            heads[node.start, node.end] = below[head_child(seen, rule)]
    return heads


def head_child(children: Sequence[tuple[str, str]], rule: HeadRule) -> int:
    """Return which child is the head, given the label and the tag of the head of each.

    A child matches a label of the rule by its own label or by the tag of its head token
    (Kummerfeld and Klein's rules; in Collins's only the label counts).
    """
    rank, no_match = rule.ranks.get, len(rule.sides) - 1
    ranks = [min(rank(label, no_match), rank(tag, no_match)) for label, tag in children]
    best = min(ranks)
    if rule.sides[best] is Side.LEFTMOST:
        return ranks.index(best)
    return len(ranks) - 1 - ranks[::-1].index(best)


@dataclass(frozen=True, slots=True)
class ScannedHead:
    """The head token that a scan found."""

    token: int
    coordination: bool = False
    """Whether phrases are coordinated; the token is the head of the last of them."""
    first: int = -1
    """The head of the first of coordinated phrases; the token, if there is one phrase."""


@dataclass(frozen=True, slots=True)
class HeadScan:
    """The search for heads in a text without a parse.

    The head is the last word before the first thing that cannot precede a head, such as a comma
    or a preposition. What stands at the very beginning of a phrase does not end it, nor does a
    participle that follows modifiers only ("the growing economy").
    """

    rules: ScanRules
    words: Sequence[str]
    tags: Sequence[str] | None = None
    joined: Container[int] = frozenset()
    """Tokens strictly inside a name: what they join is not taken apart ("Bank of America")."""

    def head(self, start: int, end: int) -> ScannedHead:
        """Return the head token of a span."""
        end = self._without_tail(start, end)
        head: int | None = None
        best, first, coordination = end, -1, False
        for token in range(start, end + 1):
            if head is not None and self._is_boundary(token, head):
                if not self.rules.conjunction.tell(self.words[token], self._tag(token)):
                    break
                first = first if coordination else best
                head, coordination = None, True
            elif self._is_possessive(token) and token > start:
                head = None
            elif self.words[token] not in self.rules.punctuation:
                head = best = token
        return ScannedHead(best, coordination, first if coordination else best)

    def _without_tail(self, start: int, end: int) -> int:
        """Leave out the possessive marker and the punctuation at the end of a span."""
        punctuation, last = self.rules.punctuation, end
        while last > start and (self._is_possessive(last) or self.words[last] in punctuation):
            last -= 1
        return last

    def _is_boundary(self, token: int, head: int) -> bool:
        if token in self.joined:
            return False
        word, tag = self.words[token], self._tag(token)
        if self.rules.participle.tell(word, tag):
            return not self.rules.modifier.tell(self.words[head], self._tag(head))
        return word in self.rules.breaks or self.rules.boundary.tell(word, tag)

    def _is_possessive(self, token: int) -> bool:
        return self.rules.possessive.tell(self.words[token], self._tag(token))

    def _tag(self, token: int) -> str | None:
        return None if self.tags is None else self.tags[token]
