"""Text from outside on its way to a person: what a terminal would obey is shown instead.

File names, document names and words may hold anything: escape sequences that colour or clear a
terminal, line ends that forge a line of output, controls that reverse the order in which letters
are shown. JSON and CSV keep such text as it is; what a person reads goes through :func:`visible`.
"""

from __future__ import annotations

import re

OBEYED = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, line and paragraph separators, controls of the writing direction, and what
stands for bytes that are not UTF-8 or for half a character."""


def visible(text: str) -> str:
    r"""Return a text with all that is obeyed or cannot be printed escaped as Python does.

    Examples
    --------
    >>> visible("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    return OBEYED.sub(lambda match: repr(match[0])[1:-1], text)
