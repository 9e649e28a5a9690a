"""``cs.nec``: its options, the layers that it needs, and what it says of odd input."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec import to_builtins
from msgspec.structs import astuple

import corefscope as cs
from corefscope import CorefscopeWarning, InvalidInput, UnknownName
from corefscope.cli import main
from corefscope.named_entities import ALL, NecOptions, TypeScore, make_nec_options
from corefscope.named_entities.options import TYPES
from error_examples import document, write

quiet = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")

NW, BC = "(nw/wsj/1); part 000", "(bc/cnn/1); part 000"


def record(words: str, clusters: Sequence[Any], ner: Sequence[Any] | None = None) -> dict[str, Any]:
    """A document of one sentence; without names it has no such field."""
    fields: dict[str, Any] = {"doc_key": "d", "sentences": [words.split()], "clusters": clusters}
    return fields if ner is None else fields | {"ner": [ner]}


def saved(path: Path, *records: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    return path


TEXT = "Ann met Bob . She likes him"
NAMES = [[0, 0, "PERSON"], [2, 2, "PERSON"]]
CLUSTERS = [[[0, 0], [4, 4]], [[2, 2], [6, 6]]]
ONLY_ANN = [[[0, 0], [4, 4]]]


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return saved(tmp_path / "key.jsonl", record(TEXT, CLUSTERS, NAMES))


@pytest.fixture
def response(tmp_path: Path) -> Path:
    return saved(tmp_path / "response.jsonl", record(TEXT, ONLY_ANN))


def refused(*arguments: Any, **options: Any) -> tuple[str, str]:
    """Code and message of the one finding that NEC refuses an input with."""
    with pytest.raises(InvalidInput) as caught:
        cs.nec(*arguments, **options)
    (finding,) = caught.value.findings
    return finding.code.id, finding.message


def test_half_of_the_people_are_found(key: Path, response: Path) -> None:
    found = cs.nec(key, response)
    assert list(found.types) == ["PER", "ORG", "GPE", ALL]
    score = found["PER"]
    assert (score.chains, score.f1, score.not_found, score.zero_f1) == (2, 0.5, 0.5, 0.5)
    assert (score.recall, score.precision) == (0.5, 1)
    assert repr(found) == "<Nec of 1 document: PER 50.00, ALL 50.00>"
    ann, bob = found.rows
    assert (ann.is_found, ann.precision, ann.best_size) == (True, 1, 2)
    assert (bob.is_found, bob.precision, bob.best_size, bob.f1) == (False, None, 0, 0)


def test_corpora_and_paths_give_the_same(key: Path, response: Path) -> None:
    assert cs.nec(cs.read(key), cs.read(response)).types == cs.nec(key, response).types


def test_the_preset_of_the_paper() -> None:
    assert make_nec_options("paper").preset == "paper"
    assert NecOptions().preset == "default"


def test_options_are_told_as_plain_values() -> None:
    told = to_builtins(make_nec_options("paper", {"LOC": "GPE"}))
    assert told["types"] == {"LOC": "GPE"} and told["preset"] == "paper"
    assert set(told) == set(NecOptions.__struct_fields__)
    assert json.loads(json.dumps(told)) == told


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"preset": "papers"}, "no choice of preset named 'papers'; did you mean paper?"),
        ({"heads": "spacy"}, "no choice of heads named 'spacy'; known: auto, dependency"),
        ({"singletons": "lose"}, "no choice of singletons named 'lose'; known: keep, drop"),
        ({"missing": "skip"}, "no choice of missing named 'skip'; known: empty, error"),
    ],
)
def test_unknown_names_are_refused(
    options: dict[str, Any], message: str, key: Path, response: Path
) -> None:
    with pytest.raises(UnknownName) as caught:
        cs.nec(key, response, **options)
    assert str(caught.value).startswith(message)


def test_an_unknown_type_is_refused(key: Path, response: Path) -> None:
    """As an unknown metric of scores is, with what there is."""
    with pytest.raises(UnknownName, match="'PERSON'"):
        cs.nec(key, response)["PERSON"]


def test_types_say_which_tags_count(key: Path, response: Path) -> None:
    found = cs.nec(key, response, types={"PERSON": "people"})
    assert list(found.types) == ["people", ALL]
    assert found["people"].chains == 2
    assert TYPES == {"PERSON": "PER", "PER": "PER", "ORG": "ORG", "GPE": "GPE"}


def test_unmeasured_tag_still_makes_a_name(tmp_path: Path) -> None:
    """The Seine has no chain, and in Paris's chain it is no nominal."""
    text = record("the Seine Paris", [[[0, 1], [2, 2]]], [[0, 1, "LOC"], [2, 2, "GPE"]])
    path = saved(tmp_path / "key.jsonl", text)
    by_type = {t.value: astuple(of) for t, of in cs.nec(path, path)["GPE"].by_mention_type.items()}
    assert by_type == {"name": (1, 1), "pronoun": (None, 0), "nominal": (None, 0)}
    mapped = cs.nec(path, path, types={**TYPES, "LOC": "GPE"})
    assert mapped.rows[0].chain.variants == [("Paris",), ("the", "Seine")]


