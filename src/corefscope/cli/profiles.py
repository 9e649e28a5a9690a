"""Options of ``corefscope profiles``."""

from __future__ import annotations

from typing import Annotated

import click

from corefscope.choices import OtherTokens, PairBy, Snap
from corefscope.cli.parameters import (
    CSV_RAW,
    NAMED,
    OPTIONAL_KEY,
    OUTPUT,
    PAIR_BY,
    RAW_WITHOUT_CSV,
    SNAP,
    TOKENS_AS_FOR_SCORE,
    OutputFormat,
    ReadingParameters,
    format_option,
)
from corefscope.cli.typed import Conflicts, command_of
from corefscope.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfilesOptions:
    """List the scoring profiles; with KEY and RESPONSE, score under all of them.

    Common tools give different "CoNLL scores" for the same two files. The output explains the
    differences: which rule changes which metric, and by how much.

    \b
    Examples:
      corefscope profiles
      corefscope profiles gold.conll system.conll
      corefscope score gold.conll system.conll --profile e2e
    """

    key: Annotated[str | None, OPTIONAL_KEY]
    response: Annotated[str | None, click.Argument(["response"], required=False, type=NAMED)]
    reading: ReadingParameters
    tokens: Annotated[OtherTokens | None, TOKENS_AS_FOR_SCORE]
    snap: Annotated[Snap | None, SNAP]
    pair_by: Annotated[PairBy, PAIR_BY]
    format: Annotated[OutputFormat, format_option(OutputFormat)]
    csv_raw: Annotated[bool, CSV_RAW]
    output: Annotated[str | None, OUTPUT]


CONFLICTS: Conflicts[ProfilesOptions] = (
    (lambda o: o.csv_raw and o.format != "csv", RAW_WITHOUT_CSV),
    (
        lambda o: o.key is not None and o.response is None,
        "RESPONSE is missing; expected KEY and RESPONSE, or neither",
    ),
)


command = command_of(ProfilesOptions, CONFLICTS)
