"""Rank systems with ties, and mark significant differences with letters."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import count, islice, product
from string import ascii_lowercase

Better = Collection[tuple[str, str]]
"""Pairs of systems in which the first is significantly better than the second."""


def ranks(systems: Sequence[str], better: Better) -> dict[str, int]:
    """Return the rank of each system: one plus the number of significantly better systems."""
    return {name: 1 + sum(loser == name for _, loser in better) for name in systems}


def letters(systems: Sequence[str]) -> dict[str, str]:
    """Return a letter for each system: a to z, then aa, ab and so on."""
    names = (
        "".join(letter) for length in count(1) for letter in product(ascii_lowercase, repeat=length)
    )
    return dict(zip(systems, islice(names, len(systems)), strict=True))


def superscripts(systems: Sequence[str], better: Better) -> dict[str, str]:
    """Return for each system the letters of the systems that it is significantly better than."""
    letter = letters(systems)
    apart = "," if len(systems) > len(ascii_lowercase) else ""
    return {
        name: apart.join(letter[other] for other in systems if (name, other) in better)
        for name in systems
    }
