"""WebAnno TSV 3, the export of WebAnno and INCEpTION.

Each row is a token: the numbers of its sentence and its token, where it begins and ends in the
text, the token itself, and one column for each feature of each layer. Offsets count UTF-16 units
from 0, as in Java: an emoji counts as two; ends are exclusive. Coreference is in one of two forms:

- A chain layer (`#T_CH=`): the column `referenceRelation` has `label->3-1` for each token of the
  first mention of chain 3. The label in `referenceType` is the type of the mention.
- A span layer (`#T_SP=`) and a relation layer (`#T_RL=`) on top of it, as in GUM and most projects.
  A span is a value such as `person[10]` in several rows, or a value without a number in one row.
  The row of one end of a relation has its type, and `3-4[11_1]` for the other end: token 3-4, the
  number of the other span, and the number of its own span; 0 stands for a span without a number.

Pitfalls:

- Relations are read if their type contains *coref*, *ident*, *same*, *anaphor* or *cataphor*, or is
  *ana* or *cata*. `webanno:relations=coref+ana+cata+appos` names others. Relations of the same
  layer that are not read are reported with their counts (`W160`).
- A span of that layer without a relation is an entity of one mention. Spans of other layers are not
  mentions. The value of the first feature of the layer is the type of a mention.
- Annotations of parts of tokens (rows such as `1-3.1`) divide the token.
- The text between tokens is rebuilt from the offsets.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from corefscope.corpus.offsets import DEFAULT, Convention
from corefscope.findings import Code
from corefscope.formats.builder import Builder
from corefscope.formats.draft import Draft, DraftEntity, DraftMention, Place, places_of
from corefscope.formats.layout import blank_lines, laid_out
from corefscope.formats.links import IDENTITY, Links, Relations, counted
from corefscope.formats.options import ReadingOptions
from corefscope.formats.source import Progress, Source
from corefscope.formats.whole_files import Report, decoded, read_whole

CONVENTION = Convention(0, "exclusive", "utf16")
HEADER = re.compile(r"#T_(SP|CH|RL)=([^|]*)(?:\|(.*))?")
ROW = re.compile(
    r"(([0-9]+)-[0-9]+(\.[0-9]+)?)\t([0-9]{1,9})-([0-9]{1,9})\t([^\t]*)(?:\t(.*))?", re.DOTALL
)
VALUE = re.compile(r"(.*?)(?:(?<!\\)\[([0-9]+)\])?", re.DOTALL)
LINK = re.compile(r".*->([0-9]+)-([0-9]+)", re.DOTALL)
END = re.compile(r"([0-9]+-[0-9]+(?:\.[0-9]+)?)(?:\[([0-9]+)_([0-9]+)\])?")
BAR = re.compile(r"(?<!\\)\|")
ESCAPED = re.compile(r"\\(.)")
FIXED = 3
"""The columns before those of the layers, which are counted from 0."""
NOTHING = ("_", "")
NO_VALUE = "*"

Key = tuple[str, ...]
"""Identifies a mention: chain and link, or a span by its number or its token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layer:
    kind: str
    name: str
    features: tuple[str, ...]
    first: int
    """Its first column."""

    @property
    def base(self) -> str | None:
        """The span layer that a relation layer is on top of."""
        last = self.features[-1] if self.features else ""
        return last.removeprefix("BT_") if last.startswith("BT_") else None


class _Row(NamedTuple):
    """A token or a part of one that has annotations."""

    unit: str
    token: int
    """The number of the token in the document."""
    begin: int
    end: int
    is_part: bool
    cells: Sequence[str]
    line: int


def read(
    source: Source, builder: Builder, options: ReadingOptions, progress: Progress | None = None
) -> None:
    """Read the document of a file into the builder."""
    tally = builder.tallies.setdefault("webanno", _Tally("webanno", options.relations))
    assert isinstance(tally, _Tally)
    read_whole(source, builder, progress, partial(_drafts, options, tally))


class _Tally(Relations):
    """Counts relations: those in layers of coreference, and those in other layers."""

    def __init__(self, format: str, chosen: Sequence[str]) -> None:
        super().__init__(format, chosen)
        self.elsewhere: Counter[str] = Counter()
        self.has_chains = False

    def findings(self) -> Iterator[tuple[Code, str]]:
        """Yield what to report."""
        if self.has_chains and not self.read:
            return
        if self.read or not self.elsewhere:
            yield from super().findings()
            return
        wanted = " or ".join(sorted(self.chosen)) or "coref, ident, ana or cata"
        message = (
            f"no relation is named {wanted}; there are {counted(self.elsewhere)}; expected "
            "relations that mean identity: name them, as in webanno:relations=NAME"
        )
        yield Code.NOT_IN_FILE, message


