"""Compare the working tree with another commit: ``python -m same_results --base COMMIT``.

Both versions run the same cases, each in its own processes, and what they print, write and return
is compared: figures to 1e-12, findings by place and code, everything else to the letter. The exit
status is 1 if something differs that ``--expected`` does not name.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from same_results.comparing import differences

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".same-results"
PARTS = 8
"""How many processes share the cases of a version; each is a fresh interpreter."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all cases with both versions and print where they differ."""
    options = _parser().parse_args(arguments)
    base = _commit(options.base)
    tree = _checkout(base)
    found = [_recorded(tree, base, options.only), _recorded(ROOT, "working-tree", options.only)]
    differing = 0
    for case in sorted(found[0].keys() | found[1].keys()):
        expected = options.expected and re.search(options.expected, case)
        for line in differences(*(each.get(case) for each in found)):
            if not expected:
                differing += 1
                print(f"{case}: {line}")
    print(f"{len(found[1]):,} cases, {differing:,} differences from {base[:12]}")
    return int(differing > 0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="same_results", description=__doc__)
    parser.add_argument("--base", default="HEAD", help="the commit to compare with")
    parser.add_argument("--only", default="", help="a regular expression that cases must match")
    parser.add_argument("--expected", default="", help="cases that may differ, as an expression")
    return parser


def _commit(name: str) -> str:
    return _git("rev-parse", "--verify", f"{name}^{{commit}}").strip()


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr.strip())
    return done.stdout


def _checkout(commit: str) -> Path:
    """Return a folder with the files of a commit, which is made once."""
    tree = FOLDER / "trees" / commit
    if not (tree / "src").is_dir():
        tree.parent.mkdir(parents=True, exist_ok=True)
        _git("worktree", "prune")
        _git("worktree", "add", "--force", "--detach", str(tree), commit)
    return tree


def _recorded(tree: Path, name: str, only: str) -> dict[str, dict[str, object]]:
    """Return what a version does in each case; results of a commit are kept."""
    kept = FOLDER / f"{name}.json"
    if name != "working-tree" and not only and kept.exists():
        stored: dict[str, dict[str, object]] = json.loads(kept.read_text())
        return stored
    environment = {**os.environ, "PYTHONPATH": f"{tree / 'src'}:{ROOT / 'benchmarks'}"}
    environment.pop("COREFSCOPE_DEBUG", None)
    found: dict[str, dict[str, object]] = {}
    waiting = list(range(PARTS))
    running: list[subprocess.Popen[bytes]] = []
    while waiting or running:
        while waiting and len(running) < (os.cpu_count() or 1):
            part = waiting.pop(0)
            command = [sys.executable, "-m", "same_results.recording", f"{part}/{PARTS}", only]
            running.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE))
        first = running.pop(0)
        output, _ = first.communicate()
        if first.returncode:
            raise SystemExit(f"recording {name} failed")
        found |= json.loads(output)
    if not only:
        FOLDER.mkdir(exist_ok=True)
        kept.write_text(json.dumps(found))
    return found


if __name__ == "__main__":
    sys.exit(main())
