"""Writing corpora: round trips through every format, and what a format refuses to hold."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import corefscope as cs
from corefscope import CannotExpress, Corpus, UnknownName, read, write
from corefscope.corpus.clusters import NotClusters
from corefscope.findings import Code
from corefscope.formats.registry import writings
from formats.contents import codes, contents, entities, partition, text, written
from strategies import Layout, SpanDocument, conll_text, layouts, span_documents

FULL = """\
#begin document (bn/0001); part 003
bn/0001\t3\t0\tAnn\tNNP\t(TOP(S(NP*)\t-\t-\t-\tBob\t(PERSON)\t(1)
bn/0001\t3\t1\thas\tVBZ\t(VP*\thave\t-\t-\tBob\t*\t-
bn/0001\t3\t2\t(1)\tCD\t*\t-\t-\t-\tBob\t*\t(2
bn/0001\t3\t3\tcats\tNNS\t(NP*)))\tcat\t-\t-\tBob\t*\t2)

bn/0001\t3\t0\tYes\tUH\t(TOP*)\t-\t-\t-\t-\t*\t-

#end document
"""


STRICT = os.environ | {"PYTHONIOENCODING": "utf-8:strict"}
"""An environment in which standard output takes nothing but UTF-8, as in most terminals."""


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory for thousands of examples."""
    return tmp_path_factory.mktemp("writing")


def through(corpus: Corpus, path: Path) -> Corpus:
    """Write a corpus and read it again."""
    write(corpus, str(path))
    return read(str(path))


def random_documents() -> st.SearchStrategy[dict[str, SpanDocument]]:
    several = st.lists(span_documents(shared_starts=True), min_size=1, max_size=3)
    return several.map(lambda drawn: {f"(d/{i}); part 000": d for i, d in enumerate(drawn)})


def partitions(corpus: Corpus) -> dict[str, set[frozenset[Any]]]:
    return {document.name: partition(document) for document in corpus}


@given(drawn=random_documents(), layout=layouts())
@settings(max_examples=150)
def test_conll_round_trip(drawn: dict[str, SpanDocument], layout: Layout, scratch: Path) -> None:
    corpus = read(written(scratch / "in.conll", conll_text(drawn, layout)))
    copy = through(corpus, scratch / "out.conll")
    assert {n: (t, dict(e)) for n, (t, e) in contents(copy).items()} == {
        n: (t, dict(e)) for n, (t, e) in contents(corpus).items()
    }
    assert [document.sentences for document in copy] == [d.sentences for d in corpus]
    assert [document.words for document in copy] == [d.words for d in corpus]
    assert set(codes(copy)) <= {"W116"}


@given(drawn=random_documents(), layout=layouts())
@settings(max_examples=150)
def test_conll_to_jsonl_to_conll(
    drawn: dict[str, SpanDocument], layout: Layout, scratch: Path
) -> None:
    drawn = {name: document for name, document in drawn.items() if document.tokens}
    corpus = read(written(scratch / "in.conll", conll_text(drawn or {"x": ONE}, layout)))
    between = through(corpus, scratch / "between.jsonl")
    copy = through(between, scratch / "out.conll")
    assert partitions(copy) == partitions(between) == partitions(corpus)
    for one, other, last in zip(corpus, between, copy, strict=True):
        assert one.words == other.words == last.words
        assert one.sentences == other.sentences == last.sentences


ONE = SpanDocument(1, (((0, 0),),))


@given(drawn=random_documents())
@settings(max_examples=100)
def test_plain_json_keeps_the_entities(drawn: dict[str, SpanDocument], scratch: Path) -> None:
    corpus = read(written(scratch / "in.conll", conll_text(drawn)))
    copy = through(corpus, scratch / "out.json")
    assert partitions(copy) == partitions(corpus)


NUMBERS = st.one_of(st.integers(-(2**70), 2**70), st.floats(allow_nan=False, allow_infinity=False))
MENTIONS = st.recursive(
    st.one_of(NUMBERS, st.text(max_size=3), st.booleans()),
    lambda parts: st.lists(parts, max_size=2).map(tuple),
    max_leaves=4,
)


@given(clusters=st.lists(st.lists(MENTIONS, max_size=4), max_size=4))
@settings(max_examples=100)
def test_plain_json_keeps_mentions_of_any_type(clusters: list[list[Any]], scratch: Path) -> None:
    try:
        # Empty entities are not written; what is left must not look like something else.
        Corpus.from_clusters({"x": [entity for entity in clusters if entity]})
    except (NotClusters, cs.InvalidInput):
        reject()
    rows = list(map(len, clusters)), list(chain.from_iterable(clusters))
    corpus = Corpus.from_rows(("x",), [rows])
    (document,) = through(corpus, scratch / "out.json")
    found = [mentions for _, mentions in entities(document)]
    assert repr(found) == repr([entity for entity in clusters if entity]), "1, 1.0 and True differ"


@pytest.mark.parametrize("mention", [b"a", 1j, object(), float("inf")])
def test_mention_without_json_form(mention: object, tmp_path: Path) -> None:
    corpus = Corpus.from_clusters({"x": [[mention]]})
    with pytest.raises(CannotExpress, match="E302"):
        write(corpus, str(tmp_path / "out.json"))
    assert not (tmp_path / "out.json").exists()


def test_empty_corpus_as_plain_json(tmp_path: Path) -> None:
    corpora: list[dict[str, list[list[str]]]] = [{}, {"x": []}, {"x": [[]], "y": []}]
    for documents in corpora:
        write(Corpus.from_clusters(documents), str(tmp_path / "out.json"))
        found = json.loads((tmp_path / "out.json").read_text())
        assert list(found) == list(documents)
        assert not any(map(any, found.values()))


def test_every_layer_survives_conll(tmp_path: Path) -> None:
    corpus = read(written(tmp_path / "in.conll", FULL))
    copy = through(corpus, tmp_path / "out.conll")
    assert [text(document) for document in copy] == [text(document) for document in corpus]
    assert (tmp_path / "out.conll").read_text() == FULL


def test_jsonl_keeps_words_and_speakers(tmp_path: Path) -> None:
    corpus = read(written(tmp_path / "in.conll", FULL))
    (finding,) = write(corpus, str(tmp_path / "out.jsonl"))
    assert finding.code is Code.LOST_LAYERS
    assert "lemmas, parse trees" in finding.message
    (document,) = read(str(tmp_path / "out.jsonl"))
    assert document.words == ["Ann", "has", "(1)", "cats", "Yes"]
    assert document.speakers == ["Bob"] * 4 + ["-"]
    assert document.sentences == [range(4), range(4, 5)]


def test_plain_json_loses_all_text_and_says_so(tmp_path: Path) -> None:
    corpus = read(written(tmp_path / "in.conll", FULL))
    (finding,) = write(corpus, str(tmp_path / "out.json"))
    assert "lemmas, named entities, parse trees, part-of-speech tags" in finding.message


def test_no_warning_when_nothing_is_lost(tmp_path: Path) -> None:
    corpus = read(written(tmp_path / "in.conll", FULL))
    assert write(corpus, str(tmp_path / "out.conll")) == []
    assert write(Corpus.from_clusters({"x": [["a", "b"]]}), str(tmp_path / "out.json")) == []


def jsonl(clusters: list[list[list[int]]], **fields: object) -> str:
    record = {"doc_key": "x", "sentences": [["a", "b", "c", "d", "e"]], "clusters": clusters}
    return json.dumps(record | fields)


@pytest.mark.parametrize(
    "pair",
    [
        [[0, 2], [1, 3]],
        [[1, 3], [0, 2]],
        [[0, 2], [2, 4]],
        [[0, 1], [1, 2]],
    ],
    ids=["crossing", "crossing, in disorder", "touching", "touching, two tokens"],
)
def test_crossing_and_touching_mentions_are_refused(pair: list[list[int]], tmp_path: Path) -> None:
    corpus = read(written(tmp_path / "in.jsonl", jsonl([[[4, 4]], [[4, 4], *pair]])))
    with pytest.raises(CannotExpress) as refused:
        write(corpus, str(tmp_path / "out.conll"))
    finding = refused.value.finding
    assert finding.code is Code.CROSSING
    for part in ("'x'", *(str(tuple(mention)) for mention in pair), "entity 1"):
        assert part in finding.message
    assert not (tmp_path / "out.conll").exists()


@pytest.mark.parametrize(
    "clusters",
    [
        [[[0, 2], [2, 2]], [[1, 3]]],
        [[[0, 4], [1, 3], [2, 2], [0, 0], [4, 4]]],
        [[[0, 1], [2, 3]], [[1, 2]]],
        [[[0, 3], [0, 2], [1, 2], [3, 3]]],
        [[[0, 1], [0, 1]], [[0, 1]]],
        [[[0, 0], [0, 0], [0, 1]]],
        [[], [[0, 0]]],
    ],
)
def test_everything_else_is_expressed(clusters: list[list[list[int]]], tmp_path: Path) -> None:
    corpus = read(written(tmp_path / "in.jsonl", jsonl(clusters)))
    copy = through(corpus, tmp_path / "out.conll")
    (document,) = copy
    found = [sorted((m.start, m.end) for m in entity) for entity in document.entities]
    assert sorted(found) == sorted(sorted(map(tuple, entity)) for entity in clusters if entity)
    assert not copy.findings


@given(drawn=st.data())
@settings(max_examples=200)
def test_any_spans_are_written_or_refused(drawn: st.DataObject, scratch: Path) -> None:
    token = st.integers(0, 4)
    span = st.tuples(token, token).map(lambda pair: (min(pair), max(pair)))
    clusters = drawn.draw(st.lists(st.lists(span, min_size=1, max_size=4), max_size=3))
    corpus = read(
        written(scratch / "in.jsonl", jsonl([[list(m) for m in entity] for entity in clusters]))
    )
    try:
        copy = through(corpus, scratch / "out.conll")
    except CannotExpress as refused:
        assert refused.finding.code is Code.CROSSING
        return
    (document,) = copy
    found = [sorted((m.start, m.end) for m in entity) for entity in document.entities]
    assert sorted(found) == sorted(map(sorted, clusters))


BARE_IDS: list[Callable[[], Corpus]] = [
    lambda: Corpus.from_clusters({"x": [["a", "b"]]}),
    lambda: Corpus.from_clusters({"x": [[(0, 1), "b"]]}),
    lambda: Corpus.from_clusters({"x": [[(0, 1), (3, 3)]]}),
    lambda: Corpus.from_arrays([0, 0, 1], start=[0, 2, 4]),
]


@pytest.mark.parametrize("corpus", BARE_IDS, ids=["ids", "mixed", "spans without text", "arrays"])
@pytest.mark.parametrize("ending", ["conll", "jsonl"])
def test_corpus_without_text(corpus: Callable[[], Corpus], ending: str, tmp_path: Path) -> None:
    with pytest.raises(CannotExpress) as refused:
        write(corpus(), str(tmp_path / f"out.{ending}"))
    assert refused.value.finding.code is Code.NOT_EXPRESSIBLE
    assert "'x'" in str(refused.value) or "'0'" in str(refused.value)
    assert not list(tmp_path.iterdir())


def test_spans_without_text_as_plain_json(tmp_path: Path) -> None:
    copy = through(Corpus.from_arrays([0, 0, 1, -1]), tmp_path / "out.json")
    assert partitions(copy) == {"0": {frozenset({(0, 0), (1, 1)}), frozenset({(2, 2)})}}


def test_a_refusal_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    corpus = read(written(tmp_path / "in.jsonl", jsonl([[[0, 1], [1, 2]]])))
    target = written(tmp_path / "out.conll", "before")
    with pytest.raises(CannotExpress):
        write(corpus, target)
    assert Path(target).read_text() == "before"


@pytest.mark.parametrize("name", ["a\nb", "a\rb", "", " a", "a ", "\ta", "\ud800"])
def test_names_that_conll_would_misread(name: str, tmp_path: Path) -> None:
    corpus = read(written(tmp_path / "in.jsonl", jsonl([[[0, 1]]], doc_key=name)))
    with pytest.raises(CannotExpress, match="E302"):
        write(corpus, str(tmp_path / "out.conll"))
    assert not (tmp_path / "out.conll").exists()


@pytest.mark.parametrize(
    "name", ["#1", "# end document", "#begin document y", "ü (x); part 0", "-"]
)
def test_names_round_trip(name: str, tmp_path: Path) -> None:
    corpus = read(written(tmp_path / "in.jsonl", jsonl([[[0, 1]]], doc_key=name)))
    copy = through(corpus, tmp_path / "out.conll")
    assert partitions(copy) == {name: {frozenset({(0, 1)})}}
    assert not copy.findings


@pytest.mark.parametrize("word", ["a\tb", "a\nb", "a\rb", " a", "\ud800", "a\u0000b"])
def test_words_that_conll_would_misread(word: str, tmp_path: Path) -> None:
    sentences = [["a", word, "c"]]
    corpus = read(written(tmp_path / "in.jsonl", jsonl([[[0, 1]]], sentences=sentences)))
    with pytest.raises(CannotExpress, match="E302"):
        write(corpus, str(tmp_path / "out.conll"))
    assert not (tmp_path / "out.conll").exists()


@pytest.mark.parametrize("word", ["", "New York", "(1)", "#", "-", "wörd", "\u00a0", "\u2028"])
def test_words_round_trip(word: str, tmp_path: Path) -> None:
    sentences = [[word, "b"], [word]]
    corpus = read(written(tmp_path / "in.jsonl", jsonl([[[0, 1]]], sentences=sentences)))
    (document,) = through(corpus, tmp_path / "out.conll")
    assert document.words == [word, "b", word]
    assert document.sentences == [range(2), range(2, 3)]
    assert partition(document) == {frozenset({(0, 1)})}


def test_bytes_that_are_not_utf8(tmp_path: Path) -> None:
    data = b"#begin document d\xe9\nb\xe4r\t(1)\n#end document\n"
    corpus = read(written(tmp_path / "in.conll", data))
    for ending in ("conll", "jsonl", "json"):
        copy = through(corpus, tmp_path / f"out.{ending}")
        assert copy.document_names == corpus.document_names
        assert partitions(copy) == partitions(corpus)
    assert [d.words for d in read(str(tmp_path / "out.jsonl"))] == [d.words for d in corpus]


@pytest.mark.parametrize(
    ("name", "starts"),
    [
        ("out.conll", "#begin document x\n"),
        ("out.v4_gold_conll", "#begin document x\n"),
        ("out.JSONL", '{"doc_key": "x", '),
        ("out.jsonlines", '{"doc_key": "x", '),
        ("out.json", '{\n"x": [[[0, 1]]]\n}\n'),
    ],
)
def test_the_ending_tells_the_format(name: str, starts: str, tmp_path: Path) -> None:
    corpus = read(written(tmp_path / "in.jsonl", jsonl([[[0, 1]]])))
    write(corpus, str(tmp_path / name))
    assert (tmp_path / name).read_text().startswith(starts)
    write(corpus, str(tmp_path / f"{name}.gz"))
    packed = (tmp_path / f"{name}.gz").read_bytes()
    assert gzip.decompress(packed) == (tmp_path / name).read_bytes()
    assert partitions(read(str(tmp_path / f"{name}.gz"))) == partitions(corpus)


def test_a_given_format_overrules_the_ending(tmp_path: Path) -> None:
    corpus = read(written(tmp_path / "in.jsonl", jsonl([[[0, 1]]])))
    write(corpus, str(tmp_path / "out.conll"), "json")
    assert json.loads((tmp_path / "out.conll").read_text()) == {"x": [[[0, 1]]]}


@pytest.mark.parametrize(("name", "format"), [("out.txt", None), ("out.conll", "conl")])
def test_an_unknown_format_is_refused(name: str, format: str | None, tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="conll"):
        write(Corpus.from_clusters({"x": [["a", "b"]]}), str(tmp_path / name), format)


def test_standard_output_gets_what_a_file_would(tmp_path: Path) -> None:
    path = written(tmp_path / "in.conll", FULL.encode().replace(b"Yes", b"\xff"))
    command = [sys.executable, "-m", "corefscope", "convert", path, "-", "--to", "conll"]
    done = subprocess.run(command, capture_output=True, env=STRICT)
    assert (done.returncode, done.stdout) == (0, Path(path).read_bytes()), done.stderr


def test_names_that_are_not_utf8_in_tables(tmp_path: Path) -> None:
    path = written(tmp_path / "in.conll", b"#begin document d\xe9\nw\t(1)\n#end document\n")
    command = [sys.executable, "-m", "corefscope", "score", path, path, "--per-document"]
    for format, shown in {"table": rb"d\udce9", "reference": b"d\xe9", "csv": b"d\xe9"}.items():
        done = subprocess.run([*command, "--format", format], capture_output=True, env=STRICT)
        assert done.returncode == 0, done.stderr
        assert shown in done.stdout


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_names_that_no_encoding_has(encoding: str, tmp_path: Path) -> None:
    path = written(tmp_path / "in.jsonl", jsonl([[[0, 1]]], doc_key="\ud800"))
    command = [sys.executable, "-m", "corefscope", "score", path, path, "--per-document"]
    environment = STRICT | {"PYTHONIOENCODING": f"{encoding}:strict"}
    done = subprocess.run(command, capture_output=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert b"ud800" in done.stdout


def test_round_trip_keeps_scores(tmp_path: Path) -> None:
    key = read(written(tmp_path / "key.conll", FULL))
    for ending in ("conll", "jsonl", "json"):
        scores = cs.score(key, through(key, tmp_path / f"out.{ending}"))
        assert scores.conll is not None and scores["b3"].f1 == 1


def test_a_name_that_is_not_utf8_is_refused_for_spacy(tmp_path: Path) -> None:
    corpus = read(written(tmp_path / "x.conll", b"#begin document d\xe9\nw\t(1)\n#end document\n"))
    with pytest.raises(cs.CannotExpress, match=r"its name.*cannot be written as UTF-8"):
        cs.write(corpus, tmp_path / "x.spacy", "spacy")


@pytest.mark.parametrize("format", ["brat", "spacy"])
def test_a_text_with_words_that_are_no_tokens(format: str, tmp_path: Path) -> None:
    """They are not written: they would be read as tokens."""
    places = [(0, 3), (11, 14), (15, 18), (18, 19)]
    record = {
        "text": "Ann hardly saw her.",
        "tokens": [{"id": n, "start": a, "end": b} for n, (a, b) in enumerate(places)],
        "spans": {"coref_clusters_1": [{"start": 0, "end": 3}, {"start": 15, "end": 18}]},
    }
    source = tmp_path / "a.json"
    source.write_text(json.dumps(record), encoding="utf-8")
    corpus = read(source, "spacy-json")
    assert corpus.word_counts.tolist() == [4]
    target = tmp_path / "copy"
    write(corpus, target, format)
    copy = read(target, format)
    assert copy.word_counts.tolist() == [4] and len(copy.mention_entity) == 2


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from(sorted(writings())))
def test_a_mention_of_several_entities_counts_in_the_same(
    drawn: st.DataObject, format: str
) -> None:
    """Unless the writer says that the order of entities is lost."""
    spans = st.integers(0, 7).flatmap(
        lambda first: st.integers(first, 7).map(lambda last: (first, last))
    )
    entities = drawn.draw(
        st.lists(st.lists(spans, min_size=2, max_size=3, unique=True), min_size=2, max_size=4)
    )
    record = {"doc_key": "d", "sentences": [[f"w{n}" for n in range(8)]], "clusters": entities}
    with tempfile.TemporaryDirectory() as folder:
        corpus = read(written(Path(folder) / "d.jsonl", json.dumps(record)))
        target = Path(folder) / "d"
        try:
            found = write(corpus, target, format)
        except CannotExpress:
            reject()
        scores = cs.score(corpus, read(target, format), pair_by="position")
    assert scores["b3"].f1 == 1 or "order of entities" in str(found)


@pytest.mark.parametrize("word", ["_", "##x", "a|b", "\ud800"])
def test_words_that_crac_text_cannot_hold(word: str, tmp_path: Path) -> None:
    record = {"doc_key": "d", "sentences": [[word, "b"]], "clusters": [[[0, 0], [1, 1]]]}
    corpus = read(written(tmp_path / "d.jsonl", json.dumps(record)))
    with pytest.raises(CannotExpress, match="the word"):
        write(corpus, tmp_path / "d.txt", "crac-text")
    assert not (tmp_path / "d.txt").exists()


def test_tags_come_back_from_corefud(tmp_path: Path) -> None:
    """Tags that are not universal are written as XPOS, and are the only ones of the copy."""
    key = read(written(tmp_path / "key.conll", FULL))
    copy = through(key, tmp_path / "copy.conllu")
    found = write(copy, tmp_path / "back.conll")
    tags = [next(iter(corpus)).tags for corpus in (key, read(tmp_path / "back.conll"))]
    assert tags[0] == tags[1]
    assert "language-specific tags" not in str(found)


def test_words_that_crac_would_put_into_another_order(tmp_path: Path) -> None:
    """The nodes of a sentence are sorted by their numbers there."""
    rows = [
        f"{number}\t{word}" + "\t_" * 8 for number, word in ((1, "Ida"), (3, "slept"), (2, "x"))
    ]
    lines = ["# global.Entity = eid-etype-head-other", *rows, "", ""]
    corpus = read(written(tmp_path / "d.conllu", "\n".join(lines)))
    for format in ("crac-text", "crac-json"):
        with pytest.raises(CannotExpress, match="not in the order of their numbers"):
            write(corpus, tmp_path / "d.out", format)
