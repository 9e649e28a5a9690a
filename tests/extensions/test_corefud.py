"""The CorefUD scorer's figures: own documents for its faults, and all published cases."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import corefscope as cs
from corefscope.extensions.corefud_scorer.printing import as_corefud_scorer
from corefscope.findings import Code
from corefscope.matching import stages
from corefscope.matching.overlap import Floats
from corefscope.metrics import METRICS
from corefscope.official import changed_figures
from corefud_text import corefud, corpus_of
from metric_groups import COREFUD

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases" / "corefud" / "corefud"
needs_cases = pytest.mark.skipif(not CASES.exists(), reason="no cases beside this checkout")
quiet = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
pytestmark = quiet
FAULTS = {
    "collision": "takes zeros for others",
    "duplicate": "counts mentions of two entities",
    "tie": "equally good",
}


def scores(key: str, response: str, **options: Any) -> cs.Scores:
    """The official scores, singletons kept unless it is said otherwise."""
    chosen = {"profile": "corefud", "metrics": "corefud", "singletons": "keep", **options}
    return cs.score(corpus_of(key), corpus_of(response), **chosen)


def codes(found: cs.Scores) -> list[str]:
    return [finding.code.id for finding in found.findings]


# ---- Own documents ----

ZEROS = corefud("1:(a--1-) 1.1:(a--1-):1:nsubj 2:(b--1-) 2.1:(b--1-):2:nsubj 3")
SHIFTED = corefud("1:(a--1-) 1.1::3:obj 2:(b--1-) 2.1:(a--1-):1:nsubj 3 3.1:(b--1-):2:nsubj")


def test_zeros_one_place_further_are_the_same_zeros() -> None:
    """All are paired rightly; the scorer looks up by position, and finds the wrong ones."""
    official = scores(ZEROS, SHIFTED)
    clean = cs.score(
        corpus_of(ZEROS), corpus_of(SHIFTED), match="head", zeros="dependent", metrics="corefud"
    )
    assert clean.conll == 1.0 and clean["zero"].f1 == 1.0
    assert codes(official) == ["W220"]
    # The key's zero of b is looked up at 1.1, where the response has nothing: the entry for the
    # response's zero of a, which stands at the same place, has replaced its own.
    assert (official.muc.recall_counts, official.muc.precision_counts) == ((1, 2), (2, 2))
    # In the zero score it is taken for the response's zero of a; the one of b is spurious.
    assert official["zero"].recall_counts == (1, 2)
    assert official["zero"].precision_counts == (1, 3)
    assert official["mor"].f1 == clean["mor"].f1
    message = official.findings[0].message
    assert "instead of 100.00" in message and "MUC" in message and "MOR" not in message


def test_swapped_zeros_change_the_zero_score_only() -> None:
    """The scorer finds an equal mention before it looks for the partner, in the zero score only."""
    key = corefud("1:(a--1-) 2:(b--1-) 2.1:(a--1-):1:nsubj 3 3.1:(b--1-):2:nsubj")
    swapped = corefud("1:(a--1-) 2:(b--1-) 2.1:(b--1-):2:nsubj 3 3.1:(a--1-):1:nsubj")
    official = scores(key, swapped)
    assert official.conll == 1.0
    assert official["zero"].f1 == 0.0
    assert codes(official) == ["W220"]
    assert scores(key, key)["zero"].f1 == 1.0
    assert codes(scores(key, key)) == []


def test_a_mention_of_two_entities_is_found_in_the_later_one() -> None:
    """Identical files do not score 100."""
    text = corefud("1:(a--1-)(b--1-) 2:(a--1-) 3:(b--1-)")
    official = scores(text, text)
    assert (official.muc.f1, official.b3.f1, official.lea.f1) == (0.5, 0.75, 0.5)
    assert (official.ceafe.f1, official.ceafm.f1) == (1.0, 1.0)
    assert codes(official) == ["W108", "W108", "W220"]
    assert "it counts in both" in official.findings[0].message
    clean = cs.score(corpus_of(text), corpus_of(text), match="head")
    assert clean.conll == 1.0


def test_a_copy_in_its_own_entity_counts_once() -> None:
    twice = corefud("1:(a--1-)(a--1-) 2:(a--1-)")
    once = corefud("1:(a--1-) 2:(a--1-)")
    official = scores(twice, once)
    assert official.conll == 1.0 and codes(official) == ["W108"]
    assert "the first is kept" in official.findings[0].message


def test_singletons_by_the_entities_of_the_scorer() -> None:
    """b is a copy and a singleton for us; the scorer keeps it as an entity of two mentions."""
    key = corefud("1:(a--1-)(b--1-) 2:(b--1-)")
    official = scores(key, key, singletons="drop")
    assert official.muc.recall_counts == (1, 1)
    clean = cs.score(corpus_of(key), corpus_of(key), match="head", singletons="drop")
    assert clean.muc.recall_counts == (0, 0)


def test_ties_are_broken_as_by_the_solver() -> None:
    """Two zeros with the same parents on each side: who is whose partner is open."""
    key = corefud("1:(a--1-) 1.1:(a--1-):2:nsubj 1.2:(b--1-):2:nsubj 2:(b--1-) 3")
    response = corefud("1:(a--1-) 2:(b--1-) 2.1:(a--1-):2:nsubj 2.2:(b--1-):2:nsubj 3")
    official = scores(key, response)
    clean = cs.score(
        corpus_of(key), corpus_of(response), match="head", zeros="dependent", metrics="corefud"
    )
    assert clean.conll == 1.0
    assert set(codes(official)) <= {"W220"}
    assert (official.conll == 1.0) == (codes(official) == [])


def test_large_components_may_be_tied(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is not known whether there are ties, the choice of the solver is taken."""
    key = corefud("1:(a--1-) 2 2.1:(b--1-):2:obj 2.2:(b--1-):1:obj")
    response = corefud("1 1.1:(b--1-):1:obj 2:(b--1-) 2.1:(b--1-):1:obj")
    before = scores(key, response)
    assert "W220" in codes(before)
    monkeypatch.setattr(stages, "MOST_EXACT", 0)
    assert scores(key, response).metrics == before.metrics


