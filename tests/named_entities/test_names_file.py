"""Named entities from a file of their own: lines or JSON, and what is wrong with them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import corefscope as cs
from corefscope import Finding, InvalidInput
from corefscope.named_entities.names_file import read_names_file

LINES = "(nw/1); part 000\t0\t1\tPERSON\n(nw/1); part 000\t3\t3\tGPE\nother\t0\t0\tORG\n"
READ = {"(nw/1); part 000": [(0, 1, "PERSON"), (3, 3, "GPE")], "other": [(0, 0, "ORG")]}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "names"


def findings(file: Path, text: str) -> tuple[Finding, ...]:
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput) as caught:
        read_names_file(file)
    assert {finding.file for finding in caught.value.findings} == {str(file)}
    return caught.value.findings


@pytest.mark.parametrize(
    "text",
    [
        LINES,
        f"# document, first, last, type\n\n{LINES}  \n",
        LINES.replace("\n", "\r\n"),
        LINES.rstrip("\n"),
        LINES.replace("\t0\t", "\t 0 \t").replace("GPE", " GPE "),
        json.dumps(READ),
        "\n  " + json.dumps(READ, indent=2),
    ],
)
def test_lines_and_json_say_the_same(text: str, file: Path) -> None:
    file.write_text(text, encoding="utf-8", newline="")
    names = {
        document: [tuple(n) for n in found] for document, found in read_names_file(file).items()
    }
    assert names == READ


def test_a_byte_order_mark_is_no_part_of_a_name(file: Path) -> None:
    """Spreadsheets write one; the first document would be another one."""
    for text in (LINES, json.dumps(READ)):
        file.write_text(f"\ufeff{text}", encoding="utf-8")
        assert list(read_names_file(file)) == list(READ)


@pytest.mark.parametrize("text", ["", "# none\n", "{}", '{"d": []}'])
def test_a_file_without_names_is_refused(file: Path, text: str) -> None:
    """It would give no chains for every system, which looks like a result."""
    file.write_text(text)
    with pytest.raises(cs.InvalidInput, match="has no names") as refused:
        read_names_file(str(file))
    assert refused.value.findings[0].code.id == "E402"


@pytest.mark.parametrize(
    "line",
    [
        "d\t0\t1",
        "d\t0\t1\tPER\tmore",
        "d 0 1 PER",
        "d\tzero\t1\tPER",
        "d\t-1\t1\tPER",
        "d\t2\t1\tPER",
        "d\t0\t1.5\tPER",
        "d\t0\t1\t ",
        "d\t0\t²\tPER",
    ],
)
def test_invalid_lines(line: str, file: Path) -> None:
    (finding,) = findings(file, f"# names\n{LINES}{line}\n")
    assert (finding.code.id, finding.line) == ("E135", 5)
    assert repr(line) in finding.message
    assert "expected document, first, last and type, separated by tabs" in finding.message


def test_all_wrong_lines_are_reported_at_once(file: Path) -> None:
    found = findings(file, f"one\n{LINES}two\n")
    assert [(finding.code.id, finding.line) for finding in found] == [("E135", 1), ("E135", 5)]


def test_a_long_line_is_not_shown_whole(file: Path) -> None:
    (finding,) = findings(file, "x" * 1000)
    assert len(finding.message) < 200


@pytest.mark.parametrize(
    "rows",
    [
        [[0, 1]],
        [[0, 1, "PER", "more"]],
        [["0", "1", "PER"]],
        [[0, 1, None]],
        [[1, 0, "PER"]],
        [[0.0, 1.0, "PER"]],
        [0, 1, "PER"],
        {"0": 1},
        None,
        "PER",
    ],
)
def test_json_of_another_shape(rows: object, file: Path) -> None:
    (finding,) = findings(file, json.dumps({"good": [[0, 0, "PER"]], "bad": rows}))
    assert finding.code.id == "E135"
    assert finding.message == (
        "the names of document 'bad' cannot be read; expected [[first, last, type], …]"
    )


def test_broken_json(file: Path) -> None:
    (finding,) = findings(file, '{"d": [[0, 0, "PER"]],\n"e": ')
    assert finding.code.id == "E111" and "line 2" in finding.message


def test_json_without_end_is_refused(file: Path) -> None:
    (finding,) = findings(file, '{"d": ' + "[" * 100_000)
    assert finding.code.id == "E119"


def test_duplicate_document_in_json(file: Path) -> None:
    """JSON would keep the last, and lose names in silence."""
    (finding,) = findings(file, '{"d": [[0, 0, "PER"]], "d": [[1, 1, "PER"]]}')
    assert finding.code.id == "E111" and "'d'" in finding.message


def test_files_that_cannot_be_read(file: Path) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_names_file(file)
    assert caught.value.findings[0].code.id == "E108"
    file.write_bytes(b"d\t0\t0\t\xff\n")
    with pytest.raises(InvalidInput) as caught:
        read_names_file(file)
    assert caught.value.findings[0].code.id == "E108"


def test_nec_reads_names_from_a_file(tmp_path: Path) -> None:
    """The corpus has none of its own, and could not be measured without."""
    record = {"doc_key": "d", "sentences": [["Ann", "ran"]], "clusters": [[[0, 0]]]}
    key = tmp_path / "key.jsonl"
    key.write_text(json.dumps(record))
    names = tmp_path / "names.tsv"
    names.write_text("d\t0\t0\tPERSON\n")
    for path in (names, str(names)):
        assert cs.nec(key, key, names=path)["PER"].f1 == 1


TWICE = "d\t0\t1\tPERSON\nd\t3\t3\tGPE\nd\t0\t1\t%s\n"


def test_tokens_with_two_types(file: Path) -> None:
    (finding,) = findings(file, TWICE % "ORG")
    assert (finding.code.id, finding.line) == ("E135", 3)
    assert finding.message == (
        "tokens 0 to 1 of document 'd' are 'ORG' here and 'PERSON' on line 1; "
        "expected one type per name"
    )
    (finding,) = findings(file, json.dumps({"d": [[0, 1, "PERSON"], [0, 1, "ORG"]]}))
    assert finding.code.id == "E135" and "'ORG' here and 'PERSON' before" in finding.message


def test_a_name_that_is_given_twice_counts_once(file: Path) -> None:
    rows = [[0, 1, "PERSON"], [3, 3, "GPE"], [0, 1, "PERSON"]]
    for text, line in ((TWICE % "PERSON", 3), (json.dumps({"d": rows}), None)):
        file.write_text(text, encoding="utf-8")
        names = read_names_file(file)
        assert names == {"d": [(0, 1, "PERSON"), (3, 3, "GPE")]}
        (finding,) = names.findings
        assert (finding.code.id, finding.file, finding.line) == ("W407", str(file), line)
        assert "tokens 0 to 1 of document 'd' are 'PERSON' twice" in finding.message


def test_names_of_different_tokens_may_overlap(file: Path) -> None:
    file.write_text("d\t0\t4\tORG\nd\t3\t3\tGPE\n", encoding="utf-8")
    names = read_names_file(file)
    assert len(names["d"]) == 2 and not names.findings
