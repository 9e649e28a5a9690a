"""Tables of the agreement of annotators."""

from __future__ import annotations

from collections.abc import Iterator

from corefscope.agreement.disputes import KINDS
from corefscope.agreement.pairs import PairAgreement
from corefscope.agreement.result import ALPHA, Agreement
from corefscope.formatting import COUNT, LARGE_COUNT, PERCENT, SHARE, TextFormat, counted
from corefscope.metrics import statistics_of
from corefscope.results.table import (
    Caption,
    Cell,
    RowCells,
    Table,
    TableColumn,
    columns,
)
from corefscope.scoring.paper import protocol_sentence
from corefscope.scoring.tables import NOTHING_TO_FIND, statistic_columns, value_cell

MEAN = "mean"
LONGEST = 14
"""How many characters of the title of an entity are shown."""
DISTANCES = {
    "passonneau": "Passonneau (2004)",
    "masi": "MASI (Passonneau 2006)",
}
UNMARKED = {
    "missing": "an annotator who did not mark a mention gives it no value",
    "singleton": "an annotator who did not mark a mention makes it a singleton",
}


def tables(agreement: Agreement, *, most: int = 10, with_list: bool = False) -> list[Table]:
    """Return all tables: pairs, alpha, mentions, and where annotators disagree.

    Parameters
    ----------
    agreement
        The agreement.
    most
        How many disputed entities and documents to show.
    with_list
        Whether to list all disagreements, documents and entities.
    """
    limit = None if with_list else most
    found = [_pairs(agreement), _alpha(agreement), _mentions(agreement), _kinds(agreement)]
    found += _disputed(agreement, limit)
    return [*found, _listed(agreement)] if with_list else found


def paper_table(agreement: Agreement, *, caption: Caption = None) -> Table:
    """Return F1 of each pair and their mean, as a paper prints it.

    Parameters
    ----------
    agreement
        The agreement.
    caption
        Whether to say under which protocol the scores were computed, and what alpha is.
    """
    pairs = _pairs(agreement)
    if caption is None:
        return Table(columns=pairs.columns, rows=pairs.rows, notes=pairs.notes, totals=1)
    scores = agreement.pairs[0].scores
    alpha, documents = agreement.alpha, counted(agreement.compared, "document")
    text = (
        f"Agreement of {counted(len(agreement.annotators), 'annotator')}: F1 in per cent of each "
        f"pair, and the mean over pairs. {protocol_sentence(scores.profile, documents)} "
        f"Krippendorff's α is {ALPHA.shown(alpha.passonneau)} with the distance of Passonneau "
        f"(2004) and {ALPHA.shown(alpha.masi)} with MASI; {UNMARKED[alpha.unmarked]}."
    )
    return Table(
        columns=pairs.columns,
        rows=pairs.rows,
        notes=pairs.notes,
        totals=1,
        caption=text,
        label="agreement",
    )


def _named(pair: PairAgreement) -> str:
    return f"{pair.a} – {pair.b}"


def _pairs(agreement: Agreement) -> Table:
    statistics = statistics_of(agreement.pairs[0].metrics)
    rows: list[RowCells] = [
        [_named(pair), *(value_cell(each, pair.metrics) for each in statistics)]
        for pair in agreement
    ]
    mean = [Cell(agreement.mean.get(each.id), each.format) for each in statistics]
    is_undefined = any(score.is_undefined for pair in agreement for score in pair.metrics.values())
    files = agreement.files
    width = max(map(len, files))
    return Table(
        columns=[TableColumn("pair"), *statistic_columns(statistics)],
        rows=[*rows, [MEAN, *mean]],
        totals=1,
        notes=[*([NOTHING_TO_FIND] if is_undefined else []), agreement.signature],
        heading=[
            *(f"annotator {name:<{width}}  {path}" for name, path in files.items()),
            f"documents {agreement.compared}",
            "",
            "F1 of each pair, in per cent",
        ],
        title="F1 of each pair",
    )


