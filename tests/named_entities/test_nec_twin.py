"""The twin of named entity coreference agrees with its specification, its cases and the paper."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import floor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brute_force
import error_twin
import nec_twin as twin
from corefscope.language import ENGLISH, HeadScan
from named_annotated import conll_text, json_line, named_corpora, named_documents, options
from nec_twin import ALL, Chains, Name, NamedDocument, Options, Row

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases" / "named_entities" / "cases.json"
F = Fraction

needs_cases = pytest.mark.skipif(not CASES.exists(), reason="no cases beside this checkout")
strategies = pytest.mark.parametrize("heads", ["dependency", "constituency", "heuristic"])
# The library is tested for the same properties, and for agreement, with more examples.
some_examples = settings(max_examples=40)

HEURISTIC = Options(heads="heuristic")
LITERAL = Options(head_test="ancestor", coordination="literal")
STRATEGIES = {"dep": Options(), "dep_literal": LITERAL, "heur_nopos": HEURISTIC}


def document(
    text: str, names: list[Name] | None = None, key: Chains = (), response: Chains = ()
) -> NamedDocument:
    """One sentence of tokens: `word`, `word|tag`, `word|tag|bits` or `word|head|relation`."""
    tokens = [token.split("|") for token in text.split()]
    columns = [tuple(column) for column in zip(*tokens, strict=True)]
    words, second, third = [*columns, None, None][:3]
    assert words is not None
    parsed = third is not None and "*" in third[0]
    heads = None if third is None or second is None or parsed else tuple(map(int, second))
    return NamedDocument(
        name="test",
        words=words,
        sentences=(range(len(words)),),
        names=tuple(names or ()),
        tags=None if heads else second,
        parse=third if parsed else None,
        dep_heads=heads,
        deprels=third if heads else None,
        key=key,
        response=response,
    )


def only(case: NamedDocument, chosen: Options) -> Row:
    (row,) = twin.rows(case, chosen)
    return row


def all_spans(case: NamedDocument) -> list[tuple[int, int]]:
    return [
        (first, last)
        for sentence in case.sentences
        for first in sentence
        for last in range(first, sentence.stop)
    ]


def without_tags(case: NamedDocument) -> NamedDocument:
    return replace(case, tags=None)


@cache
def published() -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads(CASES.read_text("utf-8"))["cases"]
    return cases


def chains(spans: list[list[list[int]]]) -> Chains:
    return tuple(tuple((first, last) for first, last in chain) for chain in spans)


def case_document(case: dict[str, Any]) -> NamedDocument:
    return NamedDocument(
        name=case["id"],
        words=tuple(case["tokens"]),
        sentences=(range(len(case["tokens"])),),
        names=tuple((first, last, tag) for first, last, tag in case["ne"]),
        tags=None,
        parse=None,
        dep_heads=case["dep_head"] and tuple(case["dep_head"]),
        deprels=case["deprel"] and tuple(case["deprel"]),
        key=chains(case["key"]),
        response=chains(case["response"]),
    )


def case_options(case: dict[str, Any]) -> Options:
    given_options = case["options"]
    return STRATEGIES[case["head_strategy"]]._replace(
        response_filter=given_options.get("resp_filter", "type"),
        case="folded" if given_options.get("cf") else "sensitive",
    )


def case_row(row: Row) -> dict[str, Any]:
    return {
        "type": row.type,
        "variants": list(row.variants),
        "candidates": list(row.candidates),
        "best": row.best,
        "F1": row.f1,
        "R": row.recall,
        "P": row.precision,
        **row.by_type,
        "response_chains_with_exact_name": row.split,
    }


def nearly(values: dict[str, Any]) -> dict[str, Any]:
    """The cases have six decimals."""
    return {
        name: pytest.approx(value, abs=1e-6) if isinstance(value, float) else value
        for name, value in values.items()
    }


@needs_cases
@pytest.mark.parametrize("number", range(len(published()) if CASES.exists() else 0))
def test_published_cases(number: int) -> None:
    case = published()[number]
    text, chosen = case_document(case), case_options(case)
    assert [case_row(row) for row in twin.rows(text, chosen)] == list(map(nearly, case["chains"]))
    found = twin.summary([text], chosen)
    assert {kind for kind in found if found[kind]["chains"]} == set(case["by_type"])
    for kind, expected in case["by_type"].items():
        own = found[kind]
        assert {
            "nec_f1": own["f1"],
            "chains": own["chains"],
            "not_found": own["not_found"],
            "zero_f1": own["zero_f1"],
            "R": own["recall"],
            "P": own["precision"],
            "microR": own["micro_recall"],
            "microP": own["micro_precision"],
        } == nearly(expected)


@needs_cases
def test_over_combination_of_the_published_cases() -> None:
    found = {
        case["id"][:3]: twin.summary([case_document(case)], case_options(case))["PER"]
        for case in published()
        if case["id"].startswith("F3")
    }
    assert found["F3a"]["over_combined"] == (1, F(1), 1)
    assert found["F3b"]["over_combined"] == (0, F(0), 0)
    assert found["F3b"]["over_split"] == (1, F(1, 2), 1)
    assert found["F3c"]["over_combined"] == (1, F(1, 2), 1)
    assert found["F3c"]["over_split"] == (1, F(1, 2), 1)


TABLE_1 = document(
    "John Doe he he he Richard Roe he he",
    [(0, 1, "PER"), (5, 6, "PER")],
    key=(((0, 1), (2, 2), (3, 3), (4, 4)), ((5, 6), (7, 7), (8, 8))),
)
SOLUTIONS: list[Chains] = [
    (((0, 1), (2, 2), (3, 3)), ((5, 6), (7, 7))),
    (((2, 2), (3, 3), (4, 4)), ((7, 7), (8, 8))),
]
TABLE_2 = {
    "muc": (F(3, 5), F(1), F(3, 4)),
    "b3": (F(43, 84), F(1), F(86, 127)),
    "ceafm": (F(5, 7), F(1), F(5, 6)),
    "ceafe": (F(29, 35), F(29, 35), F(29, 35)),
    "lea": (F(3, 7), F(1), F(3, 5)),
    "blanc": (F(17, 36), F(1), F(25, 39)),
}
PRINTED = {
    "muc": (0.60, 1, 0.74),
    "b3": (0.51, 1, 0.67),
    "ceafm": (0.71, 1, 0.83),
    "ceafe": (0.82, 0.82, 0.82),
    "lea": (0.42, 1, 0.60),
}


@pytest.mark.parametrize("solution", SOLUTIONS)
def test_the_usual_metrics_cannot_tell_the_solutions_of_table_1_apart(solution: Chains) -> None:
    for metric, expected in TABLE_2.items():
        assert brute_force.METRICS[metric]([(TABLE_1.key, solution)]) == expected


def test_table_2_is_truncated() -> None:
    for metric, row in PRINTED.items():
        exact = list(TABLE_2[metric])
        if metric == "muc":
            exact[2] = F(0.6 * 2 / 1.6)  # As the reference scorer has it: a bit less than 3/4.
        assert [floor(value * 100) / 100 for value in exact] == list(row)


def triples(solution: Chains, chosen: Options = HEURISTIC) -> list[list[Fraction | None]]:
    """Recall, precision and F1 of Table 1 by the mean over chains, and by counts."""
    found = twin.summary([replace(TABLE_1, response=solution)], chosen)["PER"]
    return [
        [found["recall"], found["precision"], found["f1"]],
        [found["micro_recall"], found["micro_precision"], found["micro_f1"]],
    ]


def test_nec_of_the_first_solution_of_table_1() -> None:
    text = replace(TABLE_1, response=SOLUTIONS[0])
    assert [row.f1 for row in twin.rows(text, HEURISTIC)] == [F(6, 7), F(4, 5)]
    assert triples(SOLUTIONS[0]) == [[F(17, 24), 1, F(29, 35)], [F(5, 7), 1, F(5, 6)]]
    for triple in triples(SOLUTIONS[0]):
        assert [round(float(value or 0), 2) for value in triple] == [0.71, 1, 0.83]
    micro = HEURISTIC._replace(aggregate="micro")
    assert triples(SOLUTIONS[0], micro)[0] == [F(17, 24), 1, F(5, 6)]


def test_nec_of_the_second_solution_of_table_1() -> None:
    assert triples(SOLUTIONS[1]) == [[0, 1, 0], [0, 1, 0]]
    found = twin.summary([replace(TABLE_1, response=SOLUTIONS[1])], HEURISTIC)["PER"]
    assert [found["not_found"], found["zero_f1"]] == [1, 1]
    assert triples(SOLUTIONS[1], HEURISTIC._replace(precision="one"))[0] == [0, 1, 0]
    assert triples(SOLUTIONS[1], HEURISTIC._replace(precision="zero"))[0] == [0, 0, 0]


@pytest.mark.parametrize(
    ("text", "head", "literal"),
    [
        ("Mr.|NNP|(NP(NP* Joe|NNP|*) from|IN|(PP* Boston|NNP|(NP*)))", "Joe", "Joe"),
        ("Merkel|NNP|(NP(NP*) ,|,|* the|DT|(NP* chancellor|NN|*))", "Merkel", "Merkel"),
        ("the|DT|(NP(NP* chancellor|NN|*) ,|,|* Merkel|NNP|(NP*))", "chancellor", "chancellor"),
        ("Danish|JJ|(NP* philologist|NN|* Rasmus|NNP|* Rask|NNP|*)", "Rask", "Rask"),
        ("John|NNP|(NP(NP* 's|POS|*) wife|NN|*)", "wife", "wife"),
        ("China|NNP|(NP* 's|POS|*)", "China", "China"),
        ("University|NNP|(NP(NP*) of|IN|(PP* California|NNP|(NP*)))", "University", "University"),
        ("John|NNP|(NP(NP*) and|CC|* Mary|NNP|(NP*))", "and", "John"),
        ("John|NNP|(NP* and|CC|* Mary|NNP|*)", "and", "Mary"),
        ("both|CC|(NP* John|NNP|*)", "John", "John"),
        ("he|PRP|(NP-SBJ*)", "he", "he"),
        ("more|JJR|(NP(QP* than|IN|* 7|CD|*) $|$|*)", "$", "$"),
        ("John|NNP|(S(NP*) left|VBD|(VP*))", "left", "left"),
        ("of|IN|(PP* John|NNP|(NP*))", "of", "of"),
    ],
)
def test_heads_by_constituency(text: str, head: str, literal: str) -> None:
    case = document(text)
    span = (0, len(case.words) - 1)
    found = [twin.constituency_head(case, span, each) for each in (False, True)]
    assert [case.words[token] for token in found] == [head, literal]


def test_children_outside_of_the_span_are_ignored() -> None:
    case = document("the|DT|(NP(NP* old|JJ|* mayor|NN|*) of|IN|(PP* Boston|NNP|(NP*)))")
    assert [twin.constituency_head(case, span) for span in ((0, 1), (1, 4), (3, 4), (2, 3))] == [
        *(1, 2, 3, 2)
    ]


@pytest.mark.parametrize(
    ("text", "names", "head", "literal"),
    [
        ("John 's wife", [], 2, 2),
        ("China 's", [], 0, 0),
        ("Mr Joe from Boston", [], 1, 1),
        ("John and Mary", [], None, 0),
        ("Bank of America", [(0, 2, "ORG")], 2, 2),
        ("Bank of America", [], 0, 0),
        ("of Boston", [], 1, 1),
        ("the|DT growing|VBG economy|NN", [], 2, 2),
        ("the|DT man|NN growing|VBG it|PRP", [], 1, 1),
        ("John|NNP and|CC Mary|NNP 's|POS wife|NN", [], None, 0),
        ("Johnson|NNP and|CC Johnson|NNP", [(0, 2, "ORG")], 2, 2),
        (",", [], 0, 0),
    ],
)
def test_heads_by_heuristic(text: str, names: list[Name], head: int | None, literal: int) -> None:
    case = document(text, names)
    span = (0, len(case.words) - 1)
    assert [twin.heuristic_head(case, span, each) for each in (False, True)] == [head, literal]


@given(named_documents(), st.booleans())
def test_the_heuristic_is_the_head_scan_but_for_coordination(
    case: NamedDocument, tagged: bool
) -> None:
    case = case if tagged else without_tags(case)
    inside = {token for first, last, _ in case.names for token in range(first + 1, last)}
    scan = HeadScan(rules=ENGLISH.scan_rules, words=case.words, tags=case.tags, joined=inside)
    for span in all_spans(case):
        found = scan.head(*span)
        assert twin.heuristic_head(case, span) == (None if found.coordination else found.token)


RASK = document("the|1|det philologist|-1|root Rasmus|1|flat Rask|2|flat", [(2, 3, "PERSON")])
JOHN_AND_MARY = document("John|-1|root and|2|cc Mary|0|conj", [(0, 0, "PERSON"), (2, 2, "PERSON")])
TWO_TOPS = document("saw|-1|root Beth|0|obj Boston|0|obl", [(1, 1, "PERSON"), (2, 2, "GPE")])


@pytest.mark.parametrize(
    ("case", "span", "chosen", "expected"),
    [
        (RASK, (0, 3), Options(), []),
        (RASK, (0, 3), Options(title_names=True), [(2, 3, "PERSON")]),
        (RASK, (2, 2), Options(), [(2, 2, "PERSON")]),
        (JOHN_AND_MARY, (0, 2), Options(), []),
        (JOHN_AND_MARY, (0, 2), Options(coordination="literal"), [(0, 0, "PERSON")]),
        (JOHN_AND_MARY, (0, 2), LITERAL, [(0, 0, "PERSON")]),
        (TWO_TOPS, (0, 2), LITERAL, []),
        (TWO_TOPS, (1, 2), Options(), [(1, 1, "PERSON")]),
        (TWO_TOPS, (1, 2), LITERAL, [(1, 1, "PERSON"), (2, 2, "GPE")]),
    ],
)
def test_heads_by_dependency(
    case: NamedDocument, span: tuple[int, int], chosen: Options, expected: list[Name]
) -> None:
    assert twin.head_names(case, span, chosen) == expected


def test_a_tie_of_types_goes_to_the_earliest_of_those_that_tie() -> None:
    names: list[Name] = [(0, 0, "PERSON"), (1, 1, "ORG"), (2, 2, "GPE"), (3, 3, "GPE")]
    case = document("A B C D E", [*names, (4, 4, "ORG")])
    chain = [(at, at) for at in range(5)]
    for conflict, expected in (("majority", ["ORG"]), ("first", ["PER"])):
        chosen = HEURISTIC._replace(type_conflict=conflict)  # type: ignore[arg-type]
        assert twin.chain_types(case, chain, chosen) == expected
    multi = HEURISTIC._replace(type_conflict="multi")
    assert twin.chain_types(case, chain, multi) == ["PER", "ORG", "GPE"]


def joe(response: Chains) -> NamedDocument:
    """A chain of Joe, who is Mr Joe Roe from Boston."""
    return document(
        "Mr Joe Roe from Boston Joe he joe Joel the Boston office Joe",
        [(1, 2, "PER"), (4, 4, "GPE"), (5, 5, "PER"), (8, 8, "PER"), (10, 10, "GPE")],
        key=(((0, 4), (5, 5), (6, 6)),),
        response=response,
    )


@pytest.mark.parametrize(
    ("response", "answers", "variants", "candidates"),
    [
        ((((5, 5),),), {}, ("Joe", "Joe Roe"), (0,)),
        ((((5, 5),),), {"variants": "full"}, ("Joe Roe",), ()),
        ((((5, 5),),), {"variants_from": "equal"}, ("Joe",), (0,)),
        ((((9, 11),),), {"variants_from": "inside"}, ("Boston", "Joe", "Joe Roe"), ()),
        (
            (((9, 11),),),
            {"variants_from": "inside", "response_filter": "none"},
            ("Boston", "Joe", "Joe Roe"),
            (0,),
        ),
        ((((4, 4), (12, 12)),), {}, ("Joe", "Joe Roe"), ()),
        ((((4, 4), (12, 12)),), {"response_filter": "any"}, ("Joe", "Joe Roe"), (0,)),
        (
            (((4, 4), (12, 12)),),
            {"response_filter": "any", "suppliers": "named"},
            ("Joe", "Joe Roe"),
            (),
        ),
        ((((8, 8),),), {}, ("Joe", "Joe Roe"), ()),
        ((((8, 8),),), {"containment": "characters"}, ("Joe", "Joe Roe"), (0,)),
        ((((7, 8),),), {}, ("Joe", "Joe Roe"), ()),
        ((((7, 8),),), {"case": "folded"}, ("Joe", "Joe Roe"), (0,)),
        ((((8, 8), (12, 12)),), {}, ("Joe", "Joe Roe"), (0,)),
        ((((8, 8), (12, 12)),), {"containment": "position"}, ("Joe", "Joe Roe"), ()),
        ((((2, 2), (5, 6)),), {"containment": "position"}, ("Joe", "Joe Roe"), (0,)),
    ],
)
def test_variants_and_candidates(
    response: Chains,
    answers: dict[str, Any],
    variants: tuple[str, ...],
    candidates: tuple[int, ...],
) -> None:
    row = only(joe(response), HEURISTIC._replace(**answers))
    assert (row.variants, row.candidates) == (variants, candidates)


def test_one_to_one_pairing_gives_a_chain_to_one_of_two() -> None:
    case = document(
        "Joe he Joe him",
        [(0, 0, "PER"), (2, 2, "PER")],
        key=(((0, 0), (1, 1)), ((2, 2), (3, 3))),
        response=(((0, 0), (1, 1), (2, 2)),),
    )
    assert [row.f1 for row in twin.rows(case, HEURISTIC)] == [F(4, 5), F(2, 5)]
    found = twin.rows(case, HEURISTIC._replace(pairing="one-to-one"))
    assert [(row.best, row.f1) for row in found] == [(0, F(4, 5)), (None, 0)]


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({}, {"name": F(2, 3), "pronoun": F(1), "nominal": None}),
        ({"empty": "one"}, {"name": F(2, 3), "pronoun": F(1), "nominal": F(1)}),
        ({"empty": "zero"}, {"name": F(2, 3), "pronoun": F(1), "nominal": F(0)}),
        ({"retarget": True}, {"name": F(1), "pronoun": F(1), "nominal": None}),
    ],
)
def test_mention_types(answers: dict[str, Any], expected: dict[str, Fraction | None]) -> None:
    case = document(
        "Joe Joe he she",
        [(0, 0, "PER"), (1, 1, "PER")],
        key=(((0, 0), (1, 1), (2, 2)),),
        response=(((0, 0), (2, 2)), ((0, 0), (1, 1), (3, 3))),
    )
    chosen = HEURISTIC._replace(**answers)
    row = only(case, chosen)
    assert row.best == 0
    assert row.by_type == expected


def test_pronouns_are_told_by_tags_or_by_words() -> None:
    case = document("who|WP it|NN one|PRP", [])
    spans = [(0, 0), (1, 1), (2, 2), (1, 2)]
    personal = ["nominal", "nominal", "pronoun", "nominal"]
    assert [twin.mention_type(case, span, HEURISTIC) for span in spans] == personal
    wide = HEURISTIC._replace(pronouns="wide")
    assert twin.mention_type(case, (0, 0), wide) == "pronoun"
    words = without_tags(case)
    told = ["nominal", "pronoun", "pronoun", "nominal"]
    assert [twin.mention_type(words, span, HEURISTIC) for span in spans] == told


def test_documents_are_pooled_or_averaged() -> None:
    good = document("Joe he", [(0, 0, "PER")], (((0, 0), (1, 1)),), (((0, 0), (1, 1)),))
    bad = document("Joe Jim", [(0, 0, "PER"), (1, 1, "PER")], (((0, 0),), ((1, 1),)), ())
    corpus = [good, bad, document("he it", key=(((0, 0), (1, 1)),))]
    mean = HEURISTIC._replace(documents="mean")
    assert twin.summary(corpus, HEURISTIC)[ALL]["f1"] == F(1, 3)
    assert twin.summary(corpus, mean)[ALL]["f1"] == F(1, 2)
    assert twin.summary(corpus, mean)["PER"]["chains"] == 3


def test_types_without_chains_have_no_scores() -> None:
    case = document("Joe he", [(0, 0, "PER")], (((0, 0), (1, 1)),), (((0, 0), (1, 1)),))
    found = twin.summary([case], HEURISTIC)
    assert found["ORG"] == {
        "chains": 0,
        **dict.fromkeys(("f1", "not_found", "zero_f1", "recall", "precision")),
        **dict.fromkeys(("micro_recall", "micro_precision", "micro_f1")),
        "by_mention_type": dict.fromkeys(twin.MENTION_TYPES, (None, 0)),
        "over_split": (0, None, 0),
        "over_combined": (0, None, 0),
    }
    assert found[ALL]["macro_f1"] == found[ALL]["f1"] == 1
    assert [twin.typed_conll([case], HEURISTIC, kind) for kind in ("PER", "ORG", ALL)] == [
        *(1.0, None, 1.0)
    ]


def test_typed_conll_sees_spurious_named_chains() -> None:
    case = document(
        "Joe he Jim him",
        [(0, 0, "PER"), (2, 2, "PER")],
        (((0, 0), (1, 1)),),
        (((0, 0), (1, 1)), ((2, 2), (3, 3))),
    )
    assert twin.summary([case], HEURISTIC)["PER"]["f1"] == 1
    assert twin.typed_conll([case], HEURISTIC, "PER") == pytest.approx(2 / 3)


@strategies
@some_examples
@given(data=st.data())
def test_identity_scores_one(heads: Any, data: st.DataObject) -> None:
    corpus = [replace(each, response=each.key) for each in data.draw(named_corpora())]
    best = Options(heads=heads)
    for chosen in (best, best._replace(pairing="one-to-one")):
        for found in twin.summary(corpus, chosen).values():
            ones = [found["f1"], found["recall"], found["precision"], found["micro_f1"]]
            ones += [value for value, _ in found["by_mention_type"].values()]
            assert set(ones) <= {None, 1}
            assert found["not_found"] in (None, 0)
            assert found["zero_f1"] in (None, 0)


@strategies
@some_examples
@given(data=st.data())
def test_identity_has_a_typed_conll_of_one_if_types_do_not_mix(
    heads: Any, data: st.DataObject
) -> None:
    """Nor if there are only singletons, of which MUC has no links."""
    chosen = Options(heads=heads, types={"PERSON": "PER"})
    corpus = [
        replace(each, key=linked, response=linked)
        for each in data.draw(named_corpora())
        for linked in [tuple(chain for chain in each.key if len(chain) > 1)]
    ]
    assert twin.typed_conll(corpus, chosen, "PER") in (None, 1)


@some_examples
@given(named_corpora(), options())
def test_order_changes_nothing(corpus: list[NamedDocument], chosen: Options) -> None:
    reordered = [
        replace(
            each,
            key=tuple(chain[::-1] for chain in each.key[::-1]),
            response=tuple(chain[::-1] for chain in each.response[::-1]),
        )
        for each in corpus[::-1]
    ]
    assert twin.summary(corpus, chosen) == twin.summary(reordered, chosen)


@strategies
@some_examples
@given(data=st.data())
def test_another_response_chain_never_lowers_f1_or_split(heads: Any, data: st.DataObject) -> None:
    case = data.draw(named_documents())
    chosen = Options(heads=heads)
    fewer = twin.rows(replace(case, response=case.response[:-1]), chosen)
    for before, after in zip(fewer, twin.rows(case, chosen), strict=True):
        assert before.f1 <= after.f1
        assert before.split <= after.split


@some_examples
@given(named_corpora(), options())
def test_scores_are_bounded(corpus: list[NamedDocument], chosen: Options) -> None:
    for found in twin.summary(corpus, chosen).values():
        for value in (found["f1"], found["recall"], found["precision"]):
            assert value is None or 0 <= value <= 1
        if found["f1"] is not None and found["not_found"] is not None:
            assert found["zero_f1"] is not None
            assert found["not_found"] <= found["zero_f1"]
            if chosen.aggregate == "macro":
                assert found["f1"] <= 1 - found["not_found"]


@strategies
@some_examples
@given(data=st.data())
def test_a_response_without_names_scores_zero(heads: Any, data: st.DataObject) -> None:
    case = data.draw(named_documents())
    chosen = Options(heads=heads)
    kept = (
        tuple(span for span in chain if twin.mention_type(case, span, chosen) != "name")
        for chain in case.response
    )
    bare = replace(case, response=tuple(chain for chain in kept if chain))
    found = twin.summary([bare], chosen)[ALL]
    assert found["f1"] in (None, 0)
    assert found["not_found"] in (None, 1)


@some_examples
@given(named_documents(), options())
def test_one_to_one_is_never_better(case: NamedDocument, chosen: Options) -> None:
    single = twin.rows(case, chosen._replace(pairing="one-to-one"))
    free = twin.rows(case, chosen._replace(pairing="max"))
    assert all(one.f1 <= other.f1 for one, other in zip(single, free, strict=True))
    for kind in set(chosen.types.values()):
        taken = [row.best for row in single if row.type == kind and row.best is not None]
        assert len(taken) == len(set(taken))


@some_examples
@given(named_documents())
def test_text_is_written_as_it_is(case: NamedDocument) -> None:
    (sentences,) = error_twin.parts(conll_text(case)).values()
    read = error_twin.parsed(sentences)
    assert (tuple(read.words), tuple(read.tags)) == (case.words, case.tags)
    assert (tuple(read.parse), tuple(read.sentences)) == (case.parse, case.sentences)
    opened = [row[10].strip("()*") for sentence in sentences for row in sentence]
    assert [tag for tag in opened if tag] == [tag for _, _, tag in case.names]


@some_examples
@given(named_documents())
def test_json_has_all_layers(case: NamedDocument) -> None:
    record = json.loads(json_line(case, case.response))
    layers: dict[str, tuple[object, ...] | None] = {
        "sentences": case.words,
        "pos": case.tags,
        "heads": case.dep_heads,
        "deprels": case.deprels,
    }
    for field, values in layers.items():
        assert tuple(value for sentence in record[field] for value in sentence) == values
        assert [len(each) for each in record[field]] == [len(each) for each in case.sentences]
    assert tuple(tuple(name) for names in record["ner"] for name in names) == case.names
    assert chains(record["clusters"]) == case.response


@some_examples
@given(named_documents())
def test_dependencies_are_a_tree_in_each_sentence(case: NamedDocument) -> None:
    assert case.dep_heads is not None and case.deprels is not None
    for sentence in case.sentences:
        roots = [token for token in sentence if case.dep_heads[token] == -1]
        assert [token for token in sentence if case.deprels[token] == "root"] == roots
        assert len(roots) == 1
        for token in sentence:
            assert set(twin._ancestors(case, token)) <= set(sentence)
