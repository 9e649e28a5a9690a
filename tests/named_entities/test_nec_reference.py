"""The reference implementation of NEC gives the figures of the paper and of hand-computed cases."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import nec_reference as reference
from nec_reference import ALL, Chains, Name, NamedDocument, Options, Row

F = Fraction

HEURISTIC = Options(heads="heuristic")
LITERAL = Options(head_test="ancestor", coordination="literal")


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
    (row,) = reference.rows(case, chosen)
    return row


TABLE_1 = document(
    "John Doe he he he Richard Roe he he",
    [(0, 1, "PER"), (5, 6, "PER")],
    key=(((0, 1), (2, 2), (3, 3), (4, 4)), ((5, 6), (7, 7), (8, 8))),
)
SOLUTIONS: list[Chains] = [
    (((0, 1), (2, 2), (3, 3)), ((5, 6), (7, 7))),
    (((2, 2), (3, 3), (4, 4)), ((7, 7), (8, 8))),
]


def triples(solution: Chains, chosen: Options = HEURISTIC) -> list[list[Fraction | None]]:
    """Recall, precision and F1 of Table 1 by the mean over chains, and by counts."""
    found = reference.summary([replace(TABLE_1, response=solution)], chosen)["PER"]
    return [
        [found["recall"], found["precision"], found["f1"]],
        [found["micro_recall"], found["micro_precision"], found["micro_f1"]],
    ]


def test_first_solution_of_table_1() -> None:
    text = replace(TABLE_1, response=SOLUTIONS[0])
    assert [row.f1 for row in reference.rows(text, HEURISTIC)] == [F(6, 7), F(4, 5)]
    assert triples(SOLUTIONS[0]) == [[F(17, 24), 1, F(29, 35)], [F(5, 7), 1, F(5, 6)]]
    micro = HEURISTIC._replace(aggregate="micro")
    assert triples(SOLUTIONS[0], micro)[0] == [F(17, 24), 1, F(5, 6)]


def test_second_solution_of_table_1() -> None:
    assert triples(SOLUTIONS[1]) == [[0, 1, 0], [0, 1, 0]]
    found = reference.summary([replace(TABLE_1, response=SOLUTIONS[1])], HEURISTIC)["PER"]
    assert [found["not_found"], found["zero_f1"]] == [1, 1]
    assert triples(SOLUTIONS[1], HEURISTIC._replace(precision="one"))[0] == [0, 1, 0]
    assert triples(SOLUTIONS[1], HEURISTIC._replace(precision="zero"))[0] == [0, 0, 0]


@pytest.mark.parametrize(
    ("text", "head", "literal"),
    [
        ("Mr.|NNP|(NP(NP* Joe|NNP|*) from|IN|(PP* Boston|NNP|(NP*)))", "Joe", "Joe"),
        ("the|DT|(NP(NP* chancellor|NN|*) ,|,|* Merkel|NNP|(NP*))", "chancellor", "chancellor"),
        ("Danish|JJ|(NP* philologist|NN|* Rasmus|NNP|* Rask|NNP|*)", "Rask", "Rask"),
        ("China|NNP|(NP* 's|POS|*)", "China", "China"),
        ("John|NNP|(NP(NP*) and|CC|* Mary|NNP|(NP*))", "and", "John"),
        ("John|NNP|(NP* and|CC|* Mary|NNP|*)", "and", "Mary"),
        ("both|CC|(NP* John|NNP|*)", "John", "John"),
        ("more|JJR|(NP(QP* than|IN|* 7|CD|*) $|$|*)", "$", "$"),
        ("John|NNP|(S(NP*) left|VBD|(VP*))", "left", "left"),
        ("of|IN|(PP* John|NNP|(NP*))", "of", "of"),
    ],
)
def test_heads_by_constituency(text: str, head: str, literal: str) -> None:
    case = document(text)
    span = (0, len(case.words) - 1)
    found = [reference.constituency_head(case, span, each) for each in (False, True)]
    assert [case.words[token] for token in found] == [head, literal]


@pytest.mark.parametrize(
    ("text", "names", "head", "literal"),
    [
        ("John 's wife", [], 2, 2),
        ("Mr Joe from Boston", [], 1, 1),
        ("John and Mary", [], None, 0),
        ("Bank of America", [(0, 2, "ORG")], 2, 2),
        ("Bank of America", [], 0, 0),
        ("of Boston", [], 1, 1),
        ("the|DT growing|VBG economy|NN", [], 2, 2),
        ("John|NNP and|CC Mary|NNP 's|POS wife|NN", [], None, 0),
        ("Johnson|NNP and|CC Johnson|NNP", [(0, 2, "ORG")], 2, 2),
    ],
)
def test_heads_by_heuristic(text: str, names: list[Name], head: int | None, literal: int) -> None:
    case = document(text, names)
    span = (0, len(case.words) - 1)
    assert [reference.heuristic_head(case, span, each) for each in (False, True)] == [head, literal]


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
        (TWO_TOPS, (0, 2), LITERAL, []),
        (TWO_TOPS, (1, 2), Options(), [(1, 1, "PERSON")]),
        (TWO_TOPS, (1, 2), LITERAL, [(1, 1, "PERSON"), (2, 2, "GPE")]),
    ],
)
def test_heads_by_dependency(
    case: NamedDocument, span: tuple[int, int], chosen: Options, expected: list[Name]
) -> None:
    assert reference.head_names(case, span, chosen) == expected


def test_tie_of_types() -> None:
    names: list[Name] = [(0, 0, "PERSON"), (1, 1, "ORG"), (2, 2, "GPE"), (3, 3, "GPE")]
    case = document("A B C D E", [*names, (4, 4, "ORG")])
    chain = [(at, at) for at in range(5)]
    for conflict, expected in (("majority", ["ORG"]), ("first", ["PER"])):
        chosen = HEURISTIC._replace(type_conflict=conflict)  # type: ignore[arg-type]
        assert reference.chain_types(case, chain, chosen) == expected
    multi = HEURISTIC._replace(type_conflict="multi")
    assert reference.chain_types(case, chain, multi) == ["PER", "ORG", "GPE"]


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
        ((((8, 8),),), {"containment": "characters"}, ("Joe", "Joe Roe"), (0,)),
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


def test_one_to_one_pairing() -> None:
    case = document(
        "Joe he Joe him",
        [(0, 0, "PER"), (2, 2, "PER")],
        key=(((0, 0), (1, 1)), ((2, 2), (3, 3))),
        response=(((0, 0), (1, 1), (2, 2)),),
    )
    assert [row.f1 for row in reference.rows(case, HEURISTIC)] == [F(4, 5), F(2, 5)]
    found = reference.rows(case, HEURISTIC._replace(pairing="one-to-one"))
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


def test_pronouns() -> None:
    case = document("who|WP it|NN one|PRP", [])
    spans = [(0, 0), (1, 1), (2, 2), (1, 2)]
    personal = ["nominal", "nominal", "pronoun", "nominal"]
    assert [reference.mention_type(case, span, HEURISTIC) for span in spans] == personal
    wide = HEURISTIC._replace(pronouns="wide")
    assert reference.mention_type(case, (0, 0), wide) == "pronoun"
    words = replace(case, tags=None)
    told = ["nominal", "pronoun", "pronoun", "nominal"]
    assert [reference.mention_type(words, span, HEURISTIC) for span in spans] == told


def test_aggregation_over_documents() -> None:
    good = document("Joe he", [(0, 0, "PER")], (((0, 0), (1, 1)),), (((0, 0), (1, 1)),))
    bad = document("Joe Jim", [(0, 0, "PER"), (1, 1, "PER")], (((0, 0),), ((1, 1),)), ())
    corpus = [good, bad, document("he it", key=(((0, 0), (1, 1)),))]
    mean = HEURISTIC._replace(documents="mean")
    assert reference.summary(corpus, HEURISTIC)[ALL]["f1"] == F(1, 3)
    assert reference.summary(corpus, mean)[ALL]["f1"] == F(1, 2)
    assert reference.summary(corpus, mean)["PER"]["chains"] == 3


def test_typed_conll() -> None:
    case = document(
        "Joe he Jim him",
        [(0, 0, "PER"), (2, 2, "PER")],
        (((0, 0), (1, 1)),),
        (((0, 0), (1, 1)), ((2, 2), (3, 3))),
    )
    assert reference.summary([case], HEURISTIC)["PER"]["f1"] == 1
    assert reference.typed_conll([case], HEURISTIC, "PER") == pytest.approx(2 / 3)
