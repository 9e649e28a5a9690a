"""JSON lines, as most neural systems write them: `doc_key`, `sentences`, `clusters`.

e2e-coref, s2e, LingMess, longdoc and many others read and write this form, and so does
BOOKCOREF. Positions count the tokens of the document from 0, and ends are inclusive. All rules are
in [Formats](../ref/formats.md#jsonl).

- A document is named by `doc_key`, or by `doc_id`, `doc`, `document`, `document_id`, `id` and the
  like. `tokens` may stand in the place of `sentences`.
- A file may have gold clusters and predictions: a key is read from `clusters`, a response from
  `predicted_clusters`. The choice is reported; `jsonl:FIELD` names a field.
- `characters` of BOOKCOREF, a list or an object, names entities.
- If `subtoken_map` is there, positions count word pieces: see *subtoken*.
- Words of mentions in `clusters_strings` prove how positions are counted.
"""

from __future__ import annotations

import json
import reprlib
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain, pairwise
from typing import Any

import numpy as np

from corefscope.corpus.mentions import are_spans
from corefscope.corpus.offsets import DEFAULT, Convention
from corefscope.findings import Code
from corefscope.formats.detection import CLUSTER_FIELDS
from corefscope.formats.jsonl.heads_and_nodes import HEADS_FIELD, NODES_FIELD, heads_of, nodes_of
from corefscope.formats.jsonl.layers import (
    ALL_FIELDS,
    ATTRIBUTE_FIELDS,
    LAYER_FIELDS,
    NAMES_FIELD,
    STRING_FIELDS,
    add_layers,
    attributes_fit,
    fits,
    has_parts,
    tokens_of,
    with_converted_layers,
    with_sentences,
)
from corefscope.formats.jsonl.other_clusters import is_clustering, other_clusterings
from corefscope.formats.reading.block import Block
from corefscope.formats.reading.builder import word_digest
from corefscope.formats.reading.cluster_fields import Chooser
from corefscope.formats.reading.draft import Draft, Mentions
from corefscope.formats.reading.drafting import Unfit, text_reader
from corefscope.formats.reading.file import File
from corefscope.formats.reading.json_documents import JsonDocument, read_documents
from corefscope.formats.reading.records import Record
from corefscope.formats.reading.shapes import entities_of, list_of, name_of, texts_of

REWRITE = "write it as [[[first, last], …], …] into a field of the line, and name that field"
RECORDS_LOOKED_AT = 10
"""How many records of a file are searched for a second field with clusters."""
PLAIN_FIELDS = frozenset({"doc_key", "sentences", "clusters", "predicted_clusters"})
"""The fields of most records."""


def read(file: File) -> None:
    """Read all documents of a file into the corpus."""
    chooser = _Chooser(file)
    is_usual = file.options.convention() == DEFAULT
    together = partial(plain_block, file=file, chooser=chooser) if is_usual else None
    read_documents(file, _drafts, chooser, together)


class _Chooser(Chooser):
    """Notices fields that are clusters by their shape, whatever their names are."""

    def __init__(self, file: File) -> None:
        super().__init__(file)
        self.looked_at = 0

    def others_said(self, record: Any) -> str:
        """Say so of the first records, by shape."""
        self.looked_at += 1
        field = self.choice.field
        if self.looked_at > RECORDS_LOOKED_AT or self.reading.options.clusters:
            return ""
        found = other_clusterings(record, field) if isinstance(record, dict) else []
        others = [each for each in found if each not in CLUSTER_FIELDS]
        if not others or field not in record:
            return ""
        names = ", ".join(map(repr, others))
        look = "looks" if len(others) == 1 else "look"
        is_field = is_clustering(record.get(others[0]), None)
        how = self.how_to_read(others[0]) if is_field else REWRITE
        return (
            f"{names} {look} like clusters as well as {field!r}, which is read; if {others[0]!r} "
            f"should be scored, {how}"
        )

    def how_to_read(self, field: str) -> str:
        """Return which format to use to read the clusters from a field."""
        return f"read the file with the format {self.reading.with_field(field)!r}"


# ---- Many plain records together ----


