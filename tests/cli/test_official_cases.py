"""Official figures and files through the command line, where the cases lie beside this checkout.

All cases are checked in Python; here are ten of each kind.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest

from commands import Command
from extensions import test_anaphora_profiles as anaphora
from extensions import test_corefud as corefud
from extensions.test_anaphora_cases import all_cases
from formats.corefud import test_corefud_cases as reading
from formats.corefud.contents import values

T = TypeVar("T")
Case = Mapping[str, Any]
FIGURES = ("recall", "precision", "f1")
NAMES = {"bcub": "b3"}


def ten(cases: Sequence[T]) -> list[T]:
    """Return ten cases from everywhere in a list; none if there are none."""
    return [cases[place * len(cases) // 10] for place in range(10)] if cases else []


def name_of(case: Case) -> str:
    return str(case["name"])


def scores(case: Case, folder: Path, extension: str, options: Mapping[str, str]) -> Any:
    """Return what the command prints as JSON for one system."""
    paths = [folder / f"{side}.{extension}" for side in ("key", "response")]
    for path in paths:
        path.write_text(case[path.stem], encoding="utf-8")
    given = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    result = Command("score").run(*map(str, paths), *given, "--format", "json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)["systems"][0]


def check(system: Any, expected: Mapping[str, Mapping[str, float]]) -> None:
    for metric, wanted in expected.items():
        if metric == "conll":
            assert system["conll"] == pytest.approx(wanted["f1"], abs=1e-9)
            continue
        found = system["metrics"][NAMES.get(metric, metric)]
        for figure in FIGURES:
            assert found[figure] == pytest.approx(wanted[figure], abs=1e-9), (metric, figure)


COREFUD = ten([c for file in corefud.FILES for c in corefud.cases(file) if "expected" in c])


@pytest.mark.parametrize("case", COREFUD, ids=name_of)
def test_corefud(case: Case, tmp_path: Path) -> None:
    options = {"profile": "corefud", **corefud.settings(case["args"])}
    check(scores(case, tmp_path, "conllu", options), case["expected"])


@pytest.mark.parametrize("case", ten(corefud.cases("output.jsonl")), ids=name_of)
def test_what_the_corefud_scorer_prints(case: Case, tmp_path: Path) -> None:
    paths = [tmp_path / "key.conllu", tmp_path / "response.conllu"]
    for path in paths:
        path.write_text(case[path.stem], encoding="utf-8")
    chosen = {"profile": "corefud", "format": "corefud", **corefud.settings(case["args"])}
    options = [f"--{name}={value}" for name, value in chosen.items()]
    result = Command("score").run(*map(str, paths), *options)
    assert (result.exit_code, result.stdout) == (case["rc"], case["stdout"])


@pytest.mark.parametrize("case", ten([c for c in all_cases() if "expected" in c.values[0]]))
def test_universal_anaphora(case: Case, tmp_path: Path) -> None:
    system = scores(case, tmp_path, "conllua", anaphora.options_of(case))
    check(system, anaphora.expected_of(case))


READING = [case for case in reading.cases() if reading.label(case) not in reading.UNLIKE_UDAPI]


@pytest.mark.parametrize("case", ten(READING), ids=name_of)
def test_reading(case: Case, tmp_path: Path) -> None:
    source, target = tmp_path / "in.conllu", tmp_path / "out.conllu"
    source.write_text(case["conllu"], encoding="utf-8", newline="")
    result = Command("convert").run(str(source), str(target))
    if "error" in case:
        assert result.exit_code == 3 and result.stderr and not target.exists()
        return
    assert result.exit_code == 0, result.stderr
    assert bool(result.stderr) or not case.get("warnings")
    found = reading.annotated(values(target.read_text(encoding="utf-8")))
    assert found == case["rewritten"]