def _drafts(options: ReadingOptions, tally: _Tally, data: bytes, report: Report) -> Iterator[Draft]:
    text = decoded(data, report)
    if text is None:
        return
    file = _File(report=report, tally=tally)
    for number, line in enumerate(text.split("\n"), start=1):
        file.read(line.removesuffix("\r"), number)
    if file.words:
        yield file.draft(options)


@dataclass(slots=True, kw_only=True)
class _File:
    """The layers and rows of a file."""

    report: Report
    tally: _Tally
    layers: list[_Layer] = field(default_factory=list)
    width: int = FIXED
    words: list[str] = field(default_factory=list)
    offsets: list[tuple[int, int]] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)
    rows: list[_Row] = field(default_factory=list)
    _sentence: str = ""

    def read(self, line: str, number: int) -> None:
        """Read a line."""
        if line.startswith("#") and (match := HEADER.fullmatch(line)):
            if self.words:
                message = "a layer is declared after the first token; expected it before"
                self.report(Code.BAD_LINE, message, number)
                return
            features = tuple(name for name in (match[3] or "").split("|") if name)
            self.layers.append(
                _Layer(kind=match[1], name=match[2], features=features, first=self.width - FIXED)
            )
            self.width += max(2 if match[1] == "CH" else 1, len(features))
        elif line and not line.startswith("#"):
            match = ROW.fullmatch(line)
            if match is None or line.count("\t") + 1 < self.width:
                message = (
                    f"found {line[:60]!r}; expected a row such as '1-1⇥0-3⇥Ann', and "
                    f"{self.width} columns"
                )
                self.report(Code.BAD_LINE, message, number)
            else:
                self._row(match, number)

    def _row(self, match: re.Match[str], line: int) -> None:
        unit, sentence, part, begin, end, word, rest = match.groups()
        place = int(begin), int(end)
        if part is None:
            if sentence != self._sentence:
                self._sentence = sentence
                self.sentences.append(0)
            self.sentences[-1] += 1
            self.words.append(word)
            self.offsets.append(place)
        elif not self.words:
            message = f"{unit} is a part of a token; expected the token on a row before"
            self.report(Code.BAD_LINE, message, line)
            return
        if rest and rest.strip("_\t"):
            cells = rest.split("\t")
            self.rows.append(_Row(unit, len(self.words) - 1, *place, part is not None, cells, line))

    def draft(self, options: ReadingOptions) -> Draft:
        """Return the document."""
        draft = Draft(
            name=None,
            words=self.words,
            sentences=self.sentences,
            entities=[],
            convention=options.convention(CONVENTION),
        )
        breaks = blank_lines(self.offsets, self.sentences)
        found = laid_out(self.words, self.offsets, breaks, "utf16")
        if found is None:
            message = "the offsets of tokens do not fit their words; the text is left out"
            self.report(Code.BAD_LAYER, message)
            draft.convention = DEFAULT
        else:
            draft.text, draft.characters = found
        mentions = self._mentions()
        for label, members in enumerate(mentions):
            places = [self._mention(mention, found is not None) for mention in members]
            draft.entities.append(DraftEntity(label=str(label + 1), mentions=places))
        return draft

    def _mention(self, mention: _Found, has_text: bool) -> DraftMention:
        rows = mention.rows
        if has_text:
            places = self._stretches(rows)
        else:
            for row in rows:
                if row.is_part:
                    message = "a part of a token is annotated; expected offsets that fit the words"
                    self.report(Code.BAD_LINE, message, row.line)
            places = places_of(row.token for row in rows)
        return DraftMention(places=places, type=mention.type, line=rows[0].line)

    def _stretches(self, rows: Sequence[_Row]) -> tuple[Place, ...]:
        """Return the stretches of text of some rows; those of neighbouring tokens are one."""
        if len(rows) == 1:
            return ((rows[0].begin, rows[0].end),)
        places: list[tuple[int, int]] = []
        before: _Row | None = None
        for row in sorted(rows, key=lambda row: (row.begin, row.end)):
            if before is not None and self._touch(before, row):
                places[-1] = places[-1][0], row.end
            else:
                places.append((row.begin, row.end))
            before = row
        return tuple(places)

    def _touch(self, before: _Row, row: _Row) -> bool:
        """Return whether nothing but blanks is between two rows."""
        is_next = before.token + 1 == row.token
        at_edges = (
            before.end == self.offsets[before.token][1] and row.begin == self.offsets[row.token][0]
        )
        return before.end == row.begin or (is_next and at_edges)

    def _mentions(self) -> list[list[_Found]]:
        """Return the mentions of each entity."""
        chains = [layer for layer in self.layers if layer.kind == "CH"]
        links = [layer for layer in self.layers if layer.kind == "RL"]
        if not chains and not links:
            known = ", ".join(layer.name for layer in self.layers) or "none"
            message = (
                "the file has no layer of chains and no layer of relations; expected one with "
                f"coreference. The layers are: {known}"
            )
            self.report(Code.NOT_IN_FILE, message)
            return []
        self.tally.has_chains |= bool(chains)
        entities = [entity for layer in chains for entity in self._of_chains(layer)]
        return entities + self._of_relations(links)

    # ---- Chains ----

    def _of_chains(self, layer: _Layer) -> list[list[_Found]]:
        mentions: dict[Key, _Found] = {}
        for row in self.rows:
            types = _stack(row.cells[layer.first])
            for number, link in enumerate(_stack(row.cells[layer.first + 1])):
                match = LINK.fullmatch(link)
                if match is None:
                    message = f"found {link[:40]!r}; expected a link of a chain such as '*->1-2'"
                    self.report(Code.BAD_LINE, message, row.line)
                    continue
                type = types[number] if number < len(types) else NO_VALUE
                key = match[1], match[2]
                mentions.setdefault(key, _Found(_plain(type), [])).rows.append(row)
        entities: dict[str, list[_Found]] = {}
        for (chain, _), mention in mentions.items():
            entities.setdefault(chain, []).append(mention)
        return list(entities.values())

    # ---- Spans and relations ----

    def _of_relations(self, layers: Sequence[_Layer]) -> list[list[_Found]]:
        spans = {layer.name: layer for layer in self.layers if layer.kind == "SP"}
        found = {layer: self._relations(layer) for layer in layers if layer.base in spans}
        # Syntax is often a layer of relations, too.
        chosen = [
            layer
            for layer, (names, ends) in found.items()
            if ends or not names or IDENTITY.search(layer.name)
        ]
        for layer, (names, ends) in found.items():
            self.tally.read += len(ends)
            (self.tally.others if layer in chosen else self.tally.elsewhere).update(names)
        entities = []
        for name in dict.fromkeys(str(layer.base) for layer in chosen):
            links: Links[Key] = Links()
            mentions = self._spans(spans[name])
            for key in mentions:
                links.add(key)
            for layer in chosen:
                if layer.base == name:
                    self._join(links, mentions, found[layer][1])
            entities += [[mentions[key] for key in group] for group in links.groups()]
        return entities

    def _spans(self, layer: _Layer) -> dict[Key, _Found]:
        mentions: dict[Key, _Found] = {}
        for row in self.rows:
            for value in _stack(row.cells[layer.first]):
                match = VALUE.fullmatch(value)
                assert match is not None
                key: Key = ("span", match[2]) if match[2] else ("token", row.unit)
                mentions.setdefault(key, _Found(_plain(match[1]), [])).rows.append(row)
        return mentions

    def _relations(self, layer: _Layer) -> tuple[Counter[str], list[tuple[Key, Key, int]]]:
        """Return the relations of a layer that do not mean identity, and the ends of those that do.

        The ends come with their lines.
        """
        others: Counter[str] = Counter()
        ends: list[tuple[Key, Key, int]] = []
        column = layer.first + len(layer.features) - 1
        for row in self.rows:
            names = _stack(row.cells[layer.first]) if column > layer.first else []
            for number, other in enumerate(_stack(row.cells[column])):
                match = END.fullmatch(other)
                if match is None:
                    message = (
                        f"found {other[:40]!r}; expected the end of a relation such as 1-2[3_4]"
                    )
                    self.report(Code.BAD_LINE, message, row.line)
                    continue
                name = _plain(names[number]) if number < len(names) else None
                name = name or layer.name.rpartition(".")[2]
                if self.tally.is_identity(name):
                    ends.append((_key(match[2], match[1]), _key(match[3], row.unit), row.line))
                else:
                    others[name] += 1
        return others, ends

    def _join(
        self,
        links: Links[Key],
        mentions: dict[Key, _Found],
        ends: Sequence[tuple[Key, Key, int]],
    ) -> None:
        for one, other, line in ends:
            unknown = [key for key in (one, other) if key not in mentions]
            if unknown:
                message = (
                    f"a relation has the end {' '.join(unknown[0])}; expected an annotated span"
                )
                self.report(Code.UNKNOWN_REFERENCE, message, line)
            else:
                links.join([one, other])


@dataclass(frozen=True, slots=True)
class _Found:
    """A mention and its rows."""

    type: str | None
    rows: list[_Row]


def _stack(cell: str) -> list[str]:
    """Return the values of a cell."""
    if cell in NOTHING:
        return []
    return cell.split("|") if "\\" not in cell else BAR.split(cell)


def _plain(value: str) -> str | None:
    """Return a value without its number and escapes; None if it is empty."""
    match = VALUE.fullmatch(value)
    assert match is not None
    return None if match[1] == NO_VALUE else ESCAPED.sub(r"\1", match[1])


def _key(number: str | None, unit: str) -> Key:
    return ("token", unit) if number is None or number == "0" else ("span", number)
