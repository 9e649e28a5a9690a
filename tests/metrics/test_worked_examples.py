"""Examples with known answers: from the papers, the specification, and the reference scorer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import pytest

from corefscope import CorefscopeWarning, InvalidInput
from corefscope.metrics import STANDARD, Score
from corefscope.scoring.scores import Scores
from lettered import score
from metric_groups import OVERLAP_METRICS

KEY, RESPONSE = ["abc", "defg"], ["ab", "cd", "fghi"]
"""Pradhan et al. (2014), equations 1 and 2."""

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases" / "scoring"
needs_cases = pytest.mark.skipif(not CASES.exists(), reason="no shared cases beside this checkout")

Counts = tuple[F | int, F | int, F | int, F | int]
Triple = tuple[F | float, F | float, F | float]


@pytest.mark.parametrize(
    ("metric", "counts", "expected", "printed"),
    [
        ("mentions", (6, 7, 6, 8), (F(6, 7), F(3, 4), F(4, 5)), None),
        ("muc", (2, 5, 2, 5), (F(2, 5), F(2, 5), F(2, 5)), "0.40 0.40 0.40"),
        ("b3", (F(35, 12), 7, 4, 8), (F(35, 84), F(1, 2), F(5, 11)), "0.42 0.50 0.45"),
        ("ceafm", (4, 7, 4, 8), (F(4, 7), F(1, 2), F(8, 15)), "0.57 0.50 0.53"),
        ("ceafe", (F("1.3"), 2, F("1.3"), 3), (F("0.65"), F(13, 30), F("0.52")), "0.65 0.43 0.52"),
        ("lea", (F(5, 3), 7, F(8, 3), 8), (F(5, 21), F(1, 3), F(5, 18)), None),
    ],
)  # fmt: skip
def test_the_example_of_the_2014_paper(
    metric: str, counts: Counts, expected: Triple, printed: str | None
) -> None:
    """Section 4, with LEA by its definition. The F1 of B³ is .4545; .46 in print."""
    found = score(KEY, RESPONSE)[metric]
    assert (*found.recall_counts, *found.precision_counts) == close(counts)
    assert triple(found) == close(expected)
    assert printed in (None, " ".join(f"{value:.2f}" for value in triple(found)))


def test_links_of_the_2014_example() -> None:
    """Section 4.4: Rc 2/9, Pc 2/8, Rn 8/12, Pn 8/20; the F1 of .3676 is printed as .36."""
    blanc = score(KEY, RESPONSE).blanc
    links = [(*kind.recall_counts, *kind.precision_counts) for kind in blanc.parts.values()]
    assert list(blanc.parts) == ["coreference", "non_coreference"]
    assert links == [(2, 9, 2, 8), (8, 12, 8, 20)]
    assert triple(blanc.parts["coreference"]) == close((F(2, 9), F(1, 4), F(4, 17)))
    assert triple(blanc.parts["non_coreference"]) == close((F(2, 3), F(2, 5), F(1, 2)))
    assert triple(blanc) == close((F(4, 9), F(13, 40), (F(4, 17) + F(1, 2)) / 2))


def test_conll_of_the_2014_example() -> None:
    assert score(KEY, RESPONSE).conll == close((F(2, 5) + F(5, 11) + F(13, 25)) / 3)


@pytest.mark.parametrize(
    ("response", "precision"), [("abd", F(4, 9)), ("abd c", F(7, 12)), ("abd e", F(1, 3))]
)
def test_b3_precision_with_spurious_singleton(response: str, precision: F) -> None:
    """Section 2 of the 2014 paper calls {c} spurious; it is a mention of the key, and {e} is not.

    The authors' own scorer gives 7/12 for {c}, and .333 holds for {e} (specification A.5).
    """
    assert score(["abc"], response.split()).b3.precision == close(precision)


@pytest.mark.parametrize("response", [["J12", "R4"], ["123", "45"]])
@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("muc", (F(3, 5), 1, F(3, 4))),
        ("b3", (F(43, 84), 1, F(86, 127))),
        ("ceafm", (F(5, 7), 1, F(5, 6))),
        ("ceafe", (F(29, 35), F(29, 35), F(29, 35))),
        ("lea", (F(3, 7), 1, F(3, 5))),
    ],
)
def test_table_2_of_agarwal(response: list[str], metric: str, expected: Triple) -> None:
    """Agarwal et al. (2019), Tables 1 and 2, whose figures are cut after two digits."""
    assert triple(score(["J123", "R45"], response)[metric]) == close(expected)


def test_lea_of_singletons() -> None:
    """Specification C.1."""
    lea = score(["a", "bc"], ["ax", "bc"]).lea
    assert (lea.recall_counts, lea.precision_counts) == ((2, 3), (2, 4))
    assert score(["a", "bc"], ["a", "bc"]).lea.f1 == 1


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        ("0 1 2 3", "01 23", {"blanc": F(4, 5)}),
        ("0123", "01 23", {"blanc": F(1, 2)}),
        ("01", "01 2 3", {"blanc": 1}),
        ("0", "0", {"blanc": 0, "muc": 0, "b3": 1, "ceafe": 1}),
        ("", "", dict.fromkeys(STANDARD, 0)),
        ("01 34", "01 34 2", {"b3": F(8, 9), "ceafe": F(4, 5)}),
        ("01 34", "012 34", {"ceafe": F(9, 10)}),
        ("01 34 2", "01 34", {"b3": F(8, 9)}),
    ],
)
def test_tiny_examples_on_which_scorers_differ(
    key: str, response: str, expected: Mapping[str, F | int]
) -> None:
    """Specification D.2, where we are on the reference scorer's side."""
    scores = score(key.split(), response.split())
    assert {metric: scores[metric].f1 for metric in expected} == close_by_name(expected)


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        ("01 23", "01 023", {"muc": 1, "b3": 1, "ceafe": 1}),
        ("01 023", "01 23", {"muc": F(2, 5), "b3": F(112, 169), "ceafe": F(9, 10)}),
        ("001 23", "01 23", {"ceafm": F(10, 9), "ceafe": F(11, 10)}),
        ("01 23", "001 23", {"b3": 1, "ceafe": 1}),
    ],
)
def test_tiny_examples_with_repeated_mentions(
    key: str, response: str, expected: Mapping[str, F | int]
) -> None:
    """Specification D.2 again; its scores can exceed 1."""
    scores = score(key.split(), response.split(), duplicates="reference")
    assert {metric: scores[metric].f1 for metric in expected} == close_by_name(expected)


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
@pytest.mark.parametrize(("key", "response"), [("01 023", "01 23"), ("01 23", "001 230")])
def test_first_copies_make_examples_perfect(key: str, response: str) -> None:
    scores = score(key.split(), response.split())
    assert {found.f1 for found in scores.metrics.values()} == {1.0}


