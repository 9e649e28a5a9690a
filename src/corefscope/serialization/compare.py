"""The result of ``compare``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Literal, NotRequired, TypeAlias, TypedDict

from corefscope.serialization.common import FindingRecord, Result, finding_records
from corefscope.serialization.errors import ChangesRecord
from corefscope.statistics.result import Difference, Estimate, SystemComparison, Verdict
from corefscope.statistics.testing import AnyTest
from corefscope.version import __version__

Files: TypeAlias = Mapping[str, Sequence[str]]
"""The files of each system: one, or one per run."""
Sentences: TypeAlias = Callable[[SystemComparison], list[str]]
"""A function that describes a comparison in sentences."""


class EstimateRecord(TypedDict):
    """A score and its interval."""

    value: float
    low: float | None
    high: float | None
    deviation: Annotated[float | None, "the standard deviation over runs, if there are several"]


class ComparedSystem(TypedDict):
    """The scores of one system."""

    name: str
    responses: list[str]
    scores: Annotated[dict[str, EstimateRecord], "by metric, and `conll`"]


class DifferenceRecord(TypedDict):
    """The difference between the scores of two systems."""

    system: str
    other: str
    statistic: str
    difference: float
    low: float | None
    high: float | None
    confidence: Annotated[float, "the level of the interval; planned ones hold together"]
    p: Annotated[float | None, "not corrected; null without a test"]
    test: AnyTest | None
    p_corrected: Annotated[
        float | None, "corrected for the number of planned comparisons; null if exploratory"
    ]
    least: Annotated[float | None, "the smallest corrected p-value that was possible"]
    detectable: Annotated[float | None, "the smallest difference found with 80 % power"]
    verdict: Annotated[Verdict | None, "null if the comparison is exploratory"]


class ComparisonRecord(TypedDict):
    """Several systems on the same texts."""

    signature: str
    unit: str
    units: int
    exact: Annotated[bool, "whether randomization went through all possible swaps"]
    samples: int
    seed: int
    confidence: float
    baseline: Annotated[str | None, "the system of the planned comparison; null without one"]
    planned: Annotated[str, "the statistic of the planned comparison"]
    systems: list[ComparedSystem]
    comparisons: list[DifferenceRecord]
    sentences: list[str]


class ExtraChanges(TypedDict, total=False):
    """The errors that changed, if requested."""

    changes: ChangesRecord


class ComparedKey(Result):
    """The key of a comparison."""

    schema: Literal["compare/2"]
    key: str


class CompareResult(ComparedKey, ComparisonRecord):
    """A comparison of systems."""

    changes: NotRequired[Annotated[ChangesRecord, "which errors changed"]]
    findings: list[FindingRecord]


def compare_result(
    key: str,
    comparison: SystemComparison,
    files: Files,
    sentences: Sentences,
    changes: ChangesRecord | None = None,
) -> CompareResult:
    """Return a comparison for JSON, with unrounded scores."""
    extra: ExtraChanges = {"changes": changes} if changes is not None else {}
    return {
        "corefscope": __version__,
        "schema": "compare/2",
        "key": key,
        **comparison_record(comparison, files, sentences),
        **extra,
        "findings": finding_records(comparison.findings),
    }


def comparison_record(
    comparison: SystemComparison, files: Files, sentences: Sentences
) -> ComparisonRecord:
    """Return the part of a comparison that all results share."""
    settings = comparison.settings
    return {
        "signature": comparison.signature,
        "unit": comparison.unit,
        "units": comparison.units,
        "exact": comparison.is_exact,
        "samples": settings.samples,
        "seed": settings.seed,
        "confidence": settings.confidence,
        "baseline": comparison.baseline if comparison.planned else None,
        "planned": comparison.primary,
        "systems": _systems(comparison, files),
        "comparisons": list(map(_difference, comparison.differences)),
        "sentences": sentences(comparison),
    }


def _systems(comparison: SystemComparison, files: Files) -> list[ComparedSystem]:
    return [
        {
            "name": name,
            "responses": list(files.get(name, ())),
            "scores": {id: _estimate(e) for id, e in comparison.estimates[name].items()},
        }
        for name in comparison.systems
    ]


def _estimate(estimate: Estimate) -> EstimateRecord:
    return {
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "deviation": estimate.deviation,
    }


def _difference(difference: Difference) -> DifferenceRecord:
    return {
        "system": difference.system,
        "other": difference.other,
        "statistic": difference.statistic,
        "difference": difference.difference,
        "low": difference.low,
        "high": difference.high,
        "confidence": difference.confidence,
        "p": difference.p,
        "test": difference.test,
        "p_corrected": difference.p_corrected,
        "least": difference.least,
        "detectable": difference.detectable,
        "verdict": difference.verdict,
    }
