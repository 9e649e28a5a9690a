"""Antecedent-based scores: texts small enough to count, and slow references."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import corefscope as cs
import more_references
from annotated import Annotated, annotated, corpora
from corefscope.choices import Singletons
from corefscope.demo import KEY, RESPONSES
from corefscope.exceptions import InvalidInput, UnknownName
from corefscope.findings import Code, Finding
from corefscope.matching import pairs
from corefscope.matching.matching import Matching, MatchingOptions, SingletonRule, match_corpora
from corefscope.matching.overlap import Floats
from corefscope.matching.pairs import DocumentPair, document_pairs
from corefscope.metrics import METRICS, Score, without_text
from corefscope.options import make_options
from error_examples import phrases, write
from error_reference import Parsed
from metric_groups import ANTECEDENTS, OVERLAP_METRICS
from more_references import Ordered, antecedent_score

Counted = tuple[Mapping[str, Floats], list[Finding]]
Span = tuple[int, int]
Entities = Sequence[Sequence[Span]]
IDS = ("immediate", "inferred", "anchor")


def counted(key: cs.Corpus, response: cs.Corpus, **options: Any) -> Counted:
    chosen = make_options(**options)
    matching = match_corpora(key, response, chosen.matching)
    return of_matching(matching, chosen.profile.singleton_rule("anchor"))


def of_matching(matching: Matching, singletons: SingletonRule) -> Counted:
    metrics = [METRICS[id] for id in IDS]
    findings = {f: None for metric in metrics for f in metric.findings(matching, singletons)}
    return {m.id: m.count(matching, singletons) for m in metrics}, list(findings)


def of_texts(folder: Path, key: str, response: str, **options: Any) -> Counted:
    paths = write(folder, key, response)
    return counted(*map(cs.read, paths), **options)


def rows(counts: Mapping[str, Floats], row: int = 0) -> list[list[float]]:
    """The counts of one document by all three scores."""
    return [counts[id][row].tolist() for id in IDS]


def of_phrases(folder: Path, text: str, **options: Any) -> list[list[float]]:
    key, response = phrases(text)
    return rows(of_texts(folder, key, response, **options)[0])


def total(counts: Mapping[str, Floats], id: str) -> Score:
    return METRICS[id].total(counts[id])


def triple(score: Score) -> tuple[float, float, float]:
    return score.recall, score.precision, score.f1


TABLE_1 = """
John/NNP  PERSON  1  1  -  1
he/PRP    -       1  1  1  1
he/PRP    -       1  1  1  1
he/PRP    -       1  -  1  1
Rich/NNP  PERSON  2  2  -  2
he/PRP    -       2  2  2  1
he/PRP    -       2  -  2  2
"""
"""Table 1 of Agarwal et al. (E3): the key, S1, S2, and the key with he4 moved to John."""


def solution(folder: Path, number: int) -> Mapping[str, Score]:
    key, *responses = phrases(TABLE_1)
    counts, findings = of_texts(folder, key, responses[number - 1])
    assert findings == []
    return {id: total(counts, id) for id in IDS}


def test_table_1_with_names(tmp_path: Path) -> None:
    """Three of five anaphors are found, and right."""
    scores = solution(tmp_path, 1)
    for id in ("immediate", "inferred"):
        assert triple(scores[id]) == pytest.approx((0.6, 1, 0.75))
    assert scores["immediate"].recall_counts == (3, 5)
    assert scores["immediate"].precision_counts == (3, 3)


def test_table_1_without_names(tmp_path: Path) -> None:
    """Three links between pronouns are right, and not one leads to a name."""
    scores = solution(tmp_path, 2)
    assert triple(scores["immediate"]) == pytest.approx((0.6, 1, 0.75))
    for id in ("inferred", "anchor"):
        assert triple(scores[id]) == (0, 0, 0) and not scores[id].is_undefined
    assert scores["inferred"].precision_counts == (0, 0)


def test_a_pronoun_in_the_other_entity(tmp_path: Path) -> None:
    """Two links are wrong, as he5 follows he4 in the key; of the inferred names only that of he4.

    All anaphors are resolved, so recall, precision and F are the same.
    """
    scores = solution(tmp_path, 3)
    assert triple(scores["immediate"]) == pytest.approx((0.6, 0.6, 0.6))
    assert triple(scores["inferred"]) == pytest.approx((0.8, 0.8, 0.8))


def test_anchors_of_table_1(tmp_path: Path) -> None:
    """S1 has both entities, and 5 of 7 mentions; the moved pronoun costs one mention a side."""
    first = solution(tmp_path, 1)["anchor"]
    assert triple(first.parts["detection"]) == (1, 1, 1)
    assert first.parts["mentions"].recall_counts == (5, 7)
    assert first.parts["mentions"].precision_counts == (5, 5)
    assert first.f1 == pytest.approx(2 * (5 / 6) / (1 + 5 / 6))
    assert first.recall == pytest.approx(2 * (5 / 7) / (1 + 5 / 7)) and first.precision == 1
    moved = solution(tmp_path, 3)["anchor"].parts["mentions"]
    assert moved.recall_counts == moved.precision_counts == (6, 7)


def test_nothing_found(tmp_path: Path) -> None:
    assert of_phrases(tmp_path, "Ann/NNP  -  1  -\nshe/PRP  -  1  -") == [
        [0, 1, 0, 0],
        [0, 1, 0, 0],
        [0, 1, 0, 0, 0, 0, 0, 0],
    ]


def test_nothing_to_find(tmp_path: Path) -> None:
    assert of_phrases(tmp_path, "Ann/NNP  -  -  1\nshe/PRP  -  -  1") == [
        [0, 0, 0, 1],
        [0, 0, 0, 1],
        [0, 0, 0, 1, 0, 0, 0, 0],
    ]


def test_entities_of_pronouns_are_not_judged(tmp_path: Path) -> None:
    text = "she/PRP  -  1  1\nher/PRP  -  1  1\nhers/PRP  -  1  1"
    assert of_phrases(tmp_path, text) == [[0] * 4, [0] * 4, [0] * 8]


def test_name_among_pronouns_only(tmp_path: Path) -> None:
    """The key has no nominal to infer: a false positive, not a wrong link (version 1.2).

    The links between pronouns are not judged, the one to Ann is: she is no mention of the key.
    """
    text = "she/PRP  -  1  1\nAnn/NNP  -  -  1\nher/PRP  -  1  1"
    assert of_phrases(tmp_path, text) == [
        [0, 0, 0, 1],
        [0, 0, 0, 1],
        [0, 0, 0, 1, 0, 0, 0, 0],
    ]


def test_pronouns_before_the_first_nominal(tmp_path: Path) -> None:
    """her is skipped; Ann follows her, but infers nothing; only the last infers a nominal."""
    text = """
    she/PRP  -  1  1
    her/PRP  -  1  1
    Ann/NNP  -  1  1
    hers/PRP  -  1  1
    """
    assert of_phrases(tmp_path, text) == [
        [2, 2, 2, 2],
        [1, 1, 1, 1],
        [1, 1, 1, 1, 4, 4, 4, 4],
    ]


def test_cataphoric_pronoun_infers_another_nominal(tmp_path: Path) -> None:
    """Bob is inferred for her and for Ann, who have no nominal before them: two false positives.

    For the last, Ann is closest in the response, and right.
    """
    text = """
    Bob/NNP  -  -  1
    she/PRP  -  1  1
    her/PRP  -  1  1
    Ann/NNP  -  1  1
    hers/PRP  -  1  1
    """
    immediate, inferred, anchor = of_phrases(tmp_path, text)
    assert immediate == [2, 2, 2, 3], "she is first in the key: a false positive"
    assert inferred == [1, 1, 1, 4]
    assert anchor == [1, 1, 1, 1, 4, 4, 4, 5]


def test_response_pronouns_before_first_nominal(tmp_path: Path) -> None:
    text = "she/PRP  -  -  1\nher/PRP  -  -  1\nAnn/NNP  -  -  1\nhers/PRP  -  -  1"
    immediate, inferred, anchor = of_phrases(tmp_path, text)
    assert immediate == [0, 0, 0, 3]
    assert inferred == [0, 0, 0, 1]
    assert anchor == [0, 0, 0, 1, 0, 0, 0, 0]


def test_nominal_after_the_anaphor(tmp_path: Path) -> None:
    """she begins an entity of the response, so she is not resolved; Ann finds no nominal."""
    text = "the/DT girl/NN  -  1  -\nshe/PRP  -  1  1\nAnn/NNP  -  1  1"
    immediate, inferred, anchor = of_phrases(tmp_path, text)
    assert immediate == [1, 2, 1, 1]
    assert inferred == [0, 2, 0, 0]
    assert anchor == [0, 1, 0, 1, 0, 0, 0, 0], "the anchor is the girl"


def test_any_nominal_of_the_entity(tmp_path: Path) -> None:
    """The closest need not be the same on both sides."""
    text = "Ann/NNP  -  1  1\nthe/DT girl/NN  -  1  -\nshe/PRP  -  1  1"
    immediate, inferred, _ = of_phrases(tmp_path, text)
    assert immediate == [0, 2, 0, 1]
    assert inferred == [1, 2, 1, 1]


def test_the_closest_nominal_is_what_counts(tmp_path: Path) -> None:
    text = "Ann/NNP  -  1  1\nBob/NNP  -  -  1\nshe/PRP  -  1  1"
    immediate, inferred, _ = of_phrases(tmp_path, text)
    assert immediate == [0, 1, 0, 2]
    assert inferred == [0, 1, 0, 2]


def test_response_entity_stands_for_one_key_entity(tmp_path: Path) -> None:
    """Of two, for the one that begins first, though its anchor comes later."""
    text = """
    she/PRP  -  2  -
    Bob/NNP  -  1  1
    Ann/NNP  -  2  1
    he/PRP  -  1  1
    """
    assert of_phrases(tmp_path, text)[2] == [1, 2, 1, 1, 1, 2, 1, 3]


SINGLETONS = """
Ann/NNP  -  1  1
she/PRP  -  1  1
Bob/NNP  -  2  2
he/PRP   -  3  -
Cid/NNP  -  -  3
"""


@pytest.mark.parametrize(
    ("singletons", "anchor"),
    [("keep", [2, 2, 2, 3, 3, 3, 3, 3]), ("drop", [1, 1, 1, 1, 2, 2, 2, 2])],
)
def test_singletons_are_entities_but_no_anaphors(
    tmp_path: Path, singletons: Singletons, anchor: list[int]
) -> None:
    """A pronoun alone is no entity that could be found by its anchor."""
    found = of_phrases(tmp_path, SINGLETONS, singletons=singletons)
    assert found == [[1, 1, 1, 1], [1, 1, 1, 1], anchor]


def test_anaphor_in_a_singleton(tmp_path: Path) -> None:
    immediate, inferred, anchor = of_phrases(tmp_path, "Ann/NNP  -  1  1\nshe/PRP  -  1  2")
    assert immediate == inferred == [0, 1, 0, 0]
    assert anchor == [1, 1, 1, 1, 1, 2, 1, 1]


def test_a_missing_document_counts_as_empty(tmp_path: Path) -> None:
    first, *_ = phrases(TABLE_1, "one")
    second, response, *_ = phrases(TABLE_1, "two")
    counts, _ = of_texts(tmp_path, first + second, response)
    for id in IDS:
        width = 8 if id == "anchor" else 4
        assert counts[id].shape == (2, width) and counts[id].dtype == np.float64
    assert rows(counts, 0)[:2] == [[0, 5, 0, 0], [0, 5, 0, 0]]
    assert rows(counts, 1)[:2] == [[3, 5, 3, 3], [3, 5, 3, 3]]


def test_an_ignored_document_has_zeros(tmp_path: Path) -> None:
    first, *_ = phrases(TABLE_1, "one")
    second, response, *_ = phrases(TABLE_1, "two")
    key, answer = map(cs.read, write(tmp_path, first + second, response))
    ignoring = MatchingOptions(missing="ignore")
    counts, _ = of_matching(match_corpora(key, answer, ignoring), "keep")
    assert rows(counts, 0) == [[0] * 4, [0] * 4, [0] * 8]
    assert rows(counts, 1)[0] == [3, 5, 3, 3]


def test_documents_are_summed_in_key_order(tmp_path: Path) -> None:
    """The score of all is read from the sums, whatever order the response has."""
    texts = [phrases(TABLE_1, name) for name in ("one", "two", "three")]
    key = "".join(text[0] for text in texts)
    response = "".join(texts[i][i + 1] for i in (2, 0, 1))
    counts, _ = of_texts(tmp_path, key, response)
    alone = [of_texts(tmp_path, text[0], text[i + 1])[0] for i, text in enumerate(texts)]
    for id in IDS:
        assert counts[id].tolist() == [each[id][0].tolist() for each in alone]
    inferred = total(counts, "inferred")
    assert inferred.recall_counts == (3 + 0 + 4, 15)
    assert inferred.precision_counts == (3 + 0 + 4, 3 + 0 + 5)
    anchor = total(counts, "anchor")
    assert anchor.parts["detection"].recall_counts == (2 + 0 + 2, 6)
    of_parts = [anchor.parts[name] for name in ("detection", "mentions")]
    rows = [(*part.recall_counts, *part.precision_counts) for part in of_parts]
    assert [count for row in rows for count in row] == counts["anchor"].sum(axis=0).tolist()


def test_texts_are_read_once_per_comparison(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All three metrics share a pass over the texts; another rule for singletons needs its own."""
    text, answer, *_ = phrases(TABLE_1)
    key, response = map(cs.read, write(tmp_path, text, answer))
    matching = match_corpora(key, response, MatchingOptions())
    passes: list[str] = []

    def counting(matching: Matching, singletons: SingletonRule) -> Iterator[DocumentPair]:
        passes.append(singletons)
        return document_pairs(matching, singletons)

    monkeypatch.setattr(pairs, "document_pairs", counting)
    of_matching(matching, "keep")
    assert passes == ["keep"]
    of_matching(matching, "drop")
    of_matching(matching, "keep")
    assert passes == ["keep", "drop"]