def plain_block(
    given: Sequence[Record], again: Callable[[bytes], Draft], file: File, chooser: _Chooser
) -> Block | None:
    """Return the columns of records that have nothing but names, words and clusters.

    None if one of them has any other field, or something wrong: then each is read as a draft, with
    the same result.
    """
    field = chooser.choice.field
    fields = {*PLAIN_FIELDS, field}
    # A second field of clusters is reported once, unless the user chose which one to read.
    if not chooser.is_said and not file.options.clusters:
        fields -= {*CLUSTER_FIELDS} - {field}
    records = [record.value for record in given]
    if set(map(type, records)) != {dict} or not fields.issuperset(chain.from_iterable(records)):
        return None
    names = [record.get("doc_key") for record in records]
    clusters = [record.get(field) for record in records]
    texts = [record.get("sentences") for record in records]
    if set(map(type, names)) != {str} or {*map(type, clusters), *map(type, texts)} != {list}:
        return None
    entities, sentences = list(chain.from_iterable(clusters)), list(chain.from_iterable(texts))
    if {list} != {*map(type, entities), *map(type, sentences)} or not all(entities):
        return None
    mentions = list(chain.from_iterable(entities))
    words = [list(chain.from_iterable(text)) for text in texts]
    if not are_spans(mentions, list) or set(map(type, chain.from_iterable(words))) != {str}:
        return None
    sizes = list(map(len, clusters))
    lengths = np.array(list(map(len, words)))
    entity = np.repeat(np.arange(len(entities)), list(map(len, entities)))
    record = np.repeat(np.arange(len(records)), sizes)[entity]
    rows = np.empty((len(mentions), 4), np.int32)
    rows[:, 1:3] = np.array(list(chain.from_iterable(mentions))).reshape(-1, 2)
    if not (rows[:, 2] < lengths[record]).all():
        return None
    lines, reader = [each.line for each in given], text_reader(again)
    # The same few strings are shared by all documents.
    labels = list(map(str, range(max(sizes, default=0))))
    rows[:, 0], rows[:, 3] = entity, np.array(lines)[record]
    return Block(
        names=names,
        lines=lines,
        tokens=lengths.tolist(),
        digests=list(map(word_digest, words)),
        places=[(file.source, each.start, each.stop, reader) for each in given],
        entities=sizes,
        labels=[label for size in sizes for label in labels[:size]],
        mentions=rows,
    )


# ---- One record ----


def _drafts(document: JsonDocument) -> list[Draft]:
    """Return the draft of a record; raise :class:`Unfit` if it does not have the right shape."""
    field, convention = document.field, document.options.convention()
    if not isinstance(document.fields.get(field), list):
        raise _missing(document)
    record = document.fields = with_sentences(document.fields)
    mentions = _mentions(record, field, convention)
    words, length = _words_and_length(record)
    text = record.get("text")
    document.add_strings(mentions, *STRING_FIELDS)
    name = _name_of(record)
    draft = Draft(
        name=name,
        name_fields={} if name is not None else texts_of(record),
        mentions=mentions,
        convention=convention,
        words=words,
        length=length,
        sentences=None if words is None else list(map(len, record["sentences"])),
        text=text if isinstance(text, str) and convention.unit != "token" else None,
        findings=document.findings,
    )
    if convention.unit == "token" and not record.keys().isdisjoint(ALL_FIELDS):
        _add_annotations(draft, document)
    return [draft]


def _missing(document: JsonDocument) -> Unfit:
    """Say that there are no clusters, and where they may be."""
    fields, field, role = document.fields, document.field, document.options.role
    found = "is not a list of entities" if field in fields else "is missing"
    expected = "[[[first, last], …], …]"
    others = other_clusterings(fields, field) or [
        field for field, value in fields.items() if is_clustering(value, None)
    ]
    # A response is more likely to be in a field of predictions.
    others.sort(key=lambda name: ("pred" in name) != (role == "response"))
    chooser = document.chooser
    if others and is_clustering(fields.get(others[0]), None) and isinstance(chooser, _Chooser):
        what = f"to use it as {role}, " if role else ""
        how = chooser.how_to_read(others[0])
        expected += f"; {others[0]!r} looks like one: {what}{how}"
    return Unfit(f"{field!r} {found}", expected=expected)


def _name_of(record: dict[str, Any]) -> str | None:
    """Return the name of a document; None if the record has none."""
    name = name_of(record)
    if name is None:
        for field in ("doc_key", "doc_id"):
            if record.get(field) is not None:
                shown = reprlib.repr(record[field])
                raise Unfit(f"{field!r} is {shown}", expected="the document's name")
    return name


