"""Hand-computed cases for the reference implementation of the statistics."""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from brute_force import Ratios
from statistics_reference import (
    Unit,
    bootstrap,
    bootstrap_differences,
    exact_randomization,
    holm,
    statistic,
    swap_differences,
)


def unit(recalled: int, key: int, correct: int, response: int) -> Unit:
    return (Ratios(F(recalled), F(key), F(correct), F(response)),)


def of_ten(*found: int) -> list[Unit]:
    """Units with so many of 10 found in the key, and so many of 10 right in the response."""
    return [unit(each, 10, each, 10) for each in found]


ONE, OTHER = of_ten(8, 7, 9, 5), of_ten(6, 6, 4, 6)


def test_statistic_of_summed_counts() -> None:
    """The mean of the F1 of the two units would be (1 + 1/4) / 2."""
    assert statistic([unit(1, 1, 1, 1), unit(2, 8, 2, 8)]) == F(1, 3)

    assert statistic([unit(0, 0, 0, 0)]) == statistic([unit(0, 3, 0, 0)]) == 0


def test_average_of_metrics() -> None:
    """F1 of 1/2, 1 and 1/5 from the summed counts, not (2 + 2 + 1) of (4 + 2 + 5)."""
    first = unit(1, 2, 1, 2) + unit(1, 1, 1, 1) + unit(0, 1, 0, 1)
    second = unit(1, 2, 1, 2) + unit(1, 1, 1, 1) + unit(1, 4, 1, 4)
    assert statistic([first, second]) == (F(1, 2) + 1 + F(1, 5)) / 3


def test_swaps_of_four_units() -> None:
    """All denominators are 40, so the difference is (2 + 1 + 5 - 1) / 40, swaps turning signs.

    swapped    sum of differences         at least 7
    -          +2 +1 +5 -1 =  7           yes
    4          +2 +1 +5 +1 =  9           yes
    3          +2 +1 -5 -1 = -3
    3 4        +2 +1 -5 +1 = -1
    2          +2 -1 +5 -1 =  5
    2 4        +2 -1 +5 +1 =  7           yes
    2 3        +2 -1 -5 -1 = -5
    2 3 4      +2 -1 -5 +1 = -3
    1          -2 +1 +5 -1 =  3
    1 4        -2 +1 +5 +1 =  5
    1 3        -2 +1 -5 -1 = -7           yes
    1 3 4      -2 +1 -5 +1 = -5
    1 2        -2 -1 +5 -1 =  1
    1 2 4      -2 -1 +5 +1 =  3
    1 2 3      -2 -1 -5 -1 = -9           yes
    1 2 3 4    -2 -1 -5 +1 = -7           yes

    Six of sixteen, the first among them: p = 3/8.
    """
    sums = [7, 9, -3, -1, 5, 7, -5, -3, 3, 5, -7, -5, 1, 3, -9, -7]
    assert swap_differences(ONE, OTHER) == [F(each, 40) for each in sums]
    assert exact_randomization(ONE, OTHER) == F(3, 8)


def test_bootstrap() -> None:
    draws = [(0, 1, 2, 3), (0, 0, 0, 3), (2, 2, 2, 2)]
    assert bootstrap(ONE, draws) == [F(29, 40), F(29, 40), F(9, 10)]

    # A large unit weighs by its counts: 2 * (1 + 1 + 50) / (2 * (1 + 1 + 100)), then alone.
    units = [unit(1, 1, 1, 1), unit(50, 100, 50, 100)]
    assert bootstrap(units, [(0, 0, 1), (1, 1)]) == [F(26, 51), F(1, 2)]


def test_bootstrap_differences() -> None:
    draws = [(0, 1, 2, 3), (3, 3, 3, 3), (2, 2, 0, 0)]
    assert bootstrap_differences(ONE, OTHER, draws) == [F(7, 40), F(-1, 10), F(14, 40)]


@pytest.mark.parametrize(
    ("p_values", "adjusted"),
    [
        # .005 * 4 = .02, .01 * 3 = .03, .03 * 2 = .06, .04 * 1 = .04, which .06 overrules.
        (["1/100", "4/100", "3/100", "5/1000"], ["3/100", "6/100", "6/100", "2/100"]),
        (["1/2", "3/5"], ["1", "1"]),
        (["1/50", "1/50", "1/50"], ["3/50", "3/50", "3/50"]),
        ([], []),
    ],
)
def test_holm(p_values: list[str], adjusted: list[str]) -> None:
    assert holm([F(each) for each in p_values]) == [F(each) for each in adjusted]
