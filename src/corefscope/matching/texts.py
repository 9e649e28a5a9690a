"""Read the texts of documents, and derive traits of mentions from their words."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import TypeAlias

from corefscope.corpus import UNKNOWN_LENGTH, Corpus, Document, Integers
from corefscope.exceptions import InvalidInput
from corefscope.findings import Code, Finding
from corefscope.language import (
    NO_FEATURES,
    Features,
    LanguageChoice,
    MentionType,
    Text,
    UniversalLayers,
    UniversalText,
    has_universal_tags,
    is_universal,
    says_something,
)
from corefscope.language.checking import MOST_WORDS
from corefscope.matching.heads import tree_heads
from corefscope.matching.universal import universal_layers

Span: TypeAlias = tuple[int, int]
"""First and last token of a mention. Spans are sorted by their first token; if two begin at the
same token, the shorter one is first."""
ZERO = "∅"
"""What a reader sees in place of a zero that has no word of its own."""
LAYERS = ("words", "tags", "parse", "names")
"""The layers of a text."""
MOST_TOKENS = 250_000
"""How many tokens of texts are kept in memory for further systems, with their trees."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """Properties of a mention derived from its words; without words it counts as nominal."""

    type: MentionType = MentionType.NOMINAL
    text: str | None = None
    """Its words in lower case; a long text is shortened."""
    head: str | None = None
    """Its head word in lower case."""
    head_token: int | None = None
    """The token of its head word."""
    entity_type: str | None = None
    """The named-entity type of exactly this span."""
    features: Features = NO_FEATURES
    has_pronoun_head: bool = False
    """Whether its head word alone would be a pronoun."""
    wording: Hashable = None
    """A value that is equal for mentions with the same words in lower case, of any length."""

    @property
    def is_pronoun(self) -> bool:
        """Whether it is a pronoun, expressed or not."""
        return self.type.is_pronoun


WITHOUT_WORDS = Traits()


ABSENT_ZERO = replace(WITHOUT_WORDS, type=MentionType.ZERO)
"""The traits of a zero that only the response has: the key has no token for it."""


def traits_in(text: Text, mention: Span) -> Traits:
    """Return the traits of a mention in a text."""
    head = text.head(*mention)
    return Traits(
        type=text.mention_type(*mention),
        text=text.phrase(*mention).lower(),
        head=text.words[head].lower(),
        head_token=head,
        entity_type=text.name_type(*mention),
        features=text.features(*mention),
        has_pronoun_head=text.mention_type(head, head).is_pronoun,
        wording=text.wording(*mention),
    )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ReadText:
    """The text of a document, and the traits of its mentions computed so far."""

    text: Text
    borrowed: Sequence[str]
    """Layers that are taken from the response because the key lacks them."""
    absent: Sequence[str]
    """Layers that neither side has."""
    traits: dict[Span, Traits] = field(default_factory=dict)
    heads: dict[Hashable, dict[Span, int]] = field(default_factory=dict)
    """Head tokens of mentions by other rules than those of traits, by these rules."""


class Texts:
    """Reads the texts of a key's documents.

    Texts whose layers all come from the key are kept, up to a number of tokens, so that the systems
    of an evaluation share them, their trees and the traits of mentions.
    """

    def __init__(self, key: Corpus, language: LanguageChoice = "auto") -> None:
        self.key = key
        self.language = language
        self._kept: OrderedDict[tuple[int, bool], ReadText] = OrderedDict()
        self._tokens = 0

    def read(
        self,
        document: int,
        response: Corpus,
        number: int | None,
        names: Mapping[Span, str] | None = None,
    ) -> ReadText | None:
        """Return the text of a document: each layer from the key, else from the response.

        Parameters
        ----------
        document
            The position of the document in the key.
        response, number
            The response, and the position of the document there; None if it is missing.
        names
            Named entities that replace those of both sides.

        Returns
        -------
        ReadText or None
            None if neither side has words.
        """
        place = document, names is not None
        known = self._kept.get(place)
        if known is not None and not _has_any(self.key, document, response, number, known.absent):
            self._kept.move_to_end(place)
            return known
        read = self._read(document, response, number, names)
        if read is not None and not read.borrowed and known is None:
            self._keep(place, read)
        return read

    def _read(
        self,
        document: int,
        response: Corpus,
        number: int | None,
        names: Mapping[Span, str] | None,
    ) -> ReadText | None:
        documents, length = _documents(self.key, document, response, number)
        found: dict[str, tuple[Document, list[str]]] = {}
        wanted = LAYERS if names is None else LAYERS[:-1]
        for layer in wanted:
            for each in documents:
                column = _column(each, layer)
                if column is not None:
                    found[layer] = each, column
                    break
        if "words" not in found:
            return None
        columns = {layer: column for layer, (_, column) in found.items()}
        # All layers of Universal Dependencies come from the file that has the tags.
        tagged, tags = found.get("tags", (documents[0], None))
        layers = universal_layers(tagged, self.key, document)
        text = self._kind(document, columns["words"], tags, layers)(
            with_zeros(columns["words"], layers.empty),
            documents[0].sentences,
            tags,
            columns.get("parse"),
            columns.get("names") if names is None else _inside(names, length),
            layers=layers,
        )
        return ReadText(
            text=text,
            borrowed=[layer for layer, (each, _) in found.items() if each.corpus is not self.key],
            absent=[layer for layer in wanted if layer not in columns],
        )

    def _kind(
        self,
        document: int,
        words: Sequence[str],
        tags: Sequence[str] | None,
        layers: UniversalLayers,
    ) -> type[Text]:
        """Return the class of a text: whether English tables or Universal Dependencies apply."""
        if self.language == "universal" and not has_universal_tags(tags):
            message = (
                f"document {self.key.document_names[document]!r} has no universal part-of-speech "
                "tags (UPOS); expected them, because the language is 'universal'; add them, or "
                "choose the language 'auto'"
            )
            file = self.key.file_of(document)
            raise InvalidInput([Finding(Code.NO_UNIVERSAL_TAGS, message, file=file)])
        if self.language == "auto":
            universal = is_universal(words, tags, layers, self._words())
        else:
            universal = self.language == "universal"
        return UniversalText if universal else Text

    def _words(self) -> Iterator[str]:
        """Yield the first words of the key; they are read only if they are needed."""
        yield from self._first_words

    @cached_property
    def tree_heads(self) -> Integers:
        """The heads of the key's mentions in its dependency trees, −1 without a tree."""
        return tree_heads(self.key)

    @cached_property
    def _first_words(self) -> list[str]:
        words = (word for document in self.key for word in document.words or ())
        return list(islice((word for word in words if word.isalpha()), MOST_WORDS))

    def _keep(self, place: tuple[int, bool], read: ReadText) -> None:
        self._kept[place] = read
        self._tokens += len(read.text)
        while self._tokens > MOST_TOKENS and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._tokens -= len(oldest.text)


