"""Made-up sentences with words, tags, parse bits and names, from a small grammar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Integers: TypeAlias = NDArray[np.int64]
Texts: TypeAlias = NDArray[np.bytes_]
Tree: TypeAlias = "str | tuple[str, list[Tree]]"
"""A tag, or a label with its children."""

SKETCHES = 400
"""Different sentence structures in a corpus."""
DEEPEST = 3
"""From this depth on, a constituent takes its first, plain form."""

GRAMMAR = {
    "S": "NP VP .; PP , NP VP PP .; NP VP , CC NP VP .; SBAR , NP VP SBAR .",
    "NP": "PRP; DT NN; NNP; NNP NNP; PRP$ NN; DT JJ NN; NNS; DT NN NN; "
    "NP PP; NP PP; NP CC NP; NP SBAR; NP , NP ,",
    "VP": "VBD NP; VBD NP PP; VBZ NP; MD VB NP; VBD PP; VBD RB; VBD CD NNS; VBD SBAR",
    "PP": "IN NP",
    "SBAR": "WP VP; IN NP VP",
}
"""The forms of each constituent."""

CLOSED_CLASSES = {
    "DT": "the a this that an some these no",
    "IN": "of in to for on with at by from as after about over",
    "PRP": "he it they she we i you him them her",
    "PRP$": "his its their her our my",
    "CC": "and but or",
    "MD": "will would could may should can",
    "WP": "who that which",
    ".": ". ? !",
    ",": ",",
}
OPEN_CLASSES = {"NN": 4000, "NNS": 2000, "NNP": 4000, "JJ": 1500, "VBD": 900, "VBZ": 600}
OPEN_CLASSES |= {"VB": 600, "RB": 300, "CD": 60}
"""How many words each open class has."""
TAGS = (*CLOSED_CLASSES, *OPEN_CLASSES)
VERBS = ("VBD", "VBZ", "VB")
NAME_TYPES = ("PERSON", "ORG", "GPE", "PERSON", "DATE", "NORP")


@dataclass(frozen=True, slots=True)
class Rows:
    """Groups of rows in flat columns: where each group begins, and how many rows it has."""

    first: Integers
    count: Integers

    @classmethod
    def of(cls, counts: Sequence[int]) -> Rows:
        """Put groups of these sizes one after the other."""
        count = np.array(counts, dtype=np.int64)
        return cls(np.cumsum(count) - count, count)

    def of_groups(self, groups: Integers) -> Integers:
        """Return the rows of the given groups in turn."""
        first, count = self.first[groups], self.count[groups]
        before = np.cumsum(count) - count
        return np.repeat(first - before, count) + np.arange(count.sum())


@dataclass(frozen=True, slots=True)
class Sketches:
    """Sentences without words, all in flat columns."""

    tokens: Rows
    tags: Integers
    bits: Texts
    names: Texts
    phrases: Rows
    phrase_start: Integers
    """First and last token of each noun phrase in its sentence."""
    phrase_end: Integers


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All words, those of a tag together, the frequent ones first."""

    words: Texts
    lemmas: Texts
    of_tag: Rows

    def draw(self, tags: Integers, rng: np.random.Generator) -> Integers:
        """Draw a word for each tag, by Zipf's law within the tag."""
        number = np.empty(len(tags), dtype=np.int64)
        for tag in range(len(TAGS)):
            (places,) = np.nonzero(tags == tag)
            weight = np.cumsum(1 / np.arange(1, self.of_tag.count[tag] + 1))
            rank = np.searchsorted(weight / weight[-1], rng.random(len(places)))
            number[places] = self.of_tag.first[tag] + rank
        return number


def make_lexicon(random: Random) -> Lexicon:
    """Make up the words of open classes from syllables."""
    words = {tag: text.split() for tag, text in CLOSED_CLASSES.items()}
    words |= {tag: [_word(tag, random) for _ in range(n)] for tag, n in OPEN_CLASSES.items()}
    lemmas = [w.removesuffix("ed") if t in VERBS else "-" for t, ws in words.items() for w in ws]
    return Lexicon(
        np.array([word for ws in words.values() for word in ws], dtype=np.bytes_),
        np.array(lemmas, dtype=np.bytes_),
        Rows.of([len(words[tag]) for tag in TAGS]),
    )


def _word(tag: str, random: Random) -> str:
    if tag == "CD":
        return str(random.randrange(2, 2000))
    ending = {"NNS": "s", "VBD": "ed", "VBZ": "s", "RB": "ly"}.get(tag, "")
    syllables = (random.choice("bcdfglmnprstv") + random.choice("aeiou") for _ in range(3))
    word = "".join(syllables)[random.randrange(1, 4) :] + ending
    return word.capitalize() if tag == "NNP" else word


def make_sketches(random: Random) -> Sketches:
    """Draw the structures of sentences."""
    drawn = [_sketch(random) for _ in range(SKETCHES)]
    tags = [TAGS.index(tag) for sketch in drawn for tag in sketch.tags]
    phrases = [sorted(sketch.phrases) for sketch in drawn]
    spans = np.array([span for spans in phrases for span in spans], dtype=np.int64)
    return Sketches(
        Rows.of([len(sketch.tags) for sketch in drawn]),
        np.array(tags),
        np.array([bit for sketch in drawn for bit in sketch.bits], dtype=np.bytes_),
        np.array([name for sketch in drawn for name in sketch.names], dtype=np.bytes_),
        Rows.of([len(spans) for spans in phrases]),
        spans[:, 0],
        spans[:, 1],
    )


class _Sketch:
    """One sentence, laid out token by token."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.tags: list[str] = []
        self.bits: list[str] = []
        self.names: list[str] = []
        self.phrases: set[tuple[int, int]] = set()

    def lay_out(self, tree: Tree) -> None:
        """Append a tree's tokens, then put its brackets around them."""
        if isinstance(tree, str):
            self.tags.append(tree)
            self.bits.append("*")
            self.names.append("*")
            return
        label, children = tree
        first = len(self.tags)
        for child in children:
            self.lay_out(child)
        self.bits[first] = f"({label}{self.bits[first]}"
        self.bits[-1] += ")"
        if label == "NP":
            self._note_phrase(first, len(self.tags) - 1)

    def _note_phrase(self, first: int, last: int) -> None:
        self.phrases.add((first, last))
        if set(self.tags[first:]) == {"NNP"}:
            kind = self.random.choice(NAME_TYPES)
            self.names[first] = f"({kind})" if first == last else f"({kind}*"
            self.names[last] = self.names[last] if first == last else "*)"


def _sketch(random: Random) -> _Sketch:
    sketch = _Sketch(random)
    sketch.lay_out(("TOP", [_grow("S", 0, random)]))
    return sketch


def _grow(symbol: str, depth: int, random: Random) -> Tree:
    if symbol not in GRAMMAR:
        return symbol
    forms = GRAMMAR[symbol].split(";")
    form = forms[0] if depth >= DEEPEST else random.choice(forms)
    return symbol, [_grow(part, depth + 1, random) for part in form.split()]
