"""JSON files: a format is a function from a document of the file to drafts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import chain, islice
from typing import Any, TypeAlias

from corefscope.findings import Code, Finding
from corefscope.formats.reading.block import Block
from corefscope.formats.reading.cluster_fields import Chooser
from corefscope.formats.reading.draft import Draft, Mentions
from corefscope.formats.reading.drafting import Placed, Unfit, add_drafts
from corefscope.formats.reading.echo import MOST
from corefscope.formats.reading.file import File
from corefscope.formats.reading.options import ReadingOptions
from corefscope.formats.reading.records import Record, records
from corefscope.formats.reading.shapes import (
    are_words,
    entities_of,
    have_sizes,
    joined_words,
    object_of,
)

BATCH = 500
"""How many records are put into columns together."""


class JsonDocument:
    """A value of a JSON file, what the user said about it, and what is wrong with it."""

    def __init__(self, value: Any, options: ReadingOptions, chooser: Chooser | None = None) -> None:
        self.value = value
        self.options = options
        self.chooser = chooser
        self.findings: list[Finding] = []

    @cached_property
    def fields(self) -> dict[str, Any]:
        """The fields of the object; where its entities are missing, there are none."""
        fields = object_of(self.value)
        return fields if self.chooser is None else self.chooser.with_entities(fields, self.findings)

    @property
    def field(self) -> str:
        """The field that entities are read from."""
        assert self.chooser is not None
        return self.chooser.choice.field

    def warn(self, code: Code, found: str, expected: str | None = None) -> None:
        """Add a finding about the document."""
        self.findings.append(Finding(code, found, expected=expected))

    def entities(self, numbers: int = 2, first: str = "sentence") -> Mentions:
        """Return the entities; a mention has 3 numbers if the index of ``first`` comes first."""
        return entities_of(self.fields, self.field, numbers, first)

    def add_strings(self, mentions: Mentions, *fields: str) -> None:
        """Add the strings of mentions; report strings without the shape of the clusters.

        The first field that the document has counts. A list of words is joined with blanks.
        """
        field = next((field for field in fields if self.fields.get(field) is not None), None)
        if field is None:
            return
        rows = self.fields[field]
        if not have_sizes(rows, mentions.sizes):
            found = f"{field!r} does not have the shape of the clusters; it is left out"
            self.warn(Code.BAD_LAYER, found)
            return
        strings = list(chain.from_iterable(rows))
        mentions.strings = strings if are_words(strings) else list(map(joined_words, strings))

    def without_nulls(self) -> None:
        """Leave out the mentions that are null, and report them."""
        entities = self.fields.get(self.field)
        if not isinstance(entities, list):
            return
        nulls = sum(entity.count(None) for entity in entities if isinstance(entity, list))
        if not nulls:
            return
        some = "a mention is null, and is" if nulls == 1 else f"{nulls} mentions are null, and are"
        self.warn(Code.LEFT_OUT, f"{some} left out")
        kept = [
            [mention for mention in entity if mention is not None]
            if isinstance(entity, list)
            else entity
            for entity in entities
        ]
        self.fields = {**self.fields, self.field: kept}

    def per_token(self, field: str, length: int) -> list[Any] | None:
        """Return a field with one value per token; report one that does not fit."""
        values = self.fields.get(field)
        if values is None or (isinstance(values, list) and len(values) == length):
            return values
        self.warn(Code.BAD_LAYER, f"{field!r} has not one value per token; it is left out")
        return None

    def texts_per_token(self, field: str, length: int) -> list[str] | None:
        """Return a field with one text per token; None becomes a dash."""
        values = self.per_token(field, length)
        if values is None:
            return None
        if all(isinstance(value, str | None) for value in values):
            return ["-" if value is None else value for value in values]
        self.warn(Code.BAD_LAYER, f"{field!r} has values that are no text; it is left out")
        return None


ParseDocument: TypeAlias = Callable[[JsonDocument], Iterable[Draft]]
"""Makes drafts of a document; raises :class:`Unfit`."""
Together: TypeAlias = Callable[[Sequence[Record], Callable[[bytes], Draft]], Block | None]
"""Reads plain records together, given what reads the text of each; None if one is not plain."""


def document_reader(parse: ParseDocument, *, chooses: bool = True) -> Callable[[File], None]:
    """Make a function that reads a JSON file; it may have gold and predicted entities."""

    def read(file: File) -> None:
        read_documents(file, parse, Chooser(file) if chooses else None)

    return read


def read_documents(
    file: File,
    parse: ParseDocument,
    chooser: Chooser | None = None,
    together: Together | None = None,
) -> None:
    """Read a JSON file whose records hold documents.

    Parameters
    ----------
    file
        The file.
    parse
        Makes drafts of a document.
    chooser
        Chooses the field of entities, in formats with several.
    together
        Reads plain records together, in formats whose files may have very many.
    """
    again = partial(_again, parse=parse, options=file.options, chooser=chooser)
    add_drafts(file, _placed(file, again, together))


def _placed(
    file: File, again: partial[Draft], together: Together | None
) -> Iterator[Placed | Block]:
    parse, chooser = again.keywords["parse"], again.keywords["chooser"]
    noticing = chooser or Chooser(file)
    rest = records(file)
    is_said, mentions = False, 0
    while batch := list(islice(rest, BATCH if together and mentions >= MOST else 1)):
        # What the strings of the first mentions prove is looked at before.
        block = together(batch, again) if together and mentions >= MOST else None
        if block is not None:
            yield block
            continue
        for record in batch:
            message = "" if is_said else noticing.others_said(record.value)
            if message:
                is_said = True
                file.report(Code.SEVERAL_ANNOTATIONS, message, record.line)
            try:
                document = JsonDocument(record.value, file.options, chooser)
                for number, draft in enumerate(parse(document)):
                    draft.line = draft.line or record.line
                    reader = partial(again, number=number) if number else again
                    mentions += draft.mentions.count
                    yield Placed(draft, record.start, record.stop, reader)
            except Unfit as error:
                file.report.add(error.finding, record.line)


def _again(
    block: bytes,
    parse: ParseDocument,
    options: ReadingOptions,
    chooser: Chooser | None,
    number: int = 0,
) -> Draft:
    value = json.loads(block.decode("utf-8-sig", "surrogateescape"))
    return list(parse(JsonDocument(value, options, chooser)))[number]
