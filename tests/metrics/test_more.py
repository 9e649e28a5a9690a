"""Links, CEAF φ₁ and φ₂, and the indices of clustering: worked figures and closed forms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import isnan, log

import pytest
from hypothesis import given, settings

import corefscope as cs
from corefscope.formatting import NATS
from corefscope.metrics import METRICS, Score, choose
from lettered import score
from metric_groups import MORE
from strategies import Document, corpora, documents

pytestmark = pytest.mark.filterwarnings("ignore:.*W505:corefscope.CorefscopeWarning")

PAPER_OF_2014 = "abc defg", "ab cd fghi"
SAME_MENTIONS = "abc de f", "ab cde f"
LUO = "12345 67 89ABC"
"""The key of Luo (2005), Table 1; the responses a to d of the tables below are his."""
LUO_RESPONSES = {
    "a": "12345 6789ABC",
    "b": "1234589ABC 67",
    "c": "123456789ABC",
    "d": "1 2 3 4 5 6 7 8 9 A B C",
}

INDICES = {
    SAME_MENTIONS: ".7333 .3182 .6853 .6853 .6853 .6365 .833 .833",
    (LUO, LUO_RESPONSES["a"]): ".848 .690 .661 1 .796 .349 .833 1",
    (LUO, LUO_RESPONSES["b"]): ".621 .337 .438 1 .609 .578 .583 1",
    (LUO, LUO_RESPONSES["c"]): ".318 0 0 1 0 1.028 .417 1",
    (LUO, LUO_RESPONSES["d"]): ".682 0 1 .414 .585 1.457 1 .250",
}
"""Rand, ARI, homogeneity, completeness, V, VI in nats, purity, inverse purity."""


@pytest.mark.parametrize("example", INDICES, ids=["same mentions", *LUO_RESPONSES])
def test_indices_of_clustering(example: tuple[str, str]) -> None:
    key, response = example
    scores = score(key.split(), response.split(), metrics=["more"])
    figures = [
        *(scores.rand.f1, scores.ari.f1),
        *(scores.v.precision, scores.v.recall, scores.v.f1, scores.vi.f1),
        *(scores.purity.precision, scores.purity.recall),
    ]
    expected = INDICES[example].split()
    digits = [len(text.partition(".")[2]) for text in expected]
    shown = [round(value, places) for value, places in zip(figures, digits, strict=True)]
    assert shown == [float(text) for text in expected]
    for id in ("rand", "ari", "v", "vi", "purity"):
        assert scores[id].parts["coverage"].f1 == 1


@pytest.mark.parametrize(
    ("metric", "f1"),
    [
        ("ceaf_phi1", ".400 .400 0 0"),
        ("ceaf_phi2", ".800 .800 .500 .400"),
        ("ceafm", ".833 .583 .417 .250"),
        ("ceafe", ".733 .667 .294 .178"),
        ("muc", ".947 .947 .900 0"),
        ("b3", ".865 .737 .545 .400"),
    ],
)
def test_the_four_measures_of_luo(metric: str, f1: str) -> None:
    for response, expected in zip(LUO_RESPONSES.values(), f1.split(), strict=True):
        found = score(LUO.split(), response.split(), metrics=[metric])[metric]
        assert round(found.f1, 3) == float(expected), response


@pytest.mark.parametrize(
    ("example", "expected"),
    [
        (PAPER_OF_2014, {
            "pairwise": (2, 9, 2, 8), "ceaf_phi1": (0, 2, 0, 3), "ceaf_phi2": (2, 2, 2, 3),
        }),
        (SAME_MENTIONS, {
            "pairwise": (2, 4, 2, 4), "ceaf_phi1": (1, 3, 1, 3), "ceaf_phi2": (3, 3, 3, 3),
        }),
    ],
)  # fmt: skip
def test_counts_of_links_and_entities(
    example: tuple[str, str], expected: Mapping[str, tuple[int, ...]]
) -> None:
    scores = score(example[0].split(), example[1].split(), metrics=list(expected))
    for id, counts in expected.items():
        assert (*scores[id].recall_counts, *scores[id].precision_counts) == counts, id


def test_links_and_entities_of_the_2014_paper() -> None:
    scores = score(*(side.split() for side in PAPER_OF_2014), metrics=["links", "ceaf_phi2"])
    assert triple(scores.pairwise) == pytest.approx((2 / 9, 1 / 4, 4 / 17))
    assert triple(scores.ceaf_phi2) == pytest.approx((1, 2 / 3, 0.8))


@given(corpora())
def test_links_equal_coreference_links_of_blanc(corpus: dict[str, Document]) -> None:
    key, response = ({name: each[side] for name, each in corpus.items()} for side in (0, 1))
    scores = score(key, response, metrics=["links", "blanc"])
    assert scores.pairwise == scores.blanc.parts["coreference"]


@given(documents())
def test_ceaf_phi1_counts_exact_entities(document: Document) -> None:
    """Luo's φ₁ as precision and recall of sets."""
    key, response = ({frozenset(entity) for entity in side} for side in document)
    same = len(key & response)
    found = score(*document, metrics=["exact"]).ceaf_phi1
    assert found.recall_counts == (same, len(key))
    assert found.precision_counts == (same, len(response))


