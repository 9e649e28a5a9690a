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
SHORT = 0.1
"""A share of a part below which it makes no difference whether some words are elsewhere as well."""


class Hit(NamedTuple):
    """A run of words that occurs once in the source."""

    place: int
    """Where it begins in the output."""
    at: int
    """Where it begins in the source."""


class Part(NamedTuple):
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
        again = [hits[number].at in copied for number in part.hits]
        copied.update(hits[number].at for number in part.hits)
        is_repeated[part.hits.start : part.hits.stop] = _smooth(again)
    return is_repeated


def _parts(hits: Sequence[Hit], mentions: Sequence[int]) -> Iterator[Part]:
    """Divide the output where it goes back in the source."""
    edges = [n for n, (one, other) in enumerate(pairwise(hits), start=1) if other.at <= one.at]
    for start, stop in pairwise([0, *edges, len(hits)]):
        begin, end = hits[start].place, hits[stop - 1].place + RUN
        yield Part(range(start, stop), bisect_left(mentions, end) - bisect_left(mentions, begin))


def _smooth(flags: Sequence[bool]) -> list[bool]:
    """Give short stretches of a part the flag that most of it has."""
    most = 2 * sum(flags) > len(flags)
    smooth: list[bool] = []
    for flag, group in groupby(flags):
        size = len(list(group))
        smooth += [flag if size > SHORT * len(flags) else most] * size
    return smooth


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
