"""The tables of English are those of the specification."""

from __future__ import annotations

import pytest

from corefscope.language import Features
from corefscope.language.english import ENGLISH

PRONOUNS = """
female single third: her hers herself she
male single third: he him himself his
neuter single third: it its itself
neuter single -: what when where which how
- single first: i me mine my myself one
- plural first: our ours ourselves us we
- single second: yours thyself ya you your yourself
- plural second: yourselves
- - third: they their theirs anybody anyone nobody none noone
- plural third: them 'em em themselves everybody everyone all few several some many most these those
- single third: somebody someone that this
- single -: whoever whomever whose something
- - -: whatever who whom nothing everything
"""

NOT_LISTED = "another any anything both each either little more much neither other others whichever"


def listed() -> list[tuple[str, list[str | None]]]:
    rows = [row.split(": ") for row in PRONOUNS.strip().splitlines()]
    return [
        (word, [None if value == "-" else value for value in features.split()])
        for features, words in rows
        for word in words.split()
    ]


@pytest.mark.parametrize(("word", "expected"), listed())
def test_pronouns_have_their_true_features(word: str, expected: list[str | None]) -> None:
    features = ENGLISH.pronouns[word]
    assert [features.gender, features.number, features.person] == expected


def test_no_other_word_is_a_pronoun() -> None:
    assert ENGLISH.pronouns.keys() == {word for word, _ in listed()}
    assert not ENGLISH.pronouns.keys() & set(NOT_LISTED.split())


def test_nothing_is_known_unless_said() -> None:
    assert Features() == Features(gender=None, number=None, person=None)


def test_tags_of_pronouns_and_names() -> None:
    assert ENGLISH.pronoun_tags == {"PRP", "PRP$", "WP", "WP$", "WDT", "WRB", "DT"}
    assert ENGLISH.name_tags == {"NNP", "NNPS"}


def test_words_of_closed_classes_are_lowercase() -> None:
    assert all(word == word.lower() for word in ENGLISH.closed_class | ENGLISH.pronouns.keys())
    assert {"the", "of", "and", "she", "another"} <= ENGLISH.closed_class


def test_what_ends_a_phrase_is_punctuation() -> None:
    assert ENGLISH.scan_rules.breaks < ENGLISH.scan_rules.punctuation
