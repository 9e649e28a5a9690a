"""The format and the scorers of Universal Anaphora."""

from __future__ import annotations

import re

from corefscope.formats.detection import Head
from corefscope.formats.registry import Format, Tier

ANAPHORA = (
    rb"(?m)^#\s*global\.columns\s*=.*\bIDENTITY\b"
    rb"|^[^#\n].*\((?=[^\s()]*EntityID=)[^\s()]*MarkableID="
)


def is_universal_anaphora(head: Head) -> str | None:
    """Recognise a declaration of the column IDENTITY, a markable, or the extension."""
    if head.name.endswith(".conllua"):
        return "the extension .conllua"
    # Most files of other formats have none of these words, which is quick to see.
    if not any(word in head.data for word in (b"global.columns", b"MarkableID=")):
        return None
    # JSON may quote a cell, in a message for example.
    if head.is_json:
        return None
    return "markables in a column" if re.search(ANAPHORA, head.data) else None


METRICS = GROUPS = "corefscope.extensions.universal_anaphora.metrics"
COLUMNS = "corefscope.extensions.universal_anaphora.anaphora"
PROFILES = "corefscope.extensions.universal_anaphora.profiles"
FORMATS = (
    Format(
        name="ua",
        title="Universal Anaphora",
        module="corefscope.extensions.universal_anaphora.reading",
        tier=Tier.LINES,
        test=is_universal_anaphora,
        endings=(".conllua",),
        options=("layer", "ids"),
    ),
)
