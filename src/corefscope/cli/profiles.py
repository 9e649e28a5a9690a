"""Options of ``corefscope profiles``."""

from __future__ import annotations

from typing import Annotated

import click
from msgspec import Struct

from corefscope.choices import ScoringOptions
from corefscope.cli.parameters import (
    AS_IN_SCORE,
    CSV_RAW,
    NAMED,
    OPTIONAL_KEY,
    OUTPUT,
    RAW,
    OutputFormat,
    ReadingParameters,
    format_option,
    of_library,
)
from corefscope.cli.typed import Conflicts, command_of


class ProfilesOptions(Struct, frozen=True, kw_only=True):
    """List the scoring profiles; with KEY and RESPONSE, score under all of them.

    A name instead of KEY describes that profile.

    Common tools give different "CoNLL scores" for the same two files. The output explains the
    differences: which rule changes which metric, and by how much.

    \b
    Examples:
      corefscope profiles
      corefscope profiles e2e
      corefscope profiles gold.conll system.conll
      corefscope score gold.conll system.conll --profile e2e
    """

    key: Annotated[str | None, OPTIONAL_KEY]
    response: Annotated[str | None, click.Argument(["response"], required=False, type=NAMED)]
    reading: ReadingParameters
    pairing: Annotated[
        ScoringOptions,
        of_library(ScoringOptions, "tokens", "snap", "pair_by", tokens=AS_IN_SCORE),
    ]
    format: Annotated[OutputFormat, format_option(OutputFormat)]
    csv_raw: Annotated[bool, CSV_RAW]
    output: Annotated[str | None, OUTPUT]


CONFLICTS: Conflicts[ProfilesOptions] = (RAW,)


command = command_of(ProfilesOptions, CONFLICTS)
