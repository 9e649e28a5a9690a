"""Axes of intervals and distributions: every value is drawn where the labels say that it is."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator

from report.report_pages import Opened, chunk_of, opened, write_clusters, write_report

TICKS = """(chart) => [...chart.querySelectorAll("text.chart-quiet")].map((text) => {
  const { left, right } = text.getBoundingClientRect();
  return [(left + right) / 2, Number(text.textContent.replace("−", "-"))];
})"""
"""The middle of each label of an axis, and its number."""
DOTS = """(charts) => charts.flatMap((chart) => [
  ...chart.querySelectorAll("g > circle"),
].map((dot) => {
  const box = dot.getBoundingClientRect();
  const line = dot.parentNode.querySelector("path").getBoundingClientRect();
  return [(box.left + box.right) / 2, line.left, line.right];
}))"""
"""The middle of each dot, and where its interval begins and ends."""


class Axis:
    """From a place in the window to the number that the labels give it."""

    def __init__(self, ticks: Sequence[Sequence[float]]) -> None:
        (self.first, self.low), *_, (self.last, self.high) = ticks
        assert self.low < self.high and self.first < self.last

    def value(self, x: float) -> float:
        share = (x - self.first) / (self.last - self.first)
        return self.low + share * (self.high - self.low)

    @property
    def pixel(self) -> float:
        return (self.high - self.low) / (self.last - self.first)


def axis_of(chart: Locator) -> Axis:
    return Axis(chart.locator("svg.chart-drawing").evaluate(TICKS))


def assert_drawn(axis: Axis, dots: Sequence[Sequence[float]], estimates: Sequence[Any]) -> None:
    """Check that dots and intervals are where their numbers are, to a pixel and a half."""
    assert len(dots) == len(estimates) > 0
    for (dot, left, right), estimate in zip(dots, estimates, strict=True):
        expected = [100 * estimate[name] for name in ("value", "low", "high")]
        shown = [axis.value(x) for x in (dot, left, right)]
        assert shown == pytest.approx(expected, abs=1.5 * axis.pixel)
        # Both ends of the axis are labelled, and nothing is drawn beyond them.
        assert axis.low - 1e-9 <= min(expected) and max(expected) <= axis.high + 1e-9


FULL = [[[0, 0], [2, 2]], [[1, 1], [3, 3]]]
NONE = [[[0, 0], [1, 1]], [[2, 2], [3, 3]]]
SOME = [[[0, 0], [2, 2]]]


def corpus(path: Path, clusters: Sequence[Any]) -> Path:
    return write_clusters(path, {f"d{number}": each for number, each in enumerate(clusters)})


@pytest.fixture(scope="module")
def borders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a report of systems that find all, nothing, the same everywhere, and less or more."""
    folder = tmp_path_factory.mktemp("borders")
    responses: dict[str, list[Any]] = {
        "all": [FULL] * 12,
        "nothing": [[]] * 12,
        "same": [SOME] * 12,
        "mixed": [FULL, SOME, NONE, []] * 3,
    }
    key = corpus(folder / "key.jsonl", [FULL] * 12)
    files = [corpus(folder / f"{name}.jsonl", each) for name, each in responses.items()]
    return write_report(folder / "report.html", key, *files)


@pytest.mark.parametrize("systems", [["all"], ["nothing"], ["same"], ["all", "nothing", "mixed"]])
@pytest.mark.parametrize("metric", ["conll", "all"])
def test_score_and_difference_positions(
    browser: Browser, borders: Path, tmp_path: Path, systems: list[str], metric: str
) -> None:
    files = [borders.parent / f"{name}.jsonl" for name in ("key", *systems)]
    report = write_report(tmp_path / "report.html", *files)
    comparison = chunk_of(report, "summary")["comparison"]
    ids = list(comparison["systems"][0]["scores"])
    ids = ["conll", *(id for id in ids if id != "conll")] if metric == "all" else [metric]
    with opened(browser, report) as page:
        page.open(f"tab=statistics&o.statistics.metric={metric}")
        chart = page.page.locator("#statistics-scores")
        estimates = [each["scores"][id] for id in ids for each in comparison["systems"]]
        assert_drawn(axis_of(chart), chart.locator("svg").evaluate_all(DOTS), estimates)
        if len(systems) == 1:
            return
        chart = page.page.locator("#statistics-differences")
        estimates = [
            each | {"value": each["difference"]}
            for id in ids
            for each in comparison["comparisons"]
            if each["statistic"] == id
        ]
        assert_drawn(axis_of(chart), chart.locator("svg").evaluate_all(DOTS), estimates)


RIDGES = """(charts) => charts.flatMap((chart) => [
  ...chart.querySelectorAll("path.chart-ridge"),
].map((path) => {
  const box = path.getBBox(), to = path.getScreenCTM();
  return [box.x * to.a + to.e, (box.x + box.width) * to.a + to.e];
}))"""
"""Where each curve begins and ends in the window."""


def assert_ridges(page: Opened, report: Path) -> list[dict[str, float]]:
    """Check that curves cover just their values; return the histograms of the differences."""
    found = chunk_of(report, "summary")["distributions"]["conll"]
    for panel, histograms in (("scores", found["systems"]), ("differences", found["differences"])):
        chart = page.page.locator(f"#statistics-{panel}")
        axis = axis_of(chart)
        ridges = chart.locator("svg").evaluate_all(RIDGES)
        for (left, right), histogram in zip(ridges, histograms, strict=True):
            expected = [100 * histogram["low"], 100 * histogram["high"]]
            drawn = [axis.value(left), axis.value(right)]
            assert drawn == pytest.approx(expected, abs=0.5 * axis.pixel)
    return list(found["differences"])


def test_difference_above_zero_is_drawn_above_zero(browser: Browser, tmp_path: Path) -> None:
    """With eight systems all rows shared their bins: one of a narrow row reached across zero."""
    chance = random.Random(7)
    clusters: dict[str, list[Any]] = {"best": [FULL] * 40}
    # Worse in every document by one mention of two; the others are anything.
    clusters["next"] = [[*FULL[:1], FULL[1][:1]] for _ in range(40)]
    for number in range(6):
        clusters[f"other{number}"] = [
            chance.choices([FULL, SOME, NONE, []], [1, number, number, 6])[0] for _ in range(40)
        ]
    key = corpus(tmp_path / "key.jsonl", [FULL] * 40)
    files = [corpus(tmp_path / f"{name}.jsonl", each) for name, each in clusters.items()]
    report = write_report(tmp_path / "report.html", key, *files)
    with opened(browser, report) as page:
        page.open("tab=statistics")
        differences = assert_ridges(page, report)
        zero = page.page.locator("line.chart-zero").evaluate(
            "(line) => line.getBoundingClientRect().left"
        )
        chart = page.page.locator("#statistics-differences svg")
        ridges = chart.evaluate_all(RIDGES)
        assert len(ridges) == 28
        sides = {"above": 0, "below": 0}
        for (left, right), histogram in zip(ridges, differences, strict=True):
            if histogram["low"] > 0:
                sides["above"] += 1
                assert left >= zero - 0.1
            elif histogram["high"] < 0:
                sides["below"] += 1
                assert right <= zero + 0.6
        assert sum(sides.values()) > 7


def test_curves_cover_their_values(demo: Opened, demo_report: Path) -> None:
    demo.open("tab=statistics")
    assert assert_ridges(demo, demo_report)
