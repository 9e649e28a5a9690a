"""Options for everything that the paper leaves open.

Numbers such as A19 refer to the table of choices in docs/named-entities.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields, replace
from typing import Literal, get_args, get_type_hints

from corefscope.choices import HeadsChoice
from corefscope.exceptions import UnknownName
from corefscope.records import dataclass

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


@dataclass(frozen=True, slots=True, kw_only=True)
class NecOptions:
    """Options of named entity coreference."""

    types: Mapping[str, str] = field(default_factory=lambda: dict(TYPES))
    """A19: the type of each tag; names with other tags do not count."""
    heads: HeadsChoice = "auto"
    """A17: how the head of a mention is found, in key and response alike."""
    head_test: Literal["root", "ancestor"] = "root"
    """A16: in dependencies, a name heads a mention if it contains the mention's root, or if no
    other word of the mention is an ancestor of one of its words."""
    coordination: Literal["exclude", "literal"] = "exclude"
    """A16: whether "John and Mary" is headed by no name, or by the first name."""
    title_names: Literal["no", "yes"] = "no"
    """A16: whether a name in apposition to the head counts: "the philologist Rasmus Rask"."""
    name_extent: Literal["overlap", "inside"] = "overlap"
    """A21: a name that heads a mention may extend beyond it ("Lorraine" in "Ligue de Lorraine"), or
    must lie inside it, except for a possessive ending."""
    aggregate: Literal["macro", "micro"] = "macro"
    """A1: the mean F1 over chains, or the F1 of summed counts."""
    variants: Literal["any", "full"] = "any"
    """A2: whether any name variant is enough, or only the longest."""
    variants_from: Literal["head", "equal", "inside"] = "head"
    """A3: variants are names that head a mention, that equal one, or that lie anywhere inside."""
    response_filter: Literal["type", "any", "none"] = "type"
    """A4: response chains need a mention headed by a name of the type, of any type, or neither."""
    containment: Literal["tokens", "characters", "position"] = "tokens"
    """A5: a mention contains a name as words, as characters, or at the name's place in the text."""
    case: Literal["sensitive", "folded"] = "sensitive"
    """A6: whether "US" and "us" differ."""
    suppliers: Literal["any", "named"] = "any"
    """A7: whether any mention of a chain may supply the name, or only one that a name heads."""
    not_found: Literal["candidates", "zero"] = "candidates"
    """A8: an entity is not found if no chain has its name, or if its F1 is 0."""
    pairing: Literal["max", "one-to-one"] = "max"
    """A9: each key chain is paired with its best chain, or chains are paired one to one."""
    precision: Literal["found", "one", "zero"] = "found"
    """A10: in mean precision, chains that are not found are left out, count 1, or count 0."""
    by_type: Literal["fixed", "retarget"] = "fixed"
    """A11: scores by mention type keep the pairing of whole chains, or use the best one."""
    empty: Literal["exclude", "one", "zero"] = "exclude"
    """A12: chains without a mention of the type are left out, count 1 if their pair has none
    either, or count 0."""
    pronouns: Literal["personal", "wide"] = "personal"
    """A13: personal and possessive pronouns, or also relative and demonstrative ones."""
    documents: Literal["pooled", "mean"] = "pooled"
    """A14: all chains together, or the mean over documents that have chains."""
    type_conflict: Literal["majority", "first", "multi"] = "majority"
    """A15: the type of a chain with names of several types."""
    key_names: Literal["head", "inside"] = "head"
    """A18: a key chain is named if a name heads a mention, or if one lies anywhere inside it."""
    split_by: Literal["mention", "variant"] = "mention"
    """Whether over-splitting and over-combining count exact mentions, or names in mentions."""

    def changed(self) -> list[str]:
        """Return the options that differ from the default, as NAME=VALUE."""
        default = NecOptions()
        names = [f.name for f in fields(self) if f.name not in ("types", "heads")]
        changed = [n for n in names if getattr(self, n) != getattr(default, n)]
        types = [f"{tag}={type}" for tag, type in self.types.items() if TYPES.get(tag) != type]
        lost = [tag for tag in TYPES if tag not in self.types]
        return [
            *(f"{name}={getattr(self, name)}" for name in changed),
            *types,
            *(f"{tag}=none" for tag in lost),
        ]


PRESETS: Mapping[str, Mapping[str, str]] = {
    "paper": {
        "aggregate": "macro",
        "variants": "any",
        "response_filter": "type",
        "pairing": "max",
        "by_type": "fixed",
        "head_test": "ancestor",
        "coordination": "literal",
    },
}
"""Sets of options by name."""


def make_nec_options(
    preset: str | None = None, types: Mapping[str, str] | None = None, /, **chosen: str
) -> NecOptions:
    """Return options; those given by name override the preset."""
    if types is not None and "ALL" in types.values():
        raise UnknownName("entity type (ALL stands for all types)", "ALL", TYPES.values())
    if preset is not None and preset not in PRESETS:
        raise UnknownName("preset", preset, PRESETS)
    options = NecOptions() if types is None else NecOptions(types=dict(types))
    hints = get_type_hints(NecOptions)
    names = [field.name for field in fields(NecOptions) if field.name != "types"]
    for name, value in {**(PRESETS[preset] if preset else {}), **chosen}.items():
        if name not in names:
            raise UnknownName("option of NEC", name, names)
        if value not in get_args(hints[name]):
            raise UnknownName(f"choice of {name}", value, get_args(hints[name]))
        options = replace(options, **{name: value})  # type: ignore[arg-type]
    return options
