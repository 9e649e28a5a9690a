"""The result of a comparison of systems: estimates, differences, verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Annotated, ClassVar, Literal, TypeAlias

import numpy as np
from msgspec import Struct

from corefscope.exceptions import UnknownName, WrongArgument
from corefscope.findings import Finding
from corefscope.formatting import P_VALUE, PERCENT, POINTS, Value
from corefscope.matching.overlap import Floats
from corefscope.metrics import statistic_named
from corefscope.results.record import Record, about
from corefscope.results.rows import FigureFormat, FigureFormats, Row, Tabular
from corefscope.scoring.scores import Scores
from corefscope.statistics.testing import AnyTest, is_exact

Verdict: TypeAlias = Literal["significant", "not significant", "unclear", "cannot be tested"]
"""What a planned comparison shows. It is unclear if the test and the interval disagree, and cannot
be tested if no result could have been significant."""
TESTS: tuple[AnyTest, ...] = ("randomization", "bootstrap")
"""The tests that can be chosen."""
SEED = 12345
SAMPLES = 10_000
MOST_SAMPLES = 1_000_000


class Settings(Struct, frozen=True, kw_only=True):
    """Settings of a comparison."""

    test: AnyTest | None = None
    """Randomization by default. With several runs of a system, no test can be chosen."""
    samples: int = SAMPLES
    seed: int = SEED
    confidence: float = 0.95
    baseline: str | None = None
    """The system that the others are compared with; the first by default."""
    all_pairs: bool = False
    """Whether to compare all pairs; then there are no verdicts unless a baseline is named."""

    def __post_init__(self) -> None:
        """Raise an error for values that do not exist or are out of range."""
        if self.test is not None and self.test not in TESTS:
            raise UnknownName("test", self.test, TESTS)
        if not isinstance(self.samples, int) or not 1 <= self.samples <= MOST_SAMPLES:
            raise WrongArgument(f"samples is {self.samples}; expected 1 to {MOST_SAMPLES:,}")
        if not isinstance(self.seed, int) or self.seed < 0:
            raise WrongArgument(f"seed is {self.seed}; expected a whole number, 0 or more")
        if not (isinstance(self.confidence, float) and 0.5 <= self.confidence < 1):
            raise WrongArgument(f"confidence is {self.confidence}; expected at least 0.5, below 1")


class Estimate(Record, frozen=True, kw_only=True):
    """A score and its interval."""

    value: float
    low: Annotated[float | None, about("null if there is only one unit")]
    high: float | None
    deviation: Annotated[
        float | None, about("the standard deviation over runs, if there are several")
    ] = None


class Difference(Record, frozen=True, kw_only=True):
    """The difference between the scores of two systems, with its interval and p-value.

    One comparison is planned: the main score of each system against the baseline. It has a verdict;
    everything else is exploratory.
    """

    system: str
    other: str
    statistic: str
    difference: float
    low: float | None
    high: float | None
    confidence: Annotated[float, about("the level of the interval; planned ones hold together")]
    p: Annotated[float | None, about("not corrected; null without a test")]
    test: AnyTest | None
    p_corrected: Annotated[
        float | None, about("corrected for the number of planned comparisons; null if exploratory")
    ] = None
    least: Annotated[float | None, about("the smallest corrected p-value that was possible")] = None
    differing: Annotated[
        int | None, about("in how many units the planned systems differ; null if exploratory")
    ] = None
    detectable: Annotated[float | None, about("the smallest difference found with 80 % power")] = (
        None
    )
    verdict: Annotated[Verdict | None, about("null if the comparison is exploratory")] = None

    @property
    def is_significant(self) -> bool:
        """Whether the comparison was planned, and its difference is significant."""
        return self.verdict == "significant"


COLUMNS = (
    *("system", "statistic", "other", "value", "low", "high", "deviation"),
    *("difference", "difference_low", "difference_high", "confidence"),
    *("p", "p_corrected", "detectable", "verdict"),
)
"""The columns of a comparison as a table."""
RunScores: TypeAlias = Mapping[str, Sequence[Scores]]
"""The scores of all runs of each system; several if it was trained with several seeds."""


class SystemComparison(Tabular, Struct, frozen=True, eq=False, kw_only=True, dict=True):
    """A comparison of systems on the same texts: estimates, differences, verdicts."""

    systems: tuple[str, ...]
    statistics: tuple[str, ...]
    """Metrics, and ``conll``."""
    primary: str
    """The statistic that verdicts are about: the CoNLL average, or else the first metric named."""
    estimates: Mapping[str, Mapping[str, Estimate]]
    """By system, then by statistic."""
    differences: Sequence[Difference]
    settings: Settings
    units: int
    unit: str
    signature: str
    findings: Sequence[Finding]
    runs: RunScores
    """The scores that were compared."""
    document_values: Mapping[str, Floats]
    """For each system the statistics of every document."""
    resamples: Floats
    """The statistics of systems in every resample: [resample, system, statistic].

    Those of a system with several runs are of its first; if all have several, nothing is resampled.
    """

    FORMATS: ClassVar[FigureFormats] = {
        **dict.fromkeys(("value", "low", "high", "deviation"), PERCENT),
        **dict.fromkeys(("difference", "difference_low", "difference_high", "detectable"), POINTS),
        **dict.fromkeys(("p", "p_corrected"), P_VALUE),
    }

    @property
    def baseline(self) -> str:
        """The system that others are compared with."""
        return self.settings.baseline or self.systems[0]

    @property
    def tests(self) -> list[AnyTest]:
        """The tests of differences, each once."""
        return list(dict.fromkeys(d.test for d in self.differences if d.test))

    @property
    def is_exact(self) -> bool:
        """Whether randomization tried all possible swaps."""
        return "randomization" in self.tests and is_exact(self.units, self.settings.samples)

    @property
    def planned(self) -> list[Difference]:
        """The planned comparisons: those with a verdict."""
        return [difference for difference in self.differences if difference.verdict]

    @cached_property
    def _by_pair(self) -> dict[tuple[str, str, str], Difference]:
        return {(d.system, d.other, d.statistic): d for d in self.differences}

    def difference(self, system: str, other: str, statistic: str | None = None) -> Difference:
        """Return the difference of two systems that were compared.

        Parameters
        ----------
        system, other
            The names of two systems that were compared, in this order.
        statistic
            A metric, or ``"conll"``; by default the statistic that verdicts are about.

        Returns
        -------
        Difference
            The difference with its interval and p-value.
        """
        asked = system, other, statistic or self.primary
        if asked not in self._by_pair:
            known = dict.fromkeys(f"{d.system} against {d.other}" for d in self.differences)
            if f"{system} against {other}" in known:
                raise UnknownName("statistic", asked[2], self.statistics)
            raise UnknownName("pair", f"{system} against {other}", known)
        return self._by_pair[asked]

    def _format(self, column: str, row: Row) -> FigureFormat:
        return statistic_named(str(row["statistic"])).unit.applied_to(
            Tabular._format(self, column, row)
        )

    def _rows(self) -> list[Row]:
        """Return one row per system and statistic, and one per pair of systems and statistic."""
        nothing: dict[str, Value] = dict.fromkeys(COLUMNS)
        rows: list[Row] = [
            {
                **nothing,
                "system": name,
                "statistic": id,
                "value": estimate.value,
                "low": estimate.low,
                "high": estimate.high,
                "deviation": estimate.deviation,
            }
            for name in self.systems
            for id, estimate in self.estimates[name].items()
        ]
        rows += [
            {
                **nothing,
                "system": difference.system,
                "statistic": difference.statistic,
                "other": difference.other,
                "difference": difference.difference,
                "difference_low": difference.low,
                "difference_high": difference.high,
                "confidence": difference.confidence,
                "p": difference.p,
                "p_corrected": difference.p_corrected,
                "detectable": difference.detectable,
                "verdict": difference.verdict,
            }
            for difference in self.differences
        ]
        return rows

    def to_dict(self) -> dict[str, Value]:
        """Return the figures by name: ``ours/conll``, ``ours/conll/low``, …, ``ours-base/conll``.

        Missing figures, such as p-values without a test, are left out.

        Returns
        -------
        dict
            Figures by name.
        """
        figures: dict[str, Value] = {}
        for row in self._rows():
            other = row["other"]
            name = f"{row['system']}/{row['statistic']}"
            if other is not None:
                name = f"{row['system']}-{other}/{row['statistic']}"
            main = "value" if other is None else "difference"
            for column, figure in row.items():
                if column in COLUMNS[3:] and figure is not None:
                    part = column.removeprefix("difference_")
                    figures[name if column == main else f"{name}/{part}"] = figure
        return figures

    def __repr__(self) -> str:
        primary = statistic_named(self.primary)
        scores = ", ".join(
            f"{name} {primary.format.shown(self.estimates[name][primary.id].value)}"
            for name in self.systems
        )
        return f"<SystemComparison on {self.units} units, {primary.id}: {scores}>"

    def moved(self, system: str, other: str, most: int | None = 10) -> list[tuple[str, float]]:
        """Return the documents whose primary score differs most between two systems.

        Parameters
        ----------
        system, other
            The names of two systems.
        most
            The maximum number of documents; None for all whose score differs.

        Returns
        -------
        list of tuple
            The name of each document, and the score of ``system`` minus that of ``other``.
        """
        place = self.statistics.index(self.primary)
        change = self.document_values[system][:, place] - self.document_values[other][:, place]
        order = np.argsort(-np.abs(change), kind="stable")[:most].tolist()
        names = self.runs[system][0].document_names
        return [(names[i], float(change[i])) for i in order if change[i]]
