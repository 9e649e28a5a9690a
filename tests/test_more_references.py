"""Figures of papers and hand-computed cases for the reference implementations of further metrics.

References such as L3 and M5 are sections of the specifications 4 (L) and 5 (M).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction as F

import pytest

from brute_force import METRICS, Ratios, Score
from more_references import (
    INDICES,
    REFERENCES,
    Index,
    Ordered,
    Outcomes,
    anchor,
    anchored,
    antecedent_score,
    corefud_blanc,
    corefud_exact,
    e2e,
    immediate,
    inferred,
    macro,
    no_singletons,
)

SCORES = METRICS | REFERENCES

E1 = ("abc defg", "ab cd fghi")
E2 = ("abc de f", "ab cde f")
E4_KEY = "12345 67 89ABC"
E4 = {
    "a": (E4_KEY, "12345 6789ABC"),
    "b": (E4_KEY, "1234589ABC 67"),
    "c": (E4_KEY, "123456789ABC"),
    "d": (E4_KEY, "1 2 3 4 5 6 7 8 9 A B C"),
}


def corpus(*sides: tuple[str, str]) -> list[tuple[list[str], list[str]]]:
    """Each document is a key and a response such as `"ab c"`: a with b, and c."""
    return [(key.split(), response.split()) for key, response in sides]


def agree(found: Sequence[F | None], printed: str) -> None:
    """Figures such as `".444 1 .615"`, each to as many digits as it has."""
    figures = printed.split()
    for value, figure in zip(found, figures, strict=True):
        digits = len(figure.partition(".")[2])
        assert value is not None
        assert float(value) == pytest.approx(float(figure), abs=0.5000001 * 10**-digits)


# Legacy variants

B3_VARIANTS = """
response b3        b3_0      b3_all    b3_rn     b3_rn_plain b3_sys    b3_v4
abd      .444/.444 .444/1    .556/.556 .556/.556 .444/.444   .556/.667 .667/.667
abde     .444/.250 .444/1    .556/.375 .556/.375 .444/.250   .556/.500 .733/.500
abd+c    .556/.583 .556/1    .556/.667 .556/.667 .556/.583   .556/.667 .667/.667
abd+e    .444/.333 .444/1    .556/.667 .556/.556 .444/.444   .556/.667 .667/.667
ab       .444/1    .444/1    .556/1    .556/1    .444/1      .556/1    .556/1
ab+d+e+f .444/.400 .444/1    .556/1    .556/1    .444/1      .556/1    .556/1
abd+i+j  .444/.267 .444/1    .556/.733 .556/.556 .444/.444   .556/.667 .667/.667
abd+ij   .444/.267 .444/1    .556/.533 .556/.533 .444/.267   .556/.611 .778/.611
de       0/0       0/0       .333/.500 .333/.500 0/0         .333/.800 .600/.800
+        0/0       0/0       .333/0    .333/0    0/0         .333/1    .333/1
""".strip().splitlines()


@pytest.mark.parametrize("row", B3_VARIANTS[1:])
def test_b3_variants(row: str) -> None:
    """Recall and precision of L1 and L3, key {a,b,c}; `+` separates entities."""
    response, *figures = row.split()
    for name, printed in zip(B3_VARIANTS[0].split()[1:], figures, strict=True):
        found = SCORES[name](corpus(("abc", response.replace("+", " "))))
        agree(found[:2], printed.replace("/", " "))


@pytest.mark.parametrize(
    ("metric", "printed"),
    [
        ("b3", ".417 .500 .455"),
        ("b3_0", ".417 .833 .556"),
        ("b3_sys", ".452 .611 .520"),
        ("b3_v4", ".574 .611 .592"),
        ("ceafm", ".571 .500 .533"),
        ("ceafm_sys", ".571 .444 .500"),
        ("ceafm_v4", ".444 .444 .444"),
        ("ceafe", ".650 .433 .520"),
        ("ceafe_sys", ".733 .400 .518"),
        ("ceafe_v4", ".400 .400 .400"),
    ],
)
def test_variants_of_pradhan_example(metric: str, printed: str) -> None:
    """L3."""
    agree(SCORES[metric](corpus(E1)), printed)


@pytest.mark.parametrize("metric", ["ceafm", "ceafe"])
def test_ceaf_rn(metric: str) -> None:
    """L2: deletes {x} but neither {c}, which is matched, nor the spurious d of {a,b,d}."""
    deleted, rest = corpus(("abc", "abd c x")), corpus(("abc", "abd c"))
    assert (
        REFERENCES[f"{metric}_rn"](deleted)
        == METRICS[metric](rest)
        == REFERENCES[f"{metric}_rn"](rest)
    )


def test_variants_of_two_documents() -> None:
    """{d} is spurious in the first document although the second has it."""
    found = REFERENCES["b3_rn"](corpus(("abc", "abc d"), ("de", "d e")))
    assert found == Score(F(4, 5), F(1), F(8, 9))


# Links, alignments, clustering indices


@pytest.mark.parametrize(
    ("metric", "sides", "printed"),
    [
        ("pairwise", E1, ".2222 .25 .2353"),
        ("pairwise", E2, ".5 .5 .5"),
        ("b3_macro", ("abc de fg h", "ab ce d fgh"), ".7639 .6458 .6999"),
        ("ceaf_phi1", E1, "0 0 0"),
        ("ceaf_phi2", E1, "1 .667 .8"),
    ],
)
def test_links_and_alignments(metric: str, sides: tuple[str, str], printed: str) -> None:
    """M3 and M5."""
    agree(SCORES[metric](corpus(sides)), printed)


@pytest.mark.parametrize(
    ("metric", "printed"),
    [
        ("ceaf_phi1", ".400 .400 0 0"),
        ("ceaf_phi2", ".800 .800 .500 .400"),
        ("ceafm", ".833 .583 .417 .250"),
        ("ceafe", ".733 .667 .294 .178"),
        ("muc", ".947 .947 .900 0"),
        ("b3", ".865 .737 .545 .400"),
    ],
)
def test_responses_of_luo(metric: str, printed: str) -> None:
    """M5."""
    agree([SCORES[metric](corpus(E4[response])).f1 for response in "abcd"], printed)


@pytest.mark.parametrize(
    ("sides", "indices", "homogeneity_completeness_v", "purities"),
    [
        (E2, ".7333 .3182 .6365", ".6853 .6853 .6853", ".833 .833"),
        (E4["a"], ".848 .690 .349", ".661 1 .796", ".833 1"),
        (E4["b"], ".621 .337 .578", ".438 1 .609", ".583 1"),
        (E4["c"], ".318 0 1.028", "0 1 0", ".417 1"),
        (E4["d"], ".682 0 1.457", "1 .414 .585", "1 .250"),
    ],
)
def test_clustering_indices(
    sides: tuple[str, str], indices: str, homogeneity_completeness_v: str, purities: str
) -> None:
    """M4: Rand, ARI and VI; homogeneity, completeness and V; purity and inverse purity."""
    found = {name: index(corpus(sides)) for name, index in INDICES.items()}
    agree([found[name].f1 for name in ("rand", "ari", "vi")], indices)
    v = found["v"]
    agree([v.precision, v.recall, v.f1], homogeneity_completeness_v)
    agree([found["purity"].precision, found["purity"].recall], purities)


@pytest.mark.parametrize(
    "sides", [("a", "a"), ("a b c", "a b c"), ("abc", "abc"), ("ab c", "ab c")]
)
def test_indices_of_identical_sides(sides: tuple[str, str]) -> None:
    """Also where there is nothing to divide by: no pair, or no uncertainty."""
    found = {name: index(corpus(sides)) for name, index in INDICES.items()}
    assert found["rand"] == found["ari"] == Index(None, None, F(1))
    assert found["purity"] == Index(F(1), F(1), F(1))
    agree(found["v"], "1.000000 1.000000 1.000000")
    agree([found["vi"].f1], "0.000000")
    assert found["vi"][:2] == (None, None)


def test_indices_without_common_mentions() -> None:
    for nothing in ([], corpus(("", "")), corpus(("ab", "cd"))):
        assert all(index(nothing).f1 == 0 for index in INDICES.values())


def test_indices_of_common_mentions() -> None:
    """Without d, g, h and i, the example is key {a,b,c} {e} and response {a,b} {c} {e}."""
    left, right = corpus(("abc ed", "ab cgh e i")), corpus(("abc e", "ab c e"))
    for index in INDICES.values():
        assert index(left) == index(right)


def test_indices_of_two_documents() -> None:
    """A perfect document of two mentions beside one of three, {a,b,c} for {a,b} {c}."""
    two = corpus(("ab", "ab"), ("abc", "ab c"))
    assert INDICES["rand"](two).f1 == F(1 + 1, 1 + 3)
    # Documents: pairs 1 and 3, key 1 and 3, response 1 and 1, both 1 and 1, expected 1 and 1.
    assert INDICES["ari"](two).f1 == F(0, 1)
    # Only the second response leaves anything open: (2/3 log 3/2 + 1/3 log 3) of 3 in 5 mentions.
    assert float(INDICES["vi"](two).f1) == pytest.approx(0.6 * 0.636514, abs=1e-6)
    assert INDICES["purity"](two) == Index(F(2 + 2, 5), F(1), F(8, 9))
    assert INDICES["v"](two) == Index(F(0), F(1), F(0))


# Profiles


def test_e2e_ceafe() -> None:
    """kentonl/e2e-coref#126: identical sides of sizes 5, 2, 5 and 1."""
    sizes = "abcde fg hijkl m"
    found = e2e(corpus((sizes, sizes)))
    assert found["ceafe"] == Score(F(3, 4), F(1), F(6, 7))
    assert found["b3"] == found["muc"] == found["lea"] == Score(F(1), F(1), F(1))
    assert found["conll"] == Score(F(11, 12), F(1), F(20, 21))


