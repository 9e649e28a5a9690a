"""Check that the tables of a language suit the texts to which they are applied."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import field
from itertools import chain, islice
from typing import Self

from corefscope.findings import Code, Finding, documents_have
from corefscope.language.tables import Language
from corefscope.language.tag_sets import TagSet, unknown_tags
from corefscope.language.text import Text
from corefscope.records import dataclass

FEWEST_WORDS = 200
"""The least number of words that are judged together; fewer may lack common words by chance."""
MOST_WORDS = 1000
"""How many words of a document are examined, to save time."""
COMMON_SHARE = 0.05
"""Texts are not English if a smaller share of their words is common in English.

The English documents of GUM and LitBank have 14 to 30 %, a German play has none in 1,000 words.
"""
MOST_EXAMPLES = 5


@dataclass(slots=True, kw_only=True)
class LanguageCheck:
    """Collects what does not suit the tables, text by text, to report it once per corpus.

    Words are judged in groups of documents: a document with fewer than 200 words is judged together
    with the next ones.
    """

    documents: int = 0
    other_tags: int = 0
    """The number of documents with another tag set."""
    unknown: Counter[str] = field(default_factory=Counter)
    """The unknown tags of these documents."""
    untagged: _Words = field(default_factory=lambda: _Words())
    universal: _Words = field(default_factory=lambda: _Words())
    """Documents with universal tags, which may be in any language."""
    featureless: int = 0
    """Documents read by Universal Dependencies that have no morphological features."""

    def __iadd__(self, later: LanguageCheck) -> Self:
        """Add what was found in texts that come after these."""
        self.documents += later.documents
        self.other_tags += later.other_tags
        self.unknown += later.unknown
        self.untagged += later.untagged
        self.universal += later.universal
        self.featureless += later.featureless
        return self

    def add(self, text: Text) -> None:
        """Examine a text to which the tables are applied."""
        self.documents += 1
        if text.is_universal:
            self.featureless += text.layers.features is None
        elif text.tag_set is None:
            self.untagged.add(text.words, text.language)
        elif text.tag_set is TagSet.OTHER:
            self.other_tags += 1
            self.unknown += unknown_tags(text.tags or (), text.language)
        elif text.tag_set is TagSet.UNIVERSAL:
            self.universal.add(text.words, text.language)

    def findings(
        self, file: str | None, *, levels: bool = False, features: bool = False
    ) -> Iterator[Finding]:
        """Yield findings about texts that the tables do not suit.

        Parameters
        ----------
        file
            The file that findings name.
        levels
            Whether mention levels in the file would be used instead of the tables.
        features
            Whether gender, number and person of pronouns are used.
        """
        remedy = ", or give mention levels (mention_levels in JSON lines)" if levels else ""
        if self.other_tags:
            examples = ", ".join(repr(tag) for tag, _ in self.unknown.most_common(MOST_EXAMPLES))
            message = (
                f"{documents_have(self.other_tags, self.documents)} part-of-speech tags of neither "
                f"the Penn Treebank nor Universal Dependencies, such as {examples}; heads and "
                f"mention types are not meaningful; map the tags to one of these{remedy}"
            )
            yield Finding(Code.OTHER_LANGUAGE, message, file=file)
        if self.untagged.foreign:
            message = (
                f"{documents_have(self.untagged.foreign, self.documents)} no part-of-speech "
                f"tags, and the words do not look English ({self.untagged.seen}); heads and "
                "mention types come from English tables, and are not meaningful; add universal "
                f"tags{remedy}"
            )
            yield Finding(Code.OTHER_LANGUAGE, message, file=file)
        if features and self.universal.foreign:
            message = (
                f"the words of {_documents(self.universal.foreign, self.documents)} do not look "
                f"English ({self.universal.seen}); gender, number and person of pronouns come from "
                "an English list and are not meaningful; choose the language 'universal'"
            )
            yield Finding(Code.OTHER_LANGUAGE, message, file=file)
        if features and self.featureless:
            message = (
                f"{documents_have(self.featureless, self.documents)} universal tags but no "
                "morphological features (FEATS); gender, number and person are unknown there"
            )
            yield Finding(Code.NO_FEATURES, message, file=file)


def looks_foreign(words: Iterable[str], language: Language) -> bool | None:
    """Return whether words include hardly any common one of a language; None if there are few."""
    group = _Words()
    group.add(words, language)
    return None if group.is_open else group.foreign > 0


def _documents(count: int, documents: int) -> str:
    return "the only document" if documents == 1 else f"{count} of {documents} documents"


@dataclass(slots=True, kw_only=True)
class _Words:
    """Counts of words, and of those that are common in the language, document by document."""

    documents: list[tuple[int, int]] = field(default_factory=list)

    def __iadd__(self, later: _Words) -> Self:
        self.documents += later.documents
        return self

    @property
    def foreign(self) -> int:
        """The number of documents in groups with hardly any common words."""
        return sum(map(len, self._foreign))

    @property
    def seen(self) -> str:
        """The evidence that the words are foreign."""
        words, common = (sum(counts) for counts in zip(*chain(*self._foreign), strict=True))
        return f"{common:,} of {words:,} words are common English words"

    @property
    def is_open(self) -> bool:
        """Whether the last group has too few words to be judged."""
        return sum(map(len, self._groups)) < len(self.documents)

    def add(self, words: Iterable[str], language: Language) -> None:
        """Add the first words of a document."""
        first = list(islice((word for word in words if word.isalpha()), MOST_WORDS))
        common = sum(word.lower() in language.common_words for word in first)
        self.documents.append((len(first), common))

    @property
    def _groups(self) -> list[list[tuple[int, int]]]:
        """The groups that have enough words to be judged."""
        groups: list[list[tuple[int, int]]] = []
        group: list[tuple[int, int]] = []
        words = 0
        for document in self.documents:
            group.append(document)
            words += document[0]
            if words >= FEWEST_WORDS:
                groups.append(group)
                group, words = [], 0
        return groups

    @property
    def _foreign(self) -> list[list[tuple[int, int]]]:
        """The groups that have hardly any common words."""
        return [
            group
            for group in self._groups
            if sum(common for _, common in group) < COMMON_SHARE * sum(words for words, _ in group)
        ]