def test_without_words_nothing_tells_pronouns() -> None:
    clusters = cs.Corpus.from_clusters({"d": [[(0, 0), (1, 1)]]}, path="key.json")
    with pytest.raises(InvalidInput, match="'d' has no words") as caught:
        counted(clusters, clusters)
    (finding,) = caught.value.findings
    assert (finding.code, finding.file) == (Code.NO_LAYER, "key.json")
    other = cs.Corpus.from_clusters({"d": [["a", "b"]]})
    with pytest.raises(InvalidInput, match="'d' has no words"):
        counted(other, other)


def test_no_words_needed_without_mentions() -> None:
    nothing = cs.Corpus.from_clusters({"d": []})
    counts, findings = counted(nothing, nothing)
    assert rows(counts) == [[0] * 4, [0] * 4, [0] * 8] and findings == []
    assert all(total(counts, id).is_undefined for id in IDS)


def test_other_metrics_need_no_words() -> None:
    clusters = cs.Corpus.from_clusters({"d": [[(0, 0), (1, 1)]]})
    assert cs.score(clusters, clusters, metrics="all,more").muc.f1 == 1


def test_missing_or_borrowed_layers(tmp_path: Path) -> None:
    key, response, *_ = phrases(TABLE_1, layers="")
    counts, findings = of_texts(tmp_path, key, response)
    assert [finding.code for finding in findings] == [Code.NO_TEXT_LAYER]
    assert "the only document has" in findings[0].message and findings[0].file is not None
    assert rows(counts)[1] == [3, 5, 3, 3]
    _, tagged, *_ = phrases(TABLE_1)
    _, findings = of_texts(tmp_path, key, tagged)
    assert [finding.code for finding in findings] == [Code.NO_TEXT_LAYER]
    assert "tags" in findings[0].message


