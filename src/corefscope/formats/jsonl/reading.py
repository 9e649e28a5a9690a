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
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice, pairwise
from typing import Any

import numpy as np

from corefscope.corpus.mentions import are_spans
from corefscope.corpus.offsets import DEFAULT, Convention
from corefscope.findings import Code, Finding
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
from corefscope.formats.reading.block import Block, FilePlace
from corefscope.formats.reading.builder import word_digest
from corefscope.formats.reading.cluster_fields import Chooser
from corefscope.formats.reading.draft import Draft, Mentions
from corefscope.formats.reading.drafting import Placed, Unfit, add_draft, text_reader
from corefscope.formats.reading.echo import is_refuted, sample
from corefscope.formats.reading.file import File
from corefscope.formats.reading.records import Record, records
from corefscope.formats.reading.shapes import (
    Findings,
    add_strings,
    entities_of,
    list_of,
    name_of,
    object_of,
    texts_of,
)

REWRITE = "write it as [[[first, last], …], …] into a field of the line, and name that field"
RECORDS_LOOKED_AT = 10
"""How many records of a file are searched for a second field with clusters."""
BATCH = 500
"""How many records are put into columns together."""
PLAIN_FIELDS = frozenset({"doc_key", "sentences", "clusters", "predicted_clusters"})
"""The fields of most records."""


def read(file: File) -> None:
    """Read all documents of a file into the corpus."""
    errors = len(file.builder.findings)
    rest = records(file)
    first = sample(rest, lambda record: _count(record.value))
    chooser = Chooser(file)
    drafts = drafts_of(first, chooser.choice.field, file.options.convention())
    if is_refuted(drafts, file.builder, file.name):
        return
    reader = _Reader(file, chooser)
    given = chain(first, rest)
    some = list(islice(given, RECORDS_LOOKED_AT))
    if len(some) == 1:
        reader.read(some[0], file.source.stem)
    else:
        reader.read_each(some)
    reader.looks_for_others = False
    while batch := list(islice(given, BATCH)):
        reader.read_batch(batch)
    if not reader.count and len(file.builder.findings) == errors:
        file.report(
            Code.NO_DOCUMENT,
            "the file contains no document",
            1,
            expected="JSON objects with doc_key and clusters",
        )


class _Reader:
    """Reads the records of a file into the builder."""

    def __init__(self, file: File, chooser: Chooser) -> None:
        self.file = file
        self.source = file.source
        self.builder = file.builder
        self.chooser = chooser
        self.field = chooser.choice.field
        """The field that the clusters are read from."""
        self.options = file.options
        self.convention = self.options.convention()
        self.again = partial(_draft_again, chooser=chooser, convention=self.convention)
        self.looks_for_others = True
        """Whether to report a field that looks like clusters but is not read."""
        self.count = 0
        """How many records were read."""

    def read_each(self, given: Sequence[Record]) -> None:
        """Read records one by one; a document without a name has its number."""
        for number, record in enumerate(given, start=self.count + 1):
            self.read(record, f"{self.source.stem}#{number}")

    def read_batch(self, given: Sequence[Record]) -> None:
        """Read records together if all of them are plain and right, else one by one."""
        # A second field of clusters is reported once, unless the user chose which one to read.
        fields = {*PLAIN_FIELDS, self.field}
        if not self.chooser.is_said and not self.options.clusters:
            fields -= {*CLUSTER_FIELDS} - {self.field}
        block = None
        if self.convention == DEFAULT:
            reader = text_reader(self.again)
            places = [(self.source, each.start, each.stop, reader) for each in given]
            block = plain_block(given, fields, self.field, places)
        if block is None:
            self.read_each(given)
            return
        self.count += len(given)
        self.builder.add_block(block)

    def read(self, record: Record, own_name: str) -> None:
        """Read a record."""
        self.count += 1
        try:
            draft = self._draft(record)
        except Unfit as error:
            self.builder.add(error.finding.at(self.source.name, record.line))
            return
        placed = Placed(draft, record.start, record.stop, self.again)
        name = own_name if draft.name is None else draft.name
        if draft.name is None:
            self.builder.numbered[name] = texts_of(object_of(record.value))
        add_draft(self.file, placed, name, is_named=draft.name is not None)

    def _draft(self, record: Record) -> Draft:
        findings: Findings = []
        fields = self.chooser.with_entities(object_of(record.value), findings)
        if self.looks_for_others:
            findings += self._others(fields)
        for finding in findings:
            self.builder.add(finding.at(self.source.name, record.line))
        if not isinstance(fields.get(self.field), list):
            raise self._missing(fields)
        draft = draft_of(fields, self.field, self.convention)
        draft.line = record.line
        return draft

    def _missing(self, fields: dict[str, Any]) -> Unfit:
        """Say that there are no clusters, and where they may be."""
        found = "is not a list of entities" if self.field in fields else "is missing"
        expected = "[[[first, last], …], …]"
        others = other_clusterings(fields, self.field) or [
            field for field, value in fields.items() if is_clustering(value, None)
        ]
        # A response is more likely to be in a field of predictions.
        others.sort(key=lambda name: ("pred" in name) != (self.options.role == "response"))
        if others and is_clustering(fields.get(others[0]), None):
            what = f"to use it as {self.options.role}, " if self.options.role else ""
            expected += f"; {others[0]!r} looks like one: {what}{self._how_to_read(others[0])}"
        return Unfit(f"{self.field!r} {found}", expected=expected)

    def _others(self, fields: dict[str, Any]) -> Findings:
        """Report fields that look like clusters, unless the caller chose which one to read."""
        is_read = self.field in fields and not self.options.clusters
        found = other_clusterings(fields, self.field) if is_read else []
        others = [field for field in found if field not in CLUSTER_FIELDS]
        if not others:
            return []
        self.looks_for_others = False
        names = ", ".join(map(repr, others))
        look = "looks" if len(others) == 1 else "look"
        is_field = is_clustering(fields.get(others[0]), None)
        how = self._how_to_read(others[0]) if is_field else REWRITE
        message = (
            f"{names} {look} like clusters as well as {self.field!r}, which is read; if "
            f"{others[0]!r} should be scored, {how}"
        )
        return [Finding(Code.SEVERAL_ANNOTATIONS, message)]

    def _how_to_read(self, field: str) -> str:
        """Return which format to use to read the clusters from a field."""
        return f"read the file with the format {self.builder.reading.with_field(field)!r}"


