"""A worker of the fuzzer: draws inputs, checks them, and saves those that fail."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field, fields
from hashlib import sha256
from pathlib import Path
from random import Random

from fuzzing.cases import Case, Violation
from fuzzing.coverage import Lines
from fuzzing.generation import Generator, kind_of, make_generator
from fuzzing.minimising import minimised
from fuzzing.oracles import examine
from fuzzing.oracles.silence import observing, write_mistake

CACHE = Path(".fuzz-cache")
MOST_CACHED = 1000
"""Files of one kind that are kept for later runs."""
TRACED = 8
"""One input of so many is run with the lines that it reaches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a run was asked to do."""

    seed: str
    end: float
    """The time at which it ends."""
    inputs: int
    """The number of inputs per worker after which it ends."""
    findings: str
    scratch: str
    use_cache: bool


@dataclass(slots=True)
class Tally:
    """What a worker did."""

    inputs: Counter[str] = field(default_factory=Counter)
    """Number of inputs by check and label."""
    failures: Counter[str] = field(default_factory=Counter)
    """Number of inputs that failed, by kind."""
    defects: dict[str, str] = field(default_factory=dict)
    """Folder of the smallest input of each defect, by its identity."""
    lines: int = 0
    """Lines of the package that were reached."""
    next: int = 0
    """The number of the next input."""

    def add(self, other: Tally) -> None:
        """Add what another worker did."""
        self.inputs.update(other.inputs)
        self.failures.update(other.failures)
        self.defects |= other.defects
        self.lines = max(self.lines, other.lines)

    def save(self, path: Path) -> None:
        """Write the counts to a file."""
        record = {each.name: getattr(self, each.name) for each in fields(self)}
        path.write_text(json.dumps(record), encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> Tally:
        """Read the counts of a worker; none if it has not saved any."""
        if not path.exists():
            return cls()
        record = json.loads(path.read_text(encoding="utf-8"))
        record |= {name: Counter(record[name]) for name in ("inputs", "failures")}
        return cls(**record)


class Worker:
    """Draws inputs, checks them, and saves those that fail."""

    def __init__(self, plan: Plan, number: int) -> None:
        self.plan, self.number = plan, number
        self.folder = Path(plan.scratch) / f"worker-{number}"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.tally = Tally.load(self.folder / "tally.json")
        self.generator = make_generator()
        self.lines = Lines()
        if plan.use_cache:
            remember_cached(self.generator)

    def work(self) -> None:
        """Work until the plan says that it is enough."""
        parent = os.getppid()
        while self.tally.next < self.plan.inputs and time.time() < self.plan.end:
            if os.getppid() != parent:
                return  # Nobody waits for the result.
            case = self.generator.case(Random(f"{self.plan.seed}/{self.number}/{self.tally.next}"))
            self.tally.next += 1
            self.check(case)
        self.tally.lines = len(self.lines.seen)
        self.tally.save(self.folder / "tally.json")

    def check(self, case: Case) -> None:
        """Check one case, and look closer where it fails."""
        self.tally.inputs[f"{case.check} {case.label}"] += 1
        # For the parent, if this process does not survive the case.
        pending = self.folder / "pending"
        case.save(pending)
        self.tally.save(self.folder / "tally.json")
        violations = self.traced(case) if self.tally.next % TRACED == 0 else self.examined(case)
        shutil.rmtree(pending)
        for violation in violations:
            self.tally.failures[violation.kind] += 1
            identity = ": ".join(violation.identity)
            if identity not in self.tally.defects:
                self.tally.defects[identity] = self.save_defect(case, violation)

    def examined(self, case: Case) -> list[Violation]:
        """Check a case in an empty folder."""
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            return examine(case, Path(folder))

    def traced(self, case: Case) -> list[Violation]:
        """Check a case, and remember it if it reaches lines that none before reached."""
        before = len(self.lines.seen)
        with self.lines.recorded():
            violations = self.examined(case)
        if len(self.lines.seen) > before:
            self.generator.remember(case)
            if self.plan.use_cache:
                cache_files(case)
        return violations

    def save_defect(self, case: Case, violation: Violation) -> str:
        """Make the case small, save it, and return its folder."""

        def same(smaller: Case) -> list[Violation]:
            return [v for v in self.examined(smaller) if v.identity == violation.identity]

        small = minimised(case, lambda smaller: bool(same(smaller)))
        # A defect that does not show again, such as one of memory, is saved as it was seen.
        return save_finding(small, next(iter(same(small)), violation), Path(self.plan.findings))


def save_finding(case: Case, violation: Violation, findings: Path) -> str:
    """Save a failing case with what is wrong and how to see it again; return its folder."""
    digest = sha256(repr(violation.identity).encode()).hexdigest()[:8]
    folder = findings / f"{violation.kind.replace(' ', '-')}-{digest}"
    shutil.rmtree(folder, ignore_errors=True)
    case.save(folder)
    lines = [f"{violation.kind}: {violation.where}", "", violation.details, ""]
    commands = commands_of(case, folder)
    if commands:
        lines += ["In this folder, run:", *(f"  {command}" for command in commands), ""]
    python, place = shown(Path(sys.executable)), shown(folder)
    lines += ["To check it again:", f"  {python} -m fuzzing.run --again {place}", ""]
    text = "\n".join(lines)
    (folder / "README.txt").write_text(text, encoding="utf-8", errors="backslashreplace")
    return str(folder)


def commands_of(case: Case, folder: Path) -> list[str]:
    """Return the commands that show a defect, after writing what else they need."""
    if case.check in ("command", "process"):
        return [case.command_line]
    if case.check == "silence":
        wrong = write_mistake(case, folder)
        return [shlex.join(["corefscope", *observing(case, wrong)])] if wrong else []
    return []


def shown(path: Path) -> str:
    """Return a path as one would write it in the current folder."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def remember_cached(generator: Generator) -> None:
    """Put the inputs that earlier runs found interesting into the queue."""
    for path in sorted(CACHE.glob("*/*")):
        generator.queue[path.parent.name].append(path.read_bytes())


def cache_files(case: Case) -> None:
    """Keep the files of a case for later runs, up to a limit."""
    for name, data in case.files.items():
        folder = CACHE / kind_of(name)
        folder.mkdir(parents=True, exist_ok=True)
        if sum(1 for _ in folder.iterdir()) >= MOST_CACHED:
            continue
        (folder / sha256(data).hexdigest()[:16]).write_bytes(data)
