"""How much is read of a file: limits, their defaults, and how they are raised."""

from __future__ import annotations

import gzip
import io
import os
from pathlib import Path

import pytest

import corefscope as cs
from corefscope.formats.reading.limits import DEEPEST

MIB = 1 << 20
TEXT = b"#begin document x\na\t(1)\n" + b"bb\t-\n" * 100_000 + b"#end document\n"


def refused(path: Path | str, limits: cs.Limits | None = None) -> cs.Finding:
    with pytest.raises(cs.InvalidInput) as caught:
        cs.read(path, limits=limits)
    (finding,) = caught.value.findings
    assert finding.code.id == "E119" and "expected" in finding.message
    return finding


def nested(depth: int) -> str:
    """One mention: a number within so many lists."""
    return '{"x": [[' + "[" * depth + "1" + "]" * depth + "]]}"


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    path = tmp_path / "a.conll.gz"
    path.write_bytes(gzip.compress(TEXT))
    return path


def test_a_gzip_file_is_read_up_to_the_limit(packed: Path) -> None:
    exact = cs.Limits(decompressed=len(TEXT))
    assert cs.read(packed, limits=exact).document_tokens.tolist() == [100_001]
    finding = refused(packed, cs.Limits(decompressed=len(TEXT) - 1))
    assert finding.file == str(packed)
    assert f"at most {len(TEXT) - 1:,} bytes" in finding.message
    assert "COREFSCOPE_MAX_DECOMPRESSED or Limits(decompressed=…)" in finding.message


def test_limit_counts_decompressed_bytes(packed: Path, tmp_path: Path) -> None:
    """A plain file is as large as it is, and can fill no disk that it is not already on."""
    plain = tmp_path / "a.conll"
    plain.write_bytes(TEXT)
    assert len(cs.read(plain, limits=cs.Limits(decompressed=1))) == 1


