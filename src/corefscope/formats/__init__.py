"""Read and write corpora in all supported formats; formats are detected by content."""

from __future__ import annotations

import gc
import gzip
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from os import PathLike, fspath
from pathlib import Path

from corefscope.arguments import of_type, texts
from corefscope.choices import HeadSource
from corefscope.corpus import Corpus, Document
from corefscope.corpus.offsets import CONVENTIONS, OF_TEXT, Convention, Offsets
from corefscope.exceptions import CannotExpress, UnknownName
from corefscope.extending import broken
from corefscope.findings import Code, Finding
from corefscope.formats.conll.columns import ConllColumns, parse_columns
from corefscope.formats.corefud.declaration import HEADS
from corefscope.formats.detection import Head
from corefscope.formats.directories import TEXT_ENDINGS, ignored, sources
from corefscope.formats.file_names import local, shown
from corefscope.formats.reading.builder import Builder
from corefscope.formats.reading.limits import Limits
from corefscope.formats.reading.options import ReadingOptions, Role
from corefscope.formats.reading.source import STANDARD_INPUT, Progress, Source
from corefscope.formats.registry import (
    FORMATS,
    Format,
    chosen,
    is_no_document,
    parse_format,
    recognise,
    writing_by_ending,
    writings,
)
from corefscope.formats.writing.abilities import Feature, Writing, Written
from corefscope.formats.writing.overwriting import refuse_inputs, refuse_inputs_in_folder
from corefscope.output import OutputFolder, refuse_remote, write_file
from corefscope.records import dataclass

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
    of_type("columns", columns, (str, ConllColumns, type(None)), "columns such as 'coref=-1'")
    if head not in HEADS:
        raise UnknownName("choice of head", str(head), HEADS)
    asked = ReadingOptions() if given is None else given[1]
    options = replace(
        asked,
        columns=parse_columns(columns) if isinstance(columns, str) else columns,
        head=head if asked.head == "file" else asked.head,
        names="join" if join_names else asked.names,
        by_document=by_document,
        role=role,
    )
    path, named = _path(path), None if given is None else given[0]
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _FileReader:
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


def write(
    corpus: Corpus,
    path: str | PathLike[str],
    format: str | None = None,
    *,
    lossy: bool = False,
    progress: Progress | None = None,
) -> list[Finding]:
    """Write a corpus to a file, to a folder, or to standard output for ``-``.

    Nothing is written if the format cannot express all annotations of coreference, unless ``lossy``
    allows to leave them out. Layers of the text that the format has no place for are always left
    out. Whatever is left out is in the returned findings. Files are written completely or not at
    all.

    Parameters
    ----------
    corpus
        The corpus to write.
    path
        The file to write, or ``-`` for standard output. Formats with files for each document, such
        as brat, are written to a folder; a single document in one file may also be written to a
        file with the extension of the format.
    format
        The name of a format; inferred from the extension by default.
    lossy
        Whether to leave out annotations that the format cannot express.
    progress
        Called with a number of documents when they are examined, and again when they are written.

    Returns
    -------
    list of Finding
        The text layers and annotations that are not written.

    Raises
    ------
    CannotExpress
        If the format cannot represent the annotations; its ``findings`` list them.
    CannotWrite
        If a file cannot be written; the previous files are unchanged.
    OutputIsInput
        If the corpus was read from this file: its texts are read again when needed.
    """
    from corefscope.formats.writing import losses

    of_type("corpus", corpus, Corpus, "a Corpus, such as corefscope.read(path)")
    path = _path(path)
    name, options = _writing(format or _format_by_ending(path))
    lost, layers = losses.losses_of(corpus, name, progress)
    if options.get("zeros") == "keep":
        lost = [each for each in lost if each.feature is not Feature.EMPTY_NODES]
    writing = writings()[name]
    refused = [each for each in lost if each.feature not in writing.left_out]
    if refused and not lossy:
        raise losses.refusal(refused, name, corpus.path)
    kept = writing.kept_in_part
    written = losses.without(corpus, [each for each in lost if each.feature not in kept])
    files = _files(written, name, options, progress)
    findings = losses.said_of_layers(corpus, layers, name)
    findings += losses.said(lost, name, corpus.path)
    inputs = [corpus.path] if corpus.path else []
    removed = _write_files(files, path, name, inputs)
    return [*findings, *removed]


