"""NEC on worked cases, on Tables 1 and 2 of the paper, and properties that always hold."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import astuple

import corefscope as cs
from annotated import Entities
from corefscope.choices import HeadsChoice
from corefscope.named_entities import ALL, ChainRow, Nec, make_nec_options
from corefscope.named_entities.heads import Name
from evaluations import nec_of
from named_annotated import conll_text, json_line, named_corpora
from nec_reference import NamedDocument, Options, head_names

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases" / "named_entities" / "cases.json"
STRATEGIES = ("dependency", "constituency", "heuristic")
CASE_OPTIONS: dict[str, dict[str, str]] = {
    "dep": {"heads": "dependency"},
    "dep_literal": {"heads": "dependency", "preset": "paper"},
    "heur_nopos": {"heads": "heuristic"},
}

Clusters = Sequence[Sequence[Sequence[int]]]


def line(words: str, clusters: Clusters, ner: Sequence[Any] = (), **layers: Any) -> str:
    """A document of one sentence as a line of JSON."""
    fields = {name: [values] for name, values in layers.items()}
    record = {"doc_key": "d", "sentences": [words.split()], "clusters": clusters, "ner": [ner]}
    return json.dumps(record | fields) + "\n"


def measured(folder: Path, key: str, response: str, **options: str) -> Nec:
    paths = [folder / "key.jsonl", folder / "response.jsonl"]
    for path, text in zip(paths, (key, response), strict=True):
        path.write_text(text, encoding="utf-8")
    return cs.nec(*paths, **options)  # type: ignore[arg-type]


@cache
def published() -> dict[str, dict[str, Any]]:
    if not CASES.exists():
        return {}
    return {case["id"]: case for case in json.loads(CASES.read_text("utf-8"))["cases"]}


def nearly(values: dict[str, Any]) -> dict[str, Any]:
    """The cases have six decimals."""
    return {
        name: pytest.approx(value, abs=1e-6) if isinstance(value, float) else value
        for name, value in values.items()
    }


def as_case(row: ChainRow) -> dict[str, Any]:
    return {
        "type": row.chain.type,
        "variants": [" ".join(variant) for variant in row.chain.variants],
        "candidates": list(row.candidates),
        "best": row.best,
        "F1": row.f1,
        "R": row.recall,
        "P": row.precision,
        **{type.value: f1 for type, f1 in row.by_type.items()},
        "response_chains_with_exact_name": len(row.split),
    }


def is_preset(case: dict[str, Any]) -> bool:
    """Whether a case takes no other choices than those of a preset."""
    options = case["options"]
    is_default = options.get("resp_filter", "type") == "type" and not options.get("cf")
    return is_default and case["head_strategy"] in CASE_OPTIONS


def of_case(case: dict[str, Any], folder: Path) -> Nec:
    layers = {"heads": case["dep_head"], "deprels": case["deprel"]}
    known = {name: values for name, values in layers.items() if values}
    words = " ".join(case["tokens"])
    options = dict(CASE_OPTIONS[case["head_strategy"]])
    for name, clusters in (("key", case["key"]), ("response", case["response"])):
        (folder / f"{name}.jsonl").write_text(line(words, clusters, **known), encoding="utf-8")
    return cs.nec(
        folder / "key.jsonl",
        folder / "response.jsonl",
        names={"d": case["ne"]},
        **options,  # type: ignore[arg-type]
    )


@pytest.mark.skipif(not published(), reason="no published cases beside this checkout")
def test_all_cases_are_there() -> None:
    assert len(published()) == 18


@pytest.mark.filterwarnings("ignore:.*W116")
@pytest.mark.parametrize("id", [id for id, case in published().items() if is_preset(case)])
def test_published_cases(id: str, tmp_path: Path) -> None:
    case = published()[id]
    found = of_case(case, tmp_path)
    assert [as_case(row) for row in found.rows] == list(map(nearly, case["chains"]))
    scores = {type: score for type, score in found.types.items() if score.chains}
    assert {
        type: {
            "nec_f1": score.f1,
            "chains": score.chains,
            "not_found": score.not_found,
            "zero_f1": score.zero_f1,
            "R": score.recall,
            "P": score.precision,
            "microR": score.micro.recall,
            "microP": score.micro.precision,
        }
        for type, score in scores.items()
    } == {type: nearly(values) for type, values in case["by_type"].items()}


JOHN_AND_RICHARD = "John Doe he he he Richard Roe he he"
PEOPLE = [[0, 1, "PERSON"], [5, 6, "PERSON"]]
KEY = [[[0, 1], [2, 2], [3, 3], [4, 4]], [[5, 6], [7, 7], [8, 8]]]
SOLUTION_1 = [[[0, 1], [2, 2], [3, 3]], [[5, 6], [7, 7]]]
SOLUTION_2 = [[[2, 2], [3, 3], [4, 4]], [[7, 7], [8, 8]]]
TABLE_2 = {
    "muc": (3 / 5, 1, 3 / 4),
    "b3": (43 / 84, 1, 86 / 127),
    "ceafm": (5 / 7, 1, 5 / 6),
    "ceafe": (29 / 35, 29 / 35, 29 / 35),
    "blanc": (17 / 36, 1, 25 / 39),
    "lea": (3 / 7, 1, 3 / 5),
}
"""B³: (3·3/4 + 2·2/3) / 7; CEAFe: (6/7 + 4/5) / 2."""


def table_1(folder: Path, response: Clusters, **options: str) -> Nec:
    key = line(JOHN_AND_RICHARD, KEY, PEOPLE)
    return measured(folder, key, line(JOHN_AND_RICHARD, response), **options)


@pytest.mark.parametrize("solution", [SOLUTION_1, SOLUTION_2])
def test_standard_metrics_of_table_1(solution: Clusters) -> None:
    spans = [[[tuple(mention) for mention in chain] for chain in side] for side in (KEY, solution)]
    scores = cs.score(*spans)
    for metric, (recall, precision, f1) in TABLE_2.items():
        found = scores[metric]
        assert found.recall == pytest.approx(recall, abs=1e-12), metric
        assert found.precision == pytest.approx(precision, abs=1e-12), metric
        assert found.f1 == pytest.approx(f1, abs=1e-12), metric


def test_first_solution_of_table_1(tmp_path: Path) -> None:
    """Three of four mentions, and two of three."""
    found = table_1(tmp_path, SOLUTION_1)
    assert [row.f1 for row in found.rows] == pytest.approx([6 / 7, 4 / 5])
    for score in (found["PER"], found[ALL]):
        assert score.f1 == pytest.approx(29 / 35, abs=1e-12)
        assert score.recall == pytest.approx((3 / 4 + 2 / 3) / 2, abs=1e-12)
        assert (score.precision, score.not_found, score.zero_f1) == (1, 0, 0)
        assert astuple(score.micro) == pytest.approx((5 / 7, 1, 5 / 6))
        assert score.conll == found.standard == pytest.approx((3 / 4 + 86 / 127 + 29 / 35) / 3)
    assert f"{found['PER'].f1:.6f} {found['PER'].recall:.6f}" == "0.828571 0.708333"


def test_second_solution_of_table_1(tmp_path: Path) -> None:
    """Precision is that of nothing, and the standard score is that of the first solution."""
    found = table_1(tmp_path, SOLUTION_2)
    score = found["PER"]
    assert (score.recall, score.precision, score.f1) == (0, 1, 0)
    assert (score.not_found, score.zero_f1) == (1, 1)
    assert astuple(score.micro) == (0, 1, 0)
    assert score.conll == 0, "no response chain has a name"
    assert found.standard == pytest.approx((3 / 4 + 86 / 127 + 29 / 35) / 3)


def test_mentions_of_table_1_by_type(tmp_path: Path) -> None:
    """Names are all there; of three pronouns two, of two one."""
    by_type = {
        type.value: astuple(value)
        for type, value in table_1(tmp_path, SOLUTION_1)["PER"].by_mention_type.items()
    }
    assert by_type["name"] == (1, 2)
    f1, chains = by_type["pronoun"]
    assert f1 == pytest.approx((4 / 5 + 2 / 3) / 2) and chains == 2
    assert by_type["nominal"] == (None, 0)


def test_shorter_mention_with_the_name(tmp_path: Path) -> None:
    """The paper's Mr Joe: of him only the pronoun is right, but he is found."""
    words = "Mr Joe from Boston sang . He likes Boston"
    names = [[1, 1, "PERSON"], [3, 3, "GPE"], [8, 8, "GPE"]]
    key = line(words, [[[0, 3], [6, 6]], [[3, 3], [8, 8]]], names)
    found = measured(tmp_path, key, line(words, [[[0, 1], [6, 6]], [[8, 8]]]))
    joe, boston = found.rows
    assert (joe.chain.type, list(joe.chain.variants)) == ("PER", [("Joe",)])
    assert (joe.f1, joe.recall, joe.precision) == (2 / 4, 1 / 2, 1 / 2)
    assert (boston.f1, boston.precision) == (2 / 3, 1)
    assert found[ALL].f1 == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert found.macro_f1 == found[ALL].f1, "one chain of each type"


