"""Files in parts: folders as Spark, Dask, DuckDB and others write tables."""

from __future__ import annotations

import re
from pathlib import Path

from corefscope.exceptions import InvalidInput
from corefscope.findings import Code, Finding, Remedy
from corefscope.formats.directories import files_below, ignored
from corefscope.formats.file_names import shown
from corefscope.formats.reading.source import Source, reporting
from corefscope.formats.registry import Format, Tier, recognise

ENDINGS = (".parquet", ".csv", ".tsv")
MOST_PARTS = 10
"""How many parts are looked at to recognise their format."""
MARKS = frozenset({"_SUCCESS", "_metadata", "_common_metadata"})
"""Files that programs write into the folder of a table."""
PART = re.compile(r"(part|data)[-._][0-9]+\b.*", re.IGNORECASE)
"""The names that they give to parts: ``part-00000-….parquet``, ``part.0.csv``, ``data_0.tsv``."""


def is_divided(folder: Path) -> bool:
    """Return whether a folder is one table in parts, and not a directory of documents.

    It is if it has the name of a table, such as ``gold.parquet``; if a program left its mark in it;
    or if all files have names of parts.
    """
    if folder.name.lower().endswith(ENDINGS):
        return True
    try:
        files = list(files_below(str(folder)))
    except OSError:  # It is reported when the directory is read.
        return False
    if any(file.name in MARKS and file.parent == folder for file in files):
        return True
    names = [file.name for file in files if _is_visible(file, folder)]
    return bool(names) and all(map(PART.match, names))


def format_in_parts(folder: Path, named: Format | None) -> Format | None:
    """Return the format of a folder that is one file in parts; None if it is a directory of files.

    ``named`` is the format that the user named, if any.
    """
    if (named is not None and not named.in_parts) or not is_divided(folder):
        return None
    if named is not None:
        return named
    try:
        parts = parts_of(folder)[0][:MOST_PARTS]
    except InvalidInput:
        parts = []
    known = (recognise(Source(name=shown(str(part)), path=part)) for part in parts)
    found = next((each for each in known if isinstance(each, Format) and each.in_parts), None)
    return found if found is not None and found.tier is Tier.BYTES else None


def parts_of(folder: Path) -> tuple[list[Path], list[Finding]]:
    """Return the parts of a table in the order of their numbers, and a finding about other files.

    Files of the programs themselves, which are hidden or begin with an underscore, are left out.

    Raises
    ------
    InvalidInput
        If there is no part.
    """
    name = shown(str(folder))
    with reporting(name):
        files = [file for file in files_below(str(folder)) if _is_visible(file, folder)]
    known = [file for file in files if _plain_name(file).endswith(ENDINGS)] or files
    if not known:
        raise InvalidInput.of(
            Code.NO_DOCUMENT,
            "the folder has no part of a table",
            expected="files such as part-00000.parquet",
            file=name,
            remedy=Remedy.CHOOSE_FILES,
        )
    others = sorted(file.name for file in files if file not in set(known))
    return sorted(known, key=_in_order), [ignored(others, name)] if others else []


def _is_visible(file: Path, folder: Path) -> bool:
    """Return whether a file may be a part."""
    hidden = any(part.startswith((".", "_")) for part in file.relative_to(folder).parts)
    return not hidden and not file.name.endswith(".crc")


def _plain_name(file: Path) -> str:
    return file.name.lower().removesuffix(".gz")


def _in_order(file: Path) -> list[tuple[int, str]]:
    """Return a key that sorts ``part.2`` before ``part.10``."""
    pieces = re.split("([0-9]+)", file.as_posix())
    return [(int(piece), piece) if piece.isdecimal() else (0, piece) for piece in pieces]
