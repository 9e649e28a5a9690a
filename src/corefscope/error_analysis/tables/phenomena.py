"""Tables 1, 9, 10 and 11: systems, cataphora, impact, agreement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from corefscope.error_analysis import Analysis, ErrorType
from corefscope.error_analysis.impact import Gain, Impact
from corefscope.error_analysis.kinds import ACTIONS, action_label
from corefscope.error_analysis.phenomena import Cataphora
from corefscope.error_analysis.record import Analysed
from corefscope.error_analysis.records import AGREEING
from corefscope.error_analysis.tables.systems import averaged, averages, with_means
from corefscope.formatting import PERCENT, POINTS, TEXT
from corefscope.metrics import Score, statistics_of
from corefscope.metrics.b3 import B3
from corefscope.metrics.mentions import MENTIONS
from corefscope.metrics.muc import MUC
from corefscope.profiles import other_rules
from corefscope.results.table import BarFormat, Cell, RowCells, Table, TableColumn, columns
from corefscope.scoring.tables import statistic_columns

SHORT = {
    ErrorType.SPAN_ERROR: "Span",
    ErrorType.CONFLATED_ENTITIES: "Confl",
    ErrorType.EXTRA_MENTION: "+Ment",
    ErrorType.EXTRA_ENTITY: "+Ent",
    ErrorType.DIVIDED_ENTITY: "Divid",
    ErrorType.MISSING_MENTION: "-Ment",
    ErrorType.MISSING_ENTITY: "-Ent",
}
LEGEND = (
    "Confl: conflated entities; Divid: divided entity; + extra, - missing mentions and entities.",
    "A full bar marks the system with the most errors of a type.",
)
WRONG_LINKS = (
    "Wrong Links are conflated and divided entities: a mention in the wrong entity is both."
)
AFTER_SPANS = "The gains of all types but span errors are measured after span errors are corrected."
SEEN = 5e-5
"""The least difference of two figures that shows."""
TABLE_1 = (MENTIONS, MUC, B3)
"""The metrics in Table 1 of the paper."""


def systems(evaluation: Analysed) -> Table:
    """Return Table 1: F1 and the number of errors of each type, by system."""
    most = {t: max(s.errors.errors[t] for s in evaluation) for t in ErrorType}
    rows: list[RowCells] = []
    for system in evaluation:
        scores = [metric.score_overlap(system.errors.overlap).f1 for metric in TABLE_1]
        rows.append([system.name, *scores, *(system.errors.errors[t] for t in ErrorType)])
    totals = (Cell(most[type], BarFormat(0)) for type in ErrorType)
    rows.append(["most errors", *[None] * len(TABLE_1), *totals])
    bars = (TableColumn(name, BarFormat(most[type])) for type, name in SHORT.items())
    return Table(
        columns=[TableColumn("system"), *statistic_columns(TABLE_1), *bars],
        rows=rows,
        notes=LEGEND,
        title="Table 1: F1 and errors by type",
        totals=1,
    )


def cataphora(evaluation: Analysed) -> Table:
    """Return Table 9: cataphoric pronouns in key and response."""
    counts = [system.errors.cataphora for system in evaluation]
    rows: list[RowCells] = [
        [*kind.value, averaged([count[kind] for count in counts])] for kind in Cataphora
    ]
    return Table(
        columns=[*columns(TEXT, "key", "response"), TableColumn("count", averages(evaluation))],
        rows=rows,
        title="Table 9: cataphoric pronouns in key and response",
    )


def impact(evaluation: Analysed) -> Table:
    """Return Table 10: the gain of correcting each type alone, in percentage points."""
    measured = _measured(evaluation)
    rows: list[RowCells] = []
    for type in ErrorType:
        gains = [impact.gains(type) for impact in measured]
        cells = (
            _mean([getattr(gain[metric.id], part) for gain in gains])
            for metric in TABLE_1
            for part in ("precision", "recall", "f1")
        )
        rows.append([type.label, *cells])
    names = (f"{metric.heading} {part}" for metric in TABLE_1 for part in "PRF")
    return Table(
        columns=[TableColumn("error"), *columns(POINTS, *names)],
        rows=rows,
        notes=[AFTER_SPANS],
        title="Table 10: gain in points if all errors of one type are corrected",
    )


def gains(evaluation: Analysed) -> list[Table]:
    """Return the gains in F1 of every metric: of actions, of each type alone, and step by step."""
    measured = _measured(evaluation)
    analyses = [system.errors for system in evaluation]
    alone = _gain_table(
        "Gain in F1 if all errors of one type are corrected",
        [
            AFTER_SPANS,
            "Each gain is that of correcting one type alone; gains do not add up.",
        ],
        measured,
        {type.label: [impact.gains(type) for impact in measured] for type in ErrorType},
    )
    steps = _gain_table(
        "Gain in F1 of each step if all types are corrected in this order",
        _about_the_end(analyses),
        measured,
        {type.label: [impact.steps()[type] for impact in measured] for type in ErrorType},
    )
    actions = _actions(measured, analyses, _other_start(evaluation))
    return [with_means(table, evaluation) for table in (actions, alone, steps)]


def _other_start(evaluation: Analysed) -> Iterator[str]:
    """Say why gains start at another figure than the score, if they do."""
    for system in evaluation:
        scores, before = system.scores, system.impact.before
        known = before.keys() & scores.metrics.keys()
        if any(abs(before[id].f1 - scores.metrics[id].f1) >= SEEN for id in known):
            rules = other_rules(system.errors.signature, scores.signature)
            how = [f"with {rules}"] if rules else []
            if not how or scores.profile.scorer != system.errors.options.profile.scorer:
                how.insert(0, "by our own rules")
            yield f"Errors are analysed {' and '.join(how)}, so gains do not start at the score."
            return


def _actions(
    measured: Sequence[Impact], analyses: Sequence[Analysis], other_start: Iterable[str]
) -> Table:
    """Return what to correct first: what each action gains, the largest gain on top."""
    main = statistics_of(measured[0].before)[-1]
    lacking = 1 - _mean([main.value(impact.before) for impact in measured])
    found = {action: [impact.actions()[action] for impact in measured] for action in ACTIONS}

    def mean_gain(action: str) -> float:
        return _mean([main.value(gained) for gained in found[action]])

    ordered = sorted(found, key=mean_gain, reverse=True)
    losing = [action_label(action) for action in ordered if mean_gain(action) < 0]
    notes = [*_lead(analyses, ordered[0], main.heading, mean_gain(ordered[0]), lacking)]
    notes += [*other_start, WRONG_LINKS, AFTER_SPANS]
    if losing:
        notes.append(f"Corrected alone, this lowers {main.heading}: {', '.join(losing)}.")
    return _gain_table(
        f"What to correct first: gain in F1 of each action alone, by {main.heading}",
        notes,
        measured,
        {action_label(action): found[action] for action in ordered},
        first="action",
    )


def _lead(
    analyses: Sequence[Analysis], action: str, figure: str, gain: float, lacking: float
) -> Iterator[str]:
    """Say what to correct first, if that gains anything."""
    errors = sum(each.errors[type] for each in analyses for type in ACTIONS[action])
    total = sum(sum(each.errors.values()) for each in analyses)
    if errors and gain > 0:
        yield (
            f"Correct first: {action_label(action)}, {errors:,} of {total:,} errors. Alone, this "
            f"gains {100 * gain:.1f} of the {100 * lacking:.1f} {figure} points that are missing."
        )


def _gain_table(
    title: str,
    notes: Sequence[str],
    measured: Sequence[Impact],
    gains: Mapping[str, Sequence[Mapping[str, Gain]]],
    first: str = "error",
) -> Table:
    statistics = statistics_of(measured[0].before)

    def means(systems: Sequence[Mapping[str, Gain] | Mapping[str, Score]]) -> list[float]:
        return [_mean([each.value(scores) for scores in systems]) for each in statistics]

    before = zip(statistics, means([impact.before for impact in measured]), strict=True)
    rows: list[RowCells] = [[label, *means(systems)] for label, systems in gains.items()]
    rows.append(["uncorrected F1", *(Cell(value, each.format) for each, value in before)])
    return Table(
        columns=[
            TableColumn(first),
            *(TableColumn(each.heading, each.unit.change) for each in statistics),
        ],
        rows=rows,
        notes=notes,
        title=title,
        totals=1,
    )


def _about_the_end(analyses: Sequence[Analysis]) -> list[str]:
    """Describe the response after all corrections."""
    keeps = any(analysis.options.singleton_rule != "drop" for analysis in analyses)
    if any(analysis.options.mode == "berkeley" for analysis in analyses):
        missing = ", and missing singletons of the key stay missing" if keeps else ""
        return [
            "After the last step spurious mentions may remain as singletons, as in the published "
            f"tool{missing}."
        ]
    end = "After the last step the response equals the key. Gains add up and depend on the order."
    singletons = (
        "Singletons that only one side has are not errors; the step Extra Entity removes them and "
        "Missing Entity adds them."
    )
    return [end, singletons] if keeps else [end]


def _measured(evaluation: Analysed) -> list[Impact]:
    return [system.impact for system in evaluation]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def agreement(evaluation: Analysed) -> Table:
    """Return Table 11: the share of entities whose mentions disagree in a property."""
    analyses = [system.errors for system in evaluation]
    keys, responses = zip(*(analysis.disagreements for analysis in analyses), strict=True)
    labels = {"entity_type": "named-entity type"}
    rows: list[RowCells] = [
        [
            labels.get(name, name),
            *(_mean([each.share(name) for each in side]) for side in (responses, keys)),
        ]
        for name in AGREEING
    ]
    unnamed = not any(analysis.sources.names for analysis in analyses)
    return Table(
        columns=[TableColumn("property"), *columns(PERCENT, "response", "key")],
        rows=rows,
        notes=[
            "Shares of all entities. Gender, number and person are those of pronouns.",
            *(["Types need named entities, which the key does not have."] if unnamed else []),
        ],
        title="Table 11: share of entities whose mentions disagree",
    )
