"""Tables 5 to 8: extra and missing, conflated and divided entities."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations

from corefscope.error_analysis.record import Analysed
from corefscope.error_analysis.records import (
    Composition,
    ConflatedEntities,
    DividedEntity,
    EntityRecord,
    ExtraEntity,
    MissingEntity,
    PartRecord,
)
from corefscope.error_analysis.tables.mentions import MENTION_TYPES, NO_WORDS
from corefscope.error_analysis.tables.systems import (
    SystemColumns,
    averages,
    records,
    share,
    shown_types,
    together,
)
from corefscope.formatting import FIGURES, TEXT
from corefscope.language import MentionType
from corefscope.results.table import RowCells, Table, TableColumn, columns


def compositions(evaluation: Analysed) -> Table:
    """Return Table 5: extra and missing entities by number of mentions of each type."""
    types = shown_types(evaluation)
    listed = list(_compositions(len(types)))

    def names(error: EntityRecord) -> Iterator[Hashable]:
        counted = _counts(error.composition, types)
        numbers = tuple("3+" if n >= 3 else str(n) for n in counted)
        yield numbers if numbers in listed else "other"

    counts = SystemColumns(evaluation, (ExtraEntity, names), (MissingEntity, names))
    rows: list[RowCells] = [[*numbers, *counts.row(numbers)] for numbers in listed]
    others = [None] * (len(types) - 1)
    return Table(
        columns=[
            TableColumn("names"),
            *columns(FIGURES, *(f"{type}s" for type in types[1:])),
            *columns(averages(evaluation), "extra", "missing"),
        ],
        rows=[
            *rows,
            ["other", *others, *counts.row("other")],
            ["total", *others, *counts.total()],
        ],
        title="Table 5: extra and missing entities by composition",
        totals=1,
    )


def _compositions(types: int) -> Iterator[tuple[str, ...]]:
    """Yield the rows of Table 5: one mention of each of two types, then two or more of one."""
    places = range(types)
    for pair in reversed(list(combinations(places, 2))):
        yield tuple("1" if place in pair else "0" for place in places)
    for count in ("2", "3+"):
        for only in places:
            yield tuple(count if place == only else "0" for place in places)


def _counts(composition: Composition, types: Sequence[MentionType]) -> tuple[int, ...]:
    """Return how many mentions there are of each type."""
    return tuple(getattr(composition, f"{type}s") for type in types)


def entity_matches(evaluation: Analysed) -> Table:
    """Return Table 6: entities of one mention type, by whether their words or heads match."""
    types = shown_types(evaluation)

    def names(error: EntityRecord) -> Iterator[Hashable]:
        present = [type for type in types if _counts(error.composition, [type]) != (0,)]
        if len(present) == 1:
            match = "Exact" if error.same_text else "Head" if error.same_head else "None"
            yield match, present[0]

    counts = SystemColumns(evaluation, (ExtraEntity, names), (MissingEntity, names))
    rows: list[RowCells] = [
        [match, MENTION_TYPES[type], *counts.row((match, type))]
        for match in ("Exact", "Head", "None")
        for type in types
        # Pronouns with the same head have the same text.
        if not (match == "Head" and type.is_pronoun)
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


def pronoun_pairs(evaluation: Analysed) -> Table:
    """Return Table 7: entities of a pronoun and one other mention, by the pronoun."""

    def names(error: EntityRecord) -> Iterator[Hashable]:
        if error.pronoun is not None:
            yield error.pronoun

    counts = SystemColumns(evaluation, (ExtraEntity, names), (MissingEntity, names))
    return Table(
        columns=[TableColumn("pronoun"), *columns(averages(evaluation), "extra", "missing")],
        rows=[*counts.most_frequent("other pronouns"), ["any pronoun", *counts.total()]],
        title="Table 7: extra and missing entities of a pronoun and one other mention",
        totals=1,
    )


def parts(evaluation: Analysed, most: int = 10) -> Table:
    """Return Table 8: conflated and divided entities by the mention types of part and rest."""
    types = shown_types(evaluation)
    others = [None] * (2 * len(types) - 1)

    def names(error: PartRecord) -> Iterator[Hashable]:
        numbers = (*_counts(error.part, types), *_counts(error.rest, types))
        yield tuple("1+" if n else "-" for n in numbers)

    counts = SystemColumns(evaluation, (ConflatedEntities, names), (DividedEntity, names))
    patterns = [name for name in counts.names() if isinstance(name, tuple)]
    rows: list[RowCells] = [[*p, *counts.row(p)] for p in patterns[:most]]
    if patterns[most:]:
        rows.append(["other", *others, *counts.row(*patterns[most:])])
    return Table(
        columns=[
            *columns(TEXT, *(f"part: {type[:2].title()}" for type in types)),
            *columns(TEXT, *(f"rest: {type[:2].title()}" for type in types)),
            *columns(averages(evaluation), "conflated", "divided"),
        ],
        rows=[*rows, ["total", *others, *counts.total()]],
        notes=_shares(evaluation),
        title="Table 8: conflated and divided entities by composition of part and rest",
        totals=1,
    )


def _shares(evaluation: Analysed) -> list[str]:
    conflated, divided = (records(evaluation, r) for r in (ConflatedEntities, DividedEntity))

    def is_one_pronoun(error: PartRecord) -> bool:
        return error.part.pronouns == error.size == 1

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