def test_no_last_stage_in_the_scorer() -> None:
    key, response = corefud("1:(a--1- 2:a) 3:(a--1-)"), corefud("1:(a--2- 2:a) 3:(a--1-)")
    assert scores(key, response)["muc"].f1 == 0.0
    ours = cs.score(corpus_of(key), corpus_of(response), match="head")
    assert ours.muc.f1 == 1.0
    assert ours.stages == {"equal": 1, "same words": 1}


def test_a_sentence_cut_short_is_scored_with_a_warning() -> None:
    """Words of later sentences keep their places."""
    key = corefud("1:(a--1-) 2 3", "1:(a--1-) 2:(a--1-)")
    short = corefud("1:(a--1-) 2", "1:(a--1-) 2:(a--1-)")
    found = scores(key, short)
    assert codes(found) == ["W204"] and found.conll == 1.0
    with pytest.raises(cs.InvalidInput, match="E202"):
        cs.score(corpus_of(key), corpus_of(short))


def test_zeros_without_dependencies_are_paired_by_position() -> None:
    text = corefud("1:(a--1-) 1.1:(a--1-)")
    found = scores(text, text)
    assert found.conll == 1.0 and codes(found) == ["W224", "W224"]


def test_a_system_that_writes_first_words_as_heads() -> None:
    key = corefud("1:(a--2- 2:a) 3:(a--2- 4:a) 5:(a--2- 6:a)")
    first = corefud("1:(a--1- 2:a) 3:(a--1- 4:a) 5:(a--1- 6:a)")
    assert codes(scores(key, first)) == ["W223"]
    assert codes(scores(key, key)) == [] == codes(scores(first, first))
    assert codes(scores(key, first, match="exact")) == []