def test_names_may_be_given_as_a_mapping(key: Path, response: Path) -> None:
    """Those of the file then count no more."""
    found = cs.nec(key, response, names={"d": [(2, 2, "ORG")]})
    assert [(row.chain.type, row.chain.variants) for row in found.rows] == [("ORG", [("Bob",)])]
    assert found["PER"].f1 is None and found["ORG"].not_found == 1
    assert cs.nec(key, response, names={"d": iter([[0, 0, "PER"]])})["PER"].f1 == 1


def test_names_of_unknown_document(key: Path, response: Path) -> None:
    """A name that is spelt otherwise would make a key without names, in silence."""
    with pytest.warns(CorefscopeWarning, match="'D'.*W407"):
        found = cs.nec(key, response, names={"d": [(0, 0, "PER")], "D": [(2, 2, "PER")]})
    assert found["PER"].chains == 1
    with pytest.warns(CorefscopeWarning, match="'D'.*W407"):
        none = cs.nec(key, response, names={"D": [(0, 0, "PER")]})
    assert none[ALL].f1 is None, "and no zero"


def test_names_beyond_the_text_are_reported(key: Path, response: Path) -> None:
    with pytest.warns(CorefscopeWarning, match="W407"):
        found = cs.nec(key, response, names={"d": [(0, 0, "PER"), (2, 7, "PER")]})
    assert found["PER"].chains == 1


def both_genres(tmp_path: Path) -> Path:
    nw = record("Ann sang", [[[0, 0]]], [[0, 0, "PERSON"]]) | {"doc_key": NW}
    bc = record("Bob left", [[[0, 0]]], [[0, 0, "PERSON"]]) | {"doc_key": BC}
    return saved(tmp_path / "both.jsonl", nw, bc)


@quiet
@pytest.mark.parametrize(
    ("genres", "names"),
    [
        ([], [NW, BC]),
        (["nw"], [NW]),
        (["bc", "nw"], [NW, BC]),
        (["bc/cnn"], [BC]),
    ],
)
def test_genres_choose_documents(genres: list[str], names: list[str], tmp_path: Path) -> None:
    path = both_genres(tmp_path)
    found = cs.nec(path, path, genres=genres)
    assert [document.name for document in found.documents] == names
    assert found["PER"].chains == len(names)
    assert f"|docs:{len(names)}|" in found.signature
    assert ("genres:" in found.signature) == bool(genres)


@quiet
def test_a_genre_is_a_whole_part_of_a_name(tmp_path: Path) -> None:
    names = ["nw/a", "nws/b", "nw_c", "x/nw/d"]
    text = record("Ann sang", [[[0, 0]]], [[0, 0, "PERSON"]])
    path = saved(tmp_path / "key.jsonl", *(text | {"doc_key": name} for name in names))
    found = cs.nec(path, path, genres=["nw"])
    assert [document.name for document in found.documents] == ["nw/a", "nw_c"]


def test_documents_of_other_genres(tmp_path: Path) -> None:
    """The key has them, too: it was asked to leave them out."""
    path = both_genres(tmp_path)
    assert cs.nec(path, path, genres=["nw"]).findings == ()


def test_names_of_documents_of_other_genres(tmp_path: Path) -> None:
    """A file of names is that of the whole corpus."""
    path = both_genres(tmp_path)
    names = {NW: [(0, 0, "PERSON")], BC: [(0, 0, "PERSON")]}
    assert cs.nec(path, path, genres=["nw"], names=names).findings == ()


def test_a_genre_that_no_document_has_is_named(tmp_path: Path) -> None:
    path = both_genres(tmp_path)
    with pytest.raises(cs.CorefscopeError, match="'mz'"):
        cs.nec(path, path, genres=["mz"])


