"""The terms of each metric, computed from the entities by its definition."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import comb

from msgspec import Struct

from corefscope.explanation.terms import Sum, Term, number_text
from corefscope.explanation.view import DocumentView, NamedEntity
from corefscope.formatting import PERCENT
from corefscope.metrics import Score
from corefscope.metrics.ceaf import align_by_entities, align_by_mentions

Working = tuple[list[Sum], list[str]]
Homes = dict[int, NamedEntity]

FEW_MENTIONS = 12
"""Up to this number of mentions on each side, all links are printed."""


def _f1(score: Score) -> str:
    recall, precision, f1 = map(PERCENT.shown, (score.recall, score.precision, score.f1))
    if score.f1 == 0:
        return f"F1 = {f1}"
    return f"F1 = 2 · {recall} · {precision} / ({recall} + {precision}) = {f1}"


class _Ratio(Struct, frozen=True, kw_only=True):
    """A metric whose precision is its recall with key and response swapped."""

    terms: Callable[[DocumentView, NamedEntity, Homes], Iterator[Term]]
    """Yields the terms of an entity, given the entity of each mention on the other side."""
    formula: str
    """With ``{own}`` and ``{other}`` for the letters of the two sides, K and R."""
    denominator: Callable[[Sequence[NamedEntity]], int]
    below: str
    """What the denominator counts, with ``{side}`` for key or response."""

    def __call__(self, view: DocumentView, score: Score) -> Working:
        sums = []
        for title, entities, homes, own in _sides(view):
            terms = [term for entity in entities for term in self.terms(view, entity, homes)]
            other, side = ("R", "key") if own == "K" else ("K", "response")
            sums.append(
                Sum(
                    title=title,
                    formula=self.formula.format(own=own, other=other),
                    terms=terms,
                    denominator=self.denominator(entities),
                    below=self.below.format(side=side),
                )
            )
        return sums, [_f1(score)]


def _sides(view: DocumentView) -> Iterator[tuple[str, Sequence[NamedEntity], Homes, str]]:
    """Yield for recall and precision: title, entities, the other side's homes, and a letter."""
    yield "Recall", view.key, view.response_of, "K"
    yield "Precision", view.response, view.key_of, "R"


def _size(entities: Sequence[NamedEntity]) -> int:
    return sum(map(len, entities))


def _mention_terms(view: DocumentView, entity: NamedEntity, homes: Homes) -> Iterator[Term]:
    lost = [m for m in entity.mentions if m not in homes]
    found = len(entity) - len(lost)
    besides = f"; not {view.braces(lost)}" if lost else ""
    working = f"{found} of {len(entity)}{besides}"
    yield Term(name=entity.name, working=working, value=Fraction(found), lost=Fraction(len(lost)))


def _muc_terms(view: DocumentView, entity: NamedEntity, homes: Homes) -> Iterator[Term]:
    parts = view.parts(entity, homes)
    links, lost = Fraction(len(entity) - len(parts)), Fraction(len(parts) - 1)
    shown = " ".join(
        f"{view.braces(mentions, 3)}{' ' + home.name if home else ''}"
        for home, mentions in parts[:8]
    )
    more = f" … {len(parts)} parts" if len(parts) > 8 else ""
    working = f"{len(entity)} − {len(parts)} = {links}   parts: {shown}{more}"
    yield Term(name=entity.name, working=working, value=links, lost=lost)


def _b3_terms(view: DocumentView, entity: NamedEntity, homes: Homes) -> Iterator[Term]:
    for home, mentions in view.parts(entity, homes):
        if home is not None:
            value = Fraction(len(mentions) ** 2, len(entity))
            working = f"{len(mentions)}² / {len(entity)} = {number_text(value)}"
            name = f"{entity.name} ∩ {home.name}"
            yield Term(name=name, working=working, value=value, lost=len(mentions) - value)


def _lea_terms(view: DocumentView, entity: NamedEntity, homes: Homes) -> Iterator[Term]:
    parts = [(home, len(mentions)) for home, mentions in view.parts(entity, homes) if home]
    if len(entity) == 1:
        resolved, links = sum(len(home) == 1 for home, _ in parts), 1
    else:
        resolved, links = sum(comb(n, 2) for _, n in parts), comb(len(entity), 2)
    value = Fraction(len(entity) * resolved, links)
    working = f"{len(entity)} · {resolved}/{links} = {number_text(value)}"
    yield Term(name=entity.name, working=working, value=value, lost=len(entity) - value)


