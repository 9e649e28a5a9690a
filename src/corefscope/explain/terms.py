"""Terms, sums of terms, and how they are written down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from corefscope.findings import Finding
from corefscope.metrics import Score

MOST_TERMS = 30
"""Terms that are written out; of more than that the largest are, and the rest is one line."""


@dataclass(frozen=True, slots=True)
class Term:
    """One summand: what it is for, how it comes about, and its value."""

    name: str
    working: str
    value: Fraction
    weight: int = 0
    """What it adds below the line: of terms worth the same, the heavier is shown first."""


@dataclass(frozen=True, slots=True)
class Sum:
    """Terms that add up to a numerator, over a denominator."""

    title: str
    formula: str
    terms: Sequence[Term]
    denominator: int
    below: str
    """What the denominator counts, in words."""

    @property
    def numerator(self) -> Fraction:
        """The terms together."""
        return sum((term.value for term in self.terms), Fraction(0))

    @property
    def value(self) -> Fraction:
        """The fraction; nothing out of nothing is 0."""
        return self.numerator / self.denominator if self.denominator else Fraction(0)


@dataclass(frozen=True, slots=True)
class Explanation:
    """The working of one metric of one document."""

    metric: str
    document: str
    key: Sequence[str]
    """The entities of the key, a line each."""
    response: Sequence[str]
    sums: Sequence[Sum]
    conclusion: Sequence[str]
    score: Score
    signature: str
    findings: Sequence[Finding] = ()

    def lines(self, most: int = MOST_TERMS) -> Iterator[str]:
        """Write it down, at most so many terms and entities of each kind."""
        yield f"{self.metric} of document {self.document}"
        yield ""
        yield from shortened(self.key, most)
        yield from shortened(self.response, most)
        for each in self.sums:
            yield ""
            yield from _written(each, most)
        yield ""
        yield from self.conclusion
        yield self.signature


def shortened(lines: Sequence[str], most: int) -> Iterator[str]:
    """Return the first lines, and how many there are besides."""
    yield from lines[:most]
    if len(lines) > most:
        yield f"… and {len(lines) - most} more"


def _written(total: Sum, most: int) -> Iterator[str]:
    yield f"{total.title} = {total.formula}"
    ordered = list(total.terms)
    if len(ordered) > most:
        largest = sorted(ordered, key=lambda term: (-term.value, -term.weight))[:most]
        kept = {id(term) for term in largest}
        ordered = [term for term in ordered if id(term) in kept]
    name_width = max((len(term.name) for term in ordered), default=0)
    for term in ordered:
        yield f"  {term.name.ljust(name_width)}  {term.working}"
    if len(ordered) < len(total.terms):
        rest = total.numerator - sum((term.value for term in ordered), Fraction(0))
        number = len(total.terms) - len(ordered)
        yield f"  … and {number} smaller terms, together {number_text(rest)}"
    if not total.terms:
        yield "  no terms"
    yield (
        f"  {number_text(total.numerator)} / {total.denominator} {total.below}"
        f" = {float(total.value):.4f}"
    )


def number_text(value: Fraction) -> str:
    """Return a whole number as it is, a small fraction as one, and any other as a decimal."""
    if value.denominator == 1:
        return str(value.numerator)
    if value.denominator <= 1000:
        return f"{value.numerator}/{value.denominator}"
    return f"{float(value):.4f}"
