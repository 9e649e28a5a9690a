"""``corefscope validate``: what is wrong with a file?"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from corefscope.cli.common import (
    emit,
    files_argument,
    output_option,
    read_corpus,
    reports_errors,
    with_hint,
)
from corefscope.escaping import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefscope.corpus import Corpus
    from corefscope.findings import Finding


@click.command("validate")
@files_argument
@click.option(
    "--format",
    "format_",
    default="text",
    show_default=True,
    type=click.Choice(["text", "json"]),
    help="What to print.",
)
@output_option
@reports_errors
def command(
    files: tuple[str, ...], input_format: str | None, format_: str, output: str | None
) -> None:
    """List all findings of files: errors, which stop scoring, and warnings.

    The exit status is 3 if there is an error. Every code is explained in the documentation.

    \b
    Examples:
      corefscope validate system.conll
      corefscope validate gold/ system/ --format json
    """
    from corefscope.serialization.common import as_json
    from corefscope.serialization.validate import validate_result

    examined = [(path, *_examined(path, input_format)) for path in files]
    if format_ == "json":
        emit(as_json(validate_result(examined)) + "\n", output)
    else:
        emit("".join(f"{line}\n" for each in examined for line in _lines(*each)), output)
    if any(finding.is_error for _, _, findings in examined for finding in findings):
        sys.exit(3)


def _examined(path: str, format: str | None) -> tuple[Corpus | None, Sequence[Finding]]:
    """Return what a file holds, if it can be read, and all its findings."""
    from corefscope.exceptions import InvalidInput
    from corefscope.matching.comparison import repeated_mentions

    try:
        corpus = read_corpus(path, format)
    except InvalidInput as error:
        return None, error.findings
    return corpus, [*corpus.findings, *repeated_mentions(corpus)]


def _lines(path: str, corpus: Corpus | None, findings: Sequence[Finding]) -> Iterator[str]:
    """Yield the findings of a file, and a line about all of it."""
    for finding in findings:
        yield f"{finding.code.severity}: {with_hint(finding)}"
    holds = "cannot be scored"
    if corpus is not None:
        mentions = len(corpus.mention_entity)
        holds = f"{_number(len(corpus), 'document')}, {_number(mentions, 'mention')}"
    yield visible(f"{path}: {holds}; {_tally(findings)}")


def _tally(findings: Sequence[Finding]) -> str:
    errors = sum(finding.is_error for finding in findings)
    return f"{_number(errors, 'error')}, {_number(len(findings) - errors, 'warning')}"


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"
