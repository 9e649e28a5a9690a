"""Annotators of the same texts: pairs, documents, tokens, disputes, and bad input."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import corefscope as cs
from commands import Command
from corefscope.findings import Code

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT.parent / "shared" / "cases" / "corpora" / "cases.jsonl"
GERDRACOR = ROOT.parent / "shared" / "data" / "gerdracor"
EXAMPLES = ROOT / "docs" / "examples" / "annotators"
THREE = {name: EXAMPLES / f"{name}.jsonl" for name in ("anna", "ben", "carla")}
quiet = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")


def cases() -> Iterator[dict[str, Any]]:
    if CASES.exists():
        for line in CASES.read_text("utf-8").splitlines():
            case = json.loads(line)
            if case["kind"] == "agreement":
                yield case


def annotators_of(case: dict[str, Any]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for document, annotated in case["documents"].items():
        for name, clusters in annotated.items():
            found.setdefault(name, {})[document] = clusters
    return dict(sorted(found.items()))


@quiet
@pytest.mark.parametrize("case", list(cases()), ids=lambda case: str(case["id"]))
def test_shared_cases(case: dict[str, Any], tmp_path: Path) -> None:
    given = annotators_of(case)
    paths = []
    for name, documents in given.items():
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(documents), encoding="utf-8")
        paths.append(str(path))
    for unmarked, alpha in case["alpha"].items():
        result = cs.agree(given, unmarked=unmarked)
        printed = Command("agree").run(*paths, "--unmarked", unmarked, "--format", "json").stdout
        written = json.loads(printed)
        for distance, expected in alpha.items():
            for value in (getattr(result.alpha, distance), written["alpha"][distance]):
                assert value == (expected and pytest.approx(expected, abs=1e-9))
        assert dict(result.mean) == pytest.approx(case["mean_f1"], abs=1e-9)
        assert written["mean"] == pytest.approx(case["mean_f1"], abs=1e-9)
        for pair, record in zip(result, written["pairs"], strict=True):
            figures = dict(case["pairs"][pair.a + pair.b])
            assert pair.conll == pytest.approx(figures.pop("conll"), abs=1e-9)
            for id, expected in figures.items():
                score = pair.metrics[id]
                found = [score.recall, score.precision, score.f1]
                same = [record["metrics"][id][name] for name in ("recall", "precision", "f1")]
                assert found == same == pytest.approx(expected, abs=1e-9)


@quiet
def test_swapped_annotators_swap_recall_and_precision() -> None:
    one, other = cs.agree(THREE), cs.agree(dict(reversed(THREE.items())))
    assert [(pair.a, pair.b) for pair in one] == [
        ("anna", "ben"),
        ("anna", "carla"),
        ("ben", "carla"),
    ]
    assert [(pair.a, pair.b) for pair in other] == [
        ("carla", "ben"),
        ("carla", "anna"),
        ("ben", "anna"),
    ]
    pair, swapped = one["anna", "ben"], other["anna", "ben"]
    for id, score in pair.metrics.items():
        assert (score.recall, score.precision) == (
            swapped.metrics[id].precision,
            swapped.metrics[id].recall,
        )
    counts, reverse = one.disagreements["anna", "ben"], other.disagreements["ben", "anna"]
    assert (counts.only_in_a, counts.one_in_a) == (reverse.only_in_b, reverse.one_in_b)
    assert counts.boundaries == reverse.boundaries
    listed = {(each.kind, each.in_a, each.in_b) for each in one.listed if each.b == "ben"}
    assert listed == {
        (each.kind, each.in_b, each.in_a)
        for each in other.listed
        if (each.a, each.b) == ("ben", "anna")
    }


def shrunk(corpus: cs.Corpus) -> cs.Corpus:
    """The same mentions, but each only its head."""
    heads = corpus.mention_heads
    assert heads is not None
    spans = np.stack([heads, heads], axis=1)
    return replace(corpus, mention_spans=spans, mention_parts={}, _index={})


@quiet
@pytest.mark.parametrize("profile", ["corefud", "no-singletons", "macro", "coval"])
def test_the_order_does_not_matter_under_other_profiles(profile: str) -> None:
    (path,) = (ROOT / "docs" / "samples" / "corefud").glob("*.conllu")
    whole = cs.read(path)
    some = np.arange(len(whole.mention_entity)) % 3 > 0
    given = {"zoe": shrunk(whole), "anna": whole, "mia": whole.with_mentions(some)}
    found = cs.agree(given, profile=profile)
    other = cs.agree(dict(reversed(given.items())), profile=profile)
    assert found.mean == other.mean and found.alpha == other.alpha
    assert found.signature == other.signature
    is_by_head = profile == "corefud"
    assert (found["zoe", "anna"].metrics["muc"].f1 == 1) == is_by_head
    assert (found["zoe", "anna"].boundaries.f1 == 1) == is_by_head


def test_a_document_of_some_annotators_is_scored_over_those() -> None:
    with pytest.warns(cs.CorefscopeWarning, match="W510"):
        found = cs.agree(THREE)
    assert len(found["anna", "ben"].documents) == 3
    assert len(found["anna", "carla"].documents) == 2
    assert {each.document: list(each.annotators) for each in found.documents}["strike"] == [
        "anna",
        "ben",
    ]
    assert found.mentions.by_all > found.mentions.marked_by[-1]
    (finding,) = found.findings
    assert finding.code is Code.SOME_ANNOTATED and "1 of 3 documents" in finding.message


def test_annotators_who_share_nothing_with_one_but_with_another() -> None:
    document = [{(0, 0), (1, 1)}]
    given = {
        "anna": {"x": document},
        "ben": {"x": document, "y": document},
        "carla": {"y": document},
    }
    with pytest.warns(cs.CorefscopeWarning):
        found = cs.agree(given)
    assert [(pair.a, pair.b) for pair in found] == [("anna", "ben"), ("ben", "carla")]
    assert any("share no document" in finding.message for finding in found.findings)
    with pytest.raises(cs.UnknownName, match="pair of annotators"):
        found["anna", "carla"]


def test_documents_of_one_annotator_are_left_out() -> None:
    both, one = [{(0, 0), (1, 1)}], [{(0, 0), (5, 5)}]
    with pytest.warns(cs.CorefscopeWarning, match="left out"):
        found = cs.agree({"anna": {"x": both, "only": one}, "ben": {"x": [{(0, 0), (2, 2)}]}})
    assert found.mentions.marked_by == [2, 1]
    assert found.compared == 1


def test_what_is_disputed() -> None:
    anna = [{"a", "b", "c"}, {"d", "e"}, {"f"}]
    ben = [{"a", "b", "c"}, {"d"}, {"e"}]
    found = cs.agree({"anna": anna, "ben": ben})
    counts = found.disagreements["anna", "ben"]
    assert (counts.boundaries, counts.one_in_a, counts.one_in_b) == (0, 1, 0)
    assert (counts.only_in_a, counts.only_in_b) == (1, 0)
    disputed = found.disputed_entities()
    assert [(each.annotator, each.mentions, each.b3) for each in disputed] == [
        ("anna", 1, 0.0),
        ("anna", 2, 0.5),
    ]
    assert [(each.kind, each.in_a, each.in_b) for each in found.listed] == [
        ("entities", "d (2 mentions)", "d (1 mention); e (1 mention)"),
        ("marked_by_one", "f", None),
    ]


@quiet
def test_counts_and_list_agree() -> None:
    found = cs.agree(THREE)
    for (a, b), counts in found.disagreements.items():
        own = [each for each in found.listed if (each.a, each.b) == (a, b)]
        by_kind = [sum(each.kind == kind for each in own) for kind in ("boundaries", "entities")]
        assert by_kind == [counts.boundaries, counts.one_in_a + counts.one_in_b]
        alone = [each for each in own if each.kind == "marked_by_one"]
        assert sum(each.in_b is None for each in alone) == counts.only_in_a
        assert sum(each.in_a is None for each in alone) == counts.only_in_b
        # Every mention is common, differs in its boundaries, or was marked by one only.
        common, marked = found[a, b].boundaries.recall_counts
        assert marked == common + counts.boundaries + counts.only_in_a


def test_what_people_see_of_it() -> None:
    found = cs.agree({"anna": [{"a", "b"}], "ben": [{"a", "b", "c"}]})
    assert repr(found) == (
        "<Agreement of 2 annotators on 1 document: mean conll 69.40, alpha -0.500 (passonneau), "
        "-0.500 (masi)>"
    )
    assert "<td>mean</td>" in found._repr_html_()
    figures = found.to_dict()
    assert figures["anna/ben/muc"] == figures["mean/muc"] == pytest.approx(2 / 3)
    assert {"alpha/passonneau", "alpha/masi"} <= figures.keys()
    assert list(dict.fromkeys(found.to_frame()["a"])) == ["anna", "mean", "all"]


# ---- Tokens and names ----


def jsonl(words: list[list[str]], clusters: list[list[list[int]]], name: str = "d") -> str:
    return json.dumps({"doc_key": name, "sentences": words, "clusters": clusters}) + "\n"


def files(folder: Path, **texts: str) -> dict[str, Path]:
    found = {}
    for name, text in texts.items():
        found[name] = folder / f"{name}.jsonl"
        found[name].write_text(text, encoding="utf-8")
    return found


WORDS = [["Ann", "saw", "her", "mother-in-law", "and", "she", "waved", "."]]
FINER = [["Ann", "saw", "her", "mother", "-", "in", "-", "law", "and", "she", "waved", "."]]


def test_tokens_are_those_of_the_finest_text(tmp_path: Path) -> None:
    given = files(
        tmp_path,
        anna=jsonl(WORDS, [[[2, 3], [5, 5]]]),
        ben=jsonl(FINER, [[[2, 7], [9, 9]]]),
        carla=jsonl(WORDS, [[[2, 3], [5, 5]], [[0, 0]]]),
    )
    with pytest.warns(cs.CorefscopeWarning, match="tokens of ben"):
        found = cs.agree(given)
    assert found["anna", "ben"].conll == 1
    assert found["ben", "carla"].metrics["mentions"].f1 == pytest.approx(0.8)
    assert found.mentions.marked_by == [1, 0, 2]


def test_different_texts_are_refused(tmp_path: Path) -> None:
    other = [["Bob", "met", "a", "friend", "or", "he", "slept", "."]]
    given = files(
        tmp_path, anna=jsonl(WORDS, [[[2, 3], [5, 5]]]), ben=jsonl(other, [[[2, 3], [5, 5]]])
    )
    with pytest.raises(cs.InvalidInput, match=r"7 of 8 differ.*\[E202\]"):
        cs.agree(given)
    longer = [[*other[0], "The", "end", "."]]
    given["ben"].write_text(jsonl(longer, [[[2, 3], [5, 5]]]), encoding="utf-8")
    with pytest.raises(cs.InvalidInput, match="E202"):
        cs.agree(given)
    given["ben"].write_text(jsonl(other, [[[2, 3]]], "another"), encoding="utf-8")
    with pytest.raises(cs.InvalidInput, match="ben has no document that another annotator has"):
        cs.agree(given)


def test_names_that_differ_only_in_spelling_are_paired(tmp_path: Path) -> None:
    clusters = [[[2, 3], [5, 5]]]
    given = files(
        tmp_path, anna=jsonl(WORDS, clusters, "x/d"), ben=jsonl(WORDS, [[[0, 0], [5, 5]]], "d")
    )
    with pytest.warns(cs.CorefscopeWarning, match="of anna, whose name differs"):
        found = cs.agree(given)
    assert len(found.documents) == 1


def test_an_answer_of_a_language_model_is_an_annotator(tmp_path: Path) -> None:
    given: dict[str, Any] = {**files(tmp_path, anna=jsonl(WORDS, [[[2, 3], [5, 5]]]))}
    given["model"] = {"d": "Ann saw [her mother-in-law](#1) and [she](#1) waved ."}
    with pytest.warns(cs.CorefscopeWarning, match="anna and model have the same entities"):
        found = cs.agree(given)
    assert found.mean["conll"] == 1


def test_documents_are_paired_by_position() -> None:
    given = {
        "anna": {"one": [{(0, 0), (1, 1)}], "two": [{(2, 2), (3, 3)}]},
        "ben": {"x": [{(0, 0), (1, 1)}], "y": [{(2, 2), (4, 4)}]},
    }
    with pytest.warns(cs.CorefscopeWarning, match="whose name differs; paired in the same way: 1"):
        found = cs.agree(given, pair_by="position")
    assert found.texts.documents == ["one", "two"]
    assert "|pair_by:position|" in found.signature
    with pytest.raises(cs.InvalidInput, match="E201"):
        cs.agree({**given, "ben": {"x": []}}, pair_by="position")


def test_the_same_name_of_different_texts_is_not_the_same_document(tmp_path: Path) -> None:
    other = [["Bob", "met", "a", "friend", "or", "he", "slept", "."]]
    both = jsonl(WORDS, [[[2, 3], [5, 5]]], "one") + jsonl(other, [[[0, 0], [5, 5]]], "two")
    swapped = jsonl(other, [[[0, 0], [5, 5]]], "one")
    given = files(tmp_path, anna=both, ben=swapped, carla=both)
    with pytest.warns(cs.CorefscopeWarning):
        found = cs.agree(given, pair_by="text")
    assert found["anna", "ben"].documents == ("two",)
    given = files(tmp_path, anna=jsonl(WORDS, [[[2, 3]]], "one"), ben=swapped, carla=both)
    with pytest.warns(cs.CorefscopeWarning):
        found = cs.agree(given, pair_by="text")
    assert sorted((pair.a, pair.b) for pair in found) == [("anna", "carla"), ("ben", "carla")]


def test_gaps_and_ids_that_name_tokens_are_compared() -> None:
    gap = {"d": [[((0, 1), (3, 3)), (5, 5)]]}
    plain = {"d": [[(0, 1), (5, 5)]]}
    with pytest.warns(cs.CorefscopeWarning, match="a and c have the same"):
        found = cs.agree({"a": gap, "b": plain, "c": gap})
    assert found.mentions.marked_by == [1, 1, 1]
    with pytest.warns(cs.CorefscopeWarning, match="have the same"):
        assert cs.agree({"a": plain, "b": {"d": [["0-1", "5-5"]]}}).mean["b3"] == 1


# ---- What is refused ----


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"match": "partial"}, "treats key and response differently"),
        ({"profile": "e2e"}, "one side only"),
        ({"profile": "crac-2022"}, "treats key and response differently"),
    ],
)
def test_rules_that_take_sides_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        cs.agree({"a": [{"x"}], "b": [{"x"}]}, **options)


def test_bad_arguments() -> None:
    with pytest.raises(ValueError, match="found 1 annotator; expected two or more"):
        cs.agree({"anna": [{"a", "b"}]})
    with pytest.raises(ValueError, match="found no annotator"):
        cs.agree({})
    with pytest.raises(TypeError, match="expected a dict"):
        cs.agree([[{"a"}], [{"a"}]])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="unexpected keyword argument 'missing'"):
        cs.agree({"a": [{"x"}], "b": [{"x"}]}, missing="error")  # type: ignore[call-arg]
    with pytest.raises(cs.UnknownName, match="choice of unmarked"):
        cs.agree({"a": [{"x"}], "b": [{"x"}]}, unmarked="alone")  # type: ignore[arg-type]


def test_copies_and_empty_annotators_are_reported() -> None:
    with pytest.warns(cs.CorefscopeWarning, match=r"anna and ben have the same entities.*W508"):
        cs.agree({"anna": [{"a", "b"}], "ben": [{"b", "a"}], "carla": [{"a"}]})
    with pytest.warns(cs.CorefscopeWarning, match="W116"):
        found = cs.agree({"anna": {"d": [{"a", "b"}]}, "ben": {"d": []}})
    assert found.alpha.masi is None and found.mean["conll"] == 0
    assert found.mentions.marked_by == [2, 0]


# ---- Real annotators ----


@pytest.mark.skipif(not GERDRACOR.exists(), reason="no GerDraCor beside this checkout")
@quiet
def test_gerdracor() -> None:
    given = {name: GERDRACOR / f"Emilia-{name}.conll.gz" for name in ("IV", "LF", "SE")}
    found = cs.agree(given)
    assert [round(100 * (pair.conll or 0), 2) for pair in found] == [87.07, 59.83, 58.78]
    assert found.mentions.marked_by == [324, 203, 852]
    assert round(found.alpha.masi or 0, 3) == 0.302
    assert cs.agree(GERDRACOR).mean == found.mean
