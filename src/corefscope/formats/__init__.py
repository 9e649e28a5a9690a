"""Read and write corpora in all supported formats; formats are detected by content."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike, fspath
from typing import cast, get_args

from corefscope.arguments import texts
from corefscope.corpus import Corpus
from corefscope.corpus.anaphora import Layer
from corefscope.corpus.offsets import CONVENTIONS, DEFAULT, Convention, Offsets
from corefscope.exceptions import CannotExpress, UnknownName
from corefscope.findings import Code, Finding
from corefscope.formats.builder import Builder, Reader
from corefscope.formats.clusters import read_clusters
from corefscope.formats.conll.columns import Columns, parse_columns
from corefscope.formats.conll.reading import read_conll
from corefscope.formats.corefud.declaration import HEADS, Head
from corefscope.formats.detection import is_conllu, unread_format
from corefscope.formats.jsonl import CLUSTER_FIELDS, NAME_FIELDS, read_jsonl
from corefscope.formats.limits import Limits
from corefscope.formats.overwriting import refuse_inputs
from corefscope.formats.source import Progress, Source, sources
from corefscope.formats.universal_anaphora.detection import is_universal_anaphora
from corefscope.output import write_file

LONGEST_LOOK = 1 << 24
"""How many bytes of the first line are examined to distinguish the two JSON formats."""

FORMATS = ("conll", "jsonl", "json", "corefud", "ua")
FORMAT_OPTIONS = {
    "jsonl": ("clusters", "base", "ends"),
    "json": ("base", "ends"),
    "corefud": ("head", "names"),
    "ua": ("layer",),
}
"""The options of each format, which follow its name."""


def read(  # noqa: PLR0913 - the options of all formats
    path: str | PathLike[str],
    format: str | None = None,
    *,
    columns: str | Columns | None = None,
    include: Sequence[str] = (),
    skip_broken: bool = False,
    progress: Progress | None = None,
    limits: Limits | None = None,
    head: Head = "file",
    join_names: bool = False,
) -> Corpus:
    """Read a corpus.

    Parameters
    ----------
    path
        A file, a directory of files, or ``-`` for standard input.
    format
        ``conll``, ``jsonl``, ``json``, ``corefud`` or ``ua``; detected from the content by default.
        The JSON formats take options after a colon, separated by commas: ``jsonl:FIELD`` reads the
        clusters from another field, ``base=1`` counts tokens from 1, ``ends=exclusive`` means that
        the end of a span is the token after its last one:
        ``jsonl:predicted_clusters,ends=exclusive``. ``corefud:head=minspan`` takes the heads of
        mentions from their minimal spans. ``ua:layer=deixis`` reads the entities of discourse
        deixis instead of those of identity.
    columns
        The columns of CoNLL files, such as ``word=4,coref=-1``: counted from 1, negative ones from
        the end. Columns that are not given are detected from the content.
    include
        Patterns such as ``*_gold_conll``: read only the files of a directory that match one of
        them. A pattern with a slash is matched against the path below the directory, any other
        against the file name. By default, files are chosen by their extension.
    skip_broken
        Skip the files of a directory that cannot be read, instead of raising an exception.
    progress
        Called with the number of bytes that were just read.
    limits
        Limits on file size and nesting; the defaults can be set in environment variables.
    head
        Where the heads of mentions come from in CorefUD files: the field ``head`` of the brackets
        (``"file"``), or the first number of their field ``minspan``.
    join_names
        Join neighbouring CorefUD documents with the same name, as the official scorer does, instead
        of raising an exception.

    Returns
    -------
    Corpus
        Its ``findings`` are the warnings, its ``skipped_files`` the files that were skipped.

    Raises
    ------
    InvalidInput
        If a file cannot be read; its ``findings`` list all errors.
    """
    given = None if format is None else parse_format(format)
    if head not in HEADS:
        raise UnknownName("choice of head", str(head), HEADS)
    columns = parse_columns(columns) if isinstance(columns, str) else columns
    formats = set()

    def read_into(source: Source, builder: Builder, progress: Progress | None) -> None:
        is_ua = given is None and is_universal_anaphora(source)
        unread = None if given or is_ua else unread_format(source)
        if unread:
            builder.add(unread)
            return
        chosen = given or (UNIVERSAL_ANAPHORA if is_ua else parse_format(recognise(source)))
        chosen.reader(columns, head, join_names)(source, builder, progress)
        formats.add(chosen)

    files, findings = sources(fspath(path), texts("include", include), limits)
    builder = Builder(findings=findings)
    if skip_broken and len(files) > 1:
        files = [source for source in files if not builder.skips(source, read_into)]
    for source in files:
        read_into(source, builder, progress)
    return replace(builder.corpus(fspath(path)), offsets=_offsets(formats))


def write(corpus: Corpus, path: str | PathLike[str], format: str | None = None) -> list[Finding]:
    """Write a corpus to a file, or to standard output for ``-``.

    Text layers and annotations that are not written in the format are reported in the findings.
    The file is written completely or not at all.

    Parameters
    ----------
    corpus
        The corpus to write.
    path
        The file to write, or ``-`` for standard output.
    format
        ``conll``, ``jsonl``, ``json`` or ``corefud``; inferred from the extension by default.

    Returns
    -------
    list of Finding
        The text layers and annotations that are not written.

    Raises
    ------
    CannotExpress
        If the format cannot represent the entities.
    CannotWrite
        If the file cannot be written; the previous file is unchanged.
    OutputIsInput
        If the corpus was read from this file: its texts are read again when needed.
    """
    from corefscope.formats.writing import lost_layers

    path = fspath(path)
    name = format or _format_by_ending(path)
    refuse_inputs(path, [corpus.path] if corpus.path else [])
    data = encoded(corpus, name)
    lost = lost_layers(corpus, name)
    write_file(path, gzip.compress(data, mtime=0) if path.endswith(".gz") else data)
    return lost


def encoded(corpus: Corpus, format: str) -> bytes:
    """Return the contents of a file with this corpus."""
    from corefscope.formats.writing import WRITERS

    if format == "ua":
        message = (
            f"files of Universal Anaphora can be read but not written; expected one of "
            f"{', '.join(WRITERS)}"
        )
        raise CannotExpress(Finding(Code.NOT_EXPRESSIBLE, message))
    if format not in WRITERS:
        raise UnknownName("format", format, WRITERS)
    return "".join(WRITERS[format](corpus)).encode(errors="surrogateescape")


def _format_by_ending(path: str) -> str:
    name = path.lower().removesuffix(".gz")
    endings = {
        "conll": "conll",
        ".conllu": "corefud",
        ".conllua": "ua",
        ".jsonl": "jsonl",
        ".jsonlines": "jsonl",
        ".json": "json",
    }
    for ending, format in endings.items():
        if name.endswith(ending):
            return format
    from corefscope.formats.writing import WRITERS

    raise UnknownName("output format for a file", path, WRITERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format to read, and its options."""

    name: str
    clusters: str | None = None
    """The field with the clusters in JSON lines, if it is not one of the usual ones."""
    convention: Convention = DEFAULT
    head: Head = "file"
    """Where the heads of mentions come from in CorefUD."""
    joins_names: bool = False
    """Whether neighbouring CorefUD documents of one name are one document."""
    layer: Layer = "identity"
    """Which entities of Universal Anaphora to read."""

    def reader(
        self, columns: Columns | None = None, head: Head = "file", join_names: bool = False
    ) -> Reader:
        """Return a function that reads a file of this format.

        ``columns`` is for CoNLL files; ``head`` and ``join_names`` are for CorefUD files, unless
        the format itself says so.
        """
        if self.name == "jsonl":
            return partial(read_jsonl, clusters=self.clusters, convention=self.convention)
        if self.name == "json":
            return partial(read_clusters, convention=self.convention)
        # Less frequent formats are imported when they are read.
        if self.name == "ua":
            from corefscope.formats.universal_anaphora.reading import read_universal_anaphora

            return partial(read_universal_anaphora, layer=self.layer)
        if self.name == "corefud":
            from corefscope.formats.corefud.reading import read_corefud

            head = head if self.head == "file" else self.head
            return partial(read_corefud, head=head, joins_names=self.joins_names or join_names)
        return partial(read_conll, columns=columns)


