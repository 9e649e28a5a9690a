"""Figures by entity type: NEC F1, entities not found, and the other figures of the paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum

from corefscope.language import MentionType
from corefscope.matching.overlap import count_overlap, side_of
from corefscope.matching.pairs import NumberedEntity
from corefscope.metrics import CONLL
from corefscope.metrics.counts import harmonic_mean, ratio
from corefscope.named_entities.options import NecOptions
from corefscope.named_entities.rows import ChainRow, DocumentRows
from corefscope.records import dataclass

ALL = "ALL"
"""The name of the figures of all types together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainSpread:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeScore:
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
        **{type: _score(documents, [type], options) for type in types},
        ALL: _score(documents, types, options),
    }


def macro_f1(scores: Mapping[str, TypeScore]) -> float | None:
    """Return the mean F1 over the types that occur in the key."""
    known = [score.f1 for type, score in scores.items() if type != ALL and score.f1 is not None]
    return fsum(known) / len(known) if known else None


def _score(
    documents: Sequence[DocumentRows], types: Sequence[str], options: NecOptions
) -> TypeScore:
    of_documents = [[row for row in d.rows if row.chain.type in types] for d in documents]
    rows = [row for found in of_documents for row in found]
    groups = [rows] if options.documents == "pooled" else [found for found in of_documents if found]
    figures = [_figures(group, options) for group in groups if group]

    def mean(name: str) -> float | None:
        return fsum(figure[name] for figure in figures) / len(figures) if figures else None

    micro = {name: mean(f"micro_{name}") for name in ("recall", "precision", "f1")}
    return TypeScore(
        chains=len(rows),
        f1=micro["f1"] if options.aggregate == "micro" else mean("f1"),
        not_found=mean("zero_f1") if options.not_found == "zero" else mean("not_found"),
        zero_f1=mean("zero_f1"),
        recall=mean("recall"),
        precision=mean("precision"),
        micro=micro,
        by_mention_type={
            type: _by_mention_type(groups, type) for type in _mention_types(documents)
        },
        over_split=_spread([_split(found) for found in of_documents], of_documents, options),
        over_combined=_spread([_combined(d, types) for d in documents], of_documents, options),
        conll=typed_conll(documents, types) if rows else None,
    )


def _figures(rows: Sequence[ChainRow], options: NecOptions) -> dict[str, float]:
    """Return the figures of one or more chains."""
    count = len(rows)
    found = [row for row in rows if row.is_found]
    overlap = sum(row.overlap for row in found)
    recall = overlap / sum(row.size for row in rows)
    precision = overlap / sum(row.best_size for row in found) if found else 1.0
    return {
        "f1": fsum(row.f1 for row in rows) / count,
        "not_found": sum(not row.candidates for row in rows) / count,
        "zero_f1": sum(row.overlap == 0 for row in rows) / count,
        "recall": fsum(row.recall for row in rows) / count,
        "precision": _mean_precision(rows, options),
        "micro_recall": recall,
        "micro_precision": precision,
        "micro_f1": harmonic_mean(recall, precision),
    }


def _mean_precision(rows: Sequence[ChainRow], options: NecOptions) -> float:
    """Return the mean precision over chains, by default only those found; 1 if none (A10)."""
    otherwise = {"found": None, "one": 1.0, "zero": 0.0}[options.precision]
    values = [otherwise if row.precision is None else row.precision for row in rows]
    known = [value for value in values if value is not None]
    return fsum(known) / len(known) if known else 1.0


def _mention_types(documents: Sequence[DocumentRows]) -> list[MentionType]:
    """Return the types of mentions; zeros only if a chain has any."""
    zeros = (row.by_type.get(MentionType.ZERO) for document in documents for row in document.rows)
    has_zeros = any(f1 is not None for f1 in zeros)
    return [type for type in MentionType if has_zeros or type is not MentionType.ZERO]


def _by_mention_type(
    groups: Sequence[Sequence[ChainRow]], type: MentionType
) -> tuple[float | None, int]:
    values = [[v for row in group if (v := row.by_type.get(type)) is not None] for group in groups]
    means = [fsum(group) / len(group) for group in values if group]
    return (fsum(means) / len(means) if means else None), sum(map(len, values))


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


def _spread(
    documents: Sequence[ChainSpread], rows: Sequence[Sequence[ChainRow]], options: NecOptions
) -> ChainSpread:
    """Sum over documents; the rate is that of all chains, or the mean over documents (A14)."""
    chains = sum(spread.chains for spread in documents)
    excess = sum(spread.excess for spread in documents)
    if options.documents == "mean":
        with_rows = [spread for spread, found in zip(documents, rows, strict=True) if found]
        rates = [spread.rate for spread in with_rows if spread.rate is not None]
        return ChainSpread(
            chains=chains,
            rate=fsum(rates) / len(rates) if rates else None,
            excess=excess,
            of_chains=len(rates),
        )
    total = sum(spread.of_chains for spread in documents)
    return ChainSpread(
        chains=chains, rate=chains / total if total else None, excess=excess, of_chains=total
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
