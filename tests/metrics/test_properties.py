"""What holds for every metric of entities: a registry of these against lists of properties.

Where a property holds only under a condition, the registry has the condition. Everything is
compared bit for bit: a score that depends on the order of a file is a score nobody can cite. A
figure that a metric does not have is no number, equal to nothing; `bits` makes it None.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Mapping
from math import isnan, log
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from corefscope.metrics import METRICS, Score
from corefscope.scoring.scores import Scores
from lettered import Scorer, score
from metric_groups import LEGACY, OVERLAP_METRICS
from strategies import Document, Side, corpora, documents

pytestmark = pytest.mark.filterwarnings("ignore:.*W50[56]:corefscope.CorefscopeWarning")

COUNTED = tuple(OVERLAP_METRICS)
Condition = Callable[[Side], bool]
Corpus = Mapping[str, Document]


def has_mentions(side: Side) -> bool:
    return bool(side)


def has_coreference_links(side: Side) -> bool:
    return any(len(entity) > 1 for entity in side)


def has_non_coreference_links(side: Side) -> bool:
    return len(side) > 1


def has_links(side: Side) -> bool:
    return has_coreference_links(side) or has_non_coreference_links(side)


IDENTITY: Mapping[str, Condition] = {
    "mentions": has_mentions,
    "muc": has_coreference_links,
    "b3": has_mentions,
    "ceafm": has_mentions,
    "ceafe": has_mentions,
    "blanc": has_links,
    "lea": has_mentions,
    "pairwise": has_coreference_links,
    "b3_macro": has_mentions,
    "ceaf_phi1": has_mentions,
    "ceaf_phi2": has_mentions,
    "rand": has_mentions,
    "ari": has_mentions,
    "v": has_mentions,
    "vi": has_mentions,
    "purity": has_mentions,
    **dict.fromkeys(LEGACY, has_mentions),
}
"""Which keys score 1 against themselves. All others have nothing to count, and score 0.

The variation of information is 0 for all of them.
"""


def always(key: Side, response: Side) -> bool:
    return True


def same_kinds_of_links(key: Side, response: Side) -> bool:
    """BLANC is the mean over the kinds of link that the key has, so its roles are not alike."""
    kinds = has_coreference_links, has_non_coreference_links
    return all(has(key) == has(response) for has in kinds)


def same_mentions(key: Side, response: Side) -> bool:
    """Metrics of old papers delete and add mentions on one side alone, if there are any to."""
    return {m for entity in key for m in entity} == {m for entity in response for m in entity}


def only_itself(key: Side, response: Side) -> bool:
    """Macro B³ has the entities of the key on both sides of its means."""
    return {frozenset(each) for each in key} == {frozenset(each) for each in response}


ROLE_SWAP: Mapping[str, Callable[[Side, Side], bool]] = {
    "mentions": always,
    "muc": always,
    "b3": always,
    "ceafm": always,
    "ceafe": always,
    "blanc": same_kinds_of_links,
    "lea": always,
    "pairwise": always,
    "b3_macro": only_itself,
    "ceaf_phi1": always,
    "ceaf_phi2": always,
    "rand": always,
    "ari": always,
    "v": always,
    "vi": always,
    "purity": always,
    **dict.fromkeys(LEGACY, same_mentions),
    "b3_all": always,
}
"""When swapping key and response swaps recall and precision and leaves uncorrected F1."""

SINGLETONS_DO_NOT_MATTER = {
    "mentions": False,
    "muc": True,
    "b3": False,
    "ceafm": False,
    "ceafe": False,
    "blanc": False,
    "lea": False,
    "pairwise": True,
    "b3_macro": False,
    "ceaf_phi1": False,
    "ceaf_phi2": False,
    "rand": False,
    "ari": False,
    "v": False,
    "vi": False,
    "purity": False,
    **dict.fromkeys(LEGACY, False),
}
"""Whether entities of one mention, dropped or added on either side, leave the score as it is."""

ONE_ENTITY_HAS_FULL_RECALL = {
    "mentions": has_mentions,
    "muc": has_coreference_links,
    "b3": has_mentions,
    "ceafm": None,
    "ceafe": None,
    "blanc": None,
    "lea": lambda key: has_mentions(key) and not any(len(entity) == 1 for entity in key),
    "pairwise": has_coreference_links,
    "b3_macro": has_mentions,
    "ceaf_phi1": None,
    "ceaf_phi2": None,
    "rand": None,
    "ari": None,
    "v": has_mentions,
    "vi": None,
    "purity": has_mentions,
    **{id: has_mentions if id.startswith("b3") else None for id in LEGACY},
}
"""Keys whose recall is 1 by a response that puts all their mentions into one entity, if any.

