"""Windows of CorefInst: JSON lines with a part of a document in each.

A record has `doc_id`, `order` and `text`, with the tags of CorefInst: `<m> Ida </m>#0`, `</z>@0`.
`text` is two halves with `[MID]` between them. The first half repeats the second half of the window
before, and entities are numbered anew in each window.

- Windows are put together in the order of `order`. An entity of a window joins the entity so far
  that shares most mentions with it; entities that share none stay apart, though they may be one.
- The words are aligned with those of the key, as with all [tagged
  text](../howto/language-models.md).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from msgspec.structs import replace

from corefscope.answers.parsing import parse
from corefscope.corpus.copies import Copy, MergedWindows
from corefscope.corpus.mentions import Parts
from corefscope.corpus.offsets import TOKENS
from corefscope.findings import Code, Finding
from corefscope.formats.reading.draft import Draft, Mentions
from corefscope.formats.reading.drafting import Placed, add_draft
from corefscope.formats.reading.file import File
from corefscope.formats.reading.records import Record, records

MIDDLE = "[MID]"
Span = tuple[int, int]


class AnsweredWindow(NamedTuple):
    """A window without its tags: the words of both halves, and mentions by entity."""

    first: list[str]
    second: list[str]
    entities: dict[str, list[Span]]
    """First word of each mention, and the one after its last."""
    copy: Copy


def read(file: File) -> None:
    """Read all documents of a file into the corpus."""
    windows: defaultdict[str, list[tuple[int, Record]]] = defaultdict(list)
    for record in records(file):
        found = _window_of(record.value)
        if found is None:
            file.report(
                Code.BAD_SHAPE,
                "no window",
                record.line,
                expected=f"'doc_id', 'order' and 'text' with {MIDDLE}",
            )
            continue
        windows[found[0]].append((found[1], record))
    for name, given in windows.items():
        given.sort(key=lambda each: each[0])
        orders = [order for order, _ in given]
        if len(set(orders)) < len(orders):
            message = f"document {name!r} has two windows of the order {_repeated(orders)}"
            file.report(Code.BAD_SHAPE, message, given[0][1].line, expected="one")
            continue
        texts = [str(record.value["text"]) for _, record in given]
        first = given[0][1]
        placed = Placed(_draft(texts, first.line), first.start, first.stop, _Again(texts))
        add_draft(file, placed, name)


class _Again:
    """Makes the draft of a document again; its windows are in several lines."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts

    def __call__(self, block: bytes) -> Draft:
        del block
        return _draft(self.texts, None)


def _window_of(value: Any) -> tuple[str, int] | None:
    if not isinstance(value, dict) or not isinstance(value.get("text"), str):
        return None
    name, order = value.get("doc_id"), value.get("order")
    if not isinstance(name, str) or type(order) is not int:
        return None
    return name, order


def _repeated(orders: Sequence[int]) -> int:
    return next(order for order, count in Counter(orders).items() if count > 1)


def _draft(texts: Sequence[str], line: int | None) -> Draft:
    windows = [_parsed(text) for text in texts]
    words, together = merged(windows)
    entities = [list(entity) for entity in together.entities if entity]
    total = windows[0].copy
    for window in windows[1:]:
        total = replace(
            total,
            opened=total.opened + window.copy.opened,
            closed=total.closed + window.copy.closed,
            dropped=dict(Counter(total.dropped) + Counter(window.copy.dropped)),
        )
    repeated = total.closed - sum(map(len, entities)) - sum(total.dropped.values())
    total = replace(
        total,
        opened=total.opened - repeated,
        closed=total.closed - repeated,
        windows=together.counts,
    )
    return Draft(
        name=None,
        mentions=Mentions(
            labels=[str(number) for number in range(len(entities))],
            sizes=list(map(len, entities)),
            places=[span for entity in entities for (span,) in entity],
        ),
        convention=TOKENS,
        is_marked=True,
        words=words,
        of_corpus={"copies": [total]},
        line=line,
        findings=list(_unlike(windows)),
    )


def _unlike(windows: Sequence[AnsweredWindow]) -> Iterator[Finding]:
    """Report windows that do not repeat the words before them, so that mentions are misplaced."""
    wrong = [
        number
        for number, (before, window) in enumerate(pairwise(windows), start=2)
        if window.first != (before.second or before.first)
    ]
    if wrong:
        windows_do = "1 window does" if len(wrong) == 1 else f"{len(wrong):,} windows do"
        yield Finding(
            Code.ANSWER_CHANGED,
            f"{windows_do} not begin with the words that the one before ends with, the first of "
            f"them number {wrong[0]}",
            expected="the same words: mentions there may be misplaced",
        )


def _parsed(text: str) -> AnsweredWindow:
    """Take the tags out of a window; mentions are words of both halves together."""
    parsed = parse(text.replace(MIDDLE, f" {MIDDLE} "), "corefinst")
    found = list(re.finditer(r"\S+", parsed.text))
    words, ends = [each[0] for each in found], [each.end() for each in found]
    middle = words.index(MIDDLE) if MIDDLE in words else len(words)
    entities: dict[str, list[Span]] = {}
    for label, begin, end in parsed.mentions:
        before, after = bisect_right(ends, begin), bisect_right(ends, end)
        first, last = before - (before > middle), after - (after > middle)
        entities.setdefault(label, []).append((first, last))
    return AnsweredWindow(words[:middle], words[middle + 1 :], entities, parsed.copy)


def merged(windows: Sequence[AnsweredWindow]) -> tuple[list[str], MergedWindows]:
    """Put windows together: the words of the document, and the mentions of each entity."""
    words: list[str] = []
    together = MergedWindows()
    for window in windows:
        begin, end = len(words) - len(window.first) if words else 0, len(words)
        words += window.second if words else [*window.first, *window.second]
        own = [
            [((begin + first, begin + last),) for first, last in spans]
            for spans in window.entities.values()
        ]
        together.add(own, partial(_is_within, begin, end))
    return words, together


def _is_within(begin: int, end: int, parts: Parts) -> bool:
    return begin <= parts[0][0] and parts[-1][1] <= end
