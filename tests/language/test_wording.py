"""What is quoted of a span, and which spans have the same words."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from corefscope.language import Text
from corefscope.language.text import LONGEST_QUOTE, quote


def text(words: list[str]) -> Text:
    return Text(words, [range(len(words))])


def test_a_short_text_is_quoted_as_it_is() -> None:
    words = ["Anna", "saw", "Bonn"]
    assert quote(words, 0, 2) == "Anna saw Bonn"
    exactly = ["a" * (LONGEST_QUOTE - 2), "b"]
    assert quote(exactly, 0, 1) == " ".join(exactly)


def test_a_long_text_is_cut_visibly() -> None:
    for words in (["word"] * 5_000, ["a" * 10_000], [""] * 5_000, ["a" * LONGEST_QUOTE, "b"]):
        quoted = quote(words, 0, len(words) - 1)
        assert len(quoted) <= LONGEST_QUOTE + 1
        assert quoted.endswith("…")
        assert " ".join(words).startswith(quoted[:-1])


def test_long_texts_are_compared_as_a_whole() -> None:
    """They differ only in the last word, far behind what is quoted."""
    same = ["The", *["long"] * 300]
    document = text([*same, "end", *same, "END", *same, "and"])
    first, second, third = ((start, start + 301) for start in (0, 302, 604))
    assert document.phrase(*first) == document.phrase(*third)
    assert document.wording(*first) == document.wording(*second) != document.wording(*third)
    assert document.wording(1, 300) == document.wording(303, 602)
    assert document.wording(1, 300) != document.wording(1, 299)


@given(st.lists(st.sampled_from(["a", "A", "b", "a b", "", "İ", "é" * 150]), max_size=12))
def test_wordings_are_equal_if_words_are(words: list[str]) -> None:
    document = text(words)
    spans = [(s, e) for s in range(len(words)) for e in range(s, len(words))]
    for one, other in product(spans, spans):
        same = [" ".join(words[s : e + 1]).lower() for s, e in (one, other)]
        assert (document.wording(*one) == document.wording(*other)) == (same[0] == same[1])