def test_singletons_kept_or_dropped(tmp_path: Path) -> None:
    """Bob is alone in the key; the response has him and Ann each alone."""
    text = "Ann met Bob . She left"
    key = saved(tmp_path / "key.jsonl", record(text, [[[0, 0], [4, 4]], [[2, 2]]], NAMES))
    response = saved(tmp_path / "response.jsonl", record(text, [[[0, 0]], [[2, 2]]]))
    kept, dropped = (cs.nec(key, response, singletons=s)["PER"] for s in ("keep", "drop"))
    assert (kept.chains, kept.not_found) == (2, 0)
    assert kept.f1 == pytest.approx((2 / 3 + 1) / 2)
    assert (dropped.chains, dropped.f1, dropped.not_found) == (1, 0, 1)
    assert "singletons:drop" in cs.nec(key, response, singletons="drop").signature


def test_entities_keep_their_numbers_without_singletons(tmp_path: Path) -> None:
    text = record(TEXT, [[[5, 5]], [[2, 2], [6, 6]]], NAMES)
    path = saved(tmp_path / "key.jsonl", text)
    (of_document,) = cs.nec(path, path, singletons="drop").documents
    assert (of_document.key.places, of_document.response.places) == ([2], [2])


def two_documents(tmp_path: Path) -> Path:
    one, two = (record(TEXT, CLUSTERS, NAMES) | {"doc_key": name} for name in ("one", "two"))
    return saved(tmp_path / "two.jsonl", one, two)


def test_missing_document(tmp_path: Path) -> None:
    """Its entities are not found."""
    key = two_documents(tmp_path)
    response = saved(tmp_path / "one.jsonl", record(TEXT, CLUSTERS) | {"doc_key": "one"})
    with pytest.warns(CorefscopeWarning, match="'two' of the key is missing.*W201"):
        found = cs.nec(key, response)
    score = found["PER"]
    assert (score.chains, score.f1, score.not_found) == (4, 0.5, 0.5)
    assert (score.recall, score.precision) == (0.5, 1)
    assert [finding.code.id for finding in found.findings] == ["W201"]
    with pytest.raises(cs.IncompleteResponse):
        cs.nec(key, response, missing="error")


def test_extra_document_is_ignored_with_a_warning(tmp_path: Path, key: Path) -> None:
    extra = record("Eve sang", [[[0, 0]]], [[0, 0, "PERSON"]]) | {"doc_key": "extra"}
    response = saved(tmp_path / "more.jsonl", record(TEXT, CLUSTERS), extra)
    with pytest.warns(CorefscopeWarning, match="'extra' is not in the key.*W202"):
        found = cs.nec(key, response)
    assert (found["PER"].chains, found["PER"].f1) == (2, 1)
    assert [document.name for document in found.documents] == ["d"]


def test_documents_are_paired_by_name(tmp_path: Path) -> None:
    key = two_documents(tmp_path)
    one, two = (record(TEXT, side) for side in (ONLY_ANN, []))
    response = saved(tmp_path / "r.jsonl", two | {"doc_key": "two"}, one | {"doc_key": "one"})
    found = cs.nec(key, response)
    assert [row.document for row in found.rows if row.is_found] == ["one"]


@quiet
def test_a_mention_in_two_chains_counts_in_both(tmp_path: Path) -> None:
    """Of standard metrics only the first copy counts; NEC says that both do."""
    text = record("Ann saw Ann", [[[0, 0], [2, 2]], [[2, 2]]], [[0, 0, "PERSON"], [2, 2, "PERSON"]])
    path = saved(tmp_path / "twice.jsonl", text)
    found = cs.nec(path, path)
    first, second = found.rows
    assert (first.size, second.size, first.f1, second.f1) == (2, 1, 1, 1)
    assert found["PER"].over_split.chains == 2, "Ann is in two chains even of the key"
    (finding,) = found.findings
    assert finding.code.id == "W108" and finding.line == 1
    assert finding.message == (
        "mention (2, 2) of entity 1 in document 'd' is already in entity 0 on line 1; "
        "both count in NEC"
    )


@quiet
def test_repeated_mention_counts_once(tmp_path: Path) -> None:
    path = saved(tmp_path / "key.jsonl", record("Ann ran", [[[0, 0], [0, 0]]], [[0, 0, "PER"]]))
    found = cs.nec(path, path)
    (row,) = found.rows
    assert (row.size, row.overlap, row.best_size) == (1, 1, 1)
    (finding,) = found.findings
    assert finding.message.endswith("is already in entity 0 on line 1; it counts once")


