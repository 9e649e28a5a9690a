"""The result of ``compare``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, UnsetType

from corefscope.error_analysis.record import ChangesRecord
from corefscope.results.record import FindingRecord, Record, Result, about, finding_records
from corefscope.statistics.result import Difference, Estimate, SystemComparison
from corefscope.statistics.words import method, sentences

Files: TypeAlias = Mapping[str, Sequence[str]]
"""The files of each system: one, or one per run."""


class ComparedSystem(Record, frozen=True, kw_only=True):
    """The scores of one system."""

    name: str
    responses: list[str]
    scores: Annotated[Mapping[str, Estimate], about("by metric, and `conll`")]


class CompareResult(Result, frozen=True, kw_only=True):
    """A comparison of systems."""

    schema: Literal["compare/2"] = "compare/2"
    key: str
    signature: str
    unit: str
    units: int
    exact: Annotated[bool, about("whether randomization went through all possible swaps")]
    samples: int
    seed: int
    confidence: float
    baseline: Annotated[str | None, about("the system of the planned comparison; null without one")]
    planned: Annotated[str, about("the statistic of the planned comparison")]
    systems: list[ComparedSystem]
    comparisons: Sequence[Difference]
    sentences: list[str]
    method: Annotated[dict[str, str], about("how it was computed, in words")]
    changes: Annotated[ChangesRecord | UnsetType, about("which errors changed")] = UNSET
    findings: list[FindingRecord]


def compare_result(
    key: str,
    comparison: SystemComparison,
    files: Files,
    changes: ChangesRecord | None = None,
) -> CompareResult:
    """Return a comparison for JSON, with unrounded scores."""
    settings = comparison.settings
    return CompareResult(
        key=key,
        signature=comparison.signature,
        unit=comparison.unit,
        units=comparison.units,
        exact=comparison.is_exact,
        samples=settings.samples,
        seed=settings.seed,
        confidence=settings.confidence,
        baseline=comparison.baseline if comparison.planned else None,
        planned=comparison.primary,
        systems=[
            ComparedSystem(
                name=name,
                responses=list(files.get(name, ())),
                scores=comparison.estimates[name],
            )
            for name in comparison.systems
        ],
        comparisons=comparison.differences,
        sentences=sentences(comparison),
        method=method(comparison),
        changes=UNSET if changes is None else changes,
        findings=finding_records(comparison.findings),
    )
