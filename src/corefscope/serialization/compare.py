"""The results of ``compare``: on one key, and on several sets of texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Literal, NotRequired, TypeAlias, TypedDict

from corefscope.choices import Family
from corefscope.serialization.common import FindingRecord, Result, finding_records
from corefscope.serialization.errors import ChangesRecord
from corefscope.statistics.result import Difference, Estimate, SystemComparison
from corefscope.statistics.sets import SetsComparison
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
    ranks: NotRequired[dict[str, int]]


class DifferenceRecord(TypedDict):
    """The difference between the scores of two systems."""

    system: str
    other: str
    statistic: str
    difference: float
    low: float | None
    high: float | None
    p: Annotated[float | None, "null without a test"]
    p_corrected: Annotated[float | None, "corrected for the number of tests"]
    significant: bool


class ComparisonRecord(TypedDict):
    """Several systems on the same texts."""

    signature: str
    unit: str
    units: int
    test: AnyTest
    exact: Annotated[bool, "whether the test went through all possible swaps"]
    samples: int | None
    seed: int | None
    confidence: float
    family: Family
    baseline: Annotated[str | None, "null if all pairs are compared"]
    systems: list[ComparedSystem]
    comparisons: list[DifferenceRecord]
    sentences: list[str]


class ExtraChanges(TypedDict, total=False):
    """The errors that changed, if requested."""

    changes: ChangesRecord


class ComparedKey(Result):
    """The key of a comparison."""

    schema: Literal["compare/1"]
    key: str


class CompareResult(ComparedKey, ComparisonRecord):
    """A comparison of systems."""

    changes: NotRequired[Annotated[ChangesRecord, "which errors changed"]]
    findings: list[FindingRecord]


class ComparedSet(ComparisonRecord):
    """A comparison of systems on one set of texts."""

    name: str
    key: str


class WinsRecord(TypedDict):
    """The number of sets on which a system is significantly better or worse than another."""

    system: str
    other: str
    statistic: str
    wins: int
    ties: int
    losses: int
    untested: int


class CompareSetsResult(Result):
    """A comparison of systems on several sets of texts."""

    schema: Literal["compare-sets/1"]
    sets: list[ComparedSet]
    average: ComparisonRecord
    records: list[WinsRecord]
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
        "schema": "compare/1",
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
        "test": comparison.test,
        "exact": comparison.is_exact,
        "samples": settings.samples if comparison.is_resampled else None,
        "seed": settings.seed if comparison.is_resampled else None,
        "confidence": settings.confidence,
        "family": settings.family,
        "baseline": None if settings.all_pairs else comparison.baseline,
        "systems": _systems(comparison, files),
        "comparisons": list(map(_difference, comparison.differences)),
        "sentences": sentences(comparison),
    }


def _systems(comparison: SystemComparison, files: Files) -> list[ComparedSystem]:
    records: list[ComparedSystem] = [
        {
            "name": name,
            "responses": list(files.get(name, ())),
            "scores": {id: _estimate(e) for id, e in comparison.estimates[name].items()},
        }
        for name in comparison.systems
    ]
    if comparison.settings.all_pairs and comparison.has_tests:
        ranks = {id: comparison.ranks(id) for id in comparison.statistics}
        for record in records:
            record["ranks"] = {id: of_systems[record["name"]] for id, of_systems in ranks.items()}
    return records


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
        "p": difference.p,
        "p_corrected": difference.p_corrected,
        "significant": difference.is_significant,
    }


def compare_sets_result(
    compared: SetsComparison, files: Mapping[str, tuple[str, Files]], sentences: Sentences
) -> CompareSetsResult:
    """Return all sets and their average for JSON; ``files`` has the key and responses of each."""
    return {
        "corefscope": __version__,
        "schema": "compare-sets/1",
        "sets": [
            {
                "name": name,
                "key": files[name][0],
                **comparison_record(comparison, files[name][1], sentences),
            }
            for name, comparison in compared.sets.items()
        ],
        "average": comparison_record(compared.average, {}, sentences),
        "records": [_wins(compared, difference) for difference in compared.average.differences],
        "findings": finding_records(compared.findings),
    }


def _wins(compared: SetsComparison, of: Difference) -> WinsRecord:
    record = compared.record(of.system, of.other, of.statistic)
    return {
        "system": of.system,
        "other": of.other,
        "statistic": of.statistic,
        "wins": record.wins,
        "ties": record.ties,
        "losses": record.losses,
        "untested": record.untested,
    }
