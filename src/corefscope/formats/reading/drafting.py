"""Put drafts into a corpus: name them, find their tokens, and report what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain, compress, islice, pairwise
from typing import NamedTuple, TypeVar

import numpy as np
from msgspec.structs import replace

from corefscope.corpus import UNKNOWN_LENGTH
from corefscope.corpus.arrays import Integers
from corefscope.corpus.layers import Attributes, MentionAttributes, TextColumns
from corefscope.corpus.mentions import is_parts, joined
from corefscope.corpus.offsets import OF_TEXT
from corefscope.corpus.words import division
from corefscope.findings import Code, Finding
from corefscope.formats.reading.block import (
    Block,
    GivenNode,
    TextReader,
    empty_nodes,
)
from corefscope.formats.reading.builder import digest, word_digest
from corefscope.formats.reading.draft import Draft
from corefscope.formats.reading.echo import is_refuted, sample
from corefscope.formats.reading.file import File
from corefscope.formats.reading.units import Located, NotThere, Tokens, locate, positions, tokens_of

Item = TypeVar("Item")


class Unfit(ValueError):
    """A record does not have the shape of its format."""

    def __init__(
        self, found: str, *, expected: str | None = None, code: Code = Code.BAD_SHAPE
    ) -> None:
        self.finding = Finding(code, found, expected=expected)
        super().__init__(self.finding.message)


class Placed(NamedTuple):
    """A draft, and how to read its text again."""

    draft: Draft
    start: int
    stop: int
    """The part of the file that it was read from, in bytes."""
    again: Callable[[bytes], Draft]
    """Makes the same draft from that part of the file."""


def add_drafts(file: File, drafts: Iterable[Placed | Block]) -> None:
    """Add documents to a corpus; those without a name get the name of the file.

    A block has documents that are known to be right. Nothing is added if the strings of the first
    mentions prove that positions are counted in another way.
    """
    count = 0
    before = len(file.builder.findings)
    rest = iter(drafts)
    first = sample(rest, _size)
    some = (each.draft for each in first if isinstance(each, Placed))
    if is_refuted(some, file.builder, file.name):
        return
    for own, placed in numbered(chain(first, rest), file.source.stem):
        if isinstance(placed, Block):
            count += len(placed.names)
            file.builder.add_block(placed)
            continue
        count += 1
        name = placed.draft.name
        if name is None and placed.draft.name_fields:
            file.builder.numbered[own] = placed.draft.name_fields
        add_draft(file, placed, own if name is None else name, is_named=name is not None)
    if not count and not any(finding.is_error for finding in file.builder.findings[before:]):
        file.report(Code.NO_DOCUMENT, "the file contains no document", expected="at least one")


def _size(placed: Placed | Block) -> int:
    return placed.draft.mentions.count if isinstance(placed, Placed) else len(placed.mentions)


def numbered(items: Iterable[Item], stem: str) -> Iterator[tuple[str, Item]]:
    """Yield the documents of a file, each with a name; they are numbered unless there is one."""
    rest = iter(items)
    some = list(islice(rest, 2))
    for number, item in enumerate(chain(some, rest), start=1):
        yield (stem if len(some) == 1 else f"{stem}#{number}"), item


def add_draft(file: File, placed: Placed, name: str, *, is_named: bool = True) -> None:
    """Add a document to a corpus."""
    source, builder, draft = file.source, file.builder, placed.draft
    draft.reading = builder.reading
    builder.conventions.add((draft.convention, draft.usual or builder.reading.options.usual))
    try:
        located = located_without_doubtful_text(draft)
    except NotThere as error:
        builder.add(_of_document(name, error.finding).at(source.name, draft.line))
        return
    for finding in chain(draft.findings, located.findings):
        builder.add(_of_document(name, finding).at(source.name, draft.line))
    builder.report_empty(draft.mentions.sizes.count(0), source.name, draft.line)
    columns, astray = _columns(draft, located)
    if astray:
        message = (
            "1 head is not in its mention; it is left out"
            if astray == 1
            else f"{astray:,} heads are not in their mentions; they are left out"
        )
        builder.report(Code.BAD_LAYER, message, source.name, draft.line)
    builder.add_block(
        Block(
            names=(name,),
            is_named=is_named,
            lines=(draft.line,),
            tokens=(_length(draft, located),),
            digests=(None if located.tokens is None else _digest(located.tokens, draft),),
            places=((source, placed.start, placed.stop, text_reader(placed.again)),),
            labels=list(compress(draft.mentions.labels, draft.mentions.sizes)),
            mentions=_mentions(draft, located),
            columns=columns,
        )
    )


def _of_document(name: str, finding: Finding) -> Finding:
    return replace(finding, found=f"document {name!r}: {finding.found}")


def _length(draft: Draft, located: Located) -> int:
    if located.tokens is not None:
        return len(located.tokens)
    return UNKNOWN_LENGTH if draft.length is None else draft.length


def located_without_doubtful_text(draft: Draft) -> Located:
    """Locate the mentions of a draft; leave a text out that is not that of its tokens."""
    try:
        return locate(draft)
    except NotThere as error:
        if draft.text is None or draft.words is None or draft.convention.unit in OF_TEXT:
            raise
        found = f"the text is left out: {error.finding.found}"
        draft.findings.append(replace(error.finding, code=Code.BAD_LAYER, found=found))
        draft.text = None
        return locate(draft)


def _digest(tokens: Tokens, draft: Draft) -> bytes:
    """Return a digest of the words without those that are not spoken."""
    if tokens.given is None:
        return digest(tokens.joined())
    hidden = draft.hidden
    if not hidden:
        return word_digest(tokens.given)
    return word_digest([word for token, word in enumerate(tokens.given) if token not in hidden])


def _mentions(draft: Draft, located: Located) -> Integers:
    """Return the rows of the mentions that are right."""
    given, line = draft.mentions, draft.line or 0
    sizes = np.array([size for size in given.sizes if size], np.int64)
    first, last, is_wrong = located.edges
    rows = np.empty((given.count, 4), np.int32)
    rows[:, 0] = np.repeat(np.arange(len(sizes)), sizes)
    rows[:, 1], rows[:, 2] = first, last
    rows[:, 3] = [own or line for own in given.lines] or line
    return rows[~is_wrong] if is_wrong.any() else rows


def _columns(draft: Draft, located: Located) -> tuple[dict[str, object], int]:
    """Return the columns that only some formats have, and how many heads are wrong."""
    columns = dict(draft.of_corpus)
    if draft.topic is not None:
        namespace = draft.topic if draft.namespace is None else draft.namespace
        columns |= {"document_topics": [draft.topic], "document_namespaces": [namespace]}
    if located.parts:
        numbers = np.cumsum(~located.edges.is_wrong) - 1
        columns["mention_parts"] = {
            int(numbers[mention]): spans
            for mention, parts in located.parts.items()
            if is_parts(parts) and len(spans := joined(parts)) > 1
        }
    heads, astray = _heads(draft, located)
    if heads is not None and len(heads):
        columns["mention_heads"] = heads
    nodes, tokens = _nodes(draft, located.tokens), located.tokens
    if nodes and tokens is not None:
        lengths = list(map(len, tokens.sentences))
        columns["empty_nodes"] = empty_nodes(nodes, lengths, draft.line or 0)
        columns["sentence_digests"] = [division(tokens.sentences, draft.hidden)]
    return columns, astray


def _nodes(draft: Draft, tokens: Tokens | None) -> Sequence[GivenNode]:
    """Return the zeros of a document as empty nodes; those without a number get one."""
    if draft.nodes or not draft.zeros or tokens is None:
        return draft.nodes
    hidden, nodes = draft.hidden, list[GivenNode]()
    for sentence in tokens.sentences:
        words = order = 0
        for token in sentence:
            words, order = (words, order + 1) if token in hidden else (words + 1, 0)
            if token in hidden:
                nodes.append((token, f"{words}.{order}", "_"))
    return nodes


def _heads(draft: Draft, located: Located) -> tuple[Integers | None, int]:
    """Return the heads of all mentions, and how many of them are wrong; None without heads."""
    table = draft.mentions
    if draft.parents is None and not table.heads:
        return None, 0
    given = table.heads or [None] * table.count
    is_given = np.array([head is not None for head in given], np.bool_)
    heads = positions([-1 if head is None else head for head in given])
    divided = None if located.tokens is None else located.tokens.places
    if divided is not None:
        places = np.array(divided)
        is_token = (heads >= 0) & (heads < len(places))
        heads = np.where(is_token, places[np.where(is_token, heads, 0)], -1)
    if draft.parents is not None:
        parents = np.array(_divided(draft.parents, divided))
        heads = np.where(is_given, heads, _tops(parents, located))
    first, last, is_wrong = located.edges
    is_inside = (first <= heads) & (heads <= last)
    for number, parts in located.parts.items():
        is_inside[number] = any(begin <= heads[number] <= end for begin, end in parts)
    astray = int(np.count_nonzero(is_given & ~is_inside & ~is_wrong))
    return np.where(is_inside, heads, -1)[~is_wrong], astray


def _divided(parents: Sequence[int], places: Sequence[int] | None) -> Sequence[int]:
    """Return the tree of tokens that may be divided; the first piece governs the others."""
    if places is None or places[-1] == len(parents):
        return parents
    found: list[int] = []
    for (first, stop), parent in zip(pairwise(places), parents, strict=True):
        found += [places[parent], *[first] * (stop - first - 1)]
    return found


def _tops(parents: Integers, located: Located) -> Integers:
    """Return the first token of each mention that depends on none of its others; −1 if unknown."""
    first, last, is_wrong = located.edges
    right = np.flatnonzero(~is_wrong)
    sizes = (last - first + 1)[right]
    mention = np.repeat(right, sizes)
    token = np.arange(len(mention)) + np.repeat(first[right] - np.cumsum(sizes) + sizes, sizes)
    parent = parents[token]
    is_top = (parent == token) | (parent < first[mention]) | (parent > last[mention])
    tops = np.full(len(first), -1)
    # The first token of a mention is written last, and stays.
    tops[mention[is_top][::-1]] = token[is_top][::-1]
    for number, parts in located.parts.items():
        inside = [token for begin, end in parts for token in range(begin, end + 1)]
        others = set(inside)
        found = (t for t in inside if parents[t] == t or parents[t] not in others)
        tops[number] = next(found, -1)
    return tops


@lru_cache(maxsize=1)
def text_reader(again: Callable[[bytes], Draft]) -> TextReader:
    """Return what reads the text of a document, given what makes its draft again.

    Neighbouring documents for which that is the same have one reader, and are read together.
    """
    return partial(_text_again, again=again)


def _text_again(block: bytes, again: Callable[[bytes], Draft]) -> TextColumns:
    draft = again(block)
    if draft.complete is not None:
        draft.complete(draft)
    given = draft.mentions
    is_plain = not (given.entity_types or given.types or given.levels)
    if is_plain and draft.text is None and draft.convention.unit not in OF_TEXT:
        # Where the mentions are does not matter.
        return document_text(tokens_of(draft), None)
    located = located_without_doubtful_text(draft)
    return document_text(located.tokens, _attributes(draft, located))


def document_text(tokens: Tokens | None, attributes: Attributes | None) -> TextColumns:
    """Return the text layers of a document."""
    if tokens is None:
        return TextColumns()
    return TextColumns(
        sentences=tokens.sentences,
        columns={"words": tokens.words, **tokens.columns},
        attributes=attributes,
        text=tokens.text,
        characters=tokens.characters,
    )


def _attributes(draft: Draft, located: Located) -> Attributes | None:
    """Return the types and levels of the mentions, if the file has some."""
    given = draft.mentions
    nothing = [None] * given.count
    kinds = given.entity_types or [None] * len(given.sizes)
    rows = zip(
        *(column.tolist() for column in located.edges),
        given.of_mentions(kinds),
        given.types or nothing,
        given.levels or nothing,
        strict=True,
    )
    # Of two mentions with the same span the last one counts, whether it says something or not.
    found = {
        (first, last): MentionAttributes(type or of_entity, level)
        for first, last, is_wrong, of_entity, type, level in rows
        if not is_wrong
    }
    return {span: said for span, said in found.items() if said.type or said.level} or None
