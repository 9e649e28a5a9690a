"""Every published case that may lie beside this checkout: counts and property rows of the tool."""

from __future__ import annotations

import ast
import gzip
import json
from collections import Counter
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import corefscope as cs
from corefscope.choices import Singletons
from corefscope.error_analysis import Analysis
from corefscope.language import Features, Text
from corefscope.language.english import ENGLISH
from corefscope.matching import texts
from error_analysis.published_rows import row_of
from evaluations import analysis_of

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases" / "errors" / "cases.jsonl.gz"

OPERATIONS = {
    "alter_span": "Correct Span",
    "split": "Split from Cluster",
    "remove": "Remove Mention",
    "introduce": "Introduce Mention",
    "merge": "Merge into Cluster",
}
SWAPPED = replace(
    ENGLISH,
    pronouns={
        word: Features(features.person or features.gender, features.number)  # type: ignore[arg-type]
        for word, features in ENGLISH.pronouns.items()
    },
)
"""The pronouns as the tool looks them up: it stores the person where the gender belongs."""


@cache
def cases() -> dict[str, dict[str, Any]]:
    if not CASES.exists():
        return {}
    with gzip.open(CASES, "rt", encoding="utf-8") as lines:
        return {case["case"]: case for case in map(json.loads, lines)}


def corpora(case: dict[str, Any], folder: Path) -> tuple[cs.Corpus, cs.Corpus]:
    paths = [folder / f"{side}.conll" for side in ("key", "response")]
    for path in paths:
        path.write_text(case[path.stem], encoding="utf-8")
    return cs.read(paths[0]), cs.read(paths[1])


def counted(analysis: Analysis) -> dict[str, dict[str, int]]:
    """Return the counts under the tool's names."""
    return {
        "operations": {OPERATIONS[name]: n for name, n in analysis.operations.items()},
        "errors": {name.replace("_", " ").title(): n for name, n in analysis.errors.items()},
    }


@pytest.mark.skipif(not cases(), reason="no published cases beside this checkout")
def test_all_cases_are_there() -> None:
    assert len(cases()) == 152


@pytest.mark.parametrize("name", cases())
def test_operations_and_errors(name: str, tmp_path: Path) -> None:
    case = cases()[name]
    key, response = corpora(case, tmp_path)
    both: dict[Singletons, Any] = {"drop": case, "keep": case["keep_singletons"]}
    for singletons, expected in both.items():
        analysis = analysis_of(key, response, mode="berkeley", singletons=singletons)
        assert counted(analysis) == {part: expected[part] for part in ("operations", "errors")}


@pytest.mark.parametrize("name", cases())
def test_properties(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "Text", partial(Text, language=SWAPPED))
    case = cases()[name]
    key, response = corpora(case, tmp_path)
    analysis = analysis_of(key, response, mode="berkeley")
    found = [
        row_of(error, key[document.name].sentences)
        for document in analysis.documents
        for error in document.description.errors
    ]
    expected = [ast.literal_eval(row) for row in case["properties"]]
    assert Counter(map(repr, found)) == Counter(map(repr, expected))
