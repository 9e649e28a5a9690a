"""Figures by entity type: NEC F1, entities not found, and the other figures of the paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import fsum

from msgspec import Struct

from corefscope.language import MentionType, known_types
from corefscope.matching.overlap import count_overlap, side_of
from corefscope.matching.pairs import NumberedEntity
from corefscope.metrics import CONLL
from corefscope.metrics.counts import harmonic_mean, ratio
from corefscope.named_entities.options import NecOptions
from corefscope.named_entities.rows import ChainRow, DocumentRows

ALL = "ALL"
"""The name of the figures of all types together."""


class ChainSpread(Struct, frozen=True, kw_only=True):
    """How many chains are over-split (or over-combined), and by how much."""

    chains: int
    rate: float | None
    """The share of all chains of the type."""
    excess: int
    """The number of chains (or names) beyond the first of each."""
    of_chains: int
    """The number of all chains of the type."""

    @classmethod
    def of(cls, counts: Sequence[int], chains: int) -> ChainSpread:
        """Return the spread of chains with these counts."""
        many = [count for count in counts if count > 1]
        rate = len(many) / chains if chains else None
        return cls(chains=len(many), rate=rate, excess=sum(many) - len(many), of_chains=chains)


class TypeScore(Struct, frozen=True, kw_only=True):
    """The figures of one entity type, or of all types; None if there is nothing to measure."""

    chains: int
    f1: float | None
    not_found: float | None
    zero_f1: float | None
    recall: float | None
    precision: float | None
    micro: Mapping[str, float | None]
    """Recall, precision and F1 of summed counts."""
    by_mention_type: Mapping[MentionType, tuple[float | None, int]]
    """F1 of mentions of each type, and the number of chains that have such mentions."""
    over_split: ChainSpread
    over_combined: ChainSpread
    conll: float | None
    """The CoNLL score of the key and response chains with a name of the type."""


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
    of_documents = [[row for row in d.rows if row.chain.type in types] for d in documents]
    rows = [row for found in of_documents for row in found]
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
        micro={"recall": recall, "precision": precision, "f1": f1},
        by_mention_type={type: _by_mention_type(rows, type) for type in _mention_types(documents)},
        over_split=_sum(_split(found) for found in of_documents),
        over_combined=_sum(_combined(d, types) for d in documents),
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


def _by_mention_type(rows: Sequence[ChainRow], type: MentionType) -> tuple[float | None, int]:
    values = [value for row in rows if (value := row.by_type.get(type)) is not None]
    return _mean(values), len(values)


def _split(rows: Sequence[ChainRow]) -> ChainSpread:
    """Count the key chains of a document whose name is in several response chains."""
    return ChainSpread.of([len(row.split) for row in rows], len(rows))


def _combined(document: DocumentRows, types: Sequence[str]) -> ChainSpread:
    """Count the response chains with names of these types that have names of several key chains."""
    counts = [
        len(document.held(number))
        for number, found in enumerate(document.response_types)
        if found & set(types)
    ]
    return ChainSpread.of(counts, len(counts))


def _sum(documents: Iterable[ChainSpread]) -> ChainSpread:
    """Sum over documents; the rate is that of all chains."""
    each = list(documents)
    chains, total = sum(one.chains for one in each), sum(one.of_chains for one in each)
    return ChainSpread(
        chains=chains,
        rate=chains / total if total else None,
        excess=sum(one.excess for one in each),
        of_chains=total,
    )


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
