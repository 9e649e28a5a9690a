"""BookNLP: `X.entities`, with the words in `X.tokens` beside it.

BookNLP processes novels. Each row of `X.entities` has an entity, the first and the last token of a
mention, its level (PROP, NOM or PRON), its type and its words. Tokens are counted in the document
from 0, and the last token is part of the mention.

- Every entity is there, also those of one mention. By default, BookNLP does not join common nouns
  with names.
- Without `X.tokens`, only the positions are known (`W162`). `X.tokens` without entities cannot be
  scored. `X.book` has only the characters of the book, without positions, and cannot be scored.
- The columns `byte_onset` and `byte_offset` count characters, not bytes. The text between tokens is
  rebuilt from them: a break between paragraphs becomes newlines, any other blank a space.
- Fields are separated by tabs only; quotation marks have no special meaning.
- The heads of mentions come from the column `syntactic_head_ID`. If there is a file `X.quotes`, the
  speakers of quotations come from it; a speaker is the number of an entity.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, groupby

from corefscope.findings import Code
from corefscope.formats.builder import Builder
from corefscope.formats.draft import LEVELS, Draft, DraftEntity, DraftMention
from corefscope.formats.layout import Layout
from corefscope.formats.options import ReadingOptions
from corefscope.formats.source import Progress, Source
from corefscope.formats.whole_files import (
    Report,
    decoded,
    filled_lines,
    number_of,
    numbers_of,
    read_whole,
    text_of,
)

ENTITY_COLUMNS = ("COREF", "start_token", "end_token", "prop", "cat")
TOKEN_COLUMNS = ("token_ID_within_document", "word", "byte_onset", "byte_offset")
NO_SPEAKER = "-"


def read(
    source: Source, builder: Builder, options: ReadingOptions, progress: Progress | None = None
) -> None:
    """Read entities and tokens into the builder."""
    beside = [source.beside(ending) for ending in (".tokens", ".quotes")]
    read_whole(source, builder, progress, partial(_drafts, beside, options))


def _drafts(
    beside: Sequence[Source | None], options: ReadingOptions, data: bytes, report: Report
) -> Iterator[Draft]:
    text = decoded(data, report)
    if text is None:
        return
    tokens, quotes = beside
    draft = Draft(
        name=None,
        entities=_entities(_table(text, report, ENTITY_COLUMNS), has_words=tokens is not None),
        convention=options.convention(),
    )
    if tokens is None:
        message = (
            "there is no file with the same name and the extension .tokens; expected it for the "
            "words: only the positions of mentions are known"
        )
        report(Code.NO_TOKENS, message)
    else:
        words = text_of(tokens, report)
        if words is None:
            return
        _add_tokens(draft, _table(words, report.about(tokens), TOKEN_COLUMNS))
        if quotes is not None and draft.words is not None:
            _add_speakers(draft, text_of(quotes, report) or "", report.about(quotes))
    yield draft


@dataclass(slots=True, kw_only=True)
class _Table:
    """The rows of a file with a header."""

    report: Report
    places: dict[str, int]
    """The names of the columns, and where they are."""
    lines: Sequence[int]
    """The line of each row."""
    rows: list[list[str]]

    def column(self, name: str) -> list[str]:
        """Return the values of a column; nothing in each row if there is no such column."""
        if name not in self.places:
            return [""] * len(self.rows)
        place = self.places[name]
        return [row[place] for row in self.rows]

    def numbers(self, *names: str) -> list[list[int]]:
        """Return columns that must have numbers; report the first field of a row that does not.

        Such rows are removed.
        """
        columns = [numbers_of(self.column(name)) for name in names]
        if None in columns:
            rows = zip(self.lines, self.rows, strict=True)
            sound = [(line, row) for line, row in rows if self._is_sound(line, row, names)]
            self.lines, self.rows = [line for line, _ in sound], [row for _, row in sound]
            columns = [numbers_of(self.column(name)) for name in names]
        return [column or [] for column in columns]

    def _is_sound(self, line: int, row: list[str], names: Sequence[str]) -> bool:
        for name in names:
            text = row[self.places[name]]
            if number_of(text) is None:
                message = f"{name} is {text[:40]!r}; expected a whole number"
                self.report(Code.BAD_LINE, message, line)
                return False
        return True


def _table(text: str, report: Report, needed: Sequence[str]) -> _Table:
    """Return the rows of a file with a header; report those that are too short."""
    numbers, lines = filled_lines(text)
    header = lines[0].split("\t") if lines else []
    table = _Table(
        report=report,
        places={name: place for place, name in enumerate(header)},
        lines=numbers[1:],
        rows=[line.split("\t") for line in lines[1:]],
    )
    width = len(table.places)
    missing = [name for name in needed if name not in table.places]
    if missing:
        message = f"the first line has no column {missing[0]}; expected {', '.join(needed)}"
        report(Code.BAD_LINE, message, numbers[0] if numbers else 1)
        table.lines, table.rows = [], []
    elif min(map(len, table.rows), default=width) < width:
        for line, row in zip(table.lines, table.rows, strict=True):
            if len(row) < width:
                message = f"{len(row)} fields; expected {width}, separated by tabs"
                report(Code.BAD_LINE, message, line)
        rows = zip(table.lines, table.rows, strict=True)
        table.lines = [line for line, row in rows if len(row) >= width]
        table.rows = [row for row in table.rows if len(row) >= width]
    return table


def _entities(table: _Table, *, has_words: bool) -> list[DraftEntity]:
    starts, ends = table.numbers("start_token", "end_token")
    labels, levels, types = (table.column(name) for name in ("COREF", "prop", "cat"))
    strings: Sequence[str | None] = [None] * len(labels)
    # Without words there is nothing to compare the string with.
    if has_words and "text" in table.places:
        strings = table.column("text")
    entities = {label: DraftEntity(label=label, mentions=[]) for label in labels}
    rows = zip(labels, starts, ends, levels, types, strings, table.lines, strict=True)
    for label, start, end, level, type, string, line in rows:
        mention = DraftMention(
            places=((start, end),), string=string, level=LEVELS.get(level), type=type, line=line
        )
        entities[label].mentions.append(mention)
    return list(entities.values())


def _add_tokens(draft: Draft, table: _Table) -> None:
    ids, begins, ends = table.numbers("token_ID_within_document", "byte_onset", "byte_offset")
    wrong = next((place for place, id in enumerate(ids) if id != place), None)
    if wrong is not None:
        message = f"token {ids[wrong]}; expected {wrong}: tokens must be numbered from 0"
        table.report(Code.BAD_LINE, message, table.lines[wrong])
        return
    draft.words = table.column("word")
    draft.sentences = _lengths(table.column("sentence_ID"))
    parents = table.column("syntactic_head_ID")
    if any(parents):
        draft.parents = numbers_of(parents) or [_parent(parent) for parent in parents]
    layout = Layout(words=draft.words, begins=begins, ends=ends)
    if layout.fits():
        draft.complete = partial(_add_text, layout, _lengths(table.column("paragraph_ID")))
    else:
        message = "the offsets of tokens do not fit their words; the text is left out"
        table.report(Code.BAD_LAYER, message)


def _parent(text: str) -> int:
    number = number_of(text)
    return -1 if number is None else number


def _lengths(ids: Sequence[str]) -> list[int]:
    """Return the numbers of neighbouring tokens that have the same id."""
    return [len(list(group)) for _, group in groupby(ids)]


def _add_text(layout: Layout, paragraphs: Sequence[int], draft: Draft) -> None:
    draft.text, draft.characters = layout.text(list(accumulate(paragraphs))[:-1])


def _add_speakers(draft: Draft, text: str, report: Report) -> None:
    assert draft.words is not None
    table = _table(text, report, ("quote_start", "quote_end", "char_id"))
    speakers = [NO_SPEAKER] * len(draft.words)
    starts, ends = table.numbers("quote_start", "quote_end")
    for first, last, speaker in zip(starts, ends, table.column("char_id"), strict=True):
        if speaker not in ("", "None"):
            for token in range(len(speakers))[first : last + 1]:
                speakers[token] = speaker
    draft.columns["speakers"] = speakers
