"""Several processes: order, errors, workers that end, and what is left of them."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from multiprocessing import Barrier, Pipe, Process
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from pathlib import Path
from threading import Thread

import pytest

import corefscope as cs
from corefscope.demo import KEY, RESPONSES
from corefscope.engines import (
    ALONE,
    FINER,
    Processes,
    current,
    engine_of,
    known_jobs,
    ranges,
    tasks_of,
    using,
)
from corefscope.engines.processes import Pool
from corefscope.error_analysis.transformation import Transformation, transform
from corefscope.exceptions import InvalidInput, WorkerLost
from corefscope.findings import Code, Finding
from corefscope.matching.pairs import DocumentPair
from engines.test_same_results import run


def squared(number: int) -> int:
    time.sleep(0.01 * (number % 3))
    return number * number


def test_results_come_in_the_order_of_the_tasks() -> None:
    engine = Processes(3)
    assert list(engine.map(squared, range(20))) == [n * n for n in range(20)]
    assert list(engine.map(squared, [4])) == [16] and list(engine.map(squared, [])) == []


def test_work_is_done_here_and_elsewhere_and_not_divided_again() -> None:
    met = Barrier(2)

    def where(number: int) -> tuple[int, bool]:
        if number < 2:
            met.wait(60)  # The first two tasks are done at the same time.
        return os.getpid(), current() is ALONE

    found = set(Processes(2).map(where, range(6)))
    assert (os.getpid(), True) in found and len(found) == 2
    assert all(is_alone for _, is_alone in found) and current() is ALONE


def failing(number: int) -> int:
    if number == 3:
        raise InvalidInput([Finding(Code.IRREGULAR, "three")])
    return number


def test_errors_reach_the_caller() -> None:
    results = Processes(2).map(failing, range(6))
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(InvalidInput, match="three"):
        next(results)
    with pytest.raises(ZeroDivisionError) as error:
        list(Processes(2).map(lambda n: 1 // n, range(3)))
    assert "test_processes.py" in error.value.__notes__[0]


def test_a_worker_that_is_killed() -> None:
    def killed(number: int) -> int:
        if number == 0:  # The first task is that of the first worker.
            os.kill(os.getpid(), signal.SIGKILL)
        return number

    with pytest.raises(WorkerLost, match=r"signal 9.*worked on 0; expected.*E702"):
        list(Processes(2).map(killed, range(8)))


def test_results_that_cannot_be_received(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for a result is told why it does not come."""
    before = children()

    def too_large(_: Connection) -> bytes:
        raise MemoryError

    monkeypatch.setattr(Connection, "recv_bytes", too_large)
    with pytest.raises(MemoryError):
        list(Processes(2).map(squared, range(6)))
    assert children() == before


def test_results_that_cannot_be_sent() -> None:
    with pytest.raises(RuntimeError, match="cannot be sent"):
        list(Processes(2).map(lambda _: lambda: 1, range(2)))


def children() -> set[int]:
    path = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    return set(map(int, path.read_text().split()))


def test_no_process_is_left() -> None:
    before = children()
    results = Processes(4).map(squared, range(100))
    next(results)
    assert len(children() - before) == 3
    results.close()  # type: ignore[attr-defined]
    assert children() == before


SLOW = """
import os, sys, time
from corefscope.engines import Processes, using

def slow(number):
    os.write(1, f"{os.getpid()}\\n".encode())
    time.sleep(60)

with using(Processes(3)) as engine:
    list(engine.map(slow, range(4)))
"""


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGKILL])
def test_workers_end_with_the_process_that_started_them(stop: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SLOW],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        workers = {int(process.stdout.readline()) for _ in range(3)} - {process.pid}
        assert len(workers) == 2
        process.send_signal(stop)
        process.wait(timeout=60)
        if stop is signal.SIGKILL:
            # They notice it when they ask for more work; these would ask in a minute.
            for worker in workers:
                os.kill(worker, signal.SIGTERM)
    deadline = time.monotonic() + 60
    while any(Path(f"/proc/{worker}").exists() for worker in workers):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_the_engine_that_is_in_force() -> None:
    assert current() is ALONE and engine_of(1) is ALONE
    with using(engine_of(3)) as engine:
        assert current() is engine and engine.workers == 3 and engine.is_asked
    assert current() is ALONE
    assert not engine_of(None).is_asked and engine_of(None).workers >= 1


