"""Carry the mentions of a response over to the tokens of its key, where these differ.

Both texts are reduced to their letters. If these are the same, every token is a stretch of them,
and so is every mention. If they differ, as in the output of a language model, the words of both
texts are aligned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product, zip_longest

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from corefscope.choices import OtherTokens, Snap
from corefscope.corpus import UNKNOWN_LENGTH, Corpus, Document, Integers
from corefscope.corpus.mentions import Parts
from corefscope.exceptions import refuse_errors
from corefscope.findings import Code, Finding
from corefscope.formatting import counted
from corefscope.transfer.assembling import assembled
from corefscope.transfer.copies import (
    Aligned,
    Marks,
    Outcome,
    aligned,
    carried,
    placed,
)
from corefscope.transfer.copy_findings import copy_findings
from corefscope.transfer.documents import (
    CarriedDocument,
    Carrier,
    FindStretch,
    KeyTokens,
    is_crac,
    spoken_words,
)
from corefscope.transfer.ledger import ChangedMention, CorpusLedger, Ledger
from corefscope.transfer.letters import (
    characters_of,
    is_masked,
    piece_of,
    plain_words,
    unlike_texts,
    with_spellings,
)
from corefscope.transfer.strings import find_strings
from corefscope.transfer.texts import (
    LetterTokens,
    Stretch,
    letter_tokens,
    text_of,
    text_tokens,
    written_tokens,
)

MOST_DIFFERENT = 0.02
"""The share of words that may differ unless alignment is asked for."""


class Transfer(Struct, eq=False, kw_only=True):
    """A response whose mentions are on the tokens of the key."""

    response: Corpus
    findings: list[Finding] = field(default_factory=list)
    ledger: CorpusLedger | None = None
    """What became of the documents that are copies with tags; None if there are none."""


def carry_over(
    key: Corpus,
    response: Corpus,
    key_document: Integers,
    tokens: OtherTokens = "carry",
    snap: Snap | None = None,
) -> Transfer:
    """Carry mentions over to the tokens of the key, in documents whose tokens differ.

    Parameters
    ----------
    key, response
        The two corpora.
    key_document
        The document of the key for each of the response, or −1.
    tokens
        How to treat different tokens.
    snap
        How to move edges of mentions that lie inside a token of the key; by default they stay, and
        such a mention equals no mention of the key.

    Returns
    -------
    Transfer
        The response on the tokens of the key, and what was found.
    """
    refuse_errors(list(_refused(key, response, key_document)))
    work = _Work(key=key, response=response, tokens=tokens, snap=snap)
    strings = None if key.layers is None else find_strings(key, response, key_document)
    if strings is None:
        return _carried_over(work, key_document)
    work.response, work.ledgers = strings.response, dict(strings.ledgers)
    transfer = _carried_over(work, key_document)
    transfer.findings = [*strings.findings, *transfer.findings]
    transfer.ledger = CorpusLedger.in_order(work.ledgers, key.document_names)
    return transfer


def _carried_over(work: _Work, key_document: Integers) -> Transfer:
    """Carry over the documents of a response that have words."""
    key, response = work.key, work.response
    transfer = Transfer(response=response)
    if key.layers is None or response.layers is None or not response.has_spans:
        return transfer
    work.carry_all(key_document)
    if work.documents:
        transfer.response = assembled(key, response, key_document, work.documents)
        transfer.findings += work.summary()
    if response.copies is not None:
        transfer.ledger = CorpusLedger.in_order(work.ledgers, key.document_names)
        copied = {name: work.ledgers[name] for name in work.copied}
        copies = CorpusLedger.in_order(copied, key.document_names)
        numbers = {key.document_names[n]: i for i, n in enumerate(key_document.tolist()) if n >= 0}
        transfer.findings += copy_findings(copies, response, numbers)
    return transfer


def _refused(key: Corpus, response: Corpus, key_document: Integers) -> Iterator[Finding]:
    """Report a key that is tagged text, or has no text that tagged text can be compared with."""
    if key.copies is not None and (key.document_tokens != UNKNOWN_LENGTH).any():
        yield Finding(
            Code.NO_SOURCE,
            "the key is tagged text, a copy whose words may differ from those of the text",
            expected="a key in another format, with the words of the text",
            file=key.path,
        )
    if response.copies is None:
        return
    bare = [
        document
        for number, document in enumerate(key_document.tolist())
        if document >= 0
        and response.document_tokens[number] != UNKNOWN_LENGTH
        and Document(key, document).words is None
    ]
    if bare:
        yield Finding(
            Code.NO_SOURCE,
            f"document {key.document_names[bare[0]]!r} of the key has no words",
            expected=(
                "them, because the response is tagged text, which is compared with the words of "
                "the key"
            ),
            file=key.file_of(bare[0]),
        )


class _Work(Struct, kw_only=True):
    """Carries documents over, and keeps what is to be said about them."""

    key: Corpus
    response: Corpus
    tokens: OtherTokens
    snap: Snap | None
    documents: dict[int, CarriedDocument] = field(default_factory=dict)
    """The documents of the response that are carried over."""
    ledgers: dict[str, Ledger] = field(default_factory=dict)
    copied: list[str] = field(default_factory=list)
    """The documents of the key that are copied with tags."""
    same_letters: list[int] = field(default_factory=list)
    """The documents of the response that have the same letters as the key."""
    findings: list[Finding] = field(default_factory=list)

    def carry_all(self, key_document: Integers) -> None:
        """Carry all paired documents over that have other tokens than the key."""
        if self.response.copies is not None:
            for number in np.flatnonzero(key_document >= 0).tolist():
                document = int(key_document[number])
                if self.key.document_names[document] in self.ledgers:
                    continue  # Its mentions are strings.
                found, ledger = self._copy(document, number)
                self.ledgers[self.key.document_names[document]] = ledger
                self._keep(number, found)
        elif self.tokens != "ignore":
            for number in unlike_texts(self.key, self.response, key_document).tolist():
                self._keep(number, self._plain(int(key_document[number]), number))

    def _keep(self, number: int, found: CarriedDocument | None) -> None:
        if found is not None:
            self.documents[number] = found

    def _plain(self, document: int, number: int) -> CarriedDocument | None:
        """Carry an ordinary document over; return None if it stays as it is."""
        ours, theirs = plain_words(self.key, document), spoken_words(self.response, number)
        said = plain_words(self.response, number)
        if not ours or not said or is_masked(ours) or is_masked(said):
            return None
        is_same_count = self.key.word_count(document) == self.response.word_count(number)
        for one, other in self._letters(document, number, ours, theirs):
            (letters, tokens), (other_letters, other_tokens) = one, other
            if letters != other_letters:
                continue
            if is_same_count and _edges(tokens) == _edges(other_tokens):
                return None
            self.same_letters.append(number)
            return self._carried(
                document, number, KeyTokens(ours, tokens), other_tokens, lambda stretch: stretch
            )
        if is_same_count and self.tokens != "align":
            return None
        return self._aligned(document, number, ours, theirs)

    def _letters(
        self, document: int, number: int, ours: Sequence[str], theirs: Sequence[str]
    ) -> Iterator[tuple[tuple[str, LetterTokens], tuple[str, LetterTokens]]]:
        """Yield the letters and tokens of both sides, in the ways in which they may be the same."""
        places = characters_of(self.key, document, len(ours))
        other_places = characters_of(self.response, number, len(theirs))
        exact = _touching(ours, places), _touching(theirs, other_places)
        # Words without places may be parts of a bracket that the other side has undivided.
        loose = with_spellings(ours, places), with_spellings(theirs, other_places)
        # Signs that may stand for zeros are text if both texts have them.
        zeros = (True,) if self._has_zeros(document, number) else (False, True)
        for (spelled, other_spelled), has_zeros in product((exact, loose), zeros):
            yield (
                letter_tokens(ours, spelled, has_zeros=has_zeros),
                letter_tokens(theirs, other_spelled, has_zeros=has_zeros),
            )
        # Some analyses take "del" as the words "de" and "el", but the text does not.
        text, other = _as_in_text(self.key, document), _as_in_text(self.response, number)
        if text or other:
            yield text or letter_tokens(ours, exact[0]), other or letter_tokens(theirs, exact[1])
        # A spelling can be undone on one side only if the other one divides it, such as 1\/2.
        yield written_tokens(ours), written_tokens(theirs)

    def _has_zeros(self, document: int, number: int) -> bool:
        """Return whether one of two documents marks words that are not said."""
        return is_crac(self.response, number) or any(
            len(corpus.empty_nodes.rows_of(each)) > 0
            for corpus, each in ((self.key, document), (self.response, number))
        )

    def _aligned(
        self, document: int, number: int, ours: Sequence[str], theirs: Sequence[str]
    ) -> CarriedDocument | None:
        """Carry a document with other letters over, by its words."""
        has_zeros = self._has_zeros(document, number)
        source = text_of(ours, has_zeros=has_zeros)
        text = text_of(theirs, self._characters(number), has_zeros=has_zeros)
        pair = aligned(source, text)
        sizes = len(pair.source.words), len(pair.copy.words)
        different = max(size - pair.matched for size in sizes)
        if self.tokens != "align" and different > MOST_DIFFERENT * max(sizes):
            return None
        fates: Counter[str] = Counter()

        def place(stretch: Stretch) -> Stretch | None:
            return placed(pair, stretch)[1]

        found = self._carried(
            document, number, KeyTokens(ours, source.tokens), text.tokens, place, fates
        )
        self.findings.append(self._other_words(document, number, pair, fates))
        return found

    def _other_words(
        self, document: int, number: int, pair: Aligned, fates: Mapping[str, int]
    ) -> Finding:
        only_key = len(pair.source.words) - pair.matched
        only_response = len(pair.copy.words) - pair.matched
        kept, lost = fates.get("kept", 0), fates.get("lost", 0)
        left_out = counted(
            lost, "has no place there and is left out", "have no place there and are left out"
        )
        dropped = f", and {left_out}" if lost else ""
        if only_key or only_response:
            of = f"of its {counted(len(pair.source.words), 'word')}"
            missing = counted(only_key, f"{of} is missing", f"{of} are missing")
            differ = f"{missing}, {counted(only_response, 'is new', 'are new')}"
        else:
            tokens = plain_words(self.key, document), plain_words(self.response, number)
            differ = f"they differ only in spelling, and {_first_other_token(*tokens)}"
        message = (
            f"document {self.response.document_names[number]!r} has other words than "
            f"{self.key.document_names[document]!r} of the key: {differ}; the words were aligned, "
            f"and {counted(kept, 'mention')} carried over to the tokens of the key{dropped}"
        )
        return Finding(Code.CARRIED_OVER, message, file=self.response.file_of(number))

    def _copy(self, document: int, number: int) -> tuple[CarriedDocument, Ledger]:
        """Carry a copy with tags over."""
        response, layers = self.response, self.response.layers
        assert response.copies is not None and layers is not None
        ours = plain_words(self.key, document)
        has_zeros = self._has_zeros(document, number)
        source = text_of(ours, has_zeros=has_zeros)
        copy, columns = response.copies[number], layers.text(number)
        characters = columns.characters or ()
        text = text_of(columns.columns.get("words", []), columns.characters, has_zeros=has_zeros)
        unclosed, nameless, thoughts = (
            [_letters(text.tokens, span) for span in _tokens_of(each, characters)]
            for each in (copy.undecided, copy.nameless, copy.asides)
        )
        marks = Marks(unclosed=unclosed, nameless=nameless, thoughts=thoughts)
        rows = response.mentions_of(number)
        stretches = [_letters(text.tokens, response.mention_spans[row].tolist()) for row in rows]
        entities = response.mention_entity[rows.start : rows.stop].tolist()
        result = carried(source, text, copy, marks, list(zip(entities, stretches, strict=True)))
        self.copied.append(self.key.document_names[document])
        place_of = {
            stretch: outcome.place
            for stretch, outcome in zip(stretches, result.outcomes, strict=True)
        }
        ours_tokens = KeyTokens(ours, source.tokens)
        carrier = self._carrier(document, number, ours_tokens, text.tokens, place_of.get)
        for row, outcome in zip(rows, result.outcomes, strict=True):
            if outcome.place is not None:
                first, last = response.mention_spans[row].tolist()
                carrier.mention(row, ((first, last),), outcome.place)
        carrier.settle()
        fates = zip(rows, result.outcomes, strict=True)
        changed = list(self._changed(number, carrier.found, fates))
        return carrier.found, replace(result.ledger, changed=changed)

    def _changed(
        self, number: int, document: CarriedDocument, outcomes: Iterable[tuple[int, Outcome]]
    ) -> Iterator[ChangedMention]:
        """Yield the mentions of a copy that are not in the text as they are in the copy."""
        words = dict(zip(document.word_tokens, document.words, strict=True))
        said = Said(self.response, number)
        for row, outcome in outcomes:
            if outcome.fate == "exact":
                continue
            text = said.words(*self.response.mention_spans[row].tolist())
            yield ChangedMention(
                entity=self._entity(row),
                text=text,
                outcome=outcome.fate,
                becomes=_in_key(document, row, words),
            )

    def _characters(self, number: int) -> Sequence[tuple[int, int]] | None:
        return Document(self.response, number).characters

    def _carried(
        self,
        document: int,
        number: int,
        ours: KeyTokens,
        theirs: LetterTokens,
        place: FindStretch,
        fates: Counter[str] | None = None,
    ) -> CarriedDocument:
        carrier = self._carrier(document, number, ours, theirs, place)
        heads = self.response.mention_heads
        for row, parts in _mentions(self.response, number):
            is_kept = carrier.mention(row, parts)
            if fates is not None:
                fates["kept" if is_kept else "lost"] += 1
            if is_kept and heads is not None and heads[row] >= 0:
                carrier.head(row, int(heads[row]))
        carrier.settle()
        return carrier.found

    def _carrier(
        self,
        document: int,
        number: int,
        ours: KeyTokens,
        theirs: LetterTokens,
        place: FindStretch,
    ) -> Carrier:
        return Carrier(
            key=self.key,
            document=document,
            response=self.response,
            number=number,
            ours=ours,
            theirs=theirs,
            place=place,
            snap=self.snap,
        )

    def summary(self) -> Iterator[Finding]:
        """Report what was carried over."""
        if self.same_letters:
            yield self._same_letters(self.documents)
        yield from self.findings
        inside = [(number, row) for number, each in self.documents.items() for row in each.inside]
        if inside:
            yield self._inside(self.documents, inside)

    def _same_letters(self, documents: Mapping[int, CarriedDocument]) -> Finding:
        first = self.same_letters[0]
        mentions = sum(len(documents[number].parts) for number in self.same_letters)
        have = counted(len(self.same_letters), "document has", "documents have")
        expected, found = len(documents[first].words), self.response.word_count(first)
        differ = f"has {counted(found, 'token')} instead of {expected:,}"
        if found == expected:
            tokens = documents[first].words, plain_words(self.response, first)
            differ = f"has as many tokens, but {_first_other_token(*tokens)}"
        were = counted(mentions, "mention was", "mentions were")
        if piece := piece_of(plain_words(self.response, first)):
            differ += f", word pieces such as {piece!r}"
        message = (
            f"{have} other tokens than the key, but the same letters; "
            f"{self.response.document_names[first]!r} {differ}; {were} carried over to the tokens "
            "of the key"
        )
        return Finding(Code.CARRIED_OVER, message, file=self.response.file_of(first))

    def _inside(
        self, documents: Mapping[int, CarriedDocument], inside: Sequence[tuple[int, int]]
    ) -> Finding:
        fallen = [(number, row) for number, row in inside if row in documents[number].fallen]
        number, row = inside[0]
        is_one = len(inside) == 1
        inside_of = "in" if self.snap is None else "which becomes"
        becomes = {
            None: "they stay as they are, and equal no mention of the key",
            "outward": "they are extended to whole tokens, as requested",
            "inward": "they are cut down to whole tokens, as requested",
        }[self.snap]
        message = (
            f"{len(inside):,} {'mention begins or ends' if is_one else 'mentions begin or end'} "
            f"inside a token of the key, the first of them {self._said(number, row)!r} {inside_of} "
            f"{self._tokens(documents[number], row)!r}, in document "
            f"{self.response.document_names[number]!r}; {becomes}"
        )
        if fallen:
            number, row = fallen[0]
            other = documents[number].fallen[row]
            then = "mention then is" if len(fallen) == 1 else "mentions then are"
            message += (
                f"; {len(fallen):,} {then} the same as another mention of the response, and left "
                f"out: {self._said(number, row)!r} of entity {self._entity(row)} becomes "
                f"{self._tokens(documents[number], row)!r}, which is already in entity "
                f"{self._entity(other)}"
            )
        return Finding(Code.INSIDE_TOKEN, message, file=self.response.file_of(number))

    def _said(self, number: int, row: int) -> str:
        """Return the words of a mention in the response."""
        first, last = self.response.mention_spans[row].tolist()
        return _short(" ".join(spoken_words(self.response, number)[first : last + 1]))

    def _tokens(self, document: CarriedDocument, row: int) -> str:
        """Return the words of a mention in the key."""
        words = dict(zip(document.word_tokens, document.words, strict=True))
        return _short(_in_key(document, row, words) or "")

    def _entity(self, row: int) -> str:
        return self.response.entity_labels[int(self.response.mention_entity[row])]


class Said:
    """Returns the words of a document as its text writes them."""

    def __init__(self, response: Corpus, number: int) -> None:
        document = Document(response, number)
        self.text, self.characters = document.text, document.characters
        self.tokens = spoken_words(response, number)

    def words(self, first: int, last: int) -> str:
        """Return the words from one token to another."""
        if self.text is None or self.characters is None:
            return " ".join(self.tokens[first : last + 1])
        begin, end = self.characters[first][0], self.characters[last][1]
        return " ".join(self.text[begin:end].split())


def _in_key(document: CarriedDocument, row: int, words: Mapping[int, str]) -> str | None:
    """Return the words of a mention in the key; None if it has no place there.

    ``words`` has the words of the key, by token.
    """
    parts = document.parts.get(document.fallen.get(row, row))
    if parts is None:
        return None
    tokens = range(parts[0][0], parts[-1][1] + 1)
    return " ".join(words[token] for token in tokens if token in words)


def _first_other_token(ours: Sequence[str], theirs: Sequence[str]) -> str:
    """Return the first token that differs, in words."""
    for token, (word, other) in enumerate(zip_longest(ours, theirs)):
        if word != other:
            return f"token {token} is {_token(other)} instead of {_token(word)}"
    return "their tokens are the same"


def _token(word: str | None) -> str:
    return "missing" if word is None else repr(_short(word))


def _touching(words: Sequence[str], places: Sequence[tuple[int, int]] | None) -> Sequence[str]:
    """Return words with the spellings put together that are known to touch in the text."""
    return words if places is None else with_spellings(words, places)


def _as_in_text(corpus: Corpus, number: int) -> tuple[str, LetterTokens] | None:
    """Return the letters of a document as its text spells them; None if it is not known."""
    document = Document(corpus, number)
    text, places = document.text, document.characters
    if text is None or places is None or corpus.empty_nodes:
        return None
    return text_tokens(text, places)


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"


def _edges(tokens: LetterTokens) -> tuple[list[int], list[int]]:
    return list(tokens.begins), list(tokens.ends)


def _letters(tokens: LetterTokens, span: Sequence[int]) -> Stretch:
    return Stretch(tokens.begins[span[0]], tokens.ends[span[1]])


def _tokens_of(
    stretches: Sequence[tuple[int, int]], characters: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Yield the first and last token of stretches of a text."""
    begins = np.array([begin for begin, _ in characters], dtype=np.int64)
    for begin, end in stretches:
        first, stop = np.searchsorted(begins, [begin, end]).tolist()
        if first < stop:
            yield first, stop - 1


def _mentions(corpus: Corpus, document: int) -> Iterator[tuple[int, Parts]]:
    """Yield the rows of the mentions of a document, with their parts."""
    for row in corpus.mentions_of(document):
        yield row, corpus.parts_of(row)