CEAF aligns that entity with one of the key's only; BLANC finds no non-coreference link; LEA asks a
singleton to be one; single figures have no recall.
"""

ONLY_MENTIONS_MATTER = {id: id == "mentions" for id in COUNTED}
"""Whether the score depends on which mentions there are, not on their entities."""

A_MISSED_DOCUMENT_EARNS_NOTHING = {
    id: id not in LEGACY or id in ("b3_0", "b3_rn_plain", "ceafm_rn", "ceafe_rn") for id in COUNTED
}
"""Whether a document without response adds to the denominator of recall alone, if to anything.

The others add missing mentions to the response, or score them as if they had been added.
"""

COMMON_THINGS_ARE_COUNTED = {
    **dict.fromkeys(COUNTED, True),
    **dict.fromkeys(("b3", "b3_macro", "lea", "purity"), False),
    **{id: id.startswith("ceaf") and not id.endswith("_sys") for id in LEGACY},
}
"""Whether recall and precision have the same numerator.

B³, macro B³ and LEA weigh what is common by the sizes of one side, purity looks for the largest
share of each entity, and Cai & Strube have a table for recall and another for precision.
"""

BOUNDS = {id: (each.least, min(each.greatest, log(8))) for id, each in OVERLAP_METRICS.items()}
"""What a score lies between; entropies of documents of eight mentions reach ln 8."""

REGISTRY: Mapping[str, Mapping[str, object]] = {
    "identity": IDENTITY,
    "role swap": ROLE_SWAP,
    "singletons": SINGLETONS_DO_NOT_MATTER,
    "one entity": ONE_ENTITY_HAS_FULL_RECALL,
    "only mentions": ONLY_MENTIONS_MATTER,
    "missed document": A_MISSED_DOCUMENT_EARNS_NOTHING,
    "common things": COMMON_THINGS_ARE_COUNTED,
    "bounds": BOUNDS,
}

seeds = st.integers(0, 2**32).map(Random)
every_metric = pytest.mark.parametrize("metric", COUNTED)

# With eight mentions two alignments can be equally good and differ in the last bit of their sums.
untied_documents = documents(max_mentions=7)
untied_corpora = st.lists(untied_documents, min_size=1, max_size=4).map(
    lambda drawn: {f"document {number}": document for number, document in enumerate(drawn)}
)


@pytest.mark.parametrize("property", REGISTRY)
def test_every_metric_is_in_every_list(property: str) -> None:
    unlike = REGISTRY[property].keys() ^ set(COUNTED)
    assert not unlike, (
        f"add these metrics to the property {property!r} of this module, or remove them"
    )


@settings(max_examples=200)
@given(documents().map(lambda document: document[0]))
def test_key_scores_one_against_itself(key: Side) -> None:
    for id, found in score(key, key, metrics=COUNTED).metrics.items():
        defined = IDENTITY[id](key)
        perfect = float(defined and not METRICS[id].lower_is_better)
        share = None if METRICS[id].is_single else perfect
        assert figures(found) == (share, share, perfect), id
        assert found.is_undefined == (not defined), id


@settings(max_examples=150)
@given(untied_documents)
def test_swapping_roles(document: Document) -> None:
    back = score(*document[::-1], metrics=COUNTED).metrics
    for metric, there in score(*document, metrics=COUNTED).metrics.items():
        if ROLE_SWAP[metric](*document):
            assert bits(there) == bits(swapped(back[metric])), metric
        if metric not in (*LEGACY, "b3_macro"):
            assert there.recall_counts == back[metric].precision_counts, metric
            assert there.precision_counts == back[metric].recall_counts, metric


def test_blanc_swap_with_missing_kind_of_link() -> None:
    """The kinds of the key decide: one kind here, the mean of two there (specification A.4)."""
    there, back = score(["abcd"], ["ab", "cd"]).blanc, score(["ab", "cd"], ["abcd"]).blanc
    assert (there.recall, there.precision, there.f1) == (1 / 3, 1.0, 0.5)
    assert (back.recall, back.precision, back.f1) == (0.5, 1 / 6, 0.25)


@settings(max_examples=150)
@given(untied_corpora, seeds)
def test_order_and_names_change_no_bit(corpus: dict[str, Document], random: Random) -> None:
    """Entities, mentions and documents in another order, entities and mentions renamed."""
    before, after = scored(corpus), scored(shuffled(renamed(corpus), random))
    assert all_bits(before.metrics) == all_bits(after.metrics)
    assert before.conll == after.conll
    in_one_order = sorted(after.per_document, key=lambda each: list(corpus).index(each.document))
    for one, other in zip(before.per_document, in_one_order, strict=True):
        assert one.document == other.document
        assert all_bits(one.metrics) == all_bits(other.metrics)


def test_order_with_equally_good_alignments() -> None:
    """CEAFe is 1 + 2/3 + 2/3 by one alignment and 1 + 1/2 + 1/2 + 1/3 by the other."""
    key, response = ["a", "bdg", "cfh", "e"], ["abg", "c", "dfh", "e", "i"]
    there = score(key, response, metrics=COUNTED)
    back = score(key[::-1], response[::-1], metrics=COUNTED)
    assert all_bits(there.metrics) == all_bits(back.metrics)


@given(corpora(), seeds)
def test_order_of_response_documents(corpus: dict[str, Document], random: Random) -> None:
    names = random.sample(list(corpus), len(corpus))
    key = {name: document[0] for name, document in corpus.items()}
    found = score(key, {name: corpus[name][1] for name in names}, metrics=COUNTED)
    assert all_bits(found.metrics) == all_bits(scored(corpus).metrics)


@given(corpora())
def test_document_counts_do_not_depend_on_corpus(
    corpus: dict[str, Document],
) -> None:
    together = scored(corpus)
    for row, document in enumerate(corpus.values()):
        alone = score(*document, metrics=COUNTED)
        for metric in COUNTED:
            assert alone.counts[metric].tolist() == [together.counts[metric][row].tolist()]
        assert all_bits(alone.metrics) == all_bits(together.per_document[row].metrics)


@given(corpora())
def test_counts_add_up_over_documents(corpus: dict[str, Document]) -> None:
    """Whole numbers exactly; sums of fractions to the last digit but one."""
    together = scored(corpus)
    apart = [score(*document, metrics=COUNTED) for document in corpus.values()]
    for id in COUNTED:
        metric = METRICS[id]
        total = np.array([each.counts[id][0] for each in apart]).sum(axis=0)
        if metric.integral:
            assert total.tolist() == together.counts[id].sum(axis=0).tolist()
            assert bits(metric.score(total)) == bits(together[id])
        else:
            np.testing.assert_allclose(
                metric.score(total).f1, together[id].f1, rtol=1e-14, atol=1e-15
            )


@settings(max_examples=100)
@given(corpora(), seeds)
def test_merged_scorers_score_as_one(corpus: dict[str, Document], random: Random) -> None:
    whole, *parts = (Scorer(metrics=COUNTED) for _ in range(4))
    for name, (key, response) in corpus.items():
        whole.update(key, response, name)
        random.choice(parts).update(key, response, name)
    merged = parts.pop()
    for part in random.sample(parts, len(parts)):
        merged.merge(part)
    found, at_once = merged.compute().metrics, whole.compute().metrics
    assert all_bits(found) == all_bits(at_once) == all_bits(scored(corpus).metrics)


def test_scorers_merge_after_pickling() -> None:
    scorer = Scorer(metrics=COUNTED)
    scorer.update(["ab", "c"], ["a", "bc"])
    sent = pickle.loads(pickle.dumps(scorer))
    sent.merge(scorer)
    assert len(sent.compute().document_names) == 2


@settings(max_examples=100)
@given(corpora())
def test_scores_lie_within_their_bounds(corpus: dict[str, Document]) -> None:
    scores = scored(corpus)
    for metric, found in all_scores(scores):
        low, high = BOUNDS[metric]
        for figure in figures(found):
            assert figure is None or low <= figure <= high + 1e-15, metric
        for above, below in (found.recall_counts, found.precision_counts):
            assert low * below <= above <= high * below + 1e-12, metric
    assert scores.conll is not None and 0 <= scores.conll <= 1


@settings(max_examples=100)
@given(corpora())
def test_shares_lie_between_0_and_1(corpus: dict[str, Document]) -> None:
    """To the last bit, parts as well; single figures are no shares."""
    for metric, found in all_scores(scored(corpus)):
        whole = [] if METRICS[metric].is_single else [found]
        for each in (*whole, *found.parts.values()):
            assert all(0 <= figure <= 1 for figure in (each.recall, each.precision, each.f1))
            assert 0 <= each.recall_counts[0] <= each.recall_counts[1], metric
            assert 0 <= each.precision_counts[0] <= each.precision_counts[1], metric


@given(corpora())
def test_f1_lies_between_recall_and_precision(corpus: dict[str, Document]) -> None:
    """BLANC's is a mean of two F1; each of the two lies between. Single figures have no F1."""
    for metric, found in all_scores(scored(corpus)):
        whole = [] if METRICS[metric].is_mean or METRICS[metric].is_single else [found]
        for each in (*whole, *found.parts.values()):
            smaller, larger = sorted((each.recall, each.precision))
            assert smaller * (1 - 1e-15) <= each.f1 <= larger * (1 + 1e-15), metric


