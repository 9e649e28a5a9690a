"""Correct the errors of one type, or of several types, in a response: the basis of Table 10."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field

from corefscope.error_analysis.kinds import ErrorType, Mode
from corefscope.error_analysis.transformation import Piece, Transformation
from corefscope.matching.pairs import NumberedEntity


class Clustering(Struct):
    """Entities that can be split and merged."""

    home: dict[int, int] = field(default_factory=dict)
    members: dict[int, set[int]] = field(default_factory=dict)
    _next: int = 0

    @classmethod
    def of(cls, entities: Sequence[NumberedEntity]) -> Clustering:
        """Return a clustering of these entities, which have no mention in common."""
        home = {mention: n for n, entity in enumerate(entities) for mention in entity}
        return cls(home, dict(enumerate(map(set, entities))), len(entities))

    def gather(self, mentions: Iterable[int]) -> int:
        """Move mentions into a new entity, and return its number."""
        number = self._next
        self._next += 1
        self.members[number] = set()
        for mention in mentions:
            self.remove(mention)
            self.add(mention, number)
        return number

    def add(self, mention: int, entity: int) -> None:
        """Add a mention that is in no entity to an entity."""
        self.home[mention] = entity
        self.members[entity].add(mention)

    def remove(self, mention: int) -> None:
        """Remove a mention from its entity, if it is in one."""
        entity = self.home.pop(mention, None)
        if entity is not None:
            self.members[entity].discard(mention)
            if not self.members[entity]:
                del self.members[entity]

    def unite(self, one: int, other: int) -> None:
        """Merge the entities of two mentions: the smaller one into the larger one."""
        few, many = self.home[one], self.home[other]
        if len(self.members[few]) > len(self.members[many]):
            few, many = many, few
        if few != many:
            for mention in self.members.pop(few):
                self.add(mention, many)

    def partition(self) -> list[NumberedEntity]:
        """Return the entities in no particular order, which is enough to score them."""
        return [list(mentions) for mentions in self.members.values() if mentions]

    def entities(self) -> list[NumberedEntity]:
        """Return the entities in the order of the text."""
        return sorted(sorted(mentions) for mentions in self.partition())


class Corrections:
    """The corrections of one document."""

    def __init__(self, transformation: Transformation, mode: Mode) -> None:
        self.transformation = transformation
        self.pair = transformation.pair
        self.mode = mode

    def before(self) -> Clustering:
        """Return the response as it is, with wrong boundaries."""
        original = {after: before for before, after in self.transformation.alterations.pairs}
        return Clustering.of(
            [[original.get(m, m) for m in entity] for entity in self.pair.response]
        )

    def alone(self, *types: ErrorType) -> Clustering:
        """Correct one type, or some types in order, after span errors were corrected."""
        clustering = Clustering.of(self.pair.response)
        for type in types:
            if type is not ErrorType.SPAN_ERROR:
                self._repair(clustering, type)
        return clustering

    def cumulative(self) -> Iterator[tuple[ErrorType, Clustering]]:
        """Correct one type after the other; yield the same clustering after each type."""
        clustering = Clustering.of(self.pair.response)
        for type in ErrorType:
            if type is not ErrorType.SPAN_ERROR:
                self._repair(clustering, type)
            yield type, clustering

    def up_to(self, last: ErrorType) -> Clustering:
        """Correct this type and all types before it."""
        for type, clustering in self.cumulative():
            if type is last:
                return clustering
        raise AssertionError(f"{last} is not an error type")

    def _repair(self, clustering: Clustering, type: ErrorType) -> None:
        repairs: Mapping[ErrorType, Callable[[Clustering], None]] = {
            ErrorType.CONFLATED_ENTITIES: self._split_conflated,
            ErrorType.EXTRA_MENTION: self._remove_mentions,
            ErrorType.EXTRA_ENTITY: self._remove_entities,
            ErrorType.DIVIDED_ENTITY: self._merge_divided,
            ErrorType.MISSING_MENTION: self._add_mentions,
            ErrorType.MISSING_ENTITY: self._add_entities,
        }
        repairs[type](clustering)
        if self.mode == "standard":
            self._remove_stranded(clustering)

    def _split_conflated(self, clustering: Clustering) -> None:
        for charges in self.transformation.response:
            size = sum(len(piece.mentions) for piece in charges.pieces)
            for part in charges.parts:
                clustering.gather(part.mentions)
                if size - len(part.mentions) == 1 == len(charges.unmatched):
                    clustering.remove(charges.unmatched[0])

    def _remove_mentions(self, clustering: Clustering) -> None:
        for charges in self.transformation.response:
            for mention in charges.single:
                clustering.remove(mention)

    def _remove_entities(self, clustering: Clustering) -> None:
        for charges in self.transformation.response:
            if charges.is_entity_error or self._is_left_over(charges.pieces):
                for mention in charges.unmatched:
                    clustering.remove(mention)

    def _merge_divided(self, clustering: Clustering) -> None:
        """Merge the response entities of the parts with that of the entity's first noun."""
        for entity, charges in zip(self.pair.key, self.transformation.key, strict=True):
            if not charges.parts:
                continue
            anchor = self.pair.first_np(entity) or entity[0]
            if anchor not in clustering.home:
                clustering.gather([anchor])
            for part in charges.parts:
                for mention in part.mentions:
                    clustering.unite(anchor, mention)

    def _add_mentions(self, clustering: Clustering) -> None:
        for entity, charges in zip(self.pair.key, self.transformation.key, strict=True):
            if charges.single:
                present = next(m for m in entity if m in clustering.home)
                for mention in charges.single:
                    clustering.add(mention, clustering.home[present])

    def _add_entities(self, clustering: Clustering) -> None:
        for entity, charges in zip(self.pair.key, self.transformation.key, strict=True):
            if charges.is_entity_error or self._is_left_over(charges.pieces):
                clustering.gather(entity)

    def _is_left_over(self, pieces: Sequence[Piece]) -> bool:
        """Return whether this is a singleton that only one side has.

        It is not an error, but it has to be corrected for the response to become the key.
        """
        return self.mode == "standard" and len(pieces) == 1 and pieces[0].other is None

    def _remove_stranded(self, clustering: Clustering) -> None:
        """Remove spurious mentions that a correction has left alone in their entity.

        The published tool leaves them: the main piece of an entity is not charged with an error, so
        no correction removes it.
        """
        for charges in self.transformation.response:
            if len(charges.pieces) > 1:
                for mention in charges.unmatched:
                    home = clustering.home.get(mention)
                    if home is not None and len(clustering.members[home]) == 1:
                        clustering.remove(mention)