def _path(path: str | PathLike[str]) -> str:
    return fspath(of_type("path", path, (str, PathLike), "a string or a pathlib.Path"))


def _files(
    corpus: Corpus, format: str, options: Mapping[str, str], progress: Progress | None = None
) -> list[Written]:
    """Return the files of a corpus, made a few documents at a time if they can be joined."""
    from corefscope.corpus.tasks import in_parts
    from corefscope.formats.writing.abilities import BLANKS, EVERYTHING
    from corefscope.formats.writing.expressing import relabelled, with_visible_words

    writing = writings()[format]
    if writing.is_label is not None:
        corpus = relabelled(corpus, writing.is_label)
    if writing.layers.isdisjoint({BLANKS, EVERYTHING}):
        corpus = with_visible_words(corpus)
    if not writing.is_joined or not len(corpus):
        files = list(writing.write(corpus, **options))
        if progress:
            progress(len(corpus))
        return files
    parts = in_parts(partial(_file_of_some, corpus, writing, options), corpus, progress)
    names, data = zip(*parts, strict=True)
    return [(names[0], b"".join(data))]


def _file_of_some(
    corpus: Corpus, writing: Writing, options: Mapping[str, str], numbers: range
) -> Written:
    documents = [Document(corpus, number) for number in numbers]
    (file,) = writing.write(documents, **options)
    return file


def _write_files(
    files: Sequence[Written], path: str, format: str, inputs: Sequence[str]
) -> list[Finding]:
    """Write the files of a corpus, one file or a folder; report files that this removes."""
    if not writings()[format].is_folder:
        refuse_inputs(path, inputs)
        data = files[0][1]
        write_file(path, gzip.compress(data, mtime=0) if path.endswith(".gz") else data)
        return []
    if path == STANDARD_INPUT:
        raise CannotExpress(
            Finding(
                Code.NOT_EXPRESSIBLE,
                f"{format} has several files",
                expected="the name of a folder to write them to",
                file=None,
            )
        )
    # A path of pathlib has one slash only after the scheme.
    refuse_remote(path)
    refuse_inputs_in_folder(path, inputs, of_documents=True)
    with OutputFolder(Path(path)) as folder:
        folder.check(name for name, _ in files)
        for name, data in files:
            folder.write(name, data)
    return list(_old_files(folder))


def _old_files(folder: OutputFolder) -> Iterator[Finding]:
    """Report which files of an earlier run were removed from a folder, and which stay there."""
    parts = []
    if folder.removed:
        parts.append(
            "files of an earlier run that are not part of the new output were removed: "
            f"{len(folder.removed):,}, the first of them {folder.removed[0]!r}"
        )
    if folder.kept:
        parts.append(
            "files of an earlier run that were changed since, and files that belong to them, were "
            f"not removed: {len(folder.kept):,}, the first of them {folder.kept[0]!r}; all files "
            "of a folder are read together, so move these, or write to another folder"
        )
    if parts:
        yield Finding(Code.OLD_FILES, "; ".join(parts), file=str(folder.path))


def encoded(corpus: Corpus, format: str) -> bytes:
    """Return the contents of a file with this corpus, in a format with one file.

    What the writer of the format leaves out is not reported.
    """
    name, options = _writing(format)
    ((_, data),) = _files(corpus, name, options)
    return data


def _writing(format: str) -> tuple[str, dict[str, str]]:
    """Return the name of a format that is written, and the options that follow it."""
    name, _, details = str(format).partition(":")
    if name not in writings():
        raise UnknownName("format that can be written", name, writings())
    known = writings()[name].options
    options: dict[str, str] = {}
    for item in details.split(",") if details else ():
        option, _, value = item.partition("=")
        if option not in known:
            raise UnknownName(f"option of {name}", option, known)
        if value not in known[option]:
            raise UnknownName(f"choice of {option}", value, known[option])
        options[option] = value
    return name, options


def _format_by_ending(path: str) -> str:
    name = writing_by_ending(path)
    if name is None:
        raise UnknownName("output format for a file", path, writings())
    return name


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
