"""The further twins give the figures worked out in specifications 4 (L) and 5 (M)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction as F
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from brute_force import METRICS, Corpus, Ratios, Score, b3, score
from more_twins import (
    INDICES,
    PROFILES,
    TWINS,
    Index,
    Ordered,
    Outcomes,
    algorithm_1,
    anchor,
    anchored,
    antecedent_score,
    b3_all,
    common,
    corefud_blanc,
    corefud_exact,
    e2e,
    e2e_b3,
    immediate,
    inferred,
    information,
    macro,
    macro_score,
    no_singletons,
    pairs,
)
from strategies import Document, corpora, documents

SHARED = Path(__file__).resolve().parents[2] / "shared"
CASES = SHARED / "cases" / "scoring" / "partitions.json"
LITBANK = SHARED / "data" / "litbank"
SCORES = METRICS | TWINS

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


@pytest.mark.parametrize(
    ("response", "precisions"),
    [
        ("abd", ".444 1.000 .556 .556 .667"),
        ("abd c", ".583 1.000 .667 .667 .667"),
        ("abd e", ".333 1.000 .667 .556 .667"),
    ],
)
def test_a_spurious_singleton_raises_b3_all_alone(response: str, precisions: str) -> None:
    """L1, with the corrected figure."""
    names = ("b3", "b3_0", "b3_all", "b3_rn", "b3_sys")
    agree([SCORES[name](corpus(("abc", response))).precision for name in names], precisions)


@pytest.mark.parametrize(
    ("response", "figures"),
    [
        (
            "abd",
            ".444 .444 .444|.444 1 .615|.556 .556 .556|.556 .556 .556|.444 .444 .444|"
            ".556 .667 .606|.667 .667 .667",
        ),
        (
            "abde",
            ".444 .250 .320|.444 1 .615|.556 .375 .448|.556 .375 .448|.444 .250 .320|"
            ".556 .500 .526|.733 .500 .595",
        ),
        (
            "abd c",
            ".556 .583 .569|.556 1 .714|.556 .667 .606|.556 .667 .606|.556 .583 .569|"
            ".556 .667 .606|.667 .667 .667",
        ),
        (
            "ab",
            ".444 1 .615|.444 1 .615|.556 1 .714|.556 1 .714|.444 1 .615|.556 1 .714|.556 1 .714",
        ),
        (
            "ab d e f",
            ".444 .400 .421|.444 1 .615|.556 1 .714|.556 1 .714|.444 1 .615|"
            ".556 1 .714|.556 1 .714",
        ),
        (
            "abd i j",
            ".444 .267 .333|.444 1 .615|.556 .733 .632|.556 .556 .556|.444 .444 .444|"
            ".556 .667 .606|.667 .667 .667",
        ),
        (
            "abd ij",
            ".444 .267 .333|.444 1 .615|.556 .533 .544|.556 .533 .544|.444 .267 .333|"
            ".556 .611 .582|.778 .611 .684",
        ),
        (
            "de",
            "0 0 0|0 0 0|.333 .500 .400|.333 .500 .400|0 0 0|.333 .800 .471|.600 .800 .686",
        ),
        (
            "",
            "0 0 0|0 0 0|.333 0 0|.333 0 0|0 0 0|.333 1 .500|.333 1 .500",
        ),
    ],
)
def test_b3_variants_of_the_table(response: str, figures: str) -> None:
    """L3, key {a,b,c}."""
    names = ("b3", "b3_0", "b3_all", "b3_rn", "b3_rn_plain", "b3_sys", "b3_v4")
    for name, printed in zip(names, figures.split("|"), strict=True):
        agree(SCORES[name](corpus(("abc", response))), printed)


@pytest.mark.parametrize(
    ("response", "plain", "sys", "v4"),
    [
        ("abd", ".667 .667 .667", ".667 .500 .571", ".500 .500 .500"),
        ("abde", ".667 .500 .571", ".667 .400 .500", ".400 .400 .400"),
        ("abd ij", ".667 .400 .500", ".667 .500 .571", ".500 .500 .500"),
    ],
)
def test_ceafm_variants_of_the_table(response: str, plain: str, sys: str, v4: str) -> None:
    """L3, key {a,b,c}."""
    for name, printed in (("ceafm", plain), ("ceafm_sys", sys), ("ceafm_v4", v4)):
        agree(SCORES[name](corpus(("abc", response))), printed)


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
def test_variants_of_the_example_of_pradhan(metric: str, printed: str) -> None:
    """L3."""
    agree(SCORES[metric](corpus(E1)), printed)


def test_b3_all_of_the_example_of_pradhan() -> None:
    """L3, which prints the precision 9/16 = .5625 as .562."""
    recall, f1 = F(19, 42), 2 * F(19, 42) * F(9, 16) / (F(19, 42) + F(9, 16))
    assert TWINS["b3_all"](corpus(E1)) == Score(recall, F(9, 16), f1)


@pytest.mark.parametrize(
    ("response", "b3_sys", "ceafm_sys"),
    [
        ("ab c i j", ".556 1.0 .714", ".667 .667 .667"),
        ("ab ij c", ".556 .800 .656", ".667 .600 .632"),
        ("ab ij kl c", ".556 .714 .625", ".667 .571 .615"),
        ("ab ijkl", ".556 .571 .563", ".667 .429 .522"),
    ],
)
def test_tables_of_cai_and_strube(response: str, b3_sys: str, ceafm_sys: str) -> None:
    """L4, their Tables 4 and 5 but for the .715 that should be .714."""
    agree(TWINS["b3_sys"](corpus(("abc", response))), b3_sys)
    agree(TWINS["ceafm_sys"](corpus(("abc", response))), ceafm_sys)


def test_worked_example_of_cai_and_strube() -> None:
    """L4."""
    found = TWINS["b3_sys"](corpus(("abc", "abd ij")))
    assert found.precision == F(1, 6) * (F(2, 3) + F(2, 3) + F(1, 3) + F(1, 2) + F(1, 2) + 1)
    assert found.recall == F(1, 3) * (F(2, 3) + F(2, 3) + F(1, 3))
    agree(found, ".556 .611 .582")


def test_algorithm_1_step_by_step() -> None:
    made = algorithm_1(["abc"], ["abd", "ij", "x"])
    for found, expected in zip(made, ("abc d i j", "abd c ij", "ab c"), strict=True):
        assert set(found) == {frozenset(entity) for entity in expected.split()}


@pytest.mark.parametrize("metric", ["ceafm", "ceafe"])
def test_ceaf_rn_is_plain_ceaf_without_twinless_singletons(metric: str) -> None:
    """L2: deletes {x} but neither {c}, which has a twin, nor the spurious d of {a,b,d}."""
    deleted, rest = corpus(("abc", "abd c x")), corpus(("abc", "abd c"))
    assert TWINS[f"{metric}_rn"](deleted) == METRICS[metric](rest) == TWINS[f"{metric}_rn"](rest)


def cases() -> list[Any]:
    """The worked examples, when this checkout has them beside it."""
    if not CASES.exists():
        return []
    return list(json.loads(CASES.read_text(encoding="utf-8"))["cases"])


@pytest.mark.skipif(not CASES.exists(), reason="no shared cases beside this checkout")
@pytest.mark.parametrize("case", cases(), ids=lambda case: str(case["id"]))
def test_shared_examples(case: dict[str, Any]) -> None:
    """The expected figures have six digits."""
    for name in TWINS.keys() & case["expected"].keys():
        found = TWINS[name]([(case["key"], case["response"])])
        assert [float(each) for each in found] == pytest.approx(case["expected"][name], abs=1e-6)


@given(documents())
def test_closed_forms_of_the_variants(document: Document) -> None:
    """L2, closed forms: recall of B3_sys and B3_all, precision of B3_v4 and B3_sys."""
    for_all, for_sys, for_v4 = (TWINS[name]([document]) for name in ("b3_all", "b3_sys", "b3_v4"))
    assert for_sys.recall == for_all.recall
    assert for_v4.precision == for_sys.precision


@given(documents())
def test_variants_are_one_without_twinless_mentions(document: Document) -> None:
    key, response = common(document).key, common(document).response
    assert b3_all(key, response) == b3(key, response)
    for metric in ("b3", "ceafm", "ceafe"):
        expected = METRICS[metric]([(key, response)])
        for variant in ("rn", "sys", "v4"):
            assert TWINS[f"{metric}_{variant}"]([(key, response)]) == expected


def test_variants_are_made_in_each_document_and_then_summed() -> None:
    """{d} is spurious in the first document although the second has it."""
    found = TWINS["b3_rn"](corpus(("abc", "abc d"), ("de", "d e")))
    assert found == Score(F(4, 5), F(1), F(8, 9))


# Links, alignments, clustering indices


@pytest.mark.parametrize(
    ("metric", "sides", "printed"),
    [
        ("pairwise", E1, ".2222 .25 .2353"),
        ("pairwise", E2, ".5 .5 .5"),
        ("ceaf_phi1", E1, "0 0 0"),
        ("ceaf_phi2", E1, "1 .667 .8"),
        ("ceafm", E1, ".571 .5 .533"),
        ("ceafe", E1, ".65 .433 .52"),
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
def test_f1_of_the_four_responses_of_luo(metric: str, printed: str) -> None:
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


def test_exact_indices() -> None:
    found = {name: index(corpus(E2)).f1 for name, index in INDICES.items()}
    assert found["rand"] == F(11, 15)
    assert found["ari"] == F(7, 22)
    assert found["purity"] == F(5, 6)


@pytest.mark.parametrize(
    "sides", [("a", "a"), ("a b c", "a b c"), ("abc", "abc"), ("ab c", "ab c")]
)
def test_identical_sides_are_best(sides: tuple[str, str]) -> None:
    """Also where there is nothing to divide by: no pair, or no uncertainty."""
    found = {name: index(corpus(sides)) for name, index in INDICES.items()}
    assert found["rand"] == found["ari"] == Index(None, None, F(1))
    assert found["purity"] == Index(F(1), F(1), F(1))
    agree(found["v"], "1.000000 1.000000 1.000000")
    agree([found["vi"].f1], "0.000000")
    assert found["vi"][:2] == (None, None)


def test_without_common_mentions_all_indices_are_0() -> None:
    for nothing in ([], corpus(("", "")), corpus(("ab", "cd"))):
        assert all(index(nothing).f1 == 0 for index in INDICES.values())


def test_indices_see_the_common_mentions_only() -> None:
    """Without d, g, h and i, the example is key {a,b,c} {e} and response {a,b} {c} {e}."""
    left, right = corpus(("abc ed", "ab cgh e i")), corpus(("abc e", "ab c e"))
    for index in INDICES.values():
        assert index(left) == index(right)


def test_documents_are_weighed_by_pairs_or_mentions() -> None:
    """A perfect document of two mentions beside one of three, {a,b,c} for {a,b} {c}."""
    two = corpus(("ab", "ab"), ("abc", "ab c"))
    assert INDICES["rand"](two).f1 == F(1 + 1, 1 + 3)
    # Documents: pairs 1 and 3, key 1 and 3, response 1 and 1, both 1 and 1, expected 1 and 1.
    assert INDICES["ari"](two).f1 == F(0, 1)
    # Only the second response leaves anything open: (2/3 log 3/2 + 1/3 log 3) of 3 in 5 mentions.
    assert float(INDICES["vi"](two).f1) == pytest.approx(0.6 * 0.636514, abs=1e-6)
    assert INDICES["purity"](two) == Index(F(2 + 2, 5), F(1), F(8, 9))
    assert INDICES["v"](two) == Index(F(0), F(1), F(0))


def test_expected_pairs_are_the_mean_over_all_permutations() -> None:
    """What the adjusted Rand index takes for chance is the chance of shuffled mentions."""
    key, response = (side.split() for side in E2)
    together = {frozenset(pair) for entity in key for pair in combinations(entity, 2)}
    hits = []
    for shuffled in permutations("abcdef"):
        names = dict(zip("abcdef", shuffled, strict=True))
        moved = [[names[mention] for mention in entity] for entity in response]
        hits.append(sum(frozenset(p) in together for e in moved for p in combinations(e, 2)))
    counted = pairs(common((key, response)))
    assert F(sum(hits), len(hits)) == F(counted.key * counted.response, counted.all)


@given(corpora())
def test_indices_keep_their_bounds(named: dict[str, Document]) -> None:
    found = {name: float(index(named.values()).f1) for name, index in INDICES.items()}
    assert all(-1e-9 <= found[name] <= 1 + 1e-9 for name in ("rand", "v", "purity"))
    assert found["ari"] <= 1
    assert found["vi"] >= -1e-9


@given(corpora())
def test_mutual_information_is_at_most_each_entropy(named: dict[str, Document]) -> None:
    found = information(named.values())
    assert -1e-9 <= found.mutual <= min(found.key, found.response) + F(1, 10**9)


@given(corpora())
def test_twins_are_between_0_and_1(named: dict[str, Document]) -> None:
    for metric in TWINS.values():
        assert all(0 <= value <= 1 for value in metric(named.values()))


# Profiles


def test_e2e_ceafe_keeps_gold_singletons() -> None:
    """kentonl/e2e-coref#126: identical sides of sizes 5, 2, 5 and 1."""
    sizes = "abcde fg hijkl m"
    found = e2e(corpus((sizes, sizes)))
    assert found["ceafe"] == Score(F(3, 4), F(1), F(6, 7))
    assert found["b3"] == found["muc"] == found["lea"] == Score(F(1), F(1), F(1))
    assert found["conll"] == Score(F(11, 12), F(1), F(20, 21))


