"""The result of ``validate``: errors and warnings of files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal

from corefscope.corpus import Corpus
from corefscope.findings import Finding
from corefscope.results.record import FindingRecord, Record, Result, about, finding_records


class FileRecord(Record, frozen=True, kw_only=True):
    """The size of a file and the number of its findings."""

    file: str
    documents: Annotated[int | None, about("null if the file cannot be read")]
    mentions: Annotated[int | None, about("null if the file cannot be read")]
    errors: int
    warnings: int


class ValidateResult(Result, frozen=True, kw_only=True):
    """All findings of one or more files."""

    schema: Literal["validate/1"] = "validate/1"
    files: list[FileRecord]
    findings: list[FindingRecord]


def tally(findings: Iterable[Finding]) -> tuple[int, int]:
    """Return how many errors and warnings there are, with those that are not listed."""
    errors = warnings = 0
    for finding in findings:
        errors += finding.is_error
        warnings += 0 if finding.is_error else finding.unlisted or 1
    return errors, warnings


def file_record(path: str, corpus: Corpus | None, findings: Sequence[Finding]) -> FileRecord:
    """Return the size of a file, which has no corpus if it cannot be read."""
    errors, warnings = tally(findings)
    return FileRecord(
        file=path,
        documents=None if corpus is None else len(corpus),
        mentions=None if corpus is None else len(corpus.mention_entity),
        errors=errors,
        warnings=warnings,
    )


def validate_result(files: Iterable[tuple[FileRecord, Sequence[Finding]]]) -> ValidateResult:
    """Return the sizes of files and their findings for JSON."""
    records: list[FileRecord] = []
    found: list[FindingRecord] = []
    for record, findings in files:
        records.append(record)
        found += finding_records(findings)
    return ValidateResult(files=records, findings=found)
