"""The letters of a text: what is left of it without blanks, however it is divided into tokens.

Tokenisers spell some signs in their own way, such as ``-LRB-`` for a bracket. These spellings are
undone, and nothing else is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from hashlib import blake2b
from itertools import pairwise

import numpy as np

from corefscope.corpus import UNKNOWN_LENGTH, Corpus, Document, Integers

BRACKETS = {"L": {"R": "(", "S": "[", "C": "{"}, "R": {"R": ")", "S": "]", "C": "}"}}
SPELLED = re.compile(r"-([LR])([RSC])B-")
QUOTES = str.maketrans(
    {'"': "''", "“": "''", "”": "''", "„": "''", "`": "'", "‘": "'", "’": "'", "‚": "'"}
)
"""A double quote counts as two single ones, because some tokenisers write it so."""
ESCAPED = re.compile(r"[/\\]([.?\-*/])")
"""Signs that the Penn Treebank and OntoNotes put a slash before."""
UNUSUAL = re.compile(r"""["“”„`‘’‚/\\\s]|-[LR]""")
MASKED = frozenset({"_", "___", "[WORD]"})
"""Placeholders for words that may not be distributed."""
ZEROS = frozenset({"##", "_"})
"""Tokens that stand for a word that is not said, where a text has such words."""
NO_ZEROS = str.maketrans("", "", "#_")
PIECES = "##"
PIECE = re.compile(rf"{PIECES}\w")
"""A piece of a word that is not its first, as BERT writes it."""


BRACKET_NAMES = frozenset({"LRB", "RRB", "LSB", "RSB", "LCB", "RCB"})
SLASHES = frozenset("/\\")
PARTS_OF_SPELLINGS = BRACKET_NAMES | SLASHES


def with_spellings(
    words: Sequence[str], characters: Sequence[tuple[int, int]] | None
) -> Sequence[str]:
    """Put spellings of tokenisers together that a text without tokens has: ``-``, ``LRB``, ``-``.

    The first word becomes the whole spelling, and the others become empty.

    Parameters
    ----------
    words
        The words of a text.
    characters
        Where they begin and end in it, if that is known: only words that touch are put together.
        If it is not known, only brackets are: a slash before a sign may be a word of its own.

    Returns
    -------
    sequence of str
        As many words; the same object if there is nothing to put together.
    """
    if PARTS_OF_SPELLINGS.isdisjoint(words):
        return words
    if characters is None:
        touches = [True] * (len(words) + 1)
    else:
        inside = (end == begin for (_, end), (begin, _) in pairwise(characters))
        touches = [False, *inside, False]
    found = list(words)
    free = 0  # A sign belongs to one spelling only.
    for place, word in enumerate(words):
        if place > free and word in BRACKET_NAMES and touches[place] and touches[place + 1]:
            if list(words[place - 1 : place + 2]) == ["-", word, "-"]:
                found[place - 1 : place + 2] = [f"-{word}-", "", ""]
                free = place + 2
        elif word in SLASHES and touches[place : place + 3] == [False, True, False]:
            found[place : place + 2] = [word + words[place + 1], ""]
    return found


def as_written(words: Iterable[str]) -> list[str]:
    """Return the letters of each word without undoing any spelling."""
    return ["".join(unicodedata.normalize("NFC", word).split()) for word in words]


def letters_of(words: Iterable[str], *, has_zeros: bool = False) -> list[str]:
    """Return the letters of each word; if there are words that are not said, they have none."""
    known: dict[str, str] = dict.fromkeys(ZEROS, "") if has_zeros else {}
    found = []
    for word in words:
        letters = known.get(word)
        if letters is None:
            letters = known[word] = _letters(word)
        found.append(letters)
    return found


def piece_of(words: Iterable[str]) -> str | None:
    """Return the first word piece, such as ``##is``; None if the text has none."""
    return next((word for word in words if PIECE.match(word)), None)


def without_sign(word: str) -> str:
    """Return a word piece without the sign that it continues a word."""
    return word.removeprefix(PIECES) if PIECE.match(word) else word


def _letters(word: str) -> str:
    return _as_spelled(word if word.isascii() else unicodedata.normalize("NFC", word))


def _as_spelled(word: str) -> str:
    word = without_sign(word)
    if not UNUSUAL.search(word):
        return word
    return "".join(_unescaped(word).translate(QUOTES).split())


def _unescaped(word: str) -> str:
    """Undo how tokenisers spell brackets, and signs with a slash before them."""
    word = SPELLED.sub(lambda match: BRACKETS[match[1]][match[2]], word)
    return ESCAPED.sub(r"\1", word) if len(word) == 2 else word.replace("\\/", "/")


def respelled(word: str) -> str:
    """Return a word as it stands in a text, if a tokeniser spells it in its own way."""
    if word in ("``", "''"):
        return '"'
    word = without_sign(word)
    return _unescaped(word) if UNUSUAL.search(word) else word


def is_same_spelling(word: str, other: str) -> bool:
    """Return whether two words differ only in how tokenisers spell signs, as ( and -LRB-."""
    return _as_spelled(word) == _as_spelled(other)


