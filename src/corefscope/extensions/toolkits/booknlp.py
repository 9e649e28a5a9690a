"""BookNLP: `X.entities`, with the words in `X.tokens` beside it.

BookNLP processes novels. Each row of `X.entities` has an entity, the first and the last token of a
mention, its level (PROP, NOM or PRON), its type and its words. Tokens are counted in the document
from 0, and the last token is part of the mention.

- Every entity is there, also those of one mention. By default, BookNLP does not join common nouns
  with names.
- Without the step `coref`, BookNLP writes the entity −1 for each mention that it could not resolve
  by its name. These mentions are not one entity: each of them is an entity of one mention (`W157`).
  An empty field is an error (`E135`).
- Without `X.tokens`, only the positions are known (`W401`). `X.tokens` without entities cannot be
  scored. `X.book` has only the characters of the book, without positions, and cannot be scored.
- The columns `byte_onset` and `byte_offset` count characters, not bytes. The text between tokens is
  rebuilt from them: a break between paragraphs becomes newlines, any other blank a space.
- Fields are separated by tabs only; quotation marks have no special meaning.
- The heads of mentions come from the column `syntactic_head_ID`. If there is a file `X.quotes`, the
  speakers of quotations come from it; a speaker is the number of an entity.
- Lemmas, tags and dependencies are read from `X.tokens`. Tags are those of `POS_tag`, and
  `fine_POS_tag` is the layer `xpos`; if `POS_tag` is empty, tags are those of `fine_POS_tag`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate, groupby
from typing import TypeVar

import numpy as np
from msgspec import Struct

from corefscope.extensions.toolkits.byte_table import ByteTable, Uneven
from corefscope.findings import Code
from corefscope.formats.reading.block_lines import Positions
from corefscope.formats.reading.draft import LEVELS, Draft, Mentions
from corefscope.formats.reading.file import File, FindingReporter
from corefscope.formats.reading.layout import TokenLayout
from corefscope.formats.reading.source import Source
from corefscope.formats.reading.whole_files import (
    decoded,
    filled_lines,
    number_of,
    numbers_of,
    whole_reader,
)
from corefscope.formatting import counted

Value = TypeVar("Value")
ENTITY_COLUMNS = ("COREF", "start_token", "end_token", "prop", "cat")
TOKEN_COLUMNS = ("token_ID_within_document", "word", "byte_onset", "byte_offset")
NO_SPEAKER = "-"
ENTITY = re.compile(r"-1|\d+")
UNRESOLVED = "-1"
"""The entity of all mentions that BookNLP did not resolve."""


def _drafts(file: File, data: bytes) -> Iterator[Draft]:
    report = file.report
    tokens, quotes = (file.source.beside(ending) for ending in (".tokens", ".quotes"))
    if decoded(data, report) is None:
        return
    draft = Draft(
        name=None,
        mentions=_mentions(_table(data, report, ENTITY_COLUMNS), has_words=tokens is not None),
        convention=file.options.convention(),
    )
    if tokens is None:
        report(
            Code.NO_TEXT_LAYER,
            "there is no file with the same name and the extension .tokens",
            expected="it for the words: only the positions of mentions are known",
        )
    else:
        words = _data_of(tokens, report)
        if words is None:
            return
        _add_tokens(draft, _table(words, report.about(tokens), TOKEN_COLUMNS))
        if quotes is not None and draft.words is not None:
            _add_speakers(draft, _data_of(quotes, report) or b"", report.about(quotes))
    yield draft


read = whole_reader(_drafts)


def _data_of(source: Source, report: FindingReporter) -> bytes | None:
    """Return the bytes of a companion; None if it is binary."""
    data = source.whole()
    return None if decoded(data, report.about(source)) is None else data


class _Table(Struct, kw_only=True):
    """The rows of a file with a header."""

    report: FindingReporter
    places: dict[str, int]
    """The names of the columns, and where they are."""
    lines: list[int]
    """The line of each row."""
    cells: ByteTable

    def joined(self, name: str) -> bytes:
        """Return the values of a column, each with a newline after it.

        If there is no such column, there is nothing in each row.
        """
        if name not in self.places:
            return b"\n" * len(self.cells)
        return self.cells.joined(self.places[name])

    def column(self, name: str) -> list[str]:
        """Return the values of a column as strings."""
        return _texts(self.joined(name))

    def numbers(self, *names: str) -> list[Positions]:
        """Return columns that must have numbers; report the first field of a row that does not.

        Such rows are removed.
        """
        if any(numbers_of(self.column(name)) is None for name in names):
            self._keep(partial(self._is_sound, names))
        return [np.array(numbers_of(self.column(name)), np.int64) for name in names]

    def require(self, name: str) -> None:
        """Report rows that have no value in a column, and remove them."""
        if not all(map(str.strip, self.column(name))):
            self._keep(partial(self._is_filled, name))

    def require_entities(self, name: str) -> None:
        """Report rows whose value in a column is no number of an entity, and remove them."""
        if not all(map(ENTITY.fullmatch, self.column(name))):
            self._keep(partial(self._is_entity, name))

    def _is_entity(self, name: str, line: int, row: Sequence[str]) -> bool:
        if ENTITY.fullmatch(row[self.places[name]]):
            return True
        found = row[self.places[name]][:40]
        self.report(Code.BAD_LINE, f"{name} is {found!r}", line, expected="a whole number, or -1")
        return False

    def _keep(self, is_kept: Callable[[int, Sequence[str]], bool]) -> None:
        """Keep only some rows, given their lines and fields."""
        columns = [_texts(self.cells.joined(place)) for place in range(self.cells.width)]
        rows = zip(self.lines, zip(*columns, strict=True), strict=True)
        kept = {line: row for line, row in rows if is_kept(line, row)}
        self.lines, self.cells = list(kept), ByteTable.of(kept.values(), self.cells.width)

    def _is_filled(self, name: str, line: int, row: Sequence[str]) -> bool:
        if row[self.places[name]].strip():
            return True
        self.report(Code.BAD_LINE, f"{name} is empty", line, expected="the number of an entity")
        return False

    def _is_sound(self, names: Sequence[str], line: int, row: Sequence[str]) -> bool:
        for name in names:
            text = row[self.places[name]]
            if number_of(text) is None:
                self.report(
                    Code.BAD_LINE, f"{name} is {text[:40]!r}", line, expected="a whole number"
                )
                return False
        return True

    def lengths(self, name: str) -> list[int]:
        """Return the numbers of neighbouring rows that have the same value."""
        return [len(list(rows)) for _, rows in groupby(self.column(name))]


def _texts(joined: bytes) -> list[str]:
    """Return the cells of a column as strings."""
    return joined.decode(errors="surrogateescape").split("\n")[:-1]


def _table(data: bytes, report: FindingReporter, needed: Sequence[str]) -> _Table:
    """Return the rows of a file with a header; report those that are too short."""
    data = data.replace(b"\r\n", b"\n").removesuffix(b"\r")
    first, _, rest = data.partition(b"\n")
    header = first.decode(errors="surrogateescape").split("\t")
    try:
        cells = ByteTable(rest)
        # A line of blanks is no row, and neither is the header.
        is_plain = cells.width >= len(header) and cells.is_ascii_at_start()
    except Uneven:
        is_plain = False
    if not is_plain or not set(needed).issubset(header):
        return _doubtful_table(data, report, needed)
    return _Table(
        report=report,
        places={name: place for place, name in enumerate(header)},
        lines=(cells.lines + 2).tolist(),
        cells=cells,
    )


def _doubtful_table(data: bytes, report: FindingReporter, needed: Sequence[str]) -> _Table:
    """Return the rows that have the right length; report others, and columns that are missing."""
    numbers, lines = filled_lines(data.decode(errors="surrogateescape"))
    header = lines[0].split("\t") if lines else []
    places = {name: place for place, name in enumerate(header)}
    missing = [name for name in needed if name not in places]
    rows: dict[int, list[str]] = {}
    if missing:
        report(
            Code.BAD_LINE,
            f"the first line has no column {missing[0]}",
            numbers[0] if numbers else 1,
            expected=", ".join(needed),
        )
        lines = []
    widths = Counter(line.count("\t") + 1 for line in lines[1:])
    # All rows may have more cells than the header, but not some of them: they are two rows in one.
    most = max([len(header), *(width for width, _ in widths.most_common(1))])
    for number, line in zip(numbers[1:], lines[1:], strict=False):
        row = line.split("\t")
        if not len(places) <= len(row) <= most:
            report(
                Code.BAD_LINE,
                f"{len(row)} fields",
                number,
                expected=f"{len(places)}, separated by tabs",
            )
        else:
            lacking = len(header) - len(row)
            rows[number] = [*row, *[""] * lacking][: len(header)]
    return _Table(
        report=report,
        places=places,
        lines=list(rows),
        cells=ByteTable.of(rows.values(), len(header)),
    )


def _mentions(table: _Table, *, has_words: bool) -> Mentions:
    table.require("COREF")
    table.require_entities("COREF")
    places = np.stack(table.numbers("start_token", "end_token"), axis=1)
    labels = _resolved(table.column("COREF"), table)
    entities = {label: number for number, label in enumerate(dict.fromkeys(labels))}
    entity = np.fromiter(map(entities.__getitem__, labels), np.int64, len(labels))
    order = np.argsort(entity, kind="stable")

    def ordered(column: Sequence[Value]) -> list[Value]:
        return list(map(column.__getitem__, order.tolist()))

    # Without words there is nothing to compare the string with.
    has_strings = has_words and "text" in table.places
    return Mentions(
        labels=list(entities),
        sizes=np.bincount(entity, minlength=len(entities)).tolist(),
        places=places[order].tolist(),
        strings=ordered(table.column("text")) if has_strings else (),
        levels=ordered(list(map(LEVELS.get, table.column("prop")))),
        types=ordered(table.column("cat")),
        lines=ordered(table.lines),
    )


def _resolved(labels: list[str], table: _Table) -> list[str]:
    """Return the entities of mentions, where those without one have their own."""
    unresolved = [row for row, label in enumerate(labels) if label == UNRESOLVED]
    if not unresolved:
        return labels
    for number, row in enumerate(unresolved, start=1):
        labels[row] = f"{UNRESOLVED}.{number}"
    have = counted(len(unresolved), "mention has", "mentions have")
    table.report(
        Code.UNLINKED,
        f"{have} the entity {UNRESOLVED}, which BookNLP writes if it did not resolve a mention",
        table.lines[unresolved[0]],
        expected="entities from 0, as with its step 'coref': each such mention is an entity",
    )
    return labels


def _add_tokens(draft: Draft, table: _Table) -> None:
    ids, begins, ends = table.numbers("token_ID_within_document", "byte_onset", "byte_offset")
    wrong = np.flatnonzero(ids != np.arange(len(ids)))[:1].tolist()
    if wrong:
        table.report(
            Code.BAD_LINE,
            f"token {ids[wrong[0]]}",
            table.lines[wrong[0]],
            expected=f"{wrong[0]}: tokens must be numbered from 0",
        )
        return
    draft.words = table.column("word")
    draft.sentences = table.lengths("sentence_ID")
    if table.joined("syntactic_head_ID").strip(b"\n"):
        parents = table.column("syntactic_head_ID")
        draft.parents = numbers_of(parents) or [_parent(parent) for parent in parents]
    layout = TokenLayout(words=draft.words, begins=begins, ends=ends)
    fits = layout.fits()
    draft.complete = partial(_complete, layout if fits else None, table)
    if not fits:
        message = "the offsets of tokens do not fit their words; the text is left out"
        table.report(Code.BAD_LAYER, message)


def _parent(text: str) -> int:
    number = number_of(text)
    return -1 if number is None else number


def _complete(layout: TokenLayout | None, table: _Table, draft: Draft) -> None:
    """Add what is needed only when the text is looked at."""
    if layout is not None:
        paragraphs = table.lengths("paragraph_ID")
        draft.text, draft.characters = layout.text(list(accumulate(paragraphs))[:-1])
    has_both = "POS_tag" in _filled(table, ("POS_tag", "fine_POS_tag"))
    layers = {
        "lemma": "lemmas",
        "POS_tag": "tags",
        "fine_POS_tag": "xpos" if has_both else "tags",
        "dependency_relation": "deprels",
    }
    draft.columns |= {layers[name]: table.column(name) for name in _filled(table, layers)}
    if draft.parents is not None:
        # BookNLP, like spaCy, makes the root of a sentence its own head.
        rows = enumerate(draft.parents)
        draft.columns["heads"] = [str(-1 if head == token else head) for token, head in rows]


def _filled(table: _Table, names: Iterable[str]) -> list[str]:
    """Return the columns that have values."""
    return [name for name in names if table.joined(name).strip(b"\n")]


def _add_speakers(draft: Draft, data: bytes, report: FindingReporter) -> None:
    assert draft.words is not None
    table = _table(data, report, ("quote_start", "quote_end", "char_id"))
    speakers = [NO_SPEAKER] * len(draft.words)
    starts, ends = table.numbers("quote_start", "quote_end")
    rows = zip(starts.tolist(), ends.tolist(), table.column("char_id"), strict=True)
    for first, last, speaker in rows:
        if speaker not in ("", "None", UNRESOLVED):
            for token in range(len(speakers))[first : last + 1]:
                speakers[token] = speaker
    draft.columns["speakers"] = speakers


# ---- Writing ----