def test_e2e_b3_ignores_owners_of_one() -> None:
    """Of {a,b,c} only a and b are credited, by 2/3 each; c is alone in the response."""
    found = e2e(corpus(("abc d", "ab c d")))["b3"]
    assert found == Score(F(4, 9), F(1), F(8, 13))


@given(corpora())
def test_e2e_differs_from_no_singletons_by_ceafe_alone(named: dict[str, Document]) -> None:
    one, other = e2e(named.values()), no_singletons(named.values())
    assert {name: one[name] for name in ("muc", "b3", "lea")} == {
        name: other[name] for name in ("muc", "b3", "lea")
    }
    assert one["ceafe"].precision >= other["ceafe"].precision


def test_without_singletons_nothing_is_found_where_there_are_no_links() -> None:
    """M8: key ab c d e f g, response all singletons."""
    found = no_singletons(corpus(("ab c d e f g", "a b c d e f g")))
    assert all(each == Score(F(0), F(0), F(0)) for each in found.values())


def test_macro_averages_recall_and_precision_of_documents() -> None:
    """MUC 1/2 and 1/3 against 1 and 1; the empty response counts 0 for both."""
    found = macro(corpus(("abc", "ab cd"), ("ab", "ab"), ("ab", "")))
    assert found["muc"] == Score(F(1, 2), F(1, 2), F(1, 2))
    assert found["mentions"].recall == F(2, 3)
    assert found["mentions"].precision == F(3, 4) / 3 + F(1, 3)


