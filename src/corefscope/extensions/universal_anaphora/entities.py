"""The entities that are scored, built as the scorers of Universal Anaphora build them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np
from msgspec import Struct

from corefscope.corpus import Corpus
from corefscope.corpus.mentions import Span, merged
from corefscope.exceptions import InvalidInput
from corefscope.extensions.universal_anaphora.anaphora import (
    NON_REFERRING,
    Markable,
    Markables,
    anaphora_of,
)
from corefscope.extensions.universal_anaphora.rules import UaRules
from corefscope.findings import Code, Finding


class UaMention(Struct, frozen=True, dict=True):
    """A markable as far as scoring can tell it from others."""

    spans: tuple[Span, ...]
    """Its words as spans that do not touch, ascending; none if it is never closed.

    A zero has the number of words before it, and its own number among the zeros there.
    """
    is_zero: bool = False
    is_lost: bool = False
    """Whether no other markable is equal to it, because its minimum span is not within it."""
    minimum: Span | None = None
    first_part: Span | None = None
    """The part that is opened first."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UaMention) and self._compared == other._compared

    def __hash__(self) -> int:
        return hash(self._compared)

    @property
    def _compared(self) -> tuple[tuple[Span, ...], bool, bool]:
        return self.spans, self.is_zero, self.is_lost

    @cached_property
    def words(self) -> frozenset[int]:
        """The words; a zero has none."""
        if self.is_zero:
            return frozenset()
        return frozenset(word for first, last in self.spans for word in range(first, last + 1))

    @property
    def place(self) -> tuple[int, int, int]:
        """The first and the last word and the number of words, by which mentions are sorted."""
        return self.spans[0][0], self.spans[-1][1], sum(b - a + 1 for a, b in self.spans)


class SplitAntecedent(Struct, frozen=True, dict=True):
    """The entities that a plural entity is made of, which count as one mention of it."""

    elements: frozenset[tuple[UaMention, ...]]

    @cached_property
    def ordered(self) -> list[tuple[UaMention, ...]]:
        """The elements in an order that does not depend on hashes."""
        return sorted(
            self.elements, key=lambda element: [(one.is_zero, one.spans) for one in element]
        )


NumberOf: TypeAlias = Callable[[int], int]
"""Returns the number that a token is scored by."""
Member: TypeAlias = UaMention | SplitAntecedent
UaEntity: TypeAlias = Sequence[Member]


class Scored(Struct, frozen=True, kw_only=True):
    """One side of a document: what is scored."""

    entities: list[UaEntity]
    non_referring: list[UaMention]
    """The first markable of each non-referring entity."""
    bridges: dict[UaMention, UaMention]
    """The anchor of each bridging anaphor."""
    emptied: int = 0
    """Entities that had zeros only, and are left out."""
    reduced: int = 0
    """Entities that removing zeros has made singletons."""


def markables_of(corpus: Corpus, document: int, rules: UaRules) -> Markables:
    """Return the markables of a document; those of other formats are made of its entities."""
    anaphora = anaphora_of(corpus)
    known = anaphora.layers[rules.layer][document] if anaphora else None
    if known is None:
        return _from_entities(corpus, document)
    errors = [finding for finding in known.findings if finding.is_error]
    if errors:
        raise InvalidInput(errors)
    return known


def _from_entities(corpus: Corpus, document: int) -> Markables:
    if not corpus.has_spans:
        raise InvalidInput.of(
            Code.UNLIKE_MENTIONS,
            f"document {corpus.document_names[document]!r} has mentions without positions",
            expected="first and last tokens: Universal Anaphora is scored by them",
            file=corpus.path,
        )
    rows = corpus.mentions_of(document)
    spans = corpus.mention_spans[rows.start : rows.stop].tolist()
    entities = corpus.mention_entity[rows.start : rows.stop].tolist()
    empty = empty_tokens(corpus, document)
    return Markables(
        tuple(
            Markable(
                id=str(row),
                entity=str(entity),
                parts=corpus.parts_of(row),
                is_zero=first == last and first in empty,
            )
            for row, (first, last), entity in zip(rows, spans, entities, strict=True)
        )
    )


def empty_tokens(corpus: Corpus, document: int) -> Mapping[int, Span]:
    """Return for each empty node how many words are before it, and its number among its like."""
    nodes = corpus.empty_nodes
    found: dict[int, Span] = {}
    before, order = -1, 0
    for row in nodes.rows_of(document):
        order = order + 1 if nodes.words_before[row] == before else 0
        before = int(nodes.words_before[row])
        found[int(nodes.token[row])] = before, order
    return found


def scored(
    corpus: Corpus,
    document: int,
    rules: UaRules,
    number_of: NumberOf | None = None,
    *,
    is_key: bool,
) -> Scored:
    """Return what is scored of a document; ``number_of`` gives tokens other numbers."""
    layer = markables_of(corpus, document, rules)
    # Minimum spans of the response do not count.
    by_minimum = is_key and rules.match == "min"
    make = _MentionMaker(corpus, document, rules, number_of or int, by_minimum=by_minimum)
    markables = tuple(layer.markables)
    mentions = {markable.id: make(markable) for markable in markables}
    grouped: dict[str, list[Member]] = {}
    for markable in markables:
        grouped.setdefault(markable.entity, []).append(mentions[markable.id])
    if rules.keeps_split_antecedents:
        elements = _Elements(markables, corpus, document)
        if elements.direct and not rules.keeps_singletons:
            raise InvalidInput([_needs_singletons(corpus, document)])
        _add_split_antecedents(grouped, elements)
    non_referring = [label for label in grouped if label.endswith(NON_REFERRING)]
    entities = [
        entity
        for label, entity in grouped.items()
        if not label.endswith(NON_REFERRING) and (rules.keeps_singletons or len(entity) > 1)
    ]
    kept = entities if rules.keeps_zeros else [_without_zeros(entity) for entity in entities]
    reduced = sum(len(new) == 1 < len(old) for old, new in zip(entities, kept, strict=True))
    remaining = [entity for entity in kept if entity]
    return Scored(
        entities=_merged(remaining) if rules.keeps_split_antecedents else list(remaining),
        non_referring=[
            member for label in non_referring if isinstance(member := grouped[label][0], UaMention)
        ],
        bridges={mentions[bridge.anaphor]: mentions[bridge.anchor] for bridge in layer.bridges},
        emptied=len(kept) - len(remaining),
        reduced=reduced,
    )


