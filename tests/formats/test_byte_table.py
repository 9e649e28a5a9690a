"""Cells of tables that are found in bytes, compared with cells that are split one by one."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefscope.formats.reading.byte_table import (
    ByteTable,
    Uneven,
    is_new,
    line_edges,
    numbers,
    runs,
    with_newlines,
)

CELLS = st.text(alphabet="_-ab1é# ", max_size=20)
ROWS = st.integers(2, 4).flatmap(
    lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=9)
)


@given(ROWS)
def test_columns(rows: list[list[str]]) -> None:
    table = ByteTable.of(rows, len(rows[0]))
    for place, column in enumerate(zip(*rows, strict=True)):
        assert table.column(place) == list(column)
        filled = [row for row, cell in enumerate(column) if cell not in ("", "_", "-")]
        assert table.filled(place, b"_-").tolist() == filled
        assert table.column(place, np.array(filled, np.int64)) == [column[row] for row in filled]
        assert table.containing(place, b"a").tolist() == ["a" in cell for cell in column]
        alike = [len(list(group)) for _, group in groupby(column)]
        assert runs(table.is_new(place, place)) == alike


def test_lines_that_are_no_rows() -> None:
    table = ByteTable(b"# a\tb\tc\n\n1\t2\n\n# d\n3\t4", 2)
    assert table.lines.tolist() == [2, 5]
    assert table.is_blank.tolist() == [False, True, False, True, False, False]
    assert table.column(0) == ["1", "3"] and table.column(1) == ["2", "4"]


@pytest.mark.parametrize("table", [ByteTable.of([], 2), ByteTable(b"", 2), ByteTable(b"#\n\n", 2)])
def test_no_rows(table: ByteTable) -> None:
    assert len(table) == 0 and table.joined(1) == b"" and table.column(0) == []
    assert table.filled(1, b"_").tolist() == [] == runs(table.is_new(0, 1))
    assert table.containing(0, b"#").tolist() == []


@pytest.mark.parametrize("text", [b"1\t2\n3\n", b"1\t2\t3\n", b"1\n"])
def test_uneven_rows(text: bytes) -> None:
    with pytest.raises(Uneven):
        ByteTable(text, 2)


@pytest.mark.parametrize("text", [b"1 2\n", b"1\x0b2\n", b"1\t2 3\n"])
def test_blanks_inside_cells(text: bytes) -> None:
    with pytest.raises(Uneven):
        ByteTable(text, 2, blanks=False)


@given(st.lists(st.binary(max_size=30).map(lambda data: data * 2), max_size=8), st.integers(1, 3))
def test_neighbours_that_differ(parts: list[bytes], times: int) -> None:
    stretches = [part for part in parts for _ in range(times)]
    sizes = np.cumsum([0, *map(len, stretches)])
    expected = [not n or stretches[n] != stretches[n - 1] for n in range(len(stretches))]
    assert is_new(b"".join(stretches), sizes[:-1], sizes[1:]).tolist() == expected


@pytest.mark.parametrize(
    ("text", "pattern", "expected"),
    [
        (b"1\n20\n003\n", b"\n", [[1, 20, 3]]),
        (b"0-12\n13-999999999\n", b"-\n", [[0, 13], [12, 999999999]]),
        (b"", b"-\n", [[], []]),
        (b"1-2\n3\n", b"-\n", None),
        (b"1-\n", b"-\n", None),
        (b"\n", b"\n", None),
        (b"-1\n", b"\n", None),
        (b"1234567890\n", b"\n", None),
    ],
)
def test_numbers(text: bytes, pattern: bytes, expected: list[list[int]] | None) -> None:
    found = numbers(text, pattern)
    assert (None if found is None else found.tolist()) == expected


@given(st.lists(st.sampled_from([b"a", b"\r", b"\n", b"\r\n"])).map(b"".join))
def test_line_edges(block: bytes) -> None:
    lines = block.splitlines(keepends=True)
    assert np.diff(line_edges(block)).tolist() == list(map(len, lines))
    assert len(line_edges(with_newlines(block))) == len(line_edges(block))
