"""The tables of Kummerfeld & Klein (2013) on documents in which every cell can be counted."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

import corefscope as cs
from annotated import Annotated, annotated, corpora
from corefscope.demo import KEY, RESPONSES
from corefscope.error_analysis import ErrorOptions, ErrorType
from corefscope.error_analysis.kinds import ACTIONS
from corefscope.error_analysis.tables import TABLES
from corefscope.error_analysis.tables.entities import parts
from corefscope.error_analysis.tables.phenomena import gains
from corefscope.evaluation import Evaluation
from corefscope.formatting import Value
from corefscope.results.table import Table
from error_examples import TOWN_A, TOWN_B, TOWN_KEY, document, evaluated, phrases, town
from tables import shown_rows

quiet = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")


def table(number: int, folder: Path, *texts: str) -> Table:
    """A table of systems that are given as CoNLL texts, the key first."""
    return TABLES[number](evaluated(folder, *texts))


def cells(table: Table) -> list[list[Value]]:
    return table.values


def named_rows(table: Table, labels: int = 1) -> dict[tuple[Value, ...], list[Value]]:
    """The rows by their first cells."""
    return {tuple(row[:labels]): list(row[labels:]) for row in table.values}


def f1(recall: float, precision: float) -> float:
    return 2 * recall * precision / (recall + precision)


def test_table_1(tmp_path: Path) -> None:
    """By hand, of eight key mentions: a has six, all right; b has ten, six of them right."""
    found = table(1, tmp_path, town(TOWN_KEY), town(TOWN_A), town(TOWN_B))
    a, b, most = cells(found)
    assert a[:4] == ["a", *map(pytest.approx, (f1(6 / 8, 1), f1(3 / 5, 3 / 4), f1(7 / 12, 3 / 4)))]
    assert b[:4] == [
        "b",
        *map(pytest.approx, (f1(6 / 8, 6 / 10), f1(3 / 5, 3 / 6), f1(29 / 48, 4.75 / 10))),
    ]
    assert a[4:] == [0, 1, 0, 0, 1, 0, 1]
    assert b[4:] == [1, 0, 1, 1, 0, 1, 0]
    assert most == ["most errors", None, None, None, 1, 1, 1, 1, 1, 1, 1]


def test_bars_of_table_1(tmp_path: Path) -> None:
    """One extra mention in a, two in b; no extra entity in either."""
    lines = """
    Rome/NNP     GPE  1  1  1
    Rome/NNP     GPE  1  1  1
    a/DT dog/NN  -    -  1  1
    a/DT cat/NN  -    -  -  1
    """
    found = table(1, tmp_path, *phrases(lines))
    mention, entity = found.names.index("+Ment"), found.names.index("+Ent")
    assert [row[mention] for row in shown_rows(found)] == ["1 ▄", "2 █", "2  "]
    assert [row[entity] for row in shown_rows(found)] == ["0  ", "0  ", "0  "]


SPANS = """
(S (NP (NP the/DT mayor/NN) (PP of/IN (NP Port/NNP))) (VP slept/VBD) ./.)
(S (NP (NP Port/NNP 's/POS) mayor/NN) (VP slept/VBD) ./.)
(S (NP They/PRP) (VP saw/VBD (NP his/PRP$ dog/NN) (ADVP there/RB)) ./.)
"""
SPANS_KEY = (
    "[1 the mayor of [2 Port]] slept . [1 [2 Port 's] mayor] slept . They saw [1 his dog] there ."
)
SPANS_A = (
    "[1 the mayor] of [2 Port] slept . [2 Port] 's [1 mayor] slept . They [1 saw his dog] there ."
)
"""Lacks a PP, the POS 's and the NP Port 's; has a VBD too much, and with it is no constituent."""
SPANS_B = (
    "the [1 mayor of [2 Port]] slept . [1 [2 Port 's] mayor] slept . [1 They saw his dog] there ."
)
"""Lacks a DT and has an NP and a VBD too much: two nodes. Both spans are no constituent."""


def spans(entities: str, layers: str = "tags parse names") -> str:
    names = "the mayor of [GPE Port] slept . Port 's mayor slept . They saw his dog there ."
    return document(SPANS, entities, names, layers=layers)


def test_table_2(tmp_path: Path) -> None:
    found = table(2, tmp_path, spans(SPANS_KEY), spans(SPANS_A))
    assert cells(found) == [
        ["NP", 1, 0],
        ["POS", 1, 0],
        ["PP", 1, 0],
        ["VBD", 0, 1],
        ["total", 3, 1],
    ]
    assert found.notes == ["Response mentions among these that are not constituents: 25.0 %."]


def test_table_2_averages_systems_and_multiple_nodes(
    tmp_path: Path,
) -> None:
    found = table(2, tmp_path, spans(SPANS_KEY), spans(SPANS_A), spans(SPANS_B))
    assert cells(found) == [
        ["DT", 0.5, 0],
        ["NP", 0.5, 0],
        ["POS", 0.5, 0],
        ["PP", 0.5, 0],
        ["VBD", 0, 0.5],
        ["several", 0, 0.5],
        ["total", 2, 1],
    ]
    assert found.notes == [
        "Response mentions among these that are not constituents: 50.0 %.",
        "Shares are computed over the errors of all systems.",
    ]


@pytest.mark.filterwarnings("ignore:.*W208:corefscope.CorefscopeWarning")
def test_table_2_sums_labels_after_the_tenth(tmp_path: Path) -> None:
    labels = [f"L{number:02}" for number in range(12)]
    trees = "\n".join(f"(NP ({label} big/JJ) dog/NN)" for label in labels)
    key, response = " ".join(["[1 big dog]"] * 12), " ".join(["big [1 dog]"] * 12)
    names = "[X big] dog " + "big dog " * 11
    texts = [document(trees, entities, names) for entities in (key, response)]
    rows = cells(table(2, tmp_path, *texts))
    assert rows[:10] == [[label, 1, 0] for label in labels[:10]]
    assert rows[10:] == [["other labels", 2, 0], ["total", 12, 0]]


@quiet
def test_table_2_says_where_there_is_no_parse(tmp_path: Path) -> None:
    """Without trees only mentions that differ in trimmed words are span errors: Port 's."""
    response = "the mayor of [2 Port] slept . [2 Port] 's mayor slept . They saw his dog there ."
    texts = [spans(entities, "tags names") for entities in (SPANS_KEY, response)]
    found = table(2, tmp_path, *texts)
    assert cells(found) == [["no parse", 1, 0], ["total", 1, 0]]
    assert found.notes == ["A label needs parse trees, which the key does not have."]


def test_table_2_without_span_errors(tmp_path: Path) -> None:
    found = table(2, tmp_path, spans(SPANS_KEY), spans(SPANS_KEY))
    assert cells(found) == [["total", 0, 0]]
    assert not any("does not have" in note for note in found.notes)


RAIN = """
(S (NP Anna/NNP) (VP met/VBD (NP the/DT mayor/NN)) ./.)
(S (NP It/PRP) (VP rained/VBD) ./.)
(S (NP She/PRP) (VP gave/VBD (NP him/PRP) (NP her/PRP$ hat/NN)) ./.)
(S (NP It/PRP) (VP rained/VBD) ./.)
(S (NP Anna/NNP) (VP left/VBD (NP the/DT mayor/NN)) ./.)
"""
RAIN_KEY = (
    "[1 Anna] met [2 the mayor] . It rained . [1 She] gave [2 him] [1 her] hat . "
    "It rained . [1 Anna] left [2 the mayor] ."
)
RAIN_A = (
    "[1 Anna] met [2 the mayor] . [1 It] rained . [1 She] gave [2 him] [1 her] hat . "
    "[1 It] rained . Anna left [2 the mayor] ."
)
"""Two extra It, one missing Anna."""
RAIN_B = (
    "[1 Anna] met [2 the mayor] . [1 It] rained . [1 She] gave him her [2 hat] . "
    "It rained . [1 Anna] left [2 the mayor] ."
)
"""One extra It, one extra hat; missing him and her."""


def rain(entities: str, layers: str = "tags parse names") -> str:
    names = (
        "[PERSON Anna] met the mayor . It rained . She gave him her hat . "
        "It rained . Anna left the mayor ."
    )
    return document(RAIN, entities, names, layers=layers)


def test_table_3(tmp_path: Path) -> None:
    """Of two names two are coreferent, of three noun phrases two, of five pronouns three."""
    found = table(3, tmp_path, rain(RAIN_KEY), rain(RAIN_A), rain(RAIN_B))
    assert found.names == ["mention", "extra", "missing", "count", "coreferent"]
    assert cells(found) == [
        ["Proper name", 0, 0.5, 2, 1],
        ["Nominal", 0.5, 0, 3, 2 / 3],
        ["Pronoun", 1.5, 1, 5, 3 / 5],
        ["“it”", 1.5, 0, 2, 0],
        ["“her”", 0, 0.5, 1, 1],
        ["“him”", 0, 0.5, 1, 1],
        ["total", 2, 1.5, 10, 7 / 10],
    ]


def test_counts_are_whole_and_means_have_a_digit(tmp_path: Path) -> None:
    one = shown_rows(table(3, tmp_path, rain(RAIN_KEY), rain(RAIN_A)))
    two = shown_rows(table(3, tmp_path, rain(RAIN_KEY), rain(RAIN_A), rain(RAIN_B)))
    assert ["“it”", "2", "0", "2", "0.00"] in one
    assert ["“it”", "1.5", "0.0", "2", "0.00"] in two
    assert ["Nominal", "0.5", "0.0", "3", "66.67"] in two


@quiet
def test_table_3_without_a_parse(tmp_path: Path) -> None:
    texts = [rain(entities, "tags names") for entities in (RAIN_KEY, RAIN_A)]
    found = table(3, tmp_path, *texts)
    assert found.names == ["mention", "extra", "missing"]
    assert cells(found) == [
        ["Proper name", 0, 1],
        ["Nominal", 0, 0],
        ["Pronoun", 2, 0],
        ["“it”", 2, 0],
        ["total", 2, 1],
    ]
    assert found.notes == ["Counting candidates needs parse trees, which the key does not have."]


def test_table_3_names_seven_pronouns(tmp_path: Path) -> None:
    words = ["it", "he", "she", "they", "we", "you", "us", "them"]
    lines = ["Anna/NNP  PERSON  1  1"] * 2 + [f"{word}/PRP  -  -  1" for word in [*words, "them"]]
    rows = named_rows(table(3, tmp_path, *phrases("\n".join(lines))))
    named = [str(label).strip("“”") for (label,) in rows if str(label).startswith("“")]
    assert named == ["them", "he", "it", "she", "they", "us", "we"], "you comes last"
    assert rows["Pronoun",][:2] == [9, 0]


MATCHES = """
Anna/NNP Smith/NNP   PERSON  1  1
the/DT mayor/NN      -       1  1
Anna/NNP Smith/NNP   PERSON  -  1
anna/NNP smith/NNP   PERSON  -  1
Ms./NNP Smith/NNP    -       -  1
Port/NNP             GPE     -  1
the/DT mayor/NN      -       -  1
a/DT mayor/NN        -       -  1
three/CD days/NNS    DATE    -  1
a/DT Frenchman/NN    PERSON  -  1
Bert/NNP Jones/NNP   PERSON  2  2
the/DT driver/NN     -       2  2
Bert/NNP Jones/NNP   PERSON  2  -
Mr./NNP Jones/NNP    PERSON  2  -
Jones/NNP            ORG     2  -
Rome/NNP             -       2  -
his/PRP$ driver/NN   -       2  -
the/DT man/NN        -       2  -
The/DT man/NN        -       2  -
"""


def test_table_4(tmp_path: Path) -> None:
    found = table(4, tmp_path, *phrases(MATCHES))
    assert cells(found) == [
        ["Text match", 2, 1, 1, 2],
        ["Head match", 1, 2, 1, 1],
        ["Other", 1, 1, 2, 0],
        ["NER matches", 2, 2, 1, 0],
        ["NER differs", 1, 1, 1, 0],
        ["NER unknown", 1, 1, 2, 3],
        ["total", 4, 4, 4, 3],
    ]
    assert found.notes == []


LETTERS = {"n": "Rome/NNP", "d": "a/DT dog/NN", "p": "it/PRP"}
"""A name, a nominal, a pronoun."""


def entities(extra: list[str], missing: list[str]) -> list[str]:
    """Key and response of entities that are spelt by the types of their mentions."""
    sides = [("-", str(i), word) for i, word in enumerate(extra)]
    sides += [(str(i), "-", word) for i, word in enumerate(missing)]
    lines = [f"{LETTERS[c]}  X  {key}  {response}" for key, response, word in sides for c in word]
    return phrases("\n".join(lines))


def test_table_5_counts_entities_by_composition(tmp_path: Path) -> None:
    extra = ["dp", "np", "nd", "nn", "dd", "pp", "nnn", "ddd", "pppp", "pp", "nnd", "ndp"]
    missing = ["dp", "pd", "dd", "nnnn", "ddddd", "nnnp"]
    found = table(5, tmp_path, *entities(extra, missing))
    assert cells(found) == [
        ["0", "1", "1", 1, 2],
        ["1", "0", "1", 1, 0],
        ["1", "1", "0", 1, 0],
        ["2", "0", "0", 1, 0],
        ["0", "2", "0", 1, 1],
        ["0", "0", "2", 2, 0],
        ["3+", "0", "0", 1, 1],
        ["0", "3+", "0", 1, 1],
        ["0", "0", "3+", 1, 0],
        ["other", None, None, 2, 1],
        ["total", None, None, 12, 6],
    ]


def test_table_5_missing_entity_found_as_pronouns(
    tmp_path: Path,
) -> None:
    """The key entity is Rome, Rome and it; of it only the pronoun is in the response."""
    lines = "Rome/NNP  X  1  -\nRome/NNP  X  1  -\nit/PRP  -  1  1\nshe/PRP  -  -  1"
    rows = named_rows(table(5, tmp_path, *phrases(lines)), labels=3)
    assert rows["other", None, None] == [0, 1]
    assert rows["2", "0", "0"] == [0, 0]


MATCHING = """
Rome/NNP              GPE  -  1
rome/NNP              GPE  -  1
the/DT dog/NN         -    -  2
the/DT dog/NN         -    -  2
it/PRP                -    -  3
It/PRP                -    -  3
Rome/NNP              GPE  -  4
ancient/JJ Rome/NNP   -    -  4
the/DT dog/NN         -    -  5
a/DT dog/NN           -    -  5
Rome/NNP              GPE  -  6
Oslo/NNP              GPE  -  6
the/DT dog/NN         -    -  7
the/DT cat/NN         -    -  7
it/PRP                -    -  8
she/PRP               -    -  8
Rome/NNP              GPE  -  9
it/PRP                -    -  9
the/DT man/NN         -    1  -
a/DT man/NN           -    1  -
the/DT boy/NN         -    2  -
the/DT girl/NN        -    2  -
the/DT boss/NN        -    3  -
the/DT chef/NN        -    3  -
"""


def test_table_6(tmp_path: Path) -> None:
    """Rome and it are of two types and are not counted."""
    assert cells(table(6, tmp_path, *phrases(MATCHING))) == [
        ["Exact", "Proper name", 1, 0],
        ["Exact", "Nominal", 1, 0],
        ["Exact", "Pronoun", 1, 0],
        ["Head", "Proper name", 1, 0],
        ["Head", "Nominal", 1, 1],
        ["None", "Proper name", 1, 0],
        ["None", "Nominal", 1, 2],
        ["None", "Pronoun", 1, 0],
        ["total", None, 8, 3],
    ]


def pairs(pronouns: list[str], other: str, key: bool) -> list[str]:
    side = ("{}  -", "-  {}")[not key]
    return [
        f"{word}  -  {side.format(number)}"
        for number, pronoun in enumerate(pronouns)
        for word in (other, f"{pronoun}/PRP")
    ]


def test_table_7(tmp_path: Path) -> None:
    """It and it are one row; entities of two pronouns, or of three mentions, are in none."""
    lines = pairs(["it", "It", "he"], "a/DT dog/NN", key=False) + pairs(
        ["that", "it"], "Rome/NNP", key=True
    )
    lines += [f"{word}/PRP  -  -  8" for word in ("she", "her")]
    lines += ["Rome/NNP  X  -  9", "a/DT dog/NN  -  -  9", "she/PRP  -  -  9"]
    assert cells(table(7, tmp_path, *phrases("\n".join(lines)))) == [
        ["it", 2, 1],
        ["he", 1, 0],
        ["that", 0, 1],
        ["any pronoun", 3, 2],
    ]


def test_table_7_sums_pronouns_after_the_tenth(tmp_path: Path) -> None:
    pronouns = ["he", "her", "him", "his", "it", "its", "our", "she", "them", "they", "us", "we"]
    lines = ["Rome/NNP  GPE  90  90"] * 2 + pairs(pronouns, "a/DT dog/NN", key=True)
    rows = cells(table(7, tmp_path, *phrases("\n".join(lines))))
    assert rows[:10] == [[pronoun, 0, 1] for pronoun in pronouns[:10]]
    assert rows[10:] == [["other pronouns", 0, 2], ["any pronoun", 0, 12]]


PARTS = """
Anna/NNP       PERSON  1   1
Anna/NNP       PERSON  1   1
she/PRP        -       1   2
the/DT dog/NN  -       2   2
it/PRP         -       2   2
Bert/NNP       PERSON  5   5
he/PRP         -       5   5
a/DT cat/NN    -       4   5
a/DT cat/NN    -       4   5
Rome/NNP       GPE     6   6
Rome/NNP       GPE     6   6
it/PRP         -       6   7
it/PRP         -       6   7
Oslo/NNP       GPE     9   9
Oslo/NNP       GPE     9   9
he/PRP         -       9   5
the/DT boy/NN  -       10  10
the/DT boy/NN  -       10  10
Tim/NNP        PERSON  10  11
Tim/NNP        PERSON  10  11
"""
"""Conflated: she with the dog, the cats (a whole entity) and he with Bert. Divided: she, he, and
two whole entities of the response: it twice, Tim twice."""


def test_table_8(tmp_path: Path) -> None:
    found = table(8, tmp_path, *phrases(PARTS))
    assert cells(found) == [
        ["-", "-", "1+", "1+", "-", "-", 0, 3],
        ["-", "-", "1+", "-", "1+", "1+", 1, 0],
        ["-", "-", "1+", "1+", "1+", "1+", 1, 0],
        ["-", "1+", "-", "1+", "-", "1+", 1, 0],
        ["1+", "-", "-", "-", "1+", "-", 0, 1],
        ["total", None, None, None, None, None, 3, 4],
    ]
    assert found.notes == [
        "The part is one pronoun: 66.7 % of conflated, 50.0 % of divided.",
        "Conflated parts that are a whole key entity: 33.3 %.",
        "Divided parts that were a whole response entity: 50.0 %.",
    ]


def test_table_8_adds_up_rare_patterns(tmp_path: Path) -> None:
    rows = cells(parts(evaluated(tmp_path, *phrases(PARTS)), most=2))
    assert rows[1:] == [
        ["-", "-", "1+", "-", "1+", "1+", 1, 0],
        ["other", None, None, None, None, None, 2, 1],
        ["total", None, None, None, None, None, 3, 4],
    ]


def test_shares_of_nothing_are_a_dash(tmp_path: Path) -> None:
    found = table(8, tmp_path, *phrases("Rome/NNP  GPE  1  1\nRome/NNP  GPE  1  1"))
    assert found.notes[0] == "The part is one pronoun: – of conflated, – of divided."


CATAPHORA = """
it/PRP           -       1  1  1
the/DT dog/NN    -       1  1  1
he/PRP           -       2  2  2
Bert/NNP         PERSON  2  -  2
Bert/NNP         PERSON  2  2  2
she/PRP          -       3  3  3
she/PRP          -       3  3  3
Anna/NNP         PERSON  3  -  3
they/PRP         -       4  -  4
the/DT boys/NNS  -       4  4  4
the/DT boys/NNS  -       4  4  4
we/PRP           -       5  5  5
us/PRP           -       5  -  5
the/DT girls/NNS  -      -  5  -
it/PRP           -       -  6  -
it/PRP           -       -  6  -
it/PRP           -       -  6  -
a/DT cat/NN      -       -  6  -
"""
"""The second response is the key, whose cataphoric pronouns are it, he, she twice and they."""


def test_table_9_tells_six_kinds_of_cataphora(tmp_path: Path) -> None:
    key, a, b = phrases(CATAPHORA)
    assert cells(table(9, tmp_path, key, a)) == [
        ["cataphoric", "cataphoric, same referent", 1],
        ["cataphoric", "cataphoric, different referent", 1],
        ["cataphoric", "not cataphoric", 2],
        ["cataphoric", "not present", 1],
        ["not cataphoric", "cataphoric", 1],
        ["not present", "cataphoric", 3],
    ]
    assert [row[-1] for row in cells(table(9, tmp_path, key, b))] == [5, 0, 0, 0, 0, 0]
    both = table(9, tmp_path, key, a, b)
    assert [row[-1] for row in cells(both)] == [3, 0.5, 1, 0.5, 0.5, 1.5]
    assert [row[-1] for row in shown_rows(both)] == ["3.0", "0.5", "1.0", "0.5", "0.5", "1.5"]


def score(key: Path, corpus: cs.Corpus) -> cs.Scores:
    return cs.score(key, corpus, metrics=["mentions", "muc", "b3"])


def test_table_10(tmp_path: Path) -> None:
    """Scored anew from the corrected corpora, and averaged over the systems."""
    found = evaluated(tmp_path, town(TOWN_KEY), town(TOWN_A), town(TOWN_B))
    key = tmp_path / "key.conll"
    for type, row in zip(ErrorType, TABLES[10](found).values, strict=True):
        gained: list[list[float]] = []
        for system in found:
            base = "none" if type is ErrorType.SPAN_ERROR else "span_error"
            before = score(key, system.errors.corrected(base)).metrics
            after = score(key, system.errors.corrected(type)).metrics
            gained.append(
                [
                    getattr(after[metric], part) - getattr(before[metric], part)
                    for metric in ("mentions", "muc", "b3")
                    for part in ("precision", "recall", "f1")
                ]
            )
        means = [sum(values) / 2 for values in zip(*gained, strict=True)]
        assert row[0] == type.label
        assert list(row[1:]) == pytest.approx(means)


def test_gains_that_can_be_counted(tmp_path: Path) -> None:
    """With a dog and It all eight mentions are there; without met and liked six of eight are."""
    found = evaluated(tmp_path, town(TOWN_KEY), town(TOWN_A))
    rows = named_rows(TABLES[10](found))
    assert rows["Missing Entity",][:3] == pytest.approx([0, 2 / 8, 1 - f1(6 / 8, 1)])
    assert rows["Extra Entity",] == [0.0] * 9
    # In b dog becomes a dog: seven of eight, of ten.
    found = evaluated(tmp_path, town(TOWN_KEY), town(TOWN_B))
    by_type = TABLES[10](found)
    rows = named_rows(by_type)
    assert rows["Span Error",][:3] == pytest.approx(
        [1 / 10, 1 / 8, f1(7 / 8, 7 / 10) - f1(6 / 8, 6 / 10)]
    )
    assert rows["Extra Entity",][:2] == pytest.approx([7 / 8 - 7 / 10, 0])
    assert shown_rows(by_type)[0][:2] == ["Span Error", "+10.00"]


def test_the_steps_add_up_to_all_that_is_lost(tmp_path: Path) -> None:
    found = evaluated(tmp_path, town(TOWN_KEY), town(TOWN_B))
    *_, steps = gains(found)
    assert steps.names == [
        *("error", "Mentions", "MUC", "B³", "CEAFm", "CEAFe", "BLANC", "LEA", "CoNLL"),
    ]
    before = cs.score(tmp_path / "key.conll", tmp_path / "a.conll")
    lost = [1 - each.f1 for each in before.metrics.values()]
    assert before.conll is not None
    *rows, score_before = steps.values
    columns = list(zip(*(row[1:] for row in rows), strict=True))
    sums = [sum(float(value or 0) for value in column) for column in columns]
    assert sums == pytest.approx([*lost, 1 - before.conll])
    assert score_before[0] == "uncorrected F1" and steps.totals == 1
    assert list(score_before[1:]) == pytest.approx([1 - each for each in (*lost, 1 - before.conll)])
    assert steps.notes == [
        "After the last step the response equals the key. Gains add up and depend on the order."
    ]


def test_gains_above_their_score(tmp_path: Path) -> None:
    """Gains are shown as points with a sign, scores as everywhere; of two systems, the means."""
    found = evaluated(tmp_path, town(TOWN_KEY), town(TOWN_A), town(TOWN_B))
    scores = [cs.score(tmp_path / "key.conll", tmp_path / f"{name}.conll") for name in "ab"]
    mean = sum(score.metrics["muc"].f1 for score in scores) / 2
    actions, alone, steps = gains(found)
    assert next(row[0] for row in actions.rows) == "Wrong Links"
    assert actions.columns[0].name == "action"
    shown = [row[-1] for row in actions.values[:-1]]
    assert shown == sorted(shown, key=lambda gain: -float(gain or 0)) and len(shown) == len(ACTIONS)
    assert alone.title == "Gain in F1 if all errors of one type are corrected (mean of 2 systems)"
    assert steps.title is not None and steps.title.endswith(" order (mean of 2 systems)")
    assert alone.notes[-1] == "Each gain is that of correcting one type alone; gains do not add up."
    for each in (alone, steps):
        assert [row[0] for row in each.rows] == [
            *(type.label for type in ErrorType),
            "uncorrected F1",
        ]
        assert each.values[-1][2] == pytest.approx(mean)
        *above, last = shown_rows(each)
        assert last[2] == f"{100 * mean:.2f}"
        assert all(row[2][0] in "+-" for row in above)


AGREEMENT = """
Anna/NNP       PERSON  1  1  -
Rome/NNP       GPE     1  1  -
he/PRP         -       2  2  -
she/PRP        -       2  2  -
I/PRP          -       3  2  -
we/PRP         -       3  2  -
I/PRP          -       4  4  -
he/PRP         -       4  4  -
the/DT dog/NN  -       5  5  5
it/PRP         -       5  5  5
"""


def test_table_11(tmp_path: Path) -> None:
    """Each property in one of five key entities; in a, he and she are with I and we."""
    key, a, b = phrases(AGREEMENT)
    assert cells(table(11, tmp_path, key, a)) == [
        ["named-entity type", 1 / 4, 1 / 5],
        ["number", 1 / 4, 1 / 5],
        ["person", 2 / 4, 1 / 5],
        ["gender", 1 / 4, 1 / 5],
    ]
    averaged = table(11, tmp_path, key, a, b)
    assert [row[1] for row in averaged.values] == [1 / 8, 1 / 8, 1 / 4, 1 / 8], "b has one entity"
    assert len(averaged.notes) == 1


@quiet
def test_table_11_without_named_entities(tmp_path: Path) -> None:
    found = table(11, tmp_path, *phrases(AGREEMENT, layers="tags parse"))
    assert cells(found)[0] == ["named-entity type", 0, 0]
    assert "Types need named entities, which the key does not have." in found.notes


@quiet
def test_matches_need_words_and_tables_say_so(tmp_path: Path) -> None:
    key = {"d": [["a", "b"], ["c", "d"]]}
    wordless = cs.evaluate(key, {"a": {"d": [["a", "b", "x"]]}})
    for number in (4, 6):
        assert TABLES[number](wordless).notes == [
            "Matching needs words, which some documents do not have."
        ]
    types = named_rows(TABLES[3](wordless))
    assert types["Unknown",] == types["total",] == [1, 0] and types["Nominal",] == [0, 0], "x"
    assert TABLES[5](wordless).rows[-1][-2:] == [0, 1], "c and d"


def test_gains_say_why_they_do_not_start_at_the_score() -> None:
    key = {"d": [["a", "b"], ["c"], ["d", "e"]]}
    dropped = cs.evaluate(key, {"a": {"d": [["a", "b"], ["d"], ["c", "e"]]}})
    said = "Errors are analysed with singletons:drop, so gains do not start at the score."
    assert gains(dropped)[0].notes[1] == said
    kept = replace(dropped, error_options=ErrorOptions(singletons="keep"))
    assert said not in gains(kept)[0].notes
    two = {"d": [["a", "b"]], "e": [["a", "b", "c", "d"]]}
    wrong = {"d": [["a", "b"]], "e": [["a", "b"], ["c", "d"]]}
    macro = cs.evaluate(two, {"a": wrong}, profile="macro")
    assert "with singletons:drop, average:micro, so" in gains(macro)[0].notes[1]


def counts(number: int, found: Evaluation) -> dict[tuple[Value, ...], list[Value]]:
    return named_rows(TABLES[number](found), {5: 3, 6: 2, 8: 6}.get(number, 1))


def totals_are_the_counts(found: Evaluation) -> None:
    """All tables count the same errors."""
    errors = found["a"].errors.errors
    assert list(TABLES[1](found).rows[0][4:]) == list(errors.values())
    mentions = [errors["extra_mention"], errors["missing_mention"]]
    entities = [errors["extra_entity"], errors["missing_entity"]]
    by_type = counts(3, found)
    assert by_type["total",][:2] == mentions
    pronouns = by_type["Pronoun",][:2]
    extra_name, missing_name, extra_noun, missing_noun = counts(4, found)["total",]
    assert add([extra_name, missing_name], [extra_noun, missing_noun], pronouns) == mentions
    assert counts(5, found)["total", None, None] == entities
    parts = [errors["conflated_entities"], errors["divided_entity"]]
    assert counts(8, found)["total", *[None] * 5] == parts


def rows_add_up(found: Evaluation) -> None:
    """Above each total stand the rows that it is the sum of."""
    for number in (2, 5, 6, 7, 8):
        *rows, total = counts(number, found).values()
        assert add([0, 0], *rows) == total, f"table {number}"
    text, head, other, matches, differs, unknown, total = counts(4, found).values()
    assert add(text, head, other) == add(matches, differs, unknown) == total
    names, nominals, pronouns, *_, total = (row[:2] for row in counts(3, found).values())
    assert add(names, nominals, pronouns) == total


def add(*rows: list[Value]) -> list[int]:
    return [sum(int(value or 0) for value in column) for column in zip(*rows, strict=True)]


@quiet
@settings(max_examples=60)
@given(annotated())
def test_the_tables_of_any_document_add_up(
    tmp_path_factory: pytest.TempPathFactory, document: Annotated
) -> None:
    key, response = corpora(document, tmp_path_factory.mktemp("any") / "text.conll")
    found = cs.evaluate(key, {"a": response})
    totals_are_the_counts(found)
    rows_add_up(found)


@pytest.mark.parametrize("system", RESPONSES)
def test_the_tables_of_the_demo_add_up(system: str) -> None:
    found = cs.evaluate(KEY, {"a": RESPONSES[system]})
    totals_are_the_counts(found)
    rows_add_up(found)
