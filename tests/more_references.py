"""Legacy variants, link and clustering scores, profiles and antecedent scores, from definitions.

As in `brute_force`: mentions are set elements, links are pairs, alignments are tried one by one,
and numbers are fractions; only logarithms are rounded. The numbers in brackets are sections of
specification 4 (legacy variants) where they begin with L, and of specification 5 (further
metrics) where they begin with M.

The entities of a side are a partition of its mentions: no mention comes twice. What a variant
does to the entities it does to each document by itself; counts are summed over documents.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from math import log
from typing import Literal, NamedTuple

from brute_force import (
    METRICS,
    ZERO,
    Corpus,
    Document,
    Entities,
    Entity,
    Link,
    Ratios,
    Score,
    Similarity,
    b3,
    blanc,
    ceafe,
    ceafm,
    muc,
    score,
    without_singletons,
)

ONE = Fraction(1)

Metric = Callable[[Entities, Entities], Ratios]
"""The counts of one document."""


# Legacy variants (L2)


def b3_0(key: Entities, response: Entities) -> Ratios:
    """Drop the spurious mentions from their chains, then score by B3."""
    return b3(key, without(_mentions(response) - _mentions(key), response))


def b3_all(key: Entities, response: Entities) -> Ratios:
    """B3 in which a unmatched mention earns 1/|own chain| on its own side."""
    return Ratios(*_b3_all_recall(key, response), *_b3_all_recall(response, key))


def _b3_all_recall(key: Entities, response: Entities) -> tuple[Fraction, Fraction]:
    credited = []
    for chain in _sets(key):
        for mention in chain:
            other_side = [other for other in _sets(response) if mention in other]
            shared = len(chain & other_side[0]) if other_side else 1
            credited.append(Fraction(shared, len(chain)))
    return sum(credited, ZERO), Fraction(len(credited))


def after_deletion(metric: Metric, key: Entities, response: Entities) -> Ratios:
    """Rahman and Ng: delete the unmatched response singletons, then score."""
    return metric(key, without_unmatched_singletons(key, response))


class Manipulated(NamedTuple):
    """What Cai and Strube's Algorithm 1 makes of a key and a response."""

    key_with_spurious: list[Entity]
    """K_p: the key, and each remaining spurious mention as a singleton."""
    response_with_missing: list[Entity]
    """R': the response after deletion, and each missing key mention as a singleton."""
    response_without_spurious: list[Entity]
    """R_r: R' without the spurious mentions."""


def algorithm_1(key: Entities, response: Entities) -> Manipulated:
    remaining = without_unmatched_singletons(key, response)
    missing = _mentions(key) - _mentions(remaining)
    spurious = _mentions(remaining) - _mentions(key)
    completed = remaining + _singletons(missing)
    return Manipulated(_sets(key) + _singletons(spurious), completed, without(spurious, completed))


def sys_variant(metric: Metric, key: Entities, response: Entities) -> Ratios:
    """Precision from (K_p, R') and recall from (K, R_r): for CEAF, two alignments."""
    made = algorithm_1(key, response)
    recall = metric(key, made.response_without_spurious)
    precision = metric(made.key_with_spurious, made.response_with_missing)
    return Ratios(*recall[:2], *precision[2:])


def v4_variant(metric: Metric, key: Entities, response: Entities) -> Ratios:
    """The one pair (K_p, R') for recall and precision."""
    made = algorithm_1(key, response)
    return metric(made.key_with_spurious, made.response_with_missing)


def without_unmatched_singletons(key: Entities, response: Entities) -> list[Entity]:
    known = _mentions(key)
    return [chain for chain in _sets(response) if len(chain) > 1 or chain & known]


def without(unwanted: Collection[Hashable], entities: Entities) -> list[Entity]:
    """Take mentions out of their chains; a chain left empty vanishes."""
    return _sets([frozenset(entity).difference(unwanted) for entity in entities])


def _sets(entities: Entities) -> list[Entity]:
    return [frozenset(entity) for entity in entities if entity]


