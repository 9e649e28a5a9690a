"""The letters of a text: what is left of it without blanks, however it is divided into tokens.

Tokenisers spell some signs in their own way, such as ``-LRB-`` for a bracket. These spellings are
undone, and nothing else is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from hashlib import blake2b

from corefscope.corpus import UNKNOWN_LENGTH, Corpus, Document

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


def _letters(word: str) -> str:
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
    return _unescaped(word) if UNUSUAL.search(word) else word


def is_same_spelling(word: str, other: str) -> bool:
    """Return whether two words differ only in how tokenisers spell signs, as ( and -LRB-."""
    return respelled(word) == respelled(other)


def plain_words(corpus: Corpus, document: int) -> list[str]:
    """Return the words of a document without empty nodes; none if it has no words."""
    words = Document(corpus, document).words or []
    if corpus.empty_nodes is None:
        return words
    empty = set(corpus.empty_nodes.tokens_of(document))
    return [word for token, word in enumerate(words) if token not in empty]


def is_masked(words: Sequence[str]) -> bool:
    """Return whether most words are placeholders for words that may not be distributed."""
    return 2 * sum(map(MASKED.__contains__, words)) > len(words)


def letter_digest(corpus: Corpus, document: int) -> bytes | None:
    """Return a digest of the letters of a document; None if it has none."""
    if corpus.layers is None or corpus.document_tokens[document] == UNKNOWN_LENGTH:
        return None
    # The other text may lack these signs, where they stand for words that are not said.
    letters = "".join(letters_of(plain_words(corpus, document))).translate(NO_ZEROS)
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


def repeated_texts(key: Corpus, response: Corpus) -> list[str]:
    """Return the documents of the response with a text of the key that a side has more than once.

    Such documents cannot be paired by their text.
    """
    ours, theirs = (_by_text(corpus, range(len(corpus))) for corpus in (key, response))
    return [
        response.document_names[document]
        for digest, documents in theirs.items()
        if digest in ours and max(len(ours[digest]), len(documents)) > 1
        for document in documents
    ]


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
