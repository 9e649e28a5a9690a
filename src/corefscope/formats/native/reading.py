"""The native format: JSON lines that keep everything that corefscope knows of a corpus.

Convert to it to keep a corpus, or to write one from another program: it is the only format that can
express all annotations. Each line is a document with its name, its number of tokens, its text and
its entities. `corefscope schema corpus` prints the JSON Schema; `schema` in each line names its
version, which changes if the meaning of a field does.

- A mention has `span`, `[first, last]`, or `parts` if it has gaps, or any other `id`. Tokens are
  counted in the document from 0, and ends are inclusive.
- `characters` says where each token begins and ends in `text`, in Unicode code points; ends are
  exclusive. The text itself may be absent.
- `is_unnamed` is true if the document has no name but that of its file, and `is_numbered` if its
  name is only its number in a file, such as `out#3`. Documents without names are paired by text.
- `topic` is that of a document in a cross-document corpus. Entities with the same label are the
  same in all documents of a topic, or of a `namespace` if that is given.
- `copy` says that a language model wrote the text, with tags in it: how many there are, and which
  of them mark no mention. Such a text is compared with the words of the key.
- `layers` has one value per token for each layer: `words`, `tags`, `lemmas` and so on. `sentences`
  has the number of tokens of each sentence.
- Everything but `corefscope`, `schema`, `name`, `tokens` and `entities` may be absent.
- A field that the schema does not have is an error, so that a misspelt one is found.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import inf

import numpy as np
from msgspec import UNSET

from corefscope.corpus import UNKNOWN_LENGTH
from corefscope.corpus.mentions import LAST_TOKEN, Span
from corefscope.corpus.words import MOST_NODES
from corefscope.findings import Code
from corefscope.formats.clusters import hashable
from corefscope.formats.jsonl.heads_and_nodes import NODE_ID, follow_words
from corefscope.formats.native.columns import (
    NATIVE_COLUMNS,
    NativeRows,
    document_of,
    document_text,
)
from corefscope.formats.native.schema import (
    NativeDocument,
    NativeMention,
    own_fields,
)
from corefscope.formats.reading.block import Block
from corefscope.formats.reading.builder import word_digest
from corefscope.formats.reading.drafting import Unfit
from corefscope.formats.reading.file import File
from corefscope.formats.reading.limits import DEEPEST
from corefscope.formats.reading.records import Record, records
from corefscope.formats.reading.source import Source


def read(file: File) -> None:
    """Read all documents of a file into the corpus."""
    count, errors = 0, len(file.builder.findings)
    for record in records(file):
        count += 1
        try:
            document = document_of(record.value)
            _check(document, file.source.limits.nesting)
            block = _block(document, file.source, record)
        except Unfit as error:
            file.report.add(error.finding, record.line)
            continue
        if document.is_numbered:
            file.builder.numbered[document.name] = {}
        file.builder.add_block(block)
        empty = sum(not entity.mentions for entity in document.entities)
        file.builder.report_empty(empty, file.name, record.line)
    if not count and len(file.builder.findings) == errors:
        file.report(
            Code.NO_DOCUMENT,
            "the file contains no document",
            1,
            expected="at least one",
        )


def _block(document: NativeDocument, source: Source, record: Record) -> Block:
    entities, tokens = document.entities, document.tokens
    mentions = [(number, m) for number, entity in enumerate(entities) for m in entity.mentions]
    mentions.sort(key=lambda pair: pair[1].order or 0)
    rows = np.empty((len(mentions), 4), np.int32)
    rows[:, 0] = [entity for entity, _ in mentions]
    spans = [
        (parts[0][0], parts[-1][1]) if (parts := mention.all_parts) else (0, 0)
        for _, mention in mentions
    ]
    rows[:, 1:3] = np.array(spans).reshape(-1, 2)
    rows[:, 3] = record.line
    ids = {
        row: hashable(mention.id, DEEPEST)
        for row, (_, mention) in enumerate(mentions)
        if mention.id is not UNSET
    }
    return Block(
        names=(document.name,),
        is_named=not document.is_unnamed,
        lines=(record.line,),
        tokens=(UNKNOWN_LENGTH if tokens is None else tokens,),
        digests=(_digest(document),),
        places=((source, record.start, record.stop, document_text),),
        labels=[entity.label for entity in entities],
        mentions=rows,
        ids=ids,
        columns=_columns(document, [mention for _, mention in mentions], record.line),
    )


def _columns(
    document: NativeDocument, mentions: Sequence[NativeMention], line: int
) -> dict[str, object]:
    """Return the columns that only some documents have."""
    entities = dict(enumerate(document.entities))
    given = NativeRows(document, entities, dict(enumerate(mentions)), {}, line)
    found = {column.name: column.read(given) for column in NATIVE_COLUMNS if column.read}
    return {name: column for name, column in found.items() if column is not None}


def _digest(document: NativeDocument) -> bytes | None:
    words = document.layers.get("words")
    if words is None:
        return None
    hidden = {node.token for node in document.empty_nodes}
    plain = [w for t, w in enumerate(words) if t not in hidden] if hidden else words
    return word_digest(plain)


# ---- Checks ----


def _check(document: NativeDocument, nesting: int) -> None:
    """Raise :class:`Unfit` if something in a document does not fit the rest."""
    tokens = document.tokens
    if tokens is not None and not 0 <= tokens <= LAST_TOKEN:
        raise Unfit(f"'tokens' is {tokens}", expected="the number of tokens")
    _check_text(document, tokens)
    _check_nodes(document)
    entities = document.entities
    for number, entity in enumerate(entities):
        _check_indices(entity.split_antecedents, len(entities), number, "split_antecedents")
        for place, mention in enumerate(entity.mentions):
            _check_mention(mention, tokens, f"mention {place} of entity {number}", nesting)
            bridges = [bridge.entity for bridge in mention.bridges]
            _check_indices(bridges, len(entities), number, "bridges")
    _check_order([mention for entity in entities for mention in entity.mentions])
    for attribute in document.attributes:
        check_span(attribute.span, tokens, "an attribute")
    _check_copy(document)


def _are_within(pairs: Sequence[Span], last: float) -> bool:
    """Tell whether pairs have two numbers in order, from 0 to the last."""
    return all(0 <= begin <= end <= last for begin, end in pairs)


def _check_text(document: NativeDocument, tokens: int | None) -> None:
    lengths = {layer: len(values) for layer, values in document.layers.items()}
    if document.characters is not None:
        lengths["characters"] = len(document.characters)
    if document.sentences:
        lengths["sentences"] = sum(document.sentences) if min(document.sentences) >= 0 else -1
    for name, length in lengths.items():
        if length != tokens:
            expected = (
                "their number in 'tokens'" if tokens is None else f"{tokens}, as 'tokens' says"
            )
            raise Unfit(f"{name!r} is for {length} tokens", expected=expected)
    # Some formats say where tokens are in a text that they do not have.
    size = inf if document.text is None else len(document.text)
    for pair in document.characters or ():
        if not 0 <= pair[0] <= pair[1] <= size:
            raise Unfit(f"'characters' has {list(pair)}", expected="begin and end in 'text'")


def _check_nodes(document: NativeDocument) -> None:
    nodes, sentences = document.empty_nodes, document.sentences
    places = [node.token for node in nodes]
    if not nodes:
        return
    length = sum(sentences)
    if not all(NODE_ID.fullmatch(node.id) for node in nodes):
        raise Unfit("the id of an empty node is not such as '3.1'", expected="that")
    if any(not 0 < (1 if node.order is None else node.order) < MOST_NODES for node in nodes):
        raise Unfit("the order of an empty node is not a number from 1", expected="that")
    if places != sorted(set(places)) or not 0 <= places[0] <= places[-1] < length:
        raise Unfit("'empty_nodes' are not tokens in order", expected="tokens of the sentences")
    ids = {node.token: node.id for node in nodes}
    # A format of its own may count lines, whatever the IDs of nodes are.
    if not own_fields(document) and not follow_words([[""] * size for size in sentences], ids):
        raise Unfit("an empty node does not follow the word that its id names", expected="that")


def _check_mention(mention: NativeMention, tokens: int | None, where: str, nesting: int) -> None:
    if [mention.span is None, not mention.parts, mention.id is UNSET].count(False) != 1:
        raise Unfit(f"{where} has not exactly one of 'span', 'parts' and 'id'", expected="that")
    if mention.span is not None:
        check_span(mention.span, tokens, where)
    elif mention.parts:
        _check_parts(mention.parts, tokens, where)
    else:
        try:
            hashable(mention.id, nesting)
        except (TypeError, RecursionError):
            raise Unfit(f"{where} has an id that is null, an object or nested too deeply") from None
    head = mention.head
    if head is not None and not any(a <= head <= b for a, b in mention.all_parts):
        raise Unfit(f"{where} has the head {head}", expected="one of its tokens")


def check_span(span: Sequence[int], tokens: int | None, where: str) -> None:
    """Raise :class:`Unfit` if a span is not within a document."""
    last = LAST_TOKEN if tokens is None else tokens - 1
    if not 0 <= span[0] <= span[1] <= last:
        limit = "" if tokens is None else f" < {tokens}"
        raise Unfit(f"{where} has the span {list(span)}", expected=f"0 <= first <= last{limit}")


def _check_parts(parts: Sequence[Sequence[int]], tokens: int | None, where: str) -> None:
    for part in parts:
        check_span(part, tokens, where)
    if len(parts) < 2 or any(before[1] + 1 >= after[0] for before, after in pairwise(parts)):
        raise Unfit(
            f"{where} has the parts {list(map(list, parts))}",
            expected="two or more with gaps between",
        )


def _check_indices(indices: Sequence[int], size: int, own: int, field: str) -> None:
    if any(not 0 <= index < size or index == own for index in indices):
        raise Unfit(
            f"{field!r} of entity {own} has {list(indices)}",
            expected=f"indices of other entities, of which there are {size - 1}",
        )


def _check_order(mentions: Sequence[NativeMention]) -> None:
    given = [mention.order for mention in mentions if mention.order is not None]
    if given and sorted(given) != list(range(len(mentions))):
        raise Unfit("'order' is not a number from 0 for each mention", expected="that")


def _check_copy(document: NativeDocument) -> None:
    copy = document.copy
    if copy is None:
        return
    stretches = [*copy.undecided, *copy.nameless, *copy.asides]
    if not _are_within(stretches, len(document.text or "")):
        raise Unfit("'copy' has a stretch that is not in 'text'", expected="begin and end in it")
