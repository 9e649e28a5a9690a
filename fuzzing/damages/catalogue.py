"""The catalogue of damages: natural mistakes in a well-formed file, each made once and on purpose.

A damage is *required* if a reader, or the comparison with the undamaged file, has to notice it
whenever it changes what is read; the sentence beside each says why. A damage that nobody can
notice is in the catalogue as well: it must not end in a traceback, and where its meaning is known,
the file has to be read as that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

Change = Callable[[bytes, Random], bytes | None]
"""A change of a file at a place drawn from random numbers; None where it cannot be made."""

CONLL, JSONL, JSON = ("conll",), ("jsonl",), ("json",)
CORPORA = (*CONLL, *JSONL, *JSON)
PYTHON = ("python",)
"""Objects in Python, written as JSON."""
TABLES = ("names", "units")
RESULTS = ("results",)
TEXTS = (*CORPORA, *TABLES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """One way to damage files of some kinds."""

    name: str
    kinds: tuple[str, ...]
    required: bool
    why: str
    """Why it can be noticed, or why nobody can notice it."""
    change: Change
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


def _registered(
    kinds: tuple[str, ...], why: str, is_required: bool, same_as: Change | None
) -> Callable[[Change], Change]:
    def register(change: Change) -> Change:
        name = change.__name__.replace("_", "-")
        DAMAGES[name] = Damage(
            name=name, kinds=kinds, required=is_required, why=why, change=change, same_as=same_as
        )
        return change

    return register
