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

import json
from collections.abc import Sequence
from itertools import accumulate, chain, pairwise, starmap
from math import inf
from operator import le
from typing import Any, cast

import numpy as np

from corefscope.choices import Layer
from corefscope.corpus import UNKNOWN_LENGTH
from corefscope.corpus.anaphora import Anaphora, Markable, Markables, UaBridge
from corefscope.corpus.copies import NO_OTHERS, Copy
from corefscope.corpus.layers import MentionAttributes, TextColumns
from corefscope.corpus.links import Bridge, Bridges, Openings
from corefscope.corpus.mentions import LAST_TOKEN, Parts
from corefscope.corpus.windows import WindowCounts
from corefscope.corpus.words import MOST_NODES, NO_NODES, EmptyNodes, division
from corefscope.findings import Code, Finding
from corefscope.formats.clusters import hashable
from corefscope.formats.jsonl.heads_and_nodes import NODE_ID, follow_words
from corefscope.formats.native.schema import (
    NativeAnaphora,
    NativeCopy,
    NativeDocument,
    NativeEntity,
    NativeLayer,
    NativeMarkable,
    NativeMention,
)
from corefscope.formats.native.shapes import check
from corefscope.formats.reading.block import Block, empty_nodes
from corefscope.formats.reading.builder import Builder, word_digest
from corefscope.formats.reading.drafting import Unfit
from corefscope.formats.reading.limits import DEEPEST
from corefscope.formats.reading.options import ReadingOptions
from corefscope.formats.reading.records import Record, records
from corefscope.formats.reading.source import Progress, Source

PLAIN_FIELDS = frozenset({"span", "type", "level", "opening"})
"""What a mention has that needs no check but that of its span."""
CODES = {code.id: code for code in Code}


def read(
    source: Source, builder: Builder, options: ReadingOptions, progress: Progress | None = None
) -> None:
    """Read all documents of a file into the builder."""
    del options
    count, errors = 0, len(builder.findings)
    for record in records(source, builder, progress):
        count += 1
        try:
            document = _checked(record.value, source.limits.nesting)
        except Unfit as error:
            builder.report(Code.BAD_SHAPE, str(error), source.name, record.line)
            continue
        if document.get("is_numbered"):
            builder.numbered.add(document["name"])
        builder.add_block(_block(document, source, record))
        empty = sum(not entity["mentions"] for entity in document["entities"])
        builder.report_empty(empty, source.name, record.line)
    if not count and len(builder.findings) == errors:
        builder.report(
            Code.NO_DOCUMENT,
            "the file contains no document",
            source.name,
            1,
            expected="at least one",
        )


def _block(document: NativeDocument, source: Source, record: Record) -> Block:
    entities, tokens = document["entities"], document["tokens"]
    mentions = [(number, m) for number, entity in enumerate(entities) for m in entity["mentions"]]
    mentions.sort(key=lambda pair: pair[1].get("order", 0))
    rows = np.empty((len(mentions), 4), np.int32)
    rows[:, 0] = [entity for entity, _ in mentions]
    spans = _plain_spans([mention for _, mention in mentions]) or [
        [parts[0][0], parts[-1][1]] if (parts := parts_of(mention)) else [0, 0]
        for _, mention in mentions
    ]
    rows[:, 1:3] = np.array(spans).reshape(-1, 2)
    rows[:, 3] = record.line
    ids = {
        row: hashable(mention["id"], DEEPEST)
        for row, (_, mention) in enumerate(mentions)
        if "id" in mention
    }
    return Block(
        names=(document["name"],),
        is_named=not document.get("is_unnamed", False),
        lines=(record.line,),
        tokens=(UNKNOWN_LENGTH if tokens is None else tokens,),
        digests=(_digest(document),),
        places=((source, record.start, record.stop, document_text),),
        labels=[entity["label"] for entity in entities],
        mentions=rows,
        ids=ids,
        columns=_columns(document, [mention for _, mention in mentions], record.line),
    )


# ---- Checks ----


