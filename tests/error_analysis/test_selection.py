"""Choosing errors by type and by conditions."""

from __future__ import annotations

from pathlib import Path

import pytest

import corefscope as cs
from corefscope.error_analysis import ErrorRecord, ErrorType
from corefscope.error_analysis.selection import Condition, known_types, select
from error_examples import TOWN_A, TOWN_B, TOWN_KEY, analyses, phrases, town

Errors = list[ErrorRecord]

A = ["conflated_entities", "divided_entity", "missing_entity"]
B = ["span_error", "extra_mention", "extra_entity", "missing_mention"]


@pytest.fixture
def errors(tmp_path: Path) -> Errors:
    """One error of each type: three of one response, four of another."""
    a, b = analyses(tmp_path, town(TOWN_KEY), town(TOWN_A), town(TOWN_B))
    return [*a.records, *b.records]


def chosen(errors: Errors, *conditions: str) -> list[str]:
    found = select(errors, where=[Condition.parse(text) for text in conditions])
    return [str(error.type) for error in found]


def test_no_conditions(errors: Errors) -> None:
    assert chosen(errors) == A + B


@pytest.mark.parametrize(
    ("condition", "types"),
    [
        ("text=him", ["conflated_entities", "divided_entity"]),
        ("text=HIM", ["conflated_entities", "divided_entity"]),
        (" text = him ", ["conflated_entities", "divided_entity"]),
        ("text=it", []),
        ("text=a dog", ["missing_entity"]),
        ("text=dog", ["span_error"]),
        ("text~dog", ["missing_entity", "span_error"]),
        ("text~li", []),
        ("mentions.text=it", ["missing_entity"]),
        ("mentions.text=a dog", ["missing_entity", "span_error"]),
        ("mentions.text~li", ["extra_entity"]),
        ("mentions.start=15", ["missing_entity"]),
        ("start=12", ["missing_entity"]),
        ("end>=13", ["missing_entity", "span_error", "missing_mention"]),
        ("sentence=1", ["extra_entity"]),
        ("sentence=2.0", ["conflated_entities", "divided_entity"]),
        ("left=she liked", ["conflated_entities", "divided_entity"]),
        ("right~slept", []),
        ("title=anna", ["conflated_entities", "missing_mention"]),
        ("description~was not found", ["missing_mention"]),
        ("mention_type=name", ["missing_mention"]),
        ("mention_type=nominal", ["missing_entity", *B[:3]]),
        ("mention_type=pronoun", ["conflated_entities", "divided_entity"]),
        ("mention_type!=name", A + B[:3]),
        ("entity_type=person", []),
        ("entity_type=null", A + B),
        ("entity_type!=person", A + B),
        ("distance=null", ["missing_entity", "span_error", "extra_entity"]),
        ("distance>=1", [*A[:2], "extra_mention", "missing_mention"]),
        ("type=extra_entity", ["extra_entity"]),
        ("type~entity", ["divided_entity", "missing_entity", "extra_entity"]),
        ("size=2", ["missing_entity", "span_error", "extra_entity"]),
        ("size<2", ["conflated_entities", "divided_entity", "extra_mention", "missing_mention"]),
        ("size<=1", ["conflated_entities", "divided_entity", "extra_mention", "missing_mention"]),
        ("size>1", ["missing_entity", "span_error", "extra_entity"]),
        ("size>=2", ["missing_entity", "span_error", "extra_entity"]),
        ("size>2", []),
        ("part.pronouns>=1", ["conflated_entities", "divided_entity"]),
        ("rest.names=2", ["conflated_entities"]),
        ("rest.nominals>1.5", ["divided_entity"]),
        ("composition.nominals=2", ["extra_entity"]),
        ("part.genders=male", ["conflated_entities", "divided_entity"]),
        ("rest.genders=female", ["conflated_entities"]),
        ("rest.genders=null", ["divided_entity"]),
        ("rest.genders!=female", ["divided_entity"]),
        ("missing_left.text=a", ["span_error"]),
        ("missing_left.labels=dt", ["span_error"]),
        ("extra_left.text=null", ["span_error"]),
        ("in_parse=TRUE", ["span_error"]),
        ("is_last=true", ["extra_mention", "missing_mention"]),
        ("same_text=true", ["missing_mention"]),
        ("same_text=false", [*A, "extra_mention", "extra_entity"]),
        ("number_agreement=unknown", ["extra_mention", "missing_mention"]),
        ("number_agreement~know", ["extra_mention", "missing_mention"]),
        ("cataphoric=0", [*A, "extra_mention", "extra_entity", "missing_mention"]),
        ("pronoun=it", ["missing_entity"]),
        ("entity=K2", ["divided_entity"]),
        ("entity=r3", ["extra_mention"]),
        ("entity=2", []),
        ("label=2", ["divided_entity", "extra_mention"]),
        ("other=R1", ["divided_entity"]),
        ("other=K2", ["conflated_entities"]),
        ("matched=0", ["missing_entity", "extra_entity"]),
        ("matched>0", []),
        ("id~/13-13", ["span_error"]),
        ("document~part 000", A + B),
        ("document=elsewhere", []),
    ],
)
def test_conditions(errors: Errors, condition: str, types: list[str]) -> None:
    assert chosen(errors, condition) == types


def test_all_conditions_must_hold(errors: Errors) -> None:
    assert chosen(errors, "size=2", "text~dog") == ["missing_entity", "span_error"]
    assert chosen(errors, "size=2", "text~dog", "mentions.text=it") == ["missing_entity"]