def test_json_lines_with_words(tmp_path: Path) -> None:
    """John, he, Rich, he: the response has both pronouns in John's entity."""
    words = {"doc_key": "d", "sentences": [["John", "he", "Rich", "he"]]}
    sides = [[[[0, 0], [1, 1]], [[2, 2], [3, 3]]], [[[0, 0], [1, 1], [3, 3]]]]
    corpora = []
    for number, clusters in enumerate(sides):
        path = tmp_path / f"{number}.jsonl"
        path.write_text(json.dumps({**words, "clusters": clusters}))
        corpora.append(cs.read(path))
    counts, _ = counted(*corpora)
    assert rows(counts) == [[1, 2, 1, 2], [1, 2, 1, 2], [1, 2, 1, 1, 2, 2, 2, 3]]


@pytest.mark.parametrize("id", IDS)
def test_no_count_from_overlap_table(id: str) -> None:
    metric = METRICS[id]
    assert metric.id == id and pickle.loads(pickle.dumps(metric)) == metric
    assert not hasattr(metric, "count_overlap") and id not in OVERLAP_METRICS
    with pytest.raises(UnknownName, match=f"needs no text.*{id}"):
        without_text([metric])


def test_names() -> None:
    assert {id: metric.name for id, metric in METRICS.items() if id in ANTECEDENTS} == {
        "immediate": "Immediate antecedent",
        "inferred": "Inferred antecedent",
        "anchor": "Anchor",
    }


