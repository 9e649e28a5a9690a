from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, cast

import pytest
from hypothesis import given
from msgspec.structs import replace

from corefscope.language import Features, MentionType, Text
from corefscope.language.english import ENGLISH
from corefscope.language.trees import TreeProblem
from language.slow_trees import Shape, columns, shapes, slow, slow_labels, slow_nodes, spans

NAME, NOMINAL, PRONOUN, *_ = MentionType

# word, tag, parse bit, name bit; an empty line ends a sentence.
ROWS = """
The DT (TOP(S(NP(NP* *
mayor NN *) *
of IN (PP* *
Port NNP (NP* (GPE*
Ely NNP *))) *)
met VBD (VP* *
Ms. NNP (NP(NP* *
Rook NNP *) (PERSON)
and CC * *
her PRP$ (NP* *
cat NN *))) *
. . *)) *

She PRP (TOP(S(NP*) *
likes VBZ (VP* *
Ely NNP (NP(NP* (GPE)
's POS *) *
harbour NN *)) *
. . *)) *
"""


def town(*columns: str, bits: dict[int, str] | None = None) -> Text:
    """Return the example with some of its columns, and with some parse bits replaced."""
    blocks = [block.split("\n") for block in ROWS.strip().split("\n\n")]
    words, tags, parse, names = (
        list(column)
        for column in zip(*(row.split() for block in blocks for row in block), strict=True)
    )
    for token, bit in (bits or {}).items():
        parse[token] = bit
    size = len(blocks[0])
    return Text(
        words,
        [range(size), range(size, len(words))],
        tags if "tags" in columns else None,
        parse if "parse" in columns else None,
        names if "names" in columns else None,
    )


def whole() -> Text:
    return town("tags", "parse", "names")


def plain(*sentences: str) -> Text:
    """Return a text of words alone."""
    rows = [sentence.split() for sentence in sentences]
    starts = [sum(map(len, rows[:i])) for i in range(len(rows) + 1)]
    ranges = [range(starts[i], starts[i + 1]) for i in range(len(rows))]
    return Text([word for row in rows for word in row], ranges)


def tree_text(shape: Shape) -> Text:
    bits, tags = columns(shape)
    return Text(["w"] * len(bits), [range(len(bits))], tags, bits)


def one(word: str, tag: str) -> MentionType:
    return Text([word], [range(1)], [tag]).mention_type(0, 0)


class TestHeads:
    def test_of_constituents_follow_the_tree(self) -> None:
        text = whole()
        assert text.head(0, 4) == 1
        assert text.head(3, 4) == 4
        assert text.head(6, 10) == 10
        assert text.head(14, 15) == 15
        assert text.head(14, 16) == 16

    def test_of_one_token_are_the_token(self) -> None:
        assert [whole().head(token, token) for token in range(18)] == list(range(18))

    def test_span_that_is_no_constituent(self) -> None:
        assert whole().head(0, 2) == 2
        assert whole().head(1, 8) == 8

    def test_span_that_crosses_sentences(self) -> None:
        for text in (whole(), town("tags"), town()):
            assert text.head(9, 13) == 13
            assert text.head(0, 17) == 17

    def test_come_from_tags_or_words_without_a_parse(self) -> None:
        for text in (town("tags"), town()):
            assert text.head(0, 4) == 1
            assert text.head(6, 10) == 10
            assert text.head(14, 15) == 14

    def test_sentence_without_readable_tree(self) -> None:
        text = town("tags", "parse", bits={17: "*)"})
        assert text.head(14, 15) == 14
        assert text.head(0, 2) == 2
        assert text.heads_from == "parse"

    def test_do_not_take_names_apart_in_a_scan(self) -> None:
        words = ["Bank", "of", "America"]
        names = ["(ORG*", "*", "*)"]
        assert Text(words, [range(3)], names=names).head(0, 2) == 2
        assert Text(words, [range(3)]).head(0, 2) == 0

    def test_outside_of_the_text_are_refused(self) -> None:
        for span in ((17, 18), (18, 18), (-1, 0), (0, 99)):
            with pytest.raises(IndexError):
                whole().head(*span)

    @given(shapes())
    def test_agree_with_the_definition_on_every_span(self, shape: Shape) -> None:
        text, root = tree_text(shape), slow(shape)
        for start, end in spans(root):
            nodes = [n for n in slow_nodes(root) if (n.start, n.end) == (start, end)]
            assert text.head(start, end) == (nodes[-1].head if nodes else end)
            assert text.is_constituent(start, end) == bool(nodes)


