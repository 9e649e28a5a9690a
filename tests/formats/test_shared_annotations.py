"""The shared samples of text, table and XML formats read to what `expected.json` says."""

from __future__ import annotations

import json
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

import corefscope as cs
from formats.contents import codes, partition, refusal

PLACES = [parent / "shared" for parent in Path(__file__).resolve().parents]
SHARED = next((place for place in PLACES if (place / "cases" / "formats").is_dir()), Path())
pytestmark = pytest.mark.skipif(Path() == SHARED, reason="the shared samples are not here")
FORMATS = SHARED / "cases" / "formats"

WORDS, TEXT, HEADS, LEVELS, ALONE = "words", "text", "heads", "levels", "alone"
SAMPLES: dict[str, tuple[str, ...]] = {
    "booknlp": (WORDS, TEXT, HEADS, LEVELS, ALONE),
    "brat-equiv": (TEXT,),
    "brat-relations": (TEXT,),
    "brat-types": (TEXT, ALONE),
    "litbank-tsv": (WORDS, LEVELS, ALONE),
    "webanno-chain": (WORDS, TEXT, ALONE),
    "webanno-relation": (WORDS, TEXT, ALONE),
    "cdcr-conll/dev_entities_corpus_level.conll": (WORDS, ALONE),
    "cdcr-conll/dev_entities_topic_level.conll": (WORDS, ALONE),
    "ecb-xml": (WORDS, ALONE),
    "corenlp-xml": (WORDS, TEXT, HEADS, ALONE),
    "mmax2": (WORDS, ALONE),
    "sacr": (TEXT, ALONE),
}
"""What each sample carries, apart from its entities.

In two samples of brat nothing of the type of the singleton is linked, so it may be no mention.
"""


@cache
def expected() -> dict[str, dict[str, Any]]:
    """The documents by their letters."""
    found = json.loads((FORMATS / "expected.json").read_text("utf-8"))["documents"]
    return {
        "".join(word for sentence in document["sentences"] for word in sentence): document
        for document in found
    }


def spans(document: cs.Document) -> set[frozenset[tuple[int, int]]]:
    """The entities, counted in letters: they do not depend on how a text is divided."""
    ends = list(accumulate(map(len, document.words or ()), initial=0))
    return {
        frozenset((ends[first], ends[last + 1]) for first, last in entity)
        for entity in partition(document)
    }


def expected_spans(document: dict[str, Any], *, alone: bool) -> set[frozenset[tuple[int, int]]]:
    words = [word for sentence in document["sentences"] for word in sentence]
    ends = list(accumulate(map(len, words), initial=0))
    return {
        frozenset((ends[m["first"]], ends[m["last"] + 1]) for m in entity["mentions"])
        for entity in document["entities"]
        if alone or len(entity["mentions"]) > 1
    }


@pytest.mark.parametrize("path", SAMPLES)
def test_sample(path: str) -> None:
    carried = SAMPLES[path]
    apart = "cdcr:documents=column:3" if path.startswith("cdcr") else None
    corpus = cs.read(FORMATS / path, apart)
    assert codes(corpus) == ([] if ALONE in carried else ["W160"])
    pairs = [(each, expected()["".join(each.words or ())]) for each in corpus]
    assert len(pairs) == 2
    for document, known in pairs:
        assert spans(document) == expected_spans(known, alone=ALONE in carried)
        if WORDS in carried:
            lengths = [len(sentence) for sentence in document.sentences]
            assert lengths == list(map(len, known["sentences"]))
            assert document.words == [word for each in known["sentences"] for word in each]
        if TEXT in carried:
            assert document.text == known["text"]
            assert document.characters is not None
            assert (WORDS not in carried) or document.characters == [
                tuple(pair) for pair in known["token_chars"]
            ]
        if LEVELS in carried:
            assert document.attributes and all(each.level for each in document.attributes.values())
    assert (corpus.mention_heads is not None) == (HEADS in carried)


@pytest.mark.parametrize("path", ["brat-equiv", "brat-relations"])
def test_all_types_as_mentions(path: str) -> None:
    corpus = cs.read(FORMATS / path, "brat:types=FAC+LOC+OBJ+PER+TIME+VEH")
    for document in corpus:
        known = expected()["".join(document.words or ())]
        assert spans(document) == expected_spans(known, alone=True)


def test_mentions_as_json() -> None:
    corpus = cs.read(FORMATS / "cdcr-conll" / "dev_entities.json")
    apart = "cdcr:documents=column:3"
    columns = cs.read(FORMATS / "cdcr-conll" / "dev_entities_topic_level.conll", apart)
    assert [partition(document) for document in corpus] == [
        partition(document) for document in columns
    ]


def test_discontinuous() -> None:
    (document,) = cs.read(FORMATS / "extra" / "brat-discontinuous")
    (entity,) = partition(document)
    assert any(len(id) == 2 and isinstance(id[0], tuple) for id in entity)


@pytest.mark.parametrize("name", ["gold.tsv", "system.tsv"])
def test_gap_is_another_task(name: str) -> None:
    assert refusal(lambda: cs.read(FORMATS / "gap" / name)) == [("E118", None)]


def test_three_formats_of_litbank() -> None:
    """The same annotation in brat, TSV and CoNLL."""
    folder = SHARED / "data" / "litbank-formats"
    if not folder.is_dir():
        pytest.skip("LitBank is not here")
    brat, tsv, conll = (cs.read(folder / name) for name in ("brat", "tsv", "conll"))
    by_letters = {"".join(document.words or ()): document for document in conll}
    assert len(by_letters) == len(brat) == len(tsv)
    for document in (*brat, *tsv):
        assert spans(document) == spans(by_letters["".join(document.words or ())])
