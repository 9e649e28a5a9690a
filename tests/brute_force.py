"""Each metric by enumeration, straight from its definition: the reference the fast one must equal.

Mentions are set elements, links are pairs, alignments are tried one by one, and numbers are
fractions, so nothing here rounds and nothing is shared with the package. Only small documents
are meant: links grow with the square of the mentions, alignments faster than that.

The definitions are those of Pradhan et al. (2014), section 4, which restates Vilain et al. (1995)
for MUC, Bagga and Baldwin (1998) for B3, Luo (2005) for CEAF, and Recasens and Hovy (2011) with
Luo et al. (2014) for BLANC. LEA is from Moosavi and Strube (2016).

An entity is a collection of mentions and a mention is in at most one entity of a side; see
`first_copies` for annotations that break this rule.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from typing import NamedTuple

Entities = Sequence[Collection[Hashable]]
Document = tuple[Entities, Entities]
"""The key and the response of one document."""
Corpus = Collection[Document]

Entity = frozenset[Hashable]
Link = frozenset[Hashable]
"""Two mentions; or one, for the self-link of a singleton."""
Similarity = Callable[[Entity, Entity], Fraction]

ZERO = Fraction(0)


class Ratios(NamedTuple):
    """Recall and precision of one document before they are divided."""

    recall_numerator: Fraction
    recall_denominator: Fraction
    precision_numerator: Fraction
    precision_denominator: Fraction


class Score(NamedTuple):
    """Recall, precision and F1 of a corpus, between 0 and 1."""

    recall: Fraction
    precision: Fraction
    f1: Fraction


def mentions(key: Entities, response: Entities) -> Ratios:
    """Mention detection: the mentions that both sides have, over those of each side."""
    return _common(_mentions(key), _mentions(response))


def muc(key: Entities, response: Entities) -> Ratios:
    """MUC: an entity in p parts lacks p - 1 of its |K| - 1 links (Pradhan et al. 2014, 4.1)."""
    return _both_ways(_muc_recall, key, response)


def b3(key: Entities, response: Entities) -> Ratios:
    """B3: every mention is credited by its own two entities (Pradhan et al. 2014, 4.2)."""
    return _both_ways(_b3_recall, key, response)


def ceafm(key: Entities, response: Entities) -> Ratios:
    """CEAF by mentions: the similarity of two entities is |K & R| (Pradhan et al. 2014, 4.3)."""
    return _ceaf(key, response, _shared_mentions)


def ceafe(key: Entities, response: Entities) -> Ratios:
    """CEAF by entities: the similarity is 2|K & R| / (|K| + |R|) (Pradhan et al. 2014, 4.3)."""
    return _ceaf(key, response, _shared_proportion)


def lea(key: Entities, response: Entities) -> Ratios:
    """LEA: the share of an entity's links that are found, weighted by its size.

    A singleton has one link, from its mention to itself, which is found if the mention is a
    singleton of the other side too (Moosavi and Strube 2016).
    """
    return _both_ways(_lea_recall, key, response)


def blanc(key: Entities, response: Entities) -> tuple[Ratios, Ratios]:
    """BLANC: links within entities, and links between entities (Pradhan et al. 2014, 4.4)."""
    return (
        _common(_coreference_links(key), _coreference_links(response)),
        _common(_non_coreference_links(key), _non_coreference_links(response)),
    )


def score(ratios: Iterable[Ratios]) -> Score:
    """Add up the documents, then divide; a division by nothing gives 0."""
    total = _total(ratios)
    recall = _divide(total.recall_numerator, total.recall_denominator)
    precision = _divide(total.precision_numerator, total.precision_denominator)
    return Score(recall, precision, _divide(2 * recall * precision, recall + precision))


def blanc_score(pairs: Iterable[tuple[Ratios, Ratios]]) -> Score:
    """Mean of the two kinds of link, or the one kind that the key has, or 0 if it has neither.

    The mean is taken of the two F1, so BLANC's F1 is not the harmonic mean of its recall and
    precision. The links are those of the whole corpus (specification 1, A.4).
    """
    documents = list(pairs)
    kinds = [_total(coreference for coreference, _ in documents)]
    kinds.append(_total(non_coreference for _, non_coreference in documents))
    found = [score([kind]) for kind in kinds if kind.recall_denominator]
    return Score(*(_divide(sum(values, ZERO), Fraction(len(found))) for values in _columns(found)))


def conll(corpus: Corpus) -> Fraction:
    """Mean of the F1 of MUC, B3 and CEAFe."""
    return sum((METRICS[name](corpus).f1 for name in ("muc", "b3", "ceafe")), ZERO) / 3


def first_copies(entities: Entities) -> list[list[Hashable]]:
    """Keep the first copy of a repeated mention; an entity left empty vanishes (A.3).

    The entities come in the order of their first appearance, the mentions of each in the order
    in which they close.
    """
    seen: set[Hashable] = set()
    kept = [[mention for mention in entity if _is_new(mention, seen)] for entity in entities]
    return [entity for entity in kept if entity]


def without_singletons(entities: Entities) -> list[list[Hashable]]:
    """Keep the entities of two mentions or more."""
    return [list(entity) for entity in entities if len(entity) > 1]


def _is_new(mention: Hashable, seen: set[Hashable]) -> bool:
    new = mention not in seen
    seen.add(mention)
    return new


def _sets(entities: Entities) -> list[Entity]:
    return [frozenset(entity) for entity in entities if entity]


def _mentions(entities: Entities) -> set[Hashable]:
    return {mention for entity in entities for mention in entity}


def _divide(numerator: Fraction, denominator: Fraction) -> Fraction:
    return numerator / denominator if denominator else ZERO


def _columns(scores: Sequence[Score]) -> list[list[Fraction]]:
    return [[each[column] for each in scores] for column in range(3)]


def _total(ratios: Iterable[Ratios]) -> Ratios:
    documents = list(ratios)
    return Ratios(*(sum((each[place] for each in documents), ZERO) for place in range(4)))


def _common(key: Collection[Hashable], response: Collection[Hashable]) -> Ratios:
    """Elements in both sets, over the elements of each."""
    common = Fraction(len(set(key) & set(response)))
    return Ratios(common, Fraction(len(key)), common, Fraction(len(response)))


def _both_ways(
    recall: Callable[[list[Entity], list[Entity]], tuple[Fraction, Fraction]],
    key: Entities,
    response: Entities,
) -> Ratios:
    """Precision is recall with the roles of key and response switched."""
    here, there = _sets(key), _sets(response)
    return Ratios(*recall(here, there), *recall(there, here))


def _muc_recall(key: list[Entity], response: list[Entity]) -> tuple[Fraction, Fraction]:
    found = sum(len(entity) - len(_parts(entity, response)) for entity in key)
    return Fraction(found), Fraction(sum(len(entity) - 1 for entity in key))


def _parts(entity: Entity, others: list[Entity]) -> set[Entity]:
    """The partition of an entity by the other side; a mention it lacks is a part of its own."""
    shared = {entity & other for other in others if entity & other}
    unmatched = entity.difference(*others)
    return shared | {frozenset([mention]) for mention in unmatched}


def _b3_recall(key: list[Entity], response: list[Entity]) -> tuple[Fraction, Fraction]:
    credited = [
        Fraction(len(entity & _entity_of(mention, response)), len(entity))
        for entity in key
        for mention in entity
    ]
    return sum(credited, ZERO), Fraction(len(credited))


def _entity_of(mention: Hashable, entities: list[Entity]) -> Entity:
    return next((entity for entity in entities if mention in entity), frozenset())


def _shared_mentions(one: Entity, other: Entity) -> Fraction:
    """Luo's phi 3."""
    return Fraction(len(one & other))


