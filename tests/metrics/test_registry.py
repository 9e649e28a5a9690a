"""Every metric is registered, in one group, and has a brute-force reference."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from math import inf
from pkgutil import iter_modules

import pytest

import brute_force
import more_references
import word_reference
from corefscope import metrics as package
from corefscope.formatting import FRACTION, NATS
from corefscope.metrics import (
    CONLL,
    GROUPS,
    METRICS,
    STANDARD,
    Metric,
    Score,
    choose,
    conll_average,
    statistics_of,
)
from metric_groups import ANAPHORA, ANTECEDENTS, LEGACY, MORE, OVERLAP_METRICS, STATISTICS

REFERENCES = {
    **brute_force.METRICS,
    **more_references.DOCUMENT_METRICS,
    **more_references.INDICES,
    **more_references.ANTECEDENT_METRICS,
    **word_reference.METRICS,
}


def defined() -> Iterator[Metric]:
    """The metrics of all modules, by themselves or in tuples."""
    modules = [each.name for each in iter_modules(package.__path__, f"{package.__name__}.")]
    extensions = "corefscope.extensions"
    modules += [f"{extensions}.{each}.metrics" for each in ("corefud_scorer", "universal_anaphora")]
    for module in modules:
        for value in vars(import_module(module)).values():
            for each in value if isinstance(value, tuple) else (value,):
                if isinstance(each, Metric):
                    yield each


def test_every_metric_is_registered() -> None:
    assert {metric.id for metric in defined()} == METRICS.keys()
    assert all(METRICS[metric.id] is metric for metric in defined())


def test_every_metric_has_a_reference() -> None:
    """Those of Universal Anaphora have theirs in tests/anaphora_reference.py."""
    assert REFERENCES.keys() == METRICS.keys() - set(ANAPHORA)


def test_every_metric_is_in_one_group() -> None:
    assert Counter([*STANDARD, *MORE, "mor", "zero", *ANTECEDENTS, *ANAPHORA, *LEGACY]) == Counter(
        METRICS.keys()
    )
    for name, ids in {"all": STANDARD, "more": MORE, "legacy": LEGACY}.items():
        assert tuple(metric.id for metric in choose([name])) == ids


def test_the_metrics_of_each_group() -> None:
    assert STANDARD == ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea")
    assert MORE[:4] == ("pairwise", "b3_macro", "ceaf_phi1", "ceaf_phi2")
    assert MORE[4:] == ("rand", "ari", "v", "vi", "purity")
    assert ANTECEDENTS == ("immediate", "inferred", "anchor")
    assert all(id.split("_")[0] in ("b3", "ceafm", "ceafe") for id in LEGACY)
    assert OVERLAP_METRICS.keys() == {*STANDARD, *MORE, *LEGACY}


@pytest.mark.parametrize(
    ("alias", "id"),
    [("md", "mentions"), ("bcub", "b3"), ("links", "pairwise"), ("exact", "ceaf_phi1")],
)
def test_aliases(alias: str, id: str) -> None:
    assert [metric.id for metric in choose([alias])] == [id]


def test_no_two_statistics_look_alike() -> None:
    for names in (
        [*METRICS, *GROUPS],
        [statistic.name for statistic in STATISTICS.values()],
        [statistic.heading for statistic in STATISTICS.values()],
    ):
        assert len(set(names)) == len(names)


def test_what_is_shown_of_a_statistic() -> None:
    """Nearly all are fractions of which more is better."""
    mentions, vi = METRICS["mentions"], METRICS["vi"]
    assert mentions.name == mentions.heading == "Mentions"
    assert (METRICS["immediate"].name, METRICS["immediate"].heading) == (
        *("Immediate antecedent", "Immediate"),
    )
    assert (vi.unit, vi.least, vi.greatest, vi.direction) == (NATS, 0, inf, -1)
    assert METRICS["ari"].least == -1
    for id, statistic in STATISTICS.items():
        assert statistic.least == 0 or id == "ari"
        assert (statistic.unit, statistic.greatest, statistic.direction) == (FRACTION, 1, 1) or (
            statistic is vi
        )


def score(f1: float) -> Score:
    return Score(
        recall=f1, precision=f1, f1=f1, recall_counts=(f1, 1), precision_counts=(f1, 1 if f1 else 0)
    )


def test_conll_average_of_three_metrics() -> None:
    scores = {"mentions": score(1.0), "muc": score(0.25), "b3": score(0.5), "ceafe": score(0.75)}
    assert CONLL.value(scores) == conll_average(scores) == 0.5
    assert [each.id for each in statistics_of(scores)] == [*scores, "conll"]
    del scores["b3"]
    assert conll_average(scores) is None
    assert [each.id for each in statistics_of(scores)] == [*scores]


def test_conll_average_with_undefined_score() -> None:
    nothing = Score(
        recall=0.0, precision=0.0, f1=0.0, recall_counts=(0, 0), precision_counts=(0, 0)
    )
    scores = {"muc": nothing, "b3": score(0.5), "ceafe": score(0.75)}
    assert CONLL.is_undefined(scores) and not METRICS["b3"].is_undefined(scores)
    assert not CONLL.is_undefined({id: score(0.5) for id in CONLL.ids})


@pytest.mark.parametrize("id", METRICS)
def test_metrics_can_be_pickled(id: str) -> None:
    """Scorers of other processes carry them."""
    assert pickle.loads(pickle.dumps(METRICS[id])) == METRICS[id]
