"""Answers of a language model as strings in Python."""

from __future__ import annotations

import json
import re
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


def test_no_answer_is_a_failed_document(key: cs.Corpus) -> None:
    for response in ({"news/1": TAGGED, "b": None}, [TAGGED, None]):
        scores = cs.score(key, response)
        assert scores.ledger is not None and scores.ledger.failed == ["b"]
    with pytest.raises(TypeError, match="None is not a list of entities"):
        cs.score(key, {"news/1": None, "b": None})


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
    "a batch with ids of its own": stored(
        {"id": "batch_1", "custom_id": "news/1", "response": batch(TAGGED), "error": None},
        {"id": "batch_2", "custom_id": "b", "response": batch(IN_JSON), "error": None},
    ),
    "a batch of responses": stored(
        *(
            {
                "custom_id": name,
                "response": {
                    "body": {
                        "output": [
                            {"type": "reasoning", "summary": []},
                            {
                                "type": "message",
                                "role": "assistant",
                                "content": [{"type": "output_text", "text": TAGGED}],
                            },
                        ]
                    }
                },
            }
            for name in ("news/1", "b")
        )
    ),
    "a batch of messages": stored(
        *(
            {
                "custom_id": name,
                "result": {
                    "type": "succeeded",
                    "message": {"role": "assistant", "content": [{"type": "text", "text": TAGGED}]},
                },
            }
            for name in ("news/1", "b")
        )
    ),
    "candidates": stored(
        *(
            {
                "key": name,
                "response": {"candidates": [{"content": {"parts": [{"text": TAGGED}]}}]},
            }
            for name in ("news/1", "b")
        )
    ),
    "outputs": stored(
        *({"request_id": name, "outputs": [{"text": TAGGED}]} for name in ("news/1", "b"))
    ),
    "conversations": stored(
        *(
            {
                "id": name,
                "conversations": [
                    {"from": "human", "value": "Mark it."},
                    {"from": "gpt", "value": TAGGED},
                ],
            }
            for name in ("news/1", "b")
        )
    ),
    "a message": stored(
        *({"id": name, "message": chat(TAGGED)[1], "done": True} for name in ("news/1", "b"))
    ),
    "lists of texts": stored(
        {"id": "news/1", "generated_text": [TAGGED]}, {"id": "b", "resps": [[TAGGED]]}
    ),
    "chats in a field": stored(
        *({"id": name, "generated_text": chat(TAGGED)} for name in ("news/1", "b"))
    ),
    "tags and JSON": stored({"id": "news/1", "output": TAGGED}, {"id": "b", "output": IN_JSON}),
    "JSON around tagged text": stored(
        *({"id": name, "output": json.dumps({"tagged": TAGGED})} for name in ("news/1", "b"))
    ),
    "no names, in the order of the key": stored({"output": IN_JSON}, {"output": IN_JSON}),
    "lists of records": json.dumps([[{"generated_text": TAGGED}], [{"generated_text": TAGGED}]]),
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
    with pytest.raises(cs.InvalidInput, match="answers:said"):
        cs.read(path)
    scores = cs.score(key, cs.read(path, format="answers:said"))
    assert scores.ledger is not None and scores.ledger.failed == ["b"]


