"""Several annotators in one file or one folder.

An export of Label Studio has several annotations of a task. Folders have one file per annotator and
document, in one of three arrangements, which the texts of the files tell apart:

- ``anna.conll``, ``ben.conll``: files of the same text are annotators;
- ``DOC/anna.tsv``, ``DOC/ben.tsv``: a folder per document, as WebAnno and INCEpTION export them;
- ``anna/DOC.conll``, ``ben/DOC.conll``: a folder per annotator.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from glob import escape
from importlib import import_module
from itertools import combinations
from pathlib import Path
from typing import TypeAlias

from msgspec.structs import replace

from corefscope.agreement.common_texts import NotComparable
from corefscope.corpus import Corpus
from corefscope.exceptions import InvalidInput
from corefscope.findings import Code
from corefscope.formats.directories import sources
from corefscope.formats.file_names import local, shown
from corefscope.formats.reading.source import STANDARD_INPUT, Source
from corefscope.formats.registry import Format, parse_format, recognise
from corefscope.inputs import System
from corefscope.matching.documents import paired_documents

ReadFiles: TypeAlias = Callable[[str, str | None, Sequence[str]], Corpus]
"""Reads a path, in a format or in any; of a folder the files that match patterns, or all."""
EXPORTED = "annotation"
"""The folder of an exported project that has the documents of the annotators."""
UNANNOTATED = "INITIAL_CAS"
"""The name of the file that INCEpTION exports for a text before anyone annotated it."""
NAME_THEM = "expected several, or NAME=PATH for each annotator"


def annotators_in(
    path: str, format: str | None, include: Sequence[str], read: ReadFiles
) -> list[System]:
    """Return the annotators of a file or a folder.

    Parameters
    ----------
    path
        An export of Label Studio, or a folder.
    format
        The format of the files, if the user names it.
    include
        Patterns for the files of a folder, if not all are to be read.
    read
        What reads files.

    Raises
    ------
    NotComparable
        If there is one annotator only, or if it is not clear who they are.
    InvalidInput
        If a file cannot be read, or does not say who annotated a text.
    """
    folder = Path(local(path))
    if path == STANDARD_INPUT or not os.path.isdir(folder):  # noqa: PTH112 - it never raises
        return _in_file(path, format, read)
    files = [file.path for file in sources(str(folder), include)[0] if file.path is not None]
    if (folder / EXPORTED).is_dir():
        below = [file for file in files if (folder / EXPORTED) in file.parents]
        files, folder = (below, folder / EXPORTED) if below else (files, folder)
    files = [file for file in files if _stem(file) != UNANNOTATED]
    places = {file: file.relative_to(folder).parts for file in files}
    depths = {len(place) for place in places.values()}
    if depths == {1}:
        return _flat(folder, files, format, read)
    if depths == {2}:
        return _nested(folder, files, format, read)
    raise NotComparable(
        f"{path} has files in {'no folder' if not depths else 'folders of different depth'}; "
        f"{NAME_THEM}"
    )


def _stem(file: Path) -> str:
    return Source(name=str(file), path=file).stem


def _in_file(path: str, format: str | None, read: ReadFiles) -> list[System]:
    (source,), _ = sources(path)
    found = recognise(source) if format is None else parse_format(format)[0]
    if not isinstance(found, Format) or not found.several_annotators:
        raise NotComparable(f"{path} is one file with one annotator; {NAME_THEM}")
    names: Sequence[str | None] = import_module(found.module).annotators(source)
    if None in names:
        raise InvalidInput.of(
            Code.BAD_SHAPE,
            "an annotation has no 'completed_by'",
            expected="the number of a user in each",
            file=path,
        )
    if len(names) < 2:
        raise NotComparable(f"{path} has {len(names)} annotator; {NAME_THEM}")
    kind = format or found.name
    joined = "," if ":" in kind else ":"
    return [
        System(str(name), path, read(path, f"{kind}{joined}annotator={name}", ())) for name in names
    ]


def _flat(folder: Path, files: Sequence[Path], format: str | None, read: ReadFiles) -> list[System]:
    """Return the files of a folder as annotators, if they have the same texts."""
    if len(files) < 2:
        raise NotComparable(f"{shown(str(folder))} has one file; {NAME_THEM}")
    corpora = [read(str(file), format, ()) for file in files]
    if not all(_is_same_text(corpora[0], other) for other in corpora[1:]):
        place = shown(str(folder))
        raise NotComparable(f"the files in {place} have different texts; {NAME_THEM}")
    return [
        System(_stem(file), shown(str(file)), corpus)
        for file, corpus in zip(files, corpora, strict=True)
    ]


def _nested(
    folder: Path, files: Sequence[Path], format: str | None, read: ReadFiles
) -> list[System]:
    """Return the files of folders as annotators, or the folders."""
    are_documents = _have_same_text(files, lambda file: file.parent.name, format, read)
    are_annotators = _have_same_text(files, _stem, format, read)
    if are_documents and not are_annotators:
        return [
            System(name, shown(str(folder)), _of_name(folder, files, name, format, read))
            for name in dict.fromkeys(map(_stem, files))
        ]
    if are_annotators and not are_documents:
        folders = list(dict.fromkeys(file.parent for file in files))
        return [
            System(
                each.name,
                shown(str(each)),
                read(
                    str(each), format, [escape(file.name) for file in files if file.parent == each]
                ),
            )
            for each in folders
        ]
    place = shown(str(folder))
    raise NotComparable(
        f"the texts in {place} do not tell whether its folders are documents or annotators; "
        "expected NAME=PATH for each annotator"
    )


def _have_same_text(
    files: Sequence[Path], group: Callable[[Path], str], format: str | None, read: ReadFiles
) -> bool | None:
    """Return whether two files of one group have the same text; None if no group has two files.

    Two files are enough: others that do not fit are refused when all are compared.
    """
    pairs = (pair for pair in combinations(files, 2) if group(pair[0]) == group(pair[1]))
    first = next(pairs, None)
    if first is None:
        return None
    one, other = (read(str(file), format, ()) for file in first)
    return _is_same_text(one, other)


def _is_same_text(one: Corpus, other: Corpus) -> bool:
    """Return whether two files have a text in common: its words, or the name in the files."""
    if any(one.word_digests or ()) and any(other.word_digests or ()):
        return bool(paired_documents(one, other, "text").all)
    if one.is_unnamed or other.is_unnamed or one.numbered or other.numbered:
        return False
    return not set(one.document_names).isdisjoint(other.document_names)


def _of_name(
    folder: Path, files: Sequence[Path], name: str, format: str | None, read: ReadFiles
) -> Corpus:
    """Read the files of one annotator; documents without a name have that of their folder."""
    own = [file.relative_to(folder).as_posix() for file in files if _stem(file) == name]
    corpus = read(str(folder), format, [escape(each) for each in own])
    return replace(corpus, document_names=tuple(_names(corpus, name)), is_unnamed=False, _index={})


def _names(corpus: Corpus, stem: str) -> Iterator[str]:
    for number, given in enumerate(corpus.document_names):
        file = corpus.file_of(number)
        folder = Path(file).parent.name if file else ""
        named = given.removeprefix(f"{folder}/")
        is_from_file = named == stem or named.startswith(f"{stem}#")
        yield folder + named.removeprefix(stem) if is_from_file and folder else given