CURZIOS = "Frank Curzio met Ann Curzio . Curzio told her he left"
CURZIO_NAMES = [[0, 1, "PERSON"], [3, 4, "PERSON"], [6, 6, "PERSON"]]
CURZIO_KEY = line(CURZIOS, [[[0, 1], [6, 6], [9, 9]], [[3, 4], [8, 8]]], CURZIO_NAMES)


def test_over_combined_chain(tmp_path: Path) -> None:
    """All five mentions in one chain: 3 of 5 are Frank's, 2 of 5 Ann's."""
    response = line(CURZIOS, [[[0, 1], [3, 4], [6, 6], [8, 8], [9, 9]]])
    found = measured(tmp_path, CURZIO_KEY, response)
    assert [row.f1 for row in found.rows] == pytest.approx([6 / 8, 4 / 7])
    assert [row.shares_best for row in found.rows] == [True, True]
    score = found["PER"]
    assert (score.over_combined.chains, score.over_combined.rate) == (1, 1)
    assert (score.over_combined.excess, score.over_split.chains) == (1, 0)


def test_one_name_in_two_chains_is_over_split(tmp_path: Path) -> None:
    """Ann's chain is a candidate for Frank, since it has the word Curzio, but no mention of his."""
    response = line(CURZIOS, [[[0, 1], [9, 9]], [[3, 4], [8, 8]], [[6, 6], [10, 10]]])
    found = measured(tmp_path, CURZIO_KEY, response)
    frank, ann = found.rows
    assert (list(frank.candidates), frank.best, list(frank.split)) == ([0, 1, 2], 0, [0, 2])
    assert (list(ann.candidates), list(ann.split)) == ([1], [1])
    assert (frank.f1, ann.f1) == (4 / 5, 1)
    score = found["PER"]
    assert (score.over_split.chains, score.over_split.rate, score.over_split.excess) == (1, 0.5, 1)
    assert score.over_combined.chains == 0
    assert [row.shares_best for row in found.rows] == [False, False]


