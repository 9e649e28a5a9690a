"""Files and corpora: readers and writers by format, recognised by content."""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike, fspath
from pathlib import Path
from typing import TypeAlias

from corefscope.corpus import Corpus
from corefscope.findings import Finding, UnknownName
from corefscope.formats.builder import Builder
from corefscope.formats.clusters import read_clusters
from corefscope.formats.conll import read_conll
from corefscope.formats.jsonl import CLUSTER_FIELDS, NAME_FIELDS, read_jsonl
from corefscope.formats.source import STANDARD_INPUT, Progress, Source, sources
from corefscope.formats.writing import WRITERS, lost_layers
from corefscope.offsets import CONVENTIONS, DEFAULT, Convention, Offsets

LONGEST_LOOK = 1 << 24
"""Bytes of the first line that are looked at to tell two formats of JSON apart."""

Reader: TypeAlias = Callable[[Source, Builder, Progress | None], None]

READERS: dict[str, Reader] = {
    "conll": read_conll,
    "jsonl": read_jsonl,
    "json": read_clusters,
}
FORMAT_OPTIONS = {"jsonl": ("clusters", "base", "ends"), "json": ("base", "ends")}
"""What can be said of files of a format, after its name."""


def read(
    path: str | PathLike[str], format: str | None = None, *, progress: Progress | None = None
) -> Corpus:
    """Read a corpus from a file, a directory of files, or ``-`` for standard input.

    The format is recognised by content unless it is given: ``conll``, ``jsonl``, ``json``. The JSON
    formats take options after a colon, separated by commas: ``jsonl:FIELD`` reads the clusters from
    another field, ``base=1`` counts tokens from 1, ``ends=exclusive`` takes the end of a span for
    the token after its last, as in ``jsonl:predicted_clusters,ends=exclusive``. What is odd but
    readable is in ``corpus.findings``; what is not raises :class:`~corefscope.InvalidInput` with
    all errors.
    """
    given = None if format is None else parse_format(format)
    files, findings = sources(fspath(path))
    builder = Builder(findings)
    formats = set()
    for source in files:
        chosen = given or parse_format(recognise(source))
        formats.add(chosen)
        chosen.reader()(source, builder, progress)
    return replace(builder.corpus(fspath(path)), offsets=_offsets(formats))


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


@dataclass(frozen=True, slots=True)
class Format:
    """A format to read, and its options."""

    name: str
    clusters: str | None = None
    """The field of the clusters in JSON lines, if it is not a usual one."""
    convention: Convention = DEFAULT

    def reader(self) -> Reader:
        """Return what reads a file of this format."""
        if self.name == "jsonl":
            return partial(read_jsonl, clusters=self.clusters, convention=self.convention)
        if self.name == "json":
            return partial(read_clusters, convention=self.convention)
        return READERS[self.name]


def parse_format(text: str) -> Format:
    """Read the name of a format and its options, such as ``jsonl:FIELD,base=1,ends=exclusive``."""
    name, colon, details = text.partition(":")
    if name not in READERS or (colon and (not details or name not in FORMAT_OPTIONS)):
        raise UnknownName("format", text, READERS)
    chosen: dict[str, str] = {}
    for detail in details.split(",") if details else ():
        option, equals, value = detail.strip().partition("=")
        option, value = (option, value) if equals else ("clusters", option)
        if option not in FORMAT_OPTIONS[name] or not value or option in chosen:
            raise UnknownName(f"option of the format {name}", detail, FORMAT_OPTIONS[name])
        chosen[option] = value
    return Format(name, chosen.get("clusters"), _convention(chosen))


def _convention(chosen: Mapping[str, str]) -> Convention:
    base, ends = chosen.get("base", "0"), chosen.get("ends", "inclusive")
    for convention in CONVENTIONS:
        if (str(convention.base), convention.ends) == (base, ends):
            return convention
    known = ["base=0", "base=1", "ends=inclusive", "ends=exclusive"]
    raise UnknownName("convention of offsets", f"base={base},ends={ends}", known)


def _offsets(formats: Collection[Format]) -> Offsets:
    """Return how the offsets of files were read; files of several formats have no one option."""
    if len(formats) != 1:
        return Offsets("", None)
    (format,) = formats
    name = f"{format.name}:{format.clusters}" if format.clusters else format.name
    return Offsets(name, format.convention if format.name in FORMAT_OPTIONS else None)


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
