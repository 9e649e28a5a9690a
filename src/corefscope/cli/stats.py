"""``corefscope stats``: what is in a corpus?"""

from __future__ import annotations

import click

from corefscope.cli.common import (
    emit,
    files_argument,
    named,
    output_option,
    read_corpus,
    reports_errors,
    show_findings,
)


@click.command("stats")
@files_argument
@click.option(
    "--format",
    "format_",
    default="table",
    show_default=True,
    type=click.Choice(["table", "json", "csv", "markdown", "latex"]),
    help="What to print.",
)
@output_option
@reports_errors
def command(
    files: tuple[str, ...], input_format: str | None, format_: str, output: str | None
) -> None:
    """Count documents, tokens, mentions, entities, singletons, sizes, nesting and distances.

    \b
    Examples:
      corefscope stats gold.conll
      corefscope stats gold.conll system.jsonl --format markdown
    """
    from corefscope.corpus.description import describe
    from corefscope.rendering.description import render

    corpora = named(files)
    descriptions = []
    for _, path in corpora:
        corpus = read_corpus(path, input_format)
        show_findings(corpus.findings)
        descriptions.append(describe(corpus))
    emit(render(descriptions, [name for name, _ in corpora], format_), output)
