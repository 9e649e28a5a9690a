"""Scores as the CorefUD scorer prints them."""

from __future__ import annotations

from collections.abc import Sequence

from corefscope.exceptions import UnknownName
from corefscope.extensions.corefud_scorer.metrics import COREFUD
from corefscope.metrics import ids_of
from corefscope.scoring.scores import Scores

NAMES = {"b3": "bcub"}
"""Metrics that the scorer calls otherwise."""
MODES = {"exact": "exact", "partial": "partial-corefud", "head": "head"}


def as_corefud_scorer(scores: Scores, names: Sequence[str]) -> str:
    """Return what the CorefUD scorer prints.

    Parameters
    ----------
    scores
        Scores under one of its profiles.
    names
        Names of metrics, in the order in which they are printed.

    Returns
    -------
    str
        The text, with a newline at the end.

    Raises
    ------
    UnknownName
        If a metric is named that the scorer does not have.
    """
    metrics = list(dict.fromkeys(id for name in names for id in ids_of(name)))
    for id in metrics:
        if id not in COREFUD:
            raise UnknownName("metric of the CorefUD scorer", id, COREFUD)
    called = [NAMES.get(id, id) for id in metrics]
    lines = [
        f"The scorer is evaluating {_what(scores, metrics)} using "
        f"{MODES[scores.profile.match]} match evaluation setting.",
        f"The following metrics will be evaluated: {', '.join(called)}",
        "",
    ]
    for id, name in zip(metrics, called, strict=True):
        score = scores[id]
        lines += [
            name,
            f"Recall: {100 * score.recall:.2f}  Precision: {100 * score.precision:.2f}  "
            f"F1: {100 * score.f1:.2f}",
        ]
    if scores.conll is not None:
        lines.append(f"CoNLL score: {100 * scores.conll:.2f}")
    return "\n".join([*lines, ""])


def _what(scores: Scores, metrics: Sequence[str]) -> str:
    """Return what is evaluated; of MOR alone the scorer says nothing."""
    if metrics == ["mor"]:
        return ""
    singletons = ["singletons"] if scores.profile.singletons == "keep" else []
    zeros = f"zeros (using {scores.profile.zeros} match method)"
    return ", ".join(["coreferential mentions", *singletons, zeros])
