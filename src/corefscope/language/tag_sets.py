"""Detect the tag set of a text, and translate universal tags to those of the tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum

from corefscope.language.tables import Language

KNOWN_SHARE = 0.9
"""A text uses a tag set if at least this share of its tagged tokens has a tag of the set.

A text with that tag set reaches almost 100 %. Tag sets of other languages share some tags, such as
``NN``: German STTS reaches 11 %, and the tags of the English TreeTagger about 75 %.
"""
NO_TAG = frozenset({"-", "*", "_", "", "XX"})
"""Placeholders for a missing tag."""


class TagSet(StrEnum):
    """The tag set of a text."""

    TREEBANK = "treebank"
    """The tags that the tables of the language use: for English, those of the Penn Treebank."""
    UNIVERSAL = "universal"
    """The universal tags (UPOS) of Universal Dependencies."""
    OTHER = "other"


def tag_set(tags: Sequence[str], language: Language) -> TagSet:
    """Return the tag set of a text."""
    counts = {tag: count for tag, count in Counter(tags).items() if tag not in NO_TAG}
    tagged = sum(counts.values())
    for found, known in (
        (TagSet.TREEBANK, language.tags),
        (TagSet.UNIVERSAL, language.universal_tags),
    ):
        if sum(count for tag, count in counts.items() if tag in known) >= KNOWN_SHARE * tagged:
            return found
    return TagSet.OTHER


def unknown_tags(tags: Sequence[str], language: Language) -> Counter[str]:
    """Count the tags that belong neither to the treebank nor to Universal Dependencies."""
    counts = Counter(tags)
    for tag in (*NO_TAG, *language.tags, *language.universal_tags):
        counts.pop(tag, None)
    return counts


def translated(words: Sequence[str], tags: Sequence[str], language: Language) -> list[str]:
    """Return the treebank tags for universal tags; other tags are unchanged."""
    by_word, by_tag = language.universal_words, language.universal_tags
    return [
        by_word.get((tag, word.lower())) or by_tag.get(tag, tag)
        for word, tag in zip(words, tags, strict=True)
    ]
