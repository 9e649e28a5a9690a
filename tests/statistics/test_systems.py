"""Comparing systems: estimates, differences and verdicts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import corefscope as cs
from corefscope import compare
from corefscope.exceptions import InvalidInput, UnknownName
from corefscope.findings import Code
from corefscope.metrics import STANDARD
from corefscope.options import make_options
from corefscope.scoring.scores import Scores
from corefscope.statistics import RunScores, Settings, compare_runs
from corefscope.statistics.units import make_units
from noisy import Documents, noisy, small_documents

quiet = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")

GOLD = small_documents()
GOOD, FAIR, POOR = (noisy(GOLD, seed, noise) for seed, noise in ((1, 0.1), (2, 0.25), (3, 0.6)))
SYSTEMS = {"poor": POOR, "fair": FAIR, "good": GOOD}


def width(estimate: cs.Estimate) -> float:
    assert estimate.low is not None and estimate.high is not None
    return estimate.high - estimate.low


def test_values_are_those_of_score() -> None:
    found = compare(GOLD, SYSTEMS, samples=200)
    assert found.statistics == (*STANDARD, "conll")
    for name, response in SYSTEMS.items():
        scores = cs.score(GOLD, response)
        for id in STANDARD:
            assert found.estimates[name][id].value == scores[id].f1
        assert found.estimates[name]["conll"].value == scores.conll
        for id, estimate in found.estimates[name].items():
            if id != "mentions":  # All mentions are found in every resample.
                assert estimate.low is not None and estimate.high is not None
                assert estimate.low < estimate.value < estimate.high
            assert estimate.deviation is None


def test_others_are_compared_with_the_baseline() -> None:
    found = compare(GOLD, SYSTEMS, samples=200)
    assert {(d.system, d.other) for d in found.differences} == {("fair", "poor"), ("good", "poor")}
    found = compare(GOLD, SYSTEMS, samples=2_000, baseline="good")
    assert {(d.system, d.other) for d in found.differences} == {("poor", "good"), ("fair", "good")}
    difference = found.difference("poor", "good")
    assert difference.difference == pytest.approx(
        found.estimates["poor"]["conll"].value - found.estimates["good"]["conll"].value
    )
    assert difference.low is not None and difference.high is not None
    assert difference.low < difference.difference < difference.high < 0
    assert difference.is_significant and difference.p == 1 / 2_001


@quiet
@pytest.mark.parametrize("test", ["randomization", "bootstrap"])
@pytest.mark.parametrize(("units", "is_tested"), [(2, False), (5, False), (6, True), (9, True)])
def test_the_smallest_possible_p_decides_whether_few_units_are_tested(
    units: int, is_tested: bool, test: cs.Test
) -> None:
    """Five documents can be swapped in 32 ways, and two of them give the same difference."""
    gold, poor, good = (dict(list(side.items())[:units]) for side in (GOLD, POOR, GOOD))
    found = compare(gold, {"poor": poor, "good": good}, test=test)
    assert all(d.p is not None and d.p >= 2.0 ** (1 - units) for d in found.differences)
    (planned,) = found.planned
    assert (planned.verdict != "cannot be tested") == is_tested
    assert (planned.detectable is not None) == is_tested
    assert [finding.code for finding in found.findings] == [Code.FEW_UNITS]


@quiet
def test_ten_units_are_tested_exactly() -> None:
    ten = [dict(list(side.items())[:10]) for side in (GOLD, POOR, GOOD)]
    found = compare(ten[0], {"a": ten[1], "b": ten[2]})
    assert found.is_exact and "|test:randomization-exact|" in found.signature
    assert all(d.p is not None and d.p * 2**10 == int(d.p * 2**10) for d in found.differences)


def test_units_are_resampled_as_a_whole() -> None:
    """Documents that come in equal pairs tell half as much: the interval is wider."""
    double = {f"{name} {half}": side for name, side in GOLD.items() for half in "ab"}
    good = {f"{name} {half}": side for name, side in GOOD.items() for half in "ab"}
    poor = {f"{name} {half}": side for name, side in POOR.items() for half in "ab"}
    apart = compare(double, {"poor": poor, "good": good})
    paired = compare(double, {"poor": poor, "good": good}, unit=r"(\w+) [ab]")
    single = compare(GOLD, {"poor": POOR, "good": GOOD})
    assert (apart.units, paired.units) == (80, 40)
    wide = [width(found.estimates["poor"]["conll"]) for found in (apart, paired, single)]
    assert wide[1] == pytest.approx(1.41 * wide[0], rel=0.1)
    assert wide[1] == pytest.approx(wide[2], rel=1e-9)


def test_the_macro_average_is_compared_as_such() -> None:
    found = compare(GOLD, SYSTEMS, profile="macro", samples=100)
    scores = cs.score(GOLD, FAIR, profile="macro")
    assert found.estimates["fair"]["conll"].value == scores.conll
    assert "average:macro" in found.signature


def scored(gold: Documents, **responses: Documents) -> RunScores:
    return {name: [cs.score(gold, response)] for name, response in responses.items()}


def unlike() -> dict[str, Scores]:
    other_key = {name: [*entities[1:], entities[0][:2]] for name, entities in GOLD.items()}
    renamed = {f"other {name}": entities for name, entities in GOLD.items()}
    return {
        "metrics": cs.score(GOLD, GOOD, metrics="muc"),
        "signature": cs.score(GOLD, GOOD, singletons="drop"),
        "other documents": cs.score(renamed, renamed),
        "another key": cs.score(other_key, GOOD),
    }


@pytest.mark.parametrize("what", ["metrics", "signature", "other documents", "another key"])
def test_scores_with_other_options(what: str) -> None:
    with pytest.raises(InvalidInput, match=what) as caught:
        compare(GOLD, {"a": POOR, "b": unlike()[what]}, samples=10)
    assert caught.value.findings[0].code is Code.BAD_RESULT


def test_documents_that_moved_most() -> None:
    found = compare(GOLD, {"a": POOR, "b": GOOD}, samples=10)
    change = {}
    for before, after in zip(
        cs.score(GOLD, POOR).per_document, cs.score(GOLD, GOOD).per_document, strict=True
    ):
        assert before.conll is not None and after.conll is not None
        change[before.document] = after.conll - before.conll
    most = sorted(change.items(), key=lambda item: -abs(item[1]))[:5]
    moved = found.moved("b", "a", 5)
    assert [value for _, value in moved] == pytest.approx([value for _, value in most])
    assert found.moved("b", "a", None) != []
    same = compare(GOLD, {"a": POOR, "b": POOR}, samples=10)
    assert same.moved("b", "a", None) == []


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"baseline": "nobody"}, UnknownName),
        ({"test": "t"}, UnknownName),
        ({"samples": 0}, ValueError),
        ({"samples": 1e3}, ValueError),
        ({"samples": 10_000_000}, ValueError),
        ({"seed": None}, ValueError),
        ({"confidence": 1.0}, ValueError),
        ({"confidence": float("nan")}, ValueError),
        ({"confidence": 1e-17}, ValueError),
        ({"profile": "nothing"}, UnknownName),
    ],
)
def test_settings_that_make_no_sense_are_refused(
    options: dict[str, object], error: type[Exception]
) -> None:
    with pytest.raises(error):
        compare(GOLD, SYSTEMS, **options)  # type: ignore[arg-type]


def test_one_system_is_nothing_to_compare() -> None:
    with pytest.raises(ValueError, match="two or more"):
        compare(GOLD, {"a": POOR})


def test_files_scores_and_results_compare_alike(tmp_path: Path) -> None:
    from corefscope.results.record import as_json
    from corefscope.scoring.record import score_result

    scores = cs.score(GOLD, GOOD)
    stored = tmp_path / "good.json"
    result = score_result("key", cs.evaluate(GOLD, {"good": GOOD}), per_document=True)
    stored.write_text(as_json(result))
    found = [
        compare(GOLD, {"poor": POOR, "good": run}, samples=100)
        for run in (GOOD, scores, str(stored), stored)
    ]
    for each in found[1:]:
        assert each.differences == found[0].differences
        assert each.estimates == found[0].estimates


def test_more_metrics_can_be_resampled() -> None:
    """Every figure of a resample that draws each document once is that of the corpus."""
    options = make_options(metrics="all,more")
    scores = cs.score(GOLD, FAIR, metrics=[metric.id for metric in options.metrics])
    from corefscope.statistics.readings import readings_of, rows_of

    read = readings_of(scores)
    values = read.read(np.ones(len(GOLD)) @ rows_of(scores))
    expected = [*(score.f1 for score in scores.metrics.values()), scores.conll]
    assert values.tolist() == pytest.approx(expected, abs=1e-12)


@quiet
def test_one_unit_has_no_interval_and_no_test() -> None:
    found = compare(GOLD, {"a": POOR, "b": GOOD}, unit="d")
    assert found.units == 1
    for estimates in found.estimates.values():
        assert all((e.low, e.high) == (None, None) for e in estimates.values())
    assert all((d.low, d.high, d.p) == (None, None, None) for d in found.differences)


@quiet
def test_intervals_do_not_leave_the_scale() -> None:
    """Runs that spread widely are stretched, but no score is below 0 or above 1."""
    runs: list[Documents] = [POOR, {name: [] for name in GOLD}, GOLD]
    found = compare(GOLD, {"a": runs, "b": GOLD}, samples=300)
    for estimates in found.estimates.values():
        for estimate in estimates.values():
            assert estimate.low is not None and estimate.high is not None
            assert 0 <= estimate.low <= estimate.high <= 1


def test_one_system_alone_has_its_estimates() -> None:
    units = make_units(list(GOLD), "documents")
    alone = compare_runs(scored(GOLD, a=FAIR), units, Settings(samples=200))
    beside = compare_runs(scored(GOLD, a=FAIR, b=GOOD), units, Settings(samples=200))
    assert alone.differences == [] and alone.estimates["a"] == beside.estimates["a"]