def _checked(value: Any, nesting: int) -> NativeDocument:
    """Return a record that can be read; raise :class:`Unfit` if it does not fit the schema."""
    check(value, NativeDocument, "the document")
    document = cast(NativeDocument, value)
    tokens = document["tokens"]
    if tokens is not None and not 0 <= tokens <= LAST_TOKEN:
        raise Unfit(f"'tokens' is {tokens}", expected="the number of tokens")
    _check_text(document, tokens)
    _check_nodes(document)
    entities = document["entities"]
    for number, entity in enumerate(entities):
        antecedents = entity.get("split_antecedents", [])
        _check_indices(antecedents, len(entities), number, "split_antecedents")
    mentions = [mention for entity in entities for mention in entity["mentions"]]
    spans = _plain_spans(mentions)
    if spans is None or not _are_within(spans, LAST_TOKEN if tokens is None else tokens - 1):
        _check_mentions(entities, tokens, nesting)
    _check_order(mentions)
    for attribute in document.get("attributes", []):
        _check_span(attribute["span"], tokens, "an attribute")
    _check_anaphora(document)
    _check_copy(document)
    return document


def _plain_spans(mentions: Sequence[NativeMention]) -> list[list[int]] | None:
    """Return the spans of mentions; None if one has more than a span, or none at all."""
    if not PLAIN_FIELDS.issuperset(chain.from_iterable(mentions)):
        return None
    spans = [mention["span"] for mention in mentions if "span" in mention]
    return spans if len(spans) == len(mentions) else None


def _are_within(pairs: Sequence[Sequence[int]], last: float) -> bool:
    """Tell whether pairs have two numbers in order, from 0 to the last."""
    if not {2}.issuperset(map(len, pairs)):
        return False
    numbers = list(chain.from_iterable(pairs))
    firsts, lasts = numbers[::2], numbers[1::2]
    is_within = min(firsts, default=0) >= 0 and max(lasts, default=last) <= last
    return is_within and all(map(le, firsts, lasts))


def _check_mentions(entities: Sequence[NativeEntity], tokens: int | None, nesting: int) -> None:
    for number, entity in enumerate(entities):
        for place, mention in enumerate(entity["mentions"]):
            where = f"mention {place} of entity {number}"
            _check_mention(mention, tokens, where, nesting)
            bridges = [bridge["entity"] for bridge in mention.get("bridges", [])]
            _check_indices(bridges, len(entities), number, "bridges")


def _check_text(document: NativeDocument, tokens: int | None) -> None:
    lengths = {layer: len(values) for layer, values in document.get("layers", {}).items()}
    if "characters" in document:
        lengths["characters"] = len(document["characters"])
    if "sentences" in document:
        sentences = document["sentences"]
        lengths["sentences"] = sum(sentences) if min(sentences, default=0) >= 0 else -1
    for name, length in lengths.items():
        if length != tokens:
            raise Unfit(f"{name!r} is for {length} tokens", expected=f"{tokens}, as 'tokens' says")
    # Some formats say where tokens are in a text that they do not have.
    size = len(document["text"]) if "text" in document else inf
    characters = document.get("characters", [])
    if _are_within(characters, size):
        return
    for pair in characters:
        if len(pair) != 2 or not 0 <= pair[0] <= pair[1] <= size:
            raise Unfit(f"'characters' has {pair}", expected="begin and end in 'text'")


def _check_nodes(document: NativeDocument) -> None:
    nodes = document.get("empty_nodes", [])
    places = [node["token"] for node in nodes]
    if not nodes:
        return
    sentences = document.get("sentences", [])
    length = sum(sentences)
    if not all(NODE_ID.fullmatch(node["id"]) for node in nodes):
        raise Unfit("the id of an empty node is not such as '3.1'", expected="that")
    if any(not 0 < node.get("order", 1) < MOST_NODES for node in nodes):
        raise Unfit("the order of an empty node is not a number from 1", expected="that")
    if places != sorted(set(places)) or not 0 <= places[0] <= places[-1] < length:
        raise Unfit("'empty_nodes' are not tokens in order", expected="tokens of the sentences")
    ids = {node["token"]: node["id"] for node in nodes}
    # Universal Anaphora counts lines, whatever the IDs of nodes are.
    if "anaphora" not in document and not follow_words([[""] * size for size in sentences], ids):
        raise Unfit("an empty node does not follow the word that its id names", expected="that")


def _check_mention(mention: NativeMention, tokens: int | None, where: str, nesting: int) -> None:
    if len(mention.keys() & {"span", "parts", "id"}) != 1:
        raise Unfit(f"{where} has not exactly one of 'span', 'parts' and 'id'", expected="that")
    if "span" in mention:
        _check_span(mention["span"], tokens, where)
    elif "parts" in mention:
        _check_parts(mention["parts"], tokens, where)
    else:
        try:
            hashable(mention["id"], nesting)
        except (TypeError, RecursionError):
            raise Unfit(f"{where} has an id that is null, an object or nested too deeply") from None
    head = mention.get("head")
    if head is not None and not any(a <= head <= b for a, b in parts_of(mention)):
        raise Unfit(f"{where} has the head {head}", expected="one of its tokens")