@given(corpora())
def test_dropping_singletons_keeps_link_scores(
    corpus: dict[str, Document],
) -> None:
    kept, dropped = scored(corpus).metrics, scored(corpus, profile="no-singletons").metrics
    for metric, do_not_matter in SINGLETONS_DO_NOT_MATTER.items():
        if do_not_matter:
            assert bits(kept[metric]) == bits(dropped[metric]), metric
    linked = {name: (linked_only(key), linked_only(r)) for name, (key, r) in corpus.items()}
    assert all_bits(dropped) == all_bits(scored(linked).metrics)


@every_metric
def test_singletons_matter_to_other_metrics(metric: str) -> None:
    key, response = ["ab", "c", "d"], ["ab", "c", "e"]
    kept = score(key, response, metrics=[metric])[metric]
    dropped = score(key, response, metrics=[metric], singletons="drop")[metric]
    assert (bits(kept) == bits(dropped)) == SINGLETONS_DO_NOT_MATTER[metric]


@given(corpora(), st.integers(0, 5))
def test_document_of_singletons_keeps_link_scores(
    corpus: dict[str, Document], singletons: int
) -> None:
    alone = [[f"singleton {number}"] for number in range(singletons)]
    shorter, longer = scored(corpus), scored({**corpus, "singletons": (alone, alone)})
    for metric, do_not_matter in SINGLETONS_DO_NOT_MATTER.items():
        if do_not_matter or not singletons:
            assert bits(longer[metric]) == bits(shorter[metric]), metric