def is_other_form(word: str, other: str) -> bool:
    """Return whether two words look the same, but have other characters: é, or e and an accent."""
    return word != other and _letters(word) == _letters(other)


def plain_words(corpus: Corpus, document: int) -> list[str]:
    """Return the words of a document without empty nodes; none if it has no words."""
    words = Document(corpus, document).words or []
    if not corpus.empty_nodes:
        return words
    empty = set(corpus.empty_nodes.tokens_of(document))
    return [word for token, word in enumerate(words) if token not in empty]


def spoken_letters(corpus: Corpus, document: int) -> list[str]:
    """Return the letters of each word of a document; none if it has no words, or masked ones.

    Placeholders say nothing about a text: all documents of one length would have the same.
    """
    words = plain_words(corpus, document)
    if is_masked(words):
        return []
    return letters_of(with_spellings(words, characters_of(corpus, document, len(words))))


def characters_of(corpus: Corpus, document: int, words: int) -> Sequence[tuple[int, int]] | None:
    """Return where the words of a document are in its text, if each of them has a place."""
    found = Document(corpus, document).characters
    return found if found is not None and len(found) == words else None


def is_masked(words: Sequence[str]) -> bool:
    """Return whether most words are placeholders for words that may not be distributed."""
    return 2 * sum(map(MASKED.__contains__, words)) > len(words)


def letter_digest(corpus: Corpus, document: int) -> bytes | None:
    """Return a digest of the letters of a document; None if it has none."""
    if corpus.layers is None or corpus.document_tokens[document] == UNKNOWN_LENGTH:
        return None
    # The other text may lack these signs, where they stand for words that are not said.
    letters = "".join(spoken_letters(corpus, document)).translate(NO_ZEROS)
    if not letters:
        return None
    return blake2b(letters.encode(errors="surrogatepass"), digest_size=16).digest()


def has_same_text(key: Corpus, document: int, response: Corpus, number: int) -> bool:
    """Return whether two documents have the same letters; not if one of them has none."""
    if key.word_digests and response.word_digests:
        words = key.word_digests[document]
        if words is not None and words == response.word_digests[number]:
            return True
    letters = letter_digest(key, document)
    return letters is not None and letters == letter_digest(response, number)


def pair_texts(
    key: Corpus, ours: Collection[int], response: Corpus, theirs: Collection[int]
) -> dict[int, int]:
    """Pair documents that have the same letters; a text that occurs twice on a side is not paired.

    Parameters
    ----------
    key, response
        The two corpora.
    ours, theirs
        The documents of the key, and those of the response, that may be paired.

    Returns
    -------
    dict
        The key's document for each document of the response that is paired.
    """
    if not ours or not theirs:
        return {}
    wanted = _unique(key, ours)
    if not wanted:
        return {}
    found = _unique(response, theirs)
    return {found[digest]: wanted[digest] for digest in found if digest in wanted}


def texts_in_common(
    key: Corpus, ours: Sequence[str], response: Corpus, theirs: Sequence[str]
) -> dict[str, str]:
    """Return a document of the key that has the same text, for some documents of the response."""
    if not ours or not theirs:
        return {}
    known = _by_text(key, list(map(key.index, ours)))
    found = _by_text(response, list(map(response.index, theirs)))
    return {
        response.document_names[number]: key.document_names[known[digest][0]]
        for digest, numbers in found.items()
        if digest in known
        for number in numbers
    }


def _unique(corpus: Corpus, documents: Collection[int]) -> dict[bytes, int]:
    """Return the documents whose text occurs only once, by the digest of their letters."""
    places = _by_text(corpus, documents)
    return {digest: found[0] for digest, found in places.items() if len(found) == 1}


def _by_text(corpus: Corpus, documents: Collection[int]) -> dict[bytes, list[int]]:
    """Return the documents with each text, by the digest of their letters."""
    places: dict[bytes, list[int]] = {}
    for document in documents:
        digest = letter_digest(corpus, document)
        if digest is not None:
            places.setdefault(digest, []).append(document)
    return places


def unlike_texts(key: Corpus, response: Corpus, key_document: Integers) -> Integers:
    """Return the paired documents of a response whose words may differ, without reading them.

    These are those with another number of words, empty nodes apart, or another digest of them.
    """
    paired = np.flatnonzero(key_document >= 0)
    documents = key_document[paired]
    expected, found = key.word_counts[documents], response.word_counts[paired]
    is_unlike = (expected != found) & (expected > 0) & (found > 0)
    ours, theirs = key.word_digests, response.word_digests
    if ours is not None and theirs is not None:
        pairs = zip(documents.tolist(), paired.tolist(), strict=True)
        differ = [
            ours[document] != theirs[number] and None not in (ours[document], theirs[number])
            for document, number in pairs
        ]
        is_unlike |= np.array(differ, dtype=bool) & (expected > 0) & (found > 0)
    unlike: Integers = paired[is_unlike]
    return unlike
