"""Heads, mention types and features from Universal Dependencies, in three languages."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefscope.language import (
    Features,
    MentionType,
    Text,
    UniversalLayers,
    UniversalText,
    is_universal,
)
from corefscope.language.dependencies import DependencyTree, referent_features
from universal_examples import CZECH, GERMAN, SPANISH, Span, layers_of

NAME, NOMINAL, PRONOUN, ZERO, _ = MentionType


def text_of(example: str, without: Sequence[str] = (), **more: object) -> UniversalText:
    read = layers_of(example, without)
    layers = UniversalLayers(
        features=read.columns.get("feats"),
        heads=read.columns.get("heads"),
        relations=read.columns.get("deprels"),
        empty=frozenset(token for token, _, _ in read.empty),
        **more,  # type: ignore[arg-type]
    )
    words, tags = read.columns["words"], read.columns["tags"]
    return UniversalText(words, read.sentences, tags, layers=layers)


@pytest.mark.parametrize(
    ("example", "span", "head", "type"),
    [
        (GERMAN, (0, 3), "Nachbarin", NOMINAL),
        (GERMAN, (3, 3), "Otto", NAME),
        (GERMAN, (5, 5), "ihren", PRONOUN),
        (GERMAN, (5, 6), "Kater", NOMINAL),
        (GERMAN, (8, 8), "Sie", PRONOUN),
        (GERMAN, (10, 15), "Katzen", NOMINAL),
        (GERMAN, (0, 0), "Die", NOMINAL),
        (SPANISH, (0, 0), "Marta", NAME),
        (SPANISH, (2, 6), "llaves", NOMINAL),
        (SPANISH, (5, 5), "su", PRONOUN),
        (SPANISH, (8, 8), "∅", ZERO),
        (SPANISH, (8, 9), "Llamó", NOMINAL),
        (CZECH, (0, 1), "Pan", NOMINAL),
        (CZECH, (1, 1), "Novák", NAME),
        (CZECH, (6, 6), "∅", ZERO),
        (CZECH, (9, 10), "ti", PRONOUN),
    ],
)
def test_head_and_type(example: str, span: Span, head: str, type: MentionType) -> None:
    text = text_of(example)
    assert (text.words[text.head(*span)], text.mention_type(*span)) == (head, type)


def test_head_of_the_file_comes_first() -> None:
    """A zero with words around it is a zero all the same."""
    text = text_of(SPANISH, mention_heads={(8, 9): 8, (0, 3): 3})
    assert (text.head(8, 9), text.mention_type(8, 9)) == (8, ZERO)
    assert (text.head(0, 3), text.mention_type(0, 3)) == (3, NOMINAL)
    assert text.heads_from == "file"


def test_heads_without_a_tree() -> None:
    """The last noun of the first sequence of nouns, else the first pronoun, else the first word."""
    text = text_of(GERMAN, ["heads"])
    assert [text.head(*span) for span in [(0, 3), (5, 6), (7, 9), (11, 11), (4, 4)]] == [
        *(1, 6, 8, 11, 4)
    ]
    assert text.head(13, 13) == 13 and text.head(15, 16) == 15
    assert (text.heads_from, text_of(GERMAN).heads_from) == ("tags", "dependencies")
    names = UniversalText(["Anna", "Maria", "Roth", "lacht"], [range(4)], ["PROPN"] * 3 + ["VERB"])
    assert [names.head(0, 3), names.head(0, 1)] == [2, 1]


@pytest.mark.parametrize(
    ("example", "span", "expected"),
    [
        (GERMAN, (8, 8), Features("female", "single", "third")),
        # The possessive agrees with the cat and refers to her.
        (GERMAN, (5, 5), Features("female", "single", "third")),
        (GERMAN, (0, 3), Features("female", "single", None)),
        # Cats and dogs are many, of two genders.
        (GERMAN, (10, 15), Features(None, "plural", None)),
        (GERMAN, (10, 10), Features("female", "plural", None)),
        # One possession, of nobody knows how many.
        (SPANISH, (5, 5), Features(None, None, "third")),
        (SPANISH, (11, 11), Features(None, "single", "third")),
        (SPANISH, (8, 8), Features("female", "single", "third")),
        (CZECH, (3, 3), Features(None, "single", "third")),
        (CZECH, (10, 10), Features("male", "plural", None)),
        (CZECH, (6, 6), Features(None, None, "third")),
    ],
)
def test_features(example: str, span: Span, expected: Features) -> None:
    assert text_of(example).features(*span) == expected


def test_features_of_possessives_by_tag() -> None:
    """An English "his" is a pronoun and says who it is about; a determiner agrees with its noun."""
    feats = "Gender=Masc|Number=Sing|Person=3|Poss=Yes|PronType=Prs"
    assert referent_features("PRON", feats) == Features("male", "single", "third")
    assert referent_features("DET", feats) == Features(None, None, "third")


def test_no_feature_without_a_column() -> None:
    assert text_of(GERMAN, ["feats"]).features(8, 8) == Features()


def test_which_pronouns_refer() -> None:
    """No relative and demonstrative pronouns."""
    german, czech = text_of(GERMAN), text_of(CZECH)
    assert german.is_referring_pronoun(8) and german.is_referring_pronoun(5)
    assert not german.is_referring_pronoun(14) and not czech.is_referring_pronoun(9)
    assert not german.is_referring_pronoun(0), "an article"


def test_entity_types_of_the_file() -> None:
    text = text_of(SPANISH, entity_types={(0, 0): "person"})
    assert (text.name_type(0, 0), text.name_type(2, 6)) == ("person", None)
    assert text.has_names and not text.names
    assert not text_of(SPANISH).has_names


def test_words_of_a_name() -> None:
    """The names around the head, without what describes them."""
    words = ["la", "doctora", "Ana", "Ruiz", "de", "Soria"]
    tags = ["DET", "NOUN", "PROPN", "PROPN", "ADP", "PROPN"]
    heads = UniversalLayers(mention_heads={(0, 5): 2})
    assert UniversalText(words, [range(6)], tags, layers=heads).name_words(0, 5) == (2, 3)
    assert UniversalText(words, [range(6)], tags).name_words(5, 5) == (5, 5)
    assert Text(words, [range(6)]).name_words(0, 5) == (0, 5)


def test_zero_in_an_english_text() -> None:
    """Empty nodes and heads of a file count whatever tells the rest."""
    layers = UniversalLayers(empty=frozenset({1}), mention_heads={(1, 2): 1})
    text = Text(["Go", "_", "home", "!"], [range(4)], ["VB", "PRP", "NN", "."], layers=layers)
    types = [text.mention_type(*span) for span in [(1, 1), (1, 2), (2, 2)]]
    assert types == [ZERO, ZERO, NOMINAL]


WORDS = ["der", "Hund", "und", "die", "Katze", "liegen", "auf", "dem", "Sofa", "."]
TAGS = ["DET", "NOUN", "CCONJ", "DET", "NOUN", "VERB", "ADP", "DET", "NOUN", "PUNCT"]
ENGLISH = ["the", "dog", "and", "the", "cat", "lie", "on", "the", "sofa", "."]


@pytest.mark.parametrize(
    ("words", "tags", "layers", "expected"),
    [
        (WORDS, TAGS, UniversalLayers(), False),
        (WORDS * 30, TAGS * 30, UniversalLayers(), True),
        (ENGLISH * 30, TAGS * 30, UniversalLayers(), False),
        (ENGLISH, TAGS, UniversalLayers(features=["_"] * 9 + ["Foreign=Yes"]), True),
        (ENGLISH, TAGS, UniversalLayers(features=["_"] * 10), False),
        (ENGLISH, TAGS, UniversalLayers(heads=["-1"] * 10, relations=["root"] * 10), False),
        (ENGLISH, TAGS, UniversalLayers(mention_heads={(0, 1): 1}), True),
        (ENGLISH, TAGS, UniversalLayers(empty=frozenset({2})), True),
        (WORDS * 30, ["NN"] * 300, UniversalLayers(features=["Foreign=Yes"] * 300), False),
        (WORDS * 30, None, UniversalLayers(), False),
    ],
)
def test_which_rules_a_text_is_read_by(
    words: list[str], tags: list[str] | None, layers: UniversalLayers, expected: bool
) -> None:
    """Universal tags, and more that English tables would ignore, or words of another language."""
    assert is_universal(words, tags, layers) == expected


def test_few_words_are_judged_with_others() -> None:
    assert is_universal(WORDS, TAGS, UniversalLayers(), WORDS * 30)
    assert not is_universal(WORDS, TAGS, UniversalLayers(), ENGLISH * 30)
    assert not is_universal(ENGLISH * 30, TAGS * 30, UniversalLayers(), WORDS * 30)


@given(st.data())
def test_root_of_a_span(data: st.DataObject) -> None:
    """Blocks are skipped without changing what is found."""
    size = data.draw(st.integers(1, 300))
    heads = data.draw(st.lists(st.integers(-1, size - 1), min_size=size, max_size=size))
    start = data.draw(st.integers(0, size - 1))
    end = data.draw(st.integers(start, size - 1))
    if data.draw(st.booleans()):
        # Long stretches whose heads are all inside, as in a well-formed tree.
        heads = [head if token % 97 == 0 else token for token, head in enumerate(heads)]
    outside = [token for token in range(start, end + 1) if not start <= heads[token] <= end]
    assert DependencyTree(heads).root(start, end) == (outside or [start])[0]
