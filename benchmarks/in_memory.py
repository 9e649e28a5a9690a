"""Partitions in memory: run by ``bench.py`` as a process of its own; prints seconds as JSON.

``python in_memory.py CASE SIZE [METRIC|MENTIONS]``, where a case is ``arrays``, ``spans``, ``ids``,
``scattered``, ``unrelated``, ``tables``, ``labels`` (their size is in mentions), ``updates`` or
``training`` (in documents).
"""

from __future__ import annotations

import gc
import json
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from resource import RUSAGE_SELF, getrusage
from statistics import mean, median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

import corefscope as cs
from corpora import entity_sizes
from noise import DROPPED, ISOLATED, MOVED, SPURIOUS
from pasted import Cluster, PastedEvaluator, owners

Labels: TypeAlias = NDArray[np.int64]
Clusters: TypeAlias = Sequence[Sequence[Hashable]]
Batches: TypeAlias = Sequence[tuple[Sequence[Cluster], ...]]
"""The clusters of key and response of several documents."""
MENTIONS, ENTITIES = 60, 20
"""Of a typical document."""


def partition(mentions: int, entities: int, rng: np.random.Generator) -> Labels:
    """Return the entity of each mention; sizes are Pareto-like, the largest has a hundredth."""
    sizes = entity_sizes(mentions, entities, max(mentions // 100, 1), 1)
    return rng.permutation(np.repeat(np.arange(entities), sizes))


def noisy_pair(mentions: int, entities: int, rng: np.random.Generator) -> tuple[Labels, Labels]:
    """Return a key and a noisy copy; −1 marks mentions that one of the two lacks."""
    key = partition(mentions, entities, rng)
    fate = rng.random(mentions)
    response = np.where(fate < DROPPED + MOVED, rng.permutation(key), key)
    alone = fate > 1 - ISOLATED
    response[alone] = entities + np.arange(alone.sum())
    response[fate < DROPPED] = -1
    wrong = (fate > DROPPED) & (rng.random(mentions) < SPURIOUS)
    return np.where(wrong, -1, key), response


def as_clusters(labels: Labels, mention: Callable[[int], Hashable]) -> list[list[Hashable]]:
    """Return the mentions of each entity, made of their numbers."""
    order = np.argsort(labels, kind="stable")
    order = order[labels[order] >= 0]
    cuts = np.flatnonzero(np.diff(labels[order])) + 1
    return [[mention(i) for i in rows.tolist()] for rows in np.split(order, cuts)]


def span(number: int) -> tuple[int, int]:
    """Return a span for a mention's number."""
    return 3 * number, 3 * number + number % 3


def bare_join(key: Clusters, response: Clusters) -> Counter[tuple[int, int]]:
    """Count the overlaps, and nothing else, with a dictionary: the rival."""
    owner = {mention: number for number, entity in enumerate(key) for mention in entity}
    return Counter(
        (owner[mention], number)
        for number, entity in enumerate(response)
        for mention in entity
        if mention in owner
    )


def bare_unique(key: Labels, response: Labels) -> None:
    """Count the overlaps of two arrays, and nothing else: the rival."""
    common = (key >= 0) & (response >= 0)
    pairs = key[common] * (int(response.max()) + 1) + response[common]
    np.unique(pairs, return_counts=True)


def seconds(work: Callable[[], object]) -> float:
    """Time a piece of work."""
    gc.collect()
    began = perf_counter()
    work()
    return perf_counter() - began


def scoring(work: Callable[[], object]) -> dict[str, float]:
    """Time a piece of work by the clock and by the processor."""
    gc.collect()
    wall, cpu = perf_counter(), process_time()
    work()
    return {"score": perf_counter() - wall, "cpu": process_time() - cpu}


def cpu(work: Callable[[], object]) -> float:
    """Return the processor time of a piece of work."""
    return scoring(work)["cpu"]


def arrays(mentions: int) -> dict[str, float]:
    """Score two labellings given as arrays."""
    key, response = noisy_pair(mentions, mentions // 3, np.random.default_rng(1))
    rival = seconds(lambda: bare_unique(key, response))
    corpus = cs.Corpus.from_arrays
    return scoring(lambda: cs.score(corpus(key), corpus(response))) | {"rival": rival}


def clusters(mentions: int, mention: Callable[[int], Hashable]) -> dict[str, float]:
    """Score lists of lists."""
    key, response = noisy_pair(mentions, mentions // 3, np.random.default_rng(1))
    sides = as_clusters(key, mention), as_clusters(response, mention)
    rival = seconds(lambda: bare_join(*sides))
    return scoring(lambda: cs.score(*sides)) | {"rival": rival}


def scattered(mentions: int) -> dict[str, float]:
    """Score spans that lie in memory in the order of the text, not of the entities.

    The processor's cache is of no use then: going through them once costs a second or more.
    """
    return clusters(mentions, list(map(span, range(mentions))).__getitem__)


def unrelated(mentions: int, metric: str) -> dict[str, float]:
    """Score one metric of two partitions that have nothing to do with each other."""
    rng = np.random.default_rng(2)
    labels = [partition(mentions, mentions // 5, rng) for _ in range(2)]
    rival = seconds(lambda: bare_unique(*labels))
    key, response = map(cs.Corpus.from_arrays, labels)
    return scoring(lambda: cs.score(key, response, metrics=[metric])) | {"rival": rival}


def tables(mentions: int) -> dict[str, float]:
    """Score two Parquet files, and let DuckDB join them and count the overlaps: the rival."""
    from corefscope.extensions.tables.tables import database

    with TemporaryDirectory() as folder:
        paths = [f"{folder}/{side}.parquet" for side in ("key", "response")]
        entity = f"(hash(i) % ({mentions} // 4))::BIGINT"
        other = f"(hash(i + 13) % ({mentions} // 4))::BIGINT"
        moved = f"CASE WHEN hash(i + 7) % 10 = 0 THEN {other} ELSE {entity} END"
        with database("") as connection:
            for path, label in zip(paths, (entity, moved), strict=True):
                rows = f"SELECT i AS mention_id, {label} AS cluster_id FROM range({mentions}) t(i)"
                connection.execute(f"COPY ({rows}) TO '{path}' (FORMAT parquet)")
        # DuckDB takes both processors, and so may we.
        taken = scoring(lambda: cs.score(*paths, jobs=2))
        taken["peak"] = getrusage(RUSAGE_SELF).ru_maxrss / 1024
        with database("") as connection:
            joined = (
                "SELECT k.cluster_id, r.cluster_id, count(*) FROM '{}' k JOIN '{}' r "
                "USING (mention_id) GROUP BY ALL"
            ).format(*paths)
            rival = scoring(lambda: connection.execute(joined).fetchnumpy())
    return taken | {"rival": rival["score"], "rival_cpu": rival["cpu"]}


def labels(mentions: int) -> dict[str, float]:
    """Score two arrays of labels like those of the tables, in a process without DuckDB."""
    rng = np.random.default_rng(5)
    key, other = rng.integers(mentions // 4, size=(2, mentions))
    response = np.where(rng.random(mentions) < 0.1, other, key)
    taken = scoring(lambda: cs.score(*map(cs.Corpus.from_arrays, (key, response)), jobs=2))
    return taken | {"peak": getrusage(RUSAGE_SELF).ru_maxrss / 1024}


def updates(documents: int) -> dict[str, float]:
    """Update a scorer with many typical documents, one at a time."""
    rng = np.random.default_rng(3)
    pairs = [noisy_pair(MENTIONS, ENTITIES, rng) for _ in range(documents)]
    batches = [(as_clusters(key, span), as_clusters(response, span)) for key, response in pairs]
    rival = [seconds_of_one(bare_join, batch) for batch in batches]
    scorer = cs.Scorer()
    each = [seconds_of_one(scorer.update, batch) for batch in batches]
    return {
        "median": median(each),
        "slowest_percent": quantiles(each, n=100)[-1],
        "mean": mean(each),
        "compute": seconds(scorer.compute),
        "rival": median(rival),
    }


def training(documents: int, mentions: int = MENTIONS) -> dict[str, float]:
    """Evaluate an epoch, by scorers and by a pasted evaluator, in turn: processor time, best of 5.

    ``epoch`` updates with all documents and computes once, ``each`` computes after every document.
    """
    rng = np.random.default_rng(4)
    pairs = [noisy_pair(mentions, mentions // 3, rng) for _ in range(documents)]
    batches: Batches = [
        tuple(tuple(map(tuple, as_clusters(side, span))) for side in pair) for pair in pairs
    ]
    works = {
        "update": lambda: updated(batches, cs.Scorer()),
        "epoch": lambda: updated(batches, cs.Scorer()).compute(warn=False),
        "conll epoch": lambda: updated(batches, cs.Scorer(metrics="conll")).compute(warn=False),
        "each": lambda: updated(batches, cs.Scorer(), each=True),
        "conll each": lambda: updated(batches, cs.Scorer(metrics="conll"), each=True),
        "pasted epoch": lambda: pasted(batches),
        "pasted each": lambda: pasted(batches, each=True),
    }
    rounds = [{name: cpu(work) for name, work in works.items()} for _ in range(5)]
    same = updated(batches, cs.Scorer(metrics="conll", profile="e2e")).compute(warn=False)
    assert abs(pasted(batches) - same["conll"]) < 1e-9, "both compute the same figure"
    return {name: min(each[name] for each in rounds) for name in works}


def updated(batches: Batches, scorer: cs.Scorer, *, each: bool = False) -> cs.Scorer:
    """Update a scorer with all documents."""
    for key, response in batches:
        scorer.update(key, response)
        if each:
            scorer.compute(warn=False)
    return scorer


def pasted(batches: Batches, *, each: bool = False) -> float:
    """Evaluate an epoch by a pasted evaluator, dictionaries included."""
    evaluator = PastedEvaluator()
    for key, response in batches:
        evaluator.update(response, key, owners(response), owners(key))
        if each:
            evaluator.get_f1()
    return evaluator.get_f1()


def seconds_of_one(work: Callable[..., object], pair: tuple[Clusters, Clusters]) -> float:
    """Time one call, without collecting garbage before it."""
    began = perf_counter()
    work(*pair)
    return perf_counter() - began


def main(case: str, size: str, *rest: str) -> None:
    """Run one case and print what it took."""
    cases: dict[str, Callable[[], dict[str, float]]] = {
        "arrays": lambda: arrays(int(size)),
        "spans": lambda: clusters(int(size), span),
        "ids": lambda: clusters(int(size), int),
        "scattered": lambda: scattered(int(size)),
        "unrelated": lambda: unrelated(int(size), *rest),
        "updates": lambda: updates(int(size)),
        "training": lambda: training(int(size), *map(int, rest)),
        "tables": lambda: tables(int(size)),
        "labels": lambda: labels(int(size)),
    }
    cs.score([[0, 1]], [[0, 1]])  # Loads what is loaded when first used.
    print(json.dumps(cases[case]()))


if __name__ == "__main__":
    main(*sys.argv[1:])