def test_files_without_heads_are_refused() -> None:
    with pytest.raises(cs.InvalidInput, match="E220"):
        cs.score([[(0, 1), (2, 2)]], [[(0, 1), (2, 2)]], match="head")


@pytest.mark.parametrize("name", ["crac-2022", "crac-2023"])
def test_profiles_of_old_scorers_say_what_they_cannot_do(name: str) -> None:
    text = corefud("1:(a--1-) 2:(a--1-)")
    found = cs.score(corpus_of(text), corpus_of(text), profile=name)
    assert codes(found) == ["W228"] and found.conll == 1.0


def test_signatures_say_how_mentions_are_matched() -> None:
    text = corefud("1:(a--1-) 2:(a--1-)")
    rules = "match:head|zeros:dependent|scorer:corefud|singletons:"
    assert f"profile:corefud|{rules}drop" in scores(text, text, singletons="drop").signature
    assert f"profile:custom|{rules}keep" in scores(text, text).signature
    ours = cs.score(corpus_of(text), corpus_of(text), match="head").signature
    assert "profile:custom|match:head|zeros:dependent|singletons:keep" in ours
    plain = cs.score(corpus_of(text), corpus_of(text)).signature
    assert "match:exact|singletons:keep" in plain


@pytest.mark.parametrize(
    ("options", "name", "found"),
    [
        # The rules are those of crac-2023, but the figures are not those of CRAC 2023.
        ({"profile": "corefud", "zeros": "linear"}, "custom", []),
        ({"profile": "corefud", "zeros": "linear", "match": "partial"}, "custom", []),
        ({"profile": "crac-2023", "zeros": "linear"}, "crac-2023", ["W228"]),
        ({"profile": "crac-2023", "zeros": "dependent"}, "corefud", []),
        ({"profile": "crac-2022", "match": "head"}, "custom", ["W228"]),
        ({"profile": "crac-2024", "zeros": "dependent"}, "crac-2024", []),
        ({"singletons": "drop"}, "no-singletons", []),
    ],
)
def test_names_of_profiles_in_signatures_promise_nothing_else(
    options: dict[str, str], name: str, found: list[str]
) -> None:
    text = corefud("1:(a--1-) 2:(a--1-)")
    scores = cs.score(corpus_of(text), corpus_of(text), **options)  # type: ignore[arg-type]
    assert f"|profile:{name}|" in scores.signature and codes(scores) == found


def test_mentions_are_counted_as_the_scorer_sees_them() -> None:
    """A mention of two entities counts in both, as in the other metrics."""
    key = corefud("1:(a--1-)(b--1-) 2:(a--1-) 3:(b--1-) 4:(b--1-)")
    response = corefud("1 2:(a--1-) 3:(b--1-) 4:(b--1-)")
    official = scores(key, response, metrics="all")
    ours = scores(key, response, metrics="all", profile="conll-2012")
    assert official.mentions.recall_counts == (3, 5)
    assert official.mentions.recall_counts[1] == official.b3.recall_counts[1]
    assert ours.mentions.recall_counts == (3, 4)
    assert "Mentions" in next(f.message for f in official.findings if f.code.id == "W220")


# ---- Published cases ----


def cases(name: str) -> list[Mapping[str, Any]]:
    path = CASES / name
    if not path.exists():
        return []
    with gzip.open(path, "rt") if name.endswith("gz") else path.open() as lines:
        return [json.loads(line) for line in lines]


def settings(args: Sequence[str]) -> dict[str, str]:
    """Options of the CorefUD scorer as ours."""
    given = _given(args)
    return {
        "match": "exact" if "-x" in given else given.get("-a", ["head"])[0],
        "zeros": given.get("-z", ["dependent"])[0],
        "singletons": "keep" if "-s" in given else "drop",
        "metrics": ",".join(given.get("-m", ["corefud"])),
    }


