"""Our records as the property rows that the published tool writes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from corefscope.error_analysis.records import (
    EdgeWords,
    EntityRecord,
    ErrorRecord,
    MentionRecord,
    PartRecord,
    SpanRecord,
)

Row = list[Any]


def row_of(error: ErrorRecord, sentences: Sequence[range]) -> Row:
    """Return the tool's row for an error of a document with these sentences."""
    match error:
        case SpanRecord():
            return _span_row(error, sentences)
        case EntityRecord():
            return _entity_row(error)
        case MentionRecord():
            return _mention_row(error)
        case PartRecord():
            return _part_row(error)
    raise TypeError(error)


def _span_row(error: SpanRecord, sentences: Sequence[range]) -> Row:
    def place(span: tuple[int, int]) -> tuple[int, int, int]:
        number = next(i for i, sentence in enumerate(sentences) if span[0] in sentence)
        first = sentences[number].start
        return number, span[0] - first, span[1] + 1 - first

    sides = (error.extra_left, error.missing_left, error.extra_right, error.missing_right)
    return [
        "span error",
        *map(place, error.spans()),
        "in the parse" if error.in_parse else "not in the parse",
        *(side and side.text for side in sides),
        *(_labels(side) for side in sides),
    ]


def _labels(side: EdgeWords | None) -> str | None:
    return None if side is None or side.labels is None else " ".join(side.labels)


def _kind(error: ErrorRecord) -> str:
    return str(error.type).partition("_")[0]


def _entity_row(error: EntityRecord) -> Row:
    composition = error.composition
    return [
        f"{_kind(error)} entity",
        _kind(error),
        composition.names + composition.nominals + composition.pronouns,
        composition.names,
        composition.nominals,
        composition.pronouns,
        error.pronoun,
        error.cataphoric,
        list(error.entity_types),
        error.same_text,
        error.same_head,
    ]


def _mention_row(error: MentionRecord) -> Row:
    agreements = {
        "ner": error.entity_type_agreement,
        "number": error.number_agreement,
        "person": error.person_agreement,
        "gender": error.gender_agreement,
    }
    nesting = {"none": "not_nested"}.get(error.nesting, f"nested_{error.nesting}")
    return [
        f"{_kind(error)} mention",
        _kind(error),
        str(error.mention_type),
        str(error.text).lower().replace(" ", "_"),
        "text_match" if error.same_text else "no_text_match",
        "head_match" if error.same_head else "no_head_match",
        nesting,
        error.is_first,
        error.is_last,
        bool(error.cataphoric),
        *(
            f"{name}_{'does_not_match' if value == 'differs' else value}"
            for name, value in agreements.items()
        ),
    ]


def _part_row(error: PartRecord) -> Row:
    name = {"conflated": "split", "divided": "merge"}[_kind(error)]
    part, rest = error.part, error.rest
    return [
        name,
        name,
        len(error.mentions),
        rest.names + rest.nominals + rest.pronouns,
        str(error.text).lower().replace(" ", "_") if error.size == 1 else None,
        f"{error.cataphoric}_cataphoric",
        part.names,
        part.nominals,
        part.pronouns,
        rest.names,
        rest.nominals,
        rest.pronouns,
        False,
        name == "split" and error.rest_is_unmatched,
        "string_match" if error.same_text else "no_string_match",
        "head_match" if error.same_head else "no_head_match",
        error.later,
        error.earlier,
        *_compared(part.entity_types, rest.entity_types),
        *_compared(part.numbers, rest.numbers),
        *_compared(part.persons, rest.persons),
        *_compared(part.genders, rest.genders),
    ]


def _compared(part: Sequence[str], rest: Sequence[str]) -> Row:
    return [
        part == rest,
        f"part_{'_'.join(part)}",
        f"cluster_{'_'.join(rest)}",
    ]