def test_a_missing_document_is_missed() -> None:
    """Specification D.2: others score such a response 100, or crash."""
    with pytest.warns(CorefscopeWarning, match="'b' of the key is missing"):
        scores = score({"a": ["012"], "b": ["01"]}, {"a": ["012"]})
    assert scores.muc.f1 == close(F(4, 5))
    with pytest.warns(CorefscopeWarning):
        half = score({"a": ["01"], "b": ["01"]}, {"a": ["01"]})
    assert half.muc.f1 == close(F(2, 3))


def test_blanc_of_two_documents() -> None:
    """The first key has no coreference link and the second no other (specification B.4)."""
    scores = score({"a": ["0", "1"], "b": ["01"]}, {"a": ["0", "1"], "b": ["0", "1"]})
    assert triple(scores.blanc) == close((F(1, 2), F(1, 4), F(1, 3)))
    first, second = (document.metrics["blanc"].f1 for document in scores.per_document)
    assert (first, second) == (1, 0)


EQUAL_BY_REFERENCE_RULE = {
    "edge/no_bar_multi",
    "edge/two_entities_one_span_key",
    "edge/dup_span_same_entity_key",
    "edge/dup_twinless_resp",
    "edge/dup_twinless_resp_same",
}
"""Repeated mentions of the key, or of the response alone: the tools keep them, we by request."""

