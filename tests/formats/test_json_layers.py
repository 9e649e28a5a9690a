"""Layers of JSON lines: read, written again, left out where they do not fit; parts of corpora."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import corefscope as cs
from corefscope import InvalidInput
from corefscope.corpus.layers import MentionAttributes
from error_examples import TOWN_KEY, document, town

RECORD: dict[str, Any] = {
    "doc_key": "x",
    "sentences": [["Ann", "met", "Bob", "Lee"], ["She", "left"]],
    "speakers": [["A", "A", "A", "A"], ["B", "B"]],
    "pos": [["NNP", "VBD", "NNP", "NNP"], ["PRP", "VBD"]],
    "heads": [[1, -1, 3, 1], [5, -1]],
    "deprels": [["nsubj", "root", "compound", "obj"], ["nsubj", "root"]],
    "ner": [[[0, 0, "PERSON"], [2, 3, "PERSON"]], []],
    "clusters": [[[0, 0], [4, 4]], [[2, 3]]],
    "entity_types": ["PER", None],
    "mention_levels": [["NAM", "PRO"], [None]],
}


def saved(path: Path, *records: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    return path


def without(*fields: str) -> dict[str, Any]:
    return {name: value for name, value in RECORD.items() if name not in fields}


def written(corpus: cs.Corpus, path: Path) -> list[dict[str, Any]]:
    """What a corpus is as JSON lines."""
    cs.write(corpus, path)
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return saved(tmp_path / "in.jsonl", RECORD)


def test_layers_are_read_as_they_stand(file: Path) -> None:
    corpus = cs.read(file)
    (text,) = corpus
    assert not corpus.findings
    assert text.tags == ["NNP", "VBD", "NNP", "NNP", "PRP", "VBD"]
    assert text.layer("heads") == ["1", "-1", "3", "1", "5", "-1"]
    assert text.layer("deprels") == ["nsubj", "root", "compound", "obj", "nsubj", "root"]
    assert text.names == ["(PERSON*)", "*", "(PERSON*", "*)", "*", "*"]
    assert text.attributes == {
        (0, 0): MentionAttributes("PER", "NAM"),
        (4, 4): MentionAttributes("PER", "PRO"),
    }
    assert text.parse is None and text.layer("nothing") is None


def test_all_layers_are_written_as_they_were(file: Path, tmp_path: Path) -> None:
    assert written(cs.read(file), tmp_path / "out.jsonl") == [RECORD]


@pytest.mark.parametrize(
    "field",
    ["speakers", "pos", "heads", "deprels", "ner", "entity_types", "mention_levels"],
)
def test_missing_layer_stays_missing(field: str, tmp_path: Path) -> None:
    record = without(field)
    corpus = cs.read(saved(tmp_path / "in.jsonl", record))
    assert not corpus.findings
    assert written(corpus, tmp_path / "out.jsonl") == [record]


def test_layers_belong_to_their_document(tmp_path: Path) -> None:
    plain = without("pos", "heads", "deprels", "ner", "entity_types", "mention_levels")
    records = [plain | {"doc_key": "plain"}, RECORD]
    corpus = cs.read(saved(tmp_path / "in.jsonl", *records))
    assert corpus["plain"].tags is None and corpus["plain"].attributes is None
    assert written(corpus, tmp_path / "out.jsonl") == records


def test_names_may_hold_one_another(tmp_path: Path) -> None:
    """The Bank of New York: of names that begin together the longer is the outer."""
    text = {
        "doc_key": "x",
        "sentences": [["New", "York", "Bank", "of", "Rome"]],
        "ner": [[[0, 1, "GPE"], [0, 4, "ORG"], [4, 4, "GPE"]]],
        "clusters": [],
    }
    corpus = cs.read(saved(tmp_path / "in.jsonl", text))
    assert corpus["x"].names == ["(ORG(GPE*", "*)", "*", "*", "(GPE*))"]
    assert written(corpus, tmp_path / "out.jsonl") == [text]


def test_crossing_names_are_reported(tmp_path: Path) -> None:
    """Brackets cannot tell them from names that hold one another."""
    text = {
        "doc_key": "x",
        "sentences": [["New", "York", "Times"]],
        "ner": [[[0, 1, "GPE"], [1, 2, "ORG"]]],
        "clusters": [[[0, 2]]],
    }
    corpus = cs.read(saved(tmp_path / "in.jsonl", text))
    (again,) = written(corpus, tmp_path / "out.jsonl")
    assert again.get("ner") == text["ner"] or [f.code.id for f in corpus.findings] == ["W113"]


def test_columns_to_json_lines_keeps_tags_and_names(tmp_path: Path) -> None:
    """Trees have no place there, and that is said."""
    source = tmp_path / "town.conll"
    source.write_text(town(TOWN_KEY))
    findings = cs.write(cs.read(source), tmp_path / "town.jsonl")
    assert [(f.code.id, f.message) for f in findings] == [
        ("W111", "these are not written as jsonl: parse trees")
    ]
    (record,) = (json.loads(line) for line in (tmp_path / "town.jsonl").read_text().splitlines())
    assert record["pos"][0] == ["NNP", "VBD", "DT", "NN", "."]
    assert record["ner"] == [[[0, 0, "PERSON"]], [], [], []]
    assert record["clusters"][1] == [[2, 3], [7, 7], [9, 10]]
    assert not {"heads", "deprels", "entity_types", "mention_levels"} & set(record)
    again, before = cs.read(tmp_path / "town.jsonl"), cs.read(source)
    (text,), (other,) = again, before
    assert (text.tags, text.words) == (other.tags, other.words)
    measured, expected = cs.nec(again, again), cs.nec(before, before, heads="heuristic")
    assert measured.types == expected.types


def test_columns_without_tags_to_json_lines(tmp_path: Path) -> None:
    source = tmp_path / "town.conll"
    source.write_text(town(TOWN_KEY, layers=""))
    cs.write(cs.read(source), tmp_path / "town.jsonl")
    (record,) = (json.loads(line) for line in (tmp_path / "town.jsonl").read_text().splitlines())
    assert not {"pos", "ner"} & set(record)


def test_json_lines_to_columns_keeps_tags_and_names(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.conll"
    layers, *lost = cs.write(cs.read(file), target, lossy=True)
    assert layers.code.id == "W111" and "dependency heads, dependency relations" in layers.message
    assert [finding.code.id for finding in lost] == ["W170", "W170"]
    (text,) = cs.read(target)
    assert text.tags == ["NNP", "VBD", "NNP", "NNP", "PRP", "VBD"]
    assert text.names == ["(PERSON*)", "*", "(PERSON*", "*)", "*", "*"]


def test_unwritten_types_and_levels_are_reported(tmp_path: Path) -> None:
    """Columns have no place for them, nor have plain clusters."""
    record = without("heads", "deprels", "ner", "pos", "speakers")
    corpus = cs.read(saved(tmp_path / "in.jsonl", record))
    with pytest.raises(cs.CannotExpress) as refused:
        cs.write(corpus, tmp_path / "out.conll")
    assert not (tmp_path / "out.conll").exists()
    types, levels = refused.value.findings
    assert "entity types (2): PER of mention (0, 0) of entity 0" in types.message, types.message
    assert "mention levels (2): " in levels.message


MISFITS: dict[str, tuple[str, object]] = {
    "a tag too few": ("pos", [["NNP", "VBD", "NNP"], ["PRP", "VBD"]]),
    "sentences in a row": ("pos", [["NNP", "VBD", "NNP", "NNP", "PRP", "VBD"]]),
    "no sentences": ("pos", ["NNP", "VBD", "NNP", "NNP", "PRP", "VBD"]),
    "text": ("pos", "NNP VBD"),
    "a tag that is a number": ("pos", [[1, 2, 3, 4], [5, 6]]),
    "heads that are text": ("heads", [["1", "-1", "3", "1"], ["5", "-1"]]),
    "heads that are no whole numbers": ("heads", [[1.0, -1, 3, 1], [5, -1]]),
    "a head that is true": ("heads", [[True, -1, 3, 1], [5, -1]]),
    "a head beyond the text": ("heads", [[1, -1, 3, 6], [5, -1]]),
    "relations that are missing": ("deprels", [["nsubj", "root", "compound", "obj"], []]),
    "a relation that is null": ("deprels", [[None, "root", "x", "obj"], ["nsubj", "root"]]),
    "speakers of another text": ("speakers", [["A"]]),
    "a name beyond the text": ("ner", [[[0, 6, "PERSON"]], []]),
    "a name that ends before it begins": ("ner", [[[3, 2, "PERSON"]], []]),
    "a name before the text": ("ner", [[[-1, 0, "PERSON"]], []]),
    "a name without a type": ("ner", [[[0, 0]], []]),
    "an empty type": ("ner", [[[0, 0, ""]], []]),
    "a type that brackets cannot hold": ("ner", [[[0, 0, "A)"]], []]),
    "names without sentences": ("ner", [[0, 0, "PERSON"]]),
}


@pytest.mark.parametrize(("field", "value"), MISFITS.values(), ids=MISFITS)
def test_layer_that_does_not_fit(field: str, value: object, tmp_path: Path) -> None:
    path = saved(tmp_path / "in.jsonl", without() | {"doc_key": "good"}, RECORD | {field: value})
    corpus = cs.read(path)
    assert [(f.code.id, f.line, f.file) for f in corpus.findings] == [("W113", 2, str(path))]
    said = f"document 'x': {field!r} does not fit 'sentences'; it is left out"
    assert corpus.findings[0].message == said
    layer = {"pos": "tags", "ner": "names"}.get(field, field)
    assert corpus["x"].layer(layer) is None
    assert corpus["good"].layer(layer) is not None
    good, rest = written(corpus, tmp_path / "out.jsonl")
    assert good == RECORD | {"doc_key": "good"}
    assert rest == without(field)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("entity_types", ["PER"]),
        ("entity_types", ["PER", None, "ORG"]),
        ("entity_types", "PER"),
        ("entity_types", ["PER", 1]),
        ("entity_types", [["PER", "PER"], ["PER"]]),
        ("mention_levels", [["NAM", "PRO"]]),
        ("mention_levels", [["NAM"], [None]]),
        ("mention_levels", ["NAM", "NOM"]),
        ("mention_levels", [["NAM", 2], [None]]),
        ("mention_levels", {"0": "NAM"}),
    ],
)
def test_attributes_of_another_shape(field: str, value: object, tmp_path: Path) -> None:
    corpus = cs.read(saved(tmp_path / "in.jsonl", RECORD | {field: value}))
    (finding,) = corpus.findings
    assert (finding.code.id, finding.line) == ("W113", 1)
    assert field in finding.message
    assert corpus["x"].attributes is None
    assert corpus["x"].tags is not None, "the other layers stay"


def test_layers_without_words_are_left_out(tmp_path: Path) -> None:
    corpus = cs.read(saved(tmp_path / "in.jsonl", without("sentences", "speakers")))
    assert [f.code.id for f in corpus.findings] == ["W113"] * 4
    assert corpus["x"].tags is corpus["x"].words is None


def test_attributes_beside_another_field(tmp_path: Path) -> None:
    """The clusters that are read have no types; those that have some are no clusters."""
    record = {
        "doc_key": "x",
        "sentences": [["a", "b"]],
        "clusters": 5,
        "mine": [[[0, 0], [1, 1]]],
        "entity_types": ["PER"],
    }
    corpus = cs.read(saved(tmp_path / "in.jsonl", record), "jsonl:mine")
    assert [len(entity) for entity in corpus["x"].entities] == [2]


def test_empty_entities_do_not_shift_attributes(tmp_path: Path) -> None:
    record = RECORD | {
        "clusters": [[], *RECORD["clusters"]],
        "entity_types": ["ORG", *RECORD["entity_types"]],
        "mention_levels": [[], *RECORD["mention_levels"]],
    }
    corpus = cs.read(saved(tmp_path / "in.jsonl", record))
    assert written(corpus, tmp_path / "out.jsonl") == [RECORD]


def test_other_clusters_keep_layers(file: Path, tmp_path: Path) -> None:
    """What is said of a mention stays with its words."""
    corpus = cs.read(file).with_clusters({"x": [[(4, 4)], [(2, 3), (0, 0)]]})
    (record,) = written(corpus, tmp_path / "out.jsonl")
    assert record["pos"] == RECORD["pos"] and record["ner"] == RECORD["ner"]
    assert record["mention_levels"] == [["PRO"], [None, "NAM"]]


def three_documents(folder: Path) -> cs.Corpus:
    """The documents a, b and c as columns; the first has no end."""
    tree = "(NP Ann/NNP) (NP she/PRP)"
    texts = [
        document(f"(S {tree})", f"[{number} Ann] [{number} she]", "[PERSON Ann] she", name)
        for name, number in (("a", 5), ("b", 7), ("c", 9))
    ]
    path = folder / "three.conll"
    path.write_text("".join(texts).replace("#end document", "", 1))
    return cs.read(path)


def test_part_of_corpus_keeps_layers(tmp_path: Path) -> None:
    whole = three_documents(tmp_path)
    part = whole.restricted(["c", "a"])
    assert part.document_names == ("a", "c"), "in the order of the whole"
    assert len(part) == 2 and "b" not in part
    for name in ("a", "c"):
        one, other = part[name], whole[name]
        assert [e.label for e in one.entities] == [e.label for e in other.entities]
        assert one.entities == other.entities
        assert (one.words, one.tags, one.parse, one.names) == (
            *(other.words, other.tags, other.parse, other.names),
        )
        assert one.sentences == other.sentences and len(one) == len(other) == 2
    assert [part.file_of(0), part.path] == [whole.file_of(0), whole.path]


def test_part_of_corpus_keeps_lines(tmp_path: Path) -> None:
    whole = three_documents(tmp_path)
    assert whole.mention_lines is not None
    of_c = whole.mentions_of(whole.index("c"))
    expected = whole.mention_lines[of_c.start : of_c.stop].tolist()
    part = whole.only("c")
    assert part.mention_lines is not None and part.mention_lines.tolist() == expected
    assert len(set(expected)) == 2


def test_a_part_of_a_corpus_keeps_its_findings(tmp_path: Path) -> None:
    whole = three_documents(tmp_path)
    assert [finding.code.id for finding in whole.findings] == ["W103"]
    assert whole.only("b").findings == whole.restricted(["a", "c"]).findings == whole.findings


def test_repeated_mentions_of_a_part(tmp_path: Path) -> None:
    text = document("(NP Ann/NNP)", "[3 Ann]", "[PERSON Ann]", "a")
    twice = document("(NP Ann/NNP)", "[4 [5 Ann]]", "[PERSON Ann]", "b")
    path = tmp_path / "key.conll"
    path.write_text(text + twice)
    part = cs.read(path).only("b")
    with pytest.warns(cs.CorefscopeWarning, match=r"key.conll:6: .*entity 4 .*in entity 5 .*W108"):
        cs.score(part, part)


def test_part_of_json_lines_keeps_attributes(tmp_path: Path) -> None:
    records = [
        RECORD | {"doc_key": name, "entity_types": [type, None]}
        for name, type in (("a", "PER"), ("b", "ORG"), ("c", "GPE"))
    ]
    part = cs.read(saved(tmp_path / "in.jsonl", *records)).restricted({"b", "c"})
    assert written(part, tmp_path / "out.jsonl") == records[1:]
    assert written(part.only("c"), tmp_path / "out.jsonl") == records[2:], "a part of a part"


def test_parts_of_corpora_without_text(tmp_path: Path) -> None:
    corpus = cs.Corpus.from_clusters({"a": [["x", "y"], ["z"]], "b": [], "c": [["u"]]})
    part = corpus.restricted(["b", "c"])
    assert [[m.id for m in e] for e in part["c"].entities] == [["u"]]
    assert part["b"].entities == ()
    arrays = cs.Corpus.from_arrays([5, 5, 8], document=[0, 1, 1], document_names=["a", "b"])
    only = arrays.only("b")
    assert [e.label for e in only["b"].entities] == ["5", "8"]
    assert np.array_equal(only.mention_entity, [0, 1])


def test_a_part_with_no_document_is_empty(tmp_path: Path) -> None:
    none = three_documents(tmp_path).restricted([])
    assert (len(none), len(none.mention_entity), list(none)) == (0, 0, [])
    with pytest.raises(cs.UnknownName, match="no document named 'd'"):
        three_documents(tmp_path).only("d")


def test_part_is_scored_as_a_file_of_its_own(tmp_path: Path) -> None:
    whole = three_documents(tmp_path)
    alone = tmp_path / "b.conll"
    alone.write_text(
        document("(S (NP Ann/NNP) (NP she/PRP))", "[7 Ann] [7 she]", "[PERSON Ann] she", "b")
    )
    part = whole.only("b")
    with pytest.warns(cs.CorefscopeWarning):
        found = cs.nec(part, part)
    assert found.types == cs.nec(alone, alone).types


def test_malformed_clusters_with_attributes(
    tmp_path: Path,
) -> None:
    for clusters in ([[5]], [[[0]]], [[None]], [["ab"]]):
        record = RECORD | {"clusters": clusters, "entity_types": ["PER"]}
        with pytest.raises(InvalidInput) as caught:
            cs.read(saved(tmp_path / "in.jsonl", record))
        assert "E112" in {finding.code.id for finding in caught.value.findings}


def test_types_of_one_span_in_two_entities(tmp_path: Path) -> None:
    """Of two mentions with the same span the last one counts, whether it has a type or not."""
    record = {
        "doc_key": "d",
        "sentences": [["a", "b", "c"]],
        "clusters": [[[0, 0], [1, 1]], [[0, 0], [2, 2]]],
        "entity_types": ["PER", None],
    }
    (document,) = cs.read(saved(tmp_path / "in.jsonl", record))
    assert document.attributes == {(1, 1): MentionAttributes("PER", None)}


def test_sentences_of_numbers(tmp_path: Path) -> None:
    """Pieces of words are counted; all of them are one sentence, because there is no text."""
    record = {"doc_key": "x", "sentences": [[101, 7], [8, 102]], "clusters": [[[0, 0], [3, 3]]]}
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(record), encoding="utf-8")
    (found,) = cs.read(path)
    assert (len(found), found.sentences, found.words) == (4, [range(4)], None)
