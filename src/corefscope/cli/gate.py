"""``corefscope gate``: has it become worse?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from corefscope.cli.parameters import (
    KEY,
    NAMED,
    OUTPUT,
    RESPONSE,
    Pairing,
    Protocol,
    Reading,
    format_option,
    option,
)
from corefscope.cli.typed import takes

Format: TypeAlias = Literal["table", "json", "markdown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GateOptions:
    """What ``gate`` takes."""

    key: Annotated[str, KEY]
    response: Annotated[str, RESPONSE]
    reading: Reading
    baseline: Annotated[
        str,
        option(
            "--baseline",
            required=True,
            type=NAMED,
            metavar="FILE",
            help="A file of results that `score --format json` wrote; NAME=FILE for one of its "
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
            help="How much a score may drop; without METRIC, the CoNLL score, which may not drop "
            "by default. conll=off does not check it. May be repeated.",
        ),
    ]
    protocol: Protocol
    pairing: Pairing
    format: Annotated[Format, format_option(Format)]
    output: Annotated[str | None, OUTPUT]


@takes(GateOptions)
def command(options: GateOptions) -> int:
    """Fail with exit status 1 if a RESPONSE is worse than a baseline by more than is allowed.

    For continuous integration: keep the results of the best model in the repository, and let
    every new one be measured against them.

    \b
    Examples:
      corefscope score gold.conll best.conll --format json -o best.json
      corefscope gate gold.conll new.conll --baseline best.json --max-drop 0.3
      corefscope gate gold.conll new.conll --baseline best.json --max-drop lea=0.5
    """
    from corefscope.cli.running.gate import run

    return run(options)
