"""The native format keeps everything, and a detour through it changes no other format."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from msgspec.structs import replace

import corefscope as cs
from anaphora_text import COLUMNS
from corefscope import CannotExpress, Corpus, InvalidInput, read, score, write
from corefscope.corpus.copies import Copy, WindowCounts
from corefscope.corpus.corpus import COLUMNS as CORPUS_COLUMNS
from corefscope.extensions.universal_anaphora.anaphora import Anaphora, MarkableColumns, anaphora_of
from corefscope.formats.native.columns import NATIVE_COLUMNS
from corefscope.formats.registry import FORMATS, writings
from corefscope.inputs import is_result
from corefscope.schemas import schema_of
from formats.contents import written
from formats.random_corpora import lines
from formats.sample_documents import SAMPLES

pytestmark = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
ROOT = Path(__file__).parents[2]
HAS_SPACY = find_spec("spacy") is not None
TARGETS = [name for name in writings() if name in FORMATS and (name != "spacy" or HAS_SPACY)]


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory for thousands of examples."""
    return tmp_path_factory.mktemp("native")


def native(corpus: Corpus) -> list[Any]:
    """The lines of a corpus in the native format."""
    ((_, data),) = writings()["native"].write(corpus)
    return [json.loads(line) for line in data.splitlines()]


def through(corpus: Corpus, path: Path) -> Corpus:
    assert not [f for f in write(corpus, path, "native") if f.code.id != "W111"]
    return read(path)


@given(text=st.booleans().flatmap(lambda ids: lines(ids=ids)))
@settings(max_examples=150)
def test_everything_is_kept(text: str, scratch: Path) -> None:
    corpus = read(written(scratch / "in.jsonl", text))
    given = [json.loads(line) for line in text.splitlines()]
    assert json.dumps(native(corpus), sort_keys=True) == json.dumps(given, sort_keys=True)
    again = through(corpus, scratch / "out.native.jsonl")
    assert native(again) == given
    assert again.word_digests == corpus.word_digests
    assert [mentions_of(again)] == [mentions_of(corpus)]
    for record in given:
        Draft202012Validator(schema_of("corpus")).validate(record)


def mentions_of(corpus: Corpus) -> list[Any]:
    """What scores are computed from, read from the arrays and not from the file."""
    nodes = corpus.empty_nodes
    return [
        [corpus.mention_id(row) for row in range(len(corpus.mention_entity))],
        corpus.mention_entity.tolist(),
        corpus.entity_document.tolist(),
        list(corpus.entity_labels),
        None if corpus.mention_heads is None else corpus.mention_heads.tolist(),
        dict(corpus.split_antecedents),
        sorted(corpus.bridges),
        corpus.document_tokens.tolist(),
        nodes and [nodes.token.tolist(), nodes.sentence.tolist(), nodes.words_before.tolist()],
        (anaphora_of(corpus) or Anaphora({})).layers,
    ]


@pytest.mark.parametrize("format", TARGETS)
@given(text=lines())
@settings(max_examples=60)
def test_a_detour_changes_nothing(format: str, text: str, scratch: Path) -> None:
    """What a format can express is the same after a detour through the native format."""
    corpus = read(written(scratch / "in.jsonl", text))
    first, second = scratch / f"{format}-1", scratch / f"{format}-2"
    for path in (first, second):
        clear(path)
    try:
        write(corpus, first, format, lossy=True)
    except CannotExpress:
        return
    expressed = read(first, format)
    between = through(expressed, scratch / "between.native.jsonl")
    assert native(between) == native(expressed)
    write(expressed, second, format, lossy=True)
    directly = contents(second)
    clear(second)
    write(between, second, format, lossy=True)
    assert contents(second) == directly


def clear(path: Path) -> None:
    files = [path] if path.is_file() else sorted(path.rglob("*"), reverse=True)
    for file in files:
        file.unlink()


def contents(path: Path) -> dict[str, bytes]:
    files = [path] if path.is_file() else [f for f in path.rglob("*") if f.name[0] != "."]
    return {file.name if path.is_dir() else "": file.read_bytes() for file in files}


