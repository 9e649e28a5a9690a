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
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate, chain, compress, groupby, repeat, takewhile
from typing import NamedTuple

from corefscope.corpus.offsets import Convention
from corefscope.findings import Code
from corefscope.formats.builder import Builder
from corefscope.formats.draft import Draft, DraftEntity, DraftMention, Place, places_of
from corefscope.formats.layout import Layout
from corefscope.formats.links import IDENTITY, Links, Relations, counted
from corefscope.formats.options import ReadingOptions
from corefscope.formats.source import Progress, Source
from corefscope.formats.whole_files import Report, decoded, read_whole

IN_TEXT = Convention(0, "exclusive", "utf16")
IN_TOKENS = Convention(0, "exclusive", "token")
HEADER = re.compile(r"#T_(SP|CH|RL)=([^|]*)(?:\|(.*))?")
UNIT, OFFSETS = r"[0-9]+-[0-9]+(?:\.[0-9]+)?", r"[0-9]{1,9}-[0-9]{1,9}"
ROW = re.compile(rf"{UNIT}\t{OFFSETS}\t.*", re.DOTALL)
COLUMNS = tuple(re.compile(rf"(?:{cell}\n)*+") for cell in (UNIT, OFFSETS))
"""What the first columns look like, if each cell ends with a newline."""
LINK = re.compile(r".*->([0-9]+)-([0-9]+)", re.DOTALL)
END = re.compile(r"([0-9]+-[0-9]+(?:\.[0-9]+)?)(?:\[([0-9]+)_([0-9]+)\])?")
BAR = re.compile(r"(?<!\\)\|")
ESCAPED = re.compile(r"\\(.)")
FIXED = 3
"""The columns before those of the layers."""
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
    del options  # The tally has what they say.
    text = decoded(data, report)
    if text is None:
        return
    lines = text.replace("\r\n", "\n").removesuffix("\r").split("\n")
    numbers = [number for number, line in enumerate(lines, start=1) if line and line[0] != "#"]
    layers, width = _layers(lines, numbers[:1], report)
    numbers, columns = _columns(lines, numbers, width, report)
    if numbers:
        yield _File(
            report=report, tally=tally, layers=layers, lines=numbers, columns=columns
        ).draft()


def _layers(lines: Sequence[str], first: Sequence[int], report: Report) -> tuple[list[_Layer], int]:
    """Return the layers, and how many columns there are; layers stand before the first row."""
    layers, width = list[_Layer](), FIXED
    for number in [number for number, line in enumerate(lines, start=1) if line[:3] == "#T_"]:
        match = HEADER.fullmatch(lines[number - 1])
        if match is None:
            continue
        if first and number > first[0]:
            message = "a layer is declared after the first token; expected it before"
            report(Code.BAD_LINE, message, number)
            continue
        features = tuple(name for name in (match[3] or "").split("|") if name)
        layers.append(_Layer(kind=match[1], name=match[2], features=features, first=width))
        width += max(2 if match[1] == "CH" else 1, len(features))
    return layers, width


def _columns(
    lines: Sequence[str], numbers: list[int], width: int, report: Report
) -> tuple[list[int], list[list[str]]]:
    """Return the lines of the rows, and their columns; report what is no row."""
    rows = [lines[number - 1] for number in numbers]
    columns = _even(rows, width)
    if columns is None:
        is_row = [_is_row(*each, width, report) for each in zip(rows, numbers, strict=True)]
        numbers = list(compress(numbers, is_row))
        found = [row.split("\t")[:width] for row in compress(rows, is_row)]
        columns = list(map(list, zip(*found, strict=True)))
    parts = takewhile(lambda row: "." in row[1], enumerate(columns[0] if columns else ()))
    skipped = 0
    for row, unit in parts:
        message = f"{unit} is a part of a token; expected the token on a row before"
        report(Code.BAD_LINE, message, numbers[row])
        skipped = row + 1
    return numbers[skipped:], [column[skipped:] for column in columns]


def _even(rows: Sequence[str], width: int) -> list[list[str]] | None:
    """Return the columns of rows; None if some are no rows, or have more columns than others."""
    counts = set(map(str.count, rows, repeat("\t")))
    size = max(counts, default=0) + 1
    if len(counts) != 1 or size < width:
        return None
    cells = "\t".join(rows).split("\t")
    columns = [cells[place::size] for place in range(width)]
    looks = zip(COLUMNS, columns, strict=False)
    is_even = all(pattern.fullmatch("\n".join([*column, ""])) for pattern, column in looks)
    return columns if is_even else None


