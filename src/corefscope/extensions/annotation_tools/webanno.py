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

- Relations are read if their type contains *coref*, *anaphor* or *cataphor*, a word that begins
  with *ident* or *same*, or the word *ana* or *cata*. Words end at signs, digits and capitals:
  `CorefIdent` has two. They are not read if the type contains *bridg* or *split*, a word that
  begins with *non*, or the word *no*, *not*, *near* or *part* (also *parts*, *partial*, *partof*).
  `webanno:relations=coref+ana+cata+appos` names others. Relations of the same layer that are not
  read are reported with their counts (`W160`), as are those that are read although their names have
  other words (`W160`).
- If a file has chains, its relations are not read, so that nothing counts twice. Relations that
  mean identity are then reported with their counts (`W110`). `webanno:relations=coref` reads
  relations in place of chains.
- A span of that layer without a relation is an entity of one mention. Spans of other layers are not
  mentions. The value of the first feature of the layer is the type of a mention.
- Mentions of chains have no gaps, as in WebAnno. A link with a gap, or a token with the type of a
  chain but no link, is an error (`E135`).
- Annotations of parts of tokens (rows such as `1-3.1`) divide the token.
- The text between tokens is rebuilt from the offsets.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, chain, groupby
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from corefscope.corpus.offsets import TOKENS, Convention
from corefscope.findings import Code, Finding
from corefscope.formats.reading.draft import Draft, Mentions, Place, places_of
from corefscope.formats.reading.file import File, FindingReporter
from corefscope.formats.reading.layout import TokenLayout
from corefscope.formats.reading.links import Links
from corefscope.formats.reading.options import Reading
from corefscope.formats.reading.relations import Relations, counted, names_identity
from corefscope.formats.reading.whole_files import decoded, whole_reader

IN_TEXT = Convention(0, "exclusive", "utf16")
HEADER = re.compile(r"#T_(SP|CH|RL)=([^|]*)(?:\|(.*))?")
UNIT, OFFSETS = r"[0-9]+-[0-9]+(?:\.[0-9]+)?", r"[0-9]{1,9}-[0-9]{1,9}"
ROW = re.compile(rf"{UNIT}\t{OFFSETS}\t.*", re.DOTALL)
LAYER = re.compile(rb"#T_[^\n]*")
FIRST_ROW = re.compile(rb"^[^#\n]", re.MULTILINE)
LINK = re.compile(r".*->([0-9]+)-([0-9]+)", re.DOTALL)
END = re.compile(r"([0-9]+-[0-9]+(?:\.[0-9]+)?)(?:\[([0-9]+)_([0-9]+)\])?")
BAR = re.compile(r"(?<!\\)\|")
ESCAPED = re.compile(r"\\(.)")
BRACKET = re.compile(r"(?<!\\)[\[\]]")
FIXED = 3
"""The columns before those of the layers."""
NOTHING = ("_", "")
NO_VALUE = "*"

Key = tuple[str, ...]
"""Identifies a mention: chain and link, or a span by its number or its token."""
_Relations = tuple[Counter[str], list[tuple[Key, Key, int]]]
"""The names of the relations of a layer, and the ends of those that mean identity."""


class _Layer(Struct, frozen=True, kw_only=True):
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


class _Tally(Relations):
    """Counts relations: those in layers of coreference, and those in other layers."""

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading)
        self.elsewhere: Counter[str] = Counter()
        self.beside_chains: Counter[str] = Counter()
        """Relations that mean identity, in files whose chains are read."""
        self.has_chains = False

    def add(self, names: Mapping[str, int], *, is_elsewhere: bool) -> None:
        """Count the relations of a layer."""
        for name, count in names.items():
            others = self.elsewhere if is_elsewhere else self.others
            (self.read if self.is_identity(name) else others)[name] += count

    def findings(self) -> Iterator[Finding]:
        """Yield what to report."""
        if self.beside_chains:
            names = "+".join(sorted(self.beside_chains))
            yield Finding(
                Code.SEVERAL_ANNOTATIONS,
                "files have chains and relations that mean identity",
                expected=(
                    f"one of the two: chains are read, and not {counted(self.beside_chains)}; to "
                    f"read these instead: webanno:relations={names}"
                ),
            )
        if self.has_chains and not self.read:
            return
        if self.read or not self.elsewhere:
            yield from super().findings()
            return
        wanted = " or ".join(sorted(self.chosen)) or "coref, ident, ana or cata"
        yield Finding(
            Code.NOT_IN_FILE,
            f"no relation is named {wanted}; there are {counted(self.elsewhere)}",
            expected="relations that mean identity: name them, as in webanno:relations=NAME",
        )