def _needs_singletons(corpus: Corpus, document: int) -> Finding:
    return Finding(
        Code.SCORER_REFUSES,
        f"document {corpus.document_names[document]!r} has split antecedents, which the official "
        "scorers cannot count if singletons are dropped",
        expected="both kept or both dropped: drop split antecedents, or keep singletons",
        file=corpus.file_of(document),
    )


def _without_zeros(entity: Iterable[Member]) -> list[Member]:
    return [each for each in entity if not (isinstance(each, UaMention) and each.is_zero)]


class _MentionMaker:
    """Makes mentions of markables, by the tokens or the words that a version counts."""

    def __init__(
        self,
        corpus: Corpus,
        document: int,
        rules: UaRules,
        number_of: NumberOf,
        *,
        by_minimum: bool,
    ) -> None:
        self.corpus, self.document, self.rules = corpus, document, rules
        self.by_minimum = by_minimum
        self.number_of = number_of
        self.empty = empty_tokens(corpus, document) if rules.version == 2 else {}
        self.empty_tokens = np.array(sorted(self.empty), dtype=np.int64)

    def __call__(self, markable: Markable) -> UaMention:
        if self.rules.version == 1:
            return self._of_last_part(markable)
        if markable.is_zero:
            return UaMention((self.empty[markable.parts[0][0]],), is_zero=True)
        parts = [(self._word(first), self._word(last)) for first, last in markable.parts]
        return UaMention(
            merged(parts),
            minimum=markable.minimum,
            first_part=parts[0] if parts else None,
        )

    def _word(self, token: int) -> int:
        """Return the number of a token among the words."""
        return token - int(np.searchsorted(self.empty_tokens, token))

    def _of_last_part(self, markable: Markable) -> UaMention:
        """Version 1 knows no gaps: a markable that is opened again is the last part alone."""
        if not markable.parts:
            raise InvalidInput.of(
                Code.UNBALANCED,
                f"markable {markable.id!r} is never closed, which version 1 of the scorer refuses",
                expected="a closing bracket: add it on the last token of the markable",
                file=self.corpus.file_of(self.document),
                line=markable.line,
            )
        span = self._numbered(markable.parts[-1])
        if markable.minimum is None or not self.by_minimum:
            return UaMention((span,))
        minimum = self._numbered(markable.minimum)
        # Look-ups find equal spans, and then ask whether the minimum span is accepted as well.
        is_lost = minimum[0] < span[0] or span[1] < minimum[1]
        return UaMention((span,), minimum=minimum, is_lost=is_lost)

    def _numbered(self, part: Span) -> Span:
        return self.number_of(part[0]), self.number_of(part[1])


class _Elements:
    """Which entities are the elements of which."""

    def __init__(self, markables: Sequence[Markable], corpus: Corpus, document: int) -> None:
        self.corpus, self.document = corpus, document
        self.direct: dict[str, dict[str, None]] = {}
        known = {markable.entity for markable in markables}
        for markable in markables:
            for whole in markable.element_of:
                if whole in known:
                    self.direct.setdefault(whole, {})[markable.entity] = None

    def of(self, label: str, above: tuple[str, ...] = ()) -> Iterable[str]:
        """Yield the elements of an entity; those that have elements are replaced by these."""
        if label in above:
            cycle = above[above.index(label) + 1 :]
            way = f", through {', '.join(cycle)}" if cycle else ""
            raise InvalidInput.of(
                Code.BAD_LINE,
                f"entity {label} is an element of itself{way}",
                expected="no such cycle: correct ElementOf",
                file=self.corpus.file_of(self.document),
            )
        for element in self.direct.get(label, ()):
            if element in self.direct:
                yield from self.of(element, (*above, label))
            else:
                yield element


def _add_split_antecedents(grouped: dict[str, list[Member]], elements: _Elements) -> None:
    plain = {
        label: tuple(each for each in entity if isinstance(each, UaMention))
        for label, entity in grouped.items()
    }
    for label in elements.direct:
        found = frozenset(plain[element] for element in elements.of(label))
        grouped[label].append(SplitAntecedent(found))


def _merged(entities: Iterable[UaEntity]) -> list[UaEntity]:
    """Make one of the entities that have equal split antecedents; repeated mentions vanish."""
    merged: list[dict[Member, None]] = []
    owner: dict[SplitAntecedent, dict[Member, None]] = {}
    for entity in entities:
        members = dict.fromkeys(entity)
        splits = [each for each in members if isinstance(each, SplitAntecedent)]
        known = next((owner[split] for split in splits if split in owner), None)
        if known is None:
            merged.append(members)
        else:
            known.update(members)
        owner.update((split, known or members) for split in splits)
    return [list(members) for members in merged]
