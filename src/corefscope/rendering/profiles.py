"""Tables of all profiles, and of the scores of a response under all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import floor

from corefscope.formatting import PERCENT, POINTS, TEXT
from corefscope.metrics import CONLL, METRICS, statistics_of
from corefscope.profiles import DEFAULT, PROFILES, Profile
from corefscope.rendering.scores import statistic_columns
from corefscope.results.table import RowCells, Table, TableColumn, columns, wrapped
from corefscope.scores import Scores
from corefscope.scoring import ProfileScores, Step


def list_of_profiles() -> Table:
    """Return a table of the rules of each profile."""
    rows = [
        [p.name, p.match, p.zeros, _rules(p), p.copies, p.average, p.blanc]
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


def _rules(profile: Profile) -> str:
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