def _documents(
    key: Corpus, document: int, response: Corpus, number: int | None
) -> tuple[list[Document], int]:
    """Return the documents with a text, those of another length left out, and the length."""
    sides = [(key, document)] if number is None else [(key, document), (response, number)]
    lengths = [int(c.document_tokens[d]) if c.layers else UNKNOWN_LENGTH for c, d in sides]
    length = next((n for n in lengths if n != UNKNOWN_LENGTH), UNKNOWN_LENGTH)
    if length == UNKNOWN_LENGTH:
        return [], length
    known = zip(sides, lengths, strict=True)
    return [Document(corpus, place) for (corpus, place), n in known if n == length], length


def _has_any(
    key: Corpus, document: int, response: Corpus, number: int | None, layers: Sequence[str]
) -> bool:
    """Return whether the response has one of the layers that the key lacks."""
    if not layers:
        return False
    documents, _ = _documents(key, document, response, number)
    theirs = [each for each in documents if each.corpus is response and response is not key]
    return any(_column(each, layer) for each in theirs for layer in layers)


def _column(document: Document, layer: str) -> list[str] | None:
    """Return a layer of a document, or None if it has only placeholders."""
    column = document.layer(layer)
    return column if column and says_something(column) else None


def with_zeros(words: list[str], empty: Collection[int]) -> list[str]:
    """Return the words with a sign for each empty node that has no word."""
    if not empty:
        return words
    return [ZERO if word == "_" and token in empty else word for token, word in enumerate(words)]


def _inside(names: Mapping[Span, str], length: int) -> dict[Span, str]:
    """Return the names that lie in a text of this many tokens."""
    return {span: tag for span, tag in names.items() if span[1] < length}
