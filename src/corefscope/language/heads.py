"""Find the head token of a phrase: by rules over its tree, or, without one, by a word scan."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct, field

from corefscope.corpus.mentions import Span
from corefscope.language.tables import HeadRule, HeadRules, HeadSide, ScanRules
from corefscope.language.trees import ParseBrackets

MOST_SHAPES = 50_000
"""How many phrases are remembered."""


def head_tokens(
    brackets: ParseBrackets, tags: Sequence[str], first: int, rules: HeadRules
) -> dict[Span, int]:
    """Return the head token of each constituent of a sentence, by span.

    Spans identify constituents well enough: an only child is always the head of its parent, so all
    nodes with the same span have the same head. The tokens are counted from ``first``.
    """
    heads: dict[Span, int] = {}
    known = rules.known
    if len(known) > MOST_SHAPES:
        known.clear()
    # Each open bracket with its label, its first token, and for each of its children the label, the
    # tag of its head, and its head. The tree itself is not needed.
    stack: list[tuple[str, int, list[tuple[str, str]], list[int]]] = [("", first, [], [])]
    for token, ((labels, closings), tag) in enumerate(zip(brackets, tags, strict=True), first):
        for label in labels:
            stack.append((label, token, [], []))
        heads[token, token] = token
        stack[-1][2].append((tag, tag))
        stack[-1][3].append(token)
        for _ in range(closings):
            label, start, seen, below = stack.pop()
            head = below[0]
            if len(below) > 1:
                shape = label, *seen
                child = known.get(shape)
                if child is None:
                    rule = rules.by_label.get(label, rules.otherwise)
                    child = known[shape] = head_child(seen, rule)
                heads[start, token] = head = below[child]
            stack[-1][2].append((label, tags[head - first]))
            stack[-1][3].append(head)
    return heads


def inner_tokens(names: Iterable[Span]) -> set[int]:
    """Return the tokens strictly inside a name; names can be nested."""
    inside: set[int] = set()
    covered = 0
    for start, end in sorted(names):
        inside.update(range(max(start + 1, covered), end))
        covered = max(covered, end)
    return inside


def head_child(children: Sequence[tuple[str, str]], rule: HeadRule) -> int:
    """Return which child is the head, given each child's label and the tag of its head token.

    A child matches a rule by its label or by the tag of its head token, as in Kummerfeld and
    Klein's rules; in Collins's rules, only the label counts.
    """
    rank, no_match = rule.ranks.get, len(rule.sides) - 1
    ranks = [min(rank(label, no_match), rank(tag, no_match)) for label, tag in children]
    best = min(ranks)
    if rule.sides[best] is HeadSide.LEFTMOST:
        return ranks.index(best)
    return len(ranks) - 1 - ranks[::-1].index(best)


class ScannedHead(Struct, frozen=True):
    """The head token found by a scan."""

    token: int
    coordination: bool = False
    """Whether phrases are coordinated; then the token is the head of the last phrase."""
    first: int = -1
    """The head of the first of the coordinated phrases; the token itself without coordination."""


NOWHERE = -1
LONG = 64
"""Spans of at least this length are scanned in blocks of tokens."""


class _Outcome(NamedTuple):
    """The result of scanning some tokens."""

    has_head: bool
    """Whether the next token follows a head."""
    best: int = NOWHERE
    """The last token that could be the head."""
    joined: bool = False
    """Whether there was a conjunction after a head."""
    first: int = NOWHERE
    """The head before the first conjunction."""
    ended: bool = False

    def then(self, after: _Outcome) -> _Outcome:
        """Return the outcome of these tokens followed by others."""
        first = self.first
        if after.joined and not self.joined:
            first = self.best if after.first == NOWHERE else after.first
        return _Outcome(
            after.has_head,
            self.best if after.best == NOWHERE else after.best,
            self.joined or after.joined,
            first,
            after.ended,
        )


class HeadScan(Struct, frozen=True, kw_only=True):
    """Finds heads in a text without a parse.

    The head is the last word before the first boundary, such as a comma or a preposition. The first
    token of a phrase is never a boundary, nor is a participle that follows only modifiers ("the
    growing economy").
    """

    rules: ScanRules
    words: Sequence[str]
    tags: Sequence[str] | None = None
    joined: Container[int] = frozenset()
    """Tokens strictly inside a name, which are never boundaries ("Bank of America")."""

    _blocks: dict[tuple[int, int, bool], _Outcome] = field(default_factory=dict)
    """Outcomes of blocks of tokens, by level and number of the block and by ``has_head``."""
    _kept: list[int] = field(default_factory=list)

    def head(self, start: int, end: int) -> ScannedHead:
        """Return the head token of a span."""
        end = self._without_tail(start, end)
        if end - start >= LONG:
            return self._head_by_blocks(start, end)
        head: int | None = None
        best, first, coordination = end, -1, False
        for token in range(start, end + 1):
            if head is not None and self._is_boundary(token, head):
                if not self.rules.conjunction.match(self.words[token], self._tag(token)):
                    break
                first = first if coordination else best
                head, coordination = None, True
            elif self._is_possessive(token) and token > start:
                head = None
            elif self.words[token] not in self.rules.punctuation:
                head = best = token
        return ScannedHead(best, coordination, first if coordination else best)

    def _head_by_blocks(self, start: int, end: int) -> ScannedHead:
        """Return the same as :meth:`head` for a long span.

        Blocks are shared, so that thousands of spans of one long sentence do not need thousands of
        scans.
        """
        word = self.words[start] not in self.rules.punctuation
        scanned = _Outcome(has_head=word, best=start if word else NOWHERE)
        token = start + 1
        while token <= end and not scanned.ended:
            # The largest block that begins here and does not extend beyond the end.
            level = min((token & -token).bit_length(), (end + 1 - token).bit_length()) - 1
            scanned = scanned.then(self._block(level, token >> level, scanned.has_head))
            token += 1 << level
        best = end if scanned.best == NOWHERE else scanned.best
        return ScannedHead(best, scanned.joined, scanned.first if scanned.joined else best)

    def _block(self, level: int, number: int, has_head: bool) -> _Outcome:
        """Scan 2ˡᵉᵛᵉˡ tokens, given whether they follow a head; each block is scanned once."""
        if not level:
            return self._step(number, has_head)
        case = level, number, has_head
        if case not in self._blocks:
            half = self._block(level - 1, 2 * number, has_head)
            if not half.ended:
                half = half.then(self._block(level - 1, 2 * number + 1, half.has_head))
            self._blocks[case] = half
        return self._blocks[case]

    def _step(self, token: int, has_head: bool) -> _Outcome:
        if has_head and self._is_boundary(token, self._word_before(token)):
            if self.rules.conjunction.match(self.words[token], self._tag(token)):
                return _Outcome(has_head=False, joined=True)
            return _Outcome(has_head=False, ended=True)
        if self._is_possessive(token):
            return _Outcome(has_head=False)
        if self.words[token] in self.rules.punctuation:
            return _Outcome(has_head=has_head)
        return _Outcome(has_head=True, best=token)

    def _word_before(self, token: int) -> int:
        """Return the last token before this one that is not punctuation: the head so far."""
        token -= 1
        while self.words[token] in self.rules.punctuation:
            token -= 1
        return token

    def _without_tail(self, start: int, end: int) -> int:
        """Return the end of a span without a final possessive marker and punctuation."""
        if end - start >= LONG:
            if not self._kept:
                self._kept.extend(self._without_tails())
            return max(start, self._kept[end])
        last = end
        while last > start and self._is_tail(last):
            last -= 1
        return last

    def _without_tails(self) -> Iterator[int]:
        """Yield for each token the last one up to it that is not such a tail."""
        kept = NOWHERE
        for token in range(len(self.words)):
            kept = kept if self._is_tail(token) else token
            yield kept

    def _is_tail(self, token: int) -> bool:
        return self._is_possessive(token) or self.words[token] in self.rules.punctuation

    def _is_boundary(self, token: int, head: int) -> bool:
        if token in self.joined:
            return False
        word, tag = self.words[token], self._tag(token)
        if self.rules.participle.match(word, tag):
            return not self.rules.modifier.match(self.words[head], self._tag(head))
        return word in self.rules.breaks or self.rules.boundary.match(word, tag)

    def _is_possessive(self, token: int) -> bool:
        return self.rules.possessive.match(self.words[token], self._tag(token))

    def _tag(self, token: int) -> str | None:
        return None if self.tags is None else self.tags[token]