@pytest.mark.filterwarnings("ignore:.*W116")
def test_text_of_any_mention(tmp_path: Path) -> None:
    lines = "Rome/NNP  GPE  1  -\nthe/DT town/NN  -  1  -\nIt/PRP  -  1  -"
    (analysis,) = analyses(tmp_path, *phrases(lines))
    for text in ("rome", "the town", "it"):
        assert chosen(analysis.records, f"mentions.text={text}") == ["missing_entity"]
    assert chosen(analysis.records, "mentions.text=town") == []
    assert chosen(analysis.records, "text=rome") == ["missing_entity"], "of the first mention"
    assert chosen(analysis.records, "text=it") == []
    assert chosen(analysis.records, "entity_type=gpe") == ["missing_entity"]
    assert chosen(analysis.records, "entity_type=null") == []


@pytest.mark.filterwarnings("ignore:.*W116")
def test_not_equal_is_the_opposite_of_equal(tmp_path: Path) -> None:
    """An entity with the mention Rome does not have a text other than Rome only."""
    lines = "Rome/NNP  GPE  1  -\nthe/DT town/NN  -  1  -"
    (analysis,) = analyses(tmp_path, *phrases(lines))
    assert chosen(analysis.records, "mentions.text=oslo") == []
    assert chosen(analysis.records, "mentions.text!=oslo") == ["missing_entity"]
    assert chosen(analysis.records, "mentions.text=rome") == ["missing_entity"]
    assert chosen(analysis.records, "mentions.text!=rome") == []


def test_error_without_the_property(errors: Errors) -> None:
    assert chosen(errors, "in_parse!=true") == []
    assert chosen(errors, "part.pronouns<9") == ["conflated_entities", "divided_entity"]


def test_types_with_and_without_conditions(errors: Errors) -> None:
    types = [ErrorType.EXTRA_ENTITY, ErrorType.MISSING_ENTITY]
    assert [error.type for error in select(errors, types)] == types[::-1]
    (one,) = select(errors, types, [Condition.parse("text=met")])
    assert one.type is ErrorType.EXTRA_ENTITY


def test_types_may_be_joined_by_commas() -> None:
    extra, missing = ErrorType.EXTRA_MENTION, ErrorType.MISSING_MENTION
    assert known_types(["extra_mention", "missing_mention"]) == [extra, missing]
    assert known_types(["extra_mention, missing_mention"]) == [extra, missing]
    assert known_types([]) == []


def test_unknown_type() -> None:
    with pytest.raises(cs.UnknownName, match=r"'missing-mention'; did you mean missing_mention\?"):
        known_types(["extra_mention,missing-mention"])


def test_unknown_property() -> None:
    with pytest.raises(cs.UnknownName) as refused:
        Condition.parse("mention_typ=name")
    assert str(refused.value).endswith("'mention_typ'; did you mean mention_type?")


@pytest.mark.parametrize(
    ("condition", "known"),
    [
        ("mention_type=pronouns", "name, nominal, pronoun, zero, unknown"),
        ("mention_type!=null", "name, nominal, pronoun, zero, unknown"),
        ("type=span", ", ".join(ErrorType)),
        ("same_text=yes", "true, false, null"),
        ("is_first=1", "true, false"),
        ("is_first=null", "true, false"),
        ("number_agreement=agrees", "matches, differs, unknown"),
        ("nesting=nested", "none, inside, outside, both"),
        ("later=delete", "nothing, merge"),
        ("earlier=introduce", "nothing, split"),
        ("part.genders=masculine", "female, male, neuter, null"),
        ("size=two", "any number"),
        ("size=null", "any number"),
        ("sentence>=null", "any number, null"),
        ("distance=near", "any number, null"),
        ("size~2", "=, !=, <, <=, >, >="),
        ("same_text~tru", "=, !="),
        ("text>it", "=, !=, ~"),
        ("text>3", "=, !=, ~"),
    ],
)
def test_impossible_value(condition: str, known: str) -> None:
    with pytest.raises(cs.UnknownName) as refused:
        Condition.parse(condition)
    assert str(refused.value).endswith(f"known: {known}")


def test_open_values_of_named_entities_and_texts() -> None:
    for condition in ("entity_type=ALIEN", "rest.entity_types=ALIEN", "text=xyzzy", "label=x"):
        Condition.parse(condition)


@pytest.mark.parametrize(
    "condition",
    ["part.pronoun>=1", "composition.size=2", "text.words=it", "mentions=it", "part=2", "spans=1"],
)
def test_unknown_part_of_property(condition: str) -> None:
    with pytest.raises(cs.UnknownName):
        Condition.parse(condition)


@pytest.mark.parametrize("condition", ["size>=two", "part.pronouns<", "text>it"])
def test_what_is_no_number_cannot_be_compared(condition: str) -> None:
    """A condition that no error can ever fulfil is a mistake."""
    with pytest.raises((cs.UnknownName, ValueError)):
        Condition.parse(condition)


@pytest.mark.parametrize("condition", ["text=", "text!=", "text~", "text= ", "size>=", "part="])
def test_a_condition_without_a_value_is_refused(condition: str) -> None:
    with pytest.raises(cs.UnknownName, match="condition"):
        Condition.parse(condition)


@pytest.mark.parametrize("condition", ["", "text", "=it", "text it", "<3", "te xt=it"])
def test_what_is_no_condition_is_refused(condition: str) -> None:
    with pytest.raises(cs.UnknownName, match="NAME=VALUE"):
        Condition.parse(condition)
