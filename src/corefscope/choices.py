"""Values of options that the library and the command line share; nothing else is loaded here."""

from __future__ import annotations

from typing import Literal, TypeAlias

LanguageChoice: TypeAlias = Literal["auto", "english", "universal"]
"""The rules for heads, mention types and features: English tables, or Universal Dependencies."""
SliceKind: TypeAlias = Literal[
    "mention-type",
    "entity-type",
    "entity-size",
    "distance",
    "nesting",
    "zero",
    "genre",
    "upos",
    "relation",
]
"""What scores can be broken down by."""
