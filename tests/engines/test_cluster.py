"""A real cluster of dask: a scheduler and two workers on this machine, one of which is killed."""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest
from distributed import LocalCluster

from corefscope.engines import engine_of, using
from corefscope.engines.cluster import DaskEngine
from corefscope.exceptions import WorkerLost
from engines.test_same_results import run, words

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
SILENT = 60
"""A level above all that dask writes into its logs."""


def cluster_of(workers: int) -> LocalCluster:
    return LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        dashboard_address="127.0.0.1:0",
        silence_logs=SILENT,
    )


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with cluster_of(2) as cluster:
        yield str(cluster.scheduler_address)


@pytest.mark.parametrize("name", ["score", "errors", "nec", "compare"])
def test_the_same_bytes(name: str, address: str) -> None:
    assert run(*words(name), "--engine", address) == run(*words(name))


def test_relative_paths(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = words("errors")
    for place, name in ((1, "key.conll"), (2, "response.conll")):
        (tmp_path / name).write_bytes(Path(arguments[place]).read_bytes())
        arguments[place] = name
    monkeypatch.chdir(tmp_path)
    with using(engine_of(None, address)) as engine:
        assert engine.workers == 2 and engine.is_asked
    assert run(*arguments, "--engine", address) == run(*arguments)


def once_killed(marker: str, number: int) -> int:
    """Kill the worker at one of the tasks, the first time that it is done."""
    if number == 3 and not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.01)
    return number * number


def test_a_worker_that_is_killed_in_the_middle(address: str, tmp_path: Path) -> None:
    marker = tmp_path / "killed"
    with using(engine_of(None, address)) as engine:
        found = list(engine.map(partial(once_killed, str(marker)), range(8)))
    assert marker.exists() and found == [number * number for number in range(8)]
    # The cluster goes on.
    assert run(*words("score"), "--engine", address) == run(*words("score"))


def always_killed(number: int) -> int:
    if number == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_a_task_that_kills_every_worker(address: str) -> None:
    with using(engine_of(None, address)) as engine, pytest.raises(WorkerLost, match="were lost"):
        list(engine.map(always_killed, range(3)))


def test_a_cluster_of_its_own() -> None:
    assert run(*words("errors"), "--engine", "dask", "--jobs", "2") == run(*words("errors"))


def test_a_scheduler_that_cannot_be_reached() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    with patch("corefscope.engines.cluster.SECONDS", 1):
        status, printed, message = run(*words("score"), "--engine", address)
    assert (status, printed) == (70, "") and address in message and "E702" in message


def test_a_scheduler_without_workers() -> None:
    with cluster_of(0) as cluster:
        status, printed, message = run(*words("score"), "--engine", cluster.scheduler_address)
    assert (status, printed) == (70, "") and "has no workers" in message


def test_workers_of_another_version(address: str) -> None:
    with (
        patch("corefscope.engines.cluster.__version__", "9.9"),
        pytest.raises(WorkerLost, match=r"expected workers with corefscope 9\.9"),
    ):
        assert DaskEngine(None, address).workers


def test_dask_is_not_installed() -> None:
    with patch.dict(sys.modules, {"distributed": None}):
        status, printed, message = run(*words("score"), "--engine", "dask")
    assert (status, printed) == (3, "") and "corefscope[dask]" in message and "E305" in message
