"""The results of ``profiles``: all profiles, and a response scored under all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal

from corefscope.choices import Layer, SplitAntecedents, UaMatch, Zeros
from corefscope.findings import Finding
from corefscope.matching.matching import SingletonRule
from corefscope.metrics.counts import Average
from corefscope.profiles import BlancKinds, Copies, Profile
from corefscope.results.record import FindingRecord, Record, Result, about, finding_records
from corefscope.scoring import ProfileScores
from corefscope.serialization.score import MetricScores, metric_records


class ProfileRecord(Record, frozen=True, kw_only=True):
    """The scoring rules of a profile."""

    name: str
    meaning: str
    used_by: str
    limits: Annotated[str, about("what the profile cannot reproduce")]
    scorer: Annotated[str, about("the official scorer whose figures are given")]
    match: UaMatch
    zeros: Zeros
    split_antecedents: SplitAntecedents
    layer: Layer
    singletons: SingletonRule
    singletons_in: Annotated[dict[str, SingletonRule], about("metrics with a different rule")]
    duplicates: Copies
    average: Average
    empty: Literal["zero"]
    blanc: BlancKinds
    rounding: Literal["nearest"]
    window: Annotated[
        int | None, about("tokens of the windows that documents are cut into; null: none")
    ]


class ProfilesResult(Result, frozen=True, kw_only=True):
    """All profiles."""

    schema: Literal["profiles/1"] = "profiles/1"
    profiles: list[ProfileRecord]


class StepRecord(Record, frozen=True, kw_only=True):
    """One step from the default profile to another: a changed rule and the new scores."""

    rule: str
    f1: Annotated[dict[str, float], about("by metric")]
    conll: float | None


class ProfileScoresRecord(ProfileRecord, frozen=True, kw_only=True):
    """A profile and the scores under it."""

    signature: str
    metrics: MetricScores
    conll: float | None
    steps: list[StepRecord]


class ProfileScoresResult(Result, frozen=True, kw_only=True):
    """A response scored under all profiles."""

    schema: Literal["profile-scores/1"] = "profile-scores/1"
    key: str
    response: str
    profiles: list[ProfileScoresRecord]
    findings: list[FindingRecord]


def profiles_result(profiles: Iterable[Profile]) -> ProfilesResult:
    """Return profiles for JSON."""
    return ProfilesResult(profiles=[ProfileRecord(**_rules(each)) for each in profiles])


def profile_scores_result(
    key: str, response: str, profiles: Iterable[ProfileScores], findings: Sequence[Finding]
) -> ProfileScoresResult:
    """Return the scores under all profiles for JSON, with every step."""
    return ProfileScoresResult(
        key=key,
        response=response,
        profiles=list(map(_scored, profiles)),
        findings=finding_records(findings),
    )


def _rules(profile: Profile) -> dict[str, Any]:
    """Return the fields of a profile, some of which are properties."""
    named = {name: getattr(profile, name) for name in SAME}
    window = None if profile.window is None else profile.window.size
    return {
        **named,
        "scorer": profile.scorer.name,
        "duplicates": profile.copies,
        "window": window,
    }


def _scored(each: ProfileScores) -> ProfileScoresRecord:
    return ProfileScoresRecord(
        signature=each.scores.signature,
        metrics=metric_records(each.scores.metrics),
        conll=each.scores.conll,
        steps=[
            StepRecord(
                rule=step.rule,
                f1={id: score.f1 for id, score in step.scores.metrics.items()},
                conll=step.scores.conll,
            )
            for step in each.steps
        ],
        **_rules(each.profile),
    )


SAME = tuple(
    name
    for name in ProfileRecord.__struct_fields__
    if name not in ("scorer", "duplicates", "window")
)
"""The fields of a record that a profile has under the same name."""
