"""Scores written as JSON and read back: the same counts, or a refusal that says why."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from msgspec.structs import replace

import corefscope as cs
from corefscope.choices import Duplicates
from corefscope.demo import KEY, RESPONSES
from corefscope.exceptions import InvalidInput, UnknownName
from corefscope.inputs import is_result
from corefscope.metrics import METRICS
from corefscope.options import Options, make_options
from corefscope.profiles import PROFILES, Profile
from corefscope.results.record import as_json
from corefscope.scoring.measure import score_corpora
from corefscope.scoring.record import score_result
from corefscope.scoring.scores import Scores
from corefscope.scoring.stored import key_digest, stored_scores, stored_system
from corefscope.scoring.stored_reading import read_result
from metric_groups import ANTECEDENTS, OVERLAP_METRICS
from random_words import random_pair
from strategies import Document, corpora

ALL = ",".join(id for id, metric in METRICS.items() if metric.is_ours)
COUNTED = tuple(OVERLAP_METRICS)
EXACT = [
    name
    for name, profile in PROFILES.items()
    if profile.match == "exact" and not profile.scorer.pairs_itself and profile.window is None
]
"""Profiles that need neither heads of mentions nor markables nor lengths of documents."""


def sides(corpus: dict[str, Document]) -> tuple[cs.Corpus, cs.Corpus]:
    key, response = (
        cs.Corpus.from_clusters({name: pair[side] for name, pair in corpus.items()})
        for side in range(2)
    )
    return key, response


class Scored(NamedTuple):
    name: str
    path: str
    scores: Scores


def written(*scores: Scores, folder: Path, per_document: bool = True) -> str:
    """The path of a file of results; systems are s0, s1 and so on."""
    systems = [Scored(f"s{i}", f"s{i}.conll", each) for i, each in enumerate(scores)]
    path = folder / "result.json"
    result = score_result("key", systems, per_document=per_document)
    path.write_text(as_json(result), encoding="utf-8")
    return str(path)


def check_same(found: Scores, scores: Scores) -> None:
    assert list(found.counts) == list(scores.counts)
    for id, counts in scores.counts.items():
        assert found.counts[id].dtype == np.float64
        assert np.array_equal(found.counts[id], counts), id
    assert found.document_names == tuple(scores.document_names)
    assert (found.missing, found.extra) == (tuple(scores.missing), tuple(scores.extra))
    assert found.signature == scores.signature
    assert found.metrics == scores.metrics
    assert found.per_document == scores.per_document
    assert found.conll == scores.conll


@pytest.mark.parametrize("profile", EXACT)
@settings(max_examples=30)
@given(corpora())
def test_what_is_read_back_has_the_same_counts(profile: str, corpus: dict[str, Document]) -> None:
    key, response = sides(corpus)
    options = make_options(metrics=COUNTED, profile=profile)
    scores = score_corpora(key, response, options)
    with tempfile.TemporaryDirectory() as folder:
        path = written(scores, folder=Path(folder))
        assert is_result(path)
        check_same(stored_scores(path, None, key, options), scores)


@pytest.mark.parametrize("profile", EXACT)
@pytest.mark.parametrize("name", RESPONSES)
def test_all_metrics_of_the_demo_are_read_back(name: str, profile: str, tmp_path: Path) -> None:
    """With those that need words."""
    key, response = cs.read(KEY), cs.read(RESPONSES[name])
    options = make_options(metrics=ALL, profile=profile)
    scores = score_corpora(key, response, options)
    assert set(scores.counts) == {*COUNTED, *ANTECEDENTS, "mor", "zero"}
    path = written(scores, folder=tmp_path)
    check_same(stored_scores(path, None, key, options), scores)
    (system,) = read_result(path)
    assert system.f1 == {id: s.f1 for id, s in scores.metrics.items()} | {"conll": scores.conll}


@pytest.mark.parametrize("profile", ["corefud", "crac-2022", "crac-2023"])
@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_scores_of_random_words_are_read_back(profile: str, tmp_path: Path) -> None:
    """With empty nodes, heads and mentions with gaps."""
    options = make_options(metrics="corefud", profile=profile)
    for seed in range(10):
        key, response = random_pair(Random(seed))
        scores = score_corpora(key, response, options)
        path = written(scores, folder=tmp_path)
        check_same(stored_scores(path, None, key, options), scores)


def test_some_of_the_metrics_can_be_asked_for(tmp_path: Path) -> None:
    key, response = cs.read(KEY), cs.read(RESPONSES["sieve"])
    scores = score_corpora(key, response, make_options())
    path = written(scores, folder=tmp_path)
    found = stored_scores(path, None, key, make_options(metrics="lea,muc"))
    assert list(found.counts) == ["muc", "lea"] and found.muc == scores.muc
    assert found.conll is None
    with pytest.raises(InvalidInput, match=r"metrics.*\bvi\b.*E502"):
        stored_scores(path, None, key, make_options(metrics="muc,vi"))


@pytest.mark.parametrize("documents", [0, 1, 348])
@pytest.mark.parametrize("duplicates", ["first", "error", "reference"])
@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_a_signature_tells_the_whole_protocol(
    profile: Profile, duplicates: Duplicates, documents: int
) -> None:
    chosen = replace(profile, duplicates=duplicates)
    found = Profile.of_signature(chosen.signature(documents))
    assert found == chosen
    assert found.signature(documents) == chosen.signature(documents)


def test_profile_by_signature() -> None:
    options = make_options(profile="macro", singletons="drop")
    found = Profile.of_signature(options.profile.signature(7))
    assert found.name == "custom" and found.signature(7) == options.profile.signature(7)
    for id in METRICS:
        assert found.singleton_rule(id) == "drop"
    assert (found.average, found.blanc) == ("macro", "key")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("singletons:keep", "singletons:hide"),
        ("singletons:keep", "singletons:keep,ceafe"),
        ("singletons:keep", "singletons:keep,ceafe=hide"),
        ("duplicates:first", "duplicates:last"),
        ("average:micro", "average:mean"),
        ("|average:micro", ""),
        ("profile:", "prof:"),
        ("corefscope:", "scorer:"),
        ("|docs", "|blanc:none|docs"),
    ],
)
def test_other_signature_is_refused(old: str, new: str, tmp_path: Path) -> None:
    signature = PROFILES["conll-2012"].signature(1)
    assert old in signature
    with pytest.raises((ValueError, LookupError)):
        Profile.of_signature(signature.replace(old, new))
    record = demo_record(tmp_path)
    record["systems"][0]["signature"] = record["systems"][0]["signature"].replace(old, new)
    check_refused(record, tmp_path)


# Damaged files


def demo_record(folder: Path) -> dict[str, Any]:
    scores = score_corpora(cs.read(KEY), cs.read(RESPONSES["sieve"]), make_options(metrics=COUNTED))
    record: dict[str, Any] = json.loads(Path(written(scores, folder=folder)).read_text())
    return record


def check_refused(record: object, folder: Path, code: str = "E502") -> None:
    path = folder / "broken.json"
    path.write_text(json.dumps(record))
    with pytest.raises(InvalidInput, match=code) as refused:
        read_result(str(path))
    (finding,) = refused.value.findings
    assert finding.file == str(path)


@pytest.mark.parametrize("id", COUNTED)
def test_a_total_that_was_changed_is_refused(id: str, tmp_path: Path) -> None:
    record = demo_record(tmp_path)
    record["systems"][0]["metrics"][id]["f1"] += 1e-6
    check_refused(record, tmp_path)


@pytest.mark.parametrize("id", COUNTED)
def test_a_count_that_was_changed_is_refused(id: str, tmp_path: Path) -> None:
    record = demo_record(tmp_path)
    metric = record["systems"][0]["per_document"][3]["metrics"][id]
    if METRICS[id].is_mean:
        metric = metric["coreference"]
    metric["recall_counts"][0] += 1
    check_refused(record, tmp_path)


def test_changed_conll_score_is_refused(tmp_path: Path) -> None:
    record = demo_record(tmp_path)
    record["systems"][0]["conll"] -= 1e-6
    check_refused(record, tmp_path)


def _without(*places: str | int) -> Callable[[dict[str, Any]], None]:
    def change(system: dict[str, Any]) -> None:
        place: Any = system
        for step in places[:-1]:
            place = place[step]
        del place[places[-1]]

    return change


def _with(value: object, *places: str | int) -> Callable[[dict[str, Any]], None]:
    def change(system: dict[str, Any]) -> None:
        place: Any = system
        for step in places[:-1]:
            place = place[step]
        place[places[-1]] = value

    return change


@pytest.mark.parametrize(
    "change",
    [
        _without("name"),
        _without("metrics"),
        _without("conll"),
        _without("signature"),
        _without("documents"),
        _without("documents", "extra"),
        _without("per_document", 2),
        _without("per_document", 2, "document"),
        _without("per_document", 2, "metrics", "b3"),
        _without("per_document", 2, "metrics", "b3", "precision_counts"),
        _without("per_document", 2, "metrics", "blanc", "non_coreference"),
        _without("per_document", 2, "metrics", "rand", "coverage"),
        _with([1], "per_document", 2, "metrics", "b3", "recall_counts"),
        _with([1, 2, 3], "per_document", 2, "metrics", "b3", "recall_counts"),
        _with(["a", "b"], "per_document", 2, "metrics", "b3", "recall_counts"),
        _with([None, 1], "per_document", 2, "metrics", "b3", "recall_counts"),
        _with([float("nan"), 1], "per_document", 2, "metrics", "muc", "recall_counts"),
        _with([10**400, 1], "per_document", 2, "metrics", "muc", "recall_counts"),
        _with(None, "metrics", "muc", "f1"),
        _with(float("nan"), "metrics", "muc", "f1"),
        _with(float("nan"), "metrics", "vi", "f1"),
        _with(float("nan"), "conll"),
        _with("none", "conll"),
        _with([], "per_document"),
        _with(7, "per_document"),
        _with([7], "per_document"),
        _with(None, "metrics"),
        _with({"muc": 7}, "metrics"),
    ],
)
def test_a_damaged_record_is_refused(
    change: Callable[[dict[str, Any]], None], tmp_path: Path
) -> None:
    record = demo_record(tmp_path)
    read_result(str(tmp_path / "result.json"))
    change(record["systems"][0])
    check_refused(record, tmp_path)


@pytest.mark.parametrize("record", [[], 7, None, {}, {"systems": None}, {"systems": [None]}])
def test_other_json_is_refused(record: object, tmp_path: Path) -> None:
    check_refused(record, tmp_path)


@pytest.mark.parametrize("data", [b"", b"{", b'{"systems": "\xff"}', b"[" * 100_000])
def test_what_is_no_json_is_refused(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_bytes(data)
    with pytest.raises(InvalidInput, match="not JSON"):
        read_result(str(path))
    with pytest.raises(InvalidInput, match="nothing"):
        read_result(str(tmp_path / "nothing.json"))


def test_scores_of_documents_are_required(tmp_path: Path) -> None:
    key, options = cs.read(KEY), make_options()
    scores = score_corpora(key, cs.read(RESPONSES["sieve"]), options)
    path = written(scores, folder=tmp_path, per_document=False)
    (system,) = read_result(path)
    assert system.scores is None and system.f1["muc"] == scores.muc.f1
    with pytest.raises(InvalidInput, match=r"the scores of each document.*E502"):
        stored_scores(path, None, key, options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (make_options(profile="macro"), "signature"),
        (make_options(singletons="drop"), "signature"),
        (make_options(duplicates="reference"), "signature"),
    ],
)
def test_another_protocol_is_refused(options: Options, message: str, tmp_path: Path) -> None:
    key = cs.read(KEY)
    path = written(score_corpora(key, cs.read(RESPONSES["sieve"]), make_options()), folder=tmp_path)
    with pytest.raises(InvalidInput, match=f"{message}.*E502"):
        stored_scores(path, None, key, options)


def test_another_key_is_refused(tmp_path: Path) -> None:
    options = make_options()
    key = {"a": [[1, 2], [3]], "b": [[1, 2, 3]]}
    scores = score_corpora(
        cs.Corpus.from_clusters(key), cs.Corpus.from_clusters({"a": [[1, 2]]}), options
    )
    path = written(scores, folder=tmp_path)
    for other, message in (
        ({"a": key["a"], "c": key["b"]}, "other documents"),
        ({"a": key["a"]}, "signature"),
        ({"a": key["a"], "b": [[1, 2], [3]]}, "another key"),
        ({"a": key["b"], "b": key["a"]}, "another key"),
    ):
        with pytest.raises(InvalidInput, match=f"{message}.*E502"):
            stored_scores(path, None, cs.Corpus.from_clusters(other), options)
    check_same(stored_scores(path, None, cs.Corpus.from_clusters(key), options), scores)


def test_documents_are_paired_by_name(tmp_path: Path) -> None:
    """The order of documents in the key does not matter, nor does it to its digest."""
    options = make_options()
    key = {"a": [[1, 2], [3]], "b": [[1, 2, 3]]}
    turned = {"b": key["b"], "a": key["a"]}
    gold, other = (cs.Corpus.from_clusters(each) for each in (key, turned))
    response = cs.Corpus.from_clusters({"a": [[1, 2]], "b": [[1, 3]]})
    path = written(score_corpora(gold, response, options), folder=tmp_path)
    found = stored_scores(path, None, other, options)
    assert list(found.document_names) == ["b", "a"]
    check_same(found, score_corpora(other, response, options))
    assert key_digest(gold) == key_digest(other)


def test_a_system_is_found_by_name(tmp_path: Path) -> None:
    key = cs.read(KEY)
    both = [score_corpora(key, cs.read(RESPONSES[n]), make_options()) for n in ("sieve", "recency")]
    path = written(*both, folder=tmp_path)
    for name, scores in zip(("s0", "s1"), both, strict=True):
        check_same(stored_scores(path, name, key, make_options()), scores)
    with pytest.raises(UnknownName, match="did you mean"):
        stored_system(path, "s2")
    with pytest.raises(UnknownName):
        stored_system(path, None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"corefscope": "0.1"}', True),
        ('\ufeff {\n\t"corefscope": "0.1"}', True),
        ('{"doc_key": "corefscope"}', False),
        ('{"a": [[["corefscope"]]]}', False),
        ("#begin document corefscope", False),
        ("", False),
    ],
)
def test_results_are_told_from_other_files(text: str, expected: bool, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text(text, encoding="utf-8")
    assert is_result(str(path)) is expected
    assert not is_result(str(tmp_path)) and not is_result("-") and not is_result("\0")


def test_text_that_is_not_json(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_text('{"corefscope": "1",\n "systems": [}')
    with pytest.raises(InvalidInput, match=r"results\.json:2: not JSON: .* in column 14; .*E111"):
        read_result(str(path))