def test_macro_of_one_document_is_the_score_but_for_the_f1_of_blanc() -> None:
    found = macro(corpus(E1))
    for name, metric in METRICS.items():
        assert found[name][:2] == metric(corpus(E1))[:2]
        assert name == "blanc" or found[name].f1 == metric(corpus(E1)).f1


def test_profiles_of_nothing_are_0() -> None:
    for profile in PROFILES.values():
        assert all(each == Score(F(0), F(0), F(0)) for each in profile([]).values())


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
def test_corefud_blanc_counts_kinds_of_link_of_either_side(sides: tuple[str, str], f1: F) -> None:
    """Specification 1, D.2."""
    assert corefud_blanc(corpus(sides)).f1 == f1


def test_corefud_drops_singletons_before_blanc() -> None:
    """D.2, last row but one; of one entity on either side there are no links between entities."""
    found = corefud_exact(corpus(("01 34 2", "01 34")))
    assert all(each == Score(F(1), F(1), F(1)) for each in found.values())
    assert corefud_exact(corpus(("01 2 3", "01 2")))["blanc"] == Score(F(1), F(1), F(1))
    assert corefud_blanc(corpus(("01 2 3", "01 2"))).f1 == F(1 + F(4, 7), 2)


def litbank() -> Corpus:
    sides = [json.loads((LITBANK / f"{side}.json").read_text()) for side in ("key", "response")]
    return [(spans(sides[0][document]), spans(sides[1][document])) for document in sorted(sides[0])]


