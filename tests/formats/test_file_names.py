"""Names of documents as names of files: each has its own, and is read back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corefscope import read, score, write
from corefscope.formats.file_names import LONGEST, document_name, file_names
from corefscope.formats.reading.source import Source

FOLDERS = ("brat",)
ODD = [
    *(
        "a/b",
        "a_b",
        "a%2Fb",
        "a:b",
        "..",
        "a/../c",
        ".hidden",
        "-x",
        "x.",
        "x ",
        "(bc/x); part 000",
    ),
    *("x.conll", "x.txt.json", "v1.2", "50%", "Ab", "aB", "ab", "É", "é", "a\nb", "\udcff", 'q"*?'),
]
PLAIN = ["x", "wsj_0001", "(x); part 000", "v1.2", "50%", "Zoë", "a b"]


def name_of(file: str) -> str:
    """The name of the document of a file, as readers find it."""
    return Source(name=file, path=Path(f"{file}.ann")).stem


@given(st.lists(st.text("aA%2FfbBé./_ -\udcff", max_size=8), unique=True))
@example(ODD)
def test_names_are_unique_and_read_back(names: list[str]) -> None:
    files = file_names(names)
    assert len({file.lower() for file in files}) == len(names)
    for name, file in zip(names, files, strict=True):
        assert name_of(file) == (name or file)
        assert "/" not in file
        assert not file.startswith(".")
        assert file.isprintable()


def test_plain_names_stay() -> None:
    assert file_names(PLAIN) == PLAIN
    assert [*map(document_name, PLAIN)] == PLAIN


@pytest.mark.parametrize("name", ["a%20b", "x%FF", "x%2f", "%41b", "100%25", "%"])
def test_other_percent_signs_stay(name: str) -> None:
    """They are no escapes of ours: the writers would not have escaped these characters."""
    expected = {"%41b": "Ab"}.get(name, name)
    assert name_of(name) == expected
    assert name_of(*file_names([expected])) == expected


def test_names_that_are_too_long() -> None:
    files = file_names(["é/" * 90, "é/" * 90 + "x", "short"])
    assert len(set(files)) == 3
    assert all(len(file.encode()) <= LONGEST for file in files)
    assert files[2] == "short"


def corpus_file(folder: Path, names: list[str]) -> Path:
    """One document per name, all with the same text, and the last one with other entities."""
    lines = []
    for name in names:
        clusters = [[[0, 0], [2, 2]]] if name == names[-1] else [[[0, 0], [3, 3]]]
        record = {"doc_key": name, "sentences": [["Ann", "saw", "him", "."]], "clusters": clusters}
        lines.append(json.dumps(record) + "\n")
    path = folder / "in.jsonl"
    path.write_text("".join(lines))
    return path


@pytest.mark.parametrize("format", FOLDERS)
def test_documents_keep_their_names(format: str, tmp_path: Path) -> None:
    corpus = read(corpus_file(tmp_path, [name for name in ODD if name != "\udcff"]))
    findings = write(corpus, tmp_path / "out", format)
    assert not any("names" in finding.message for finding in findings)
    again = read(tmp_path / "out")
    assert set(again.document_names) == set(corpus.document_names)
    assert score(corpus, again).conll == 1