def test_figures_of_many_rows_at_once() -> None:
    """Of any shape, one row gives what it gives alone; F1 is that of recall and precision."""
    random = np.random.default_rng(0)
    found = random.integers(0, 4, (5, 6, 2)).astype(float)
    found[..., 1] += found[..., 0]
    found[..., 1] *= found[..., 0] > 0
    more = random.integers(0, 3, (5, 6, 4)).astype(float)
    d, m = found[..., 0], found[..., 1]
    counts = np.stack(
        [d, d + more[..., 0], d, d + more[..., 1], m, m + more[..., 2], m, m + more[..., 3]],
        axis=-1,
    )
    metric = METRICS["anchor"]
    figures = metric.figures(counts)
    assert figures.shape == (5, 6, 3)
    for place in np.ndindex(5, 6):
        score = metric.score(counts[place])
        assert figures[place].tolist() == list(triple(score))
        detection, mentions = score.parts["detection"].f1, score.parts["mentions"].f1
        both = detection + mentions
        assert score.f1 == pytest.approx(2 * detection * mentions / both if both else 0)
        sides = score.recall + score.precision
        assert score.f1 == pytest.approx(2 * score.recall * score.precision / sides if sides else 0)


# The reference


def ordered(key: Entities, response: Entities, is_pronoun: Callable[[Span], bool]) -> Ordered:
    """Spans sort as the mentions stand in the text."""
    mentions = sorted(
        {mention for side in (key, response) for entity in side for mention in entity}
    )
    nominals = [mention for mention in mentions if not is_pronoun(mention)]
    return Ordered(mentions, nominals, key, response)