def _shared_proportion(one: Entity, other: Entity) -> Fraction:
    """Luo's phi 4."""
    return Fraction(2 * len(one & other), len(one) + len(other))


def _ceaf(key: Entities, response: Entities, similarity: Similarity) -> Ratios:
    """Total similarity of the best alignment, over that of each side with itself (Luo 2005)."""
    here, there = _sets(key), _sets(response)
    best = max(_alignment_totals(here, there, similarity))
    itself = [sum((similarity(each, each) for each in side), ZERO) for side in (here, there)]
    return Ratios(best, itself[0], best, itself[1])


def _alignment_totals(
    key: list[Entity], response: list[Entity], similarity: Similarity
) -> Iterable[Fraction]:
    """Total similarity of every one-to-one alignment, by recursion over the key entities.

    A key entity is left unaligned or takes one of the response entities that are free. Pairs
    without a common mention are passed over: they add 0 under both similarities, which is what
    leaving both unaligned adds.
    """
    if not key:
        yield ZERO
        return
    first, rest = key[0], key[1:]
    yield from _alignment_totals(rest, response, similarity)
    for place, entity in enumerate(response):
        if first & entity:
            free = response[:place] + response[place + 1 :]
            gained = similarity(first, entity)
            yield from (gained + total for total in _alignment_totals(rest, free, similarity))


def _lea_recall(key: list[Entity], response: list[Entity]) -> tuple[Fraction, Fraction]:
    found = {link for entity in response for link in _links_or_self_link(entity)}
    resolved = ZERO
    for entity in key:
        links = _links_or_self_link(entity)
        resolved += len(entity) * Fraction(len(links & found), len(links))
    return resolved, Fraction(sum(len(entity) for entity in key))


def _links_or_self_link(entity: Entity) -> set[Link]:
    return _links(entity) if len(entity) > 1 else {entity}


def _links(entity: Collection[Hashable]) -> set[Link]:
    return {frozenset(pair) for pair in combinations(entity, 2)}


def _coreference_links(entities: Entities) -> set[Link]:
    return {link for entity in entities for link in _links(entity)}


def _non_coreference_links(entities: Entities) -> set[Link]:
    return {
        frozenset(pair) for one, other in combinations(entities, 2) for pair in product(one, other)
    }


def _corpus_score(metric: Callable[[Entities, Entities], Ratios], corpus: Corpus) -> Score:
    return score(metric(key, response) for key, response in corpus)


def _corpus_blanc(corpus: Corpus) -> Score:
    return blanc_score(blanc(key, response) for key, response in corpus)


METRICS: dict[str, Callable[[Corpus], Score]] = {
    "mentions": partial(_corpus_score, mentions),
    "muc": partial(_corpus_score, muc),
    "b3": partial(_corpus_score, b3),
    "ceafm": partial(_corpus_score, ceafm),
    "ceafe": partial(_corpus_score, ceafe),
    "blanc": _corpus_blanc,
    "lea": partial(_corpus_score, lea),
}
"""Every metric of a corpus by its id."""
