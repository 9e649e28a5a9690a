"""``corefscope validate``: what is wrong with a file?"""

from __future__ import annotations

import json
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
    from collections.abc import Sequence

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
    lines: list[str] = []
    every: list[Finding] = []
    for path in files:
        findings, summary = _examined(path, input_format)
        every += findings
        lines += [f"{finding.code.severity}: {with_hint(finding)}" for finding in findings]
        lines.append(visible(f"{path}: {summary}; {_tally(findings)}"))
    if format_ == "json":
        lines = [json.dumps([finding.to_dict() for finding in every], indent=2)]
    emit("\n".join(lines) + "\n", output)
    if any(finding.is_error for finding in every):
        sys.exit(3)


def _examined(path: str, format: str | None) -> tuple[Sequence[Finding], str]:
    """Return all findings of a file, and what it holds."""
    from corefscope.exceptions import InvalidInput
    from corefscope.matching.comparison import repeated_mentions

    try:
        corpus = read_corpus(path, format)
    except InvalidInput as error:
        return error.findings, "cannot be scored"
    holds = f"{_number(len(corpus), 'document')}, {_number(len(corpus.mention_entity), 'mention')}"
    return [*corpus.findings, *repeated_mentions(corpus)], holds


def _tally(findings: Sequence[Finding]) -> str:
    errors = sum(finding.is_error for finding in findings)
    return f"{_number(errors, 'error')}, {_number(len(findings) - errors, 'warning')}"


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"
