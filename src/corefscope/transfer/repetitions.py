"""Find the parts of an output that are written more than once, and choose the one with the tags.

A language model may repeat the text before it answers, answer twice, quote the text in its
thoughts, or repeat a sentence until it is stopped. Only one of these parts is aligned.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from corefscope.transfer.words import unique_runs

RUN = 3
"""How many words in a row tell where in the source a word of the output is from."""
SHORT, SHORT_SHARE = 8, 0.1
"""How many hits of a part, and which share of it, make no difference: a copy with tags may have
changed these words, which another part of the output has as they are in the text."""


class Hit(NamedTuple):
    """A run of words that occurs once in the source."""

    place: int
    """Where it begins in the output."""
    at: int
    """Where it begins in the source."""


class OrderedPart(NamedTuple):
    """A part of the output that follows the order of the source."""

    hits: range
    tags: int
    """How many mentions begin in it."""


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
        Words of the output, in ascending order.
    """
    once = unique_runs(source, 0, len(source), RUN)
    runs = zip(*(output[step:] for step in range(RUN)), strict=False)
    found = list(map(once.get, runs))
    ats = [at for at in found if at is not None]
    if len(set(ats)) < len(ats):
        hits = [Hit(place, at) for place, at in enumerate(found) if at is not None]
        yield from _stretches(hits, _are_repeated(hits, mentions), len(output))


def _are_repeated(hits: Sequence[Hit], mentions: Sequence[int]) -> list[bool]:
    """Return whether each hit belongs to a repetition: a part with more tags has the same words."""
    is_repeated = [False] * len(hits)
    copied: set[int] = set()
    for part in sorted(_parts(hits, mentions), key=lambda part: (-part.tags, -len(part.hits))):
        inside = hits[part.hits.start : part.hits.stop]
        again = [hit.at in copied for hit in inside]
        copied.update(hit.at for hit in inside)
        is_repeated[part.hits.start : part.hits.stop] = _smooth(again, inside, mentions)
    return is_repeated


def _parts(hits: Sequence[Hit], mentions: Sequence[int]) -> Iterator[OrderedPart]:
    """Divide the output where it goes back in the source."""
    edges = [n for n, (one, other) in enumerate(pairwise(hits), start=1) if other.at <= one.at]
    for start, stop in pairwise([0, *edges, len(hits)]):
        yield OrderedPart(range(start, stop), _tags(hits[start:stop], mentions))


def _tags(hits: Sequence[Hit], mentions: Sequence[int]) -> int:
    """Return how many mentions begin between the first and the last of some hits."""
    return bisect_left(mentions, hits[-1].place + RUN) - bisect_left(mentions, hits[0].place)


def _smooth(flags: Sequence[bool], hits: Sequence[Hit], mentions: Sequence[int]) -> Iterator[bool]:
    """Give short stretches the flag that most of a part has, unless they are new and tagged."""
    most = 2 * sum(flags) > len(flags)
    for flag, group in groupby(range(len(flags)), key=flags.__getitem__):
        numbers = list(group)
        stretch = hits[numbers[0] : numbers[-1] + 1]
        is_long = len(stretch) > max(SHORT, SHORT_SHARE * len(flags))
        is_sure = is_long or (not flag and _tags(stretch, mentions) > 0)
        yield from [flag if is_sure else most] * len(stretch)


def _stretches(hits: Sequence[Hit], is_repeated: Sequence[bool], size: int) -> Iterator[range]:
    """Yield the words from the first to the last hit of each repetition.

    What stands before the first part of the output belongs to it if it is a repetition, and so does
    what stands after the last one.
    """
    free = 0
    for flag, group in groupby(range(len(hits)), key=is_repeated.__getitem__):
        numbers = list(group)
        first, last = numbers[0], numbers[-1]
        if not flag:
            free = hits[last].place + RUN
            continue
        begin = max(free, hits[first].place) if first else 0
        is_end = last + 1 == len(hits)
        end = size if is_end else min(hits[last].place + RUN, hits[last + 1].place)
        if begin < end:
            yield range(begin, end)
