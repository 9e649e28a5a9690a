"""Choose the files to read in a directory."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from corefscope.exceptions import InvalidInput
from corefscope.findings import Code, Finding, Remedy
from corefscope.formats.file_names import local, shown
from corefscope.formats.reading.limits import Limits
from corefscope.formats.reading.source import ENDING, STANDARD_INPUT, Source, reporting
from corefscope.formats.registry import (
    FORMATS,
    OF_JSON,
    companions,
    endings,
    is_no_document,
    owners,
    recognise,
)
from corefscope.output import LIST

COMMON = (".xml", ".tsv", ".csv")
"""Extensions of formats that are read, and of many other files."""
JSON = ".json"
TEXT_ENDINGS = (".txt", ".txt.gz")
"""The extensions of plain text, which may be anything."""


def sources(
    path: str, include: Sequence[str] = (), limits: Limits | None = None
) -> tuple[list[Source], list[Finding]]:
    """Return the files to read for a path, and a finding if a directory has others.

    If there are patterns in ``include``, files of a directory must match one of them.
    """
    limits = limits or Limits.from_environment()
    if path == STANDARD_INPUT:
        return [Source(name="<standard input>", path=None, limits=limits)], []
    if not path:
        raise InvalidInput.of(
            Code.UNREADABLE, "the path is empty", expected="a file, a directory or -"
        )
    place = local(path)
    path = shown(place)
    if not os.path.isdir(place):  # noqa: PTH112 - unlike Path.is_dir, it never raises
        return [Source(name=path, path=Path(place), limits=limits)], []
    with reporting(path):
        files = sorted(files_below(place))
    if not include and not all(map(has_known_ending, files)):
        FORMATS.with_others()
    chosen = _included(Path(place), files, include) if include else filter(is_wanted, files)
    found = [Source(name=shown(str(file)), path=file, limits=limits) for file in chosen]
    findings: list[Finding] = []
    if not include:
        found, findings = _of_known_formats(path, found, files)
    _add_extensions(found)
    _add_folders(found, Path(place))
    return found, findings


def _add_extensions(files: Sequence[Source]) -> None:
    """Tell files of a folder apart whose names differ only after a dot: ``ch.one.json``.

    The last extension is that of the format, and never belongs to the name of a document. Of the
    others, as few are kept as possible.
    """
    groups: defaultdict[tuple[Path, str], list[tuple[Source, list[str]]]] = defaultdict(list)
    for file in files:
        found = ENDING.search(file.path.name.removesuffix(".gz")) if file.path else None
        if file.path and found:
            groups[file.path.parent, file.stem].append((file, re.findall(r"\.[^.]+", found[0])))
    for group in groups.values():
        longest = max(len(extensions) for _, extensions in group)
        for removed in range(longest, 0, -1):
            names = ["".join(extensions[:-removed]) for _, extensions in group]
            if len(set(names)) == len(names):
                for (file, _), name in zip(group, names, strict=True):
                    file.extensions = name
                break


def _add_folders(files: Sequence[Source], directory: Path) -> None:
    """Tell files of the same name apart by their folders, as in ``annotation/x.txt/anna.tsv``."""
    count = Counter(file.stem for file in files)
    for file, is_repeated in [(file, count[file.stem] > 1) for file in files]:
        if is_repeated and file.path is not None and file.path.parent != directory:
            file.folder = file.path.parent.relative_to(directory).as_posix()


def _of_known_formats(
    path: str, wanted: Sequence[Source], files: Sequence[Path]
) -> tuple[list[Source], list[Finding]]:
    """Return the files to read of those with a known extension, and a finding about all others."""
    chosen = _without_others(wanted)
    # Text files are read if there is nothing else; otherwise they are notes about the others.
    annotated = [file for file in chosen if not file.name.lower().endswith(TEXT_ENDINGS)]
    chosen = annotated or chosen
    if not chosen:
        raise InvalidInput.of(
            Code.NO_DOCUMENT,
            "the directory contains no document",
            expected=(
                f"files of a known format (see corefscope formats), found {len(files)} others"
            ),
            file=path,
            remedy=Remedy.CHOOSE_FILES,
        )
    known = {file.path for file in chosen}
    others = [
        file.name
        for file in files
        if file not in known and not is_companion(file) and file.name != LIST
    ]
    if not others:
        return chosen, []
    return chosen, [ignored(others, path)]


def ignored(names: Sequence[str], path: str) -> Finding:
    """Return that files of a directory are ignored."""
    shown = ", ".join(names[:3])
    message = f"files of no known format are ignored: {len(names)}, such as {shown}"
    return Finding(Code.OTHER_FILES, message, file=path)


def _without_others(files: Sequence[Source]) -> list[Source]:
    """Leave out files that are no documents, if there are other files to read.

    They are tables and XML of no known format, and settings or figures in JSON beside files with
    other extensions. Where all files are JSON, it is seen when they are read.
    """
    found = set(map(_ending, files))
    examined = set(COMMON)
    if not found.issubset(OF_JSON):
        examined.update(OF_JSON)
    elif found != {JSON}:
        examined.add(JSON)
    known = [file for file in files if _ending(file) not in examined or not _is_other(file)]
    return known or list(files)


def _ending(file: Source) -> str:
    return Path(file.name.lower().removesuffix(".gz")).suffix


def _is_other(file: Source) -> bool:
    if _ending(file) in OF_JSON:
        return is_no_document(file)
    return isinstance(recognise(file), Finding)


def _included(folder: Path, files: Sequence[Path], include: Sequence[str]) -> list[Path]:
    """Return the files that match one of the patterns; raise ``InvalidInput`` if there are none."""
    below = [file.relative_to(folder) for file in files]
    chosen = [file for file, place in zip(files, below, strict=True) if matches_any(place, include)]
    if not chosen:
        number = "1 file" if len(files) == 1 else f"{len(files):,} files"
        example = f", such as {below[0]}" if below else ""
        raise InvalidInput.of(
            Code.NO_DOCUMENT,
            f"no file of this directory matches {' or '.join(map(repr, include))}; it "
            f"contains {number}{example}",
            expected=(
                "at least one match: if key and response have different suffixes, give a "
                "pattern for each"
            ),
            file=shown(str(folder)),
            remedy=Remedy.CHOOSE_FILES,
        )
    return chosen


def matches_any(place: Path, include: Sequence[str]) -> bool:
    """Return whether a file, given by its path below a directory, matches one of the patterns."""
    return any(_matches(place, pattern) for pattern in include)


def _matches(place: Path, pattern: str) -> bool:
    """Return whether a file matches a pattern.

    The pattern is for the file name, or for the path below the directory if it has a slash. As in a
    shell, a wildcard does not match hidden files; the extension ``.gz`` is optional.
    """
    if place.name.startswith(".") and not pattern.rpartition("/")[2].startswith("."):
        return False
    name = place.as_posix() if "/" in pattern else place.name
    return fnmatchcase(name, pattern) or fnmatchcase(name.removesuffix(".gz"), pattern)


def files_below(path: str) -> Iterator[Path]:
    """Yield all files below a directory; links to directories count as files, not followed."""

    def refuse(error: OSError) -> None:
        raise error

    for folder, folders, names in os.walk(path, onerror=refuse):
        links = [name for name in folders if os.path.islink(Path(folder, name))]  # noqa: PTH114
        yield from (Path(folder, name) for name in (*names, *links))


def is_wanted(file: Path) -> bool:
    """Return whether a file is read; a missing one is reported when it is opened."""
    is_there = file.is_file() or not file.exists()
    return has_known_ending(file) and is_there and not is_companion(file)


def is_companion(file: Path) -> bool:
    """Return whether a file is read together with another one, such as the text of annotations."""
    name = file.name.removesuffix(".gz")
    return any(owns(file) for owns in owners()) or any(
        name.endswith(ending) and is_there(file.with_name(name.removesuffix(ending) + other))
        for ending, others in companions().items()
        for other in others
    )


def is_there(file: Path) -> bool:
    """Return whether a file exists, or its gzip file."""
    return file.is_file() or file.with_name(file.name + ".gz").is_file()


def has_known_ending(file: Path) -> bool:
    """Return whether the name of a file has a known extension and is not hidden."""
    name = file.name.lower().removesuffix(".gz")
    return not file.name.startswith(".") and name.endswith(endings())
