"""Verdicts: one planned comparison, corrected over systems only; everything else is exploratory."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

import pytest

import corefscope as cs
from corefscope import compare
from corefscope.options import make_options
from noisy import Documents, noisy, small_documents

GOLD = small_documents()
TEN = dict(list(GOLD.items())[:10])
SYSTEMS = {
    name: noisy(GOLD, seed, noise)
    for name, seed, noise in (("a", 3, 0.6), ("b", 2, 0.25), ("c", 1, 0.22), ("d", 5, 0.2))
}


def of_ten(*names: str) -> dict[str, Documents]:
    return {name: {d: SYSTEMS[name][d] for d in TEN} for name in names}


@pytest.fixture(autouse=True)
def quiet(recwarn: pytest.WarningsRecorder) -> None:
    """Ten documents are few, as a warning says."""


def test_raw_p_of_a_pair_is_the_same_in_every_view() -> None:
    """Whatever else is compared, by whichever metrics, in either order, in a report as well."""
    for key, systems in ((GOLD, SYSTEMS), (TEN, of_ten(*SYSTEMS))):
        pair = {name: systems[name] for name in "ab"}
        expected = compare(key, pair).difference("b", "a").p
        assert expected is not None
        for names in ("ab", "abc", "abcd", "dcab"):
            chosen = {name: systems[name] for name in names}
            for found in (
                compare(key, chosen, baseline="a"),
                compare(key, chosen, baseline="a", metrics="conll"),
                cs.evaluate(key, chosen).comparison,
                compare(key, chosen, all_pairs=True),
            ):
                same = [d for d in found.differences if {d.system, d.other} == {"a", "b"}]
                assert [d.p for d in same if d.statistic == "conll"] == [expected]
        bootstrap = {
            compare(key, chosen, test="bootstrap", baseline="a").difference("b", "a").p
            for chosen in (pair, systems)
        }
        assert len(bootstrap) == 1


def test_several_runs_of_another_system_do_not_change_p() -> None:
    runs = [noisy(GOLD, seed, 0.3) for seed in range(5)]
    alone = compare(GOLD, {"a": SYSTEMS["a"], "b": SYSTEMS["b"]}).difference("b", "a")
    beside = compare(GOLD, {"a": SYSTEMS["a"], "b": SYSTEMS["b"], "runs": runs})
    assert beside.difference("b", "a").p == alone.p
    assert beside.tests == ["randomization"]
    # Two comparisons are planned, and intervals hold for both, though only one can be tested.
    assert beside.difference("b", "a").confidence == 0.975
    assert alone.p and beside.difference("b", "a").p_corrected == 2 * alone.p
    unlike = beside.difference("runs", "a")
    assert (unlike.test, unlike.p, unlike.verdict) == (None, None, "cannot be tested")


def test_only_the_planned_comparison_has_a_verdict() -> None:
    found = compare(GOLD, SYSTEMS)
    assert {(d.system, d.other, d.statistic) for d in found.planned} == {
        (name, "a", "conll") for name in "bcd"
    }
    assert all(d.verdict == "significant" for d in found.planned)
    exploratory = [d for d in found.differences if d.statistic != "conll"]
    assert exploratory and all(
        (d.verdict, d.p_corrected, d.detectable) == (None, None, None) for d in exploratory
    )
    assert compare(GOLD, SYSTEMS, all_pairs=True).planned == []


@pytest.mark.parametrize("metrics", [None, "conll", "all,more"])
def test_correction_depends_on_the_number_of_systems_alone(metrics: str | None) -> None:
    """Ten documents allow a p-value of 2 in 1,024: three comparisons make it 6, not 24 or more."""
    for names, factor in (("ab", 1), ("abc", 2), ("abcd", 3)):
        found = compare(TEN, of_ten(*names), metrics=metrics)
        least = min(d.p_corrected for d in found.planned if d.p_corrected is not None)
        smallest = min(d.p for d in found.planned if d.p is not None)
        assert least == pytest.approx(factor * smallest)
        for d in found.planned:
            assert d.least is not None and d.p_corrected is not None
            assert d.least <= d.p_corrected and d.least <= factor * d.p_corrected


def test_the_planned_metric() -> None:
    """CoNLL wherever its metrics are computed, or else the first one that is named."""
    for metrics, planned in (
        (None, "conll"),
        ("muc,b3,ceafe", "conll"),
        ("lea,b3", "lea"),
        (["b3", "LEA"], "b3"),
        ("legacy", make_options(metrics="legacy").metrics[0].id),
    ):
        found = compare(TEN, of_ten("a", "b"), metrics=metrics)
        assert (found.primary, found.planned[0].statistic) == (planned, planned)


def test_no_verdict_of_a_test_that_could_not_find_anything() -> None:
    """Too few samples, too many systems, and documents that hardly differ."""
    few_samples = compare(GOLD, {"a": SYSTEMS["a"], "b": SYSTEMS["b"]}, samples=10)
    assert few_samples.planned[0].verdict == "cannot be tested"
    many = {f"s{n}": noisy(TEN, n, 0.3) for n in range(28)}
    found = compare(TEN, many, metrics="b3")
    assert {d.verdict for d in found.planned} == {"cannot be tested"}
    nearly = dict(SYSTEMS["b"])
    for name in list(GOLD)[:3]:
        nearly[name] = SYSTEMS["a"][name]
    alike = compare(GOLD, {"b": SYSTEMS["b"], "nearly": nearly})
    assert alike.planned[0].verdict == "cannot be tested"
    same = compare(GOLD, {"b": SYSTEMS["b"], "same": SYSTEMS["b"]})
    assert (same.planned[0].p, same.planned[0].verdict) == (1, "cannot be tested")


@pytest.mark.parametrize("test", ["randomization", "bootstrap"])
def test_verdicts_follow_from_p_and_interval(test: cs.Test) -> None:
    """Over many pairs of similar systems: no verdict contradicts what stands beside it."""
    seen = set()
    for seed in range(30):
        systems = {name: noisy(TEN, seed * 10 + n, 0.3 - 0.03 * n) for n, name in enumerate("abc")}
        found = compare(TEN, systems, test=test, samples=1_000, metrics="conll")
        for d in found.planned:
            assert d.p_corrected is not None and d.low is not None and d.high is not None
            assert d.least is not None and d.confidence == pytest.approx(0.975)
            is_outside = not d.low <= 0 <= d.high
            expected = {
                (True, True): "significant",
                (False, False): "not significant",
            }.get((d.p_corrected < 0.05, is_outside), "unclear")
            assert d.verdict == ("cannot be tested" if d.least >= 0.05 else expected)
            seen.add(d.verdict)
    assert {"significant", "not significant"} <= seen


def test_interval_holds_for_all_comparisons_together() -> None:
    """Its level is that of Bonferroni; exploratory differences have the usual one."""
    one = compare(GOLD, {"a": SYSTEMS["a"], "b": SYSTEMS["b"]}).difference("b", "a")
    three = compare(GOLD, SYSTEMS)
    among = three.difference("b", "a")
    assert one.confidence == 0.95 and among.confidence == pytest.approx(1 - 0.05 / 3)
    assert one.low is not None and among.low is not None and among.low < one.low
    assert three.difference("b", "a", "b3").confidence == 0.95
    strict = compare(GOLD, SYSTEMS, confidence=0.99).difference("b", "a")
    assert strict.confidence == pytest.approx(1 - 0.01 / 3)


def test_detectable_difference() -> None:
    """(z of 1 - level/2m, plus 0.84) standard errors, here by the jackknife over documents."""
    found = compare(GOLD, SYSTEMS, metrics="b3")
    names = list(GOLD)

    def difference(documents: list[str]) -> float:
        sides = [
            {name: side[name] for name in documents} for side in (GOLD, SYSTEMS["b"], SYSTEMS["a"])
        ]
        return cs.score(sides[0], sides[1]).b3.f1 - cs.score(sides[0], sides[2]).b3.f1

    without = [difference([other for other in names if other != name]) for name in names]
    mean = sum(without) / len(without)
    error = sqrt((len(names) - 1) / len(names) * sum((each - mean) ** 2 for each in without))
    expected = (NormalDist().inv_cdf(1 - 0.05 / 6) + NormalDist().inv_cdf(0.8)) * error
    assert found.difference("b", "a").detectable == pytest.approx(expected)


def test_a_named_baseline_among_all_pairs() -> None:
    """As in a report: the comparisons with the baseline are planned, the others are not."""
    found = compare(GOLD, SYSTEMS, all_pairs=True, baseline="c")
    assert {(d.system, d.other) for d in found.planned} == {(name, "c") for name in "abd"}
    assert len(found.differences) == 6 * len(found.statistics)
