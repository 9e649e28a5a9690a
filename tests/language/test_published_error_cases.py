"""Types, heads and constituents agree with what a published tool printed for generated documents.

Its rows on extra and missing mentions hold a type and a text; those on span errors two spans,
whether the first is a constituent, and the labels over each stretch in which they differ.
"""

from __future__ import annotations

import gzip
import json
import re
from ast import literal_eval
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from corefscope.corpus.mentions import Span
from corefscope.language import Text

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases" / "errors" / "cases.jsonl.gz"

pytestmark = pytest.mark.skipif(not CASES.exists(), reason="no cases beside this checkout")


class Case(NamedTuple):
    name: str
    texts: list[Text]
    rows: list[list[Any]]


def read_text(part: str) -> Text:
    sentences = [block.strip().splitlines() for block in part.split("\n\n") if block.strip()]
    rows = [row.split() for sentence in sentences for row in sentence]
    starts = [sum(map(len, sentences[:i])) for i in range(len(sentences) + 1)]
    ranges = [range(start, stop) for start, stop in pairwise(starts)]
    words, tags, parse, names = ([row[i] for row in rows] for i in (3, 4, 5, 10))
    return Text(words, ranges, tags, parse, names)


@cache
def cases() -> list[Case]:
    with gzip.open(CASES, "rt", encoding="utf-8") as lines:
        return [case(json.loads(line)) for line in lines]


def case(fields: dict[str, Any]) -> Case:
    parts = re.findall(r"^#begin[^\n]*\n(.*?)^#end", fields["key"], re.DOTALL | re.MULTILINE)
    rows = [literal_eval(row) for row in fields["properties"]]
    return Case(fields["case"], [read_text(part) for part in parts], rows)


def spans_by_phrase(texts: list[Text], longest: int) -> dict[str, list[tuple[Text, Span]]]:
    found: dict[str, list[tuple[Text, Span]]] = {}
    for text in texts:
        for sentence in text.sentences:
            for start in sentence:
                for end in range(start, min(start + longest, sentence.stop)):
                    phrase = text.phrase(start, end).lower().replace(" ", "_")
                    found.setdefault(phrase, []).append((text, (start, end)))
    return found


def test_every_tree_is_read() -> None:
    assert [problem for case in cases() for text in case.texts for problem in text.problems] == []


def test_types_of_extra_and_missing_mentions() -> None:
    checked = 0
    for case in cases():
        rows = [row for row in case.rows if row[0] in ("extra mention", "missing mention")]
        spans = spans_by_phrase(case.texts, 1 + max((row[3].count("_") for row in rows), default=0))
        for _, _, kind, phrase, *_ in rows:
            types = {text.mention_type(*span) for text, span in spans[phrase]}
            assert kind in types, (case.name, phrase)
            checked += 1
    assert checked > 2000


def span_errors() -> Iterator[tuple[str, Text, Span, Span, list[Any]]]:
    """The rows of documents of one part: there alone the row tells the document."""
    for case in cases():
        if len(case.texts) == 1:
            text = case.texts[0]
            for _, response, key, *rest in (row for row in case.rows if row[0] == "span error"):
                yield case.name, text, in_document(text, response), in_document(text, key), rest


def in_document(text: Text, mention: tuple[int, int, int]) -> Span:
    sentence, start, stop = mention
    first = text.sentences[sentence].start
    return first + start, first + stop - 1


def test_constituents_of_span_errors() -> None:
    found = [
        (name, span, text.is_constituent(*span), row[0] == "in the parse")
        for name, text, span, _, row in span_errors()
    ]
    assert len(found) > 1000
    assert [row for row in found if row[2] != row[3]] == []


def test_labels_of_span_errors() -> None:
    for name, text, response, key, row in span_errors():
        stretches = [
            (response[0], key[0] - 1),
            (key[0], response[0] - 1),
            (key[1] + 1, response[1]),
            (response[1] + 1, key[1]),
        ]
        phrases = [text.phrase(*stretch).lower() or None for stretch in stretches]
        labels = [" ".join(text.labels_over(*stretch) or []) or None for stretch in stretches]
        assert row[1:] == phrases + labels, (name, response, key)


def trimmed(text: Text, span: Span) -> Span:
    start, end = span
    while start < end and (text.words[start] == "the" or is_mark(text.words[start])):
        start += 1
    while start < end and (text.words[end] == "'s" or is_mark(text.words[end])):
        end -= 1
    return start, end


def is_mark(word: str) -> bool:
    return len(word) == 1 and not (word.isascii() and word.isalpha())


def test_paired_spans_have_one_head() -> None:
    by_head = [
        (name, text, response, key)
        for name, text, response, key, _ in span_errors()
        if trimmed(text, response) != trimmed(text, key)
    ]
    assert len(by_head) > 500
    assert [row for row in by_head if row[1].head(*row[2]) != row[1].head(*row[3])] == []
