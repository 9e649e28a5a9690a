"""Damages to any JSON: fields, items and values, wherever they are."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from fuzzing.damages.catalogue import JSON_TEXT, Damaged, PlacedChange, everywhere

ALL = (JSON_TEXT,)
AGAIN = "\ue000"
"""Stands for a key that comes twice, which no dictionary can have."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A value inside others: a field of an object, or an item of a list."""

    holder: Any
    key: Any
    place: str

    @property
    def value(self) -> Any:
        """The value that it holds."""
        return self.holder[self.key]


def slots(value: Any, place: str = "") -> Iterator[Slot]:
    """Yield all fields and items inside a value."""
    if isinstance(value, dict):
        for key in value:
            yield (slot := Slot(value, key, f"{place}.{'#' if key.isdigit() else key}"))
            yield from slots(slot.value, slot.place)
    elif isinstance(value, list):
        for number in range(len(value)):
            yield (slot := Slot(value, number, f"{place}[]"))
            yield from slots(slot.value, slot.place)


def in_one_slot(
    fits: Callable[[Slot], bool], change: Callable[[Slot, Random], None]
) -> PlacedChange:
    """Make a change in one place; all kinds of places are equally likely."""

    def changed(data: bytes, random: Random) -> Damaged | None:
        lines = data.splitlines() if is_json_lines(data) else [data]
        row = random.randrange(len(lines))
        value = json.loads(lines[row])
        found = [slot for slot in slots(value) if fits(slot)]
        if not found:
            return None
        place = random.choice(sorted({slot.place for slot in found}))
        change(random.choice([slot for slot in found if slot.place == place]), random)
        indent = 1 if b"\n" in lines[row].strip() else None
        text = json.dumps(value, ensure_ascii=False, indent=indent).replace(AGAIN, "")
        lines[row] = text.encode(errors="surrogateescape")
        return Damaged(b"\n".join(lines) + b"\n", place)

    return changed


def is_json_lines(data: bytes) -> bool:
    """Tell several values, one on each line, from one value."""
    try:
        return all(isinstance(json.loads(line), dict) for line in data.splitlines())
    except ValueError:
        return False


def is_field(slot: Slot) -> bool:
    """Tell a field of an object from an item of a list."""
    return isinstance(slot.holder, dict)


def is_item(slot: Slot) -> bool:
    """Tell an item of a list from a field of an object."""
    return isinstance(slot.holder, list)


def is_number(slot: Slot) -> bool:
    """Tell whether a slot holds a number."""
    return type(slot.value) in (int, float)


def is_text(slot: Slot) -> bool:
    """Tell whether a slot holds text of two characters or more."""
    return isinstance(slot.value, str) and len(slot.value) > 1


def renamed(slot: Slot, name: str) -> None:
    """Give a field another name, in the same place."""
    items = [(name if key == slot.key else key, value) for key, value in slot.holder.items()]
    slot.holder.clear()
    slot.holder.update(items)


def put(value: Callable[[Any], Any]) -> Callable[[Slot, Random], None]:
    """Return a change that puts another value into a slot."""

    def change(slot: Slot, _: Random) -> None:
        slot.holder[slot.key] = value(slot.value)

    return change


@everywhere(ALL, "a field that is needed is missing")
def drop_a_field_of_json(data: bytes, random: Random) -> Damaged | None:
    """A field is lost."""
    return in_one_slot(is_field, lambda slot, _: slot.holder.pop(slot.key))(data, random)


@everywhere(ALL, "nobody knows the name of the field")
def misspell_a_field(data: bytes, random: Random) -> Damaged | None:
    """The name of a field lacks a letter."""

    def change(slot: Slot, random: Random) -> None:
        at = random.randrange(len(slot.key))
        renamed(slot, slot.key[:at] + slot.key[at + 1 :])

    return in_one_slot(lambda slot: is_field(slot) and len(slot.key) > 1, change)(data, random)


@everywhere(ALL, "nobody knows the name of the field")
def capitalise_a_field(data: bytes, random: Random) -> Damaged | None:
    """The name of a field has other capitals."""
    return in_one_slot(
        lambda slot: is_field(slot) and slot.key.swapcase() != slot.key,
        lambda slot, _: renamed(slot, slot.key.swapcase()),
    )(data, random)


@everywhere(ALL, "a key comes twice in one object")
def repeat_a_field_of_json(data: bytes, random: Random) -> Damaged | None:
    """A field comes again with another value."""

    def change(slot: Slot, _: Random) -> None:
        slot.holder[slot.key + AGAIN] = [] if isinstance(slot.value, list) else "x"

    return in_one_slot(is_field, change)(data, random)


