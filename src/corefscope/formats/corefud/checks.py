"""What is wrong with the lines of a block of CoNLL-U, whatever is annotated."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from corefscope.findings import Code, Finding
from corefscope.formats.corefud.lines import ConlluLines


def id_problems(lines: ConlluLines) -> Iterator[Finding]:
    """Find lines without an ID, IDs that occur twice, and words that are not numbered 1, 2, 3.

    Lines are those of the block, from 0.
    """
    for line in lines.bad_ids:
        found = lines.field(line, 0)[:40].decode(errors="replace")
        yield Finding(
            Code.BAD_LINE,
            f"the first column is {found!r}",
            expected=(
                "the ID of a word (3), of an empty node (3.1), or of a multiword token (3-4), and "
                "a tab after it"
            ),
            line=line,
        )
    tokens = lines.tokens
    if not len(tokens):
        return
    same = tokens.sentence[1:] == tokens.sentence[:-1]
    step, minor = np.diff(tokens.major), tokens.minor
    repeated = same & (step == 0) & (minor[1:] == minor[:-1])
    for place in np.flatnonzero(repeated).tolist():
        line = int(tokens.line[place + 1])
        yield Finding(
            Code.BAD_LINE,
            f"two lines of the sentence have the ID {lines.field(line, 0).decode()}",
            expected="each ID once",
            line=line,
        )
    is_word = minor == 0
    # Inside a sentence words go up by one, and its first word is 1.
    expected = np.concatenate(([1], np.where(same, tokens.major[:-1] + is_word[1:], 1)))
    jumps = is_word & (tokens.major != expected) & (expected > 0)
    jumps[1:] &= ~repeated
    for place in np.flatnonzero(jumps).tolist():
        yield Finding(
            Code.IRREGULAR,
            f"a word has the number {tokens.major[place]}",
            expected=f"{expected[place]}: the words of a sentence are numbered 1, 2, 3",
            line=int(tokens.line[place]),
        )


def wordless_problems(lines: ConlluLines) -> Iterator[Finding]:
    """Find empty nodes between blank lines without a word."""
    if lines.has_words.all():
        return
    has_columns = ~(lines.is_blank | lines.is_comment)
    rows = np.flatnonzero(has_columns & ~lines.has_words[lines.group])
    bad = set(lines.bad_ids)
    groups = {int(lines.group[row]): row for row in reversed(rows.tolist()) if row not in bad}
    for row in reversed(groups.values()):
        yield Finding(
            Code.IGNORED,
            "lines without a word between blank lines are skipped",
            expected="at least one word in a sentence",
            line=row,
        )
