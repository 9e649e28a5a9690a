"""One input of the fuzzer: what is checked, with which arguments, on which files."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Container, Mapping
from dataclasses import dataclass
from pathlib import Path

CASE_FILE = "case.json"
"""Holds everything about a saved case except its files, which lie beside it."""
STANDARD_INPUT = "stdin"
"""The file of a case that its command reads as standard input."""
OUTPUT_OPTIONS = ("-o", "--output", "--corrected")


def names(word: str, file: str) -> bool:
    """Tell whether a word of a command line names a file: it, its folder, or NAME=FILE."""
    pieces = [piece.rstrip("/") for piece in re.split("[=:]", word)]
    return file in pieces or ("/" in file and file.partition("/")[0] in pieces)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """An input that can be checked, saved and checked again."""

    check: str
    """The name of the check in ``oracles.CHECKS``."""
    label: str
    """The row of the summary that counts it: a command, a reader or a kind of file."""
    arguments: tuple[str, ...]
    files: Mapping[str, bytes]

    def write_files(self, folder: Path) -> None:
        """Write the files into a folder."""
        for name, data in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)

    def save(self, folder: Path) -> None:
        """Write the case so that `load` can read it back."""
        folder.mkdir(parents=True, exist_ok=True)
        self.write_files(folder)
        record = {
            "check": self.check,
            "label": self.label,
            "arguments": self.arguments,
            "files": list(self.files),
        }
        (folder / CASE_FILE).write_text(json.dumps(record, indent=1), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Case:
        """Read a case that was saved."""
        record = json.loads((folder / CASE_FILE).read_text(encoding="utf-8"))
        return cls(
            check=record["check"],
            label=record["label"],
            arguments=tuple(record["arguments"]),
            files={name: (folder / name).read_bytes() for name in record["files"]},
        )

    @property
    def inputs(self) -> list[str]:
        """The files that the command reads: what words name that are no outputs or patterns."""
        others = self._outputs | self._after(("--include",))
        words = [word for place, word in enumerate(self.arguments) if place not in others]
        used = [name for name in self.files if any(names(word, name) for word in words)]
        return [*used, *(name for name in self.files if name == STANDARD_INPUT)]

    @property
    def _outputs(self) -> set[int]:
        """The places of the words that say where to write."""
        return self._after(OUTPUT_OPTIONS) | ({2} if self.arguments[0] == "convert" else set())

    def _after(self, options: Container[str]) -> set[int]:
        """Return the places of the words after some options."""
        return {n + 1 for n, word in enumerate(self.arguments) if word in options}

    @property
    def command_line(self) -> str:
        """The command as a shell takes it, for a case that is a command."""
        words = shlex.join(["corefscope", *self.arguments])
        return f"{words} < {STANDARD_INPUT}" if STANDARD_INPUT in self.files else words


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """A rule that a case breaks."""

    kind: str
    """One of ``oracles.KINDS``."""
    where: str
    """What tells two defects apart: the place of an exception, or the rule and the command."""
    details: str

    @property
    def identity(self) -> tuple[str, str]:
        """Two violations with the same identity count as one defect."""
        return self.kind, self.where
