"""From the cells of a document to its markables.

A cell first closes markables and then opens others::

    ))(EntityID=1|MarkableID=m_7|Min=3,4|ElementOf=5,6(EntityID=2|MarkableID=m_8)

A piece that ends in a bracket is a markable of one token. Where markables cross, a closing bracket
has the id of its markable before it: ``m_7)``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from corefscope.corpus.mentions import Span
from corefscope.extensions.universal_anaphora.anaphora import MarkableColumns, UaBridge
from corefscope.findings import Code, Finding

NOTHING = "_"
SEPARATOR = "@"
"""Stands between the pieces of a cell in version 1.1 of the format."""
TOKENS = re.compile(r"([0-9]{1,9})(?:,([0-9]{1,9}))?", re.ASCII)


def parse_fields(text: str) -> dict[str, str]:
    """Read fields such as ``EntityID=1|MarkableID=m_7``."""
    return {name: value for part in text.split("|") for name, _, value in (part.partition("="),)}


def parse_piece(text: str) -> tuple[dict[str, str], bool, bool]:
    """Read what follows a bracket that opens a markable.

    Returns
    -------
    tuple of dict, bool and bool
        Its fields; whether it is closed at once; and whether a bracket is inside a value, where
        closings after openings end up.
    """
    text = text.rstrip(SEPARATOR)
    inner = text.removesuffix(")")
    return parse_fields(inner), inner != text, ")" in inner


def parse_bridges(text: str) -> list[dict[str, str]]:
    """Read the fields of each bridging anaphor of a cell; text before a bracket does not count."""
    pieces = text.split("(")[1:]
    return [parse_fields(piece.rstrip(SEPARATOR).removesuffix(")")) for piece in pieces]


def parse_minimum(text: str) -> tuple[int, int] | None:
    """Read a minimum span such as ``3,5``, which counts from 1, as numbers from 0; or None."""
    match = TOKENS.fullmatch(text)
    if match is None:
        return None
    first = int(match[1])
    last = int(match[2] or first)
    return (first - 1, last - 1) if 1 <= first <= last else None


IDS = ("EntityID", "MarkableID")


class FilledCells(Struct, kw_only=True):
    """The cells of a column that are not empty, and where they stand."""

    texts: list[str] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    are_nodes: list[bool] = field(default_factory=list)
    """Whether each cell is that of an empty node."""


class MarkableReader:
    """Reads the cells of one column of a document, one after the other.

    Markables are numbered in the order in which they are first opened, and what is known of them is
    in columns.
    """

    def __init__(self, cells: FilledCells, file: str, empty_nodes: int = 0) -> None:
        self.cells = cells
        self.file = file
        self.empty_nodes = empty_nodes
        """How many empty nodes the document has; some files do not count them in ``Min``."""
        self.findings: list[Finding] = []
        self._numbers: dict[str, int] = {}
        """The number of each markable, by its id."""
        self._entities: list[str] = []
        """The entity of each markable; where it is opened again, what was said last holds."""
        self._cells: list[int] = []
        """The cell that first opens each markable."""
        self._ends: list[int | None] = []
        """The last token of each markable; None if it was never closed."""
        self._minima: list[Span | None] = []
        self._wholes: dict[int, list[str]] = {}
        """The entities of which the entities of some markables are elements."""
        self._edges: dict[int, tuple[list[int], list[int]]] = {}
        """Where the parts of markables that are opened more than once begin, and where they end."""
        self._far_parts: list[tuple[int, int]] = []
        """Markables with a part in another sentence than their first, and the cells of these."""
        self._open: list[int] = []
        """The markables that are open, those opened last at the end."""

    def read(self) -> MarkableColumns:
        """Return all markables, and report what is wrong with them."""
        for cell, text in enumerate(self.cells.texts):
            closing, *pieces = text.split("(")
            if closing:
                self._close_all(closing, cell)
            for piece in pieces:
                self._open_piece(piece, cell)
        self._check_open()
        self._check_parts()
        self._check_minima()
        self._check_wholes()
        return MarkableColumns(
            ids=list(self._numbers),
            entities=self._entities,
            starts=self._starts,
            ends=self._ends,
            # As in the official scorer, the first opening goes with the first closing.
            parts={
                number: tuple(zip(begins, ends, strict=False))
                for number, (begins, ends) in self._edges.items()
            },
            minima=self._minima,
            element_of={
                number: tuple(dict.fromkeys(wholes)) for number, wholes in self._wholes.items()
            },
            zeros=[self.cells.are_nodes[cell] for cell in self._cells],
            lines=[self.cells.lines[cell] for cell in self._cells],
        )

    @property
    def _starts(self) -> list[int]:
        """The first token of each markable."""
        return [self.cells.tokens[cell] for cell in self._cells]

    def _close_all(self, closing: str, cell: int) -> None:
        """Close what the text before the first opening bracket of a cell says."""
        *closings, stray = closing.replace(SEPARATOR, "").split(")")
        if stray:
            self._report(
                Code.BAD_LINE,
                f"the cell {self.cells.texts[cell]!r} has {stray!r} outside brackets",
                cell,
                expected="_, or closing brackets followed by (EntityID=…|MarkableID=…)",
            )
        if closings and self.cells.are_nodes[cell]:
            self._report(
                Code.BAD_LINE,
                f"the cell {self.cells.texts[cell]!r} closes a markable on an empty node",
                cell,
                expected=(
                    "a markable that ends on a word, or that is this node alone: close it on a word"
                ),
            )
        for id in closings:
            if self._open and not id:
                self._end(self._open.pop(), cell)
            else:
                self._close(id, cell)

    def _close(self, id: str, cell: int) -> None:
        """Close the markable of an id; report that it is not open, or that none is."""
        number = self._numbers.get(id)
        opened = [place for place, other in enumerate(self._open) if other == number]
        if not opened:
            which = f"markable {id!r}, which is not open" if id else "a markable, but none is open"
            self._report(
                Code.UNBALANCED,
                f"a bracket closes {which}",
                cell,
                expected=(
                    "(EntityID=…|MarkableID=… on an earlier line: check the brackets of this "
                    "document up to here"
                ),
            )
            return
        self._end(self._open.pop(opened[-1]), cell)

    def _end(self, number: int, cell: int) -> None:
        """End a markable, or a part of it, with the token of a cell."""
        token = self._ends[number] = self.cells.tokens[cell]
        if number in self._edges:
            self._edges[number][1].append(token)

    def _open_piece(self, text: str, cell: int) -> None:
        """Open the markable that a piece of a cell describes."""
        fields, is_single, has_stray_bracket = parse_piece(text)
        entity, id = fields.get("EntityID"), fields.get("MarkableID")
        if not entity or not id:
            missing = [name for name in IDS if not fields.get(name)]
            self._report(
                Code.BAD_LINE,
                f"a markable in the cell {self.cells.texts[cell]!r} has no "
                f"{' and no '.join(missing)}",
                cell,
                expected="(EntityID=…|MarkableID=… with this spelling: add what is missing",
            )
            return
        if has_stray_bracket:
            self._report(
                Code.IRREGULAR,
                f"the cell {self.cells.texts[cell]!r} has a closing bracket after a markable of "
                "one token; like the official scorers, corefscope reads it as part of the value "
                "before it. To close another markable, put the bracket at the beginning of the "
                "cell",
                cell,
            )
        if self.cells.are_nodes[cell] and not is_single:
            self._report(
                Code.BAD_LINE,
                f"markable {id!r} begins on an empty node and does not end there",
                cell,
                expected="a markable that is this node alone: close it on this line",
            )
        number = self._begin(id, entity, cell)
        if is_single:
            self._end(number, cell)
        else:
            self._open.append(number)
        if "Min" in fields and not self._minima[number]:
            self._minima[number] = self._minimum(fields["Min"], id, cell)
        if "ElementOf" in fields:
            wholes = filter(None, fields["ElementOf"].split(","))
            self._wholes.setdefault(number, []).extend(wholes)

    def _begin(self, id: str, entity: str, cell: int) -> int:
        """Begin a markable, or another part of it; return its number."""
        new = len(self._ends)
        number = self._numbers.setdefault(id, new)
        if number == new:
            self._entities.append(entity)
            self._cells.append(cell)
            self._ends.append(None)
            self._minima.append(None)
        else:
            self._begin_again(number, id, entity, cell)
        return number

    def _begin_again(self, number: int, id: str, entity: str, cell: int) -> None:
        """Begin another part of a markable."""
        before, first = self._entities[number], self._cells[number]
        if before != entity:
            self._report(
                Code.IRREGULAR,
                f"markable {id!r} is in entity {entity}, but on line {self.cells.lines[first]} it "
                f"is in entity {before}",
                cell,
                expected=(
                    "the same entity for all parts of a markable: the whole markable is read as "
                    f"part of entity {entity}"
                ),
            )
            self._entities[number] = entity
        if number not in self._edges:
            end = self._ends[number]
            self._edges[number] = [self.cells.tokens[first]], [] if end is None else [end]
        self._edges[number][0].append(self.cells.tokens[cell])
        # Within a sentence, every line is a token.
        lines = self.cells.lines[cell] - self.cells.lines[first]
        if lines > self.cells.tokens[cell] - self.cells.tokens[first]:
            self._far_parts.append((number, cell))

    def _minimum(self, text: str, id: str, cell: int) -> Span | None:
        """Return a minimum span, if it can be read."""
        minimum = parse_minimum(text)
        if minimum is None:
            self._report(
                Code.IGNORED,
                f"the minimum span Min={text} of markable {id!r} cannot be read and is ignored",
                cell,
                expected="one or two token numbers, such as Min=3 or Min=3,5",
            )
        return minimum

    def _check_open(self) -> None:
        """Report the markables that are still open."""
        ids = list(self._numbers)
        for number in self._open:
            self._report(
                Code.LEFT_OUT,
                f"markable {ids[number]!r} is still open at the end of its document, so it is in "
                "no entity",
                self._cells[number],
                expected="a closing bracket: add it on the last token of the markable",
            )

    def _check_parts(self) -> None:
        """Report the first markable of a document with parts in several sentences."""
        if self._far_parts:
            number, cell = self._far_parts[0]
            self._report(
                Code.IRREGULAR,
                f"markable {list(self._numbers)[number]!r} has a part in another sentence, on "
                "line "
                f"{self.cells.lines[self._cells[number]]}{_more(len(self._far_parts), 'parts')}",
                cell,
                expected="a MarkableID for each mention: those with the same one are read as one",
            )

    def _check_minima(self) -> None:
        """Report the first markable of a document whose minimum span is not within it."""
        wrong = [
            (number, minimum, (start, end))
            for number, (minimum, start, end) in enumerate(
                zip(self._minima, self._starts, self._ends, strict=True)
            )
            if minimum
            and end is not None
            and not (start - self.empty_nodes <= minimum[0] and minimum[1] <= end)
        ]
        if wrong:
            number, (first, last), (start, end) = wrong[0]
            self._report(
                Code.IGNORED,
                f"the minimum span of markable {list(self._numbers)[number]!r}, tokens "
                f"{first + 1} to {last + 1}, is not within the markable, tokens {start + 1} to "
                f"{end + 1}{_more(len(wrong), 'markables')}",
                self._cells[number],
                expected=(
                    "numbers of tokens of the markable, counted from 1 in its document: no other "
                    "span is accepted for it"
                ),
            )

    def _check_wholes(self) -> None:
        """Report the first ``ElementOf`` of a document that names an entity without markables."""
        known = set(self._entities)
        wrong = [
            (number, whole)
            for number, wholes in sorted(self._wholes.items())
            for whole in wholes
            if whole not in known
        ]
        if wrong:
            number, whole = wrong[0]
            self._report(
                Code.IGNORED,
                f"markable {list(self._numbers)[number]!r} has ElementOf={whole}, but the "
                f"document has no markable of entity {whole}{_more(len(wrong), 'fields')}",
                self._cells[number],
                expected="the EntityID of a plural entity: it is ignored",
            )

    def _report(self, code: Code, found: str, cell: int, *, expected: str | None = None) -> None:
        """Report something about a cell."""
        line = self.cells.lines[cell]
        self.findings.append(Finding(code, found, expected=expected, file=self.file, line=line))


def _more(count: int, what: str) -> str:
    return f" ({count:,} such {what} in the document)" if count > 1 else ""


def read_bridges(
    cells: FilledCells, ids: Sequence[str], file: str
) -> tuple[list[UaBridge], list[Finding]]:
    """Read the column BRIDGING; pairs whose markables do not exist are reported and left out."""
    known = set(ids)
    bridges: dict[str, UaBridge] = {}
    findings: list[Finding] = []
    for text, line in zip(cells.texts, cells.lines, strict=True):
        for found in _bridges_of(text, known):
            if isinstance(found, UaBridge):
                bridges[found.anaphor] = found
            else:
                findings.append(found.at(file, line))
    return list(bridges.values()), findings


def _bridges_of(cell: str, known: set[str]) -> Iterator[UaBridge | Finding]:
    """Yield the pairs of a cell, or what is wrong with one."""
    pairs = parse_bridges(cell)
    if not pairs and cell != NOTHING:
        yield Finding(
            Code.IGNORED,
            f"the bridging cell {cell!r} has no bracket and is ignored",
            expected="(MarkableID=…|MentionAnchor=…)",
        )
    for fields in pairs:
        ids = [fields.get(name, "") for name in ("MarkableID", "MentionAnchor")]
        unknown = [id for id in ids if id not in known]
        if unknown:
            yield Finding(
                Code.IGNORED,
                f"the bridging cell {cell!r} names {' and '.join(map(repr, unknown))}, but the "
                "document has no such markable",
                expected="the IDs of markables in the column IDENTITY: the pair is ignored",
            )
        else:
            yield UaBridge(*ids)