LEVELS: dict[str, Any] = record("Elizabeth saw the estate", [[[0, 0], [0, 1]], [[2, 3]]]) | {
    "entity_types": ["PER", "FAC"],
    "mention_levels": [["NAM", "PRO"], ["NOM"]],
}


def test_entity_types_and_mention_levels_as_names(tmp_path: Path) -> None:
    """A mention of level NAM is its own name; the other levels say what a mention is."""
    path = saved(tmp_path / "key.jsonl", LEVELS)
    found = cs.nec(path, path)
    assert found.heads == "attributes"
    (row,) = found.rows
    assert (row.chain.type, row.chain.variants) == ("PER", [("Elizabeth",)])
    assert row.chain.headed == [(0, 0)]
    of = {type.value: astuple(value) for type, value in found["PER"].by_mention_type.items()}
    assert of == {"name": (1, 1), "pronoun": (1, 1), "nominal": (None, 0)}


def test_levels_of_the_response(tmp_path: Path) -> None:
    """The estate is a name to the response alone; of Elizabeth the key's word counts."""
    key = saved(tmp_path / "key.jsonl", LEVELS)
    other = record("Elizabeth saw the estate", [[[0, 0], [1, 1]]])
    other |= {"entity_types": ["ORG"], "mention_levels": [["NOM", "NAM"]]}
    found = cs.nec(key, saved(tmp_path / "response.jsonl", other))
    (row,) = found.rows
    assert (row.chain.type, row.is_found, row.f1) == ("PER", True, 0.5)
    assert found.documents[0].response_types == [{"PER", "ORG"}]


def test_no_names(tmp_path: Path) -> None:
    nameless = saved(tmp_path / "nameless.jsonl", record(TEXT, CLUSTERS))
    code, message = refused(nameless, nameless)
    assert code == "E402"
    assert "no named entity is marked in any document" in message
    assert "entity types and mention levels" in message and "a file of names" in message
    empty = saved(tmp_path / "empty.jsonl", record(TEXT, CLUSTERS, []))
    assert refused(empty, nameless)[0] == "E402"
    starred = document("(NP Ann/NNP)", "[1 Ann]", layers="tags parse")
    assert refused(*write(tmp_path, starred, starred))[0] == "E402"


def test_without_words_nec_says_so() -> None:
    code, message = refused({"d": [[(0, 0), (1, 1)]]}, {"d": [[(0, 0)]]})
    assert (code, message) == (
        "E402",
        "document 'd' has no words; expected words, to find names",
    )


def test_names_of_the_response_only(tmp_path: Path) -> None:
    """They are a system's, and results of systems with different names do not compare."""
    key = saved(tmp_path / "key.jsonl", record(TEXT, CLUSTERS))
    response = saved(tmp_path / "response.jsonl", record(TEXT, CLUSTERS, NAMES))
    with pytest.warns(CorefscopeWarning, match="W401"):
        found = cs.nec(key, response)
    assert found["PER"].f1 == 1
    assert found.signature == f"{cs.nec(response, response).signature}|from-response:names"


def has_no_figures(score: TypeScore) -> bool:
    figures = (score.f1, score.not_found, score.zero_f1, score.recall, score.precision, score.conll)
    by_mention = {each.f1 for each in score.by_mention_type.values()}
    return {*figures, *astuple(score.micro), *by_mention} == {None} and score.chains == 0


def test_types_without_chains(tmp_path: Path) -> None:
    text = "Ann left Rome . She loved Rome"
    names = [[0, 0, "PERSON"], [2, 2, "GPE"], [6, 6, "GPE"]]
    key = saved(tmp_path / "k.jsonl", record(text, [[[0, 0], [4, 4]], [[2, 2], [6, 6]]], names))
    response = saved(tmp_path / "r.jsonl", record(text, [[[2, 2], [6, 6]]]))
    found = cs.nec(key, response)
    assert has_no_figures(found["ORG"])
    assert (found["ORG"].over_split.rate, found["ORG"].over_combined.rate) == (None, None)
    assert (found["PER"].f1, found["GPE"].f1, found[ALL].f1) == (0, 1, 0.5)
    assert found.macro_f1 == 0.5, "of PER and GPE"


