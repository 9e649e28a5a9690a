"""What all adapters do: check lists of documents, and warn of each kind of finding once."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from reprlib import repr as shown
from typing import Any

from corefscope.corpus.clusters import NotClusters
from corefscope.exceptions import CorefscopeWarning, WrongArgument
from corefscope.findings import AnyCode, Finding
from corefscope.scoring.scorer import Scorer
from corefscope.scoring.scores import Scores


class Reporter:
    """Issues a Python warning for the first finding of each code, once in its life."""

    def __init__(self) -> None:
        self.reported: set[AnyCode] = set()

    def report(self, findings: Iterable[Finding], stacklevel: int = 2) -> None:
        """Warn of findings whose code is new; ``stacklevel`` 1 is the caller of this method."""
        new: dict[AnyCode, list[Finding]] = {}
        for finding in findings:
            if finding.code not in self.reported:
                new.setdefault(finding.code, []).append(finding)
        self.reported |= new.keys()
        for first, *others in new.values():
            more = f" (and {len(others)} more of this kind)" if others else ""
            warnings.warn(f"{first}{more}", CorefscopeWarning, stacklevel=stacklevel + 1)


def add_documents(scorer: Scorer, predicted: Any, gold: Any) -> None:
    """Add the documents of two lists to a scorer."""
    for number, (response, key) in enumerate(paired(predicted, gold)):
        try:
            scorer.update(key, response)
        except NotClusters as error:
            raise NotClusters(f"document {number}: {error}") from None


def paired(predicted: Any, gold: Any) -> list[tuple[Any, Any]]:
    """Return the predicted and the gold clusters of each document.

    Raises
    ------
    NotClusters
        If one of the arguments is not a list of documents.
    ValueError
        If they have different lengths.
    """
    response, key = _documents(predicted, "predicted"), _documents(gold, "gold")
    if len(response) != len(key):
        raise WrongArgument(
            f"found {len(response)} predicted and {len(key)} gold documents; expected the same "
            "number: both lists have the clusters of each document, in the same order"
        )
    return list(zip(response, key, strict=True))


def _documents(given: Any, what: str) -> Sequence[Any]:
    is_list = isinstance(given, Iterable) and not isinstance(given, str | PathLike | Mapping)
    if not is_list:
        raise NotClusters(
            f"the {what} documents are {shown(given)}; expected a list with the clusters of each "
            "document, such as [[[(0, 1), (4, 4)], [(2, 3)]], []]"
        )
    return list(given)


def figures_of(scores: Scores) -> dict[str, float]:
    """Return the figures by name, as ``muc_f1`` and ``conll``."""
    figures = scores.to_dict().items()
    return {name.replace("/", "_"): value for name, value in figures if isinstance(value, float)}
