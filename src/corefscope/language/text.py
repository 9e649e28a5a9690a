"""The text of one document: heads, mention types, names and constituents of its spans."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import ClassVar, Literal, TypeAlias

from corefscope.corpus.mentions import Span
from corefscope.language.dependencies import NO_FEATURES, NO_LAYERS, UniversalLayers
from corefscope.language.english import ENGLISH
from corefscope.language.heads import HeadScan, head_tokens, inner_tokens
from corefscope.language.names import NameSpans, read_names
from corefscope.language.tables import Features, Language, MentionType
from corefscope.language.tag_sets import NO_TAG, TagSet, tag_set, translated
from corefscope.language.trees import (
    ParseBrackets,
    Tree,
    TreeProblem,
    UnreadableTree,
    read_brackets,
    read_tree,
)

NOTHING = frozenset({"-", "*", "_", ""})
"""What formats write where a word has no value."""
# In OntoNotes sentences without a parse, verbs have the tag VERB and all other words XX.
_NO_TAGS = NO_TAG | {"VERB"}
HeadLayer: TypeAlias = Literal["file", "parse", "dependencies", "tags", "words"]
"""A layer that heads come from; ``file`` is the heads of mentions that a file gives."""


class Text:
    """The words of a document, and the heads, types, names and constituents of its spans.

    Tokens are counted in the document, and the end of a span is its last token. A column with only
    placeholders (-, *, _ or blanks; for tags also XX and VERB) counts as missing. Universal tags
    are translated to those of the language's tables. Named entities are given as a column, or as
    tags by span. Of the layers of Universal Dependencies, heads of mentions and empty nodes are
    used; :class:`~corefscope.language.universal.UniversalText` uses all of them.
    """

    is_universal: ClassVar[bool] = False
    """Whether Universal Dependencies are used instead of the tables of a language."""

    def __init__(
        self,
        words: Sequence[str],
        sentences: Sequence[range],
        tags: Sequence[str] | None = None,
        parse: Sequence[str] | None = None,
        names: Sequence[str] | Mapping[Span, str] | None = None,
        language: Language = ENGLISH,
        layers: UniversalLayers = NO_LAYERS,
    ) -> None:
        self.words = words
        self.layers = layers
        self.sentences = sentences
        self.language = language
        self._starts = [sentence.start for sentence in sentences]
        if [token for sentence in sentences for token in sentence] != list(range(len(words))):
            raise ValueError("the sentences must cover the words in order and without gaps")
        self._tags = _column("tags", tags, len(words), _NO_TAGS)
        self.tag_set: TagSet | None = None
        """The tag set of the text; None if there are no tags."""
        self.universal_tags: Sequence[str] | None = None
        """The tags, if they are universal."""
        if self._tags is not None:
            self.tag_set = tag_set(self._tags, language)
            if self.tag_set is TagSet.UNIVERSAL:
                self.universal_tags = self._tags
                self._tags = translated(words, self._tags, language)
        self._parse = _column("parse", parse, len(words), NOTHING)
        self._given_names = dict(names) if isinstance(names, Mapping) else None
        bits = None if isinstance(names, Mapping) else names
        self._name_bits = _column("names", bits, len(words), NOTHING)
        self._brackets: dict[int, ParseBrackets | TreeProblem] = {}
        self._trees: dict[int, Tree] = {}
        self._tree_heads: dict[int, dict[Span, int]] = {}
        self._head_of: dict[Span, int] = {}

    def __len__(self) -> int:
        return len(self.words)

    @property
    def tags(self) -> Sequence[str] | None:
        """The part-of-speech tags, if there are any; universal tags are translated."""
        return self._tags

    @property
    def has_trees(self) -> bool:
        """Whether there are parse trees, readable or not."""
        return self._parse is not None

    @property
    def names(self) -> dict[Span, str]:
        """The named entities: their spans and tags."""
        return self._names.types

    @property
    def heads_from(self) -> HeadLayer:
        """The best layer from which heads can be found."""
        return "file" if self.layers.mention_heads else self._layer_of_heads

    @cached_property
    def _layer_of_heads(self) -> HeadLayer:
        if any(self._bits(sentence) for sentence in range(len(self.sentences))):
            return "parse"
        return self.types_from

    @property
    def types_from(self) -> Literal["tags", "words"]:
        """The layer from which mention types are found."""
        return "words" if self._tags is None else "tags"

    @property
    def has_names(self) -> bool:
        """Whether any named entity is marked."""
        return bool(self._names.types)

    @cached_property
    def problems(self) -> list[TreeProblem]:
        """Trees and names that cannot be read."""
        numbers = [number for number, tokens in enumerate(self.sentences) if tokens]
        trees = [] if self._parse is None else [self._read_bits(number) for number in numbers]
        return [tree for tree in trees if isinstance(tree, TreeProblem)] + self._names.problems

    def sentence_of(self, token: int) -> int:
        """Return the number of the sentence of a token."""
        if not 0 <= token < len(self.words):
            raise IndexError(f"token {token} is not in a text of {len(self.words)} words")
        return bisect_right(self._starts, token) - 1

    def phrase(self, start: int, end: int) -> str:
        """Return the words of a span; a long text is shortened and ends with an ellipsis."""
        return quote(self.words, start, end)

    def wording(self, start: int, end: int) -> Hashable:
        """Return a value that is equal for spans with the same words in lower case."""
        return self._wording.of(start, end)

    def head(self, start: int, end: int) -> int:
        """Return the head token of a span (Kummerfeld and Klein 2013).

        It is the head that the file gives, if there is one; else the head of the constituent with
        exactly this span. If there is none, or the span crosses sentences, it is the last token. If
        the sentence has no readable tree, the head is found by a scan of tags or words.
        """
        span = start, end
        if span not in self._head_of:
            given = self.layers.mention_heads.get(span)
            self._head_of[span] = self._head_by_layers(start, end) if given is None else given
        return self._head_of[span]

    def _head_by_layers(self, start: int, end: int) -> int:
        sentence = self.sentence_of(start)
        if start == end:
            return start
        if end >= self.sentences[sentence].stop:
            self.sentence_of(end)
            return end
        heads = self._heads(sentence)
        return heads.get((start, end), end) if heads else self._scan.head(start, end).token

    def _heads(self, sentence: int) -> dict[Span, int]:
        """Return the heads of the constituents of a sentence; none without a readable tree."""
        heads = self._tree_heads.get(sentence)
        if heads is None:
            brackets, first = self._bits(sentence), self.sentences[sentence].start
            heads = {}
            if brackets:
                tags = self._tags_of(sentence)
                heads = head_tokens(brackets, tags, first, self.language.head_rules)
            self._tree_heads[sentence] = heads
        return heads

    def mention_type(self, start: int, end: int) -> MentionType:
        """Return whether a span is a pronoun, a name or a nominal (Kummerfeld and Klein 2013).

        A pronoun is a single token with the tag or the form of a pronoun. A name has a head with
        the tag of a name or, without tags, with a capital like a name. The head of a zero is
        an empty node.
        """
        if self.layers.empty and self.head(start, end) in self.layers.empty:
            return MentionType.ZERO
        if start == end and self._is_pronoun(start):
            return MentionType.PRONOUN
        head = self.head(start, end)
        if self._tags is None:
            is_name = self.is_capitalised(head)
        else:
            is_name = self._tags[head] in self.language.name_tags
        return MentionType.NAME if is_name else MentionType.NOMINAL

    def is_referring_pronoun(self, token: int) -> bool:
        """Return whether a word is a personal or possessive pronoun."""
        if self._tags is None:
            return self.words[token].lower() in self.language.personal_pronouns
        return self._tags[token] in self.language.personal_tags

    def is_capitalised(self, token: int) -> bool:
        """Return whether a token is capitalised like a name.

        A capital at the beginning of a sentence does not count if the document also has the word in
        lowercase. Scripts without capitals have no such names.
        """
        word = self.words[token]
        if not word[:1].isupper():
            return False
        lowercase = word.lower()
        # In "Us", the capital may be that of a title; "US" is a name.
        if lowercase in self.language.closed_class and word == lowercase.capitalize():
            return False
        return token not in self._first_words or lowercase not in self._lowercase

    def name_type(self, start: int, end: int) -> str | None:
        """Return the type of the named entity with exactly this span, if there is one."""
        return self._names.types.get((start, end))

    def name_words(self, start: int, end: int) -> Span:
        """Return the words of a mention that is a name by which it is known: all of them."""
        return start, end

    def features(self, start: int, end: int) -> Features:
        """Return gender, number and person of a pronoun; they are unknown for other spans."""
        if start != end:
            return NO_FEATURES
        return self.language.pronouns.get(self.words[start].lower(), NO_FEATURES)

    def is_constituent(self, start: int, end: int) -> bool | None:
        """Return whether a span is a node of the tree, or None if there is no readable tree."""
        first, last = self._heads(self.sentence_of(start)), self._heads(self.sentence_of(end))
        return (start, end) in first if first and last else None

    def labels_over(self, start: int, end: int, most: int | None = None) -> list[str] | None:
        """Return the labels of the largest nodes that together cover some tokens, left to right.

        The tokens can continue in the next sentence. Returns None if a sentence has no readable
        tree. If there are more than ``most`` nodes, the first ones and an ellipsis are returned.
        """
        labels: list[str] = []
        while start <= end:
            if len(labels) == most:
                return [*labels, "…"]
            tree = self.tree(self.sentence_of(start))
            if tree is None:
                return None
            node = tree.widest(start, end)
            labels.append(tree.labels[node])
            start = tree.ends[node] + 1
        return labels

    def noun_phrases(self) -> Iterator[Span]:
        """Yield the spans of all noun phrases, with or without function tags, each once."""
        label = self.language.noun_phrase
        for sentence in range(len(self.sentences)):
            tree = self.tree(sentence)
            if tree is not None:
                nodes = (n for n, after in enumerate(tree.after) if after > n + 1)
                yield from dict.fromkeys(tree.span(n) for n in nodes if tree.category(n) == label)

    def candidates(self) -> set[Span]:
        """Return all spans that can be mentions: noun phrases, and words with certain tags.

        This is how mentions were selected for the CoNLL tasks (Kummerfeld and Klein 2013).
        """
        tags, wanted = self._tags or (), self.language.candidate_tags
        words = {(token, token) for token, tag in enumerate(tags) if tag in wanted}
        return words.union(self.noun_phrases())

    def tree(self, sentence: int) -> Tree | None:
        """Return the tree of a sentence, if it has a readable one."""
        brackets = self._bits(sentence)
        if brackets is None:
            return None
        if sentence not in self._trees:
            first = self.sentences[sentence].start
            self._trees[sentence] = read_tree(brackets, self._tags_of(sentence), first)
        return self._trees[sentence]

    def _bits(self, sentence: int) -> ParseBrackets | None:
        """Return the brackets of a sentence, if they are those of a tree."""
        if self._parse is None:
            return None
        brackets = self._read_bits(sentence)
        return None if isinstance(brackets, TreeProblem) else brackets

    def _read_bits(self, sentence: int) -> ParseBrackets | TreeProblem:
        if sentence not in self._brackets:
            tokens = self.sentences[sentence]
            bits = [] if self._parse is None else self._parse[tokens.start : tokens.stop]
            try:
                self._brackets[sentence] = read_brackets(bits, tokens.start)
            except UnreadableTree as unreadable:
                self._brackets[sentence] = TreeProblem("parse", unreadable.token, unreadable.reason)
        return self._brackets[sentence]

    def _tags_of(self, sentence: int) -> Sequence[str]:
        tokens = self.sentences[sentence]
        return ["-"] * len(tokens) if self._tags is None else self._tags[tokens.start : tokens.stop]

    def _is_pronoun(self, token: int) -> bool:
        if self.words[token].lower() in self.language.pronouns:
            return True
        return self._tags is not None and self._tags[token] in self.language.pronoun_tags

    @cached_property
    def _scan(self) -> HeadScan:
        joined = inner_tokens(self._names.types)
        return HeadScan(
            rules=self.language.scan_rules, words=self.words, tags=self._tags, joined=joined
        )

    @cached_property
    def _wording(self) -> Wording:
        return Wording(self.words)

    @cached_property
    def _names(self) -> NameSpans:
        if self._given_names is not None:
            return NameSpans(self._given_names, [])
        return read_names(self._name_bits or [], self.sentences if self._name_bits else [])

    @cached_property
    def _first_words(self) -> set[int]:
        punctuation = self.language.scan_rules.punctuation
        return {
            next((t for t in sentence if self.words[t] not in punctuation), sentence.start)
            for sentence in self.sentences
        }

    @cached_property
    def _lowercase(self) -> set[str]:
        return {word for word in self.words if word == word.lower()}


def says_something(column: Sequence[str]) -> bool:
    """Return whether a column has values other than placeholders."""
    return not NOTHING.issuperset(column)


def _column(
    name: str, values: Sequence[str] | None, length: int, nothing: frozenset[str]
) -> Sequence[str] | None:
    """Return the column, or None if it has only placeholders."""
    if values is not None and len(values) != length:
        raise ValueError(f"{name} has {len(values)} values for {length} words")
    return None if values is None or nothing.issuperset(values) else values


LONGEST_QUOTE = 400
"""How many characters of a text are quoted; an ellipsis stands for the rest."""

_MODULUS = 2**127 - 1
"""A prime; two different texts have the same hash in about one of 10³⁸ pairs."""


def quote(words: Sequence[str], start: int, end: int) -> str:
    """Return the words of a span; a text longer than ``LONGEST_QUOTE`` ends with an ellipsis."""
    text, is_cut = _cut(words, start, end)
    return f"{text}…" if is_cut else text


def _cut(words: Sequence[str], start: int, end: int) -> tuple[str, bool]:
    """Return the part of a span that is quoted, and whether the rest was cut off."""
    if start == end:
        # Most mentions are pronouns or names.
        return words[start][:LONGEST_QUOTE], len(words[start]) > LONGEST_QUOTE
    last = min(end, start + LONGEST_QUOTE // 2)
    some = words[start : last + 1]
    # A single word can be as long as a book.
    if max(map(len, some), default=0) > LONGEST_QUOTE:
        some = [word[: LONGEST_QUOTE + 1] for word in some]
    text = " ".join(some)
    return text[:LONGEST_QUOTE], last < end or len(text) > LONGEST_QUOTE


class Wording:
    """Compares spans of a document by their words in lower case."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words

    def of(self, start: int, end: int) -> Hashable:
        """Return the words of a short span in lower case, or the length and hash of a long one."""
        text, is_cut = _cut(self._lower, start, end)
        if not is_cut:
            return text
        hashes, ends = self._beginnings
        length = ends[end + 1] - ends[start]
        before = hashes[start] * pow(256, length, _MODULUS)
        return length, (hashes[end + 1] - before) % _MODULUS

    @cached_property
    def _lower(self) -> list[str]:
        return [word.lower() for word in self.words]

    @cached_property
    def _beginnings(self) -> tuple[list[int], list[int]]:
        """The hash and the number of bytes of the words before each token."""
        hashes, ends = [0], [0]
        for word in self._lower:
            data = f"{word} ".encode("utf-8", "surrogatepass")
            moved = hashes[-1] * pow(256, len(data), _MODULUS)
            hashes.append((moved + int.from_bytes(data)) % _MODULUS)
            ends.append(ends[-1] + len(data))
        return hashes, ends
