"""Options of named entity coreference."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import field

from corefscope.arguments import one_of
from corefscope.choices import HeadsChoice, NecPreset
from corefscope.exceptions import UnknownName
from corefscope.results.record import Record

ALIASES: Mapping[str, str] = {
    **dict.fromkeys(("LOC", "LOCATION", "PLACE", "FAC", "FACILITY"), "GPE"),
    **dict.fromkeys(("PERS", "PERSONS", "PEOPLE"), "PER"),
    **dict.fromkeys(("ORGANIZATION", "ORGANISATION", "COMPANY"), "ORG"),
}
"""Suggestions in messages for what a tag that does not count could be mapped to."""
VALUE_TAGS = frozenset(
    {"DATE", "TIME", "DURATION", "SET", "MONEY", "PERCENT", "QUANTITY"}
    | {"CARDINAL", "ORDINAL", "NUMBER"}
)
"""Tags of dates, numbers and amounts, which are not names."""

TYPES: Mapping[str, str] = {"PERSON": "PER", "PER": "PER", "ORG": "ORG", "GPE": "GPE"}
"""The tags that count by default, and their types."""


class NecOptions(Record, frozen=True, kw_only=True):
    """Options of named entity coreference."""

    types: Mapping[str, str] = field(default_factory=lambda: dict(TYPES))
    """The type of each tag; names with other tags do not count."""
    heads: HeadsChoice = "auto"
    """How the head of a mention is found, in key and response alike."""
    preset: NecPreset = "default"
    """Which names head a mention: ``default`` has those that contain its root, and none in
    coordinations; ``paper`` those of which no word has an ancestor elsewhere in the mention."""

    def changed(self) -> list[str]:
        """Return the options that differ from the default, as NAME=VALUE."""
        types = [f"{tag}={type}" for tag, type in self.types.items() if TYPES.get(tag) != type]
        lost = [tag for tag in TYPES if tag not in self.types]
        presets = [] if self.preset == "default" else [f"preset={self.preset}"]
        return [*presets, *types, *(f"{tag}=none" for tag in lost)]


def make_nec_options(
    preset: NecPreset = "default",
    types: Mapping[str, str] | None = None,
    heads: HeadsChoice = "auto",
) -> NecOptions:
    """Return options; raise an error if one has no such value."""
    if types is not None and "ALL" in types.values():
        raise UnknownName("entity type (ALL stands for all types)", "ALL", TYPES.values())
    return NecOptions(
        types=dict(TYPES if types is None else types),
        heads=one_of("heads", heads, HeadsChoice),
        preset=one_of("preset", preset, NecPreset),
    )
