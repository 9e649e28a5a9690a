"""The scorers of Universal Anaphora: each of their rules on a small document of its own."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

import corefscope as cs
from anaphora_text import document, mark, only, row
from corefscope import Corpus, InvalidInput, read
from corefscope.extensions.universal_anaphora.rules import UaRules
from corefscope.extensions.universal_anaphora.scoring import UaCounts, score_universal_anaphora
from corefscope.metrics.blanc import figures_of_both_sides, figures_of_split_antecedents
from corefscope.metrics.counts import plain_figures
from strategies import SpanDocument, span_documents

V1 = UaRules()
V2 = UaRules(version=2, split_antecedents="drop", zeros="drop")
CORE = ("muc", "b3", "ceafm", "ceafe", "lea", "blanc")


class Scorer:
    """Writes and scores files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.number = 0

    def read(self, text: str) -> Corpus:
        self.number += 1
        path = self.folder / f"{self.number}.conllua"
        path.write_text(text, encoding="utf-8")
        return read(path)

    def counts(self, key: str, response: str, rules: UaRules = V1) -> UaCounts:
        return score_universal_anaphora(self.read(key), self.read(response), rules)

    def f1(self, key: str, response: str, rules: UaRules = V1) -> dict[str, float]:
        """Return the F1 of each metric in percent, rounded."""
        return f1(self.counts(key, response, rules), rules)

    def codes(self, key: str, response: str, rules: UaRules = V1) -> list[str]:
        return [finding.code.id for finding in self.counts(key, response, rules).findings]


def f1(counts: UaCounts, rules: UaRules) -> dict[str, float]:
    only = rules.split_antecedents == "only"
    figures = {"blanc": figures_of_split_antecedents if only else figures_of_both_sides}
    return {
        metric: round(float(figures.get(metric, plain_figures)(rows.sum(axis=0))[2]) * 100, 2)
        for metric, rows in counts.counts.items()
    }


@pytest.fixture
def scorer(tmp_path: Path) -> Scorer:
    return Scorer(tmp_path)


def entity(*numbers: int, of: str = "1") -> dict[int, str]:
    return {number: only(of, f"m{of}_{number}") for number in numbers}


def text(*entities: dict[int, str], words: int = 8) -> str:
    cells = ["" for _ in range(words)]
    for one in entities:
        for number, cell in one.items():
            cells[number] += cell
    return document(*(cell or "_" for cell in cells))


def labelled(*entities: Iterable[int]) -> str:
    """A document whose entities have the given words, in this order."""
    return text(*(entity(*some, of=str(i)) for i, some in enumerate(entities)))


ANN_BOB = only(1, "a", "ElementOf=4")
PLURAL = document(ANN_BOB, only(2, "c", "ElementOf=4"), only(3, "h"), only(4, "f"), only(4, "g"))
OTHER_ELEMENT = document(
    ANN_BOB, only(2, "c"), only(3, "h", "ElementOf=4"), only(4, "f"), only(4, "g")
)
DISJOINT = document(
    only(1, "a"), only(2, "c"), only(3, "h", "ElementOf=4"), only(4, "f"), only(4, "g")
)


def test_what_is_equal_scores_100(scorer: Scorer) -> None:
    for rules in (V1, V2, UaRules(version=2)):
        found = scorer.counts(PLURAL, PLURAL, rules)
        assert [f1(found, rules)[metric] for metric in CORE] == [100] * 6
        assert found.findings == ()


def test_a_split_antecedent_counts_as_far_as_its_elements_are_right(scorer: Scorer) -> None:
    """Of S(a, c) and S(a, h) one of two elements is right, so that recall, precision, F1 are ½.

    MUC: f and g are linked, and S counts ½ of the second link. B³: (2 + ½)² / 3 and three
    singletons, of 6. CEAFe: 2 · 2½ / 6 and three singletons, of 4. LEA: 3 · (1 + 2 · ½) / 3 and
    three singletons, of 6.
    """
    for rules in (V1, UaRules(version=2)):
        found = scorer.f1(PLURAL, OTHER_ELEMENT, rules)
        assert (found["muc"], found["b3"]) == (75, 84.72)
        assert (found["ceafe"], found["ceafm"], found["lea"]) == (95.83, 91.67, 83.33)


