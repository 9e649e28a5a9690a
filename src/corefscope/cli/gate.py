"""Options of ``corefscope gate``."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Struct

from corefscope.choices import ScoringOptions
from corefscope.cli.parameters import (
    KEY,
    NAMED,
    OUTPUT,
    RESPONSE,
    SCORING,
    ReadingParameters,
    format_option,
    option,
)
from corefscope.cli.typed import command_of

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


command = command_of(GateOptions)
