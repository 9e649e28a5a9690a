"""Random changes of files: of bytes, of lines, of cells, and of the structure of JSON.

Every function takes the bytes and a source of random numbers, and returns other bytes. Nothing here
knows what a file means; ``mistakes.py`` has those that people make.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from random import Random
from typing import Any

Mutation = Callable[[bytes, Random], bytes]

LARGEST = 1 << 16
"""Bytes that a mutated file may have; a step that is quadratic already shows at this size."""

INSERTIONS = [
    *(b"(", b")", b"(0", b"0)", b"(0)", b"(0|0)", b"()", b"0)|(0", b"(0+1)", b"|", b"||"),
    *(b"-", b"_", b"*", b"0", b"x", b"\t", b" ", b"\n", b"\r", b"\n\n", b"#", b"# comment\n"),
    *(b"\0", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\x1f\x8b", b"\xc2\x85"),
    *(b"\n#begin document x\n", b"\n#begin document\n", b"\n#end document\n"),
]
"""Bytes that mean something to a reader."""

MORE_INSERTIONS = [
    *(b"[", b"]", b"{", b"}", b'"', b",", b":", b"[[", b"]]", b"null", b"NaN", b"1e999", b"-1"),
    *(b"\x1b[31m", b"\xe2\x80\xae", b"\xe2\x80\xa8", b"<script>", b"\\u0000", b"\\ud800", b"&"),
    *(b"99999999999999999999", b"0x1", b"1.5", b"true", b"#end document#begin document y"),
]

CELLS = [
    *(b"", b"-", b"_", b"*", b"(0)", b"(0", b"0)", b"(0)|(1)", b"(1|(0", b"(0|(0", b"0)|0)", b"0"),
    *(
        b"((0)",
        b"(a b)",
        b"(PERSON)",
        b"(PERSON*",
        b"*)",
        b"(TOP(S*",
        b"*))",
        b"(-)",
        b"(0)-",
        b"|",
    ),
]

VALUES: list[Any] = [
    *(None, True, 0, -1, 1, 1.0, 0.5, 2**31, 2**63, 1e308, "", "0", "x", "\ud800", "\x1b[0m"),
    *([], [[]], [0], [0, 0], [[0, 0]], [1, 0], [0, 0, 0], ["a", "b"], {}, {"a": 1}),
]


def mutated(data: bytes, random: Random) -> bytes:
    """Apply a few random mutations, more often one than several."""
    for _ in range(random.choice([1, 1, 1, 2, 2, 3, 6])):
        data = random.choice(MUTATIONS)(data, random)[:LARGEST]
    return data


def insert(data: bytes, where: int, other: int, inserted: bytes) -> bytes:
    """Insert bytes at a place."""
    return data[:where] + inserted + data[where:]


def replace(data: bytes, where: int, other: int, inserted: bytes) -> bytes:
    """Replace one byte."""
    return data[:where] + inserted + data[where + 1 :]


def delete(data: bytes, where: int, other: int, inserted: bytes) -> bytes:
    """Delete up to eight bytes."""
    return data[:where] + data[where + 1 + other % 8 :]


def duplicate(data: bytes, where: int, other: int, inserted: bytes) -> bytes:
    """Duplicate up to eight bytes."""
    return data[:where] + data[where : where + 1 + other % 8] + data[where:]


def cut_tail(data: bytes, where: int, other: int, inserted: bytes) -> bytes:
    """Cut the file off."""
    return data[:where]


def swap_lines(data: bytes, where: int, other: int, inserted: bytes) -> bytes:
    """Swap two lines."""
    lines = data.splitlines(keepends=True) or [b""]
    here, there = where % len(lines), other % len(lines)
    lines[here], lines[there] = lines[there], lines[here]
    return b"".join(lines)


def drop_line(data: bytes, where: int, other: int, inserted: bytes) -> bytes:
    """Delete a line."""
    lines = data.splitlines(keepends=True) or [b""]
    del lines[where % len(lines)]
    return b"".join(lines)


def repeat_line(data: bytes, where: int, other: int, inserted: bytes) -> bytes:
    """Repeat a line elsewhere."""
    lines = data.splitlines(keepends=True) or [b""]
    lines.insert(other % len(lines), lines[where % len(lines)])
    return b"".join(lines)


EDITS = [insert, replace, delete, duplicate, drop_line, repeat_line, swap_lines, cut_tail]
"""Edits at one or two places; a test with hypothesis draws the places itself."""


def edit(data: bytes, random: Random) -> bytes:
    """Make one of the edits at a random place."""
    where, other = random.randint(0, len(data)), random.randint(0, len(data))
    inserted = random.choice(INSERTIONS + MORE_INSERTIONS)
    return random.choice(EDITS)(data, where, other, inserted)


def flip_bit(data: bytes, random: Random) -> bytes:
    """Flip one bit."""
    if not data:
        return data
    place = random.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << random.randrange(8)]) + data[place + 1 :]


def change_cell(data: bytes, random: Random) -> bytes:
    """Change, drop or add one cell of one line."""
    lines = data.split(b"\n")
    number = random.randrange(len(lines))
    separator = b"\t" if b"\t" in lines[number] else b" "
    cells = lines[number].split(separator)
    place = random.choice([random.randrange(len(cells)), len(cells) - 1])
    cells[place : place + random.choice([0, 1, 1, 1])] = random.choice([[random.choice(CELLS)], []])
    lines[number] = separator.join(cells)
    return b"\n".join(lines)


def change_column(data: bytes, random: Random) -> bytes:
    """Drop one column, or swap two of them, in all lines that have them."""
    separator = b"\t" if b"\t" in data else b" "
    one, other = random.randint(-3, 4), random.randint(-3, 4)
    drop = random.random() < 0.5
    lines = []
    for line in data.split(b"\n"):
        cells = line.split(separator)
        if not line.startswith(b"#") and -len(cells) <= min(one, other) <= max(one, other) < len(
            cells
        ):
            cells[one], cells[other] = cells[other], cells[one]
            if drop:
                del cells[one]
        lines.append(separator.join(cells))
    return b"\n".join(lines)


def repeat_many_times(data: bytes, random: Random) -> bytes:
    """Repeat a short piece until the file is large."""
    where = random.randint(0, len(data))
    piece = data[where : where + random.choice([1, 4, 40, 400])] or b"("
    piece = random.choice([piece, random.choice(INSERTIONS + MORE_INSERTIONS)])
    times = random.choice([50, 2_000, LARGEST]) // len(piece) + 1
    return data[:where] + piece * min(times, LARGEST // len(piece)) + data[where:]


def change_line_ends(data: bytes, random: Random) -> bytes:
    """Use other line ends, in the whole file or in one place."""
    return data.replace(b"\n", random.choice([b"\r\n", b"\r", b"\n\r"]), random.choice([1, -1]))


def change_encoding(data: bytes, random: Random) -> bytes:
    """Encode the text in another way."""
    text = data.decode(errors="replace")
    return text.encode(random.choice(["utf-16", "utf-8-sig", "latin-1", "utf-32"]), "replace")


def compress(data: bytes, random: Random) -> bytes:
    """Compress the file, sometimes with damage."""
    packed = gzip.compress(data, mtime=0)
    return random.choice([packed, edit(packed, random), packed + packed, packed + b"x"])


def change_json(data: bytes, random: Random) -> bytes:
    """Change one value somewhere in the JSON of the file, or of one of its lines."""
    lines = data.split(b"\n") if b"\n{" in data.rstrip() else [data]
    number = random.randrange(len(lines))
    try:
        record = json.loads(lines[number])
        lines[number] = json.dumps(_changed(record, random)).encode()
    except (ValueError, OverflowError, RecursionError):
        # It is no JSON, or a number in it is too long to be written or to become a float.
        return edit(data, random)
    return b"\n".join(lines)


def _changed(value: Any, random: Random) -> Any:
    """Return the value with a change at a random depth."""
    if isinstance(value, dict) and value and random.random() < 0.85:
        key = random.choice(list(value))
        return random.choice(OBJECT_CHANGES)(value, key, random)
    if isinstance(value, list) and value and random.random() < 0.85:
        place = random.randrange(len(value))
        return random.choice(LIST_CHANGES)(value, place, random)
    if type(value) in (int, float) and random.random() < 0.5:
        return random.choice([value + 1, value - 1, -value, value * 2, float(value), str(value)])
    return random.choice([*VALUES, [value], {"x": value}])


def _renamed(value: dict[str, Any], key: str, random: Random) -> Any:
    other = random.choice(["clusters", "predicted_clusters", "doc_key", "sentences", "x", ""])
    return {other if name == key else name: item for name, item in value.items()}


OBJECT_CHANGES: list[Callable[[dict[str, Any], str, Random], Any]] = [
    lambda value, key, random: {**value, key: _changed(value[key], random)},
    lambda value, key, random: {**value, key: _changed(value[key], random)},
    lambda value, key, random: {name: item for name, item in value.items() if name != key},
    _renamed,
]
LIST_CHANGES: list[Callable[[list[Any], int, Random], Any]] = [
    *[lambda value, at, random: [*value[:at], _changed(value[at], random), *value[at + 1 :]]] * 3,
    lambda value, at, random: [*value[:at], *value[at + 1 :]],
    lambda value, at, random: [*value[: at + 1], *value[at:]],
    lambda value, at, random: value[::-1],
]

MUTATIONS: list[Mutation] = [
    *[edit] * 5,
    *[change_cell] * 4,
    *[change_json] * 4,
    flip_bit,
    change_column,
    repeat_many_times,
    change_line_ends,
    change_encoding,
    compress,
]
"""Mutations, the more useful ones several times."""