def test_split_antecedents_without_common_elements(scorer: Scorer) -> None:
    found = scorer.f1(PLURAL, DISJOINT)
    assert (found["muc"], found["b3"], found["lea"]) == (50, 72.22, 66.67)


def test_a_split_antecedent_of_one_side_only(scorer: Scorer) -> None:
    without = PLURAL.replace("|ElementOf=4", "")
    found = plain_figures(scorer.counts(PLURAL, without).counts["muc"][0])
    assert found.tolist() == pytest.approx([1 / 2, 1, 2 / 3])


def test_split_antecedents_may_be_dropped(scorer: Scorer) -> None:
    dropped = UaRules(split_antecedents="drop")
    assert scorer.f1(PLURAL, OTHER_ELEMENT, dropped)["muc"] == 100


def test_split_antecedents_alone(scorer: Scorer) -> None:
    """One of two elements is right; elements of one mention have no links of BLANC's first kind."""
    found = scorer.f1(PLURAL, OTHER_ELEMENT, UaRules(split_antecedents="only"))
    assert [found[metric] for metric in ("muc", "b3", "ceafm", "ceafe", "lea")] == [50] * 5
    # Both kinds of links count, since entity 4 has links of the first kind.
    assert found["blanc"] == 0
    assert "non_referring" not in found


def test_the_order_of_hashes_is_reported(scorer: Scorer) -> None:
    pairs = document(
        *(ANN_BOB, only(1, "b"), only(2, "c", "ElementOf=4"), only(2, "d")),
        *(only(4, "f"), only(4, "g")),
    )
    other = pairs.replace("EntityID=2|MarkableID=d", "EntityID=1|MarkableID=d")
    version_2 = UaRules(version=2)
    assert scorer.codes(pairs, other) == ["W220", "W220"]
    assert scorer.codes(pairs, other, version_2) == ["W220"]
    assert scorer.codes(pairs, pairs) == []
    # S(ab, c d) and S(abd, c): links within elements ab, cd; of these the response has ab.
    blanc = scorer.counts(pairs, other, version_2).counts["blanc"][0]
    weight = 2 * (1 / 2) * (1 / 3) / (1 / 2 + 1 / 3)
    assert blanc[:4].tolist() == pytest.approx([1 + 1 + 2 * weight, 5, 2 + 2 * weight, 6])


def test_elements_that_have_elements(scorer: Scorer) -> None:
    """They are replaced by these: 4 is made of 1, 2 and 3."""
    nested = document(
        *(only(1, "a", "ElementOf=5"), only(2, "b", "ElementOf=5"), only(3, "c", "ElementOf=4")),
        *(only(5, "d", "ElementOf=4"), only(4, "e")),
    )
    flat = nested.replace("ElementOf=5", "ElementOf=5,4").replace(
        "MarkableID=d|ElementOf=4", "MarkableID=d"
    )
    assert scorer.f1(nested, flat) == scorer.f1(flat, flat)


def test_elements_in_a_cycle(scorer: Scorer) -> None:
    cycle = document(only(1, "a", "ElementOf=2"), only(2, "b", "ElementOf=1"))
    with pytest.raises(InvalidInput, match=r"entity 2 is an element of itself, through 1;.*E135"):
        scorer.counts(cycle, cycle)
    assert scorer.f1(cycle, cycle, UaRules(split_antecedents="drop"))["b3"] == 100
    itself = document(only(1, "a", "ElementOf=1"))
    with pytest.raises(InvalidInput, match="entity 1 is an element of itself;"):
        scorer.counts(itself, itself)


