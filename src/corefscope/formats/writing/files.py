"""Write a corpus: what would be lost is found first, and files are written completely or not."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from os import PathLike
from pathlib import Path

from corefscope.arguments import of_type
from corefscope.corpus import Corpus, Document
from corefscope.corpus.tasks import in_parts
from corefscope.exceptions import CannotExpress, UnknownName
from corefscope.findings import Code, Finding
from corefscope.formats.file_names import path_of
from corefscope.formats.reading.source import STANDARD_INPUT, Progress
from corefscope.formats.registry import writing_by_ending, writings
from corefscope.formats.writing import losses
from corefscope.formats.writing.abilities import BLANKS, EVERYTHING, Feature, Writing, Written
from corefscope.formats.writing.expressing import relabelled, with_visible_words
from corefscope.formats.writing.overwriting import refuse_inputs, refuse_inputs_in_folder
from corefscope.output.files import refuse_remote, write_file
from corefscope.output.folder import OutputFolder


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
    of_type("corpus", corpus, Corpus, "a Corpus, such as corefscope.read(path)")
    path = path_of(path)
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


def _files(
    corpus: Corpus, format: str, options: Mapping[str, str], progress: Progress | None = None
) -> list[Written]:
    """Return the files of a corpus, made a few documents at a time if they can be joined."""
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