def _is_row(line: str, number: int, width: int, report: Report) -> bool:
    """Return whether a line is a row; report it otherwise."""
    if ROW.fullmatch(line) and line.count("\t") + 1 >= width:
        return True
    message = f"found {line[:60]!r}; expected a row such as '1-1⇥0-3⇥Ann', and {width} columns"
    report(Code.BAD_LINE, message, number)
    return False


@dataclass(slots=True, kw_only=True)
class _File:
    """The layers and rows of a file; a row is a token or a part of one."""

    report: Report
    tally: _Tally
    layers: list[_Layer]
    lines: list[int]
    """The line of each row."""
    columns: list[list[str]]
    begins: list[int] = field(init=False)
    ends: list[int] = field(init=False)
    is_part: list[bool] = field(init=False)
    tokens: Sequence[int] = field(init=False)
    """The token of each row."""

    def __post_init__(self) -> None:
        offsets = list(map(int, "-".join(self.columns[1]).split("-")))
        self.begins, self.ends = offsets[::2], offsets[1::2]
        self.is_part = [False] * len(self.units)
        self.tokens = range(len(self.units))
        if "." in "".join(self.units):
            self.is_part = ["." in unit for unit in self.units]
            self.tokens = [number - 1 for number in accumulate(not part for part in self.is_part)]

    @property
    def units(self) -> Sequence[str]:
        """The numbers of sentence and token, and of a part."""
        return self.columns[0]

    def draft(self) -> Draft:
        """Return the document."""
        is_token = [not part for part in self.is_part]
        words = list(compress(self.columns[2], is_token))
        begins, ends = (list(compress(edges, is_token)) for edges in (self.begins, self.ends))
        sentences = "-".join(self.units).split("-")[::2]
        lengths = [len(list(group)) for _, group in groupby(compress(sentences, is_token))]
        layout = Layout(words=words, begins=begins, ends=ends, unit="utf16")
        has_text = layout.fits()
        if not has_text:
            message = "the offsets of tokens do not fit their words; the text is left out"
            self.report(Code.BAD_LAYER, message)
        entities = self._entities()
        draft = Draft(name=None, words=words, sentences=lengths, entities=[], convention=IN_TOKENS)
        add_text = partial(_add_text, layout, lengths)
        place: Callable[[Sequence[int]], tuple[Place, ...]] = self._tokens
        if has_text and self._is_cut(
            row for found in chain.from_iterable(entities) for row in found.rows
        ):
            # Tokens must be divided, and the text says where.
            add_text(draft)
            draft.convention, place = IN_TEXT, partial(self._stretches, begins, ends)
        elif has_text:
            draft.complete = add_text
        for label, members in enumerate(entities, start=1):
            mentions = [
                DraftMention(
                    places=place(found.rows), type=found.type, line=self.lines[found.rows[0]]
                )
                for found in members
            ]
            draft.entities.append(DraftEntity(label=str(label), mentions=mentions))
        return draft

    def _is_cut(self, rows: Iterable[int]) -> bool:
        """Return whether a row is not a whole token, or a token with blanks at its edges."""
        words = self.columns[2]
        if not any(self.is_part) and "" not in words and words == list(map(str.strip, words)):
            return False
        return any(
            self.is_part[row] or not words[row] or words[row] != words[row].strip() for row in rows
        )

    def _tokens(self, rows: Sequence[int]) -> tuple[Place, ...]:
        """Return the tokens of some rows."""
        if len(rows) == 1 and not self.is_part[rows[0]]:
            return ((self.tokens[rows[0]], self.tokens[rows[0]] + 1),)
        for row in rows:
            if self.is_part[row]:
                message = "a part of a token is annotated; expected offsets that fit the words"
                self.report(Code.BAD_LINE, message, self.lines[row])
        places = places_of(self.tokens[row] for row in rows)
        return tuple((first, last + 1) for first, last in places)

    def _stretches(
        self, begins: Sequence[int], ends: Sequence[int], rows: Sequence[int]
    ) -> tuple[Place, ...]:
        """Return the stretches of text of some rows; those of neighbouring tokens are one."""
        places: list[tuple[int, int]] = []
        before = -1
        for row in sorted(rows, key=lambda row: (self.begins[row], self.ends[row])):
            begin, end, token = self.begins[row], self.ends[row], self.tokens[row]
            # Nothing but blanks is between a token and the next one.
            is_next = before + 1 == token and begin == begins[token]
            if places and (places[-1][1] == begin or (is_next and places[-1][1] == ends[before])):
                places[-1] = places[-1][0], end
            else:
                places.append((begin, end))
            before = token
        return tuple(places)

    def _entities(self) -> list[list[_Found]]:
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

    def _filled(self, column: int) -> list[tuple[int, list[str]]]:
        """Return the rows that have values in a column, with these values."""
        cells = self.columns[column]
        return [(row, _stack(cell)) for row, cell in enumerate(cells) if cell not in NOTHING]

    # ---- Chains ----

    def _of_chains(self, layer: _Layer) -> list[list[_Found]]:
        mentions: dict[Key, _Found] = {}
        known: dict[str, _Found] = {}
        types = self.columns[layer.first]
        for row, links in self._filled(layer.first + 1):
            for number, link in enumerate(links):
                if link not in known:
                    match = LINK.fullmatch(link)
                    if match is None:
                        message = (
                            f"found {link[:40]!r}; expected a link of a chain such as '*->1-2'"
                        )
                        self.report(Code.BAD_LINE, message, self.lines[row])
                        continue
                    given = _stack(types[row])
                    type = given[number] if number < len(given) else NO_VALUE
                    found = mentions.setdefault(
                        (match[1], match[2]), _Found(_plain(_numbered(type)[0]), [])
                    )
                    known[link] = found
                known[link].rows.append(row)
        entities: dict[str, list[_Found]] = {}
        for (chain_id, _), mention in mentions.items():
            entities.setdefault(chain_id, []).append(mention)
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
        for row, values in self._filled(layer.first):
            for value in values:
                text, number = _numbered(value)
                key: Key = ("span", number) if number else ("token", self.units[row])
                if key not in mentions:
                    mentions[key] = _Found(_plain(text), [])
                mentions[key].rows.append(row)
        return mentions

    def _relations(self, layer: _Layer) -> tuple[Counter[str], list[tuple[Key, Key, int]]]:
        """Return the relations of a layer that do not mean identity, and the ends of those that do.

        The ends come with their lines.
        """
        others: Counter[str] = Counter()
        ends: list[tuple[Key, Key, int]] = []
        column = layer.first + len(layer.features) - 1
        for row, links in self._filled(column):
            for number, other in enumerate(links):
                match = END.fullmatch(other)
                if match is None:
                    message = (
                        f"found {other[:40]!r}; expected the end of a relation such as 1-2[3_4]"
                    )
                    self.report(Code.BAD_LINE, message, self.lines[row])
                    continue
                names = _stack(self.columns[layer.first][row]) if column > layer.first else []
                name = _plain(_numbered(names[number])[0]) if number < len(names) else None
                name = name or layer.name.rpartition(".")[2]
                if self.tally.is_identity(name):
                    ends.append(
                        (_key(match[2], match[1]), _key(match[3], self.units[row]), self.lines[row])
                    )
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


class _Found(NamedTuple):
    """The type of a mention, and its rows."""

    type: str | None
    rows: list[int]


def _add_text(layout: Layout, sentences: Sequence[int], draft: Draft) -> None:
    draft.text, draft.characters = layout.text(layout.blank_lines(sentences))


def _stack(cell: str) -> list[str]:
    """Return the values of a cell."""
    if cell in NOTHING:
        return []
    return cell.split("|") if "\\" not in cell else BAR.split(cell)


def _plain(value: str) -> str | None:
    """Return a value without its escapes; None if it is empty."""
    if "\\" in value:
        return ESCAPED.sub(r"\1", value)
    return None if value == NO_VALUE else value


def _numbered(value: str) -> tuple[str, str | None]:
    """Return a value without the number in brackets at its end, and this number."""
    before, bracket, number = value[:-1].rpartition("[")
    if value[-1:] == "]" and bracket and number.isascii() and number.isdigit():
        return (before, number) if before[-1:] != "\\" else (value, None)
    return value, None


def _key(number: str | None, unit: str) -> Key:
    return ("token", unit) if number is None or number == "0" else ("span", number)
