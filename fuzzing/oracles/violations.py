"""Kinds of violations, and how two of them are told apart."""

from __future__ import annotations

import re

from fuzzing.cases import Case, Violation
from fuzzing.coverage import PACKAGE

TRACEBACK, HANG, SILENT, CONTRACT = "traceback", "hang", "silent misreading", "broken contract"
KINDS = (TRACEBACK, HANG, SILENT, CONTRACT)


def place_of(trace: str) -> str:
    """Return the exception and the innermost function of the package in a traceback."""
    frames = re.findall(rf'File "{re.escape(PACKAGE)}/([^"]+)", line \d+, in (\S+)', trace)
    file, function = frames[-1] if frames else ("?", "?")
    names = re.findall(r"^([\w.]+)(?::|$)", trace, re.MULTILINE)
    exceptions = [name for name in names if name.lower() not in ("error", "warning", "usage")]
    return f"{exceptions[-1] if exceptions else 'exception'} in {file} {function}"


class Crash(Exception):
    """A command that a check needs ended in a traceback, which is the message."""


def failed(trace: str) -> Violation:
    """Return the violation for an exception that should not have happened."""
    return Violation(kind=TRACEBACK, where=place_of(trace), details=trace)


def broken(rule: str, case: Case, details: str) -> Violation:
    """Return the violation for a rule of the contract that a case breaks."""
    return Violation(kind=CONTRACT, where=f"{rule}: {case.label}", details=details)
