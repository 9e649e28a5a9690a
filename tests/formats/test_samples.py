"""Every format reads its sample to the same two documents, and scores 100 against the others."""

from __future__ import annotations

from dataclasses import dataclass
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
    names: bool = True
    words: bool = True
    """Whether the tokens are those of the documents; otherwise only their letters are."""
    sentences: bool = True
    text: bool = False
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
    "spacy": Carries(path="spacy/both.spacy", text=True, types=True, heads=True),
    "allennlp": Carries(path="allennlp/both.jsonl", names=False, sentences=False),
}
"""A sample of each format, and what it carries."""


@pytest.fixture(scope="module", params=list(CARRIES))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def corpus_of(name: str) -> cs.Corpus:
    return cs.read(ROOT / SAMPLES / CARRIES[name].path)


def by_text(corpus: cs.Corpus) -> list[tuple[cs.Document, SampleDocument]]:
    """Each document of a corpus with the document that has its letters."""
    letters = {"".join(document.words): document for document in DOCUMENTS.values()}
    return [(document, letters["".join(document.words or ())]) for document in corpus]


def test_every_format_has_a_sample() -> None:
    assert set(CARRIES) == set(FORMATS)


def test_the_format_is_recognised(name: str) -> None:
    assert corpus_of(name).offsets.format.partition(":")[0] == name


def test_entities(name: str) -> None:
    corpus = corpus_of(name)
    for document, expected in by_text(corpus):
        if CARRIES[name].words:
            singletons = CARRIES[name].singletons
            assert partition(document) == expected.partition(singletons=singletons)


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
