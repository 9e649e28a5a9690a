"""The slow statistics give what can be worked out by hand."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product

import pytest

from brute_force import Ratios
from statistics_twin import (
    Unit,
    bootstrap,
    bootstrap_differences,
    difference,
    exact_randomization,
    holm,
    ranks,
    statistic,
    superscripts,
    swap_differences,
    wrong_bootstrap,
)


def unit(recalled: int, key: int, correct: int, response: int) -> Unit:
    return (Ratios(F(recalled), F(key), F(correct), F(response)),)


def of_ten(*found: int) -> list[Unit]:
    """Units with so many of 10 found in the key, and so many of 10 right in the response."""
    return [unit(each, 10, each, 10) for each in found]


ONE, OTHER = of_ten(8, 7, 9, 5), of_ten(6, 6, 4, 6)


def test_statistic_is_of_the_summed_counts() -> None:
    """The mean of the F1 of the two units would be (1 + 1/4) / 2."""
    assert statistic([unit(1, 1, 1, 1), unit(2, 8, 2, 8)]) == F(1, 3)


def test_statistic_is_the_harmonic_mean_of_recall_and_precision() -> None:
    assert statistic([unit(1, 2, 3, 4)]) == 2 * F(1, 2) * F(3, 4) / (F(1, 2) + F(3, 4))


def test_nothing_found_is_0() -> None:
    assert statistic([unit(0, 0, 0, 0)]) == statistic([unit(0, 3, 0, 0)]) == 0


def test_average_is_of_the_f1_of_each_metric() -> None:
    """F1 of 1/2, 1 and 1/5 from the summed counts, not (2 + 2 + 1) of (4 + 2 + 5)."""
    first = unit(1, 2, 1, 2) + unit(1, 1, 1, 1) + unit(0, 1, 0, 1)
    second = unit(1, 2, 1, 2) + unit(1, 1, 1, 1) + unit(1, 4, 1, 4)
    assert statistic([first, second]) == (F(1, 2) + 1 + F(1, 5)) / 3


def test_all_sixteen_swaps_of_four_units() -> None:
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


def test_all_swaps_where_precisions_have_denominators_of_their_own() -> None:
    """With as much recalled as correct, F1 is twice that over both denominators.

    swapped    one                     other                   difference
    -          2*3 / (6 + 6) = 1/2     2*1 / (6 + 5) = 2/11     7/22
    2          2*2 / (6 + 3) = 4/9     2*2 / (6 + 8) = 2/7     10/63
    1          2*2 / (6 + 8) = 2/7     2*2 / (6 + 3) = 4/9    -10/63
    1 2        2*1 / (6 + 5) = 2/11    2*3 / (6 + 6) = 1/2     -7/22
    """
    one, other = [unit(2, 4, 2, 2), unit(1, 2, 1, 4)], [unit(1, 4, 1, 4), unit(0, 2, 0, 1)]
    assert swap_differences(one, other) == [F(7, 22), F(10, 63), F(-10, 63), F(-7, 22)]
    assert exact_randomization(one, other) == F(1, 2)


def test_all_swaps_of_an_average_of_three() -> None:
    """The third metric of the second unit goes the other way.

    swapped    F1 of one           F1 of other         difference of means
    -          3/4  3/4  1/2       1/4  1/4  1/2       (1/2 + 1/2 + 0) / 3 = 1/3
    2          1/2  1/2  1         1/2  1/2  0         (0 + 0 + 1) / 3     = 1/3
    1          1/2  1/2  0         1/2  1/2  1                              -1/3
    1 2        1/4  1/4  1/2       3/4  3/4  1/2                            -1/3
    """
    most, least, all_, none = unit(2, 2, 2, 2), unit(0, 2, 0, 2), unit(2, 2, 2, 2), unit(0, 2, 0, 2)
    half = unit(1, 2, 1, 2)
    one, other = [most + most + all_, half + half + none], [half + half + none, least * 2 + all_]
    assert swap_differences(one, other) == [F(1, 3), F(1, 3), F(-1, 3), F(-1, 3)]
    assert exact_randomization(one, other) == 1


def test_equal_systems_never_differ() -> None:
    assert exact_randomization(ONE, ONE) == 1


def test_systems_that_differ_the_same_way_everywhere() -> None:
    """Only swapping nothing and swapping everything are as far apart."""
    assert exact_randomization(of_ten(9, 9, 9, 9, 9), of_ten(8, 8, 8, 8, 8)) == F(2, 32)


def test_p_does_not_depend_on_which_system_is_first() -> None:
    assert exact_randomization(ONE, OTHER) == exact_randomization(OTHER, ONE)


def test_units_drawn_twice_count_twice() -> None:
    draws = [(0, 1, 2, 3), (0, 0, 0, 3), (2, 2, 2, 2)]
    assert bootstrap(ONE, draws) == [F(29, 40), F(29, 40), F(9, 10)]
    assert wrong_bootstrap(ONE, draws) == [F(29, 40), F(13, 20), F(9, 10)]


def test_resamples_recompute_the_f1() -> None:
    """A large unit weighs by its counts: 2 * (1 + 1 + 50) / (2 * (1 + 1 + 100)), then alone."""
    units = [unit(1, 1, 1, 1), unit(50, 100, 50, 100)]
    assert bootstrap(units, [(0, 0, 1), (1, 1)]) == [F(26, 51), F(1, 2)]


def test_differences_are_of_the_same_draw() -> None:
    draws = [(0, 1, 2, 3), (3, 3, 3, 3), (2, 2, 0, 0)]
    assert bootstrap_differences(ONE, OTHER, draws) == [F(7, 40), F(-1, 10), F(14, 40)]
    assert bootstrap_differences(ONE, OTHER, draws[:1]) == [difference(ONE, OTHER)]


def test_dropping_duplicates_spoils_the_variance() -> None:
    """Over all 256 draws, the mean of four has a fourth of the variance 7/320 of the units."""
    draws = list(product(range(4), repeat=4))
    assert variance(bootstrap(ONE, draws)) == F(7, 320) / 4
    assert variance(wrong_bootstrap(ONE, draws)) < F(7, 320) / 5


def variance(values: list[F]) -> F:
    mean = sum(values, F(0)) / len(values)
    return sum(((value - mean) ** 2 for value in values), F(0)) / len(values)


@pytest.mark.parametrize(
    ("p_values", "adjusted"),
    [
        # .005 * 4 = .02, .01 * 3 = .03, .03 * 2 = .06, .04 * 1 = .04, which .06 overrules.
        (["1/100", "4/100", "3/100", "5/1000"], ["3/100", "6/100", "6/100", "2/100"]),
        (["1/2", "3/5"], ["1", "1"]),
        (["1/50", "1/50", "1/50"], ["3/50", "3/50", "3/50"]),
        (["1/20"], ["1/20"]),
        ([], []),
    ],
)
def test_holm_steps_down(p_values: list[str], adjusted: list[str]) -> None:
    assert holm([F(each) for each in p_values]) == [F(each) for each in adjusted]


SCORES = {"first": F(8, 10), "second": F(7, 10), "third": F(6, 10), "fourth": F(7, 10)}


def significant(*named: str) -> set[frozenset[str]]:
    return {frozenset(each.split()) for each in named}


def test_ranks_count_the_significantly_better() -> None:
    """The second is no different from its neighbours, though these differ from each other."""
    assert ranks(SCORES, significant("first third", "fourth third")) == {
        "first": 1,
        "second": 1,
        "third": 3,
        "fourth": 1,
    }


def test_nobody_is_better_without_significance() -> None:
    assert set(ranks(SCORES, set()).values()) == {1}
    assert set(superscripts(SCORES, set()).values()) == {""}


def test_superscripts_are_the_letters_of_the_beaten() -> None:
    """A difference between equal scores is in nobody's favour."""
    found = superscripts(
        SCORES, significant("first third", "first second", "fourth third", "second fourth")
    )
    assert found == {"first": "bc", "second": "", "third": "", "fourth": "c"}
