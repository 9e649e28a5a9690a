"""The shared samples of the JSON family read to what their `expected.json` says."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import corefscope as cs
from formats.contents import partition

PLACES = [parent / "shared" / "cases" / "formats" for parent in Path(__file__).resolve().parents]
SHARED = next((place for place in PLACES if place.is_dir()), None)
pytestmark = pytest.mark.skipif(SHARED is None, reason="the shared samples are not here")

WORDS, SENTENCES, TEXT, SPEAKERS, HEADS, LEVELS = (
    "words",
    "sentences",
    "text",
    "speakers",
    "heads",
    "levels",
)
SAMPLES: dict[str, tuple[str, ...]] = {
    "jsonl-e2e/both.jsonlines": (WORDS, SENTENCES, SPEAKERS),
    "bookcoref/both.jsonl": (WORDS, SENTENCES),
    "bookcoref/characters_as_dict.jsonl": (WORDS, SENTENCES),
    "subtoken/coref-hoi_no_newline.json": (WORDS, SENTENCES),
    "subtoken/mandarjoshi.jsonlines": (WORDS, SENTENCES),
    "subtoken/fast-coref.log.jsonl": (WORDS, SENTENCES),
    "fastcoref/text.jsonlines": (TEXT,),
    "fastcoref/pretokenised.jsonlines": (WORDS,),
    "fastcoref/training_tokens.jsonlines": (WORDS,),
    "fastcoref/with_null_mention.jsonlines": (TEXT,),
    "maverick/both.jsonl": (WORDS,),
    "maverick/text2text.json": (WORDS,),
    "maverick/xcore_cross.json": (WORDS,),
    "wl-coref/predicted.jsonlines": (WORDS, SENTENCES, SPEAKERS, HEADS),
    "wl-coref/gold_head.jsonlines": (WORDS, SENTENCES, SPEAKERS, HEADS),
    "wl-coref/gold_before_heads.jsonlines": (WORDS, SENTENCES, SPEAKERS),
    "wl-coref/stanza_predict_no_newline.json": (WORDS, SENTENCES, SPEAKERS, HEADS),
    "allennlp/both.jsonl": (WORDS,),
    "coref-data/both.jsonl": (WORDS, SENTENCES, TEXT, SPEAKERS),
    "preco/both.jsonl": (WORDS, SENTENCES),
    "elit/both.jsonl": (WORDS, SENTENCES),
    "spacy/to_json.jsonl": (WORDS, TEXT),
    "stanza/harbour.json": (WORDS, SENTENCES, TEXT),
    "stanza/studio.json": (WORDS, SENTENCES, TEXT),
    "stanza/harbour.conllu": (WORDS, SENTENCES, TEXT),
    "stanza/studio.conllu": (WORDS, SENTENCES, TEXT),
    "corenlp-json/harbour.txt.json": (WORDS, SENTENCES, HEADS, LEVELS),
    "corenlp-json/studio.txt.json": (WORDS, SENTENCES, HEADS, LEVELS),
}
"""What each sample carries, apart from its entities."""


@cache
def expected() -> dict[str, dict[str, Any]]:
    """The two documents, by their letters."""
    assert SHARED is not None
    documents = json.loads((SHARED / "expected.json").read_text(encoding="utf-8"))["documents"]
    return {
        "".join(word for words in document["sentences"] for word in words): document
        for document in documents
    }


def spans(document: dict[str, Any], first: str, last: str) -> set[frozenset[Any]]:
    return {
        frozenset((mention[first], mention[last]) for mention in entity["mentions"])
        for entity in document["entities"]
    }


@pytest.mark.parametrize("name", SAMPLES)
def test_a_shared_sample_reads_as_expected(name: str) -> None:
    assert SHARED is not None
    corpus = cs.read(SHARED / name, role="response")
    assert len(corpus)
    for document in corpus:
        truth = expected()["".join(document.words or ())]
        check_text(document, truth, SAMPLES[name])
        found = partition(document)
        if WORDS in SAMPLES[name]:
            assert found == spans(truth, "first", "last")
        else:
            assert document.characters is not None
            places = document.characters
            found = {frozenset((places[a][0], places[b][1]) for a, b in e) for e in found}
            assert found == spans(truth, "char_start", "char_end")
    check_mentions(corpus, SAMPLES[name])


def check_text(document: cs.Document, truth: dict[str, Any], carries: tuple[str, ...]) -> None:
    words = [word for sentence in truth["sentences"] for word in sentence]
    if WORDS in carries:
        assert document.words == words
    if SENTENCES in carries:
        assert [len(each) for each in document.sentences] == list(map(len, truth["sentences"]))
    if TEXT in carries:
        assert document.text == truth["text"]
    if TEXT in carries and WORDS in carries:
        assert document.characters is not None
        assert [list(pair) for pair in document.characters] == truth["token_chars"]
    if SPEAKERS in carries and set(truth["speakers"]) != {"-"}:
        rows = zip(truth["speakers"], truth["sentences"], strict=True)
        assert document.speakers == [speaker for speaker, row in rows for _ in row]


def check_mentions(corpus: cs.Corpus, carries: tuple[str, ...]) -> None:
    for document in corpus:
        truth = expected()["".join(document.words or ())]
        mentions = [mention for entity in truth["entities"] for mention in entity["mentions"]]
        if LEVELS in carries:
            assert document.attributes is not None
            levels = {span: given.level for span, given in document.attributes.items()}
            assert levels == {(m["first"], m["last"]): m["level"] for m in mentions}
        if HEADS in carries:
            assert corpus.mention_heads is not None
            rows = corpus.mentions_of(document.index)
            heads = {
                tuple(corpus.mention_spans[row].tolist()): int(corpus.mention_heads[row])
                for row in rows
            }
            assert heads == {(m["first"], m["last"]): m["head"] for m in mentions}


@pytest.mark.parametrize("name", ["scorch"])
def test_ids_score_against_spans(name: str) -> None:
    assert SHARED is not None
    key, path = SHARED / "conll2012/both.conll", SHARED / name
    assert cs.score(key, path, singletons="drop").conll == 1
    assert cs.score(path, key, singletons="drop").conll == 1


def test_pairs_score_against_themselves() -> None:
    assert SHARED is not None
    (document,) = cs.read(SHARED / "pairs/both.tsv")
    truth = {
        frozenset(f"{text['id']}:{m['first']}-{m['last']}" for m in entity["mentions"])
        for text in expected().values()
        for entity in text["entities"]
    }
    assert partition(document) == truth
