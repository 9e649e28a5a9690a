"""Put drafts into a corpus: name them, find their tokens, and report what is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from corefscope.corpus import UNKNOWN_LENGTH
from corefscope.corpus.layers import Attributes, DocumentText, MentionAttributes
from corefscope.corpus.mentions import Parts, is_parts
from corefscope.findings import Code
from corefscope.formats.builder import Builder, TextReader, word_digest
from corefscope.formats.draft import Draft
from corefscope.formats.records import records
from corefscope.formats.source import Progress, Source
from corefscope.formats.units import Located, NotThere, locate

ENDING = re.compile(r"(?:\.[A-Za-z][A-Za-z0-9_]{0,14})+$")
"""The extensions of a file name, such as ``.txt.json``."""


class Unfit(ValueError):
    """A record does not have the shape of its format; the message says what was expected."""


class Placed(NamedTuple):
    """A draft, and how to read its text again."""

    draft: Draft
    start: int
    stop: int
    """The part of the file that it was read from, in bytes."""
    again: Callable[[bytes], Draft]
    """Makes the same draft from that part of the file."""


Parse: TypeAlias = Callable[[Any], Iterable[Draft]]
"""Makes drafts from a JSON record; raises :class:`Unfit`."""


def read_records(source: Source, builder: Builder, progress: Progress | None, parse: Parse) -> None:
    """Read a JSON file whose records hold documents."""
    add_drafts(source, builder, _placed(source, builder, progress, parse))


def _placed(
    source: Source, builder: Builder, progress: Progress | None, parse: Parse
) -> Iterator[Placed]:
    for record in records(source, builder, progress):
        try:
            for number, draft in enumerate(parse(record.value)):
                draft.line = draft.line or record.line
                again = partial(_parsed_again, parse=parse, number=number)
                yield Placed(draft, record.start, record.stop, again)
        except Unfit as error:
            builder.report(Code.BAD_SHAPE, str(error), source.name, record.line)


def _parsed_again(block: bytes, parse: Parse, number: int) -> Draft:
    import json

    drafts = list(parse(json.loads(block.decode(errors="surrogateescape"))))
    return drafts[number]


def add_drafts(source: Source, builder: Builder, drafts: Iterable[Placed]) -> None:
    """Add documents to a corpus; those without a name get the name of the file."""
    count = 0
    before = len(builder.findings)
    for name, is_named, placed in _named(drafts, file_stem(source)):
        count += 1
        add_draft(source, builder, placed, name, is_named=is_named)
    if not count and not any(finding.is_error for finding in builder.findings[before:]):
        message = "the file contains no document; expected at least one"
        builder.report(Code.NO_DOCUMENT, message, source.name)


def file_stem(source: Source) -> str:
    """Return the name of a file without its folder and extensions."""
    if source.path is None:
        return "document"
    name = source.path.name
    return ENDING.sub("", name) or Path(name).stem


def _named(drafts: Iterable[Placed], stem: str) -> Iterator[tuple[str, bool, Placed]]:
    """Yield drafts with their names; number those without one, unless there is only one draft."""
    rest = iter(drafts)
    first, second = next(rest, None), next(rest, None)
    some = [placed for placed in (first, second) if placed is not None]
    for number, placed in enumerate(chain(some, rest), start=1):
        name = placed.draft.name
        own = stem if len(some) == 1 else f"{stem}#{number}"
        yield (own if name is None else name), name is not None, placed


def add_draft(
    source: Source, builder: Builder, placed: Placed, name: str, *, is_named: bool = True
) -> None:
    """Add a document to a corpus."""
    draft = placed.draft
    try:
        located = locate(draft)
    except NotThere as error:
        builder.report(Code.BAD_SHAPE, f"document {name!r}: {error}", source.name, draft.line)
        return
    for code, message in chain(draft.findings, located.findings):
        builder.report(code, f"document {name!r}: {message}", source.name, draft.line)
    builder.begin(name, source.name, draft.line)
    if draft.topic is not None:
        builder.topics[len(builder.names) - 1] = draft.topic
    heads = _add_entities(builder, draft, located)
    if any(head >= 0 for head in heads):
        builder.sets.add_heads(len(builder.mentions) // 4 - len(heads), heads)
    tokens = located.tokens
    length = UNKNOWN_LENGTH if tokens is None else len(tokens.words)
    digest = None if tokens is None else word_digest(tokens.words)
    reader: TextReader = partial(_text_again, again=placed.again)
    builder.end(length, digest, (source, placed.start, placed.stop, reader))


def _add_entities(builder: Builder, draft: Draft, located: Located) -> list[int]:
    """Add the entities of a draft; return the heads of its mentions."""
    heads: list[int] = []
    places = located.tokens.places if located.tokens else None
    for entity, spans in zip(draft.entities, located.spans, strict=True):
        number = builder.entity(entity.label)
        for mention, parts in zip(entity.mentions, spans, strict=True):
            if parts is None:
                continue
            _add_mention(builder, number, parts, mention.line or draft.line or 0)
            head = _top(draft.parents, parts) if mention.head is None else mention.head
            heads.append(head if head < 0 or places is None else places[head])
    return heads


def _top(parents: Sequence[int] | None, parts: Parts) -> int:
    """Return the first token of a mention that depends on none of its others; −1 if unknown."""
    if parents is None:
        return -1
    inside = [token for first, last in parts for token in range(first, last + 1)]
    others = set(inside)
    tops = (token for token in inside if parents[token] == token or parents[token] not in others)
    return next(tops, -1)


def _add_mention(builder: Builder, entity: int, parts: Parts, line: int) -> None:
    ordered = tuple(sorted(parts))
    if is_parts(ordered):
        builder.parted_mention(entity, ordered, line)
    else:
        builder.mention(entity, ordered[0][0], max(last for _, last in ordered), line)


def _text_again(block: bytes, again: Callable[[bytes], Draft]) -> DocumentText:
    draft = again(block)
    return document_text(draft, locate(draft))


def document_text(draft: Draft, located: Located) -> DocumentText:
    """Return the text layers of a document."""
    tokens = located.tokens
    if tokens is None:
        return DocumentText()
    return DocumentText(
        sentences=tokens.sentences,
        columns={"words": tokens.words, **tokens.columns},
        attributes=_attributes(draft, located),
        text=tokens.text,
        characters=tokens.characters,
    )


def _attributes(draft: Draft, located: Located) -> Attributes | None:
    """Return the types and levels of the mentions, if the file has some."""
    found = {
        (parts[0][0], parts[-1][1]): MentionAttributes(mention.type or entity.type, mention.level)
        for entity, spans in zip(draft.entities, located.spans, strict=True)
        for mention, parts in zip(entity.mentions, spans, strict=True)
        if parts is not None and (mention.type or entity.type or mention.level)
    }
    return found or None
