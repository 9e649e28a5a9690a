"""Read and write corpora in all supported formats; formats are detected by content."""

from __future__ import annotations

import gzip
from collections.abc import Collection, Sequence
from dataclasses import replace
from os import PathLike, fspath

from corefscope.arguments import texts
from corefscope.corpus import Corpus
from corefscope.corpus.offsets import CONVENTIONS, Offsets
from corefscope.exceptions import UnknownName
from corefscope.findings import Finding
from corefscope.formats.builder import Builder
from corefscope.formats.conll.columns import Columns, parse_columns
from corefscope.formats.corefud.declaration import HEADS, Head
from corefscope.formats.directories import sources
from corefscope.formats.limits import Limits
from corefscope.formats.options import ReadingOptions, Role
from corefscope.formats.overwriting import refuse_inputs
from corefscope.formats.registry import Format, parse_format, recognise
from corefscope.formats.source import Progress, Source
from corefscope.output import write_file


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
    role: Role | None = None,
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

    role
        Whether the corpus is a key or a response. It decides what is read of a file that has both
        gold and predicted entities.

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
    chosen = ReadingOptions() if given is None else given[1]
    options = replace(
        chosen,
        columns=parse_columns(columns) if isinstance(columns, str) else columns,
        head=head if chosen.head == "file" else chosen.head,
        names="join" if join_names else chosen.names,
        role=role,
    )
    used = set()

    def read_into(source: Source, builder: Builder, progress: Progress | None) -> None:
        format = recognise(source) if given is None else given[0]
        if isinstance(format, Finding):
            builder.add(format)
            return
        format.read(source, builder, options, progress)
        used.add((format, options))

    files, findings = sources(fspath(path), texts("include", include), limits)
    builder = Builder(findings=findings)
    if skip_broken and len(files) > 1:
        files = [source for source in files if not builder.skips(source, read_into)]
    for source in files:
        read_into(source, builder, progress)
    return replace(builder.corpus(fspath(path)), offsets=_offsets(used))


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

    if format not in WRITERS:
        raise UnknownName("format", format, WRITERS)
    return "".join(WRITERS[format](corpus)).encode(errors="surrogateescape")


def _format_by_ending(path: str) -> str:
    name = path.lower().removesuffix(".gz")
    endings = {
        "conll": "conll",
        ".conllu": "corefud",
        ".jsonl": "jsonl",
        ".jsonlines": "jsonl",
        ".json": "json",
    }
    for ending, format in endings.items():
        if name.endswith(ending):
            return format
    from corefscope.formats.writing import WRITERS

    raise UnknownName("output format for a file", path, WRITERS)


def _offsets(used: Collection[tuple[Format, ReadingOptions]]) -> Offsets:
    """Return how the offsets of files were read; nothing is known if they have several formats."""
    if len(used) != 1:
        return Offsets("", None)
    ((format, options),) = used
    name = f"{format.name}:{options.clusters}" if options.clusters else format.name
    if format.convention is None:
        return Offsets(name, None)
    convention = options.convention(format.convention)
    return Offsets(name, convention if convention in CONVENTIONS else None)
