"""SACR, Label Studio and LitBank TSV."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import corefscope as cs
from corefscope.formats.reading.source import Source
from corefscope.formats.registry import recognise
from formats.contents import codes, entities, partition, refusal, written

# ---- SACR ----

TAGGED = """#title: A story
#textid: tale

{a:EN="PER",x="{y}" {b:EN="PER" Ann} 's {M3 dog}} slept.
# A comment
{a: It} snored.
"""


def sacr(folder: Path, text: str) -> cs.Corpus:
    return cs.read(written(folder / "x.sacr", text), "sacr")


def test_sacr(tmp_path: Path) -> None:
    corpus = sacr(tmp_path, TAGGED)
    document = corpus["tale"]
    assert document.text == "Ann 's dog slept.\n\nIt snored."
    assert entities(document) == [("a", [(0, 3), (6, 6)]), ("b", [(0, 0)]), ("M3", [(3, 3)])]
    assert document.attributes == {(0, 3): ("PER", None), (0, 0): ("PER", None)}
    assert not corpus.findings


def test_sacr_is_recognised_and_named_after_its_file(tmp_path: Path) -> None:
    text = '\n\n{a:EN="PER" Ann} slept.\r\n'
    corpus = cs.read(written(tmp_path / "x.sacr", text))
    assert corpus.document_names == ("x",)
    assert corpus["x"].text == "Ann slept."


SIMPLE = "{a {b Ann}'s dog} slept. {a It} snored.\n"


@pytest.mark.parametrize(
    ("name", "text", "count"),
    [
        ("x.sacr", SIMPLE, 3),
        ("x.SACR", "[{b Ann}] slept.\n", 1),
        ("x.txt", "#title: A story\n\n" + SIMPLE, 3),
        ("x.txt", "#COLOR:a=$$$\n#title: A story\n\nIt rained.\n", 0),
        ("x.txt", "#textid:x\n\nIt rained.\n", 0),
        ("x.sacr", "It rained.\n", 0),
    ],
)
def test_sacr_is_recognised_without_properties(
    name: str, text: str, count: int, tmp_path: Path
) -> None:
    corpus = cs.read(written(tmp_path / name, text))
    assert corpus.document_names == ("x",)
    assert sum(map(len, corpus["x"].entities)) == count
    assert codes(corpus) == ([] if count else ["W116"])


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("x.txt", SIMPLE, None),
        ("x.txt", "#title: A story\n\nIt rained.\n", "E118"),
        ("x.txt", "# Title: A story\n\n[Ann](#0) slept. [She](#0) snored.\n", None),
        ("x.sacr", '{"x": [["m"]]}', None),
    ],
)
def test_other_texts_are_not_taken_for_sacr(
    name: str, text: str, code: str | None, tmp_path: Path
) -> None:
    found = recognise(Source(name=name, path=Path(written(tmp_path / name, text))))
    assert getattr(found, "name", None) != "sacr"
    assert code is None or (isinstance(found, cs.Finding) and found.code.id == code)


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        ("It}", "It", ("E101", 6)),
        ("slept", "slept}", ("E101", 4)),
        ("{M3 ", "{", ("E135", 4)),
        ("{M3 dog}", "{M3  }", ("E113", None)),
    ],
)
def test_errors_of_sacr(
    old: str, new: str, finding: tuple[str, int | None], tmp_path: Path
) -> None:
    assert finding in refusal(lambda: sacr(tmp_path, TAGGED.replace(old, new)))


# ---- Label Studio ----


def span(id: str, start: int, end: int, text: str) -> dict[str, Any]:
    return {"id": id, "value": {"start": start, "end": end, "text": text, "labels": ["PER"]}}


def link(one: str, other: str, *labels: str) -> dict[str, Any]:
    return {"type": "relation", "from_id": one, "to_id": other, "labels": list(labels)}


SPANS = [span("a", 0, 3, "Ann"), span("b", 8, 11, "Bob"), span("c", 13, 16, "She")]
ANN, BOB, SHE = (0, 0), (2, 2), (4, 4)


def task(*results: list[dict[str, Any]], **fields: Any) -> dict[str, Any]:
    annotations = [{"result": result} for result in results]
    return {
        "id": 1,
        "annotations": annotations,
        "data": {"text": "Ann met Bob. She slept."},
    } | fields


def studio(folder: Path, *tasks: object, format: str | None = None, **options: Any) -> cs.Corpus:
    return cs.read(written(folder / "x.json", json.dumps(tasks)), format, **options)


@pytest.mark.parametrize("labels", [(), ("coreference",), ("other", "coref")])
def test_label_studio(labels: tuple[str, ...], tmp_path: Path) -> None:
    corpus = studio(tmp_path, task([*SPANS, link("c", "a", *labels)]))
    assert partition(corpus["x"]) == {frozenset({ANN, SHE}), frozenset({BOB})}
    assert corpus["x"].attributes == dict.fromkeys((ANN, BOB, SHE), ("PER", None))
    assert codes(corpus) == (["W160"] if "other" in labels else [])
    said = "".join(finding.message for finding in corpus.findings)
    assert said.endswith("label-studio:relations=coref+other" if "other" in labels else "")


def test_relations_of_label_studio(tmp_path: Path) -> None:
    one = task([*SPANS, link("c", "a", "kin")])
    assert len(partition(studio(tmp_path, one)["x"])) == 3
    chosen = studio(tmp_path, one, format="label-studio:relations=kin")
    assert len(partition(chosen["x"])) == 2


@pytest.mark.parametrize(("label", "entities"), [("resident", 3), ("coref_of_roles", 2)])
def test_names_of_relations_of_label_studio(label: str, entities: int, tmp_path: Path) -> None:
    corpus = studio(tmp_path, task([*SPANS, link("c", "a", label)]))
    assert codes(corpus) == ["W160"]
    assert len(partition(corpus["x"])) == entities


@pytest.mark.parametrize("id", [None, ""])
def test_results_without_ids_are_different_mentions(id: str | None, tmp_path: Path) -> None:
    results = [{**result, "id": id} for result in SPANS]
    corpus = studio(tmp_path, task(results))
    assert partition(corpus["x"]) == {frozenset({ANN}), frozenset({BOB}), frozenset({SHE})}
    without = [{"value": result["value"]} for result in SPANS[:2]]
    corpus = studio(tmp_path, task([*without, SPANS[2]]))
    assert len(partition(corpus["x"])) == 3


def test_results_with_the_same_id(tmp_path: Path) -> None:
    """A rating of a stretch is a result of its own, with the same stretch."""
    rating = {"id": "a", "type": "rating", "value": {"start": 0, "end": 3, "rating": 4}}
    for results in ([*SPANS, rating], [rating, *SPANS]):
        corpus = studio(tmp_path, task([*results, link("c", "a")]))
        assert partition(corpus["x"]) == {frozenset({ANN, SHE}), frozenset({BOB})}
        assert corpus["x"].attributes == dict.fromkeys((ANN, BOB, SHE), ("PER", None))
    other = task([*SPANS, span("a", 8, 11, "Bob")])
    assert refusal(lambda: studio(tmp_path, other))[0][0] == "E112"


def test_several_annotations(tmp_path: Path) -> None:
    one = task(SPANS, SPANS[:1])
    corpus = studio(tmp_path, one)
    assert len(partition(corpus["x"])) == 3
    assert codes(corpus) == ["W110"]
    one["annotations"][0]["was_cancelled"] = True
    assert len(partition(studio(tmp_path, one)["x"])) == 1


def test_predictions_are_the_response(tmp_path: Path) -> None:
    one = task(SPANS, predictions=[{"result": SPANS[:1]}])
    for role, count in (("key", 3), ("response", 1)):
        corpus = studio(tmp_path, one, role=role)
        assert len(partition(corpus["x"])) == count and codes(corpus) == ["W110"]
    corpus = studio(tmp_path, one | {"annotations": []})
    assert len(partition(corpus["x"])) == 1 and not codes(corpus)
    assert codes(studio(tmp_path, one | {"annotations": []}, role="key")) == ["W110"]


@pytest.mark.parametrize("role", ["key", "response"])
def test_a_task_without_what_is_read(role: str, tmp_path: Path) -> None:
    """It is empty; what people annotated is not scored as a prediction, or the other way round."""
    full = task(SPANS, predictions=[{"result": SPANS[:2]}])
    lacking = full | {"annotations" if role == "key" else "predictions": []}
    corpus = studio(tmp_path, full, lacking, role=role)
    assert [len(document.entities) for document in corpus] == [3 if role == "key" else 2, 0]
    assert codes(corpus) == ["W110", "W210"]


def test_a_task_whose_annotations_were_cancelled(tmp_path: Path) -> None:
    linked = [*SPANS, link("c", "a")]
    cancelled = task(linked, linked)
    for annotation in cancelled["annotations"]:
        annotation["was_cancelled"] = True
    corpus = studio(tmp_path, task(linked), cancelled)
    assert [len(document.entities) for document in corpus] == [2, 0]
    assert codes(corpus) == ["W210"]
    assert "'annotations' has only cancelled annotations" in corpus.findings[0].message


def test_tasks_without_any_link(tmp_path: Path) -> None:
    """Relations may not have been exported; a few mentions without links prove nothing."""
    assert codes(studio(tmp_path, task(SPANS), task(SPANS))) == ["W157"]
    assert codes(studio(tmp_path, task(SPANS), task([*SPANS, link("c", "a")]))) == []
    assert codes(studio(tmp_path, task(SPANS))) == []


def test_tasks_have_no_names(tmp_path: Path) -> None:
    corpus = studio(
        tmp_path, task(SPANS), task(SPANS, data={"title": "t", "story": "Ann met Bob. Me."})
    )
    assert corpus.document_names == ("x#1", "x#2")
    assert corpus["x#2"].text == "Ann met Bob. Me."


@pytest.mark.parametrize(
    "one",
    [
        task([link("a", "z")]),
        task([{"id": "a", "value": {"start": 0.5, "end": 3}}]),
        task([], data={"n": 1}),
        task([], annotations=[1]),
        task([], annotations=[{"result": 5}]),
    ],
)
def test_errors_of_label_studio(one: dict[str, Any], tmp_path: Path) -> None:
    assert refusal(lambda: studio(tmp_path, one)) == [("E112", 1)]


# ---- LitBank ----

WORDS = "Old Ann ran .\nShe slept .\n"
MENTIONS = """MENTION\tT1\t0\t0\t0\t1\tOld Ann\tPER\tPROP
MENTION\tT2\t1\t0\t1\t0\tShe\tPER\tPRON
MENTION\tT3\t0\t3\t1\t1\t. She slept\tEVENT\tNOM
COREF\tT1\tann-0
COREF\tT2\tann-0
COP\tT1\tT3
"""
SLEPT = "MENTION\tT4\t1\t1\t1\t1\tslept\tEVENT\tNOM\n"


def litbank(folder: Path, annotations: str, words: str | None = WORDS) -> cs.Corpus:
    if words is not None:
        written(folder / "x.txt", words)
    return cs.read(written(folder / "x.ann", annotations))


def test_litbank(tmp_path: Path) -> None:
    """A mention without an entity is one; a mention may reach into the next sentence."""
    corpus = litbank(tmp_path, MENTIONS)
    document = corpus["x"]
    assert entities(document) == [("ann-0", [(0, 1), (4, 4)]), ("T3", [(3, 5)])]
    assert document.sentences == [range(4), range(4, 7)]
    assert document.attributes == {
        (0, 1): ("PER", "NAM"),
        (4, 4): ("PER", "PRO"),
        (3, 5): ("EVENT", "NOM"),
    }
    assert [finding.code.id for finding in corpus.findings] == ["W157"]


@pytest.mark.parametrize(
    ("more", "words", "finding"),
    [
        ("", None, ("E108", None)),
        ("COREF\tT9\tx-1\n", WORDS, ("E135", 7)),
        ("COREF\tT2\tbob-1\n", WORDS, ("E135", 7)),
        ("MENTION\tT9\n", WORDS, ("E135", 7)),
        ("MENTION\tT1\t0\t0\t0\t0\tOld\tPER\tNOM\n", WORDS, ("E135", 7)),
        ("MENTION\tT4\t1\t0\t0\t0\tx\tPER\tNOM\n", WORDS, ("E135", 7)),
        ("MENTION\tT4\t0\t0\t0\t9\tx\tPER\tNOM\n", WORDS, ("E113", None)),
        ("MENTION\tT4\t7\t0\t7\t0\tx\tPER\tNOM\n", WORDS, ("E113", None)),
        ("EVENT\tT1\n", WORDS, ("E135", 7)),
    ],
)
def test_errors_of_litbank(
    more: str, words: str | None, finding: tuple[str, int | None], tmp_path: Path
) -> None:
    assert finding in refusal(lambda: litbank(tmp_path, MENTIONS + more, words))


@pytest.mark.parametrize(("base", "ends"), [(0, "exclusive"), (1, "inclusive"), (1, "exclusive")])
def test_other_conventions_of_litbank(base: int, ends: str, tmp_path: Path) -> None:
    """The advice of the message works, also for a mention that reaches into another sentence."""
    rows = [line.split("\t") for line in (MENTIONS + SLEPT).splitlines()]
    for fields in rows:
        if fields[0] == "MENTION":
            fields[3] = str(int(fields[3]) + base)
            fields[5] = str(int(fields[5]) + base + (ends == "exclusive"))
    text = "\n".join(map("\t".join, rows))
    with pytest.raises(cs.InvalidInput, match="E120") as raised:
        litbank(tmp_path, text)
    (format,) = re.findall(r"with the format '([^']+)'", str(raised.value))
    corpus = cs.read(tmp_path / "x.ann", format)
    assert entities(corpus["x"]) == entities(litbank(tmp_path, MENTIONS + SLEPT)["x"])