def _aligned(view: DocumentView, by_entities: bool) -> tuple[list[Term], list[str]]:
    """Return one term per pair of the best alignment, and the entities that stay unaligned."""
    overlap = view.overlap
    cells = (align_by_entities if by_entities else align_by_mentions)(overlap)
    terms, left = [], {e.name for e in (*view.key, *view.response)}
    for cell in cells.tolist():
        key, response = view.key[overlap.key[cell]], view.response[overlap.response[cell]]
        n, total = int(overlap.n[cell]), len(key) + len(response)
        value = Fraction(2 * n, total) if by_entities else Fraction(n)
        similarity = f"2 · {n} / ({len(key)} + {len(response)}) = {number_text(value)}"
        lost = 1 - value if by_entities else Fraction(len(key) - n)
        working = similarity if by_entities else f"{n}"
        terms.append(
            Term(name=f"{key.name} – {response.name}", working=working, value=value, lost=lost)
        )
        left -= {key.name, response.name}
    return terms, [e.name for e in (*view.key, *view.response) if e.name in left]


def _ceaf(view: DocumentView, score: Score, by_entities: bool) -> Working:
    terms, unaligned = _aligned(view, by_entities)
    what = "entities" if by_entities else "mentions"
    sums = []
    for title, entities, _, letter in _sides(view):
        if by_entities:
            formula, below = f"Σ φ₄(K, R) / N{letter.lower()}", len(entities)
        else:
            formula, below = f"Σ |K ∩ R| / Σ |{letter}|", _size(entities)
        sums.append(
            Sum(
                title=title,
                formula=f"{formula}, over the best alignment",
                terms=terms,
                denominator=below,
                below=what,
            )
        )
    if unaligned:
        shown = ", ".join(unaligned[:12]) + (
            f" … {len(unaligned)} in all" if len(unaligned) > 12 else ""
        )
        return sums, [f"Unaligned: {shown}", _f1(score)]
    return sums, [_f1(score)]


def _blanc(view: DocumentView, score: Score) -> Working:
    sums, lines = [], []
    for name, letter in (("coreference", "C"), ("non_coreference", "N")):
        kind = score.parts[name]
        common = int(kind.recall_counts[0])
        terms = _common_links(view, letter, common)
        for title, side, counts in (
            ("R", "k", kind.recall_counts),
            ("P", "r", kind.precision_counts),
        ):
            formula = (
                f"|{letter}k ∩ {letter}r| / |{letter}{side}|, where {_links(view, letter, side)}"
            )
            below = f"{name.replace('_', '-')} links"
            sums.append(
                Sum(
                    title=f"{title}{letter.lower()}",
                    formula=formula,
                    terms=terms,
                    denominator=int(counts[1]),
                    below=below,
                )
            )
        lines.append(_f1(kind).replace("F1", f"F{letter.lower()}", 1))
    return sums, [*lines, *_mean(score)]


def _common_links(view: DocumentView, letter: str, common: int) -> list[Term]:
    """Return terms for the links that both sides have: all links, or their number by entities."""
    written = _written_links(view, letter, "both")
    if written:
        return [Term(name=f"{letter}k ∩ {letter}r", working=written, value=Fraction(common))]
    overlap = view.overlap
    if letter == "C":
        cells = zip(
            overlap.key.tolist(), overlap.response.tolist(), overlap.n.tolist(), strict=True
        )
        return [
            _pairs_term(f"{view.key[k].name} ∩ {view.response[r].name}", n)
            for k, r, n in cells
            if n > 1
        ]
    within_key = sum(comb(n, 2) for n in overlap.key_common.tolist())
    within_response = sum(comb(n, 2) for n in overlap.transposed.key_common.tolist())
    within_both = sum(comb(n, 2) for n in overlap.n.tolist())
    return [
        _pairs_term("common mentions", int(overlap.n.sum())),
        Term(name="in one K", working=f"− {within_key}", value=Fraction(-within_key)),
        Term(name="in one R", working=f"− {within_response}", value=Fraction(-within_response)),
        Term(name="in one of each", working=f"+ {within_both}", value=Fraction(within_both)),
    ]


