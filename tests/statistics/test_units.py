"""What is resampled: documents, parts of a text, files, groups by name or by a list."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from corefscope.exceptions import InvalidInput, UnknownName
from corefscope.findings import Code
from corefscope.statistics.units import make_units, text_of, unit_findings

NAMES = ["(nw/a); part 000", "(nw/a); part 001", "(bn/b); part 000"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("(nw/a); part 001", "(nw/a)"),
        ("nw/a_12", "nw/a"),
        ("nw/wsj/00/wsj_0001", "nw/wsj/00/wsj_0001"),
        ("nw/wsj/00/wsj_0001_3", "nw/wsj/00/wsj_0001"),
        ("part 1", "part 1"),
        ("(nw/a_b)", "(nw/a_b)"),
        ("chapter_1", "chapter_1"),
        ("a part of it", "a part of it"),
        ("", ""),
    ],
)
def test_the_text_that_a_document_is_part_of(name: str, text: str) -> None:
    assert text_of(name) == text


def test_units_by_document_part_file_or_group() -> None:
    assert make_units(NAMES, "documents").unit_of.tolist() == [0, 1, 2]
    parts = make_units(NAMES, "parts")
    assert (parts.unit_of.tolist(), parts.names) == ([0, 0, 1], ("(nw/a)", "(bn/b)"))
    files = make_units(NAMES, "files", ["x", "y", "x"])
    assert (files.unit_of.tolist(), files.names) == ([0, 1, 0], ("x", "y"))
    genres = make_units(NAMES, r"^\((\w+)/")
    assert genres.names == ("nw", "bn")
    assert make_units(NAMES, "nw|bn").names == ("nw", "bn")
    assert (parts.mark, genres.mark) == ("parts", "groups")


def test_unit_counts_are_sums_over_documents() -> None:
    rows = np.array([[1.0, 2.0], [10.0, 20.0], [100.0, 200.0]])
    assert make_units(NAMES, "parts").sums(rows).tolist() == [[11, 22], [100, 200]]


def test_a_file_lists_the_unit_of_each_document(tmp_path: Path) -> None:
    listed = tmp_path / "units.tsv"
    listed.write_text("\n".join(f"{name}\t{name[1]}" for name in NAMES) + "\n\n")
    assert make_units(NAMES, str(listed)).names == ("n", "b")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"{NAMES[0]}\tx\n{NAMES[1]}\ty\n", None),
        (f"{NAMES[0]}\tx\n{NAMES[0]}\ty\n", 2),
        (f"{NAMES[0]}\tx\n{NAMES[1]}\t\n", 2),
        (f"{NAMES[0]} x\n", 1),
    ],
    ids=["a document is missing", "a document is there twice", "no unit", "no tab"],
)
def test_list_that_omits_a_document(text: str, line: int | None, tmp_path: Path) -> None:
    listed = tmp_path / "units.tsv"
    listed.write_text(text)
    with pytest.raises(InvalidInput) as caught:
        make_units(NAMES, str(listed))
    (finding,) = caught.value.findings
    assert (finding.code, finding.file, finding.line) == (Code.NO_UNIT, str(listed), line)


@pytest.mark.parametrize("expression", ["nw", "(nw)|bn", "(", "*"])
def test_an_expression_must_match_every_document(expression: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        make_units(NAMES, expression, path="key.conll")
    (finding,) = caught.value.findings
    assert (finding.code, finding.file) == (Code.NO_UNIT, "key.conll")


def test_documents_without_file_have_no_unit_by_file() -> None:
    with pytest.raises(UnknownName):
        make_units(NAMES, "files", [None, None, None])


@pytest.mark.parametrize(
    ("count", "code"),
    [(9, Code.FEW_UNITS), (10, Code.FEW_UNITS), (29, Code.FEW_UNITS), (30, None)],
)
def test_few_units_are_warned_of(count: int, code: Code | None) -> None:
    names = [f"document {n}" for n in range(count)]
    found = [finding.code for finding in unit_findings(make_units(names, "documents"), names)]
    assert found == ([code] if code else [])


def test_parts_taken_for_independent() -> None:
    names = [f"(x{n // 2}); part {n % 2:03}" for n in range(80)]
    findings = unit_findings(make_units(names, "documents"), names)
    assert [finding.code for finding in findings] == [Code.FEW_UNITS]
    assert "80 documents are parts of 40 texts" in findings[0].message
    assert unit_findings(make_units(names, "parts"), names) == []


def test_single_system_has_no_p_value_warning() -> None:
    names = [f"d{n}" for n in range(12)]
    units = make_units(names, "documents")
    (alone,) = unit_findings(units, names, is_alone=True)
    (several,) = unit_findings(units, names)
    assert alone.message.endswith(": intervals are rough; expected 30 or more")
    assert several.message.endswith(": intervals and p-values are rough; expected 30 or more")
