"""Compare what two versions did in one case."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

TOLERANCE = 1e-12
PLACE = re.compile(r"^(?P<file>[^:\s][^:]*?)(?::(?P<line>\d+))?: ")
WORDS = ("message", "corefscope", "found", "expected", "remedy")
"""Fields of JSON that have wording or a version, which may change."""


def differences(base: dict[str, Any] | None, ours: dict[str, Any] | None) -> Iterator[str]:
    """Yield where two records of a case differ, at most a few lines."""
    if base is None or ours is None:
        yield "the case is new" if base is None else "the case is gone"
        return
    if base.get("status") != ours.get("status"):
        yield f"exit status {base['status']} -> {ours['status']}: {_last(ours)}"
        return
    yield from _different_findings(base.get("stderr", ""), ours.get("stderr", ""))
    yield from _different_text("output", base.get("stdout", ""), ours.get("stdout", ""))
    files = base.get("files", {}), ours.get("files", {})
    for name in sorted(files[0].keys() | files[1].keys()):
        if name not in files[0] or name not in files[1]:
            yield f"file {name}: {'new' if name not in files[0] else 'gone'}"
            continue
        yield from _different_text(f"file {name}", files[0][name], files[1][name])
    if base.get("value") != ours.get("value"):
        yield from _unlike("value", base.get("value"), ours.get("value"))


def _last(record: dict[str, Any]) -> str:
    lines = str(record.get("stderr", "")).strip().splitlines() or [str(record.get("value", ""))]
    return lines[0][:200]


def findings_of(text: str) -> list[tuple[str, str, str]]:
    """Return file, line and code of the findings that were printed, in order."""
    found = []
    for line in text.splitlines():
        code = re.match(r"(?:error|warning)\[([EW]\d{3})\] ", line)
        if code is None:
            continue
        place = PLACE.match(line[code.end() :])
        found.append(
            (place["file"] if place else "", (place["line"] or "") if place else "", code[1])
        )
    return found


def _different_findings(base: str, ours: str) -> Iterator[str]:
    before, after = findings_of(base), findings_of(ours)
    if before == after:
        return
    lost = [each for each in before if each not in after]
    new = [each for each in after if each not in before]
    if lost or new:
        yield f"findings: lost {lost[:3]}, new {new[:3]}"
    elif sorted(before) == sorted(after):
        yield "findings: another order"
    else:
        yield f"findings: {len(before)} -> {len(after)}"


def _different_text(what: str, base: str, ours: str) -> Iterator[str]:
    if base == ours:
        return
    try:
        values = json.loads(base), json.loads(ours)
    except ValueError:
        values = None
    if values is not None:
        yield from _unlike(what, *values)
        return
    for number, (one, other) in enumerate(
        zip(base.splitlines(), ours.splitlines(), strict=False), start=1
    ):
        if one != other:
            yield f"{what}, line {number}: {one[:150]!r} -> {other[:150]!r}"
            return
    yield f"{what}: {len(base.splitlines())} -> {len(ours.splitlines())} lines"


def _unlike(where: str, base: Any, ours: Any) -> Iterator[str]:
    """Yield the first differences of two JSON values."""
    if isinstance(base, dict) and isinstance(ours, dict):
        yield from _unlike_objects(where, base, ours)
    elif isinstance(base, list) and isinstance(ours, list):
        if len(base) != len(ours):
            yield f"{where}: {len(base)} -> {len(ours)} items"
            return
        places = enumerate(zip(base, ours, strict=True))
        found = (d for number, pair in places for d in _unlike(f"{where}[{number}]", *pair))
        yield from islice(found, 2)
    elif isinstance(base, float) and isinstance(ours, float | int):
        if not math.isclose(base, ours, rel_tol=TOLERANCE, abs_tol=TOLERANCE):
            yield f"{where}: {base!r} -> {ours!r}"
    elif base != ours:
        yield f"{where}: {str(base)[:100]!r} -> {str(ours)[:100]!r}"


def _unlike_objects(where: str, base: dict[str, Any], ours: dict[str, Any]) -> Iterator[str]:
    if list(base) != list(ours):
        gone, new = [k for k in base if k not in ours], [k for k in ours if k not in base]
        yield f"{where}: fields gone {gone[:5]}, new {new[:5]}"
        return
    for key, value in base.items():
        if key not in WORDS:
            yield from _unlike(f"{where}.{key}", value, ours[key])
