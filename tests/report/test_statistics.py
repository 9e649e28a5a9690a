"""Statistics: intervals, differences and p-values are those of the JSON, by the chosen metric."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from corefscope import compare
from corefscope.demo import KEY, RESPONSES
from report.report_pages import (
    Opened,
    chunk_of,
    opened,
    panel_rows,
    percent,
    points,
    write_clusters,
    write_report,
)

METRICS = {"conll": "CoNLL", "b3": "B³", "ceafe": "CEAFe"}


def expected_scores(summary: Any, metrics: list[str]) -> list[list[str]]:
    """Return the rows of scores that the JSON asks for."""
    letters = {each["name"]: each["letter"] for each in summary["systems"]}
    systems = summary["comparison"]["systems"]
    return [
        [
            f"{letters[system['name']]} {system['name']}",
            METRICS.get(metric, metric),
            *(percent(system["scores"][metric][part]) for part in ("value", "low", "high")),
        ]
        for metric in metrics
        for system in systems
    ]


def expected_differences(summary: Any, metric: str) -> list[list[str]]:
    """Return the rows of differences that the JSON asks for."""
    letters = {each["name"]: each["letter"] for each in summary["systems"]}
    rows = []
    for each in summary["comparison"]["comparisons"]:
        if each["statistic"] != metric:
            continue
        corrected = each["p_corrected"]
        rows.append(
            [
                f"{letters[each['system']]} {each['system']}",
                f"{letters[each['other']]} {each['other']}",
                METRICS[metric],
                *(points(each[part]) for part in ("difference", "low", "high")),
                f"{round(100 * each['confidence'], 2):g} %",
                f"{each['p']:.4f}",
                "–" if corrected is None else f"{corrected:.4f}",
                each["verdict"] or "exploratory",
            ]
        )
    return rows


@pytest.mark.parametrize("metric", METRICS)
def test_tables_are_those_of_the_json(demo: Opened, summary: Any, metric: str) -> None:
    demo.open("tab=statistics&o.statistics.tables=scores")
    demo.page.select_option("#statistics-metric", "" if metric == "conll" else metric)
    expect(demo.page.locator("#statistics-metric")).to_have_value(
        "" if metric == "conll" else metric
    )
    assert panel_rows(demo, "statistics-scores") == expected_scores(summary, [metric])
    assert panel_rows(demo, "statistics-differences") == expected_differences(summary, metric)


RIDGE = """(paths) => paths.map((path) => {
  const box = path.getBBox();
  const length = path.getTotalLength();
  const points = Array.from({ length: 400 }, (_, n) => path.getPointAtLength((n / 400) * length));
  const top = points.reduce((most, each) => each.y < most.y ? each : most);
  const dot = path.parentNode.querySelectorAll("g > circle")[paths.indexOf(path)];
  return { left: box.x, right: box.x + box.width, top: top.x, dot: Number(dot.getAttribute("cx")) };
})"""
"""Where the curves begin, end and are highest, and where the values are that they surround."""


def test_a_curve_is_highest_near_its_score(demo: Opened) -> None:
    demo.open("tab=statistics")
    curves = demo.page.locator("#statistics-scores path.chart-ridge").evaluate_all(RIDGE)
    for curve in curves:
        assert curve["left"] < curve["dot"] < curve["right"]
        assert abs(curve["top"] - curve["dot"]) < (curve["right"] - curve["left"]) / 4


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_the_planned_comparison_is_that_of_compare(demo: Opened, summary: Any) -> None:
    """Its raw p-value, corrected p-value and verdict are those of the command."""
    demo.open("tab=statistics")
    assert "against string-match, the baseline; Holm's correction over 2 comparisons" in demo.text
    found = compare(KEY, RESPONSES)
    shown = {
        (d["system"], d["other"]): (d["p"], d["p_corrected"], d["verdict"], d["low"], d["high"])
        for d in summary["comparison"]["comparisons"]
        if d["verdict"]
    }
    assert shown == {
        (d.system, d.other): (d.p, d.p_corrected, d.verdict, d.low, d.high) for d in found.planned
    }


def test_a_loss_has_a_minus_sign(browser: Browser, tmp_path: Path) -> None:
    given = (KEY, RESPONSES["sieve"], RESPONSES["string-match"])
    report = write_report(tmp_path / "report.html", *given)
    summary = chunk_of(report, "summary")
    with opened(browser, report) as page:
        page.open("tab=statistics&o.statistics.metric=all")
        lost = [each for each in summary["comparison"]["comparisons"] if each["difference"] < 0]
        panel = page.page.locator("#statistics-differences")
        shown = panel.inner_text() + "".join(panel.locator("text").all_text_contents())
        assert lost and points(lost[0]["difference"]) in shown
        assert not re.search(r"(?<![\w-])-\d", shown)


def test_one_document_has_scores_and_no_test(browser: Browser, tmp_path: Path) -> None:
    key = write_clusters(tmp_path / "key.jsonl", {"a": [[[0, 0], [2, 2]]]})
    response = write_clusters(tmp_path / "response.jsonl", {"a": [[[0, 0], [3, 3]]]})
    with opened(browser, write_report(tmp_path / "one.html", key, response, key)) as page:
        page.open("tab=statistics")
        assert page.page.locator("path.chart-ridge").count() == 0
        assert page.page.locator("#statistics-scores circle").count() == 2
        (row,) = panel_rows(page, "statistics-differences")
        assert row[4:] == ["–", "–", "95 %", "–", "–", "cannot be tested"]
        assert "none: a single unit cannot be resampled" in page.text
        assert "are rough" not in page.text
        assert page.complaints == []
