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
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

from corefscope.corpus.offsets import DEFAULT
from corefscope.findings import Code
from corefscope.formats.builder import Builder
from corefscope.formats.draft import LEVELS, Draft, DraftEntity, DraftMention
from corefscope.formats.layout import laid_out
from corefscope.formats.options import ReadingOptions
from corefscope.formats.source import Progress, Source
from corefscope.formats.whole_files import (
    Report,
    decoded,
    lines_of,
    number_of,
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
        entities=_entities(
            _Table(text=text, report=report, needed=ENTITY_COLUMNS), has_words=tokens is not None
        ),
        convention=options.convention(DEFAULT),
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
        _add_tokens(draft, _Table(text=words, report=report.about(tokens), needed=TOKEN_COLUMNS))
        if quotes is not None and draft.words is not None:
            _add_speakers(draft, text_of(quotes, report) or "", report.about(quotes))
    yield draft


@dataclass(slots=True, kw_only=True)
class _Table:
    """The rows of a file with a header."""

    text: str
    report: Report
    needed: tuple[str, ...]
    columns: dict[str, int] = field(default_factory=dict)

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the rows with their lines; report those that are too short."""
        lines = lines_of(self.text)
        number, header = next(lines, (1, ""))
        self.columns = {name: place for place, name in enumerate(header.split("\t"))}
        missing = [name for name in self.needed if name not in self.columns]
        if missing:
            message = (
                f"the first line has no column {missing[0]}; expected {', '.join(self.needed)}"
            )
            self.report(Code.BAD_LINE, message, number)
            return
        for number, line in lines:
            row = line.split("\t")
            if len(row) < len(self.columns):
                message = f"{len(row)} fields; expected {len(self.columns)}, separated by tabs"
                self.report(Code.BAD_LINE, message, number)
            else:
                yield number, row

    def wrong(self, line: int, name: str, found: str) -> None:
        """Report a field that is not a number."""
        message = f"{name} is {found[:40]!r}; expected a whole number"
        self.report(Code.BAD_LINE, message, line)

    def numbers(self, line: int, row: list[str], *names: str) -> list[int] | None:
        """Return fields that must be numbers; report the first one that is not."""
        found = []
        for name in names:
            text = row[self.columns[name]]
            number = number_of(text)
            if number is None:
                self.wrong(line, name, text)
                return None
            found.append(number)
        return found


def _entities(table: _Table, *, has_words: bool) -> list[DraftEntity]:
    entities: dict[str, DraftEntity] = {}
    for line, row in table.rows():
        span = table.numbers(line, row, "start_token", "end_token")
        if span is None:
            continue
        label, prop, cat = (row[table.columns[name]] for name in ("COREF", "prop", "cat"))
        if label not in entities:
            entities[label] = DraftEntity(label=label, mentions=[])
        # Without words there is nothing to compare the string with.
        string = row[table.columns["text"]] if has_words and "text" in table.columns else None
        mention = DraftMention(
            places=(tuple(span),), string=string, level=LEVELS.get(prop), type=cat, line=line
        )
        entities[label].mentions.append(mention)
    return list(entities.values())


def _add_tokens(draft: Draft, table: _Table) -> None:
    words: list[str] = []
    offsets: list[tuple[int, int]] = []
    parents: list[int] = []
    starts: dict[str, list[int]] = {"paragraph_ID": [], "sentence_ID": []}
    before: dict[str, str] = {}
    for line, row in table.rows():
        numbers = table.numbers(line, row, "token_ID_within_document", "byte_onset", "byte_offset")
        if numbers is None:
            continue
        number, onset, offset = numbers
        if number != len(words):
            message = f"token {number}; expected {len(words)}: tokens must be numbered from 0"
            table.report(Code.BAD_LINE, message, line)
            return
        for name, places in starts.items():
            value = row[table.columns[name]] if name in table.columns else ""
            if words and before.get(name) != value:
                places.append(number)
            before[name] = value
        words.append(row[table.columns["word"]])
        offsets.append((onset, offset))
        parents.append(_parent(row, table.columns.get("syntactic_head_ID")))
    draft.words = words
    draft.sentences = _lengths(starts["sentence_ID"], len(words))
    if "syntactic_head_ID" in table.columns:
        draft.parents = parents
    found = laid_out(words, offsets, starts["paragraph_ID"])
    if found is None:
        message = "the offsets of tokens do not fit their words; the text is left out"
        table.report(Code.BAD_LAYER, message)
    else:
        draft.text, draft.characters = found


def _parent(row: list[str], column: int | None) -> int:
    number = None if column is None else number_of(row[column])
    return -1 if number is None else number


def _lengths(starts: list[int], words: int) -> list[int]:
    edges = [0, *starts, words]
    return [after - before for before, after in pairwise(edges)]


def _add_speakers(draft: Draft, text: str, report: Report) -> None:
    assert draft.words is not None
    table = _Table(text=text, report=report, needed=("quote_start", "quote_end", "char_id"))
    speakers = [NO_SPEAKER] * len(draft.words)
    for line, row in table.rows():
        span = table.numbers(line, row, "quote_start", "quote_end")
        speaker = row[table.columns["char_id"]]
        if span is not None and speaker not in ("", "None"):
            first, last = span
            tokens = range(len(speakers))[first : last + 1]
            for token in tokens:
                speakers[token] = speaker
    draft.columns["speakers"] = speakers
