"""Several annotators in one file or one folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import corefscope as cs
from commands import Command
from corefscope.agreement.common_texts import NotComparable

ROOT = Path(__file__).resolve().parents[2]
WEBANNO = ROOT / "docs" / "samples" / "webanno"
EXAMPLES = ROOT / "docs" / "examples" / "annotators"
CONLL = "#begin document ({name}); part 000\n{rows}#end document\n"
pytestmark = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")


def conll(words: str, cells: str, name: str = "d") -> str:
    rows = zip(words.split(), cells.split(), strict=True)
    return CONLL.format(name=name, rows="".join(f"{word}\t{cell}\n" for word, cell in rows))


TEXTS = {"x": "Ann saw Bob and he waved", "y": "The cat slept while it rained"}
ANNA, BEN = "- - (1) - (1) -", "(1) - - - (1) -"


def put(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def stored(pattern: str, name: str | None = None) -> dict[str, str]:
    """One file per annotator and document; all documents may have the same name."""
    return {
        pattern.format(document=document, annotator=annotator): conll(
            words, cells, name or document
        )
        for document, words in TEXTS.items()
        for annotator, cells in (("anna", ANNA), ("ben", BEN))
    }


@pytest.mark.parametrize(
    "pattern", ["{document}/{annotator}.conll", "{annotator}/{document}.conll"]
)
def test_folders_of_documents_or_annotators(pattern: str, tmp_path: Path) -> None:
    found = cs.agree(put(tmp_path, stored(pattern)))
    assert found.annotators == ["anna", "ben"]
    assert sorted(found.texts.documents) == ["(x); part 000", "(y); part 000"]
    assert found.mentions.marked_by == [4, 2]


def test_files_of_one_text_are_annotators(tmp_path: Path) -> None:
    words = TEXTS["x"]
    folder = put(tmp_path, {"anna.conll": conll(words, ANNA), "ben.conll": conll(words, BEN)})
    assert cs.agree(folder).annotators == ["anna", "ben"]
    put(tmp_path, {"carla.conll": conll(TEXTS["y"], ANNA, "other")})
    with pytest.raises(NotComparable, match="have different texts; expected several, or NAME=PATH"):
        cs.agree(folder)


@pytest.mark.parametrize("inside", ["", "annotation/"])
def test_an_export_of_webanno(inside: str, tmp_path: Path) -> None:
    """Documents have no name but that of their folder; the initial file is no annotator."""
    for document in ("bakery", "lighthouse"):
        text = (WEBANNO / f"{document}.tsv").read_text("utf-8")
        put(
            tmp_path / inside / f"{document}.txt",
            {
                "anna.tsv": text,
                "ben.tsv": text,
                "INITIAL_CAS.tsv": text,
            },
        )
    if inside:
        put(tmp_path, {"curation/bakery.txt/CURATION_USER.tsv": "nothing"})
    found = cs.agree(tmp_path)
    assert found.annotators == ["anna", "ben"]
    assert sorted(found.texts.documents) == ["bakery.txt", "lighthouse.txt"]
    assert found.mean["conll"] == 1


def test_one_document_of_a_folder(tmp_path: Path) -> None:
    text = (WEBANNO / "bakery.tsv").read_text("utf-8")
    put(tmp_path, {"bakery.txt/anna.tsv": text, "bakery.txt/ben.tsv": text})
    assert cs.agree(tmp_path).texts.documents == ["bakery.txt"]
    assert cs.agree(tmp_path / "bakery.txt").annotators == ["anna", "ben"]


def test_what_is_not_clear_is_refused(tmp_path: Path) -> None:
    same = {name: conll(TEXTS["x"], ANNA) for name in ("a/b.conll", "a/c.conll", "d/b.conll")}
    folder = put(tmp_path / "same", same)
    with pytest.raises(NotComparable, match="documents or annotators; expected NAME=PATH"):
        cs.agree(folder)
    mixed = put(tmp_path / "mixed", {"a.conll": conll(TEXTS["x"], ANNA), **same})
    with pytest.raises(NotComparable, match="folders of different depth"):
        cs.agree(mixed)
    bare = {f"{a}/{b}.json": '{"clusters": [[[0, 0], [1, 1]]]}' for a in "ab" for b in "cd"}
    with pytest.raises(NotComparable, match="do not tell"):
        cs.agree(put(tmp_path / "bare", bare))
    with pytest.raises(NotComparable, match="is one file with one annotator"):
        cs.agree(EXAMPLES / "anna.jsonl")
    single = put(tmp_path / "single", {"a.conll": conll(TEXTS["x"], ANNA)})
    with pytest.raises(NotComparable, match="has one file"):
        cs.agree(single)
    status, message = Command("agree").refused(str(single))
    assert status == 2 and "NAME=PATH" in message


# ---- Label Studio ----


def marks(*spans: tuple[int, int]) -> list[dict[str, Any]]:
    """Mentions of one entity."""
    found: list[dict[str, Any]] = [
        {"id": f"m{start}", "value": {"start": start, "end": end}} for start, end in spans
    ]
    first, *others = (f"m{start}" for start, _ in spans)
    return found + [
        {"type": "relation", "from_id": first, "to_id": other, "labels": ["coref"]}
        for other in others
    ]


def task(number: int, text: str, **annotations: list[dict[str, Any]]) -> dict[str, Any]:
    users: dict[str, Any] = {"anna": 1, "ben": {"id": 2, "email": "ben@example.org"}, "carla": "3"}
    return {
        "id": number,
        "data": {"text": text},
        "annotations": [
            {"completed_by": users[name], "result": result} for name, result in annotations.items()
        ],
    }


ANN = marks((0, 3), (16, 18))
BOB = marks((8, 11), (16, 18))


def test_an_export_of_label_studio(tmp_path: Path) -> None:
    tasks = [
        task(7, TEXTS["x"], anna=ANN, ben=BOB),
        task(8, "Eve slept", anna=marks((0, 3))),
        task(9, "Tim saw Max and he waved", ben=ANN, carla=ANN),
    ]
    path = tmp_path / "export.json"
    path.write_text(json.dumps(tasks), encoding="utf-8")
    found = cs.agree(path)
    assert found.annotators == ["1", "ben@example.org", "3"]
    assert [(pair.a, pair.b) for pair in found] == [
        ("1", "ben@example.org"),
        ("ben@example.org", "3"),
    ]
    assert found["ben@example.org", "3"].conll == 1
    assert found["1", "ben@example.org"].documents == ("task 7",)
    one = cs.read(path, "label-studio:annotator=1")
    assert one.document_names == ("task 7", "task 8")
    # score still reads the first annotation of each task, and says so.
    assert "W110" in Command("score").run(str(path), str(path)).stderr


def test_who_annotated_must_be_known(tmp_path: Path) -> None:
    tasks = [task(1, TEXTS["x"], anna=ANN, ben=BOB)]
    path = tmp_path / "export.json"
    del tasks[0]["annotations"][1]["completed_by"]
    path.write_text(json.dumps(tasks), encoding="utf-8")
    with pytest.raises(cs.InvalidInput, match=r"no 'completed_by'.*\[E112\]"):
        cs.agree(path)
    del tasks[0]["annotations"][1]
    path.write_text(json.dumps(tasks), encoding="utf-8")
    with pytest.raises(NotComparable, match="has 1 annotator"):
        cs.agree(path)