def _check_span(span: Sequence[int], tokens: int | None, where: str) -> None:
    last = LAST_TOKEN if tokens is None else tokens - 1
    if len(span) != 2 or not 0 <= span[0] <= span[1] <= last:
        limit = "" if tokens is None else f" < {tokens}"
        raise Unfit(f"{where} has the span {list(span)}", expected=f"0 <= first <= last{limit}")


def _check_parts(parts: Sequence[Sequence[int]], tokens: int | None, where: str) -> None:
    for part in parts:
        _check_span(part, tokens, where)
    if len(parts) < 2 or any(before[1] + 1 >= after[0] for before, after in pairwise(parts)):
        raise Unfit(
            f"{where} has the parts {list(parts)}", expected="two or more with gaps between"
        )


def _check_indices(indices: Sequence[int], size: int, own: int, field: str) -> None:
    if any(not 0 <= index < size or index == own for index in indices):
        raise Unfit(
            f"{field!r} of entity {own} has {list(indices)}",
            expected=f"indices of other entities, of which there are {size - 1}",
        )


def _check_order(mentions: Sequence[NativeMention]) -> None:
    given = [mention["order"] for mention in mentions if "order" in mention]
    if given and sorted(given) != list(range(len(mentions))):
        raise Unfit("'order' is not a number from 0 for each mention", expected="that")


def _check_anaphora(document: NativeDocument) -> None:
    anaphora = document.get("anaphora")
    if anaphora is None:
        return
    for layer in (anaphora["identity"], anaphora["deixis"]):
        for markable in layer["markables"] if layer else ():
            where = f"markable {markable['id']!r}"
            for part in (*markable["parts"], *filter(None, [markable.get("minimum")])):
                _check_span(part, None, where)
        if layer and any(len(bridge) != 2 for bridge in layer["bridges"]):
            raise Unfit("a bridge is not a pair of ids", expected="anaphor and anchor")
        for finding in layer.get("findings", []) if layer else ():
            if finding["code"] not in CODES:
                raise Unfit(f"there is no code {finding['code']!r}", expected="one of corefscope")


def _check_copy(document: NativeDocument) -> None:
    copy = document.get("copy")
    if copy is None:
        return
    size = len(document.get("text", ""))
    stretches = (copy.get("undecided", []), copy.get("nameless", []), copy.get("asides", []))
    if not all(_are_within(each, size) for each in stretches):
        raise Unfit("'copy' has a stretch that is not in 'text'", expected="begin and end in it")


# ---- Entities ----


def _columns(
    document: NativeDocument, mentions: Sequence[NativeMention], line: int
) -> dict[str, object]:
    """Return the columns that only some documents have."""
    columns: dict[str, object] = {
        "mention_parts": {
            row: tuple((first, last) for first, last in mention["parts"])
            for row, mention in enumerate(mentions)
            if "parts" in mention
        },
        "split_antecedents": {
            number: tuple(entity["split_antecedents"])
            for number, entity in enumerate(document["entities"])
            if "split_antecedents" in entity
        },
        "bridges": Bridges(
            Bridge(row, bridge["entity"], bridge["relation"])
            for row, mention in enumerate(mentions)
            for bridge in mention.get("bridges", [])
        ),
    }
    if document.get("has_heads"):
        columns["mention_heads"] = np.array([mention.get("head", -1) for mention in mentions])
    if "bracket_fields" in document:
        columns["openings"] = Openings(
            texts=[mention.get("opening", "") for mention in mentions],
            fields=(tuple(document["bracket_fields"]),),
            types=[entity.get("type", "") for entity in document["entities"]],
            head_field=document.get("head_field", "head"),
        )
    if "empty_nodes" in document:
        columns["empty_nodes"] = _nodes(document, line)
    if "anaphora" in document:
        columns["anaphora"] = _anaphora(document["anaphora"])
    if "topic" in document:
        columns["document_topics"] = [document["topic"]]
        columns["document_namespaces"] = [document.get("namespace", document["topic"])]
    if "copy" in document:
        columns["copies"] = [_copy(document["copy"])]
    if (divided := _division(document)) is not None:
        columns["sentence_digests"] = [divided]
    return columns