UNIVERSAL_ANAPHORA = Format(name="ua")


def parse_format(text: str) -> Format:
    """Parse the name of a format and its options, such as ``jsonl:FIELD,base=1,ends=exclusive``."""
    name, colon, details = text.partition(":")
    if name not in FORMATS or (colon and (not details or name not in FORMAT_OPTIONS)):
        raise UnknownName("format", text, FORMATS)
    chosen: dict[str, str] = {}
    for detail in details.split(",") if details else ():
        option, equals, value = detail.strip().partition("=")
        option, value = (option, value) if equals else ("clusters", option)
        if option not in FORMAT_OPTIONS[name] or not value or option in chosen:
            raise UnknownName(f"option of the format {name}", detail, FORMAT_OPTIONS[name])
        chosen[option] = value
    return Format(
        name=name,
        clusters=chosen.get("clusters"),
        convention=_convention(chosen),
        head=_head(chosen),
        joins_names=_joins_names(chosen),
        layer=_layer(chosen),
    )


def _layer(chosen: Mapping[str, str]) -> Layer:
    value = chosen.get("layer", "identity")
    for layer in get_args(Layer):
        if layer == value:
            return cast(Layer, layer)
    raise UnknownName("layer", value, get_args(Layer))


def _joins_names(chosen: Mapping[str, str]) -> bool:
    names = chosen.get("names", "error")
    if names not in ("error", "join"):
        raise UnknownName("choice of names", names, ("error", "join"))
    return names == "join"


