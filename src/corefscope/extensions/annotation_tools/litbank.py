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

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from corefscope.corpus.offsets import Convention
from corefscope.findings import Code
from corefscope.formats.reading.draft import LEVELS, Draft, Mentions, Place
from corefscope.formats.reading.file import File, FindingReporter
from corefscope.formats.reading.whole_files import (
    companion,
    decoded,
    filled_lines,
    number_of,
    numbers_of,
    text_of,
    whole_reader,
)
from corefscope.formatting import counted

MENTION_FIELDS = 9
COREF_FIELDS = 3
PLACES = range(2, 6)
"""The fields with the sentences and words where a mention begins and ends."""
NOT_READ = ("COP", "APPOS")
EXPECTED = "MENTION and 8 fields more, COREF and 2 more, COP or APPOS, separated by tabs"


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


def _drafts(file: File, data: bytes) -> Iterator[Draft]:
    report, purpose = file.report, "it has the words of the mentions"
    beside = companion(file.source, ".txt", report, purpose)
    if beside is None:
        return
    annotations, text = decoded(data, report), text_of(beside, report)
    if annotations is None or text is None:
        return
    sentences = [line.split() for line in text.split("\n")]
    lengths = list(map(len, sentences))
    convention = file.options.convention()
    yield Draft(
        name=None,
        words=[word for sentence in sentences for word in sentence],
        sentences=lengths,
        mentions=_mentions(annotations, _Sentences(lengths, convention), report),
        convention=convention,
    )


read = whole_reader(_drafts)


class _Rows(NamedTuple):
    """Some lines of a file: their numbers, and their fields."""

    numbers: Sequence[int]
    fields: Sequence[Sequence[str]]

    def of(self, kind: str, width: int) -> _Rows:
        """Return the rows that begin with a word and have so many fields."""
        found = [
            (number, fields[:width])
            for number, fields in zip(self.numbers, self.fields, strict=True)
            if fields[0] == kind and len(fields) == width and all(fields[:width])
        ]
        return _Rows([number for number, _ in found], [fields for _, fields in found])

    def column(self, place: int) -> list[str]:
        """Return a field of all rows."""
        return [fields[place] for fields in self.fields]


def _mentions(annotations: str, sentences: _Sentences, report: FindingReporter) -> Mentions:
    numbers, lines = filled_lines(annotations)
    rows = _Rows(numbers, [line.split("\t") for line in lines])
    mentions, chains = rows.of("MENTION", MENTION_FIELDS), rows.of("COREF", COREF_FIELDS)
    if len(mentions.numbers) + len(chains.numbers) < len(numbers):
        _report_others(rows, report)
    places = _places(mentions, sentences, report)
    return _table(mentions, places, _members(mentions, places, chains, report))


def _report_others(rows: _Rows, report: FindingReporter) -> None:
    """Report the lines that are of no known kind, or too short."""
    widths = {"MENTION": MENTION_FIELDS, "COREF": COREF_FIELDS, **dict.fromkeys(NOT_READ, 0)}
    for number, fields in zip(*rows, strict=True):
        width = widths.get(fields[0])
        is_sound = fields[0] in NOT_READ or (len(fields) == width and all(fields))
        if width is None or not is_sound:
            found = "\t".join(fields)[:60]
            cells = "" if width is None else f"{len(fields)} fields, some perhaps empty: "
            report(Code.BAD_LINE, f"found {cells}{found!r}", number, expected=EXPECTED)


