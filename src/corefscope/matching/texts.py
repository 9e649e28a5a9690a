"""Read the texts of documents, and derive traits of mentions from their words."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice

from msgspec import Struct, field
from msgspec.structs import replace

from corefscope.choices import LanguageChoice
from corefscope.corpus import UNKNOWN_LENGTH, Corpus, Document
from corefscope.corpus.mentions import Span
from corefscope.exceptions import InvalidInput
from corefscope.findings import Code
from corefscope.language import (
    NO_FEATURES,
    Features,
    MentionType,
    Text,
    UniversalLayers,
    UniversalText,
    has_universal_tags,
    is_universal,
    says_something,
    universal_relation,
)
from corefscope.language.checking import MOST_WORDS

ZERO = "∅"
"""What a reader sees in place of a zero that has no word of its own."""
LAYERS = ("words", "tags", "parse", "names")
"""The layers of a text."""


class Traits(Struct, frozen=True, kw_only=True):
    """Properties of a mention derived from its words; without words little is known."""

    type: MentionType = MentionType.UNKNOWN
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

    is_pronoun: bool = False
    """Whether it is a pronoun, expressed or not."""


WITHOUT_WORDS = Traits()


ABSENT_ZERO = replace(WITHOUT_WORDS, type=MentionType.ZERO, is_pronoun=True)
"""The traits of a zero that only the response has: the key has no token for it."""


def traits_in(text: Text, mention: Span) -> Traits:
    """Return the traits of a mention in a text."""
    head, type = text.head(*mention), text.mention_type(*mention)
    return Traits(
        type=type,
        is_pronoun=type.is_pronoun,
        text=text.phrase(*mention).lower(),
        head=text.words[head].lower(),
        head_token=head,
        entity_type=text.name_type(*mention),
        features=text.features(*mention),
        has_pronoun_head=text.mention_type(head, head).is_pronoun,
        wording=text.wording(*mention),
    )


class ReadText(Struct, frozen=True, eq=False, kw_only=True):
    """The text of a document, and the traits of its mentions computed so far."""

    text: Text
    borrowed: Sequence[str]
    """Layers that are taken from the response because the key lacks them."""
    absent: Sequence[str]
    """Layers that neither side has."""
    traits: dict[Span, Traits] = field(default_factory=dict)
    heads: dict[Hashable, dict[Span, int]] = field(default_factory=dict)
    """Head tokens of mentions by other rules than those of traits, by these rules."""


def read_text(
    key: Corpus,
    document: int,
    response: Corpus,
    number: int | None,
    names: Mapping[Span, str] | None,
    language: KeyLanguage,
) -> ReadText | None:
    """Read the text of a document; see :meth:`corefscope.matching.shared_texts.Texts.read`."""
    documents, length = _documents(key, document, response, number)
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
    layers = universal_layers(tagged, key, document)
    text = language.kind(document, columns["words"], tags, layers)(
        with_zeros(columns["words"], layers.empty),
        found["words"][0].sentences,
        tags,
        columns.get("parse"),
        columns.get("names") if names is None else _inside(names, length),
        layers=layers,
    )
    return ReadText(
        text=text,
        borrowed=[layer for layer, (each, _) in found.items() if each.corpus is not key],
        absent=[layer for layer in wanted if layer not in columns],
    )


class KeyLanguage:
    """Whether English tables or Universal Dependencies apply to the documents of a key."""

    def __init__(self, key: Corpus, choice: LanguageChoice) -> None:
        self.key, self.choice = key, choice

    def kind(
        self,
        document: int,
        words: Sequence[str],
        tags: Sequence[str] | None,
        layers: UniversalLayers,
    ) -> type[Text]:
        """Return the class of the text of a document."""
        if self.choice == "universal" and not has_universal_tags(tags):
            raise InvalidInput.of(
                Code.NO_LAYER,
                f"document {self.key.document_names[document]!r} has no universal part-of-speech "
                "tags (UPOS)",
                expected=(
                    "them, because the language is 'universal'; add them, or choose the language "
                    "'auto'"
                ),
                file=self.key.file_of(document),
            )
        if self.choice == "auto":
            universal = is_universal(words, tags, layers, self._words())
        else:
            universal = self.choice == "universal"
        return UniversalText if universal else Text

    def _words(self) -> Iterator[str]:
        """Yield the first words of the key; they are read only if they are needed."""
        yield from self._first_words

    @cached_property
    def _first_words(self) -> list[str]:
        words = (word for document in self.key for word in document.words or ())
        return list(islice((word for word in words if word.isalpha()), MOST_WORDS))


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


def has_any(
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


def universal_layers(source: Document, key: Corpus, document: int) -> UniversalLayers:
    """Return the layers of a document.

    Parameters
    ----------
    source
        The document that words are described in, of the key or of the response.
    key, document
        The key and the position of the document there: empty nodes, heads and types of mentions
        are the key's.
    """
    features, heads, relations = (
        column if column and says_something(column) else None
        for column in map(source.layer, ("feats", "heads", "deprels"))
    )
    empty = _empty_nodes(key, document)
    if relations is not None and empty:
        relations = [empty.get(token, relation) for token, relation in enumerate(relations)]
    attributes = key[key.document_names[document]].attributes or {}
    return UniversalLayers(
        features=features,
        heads=heads,
        relations=relations,
        empty=frozenset(empty),
        mention_heads=_mention_heads(key, document),
        entity_types={span: said.type for span, said in attributes.items() if said.type},
    )


def _empty_nodes(corpus: Corpus, document: int) -> dict[int, str]:
    """Return the relation of each empty node in the enhanced graph, by token."""
    nodes = corpus.empty_nodes
    return {
        int(nodes.token[row]): _first_relation(nodes.dependencies[row])
        for row in nodes.rows_of(document)
    }


def _first_relation(dependencies: str) -> str:
    """Return the first relation of a cell of DEPS, such as ``2:nsubj|4:obj``."""
    return universal_relation(dependencies.partition("|")[0].partition(":")[2]) or "_"


def _mention_heads(corpus: Corpus, document: int) -> dict[Span, int]:
    """Return the head token of each mention whose head is known."""
    if not corpus.has_spans or not corpus.gives_heads(document):
        return {}
    assert corpus.mention_heads is not None
    rows = corpus.mentions_of(document)
    spans = corpus.mention_spans[rows.start : rows.stop].tolist()
    heads = corpus.mention_heads[rows.start : rows.stop].tolist()
    return {
        (start, end): head for (start, end), head in zip(spans, heads, strict=True) if head >= 0
    }