def _head(chosen: Mapping[str, str]) -> Head:
    for head in HEADS:
        if chosen.get("head", "file") == head:
            return head
    raise UnknownName("choice of head", chosen["head"], HEADS)


def _convention(chosen: Mapping[str, str]) -> Convention:
    base, ends = chosen.get("base", "0"), chosen.get("ends", "inclusive")
    for convention in CONVENTIONS:
        if (str(convention.base), convention.ends) == (base, ends):
            return convention
    known = ["base=0", "base=1", "ends=inclusive", "ends=exclusive"]
    raise UnknownName("offset convention", f"base={base},ends={ends}", known)


def _offsets(formats: Collection[Format]) -> Offsets:
    """Return how the offsets of files were read; nothing is known if they have several formats."""
    if len(formats) != 1:
        return Offsets("", None)
    (format,) = formats
    name = f"{format.name}:{format.clusters}" if format.clusters else format.name
    has_offsets = "base" in FORMAT_OPTIONS.get(format.name, ())
    return Offsets(name, format.convention if has_offsets else None)


def recognise(source: Source) -> str:
    """Return the format of a file, detected from its first bytes."""
    head = source.head().lstrip()
    if not head.startswith(b"{"):
        is_empty_conllu = not head and source.name.removesuffix(".gz").endswith(".conllu")
        return "corefud" if is_empty_conllu or is_conllu(source) else "conll"
    first, newline, _ = source.head(LONGEST_LOOK).lstrip().partition(b"\n")
    if not newline and len(first) > LONGEST_LOOK // 2:
        return "jsonl" if re.search(rb'"doc_(key|id)"\s*:', first) else "json"
    return "jsonl" if _is_record(first) else "json"


def _is_record(line: bytes) -> bool:
    """Return whether a line is the record of one document, not the start of a JSON object."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return False
    fields = (*NAME_FIELDS, *CLUSTER_FIELDS, "sentences")
    return isinstance(record, dict) and any(field in record for field in fields)
