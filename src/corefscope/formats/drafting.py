"""Put drafts into a corpus: name them, find their tokens, and report what is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice, pairwise
from typing import Any, NamedTuple, TypeAlias, TypeVar

from corefscope.corpus import UNKNOWN_LENGTH
from corefscope.corpus.layers import Attributes, DocumentText, MentionAttributes
from corefscope.corpus.mentions import Parts, is_parts
from corefscope.corpus.offsets import OF_TEXT
from corefscope.findings import Code
from corefscope.formats.annotations import Node, add_nodes
from corefscope.formats.builder import Builder, TextReader, word_digest
from corefscope.formats.cluster_fields import other_clusters
from corefscope.formats.draft import Draft
from corefscope.formats.echo import echo_of, sample
from corefscope.formats.records import records
from corefscope.formats.source import Progress, Source
from corefscope.formats.units import Located, NotThere, Tokens, locate

Item = TypeVar("Item")


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
    is_said = False
    for record in records(source, builder, progress):
        others = [] if is_said else other_clusters(record.value, builder.format)
        if others:
            is_said = True
            message = (
                f"{others[0]!r} looks like clusters, too, but is not read in this format; if it "
                "should be scored, write it into the field that is read"
            )
            builder.report(Code.TWO_CLUSTERINGS, message, source.name, record.line)
        try:
            for number, draft in enumerate(parse(record.value)):
                draft.line = draft.line or record.line
                again = partial(_parsed_again, parse=parse, number=number)
                yield Placed(draft, record.start, record.stop, again)
        except Unfit as error:
            builder.report(Code.BAD_SHAPE, str(error), source.name, record.line)


def _parsed_again(block: bytes, parse: Parse, number: int) -> Draft:
    drafts = list(parse(json.loads(block.decode(errors="surrogateescape"))))
    return drafts[number]


def add_drafts(source: Source, builder: Builder, drafts: Iterable[Placed]) -> None:
    """Add documents to a corpus; those without a name get the name of the file.

    Nothing is added if the strings of the first mentions prove that positions are counted in
    another way.
    """
    count = 0
    before = len(builder.findings)
    rest = iter(drafts)
    first = sample(rest, lambda placed: _mentions(placed.draft))
    echo = echo_of((placed.draft for placed in first), builder.format, builder.options)
    if echo is not None:
        builder.report(*echo, source.name)
    if echo is not None and echo[0] is Code.REFUTED_CONVENTION:
        return
    for own, placed in numbered(chain(first, rest), source.stem):
        count += 1
        name = placed.draft.name
        add_draft(source, builder, placed, own if name is None else name, is_named=name is not None)
    if not count and not any(finding.is_error for finding in builder.findings[before:]):
        message = "the file contains no document; expected at least one"
        builder.report(Code.NO_DOCUMENT, message, source.name)


def _mentions(draft: Draft) -> int:
    return sum(len(entity.mentions) for entity in draft.entities)


def numbered(items: Iterable[Item], stem: str) -> Iterator[tuple[str, Item]]:
    """Yield the documents of a file, each with a name; they are numbered unless there is one."""
    rest = iter(items)
    some = list(islice(rest, 2))
    for number, item in enumerate(chain(some, rest), start=1):
        yield (stem if len(some) == 1 else f"{stem}#{number}"), item


def add_draft(
    source: Source, builder: Builder, placed: Placed, name: str, *, is_named: bool = True
) -> None:
    """Add a document to a corpus."""
    draft = placed.draft
    try:
        located = located_without_doubtful_text(draft)
    except NotThere as error:
        builder.report(Code.BAD_SHAPE, f"document {name!r}: {error}", source.name, draft.line)
        return
    for code, message in chain(draft.findings, located.findings):
        builder.report(code, f"document {name!r}: {message}", source.name, draft.line)
    builder.begin(name, source.name, draft.line, is_named=is_named)
    if draft.topic is not None:
        builder.topics[len(builder.names) - 1] = draft.topic
    _add_entities(source, builder, draft, located)
    tokens = located.tokens
    length = UNKNOWN_LENGTH if tokens is None else len(tokens.words)
    digest = None if tokens is None else word_digest(_spoken(tokens.words, draft.zeros))
    if tokens is not None and draft.zeros:
        _add_zeros(builder, draft, tokens)
    reader: TextReader = partial(_text_again, again=placed.again)
    builder.end(length, digest, (source, placed.start, placed.stop, reader))


def located_without_doubtful_text(draft: Draft) -> Located:
    """Locate the mentions of a draft; leave a text out that is not that of its tokens."""
    try:
        return locate(draft)
    except NotThere as error:
        if draft.text is None or draft.words is None or draft.convention.unit in OF_TEXT:
            raise
        draft.findings.append((Code.BAD_LAYER, f"the text is left out: {error}"))
        draft.text = None
        return locate(draft)


def _spoken(words: Sequence[str], zeros: Sequence[int]) -> Sequence[str]:
    """Return the words without those that are not spoken."""
    if not zeros:
        return words
    hidden = set(zeros)
    return [word for token, word in enumerate(words) if token not in hidden]


def _add_zeros(builder: Builder, draft: Draft, tokens: Tokens) -> None:
    """Add the zeros of a document as empty nodes, numbered as in CoNLL-U."""
    hidden, nodes = set(draft.zeros), list[Node]()
    for sentence in tokens.sentences:
        words = order = 0
        for token in sentence:
            words, order = (words, order + 1) if token in hidden else (words + 1, 0)
            if token in hidden:
                nodes.append((token, f"{words}.{order}", "_"))
    lengths = [[""] * len(sentence) for sentence in tokens.sentences]
    add_nodes(builder.sets, len(builder.names) - 1, nodes, lengths, draft.line or 0)


def _add_entities(source: Source, builder: Builder, draft: Draft, located: Located) -> None:
    """Add the entities of a draft, and the heads of its mentions."""
    added = len(builder.mentions) // 4
    _add_mentions(builder, draft, located)
    empty = sum(not entity.mentions for entity in draft.entities)
    if empty:
        message = f"{empty} entities have no mention; expected one or more: they are left out"
        builder.report(Code.EMPTY_ENTITY, message, source.name, draft.line)
    heads, astray = _heads(draft, located)
    if heads:
        builder.sets.add_heads(added, heads)
    if astray:
        message = f"{astray} heads are not in their mentions; they are left out"
        builder.report(Code.BAD_LAYER, message, source.name, draft.line)


def _add_mentions(builder: Builder, draft: Draft, located: Located) -> None:
    line, rows = draft.line or 0, list[int]()
    for entity, spans in zip(draft.entities, located.spans, strict=True):
        if not spans:
            continue
        number = builder.entity(entity.label)
        for mention, parts in zip(entity.mentions, spans, strict=True):
            if parts is not None and len(parts) == 1:
                rows += (number, *parts[0], mention.line or line)
            elif parts is not None:
                builder.mentions.extend(rows)
                rows.clear()
                _add_parts(builder, number, parts, mention.line or line)
    # One call is faster than one for each mention.
    builder.mentions.extend(rows)


def _heads(draft: Draft, located: Located) -> tuple[list[int], int]:
    """Return the heads of all mentions, and how many of them are wrong; nothing without heads."""
    is_bare = all(mention.head is None for entity in draft.entities for mention in entity.mentions)
    if is_bare and draft.parents is None:
        return [], 0
    places = located.tokens.places if located.tokens else None
    parents = _divided(draft.parents, places)
    pairs = [
        (_top(parents, parts) if mention.head is None else _place(mention.head, places), parts)
        for entity, spans in zip(draft.entities, located.spans, strict=True)
        for mention, parts in zip(entity.mentions, spans, strict=True)
        if parts is not None
    ]
    heads = [_head(head, parts) for head, parts in pairs]
    given = [head for (given, _), head in zip(pairs, heads, strict=True) if given is not None]
    return heads, given.count(-1)


def _place(head: int, places: Sequence[int] | None) -> int:
    """Return the token of a head where tokens are divided; −1 if there is none."""
    if places is None:
        return head
    return places[head] if 0 <= head < len(places) else -1


def _divided(parents: Sequence[int] | None, places: Sequence[int] | None) -> Sequence[int] | None:
    """Return the tree of tokens that may be divided; the first piece governs the others."""
    if parents is None or places is None or places[-1] == len(parents):
        return parents
    found: list[int] = []
    for (first, stop), parent in zip(pairwise(places), parents, strict=True):
        found += [places[parent], *[first] * (stop - first - 1)]
    return found


def _head(head: int | None, parts: Parts) -> int:
    """Return a head; −1 if there is none, or if it is not in its mention."""
    if head is None:
        return -1
    return head if any(first <= head <= last for first, last in parts) else -1


def _top(parents: Sequence[int] | None, parts: Parts) -> int | None:
    """Return the first token of a mention that depends on none of its others; None if unknown."""
    if parents is None:
        return None
    inside = [token for first, last in parts for token in range(first, last + 1)]
    others = set(inside)
    tops = (token for token in inside if parents[token] == token or parents[token] not in others)
    return next(tops, None)


def _add_parts(builder: Builder, entity: int, parts: Parts, line: int) -> None:
    ordered = tuple(sorted(parts))
    if is_parts(ordered):
        builder.parted_mention(entity, ordered, line)
    else:
        builder.mention(entity, ordered[0][0], max(last for _, last in ordered), line)


def _text_again(block: bytes, again: Callable[[bytes], Draft]) -> DocumentText:
    draft = again(block)
    if draft.complete is not None:
        draft.complete(draft)
    return document_text(draft, located_without_doubtful_text(draft))


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