def test_a_plural_entity_without_markables_is_ignored(scorer: Scorer) -> None:
    nowhere = document(only(1, "a", "ElementOf=9"), only(2, "b", "ElementOf=9"))
    plain = nowhere.replace("|ElementOf=9", "")
    assert scorer.f1(nowhere, plain)["b3"] == 100


def test_entities_with_equal_split_antecedents_are_one(scorer: Scorer) -> None:
    two = document(
        only(1, "a", "ElementOf=4,5"), only(2, "b", "ElementOf=4,5"), only(4, "c"), only(5, "d")
    )
    one = two.replace("EntityID=5", "EntityID=4").replace("4,5", "4")
    assert scorer.f1(two, one)["muc"] == 100
    assert scorer.f1(two, one, UaRules(split_antecedents="drop"))["muc"] == 0


def test_split_antecedents_need_singletons(scorer: Scorer) -> None:
    for version in (1, 2):
        rules = UaRules(version=version, singletons="drop")
        with pytest.raises(InvalidInput, match="E204"):
            scorer.counts(PLURAL, PLURAL, rules)
        assert scorer.f1(labelled([0, 1], [2]), labelled([0, 1]), rules)["b3"] == 100


def test_singletons(scorer: Scorer) -> None:
    key, response = labelled([0, 1], [2], [3]), labelled([0, 1], [2], [4])
    assert scorer.f1(key, response)["b3"] == 75
    assert scorer.f1(key, response, UaRules(singletons="drop"))["b3"] == 100


def test_a_repeated_markable_counts_twice_without_split_antecedents(scorer: Scorer) -> None:
    twice = document(only(1, "a") + only(1, "b"), only(1, "c"))
    once = document(only(1, "a"), only(1, "c"))
    rules = UaRules(split_antecedents="drop")
    found = scorer.counts(twice, once, rules)
    assert found.counts["muc"].tolist() == [[2, 2, 1, 1]]
    assert found.counts["b3"].tolist() == [[3, 3, 2, 2]]
    assert [finding.code.id for finding in found.findings] == ["W108"]
    assert scorer.counts(twice, once).counts["muc"].tolist() == [[1, 1, 1, 1]]


def test_a_markable_in_two_entities_is_found_in_the_last(scorer: Scorer) -> None:
    """So that what is equal does not score 100."""
    both = labelled([0, 1], [0, 2])
    found = scorer.counts(both, both)
    assert found.counts["muc"].tolist() == [[1, 2, 1, 2]]
    assert found.counts["ceafm"].tolist() == [[4, 4, 4, 4]]
    assert [finding.code.id for finding in found.findings] == ["W108", "W108"]


LONG = document(mark(1, "a", "Min=2"), "_", "_", ")", only(1, "b"))
SHORT = document("_", mark(1, "a"), ")", "_", only(1, "b"))
OUTSIDE = document("_", "_", mark(1, "a"), ")", only(1, "b"))


def test_version_1_accepts_minimum_spans_in_some_metrics(scorer: Scorer) -> None:
    rules = UaRules(match="min")
    found = scorer.f1(LONG, SHORT, rules)
    assert (found["ceafe"], found["ceafm"], found["muc"], found["b3"]) == (100, 100, 0, 25)
    assert scorer.codes(LONG, SHORT, rules) == ["W220"]
    assert scorer.f1(LONG, OUTSIDE, rules)["ceafe"] == 50
    assert scorer.f1(SHORT, LONG, rules)["ceafe"] == 50, "the response's minimum does not count"
    assert scorer.codes(LONG, LONG, rules) == []


