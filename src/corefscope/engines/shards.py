"""A part of the work in a process of its own, and all parts put together.

A batch system starts the same command N times, each with another number. Each does the tasks that
fall to its number, and writes what they return into a file. ``merge`` then runs the command once
more, with an engine that takes the results of tasks from these files, so that what it prints is
what the undivided command prints.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from itertools import islice, zip_longest
from pathlib import Path
from typing import TypeAlias, TypeVar, cast

from corefscope.engines import ALONE, PART, Documents, Engine, PartDone, Stage, using
from corefscope.engines.encoding import BadBytes, CannotEncode, decoded, encoded
from corefscope.exceptions import InvalidInput
from corefscope.findings import Code, Finding, Remedy
from corefscope.records import dataclass
from corefscope.version import __version__

T = TypeVar("T")
R = TypeVar("R")

MAGIC = PART + b"2\n"
"""What a file of a part begins with; the number is that of its format."""
MOST = 1 << 33
"""How many bytes a part may have in memory."""
DIGEST = 32
"""The number of bytes at the end that say whether the others are right."""
Key: TypeAlias = tuple[str, str, str, int, int]
"""What tells calls of ``map`` apart: function, first and last task, number of tasks, and how often
there was such a call before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What the parts of one result have in common."""

    version: str
    words: tuple[str, ...]
    """The command with its options."""
    inputs: tuple[tuple[str, int, str], ...]
    """The path, the size and the digest of each input."""
    shards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PartFile:
    """A part of a result."""

    header: Header
    shard: int
    """Its number, from 1."""
    results: Mapping[Key, Mapping[int, bytes]]
    """What tasks returned, by call and by number of the task."""


class ShardEngine:
    """Does the tasks that fall to one of several processes."""

    is_asked = True

    def __init__(self, shard: int, shards: int, stage: Stage, inner: Engine) -> None:
        self.shard, self.workers = shard, shards
        self.does_part_of: Stage | None = stage
        self.inner = inner
        self.results: dict[Key, dict[int, bytes]] = {}
        self._calls: Counter[tuple[str, str, str, int]] = Counter()

    def map(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[R]:
        """Do the tasks that fall to this process, and keep what they return.

        Raises
        ------
        PartDone
            When they are done; unless other work is divided, which is done as a whole.
        """
        if _stage(tasks) != self.does_part_of:
            return self.inner.map(function, tasks)
        key = _key(function, tasks, self._calls)
        own = [number for number in range(len(tasks)) if self._falls_here(number)]
        found = self.inner.map(partial(_alone, function), [tasks[number] for number in own])
        results = self.results.setdefault(key, {})
        for number, result in zip(own, found, strict=True):
            try:
                results[number] = encoded(result)
            except CannotEncode:
                # Whoever puts the parts together does it again.
                continue
        raise PartDone

    def _falls_here(self, number: int) -> bool:
        """Return whether a task is one of this process.

        The first tasks are the largest: they are given out forwards and backwards in turn.
        """
        turn, place = divmod(number, self.workers)
        return self.shard - 1 == (self.workers - 1 - place if turn % 2 else place)

    def close(self) -> None:
        """End all workers."""
        self.inner.close()


class MergedEngine:
    """Takes what tasks return from the parts; does what no part has done."""

    is_asked = True

    does_part_of: Stage | None = None

    def __init__(self, parts: Sequence[PartFile], stage: Stage, inner: Engine) -> None:
        self.workers = parts[0].header.shards
        self.stage = stage
        self.inner = inner
        self.known: dict[Key, dict[int, bytes]] = {}
        for part in parts:
            for key, results in part.results.items():
                self.known.setdefault(key, {}).update(results)
        self._calls: Counter[tuple[str, str, str, int]] = Counter()

    def map(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[R]:
        """Yield what a function returned for each task."""
        if _stage(tasks) != self.stage:
            yield from self.inner.map(function, tasks)
            return
        known = self.known.get(_key(function, tasks, self._calls), {})
        rest = [number for number in range(len(tasks)) if number not in known]
        others = self.inner.map(partial(_alone, function), [tasks[number] for number in rest])
        for number in range(len(tasks)):
            if number not in known:
                yield next(others)
                continue
            try:
                yield cast(R, decoded(known[number]))
            except BadBytes as error:
                raise InvalidInput.of(
                    Code.BAD_RESULT,
                    f"a part has a result that cannot be read ({error})",
                    expected="another",
                ) from None

    def close(self) -> None:
        """End all workers."""
        self.inner.close()


def _alone(function: Callable[[T], R], task: T) -> R:
    """Do a task that is a part itself, and is not divided again."""
    with using(ALONE):
        return function(task)


def _stage(tasks: Sequence[object]) -> Stage:
    """Return what is divided into these tasks."""
    return "analysis" if tasks and isinstance(tasks[0], Documents) else "reading"


def _key(
    function: Callable[[T], R], tasks: Sequence[T], calls: Counter[tuple[str, str, str, int]]
) -> Key:
    """Return what tells a call apart from others."""
    called = getattr(function, "func", function)
    name = f"{called.__module__}.{called.__qualname__}"
    call = name, str(tasks[0]), str(tasks[-1]), len(tasks)
    calls[call] += 1
    return *call, calls[call]


# ---- Files ----


def inputs_of(
    paths: Iterable[str], local: Callable[[str], str] = str
) -> tuple[tuple[str, int, str], ...]:
    """Return the path, the size and the digest of each file or folder.

    Parameters
    ----------
    paths
        Files and folders.
    local
        Returns where a file is that has an address.

    Raises
    ------
    InvalidInput
        If one of them cannot be read.
    """
    found = []
    for path in paths:
        place = Path(local(path))
        files = sorted(each for each in place.rglob("*") if each.is_file())
        digest, size = blake2b(digest_size=16), 0
        try:
            for file in files if place.is_dir() else [place]:
                named = f"{file.relative_to(place)}\0{file.stat().st_size}\0"
                digest.update(named.encode(errors="surrogateescape"))
                with file.open("rb") as stream:
                    for block in iter(lambda: stream.read(1 << 20), b""):
                        digest.update(block)
                        size += len(block)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise InvalidInput.of(
                Code.UNREADABLE,
                f"cannot be read: {reason}",
                expected="a file or folder, with a path that holds in the current folder",
                file=path,
            ) from None
        found.append((path, size, digest.hexdigest()))
    return tuple(found)


def as_bytes(part: PartFile) -> bytes:
    """Return a part as the contents of a file."""
    data = MAGIC + zlib.compress(encoded(part), 1)
    return data + blake2b(data, digest_size=DIGEST).digest()


def read_part(path: str) -> PartFile:
    """Read the file of a part.

    Parameters
    ----------
    path
        The file.

    Raises
    ------
    InvalidInput
        If it is none, or was cut off or changed.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise _refused(path, f"cannot be read: {error.strerror}", expected="a file") from None
    if not data.startswith(MAGIC):
        found = "a part of another version" if data.startswith(PART) else "no part of a result"
        raise _refused(path, f"this is {found}", expected="a file that one part of the work wrote")
    body, digest = data[:-DIGEST], data[-DIGEST:]
    if blake2b(body, digest_size=DIGEST).digest() != digest:
        raise _refused(path, "the part is cut off or was changed", expected="it as it was written")
    try:
        part = decoded(_inflated(body[len(MAGIC) :]))
    except (BadBytes, zlib.error) as error:
        raise _refused(path, f"the part cannot be read ({error})", expected="another") from None
    if not isinstance(part, PartFile) or part.header.version != __version__:
        found = getattr(getattr(part, "header", None), "version", "unknown")
        raise _refused(
            path, f"the part was written by version {found}", expected=f"{__version__}, as this is"
        )
    return part


