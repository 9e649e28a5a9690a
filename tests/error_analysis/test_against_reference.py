"""The analysis against its slow reference, on random texts with trees, names, key and response."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings

import corefscope as cs
from annotated import NAME, Annotated, annotated, corpora
from corefscope.choices import Singletons
from corefscope.corpus.mentions import Span
from corefscope.error_analysis import Analysis, ErrorType
from corefscope.error_analysis.phenomena import Cataphora
from corefscope.matching.matching import SingletonRule
from error_reference import (
    REPAIRS,
    Clustering,
    Mode,
    Parsed,
    cataphora,
    closed_form,
    clustering,
    corrected,
    mentions,
    step_by_step,
    without_singletons,
)
from evaluations import analysis_of

SINGLETONS: tuple[Singletons, ...] = ("drop", "keep")
TABLE_9 = {
    Cataphora.SAME: "yes_yes_same",
    Cataphora.DIFFERENT: "yes_yes_different",
    Cataphora.NOT_SEEN: "yes_no",
    Cataphora.ABSENT: "yes_absent",
    Cataphora.SEEN_WRONGLY: "no_yes",
    Cataphora.SPURIOUS: "absent_yes",
}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("reference") / "text.conll"


def reference(document: Annotated) -> Parsed:
    return Parsed(
        list(document.words), list(document.tags), list(document.parse), list(document.sentences)
    )


def sides(document: Annotated, singletons: SingletonRule) -> tuple[Clustering, Clustering]:
    of_key = without_singletons if singletons == "drop" else clustering
    of_response = clustering if singletons == "keep" else without_singletons
    return of_key(document.key), of_response(document.response)


def partition(corpus: cs.Corpus) -> Clustering:
    entities = corpus[NAME].entities
    return clustering([[(m.start, m.end) for m in entity] for entity in entities])


def analysed(document: Annotated, file: Path, **options: str) -> Analysis:
    return analysis_of(*corpora(document, file), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("singletons", SINGLETONS)
@given(document=annotated())
@settings(max_examples=250)
def test_operations_and_errors(document: Annotated, file: Path, singletons: Singletons) -> None:
    """Counts and records against the step-by-step form, the closed form and Table 9."""
    analysis = analysed(document, file, singletons=singletons)
    expected = step_by_step(reference(document), *sides(document, singletons))
    assert analysis.operations == expected.operations
    assert analysis.errors == expected.errors
    found = {(str(e.type), frozenset(e.spans())) for e in analysis.records}
    assert found == set(expected.found)
    assert len(found) == len(analysis.records), "one record per error"
    equals_closed_form(analysis, document, singletons)
    if singletons == "drop":
        equals_cataphora(analysis, document)


def equals_closed_form(analysis: Analysis, document: Annotated, singletons: Singletons) -> None:
    """The closed form counts everything but altered spans."""
    (transformation,) = [found.transformation for found in analysis.documents]
    key, _ = sides(document, singletons)
    expected = closed_form(reference(document), key, altered_response(analysis))
    altered = len(transformation.alterations.pairs)
    assert analysis.operations == {"alter_span": altered, **expected.operations}
    assert analysis.errors == {"span_error": altered, **expected.errors}


def altered_response(analysis: Analysis) -> list[list[Span]]:
    """The response with corrected boundaries."""
    pair = analysis.documents[0].transformation.pair
    return [[pair.span(mention) for mention in entity] for entity in pair.response]


def equals_cataphora(analysis: Analysis, document: Annotated) -> None:
    key, _ = sides(document, "drop")
    expected = cataphora(reference(document), key, altered_response(analysis))
    assert {name: analysis.cataphora[kind] for kind, name in TABLE_9.items()} == expected


@pytest.mark.parametrize("mode", ["standard", "berkeley"])
@given(document=annotated())
@settings(max_examples=120)
def test_corrected_responses(document: Annotated, file: Path, mode: Mode) -> None:
    analysis = analysed(document, file, mode=mode)
    rule: SingletonRule = "drop" if mode == "standard" else "drop-response"
    expected = corrected(reference(document), *sides(document, rule), mode)
    assert partition(analysis.corrected("none")) == expected["none"]
    for type in ErrorType:
        assert partition(analysis.corrected(type)) == expected[type], type
    for repair in REPAIRS:
        all_before = partition(analysis.corrected(repair, cumulative=True))
        assert all_before == expected[f"cumulative:{repair}"], repair


@pytest.mark.parametrize("singletons", SINGLETONS)
@given(document=annotated())
@settings(max_examples=60)
def test_correcting_everything_gives_the_key(
    document: Annotated, file: Path, singletons: Singletons
) -> None:
    analysis = analysed(document, file, singletons=singletons)
    key, _ = sides(document, singletons)
    assert partition(analysis.corrected("missing_entity", cumulative=True)) == key
    after = analysis.impact().cumulative[ErrorType.MISSING_ENTITY]
    for id, score in after.items():
        if not score.is_undefined:
            assert score.recall == score.precision == score.f1 == 1, id


@given(document=annotated())
@settings(max_examples=100)
def test_berkeley_mode_drops_singletons_of_the_response_only(
    document: Annotated, file: Path
) -> None:
    analysis = analysed(document, file, mode="berkeley")
    key, response = sides(document, "drop-response")
    expected = step_by_step(reference(document), key, response)
    assert analysis.operations == expected.operations
    assert analysis.errors == expected.errors
    altered = mentions(altered_response(analysis))
    lacking = [entity for entity in key if len(entity) == 1 and not entity & altered]
    reported = [f for f in analysis.findings if "the published tool stops there" in f.message]
    assert len(reported) == bool(lacking)
    last = partition(analysis.corrected("missing_entity", cumulative=True))
    assert {entity for entity in key if len(entity) > 1} <= last
    assert all(len(entity) == 1 for entity in last - key)


@pytest.mark.parametrize("singletons", SINGLETONS)
@given(document=annotated())
@settings(max_examples=100)
def test_key_as_response_has_no_errors(
    document: Annotated, file: Path, singletons: Singletons
) -> None:
    key, _ = corpora(document, file)
    analysis = analysis_of(key, key, singletons=singletons)
    assert set(analysis.operations.values()) == {0} == set(analysis.errors.values())
    assert analysis.records == []


@given(document=annotated())
@settings(max_examples=100)
def test_order_of_entities_and_mentions(document: Annotated, file: Path) -> None:
    key, response = corpora(document, file)
    before = analysis_of(key, response)
    draw = random.Random(len(document.words))
    shuffled = [
        corpus.with_clusters({NAME: [draw.sample(e, len(e)) for e in draw.sample(es, len(es))]})
        for corpus, es in ((key, document.key), (response, document.response))
    ]
    after = analysis_of(shuffled[0], shuffled[1])
    assert after.operations == before.operations
    assert after.errors == before.errors
    assert [e.id for e in after.records] == [e.id for e in before.records]
    assert [_apart_from_labels(e) for e in after.records] == [
        _apart_from_labels(e) for e in before.records
    ]
    for type in ErrorType:
        assert partition(after.corrected(type)) == partition(before.corrected(type))


def _apart_from_labels(error: cs.ErrorRecord) -> dict[str, object]:
    """Return what a record says, but for the names of entities: their places in the file."""
    left_out = ("entity", "label", "other", "description")
    return {k: v for k, v in error.to_dict().items() if k not in left_out}
