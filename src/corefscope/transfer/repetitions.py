"""Find the parts of an output that are written more than once, and choose the one with the tags.

A language model may repeat the text before it answers, answer twice, quote the text in its
thoughts, or repeat a sentence until it is stopped. Only one of these parts is aligned.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

from corefscope.transfer.words import unique_runs

RUN = 3
"""How many words in a row tell where in the source a word of the output is from."""


def repetitions(
    source: Sequence[str], output: Sequence[str], mentions: Sequence[int]
) -> Iterator[range]:
    """Yield the words of an output that repeat what another part of it has, with more tags.

    Parameters
    ----------
    source, output
        The words of both texts, in the form in which they are compared.
    mentions
        The words of the output that mentions begin with, in ascending order.

    Yields
    ------
    range
        Words of the output.
    """
    once = unique_runs(source, 0, len(source), RUN)
    runs = zip(*(output[step:] for step in range(RUN)), strict=False)
    hits = [(place, once[run]) for place, run in enumerate(runs) if run in once]
    # The output is divided where it goes back in the source.
    back = [n for n, (one, other) in enumerate(pairwise(hits), start=1) if other[1] <= one[1]]
    parts = [hits[start:stop] for start, stop in pairwise([0, *back, len(hits)]) if hits]
    edges = [0, *(part[0][0] for part in parts[1:]), len(output)]
    copied: set[int] = set()
    is_repeated = [False] * len(parts)

    def rank(number: int) -> tuple[int, int]:
        tags = bisect_left(mentions, edges[number + 1]) - bisect_left(mentions, edges[number])
        return -tags, -len(parts[number])

    for number in sorted(range(len(parts)), key=rank):
        again = sum(at in copied for _, at in parts[number])
        is_repeated[number] = 2 * again > len(parts[number])
        if not is_repeated[number]:
            copied.update(at for _, at in parts[number])
    free = 0
    for number, part in enumerate(parts):
        if is_repeated[number]:
            yield range(max(edges[number], free), edges[number + 1])
        else:
            # The last words of this part may begin the first run of the next one as well.
            free = part[-1][0] + RUN
