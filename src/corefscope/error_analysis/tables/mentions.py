"""Tables 2 to 4: span errors, extra and missing mentions."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

from corefscope.error_analysis.phenomena import Candidates
from corefscope.error_analysis.record import Analysed
from corefscope.error_analysis.records import (
    Agreement,
    ExtraMention,
    MentionRecord,
    MissingMention,
    SpanRecord,
)
from corefscope.error_analysis.tables.systems import (
    SystemColumns,
    averages,
    records,
    share,
    shown_types,
    together,
)
from corefscope.formatting import COUNT, PERCENT, Value
from corefscope.language import MentionType
from corefscope.results.table import RowCells, Table, TableColumn, columns

MENTION_TYPES = {
    MentionType.NAME: "Proper name",
    MentionType.NOMINAL: "Nominal",
    MentionType.PRONOUN: "Pronoun",
    MentionType.ZERO: "Zero",
}
UNKNOWN = MentionType.UNKNOWN
NER: dict[Agreement, str] = {
    "matches": "NER matches",
    "differs": "NER differs",
    "unknown": "NER unknown",
}
NO_WORDS = "Matching needs words, which some documents do not have."
NO_PARSE = "needs parse trees, which the key does not have."


def span_errors(evaluation: Analysed) -> Table:
    """Return Table 2: span errors by the label of the words that only one of the spans has."""
    counts = SystemColumns(
        evaluation,
        (SpanRecord, lambda error: _labels(error, "missing")),
        (SpanRecord, lambda error: _labels(error, "extra")),
    )
    has_parse = any(system.errors.sources.heads_by["parse"] for system in evaluation)
    parsed = [e for e in records(evaluation, SpanRecord) if e.in_parse is not None]
    outside = share(parsed, lambda error: not error.in_parse)
    note = f"Response mentions among these that are not constituents: {outside}."
    return Table(
        columns=[TableColumn("label"), *columns(averages(evaluation), "missing", "extra")],
        rows=[*counts.most_frequent("other labels"), ["total", *counts.total()]],
        notes=[note, *together(evaluation)] if has_parse else [f"A label {NO_PARSE}"],
        title="Table 2: span errors by the constituent that is missing or extra",
        totals=1,
    )


def _labels(error: SpanRecord, kind: str) -> Iterator[str]:
    for side in ("left", "right"):
        difference = getattr(error, f"{kind}_{side}")
        if difference is None:
            continue
        if difference.labels is None:
            yield "no parse"
        else:
            # The paper counts a node that covers exactly these words; there may be none.
            yield difference.labels[0] if len(difference.labels) == 1 else "several"


def mention_types(evaluation: Analysed) -> Table:
    """Return Table 3: extra and missing mentions by type and frequent pronoun, with counts."""

    def names(error: MentionRecord) -> Iterator[Hashable]:
        yield error.mention_type
        if error.mention_type is MentionType.PRONOUN:
            yield "pronoun", None if error.text is None else error.text.lower()

    counts = SystemColumns(evaluation, (ExtraMention, names), (MissingMention, names))
    words = [name for name in counts.names() if isinstance(name, tuple)][:7]
    candidates = evaluation.candidates if evaluation.candidates.count else None
    lines: list[tuple[str, tuple[Hashable, ...]]] = [
        *((MENTION_TYPES[type], (type,)) for type in shown_types(evaluation)),
        *([("Unknown", (UNKNOWN,))] if UNKNOWN in counts.names() else []),
        *((f"“{word[1]}”", (word,)) for word in words),
        ("total", tuple(MentionType)),
    ]
    rows = [
        [label, *counts.row(*names), *(_coreferent(candidates, names) if candidates else ())]
        for label, names in lines
    ]
    counted = "count: noun phrases, and words tagged PRP, PRP$, WP, WDT or WRB, in the key."
    return Table(
        columns=[
            TableColumn("mention"),
            *columns(averages(evaluation), "extra", "missing"),
            *(
                [TableColumn("count", COUNT), TableColumn("coreferent", PERCENT)]
                if candidates
                else []
            ),
        ],
        rows=rows,
        notes=[counted if candidates else f"Counting candidates {NO_PARSE}"],
        title="Table 3: extra and missing mentions by type, and frequent pronouns",
        totals=1,
    )


def _coreferent(candidates: Candidates, names: Iterable[Hashable]) -> list[Value]:
    count = sum(candidates.count[name] for name in names)
    return [count, sum(candidates.coreferent[name] for name in names) / count if count else None]


def mention_matches(evaluation: Analysed) -> Table:
    """Return Table 4: extra and missing names and nominals by match with their entity."""

    def names(error: MentionRecord) -> Iterator[Hashable]:
        match = "text" if error.same_text else "head" if error.same_head else "other"
        yield error.mention_type, match
        yield error.mention_type, NER[error.entity_type_agreement]
        yield error.mention_type, "total"

    counts = SystemColumns(evaluation, (ExtraMention, names), (MissingMention, names))
    labels = {"text": "Text match", "head": "Head match", "other": "Other"}
    labels |= {name: name for name in NER.values()} | {"total": "total"}
    rows: list[RowCells] = [
        [
            label,
            *counts.row((MentionType.NAME, name)),
            *counts.row((MentionType.NOMINAL, name)),
        ]
        for name, label in labels.items()
    ]
    unknown = any(e.same_text is None for e in records(evaluation, MentionRecord))
    return Table(
        columns=[
            TableColumn("match"),
            *columns(averages(evaluation), "name: extra", "name: missing"),
            *columns(averages(evaluation), "nominal: extra", "nominal: missing"),
        ],
        rows=rows,
        notes=[NO_WORDS] if unknown else [],
        title="Table 4: extra and missing names and nominals by match with their entity",
        totals=1,
    )
