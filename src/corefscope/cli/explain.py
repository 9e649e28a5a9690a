"""``corefscope explain``: where does this number come from?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from corefscope.cli.common import (
    NAMED,
    emit,
    key_argument,
    named,
    output_option,
    pair_by_option,
    read_corpus,
    read_response,
    refuse_double_input,
    reports_errors,
    response_format,
    show_findings,
)
from corefscope.escaping import visible

if TYPE_CHECKING:
    from corefscope.corpus import Corpus


@click.command("explain")
@click.argument("metric")
@key_argument
@click.argument("response", type=NAMED)
@response_format
@click.option("--document", metavar="NAME", help="The document; needed if the key has several.")
@click.option(
    "--terms",
    default=30,
    show_default=True,
    type=click.IntRange(min=1),
    help="Terms to write out; of more, the largest.",
)
@click.option("--profile", default="conll-2012", show_default=True, help="As for score.")
@click.option("--singletons", type=click.Choice(["keep", "drop"]), help="As for score.")
@click.option(
    "--tokens", type=click.Choice(["error", "ignore"]), default="error", help="As for score."
)
@pair_by_option
@output_option
@reports_errors
def command(metric: str, key: str, response: str, key_format: str | None, **given: Any) -> None:
    """Work out METRIC for one document, term by term.

    METRIC is muc, b3, ceafm, ceafe, blanc, lea or mentions. Key entities are K1, K2, …, response
    entities R1, R2, …; the terms add up to the score that `corefscope score` gives.

    \b
    Examples:
      corefscope explain muc gold.conll system.conll --document '(bn/0001); part 000'
      corefscope explain ceafe gold.jsonl system.jsonl --terms 10
    """
    from corefscope.explanation import explain_document, workable
    from corefscope.matching.comparison import side_by_side
    from corefscope.matching.documents import only_document
    from corefscope.options import make_options

    workable(metric)
    system = named([response])
    refuse_double_input(key, system)
    options = make_options(
        profile=given["profile"],
        singletons=given["singletons"],
        tokens=given["tokens"],
        pair_by=given["pair_by"],
    )
    gold = read_corpus(key, key_format)
    name = _only_name(gold) if given["document"] is None else given["document"]
    theirs = read_response(system[0].path, given["response_format"])
    gold, theirs = only_document(gold, theirs, name, options.pair_by)
    comparison = side_by_side(gold, theirs, options.matching)
    explanation = explain_document(metric, comparison, options.profile)
    show_findings(explanation.findings)
    lines = map(visible, explanation.lines(given["terms"]))
    emit("\n".join(lines) + "\n", given["output"])


def _only_name(corpus: Corpus) -> str:
    if len(corpus) == 1:
        return corpus.document_names[0]
    some = ", ".join(repr(each) for each in corpus.document_names[:5])
    more = ", …" if len(corpus) > 5 else ""
    raise click.UsageError(
        f"the key has {len(corpus)} documents; choose one with --document: {some}{more}"
    )
