"""Measure corefscope against stated rivals in the same run, and print ratios.

A missed target is printed as such; the exit status is 0 unless something crashes.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from comparison_points import COMPARISON_POINTS
from error_points import ERROR_POINTS
from everyday_points import EVERYDAY_POINTS
from format_points import FORMAT_POINTS
from growth_points import GROWTH_POINTS
from peers import peers
from points import POINTS, Row, Settings
from report_points import REPORT_POINTS
from scale_points import SCALE_POINTS
from treebank_points import TREEBANK_POINTS

ALL_POINTS = (
    POINTS
    | ERROR_POINTS
    | COMPARISON_POINTS
    | REPORT_POINTS
    | GROWTH_POINTS
    | TREEBANK_POINTS
    | FORMAT_POINTS
    | EVERYDAY_POINTS
    | SCALE_POINTS
    | {"peers": peers}
)
HEADINGS = ("point", "what", "measured", "CPU s", "rival", "ratio", "target", "")
WIDTHS = (5, 58, 13, 7, 8, 7, 12, 6)
RIVALS = """\
Rivals, run in turn with ours: (a-d) a fresh Python that opens both files and splits each line;
(e) arrays: one np.unique over the pairs; clusters: a dict join that only counts overlaps; (f) that
join for one document; start: python -c pass; (g-j) corefscope score on the same files; matches and
doubling in (h): comparing each mention of the entity with each other; (k-m) one resample at a time,
by numpy or in Python, extrapolated from few to 10,000; (n-p) corefscope score on the same files;
milliseconds in (o) and (p) are of a browser; (q) the same command on half as much, once; (r) the
loop of (a); (s) corefscope score with exact matching; (t) reading JSON lines, the same documents,
without words if a format has none; (u) what the row says, in processor time; (v) a pasted evaluator
of MUC, B³ and CEAFe, in processor time; peers: corefscope.
Times are the best of fresh processes, start-up and imports included on both sides; but (e), (f),
the impact in (g), matches and doubling in (h), the rivals in (k-m) are timed inside one process
after the imports, and so are (r) and (t); in (q) the time of the imports is subtracted for the
ratio. In (c) and (r) the ratio is of times, in (r) and (s) of processor time, in (t) of processor
time per byte; in (d), (i) and where (l) and (m) have megabytes of peaks of resident memory."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the points that were asked for."""
    options = _parser().parse_args(arguments)
    settings = Settings(options.quick, options.peers)
    print(_machine())
    print(_line(HEADINGS))
    rows = [_shown(row) for point in options.only for row in ALL_POINTS[point](settings)]
    print(f"\n{RIVALS}")
    if options.json:
        options.json.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")


def _machine() -> str:
    """Say on what was measured, and what else it had to do."""
    python = f"Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    return f"{python}, {os.cpu_count()} processors, load average {os.getloadavg()[0]:.1f}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer runs, smaller (c) and (e)")
    parser.add_argument(
        "--only", type=_points, default=list(ALL_POINTS), help=f"some of {','.join(ALL_POINTS)}"
    )
    parser.add_argument("--peers", help="a folder with the code of other tools, to be run as well")
    parser.add_argument("--json", type=Path, help="write the rows to this file as well")
    return parser


def _points(text: str) -> list[str]:
    points = text.split(",")
    for point in points:
        if point not in ALL_POINTS:
            raise argparse.ArgumentTypeError(f"{point!r} is none of {', '.join(ALL_POINTS)}")
    return points


def _shown(row: Row) -> Row:
    """Print a row as soon as it is measured."""
    met = {True: "met", False: "MISSED", None: ""}[row.met]
    value = "-" if row.value is None else f"{_number(row.value)} {row.unit}"
    numbers = (_number(row.cpu), _number(row.rival), _number(row.ratio))
    print(_line((row.point, row.what, value, *numbers, row.target, met)), flush=True)
    return row


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}" if value < 100 else f"{value:.0f}"


def _line(cells: Iterable[str]) -> str:
    padded = [
        cell.rjust(width) if 2 <= column <= 5 else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(cells, WIDTHS, strict=True))
    ]
    return "  ".join(padded).rstrip()


if __name__ == "__main__":
    main()
