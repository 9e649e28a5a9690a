"""Find what a format cannot express of a corpus, and leave it out on request.

Annotations of coreference that a format cannot express are *losses*: mentions that it has no form
for, heads, types, links. Layers of the text, such as part-of-speech tags, are listed apart: a
conversion may leave them out with a warning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from corefscope.corpus import Corpus, Document
from corefscope.corpus.layers import MentionAttributes
from corefscope.corpus.links import Bridges
from corefscope.corpus.tasks import in_parts
from corefscope.exceptions import CannotExpress
from corefscope.findings import Code, Finding, Remedy
from corefscope.formats.reading.source import Progress
from corefscope.formats.registry import writing_of
from corefscope.formats.writing.abilities import (
    BLANKS,
    EVERYTHING,
    LABELS,
    NAMES,
    SENTENCES,
    SHOWN,
    TEXT,
    TOPICS,
    WORDS,
    Feature,
)
from corefscope.formats.writing.expressing import is_blank, new_labels
from corefscope.language import says_something

MOST_SHOWN = 3
NUMBERED = re.compile(r"(?:[A-Za-z]{0,8}[-_#]?)\d+")
"""A label that only tells entities apart, such as ``12`` or ``e12``."""


class LostItem(Struct, frozen=True):
    """A mention, an entity or another thing with a feature."""

    document: str
    shown: str
    row: int | None = None
    """The row of the mention, if the mention itself cannot be written."""


class Loss(Struct, frozen=True):
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
    writing = writing_of(format)
    known, partly = writing.features, {*PARTLY.get(format, ())}
    if writing.is_type is not None:
        partly.add(Feature.TYPES)
    missing = [feature for feature in Feature if feature not in known or feature in partly]
    found: dict[Feature, list[LostItem]] = {
        feature: list(FINDERS[feature](corpus, format)) if feature in FINDERS else []
        for feature in missing
    }
    layers = set[str]()
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
    return CannotExpress(
        *(
            Finding(
                Code.CROSSING if loss.feature in CROSSINGS else Code.NOT_EXPRESSIBLE,
                f"{format} cannot express {loss.count}: {loss}",
                expected="a format that can, such as native, or that you agree to lose them",
                file=path,
                remedy=Remedy.ACCEPT_LOSSES,
            )
            for loss in losses
        )
    )


def said(losses: Iterable[Loss], format: str, path: str | None) -> Iterator[Finding]:
    """Yield what is left out of a corpus that is written in a format."""
    for loss in losses:
        is_left_out = loss.feature in writing_of(format).left_out
        if loss.feature is Feature.EMPTY_NODES and not is_left_out:
            done = "are written as plain words"
        elif loss.feature in writing_of(format).kept_in_part:
            done = "keep only the part with the head"
        else:
            done = "are left out"
        message = f"{loss.count} {done}, because {format} cannot express them: {loss}"
        yield Finding(Code.LOST_ANNOTATIONS, message, file=path)


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
        if not corpus.has_spans:
            continue
        begins = [sentence.start for sentence in document.sentences]
        rows = corpus.mentions_of(document.index)
        first, last = np.searchsorted(
            begins, corpus.mention_spans[rows.start : rows.stop].T, "right"
        )
        for place in np.flatnonzero(first != last).tolist():
            row = rows.start + place
            if last[place] - first[place] > 1 or row in corpus.mention_parts:
                yield LostItem(document.name, _mention(corpus, row), row)


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


def _attributes(document: Document) -> Iterator[tuple[int, MentionAttributes]]:
    """Yield the rows of mentions that have attributes, and these."""
    corpus = document.corpus
    known = document.attributes if corpus.has_spans else None
    for row in corpus.mentions_of(document.index) if known else ():
        start, end = corpus.mention_spans[row].tolist()
        if known and (start, end) in known:
            yield row, known[start, end]


def _types(documents: Sequence[Document], format: str) -> Iterator[LostItem]:
    """Yield the mentions whose types cannot be written.

    CorefUD has one type for each entity. What was read from brackets can be written in brackets.
    """
    is_writable = writing_of(format).is_type
    for document in documents:
        corpus, first = document.corpus, dict[int, str]()
        if format == "corefud" and corpus.openings is not None:
            continue
        for row, (type, _) in _attributes(document):
            if not type:
                continue
            usual = first.setdefault(int(corpus.mention_entity[row]), type)
            is_other = format == "corefud" and type != usual
            if is_writable is None or is_other or not is_writable(type):
                yield LostItem(document.name, f"{type} of {_mention(corpus, row)}")


def _levels(documents: Sequence[Document]) -> Iterator[LostItem]:
    for document in documents:
        # The levels of CorefUD come from its tags, so that it always has them.
        if document.corpus.openings is None:
            for row, (_, level) in _attributes(document):
                if level:
                    item = f"{level} of {_mention(document.corpus, row)}"
                    yield LostItem(document.name, item)


def _heads(corpus: Corpus) -> Iterator[LostItem]:
    heads = corpus.mention_heads
    for document in range(len(corpus)):
        if heads is not None and corpus.gives_heads(document):
            rows = corpus.mentions_of(document)
            known = np.flatnonzero(heads[rows.start : rows.stop] >= 0)
            yield from _items(corpus, (known + rows.start).tolist())


def _antecedents(corpus: Corpus, format: str) -> Iterator[LostItem]:
    """Yield the entities whose split antecedents cannot be written: in CorefUD, a single one."""
    for entity, antecedents in corpus.split_antecedents.items():
        if format != "corefud" or len(antecedents) < 2:
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


def _own(corpus: Corpus) -> Iterator[LostItem]:
    for column in corpus.own.values():
        for number, name in enumerate(corpus.document_names):
            yield from (LostItem(name, shown) for shown in column.only_here(number))


FINDERS: Mapping[Feature, Callable[[Corpus, str], Iterator[LostItem]]] = {
    Feature.CROSSING: lambda corpus, _: _overlaps(corpus, touches=False),
    Feature.TOUCHING: lambda corpus, _: _overlaps(corpus, touches=True),
    Feature.GAPS: lambda corpus, _: _gaps(corpus),
    Feature.EMPTY_NODES: lambda corpus, _: _empty_nodes(corpus),
    Feature.HEADS: lambda corpus, _: _heads(corpus),
    Feature.BRIDGES: lambda corpus, _: _items(corpus, (link.mention for link in corpus.bridges)),
    Feature.SPLIT_ANTECEDENTS: lambda corpus, format: _antecedents(corpus, format),
    Feature.BRACKET_FIELDS: lambda corpus, _: _bracket_fields(corpus),
    Feature.OWN: lambda corpus, _: _own(corpus),
}
"""What finds a feature in the tables of a corpus that is written in a format."""
TEXT_FINDERS: Mapping[Feature, Callable[[Sequence[Document], str], Iterator[LostItem]]] = {
    Feature.OVER_SENTENCES: lambda documents, _: _over_sentences(documents),
    Feature.TYPES: _types,
    Feature.LEVELS: lambda documents, _: _levels(documents),
}
"""What finds a feature in the texts of documents."""
PARTLY = {"corefud": (Feature.SPLIT_ANTECEDENTS,)}
"""The features that a format can express in most cases; what finds them yields the others."""
CROSSINGS = (Feature.CROSSING, Feature.TOUCHING)


# ---- Text layers ----


def _lost_layers(document: Document, format: str) -> set[str]:
    """Return what a document has beside its annotation that is not written."""
    writing = writing_of(format)
    if EVERYTHING in writing.layers:
        return set()
    known = set(_layers(document))
    instead = {other for layer, other in writing.stands_in.items() if layer not in known}
    return known - writing.layers - instead


def said_of_layers(corpus: Corpus, lost: Iterable[str], format: str) -> list[Finding]:
    """Report the layers of the text, and other things beside annotation, that are not written."""
    findings = []
    if lost:
        shown = sorted((SHOWN.get(layer, layer) for layer in lost), key=str.lower)
        message = f"these are not written as {format}: {', '.join(shown)}"
        findings.append(Finding(Code.LOST_LAYERS, message, file=corpus.path))
    return [*findings, *_lost_labels(corpus, format)]


def _lost_labels(corpus: Corpus, format: str) -> Iterator[Finding]:
    """Report labels of entities that become numbers, because brackets cannot hold them."""
    is_label = writing_of(format).is_label
    new = new_labels(corpus, is_label) if is_label else {}
    if not new:
        return
    shown = ", ".join(f"{old!r} ({number})" for old, number in list(new.items())[:MOST_SHOWN])
    more = f", and {len(new) - MOST_SHOWN:,} more" if len(new) > MOST_SHOWN else ""
    message = (
        f"labels of entities that brackets of {format} cannot hold are written as numbers: "
        f"{shown}{more}; their mentions and links stay the same"
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
