"""What is said of answers to CRAC alone."""

from __future__ import annotations

from corefscope.findings import OwnCode

CLEANED_AWAY = OwnCode(
    "W241",
    "the official cleaner of CRAC takes tags away from right words",
    "The official cleaner removes tags from words with blanks, final empty nodes, and ids "
    "other than `e1`. Use such ids. The message gives the score without this.",
    is_doubt=True,
)
MOVED_ZEROS = OwnCode(
    "W242",
    "the text format of CRAC moves empty nodes, which costs points",
    "The text format moves empty nodes, which costs points even for a perfect answer. The "
    "message says how many.",
)
NODE_AT_WORD = OwnCode(
    "W243",
    "the official importer of CRAC gives an empty node a word's number",
    "The official importer numbers this empty node like a word. The figure includes the "
    "fault; files that corefscope writes do not have it.",
)
OTHER_LINE = OwnCode(
    "W244",
    "a line of a CRAC answer has the words of another document",
    "Lines are paired by position, and this one has the words of another document. Check the "
    "order of the answers.",
    is_doubt=True,
)
CODES = (CLEANED_AWAY, MOVED_ZEROS, NODE_AT_WORD, OTHER_LINE)