def test_brackets_and_markables(tmp_path: Path) -> None:
    """What the random documents do not have: files of CorefUD and of Universal Anaphora."""
    corefud = (
        "# newdoc id = x\n# global.Entity = eid-etype-head-other\n"
        "1\tAnn\tAnn\tPROPN\t_\t_\t0\troot\t_\tEntity=(e1-person-1-gstype:spec)\n"
        "1.1\t_\t_\tPRON\t_\t_\t_\t_\t1:nsubj\tBridge=e1<e2:part|Entity=(e2--1)\n"
        "2\tsleeps\tsleep\tVERB\t_\t_\t1\tdep\t_\tEntity=(e3--1)|SplitAnte=e1<e3,e2<e3\n\n"
    )
    source = written(tmp_path / "in.conllu", corefud)
    corpus = read(source)
    again = through(corpus, tmp_path / "x.native.jsonl")
    assert mentions_of(again) == mentions_of(corpus)
    assert write(again, tmp_path / "out.conllu") == []
    assert (tmp_path / "out.conllu").read_text() == corefud
    anaphora = (
        f"# global.columns = {COLUMNS}\n# newdoc id = x\n"
        "1 Ann _ _ _ _ _ _ _ _ (EntityID=1|MarkableID=a|Min=1|ElementOf=2) _ _\n"
        "2 it _ _ _ _ _ _ _ _ (EntityID=3-Pseudo|MarkableID=b) "
        "(MarkableID=b|MentionAnchor=a) (EntityID=9|MarkableID=d)\n"
    )
    corpus = read(written(tmp_path / "in.conllua", anaphora))
    again = through(corpus, tmp_path / "y.native.jsonl")
    assert native(again) == native(corpus)
    assert again.own.layer == corpus.own.layer
    assert native(again)[0]["anaphora"]["identity"]["bridges"] == [["b", "a"]]


def test_a_document_without_a_name_stays_so(tmp_path: Path) -> None:
    path = written(tmp_path / "a.json", json.dumps({"text": "Ann", "clusters": [[[0, 3]]]}))
    corpus = read(path)
    assert corpus.is_unnamed and through(corpus, tmp_path / "b.native.jsonl").is_unnamed
    assert not read(written(tmp_path / "c.jsonl", '{"doc_key": "x", "clusters": []}')).is_unnamed
    assert "is_unnamed" not in native(Corpus.from_clusters({"x": [[(0, 0)]], "y": []}))[0]


NOT_KEPT = {
    "mention_lines": "a mention is on the line of its document",
    "document_files": "the file is the native one",
    "path": "the path is that of the native file",
    "offsets": "positions of the native format are counted in one way",
    "findings": "they are about the file that was read; convert prints them",
    "skipped_files": "the same",
    "mention_cuts": "only mentions that were carried over to another text have them, while scoring",
    "comments": "official scorers compare those of CoNLL-U files, and read no native files",
    "imported": "an answer to CRAC is put into a file before it is written",
    "_index": "it is made when it is needed",
}
"""The fields of a corpus that the native format does not keep, and why."""
WITH_FIELDS = {
    "in.conllu": (
        "# newdoc id = x\n# global.Entity = eid-etype-minspan-other\n"
        "1\tAnn\tAnn\tPROPN\t_\t_\t0\troot\t_\tEntity=(e1[1/2]-person-1-gstype:spec)\n"
        "1.1\t_\t_\tPRON\t_\t_\t_\t_\t1:nsubj\tBridge=e1<e2:part|Entity=(e2--1)\n"
        "2\tsaw\tsee\tVERB\t_\t_\t1\tdep\t_\tEntity=(e3--1)|SplitAnte=e1<e3,e2<e3\n"
        "3\tBob\tBob\tPROPN\t_\t_\t1\tdep\t_\tEntity=(e1[2/2]-person-1-gstype:spec)\n\n"
    ),
    "in.conllua": (
        f"# global.columns = {COLUMNS}\n# newdoc id = x\n"
        "0.1 _ _ _ _ _ _ _ 1:nsubj _ (EntityID=1|MarkableID=b) _ _\n"
        "1 Ann _ _ _ _ _ _ _ _ (EntityID=1|MarkableID=a|Min=1|ElementOf=2) _ _\n"
        "1.1 _ _ _ _ _ _ _ 1:obj _ (EntityID=3|MarkableID=c) _ _\n"
    ),
    "in.conll": "#begin document x\nw\t(1\nw\t(2)\nw\t1)|(2)\n#end document\n",
    "cross.conll": (
        "#begin document all\n"
        "1\t1_1\ta\t0\t0\tAnn\tTrue\t(7)\n"
        "1\t1_1\tb\t0\t0\tShe\tTrue\t(7)\n#end document\n"
    ),
    "named.txt": "Sure! [Ann](#0) saw [Bob](#1). [She](#0) waved at <b>Bob</b>. [It",
    "strings.json": '{"ann": ["Ann", "She"]}',
    "ids.json": '{"x": [["m1", "m2"]]}',
    "numbered.jsonl": '{"text": "Ann", "clusters": [[[0, 3]]]}\n{"text": "Bo", "clusters": []}\n',
    "unnamed.jsonl": '{"text": "Ann left", "clusters": [[[0, 3]]]}\n',
}
READ_AS = {"cross.conll": "cdcr:documents=column:3"}
"""How a file is read, if not as it is recognised."""


