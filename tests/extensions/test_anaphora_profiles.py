"""The profiles ua-1 and ua-2 give the official figures, in Python and on the command line."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import corefscope as cs
from anaphora_text import document, mark, only
from corefscope.cli import main
from corefscope.profiles import parse_signature
from extensions.test_anaphora_cases import all_cases, rules_of

quiet = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
ASKED = ("non_referring", "bridging_anaphor", "bridging_mention", "bridging_entity")
PLURAL = document(
    *(only(1, "a", "ElementOf=4"), only(2, "c", "ElementOf=4"), only(3, "h")),
    *(only(4, "f"), only(4, "g")),
)
OTHER = PLURAL.replace("=c|ElementOf=4", "=c").replace("=h", "=h|ElementOf=4")


def written(folder: Path, **texts: str) -> Iterator[str]:
    for name, text in texts.items():
        path = folder / f"{name}.conllua"
        path.write_text(text, encoding="utf-8")
        yield str(path)


def options_of(case: Mapping[str, Any]) -> dict[str, str]:
    rules = rules_of(case)
    return {
        "profile": f"ua-{rules.version}",
        "match": rules.match,
        "singletons": rules.singletons,
        "split_antecedents": rules.split_antecedents,
        "zeros": rules.zeros,
        "layer": rules.layer,
        "metrics": ",".join(["all", *(name for name in ASKED if name in case.get("expected", {}))]),
    }


def expected_of(case: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    figures = case["expected"] | case.get("clean", {})
    return {{"bcub": "b3"}.get(name, name): figures[name] for name in figures if name != "conll"}


@quiet
@pytest.mark.parametrize("case", [case for case in all_cases() if "error" not in case.values[0]])
def test_official_figures_in_python(case: Mapping[str, Any], tmp_path: Path) -> None:
    paths = written(tmp_path, key=case["key"], response=case["response"])
    scores = cs.score(*paths, **options_of(case))  # type: ignore[arg-type]
    for metric, expected in expected_of(case).items():
        found = scores[metric]
        wanted = [expected[part] for part in ("recall", "precision", "f1")]
        assert [found.recall, found.precision, found.f1] == pytest.approx(wanted, abs=1e-9), metric


@quiet
def test_options_and_signature(tmp_path: Path) -> None:
    paths = [*written(tmp_path, key=PLURAL, response=OTHER)]
    usual = cs.score(*paths, profile="ua-1")
    assert usual.muc.f1 == 0.75
    fields = parse_signature(usual.signature)
    assert (fields["profile"], fields["scorer"]) == ("ua-1", "ua-1")
    assert fields["split_antecedents"] == "keep" and "layer" not in fields
    dropped = cs.score(*paths, profile="ua-1", split_antecedents="drop")
    assert dropped.muc.f1 == 1 and "profile:custom" in dropped.signature
    alone = cs.score(*paths, profile="ua-2", split_antecedents="only")
    assert (alone.b3.f1, alone.blanc.f1) == (0.5, 0)
    assert set(alone.blanc.parts) > {"coreference", "non_coreference"}


@quiet
@pytest.mark.parametrize("split", ["keep", "only"])
def test_results_can_be_stored_and_compared(split: str, tmp_path: Path) -> None:
    """Counts are fractions, and BLANC has more parts where split antecedents alone are scored."""
    key, response = written(tmp_path, key=PLURAL, response=OTHER)
    stored = tmp_path / "scores.json"
    options = f"--profile ua-1 --split-antecedents {split}"
    command = f"score {key} {response} {options} --per-document --format json -o {stored}"
    assert CliRunner().invoke(main, shlex.split(command)).exit_code == 0
    compared = f"compare {key} a={stored} b={response} {options} --format json"
    result = CliRunner().invoke(main, shlex.split(compared))
    assert result.exit_code == 0, result.output
    one, other = json.loads(result.stdout)["systems"]
    assert {**one, "name": "b", "responses": other["responses"]} == other


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--profile ua-1 --match partial", "exact, min"),
        ("--profile ua-2 --match min", "exact, partial, craft, head"),
        ("--profile ua-1 --zeros drop", "linear"),
        ("--profile ua-2 --zeros dependent", "linear, drop"),
        ("--split-antecedents keep", "drop"),
        ("--layer deixis", "identity"),
        ("--match craft", "exact, head, partial"),
        ("--metrics bridging_entity", "metric of conll-2012"),
        ("--profile ua-1 --layer deixis --metrics non_referring", "discourse deixis"),
    ],
)
def test_options_that_a_scorer_does_not_have(options: str, message: str, tmp_path: Path) -> None:
    (path,) = written(tmp_path, key=PLURAL)
    result = CliRunner().invoke(main, ["score", path, path, *options.split()])
    assert result.exit_code == 2 and message in result.stderr


@quiet
def test_heads_that_version_2_takes_but_does_not_know(tmp_path: Path) -> None:
    """Its figures are those of exact matching, unless both sides have markables of their own."""
    words = only(1, "a"), only(1, "b")
    key = document(*words, only(1, "c"), "_")
    for last, fails in ((("_", "_"), False), ((mark(1, "c"), ")"), True)):
        paths = [*written(tmp_path, key=key, response=document(*words, *last))]
        found = cs.score(*paths, profile="ua-2", match="head")
        assert found.metrics == cs.score(*paths, profile="ua-2").metrics
        assert ("W231" in {finding.code.id for finding in found.findings}) == fails
        assert parse_signature(found.signature)["match"] == "head"


@quiet
def test_a_document_that_is_missing(tmp_path: Path) -> None:
    """Version 1 leaves it out; version 2 refuses the response."""
    one = document(only(1, "a"), only(1, "b"), name="a")
    two = one + document(only(1, "a"), only(1, "b"), name="b")
    paths = [*written(tmp_path, key=two, response=one)]
    found = cs.score(*paths, profile="ua-1")
    assert found.muc.f1 == 1 and found.mentions.recall_counts == (2, 2)
    (missing,) = (finding for finding in found.findings if finding.code.id == "W201")
    assert "leaves it out" in missing.message
    printed = CliRunner().invoke(main, ["score", *paths, "--profile", "ua-1"]).stdout
    assert "(1 missing from the response, left out)" in printed
    with pytest.raises(cs.InvalidInput, match="E204"):
        cs.score(*paths, profile="ua-2")


@quiet
@pytest.mark.parametrize("command", ["errors", "nec", "stats", "explain muc", "report", "validate"])
def test_other_commands_read_these_files(command: str, tmp_path: Path) -> None:
    gap = document(mark(1, "a"), ")", "_", only(1, "a"), only(1, "b"), only(2, "c"))
    key, response = written(tmp_path, key=gap, response=gap.replace("=2|", "=1|"))
    name, *metric = command.split()
    files = [key] if name in ("stats", "validate") else [key, response]
    output = ["-o", str(tmp_path / "report.html")] if name == "report" else []
    result = CliRunner().invoke(main, [name, *metric, *files, *output])
    assert "Traceback" not in result.output
    assert result.exit_code in (0, 3), result.output


DEIXIS = "\t".join(["1", "w1", *"________", only(1, "a"), "_", only(7, "p")])
DEIXIS = f"# newdoc id = x\n{DEIXIS}\n" + "\t".join(["2", "w2", *"___________"]) + "\n"
SAID_OF_TWO = DEIXIS + "\t".join(["3", "w3", *"________", "_", "_", only(7, "q")]) + "\n"
NOT_DEICTIC = SAID_OF_TWO.replace("=q", "=q2").replace(only(7, "p"), "_")


@quiet
def test_both_files_read_as_deixis_are_scored_as_deixis(tmp_path: Path) -> None:
    key, response = written(tmp_path, key=SAID_OF_TWO, response=NOT_DEICTIC)
    asked = cs.score(key, response, profile="ua-1", layer="deixis")
    layers = [cs.read(path, "ua:layer=deixis") for path in (key, response)]
    found = cs.score(*layers, profile="ua-1")
    assert found.signature == asked.signature and "|layer:deixis|" in found.signature
    assert found.to_dict() == asked.to_dict()
    assert found.to_dict() != cs.score(key, response, profile="ua-1").to_dict()
    with pytest.raises(cs.UnknownName, match="bridging"):
        cs.score(*layers, profile="ua-1", metrics="bridging_anaphor")


@pytest.mark.parametrize("profile", ["conll-2012", "ua-1"])
@quiet
def test_layers_that_differ_are_reported(tmp_path: Path, profile: str) -> None:
    key, response = written(tmp_path, key=SAID_OF_TWO, response=SAID_OF_TWO)
    deixis = cs.read(key, "ua:layer=deixis")
    found = cs.score(deixis, response, profile=profile)
    assert [finding.code.id for finding in found.findings] == ["W212"]
    assert "layer:" not in found.signature
    same = cs.score(deixis, deixis, profile=profile)
    assert not same.findings and same.conll == 1