class TestTypesByTags:
    @pytest.mark.parametrize("tag", ["PRP", "PRP$", "WP", "WP$", "WDT", "WRB", "DT"])
    def test_pronouns_are_told_by_tag(self, tag: str) -> None:
        assert one("zz", tag) is PRONOUN

    @pytest.mark.parametrize("word", ["it", "It", "One", "US", "NONE", "'em"])
    def test_pronouns_by_word(self, word: str) -> None:
        assert one(word, "NNP") is PRONOUN

    @pytest.mark.parametrize("tag", ["NNP", "NNPS"])
    def test_names_are_told_by_the_tag_of_the_head(self, tag: str) -> None:
        assert one("rome", tag) is NAME

    @pytest.mark.parametrize("tag", ["NN", "NNS", "CD", "VBD", "POS", "EX", "JJ", "XX"])
    def test_everything_else_is_nominal(self, tag: str) -> None:
        assert Text(["Zz", "x"], [range(2)], [tag, "NN"]).mention_type(0, 0) is NOMINAL

    def test_unlisted_words_are_pronouns_by_tag(self) -> None:
        assert one("both", "CC") is NOMINAL
        assert one("both", "DT") is PRONOUN
        assert one("Other", "NNP") is NAME

    def test_more_than_one_token_is_never_a_pronoun(self) -> None:
        text = Text(["they", "all"], [range(2)], ["PRP", "DT"], ["(TOP(NP*", "*))"])
        assert text.mention_type(0, 1) is NOMINAL

    def test_possessive_name(self) -> None:
        """Nominal in a parse, and a name without one."""
        assert whole().mention_type(14, 15) is NOMINAL
        assert town("tags").mention_type(14, 15) is NAME

    def test_of_larger_spans_follow_the_head(self) -> None:
        text = whole()
        assert text.mention_type(0, 4) is NOMINAL
        assert text.mention_type(6, 7) is NAME
        assert text.mention_type(6, 10) is NOMINAL
        assert text.mention_type(9, 9) is PRONOUN


class TestTypesByWords:
    def test_pronouns_are_those_of_the_list(self) -> None:
        text = plain("She saw both of them", "THEY left")
        assert [text.mention_type(t, t) for t in (0, 2, 4, 5)] == [
            PRONOUN,
            NOMINAL,
            PRONOUN,
            PRONOUN,
        ]

    def test_names_have_capitals(self) -> None:
        text = plain("she met the mayor of Ely and old Ms. Rook")
        assert text.mention_type(2, 5) is NOMINAL
        assert text.mention_type(5, 5) is NAME
        assert text.mention_type(7, 9) is NAME

    def test_first_word_that_occurs_in_lowercase(self) -> None:
        """It is no name."""
        text = plain("Cats sleep .", "Rook likes cats .", "She fed Cats .")
        assert text.mention_type(0, 0) is NOMINAL
        assert text.mention_type(3, 3) is NAME
        assert text.mention_type(9, 9) is NAME

    def test_first_word_after_quotation_mark(self) -> None:
        text = plain("`` Cats sleep ''", "she has cats")
        assert text.mention_type(1, 1) is NOMINAL

    @pytest.mark.parametrize("word", ["Another", "The", "Both", "In"])
    def test_words_of_closed_classes_are_no_names(self, word: str) -> None:
        assert plain(f"{word} sleeps").mention_type(0, 0) is NOMINAL
        assert plain(f"we saw {word}").mention_type(2, 2) is NOMINAL

    def test_abbreviations_that_look_like_pronouns(self) -> None:
        text = plain("he left the US", "you and I")
        assert text.mention_type(2, 3) is NAME
        assert text.mention_type(4, 6) is NOMINAL

    @pytest.mark.parametrize("word", ["北京", "القاهرة", "42", "", "'"])
    def test_scripts_without_capitals_have_no_names(self, word: str) -> None:
        assert Text(["a", word], [range(2)]).mention_type(1, 1) is NOMINAL

    def test_another_language_is_another_table(self) -> None:
        german = replace(ENGLISH, name="German", pronouns={"sie": Features(None, None, "third")})
        text = Text(["sie", "she"], [range(2)], language=german)
        assert [text.mention_type(t, t) for t in (0, 1)] == [PRONOUN, NOMINAL]
        assert text.features(0, 0).person == "third"


