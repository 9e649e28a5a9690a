"""Mentions as sets of words, in places that are the same in key and response.

A response may have other empty nodes than its key, so that the same word has another token number
there. Here every token of both gets a *place* in one line of all documents of the key. A mention
without gaps is its first and last place, unless an empty node of one side alone lies between
these; only the other mentions are compared as sets, in Python.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import accumulate, zip_longest
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from corefscope.corpus import UNKNOWN_LENGTH, Corpus, Integers
from corefscope.corpus.words import MOST_NODES
from corefscope.matching.heads import Heads
from corefscope.matching.stages import UNKNOWN, ComparedMention

Booleans = NDArray[np.bool_]


class NodePlace(NamedTuple):
    """Where an empty node stands, whatever other nodes there are."""

    words_before: int
    """How many words of the document stand before it."""
    opens_sentence: bool
    order: int
    """Its number among the nodes after the same word."""

    def __str__(self) -> str:
        return f"{self.words_before}{'+' if self.opens_sentence else ''}.{self.order}"


class MentionWords(Struct, frozen=True, eq=False, kw_only=True):
    """The mentions of one corpus as they are compared, one row each."""

    corpus: Corpus
    document: Integers
    """The document of the key that each is in, or −1."""
    first: Integers
    """The place of its first word."""
    last: Integers
    head: Integers
    """The place of its head, −1 if it is not known."""
    size: Integers
    """The number of its words."""
    node: Integers
    """The row of the empty node that is its head, −1 if its head is a word."""
    has_gap: Booleans
    is_cut: Booleans
    """Whether it begins or ends inside a token, so that it is more than its words."""
    _key_document: Integers
    """The document of the key for each document of the corpus, or −1."""
    _offset: Integers
    """The number of tokens in documents before each."""
    _places: Integers
    """The place of each token of the corpus."""
    _base: Integers
    """The place before all tokens of each document."""

    @property
    def is_zero(self) -> Booleans:
        """Whether the head of each mention is an empty node."""
        return self.node >= 0

    def words(self, row: int) -> frozenset[int]:
        """Return the places of the words of a mention."""
        offset = int(self._offset[self.corpus.document_of(row)])
        return frozenset(
            place
            for start, end in self.corpus.parts_of(row)
            for place in self._places[offset + start : offset + end + 1].tolist()
        )

    def tokens(self, document: int, places: Collection[int]) -> Integers:
        """Return the tokens of a document of the key at some places; some places have none."""
        own = self._places_of(document)
        wanted = np.sort(np.fromiter(places, dtype=np.int64, count=len(places)))
        found = np.searchsorted(own, wanted)
        inside = found < len(own)
        tokens: Integers = found[inside][own[found[inside]] == wanted[inside]]
        return tokens

    def token_beside(self, document: int, place: int) -> tuple[int, bool]:
        """Return the token of a document of the key that an absent node stands beside.

        This is the token before the node, or the one after it if the node opens a sentence. The
        flag says which: True if the node stands before the token.
        """
        own = self._places_of(document)
        after = int(np.searchsorted(own, place))
        half = place // MOST_NODES
        is_first = after == 0 or (half % 2 == 1 and int(own[after - 1]) // MOST_NODES != half)
        is_before = is_first and after < len(own)
        return (after, True) if is_before else (max(after - 1, 0), False)

    def node_place(self, document: int, place: int) -> NodePlace:
        """Return where a node stands in a document of the key."""
        half, order = divmod(place - int(self._base[document]), MOST_NODES)
        return NodePlace(half // 2, bool(half % 2), order)

    def _places_of(self, document: int) -> Integers:
        start = int(self._offset[document])
        ends = self._offset[document + 1 : document + 2].tolist()
        return self._places[start : ends[0] if ends else len(self._places)]

    def markable(self, row: int) -> ComparedMention:
        """Return a mention as a record."""
        node = int(self.node[row])
        nodes = self.corpus.empty_nodes
        if node < 0:
            return ComparedMention(words=self.words(row), head=int(self.head[row]))
        # Sentences of different documents are different sentences.
        sentence = int(self.document[row]) << 32 | int(nodes.sentence[node])
        return ComparedMention(
            words=self.words(row),
            head=int(self.head[row]),
            is_zero=True,
            sentence=sentence,
            dependencies=parents(nodes.dependencies[node]),
        )

    @property
    def node_places(self) -> Integers:
        """The places of the empty nodes in documents that are compared."""
        nodes = self.corpus.empty_nodes
        is_compared = self._key_document[nodes.document] >= 0
        places = self._places[self._offset[nodes.document] + nodes.token]
        return np.asarray(places[is_compared])

    def has_within(self, places: Integers) -> Booleans:
        """Return whether one of some sorted places lies within each mention."""
        begin = np.searchsorted(places, self.first)
        end = np.searchsorted(places, self.last, side="right")
        return np.asarray(begin != end)


def parents(dependencies: str) -> frozenset[tuple[str, str]]:
    """Return the parents and relations in a column DEPS such as ``2:nsubj|4:nsubj:pass``."""
    if dependencies in ("", "_"):
        return frozenset()
    pairs = (part.partition(":") for part in dependencies.split("|"))
    return frozenset((parent, relation) for parent, _, relation in pairs)


def mention_words(
    key: Corpus, response: Corpus, key_document: Integers, heads: tuple[Heads, Heads]
) -> tuple[MentionWords, MentionWords]:
    """Put the words of both corpora into one line.

    Parameters
    ----------
    key, response
        The two corpora; their mentions are spans.
    key_document
        The document of the key for each of the response, or −1.
    heads
        The heads of the mentions of both.

    Returns
    -------
    tuple of MentionWords
        The mentions of both.
    """
    documents = (np.arange(len(key)), key_document)
    numbers = _word_numbers(key, response, key_document)
    length = np.zeros(len(key), dtype=np.int64)
    for corpus, of_key, number in zip((key, response), documents, numbers, strict=True):
        tokens = _tokens(corpus)
        ends = np.cumsum(tokens)
        has_some = (tokens > 0) & (of_key >= 0)
        np.maximum.at(length, of_key[has_some], number[ends[has_some] - 1])
    bases = (np.cumsum(length + 2) - length - 2) * 2 * MOST_NODES
    return (
        _words_of(key, documents[0], bases, numbers[0], heads[0].token),
        _words_of(response, documents[1], bases, numbers[1], heads[1].token),
    )


def _tokens(corpus: Corpus) -> Integers:
    """Return the number of tokens of each document; if it is not known, of those in mentions."""
    tokens = corpus.document_tokens.astype(np.int64)
    if (tokens == UNKNOWN_LENGTH).any():
        seen = np.zeros(len(corpus), dtype=np.int64)
        np.maximum.at(seen, corpus.mention_document, corpus.mention_spans[:, 1] + 1)
        tokens = np.where(tokens == UNKNOWN_LENGTH, seen, tokens)
    return tokens


def _is_word(corpus: Corpus, offset: Integers, tokens: int) -> Booleans:
    """Return whether each token of a corpus is a plain word."""
    is_word = np.ones(tokens, dtype=bool)
    nodes = corpus.empty_nodes
    is_word[offset[nodes.document] + nodes.token] = False
    return is_word


def _word_numbers(
    key: Corpus, response: Corpus, key_document: Integers
) -> tuple[Integers, Integers]:
    """Count the words of each document up to each token, that token included.

    Where a document has another number of words in the response, a word is counted in its sentence:
    the longer of the two sentences decides where the next begins.
    """
    numbers, totals = [], []
    for corpus in (key, response):
        tokens = _tokens(corpus)
        offset = np.cumsum(tokens) - tokens
        count = np.cumsum(_is_word(corpus, offset, int(tokens.sum())))
        before = np.concatenate(([0], count))[offset]
        numbers.append(count - np.repeat(before, tokens))
        totals.append(np.concatenate(([0], count))[offset + tokens] - before)
    paired = np.flatnonzero(key_document >= 0)
    differ = paired[totals[0][key_document[paired]] != totals[1][paired]]
    for number in differ.tolist():
        _count_by_sentence(key, int(key_document[number]), response, number, numbers)
    return numbers[0], numbers[1]


def _count_by_sentence(
    key: Corpus, document: int, response: Corpus, number: int, numbers: Sequence[Integers]
) -> None:
    """Renumber the words of one document of both, sentence by sentence."""
    if key.layers is None or response.layers is None:
        return
    sides = []
    for corpus, each, counted in ((key, document, numbers[0]), (response, number, numbers[1])):
        assert corpus.layers is not None
        tokens = _tokens(corpus)
        offset = int(tokens[:each].sum())
        own = counted[offset : offset + int(tokens[each])]
        before = np.concatenate(([0], own))
        sentences = corpus.layers.text(each).sentences
        lengths = [int(before[s.stop] - before[s.start]) for s in sentences]
        sides.append((own, before.tolist(), sentences, lengths))
    longest = [max(pair) for pair in zip_longest(sides[0][3], sides[1][3], fillvalue=0)]
    starts = [0, *accumulate(longest)]
    for own, before, sentences, _ in sides:
        for sentence, start in zip(sentences, starts, strict=False):
            own[sentence.start : sentence.stop] += start - before[sentence.start]


def _words_of(
    corpus: Corpus, document: Integers, bases: Integers, number: Integers, head: Integers
) -> MentionWords:
    spans = corpus.mention_spans
    tokens = _tokens(corpus)
    offset = np.cumsum(tokens) - tokens
    base = np.where(document >= 0, bases[document], 0) if len(bases) else document
    places = number * 2 * MOST_NODES + np.repeat(base, tokens)
    nodes = corpus.empty_nodes
    node_of = np.full(len(places) + 1, -1)
    where = offset[nodes.document] + nodes.token
    places[where] += nodes.opens_sentence * MOST_NODES + nodes.order
    node_of[where] = np.arange(len(where))
    inside = corpus.mention_document
    first, last = (offset[inside] + spans[:, column] for column in (0, 1))
    token = np.where(head < 0, len(places), offset[inside] + head)
    # An official importer may give a node the place of a word; both are then one word.
    is_repeated = np.zeros(len(places), dtype=np.int64)
    is_repeated[where[nodes.order == 0]] = 1
    repeated = np.cumsum(is_repeated)
    has_gap, is_cut = np.zeros((2, len(spans)), dtype=bool)
    has_gap[list(corpus.mention_parts)] = True
    is_cut[list(corpus.mention_cuts)] = True
    return MentionWords(
        corpus=corpus,
        document=document[inside],
        first=places[first],
        last=places[last],
        head=np.concatenate((places, [UNKNOWN]))[token],
        size=corpus.mention_sizes - (repeated[last] - repeated[first]),
        node=node_of[token],
        has_gap=has_gap,
        is_cut=is_cut,
        _key_document=document,
        _offset=offset,
        _places=places,
        _base=base,
    )