def test_e2e_b3() -> None:
    """Of {a,b,c} only a and b are credited, by 2/3 each; c is alone in the response."""
    found = e2e(corpus(("abc d", "ab c d")))["b3"]
    assert found == Score(F(4, 9), F(1), F(8, 13))


def test_no_singletons() -> None:
    """M8: key ab c d e f g, response all singletons."""
    found = no_singletons(corpus(("ab c d e f g", "a b c d e f g")))
    assert all(each == Score(F(0), F(0), F(0)) for each in found.values())


def test_macro() -> None:
    """MUC 1/2 and 1/3 against 1 and 1; the empty response counts 0 for both."""
    found = macro(corpus(("abc", "ab cd"), ("ab", "ab"), ("ab", "")))
    assert found["muc"] == Score(F(1, 2), F(1, 2), F(1, 2))
    assert found["mentions"].recall == F(2, 3)
    assert found["mentions"].precision == F(3, 4) / 3 + F(1, 3)


@pytest.mark.parametrize(
    ("sides", "f1"),
    [
        (("0 1 2 3", "01 23"), F(2, 5)),
        (("0123", "01 23"), F(1, 4)),
        (("01", "01 2 3"), F(1, 2)),
        (("0", "0"), F(0)),
        (("", ""), F(0)),
    ],
)
def test_corefud_blanc(sides: tuple[str, str], f1: F) -> None:
    """Specification 1, D.2."""
    assert corefud_blanc(corpus(sides)).f1 == f1


