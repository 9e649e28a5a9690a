"""Damaged samples are read, or refused with a reason; nothing else happens."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import corefscope as cs
from corefscope.formats.registry import FORMATS
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
        for entity in document.entities if corpus.mention_spans is not None else ():
            assert all(0 <= mention.start <= mention.end < tokens for mention in entity)
