"""Where work runs: in this process, in several processes, or on a cluster.

Work that can be divided is a function and a list of tasks. Tasks are pure: what a task returns
depends on nothing but itself and the function, so that it does not matter where it runs, how often,
or how many others there are. Results come back in the order of the tasks. An engine has two
methods, ``map`` and ``close``; everything else is about how many tasks pay off.

The engine is chosen once, by the command line or by an argument ``jobs``, and is then in force for
all that is called: readers, analyses and the report ask :func:`current` for it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from corefscope.exceptions import WrongArgument

if TYPE_CHECKING:
    from corefscope.engines.processes import Pool

T = TypeVar("T")
R = TypeVar("R")

FINER = 4
"""How many times as many tasks as processes there are, so that none waits long for the others."""
MOST_JOBS = 1024
LOCAL, DASK = "local", "dask"
"""The engines that have a name; the address of a scheduler is another one."""


class CannotSend(RuntimeError):
    """The result of a task has something in it that another process cannot be told."""


class Engine(Protocol):
    """Runs tasks."""

    @property
    def workers(self) -> int:
        """How many tasks can run at the same time."""
        ...

    @property
    def is_asked(self) -> bool:
        """Whether the user chose this number, so that even small work is divided."""
        ...

    def map(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[R]:
        """Yield what a function returns for each task, in the order of the tasks.

        ``str(task)`` is what messages call it.
        """
        ...

    def close(self) -> None:
        """End all workers."""
        ...


class InProcess:
    """Runs one task after the other in this process."""

    workers = 1
    is_asked = False

    def map(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[R]:
        """Yield what a function returns for each task."""
        return map(function, tasks)

    def close(self) -> None:
        """Do nothing: there are no workers."""


class Processes:
    """Runs tasks in several processes of this machine."""

    def __init__(self, jobs: int | None = None) -> None:
        self.is_asked = jobs is not None
        self.workers = _processors() if jobs is None else jobs
        self._pools: list[Pool] = []

    def map(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[R]:
        """Yield what a function returns for each task, in the order of the tasks.

        This process works, too, instead of waiting for the others.

        Raises
        ------
        WorkerLost
            If a worker ends before its task does.
        """
        if len(tasks) < 2 or self.workers < 2:
            yield from map(function, tasks)
            return
        # Loaded here because most work is small.
        from corefscope.engines.processes import Pool

        pool = Pool()
        self._pools.append(pool)
        try:
            if pool.start(min(self.workers, len(tasks)) - 1, function, tasks):
                yield from pool.results(function, tasks)
            else:
                yield from map(function, tasks)
        finally:
            pool.end()
            self._pools.remove(pool)

    def close(self) -> None:
        """End all workers."""
        for pool in self._pools:
            pool.end()


def _processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


ALONE = InProcess()
_CURRENT: ContextVar[Engine] = ContextVar("engine", default=ALONE)


def current() -> Engine:
    """Return the engine that is in force: this process alone, unless another one was chosen."""
    return _CURRENT.get()


@contextmanager
def using(engine: Engine) -> Iterator[Engine]:
    """Put an engine in force, and close it at the end."""
    before = _CURRENT.set(engine)
    try:
        yield engine
    finally:
        _CURRENT.reset(before)
        engine.close()


@contextmanager
def working(jobs: int | None) -> Iterator[Engine]:
    """Put so many processes in force; None leaves the engine as it is."""
    if jobs is None:
        yield current()
    else:
        with using(engine_of(jobs)) as engine:
            yield engine


def known_jobs(jobs: object) -> int | None:
    """Return a number of processes; raise an error if it is none."""
    if jobs is None:
        return None
    if not isinstance(jobs, int) or isinstance(jobs, bool):
        raise WrongArgument(f"found {jobs!r} as the number of jobs; expected a whole number")
    if not 1 <= jobs <= MOST_JOBS:
        raise WrongArgument(f"found {jobs} jobs; expected 1 to {MOST_JOBS:,}")
    return jobs


def engine_of(jobs: int | None, name: str = LOCAL) -> Engine:
    """Return an engine.

    Parameters
    ----------
    jobs
        How many processes work at the same time; None for as many as pay off.
    name
        ``local`` for processes of this machine, ``dask`` for a cluster of dask on it, or the
        address of a scheduler of dask, such as ``tcp://host:8786``.
    """
    if name != LOCAL:
        # Loaded here because few people have a cluster.
        from corefscope.engines.cluster import DaskEngine

        return DaskEngine(jobs, None if name == DASK else name)
    return ALONE if jobs == 1 else Processes(jobs)


def worth(units: int, cost: int, enough: int) -> int:
    """Return into how many tasks work is divided.

    Parameters
    ----------
    units
        How many pieces the work has at most.
    cost
        How much work it is, in bytes, words or anything else.
    enough
        How much work is worth a process of its own.
    """
    engine = current()
    most = min(engine.workers, units)
    return max(1, most if engine.is_asked else min(most, cost // enough))


class Documents(NamedTuple):
    """Documents that are worked on together: a task."""

    numbers: range
    names: tuple[str, str]
    """The first and the last of them."""
    file: str | None = None
    """The file or folder of the key."""

    def __str__(self) -> str:
        first, last = self.names
        some = f"document {first!r}" if first == last else f"documents {first!r} to {last!r}"
        return some if self.file is None else f"{some} of {self.file}"


def tasks_of(names: Sequence[str], file: str | None, cost: int, enough: int) -> list[Documents]:
    """Return the documents of a corpus as tasks, or all of them as one if that is better.

    Parameters
    ----------
    names, file
        The names of the documents, and their file or folder.
    cost, enough
        How much work all of them are, and how much is worth a process of its own.
    """
    count = worth(len(names), cost, enough)
    parts = _smaller_and_smaller(len(names), count) if count > 1 else ranges(len(names), 1)
    return [Documents(some, (names[some[0]], names[some[-1]]), file) for some in parts if some]


def _smaller_and_smaller(count: int, workers: int) -> list[range]:
    """Divide numbers from 0 into ranges of which the last are the smallest.

    Workers then end at nearly the same time, however long each range takes.
    """
    largest = count // (workers * FINER)
    edges = [0]
    while (left := count - edges[-1]) > 0:
        edges.append(edges[-1] + max(1, largest // 2, min(largest, left // (2 * workers))))
    edges[-1] = count
    return [range(first, last) for first, last in pairwise(edges)]


def ranges(count: int, parts: int) -> list[range]:
    """Divide numbers from 0 into ranges of nearly the same size, none of them empty."""
    parts = max(1, min(parts, count))
    edges = [count * part // parts for part in range(parts + 1)]
    return [range(first, last) for first, last in pairwise(edges)]
