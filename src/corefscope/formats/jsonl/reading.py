"""JSON lines, as most neural systems write them: `doc_key`, `sentences`, `clusters`.

e2e-coref, s2e, LingMess, longdoc and many others read and write this form, and so does
BOOKCOREF. Positions count the tokens of the document from 0, and ends are inclusive. All rules are
in [Formats](../formats.md#jsonl-one-object-per-line).

- A document without `doc_key` or `doc_id` has no name. `tokens` may stand in the place of
  `sentences`.
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
from itertools import accumulate, chain, islice, pairwise, starmap
from typing import Any, NamedTuple

import numpy as np

from corefscope.corpus import UNKNOWN_LENGTH, Integers
from corefscope.corpus.mentions import LAST_TOKEN, are_spans, is_parts, is_span, is_whole_pair
from corefscope.corpus.offsets import DEFAULT, Convention
from corefscope.corpus.words import division
from corefscope.findings import Code
from corefscope.formats.detection import CLUSTER_FIELDS, NAME_FIELDS
from corefscope.formats.jsonl.heads_and_nodes import HEADS_FIELD, NODES_FIELD, heads_of, nodes_of
from corefscope.formats.jsonl.layers import (
    ALL_FIELDS,
    ATTRIBUTE_FIELDS,
    LAYER_FIELDS,
    NAMES_FIELD,
    STRING_FIELDS,
    attributes_fit,
    document_text,
    fits,
    has_parts,
    tokens_of,
    with_converted_layers,
    with_sentences,
    words_of,
)
from corefscope.formats.jsonl.other_clusters import is_clustering, other_clusterings, sizes_of
from corefscope.formats.reading.builder import Builder, word_digest
from corefscope.formats.reading.cluster_fields import Chooser
from corefscope.formats.reading.draft import Draft, Mentions
from corefscope.formats.reading.drafting import Placed, Unfit, add_draft
from corefscope.formats.reading.echo import is_refuted, sample
from corefscope.formats.reading.options import ReadingOptions
from corefscope.formats.reading.records import Record, records
from corefscope.formats.reading.shapes import (
    Findings,
    add_strings,
    entities_of,
    have_sizes,
    list_of,
)
from corefscope.formats.reading.source import Progress, Source
from corefscope.formats.reading.word_sets import GivenNode

REWRITE = "write it as [[[first, last], …], …] into a field of the line, and name that field"
NOT_THE_SHAPE = "{} does not have the shape of {!r}; it is left out"
RECORDS_LOOKED_AT = 10
"""How many records of a file are searched for a second field with clusters."""
BATCH = 500
"""How many records are read together; to read them one by one would take twice as long."""
PLAIN_FIELDS = frozenset({"doc_key", "sentences", "clusters", "predicted_clusters"})
"""The fields of most records."""


def read(
    source: Source, builder: Builder, options: ReadingOptions, progress: Progress | None = None
) -> None:
    """Read all documents of a file into the builder."""
    errors = len(builder.findings)
    rest = records(source, builder, progress)
    first = sample(rest, lambda record: _count(record.value))
    chooser = Chooser(source, builder.reading)
    drafts = drafts_of(first, chooser.choice.field, options.convention())
    if is_refuted(drafts, builder, source.name):
        return
    reader = _Reader(source, builder, chooser)
    given = chain(first, rest)
    some = list(islice(given, RECORDS_LOOKED_AT))
    if len(some) == 1:
        reader.read(some[0], source.stem)
    else:
        reader.read_each(some)
    reader.looks_for_others = False
    while batch := list(islice(given, BATCH)):
        reader.read_batch(batch)
    if not reader.count and len(builder.findings) == errors:
        message = "the file contains no document; expected JSON objects with doc_key and clusters"
        builder.report(Code.NO_DOCUMENT, message, source.name, 1)


class _Reader:
    """Reads the records of a file into the builder, one after the other."""

    record: Record
    """The record that is being read."""
    own_name: str
    """The name of its document, unless the record has one."""

    def __init__(self, source: Source, builder: Builder, chooser: Chooser) -> None:
        self.source = source
        self.builder = builder
        self.chooser = chooser
        self.field = chooser.choice.field
        """The field that the clusters are read from."""
        self.options = builder.reading.options
        self.convention = self.options.convention()
        self.convert = None if self.convention == DEFAULT else self.convention.convert
        self.text_reader = partial(document_text, clusters=self.field, convention=self.convention)
        self.looks_for_others = True
        """Whether to report a field that looks like clusters but is not read."""
        self.count = 0
        """How many records were read."""

    def report(self, code: Code, message: str) -> None:
        self.builder.report(code, message, self.source.name, self.record.line)

    def read_each(self, given: Sequence[Record]) -> None:
        """Read records one by one; a document without a name has its number."""
        for number, record in enumerate(given, start=self.count + 1):
            self.read(record, f"{self.source.stem}#{number}")

    def read_batch(self, given: Sequence[Record]) -> None:
        """Read records together if all of them are plain, else one by one."""
        # A second field of clusters is reported once, unless the user chose which one to read.
        fields = {*PLAIN_FIELDS, self.field}
        if not self.chooser.is_said and not self.options.clusters:
            fields -= {*CLUSTER_FIELDS} - {self.field}
        values, documents = [record.value for record in given], None
        if self.convert is None:
            documents = plain_documents(values, fields, self.field)
        if documents is None:
            self.read_each(given)
            return
        self.count += len(given)
        builder, first = self.builder, len(self.builder.names)
        lines = np.array([record.line for record in given])
        builder.add_documents(
            documents.names,
            self.source.name,
            lines=[record.line for record in given],
            tokens=list(map(len, documents.words)),
            digests=list(map(word_digest, documents.words)),
            places=[(self.source, each.start, each.stop, self.text_reader) for each in given],
        )
        entities = np.array(documents.entities)
        of_entity = np.repeat(np.arange(len(given)), entities)
        of_mention = np.repeat(of_entity, documents.mentions)
        numbers = np.arange(len(of_entity)) + len(builder.entity_labels)
        rows = np.empty((len(of_mention), 4), np.int32)
        rows[:, 0] = np.repeat(numbers, documents.mentions)
        rows[:, 1:3], rows[:, 3] = documents.spans, lines[of_mention]
        builder.entity_document.frombytes((of_entity + first).astype(np.int32).tobytes())
        builder.entity_labels += [str(n) for size in documents.entities for n in range(size)]
        builder.add_mentions(rows)

    def read(self, given: Record, own_name: str) -> None:
        """Read a record."""
        self.record, self.own_name = given, own_name
        self.count += 1
        record = given.value
        if not isinstance(record, dict):
            found = type(record).__name__
            message = f"the record is a {found}; expected an object with doc_key and clusters"
            self.report(Code.BAD_SHAPE, message)
            return
        findings: Findings = []
        record = self.chooser.with_entities(record, findings)
        for finding in findings:
            self.report(*finding)
        if self.convention.unit == "token":
            self._read(with_sentences(record))
        else:
            self._read_as_draft(record)
        if self.looks_for_others and self._reports_others(record):
            self.looks_for_others = False

    def _read_as_draft(self, record: dict[str, Any]) -> None:
        """Read a record whose positions do not count the tokens of the document."""
        again = partial(_draft_again, chooser=self.chooser, convention=self.convention)
        draft = draft_of(record, self.field, self.convention)
        if draft is None:
            message = f"{self.field!r} is not a list of entities; expected [[[first, last], …], …]"
            self.report(Code.BAD_SHAPE, message)
            return
        draft.line = self.record.line
        placed = Placed(draft, self.record.start, self.record.stop, again)
        name = self.own_name if draft.name is None else draft.name
        add_draft(self.source, self.builder, placed, name, is_named=draft.name is not None)

    def _read(self, record: dict[str, Any]) -> None:
        entities = self._entities(record)
        words, tokens = words_and_length(record)
        if tokens is None:
            message = "'sentences' has no lists of words; expected [[word, …], …]"
            self.report(Code.BAD_SHAPE, message)
            return
        name = name_of(record)
        given = [field for field in NAME_FIELDS if name is None and record.get(field) is not None]
        if given:
            shown = reprlib.repr(record[given[0]])
            self.report(Code.BAD_SHAPE, f"{given[0]!r} is {shown}; expected the document's name")
            return
        if entities is None:
            return
        heads: list[int] | None = None
        nodes: list[GivenNode] = []
        if not record.keys().isdisjoint(ALL_FIELDS):
            heads, nodes = self._annotations(record, entities, words)
            self._check_layers(with_converted_layers(record, self.convention), words)
        self.builder.begin(
            self.own_name if name is None else name,
            self.source.name,
            self.record.line,
            is_named=name is not None,
        )
        self._add_all(entities, character_names(record), tokens)
        if heads is not None:
            self.builder.sets.add_heads(len(self.builder.mentions) // 4 - len(heads), heads)
        if nodes:
            self._add_nodes(nodes, record["sentences"])
        hidden = {token for token, *_ in nodes}
        plain = [w for t, w in enumerate(words or ()) if t not in hidden] if hidden else words
        digest = None if plain is None else word_digest(plain)
        place = self.source, self.record.start, self.record.stop, self.text_reader
        self.builder.end(tokens, digest, place)

    def _add_nodes(self, nodes: Sequence[GivenNode], sentences: Sequence[Sequence[str]]) -> None:
        number = len(self.builder.names) - 1
        self.builder.sets.add_nodes(number, nodes, sentences, self.record.line)
        edges = pairwise(accumulate(map(len, sentences), initial=0))
        divided = division(starmap(range, edges), {token for token, *_ in nodes})
        self.builder.say("sentence_digests", divided)

    def _annotations(
        self, record: dict[str, Any], entities: list[Any], words: list[str] | None
    ) -> tuple[list[int] | None, list[GivenNode]]:
        """Return heads and empty nodes; report those that do not fit, which are left out."""
        heads = heads_of(record, entities, self.convention)
        if heads is None and record.get(HEADS_FIELD) is not None:
            message = f"{HEADS_FIELD!r} does not fit the clusters; it is left out"
            self.report(Code.BAD_LAYER, message)
        nodes = None if words is None else nodes_of(record, self.convention)
        if nodes is None and record.get(NODES_FIELD) is not None:
            message = (
                f"{NODES_FIELD!r} does not fit 'sentences'; it is left out, and all tokens count "
                'as words; expected [token, "3.1", dependencies] in order, after three words of '
                "its sentence"
            )
            self.report(Code.BAD_LAYER, message)
        return heads, nodes or []

    def _entities(self, record: dict[str, Any]) -> list[Any] | None:
        field = self.field
        entities = record.get(field)
        if not isinstance(entities, list) or not all(isinstance(e, list) for e in entities):
            found = "is not a list of entities" if field in record else "is missing"
            message = f"{field!r} {found}; expected [[[first, last], …], …]"
            others = other_clusterings(record, field)
            # A response is more likely to be in a field of predictions.
            others.sort(key=lambda name: ("pred" in name) != (self.options.role == "response"))
            if others and is_clustering(record.get(others[0]), None):
                what = f"to use it as {self.options.role}, " if self.options.role else ""
                message += f"; {others[0]!r} looks like one: {what}{self._how_to_read(others[0])}"
            self.report(Code.BAD_SHAPE, message)
            return None
        self.builder.report_empty(entities.count([]), self.source.name, self.record.line)
        return entities

    def _reports_others(self, record: dict[str, Any]) -> bool:
        """Report fields that look like clusters, unless the caller chose which one to read."""
        is_read = self.field in record and not self.options.clusters
        found = other_clusterings(record, self.field) if is_read else []
        others = [field for field in found if field not in CLUSTER_FIELDS]
        if others:
            names = ", ".join(map(repr, others))
            look = "looks" if len(others) == 1 else "look"
            is_field = is_clustering(record.get(others[0]), None)
            how = self._how_to_read(others[0]) if is_field else REWRITE
            message = (
                f"{names} {look} like clusters as well as {self.field!r}, which is read; if "
                f"{others[0]!r} should be scored, {how}"
            )
            self.report(Code.TWO_CLUSTERINGS, message)
        return bool(others)

    def _how_to_read(self, field: str) -> str:
        """Return which format to use to read the clusters from a field."""
        return f"read the file with the format {self.builder.reading.with_field(field)!r}"

    def _check_layers(self, record: dict[str, Any], words: list[str] | None) -> None:
        """Report layers that do not fit the words or the clusters and are left out."""
        fields = [f for f in (*LAYER_FIELDS, NAMES_FIELD) if record.get(f) is not None]
        wrong = [field for field in fields if words is None or not fits(record, field)]
        for field in wrong:
            self.report(Code.BAD_LAYER, f"{field!r} does not fit 'sentences'; it is left out")
        strings = next((f for f in STRING_FIELDS if record.get(f) is not None), None)
        if strings is not None and not have_sizes(record[strings], sizes_of(record[self.field])):
            self.report(Code.BAD_LAYER, NOT_THE_SHAPE.format(strings, self.field))
        if not attributes_fit(record, self.field):
            given = ", ".join(field for field in ATTRIBUTE_FIELDS if field in record)
            self.report(Code.BAD_LAYER, NOT_THE_SHAPE.format(given, self.field))

    def _add_all(self, entities: list[Any], names: dict[str, str], tokens: int) -> None:
        """Add the entities of a document; ``names`` has names of some, by their mentions."""
        labels = [
            (names.get(json.dumps(mentions)) if names else None) or f"{number}"
            for number, mentions in enumerate(entities)
        ]
        last = LAST_TOKEN if tokens == UNKNOWN_LENGTH else tokens - 1
        if self.convert is None and are_spans(list(chain.from_iterable(entities)), list, last):
            first, line = len(self.builder.entity_labels), self.record.line
            self.builder.add_entities(labels)
            rows: list[int] = []
            for entity, mentions in enumerate(entities, first):
                for start, end in mentions:
                    rows += (entity, start, end, line)
            self.builder.mentions.extend(rows)
            return
        # At least one of them needs a look of its own.
        for label, mentions in zip(labels, entities, strict=True):
            self._add(label, mentions, tokens)

    def _add(self, label: str, mentions: list[Any], tokens: int) -> None:
        entity = self.builder.entity(label)
        for mention in mentions:
            if has_parts(mention):
                self._add_parts(entity, label, mention, tokens)
                continue
            if not isinstance(mention, list) or [type(t) for t in mention] != [int, int]:
                shown = reprlib.repr(mention)
                message = f"mention {shown} of entity {label}; expected [first, last]"
                self.report(Code.BAD_SHAPE, message)
                continue
            start, end = self.convert(*mention) if self.convert else mention
            if is_span((start, end)) and (end < tokens or tokens == UNKNOWN_LENGTH):
                self.builder.mention(entity, start, end, self.record.line)
            else:
                length = None if tokens == UNKNOWN_LENGTH else tokens
                expected = self.convention.expected(length)
                found = self.convention.suggestion(mention[0], mention[1], length)
                hint = self.builder.reading.hint(self.convention, found)
                shown = reprlib.repr(mention)
                message = f"mention {shown} of entity {label}; expected {expected}{hint}"
                self.report(Code.BAD_SPAN, message)

    def _add_parts(self, entity: int, label: str, mention: list[Any], tokens: int) -> None:
        """Add a mention with gaps: ``[[first, last], [first, last]]``."""
        pairs = [tuple(part) if isinstance(part, list) else part for part in mention]
        shown = reprlib.repr(mention)
        if len(pairs) < 2 or not all(map(is_whole_pair, pairs)):
            message = (
                f"mention {shown} of entity {label}; expected [first, last], or two or more such "
                "parts in a list"
            )
            self.report(Code.BAD_SHAPE, message)
            return
        parts = tuple(self.convention.convert(*pair) for pair in pairs)
        if is_parts(parts) and (tokens == UNKNOWN_LENGTH or parts[-1][1] < tokens):
            self.builder.parted_mention(entity, parts, self.record.line)
            return
        length = None if tokens == UNKNOWN_LENGTH else tokens
        message = (
            f"mention {shown} of entity {label}; expected parts in order and without common "
            f"tokens, each with {self.convention.expected(length)}"
        )
        self.report(Code.BAD_SPAN, message)


# ---- Plain records ----


class PlainRecords(NamedTuple):
    """The columns of records that have nothing but names, words and clusters."""

    names: list[str]
    words: list[list[str]]
    entities: list[int]
    """The number of entities of each document."""
    mentions: list[int]
    """The number of mentions of each entity."""
    spans: Integers
    """First and last token of each mention."""


def plain_documents(records: list[Any], fields: set[str], field: str) -> PlainRecords | None:
    """Return the columns of records whose clusters are in a field.

    None if one of them has anything but these fields, or something wrong in them.
    """
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
    sizes, lengths = list(map(len, entities)), np.array(list(map(len, words)))
    numbers = list(map(len, clusters))
    spans = np.array(list(chain.from_iterable(mentions)), dtype=np.int64).reshape(-1, 2)
    of_mention = np.repeat(np.repeat(np.arange(len(records)), numbers), sizes)
    if not (spans[:, 1] < lengths[of_mention]).all():
        return None
    return PlainRecords(names, words, numbers, sizes, spans)


# ---- Names and drafts ----


def name_of(record: dict[str, Any]) -> str | None:
    """Return the name of a document, if the record has one."""
    for field in NAME_FIELDS:
        if type(record.get(field)) in (str, int):
            return str(record[field])
    return None


def words_and_length(record: dict[str, Any]) -> tuple[list[str] | None, int | None]:
    """Return the words, if there are any, and the number of tokens.

    The number is None if ``sentences`` has no lists of words or numbers: some files have the
    numbers of a vocabulary instead of words.
    """
    if record.get("sentences") is None:
        return None, UNKNOWN_LENGTH
    tokens = tokens_of(record)
    if tokens is None:
        return None, None
    kinds = set(map(type, tokens))
    words = tokens if kinds <= {str} else None
    return words, len(tokens) if kinds in ({str}, {int}, set()) else None


def character_names(record: dict[str, Any]) -> dict[str, str]:
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


def drafts_of(given: Iterable[Record], field: str, convention: Convention) -> Iterator[Draft]:
    """Yield the drafts of records, as far as they have the right shape."""
    for record in given:
        if isinstance(record.value, dict):
            draft = draft_of(record.value, field, convention)
            if draft is not None:
                yield draft


def draft_of(record: dict[str, Any], field: str, convention: Convention) -> Draft | None:
    """Return a record as a draft; None if its clusters do not have the right shape."""
    record = with_sentences(record)
    words, text = words_of(record), record.get("text")
    try:
        mentions = _mentions(record, field)
    except Unfit:
        return None
    findings: list[tuple[Code, str]] = []
    add_strings(mentions, record, STRING_FIELDS, findings)
    return Draft(
        name=name_of(record),
        mentions=mentions,
        convention=convention,
        words=words,
        sentences=None if words is None else list(map(len, record["sentences"])),
        text=text if isinstance(text, str) else None,
        findings=findings,
    )


def _mentions(record: dict[str, Any], field: str) -> Mentions:
    """Return the mentions of a record, some of which may have gaps."""
    entities = list_of(record, field, "a list of entities")
    if not {list}.issuperset(map(type, entities)):
        return entities_of(record, field)
    mentions = list(chain.from_iterable(entities))
    parts = [mention if has_parts(mention) else [mention] for mention in mentions]
    if sum(map(len, parts)) == len(mentions):
        return entities_of(record, field)
    return Mentions(
        labels=list(map(str, range(len(entities)))),
        sizes=list(map(len, entities)),
        places=entities_of({field: parts}, field).places,
        parts=list(map(len, parts)),
    )


def _draft_again(block: bytes, chooser: Chooser, convention: Convention) -> Draft:
    record = json.loads(block.decode("utf-8-sig", "surrogateescape"))
    draft = draft_of(chooser.with_entities(record, []), chooser.choice.field, convention)
    assert draft is not None
    return draft


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
