"""Write corpora in the native format."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from corefscope.corpus import UNKNOWN_LENGTH, Corpus, Document
from corefscope.corpus.anaphora import Markable, Markables
from corefscope.corpus.copies import NO_OTHERS, Copy
from corefscope.corpus.layers import Attributes
from corefscope.corpus.mentions import is_parts, is_span
from corefscope.corpus.words import EmptyNodes
from corefscope.findings import Finding
from corefscope.formats.native.schema import (
    NativeAnaphora,
    NativeAttribute,
    NativeBridge,
    NativeCopy,
    NativeDocument,
    NativeEntity,
    NativeFinding,
    NativeLayer,
    NativeMarkable,
    NativeMention,
    NativeNode,
)
from corefscope.formats.writing.abilities import Written
from corefscope.formats.writing.expressing import json_text
from corefscope.version import __version__


def write(corpus: Corpus) -> Iterator[Written]:
    """Yield the file of a corpus."""
    lines = (json_text(document, _record(document)) + "\n" for document in corpus)
    yield "corpus.native.jsonl", "".join(lines).encode(errors="surrogateescape")


def _record(document: Document) -> NativeDocument:
    corpus = document.corpus
    tokens = int(corpus.document_tokens[document.index])
    record = NativeDocument(
        corefscope=__version__,
        schema="corpus/1",
        name=document.name,
        tokens=None if tokens == UNKNOWN_LENGTH else tokens,
        entities=[],
    )
    _add_names(record, document)
    _add_text(record, document)
    _add_nodes(record, document)
    if corpus.mention_heads is not None:
        record["has_heads"] = True
    if corpus.openings and corpus.openings.fields[document.index]:
        record["bracket_fields"] = list(corpus.openings.fields[document.index])
        if corpus.openings.head_field != "head":
            record["head_field"] = corpus.openings.head_field
    record["entities"] = _entities(document)
    if others := _other_attributes(document):
        record["attributes"] = others
    if anaphora := _anaphora(document):
        record["anaphora"] = anaphora
    if corpus.copies is not None:
        record["copy"] = _copy(corpus.copies[document.index])
    return record


def _add_names(record: NativeDocument, document: Document) -> None:
    """Add what the name of a document is worth, and which documents it belongs to."""
    corpus = document.corpus
    if corpus.is_unnamed:
        record["is_unnamed"] = True
    if document.name in corpus.numbered:
        record["is_numbered"] = True
    topics, namespaces = corpus.document_topics, corpus.document_namespaces
    topic = topics[document.index] if topics else None
    namespace = namespaces[document.index] if namespaces else None
    if topic is not None:
        record["topic"] = topic
        if namespace is not None and namespace != topic:
            record["namespace"] = namespace


def _add_text(record: NativeDocument, document: Document) -> None:
    layers = document.corpus.layers
    if layers is None:
        return
    text = layers.text(document.index)
    if text.text is not None:
        record["text"] = text.text
    if text.characters is not None:
        record["characters"] = [list(pair) for pair in text.characters]
    if text.sentences:
        record["sentences"] = [len(sentence) for sentence in text.sentences]
    if text.columns:
        record["layers"] = {layer: list(values) for layer, values in text.columns.items()}


def _add_nodes(record: NativeDocument, document: Document) -> None:
    nodes = document.corpus.empty_nodes
    rows = nodes.rows_of(document.index)
    if rows:
        record["empty_nodes"] = [_node(nodes, row) for row in rows]


def _node(nodes: EmptyNodes, row: int) -> NativeNode:
    id = nodes.ids[row]
    node = NativeNode(token=int(nodes.token[row]), id=id, dependencies=nodes.dependencies[row])
    before, _, order = id.partition(".")
    if (before == "0", int(order)) != (bool(nodes.opens_sentence[row]), int(nodes.order[row])):
        # Universal Anaphora counts the nodes between two words, also those of two sentences.
        node["order"] = int(nodes.order[row])
    return node


# ---- Entities ----


def _entities(document: Document) -> list[NativeEntity]:
    corpus = document.corpus
    first, last = np.searchsorted(corpus.entity_document, [document.index, document.index + 1])
    numbers = range(int(first), int(last))
    place = {number: index for index, number in enumerate(numbers)}
    entities = {number: _entity(corpus, number, place) for number in numbers}
    rows = corpus.mentions_of(document.index)
    order = _order(corpus, rows)
    attributes = document.attributes or {}
    mentions = {row: _mention(corpus, row, attributes) for row in rows}
    for row, mention in mentions.items():
        if order:
            mention["order"] = order[row]
        entities[int(corpus.mention_entity[row])]["mentions"].append(mention)
    for link in corpus.bridges:
        if link.mention in mentions:
            bridge = NativeBridge(entity=place[link.entity], relation=link.relation)
            mentions[link.mention].setdefault("bridges", []).append(bridge)
    return list(entities.values())


def _entity(corpus: Corpus, number: int, place: dict[int, int]) -> NativeEntity:
    entity = NativeEntity(label=corpus.entity_labels[number], mentions=[])
    if corpus.openings and corpus.openings.types[number]:
        entity["type"] = corpus.openings.types[number]
    if number in corpus.split_antecedents:
        entity["split_antecedents"] = [place[e] for e in corpus.split_antecedents[number]]
    return entity


def _mention(corpus: Corpus, row: int, attributes: Attributes) -> NativeMention:
    id = corpus.mention_id(row)
    mention = NativeMention()
    if is_span(id):
        mention["span"] = list(id)
    elif is_parts(id):
        mention["parts"] = [list(part) for part in id]
    else:
        mention["id"] = id
    if corpus.mention_heads is not None and corpus.mention_heads[row] >= 0:
        mention["head"] = int(corpus.mention_heads[row])
    if (span := _hull(id)) in attributes:
        type, level = attributes[span]
        mention |= {"type": type} if type is not None else {}
        mention |= {"level": level} if level is not None else {}
    if corpus.openings and corpus.openings.texts[row]:
        mention["opening"] = corpus.openings.texts[row]
    return mention


def _hull(id: object) -> tuple[int, int]:
    """Return first and last token of a mention; a span that is nowhere if it has none."""
    match id:
        case (int(first), int(last)):
            return first, last
        case ((int(first), _), *_, (_, int(last))):
            return first, last
    return -1, -1


def _order(corpus: Corpus, rows: range) -> dict[int, int]:
    """Return the place of each mention in its document, if it is not that of the rows."""
    if corpus.mention_order is None or not rows:
        return {}
    given = corpus.mention_order[rows.start : rows.stop]
    if (given[:-1] < given[1:]).all():
        return {}
    return {rows.start + row: place for place, row in enumerate(given.argsort().tolist())}


def _other_attributes(document: Document) -> list[NativeAttribute]:
    """Return the attributes of spans that no mention has."""
    known = document.attributes or {}
    spans = {_hull(mention.id) for entity in document.entities for mention in entity}
    return [
        {"span": list(span), "type": type, "level": level}
        for span, (type, level) in known.items()
        if span not in spans or (type is None and level is None)
    ]


# ---- Universal Anaphora ----


def _anaphora(document: Document) -> NativeAnaphora | None:
    known = document.corpus.anaphora
    if known is None:
        return None
    layers = {layer: documents[document.index] for layer, documents in known.layers.items()}
    identity, deixis = layers.get("identity"), layers.get("deixis")
    if identity is None and deixis is None:
        return None
    return {
        "entities": known.entities,
        "identity": None if identity is None else _layer(identity),
        "deixis": None if deixis is None else _layer(deixis),
    }


def _layer(layer: Markables) -> NativeLayer:
    found = NativeLayer(
        markables=[_markable(markable) for markable in layer.markables],
        bridges=[[bridge.anaphor, bridge.anchor] for bridge in layer.bridges],
    )
    if layer.findings:
        found["findings"] = list(map(_finding, layer.findings))
    return found


def _finding(finding: Finding) -> NativeFinding:
    found = NativeFinding(
        code=finding.code.id, message=finding.found, file=finding.file, line=finding.line
    )
    return found if finding.expected is None else {**found, "expected": finding.expected}


def _markable(markable: Markable) -> NativeMarkable:
    found = NativeMarkable(
        id=markable.id,
        entity=markable.entity,
        parts=[list(part) for part in markable.parts],
    )
    if markable.minimum is not None:
        found["minimum"] = list(markable.minimum)
    if markable.element_of:
        found["element_of"] = list(markable.element_of)
    if markable.is_zero:
        found["is_zero"] = True
    return found


# ---- Copies of texts ----


def _copy(copy: Copy) -> NativeCopy:
    found = NativeCopy(style=copy.style, opened=copy.opened, closed=copy.closed)
    if copy.foreign:
        found["foreign"] = copy.foreign
    if copy.others != NO_OTHERS:
        found["other_style"], found["other_tags"] = copy.others
    if copy.dropped:
        found["dropped"] = dict(copy.dropped)
    _add_stretches(found, copy)
    if copy.antecedent_not_found:
        found["antecedent_not_found"] = copy.antecedent_not_found
    if copy.is_cut_off:
        found["cut_off"] = True
    if copy.windows is not None:
        windows = copy.windows
        found["windows"] = {
            "count": windows.count,
            "joined": windows.joined,
            "conflicts": windows.conflicts,
        }
    return found


def _add_stretches(found: NativeCopy, copy: Copy) -> None:
    """Add what may be no words of a copy."""
    if copy.undecided:
        found["undecided"] = list(map(list, copy.undecided))
    if copy.nameless:
        found["nameless"] = list(map(list, copy.nameless))
    if copy.asides:
        found["asides"] = list(map(list, copy.asides))