def _places(
    mentions: _Rows, sentences: _Sentences, report: FindingReporter
) -> Sequence[tuple[Place, ...] | None]:
    """Return the places of the mentions; None for those that cannot be read."""
    columns = [mentions.column(place) for place in PLACES]
    numbers: list[Sequence[int | None]] = [
        numbers_of(column) or [number_of(text) for text in column] for column in columns
    ]
    places = list(map(sentences.places, zip(*numbers, strict=True)))
    _report_long(mentions, places, report)
    first = {id: row for row, id in reversed([*enumerate(mentions.column(1))])}
    if None not in places and len(first) == len(places):
        return places
    for row, (line, fields) in enumerate(zip(*mentions, strict=True)):
        if places[row] is None or first[fields[1]] != row:
            places[row] = None
            found = "\t".join(fields)[:60]
            report(
                Code.BAD_LINE,
                f"found {found!r}",
                line,
                expected="a new id, and numbers of sentences and words",
            )
    return places


def _report_long(
    mentions: _Rows, places: Sequence[tuple[Place, ...] | None], report: FindingReporter
) -> None:
    """Report mentions over several sentences that have far more words than their text has.

    How words are counted may make a difference of one at each edge.
    """
    for stretches, line, fields in zip(places, *mentions, strict=True):
        if stretches is not None and len(stretches) > 1:
            there = sum(stretch[-1] - stretch[-2] + 1 for stretch in stretches)
            given = len(fields[MENTION_FIELDS - 3].split())
            if abs(there - given) > 2:
                report(
                    Code.BAD_LINE,
                    f"{fields[1]} has {given} words, and {there} between its positions",
                    line,
                    expected="the sentences and words where it begins and ends",
                )


def _members(
    mentions: _Rows, places: Sequence[object], chains: _Rows, report: FindingReporter
) -> dict[str, list[int]]:
    """Return the rows of the mentions of each entity."""
    ids = mentions.column(1)
    known = {id for id, place in zip(ids, places, strict=True) if place is not None}
    labels = dict(zip(chains.column(1), chains.column(2), strict=True))
    if len(labels) < len(chains.numbers) or not labels.keys() <= known:
        _report_chains(chains, known, report)
    lacking = [row for row, id in enumerate(ids) if places[row] is not None and id not in labels]
    if lacking:
        have = counted(len(lacking), "mention has", "mentions have")
        report(
            Code.UNLINKED,
            f"{have} no COREF line, the first is {ids[lacking[0]]}",
            mentions.numbers[lacking[0]],
            expected="one for each, as for entities of one mention: is the file cut off?",
        )
    members: dict[str, list[int]] = {}
    for row, (id, place) in enumerate(zip(ids, places, strict=True)):
        if place is not None:
            members.setdefault(labels.get(id, id), []).append(row)
    return members


def _report_chains(chains: _Rows, known: Collection[str], report: FindingReporter) -> None:
    """Report entities of mentions that are not there, and mentions with two entities."""
    first: dict[str, str] = {}
    for line, (_, id, label) in zip(*chains, strict=True):
        if id not in known:
            report(
                Code.BAD_LINE,
                f"{id} has an entity but no MENTION line",
                line,
                expected="one",
            )
        elif first.setdefault(id, label) != label:
            report(
                Code.BAD_LINE,
                f"{id} belongs to {label!r} here, and to {first[id]!r} before",
                line,
                expected="one",
            )


def _table(
    mentions: _Rows,
    places: Sequence[tuple[Place, ...] | None],
    members: Mapping[str, Sequence[int]],
) -> Mentions:
    order = list(chain.from_iterable(members.values()))
    fields = [mentions.fields[row] for row in order]
    stretches = [places[row] or () for row in order]
    parts = list(map(len, stretches))
    has_gaps = sum(parts) > len(parts)
    return Mentions(
        labels=list(members),
        sizes=list(map(len, members.values())),
        places=list(chain.from_iterable(stretches)),
        parts=parts if has_gaps else (),
        # Where a mention reaches into another sentence, edges are added that depend on how words
        # are counted, so that its words prove nothing.
        strings=[
            string if count == 1 else None
            for (*_, string, _, _), count in zip(fields, parts, strict=True)
        ],
        types=[type for *_, type, _ in fields],
        levels=[LEVELS.get(level) for *_, level in fields],
        lines=[mentions.numbers[row] for row in order],
    )
