"""The results of ``profiles``: all profiles, and a response scored under all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, TypedDict

from corefscope.choices import Layer, SplitAntecedents, UaMatch, Zeros
from corefscope.findings import Finding
from corefscope.matching.matching import SingletonRule
from corefscope.metrics.counts import Average
from corefscope.profiles import BlancKinds, Copies, Profile
from corefscope.scoring import ProfileScores
from corefscope.serialization.common import FindingRecord, Result, finding_records
from corefscope.serialization.score import MetricScores, metric_records
from corefscope.version import __version__


class ProfileRecord(TypedDict):
    """The scoring rules of a profile."""

    name: str
    meaning: str
    used_by: str
    limits: Annotated[str, "what the profile cannot reproduce"]
    scorer: Annotated[str, "the official scorer whose figures are given"]
    match: UaMatch
    zeros: Zeros
    split_antecedents: SplitAntecedents
    layer: Layer
    singletons: SingletonRule
    singletons_in: Annotated[dict[str, SingletonRule], "metrics with a different rule"]
    duplicates: Copies
    average: Average
    empty: Literal["zero"]
    blanc: BlancKinds
    rounding: Literal["nearest"]
    window: Annotated[int | None, "tokens of the windows that documents are cut into; null: none"]


class ProfilesResult(Result):
    """All profiles."""

    schema: Literal["profiles/1"]
    profiles: list[ProfileRecord]


class StepRecord(TypedDict):
    """One step from the default profile to another: a changed rule and the new scores."""

    rule: str
    f1: Annotated[dict[str, float], "by metric"]
    conll: float | None


class ProfileScoresRecord(ProfileRecord):
    """A profile and the scores under it."""

    signature: str
    metrics: MetricScores
    conll: float | None
    steps: list[StepRecord]


class ProfileScoresResult(Result):
    """A response scored under all profiles."""

    schema: Literal["profile-scores/1"]
    key: str
    response: str
    profiles: list[ProfileScoresRecord]
    findings: list[FindingRecord]


def profiles_result(profiles: Iterable[Profile]) -> ProfilesResult:
    """Return profiles for JSON."""
    return {
        "corefscope": __version__,
        "schema": "profiles/1",
        "profiles": list(map(_profile, profiles)),
    }


def profile_scores_result(
    key: str, response: str, profiles: Iterable[ProfileScores], findings: Sequence[Finding]
) -> ProfileScoresResult:
    """Return the scores under all profiles for JSON, with every step."""
    return {
        "corefscope": __version__,
        "schema": "profile-scores/1",
        "key": key,
        "response": response,
        "profiles": list(map(_scored, profiles)),
        "findings": finding_records(findings),
    }


def _profile(profile: Profile) -> ProfileRecord:
    return {
        "name": profile.name,
        "meaning": profile.meaning,
        "used_by": profile.used_by,
        "limits": profile.limits,
        "scorer": profile.scorer.name,
        "match": profile.match,
        "zeros": profile.zeros,
        "split_antecedents": profile.split_antecedents,
        "layer": profile.layer,
        "singletons": profile.singletons,
        "singletons_in": dict(profile.singletons_in),
        "duplicates": profile.copies,
        "average": profile.average,
        "empty": profile.empty,
        "blanc": profile.blanc,
        "rounding": profile.rounding,
        "window": None if profile.window is None else profile.window.size,
    }


def _scored(each: ProfileScores) -> ProfileScoresRecord:
    return {
        **_profile(each.profile),
        "signature": each.scores.signature,
        "metrics": metric_records(each.scores.metrics),
        "conll": each.scores.conll,
        "steps": [
            {
                "rule": step.rule,
                "f1": {id: score.f1 for id, score in step.scores.metrics.items()},
                "conll": step.scores.conll,
            }
            for step in each.steps
        ],
    }