REFUSED_BY_US = {
    "edge/no_bar_glue": {"E101"},
    "edge/empty_parens": {"E135"},
    "edge/unclosed_end": {"E101"},
    "edge/unclosed_noend": {"E101", "W103"},
    "edge/close_without_open": {"E101"},
    "edge/dup_doc_name_key": {"E106"},
    "edge/no_docs_key": {"E105"},
    "edge/no_docs_resp": {"E105"},
    "edge/no_header": {"E112"},
}
"""Input that the specification calls an error, whatever the reference scorer makes of it."""

READ_BY_US = {
    "edge/plus_two_digits",
    "edge/alpha_id",
    "edge/dash_in_id",
    "edge/noend_two_docs",
    "edge/noend_two_docs_alphaname",
    "edge/comment_line",
    "edge/name_trailing_space",
    "edge/name_part_differs",
    "edge/bom",
    "edge/space_sep_paren_word",
    "edge/space_sep_paren_word_both",
    "edge/repeat_11",
}
"""Input that the reference scorer misreads or refuses; both sides have the same mentions."""


def cases(name: str) -> list[Any]:
    """The cases with known answers, when this checkout has them beside it."""
    path = CASES / name
    if not path.exists():
        return []
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return list(json.loads(path.read_text(encoding="utf-8"))["cases"])


def by_id(cases: Sequence[Any]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in cases])


RANDOM, EDGE = cases("random.jsonl"), cases("edge.jsonl")
SCORED_RANDOM = [case for case in RANDOM if "mentions" in case["perl"]["metrics"]]
ODD = EQUAL_BY_REFERENCE_RULE | REFUSED_BY_US.keys() | READ_BY_US


@needs_cases
@by_id([case for case in SCORED_RANDOM if not case["group"].startswith("dup_")])
@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_random_corpora_of_reference_scorer(case: dict[str, Any], tmp_path: Path) -> None:
    agrees_with_perl(case_score(case, tmp_path), case["perl"]["metrics"])


@needs_cases
@by_id([case for case in SCORED_RANDOM if case["group"].startswith("dup_")])
@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_repeated_mentions_of_reference_scorer(case: dict[str, Any], tmp_path: Path) -> None:
    agrees_with_perl(case_score(case, tmp_path, "reference"), case["perl"]["metrics"])


@needs_cases
@by_id([case for case in SCORED_RANDOM if case["group"] == "dup_resp_reference"])
@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_repeated_mentions_in_response_only(case: dict[str, Any], tmp_path: Path) -> None:
    agrees_with_perl(case_score(case, tmp_path), case["perl"]["metrics"])


@needs_cases
@by_id([case for case in EDGE if case["id"] not in ODD])
@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_edge_cases_of_reference_scorer(case: dict[str, Any], tmp_path: Path) -> None:
    agrees_with_perl(case_score(case, tmp_path), case["perl"]["metrics"])


@needs_cases
@by_id([case for case in EDGE if case["id"] in EQUAL_BY_REFERENCE_RULE])
@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_edge_cases_with_repeated_mentions(case: dict[str, Any], tmp_path: Path) -> None:
    agrees_with_perl(case_score(case, tmp_path, "reference"), case["perl"]["metrics"])


