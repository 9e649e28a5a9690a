"""Tables of the ledgers of tagged text, and scores with and without failed documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corefscope.corpus.copies import WindowCounts
from corefscope.formatting import (
    ABSENT,
    LARGE_COUNT,
    PERCENT,
    TEXT,
    NumberFormat,
    TextFormat,
    counted,
)
from corefscope.metrics import statistics_of
from corefscope.results.table import RowCells, Table, TableColumn, columns
from corefscope.scoring.scores import Scores
from corefscope.scoring.systems import Evaluated, HasScores
from corefscope.transfer.ledger import STATUSES, ChangedMention, Ledger

KNOWN_COUNT = NumberFormat(is_grouped=True, absent=ABSENT)
"""A count; a dash if there is nothing to count in."""
LONGEST = 60
"""How many characters of a mention are shown."""
SHOWN = 10
"""How many mentions that were changed are shown."""


def ledger_tables(evaluation: Evaluated[HasScores], per_document: bool = False) -> list[Table]:
    """Return the ledgers of systems that are tagged text; nothing if none is."""
    tagged = [system for system in evaluation if system.scores.ledger is not None]
    if not tagged:
        return []
    tables = [_sums(tagged)]
    if per_document:
        tables += [_documents(system) for system in tagged]
    tables += [_changed(system) for system in tagged if _changed_mentions(system)]
    failed = [system for system in tagged if system.scores.without_failed is not system.scores]
    return [*tables, *map(_side_by_side, failed)]


def _sums(systems: list[HasScores]) -> Table:
    """Return one column per system: documents by status, tags, and mentions."""
    ledgers = [ledger for system in systems if (ledger := system.scores.ledger) is not None]
    totals = [ledger.total for ledger in ledgers]
    rows: list[RowCells] = [["documents", *(len(ledger.documents) for ledger in ledgers)]]
    rows += [[f"  {each}", *(ledger.statuses[each] for ledger in ledgers)] for each in STATUSES]
    styles = dict.fromkeys(style for each in ledgers for style in each.styles)
    rows += [[f"  style {style}", *(each.styles[style] for each in ledgers)] for style in styles]
    figures = list(zip(FIGURES, *map(_figures, totals), strict=True))
    rows += [[name, *values] for name, *values in figures[:TAGS]]
    rows += _reasons([total.dropped_tags for total in totals])
    rows += [[name, *values] for name, *values in figures[TAGS:]]
    rows += _reasons([total.dropped_mentions for total in totals])
    if any(total.antecedent_not_found for total in totals):
        rows.append(["antecedent not found", *(total.antecedent_not_found for total in totals)])
    if any(total.windows for total in totals):
        windows = [
            total.windows or WindowCounts(count=0, joined=0, conflicts=0) for total in totals
        ]
        rows.append(["windows", *(each.count for each in windows)])
        rows.append(["  entities joined", *(each.joined for each in windows)])
        rows.append(["  conflicts", *(each.conflicts for each in windows)])
    return Table(
        columns=[
            TableColumn("tagged text"),
            *columns(LARGE_COUNT, *(each.name for each in systems)),
        ],
        rows=rows,
        heading=["Tagged text: documents by status and style, tags, and mentions"],
        title="Tagged text",
    )


def _reasons(dropped: Sequence[Mapping[str, int]]) -> list[RowCells]:
    """Return one row per reason why tags or mentions of some systems are dropped."""
    reasons = dict.fromkeys(reason for each in dropped for reason in each)
    return [[f"    {reason}", *(each.get(reason, 0) for each in dropped)] for reason in reasons]


FIGURES = (
    "tags opened",
    "tags closed",
    "  dropped tags",
    "mentions",
    "  exact",
    "  edited",
    "  shrunk",
    "  dropped mentions",
)
TAGS = 3
"""How many of them are about tags, and not about mentions."""


def _figures(ledger: Ledger) -> list[int]:
    kept = [ledger.exact, ledger.edited, ledger.shrunk]
    tags = [ledger.opened, ledger.closed, sum(ledger.dropped_tags.values())]
    return [*tags, ledger.parsed, *kept, sum(ledger.dropped_mentions.values())]


def _documents(system: HasScores) -> Table:
    """Return one row per document of a system."""
    ledger = system.scores.ledger
    assert ledger is not None
    return Table(
        columns=[
            *(TableColumn("document"), TableColumn("style"), TableColumn("status")),
            *columns(LARGE_COUNT, *map(str.strip, FIGURES)),
            *columns(KNOWN_COUNT, "words", "changed", "missing at the end", "outside"),
        ],
        rows=[
            [name, each.style, each.status, *_figures(each), *_words(each)]
            for name, each in ledger.documents.items()
        ],
        heading=[f"Tagged text of {system.name}, by document"],
        title=f"Tagged text of {system.name}",
    )


def _changed_mentions(system: HasScores) -> list[tuple[str, ChangedMention]]:
    """Return the mentions that were edited, shrunk or dropped, with the names of documents."""
    documents = system.scores.ledger.documents if system.scores.ledger else {}
    return [(name, each) for name, ledger in documents.items() for each in ledger.changed]


def _changed(system: HasScores) -> Table:
    """Return the first mentions of a system that are not in the text as they are in the answer."""
    mentions = _changed_mentions(system)
    more = len(mentions) - SHOWN
    return Table(
        columns=[
            *columns(TEXT, "document", "entity"),
            TableColumn("mention", TextFormat(most=LONGEST)),
            TableColumn("outcome"),
            TableColumn("in the key", TextFormat(most=LONGEST)),
        ],
        rows=[
            [
                name,
                each.entity,
                each.text,
                each.outcome,
                each.becomes,
            ]
            for name, each in mentions[:SHOWN]
        ],
        notes=[f"and {more:,} more; JSON has all of them"] if more > 0 else [],
        heading=[f"Mentions of {system.name} that were edited, shrunk or dropped"],
        title=f"Changed mentions of {system.name}",
    )


def _words(ledger: Ledger) -> list[int | None]:
    """Return counts of words; None where there is no copy whose words could be compared."""
    words = ledger.words
    if not words.source:
        return [None] * 4
    if ledger.status == "failed":
        return [words.source, None, None, ledger.outside]
    changed = words.respelt + words.replaced + words.inserted + words.deleted
    return [words.source, changed, ledger.missing_tail, ledger.outside]


def _side_by_side(system: HasScores) -> Table:
    """Return the scores of all documents beside those without the failed ones."""
    scores, others = system.scores, system.scores.without_failed
    assert scores.ledger is not None
    count = counted(len(scores.ledger.failed), "failed document")
    rows = _both(scores, others)
    is_better = any(without > value for _, value, without in rows)
    return Table(
        columns=[
            TableColumn("F1"),
            TableColumn(f"all {counted(len(scores.document_names), 'document')}", PERCENT),
            TableColumn(f"without {count}", PERCENT),
        ],
        rows=rows,
        notes=[
            "a failed document counts as empty"
            + ("; leaving it out makes scores look better" if is_better else "")
        ],
        heading=[f"Scores of {system.name} with and without failed documents"],
        title=f"With and without failed documents: {system.name}",
    )


def _both(scores: Scores, others: Scores) -> list[tuple[str, float, float]]:
    """Return the F1 of each metric in two scores of one system."""
    metrics, rest = scores.metrics, others.metrics
    return [(each.name, each.value(metrics), each.value(rest)) for each in statistics_of(metrics)]
