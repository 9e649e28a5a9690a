"""Documents of other libraries are scored as they are in memory."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

import corefscope as cs
from corefscope.extensions.toolkits import stanza
from corefscope.formats.reading.builder import Builder
from corefscope.formats.reading.file import File
from corefscope.formats.reading.source import Source
from corefscope.formats.registry import FORMATS
from corefscope.inputs import as_corpus
from live_objects import FastcorefResult, SpacyDoc, coreferee_doc, stanza_document

TEXT = "Zoë met Bob 🎻\nShe likes him"
"""Tokens: Zoë met Bob 🎻, She likes him; Zoë is she, Bob is him."""
EXPECTED = {frozenset({(0, 0), (4, 4)}), frozenset({(2, 2), (6, 6)})}


def partition(corpus: cs.Corpus) -> set[frozenset[Any]]:
    (document,) = corpus
    return {frozenset(mention.id for mention in entity) for entity in document.entities}


def experimental() -> SpacyDoc:
    doc = SpacyDoc(TEXT)
    doc.spans = {
        "coref_clusters_1": [doc.span(0, 1, "PER"), doc.span(5, 6, "PER")],
        "coref_clusters_2": [doc.span(2, 3), doc.span(7, 8)],
        "coref_head_clusters_2": [doc.span(2, 3), doc.span(7, 8)],
        "sc": [doc.span(1, 2)],
    }
    return doc


def characters(*clusters: list[str]) -> list[Any]:
    return [[(TEXT.index(word), TEXT.index(word) + len(word)) for word in c] for c in clusters]


def neuralcoref() -> SpacyDoc:
    doc = SpacyDoc(TEXT)
    pairs = [[(0, 1), (5, 6)], [(2, 3), (7, 8)]]
    doc.extensions["coref_clusters"] = [
        type("Cluster", (), {"mentions": [doc.span(*pair) for pair in cluster]})
        for cluster in pairs
    ]
    return doc


def fastcoref_component() -> SpacyDoc:
    doc = SpacyDoc(TEXT)
    doc.extensions["coref_clusters"] = characters(["Zoë", "She"], ["Bob", "him"])
    return doc


OBJECTS: dict[str, Any] = {
    "spacy-experimental": experimental(),
    "neuralcoref": neuralcoref(),
    "fastcoref component": fastcoref_component(),
    "fastcoref": FastcorefResult(TEXT, characters(["Zoë", "She"], ["Bob", "him"])),
    "fastcoref of words": FastcorefResult(TEXT.split(), [[(0, 1), (4, 5)], [(2, 3), (6, 7)]]),
    "stanza": stanza_document(TEXT.split("\n"), [[(0, 0, 1), (1, 0, 1)], [(0, 2, 3), (1, 2, 3)]]),
    "allennlp": {"document": TEXT.split(), "clusters": [[[0, 0], [4, 4]], [[2, 2], [6, 6]]]},
    "maverick": {
        "tokens": TEXT.split(),
        "clusters_token_offsets": [[(0, 0), (4, 4)], [(2, 2), (6, 6)]],
        "clusters_char_offsets": None,
        "clusters_token_text": [["Zoë", "She"], ["Bob", "him"]],
        "clusters_char_text": None,
    },
}
if "maverick" not in FORMATS:
    del OBJECTS["maverick"]


@pytest.mark.parametrize("name", OBJECTS)
def test_an_object_is_read(name: str) -> None:
    for given in (OBJECTS[name], [OBJECTS[name]], (OBJECTS[name],)):
        corpus = as_corpus(given, "the key")
        assert partition(corpus) == EXPECTED
        (document,) = corpus
        assert document.words == TEXT.split()


@pytest.mark.parametrize("name", OBJECTS)
def test_objects_are_scored_against_each_other(name: str) -> None:
    scores = cs.score([OBJECTS["spacy-experimental"]] * 2, [OBJECTS[name]] * 2)
    assert scores.conll == 1
    assert len(scores.document_names) == 2


def test_what_spacy_documents_carry() -> None:
    (document,) = corpus = as_corpus([experimental()], "the key")
    assert document.text == TEXT
    assert document.sentences == [range(4), range(4, 7)]
    assert document.attributes is not None
    assert document.attributes[4, 4].type == "PER"
    assert corpus.mention_heads is not None
    assert corpus.mention_heads.tolist() == [-1, -1, 2, 6]
    named = experimental()
    named.user_data["corefscope_name"] = "greeting"
    assert as_corpus(named, "the key").document_names == ("greeting",)


def test_heads_are_refused_unless_they_are_wanted() -> None:
    docs = [coreferee_doc([0], [2])]
    with pytest.raises(cs.InvalidInput, match=r"heads_as_spans.*match by head.*E206"):
        cs.score(docs, docs)
    assert partition(cs.heads_as_spans(docs)) == {frozenset({(0, 0), (2, 2)})}
    split = cs.heads_as_spans([coreferee_doc([0], [2, 4])])
    assert partition(split) == {frozenset({(0, 0)})}
    assert [finding.code.id for finding in split.findings] == ["W151"]
    heads = SpacyDoc(TEXT)
    heads.spans["coref_head_clusters_1"] = [heads.span(0, 1)]
    with pytest.raises(cs.InvalidInput, match="span resolver"):
        cs.score([heads], [heads])


def test_other_lists_are_still_clusters() -> None:
    assert partition(as_corpus([[(0, 0), (1, 1)]], "x")) == {frozenset({(0, 0), (1, 1)})}
    for other in ([(0, 0)], OBJECTS["allennlp"]):
        for items in ([experimental(), other], [OBJECTS["allennlp"], experimental()]):
            with pytest.raises(TypeError, match="a document and something else"):
                as_corpus(items, "the key")


@pytest.mark.skipif(find_spec("spacy") is None, reason="make test installs spaCy")
def test_real_documents_of_spacy(tmp_path: Path) -> None:
    from spacy.tokens import Doc, DocBin
    from spacy.vocab import Vocab

    words = ["Zoë", "met", "Bob", "🎻", "\n", "She", "likes", "him"]
    doc: Any = Doc(Vocab(), words=words, spaces=[True, True, True, False, False, True, True, False])
    doc.spans["coref_clusters_1"] = [doc[0:1], doc[5:6]]
    doc.spans["coref_clusters_2"] = [doc[2:3], doc[7:8]]
    assert doc.text == TEXT
    assert cs.score([doc], [experimental()]).conll == 1
    DocBin(docs=[doc]).to_disk(tmp_path / "both.spacy")
    corpus = cs.read(tmp_path / "both.spacy")
    assert partition(corpus) == EXPECTED
    assert corpus.document_names == ("both",)
    data = (tmp_path / "both.spacy").read_bytes()
    (tmp_path / "bad.spacy").write_bytes(data[: len(data) // 2])
    with pytest.raises(cs.InvalidInput, match="expected a DocBin"):
        cs.read(tmp_path / "bad.spacy")


WITH_FASTCOREF = """
import sys
import spacy
from spacy.tokens import Doc, DocBin

