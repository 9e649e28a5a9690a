"""The comments ``# newdoc`` and ``# global.Entity``, which names the fields of brackets."""

from __future__ import annotations

import re
from functools import cached_property
from typing import get_args

from msgspec import Struct

from corefscope.choices import HeadSource

HEADS: tuple[HeadSource, ...] = get_args(HeadSource)

NEWDOC = re.compile(rb"# newdoc(?:\s+id\s*=\s*(.*))?\s*")
DECLARATION = re.compile(rb"# global\.Entity\s*=\s*(\S+)(.*)", re.DOTALL)
IDS = ("eid", "GRP")
TYPES = ("etype", "entity")
ABSENT = 1 << 30
"""The place of a field that is not declared."""


class Declaration(Struct, frozen=True, dict=True):
    """The names of the fields of an opening bracket, in order."""

    fields: tuple[str, ...]
    is_cut: bool = False
    """Whether there is more after a blank, which is not read."""

    @cached_property
    def id(self) -> int:
        """The place of the id of the entity."""
        return self._place(IDS)

    @cached_property
    def type(self) -> int:
        """The place of its type."""
        return self._place(TYPES)

    def head(self, head: HeadSource) -> int:
        """Return the place of the field that names the head."""
        minspan = self._place(("minspan",)) if head == "minspan" else ABSENT
        return minspan if minspan != ABSENT else self._place(("head",))

    def has_heads(self, head: HeadSource) -> bool:
        """Return whether there is such a field."""
        return self.head(head) != ABSENT

    def _place(self, names: tuple[str, ...]) -> int:
        """Return the last place of one of these names: a field that is named twice counts last."""
        places = [place for place, name in enumerate(self.fields) if name in names]
        return places[-1] if places else ABSENT

    def __str__(self) -> str:
        return "-".join(self.fields)


def parse_declaration(text: str) -> Declaration | None:
    """Read a declaration such as ``eid-etype-head-other``; None if it has no id."""
    declaration = Declaration(tuple(text.split("-")))
    return None if declaration.id == ABSENT else declaration
