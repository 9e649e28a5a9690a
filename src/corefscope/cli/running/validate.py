"""What ``corefscope validate`` does."""

from __future__ import annotations

import json
from collections.abc import Sequence

from corefscope.cli.messages import with_hint
from corefscope.cli.printing import emit
from corefscope.cli.reading import read_corpus
from corefscope.cli.validate import ValidateOptions
from corefscope.escaping import visible
from corefscope.exceptions import InvalidInput
from corefscope.findings import Finding
from corefscope.matching.comparison import repeated_mentions


def run(options: ValidateOptions) -> int:
    """Print the findings of files; return 3 if one is an error."""
    lines: list[str] = []
    every: list[Finding] = []
    for path in options.files:
        findings, summary = _examined(path, options)
        every += findings
        lines += [f"{finding.code.severity}: {with_hint(finding)}" for finding in findings]
        lines.append(visible(f"{path}: {summary}; {_tally(findings)}"))
    if options.format == "json":
        lines = [json.dumps([finding.to_dict() for finding in every], indent=2)]
    emit("\n".join(lines) + "\n", options.output)
    return InvalidInput.exit_status if any(finding.is_error for finding in every) else 0


def _examined(path: str, options: ValidateOptions) -> tuple[Sequence[Finding], str]:
    """Return all findings of a file, and what it holds."""
    try:
        corpus = read_corpus(path, options.input_format, options.reading)
    except InvalidInput as error:
        return error.findings, "cannot be scored"
    holds = f"{_number(len(corpus), 'document')}, {_number(len(corpus.mention_entity), 'mention')}"
    return [*corpus.findings, *repeated_mentions(corpus)], holds


def _tally(findings: Sequence[Finding]) -> str:
    errors = sum(finding.is_error for finding in findings)
    return f"{_number(errors, 'error')}, {_number(len(findings) - errors, 'warning')}"


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"
