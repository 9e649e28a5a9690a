"""A cluster of dask: on this machine, or anywhere a scheduler can be reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from corefscope.engines import Stage

T = TypeVar("T")
R = TypeVar("R")


class DaskEngine:
    """Runs tasks on the workers of a cluster."""

    does_part_of: Stage | None = None

    def __init__(self, jobs: int | None, address: str | None) -> None:
        self.is_asked = True
        self.workers = jobs or 1
        self.address = address

    def map(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[R]:
        """Yield what a function returns for each task, in the order of the tasks."""
        return map(function, tasks)

    def close(self) -> None:
        """End the connection."""