Doc.set_extension("coref_clusters", default=None)
docs = [spacy.blank("en")(text) for text in ("Ann saw Bob. She waved.", "Cid slept.")]
docs[0]._.coref_clusters = eval(sys.argv[2])
docs[1]._.coref_clusters = []
DocBin(docs=docs, store_user_data=True).to_disk(sys.argv[1])
"""


def test_entities_of_fastcoref_in_a_docbin(tmp_path: Path) -> None:
    """The extension of fastcoref is known to the process that wrote the file, but not to this."""
    pytest.importorskip("spacy")

    def file_with(clusters: str) -> Path:
        path = tmp_path / "both.spacy"
        command = [sys.executable, "-c", WITH_FASTCOREF, str(path), clusters]
        subprocess.run(command, check=True, timeout=120)
        return path

    corpus = cs.read(file_with("[[(0, 3), (13, 16)], [(8, 11), None]]"))
    assert [m.id for e in corpus["both#1"].entities for m in e] == [(0, 0), (4, 4), (2, 2)]
    assert not corpus["both#2"].entities
    assert [finding.code.id for finding in corpus.findings] == ["W151"]
    with pytest.raises(cs.InvalidInput, match="has the mention 'Ann'; expected two offsets"):
        cs.read(file_with("[['Ann', 'She']]"))


def test_dictionaries_with_gold_and_predicted_clusters_are_read_by_their_role() -> None:
    record = {
        "doc_key": "x",
        "sentences": [["Ida", "saw", "her", "dog"]],
        "clusters": [[[0, 0], [2, 2]]],
        "predicted_clusters": [[[0, 0], [2, 3]]],
    }
    with pytest.warns(cs.CorefscopeWarning, match="the file is used as key"):
        scores = cs.score([record], [record])
    assert scores.mentions.f1 == 0.5


def both() -> SpacyDoc:
    doc = experimental()
    doc.spans["gold_clusters_1"] = [doc.span(0, 1), doc.span(7, 8)]
    return doc


GOLD = {frozenset({(0, 0), (6, 6)})}


def test_groups_of_spacy_are_chosen_by_their_role() -> None:
    assert partition(as_corpus(both(), "x", role="key")) == GOLD
    for role in ("response", None):
        corpus = as_corpus([both()], "x", role=role)
        assert partition(corpus) == EXPECTED
        assert [finding.code.id for finding in corpus.findings] == ["W110"]
    with pytest.warns(cs.CorefscopeWarning, match="those of 'gold_clusters' are read, because th"):
        scores = cs.score([both()], [both()])
    assert scores.mentions.recall_counts == (2, 2) and scores.mentions.precision_counts == (2, 4)


def test_a_document_of_spacy_without_the_chosen_groups_is_empty() -> None:
    """What a system did not find is not read from the gold entities, and vice versa."""
    gold = SpacyDoc(TEXT, {"gold_clusters_1": both().spans["gold_clusters_1"]})
    docs = [gold, experimental(), both()]
    for role, sizes in (("key", [1, 0, 1]), ("response", [0, 2, 2])):
        corpus = as_corpus(docs, "x", role=role)  # type: ignore[arg-type]
        assert [len(document.entities) for document in corpus] == sizes
        assert [finding.code.id for finding in corpus.findings] == ["W110"]


@pytest.mark.parametrize("found", [[["Zoë", "him"]], []])
def test_gold_groups_of_spacy_beside_a_component(found: list[list[str]]) -> None:
    doc = SpacyDoc(TEXT)
    doc.spans["gold_clusters_1"] = [doc.span(0, 1), doc.span(5, 6)]
    doc.extensions["coref_clusters"] = characters(*found)
    key, response = (as_corpus([doc], "x", role=role) for role in ("key", "response"))
    assert partition(key) == {frozenset({(0, 0), (4, 4)})}
    assert partition(response) == ({frozenset({(0, 0), (6, 6)})} if found else set())
    assert "W110" in [finding.code.id for finding in response.findings]


def test_groups_of_spacy_without_a_number_are_reported() -> None:
    doc = experimental()
    doc.spans["gold_clusters"] = [doc.span(2, 3)]
    corpus = as_corpus(doc, "x", role="key")
    assert partition(corpus) == EXPECTED
    (finding,) = corpus.findings
    assert finding.code.id == "W110" and "only groups with a number are read" in finding.message


@pytest.mark.skipif(find_spec("spacy") is None, reason="make test installs spaCy")
def test_groups_of_a_docbin_are_chosen_by_their_role(tmp_path: Path) -> None:
    from spacy.tokens import Doc, DocBin
    from spacy.vocab import Vocab

    doc: Any = Doc(Vocab(), words=["Ann", "saw", "her", "."])
    doc.spans["coref_clusters_1"] = [doc[0:1], doc[2:3]]
    doc.spans["gold_clusters_1"] = [doc[0:1], doc[1:2]]
    path = tmp_path / "x.spacy"
    DocBin(docs=[doc]).to_disk(path)
    gold, found = {frozenset({(0, 0), (1, 1)})}, {frozenset({(0, 0), (2, 2)})}
    for role, expected in (("key", gold), ("response", found), (None, found)):
        corpus = cs.read(path, role=role)  # type: ignore[arg-type]
        assert partition(corpus) == expected
        (finding,) = corpus.findings
        assert finding.code.id == "W110" and "use the format 'spacy:" in finding.message
    chosen = cs.read(path, "spacy:gold_clusters", role="response")
    assert partition(chosen) == gold and not chosen.findings


NESTED = "without a list or a dict around them"
MISUSED: dict[str, tuple[Any, str]] = {
    "a list of lists of documents": ([[experimental()]], NESTED),
    "documents of spaCy by name": ({"a": experimental()}, NESTED),
    "documents of fastcoref by name": ({"a": OBJECTS["fastcoref"]}, NESTED),
    "records by name": ({"a": OBJECTS["allennlp"]}, r"list\(documents.values\(\)\)"),
}


@pytest.mark.parametrize("case", MISUSED)
def test_documents_in_other_shapes_are_refused(case: str) -> None:
    given, message = MISUSED[case]
    for sides in ((given, [experimental()]), ([experimental()], given), (given, given)):
        with pytest.raises(TypeError, match=message):
            cs.score(*sides)


@pytest.mark.parametrize("name", OBJECTS)
def test_iterators_over_documents(name: str) -> None:
    docs = [experimental()] * 2
    assert cs.score(iter(docs), (OBJECTS[name] for _ in docs)).conll == 1
    evaluation = cs.evaluate(docs, {"one": iter([OBJECTS[name]] * 2)})
    assert evaluation["one"].scores.conll == 1
    twice = cs.evaluate(docs, {"two": [(OBJECTS[name] for _ in docs), [OBJECTS[name]] * 2]})
    assert [len(run.response) for run in twice.systems] == [2, 2]
    once = cs.evaluate(docs, {"one": [OBJECTS[name]] * 2})
    assert [len(run.response) for run in once.systems] == [2]


def test_iterators_over_clusters_are_still_clusters() -> None:
    clusters = [[(0, 0), (2, 2)], [(4, 4)]]
    assert cs.score(clusters, iter(clusters)).conll == 1
    evaluation = cs.evaluate(clusters, {"one": [iter(entity) for entity in clusters]})
    assert evaluation["one"].scores.conll == 1


def test_documents_may_have_any_name() -> None:
    """Clusters of documents named as the fields of JSON formats are no record."""
    key: Any = {"document": [[(0, 0), (1, 1)]], "coref2": [[(0, 0), (2, 2)]]}
    assert cs.score(key, key).document_names == ("document", "coref2")


def test_the_tree_gives_the_heads_of_mentions() -> None:
    """The mention "big dog" has the head "dog", which coreferee marks."""
    parents = [1, 1, 3, 1, 1]
    gold = SpacyDoc("Ann saw big dogs there", parents=parents)
    gold.spans["coref_clusters_1"] = [gold.span(0, 1), gold.span(2, 4)]
    found = SpacyDoc(gold.text, parents=parents)
    mentions = [SimpleNamespace(token_indexes=[n]) for n in (0, 3)]
    found.extensions["coref_chains"] = [SimpleNamespace(mentions=mentions)]
    assert cs.score(gold, cs.heads_as_spans(found)).mentions.f1 == 0.5
    for docs in (found, [found], iter([found])):
        assert cs.score(gold, cs.heads_as_spans(docs), match="head").mentions.f1 == 1
    bare = SpacyDoc(gold.text)
    bare.spans["coref_clusters_1"] = [bare.span(0, 1), bare.span(2, 4)]
    with pytest.raises(cs.InvalidInput, match=r"add heads or trees.*E220"):
        cs.score(bare, cs.heads_as_spans(found), match="head")
    with pytest.raises(TypeError, match="expected a list of them"):
        cs.heads_as_spans([])


def test_the_tree_of_tokens_that_are_divided() -> None:
    """A mention that ends inside the first token moves the tokens after it."""
    doc = SpacyDoc("AnnBob saw big dogs", parents=[1, 1, 3, 1])
    doc.extensions["coref_clusters"] = [[(0, 3), (11, 19)]]
    corpus = as_corpus(doc, "the key")
    assert corpus.mention_heads is not None
    assert corpus.mention_heads.tolist() == [0, 4]


@pytest.mark.parametrize("lost", [None, (None, None)])
def test_mentions_that_fastcoref_cannot_place(lost: Any) -> None:
    doc = fastcoref_component()
    doc.extensions["coref_clusters"][0].append(lost)
    for given in (doc, FastcorefResult(TEXT, doc.extensions["coref_clusters"])):
        corpus = as_corpus([given], "the key")
        assert partition(corpus) == EXPECTED
        assert [finding.code.id for finding in corpus.findings] == ["W151"]


def test_groups_of_spans_win_over_components() -> None:
    doc = experimental()
    doc.extensions["coref_clusters"] = characters(["Zoë", "him"])
    corpus = as_corpus(doc, "the key")
    assert partition(corpus) == EXPECTED
    assert [finding.code.id for finding in corpus.findings] == ["W110"]
    doc.extensions["coref_clusters"] = []
    assert not as_corpus(doc, "the key").findings


@pytest.mark.parametrize(
    ("token", "words"),
    [("del", "de el"), ("dámelo", "da me lo"), ("à", "a a"), ("zum", "zu dem"), ("au", "à le")],
)
def test_tokens_of_several_words(token: str, words: str) -> None:
    """Stanza's words are not those of the text; a mention of whole tokens can be compared."""
    first = [SimpleNamespace(text=word) for word in words.split()]
    second = SimpleNamespace(text="perro")
    text, end = f"{token} perro", len(token)
    document = stanza_document([f"{words} perro"], [[(0, 0, len(first) + 1), (0, len(first), 4)]])
    document.text = text
    document.coref[0].mentions[1].end_word = len(first) + 1
    document.sentences[0].tokens = [
        SimpleNamespace(words=first, start_char=0, end_char=end),
        SimpleNamespace(words=[second], start_char=end + 1, end_char=len(text)),
    ]
    assert as_corpus([document], "the key")["document"].words == [*words.split(), "perro"]
    plain = SpacyDoc(text)
    plain.spans["coref_clusters_1"] = [plain.span(0, 2), plain.span(1, 2)]
    for sides in (([plain], [document]), ([document], [plain])):
        with pytest.warns(cs.CorefscopeWarning, match=r"the same letters.*W252"):
            assert cs.score(*sides).mentions.f1 == 1
    document.sentences[0].tokens[0].start_char = None
    with pytest.raises(cs.InvalidInput, match="E202"):
        cs.score([plain], [document])