def _singletons(mentions: Iterable[Hashable]) -> list[Entity]:
    return [frozenset([mention]) for mention in mentions]


def _mentions(entities: Entities) -> set[Hashable]:
    return {mention for entity in entities for mention in entity}


# Links and alignments (M3, M5)


def pairwise(key: Entities, response: Entities) -> Ratios:
    """Links, that is pairs of mentions in one entity: those on both sides over those of each."""
    here, there = _links(key), _links(response)
    both = Fraction(len(here & there))
    return Ratios(both, Fraction(len(here)), both, Fraction(len(there)))


def _links(entities: Entities) -> set[Link]:
    return {frozenset(pair) for entity in entities for pair in combinations(entity, 2)}


def b3_macro(key: Entities, response: Entities) -> Ratios:
    """B3 with the same weight for each key entity: what its mentions share with their entities.

    Precision is over the entities with a mention that the response has, and over such mentions.
    """
    of_mention = {mention: entity for entity in _sets(response) for mention in entity}
    recalls, precisions = [], []
    for entity in _sets(key):
        found = [of_mention[mention] for mention in entity if mention in of_mention]
        shares = [Fraction(len(entity & other), len(entity)) for other in found]
        recalls.append(sum(shares, ZERO) / len(entity))
        if found:
            right = [Fraction(len(entity & other), len(other)) for other in found]
            precisions.append(sum(right, ZERO) / len(right))
    return Ratios(
        sum(recalls, ZERO), Fraction(len(recalls)), sum(precisions, ZERO), Fraction(len(precisions))
    )


def ceaf_phi1(key: Entities, response: Entities) -> Ratios:
    """CEAF in which two entities are similar by 1 if they are equal and by 0 if not."""
    return _ceaf(lambda one, other: Fraction(one == other), key, response)


def ceaf_phi2(key: Entities, response: Entities) -> Ratios:
    """CEAF in which two entities are similar by 1 if they share a mention and by 0 if not."""
    return _ceaf(lambda one, other: Fraction(bool(one & other)), key, response)


def _ceaf(similarity: Similarity, key: Entities, response: Entities) -> Ratios:
    here, there = _sets(key), _sets(response)
    totals = [
        sum((similarity(one, other) for one, other in alignment), ZERO)
        for alignment in alignments(here, there)
    ]
    itself = [sum((similarity(each, each) for each in side), ZERO) for side in (here, there)]
    return Ratios(max(totals), itself[0], max(totals), itself[1])


def alignments(key: list[Entity], response: list[Entity]) -> Iterator[list[tuple[Entity, Entity]]]:
    """Every one-to-one alignment of entities that share a mention.

    Others are left unaligned: no similarity here gives them anything.
    """
    if not key:
        yield []
        return
    first, rest = key[0], key[1:]
    yield from alignments(rest, response)
    for entity in response:
        if first & entity:
            free = [other for other in response if other != entity]
            for aligned in alignments(rest, free):
                yield [(first, entity), *aligned]


def _corpus_score(metric: Metric, corpus: Corpus) -> Score:
    return score(metric(key, response) for key, response in corpus)


DOCUMENT_METRICS: dict[str, Metric] = {
    "b3_0": b3_0,
    "b3_all": b3_all,
    "b3_rn": partial(after_deletion, b3_all),
    "b3_rn_plain": partial(after_deletion, b3),
    "ceafm_rn": partial(after_deletion, ceafm),
    "ceafe_rn": partial(after_deletion, ceafe),
    "b3_sys": partial(sys_variant, b3),
    "ceafm_sys": partial(sys_variant, ceafm),
    "ceafe_sys": partial(sys_variant, ceafe),
    "b3_v4": partial(v4_variant, b3),
    "ceafm_v4": partial(v4_variant, ceafm),
    "ceafe_v4": partial(v4_variant, ceafe),
    "pairwise": pairwise,
    "b3_macro": b3_macro,
    "ceaf_phi1": ceaf_phi1,
    "ceaf_phi2": ceaf_phi2,
}
"""The counts of a document by the id of the metric."""

