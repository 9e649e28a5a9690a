"""Damaged samples are read, or refused with a reason; nothing else happens."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import corefscope as cs
from corefscope.formats.registry import FORMATS
from formats.contents import partition
from formats.sample_documents import SAMPLES

ROOT = Path(__file__).parents[2] / SAMPLES
PIECES = [
    b"",
    b"\0",
    b"\xff",
    b"\t",
    b"\n",
    b"9",
    b"-1",
    b"null",
    b"[]",
    b"{",
    b"<a>",
    b"|",
    b"9" * 30,
]


@pytest.mark.parametrize("name", sorted(FORMATS))
@settings(max_examples=60)
@given(data=st.data())
def test_damaged(name: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.getbasetemp() / f"damaged-{name}"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / name, folder)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    for _ in range(data.draw(st.integers(1, 3))):
        file = data.draw(st.sampled_from(files))
        whole = file.read_bytes()
        begin = data.draw(st.integers(0, len(whole)))
        end = begin + data.draw(st.sampled_from([0, 1, 4, 50, len(whole)]))
        file.write_bytes(whole[:begin] + data.draw(st.sampled_from(PIECES)) + whole[end:])
    path = data.draw(st.sampled_from([folder, *files]))
    try:
        corpus = cs.read(path)
    except cs.InvalidInput as error:
        assert any(finding.is_error for finding in error.findings)
        return
    for document in corpus:
        tokens = len(document)
        assert document.words is None or len(document.words) == tokens
        for entity in document.entities if corpus.has_spans else ():
            assert all(0 <= mention.start <= mention.end < tokens for mention in entity)


@pytest.mark.parametrize("name", sorted(set(FORMATS) - {"spacy", "tables"}))
def test_a_byte_order_mark_changes_nothing(name: str, tmp_path: Path) -> None:
    """Also when the text of a document is read for the second time."""
    folder = tmp_path / name
    shutil.copytree(ROOT / name, folder)
    for file in (path for path in folder.rglob("*") if path.is_file()):
        file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    format = "cdcr:documents=column:3" if name == "cdcr" else name
    marked, plain = (cs.read(path, format) for path in (folder, ROOT / name))
    assert marked.document_names == plain.document_names and not marked.findings
    for one, other in zip(marked, plain, strict=True):
        assert (one.words, one.sentences) == (other.words, other.sentences)
        assert partition(one) == partition(other)


ACCENTS = {"é": b"\xe9", "Å": b"\xc5"}
"""Letters of the samples, and their bytes in another encoding."""
WITHOUT_ACCENTS = {
    "json": ("x.json", b'{"caf\xe9": [["a", "b"]]}'),
    "pairs": ("x.tsv", b"mention_id\tcluster_id\n\xe9\t1\nb\t1\n"),
    "scorch": ("x.json", b'{"type": "clusters", "clusters": {"\xe9": ["a", "b"]}}'),
}
"""Files in another encoding, for formats whose samples have no such letters."""
BINARY = ("spacy", "tables")
XML = ("corenlp-xml", "ecb", "mmax2")
"""These may declare another encoding than UTF-8; a wrong byte is no XML."""


@pytest.mark.parametrize("name", sorted(set(FORMATS) - set(BINARY)))
def test_bytes_that_are_not_utf8_are_reported(name: str, tmp_path: Path) -> None:
    """One file at a time, also the files that belong to another one."""
    expected = "E111" if name in XML else "W107"
    if name in WITHOUT_ACCENTS:
        title, content = WITHOUT_ACCENTS[name]
        (tmp_path / title).write_bytes(content)
        assert expected in codes_of(tmp_path / title, name)
        return
    damaged = 0
    for file in (path for path in sorted((ROOT / name).rglob("*")) if path.is_file()):
        data = file.read_bytes()
        for letter, byte in ACCENTS.items():
            data = data.replace(letter.encode(), byte)
        if data == file.read_bytes():
            continue
        damaged += 1
        folder = tmp_path / str(damaged)
        shutil.copytree(ROOT / name, folder)
        (folder / file.relative_to(ROOT / name)).write_bytes(data)
        for format in (name, None):
            assert expected in codes_of(folder, format), file
    assert damaged, "the sample has no letter with an accent: add a file to WITHOUT_ACCENTS above"


def codes_of(path: Path, format: str | None) -> list[str]:
    try:
        return [finding.code.id for finding in cs.read(path, format).findings]
    except cs.InvalidInput as error:
        return [finding.code.id for finding in error.findings]


RECORD = b'{"doc_key": "x", "sentences": [["a", "cat"]], "clusters": [[[0, 1]]]}'
OTHER = RECORD.replace(b"cat", b"\xff").replace(b'"x"', b'"y"')
LAYOUTS = {
    "one line": (OTHER, 1),
    "first line": (OTHER + b"\n" + RECORD, 1),
    "second line": (RECORD + b"\n" + OTHER, 2),
    "one after the other": (RECORD + OTHER, 1),
    "array": (b"[" + RECORD + b",\n" + OTHER + b"]", 2),
    "several lines": (OTHER.replace(b'"clusters"', b'\n"clusters"'), 1),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_bytes_that_are_not_utf8_in_json(name: str, tmp_path: Path) -> None:
    data, line = LAYOUTS[name]
    (tmp_path / "x.jsonl").write_bytes(data)
    corpus = cs.read(tmp_path / "x.jsonl")
    assert [(finding.code.id, finding.line) for finding in corpus.findings] == [("W107", line)]
    assert corpus["y"].words == ["a", "\udcff"]
