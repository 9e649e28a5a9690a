"""Protocols by name: what a score was computed from, and the signature that says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from corefscope.findings import UnknownName
from corefscope.version import __version__

Singletons = Literal["keep", "drop"]
Duplicates = Literal["first", "error", "reference"]


@dataclass(frozen=True, slots=True)
class Profile:
    """The choices that decide a score before any metric is computed."""

    name: str
    meaning: str
    match: Literal["exact"] = "exact"
    """When two mentions are the same."""
    singletons: Singletons = "keep"
    """Whether entities of one mention count, on both sides."""
    duplicates: Duplicates = "first"
    """What to do with a mention that is annotated twice on one side."""
    average: Literal["micro"] = "micro"
    """How documents are put together: counts are summed, then divided."""

    def signature(self, documents: int) -> str:
        """Return the line that says which number this is."""
        fields = {
            "corefscope": ".".join(__version__.split(".")[:2]),
            "profile": self.name,
            "match": self.match,
            "singletons": self.singletons,
            "duplicates": self.duplicates,
            "average": self.average,
            "docs": documents,
        }
        return "|".join(f"{name}:{value}" for name, value in fields.items())


PROFILES: Mapping[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile("conll-2012", "the reference scorer v8.01 on well-formed input"),
        Profile(
            "no-singletons", "entities of one mention dropped on both sides", singletons="drop"
        ),
    )
}


def profile_named(name: str) -> Profile:
    """Return a profile by name."""
    if name not in PROFILES:
        raise UnknownName("profile", name, PROFILES)
    return PROFILES[name]


def name_of(profile: Profile) -> str:
    """Return the name of the known profile that gives the same scores, or ``custom``.

    What happens to repeated mentions has a field of its own in the signature.
    """
    for known in PROFILES.values():
        if replace(profile, name="", meaning="") == replace(
            known, name="", meaning="", duplicates=profile.duplicates
        ):
            return known.name
    return "custom"
