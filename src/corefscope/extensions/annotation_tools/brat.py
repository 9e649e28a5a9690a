"""brat annotations: `X.ann`, with the text in `X.txt` beside it.

brat is a tool for annotating text in a browser. A line `T1⇥PER 0 3⇥Ann` annotates a stretch of
text: the first number is the character before which it begins, the second the one before which it
ends. Characters are Unicode code points, counted from 0. Stretches of a mention with gaps are
separated by semicolons: `T1⇥PER 0 3;8 12⇥Ann Lee`. There are three ways to say what belongs
together, and all are read:

- A line `*⇥Equiv T1 T2 T3` lists mentions of one entity.
- A line `R1⇥Coreference Arg1:T2 Arg2:T1` links two mentions. A relation is read if its name
  contains *coref*, *anaphor* or *cataphor*, a word that begins with *ident* or *same*, or the word
  *ana* or *cata*. Words end at signs, digits and capitals: `CorefIdent` has two. It is not read if
  the name contains *bridg* or *split*, a word that begins with *non*, or the word *no*, *not*,
  *near* or *part* (also *parts*, *partial*, *partof*). `brat:relations=coref+appos` names the
  relations to read instead. Relations that are not read are reported with their counts (`W160`), as
  are those that are read although their names have other words (`W160`).
- The entity is the type of a second annotation of the same text, such as `Lord_Chancellor-2`, as in
  LitBank. Types that end in a hyphen and a number are taken for entities if the file has no links
  and relations at all, or if there is another annotation of the same text with a type of another
  kind. They are not if annotations of that type are linked.

Pitfalls:

- An annotation without a link is an entity of one mention if its type also occurs with a link in
  the same file. Annotations of all other types are not mentions, and are counted in a warning
  (`W160`). `brat:types=PER+FAC` names the types that are mentions, linked or not. A note
  `#1⇥AnnotatorNotes T1⇥entity of one mention` says the same about one annotation; corefscope writes
  it where it is needed.
- The text must be the one that was annotated: a line break `\\r\\n` has two characters.
- There are no tokens in the files. The text is divided into words and signs, and also where a
  mention begins or ends.
- brat demands a type of each annotation. A mention without a type is written with the type
  `Untyped`, which is read as no type.
- Events count as their triggers. Attributes, other notes and normalisations are not read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain

from corefscope.corpus import Corpus, Document
from corefscope.findings import Code, Finding
from corefscope.formats.file_names import file_names
from corefscope.formats.reading.draft import LEVELS, Draft, Mentions
from corefscope.formats.reading.file import File, FindingReporter
from corefscope.formats.reading.links import Links
from corefscope.formats.reading.options import Reading
from corefscope.formats.reading.relations import Relations, counted
from corefscope.formats.reading.whole_files import (
    companion,
    decoded,
    text_of,
    whole_reader,
)
from corefscope.formats.writing.abilities import Written
from corefscope.formats.writing.expressing import is_encodable
from corefscope.formats.writing.plain_text import PlainText, plain_text, seen_span

PLACE = "[0-9]{1,9} [0-9]{1,9}"
LINE = re.compile(
    rf"^(?:(T[^\t \n]+)\t([^\t \n]+) ({PLACE}(?:;{PLACE})*)(?:\t([^\t\n]*))?|(.*))$", re.MULTILINE
)
"""An annotation of a stretch of text, or any other line."""
RELATION = re.compile(r"R[^\t ]+\t([^\t ]+) [^\t :]+:([^\t ]+) [^\t :]+:([^\t ]+)\s*")
SYMMETRIC = re.compile(r"\*\t([^\t ]+)((?: [^\t ]+)+)\s*")
EVENT = re.compile(r"(E[^\t ]+)\t[^\t :]+:([^\t ]+).*")
CHAIN = re.compile(r".+-[0-9]+")
"""A type that names an entity."""
LEVEL = re.compile(f"({'|'.join(LEVELS)})_(.+)")
"""A type of LitBank, which begins with the level of the mention."""
NO_TYPE = "Untyped"
"""What is written where a mention has no type, because brat demands one."""
SINGLETON = "entity of one mention"
NOTE = re.compile(rf"#[^\t ]+\tAnnotatorNotes ([^\t ]+)\t{SINGLETON}\s*")
"""A note that an annotation is a mention, although nothing of its type is linked."""
NOT_READ = "AMN#"
EXPECTED = "a line of brat, such as 'T1⇥PER 0 3⇥Ann', 'R1⇥Coref Arg1:T1 Arg2:T2' or '*⇥Equiv T1 T2'"


class _Tally(Relations):
    """What is not read of all files."""

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading)
        self.given = set(reading.options.types)
        """The types of mentions that the user named."""
        self.types: set[str] = set()
        """The types of mentions."""
        self.unlinked: Counter[str] = Counter()
        """How many annotations of other types there are."""

    def findings(self) -> Iterator[Finding]:
        """Yield what to report."""
        yield from super().findings()
        if self.unlinked:
            types = "+".join(sorted({*self.types, *self.unlinked}))
            number = self.unlinked.total()
            is_one = number == 1
            found = (
                "1 annotation is not read as a mention"
                if is_one
                else f"{number:,} annotations are not read as mentions"
            )
            message = (
                f"{found}, because nothing of {'its' if is_one else 'their'} type is linked in the "
                f"same file: {counted(self.unlinked)}; if "
                f"{'it is an entity' if is_one else 'they are entities'} of one mention, name all "
                f"types of mentions: brat:types={types}"
            )
            yield Finding(Code.OTHER_RELATIONS, message)


def _drafts(file: File, data: bytes) -> Iterator[Draft]:
    report, purpose = file.report, "positions count the characters of the text"
    beside = companion(file.source, ".txt", report, purpose)
    if beside is None:
        return
    annotations, text = decoded(data, report), text_of(beside, report)
    if annotations is None or text is None:
        return
    mentions = _Marks(annotations, file.tally(_Tally), report).mentions()
    yield Draft(name=None, text=text, mentions=mentions, convention=file.options.convention())


read = whole_reader(_drafts)


@lru_cache(maxsize=1000)
def _level(type: str) -> tuple[str | None, str | None]:
    """Return the level and the type that a type of brat stands for."""
    if type == NO_TYPE:
        return None, None
    match = LEVEL.fullmatch(type)
    return (LEVELS[match[1]], match[2]) if match else (None, type)


class _Marks:
    """The annotations of a file. A mark is the line of an annotation of text, counted from 0."""

    def __init__(self, annotations: str, tally: _Tally, report: FindingReporter) -> None:
        self.tally = tally
        self.report = report
        lines = LINE.findall(annotations.replace("\r\n", "\n").removesuffix("\r"))
        ids, self.types, places, self.strings, others = zip(*lines, strict=True)
        self.places = _numbers(places)
        """The numbers of all stretches of each mark."""
        self.marks: dict[str, int] = {}
        """The mark of each id."""
        self.triggers: dict[str, str] = {}
        self.has_relations = False
        """Whether the file has links or relations, even if they are not read."""
        self.joined: list[tuple[list[str], int]] = []
        """The ids that a line puts together, and its number."""
        self.noted: set[str] = set()
        """The ids of annotations that a note calls an entity."""
        for number, (id, other) in enumerate(zip(ids, others, strict=True)):
            if id and self.marks.setdefault(id, number) != number:
                first = self.marks[id] + 1
                self.report(
                    Code.BAD_LINE,
                    f"{id} was annotated before, on line {first}",
                    number + 1,
                    expected="each number once",
                )
            elif other and not other.isspace():
                self._read(other, number + 1)

    def _read(self, line: str, number: int) -> None:
        """Read a line that does not annotate a stretch of text."""
        if match := SYMMETRIC.fullmatch(line):
            self.has_relations = True
            if match[1] == "Equiv" or self.tally.accepts(match[1]):
                self.joined.append((match[2].split(), number))
                if line.rstrip("\r\n").endswith(" "):
                    self.report(
                        Code.UNLINKED,
                        "the line ends in a blank",
                        number,
                        expected="an id there: is the rest missing?",
                    )
        elif match := RELATION.fullmatch(line):
            self.has_relations = True
            if self.tally.accepts(match[1]):
                self.joined.append(([match[2], match[3]], number))
        elif match := EVENT.fullmatch(line):
            self.triggers[match[1]] = match[2]
        else:
            self._read_other(line, number)

    def _read_other(self, line: str, number: int) -> None:
        """Read a line that has neither a place nor a link."""
        if match := NOTE.fullmatch(line):
            self.noted.add(match[1])
        elif line[0] not in NOT_READ:
            self.report(Code.BAD_LINE, f"found {line[:60]!r}", number, expected=EXPECTED)

    def mentions(self) -> Mentions:
        """Return the mentions of all entities, however the file gives them."""
        linked = [[self.marks[id] for id in group] for group in self._linked()]
        of_links = set(chain.from_iterable(linked))
        types = {self.types[mark] for mark in of_links}
        chains = self._chains(types)
        of_chains = list(chain.from_iterable(chains.values()))
        covered = {self.places[mark] for mark in of_chains}
        used = of_links.union(of_chains)
        rest = [mark for mark in self.marks.values() if mark not in used]
        types.update(self.types[mark] for mark in rest if self.places[mark] in covered)
        alone = self._singletons([mark for mark in rest if self.places[mark] not in covered], types)
        labels = {mark: id for id, mark in self.marks.items()}
        named = [labels[group[0]] for group in linked]
        return self._table(
            [*named, *chains, *(labels[mark] for mark in alone)],
            [*linked, *chains.values(), *([mark] for mark in alone)],
            self._kinds(of_chains, set(chains)),
        )

    def _table(
        self,
        labels: Sequence[str],
        entities: Sequence[Sequence[int]],
        kinds: dict[int, tuple[str | None, str | None]],
    ) -> Mentions:
        """Return entities, whose marks may have another level and type than that of their lines."""
        marks = list(chain.from_iterable(entities))
        pairs = [kinds.get(mark) or _level(self.types[mark]) for mark in marks]
        places: list[Sequence[int]] = [self.places[mark] for mark in marks]
        parts = [len(place) // 2 for place in places]
        if len(places) < sum(parts):
            places = [place[n : n + 2] for place in places for n in range(0, len(place), 2)]
        return Mentions(
            labels=labels,
            sizes=list(map(len, entities)),
            places=places,
            parts=parts if len(places) > len(marks) else (),
            strings=[self.strings[mark] for mark in marks],
            levels=[level for level, _ in pairs],
            types=[type for _, type in pairs],
            lines=[mark + 1 for mark in marks],
        )

    def _linked(self) -> list[list[str]]:
        """Return the ids that are linked, entity by entity."""
        links: Links[str] = Links()
        for ids, line in self.joined:
            if len(ids) < 2:
                self.report(
                    Code.UNLINKED,
                    f"{ids[0]} is linked to nothing, and counts as an entity",
                    line,
                    expected="others",
                )
            if len(set(ids)) < len(ids):
                twice = next(id for id in ids if ids.count(id) > 1)
                self.report(
                    Code.BAD_LINE,
                    f"{twice} is linked to itself",
                    line,
                    expected="each annotation once",
                )
            marks = [self.triggers.get(id, id) for id in ids] if self.triggers else ids
            if not self.marks.keys() >= set(marks):
                self._report_unknown(marks, line)
                marks = [id for id in marks if id in self.marks]
            links.join(marks)
        return links.groups()

    def _report_unknown(self, ids: Sequence[str], line: int) -> None:
        for id in ids:
            if id not in self.marks:
                self.report(
                    Code.BAD_LINE,
                    f"{id} is linked here but not annotated",
                    line,
                    expected="a line that begins with it",
                )

    def _chains(self, linked: set[str]) -> dict[str, list[int]]:
        """Return the marks whose type is an entity, by entity."""
        given = {*linked, *self.tally.given}
        names = {type for type in set(self.types) - given if CHAIN.fullmatch(type)}
        if not names:
            return {}
        # Beside links, such a type may be an ordinary one, unless the mark has another type, too.
        others = [self.places[m] for m in self.marks.values() if self.types[m] not in names]
        doubled = set(others if self.has_relations else self.places.values())
        chains: dict[str, list[int]] = {}
        for id, mark in self.marks.items():
            if self.types[mark] in names and id not in self.noted and self.places[mark] in doubled:
                chains.setdefault(self.types[mark], []).append(mark)
        return chains

    def _kinds(
        self, marks: Sequence[int], chains: set[str]
    ) -> dict[int, tuple[str | None, str | None]]:
        """Return the levels and types of marks whose own types are entities.

        They are those of other annotations of the same text.
        """
        others = self.marks.values() if marks else ()
        types = {self.places[m]: self.types[m] for m in others if self.types[m] not in chains}
        kinds = {mark: _level(types.get(self.places[mark], self.types[mark])) for mark in marks}
        return {
            mark: (level, type if self.places[mark] in types else None)
            for mark, (level, type) in kinds.items()
        }

    def _singletons(self, marks: Sequence[int], linked: set[str]) -> list[int]:
        """Return the marks that are entities of one mention; count the others."""
        types = self.tally.given or linked
        noted = set() if self.tally.given else self.noted & self.marks.keys()
        wanted = {self.marks[id] for id in noted}
        self.tally.types |= types
        others = [mark for mark in marks if self.types[mark] not in types and mark not in wanted]
        self.tally.unlinked.update(self.types[mark] for mark in others)
        left_out = set(others)
        return [mark for mark in marks if mark not in left_out]


def _numbers(places: Sequence[str]) -> dict[int, tuple[int, ...]]:
    """Return the numbers on each line that has some."""
    lines = [line for line, place in enumerate(places) if place]
    text = " ".join(filter(None, places))
    if ";" not in text:
        numbers = map(int, text.split())
        return dict(zip(lines, zip(numbers, numbers, strict=True), strict=True))
    return {line: tuple(map(int, re.findall("[0-9]+", places[line]))) for line in lines}


# ---- Writing ----


TYPE = re.compile(r"[^\s;:]+")
BLANK = re.compile(r"[\n\r\t]")
BOM = "\ufeff"


def write(corpus: Corpus) -> Iterator[Written]:
    """Yield the files of a corpus.

    Mentions of one entity are in an ``Equiv`` line. An entity of one mention is an annotation
    without a link, and with a note if no other annotation of its type is linked: without the note,
    nothing would tell it from annotations that are no mentions.
    """
    for document, name in zip(corpus, file_names(corpus.document_names), strict=True):
        text = _readable(plain_text(document))
        yield f"{name}.ann", "".join(_lines(document, text)).encode()
        yield f"{name}.txt", text.text.encode()


def is_type(type: str) -> bool:
    """Return whether a type of entities is read as it is written."""
    is_read = bool(TYPE.fullmatch(type)) and not LEVEL.fullmatch(type) and type != NO_TYPE
    return is_read and is_encodable(type)


def _readable(text: PlainText) -> PlainText:
    """Return a text that does not begin with a byte-order mark, which readers would leave out."""
    if not text.text.startswith(BOM):
        return text
    return PlainText(f"\n{text.text}", [(begin + 1, end + 1) for begin, end in text.characters])


def _lines(document: Document, text: PlainText) -> Iterator[str]:
    attributes = document.attributes or {}
    number = 0
    chains: list[list[str]] = []
    types: dict[str, str] = {}
    for entity in document.entities:
        chains.append([])
        for mention in entity:
            number += 1
            known = attributes.get(seen_span(document, text, mention))
            type = known.type if known and known.type and is_type(known.type) else NO_TYPE
            places = ";".join(f"{begin} {end}" for begin, end in map(text.place, mention.parts))
            string = " ".join(map(text.string, mention.parts))
            string = BLANK.sub(" ", string)
            yield f"T{number}\t{type} {places}\t{string}\n"
            chains[-1].append(f"T{number}")
            types[f"T{number}"] = type
    for linked_ids in chains:
        if len(linked_ids) > 1:
            yield f"*\tEquiv {' '.join(linked_ids)}\n"
    linked = {types[id] for chain in chains if len(chain) > 1 for id in chain}
    alone = [chain[0] for chain in chains if len(chain) == 1 and types[chain[0]] not in linked]
    for note, id in enumerate(alone, start=1):
        yield f"#{note}\tAnnotatorNotes {id}\t{SINGLETON}\n"