def _words_and_length(record: dict[str, Any]) -> tuple[list[str] | None, int | None]:
    """Return the words and the number of tokens, as far as they are known.

    Some files have the numbers of a vocabulary instead of words.
    """
    if record.get("sentences") is None:
        return None, None
    tokens = tokens_of(record)
    kinds = {None} if tokens is None else set(map(type, tokens))
    if tokens is None or kinds not in ({str}, {int}, set()):
        raise Unfit("'sentences' has no lists of words", expected="[[word, …], …]")
    return None if int in kinds else tokens, len(tokens)


def _mentions(record: dict[str, Any], field: str, convention: Convention) -> Mentions:
    """Return the mentions of a record, some of which may have gaps."""
    entities = list_of(record, field, "a list of entities")
    rows = list(chain.from_iterable(each for each in entities if isinstance(each, list)))
    if not any(map(has_parts, rows)):
        mentions = entities_of(record, field)
    else:
        flat = [
            list(chain.from_iterable(map(_parts, each))) if isinstance(each, list) else each
            for each in entities
        ]
        mentions = entities_of({field: flat}, field)
        mentions.sizes = list(map(len, entities))
        mentions.parts = [len(_parts(mention)) for mention in rows]
        for mention in filter(has_parts, rows):
            _check_parts(mention, convention)
    if names := _character_names(record):
        named = zip(mentions.labels, entities, strict=True)
        mentions.labels = [names.get(json.dumps(entity)) or label for label, entity in named]
    return mentions


def _parts(mention: Any) -> list[Any]:
    """Return the parts of a mention, which is one part itself if it has no gaps."""
    return mention if has_parts(mention) else [mention]


def _check_parts(parts: Sequence[Sequence[int]], convention: Convention) -> None:
    """Raise an error if the parts of a mention are not in order."""
    shown = reprlib.repr(parts)
    if len(parts) < 2:
        expected = "[first, last], or two or more such parts in a list"
        raise Unfit(f"mention {shown}", expected=expected)
    spans = [convention.convert(*part) for part in parts]
    if any(after[0] <= before[1] for before, after in pairwise(spans)):
        expected = "parts in order and without common tokens"
        raise Unfit(f"mention {shown}", expected=expected, code=Code.BAD_SPAN)


def _character_names(record: dict[str, Any]) -> dict[str, str]:
    """Return the names of entities in BOOKCOREF, by their mentions as JSON."""
    match record.get("characters"):
        case dict(named):
            pairs = list(named.items())
        case list(given):
            pairs = [(c.get("name"), c.get("cluster")) for c in given if isinstance(c, dict)]
        case _:
            return {}
    return {
        json.dumps(cluster): name
        for name, cluster in pairs
        if isinstance(name, str) and name and isinstance(cluster, list)
    }


def _add_annotations(draft: Draft, document: JsonDocument) -> None:
    """Add heads and empty nodes; report what does not fit words or clusters, and is left out."""
    record, field = document.fields, document.field
    heads = heads_of(record, record[field], draft.convention)
    if heads is not None:
        draft.mentions.heads = heads
    elif record.get(HEADS_FIELD) is not None:
        document.warn(Code.BAD_LAYER, f"{HEADS_FIELD!r} does not fit the clusters; it is left out")
    nodes = None if draft.words is None else nodes_of(record, draft.convention)
    if nodes is not None:
        draft.nodes = nodes
    elif record.get(NODES_FIELD) is not None:
        document.warn(
            Code.BAD_LAYER,
            f"{NODES_FIELD!r} does not fit 'sentences'; it is left out, and all tokens count as "
            "words",
            '[token, "3.1", dependencies] in order, after three words of its sentence',
        )
    converted = with_converted_layers(record, draft.convention)
    for layer in (*LAYER_FIELDS, NAMES_FIELD):
        if converted.get(layer) is not None and (draft.words is None or not fits(converted, layer)):
            found = f"{layer!r} does not fit 'sentences'; it is left out"
            document.warn(Code.BAD_LAYER, found)
    if not attributes_fit(record, field):
        given = ", ".join(each for each in ATTRIBUTE_FIELDS if each in record)
        found = f"{given} does not have the shape of {field!r}; it is left out"
        document.warn(Code.BAD_LAYER, found)
    draft.complete = partial(add_layers, record=converted, clusters=field)
