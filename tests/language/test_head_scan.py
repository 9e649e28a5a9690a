"""Heads without a parse."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefscope.language import HeadScan
from corefscope.language.english import ENGLISH
from corefscope.language.heads import ScannedHead

SCAN_RULES = ENGLISH.scan_rules


def scan(text: str, joined: frozenset[int] = frozenset()) -> tuple[str, bool]:
    """Return the head word; tags, if there are any, follow words after a bar."""
    tokens = [token.partition("|") for token in text.split()]
    words = [word for word, _, _ in tokens]
    tags = [tag for _, _, tag in tokens] if any(tag for _, _, tag in tokens) else None
    found = HeadScan(rules=SCAN_RULES, words=words, tags=tags, joined=joined).head(
        0, len(words) - 1
    )
    return words[found.token], found.coordination


def scanned(text: str) -> str:
    head, coordination = scan(text)
    assert not coordination
    return head


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("John 's wife", "wife"),
        ("China 's", "China"),
        ("the boys '", "boys"),
        ("the president of IBM", "president"),
        ("Mr. Joe from Boston", "Joe"),
        ("Danish philologist Rasmus Rask", "Rask"),
        ("Merkel , the chancellor", "Merkel"),
        ("the chancellor -LRB- Merkel -RRB-", "chancellor"),
        ("the man who came", "man"),
        ("the house where she lives .", "house"),
        ("John 's wife 's car in Rome", "car"),
        ("that man of steel", "man"),
        ("`` The Times ''", "Times"),
        ("( John )", "John"),
        ("who", "who"),
        ("'s", "'s"),
        (",", ","),
        (". . .", "."),
        ("John 's ,", "John"),
    ],
)
def test_words_alone_tell_the_head(text: str, head: str) -> None:
    assert scanned(text) == head


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("John|NNP 's|POS wife|NN", "wife"),
        ("China|NNP 's|POS", "China"),
        ("the|DT man|NN 's|VBZ gone|VBN", "man"),
        ("the|DT firm|NN based|VBN in|IN Rome|NNP", "firm"),
        ("the|DT growing|VBG economy|NN of|IN Peru|NNP", "economy"),
        ("his|PRP$ two|CD proposed|VBN mergers|NNS", "mergers"),
        ("rising|VBG prices|NNS", "prices"),
        ("people|NNS living|VBG here|RB", "people"),
        ("people|NNS who|WP came|VBD", "people"),
        ("whose|WP$ book|NN on|IN Rome|NNP", "book"),
        ("Both|CC of|IN them|PRP", "Both"),
        ("the|DT house|NN ,|, red|JJ", "house"),
        ("the|DT house|NN -LRB-|-LRB- red|JJ -RRB-|-RRB-", "house"),
        ("the|DT past|IN year|NN", "the"),
    ],
)
def test_tags_tell_the_head_if_there_are_any(text: str, head: str) -> None:
    assert scanned(text) == head


@pytest.mark.parametrize("text", ["John and Mary", "John|NNP and|CC Mary|NNP", "the cat or Mary"])
def test_coordination(text: str) -> None:
    """It is reported, and its last phrase has the head."""
    assert scan(text) == ("Mary", True)


def test_boundary_before_the_conjunction() -> None:
    assert scan("the king of Spain and the queen of Denmark") == ("king", False)
    assert scan("John , Mary and Bill") == ("John", False)


def test_coordination_without_second_phrase() -> None:
    assert scan("Marks and") == ("Marks", True)


def test_token_inside_a_name_is_no_boundary() -> None:
    assert scan("Bank of America", frozenset({1})) == ("America", False)
    assert scan("Bank of America") == ("Bank", False)
    assert scan("Ernst and Young", frozenset({1})) == ("Young", False)
    assert scan("Bank|NNP of|IN America|NNP in|IN Rome|NNP", frozenset({1})) == ("America", False)


def test_tokens_are_counted_in_the_document() -> None:
    words = ["She", "saw", "the", "king", "of", "Spain", "."]
    assert HeadScan(rules=SCAN_RULES, words=words).head(2, 5) == ScannedHead(3, first=3)


WORDS = st.sampled_from(
    ["the", "cat", "Mary", "of", "and", "'s", ",", "(", ")", "who", ".", "that"]
)


@given(st.lists(WORDS, min_size=1), st.data())
def test_the_head_is_always_inside(words: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start, len(words) - 1))
    assert start <= HeadScan(rules=SCAN_RULES, words=words).head(start, end).token <= end


@given(
    st.lists(
        st.sampled_from(["king", "of", "and", "'s", "'", ",", ".", "the", "in", "Rome", "or"]),
        min_size=1,
        max_size=40,
    ),
    st.data(),
)
def test_a_long_span_is_scanned_like_a_short_one(words: list[str], data: st.DataObject) -> None:
    """The blocks by which long spans are scanned, against the plain scan."""
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start, len(words) - 1))
    joined = data.draw(st.sets(st.integers(0, len(words) - 1)))
    scan = HeadScan(rules=SCAN_RULES, words=words, tags=None, joined=joined)
    plain = scan.head(start, end)
    kept = scan._without_tail(start, end)
    assert scan._head_by_blocks(start, kept) == plain
    assert kept == max(start, list(scan._without_tails())[end])


def test_very_long_span() -> None:
    words = ["the", "old", *["king", "and"] * 500, "queen", "of", *["Rome"] * 500, "."]
    scan = HeadScan(rules=SCAN_RULES, words=words)
    assert scan.head(0, len(words) - 1) == ScannedHead(1002, True, 2)
    assert scan.head(1003, len(words) - 1).token == len(words) - 2
