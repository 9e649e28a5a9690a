"""Answers of a language model as strings in Python."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import corefscope as cs

pytestmark = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
WORDS = ["Ann", "saw", "her", "cat", ".", "It", "slept", "."]
ENTITIES = [[(0, 0), (2, 2)], [(2, 3), (5, 5)]]
TAGGED = "[Ann](#0) saw [[her](#0) cat](#1) . [It](#1) slept ."
IN_JSON = 'Sure:\n```json\n{"clusters": [["Ann", "her"], ["her cat", "It"]]}\n```'


@pytest.fixture
def key(tmp_path_factory: pytest.TempPathFactory) -> cs.Corpus:
    path = tmp_path_factory.mktemp("answers") / "key.jsonl"
    words = str(WORDS).replace("'", '"')
    clusters = str(ENTITIES).replace("(", "[").replace(")", "]")
    path.write_text(
        "".join(
            f'{{"doc_key": "{name}", "tokens": {words}, "clusters": {clusters}}}\n'
            for name in ("news/1", "b")
        )
    )
    return cs.read(path)


@pytest.mark.parametrize("answer", [TAGGED, IN_JSON])
def test_answers_are_scored(answer: str, key: cs.Corpus) -> None:
    scores = cs.score(key, {"news/1": answer, "b": answer})
    assert scores.conll == 1 and scores.ledger is not None
    assert scores.ledger.total.exact == 8


@pytest.mark.parametrize("answer", [TAGGED, IN_JSON])
@pytest.mark.parametrize("refusal", ["I cannot help with that.", ""])
def test_a_refusal_is_a_failed_document(answer: str, refusal: str, key: cs.Corpus) -> None:
    scores = cs.score(key, {"news/1": answer, "b": refusal})
    assert scores.ledger is not None and scores.ledger.failed == ["b"]
    assert scores.without_failed.conll == 1 and scores.conll != 1


SECOND = TAGGED.replace("Ann", "Bob").replace("cat", "dog")


def stored(*records: Any) -> str:
    return "".join(f"{json.dumps(each)}\n" for each in records)


def chat(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": "Mark it."}, {"role": "assistant", "content": text}]


def batch(text: str) -> dict[str, Any]:
    return {"status_code": 200, "body": {"choices": [{"message": chat(text)[1]}]}}


STORED = {
    "a field beside the prompt": stored(
        {"doc_key": "news/1", "prompt": "Mark it.", "output": TAGGED},
        {"doc_key": "b", "prompt": "Mark it.", "output": TAGGED},
    ),
    "JSON in a field": stored({"id": "news/1", "answer": IN_JSON}, {"id": "b", "answer": IN_JSON}),
    "chats": stored(
        {"id": "news/1", "messages": chat(TAGGED)}, {"id": "b", "messages": chat(TAGGED)}
    ),
    "a batch": stored(
        {"custom_id": "news/1", "response": batch(TAGGED)},
        {"custom_id": "b", "response": batch(TAGGED)},
    ),
    "an object of documents": json.dumps({"news/1": TAGGED, "b": TAGGED}),
    "clusters in a field": stored(
        {"name": "news/1", "prediction": {"clusters": [["Ann", "her"], ["her cat", "It"]]}},
        {"name": "b", "prediction": {"clusters": [["Ann", "her"], ["her cat", "It"]]}},
    ),
    "text with tags": stored({"doc_id": "news/1", "text": TAGGED}, {"doc_id": "b", "text": TAGGED}),
}


@pytest.mark.parametrize("name", STORED)
def test_answers_as_programs_store_them(name: str, key: cs.Corpus, tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(STORED[name], encoding="utf-8")
    scores = cs.score(key, path)
    assert scores.conll == 1 and not scores.missing


def test_another_field_is_named(key: cs.Corpus, tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(stored({"id": "news/1", "said": TAGGED}, {"id": "b", "said": None}), "utf-8")
    with pytest.raises(cs.InvalidInput, match="answers:FIELD"):
        cs.read(path)
    scores = cs.score(key, cs.read(path, format="answers:said"))
    assert scores.ledger is not None and scores.ledger.failed == ["b"]


def test_answers_without_names_are_paired_by_text(tmp_path: Path) -> None:
    path, other = tmp_path / "answers.jsonl", [w.replace("Ann", "Bob") for w in WORDS]
    other[3] = "dog"
    texts = {"a": WORDS, "b": other}
    records = [{"doc_key": n, "tokens": w, "clusters": ENTITIES} for n, w in texts.items()]
    (tmp_path / "key.jsonl").write_text(stored(*records), encoding="utf-8")
    path.write_text(stored({"generated_text": SECOND}, {"generated_text": TAGGED}), "utf-8")
    assert cs.score(tmp_path / "key.jsonl", path).conll == 1


def test_answers_of_two_kinds_are_read(key: cs.Corpus) -> None:
    scores = cs.score(key, {"news/1": TAGGED, "b": IN_JSON})
    assert scores.conll == 1 and scores.ledger is not None
    assert scores.ledger.styles == {"markdown": 1, "strings": 1}
    assert scores.ledger.total.exact == 8
    swapped = cs.score(key, {"b": TAGGED, "news/1": IN_JSON})
    assert swapped.conll == 1 and swapped.ledger is not None
    assert swapped.ledger.documents["news/1"].style == "strings"


def test_files_of_two_kinds_are_read(key: cs.Corpus, tmp_path: Path) -> None:
    (tmp_path / "news_1.txt").write_text(TAGGED, encoding="utf-8")
    (tmp_path / "b.txt").write_text(IN_JSON, encoding="utf-8")
    scores = cs.score(key, tmp_path)
    assert scores.conll == 1 and scores.ledger is not None
    assert scores.ledger.styles == {"markdown": 1, "strings": 1}


def test_a_list_of_answers_is_paired_by_position(key: cs.Corpus) -> None:
    assert cs.score(key, [TAGGED, TAGGED]).conll == 1
    with pytest.raises(cs.InvalidInput, match="E207"):
        cs.score(key, [TAGGED])


def test_the_key_must_have_words() -> None:
    with pytest.raises(cs.InvalidInput, match="E208"):
        cs.score({"b": ENTITIES}, {"b": TAGGED})


def test_answers_are_no_key(key: cs.Corpus) -> None:
    with pytest.raises(TypeError, match="expected the gold annotation"):
        cs.score({"b": TAGGED}, key)