@pytest.mark.parametrize("format", ["answers:said", "jsonl:answer=said"])
def test_a_style_is_declared(format: str, key: cs.Corpus, tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    text = re.sub(r"\]\(#(\d)\)", r"»@\1@", TAGGED).replace("[", "«")
    assert "»@0@" in text and "](" not in text
    path.write_text(stored({"id": "news/1", "said": text}, {"id": "b", "said": text}), "utf-8")
    tags = "open=«,close=»@{id}@"
    scores = cs.score(key, cs.read(path, format=f"{format},{tags}"))
    assert scores.conll == 1 and scores.ledger is not None
    assert scores.ledger.styles == {"declared": 2}
    usual = path.read_text("utf-8").replace("said", "output")
    path.write_text(usual, "utf-8")
    assert cs.score(key, cs.read(path, format=f"answers:{tags}")).conll == 1
    for wrong in ("answers:said,open=«", "answers:open=«,close=»", "tagged:markdown"):
        with pytest.raises(cs.UnknownName, match=r"open=OPEN,close=CLOSE"):
            cs.read(path, format=wrong)


def test_an_answer_that_is_cut_off(key: cs.Corpus) -> None:
    cut = '{"clusters": [["Ann", "her"], ["her cat", "I'
    scores = cs.score(key, {"news/1": cut, "b": TAGGED})
    assert scores.ledger is not None
    ledger = scores.ledger.documents["news/1"]
    assert (ledger.status, ledger.exact) == ("cut off", 3)
    assert [each.code.id for each in scores.findings if each.line or "cut off" in each.message] == [
        "W256"
    ]
    entities, single = cs.read_answer(cut)
    assert list(entities.values()) == [["Ann", "her"], ["her cat"]] and single.status == "cut off"


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


OBJECTS = [[{"text": "Ann", "start": 0, "end": 3}, {"text": "her", "start": 8, "end": 11}]]


@pytest.mark.parametrize(
    "found",
    [
        {"clusters": [["Ann", "her"], ["her cat", "It"]]},
        [["Ann", "her"], ["her cat", "It"]],
        {"Ann": ["Ann", "her"], "cat": ["her cat", "It"]},
        {"coreference": [["Ann", "her"], ["her cat", "It"]]},
        {"entities": [{"name": "Ann", "mentions": OBJECTS[0]}, {"mentions": ["her cat", "It"]}]},
        {"clusters": [*OBJECTS, ["her cat", "It"]], "text": "Ann saw her cat."},
    ],
)
def test_shapes_of_clusters(found: Any, key: cs.Corpus) -> None:
    for answer in (
        json.dumps(found),
        f"Sure!\n\n```json\n{json.dumps(found, indent=1)}\n```\nDone.",
    ):
        scores = cs.score(key, {"news/1": answer, "b": TAGGED})
        assert scores.conll == 1, answer


@pytest.mark.parametrize(
    "found",
    [{"clusters": [[[0, 0], [2, 2]]]}, [{"anaphor": "her", "antecedent": "Ann"}], {"n": 42}],
)
def test_other_shapes_are_named(found: Any, key: cs.Corpus) -> None:
    answer = json.dumps(found)
    with pytest.raises(cs.InvalidInput, match=r"expected entities as lists of strings.*E112"):
        cs.score(key, {"news/1": answer, "b": answer})
    # One of several answers failed; the question was not another one.
    scores = cs.score(key, {"news/1": answer, "b": TAGGED})
    assert scores.ledger is not None and scores.ledger.failed == ["news/1"]
    assert [each.code.id for each in scores.findings] == ["W255"]
    assert "; expected entities as lists of strings" in scores.findings[0].message


class TestOneAnswer:
    def test_tagged_text(self) -> None:
        answer = cs.read_answer(TAGGED)
        assert answer.entities == {"0": ["Ann", "her"], "1": ["her cat", "It"]}
        assert answer.ledger.style == "markdown" and answer.ledger.parsed == 4
        entities, ledger = answer
        assert entities is answer.entities and ledger.status == "ok"

    def test_strings(self) -> None:
        entities, ledger = cs.read_answer(IN_JSON)
        assert list(entities.values()) == [["Ann", "her"], ["her cat", "It"]]
        assert ledger.style == "strings" and ledger.opened == ledger.parsed == 4

    @pytest.mark.parametrize(
        ("style", "text"),
        [
            ("xml", '<m id="7">Ann</m> slept'),
            ("crac", "Ann|[e1] slept"),
            ("open=<<,close=>>{id}", "<< Ann >>7 slept"),
            ("strings", '{"7": ["Ann"]}'),
        ],
    )
    def test_styles(self, style: str, text: str) -> None:
        entities, _ = cs.read_answer(text, style=style)
        assert list(entities.values()) == [["Ann"]]

    def test_a_source(self) -> None:
        answer = TAGGED.replace("slept", "slept with [a dragon](#1)")
        entities, ledger = cs.read_answer(answer, source=WORDS)
        assert entities == {"0": ["Ann", "her"], "1": ["her cat", "It"]}
        assert ledger.exact == 4 and ledger.dropped_mentions
        assert [each.text for each in ledger.changed] == ["a dragon"]
        assert cs.read_answer(IN_JSON, source="Ann saw her cat. It slept.").ledger.exact == 4

    def test_what_is_no_answer(self) -> None:
        assert cs.read_answer("I cannot help with that.").ledger.status == "failed"
        assert cs.read_answer("answers/a.txt").entities == {}
        with pytest.raises(cs.UnknownName, match="did you mean xml"):
            cs.read_answer(TAGGED, style="html")
        with pytest.raises(TypeError, match="expected the answer as a text"):
            cs.read_answer({"b": TAGGED})  # type: ignore[arg-type]
        with pytest.raises(cs.InvalidInput, match=r"with positions instead of words.*E112"):
            cs.read_answer("[[[0, 1]]]")

    def test_warnings(self) -> None:
        with pytest.warns(cs.CorefscopeWarning, match="W258"):
            cs.read_answer("I cannot help with that.")
        with pytest.warns(cs.CorefscopeWarning, match="W181"):
            cs.read_answer(IN_JSON)


def test_nameless_answers_are_paired_by_position_if_texts_agree(tmp_path: Path) -> None:
    texts = {"a": WORDS, "b": [word.replace("Ann", "Bob") for word in WORDS]}
    records = [{"doc_key": n, "tokens": w, "clusters": ENTITIES} for n, w in texts.items()]
    path = tmp_path / "answers.jsonl"
    (tmp_path / "key.jsonl").write_text(stored(*records), encoding="utf-8")
    path.write_text(stored({"output": TAGGED}, {"output": "I cannot."}), encoding="utf-8")
    scores = cs.score(tmp_path / "key.jsonl", path)
    assert scores.ledger is not None and scores.ledger.failed == ["b"]
    assert "W209" in [each.code.id for each in scores.findings]
    # The first text is that of the second document, so that the order says nothing.
    path.write_text(stored({"output": "I cannot."}, {"output": TAGGED}), encoding="utf-8")
    assert cs.score(tmp_path / "key.jsonl", path).missing == ["b"]


def test_a_list_of_answers_is_paired_by_position(key: cs.Corpus) -> None:
    assert cs.score(key, [TAGGED, TAGGED]).conll == 1
    with pytest.raises(cs.InvalidInput, match="E201"):
        cs.score(key, [TAGGED])


def test_the_key_must_have_words() -> None:
    with pytest.raises(cs.InvalidInput, match="E208"):
        cs.score({"b": ENTITIES}, {"b": TAGGED})


def test_answers_are_no_key(key: cs.Corpus) -> None:
    with pytest.raises(TypeError, match="expected the gold annotation"):
        cs.score({"b": TAGGED}, key)


@pytest.mark.parametrize("empty", ["[]", "{}", '{"clusters": []}', '{"Otto": ["Ot', "null", None])
def test_an_empty_answer_leaves_tagged_ones_alone(empty: str | None, tmp_path: Path) -> None:
    """No answer in JSON has a string, so that all mentions are those of tagged text."""
    lines = [
        {"doc_key": "a", "sentences": [["Ida", "met", "Eve"], ["She", "left"]]},
        {"doc_key": "b", "sentences": [["Otto", "slept"], ["He", "snored"]]},
    ]
    clusters = [[[[0, 0], [3, 3]]], [[[0, 0], [2, 2]]]]
    records = [{**each, "clusters": own} for each, own in zip(lines, clusters, strict=True)]
    key = tmp_path / "key.jsonl"
    key.write_text("".join(f"{json.dumps(each)}\n" for each in records))
    with pytest.warns(cs.CorefscopeWarning):
        found = cs.score(str(key), {"a": "[Ida](#0) met Eve [She](#0) left", "b": empty})
    assert found.mentions.recall_counts == (2, 4) and found.mentions.precision == 1
    assert found.without_failed.conll == 1


def test_a_field_that_no_record_has(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text('{"doc_key": "a", "model_output": "[Ida](#0) left"}\n')
    with pytest.raises(cs.InvalidInput, match=r"no record has the field 'output2'.*E138"):
        cs.read(str(path), "answers:output2")


NAMES = ["doc", "docid", "doc_name", "document", "document_id", "document_name", "id", "name"]


@pytest.mark.parametrize("field", [*NAMES, "filename", "title"])
def test_records_with_other_names(field: str, tmp_path: Path) -> None:
    for record in ({"output": "[Ida](#0) left"}, {"output": '[["Ida"]]'}, {"clusters": [["Ida"]]}):
        path = tmp_path / "answers.jsonl"
        path.write_text("".join(f"{json.dumps({field: n, **record})}\n" for n in ("x", "y")))
        assert cs.read(str(path)).document_names == ("x", "y")


def test_an_answer_without_tags_of_its_style() -> None:
    with pytest.warns(cs.CorefscopeWarning, match=r"no tag of the style 'xml'.*W258"):
        answer = cs.read_answer("[Ida](#0) left", style="xml")
    assert not answer.entities and answer.ledger.status == "failed"


GOLD = {"sentences": [WORDS], "clusters": [[[0, 0]]]}
TWO = {
    "gold clusters beside an output": ({**GOLD, "output": TAGGED}, "output", "clusters"),
    "gold clusters beside JSON": ({**GOLD, "answer": IN_JSON}, "answer", "clusters"),
    "gold clusters beside outputs": ({**GOLD, "outputs": [TAGGED]}, "outputs", "clusters"),
    "gold clusters beside a field of any name": ({**GOLD, "said": IN_JSON}, "said", "clusters"),
    "strings in both": (
        {"clusters": [["Ann"]], "predicted_clusters": [["Ann", "her"], ["her cat", "It"]]},
        "predicted_clusters",
        "clusters",
    ),
    "answer and prediction": (
        {"answer": "[Ann](#0) slept", "prediction": TAGGED},
        "prediction",
        "answer",
    ),
    "output and predict": ({"output": "[Ann](#0) slept", "predict": TAGGED}, "predict", "output"),
    "a chat with the gold answer": (
        {"messages": chat("[Ann](#0) slept"), "prediction": TAGGED},
        "prediction",
        "messages",
    ),
}


@pytest.mark.parametrize("name", TWO)
def test_gold_is_not_read_as_the_answer(name: str, key: cs.Corpus, tmp_path: Path) -> None:
    record, read, other = TWO[name]
    path = tmp_path / "answers.jsonl"
    assert isinstance(record, dict)
    lines = [{"doc_key": each, **record} for each in ("news/1", "b")]
    path.write_text(stored(*lines), encoding="utf-8")
    scores = cs.score(key, path)
    (finding,) = (each for each in scores.findings if each.code.id == "W110")
    assert scores.conll == 1
    assert repr(read) in finding.message and repr(other) in finding.message
    # Where the model gave no answer, it failed.
    path.write_text(stored(lines[0], {**lines[1], read: None}), encoding="utf-8")
    failed = cs.score(key, path)
    assert failed.ledger is not None and failed.ledger.failed == ["b"]


def test_the_gold_clusters_of_a_key(key: cs.Corpus, tmp_path: Path) -> None:
    path = tmp_path / "both.jsonl"
    path.write_text(stored({"doc_key": "b", **GOLD, "output": TAGGED}), encoding="utf-8")
    for corpus in (cs.read(path, role="key"), cs.read(path, "jsonl", role="response")):
        assert len(corpus["b"].entities) == 1
        assert [each.code.id for each in corpus.findings] == ["W110"]
    assert not cs.read(path, "jsonl:clusters", role="response").findings


@pytest.mark.parametrize("field", NAMES)
def test_documents_are_named_alike_in_all_records(field: str, tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    for record in (
        {"clusters": [[[0, 0]]]},
        {"clusters": [[[0, 0]]], "sentences": [WORDS]},
        {"clusters": [[[0, 3]]], "text": " ".join(WORDS)},
        {"clusters": [["Ann"]]},
    ):
        records: list[dict[str, Any]] = [{field: name, **record} for name in ("b", "a")]
        path.write_text(stored(*records), encoding="utf-8")
        assert cs.read(path).document_names == ("b", "a")
        assert not cs.score(path, records[::-1]).missing


@pytest.mark.parametrize("answer", [{"output": IN_JSON}, {"clusters": [["Ann", "her"]]}])
@pytest.mark.parametrize("others", [0, 3])
def test_a_field_with_names_of_the_key_stops_pairing_by_position(
    answer: dict[str, Any], others: int, key: cs.Corpus, tmp_path: Path
) -> None:
    path = tmp_path / "answers.jsonl"
    named = [{"story": name, **answer} for name in ("b", "news/1")]
    unknown = [{"story": f"y{number}", **answer} for number in range(others)]
    path.write_text(stored(*named, *unknown), "utf-8")
    with pytest.raises(cs.InvalidInput, match=r"the field 'story' has them.*E201"):
        cs.score(key, path)
    path.write_text(stored({"story": "x", **answer}, {"story": "y", **answer}), "utf-8")
    assert "W209" in [each.code.id for each in cs.score(key, path).findings]


def test_a_file_with_one_answer_names_its_document(tmp_path: Path) -> None:
    texts = {"b": WORDS, "a": [word.replace("Ann", "Bob") for word in WORDS]}
    records = [{"doc_key": n, "tokens": w, "clusters": ENTITIES} for n, w in texts.items()]
    (tmp_path / "key.jsonl").write_text(stored(*records), encoding="utf-8")
    (tmp_path / "answers").mkdir()
    for name, words in texts.items():
        text = json.dumps([[words[0], "her"], ["her cat", "It"]])
        (tmp_path / "answers" / f"{name}.json").write_text(json.dumps({"choices": chat(text)[1:]}))
    scores = cs.score(tmp_path / "key.jsonl", tmp_path / "answers")
    assert scores.conll == 1 and not scores.findings


def test_a_format_that_must_be_named_is_not_called_unknown(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text(stored({"id": "x", "said": TAGGED}), encoding="utf-8")
    with pytest.raises(cs.InvalidInput, match=r"answers:said\), which corefscope reads only if"):
        cs.read(tmp_path / "x.jsonl")


ONE = '{"clusters": [["Ann", "her"], ["her cat", "It"]]}'


@pytest.mark.parametrize(
    "damaged",
    [f'{ONE}\n{{"clusters": [["Ann" "It"]]}}', '["Ann", "her"]\n["It" "cat"]', "[[Ann, her]]"],
)
def test_damaged_json_is_a_failed_answer(damaged: str, key: cs.Corpus) -> None:
    scores = cs.score(key, {"news/1": damaged, "b": IN_JSON})
    assert scores.ledger is not None and scores.ledger.failed == ["news/1"]
    assert "W255" in [each.code.id for each in scores.findings]


@pytest.mark.parametrize("answer", [f"{ONE}}}", f"{ONE}\n]", '["Ann", "her"]\n["her cat", "It"]'])
def test_json_with_more_is_read(answer: str, key: cs.Corpus) -> None:
    assert cs.score(key, {"news/1": answer, "b": answer}).conll == 1


def test_a_nul_byte_in_an_answer(key: cs.Corpus) -> None:
    assert cs.score(key, {"news/1": TAGGED.replace(" saw", "\0 saw"), "b": TAGGED}).conll == 1


BLOCKED = {
    "without content": {"candidates": [{"finishReason": "SAFETY", "index": 0}]},
    "without parts": {"candidates": [{"content": {"role": "model"}, "finishReason": "SAFETY"}]},
    "empty parts": {"candidates": [{"content": {"parts": []}, "finishReason": "SAFETY"}]},
    "the prompt": {"promptFeedback": {"blockReason": "SAFETY"}},
    "a filter": {"choices": [{"message": {"content": ""}, "finish_reason": "SAFETY"}]},
    "a refusal": {"choices": [{"message": {"content": None, "refusal": "SAFETY"}}]},
}


@pytest.mark.parametrize("name", BLOCKED)
@pytest.mark.parametrize("others", [TAGGED, IN_JSON, None])
def test_blocked_answers_failed(
    name: str, others: str | None, key: cs.Corpus, tmp_path: Path
) -> None:
    path, blocked = tmp_path / "answers.jsonl", BLOCKED[name]
    assert isinstance(blocked, dict)
    second = blocked if others is None else {"choices": chat(others)[1:]}
    path.write_text(stored({"key": "news/1", **blocked}, {"key": "b", **second}), "utf-8")
    scores = cs.score(key, path)
    assert scores.ledger is not None
    assert scores.ledger.failed == (["news/1", "b"] if others is None else ["news/1"])
    message = next(each.message for each in scores.findings if each.code.id == "W255")
    assert "refusal" in message and "SAFETY" in message


@pytest.mark.parametrize("others", [TAGGED, IN_JSON])
def test_a_refusal_is_called_so(others: str, key: cs.Corpus) -> None:
    scores = cs.score(key, {"news/1": others, "b": "I cannot help with that."})
    message = next(each.message for each in scores.findings if each.code.id == "W255")
    assert "as in a refusal: 'I cannot help with that.'" in message


def test_labels_that_are_no_mentions(key: cs.Corpus) -> None:
    unlisted = '{"Ann": ["her"], "cat": ["her cat", "It"]}'
    scores = cs.score(key, {"news/1": unlisted, "b": IN_JSON})
    (finding,) = (each for each in scores.findings if each.code.id == "W256")
    assert "1 label is in the text, but no mention, as 'Ann'" in finding.message
    listed = unlisted.replace('["her"]', '["Ann", "her"]')
    assert not cs.score(key, {"news/1": listed, "b": IN_JSON}).findings[1:]


@pytest.mark.parametrize(
    ("answer", "field"),
    [
        ('{"clusters": [["Ann"]], "entities": [["her cat"]]}', "entities"),
        ('{"clusters": [["Ann"]], "singletons": {"it": ["It"]}}', "singletons"),
        ('[{"name": "Ann", "mentions": ["Ann"], "pronouns": ["her"]}]', "pronouns"),
    ],
)
def test_a_second_field_is_reported(answer: str, field: str, key: cs.Corpus) -> None:
    scores = cs.score(key, {"news/1": answer, "b": IN_JSON})
    assert any(each.code.id == "W110" and field in each.message for each in scores.findings)
