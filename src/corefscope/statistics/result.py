"""The result of a comparison of systems: estimates, differences, ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import ClassVar, Literal, TypeAlias, get_args

import numpy as np

from corefscope.choices import Family
from corefscope.exceptions import UnknownName
from corefscope.findings import Finding
from corefscope.formatting import P_VALUE, PERCENT, POINTS, Value
from corefscope.matching.overlap import Floats
from corefscope.metrics import CONLL, STATISTICS
from corefscope.records import dataclass
from corefscope.scoring import Scores
from corefscope.statistics.ranking import ranks, superscripts
from corefscope.statistics.testing import AnyTest
from corefscope.tabular import FigureFormat, FigureFormats, Row, Tabular

Untested: TypeAlias = Literal["units", "runs"]
"""Why there is no p-value: too few units, or numbers of runs that cannot be compared."""
TESTS: tuple[AnyTest, ...] = ("randomization", "bootstrap")
"""The tests that can be chosen."""
SEED = 12345
SAMPLES = 10_000
MOST_SAMPLES = 1_000_000
LEVEL = 0.05
"""The level at which a difference is significant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings of a comparison."""

    test: AnyTest | None = None
    """Randomization by default. With several runs of a system, no test can be chosen."""
    samples: int = SAMPLES
    seed: int = SEED
    confidence: float = 0.95
    baseline: str | None = None
    """The system that the others are compared with; the first by default."""
    all_pairs: bool = False
    family: Family = "all"

    def __post_init__(self) -> None:
        """Raise an error for values that do not exist or are out of range."""
        if self.test is not None and self.test not in TESTS:
            raise UnknownName("test", self.test, TESTS)
        if self.family not in get_args(Family):
            raise UnknownName("family of tests", self.family, get_args(Family))
        if not isinstance(self.samples, int) or not 1 <= self.samples <= MOST_SAMPLES:
            raise ValueError(f"samples is {self.samples}; expected 1 to {MOST_SAMPLES:,}")
        if not isinstance(self.seed, int) or self.seed < 0:
            raise ValueError(f"seed is {self.seed}; expected a whole number, 0 or more")
        if not 0.5 <= self.confidence < 1:
            raise ValueError(f"confidence is {self.confidence}; expected at least 0.5, below 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A score with its confidence interval."""

    value: float
    low: float | None
    """None if there is only one unit, or if sets have different numbers of runs."""
    high: float | None
    deviation: float | None = None
    """The standard deviation over runs, if there are several."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The difference between the scores of two systems, with its interval and p-value."""

    system: str
    other: str
    statistic: str
    difference: float
    low: float | None
    high: float | None
    p: float | None
    """None if there was no test; ``untested`` says why."""
    p_corrected: float | None
    """The p-value corrected for the number of tests."""
    untested: Untested | None = None

    @property
    def is_significant(self) -> bool:
        """Whether the difference is significant after correction."""
        return self.p_corrected is not None and self.p_corrected < LEVEL


COLUMNS = (
    *("system", "statistic", "other", "value", "low", "high", "deviation"),
    *("difference", "difference_low", "difference_high", "p", "p_corrected"),
)
"""The columns of a comparison as a table."""
RunScores: TypeAlias = Mapping[str, Sequence[Scores]]
"""The scores of all runs of each system; several if it was trained with several seeds."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SystemComparison(Tabular):
    """A comparison of systems on the same texts: estimates, differences, ranks."""

    systems: tuple[str, ...]
    statistics: tuple[str, ...]
    """Metrics, and ``conll``."""
    estimates: Mapping[str, Mapping[str, Estimate]]
    """By system, then by statistic."""
    differences: Sequence[Difference]
    settings: Settings
    test: AnyTest
    is_exact: bool
    """Whether the randomization test tried all possible swaps."""
    units: int
    unit: str = ""
    signature: str = ""
    sets: int = 1
    """The number of sets of texts that this is the mean over."""
    findings: Sequence[Finding] = ()
    runs: RunScores = field(default_factory=dict)
    """The scores that were compared; empty for an average over sets."""
    document_values: Mapping[str, Floats] = field(default_factory=dict)
    """For each system the statistics of every document."""
    resamples: Floats | None = None
    """The statistics of every system in every resample: [resample, system, statistic].

    None if a system has several runs, because then nothing is resampled.
    """

    FORMATS: ClassVar[FigureFormats] = {
        **dict.fromkeys(("value", "low", "high", "deviation"), PERCENT),
        **dict.fromkeys(("difference", "difference_low", "difference_high"), POINTS),
        **dict.fromkeys(("p", "p_corrected"), P_VALUE),
    }

    @property
    def baseline(self) -> str:
        """The system that others are compared with."""
        return self.settings.baseline or self.systems[0]

    @property
    def is_resampled(self) -> bool:
        """Whether intervals come from resamples; with several runs they come from variances."""
        return self.test != "satterthwaite"

    @property
    def has_tests(self) -> bool:
        """Whether any difference was tested; without tests, systems have no ranks."""
        return any(difference.p is not None for difference in self.differences)

    @property
    def primary(self) -> str:
        """The statistic that systems are ranked by: the CoNLL average, or else the first metric."""
        return CONLL.id if CONLL.id in self.statistics else self.statistics[0]

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
            A metric, or ``"conll"``; by default the statistic that systems are ranked by.

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
        return STATISTICS[str(row["statistic"])].unit.applied_to(Tabular._format(self, column, row))

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
                "p": difference.p,
                "p_corrected": difference.p_corrected,
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
        primary = STATISTICS[self.primary]
        scores = ", ".join(
            f"{name} {primary.format.shown(self.estimates[name][primary.id].value)}"
            for name in self.systems
        )
        return f"<SystemComparison on {self.units} units, {primary.id}: {scores}>"

    def better(self, statistic: str | None = None) -> set[tuple[str, str]]:
        """Return the pairs of systems in which the first is significantly better.

        Parameters
        ----------
        statistic
            A metric, or ``"conll"``; by default the statistic that systems are ranked by.

        Returns
        -------
        set of tuple
            Pairs of names.
        """
        chosen = statistic or self.primary
        sign = STATISTICS[chosen].direction
        return {
            (d.system, d.other) if sign * d.difference > 0 else (d.other, d.system)
            for d in self.differences
            if d.statistic == chosen and d.is_significant
        }

    def ranks(self, statistic: str | None = None) -> dict[str, int]:
        """Return the rank of each system; systems without a significant difference are tied.

        Parameters
        ----------
        statistic
            As for :meth:`better`.

        Returns
        -------
        dict
            The rank of each system, from 1.
        """
        return ranks(self.systems, self.better(statistic))

    def superscripts(self, statistic: str | None = None) -> dict[str, str]:
        """Return the letters of the systems that each is significantly better than.

        Parameters
        ----------
        statistic
            As for :meth:`better`.

        Returns
        -------
        dict
            The letters of each system.
        """
        return superscripts(self.systems, self.better(statistic))

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