@given(corpora())
def test_document_without_mentions(corpus: dict[str, Document]) -> None:
    longer = scored({**corpus, "empty": ([], [])})
    assert all_bits(longer.metrics) == all_bits(scored(corpus).metrics)


@given(corpora(), documents())
def test_missed_document_costs_recall_only(corpus: dict[str, Document], document: Document) -> None:
    before, after = scored(corpus), scored({**corpus, "missed": (document[0], [])})
    for metric, earns_nothing in A_MISSED_DOCUMENT_EARNS_NOTHING.items():
        if earns_nothing:
            assert after[metric].recall_counts[0] == before[metric].recall_counts[0]
            assert after[metric].precision_counts == before[metric].precision_counts
            assert after[metric].recall_counts[1] >= before[metric].recall_counts[1]


@every_metric
def test_missed_document_where_mentions_are_added(metric: str) -> None:
    found = score(["abc"], [], metrics=[metric])[metric]
    assert (found.recall_counts[0] == 0) == A_MISSED_DOCUMENT_EARNS_NOTHING[metric]


@given(documents())
def test_one_entity_of_all_mentions(document: Document) -> None:
    key = document[0]
    scores = score(key, [[mention for entity in key for mention in entity]], metrics=COUNTED)
    for metric, condition in ONE_ENTITY_HAS_FULL_RECALL.items():
        if condition is not None and condition(key):
            assert scores[metric].recall == 1.0


@given(documents())
def test_singletons_have_full_b3_precision(document: Document) -> None:
    key = document[0]
    scores = score(key, [[mention] for entity in key for mention in entity])
    assert scores.b3.precision == scores.mentions.precision == float(has_mentions(key))
    assert scores.muc.precision_counts == (0.0, 0.0)


