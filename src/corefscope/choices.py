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
Singletons: TypeAlias = Literal["keep", "drop"]
"""Whether entities of one mention count."""
Duplicates: TypeAlias = Literal["first", "error", "reference"]
"""How to treat a mention that is annotated twice on one side: keep the first, raise an error, or
do what the reference scorer does."""
Match: TypeAlias = Literal["exact", "head", "partial"]
"""Which mentions are the same: equal ones, those with the same head, or those in part."""
UaMatch: TypeAlias = Literal["exact", "min", "partial", "craft"]
"""Which markables are the same: equal ones; also those that cover the minimum span (``min`` in
version 1, ``partial`` in version 2); or as CRAFT does, within the first part (``craft``)."""
AnyMatch: TypeAlias = Literal["exact", "head", "partial", "min", "craft"]
"""Both of these."""
Zeros: TypeAlias = Literal["dependent", "linear", "drop"]
"""How zeros are matched: by what they depend on, by position, or not at all."""
SplitAntecedents: TypeAlias = Literal["keep", "drop", "only"]
"""Whether split antecedents count as mentions, or are all that is scored."""
Layer: TypeAlias = Literal["identity", "deixis"]
"""Which annotations are the entities: those of identity, or those of discourse deixis."""
Missing: TypeAlias = Literal["empty", "error"]
"""How to treat documents missing from the response."""
PairBy: TypeAlias = Literal["auto", "name", "text", "position"]
"""How documents are paired: by name, then by variants of its spelling, then two single documents
without a name, then by their text; or only by name, by text, or by their order."""
HeadSource: TypeAlias = Literal["file", "minspan"]
"""Where the heads of CorefUD files come from: their field for heads, or minimal spans."""
