"""Comparisons as tables and in words: cells, marks, notes, sentences."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping

import numpy as np
import pytest

from corefscope.formatting import P_VALUE
from corefscope.gate import Check
from corefscope.rendering.comparison.cells import (
    change_cell,
    change_interval,
    interval,
    stars,
    value_cell,
)
from corefscope.rendering.comparison.sets import by_set, of_average
from corefscope.rendering.comparison.systems import (
    as_comparison_csv,
    csv_rows,
    heading,
    many_systems,
    pairs,
    tables,
    two_systems,
)
from corefscope.rendering.comparison.words import (
    method,
    notes,
    percent,
    sentences,
    units_in_words,
)
from corefscope.rendering.gate import gate_table
from corefscope.rendering.table import as_latex, as_markdown, as_text
from corefscope.serialization.compare import comparison_record
from corefscope.serialization.gate import gate_result
from corefscope.statistics import Difference, Estimate, SetsComparison, Settings, SystemComparison
from corefscope.statistics.testing import AnyTest
from tables import shown_cell, shown_rows

SCORES: Mapping[str, Mapping[str, tuple[float, float, float]]] = {
    "a": {"muc": (0.5, 0.4, 0.6), "conll": (0.25, 0.2, 0.3)},
    "b": {"muc": (0.625, 0.5, 0.7), "conll": (0.2, 0.15, 0.3)},
    "c": {"muc": (0.75, 0.65, 0.8), "conll": (0.5, 0.45, 0.55)},
}


def difference(
    system: str = "b",
    other: str = "a",
    statistic: str = "muc",
    value: float = 0.125,
    p: float | None = 0.001,
    corrected: float | None = 0.002,
) -> Difference:
    return Difference(
        system=system,
        other=other,
        statistic=statistic,
        difference=value,
        low=value - 0.025,
        high=value + 0.0375,
        p=p,
        p_corrected=corrected,
    )


def comparison(
    *differences: Difference,
    settings: Settings | None = None,
    scores: Mapping[str, Mapping[str, tuple[float, float, float]]] = SCORES,
    units: tuple[int, str] = (20, "documents"),
    test: tuple[AnyTest, bool] = ("randomization", False),
) -> SystemComparison:
    """The systems that are named, with the scores above."""
    names = {name for d in differences for name in (d.system, d.other)}
    chosen = {name: of for name, of in scores.items() if name in names}
    return SystemComparison(
        systems=tuple(chosen),
        statistics=tuple(next(iter(chosen.values()))),
        estimates={name: {id: estimate(*e) for id, e in of.items()} for name, of in chosen.items()},
        differences=differences,
        settings=settings or Settings(),
        test=test[0],
        is_exact=test[1],
        units=units[0],
        unit=units[1],
        signature="the signature",
    )


def estimate(value: float, low: float, high: float, deviation: float | None = None) -> Estimate:
    return Estimate(value=value, low=low, high=high, deviation=deviation)


BOTH = (difference(), difference(statistic="conll", value=-0.05, p=0.25, corrected=0.5))


# Cells


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (None, "–"),
        (1.0, "1.0000"),
        (0.04996, "0.0500"),
        (0.0312, "0.0312"),
        (0.0001, "0.0001"),
        (0.00009999, "0.0001"),
        (0.000049, "4.9e-05"),
        (0.0000234, "2.3e-05"),
    ],
)
def test_p_values(p: float | None, text: str) -> None:
    assert P_VALUE.shown(p) == text


@pytest.mark.parametrize(
    ("p", "marks"),
    [
        (None, ""),
        (0.2, ""),
        (0.05, ""),
        (0.0499, "*"),
        (0.01, "*"),
        (0.00999, "**"),
        (0.0, "**"),
    ],
)
def test_stars_are_for_corrected_p_values(p: float | None, marks: str) -> None:
    assert stars(difference(p=0.0001, corrected=p)) == marks


def test_percentages_and_nats() -> None:
    found = estimate(0.43351, 0.29449, 1.36512)
    assert interval("muc", found) == interval("conll", found) == "29.4–136.5"
    assert interval("vi", found) == "0.294–1.365"
    assert shown_cell(value_cell("muc", 0.43351)) == "43.35"
    assert shown_cell(value_cell("vi", 0.43351)) == "0.4335"
    assert shown_cell(change_cell("muc", 0.43351)) == "+43.35"
    assert shown_cell(change_cell("vi", -0.43351)) == "-0.4335"
    assert shown_cell(change_cell("muc", -1e-9)) == "+0.00"
    assert change_interval(difference()) == "+10.00 to +16.25"
    assert change_interval(difference(statistic="vi", value=-0.125)) == "-0.1500 to -0.0875"


def test_marks_of_scores() -> None:
    assert shown_cell(value_cell("muc", 0.5, "")) == "50.00"
    assert shown_cell(value_cell("muc", 0.5, "**")) == "50.00**"
    assert shown_cell(value_cell("muc", 0.5, "ab")) == "50.00 ab"
    assert shown_cell(value_cell("vi", 0.5, "ab")) == "0.5000 ab"
    assert shown_cell(value_cell("vi", 0.5, "")) == "0.5000"


# Words


def test_a_sentence_of_a_better_system() -> None:
    found = comparison(difference())
    (said,) = sentences(comparison(*BOTH[:1], scores=_muc(SCORES)))
    assert said == (
        "On 20 documents, the MUC score of b is 62.50 and that of a is 50.00: "
        "a difference of +12.50 points "
        "(95 % interval +10.00 to +16.25), significant (p = 0.0020; paired approximate "
        "randomization (10,000 samples, seed 12345))."
    )
    assert found.primary == "conll" and sentences(found) == [], "of the primary statistic alone"


def _muc(
    scores: Mapping[str, Mapping[str, tuple[float, float, float]]],
) -> dict[str, dict[str, tuple[float, float, float]]]:
    return {name: {"muc": of["muc"]} for name, of in scores.items()}


def test_a_sentence_of_a_worse_system() -> None:
    (said,) = sentences(comparison(*BOTH))
    assert said == (
        "On 20 documents, the CoNLL score of b is 20.00 and that of a is 25.00: "
        "a difference of -5.00 "
        "points (95 % interval -7.50 to -1.25), not significant (p = 0.5000; paired approximate "
        "randomization (10,000 samples, seed 12345), after Holm's correction over 2 tests)."
    )


def test_a_sentence_without_test() -> None:
    untested = difference(statistic="conll", p=None, corrected=None)
    (said,) = sentences(comparison(untested, units=(1, "documents")))
    assert said.startswith("On 1 document, the CoNLL score of b is")
    assert said.endswith(
        "(95 % interval +10.00 to +16.25); significance cannot be tested with so few units."
    )


def unlike_runs(system: str = "b", other: str = "a", statistic: str = "conll") -> Difference:
    """The difference of a system of one run and one of several, which is not tested."""
    return Difference(
        system=system,
        other=other,
        statistic=statistic,
        difference=-0.05,
        low=None,
        high=None,
        p=None,
        p_corrected=None,
        untested="runs",
    )


def test_a_sentence_of_one_run_against_several() -> None:
    (said,) = sentences(comparison(unlike_runs(), test=("satterthwaite", False)))
    assert said.endswith(
        "a difference of -5.00 points; significance cannot be tested with these numbers of runs."
    )


def test_untested_difference_is_a_dash_with_a_note() -> None:
    found = comparison(unlike_runs(statistic="muc"), unlike_runs(), test=("satterthwaite", False))
    table = two_systems(found)
    assert shown_rows(table)[1][-3:] == ["-5.00", "–", "–"]
    why = "– not tested because of the numbers of runs: b against a"
    assert notes(found) == [why, "the signature"]
    assert why in as_text(table) and "| -5.00 | – | – |" in as_markdown(table)
    assert r"& -- & -- \\" in as_latex(table)
    rows = list(csv.DictReader(io.StringIO(as_comparison_csv(csv_rows(found)))))
    empty = ("difference_low", "difference_high", "p", "p_corrected")
    assert [rows[-1][name] for name in empty] == [""] * 4
    record = comparison_record(found, {}, sentences)
    assert (record["samples"], record["seed"]) == (None, None)
    last = record["comparisons"][-1]
    assert (last["low"], last["high"], last["p"], last["p_corrected"]) == (None,) * 4
    assert last["significant"] is False


def test_tests_not_made_are_not_counted() -> None:
    """Of three pairs one was tested, by two statistics."""
    made = [difference("c", "a", statistic) for statistic in ("muc", "conll")]
    left = [unlike_runs("b", "a", "muc"), unlike_runs(), unlike_runs("c", "b")]
    found = comparison(
        *left, *made, settings=Settings(all_pairs=True), test=("satterthwaite", False)
    )
    why, letters, tested, _ = notes(found)
    assert why.endswith("numbers of runs: b against a, c against b")
    assert letters.startswith("Letters")
    assert tested == (
        "p < 0.05 by Student's t over documents and runs with Satterthwaite's degrees of freedom, "
        "after Holm's correction over 2 tests"
    )
    assert found.ranks() == {"a": 2, "b": 1, "c": 1}
    rows = shown_rows(many_systems(found))
    assert [row[2] for row in rows] == ["25.00", "20.00", "50.00 a"]
    assert shown_rows(pairs(found, "conll"))[0][-2:] == ["–", "–"]


def test_a_sentence_of_nats() -> None:
    scores = {"a": {"vi": (0.5, 0.4, 0.6)}, "b": {"vi": (0.375, 0.3, 0.5)}}
    (said,) = sentences(comparison(difference(statistic="vi", value=-0.125), scores=scores))
    assert (
        "the VI score of b is 0.3750 and that of a is 0.5000: a difference of -0.1250 nats" in said
    )
    assert "interval -0.1500 to -0.0875)" in said


@pytest.mark.parametrize(
    ("units", "words"),
    [
        ((1, "documents"), "1 document"),
        ((20, "documents"), "20 documents"),
        ((7, "parts"), "7 texts"),
        ((1, "parts"), "1 text"),
        ((3, "files"), "3 files"),
        ((3, r"t/(\d)"), "3 groups of documents"),
        ((3, "units.txt"), "3 groups of documents"),
    ],
)
def test_units(units: tuple[int, str], words: str) -> None:
    assert units_in_words(comparison(difference(), units=units)) == words


@pytest.mark.parametrize(
    ("settings", "test", "words"),
    [
        (
            Settings(samples=1000, seed=7),
            ("randomization", False),
            "paired approximate randomization (1,000 samples, seed 7), "
            "after Holm's correction over 4 tests",
        ),
        (
            Settings(family="metric"),
            ("randomization", True),
            "paired randomization (exact: all 4,096 swaps), "
            "after Holm's correction over 2 tests of each metric",
        ),
        (
            Settings(family="none"),
            ("bootstrap", False),
            "paired bootstrap (10,000 samples, seed 12345)",
        ),
    ],
)
def test_the_method(settings: Settings, test: tuple[AnyTest, bool], words: str) -> None:
    four = [difference(system, "a", statistic) for system in "bc" for statistic in ("muc", "conll")]
    found = comparison(*four, settings=settings, test=test, units=(12, "documents"))
    assert method(found) == words


def test_confidence() -> None:
    assert percent(comparison(difference())) == "95 %"
    assert percent(comparison(difference(), settings=Settings(confidence=0.999))) == "99.9 %"


def test_notes() -> None:
    assert notes(comparison(*BOTH)) == [
        "* p < 0.05, ** p < 0.01: paired approximate randomization (10,000 samples, seed 12345), "
        "after Holm's correction over 2 tests",
        "the signature",
    ]
    letters, tested, signature = notes(three(all_pairs=True))
    assert (
        letters == "Letters mark systems that are significantly worse; tied systems share a rank."
    )
    assert tested.startswith("p < 0.05 by paired approximate randomization")
    assert signature == "the signature"
    untested = comparison(difference(p=None, corrected=None), units=(4, "parts"))
    assert notes(untested) == [
        "no p-values: too few units for a test (4 texts)",
        "the signature",
    ]


@pytest.mark.parametrize(
    ("statistic", "note"),
    [
        ("conll", "CoNLL, mean ± deviation over runs: b 50.00 ± 1.25"),
        ("vi", "VI, mean ± deviation over runs: b 0.5000 ± 0.0125"),
    ],
)
def test_deviations_over_runs(statistic: str, note: str) -> None:
    found = comparison(
        difference(statistic=statistic),
        scores={name: {statistic: (0.5, 0.4, 0.6)} for name in "ab"},
    )
    estimates = {
        "a": {statistic: estimate(0.5, 0.4, 0.6)},
        "b": {statistic: estimate(0.5, 0.4, 0.6, 0.0125)},
    }
    object.__setattr__(found, "estimates", estimates)
    assert notes(found)[0] == note


# Tables


def test_two_systems() -> None:
    files = {"a": ["a.conll"], "b": ["b.conll"]}
    (table,) = tables(comparison(*BOTH), "k.conll", files)
    assert (
        as_text(table)
        == """\