@needs_cases
@by_id([case for case in EDGE if case["id"] in REFUSED_BY_US])
def test_edge_cases_that_are_refused(case: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as caught:
        case_score(case, tmp_path)
    codes = {finding.code.id for finding in caught.value.findings}
    assert codes == REFUSED_BY_US[case["id"]]


@needs_cases
@by_id([case for case in EDGE if case["id"] in READ_BY_US])
@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_edge_cases_that_reference_scorer_misreads(case: dict[str, Any], tmp_path: Path) -> None:
    assert case_score(case, tmp_path).mentions.f1 == 1


@needs_cases
def test_every_odd_edge_case_is_there() -> None:
    assert {case["id"] for case in EDGE} >= ODD


@needs_cases
@by_id([case for case in RANDOM if not case["group"].startswith(("dup_", "cross", "missing"))])
@pytest.mark.parametrize("singletons", ["keep", "remove"])
@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_random_corpora_score_as_coval_says(
    case: dict[str, Any], singletons: str, tmp_path: Path
) -> None:
    """LEA among the others; coval crashes on what is left out here, or reads other spans."""
    coval = case[f"coval_{singletons}_singletons"]
    metrics = coval.get("metrics", coval)
    key, response = written(case, tmp_path)
    profile = "conll-2012" if singletons == "keep" else "no-singletons"
    scores = score(key, response, profile=profile)
    for perl_name, name in {"muc": "muc", "bcub": "b3", "ceafe": "ceafe", "lea": "lea"}.items():
        if perl_name in metrics:
            agrees(scores[name], metrics[perl_name])


@needs_cases
@by_id(cases("reference_tests.jsonl"))
@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_partitions_of_reference_scorer(case: dict[str, Any]) -> None:
    agrees_with_perl(score(case["key"], in_order_of_appearance(case)), case["metrics"])
    agrees(score(case["key"], case["response"], metrics=["lea"]).lea, case["lea"])


def in_order_of_appearance(case: dict[str, Any]) -> list[Any]:
    """The response's entities as its file has them.

    TC-A-8 and TC-A-9 repeat a span in two entities that begin on one token. The file opens them
    in the other order than the case lists them, and that decides which of them keeps the span.
    """
    listed = list(case["response"])
    if case["id"] in ("TC-A-8", "TC-A-9"):
        listed[1], listed[2] = listed[2], listed[1]
    return listed


@needs_cases
@by_id(cases("partitions.json"))
@pytest.mark.filterwarnings("ignore:.*W505:corefscope.CorefscopeWarning")
def test_worked_examples_of_the_papers(case: dict[str, Any]) -> None:
    """The figures have six digits."""
    scores = score(case["key"], case["response"], metrics=list(OVERLAP_METRICS))
    assert case["expected"].keys() <= OVERLAP_METRICS.keys()
    for metric, expected in case["expected"].items():
        assert triple(scores[metric]) == pytest.approx(expected, abs=1e-6), metric


@needs_cases
@by_id([case for case in cases("partitions.json") if "clustering" in case])
def test_worked_examples_of_clustering(case: dict[str, Any]) -> None:
    """The normalised information that is not V is left out."""
    scores = score(case["key"], case["response"], metrics=["more"])
    figures = {
        "hom": scores.v.precision,
        "com": scores.v.recall,
        "V": scores.v.f1,
        "VI": scores.vi.f1,
        "rand": scores.rand.f1,
        "ari": scores.ari.f1,
        "purity": scores.purity.precision,
        "invpurity": scores.purity.recall,
    }
    expected = {name: case["clustering"][name] for name in figures}
    assert figures == pytest.approx(expected, abs=1e-6)


def written(case: dict[str, Any], folder: Path) -> tuple[str, str]:
    paths = []
    for side in ("key", "response"):
        path = folder / f"{side}.conll"
        path.write_bytes(case[side].encode())
        paths.append(str(path))
    return paths[0], paths[1]


def case_score(case: dict[str, Any], folder: Path, duplicates: str = "first") -> Scores:
    key, response = written(case, folder)
    if duplicates == "reference":
        return score(key, response, duplicates="reference")
    return score(key, response)


def agrees_with_perl(scores: Scores, figures: Mapping[str, Any]) -> None:
    for perl_name, name in {
        "mentions": "mentions",
        "muc": "muc",
        "bcub": "b3",
        "ceafm": "ceafm",
        "ceafe": "ceafe",
    }.items():
        agrees(scores[name], figures[perl_name])
    blanc = scores.blanc
    agrees(blanc.parts["coreference"], figures["blanc"]["coref"])
    agrees(blanc.parts["non_coreference"], figures["blanc"]["noncoref"])
    assert triple(blanc) == close([figures["blanc"][place] for place in "RPF"])


def agrees(found: Score, figures: Mapping[str, float]) -> None:
    counts = [figures[place] for place in ("r_num", "r_den", "p_num", "p_den")]
    assert (*found.recall_counts, *found.precision_counts) == close(counts)
    assert triple(found) == close([figures[place] for place in "RPF"])


def triple(found: Score) -> tuple[float, float, float]:
    return found.recall, found.precision, found.f1


def close(expected: Sequence[F | float] | F) -> Any:
    if isinstance(expected, F):
        return pytest.approx(float(expected), abs=1e-12)
    return pytest.approx(tuple(map(float, expected)), abs=1e-12)


def close_by_name(expected: Mapping[str, F | int]) -> Any:
    return pytest.approx({name: float(value) for name, value in expected.items()}, abs=1e-12)
