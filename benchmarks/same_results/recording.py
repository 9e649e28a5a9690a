"""Run a share of the cases with the version on the path, and print what it did as JSON."""

from __future__ import annotations

import gzip
import json
import os
import re
import sys
import tempfile
import warnings
from base64 import b64decode
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from same_results.cases import api_cases, command_cases

CHUNK = re.compile(r'id="([\w-]+)"[^>]*>([A-Za-z0-9+/=]{40,})<')
"""The data of a report: compressed JSON in Base64."""


def main(share: str, only: str) -> None:
    """Run the cases of a share."""
    part, parts = map(int, share.split("/"))
    found: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as inputs:
        commands, calls = command_cases(Path(inputs)), api_cases()
        cases: dict[str, partial[dict[str, Any]]]
        cases = {name: partial(_command, arguments) for name, arguments in commands}
        cases |= {name: partial(_call, call) for name, call in calls}
        for number, (name, run) in enumerate(sorted(cases.items())):
            if number % parts == part and re.search(only, name):
                found[name] = run()
        text = json.dumps(found).replace(inputs, "INPUTS")
    print(text)


def _command(arguments: list[str]) -> dict[str, Any]:
    """Run a command in an empty folder."""
    from corefscope.cli import main as corefscope

    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            done = CliRunner().invoke(corefscope, arguments)
            files = {
                str(path.relative_to(folder)): _contents(path)
                for path in sorted(Path(folder).rglob("*"))
                if path.is_file()
            }
        finally:
            os.chdir(before)
    return {
        "status": done.exit_code,
        "stdout": done.stdout,
        "stderr": done.stderr,
        "files": files,
    }


def _contents(path: Path) -> str:
    """Return a file as text; of a report, its data."""
    data = path.read_bytes()
    text = data.decode("utf-8", "backslashreplace")
    if path.suffix == ".html":
        chunks = {
            name: json.loads(gzip.decompress(b64decode(packed)))
            for name, packed in CHUNK.findall(text)
        }
        return json.dumps(chunks)
    return text if not data.startswith(b"\x1f\x8b") else gzip.decompress(data).decode()


def _call(call: Callable[[], Any]) -> dict[str, Any]:
    with warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("always")
        try:
            value: Any = call()
            status = 0
        except Exception as error:
            codes = re.findall(r"\[([EW]\d{3})\]", str(error))
            value, status = [type(error).__name__, codes], 1
    codes = [code for each in noted for code in re.findall(r"\[([EW]\d{3})\]", str(each.message))]
    return {"status": status, "value": [json.loads(json.dumps(value, default=repr)), codes]}


if __name__ == "__main__":
    main(*sys.argv[1:])