def _given(args: Sequence[str]) -> dict[str, list[str]]:
    given: dict[str, list[str]] = {}
    option = ""
    for arg in args:
        if arg.startswith("-"):
            option = arg
            given[option] = []
        else:
            given[option].append(arg)
    return given


def wrong_figures(found: cs.Scores, expected: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    for id in COREFUD:
        wanted = expected.get("bcub" if id == "b3" else id, {})
        for figure, value in wanted.items():
            if abs(getattr(found[id], figure) - value) > 1e-9:
                yield f"{id} {figure} {getattr(found[id], figure)} instead of {value}"
    if abs((found.conll or 0) - expected.get("conll", {}).get("f1", found.conll or 0)) > 1e-9:
        yield f"conll {found.conll}"


FILES = {"rules.jsonl": 241, "random.jsonl.gz": 448, "random2.jsonl": 152, "real.jsonl.gz": 20}


@needs_cases
@pytest.mark.parametrize("name", FILES)
def test_official_and_clean_figures_of_all_cases(name: str) -> None:
    wrong = []
    found = cases(name)
    assert len(found) >= FILES[name]
    for case in found:
        if "error" in case:
            continue
        chosen = settings(case["args"])
        official = scores(case["key"], case["response"], **chosen)
        wrong += [f"{case['name']}: {each}" for each in wrong_figures(official, case["expected"])]
        faults = [FAULTS[kind] for kind in case.get("defect_kind", ())]
        said = [f.message for f in official.findings if f.code is Code.OFFICIAL_FAULT]
        if [[fault for fault in FAULTS.values() if fault in each] for each in said] != [
            [fault] for fault in faults
        ]:
            wrong.append(f"{case['name']}: {said} instead of {faults}")
        wrong += _wrong_clean(case, official)
    assert wrong == []


def _wrong_clean(case: Mapping[str, Any], official: cs.Scores) -> Iterator[str]:
    """The findings give the figures of the clean model where these differ."""
    given = " ".join(f.message for f in official.findings if f.code is Code.OFFICIAL_FAULT)
    names = {"bcub": "B³", "ceafe": "CEAFe", "ceafm": "CEAFm", "zero": "Zero anaphors"}
    for name, clean in case.get("clean", {}).items():
        if name == "conll" or round(100 * clean["f1"], 2) == round(
            100 * case["expected"][name]["f1"], 2
        ):
            continue
        shown = f"{names.get(name, name.upper())} {100 * case['expected'][name]['f1']:.2f}"
        if f"instead of {100 * clean['f1']:.2f}" not in given or shown not in given:
            yield f"{case['name']}: {name} {clean['f1']} is not in {given!r}"


@needs_cases
def test_printed_output_of_all_cases() -> None:
    for case in cases("output.jsonl"):
        chosen = settings(case["args"])
        found = scores(case["key"], case["response"], **chosen)
        assert as_corefud_scorer(found, chosen["metrics"].split(",")) == case["stdout"]


def test_metrics_that_the_scorer_does_not_have_are_not_printed() -> None:
    text = corefud("1:(a--1-) 2:(a--1-)")
    with pytest.raises(cs.UnknownName, match="metric of the CorefUD scorer"):
        as_corefud_scorer(scores(text, text, metrics="all"), ["mentions"])


def test_figures_that_are_printed_alike_are_not_listed() -> None:
    metrics = [METRICS["muc"], METRICS["b3"]]

    def counts(muc: float, b3: float) -> dict[str, Floats]:
        return {
            "muc": np.array([[muc, 1e6, muc, 1e6]]),
            "b3": np.array([[b3, 1e6, b3, 1e6]]),
        }

    clean = counts(5e5, 5e5)
    assert changed_figures(metrics, counts(6e5, 5e5 + 1), clean) == "MUC 60.00 instead of 50.00"
    assert changed_figures(metrics, counts(5e5, 5e5 + 1), clean) == (
        "every F1 changes by less than 0.01"
    )
    assert changed_figures(metrics, clean, clean) == ""
