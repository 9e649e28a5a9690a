"""Damages to the lines and cells of any table, to tags, and to plain text."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from fuzzing.damages.catalogue import (
    OF_LINES,
    PLAIN,
    TABLE,
    TAGGED,
    Damaged,
    PlacedChange,
    everywhere,
)
from fuzzing.damages.cells import Cells, split_row, token_rows

CELLS = (TABLE,)


def line_kind(line: bytes) -> str:
    """Return what a line is: blank, a comment with its name, or a row with its first letters."""
    if not line.strip():
        return "blank"
    comment = re.match(rb"#\s?([\w.]*)", line)
    if comment:
        return f"#{comment[1].decode()}"
    row = re.match(rb"[A-Z]+(?=\d*\t)", line)
    return f"row {row[0].decode()}" if row else "row"


def in_one_line(change: Callable[[list[bytes], int, Random], None]) -> PlacedChange:
    """Change the lines at one of them; all kinds of lines are equally likely."""

    def changed(data: bytes, random: Random) -> Damaged | None:
        lines = data.removesuffix(b"\n").split(b"\n")
        kind = random.choice(sorted({line_kind(line) for line in lines}))
        row = random.choice([n for n, line in enumerate(lines) if line_kind(line) == kind])
        change(lines, row, random)
        return Damaged(b"\n".join(lines) + b"\n", kind)

    return changed


def in_one_cell(change: Callable[[Cells, int, Random], Cells | None]) -> PlacedChange:
    """Change the cells of a row at one of them; all columns are equally likely."""

    def changed(data: bytes, random: Random) -> Damaged | None:
        lines = data.split(b"\n")
        rows = [n for n in token_rows(lines) if len(split_row(lines[n])) > 1]
        kind = random.choice(sorted({line_kind(lines[n]) for n in rows}))
        filled = [n for n in rows if line_kind(lines[n]) == kind]
        width = max(len(split_row(lines[n])) for n in filled)
        column = random.randrange((width + 1) // 2)
        wide = [n for n in filled if len(split_row(lines[n])) > 2 * column]
        marked = [n for n in wide if split_row(lines[n])[2 * column] not in (b"_", b"-", b"*", b"")]
        row = random.choice(marked if marked and random.random() < 0.8 else wide)
        cells = change(split_row(lines[row]), 2 * column, random)
        if cells is None:
            return None
        lines[row] = b"".join(cells)
        header = "header" if row == rows[0] else kind
        return Damaged(b"\n".join(lines), f"{header} {column}")

    return changed


def in_all_cells(change: Callable[[Cells, int], Cells]) -> PlacedChange:
    """Change one column in all rows."""

    def changed(data: bytes, random: Random) -> Damaged | None:
        lines = data.split(b"\n")
        rows = token_rows(lines)
        width = max(len(split_row(lines[n])) for n in rows)
        column = random.randrange((width + 1) // 2)
        for row in rows:
            cells = split_row(lines[row])
            if len(cells) > 2 * column:
                lines[row] = b"".join(change(cells, 2 * column))
        return Damaged(b"\n".join(lines), str(column))

    return changed


def without_cell(cells: Cells, at: int) -> Cells:
    """Return cells without one of them, and the gap beside it."""
    return [*cells[: max(at - 1, 0)], *cells[at + (at == 0) + 1 :]]


@everywhere(OF_LINES, "what the line had is missing")
def delete_any_line(data: bytes, random: Random) -> Damaged | None:
    """A line is lost."""

    def change(lines: list[bytes], row: int, _: Random) -> None:
        del lines[row]

    return in_one_line(change)(data, random)


@everywhere(OF_LINES, "a token, a mention or an id comes twice")
def repeat_any_line(data: bytes, random: Random) -> Damaged | None:
    """A line comes twice."""
    return in_one_line(lambda lines, row, _: lines.insert(row, lines[row]))(data, random)


@everywhere(OF_LINES, "tokens are in another order, or a line is in the wrong place")
def swap_any_two_lines(data: bytes, random: Random) -> Damaged | None:
    """Two neighbouring lines change places."""

    def change(lines: list[bytes], row: int, _: Random) -> None:
        lines[row - 1], lines[row] = lines[row], lines[row - 1]

    return in_one_line(change)(data, random)


@everywhere(OF_LINES, "two lines are one, with the cells of both")
def join_any_two_lines(data: bytes, random: Random) -> Damaged | None:
    """The end of a line is lost, or became a tab or a blank."""

    def change(lines: list[bytes], row: int, random: Random) -> None:
        lines[row : row + 2] = [random.choice([b"", b"\t", b" "]).join(lines[row : row + 2])]

    return in_one_line(change)(data, random)


@everywhere(OF_LINES, "half of a line is no line")
def break_any_line(data: bytes, random: Random) -> Damaged | None:
    """A line has a line end in its middle."""

    def change(lines: list[bytes], row: int, random: Random) -> None:
        at = random.randint(0, len(lines[row]))
        lines[row : row + 1] = [lines[row][:at], lines[row][at:]]

    return in_one_line(change)(data, random)


@everywhere(OF_LINES, "the rest of the line is missing")
def cut_any_line(data: bytes, random: Random) -> Damaged | None:
    """A line ends too early."""

    def change(lines: list[bytes], row: int, random: Random) -> None:
        lines[row] = lines[row][: random.randint(min(1, len(lines[row])), len(lines[row]))]

    return in_one_line(change)(data, random)


@everywhere(OF_LINES, "the line does not begin as it should")
def indent_any_line(data: bytes, random: Random) -> Damaged | None:
    """A line begins with a blank or a tab."""

    def change(lines: list[bytes], row: int, random: Random) -> None:
        lines[row] = random.choice([b" ", b"\t"]) + lines[row]

    return in_one_line(change)(data, random)


@everywhere(CELLS, "the row has fewer cells than others")
def drop_any_cell(data: bytes, random: Random) -> Damaged | None:
    """A cell of a row is lost."""
    return in_one_cell(lambda cells, at, _: without_cell(cells, at))(data, random)


@everywhere(CELLS, "the row has more cells than others")
def repeat_any_cell(data: bytes, random: Random) -> Damaged | None:
    """A cell of a row comes twice."""

    def change(cells: Cells, at: int, _: Random) -> Cells:
        gap = cells[1] if len(cells) > 1 else b"\t"
        return [*cells[:at], cells[at], gap, *cells[at:]]

    return in_one_cell(change)(data, random)


@everywhere(CELLS, "the cells have values of other columns")
def swap_any_two_cells(data: bytes, random: Random) -> Damaged | None:
    """Two neighbouring cells of a row change places."""

    def change(cells: Cells, at: int, _: Random) -> Cells | None:
        if not at or cells[at - 2] == cells[at]:
            return None
        cells[at - 2], cells[at] = cells[at], cells[at - 2]
        return cells

    return in_one_cell(change)(data, random)


@everywhere(CELLS, "a cell that is needed is empty")
def empty_any_cell(data: bytes, random: Random) -> Damaged | None:
    """A cell is empty."""
    return in_one_cell(lambda cells, at, _: [*cells[:at], b"", *cells[at + 1 :]])(data, random)


@everywhere(CELLS, "a cell with a value has the sign for none")
def blank_any_cell(data: bytes, random: Random) -> Damaged | None:
    """A cell has the sign for nothing."""

    def change(cells: Cells, at: int, random: Random) -> Cells:
        return [*cells[:at], random.choice([b"_", b"-"]), *cells[at + 1 :]]

    return in_one_cell(change)(data, random)


@everywhere(CELLS, "the number is not a position, or not that of its text")
def change_a_number_of_any_cell(data: bytes, random: Random) -> Damaged | None:
    """A number in a cell changes."""
    number = random.choice([b"+1", b"1000000", b"-1", b"1.5", b"x"])
    letter = b""

    def change(cells: Cells, at: int, _: Random) -> Cells | None:
        nonlocal letter
        matches = list(re.finditer(rb"([A-Za-z]?)(\d+)", cells[at]))
        if not matches:
            return None
        match = random.choice(matches)
        letter = match[1]
        new = b"%d" % (int(match[2]) + 1) if number == b"+1" else number
        cells[at] = cells[at][: match.start(2)] + new + cells[at][match.end() :]
        return cells

    damaged = in_one_cell(change)(data, random)
    return damaged and Damaged(damaged.data, f"{damaged.place} {letter.decode()}{number.decode()}")


@everywhere(CELLS, "the sign is needed, or the value is another one")
def lose_a_character_of_any_cell(data: bytes, random: Random) -> Damaged | None:
    """A character of a cell is lost."""

    def change(cells: Cells, at: int, random: Random) -> Cells | None:
        characters = cells[at].decode(errors="replace")
        if len(characters) < 2:
            return None
        drop = random.randrange(len(characters))
        cells[at] = (characters[:drop] + characters[drop + 1 :]).encode()
        return cells

    return in_one_cell(change)(data, random)


@everywhere(CELLS, "all rows have fewer cells than the header says, or the words are others")
def drop_any_column(data: bytes, random: Random) -> Damaged | None:
    """A column is lost."""
    return in_all_cells(without_cell)(data, random)


@everywhere(CELLS, "the columns have values of each other")
def swap_any_two_columns(data: bytes, random: Random) -> Damaged | None:
    """Two neighbouring columns change places."""

    def change(cells: Cells, at: int) -> Cells:
        if at:
            cells[at - 2], cells[at] = cells[at], cells[at - 2]
        return cells

    return in_all_cells(change)(data, random)


@everywhere((TAGGED,), "tags no longer come in pairs, or an id is another one")
def lose_a_sign_of_a_tag(data: bytes, random: Random) -> Damaged | None:
    """A sign of a tag is lost."""
    found = [match.start() for match in re.finditer(rb'[][{}()<>|#:=",]', data)]
    at = random.choice(found)
    return Damaged(data[:at] + data[at + 1 :], chr(data[at]))


@everywhere((TAGGED,), "tags no longer come in pairs, or an id is another one")
def repeat_a_sign_of_a_tag(data: bytes, random: Random) -> Damaged | None:
    """A sign of a tag comes twice."""
    found = [match.start() for match in re.finditer(rb'[][{}()<>|#:=",]', data)]
    at = random.choice(found)
    return Damaged(data[: at + 1] + data[at:], chr(data[at]))


@everywhere((TAGGED, PLAIN), "words differ, or offsets do not fit their strings")
def lose_a_word_of_text(data: bytes, random: Random) -> Damaged | None:
    """A word is lost."""
    match = random.choice(list(re.finditer(rb"\w+ ?", data)))
    return Damaged(data[: match.start()] + data[match.end() :])


@everywhere((TAGGED, PLAIN), "words differ, or offsets do not fit their strings")
def repeat_a_word_of_text(data: bytes, random: Random) -> Damaged | None:
    """A word comes twice."""
    match = random.choice(list(re.finditer(rb"\w+ ", data)))
    return Damaged(data[: match.end()] + data[match.start() :])


@everywhere((TAGGED, PLAIN), "words differ, or offsets do not fit their strings")
def lose_a_character(data: bytes, random: Random) -> Damaged | None:
    """A character is lost."""
    text = data.decode()
    at = random.randrange(len(text))
    return Damaged((text[:at] + text[at + 1 :]).encode())