# ---- Many plain records together ----


def plain_block(
    given: Sequence[Record], fields: set[str], field: str, places: Sequence[FilePlace]
) -> Block | None:
    """Return the columns of records that have nothing but names, words and clusters.

    None if one of them has any other field, or something wrong: then each is read as a draft, with
    the same result.
    """
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
    lines = [each.line for each in given]
    # The same few strings are shared by all documents.
    labels = list(map(str, range(max(sizes, default=0))))
    rows[:, 0], rows[:, 3] = entity, np.array(lines)[record]
    return Block(
        names=names,
        lines=lines,
        tokens=lengths.tolist(),
        digests=list(map(word_digest, words)),
        places=places,
        entities=sizes,
        labels=[label for size in sizes for label in labels[:size]],
        mentions=rows,
    )


# ---- One record ----


def drafts_of(given: Iterable[Record], field: str, convention: Convention) -> Iterator[Draft]:
    """Yield the drafts of records, as far as they have the right shape."""
    for record in given:
        if isinstance(record.value, dict):
            try:
                yield draft_of(record.value, field, convention)
            except Unfit:
                continue


def draft_of(record: dict[str, Any], field: str, convention: Convention) -> Draft:
    """Return a record as a draft; raise :class:`Unfit` if it does not have the right shape."""
    record = with_sentences(record)
    mentions = _mentions(record, field, convention)
    words, length = _words_and_length(record)
    text = record.get("text")
    findings: Findings = []
    add_strings(mentions, record, STRING_FIELDS, findings)
    draft = Draft(
        name=_name_of(record),
        mentions=mentions,
        convention=convention,
        words=words,
        length=length,
        sentences=None if words is None else list(map(len, record["sentences"])),
        text=text if isinstance(text, str) and convention.unit != "token" else None,
        findings=findings,
    )
    if convention.unit == "token" and not record.keys().isdisjoint(ALL_FIELDS):
        _add_annotations(draft, record, field)
    return draft


def _draft_again(block: bytes, chooser: Chooser, convention: Convention) -> Draft:
    record = json.loads(block.decode("utf-8-sig", "surrogateescape"))
    return draft_of(chooser.with_entities(record, []), chooser.choice.field, convention)


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


def _add_annotations(draft: Draft, record: dict[str, Any], field: str) -> None:
    """Add heads and empty nodes; report what does not fit words or clusters, and is left out."""
    wrong: list[tuple[str, str | None]] = []
    heads = heads_of(record, record[field], draft.convention)
    if heads is not None:
        draft.table().heads = heads
    elif record.get(HEADS_FIELD) is not None:
        wrong.append((f"{HEADS_FIELD!r} does not fit the clusters; it is left out", None))
    nodes = None if draft.words is None else nodes_of(record, draft.convention)
    if nodes is not None:
        draft.nodes = nodes
    elif record.get(NODES_FIELD) is not None:
        found = (
            f"{NODES_FIELD!r} does not fit 'sentences'; it is left out, and all tokens count as "
            "words"
        )
        expected = '[token, "3.1", dependencies] in order, after three words of its sentence'
        wrong.append((found, expected))
    converted = with_converted_layers(record, draft.convention)
    for layer in (*LAYER_FIELDS, NAMES_FIELD):
        if converted.get(layer) is not None and (draft.words is None or not fits(converted, layer)):
            wrong.append((f"{layer!r} does not fit 'sentences'; it is left out", None))
    if not attributes_fit(record, field):
        given = ", ".join(each for each in ATTRIBUTE_FIELDS if each in record)
        wrong.append((f"{given} does not have the shape of {field!r}; it is left out", None))
    draft.findings += [
        Finding(Code.BAD_LAYER, found, expected=expected) for found, expected in wrong
    ]
    draft.complete = partial(add_layers, record=converted, clusters=field)


def _count(record: Any) -> int:
    """Return the number of mentions of a record, roughly."""
    if not isinstance(record, dict):
        return 0
    rows = [record.get(field) for field in CLUSTER_FIELDS]
    return sum(
        len(entity)
        for row in rows
        if isinstance(row, list)
        for entity in row
        if isinstance(entity, list)
    )
