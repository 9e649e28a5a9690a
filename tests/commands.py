"""Commands as a user runs them: what they print and refuse, in a pipe and on a terminal."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from click.testing import CliRunner, Result

from corefscope.cli import main
from corefscope.last_resort import INTERNAL_ERROR


class Command:
    """One command of corefscope."""

    def __init__(self, name: str) -> None:
        self.name = name

    def run(self, *arguments: str, input: str | None = None) -> Result:
        """Run it; it may exit, but not fail."""
        result = CliRunner().invoke(main, [self.name, *arguments], input=input)
        failure = result.exception
        assert failure is None or isinstance(failure, SystemExit), failure
        assert result.exit_code != INTERNAL_ERROR, result.stderr
        return result

    def printed(self, *arguments: str, input: str | None = None) -> str:
        """What goes to standard output, of a command that finds nothing odd."""
        result = self.run(*arguments, input=input)
        assert (result.exit_code, result.stderr) == (0, "")
        return result.stdout

    def refused(self, *arguments: str, input: str | None = None) -> tuple[int, str]:
        """Exit status and message of a command that prints no result."""
        result = self.run(*arguments, input=input)
        assert result.stdout == "" and "Traceback" not in result.stderr
        return result.exit_code, result.stderr

    def system_of(self, *arguments: str) -> dict[str, Any]:
        """The one system of the result as JSON."""
        result = self.run(*arguments, "--format", "json")
        assert result.exit_code == 0, result.stderr
        (system,) = json.loads(result.stdout)["systems"]
        assert isinstance(system, dict)
        return system


def on_a_terminal(*arguments: str) -> str:
    """Run a command on a pseudo-terminal of 80 columns, with a pager that only prints."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": "80", "TERM": "xterm-256color", "PAGER": "cat"}
    with subprocess.Popen(
        [sys.executable, "-m", "corefscope", *arguments],
        stdin=theirs, stdout=theirs, stderr=theirs, env=environment,
    ) as process:  # fmt: skip
        process.wait(timeout=60)
        os.close(theirs)
        printed = b""
        try:
            while chunk := os.read(ours, 65536):
                printed += chunk
        except OSError:  # The other end of a pseudo-terminal closes with an error.
            pass
    os.close(ours)
    return printed.decode()


def cells_as_conll(documents: Mapping[str, str]) -> str:
    """A file of documents of which each character is the entity of a token, or a dash."""
    lines: list[str] = []
    for name, cells in documents.items():
        lines.append(f"#begin document {name}")
        lines += [f"w{i}\t{'-' if c == '-' else f'({c})'}" for i, c in enumerate(cells)]
        lines.append("#end document")
    return "\n".join([*lines, ""])


def cells_as_entities(cells: str) -> list[list[int]]:
    """The same for the brute force."""
    return [
        [place for place, cell in enumerate(cells) if cell == entity]
        for entity in sorted(set(cells) - {"-"})
    ]
