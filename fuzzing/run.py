"""Run the fuzzer: ``python -m fuzzing.run --minutes 5``, or ``make fuzz MINUTES=5``.

Workers draw inputs and check them until the time, or the number of inputs, is used up. The parent
process starts them, starts them again if one dies, adds up what they did, and prints the summary.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from random import Random

from corefscope.formats.registry import FORMATS
from fuzzing.cases import Case, Violation
from fuzzing.oracles import examine
from fuzzing.oracles.violations import HANG, KINDS
from fuzzing.worker import Plan, Tally, Worker, save_finding, shown

FINDINGS = Path("fuzz-findings")
OF_FORMATS = ("reader", "format")
"""The checks whose inputs are files of a format."""


def run(plan: Plan, jobs: int) -> Tally:
    """Run the workers, and return what they did together."""
    scratch = Path(plan.scratch)
    plan_file = scratch / "plan.json"
    plan_file.write_text(json.dumps(asdict(plan)), encoding="utf-8")
    running = {number: start_worker(plan_file, number) for number in range(jobs)}
    try:
        while running:
            running = attended(plan, plan_file, running)
    except KeyboardInterrupt:
        print("interrupted; this is what was done until then", file=sys.stderr)
        for process in running.values():
            process.kill()
            process.wait()
    total = Tally()
    for number in range(jobs):
        total.add(Tally.load(scratch / f"worker-{number}" / "tally.json"))
    return total


Workers = dict[int, "subprocess.Popen[bytes]"]


def attended(plan: Plan, plan_file: Path, running: Workers) -> Workers:
    """Wait a moment for each worker; start those again that died, and return those that run."""
    still = {}
    for number, process in running.items():
        try:
            status = process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            still[number] = process
            continue
        if status != 0:
            bury_worker(plan, Path(plan.scratch) / f"worker-{number}", status)
            still[number] = start_worker(plan_file, number)
    return still


def start_worker(plan_file: Path, number: int) -> subprocess.Popen[bytes]:
    """Start a process that draws inputs."""
    words = [sys.executable, "-m", "fuzzing.run", "--worker", str(number), "--plan", str(plan_file)]
    return subprocess.Popen(words)


def bury_worker(plan: Plan, folder: Path, status: int) -> None:
    """Report the input on which a worker died, and let the next worker go on after it."""
    tally = Tally.load(folder / "tally.json")
    pending = folder / "pending"
    if not (pending / "case.json").exists():
        raise RuntimeError(f"a worker of the fuzzer ended with status {status} between two inputs")
    case = Case.load(pending)
    shutil.rmtree(pending)
    violation = Violation(
        kind=HANG,
        where=f"{case.check} {case.label} ends the process",
        details=f"the process ended with status {status}; a negative one is the signal",
    )
    tally.failures[HANG] += 1
    tally.defects[": ".join(violation.identity)] = save_finding(
        case, violation, Path(plan.findings)
    )
    tally.save(folder / "tally.json")


def summary(tally: Tally, plan: Plan, jobs: int, seconds: float) -> str:
    """Return what is printed at the end."""
    lines = [
        f"fuzzing: {sum(tally.inputs.values()):,} inputs in {seconds:,.0f} s, seed {plan.seed}, "
        f"{jobs} process{'es' if jobs > 1 else ''}, {tally.lines:,} lines of code reached",
        "",
    ]
    lines += [*_of_formats(tally), ""]
    for key in sorted(tally.inputs):
        check, label = key.split(" ", 1)
        if check not in OF_FORMATS or label not in FORMATS:
            lines.append(f"  {check:<10}{label:<12}{tally.inputs[key]:>10,}")
    lines.append("")
    lines += [f"  {kind:<22}{tally.failures[kind]:>10,}" for kind in KINDS]
    if tally.defects:
        lines += [
            "",
            f"{len(tally.defects)} distinct defects; the folders show each again:",
        ]
        lines += [f"  {shown(Path(at))}  {name}" for name, at in sorted(tally.defects.items())]
    return "\n".join(lines)


def _of_formats(tally: Tally) -> Iterator[str]:
    """Yield the numbers of inputs of each format, one row per format."""
    yield f"  {'':<15}" + "".join(f"{check:>10}" for check in OF_FORMATS)
    for format in sorted(FORMATS):
        counts = (tally.inputs[f"{check} {format}"] for check in OF_FORMATS)
        yield f"  {format:<15}" + "".join(f"{count:>10,}" for count in counts)


def again(folder: Path) -> int:
    """Check a saved case again, and print what is wrong with it."""
    with tempfile.TemporaryDirectory() as scratch:
        violations = examine(Case.load(folder), Path(scratch))
    for violation in violations:
        print(f"{violation.kind}: {violation.where}\n{violation.details}")
    if not violations:
        print("nothing is wrong with this input")
    return 1 if violations else 0


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m fuzzing.run", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0, help="how long to run (default: 5)")
    parser.add_argument("--inputs", type=int, help="how many inputs per process, whatever the time")
    parser.add_argument("--seed", help="draw the inputs of an earlier run (default: a new seed)")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes (default: 1)")
    parser.add_argument("--findings", default=str(FINDINGS), help=f"default: {FINDINGS}")
    parser.add_argument("--again", type=Path, help="check a saved input again")
    parser.add_argument("--worker", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--plan", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    """Run the fuzzer and return its exit status: 1 if anything failed."""
    given = parse(arguments)
    if given.again:
        return again(given.again)
    if given.worker is not None:
        plan = Plan(**json.loads(given.plan.read_text(encoding="utf-8")))
        Worker(plan, given.worker).work()
        return 0
    begin = time.time()
    with tempfile.TemporaryDirectory(prefix="corefscope-fuzz-") as scratch:
        plan = Plan(
            seed=given.seed or str(Random().randrange(10**6)),
            end=begin + 60 * given.minutes,
            inputs=1 << 60,
            findings=str(Path(given.findings).absolute()),
            scratch=scratch,
            use_cache=given.seed is None,
        )
        if given.inputs:
            plan = replace(plan, inputs=given.inputs, end=begin + 10**9)
        tally = run(plan, given.jobs)
        print(summary(tally, plan, given.jobs, time.time() - begin))
    return 1 if tally.defects else 0


if __name__ == "__main__":
    sys.exit(main())