@everywhere(ALL, "null is not a value of this type")
def write_null(data: bytes, random: Random) -> Damaged | None:
    """A value is null."""
    return in_one_slot(lambda slot: slot.value is not None, put(lambda _: None))(data, random)


@everywhere(ALL, "text is not a number")
def quote_a_number(data: bytes, random: Random) -> Damaged | None:
    """A number is text."""
    return in_one_slot(is_number, put(str))(data, random)


@everywhere(ALL, "only whole numbers are positions")
def add_a_half(data: bytes, random: Random) -> Damaged | None:
    """A number is not whole."""
    return in_one_slot(is_number, put(lambda value: value + 0.5))(data, random)


@everywhere(ALL, "positions are not negative")
def negate_a_number(data: bytes, random: Random) -> Damaged | None:
    """A number is negative."""
    return in_one_slot(is_number, put(lambda value: -value - 1))(data, random)


@everywhere(ALL, "the position is beyond the text")
def write_a_large_number(data: bytes, random: Random) -> Damaged | None:
    """A number is far too large."""
    return in_one_slot(is_number, put(lambda value: value + 10**6))(data, random)


@everywhere(ALL, "the position does not fit the string, the text or its neighbours")
def add_one(data: bytes, random: Random) -> Damaged | None:
    """A number is one larger."""
    return in_one_slot(is_number, put(lambda value: value + 1))(data, random)


@everywhere(ALL, "the text is not that of the key, or not that of its position")
def lose_a_character_of_text(data: bytes, random: Random) -> Damaged | None:
    """A character of a text is lost."""

    def change(slot: Slot, random: Random) -> None:
        at = random.randrange(len(slot.value))
        slot.holder[slot.key] = slot.value[:at] + slot.value[at + 1 :]

    return in_one_slot(is_text, change)(data, random)


@everywhere(ALL, "an empty text stands for nothing")
def empty_a_text(data: bytes, random: Random) -> Damaged | None:
    """A text is empty."""
    return in_one_slot(is_text, put(lambda _: ""))(data, random)


@everywhere(ALL, "what the list had is missing")
def empty_a_list(data: bytes, random: Random) -> Damaged | None:
    """A list, or an object, is empty."""
    return in_one_slot(
        lambda slot: bool(slot.value) and isinstance(slot.value, list | dict),
        put(lambda value: type(value)()),
    )(data, random)


@everywhere(ALL, "what the item had is missing")
def drop_an_item(data: bytes, random: Random) -> Damaged | None:
    """An item of a list is lost."""
    return in_one_slot(is_item, lambda slot, _: slot.holder.pop(slot.key))(data, random)


@everywhere(ALL, "a token, a mention or an id comes twice")
def repeat_an_item(data: bytes, random: Random) -> Damaged | None:
    """An item of a list comes twice."""
    return in_one_slot(is_item, lambda slot, _: slot.holder.insert(slot.key, slot.value))(
        data, random
    )


@everywhere(ALL, "the order of tokens, or of first and last, is another one")
def swap_two_items(data: bytes, random: Random) -> Damaged | None:
    """Two neighbouring items of a list change places."""

    def change(slot: Slot, _: Random) -> None:
        items, at = slot.holder, slot.key
        items[at - 1], items[at] = items[at], items[at - 1]

    return in_one_slot(
        lambda slot: is_item(slot) and slot.key > 0 and slot.holder[slot.key - 1] != slot.value,
        change,
    )(data, random)


@everywhere(ALL, "a list is not what was expected")
def put_a_value_into_a_list(data: bytes, random: Random) -> Damaged | None:
    """A value is inside another list."""
    return in_one_slot(lambda _: True, put(lambda value: [value]))(data, random)


@everywhere(ALL, "the items of the list are missing a level")
def take_items_out_of_their_list(data: bytes, random: Random) -> Damaged | None:
    """The items of a list become items of the list around it."""

    def change(slot: Slot, _: Random) -> None:
        slot.holder[slot.key : slot.key + 1] = slot.value

    return in_one_slot(lambda slot: is_item(slot) and isinstance(slot.value, list), change)(
        data, random
    )


@everywhere(ALL, "a number or a text is not a list")
def write_a_text_for_a_list(data: bytes, random: Random) -> Damaged | None:
    """A list or an object is its text."""
    return in_one_slot(lambda slot: isinstance(slot.value, list | dict), put(str))(data, random)


@everywhere(ALL, "the file is not JSON, or an object is missing")
def drop_a_sign_of_json(data: bytes, random: Random) -> Damaged | None:
    """A bracket, a comma or a colon is lost."""
    found = [n for n, byte in enumerate(data) if byte in b'{}[],:"']
    at = random.choice(found)
    return Damaged(data[:at] + data[at + 1 :], chr(data[at]))
