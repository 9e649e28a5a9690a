"""The paper's Figure 2 (a transformation) and Figure 3 (one example a type), written out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

import corefscope as cs
from corefscope.error_analysis import Analysis
from evaluations import analysis_of

NONE = {
    "span_error": 0,
    "conflated_entities": 0,
    "extra_mention": 0,
    "extra_entity": 0,
    "divided_entity": 0,
    "missing_mention": 0,
    "missing_entity": 0,
}


@dataclass(frozen=True)
class Phrase:
    """A noun phrase of a text, and the entities that it is a mention of."""

    words: str
    """Words with their tags: ``the/DT dog/NN``."""
    key: str = "-"
    response: str = "-"


def text(phrases: Sequence[Phrase], side: str) -> str:
    """Return one sentence a phrase, each a noun phrase before a verb."""
    lines = ["#begin document figure"]
    for phrase in phrases:
        tokens = [token.rsplit("/", 1) for token in phrase.words.split()]
        entity = getattr(phrase, side)
        cells = _cells(entity, len(tokens))
        for number, ((word, tag), cell) in enumerate(zip(tokens, cells, strict=True)):
            opens, closes = number == 0, number == len(tokens) - 1
            bit = "(S(NP" * opens + "*" + ")" * closes
            lines.append(f"x 0 {number} {word} {tag} {bit} - - - - * {cell}")
        lines += [f"x 0 {len(tokens)} passes VBZ (VP*)) - - - - * -", ""]
    return "\n".join([*lines, "#end document", ""])


def _cells(entity: str, length: int) -> list[str]:
    """Return the cells of a phrase; ``a:1-2`` is a mention of its second and third word only."""
    label, _, place = entity.partition(":")
    first, last = (int(t) for t in place.split("-")) if place else (0, length - 1)
    cells = ["-"] * length
    if label == "-":
        return cells
    if first == last:
        cells[first] = f"({label})"
    else:
        cells[first], cells[last] = f"({label}", f"{label})"
    return cells


def analysed(phrases: Sequence[Phrase], folder: Path) -> Analysis:
    for side in ("key", "response"):
        (folder / f"{side}.conll").write_text(text(phrases, side), encoding="utf-8")
    return analysis_of(cs.read(folder / "key.conll"), cs.read(folder / "response.conll"))


FIGURE_2 = [
    # The leftmost response entity: red mentions, blue ones, and an X that a wrong boundary makes.
    Phrase("red/NN", "red", "left"),
    Phrase("rust/NN", "red", "left"),
    Phrase("light/JJ blue/NN", "blue", "left:1-1"),
    Phrase("sky/NN", "blue", "left"),
    # The middle one: red mentions and an X.
    Phrase("ruby/NN", "red", "middle"),
    Phrase("wine/NN", "red", "middle"),
    Phrase("wood/NN", "-", "middle"),
    # The rightmost one: nothing but X.
    Phrase("iron/NN", "-", "right"),
    Phrase("tin/NN", "-", "right"),
    Phrase("zinc/NN", "-", "right"),
    # Missing: a blue mention, and the white entity.
    Phrase("sea/NN", "blue", "-"),
    Phrase("snow/NN", "white", "-"),
    Phrase("milk/NN", "white", "-"),
]


def test_figure_2(tmp_path: Path) -> None:
    analysis = analysed(FIGURE_2, tmp_path)
    assert analysis.operations == {
        "alter_span": 1,
        # Left into red and blue, middle into red and an X, right into three; the paper counts
        # one piece less of each than the published tool.
        "split": 2 + 2 + 3,
        "remove": 4,
        "introduce": 3,
        # Red of two pieces, blue of one and the new mention, white of two new ones.
        "merge": 2 + 2 + 2,
    }
    assert analysis.errors == {
        "span_error": 1,
        "conflated_entities": 1,  # blue with red
        "extra_mention": 1,  # the X of the middle entity
        "extra_entity": 1,  # the rightmost entity
        "divided_entity": 1,  # red
        "missing_mention": 1,  # of blue
        "missing_entity": 1,  # white
    }


def test_figure_2_ends_in_the_key(tmp_path: Path) -> None:
    analysis = analysed(FIGURE_2, tmp_path)
    last = analysis.corrected("missing_entity", cumulative=True)
    scores = cs.score(analysis.matching.key, last)
    assert scores.conll == 1


FIGURE_3 = {
    "span_error": [
        Phrase("Soviet/JJ leader/NN Gorbachev/NNP", "g", "g:2-2"),
        Phrase("he/PRP", "g", "g"),
    ],
    "missing_entity": [
        Phrase("the/DT pills/NNS", "p", "-"),
        Phrase("the/DT tranquilizing/JJ pills/NNS", "p", "-"),
    ],
    "extra_entity": [
        Phrase("human/JJ rights/NNS", "-", "h"),
        Phrase("Human/JJ Rights/NNS", "-", "h"),
    ],
    "missing_mention": [
        Phrase("the/DT Arab/JJ region/NN", "r", "r"),
        Phrase("the/DT region/NN", "r", "r"),
        Phrase("it/PRP", "r", "-"),
    ],
    "extra_mention": [
        Phrase("her/PRP$ story/NN", "s", "s"),
        Phrase("this/DT", "s", "s"),
        Phrase("it/PRP", "-", "s"),
    ],
    "divided_entity": [
        Phrase("Iraq/NNP", "i", "one"),
        Phrase("this/DT nation/NN", "i", "two"),
        Phrase("the/DT nation/NN", "i", "two"),
        Phrase("its/PRP$", "i", "one"),
    ],
    "conflated_entities": [
        Phrase("Mohammed/NNP Rashid/NNP", "one", "r"),
        Phrase("the/DT Rashid/NNP case/NN", "two", "r"),
        Phrase("Rashid/NNP", "one", "r"),
        Phrase("the/DT case/NN", "two", "r"),
    ],
}


@pytest.mark.parametrize("type", FIGURE_3)
def test_figure_3(type: str, tmp_path: Path) -> None:
    analysis = analysed(FIGURE_3[type], tmp_path)
    assert analysis.errors == {**NONE, type: 1}


def test_figure_3_says_which_mentions(tmp_path: Path) -> None:
    found = {}
    for type, phrases in FIGURE_3.items():
        (error,) = analysed(phrases, tmp_path).records
        found[type] = [str(mention) for mention in error.mentions]
    assert found == {
        "span_error": ["Gorbachev", "Soviet leader Gorbachev"],
        "missing_entity": ["the pills", "the tranquilizing pills"],
        "extra_entity": ["human rights", "Human Rights"],
        "missing_mention": ["it"],
        "extra_mention": ["it"],
        "divided_entity": ["this nation", "the nation"],
        "conflated_entities": ["the Rashid case", "the case"],
    }