@pytest.mark.parametrize("name", WITH_FIELDS)
def test_every_field_of_a_corpus_is_kept(name: str, tmp_path: Path) -> None:
    path = written(tmp_path / name, WITH_FIELDS[name])
    corpus = read(path, READ_AS.get(name), head="minspan")
    again = through(corpus, tmp_path / "x.native.jsonl")
    for field in sorted(kept_fields()):
        expected, found = (comparable(getattr(each, field), each) for each in (corpus, again))
        assert found == expected, field


def test_no_antecedents_are_not_the_same_as_nothing(tmp_path: Path) -> None:
    entity = {"label": "b", "mentions": [{"span": [0, 0]}]}
    record = {"corefscope": "0", "schema": "corpus/1", "name": "x", "tokens": 1}
    path = written(tmp_path / "x.jsonl", json.dumps({**record, "entities": [entity]}) + "\n")
    write(read(path), tmp_path / "y.native.jsonl")
    (again,) = (tmp_path / "y.native.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(again)["entities"] == [entity]


def test_findings_of_a_layer_have_their_whole_message(tmp_path: Path) -> None:
    path = written(tmp_path / "in.conllua", WITH_FIELDS["in.conllua"].replace("Min=1", "Min=cat"))
    corpus = read(path)
    write(corpus, tmp_path / "x.native.jsonl")
    layer = json.loads((tmp_path / "x.native.jsonl").read_text(encoding="utf-8"))["anaphora"]
    found = [each for side in ("identity", "deixis") for each in layer[side].get("findings", [])]
    assert found
    for each in found:
        assert each["message"].endswith(f"; expected {each['expected']}")


def test_corpora_without_blanks_are_no_scores(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    record = {"corefscope": "0", "schema": "corpus/1", "name": "x", "tokens": 1, "entities": []}
    path.write_text(json.dumps(record, separators=(",", ":")), encoding="utf-8")
    assert not is_result(str(path))


IN_EVERY_DOCUMENT = {
    *("document_names", "document_tokens", "entity_document", "entity_labels"),
    *("mention_entity", "mention_spans", "mention_ids", "word_digests"),
}


def test_a_column_is_declared_for_the_native_format_or_in_every_document() -> None:
    """A new column needs how it is written and read, in one place, or a reason why not."""
    declared = {column.name for column in NATIVE_COLUMNS}
    assert declared | IN_EVERY_DOCUMENT == set(CORPUS_COLUMNS) - set(NOT_KEPT)
    assert not declared & (IN_EVERY_DOCUMENT | set(NOT_KEPT))


def test_no_field_is_left_untested(tmp_path: Path) -> None:
    """Each field of a corpus that is kept has a value in one of the files above."""
    plain = Corpus.from_clusters({"x": []})
    filled = set()
    for name, text in WITH_FIELDS.items():
        corpus = read(written(tmp_path / name, text), READ_AS.get(name), head="minspan")
        for field in kept_fields():
            usual = comparable(getattr(plain, field), plain)
            if comparable(getattr(corpus, field), corpus) not in (usual, [None] * len(corpus)):
                filled.add(field)
    assert filled == kept_fields()


def kept_fields() -> set[str]:
    return set(Corpus.__struct_fields__) - set(NOT_KEPT)


def comparable(value: Any, corpus: Corpus) -> Any:
    """A part of a corpus as lists, dictionaries and plain values."""
    if value is corpus.layers and value is not None:
        return [comparable(value.text(number), corpus) for number in range(len(corpus))]
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, MarkableColumns):
        value = tuple(value)
    names = getattr(value, "__struct_fields__", ()) or getattr(value, "_fields", ())
    if names:
        # The lines of empty nodes and of markables are those of the native file.
        return {each: comparable(getattr(value, each), corpus) for each in names if each != "line"}
    if isinstance(value, list | tuple):
        return [comparable(each, corpus) for each in value]
    if isinstance(value, Mapping):
        return {key: comparable(each, corpus) for key, each in value.items()}
    return value


def test_what_is_known_of_tags_is_kept(tmp_path: Path) -> None:
    corpus = read(written(tmp_path / "a.txt", WITH_FIELDS["named.txt"]))
    copy = Copy(
        style="markdown",
        opened=9,
        closed=8,
        foreign=2,
        dropped={"no entity name": 1},
        undecided=((1, 2),),
        nameless=((3, 4), (5, 6)),
        asides=((0, 5),),
        antecedent_not_found=1,
        is_cut_off=True,
        windows=WindowCounts(count=2, joined=1, conflicts=0),
    )
    plain = Copy(style="none", opened=0, closed=0)
    assert all(getattr(copy, name) != getattr(plain, name) for name in Copy.__struct_fields__)
    corpus = replace(corpus, copies=[copy])
    again = through(corpus, tmp_path / "b.native.jsonl")
    assert comparable(again.copies, again) == comparable(corpus.copies, corpus)
    record = native(corpus)[0]
    Draft202012Validator(schema_of("corpus")).validate(record)
    record["copy"]["asides"] = [[0, 500]]
    with pytest.raises(InvalidInput, match="'copy' has a stretch that is not in 'text'"):
        read(written(tmp_path / "c.native.jsonl", json.dumps(record) + "\n"))


def test_tagged_text_is_scored_as_before(tmp_path: Path) -> None:
    words = ["Ann", "saw", "Bob", ".", "She", "waved", "at", "Bob", "."]
    key = {"doc_key": "a", "sentences": [words], "clusters": [[[0, 0], [4, 4]], [[2, 2], [7, 7]]]}
    given = written(tmp_path / "key.jsonl", json.dumps(key) + "\n")
    source = written(tmp_path / "a.txt", WITH_FIELDS["named.txt"])
    through(read(source), tmp_path / "a.native.jsonl")
    before, after = score(given, source), score(given, tmp_path / "a.native.jsonl")
    assert after.muc == before.muc
    assert before.ledger and after.ledger == before.ledger


def test_numbered_documents_are_still_paired_by_their_text(tmp_path: Path) -> None:
    texts = WITH_FIELDS["numbered.jsonl"].splitlines(keepends=True)
    for side, order in (("key", texts), ("response", texts[::-1])):
        corpus = read(written(tmp_path / "out.jsonl", "".join(order)))
        assert through(corpus, tmp_path / f"{side}.native.jsonl").document_names[0] == "out#1"
    found = score(tmp_path / "key.native.jsonl", tmp_path / "response.native.jsonl")
    assert found.mentions.f1 == 1 and not found.findings


def test_characters_without_a_text(tmp_path: Path) -> None:
    """CoreNLP says where tokens are, but gives the text between them only if it is asked to."""
    tokens = [
        {"index": 1, "word": "Ann", "characterOffsetBegin": 0, "characterOffsetEnd": 3},
        {"index": 2, "word": "slept", "characterOffsetBegin": 5, "characterOffsetEnd": 10},
    ]
    chain = [{"id": 1, "text": "Ann", "startIndex": 1, "endIndex": 2, "headIndex": 1, "sentNum": 1}]
    record = {"sentences": [{"index": 0, "tokens": tokens}], "corefs": {"1": chain}}
    corpus = read(written(tmp_path / "a.json", json.dumps(record)))
    (document,) = through(corpus, tmp_path / "b.native.jsonl")
    assert document.characters == [(0, 3), (5, 10)] and document.text is None


def test_the_order_of_mentions(tmp_path: Path) -> None:
    """Columns close mentions in another order than entities list them."""
    rows = "(1\n(2)\n1)|(2)\n"
    text = (
        "#begin document x\n" + "".join(f"w\t{row}\n" for row in rows.split()) + "#end document\n"
    )
    corpus = read(written(tmp_path / "in.conll", text))
    again = through(corpus, tmp_path / "x.native.jsonl")
    assert corpus.mention_order is not None and again.mention_order is not None
    assert again.mention_order.tolist() == corpus.mention_order.tolist()
    assert sorted(again.mention_order.tolist()) != again.mention_order.tolist()


Change = Callable[[dict[str, Any]], object]
WRONG: dict[str, tuple[Change, str]] = {
    "version": (lambda d: d.update(schema="corpus/2"), "schema: Invalid enum value 'corpus/2'"),
    "misspelt field": (lambda d: d.update(entitys=[]), "unknown field `entitys`"),
    "no name": (lambda d: d.pop("name"), "missing required field `name`"),
    "words without their number": (
        lambda d: d.update(tokens=None),
        "'words' is for 23 tokens; expected their number in 'tokens'",
    ),
    "a layer too short": (lambda d: d["layers"]["words"].pop(), "'words' is for 22 tokens"),
    "sentences": (lambda d: d["sentences"].append(1), "'sentences' is for 24 tokens; expected 23"),
    "beyond the text": (lambda d: span(d, [22, 23]), "span [22, 23]; expected 0 <= first"),
    "no integers": (lambda d: span(d, [True, 2]), "span[0]: Expected `int`, got `bool`"),
    "head": (lambda d: mention(d).update(head=20), "has the head 20"),
    "two places": (lambda d: mention(d).update(parts=[[0, 0]]), "exactly one of 'span'"),
    "split": (
        lambda d: d["entities"][0].update(split_antecedents=[9]),
        "'split_antecedents' of",
    ),
    "characters": (
        lambda d: d["characters"][3].append(1),
        "characters[3]: Expected `array` of length 2, got 3",
    ),
    "tokens": (lambda d: d.update(tokens=-1), "'tokens' is -1"),
}


def mention(document: dict[str, Any]) -> Any:
    return document["entities"][0]["mentions"][0]


def span(document: dict[str, Any], value: list[int]) -> None:
    mention(document)["span"] = value


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_fit_is_reported(name: str, tmp_path: Path) -> None:
    change, message = WRONG[name]
    text = (ROOT / SAMPLES / "native/both.jsonl").read_text("utf-8").splitlines()
    document = json.loads(text[1])
    change(document)
    path = written(tmp_path / "in.jsonl", text[0] + "\n" + json.dumps(document) + "\n")
    with pytest.raises(InvalidInput) as refused:
        read(path)
    (finding,) = refused.value.findings
    assert (finding.code.id, finding.line) == ("E112", 2)
    assert message in finding.message, finding.message


@given(data=st.data())
@settings(max_examples=150)
def test_damaged_files(data: st.DataObject, scratch: Path) -> None:
    """Only findings come out of a damaged file."""
    text = (ROOT / SAMPLES / "native/both.jsonl").read_bytes()
    start = data.draw(st.integers(0, len(text) - 1))
    stop = data.draw(st.integers(start, min(start + 20, len(text))))
    new = data.draw(
        st.sampled_from([b"", b"null", b"-1", b'"', b"[", b"{}", b"99999999999", b"\xff"])
    )
    try:
        corpus = read(written(scratch / "damaged.jsonl", text[:start] + new + text[stop:]))
        native(corpus)
    except InvalidInput as refused:
        assert refused.findings


def test_a_text_without_sentences_is_one(tmp_path: Path) -> None:
    document = {
        "corefscope": "0.1.0",
        "schema": "corpus/1",
        "name": "d",
        "tokens": 3,
        "entities": [{"label": "0", "mentions": [{"span": [0, 0]}, {"span": [2, 2]}]}],
        "layers": {"words": ["Ann", "saw", "her"]},
    }
    path = tmp_path / "key.jsonl"
    path.write_text(json.dumps(document))
    corpus = cs.read(path)
    assert corpus["d"].sentences == [range(3)]
    with pytest.warns(cs.CorefscopeWarning):
        assert sum(cs.analyze(corpus, corpus).errors.values()) == 0


def test_a_zero_that_stands_on_a_word(tmp_path: Path) -> None:
    """Only empty nodes can be zeros in Universal Anaphora."""
    corpus = read(ROOT / SAMPLES / "ua/both.conllua")
    path = tmp_path / "in.jsonl"
    write(corpus, path, "native")
    first, second = path.read_text("utf-8").splitlines()
    document = json.loads(second)
    markable = document["anaphora"]["identity"]["markables"][0]
    places: tuple[list[list[int]], ...] = (markable["parts"], [])
    for parts in places:
        markable.update(is_zero=True, parts=parts)
        written(path, first + "\n" + json.dumps(document) + "\n")
        with pytest.raises(InvalidInput) as refused:
            read(path)
        (finding,) = refused.value.findings
        assert (finding.code.id, finding.line) == ("E112", 2)
        assert finding.found == f"markable {markable['id']!r} is a zero at {parts}"
        assert finding.expected == "an empty node"
