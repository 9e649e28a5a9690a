"""What must hold for every input: the checks of the fuzzer, one per kind of case."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path

from fuzzing.cases import Case, Violation
from fuzzing.execution import CPU_SECONDS, Hang, cpu_limit, inside
from fuzzing.oracles.commands import check_command, check_process
from fuzzing.oracles.readers import check_python, check_reader
from fuzzing.oracles.relations import check_format, check_scores
from fuzzing.oracles.silence import check_silence
from fuzzing.oracles.violations import HANG, Crash, failed

CHECKS: dict[str, Callable[[Case], list[Violation]]] = {
    "command": check_command,
    "process": check_process,
    "reader": check_reader,
    "python": check_python,
    "silence": check_silence,
    "scores": check_scores,
    "format": check_format,
}


def examine(case: Case, folder: Path) -> list[Violation]:
    """Write the files of a case into an empty folder and check it there."""
    case.write_files(folder)
    try:
        with inside(folder), cpu_limit(CPU_SECONDS):
            return CHECKS[case.check](case)
    except Hang as hang:
        return [Violation(kind=HANG, where=f"{case.check} {case.label}", details=str(hang))]
    except Crash as crash:
        return [failed(str(crash))]
    except Exception as error:  # A check ran into an exception that is no refusal.
        trace = "".join(traceback.format_exception(error))
        return [failed(trace)]
