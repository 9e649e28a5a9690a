"""Units: what is scored as one, where that is not a document.

A unit is a window of a document, all documents of a topic, or the whole corpus. Mentions are
matched in their documents first, and then put into units. In a window, an entity is what is left of
it there; in a topic or the corpus, it has its mentions in all documents there. Everything after
that is as for documents, and whether an entity is a singleton is decided in its unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import index
from typing import NamedTuple, SupportsIndex

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from corefscope.choices import Level
from corefscope.corpus import UNKNOWN_LENGTH, Corpus, Integers
from corefscope.exceptions import InvalidInput, WrongArgument
from corefscope.findings import Code, Finding, Remedy
from corefscope.formatting import counted
from corefscope.matching.matching import Matching
from corefscope.matching.mentions import without_words
from corefscope.matching.overlap import Side, count_overlap

CORPUS = "corpus"
"""The name of the unit that has all documents."""


class Window(Struct, frozen=True, kw_only=True):
    """How documents are cut into windows."""

    size: int
    """The number of tokens of a window."""
    as_published: bool = False
    """Whether windows are those of BookCoref's evaluator, which lose and double mentions."""

    @property
    def mark(self) -> str:
        """What the signature says of it."""
        return f"{self.size},bookcoref" if self.as_published else f"{self.size}"


def windows_asked(window: object) -> tuple[Window, ...]:
    """Return the windows that a caller asks for.

    Parameters
    ----------
    window
        A number of tokens, or several of them (``[500, 1500]``, ``"500,1500"``). None asks for
        nothing.

    Raises
    ------
    ValueError
        If a size is not a positive whole number, or is given twice.
    """
    if window is None:
        return ()
    sizes = window.split(",") if isinstance(window, str) else window
    given = list(sizes) if isinstance(sizes, Iterable) else [sizes]
    if not given:
        raise WrongArgument("found no size of windows; expected one or more, such as [500, 1500]")
    found = tuple(Window(size=_size(each)) for each in given)
    if len(set(found)) < len(found):
        raise WrongArgument(f"a size of windows is given twice in {window}; expected each once")
    return found


def _size(given: object) -> int:
    number = int(given) if isinstance(given, str) and given.strip().isdecimal() else given
    size = index(number) if isinstance(number, SupportsIndex) else 0
    if size < 1 or isinstance(given, bool):
        raise WrongArgument(
            f"found a window of {given!r} tokens; expected a whole number, 1 or more"
        )
    return size


class Division(NamedTuple):
    """The units of a corpus."""

    names: Sequence[str]
    documents: Sequence[str] | None = None
    """The document of each window; None if units have several documents."""
    findings: Sequence[Finding] = ()
    lost: tuple[int, int] = (0, 0)
    """The mentions of key and response that are in no unit."""
    doubled: tuple[int, int] = (0, 0)
    """The mentions that are in two."""

    def chosen(self, rows: Sequence[int]) -> Division:
        """Return some of the units."""
        documents = None if self.documents is None else [self.documents[row] for row in rows]
        return self._replace(names=[self.names[row] for row in rows], documents=documents)


class _Placed(NamedTuple):
    """The mentions of a side in units; a mention may be in none, or in two."""

    mention: Integers
    """The place of the mention in its side."""
    unit: Integers
    copy: Integers
    """0, or 1 in the second unit of a mention."""


def divided(
    matching: Matching, level: Level, window: Window | None, topics: Mapping[str, str]
) -> tuple[Matching, Division]:
    """Return a matching with its mentions in units, and the units.

    Parameters
    ----------
    matching
        Key and response, matched in documents.
    level
        What a unit is: a document, a topic, or the corpus.
    window
        How documents are cut, if they are.
    topics
        The topics of documents, if the key does not have them.

    Raises
    ------
    InvalidInput
        If there can be no such units: mentions have no positions (``E206``), documents have no
        topics or entities no names that hold across documents (``E501``), or lengths are unknown
        that the published windows depend on (``E501``).
    """
    sides = matching.sides("keep")
    if window is not None:
        division, placed = _in_windows(matching, sides, window)
        groups = tuple(side.mention_entity for side in sides)
    else:
        division, placed = _in_documents(matching, sides, level, topics)
        groups = tuple(
            _named_entities(corpus)[side.entity_row[side.mention_entity]]
            for corpus, side in zip((matching.key, matching.response), sides, strict=True)
        )
    copies = 1 + max(int(where.copy.max(initial=0)) for where in placed)
    key, response = (
        _regrouped(side, where, group, copies)
        for side, where, group in zip(sides, placed, groups, strict=True)
    )
    overlap = count_overlap(len(division.names), key, response)
    return matching.in_units((key, response), overlap), division