REFERENCES: dict[str, Callable[[Corpus], Score]] = {
    name: partial(_corpus_score, metric) for name, metric in DOCUMENT_METRICS.items()
}
"""The legacy, link and alignment scores of a corpus by id."""


# Clustering indices (M4)


class Index(NamedTuple):
    """A clustering index; `f1` is its value, and the other two are None where it has no such."""

    recall: Fraction | None
    precision: Fraction | None
    f1: Fraction


class Common(NamedTuple):
    """One document on the mentions that both sides have."""

    mentions: list[Hashable]
    key: list[Entity]
    response: list[Entity]


def common(document: Document) -> Common:
    key, response = document
    shared = _mentions(key) & _mentions(response)
    sides = [without(_mentions(side) - shared, side) for side in document]
    return Common(list(shared), sides[0], sides[1])


class Pairs(NamedTuple):
    """Pairs of common mentions of one document: all, those together on a side or on both."""

    all: int
    key: int
    response: int
    both: int
    neither: int


def pairs(document: Common) -> Pairs:
    in_key, in_response = [], []
    for pair in combinations(document.mentions, 2):
        in_key.append(any(entity.issuperset(pair) for entity in document.key))
        in_response.append(any(entity.issuperset(pair) for entity in document.response))
    kinds = list(zip(in_key, in_response, strict=True))
    return Pairs(
        len(kinds),
        sum(in_key),
        sum(in_response),
        kinds.count((True, True)),
        kinds.count((False, False)),
    )


def rand(corpus: Corpus) -> Index:
    """Share of the pairs within documents on which the sides agree: together, or apart."""
    documents = [common(document) for document in corpus]
    counted = [pairs(document) for document in documents]
    agreed = Fraction(sum(each.both + each.neither for each in counted))
    return Index(None, None, _share(agreed, Fraction(sum(each.all for each in counted)), documents))


def ari(corpus: Corpus) -> Index:
    """Pairs together on both sides above expectation, over the most there could be above it.

    The expectation is of each document by itself, and everything is summed over documents. A
    document of one common mention has no pairs and expects none.
    """
    documents = [common(document) for document in corpus]
    above, most = ZERO, ZERO
    for counted in map(pairs, documents):
        expected = Fraction(counted.key * counted.response, counted.all) if counted.all else ZERO
        above += counted.both - expected
        most += Fraction(counted.key + counted.response, 2) - expected
    return Index(None, None, _share(above, most, documents))


class Information(NamedTuple):
    """Entropies of the sides and their mutual information, in nats, given the document."""

    key: Fraction
    response: Fraction
    mutual: Fraction


def information(corpus: Corpus) -> Information:
    """Mean over documents, each of which counts by its number of common mentions."""
    documents = [common(document) for document in corpus]
    everything = sum(len(document.mentions) for document in documents)
    total = [ZERO, ZERO, ZERO]
    for document in documents:
        for place, value in enumerate(_information(document)):
            total[place] += value * len(document.mentions) / everything if everything else ZERO
    return Information(*total)


def _information(document: Common) -> Information:
    size = len(document.mentions)
    mutual = ZERO
    for one, other in product(document.key, document.response):
        if one & other:
            both = Fraction(len(one & other), size)
            mutual += both * _log(both / (Fraction(len(one), size) * Fraction(len(other), size)))
    return Information(_entropy(document.key, size), _entropy(document.response, size), mutual)


def _entropy(entities: list[Entity], size: int) -> Fraction:
    shares = [Fraction(len(entity), size) for entity in entities]
    return -sum((share * _log(share) for share in shares), ZERO)


def _log(value: Fraction) -> Fraction:
    """The float nearest to the natural logarithm, as a fraction."""
    return Fraction(log(value))


def v(corpus: Corpus) -> Index:
    """Completeness I/H(response) as recall, homogeneity I/H(key) as precision, and their mean."""
    documents = [common(document) for document in corpus]
    found = information(corpus)
    completeness = _share(found.mutual, found.response, documents)
    homogeneity = _share(found.mutual, found.key, documents)
    return Index(completeness, homogeneity, _harmonic(completeness, homogeneity))


