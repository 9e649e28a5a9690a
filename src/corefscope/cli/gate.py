"""``corefscope gate``: has it become worse?"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING, Any

import click

from corefscope.cli.common import (
    NAMED,
    comparison_options,
    emit,
    format_option,
    key_argument,
    named,
    output_option,
    print_tables,
    protocol,
    protocol_options,
    read_corpus,
    read_response,
    refuse_double_input,
    reports_errors,
    response_format,
    show_findings,
)
from corefscope.cli.outputs import split_name

if TYPE_CHECKING:
    from corefscope.gate import Check
    from corefscope.scoring import Scores

FORMATS = ("table", "json", "markdown")
OFF = "off"
"""The limit of a score that is not checked."""
FAILED = 1
"""The exit status of a gate that does not pass."""


@click.command("gate")
@key_argument
@click.argument("response", type=NAMED)
@response_format
@click.option(
    "--baseline",
    required=True,
    type=NAMED,
    metavar="FILE",
    help="A file of results that `score --format json` wrote; NAME=FILE for one of its systems.",
)
@click.option(
    "--max-drop",
    "max_drops",
    multiple=True,
    metavar="[METRIC=]POINTS",
    help="How much a score may drop; without METRIC, the CoNLL score, which may not drop by "
    "default. conll=off does not check it. May be repeated.",
)
@protocol_options
@comparison_options
@format_option(FORMATS)
@output_option
@reports_errors
def command(key: str, response: str, key_format: str | None, **given: Any) -> None:
    """Fail with exit status 1 if a RESPONSE is worse than a baseline by more than is allowed.

    For continuous integration: keep the results of the best model in the repository, and let
    every new one be measured against them.

    \b
    Examples:
      corefscope score gold.conll best.conll --format json -o best.json
      corefscope gate gold.conll new.conll --baseline best.json --max-drop 0.3
      corefscope gate gold.conll new.conll --baseline best.json --max-drop lea=0.5
    """
    from corefscope.exceptions import UnknownName
    from corefscope.gate import checks, incomplete
    from corefscope.scoring import score_corpora
    from corefscope.serialization.stored import is_result, stored_scores, stored_system

    (system,) = named([response])
    refuse_double_input(key, [system])
    max_drops = _max_drops(given["max_drops"])
    name, path = split_name(given["baseline"])
    stored = stored_system(path, name or system.name)
    if name is not None and name != stored.name:
        raise UnknownName(f"system in {path}", name, [stored.name])
    gold = read_corpus(key, key_format)
    options = protocol(given)
    if is_result(system.path):
        scores = stored_scores(system.path, system.name, gold, options)
    else:
        theirs = read_response(system.path, given["response_format"])
        scores = score_corpora(gold, theirs, options)
    found, missing = checks(scores, stored, max_drops, path, gold), scores.missing
    show_findings([*scores.findings, *incomplete(stored, path)])
    _print(found, scores, given)
    if missing or not all(check.passes for check in found):
        sys.exit(FAILED)


def _print(checks: Sequence[Check], scores: Scores, given: dict[str, Any]) -> None:
    from corefscope.rendering.gate import gate_table
    from corefscope.serialization.common import as_json
    from corefscope.serialization.gate import gate_result

    if given["format_"] == "json":
        records = [check.record() for check in checks]
        result = gate_result(records, scores.signature, scores.missing)
        emit(as_json(result) + "\n", given["output"])
    else:
        table = gate_table(checks, scores.signature, scores.missing)
        print_tables([table], given["format_"], given["output"])


def _max_drops(texts: tuple[str, ...]) -> dict[str, float | None]:
    """Read limits: POINTS for the CoNLL score, or METRIC=POINTS; None does not check a score."""
    from corefscope.metrics import CONLL, metric_named

    limits: dict[str, float | None] = {}
    for text in texts or ("0",):
        name, _, points = text.rpartition("=")
        limit = None if points == OFF else _points(text, points)
        id = CONLL.id if name in ("", CONLL.id) else metric_named(name).id
        if id in limits:
            raise click.UsageError(f"--max-drop is given twice for {id}")
        limits[id] = limit
    return limits


def _points(text: str, points: str) -> float:
    try:
        limit = float(points)
    except ValueError:
        limit = -1.0
    if not 0 <= limit < inf:
        raise click.UsageError(f"--max-drop takes POINTS or METRIC=POINTS, not {text!r}")
    return limit
