"""``corefscope gate``."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Annotated, Literal, TypeAlias

import click
from msgspec import Struct

from corefscope.choices import ScoringOptions
from corefscope.cli.messages import show_findings
from corefscope.cli.parameters import (
    KEY,
    NAMED,
    OUTPUT,
    RESPONSE,
    SCORING,
    ReadingParameters,
    format_option,
    option,
    split_name,
)
from corefscope.cli.typed import command_of
from corefscope.exceptions import UnknownName

GateFormat: TypeAlias = Literal["table", "json", "markdown"]


class GateOptions(Struct, frozen=True, kw_only=True):
    """Fail with exit status 1 if a RESPONSE is worse than a baseline by more than is allowed.

    For continuous integration: keep the scores of the best model in the repository and compare
    every new model with them.

    \b
    Examples:
      corefscope score gold.conll best.conll --format json -o best.json
      corefscope gate gold.conll new.conll --baseline best.json --max-drop 0.3
      corefscope gate gold.conll new.conll --baseline best.json --max-drop lea=0.5
    """

    key: Annotated[str, KEY]
    response: Annotated[str, RESPONSE]
    reading: ReadingParameters
    baseline: Annotated[
        str,
        option(
            "--baseline",
            required=True,
            type=NAMED,
            metavar="FILE",
            help="File of scores from `score --format json`; NAME=FILE to choose one of its "
            "systems.",
        ),
    ]
    max_drops: Annotated[
        tuple[str, ...],
        option(
            "--max-drop",
            "max_drops",
            multiple=True,
            metavar="[METRIC=]POINTS",
            help="How many points a score may drop (default: conll=0). METRIC is conll if it is "
            "left out; conll=off turns its check off. May be repeated.",
        ),
    ]
    scoring: Annotated[ScoringOptions, SCORING]
    format: Annotated[GateFormat, format_option(GateFormat)]
    output: Annotated[str | None, OUTPUT]


OFF = "off"
"""The limit that turns the check of a score off."""
FAILED = 1
"""The exit status of a gate that does not pass."""


def run(options: GateOptions) -> int:
    """Compare a response with a baseline; return 1 if it is worse than is allowed."""
    from corefscope.cli.printing import emit_json, print_tables
    from corefscope.cli.reading import inputs_of, named_beside, status
    from corefscope.evaluation import Evaluation
    from corefscope.gate import GateResult, checks, gate_table, incomplete
    from corefscope.options import make_options
    from corefscope.scoring.stored import stored_system

    systems = named_beside(options.key, [options.response])
    limits = _limits(options.max_drops)
    name, path = split_name(options.baseline)
    baseline = stored_system(path, name or systems[0].name)
    if name is not None and name != baseline.name:
        raise UnknownName(f"system in {path}", name, [baseline.name])
    scoring = make_options(**options.scoring)
    if scoring.windows:
        raise click.UsageError("found several sizes of windows; expected one for a gate")
    inputs = inputs_of(options.reading, scoring)
    key = inputs.key(options.key, systems)
    read = inputs.systems(key, systems, scoring)
    (system,) = Evaluation(key=key, key_path=options.key, systems=read, options=scoring)
    scores = system.scores
    found = checks(scores, baseline, limits, path, key)
    show_findings([*scores.findings, *incomplete(baseline, path)])
    result = GateResult.of(found, scores)
    if options.format == "json":
        emit_json(result, options.output)
    else:
        print_tables([gate_table(result)], options.format, options.output)
    return status(inputs) if result.passes else FAILED


def _limits(texts: Sequence[str]) -> dict[str, float | None]:
    """Parse limits, POINTS (of the CoNLL score) or METRIC=POINTS; None turns a check off."""
    from corefscope.metrics import CONLL, metric_named

    limits: dict[str, float | None] = {}
    for text in texts or ("0",):
        name, _, points = text.rpartition("=")
        limit = None if points == OFF else _points(text, points)
        id = CONLL.id if name in ("", CONLL.id) else metric_named(name).id
        if id in limits:
            raise click.UsageError(f"--max-drop is given twice for {id}; use one")
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


command = command_of(GateOptions, run)
