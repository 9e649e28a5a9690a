"""Damages to the rows and cells of CoNLL files."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from fuzzing.damages.catalogue import CONLL, Change, required, unnoticeable

Cells = list[bytes]


def token_rows(lines: list[bytes]) -> list[int]:
    """Return the numbers of the lines that are tokens."""
    return [n for n, line in enumerate(lines) if line.strip() and not line.startswith(b"#")]


def marked_rows(lines: list[bytes]) -> list[int]:
    """Return the numbers of the token lines with brackets in the last cell."""
    return [n for n in token_rows(lines) if re.search(rb"[()]", split_row(lines[n])[-1])]


def split_row(line: bytes) -> Cells:
    """Split a row into its cells (even places) and the gaps between them (odd places)."""
    return re.split(rb"(\t)" if b"\t" in line else rb"( +)", line)


def in_one_row(change: Callable[[Cells], Cells | None], marked: bool = False) -> Change:
    """Make a change of the cells of one row; ``marked`` takes a row with brackets."""

    def changed(data: bytes, random: Random) -> bytes | None:
        lines = data.split(b"\n")
        rows = marked_rows(lines) if marked else token_rows(lines)
        if not rows:
            return None
        row = random.choice(rows)
        cells = change(split_row(lines[row]))
        if cells is None:
            return None
        lines[row] = b"".join(cells)
        return b"\n".join(lines)

    return changed


def in_all_rows(data: bytes, change: Callable[[Cells], Cells]) -> bytes:
    """Change the cells of all rows."""
    lines = data.split(b"\n")
    for row in token_rows(lines):
        lines[row] = b"".join(change(split_row(lines[row])))
    return b"\n".join(lines)


@required(CONLL, "the row has fewer columns than its neighbours")
def drop_the_last_cell(data: bytes, random: Random) -> bytes | None:
    """``the TAB (1`` becomes ``the``."""
    return in_one_row(lambda cells: cells[:-2] if len(cells) > 2 else None, True)(data, random)


@required(CONLL, "a column of words or names is not a column of brackets, or no mention is left")
def drop_the_last_column(data: bytes, random: Random) -> bytes | None:
    """All rows lose their last cell."""
    return in_all_rows(data, lambda cells: cells[:-2] if len(cells) > 2 else cells)


def dash_the_last_cell(data: bytes, random: Random) -> bytes | None:
    """The last cell says that there is no mention."""
    return in_one_row(lambda cells: [*cells[:-1], b"-"], True)(data, random)


@unnoticeable(CONLL, "an empty cell means no mention, as '-' does", same_as=dash_the_last_cell)
def empty_the_last_cell(data: bytes, random: Random) -> bytes | None:
    """``the TAB (1)`` becomes ``the TAB``; only tabs can show an empty cell."""
    return in_one_row(
        lambda cells: [*cells[:-1], b""] if b"\t" in cells[-2:] else None, marked=True
    )(data, random)


@required(CONLL, "the row has more columns than its neighbours")
def add_a_cell(data: bytes, random: Random) -> bytes | None:
    """One row gets another ``-`` at its end."""
    return in_one_row(lambda cells: [*cells, *cells[-2:-1], b"-"], True)(data, random)


@required(CONLL, "no mention is left in the whole file")
def add_a_column_of_dashes(data: bytes, random: Random) -> bytes | None:
    """Every row gets another ``-`` at its end."""
    return in_all_rows(data, lambda cells: [*cells, *cells[-2:-1], b"-"])


@unnoticeable(CONLL, "a document without mentions is valid, and documents may differ in columns")
def add_a_column_to_one_document(data: bytes, random: Random) -> bytes | None:
    """Every row of one document gets another ``-`` at its end."""
    documents = re.split(rb"(?<=#end document\n)", data)
    number = random.randrange(len(documents) - 1)
    documents[number] = in_all_rows(documents[number], lambda c: [*c, *c[-2:-1], b"-"])
    return b"".join(documents)


@required(CONLL, "the last column has no brackets, other ones, or the words are others")
def swap_two_columns(data: bytes, random: Random) -> bytes | None:
    """The last column and another change places in all rows."""
    offset = random.randint(1, 12)

    def swapped(cells: Cells) -> Cells:
        other = len(cells) - 1 - 2 * offset
        if other >= 0:
            cells[-1], cells[other] = cells[other], cells[-1]
        return cells

    return in_all_rows(data, swapped)


@unnoticeable(CONLL, "the cell that comes last in its row may be a valid one")
def swap_two_cells(data: bytes, random: Random) -> bytes | None:
    """The last two cells of one row change places."""
    return in_one_row(
        lambda cells: [*cells[:-3], *cells[:-4:-1]] if len(cells) > 3 else None, True
    )(data, random)


@required(CONLL, "blanks separate as tabs do, or the number of columns changes")
def blanks_for_tabs(data: bytes, random: Random) -> bytes | None:
    """One row is separated by blanks in a file with tabs."""
    if b"\t" not in data:
        return None
    return in_one_row(lambda cells: [cell.replace(b"\t", b" ") for cell in cells], True)(
        data, random
    )


@required(CONLL, "the row has fewer columns than its neighbours")
def one_blank_for_a_tab(data: bytes, random: Random) -> bytes | None:
    """One tab of a row becomes a blank."""
    if b"\t" not in data:
        return None
    lines = data.split(b"\n")
    row = random.choice(token_rows(lines))
    tabs = [match.start() for match in re.finditer(rb"\t", lines[row])]
    place = random.choice(tabs)
    lines[row] = lines[row][:place] + b" " + lines[row][place + 1 :]
    return b"\n".join(lines)


@required(CONLL, "brackets no longer come in pairs")
def lose_a_bracket(data: bytes, random: Random) -> bytes | None:
    """One bracket of the last column is deleted."""
    return _at_a_bracket(data, random, b"")


@required(CONLL, "brackets no longer come in pairs")
def replace_a_bracket(data: bytes, random: Random) -> bytes | None:
    """One bracket of the last column becomes another sign."""
    return _at_a_bracket(data, random, random.choice([b"(", b")", b"[", b"{", b"<", b"|", b"-"]))


def _at_a_bracket(data: bytes, random: Random, sign: bytes) -> bytes | None:
    place = random.random()

    def changed(cells: Cells) -> Cells:
        cell = cells[-1]
        brackets = [match.start() for match in re.finditer(rb"[()]", cell)]
        at = brackets[int(place * len(brackets))]
        return [*cells[:-1], cell[:at] + sign + cell[at + 1 :]]

    return in_one_row(changed, marked=True)(data, random)


@required(CONLL, "the mention is opened under one number and closed under another")
def renumber_one_end(data: bytes, random: Random) -> bytes | None:
    """The number of an opening bracket changes, and not that of its closing one."""
    return in_one_row(
        lambda cells: [*cells[:-1], re.sub(rb"^\((\d+)($|\|)", rb"(9\1\2", cells[-1])], True
    )(data, random)


@unnoticeable(CONLL, "another number for a mention is another annotation")
def renumber_a_mention(data: bytes, random: Random) -> bytes | None:
    """A mention of one token moves to another entity."""
    return in_one_row(
        lambda cells: [*cells[:-1], re.sub(rb"\((\d+)\)", rb"(9\1)", cells[-1])], True
    )(data, random)


@unnoticeable(CONLL, "a mention less is another annotation", same_as=None)
def lose_a_mention(data: bytes, random: Random) -> bytes | None:
    """The cell of a mention of one token becomes ``-``."""
    return in_one_row(
        lambda cells: [*cells[:-1], b"-"] if re.fullmatch(rb"\(\d+\)", cells[-1]) else None, True
    )(data, random)


@required(CONLL, "at least twice as many mentions match once the column is moved back")
def move_the_last_column_down(data: bytes, random: Random) -> bytes | None:
    """Every cell of the last column moves to the next row of its document."""
    lines = data.split(b"\n")
    moved, carried = [], b"-"
    for line in lines:
        if line.startswith(b"#"):
            if carried != b"-":
                return None
            moved.append(line)
        elif line.strip():
            cells = split_row(line)
            moved.append(b"".join([*cells[:-1], carried]))
            carried = cells[-1] or b"-"
        else:
            moved.append(line)
    return b"\n".join(moved)
