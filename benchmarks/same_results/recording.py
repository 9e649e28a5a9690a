"""Run cases with the version on the path, each in an empty folder, and return what they did."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import sys
import tempfile
import warnings
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from same_results.cases import Case, all_cases
from same_results.inputs import prepare

CHUNK = re.compile(r'id="([\w-]+)"[^>]*>([A-Za-z0-9+/=]{40,})<')
"""The data of a report: compressed JSON in Base64."""
Done = dict[str, Any]
"""What a case did: its status, and what it printed, wrote or returned."""


def run(case: Case, root: Path) -> Done:
    """Run a case in an empty folder beside the inputs."""
    from corefscope.cli import main as corefscope

    before, folder = Path.cwd(), root / "run"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, data in case.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    os.chdir(folder)
    try:
        if case.call is not None:
            return _called(case.call)
        done = CliRunner(env={"COLUMNS": "80"}).invoke(corefscope, case.words)
        new = {str(p.relative_to(folder)): p for p in sorted(folder.rglob("*")) if p.is_file()}
        written = {n: _contents(p) for n, p in new.items() if p.read_bytes() != case.files.get(n)}
        printed = {"stdout": done.stdout, "stderr": done.stderr}
        return {"status": done.exit_code, **printed, "files": written}
    finally:
        os.chdir(before)


def _contents(path: Path) -> str:
    """Return a file as text; of a report, its data."""
    data = path.read_bytes()
    text = data.decode("utf-8", "backslashreplace")
    if path.suffix == ".html":
        chunks = CHUNK.findall(text)
        return json.dumps({n: json.loads(gzip.decompress(b64decode(c))) for n, c in chunks})
    return text if not data.startswith(b"\x1f\x8b") else gzip.decompress(data).decode()


def _called(call: Callable[[], Any]) -> Done:
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


def main(share: str, only: str) -> None:
    """Run a share of the cases, and print what they did as JSON."""
    part, parts = map(int, share.split("/"))
    cases = sorted(all_cases(), key=lambda case: case.name)
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder))
        chosen = [c for n, c in enumerate(cases) if n % parts == part and re.search(only, c.name)]
        print(json.dumps({case.name: run(case, Path(folder)) for case in chosen}))


if __name__ == "__main__":
    main(*sys.argv[1:])
