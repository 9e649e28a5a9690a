"""Scores as tables: one response in full, many as Pradhan et al. (2014) print them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corefscope.findings import Finding
from corefscope.formatting import FIGURES, PERCENT, Value
from corefscope.metrics import (
    CONLL,
    CONLL_V4,
    METRICS,
    Metric,
    Score,
    Statistic,
    statistics_of,
)
from corefscope.metrics.counts import known
from corefscope.rendering.table import LAYOUTS, Cell, Cells, Column, Table, as_csv
from corefscope.scoring import Scores
from corefscope.version import __version__

CSV_COLUMNS = (
    "system",
    "document",
    "metric",
    "recall",
    "precision",
    "f1",
    "recall_numerator",
    "recall_denominator",
    "precision_numerator",
    "precision_denominator",
)
NOTHING_TO_FIND = "* neither key nor response has anything to count here; such a score is 0"


@dataclass(frozen=True, slots=True)
class System:
    """A response that was scored."""

    name: str
    response: str
    scores: Scores


@dataclass(frozen=True, slots=True)
class Result:
    """Several responses scored against one key."""

    key: str
    systems: Sequence[System]
    findings: Sequence[Finding] = ()
    key_digest: str | None = None
    """What tells the key, for those who read the result back."""


def render(result: Result, format: str, *, per_document: bool = False, rpf: bool = False) -> str:
    """Return the result as text in a format."""
    if format == "json":
        return json.dumps(to_dict(result, per_document=per_document), indent=2) + "\n"
    if format == "csv":
        return as_csv(CSV_COLUMNS, list(_observations(result, per_document)))
    return "\n".join(LAYOUTS[format](table) for table in tables(result, per_document, rpf))


def tables(result: Result, per_document: bool = False, rpf: bool = False) -> list[Table]:
    """Return the tables that people read."""
    if len(result.systems) == 1 and not per_document:
        return [one_system(result)]
    if not per_document:
        return [many_systems(result, rpf)]
    return [documents(result, system, rpf) for system in result.systems]


def one_system(result: Result) -> Table:
    """One row per metric: recall, precision and F1 with their fractions."""
    (system,) = result.systems
    scores = system.scores.metrics
    return Table(
        columns=[
            Column("metric"),
            *(Column("recall", PERCENT), Column("", FIGURES)),
            *(Column("precision", PERCENT), Column("", FIGURES)),
            Column("F1", PERCENT),
        ],
        rows=[_statistic_row(statistic, scores) for statistic in statistics_of(scores)],
        notes=_notes(result, scores.values()),
        heading=[
            f"key       {result.key}",
            f"response  {_named(system)}",
            _documents(system.scores),
        ],
        totals=int(CONLL.is_known(scores)),
    )


def _statistic_row(statistic: Statistic, scores: Mapping[str, Score]) -> Cells:
    cells = _sides(statistic, scores[statistic.id]) if isinstance(statistic, Metric) else [None] * 4
    return [statistic.name, *cells, value_cell(statistic, scores)]


def _sides(metric: Metric, score: Score) -> list[Value]:
    """Recall and precision, each with its fraction."""
    return [
        score.recall,
        None if metric.is_mean else _fraction(score.recall_counts),
        score.precision,
        None if metric.is_mean or metric.is_single else _fraction(score.precision_counts),
    ]


def _fraction(counts: tuple[float, float]) -> str:
    return "/".join(f"{n:.0f}" if n == int(n) else f"{n:.2f}" for n in counts)


def value_cell(statistic: Statistic, scores: Mapping[str, Score]) -> Cell:
    """Return the value of a statistic, marked if there was nothing to count."""
    marks = "*" if statistic.is_undefined(scores) else ""
    return Cell(statistic.value(scores), statistic.format, marks)


def statistic_columns(statistics: Sequence[Statistic]) -> list[Column]:
    """Return one column per statistic."""
    return [Column(statistic.heading, statistic.format) for statistic in statistics]


def many_systems(result: Result, rpf: bool) -> Table:
    """One row per system, as given, and one column per metric."""
    rows = [
        row
        for system in result.systems
        for row in _score_rows(system.name, system.scores.metrics, rpf)
    ]
    first = result.systems[0].scores
    every = [score for system in result.systems for score in system.scores.metrics.values()]
    above = [f"key       {result.key}", _documents(first, several=True)]
    return Table(
        columns=_columns("system", first, rpf),
        rows=rows,
        notes=_notes(result, every),
        heading=above,
    )


def documents(result: Result, system: System, rpf: bool) -> Table:
    """One row per document of a system, and the total."""
    scores, per_document = system.scores, system.scores.per_document
    rows = [row for d in per_document for row in _score_rows(d.document, d.metrics, rpf)]
    total = _score_rows("all documents", scores.metrics, rpf)
    every = [score for document in per_document for score in document.metrics.values()]
    return Table(
        columns=_columns("document", scores, rpf),
        rows=[*rows, *total],
        notes=_notes(result, every),
        heading=[f"key       {result.key}", f"response  {_named(system)}", _documents(scores)],
        totals=len(total),
        title=system.name if len(result.systems) > 1 else None,
    )


def _named(system: System) -> str:
    """Return the path of a response, and the system's name where that says more."""
    if system.name in system.response:
        return system.response
    return f"{system.response} ({system.name})"


def _columns(first: str, scores: Scores, rpf: bool) -> list[Column]:
    names = [Column(first), *([Column("")] if rpf else [])]
    return [*names, *statistic_columns(statistics_of(scores.counts))]