def test_corefud_exact() -> None:
    """D.2, last row but one; of one entity on either side there are no links between entities."""
    found = corefud_exact(corpus(("01 34 2", "01 34")))
    assert all(each == Score(F(1), F(1), F(1)) for each in found.values())
    assert corefud_exact(corpus(("01 2 3", "01 2")))["blanc"] == Score(F(1), F(1), F(1))
    assert corefud_blanc(corpus(("01 2 3", "01 2"))).f1 == F(1 + F(4, 7), 2)


# Antecedents

S0 = "John he1 he2 he3|Rich he4 he5"
ORDER = "John he1 he2 he3 Rich he4 he5"


def chains(text: str) -> list[list[str]]:
    return [chain.split() for chain in text.split("|") if chain]


def ordered(key: str, response: str, mentions: str = ORDER) -> Ordered:
    """Mentions that begin with a capital are nominal."""
    names = mentions.split()
    nominals = {mention for mention in names if mention[0].isupper()}
    return Ordered(names, nominals, chains(key), chains(response))


@pytest.mark.parametrize(
    ("response", "for_immediate", "for_inferred"),
    [
        ("John he1 he2|Rich he4", ".6 1 .75", ".6 1 .75"),
        ("he1 he2 he3|he4 he5", ".6 1 .75", "0 0 0"),
        ("John he1 he2 he3 he4|Rich he5", ".6 .6 .6", ".8 .8 .8"),
        (S0, "1 1 1", "1 1 1"),
        ("", "0 0 0", "0 0 0"),
    ],
)
def test_antecedents_of_agarwal_example(
    response: str, for_immediate: str, for_inferred: str
) -> None:
    """M10, E3: S1, S2, and he4 moved to John."""
    document = ordered(S0, response)
    agree(antecedent_score([immediate(document)]), for_immediate)
    agree(antecedent_score([inferred(document)]), for_inferred)


