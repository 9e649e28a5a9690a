"""Find what a format cannot express of a corpus, and leave it out on request.

Annotations of coreference that a format cannot express are *losses*: mentions that it has no form
for, heads, types, links. Layers of the text, such as part-of-speech tags, are listed apart: a
conversion may leave them out with a warning.
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

import numpy as np

from corefscope.choices import Layer
from corefscope.corpus import Corpus, Document
from corefscope.corpus.anaphora import NON_REFERRING, Markable, Markables
from corefscope.corpus.copies import are_strings
from corefscope.corpus.layers import MentionAttributes
from corefscope.corpus.links import Bridges
from corefscope.corpus.tasks import in_parts
from corefscope.exceptions import CannotExpress
from corefscope.findings import Code, Finding, Remedy
from corefscope.formats.brat import is_type as is_brat_type
from corefscope.formats.conll.writing import is_label as is_conll_label
from corefscope.formats.corefud.cells import is_label as is_corefud_label
from corefscope.formats.file_names import document_name, file_names
from corefscope.formats.reading.builder import SelectiveReader, place_of
from corefscope.formats.reading.source import Progress
from corefscope.formats.writing.abilities import (
    BLANKS,
    EVERYTHING,
    LABELS,
    NAMES,
    ORDER,
    PARTS_OF,
    SENTENCES,
    SHOWN,
    TEXT,
    TOPICS,
    WORDS,
    WRITINGS,
    Feature,
    Writing,
)
from corefscope.formats.writing.expressing import is_blank, new_labels
from corefscope.language import says_something
from corefscope.records import dataclass

MOST_SHOWN = 3
NUMBERED = re.compile(r"(?:[A-Za-z]{0,8}[-_#]?)\d+")
"""A label that only tells entities apart, such as ``12`` or ``e12``."""


@dataclass(frozen=True, slots=True)
class LostItem:
    """A mention, an entity or another thing with a feature."""

    document: str
    shown: str
    row: int | None = None
    """The row of the mention, if the mention itself cannot be written."""


@dataclass(frozen=True, slots=True)
class Loss:
    """What a format cannot express."""

    feature: Feature
    items: tuple[LostItem, ...]

    def __str__(self) -> str:
        shown = "; ".join(
            f"{item.shown} in document {item.document!r}" for item in self.items[:MOST_SHOWN]
        )
        more = len(self.items) - MOST_SHOWN
        return f"{shown}; and {more:,} more" if more > 0 else shown

    @property
    def count(self) -> str:
        """How many there are, with the name of the feature."""
        return f"{self.feature} ({len(self.items):,})"


def losses_of(
    corpus: Corpus, format: str, progress: Progress | None = None
) -> tuple[list[Loss], set[str]]:
    """Return what a format cannot express of a corpus.

    Parameters
    ----------
    corpus
        A corpus.
    format
        The name of a format that is written.
    progress
        Called with how many documents were looked at.

    Returns
    -------
    list of Loss
        One item per feature that the corpus has and the format cannot express.
    set of str
        The layers of the text, and other things beside annotation, that are not written.
    """
    known = WRITINGS[format].features
    missing = [feature for feature in Feature if feature not in known]
    # What is lost together with something else is not counted again.
    missing = [feature for feature in missing if PARTS_OF.get(feature) not in missing]
    found: dict[Feature, list[LostItem]] = {
        feature: list(FINDERS[feature](corpus)) if feature in FINDERS else [] for feature in missing
    }
    layers = {ORDER} if depends_on_order(corpus, WRITINGS[format]) else set()
    in_texts = [feature for feature in missing if feature not in FINDERS]
    look = partial(_in_texts, corpus, in_texts, format)
    for items, others in in_parts(look, corpus, progress):
        for feature, more in zip(in_texts, items, strict=True):
            found[feature] += more
        layers |= others
    losses = [Loss(feature, tuple(items)) for feature, items in found.items() if items]
    return losses, layers


def _in_texts(
    corpus: Corpus, features: Sequence[Feature], format: str, numbers: range
) -> tuple[list[list[LostItem]], set[str]]:
    """Return what is lost of the texts of some documents: each feature, and layers."""
    documents = [Document(corpus, number) for number in numbers]
    layers = {layer for document in documents for layer in _lost_layers(document, format)}
    return [list(TEXT_FINDERS[feature](documents, format)) for feature in features], layers


def refusal(losses: Iterable[Loss], format: str, path: str | None) -> CannotExpress:
    """Return the exception that lists what would be lost."""
    findings = []
    for loss in losses:
        code = CODES.get(loss.feature, Code.NOT_EXPRESSIBLE)
        findings.append(
            Finding(
                code,
                f"{format} cannot express {loss.count}: {loss}",
                expected="a format that can, such as native, or that you agree to lose them",
                file=path,
                remedy=Remedy.ACCEPT_LOSSES,
            )
        )
    return CannotExpress(*findings)


def said(losses: Iterable[Loss], format: str, path: str | None) -> Iterator[Finding]:
    """Yield what is left out of a corpus that is written in a format."""
    for loss in losses:
        is_left_out = loss.feature in WRITINGS[format].left_out
        if loss.feature is Feature.EMPTY_NODES and not is_left_out:
            code, done = Code.LOST_ANNOTATIONS, "are written as plain words"
        elif loss.feature is Feature.SINGLE_ANTECEDENTS:
            code, done = Code.LOST_ANNOTATIONS, "are left out"
        elif loss.feature in WRITINGS[format].kept_in_part:
            code, done = Code.LOST_ANNOTATIONS, "keep only the part with the head"
        else:
            code, done = Code.LOST_ANNOTATIONS, "are left out"
        message = f"{loss.count} {done}, because {format} cannot express them: {loss}"
        yield Finding(code, message, file=path)


def without(corpus: Corpus, losses: Iterable[Loss]) -> Corpus:
    """Return a corpus without the mentions that cannot be written.

    Everything else that a format cannot express is left out by its writer.
    """
    rows = {item.row for loss in losses for item in loss.items if item.row is not None}
    if not rows:
        return corpus
    keep = np.ones(len(corpus.mention_entity), dtype=bool)
    keep[list(rows)] = False
    kept = corpus.with_mentions(keep)
    left = set(kept.mention_entity.tolist())
    return replace(
        kept,
        bridges=Bridges(link for link in kept.bridges if link.entity in left),
        split_antecedents={
            entity: tuple(other for other in others if other in left)
            for entity, others in kept.split_antecedents.items()
            if entity in left
        },
    )


# ---- Features ----


def _mention(corpus: Corpus, row: int) -> str:
    label = corpus.entity_labels[int(corpus.mention_entity[row])]
    return f"mention {corpus.mention_id(row)} of entity {label}"


def _items(corpus: Corpus, rows: Iterable[int]) -> Iterator[LostItem]:
    for row in rows:
        name = corpus.document_names[corpus.document_of(row)]
        yield LostItem(name, _mention(corpus, row))


Overlap = tuple[tuple[int, int], tuple[int, int], int]
"""A span, one before it that it crosses, and its row."""


def _overlaps(corpus: Corpus, touches: bool) -> Iterator[LostItem]:
    """Yield mentions that cross another one of their entity, or only touch it."""
    if not corpus.has_spans:
        return
    by_entity: dict[int, list[tuple[int, int, int]]] = {}
    for row, (entity, (start, end)) in enumerate(
        zip(corpus.mention_entity.tolist(), corpus.mention_spans.tolist(), strict=True)
    ):
        if row not in corpus.mention_parts:
            by_entity.setdefault(entity, []).append((start, -end, row))
    for entity, mentions in by_entity.items():
        kept, found = _divided(sorted(mentions), may_touch=True)
        if touches:
            _, found = _divided(kept, may_touch=False)
        for span, other, row in found:
            name = corpus.document_names[int(corpus.entity_document[entity])]
            does = "touches" if touches else "crosses"
            label = corpus.entity_labels[entity]
            yield LostItem(name, f"mention {span} of entity {label}, which {does} {other},", row)


def _divided(
    mentions: Iterable[tuple[int, int, int]], *, may_touch: bool
) -> tuple[list[tuple[int, int, int]], list[Overlap]]:
    """Divide mentions in order into those that can be written, and those that cross one of them."""
    kept, found = [], []
    open_spans: list[tuple[int, int]] = []
    for start, minus_end, row in mentions:
        end = -minus_end
        open_spans = [span for span in open_spans if span[1] >= start + may_touch]
        crossed = next((span for span in open_spans if span[1] < end), None)
        if crossed is not None:
            found.append(((start, end), crossed, row))
        else:
            open_spans.append((start, end))
            kept.append((start, minus_end, row))
    return kept, found


def _over_sentences(documents: Sequence[Document]) -> Iterator[LostItem]:
    """Yield the mentions that readers of CorefUD refuse: over three sentences, or with gaps."""
    for document in documents:
        corpus = document.corpus
        for row, distance in _sentences_crossed(document):
            if distance > 1 or row in corpus.mention_parts:
                yield LostItem(document.name, _mention(corpus, row), row)


def _sentences_crossed(document: Document) -> Iterator[tuple[int, int]]:
    """Yield the mentions that reach into another sentence, and how many sentences later."""
    corpus = document.corpus
    if not corpus.has_spans:
        return
    begins = [sentence.start for sentence in document.sentences]
    rows = corpus.mentions_of(document.index)
    spans = corpus.mention_spans[rows.start : rows.stop]
    first, last = (np.searchsorted(begins, spans[:, side], "right") for side in (0, 1))
    for row in np.flatnonzero(first != last).tolist():
        yield rows.start + row, int(last[row] - first[row])


def _gaps(corpus: Corpus) -> Iterator[LostItem]:
    for row, item in zip(
        sorted(corpus.mention_parts),
        _items(corpus, sorted(corpus.mention_parts)),
        strict=True,
    ):
        yield replace(item, row=row)


def _empty_nodes(corpus: Corpus) -> Iterator[LostItem]:
    nodes = corpus.empty_nodes
    for document, token, id in zip(
        nodes.document.tolist(), nodes.token.tolist(), nodes.ids, strict=True
    ):
        yield LostItem(corpus.document_names[document], f"token {token} ({id})")


def _attributes(documents: Sequence[Document], field: str) -> Iterator[LostItem]:
    """Yield the mentions that have a type or a level."""
    return (item for _, item in _attributes_of(documents, field))


def _attributes_of(documents: Sequence[Document], field: str) -> Iterator[tuple[str, LostItem]]:
    """Yield the types or the levels that mentions have."""
    for document in documents:
        for row, attributes in _known_attributes(document):
            if value := getattr(attributes, field):
                item = f"{value} of {_mention(document.corpus, row)}"
                yield value, LostItem(document.name, item)


def _known_attributes(document: Document) -> Iterator[tuple[int, MentionAttributes]]:
    """Yield the rows of mentions that have attributes, and these."""
    corpus = document.corpus
    known = document.attributes if corpus.has_spans else None
    for row in corpus.mentions_of(document.index) if known else ():
        start, end = corpus.mention_spans[row].tolist()
        if known and (start, end) in known:
            yield row, known[start, end]


def _mention_types(documents: Sequence[Document]) -> Iterator[LostItem]:
    """Yield the mentions whose type is not the first one of their entity."""
    for document in documents:
        corpus, first = document.corpus, dict[int, str]()
        for row, (type, _) in _known_attributes(document):
            if type and first.setdefault(int(corpus.mention_entity[row]), type) != type:
                yield LostItem(document.name, f"{type} of {_mention(corpus, row)}")


WRITABLE_TYPES = {
    "corefud": is_corefud_label,
    "brat": is_brat_type,
}
"""The formats that cannot write all types, and a test of whether they can write one."""


def _odd_types(documents: Sequence[Document], format: str) -> Iterator[LostItem]:
    """Yield the mentions whose type would be read as another one."""
    # What was read from brackets can be written in brackets.
    if format == "corefud":
        documents = _without_openings(documents)
    is_writable = WRITABLE_TYPES[format]
    for type, item in _attributes_of(documents, "type"):
        if not is_writable(type):
            yield item


def _levels(documents: Sequence[Document]) -> Iterator[LostItem]:
    # The levels of CorefUD come from its tags, so that it always has them.
    return _attributes(_without_openings(documents), "level")


def _without_openings(documents: Sequence[Document]) -> Sequence[Document]:
    return [document for document in documents if document.corpus.openings is None]


def _heads(corpus: Corpus) -> Iterator[LostItem]:
    heads = corpus.mention_heads
    for document in range(len(corpus)):
        if heads is not None and corpus.gives_heads(document):
            rows = corpus.mentions_of(document)
            known = np.flatnonzero(heads[rows.start : rows.stop] >= 0)
            yield from _items(corpus, (known + rows.start).tolist())


def _bridges(corpus: Corpus) -> Iterator[LostItem]:
    return _items(corpus, (link.mention for link in corpus.bridges))


def _markable_bridges(corpus: Corpus) -> Iterator[LostItem]:
    for name, layer in _read_layers(corpus):
        for bridge in layer.bridges:
            yield LostItem(name, f"markable {bridge.anaphor}")


def _single_antecedents(corpus: Corpus) -> Iterator[LostItem]:
    return _entities(corpus, (e for e, a in corpus.split_antecedents.items() if len(a) < 2))


def _entities(corpus: Corpus, entities: Iterable[int]) -> Iterator[LostItem]:
    for entity in entities:
        name = corpus.document_names[int(corpus.entity_document[entity])]
        yield LostItem(name, f"entity {corpus.entity_labels[entity]}")


USUAL_FIELDS = ("eid", "GRP", "etype", "entity", "head")


def _bracket_fields(corpus: Corpus) -> Iterator[LostItem]:
    """Yield the mentions whose brackets say more than entity, type and head."""
    openings = corpus.openings
    if openings is None:
        return
    others = [
        [place for place, field in enumerate(fields) if field not in USUAL_FIELDS]
        for fields in openings.fields
    ]
    documents = corpus.mention_document.tolist()
    rows = (
        row
        for row, text in enumerate(openings.texts)
        if any(
            text.count("-") >= place and text.split("-")[place] for place in others[documents[row]]
        )
    )
    yield from _items(corpus, rows)


def _read_layers(corpus: Corpus) -> Iterator[tuple[str, Markables]]:
    """Yield what Universal Anaphora says in the layer that the entities come from."""
    if corpus.anaphora is None:
        return
    documents = corpus.anaphora.layers.get(corpus.anaphora.entities, ())
    for name, layer in zip(corpus.document_names, documents, strict=True):
        if layer is not None:
            yield name, layer


def _markables(corpus: Corpus, has: Callable[[Markable], bool]) -> Iterator[LostItem]:
    for name, layer in _read_layers(corpus):
        for markable in layer.markables:
            if has(markable):
                yield LostItem(name, f"markable {markable.id}")


def _other_layer(corpus: Corpus, layer: Layer) -> Iterator[LostItem]:
    """Yield the markables of a layer that the entities do not come from."""
    if corpus.anaphora is None or layer == corpus.anaphora.entities:
        return
    documents = corpus.anaphora.layers.get(layer, ())
    for name, known in zip(corpus.document_names, documents, strict=True):
        for markable in known.markables if known else ():
            yield LostItem(name, f"markable {markable.id}")


FINDERS: Mapping[Feature, Callable[[Corpus], Iterator[LostItem]]] = {
    Feature.CROSSING: lambda corpus: _overlaps(corpus, touches=False),
    Feature.TOUCHING: lambda corpus: _overlaps(corpus, touches=True),
    Feature.GAPS: _gaps,
    Feature.EMPTY_NODES: _empty_nodes,
    Feature.HEADS: _heads,
    Feature.BRIDGES: _bridges,
    Feature.SPLIT_ANTECEDENTS: lambda corpus: _entities(corpus, corpus.split_antecedents),
    Feature.SINGLE_ANTECEDENTS: _single_antecedents,
    Feature.MARKABLE_BRIDGES: _markable_bridges,
    Feature.MARKABLE_ANTECEDENTS: lambda corpus: _markables(corpus, lambda m: bool(m.element_of)),
    Feature.BRACKET_FIELDS: _bracket_fields,
    Feature.MINIMUM_SPANS: lambda corpus: _markables(corpus, lambda m: m.minimum is not None),
    Feature.NON_REFERRING: lambda corpus: _markables(
        corpus, lambda m: m.entity.endswith(NON_REFERRING)
    ),
    Feature.IDENTITY: lambda corpus: _other_layer(corpus, "identity"),
    Feature.DEIXIS: lambda corpus: _other_layer(corpus, "deixis"),
}
"""What finds a feature in the tables of a corpus."""
TEXT_FINDERS: Mapping[Feature, Callable[[Sequence[Document], str], Iterator[LostItem]]] = {
    Feature.OVER_SENTENCES: lambda documents, _: _over_sentences(documents),
    Feature.TYPES: lambda documents, _: _attributes(documents, "type"),
    Feature.MENTION_TYPES: lambda documents, _: _mention_types(documents),
    Feature.ODD_TYPES: _odd_types,
    Feature.LEVELS: lambda documents, _: _levels(documents),
}
"""What finds a feature that a format lacks in the texts of documents."""
CODES = {
    **dict.fromkeys((Feature.CROSSING, Feature.TOUCHING), Code.CROSSING),
    **dict.fromkeys((Feature.GAPS, Feature.EMPTY_NODES), Code.NOT_EXPRESSIBLE),
    Feature.OVER_SENTENCES: Code.NOT_EXPRESSIBLE,
    **dict.fromkeys(
        (
            *(Feature.TYPES, Feature.MENTION_TYPES, Feature.ODD_TYPES, Feature.LEVELS),
            *(Feature.HEADS, Feature.BRACKET_FIELDS, Feature.MINIMUM_SPANS),
        ),
        Code.NOT_EXPRESSIBLE,
    ),
}
"""The codes of losses, unless they are links."""


# ---- Text layers ----


def _lost_layers(document: Document, format: str) -> set[str]:
    """Return what a document has beside its annotation that is not written."""
    writing, lost = WRITINGS[format], set(_unread(document, format))
    if EVERYTHING not in writing.layers:
        known = set(_layers(document))
        instead = {other for layer, other in writing.stands_in.items() if layer not in known}
        lost |= known - writing.layers - instead
    return lost


def said_of_layers(corpus: Corpus, lost: Iterable[str], format: str) -> list[Finding]:
    """Report the layers of the text, and other things beside annotation, that are not written."""
    findings = []
    if lost:
        shown = sorted((SHOWN.get(layer, layer) for layer in lost), key=str.lower)
        message = f"these are not written as {format}: {', '.join(shown)}"
        findings.append(Finding(Code.LOST_LAYERS, message, file=corpus.path))
    others = (_lost_labels(corpus, format), _lost_names(corpus, format), _lost_tags(corpus, format))
    return [*findings, *chain.from_iterable(others)]


def depends_on_order(corpus: Corpus, writing: Writing) -> bool:
    """Return whether a mention of several entities may count in another one if it is read again.

    Scores keep such a mention in its first entity; in the order of the text, that is the one whose
    mentions begin first. Formats differ where two begin together.
    """
    if not corpus.has_spans or {ORDER, EVERYTHING} & writing.layers:
        return False
    # Mentions with other gaps are other mentions, although they begin and end alike.
    gaps = dict.fromkeys(corpus.mention_parts.values())
    number = {parts: n for n, parts in enumerate(gaps, start=1)}
    gap = np.zeros(len(corpus.mention_entity), dtype=np.int64)
    for row, parts in corpus.mention_parts.items():
        gap[row] = number[parts]
    first, last = corpus.mention_spans.T
    columns = np.stack((corpus.mention_document, first, last, gap))
    order = np.lexsort((corpus.mention_entity, *columns))
    rows, entity = columns[:, order], corpus.mention_entity[order]
    is_same = (rows[:, 1:] == rows[:, :-1]).all(axis=0) & (entity[1:] != entity[:-1])
    one, other = entity[:-1][is_same], entity[1:][is_same]
    begins = np.full(len(corpus.entity_document), np.iinfo(np.int64).max)
    np.minimum.at(begins, corpus.mention_entity, first)
    return bool((begins[one] >= begins[other]).any())


BRACKET_LABELS = {"conll": is_conll_label, "corefud": is_corefud_label}
"""The formats whose brackets hold labels of entities, and a test of whether they can."""


def _lost_labels(corpus: Corpus, format: str) -> Iterator[Finding]:
    """Report labels of entities that become numbers, because brackets cannot hold them."""
    new = new_labels(corpus, BRACKET_LABELS.get(format, lambda label: True))
    if not new:
        return
    shown = ", ".join(f"{old!r} ({number})" for old, number in list(new.items())[:MOST_SHOWN])
    more = f", and {len(new) - MOST_SHOWN:,} more" if len(new) > MOST_SHOWN else ""
    message = (
        f"labels of entities that brackets of {format} cannot hold are written as numbers: "
        f"{shown}{more}; their mentions and links stay the same"
    )
    yield Finding(Code.LOST_LAYERS, message, file=corpus.path)


def _lost_names(corpus: Corpus, format: str) -> Iterator[Finding]:
    """Report names of documents that no file can have."""
    if not WRITINGS[format].is_folder:
        return
    names = zip(corpus.document_names, file_names(corpus.document_names), strict=True)
    lost = [(name, file) for name, file in names if document_name(file) != name]
    if lost:
        name, file = lost[0]
        message = (
            f"names of documents that are empty or too long for the name of a file: {len(lost):,}; "
            f"the first one, {reprlib.repr(name)}, is written as {reprlib.repr(file)}"
        )
        yield Finding(Code.LOST_LAYERS, message, file=corpus.path)


def _lost_tags(corpus: Corpus, format: str) -> Iterator[Finding]:
    """Report that a text which is only a copy of another one is written as a text of its own."""
    if corpus.copies is None or EVERYTHING in WRITINGS[format].layers:
        return
    what = "strings without places" if are_strings(corpus.copies) else "a copy with tags"
    message = (
        f"a language model wrote this corpus, as {what}, which {format} cannot say: what is known "
        "of tags and failed answers is left out; score the original file, or write native"
    )
    yield Finding(Code.LOST_LAYERS, message, file=corpus.path)


def _layers(document: Document) -> Iterator[str]:
    """Yield what a document has beside its annotation."""
    yield NAMES
    if not all(NUMBERED.fullmatch(entity.label) for entity in document.entities):
        yield LABELS
    if len(document.sentences) > 1:
        yield SENTENCES
    if document.text is not None:
        yield TEXT
    topics = document.corpus.document_topics
    if topics and topics[document.index]:
        yield TOPICS
    layers = document.corpus.layers
    if layers is None:
        return
    columns = layers.text(document.index).columns
    yield from (layer for layer, values in columns.items() if says_something(values))
    if any(map(is_blank, columns.get(WORDS, ()))):
        yield BLANKS


def _unread(document: Document, format: str) -> Iterator[str]:
    """Yield what the lines of a document say and the corpus does not keep."""
    place = place_of(document.corpus, document.index)
    if place is None:
        return
    source, start, stop, reader = place
    # CoNLL-U keeps all its lines if it is written as CoNLL-U.
    if isinstance(reader, SelectiveReader) and reader.format != format:
        yield from reader.unread(source.read(start, stop))


def doubts(corpus: Corpus, format: str) -> Iterator[Finding]:
    """Report what is written, but other programs may not read as it is meant."""
    if format == "corefud":
        yield from _across_sentences(corpus)
        yield from _first_words(corpus)


def _first_words(corpus: Corpus) -> Iterator[Finding]:
    """Report heads that brackets must have, because a mention has gaps, and nobody knows."""
    heads = corpus.mention_heads
    if corpus.openings is not None or (heads is None and not corpus.mention_parts):
        return
    is_unknown = corpus.mention_sizes > 1
    if heads is not None:
        is_unknown &= heads < 0
    if count := int(is_unknown.sum()):
        yield Finding(
            Code.FIRST_WORD_HEADS,
            f"mentions of two or more words without a head: {count:,}; their first word is "
            "written as head",
            expected="the syntactic heads: without them, head matching misses mentions",
            file=corpus.path,
        )


def _across_sentences(corpus: Corpus) -> Iterator[Finding]:
    """Report mentions that reach into another sentence, which readers of CoNLL-U refuse."""
    if any(f.code is Code.IRREGULAR for f in corpus.findings):
        return
    for document in corpus:
        first = next(_sentences_crossed(document), None)
        if first is not None:
            yield Finding(
                Code.IRREGULAR,
                f"document {document.name!r}: mention {corpus.mention_id(first[0])} reaches into "
                "another sentence",
                expected="mentions inside sentences: readers of CorefUD refuse others",
                file=corpus.path,
            )
