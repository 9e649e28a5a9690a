"""``corefscope explain``: where does this number come from?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import click

from corefscope.cli.parameters import (
    KEY,
    OUTPUT,
    PAIR_BY,
    RESPONSE,
    TOKENS_AS_FOR_SCORE,
    MentionMatching,
    PairBy,
    Reading,
    Singletons,
    Tokens,
    choice,
    option,
)
from corefscope.cli.typed import takes


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainOptions:
    """What ``explain`` takes."""

    metric: Annotated[str, click.Argument(["metric"])]
    key: Annotated[str, KEY]
    response: Annotated[str, RESPONSE]
    reading: Reading
    document: Annotated[
        str | None,
        option("--document", metavar="NAME", help="The document; needed if the key has several."),
    ]
    terms: Annotated[
        int,
        option(
            "--terms",
            default=30,
            type=click.IntRange(min=1),
            help="Terms to write out; of more, the largest.",
        ),
    ]
    profile: Annotated[str, option("--profile", default="conll-2012", help="As for score.")]
    singletons: Annotated[
        Singletons | None, option("--singletons", type=choice(Singletons), help="As for score.")
    ]
    mentions: MentionMatching
    tokens: Annotated[Tokens, TOKENS_AS_FOR_SCORE]
    pair_by: Annotated[PairBy, PAIR_BY]
    output: Annotated[str | None, OUTPUT]


@takes(ExplainOptions)
def command(options: ExplainOptions) -> int:
    """Work out METRIC for one document, term by term.

    METRIC is muc, b3, ceafm, ceafe, blanc, lea or mentions. Key entities are K1, K2, …, response
    entities R1, R2, …; the terms add up to the score that `corefscope score` gives.

    \b
    Examples:
      corefscope explain muc gold.conll system.conll --document '(bn/0001); part 000'
      corefscope explain ceafe gold.jsonl system.jsonl --terms 10
    """
    from corefscope.cli.running.explain import run

    return run(options)
