"""Checkpoints as JSON: a scored one, and the page of a history."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from corefscope.exceptions import InvalidInput
from corefscope.findings import Code
from corefscope.metrics import CONLL, STATISTICS
from corefscope.serialization.common import finding_records
from corefscope.serialization.watch import (
    CheckpointResult,
    HistoryPage,
    HistoryPoint,
    HistorySeries,
)
from corefscope.version import __version__
from corefscope.watching.history import Checkpoint, History
from corefscope.watching.watcher import ScoredCheckpoint


def checkpoint_result(scored: ScoredCheckpoint) -> CheckpointResult:
    """Return a scored checkpoint for JSON."""
    checkpoint, best = scored.checkpoint, scored.best_before
    return {
        "corefscope": __version__,
        "schema": "checkpoint/1",
        "scored": checkpoint.scored,
        "name": checkpoint.name,
        "digest": checkpoint.digest,
        "size": checkpoint.stamp.size,
        "key": checkpoint.key,
        "key_digest": checkpoint.series.key_digest,
        "settings": checkpoint.series.settings,
        "signature": checkpoint.signature,
        "metrics": checkpoint.metrics,
        "conll": checkpoint.conll,
        "statistic": checkpoint.statistic.id,
        "value": checkpoint.value,
        "best_before": None if best is None else best.name,
        "difference": scored.difference,
        "is_best": scored.is_best,
        "findings": finding_records(scored.findings),
    }


def history_page(history: History, title: str) -> HistoryPage:
    """Return the data of the page of a history; raise InvalidInput if it has no checkpoint."""
    if not history.checkpoints:
        raise InvalidInput.of(
            Code.BAD_RESULT,
            "the history has no checkpoint",
            expected="at least one",
            file=history.path,
        )
    place = {(each.series, each.name, each.digest): n for n, each in enumerate(history)}
    groups = comparable(history.checkpoints)
    # Times are in seconds, so that the order of the history is safer.
    groups.sort(
        key=lambda group: place[group[-1].series, group[-1].name, group[-1].digest], reverse=True
    )
    return {
        "corefscope": __version__,
        "schema": "history/1",
        "title": title,
        "path": history.path,
        "series": list(map(_series, groups)),
    }


def comparable(checkpoints: Sequence[Checkpoint]) -> list[list[Checkpoint]]:
    """Divide checkpoints into groups whose figures can be compared."""
    groups: list[list[Checkpoint]] = []
    for checkpoint in checkpoints:
        group = next((each for each in groups if each[0].is_comparable(checkpoint)), None)
        if group is None:
            groups.append([checkpoint])
        else:
            group.append(checkpoint)
    return groups


def _series(checkpoints: Sequence[Checkpoint]) -> HistorySeries:
    first, last = checkpoints[0], checkpoints[-1]
    others = dict.fromkeys(id for each in checkpoints for id in each.metrics)
    ids = list(dict.fromkeys([first.statistic.id, *others]))
    return {
        "key": last.key,
        "key_digest": last.series.key_digest,
        "settings": last.series.settings,
        "signature": last.signature,
        "metrics": ids,
        "names": [STATISTICS[id].name for id in ids],
        "units": [_unit(id) for id in ids],
        "points": list(_points(checkpoints, ids)),
    }


def _unit(id: str) -> Literal["points", "nats"]:
    return "nats" if STATISTICS[id].unit.name == "nats" else "points"


def _points(checkpoints: Sequence[Checkpoint], ids: Sequence[str]) -> Iterator[HistoryPoint]:
    best: Checkpoint | None = None
    for each in checkpoints:
        is_best = best is None or each.is_better(best)
        best = each if is_best else best
        yield {
            "name": each.name,
            "scored": each.scored,
            "digest": each.digest,
            "f1": [_figure(each, id) for id in ids],
            "warnings": ", ".join(each.findings),
            "is_best": is_best,
        }


def _figure(checkpoint: Checkpoint, id: str) -> float | None:
    if id == CONLL.id:
        return checkpoint.conll
    return checkpoint.metrics[id]["f1"] if id in checkpoint.metrics else None
