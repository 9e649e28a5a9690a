"""Find mentions that are only strings in the words of the key."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from corefscope.corpus import UNKNOWN_LENGTH, Corpus, Integers
from corefscope.corpus.copies import NO_STYLE, STRINGS
from corefscope.findings import Code, Finding
from corefscope.formatting import counted
from corefscope.transfer.ledger import (
    NO_COUNTERPART,
    REPEATED,
    TOO_OFTEN,
    ChangedMention,
    CorpusLedger,
    Ledger,
    Status,
)
from corefscope.transfer.letters import plain_words
from corefscope.transfer.texts import LetterText, text_of

FEW = 0.5
"""The share of strings that must be found; otherwise they are ids, and no words of the text."""


class FoundStrings(Struct, kw_only=True):
    """Mentions of a response whose strings were looked up."""

    response: Corpus
    """The response; mentions of documents that are no strings are as they were."""
    ledgers: dict[str, Ledger]
    """By the names of documents in the key."""
    findings: list[Finding] = field(default_factory=list)


def find_strings(key: Corpus, response: Corpus, key_document: Integers) -> FoundStrings | None:
    """Look up mentions that are strings in the words of the key.

    Returns
    -------
    FoundStrings or None
        None if mentions are no strings, or may be ids: most of them are not in the words of the
        key, and the format of the response does not say that they are words.
    """
    # An answer without words is one that should have strings, even if it has none.
    is_format = any(not _has_words(response, n) for n in range(len(response)) if response.copies)
    rows = [row for row, id in enumerate(response.mention_ids) if isinstance(id, str)]
    # Answers in tagged text have spans of their own words.
    if not key.has_spans or (len(rows) < len(response.mention_ids) and not is_format):
        return None
    if not rows and not is_format:
        return None
    search = _Search(key, response)
    for number, document in enumerate(key_document.tolist()):
        if document >= 0 and not _has_words(response, number):
            search.look_up(number, document)
    if search.is_found[rows].sum() < FEW * len(rows) and not (
        is_format and max(search.tokens, default=0) > 0
    ):
        return None
    return search.found()


def _has_words(response: Corpus, document: int) -> bool:
    """Return whether a document is tagged text, beside others with strings."""
    tokens = response.document_tokens
    return response.copies is not None and int(tokens[document]) != UNKNOWN_LENGTH


class _Search:
    """Looks up the strings of a response."""

    def __init__(self, key: Corpus, response: Corpus) -> None:
        self.key, self.response = key, response
        ids = response.mention_ids
        if response.has_spans:
            # No answer in JSON has a string; others may be tagged text.
            self.spans = np.array(response.mention_spans)
            self.is_found = np.ones(len(self.spans), dtype=bool)
        else:
            self.spans = np.array([(0, 0) if isinstance(id, str) else id for id in ids], np.int32)
            self.spans = self.spans.reshape(-1, 2)
            self.is_found = np.array([not isinstance(id, str) for id in ids], dtype=bool)
        self.tokens = np.array(response.document_tokens)
        self.ledgers: dict[str, Ledger] = {}
        self.ambiguous: list[tuple[int, str]] = []
        self.unlisted: list[tuple[int, str]] = []
        """Labels that are words of the text, and no mention."""

    def look_up(self, number: int, document: int) -> None:
        """Look up the strings of a document of the response in one of the key."""
        response = self.response
        words = plain_words(self.key, document)
        finder = _Finder(text_of(words))
        rows = response.mentions_of(number)
        strings = [str(response.mention_ids[row]) for row in rows]
        entities = response.mention_entity[rows.start : rows.stop].tolist()
        places = list(finder.places(strings, entities))
        for row, place in zip(rows, places, strict=True):
            if isinstance(place, tuple):
                self.spans[row], self.is_found[row] = place, True
        self.tokens[number] = len(words)
        has_entities = bool(self.key.mentions_of(document))
        is_failed = _failed(response, number) or _is_empty(response, number, has_entities)
        labels = [response.entity_labels[entity] for entity in entities]
        changed = list(_changed(strings, labels, places))
        ledger = replace(_ledger(places, is_failed=is_failed), changed=changed)
        if response.copies is not None and response.copies[number].is_cut_off:
            ledger = replace(ledger, status="cut off")
        self.ledgers[self.key.document_names[document]] = ledger
        self.ambiguous += [(number, each) for each in finder.ambiguous(strings)]
        # Entities without a label have a number.
        named = [each for each in dict.fromkeys(labels) if not each.isdigit()]
        taken = {
            t for each in places if not isinstance(each, str) for t in range(each[0], each[1] + 1)
        }
        self.unlisted += [
            (number, label)
            for label in named
            if (known := finder.occurrences(label))
            and taken.isdisjoint(t for each in known for t in range(each.span[0], each.span[1] + 1))
        ]

    def found(self) -> FoundStrings:
        """Return the response with what was found."""
        is_mixed = any(_has_words(self.response, number) for number in range(len(self.response)))
        corpus = replace(
            self.response,
            mention_ids=(),
            mention_spans=self.spans,
            document_tokens=self.tokens,
            copies=self.response.copies if is_mixed else None,
            _index={},
        )
        ledger = CorpusLedger.in_order(self.ledgers, self.key.document_names)
        found = FoundStrings(response=corpus.with_mentions(self.is_found), ledgers=self.ledgers)
        found.findings += _empty(self.response, ledger)
        found.findings += _findings(self.response, ledger, self.ambiguous, self.unlisted)
        return found


def _is_empty(response: Corpus, document: int, has_entities: bool) -> bool:
    """Return whether an answer has no entities, although the text has some.

    It is more likely that there is no answer than that the model found nothing.
    """
    is_answer = response.copies is not None
    return is_answer and has_entities and not response.mentions_of(document)


def _empty(response: Corpus, ledger: CorpusLedger) -> Iterator[Finding]:
    """Report answers without entities to documents that have some; readers report refusals."""
    known = {name for n, name in enumerate(response.document_names) if _failed(response, n)}
    for name in ledger.failed:
        if name in known:
            continue
        yield Finding(
            Code.COPY_FAILED,
            f"document {name!r} has no entities in the answer, and some in the key",
            expected="lists of strings: it counts as failed",
            file=response.path,
        )


def _failed(response: Corpus, document: int) -> bool:
    """Return whether a document is an answer without any entities, as a refusal is."""
    return response.copies is not None and response.copies[document].style == NO_STYLE


class Occurrence(NamedTuple):
    """Where a string occurs in a text."""

    word: int
    """Its first word."""
    span: tuple[int, int]
    """Its first and its last token."""


class _Finder:
    """Finds strings in a text, those of an entity one after the other."""

    def __init__(self, text: LetterText) -> None:
        self.text = text
        self.token_of = [bisect_right(text.tokens.begins, begin) - 1 for begin in text.begins[:-1]]
        self.keys = text.keys
        self.exact, self.alike = _index(text.words), _index(self.keys)
        self.known: dict[str, Sequence[Occurrence]] = {}

    def occurrences(self, string: str) -> Sequence[Occurrence]:
        """Return where a string occurs, as it is written if possible."""
        if string not in self.known:
            self.known[string] = [
                Occurrence(first, (self.token_of[first], self.token_of[last]))
                for first, last in self._words(string)
            ]
        return self.known[string]

    def _words(self, string: str) -> Sequence[tuple[int, int]]:
        """Return the first and the last word of each occurrence of a string."""
        wanted = text_of(string.split())
        for index, words, all_words in (
            (self.exact, wanted.words, self.text.words),
            (self.alike, wanted.keys, self.keys),
        ):
            size = len(words)
            places = [
                (place, place + size - 1)
                for place in (index.get(words[0], ()) if size else ())
                if list(all_words[place : place + size]) == list(words)
            ]
            if places:
                return places
        return ()

    def places(
        self, strings: Sequence[str], entities: Sequence[int]
    ) -> Iterator[tuple[int, int] | str]:
        """Yield the first and last token of each string, or why it has none."""
        owner: dict[tuple[int, int], int] = {}
        """The entity of each span that is a mention: strings such as She and she share theirs."""
        last: dict[int, int] = {}
        """Where the latest mention of each entity begins."""
        for string, entity in zip(strings, entities, strict=True):
            known = self.occurrences(string)
            free = [place for place in known if place.span not in owner]
            after = [place for place in free if place.word > last.get(entity, -1)]
            if not known:
                yield NO_COUNTERPART
            elif not free:
                is_own = any(owner[place.span] == entity for place in known)
                yield REPEATED if is_own else TOO_OFTEN
            else:
                found = (after or free)[0]
                owner[found.span], last[entity] = entity, found.word
                yield found.span

    def ambiguous(self, strings: Sequence[str]) -> Iterator[str]:
        """Yield the strings that occur more often than they are listed, in any spelling."""
        places = {string: tuple(self.occurrences(string)) for string in dict.fromkeys(strings)}
        listed = Counter(places[string] for string in strings)
        return (string for string, known in places.items() if len(known) > listed[known])


def _index(words: Sequence[str]) -> Mapping[str, list[int]]:
    found: dict[str, list[int]] = {}
    for place, word in enumerate(words):
        found.setdefault(word, []).append(place)
    return found


def _changed(
    strings: Sequence[str], entities: Sequence[str], places: Sequence[tuple[int, int] | str]
) -> Iterator[ChangedMention]:
    """Yield the strings that are dropped; ``places`` has the reasons."""
    for string, entity, place in zip(strings, entities, places, strict=True):
        if isinstance(place, str):
            yield ChangedMention(entity=entity, text=string, outcome=place)


def _ledger(places: Sequence[tuple[int, int] | str], *, is_failed: bool) -> Ledger:
    """Return the ledger of a document, which has mentions but no copy of the words."""
    dropped = Counter(place for place in places if isinstance(place, str))
    status: Status = "failed" if is_failed else "repaired" if dropped else "ok"
    return Ledger(
        style=NO_STYLE if is_failed else STRINGS,
        opened=len(places),
        closed=len(places),
        parsed=len(places),
        exact=len(places) - sum(dropped.values()),
        dropped=dict(dropped),
        status=status,
    )


def _findings(
    response: Corpus,
    ledger: CorpusLedger,
    ambiguous: Sequence[tuple[int, str]],
    unlisted: Sequence[tuple[int, str]],
) -> Iterator[Finding]:
    total = ledger.total
    if not ambiguous and not unlisted and total.exact == total.parsed:
        return
    message = f"mentions are strings: {total.exact:,} of {total.parsed:,} are in the key's words"
    if total.exact < total.parsed:
        message += "; the others have no place there"
    if ambiguous:
        number, string = ambiguous[0]
        message += (
            f"; {len(ambiguous):,} occur more often than they are listed, the first of them "
            f"{string!r} in document {response.document_names[number]!r}: the first occurrence "
            "after the mention before is taken"
        )
    if unlisted:
        number, label = unlisted[0]
        are = counted(
            len(unlisted),
            "label is in the text, but no mention",
            "labels are in the text, but no mentions",
        )
        message += (
            f"; {are}, as {label!r} in document {response.document_names[number]!r}: only listed "
            "strings are mentions"
        )
    yield Finding(Code.ANSWER_CHANGED, message, file=response.path)
