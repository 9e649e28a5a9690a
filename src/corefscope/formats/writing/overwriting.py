"""Make sure that no output is an input, not even under another name or in the next run."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from fnmatch import fnmatch
from pathlib import Path

from corefscope.exceptions import InvalidInput, OutputIsInput
from corefscope.findings import Code, Finding
from corefscope.formats.directories import files_below, has_known_ending, is_wanted
from corefscope.formats.reading.source import STANDARD_INPUT, Source
from corefscope.formats.registry import companions, recognise


def refuse_inputs(output: str, inputs: Iterable[str]) -> None:
    """Raise an exception if an output file is also an input.

    Parameters
    ----------
    output
        The file to write.
    inputs
        The files, folders and patterns that are read.

    Raises
    ------
    OutputIsInput
        If the output is one of the inputs, under any name; if it is a file of an input folder; if
        it belongs to an input, such as the text of annotations; or if its name and folder mean that
        it would be read the next time.
    """
    if output == STANDARD_INPUT:
        return
    for given in map(_without_scheme, inputs):
        for file in _files(given):
            if _is_same(output, file):
                _refuse(output, f"the output is an input: {given} is read", "another file")
            if _belongs_to(output, file):
                message = f"the output belongs to an input: it is read together with {file}"
                _refuse(output, message, "another file")
        if _would_be_read(output, given):
            message = f"the output would be an input the next time: it would be read with {given}"
            _refuse(output, message, "a file elsewhere, or with another extension")


def refuse_inputs_in_folder(folder: str, inputs: Iterable[str], *, of_documents: bool) -> None:
    """Raise an exception if an output folder also has inputs.

    Parameters
    ----------
    folder
        The folder to write.
    inputs
        The files, folders and patterns that are read.
    of_documents
        Whether the files written there can be read as inputs.

    Raises
    ------
    OutputIsInput
        If the folder is or contains an input; or if it is inside an input folder and would add
        documents to it.
    """
    for given in map(_without_scheme, inputs):
        for path in [given, *_files(given)]:
            if os.path.exists(path) and _is_inside(path, folder):  # noqa: PTH110 - never raises
                message = f"the output folder is an input or contains one: {path} is read"
                _refuse(folder, message, "another folder")
        is_folder = os.path.isdir(given)  # noqa: PTH112 - it never raises
        if of_documents and is_folder and _is_inside(folder, given):
            message = f"the output would be an input the next time: the folder {given} is read"
            _refuse(folder, message, "a folder elsewhere")


def _refuse(output: str, found: str, expected: str) -> None:
    raise OutputIsInput(Finding(Code.OUTPUT_IS_INPUT, found, expected=expected, file=output))


def _without_scheme(given: str) -> str:
    """Return the path of a local file that is given as an address."""
    return given.partition("://")[2] if given.startswith(("file://", "local://")) else given


def _files(given: str) -> Iterator[str]:
    """Yield the files that are read for a file, a folder or a pattern."""
    if os.path.isdir(given):  # noqa: PTH112 - it never raises
        # A folder that cannot be listed is reported when it is read.
        with suppress(OSError):
            yield from (str(file) for file in files_below(given) if is_wanted(file))
    elif _is_pattern(given):
        for path in glob.iglob(given):  # noqa: PTH207 - Path.glob takes no absolute pattern
            yield from _files(path)
    elif given not in ("", STANDARD_INPUT):
        yield given


def _belongs_to(output: str, file: str) -> bool:
    """Return whether a file is read together with an input, or would be once it is written."""
    path = Path(file)
    homes = {place.parent for place in _places(output)}
    if not os.path.exists(output) and Path(os.path.realpath(path.parent)) not in homes:  # noqa: PTH110
        # Most outputs are new and elsewhere, so that the extensions are not loaded for them.
        return False
    name = path.name.removesuffix(".gz")
    beside = {
        ending: path.with_name(name.rpartition(".")[0] + ending)
        for ending, others in companions().items()
        if name.endswith(tuple(others))
    }
    endings = {ending for ending, companion in beside.items() if _is_written(output, companion)}
    if not endings:
        return False
    # A table may have the extension of annotations, but has no text beside it.
    with suppress(InvalidInput):
        format = recognise(Source(name=file, path=path))
        return isinstance(format, Finding) or not endings.isdisjoint(format.companions)
    return False


def _is_written(output: str, file: Path) -> bool:
    """Return whether an output is a file, which may be compressed and need not exist yet."""
    compressed = file.with_name(file.name + ".gz")
    return any(
        _is_same(output, str(each)) or not set(_places(output)).isdisjoint(_places(str(each)))
        for each in (file, compressed)
    )


def _is_pattern(given: str) -> bool:
    return glob.has_magic(given) and not os.path.exists(given)  # noqa: PTH110 - never raises


def _is_same(one: str, other: str) -> bool:
    """Return whether two paths lead to the same file, including through links.

    Anything but a regular file, such as a terminal, can be both read and written.
    """
    return (
        os.path.isfile(one)  # noqa: PTH113 - it never raises
        and os.path.isfile(other)  # noqa: PTH113
        and os.path.samefile(one, other)  # noqa: PTH121
    )


def _would_be_read(output: str, given: str) -> bool:
    """Return whether a folder or a pattern would include a file once it is written."""
    if os.path.isdir(given):  # noqa: PTH112 - it never raises
        return any(has_known_ending(place) for place in _places_inside(output, given))
    if not _is_pattern(given):
        return False
    folders, name = os.path.split(given)
    found = glob.glob(folders) if glob.has_magic(folders) else [folders]  # noqa: PTH207
    homes = {Path(os.path.realpath(folder)) for folder in found}
    if any(place.parent in homes and _matches(place.name, name) for place in _places(output)):
        return True
    return any(_would_be_read(output, path) for path in glob.iglob(given))  # noqa: PTH207


def _matches(name: str, pattern: str) -> bool:
    """Return whether a pattern matches a file name; hidden files need a dot in the pattern."""
    return fnmatch(name, pattern) and (not name.startswith(".") or pattern.startswith("."))


def _is_inside(path: str, folder: str) -> bool:
    """Return whether a path is the folder or inside it, with links resolved."""
    return bool(_places_inside(path, folder))


def _places_inside(path: str, folder: str) -> list[Path]:
    """Return those locations of a path that are the folder or inside it."""
    outer = Path(os.path.realpath(folder))
    return [place for place in _places(path) if place == outer or outer in place.parents]


def _places(path: str) -> list[Path]:
    """Return the location of a file and, if it is a link, the location of its target."""
    target = Path(os.path.realpath(path))
    folder, name = os.path.split(path)
    return [target] if name in ("", ".", "..") else [Path(os.path.realpath(folder)) / name, target]
