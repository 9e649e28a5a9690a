"""brat annotations: `X.ann`, with the text in `X.txt` beside it.

brat is a tool for annotating text in a browser. A line `T1⇥PER 0 3⇥Ann` annotates a stretch of
text: the first number is the character before which it begins, the second the one before which it
ends. Characters are Unicode code points, counted from 0. Stretches of a mention with gaps are
separated by semicolons: `T1⇥PER 0 3;8 12⇥Ann Lee`. There are three ways to say what belongs
together, and all are read:

- A line `*⇥Equiv T1 T2 T3` lists mentions of one entity.
- A line `R1⇥Coreference Arg1:T2 Arg2:T1` links two mentions. A relation is read if its name
  contains *coref*, *ident*, *same*, *anaphor* or *cataphor*, and not *bridg*.
  `brat:relations=coref+appos` names the relations to read instead. Relations that are not read are
  reported with their counts (`W160`).
- The entity is the type of a second annotation of the same text, such as `Lord_Chancellor-2`, as in
  LitBank. Types that end in a hyphen and a number are taken for entities, unless annotations of
  that type are linked.

Pitfalls:

- An annotation without a link is an entity of one mention if its type also occurs with a link in
  the same file. Annotations of all other types are not mentions, and are counted in a warning
  (`W161`). `brat:types=PER+FAC` names the types that are mentions, linked or not. A note
  `#1⇥AnnotatorNotes T1⇥entity of one mention` says the same about one annotation; corefscope writes
  it where it is needed.
- The text must be the one that was annotated: a line break `\\r\\n` has two characters.
- There are no tokens in the files. The text is divided into words and signs, and also where a
  mention begins or ends.
- Events count as their triggers. Attributes, other notes and normalisations are not read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import NamedTuple

from corefscope.corpus.offsets import Convention
from corefscope.findings import Code
from corefscope.formats.builder import Builder
from corefscope.formats.draft import LEVELS, Draft, DraftEntity, DraftMention, Place
from corefscope.formats.links import Links, Relations, counted
from corefscope.formats.options import ReadingOptions
from corefscope.formats.source import Progress, Source
from corefscope.formats.whole_files import (
    Report,
    companion,
    decoded,
    lines_of,
    read_whole,
    text_of,
)

CONVENTION = Convention(0, "exclusive", "character")
PLACE = "[0-9]{1,9} [0-9]{1,9}"
SPAN = re.compile(rf"(T[^\t ]+)\t([^\t ]+) ({PLACE}(?:;{PLACE})*)(?:\t(.*))?", re.DOTALL)
RELATION = re.compile(r"R[^\t ]+\t([^\t ]+) [^\t :]+:([^\t ]+) [^\t :]+:([^\t ]+)\s*")
SYMMETRIC = re.compile(r"\*\t([^\t ]+)((?: [^\t ]+)+)\s*")
EVENT = re.compile(r"(E[^\t ]+)\t[^\t :]+:([^\t ]+).*")
CHAIN = re.compile(r".+-[0-9]+")
"""A type that names an entity."""
LEVEL = re.compile(f"({'|'.join(LEVELS)})_(.+)")
"""A type of LitBank, which begins with the level of the mention."""
SINGLETON = "entity of one mention"
NOTE = re.compile(rf"#[^\t ]+\tAnnotatorNotes ([^\t ]+)\t{SINGLETON}\s*")
"""A note that an annotation is a mention, although nothing of its type is linked."""
NOT_READ = "AMN#"
EXPECTED = (
    "expected a line of brat, such as 'T1⇥PER 0 3⇥Ann', 'R1⇥Coref Arg1:T1 Arg2:T2' or "
    "'*⇥Equiv T1 T2'"
)


def read(
    source: Source, builder: Builder, options: ReadingOptions, progress: Progress | None = None
) -> None:
    """Read a file and its text into the builder."""
    report = Report(builder, source.name)
    purpose = "positions count the characters of the text"
    beside = companion(source, ".txt", report, purpose)
    tally = builder.tallies.setdefault("brat", _Tally(options=options))
    assert isinstance(tally, _Tally)
    if beside is not None:
        read_whole(source, builder, progress, partial(_drafts, beside, options, tally))


@dataclass(slots=True, kw_only=True)
class _Tally:
    """What is not read of all files."""

    options: ReadingOptions
    relations: Relations = field(init=False)
    types: set[str] = field(default_factory=set)
    """The types of mentions."""
    others: Counter[str] = field(default_factory=Counter)
    """How many annotations of other types there are."""

    def __post_init__(self) -> None:
        self.relations = Relations("brat", self.options.relations)

    def findings(self) -> Iterator[tuple[Code, str]]:
        """Yield what to report."""
        yield from self.relations.findings()
        if self.others:
            types = "+".join(sorted({*self.types, *self.others}))
            message = (
                f"{self.others.total():,} annotations are not read as mentions, because nothing of "
                f"their type is linked in the same file: {counted(self.others)}; if they are "
                f"entities of one mention, name all types of mentions: brat:types={types}"
            )
            yield Code.UNLINKED, message


def _drafts(
    beside: Source, options: ReadingOptions, tally: _Tally, data: bytes, report: Report
) -> Iterator[Draft]:
    annotations, text = decoded(data, report), text_of(beside, report)
    if annotations is None or text is None:
        return
    marks = _Marks(tally=tally, report=report)
    for number, line in lines_of(annotations):
        marks.read(line, number)
    yield Draft(
        name=None,
        text=text,
        entities=marks.entities(),
        convention=options.convention(CONVENTION),
    )


class _Mark(NamedTuple):
    """An annotation of a stretch of text."""

    type: str
    places: tuple[Place, ...]
    string: str | None
    line: int

    def mention(self, type: str | None = None) -> DraftMention:
        """Return the mention; its type may be that of another annotation."""
        level, kind = _level(type or self.type)
        return DraftMention(
            places=self.places, string=self.string, level=level, type=kind, line=self.line
        )


@lru_cache(maxsize=1000)
def _level(type: str) -> tuple[str | None, str]:
    """Return the level and the type that a type of brat stands for."""
    match = LEVEL.fullmatch(type)
    return (LEVELS[match[1]], match[2]) if match else (None, type)


@dataclass(slots=True, kw_only=True)
class _Marks:
    """The annotations of a file."""

    tally: _Tally
    report: Report
    marks: dict[str, _Mark] = field(default_factory=dict)
    triggers: dict[str, str] = field(default_factory=dict)
    joined: list[tuple[list[str], int]] = field(default_factory=list)
    """The ids that a line puts together, and its number."""
    noted: set[str] = field(default_factory=set)
    """The ids of annotations that a note calls an entity."""

    def read(self, line: str, number: int) -> None:
        """Read a line."""
        if match := SPAN.fullmatch(line):
            self._mark(match, number)
        elif match := RELATION.fullmatch(line):
            if self.tally.relations.accepts(match[1]):
                self.joined.append(([match[2], match[3]], number))
        elif match := SYMMETRIC.fullmatch(line):
            if match[1] == "Equiv" or self.tally.relations.accepts(match[1]):
                self.joined.append((match[2].split(), number))
        elif match := EVENT.fullmatch(line):
            self.triggers[match[1]] = match[2]
        else:
            self._read_other(line, number)

    def _read_other(self, line: str, number: int) -> None:
        """Read a line that has neither a place nor a link."""
        if match := NOTE.fullmatch(line):
            self.noted.add(match[1])
        elif line[0] not in NOT_READ:
            self.report(Code.BAD_LINE, f"found {line[:60]!r}; {EXPECTED}", number)

    def _mark(self, match: re.Match[str], number: int) -> None:
        id, type, places, string = match.groups()
        if id in self.marks:
            first = self.marks[id].line
            message = f"{id} was annotated before, on line {first}; expected each number once"
            self.report(Code.BAD_LINE, message, number)
            return
        begin, _, end = places.partition(" ")
        parts: tuple[Place, ...]
        if ";" not in places:
            parts = ((int(begin), int(end)),)
        else:
            parts = tuple(tuple(map(int, part.split(" "))) for part in places.split(";"))
        self.marks[id] = _Mark(type, parts, string, number)

    def entities(self) -> list[DraftEntity]:
        """Return the entities, however the file gives them."""
        linked = self._linked()
        of_links = [id for group in linked for id in group]
        types = {self.marks[id].type for id in of_links}
        chains = self._chains(types)
        entities = [
            DraftEntity(label=group[0], mentions=[self.marks[id].mention() for id in group])
            for group in linked
        ]
        entities += self._entities_of(chains)
        used = {*of_links, *(id for ids in chains.values() for id in ids)}
        covered = {self.marks[id].places for ids in chains.values() for id in ids}
        rest = {id: mark for id, mark in self.marks.items() if id not in used}
        types |= {mark.type for mark in rest.values() if mark.places in covered}
        alone = {id: mark for id, mark in rest.items() if mark.places not in covered}
        return [*entities, *self._singletons(alone, types)]

    def _linked(self) -> list[list[str]]:
        """Return the annotations that are linked, entity by entity."""
        links: Links[str] = Links()
        for ids, line in self.joined:
            marks = [self.triggers.get(id, id) for id in ids]
            unknown = [id for id in marks if id not in self.marks]
            for id in unknown:
                message = (
                    f"{id} is linked here but not annotated; expected a line that begins with it"
                )
                self.report(Code.UNKNOWN_REFERENCE, message, line)
            links.join(id for id in marks if id in self.marks)
        return links.groups()

    def _chains(self, linked: set[str]) -> dict[str, list[str]]:
        """Return the annotations whose type is an entity, by entity."""
        chains: dict[str, list[str]] = {}
        given = {*linked, *self.tally.options.types}
        for id, mark in self.marks.items():
            if mark.type not in given and CHAIN.fullmatch(mark.type):
                chains.setdefault(mark.type, []).append(id)
        return chains

    def _entities_of(self, chains: dict[str, list[str]]) -> Iterator[DraftEntity]:
        types = {mark.places: mark.type for mark in self.marks.values() if mark.type not in chains}
        for label, ids in chains.items():
            mentions = [self._with_type(self.marks[id], types) for id in ids]
            yield DraftEntity(label=label, mentions=mentions)

    @staticmethod
    def _with_type(mark: _Mark, types: dict[tuple[Place, ...], str]) -> DraftMention:
        mention = mark.mention(types.get(mark.places))
        mention.type = mention.type if mark.places in types else None
        return mention

    def _singletons(self, alone: dict[str, _Mark], linked: set[str]) -> Iterator[DraftEntity]:
        types = set(self.tally.options.types) or linked
        noted = set() if self.tally.options.types else self.noted
        self.tally.types |= types
        for id, mark in alone.items():
            if mark.type in types or id in noted:
                yield DraftEntity(label=id, mentions=[mark.mention()])
            else:
                self.tally.others[mark.type] += 1
