"""The real corpora that may lie beside this checkout give the figures in their README.

GUM's figures were worked out by an independent brute force; the response is the output of a system
as it came, repeated mentions included. LitBank's are what public tools print.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import corefscope as cs
from corefscope.corpus.description import describe

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"

needs_gum = pytest.mark.skipif(not (DATA / "gum").exists(), reason="no GUM beside this checkout")
needs_litbank = pytest.mark.skipif(
    not (DATA / "litbank").exists(), reason="no LitBank beside this checkout"
)
quiet = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")


@cache
def gum(side: str) -> cs.Corpus:
    return cs.read(str(DATA / "gum" / f"{side}.conll.gz"))


@cache
def gum_scores() -> cs.Scores:
    return cs.score(gum("key"), gum("response"))


@cache
def litbank(side: str) -> cs.Corpus:
    return cs.read(str(DATA / "litbank" / f"{side}.json"))


@needs_gum
@quiet
@pytest.mark.parametrize(
    ("metric", "recall", "precision", "f1"),
    [
        ("mentions", "0.712061", "0.696852", "0.704375"),
        ("muc", "0.584932", "0.592094", "0.588491"),
        ("b3", "0.475726", "0.487644", "0.481611"),
        ("ceafm", "0.530568", "0.519236", "0.524841"),
        ("ceafe", "0.473804", "0.423919", "0.447476"),
        ("blanc", "0.505497", "0.496217", "0.500793"),
        ("lea", "0.408863", "0.421299", "0.414988"),
    ],
)
def test_gum_scores_as_its_table_says(metric: str, recall: str, precision: str, f1: str) -> None:
    found = gum_scores()[metric]
    printed = [f"{value:.6f}" for value in (found.recall, found.precision, found.f1)]
    assert printed == [recall, precision, f1]


@needs_gum
@quiet
def test_gum_counts_are_those_of_its_table() -> None:
    scores = gum_scores()
    assert scores.mentions.recall_counts == (5579, 7835)
    assert scores.mentions.precision_counts == (5579, 8006)
    assert scores.muc.recall_counts == (3385, 5787)
    assert scores.muc.precision_counts == (3385, 5717)
    assert f"{scores.conll:.6f}" == "0.505859"


@needs_gum
@quiet
def test_gum_repeated_mentions() -> None:
    """36 in the response and 2 in the key, each with its line."""
    repeated = [finding for finding in gum_scores().findings if finding.code.id == "W108"]
    files = [Path(finding.file or "").name for finding in repeated]
    assert (files.count("key.conll.gz"), files.count("response.conll.gz")) == (2, 36)
    assert all(finding.line for finding in repeated)
    with pytest.raises(cs.InvalidInput, match="E203"):
        cs.score(gum("key"), gum("response"), duplicates="error")


@needs_gum
def test_gum_has_the_size_that_its_readme_says() -> None:
    description = describe(gum("key"))
    assert (description.documents, description.tokens) == (70, 63_666)
    assert description.mentions == 7835 + 2


@needs_gum
@quiet
def test_gum_document_by_document() -> None:
    scorer = cs.Scorer()
    for document in gum("key"):
        key, response = (
            [[mention.id for mention in entity] for entity in corpus[document.name].entities]
            for corpus in (gum("key"), gum("response"))
        )
        scorer.update(key, response, document.name)
    scores = scorer.compute()
    assert scores.metrics == gum_scores().metrics
    assert scores.per_document == gum_scores().per_document


@needs_litbank
@pytest.mark.parametrize(
    ("profile", "printed"),
    [
        ("conll-2012", ["89.94", "82.71", "79.16", "83.94"]),
        ("no-singletons", ["89.94", "80.38", "68.96", "79.76"]),
    ],
)
def test_litbank_scores_as_its_table_says(profile: str, printed: list[str]) -> None:
    scores = cs.score(litbank("key"), litbank("response"), profile=profile)
    assert scores.conll is not None
    found = [scores.muc.f1, scores.b3.f1, scores.ceafe.f1, scores.conll]
    assert [f"{100 * value:.2f}" for value in found] == printed


@needs_litbank
def test_litbank_size() -> None:
    description = describe(litbank("key"))
    assert (description.documents, description.mentions) == (100, 29_103)
    assert (description.entities, description.singletons) == (7_927, 5_763)
    response = describe(litbank("response"))
    assert (response.mentions, response.singletons) == (28_198, 5_030)
