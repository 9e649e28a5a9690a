"""An engine that divides work as several processes do, but in this process."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from corefscope.engines import ALONE, CannotSend, InProcess, using

T = TypeVar("T")
R = TypeVar("R")


class Divided(InProcess):
    """Divides all work into parts, and sends every result as bytes."""

    is_asked = True

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.tasks = 0

    def map(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[R]:
        """Yield what another process would send back."""
        assert all(str(task) for task in tasks)
        for task in tasks:
            self.tasks += 1
            with using(ALONE):
                result = function(task)
            yield self._sent(result)

    def _sent(self, result: R) -> R:
        try:
            data = pickle.dumps(result)
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            raise CannotSend(str(error)) from None
        found = pickle.loads(data)
        assert isinstance(found, type(result))
        return found