def _regrouped(side: Side, placed: _Placed, group: Integers, copies: int) -> Side:
    """Return a side whose entities are the mentions of one group in one unit.

    ``copies`` is in how many units a mention of either side may be, each with its own number.
    """
    group = group[placed.mention]
    order = np.lexsort((placed.mention, group, placed.unit))
    unit, group, mention = placed.unit[order], group[order], placed.mention[order]
    is_new = np.ones(len(order), dtype=bool)
    is_new[1:] = (unit[1:] != unit[:-1]) | (group[1:] != group[:-1])
    return Side(
        entity_document=unit[is_new],
        entity_row=side.entity_row[side.mention_entity[mention[is_new]]],
        mention_entity=np.cumsum(is_new) - 1,
        mention_row=side.mention_row[mention],
        mention=side.mention[mention] * copies + placed.copy[order],
    )


# ---- Windows ----


class _Windows(NamedTuple):
    """The windows of all documents, in the order of the text."""

    names: Sequence[str]
    document: Integers
    start: Integers
    """The first word of each, counted without empty nodes."""

    def of(self, document: Integers, word: Integers) -> Integers:
        """Return the window of each word."""
        width = 1 + max(int(self.start.max(initial=0)), int(word.max(initial=0)))
        first = self.document * width + self.start
        return np.searchsorted(first, document * width + word, side="right") - 1


def _in_windows(
    matching: Matching, sides: tuple[Side, Side], window: Window
) -> tuple[Division, list[_Placed]]:
    """Put mentions into windows of their documents, by their first words."""
    key = matching.key
    for corpus in (key, matching.response):
        if not corpus.has_spans:
            raise InvalidInput([without_words(corpus)])
    documents = [side.entity_document[side.mention_entity] for side in sides]
    words = _first_words(matching, sides)
    length = _lengths(key, documents, words)
    if window.as_published:
        _refuse_unknown_lengths(key)
        return _as_published(key, documents, words, length, window)
    windows = _sized(key, length, window.size)
    placed = [
        _placed(windows.of(document, np.minimum(word, length[document] - 1)))
        for document, word in zip(documents, words, strict=True)
    ]
    of_windows = [key.document_names[document] for document in windows.document.tolist()]
    return Division(windows.names, of_windows), placed


def _placed(unit: Integers) -> _Placed:
    """Return mentions that are in one unit each."""
    return _Placed(np.arange(len(unit)), unit, np.zeros(len(unit), dtype=np.int64))


def _first_words(matching: Matching, sides: tuple[Side, Side]) -> list[Integers]:
    """Return the first word of each mention; of a matched mention that of the key.

    A zero has that of the word which it follows.
    """
    key, response = (
        _word_of_token(corpus, side.mention_row)
        for corpus, side in zip((matching.key, matching.response), sides, strict=True)
    )
    if matching.word_sets is not None:
        # Other mentions that are the same begin with the same token.
        _, ours, theirs = np.intersect1d(
            sides[0].mention, sides[1].mention, assume_unique=True, return_indices=True
        )
        response[theirs] = key[ours]
    return [key, response]


def _word_of_token(corpus: Corpus, rows: Integers) -> Integers:
    """Return the number of the first word of mentions, counted without empty nodes."""
    token: Integers = corpus.mention_spans[rows, 0].astype(np.int64)
    nodes = corpus.empty_nodes
    if not nodes:
        return token
    width = 1 + max(int(token.max(initial=0)), int(nodes.token.max()))
    document = corpus.mention_document[rows].astype(np.int64)
    places = nodes.document.astype(np.int64) * width + nodes.token
    before = np.searchsorted(places, document * width + token, side="right")
    before -= np.searchsorted(places, document * width)
    return np.asarray(np.maximum(token - before, 0))


