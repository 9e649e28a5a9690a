"""Stanza documents as JSON: what `str(doc)` gives.

A document is a list of sentences, each a list of words. A file has one document, or several: in
lines, in an array, or one after the other. A word has the chains that it is in, each with
its number and the flags `is_start` and `is_end` of the mention. `start_char` and `end_char` are
characters of the text.

- Two mentions of one chain that cross cannot be told from nested ones. An end belongs to the latest
  start that is open, and the document is reported.
- An entry with two numbers as `id`, such as `[1, 2]`, is a token of several words. It is no word
  itself; the words follow.
- An entry whose `id` comes after its word, such as `[8, 1]`, is a word that is not spoken. It is
  read as an empty node.
- `json.dumps(doc.to_dict())` fails in Stanza; use `str(doc)`.
- There is no name: a document is named after the file, and several are numbered.
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from msgspec import Struct, field

from corefscope.findings import Code, Finding
from corefscope.formats.reading.draft import Draft, Mentions, Place, known
from corefscope.formats.reading.drafting import Unfit
from corefscope.formats.reading.json_documents import JsonDocument, document_reader
from corefscope.formatting import counted

LAYERS = {"xpos": "tags", "lemma": "lemmas", "deprel": "deprels"}
SPACES = re.compile(r"SpacesAfter=([^|]*)")
ESCAPES = {r"\s": " ", r"\n": "\n", r"\t": "\t", r"\r": "\r", r"\p": "|", r"\\": "\\"}
ESCAPE = re.compile(r"\\[sntrp\\]")


class Flag(NamedTuple):
    """That a mention of a chain begins or ends with a word."""

    chain: str
    is_start: bool
    is_end: bool
    string: str | None = None
    """The text of the mention, if it represents its chain."""


class Word(Struct, kw_only=True):
    """A word of a sentence."""

    id: str
    text: str
    flags: list[Flag]
    is_zero: bool = False
    is_part: bool = False
    """Whether it is one of the words of a token."""
    entry: Mapping[str, Any] = field(default_factory=dict)
    """All fields of the word, with the names of JSON."""

    @property
    def characters(self) -> tuple[int, int] | None:
        """Where the word stands in the text."""
        begin, end = self.entry.get("start_char"), self.entry.get("end_char")
        return (begin, end) if type(begin) is int and type(end) is int else None

    @property
    def head(self) -> str | None:
        """The id of the word that it depends on, in its sentence; 0 for the root."""
        head = self.entry.get("head")
        return str(head) if type(head) is int else None


MISSING = "missing"
"""Stands for the chains of a word that has no such field."""


def _drafts(document: JsonDocument) -> Iterator[Draft]:
    record = document.value
    if not isinstance(record, list) or not all(isinstance(sentence, list) for sentence in record):
        raise Unfit(f"found {reprlib.repr(record)}", expected="a list of sentences")
    sentences = [list(_words(entries)) for entries in record]
    draft = draft_of(sentences)
    draft.findings = [*draft.findings, *_words_without_chains(record)]
    yield draft


read = document_reader(_drafts, chooses=False)


def _words_without_chains(record: Sequence[Sequence[Any]]) -> Iterator[Finding]:
    """Report words without the field for chains, if others have it although they have no chain."""
    chains = [
        entry.get("coref_chains", MISSING)
        for sentence in record
        for entry in sentence
        if type(entry.get("id")) is int
    ]
    lacking = chains.count(MISSING)
    if lacking and [] in chains:
        yield Finding(
            Code.DOUBTFUL_COLUMN,
            f"{counted(lacking, 'word has', 'words have')} no 'coref_chains', although others "
            "have an empty list",
            expected="it on every word: read as no mention",
        )


# ---- The words of JSON ----


def _words(sentence: Sequence[Any]) -> Iterator[Word]:
    """Yield the words of a sentence; entries for several words are left out."""
    last, parts = 0, 0
    for entry in sentence:
        if not isinstance(entry, dict) or not isinstance(entry.get("text"), str):
            raise Unfit(f"found {reprlib.repr(entry)}", expected="a word with 'id' and 'text'")
        id = entry.get("id")
        if type(id) is int:
            last = id
            yield _word(entry, str(id), is_part=id <= parts)
            continue
        match _numbers(id):
            case [number]:
                last = number
                yield _word(entry, str(number), is_part=number <= parts)
            # A token comes before its first word, an empty node after the word of its number.
            case [first, second] if first > last and second > first:
                if entry.get("coref_chains"):
                    found, expected = chains_of_token(entry["text"])
                    raise Unfit(found, expected=expected, code=Code.BAD_LINE)
                parts = second
            case [before, order]:
                yield _word(entry, f"{before}.{order}", is_zero=True)
            case _:
                raise Unfit(f"a word has the id {entry.get('id')!r}", expected="a number")


def chains_of_token(text: str) -> tuple[str, str]:
    """Return that a token of several words has chains, and that they belong to the words."""
    found = f"the token {reprlib.repr(text)} of several words has coref_chains"
    return found, "them on its words, because only words are tokens here"


def _numbers(id: Any) -> list[int]:
    """Return the one or two numbers of an id that is no number; nothing if it is no id."""
    if isinstance(id, str) and re.fullmatch(r"\d{1,9}([-.]\d{1,9})?", id):
        return [int(part) for part in re.split("[-.]", id)]
    if isinstance(id, list) and len(id) in (1, 2) and all(type(part) is int for part in id):
        return id
    return []


def _word(entry: dict[str, Any], id: str, *, is_zero: bool = False, is_part: bool = False) -> Word:
    chains = entry.get("coref_chains")
    return Word(
        id=id,
        text=entry["text"],
        flags=_flags(chains) if chains else [],
        is_zero=is_zero,
        is_part=is_part,
        entry=entry,
    )


def _flags(chains: Any) -> list[Flag]:
    """Return where mentions begin or end; words between have no flags."""
    if not isinstance(chains, list):
        raise Unfit(f"'coref_chains' is {reprlib.repr(chains)}", expected="a list of chains")
    found = []
    for link in chains:
        index = link.get("index") if isinstance(link, dict) else None
        if type(index) is not int or index < 0:
            raise Unfit(
                f"a chain is {reprlib.repr(link)}", expected="an object with 'index', from 0"
            )
        is_start, is_end = link.get("is_start") is True, link.get("is_end") is True
        if is_start or is_end:
            text = link.get("representative_text") if link.get("is_representative") else None
            string = text if isinstance(text, str) else None
            found.append(Flag(str(index), is_start, is_end, string))
    return found


# ---- A document from words ----


def draft_of(sentences: Sequence[Sequence[Word]], name: str | None = None) -> Draft:
    """Return the document of sentences, whose layers are added when they are looked at."""
    mentions = _Mentions()
    begin, zeros = 0, list[int]()
    for sentence in sentences:
        mentions.read(begin, sentence)
        zeros += [token for token, word in enumerate(sentence, start=begin) if word.is_zero]
        begin += len(sentence)
    return Draft(
        name=name,
        mentions=mentions.table(),
        words=[word.text for sentence in sentences for word in sentence],
        sentences=list(map(len, sentences)),
        zeros=zeros,
        findings=mentions.findings(),
        complete=partial(_complete, sentences=sentences),
    )


def _complete(draft: Draft, sentences: Sequence[Sequence[Word]]) -> None:
    """Add the text and the layers of all words to a document."""
    words = [word for sentence in sentences for word in sentence]
    draft.text, draft.characters = text_of(words)
    draft.columns = _columns(sentences, words)


class _Mentions:
    """Puts the mentions of chains together from flags."""

    def __init__(self) -> None:
        self.found: dict[str, list[tuple[Place, str | None]]] = {}
        """The place and the string of each mention, by chain."""
        self.doubtful = 0
        self.lost = 0

    def read(self, begin: int, sentence: Sequence[Word]) -> None:
        """Read the mentions of a sentence, whose first word is ``begin``."""
        opened: dict[str, list[int]] = {}
        for token, word in enumerate(sentence, start=begin):
            if not word.flags:
                continue
            for flag in word.flags:
                if flag.is_start and flag.is_end:
                    self._add(flag, token, token, [word])
                elif flag.is_end:
                    self._end(flag, opened.get(flag.chain), token, sentence[: token - begin + 1])
            # A mention may begin where another one of its chain ends.
            for flag in word.flags:
                if flag.is_start and not flag.is_end:
                    opened.setdefault(flag.chain, []).append(token)
        self.lost += sum(map(len, opened.values()))

    def _end(self, flag: Flag, starts: list[int] | None, last: int, words: Sequence[Word]) -> None:
        """End the mention that began last."""
        if not starts:
            self.lost += 1
            return
        self.doubtful += len(starts) > 1
        first = starts.pop()
        self._add(flag, first, last, words[first - last - 1 :])

    def _add(self, flag: Flag, first: int, last: int, words: Sequence[Word]) -> None:
        # The words of a token are not spelt as in the text.
        is_spelt = not any(word.is_part or word.is_zero for word in words)
        mention = (first, last), flag.string if is_spelt else None
        self.found.setdefault(flag.chain, []).append(mention)

    def table(self) -> Mentions:
        """Return all mentions."""
        mentions = list(chain.from_iterable(self.found.values()))
        return Mentions(
            labels=list(self.found),
            sizes=list(map(len, self.found.values())),
            places=[place for place, _ in mentions],
            strings=known([string for _, string in mentions]),
        )

    def findings(self) -> list[Finding]:
        """Return what could not be told."""
        found = []
        if self.doubtful:
            found.append(
                Finding(
                    Code.OTHER_RELATIONS,
                    f"{self.doubtful} mentions end while two of their chain are open",
                    expected="one: the one that began last ends first",
                )
            )
        if self.lost:
            found.append(
                Finding(
                    Code.OTHER_RELATIONS,
                    f"{self.lost} mentions have a start or an end, but not both in one sentence",
                    expected="both: they are left out",
                )
            )
        return found


def text_of(words: Sequence[Word]) -> tuple[str | None, list[tuple[int, int]] | None]:
    """Return the text of words that say where they stand, and their places; None if not all do.

    What stands between two words is known from MISC, and otherwise taken as blanks.
    """
    text, places, spaces = "", [], ""
    for word in words:
        place = word.characters
        if place is None or place[0] < len(text):
            return None, None
        begin, end = place
        gap = begin - len(text)
        if end - begin != len(word.text) or gap > 10_000:
            return None, None
        text += (spaces if len(spaces) == gap else " " * gap) + word.text
        places.append((begin, end))
        misc = word.entry.get("misc")
        found = SPACES.search(misc) if isinstance(misc, str) else None
        spaces = ESCAPE.sub(lambda escape: ESCAPES[escape[0]], found[1]) if found else ""
    return (text, places) if words else (None, None)


def _columns(sentences: Sequence[Sequence[Word]], words: Sequence[Word]) -> dict[str, list[str]]:
    columns = {
        layer: [word.entry[name] for word in words]
        for name, layer in LAYERS.items()
        if words and all(isinstance(word.entry.get(name), str) for word in words)
    }
    heads, begin = [], 0
    for sentence in sentences:
        places = {word.id: begin + number for number, word in enumerate(sentence)}
        heads += [places.get(word.head or "", -1) for word in sentence]
        begin += len(sentence)
    if words and all(word.head is not None for word in words):
        columns["heads"] = list(map(str, heads))
    return columns
