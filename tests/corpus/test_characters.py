"""Clusters whose positions are characters."""

from __future__ import annotations

import json
import random
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import corefscope as cs
from corefscope.demo import KEY
from corefscope.extensions.adapters import CorefEvaluator

WORDS = ["Mary", "met", "Tom", ".", "She", "likes", "him", "."]
TEXT = "Mary met Tom. She likes him."
ENTITIES = [[(0, 0), (4, 4)], [(2, 2), (6, 6)]]
CHARACTERS = [[(0, 4), (14, 17)], [(9, 12), (24, 27)]]
SPACED = [[(0, 4), (15, 18)], [(9, 12), (25, 28)]]
"""The same in the words with a blank between them."""


@pytest.fixture
def key(tmp_path: Path) -> cs.Corpus:
    record = {"doc_key": "a", "tokens": WORDS, "clusters": ENTITIES}
    (tmp_path / "key.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    return cs.read(tmp_path / "key.jsonl")


def spans(corpus: cs.Corpus) -> list[list[Any]]:
    return [[mention.id for mention in entity] for entity in corpus["a"].entities]


class TestFromClusters:
    def test_text(self) -> None:
        corpus = cs.Corpus.from_clusters({"a": CHARACTERS}, unit="characters", text=TEXT)
        assert spans(corpus) == ENTITIES and corpus["a"].words == WORDS

    def test_words(self) -> None:
        corpus = cs.Corpus.from_clusters({"a": SPACED}, unit="characters", text={"a": WORDS})
        assert spans(corpus) == ENTITIES and corpus["a"].words == WORDS

    def test_conventions(self) -> None:
        last = [[(start + 1, end) for start, end in entity] for entity in CHARACTERS]
        corpus = cs.Corpus.from_clusters(
            {"a": last}, unit="characters", text=TEXT, base=1, ends="inclusive"
        )
        assert spans(corpus) == ENTITIES

    def test_tokens_of_a_text(self) -> None:
        corpus = cs.Corpus.from_clusters({"a": ENTITIES}, text=TEXT)
        assert spans(corpus) == ENTITIES and corpus["a"].words == WORDS
        with pytest.raises(cs.InvalidInput, match="E113"):
            cs.Corpus.from_clusters({"a": [[(0, 8)]]}, text=TEXT)

    def test_gaps(self) -> None:
        gap = [[((0, 4), (9, 12))]]
        corpus = cs.Corpus.from_clusters({"a": gap}, unit="characters", text=TEXT)
        assert spans(corpus) == [[((0, 0), (2, 2))]]

    @pytest.mark.parametrize(
        ("clusters", "text", "error", "match"),
        [
            (CHARACTERS, None, ValueError, "expected text="),
            (CHARACTERS, {"b": TEXT}, ValueError, "lacks document 'a'"),
            ([[(0, 99)]], TEXT, cs.InvalidInput, "which has 28 characters.*E113"),
            ([[(4, 3)]], TEXT, cs.InvalidInput, "E113"),
            ([["m1"]], TEXT, TypeError, "expected .first, last."),
        ],
    )
    def test_errors(self, clusters: Any, text: Any, error: type[Exception], match: str) -> None:
        with pytest.raises(error, match=match):
            cs.Corpus.from_clusters({"a": clusters}, unit="characters", text=text)
        with pytest.raises(cs.UnknownName, match="tokens, characters"):
            cs.Corpus.from_clusters({}, unit="letters", text=TEXT)  # type: ignore[arg-type]

    def test_no_documents(self) -> None:
        assert not len(cs.Corpus.from_clusters({}, unit="characters", text={}))


class TestRecognition:
    @pytest.mark.parametrize("number", [1, 2, 4])
    @pytest.mark.parametrize("clusters", [CHARACTERS, SPACED])
    def test_refused(self, clusters: Any, number: int, key: cs.Corpus) -> None:
        some = [entity[: max(1, number // 2)] for entity in clusters[: min(number, 2)]]
        for response in ({"a": some}, {"a": [[(a, b - 1) for a, b in each] for each in some]}):
            with pytest.raises(
                cs.InvalidInput, match=r"Corpus.from_clusters\(.*'characters'.*E120"
            ):
                cs.score(key, response)
            with pytest.raises(cs.InvalidInput, match="E120"):
                _ = cs.evaluate(key, {"ours": response})["ours"].scores

    def test_the_advice_helps(self, key: cs.Corpus) -> None:
        response = cs.Corpus.from_clusters({"a": CHARACTERS}, unit="characters", text={"a": TEXT})
        assert cs.score(key, response).conll == 1

    def test_positions_far_beyond_the_words(self, key: cs.Corpus) -> None:
        with pytest.raises(cs.InvalidInput, match="E120"):
            cs.score(key, {"a": [[(100, 104), (200, 211)]]})

    def test_the_key(self, key: cs.Corpus) -> None:
        with pytest.raises(cs.InvalidInput, match=r"make the key with .*E120"):
            cs.score({"a": CHARACTERS}, key)

    @pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
    def test_tokens_are_not_taken_for_characters(self) -> None:
        key, draw = cs.read(KEY), random.Random(7)
        for _ in range(100):
            document = draw.choice(list(key))
            starts = [draw.randrange(len(document) - 5) for _ in range(draw.choice([1, 2, 3, 8]))]
            entity = [(start, start + draw.choice([0, 0, 0, 1, 2, 4])) for start in starts]
            cs.score(key, {document.name: [entity]})

    @pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
    def test_documents_of_the_demo(self) -> None:
        key = cs.read(KEY)
        for document in key:
            text = " ".join(document.words or [])
            ends = [len(" ".join((document.words or [])[: n + 1])) for n in range(len(document))]
            entities = [
                [
                    (ends[m.start] - len((document.words or [])[m.start]), ends[m.end])
                    for m in entity
                ]
                for entity in document.entities
            ]
            for some in (entities, entities[:1], [entities[0][:1]]):
                with pytest.raises(cs.InvalidInput, match="E120"):
                    cs.score(key, {document.name: some})
            response = cs.Corpus.from_clusters(
                {document.name: entities}, unit="characters", text=text
            )
            assert cs.score(key.only(document.name), response).conll == 1


class TestFiles:
    """Files get the verdict of clusters in Python, as the only message."""

    @pytest.mark.parametrize("ends", ["exclusive", "inclusive"])
    @pytest.mark.parametrize("fields", [[], ["tokens"]])
    def test_json_lines(self, fields: list[str], ends: str, key: cs.Corpus, tmp_path: Path) -> None:
        less = ends == "inclusive"
        places = [[[start, end - less] for start, end in entity] for entity in CHARACTERS]
        record = {"doc_key": "a", "tokens": WORDS, "clusters": places}
        given = {each: record[each] for each in ("doc_key", *fields, "clusters")}
        path = tmp_path / "response.jsonl"
        path.write_text(json.dumps(given) + "\n", encoding="utf-8")
        with pytest.raises(cs.InvalidInput) as raised:
            cs.score(key, path)
        (finding,) = raised.value.findings
        assert finding.code.id == "E120" and "characters: 4 of 4" in finding.message
        option = "jsonl:unit=character" + ",ends=exclusive" * (not less)
        assert f"{option!r}" in finding.message
        path.write_text(json.dumps({**given, "text": TEXT}) + "\n", encoding="utf-8")
        assert cs.score(key, cs.read(path, option)).conll == 1

    def test_json(self, key: cs.Corpus, tmp_path: Path) -> None:
        path = tmp_path / "response.json"
        path.write_text(json.dumps({"a": CHARACTERS}), encoding="utf-8")
        with pytest.raises(cs.InvalidInput, match=r"from_clusters\(.*'characters'.*E120"):
            cs.score(key, path)

    def test_exclusive_ends_are_said_once(self, tmp_path: Path) -> None:
        entity = [[3 * n, 3 * n] for n in range(30)]
        paths = [tmp_path / "key.jsonl", tmp_path / "response.jsonl"]
        for path, more in zip(paths, (0, 1), strict=True):
            shifted = [[start, end + more] for start, end in entity]
            record = {"doc_key": "a", "tokens": ["w"] * 100, "clusters": [shifted]}
            path.write_text(json.dumps(record) + "\n", encoding="utf-8")
        with pytest.warns(cs.CorefscopeWarning):
            scores = cs.score(*paths)
        assert [finding.code.id for finding in scores.findings] == ["W208"]


def scorer(key: Any, response: Any) -> float | None:
    made = cs.Scorer()
    made.update(key, response)
    return made.compute().mentions.f1


def evaluator(key: Any, response: Any) -> float:
    made = CorefEvaluator()
    made.update(response, key)
    return made.get_f1()


@pytest.mark.parametrize("compute", [scorer, evaluator])
class TestWithoutWords:
    def test_characters(self, compute: Callable[[Any, Any], float]) -> None:
        response = cs.Corpus.from_clusters({"a": CHARACTERS}, unit="characters", text=TEXT)
        assert compute(ENTITIES, response) == 1

    def test_exclusive_ends(self, compute: Callable[[Any, Any], float]) -> None:
        key = [[(n, n + 1) for n in range(0, 30, 3)]]
        response = [[(start, end + 1) for start, end in entity] for entity in key]
        with pytest.warns(cs.CorefscopeWarning, match=r"from_clusters\(documents, ends.*W208"):
            assert compute(key, response) == 0
        fixed = cs.Corpus.from_clusters({"a": response}, ends="exclusive")
        assert compute(key, fixed) == 1

    def test_wrong_spans(self, compute: Callable[[Any, Any], float]) -> None:
        for wrong in ((4, 3), (-1, 0)):
            with pytest.raises(cs.InvalidInput, match="E113"):
                compute(ENTITIES, [[(0, 0), wrong]])

    def test_several_documents(self, compute: Callable[[Any, Any], float]) -> None:
        several = cs.Corpus.from_clusters({"a": ENTITIES, "b": ENTITIES})
        with pytest.raises(TypeError, match="clusters of one document"):
            compute(ENTITIES, several)


def test_wrong_spans_are_refused(key: cs.Corpus) -> None:
    for wrong in ((4, 3), (-1, 0)):
        for given in ([[(0, 0), wrong]], {"a": [[(0, 0), wrong]]}):
            with pytest.raises(cs.InvalidInput, match="E113"):
                cs.score(ENTITIES if isinstance(given, list) else key, given)


def test_evaluate_warns_as_score_does(key: cs.Corpus) -> None:
    response = {"b": ENTITIES, "a": ENTITIES}
    with pytest.warns(cs.CorefscopeWarning, match="W202") as expected:
        cs.score(key, response)
    evaluation = cs.evaluate(key, {"ours": response})
    with pytest.warns(cs.CorefscopeWarning, match="W202") as found:
        _ = evaluation["ours"].scores
    messages = [[str(each.message) for each in some] for some in (expected, found)]
    assert messages[0] == messages[1]
    assert [each.filename for each in (*expected, *found)] == [__file__] * 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cs.evaluate(key, {"ours": response})  # Nothing is computed yet.
