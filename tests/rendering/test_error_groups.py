"""Confusion groups as text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from rich.cells import cell_len

import corefscope as cs
from annotated import Annotated, annotated, corpora
from corefscope.demo import KEY, RESPONSES
from corefscope.error_analysis import Analysis, ErrorRecord
from corefscope.rendering.errors.groups import Line, group_lines
from error_examples import TOWN_A, TOWN_B, TOWN_KEY, analyses, document, phrases, town

quiet = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
RULE = "─" * 80
LEGEND = "R: a response entity; K: the key entity of a mention; ✗: not in the key"


def shown(analysis: Analysis, errors: Sequence[ErrorRecord] | None = None) -> list[Line]:
    chosen = analysis.records if errors is None else errors
    return list(group_lines(analysis.documents, chosen, analysis.matching))


def plain(analysis: Analysis, errors: Sequence[ErrorRecord] | None = None) -> str:
    lines = shown(analysis, errors)
    return "".join("".join(part.text for part in line).rstrip() + "\n" for line in lines)


def test_group_shows_entities_missing_mentions_and_errors(tmp_path: Path) -> None:
    (a,) = analyses(tmp_path, town(TOWN_KEY), town(TOWN_A))
    assert (
        plain(a)
        == f"""\
{LEGEND}
{RULE}
(d); part 000
group 0: 2 response entities, 2 key entities

R1  4 mentions
  K1    0          [Anna] met the mayor .
  K1    5          [She] liked him .
  K2    7          She liked [him] .
  K1    17         It liked [Anna] .

R2  2 mentions
  K2    2–3        Anna met [the mayor] .
  K2    9–10       [The mayor] saw a dog .

Errors
  1 Conflated Entities
      “him” (7) belongs to K2, not with the rest of R1
  1 Divided Entity
      “him” (7) of K2 is in R1, apart from the rest

{RULE}
(d); part 000
group 1: 0 response entities, 1 key entity

Missing
  K3    12–13      The mayor saw [a dog] .
  K3    15         [It] liked Anna .

Errors
  1 Missing Entity
      “a dog” (12–13), “It” (15): the response has no mention of K3

