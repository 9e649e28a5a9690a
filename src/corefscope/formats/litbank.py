"""LitBank TSV: `X.ann` with mentions and entities, `X.txt` with one sentence per line.

LitBank is a corpus of English fiction. A line
`MENTION⇥T2⇥1⇥11⇥1⇥14⇥Lincoln 's Inn Hall⇥FAC⇥PROP` gives a mention: the sentence and the word with
which it begins, the sentence and the word with which it ends, its words, its type and its level.
Sentences and words are counted from 0, and the last word is part of the mention. A line
`COREF⇥T2⇥name-3` gives the entity of a mention. Words are separated by blanks.

- A mention without a COREF line is an entity of one mention, as in the CoNLL files of LitBank.
- COP and APPOS lines are attributes, not coreference. They are not read.
- The file with the words must be beside the annotation.
- `base` and `ends` say how words are counted, if not as above; sentences always count from 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from corefscope.corpus.offsets import Convention
from corefscope.findings import Code
from corefscope.formats.builder import Builder
from corefscope.formats.draft import LEVELS, Draft, DraftEntity, DraftMention, Place
from corefscope.formats.options import ReadingOptions
from corefscope.formats.source import Progress, Source
from corefscope.formats.whole_files import (
    Report,
    companion,
    decoded,
    lines_of,
    number_of,
    numbers_of,
    read_whole,
    text_of,
)

FIELDS = 9
PLACES = range(2, 6)
"""The fields with the sentences and words where a mention begins and ends."""
NOT_READ = ("COP", "APPOS")
EXPECTED = "expected MENTION, COREF, COP or APPOS, and fields separated by tabs"


class _Sentences(NamedTuple):
    """The sentences of a text, and how their words are counted."""

    lengths: Sequence[int]
    convention: Convention

    def places(self, numbers: Sequence[int | None]) -> tuple[Place, ...] | None:
        """Return the stretch of each sentence that a mention reaches into."""
        first, start, last, end = numbers
        if first is None or start is None or last is None or end is None:
            return None
        if first == last:
            return ((first, start, end),)
        if not first < last < len(self.lengths) or self.convention.ends == "length":
            return None
        between = range(first + 1, last)
        return (
            (first, start, self._whole(first)[1]),
            *((each, *self._whole(each)) for each in between),
            (last, self.convention.base, end),
        )

    def _whole(self, sentence: int) -> tuple[int, int]:
        """Return the stretch of all words of a sentence."""
        return self.convention.of(0, self.lengths[sentence] - 1)


def read(
    source: Source, builder: Builder, options: ReadingOptions, progress: Progress | None = None
) -> None:
    """Read a file and its words into the builder."""
    purpose = "it has the words of the mentions"
    beside = companion(source, ".txt", Report(builder, source.name), purpose)
    if beside is not None:
        read_whole(source, builder, progress, partial(_drafts, beside, options))


def _drafts(
    beside: Source, options: ReadingOptions, data: bytes, report: Report
) -> Iterator[Draft]:
    annotations, text = decoded(data, report), text_of(beside, report)
    if annotations is None or text is None:
        return
    sentences = [line.split() for line in text.split("\n")]
    lengths = list(map(len, sentences))
    convention = options.convention()
    yield Draft(
        name=None,
        words=[word for sentence in sentences for word in sentence],
        sentences=lengths,
        entities=_entities(annotations, _Sentences(lengths, convention), report),
        convention=convention,
    )


def _entities(annotations: str, sentences: _Sentences, report: Report) -> list[DraftEntity]:
    mentions: list[tuple[int, list[str]]] = []
    chains: dict[str, tuple[str, int]] = {}
    for number, line in lines_of(annotations):
        fields = line.split("\t")
        if fields[0] == "MENTION" and len(fields) >= FIELDS:
            mentions.append((number, fields))
        elif fields[0] == "COREF" and len(fields) > 2:
            chains[fields[1]] = fields[2], number
        elif fields[0] not in NOT_READ:
            report(Code.BAD_LINE, f"found {line[:60]!r}; {EXPECTED}", number)
    return _grouped(_mentions(mentions, sentences, report), chains, report)


def _grouped(
    mentions: dict[str, DraftMention], chains: dict[str, tuple[str, int]], report: Report
) -> list[DraftEntity]:
    for id, (_, line) in chains.items():
        if id not in mentions:
            message = f"{id} has an entity but no MENTION line; expected one"
            report(Code.UNKNOWN_REFERENCE, message, line)
    entities: dict[str, list[DraftMention]] = {}
    for id, mention in mentions.items():
        label, _ = chains.get(id, (id, 0))
        entities.setdefault(label, []).append(mention)
    return [DraftEntity(label=label, mentions=found) for label, found in entities.items()]


def _mentions(
    rows: list[tuple[int, list[str]]], sentences: _Sentences, report: Report
) -> dict[str, DraftMention]:
    """Return the mentions by their ids."""
    mentions: dict[str, DraftMention] = {}
    columns = [[fields[place] for _, fields in rows] for place in PLACES]
    numbers: list[Sequence[int | None]] = [
        numbers_of(column) or [number_of(text) for text in column] for column in columns
    ]
    for (line, fields), place in zip(rows, zip(*numbers, strict=True), strict=True):
        id, places = fields[1], sentences.places(place)
        if places is None or id in mentions:
            found = "\t".join(fields)[:60]
            message = f"found {found!r}; expected a new id, and numbers of sentences and words"
            report(Code.BAD_LINE, message, line)
            continue
        string, type, level = fields[6:FIELDS]
        mentions[id] = DraftMention(
            places=places,
            # Where a mention reaches into another sentence, edges are added that depend on how
            # words are counted, so that its words prove nothing.
            string=string if len(places) == 1 else None,
            type=type,
            level=LEVELS.get(level),
            line=line,
        )
    return mentions
