"""Which documents are scored: version 1 takes what it finds, version 2 refuses what differs."""

from __future__ import annotations

from collections.abc import Iterator

from corefscope.corpus import UNKNOWN_LENGTH, Corpus, Document
from corefscope.exceptions import InvalidInput
from corefscope.extensions.universal_anaphora.rules import UaRules
from corefscope.findings import Code, Finding
from corefscope.matching.documents import unnamed_pair


def paired_documents(
    key: Corpus, response: Corpus, rules: UaRules, findings: list[Finding]
) -> list[tuple[int, int | None]]:
    """Return each document of the key with that of the response of the same name, or None.

    Two single documents without a name are paired, which :func:`pair_documents` reports.
    """
    place = {name: number for number, name in enumerate(response.document_names)}
    pairs = [(number, place.get(name)) for number, name in enumerate(key.document_names)]
    are_unnamed = unnamed_pair(key, response) is not None
    if are_unnamed:
        pairs = [(0, 0)]
    if rules.version == 1:
        findings += () if are_unnamed else _absences(key, response)
        return pairs
    others = () if are_unnamed else _other_documents(key, response)
    errors = [*others, *_other_texts(key, response, pairs)]
    if errors:
        raise InvalidInput(errors)
    return pairs


def _absences(key: Corpus, response: Corpus) -> Iterator[Finding]:
    for name in key.document_names:
        if name not in response:
            message = (
                f"document {name!r} of the key is missing from the response. Like version 1 of the "
                "scorer, corefscope leaves it out, which makes the scores too high"
            )
            yield Finding(Code.MISSING, message, file=response.path)
    for name in response.document_names:
        if name not in key:
            message = f"document {name!r} is not in the key; it is ignored"
            yield Finding(Code.EXTRA, message, file=response.path)


def _other_documents(key: Corpus, response: Corpus) -> Iterator[Finding]:
    for name in key.document_names:
        if name not in response:
            yield Finding(
                Code.SCORER_REFUSES,
                f"document {name!r} of the key is missing from the response, which version 2 of "
                "the scorer refuses",
                expected="all documents of the key: add it",
                file=response.path,
            )
    for name in response.document_names:
        if name not in key:
            yield Finding(
                Code.SCORER_REFUSES,
                f"document {name!r} is not in the key, which version 2 of the scorer refuses",
                expected="only documents of the key: remove it",
                file=response.path,
            )


def _other_texts(
    key: Corpus, response: Corpus, pairs: list[tuple[int, int | None]]
) -> Iterator[Finding]:
    """Report documents whose words differ, empty nodes apart."""
    for document, number in pairs:
        if number is None:
            continue
        difference = _difference(key, document, response, number)
        if difference is not None:
            found, expected = difference
            yield Finding(
                Code.SCORER_REFUSES,
                f"document {key.document_names[document]!r} has {found}",
                expected=f"{expected}, as in the key",
                file=response.file_of(number),
            )


def _difference(
    key: Corpus, document: int, response: Corpus, number: int
) -> tuple[str, str] | None:
    """Return what the response has, and what was expected; None if the words are the same."""
    expected, found = number_of_words(key, document), number_of_words(response, number)
    if expected is not None and found is not None and expected != found:
        return f"{found} words without empty nodes", f"{expected}"
    digests = [
        corpus.word_digests[place] if corpus.word_digests else None
        for corpus, place in ((key, document), (response, number))
    ]
    if digests[0] is None or digests[0] != digests[1]:
        words, others = _words(key, document), _words(response, number)
        for place, (word, other) in enumerate(zip(words, others, strict=False), 1):
            if word != other:
                return f"{other!r} as word {place}", repr(word)
    return None


def _empty(corpus: Corpus, document: int) -> set[int]:
    return set(corpus.empty_nodes.tokens_of(document))


def number_of_words(corpus: Corpus, document: int) -> int | None:
    """Return the number of words of a document without empty nodes; None if it is not known."""
    tokens = int(corpus.document_tokens[document])
    return None if tokens == UNKNOWN_LENGTH else tokens - len(_empty(corpus, document))


def _words(corpus: Corpus, document: int) -> list[str]:
    words = Document(corpus, document).words
    empty = _empty(corpus, document)
    return [word for token, word in enumerate(words or ()) if token not in empty]
