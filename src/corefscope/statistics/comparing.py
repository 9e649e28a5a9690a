"""``compare``: systems from files, corpora, clusters, scores or results, on one key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike, fspath
from typing import TypeAlias

from corefscope.arguments import by_name
from corefscope.corpus import Corpus
from corefscope.exceptions import warn_of
from corefscope.matching.comparison import Duplicates, Singletons
from corefscope.matching.documents import Missing, PairBy, Tokens
from corefscope.options import Options, make_options
from corefscope.results import checked, is_result, stored_scores
from corefscope.scoring import Annotation, Scores, as_corpus, is_path, score_corpora
from corefscope.statistics.result import (
    SAMPLES,
    SEED,
    Entry,
    Family,
    Settings,
    SystemComparison,
)
from corefscope.statistics.systems import compare_entries
from corefscope.statistics.testing import Test
from corefscope.statistics.units import DOCUMENTS, Units, make_units

Run: TypeAlias = Annotation | Scores
"""What a system made of the texts: an annotation, its scores, or the path of a result file."""


def compare(  # noqa: PLR0913 - the options of a protocol, and of a test
    key: Annotation,
    responses: Mapping[str, Run | Sequence[Run]],
    *,
    baseline: str | None = None,
    all_pairs: bool = False,
    test: Test | None = None,
    samples: int = SAMPLES,
    seed: int = SEED,
    unit: str = DOCUMENTS,
    confidence: float = 0.95,
    family: Family = "all",
    metrics: str | Iterable[str] | None = None,
    profile: str = "conll-2012",
    singletons: Singletons | None = None,
    duplicates: Duplicates | None = None,
    missing: Missing = "empty",
    tokens: Tokens = "error",
    pair_by: PairBy = "auto",
) -> SystemComparison:
    """Compare systems: scores with intervals, differences with p-values.

    Parameters
    ----------
    key
        As for :func:`corefscope.score`.
    responses
        The systems by name: whatever ``score`` takes, scores, the path of a result file, or a list
        of these, which are runs of one system with several seeds.
    baseline, all_pairs
        The system that the others are compared with, by default the first; or compare all pairs.
    test
        For one run per system: paired approximate ``"randomization"`` (the default), or the paired
        ``"bootstrap"``. With several runs of a system no test can be chosen: the variance over
        documents and runs is used.
    unit
        What is resampled: see :func:`corefscope.statistics.units.make_units`.
    family
        Which p-values Holm's correction takes together: ``"all"``, those of a ``"metric"``, or
        ``"none"``.
    metrics, profile, singletons, duplicates, missing, tokens, pair_by
        As for :func:`corefscope.score`.

    Examples
    --------
    >>> from corefscope.demo import KEY, RESPONSES
    >>> import warnings
    >>> warnings.simplefilter("ignore")  # Ten documents are few, as a warning says.
    >>> found = compare(KEY, {name: RESPONSES[name] for name in ("recency", "sieve")})
    >>> difference = found.difference("sieve", "recency")
    >>> round(100 * difference.difference, 2), difference.is_significant
    (28.41, True)
    """
    options = make_options(
        metrics=metrics,
        profile=profile,
        singletons=singletons,
        duplicates=duplicates,
        missing=missing,
        tokens=tokens,
        pair_by=pair_by,
    )
    settings = Settings(test, samples, seed, confidence, baseline, all_pairs, family)
    by_name("responses", responses, "{'ours': 'ours.conll', 'base': 'base.conll'}")
    if len(responses) < 2:
        raise ValueError(f"{len(responses)} system; expected two or more to compare")
    gold = as_corpus(key, "the key")
    entries = [
        Entry(name, [scores_of(gold, run, options, name) for run in _runs(given)])
        for name, given in responses.items()
    ]
    result = compare_entries(entries, units_of(gold, unit), settings)
    warn_of(result.findings)
    return result


def _runs(given: Run | Sequence[Run]) -> list[Run]:
    """Tell several runs from one: a list of paths, corpora or scores is not one of clusters."""
    if isinstance(given, (list, tuple)) and given and all(map(_is_run, given)):
        return list(given)
    return [given]  # type: ignore[list-item]


def _is_run(item: object) -> bool:
    return isinstance(item, (PathLike, Corpus, Mapping, Scores)) or is_path(item)


def scores_of(key: Corpus, run: Run, options: Options, name: str | None = None) -> Scores:
    """Return the scores of a run: computed, given, or read from a file of results."""
    if isinstance(run, (str, PathLike)) and is_result(fspath(run)):
        return stored_scores(fspath(run), name, key, options)
    if isinstance(run, Scores):
        return checked(run, key, options)
    what = f"the response {name!r}" if name else "the response"
    return score_corpora(key, as_corpus(run, what), options)


def units_of(key: Corpus, unit: str) -> Units:
    """Return the units of a key's documents."""
    files = [key.file_of(document) for document in range(len(key))]
    return make_units(key.document_names, unit, files, key.path)