"""
    )


def test_spurious_and_fixed_mentions(
    tmp_path: Path,
) -> None:
    (b,) = analyses(tmp_path, town(TOWN_KEY), town(TOWN_B))
    text = plain(b)
    assert "  ✗     11         The mayor [saw] a dog .\n" in text
    assert text.count("  ✗ ") == 3, "met, liked, saw"
    (mended,) = [line for line in text.splitlines() if "(was 13" in line]
    assert mended.startswith("  K3    12–13      The mayor saw [a dog] .")


def test_only_groups_of_chosen_errors(tmp_path: Path) -> None:
    (b,) = analyses(tmp_path, town(TOWN_KEY), town(TOWN_B))
    (extra,) = [error for error in b.records if error.type == "extra_mention"]
    text = plain(b, [extra])
    assert text.count(RULE) == 1 and "1 Extra Mention" in text
    assert "R3  4 mentions" in text and "R2" not in text
    assert "(1 other" not in text and "not selected" not in text, "it has no other error"


def test_unchosen_errors_of_a_group_are_counted(tmp_path: Path) -> None:
    """In the group of Anna and the mayor one error is hidden, or two of three; else nothing."""
    lines = """
    Anna/NNP  PERSON  1  1
    Anna/NNP  PERSON  1  1
    Rome/NNP  GPE     2  1
    Rome/NNP  GPE     2  2
    it/PRP    -       2  2
    Rome/NNP  GPE     2  -
    """
    (analysis,) = analyses(tmp_path, *phrases(lines))
    conflated, divided, missing = analysis.records
    assert "not selected" not in plain(analysis)
    two = plain(analysis, [conflated, missing]).splitlines()
    assert "  (1 other error of this group not selected)" in two
    one = plain(analysis, [divided]).splitlines()
    assert "  (2 other errors of this group not selected)" in one
    assert one[-1] == "", "they are counted below the errors that are shown"
    assert one[-2].endswith("not selected)")


def test_nothing_is_shown_of_no_errors(tmp_path: Path) -> None:
    (analysis,) = analyses(tmp_path, town(TOWN_KEY), town(TOWN_A))
    assert plain(analysis, []) == "", "not even the legend"


def test_the_legend_stands_once_above_all_groups(tmp_path: Path) -> None:
    names = "(x)", "(y)"
    key = "".join(town(TOWN_KEY, name) for name in names)
    (analysis,) = analyses(tmp_path, key, "".join(town(TOWN_A, name) for name in names))
    text = plain(analysis)
    assert text.startswith(LEGEND) and text.count(LEGEND) == 1
    assert text.count(RULE) == 4


def test_groups_in_text_order_without_correct_ones(
    tmp_path: Path,
) -> None:
    """Oslo is right; Rome and Bonn lack a mention."""
    lines = """
    Rome/NNP  GPE  3  3
    Oslo/NNP  GPE  2  2
    Bonn/NNP  GPE  1  1
    Bonn/NNP  GPE  1  1
    Bonn/NNP  GPE  1  -
    Oslo/NNP  GPE  2  2
    Rome/NNP  GPE  3  3
    Rome/NNP  GPE  3  -
    """
    (analysis,) = analyses(tmp_path, *phrases(lines))
    blocks = [line for line in plain(analysis).splitlines() if line.endswith("  2 mentions")]
    assert blocks == ["R1  2 mentions", "R3  2 mentions"]


def test_forty_mentions_of_a_large_entity(tmp_path: Path) -> None:
    lines = "Rome/NNP  GPE  1  1\n" * 43 + "Rome/NNP  GPE  1  -\n"
    (analysis,) = analyses(tmp_path, *phrases(lines))
    text = plain(analysis)
    assert "R1  43 mentions" in text and "  … and 3 more\n" in text
    assert text.count("[Rome]") == 40 + 1


def tags_and_styles(lines: list[Line]) -> set[tuple[str, str]]:
    """The tag of each mention, and the style that it and the mention have."""
    found = set()
    for line in lines:
        if len(line) > 2:
            (
                tag,
                *_,
            ) = line
            styles = {tag.style} | {part.style for part in line if part.text.startswith("[")}
            assert len(styles) == 1, "tag and mention look alike"
            found.add((tag.text.strip(), tag.style))
    return found


def test_key_entity_has_one_colour_in_every_system(tmp_path: Path) -> None:
    a, b = analyses(tmp_path, town(TOWN_KEY), town(TOWN_A), town(TOWN_B))
    ours, theirs = dict(tags_and_styles(shown(a))), dict(tags_and_styles(shown(b)))
    assert ours.keys() == {"K1", "K2", "K3"} and theirs.keys() == {"K1", "K2", "K3", "✗"}
    assert len(set(ours.values())) == 3
    assert {tag: theirs[tag] for tag in ours} == ours
    assert theirs["✗"] == "bold red" and "red" not in "".join(ours.values())


@quiet
def test_mentions_that_are_no_spans() -> None:
    analysis = cs.analyze([["left", "right"], ["up", "down"]], [["left", "up"], ["right", "down"]])
    for mention in ("left", "right", "up", "down"):
        assert f" {mention}\n" in plain(analysis)


@quiet
def test_mentions_without_words() -> None:
    analysis = cs.analyze([[(0, 1), (3, 3)]], [[(0, 1), (3, 3), (5, 6)]])
    assert "  K1    0–1\n  K1    3\n  ✗     5–6\n" in plain(analysis)


def too_wide(text: str) -> list[str]:
    return [line for line in text.splitlines() if cell_len(line) > 80]


@pytest.mark.parametrize("system", RESPONSES)
def test_groups_of_the_demo_fit_into_80_columns(system: str) -> None:
    assert too_wide(plain(cs.analyze(KEY, RESPONSES[system]))) == []


@quiet
@settings(max_examples=60)
@given(annotated())
def test_groups_fit_into_80_columns(
    tmp_path_factory: pytest.TempPathFactory, document: Annotated
) -> None:
    analysis = cs.analyze(*corpora(document, tmp_path_factory.mktemp("any") / "text.conll"))
    assert too_wide(plain(analysis)) == []


def sentence_of(words: list[str], label: str = "1") -> list[str]:
    """A key with three mentions in one sentence, and a response with the first two of them.

    The boundary of the second, which has seven words, is wrong by one.
    """
    tree = f"(S {' '.join(f'{word}/NN' for word in words)})"
    first, second, last = f"[{label} {words[3]}]", words[13:20], f"[{label} {words[-1]}]"

    def marked(start: int, end: str) -> str:
        middle = [*second[:start], f"[{label}", *second[start:]]
        return " ".join([*words[:3], first, *words[4:13], *middle, "]", *words[20:-1], end])

    names = " ".join([f"[X {words[0]}]", *words[1:]])
    sides = marked(0, last), marked(1, words[-1])
    return [document(tree, entities, names) for entities in sides]


WORDS = {
    "short": "a",
    "long": "Donaudampfschifffahrtsgesellschaftskapitän",
    "endless": "x" * 200,
    "wide": "漢字",
    "wide and endless": "漢" * 60,
}


@pytest.mark.parametrize("word", WORDS.values(), ids=WORDS.keys())
def test_any_words_fit_into_80_columns(word: str, tmp_path: Path) -> None:
    (analysis,) = analyses(tmp_path, *sentence_of([word] * 30))
    text = plain(analysis)
    assert "1 Span Error" in text and "1 Missing Mention" in text
    assert too_wide(text) == []


def test_long_labels_are_not_shown(tmp_path: Path) -> None:
    (analysis,) = analyses(tmp_path, *sentence_of(["word"] * 30, label="123456789"))
    text = plain(analysis)
    assert too_wide(text) == []
    assert "  K1    3 " in text and "123456789" not in text, "entities are named by their place"


def test_long_names_fit_and_stand_apart(tmp_path: Path) -> None:
    """Before the entity that lacks a mention stand ten thousand others."""
    ids = range(2, 10_002)
    before = "\n".join(f"x 0 0 x NN (S*) - - - - * ({id})\n" for id in (*ids, *ids))
    texts = [text.replace("\n", f"\n{before}\n", 1) for text in sentence_of(["word"] * 30)]
    (analysis,) = analyses(tmp_path, *texts)
    text = plain(analysis)
    assert too_wide(text) == []
    assert "\nR10001  2 mentions\n" in text
    assert "  K10001 20003 " in text, "name and place are two words"


def test_places_far_into_a_document(tmp_path: Path) -> None:
    """The mentions are at 12003, 12013–12019 and 12029."""
    far = "\n".join(["x 0 0 x NN (S*) - - - - * -", ""] * 12_000)
    texts = [text.replace("\n", f"\n{far}\n", 1) for text in sentence_of(["word"] * 30)]
    (analysis,) = analyses(tmp_path, *texts)
    text = plain(analysis)
    assert "12013–12019 " in text, "place and words are apart"
    assert too_wide(text) == []
