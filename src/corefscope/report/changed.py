"""What changed between two systems, as marks on their errors."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from corefscope.error_analysis import Analysis, ErrorRecord
from corefscope.error_analysis.changes import changes

SAME, DIFFERENTLY, FIXED, BROKEN = "=~-+"


def changes_of(analyses: Sequence[Analysis]) -> list[dict[str, Any]]:
    """Return what changed between all pairs of systems; rows are numbered over all systems."""
    firsts, row = [], 0
    for analysis in analyses:
        firsts.append(row)
        row += len(analysis.records)
    return [
        {"before": one, "after": other, **_between(analyses[one], analyses[other], rows)}
        for one, other in combinations(range(len(analyses)), 2)
        for rows in [(firsts[one], firsts[other])]
    ]


def _between(before: Analysis, after: Analysis, firsts: tuple[int, int]) -> dict[str, Any]:
    found = changes(before, after)
    sides = [_Marks(before, firsts[0]), _Marks(after, firsts[1])]
    sides[0].mark(found.fixed, FIXED)
    sides[1].mark(found.broken, BROKEN)
    exchanges = [
        [side.mark(errors, DIFFERENTLY) for side, errors in zip(sides, both, strict=True)]
        for both in ((exchange.before, exchange.after) for exchange in found.differently)
    ]
    return {
        "counts": found.counts.to_dict(),
        "of_before": "".join(sides[0].marks),
        "of_after": "".join(sides[1].marks),
        "exchanges": exchanges,
    }


class _Marks:
    """One character for each error of a system, in their order."""

    def __init__(self, analysis: Analysis, first: int) -> None:
        self.first = first
        # Errors are known by what they are, not by what they say: a system has each once.
        self.place = {id(error): place for place, error in enumerate(analysis.records)}
        self.marks = [SAME] * len(self.place)

    def mark(self, errors: Sequence[ErrorRecord], sign: str) -> list[int]:
        """Mark errors, and return their rows."""
        places = [self.place[id(error)] for error in errors]
        for place in places:
            self.marks[place] = sign
        return [self.first + place for place in places]
