"""What commands write as JSON is what the schemas say, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import corefscope as cs
from commands import Command
from corefscope.demo import KEY, RESPONSES
from corefscope.exceptions import UnknownName
from corefscope.metrics import METRICS
from corefscope.metrics.blanc import PARTS_OF_SPLIT_ANTECEDENTS
from corefscope.report import Contents
from corefscope.report.error_rows import ERROR_COLUMNS
from corefscope.report.record import ErrorColumns
from corefscope.results.record import as_json
from corefscope.schemas import RESULTS, schema_id, schema_of
from corefscope.scoring.record import ScoreRecord, metric_records
from corefscope.typescript import page_schema, page_types
from report.report_pages import unpacked

SIEVE, RECENCY = str(RESPONSES["sieve"]), str(RESPONSES["recency"])
QUICK = ("--samples", "50")
EVERYWHERE = ",".join(id for id, metric in METRICS.items() if metric.is_ours)
"""The metrics that all profiles have."""
CRAC = Path(__file__).parents[1] / "docs" / "samples" / "corefud"
COMMANDS: dict[str, list[list[str]]] = {
    "score": [
        ["score", str(KEY), SIEVE, RECENCY],
        ["score", str(KEY), SIEVE, "--per-document", "--metrics", EVERYWHERE],
        ["score", str(KEY), SIEVE, "--per-document", "--profile", "macro"],
    ],
    "crac": [
        ["score", "--crac", str(CRAC), str(CRAC), "--empty-nodes"],
        ["score", "--crac", str(CRAC), f"a={CRAC}", f"b={CRAC}"],
    ],
    "breakdown": [
        ["score", str(KEY), SIEVE, "--by", "mention-type"],
        ["score", str(KEY), SIEVE, "--by", "entity-type"],
    ],
    "errors": [
        ["errors", str(KEY), SIEVE, RECENCY, "--list"],
        ["errors", str(KEY), SIEVE, "--impact", "--tables", "all"],
        ["errors", str(KEY), SIEVE, "--mode", "berkeley", "--list"],
    ],
    "nec": [
        ["nec", str(KEY), SIEVE, RECENCY, "--detail"],
        ["nec", str(KEY), SIEVE, "--tables", "all"],
    ],
    "compare": [
        ["compare", str(KEY), SIEVE, RECENCY, "--changes", *QUICK],
        ["compare", str(KEY), *map(str, RESPONSES.values()), "--all-pairs", *QUICK],
        ["compare", str(KEY), f"a={SIEVE}", f"a={RECENCY}", f"b={SIEVE}"],
    ],
    "agreement": [
        ["agree", f"a={KEY}", SIEVE, RECENCY, "--list"],
        ["agree", str(KEY), SIEVE, "--metrics", EVERYWHERE, "--unmarked", "singleton"],
    ],
    "profiles": [["profiles"]],
    "profile-scores": [["profiles", str(KEY), SIEVE]],
    "stats": [["stats", str(KEY), SIEVE]],
    "validate": [["validate", str(KEY), SIEVE]],
}
"""Commands that write each result."""
BROKEN = "#begin document (a); part 000\na 0 0 the DT * - - - - * (1\n\n#end document\n"


def written(*arguments: str) -> Any:
    name, *rest = arguments
    return json.loads(Command(name).run(*rest, "--format", "json").stdout)


def check(name: str, record: Any) -> None:
    """Refuse a record that is not what its schema says."""
    schema = schema_of(name)
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(record)
    assert list(record)[:2] == ["corefscope", "schema"]
    assert record["schema"] == schema_id(name)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [(name, arguments) for name, commands in COMMANDS.items() for arguments in commands],
    ids=lambda value: value if isinstance(value, str) else "-",
)
def test_commands_write_what_the_schema_says(name: str, arguments: list[str]) -> None:
    check(name, written(*arguments))


def test_the_json_of_a_gate(tmp_path: Path) -> None:
    baseline = str(tmp_path / "base.json")
    Command("score").run(str(KEY), SIEVE, "--format", "json", "-o", baseline)
    check("score", json.loads(Path(baseline).read_text(encoding="utf-8")))
    gate = ["gate", str(KEY), RECENCY, "--baseline", baseline, "--max-drop", "lea=off"]
    check("gate", written(*gate))


def test_the_json_of_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    broken = tmp_path / "broken.conll"
    broken.write_text(BROKEN, encoding="utf-8")
    record = written("validate", str(broken), str(KEY))
    check("validate", record)
    first, second = record["files"]
    assert (first["file"], first["documents"], first["errors"]) == (str(broken), None, 1)
    assert (second["documents"], second["errors"]) == (10, 0)
    assert [finding["severity"] for finding in record["findings"]].count("error") == 1


@pytest.mark.parametrize("redact", [False, True])
def test_the_data_of_a_report(redact: bool) -> None:
    evaluation = cs.evaluate(KEY, {"sieve": SIEVE, "recency": RECENCY})
    contents = Contents(evaluation=evaluation, title="report", redact=redact)
    summary = json.loads(as_json(contents.summary()))
    check("report", summary)
    schema = page_schema()
    for name, value in (
        ("Summary", summary),
        ("ErrorColumns", contents.errors()),
        *(("ReportText", unpacked(document)) for document in contents.documents()),
    ):
        record = json.loads(as_json(value))
        of_name = {"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]}
        Draft202012Validator(of_name).validate(record)


def test_every_result_is_checked() -> None:
    assert {*COMMANDS, "gate", "report", "corpus"} == set(RESULTS)
    assert {schema_id(name) for name in RESULTS} >= {"score/1", "compare/2"}


def remove(*path: str | int) -> Callable[[Any], None]:
    def change(record: Any) -> None:
        *places, last = path
        for place in places:
            record = record[place]
        del record[last]

    return change


def put(value: Any, *path: str | int) -> Callable[[Any], None]:
    def change(record: Any) -> None:
        *places, last = path
        for place in places:
            record = record[place]
        record[last] = value

    return change


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("score", remove("schema")),
        ("score", put("score/2", "schema")),
        ("score", put("errors/1", "schema")),
        ("score", remove("systems", 0, "signature")),
        ("score", put(1, "systems", 0, "conl")),
        ("score", put("0.5", "systems", 0, "metrics", "muc", "f1")),
        ("score", put(None, "systems", 0, "metrics", "muc", "f1")),
        ("score", put([1], "systems", 0, "metrics", "muc", "recall_counts")),
        ("score", put([1, 2, 3], "systems", 0, "metrics", "muc", "recall_counts")),
        ("score", put({}, "systems", 0, "metrics", "blanc", "coreference")),
        ("score", put("fatal", "findings", 0, "severity")),
        ("errors", put(1.5, "systems", 0, "errors", "span_error")),
        ("errors", remove("systems", 0, "list", 0, "mention_type")),
        ("errors", put("verb", "systems", 0, "list", 0, "mention_type")),
        ("errors", put([{"start": 1}], "systems", 0, "list", 0, "mentions")),
        ("nec", put("maybe", "systems", 0, "options", "aggregate")),
    ],
)
def test_a_wrong_document_fails(name: str, change: Callable[[Any], None]) -> None:
    record = written(*COMMANDS[name][0])
    record["findings"].append(
        {"code": "W201", "severity": "warning", "file": None, "line": None, "message": "missing"}
    )
    check(name, record)
    change(record)
    assert not Draft202012Validator(schema_of(name)).is_valid(record)


def test_parts_of_metrics_are_fields() -> None:
    own = {"recall", "precision", "f1", "recall_counts", "precision_counts"}
    known = set(ScoreRecord.__struct_fields__) - own
    parts = {part for metric in METRICS.values() for part in metric.parts}
    assert parts | PARTS_OF_SPLIT_ANTECEDENTS.keys() == known


def test_columns_of_the_report_are_fields() -> None:
    assert set(ErrorColumns.__struct_fields__) == set(ERROR_COLUMNS)


def test_types_of_the_script_are_up_to_date() -> None:
    path = Path(cs.__file__).parent / "report" / "static" / "types.d.ts"
    assert path.read_text(encoding="utf-8") == page_types(), "run make types"


def test_the_command_lists_and_prints_schemas() -> None:
    command = Command("schema")
    listed = command.printed().splitlines()
    first = [line.split()[0] for line in listed if not line.startswith(" ")]
    assert first == [schema_id(name) for name in RESULTS]
    assert json.loads(command.printed("score")) == schema_of("score")
    status, message = command.refused("scor")
    assert status == 2 and "score" in message
    with pytest.raises(UnknownName, match=r"'nope'"):
        schema_of("nope")


@pytest.mark.parametrize("profile", ["conll-2012", "macro", "corefud-exact"])
def test_documents_are_written_as_they_are_scored(
    profile: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lines of documents are filled in from columns, a few documents at a time."""
    monkeypatch.setattr("corefscope.scoring.record.AT_A_TIME", 3)
    arguments = ("--per-document", "--profile", profile, "--metrics", "muc,b3,ceafe,blanc,more")
    record = written("score", str(KEY), SIEVE, *arguments)
    scores = cs.score(KEY, SIEVE, profile=profile, metrics="muc,b3,ceafe,blanc,more")
    expected = [
        {"document": d.document, "metrics": metric_records(d.metrics), "conll": d.conll}
        for d in scores.per_document
    ]
    assert record["systems"][0]["per_document"] == json.loads(as_json(expected))


def test_a_list_may_be_an_iterator() -> None:
    value = {"a": [1], "b": {"c": iter([{"x": 1}, "é"]), "d": iter(())}, "e": 2}
    text = as_json(value)
    assert json.loads(text) == {"a": [1], "b": {"c": [{"x": 1}, "é"], "d": []}, "e": 2}
    assert '\n    "c": [\n      {"x": 1},\n      "é"\n    ],\n' in text
    undecodable = as_json({"a": iter(["\udce9", "é"])})
    assert undecodable.isprintable() is False and json.loads(undecodable)["a"][1] == "é"
    assert undecodable.encode()
