"""Make control characters in text from the input visible.

File names, document names and words may contain anything: escape sequences that colour or clear a
terminal, line ends that forge a line of output, characters that reverse the reading direction.
JSON keeps such text unchanged, and so does CSV for programs; everything printed for people goes
through :func:`visible`.
"""

from __future__ import annotations

import re

CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""Control characters, line and paragraph separators, and direction marks."""
UNSAFE = re.compile(f"{CONTROL.pattern[:-1]}\ud800-\udfff]")
"""The same, and surrogates, which stand for bytes that are not UTF-8."""


def visible(text: str, unsafe: re.Pattern[str] = UNSAFE) -> str:
    r"""Return the text with unsafe and unprintable characters escaped as in Python strings.

    Examples
    --------
    >>> visible("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    return unsafe.sub(lambda match: repr(match[0])[1:-1], text)
