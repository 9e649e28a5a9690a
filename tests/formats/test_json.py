"""Reading one JSON object a line and plain clusters: what is accepted, recognised and refused."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import corefscope as cs
from corefscope import Corpus, Mention, UnknownName, read
from corefscope.formats.reading.json_documents import JsonDocument
from corefscope.formats.reading.source import Source
from formats.contents import codes, contents, entities, refusal, written

RECORD = {
    "doc_key": "x",
    "sentences": [["the", "cat"], ["sat"], ["it", "did"]],
    "clusters": [[[0, 1], [3, 3]], [[2, 2]]],
}
AS_RECORD = {"x": (5, [("0", [(0, 1), (3, 3)]), ("1", [(2, 2)])])}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "file.jsonl"


def line(**fields: object) -> str:
    """The record with some fields replaced, or taken away by None."""
    record = RECORD | fields
    return json.dumps({key: value for key, value in record.items() if value is not None}) + "\n"


def test_line_gives_tokens_entities_and_sentences(file: Path) -> None:
    corpus = read(written(file, line(speakers=[["A", "A"], ["B"], ["B", "B"]])))
    assert contents(corpus) == AS_RECORD
    (document,) = corpus
    assert document.words == ["the", "cat", "sat", "it", "did"]
    assert document.sentences == [range(2), range(2, 3), range(3, 5)]
    assert document.speakers == ["A", "A", "B", "B", "B"]
    assert document.tags is document.parse is document.names is None
    assert not corpus.findings


SAME_AS_RECORD = {
    "blank lines": "\n \n" + line() + "\n\n",
    "carriage returns": line().replace("\n", "\r\n"),
    "no final newline": line().rstrip("\n"),
    "a byte-order mark": "\ufeff" + line(),
    "blanks before": "  " + line(),
    "other fields": line(speakers=None, genre="bn", subtokens=[0, 1]),
    "doc_id": line(doc_key=None, doc_id="x"),
    "predicted_clusters": line(clusters=None, predicted_clusters=RECORD["clusters"]),
    "empty sentences": line(sentences=[[], *RECORD["sentences"], []]),
    "one sentence": line(sentences=[["the", "cat", "sat", "it", "did"]]),
    "escapes": line().replace('"x"', '"\\u0078"'),
}


@pytest.mark.parametrize("text", SAME_AS_RECORD.values(), ids=SAME_AS_RECORD)
def test_equivalent_files_without_findings(text: str, file: Path) -> None:
    corpus = read(written(file, text))
    assert contents(corpus) == AS_RECORD
    assert not corpus.findings


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (line(clusters=[*RECORD["clusters"], []]), 1),
        ('{"x": [[[0, 1], [3, 3]], [[2, 2]], []]}', None),
    ],
    ids=["lines", "plain clusters"],
)
def test_entities_without_a_mention_are_reported(text: str, place: int | None, file: Path) -> None:
    corpus = read(written(file, text))
    assert entities(next(iter(corpus)))[:2] == AS_RECORD["x"][1]
    assert [(finding.code.id, finding.line) for finding in corpus.findings] == [("W151", place)]
    assert corpus.findings[0].message.startswith("1 entity has no mention")


def test_a_name_may_be_a_number(file: Path) -> None:
    assert read(written(file, line(doc_key=12))).document_names == ("12",)


def test_number_of_tokens_without_sentences(file: Path) -> None:
    (document,) = read(written(file, line(sentences=None, clusters=[[[0, 900]]])))
    assert entities(document) == [("0", [(0, 900)])]
    assert document.words is None
    assert len(document) == 901
    assert document.sentences == [range(901)]


def test_lines_are_documents_in_order(file: Path) -> None:
    names = [f"d{number}" for number in (3, 1, 2)]
    texts = [line(doc_key=name, sentences=[[name] * 5]) for name in names]
    corpus = read(written(file, "\ufeff" + "\n".join(texts)))
    assert corpus.document_names == ("d3", "d1", "d2")
    assert [document.words for document in corpus] == [[name] * 5 for name in names]


def test_lines_longer_than_blocks_are_read_whole(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(file, line() + line(doc_key="y"))
    monkeypatch.setattr("corefscope.formats.reading.source.BLOCK", 10)
    assert contents(read(path)) == AS_RECORD | {"y": AS_RECORD["x"]}


def test_line_of_a_mention(file: Path) -> None:
    corpus = read(written(file, line() + "\n" + line(doc_key="y", clusters=[[[0, 0]]])))
    assert corpus.mention_lines is not None
    assert corpus.mention_lines.tolist() == [1, 1, 1, 3]


def test_both_clusterings(file: Path) -> None:
    path = written(file, line(predicted_clusters=[[[4, 4]]], other=[[[2, 3]]]))
    corpus = read(path)
    assert contents(corpus) == AS_RECORD
    assert [(finding.code.id, finding.line) for finding in corpus.findings] == [("W110", 1)] * 2
    assert "'other' looks like clusters" in corpus.findings[0].message
    assert "'clusters' is read, because it is the usual one" in corpus.findings[1].message
    for field, span in (("predicted_clusters", (4, 4)), ("other", (2, 3))):
        chosen = read(path, f"jsonl:{field}")
        assert contents(chosen) == {"x": (5, [("0", [span])])}
        assert not chosen.findings


@pytest.mark.parametrize("field", ["pred_clusters", "predictions", "predicted", "système"])
@pytest.mark.parametrize("sentences", [RECORD["sentences"], None])
def test_second_field_of_clusters(field: str, sentences: Any, file: Path) -> None:
    """It is reported once, even if some documents have no mention there."""
    others = [[], [[[4, 4]]], [[[2, 3]], [[0, 4]]]]
    text = "".join(
        line(doc_key=f"{n}", sentences=sentences, **{field: each}) for n, each in enumerate(others)
    )
    corpus = read(written(file, text))
    (finding,) = corpus.findings
    assert (finding.code.id, finding.line) == ("W110", 2)
    assert f"{field!r} looks like clusters as well as 'clusters', which is read" in finding.message
    assert f"'jsonl:{field}'" in finding.message
    for chosen in (field, "clusters"):
        assert not read(file, f"jsonl:{chosen}").findings


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("predictions", {"clusters": [[[1, 1], [3, 3]]], "score": 0.5}),
        ("pred_clusters", [[{"start": 0, "end": 1}, {"start": 4, "end": 4}]]),
        ("coref", [[[[0, 1], [4, 4]], [[2, 2]]]]),
        ("clusters_str", [["the cat", "it"]]),
    ],
)
def test_clusters_in_another_shape(field: str, value: Any, file: Path) -> None:
    (finding,) = read(written(file, line(**{field: value}))).findings
    assert finding.code.id == "W110"
    assert f"{field}" in finding.message and "write it as [[[first, last]" in finding.message


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("bridging", [[[0, 1], [4, 4]], [[2, 2], [4, 4]]]),
        ("predicted_pos", [["DT", "NN", "VBD", "PRP", "."]]),
        ("settings", {"threshold": 0.5, "layers": [1, 2]}),
        ("clusters_strings", [["the cat", "it"], ["sat"]]),
    ],
)
def test_other_layers_are_not_taken_for_clusters(field: str, value: Any, file: Path) -> None:
    assert not read(written(file, line(**{field: value}))).findings


def test_named_format_keeps_declared_convention(file: Path) -> None:
    path = written(file, line(clusters=[[[0, 2]]], found=[[[4, 5]]]))
    (finding,) = read(path, "jsonl:ends=exclusive").findings
    assert "'jsonl:found,ends=exclusive'" in finding.message


NOT_CLUSTERS = {
    "names": {"predicted_ner": [[[0, 1, "PER"]], [], []]},
    "a flat list of spans": {"top_spans": [[0, 1], [3, 3]]},
    "characters of tokens": {"offsets": [[[0, 1], [1, 2]], [[2, 2]], [[3, 4], [4, 5]]]},
    "spans beyond the text": {"bytes": [[[0, 3], [4, 7]]]},
    "numbers": {"subtokens": [0, 1], "sizes": [[1, 2], [3]]},
    "empty lists": {"predictions": [], "found": [[]]},
    "no list": {"predictions": {"0": [[0, 1]]}, "found": None, "words": "abc"},
    "truth values": {"flags": [[[False, True]]]},
    "spans the wrong way round": {"arcs": [[[4, 0]]]},
}


@pytest.mark.parametrize("fields", NOT_CLUSTERS.values(), ids=NOT_CLUSTERS)
def test_field_of_another_shape(fields: dict[str, Any], file: Path) -> None:
    assert not read(written(file, line(**fields))).findings


def test_the_clusters_may_be_under_another_name(file: Path) -> None:
    path = written(file, line(clusters=None, found=RECORD["clusters"]))
    with pytest.raises(cs.InvalidInput, match=r"'found' looks like one: .* 'jsonl:found' "):
        read(path)
    assert contents(read(path, "jsonl:found")) == AS_RECORD


def test_the_role_says_which_of_two_fields_to_name(file: Path) -> None:
    others = {f"{name}_clusters": RECORD["clusters"] for name in ("pred", "gold")}
    path = written(file, line(clusters=None, **others))
    with pytest.raises(cs.InvalidInput) as refused:
        cs.read(path, role="key")
    (finding,) = refused.value.findings
    assert "to use it as key, read the file with the format 'jsonl:gold_" in finding.message
    response = cs.read(path, role="response")
    assert contents(response) == AS_RECORD
    assert [each.code.id for each in response.findings] == ["W110"]


@pytest.mark.parametrize("field", ["prediction", "pred_clusters", "my_predictions"])
def test_a_response_is_read_from_what_is_named_as_prediction(field: str, file: Path) -> None:
    path = written(file, line(clusters=[[[4, 4]]], **{field: RECORD["clusters"]}))
    for role, expected in (("response", AS_RECORD), ("key", {"x": (5, [("0", [(4, 4)])])})):
        corpus = cs.read(path, role=role)  # type: ignore[arg-type]
        assert contents(corpus) == expected
        (finding,) = corpus.findings
        assert finding.code.id == "W110"
        assert repr(field) in finding.message and "'clusters'" in finding.message


def test_chosen_field_is_missing(file: Path) -> None:
    path = written(file, line())
    assert refusal(lambda: read(path, "jsonl:predicted")) == [("E112", 1)]


@pytest.mark.parametrize("format", ["jsnl", "jsonl:", "", ":clusters"])
def test_an_unknown_format_is_named(format: str, file: Path) -> None:
    with pytest.raises(UnknownName, match="no format named"):
        read(written(file, line()), format)


BAD_LINES = {
    "text": ("word\n", "E111"),
    "half an object": ('{"doc_key": "x"\n', "E111"),
    "an object and half another": (line().strip() + line()[:9], "E111"),
    "a NUL byte": (line().replace("cat", "\0"), "E111"),
    "a tab in a string": (line().replace("cat", "\t"), "E111"),
    "NaN": (line(score=float("nan")), "E111"),
    "Infinity": (line(score=float("inf")), "E111"),
    "a key twice": (line().replace("{", '{"doc_key": "y", '), "E111"),
    "an inner key twice": (line().replace("{", '{"a": {"b": 1, "b": 2}, '), "E111"),
    "deep nesting": ("[" * 100_000 + "\n", "E119"),
    "a number of 10,000 digits": (line(doc_key=0).replace("0,", "1" * 10_000 + ",", 1), "E111"),
    "a list": ("[1, 2]\n", "E112"),
    "a string": ('"x"\n', "E112"),
    "null": ("null\n", "E112"),
    "a name that is a list": (line(doc_key=["x"]), "E112"),
    "a name that is true": (line(doc_key=True), "E112"),
    "a name that is a fraction": (line(doc_key=1.5), "E112"),
    "no clusters": (line(clusters=None), "E112"),
    "clusters as an object": (line(clusters={"0": [[0, 1]]}), "E112"),
    "clusters as text": (line(clusters="[[0, 1]]"), "E112"),
    "an entity that is a number": (line(clusters=[[[0, 1]], 3]), "E112"),
    "an entity that is an object": (line(clusters=[{}]), "E112"),
    "a mention that is a number": (line(clusters=[[0]]), "E112"),
    "a mention that is true": (line(clusters=[[True]]), "E112"),
    "a mention of truth": (line(clusters=[[[False, True]]]), "E112"),
    "a mention of fractions": (line(clusters=[[[0.0, 1.0]]]), "E112"),
    "a mention of text": (line(clusters=[[["0", "1"]]]), "E112"),
    "a mention of one number": (line(clusters=[[[0]]]), "E112"),
    "a mention of three numbers": (line(clusters=[[[0, 1, 2]]]), "E112"),
    "a mention of nothing": (line(clusters=[[[]]]), "E112"),
    "a mention that is null": (line(clusters=[[None]]), "E112"),
    "a mention with a label": (line(clusters=[[[0, 1, "PER"]]]), "E112"),
    "a deep mention": (line(clusters=0).replace('": 0', f'": [[{"[" * 900}{"]" * 900}]]'), "E112"),
    "sentences as text": (line(sentences="the cat sat"), "E112"),
    "sentences of text": (line(sentences=["the cat", "sat"]), "E112"),
    "sentences of words and numbers": (line(sentences=[[1, 2], ["c"], [4, 5]]), "E112"),
    "sentences of fractions": (line(sentences=[[0.5], [1.5]]), "E112"),
    "a word that is null": (line(sentences=[["a", None, "b", "c", "d"]]), "E112"),
    "an end before the beginning": (line(clusters=[[[1, 0]]]), "E113"),
    "a negative beginning": (line(clusters=[[[-1, 0]]]), "E113"),
    "an end outside": (line(clusters=[[[0, 5]]]), "E113"),
    "an end outside an empty document": (line(sentences=[], clusters=[[[0, 0]]]), "E113"),
    "a huge offset": (line(sentences=None, clusters=[[[0, 2**31]]]), "E113"),
    "a gigantic offset": (line(sentences=None, clusters=[[[0, 10**300]]]), "E113"),
    "the same name": (line(doc_key="first"), "E106"),
    "the same name as a number": (line(doc_key=7), "E106"),
}


@pytest.mark.parametrize(("text", "code"), BAD_LINES.values(), ids=BAD_LINES)
def test_a_bad_line_is_refused_with_its_number(text: str | bytes, code: str, file: Path) -> None:
    data = text.encode() if isinstance(text, str) else text
    path = written(file, (line(doc_key="first") + line(doc_key="7") + "\n").encode() + data)
    assert refusal(lambda: read(path)) == [(code, 4)]


def test_an_open_object_on_the_first_line_is_found_there(file: Path) -> None:
    path = written(file, line()[:-2] + "\n" + line(doc_key="y"))
    assert refusal(lambda: read(path)) == [("E111", 1)]


def test_a_column_is_that_in_the_line(file: Path) -> None:
    bad = line(doc_key="y").replace("cat", "\t")
    with pytest.raises(cs.InvalidInput) as refused:
        read(written(file, line() + bad))
    column = bad.index("\t") + 1
    assert f":2: not JSON: Invalid control character at in column {column}" in str(refused.value)


def test_every_bad_line_is_reported(file: Path) -> None:
    bad = "".join([line(), "x\n", line(doc_key=[1]), line(doc_key="y", clusters=[[[9, 9]]])])
    path = written(file, bad)
    assert refusal(lambda: read(path)) == [("E111", 2), ("E112", 3), ("E113", 4)]


def test_a_message_about_a_huge_mention_is_short(file: Path) -> None:
    path = written(file, line(clusters=[["a" * 100_000]]))
    with pytest.raises(ValueError, match="E112") as refused:
        read(path)
    assert len(str(refused.value)) < 1000


@pytest.mark.parametrize("speakers", [[1], "B", {"0": "B"}, [["A"]], ["ab", "c", "de"], [[1, 2]]])
def test_speakers_of_another_shape_are_no_layer(speakers: Any, file: Path) -> None:
    (document,) = read(written(file, line(speakers=speakers)))
    assert document.speakers is None


@pytest.mark.parametrize("text", ["", "\n\n", "  "])
def test_a_file_without_a_line_holds_no_document(text: str, file: Path) -> None:
    path = written(file, text)
    assert refusal(lambda: read(path, "jsonl")) == [("E105", None)]


RECOGNISED = {
    "jsonl": line(),
    "jsonl of doc_id": line(doc_key=None, doc_id="x"),
    "jsonl without a name": line(doc_key=None),
    "jsonl with a newline before": "\n\n" + line(),
    "json": '{"x": [[[0, 1], [3, 3]], [[2, 2]]]}',
    "json on lines": json.dumps({"x": RECORD["clusters"]}, indent=1),
    "json after a mark": '\ufeff{"x": [[[0, 1], [3, 3]], [[2, 2]]]}',
    "conll": "#begin document x\na\t(0\nb\t0)\nc\t(1)\nd\t(0)\ne\t-\n#end document\n",
    "conll after comments": "# {\n#begin document x\na\t(0\nb\t0)\nc\t(1)\nd\t(0)\n#end document\n",
}


@pytest.mark.parametrize("name", ["a.conll", "a.jsonl", "a.json", "a.txt", "a"])
@pytest.mark.parametrize("kind", RECOGNISED)
def test_formats_are_detected_by_content(kind: str, name: str, tmp_path: Path) -> None:
    for data in (RECOGNISED[kind].encode(), gzip.compress(RECOGNISED[kind].encode())):
        path = written(tmp_path / name, data)
        (document,) = read(path)
        assert entities(document) == AS_RECORD["x"][1]


def test_given_format_overrides_detection(file: Path) -> None:
    path = written(file, line())
    assert refusal(lambda: read(path, "conll")) == [("E112", 1)]
    assert refusal(lambda: read(path, "json")) == [("E112", None)], "doc_key holds no clusters"
    plain = written(file, '{"clusters": [["a"]], "sentences": [["c"]]}')
    assert refusal(lambda: read(plain)) == [("E112", 1)], "it looks like a line without a name"
    assert read(plain, "json").document_names == ("clusters", "sentences")


def test_very_long_first_line(file: Path) -> None:
    path = written(file, line(sentences=[["w" * 1000] * 17_000]) + line(doc_key="y"))
    corpus = read(path)
    assert corpus.document_names == ("x", "y")


def clusters(file: Path, text: str) -> Corpus:
    return read(written(file, text), "json")


def test_plain_clusters_may_be_of_any_json_value(file: Path) -> None:
    corpus = clusters(file, '{"d": [["a", 1, 1.5], [true, [1, "b"], [], [[2], 3], ""]]}')
    (document,) = corpus
    assert entities(document) == [
        ("0", ["a", 1, 1.5]),
        ("1", [True, (1, "b"), (), ((2,), 3), ""]),
    ]
    assert not corpus.has_spans
    assert not corpus.findings


def test_values_equal_only_in_python(file: Path) -> None:
    text = '{"d": [[1, "a"], [true, "b"], [[0, 1], "c"], [[false, true], "d"]]}'
    corpus = clusters(file, text)
    scores = cs.score(corpus, corpus)
    assert scores["mentions"].recall_counts == (8, 8)
    assert not scores.findings


def test_plain_spans_are_spans(file: Path) -> None:
    corpus = clusters(file, '{"d": [[[0, 1], [3, 3]], [[2147483647, 2147483647]]], "e": []}')
    assert corpus.has_spans
    assert entities(corpus["d"]) == [("0", [(0, 1), (3, 3)]), ("1", [(2**31 - 1, 2**31 - 1)])]
    assert entities(corpus["e"]) == []


@pytest.mark.parametrize(
    "mention",
    ["[3, 2]", "[-1, 2]", "[0, 2147483648]", "[false, true]", "[0, 1.0]", "[0]", "[0, 1, 2]"],
)
def test_other_lists_are_ids(mention: str, file: Path) -> None:
    corpus = clusters(file, f'{{"d": [[[0, 1], {mention}], [[4, 5]]]}}')
    assert not corpus.has_spans
    found = [mention for _, mentions in entities(corpus["d"]) for mention in mentions]
    assert found[0::2] == [(0, 1), (4, 5)]


def test_plain_spans_match_those_of_conll(tmp_path: Path) -> None:
    conll = "#begin document d\na\t(1\nb\t1)\nc\t(2)\nd\t(1)\n#end document\n"
    key = read(written(tmp_path / "key.conll", conll))
    same = clusters(tmp_path / "spans.json", '{"d": [[[0, 1], [3, 3]], [[2, 2]]]}')
    for one, other in ((key, same), (same, key)):
        assert cs.score(one, other)["ceafe"].f1 == 1


def test_jsonl_against_conll(tmp_path: Path) -> None:
    conll = "#begin document x\nthe (0\ncat 0)\nsat (1)\nit (0)\ndid -\n#end document\n"
    key = read(written(tmp_path / "key.conll", conll))
    response = read(written(tmp_path / "response.jsonl", line()))
    scores = cs.score(key, response)
    assert scores["ceafe"].f1 == 1
    assert not scores.findings


@pytest.mark.parametrize("names", [["a\nb"], ["(x); part 000\n"], ["\u2028"], ["\ud800"]])
def test_names_of_any_characters_are_compared(names: list[str], tmp_path: Path) -> None:
    key = Corpus.from_clusters({name: [["a", "b"]] for name in names})
    path = written(tmp_path / "other.json", '{"other": [["a", "b"]]}')
    assert refusal(lambda: cs.score(key, path)) == [("E201", None)]
    assert refusal(lambda: cs.score(path, key)) == [("E201", None)]


def test_spans_never_match_across_documents(file: Path) -> None:
    far = ", ".join(f'"{number}": [[[0, 2147483647]]]' for number in range(20))
    scores = cs.score(clusters(file, f"{{{far}}}"), clusters(file, f"{{{far}}}"))
    assert scores["mentions"].recall_counts == (20, 20)
    assert not scores.findings


BAD_CLUSTERS = {
    "not JSON": ("{", "E111", 1),
    "not JSON on line 3": ('{\n"d": [],\n]', "E111", 3),
    "no comma after line 2": ('{\n"d": []\n\n"e": []}', "E111", 2),
    "cut off after line 2": ('{\n"d": [[\n\n', "E111", 2),
    "more behind": ('{"d": []}\n{"e": []}', "E111", 2),
    "a document twice": ('{"d": [], "d": []}', "E111", None),
    "NaN": ('{"d": [[NaN]]}', "E111", None),
    "minus Infinity": ('{"d": [[-Infinity]]}', "E111", None),
    "deep nesting": ('{"d": ' + "[" * 100_000, "E119", None),
    "a number of 10,000 digits": ('{"d": [[' + "1" * 10_000 + "]]}", "E111", None),
    "nothing": ("", "E111", 1),
    "a list": ("[[1, 2]]", "E112", None),
    "a number": ("5", "E112", None),
    "null": ("null", "E112", None),
    "a document that is a number": ('{"d": 1}', "E112", None),
    "a document that is text": ('{"d": "ab"}', "E112", None),
    "a document that is an object": ('{"d": {"0": ["a"]}}', "E112", None),
    "an entity that is text": ('{"d": ["ab"]}', "E112", None),
    "an entity that is a number": ('{"d": [[1], 2]}', "E112", None),
    "a mention that is an object": ('{"d": [[{"start": 1}]]}', "E112", None),
    "an object inside a mention": ('{"d": [[[1, {}]]]}', "E112", None),
    "no document": ("{}", "E105", None),
}


@pytest.mark.parametrize(("text", "code", "where"), BAD_CLUSTERS.values(), ids=BAD_CLUSTERS)
def test_bad_clusters_are_refused(
    text: str | bytes, code: str, where: int | None, file: Path
) -> None:
    path = written(file, text)
    assert refusal(lambda: read(path, "json")) == [(code, where)]


@pytest.mark.parametrize("depth", [100, 300, 450, 600, 900, 980])
def test_a_deep_mention_is_refused(depth: int, file: Path) -> None:
    path = written(file, '{"d": [[' + "[" * depth + "]" * depth + "]]}")
    found = refusal(lambda: cs.score(read(path), read(path)))
    assert found == [("E119", None)]


def test_huge_number_is_a_mention(file: Path) -> None:
    (document,) = clusters(file, '{"d": [[' + "7" * 4000 + ", 1e400]]}")
    assert document.entities[0].mentions[0] == Mention(int("7" * 4000))


def test_one_duplicate_among_thousands_of_names(file: Path) -> None:
    names = [*map(str, range(20_000)), "19999"]
    path = written(file, "{" + ", ".join(f'"{name}": []' for name in names) + "}")
    assert refusal(lambda: read(path)) == [("E111", None)]


def test_repeated_mention_with_line(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", line() + line(doc_key="y", clusters=[[[1, 1]], [[1, 1]]]))
    corpus = read(path)
    with pytest.warns(cs.CorefscopeWarning, match="W108"):
        scores = cs.score(corpus, corpus)
    assert {(finding.code.id, finding.line) for finding in scores.findings} == {("W108", 2)}
    assert codes(corpus) == []


@pytest.mark.parametrize(
    "mention", ['["0", "1"]', "[0.5, 1.5]", "[[0, 1]]", "[1, 0]", "7", '"m1"', "[0, 1, 2]"]
)
def test_mention_that_is_not_a_span_beside_spans(mention: str, tmp_path: Path) -> None:
    """It is refused."""
    key = written(tmp_path / "key.json", '{"d": [[[0, 1], [3, 3]]]}')
    response = written(tmp_path / "response.json", f'{{"d": [[{mention}, [3, 3]]]}}')
    for sides in ((key, response), (response, key)):
        with pytest.raises(
            cs.InvalidInput, match=r"response\.json: .* 1 mention that is not a span, .*\[E206\]"
        ):
            cs.score(*sides)


@pytest.mark.parametrize(
    ("document", "found"),
    [
        ("[[0, 0], [3, 4]]", r"a flat list of spans such as \(0, 0\)"),
        ("[[[[0, 0], [2, 2]]], [[[0, 1], [3, 3]], [[5, 5]]]]", "a list of documents"),
        ('[[["a", "b"], ["c"]]]', "a list of documents"),
    ],
)
def test_plain_json_of_another_shape(document: str, found: str, tmp_path: Path) -> None:
    path = written(tmp_path / "x.json", f'{{"ok": [[[0, 1]]], "d": {document}}}')
    with pytest.raises(cs.InvalidInput, match=rf"x\.json: document 'd': found {found}.*\[E112\]"):
        read(path)


@pytest.mark.parametrize("document", ["[[0, 1], [3, 4]]", '[[["a", "b"], ["c", "d"]]]'])
def test_plain_json_of_doubtful_shape(document: str, tmp_path: Path) -> None:
    path = written(tmp_path / "x.json", f'{{"d": {document}, "e": []}}')
    assert codes(read(path)) == ["W213"]
    with pytest.warns(cs.CorefscopeWarning, match="W213"):
        assert len(cs.score(path, path).findings) == 2
    folder = tmp_path / "folder"
    folder.mkdir()
    written(folder / "a.json", f'{{"a": {document}}}')
    written(folder / "b.json", '{"b": [["m1", "m2", "m3"]]}')
    assert codes(read(folder)) == []


@pytest.mark.parametrize(
    "document",
    [
        '[["0", "1"], ["3", "4"]]',
        "[[0, 1], [3, 4, 5]]",
        "[[4, 3], [1, 2]]",
        '[[["x", "m1"], ["x", "m2"]], [["x", "m3"]]]',
        "[[[[0, 1], [4, 5]], [7, 8]]]",
    ],
)
def test_plain_json_ids_without_doubt(document: str, file: Path) -> None:
    assert codes(clusters(file, f'{{"d": {document}}}')) == []


def test_clear_response_settles_numbers_of_key(tmp_path: Path) -> None:
    key = written(tmp_path / "key.json", '{"d": [[0, 1], [3, 4]]}')
    response = written(tmp_path / "response.json", '{"d": [[0, 1, 3], [4]]}')
    assert not cs.score(key, response).findings


def test_a_null_mention_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "x.json", '{"d": [[null, "m1"]]}')
    with pytest.raises(cs.InvalidInput, match=r"null.*\[E112\]"):
        cs.read(path)


@pytest.mark.parametrize("other", ["1", '["m1", "m2"]', "true", '[["m1"]]'])
def test_ids_of_another_kind_cannot_match(other: str, tmp_path: Path) -> None:
    key = written(tmp_path / "key.json", '{"d": [["m1", "m2"]]}')
    unlike = written(tmp_path / "unlike.json", f'{{"d": [[{other}]]}}')
    some = written(tmp_path / "some.json", f'{{"d": [[{other}, "m1"]]}}')
    with pytest.raises(cs.InvalidInput, match=r"they cannot match \[E206\]"):
        cs.score(key, unlike)
    with pytest.warns(cs.CorefscopeWarning, match=r"they cannot match \[W212\]"):
        cs.score(key, some)


ODD_RECORDS: dict[str, dict[str, Any] | None] = {
    "nothing": None,
    "another field": {"speakers": [["a", "b", "c", "d"]]},
    "an empty entity": {"clusters": [[[0, 0]], []]},
    "a mention with gaps": {"clusters": [[[[0, 0], [2, 2]], [3, 3]]]},
    "a mention outside": {"clusters": [[[0, 4]]]},
    "an end before its beginning": {"clusters": [[[2, 1]]]},
    "true": {"clusters": [[[True, 1]]]},
    "no clusters": {"clusters": None},
    "another second field": {"predicted_clusters": [[[0, 1]]]},
    "words that are numbers": {"sentences": [[1, 2, 3, 4]]},
    "no sentences": {"sentences": None},
    "a number as name": {"doc_key": 7},
    "no name": {"doc_key": None},
    "the name of another one": {"doc_key": "d3"},
    "no mention": {"clusters": []},
    "an empty sentence": {"sentences": [[], ["a", "b", "c", "d"]]},
}


@pytest.mark.parametrize("odd", ODD_RECORDS)
def test_a_batch_is_read_as_its_records_one_by_one(
    odd: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records: list[dict[str, Any]] = [
        {
            "doc_key": f"d{number}",
            "sentences": [["a", "b"], ["c", "d"]],
            "clusters": [[[0, 1], [2, 2]], [[number % 4, 3]]],
        }
        for number in range(30)
    ]
    records[20] |= ODD_RECORDS[odd] or {}
    path = tmp_path / "x.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))

    def result() -> list[object]:
        try:
            corpus = cs.read(path)
        except cs.InvalidInput as error:
            return [str(finding) for finding in error.findings]
        rows = [
            column.tolist()
            for column in (
                *(corpus.document_tokens, corpus.entity_document, corpus.mention_entity),
                *(corpus.mention_spans, corpus.mention_lines, corpus.mention_order),
            )
            if column is not None
        ]
        labels, digests = list(corpus.entity_labels), corpus.word_digests
        words = [document.words for document in corpus]
        found = [str(finding) for finding in corpus.findings]
        return [corpus.document_names, rows, labels, digests, words, found, corpus.mention_parts]

    alone = result()
    monkeypatch.setattr("corefscope.formats.reading.json_documents.MOST", 0)
    monkeypatch.setattr("corefscope.formats.reading.json_documents.BATCH", 1)
    assert result() == alone
    monkeypatch.setattr("corefscope.formats.reading.json_documents.BATCH", 500)
    assert result() == alone


def test_most_records_of_a_large_file_are_read_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = []

    class Counted(JsonDocument):
        def __init__(self, value: Any, *others: Any) -> None:
            alone.append(value)
            super().__init__(value, *others)

    monkeypatch.setattr("corefscope.formats.reading.json_documents.JsonDocument", Counted)
    path = tmp_path / "x.jsonl"
    path.write_text("".join(line(doc_key=f"d{number}") for number in range(3000)))
    corpus = cs.read(path)
    assert len(corpus) == 3000 and len(corpus.mention_entity) >= 3000
    assert 0 < len(alone) <= 1000


def test_marks_of_the_byte_order_on_any_line(tmp_path: Path) -> None:
    """Files that were joined have them in the middle."""
    line = json.dumps({"doc_key": "NAME", "sentences": [["a"]], "clusters": [[[0, 0]]]})
    lines = [line.replace("NAME", f"d{number}") for number in range(3)]
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"".join(b"\xef\xbb\xbf" + each.encode() + b"\n" for each in lines))
    corpus = cs.read(path)
    assert corpus.document_names == ("d0", "d1", "d2")
    assert [document.words for document in corpus] == [["a"]] * 3


def test_halves_of_characters_that_json_would_join_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for data, is_written in (
        (rb'{"x": [["a\ud800b", "c"]]}', True),
        (b'{"x": [["a\\ud800\x85"]]}', False),
    ):
        path.write_bytes(data)
        corpus = cs.read(path)
        if is_written:
            cs.write(corpus, tmp_path / "copy.jsonl", "native")
            assert cs.score(corpus, tmp_path / "copy.jsonl").conll == 1
        else:
            with pytest.raises(cs.CannotExpress, match="half of a character"):
                cs.write(corpus, tmp_path / "copy.jsonl", "native")


def test_small_documents_are_read_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever goes through texts opens the file a few times, not for each document."""
    records = [{"doc_key": f"d{n}", "sentences": [[f"w{n}"]], "clusters": []} for n in range(500)]
    path = tmp_path / "many.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    corpus = read(path)
    reads, usual = [], Source.read

    def counted(source: Source, start: int = 0, stop: int | None = None) -> bytes:
        reads.append(start)
        return usual(source, start, stop)

    monkeypatch.setattr(Source, "read", counted)
    expected = [[f"w{n}"] for n in range(500)]
    assert [document.words for document in corpus] == expected
    # The first records have readers of their own, because it is not known yet what they have.
    assert 1 <= len(reads) < 20
    # Whoever asks for texts in another order does not want those that come after each.
    monkeypatch.setattr("corefscope.formats.reading.builder.KEPT", 1000)
    texts = list(read(path))
    reads.clear()
    assert [document.words for document in reversed(texts)] == expected[::-1]
    assert len(reads) == 500
