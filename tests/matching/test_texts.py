"""Texts are read once for all systems, unless a response adds to them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import corefscope as cs
from corefscope.demo import KEY
from corefscope.matching import shared_texts, texts
from corefscope.matching.shared_texts import Texts

LINES = "{0} 0 0 Anna {1} - - - - - * (1)\n{0} 0 1 sleeps {2} - - - - - * -\n"


def corpus(folder: Path, name: str, *tags: str) -> cs.Corpus:
    """Two documents; only the first has the tags, if there are any."""
    parts = [(tags or ("-", "-")), ("-", "-")]
    text = "".join(
        f"#begin document (d{n}); part 000\n{LINES.format(f'd{n}', *tag)}\n#end document\n"
        for n, tag in enumerate(parts)
    )
    (folder / name).write_text(text, encoding="utf-8")
    return cs.read(folder / name)


def test_systems_share_the_texts_of_the_key(tmp_path: Path) -> None:
    key = corpus(tmp_path, "key.conll", "NNP", "VBZ")
    ones, others = (corpus(tmp_path, f"{name}.conll") for name in "ab")
    shared = Texts(key)
    read = shared.read(0, ones, 0)
    assert read is not None and read.text.tags == ["NNP", "VBZ"] and not read.borrowed
    assert shared.read(0, others, 0) is read
    assert shared.read(0, others, None) is read
    named = shared.read(0, others, 0, {(0, 0): "PERSON"})
    assert named is not read and named is not None and named.text.names == {(0, 0): "PERSON"}
    assert shared.read(0, ones, 0) is read


def test_what_a_response_adds_is_its_own(tmp_path: Path) -> None:
    key, plain = corpus(tmp_path, "key.conll"), corpus(tmp_path, "plain.conll")
    tagged = corpus(tmp_path, "tagged.conll", "NNP", "VBZ")
    shared = Texts(key)
    own = shared.read(0, plain, 0)
    assert own is not None and own.text.tags is None
    added = shared.read(0, tagged, 0)
    assert added is not None and added.text.tags == ["NNP", "VBZ"]
    assert list(added.borrowed) == ["tags"]
    assert shared.read(0, plain, 0) is own
    untagged = shared.read(1, tagged, 1)
    assert untagged is not None and not untagged.borrowed


def test_only_so_many_tokens_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = corpus(tmp_path, "key.conll")
    shared = Texts(key)
    monkeypatch.setattr(shared_texts, "MOST_TOKENS", 3)
    first = shared.read(0, key, 0)
    assert shared.read(0, key, 0) is first
    second = shared.read(1, key, 1)
    assert shared.read(1, key, 1) is not second
    assert shared.read(0, key, 0) is first


def test_the_first_texts_stay_when_documents_are_read_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To keep the last ones would be in vain: the next pass begins with the first ones."""
    key = cs.read(KEY)
    shared = Texts(key)
    reads: list[int] = []
    tokens = key.document_tokens.tolist()
    monkeypatch.setattr(shared_texts, "MOST_TOKENS", sum(tokens[:6]))
    read = texts.read_text

    def counted(key: cs.Corpus, document: int, *rest: Any) -> texts.ReadText | None:
        reads.append(document)
        return read(key, document, *rest)

    monkeypatch.setattr(texts, "read_text", counted)
    for _ in range(3):
        for document in range(len(key)):
            shared.read(document, key, document)
    assert len(reads) == len(key) + 2 * (len(key) - 6)


def test_without_words_there_is_no_text() -> None:
    key = cs.Corpus.from_clusters({"d": [[(0, 1), (2, 3)]]})
    assert Texts(key).read(0, key, 0) is None
