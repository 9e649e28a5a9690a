"""Files and corpora: readers and writers by format, recognised by content."""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections.abc import Callable
from functools import partial
from os import PathLike, fspath
from pathlib import Path
from typing import TypeAlias

from corefscope.corpus import Corpus
from corefscope.findings import Finding, UnknownName
from corefscope.formats.builder import Builder
from corefscope.formats.clusters import read_clusters
from corefscope.formats.conll import read_conll
from corefscope.formats.detection import unread_format
from corefscope.formats.jsonl import CLUSTER_FIELDS, NAME_FIELDS, read_jsonl
from corefscope.formats.source import STANDARD_INPUT, Progress, Source, sources
from corefscope.formats.writing import WRITERS, lost_layers

LONGEST_LOOK = 1 << 24
"""Bytes of the first line that are looked at to tell two formats of JSON apart."""

Reader: TypeAlias = Callable[[Source, Builder, Progress | None], None]

READERS: dict[str, Reader] = {
    "conll": read_conll,
    "jsonl": read_jsonl,
    "json": read_clusters,
}


def read(
    path: str | PathLike[str], format: str | None = None, *, progress: Progress | None = None
) -> Corpus:
    """Read a corpus from a file, a directory of files, or ``-`` for standard input.

    The format is recognised by content unless it is given: ``conll``, ``jsonl`` (``jsonl:FIELD``
    reads the clusters from another field), ``json``. What is odd but readable is in
    ``corpus.findings``; what is not raises :class:`~corefscope.InvalidInput` with all errors.
    """
    reader = None if format is None else reader_for(format)
    files, findings = sources(fspath(path))
    builder = Builder(findings)
    for source in files:
        unread = None if reader else unread_format(source)
        if unread:
            builder.add(unread)
        else:
            (reader or reader_for(recognise(source)))(source, builder, progress)
    return builder.corpus(fspath(path))


def write(corpus: Corpus, path: str | PathLike[str], format: str | None = None) -> list[Finding]:
    """Write a corpus to a file, or to standard output for ``-``.

    The format is told by the file's ending unless it is given. Nothing is written, and
    :class:`~corefscope.CannotExpress` raised, if the format cannot hold the entities; text layers
    that it has no place for are left out, and reported in what is returned.
    """
    path = fspath(path)
    name = format or _format_by_ending(path)
    if name not in WRITERS:
        raise UnknownName("format", name, WRITERS)
    data = "".join(WRITERS[name](corpus)).encode(errors="surrogateescape")
    lost = lost_layers(corpus, name)
    if path == STANDARD_INPUT:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        Path(path).write_bytes(gzip.compress(data, mtime=0) if path.endswith(".gz") else data)
    return lost


def _format_by_ending(path: str) -> str:
    name = path.lower().removesuffix(".gz")
    endings = {"conll": "conll", ".jsonl": "jsonl", ".jsonlines": "jsonl", ".json": "json"}
    for ending, format in endings.items():
        if name.endswith(ending):
            return format
    raise UnknownName("format to write (--to) with the ending of", path, WRITERS)


def reader_for(format: str) -> Reader:
    """Return the reader of a format by name."""
    name, _, detail = format.partition(":")
    if name == "jsonl" and detail:
        return partial(read_jsonl, clusters=detail)
    if format not in READERS:
        raise UnknownName("format", format, READERS)
    return READERS[format]


def recognise(source: Source) -> str:
    """Tell the format of a file by its first bytes."""
    head = source.head().lstrip()
    if not head.startswith(b"{"):
        return "conll"
    first, newline, _ = source.head(LONGEST_LOOK).lstrip().partition(b"\n")
    if not newline and len(first) > LONGEST_LOOK // 2:
        return "jsonl" if re.search(rb'"doc_(key|id)"\s*:', first) else "json"
    return "jsonl" if _is_record(first) else "json"


def _is_record(line: bytes) -> bool:
    """Tell a document on a line from the beginning of one object of all documents."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return False
    fields = (*NAME_FIELDS, *CLUSTER_FIELDS, "sentences")
    return isinstance(record, dict) and any(field in record for field in fields)
