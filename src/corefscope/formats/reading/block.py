"""Documents of a file in columns: what every reader gives to the builder.

Readers of different formats find different things, each in its own way; a block is what they have
in common. It has one document, or as many as a reader reads together. Documents, entities and
mentions are counted in the block from 0, so that a reader does not need to know what came before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from itertools import chain
from typing import TypeAlias, TypedDict, TypeVar, get_args

import numpy as np

from corefscope.choices import Layer
from corefscope.corpus.anaphora import Anaphora, Markables
from corefscope.corpus.arrays import Integers
from corefscope.corpus.layers import TextColumns
from corefscope.corpus.links import Antecedents, Bridge, Bridges, Openings
from corefscope.corpus.mentions import MentionId, Parts
from corefscope.corpus.words import NO_NODES, EmptyNodes
from corefscope.formats.reading.source import Source
from corefscope.records import dataclass

Value = TypeVar("Value")
TextReader: TypeAlias = Callable[[bytes], TextColumns]
FilePlace: TypeAlias = "tuple[Source, int, int, TextReader]"
"""A file, where a document begins and ends in it, and what reads its text."""
GivenNode: TypeAlias = tuple[int, str, str]
"""Token, ID and dependencies of an empty node."""
NO_MENTIONS = np.zeros((0, 4), np.int32)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Details:
    """What only some formats know of the mentions and entities of a block."""

    parts: Mapping[int, Parts] = field(default_factory=dict)
    """The parts of mentions with gaps."""
    heads: Integers | None = None
    """The head of each mention, −1 where it is not known; None if the format has no heads."""
    nodes: EmptyNodes = NO_NODES
    antecedents: Antecedents = field(default_factory=dict)
    bridges: Sequence[Bridge] = ()
    openings: Openings | None = None
    anaphora: Anaphora | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Block:
    """Documents of a file in columns."""

    names: Sequence[str]
    is_named: bool = True
    """Whether the names are in the file."""
    lines: Sequence[int | None]
    """The line on which each document begins, in formats with lines."""
    tokens: Sequence[int]
    digests: Sequence[bytes | None]
    """What stands for the words of each document, if they are known."""
    places: Sequence[FilePlace]
    entities: Sequence[int] | None = None
    """How many entities each document has; not needed if there is only one document."""
    labels: Sequence[str]
    """The names of the entities, document by document."""
    mentions: Integers = NO_MENTIONS
    """Entity, first token, last token and line of each mention, in the order of the documents."""
    ids: Mapping[int, MentionId] = field(default_factory=dict)
    """The mentions that are not spans."""
    said: Mapping[str, object] = field(default_factory=dict)
    """What few formats say of a document, by column of the corpus, if there is only one."""
    details: Details | None = None


def empty_nodes(nodes: Sequence[GivenNode], sentences: Iterable[int], line: int) -> EmptyNodes:
    """Return the empty nodes of a document.

    Parameters
    ----------
    nodes
        The token, ID and dependencies of each node, in order.
    sentences
        The number of tokens of each sentence.
    line
        The line of the document, which stands for that of the nodes.
    """
    lengths = list(sentences)
    tokens = np.array([token for token, *_ in nodes], np.int64)
    ids = [id.split(".") for _, id, _ in nodes]
    return EmptyNodes(
        document=np.zeros(len(nodes), np.int64),
        token=tokens,
        sentence=np.repeat(np.arange(len(lengths)), lengths)[tokens],
        words_before=tokens - np.arange(len(nodes)),
        opens_sentence=np.array([major == "0" for major, _ in ids], np.int64),
        order=np.array([int(minor) for _, minor in ids], np.int64),
        line=np.full(len(nodes), line),
        ids=[id for _, id, _ in nodes],
        dependencies=[dependencies for *_, dependencies in nodes],
    )


# ---- All blocks of a corpus ----


@dataclass(frozen=True, slots=True, eq=False)
class Numbered:
    """The details of a block, and how much of the corpus comes before it."""

    details: Details
    document: int
    entity: int
    mention: int


class DetailColumns(TypedDict):
    """The columns of a corpus that are made of details."""

    mention_parts: Mapping[int, Parts]
    mention_heads: Integers | None
    empty_nodes: EmptyNodes
    split_antecedents: Antecedents
    bridges: Bridges
    openings: Openings | None
    anaphora: Anaphora | None


def columns_of(
    blocks: Sequence[Numbered], order: Integers, documents: int, entities: int
) -> DetailColumns:
    """Return the columns of a corpus whose mentions are put into an order."""
    new = np.empty(len(order), np.int64)
    new[order] = np.arange(len(order))
    return DetailColumns(
        mention_parts={
            int(new[each.mention + row]): parts
            for each in blocks
            for row, parts in each.details.parts.items()
        },
        mention_heads=_heads(blocks, order),
        empty_nodes=_empty_nodes(blocks),
        split_antecedents={
            each.entity + entity: tuple(each.entity + other for other in others)
            for each in blocks
            for entity, others in each.details.antecedents.items()
        },
        bridges=Bridges(
            Bridge(int(new[each.mention + mention]), each.entity + entity, relation)
            for each in blocks
            for mention, entity, relation in each.details.bridges
        ),
        openings=_openings(blocks, order, documents, entities),
        anaphora=_anaphora(blocks, documents),
    )


def _heads(blocks: Sequence[Numbered], order: Integers) -> Integers | None:
    known = [
        (each.mention, each.details.heads) for each in blocks if each.details.heads is not None
    ]
    if not known:
        return None
    heads = np.full(len(order), -1, np.int64)
    for row, given in known:
        heads[row : row + len(given)] = given
    return heads[order]


def _empty_nodes(blocks: Sequence[Numbered]) -> EmptyNodes:
    known = [(each.document, each.details.nodes) for each in blocks if len(each.details.nodes)]
    if not known:
        return NO_NODES
    return EmptyNodes(
        document=np.concatenate([first + nodes.document for first, nodes in known]),
        token=np.concatenate([nodes.token for _, nodes in known]),
        sentence=np.concatenate([nodes.sentence for _, nodes in known]),
        words_before=np.concatenate([nodes.words_before for _, nodes in known]),
        opens_sentence=np.concatenate([nodes.opens_sentence for _, nodes in known]),
        order=np.concatenate([nodes.order for _, nodes in known]),
        line=np.concatenate([nodes.line for _, nodes in known]),
        ids=list(chain.from_iterable(nodes.ids for _, nodes in known)),
        dependencies=list(chain.from_iterable(nodes.dependencies for _, nodes in known)),
    )


def _openings(
    blocks: Sequence[Numbered], order: Integers, documents: int, entities: int
) -> Openings | None:
    texts, types = [""] * len(order), [""] * entities
    fields: list[tuple[str, ...]] = [()] * documents
    head_field = None
    for each in blocks:
        given = each.details.openings
        if given is not None:
            head_field = given.head_field
            _put(given.texts, texts, each.mention)
            _put(given.types, types, each.entity)
            _put(given.fields, fields, each.document)
    if head_field is None:
        return None
    said = [texts[row] for row in order.tolist()]
    return Openings(texts=said, fields=fields, types=types, head_field=head_field)


def _put(values: Sequence[Value], into: list[Value], first: int) -> None:
    into[first : first + len(values)] = values


def _anaphora(blocks: Sequence[Numbered], documents: int) -> Anaphora | None:
    known = [(each.document, each.details.anaphora) for each in blocks if each.details.anaphora]
    if not known:
        return None
    layers: dict[Layer, list[Markables | None]] = {
        layer: [None] * documents for layer in get_args(Layer)
    }
    for first, given in known:
        for layer, markables in given.layers.items():
            _put(markables, layers[layer], first)
    return Anaphora(layers, known[-1][1].entities)
