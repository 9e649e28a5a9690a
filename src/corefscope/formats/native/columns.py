"""The columns of a corpus in the native format: how each is written, and how it is read again.

A record has the tables of a corpus: its fields are about the document, those of its entities about
an entity, and those of their mentions about a mention. What a column has in each of them is said
here, and only here. What all documents have, such as names and spans, is read in ``reading``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from itertools import accumulate, pairwise, starmap
from typing import Any, NamedTuple

import numpy as np
from msgspec import ValidationError, convert
from msgspec.structs import replace

from corefscope.corpus import Corpus, Document
from corefscope.corpus.columns import OwnColumns
from corefscope.corpus.layers import MentionAttributes, TextColumns
from corefscope.corpus.links import Bridge, Bridges, Openings
from corefscope.corpus.mentions import Parts, is_parts, is_span
from corefscope.corpus.words import EmptyNodes, division
from corefscope.formats.native.schema import (
    OWN_COLUMNS,
    NativeAttribute,
    NativeBridge,
    NativeDocument,
    NativeEntity,
    NativeMention,
    NativeNode,
    document_shape,
    own_fields,
)
from corefscope.formats.reading.block import empty_nodes
from corefscope.formats.reading.drafting import Unfit


class NativeRows(NamedTuple):
    """The records of a document, of its entities and of its mentions, by row of the corpus."""

    document: NativeDocument
    entities: Mapping[int, NativeEntity]
    mentions: Mapping[int, NativeMention]
    own: dict[str, object]
    """The records of extensions, if it is written."""
    line: int = 0
    """The line of the document, if it is read."""


class NativeColumn(NamedTuple):
    """How a column is written to the records of a document, and read from them."""

    name: str
    """The column of the corpus."""
    write: Callable[[Document, NativeRows], None]
    read: Callable[[NativeRows], object] | None = None
    """Returns the column of one document, or None if it has none; not needed for columns that all
    documents have, and for texts, which are read when they are needed."""


# ---- Names ----


def _write_unnamed(document: Document, to: NativeRows) -> None:
    if document.corpus.is_unnamed:
        to.document.is_unnamed = True


def _write_numbered(document: Document, to: NativeRows) -> None:
    if document.name in document.corpus.numbered:
        to.document.is_numbered = True


def _write_topic(document: Document, to: NativeRows) -> None:
    topics = document.corpus.document_topics
    to.document.topic = topics[document.index] if topics else None


def _read_topic(given: NativeRows) -> object:
    return None if given.document.topic is None else [given.document.topic]


def _write_namespace(document: Document, to: NativeRows) -> None:
    namespaces = document.corpus.document_namespaces
    namespace = namespaces[document.index] if namespaces else None
    if to.document.topic is not None and namespace != to.document.topic:
        to.document.namespace = namespace


def _read_namespace(given: NativeRows) -> object:
    topic, namespace = given.document.topic, given.document.namespace
    return None if topic is None else [topic if namespace is None else namespace]


# ---- Texts ----


def _write_text(document: Document, to: NativeRows) -> None:
    layers = document.corpus.layers
    if layers is None:
        return
    text, record = layers.text(document.index), to.document
    record.text = text.text
    record.characters = None if text.characters is None else list(text.characters)
    record.sentences = [len(sentence) for sentence in text.sentences]
    record.layers = {layer: list(values) for layer, values in text.columns.items()}


def _write_attributes(document: Document, to: NativeRows) -> None:
    attributes = document.attributes or {}
    for mention in to.mentions.values() if attributes else ():
        span = _hull(mention.all_parts)
        if span is not None and span in attributes:
            mention.type, mention.level = attributes[span]


def _write_other_attributes(document: Document, to: NativeRows) -> None:
    """Write the attributes of spans that no mention has."""
    known = document.attributes or {}
    spans = {_hull(mention.all_parts) for mention in to.mentions.values()} if known else set()
    to.document.attributes = [
        NativeAttribute(span=span, type=type, level=level)
        for span, (type, level) in known.items()
        if span not in spans or (type is None and level is None)
    ]


def document_text(block: bytes) -> TextColumns:
    """Read the text of a document from its line."""
    document = document_of(json.loads(block.decode("utf-8-sig", "surrogateescape")))
    words = document.layers.get("words", [])
    ends = [0, *accumulate(document.sentences or ([len(words)] if words else []))]
    attributes = {
        (parts[0][0], parts[-1][1]): MentionAttributes(mention.type, mention.level)
        for entity in document.entities
        for mention in entity.mentions
        if (mention.type is not None or mention.level is not None) and (parts := mention.all_parts)
    }
    for other in document.attributes:
        attributes[other.span] = MentionAttributes(other.type, other.level)
    return TextColumns(
        sentences=[range(begin, end) for begin, end in pairwise(ends)],
        columns=document.layers,
        attributes=attributes or None,
        text=document.text,
        characters=document.characters,
    )


def document_of(value: Any) -> NativeDocument:
    """Return the document of a record of JSON; raise :class:`Unfit` if it has another shape."""
    has_own = isinstance(value, dict) and not value.keys() <= {*NativeDocument.__struct_fields__}
    try:
        return convert(value, document_shape() if has_own else NativeDocument)
    except ValidationError as error:
        found, _, place = str(error).partition(" - at `$")
        raise Unfit(f"the document{place.strip('`')}: {found[:200]}") from None
    except UnicodeEncodeError:
        raise Unfit("a text that is not UTF-8 is in the wrong place, or names a field") from None


def _hull(parts: Parts) -> tuple[int, int] | None:
    """Return first and last token of a mention; None if it is an id."""
    return (parts[0][0], parts[-1][1]) if parts else None


def _write_nodes(document: Document, to: NativeRows) -> None:
    nodes = document.corpus.empty_nodes
    to.document.empty_nodes = [_node(nodes, row) for row in nodes.rows_of(document.index)]


def _node(nodes: EmptyNodes, row: int) -> NativeNode:
    id = nodes.ids[row]
    node = NativeNode(token=int(nodes.token[row]), id=id, dependencies=nodes.dependencies[row])
    before, _, order = id.partition(".")
    if (before == "0", int(order)) != (bool(nodes.opens_sentence[row]), int(nodes.order[row])):
        # Universal Anaphora counts the nodes between two words, also those of two sentences.
        node.order = int(nodes.order[row])
    return node


def _read_nodes(given: NativeRows) -> object:
    written = given.document.empty_nodes
    if not written:
        return None
    known = [(node.token, node.id, node.dependencies) for node in written]
    nodes = empty_nodes(known, given.document.sentences, given.line)
    for place, node in enumerate(written):
        if node.order is not None:
            nodes.opens_sentence[place], nodes.order[place] = 0, node.order
    return nodes


def _write_nothing(document: Document, to: NativeRows) -> None:
    """Write nothing: the column is made of others."""


def _read_division(given: NativeRows) -> object:
    """Return a digest of the numbers of words in sentences, by which empty nodes are compared."""
    nodes = given.document.empty_nodes
    # A format of its own may count the nodes of a document, not those of sentences.
    if not nodes or own_fields(given.document):
        return None
    ends = list(accumulate(given.document.sentences, initial=0))
    return [division(starmap(range, pairwise(ends)), {node.token for node in nodes})]


# ---- Mentions ----


def mention_record(corpus: Corpus, row: int) -> NativeMention:
    """Return a mention as a span, as parts or as an id."""
    id = corpus.mention_id(row)
    if is_span(id):
        return NativeMention(span=id)
    return NativeMention(parts=list(id)) if is_parts(id) else NativeMention(id=id)


def _read_parts(given: NativeRows) -> object:
    found = {row: tuple(each.parts) for row, each in given.mentions.items() if each.parts}
    return found or None


def _write_heads(document: Document, to: NativeRows) -> None:
    heads = document.corpus.mention_heads
    if heads is None:
        return
    to.document.has_heads = True
    for row, mention in to.mentions.items():
        if heads[row] >= 0:
            mention.head = int(heads[row])


def _read_heads(given: NativeRows) -> object:
    if not given.document.has_heads:
        return None
    heads = (mention.head for mention in given.mentions.values())
    return np.array([-1 if head is None else head for head in heads])


def _write_order(document: Document, to: NativeRows) -> None:
    """Write the place of each mention in its document, if it is not that of the rows."""
    order = document.corpus.mention_order
    rows = document.corpus.mentions_of(document.index)
    if order is None or not rows:
        return
    given = order[rows.start : rows.stop]
    if not (given[:-1] < given[1:]).all():
        for place, row in enumerate(given.argsort().tolist()):
            to.mentions[rows.start + row].order = place


# ---- Entities and links ----


def _write_openings(document: Document, to: NativeRows) -> None:
    openings = document.corpus.openings
    if openings is None:
        return
    if fields := openings.fields[document.index]:
        to.document.bracket_fields = list(fields)
        to.document.head_field = openings.head_field
    for number, entity in to.entities.items():
        entity.type = openings.types[number]
    for row, mention in to.mentions.items():
        mention.opening = openings.texts[row]


def _read_openings(given: NativeRows) -> object:
    if given.document.bracket_fields is None:
        return None
    return Openings(
        texts=[mention.opening for mention in given.mentions.values()],
        fields=(tuple(given.document.bracket_fields),),
        types=[entity.type for entity in given.entities.values()],
        head_field=given.document.head_field,
    )


def _write_antecedents(document: Document, to: NativeRows) -> None:
    first = next(iter(to.entities), 0)
    for number, entity in to.entities.items():
        elements = document.corpus.split_antecedents.get(number, ())
        entity.split_antecedents = [element - first for element in elements]


def _read_antecedents(given: NativeRows) -> object:
    found = {
        number: tuple(entity.split_antecedents)
        for number, entity in given.entities.items()
        if entity.split_antecedents
    }
    return found or None


def _write_bridges(document: Document, to: NativeRows) -> None:
    first = next(iter(to.entities), 0)
    for link in document.corpus.bridges:
        if link.mention in to.mentions:
            bridge = NativeBridge(entity=link.entity - first, relation=link.relation)
            to.mentions[link.mention].bridges.append(bridge)


def _read_bridges(given: NativeRows) -> object:
    found = Bridges(
        Bridge(row, bridge.entity, bridge.relation)
        for row, mention in given.mentions.items()
        for bridge in mention.bridges
    )
    return found or None


# ---- Columns of extensions ----


def _write_own(document: Document, to: NativeRows) -> None:
    for name, column in document.corpus.own.items():
        record = column.record(document.index)
        if record is not None:
            to.own[name] = record


def _read_own(given: NativeRows) -> object:
    nodes = {node.token for node in given.document.empty_nodes}
    found = OwnColumns(
        (name, OWN_COLUMNS[name].of_record(record, nodes))
        for name, record in own_fields(given.document).items()
    )
    return found or None


# ---- Copies of texts ----


def _write_copy(document: Document, to: NativeRows) -> None:
    copies = document.corpus.copies
    copy = None if copies is None else copies[document.index]
    # An empty counter is not the default, which is left out.
    to.document.copy = copy and replace(copy, dropped=dict(copy.dropped))


def _read_copy(given: NativeRows) -> object:
    return None if given.document.copy is None else [given.document.copy]


NATIVE_COLUMNS = (
    NativeColumn("is_unnamed", _write_unnamed),
    NativeColumn("numbered", _write_numbered),
    NativeColumn("document_topics", _write_topic, _read_topic),
    NativeColumn("document_namespaces", _write_namespace, _read_namespace),
    NativeColumn("layers", _write_text),
    NativeColumn("empty_nodes", _write_nodes, _read_nodes),
    NativeColumn("sentence_digests", _write_nothing, _read_division),
    NativeColumn("mention_parts", _write_nothing, _read_parts),
    NativeColumn("mention_heads", _write_heads, _read_heads),
    NativeColumn("layers", _write_attributes),
    NativeColumn("openings", _write_openings, _read_openings),
    NativeColumn("layers", _write_other_attributes),
    NativeColumn("mention_order", _write_order),
    NativeColumn("split_antecedents", _write_antecedents, _read_antecedents),
    NativeColumn("bridges", _write_bridges, _read_bridges),
    NativeColumn("own", _write_own, _read_own),
    NativeColumn("copies", _write_copy, _read_copy),
)
"""The columns that only some documents have, in the order in which their fields are written."""
