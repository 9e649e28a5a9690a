"""Lines of CoNLL-U, found for all lines of a block at once.

Most lines are plain words without an annotation. Array operations number all tokens of a block, so
that only lines with an annotation and empty nodes need to be looked at one by one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from corefscope.formats.reading.block_lines import BlockLines, Flags, Positions, joined

TAB, NEWLINE, RETURN, BLANK, HASH, PIPE, ZERO = 9, 10, 13, 32, 35, 124, 48
FORM, LEMMA, DEPS, MISC = 1, 2, 8, 9
KEYS = frozenset({"Entity", "SplitAnte", "Bridge", "Split"})
"""The keys of MISC that annotate entities."""
LONGEST_NUMBER = 9
"""Digits of the number of a word."""
EMPTY_ID = re.compile(rb"(\d{1,9})\.([1-9]\d{0,5})")
RANGE_ID = re.compile(rb"\d+-\d+")
ENTITY = re.compile(rb"Entity(?:=([^|\t\r\n]*)|(?=[|\t\r\n]))")
VALUE = re.compile(rb"Entity=([^|\t\r\n]*)")
NAMES = ("entity",)
LINKS = (
    re.compile(rb"(Bridge)(?:=([^|\t\r\n]*)|(?=[|\t\r\n]))"),
    re.compile(rb"(Split(?:Ante)?)(?:=([^|\t\r\n]*)|(?=[|\t\r\n]))"),
)
"""Each begins with letters, which is what is found fast."""
STEP = 1 << 20
"""Empty nodes that can follow a word, and one more."""


class MiscValue(NamedTuple):
    """A value in the column MISC."""

    line: int
    key: str
    text: str | None
    """None if there is a key but no value."""


class ConlluTokens(Struct, frozen=True, eq=False, kw_only=True):
    """The words and empty nodes of a block, in the order of their sentences and IDs."""

    line: Positions
    sentence: Positions
    """The sentence of the block; sentences without words are not counted."""
    major: Positions
    minor: Positions
    """The two numbers of an ID: 3 and 0 of the word ``3``, 3 and 1 of the empty node ``3.1``."""

    def __len__(self) -> int:
        return len(self.line)


class ConlluLines(BlockLines):
    """The lines of a block of whole sentences; the block ends in a newline."""

    def __init__(self, block: bytes) -> None:
        super().__init__(block)
        if RETURN in block:
            before = self.text[np.maximum(self.stop - 1, 0)]
            self.stop = self.stop - ((self.stop > self.start) & (before == RETURN))
        self.is_blank: Flags = self._blank_lines()
        self.is_comment: Flags = (self.text[self.start] == HASH) & ~self.is_blank
        self.tab: Positions = np.append(np.flatnonzero(self.text == TAB), len(self.text))
        """Where tabs are, and the end of the block."""
        self.first_tab: Positions = np.searchsorted(self.tab, self.start)
        begins = ~self.is_blank
        begins[1:] &= self.is_blank[:-1]
        self.group: Positions = np.cumsum(begins) - 1
        """The number of the run of lines between blank lines that each line is in."""
        self._read_ids()

    def _blank_lines(self) -> Flags:
        """Find lines of nothing but blanks."""
        blank: Flags = self.stop == self.start
        doubtful = np.flatnonzero((self.text[self.start] <= BLANK) & ~blank)
        for line in doubtful.tolist():
            blank[line] = not self.line(line).strip()
        return blank

    def _read_ids(self) -> None:
        """Read the IDs of all lines with columns, and number the tokens."""
        rows = np.flatnonzero(~(self.is_blank | self.is_comment))
        start = self.start[rows]
        length = np.minimum(self._tab(self.first_tab[rows]), self.stop[rows]) - start
        number, is_number = self._numbers(start, length)
        minor = np.zeros(len(rows), dtype=np.int64)
        is_token = np.array(is_number)
        self.bad_ids: list[int] = []
        """Lines whose first column is no ID."""
        self.ranges: list[int] = []
        """Lines of multiword tokens."""
        for row in np.flatnonzero(~is_number).tolist():
            id = self.block[int(start[row]) : int(start[row] + length[row])]
            if empty := EMPTY_ID.fullmatch(id):
                number[row], minor[row], is_token[row] = int(empty[1]), int(empty[2]), True
            else:
                (self.ranges if RANGE_ID.fullmatch(id) else self.bad_ids).append(int(rows[row]))
        group = self.group[rows]
        groups = int(self.group[-1]) + 1 if len(self) else 0
        self.has_words: Flags = np.bincount(group[is_number], minlength=groups) > 0
        """Whether each run of lines has a word, which makes it a sentence."""
        self.sentence_of_group: Positions = np.cumsum(self.has_words) - 1
        is_token &= self.has_words[group]
        chosen = np.flatnonzero(is_token)
        self.tokens = self._sorted(rows[chosen], group[chosen], number[chosen], minor[chosen])
        self.token_of_line: Positions = np.full(len(self), -1)
        self.token_of_line[self.tokens.line] = np.arange(len(self.tokens))

    def _numbers(self, start: Positions, length: Positions) -> tuple[Positions, Flags]:
        """Read the first column of lines as a number, where it is one."""
        number = np.zeros(len(start), dtype=np.int64)
        is_number: Flags = (length > 0) & (length <= LONGEST_NUMBER)
        longest = min(int(length.max(initial=0)), LONGEST_NUMBER)
        last = len(self.text) - 1
        for place in range(longest):
            inside = length > place
            digit = self.text[np.minimum(start + place, last)].astype(np.int64) - ZERO
            is_number &= ~inside | ((digit >= 0) & (digit <= 9))
            number = np.where(inside, number * 10 + digit, number)
        return number, is_number

    def _sorted(
        self, line: Positions, group: Positions, major: Positions, minor: Positions
    ) -> ConlluTokens:
        place = major * STEP + minor
        if ((place[1:] <= place[:-1]) & (group[1:] == group[:-1])).any():
            order = np.lexsort((minor, major, group))
            line, group, major, minor = line[order], group[order], major[order], minor[order]
        sentence = self.sentence_of_group[group]
        return ConlluTokens(line=line, sentence=sentence, major=major, minor=minor)

    def field(self, line: int, column: int) -> bytes:
        """Return a field of a line; a line that is too short has ``_`` there."""
        fields = self.line(line).split(b"\t")
        return fields[column] if column < len(fields) else b"_"

    def column(self, line: Positions, column: int) -> tuple[bytes, Positions]:
        """Return a column of some lines, each value followed by a newline, and where each begins.

        A line that is too short has an empty value.
        """
        tab = self.first_tab[line] + column
        stop = self.stop[line]
        start = np.minimum(self._tab(tab - 1) + 1, stop) if column else self.start[line]
        end = np.maximum(np.minimum(self._tab(tab), stop), start)
        return joined(self.text, start, end)

    def _tab(self, number: Positions) -> Positions:
        """Return the positions of tabs."""
        return self.tab[np.minimum(number, len(self.tab) - 1)]

    def entities(self) -> tuple[Positions, list[str], list[int]]:
        """Return the lines that have the key ``Entity`` in MISC, and the values in that order.

        The last list has the lines of keys without a value, not even an empty one.
        """
        position = self._find(b"Entity")
        found = VALUE.findall(self.block) if len(position) else []
        lacking: list[int] = []
        if len(found) != len(position):
            # A key without a value, or a value that has the word in it.
            matches = list(ENTITY.finditer(self.block))
            position = np.array([match.start() for match in matches], dtype=np.int64)
            found = [match[1] or b"" for match in matches]
            without = [row for row, match in enumerate(matches) if match[1] is None]
            lacking = self._in_misc(position[without])[0].tolist()
        line, kept = self._in_misc(position)
        if len(kept) < len(found):
            found = [found[row] for row in kept.tolist()]
        texts = b"\n".join(found).decode(errors="surrogateescape").split("\n")
        return line, texts if found else [], lacking

    def _find(self, word: bytes) -> Positions:
        """Return where a word is."""
        place = np.flatnonzero(self.text[: max(len(self.text) - len(word), 0)] == word[0])
        for number, letter in enumerate(word):
            place = place[self.text[place + number] == letter]
        return place

    @property
    def has_links(self) -> bool:
        """Whether there may be values of ``Bridge``, ``SplitAnte`` or ``Split``."""
        return b"Bridge" in self.block or b"Split" in self.block

    def other_values(self) -> Iterator[MiscValue]:
        """Yield the values of ``Bridge``, ``SplitAnte`` and ``Split`` in MISC."""
        found = [match for link in LINKS for match in link.finditer(self.block)]
        position = np.fromiter((each.start() for each in found), np.int64, len(found))
        line, kept = self._in_misc(position)
        for where, row in zip(line.tolist(), kept.tolist(), strict=True):
            key, value = found[row].groups()
            text = None if value is None else value.decode(errors="surrogateescape")
            yield MiscValue(where, key.decode(), text)

    def _in_misc(self, position: Positions) -> tuple[Positions, Positions]:
        """Return the lines of those positions at which a key of MISC begins, and which they are."""
        line = np.searchsorted(self.start, position, side="right") - 1
        before = self.text[np.maximum(position - 1, 0)]
        tabs = np.searchsorted(self.tab, position) - self.first_tab[line]
        is_key = (tabs == MISC) & ((before == TAB) | (before == PIPE)) & ~self.is_comment[line]
        kept = np.flatnonzero(is_key)
        return line[kept], kept
