"""B³ and CEAF of old papers: their figures, their closed forms, and what is wrong with them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping

import numpy as np
import pytest
from hypothesis import given, settings

from corefscope.exceptions import CorefscopeWarning
from corefscope.findings import Code
from corefscope.matching.overlap import Floats, Overlap, count_overlap, side_of, sums
from corefscope.metrics import GROUPS, METRICS, STANDARD, Score
from corefscope.metrics.b3 import B3
from corefscope.metrics.legacy import (
    algorithm_1,
    with_missing,
    with_spurious,
    without_spurious,
    without_unmatched_singletons,
)
from lettered import Scorer, score
from metric_groups import LEGACY, OVERLAP_METRICS
from strategies import Document, Side, corpora, documents

pytestmark = pytest.mark.filterwarnings("ignore:.*W505:corefscope.CorefscopeWarning")

KEY = "abc"
B3_VARIANTS = ("b3", "b3_0", "b3_all", "b3_rn", "b3_rn_plain", "b3_sys", "b3_v4")

B3_FIGURES = {
    "abd": ".444 .444 .444|.444 1 .615|.556 .556 .556|.556 .556 .556|.444 .444 .444"
    "|.556 .667 .606|.667 .667 .667",
    "abde": ".444 .250 .320|.444 1 .615|.556 .375 .448|.556 .375 .448|.444 .250 .320"
    "|.556 .500 .526|.733 .500 .595",
    "abd c": ".556 .583 .569|.556 1 .714|.556 .667 .606|.556 .667 .606|.556 .583 .569"
    "|.556 .667 .606|.667 .667 .667",
    "ab": ".444 1 .615|.444 1 .615|.556 1 .714|.556 1 .714|.444 1 .615|.556 1 .714|.556 1 .714",
    "ab d e f": ".444 .400 .421|.444 1 .615|.556 1 .714|.556 1 .714|.444 1 .615"
    "|.556 1 .714|.556 1 .714",
    "abd i j": ".444 .267 .333|.444 1 .615|.556 .733 .632|.556 .556 .556|.444 .444 .444"
    "|.556 .667 .606|.667 .667 .667",
    "abd ij": ".444 .267 .333|.444 1 .615|.556 .533 .544|.556 .533 .544|.444 .267 .333"
    "|.556 .611 .582|.778 .611 .684",
    "de": "0 0 0|0 0 0|.333 .500 .400|.333 .500 .400|0 0 0|.333 .800 .471|.600 .800 .686",
    "": "0 0 0|0 0 0|.333 0 0|.333 0 0|0 0 0|.333 1 .500|.333 1 .500",
}
"""Recall, precision and F1 of responses to one entity, for the variants in their order."""


@pytest.mark.parametrize("response", B3_FIGURES)
def test_b3_variants(response: str) -> None:
    expected = dict(zip(B3_VARIANTS, B3_FIGURES[response].split("|"), strict=True))
    assert found(KEY, response, expected) == rounded(expected)


@pytest.mark.parametrize(
    ("response", "precisions"),
    [
        ("abd", ".444 1 .556 .556 .667"),
        ("abd c", ".583 1 .667 .667 .667"),
        ("abd e", ".333 1 .667 .556 .667"),
    ],
)
def test_precisions_of_the_2014_paper(response: str, precisions: str) -> None:
    """Section 2 prints .333 as plain B³ of the response with {c}, a mention of the key.

    That is .583, also by the authors' own scorer; .333 is what the spurious {e} gives. B³all is
    raised to .667 by either, so the argument holds, with {e}.
    """
    ids = ("b3", "b3_0", "b3_all", "b3_rn", "b3_sys")
    scores = score([KEY], response.split(), metrics=ids)
    shown = [round(scores[id].precision, 3) for id in ids]
    assert shown == [float(value) for value in precisions.split()]


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        ("abc", "abd", {
            "ceafm": ".667 .667 .667", "ceafm_sys": ".667 .500 .571", "ceafm_v4": ".500 .500 .500",
        }),
        ("abc", "abde", {
            "ceafm": ".667 .500 .571", "ceafm_sys": ".667 .400 .500", "ceafm_v4": ".400 .400 .400",
        }),
        ("abc", "abd ij", {
            "ceafm": ".667 .400 .500", "ceafm_sys": ".667 .500 .571", "ceafm_v4": ".500 .500 .500",
        }),
        ("abc defg", "ab cd fghi", {
            "b3": ".417 .500 .455", "b3_0": ".417 .833 .556", "b3_all": ".452 .562 .501",
            "b3_sys": ".452 .611 .520", "b3_v4": ".574 .611 .592",
            "ceafm": ".571 .500 .533", "ceafm_sys": ".571 .444 .500", "ceafm_v4": ".444 .444 .444",
            "ceafe": ".650 .433 .520", "ceafe_sys": ".733 .400 .518", "ceafe_v4": ".400 .400 .400",
        }),
    ],
)  # fmt: skip
def test_ceaf_variants(key: str, response: str, expected: Mapping[str, str]) -> None:
    assert found(key, response, expected) == rounded(expected)


@pytest.mark.parametrize(
    ("response", "b3_sys", "ceafm_sys"),
    [
        ("ab c i j", "1.0 .556 .714", ".667 .667 .667"),
        ("ab ij c", ".800 .556 .656", ".600 .667 .632"),
        ("ab ij kl c", ".714 .556 .625", ".571 .667 .615"),
        ("ab ijkl", ".571 .556 .563", ".429 .667 .522"),
    ],
)
def test_tables_4_and_5_of_cai_and_strube(response: str, b3_sys: str, ceafm_sys: str) -> None:
    """Precision, recall, F1. The first F1 is printed as .715; of 1 and 5/9 it is 10/14 = .7143."""
    scores = score([KEY], response.split(), metrics=["b3_sys", "ceafm_sys"])
    for metric, printed in (("b3_sys", b3_sys), ("ceafm_sys", ceafm_sys)):
        recall, precision, f1 = triple(scores[metric])
        shown = [round(value, 3) for value in (precision, recall, f1)]
        assert shown == [float(value) for value in printed.split()], metric


def test_the_worked_example_of_cai_and_strube() -> None:
    """P = 1/6 (2/3 + 2/3 + 1/3 + 1/2 + 1/2 + 1), R = 1/3 (2/3 + 2/3 + 1/3); .582 is the F1."""
    found = score([KEY], ["abd", "ij"], metrics=["b3_sys"]).b3_sys
    assert (*found.recall_counts, *found.precision_counts) == pytest.approx((5 / 3, 3, 11 / 3, 6))
    assert round(found.f1, 3) == 0.582


@pytest.mark.parametrize(
    ("metric", "responses", "expected"),
    [
        ("ceafm_rn", ("abd", "abd e", "ab ij"), (".667 .667", ".667 .667", ".667 .500")),
        ("ceafe_rn", ("abd", "abd e", "ab ij"), (".667 .667", ".667 .667", ".800 .400")),
    ],
)
def test_ceaf_rn(metric: str, responses: tuple[str, ...], expected: tuple[str, ...]) -> None:
    """Rahman & Ng give no example; the larger entity {i, j} stays, and costs precision."""
    for response, figures in zip(responses, expected, strict=True):
        recall, precision, _ = triple(score([KEY], response.split(), metrics=[metric])[metric])
        assert f"{recall:.3f} {precision:.3f}" == figures.replace(".", "0."), response


def test_legacy_metrics_describe_their_flaw() -> None:
    for id, metric in METRICS.items():
        assert bool(metric.fault) == (id in LEGACY), id
        assert not metric.fault or (metric.fault.endswith(".") and metric.fault.count(".") == 1), id


@pytest.mark.parametrize("id", LEGACY)
def test_legacy_metrics_warn(id: str) -> None:
    expected = f"{METRICS[id].name} ({id}): {METRICS[id].fault} [W505]"
    with pytest.warns(CorefscopeWarning) as caught:
        scores = score([KEY], ["abd"], metrics=["muc", id])
    assert [str(warning.message) for warning in caught] == [expected]
    scorer = Scorer(metrics=[id])
    scorer.update([KEY], ["abd"])
    with pytest.warns(CorefscopeWarning) as caught:
        of_scorer = scorer.compute()
    assert [str(warning.message) for warning in caught] == [expected]
    for findings in (scores.findings, of_scorer.findings):
        assert [finding.code for finding in findings] == [Code.FAULTY_METRIC]


def test_all_requested_legacy_metrics_are_in_findings() -> None:
    with pytest.warns(CorefscopeWarning, match=f"{LEGACY[0]}.*W505.*and {len(LEGACY) - 1} more"):
        findings = score([KEY], ["abd"], metrics=["legacy", "all"]).findings
    assert {finding.code for finding in findings} == {Code.FAULTY_METRIC}
    for id, finding in zip(LEGACY, findings, strict=True):
        assert f"({id})" in finding.message and METRICS[id].fault in finding.message


@pytest.mark.parametrize("id", [id for id in OVERLAP_METRICS if id not in LEGACY])
def test_scoring_by_another_metric_does_not_warn(id: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert score([KEY], ["abd"], metrics=[id]).findings == ()


def test_what_they_get_wrong() -> None:
    """The faults that the metrics name, in figures, where the plain metrics have none of them."""
    ids = (*LEGACY, *STANDARD)
    empty, wrong, near, farther, spurious, split = (
        score([KEY], response.split(), metrics=ids)
        for response in ("", "de", "abd", "abde", "abd e", "abd c")
    )
    assert near.b3_0.precision == farther.b3_0.precision == 1 > farther.b3.precision
    assert spurious.b3_all.precision > near.b3_all.precision
    assert spurious.b3.precision < near.b3.precision
    for id in ("b3_rn", "b3_rn_plain", "ceafm_rn", "ceafe_rn"):
        assert spurious[id] == near[id], id
    assert split.b3_rn.precision > near.b3_rn.precision
    assert split.b3_rn_plain.precision > near.b3_rn_plain.precision
    assert empty.b3_sys.f1 == pytest.approx(0.5)
    assert farther.b3_v4.recall > near.b3_v4.recall > near.b3_sys.recall
    assert near.ceafm_v4.recall < near.ceafm.recall
    assert near.ceafe_v4.recall < near.ceafe.recall
    named = {"b3_sys": 47, "b3_v4": 69, "ceafm_sys": 36, "ceafe_sys": 37, "ceafm_v4": 40}
    for id, f1 in {**named, "ceafe_v4": 33}.items():
        assert round(100 * wrong[id].f1) == f1, id
        assert f" {f1}." in METRICS[id].fault, id
    assert {wrong[id].f1 for id in STANDARD} == {0.0}


def test_the_group_of_the_first_scorer() -> None:
    scores = score([KEY], ["abd"], metrics=["v4"])
    assert tuple(scores.metrics) == GROUPS["v4"].metrics == ("muc", "b3_v4", "ceafm_v4", "ceafe_v4")


@settings(max_examples=300)
@given(corpora())
def test_closed_forms(corpus: dict[str, Document]) -> None:
    """The variants of B³ without any table but the first.

    With b the plain credit, u the missing mentions, s the spurious ones beside others, and d the
    spurious ones alone.
    """
    overlap = overlap_of(*corpus.values())
    rn, rd, pn, pd = B3.counts(overlap).T
    missing = overlap.key_size - overlap.key_common
    u = overlap.by_document(overlap.key_document, missing)
    of_u = overlap.by_document(overlap.key_document, missing / overlap.key_size)
    spurious = overlap.response_size - overlap.transposed.key_common
    beside = np.where(overlap.response_size > 1, spurious, 0)
    s = overlap.by_document(overlap.response_document, beside)
    of_s = overlap.by_document(overlap.response_document, beside / overlap.response_size)
    d = overlap.by_document(overlap.response_document, spurious - beside)
    everyone = overlap.by_document(overlap.response_document, spurious)
    same_mentions = pd - everyone
    assert_rows("b3_all", overlap, rn + of_u, rd, pn + of_s + d, pd)
    assert_rows("b3_rn", overlap, rn + of_u, rd, pn + of_s, pd - d)
    assert_rows("b3_rn_plain", overlap, rn, rd, pn, pd - d)
    assert_rows("b3_sys", overlap, rn + of_u, rd, pn + of_s + u, pd - d + u)
    assert_rows("b3_v4", overlap, rn + of_u + s, rd + s, pn + of_s + u, pd - d + u)
    assert_rows("b3_0", overlap, rn, rd, precision_among_common(overlap), same_mentions)


def precision_among_common(overlap: Overlap) -> Floats:
    """Σⱼ Σᵢ nᵢⱼ² / ρⱼ, where ρⱼ are the common mentions of a response entity."""
    common = overlap.transposed.key_common
    squares = sums(overlap.response, overlap.n**2, len(common))
    return overlap.by_document(overlap.response_document, squares / np.maximum(common, 1))


def assert_rows(metric: str, overlap: Overlap, *columns: Floats) -> None:
    np.testing.assert_allclose(
        OVERLAP_METRICS[metric].counts(overlap),
        np.stack(columns, axis=1),
        atol=1e-12,
        err_msg=metric,
    )


@settings(max_examples=300)
@given(documents())
def test_manipulated_tables_equal_manipulated_entities(document: Document) -> None:
    """Each manipulation done on sets; then a table is counted of what it gives."""
    key, response = document
    ours = {mention for entity in key for mention in entity}
    theirs = {mention for entity in response for mention in entity}
    missing: Side = [[mention] for mention in sorted(ours - theirs)]
    spurious: Side = [[mention] for mention in sorted(theirs - ours)]
    common = [kept for entity in response if (kept := [m for m in entity if m in ours])]
    large = [entity for entity in response if len(entity) > 1 or entity[0] in ours]
    table = overlap_of(document)
    expected: list[tuple[Callable[[Overlap], Overlap], Document]] = [
        (without_unmatched_singletons, (key, large)),
        (without_spurious, (key, common)),
        (with_missing, (key, [*response, *missing])),
        (with_spurious, ([*key, *spurious], response)),
    ]
    for manipulate, manipulated in expected:
        assert_same_table(manipulate(table), overlap_of(manipulated))
    beside = [[m] for entity in large if len(entity) > 1 for m in entity if m not in ours]
    for_recall, for_precision = algorithm_1(table)
    assert_same_table(for_recall, overlap_of((key, [*common, *missing])))
    assert_same_table(for_precision, overlap_of(([*key, *beside], [*large, *missing])))


def assert_same_table(found: Overlap, expected: Overlap) -> None:
    """Equal but for the names of entities; cells are in order."""
    assert entities(found) == entities(expected)
    assert entities(found.transposed) == entities(expected.transposed)
    places = list(zip(found.key.tolist(), found.response.tolist(), strict=True))
    assert places == sorted(set(places))


def entities(overlap: Overlap) -> list[tuple[int, int, list[tuple[int, int]]]]:
    """Document, size and cells of each key entity, a cell by the size of its response entity."""
    cells: list[list[tuple[int, int]]] = [[] for _ in overlap.key_size]
    for key, response, n in zip(overlap.key, overlap.response, overlap.n, strict=True):
        cells[key].append((int(overlap.response_size[response]), int(n)))
    sizes = zip(overlap.key_document.tolist(), overlap.key_size.tolist(), strict=True)
    return sorted((*entity, sorted(each)) for entity, each in zip(sizes, cells, strict=True))


@given(corpora())
def test_nothing_is_manipulated_for_equal_mentions(
    corpus: dict[str, Document],
) -> None:
    """The response's entities of common mentions against the key's."""
    common = [common_mentions(document) for document in corpus.values()]
    overlap = overlap_of(*common)
    for id in LEGACY:
        found, plain = (OVERLAP_METRICS[name] for name in (id, id.split("_")[0]))
        expected = plain.counts(overlap).tolist()
        assert found.counts(overlap).tolist() == expected, id


def common_mentions(document: Document) -> Document:
    ours, theirs = ({mention for entity in side for mention in entity} for side in document)
    both = ours & theirs
    key, response = (
        [kept for entity in side if (kept := [m for m in entity if m in both])] for side in document
    )
    return key, response


def overlap_of(*documents: Document) -> Overlap:
    number: dict[object, int] = {}
    key, response = (
        side_of(
            [
                [[number.setdefault(mention, len(number)) for mention in entity] for entity in each]
                for each in (document[side] for document in documents)
            ]
        )
        for side in (0, 1)
    )
    return count_overlap(len(documents), key, response)


def found(key: str, response: str, metrics: Mapping[str, str]) -> dict[str, tuple[float, ...]]:
    scores = score(key.split(), response.split(), metrics=list(metrics))
    return {id: tuple(round(value, 3) for value in triple(scores[id])) for id in metrics}


def rounded(figures: Mapping[str, str]) -> dict[str, tuple[float, ...]]:
    return {id: tuple(float(value) for value in text.split()) for id, text in figures.items()}


def triple(found: Score) -> tuple[float, float, float]:
    return found.recall, found.precision, found.f1