def vi(corpus: Corpus) -> Index:
    """Variation of information, H(key) + H(response) - 2 I, in nats: 0 is best."""
    found = information(corpus)
    return Index(None, None, found.key + found.response - 2 * found.mutual)


def purity(corpus: Corpus) -> Index:
    """Mentions in the key entity that most of their response entity is in (precision).

    Inverse purity, the recall, has the sides the other way round.
    """
    documents = [common(document) for document in corpus]
    size = Fraction(sum(len(document.mentions) for document in documents))
    pure = sum((_majorities(each.response, each.key) for each in documents), ZERO)
    inverse = sum((_majorities(each.key, each.response) for each in documents), ZERO)
    recall, precision = _share(inverse, size, documents), _share(pure, size, documents)
    return Index(recall, precision, _harmonic(recall, precision))


def _majorities(entities: list[Entity], others: list[Entity]) -> Fraction:
    largest = [max(len(entity & other) for other in others) for entity in entities]
    return Fraction(sum(largest))


def _share(part: Fraction, whole: Fraction, documents: list[Common]) -> Fraction:
    """Divide; nothing to divide by is 1, and no common mention at all is 0."""
    if not any(document.mentions for document in documents):
        return ZERO
    return part / whole if whole else ONE


INDICES: dict[str, Callable[[Corpus], Index]] = {
    "rand": rand,
    "ari": ari,
    "v": v,
    "vi": vi,
    "purity": purity,
}
"""The clustering index of a corpus by its id."""


# Profiles: what other tools make of the same names (specification 1, C.2 and D.2)


def e2e(corpus: Corpus) -> dict[str, Score]:
    """The metrics file of e2e-coref, which skips singletons here and there."""
    counts: dict[str, Metric] = {
        "muc": muc,
        "b3": e2e_b3,
        "ceafe": lambda key, response: ceafe(key, without_singletons(response)),
        "lea": _e2e_lea,
    }
    return with_conll({name: _corpus_score(metric, corpus) for name, metric in counts.items()})


def e2e_b3(key: Entities, response: Entities) -> Ratios:
    return Ratios(*_e2e_b3_recall(key, response), *_e2e_b3_recall(response, key))


def _e2e_b3_recall(key: Entities, response: Entities) -> tuple[Fraction, Fraction]:
    """Its loop: skip entities of one mention, and ignore owners of one mention."""
    numerator, denominator = ZERO, ZERO
    for entity in _sets(key):
        if len(entity) == 1:
            continue
        correct = sum(len(entity & owner) ** 2 for owner in _sets(response) if len(owner) != 1)
        numerator += Fraction(correct, len(entity))
        denominator += len(entity)
    return numerator, denominator


def _e2e_lea(key: Entities, response: Entities) -> Ratios:
    return Ratios(*_e2e_lea_recall(key, response), *_e2e_lea_recall(response, key))


def _e2e_lea_recall(key: Entities, response: Entities) -> tuple[Fraction, Fraction]:
    """LEA's sum over the entities of two mentions or more."""
    numerator, denominator = ZERO, ZERO
    found = _links(response)
    for entity in without_singletons(key):
        links = _links([entity])
        numerator += len(entity) * Fraction(len(links & found), len(links))
        denominator += len(entity)
    return numerator, denominator


def no_singletons(corpus: Corpus) -> dict[str, Score]:
    """Entities of one mention are removed from both sides, then everything as ever."""
    reduced = [(without_singletons(key), without_singletons(response)) for key, response in corpus]
    return with_conll({name: metric(reduced) for name, metric in METRICS.items()})


def macro(corpus: Corpus) -> dict[str, Score]:
    """Means of the recalls and of the precisions of documents, then F1 from the two means.

    A document with nothing to divide by counts 0. BLANC's F1, too, is taken from its two means.
    """
    return with_conll({name: macro_score(metric, corpus) for name, metric in METRICS.items()})