def _alpha(agreement: Agreement) -> Table:
    alpha = agreement.alpha
    title = "Krippendorff's α"
    return Table(
        columns=[TableColumn("distance"), TableColumn("α", ALPHA)],
        rows=[
            [DISTANCES["passonneau"], alpha.passonneau],
            [DISTANCES["masi"], alpha.masi],
        ],
        notes=[f"{counted(alpha.units, 'mention')}; {UNMARKED[alpha.unmarked]}"],
        heading=[title],
        title=title,
    )


def _mentions(agreement: Agreement) -> Table:
    mentions = agreement.mentions
    everyone = len(mentions.marked_by)
    title = "Mentions by how many annotators marked them"
    rows: list[RowCells] = [
        [
            ("both" if count == 2 else f"all {count}") if count == everyone else f"{count}",
            number,
            number / mentions.total if mentions.total else None,
        ]
        for count, number in enumerate(mentions.marked_by, 1)
    ]
    return Table(
        columns=[
            TableColumn("marked by"),
            TableColumn("mentions", LARGE_COUNT),
            TableColumn("%", SHARE),
        ],
        rows=rows,
        notes=[f"marked by all annotators of their document: {mentions.by_all:,}"],
        heading=[title],
        title=title,
    )


def _kinds(agreement: Agreement) -> Table:
    title = "Where they disagree"
    rows: list[RowCells] = []
    for pair in agreement:
        found = agreement.disagreements[pair.a, pair.b]
        rows.append(
            [
                _named(pair),
                pair.boundaries.f1,
                found.boundaries,
                found.one_in_a,
                found.one_in_b,
                found.only_in_a,
                found.only_in_b,
            ]
        )
    return Table(
        columns=[
            TableColumn("pair a – b"),
            TableColumn("mention F1", PERCENT),
            TableColumn("boundaries", COUNT),
            TableColumn("by b", COUNT, "entities split"),
            TableColumn("by a", COUNT, "entities split"),
            TableColumn("a only", COUNT, "marked by"),
            TableColumn("b only", COUNT, "marked by"),
        ],
        rows=rows,
        heading=[title],
        title=title,
    )


def _disputed(agreement: Agreement, most: int | None) -> Iterator[Table]:
    documents = agreement.documents[:most]
    if len(agreement.documents) > 1 and documents:
        title = "Most disputed documents"
        yield Table(
            columns=[
                TableColumn("document"),
                TableColumn("annotators", COUNT),
                TableColumn("mean B³", SHARE),
            ],
            rows=[[each.document, len(each.annotators), each.b3] for each in documents],
            heading=[title],
            title=title,
        )
    entities = agreement.disputed_entities(most)
    if entities:
        title = "Most disputed entities"
        is_one = len(agreement.documents) == 1
        names = [] if is_one else [TableColumn("document")]
        yield Table(
            columns=[
                TableColumn("annotator"),
                *names,
                TableColumn("entity", TextFormat(most=LONGEST)),
                TableColumn("mentions", COUNT),
                TableColumn("mean B³", PERCENT),
            ],
            rows=[
                [
                    each.annotator,
                    *([] if is_one else [each.document]),
                    each.title,
                    each.mentions,
                    each.b3,
                ]
                for each in entities
            ],
            notes=["mean B³: how much of an entity other annotators have in one entity"],
            heading=[title],
            title=title,
        )


def _listed(agreement: Agreement) -> Table:
    title = "All disagreements"
    return Table(
        columns=[
            TableColumn("pair a – b"),
            TableColumn("document"),
            TableColumn("sentence", COUNT),
            TableColumn("disagreement"),
            *columns(TextFormat(most=2 * LONGEST), "in a", "in b"),
        ],
        rows=[
            [
                f"{each.a} – {each.b}",
                each.document,
                each.sentence,
                KINDS[each.kind],
                each.in_a,
                each.in_b,
            ]
            for each in agreement.listed
        ],
        heading=[title],
        title=title,
    )
