"""Write corrected responses to files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from corefscope.corpus import Corpus
from corefscope.error_analysis.analysis import NOTHING_CORRECTED, Analysis
from corefscope.error_analysis.kinds import ErrorType
from corefscope.exceptions import CannotExpress
from corefscope.findings import Code, Finding
from corefscope.formats.writing.files import encoded
from corefscope.output.folder import OutputFolder

FORMATS = ("conll", "jsonl", "json")
"""A corrected response is written in the first of these formats that can express it."""
KEY = "key"


def write_corrected(
    analysis: Analysis, folder: Path, progress: Callable[[int], None] | None = None
) -> tuple[list[Path], list[Finding]]:
    """Write the response with each type corrected alone, and with all types up to it corrected.

    ``none.conll`` is the response as it was analysed. ``alone/TYPE.conll`` has one type corrected,
    and ``cumulative/N-TYPE.conll`` has this type and all types before it corrected. ``key.conll``
    is the key as it was analysed; scored against it, the files give the scores of
    :meth:`Analysis.impact`.

    Only files that an earlier call wrote are replaced or removed; see
    :class:`~corefscope.output.OutputFolder`.

    Returns
    -------
    tuple
        The corrected files, and findings: some of them are not CoNLL because brackets cannot
        express crossing mentions, or zeros of the response are left out.
    """
    files: list[Path] = []
    others: list[tuple[Path, str]] = []
    findings: list[Finding] = []
    with OutputFolder(folder) as output:
        key, reason = _write(analysis.key(), output, KEY)
        others += [(key, reason)] if reason else []
        for name, type, cumulative in versions():
            corrected = analysis.corrected(type, cumulative=cumulative)
            findings += [] if findings else corrected.findings
            file, reason = _write(corrected, output, name)
            files.append(file)
            others += [(file, reason)] if reason else []
            if progress:
                progress(1)
    response = analysis.matching.response.path
    findings += [_other_format(others, len(files) + 1, response)] if others else []
    return files, findings


def check_folder(folder: Path) -> None:
    """Raise an error, before any work, if a file that corefscope did not write is in the way."""
    names = [KEY, *(name for name, _, _ in versions())]
    OutputFolder(folder).check(f"{name}.{format}" for name in names for format in FORMATS)


def _other_format(others: list[tuple[Path, str]], files: int, response: str | None) -> Finding:
    first, reason = others[0]
    count = f"{len(others)} of {files} files are not written as CoNLL"
    message = f"{count}, the first of them {first}: {reason}"
    return Finding(Code.LOST_ANNOTATIONS, message, file=response)


def versions() -> list[tuple[str, str, bool]]:
    """Return the names of files without extension, the corrected type, and if it is cumulative."""
    files: list[tuple[str, str, bool]] = [(NOTHING_CORRECTED, NOTHING_CORRECTED, False)]
    for number, type in enumerate(ErrorType, 1):
        files.append((f"alone/{type}", type, False))
        files.append((f"cumulative/{number}-{type}", type, True))
    return files


def _write(corpus: Corpus, output: OutputFolder, name: str) -> tuple[Path, str]:
    """Write a file; return its path, and the reason if it is not in the first format."""
    *others, last = FORMATS
    reason = ""
    for format in others:
        try:
            data = encoded(corpus, format)
        except CannotExpress as error:
            reason = reason or error.finding.message
        else:
            break
    else:
        format, data = last, encoded(corpus, last)
    output.write(f"{name}.{format}", data)
    return output.path / f"{name}.{format}", reason