def test_decompression_stops_at_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of 100 KB that would become 100 MB: hardly more is read than allowed."""
    bomb = tmp_path / "bomb.json.gz"
    bomb.write_bytes(gzip.compress(b"{" + b" " * 100 * MIB, compresslevel=9))
    sizes = []
    read = gzip.GzipFile.read

    def counted(file: gzip.GzipFile, size: int | None = -1) -> bytes:
        data = read(file, size)
        sizes.append(len(data))
        return data

    monkeypatch.setattr(gzip.GzipFile, "read", counted)
    refused(bomb, cs.Limits(decompressed=20 * MIB))
    assert max(sizes) <= MIB
    # The format is recognised in longer and longer beginnings, the last of which is too long.
    assert sum(sizes) <= (1 + 1 + 17 + 20) * MIB


def test_standard_input_is_kept_in_memory_up_to_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    for data in (TEXT, gzip.compress(TEXT)):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        finding = refused("-", cs.Limits(memory=1000))
        assert finding.file == "<standard input>"
        assert "COREFSCOPE_MAX_MEMORY or Limits(memory=…)" in finding.message
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert len(cs.read("-", limits=cs.Limits(memory=len(TEXT)))) == 1


def test_a_gzip_file_that_is_read_as_a_whole_is_kept_in_memory(tmp_path: Path) -> None:
    """JSON over several lines and XML are parsed as one text."""
    record = '{"doc_key": "x",\n"sentences": [["a"]], "clusters": [[[0, 0]]]}'
    xml = '<Document doc_name="x"><token t_id="1" sentence="0" number="0">a</token></Document>'
    for name, text in (("a.jsonl.gz", record), ("a.xml.gz", xml)):
        path = tmp_path / name
        path.write_bytes(gzip.compress(text.encode() + b"\n" * 5000))
        assert len(cs.read(path)) == 1
        assert "to be kept in memory" in refused(path, cs.Limits(memory=5000)).message


class Endless(io.RawIOBase):
    """An input without end, which counts what was read of it."""

    def __init__(self, piece: bytes) -> None:
        self.piece, self.size = piece, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        view = memoryview(buffer)
        data = (self.piece * (len(view) // len(self.piece) + 1))[: len(view)]
        view[:] = data
        self.size += len(data)
        return len(data)


@pytest.mark.parametrize(("piece", "limit"), [(b"\0", "line"), (b"a\t-\n", "memory")])
def test_an_endless_input_stops_at_the_limit(
    piece: bytes, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    endless = Endless(piece)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(endless)))
    finding = refused("-", cs.Limits(line=3 * MIB, memory=5 * MIB))
    assert f"COREFSCOPE_MAX_{limit.upper()}" in finding.message
    assert endless.size <= {"line": 3, "memory": 5}[limit] * MIB + 2 * MIB


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no such device")
def test_a_device_without_end_is_refused() -> None:
    finding = refused("/dev/zero", cs.Limits(line=3 * MIB))
    assert (finding.file, "is too long" in finding.message) == ("/dev/zero", True)


def test_a_pipe_in_a_folder_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "a.conll").write_bytes(TEXT)
    os.mkfifo(tmp_path / "b.conll")
    assert len(cs.read(tmp_path)) == 1


@pytest.mark.parametrize("name", ["a.conll", "a.jsonl", "a.conll.gz"])
def test_a_line_without_end_is_refused(name: str, tmp_path: Path) -> None:
    record = b'{"doc_key": "x", "clusters": [], "more": "%s"}\n'
    long = b"x" * 4 * MIB
    data = record % long if "json" in name else TEXT.replace(b"a\t", long + b"\t")
    path = tmp_path / name
    path.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    finding = refused(path, cs.Limits(line=3 * MIB))
    assert "a line at or after byte 0 is too long; expected at most 3,145,728 bytes" in str(finding)
    assert len(cs.read(path, limits=cs.Limits(line=5 * MIB))) == 1


def test_mentions_nest_up_to_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(nested(50))
    assert cs.read(path).mention_ids
    path.write_text(nested(51))
    assert "'x' is nested too deeply; expected at most 50 levels" in refused(path).message
    assert cs.read(path, limits=cs.Limits(nesting=51)).mention_ids
    path.write_text(nested(DEEPEST))
    corpus = cs.read(path, limits=cs.Limits(nesting=DEEPEST))
    assert cs.score(corpus, corpus).b3.f1 == 1


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
def test_json_that_python_cannot_read_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text('{"doc_key": "x", "clusters": []}\n{"x": ' + "[" * 100_000)
    with pytest.raises(cs.InvalidInput, match=r"nested too deeply.*E119"):
        cs.read(path, "jsonl" if name == "a.jsonl" else None)
    path.write_text("[" * 100_000)
    with pytest.raises(cs.InvalidInput, match=r"nested too deeply.*E119"):
        cs.read(path, name[2:])


@pytest.mark.parametrize(
    ("text", "number"),
    [("500", 500), ("64K", 64 << 10), ("64k", 64 << 10), (" 2 MiB ", 2 * MIB), ("1GB", 1 << 30)],
)
def test_limits_are_set_in_environment_variables(text: str, number: int) -> None:
    limits = cs.Limits.from_environment({"COREFSCOPE_MAX_LINE": text})
    assert limits == cs.Limits(line=number)


def test_limits_from_environment(packed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COREFSCOPE_MAX_DECOMPRESSED", "100K")
    assert "at most 102,400 bytes" in refused(packed).message
    assert len(cs.read(packed, limits=cs.Limits())) == 1
    monkeypatch.setenv("COREFSCOPE_MAX_DECOMPRESSED", "")
    assert len(cs.read(packed)) == 1, "an empty variable is none"


@pytest.mark.parametrize("text", ["many", "-1", "0", "1.5G", "1E9", "²"])
def test_a_variable_that_is_no_number_is_refused(
    text: str, packed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COREFSCOPE_MAX_NESTING", text)
    assert f"COREFSCOPE_MAX_NESTING is {text!r}; expected" in refused(packed).message


def test_limits_must_be_possible() -> None:
    with pytest.raises(cs.InvalidInput, match="of at most 200"):
        cs.Limits.from_environment({"COREFSCOPE_MAX_NESTING": "201"})
    for wrong in ({"line": 0}, {"decompressed": -1}, {"memory": 0}, {"nesting": DEEPEST + 1}):
        with pytest.raises(ValueError, match="limits must be positive"):
            cs.Limits(**wrong)