def _drafts(file: File, data: bytes) -> Iterator[Draft]:
    report = file.report
    if decoded(data, report) is None:
        return
    data = data.replace(b"\r\n", b"\n").removesuffix(b"\r")
    layers, width = _layers(data, report)
    rows = _rows(data, width, report)
    if rows:
        yield _File(report, file.tally(_Tally), layers, rows).draft()


read = whole_reader(_drafts)


def _layers(data: bytes, report: FindingReporter) -> tuple[list[_Layer], int]:
    """Return the layers, and how many columns there are; layers stand before the first row."""
    layers, width = list[_Layer](), FIXED
    first = FIRST_ROW.search(data)
    for line in LAYER.finditer(data):
        begin = line.start()
        match = HEADER.fullmatch(line[0].decode(errors="surrogateescape"))
        if match is None or data[begin - 1 : begin] not in (b"", b"\n"):
            continue
        if first and begin > first.start():
            report(
                Code.BAD_LINE,
                "a layer is declared after the first token",
                data.count(b"\n", 0, begin) + 1,
                expected="it before",
            )
            continue
        features = tuple(name for name in (match[3] or "").split("|") if name)
        layers.append(_Layer(kind=match[1], name=match[2], features=features, first=width))
        width += max(2 if match[1] == "CH" else 1, len(features))
    return layers, width


class _Row(NamedTuple):
    """A token, or a part of one."""

    line: int
    unit: str
    """The numbers of sentence and token, and of a part."""
    begin: int
    end: int
    cells: list[str]

    @property
    def is_part(self) -> bool:
        """Whether it is a part of a token."""
        return "." in self.unit


def _rows(data: bytes, width: int, report: FindingReporter) -> list[_Row]:
    """Return the rows of a file; report what is no row."""
    rows: list[_Row] = []
    for number, line in enumerate(data.decode(errors="surrogateescape").split("\n"), start=1):
        if not line or line[0] == "#" or not _is_row(line, number, width, report):
            continue
        unit, offsets, *_ = cells = line.split("\t")[:width]
        begin, end = map(int, offsets.split("-"))
        row = _Row(number, unit, begin, end, cells)
        if rows or not row.is_part:
            rows.append(row)
        else:
            found, expected = f"{unit} is a part of a token", "the token on a row before"
            report(Code.BAD_LINE, found, number, expected=expected)
    return rows


def _is_row(line: str, number: int, width: int, report: FindingReporter) -> bool:
    """Return whether a line is a row; report it otherwise."""
    cells = line.removesuffix("\t").count("\t") + 1
    if ROW.fullmatch(line) and cells == width:
        return True
    report(
        Code.BAD_LINE,
        f"found {line[:60]!r}, {cells} columns",
        number,
        expected=f"a row such as '1-1⇥0-3⇥Ann', and {width} columns",
    )
    return False


