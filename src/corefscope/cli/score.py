"""``corefscope score``: how good is it?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from corefscope.cli.parameters import (
    DOCUMENT,
    KEY,
    OUTPUT,
    RESPONSES,
    Pairing,
    Protocol,
    Reading,
    choice,
    flag,
    format_option,
    option,
)
from corefscope.cli.typed import Conflicts, takes

Format: TypeAlias = Literal["table", "json", "csv", "markdown", "latex", "reference"]
By: TypeAlias = Literal[
    "mention-type",
    "entity-type",
    "entity-size",
    "distance",
    "nesting",
    "zero",
    "genre",
    "upos",
    "relation",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOptions:
    """What ``score`` takes."""

    key: Annotated[str, KEY]
    responses: Annotated[tuple[str, ...], RESPONSES]
    reading: Reading
    protocol: Protocol
    pairing: Pairing
    document: Annotated[str | None, DOCUMENT]
    by: Annotated[
        By | None,
        option(
            "--by",
            type=choice(By),
            help="Scores by slices of the mentions, each with its number of mentions: by type, "
            "by size of the entity, by distance to the mention before, by nesting, zeros and "
            "others, by genre (the first part in which document names differ), by UPOS or "
            "relation of the head. In four senses: filtered (both sides keep the slice only), and "
            "attributed (entities stay whole): B³ credit, anaphors, links.",
        ),
    ]
    per_document: Annotated[bool, flag("--per-document", help="Give the scores of each document.")]
    rpf: Annotated[
        bool, flag("--rpf", help="In tables of several rows: recall and precision, too.")
    ]
    format: Annotated[Format, format_option(Format)]
    output: Annotated[str | None, OUTPUT]


CONFLICTS: Conflicts[ScoreOptions] = (
    (
        lambda o: o.by and (o.format == "reference" or o.per_document or o.rpf),
        "--by cannot be combined with --per-document, --rpf or --format reference",
    ),
    (
        lambda o: o.format == "reference" and len(o.responses) > 1,
        "--format reference takes one response, as the reference scorer does",
    ),
)


@takes(ScoreOptions, CONFLICTS)
def command(options: ScoreOptions) -> int:
    """Score one or more RESPONSEs against a KEY.

    Prints MUC, B³, CEAFm, CEAFe, BLANC, LEA, the mention score and the CoNLL average: for one
    response with recall and precision, for several as one table. NAME=PATH names a system.

    \b
    Examples:
      corefscope score gold.conll system.conll
      corefscope score gold.conll a=run1.jsonl b=run2.jsonl --rpf --format markdown
      corefscope score gold/ system/ --metrics muc,b3,ceafe --per-document
      corefscope score gold.conll system.conll --by mention-type
      corefscope score gold.conllu system.conllu --by zero
      corefscope score gold.conll system.conll --format reference
    """
    from corefscope.cli.running.score import run

    return run(options)