def of_annotated(document: Annotated, singletons: Singletons) -> Ordered:
    smallest = 1 if singletons == "keep" else 2
    key, response = (
        [entity for entity in side if len(entity) >= smallest]
        for side in (document.key, document.response)
    )
    text = Parsed(document.words, document.tags, document.parse, document.sentences)
    return ordered(key, response, text.is_pronoun)


REFERENCES = {"immediate": more_references.immediate, "inferred": more_references.inferred}


def reference_rows(document: Ordered) -> list[list[Fraction]]:
    outcomes = more_references.immediate(document), more_references.inferred(document)
    detection, mentions = more_references.anchored(document)
    return [*(list(each.ratios) for each in outcomes), [*detection, *mentions]]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("antecedents") / "text.conll"


@pytest.mark.parametrize("singletons", ["keep", "drop"])
@given(document=annotated())
@settings(max_examples=200)
def test_the_reference(document: Annotated, file: Path, singletons: Singletons) -> None:
    counts, _ = counted(*corpora(document, file), singletons=singletons)
    reference = of_annotated(document, singletons)
    assert rows(counts) == reference_rows(reference)
    for id, count in REFERENCES.items():
        assert triple(total(counts, id)) == close(antecedent_score([count(reference)]))
    found, expected = total(counts, "anchor"), more_references.anchor([reference])
    assert triple(found.parts["detection"]) == close(expected.detection)
    assert triple(found.parts["mentions"]) == close(expected.mentions)
    assert found.f1 == pytest.approx(float(expected.f1), abs=1e-12)


def close(expected: Iterable[Fraction]) -> Any:
    return pytest.approx(tuple(map(float, expected)), abs=1e-12)


@given(document=annotated())
@settings(max_examples=150)
def test_a_key_scores_1_against_itself(document: Annotated, file: Path) -> None:
    key, _ = corpora(document, file)
    counts, _ = counted(key, key)
    for id in IDS:
        score = total(counts, id)
        assert triple(score) == ((0, 0, 0) if score.is_undefined else (1, 1, 1))


@given(document=annotated())
@settings(max_examples=150)
def test_fractions_are_bounded_and_inferred_is_symmetric(document: Annotated, file: Path) -> None:
    """Detection is one to one; who infers and who is to infer may change roles but for *tp*."""
    key, response = corpora(document, file)
    there, back = counted(key, response)[0], counted(response, key)[0]
    for id in IDS:
        for part in there[id].reshape(-1, 4).tolist():
            assert 0 <= part[0] <= part[1] and 0 <= part[2] <= part[3] and part[0] == part[2]
    (_, of_key, _, of_response), (_, *swapped) = rows(there)[1], rows(back)[1]
    assert (of_response, of_key) == (swapped[0], swapped[2])


@pytest.mark.parametrize("name", RESPONSES)
def test_the_demo(name: str) -> None:
    """Every document by the reference, and the corpus from their sums."""
    matching = match_corpora(cs.read(KEY), cs.read(RESPONSES[name]), MatchingOptions())
    counts, findings = of_matching(matching, "keep")
    documents = []
    for pair in document_pairs(matching, "keep"):
        key, response = (
            [[pair.span(mention) for mention in entity] for entity in side]
            for side in (pair.key, pair.response)
        )
        pronouns = {span for span in pair.table.spans if pair.traits_at(span).is_pronoun}
        documents.append(ordered(key, response, pronouns.__contains__))
    for row, document in enumerate(documents):
        assert rows(counts, row) == reference_rows(document)
    for id, count in REFERENCES.items():
        assert triple(total(counts, id)) == close(antecedent_score(map(count, documents)))
    expected = more_references.anchor(documents).f1
    assert total(counts, "anchor").f1 == pytest.approx(float(expected), abs=1e-12)
    assert all(0 < total(counts, id).f1 < 1 for id in IDS) and findings == []
