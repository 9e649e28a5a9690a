"""One rule at a time from the default protocol to every other."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import isclose

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

import brute_force
import corefscope as cs
import more_references
from brute_force import without_singletons
from corefscope.choices import Duplicates
from corefscope.matching.matching import match_corpora
from corefscope.metrics import STANDARD
from corefscope.options import make_options
from corefscope.profiles import DEFAULT, PROFILES, Profile, parse_signature, path_to
from corefscope.scoring.measure import ProfileScores, under_all_profiles
from strategies import Document, corpora

DEPENDENT = "zeros are matched by what they depend on"
SCORER = [
    "singletons of the response are dropped",
    "singletons of the key are also dropped",
    "BLANC is the mean of both kinds of links if either side has them",
    "the CorefUD scorer's own rules and faults",
]
RULES = {
    "conll-2012": [],
    "no-singletons": [
        "singletons of the response are dropped",
        "singletons of the key are also dropped",
    ],
    "coval": [],
    "e2e": [
        "singletons of the response are dropped",
        "singletons of the key are also dropped, but not in CEAFe",
    ],
    "macro": ["recall and precision are averaged over documents"],
    "bookcoref-window": ["documents are cut into the published windows of BookCoref"],
    "corefud-exact": [DEPENDENT, *SCORER],
    "corefud": ["mentions are matched by head", DEPENDENT, *SCORER],
    "crac-2022": ["mentions are matched partially", *SCORER],
    "crac-2023": ["mentions are matched by head", *SCORER],
    "ua-1": [
        "BLANC is the mean of both kinds of links if either side has them",
        "the rules and faults of version 1 of the Universal Anaphora scorer",
    ],
    "ua-2": [
        "zeros are dropped",
        *SCORER[:-1],
        "the rules and faults of version 2 of the Universal Anaphora scorer",
    ],
    **{
        f"crac-{year}": ["mentions are matched by head", DEPENDENT, *SCORER]
        for year in (2024, 2025, 2026)
    },
}


def scored(
    key: cs.Corpus, response: cs.Corpus, duplicates: Duplicates = "first"
) -> tuple[list[ProfileScores], Sequence[cs.Finding]]:
    options = make_options(duplicates=duplicates)
    return under_all_profiles(match_corpora(key, response, options.matching), options)


def under_all(corpus: dict[str, Document]) -> dict[str, ProfileScores]:
    key, response = (
        cs.Corpus.from_clusters({name: pair[side] for name, pair in corpus.items()})
        for side in range(2)
    )
    protocols, _ = scored(key, response)
    return {protocol.profile.name: protocol for protocol in protocols}


@pytest.mark.parametrize("name", PROFILES)
def test_the_rules_on_the_way(name: str) -> None:
    assert [rule for rule, _ in path_to(PROFILES[name])] == ["", *RULES[name]]


@pytest.mark.parametrize("duplicates", ["first", "reference"])
@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_path_from_default_to_profile(profile: Profile, duplicates: Duplicates) -> None:
    steps = [each for _, each in path_to(profile, duplicates)]
    assert steps[0] == replace(DEFAULT, duplicates=duplicates)
    arrived = replace(
        steps[-1],
        name=profile.name,
        meaning=profile.meaning,
        used_by=profile.used_by,
        limits=profile.limits,
    )
    assert arrived == replace(profile, duplicates=duplicates)
    signatures = [replace(each, name="").signature(0) for each in steps]
    assert len(set(signatures)) == len(steps), "each step changes a rule"
    assert all(each.name == "custom" for each in steps[1:])


def test_path_of_exceptions_only() -> None:
    """Singletons are dropped in one metric only."""
    profile = replace(DEFAULT, name="mine", singletons_in={"muc": "drop", "b3": "drop-response"})
    steps = [each for _, each in path_to(profile)]
    assert [rule for rule, _ in path_to(profile)][1:] == [
        "singletons of the response are dropped",
        "singletons of the key are also dropped, but not in B³",
    ]
    rules = [[step.singleton_rule(id) for id in ("muc", "b3", "lea")] for step in steps]
    assert rules == [
        ["keep", "keep", "keep"],
        ["drop-response", "drop-response", "keep"],
        ["drop", "drop-response", "keep"],
    ]


@settings(max_examples=100)
@given(corpora())
def test_changes_of_steps_add_up(
    corpus: dict[str, Document],
) -> None:
    pairs = list(corpus.values())
    begin = {id: metric(pairs).f1 for id, metric in brute_force.METRICS.items()}
    for name, protocol in under_all(corpus).items():
        reference = more_references.PROFILES.get(name)
        end = {id: score.f1 for id, score in reference(pairs).items()} if reference else begin
        for id in set(STANDARD) & end.keys():
            f1s = [step.scores[id].f1 for step in protocol.steps]
            changes = [after - before for before, after in pairwise(f1s)]
            assert isclose(sum(changes), float(end[id] - begin[id]), abs_tol=1e-12), (name, id)


@settings(max_examples=100)
@given(corpora())
def test_first_step_drops_response_singletons(
    corpus: dict[str, Document],
) -> None:
    halfway = [(key, without_singletons(response)) for key, response in corpus.values()]
    found = under_all(corpus)
    for name in ("no-singletons", "e2e", "corefud-exact"):
        # How zeros are paired comes first, and changes nothing here.
        step = found[name].steps[1 + (name == "corefud-exact")].scores
        for id, metric in brute_force.METRICS.items():
            assert isclose(step[id].f1, float(metric(halfway).f1), abs_tol=1e-12), (name, id)
        expected: Fraction = brute_force.conll(halfway)
        assert step.conll is not None and isclose(step.conll, float(expected), abs_tol=1e-12)


@settings(max_examples=50)
@given(corpora())
def test_scores_equal_those_of_the_profile(corpus: dict[str, Document]) -> None:
    key, response = ({name: pair[side] for name, pair in corpus.items()} for side in range(2))
    for name, protocol in under_all(corpus).items():
        alone = cs.score(key, response, profile=name)
        assert protocol.scores.metrics == alone.metrics
        assert protocol.scores.signature == alone.signature


def test_repeated_mentions() -> None:
    twice = cs.Corpus.from_clusters({"d": [["a", "b"], ["b", "c"], ["d"]]})
    key = cs.Corpus.from_clusters({"d": [["a", "b", "c"]]})
    protocols, findings = scored(key, twice)
    assert [finding.code.id for finding in findings] == ["W108"]
    for each in protocols:
        counted = "all" if each.profile.scorer else "first"
        assert parse_signature(each.scores.signature)["duplicates"] == counted
    with pytest.raises(cs.InvalidInput, match="E203"):
        scored(key, twice, "error")