@pytest.mark.parametrize("count", [0, 1, 5, 100])
@pytest.mark.parametrize("parts", [1, 3, 7, 200])
def test_ranges_cover_everything_once(count: int, parts: int) -> None:
    found = ranges(count, parts)
    assert [number for each in found for number in each] == list(range(count))
    assert len(found) <= parts and (not count or all(found))


@pytest.mark.parametrize("count", [1, 5, 8, 100, 1000])
@pytest.mark.parametrize("jobs", [2, 3, 16])
def test_the_last_tasks_are_the_smallest(count: int, jobs: int) -> None:
    names = [f"d{number}" for number in range(count)]
    with using(engine_of(jobs)):
        tasks = tasks_of(names, "key.conll", 0, 1)
    assert [number for task in tasks for number in task.numbers] == list(range(count))
    sizes = [len(task.numbers) for task in tasks]
    assert sizes == sorted(sizes, reverse=True) and sizes[-1] > 0
    assert [task.names for task in tasks] == [
        (names[task.numbers[0]], names[task.numbers[-1]]) for task in tasks
    ]
    if count == 1000:
        assert sizes[0] == count // (jobs * FINER) >= 2 * sizes[-1]


@pytest.mark.parametrize(("jobs", "error"), [(0, ValueError), ("2", TypeError), (True, TypeError)])
def test_numbers_of_jobs_that_are_none(jobs: object, error: type[Exception]) -> None:
    with pytest.raises(error, match="expected"):
        known_jobs(jobs)
    with pytest.raises(error, match="expected"):
        cs.score([["a", "b"]], [["a", "b"]], jobs=jobs)  # type: ignore[arg-type]


def test_the_message_names_file_and_documents(monkeypatch: pytest.MonkeyPatch) -> None:

    def killed(pair: DocumentPair) -> Transformation:
        if pair.number == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return transform(pair)

    monkeypatch.setattr("corefscope.error_analysis.analysis.transform", killed)
    arguments = ["errors", str(KEY), str(RESPONSES["sieve"]), "--jobs", "2"]
    status, printed, message = run(*arguments)
    assert (status, printed) == (70, "") and "E702" in message
    name = cs.read(KEY).document_names[0]
    assert repr(name) in message and str(KEY) in message


def in_a_daemon(connection: Connection) -> None:
    with using(Processes(2)) as engine:
        connection.send((list(engine.map(squared, range(5))), len(children())))


def test_a_worker_of_someone_else_has_no_workers() -> None:
    """As in a pool of multiprocessing, or of a data loader."""
    ours, theirs = Pipe()
    process = Process(target=in_a_daemon, args=(theirs,), daemon=True)
    process.start()
    assert ours.recv() == ([n * n for n in range(5)], 0)
    process.join()


def test_no_more_processes_or_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the operating system refuses to another process is done by this one."""
    before = children()
    made = list[object]()
    start = ForkProcess.start

    def one_only(process: ForkProcess) -> None:
        if made:
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        made.append(process)
        start(process)

    monkeypatch.setattr(ForkProcess, "start", one_only)
    assert list(Processes(3).map(squared, range(7))) == [n * n for n in range(7)]
    assert children() == before and len(made) == 1


def test_no_more_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    before = children()

    def refuse(_: Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(Thread, "start", refuse)
    assert list(Processes(3).map(squared, range(7))) == [n * n for n in range(7)]
    assert children() == before


def ended_at_once(_: int) -> None:
    raise AssertionError("no task is given out")


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGHUP])
def test_workers_have_no_handlers_of_their_parent(
    stop: signal.Signals, capfd: pytest.CaptureFixture[str]
) -> None:
    """A worker that is ended as soon as it is there says nothing."""

    def handler(number: int, _: object) -> None:
        raise SystemExit(number)

    before = signal.signal(stop, handler)
    try:
        for _ in range(30):
            pool = Pool()
            pool.start(1, ended_at_once, [0, 1])
            process = pool.workers[0].process
            assert process.pid is not None
            os.kill(process.pid, stop)
            process.join(60)
            found = process.exitcode
            process.kill()
            pool.end()
            assert found == -stop
    finally:
        signal.signal(stop, before)
    assert capfd.readouterr().err == ""
