"""A scorer for spaCy's components. Install ``corefscope[spacy]``.

In a configuration: ``scorer = {"@scorers": "corefscope.coref_scorer.v1"}``, after importing this
module. Documents are compared by characters, since their tokens may differ.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable
from typing import Any

from spacy.util import registry

from corefscope.exceptions import CorefscopeWarning
from corefscope.scoring import Scorer

METRICS = ("muc", "b3", "ceafe", "lea")


def score_examples(
    examples: Iterable[Any], *, span_cluster_prefix: str = "coref_clusters", **_: Any
) -> dict[str, Any]:
    """Return the scores of examples.

    Parameters
    ----------
    examples
        spaCy's examples: a predicted and a reference document each.
    span_cluster_prefix
        How the names of the groups of spans begin that are entities; a number follows.

    Returns
    -------
    dict
        ``coref_f``, ``coref_p`` and ``coref_r`` are those of LEA, as in spacy-experimental. Further
        keys are ``coref_muc_f``, ``coref_conll`` and so on.
    """
    group = re.compile(rf"{re.escape(span_cluster_prefix)}_\d+")
    scorer = Scorer(metrics=METRICS)
    for example in examples:
        scorer.update(_clusters(example.reference, group), _clusters(example.predicted, group))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CorefscopeWarning)
        scores = scorer.compute()
    found: dict[str, Any] = {}
    for id, score in scores.metrics.items():
        figures = {"f": score.f1, "p": score.precision, "r": score.recall}
        found |= {f"coref_{id}_{name}": value for name, value in figures.items()}
        if id == "lea":
            found |= {f"coref_{name}": value for name, value in figures.items()}
    return found | {"coref_conll": scores.conll}


def _clusters(doc: Any, group: re.Pattern[str]) -> list[list[tuple[int, int]]]:
    """Return entities as characters, first and last of each mention."""
    return [
        [(span.start_char, span.end_char - 1) for span in spans]
        for name, spans in doc.spans.items()
        if group.fullmatch(name)
    ]


@registry.scorers("corefscope.coref_scorer.v1")  # type: ignore[untyped-decorator]
def make_coref_scorer(
    span_cluster_prefix: str = "coref_clusters",
) -> Callable[..., dict[str, Any]]:
    """Return a scorer for a configuration of spaCy."""

    def score(examples: Iterable[Any], **kwargs: Any) -> dict[str, Any]:
        return score_examples(examples, span_cluster_prefix=span_cluster_prefix, **kwargs)

    return score