def test_best_candidate(
    tmp_path: Path,
) -> None:
    """The highest F1, then the most mentions in common, then the first."""
    words = "Joe he him his Joe a b c d e Joe f"
    names = [[0, 0, "PERSON"], [4, 4, "PERSON"], [10, 10, "PERSON"]]
    key = line(words, [[[0, 0], [1, 1], [2, 2], [3, 3]]], names)

    def best(*response: list[int]) -> tuple[int | None, float]:
        """Of chains of single words."""
        chains = [[[token, token] for token in chain] for chain in response]
        (row,) = measured(tmp_path, key, line(words, chains)).rows
        return row.best, row.f1

    assert best([1, 4], [2, 3, 10]) == (1, 4 / 7), "two of four and three, not one of four and two"
    assert best([1, 4], [2, 3, 5, 6, 7, 8, 9, 10]) == (1, 1 / 3), "F1 is 1/3 twice: 2/6 and 4/12"
    assert best([2, 10], [1, 4]) == (1, 1 / 3), "F1 and overlap are the same"


def test_candidate_without_common_mention(tmp_path: Path) -> None:
    """It counts as found, with an F1 of 0."""
    words = "Mr Joe left . Joe slept"
    key = line(words, [[[0, 1]]], [[1, 1, "PERSON"], [4, 4, "PERSON"]])
    score = measured(tmp_path, key, line(words, [[[4, 4]]]))["PER"]
    assert (score.f1, score.not_found, score.zero_f1, score.precision) == (0, 0, 1, 0)


def test_possessive_ending(tmp_path: Path) -> None:
    words = "China 's growth . China grew"
    key = line(words, [[[0, 1], [4, 4]]], [[0, 1, "GPE"], [4, 4, "GPE"]])
    (row,) = measured(tmp_path, key, key).rows
    assert row.chain.variants == [("China",)]


def text_and_sides(
    documents: Sequence[NamedDocument], heads: HeadsChoice, folder: Path
) -> tuple[cs.Corpus, cs.Corpus]:
    """Read the text in a format that has the layer that heads are told by."""
    is_tree = heads == "constituency"
    path = folder / ("text.conll" if is_tree else "text.jsonl")
    write = conll_text if is_tree else json_line
    path.write_text("".join(map(write, documents)), encoding="utf-8")
    text = cs.read(path)
    return (
        text.with_clusters({each.name: each.key for each in documents}),
        text.with_clusters({each.name: each.response for each in documents}),
    )


def of_documents(documents: Sequence[NamedDocument], heads: HeadsChoice, folder: Path) -> Nec:
    names = {each.name: [Name(*name) for name in each.names] for each in documents}
    key, response = text_and_sides(documents, heads, folder)
    return nec_of(key, response, make_nec_options(heads=heads), names=names)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("nec")


any_heads = st.sampled_from(STRATEGIES)
many_examples = settings(max_examples=80)


