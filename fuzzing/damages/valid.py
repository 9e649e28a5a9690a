"""Changes of samples that nobody can notice, because what comes out is another valid file."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ValidChange:
    """Damages that leave a valid file, by format, name and place, each a regular expression."""

    formats: str
    damages: str
    places: str
    why: str


VALID: tuple[ValidChange, ...] = ()


def valid_change(format: str, damage: str, place: str) -> ValidChange | None:
    """Return the entry that allows a damage of a format at a place, if there is one."""
    for each in VALID:
        patterns = (each.formats, format), (each.damages, damage), (each.places, place)
        if all(re.fullmatch(pattern, text) for pattern, text in patterns):
            return each
    return None