class TestColumns:
    def test_tell_what_heads_and_types_come_from(self) -> None:
        texts = (whole(), town("tags"), town(), town("parse"))
        assert [text.heads_from for text in texts] == ["parse", "tags", "words", "parse"]
        assert [text.types_from for text in texts] == ["tags", "tags", "words", "words"]
        assert [text.has_names for text in texts] == [True, False, False, False]

    @pytest.mark.parametrize("filling", ["-", "*", "_", ""])
    def test_that_say_nothing_count_as_absent(self, filling: str) -> None:
        text = Text(["Ely"], [range(1)], [filling], [filling], [filling])
        assert (text.heads_from, text.types_from, text.has_names) == ("words", "words", False)
        assert text.problems == []
        assert text.mention_type(0, 0) is NAME

    def test_of_unknown_tags_count_as_absent(self) -> None:
        assert Text(["a", "b"], [range(2)], ["XX", "-"]).types_from == "words"
        assert Text(["a", "b"], [range(2)], ["XX", "NN"]).types_from == "tags"

    def test_of_unreadable_trees_give_no_heads(self) -> None:
        text = Text(["a", "b"], [range(2)], ["DT", "NN"], ["(NP*", "*"])
        assert text.heads_from == "tags"
        assert text.problems == [TreeProblem("parse", 0, "the bracket (NP is not closed")]

    @pytest.mark.parametrize("column", ["tags", "parse", "names"])
    def test_of_another_length_are_refused(self, column: str) -> None:
        with pytest.raises(ValueError, match=f"{column} has 1 values for 2 words"):
            Text(["a", "b"], [range(2)], **cast(Any, {column: ["x"]}))

    @pytest.mark.parametrize("sentences", [[], [range(1)], [range(1), range(2)], [range(3)]])
    def test_sentences_must_be_the_words(self, sentences: list[range]) -> None:
        with pytest.raises(ValueError, match="the sentences must cover the words"):
            Text(["a", "b"], sentences)

    def test_may_be_empty(self) -> None:
        text = Text([], [], [], [], [])
        assert (len(text), text.heads_from, text.problems) == (0, "words", [])
        assert list(text.noun_phrases()) == []


def test_problems_of_trees_and_names() -> None:
    text = Text(
        list("abcd"),
        [range(2), range(2, 4)],
        ["NN"] * 4,
        ["(TOP*", "*)", "-", "*"],
        ["*", "*)", "(GPE*", "*"],
    )
    assert text.problems == [
        TreeProblem("parse", 2, "the parse bit '-' is not a * with brackets around it"),
        TreeProblem("names", 1, "a name is closed but was never opened"),
        TreeProblem("names", 2, "the name (GPE is not closed in its sentence"),
    ]
    assert whole().problems == []


def test_names_are_those_of_exactly_the_span() -> None:
    text = whole()
    assert text.name_type(3, 4) == "GPE"
    assert text.name_type(7, 7) == "PERSON"
    assert text.name_type(6, 7) is None
    assert town("tags").name_type(3, 4) is None


def test_features_are_those_of_pronouns() -> None:
    text = whole()
    assert text.features(12, 12) == Features("female", "single", "third")
    assert text.features(9, 10) == text.features(1, 1) == Features()


