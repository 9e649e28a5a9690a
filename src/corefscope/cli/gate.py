"""``corefscope gate``: has it become worse?"""

from __future__ import annotations

import sys
from math import inf
from typing import Any

import click

from corefscope.cli.common import (
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

FORMATS = ("table", "json", "markdown")
FAILED = 1
"""The exit status of a gate that does not pass."""


@click.command("gate")
@key_argument
@click.argument("response")
@response_format
@click.option(
    "--baseline",
    required=True,
    type=click.Path(),
    metavar="FILE",
    help="A file of results that `score --format json` wrote; NAME=FILE for one of its systems.",
)
@click.option(
    "--max-drop",
    "max_drops",
    multiple=True,
    metavar="[METRIC=]POINTS",
    default=["0"],
    show_default=True,
    help="How much a score may fall; without a metric, the CoNLL score. May be repeated.",
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
    from corefscope.cli.common import split_name
    from corefscope.findings import UnknownName
    from corefscope.gate import checks
    from corefscope.results import is_result, stored_scores, stored_system
    from corefscope.scoring import score_corpora
    from corefscope.tables.gate import gate_dict, gate_table
    from corefscope.tables.table import as_json

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
    found = checks(scores, stored, max_drops, path, gold)
    show_findings(scores.findings)
    if given["format_"] == "json":
        emit(as_json(gate_dict(found, scores.signature)) + "\n", given["output"])
    else:
        print_tables([gate_table(found, scores.signature)], given["format_"], given["output"])
    if not all(check.passes for check in found):
        sys.exit(FAILED)


def _max_drops(texts: tuple[str, ...]) -> dict[str, float]:
    """Read limits: POINTS for the CoNLL score, or METRIC=POINTS."""
    from corefscope.metrics import metric_named

    limits = {}
    for text in texts:
        name, _, points = text.rpartition("=")
        try:
            limit = float(points)
        except ValueError:
            limit = -1.0
        if not 0 <= limit < inf:
            raise click.UsageError(f"--max-drop takes POINTS or METRIC=POINTS, not {text!r}")
        id = "conll" if name in ("", "conll") else metric_named(name).id
        if id in limits:
            raise click.UsageError(f"--max-drop is given twice for {id}")
        limits[id] = limit
    return limits
