"""``score`` and ``Scorer``: what they take, what they refuse, and what they give."""

from __future__ import annotations

import copy
import gzip
import json
import pickle
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import corefscope as cs
from corefscope.inputs import Annotation
from corefscope.matching.matching import MatchingOptions, match_corpora, repeated_mentions
from corefscope.metrics import STANDARD
from corefscope.options import Options
from corefscope.version import __version__
from strategies import Document, SpanDocument, conll_text, corpora, span_corpora


def letters(*entities: str) -> list[list[str]]:
    """Clusters whose mentions are letters."""
    return [list(entity) for entity in entities]


KEY, RESPONSE = letters("abc", "defg"), letters("ab", "cd", "fghi")
"""Pradhan et al. (2014), section 4, whose MUC is .4, B³ precision .5, CEAFe F1 .52."""

quiet = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")


def conll(name: str, *cells: str, words: str = "word") -> str:
    """A document with one token a cell."""
    lines = [f"{number}\t{words}{number}\t{cell}\n" for number, cell in enumerate(cells)]
    return f"#begin document {name}\n{''.join(lines)}#end document\n"


def file(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def is_the_example(scores: cs.Scores) -> None:
    assert scores.muc.recall == scores.muc.precision == 0.4
    assert scores.b3.precision == 0.5
    assert scores.ceafe.f1 == pytest.approx(0.52)
    assert scores.document_names == ("document",)


@pytest.mark.parametrize(
    "shape",
    [
        lambda clusters: clusters,
        lambda clusters: [list(entity) for entity in clusters],
        lambda clusters: [set(entity) for entity in clusters],
        lambda clusters: {frozenset(entity) for entity in clusters},
        lambda clusters: tuple(tuple(entity) for entity in clusters),
        lambda clusters: (iter(entity) for entity in clusters),
        lambda clusters: [dict.fromkeys(entity) for entity in clusters],
        lambda clusters: {"document": clusters},
        lambda clusters: {"document": (iter(entity) for entity in clusters)},
        lambda clusters: cs.Corpus.from_clusters({"document": clusters}),
        lambda clusters: [[(ord(mention), 300) for mention in entity] for entity in clusters],
        lambda clusters: [[[ord(mention), 300] for mention in entity] for entity in clusters],
        lambda clusters: [[ord(mention) for mention in entity] for entity in clusters],
        lambda clusters: [np.array(list(map(ord, entity))) for entity in clusters],
        lambda clusters: [[("sentence", 1, m) for m in entity] for entity in clusters],
        lambda clusters: [[], *clusters, []],
    ],
)
def test_clusters_of_any_kind_are_scored(
    shape: Callable[[list[list[str]]], Annotation],
) -> None:
    is_the_example(cs.score(shape(KEY), shape(RESPONSE)))


def test_key_and_response_of_different_kinds() -> None:
    is_the_example(cs.score({"document": KEY}, (set(entity) for entity in RESPONSE)))
    as_json: Any = [[[0, 1], [2, 2]]]
    assert cs.score(as_json, [{(0, 1), (2, 2)}]).b3.f1 == 1
    assert cs.score([[(0, 1), "x"]], [[(0, 1)], ["x"]]).mentions.f1 == 1


def test_equal_mentions_of_different_types() -> None:
    numbers = [np.int64(0), np.int64(1)]
    assert cs.score([[(0, 1), (2, 3)]], [[tuple(numbers), (2, 3)]]).mentions.f1 == 1
    assert cs.score([[(0, 1)]], [[tuple(numbers)]]).mentions.f1 == 1


def test_spans_against_other_ids(tmp_path: Path) -> None:
    path = tmp_path / "ids.json"
    path.write_text('{"document": [["0", "1"]]}')
    with pytest.raises(cs.InvalidInput, match=r"first of them '0'.*cannot match \[E206\]"):
        cs.score([[(0, 1)]], path)


def test_list_of_paths() -> None:
    """It is not taken for entities of letters."""
    with pytest.raises(TypeError, match="a list of paths"):
        cs.score(["gold.conll"], ["system.jsonl"])


@quiet
@settings(max_examples=50)
@given(span_corpora())
def test_files_score_as_the_spans_that_they_hold(
    tmp_path_factory: pytest.TempPathFactory,
    corpus: dict[str, tuple[SpanDocument, SpanDocument]],
) -> None:
    """CoNLL, plain JSON and clusters in memory."""
    folder = tmp_path_factory.mktemp("files")
    sides = [{name: document[side] for name, document in corpus.items()} for side in (0, 1)]
    clusters = [{name: each.entities for name, each in side.items()} for side in sides]
    columns = [file(folder, f"{i}.conll", conll_text(side)) for i, side in enumerate(sides)]
    plain = [file(folder, f"{i}.json", json.dumps(each)) for i, each in enumerate(clusters)]
    expected = cs.score(*clusters).metrics
    assert cs.score(*columns).metrics == expected
    assert cs.score(*plain).metrics == expected
    assert cs.score(columns[0], plain[1]).metrics == expected
    assert cs.score(clusters[0], columns[1]).metrics == expected


def test_paths_are_read(tmp_path: Path) -> None:
    key = file(tmp_path, "key.conll", conll("(a)", "(1)", "(1)", "(2)"))
    assert cs.score(key, Path(key)).b3.f1 == 1
    assert cs.score(cs.read(key), key).b3.f1 == 1
    packed = tmp_path / "key.conll.gz"
    packed.write_bytes(gzip.compress(Path(key).read_bytes()))
    assert cs.score(packed, cs.read(key)).b3.f1 == 1


def test_anything_with_a_path_is_a_path(tmp_path: Path) -> None:
    class Place:
        def __fspath__(self) -> str:
            return str(tmp_path / "key.conll")

    file(tmp_path, "key.conll", conll("(a)", "(1)", "(1)"))
    assert cs.score(Place(), Place()).muc.f1 == 1


def test_arrays_of_labels() -> None:
    key = cs.Corpus.from_arrays(np.array([0, 0, 0, 1, 1, 1, 1, -1, -1]))
    response = cs.Corpus.from_arrays(np.array([5, 5, 3, 3, -1, 9, 9, 9, 9]))
    scores = cs.score(key, response)
    assert scores.metrics == cs.score(KEY, RESPONSE).metrics


def test_arrays_of_spans_and_documents() -> None:
    key = cs.Corpus.from_arrays(
        entity=np.array([1, 1, 0, 0]),
        start=np.array([0, 4, 0, 9]),
        end=np.array([2, 4, 2, 9]),
        document=np.array([0, 0, 1, 1]),
        document_names=["x", "y"],
    )
    expected = {"x": [[(0, 2), (4, 4)]], "y": [[(0, 2), (9, 9)]]}
    assert cs.score(key, expected).muc.recall_counts == (2, 2)
    assert cs.score(expected, key).conll == 1


def test_nothing_scores_nothing() -> None:
    empty: list[Annotation] = [[], {}, {"a": []}, {"a": [[]], "b": []}]
    for nothing in empty:
        scores = cs.score(nothing, nothing)
        assert {found.f1 for found in scores.metrics.values()} == {0.0}
        assert scores.conll == 0
        assert all(found.is_undefined for found in scores.metrics.values())


@quiet
def test_an_empty_key_or_response_scores_nothing() -> None:
    for key, response in (({}, {"a": KEY}), ({"a": KEY}, {}), ([], RESPONSE), (KEY, [])):
        scores = cs.score(key, response)
        assert {found.f1 for found in scores.metrics.values()} == {0.0}


@quiet
def test_empty_key_against_file_with_empty_document(tmp_path: Path) -> None:
    assert cs.score({}, file(tmp_path, "response.conll", conll("(a)"))).conll == 0


def test_what_holds_no_entities_is_a_type_error() -> None:
    for wrong in (3, [3], None):
        with pytest.raises(TypeError):
            cs.score(wrong, KEY)  # type: ignore[arg-type]


def test_mentions_that_cannot_be_compared() -> None:
    with pytest.raises(TypeError):
        cs.score([[{"start": 0}]], KEY)


def test_documents_are_paired_by_name() -> None:
    key = {"x": letters("ab"), "y": letters("cd", "e")}
    scores = cs.score(key, {"y": letters("cd", "e"), "x": letters("ab")})
    assert scores.conll == 1
    assert [document.document for document in scores.per_document] == ["x", "y"]


def test_mentions_of_different_documents() -> None:
    scores = cs.score(
        {"x": letters("ab"), "y": letters("cd")}, {"x": letters("cd"), "y": letters("ab")}
    )
    assert scores.mentions.recall_counts == (0, 4)
    spans = {str(number): [[(0, 0), (1, 1)]] for number in range(50)}
    assert cs.score(spans, spans).mentions.recall_counts == (100, 100)


def test_far_offsets_stay_in_their_document() -> None:
    """Numbers of mentions that are made of document, start and end can grow too large."""
    key = {str(number): [[(0, 0), (1, 1)]] for number in range(9)}
    key["0"][0].append((0, 2**31 - 1))
    scores = cs.score(key, key)
    assert scores.mentions.recall_counts == (19, 19)


@quiet
def test_missing_and_extra_documents() -> None:
    scores = cs.score(
        {"a": letters("01"), "b": letters("01")}, {"c": letters("01"), "b": letters("01")}
    )
    assert scores.missing == ["a"]
    assert scores.extra == ["c"]
    assert [finding.code.id for finding in scores.findings] == ["W201", "W202"]
    assert scores.muc.recall_counts == (1, 2)
    assert scores.muc.precision_counts == (1, 1)
    assert [document.metrics["muc"].f1 for document in scores.per_document] == [0, 1]


def test_missing_documents_are_refused() -> None:
    with pytest.raises(cs.IncompleteResponse) as caught:
        cs.score({"a": KEY, "b": KEY, "c": KEY}, {"b": KEY}, missing="error")
    assert [finding.code.id for finding in caught.value.findings] == ["E205", "E205"]
    assert isinstance(caught.value, LookupError)
    assert "'a'" in str(caught.value) and "'c'" in str(caught.value)


@quiet
def test_extra_documents_are_not_missing() -> None:
    assert cs.score({"a": KEY}, {"a": KEY, "b": KEY}, missing="error").conll == 1


def test_no_name_in_common_is_an_error() -> None:
    with pytest.raises(cs.InvalidInput, match=r"no document of the key.*\[E201\]"):
        cs.score({"a": KEY}, {"b": KEY})
    with pytest.raises(cs.InvalidInput, match="only in spelling"):
        cs.score({"(x); part 000": KEY}, {"(x); part 0": KEY}, pair_by="name")
    with pytest.raises(cs.InvalidInput, match="E201"):
        cs.score({"a": KEY}, KEY)


@quiet
def test_response_document_without_tokens_is_missing(tmp_path: Path) -> None:
    key = file(tmp_path, "key.conll", conll("(a)", "(1)", "(1)") + conll("(b)", "(1)", "(1)"))
    response = file(tmp_path, "response.conll", conll("(a)") + conll("(b)", "(1)", "(1)"))
    assert cs.score(key, response).missing == ["(a)"]
    with pytest.raises(cs.IncompleteResponse):
        cs.score(key, response, missing="error")


def test_document_without_tokens_on_both_sides(tmp_path: Path) -> None:
    both = file(tmp_path, "both.conll", conll("(a)") + conll("(b)", "(1)", "(1)"))
    assert cs.score(both, both).missing == []


def test_different_token_counts(tmp_path: Path) -> None:
    key = file(tmp_path, "key.conll", conll("(a)", "(1)", "(1)", "-"))
    response = file(tmp_path, "response.conll", conll("(a)", "(1)", "(1)"))
    with pytest.raises(cs.InvalidInput, match=r"2 tokens; expected 3.*\[E202\]"):
        cs.score(key, response)
    with pytest.warns(cs.CorefscopeWarning, match="W204"):
        assert cs.score(key, response, tokens="ignore").muc.f1 == 1


def test_clusters_have_no_token_counts(tmp_path: Path) -> None:
    key = file(tmp_path, "key.conll", conll("(a)", "(1)", "(1)", "-"))
    assert cs.score(key, {"(a)": [[(0, 0), (1, 1)]]}).muc.f1 == 1


def test_different_words(tmp_path: Path) -> None:
    """A finding of the first place."""
    key = file(tmp_path, "key.conll", conll("(a)", "(1)", "(1)"))
    response = file(tmp_path, "response.conll", conll("(a)", "(1)", "(1)", words="other"))
    with pytest.warns(cs.CorefscopeWarning, match="token 0 is 'other0'; expected 'word0'"):
        scores = cs.score(key, response)
    assert [finding.code.id for finding in scores.findings] == ["W203"]


@pytest.mark.parametrize("mask", ["_", "___", "[WORD]"])
def test_masked_words_differ_from_nothing(mask: str, tmp_path: Path) -> None:
    key = conll("(a)", "(1)", "(1)")
    masked = key.replace("word0", mask).replace("word1", mask)
    scores = cs.score(file(tmp_path, "key.conll", key), file(tmp_path, "masked.conll", masked))
    assert scores.findings == ()


def test_metrics_are_chosen_by_name() -> None:
    scores = cs.score(KEY, RESPONSE, metrics=["ceafe", "muc"])
    assert list(scores.metrics) == ["muc", "ceafe"]
    assert scores.conll is None
    assert scores.per_document[0].conll is None
    assert list(cs.score(KEY, RESPONSE, metrics=["bcub", "MD", "b3"]).metrics) == ["mentions", "b3"]
    assert list(cs.score(KEY, RESPONSE, metrics=["conll"]).metrics) == ["muc", "b3", "ceafe"]
    assert list(cs.score(KEY, RESPONSE, metrics=(name for name in ["lea"])).metrics) == ["lea"]
    assert cs.score(KEY, RESPONSE, metrics=["all"]).metrics.keys() == set(STANDARD)
    assert cs.score(KEY, RESPONSE).metrics.keys() == set(STANDARD)


def test_a_metric_alone_scores_as_among_all() -> None:
    every = cs.score(KEY, RESPONSE).metrics
    for metric in STANDARD:
        assert cs.score(KEY, RESPONSE, metrics=[metric]).metrics == {metric: every[metric]}


def test_one_metric_may_be_given_as_text() -> None:
    assert list(cs.score(KEY, RESPONSE, metrics="muc").metrics) == ["muc"]


def test_unknown_metric() -> None:
    with pytest.raises(cs.UnknownName, match=r"no metric named 'ceaf-e'; did you mean ceafe\?"):
        cs.score(KEY, RESPONSE, metrics=["ceaf-e"])
    with pytest.raises(LookupError):
        cs.Scorer(metrics=["accuracy"])


def test_unknown_profile() -> None:
    with pytest.raises(cs.UnknownName, match=r"did you mean no-singletons\?"):
        cs.score(KEY, RESPONSE, profile="no_singletons")


@pytest.mark.parametrize(
    "option",
    [
        {"singletons": "remove"},
        {"duplicates": "last"},
        {"missing": "ignore"},
        {"tokens": "warn"},
    ],
)
def test_an_unknown_choice_is_an_error(option: dict[str, Any]) -> None:
    """Nothing is scored by another rule than the one that was asked for."""
    with pytest.raises((cs.UnknownName, ValueError)):
        cs.score(KEY, RESPONSE, **option)


def test_singletons_are_dropped_on_both_sides() -> None:
    key, response = letters("ab", "c"), letters("ab", "d", "e")
    kept = cs.score(key, response)
    dropped = cs.score(key, response, singletons="drop")
    assert kept.mentions.recall_counts == (2, 3)
    assert kept.mentions.precision_counts == (2, 4)
    assert {found.f1 for id, found in dropped.metrics.items() if id != "blanc"} == {1.0}
    assert dropped.metrics == cs.score(key, response, profile="no-singletons").metrics
    assert dropped.metrics == cs.score(letters("ab"), letters("ab")).metrics
    both = cs.score(key, response, profile="no-singletons", singletons="keep")
    assert both.metrics == kept.metrics


@quiet
def test_singletons_do_not_depend_on_copies() -> None:
    """{a, a} is a singleton, and so is {b, c} once b is taken."""
    scores = cs.score(letters("aa", "db", "bc"), letters("db"), singletons="drop")
    assert scores.mentions.recall_counts == (2, 2)
    assert scores.b3.f1 == 1


def test_first_of_repeated_mentions_is_kept() -> None:
    with pytest.warns(cs.CorefscopeWarning, match=r"mention b of entity 1.*already in entity 0"):
        scores = cs.score(letters("ab", "bcd"), letters("ab", "cd"))
    assert [finding.code.id for finding in scores.findings] == ["W108"]
    assert scores.conll == 1


def test_links_are_no_clusters() -> None:
    with pytest.warns(cs.CorefscopeWarning, match="as if the pairs were links; .*W213"):
        scores = cs.score(letters("abc", "de"), letters("ab", "bc", "de"))
    assert [finding.code.id for finding in scores.findings] == ["W213", "W108"]


def test_links_in_a_file_are_no_clusters(tmp_path: Path) -> None:
    links = [[[0, 0], [1, 1]], [[1, 1], [3, 3]], [[0, 0], [3, 3]]]
    record = {"doc_key": "x", "sentences": [list("abcd")], "clusters": links}
    path = file(tmp_path, "links.jsonl", json.dumps(record))
    with pytest.warns(cs.CorefscopeWarning, match="as if the pairs were links; .*W213"):
        cs.score(path, path)


def test_repeated_mentions_with_both_lines(tmp_path: Path) -> None:
    key = file(tmp_path, "key.conll", conll("(a)", "(1", "(2", "1)|2)", "(1)"))
    again = file(tmp_path, "again.conll", conll("(a)", "(1|(2", "-", "1)|2)", "(1)"))
    with pytest.warns(cs.CorefscopeWarning):
        scores = cs.score(key, again)
    (finding,) = scores.findings
    assert finding.file == again
    assert finding.line == 2
    assert "entity 2" in finding.message and "entity 1 on line 2" in finding.message


def test_repeated_mentions_are_refused() -> None:
    for key, response in (
        (letters("ab", "a"), letters("ab")),
        (letters("ab"), letters("ab", "a")),
        (letters("aab"), letters("ab")),
    ):
        with pytest.raises(cs.InvalidInput, match=r"expected each mention once \[E203\]"):
            cs.score(key, response, duplicates="error")
    assert cs.score(KEY, KEY, duplicates="error").conll == 1


@quiet
def test_repeated_mentions_as_in_reference_scorer() -> None:
    """Specification D.2: the same span in two key entities."""
    scores = cs.score(letters("01", "023"), letters("01", "23"), duplicates="reference")
    assert scores.muc.f1 == pytest.approx(0.4)
    assert scores.b3.f1 == pytest.approx(float(Fraction(112, 169)))
    assert scores.per_document[0].metrics == scores.metrics
    assert scores.signature.split("|")[4] == "duplicates:reference"


@settings(max_examples=100)
@given(corpora())
def test_rule_for_repeats_without_repeats(
    corpus: dict[str, Document],
) -> None:
    key = {name: document[0] for name, document in corpus.items()}
    response = {name: document[1] for name, document in corpus.items()}
    first, reference = cs.score(key, response), cs.score(key, response, duplicates="reference")
    for metric in STANDARD:
        np.testing.assert_allclose(
            first.counts[metric], reference.counts[metric], rtol=1e-14, atol=0
        )
    assert cs.score(key, response, duplicates="error").metrics == first.metrics


def test_repeated_mentions_of_one_corpus() -> None:
    corpus = cs.Corpus.from_clusters({"x": letters("ab", "cb"), "y": letters("b", "bb")})
    findings = repeated_mentions(corpus)
    assert [finding.code.id for finding in findings] == ["W108"] * 3
    assert "'x'" in findings[0].message


def test_one_warning_that_points_at_the_caller() -> None:
    with pytest.warns(cs.CorefscopeWarning) as caught:
        scores = cs.score({"a": KEY, "b": KEY, "c": KEY}, {"a": KEY})
    (warning,) = caught
    assert "(and 1 more, see .findings: " in str(warning.message)
    assert warning.filename == __file__
    assert len(scores.findings) == 2
    assert not any(finding.is_error for finding in scores.findings)


def test_findings_of_the_readers_are_passed_on(tmp_path: Path) -> None:
    key = file(tmp_path, "key.conll", conll("(a)", "(1)", "(1)"))
    unended = file(tmp_path, "response.conll", conll("(a)", "(1)", "(1)").partition("#end")[0])
    with pytest.warns(cs.CorefscopeWarning, match="W103"):
        scores = cs.score(key, unended)
    assert [finding.file for finding in scores.findings] == [unended]


def test_errors_of_the_readers_are_raised(tmp_path: Path) -> None:
    with pytest.raises(cs.InvalidInput, match="E108"):
        cs.score(tmp_path / "nowhere.conll", KEY)
    broken = file(tmp_path, "broken.conll", conll("(a)", "(1", "-"))
    with pytest.raises(ValueError, match="E101"):
        cs.score(KEY, broken)


@pytest.mark.parametrize(
    "failing",
    [
        lambda: cs.score({"a": KEY}, {"b": KEY}),
        lambda: cs.score({"a": KEY, "b": KEY}, {"b": KEY}, missing="error"),
        lambda: cs.score(KEY, KEY, metrics=["accuracy"]),
    ],
)
def test_errors_can_be_sent_between_processes(failing: Callable[[], object]) -> None:
    with pytest.raises(cs.CorefscopeError) as caught:
        failing()
    sent: Any = caught.value
    received = pickle.loads(pickle.dumps(sent))
    assert type(received) is type(sent)
    assert str(received) == str(sent)
    assert getattr(received, "findings", None) == getattr(sent, "findings", None)


def test_scores_are_attributes_and_items() -> None:
    scores = cs.score(KEY, RESPONSE)
    for metric in STANDARD:
        assert getattr(scores, metric) == scores[metric] == scores.metrics[metric]
    assert scores["bcub"] == scores["B3"] == scores.b3
    assert scores["md"] == scores.mentions


def test_unknown_attributes_and_items() -> None:
    scores = cs.score(KEY, RESPONSE)
    assert not hasattr(scores, "accuracy")
    assert not hasattr(scores, "_hidden")
    with pytest.raises(LookupError, match="metric named 'accuracy'"):
        scores["accuracy"]
    with pytest.raises(LookupError):
        scores["all"]


def test_attributes_and_items_not_computed() -> None:
    scores = cs.score(KEY, RESPONSE, metrics=["b3"])
    with pytest.raises(KeyError, match="muc was not computed; computed: b3"):
        scores["muc"]
    assert not hasattr(scores, "muc")
    assert getattr(scores, "muc", None) is None


def test_a_score_holds_its_fractions() -> None:
    muc = cs.score(KEY, RESPONSE).muc
    assert (muc.recall_counts, muc.precision_counts) == ((2, 5), (2, 5))
    assert muc.parts == {}
    assert not muc.is_undefined
    assert all(type(value) is float for value in (muc.recall, muc.precision, muc.f1))
    with pytest.raises(AttributeError):
        muc.recall = 1.0  # type: ignore[misc]


def test_document_scores_in_key_order() -> None:
    key = {"z": KEY, "a": letters("01", "23")}
    scores = cs.score(key, {"a": letters("01", "23"), "z": RESPONSE})
    first, second = scores.per_document
    assert (first.document, second.document) == ("z", "a")
    assert first.metrics == cs.score(KEY, RESPONSE).metrics
    assert first.conll == cs.score(KEY, RESPONSE).conll
    assert second.conll == 1


def test_the_signature_says_which_number_this_is() -> None:
    version = ".".join(__version__.split(".")[:2])
    assert cs.score(KEY, RESPONSE).signature == (
        f"corefscope:{version}|profile:conll-2012|match:exact|singletons:keep|duplicates:first"
        "|average:micro|docs:1"
    )
    changed = cs.score({"a": KEY, "b": KEY}, {"a": KEY, "b": KEY}, profile="no-singletons")
    assert changed.signature == (
        f"corefscope:{version}|profile:no-singletons|match:exact|singletons:drop|duplicates:first"
        "|average:micro|docs:2"
    )


@quiet
def test_scores_can_be_pickled_and_copied() -> None:
    scores = cs.score({"a": KEY, "b": letters("01", "0")}, {"a": RESPONSE})
    for again in (pickle.loads(pickle.dumps(scores)), copy.copy(scores), copy.deepcopy(scores)):
        assert again.metrics == scores.metrics
        assert again.per_document == scores.per_document
        assert again.findings == scores.findings
        assert again.signature == scores.signature


def test_scoring_keeps_its_arguments() -> None:
    key, response = [["a", "b"], ["c"]], [["a"], ["b", "c"]]
    before = copy.deepcopy((key, response))
    cs.score(key, response)
    assert (key, response) == before


def test_comparison_behind_a_score() -> None:
    one, other = (cs.Corpus.from_clusters({"d": clusters}) for clusters in (KEY, RESPONSE))
    comparison = match_corpora(one, other, MatchingOptions())
    overlap = comparison.overlap("keep")
    assert overlap.n.tolist() == [2, 1, 1, 2]
    assert overlap.key_size.tolist() == [3, 4]
    assert overlap.response_size.tolist() == [2, 2, 4]
    assert overlap.transposed.transposed.n.tolist() == [2, 1, 1, 2]


def test_a_scorer_adds_documents_up() -> None:
    scorer = cs.Scorer()
    scorer.update(KEY, RESPONSE)
    scorer.update(key=letters("ab"), response=letters("ab"))
    scores = scorer.compute()
    assert scores.muc.recall_counts == (3, 6)
    assert scores.document_names == ("0", "1")
    assert scores.signature.endswith("docs:2")


def test_scorer_without_documents() -> None:
    scores = cs.Scorer().compute()
    assert {found.f1 for found in scores.metrics.values()} == {0.0}
    assert scores.conll == 0
    assert scores.per_document == []


@settings(max_examples=100)
@given(corpora())
def test_a_scorer_scores_as_score_does(corpus: dict[str, Document]) -> None:
    scorer = cs.Scorer()
    for name, document in corpus.items():
        scorer.update(*document, name)
    key = {name: document[0] for name, document in corpus.items()}
    response = {name: document[1] for name, document in corpus.items()}
    found, expected = scorer.compute(), cs.score(key, response)
    assert found.metrics == expected.metrics
    assert found.per_document == expected.per_document
    assert found.signature == expected.signature


@settings(max_examples=50)
@given(corpora())
def test_the_order_of_updates_changes_no_bit(corpus: dict[str, Document]) -> None:
    there, back = cs.Scorer(), cs.Scorer()
    for name in corpus:
        there.update(*corpus[name])
    for name in reversed(corpus):
        back.update(*corpus[name])
    assert there.compute().metrics == back.compute().metrics


@pytest.mark.parametrize("fold_at", [0, 1, 7, 40, 10**6])
def test_time_of_counting_does_not_matter(fold_at: int) -> None:
    """Many updates that cross the limit, and a computation in between."""
    random, scorer, key, response = Random(0), cs.Scorer(), {}, {}
    scorer.FOLD_AT = fold_at
    for number in range(200):
        name = f"document {number}"
        key[name], response[name] = random_side(random), random_side(random)
        scorer.update(key[name], response[name], name)
        if number == 77:
            scorer.compute()
    found, expected = scorer.compute(), cs.score(key, response)
    assert found.metrics == expected.metrics
    assert found.per_document == expected.per_document


def random_side(random: Random) -> list[list[int]]:
    """A few entities of a few of ten mentions."""
    entities: dict[int, list[int]] = {}
    for mention in random.sample(range(10), random.randint(0, 10)):
        entities.setdefault(random.randint(0, 4), []).append(mention)
    return list(entities.values())


def test_many_mentions_are_counted_as_they_come() -> None:
    scorer = cs.Scorer(metrics=["muc"])
    entity = list(range(1000))
    updates = cs.Scorer.FOLD_AT // 2000 + 10
    for _ in range(updates):
        scorer.update([entity], [entity])
    assert scorer.compute().muc.recall_counts == (updates * 999, updates * 999)


def test_one_name_may_come_twice() -> None:
    """Names tell documents apart for the reader; two epochs have the same."""
    scorer = cs.Scorer()
    for response in (letters("ab"), letters("a", "b"), letters("ab")):
        scorer.update(letters("ab"), response, "x")
    scores = scorer.compute()
    assert scores.muc.recall_counts == (2, 3)
    assert [document.document for document in scores.per_document] == ["x", "x", "x"]
    numbered = cs.Scorer()
    numbered.update(letters("ab"), letters("ab"), "1")
    numbered.update(letters("ab"), letters("ab"))
    assert numbered.compute().muc.recall_counts == (2, 2)


def test_computing_does_not_end_a_scorer() -> None:
    scorer = cs.Scorer()
    scorer.update(KEY, RESPONSE)
    first = scorer.compute()
    assert scorer.compute().metrics == first.metrics
    scorer.update(letters("ab"), letters("ab"))
    assert scorer.compute().muc.recall_counts == (3, 6)
    assert first.muc.recall_counts == (2, 5)


def test_a_scorer_can_begin_again() -> None:
    scorer = cs.Scorer(metrics=["muc"], singletons="drop")
    scorer.update(letters("ab", "c"), letters("a", "b"))
    scorer.compute()
    scorer.update(letters("ab", "c"), letters("a", "b"))
    scorer.reset()
    assert scorer.compute().document_names == ()
    scorer.update(letters("ab", "c"), letters("ab"))
    assert scorer.compute().muc.f1 == 1
    assert list(scorer.compute().metrics) == ["muc"]


def test_later_changes_of_lists() -> None:
    scorer = cs.Scorer()
    key, response = [["a", "b"], ["c"]], [["a", "b"], ["c"]]
    scorer.update(key, response)
    key[0].append("d")
    response.clear()
    assert scorer.compute().conll == 1


def test_later_changes_of_spans() -> None:
    scorer = cs.Scorer()
    spans: Any = [[[0, 1], [2, 3]]]
    scorer.update(spans, [[(0, 1), (2, 3)]])
    spans[0][0][0] = 1
    assert scorer.compute().conll == 1


def test_a_scorer_takes_iterators() -> None:
    scorer = cs.Scorer()
    scorer.update((iter(entity) for entity in KEY), map(set, RESPONSE))
    assert scorer.compute().metrics == cs.score(KEY, RESPONSE).metrics


@pytest.mark.parametrize("wrong", ["key.conll", {"document": KEY}])
def test_scorer_takes_clusters_only(wrong: Any) -> None:
    """The letters of a path are no clusters, nor are the names of documents."""
    with pytest.raises(TypeError):
        cs.Scorer().update(wrong, wrong)


def test_merging_adds_documents() -> None:
    one, other = cs.Scorer(), cs.Scorer()
    one.update(KEY, RESPONSE, "a")
    other.update(letters("ab"), letters("ab"), "b")
    one.merge(other)
    assert one.compute().document_names == ("a", "b")
    assert one.compute().muc.recall_counts == (3, 6)
    assert other.compute().document_names == ("b",)
    other.update(letters("ab"), letters("ab"))
    assert one.compute().muc.recall_counts == (3, 6)


def test_merging_nothing_or_itself() -> None:
    scorer = cs.Scorer()
    scorer.merge(cs.Scorer())
    assert scorer.compute().document_names == ()
    scorer.update(KEY, RESPONSE)
    scorer.merge(cs.Scorer())
    with pytest.raises(ValueError, match="cannot be merged into itself"):
        scorer.merge(scorer)
    assert scorer.compute().muc.recall_counts == (2, 5)


@pytest.mark.filterwarnings("ignore:4 documents")
def test_merged_documents_keep_their_names() -> None:
    one, other = cs.Scorer(), cs.Scorer()
    one.update(KEY, RESPONSE)
    other.update(KEY, RESPONSE, name="novel")
    other.update(KEY, KEY)
    one.merge(other)
    one.update(KEY, KEY)
    scores = one.compute()
    assert list(scores.document_names) == ["0", "novel", "2", "3"]
    key = dict.fromkeys(reversed(scores.document_names), KEY)
    found = cs.compare(key, {"a": scores, "b": cs.score(key, key)})
    assert found.runs["a"][0].document_names == ("3", "2", "novel", "0")
    assert found.estimates["a"]["conll"].value == scores.conll


def test_merging_different_options() -> None:
    others = cs.Scorer(metrics=["muc"]), cs.Scorer(singletons="drop"), cs.Scorer(duplicates="error")
    for other in others:
        with pytest.raises(ValueError, match="different options"):
            cs.Scorer().merge(other)


@pytest.mark.parametrize("counted", [False, True])
def test_a_scorer_can_be_pickled_and_copied(counted: bool) -> None:
    scorer = cs.Scorer(metrics=["muc", "ceafe"])
    scorer.update(KEY, RESPONSE, "a")
    if counted:
        scorer.compute()
    for again in (pickle.loads(pickle.dumps(scorer)), copy.deepcopy(scorer)):
        again.update(letters("ab"), letters("ab"), "b")
        assert again.compute().muc.recall_counts == (3, 6)
        assert scorer.compute().muc.recall_counts == (2, 5)
        again.merge(scorer)
        assert again.compute().muc.recall_counts == (5, 11)


@pytest.mark.parametrize("counted", [False, True])
def test_shallow_copy_of_a_scorer(counted: bool) -> None:
    scorer = cs.Scorer()
    scorer.update(KEY, RESPONSE)
    if counted:
        scorer.compute()
    again = copy.copy(scorer)
    again.update(letters("ab"), letters("ab"))
    assert again.compute().muc.recall_counts == (3, 6)
    assert scorer.compute().muc.recall_counts == (2, 5)


def test_a_scorer_follows_its_options() -> None:
    scorer = cs.Scorer(metrics=["b3"], profile="no-singletons")
    scorer.update(letters("ab", "c"), letters("ab", "d"))
    scores = scorer.compute()
    assert list(scores.metrics) == ["b3"]
    assert scores.b3.f1 == 1
    assert "singletons:drop" in scores.signature
    assert isinstance(scorer.options, Options)


def test_scorer_warns_of_repeated_mentions() -> None:
    scorer = cs.Scorer()
    scorer.update(letters("ab"), letters("ab", "a"), "x")
    scorer.update(letters("ab"), letters("ab", "b"), "y")
    with pytest.warns(cs.CorefscopeWarning, match=r"'x'.*and 1 more") as caught:
        scores = scorer.compute()
    assert caught[0].filename == __file__
    assert [finding.code.id for finding in scores.findings] == ["W108", "W108"]
    assert scores.conll == 1


def test_scorer_refuses_repeated_mentions() -> None:
    scorer = cs.Scorer(duplicates="error")
    with pytest.raises(cs.InvalidInput, match=r"in document 'x'.*\[E203\]"):
        scorer.update(letters("ab"), letters("ab", "a"), "x")
        scorer.compute()


@quiet
def test_scorer_counts_as_reference_scorer() -> None:
    scorer = cs.Scorer(duplicates="reference")
    scorer.update(letters("01", "023"), letters("01", "23"))
    scorer.update(letters("01"), letters("01"))
    assert scorer.compute().muc.recall_counts == (2, 4)


def test_large_partition_in_memory() -> None:
    """All metrics of 200,000 mentions, most of them right, in one document."""
    random = np.random.default_rng(0)
    key = random.integers(0, 60_000, 200_000)
    moved = random.uniform(size=len(key)) < 0.1
    response = np.where(moved, random.integers(0, 60_000, len(key)), key)
    scores = cs.score(cs.Corpus.from_arrays(key), cs.Corpus.from_arrays(response))
    assert scores.mentions.recall_counts == (200_000, 200_000)
    assert 0.8 < (scores.conll or 0) < 0.95


def test_representations_have_a_singular_and_a_plural() -> None:
    one = cs.Corpus.from_clusters({"x": [[(0, 0)]]})
    two = cs.Corpus.from_clusters({"x": [[(0, 0), (1, 1)]], "y": [[(0, 0)]]})
    assert repr(one) == "<Corpus : 1 document, 1 entity, 1 mention>"
    assert repr(two) == "<Corpus : 2 documents, 2 entities, 3 mentions>"
    assert repr(cs.score(one, one)).startswith("<Scores of 1 document, F1: ")
    assert repr(cs.score(two, two)).startswith("<Scores of 2 documents, F1: ")
    assert " on 1 document of " in repr(cs.evaluate(one, {"a": one}))


def test_a_scorer_without_documents_warns() -> None:
    with pytest.warns(cs.CorefscopeWarning, match=r"expected update\(\) first"):
        assert cs.Scorer().compute().muc.f1 == 0


def test_computing_after_every_document_joins_one_part_each_time() -> None:
    """Otherwise, the time of each step would grow with the documents before it."""
    often, once = cs.Scorer(), cs.Scorer()
    for number in range(20):
        key, response = [{"a", "b", "c"}, {"d", "e"}], [{"a", "b"}, {"c", "d"}][: 1 + number % 2]
        for scorer in (often, once):
            scorer.update(key, response)
        computed = often.compute()
        assert len(often._counts) == 1 and len(computed.document_names) == number + 1
        computed.counts["muc"][:] = 7  # What was returned is the caller's.
    assert often.compute().to_dict() == once.compute().to_dict()


@pytest.mark.parametrize("bits", [40, 55, 56, 57, 58, 62])
def test_labels_of_any_size_are_grouped(bits: int) -> None:
    """Labels are sorted together with the numbers of their rows, if both fit into 64 bits."""
    labels = [2**bits - 1 - row % 7 if row % 2 else row % 5 for row in range(100)]
    entities = cs.Corpus.from_arrays(labels)["0"].entities
    assert [entity.label for entity in entities] == [str(n) for n in sorted(set(labels))]
    assert [len(entity) for entity in entities] == [labels.count(n) for n in sorted(set(labels))]
    found = {m.start: entity.label for entity in entities for m in entity}
    assert found == {row: str(label) for row, label in enumerate(labels)}


def test_rows_are_the_tokens_of_their_own_document() -> None:
    corpus = cs.Corpus.from_arrays([7, 7, 7, -1, 8], document=[1, 0, 1, 0, 0])
    assert corpus.entity_document.tolist() == [0, 0, 1] and list(corpus.entity_labels) == [
        "7",
        "8",
        "7",
    ]
    assert corpus.mention_spans.tolist() == [[0, 0], [2, 2], [0, 0], [1, 1]]


def test_documents_of_arrays_have_no_large_gaps() -> None:
    for names in (None, list[str]()):
        with pytest.raises(ValueError, match="up to 1,000,000,000 in 2 rows"):
            cs.Corpus.from_arrays([1, 2], document=[0, 10**9], document_names=names)
    # So many names would fill the memory.
    with pytest.raises(ValueError, match="index into document_names"):
        cs.Corpus.from_arrays([1], document=[2**62], document_names=["a"])
    assert cs.Corpus.from_arrays([1], document=[1], document_names=[]).document_names == ("0", "1")