def _score_rows(name: str, scores: Mapping[str, Score], rpf: bool) -> list[Cells]:
    """One row of F1, or three: recall, precision, F1. A CoNLL score is an F1."""
    statistics = statistics_of(scores)
    f1 = [value_cell(statistic, scores) for statistic in statistics]
    if not rpf:
        return [[name, *f1]]
    nothing = [None] * (len(statistics) - len(scores))
    return [
        [name, "R", *(score.recall for score in scores.values()), *nothing],
        [None, "P", *(score.precision for score in scores.values()), *nothing],
        [None, "F1", *f1],
    ]


def _documents(scores: Scores, several: bool = False) -> str:
    line = f"documents {len(scores.document_names)}"
    if scores.missing and not several:
        line += f" ({len(scores.missing)} missing from the response, counted as empty)"
    return line


def _notes(result: Result, scores: Any) -> list[str]:
    """Return the notes below a table: marks, missing documents, signatures."""
    notes = [NOTHING_TO_FIND] if any(score.is_undefined for score in scores) else []
    notes += [*_coverage(result), *_average_of_v4(result)]
    signatures = dict.fromkeys(system.scores.signature for system in result.systems)
    if len(result.systems) > 1:
        for system in result.systems:
            if system.scores.missing:
                lacking = len(system.scores.missing)
                notes.append(f"{system.name}: missing documents, counted as empty: {lacking}")
    return [*notes, *signatures]


def _coverage(result: Result) -> list[str]:
    """Say on how many of the mentions an index of common mentions was computed."""
    notes = []
    for system in result.systems:
        covered = {
            METRICS[id].name: score.parts["coverage"]
            for id, score in system.scores.metrics.items()
            if "coverage" in score.parts
        }
        if covered:
            coverage = next(iter(covered.values()))
            whose = f"{system.name}: " if len(result.systems) > 1 else ""
            notes.append(
                f"{whose}{', '.join(covered)}: on common mentions alone, "
                f"{PERCENT.shown(coverage.recall)} % of the key's and "
                f"{PERCENT.shown(coverage.precision)} % of the response's"
            )
    return notes


def _average_of_v4(result: Result) -> list[str]:
    """Give the CoNLL score of 2011 and 2012, where its metrics were asked for."""
    notes = []
    for system in result.systems:
        if CONLL_V4.is_known(system.scores.counts):
            mean = CONLL_V4.format.shown(CONLL_V4.value(system.scores.metrics))
            names = ", ".join(metric.name for metric in CONLL_V4.metrics)
            whose = f"{system.name}: " if len(result.systems) > 1 else ""
            notes.append(f"{whose}{mean}, the mean of {names}: {CONLL_V4.name}")
    return notes


def _observations(result: Result, per_document: bool) -> Iterator[list[Value]]:
    for system in result.systems:
        for each in system.scores.per_document if per_document else ():
            yield from _rows(system.name, each.document, each.metrics, each.conll)
        yield from _rows(system.name, "", system.scores.metrics, system.scores.conll)


def _rows(
    system: str, document: str, scores: Mapping[str, Score], conll: float | None
) -> Iterator[list[Value]]:
    for id, score in scores.items():
        counts = [*_counts(id, score.recall_counts), *_counts(id, score.precision_counts)]
        ratio = [known(score.recall), known(score.precision), score.f1]
        yield [system, document, id, *ratio, *([None] * 4 if METRICS[id].is_mean else counts)]
    if conll is not None:
        yield [system, document, CONLL.id, None, None, conll, *[None] * 4]


def to_dict(result: Result, *, per_document: bool = False) -> dict[str, Any]:
    """Return the result as the JSON contract has it: fractions between 0 and 1, unrounded."""
    return {
        "corefscope": __version__,
        "key": result.key,
        **({"key_digest": result.key_digest} if result.key_digest else {}),
        "systems": [_system_dict(system, per_document) for system in result.systems],
        "findings": [finding.to_dict() for finding in result.findings],
    }


def _system_dict(system: System, per_document: bool) -> dict[str, Any]:
    scores = system.scores
    record: dict[str, Any] = {
        "name": system.name,
        "response": system.response,
        "signature": scores.signature,
        "profile": scores.profile.name,
        "documents": {
            "scored": len(scores.document_names),
            "missing": list(scores.missing),
            "extra": list(scores.extra),
        },
        "metrics": _metrics_dict(scores.metrics),
        "conll": scores.conll,
    }
    if per_document:
        record["per_document"] = [
            {"document": d.document, "metrics": _metrics_dict(d.metrics), "conll": d.conll}
            for d in scores.per_document
        ]
    return record


def _metrics_dict(scores: Mapping[str, Score]) -> dict[str, Any]:
    return {id: score_dict(id, score) for id, score in scores.items()}


def score_dict(id: str, score: Score) -> dict[str, Any]:
    """Return a score for JSON."""
    return {
        "recall": known(score.recall),
        "precision": known(score.precision),
        "f1": score.f1,
        "recall_counts": _counts(id, score.recall_counts),
        "precision_counts": _counts(id, score.precision_counts),
        **{name: score_dict(id, part) for name, part in score.parts.items()},
    }


def _counts(id: str, counts: tuple[float, float]) -> list[float]:
    """Numerator and denominator: whole numbers as such, where the metric counts whole things."""
    numerator, denominator = counts
    # Under a macro average the counts are sums of recall or precision.
    return [_whole(numerator) if METRICS[id].integral else numerator, _whole(denominator)]


def _whole(count: float) -> float:
    """Return a whole number as such; some indices divide by entropies."""
    return int(count) if count == int(count) else count
