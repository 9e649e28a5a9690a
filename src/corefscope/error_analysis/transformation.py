"""Stages 2 to 5 (split, remove, introduce, merge), and the errors they are mapped to.

The two sides mirror each other: splitting a response entity mirrors merging a key entity, and
removing a spurious mention mirrors introducing a missing one. So one function cuts an entity of
either side into pieces, and another one decides which errors the pieces are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping

from msgspec import Struct

from corefscope.error_analysis.kinds import ErrorType, Operation
from corefscope.error_analysis.spans import Alterations, alter_spans
from corefscope.matching.overlap import components
from corefscope.matching.pairs import DocumentPair, NumberedEntity


class Piece(Struct, frozen=True):
    """Mentions that are in one entity on both sides, or one mention that the other side lacks."""

    mentions: NumberedEntity
    other: int | None
    """The entity of the other side, or None if the mention is spurious or missing."""


class Charges(Struct, frozen=True, kw_only=True):
    """An entity of one side cut into pieces, and the errors that it is charged with."""

    pieces: list[Piece]
    is_entity_error: bool
    """Whether this is an extra or a missing entity: all its matched mentions are pronouns."""
    unmatched: NumberedEntity
    """All mentions that the other side lacks: they are spurious, or missing."""
    single: NumberedEntity
    """Mentions that each count as an extra or a missing mention."""
    parts: list[Piece]
    """Pieces that are conflated with the rest, or divided from it."""


class Transformation(Struct, frozen=True, eq=False, kw_only=True):
    """The operations and errors that turn the response of one document into its key."""

    pair: DocumentPair
    """The document with corrected boundaries."""
    alterations: Alterations
    response: list[Charges]
    """The errors of each response entity."""
    key: list[Charges]
    """The errors of each key entity."""

    @property
    def operations(self) -> Counter[Operation]:
        """The number of times each operation is needed.

        An entity cut into N pieces counts as N splits, as in the published tool.
        """
        return Counter(
            {
                Operation.ALTER_SPAN: len(self.alterations.pairs),
                Operation.SPLIT: sum(_cuts(c) + _is_spurious_singleton(c) for c in self.response),
                Operation.REMOVE: sum(len(c.unmatched) for c in self.response),
                Operation.INTRODUCE: sum(len(c.unmatched) for c in self.key),
                Operation.MERGE: sum(map(_cuts, self.key)),
            }
        )

    @property
    def errors(self) -> Counter[ErrorType]:
        """The number of errors of each type."""
        return Counter(
            {
                ErrorType.SPAN_ERROR: len(self.alterations.pairs),
                ErrorType.CONFLATED_ENTITIES: sum(len(c.parts) for c in self.response),
                ErrorType.EXTRA_MENTION: sum(len(c.single) for c in self.response),
                ErrorType.EXTRA_ENTITY: sum(c.is_entity_error for c in self.response),
                ErrorType.DIVIDED_ENTITY: sum(len(c.parts) for c in self.key),
                ErrorType.MISSING_MENTION: sum(len(c.single) for c in self.key),
                ErrorType.MISSING_ENTITY: sum(c.is_entity_error for c in self.key),
            }
        )

    def groups(self) -> tuple[list[int], list[int]]:
        """Return the confusion group of each key entity and of each response entity.

        A group is a connected component of the table of overlaps.
        """
        cells = [
            (number, piece.other)
            for number, charges in enumerate(self.key)
            for piece in charges.pieces
            if piece.other is not None
        ]
        keys, responses = [k for k, _ in cells], [r for _, r in cells]
        key: list[Hashable] = [("key", k) for k in range(len(self.key))]
        response: list[Hashable] = [("response", r) for r in range(len(self.response))]
        for (k, r), component in zip(cells, components(keys, responses), strict=True):
            key[k] = response[r] = component
        # Groups are numbered in the order in which they start in the text.
        entities = [*self.pair.key, *self.pair.response]
        groups = zip(entities, [*key, *response], strict=True)
        ordered = dict.fromkeys(group for _, group in sorted(groups, key=lambda g: g[0][0]))
        number = {group: i for i, group in enumerate(ordered)}
        return [number[group] for group in key], [number[group] for group in response]


def _cuts(charges: Charges) -> int:
    return len(charges.pieces) if len(charges.pieces) > 1 else 0


def _is_spurious_singleton(charges: Charges) -> bool:
    """Return whether this is an unmatched singleton, which counts as split before it is removed."""
    return len(charges.pieces) == 1 and bool(charges.unmatched)


def transform(pair: DocumentPair) -> Transformation:
    """Carry out the five stages on a document."""
    altered, alterations = alter_spans(pair)
    return Transformation(
        pair=altered,
        alterations=alterations,
        response=_charges(altered, altered.response, altered.key),
        key=_charges(altered, altered.key, altered.response),
    )


def _charges(
    pair: DocumentPair, entities: list[NumberedEntity], others: list[NumberedEntity]
) -> list[Charges]:
    home = homes(others)
    return [charge(pair, entity, home) for entity in entities]


def homes(entities: list[NumberedEntity]) -> dict[int, int]:
    """Return the number of the entity of each mention."""
    return {mention: number for number, entity in enumerate(entities) for mention in entity}


def cut(entity: NumberedEntity, home: Mapping[int, int]) -> list[Piece]:
    """Cut an entity by the entities of the other side; unmatched mentions are separate pieces."""
    shared: dict[int, Piece] = {}
    pieces = []
    for mention in entity:
        other = home.get(mention)
        if other in shared:
            shared[other].mentions.append(mention)
            continue
        pieces.append(Piece([mention], other))
        if other is not None:
            shared[other] = pieces[-1]
    return pieces


def charge(pair: DocumentPair, entity: NumberedEntity, home: Mapping[int, int]) -> Charges:
    """Decide which errors the pieces of an entity are (section 3.2 of the paper).

    The main piece has the first mention that is not a pronoun, or else the first mention. It is not
    an error; every piece that has to leave it or join it is. If at least two mentions are unmatched
    and all others are pronouns, the unmatched mentions together are one error: the entity as a
    whole is extra or missing.
    """
    pieces = cut(entity, home)
    unmatched = [mention for piece in pieces if piece.other is None for mention in piece.mentions]
    if len(pieces) == 1:
        return Charges(
            pieces=pieces, is_entity_error=False, unmatched=unmatched, single=[], parts=[]
        )
    first = pair.first_np(entity) or entity[0]
    charged = [piece for piece in pieces if first not in piece.mentions]
    is_entity_error = len(unmatched) >= 2 and all(
        pair.is_pronoun(mention)
        for piece in pieces
        if piece.other is not None
        for mention in piece.mentions
    )
    return Charges(
        pieces=pieces,
        is_entity_error=is_entity_error,
        unmatched=unmatched,
        single=[p.mentions[0] for p in charged if p.other is None and not is_entity_error],
        parts=[piece for piece in charged if piece.other is not None],
    )
