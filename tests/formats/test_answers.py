"""Answers of a language model as strings in Python."""

from __future__ import annotations

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


def test_answers_of_two_kinds_are_refused(key: cs.Corpus) -> None:
    with pytest.raises(cs.InvalidInput, match="score them apart"):
        cs.score(key, {"news/1": TAGGED, "b": IN_JSON})


def test_answers_are_no_key(key: cs.Corpus) -> None:
    with pytest.raises(TypeError, match="expected the gold annotation"):
        cs.score({"b": TAGGED}, key)
