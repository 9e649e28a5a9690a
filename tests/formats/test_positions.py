"""Positions of a file become tokens, all of a document at once; wrong ones are explained."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefscope as cs
from corefscope.corpus.mentions import Parts
from corefscope.corpus.offsets import Base, Convention, Ends, Unit
from corefscope.findings import Code
from corefscope.formats.reading.builder import digest, word_digest
from corefscope.formats.reading.draft import (
    Draft,
    DraftMention,
    Mentions,
    Place,
    places_of,
)
from corefscope.formats.reading.options import OFFSETS
from corefscope.formats.reading.units import Located, locate, tokens_of
from corefscope.formats.registry import FORMATS
from formats.sample_documents import SAMPLES

SIGNS = "ab_9 .,\n\t-é猫🐈\u2003\u0301½"
TEXTS = st.text(alphabet=SIGNS, max_size=30) | st.text(max_size=12)


def mentions(*places: Sequence[Place]) -> Mentions:
    """One entity of mentions with these places."""
    rows = [DraftMention(places=tuple(each)) for each in places]
    return Mentions.of({"e": rows})


def spans(located: Located) -> list[Parts | None]:
    """The parts of each mention; None if it is not in the text."""
    rows = zip(*(column.tolist() for column in located.edges), strict=True)
    return [
        None if is_wrong else located.parts.get(number, ((first, last),))
        for number, (first, last, is_wrong) in enumerate(rows)
    ]


def cut_tokens(text: str, cuts: Sequence[int]) -> list[tuple[int, int]]:
    """Words and signs, divided at some positions, one after the other."""
    found: list[tuple[int, int]] = []
    marks = "".join(sign for sign in text if unicodedata.category(sign).startswith("M"))
    for match in re.finditer(rf"[\w{re.escape(marks)}]+|[^\w\s]", text):
        edges = [match.start(), *(c for c in cuts if match.start() < c < match.end()), match.end()]
        found += pairwise(edges)
    return found


@given(TEXTS, st.sets(st.integers(0, 30)))
def test_a_text_is_divided_into_words_and_signs_and_at_cuts(text: str, places: set[int]) -> None:
    cuts = sorted(place for place in places if place <= len(text))
    tokens = tokens_of(Draft(name=None, text=text), np.array(cuts, np.int64))
    assert tokens is not None
    assert tokens.characters == cut_tokens(text, cuts)
    assert tokens.words == [text[begin:end] for begin, end in cut_tokens(text, cuts)]
    assert len(tokens) == len(tokens.words)
    assert digest(tokens.joined()) == word_digest(tokens.words)


@given(TEXTS, st.lists(st.tuples(st.integers(-1, 31), st.integers(-1, 31)), max_size=5))
def test_stretches_of_text_become_the_tokens_that_they_cover(
    text: str, places: list[tuple[int, int]]
) -> None:
    draft = Draft(
        name=None,
        text=text,
        mentions=mentions(*([place] for place in places)),
        convention=Convention(0, "exclusive", "character"),
    )
    located = locate(draft)
    assert located.tokens is not None
    expected = [
        text[begin:end].strip() if 0 <= begin < end <= len(text) else "" for begin, end in places
    ]
    characters = located.tokens.characters or []
    found = [
        "" if parts is None else text[characters[parts[0][0]][0] : characters[parts[0][1]][1]]
        for parts in spans(located)
    ]
    assert found == expected
    assert [each.code for each in located.findings].count(Code.BAD_SPAN) == expected.count("")


CHARACTERS = Convention(0, "exclusive", "character")


def in_text(text: str, *places: Place, **fields: Any) -> Located:
    """Locate mentions that count the characters of a text."""
    given = mentions(*([place] for place in places))
    given.strings = fields.pop("strings", ())
    return locate(Draft(name=None, text=text, mentions=given, convention=CHARACTERS, **fields))


@pytest.mark.parametrize("place", [(4, 7), (12, 17), (4, 11), (0, 7), (0, 17)])
def test_a_mention_begins_and_ends_at_tokens_if_there_are_some(place: Place) -> None:
    """Text that no token covers is not the token after it, nor one that does not exist."""
    located = in_text(
        "Ida saw Max today", (0, 3), place, words=["Ida", "Max"], characters=[(0, 3), (8, 11)]
    )
    assert spans(located) == [((0, 0),), None]
    (finding,) = located.findings
    assert finding.code is Code.BAD_SPAN
    assert re.search(
        rf"{re.escape(str(list(place)))} of entity e; .*no token covers", finding.message
    )


def test_a_mention_may_span_text_that_no_token_covers() -> None:
    located = in_text(
        "Ida saw Max today", (0, 11), words=["Ida", "Max"], characters=[(0, 3), (8, 11)]
    )
    assert (spans(located), located.findings) == ([((0, 1),)], [])


def test_a_text_without_any_token_has_no_mention() -> None:
    located = in_text("Ida", (0, 3), words=[], characters=[])
    assert spans(located) == [None]
    assert [each.code for each in located.findings] == [Code.BAD_SPAN]


OTHER_WAYS = [
    (format.name, f"{option}={value}")
    for format in FORMATS.values()
    for option in OFFSETS
    if option in format.options
    for value in get_args({"unit": Unit, "base": Base, "ends": Ends}[option])
    if value != getattr(format.convention, option)
]


@pytest.mark.parametrize(("format", "option"), OTHER_WAYS)
def test_an_option_for_positions_is_never_ignored(format: str, option: str) -> None:
    """Another way of counting gives other mentions, or is refused."""
    sample = Path(__file__).parents[2] / SAMPLES / format
    try:
        found = cs.read(sample, f"{format}:{option}")
    except cs.InvalidInput:
        return
    usual = cs.read(sample, format)
    assert list(map(found.mention_id, range(len(found.mention_entity)))) != list(
        map(usual.mention_id, range(len(usual.mention_entity)))
    )


@pytest.mark.parametrize("unit", ["token", "sentence", "piece", "character", "utf16", "byte"])
@pytest.mark.parametrize("ends", ["inclusive", "exclusive", "length"])
def test_numbers_that_no_document_has_are_reported(unit: Unit, ends: Ends) -> None:
    place = [0, 10**30, 10**30 + 1] if unit == "sentence" else [10**30, 10**30 + 1]
    draft = Draft(
        name=None,
        text="Zoë 🐈 slept",
        words=["Zoë", "🐈", "slept"],
        sentences=[3],
        pieces=[0, 1, 2],
        mentions=mentions([place]),
        convention=Convention(0, ends, unit),
    )
    located = locate(draft)
    assert spans(located) == [None]
    (finding,) = located.findings
    assert finding.code is Code.BAD_SPAN
    assert str(place) in finding.message


def test_a_token_beyond_all_arrays_is_reported_if_the_length_is_unknown() -> None:
    located = locate(Draft(name=None, mentions=mentions([(0, 2**31)], [(0, 1)])))
    assert spans(located) == [None, ((0, 1),)]
    assert located.tokens is None


def test_places_without_a_sentence_are_told_from_others() -> None:
    draft = Draft(
        name=None,
        words=["a", "b", "c"],
        sentences=[1, 2],
        mentions=mentions([(1, 0, 1)], [(0, 0)], [(2, 0, 0)], [(0, 0, 1)]),
        convention=Convention(0, "inclusive", "sentence"),
    )
    located = locate(draft)
    assert spans(located) == [((1, 2),), None, None, None]
    expected = ["three numbers", "the number of a sentence; there are 2", "in its sentence"]
    assert all(
        words in str(each.expected) for words, each in zip(expected, located.findings, strict=True)
    )


def test_parts_are_put_together_and_one_that_is_wrong_spoils_its_mention() -> None:
    given = mentions([(4, 5), (0, 1)], [(2, 2)], [(0, 0), (7, 9)])
    assert list(given.all_places()) == [[(4, 5), (0, 1)], [(2, 2)], [(0, 0), (7, 9)]]
    located = locate(Draft(name=None, words=list("abcdef"), mentions=given))
    assert spans(located) == [((0, 1), (4, 5)), ((2, 2),), None]
    assert [each.message for each in located.findings] == [
        "mention [0, 0] and [7, 9] of entity e; expected 0 <= first <= last <= 5 (there are 6 "
        "tokens)"
    ]


@given(st.lists(st.integers(0, 9), max_size=6))
def test_tokens_become_stretches_of_consecutive_ones(tokens: list[int]) -> None:
    places = places_of(tokens)
    assert [t for first, last in places for t in range(first, last + 1)] == sorted(set(tokens))
    assert all(before[1] + 1 < after[0] for before, after in pairwise(places))


def test_an_array_of_records_keeps_lines_and_texts(tmp_path: Path) -> None:
    path = tmp_path / "texts.json"
    tasks = [
        {"data": {"text": text}, "annotations": [{"result": [_mark("é", 0, 1)]}]}
        for text in ("é\nwas", "été is", "é.")
    ]
    path.write_text("[" + " ,\n\n".join(json.dumps(t, ensure_ascii=False) for t in tasks) + "\n]")
    corpus = cs.read(path, "label-studio")
    assert [document.words for document in corpus] == [["é", "was"], ["é", "té", "is"], ["é", "."]]
    assert corpus.mention_lines is not None
    assert corpus.mention_lines.tolist() == [1, 3, 5]


def _mark(text: str, start: int, end: int) -> dict[str, object]:
    return {"id": "m", "type": "labels", "value": {"start": start, "end": end, "text": text}}
