"""A cluster of dask: on this machine, or wherever a scheduler can be reached.

The workers must have this version of corefscope, and see the files under the same paths.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from corefscope.exceptions import InvalidInput, WorkerLost
from corefscope.findings import Code
from corefscope.version import __version__

if TYPE_CHECKING:
    from distributed import Client

T = TypeVar("T")
R = TypeVar("R")

SECONDS = 10
"""How long a scheduler has to answer."""
RETRIES = 3
"""How often a task is done again whose worker was lost."""


class DaskEngine:
    """Runs tasks on the workers of a cluster."""

    is_asked = True

    def __init__(self, jobs: int | None, address: str | None) -> None:
        self.jobs, self.address = jobs, address

    @property
    def workers(self) -> int:
        """How many tasks can run at the same time, or as many as the user said."""
        return self.jobs or max(1, sum(self._client.nthreads().values()))

    @cached_property
    def _client(self) -> Client:
        """The connection to the scheduler, made when there is something to do."""
        try:
            from distributed import Client, LocalCluster
        except ImportError:
            raise InvalidInput.of(
                Code.NEEDS_PACKAGE,
                "a cluster of dask is asked for, but dask.distributed is not installed",
                expected="it: pip install 'corefscope[dask]'",
            ) from None
        # What goes wrong is reported by us.
        logging.getLogger("distributed").setLevel(logging.CRITICAL + 1)
        if self.address is None:
            cluster = LocalCluster(
                n_workers=self.jobs,
                threads_per_worker=1,
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL + 1,
            )
            return Client(cluster)
        try:
            client = Client(self.address, timeout=SECONDS)
        except (OSError, ValueError, TypeError) as error:
            reason = str(error).partition("\n")[0][:80]
            raise WorkerLost(
                f"the scheduler {self.address} cannot be reached ({reason})",
                expected="a scheduler of dask that runs there",
            ) from None
        _check_workers(client, self.address)
        return client

    def map(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[R]:
        """Yield what a function returns for each task, in the order of the tasks.

        Raises
        ------
        WorkerLost
            If tasks are lost again and again, or the scheduler is.
        """
        client = self._client
        from distributed import CancelledError, KilledWorker
        from distributed.comm.core import CommClosedError

        # What the tasks share is sent once to each worker.
        shared = client.scatter([function], broadcast=True, hash=False)[0]
        futures = client.map(
            _called, tasks, function=shared, pure=False, retries=RETRIES, batch_size=len(tasks)
        )
        try:
            for task, future in zip(tasks, futures, strict=True):
                try:
                    result: R = future.result()
                except (KilledWorker, CancelledError, CommClosedError, TimeoutError) as error:
                    raise WorkerLost(
                        f"the workers of the cluster were lost ({type(error).__name__}) while "
                        f"they worked on {task}",
                        expected="a result",
                    ) from None
                yield result
        finally:
            client.cancel(futures)

    def close(self) -> None:
        """End the connection, and the cluster if it is our own."""
        client = self.__dict__.pop("_client", None)
        if client is not None:
            cluster = client.cluster
            client.close()
            if cluster is not None:
                cluster.close()


def _called(task: T, function: Callable[[T], R]) -> R:
    return function(task)


def _version() -> str:
    return __version__


def _check_workers(client: Client, address: str) -> None:
    """Raise an error if there are no workers, or workers with another version."""
    try:
        versions = client.run(_version)
    except (ImportError, AttributeError):
        versions = {"of the cluster": "of another version, or none"}
    others = {each: found for each, found in versions.items() if found != __version__}
    if versions and not others:
        return
    client.close()
    found = next((f"the worker {each} has corefscope {v}" for each, v in others.items()), "")
    found = found or f"the scheduler {address} has no workers"
    raise WorkerLost(f"{found}", expected=f"workers with corefscope {__version__}")