def spans(entities: list[list[list[int]]]) -> list[list[tuple[int, ...]]]:
    return [[tuple(span) for span in entity] for entity in entities]


@pytest.mark.skipif(not LITBANK.exists(), reason="no LitBank beside this checkout")
def test_litbank_as_other_tools_print_it() -> None:
    """MUC, B3, e2e-coref's B3, Stanza's MUC and B3; there are too many alignments for CEAF here."""
    documents = litbank()
    found = [METRICS["muc"](documents), METRICS["b3"](documents)]
    found.append(score(e2e_b3(*document) for document in documents))
    found += [macro_score(METRICS[name], documents) for name in ("muc", "b3")]
    agree([100 * each.f1 for each in found], "89.94 82.71 80.38 89.57 82.74")


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
def test_antecedents_of_the_example_of_agarwal(
    response: str, for_immediate: str, for_inferred: str
) -> None:
    """M10, E3: S1, S2, and he4 moved to John."""
    document = ordered(S0, response)
    agree(antecedent_score([immediate(document)]), for_immediate)
    agree(antecedent_score([inferred(document)]), for_inferred)


def test_anchors_of_the_example_of_agarwal() -> None:
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
def test_outcomes_one_by_one(
    key: str, response: str, for_immediate: Outcomes, for_inferred: Outcomes
) -> None:
    document = ordered(key, response, "A b c D e")
    assert immediate(document) == for_immediate
    assert inferred(document) == for_inferred


