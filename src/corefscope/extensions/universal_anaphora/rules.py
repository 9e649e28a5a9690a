"""What the scorers of Universal Anaphora can be asked for."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from corefscope.choices import Layer, SplitAntecedents, UaMatch

Version: TypeAlias = Literal[1, 2]


class UaRules(Struct, frozen=True, kw_only=True):
    """The rules of a score; the defaults are those of version 1.

    Discourse deixis, and split antecedents alone, are always scored with singletons and split
    antecedents.
    """

    version: Version = 1
    match: UaMatch = "exact"
    singletons: Literal["keep", "drop"] = "keep"
    split_antecedents: SplitAntecedents = "keep"
    zeros: Literal["linear", "drop"] = "linear"
    """Whether zeros count. Version 1 cannot drop them: its zeros are words like all others."""
    layer: Layer = "identity"

    @property
    def is_complete(self) -> bool:
        """Whether singletons and split antecedents count whatever else is said."""
        return self.layer == "deixis" or self.split_antecedents == "only"

    @property
    def keeps_singletons(self) -> bool:
        """Whether entities of one mention count."""
        return self.is_complete or self.singletons == "keep"

    @property
    def keeps_split_antecedents(self) -> bool:
        """Whether split antecedents are mentions."""
        return self.is_complete or self.split_antecedents == "keep"

    @property
    def keeps_zeros(self) -> bool:
        """Whether mentions on empty nodes count."""
        return self.zeros == "linear"