def macro_score(metric: Callable[[Corpus], Score], corpus: Corpus) -> Score:
    scored = [metric([document]) for document in corpus]
    recall = _mean([each.recall for each in scored])
    precision = _mean([each.precision for each in scored])
    return Score(recall, precision, _harmonic(recall, precision))


def with_conll(scores: dict[str, Score]) -> dict[str, Score]:
    """Add the means of the three recalls, of the three precisions and of the three F1."""
    three = [scores[name] for name in ("muc", "b3", "ceafe")]
    columns = [[each[place] for each in three] for place in range(3)]
    return {**scores, "conll": Score(*map(_mean, columns))}


def corefud_exact(corpus: Corpus) -> dict[str, Score]:
    """As without singletons, but for the kinds of links that BLANC is the mean of (D.2)."""
    reduced = [(without_singletons(key), without_singletons(response)) for key, response in corpus]
    return {**no_singletons(corpus), "blanc": corefud_blanc(reduced)}


def corefud_blanc(corpus: Corpus) -> Score:
    """BLANC in which a kind of link counts if the key or the response has one of it."""
    documents = [blanc(key, response) for key, response in corpus]
    counted = []
    for kind in range(2):
        links = [document[kind] for document in documents]
        if any(each.recall_denominator or each.precision_denominator for each in links):
            counted.append(score(links))
    return Score(*(_mean([each[place] for each in counted]) for place in range(3)))


PROFILES: dict[str, Callable[[Corpus], dict[str, Score]]] = {
    "e2e": e2e,
    "no-singletons": no_singletons,
    "macro": macro,
    "corefud-exact": corefud_exact,
}
"""The scores of a corpus by metric, by the id of a profile."""


def _mean(values: list[Fraction]) -> Fraction:
    return sum(values, ZERO) / len(values) if values else ZERO


def _harmonic(one: Fraction, other: Fraction) -> Fraction:
    return 2 * one * other / (one + other) if one + other else ZERO


# Antecedents (M10; the docstrings of corefscope.metrics.antecedents where M10 leaves a choice)


class Ordered(NamedTuple):
    """A document whose mentions are in the order of the text, with those that are nominal."""

    mentions: Sequence[Hashable]
    nominals: Collection[Hashable]
    key: Entities
    response: Entities


Verdict = Literal["tp", "wl", "fn", "fp"]
"""Of a mention: antecedent right, another one, not resolved, or no anaphor in the key."""


class Outcomes(NamedTuple):
    """How many mentions of a document, or of a corpus, came out how."""

    tp: int
    wl: int
    fn: int
    fp: int

    @property
    def ratios(self) -> Ratios:
        """R = tp/(tp+wl+fn) and P = tp/(tp+wl+fp)."""
        tp, wl, fn, fp = map(Fraction, self)
        return Ratios(tp, tp + wl + fn, tp, tp + wl + fp)


def antecedent_score(documents: Iterable[Outcomes]) -> Score:
    """Recall and precision of the sums over documents."""
    return score(document.ratios for document in documents)


def immediate(document: Ordered) -> Outcomes:
    """The antecedent of an anaphor is the mention before it in its entity, whatever it is."""
    return _outcomes(_immediate_verdict, document)


def inferred(document: Ordered) -> Outcomes:
    """What an anaphor leads to is the closest nominal before it in its entity."""
    return _outcomes(_inferred_verdict, document)


def _outcomes(
    verdict: Callable[[Hashable, Ordered], Verdict | None], document: Ordered
) -> Outcomes:
    """Judge every mention by itself; None is not counted."""
    verdicts = [verdict(mention, document) for mention in document.mentions]
    return Outcomes(*(verdicts.count(kind) for kind in ("tp", "wl", "fn", "fp")))


