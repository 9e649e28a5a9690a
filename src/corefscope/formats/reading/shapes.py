"""Take what formats have in common out of JSON records, and check its shape."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from itertools import chain, groupby
from typing import Any

from corefscope.corpus.foreign import NAME_FIELDS, RECORD_NAMES
from corefscope.formats.reading.draft import Mentions
from corefscope.formats.reading.drafting import Unfit

LONGEST_NAME = 200
"""How many characters the name of a document has at most; what is longer is its text."""


def object_of(record: Any) -> dict[str, Any]:
    """Return a record that must be a JSON object."""
    if not isinstance(record, dict):
        raise Unfit(f"found {reprlib.repr(record)}", expected="an object with named fields")
    return record


def refuse_misspelt(fields: Mapping[str, Any], name: str) -> None:
    """Raise :class:`Unfit` if a field that may be absent is there under nearly the same name."""
    if name in fields:
        return
    for field in fields:
        if get_close_matches(field.lower(), (name,), 1, 0.85):
            raise Unfit(f"found the field {field!r}", expected=repr(name))


def list_of(record: Any, field: str, expected: str) -> list[Any]:
    """Return a field that must be a list."""
    value = object_of(record).get(field)
    if not isinstance(value, list):
        raise Unfit(f"{field!r} is {reprlib.repr(value)}", expected=expected)
    return value


def words_of(record: Any, field: str) -> list[str]:
    """Return a field that must be a list of words."""
    words = list_of(record, field, "a list of words")
    if not are_words(words):
        number, word = next((n, w) for n, w in enumerate(words) if not isinstance(w, str))
        raise Unfit(f"{field!r} has {reprlib.repr(word)} at {number}", expected="a word")
    return words


def are_words(words: Any) -> bool:
    """Tell whether a value is a list of words."""
    return isinstance(words, list) and {str}.issuperset(map(type, words))


def sentences_of(record: Any, field: str) -> list[list[str]]:
    """Return a field that must be a list of lists of words."""
    sentences = list_of(record, field, "a list of lists of words")
    for number, sentence in enumerate(sentences):
        if not are_words(sentence):
            shown = reprlib.repr(sentence)
            raise Unfit(f"{field!r} has {shown} at {number}", expected="a list of words")
    return sentences


def entities_of(record: Any, field: str, numbers: int = 2, first: str = "sentence") -> Mentions:
    """Return the entities of a field ``[[[first, last], …], …]``, named by their numbers.

    ``numbers`` is how many numbers a mention has: 3 if the index of its sentence, or of what
    ``first`` names, comes first.
    """
    shape = "[first, last]" if numbers == 2 else f"[{first}, first, last]"
    entities = list_of(record, field, f"a list of entities, [[{shape}, …], …]")
    if not _are_places(entities, numbers):
        raise _not_places(entities, numbers, field, shape)
    return Mentions(
        labels=list(map(str, range(len(entities)))),
        sizes=list(map(len, entities)),
        places=list(chain.from_iterable(entities)),
    )


def _are_places(entities: list[Any], numbers: int) -> bool:
    """Tell whether all mentions of all entities are lists of so many numbers."""
    if not {list}.issuperset(map(type, entities)):
        return False
    mentions = list(chain.from_iterable(entities))
    return (
        {list}.issuperset(map(type, mentions))
        and {numbers}.issuperset(map(len, mentions))
        and {int}.issuperset(map(type, chain.from_iterable(mentions)))
    )


def _not_places(entities: list[Any], numbers: int, field: str, shape: str) -> Unfit:
    """Describe the first entity or mention that has another shape."""
    number, entity = next(
        (number, entity)
        for number, entity in enumerate(entities)
        if not _are_places([entity], numbers)
    )
    if not isinstance(entity, list):
        shown = reprlib.repr(entity)
        return Unfit(f"entity {number} of {field!r} is {shown}", expected=f"[{shape}, …]")
    if _are_places([[entity]], numbers):
        shown = reprlib.repr(entity)
        found = f"entity {number} of {field!r} is {shown}, one mention"
        return Unfit(found, expected=f"[{shape}, …]")
    mention = next(mention for mention in entity if not _are_places([[mention]], numbers))
    words = ", positions; without them, name the format strings" if type(mention) is str else ""
    found = f"entity {number} has the mention {reprlib.repr(mention)}"
    return Unfit(found, expected=f"{shape}{words}")


def have_sizes(rows: Any, sizes: Sequence[int]) -> bool:
    """Return whether a value has a list for each entity, with a value for each mention."""
    return (
        isinstance(rows, list)
        and {list}.issuperset(map(type, rows))
        and list(map(len, rows)) == list(sizes)
    )


def joined_words(given: Any) -> str | None:
    """Return a text, or words in one text; None if it is neither."""
    if isinstance(given, list) and all(isinstance(word, str) for word in given):
        return " ".join(given)
    return given if isinstance(given, str) else None


def name_of(record: Mapping[str, Any], *fields: str) -> str | None:
    """Return the name of a document: the first of these fields, or of the usual ones, with one."""
    for field in (*fields, *RECORD_NAMES):
        value = record.get(field)
        is_text = isinstance(value, str) and (field != "document" or len(value) <= LONGEST_NAME)
        if is_text or (type(value) is int and field in (*fields, *NAME_FIELDS)):
            return str(value)
    return None


def texts_of(record: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields of a record that may be names, although they are not read as such."""
    given = dict(record)
    for field, each in record.items():
        if isinstance(each, dict):
            given |= {f"{field}.{inner}": value for inner, value in each.items()}
    texts = {field: str(each) for field, each in given.items() if isinstance(each, str | int)}
    return {field: text for field, text in texts.items() if len(text) <= LONGEST_NAME}


def lengths_of(numbers: Sequence[Any]) -> list[int] | None:
    """Return the lengths of runs of equal values, such as the sentence of each token.

    None if a value returns after another one, so that the runs are no sentences.
    """
    runs = [(value, len(list(run))) for value, run in groupby(numbers)]
    try:
        is_sorted = len({value for value, _ in runs}) == len(runs)
    except TypeError:
        return None
    return [length for _, length in runs] if is_sorted else None
