"""Damages to whole lines, to names of documents, and to the encoding."""

from __future__ import annotations

import gzip
import re
import unicodedata
from random import Random

from fuzzing.damages.catalogue import (
    CONLL,
    CONTAINERS,
    CORPORA,
    JSON,
    JSONL,
    OF_TEXT,
    TABLES,
    TEXTS,
    required,
)
from fuzzing.damages.cells import token_rows


@required((*CORPORA, *CONTAINERS), "the last document has no end, is missing, or is not JSON")
def cut_the_file(data: bytes, random: Random) -> bytes | None:
    """The end of the file is lost."""
    return data[: random.randrange(1, len(data))]


@required((*CONLL, *JSONL), "documents or tokens are missing, or a document has no end")
def delete_a_line(data: bytes, random: Random) -> bytes | None:
    """A line is lost."""
    lines = data.split(b"\n")
    del lines[random.randrange(len(lines))]
    return b"\n".join(lines)


@required(CONLL, "a document has no end")
def delete_an_end_line(data: bytes, random: Random) -> bytes | None:
    """A line ``#end document`` is lost."""
    return _without_marker(data, random, b"#end")


@required(CONLL, "lines are outside any document, or a document is longer")
def delete_a_begin_line(data: bytes, random: Random) -> bytes | None:
    """A line ``#begin document`` is lost."""
    return _without_marker(data, random, b"#begin")


def _without_marker(data: bytes, random: Random, marker: bytes) -> bytes:
    lines = data.split(b"\n")
    del lines[random.choice([n for n, line in enumerate(lines) if line.startswith(marker)])]
    return b"\n".join(lines)


@required((*CONLL, *JSONL, "units"), "there is a token, a document or a unit twice")
def duplicate_a_line(data: bytes, random: Random) -> bytes | None:
    """A line is repeated."""
    lines = data.split(b"\n")
    row = random.randrange(len(lines))
    return b"\n".join([*lines[: row + 1], *lines[row:]])


@required((*CONLL, *JSONL), "the document has another number of tokens, or columns, or no end")
def glue_two_lines(data: bytes, random: Random) -> bytes | None:
    """A line end is lost."""
    lines = data.split(b"\n")
    row = random.randrange(len(lines) - 1)
    return b"\n".join([*lines[:row], lines[row] + lines[row + 1], *lines[row + 2 :]])


@required((*CONLL, *JSONL), "the end of one document and the beginning of the next are one line")
def concatenate_without_a_newline(data: bytes, random: Random) -> bytes | None:
    """Files that lack a final newline were concatenated."""
    return re.sub(rb"(#end document|\})\n(#begin|\{)", rb"\1\2", data, count=1)


@required((*CORPORA, *OF_TEXT), "a document comes twice")
def concatenate_twice(data: bytes, random: Random) -> bytes | None:
    """The file is appended to itself."""
    return data + data


@required(CONLL, "tokens are in another order, so words differ or brackets do not pair")
def swap_two_rows(data: bytes, random: Random) -> bytes | None:
    """Two neighbouring rows with different words change places."""
    lines = data.split(b"\n")
    rows = [n for n in token_rows(lines)[:-1] if lines[n + 1].strip()]
    row = random.choice(rows)
    if lines[row + 1].startswith(b"#"):
        return None
    lines[row], lines[row + 1] = lines[row + 1], lines[row]
    return b"\n".join(lines)


@required((*CONLL, *JSONL, *JSON), "a document is missing, or its name is spelt differently")
def rename_a_document(data: bytes, random: Random) -> bytes | None:
    """The name of one document changes."""
    old, new = random.choice(
        [
            (b"tale/mill", b"tale/mile"),
            (b"(tale/mill); part 000", b"tale/mill_0"),
            (b"tale/mill", b"TALE/MILL"),
            (b"tale/mill", b"tale/ferry"),
            (b"tale/mill", b"mill"),
        ]
    )
    return data.replace(old, new)


@required((*CONLL, *JSONL), "the words of the two documents are different")
def exchange_the_names(data: bytes, random: Random) -> bytes | None:
    """Two documents have each other's name."""
    return (
        data.replace(b"tale/mill", b"?")
        .replace(b"tale/ferry", b"tale/mill")
        .replace(b"?", b"tale/ferry")
    )


@required((*CORPORA, *OF_TEXT), "the text is not UTF-8")
def encode_as_utf_16(data: bytes, random: Random) -> bytes | None:
    """The file is written in UTF-16."""
    return data.decode().encode("utf-16")


@required((*CONLL, *JSONL, *OF_TEXT), "the text is not UTF-8")
def encode_as_latin_1(data: bytes, random: Random) -> bytes | None:
    """The file is written in Latin-1."""
    return data.decode().encode("latin-1", "replace")


@required((*CORPORA, *OF_TEXT), "words differ, or a line is outside any document")
def byte_order_mark_in_the_middle(data: bytes, random: Random) -> bytes | None:
    """Files with a byte order mark were concatenated."""
    lines = data.split(b"\n")
    row = random.randrange(1, max(len(lines), 2))
    lines[row] = b"\xef\xbb\xbf" + lines[row]
    return b"\n".join(lines)


@required((*CONLL, *JSONL, *OF_TEXT), "words differ")
def decompose_characters(data: bytes, random: Random) -> bytes | None:
    """Letters with marks are written as a letter and a mark."""
    return unicodedata.normalize("NFD", data.decode()).encode()


@required((*TEXTS, *OF_TEXT), "lines of Windows are lines")
def lines_of_windows(data: bytes, random: Random) -> bytes | None:
    """Lines end in carriage return and newline."""
    return data.replace(b"\n", b"\r\n")


@required((*CONLL, *JSONL, *TABLES, *OF_TEXT), "there is no line end at all")
def lines_of_old_macintoshes(data: bytes, random: Random) -> bytes | None:
    """Lines end in a carriage return alone."""
    return data.replace(b"\n", b"\r")


@required(CORPORA, "the compressed file has a length and a checksum")
def cut_the_compressed_file(data: bytes, random: Random) -> bytes | None:
    """An interrupted copy of a gzip file."""
    packed = gzip.compress(data, mtime=0)
    return packed[: random.randrange(2, len(packed))]
