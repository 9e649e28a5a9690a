"""Changes between two systems, as marks on their errors."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, count
from typing import NamedTuple

from corefscope.error_analysis import Analysis, ErrorRecord
from corefscope.error_analysis.changes import changes
from corefscope.error_analysis.record import ChangeCountsRecord
from corefscope.report.record import ReportChanges

SAME, DIFFERENTLY, FIXED, BROKEN = "=~-+"


def changes_of(analyses: Sequence[Analysis]) -> list[ReportChanges]:
    """Return the changes between all pairs of systems; rows are numbered over all systems."""
    firsts, row = [], 0
    for analysis in analyses:
        firsts.append(row)
        row += len(analysis.records)
    sides = [_Side(*each) for each in zip(count(), analyses, firsts, strict=False)]
    return [_between(before, after) for before, after in combinations(sides, 2)]


class _Side(NamedTuple):
    """One of the systems: its number, its errors, and the row of its first error."""

    number: int
    analysis: Analysis
    first: int


def _between(before: _Side, after: _Side) -> ReportChanges:
    found = changes(before.analysis, after.analysis)
    sides = [_Marks(each.analysis, each.first) for each in (before, after)]
    sides[0].mark(found.fixed, FIXED)
    sides[1].mark(found.broken, BROKEN)
    exchanges = [
        [side.mark(errors, DIFFERENTLY) for side, errors in zip(sides, both, strict=True)]
        for both in ((exchange.before, exchange.after) for exchange in found.differently)
    ]
    return ReportChanges(
        before=before.number,
        after=after.number,
        counts=ChangeCountsRecord(**found.counts.figures),
        of_before="".join(sides[0].marks),
        of_after="".join(sides[1].marks),
        exchanges=exchanges,
    )


class _Marks:
    """One character for each error of a system, in order."""

    def __init__(self, analysis: Analysis, first: int) -> None:
        self.first = first
        # By identity: a system has each error object once.
        self.place = {id(error): place for place, error in enumerate(analysis.records)}
        self.marks = [SAME] * len(self.place)

    def mark(self, errors: Sequence[ErrorRecord], sign: str) -> list[int]:
        """Mark errors and return their rows."""
        places = [self.place[id(error)] for error in errors]
        for place in places:
            self.marks[place] = sign
        return [self.first + place for place in places]
