"""``corefscope profiles``: which number is it?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import click

from corefscope.cli.parameters import (
    NAMED,
    OPTIONAL_KEY,
    OUTPUT,
    PAIR_BY,
    TOKENS_AS_FOR_SCORE,
    Layout,
    PairBy,
    Reading,
    Tokens,
    format_option,
)
from corefscope.cli.typed import Conflicts, takes


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfilesOptions:
    """What ``profiles`` takes."""

    key: Annotated[str | None, OPTIONAL_KEY]
    response: Annotated[str | None, click.Argument(["response"], required=False, type=NAMED)]
    reading: Reading
    tokens: Annotated[Tokens, TOKENS_AS_FOR_SCORE]
    pair_by: Annotated[PairBy, PAIR_BY]
    format: Annotated[Layout, format_option(Layout)]
    output: Annotated[str | None, OUTPUT]


CONFLICTS: Conflicts[ProfilesOptions] = (
    (
        lambda o: o.key is not None and o.response is None,
        "a RESPONSE is missing; expected KEY RESPONSE, or neither",
    ),
)


@takes(ProfilesOptions, CONFLICTS)
def command(options: ProfilesOptions) -> int:
    """List the profiles by name; with KEY and RESPONSE, score these under all of them.

    The same two files give different "CoNLL scores" in the tools that people use. The steps from
    one to the other are spelt out: which rule moves which metric, and by how much.

    \b
    Examples:
      corefscope profiles
      corefscope profiles gold.conll system.conll
      corefscope score gold.conll system.conll --profile e2e
    """
    from corefscope.cli.running.profiles import run

    return run(options)
