"""Our records as the property rows that the published tool writes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from corefscope.error_analysis.records import (
    Comparison,
    Difference,
    EntityError,
    ErrorRecord,
    MentionError,
    PartError,
    SpanError,
)

Row = list[Any]


def row_of(error: ErrorRecord, sentences: Sequence[range]) -> Row:
    """Return the tool's row for an error of a document with these sentences."""
    match error:
        case SpanError():
            return _span_row(error, sentences)
        case EntityError():
            return _entity_row(error)
        case MentionError():
            return _mention_row(error)
        case PartError():
            return _part_row(error)
    raise TypeError(error)


def _span_row(error: SpanError, sentences: Sequence[range]) -> Row:
    def place(span: tuple[int, int]) -> tuple[int, int, int]:
        number = next(i for i, sentence in enumerate(sentences) if span[0] in sentence)
        first = sentences[number].start
        return number, span[0] - first, span[1] + 1 - first

    sides = (error.extra_left, error.missing_left, error.extra_right, error.missing_right)
    return [
        "span error",
        *map(place, error.spans),
        "in the parse" if error.in_parse else "not in the parse",
        *(side and side.text for side in sides),
        *(_labels(side) for side in sides),
    ]


def _labels(side: Difference | None) -> str | None:
    return None if side is None or side.labels is None else " ".join(side.labels)


def _kind(error: ErrorRecord) -> str:
    return str(error.type).partition("_")[0]


def _entity_row(error: EntityError) -> Row:
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


def _mention_row(error: MentionError) -> Row:
    agreements = {
        "ner": error.entity_type,
        "number": error.number,
        "person": error.person,
        "gender": error.gender,
    }
    nesting = {"none": "not_nested"}.get(error.nesting, f"nested_{error.nesting}")
    return [
        f"{_kind(error)} mention",
        _kind(error),
        str(error.mention_type),
        str(error.text).replace(" ", "_"),
        "text_match" if error.text_match else "no_text_match",
        "head_match" if error.head_match else "no_head_match",
        nesting,
        error.is_first,
        error.is_last,
        error.is_cataphoric,
        *(
            f"{name}_{'does_not_match' if value == 'differs' else value}"
            for name, value in agreements.items()
        ),
    ]


def _part_row(error: PartError) -> Row:
    name = {"conflated": "split", "divided": "merge"}[_kind(error)]
    part, rest = error.part, error.rest
    return [
        name,
        name,
        len(error.mentions),
        rest.names + rest.nominals + rest.pronouns,
        None if error.text is None else error.text.replace(" ", "_"),
        f"{error.cataphoric}_cataphoric",
        part.names,
        part.nominals,
        part.pronouns,
        rest.names,
        rest.nominals,
        rest.pronouns,
        False,
        name == "split" and error.rest_is_unmatched,
        "string_match" if error.string_match else "no_string_match",
        "head_match" if error.head_match else "no_head_match",
        error.later,
        error.earlier,
        *_compared(error.entity_type),
        *_compared(error.number),
        *_compared(error.person),
        *_compared(error.gender),
    ]


def _compared(comparison: Comparison) -> Row:
    return [
        comparison.is_equal,
        f"part_{'_'.join(comparison.part)}",
        f"cluster_{'_'.join(comparison.rest)}",
    ]
