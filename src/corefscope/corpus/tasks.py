"""Divide the documents of a corpus: among processes, and into parts that are kept in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
    return tasks_of(given, corpus.path, words, ENOUGH)


def parts_by_words(corpus: Corpus, numbers: range) -> list[range]:
    """Divide documents of a corpus into parts of few words, unless one document has many."""
    tokens = corpus.document_tokens[numbers.start : numbers.stop].clip(min=0)
    return [numbers[part.start : part.stop] for part in parts_by_size(tokens, ENOUGH)]


def parts_by_size(sizes: Integers, most: int) -> list[range]:
    """Divide things into parts whose sizes add up to about so much."""
    edges = np.flatnonzero(np.diff(sizes.cumsum() // most)) + 1
    return [range(first, last) for first, last in pairwise([0, *edges.tolist(), len(sizes)])]


def in_parts(work: Callable[[range], R], corpus: Corpus) -> Iterator[R]:
    """Work on all documents, a few at a time, and in several processes if that pays off.

    Yields what the work returns for the documents of each part, in their order.
    """
    of_task = partial(_of_parts, work, corpus)
    return chain.from_iterable(current().map(of_task, document_tasks(corpus)))


def _of_parts(work: Callable[[range], R], corpus: Corpus, task: Documents) -> list[R]:
    return [work(part) for part in parts_by_words(corpus, task.numbers)]