class _File:
    """The layers and rows of a file."""

    def __init__(
        self,
        report: FindingReporter,
        tally: _Tally,
        layers: Sequence[_Layer],
        rows: Sequence[_Row],
    ) -> None:
        self.report, self.tally, self.layers, self.rows = report, tally, layers, rows
        self.tokens = [count - 1 for count in accumulate(not row.is_part for row in rows)]
        """The token of each row."""

    def draft(self) -> Draft:
        """Return the document."""
        whole = [row for row in self.rows if not row.is_part]
        words = [row.cells[2] for row in whole]
        begins, ends = np.array([(row.begin, row.end) for row in whole]).T
        sentences = groupby(row.unit.partition("-")[0] for row in whole)
        lengths = [len(list(tokens)) for _, tokens in sentences]
        layout = TokenLayout(words=words, begins=begins, ends=ends, unit="utf16")
        has_text = layout.fits()
        if not has_text:
            message = "the offsets of tokens do not fit their words; the text is left out"
            self.report(Code.BAD_LAYER, message)
        entities = self._entities()
        found = list(chain.from_iterable(entities))
        is_cut = has_text and any(self._is_cut(row) for each in found for row in each.rows)
        place: Callable[[list[int]], tuple[Place, ...]] = self._tokens
        if is_cut:
            place = partial(self._stretches, begins.tolist(), ends.tolist())
        places = [place(each.rows) for each in found]
        stretches = list(chain.from_iterable(places))
        draft = Draft(
            name=None,
            words=words,
            sentences=lengths,
            mentions=Mentions(
                labels=list(map(str, range(1, len(entities) + 1))),
                sizes=list(map(len, entities)),
                places=stretches,
                parts=list(map(len, places)) if len(stretches) != len(places) else (),
                lines=[self.rows[each.rows[0]].line for each in found],
            ),
            convention=IN_TEXT if is_cut else TOKENS,
            complete=partial(_complete, found, layout if has_text else None, lengths),
        )
        if is_cut:
            # Tokens must be divided, and the text says where.
            _complete(found, layout, lengths, draft)
        return draft

    def _is_cut(self, row: int) -> bool:
        """Return whether a row is not a whole token, or a token with blanks at its edges."""
        word = self.rows[row].cells[2]
        return self.rows[row].is_part or not word or word != word.strip()

    def _tokens(self, rows: list[int]) -> tuple[Place, ...]:
        """Return the tokens of some rows."""
        for row in rows:
            if self.rows[row].is_part:
                self.report(
                    Code.BAD_LINE,
                    "a part of a token is annotated",
                    self.rows[row].line,
                    expected="offsets that fit the words",
                )
        places = places_of(self.tokens[row] for row in rows)
        return tuple((first, last + 1) for first, last in places)

    def _stretches(
        self, begins: Sequence[int], ends: Sequence[int], rows: Sequence[int]
    ) -> tuple[Place, ...]:
        """Return the stretches of text of some rows; those of neighbouring tokens are one."""
        places: list[tuple[int, int]] = []
        before = -1
        for begin, end, row in sorted((*self.rows[row][2:4], row) for row in rows):
            token = self.tokens[row]
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
            self.report(
                Code.NOT_IN_FILE,
                "the file has no layer of chains and no layer of relations",
                expected=f"one with coreference. The layers are: {known}",
            )
            return []
        if links and self.tally.chosen:
            return self._of_relations(links)
        self.tally.has_chains |= bool(chains)
        entities = [entity for layer in chains for entity in self._of_chains(layer)]
        if not entities:
            return self._of_relations(links)
        for names, _ in self._found_relations(links).values():
            here = {name: count for name, count in names.items() if self.tally.is_identity(name)}
            self.tally.beside_chains.update(here)
        return entities

    def _filled(self, column: int) -> Iterator[tuple[int, list[str]]]:
        """Yield the rows that have values in a column, and their cells."""
        for number, row in enumerate(self.rows):
            if row.cells[column] not in NOTHING:
                yield number, row.cells

    # ---- Chains ----

    def _of_chains(self, layer: _Layer) -> list[list[_Found]]:
        mentions: dict[Key, _Found] = {}
        known: dict[str, _Found] = {}
        for row, cells in self._filled(layer.first + 1):
            types, cell = cells[layer.first : layer.first + 2]
            if cell in known:
                # Most cells are a link that a token before also has.
                known[cell].rows.append(row)
                continue
            for number, link in enumerate(_stack(cell)):
                if link not in known:
                    match = LINK.fullmatch(link)
                    if match is None:
                        self.report(
                            Code.BAD_LINE,
                            f"found {link[:40]!r}",
                            self.rows[row].line,
                            expected="a link of a chain such as '*->1-2'",
                        )
                        continue
                    found = _Found(types, number, [])
                    known[link] = mentions.setdefault(match.groups(), found)
                known[link].rows.append(row)
        entities: dict[str, list[_Found]] = {}
        for (chain_id, _), mention in mentions.items():
            entities.setdefault(chain_id, []).append(mention)
        return list(entities.values())

    # ---- Spans and relations ----

    @property
    def _span_layers(self) -> dict[str, _Layer]:
        """The layers of spans by name."""
        return {layer.name: layer for layer in self.layers if layer.kind == "SP"}

    def _found_relations(self, layers: Sequence[_Layer]) -> dict[_Layer, _Relations]:
        """Return the relations of the layers on top of spans."""
        spans = self._span_layers
        found = {layer: self._relations(layer) for layer in layers if layer.base in spans}
        for layer in layers:
            # A layer of syntax may be on top of one that was not exported.
            if layer.base not in spans and (names_identity(layer.name) or not found):
                self.report(
                    Code.NOT_IN_FILE,
                    f"the relations {layer.name!r} are on top of {layer.base!r}, which is no "
                    "layer of the file",
                    expected=f"one of these: {', '.join(spans) or 'none'}",
                )
        return found

    def _of_relations(self, layers: Sequence[_Layer]) -> list[list[_Found]]:
        spans, found = self._span_layers, self._found_relations(layers)
        # Syntax is often also a layer of relations.
        chosen = [
            layer
            for layer, (names, ends) in found.items()
            if ends or not names or names_identity(layer.name)
        ]
        for layer, (names, _) in found.items():
            self.tally.add(names, is_elsewhere=layer not in chosen)
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
        for row, cells in self._filled(layer.first):
            unit, cell = cells[0], cells[layer.first]
            for place, value in enumerate(_stack(cell)):
                label, number = _numbered(value)
                if BRACKET.search(label):
                    self.report(
                        Code.BAD_LINE,
                        f"found {value[:40]!r}",
                        self.rows[row].line,
                        expected="a label, or a label with a number such as 'PER[3]'",
                    )
                key: Key = ("span", number) if number else ("token", unit)
                if key not in mentions:
                    mentions[key] = _Found(cell, place, [])
                mentions[key].rows.append(row)
        return mentions

    def _relations(self, layer: _Layer) -> _Relations:
        """Return the names of the relations of a layer, and the ends of those that mean identity.

        The ends come with their lines.
        """
        names: Counter[str] = Counter()
        ends: list[tuple[Key, Key, int]] = []
        column = layer.first + len(layer.features) - 1
        for place in range(layer.first, column):
            for row, cells in self._filled(place):
                if cells[column] not in NOTHING:
                    continue
                self.report(
                    Code.BAD_LINE,
                    f"found {cells[place][:40]!r} of a relation without an end",
                    self.rows[row].line,
                    expected="both, or neither: are cells shifted?",
                )
        for row, cells in self._filled(column):
            unit, types = cells[0], cells[layer.first]
            for number, other in enumerate(_stack(cells[column])):
                match = END.fullmatch(other)
                if match is None:
                    self.report(
                        Code.BAD_LINE,
                        f"found {other[:40]!r}",
                        self.rows[row].line,
                        expected="the end of a relation such as 1-2[3_4]",
                    )
                    continue
                name = _type(types, number) if column > layer.first else None
                name = name or layer.name.rpartition(".")[2]
                names[name] += 1
                if self.tally.is_identity(name):
                    ends.append(
                        (_key(match[2], match[1]), _key(match[3], unit), self.rows[row].line)
                    )
        return names, ends

    def _join(
        self,
        links: Links[Key],
        mentions: dict[Key, _Found],
        ends: Sequence[tuple[Key, Key, int]],
    ) -> None:
        for one, other, line in ends:
            unknown = [key for key in (one, other) if key not in mentions]
            if unknown:
                self.report(
                    Code.BAD_LINE,
                    f"a relation has the end {' '.join(unknown[0])}",
                    line,
                    expected="an annotated span",
                )
            else:
                links.join([one, other])


class _Found(NamedTuple):
    """A mention."""

    types: str
    """A cell with its type."""
    number: int
    """Which value of this cell is its type."""
    rows: list[int]


def _complete(
    found: Sequence[_Found], layout: TokenLayout | None, sentences: Sequence[int], draft: Draft
) -> None:
    """Add the types of mentions, and the text if it is known."""
    draft.mentions.types = [_type(each.types, each.number) for each in found]
    if layout is not None:
        draft.text, draft.characters = layout.text(layout.blank_lines(sentences))


def _stack(cell: str) -> list[str]:
    """Return the values of a cell."""
    if cell in NOTHING:
        return []
    return cell.split("|") if "\\" not in cell else BAR.split(cell)


def _type(cell: str, number: int) -> str | None:
    """Return the value of a cell with a number, without the number of its span; None if empty."""
    values = _stack(cell)
    return _plain(_numbered(values[number])[0]) if number < len(values) else None


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


# ---- Writing ----