def _lengths(key: Corpus, documents: Sequence[Integers], words: Sequence[Integers]) -> Integers:
    """Return the number of words of each document, at least 1; if unknown, up to mentions."""
    nodes = np.bincount(key.empty_nodes.document, minlength=len(key))
    length = np.maximum(key.document_tokens - nodes, 1)
    found = np.ones(len(key), dtype=np.int64)
    for document, word in zip(documents, words, strict=True):
        np.maximum.at(found, document, word + 1)
    return np.where(key.document_tokens == UNKNOWN_LENGTH, found, length)


def _sized(key: Corpus, length: Integers, size: int) -> _Windows:
    """Return windows of equal size, numbered from 1 in each document."""
    # A window that is longer than every text is the text; huge numbers do not fit into arrays.
    size = min(size, int(length.max(initial=1)))
    numbers = -(-length // size)
    document = np.repeat(np.arange(len(key)), numbers)
    place = np.arange(len(document)) - np.repeat(np.cumsum(numbers) - numbers, numbers)
    names = [
        f"{key.document_names[d]}@{i + 1}"
        for d, i in zip(document.tolist(), place.tolist(), strict=True)
    ]
    return _Windows(names, document, place * size)


def _refuse_unknown_lengths(key: Corpus) -> None:
    unknown = np.flatnonzero(key.document_tokens == UNKNOWN_LENGTH)
    if len(unknown):
        document = int(unknown[0])
        raise InvalidInput.of(
            Code.NO_UNIT,
            f"the number of tokens of document {key.document_names[document]!r} is unknown",
            expected="the words, because the published windows depend on it",
            file=key.file_of(document),
        )


def _as_published(
    key: Corpus,
    documents: Sequence[Integers],
    words: Sequence[Integers],
    length: Integers,
    window: Window,
) -> tuple[Division, list[_Placed]]:
    """Put mentions into windows as BookCoref's evaluator does.

    Windows end at s = N, 2N, …, ⌊n/N⌋N and n, and have the mentions that begin after s − N and
    before s: those that begin at a multiple of N are lost unless the last window has them, and it
    overlaps the window before.
    """
    # A window that is longer than every text is the text; huge numbers do not fit into arrays.
    size = min(window.size, int(length.max(initial=1)) + 1)
    whole = length // size
    first = np.cumsum(whole + 1) - (whole + 1)
    placed, lost, doubled = [], [], []
    for document, word in zip(documents, words, strict=True):
        n, full = length[document], whole[document]
        in_full = (word % size != 0) & (word // size < full)
        in_last = (n - size < word) & (word < n)
        places = [np.flatnonzero(in_full), np.flatnonzero(in_last)]
        units = [(first[document] + word // size)[in_full], (first[document] + full)[in_last]]
        copies = np.repeat([0, 1], [len(rows) for rows in places])
        placed.append(_Placed(np.concatenate(places), np.concatenate(units), copies))
        lost.append(int((~in_full & ~in_last).sum()))
        doubled.append(int((in_full & in_last).sum()))
    of_window = np.repeat(np.arange(len(key)), whole + 1).tolist()
    begins = first.tolist()
    names = [
        f"{key.document_names[d]}@{number - begins[d] + 1}" for number, d in enumerate(of_window)
    ]
    division = Division(
        names,
        [key.document_names[d] for d in of_window],
        lost=(lost[0], lost[1]),
        doubled=(doubled[0], doubled[1]),
    )
    return division, placed


# ---- Topics and the corpus ----


def _in_documents(
    matching: Matching, sides: tuple[Side, Side], level: Level, topics: Mapping[str, str]
) -> tuple[Division, list[_Placed]]:
    """Put the mentions of all documents of a topic, or of all documents, together."""
    topic_of = topics_of(matching.key, topics)
    names, unit_of = _units_of_documents(matching.key, level, topic_of)
    for corpus, documents in (
        (matching.key, np.arange(len(matching.key))),
        (matching.response, matching.pairing.key_document),
    ):
        _refuse_local_names(corpus, documents, unit_of, level)
    placed = [_placed(unit_of[side.entity_document[side.mention_entity]]) for side in sides]
    findings: list[Finding] = []
    if level == "corpus":
        findings += _within_topics(matching, sides, topic_of)
    return Division(names, findings=findings), placed


def topics_of(key: Corpus, given: Mapping[str, str]) -> Sequence[str | None]:
    """Return the topic of each document: as given, or else as the key has it."""
    known = key.document_topics or [None] * len(key)
    return [given.get(name, own) for name, own in zip(key.document_names, known, strict=True)]


def _within_topics(
    matching: Matching, sides: tuple[Side, Side], topics: Sequence[str | None]
) -> Iterator[Finding]:
    """Report that no entity of the response crosses topics, although entities of the key do."""
    number = {topic: place for place, topic in enumerate(dict.fromkeys(topics))}
    topic_of = np.array([number[topic] for topic in topics], dtype=np.int64)
    crossing = []
    for corpus, side in zip((matching.key, matching.response), sides, strict=True):
        found = np.unique(
            np.stack([_named_entities(corpus)[side.entity_row], topic_of[side.entity_document]]),
            axis=1,
        )
        crossing.append(int((np.bincount(found[0], minlength=1) > 1).sum()))
    if None not in number and crossing[0] and not crossing[1]:
        yield Finding(
            Code.UNLIKE_SIDES,
            f"{counted(crossing[0], 'entity', 'entities')} of the key cross topics, but none of "
            "the response does",
            file=matching.response.path,
        )


def _units_of_documents(
    key: Corpus, level: Level, topics: Sequence[str | None]
) -> tuple[list[str], Integers]:
    """Return the names of units, and the unit of each document of the key."""
    if level == "corpus":
        return [CORPUS], np.zeros(len(key), dtype=np.int64)
    for document, topic in enumerate(topics):
        if topic is None:
            name = key.document_names[document]
            raise InvalidInput.of(
                Code.NO_UNIT,
                f"document {name!r} of the key has no topic",
                expected=(
                    "a format with topics, such as cdcr or ecb, or topics={document: "
                    "topic} in Python"
                ),
                file=key.file_of(document),
            )
    number = {topic: place for place, topic in enumerate(dict.fromkeys(map(str, topics)))}
    return list(number), np.array([number[str(topic)] for topic in topics], dtype=np.int64)


def _refuse_local_names(
    corpus: Corpus, documents: Integers, unit_of: Integers, level: Level
) -> None:
    """Refuse entities whose names say nothing about other documents, if documents are joined."""
    spaces = corpus.document_namespaces or [None] * len(corpus)
    unit = np.where(documents >= 0, unit_of[documents], -1) if len(unit_of) else documents
    together = np.bincount(unit[unit >= 0], minlength=1)
    for document, space in enumerate(spaces):
        if space is None and unit[document] >= 0 and together[unit[document]] > 1:
            finding = Finding(
                Code.NO_UNIT,
                f"entity names hold only within document {corpus.document_names[document]!r}",
                expected=(
                    f"names that hold across documents at the level {level}: say so with ids=corpus"
                ),
                file=corpus.file_of(document),
            )
            raise InvalidInput([replace(finding, remedy=Remedy.NAME_FORMAT)])


def _named_entities(corpus: Corpus) -> Integers:
    """Return a number for each entity, the same for entities of one name in all documents."""
    spaces = corpus.document_namespaces or [None] * len(corpus)
    numbers: dict[tuple[str | int, str], int] = {}
    found = []
    for document, label in zip(corpus.entity_document.tolist(), corpus.entity_labels, strict=True):
        space = spaces[document]
        # A name without a namespace holds in its own document.
        name = (document if space is None else space, label)
        found.append(numbers.setdefault(name, len(numbers)))
    return np.array(found, dtype=np.int64)