def test_mean_over_types_and_over_chains(tmp_path: Path) -> None:
    text = "Ann Bob Rome"
    names = [[0, 0, "PER"], [1, 1, "PER"], [2, 2, "GPE"]]
    key = saved(tmp_path / "k.jsonl", record(text, [[[0, 0]], [[1, 1]], [[2, 2]]], names))
    response = saved(tmp_path / "r.jsonl", record(text, [[[0, 0]], [[1, 1]]]))
    found = cs.nec(key, response)
    assert found[ALL].f1 == pytest.approx(2 / 3) and found.macro_f1 == 0.5


def test_key_without_named_chain(tmp_path: Path) -> None:
    """There is a name in the text, but no chain has it."""
    path = saved(tmp_path / "key.jsonl", record("Ann saw it", [[[2, 2]]], [[0, 0, "PERSON"]]))
    found = cs.nec(path, path)
    assert all(map(has_no_figures, found.types.values()))
    assert found.macro_f1 is None and found.rows == []
    assert repr(found) == "<Nec of 1 document: no chain with a name>"


@pytest.mark.filterwarnings("ignore:.*W116")
def test_empty_response(key: Path, tmp_path: Path) -> None:
    """Nothing is found, and precision is undefined."""
    score = cs.nec(key, saved(tmp_path / "empty.jsonl", record(TEXT, [])))["PER"]
    assert (score.f1, score.not_found, score.recall, score.precision) == (0, 1, 0, 1)
    assert (score.micro.f1, score.over_split.rate, score.over_combined.rate) == (0, 0, None)


def test_signatures_of_different_choices_differ(key: Path, response: Path) -> None:
    """Scores compare if their signatures are equal: see docs/ref/profiles.md."""
    chosen: list[dict[str, Any]] = [
        *({}, {"preset": "paper"}, {"types": {"PERSON": "GPE"}}),
        *({"types": {"PERSON": "PER"}}, {"singletons": "drop"}),
    ]
    chosen.append({"names": {"d": [(0, 0, "PERSON")]}})
    signatures = [cs.nec(key, response, **options).signature for options in chosen]
    assert len(set(signatures)) == len(signatures)


def test_response_of_other_ids(key: Path, tmp_path: Path) -> None:
    ids = tmp_path / "ids.json"
    ids.write_text('{"d": [["m1", "m2"]]}')
    with pytest.raises(InvalidInput) as caught:
        cs.score(key, ids)
    (expected,) = caught.value.findings
    assert refused(key, ids) == (expected.code.id, expected.message)


def test_mentions_beyond_the_text(key: Path, tmp_path: Path) -> None:
    beyond = tmp_path / "beyond.json"
    beyond.write_text('{"d": [[[0, 0], [9, 9]]]}')
    with pytest.warns(CorefscopeWarning, match="W204"):
        found = cs.nec(key, beyond)
    assert found.rows[0].f1 == 2 / 4


def test_longer_response_on_request(key: Path, tmp_path: Path) -> None:
    longer = record(f"{TEXT} Eve", [[[0, 0], [4, 4]], [[7, 7]]])
    response = saved(tmp_path / "longer.jsonl", longer)
    assert refused(key, response)[0] == "E202"
    with pytest.warns(CorefscopeWarning, match="W204"):
        found = cs.nec(key, response, tokens="ignore")
    assert found.rows[0].f1 == 1


def test_chains_of_two_types_share_a_response_chain(tmp_path: Path) -> None:
    text = "Ann founded Acme"
    names = [[0, 0, "PERSON"], [2, 2, "ORG"]]
    key = saved(tmp_path / "k.jsonl", record(text, [[[0, 0]], [[2, 2]]], names))
    found = cs.nec(key, saved(tmp_path / "r.jsonl", record(text, [[[0, 0], [2, 2]]])))
    assert [row.best for row in found.rows] == [0, 0]
    assert [row.shares_best for row in found.rows] == [True, True]
    assert found[ALL].over_combined.chains == 1
    assert found["PER"].over_combined.chains == found["ORG"].over_combined.chains == 1


def layered(name: str, **layers: Any) -> dict[str, Any]:
    fields = {field: [values] for field, values in layers.items()}
    return record("the man Ann", [[[0, 2]]], [[2, 2, "PERSON"]]) | {"doc_key": name} | fields


ARCS = {"heads": [2, 2, -1], "deprels": ["det", "compound", "root"]}