def _pairs_term(name: str, n: int) -> Term:
    links = comb(n, 2)
    return Term(name=name, working=f"{n} · {n - 1} / 2 = {links}", value=Fraction(links))


def _mean(score: Score) -> list[str]:
    c, n = score.parts["coreference"], score.parts["non_coreference"]
    blanc = PERCENT.shown(score.f1)
    if not c.recall_counts[1] and not n.recall_counts[1]:
        return [f"The key has no links: BLANC = {blanc}"]
    # Some profiles include a kind of link in the mean if only the response has it.
    if not c.recall_counts[1] and score.f1 == n.f1:
        return [f"The key has no coreference links: BLANC = Fn = {blanc}"]
    if not n.recall_counts[1] and score.f1 == c.f1:
        return [f"The key has no non-coreference links: BLANC = Fc = {blanc}"]
    return [
        _mean_of("Recall", "R", c.recall, n.recall, score.recall),
        _mean_of("Precision", "P", c.precision, n.precision, score.precision),
        _mean_of("BLANC", "F", c.f1, n.f1, score.f1),
    ]


def _mean_of(name: str, letter: str, *figures: float) -> str:
    """Return the line for the mean of the figures of both kinds of links."""
    one, other, mean = map(PERCENT.shown, figures)
    return f"{name} = ({letter}c + {letter}n) / 2 = ({one} + {other}) / 2 = {mean}"


def _links(view: DocumentView, letter: str, side: str) -> str:
    """Return all links of a side as text, or how their number is computed."""
    written = _written_links(view, letter, side)
    if written:
        return f"{letter}{side} = {written}"
    entities = view.key if side == "k" else view.response
    mentions, coreferent = _size(entities), sum(comb(len(entity), 2) for entity in entities)
    if letter == "C":
        return f"|C{side}| = Σ |entity| (|entity| − 1) / 2 = {coreferent}"
    rest = comb(mentions, 2) - coreferent
    return f"|N{side}| = {mentions} · {mentions - 1} / 2 − {coreferent} = {rest}"


def _written_links(view: DocumentView, letter: str, side: str) -> str | None:
    """Return all links as text, in the order of the mentions; None if there are too many."""
    if max(len(view.key_of), len(view.response_of)) > FEW_MENTIONS:
        return None
    homes = {"k": [view.key_of], "r": [view.response_of], "both": [view.key_of, view.response_of]}
    links = [
        f"{view.text[one]}–{view.text[other]}"
        for one, other in combinations(sorted(view.text), 2)
        if all(_is_link(one, other, letter, home) for home in homes[side])
    ]
    return "{" + ", ".join(links) + "}"


def _is_link(one: int, other: int, letter: str, homes: Homes) -> bool:
    if one not in homes or other not in homes:
        return False
    return (homes[one] is homes[other]) == (letter == "C")


WORKINGS: Mapping[str, Callable[[DocumentView, Score], Working]] = {
    "mentions": _Ratio(
        terms=_mention_terms,
        formula="Σ common / Σ |{own}|",
        denominator=_size,
        below="mentions of the {side}",
    ),
    "muc": _Ratio(
        terms=_muc_terms,
        formula="Σ (|{own}| − |p({own})|) / Σ (|{own}| − 1)",
        denominator=lambda entities: _size(entities) - len(entities),
        below="links",
    ),
    "b3": _Ratio(
        terms=_b3_terms,
        formula="Σ |{own} ∩ {other}|² / |{own}|  /  Σ |{own}|",
        denominator=_size,
        below="mentions",
    ),
    "ceafm": partial(_ceaf, by_entities=False),
    "ceafe": partial(_ceaf, by_entities=True),
    "blanc": _blanc,
    "lea": _Ratio(
        terms=_lea_terms,
        formula="Σ |{own}| · resolved links / links  /  Σ |{own}|",
        denominator=_size,
        below="mentions",
    ),
}