def test_outcomes_are_summed_over_documents() -> None:
    right, wrong = ordered("A b c", "A b c", "A b c"), ordered("A b", "", "A b")
    assert antecedent_score(map(inferred, [right, wrong])) == Score(F(2, 3), F(1), F(4, 5))
    assert antecedent_score([]) == Score(F(0), F(0), F(0))


def test_a_response_chain_serves_one_anchor_and_entities_need_a_nominal() -> None:
    """{A b D e} goes to A, Z to Z; {F g} and {J} are spurious, and {h i} and {x y} no entities."""
    mentions = "A b D e F g h i J x y Z"
    found = anchor([ordered("A b|D e|x y|Z", "A b D e|F g|h i|J|Z", mentions)])
    assert found.detection == Score(F(2, 3), F(2, 4), F(4, 7))
    assert found.mentions == Score(F(1), F(3, 5), F(3, 4))
    assert found.f1 == F(24, 37)


def test_a_response_chain_serves_the_entity_that_begins_first() -> None:
    """The one of D begins with b, before A does; the chain of b alone finds nothing."""
    document = ordered("A c|b D", "A D e|b", "b A c D e")
    detection, mentions = anchored(document)
    assert detection == Ratios(F(1), F(2), F(1), F(1))
    assert mentions == Ratios(F(1), F(2), F(1), F(3))


def test_without_singletons_only_larger_entities_are_found() -> None:
    """The response lacks an entity of Z once those of one mention are dropped."""
    mentions = "A b Z y"
    kept, dropped = ordered("A b|Z y", "A b|Z", mentions), ordered("A b|Z y", "A b", mentions)
    assert anchor([kept]).detection == Score(F(1), F(1), F(1))
    assert anchor([dropped]).detection == Score(F(1, 2), F(1), F(2, 3))
    assert anchor([kept]).mentions == Score(F(3, 4), F(1), F(6, 7))


def test_anchors_are_summed_over_documents() -> None:
    found = anchor([ordered("A b", "A b", "A b"), ordered("A b", "", "A b")])
    assert found == (Score(F(1, 2), F(1), F(2, 3)), Score(F(1), F(1), F(1)), F(4, 5))
    assert anchor([]).f1 == 0
