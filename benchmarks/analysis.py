"""An analysis of errors without start-up: run by ``bench.py`` as a process of its own.

``python analysis.py KEY RESPONSE`` prints seconds as JSON: to read two files and to analyse them;
to measure the impact of each type of error; and to tell which mentions of the key's largest entity
have the text or the head of another one, as we do and as a rival does that compares each with each.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from typing import TypeVar

import corefscope as cs
from corefscope.error_analysis import Analysis
from corefscope.error_analysis.properties import MentionTally
from corefscope.matching.pairs import DocumentPair
from in_memory import seconds

Result = TypeVar("Result")
Matches = list[tuple[bool, bool]]
"""Whether another mention of the entity has the text of each mention, and the head."""


def counted(pair: DocumentPair, mentions: Sequence[int]) -> Matches:
    """Find the matches as the analysis does."""
    tally = MentionTally(pair, mentions)
    return [(tally.texts[t.text] > 1, tally.heads[t.head] > 1) for t in tally.traits]


def compared(pair: DocumentPair, mentions: Sequence[int]) -> Matches:
    """Find the matches by comparing each mention with the others until one is found."""
    traits = [pair.traits(mention) for mention in mentions]
    return [
        (
            any(one.text == other.text for other in traits if other is not one),
            any(one.head == other.head for other in traits if other is not one),
        )
        for one in traits
    ]


def largest_entity(analysis: Analysis) -> tuple[DocumentPair, list[int]]:
    """Return the largest entity of the key, and its document."""
    pairs = [document.transformation.pair for document in analysis.documents]
    return max(((p, e) for p in pairs for e in p.key), key=lambda place: len(place[1]))


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    """Return what a piece of work took, and what it gave."""
    results: list[Result] = []
    return seconds(lambda: results.append(work())), results[0]


def main(key: str, response: str) -> None:
    """Measure, and print what it took."""
    cs.score([[0, 1]], [[0, 1]])  # Loads what is loaded when first used.
    analysis, result = timed(lambda: cs.evaluate(key, {"response": response})["response"].errors)
    impact, _ = timed(result.impact)
    pair, entity = largest_entity(result)
    counting, found = timed(lambda: counted(pair, entity))
    comparing, expected = timed(lambda: compared(pair, entity))
    assert found == expected
    taken = {"analysis": analysis, "impact": impact, "counting": counting, "comparing": comparing}
    print(json.dumps({"mentions": len(entity), **taken}))


if __name__ == "__main__":
    main(*sys.argv[1:])
