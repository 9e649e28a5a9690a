"""Several processes on this machine.

Processes are made when work comes, and end with it. Where the operating system can copy a process
(``fork``), a worker has all that this process has in memory, and only results are sent. Elsewhere
the function is sent as well.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import traceback
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import current_process, get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkContext, SpawnContext
from multiprocessing.process import BaseProcess
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeAlias, TypeVar, cast

from msgspec import Struct, field

from corefscope.engines import ALONE, CannotSend, using
from corefscope.exceptions import CorefscopeError, WorkerLost

T = TypeVar("T")
R = TypeVar("R")

_Outcome: TypeAlias = tuple[bool, object]
"""Whether a task was done, and its result or what it raised."""
_Received: TypeAlias = tuple[int, bytes | _Outcome | BaseProcess | BaseException]
"""A task, and what became of it here, or packed in a worker, or the worker that ended before; or
why no result can be received."""
SECONDS = 0.5
"""How long we wait before we look for signals, which do not end waiting on every system."""
NO_MORE_TASKS = -1
"""What a worker is sent instead of the number of a task when there are no more."""


class _Worker(Struct, eq=False):
    """A process, and the task that it works on."""

    process: BaseProcess
    connection: Connection
    task: int | None = None


class Pool(Struct, eq=False):
    """The workers of one piece of work."""

    workers: list[_Worker] = field(default_factory=list)
    receiver: Thread | None = None

    def start(self, count: int, function: Callable[[T], R], tasks: Sequence[T]) -> bool:
        """Start workers; they inherit the function and the tasks, or are sent them.

        Returns
        -------
        bool
            Whether there are workers. There are none if this is a worker of someone else, which may
            not have workers of its own, or if the operating system refuses more processes or files.
        """
        if current_process().daemon:
            return False
        context = _context()
        # Workers write to the counts of references, so that memory they look at would be copied.
        gc.freeze()
        try:
            for _ in range(count):
                self._start_one(context, function, tasks)
        except OSError:
            self.end()
            return False
        finally:
            gc.unfreeze()
        return True

    def _start_one(
        self, context: ForkContext | SpawnContext, function: Callable[[T], R], tasks: Sequence[T]
    ) -> None:
        ours, theirs = context.Pipe()
        others = [worker.connection for worker in self.workers]
        process = context.Process(
            target=_work,
            # A worker that keeps the ends of others would not notice that we are gone.
            args=(function, tasks, theirs, [*others, ours] if _forks(context) else []),
            daemon=True,
        )
        with warnings.catch_warnings(), _without_signals():
            # Threads of numpy and of progress bars do not touch what workers use.
            warnings.simplefilter("ignore", DeprecationWarning)
            process.start()
        theirs.close()
        self.workers.append(_Worker(process, ours))

    def results(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[R]:
        """Work on all tasks together with the workers; yield the results in their order."""
        waiting, received = deque(range(len(tasks))), SimpleQueue[_Received]()
        for worker in self.workers:
            _next(worker, waiting)
        self.receiver = Thread(target=self._receive, args=(waiting, received), daemon=True)
        try:
            self.receiver.start()
        except RuntimeError:  # The operating system allows no more threads.
            self.end()
            yield from map(function, tasks)
            return
        done: dict[int, bytes | _Outcome] = {}
        for number in range(len(tasks)):
            while number not in done:
                task, result = _own_or_received(function, tasks, waiting, received)
                if isinstance(result, BaseProcess):
                    raise _lost(result, tasks[task])
                if isinstance(result, BaseException):
                    raise result
                done[task] = result
            result = done.pop(number)
            is_right, value = _unpacked(result) if isinstance(result, bytes) else result
            if not is_right:
                # Of several errors, the first is raised, however fast the others were.
                raise cast(Exception, value)
            yield cast(R, value)

    def _receive(self, waiting: deque[int], received: SimpleQueue[_Received]) -> None:
        """Take the results of workers and give them more tasks, in a thread of its own.

        A worker then goes on while this process has work of its own.
        """
        try:
            self._receive_all(waiting, received)
        except BaseException as error:
            # Such as a lack of memory for a result: whoever waits for it has to know.
            received.put((-1, error))

    def _receive_all(self, waiting: deque[int], received: SimpleQueue[_Received]) -> None:
        while busy := {w.connection: w for w in self.workers if w.task is not None}:
            for connection in wait(list(busy)):
                worker = busy[cast(Connection, connection)]
                assert worker.task is not None
                try:
                    received.put((worker.task, worker.connection.recv_bytes()))
                except (EOFError, OSError):
                    received.put((worker.task, worker.process))
                    worker.task = None
                else:
                    _next(worker, waiting)

    def end(self) -> None:
        """End all workers, also those that are still at work."""
        for worker in self.workers:
            worker.process.terminate()
        for worker in self.workers:
            worker.process.join()
        if self.receiver is not None and self.receiver.ident is not None:
            self.receiver.join()
        for worker in self.workers:
            worker.connection.close()
            worker.process.close()
        self.workers.clear()


def _own_or_received(
    function: Callable[[T], R],
    tasks: Sequence[T],
    waiting: deque[int],
    received: SimpleQueue[_Received],
) -> _Received:
    """Return a result that has come, or else do a task here, or else wait for a result."""
    with suppress(Empty):
        return received.get_nowait()
    try:
        number = waiting.popleft()
    except IndexError:
        return _waited_for(received)
    with using(ALONE):
        return number, _done(function, tasks[number])


def _waited_for(received: SimpleQueue[_Received]) -> _Received:
    while True:
        with suppress(Empty):
            return received.get(timeout=SECONDS)


def _next(worker: _Worker, waiting: deque[int]) -> None:
    """Give a worker the next task, or send it home."""
    try:
        worker.task = waiting.popleft()
    except IndexError:
        worker.task = None
    # One that has ended is noticed when its result does not come.
    with suppress(OSError):
        worker.connection.send(NO_MORE_TASKS if worker.task is None else worker.task)


def _lost(process: BaseProcess, task: object) -> WorkerLost:
    """Return the error of a worker that ended before its task did."""
    process.join()
    return WorkerLost(
        f"a process ended ({_how(process.exitcode)}) while it worked on {task}",
        expected="its result: try again with fewer jobs",
    )


ENDING = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]
"""The signals that end a command, which has handlers for them; workers have none."""


@contextmanager
def _without_signals() -> Iterator[None]:
    """Let signals wait until a worker is without the handlers that it inherits."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _take_signals() -> None:
    """End at once when told so, as a worker that has nothing to put in order."""
    for each in ENDING:
        # Ctrl-C reaches all processes of a terminal; the one that started us ends us.
        signal.signal(each, signal.SIG_IGN if each is signal.SIGINT else signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)


