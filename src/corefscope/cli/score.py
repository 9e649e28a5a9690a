"""Options of ``corefscope score``."""

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
from corefscope.cli.typed import Conflicts, command_of

Format: TypeAlias = Literal["table", "json", "csv", "markdown", "latex", "reference"]
By: TypeAlias = Literal["mention-type", "entity-type"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOptions:
    """Score one or more RESPONSEs against a KEY.

    Prints MUC, B³, CEAFm, CEAFe, BLANC, LEA, the mention score and the CoNLL score: recall,
    precision and F1 of one response, or one row per response. NAME=PATH names a system.

    \b
    Examples:
      corefscope score gold.conll system.conll
      corefscope score gold.conll a=run1.jsonl b=run2.jsonl --rpf --format markdown
      corefscope score gold/ system/ --metrics muc,b3,ceafe --per-document
      corefscope score gold.conll system.conll --by mention-type
      corefscope score gold.conll system.conll --format reference
    """

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
            help="Break scores down by type in four ways: filtered, B³ credit, anaphors, links.",
        ),
    ]
    per_document: Annotated[bool, flag("--per-document", help="Print the scores of each document.")]
    rpf: Annotated[
        bool,
        flag("--rpf", help="Show recall and precision as well as F1 of each system or document."),
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


command = command_of(ScoreOptions, CONFLICTS)
