"""What is written is read back: the same entities, or what is missing was listed."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from corefscope import CannotExpress, Corpus, Document, read, write
from corefscope.formats.registry import writings
from corefscope.formats.writing.abilities import NAMES
from corefscope.formats.writing.losses import losses_of, without
from formats.contents import partition, written
from formats.random_corpora import lines
from formats.sample_documents import SAMPLES

pytestmark = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
ROOT = Path(__file__).parents[2] / SAMPLES
FORMATS = [name for name in writings() if name != "spacy" or find_spec("spacy")]
TOKENS_OF_TEXT = ("brat",)
"""The formats without tokens; readers divide their texts into other ones."""


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("sample", sorted(path.name for path in ROOT.iterdir()))
def test_samples(sample: str, format: str, tmp_path: Path) -> None:
    check(read(ROOT / sample), tmp_path / "out", format)


@pytest.mark.parametrize("format", FORMATS)
@given(text=lines())
@settings(max_examples=60)
def test_random_documents(format: str, text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("trip")
    check(read(written(folder / "in.jsonl", text)), folder / "out", format)


def check(corpus: Corpus, path: Path, format: str) -> None:
    """Write a corpus, read it again, and compare the entities that the format can express."""
    lost, _ = losses_of(corpus, format)
    try:
        findings = write(corpus, path, format, lossy=True)
    except CannotExpress:
        assert not path.exists()
        return
    if any(loss.feature in writings()[format].kept_in_part for loss in lost):
        return
    listed = [f.message for f in findings if f.code.id in ("W170", "W170", "W170")]
    assert len(listed) == len(lost)
    expected, again = without(corpus, lost), read(path, format)
    if NAMES in writings()[format].layers:
        assert sorted(again.document_names) == sorted(corpus.document_names)
        pairs = [(document, again[document.name]) for document in expected]
    else:
        pairs = list(zip(expected, again, strict=True))
    for one, other in pairs:
        assert entities(other, format) == entities(one, format)
        assert types(other) <= types(one), "the type was added"


def types(document: Document) -> set[str]:
    """The types of all mentions that have one."""
    return {each.type for each in (document.attributes or {}).values() if each.type}


def entities(document: Document, format: str) -> set[frozenset[Any]]:
    """The entities as sets of mentions: in tokens, or in letters if tokens are not written."""
    if format not in TOKENS_OF_TEXT:
        return partition(document)
    before = [0]
    for word in document.words or ():
        before.append(before[-1] + len("".join(word.split())))
    return {
        frozenset(
            tuple((before[first], before[last + 1]) for first, last in mention.parts)
            for mention in entity
        )
        for entity in document.entities
    }
