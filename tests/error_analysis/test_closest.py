"""The closest two spans, against comparing each with each."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from corefscope.corpus.mentions import Span
from corefscope.error_analysis.spans import FEW, closest, distance

SPANS = st.sets(st.tuples(st.integers(0, 40), st.integers(40, 80)), min_size=FEW, max_size=2 * FEW)


@given(SPANS, st.integers(1, FEW - 1), st.randoms(use_true_random=False))
def test_closest_pair_equals_exhaustive_search(
    spans: set[Span], count: int, chance: Random
) -> None:
    mixed = sorted(spans)
    chance.shuffle(mixed)
    ordered = sorted(spans)
    ours, theirs = (list(map(ordered.index, part)) for part in (mixed[:count], mixed[count:]))
    expected = min((distance(ordered[a], ordered[b]), a, b) for a in ours for b in theirs)
    assert closest(ordered, ours, theirs) == expected[1:]
