"""Carry the mentions of one document over to the tokens of its key."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import chain
from typing import TypeAlias

from msgspec import Struct, field

from corefscope.choices import Snap
from corefscope.corpus import Corpus, Document
from corefscope.corpus.mentions import Parts
from corefscope.formats.corefud.trees import moved_for_text, parsed
from corefscope.formats.corefud.writing import document_lines
from corefscope.transfer.texts import LetterTokens, Stretch

FindStretch: TypeAlias = Callable[[Stretch], Stretch | None]
"""Returns where a stretch of the response's letters is among those of the key, if anywhere."""
NODE_WORD = "_"
"""A word that has no letters, for an empty node."""


class CarriedNode(Struct, frozen=True, kw_only=True):
    """A zero of the response among the tokens of the key."""

    words_before: int
    opens_sentence: int
    order: int
    id: str
    dependencies: str
    line: int = 0
    """Its line in its file, if it has one of its own."""


class CarriedDocument(Struct, kw_only=True):
    """The mentions of a document on the tokens of the key."""

    tokens: int
    """How many tokens it has now: the words of the key, and its own zeros."""
    words: list[str]
    word_tokens: list[int]
    """The token of each word of the key."""
    nodes: list[tuple[int, CarriedNode]] = field(default_factory=list)
    """Its zeros, with their tokens."""
    parts: dict[int, Parts] = field(default_factory=dict)
    """The parts of each mention that is carried over, by row; one, unless it has gaps."""
    cuts: dict[int, tuple[int, int]] = field(default_factory=dict)
    """The letters of tokens that mentions leave out at their start and end, by row."""
    heads: dict[int, int] = field(default_factory=dict)
    inside: list[int] = field(default_factory=list)
    """The rows of mentions that begin or end inside a token of the key."""
    fallen: dict[int, int] = field(default_factory=dict)
    """The rows of mentions that were moved to whole tokens which another mention has, with the row
    of that mention; they are left out."""


def is_crac(corpus: Corpus, document: int) -> bool:
    """Return whether a document is in the text format of CRAC, at least in part."""
    copies = corpus.copies
    return copies is not None and "crac" in copies[document].style.split(" and ")


class KeyTokens:
    """The plain words of a document of the key, as stretches of its letters."""

    def __init__(self, words: Sequence[str], tokens: LetterTokens) -> None:
        self.words = words
        self.tokens = tokens
        self.spoken = tokens.spoken()
        self.begins = [tokens.begins[token] for token in self.spoken]
        self.ends = [tokens.ends[token] for token in self.spoken]

    def span(self, stretch: Stretch, snap: Snap | None) -> tuple[int, int, int, int, bool]:
        """Return first and last word of a stretch, and the letters that it lacks of both.

        The flag says whether it begins or ends inside a word, even if it is then moved to whole
        words.
        """
        first = bisect_right(self.begins, stretch.begin) - 1
        last = bisect_left(self.ends, stretch.end)
        # Words may have the same letters: "de" and "el" are one token of the text, "del".
        first = bisect_left(self.begins, self.begins[first])
        last = bisect_right(self.ends, self.ends[last]) - 1
        cut = stretch.begin - self.begins[first], self.ends[last] - stretch.end
        is_inside = any(cut)
        if snap == "inward" and first + bool(cut[0]) <= last - bool(cut[1]):
            first, last, cut = first + bool(cut[0]), last - bool(cut[1]), (0, 0)
        elif snap == "outward":
            cut = (0, 0)
        return self.spoken[first], self.spoken[last], cut[0], cut[1], is_inside

    def size(self, first: int, last: int) -> int:
        """Return the number of letters from one word to another."""
        return self.tokens.ends[last] - self.tokens.begins[first]

    def word_at(self, letter: int) -> int:
        """Return the word that a letter is in."""
        return self.spoken[bisect_right(self.begins, letter) - 1]

    def zeros_at(self, letter: int) -> list[int]:
        """Return the words of the key that stand for a zero before a letter."""
        word = bisect_left(self.tokens.begins, letter)
        found = []
        while word < len(self.tokens) and self.tokens.ends[word] == letter:
            found.append(word)
            word += 1
        return found


