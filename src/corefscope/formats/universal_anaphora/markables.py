"""From the cells of a document to its markables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from corefscope.corpus.anaphora import Bridge, Markable, Part
from corefscope.findings import Code, Finding
from corefscope.formats.universal_anaphora.cells import (
    NOTHING,
    SEPARATOR,
    parse_bridges,
    parse_minimum,
    parse_piece,
)

IDS = ("EntityID", "MarkableID")


class FilledCell(NamedTuple):
    """A cell that is not empty, and where it stands."""

    text: str
    token: int
    line: int
    is_empty_node: bool


@dataclass(slots=True, kw_only=True)
class _Draft:
    """A markable so far; where it is opened again, what was said last holds."""

    entity: str
    line: int
    is_zero: bool
    starts: list[int]
    ends: list[int]
    minimum: Part | None = None
    element_of: tuple[str, ...] = ()


class MarkableReader:
    """Reads the cells of one column of a document, one after the other."""

    def __init__(self, file: str, empty_nodes: int = 0) -> None:
        self.file = file
        self.empty_nodes = empty_nodes
        """How many empty nodes the document has; some files do not count them in ``Min``."""
        self.findings: list[Finding] = []
        self._drafts: dict[str, _Draft] = {}
        self._open: list[str] = []
        """The markables that are open, those opened last at the end."""

    def read(self, cell: FilledCell) -> None:
        """Close and open what a cell says."""
        closing, *pieces = cell.text.split("(")
        if closing:
            self._close_all(closing, cell)
        for piece in pieces:
            self._open_piece(piece, cell)

    def _close_all(self, closing: str, cell: FilledCell) -> None:
        """Close what the text before the first opening bracket of a cell says."""
        *closings, stray = closing.replace(SEPARATOR, "").split(")")
        if stray:
            self._report(
                Code.BAD_MARKABLE,
                f"the cell {cell.text!r} has {stray!r} outside brackets; expected _, or "
                "closing brackets followed by (EntityID=…|MarkableID=…)",
                cell.line,
            )
        if closings and cell.is_empty_node:
            self._report(
                Code.LONG_ZERO,
                f"the cell {cell.text!r} closes a markable on an empty node; expected a markable "
                "that ends on a word, or that is this node alone: close it on a word",
                cell.line,
            )
        for id in closings:
            self._close(id, cell)

    def markables(self) -> tuple[Markable, ...]:
        """Return all markables, and report those that are still open."""
        for id in self._open:
            self._report(
                Code.UNCLOSED_MARKABLE,
                f"markable {id!r} is still open at the end of its document, so it is in no entity; "
                "expected a closing bracket: add it on the last token of the markable",
                self._drafts[id].line,
            )
        self._check_minima()
        self._check_wholes()
        return tuple(
            [
                Markable(
                    id,
                    draft.entity,
                    # As in the official scorer, the first opening goes with the first closing.
                    tuple(zip(draft.starts, draft.ends, strict=False)),
                    draft.minimum,
                    tuple(dict.fromkeys(draft.element_of)) if draft.element_of else (),
                    draft.is_zero,
                    draft.line,
                )
                for id, draft in self._drafts.items()
            ]
        )

    def _check_minima(self) -> None:
        """Report the first markable of a document whose minimum span is not within it."""
        wrong = [
            (id, draft, draft.minimum)
            for id, draft in self._drafts.items()
            if draft.minimum
            and draft.ends
            and not (
                min(draft.starts) - self.empty_nodes <= draft.minimum[0]
                and draft.minimum[1] <= max(draft.ends)
            )
        ]
        if wrong:
            id, draft, (first, last) = wrong[0]
            own = f"{min(draft.starts) + 1} to {max(draft.ends) + 1}"
            self._report(
                Code.BAD_MINIMUM,
                f"the minimum span of markable {id!r}, tokens {first + 1} to {last + 1}, is not "
                f"within the markable, tokens {own}{_more(len(wrong), 'markables')}; expected "
                "numbers of tokens of the markable, counted from 1 in its document: no other span "
                "is accepted for it",
                draft.line,
            )

    def _check_wholes(self) -> None:
        """Report the first ``ElementOf`` of a document that names an entity without markables."""
        known = {draft.entity for draft in self._drafts.values()}
        wrong = [
            (id, draft, whole)
            for id, draft in self._drafts.items()
            for whole in draft.element_of
            if whole not in known
        ]
        if wrong:
            id, draft, whole = wrong[0]
            self._report(
                Code.UNKNOWN_WHOLE,
                f"markable {id!r} has ElementOf={whole}, but the document has no markable of "
                f"entity {whole}{_more(len(wrong), 'fields')}; expected the EntityID of a plural "
                "entity: it is ignored",
                draft.line,
            )

    def _close(self, id: str, cell: FilledCell) -> None:
        """Close the markable of an id, or the one opened last if there is none."""
        opened = [place for place, other in enumerate(self._open) if not id or other == id]
        if not opened:
            which = f"markable {id!r}, which is not open" if id else "a markable, but none is open"
            self._report(
                Code.UNOPENED_MARKABLE,
                f"a bracket closes {which}; expected (EntityID=…|MarkableID=… on an earlier line: "
                "check the brackets of this document up to here",
                cell.line,
            )
            return
        self._drafts[self._open.pop(opened[-1])].ends.append(cell.token)

    def _open_piece(self, text: str, cell: FilledCell) -> None:
        """Open the markable that a piece of a cell describes."""
        fields, is_single, has_stray_bracket = parse_piece(text)
        entity, id = fields.get("EntityID"), fields.get("MarkableID")
        if not entity or not id:
            missing = [name for name in IDS if not fields.get(name)]
            self._report(
                Code.BAD_MARKABLE,
                f"a markable in the cell {cell.text!r} has no {' and no '.join(missing)}; expected "
                "(EntityID=…|MarkableID=… with this spelling: add what is missing",
                cell.line,
            )
            return
        if has_stray_bracket:
            self._report(
                Code.STRAY_BRACKET,
                f"the cell {cell.text!r} has a closing bracket after a markable of one token; like "
                "the official scorers, corefscope reads it as part of the value before it. To "
                "close another markable, put the bracket at the beginning of the cell",
                cell.line,
            )
        if cell.is_empty_node and not is_single:
            self._report(
                Code.LONG_ZERO,
                f"markable {id!r} begins on an empty node and does not end there; expected a "
                "markable that is this node alone: close it on this line",
                cell.line,
            )
        draft = self._drafts.get(id)
        if draft is None:
            draft = _Draft(
                entity=entity,
                line=cell.line,
                is_zero=cell.is_empty_node,
                starts=[cell.token],
                ends=[],
            )
            self._drafts[id] = draft
        else:
            self._open_again(id, draft, entity, cell)
        if is_single:
            draft.ends.append(cell.token)
        else:
            self._open.append(id)
        if "Min" in fields and not draft.minimum:
            draft.minimum = self._minimum(fields["Min"], id, cell)
        if "ElementOf" in fields:
            draft.element_of += tuple(filter(None, fields["ElementOf"].split(",")))

    def _open_again(self, id: str, draft: _Draft, entity: str, cell: FilledCell) -> None:
        """Begin another part of a markable."""
        if draft.entity != entity:
            self._report(
                Code.MOVED_MARKABLE,
                f"markable {id!r} is in entity {entity}, but on line {draft.line} it is in entity "
                f"{draft.entity}; expected the same entity for all parts of a markable: the whole "
                f"markable is read as part of entity {entity}",
                cell.line,
            )
            draft.entity = entity
        draft.starts.append(cell.token)

    def _minimum(self, text: str, id: str, cell: FilledCell) -> Part | None:
        """Return a minimum span, if it can be read."""
        minimum = parse_minimum(text)
        if minimum is None:
            self._report(
                Code.BAD_MINIMUM,
                f"the minimum span Min={text} of markable {id!r} cannot be "
                "read and is ignored; expected one or two token numbers, such as Min=3 or Min=3,5",
                cell.line,
            )
        return minimum

    def _report(self, code: Code, message: str, line: int) -> None:
        self.findings.append(Finding(code, message, file=self.file, line=line))


def _more(count: int, what: str) -> str:
    return f" ({count:,} such {what} in the document)" if count > 1 else ""


def read_bridges(
    cells: Iterable[FilledCell], markables: Sequence[Markable], file: str
) -> tuple[list[Bridge], list[Finding]]:
    """Read the column BRIDGING; pairs whose markables do not exist are reported and left out."""
    known = {markable.id for markable in markables}
    bridges: dict[str, Bridge] = {}
    findings: list[Finding] = []
    for cell in cells:
        for found in _bridges_of(cell, known):
            if isinstance(found, Bridge):
                bridges[found.anaphor] = found
            else:
                findings.append(Finding(Code.SKIPPED_BRIDGE, found, file=file, line=cell.line))
    return list(bridges.values()), findings


def _bridges_of(cell: FilledCell, known: set[str]) -> Iterator[Bridge | str]:
    """Yield the pairs of a cell, or what is wrong with one."""
    pairs = parse_bridges(cell.text)
    if not pairs and cell.text != NOTHING:
        yield (
            f"the bridging cell {cell.text!r} has no bracket and is ignored; expected "
            "(MarkableID=…|MentionAnchor=…)"
        )
    for fields in pairs:
        ids = [fields.get(name, "") for name in ("MarkableID", "MentionAnchor")]
        unknown = [id for id in ids if id not in known]
        if unknown:
            yield (
                f"the bridging cell {cell.text!r} names {' and '.join(map(repr, unknown))}, but "
                "the document has no such markable; expected the IDs of markables in the column "
                "IDENTITY: the pair is ignored"
            )
        else:
            yield Bridge(*ids)