@pytest.mark.parametrize(
    ("layers", "heads"),
    [([ARCS, ARCS], "dependency"), ([ARCS, {}], "heuristic"), ([{}, {}], "heuristic")],
)
def test_heads_from_layers_of_all_documents(
    layers: list[dict[str, Any]], heads: str, tmp_path: Path
) -> None:
    records = [layered(f"d{number}", **layer) for number, layer in enumerate(layers)]
    path = saved(tmp_path / "key.jsonl", *records)
    found = cs.nec(path, path)
    assert found.heads == heads and found.signature.endswith(f"|nec:{heads}")


@pytest.mark.parametrize(
    ("other", "heads"),
    [
        (layered("d1", **ARCS), "attributes+dependency"),
        (layered("d1"), "attributes+heuristic"),
        (record("nobody ran", [[[0, 0]]]) | {"doc_key": "d1"}, "attributes"),
    ],
    ids=["dependencies", "names alone", "no names"],
)
def test_heads_from_levels_and_names(other: dict[str, Any], heads: str, tmp_path: Path) -> None:
    path = saved(tmp_path / "key.jsonl", LEVELS, other)
    found = cs.nec(path, path)
    assert found.heads == heads and found.signature.endswith(f"|nec:{heads}")
    assert [row.f1 for row in found.rows] == [1] * (2 if "+" in heads else 1)


def test_heads_from_trees(tmp_path: Path) -> None:
    tree, names = "(NP (NP the/DT man/NN) (NP Ann/NNP))", "the man [PERSON Ann]"
    with_tree = document(tree, "[1 the man Ann]", names, "a")
    without = document(tree, "[1 the man Ann]", names, "b", layers="tags names")
    path = tmp_path / "key.conll"
    for texts, heads in (([with_tree], "constituency"), ([with_tree, without], "heuristic")):
        path.write_text("".join(texts))
        assert cs.nec(path, path).heads == heads


def test_heads_from_a_missing_layer(tmp_path: Path) -> None:
    path = saved(tmp_path / "key.jsonl", layered("d1", **ARCS), layered("d2"))
    assert refused(path, path, heads="dependency") == (
        "E402",
        "document 'd2' has no dependencies; expected them in all documents",
    )
    assert refused(path, path, heads="constituency") == (
        "E402",
        "document 'd1' has no parse trees; expected them in all documents",
    )
    assert cs.nec(path, path, heads="heuristic").heads == "heuristic"


def test_heads_that_are_no_tokens(tmp_path: Path) -> None:
    """Token 9 of three: the layer does not fit the words."""
    wrong = layered("d", heads=[9, 2, -1], deprels=["det", "compound", "root"])
    path = saved(tmp_path / "key.jsonl", wrong)
    with pytest.warns(CorefscopeWarning, match="W113"):
        found = cs.nec(path, path)
    assert found.heads == "heuristic"


def test_heads_that_go_round_in_circles_end(tmp_path: Path) -> None:
    path = saved(tmp_path / "key.jsonl", layered("d", heads=[1, 0, 2], deprels=["x", "x", "x"]))
    (row,) = cs.nec(path, path).rows
    assert row.chain.variants == [("Ann",)], "Ann hangs on nothing but herself"


def headed_by(path: str | Path, **options: str) -> list[str]:
    """The names that head mentions of a key."""
    rows = cs.nec(path, path, **options).rows  # type: ignore[arg-type]
    return [" ".join(variant) for row in rows for variant in row.chain.variants]


TREES = {
    "a phrase after the name": (
        "(NP (NP Mr./NNP Joe/NNP) (PP from/IN (NP Boston/NNP)))",
        "Mr. [PERSON Joe] from [GPE Boston]",
        ["Joe"],
    ),
    "an apposition after the name": (
        "(NP (NP Merkel/NNP) ,/, (NP the/DT chancellor/NN))",
        "[PERSON Merkel] , the chancellor",
        ["Merkel"],
    ),
    "the name as an apposition": (
        "(NP (NP the/DT chancellor/NN) ,/, (NP Merkel/NNP))",
        "the chancellor , [PERSON Merkel]",
        [],
    ),
    "nouns before the name": (
        "(NP Danish/JJ philologist/NN Rasmus/NNP Rask/NNP)",
        "Danish philologist [PERSON Rasmus Rask]",
        ["Rasmus Rask"],
    ),
    "a possessive": ("(NP (NP John/NNP 's/POS) wife/NN)", "[PERSON John] 's wife", []),
    "a possessive alone": ("(NP China/NNP 's/POS)", "[GPE China] 's", ["China"]),
    "a name of a phrase": (
        "(NP (NP University/NNP) (PP of/IN (NP California/NNP)))",
        "[ORG University of California]",
        ["University of California"],
    ),
    "a name in a name": (
        "(NP (NP University/NNP) (PP of/IN (NP California/NNP)))",
        "University of [GPE California]",
        [],
    ),
    "two people": ("(NP (NP John/NNP) and/CC (NP Mary/NNP))", "[PERSON John] and Mary", []),
    "two words for one": ("(NP both/CC John/NNP)", "both [PERSON John]", ["John"]),
    "function tags": ("(NP-SBJ-1 Mr./NNP (NML Joe/NNP))", "[PERSON Mr.] Joe", ["Mr."]),
    "a nominal phrase": ("(NP the/DT (NML Boston/NNP))", "the [GPE Boston]", ["Boston"]),
    "a sentence": ("(S (NP John/NNP) (VP left/VBD))", "[PERSON John] left", []),
}


