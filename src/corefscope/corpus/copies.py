"""Documents that are copies of a text, with tags in it, as language models write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from corefscope.records import dataclass

if TYPE_CHECKING:
    from corefscope.corpus.windows import WindowCounts

NO_STYLE = "none"
"""The style of a copy without tags, or of an answer without entities."""
STRINGS = "strings"
"""The style of a document whose mentions are strings, so that it has no copy of the text."""

EMPTY = "empty"
NO_NAME = "no entity name"
NEVER_CLOSED = "opened but never closed"
NEVER_OPENED = "closed but never opened"
"""Why tags mark no mention."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """What the reader found in one copy, apart from its words and mentions."""

    style: str
    """How mentions are tagged, such as ``markdown``; ``none`` if there are no tags."""
    opened: int
    """Opening tags, also those that may be text."""
    closed: int
    """Closing tags."""
    foreign: int = 0
    """Tags that do not mark mentions, such as ``<b>``."""
    dropped: Mapping[str, int] = field(default_factory=dict)
    """Tags that mark no mention, by reason."""
    undecided: Sequence[tuple[int, int]] = ()
    """Opening tags that are never closed, as stretches of the text of the copy: they are text if
    the source has them too."""
    nameless: Sequence[tuple[int, int]] = ()
    """Opening tags whose closing tags name no entity, as stretches of the text of the copy: they
    are text if the source has them too."""
    asides: Sequence[tuple[int, int]] = ()
    """Stretches of the text that are no part of the copy: what a model thinks before it answers."""
    antecedent_not_found: int = 0
    """Mentions that name the words of an antecedent which no mention before has."""
    is_cut_off: bool = False
    """Whether it is JSON that is cut off, of which what is complete was read."""
    windows: WindowCounts | None = None
    """How its windows were put together, if there are any."""


UNTAGGED = Copy(style="none", opened=0, closed=0)
"""A document without tags, beside others that are copies with tags."""
