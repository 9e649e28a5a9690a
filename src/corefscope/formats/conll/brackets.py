"""Turn the brackets of a CoNLL document into mentions, and note problems."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

import numpy as np

from corefscope.corpus.arrays import Integers
from corefscope.findings import Code, Finding
from corefscope.formats.conll.cell import BLANKS, CorefCell, parse_cell, possible_ids
from corefscope.formats.conll.lines import ConllLines, count_within
from corefscope.formats.reading.builder import MOST_ERRORS

NO_MENTION = CorefCell()


class BracketTally(NamedTuple):
    """A count of something in a document, and the line of its first occurrence."""

    total: int = 0
    line: int = 0

    def plus(self, number: int, line: int) -> BracketTally:
        """Return the tally with more occurrences, the first of them on this line."""
        return BracketTally(self.total + number, self.line or line)


NONE = BracketTally()


class Problem(NamedTuple):
    """What is wrong at a bracket, and the entity that was not open or is never closed, if any."""

    finding: Finding
    unopened: bytes | None
    unclosed: bytes | None


class ConllBrackets:
    """Reads the coreference cells of a document and collects its mentions.

    Problems are kept until the end of the document. One wrong cell can make several brackets look
    wrong, so problems with the same ids are not reported in addition.
    """

    def __init__(self, known: dict[bytes, CorefCell]) -> None:
        self.known = known
        """Cells that occurred before in the file, parsed."""
        self._rows = array("i")
        self.entities: dict[bytes, int] = defaultdict(count().__next__)
        """The number of each entity; a new id begins a new entity."""
        self.pending: defaultdict[bytes, list[tuple[int, int, int]]] = defaultdict(list)
        """Entity, token and line of the mentions that are still open, by id, latest last."""
        self.problems: list[Problem] = []
        """What is reported at the end of the document, unless something else explains it."""
        self.first_bad: tuple[int, bytes] | None = None
        """Line and text of the first cell that cannot be read."""
        self.bad_cells = 0
        self.marked = 0
        """The number of cells other than marks for no mention."""
        self.errors = 0
        self.starred = 0
        """Brackets such as ``(PER*)``, which cannot be coreference."""
        self.typed = NONE
        """Brackets whose id is the type of a named entity."""
        self.broken: dict[bytes, tuple[int, int]] = {}
        """The first and the last line of the broken cells that may have contained an id."""

    def ids(self) -> Iterator[bytes]:
        """Yield the ids of all brackets; an id can occur twice."""
        yield from self.entities
        yield from self.pending

    @property
    def spans(self) -> Integers:
        """The first and the last token of each mention of the document."""
        return self.mentions[:, 1:3]

    @property
    def mentions(self) -> Integers:
        """Entity, first token, last token and line of each mention of the document."""
        return np.array(self._rows, np.int32).reshape(-1, 4)

    @property
    def labels(self) -> list[str]:
        """The names of the entities."""
        return list(map(as_text, self.entities))

    def first_line(self, id: bytes) -> int | None:
        """Return the line of the first closed mention of an entity, if there is one."""
        mentions = self.mentions
        lines = mentions[mentions[:, 0] == self.entities[id], 3]
        return int(lines.min()) if len(lines) else None

    def read(self, lines: ConllLines, rows: range, column: int, token: int, number: int) -> None:
        """Read those cells of some rows that have mentions.

        The order within a token is that of the reference scorer: one-token mentions, opening
        brackets, closing brackets. ``token`` is the number of the first row's token, ``number`` the
        number of the first line of the block.
        """
        known, entities, pending = self.known.get, self.entities, self.pending
        mentions: list[int] = []
        shift = token - rows.start
        cells = lines.cells(column)
        self.marked += count_within(cells.row, rows)
        for row, line, start, text in cells.within(rows):
            cell = known(text) or self._parse(lines, line, text, start, number)
            whole, opened, closed, is_odd = cell[:4]
            token = row + shift
            if is_odd:
                self._note_oddities(cell, lines, line, start, number)
            for id in whole:
                mentions += (entities[id], token, token, line + number)
            for id in opened:
                pending[id].append((entities[id], token, line + number))
            for id in closed:
                if pending[id]:
                    entity, first, first_line = pending[id].pop()
                    mentions += (entity, first, token, first_line)
                else:
                    self._note_unopened(id, line + number)
        self._rows.extend(mentions)

    def _parse(
        self, lines: ConllLines, line: int, text: bytes, start: int, number: int
    ) -> CorefCell:
        """Parse a new cell; a cell that cannot be read is reported each time it occurs."""
        stripped = text.strip(BLANKS)
        cell = parse_cell(stripped)
        if cell is None:
            self._refuse(stripped, lines, line, start + text.index(stripped), number)
            return NO_MENTION
        self.known[text] = cell
        return cell

    def skip(
        self, code: Code, found: str, line: int, text: bytes, *, expected: str | None = None
    ) -> None:
        """Note a cell that is not read; ``text`` is its content, which may contain ids."""
        self._note(Finding(code, found, expected=expected, line=line))
        for id in possible_ids(text):
            self.broken[id] = self.broken.get(id, (line, line))[0], line

    def _note(
        self, finding: Finding, *, unopened: bytes | None = None, unclosed: bytes | None = None
    ) -> None:
        if finding.is_error:
            self.errors += 1
            if self.errors > MOST_ERRORS:
                return
        self.problems.append(Problem(finding, unopened, unclosed))

    def _note_oddities(
        self, cell: CorefCell, lines: ConllLines, line: int, start: int, number: int
    ) -> None:
        for id in cell.names:
            if id.endswith(b"*"):
                self.starred += 1
            else:
                self.typed = self.typed.plus(1, line + number)
        for id in cell.bare:
            if self.pending[id] or id in cell.opened:
                message = f"the bare {as_text(id)} inside a mention of that entity is ignored"
                self._note(Finding(Code.IRREGULAR, message, line=line + number))
            else:
                self._refuse(id, lines, line, start, number)
        for id in cell.double:
            message = (
                f"the double antecedent ({as_text(id)}) is ignored, as in the reference scorer"
            )
            self._note(Finding(Code.IRREGULAR, message, line=line + number))
        for id in cell.touching:
            message = (
                f"one token opens and closes entity {as_text(id)}; it is read as opening first, as "
                "in the reference scorer; brackets cannot express touching or crossing mentions of "
                "one entity"
            )
            self._note(Finding(Code.IRREGULAR, message, line=line + number))

    def _note_unopened(self, id: bytes, line: int) -> None:
        label = as_text(id)
        self._note(
            Finding(
                Code.UNBALANCED,
                f"entity {label} is closed here but is not open",
                expected=f"'({label}' before",
                line=line,
            ),
            unopened=id,
        )

    def _refuse(self, text: bytes, lines: ConllLines, line: int, start: int, number: int) -> None:
        character = len(as_text(lines.block[int(lines.start[line]) : start])) + 1
        self.bad_cells += 1
        self.first_bad = self.first_bad or (line + number, text)
        self.skip(
            Code.BAD_LINE,
            f"the coreference cell has {as_text(text)[:40]!r} at character {character}",
            line + number,
            text,
            expected="(ID), (ID or ID), or - for no mention",
        )

    def close(self, name: str) -> None:
        """End the document: note the mentions that are still open."""
        for id, mentions in self.pending.items():
            for *_, line in mentions:
                self._note(
                    Finding(
                        Code.UNBALANCED,
                        f"the mention of entity {as_text(id)} that opens here is not closed at "
                        f"the end of document {name!r}",
                        expected=f"'{as_text(id)})'",
                        line=line,
                    ),
                    unclosed=id,
                )

    def unexplained(self, missing: list[int]) -> Iterator[Finding]:
        """Yield the problems that neither a broken nor a missing cell explains.

        ``missing`` has the lines without a coreference cell, in order.
        """
        lost = set(missing)
        for problem in self.problems:
            finding, *ids = problem
            if finding.line in lost:
                continue
            places = [self.broken[id] for id in ids if id in self.broken]
            places += [(missing[0], missing[-1])] if missing else []
            if not any(_explains(problem, *place) for place in places):
                yield finding


def _explains(problem: Problem, first: int, last: int) -> bool:
    """Return whether brackets that were lost on these lines can be the cause of the problem."""
    line = problem.finding.line or 0
    if problem.unopened is not None:
        return first < line
    return problem.unclosed is not None and line <= last


def as_text(id: bytes) -> str:
    """Decode bytes of the file so that they can be written back unchanged."""
    return id.decode(errors="surrogateescape")