@pytest.mark.parametrize(("tree", "names", "expected"), TREES.values(), ids=TREES)
def test_heads_by_constituents(tree: str, names: str, expected: list[str], tmp_path: Path) -> None:
    """The mention is the whole of the tree."""
    words = " ".join(
        part.partition("/")[0] for part in tree.replace(")", "").split() if "/" in part
    )
    (path,) = write(tmp_path, document(tree, f"[1 {words}]", names))
    assert cs.nec(path, path, heads="constituency").heads == "constituency"
    assert headed_by(path) == expected


def test_literal_head_of_two_people(tmp_path: Path) -> None:
    tree = "(NP (NP John/NNP) and/CC (NP Mary/NNP))"
    (path,) = write(
        tmp_path, document(tree, "[1 John and Mary]", "[PERSON John] and [PERSON Mary]")
    )
    assert headed_by(path) == []
    assert headed_by(path, preset="paper") == ["John"]


def test_children_outside_a_span(tmp_path: Path) -> None:
    """Joe from, and Boston and the dog: what stands outside does not count."""
    tree = "(NP (NP Mr./NNP Joe/NNP) (PP from/IN (NP Boston/NNP)))"
    names = "Mr. [PERSON Joe] from [GPE Boston]"
    (path,) = write(tmp_path, document(tree, "Mr. [1 Joe from] Boston", names))
    assert headed_by(path) == ["Joe"]
    (path,) = write(tmp_path, document(tree, "Mr. Joe [1 from Boston]", names))
    assert headed_by(path) == [], "a preposition heads its phrase"


def test_name_that_crosses_a_mention(tmp_path: Path) -> None:
    tree = "(NP Rasmus/NNP Rask/NNP Jr./NNP)"
    (path,) = write(tmp_path, document(tree, "[1 Rasmus Rask] Jr.", "[PERSON Rasmus Rask Jr.]"))
    assert headed_by(path) == ["Rasmus Rask"]


SCANS: dict[str, tuple[str, list[Any], list[str] | None, list[str]]] = {
    "a preposition ends it": ("Mr Joe from Boston", [[1, 1], [3, 3]], None, ["Joe"]),
    "a comma ends it": ("Merkel , the chancellor", [[0, 0]], None, ["Merkel"]),
    "the name is beyond it": ("the chancellor , Merkel", [[3, 3]], None, []),
    "who ends it": ("Ann who left Rome", [[0, 0], [3, 3]], None, ["Ann"]),
    "a possessive": ("John 's wife", [[0, 0]], None, []),
    "a possessive alone": ("China 's", [[0, 0]], None, ["China"]),
    "punctuation at the end": ("Ann ,", [[0, 0]], None, ["Ann"]),
    "two people": ("John and Mary", [[0, 0], [2, 2]], None, []),
    "a word inside a name": ("Bank of America", [[0, 2]], None, ["Bank of America"]),
    "a name that ends at it": ("the Bank of America", [[1, 1], [3, 3]], None, ["Bank"]),
    "a bracket": ("Ann -LRB- Rome -RRB-", [[0, 0], [2, 2]], None, ["Ann"]),
    "a participle after it": (
        "Ann wearing Prada",
        [[0, 0], [2, 2]],
        ["NNP", "VBG", "NNP"],
        ["Ann"],
    ),
    "a participle before it": ("the growing Rome", [[2, 2]], ["DT", "VBG", "NNP"], ["Rome"]),
    "a verb": ("Ann left Rome", [[0, 0], [2, 2]], ["NNP", "VBD", "NNP"], ["Ann"]),
    "a verb without tags": ("Ann left Rome", [[0, 0], [2, 2]], None, ["Rome"]),
}