class Carrier:
    """Carries the mentions of one document over."""

    def __init__(  # noqa: PLR0913 - two documents, and what is known of both
        self,
        *,
        key: Corpus,
        document: int,
        response: Corpus,
        number: int,
        ours: KeyTokens,
        theirs: LetterTokens,
        place: FindStretch,
        snap: Snap | None,
    ) -> None:
        self.key, self.document = key, document
        self.response, self.number = response, number
        self.ours, self.theirs = ours, theirs
        self.place, self.snap = place, snap
        self.spoken = theirs.spoken()
        self.zeros: dict[int, int] = {}
        """The token for each zero of the response that has a place."""
        self.moved: dict[int, int] = {}
        """How many letters each mention that was moved to whole tokens won or lost."""
        self.found = self._document()

    def _document(self) -> CarriedDocument:
        """Put the zeros of the response among the words of the key."""
        zeros = self._placed_zeros()
        nodes = sorted(
            zeros.items(),
            key=lambda item: (item[1].words_before, item[1].opens_sentence, item[1].order),
        )
        before = [node.words_before for _, node in nodes]
        count = len(self.ours.words)
        found = CarriedDocument(
            tokens=count + len(nodes),
            words=list(self.ours.words),
            word_tokens=[word + bisect_right(before, word) for word in range(count)],
        )
        for number, (token, node) in enumerate(nodes):
            self.zeros[token] = node.words_before + number
            found.nodes.append((node.words_before + number, node))
        return found

    def _placed_zeros(self) -> dict[int, CarriedNode]:
        """Return the zeros that are no words of the key; note those that are."""
        nodes = self.response.empty_nodes
        row_of = {int(nodes.token[row]): row for row in nodes.rows_of(self.number)}
        found: dict[int, CarriedNode] = {}
        at: Counter[int] = Counter()
        """How many zeros there are at each place so far."""
        for token, begin in enumerate(self.theirs.begins):
            if begin != self.theirs.ends[token]:
                continue
            stretch = self.place(Stretch(begin, begin))
            if stretch is None:
                continue
            at[stretch.begin] += 1
            order = at[stretch.begin]
            words = self.ours.zeros_at(stretch.begin)
            if order <= len(words):
                self.zeros[token] = -1 - words[order - 1]
            elif token in row_of:
                found[token] = self._own_node(row_of[token], stretch.begin)
            else:
                found[token] = self._new_node(stretch.begin, order - len(words))
        return found

    def _own_node(self, row: int, letter: int) -> CarriedNode:
        nodes = self.response.empty_nodes
        return CarriedNode(
            words_before=bisect_right(self.ours.tokens.ends, letter),
            opens_sentence=int(nodes.opens_sentence[row]),
            order=int(nodes.order[row]),
            id=nodes.ids[row],
            dependencies=nodes.dependencies[row],
            line=int(nodes.line[row]),
        )

    def _new_node(self, letter: int, order: int) -> CarriedNode:
        """Return a node for a zero that its file writes as a word: the key's, if it has one."""
        before = bisect_right(self.ours.tokens.ends, letter)
        nodes = self.key.empty_nodes
        same = [row for row, words in self.shown.items() if words == before]
        if order <= len(same):
            row = same[order - 1]
            opens, order = int(nodes.opens_sentence[row]), int(nodes.order[row])
            return CarriedNode(
                words_before=int(nodes.words_before[row]),
                opens_sentence=opens,
                order=order,
                id=nodes.ids[row],
                dependencies=NODE_WORD,
            )
        # It is none of those that the key has there.
        order += sum(int(nodes.words_before[row]) == before for row in self.shown) - len(same)
        return CarriedNode(
            words_before=before,
            opens_sentence=0,
            order=order,
            id=f"{before}.{order}",
            dependencies=NODE_WORD,
        )

    @cached_property
    def shown(self) -> dict[int, int]:
        """How many words stand before each zero of the key where the response would write it.

        The text format of CRAC writes zeros behind the words that they depend on.
        """
        nodes = self.key.empty_nodes
        rows = nodes.rows_of(self.document)
        is_moved = is_crac(self.response, self.number)
        lines = document_lines(self.key, self.document) if is_moved else None
        if lines is None:
            return {row: int(nodes.words_before[row]) for row in rows}
        row_of = {int(nodes.token[row]): row for row in rows}
        found, words = {}, 0
        (tree,) = parsed(lines.decode(errors="surrogateescape").replace("\r\n", "\n"))
        for node in chain.from_iterable(map(moved_for_text, tree.sentences)):
            if node.is_empty:
                found[row_of[node.origin]] = words
            words += not node.is_empty
        return found

    # ---- Mentions ----

    def stretch(self, first: int, last: int) -> Stretch:
        """Return the letters from one token of the response to another."""
        return Stretch(self.theirs.begins[first], self.theirs.ends[last])

    def mention(self, row: int, parts: Parts, place: Stretch | None = None) -> bool:
        """Carry a mention over; return whether it has a place.

        ``place`` is that of its letters, if it is known.
        """
        spans: list[tuple[int, int]] = []
        cut_before = cut_after = moved = 0
        is_inside = False
        for first, last in parts:
            tokens = [self._zero(token) for token in self._edge_zeros(first, last)]
            letters = self.stretch(first, last)
            if letters.begin < letters.end:
                at = self.place(letters) if place is None else place
                if at is None:
                    return False
                start, end, before, after, inside = self.ours.span(at, self.snap)
                cut_before, cut_after = cut_before + before, cut_after + after
                is_inside |= inside
                moved += abs(self.ours.size(start, end) - (at.end - at.begin))
                tokens += [self.found.word_tokens[start], self.found.word_tokens[end]]
            known = [token for token in tokens if token is not None]
            if not known:
                return False
            spans.append((min(known), max(known)))
        self.found.parts[row] = _merged(spans)
        if cut_before or cut_after:
            self.found.cuts[row] = cut_before, cut_after
        elif is_inside:
            self.moved[row] = moved
        if is_inside:
            self.found.inside.append(row)
        return True

    def settle(self) -> None:
        """Leave out mentions that were moved to the tokens of another mention.

        The one that was moved least stays, so that the order of mentions does not matter.
        """
        if not self.moved:
            return
        rows_of: dict[Parts, list[int]] = {}
        for row, parts in self.found.parts.items():
            if row not in self.found.cuts:
                rows_of.setdefault(parts, []).append(row)
        spans = self.response.mention_spans
        for rows in rows_of.values():
            rows.sort(key=lambda row: (self.moved.get(row, 0), *spans[row].tolist()))
            for row in rows[1:]:
                # Mentions that were the same before are reported as repeated.
                if row in self.moved and (spans[row] != spans[rows[0]]).any():
                    self.found.fallen[row] = rows[0]
                    del self.found.parts[row]

    def head(self, row: int, head: int) -> None:
        """Carry the head of a mention over, if it is one of its tokens afterwards."""
        if not 0 <= head < len(self.theirs):
            return
        letters = self.stretch(head, head)
        if letters.begin == letters.end:
            token = self._zero(head)
        else:
            at = self.place(letters)
            token = None if at is None else self.found.word_tokens[self.ours.word_at(at.begin)]
        parts = self.found.parts[row]
        if token is not None and any(first <= token <= last for first, last in parts):
            self.found.heads[row] = token

    def _zero(self, token: int) -> int | None:
        """Return the token of a zero."""
        found = self.zeros.get(token)
        if found is None or found >= 0:
            return found
        return self.found.word_tokens[-1 - found]

    def _edge_zeros(self, first: int, last: int) -> list[int]:
        """Return the zeros that a part begins or ends with."""
        inside = self.spoken[bisect_left(self.spoken, first) : bisect_right(self.spoken, last)]
        if not inside:
            return list(range(first, last + 1))
        return [*range(first, inside[0]), *range(inside[-1] + 1, last + 1)]


def _merged(spans: Sequence[tuple[int, int]]) -> Parts:
    """Return parts in order; those that touch or overlap become one."""
    merged: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(merged[-1][1], last)
        else:
            merged.append((first, last))
    return tuple(merged)


def spoken_words(corpus: Corpus, document: int) -> list[str]:
    """Return the words of a document, with a sign in place of each empty node."""
    words = list(Document(corpus, document).words or [])
    for token in corpus.empty_nodes.tokens_of(document):
        words[token] = NODE_WORD
    return words
