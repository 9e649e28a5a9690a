"""Recognises files of Universal Anaphora by their content, or by their extension."""

from __future__ import annotations

import re

from corefscope.formats.source import Source

LOOK = 1 << 16
"""Bytes at the beginning of a file that are looked at."""
EXTENSION = ".conllua"
SIGN = re.compile(
    rb"^#\s*global\.columns\s*=.*\bIDENTITY\b"
    rb"|^[^#\n].*\((?=[^\s()]*EntityID=)[^\s()]*MarkableID=",
    re.MULTILINE,
)
"""A declaration of the column IDENTITY, or a markable."""
WORDS = (b"global.columns", b"MarkableID=")
"""What a sign has in it: most files of other formats have neither, which is quick to see."""


def is_universal_anaphora(source: Source) -> bool:
    """Tell whether a file holds markables of Universal Anaphora."""
    if source.path is not None and source.path.name.lower().removesuffix(".gz").endswith(EXTENSION):
        return True
    head = source.head(LOOK)
    return any(word in head for word in WORDS) and SIGN.search(head) is not None
