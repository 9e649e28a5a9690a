"""The official figures of the Universal Anaphora scorers, where the cases lie beside this checkout.

Where the official figure depends on the order of a hash set, the clean one is expected, and a
finding. Where the official scorer fails, a finding is all that is expected.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from corefscope import InvalidInput, read
from corefscope.extensions.universal_anaphora.rules import UaRules
from corefscope.extensions.universal_anaphora.scoring import score_universal_anaphora
from corefscope.metrics.blanc import figures_of_both_sides, figures_of_split_antecedents
from corefscope.metrics.counts import plain_figures

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases" / "corefud" / "ua"
MATCHES = {"partial-corefud": "partial", "partial-craft": "craft"}


def cases() -> Iterator[Any]:
    for path in sorted(CASES.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                case = json.loads(line)
                yield pytest.param(case, id=case["name"])


def all_cases() -> list[Any]:
    """Return all cases that are there, as parameters of a test."""
    return list(cases())


def rules_of(case: Mapping[str, Any]) -> UaRules:
    """The options of the official command lines."""
    words = case["args"]

    def choose(**choices: str) -> str:
        return next((value for word, value in choices.items() if word in words), choices["default"])

    if case["scorer"] == "v1":
        options = {
            "version": 1,
            "match": choose(MIN="min", default="exact"),
            "singletons": choose(remove_singletons="drop", default="keep"),
            "split_antecedents": choose(
                only_split_antecedent="only", remove_split_antecedent="drop", default="keep"
            ),
            "layer": choose(evaluate_discourse_deixis="deixis", default="identity"),
        }
    else:
        options = {
            "version": 2,
            "match": choose(**MATCHES, default="exact"),
            "singletons": choose(**{"-s": "keep", "default": "drop"}),
            "split_antecedents": choose(
                **{"--only-split-antecedent": "only", "-l": "keep", "default": "drop"}
            ),
            "zeros": choose(**{"-z": "linear", "default": "drop"}),
            "layer": choose(**{"-d": "deixis", "default": "identity"}),
        }
    return UaRules(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize("case", all_cases())
def test_official_figures(case: Mapping[str, Any], tmp_path: Path) -> None:
    paths = [tmp_path / f"{side}.conllua" for side in ("key", "response")]
    for path in paths:
        path.write_text(case[path.stem], encoding="utf-8")
    rules = rules_of(case)
    try:
        key, response = map(read, paths)
        found = score_universal_anaphora(key, response, rules)
    except InvalidInput:
        assert "error" in case
        return
    codes = {finding.code.id for finding in found.findings}
    if "error" in case:
        assert "W231" in codes
        return
    if "defect_kind" in case:
        assert "W220" in codes
    figures = {
        "blanc": figures_of_split_antecedents
        if rules.split_antecedents == "only"
        else figures_of_both_sides
    }
    for name, expected in (case["expected"] | case.get("clean", {})).items():
        if name == "conll":
            continue
        metric = "b3" if name == "bcub" else name
        row = found.counts[metric].sum(axis=0)
        wanted = [expected[part] for part in ("recall", "precision", "f1")]
        assert figures.get(metric, plain_figures)(row) == pytest.approx(wanted, abs=1e-9), name