@pytest.mark.parametrize(
    ("key", "response", "expected", "variation"),
    [
        ("a", "a", 1, 0),
        ("abc", "abc", 1, 0),
        ("a b c", "a b c", 1, 0),
        ("ab c", "ab c", 1, 0),
        ("abx", "aby", 1, 0),
        ("ab", "cd", 0, 0),
        ("ab", "", 0, 0),
        ("", "", 0, 0),
        ("abc", "a b c", 0, log(3)),
        ("a b c", "abc", 0, log(3)),
    ],
)
def test_trivial_partitions_as_in_scikit_learn(
    key: str, response: str, expected: int, variation: float
) -> None:
    """Nothing to get wrong is 1, nothing in common is 0; the mentions x and y are not common."""
    scores = score(key.split(), response.split(), metrics=["more"])
    assert (scores.rand.f1, scores.ari.f1, scores.v.f1) == (expected,) * 3
    assert scores.vi.f1 == pytest.approx(variation)


def test_zero_entropy() -> None:
    whole, apart = (score(["ab", "cd"], side, metrics=["v"]).v for side in (["abcd"], [*"abcd"]))
    assert (whole.recall, whole.precision, whole.f1) == (1, 0, 0)
    assert (apart.recall, apart.precision) == (0.5, 1)


def test_coverage_of_missing_mentions() -> None:
    key, response = (side.split() for side in SAME_MENTIONS)
    ids = ["rand", "ari", "v", "vi", "purity"]
    same = score(key, response, metrics=ids)
    other = score([*key, "gh"], [response[0] + "x", *response[1:], "y", "z"], metrics=ids)
    for id in ids:
        assert other[id].f1 == same[id].f1
        assert other[id].recall_counts == same[id].recall_counts
        assert other[id].parts["coverage"].recall_counts == (6, 8)
        assert other[id].parts["coverage"].precision_counts == (6, 9)
        assert not other[id].is_undefined


def test_adjusted_index_may_be_negative() -> None:
    """Each side parts what the other joins: Σᵢⱼ = 0, E = 2 · 2 / 6, ½(Σₐ + Σᵦ) = 2."""
    ari = score(["ab", "cd"], ["ac", "bd"], metrics=["ari"]).ari
    assert ari.recall_counts == pytest.approx((-2 / 3, 4 / 3))
    assert ari.f1 == pytest.approx(-1 / 2)


def test_pairs_and_entropies_within_documents() -> None:
    """Documents that are right: one entity has no entropy, two singletons have ln 2 a mention."""
    key = {"one": ["abc", "de", "f"], "whole": ["abcd"], "apart": ["a", "b"]}
    response = {"one": ["ab", "cde", "f"], "whole": ["abcd"], "apart": ["a", "b"]}
    together = score(key, response, metrics=["rand", "ari", "v", "vi"])
    alone = score(key["one"], response["one"], metrics=["rand", "ari", "v", "vi"])
    assert (alone.rand.recall_counts, together.rand.recall_counts) == ((11, 15), (18, 22))
    assert together.ari.recall_counts == alone.ari.recall_counts
    added = 2 * log(2)
    for place in (0, 1):
        expected = alone.v.recall_counts[place] + added
        assert together.v.recall_counts[place] == pytest.approx(expected)
    assert together.vi.f1 == pytest.approx(alone.vi.f1 * 6 / 12)


@settings(max_examples=300)
@given(documents())
def test_entropies_by_definition(document: Document) -> None:
    """H = −Σ p ln p, and I = Σ p ln(p / (p p)), of the entities of a mention drawn at random."""
    homes = [{m: place for place, entity in enumerate(side) for m in entity} for side in document]
    common = sorted(homes[0].keys() & homes[1].keys())
    n = len(common)
    key, response = (Counter(home[mention] for mention in common) for home in homes)
    both = Counter((homes[0][mention], homes[1][mention]) for mention in common)
    h_key, h_response = (
        -sum(c / n * log(c / n) for c in side.values()) for side in (key, response)
    )
    mutual = sum(c / n * log(c * n / (key[k] * response[r])) for (k, r), c in both.items())
    scores = score(*document, metrics=["v", "vi"])
    expected = pytest.approx((n * mutual, n * h_response, n * mutual, n * h_key), abs=1e-12)
    assert (*scores.v.recall_counts, *scores.v.precision_counts) == expected
    assert scores.vi.f1 == pytest.approx(h_key + h_response - 2 * mutual, abs=1e-12)


def test_single_figures() -> None:
    scores = score(["ab", "c"], ["a", "bc"], metrics=MORE)
    for id in MORE:
        figures = scores[id].recall, scores[id].precision
        assert all(isnan(value) for value in figures) == METRICS[id].is_single, id
        assert any(isnan(value) for value in figures) == METRICS[id].is_single, id
    assert [id for id, metric in METRICS.items() if metric.is_single] == ["rand", "ari", "vi"]
    assert [id for id, metric in METRICS.items() if metric.lower_is_better] == ["vi"]
    assert [id for id, metric in METRICS.items() if metric.unit is NATS] == ["vi"]


def test_names_and_groups() -> None:
    assert [metric.id for metric in choose(["more"])] == list(MORE)
    assert [metric.id for metric in choose(["exact", "links"])] == ["pairwise", "ceaf_phi1"]


def triple(found: Score) -> tuple[float, float, float]:
    return found.recall, found.precision, found.f1


def test_the_published_example_of_macro_b3() -> None:
    """Binette & Steorts (2022): records by the label of their entity."""

    def clustering(labels: str) -> list[set[int]]:
        return [{n for n, at in enumerate(labels) if at == each} for each in dict.fromkeys(labels)]

    found = cs.score(clustering("11122334"), clustering("11232444"), metrics="b3_macro").b3_macro
    assert (round(found.precision, 4), round(found.recall, 4)) == (0.6458, 0.7639)
    assert round(found.f1, 4) == 0.6999
