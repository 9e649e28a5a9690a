"""Corrected responses as files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from corefscope.corpus import Corpus
from corefscope.errors.analysis import NOTHING_CORRECTED, Analysis
from corefscope.errors.kinds import ErrorType
from corefscope.findings import CannotExpress, Code, Finding
from corefscope.formats import write

FORMATS = ("conll", "jsonl", "json")
"""What a corrected response is written as: the first that can hold it."""


def write_corrected(
    analysis: Analysis, folder: Path, progress: Callable[[int], None] | None = None
) -> tuple[list[Path], list[Finding]]:
    """Write the response with each type corrected alone, and one after the other.

    ``none.conll`` is the response as it was analysed, ``alone/TYPE.conll`` has one type corrected,
    ``cumulative/N-TYPE.conll`` this type and all before it; ``key.conll`` is the key as it was
    analysed, against which they score what :meth:`Analysis.impact` says. Returns the corrected
    files, and which of them are not CoNLL because brackets cannot express crossing mentions.
    """
    files: list[Path] = []
    others: list[tuple[Path, str]] = []
    key, reason = _write(analysis.key(), folder / "key")
    others += [(key, reason)] if reason else []
    for path, type, cumulative in versions(folder):
        file, reason = _write(analysis.corrected(type, cumulative=cumulative), path)
        files.append(file)
        others += [(file, reason)] if reason else []
        if progress:
            progress(1)
    response = analysis.comparison.response.path
    return files, [_other_format(others, len(files) + 1, response)] if others else []


def _other_format(others: list[tuple[Path, str]], files: int, response: str | None) -> Finding:
    first, reason = others[0]
    count = f"{len(others)} of {files} files are not written as CoNLL"
    message = f"{count}, the first of them {first}: {reason}"
    return Finding(Code.OTHER_FORMAT, message, response)


def versions(folder: Path) -> list[tuple[Path, str, bool]]:
    """Return the files to write without their endings, what each has corrected, and how."""
    files: list[tuple[Path, str, bool]] = [(folder / NOTHING_CORRECTED, NOTHING_CORRECTED, False)]
    for number, type in enumerate(ErrorType, 1):
        files.append((folder / "alone" / type, type, False))
        files.append((folder / "cumulative" / f"{number}-{type}", type, True))
    return files


def _write(corpus: Corpus, path: Path) -> tuple[Path, str]:
    """Write a file; return it, and why it is not of the first format, if it is not."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for format in FORMATS:
        # A file of another format that an earlier run left would be taken for this one.
        path.with_name(f"{path.name}.{format}").unlink(missing_ok=True)
    *others, last = FORMATS
    reason = ""
    for format in others:
        file = path.with_name(f"{path.name}.{format}")
        try:
            write(corpus, file)
        except CannotExpress as error:
            reason = reason or error.finding.message
        else:
            return file, reason
    file = path.with_name(f"{path.name}.{last}")
    write(corpus, file)
    return file, reason
