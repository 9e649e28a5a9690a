"""The twins agree with the figures in the papers and with the reference scorer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brute_force import (
    METRICS,
    Entities,
    Ratios,
    Score,
    b3,
    blanc,
    blanc_score,
    ceafe,
    ceafm,
    conll,
    first_copies,
    lea,
    mentions,
    muc,
    score,
    without_singletons,
)
from strategies import (
    Document,
    Layout,
    SpanDocument,
    conll_text,
    corpora,
    documents,
    layouts,
    mutations,
    span_corpora,
    span_documents,
)

CASES = Path(__file__).parents[2] / "shared" / "cases" / "scoring"
RATIOS = {"mentions": mentions, "muc": muc, "b3": b3, "ceafm": ceafm, "ceafe": ceafe, "lea": lea}


def partition(text: str) -> list[list[str]]:
    """`"ab c"` is the entity of a and b and the entity of c."""
    return [list(entity) for entity in text.split()]


KEY, RESPONSE = partition("abc defg"), partition("ab cd fghi")


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        (mentions, Ratios(F(6), F(7), F(6), F(8))),
        (muc, Ratios(F(2), F(5), F(2), F(5))),
        (b3, Ratios(F(35, 12), F(7), F(4), F(8))),
        (ceafm, Ratios(F(4), F(7), F(4), F(8))),
        (ceafe, Ratios(F(13, 10), F(2), F(13, 10), F(3))),
        (lea, Ratios(F(5, 3), F(7), F(8, 3), F(8))),
    ],
)
def test_counts_of_the_worked_example(
    metric: Callable[[Entities, Entities], Ratios], expected: Ratios
) -> None:
    """Pradhan et al. 2014, section 4; LEA by its definition."""
    assert metric(KEY, RESPONSE) == expected


def test_link_counts_of_the_worked_example() -> None:
    """Pradhan et al. 2014, section 4.4."""
    coreference, non_coreference = blanc(KEY, RESPONSE)
    assert coreference == Ratios(F(2), F(9), F(2), F(8))
    assert non_coreference == Ratios(F(8), F(12), F(8), F(20))


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("mentions", Score(F(6, 7), F(3, 4), F(4, 5))),
        ("muc", Score(F(2, 5), F(2, 5), F(2, 5))),
        ("b3", Score(F(35, 84), F(1, 2), F(5, 11))),
        ("ceafm", Score(F(4, 7), F(1, 2), F(8, 15))),
        ("ceafe", Score(F(13, 20), F(13, 30), F(13, 25))),
        ("blanc", Score(F(4, 9), F(13, 40), F(25, 68))),
        ("lea", Score(F(5, 21), F(1, 3), F(5, 18))),
    ],
)
def test_scores_of_the_worked_example(metric: str, expected: Score) -> None:
    """Specification 1, A.5."""
    assert METRICS[metric]([(KEY, RESPONSE)]) == expected


def test_conll_is_the_mean_of_three_f1() -> None:
    assert conll([(KEY, RESPONSE)]) == (F(2, 5) + F(5, 11) + F(13, 25)) / 3


@pytest.mark.parametrize(
    ("response", "precision"), [("abd", F(4, 9)), ("abd c", F(7, 12)), ("abd e", F(1, 3))]
)
def test_b3_precision_falls_with_a_spurious_singleton(response: str, precision: F) -> None:
    """Pradhan et al. 2014, section 2, with the spurious singleton that they mean."""
    assert METRICS["b3"]([(partition("abc"), partition(response))]).precision == precision


@pytest.mark.parametrize("response", [["J12", "R4"], ["123", "45"]])
@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("muc", Score(F(3, 5), F(1), F(3, 4))),
        ("b3", Score(F(43, 84), F(1), F(86, 127))),
        ("ceafm", Score(F(5, 7), F(1), F(5, 6))),
        ("ceafe", Score(F(29, 35), F(29, 35), F(29, 35))),
        ("lea", Score(F(3, 7), F(1), F(3, 5))),
    ],
)
def test_named_entities_are_no_different_to_these_metrics(
    response: list[str], metric: str, expected: Score
) -> None:
    """Agarwal et al. 2019, Tables 1 and 2, whose figures are cut after two digits."""
    assert METRICS[metric]([(["J123", "R45"], response)]) == expected


def test_lea_credits_a_singleton_only_with_a_singleton() -> None:
    assert lea(partition("a bc"), partition("ax bc")) == Ratios(F(2), F(3), F(2), F(4))
    assert lea(partition("a bc"), partition("a bc")) == Ratios(F(3), F(3), F(3), F(3))


@pytest.mark.parametrize(
    ("key", "response", "f1"),
    [
        ("a b c d", "ab cd", F(4, 5)),
        ("abcd", "ab cd", F(1, 2)),
        ("ab", "ab c d", F(1)),
        ("a", "a", F(0)),
        ("", "", F(0)),
        ("", "ab", F(0)),
    ],
)
def test_blanc_is_of_the_links_that_the_key_has(key: str, response: str, f1: F) -> None:
    """Specification 1, A.4, with the figures of its table D.2."""
    assert METRICS["blanc"]([(partition(key), partition(response))]).f1 == f1


def test_blanc_looks_for_kinds_of_link_in_the_whole_corpus() -> None:
    """The first key has no coreference link and the second no other: the mean is of both kinds."""
    pairs = [blanc(partition("a b"), partition("a b")), blanc(partition("ab"), partition("a b"))]
    assert blanc_score(pairs) == Score(F(1, 2), F(1, 4), F(1, 3))


def test_documents_are_added_before_dividing() -> None:
    corpus = [(KEY, RESPONSE), (partition("ab"), partition("ab"))]
    assert METRICS["muc"](corpus) == Score(F(1, 2), F(1, 2), F(1, 2))


def test_an_empty_side_scores_nothing() -> None:
    nothing = Score(F(0), F(0), F(0))
    for metric in METRICS.values():
        assert metric([(KEY, [])]) == metric([([], RESPONSE)]) == metric([([], [])]) == nothing


def test_first_copies_of_repeated_mentions_stay() -> None:
    assert first_copies(["aab", "bc", "a", "d"]) == [["a", "b"], ["c"], ["d"]]


def test_without_singletons_keeps_entities_of_two() -> None:
    assert without_singletons(["ab", "c", "def"]) == [["a", "b"], ["d", "e", "f"]]


def cases(name: str) -> list[Any]:
    """The cases with known answers, when this checkout has them beside it."""
    path = CASES / name
    if not path.exists():
        return []
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return list(json.loads(path.read_text(encoding="utf-8"))["cases"])


def ids(case: dict[str, Any]) -> str:
    return str(case["id"])


def spans(listed: list[list[list[int]]]) -> list[list[Hashable]]:
    return first_copies([[tuple(span) for span in entity] for entity in listed])


def agree(found: Sequence[F], expected: Sequence[float], digits: float = 1e-12) -> None:
    assert [float(value) for value in found] == pytest.approx(list(expected), abs=digits)


def agree_with_figures(found: Ratios, figures: dict[str, float]) -> None:
    """Compare the counts, and the scores of a corpus of this document."""
    agree(found, [figures[place] for place in ("r_num", "r_den", "p_num", "p_den")])
    agree(score([found]), [figures[place] for place in "RPF"])


@pytest.mark.skipif(not CASES.exists(), reason="no shared cases beside this checkout")
@pytest.mark.parametrize("case", cases("reference_tests.jsonl"), ids=ids)
def test_partitions_of_the_reference_scorer(case: dict[str, Any]) -> None:
    key, response = spans(case["key"]), spans(in_order_of_appearance(case))
    for name in ("mentions", "muc", "ceafm", "ceafe"):
        agree_with_figures(RATIOS[name](key, response), case["metrics"][name])
    agree_with_figures(b3(key, response), case["metrics"]["bcub"])
    figures = case["metrics"]["blanc"]
    for links, kind in zip(blanc(key, response), ("coref", "noncoref"), strict=True):
        agree_with_figures(links, figures[kind])
    agree(METRICS["blanc"]([(key, response)]), [figures[place] for place in "RPF"])


@pytest.mark.skipif(not CASES.exists(), reason="no shared cases beside this checkout")
@pytest.mark.parametrize("case", cases("reference_tests.jsonl"), ids=ids)
def test_lea_of_the_reference_partitions(case: dict[str, Any]) -> None:
    """LEA was worked out for these cases on the entities as they are listed."""
    agree_with_figures(lea(spans(case["key"]), spans(case["response"])), case["lea"])


def in_order_of_appearance(case: dict[str, Any]) -> list[list[list[int]]]:
    """The response's entities as its file has them.

    TC-A-8 and TC-A-9 repeat a span in two entities that begin on one token. The file opens them
    in the other order than the case lists them, and that decides which of them keeps the span.
    """
    listed = list(case["response"])
    if case["id"] in ("TC-A-8", "TC-A-9"):
        listed[1], listed[2] = listed[2], listed[1]
    return listed


@pytest.mark.skipif(not CASES.exists(), reason="no shared cases beside this checkout")
@pytest.mark.parametrize("case", cases("partitions.json"), ids=ids)
def test_worked_examples(case: dict[str, Any]) -> None:
    """The published metrics; the expected figures have six digits."""
    for name in METRICS.keys() & case["expected"].keys():
        found = METRICS[name]([(case["key"], case["response"])])
        agree(found, case["expected"][name], digits=1e-6)


@given(documents())
def test_swapping_the_sides_swaps_recall_and_precision(document: Document) -> None:
    key, response = document
    for metric in RATIOS.values():
        there, back = metric(key, response), metric(response, key)
        assert there[:2] + there[2:] == back[2:] + back[:2]


@given(corpora())
def test_scores_are_between_0_and_1(corpus: dict[str, Document]) -> None:
    for metric in METRICS.values():
        assert all(0 <= value <= 1 for value in metric(corpus.values()))


@given(documents())
def test_sides_are_partitions(document: Document) -> None:
    for side in document:
        assert first_copies(side) == side


@given(documents(singletons=False))
def test_sides_without_singletons_have_none(document: Document) -> None:
    for side in document:
        assert without_singletons(side) == side


@given(span_documents(shared_starts=True), layouts())
def test_conll_text_says_what_it_was_made_of(document: SpanDocument, layout: Layout) -> None:
    text = conll_text({"first": document, "second": document}, layout)
    tokens, entities = document.tokens, {frozenset(entity) for entity in document.entities}
    assert list(read_conll(text)) == [(tokens, entities)] * 2


@given(span_corpora())
def test_key_and_response_have_the_same_tokens(
    corpus: dict[str, tuple[SpanDocument, SpanDocument]],
) -> None:
    for key, response in corpus.values():
        assert key.tokens == response.tokens


@given(st.binary(max_size=20).flatmap(mutations))
def test_mutations_of_any_bytes_are_bytes(mutated: bytes) -> None:
    assert isinstance(mutated, bytes)


def read_conll(text: str) -> Iterator[tuple[int, set[frozenset[tuple[int, int]]]]]:
    """Tokens and entities of each document, read by the rules of specification 1, A.2."""
    for body in re.findall(r"#begin document .*?\n(.*?)#end document", text, re.DOTALL):
        cells = [line.split()[-1] for line in body.splitlines() if line.strip()]
        found: dict[str, list[tuple[int, int]]] = {}
        opened: dict[str, list[int]] = {}
        for token, cell in enumerate(cells):
            for name in re.findall(r"\((\w+)\)", cell):
                found.setdefault(name, []).append((token, token))
            for name in re.findall(r"\((\w+)(?![\w)])", cell):
                opened.setdefault(name, []).append(token)
            for name in re.findall(r"(?<![\w(])(\w+)\)", cell):
                found.setdefault(name, []).append((opened[name].pop(), token))
        assert not any(opened.values())
        yield len(cells), {frozenset(entity) for entity in found.values()}
