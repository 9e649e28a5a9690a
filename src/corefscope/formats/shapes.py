"""Take what formats have in common out of JSON records, and check its shape."""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from typing import Any

from corefscope.formats.draft import DraftEntity, DraftMention, Place
from corefscope.formats.drafting import Unfit


def object_of(record: Any) -> dict[str, Any]:
    """Return a record that must be a JSON object."""
    if not isinstance(record, dict):
        raise Unfit(f"found {reprlib.repr(record)}; expected an object with named fields")
    return record


def list_of(record: Any, field: str, expected: str) -> list[Any]:
    """Return a field that must be a list."""
    value = object_of(record).get(field)
    if not isinstance(value, list):
        raise Unfit(f"{field!r} is {reprlib.repr(value)}; expected {expected}")
    return value


def words_of(record: Any, field: str) -> list[str]:
    """Return a field that must be a list of words."""
    words = list_of(record, field, "a list of words")
    for number, word in enumerate(words):
        if not isinstance(word, str):
            raise Unfit(f"{field!r} has {reprlib.repr(word)} at {number}; expected a word")
    return words


def entities_of(
    record: Any, field: str, numbers: int = 2, strings: Sequence[Sequence[str | None]] = ()
) -> list[DraftEntity]:
    """Return the entities of a field ``[[[first, last], …], …]``.

    Parameters
    ----------
    record
        A JSON record.
    field
        The field with the entities.
    numbers
        How many numbers a mention has: 3 if the index of its sentence comes first.
    strings
        The strings of the mentions, in the shape of the clusters.

    Returns
    -------
    list of DraftEntity
        The entities, named by their numbers.
    """
    shape = "[first, last]" if numbers == 2 else "[sentence, first, last]"
    entities = list_of(record, field, f"a list of entities, [[{shape}, …], …]")
    found = []
    for number, mentions in enumerate(entities):
        if not isinstance(mentions, list):
            shown = reprlib.repr(mentions)
            raise Unfit(f"entity {number} of {field!r} is {shown}; expected [{shape}, …]")
        said = strings[number] if strings else [None] * len(mentions)
        found.append(
            DraftEntity(
                label=str(number),
                mentions=[
                    DraftMention(places=(place_of(mention, numbers, shape, number),), string=string)
                    for mention, string in zip(mentions, said, strict=True)
                ],
            )
        )
    return found


def place_of(mention: Any, numbers: int, shape: str, entity: object) -> Place:
    """Return the numbers of a mention."""
    if (
        not isinstance(mention, list)
        or len(mention) != numbers
        or not all(type(number) is int for number in mention)
    ):
        raise Unfit(f"mention {reprlib.repr(mention)} of entity {entity}; expected {shape}")
    return tuple(mention)
