"""Options of ``corefscope explain``."""

from __future__ import annotations

from typing import Annotated

import click
from msgspec import Struct

from corefscope.choices import ExplanationOptions
from corefscope.cli.parameters import (
    AS_IN_SCORE,
    NAMED,
    OPTIONAL_KEY,
    OUTPUT,
    ReadingParameters,
    of_library,
    option,
)
from corefscope.cli.typed import command_of


class ExplainOptions(Struct, frozen=True, kw_only=True):
    """Show how METRIC is computed for one document, or what CODE means.

    METRIC is muc, b3, ceafm, ceafe, blanc, lea or mentions. Key entities are K1, K2, …, response
    entities R1, R2, …; the terms add up to the score of `corefscope score`.

    \b
    Examples:
      corefscope explain muc gold.conll system.conll --document '(bn/0001); part 000'
      corefscope explain ceafe gold.jsonl system.jsonl --terms 10
      corefscope explain b3 ecb.conll system.conll --level topic --document 7
      corefscope explain W208
    """

    metric: Annotated[str, click.Argument(["metric"], metavar="METRIC|CODE")]
    key: Annotated[str | None, OPTIONAL_KEY]
    response: Annotated[str | None, click.Argument(["response"], required=False, type=NAMED)]
    reading: ReadingParameters
    document: Annotated[
        str | None,
        option(
            "--document",
            metavar="NAME",
            help="The document to explain, or a part of its name that no other has; required if "
            "the key has several. With --level topic, the topic.",
        ),
    ]
    terms: Annotated[
        int,
        option(
            "--terms",
            default=30,
            type=click.IntRange(min=1),
            help="How many terms to print: the largest, if there are more.",
        ),
    ]
    scoring: Annotated[
        ExplanationOptions,
        of_library(
            ExplanationOptions,
            *("profile", "singletons", "match", "zeros", "split_antecedents", "layer", "level"),
            *("tokens", "snap", "pair_by"),
            profile=AS_IN_SCORE,
            singletons=AS_IN_SCORE,
            tokens=AS_IN_SCORE,
        ),
    ]
    output: Annotated[str | None, OUTPUT]


command = command_of(ExplainOptions)
