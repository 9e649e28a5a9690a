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
OtherTokens: TypeAlias = Literal["error", "ignore", "align"]
"""How to treat documents with other tokens than the key: carry mentions over if the letters are the
same or nearly so, and raise an error otherwise; compare the numbers of tokens; or carry mentions
over in any case."""
Snap: TypeAlias = Literal["outward", "inward"]
"""How to move the edge of a mention that lies inside a token of the key: to the token's outer edge,
or to the inner one."""