def _nodes(document: NativeDocument, line: int) -> EmptyNodes:
    given = document.get("empty_nodes")
    if not given:
        return NO_NODES
    known = [(node["token"], node["id"], node["dependencies"]) for node in given]
    nodes = empty_nodes(known, document.get("sentences", []), line)
    for place, node in enumerate(given):
        if "order" in node:
            nodes.opens_sentence[place], nodes.order[place] = 0, node["order"]
    return nodes


def parts_of(mention: NativeMention) -> Parts:
    """Return the parts of a mention; none if it is an id."""
    spans = [mention["span"]] if "span" in mention else mention.get("parts", [])
    return tuple((first, last) for first, last in spans)


def _anaphora(anaphora: NativeAnaphora) -> Anaphora:
    layers: dict[Layer, list[Markables | None]] = {}
    if anaphora["identity"] is not None:
        layers["identity"] = [_layer(anaphora["identity"])]
    if anaphora["deixis"] is not None:
        layers["deixis"] = [_layer(anaphora["deixis"])]
    return Anaphora(layers, anaphora["entities"])


def _layer(layer: NativeLayer) -> Markables:
    return Markables(
        tuple(map(_markable, layer["markables"])),
        tuple(UaBridge(anaphor, anchor) for anaphor, anchor in layer["bridges"]),
        tuple(
            Finding(CODES[f["code"]], f["message"], expected=f.get("expected")).at(
                f["file"], f["line"]
            )
            for f in layer.get("findings", [])
        ),
    )


def _markable(markable: NativeMarkable) -> Markable:
    minimum = markable.get("minimum")
    return Markable(
        id=markable["id"],
        entity=markable["entity"],
        parts=tuple((first, last) for first, last in markable["parts"]),
        minimum=None if minimum is None else (minimum[0], minimum[1]),
        element_of=tuple(markable.get("element_of", [])),
        is_zero=markable.get("is_zero", False),
    )


def _copy(copy: NativeCopy) -> Copy:
    style, tags = NO_OTHERS
    return Copy(
        style=copy["style"],
        opened=copy["opened"],
        closed=copy["closed"],
        foreign=copy.get("foreign", 0),
        others=(copy.get("other_style", style), copy.get("other_tags", tags)),
        dropped=copy.get("dropped", {}),
        undecided=_stretches(copy.get("undecided", [])),
        nameless=_stretches(copy.get("nameless", [])),
        asides=_stretches(copy.get("asides", [])),
        antecedent_not_found=copy.get("antecedent_not_found", 0),
        is_cut_off=copy.get("cut_off", False),
        windows=WindowCounts(**copy["windows"]) if "windows" in copy else None,
    )


def _stretches(pairs: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    return [(begin, end) for begin, end in pairs]


# ---- Text ----


def _digest(document: NativeDocument) -> bytes | None:
    words = document.get("layers", {}).get("words")
    if words is None:
        return None
    hidden = {node["token"] for node in document.get("empty_nodes", [])}
    plain = [w for t, w in enumerate(words) if t not in hidden] if hidden else words
    return word_digest(plain)


def _division(document: NativeDocument) -> bytes | None:
    """Return a digest of the numbers of words in sentences, by which empty nodes are compared."""
    nodes = document.get("empty_nodes")
    # Universal Anaphora counts the nodes of a document, not those of sentences.
    if not nodes or "anaphora" in document:
        return None
    ends = list(accumulate(document.get("sentences", []), initial=0))
    return division(starmap(range, pairwise(ends)), {node["token"] for node in nodes})


def document_text(block: bytes) -> TextColumns:
    """Read the text of a document from its line."""
    document = cast(NativeDocument, json.loads(block.decode("utf-8-sig", "surrogateescape")))
    words = document.get("layers", {}).get("words", [])
    ends = [0, *accumulate(document.get("sentences") or ([len(words)] if words else []))]
    attributes = {
        (parts[0][0], parts[-1][1]): MentionAttributes(mention.get("type"), mention.get("level"))
        for entity in document["entities"]
        for mention in entity["mentions"]
        if ("type" in mention or "level" in mention) and (parts := parts_of(mention))
    }
    for other in document.get("attributes", []):
        first, last = other["span"]
        attributes[first, last] = MentionAttributes(other["type"], other["level"])
    return TextColumns(
        sentences=[range(begin, end) for begin, end in pairwise(ends)],
        columns=document.get("layers", {}),
        attributes=attributes or None,
        text=document.get("text"),
        characters=[(b, e) for b, e in document["characters"]]
        if "characters" in document
        else None,
    )