def _immediate_verdict(mention: Hashable, document: Ordered) -> Verdict | None:
    """Not counted: no anaphor on either side, or one that the key cannot judge.

    What is not in the key, or first in its entity there, is no anaphor of the key. What comes
    later in its entity is an anaphor, but is not judged in an entity of pronouns, nor before the
    first nominal (a cataphoric pronoun).
    """
    key = _before(mention, document.key, document)
    response = _before(mention, document.response, document)
    if not key:
        return "fp" if response else None
    nominals = _nominals(_chain_of(mention, document.key), document)
    if not nominals or _precedes(mention, nominals[0], document):
        return None
    if not response:
        return "fn"
    return "tp" if response[-1] == key[-1] else "wl"


def _inferred_verdict(mention: Hashable, document: Ordered) -> Verdict | None:
    """Not counted: neither side has a nominal before the mention, so there is none to infer.

    The nominal that the response infers need not be the one that is closest in the key.
    """
    key = _nominals(_before(mention, document.key, document), document)
    response = _nominals(_before(mention, document.response, document), document)
    if not key:
        return "fp" if response else None
    if not response:
        return "fn"
    return "tp" if response[-1] in _chain_of(mention, document.key) else "wl"


def _chain_of(mention: Hashable, chains: Entities) -> Collection[Hashable]:
    """The entity of a mention; of one that is in none, no mention."""
    return next((chain for chain in chains if mention in chain), ())


def _before(mention: Hashable, chains: Entities, document: Ordered) -> list[Hashable]:
    """The mentions before one in its entity, the closest last."""
    chain = _in_order(_chain_of(mention, chains), document)
    return chain[: chain.index(mention)] if chain else []


def _nominals(mentions: Collection[Hashable], document: Ordered) -> list[Hashable]:
    """Those that are no pronouns, in the order of the text."""
    return [each for each in _in_order(mentions, document) if each in document.nominals]


def _in_order(mentions: Collection[Hashable], document: Ordered) -> list[Hashable]:
    return [mention for mention in document.mentions if mention in mentions]


def _precedes(one: Hashable, other: Hashable, document: Ordered) -> bool:
    return document.mentions.index(one) < document.mentions.index(other)


class Anchors(NamedTuple):
    """Anchor scores: of entities, of the mentions in detected entities, and the mean of both."""

    detection: Score
    mentions: Score
    f1: Fraction
    """The harmonic mean of the two F1."""


def anchor(documents: Iterable[Ordered]) -> Anchors:
    """Counts are summed over documents; nothing over nothing is 0."""
    counted = [anchored(document) for document in documents]
    detection = score(entities for entities, _ in counted)
    mentions = score(mentions for _, mentions in counted)
    return Anchors(detection, mentions, _harmonic(detection.f1, mentions.f1))


def anchored(document: Ordered) -> tuple[Ratios, Ratios]:
    """Entities found by their anchors, and then the mentions of the pairs so found.

    The anchor of an entity is its first nominal. The key's entities with an anchor take, in the
    order of their first mentions, the response entity that the anchor is in, unless another one
    has taken it. Entities of one mention are entities; callers drop them if they are not to count.
    """
    free = _sets(document.response)
    pairs: list[tuple[Entity, Entity]] = []
    judged = [entity for entity in _sets(document.key) if _nominals(entity, document)]
    for entity in sorted(judged, key=lambda each: _first_place(each, document)):
        for other in free:
            if _nominals(entity, document)[0] in other:
                pairs.append((entity, other))
                free = [each for each in free if each != other]
                break
    with_nominal = sum(bool(_nominals(entity, document)) for entity in _sets(document.response))
    common = sum(len(one & other) for one, other in pairs)
    sizes = [sum(len(pair[side]) for pair in pairs) for side in (0, 1)]
    return (
        Ratios(*map(Fraction, (len(pairs), len(judged), len(pairs), with_nominal))),
        Ratios(*map(Fraction, (common, sizes[0], common, sizes[1]))),
    )


def _first_place(entity: Entity, document: Ordered) -> int:
    return min(document.mentions.index(mention) for mention in entity)


ANTECEDENT_METRICS: dict[str, Callable[[Ordered], Outcomes | tuple[Ratios, Ratios]]] = {
    "immediate": immediate,
    "inferred": inferred,
    "anchor": anchored,
}
"""What is counted in a document by the id of the metric."""