def test_words_that_stanza_adds_are_read_as_in_json() -> None:
    """Words that are not spoken, with the numbers that Stanza gives them in a sentence."""
    document = stanza_document(
        ["Ann slept", "snored and woke up"],
        [[(0, 0, 1), (1, (0, 2), (0, 2)), (1, (2, 1), (2, 1))], [(1, 0, 3), (0, 1, 2)]],
    )
    empty = [SimpleNamespace(id=(2, 1), text="_"), SimpleNamespace(id=(0, 2), text="_")]
    document.sentences[1].empty_words = [*empty, SimpleNamespace(id=(4, 3), text="_")]
    corpus = as_corpus([document], "the key")
    (found,) = corpus
    assert found.words == ["Ann", "slept", "_", "snored", "and", "_", "woke", "up", "_"]
    assert [[m.id for m in entity] for entity in found.entities] == [
        [(0, 0), (2, 2), (5, 5)],
        [(3, 6), (1, 1)],
    ]
    assert list(corpus.empty_nodes.ids) == ["0.1", "2.1", "4.1"]

    def word(id: object, text: str, *chains: tuple[int, bool, bool]) -> dict[str, Any]:
        flags = [{"index": n, "is_start": a, "is_end": b} for n, a, b in chains]
        return {"id": id, "text": text, "coref_chains": flags}

    as_json = [
        [word(1, "Ann", (0, True, True)), word(2, "slept", (1, True, True))],
        [
            word([0, 2], "_", (0, True, True)),
            word(1, "snored", (1, True, False)),
            word(2, "and"),
            word([2, 1], "_", (0, True, True)),
            word(3, "woke", (1, False, True)),
            word(4, "up"),
            word([4, 3], "_"),
        ],
    ]
    for sides in ((document, as_json), (as_json, document)):
        scores = cs.score(*map(written_or_given, sides))
        assert scores.muc.recall_counts == (3, 3)
        assert scores.muc.f1 == 1 and not scores.findings