key       k.conll
system    a = a.conll
system    b = b.conll
units     20 documents

metric      a       95 %      b       95 %  difference              95 %         p
----------------------------------------------------------------------------------
MUC     50.00  40.0–60.0  62.50  50.0–70.0      +12.50  +10.00 to +16.25  0.0020**
----------------------------------------------------------------------------------
CoNLL   25.00  20.0–30.0  20.00  15.0–30.0       -5.00    -7.50 to -1.25    0.5000

* p < 0.05, ** p < 0.01: paired approximate randomization (10,000 samples, seed 12345), \
after Holm's correction over 2 tests
the signature
"""
    )


def test_the_baseline_stands_first() -> None:
    turned = comparison(difference("a", "b"), settings=Settings(baseline="b"), scores=_muc(SCORES))
    table = two_systems(turned)
    assert table.names[1::2] == ["b", "a", "difference", "p"]
    assert table.values[0][1] == 0.625


def test_runs_in_the_heading() -> None:
    files = {"a": ["a.conll"], "b": ["b1.conll", "b2.conll", "b3.conll"]}
    above = heading(comparison(*BOTH), "k", files)
    assert above[2] == "system    b = b1.conll … (3 runs)"


def three(all_pairs: bool = False) -> SystemComparison:
    """C is better than both in MUC; in CoNLL a is better than b."""
    found = [
        difference("b", "a", "muc", 0.125, 0.1, 0.2),
        difference("b", "a", "conll", -0.05, 0.01, 0.04),
        difference("c", "a", "muc", 0.25, 0.001, 0.005),
        difference("c", "a", "conll", 0.25, 0.1, 0.3),
    ]
    if all_pairs:
        found += [difference("c", "b", "muc", 0.125, 0.001, 0.005)]
        found += [difference("c", "b", "conll", 0.3, 0.1, 0.3)]
    return comparison(*found, settings=Settings(all_pairs=all_pairs))


def test_stars_against_the_baseline() -> None:
    table = many_systems(three())
    assert shown_rows(table) == [
        ["a", "50.00", "25.00"],
        ["b", "62.50", "20.00*"],
        ["c", "75.00**", "50.00"],
    ]
    assert table.names == ["system", "MUC", "CoNLL"]


def test_letters_and_ranks_of_all_pairs() -> None:
    """Ranks are those of CoNLL, where a is better than b, and c as good as either."""
    table = many_systems(three(all_pairs=True))
    assert shown_rows(table) == [
        ["(a) a", "50.00", "25.00 b", "1"],
        ["(b) b", "62.50", "20.00", "2"],
        ["(c) c", "75.00 ab", "50.00", "1"],
    ]
    assert r"75.00\textsuperscript{ab} & 50.00 & 1 \\" in as_latex(table)
    assert "| 75.00<sup>ab</sup> | 50.00 | 1 |" in as_markdown(table)


def test_stars_in_markdown_are_no_emphasis() -> None:
    table = many_systems(three())
    assert r"| c | 75.00\*\* | 50.00 |" in as_markdown(table)
    assert r"c & 75.00\textsuperscript{**} & 50.00 \\" in as_latex(table)


def test_pairs_of_a_statistic() -> None:
    table = pairs(three(all_pairs=True), "muc")
    assert table.title == "MUC by pair of systems"
    assert shown_rows(table) == [
        ["b", "62.50", "50.0–70.0", "a", "+12.50", "+10.00 to +16.25", "0.2000"],
        ["c", "75.00", "65.0–80.0", "a", "+25.00", "+22.50 to +28.75", "0.0050**"],
        ["c", "75.00", "65.0–80.0", "b", "+12.50", "+10.00 to +16.25", "0.0050**"],
    ]


def test_sets() -> None:
    """A win, a loss, a tie, and one that was not tested."""
    of_sets = {
        "won": comparison(difference(statistic="conll")),
        "lost": comparison(difference(statistic="conll", value=-0.125)),
        "tied": comparison(difference(statistic="conll", corrected=0.5)),
        "small": comparison(
            difference(statistic="conll", p=None, corrected=None), units=(3, "documents")
        ),
    }
    average = comparison(difference(statistic="conll", corrected=0.03), units=(63, "documents"))
    compared = SetsComparison(of_sets, average)
    table = by_set(compared, "conll")
    assert shown_rows(table) == [
        ["won", "20", "25.00", "20.00**"],
        ["lost", "20", "25.00", "20.00**"],
        ["tied", "20", "25.00", "20.00"],
        ["small", "3", "25.00", "20.00"],
        ["average", "63", "25.00", "20.00*"],
    ]
    assert table.totals == 1
    (row,) = shown_rows(of_average(compared, "conll"))
    assert row[-2:] == ["0.0300*", "1/1/1 (1 untested)"]


def test_a_win_in_nats_is_less() -> None:
    scores = {name: {"vi": (0.5, 0.4, 0.6)} for name in "ab"}
    less, more = (
        comparison(difference(statistic="vi", value=value), scores=scores)
        for value in (-0.125, 0.125)
    )
    compared = SetsComparison({"less": less}, less)
    record = compared.record("b", "a")
    assert (record.wins, record.losses) == (1, 0)
    assert type(record.wins) is int, "for JSON"
    assert SetsComparison({"more": more}, more).record("b", "a").losses == 1
    assert less.ranks() == {"a": 2, "b": 1} and more.ranks() == {"a": 1, "b": 2}
    assert shown_rows(by_set(compared, "vi"))[0][2:] == ["0.5000", "0.5000**"]


# For programs


def test_json_and_csv_have_what_was_found() -> None:
    found = comparison(*BOTH)
    record = comparison_record(found, {"a": ["a.conll"]}, sentences)
    assert record["baseline"] == "a" and record["units"] == 20
    assert [system["responses"] for system in record["systems"]] == [["a.conll"], []]
    assert "ranks" not in record["systems"][0]
    assert record["comparisons"][1] == {
        "system": "b",
        "other": "a",
        "statistic": "conll",
        "difference": -0.05,
        "low": -0.05 - 0.025,
        "high": -0.05 + 0.0375,
        "p": 0.25,
        "p_corrected": 0.5,
        "significant": False,
    }
    rows = list(csv.DictReader(io.StringIO(as_comparison_csv(csv_rows(found, "news")))))
    assert [row["set"] for row in rows] == ["news"] * 6
    assert rows[2]["system"] == "b" and rows[2]["value"] == "0.625" and rows[2]["p"] == ""
    assert rows[5]["other"] == "a" and rows[5]["difference"] == "-0.05" and rows[5]["value"] == ""


# Gates


@pytest.mark.parametrize(
    ("check", "drop", "passes"),
    [
        (Check(statistic="muc", baseline=0.5, now=0.5, max_drop=0), 0, True),
        (Check(statistic="muc", baseline=0.5, now=0.475, max_drop=2.5), 2.5, True),
        (Check(statistic="muc", baseline=0.5, now=0.475, max_drop=2.4), 2.5, False),
        (Check(statistic="muc", baseline=0.5, now=0.625, max_drop=0), -12.5, True),
        (Check(statistic="conll", baseline=0.5, now=0.375, max_drop=12), 12.5, False),
        (Check(statistic="vi", baseline=0.5, now=0.625, max_drop=0), 0.125, False),
        (Check(statistic="vi", baseline=0.5, now=0.375, max_drop=0), -0.125, True),
    ],
)
def test_checks(check: Check, drop: float, passes: bool) -> None:
    assert np.isclose(check.drop, drop) and check.passes is passes
    (row,) = gate_table([check], "s").rows
    assert row[-1] == ("ok" if passes else "FAILS")
    assert gate_result([check.record()], "s")["passes"] is passes