def test_phrases_are_the_words_of_a_span() -> None:
    assert whole().phrase(3, 4) == "Port Ely"
    assert whole().phrase(17, 17) == "."


def test_sentences_of_tokens() -> None:
    text = whole()
    assert [text.sentence_of(token) for token in (0, 11, 12, 17)] == [0, 0, 1, 1]
    with pytest.raises(IndexError, match="token 18 is not in a text of 18 words"):
        text.sentence_of(18)


def test_an_empty_sentence_has_no_tokens() -> None:
    sentences = [range(1), range(1, 1), range(1, 2)]
    text = Text(["a", "b"], sentences, ["NN", "NN"], ["(TOP*)", "(TOP*)"])
    assert [text.sentence_of(token) for token in (0, 1)] == [0, 2]
    assert text.problems == []


def test_constituents() -> None:
    text = whole()
    assert text.is_constituent(0, 4) is True
    assert text.is_constituent(11, 11) is True
    assert text.is_constituent(0, 3) is False
    assert text.is_constituent(9, 13) is False
    assert town("tags").is_constituent(0, 4) is None
    assert town("parse", bits={17: "*"}).is_constituent(9, 13) is None


def test_labels_over_a_stretch() -> None:
    text = whole()
    assert text.labels_over(0, 4) == ["NP"]
    assert text.labels_over(2, 4) == ["PP"]
    assert text.labels_over(1, 4) == ["NN", "PP"]
    assert text.labels_over(8, 10) == ["CC", "NP"]
    assert text.labels_over(12, 12) == ["NP"]
    assert text.labels_over(0, 11) == ["TOP"]
    assert text.labels_over(10, 13) == ["NN", ".", "NP", "VBZ"]
    assert text.labels_over(5, 4) == []


def test_without_a_tree_there_are_no_labels() -> None:
    assert town("tags").labels_over(0, 4) is None
    assert town("tags", "parse", bits={17: "*"}).labels_over(11, 12) is None


@given(shapes())
def test_labels_over_a_stretch_equal_definition(shape: Shape) -> None:
    text, root = tree_text(shape), slow(shape)
    for start, end in spans(root):
        assert text.labels_over(start, end) == slow_labels(root, start, end)


def test_noun_phrases_are_spans_each_once() -> None:
    assert list(whole().noun_phrases()) == [
        (0, 4), (0, 1), (3, 4), (6, 10), (6, 7), (9, 10), (12, 12), (14, 16), (14, 15),
    ]  # fmt: skip
    text = tree_text(("TOP", [("NP-SBJ", [("NP", ["NN"])]), ("NPX", ["NP"])]))
    assert list(text.noun_phrases()) == [(0, 0)]
    assert list(town("tags").noun_phrases()) == []


def test_deep_trees_answer_everything() -> None:
    depth = 3_000
    bits = ["(NP*"] * (depth - 1) + ["(NP*" + ")" * depth]
    text = Text(["w"] * depth, [range(depth)], ["DT"] * (depth - 1) + ["NN"], bits, ["*"] * depth)
    assert text.head(0, depth - 1) == depth - 1
    assert text.mention_type(1, depth - 1) is NOMINAL
    assert text.is_constituent(7, depth - 1) is True
    assert text.labels_over(0, depth - 2) == ["DT"] * (depth - 1)
    assert len(list(text.noun_phrases())) == depth
    assert text.problems == []


def calls_of(work: Callable[[], None]) -> int:
    """Count the functions that are called: how much is done, on however busy a machine."""
    count = 0

    def called(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("layers", [("tags", "parse", "names"), ("tags",), ()])
def test_questions_are_cheap(layers: tuple[str, ...]) -> None:
    """Asked again, a span takes few steps: what was found is kept, and nothing is searched."""
    text = town(*layers)
    asked = [(start, end) for end in range(18) for start in range(end + 1)]

    def ask() -> None:
        for start, end in asked:
            text.head(start, end)
            text.mention_type(start, end)
            text.name_type(start, end)
            text.features(start, end)

    ask()
    assert calls_of(ask) < 30 * len(asked)
