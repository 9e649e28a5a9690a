"""Commands: how they end, what they print, what they write."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from fuzzing.cases import STANDARD_INPUT, Case, Violation
from fuzzing.execution import Outcome, run_elsewhere, run_here
from fuzzing.oracles.violations import Crash, broken, failed

DONE, GATE_FAILED, USAGE, INVALID, INCOMPLETE, NOT_WRITTEN, INTERNAL = 0, 1, 2, 3, 4, 5, 70
DOCUMENTED = {DONE, GATE_FAILED, USAGE, INVALID, INCOMPLETE, NOT_WRITTEN, INTERNAL, 130}
FINDING = re.compile(r"(?:error|warning)\[[EW]\d+\] ")
MESSAGE = re.compile(
    rf"{FINDING.pattern}\S.*|… and [\d,]+ more of [EW]\d+|  fix: \S.*|replaced \S.*"
)
"""A line of standard error: a finding with its code, the count of more of them, what helps, or that
a file was replaced."""
TIME = re.compile(rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\dZ)?")
"""When a checkpoint was scored, which differs from run to run."""
USAGE_TEXT = re.compile(r"^Usage: (.|\n)*^Error: ", re.MULTILINE)
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Characters that a terminal may obey."""
LISTS_ERRORS_AS_RESULT = "validate"
"""The command whose result is the list of errors."""


def run_soundly(arguments: Sequence[str]) -> Outcome:
    """Run a command for a check of something else; raise `Crash` if it ends in a traceback."""
    outcome = run_here(arguments, None)
    if outcome.traceback or outcome.status == INTERNAL:
        raise Crash(outcome.traceback or outcome.stderr)
    return outcome


def check_command(case: Case) -> list[Violation]:
    """Run a command here, and check how it ends, what it prints and what it writes."""
    return check_outcome(case, run_here(case.arguments, case.files.get(STANDARD_INPUT)))


def check_process(case: Case) -> list[Violation]:
    """Run a command in a process of its own; it must do the same there."""
    here = run_here(case.arguments, case.files.get(STANDARD_INPUT))
    violations = check_outcome(case, here)
    for path in _new_files(case):
        path.unlink()
    elsewhere = run_elsewhere(case.arguments, case.files.get(STANDARD_INPUT))
    violations += check_outcome(case, elsewhere)
    printed = [TIME.sub(b"", each.stdout) for each in (here, elsewhere)]
    if here.status != elsewhere.status or printed[0] != printed[1]:
        details = f"status {here.status} in one process, {elsewhere.status} in another"
        violations.append(broken("the process makes a difference", case, details))
    return violations


def check_outcome(case: Case, outcome: Outcome) -> list[Violation]:
    """Check how a command ended, what it printed and what it wrote."""
    violations = [
        *_check_ending(case, outcome),
        *_check_messages(case, outcome),
        *_check_files(case, outcome),
    ]
    if outcome.status == DONE and not violations:
        violations += _check_json(case, outcome)
    return violations


def _check_ending(case: Case, outcome: Outcome) -> list[Violation]:
    """No traceback, a documented status, and 1 from nothing but ``gate``."""
    if outcome.traceback or outcome.status == INTERNAL:
        trace = outcome.traceback or outcome.stderr
        return [failed(trace)]
    if outcome.status not in DOCUMENTED or (outcome.status == GATE_FAILED and case.label != "gate"):
        return [broken(f"exit status {outcome.status}", case, outcome.stderr)]
    return []


def _check_messages(case: Case, outcome: Outcome) -> list[Violation]:
    """Results on standard output, all else on standard error, in the documented form."""
    if outcome.traceback or outcome.status == INTERNAL:
        return []
    violations = [broken("warning of Python", case, each) for each in outcome.warnings[:1]]
    if outcome.stdout and not _is_result(case, outcome):
        details = f"status {outcome.status}: {outcome.stdout[:500]!r}"
        violations.append(broken("output beside an error", case, details))
    problem = _wrong_form(case, outcome)
    return [*violations, broken(problem, case, repr(outcome.stderr))] if problem else violations


def _wrong_form(case: Case, outcome: Outcome) -> str | None:
    """Return which rule standard error breaks, or None."""
    status, lines = outcome.status, outcome.stderr.splitlines()
    if CONTROL.search(outcome.stderr):
        return "control character in a message"
    if status == USAGE and USAGE_TEXT.search(outcome.stderr):
        return None
    if not _is_result(case, outcome) and not any(line.startswith("error") for line in lines):
        return "error without a message"
    if status == DONE and _new_files(case):
        lines = [line for line in lines if FINDING.match(line)]  # The others say what was written.
    return None if all(MESSAGE.fullmatch(line) for line in lines) else "form of a message"


def _is_result(case: Case, outcome: Outcome) -> bool:
    """Tell whether the command may print and write: it is done, or errors are its result."""
    lists_errors = case.label == LISTS_ERRORS_AS_RESULT and outcome.status == INVALID
    return outcome.status in (DONE, GATE_FAILED) or lists_errors


def _new_files(case: Case) -> list[Path]:
    known = {Path(name) for name in case.files}
    return [path for path in Path().rglob("*") if path.is_file() and path not in known]


def _check_files(case: Case, outcome: Outcome) -> list[Violation]:
    """No input is changed, and an error leaves no file behind."""
    for name in case.inputs:
        path, data = Path(name), case.files[name]
        if not path.is_file() or path.read_bytes() != data:
            return [broken("an input was overwritten", case, name)]
    if _is_result(case, outcome):
        return []
    return [broken("a file beside an error", case, str(path)) for path in _new_files(case)[:1]]


def _check_json(case: Case, outcome: Outcome) -> list[Violation]:
    """JSON that was asked for is JSON, without NaN and infinity."""
    words = list(case.arguments)
    format = words[words.index("--format") + 1] if "--format" in words[:-1] else ""
    texts = {"json": [outcome.stdout], "jsonl": outcome.stdout.splitlines()}.get(format, [])
    try:
        for text in texts:
            if text.strip():
                json.loads(text, parse_constant=_refuse_constant)
    except ValueError as error:
        return [broken("output that is not JSON", case, f"{error}")]
    return []


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} in JSON")