@given(documents())
def test_only_the_mention_score_ignores_entities(document: Document) -> None:
    key, response = document
    one_entity = [[mention for entity in response for mention in entity]]
    before, after = (score(key, side, metrics=COUNTED) for side in (response, one_entity))
    for metric, mentions_alone in ONLY_MENTIONS_MATTER.items():
        if mentions_alone:
            assert bits(before[metric]) == bits(after[metric]), metric


@every_metric
def test_entities_matter_to_all_but_mention_score(metric: str) -> None:
    key = ["abc", "de"]
    merged, same = (score(key, side, metrics=[metric])[metric] for side in (["abcde"], key))
    assert (bits(merged) == bits(same)) == ONLY_MENTIONS_MATTER[metric]


@given(documents())
def test_equal_numerators(
    document: Document,
) -> None:
    scores = score(*document, metrics=COUNTED)
    for metric, are_counted in COMMON_THINGS_ARE_COUNTED.items():
        if are_counted:
            assert scores[metric].recall_counts[0] == scores[metric].precision_counts[0], metric


@every_metric
def test_unequal_numerators(metric: str) -> None:
    """Referenceless mentions on both sides, entities that are split, and one that takes of two."""
    found = score(["abcx", "def"], ["abdwv", "c", "ef", "yz"], metrics=[metric])[metric]
    numerators = found.recall_counts[0], found.precision_counts[0]
    is_common = numerators[0] == numerators[1]
    assert COMMON_THINGS_ARE_COUNTED[metric] == is_common, "say so in COMMON_THINGS_ARE_COUNTED"


@given(corpora())
def test_blanc_counts_are_both_kinds_together(corpus: dict[str, Document]) -> None:
    blanc = scored(corpus).blanc
    kinds = blanc.parts["coreference"], blanc.parts["non_coreference"]
    for place in (0, 1):
        assert blanc.recall_counts[place] == sum(kind.recall_counts[place] for kind in kinds)
        assert blanc.precision_counts[place] == sum(kind.precision_counts[place] for kind in kinds)


def scored(corpus: Corpus, profile: str = "conll-2012") -> Scores:
    key = {name: document[0] for name, document in corpus.items()}
    response = {name: document[1] for name, document in corpus.items()}
    return score(key, response, profile=profile, metrics=COUNTED)


def all_scores(scores: Scores) -> Iterable[tuple[str, Score]]:
    for found in (scores.metrics, *(document.metrics for document in scores.per_document)):
        yield from found.items()


def figures(score: Score) -> tuple[float | None, ...]:
    """Recall, precision and F1; None for a figure that the metric does not have."""
    shown = score.recall, score.precision, score.f1
    return tuple(None if isnan(figure) else figure for figure in shown)


def bits(score: Score) -> object:
    """All numbers of a score, to be compared."""
    parts = {name: bits(part) for name, part in score.parts.items()}
    return figures(score), score.recall_counts, score.precision_counts, parts


def all_bits(scores: Mapping[str, Score]) -> dict[str, object]:
    return {metric: bits(found) for metric, found in scores.items()}


def swapped(score: Score) -> Score:
    return replace(
        score,
        recall=score.precision,
        precision=score.recall,
        recall_counts=score.precision_counts,
        precision_counts=score.recall_counts,
        parts={name: swapped(part) for name, part in score.parts.items()},
    )


def renamed(corpus: Corpus) -> Corpus:
    """The same entities of other mentions, whose order is another one."""
    return {
        name: (named_backwards(key), named_backwards(response))
        for name, (key, response) in corpus.items()
    }


def named_backwards(side: Side) -> Side:
    return [[chr(ord("z") - ord(mention) + ord("a")) for mention in entity] for entity in side]


def shuffled(corpus: Corpus, random: Random) -> Corpus:
    names = random.sample(list(corpus), len(corpus))
    return {
        name: (shuffled_side(corpus[name][0], random), shuffled_side(corpus[name][1], random))
        for name in names
    }


def shuffled_side(side: Side, random: Random) -> Side:
    return [random.sample(entity, len(entity)) for entity in random.sample(side, len(side))]


def linked_only(side: Side) -> Side:
    return [entity for entity in side if len(entity) > 1]