@pytest.mark.parametrize("minimum", ["Min=5", "Min=4,5", "Min=1"])
def test_version_1_finds_no_markable_whose_minimum_is_outside(minimum: str, scorer: Scorer) -> None:
    """Equality asks for the minimum span, even if the spans are the same."""
    key = document("_", mark(1, "a", minimum), "_", ")", only(1, "b"))
    found = scorer.counts(key, key, UaRules(match="min")).counts
    assert found["ceafm"].tolist() == [[1, 2, 1, 2]]
    assert found["b3"].tolist() == [[0.5, 2, 0.5, 2]]
    assert scorer.f1(key, key, UaRules())["b3"] == 100
    assert scorer.f1(key, key.replace(minimum, "Min=2"), UaRules(match="min"))["b3"] == 25
    assert scorer.f1(key.replace(minimum, "Min=2"), key, UaRules(match="min"))["b3"] == 100


def test_version_1_lets_one_response_fit_two_key_markables(scorer: Scorer) -> None:
    key = document(mark(1, "a", "Min=2"), mark(1, "b", "Min=2"), ")", ")")
    response = document("_", only(1, "c"), "_", "_")
    assert scorer.counts(key, response, UaRules(match="min")).counts["ceafm"].tolist() == [
        [2, 2, 2, 1]
    ]


def test_version_2_accepts_minimum_spans_one_to_one(scorer: Scorer) -> None:
    rules = UaRules(version=2, match="partial")
    assert scorer.f1(LONG, SHORT, rules)["muc"] == 100
    assert scorer.f1(LONG, OUTSIDE, rules)["muc"] == 0
    assert scorer.f1(SHORT, LONG, rules)["muc"] == 0
    assert scorer.f1(LONG.replace("|Min=2", ""), SHORT, rules)["muc"] == 0
    key = document(mark(1, "a", "Min=2"), mark(1, "b", "Min=2"), ")", ")")
    response = document("_", only(1, "c"), "_", "_")
    assert scorer.counts(key, response, rules).counts["ceafm"].tolist() == [[1, 2, 1, 1]]


def test_matching_of_craft(scorer: Scorer) -> None:
    """A part of the response within the first part of the key's markable is enough."""
    key = document(mark(1, "a"), "_", ")", only(1, "a"), only(1, "b"))
    within = document("_", mark(1, "a"), ")", "_", only(1, "b"))
    in_second = document("_", "_", "_", only(1, "a"), only(1, "b"))
    half_outside = document(only(1, "a"), "_", "_", "_", only(1, "a") + only(1, "b"))
    rules = UaRules(version=2, match="craft")
    assert scorer.f1(key, within, rules)["muc"] == 100
    assert scorer.f1(key, in_second, rules)["muc"] == 0
    assert scorer.f1(key, half_outside, rules)["muc"] == 100


def test_matching_of_craft_stops_at_a_key_markable_that_is_taken(scorer: Scorer) -> None:
    key = document(mark(1, "a") + mark(2, "b"), "_", ")", ")", only(1, "c"), only(2, "d"))
    response = document(mark(2, "a"), ")", only(1, "b"), "_", only(1, "c"), only(2, "d"))
    found = scorer.counts(key, response, UaRules(version=2, match="craft"))
    assert found.counts["ceafm"].tolist() == [[3, 4, 3, 4]]


def test_gaps(scorer: Scorer) -> None:
    """Version 2 compares all words; version 1 knows the last part only."""
    gap = document(only(1, "a"), "_", only(1, "a"), only(1, "b"))
    filled = document(mark(1, "a"), "_", ")", only(1, "b"))
    last = document("_", "_", only(1, "a"), only(1, "b"))
    assert [scorer.f1(gap, other, V2)["b3"] for other in (gap, filled, last)] == [100, 25, 25]
    assert [scorer.f1(gap, other)["b3"] for other in (gap, filled, last)] == [100, 25, 100]


def with_zeros(*cells: tuple[str, str]) -> str:
    """A document with an ID and a cell per line."""
    rows = [row(cell, id=id, word="_" if "." in id else f"w{id}") for id, cell in cells]
    return "# newdoc id = x\n" + "".join(rows)


