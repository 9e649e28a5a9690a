"""Files that are read in parts: the same corpus and the same findings as in one piece."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from random import Random

import numpy as np
import pytest

import corefscope as cs
from corefscope.corpus import Corpus
from corefscope.engines import using
from corefscope.exceptions import InvalidInput
from corefscope.findings import Finding
from corefscope.formats.registry import FORMATS
from divided import Divided
from fuzzing.generation import load_seeds
from fuzzing.mutations import mutated
from fuzzing.samples import samples

pytestmark = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
SEEDS = {name: data for name, data in load_seeds().items() if name.endswith(("conll", "jsonl"))}


def found_in(path: str, format: str | None = None) -> Corpus | tuple[Finding, ...]:
    """What reading gives: a corpus, or errors."""
    try:
        return cs.read(path, format)
    except InvalidInput as error:
        return error.findings


def comparable(value: object) -> object:
    """A value as data that can be compared, whatever records and arrays are in it."""
    if isinstance(value, np.ndarray):
        return str(value.dtype), value.tolist()
    if is_dataclass(value) and not isinstance(value, type):
        return type(value), [comparable(getattr(value, each.name)) for each in fields(value)]
    if isinstance(value, list | tuple):
        return [comparable(each) for each in value]
    if isinstance(value, Mapping):
        return {key: comparable(each) for key, each in value.items()}
    return value


def assert_same(whole: Corpus | tuple[Finding, ...], other: Corpus | tuple[Finding, ...]) -> None:
    assert type(whole) is type(other)
    if not isinstance(whole, Corpus) or not isinstance(other, Corpus):
        assert whole == other
        return
    for each in fields(Corpus):
        ours, theirs = getattr(whole, each.name), getattr(other, each.name)
        if isinstance(ours, np.ndarray):
            assert ours.dtype == theirs.dtype, each.name
            np.testing.assert_array_equal(ours, theirs, each.name)
        elif each.name not in ("layers", "_index"):
            assert comparable(ours) == comparable(theirs), each.name
    for number in range(len(whole)):
        texts = [side.layers.text(number) if side.layers else None for side in (whole, other)]
        words = [None if text is None else list(text.columns.get("words", [])) for text in texts]
        assert words[0] == words[1]


def assert_same_in_parts(path: str, format: str | None = None) -> int:
    """Read a file in parts of several numbers, both ways; return how many tasks there were."""
    whole = found_in(path, format)
    tasks = 0
    for workers, through_files in ((2, False), (3, True), (7, False)):
        engine = Divided(workers, through_files=through_files)
        with using(engine):
            assert_same(whole, found_in(path, format))
        tasks += engine.tasks
    return tasks


@pytest.mark.parametrize("name", SEEDS)
def test_seeds(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(SEEDS[name])
    assert_same_in_parts(str(path))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", SEEDS)
def test_damaged_files(name: str, seed: int, tmp_path: Path) -> None:
    """Whatever a file looks like, also with many documents, lines and findings."""
    path, random = tmp_path / name, Random(f"{name} {seed}")
    copies = [mutated(SEEDS[name], random) for _ in range(3)]
    path.write_bytes(b"\n".join([SEEDS[name], *copies])[: 1 << 16])
    assert_same_in_parts(str(path))


def conll(documents: int, cell: str = "(1)") -> str:
    rows = "".join(f"w{n}\t{cell}\n" for n in range(3))
    return "".join(f"#begin document d{n}\n{rows}#end document\n" for n in range(documents))


def records(documents: int, **fields_: object) -> list[str]:
    given = {"sentences": [["a", "b", "c"]], "clusters": [[[0, 0], [2, 2]]], **fields_}
    return [json.dumps({"doc_key": f"d{n}", **given}) for n in range(documents)]


def test_parts_are_read_at_all(tmp_path: Path) -> None:
    (tmp_path / "a.conll").write_text(conll(50))
    assert assert_same_in_parts(str(tmp_path / "a.conll")) > 10
    (tmp_path / "a.jsonl").write_text("\n".join(records(600)) + "\n")
    assert assert_same_in_parts(str(tmp_path / "a.jsonl")) > 10
    for number in range(20):
        (tmp_path / f"{number}.conll").write_text(conll(1).replace("d0", f"x{number}"))
    (tmp_path / "a.jsonl").unlink()
    assert assert_same_in_parts(str(tmp_path)) > 10


def test_warnings_keep_their_order_and_their_number(tmp_path: Path) -> None:
    text = conll(300).replace("w2\t(1)\n", "# a comment\nw2\t(1)\n")
    (tmp_path / "a.conll").write_text("stray line\n" + text + "stray line\n")
    corpus = cs.read(tmp_path / "a.conll")
    assert any(each.unlisted for each in corpus.findings)
    assert assert_same_in_parts(str(tmp_path / "a.conll")) > 10


def test_errors_are_those_of_the_whole_file(tmp_path: Path) -> None:
    text = conll(30).replace("#begin document d7\nw0\t(1)", "#begin document d7\nw0\t(1")
    (tmp_path / "a.conll").write_text(text + conll(1))
    found = found_in(str(tmp_path / "a.conll"))
    assert isinstance(found, tuple) and {"E102", "E106"} <= {each.code.id for each in found}
    assert_same_in_parts(str(tmp_path / "a.conll"))


@pytest.mark.parametrize("unnamed", [True, False])
@pytest.mark.parametrize("gap", [0, 1, 300])
def test_documents_without_a_name_keep_their_numbers(
    unnamed: bool, gap: int, tmp_path: Path
) -> None:
    lines = records(700, **({"doc_key": None} if unnamed else {}))
    lines[350:350] = [" \t"] * gap
    (tmp_path / "a.jsonl").write_text("\n".join(lines) + "\n")
    assert_same_in_parts(str(tmp_path / "a.jsonl"))


def test_a_second_field_is_reported_once(tmp_path: Path) -> None:
    lines = records(700)
    lines[600:] = records(100, predicted_clusters=[[[1, 1]]])
    (tmp_path / "a.jsonl").write_text("\n".join(lines).replace('"d', '"e', 100) + "\n")
    assert_same_in_parts(str(tmp_path / "a.jsonl"))


def test_other_ways_to_store_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.conll.gz").write_bytes(gzip.compress(conll(30).encode()))
    assert assert_same_in_parts(str(tmp_path / "a.conll.gz")) == 0
    (tmp_path / "bom.conll").write_bytes(b"\xef\xbb\xbf" + conll(30).encode())
    assert assert_same_in_parts(str(tmp_path / "bom.conll")) > 0
    (tmp_path / "latin.conll").write_bytes(conll(30).encode().replace(b"w1", b"\xe9"))
    assert_same_in_parts(str(tmp_path / "latin.conll"))
    (tmp_path / "array.json").write_text(f"[{','.join(records(30))}]")
    assert assert_same_in_parts(str(tmp_path / "array.json"), "jsonl") == 0
    (tmp_path / "crlf.conll").write_bytes(conll(30).replace("\n", "\r\n").encode())
    assert assert_same_in_parts(str(tmp_path / "crlf.conll")) > 0
    (tmp_path / "one.conll").write_text(conll(1))
    assert_same_in_parts(str(tmp_path / "one.conll"))


@pytest.mark.parametrize("format", [each for each in FORMATS if each != "tables"])
def test_folders_of_all_formats(format: str, tmp_path: Path) -> None:
    named = None if format in ("json", "strings") else format
    for number in range(3):
        for name, data in samples()[format].items():
            path = tmp_path / str(number) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        assert_same_in_parts(str(tmp_path / str(number)), named)
    assert_same_in_parts(str(tmp_path), named)


def test_a_blank_line_at_the_end_of_a_part(tmp_path: Path) -> None:
    lines = records(14, doc_key=None)
    for place in range(1, 14):
        text = "\n".join([*lines[:place], "", *lines[place:]]) + "\n"
        (tmp_path / "a.jsonl").write_text(text)
        assert_same_in_parts(str(tmp_path / "a.jsonl"))


def test_signs_that_are_blank_elsewhere(tmp_path: Path) -> None:
    lines = records(3)
    for end in ("\v", "\f", "\x85", "\u2028"):
        (tmp_path / "a.jsonl").write_text("\n".join([lines[0] + end, *lines[1:]]), "utf-8")
        found = found_in(str(tmp_path / "a.jsonl"))
        assert isinstance(found, tuple) and found[0].code.id == "E111"
        assert_same_in_parts(str(tmp_path / "a.jsonl"))


def test_files_of_a_folder_are_not_divided_again(tmp_path: Path) -> None:
    for name in "abc":
        text = "\n".join(records(40)).replace('"d', f'"{name}')
        (tmp_path / f"{name}.jsonl").write_text(text)
    assert assert_same_in_parts(str(tmp_path)) == 9


def test_doubts_about_a_file_that_show_in_several_parts(tmp_path: Path) -> None:
    """What is reported once, of the first document, and counts them all."""
    special = {
        11: "w\t-\t\nw\t-\t\n",
        17: "w\t-\t(01)\nw\t-\t(1)\n",
        23: "w\t-\t\nw\t-\t\n",
        29: "w\t-\t(PERSON)\nw\t-\t(PLACE)\n",
        31: "w\t-\t(007)\nw\t-\t(7)\n",
        35: "w\t-\nw\t-\n",
        37: "w\t-\nw\t-\n",
        38: "w\t-\t(PERSON)\nw\t-\t(THING)\n",
    }
    usual = "w\t-\t(1)\nw\t-\t-\nw\t-\t(1)\n"
    documents = [f"#begin document d{n}\n{special.get(n, usual)}#end document\n" for n in range(40)]
    path = tmp_path / "a.conll"
    path.write_text("".join(documents), encoding="utf-8")
    found = found_in(str(path))
    assert isinstance(found, Corpus)
    messages = " ".join(each.message for each in found.findings)
    for said in ("leading zeros", "cells of document 'd11' are empty", "'d35' has no mention"):
        assert said in messages
    assert messages.count("2 such documents") >= 3
    assert assert_same_in_parts(str(path)) > 10
