"""All profiles, and the scores of a response under all of them: records and tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import floor
from typing import Annotated, Any, Literal

from corefscope.choices import Layer, SplitAntecedents, UaMatch, Zeros
from corefscope.findings import Finding
from corefscope.formatting import PERCENT, POINTS, TEXT
from corefscope.matching.matching import SingletonRule
from corefscope.metrics import CONLL, METRICS, statistics_of
from corefscope.metrics.counts import Average
from corefscope.profiles import DEFAULT, PROFILES, BlancKinds, Copies, Profile
from corefscope.results.record import FindingRecord, Record, Result, about, finding_records
from corefscope.results.table import RowCells, Table, TableColumn, columns, wrapped
from corefscope.scoring.measure import ProfileScores, Step
from corefscope.scoring.record import MetricScores, metric_records
from corefscope.scoring.scores import Scores
from corefscope.scoring.tables import statistic_columns


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


def list_of_profiles() -> Table:
    """Return a table of the rules of each profile."""
    rows = [
        [p.name, p.match, p.zeros, _singletons(p), p.copies, p.average, p.blanc]
        for p in PROFILES.values()
    ]
    notes = [
        "All define 0/0 as 0, and round to the nearest. corefscope profiles NAME describes one."
    ]
    names = ("profile", "match", "zeros", "singletons", "copies", "average", "BLANC")
    return Table(
        columns=columns(TEXT, *names),
        rows=rows,
        notes=notes,
        heading=["Profiles: the rules by which scores are computed"],
    )


def described(profile: Profile) -> str:
    """Return what a profile does, who uses it, and what it cannot reproduce."""
    users = f" Used by {profile.used_by}." if profile.used_by else ""
    limits = f" Limits: {profile.limits}." if profile.limits else ""
    own = [f"{METRICS[id].name}: {rule}" for id, rule in profile.singletons_in.items()]
    rules = f" Singletons: {profile.singletons}, {', '.join(own)}." if own else ""
    return f"{profile.name}: {profile.meaning}.{rules}{users}{limits}"


def _singletons(profile: Profile) -> str:
    own = [f"(not {METRICS[id].name})" for id in profile.singletons_in]
    return " ".join([profile.singletons, *own])


def under_profiles(key: str, response: str, profiles: Sequence[ProfileScores]) -> Table:
    """Return a table of F1 by profile, with the change of the CoNLL score from the default."""
    first = profiles[0].scores
    statistics = statistics_of(first.counts)
    rows: list[RowCells] = []
    for each in profiles:
        metrics = each.scores.metrics
        change = _conll(each.scores) - _conll(first)
        values = [statistic.value(metrics) for statistic in statistics]
        is_default = each.profile == DEFAULT
        rows.append([each.profile.name, *values, None if is_default else change / 10_000])
    heading = [f"key       {key}", f"response  {response}"]
    return Table(
        columns=[
            TableColumn("profile"),
            *statistic_columns(statistics),
            TableColumn("change", POINTS),
        ],
        rows=rows,
        notes=[first.signature],
        heading=[*heading, f"documents {len(first.document_names)}"],
    )


def hundredths(fraction: float) -> int:
    """Return a fraction in hundredths of a point, rounded as it is printed."""
    return round(float(PERCENT.shown(fraction)) * 100)


def points(change: int) -> str:
    """Return hundredths of a point as points with their sign."""
    return POINTS.shown(change / 10_000)


def _conll(scores: Scores) -> int:
    assert scores.conll is not None
    return hundredths(scores.conll)


def explanation(profiles: Sequence[ProfileScores]) -> list[str]:
    """Explain which rule changes which metric, from the default profile to each other one.

    Changes are computed from printed scores, so that they add up to the last digit.
    """
    lines, same = [], []
    for each in profiles:
        if each.profile.name == DEFAULT.name:
            continue
        begin, end = _conll(each.steps[0].scores), _conll(each.scores)
        if all(_moved(each.steps[0], each, id) is None for id in each.scores.counts):
            same.append(each.profile.name)
            continue
        change = points(end - begin)
        lines += [
            "",
            f"{each.profile.name}: CoNLL {begin / 100:.2f} → {end / 100:.2f} ({change})",
        ]
        by_metric = shares(each.steps[0].scores, each.scores)
        moved = [f"{METRICS[id].name} {points(share)}" for id, share in by_metric.items()]
        lines.append(f"  contribution of each metric: {', '.join(moved)}")
        for before, after in pairwise(each.steps):
            lines += _step(before, after)
    said = wrapped([f"Same scores: {', '.join([DEFAULT.name, *same])}"]) if same else []
    return [*lines, *([""] if said else []), *said]


def shares(before: Scores, after: Scores) -> dict[str, int]:
    """Return how many hundredths of a point each metric contributes to the change of CoNLL.

    They are rounded so that they add up to the printed difference (largest remainders).
    """
    total = _conll(after) - _conll(before)
    exact = {id: 1e4 * (after[id].f1 - before[id].f1) / len(CONLL.ids) for id in CONLL.ids}
    rounded = {id: floor(share) for id, share in exact.items()}
    spare = total - sum(rounded.values())
    for id in sorted(exact, key=lambda id: rounded[id] - exact[id])[: max(spare, 0)]:
        rounded[id] += 1
    # Printed scores may be rounded in another direction; the largest share takes the rest.
    most = max(exact, key=lambda id: abs(exact[id]))
    rounded[most] += total - sum(rounded.values())
    return rounded


def _step(before: Step, after: Step) -> Iterator[str]:
    """Describe the effect of one rule."""
    moved = [line for id in after.scores.counts if (line := _moved(before, after, id))]
    if moved:
        change = _conll(after.scores) - _conll(before.scores)
        yield f"  {after.rule}: CoNLL {points(change)}"
        yield from moved


def _moved(before: Step, after: Step | ProfileScores, id: str) -> str | None:
    """Return how a metric changes from one score to another; None if it does not."""
    old, new = hundredths(before.scores[id].f1), hundredths(after.scores[id].f1)
    change = points(new - old)
    said = f"    {METRICS[id].name} {old / 100:.2f} → {new / 100:.2f} ({change})"
    return None if old == new else said
