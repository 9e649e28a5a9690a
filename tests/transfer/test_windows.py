"""Windows of a document that a model answered one by one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import corefscope as cs
from commands import Command
from corefscope.corpus.windows import MergedWindows, WindowCounts

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
IN_XML = (
    '<m id="a">The keeper</m> likes <m id="b">the tower</m> . <m id="b">It</m> is old . '
    '<m id="a">Nora</m> sleeps .'
)


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "key.jsonl"
    record = {"doc_key": "tale", "tokens": WORDS, "clusters": ENTITIES}
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    return path


def windows_of(scores: cs.Scores) -> WindowCounts | None:
    assert scores.ledger is not None
    ledger = scores.ledger.documents["tale"]
    words = ledger.words
    found = words.equal + words.respelt + words.replaced
    assert words.source == found + words.deleted + ledger.missing_tail
    assert words.output == found + words.inserted + ledger.outside
    after = sum(ledger.dropped_mentions.values())
    assert ledger.parsed == ledger.exact + ledger.edited + ledger.shrunk + after
    return ledger.windows


@pytest.mark.parametrize("second", [SECOND, IN_XML])
def test_files_of_windows(key: Path, second: str, tmp_path: Path) -> None:
    folder = tmp_path / "answers"
    folder.mkdir()
    (folder / "tale@2.txt").write_text(second, encoding="utf-8")
    (folder / "tale@1.txt").write_text(FIRST, encoding="utf-8")
    scores = cs.score(key, folder)
    assert scores.conll == 1 and not scores.missing and not scores.findings
    assert windows_of(scores) == WindowCounts(count=2, joined=2, conflicts=0)
    ledger = Command("score").system_of(str(key), str(folder))["ledger"]
    expected = {"count": 2, "joined": 2, "conflicts": 0}
    assert ledger["documents"]["tale"]["windows"] == ledger["total"]["windows"] == expected
    shown = Command("score").run(str(key), str(folder)).stdout
    assert "entities joined" in shown and "conflicts" in shown


def test_windows_in_json_lines_and_in_python(key: Path, tmp_path: Path) -> None:
    answers = {"tale@10": SECOND, "tale@2": FIRST}
    path = tmp_path / "answers.jsonl"
    records = [json.dumps({"doc_key": name, "output": text}) for name, text in answers.items()]
    path.write_text("\n".join(records), encoding="utf-8")
    for response in (answers, path):
        scores = cs.score(key, response)
        assert scores.conll == 1
        assert windows_of(scores) == WindowCounts(count=2, joined=2, conflicts=0)


def test_windows_beside_answers_in_json(tmp_path: Path) -> None:
    path = tmp_path / "key.jsonl"
    records = [{"doc_key": n, "tokens": WORDS, "clusters": ENTITIES} for n in ("other", "tale")]
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    strings = [[" ".join(WORDS[a : b + 1]) for a, b in entity] for entity in ENTITIES]
    answers = {"tale@2": SECOND, "other": json.dumps(strings), "tale@1": FIRST}
    scores = cs.score(path, answers)
    assert scores.conll == 1 and not scores.missing and not scores.extra
    assert windows_of(scores) == WindowCounts(count=2, joined=2, conflicts=0)
    assert scores.ledger is not None and scores.ledger.styles == {"markdown": 1, "strings": 1}
    scores = cs.score(path, answers | {"tale@2": "I cannot help with that."})
    assert scores.ledger is not None and scores.ledger.documents["tale"].status == "cut off"
    assert scores.mentions.recall_counts == (14, 16)


def test_windows_in_json_are_named(key: Path) -> None:
    answers = {f"tale@{n}": json.dumps([["Nora Lind", "She"]]) for n in (1, 2)}
    with pytest.raises(cs.InvalidInput, match=r"tale@1.*E201"):
        cs.score(key, answers)
    both = [[" ".join(WORDS[a : b + 1]) for a, b in entity] for entity in ENTITIES]
    record = {"doc_key": "other", "tokens": WORDS, "clusters": ENTITIES}
    key.write_text(f"{key.read_text(encoding='utf-8')}{json.dumps(record)}\n", encoding="utf-8")
    scores = cs.score(key, answers | {"other": json.dumps(both)})
    messages = [each.message for each in scores.findings if each.code.id == "W202"]
    assert len(messages) == 2 and all("seems to be a window of 'tale'" in m for m in messages)


def test_conflicts(key: Path) -> None:
    other = "[The keeper](#5) likes the tower . [It](#7) is old . [Nora](#5) sleeps ."
    scores = cs.score(key, {"tale@1": FIRST, "tale@2": other})
    assert windows_of(scores) == WindowCounts(count=2, joined=1, conflicts=1)
    # "It" shares no mention with the tower, so that it is an entity of its own.
    assert scores.mentions.f1 == 1 and scores.b3.recall < 1
    swapped = SECOND.replace("The keeper](#5)", "The keeper](#7)")
    assert windows_of(cs.score(key, {"tale@1": FIRST, "tale@2": swapped})) == WindowCounts(
        count=2, joined=1, conflicts=1
    )


def test_a_window_that_is_missing_or_failed(key: Path) -> None:
    for second in ("I cannot help with that.", ""):
        scores = cs.score(key, {"tale@1": FIRST, "tale@2": second})
        assert scores.ledger is not None and windows_of(scores) is not None
        assert scores.ledger.documents["tale"].status == "cut off"
        assert scores.ledger.documents["tale"].missing_tail == 7
        assert scores.mentions.recall_counts == (6, 8)
    scores = cs.score(key, {"tale@1": "No.", "tale@2": "Sorry."})
    assert scores.ledger is not None and scores.ledger.failed == ["tale"]


def test_unplaced_mentions_of_windows(key: Path) -> None:
    second = SECOND.replace("tower](#7)", "tower](#7) and [a dragon](#7)")
    scores = cs.score(key, {"tale@1": FIRST, "tale@2": second}, unplaced="count")
    assert scores.mentions.precision_counts == (8, 9)
    assert scores.muc.precision_counts == (6, 7)


def test_documents_that_the_key_has_are_no_windows(tmp_path: Path) -> None:
    path = tmp_path / "key.jsonl"
    records = [
        json.dumps({"doc_key": f"tale@{n}", "tokens": WORDS, "clusters": ENTITIES}) for n in (1, 2)
    ]
    path.write_text("\n".join(records), encoding="utf-8")
    scores = cs.score(path, {"tale@1": FIRST, "tale@2": SECOND})
    assert scores.ledger is not None and not scores.missing
    assert scores.ledger.documents["tale@1"].windows is None


def test_one_document_of_windows(key: Path, tmp_path: Path) -> None:
    record = {"doc_key": "other", "tokens": ["Ann", "slept"], "clusters": [[[0, 0]]]}
    with key.open("a", encoding="utf-8") as file:
        file.write(json.dumps(record) + "\n")
    folder = tmp_path / "answers"
    folder.mkdir()
    for name, text in {"tale@1": FIRST, "tale@2": SECOND, "other": "[Ann](#0) slept"}.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    given = (str(key), str(folder), "--document", "tale")
    assert Command("score").system_of(*given)["conll"] == 1


def test_zeros_of_windows_are_the_same(tmp_path: Path) -> None:
    lines = [
        *("# global.Entity = eid-etype-head-other", "# newdoc id = d1", "# sent_id = 1"),
        "1\tIda\tIda\tPROPN\t_\t_\t2\tnsubj\t2:nsubj\tEntity=(e1)",
        "2\tmet\tmeet\tVERB\t_\t_\t0\troot\t0:root\t_",
        "2.1\t_\t_\tPRON\t_\t_\t_\t_\t2:obj\tEntity=(e2)",
        "3\tEve\tEve\tPROPN\t_\t_\t2\tobj\t2:obj\tEntity=(e2)",
        "4\tthere\tthere\tADV\t_\t_\t2\tadvmod\t2:advmod\t_",
    ]
    (tmp_path / "key.conllu").write_text("\n".join(lines) + "\n\n", encoding="utf-8")
    windows = {
        "d1@1": "<m> Ida </m>#0 met </z>@1 <m> Eve </m>#1",
        "d1@2": "met </z>@5 <m> Eve </m>#5 there",
    }
    scores = cs.score(tmp_path / "key.conllu", windows)
    assert scores.mentions.f1 == 1 and scores.b3.f1 == 1


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
