"""Check that the tables of a language suit the texts to which they are applied."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

from msgspec import field

from corefscope.facts import Facts
from corefscope.findings import Code, Finding, documents_have, some_documents
from corefscope.language.tables import Language
from corefscope.language.tag_sets import TagSet, unknown_tags
from corefscope.language.text import Text

FEWEST_WORDS = 200
"""The least number of words that are judged; fewer may lack common words by chance."""
MOST_WORDS = 1000
"""How many words of a document are examined, to save time."""
COMMON_SHARE = 0.05
"""Texts are not English if a smaller share of their words is common in English.

The English documents of GUM and LitBank have 14 to 30 %, a German play has none in 1,000 words.
"""
MOST_EXAMPLES = 5


class _Words(Facts):
    """Counts of words, and of those that are common in the language."""

    documents: int = 0
    words: int = 0
    common: int = 0

    @property
    def are_foreign(self) -> bool:
        """Whether there are enough words, and hardly any common one."""
        return self.words >= FEWEST_WORDS and self.common < COMMON_SHARE * self.words

    @property
    def seen(self) -> str:
        """The evidence that the words are foreign."""
        return f"{self.common:,} of {self.words:,} words are common English words"

    def add(self, words: Iterable[str], language: Language) -> None:
        """Add the first words of a document."""
        first = list(islice((word for word in words if word.isalpha()), MOST_WORDS))
        self.documents += 1
        self.words += len(first)
        self.common += sum(word.lower() in language.common_words for word in first)


class LanguageCheck(Facts, kw_only=True):
    """Collects what does not suit the tables, text by text, to report it once per corpus."""

    documents: int = 0
    other_tags: int = 0
    """The number of documents with another tag set."""
    unknown: Counter[str] = field(default_factory=Counter)
    """The unknown tags of these documents."""
    untagged: _Words = field(default_factory=_Words)
    universal: _Words = field(default_factory=_Words)
    """Documents with universal tags, which may be in any language."""

    def add(self, text: Text) -> None:
        """Examine a text to which the tables are applied."""
        self.documents += 1
        if text.is_universal:
            return
        if text.tag_set is None:
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
        if self.untagged.are_foreign:
            message = (
                f"{documents_have(self.untagged.documents, self.documents)} no part-of-speech "
                f"tags, and the words do not look English ({self.untagged.seen}); heads and "
                "mention types come from English tables, and are not meaningful; add universal "
                f"tags{remedy}"
            )
            yield Finding(Code.OTHER_LANGUAGE, message, file=file)
        if features and self.universal.are_foreign:
            message = (
                f"the words of {some_documents(self.universal.documents, self.documents)} do not "
                f"look English ({self.universal.seen}); gender, number and person of pronouns come "
                "from an English list and are not meaningful; choose the language 'universal'"
            )
            yield Finding(Code.OTHER_LANGUAGE, message, file=file)


def looks_foreign(words: Iterable[str], language: Language) -> bool | None:
    """Return whether words include hardly any common one of a language; None if there are few."""
    found = _Words()
    found.add(words, language)
    return None if found.words < FEWEST_WORDS else found.are_foreign
