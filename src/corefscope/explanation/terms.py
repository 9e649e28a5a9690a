"""Terms, sums of terms, and how they are printed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from corefscope.findings import Finding
from corefscope.formatting import PERCENT, Value
from corefscope.metrics import Score
from corefscope.results.rows import Row, Tabular

MOST_TERMS = 30
"""The maximum number of terms to print; of more terms, the largest are printed and summed up."""

ENTITY = re.compile(r"\b[KR]\d+\b")


class Term(Struct, frozen=True, kw_only=True):
    """One term of a sum: its name, how it is computed, and its value."""

    name: str
    working: str
    value: Fraction
    lost: Fraction = Fraction(0)
    """How much is missing from the best possible value; among equal terms, larger losses win."""


class Sum(Struct, frozen=True, kw_only=True):
    """Terms that add up to a numerator, over a denominator."""

    title: str
    formula: str
    terms: Sequence[Term]
    denominator: int
    below: str
    """What the denominator counts, in words."""

    @property
    def numerator(self) -> Fraction:
        """The sum of the terms."""
        return sum((term.value for term in self.terms), Fraction(0))

    @property
    def value(self) -> Fraction:
        """The fraction; 0/0 is defined as 0."""
        return self.numerator / self.denominator if self.denominator else Fraction(0)


class Explanation(Tabular, Struct, frozen=True, kw_only=True):
    """The explanation of one metric on one document."""

    metric: str
    document: str
    entities: Mapping[str, str]
    """The entities of key and response by name, with their mentions."""
    sums: Sequence[Sum]
    conclusion: Sequence[str]
    score: Score
    signature: str
    findings: Sequence[Finding] = ()
    unit: str = "document"
    """What is explained: a document, a topic or the corpus."""

    def _rows(self) -> list[Row]:
        """Return one row per term of each sum."""
        return [
            {
                "sum": each.title,
                "term": term.name,
                "working": term.working,
                "value": float(term.value),
            }
            for each in self.sums
            for term in each.terms
        ]

    def to_dict(self) -> dict[str, Value]:
        """Return recall, precision and F1 by name."""
        score = self.score
        return {"recall": score.recall, "precision": score.precision, "f1": score.f1}

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        f1 = PERCENT.shown(self.score.f1)
        return f"<Explanation of {self.metric} of {self._named}: F1 {f1}>"

    @property
    def _named(self) -> str:
        return f"{self.unit} {self.document}" if self.document else f"the {self.unit}"

    def lines(self, most: int = MOST_TERMS) -> Iterator[str]:
        """Yield the lines to print, with at most this number of terms of each sum."""
        yield f"{self.metric} of {self._named}"
        yield ""
        yield from self._entity_lines(most)
        for each in self.sums:
            yield ""
            yield from _written(each, most)
        yield ""
        yield from self.conclusion
        yield ""
        yield self.signature

    def _entity_lines(self, most: int) -> Iterator[str]:
        """List the entities; in a large document, only those that the printed terms name."""
        shown = list(self.entities)
        if len(shown) > 2 * most:
            terms = (term.name for each in self.sums for term in _largest(each.terms, most))
            named = set(ENTITY.findall(" ".join(terms)))
            shown = [name for name in shown if name in named]
        yield from (f"{name} = {self.entities[name]}" for name in shown)
        if len(shown) < len(self.entities):
            yield f"… and {len(self.entities) - len(shown)} other entities"


def _largest(terms: Sequence[Term], most: int) -> Sequence[Term]:
    """Return the largest terms, in their original order."""
    if len(terms) <= most:
        return terms
    order = sorted(range(len(terms)), key=lambda i: (-abs(terms[i].value), -terms[i].lost))
    return [terms[i] for i in sorted(order[:most])]


def _written(total: Sum, most: int) -> Iterator[str]:
    yield f"{total.title} = {total.formula}"
    ordered = _largest(total.terms, most)
    name_width = max((len(term.name) for term in ordered), default=0)
    for term in ordered:
        yield f"  {term.name.ljust(name_width)}  {term.working}"
    if len(ordered) < len(total.terms):
        rest = total.numerator - sum((term.value for term in ordered), Fraction(0))
        number = len(total.terms) - len(ordered)
        yield f"  … and {number} others, together {number_text(rest)}"
    if not total.terms:
        yield "  no terms"
    yield (
        f"  {number_text(total.numerator)} / {total.denominator} {total.below}"
        f" = {PERCENT.shown(float(total.value))} %"
    )


def number_text(value: Fraction) -> str:
    """Return a number as text: whole, as a fraction with a small denominator, or as a decimal."""
    if value.denominator == 1:
        return str(value.numerator)
    if value.denominator <= 1000:
        return f"{value.numerator}/{value.denominator}"
    return f"{float(value):.4f}"