@many_examples
@given(documents=named_corpora(), heads=any_heads)
def test_the_key_itself_scores_one(
    documents: list[NamedDocument], heads: HeadsChoice, folder: Path
) -> None:
    found = of_documents([replace(each, response=each.key) for each in documents], heads, folder)
    for score in found.types.values():
        if score.chains:
            assert (score.f1, score.recall, score.precision) == (1, 1, 1)
            assert astuple(score.micro) == (1, 1, 1)
            assert (score.not_found, score.zero_f1) == (0, 0)
            assert {each.f1 for each in score.by_mention_type.values()} <= {1, None}
            assert (score.over_split.chains, score.over_combined.chains) == (0, 0)


def figures(found: Nec) -> dict[str, tuple[Any, ...]]:
    """All figures of all types, to the last bits that an order of addition decides."""
    return {
        type: tuple(
            None if value is None else pytest.approx(value, abs=1e-12)
            for value in (
                *(score.chains, score.f1, score.not_found, score.zero_f1, score.recall),
                *(score.precision, *astuple(score.micro), score.conll),
                *(part for pair in score.by_mention_type.values() for part in astuple(pair)),
                *(score.over_split.chains, score.over_split.rate, score.over_split.excess),
                *(score.over_combined.chains, score.over_combined.rate),
            )
        )
        for type, score in found.types.items()
    }


@many_examples
@given(documents=named_corpora(), heads=any_heads, random=st.randoms(use_true_random=False))
def test_order_of_documents_chains_and_mentions(
    documents: list[NamedDocument], heads: HeadsChoice, random: Any, folder: Path
) -> None:
    def shuffled(chains: Entities) -> Entities:
        return tuple(
            tuple(random.sample(chain, len(chain)))
            for chain in random.sample(list(chains), len(chains))
        )

    others = [
        replace(each, key=shuffled(each.key), response=shuffled(each.response))
        for each in random.sample(documents, len(documents))
    ]
    one, other = of_documents(documents, heads, folder), of_documents(others, heads, folder)
    assert figures(one) == figures(other)
    assert one.macro_f1 == (None if other.macro_f1 is None else pytest.approx(other.macro_f1))
    assert one.standard == pytest.approx(other.standard)


@many_examples
@given(documents=named_corpora(), heads=any_heads, data=st.data())
def test_another_response_chain_never_lowers_f1(
    documents: list[NamedDocument], heads: HeadsChoice, data: st.DataObject, folder: Path
) -> None:
    """The maximum can only rise, whatever the chain is made of."""

    def with_another(document: NamedDocument) -> NamedDocument:
        spans = sorted(
            {span for side in (document.key, document.response) for c in side for span in c}
        )
        spans += [(token, token) for token in range(len(document.words))]
        chain = data.draw(st.lists(st.sampled_from(spans), min_size=1, unique=True))
        return replace(document, response=(*document.response, tuple(chain)))

    before = of_documents(documents, heads, folder)
    after = of_documents(list(map(with_another, documents)), heads, folder)
    for type, score in before.types.items():
        richer = after[type]
        assert richer.chains == score.chains
        if score.f1 is not None and score.not_found is not None:
            assert richer.f1 is not None and richer.not_found is not None
            assert richer.f1 >= score.f1 - 1e-12
            assert richer.not_found <= score.not_found
            assert richer.over_split.excess >= score.over_split.excess


@many_examples
@given(documents=named_corpora(), heads=any_heads)
def test_f1_is_at_most_the_share_that_was_found(
    documents: list[NamedDocument], heads: HeadsChoice, folder: Path
) -> None:
    for score in of_documents(documents, heads, folder).types.values():
        if score.f1 is not None and score.not_found is not None:
            assert score.f1 <= 1 - score.not_found + 1e-12
            assert score.zero_f1 is not None and score.zero_f1 >= score.not_found


@many_examples
@given(documents=named_corpora(), heads=st.sampled_from(STRATEGIES))
def test_without_mentions_headed_by_names(
    documents: list[NamedDocument], heads: Any, folder: Path
) -> None:
    options = Options(heads=heads)

    def is_named(document: NamedDocument, span: tuple[int, int]) -> bool:
        return any(tag in options.types for _, _, tag in head_names(document, span, options))

    def nameless(document: NamedDocument) -> NamedDocument:
        kept = (tuple(s for s in c if not is_named(document, s)) for c in document.key)
        return replace(document, response=tuple(chain for chain in kept if chain))

    found = of_documents(list(map(nameless, documents)), heads, folder)
    for score in found.types.values():
        if score.chains:
            assert (score.f1, score.not_found, score.recall, score.precision) == (0, 1, 0, 1)


def test_properties_are_tried_on_documents_with_names(folder: Path) -> None:
    """Most random corpora have a named chain, or the properties would say little."""
    seen: list[int] = []

    @settings(max_examples=100)
    @given(documents=named_corpora())
    def count(documents: list[NamedDocument]) -> None:
        seen.append(of_documents(documents, "heuristic", folder)[ALL].chains)

    count()
    assert Fraction(sum(map(bool, seen)), len(seen)) > Fraction(1, 2)
