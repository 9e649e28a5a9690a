"""The samples of all formats: the same two documents, as far as each format can express them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from corefscope.formats.registry import FORMATS

FOLDER = Path(__file__).parents[1] / "docs" / "samples"
KEY = "key.conll"
"""The name under which a case has the sample that every other one is scored against."""
READ_AS = {"cdcr": "cdcr:documents=column:3"}
"""Formats that are not recognised as what the sample is, and what to say instead."""
ONLY_RESPONSES = frozenset({"tagged", "strings", "crac-text", "corefinst", "answers"})
"""Formats that are read against the text of a key."""

SAMPLE = "sample"
"""The folder of a case with a sample."""
ROLES = ("key.jsonl", "response.jsonl")
"""Key and response of a case as plain JSON lines."""

Files = Mapping[str, bytes]
"""Files by their names, with folders."""


@cache
def samples() -> Mapping[str, Files]:
    """Return the files of the sample of each format."""
    return {name: _files(FOLDER / name) for name in FORMATS}


def _files(folder: Path) -> Files:
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def sample_path(files: Files) -> str:
    """Return what a command gets of the files of a case that are a sample."""
    start = f"{SAMPLE}/"
    names = [name.removeprefix(start) for name in files if name.startswith(start)]
    return path_of(dict.fromkeys(names, b""), SAMPLE)


def path_of(files: Files, folder: str) -> str:
    """Return what a command gets: the only file, or the folder of all."""
    return f"{folder}/{next(iter(files))}" if len(files) == 1 else folder


def scoring(format: str, key: str, response: str, role: str) -> list[str]:
    """Return the command that scores a sample, as key or as response, with all documents."""
    words = ["score", key, response, "--format", "json", "--per-document"]
    return [*words, f"--{role}-format", READ_AS[format]] if format in READ_AS else words
