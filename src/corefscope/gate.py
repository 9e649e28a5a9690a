"""Is a response as good as it was? For continuous integration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from corefscope.findings import Code, Finding, InvalidInput, UnknownName
from corefscope.results import StoredSystem
from corefscope.scoring import Scores
from corefscope.statistics.readings import directions

ROUNDING = 1e-9
"""Points by which two equal scores may differ."""


@dataclass(frozen=True, slots=True)
class Check:
    """A score beside what it was."""

    statistic: str
    baseline: float
    now: float
    max_drop: float
    """In points, as a percentage is."""

    @property
    def drop(self) -> float:
        """How many points worse it is; negative if it is better."""
        (sign,) = directions([self.statistic])
        return float(100 * sign * (self.baseline - self.now))

    @property
    def passes(self) -> bool:
        """Whether the drop is no more than is allowed."""
        return self.drop <= self.max_drop + ROUNDING


def checks(
    scores: Scores, baseline: StoredSystem, max_drops: Mapping[str, float], path: str
) -> Sequence[Check]:
    """Check each statistic that has a limit; refuse a baseline that was computed in another way."""
    if scores.signature != baseline.signature:
        message = f"the baseline has signature {baseline.signature}; expected {scores.signature}"
        raise InvalidInput([Finding(Code.UNLIKE_RESULTS, message, path)])
    found = {id: score.f1 for id, score in scores.metrics.items()}
    if scores.conll is not None:
        found["conll"] = scores.conll
    for id, counted in baseline.key.items():
        if id in scores and scores[id].recall_counts[1] != counted:
            message = "the baseline is of another key; expected the same entities"
            raise InvalidInput([Finding(Code.UNLIKE_RESULTS, message, path)])
    for id in max_drops:
        if id not in found:
            raise UnknownName("score that was asked for", id, found)
        if id not in baseline.f1:
            message = f"the baseline has no {id}; expected it among {', '.join(baseline.f1)}"
            raise InvalidInput([Finding(Code.UNLIKE_RESULTS, message, path)])
    return [Check(id, baseline.f1[id], found[id], limit) for id, limit in max_drops.items()]
