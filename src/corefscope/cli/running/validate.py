"""Run ``corefscope validate``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corefscope.cli.messages import lines_of
from corefscope.cli.printing import emit, emit_json
from corefscope.cli.reading import read_corpus
from corefscope.cli.validate import ValidateOptions
from corefscope.corpus import Corpus
from corefscope.escaping import visible
from corefscope.exceptions import InvalidInput
from corefscope.findings import Code, Finding
from corefscope.matching.matching import repeated_mentions
from corefscope.serialization.validate import tally, validate_result
from corefscope.transfer.copy_findings import doubts_of_copies, without_needless


def run(options: ValidateOptions) -> int:
    """Print the findings of files; return 3 if one is an error."""
    examined = [(path, *_examined(path, options)) for path in options.files]
    if options.format == "json":
        emit_json(validate_result(examined), options.output)
    else:
        emit("".join(f"{line}\n" for each in examined for line in _lines(*each)), options.output)
    has_error = any(finding.is_error for _, _, findings in examined for finding in findings)
    return InvalidInput.exit_status if has_error else 0


def _examined(path: str, options: ValidateOptions) -> tuple[Corpus | None, Sequence[Finding]]:
    """Return the corpus, or None if it cannot be read, and all findings."""
    try:
        corpus = read_corpus(path, options.input_format, options.reading)
    except InvalidInput as error:
        return None, sorted(error.findings, key=_place)
    findings = [*corpus.findings, *repeated_mentions(corpus), *_doubts(corpus)]
    failed = sum(finding.code is Code.COPY_FAILED for finding in findings)
    needed = without_needless(findings, failed, len(corpus))
    return corpus, sorted(needed, key=_place)


def _place(finding: Finding) -> tuple[str, bool, int]:
    """Return what findings are sorted by: their lines, and counts of more of them at the end."""
    return finding.file or "", finding.unlisted > 0, finding.line or 0


def _doubts(corpus: Corpus) -> Iterator[Finding]:
    if corpus.openings is not None:
        # Imported here because most files have no heads and no zeros.
        from corefscope.matching.word_sets import doubts_of_one_file

        yield from doubts_of_one_file(corpus)
    yield from doubts_of_copies(corpus)


def _lines(path: str, corpus: Corpus | None, findings: Sequence[Finding]) -> Iterator[str]:
    """Yield the findings of a file and a summary."""
    for finding in findings:
        yield from lines_of(finding, finding.code.severity)
    holds = "cannot be scored"
    if corpus is not None:
        mentions = len(corpus.mention_entity)
        holds = f"{_number(len(corpus), 'document')}, {_number(mentions, 'mention')}"
    yield visible(f"{path}: {holds}; {_tally(findings)}")


def _tally(findings: Sequence[Finding]) -> str:
    errors, warnings = tally(findings)
    return f"{_number(errors, 'error')}, {_number(warnings, 'warning')}"


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"