ZERO = with_zeros(
    ("1", only(1, "a")), ("1.1", only(1, "z")), ("2", only(2, "b")), ("3", only(2, "c"))
)
NO_ZERO = with_zeros(("1", only(1, "a")), ("2", only(2, "b")), ("3", only(2, "c")))


def test_zeros_equal_zeros_by_place(scorer: Scorer) -> None:
    rules = UaRules(version=2)
    renumbered = ZERO.replace("1.1", "0.7")
    moved = with_zeros(
        ("1", only(1, "a")), ("2", only(2, "b")), ("2.1", only(1, "z")), ("3", only(2, "c"))
    )
    second = ZERO.replace("1.1\t", "1.1\t_\n1.2\t", 1).replace("1.1\t_\n", row(id="1.1", word="_"))
    found = [scorer.f1(ZERO, other, rules)["ceafm"] for other in (ZERO, renumbered, moved, second)]
    assert found == [100, 100, 75, 75]
    assert scorer.f1(ZERO, NO_ZERO, rules)["muc"] == pytest.approx(66.67)


def test_zeros_inside_a_markable_do_not_count(scorer: Scorer) -> None:
    with_one = with_zeros(("1", mark(1, "a")), ("1.1", "_"), ("2", ")"), ("3", only(1, "b")))
    without = with_zeros(("1", mark(1, "a")), ("2", ")"), ("3", only(1, "b")))
    assert scorer.f1(with_one, without, V2)["muc"] == 100
    assert scorer.f1(with_one, without)["muc"] == 0, "version 1 counts lines"


def test_zeros_are_removed_after_singletons(scorer: Scorer) -> None:
    """Entity 1 has one mention left, and stays."""
    drop = UaRules(version=2, singletons="drop", split_antecedents="drop", zeros="drop")
    found = scorer.counts(ZERO, NO_ZERO, drop)
    assert found.counts["b3"].tolist() == [[2, 3, 2, 2]]
    assert [finding.code.id for finding in found.findings] == ["W220"]


def test_entities_of_zeros_alone(scorer: Scorer) -> None:
    """The official scorer divides by zero; they are left out."""
    zeros = with_zeros(("0.1", only(1, "y")), ("0.2", only(1, "z")), ("1", only(2, "a")))
    found = scorer.counts(zeros, zeros, V2)
    assert found.counts["ceafe"].tolist() == [[1, 1, 1, 1]]
    assert [finding.code.id for finding in found.findings] == ["W231", "W231"]


def test_zeros_with_partial_matching(scorer: Scorer) -> None:
    for match in ("partial", "craft"):
        rules = UaRules(version=2, match=match)
        assert scorer.f1(ZERO, ZERO, rules)["ceafm"] == 100
        assert scorer.codes(ZERO, ZERO, rules) == ["W231"]


def test_a_markable_that_is_never_closed(scorer: Scorer) -> None:
    """Version 2 has it as a mention without words; version 1 refuses it."""
    unclosed = document(mark(1, "a"), only(1, "b"))
    assert scorer.f1(unclosed, unclosed, V2)["muc"] == 100
    with pytest.raises(InvalidInput, match=r"1\.conllua:2: markable 'a' is never closed.*E101"):
        scorer_in = Scorer(scorer.folder / "other")
        scorer_in.folder.mkdir()
        scorer_in.counts(unclosed, unclosed)