def _inflated(data: bytes) -> bytes:
    """Return the bytes that were compressed; a small file can be made of any number of them."""
    inflater = zlib.decompressobj()
    found = inflater.decompress(data, MOST)
    if not inflater.eof:
        raise BadBytes(f"it has more than {MOST:,} bytes, or no end")
    return found


def _refused(path: str, found: str, *, expected: str) -> InvalidInput:
    remedy = Remedy.MAKE_PARTS
    return InvalidInput.of(Code.BAD_RESULT, found, expected=expected, file=path, remedy=remedy)


def read_parts(paths: Sequence[str]) -> list[PartFile]:
    """Read all parts of a result; refuse those that are missing, doubled, or of something else.

    Parameters
    ----------
    paths
        The files of the parts, in any order.

    Raises
    ------
    InvalidInput
        If they are not the parts of one result.
    """
    parts = [(path, read_part(path)) for path in paths]
    findings = [*_foreign(parts), *_doubled(parts), *_missing(parts)]
    if findings:
        raise InvalidInput(findings)
    return [part for _, part in parts]


def _foreign(parts: Sequence[tuple[str, PartFile]]) -> Iterator[Finding]:
    """Report parts of another result than the first."""
    first_path, first = parts[0][0], parts[0][1].header
    for path, part in parts:
        header = part.header
        if header.words != first.words:
            other = f"the command {' '.join(header.words)!r}"
            wanted = f"{' '.join(first.words)!r}, as in {first_path}"
        elif header.inputs != first.inputs:
            both = zip_longest(header.inputs, first.inputs, fillvalue=("number of files",))
            changed = next(ours[0] for ours, theirs in both if ours != theirs)
            other, wanted = f"another {changed}", f"the same inputs as {first_path}"
        elif header.shards != first.shards:
            other, wanted = f"{header.shards} parts", f"{first.shards}"
        else:
            continue
        yield Finding(
            Code.UNLIKE_RESULTS,
            f"this is a part of a result for {other}",
            expected=wanted,
            file=path,
        )


def _doubled(parts: Sequence[tuple[str, PartFile]]) -> Iterator[Finding]:
    """Report parts with the same number."""
    known: dict[int, str] = {}
    for path, part in parts:
        if part.shard in known:
            yield Finding(
                Code.UNLIKE_RESULTS,
                f"part {part.shard} is given twice, also as {known[part.shard]}",
                expected="each part once",
                file=path,
            )
        known.setdefault(part.shard, path)


def _missing(parts: Sequence[tuple[str, PartFile]]) -> Iterator[Finding]:
    """Report parts that are not there."""
    path, shards = parts[0][0], parts[0][1].header.shards
    given = {part.shard for _, part in parts}
    missing = shards - len(given)
    if missing > 0:
        absent = (number for number in range(1, shards + 1) if number not in given)
        shown = ", ".join(map(str, islice(absent, 10))) + (", …" if missing > 10 else "")
        some = f"parts {shown} of {shards} are" if missing > 1 else f"part {shown} of {shards} is"
        yield Finding(
            Code.BAD_RESULT,
            f"{some} missing",
            expected="all parts: make those, and merge again",
            file=path,
            remedy=Remedy.MAKE_PARTS,
        )
