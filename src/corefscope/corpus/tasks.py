"""Divide the documents of a corpus: among processes, and into parts that are kept in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, pairwise
from typing import TypeVar

import numpy as np

from corefscope.corpus.arrays import Integers
from corefscope.corpus.corpus import Corpus
from corefscope.engines import Documents, current, tasks_of

R = TypeVar("R")

ENOUGH = 20_000
"""How many words are worth a process of their own, and are worked on at a time."""


def document_tasks(corpus: Corpus, names: Sequence[str] | None = None) -> list[Documents]:
    """Return the documents of a corpus as tasks, or all as one if they are not worth processes.

    Parameters
    ----------
    corpus
        The corpus; the key, if it is compared with others.
    names
        The documents that are worked on; all of them by default.
    """
    words = int(corpus.document_tokens.clip(min=0).sum())
    given = corpus.document_names if names is None else names
    tasks = tasks_of(given, corpus.path, words, ENOUGH)
    if len(tasks) > 1 and corpus.layers is not None:
        corpus.layers.prepare()
    return tasks


def parts_by_words(corpus: Corpus, numbers: range) -> list[range]:
    """Divide documents of a corpus into parts of few words, unless one document has many."""
    tokens = corpus.document_tokens[numbers.start : numbers.stop].clip(min=0)
    return [numbers[part.start : part.stop] for part in parts_by_size(tokens, ENOUGH)]


def parts_by_size(sizes: Integers, most: int) -> list[range]:
    """Divide things into parts whose sizes add up to about so much."""
    edges = np.flatnonzero(np.diff(sizes.cumsum() // most)) + 1
    return [range(first, last) for first, last in pairwise([0, *edges.tolist(), len(sizes)])]


def in_parts(
    work: Callable[[range], R], corpus: Corpus, progress: Callable[[int], None] | None = None
) -> Iterator[R]:
    """Work on all documents, a few at a time, and in several processes if that pays off.

    Parameters
    ----------
    work
        Called with the numbers of some documents.
    corpus
        The corpus; the key, if it is compared with others.
    progress
        Called with how many documents were worked on.

    Yields
    ------
    object
        What the work returned for some documents, in their order.
    """
    tasks = document_tasks(corpus)
    of_task = partial(_worked_on, work, corpus)
    found: Iterable[Iterable[tuple[int, R]]] = map(of_task, tasks)
    if len(tasks) > 1:
        found = current().map(partial(_all, of_task), tasks)
    for documents, result in chain.from_iterable(found):
        if progress:
            progress(documents)
        yield result


def _worked_on(
    work: Callable[[range], R], corpus: Corpus, task: Documents
) -> Iterator[tuple[int, R]]:
    """Yield how many documents were worked on, and the result."""
    for part in parts_by_words(corpus, task.numbers):
        yield len(part), work(part)


def _all(of_task: Callable[[Documents], Iterator[R]], task: Documents) -> list[R]:
    """Return all results of a task, as another process sends them."""
    return list(of_task(task))
