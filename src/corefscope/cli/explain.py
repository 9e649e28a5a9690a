"""``corefscope explain``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import click
from msgspec import Struct
from msgspec.structs import replace

from corefscope.choices import ExplanationOptions, Level
from corefscope.cli.messages import show_findings
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
from corefscope.exceptions import UnknownName
from corefscope.extending import all_codes
from corefscope.findings import Code

if TYPE_CHECKING:
    from corefscope.corpus import Corpus


class ExplainOptions(Struct, frozen=True, kw_only=True):
    """Show how METRIC is computed for one document, or what CODE means.

    METRIC is muc, b3, ceafm, ceafe, blanc, lea or mentions. Key entities are K1, K2, …, response
    entities R1, R2, …; the terms add up to the score of `corefscope score`.

    \b
    Examples:
      corefscope explain muc gold.conll system.conll --document bn/0001
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


def run(options: ExplainOptions) -> int:
    """Print the terms of a metric of one document, or what a code means."""
    from corefscope.cli.printing import emit_lines
    from corefscope.cli.reading import inputs_of, named_beside, status
    from corefscope.evaluation import Evaluation, only_unit
    from corefscope.explanation import explainable
    from corefscope.options import make_options

    if re.fullmatch(r"[EW]\d+", options.metric, re.IGNORECASE):
        emit_lines(_page_of(options.metric.upper()), options.output)
        return 0
    explainable(options.metric)
    if options.key is None or options.response is None:
        raise click.UsageError("a metric is explained on two files; expected KEY and RESPONSE")
    systems = named_beside(options.key, [options.response])
    choices = make_options(**options.scoring)
    if choices.profile.window is not None:
        raise click.UsageError("windows cannot be explained; expected a profile without windows")
    if choices.profile.scorer:
        raise click.UsageError(
            f"the profile {choices.profile.name} gives the figures of an official scorer, which "
            "cannot be explained term by term; use --match and --zeros instead of --profile"
        )
    inputs = inputs_of(options.reading, choices)
    key = inputs.key(options.key, systems)
    read, name = inputs.systems(key, systems, choices, with_scores=False), options.document
    if name is None and options.scoring["level"] != "corpus":
        name = _only_name(
            _units(key, options.scoring["level"]),
            "topics" if options.scoring["level"] == "topic" else "documents",
        )
    if name is not None:
        key, response = only_unit(key, read[0].response, _full_name(key, name, options), choices)
        read = [replace(read[0], corpus=response)]
    (system,) = Evaluation(key=key, key_path=options.key, systems=read, options=choices)
    explanation = system.explain(options.metric)
    show_findings(explanation.findings)
    emit_lines(explanation.lines(options.terms), options.output, hanging="    ")
    return status(inputs)


def _page_of(id: str) -> list[str]:
    """Return what a code means."""
    code = next((each for each in Code if each.id == id), None) or all_codes().get(id)
    if code is None:
        raise UnknownName("message", id, all_codes())
    return [f"{id}: {code.title}", "", *code.help.split("\n")]


def _units(key: Corpus, level: Level) -> list[str]:
    """Return the names of what can be explained: documents, or topics."""
    if level != "topic":
        return list(key.document_names)
    return list(dict.fromkeys(filter(None, key.document_topics or ())))


def _full_name(key: Corpus, name: str, options: ExplainOptions) -> str:
    from corefscope.matching.documents import document_named

    return name if options.scoring["level"] == "topic" else document_named(key, name)


def _only_name(names: Sequence[str], what: str) -> str:
    from corefscope.matching.documents import short_name

    if len(names) == 1:
        return names[0]
    some = ", ".join(short_name(name, names) for name in names[:5])
    more = ", …" if len(names) > 5 else ""
    raise click.UsageError(
        f"the key has {len(names)} {what}; choose one with --document: {some}{more}"
    )


command = command_of(ExplainOptions, run)