@pytest.mark.parametrize(("words", "names", "tags", "expected"), SCANS.values(), ids=SCANS)
def test_heads_by_a_scan(
    words: str, names: list[Any], tags: list[str] | None, expected: list[str], tmp_path: Path
) -> None:
    """The mention is the whole text."""
    ner = [[*span, "PERSON"] for span in names]
    text = record(words, [[[0, len(words.split()) - 1]]], ner) | ({"pos": [tags]} if tags else {})
    path = saved(tmp_path / "key.jsonl", text)
    assert cs.nec(path, path).heads == "heuristic"
    assert headed_by(path) == expected


def test_literal_scan_of_two_people(tmp_path: Path) -> None:
    names = [[0, 0, "PER"], [2, 2, "PER"]]
    path = saved(tmp_path / "key.jsonl", record("John and Mary", [[[0, 2]]], names))
    assert headed_by(path, preset="paper") == ["John"]


def parsed(words: str, arcs: str, names: Sequence[Any]) -> dict[str, Any]:
    """A mention of the whole text; arcs are the head of each token and its relation."""
    heads, relations = zip(*(arc.split("/") for arc in arcs.split()), strict=True)
    mention = [0, len(heads) - 1]
    layers = {"heads": [list(map(int, heads))], "deprels": [list(relations)]}
    return record(words, [[mention]], names) | layers


def test_coordination_by_dependencies(tmp_path: Path) -> None:
    people = [[0, 0, "PERSON"], [2, 2, "PERSON"]]
    two = saved(tmp_path / "two.jsonl", parsed("John and Mary", "-1/root 2/cc 0/conj", people))
    assert headed_by(two) == []
    assert headed_by(two, preset="paper") == ["John"]
    firm = parsed("Johnson and Sons", "-1/root 2/cc 0/conj", [[0, 2, "ORG"]])
    path = saved(tmp_path / "firm.jsonl", firm)
    assert headed_by(path) == ["Johnson and Sons"], "one name is not coordinated"


def test_mention_with_two_tops(tmp_path: Path) -> None:
    """Beth in Rome hang both on a verb outside of the mention."""
    text = parsed("Beth Rome saw", "2/nsubj 2/obl -1/root", [[0, 0, "PERSON"], [1, 1, "GPE"]])
    text["clusters"] = [[[0, 1]]]
    path = saved(tmp_path / "key.jsonl", text)
    assert headed_by(path) == ["Beth"]


def test_dependent_of_a_word_outside_the_name(tmp_path: Path) -> None:
    text = parsed("the Boston office", "2/det 2/compound -1/root", [[1, 1, "GPE"]])
    path = saved(tmp_path / "key.jsonl", text)
    assert headed_by(path) == headed_by(path, preset="paper") == []


def test_pronouns_are_told_by_tags_or_by_words(tmp_path: Path) -> None:
    """By words one is a pronoun and that is none; by tags it is as they say."""
    text = record("Ann she that", [[[0, 0], [1, 1], [2, 2]]], [[0, 0, "PERSON"]])
    path = tmp_path / "key.jsonl"

    def types(tags: list[str] | None) -> list[str]:
        saved(path, text | ({"pos": [tags]} if tags else {}))
        found = cs.nec(path, path)["PER"]
        return [type.value for type, each in found.by_mention_type.items() if each.chains]

    assert types(None) == ["name", "nominal", "pronoun"]
    assert types(["NNP", "PRP", "DT"]) == ["name", "nominal", "pronoun"]
    assert types(["NNP", "NN", "NN"]) == ["name", "nominal"]


@quiet
def test_table_explains_undefined_precision(tmp_path: Path) -> None:
    text = record("Ann slept . She woke .", [[[0, 0], [3, 3]]], [[0, 0, "PERSON"]])
    gold = saved(tmp_path / "gold.jsonl", text)
    lost = saved(tmp_path / "lost.jsonl", {**text, "clusters": [[[3, 3], [4, 4]]]})
    note = "prec.: where no chain was found, precision (0/0) is defined as 100 %."
    assert note in CliRunner().invoke(main, ["nec", str(gold), str(lost)]).stdout
    assert note not in CliRunner().invoke(main, ["nec", str(gold), str(gold)]).stdout
