"""Two annotators: the scores of one against the other, and which of their mentions are the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import combinations

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from corefscope.agreement.common_texts import Booleans, CommonTexts, reworded
from corefscope.corpus import Corpus, Integers
from corefscope.exceptions import InvalidInput
from corefscope.findings import Code, Finding
from corefscope.inputs import System
from corefscope.matching.matching import Matching, match_corpora
from corefscope.matching.overlap import Side
from corefscope.matching.shared_texts import Texts
from corefscope.metrics import METRICS, Score, conll_average
from corefscope.metrics.counts import known
from corefscope.metrics.mentions import MENTIONS
from corefscope.options import Options
from corefscope.scoring.measure import score_matching
from corefscope.scoring.scores import Scores


class PairAgreement(Struct, frozen=True, eq=False, kw_only=True, dict=True):
    """How far two annotators agree, in the documents that both annotated.

    Some metrics, such as BLANC, depend on which side is the key. It is always the annotator whose
    name comes first, so that the order of annotators does not matter.
    """

    a: str
    b: str
    scores: Scores
    """The scores; the annotator whose name comes first is the key."""
    matching: Matching
    """The two annotators by our own rules; the annotator whose name comes first is the key."""

    @property
    def is_swapped(self) -> bool:
        """Whether ``b`` is the key."""
        return self.b < self.a

    @cached_property
    def metrics(self) -> Mapping[str, Score]:
        """The scores of ``b`` against ``a``; the other way, recall and precision are swapped."""
        found = self.scores.metrics
        if not self.is_swapped:
            return found
        return {id: _in_roles(id, score) for id, score in found.items()}

    @property
    def conll(self) -> float | None:
        """The mean F1 of MUC, B³ and CEAFe, if these were computed."""
        return conll_average(self.metrics)

    @cached_property
    def boundaries(self) -> Score:
        """The agreement on which mentions there are, with the same boundaries."""
        rule = self.scores.profile.singletons
        found = MENTIONS.score_overlap(self.matching.overlap(rule))
        return swapped(found) if self.is_swapped else found

    @property
    def documents(self) -> Sequence[str]:
        """The documents that both annotated."""
        return self.scores.document_names


def _in_roles(id: str, score: Score) -> Score:
    """Return the score of a metric with the roles exchanged, if it has recall and precision."""
    return score if METRICS[id].is_single else swapped(score)


def swapped(score: Score) -> Score:
    """Return a score with the roles of key and response exchanged."""
    return Score(
        recall=score.precision,
        precision=score.recall,
        f1=score.f1,
        recall_counts=score.precision_counts,
        precision_counts=score.recall_counts,
        parts={name: swapped(part) for name, part in score.parts.items()},
    )


def pairs_of(texts: CommonTexts, options: Options) -> dict[tuple[int, int], PairAgreement]:
    """Return every pair of annotators that share documents, by their numbers; the first is key."""
    found: dict[tuple[int, int], PairAgreement] = {}
    texts_of: dict[Corpus, Texts] = {}
    for one, other in combinations(range(len(texts.annotators)), 2):
        common = texts.annotated[one] & texts.annotated[other]
        if common.any():
            names = {texts.documents[number] for number in np.flatnonzero(common).tolist()}
            pair = [texts.annotators[number] for number in (one, other)]
            key = restricted(pair[0].response, names)
            shared = texts_of.setdefault(key, Texts(key, options.language))
            found[one, other] = _scored(replace(pair[0], corpus=key), pair[1], shared, options)
    return found


def _scored(key: System, response: System, texts: Texts, options: Options) -> PairAgreement:
    corpora = key.response, restricted(response.response, set(key.response.document_names))
    try:
        matching = _matched(*corpora, options, texts)
        scores = score_matching(matching, options)
        own = _matched(*corpora, options.of_analyses, texts) if options.profile.scorer else matching
    except InvalidInput as error:
        found = [reworded(each, key.name, response.name) for each in error.findings]
        raise type(error)(found) from None
    read = {*key.response.findings, *response.response.findings}
    findings = tuple(
        each if each in read else reworded(each, key.name, response.name)
        for each in scores.findings
    )
    pair = PairAgreement(
        a=key.name, b=response.name, scores=replace(scores, findings=findings), matching=own
    )
    return replace(pair, scores=replace(scores, findings=(*findings, *_same(pair, response.path))))


def _matched(key: Corpus, response: Corpus, options: Options, texts: Texts) -> Matching:
    """Match two annotators; their documents have the same names by now."""
    rules = options.matching
    found = match_corpora(key, response, replace(rules, pair_by="name", missing="empty"), texts)
    return replace(found, marks=rules.marks)


def _same(pair: PairAgreement, path: str) -> list[Finding]:
    """Report two annotators that are the same in everything."""
    overlap = pair.matching.overlap("keep")
    sizes = overlap.key_size[overlap.key], overlap.response_size[overlap.response]
    are_same = len(overlap.n) == len(overlap.key_size) == len(overlap.response_size) and all(
        bool((size == overlap.n).all()) for size in sizes
    )
    if not are_same or not len(overlap.n):
        return []
    return [
        Finding(
            Code.SAME_RUNS,
            f"{pair.a} and {pair.b} have the same entities in every document",
            expected="independent annotations: check that they are not copies of one file",
            file=path,
        )
    ]


def restricted(corpus: Corpus, names: set[str]) -> Corpus:
    """Return a corpus with some of its documents; the same if these are all."""
    return corpus if len(names) == len(corpus) else corpus.restricted(names)


def mean_figures(pairs: Sequence[PairAgreement]) -> dict[str, float]:
    """Return the unweighted mean F1 of each metric over pairs, and that of the CoNLL score."""
    if not pairs:
        return {}
    # Sums do not depend on the order in which annotators were given.
    ordered = sorted(pairs, key=lambda pair: sorted((pair.a, pair.b)))
    found = {
        id: sum(pair.metrics[id].f1 for pair in ordered) / len(ordered)
        for id in ordered[0].metrics
        if all(known(pair.metrics[id].f1) is not None for pair in ordered)
    }
    scores = [pair.conll for pair in ordered if pair.conll is not None]
    return {**found, "conll": sum(scores) / len(scores)} if scores else found


def common_sides(texts: CommonTexts, pairs: Mapping[tuple[int, int], PairAgreement]) -> list[Side]:
    """Return the entities of each annotator, with numbers of mentions that all share.

    Two mentions have the same number if the matching of their annotators paired them. Where
    mentions are matched by head, pairs need not agree with each other: a mention then is the one
    that it is paired with in the first annotator by name, unless that one is taken.
    """
    rows = [_rows_of(texts, pairs, number) for number in range(len(texts.annotators))]
    numbers = [np.full(len(each.response.mention_entity), -1) for each in texts.annotators]
    used = 0
    for annotator, own in enumerate(numbers):
        for earlier in range(annotator):
            pair = pairs.get((earlier, annotator))
            if pair is not None:
                ours, theirs = _paired_rows(texts, pair, earlier, annotator)
                wanted = numbers[earlier][ours]
                free = (own[theirs] < 0) & ~np.isin(wanted, own[own >= 0])
                own[theirs[free]] = wanted[free]
        new = np.flatnonzero(rows[annotator] & (own < 0))
        own[new] = used + np.arange(len(new))
        used += len(new)
    return [_side(texts, n, rows[n], numbers[n]) for n in range(len(numbers))]


def _rows_of(
    texts: CommonTexts, pairs: Mapping[tuple[int, int], PairAgreement], annotator: int
) -> Booleans:
    """Return which mentions of an annotator are compared with those of someone."""
    found = np.zeros(len(texts.annotators[annotator].response.mention_entity), dtype=bool)
    for numbers, pair in pairs.items():
        if annotator in numbers:
            place = numbers.index(annotator)
            side = pair.matching.sides(pair.scores.profile.singletons)[place]
            found[_full_rows(texts, pair, annotator)[side.mention_row]] = True
    return found


def _full_rows(texts: CommonTexts, pair: PairAgreement, annotator: int) -> Integers:
    """Return the row among all mentions of an annotator for each row in a pair."""
    corpus = texts.annotators[annotator].response
    common = set(pair.documents)
    is_common = np.array([name in common for name in corpus.document_names], dtype=bool)
    return np.flatnonzero(is_common[corpus.mention_document])


def _paired_rows(
    texts: CommonTexts, pair: PairAgreement, one: int, other: int
) -> tuple[Integers, Integers]:
    """Return the rows of the mentions that a pair of annotators has in common."""
    key, response = pair.matching.sides(pair.scores.profile.singletons)
    _, ours, theirs = np.intersect1d(
        key.mention, response.mention, assume_unique=True, return_indices=True
    )
    return (
        _full_rows(texts, pair, one)[key.mention_row[ours]],
        _full_rows(texts, pair, other)[response.mention_row[theirs]],
    )


def _side(
    texts: CommonTexts,
    annotator: int,
    rows: Booleans,
    numbers: Integers,
) -> Side:
    corpus = texts.annotators[annotator].response
    document = texts.documents_of(annotator)
    entities = len(corpus.entity_document)
    side = Side(
        entity_document=document[corpus.entity_document] if entities else corpus.entity_document,
        entity_row=np.arange(entities),
        mention_entity=corpus.mention_entity,
        mention_row=np.arange(len(numbers)),
        mention=numbers,
    )
    return side.keep(rows)