def test_anchors_of_agarwal_example() -> None:
    """S1 detects both entities with 5 of 7 mentions, S2 neither."""
    found = anchor([ordered(S0, "John he1 he2|Rich he4")])
    assert found.detection == Score(F(1), F(1), F(1))
    assert found.mentions == Score(F(5, 7), F(1), F(5, 6))
    assert found.f1 == F(10, 11)
    assert anchor([ordered(S0, "he1 he2 he3|he4 he5")]).f1 == 0


@pytest.mark.parametrize(
    ("key", "response", "for_immediate", "for_inferred"),
    [
        # A spurious anaphor, with a nominal before it and without.
        ("", "A b", Outcomes(0, 0, 0, 1), Outcomes(0, 0, 0, 1)),
        ("", "b c", Outcomes(0, 0, 0, 1), Outcomes(0, 0, 0, 0)),
        # The key chain has no nominal: it judges no antecedent, and has none to infer.
        ("b c", "b c", Outcomes(0, 0, 0, 0), Outcomes(0, 0, 0, 0)),
        ("b c", "A c", Outcomes(0, 0, 0, 0), Outcomes(0, 0, 0, 1)),
        ("b c", "", Outcomes(0, 0, 0, 0), Outcomes(0, 0, 0, 0)),
        # The first of its key chain is no key anaphor, be it a cataphoric pronoun.
        ("b c", "A b", Outcomes(0, 0, 0, 1), Outcomes(0, 0, 0, 1)),
        ("b D", "A b", Outcomes(0, 0, 1, 1), Outcomes(0, 0, 0, 1)),
        # The cataphoric c is not judged, D is; neither has a nominal before it in the key.
        ("b c D", "b c D", Outcomes(1, 0, 0, 0), Outcomes(0, 0, 0, 0)),
        ("b c D", "A c", Outcomes(0, 0, 1, 0), Outcomes(0, 0, 0, 1)),
        ("b c D", "b D", Outcomes(0, 1, 0, 0), Outcomes(0, 0, 0, 0)),
        ("b c D", "A D", Outcomes(0, 1, 0, 0), Outcomes(0, 0, 0, 1)),
        # The response begins a chain with c, or has no nominal before e.
        ("A c", "c e", Outcomes(0, 0, 1, 1), Outcomes(0, 0, 1, 0)),
        ("A c e", "c e", Outcomes(1, 0, 1, 0), Outcomes(0, 0, 2, 0)),
        # Another mention of the key chain is the nearer nominal.
        ("A D e", "A e", Outcomes(0, 1, 1, 0), Outcomes(1, 0, 1, 0)),
        # The nearer nominal of the response is of another chain.
        ("A e", "A D e", Outcomes(0, 1, 0, 1), Outcomes(0, 1, 0, 1)),
        # A singleton of the key.
        ("b", "A b", Outcomes(0, 0, 0, 1), Outcomes(0, 0, 0, 1)),
    ],
)
def test_outcomes(key: str, response: str, for_immediate: Outcomes, for_inferred: Outcomes) -> None:
    document = ordered(key, response, "A b c D e")
    assert immediate(document) == for_immediate
    assert inferred(document) == for_inferred


def test_outcomes_of_two_documents() -> None:
    right, wrong = ordered("A b c", "A b c", "A b c"), ordered("A b", "", "A b")
    assert antecedent_score(map(inferred, [right, wrong])) == Score(F(2, 3), F(1), F(4, 5))
    assert antecedent_score([]) == Score(F(0), F(0), F(0))


def test_anchors_of_spurious_chains() -> None:
    """{A b D e} goes to A, Z to Z; {F g} and {J} are spurious, and {h i} and {x y} no entities."""
    mentions = "A b D e F g h i J x y Z"
    found = anchor([ordered("A b|D e|x y|Z", "A b D e|F g|h i|J|Z", mentions)])
    assert found.detection == Score(F(2, 3), F(2, 4), F(4, 7))
    assert found.mentions == Score(F(1), F(3, 5), F(3, 4))
    assert found.f1 == F(24, 37)


def test_anchor_that_begins_first() -> None:
    """The one of D begins with b, before A does; the chain of b alone finds nothing."""
    document = ordered("A c|b D", "A D e|b", "b A c D e")
    detection, mentions = anchored(document)
    assert detection == Ratios(F(1), F(2), F(1), F(1))
    assert mentions == Ratios(F(1), F(2), F(1), F(3))


def test_anchors_of_two_documents() -> None:
    found = anchor([ordered("A b", "A b", "A b"), ordered("A b", "", "A b")])
    assert found == (Score(F(1, 2), F(1), F(2, 3)), Score(F(1), F(1), F(1)), F(4, 5))
    assert anchor([]).f1 == 0
