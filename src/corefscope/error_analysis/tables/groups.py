"""Groups of confused entities: key and response entities that share mentions.

Each block is a response entity; the tag and colour before a mention show its key entity. Missing
mentions and descriptions of the errors follow the blocks.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from msgspec import Struct

from corefscope.error_analysis import DocumentAnalysis, ErrorRecord
from corefscope.error_analysis.tables.context import Context
from corefscope.formatting import cut_right, display_width
from corefscope.matching.matching import Matching
from corefscope.matching.pairs import NumberedEntity

WIDTH = 80
COLOURS = ("cyan", "yellow", "green", "magenta", "blue")
STYLES = (*COLOURS, *(f"{colour} underline" for colour in COLOURS))
"""How key entities are shown, the same for every system. Red is for spurious mentions."""
SPURIOUS = "✗"
LEGEND = f"R: a response entity; K: the key entity of a mention; {SPURIOUS}: not in the key"
MOST_SHOWN = 40
"""How many mentions of an entity are shown; the rest are counted."""


class Segment(Struct, frozen=True):
    """Text in one style."""

    text: str
    style: str = ""


Line = list[Segment]


class GroupView:
    """Show the groups of confused entities of a document."""

    def __init__(self, document: DocumentAnalysis, context: Context, width: int = WIDTH) -> None:
        self.document = document
        self.pair = document.transformation.pair
        self.context = context
        self.width = width
        self.key_of = {m: i for i, entity in enumerate(self.pair.key) for m in entity}
        self.present = {m for entity in self.pair.response for m in entity}
        self.original = {new: old for old, new in document.transformation.alterations.pairs}

    def groups(self, errors: Sequence[ErrorRecord]) -> Iterator[Line]:
        """Yield the groups that contain these errors."""
        by_group: dict[int, list[ErrorRecord]] = defaultdict(list)
        for error in errors:
            by_group[error.group].append(error)
        keys = _members(self.document.description.key_groups)
        responses = _members(self.document.description.response_groups)
        of_group = Counter(error.group for error in self.document.description.errors)
        for group, found in sorted(by_group.items()):
            yield [Segment("─" * self.width, "dim")]
            yield [Segment(cut_right(self.document.name, self.width), "bold")]
            counts = f"{_count(responses[group], 'response')}, {_count(keys[group], 'key')}"
            yield [Segment(f"group {group}: {counts}", "dim")]
            hidden = of_group[group] - len(found)
            yield from self._group(keys[group], responses[group], found, hidden)

    def _group(
        self, keys: list[int], responses: list[int], errors: list[ErrorRecord], hidden: int
    ) -> Iterator[Line]:
        for number in responses:
            yield []
            name, size = self.pair.response_names[number], len(self.pair.response[number])
            yield [Segment(name, "bold"), Segment(f"  {_mentions(size)}", "dim")]
            yield from self._mentions(self.pair.response[number])
        missing = [m for k in keys for m in self.pair.key[k] if m not in self.present]
        if missing:
            yield []
            yield [Segment("Missing", "bold")]
            yield from self._mentions(sorted(missing))
        yield []
        yield [Segment("Errors", "bold")]
        yield from self._errors(errors)
        if hidden:
            others = "1 other error" if hidden == 1 else f"{hidden} other errors"
            yield [Segment(f"  ({others} of this group not selected)", "dim")]
        yield []

    def _mentions(self, mentions: NumberedEntity) -> Iterator[Line]:
        for mention in mentions[:MOST_SHOWN]:
            yield self._mention(mention)
        if len(mentions) > MOST_SHOWN:
            yield [Segment(f"  … and {len(mentions) - MOST_SHOWN} more", "dim")]

    def _mention(self, mention: int) -> Line:
        key = self.key_of.get(mention)
        tag = f"{SPURIOUS if key is None else self.pair.key_names[key]:<5}"
        style = "bold red" if key is None else STYLES[key % len(STYLES)]
        if not self.pair.table.has_spans:
            id = str(self.pair.table.mention_id(mention))
            return [Segment(f"  {tag} ", style), Segment(cut_right(id, self.width - 20), style)]
        old = self.original.get(mention)
        note = "" if old is None else f" (was {self.pair.where(old).tokens()})"
        where = self.pair.where(mention)
        place = f"{where.tokens():<10}"
        line = [Segment(f"  {tag} ", style), Segment(f"{place} ", "dim")]
        room = self.width - display_width(tag) - len(place) - len(note) - 4
        around = self.context.around(self.document.name, where, room)
        before, words, after = around
        if not words:
            return line
        return [
            *line,
            Segment(before, "dim"),
            Segment(f"[{words}]", style),
            Segment(after, "dim"),
            Segment(note, "italic"),
        ]

    def _errors(self, errors: list[ErrorRecord]) -> Iterator[Line]:
        counts = Counter(error.type for error in errors)
        for type, count in counts.items():
            yield [Segment(f"  {type.label}: {count}")]
            for error in errors:
                if error.type is type:
                    yield from self._wrapped(error.description)

    def _wrapped(self, text: str) -> Iterator[Line]:
        """Wrap a sentence into lines."""
        line = ""
        for word in text.split(" "):
            if line and display_width(line) + display_width(word) + 7 > self.width:
                yield [Segment(f"      {line}")]
                line = word
            else:
                line = f"{line} {word}" if line else word
        yield [Segment(f"      {line}")]


def _members(groups: Sequence[int]) -> dict[int, list[int]]:
    members: dict[int, list[int]] = defaultdict(list)
    for number, group in enumerate(groups):
        members[group].append(number)
    return members


def _count(entities: Sequence[int], side: str) -> str:
    return f"{len(entities)} {side} {'entity' if len(entities) == 1 else 'entities'}"


def _mentions(count: int) -> str:
    return f"{count} {'mention' if count == 1 else 'mentions'}"


def group_lines(
    documents: Sequence[DocumentAnalysis],
    errors: Sequence[ErrorRecord],
    matching: Matching,
    width: int = WIDTH,
    most: int | None = None,
) -> Iterator[Line]:
    """Yield the groups of all documents that contain these errors, the first ``most``."""
    groups = dict.fromkeys((error.document, error.group) for error in errors)
    shown = set(list(groups)[:most])
    by_document: dict[str, list[ErrorRecord]] = defaultdict(list)
    for error in errors:
        if (error.document, error.group) in shown:
            by_document[error.document].append(error)
    context = Context(matching.key, matching.response)
    if by_document:
        yield [Segment(LEGEND, "dim")]
    for document in documents:
        if document.name in by_document:
            yield from GroupView(document, context, width).groups(by_document[document.name])
    if len(groups) > len(shown):
        yield [Segment(f"… and {len(groups) - len(shown):,} more groups")]
