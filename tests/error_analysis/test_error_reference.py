"""Hand-computed cases for the reference implementation of the error analysis."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

import error_reference as reference
from error_reference import Clustering, Parsed, Span


@dataclass(frozen=True)
class Toy:
    """One mention per token: a noun (n) or a pronoun (p)."""

    words: str

    @property
    def sentences(self) -> list[range]:
        return [range(len(self.words))]

    def head(self, span: Span) -> int:
        return span[1]

    def is_pronoun(self, span: Span) -> bool:
        return self.words[span[0]] == "p"


def tokens(clusters: str) -> Clustering:
    """Clusters of one-token mentions, as in `012 34`."""
    return reference.clustering([(int(at), int(at)) for at in each] for each in clusters.split())


@pytest.mark.parametrize(
    ("words", "gold", "system", "expected"),
    [
        ("npp", "12", "012", {"conflated_entities": 1}),
        ("npppppp", "135 246", "012 35 46", {"conflated_entities": 2, "divided_entity": 2}),
        ("nnpp", "23", "012", {"extra_entity": 1, "conflated_entities": 1, "missing_mention": 1}),
        ("nnnn", "23", "012", {"conflated_entities": 1, "extra_mention": 1, "missing_mention": 1}),
        ("nnnn", "13", "012", {"conflated_entities": 1, "extra_mention": 1, "missing_mention": 1}),
        ("pppp", "03", "012", {"extra_entity": 1, "missing_mention": 1}),
        ("ppp", "12", "012", {"conflated_entities": 1}),
        ("npp", "012", "12", {"divided_entity": 1}),
        ("npnp", "012", "13", {"missing_entity": 1, "divided_entity": 1, "extra_mention": 1}),
        ("pppp", "0123", "12", {"missing_entity": 1, "divided_entity": 1}),
        (
            "npnnn",
            "012",
            "134",
            dict.fromkeys(
                ["missing_entity", "divided_entity", "extra_entity", "conflated_entities"], 1
            ),
        ),
    ],
)
def test_quick_checks(words: str, gold: str, system: str, expected: dict[str, int]) -> None:
    """The first ten rows of the table of section 14; row 4 with each place of the valid noun."""
    done = reference.step_by_step(Toy(words), tokens(gold), tokens(system))
    assert done.errors == dict.fromkeys(reference.ERRORS, 0) | expected


def test_spurious_main_piece() -> None:
    """The second row of the table."""
    given = Toy("npppppp"), tokens("135 246"), tokens("012 35 46")
    last = "cumulative:missing_entity"
    assert reference.corrected(*given, "berkeley")[last] == tokens("0 135 246")
    assert reference.corrected(*given, "standard")[last] == tokens("135 246")


@pytest.mark.parametrize(("article", "expected"), [("the", 1), ("The", 0)])
def test_trimming(article: str, expected: int) -> None:
    document = text(
        f"{article} DT (TOP(S(NP* | Acme NNP * | 's POS *) | saw VBD (VP* | Bob NNP (NP*))))"
    )
    gold, system = [[(0, 2), (4, 4)]], [[(1, 1), (4, 4)]]
    assert document.words[document.head((0, 2))] == "'s"
    done = reference.step_by_step(document, gold, system)
    assert done.errors["span_error"] == expected
    assert done.pairs == [((1, 1), (0, 2))] * expected


def test_three_spans_with_one_head() -> None:
    document = text("old JJ (TOP(NP* | big JJ (NP* | red JJ (NP* | dog NN *)))) | Bob NNP (NP*)")
    spans: list[Span] = [(0, 3), (1, 3), (2, 3)]
    assert {document.head(span) for span in spans} == {3}
    two = reference.alter_spans(document, [[(2, 3), (4, 4)]], [[(0, 3), (1, 3), (4, 4)]])
    assert two[0] == []
    one = reference.alter_spans(document, [[(2, 3), (4, 4)]], [[(0, 3), (4, 4)]])
    assert one == ([((0, 3), (2, 3))], reference.clustering([[(2, 3), (4, 4)]]))


def test_ambiguous_trim_class() -> None:
    document = text("the DT * | , , * | Acme NNP * | , , * | 's POS *")
    gold: list[list[Span]] = [[(0, 2), (2, 2)]]
    system: list[list[Span]] = [[(0, 4), (2, 3)]]
    classes = reference.ambiguous_classes(document, gold, system)
    assert classes == [(frozenset(system[0]), frozenset(gold[0]))]
    pairs, altered = reference.alter_spans(document, gold, system)
    assert pairs == [((2, 3), (2, 2))]
    assert altered == reference.clustering([[(0, 4), (2, 2)]])


@pytest.mark.parametrize(
    ("gold", "system", "operations"),
    [("0 12", "12", {"introduce": 1}), ("12", "0 12", {"split": 1, "remove": 1})],
)
def test_singletons_are_no_errors(gold: str, system: str, operations: dict[str, int]) -> None:
    done = reference.step_by_step(Toy("nnn"), tokens(gold), tokens(system))
    assert done.operations == dict.fromkeys(reference.OPERATIONS, 0) | operations
    assert not any(done.errors.values())


@pytest.mark.parametrize(
    ("words", "gold", "system", "rows"),
    [
        ("ppn", "012", "012", {"yes_yes_same": 2}),
        ("pnn", "01", "02", {"yes_yes_different": 1}),
        ("npn", "12", "01", {"yes_no": 1}),
        ("pnpp", "01", "02", {"yes_no": 1}),
        ("pnnn", "01", "23", {"yes_absent": 1}),
        ("npn", "01", "12", {"no_yes": 1}),
        ("pnnn", "23", "01", {"absent_yes": 1}),
        ("np", "01", "01", {}),
        ("pp", "01", "01", {}),
    ],
)
def test_cataphora_of_table_9(words: str, gold: str, system: str, rows: dict[str, int]) -> None:
    found = reference.cataphora(Toy(words), tokens(gold), tokens(system))
    assert found == dict.fromkeys(reference.CATAPHORA, 0) | rows


def text(columns: str) -> Parsed:
    """A sentence of words, tags and parse bits, as in `Bob NNP (NP*) | ran VBD *`."""
    rows = [token.split() for token in columns.split(" | ")]
    words, tags, parse = ([row[at] for row in rows] for at in range(3))
    return Parsed(words, tags, parse, [range(len(words))])