def written_or_given(document: Any) -> Any:
    """A live document, or a corpus of a document of Stanza in JSON."""
    if not isinstance(document, list):
        return document
    source = Source(name="x.json", path=None, _kept=json.dumps(document).encode())
    builder = Builder()
    stanza.read(File(source=source, builder=builder))
    return replace(builder.corpus("x.json"), document_names=("document",))


@pytest.mark.parametrize("place", [(0, 1, 3), (0, 1, 1), (0, 2, 1), (0, -1, 1), (1, 0, 1)])
def test_a_mention_outside_its_sentence_is_reported(place: tuple[int, int, int]) -> None:
    document = stanza_document(["Ann slept"], [[(0, 0, 1), place, (0, (2, 1), (2, 1))]])
    with pytest.raises(cs.InvalidInput, match="E113"):
        as_corpus([document], "the key")


@pytest.mark.parametrize("place", [(9, 1), (1, 0), (1, 1, 1), None])
def test_a_word_that_no_sentence_has_is_left_out(place: Any) -> None:
    document = stanza_document(["Ann slept"], [[(0, 0, 1), (0, place, place)]])
    corpus = as_corpus([document], "the key")
    assert [finding.code.id for finding in corpus.findings] == ["W151"]
    assert len(corpus.mention_entity) == 1 and not corpus.empty_nodes


def test_an_empty_list_beside_documents() -> None:
    with pytest.raises(TypeError, match="the response is an empty list"):
        cs.score([experimental()] * 2, [])
    with pytest.raises(TypeError, match="the key is an empty list"):
        cs.evaluate([], {"a": [experimental()]})


def test_documents_without_entities() -> None:
    with pytest.warns(cs.CorefscopeWarning, match=r"only document of the response.*component"):
        assert cs.score([experimental()], [SpacyDoc(TEXT)]).conll == 0
