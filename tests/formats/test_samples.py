"""Every format reads its sample to the same two documents, and scores 100 against the others."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

import pytest

import corefscope as cs
from corefscope.formats.registry import FORMATS
from formats.contents import partition
from formats.sample_documents import DOCUMENTS, SAMPLES, SampleDocument

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Carries:
    """What a sample says of the two documents."""

    path: str
    """The file or folder below docs/samples."""
    format: str | None = None
    """How it is read."""
    names: bool = True
    words: bool | None = True
    """Whether the tokens are those of the documents; otherwise only their letters are. None if
    there are no words."""
    sentences: bool = True
    text: bool = False
    characters: bool = False
    singletons: bool = True
    types: bool = False
    levels: bool = False
    heads: bool = False
    speakers: bool = False


CARRIES = {
    "conll": Carries(path="conll/both.conll"),
    "native": Carries(
        path="native/both.jsonl", text=True, types=True, levels=True, heads=True, speakers=True
    ),
    "tagged": Carries(path="tagged", words=False, sentences=False, text=True),
    "corefud": Carries(path="corefud/both.conllu", types=True, heads=True),
    "ua": Carries(path="ua/both.conllua"),
    "jsonl": Carries(path="jsonl/both.jsonl", types=True, levels=True, heads=True, speakers=True),
    "json": Carries(path="json/both.json", words=None, sentences=False),
    "subtoken": Carries(path="subtoken/both.jsonl", speakers=True),
    "fastcoref": Carries(
        path="fastcoref/both.jsonlines", names=False, words=False, sentences=False, text=True
    ),
    "crac-json": Carries(path="crac-json/both.json", sentences=False),
    "maverick": Carries(path="maverick/both.jsonl", names=False, sentences=False),
    "wl-coref": Carries(path="wl-coref/both.jsonlines", heads=True, speakers=True),
    "allennlp": Carries(path="allennlp/both.jsonl", names=False, sentences=False),
    "coref-data": Carries(path="coref-data/both.jsonl", text=True, characters=True, speakers=True),
    "preco": Carries(path="preco/both.jsonl"),
    "elit": Carries(path="elit/both.jsonl"),
    "spacy-json": Carries(
        path="spacy-json/both.jsonl", names=False, text=True, characters=True, types=True
    ),
    "spacy": Carries(path="spacy/both.spacy", text=True, characters=True, types=True, heads=True),
    "stanza": Carries(path="stanza", text=True, characters=True),
    "stanza-conllu": Carries(path="stanza-conllu", text=True, characters=True),
    "corenlp": Carries(
        path="corenlp", text=True, characters=True, levels=True, heads=True, speakers=True
    ),
    "scorch": Carries(path="scorch", words=None, sentences=False),
    "pairs": Carries(path="pairs/both.tsv", words=None, sentences=False),
    "tables": Carries(path="tables", words=None, sentences=False),
    "booknlp": Carries(
        path="booknlp", text=True, characters=True, types=True, levels=True, heads=True
    ),
    "brat": Carries(
        path="brat", words=False, sentences=False, text=True, singletons=False, types=True
    ),
    "cdcr": Carries(path="cdcr/village_entities.conll", format="cdcr:documents=column:3"),
    "cdcr-json": Carries(path="cdcr-json/village_entities.json", words=None, sentences=False),
    "corenlp-xml": Carries(
        path="corenlp-xml",
        text=True,
        characters=True,
        singletons=False,
        heads=True,
        speakers=True,
    ),
    "ecb": Carries(path="ecb", types=True),
    "label-studio": Carries(
        path="label-studio/both.json",
        names=False,
        words=False,
        sentences=False,
        text=True,
        types=True,
    ),
    "litbank": Carries(path="litbank", types=True, levels=True),
    "mmax2": Carries(path="mmax2"),
    "sacr": Carries(path="sacr", words=False, sentences=False, text=True, types=True),
    "webanno": Carries(path="webanno", text=True, characters=True, types=True),
}
"""A sample of each format, and what it carries."""
ONLY_RESPONSES = {
    "tagged": "tagged",
    "strings": "strings",
    "crac-text": "crac-text/both.txt",
    "corefinst": "corefinst/both.jsonl",
    "answers": "answers/both.jsonl",
}
"""Formats that are read against the text of a key, and their samples."""
CODES_OF_NAMES = {"W209"}


@pytest.fixture(scope="module", params=list(CARRIES))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def corpus_of(name: str) -> cs.Corpus:
    return cs.read(ROOT / SAMPLES / CARRIES[name].path, CARRIES[name].format)


def by_text(corpus: cs.Corpus) -> list[tuple[cs.Document, SampleDocument]]:
    """Each document of a corpus with the document that has its letters, or else its name."""
    letters = {"".join(document.words): document for document in DOCUMENTS.values()}
    return [
        (document, letters["".join(document.words)] if document.words else DOCUMENTS[document.name])
        for document in corpus
    ]


def test_every_format_has_a_sample() -> None:
    assert {*CARRIES, *ONLY_RESPONSES} == set(FORMATS)


def test_the_format_is_recognised(name: str) -> None:
    assert corpus_of(name).offsets.format.partition(":")[0] == name


def test_nothing_is_found(name: str) -> None:
    assert not corpus_of(name).findings


def test_it_can_be_sent_to_another_process(name: str) -> None:
    """Its texts are read there."""
    corpus = corpus_of(name)
    sent = pickle.loads(pickle.dumps(corpus))
    for ours, theirs in zip(corpus, sent, strict=True):
        assert ours.words == theirs.words and ours.sentences == theirs.sentences
        assert ours.attributes == theirs.attributes and ours.text == theirs.text
        assert partition(ours) == partition(theirs)


def characters_of(document: SampleDocument, span: tuple[int, int]) -> tuple[int, int]:
    return document.characters[span[0]][0], document.characters[span[1]][1]


def test_entities(name: str) -> None:
    corpus, carries = corpus_of(name), CARRIES[name]
    for document, expected in by_text(corpus):
        entities = expected.partition(singletons=carries.singletons)
        found = partition(document)
        if carries.words is None:
            found = {frozenset(_span(mention) for mention in entity) for entity in found}
        elif not carries.words:
            assert document.characters is not None
            places = document.characters
            found = {
                frozenset((places[first][0], places[last][1]) for first, last in entity)
                for entity in found
            }
            entities = {
                frozenset(characters_of(expected, span) for span in entity) for entity in entities
            }
        assert found == entities


def _span(mention: object) -> object:
    """The tokens of an id such as 3-7."""
    return tuple(map(int, mention.split("-"))) if isinstance(mention, str) else mention


def test_text(name: str) -> None:
    carries, corpus = CARRIES[name], corpus_of(name)
    pairs = by_text(corpus)
    assert {expected.name for _, expected in pairs} == set(DOCUMENTS)
    for document, expected in pairs:
        if carries.names:
            assert document.name == expected.name
        if carries.words:
            assert document.words == expected.words
        if carries.sentences:
            lengths = [len(sentence) for sentence in document.sentences]
            assert lengths == list(map(len, expected.sentences))
        found = None if document.text is None else document.text.rstrip("\n")
        assert found == (expected.text if carries.text else None)
        if carries.characters:
            assert document.characters is not None
            assert list(map(tuple, document.characters)) == expected.characters
        if carries.speakers and set(expected.speakers) != {"-"}:
            turns = zip(expected.speakers, expected.sentences, strict=True)
            assert document.speakers == [who for who, sentence in turns for _ in sentence]


def places(document: cs.Document, span: tuple[int, int]) -> tuple[int, int]:
    """Where a mention begins and ends in the letters of the text."""
    ends = list(accumulate(map(len, document.words or ()), initial=0))
    return ends[span[0]], ends[span[1] + 1]


def test_characters(name: str) -> None:
    if not CARRIES[name].text:
        return
    for document, expected in by_text(corpus_of(name)):
        assert document.characters is not None
        found = {
            frozenset(
                (document.characters[m.start][0], document.characters[m.end][1]) for m in entity
            )
            for entity in document.entities
        }
        assert found == {
            frozenset(
                (expected.characters[m.first][0], expected.characters[m.last][1])
                for m in entity.mentions
            )
            for entity in expected.entities
            if CARRIES[name].singletons or len(entity.mentions) > 1
        }


def test_types_and_levels(name: str) -> None:
    carries = CARRIES[name]
    if not (carries.types or carries.levels) or carries.words is None:
        return
    for document, expected in by_text(corpus_of(name)):
        assert document.attributes is not None
        ends = list(accumulate(map(len, expected.words), initial=0))
        known = {
            (ends[mention.first], ends[mention.last + 1]): (
                entity.type if carries.types else None,
                mention.level if carries.levels else None,
            )
            for entity in expected.entities
            for mention in entity.mentions
            if carries.singletons or len(entity.mentions) > 1
        }
        found = {places(document, span): tuple(a) for span, a in document.attributes.items()}
        assert found == known


def test_heads(name: str) -> None:
    corpus = corpus_of(name)
    if not CARRIES[name].heads:
        assert corpus.mention_heads is None
        return
    assert corpus.mention_heads is not None
    heads = corpus.mention_heads.tolist()
    for number, (document, expected) in enumerate(by_text(corpus)):
        found = {corpus.mention_id(row): heads[row] for row in corpus.mentions_of(number)}
        assert document.name == expected.name
        assert found == {
            (mention.first, mention.last): mention.head
            for entity in expected.entities
            for mention in entity.mentions
            if CARRIES[name].singletons or len(entity.mentions) > 1
        }


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_scores_against_conll(name: str) -> None:
    conll, corpus = ROOT / SAMPLES / "conll/both.conll", corpus_of(name)
    assert cs.score(conll, corpus, singletons="drop").conll == 1
    if name not in ONLY_RESPONSES:
        assert cs.score(corpus, conll, singletons="drop").conll == 1


NAMELESS = [name for name, format in FORMATS.items() if format.is_nameless]


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
@pytest.mark.parametrize("name", NAMELESS)
def test_no_warning_about_names_that_the_format_does_not_have(name: str, tmp_path: Path) -> None:
    key = ROOT / SAMPLES / "conll/both.conll"
    path = ROOT / SAMPLES / (ONLY_RESPONSES.get(name) or CARRIES[name].path)
    assert not CODES_OF_NAMES & {each.code.id for each in cs.score(key, path).findings}
    if path.suffix.startswith(".jsonl"):
        alone = [tmp_path / f"{side}{path.suffix}" for side in ("gold", "system")]
        for file in alone:
            file.write_text(path.read_text("utf-8").splitlines()[0], encoding="utf-8")
        scores = cs.score(*alone)
        assert scores.conll == 1 and not scores.findings
        scores = cs.score(key, alone[1])
        assert not CODES_OF_NAMES & {each.code.id for each in scores.findings}


def test_names_that_a_nameless_format_does_not_have() -> None:
    assert {name for name, carries in CARRIES.items() if not carries.names} <= set(NAMELESS)


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
@pytest.mark.parametrize("name", ONLY_RESPONSES)
def test_formats_of_responses_score_against_conll(name: str) -> None:
    folder = ROOT / SAMPLES
    response = folder / ONLY_RESPONSES[name]
    assert cs.score(folder / "conll/both.conll", response, singletons="drop").conll == 1