def _how(exit_code: int | None) -> str:
    """Say how a process ended."""
    if exit_code is not None and exit_code < 0:
        return f"signal {-exit_code}: it was stopped, or there was not enough memory"
    return f"exit status {exit_code}"


def _context() -> ForkContext | SpawnContext:
    """Return how processes are made: copied where that is safe, otherwise started anew."""
    return get_context("fork") if sys.platform == "linux" else get_context("spawn")


def _forks(context: ForkContext | SpawnContext) -> bool:
    return context.get_start_method() == "fork"


def _work(
    function: Callable[[T], R],
    tasks: Sequence[T],
    connection: Connection,
    others: Sequence[Connection],
) -> None:
    """Work on tasks until there are no more, or until the process that gives them is gone."""
    _take_signals()
    for other in others:
        other.close()
    gc.disable()
    # Whoever gives the tasks may be gone.
    with using(ALONE), suppress(EOFError, OSError):
        while (number := connection.recv()) != NO_MORE_TASKS:
            _send(connection, _done(function, tasks[number]))
    # What this process inherited is not its own to close: buffers of files, for example.
    os._exit(0)


def _done(function: Callable[[T], R], task: T) -> _Outcome:
    """Return whether a task was done, and its result or what it raised."""
    try:
        return True, function(task)
    except Exception as error:
        return False, error


def _unpacked(data: bytes) -> _Outcome:
    """Return whether a task was done, and its result or what it raised."""
    was_enabled = gc.isenabled()
    gc.disable()  # Results have many objects and no garbage.
    try:
        is_right, result = pickle.loads(data)
    finally:
        if was_enabled:
            gc.enable()
    return bool(is_right), result


def _send(connection: Connection, result: _Outcome) -> None:
    is_right, value = result
    if not is_right and not isinstance(value, CorefscopeError):
        # The traceback of an exception is not sent.
        error = cast(Exception, value)
        error.add_note("".join(traceback.format_exception(error)))
    try:
        data = pickle.dumps(result, protocol=pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        shown = "".join(traceback.format_exception_only(error)).strip()
        data = pickle.dumps((False, CannotSend(f"a result cannot be sent: {shown}")))
    connection.send_bytes(data)
