"""The catalogue of damages: natural mistakes in a well-formed file, each made once and on purpose.

A damage is made to files of some *kinds*. Seeds have kinds of their own; the samples of all formats
have the kind of their container: a table, JSON, XML, text with tags, or something else.

A damage is *required* if a reader, or the comparison with the undamaged file, has to notice it
whenever it changes what is read; the sentence beside each says why. A damage that nobody can
notice is in the catalogue as well: it must not end in a traceback, and where its meaning is known,
the file has to be read as that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import NamedTuple


class Damaged(NamedTuple):
    """A damaged file, and what was damaged in it, such as the column of a cell."""

    data: bytes
    place: str = ""


Change = Callable[[bytes, Random], bytes | None]
"""A change of a file at a place drawn from random numbers; None where it cannot be made."""
PlacedChange = Callable[[bytes, Random], Damaged | None]
"""A change that says what it changed, for the list of valid changes."""

CONLL, JSONL, JSON = ("conll",), ("jsonl",), ("json",)
CORPORA = (*CONLL, *JSONL, *JSON)
PYTHON = ("python",)
"""Objects in Python, written as JSON."""
TABLES = ("names", "units")
RESULTS = ("results",)
TEXTS = (*CORPORA, *TABLES)

TABLE, JSON_TEXT, XML, TAGGED = "a table", "JSON text", "XML", "tagged text"
PLAIN, BINARY = "plain text", "a binary file"
CONTAINERS = (TABLE, JSON_TEXT, XML, TAGGED, PLAIN, BINARY)
"""What the files of all formats are made of."""
OF_LINES = (TABLE, TAGGED, PLAIN)
OF_TEXT = (TABLE, JSON_TEXT, XML, TAGGED, PLAIN)


def container_of(name: str, data: bytes) -> str:
    """Return the container of a file of a sample."""
    start = data.lstrip()[:1]
    if b"\0" in data or name.endswith(".spacy"):
        return BINARY
    if start == b"<" and name.endswith((".xml", ".mmax")):
        return XML
    if start in (b"{", b"[") and name.endswith((".json", ".jsonl", ".jsonlines")):
        return JSON_TEXT
    if b"\t" in data or data.startswith(b"#begin document"):
        return TABLE
    return TAGGED if b"[" in data or b"{" in data else PLAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """One way to damage files of some kinds."""

    name: str
    kinds: tuple[str, ...]
    required: bool
    why: str
    """Why it can be noticed, or why nobody can notice it."""
    change: PlacedChange
    same_as: Change | None = None
    """The same damage in a spelling whose meaning is known: reading that is right as well."""


DAMAGES: dict[str, Damage] = {}


def required(
    kinds: tuple[str, ...], why: str, same_as: Change | None = None
) -> Callable[[Change], Change]:
    """Register a damage that has to be noticed."""
    return _registered(kinds, why, True, same_as)


def unnoticeable(
    kinds: tuple[str, ...], why: str, same_as: Change | None = None
) -> Callable[[Change], Change]:
    """Register a damage that may go unnoticed."""
    return _registered(kinds, why, False, same_as)


def everywhere(kinds: tuple[str, ...], why: str) -> Callable[[PlacedChange], PlacedChange]:
    """Register a damage that has to be noticed, unless the list of valid changes has it."""

    def register(change: PlacedChange) -> PlacedChange:
        _add(change.__name__, kinds, why, True, change)
        return change

    return register


def _registered(
    kinds: tuple[str, ...], why: str, is_required: bool, same_as: Change | None
) -> Callable[[Change], Change]:
    def register(change: Change) -> Change:
        def placed(data: bytes, random: Random) -> Damaged | None:
            damaged = change(data, random)
            return None if damaged is None else Damaged(damaged)

        _add(change.__name__, kinds, why, is_required, placed, same_as)
        return change

    return register


def _add(
    function: str,
    kinds: tuple[str, ...],
    why: str,
    is_required: bool,
    change: PlacedChange,
    same_as: Change | None = None,
) -> None:
    name = function.replace("_", "-")
    assert name not in DAMAGES, f"two damages are named {name}"
    DAMAGES[name] = Damage(
        name=name, kinds=kinds, required=is_required, why=why, change=change, same_as=same_as
    )
