"""Windows of a document that a model answered one by one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import corefscope as cs
from commands import Command
from corefscope.corpus.copies import MergedWindows, WindowCounts

pytestmark = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
WORDS = [
    "Nora",
    "Lind",
    "keeps",
    "the",
    "lighthouse",
    ".",
    "She",
    "painted",
    "it",
    ".",
    "The",
    "keeper",
    "likes",
    "the",
    "tower",
    ".",
    "It",
    "is",
    "old",
    ".",
    "Nora",
    "sleeps",
    ".",
]
ENTITIES = [[(0, 1), (6, 6), (10, 11), (20, 20)], [(3, 4), (8, 8), (13, 14), (16, 16)]]
FIRST = (
    "[Nora Lind](#0) keeps [the lighthouse](#1) . [She](#0) painted [it](#1) . "
    "[The keeper](#0) likes [the tower](#1) ."
)
SECOND = "[The keeper](#5) likes [the tower](#7) . [It](#7) is old . [Nora](#5) sleeps ."


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "key.jsonl"
    record = {"doc_key": "tale", "tokens": WORDS, "clusters": ENTITIES}
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    return path


def test_entities_join_those_that_share_most() -> None:
    windows = MergedWindows()
    a, b, c, d = (((n, n),) for n in range(4))
    assert windows.add([[a, b], [c]], bool) == [0, 1]
    assert windows.add([[b, c, a], [d]], bool) == [0, 2]
    assert windows.entities == [{a: None, b: None}, {c: None}, {d: None}]
    assert windows.counts == WindowCounts(count=2, joined=1, conflicts=2)


def test_antecedents_that_are_not_found(tmp_path: Path, key: Path) -> None:
    answer = (
        "[ Nora Lind ] keeps [ the lighthouse ] . [ She | Nora Lind ] painted "
        "[ it | the castle ] . The keeper likes the tower . It is old . "
        "[ Nora | a sailor ] sleeps ."
    )
    (tmp_path / "tale.txt").write_text(answer, encoding="utf-8")
    scores = cs.score(key, tmp_path / "tale.txt")
    assert scores.ledger is not None
    ledger = scores.ledger.documents["tale"]
    assert ledger.style == "tanl" and ledger.antecedent_not_found == 2
    assert ledger.parsed == ledger.exact == 5 and not ledger.dropped
    assert "2 mentions name an antecedent that no mention before is" in scores.findings[0].message
    record = Command("score").system_of(str(key), str(tmp_path / "tale.txt"))["ledger"]
    assert record["documents"]["tale"]["antecedent_not_found"] == 2
    shown = Command("score").run(str(key), str(tmp_path / "tale.txt")).stdout
    assert "antecedent not found" in shown and "style tanl" in shown


def test_windows_of_corefinst_that_do_not_repeat_the_words_before(tmp_path: Path) -> None:
    texts = [
        "<m> Nora Lind </m>#0 keeps the lighthouse .[MID]<m> She </m>#0 painted it .",
        "<m> She </m>#3 painted it .[MID]<m> The keeper </m>#3 likes the tower .",
    ]
    path = tmp_path / "answers.jsonl"
    for second, expected in ((texts[1], []), (texts[1].replace("it .", "it."), ["W256"])):
        records = [
            json.dumps({"doc_id": "tale", "order": order, "text": text})
            for order, text in enumerate((texts[0], second))
        ]
        path.write_text("\n".join(records), encoding="utf-8")
        corpus = cs.read(path, role="response")
        assert [each.code.id for each in corpus.findings] == expected
