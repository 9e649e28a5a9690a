"""Tables 5 to 8: extra and missing, conflated and divided entities."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from corefscope.error_analysis.records import (
    Composition,
    ConflatedEntities,
    DividedEntity,
    EntityRecord,
    ExtraEntity,
    MissingEntity,
    PartRecord,
)
from corefscope.evaluation import Evaluation
from corefscope.formatting import FIGURES, TEXT
from corefscope.language import MentionType
from corefscope.rendering.errors.mentions import MENTION_TYPES, NO_WORDS
from corefscope.rendering.errors.systems import (
    Columns,
    averages,
    records,
    share,
    together,
)
from corefscope.rendering.table import Cells, Column, Table, columns

COMPOSITIONS = (
    ("0", "1", "1"),
    ("1", "0", "1"),
    ("1", "1", "0"),
    ("2", "0", "0"),
    ("0", "2", "0"),
    ("0", "0", "2"),
    ("3+", "0", "0"),
    ("0", "3+", "0"),
    ("0", "0", "3+"),
)
"""The rows of Table 5: names, nominals, pronouns."""


def compositions(evaluation: Evaluation) -> Table:
    """Return Table 5: extra and missing entities by number of mentions of each type."""

    def names(error: EntityRecord) -> Iterator[Hashable]:
        numbers = tuple("3+" if n >= 3 else str(n) for n in _counts(error.composition))
        yield numbers if numbers in COMPOSITIONS else "other"

    counts = Columns(evaluation, (ExtraEntity, names), (MissingEntity, names))
    rows: list[Cells] = [[*numbers, *counts.row(numbers)] for numbers in COMPOSITIONS]
    return Table(
        columns=[
            Column("names"),
            *columns(FIGURES, "nominals", "pronouns"),
            *columns(averages(evaluation), "extra", "missing"),
        ],
        rows=[
            *rows,
            ["other", None, None, *counts.row("other")],
            ["total", None, None, *counts.total()],
        ],
        title="Table 5: extra and missing entities by composition",
        totals=1,
    )


def _counts(composition: Composition) -> tuple[int, int, int]:
    return composition.names, composition.nominals, composition.pronouns


def entity_matches(evaluation: Evaluation) -> Table:
    """Return Table 6: entities of one mention type, by whether their words or heads match."""

    def names(error: EntityRecord) -> Iterator[Hashable]:
        present = [t for t, n in zip(MENTION_TYPES, _counts(error.composition), strict=True) if n]
        if len(present) == 1:
            match = "Exact" if error.same_text else "Head" if error.same_head else "None"
            yield match, present[0]

    counts = Columns(evaluation, (ExtraEntity, names), (MissingEntity, names))
    rows: list[Cells] = [
        [match, label, *counts.row((match, type))]
        for match in ("Exact", "Head", "None")
        for type, label in MENTION_TYPES.items()
        # Pronouns with the same head have the same text.
        if (match, type) != ("Head", MentionType.PRONOUN)
    ]
    unknown = any(e.same_text is None for e in records(evaluation, EntityRecord))
    return Table(
        columns=[
            *columns(TEXT, "match", "type"),
            *columns(averages(evaluation), "extra", "missing"),
        ],
        rows=[*rows, ["total", None, *counts.total()]],
        notes=[NO_WORDS] if unknown else [],
        title="Table 6: extra and missing entities of one mention type by match",
        totals=1,
    )


def pronoun_pairs(evaluation: Evaluation) -> Table:
    """Return Table 7: entities of a pronoun and one other mention, by the pronoun."""

    def names(error: EntityRecord) -> Iterator[Hashable]:
        if error.pronoun is not None:
            yield error.pronoun

    counts = Columns(evaluation, (ExtraEntity, names), (MissingEntity, names))
    return Table(
        columns=[Column("pronoun"), *columns(averages(evaluation), "extra", "missing")],
        rows=[*counts.most_frequent("other pronouns"), ["any pronoun", *counts.total()]],
        title="Table 7: extra and missing entities of a pronoun and one other mention",
        totals=1,
    )


def parts(evaluation: Evaluation, most: int = 10) -> Table:
    """Return Table 8: conflated and divided entities by the mention types of part and rest."""

    def names(error: PartRecord) -> Iterator[Hashable]:
        yield tuple("1+" if n else "-" for n in (*_counts(error.part), *_counts(error.rest)))

    counts = Columns(evaluation, (ConflatedEntities, names), (DividedEntity, names))
    patterns = [name for name in counts.names() if isinstance(name, tuple)]
    rows: list[Cells] = [[*p, *counts.row(p)] for p in patterns[:most]]
    if patterns[most:]:
        rows.append(["other", *[None] * 5, *counts.row(*patterns[most:])])
    return Table(
        columns=[
            *columns(TEXT, *(f"part: {type}" for type in ("Na", "No", "Pr"))),
            *columns(TEXT, *(f"rest: {type}" for type in ("Na", "No", "Pr"))),
            *columns(averages(evaluation), "conflated", "divided"),
        ],
        rows=[*rows, ["total", *[None] * 5, *counts.total()]],
        notes=_shares(evaluation),
        title="Table 8: conflated and divided entities by composition of part and rest",
        totals=1,
    )


def _shares(evaluation: Evaluation) -> list[str]:
    conflated, divided = (records(evaluation, r) for r in (ConflatedEntities, DividedEntity))

    def is_one_pronoun(error: PartRecord) -> bool:
        return _counts(error.part) == (0, 0, 1)

    pronouns = [share(errors, is_one_pronoun) for errors in (conflated, divided)]
    settled, whole = share(conflated, _is_settled), share(divided, _was_whole)
    return [
        f"The part is one pronoun: {pronouns[0]} of conflated, {pronouns[1]} of divided.",
        f"Conflated parts that are a whole key entity: {settled}.",
        f"Divided parts that were a whole response entity: {whole}.",
        *together(evaluation),
    ]


def _is_settled(error: PartRecord) -> bool:
    return error.later == "nothing"


def _was_whole(error: PartRecord) -> bool:
    return error.earlier == "nothing"