def test_documents_of_version_1(scorer: Scorer) -> None:
    """What the response lacks is left out; other words do not matter."""
    a, b = (document(only(1, "a"), only(1, "b"), name=name) for name in "ab")
    found = scorer.counts(a + b, a)
    assert found.counts["muc"].tolist() == [[1, 1, 1, 1], [0, 0, 0, 0]]
    assert [finding.code.id for finding in found.findings] == ["W201"]
    assert scorer.codes(a, a + b) == ["W202"]
    assert scorer.f1(a, a.replace("w1", "W1"))["muc"] == 100


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            ("id = x", "id = y"),
            "document 'x' of the key is missing.*document 'y' is not in the key",
        ),
        (("w2", "W2"), "'x' has 'W2' as word 2; expected 'w2'"),
        (("2\tw2", "1.1\tw2"), "'x' has 7 words without empty nodes; expected 8"),
    ],
)
def test_version_2_refuses_other_documents(
    change: tuple[str, str], message: str, scorer: Scorer
) -> None:
    key = labelled([0, 1])
    with pytest.raises(InvalidInput, match=f"(?s){message}.*E204"):
        scorer.counts(key, key.replace(*change), V2)
    zero = row(id="2.1", word="other")
    assert scorer.f1(key, key + zero, V2)["muc"] == 100


def test_non_referring_expressions(scorer: Scorer) -> None:
    """The first markable of each counts, and none of them is in the entities."""
    key = document(
        only("1-Pseudo", "a"), only("1-Pseudo", "b"), only("2-Pseudo", "c"), only(3, "d")
    )
    response = document("_", only("1-Pseudo", "b"), only("2-Pseudo", "c"), only(3, "d"))
    found = scorer.counts(key, response)
    assert found.counts["non_referring"].tolist() == [[1, 2, 1, 2]]
    assert found.counts["b3"].tolist() == [[1, 1, 1, 1]]


def test_non_referring_expressions_by_minimum_spans(scorer: Scorer) -> None:
    key, response = (
        one.replace("EntityID=1|MarkableID=a", "EntityID=7-Pseudo|MarkableID=a")
        for one in (LONG, SHORT)
    )
    assert scorer.f1(key, response)["non_referring"] == 0
    assert scorer.f1(key, response, UaRules(match="min"))["non_referring"] == 100


def bridging(*anchors: str) -> str:
    """Entities ab, c, d; the bridging anaphors e and f, with these anchors."""
    pairs = [f"(MarkableID={id}|MentionAnchor={to})" for id, to in zip("ef", anchors, strict=False)]
    cells = [only(1, "a"), only(1, "b"), only(2, "c"), only(3, "d"), only(4, "e"), only(5, "f")]
    rows = [row(cell, id=str(i), word=f"w{i}") for i, cell in enumerate(cells, 1)]
    return "# newdoc id = x\n" + "".join(rows) + row(id="7", bridging="".join(pairs) or "_")


@pytest.mark.parametrize(
    ("anchors", "found"),
    [
        (("a", "c"), (2, 2, 2)),
        (("b", "c"), (2, 1, 2)),
        (("d", "d"), (2, 0, 0)),
        (("b",), (1, 0, 1)),
        ((), (0, 0, 0)),
    ],
)
def test_bridging(anchors: tuple[str, ...], found: tuple[int, ...], scorer: Scorer) -> None:
    counts = scorer.counts(bridging("a", "c"), bridging(*anchors)).counts
    levels = ("bridging_anaphor", "bridging_mention", "bridging_entity")
    assert tuple(counts[level][0, 0] for level in levels) == found
    assert all(counts[level][0, [1, 3]].tolist() == [2, len(anchors)] for level in levels)


def test_entities_of_bridging_are_those_of_the_key(scorer: Scorer) -> None:
    key, response = bridging("a", "c"), bridging("b", "c")
    apart = response.replace("EntityID=1|MarkableID=b", "EntityID=6|MarkableID=b")
    assert scorer.f1(key, apart)["bridging_entity"] == 100
    joined = response.replace("EntityID=3", "EntityID=1").replace("Anchor=b", "Anchor=d")
    assert scorer.f1(key, joined)["bridging_entity"] == 50


