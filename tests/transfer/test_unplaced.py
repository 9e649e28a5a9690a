"""Mentions of answers that have no place in the text: dropped, or counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import corefscope as cs
from brute_force import METRICS as REFERENCES
from commands import Command

pytestmark = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
WORDS = [
    "Ida",
    "met",
    "Eve",
    ".",
    "She",
    "gave",
    "her",
    "a",
    "book",
    ".",
    "Eve",
    "read",
    "it",
    "at",
    "home",
    ".",
]
ENTITIES = [[(0, 0), (4, 4)], [(2, 2), (6, 6), (10, 10)], [(7, 8), (12, 12)]]
TAGGED = (
    "[Ida](#0) met [Eve](#1) . [She](#0) gave [her](#1) [a book](#2) . [Eve](#1) read [it](#2) at "
    "home ."
)
INVENTED = TAGGED.replace("at home", "with [the old dragon](#1) and [three kings](#9) at home")
STRINGS = '[["Ida", "She", "Zorro"], ["Eve", "her", "Eve"], ["a book", "it"], ["Otto", "Anna"]]'


@pytest.fixture
def key(tmp_path: Path) -> Path:
    record = {"doc_key": "x", "tokens": WORDS, "clusters": ENTITIES}
    path = tmp_path / "key.jsonl"
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    return path


def with_ids(invented: list[list[Any]]) -> list[list[Any]]:
    """The entities of the key, and mentions that match nothing."""
    own = [*map(list, ENTITIES), *[[] for _ in range(len(invented) - len(ENTITIES))]]
    return [entity + more for entity, more in zip(own, invented, strict=True)]


@pytest.mark.parametrize(
    ("answer", "invented"),
    [
        (INVENTED, [[], ["dragon"], [], ["kings"]]),
        (STRINGS, [["Zorro"], [], [], ["Otto", "Anna"]]),
    ],
)
def test_unplaced_mentions_cost_precision(
    answer: str, invented: list[list[Any]], key: Path
) -> None:
    dropped = cs.score(key, {"x": answer})
    counted = cs.score(key, {"x": answer}, unplaced="count")
    assert dropped.conll == 1 and "unplaced" not in dropped.signature
    assert "unplaced:count" in counted.signature
    for metric in ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea"):
        # The same entities with ids, which match nothing.
        expected = cs.score(
            [[str(mention) for mention in entity] for entity in ENTITIES],
            [[str(mention) for mention in entity] for entity in with_ids(invented)],
            metrics=metric,
        )[metric]
        assert counted[metric].precision_counts == pytest.approx(expected.precision_counts)
        assert counted[metric].recall_counts == pytest.approx(expected.recall_counts)
    assert dropped.unplaced_counted.conll == counted.conll == counted.unplaced_counted.conll
    assert counted.unplaced_dropped.conll == dropped.conll == dropped.unplaced_dropped.conll


@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_any_invented_strings(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Strings that the text does not have are mentions of their entities that match nothing."""
    path = tmp_path_factory.getbasetemp() / "unplaced-key.jsonl"
    record = {"doc_key": "x", "tokens": WORDS, "clusters": ENTITIES}
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    names = [["Ida", "She"], ["Eve", "her", "Eve"], ["a book", "it"], []]
    sizes = data.draw(st.lists(st.integers(0, 3), min_size=4, max_size=4))
    invented = [[f"zzz{n}{i}" for i in range(size)] for n, size in enumerate(sizes)]
    answer = [own + more for own, more in zip(names, invented, strict=True)]
    scores = cs.score(path, {"x": json.dumps([each for each in answer if each])}, unplaced="count")
    ours = [frozenset(map(str, entity)) for entity in ENTITIES]
    theirs = [frozenset(map(str, entity)) for entity in with_ids(invented) if entity]
    for metric, reference in REFERENCES.items():
        expected = reference([(ours, theirs)])
        assert scores[metric].recall == pytest.approx(float(expected.recall)), metric
        assert scores[metric].precision == pytest.approx(float(expected.precision)), metric


def test_an_entity_of_unplaced_mentions_alone(key: Path) -> None:
    scores = cs.score(key, {"x": '[["Zorro", "Batman"]]'}, unplaced="count")
    assert scores.mentions.precision_counts == (0, 2) and scores.b3.precision_counts == (0, 2)
    assert cs.score(key, {"x": '[["Zorro", "Batman"]]'}).mentions.precision_counts == (0, 0)


def test_repeated_and_empty_mentions_and_thoughts_do_not_count(key: Path) -> None:
    for answer in (
        f"<think>{INVENTED}</think>{TAGGED}",
        f"{TAGGED} {TAGGED}",
        TAGGED.replace("home", "home [](#3)"),
        '[["Ida", "She", "Ida"], ["Eve", "her", "Eve"], ["a book", "it"]]',
    ):
        scores = cs.score(key, {"x": answer}, unplaced="count")
        assert scores.mentions.precision == 1, answer


def test_mentions_that_were_changed_are_named(key: Path, tmp_path: Path) -> None:
    answers = tmp_path / "answers"
    answers.mkdir()
    dragons = " ".join(f"and [dragon {n}](#{n})" for n in range(12))
    (answers / "x.txt").write_text(INVENTED.replace("a book", "a big book") + dragons)
    printed = Command("score").run(str(key), str(answers)).stdout
    assert "and 5 more; JSON has all of them" in printed
    assert "the old dragon" in printed and "a big book" in printed and "unplaced counted" in printed
    ledger = Command("score").system_of(str(key), str(answers))["ledger"]
    assert len(ledger["mentions"]) == 15
    first = ledger["mentions"][0]
    assert first.keys() == {"document", "entity", "text", "outcome", "becomes", "unplaced"}
    edited = [each for each in ledger["mentions"] if each["outcome"] == "edited"]
    assert [(each["text"], each["becomes"]) for each in edited] == [("a big book", "a book")]
    scores = ledger["scores"]
    assert scores["unplaced_dropped"]["conll"] == 1 > scores["unplaced_counted"]["conll"]
    assert scores["without_failed"] == ledger["without_failed"]


def test_where_unplaced_mentions_cannot_count(key: Path, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text(INVENTED)
    given = (str(key), str(tmp_path / "x.txt"), "--unplaced", "count")
    for more in (("--profile", "crac-2026"), ("--profile", "ua-2"), ("--by", "mention-type")):
        status, message = Command("score").refused(*given, *more)
        assert status == 2 and "--unplaced count" in message
    with pytest.raises(ValueError, match="expected unplaced='drop'"):
        cs.score(key, {"x": INVENTED}, unplaced="count", profile="ua-2")
    with pytest.raises(cs.UnknownName, match="drop, count"):
        cs.score(key, {"x": INVENTED}, unplaced="keep")  # type: ignore[arg-type]
    scores = cs.score(key, {"x": INVENTED}, profile="ua-2")
    assert scores.conll == 1 and not scores.by_unplaced


def test_analyses_leave_unplaced_mentions_out(key: Path) -> None:
    evaluation = cs.evaluate(key, {"ours": {"x": INVENTED}}, unplaced="count")
    assert evaluation["ours"].scores.mentions.precision_counts == (7, 9)
    assert not any(evaluation["ours"].errors.errors.values())
