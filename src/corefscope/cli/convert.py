"""``corefscope convert``: the same corpus in another format."""

from __future__ import annotations

import click

from corefscope.cli.common import read_corpus, reading_options, reports_errors, show_findings
from corefscope.cli.outputs import Input, Output


@click.command("convert")
@click.argument("source", metavar="IN", type=Input())
@click.argument("target", metavar="OUT", type=Output())
@click.option(
    "--from", "from_", metavar="FORMAT", help="conll, jsonl or json; recognised otherwise."
)
@click.option(
    "--to",
    metavar="FORMAT",
    help="Format to write: conll, jsonl or json (default: inferred from the file extension).",
)
@reading_options
@reports_errors
def command(source: str, target: str, from_: str | None, to: str | None) -> None:
    """Write the corpus IN to the file OUT in another format.

    What the other format cannot hold is refused, and nothing is written: CoNLL brackets, for
    instance, cannot express two crossing mentions of one entity.

    \b
    Examples:
      corefscope convert system.jsonl system.conll
      corefscope convert gold.conll.gz - --to jsonl
    """
    from corefscope.formats import write

    corpus = read_corpus(source, from_)
    show_findings(corpus.findings)
    show_findings(write(corpus, target, to))
