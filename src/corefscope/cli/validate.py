"""``corefscope validate``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from msgspec import Struct

from corefscope.cli.messages import lines_of
from corefscope.cli.parameters import FILES, INPUT_FORMAT, OUTPUT, FileReading, format_option
from corefscope.cli.typed import command_of
from corefscope.escaping import visible
from corefscope.exceptions import InvalidInput
from corefscope.findings import Finding

if TYPE_CHECKING:
    from corefscope.validation import FileRecord


ValidateFormat: TypeAlias = Literal["text", "json"]


class ValidateOptions(Struct, frozen=True, kw_only=True):
    """List the errors and warnings of files.

    Errors prevent scoring: the exit status is 3 if there are any. The documentation explains every
    code.

    \b
    Examples:
      corefscope validate system.conll
      corefscope validate gold/ system/ --format json
    """

    files: Annotated[tuple[str, ...], FILES]
    input_format: Annotated[str | None, INPUT_FORMAT]
    reading: FileReading
    format: Annotated[ValidateFormat, format_option(ValidateFormat, "text")]
    output: Annotated[str | None, OUTPUT]


def run(options: ValidateOptions) -> int:
    """Print the findings of files; return 3 if one is an error."""
    from corefscope.cli.printing import emit, emit_json, is_terminal
    from corefscope.engines import ALONE, current
    from corefscope.formats.reading.at_once import pay_off_at_once
    from corefscope.validation import validate_result

    engine = current() if pay_off_at_once(options.files) else ALONE
    examined = list(engine.map(partial(_examined, options), options.files))
    if options.format == "json":
        emit_json(validate_result(examined), options.output)
    else:
        styled = options.output is None and is_terminal()
        lines = (line for each in examined for line in _lines(*each, styled=styled))
        emit("".join(f"{line}\n" for line in lines), options.output)
    has_error = any(record.errors for record, _ in examined)
    return InvalidInput.exit_status if has_error else 0


def _examined(options: ValidateOptions, path: str) -> tuple[FileRecord, list[Finding]]:
    """Return the size of a file, and all findings."""
    from corefscope.cli.reading import files_of
    from corefscope.matching.matching import repeated_mentions
    from corefscope.transfer.copy_findings import doubts_of_copies
    from corefscope.validation import file_record

    try:
        corpus = files_of(options.reading, options.input_format).corpus(path)
    except InvalidInput as error:
        findings = sorted(error.findings, key=_place)
        return file_record(path, None, findings), findings
    findings = [*corpus.findings, *repeated_mentions(corpus), *doubts_of_copies(corpus)]
    findings.sort(key=_place)
    return file_record(path, corpus, findings), findings


def _place(finding: Finding) -> tuple[str, bool, int]:
    """Return what findings are sorted by: their lines, and counts of more of them at the end."""
    return finding.file or "", finding.unlisted > 0, finding.line or 0


def _lines(record: FileRecord, findings: Sequence[Finding], *, styled: bool) -> Iterator[str]:
    """Yield the findings of a file and a summary."""
    from corefscope.formatting import counted

    for finding in findings:
        yield from lines_of(finding, styled=styled)
    holds = "cannot be scored"
    if record.documents is not None and record.mentions is not None:
        holds = f"{counted(record.documents, 'document')}, {counted(record.mentions, 'mention')}"
    tally = f"{counted(record.errors, 'error')}, {counted(record.warnings, 'warning')}"
    yield visible(f"{record.file}: {holds}; {tally}")


command = command_of(ValidateOptions, run)