def test_anchors_that_are_not_scored_have_no_entity(scorer: Scorer) -> None:
    key = bridging("a", "c").replace("EntityID=1|", "EntityID=1-Pseudo|")
    response = bridging("b", "c")
    assert scorer.f1(key, response)["bridging_entity"] == 50


def test_bridging_anchors_by_minimum_spans(scorer: Scorer) -> None:
    pair = row(only(2, "e"), id="6", bridging="(MarkableID=e|MentionAnchor=a)", word="w6")
    key, response = LONG + pair, SHORT + pair
    assert scorer.f1(key, response)["bridging_mention"] == 0
    assert scorer.f1(key, response, UaRules(match="min"))["bridging_mention"] == 100


def test_discourse_deixis(scorer: Scorer) -> None:
    """The other layer is scored with all that belongs to it, whatever else is said."""

    def swapped(text: str) -> str:
        rows = (line.split("\t") for line in text.splitlines())
        return "".join("\t".join([*r[:10], *r[-1:], "_", *r[10:11]]) + "\n" for r in rows)

    rules = UaRules(layer="deixis", singletons="drop", split_antecedents="drop")
    found = scorer.f1(swapped(PLURAL), swapped(OTHER_ELEMENT), rules)
    expected = scorer.f1(PLURAL, OTHER_ELEMENT)
    assert {metric: found[metric] for metric in CORE} == {m: expected[m] for m in CORE}
    assert "non_referring" not in found


def test_errors_of_the_layer_that_is_scored(scorer: Scorer) -> None:
    bad = labelled([0, 1]).replace("_\t_\n", "_\t)\n", 1)
    assert scorer.f1(bad, bad)["muc"] == 100
    with pytest.raises(InvalidInput, match="E101"):
        scorer.counts(bad, bad, UaRules(layer="deixis"))


def test_metrics_may_be_chosen(scorer: Scorer) -> None:
    corpus = scorer.read(PLURAL)
    counts = score_universal_anaphora(corpus, corpus, V1, ["muc", "bridging_entity"]).counts
    assert list(counts) == ["muc", "bridging_entity"]


def test_mentions_without_places_are_refused() -> None:
    corpus = Corpus.from_clusters({"x": [["a", "b"]]})
    with pytest.raises(InvalidInput, match="E206"):
        score_universal_anaphora(corpus, corpus, V1)


def distinct(document: SpanDocument) -> list[list[tuple[int, int]]]:
    """Each mention once."""
    seen: set[tuple[int, int]] = set()
    entities = []
    for some in document.entities:
        fresh = [span for span in dict.fromkeys(some) if span not in seen]
        seen.update(fresh)
        if fresh:
            entities.append(fresh)
    return entities


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
@pytest.mark.parametrize("rules", [V1, V2])
@given(span_documents(), span_documents())
def test_plain_entities_score_as_everywhere_else(
    rules: UaRules, key: SpanDocument, response: SpanDocument
) -> None:
    """Corpora of any format can be scored; without repeats the metrics are the usual ones."""
    corpora = [Corpus.from_clusters({"x": distinct(side)}) for side in (key, response)]
    found = score_universal_anaphora(corpora[0], corpora[1], rules, CORE)
    usual = cs.score(*corpora, profile="corefud-exact", singletons="keep", metrics=CORE)
    for metric in CORE:
        assert np.allclose(found.counts[metric], usual.counts[metric], atol=1e-9), metric


@given(span_documents(), span_documents())
def test_swapping_the_sides_swaps_recall_and_precision(
    key: SpanDocument, response: SpanDocument
) -> None:
    corpora = [Corpus.from_clusters({"x": distinct(side)}) for side in (key, response)]
    one = score_universal_anaphora(corpora[0], corpora[1], V2).counts
    other = score_universal_anaphora(corpora[1], corpora[0], V2).counts
    for metric, counts in one.items():
        blocks = counts.reshape(-1, 2, 2)[:, ::-1].reshape(counts.shape)
        assert np.allclose(other[metric], blocks), metric
