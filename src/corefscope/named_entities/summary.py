"""Figures by entity type: NEC F1, entities not found, and the other figures of the paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum
from typing import Annotated

from corefscope.language import MentionType, known_types
from corefscope.matching.overlap import count_overlap, side_of
from corefscope.matching.pairs import NumberedEntity
from corefscope.metrics import CONLL
from corefscope.metrics.counts import harmonic_mean, ratio
from corefscope.named_entities.options import NecOptions
from corefscope.named_entities.rows import ChainRow, DocumentRows
from corefscope.results.record import Record, about

ALL = "ALL"
"""The name of the figures of all types together."""


class ChainSpread(Record, frozen=True, kw_only=True):
    """Key chains that are split, or response chains that combine several key chains."""

    chains: int
    rate: Annotated[float | None, about("share of all chains of the type")]
    excess: Annotated[int, about("chains, or names, beyond one")]

    @classmethod
    def of(cls, counts: Sequence[int]) -> ChainSpread:
        """Return the spread of chains with these counts."""
        many = [count for count in counts if count > 1]
        rate = len(many) / len(counts) if counts else None
        return cls(chains=len(many), rate=rate, excess=sum(many) - len(many))


class MicroScore(Record, frozen=True, kw_only=True):
    """Recall, precision and F1 of summed counts."""

    recall: float | None
    precision: float | None
    f1: float | None


class MentionTypeScore(Record, frozen=True, kw_only=True):
    """F1 of mentions of one type, and the number of chains with such mentions."""

    f1: float | None
    chains: int


class TypeScore(Record, frozen=True, kw_only=True):
    """The scores of one entity type, or of all types; null if there is nothing to measure."""

    chains: int
    f1: float | None
    not_found: float | None
    zero_f1: float | None
    recall: float | None
    precision: float | None
    micro: MicroScore
    by_mention_type: Annotated[
        Mapping[MentionType, MentionTypeScore],
        about("names, nominals and pronouns; zeros only if a chain has any"),
    ]
    over_split: ChainSpread
    over_combined: ChainSpread
    conll: Annotated[float | None, about("the CoNLL score of chains with a name of the type")]


def summarise(documents: Sequence[DocumentRows], options: NecOptions) -> dict[str, TypeScore]:
    """Return the figures of each type, and of all types together."""
    types = list(dict.fromkeys(options.types.values()))
    return {
        **{type: _score(documents, [type]) for type in types},
        ALL: _score(documents, types),
    }


def macro_f1(scores: Mapping[str, TypeScore]) -> float | None:
    """Return the mean F1 over the types that occur in the key."""
    known = [score.f1 for type, score in scores.items() if type != ALL and score.f1 is not None]
    return fsum(known) / len(known) if known else None


def _score(documents: Sequence[DocumentRows], types: Sequence[str]) -> TypeScore:
    rows = [row for d in documents for row in d.rows if row.chain.type in types]
    found = [row for row in rows if row.is_found]
    recall = _share(sum(row.overlap for row in found), sum(row.size for row in rows))
    precision = (
        1.0
        if rows and not found
        else _share(sum(row.overlap for row in found), sum(row.best_size for row in found))
    )
    f1 = None if recall is None or precision is None else harmonic_mean(recall, precision)
    return TypeScore(
        chains=len(rows),
        f1=_mean([row.f1 for row in rows]),
        not_found=_mean([float(not row.candidates) for row in rows]),
        zero_f1=_mean([float(row.overlap == 0) for row in rows]),
        recall=_mean([row.recall for row in rows]),
        # Where no chain was found, precision (0/0) is 1.
        precision=_mean(
            [p for row in rows if (p := row.precision) is not None] or [1.0] * bool(rows)
        ),
        micro=MicroScore(recall=recall, precision=precision, f1=f1),
        by_mention_type={type: _by_mention_type(rows, type) for type in _mention_types(documents)},
        over_split=ChainSpread.of([len(row.split) for row in rows]),
        over_combined=ChainSpread.of([n for d in documents for n in _names_held(d, types)]),
        conll=typed_conll(documents, types) if rows else None,
    )


def _mean(values: Sequence[float]) -> float | None:
    return fsum(values) / len(values) if values else None


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _mention_types(documents: Sequence[DocumentRows]) -> list[MentionType]:
    """Return the types of mentions; zeros only if a chain has any."""
    zeros = (row.by_type.get(MentionType.ZERO) for document in documents for row in document.rows)
    return known_types(zeros=any(f1 is not None for f1 in zeros))


def _by_mention_type(rows: Sequence[ChainRow], type: MentionType) -> MentionTypeScore:
    values = [value for row in rows if (value := row.by_type.get(type)) is not None]
    return MentionTypeScore(f1=_mean(values), chains=len(values))


def _names_held(document: DocumentRows, types: Sequence[str]) -> list[int]:
    """Return of how many key chains each response chain with names of these types has a name."""
    return [
        len(document.held(number))
        for number, found in enumerate(document.response_types)
        if found & set(types)
    ]


def typed_conll(documents: Sequence[DocumentRows], types: Sequence[str]) -> float:
    """Return the CoNLL score of the chains with a name of these types (Table 3, "Coref F1")."""
    key = side_of([_first_copies(_key_chains(d, types)) for d in documents])
    response = side_of([_first_copies(_response_chains(d, types)) for d in documents])
    overlap = count_overlap(len(documents), key, response)
    scores = [metric.score_overlap(overlap).f1 for metric in CONLL.metrics]
    return ratio(fsum(scores), len(scores))


def _key_chains(document: DocumentRows, types: Sequence[str]) -> list[NumberedEntity]:
    numbers = dict.fromkeys(r.chain.number for r in document.rows if r.chain.type in types)
    return [document.key.mentions[number] for number in numbers]


def _response_chains(document: DocumentRows, types: Sequence[str]) -> list[NumberedEntity]:
    pairs = zip(document.response.mentions, document.response_types, strict=True)
    return [chain for chain, found in pairs if found & set(types)]


def _first_copies(chains: Sequence[NumberedEntity]) -> list[NumberedEntity]:
    """Keep each mention only in the first chain that has it."""
    seen: set[int] = set()
    unique = []
    for chain in chains:
        left = [mention for mention in chain if mention not in seen]
        seen.update(left)
        unique += [left] if left else []
    return unique
