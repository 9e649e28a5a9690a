"""Read and write corpora in all supported formats; formats are detected by content."""

from __future__ import annotations

import gc
import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from corefscope.arguments import of_type, one_of, texts
from corefscope.choices import HeadSource
from corefscope.corpus import Corpus
from corefscope.corpus.offsets import CONVENTIONS, OF_TEXT, Convention, Offsets
from corefscope.extending import broken
from corefscope.findings import Finding
from corefscope.formats.detection import Head
from corefscope.formats.directories import TEXT_ENDINGS, ignored, sources
from corefscope.formats.file_names import local, path_of, shown
from corefscope.formats.reading.builder import Builder
from corefscope.formats.reading.limits import Limits
from corefscope.formats.reading.options import ReadingOptions, Role
from corefscope.formats.reading.source import Progress, Source
from corefscope.formats.registry import (
    FORMATS,
    Format,
    chosen,
    is_no_document,
    parse_format,
    recognise,
)

if TYPE_CHECKING:
    from corefscope.formats.conll.columns import ConllColumns

ANSWER_ENDINGS = (*TEXT_ENDINGS, ".json", ".json.gz")


def read(  # noqa: PLR0913 - the options of all formats
    path: str | PathLike[str],
    format: str | None = None,
    *,
    columns: str | ConllColumns | None = None,
    include: Sequence[str] = (),
    skip_broken: bool = False,
    progress: Progress | None = None,
    limits: Limits | None = None,
    head: HeadSource = "file",
    join_names: bool = False,
    by_document: bool = False,
    role: Role | None = None,
) -> Corpus:
    """Read a corpus.

    Parameters
    ----------
    path
        A file, a directory of files, or ``-`` for standard input. A remote address, such as
        ``s3://bucket/gold.conll``, is fetched by fsspec (``corefscope[remote]``).
    format
        The name of a format, such as ``conll`` or ``brat``; recognised by the content by default.
        ``corefscope formats`` lists them. Many formats take options after a colon, separated by
        commas: ``jsonl:FIELD`` reads the clusters from another field, ``base=1`` counts tokens from
        1, ``ends=exclusive`` means that the end of a span is the token after its last one:
        ``jsonl:predicted_clusters,ends=exclusive``.
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
        Read CorefUD files as the official scorer does, instead of raising an exception: join
        neighbouring documents with the same name, and accept mentions whose parts are in different
        sentences.
    by_document
        Take cross-document CoNLL files apart into the documents that their third column names;
        by default, what stands between ``#begin document`` and ``#end document`` is one document.
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
    one_of("head", head, HeadSource)
    asked = ReadingOptions() if given is None else given[1]
    options = replace(
        asked,
        columns=None if columns is None else _columns(columns),
        head=head if asked.head == "file" else asked.head,
        names="join" if join_names else asked.names,
        by_document=by_document,
        role=role,
    )
    path, named = path_of(path), None if given is None else given[0]
    files, findings = _chosen(path, named, texts("include", include), limits)
    path = shown(path)
    answers = _format_of_answers(files) if given is None else None
    # A damaged file is a failed answer only where it is certain that it is an answer.
    reader = _FileReader(
        format=None if named is None else named.name,
        options=replace(options, is_answer=(given is not None or answers is not None)),
        answers=answers,
    )
    builder = Builder(findings=findings)
    if skip_broken and len(files) > 1:
        files = [source for source in files if not builder.skips(source, reader.read)]
    is_chosen = given is not None or answers is not None or bool(include) or len(files) < 2
    with _without_collector():
        used = _read_files(files, builder, reader, progress, None if is_chosen else path)
    builder.findings += broken()
    corpus = builder.corpus(path)
    if options.ids == "corpus":
        corpus = replace(corpus, document_namespaces=[""] * len(corpus))
    return replace(corpus, offsets=_offsets(used, reader.options, builder.conventions))


def _columns(columns: str | ConllColumns) -> ConllColumns:
    # Loaded here because most files are read without.
    from corefscope.formats.conll.columns import ConllColumns, parse_columns

    of_type("columns", columns, (str, ConllColumns), "columns such as 'coref=-1'")
    return parse_columns(columns) if isinstance(columns, str) else columns


class _FileReader(Struct, frozen=True, kw_only=True):
    """Reads files, each in its format."""

    format: str | None
    """The name of the format, if it was given."""
    options: ReadingOptions
    answers: Format | None
    """The format of the answers of a language model in the same folder, if there are some."""

    def read(self, source: Source, builder: Builder, progress: Progress | None) -> str | None:
        """Read a file; return the name of its format, or None if it is not read."""
        format = self._format(source, builder)
        if isinstance(format, Finding):
            builder.add(format)
            return None
        format.read(source, builder, self.options, progress)
        return format.name

    def _format(self, source: Source, builder: Builder) -> Format | Finding:
        is_named = bool(self.format)
        format = FORMATS[self.format] if self.format else recognise(source, answers=self.answers)
        if isinstance(format, Finding):
            return format
        return chosen(format, source, builder, self.options, is_named=is_named)


def _read_files(
    files: Sequence[Source],
    builder: Builder,
    reader: _FileReader,
    progress: Progress | None,
    folder: str | None,
) -> set[str]:
    """Read files; return the names of their formats.

    ``folder`` is given if some of its files may have no documents, and are ignored then.
    """
    chosen = files if folder is None else _documents(files, builder, folder)
    formats = [reader.read(source, builder, progress) for source in chosen]
    return {format for format in formats if format is not None}


def _chosen(
    path: str, format: Format | None, include: Sequence[str], limits: Limits | None
) -> tuple[list[Source], list[Finding]]:
    """Return the files to read; a folder that is one file in parts counts as one of them.

    With patterns, the files of a folder are documents.
    """
    place = local(path)
    if not include and os.path.isdir(place):  # noqa: PTH112 - unlike Path, it never raises
        # Loaded here because few annotations are folders.
        from corefscope.formats.divided import format_in_parts

        found = format_in_parts(Path(place), format)
        if found is not None:
            return [Source(name=path, path=Path(place), format=found)], []
    return sources(path, include, limits)


def _documents(files: Sequence[Source], builder: Builder, path: str) -> Iterator[Source]:
    """Yield the files of a directory to read; a minority of files without documents is ignored.

    Each file is recognised just before it is read, so that its beginning is parsed once.
    """
    others = []
    for source in files:
        if is_no_document(source):
            others.append(source)
        else:
            yield source
    if 2 * len(others) > len(files):
        yield from others
    elif others:
        builder.add(ignored([Path(source.name).name for source in others], path))


@contextmanager
def _without_collector() -> Iterator[None]:
    """Pause the garbage collector.

    Readers make many small objects, but no cycles; to look for them takes up to a third of the
    time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _format_of_answers(files: Sequence[Source]) -> Format | None:
    """Return the format of a folder with answers of a language model; None if it has none."""
    names = [file.path.name for file in files if file.path]
    if len(files) < 2 or not all(name.endswith(ANSWER_ENDINGS) for name in names):
        return None
    tests = [format.failed for format in FORMATS.values() if format.failed is not None]
    for file, name in zip(files, names, strict=True):
        kind, head = recognise(file), Head(file)
        if isinstance(kind, Finding) or any(test(head) for test in tests):
            continue
        if kind.failed is not None:
            return kind
        if not name.endswith(TEXT_ENDINGS):
            return None
    return None


def _offsets(
    used: Collection[str],
    options: ReadingOptions,
    conventions: Collection[tuple[Convention, Convention]],
) -> Offsets:
    """Return how the offsets of files were read.

    Nothing is known if the files have several formats, or count in several ways. ``conventions``
    are those of the documents, with the usual one; empty if the format has only one.
    """
    if len(used) != 1:
        return Offsets(convention=None)
    format = FORMATS[next(iter(used))]
    name = f"{format.name}:{options.clusters}" if options.clusters else format.name
    if format.convention is None or len(conventions) > 1:
        return Offsets(format=name, convention=None)
    convention, usual = next(
        iter(conventions), (options.convention(format.convention), format.convention)
    )
    known = Offsets(format=name, convention=None, usual=usual, options=format.options)
    is_shift = replace(convention, unit="token") in CONVENTIONS and convention.unit not in OF_TEXT
    if not is_shift:
        return replace(known, other=convention)
    return replace(known, convention=convention)
