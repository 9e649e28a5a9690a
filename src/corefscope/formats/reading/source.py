"""Read bytes from files, gzip files and standard input."""

from __future__ import annotations

import gzip
import io
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple, NoReturn, cast

from msgspec import Struct, field

from corefscope.exceptions import InvalidInput
from corefscope.findings import Code, Finding
from corefscope.formats.file_names import document_name, shown
from corefscope.formats.reading.limits import Limits

if TYPE_CHECKING:
    from corefscope.formats.registry import Format

BLOCK = 1 << 20
"""How many bytes are read at a time: few enough for the CPU cache, enough for numpy."""

STANDARD_INPUT = "-"
BOM = b"\xef\xbb\xbf"
GZIP = b"\x1f\x8b"
LARGE = "the gzip file is too large after decompression"
UNPACKED = f"{LARGE} to be kept in memory"
ENDING = re.compile(r"(?:\.(?!part_?\d+\b)[A-Za-z][A-Za-z0-9_]{0,14})+$")
"""The extensions of a file name, such as ``.txt.json``; ``.part0`` belongs to the name."""

Progress = Callable[[int], None]
"""Called with how much has just been done: bytes that were read, or documents that were written."""


class FirstObject(NamedTuple):
    """The first JSON object of a file, which was read to recognise the format."""

    value: dict[str, Any]
    start: int
    size: int
    """Where it begins, and how long it is, in characters."""


class Source(Struct, eq=False, kw_only=True):
    """One file, opened as often as needed."""

    name: str
    """The name that messages use."""
    path: Path | None
    """The path; None for standard input."""
    document: str = ""
    """The name of its document, if it is one of several in a file."""
    folder: str = ""
    """The folder in the directory that is read, if files of other folders have the same name."""
    extensions: str = ""
    """Extensions that belong to the name, because files of the same folder differ only in them."""
    first_object: FirstObject | None = None
    """It is taken by the reader of the file, so that nothing is parsed twice."""
    format: Format | Finding | None = None
    """What it was recognised as, so that it is examined once."""
    _kept: bytes | None = None
    _stamp: tuple[int, int] | None = None
    is_packed: bool = False
    """Whether the file was opened as a gzip file."""
    limits: Limits = field(default_factory=Limits)

    @property
    def stem(self) -> str:
        """The name of a document that has none: that of the file, without its extensions."""
        if self.document:
            return self.document
        if self.path is None:
            return "document"
        stem = document_name(ENDING.sub("", self.path.name) or self.path.stem) + self.extensions
        return f"{self.folder}/{stem}" if self.folder else stem

    def head(self, size: int = 4096) -> bytes:
        """Return the first bytes, uncompressed and without a byte-order mark."""
        parts, left = [], size + len(BOM)
        with reporting(self.name), self.open() as stream:
            # Reading many bytes at once would allocate that much memory, even for a short file.
            while left and (block := stream.read(min(left, BLOCK))):
                parts.append(block)
                left -= len(block)
        return b"".join(parts).removeprefix(BOM)[:size]

    def open(self) -> IO[bytes]:
        """Open the uncompressed contents."""
        if self.path is None or not self.path.is_file():
            return io.BytesIO(self._read_once())
        stream = self.path.open("rb", buffering=0)
        is_gzip = stream.read(len(GZIP)) == GZIP
        stream.seek(0)
        self.is_packed = is_gzip
        if not is_gzip:
            return stream
        stream.close()
        if self._kept:
            return io.BytesIO(self._kept)
        return cast(IO[bytes], _LimitedGzip(self.path.open("rb"), self.name, self.limits))

    def _read_once(self) -> bytes:
        """Read and keep an input that cannot be read twice: standard input, or a pipe."""
        if self._kept is None:
            if self.path is None and sys.stdin is None:
                raise OSError("standard input is closed")
            if self.path is None:
                data = self._all(sys.stdin.buffer)
            else:
                with self.path.open("rb") as stream:
                    data = self._all(stream)
            if data.startswith(GZIP):
                data = _LimitedGzip(io.BytesIO(data), self.name, self.limits).read()
            self._kept = data
        return self._kept

    def _all(self, stream: IO[bytes]) -> bytes:
        """Read a stream to its end, but not beyond the limits: it may be endless."""
        blocks: list[bytes] = []
        read = begun = 0
        while block := stream.read(BLOCK):
            read += len(block)
            cut = block.rfind(b"\n") + 1
            begun = len(block) - cut if cut else begun + len(block)
            if read > self.limits.memory:
                self._refuse("memory", "the input is too large to be kept in memory")
            # Compressed bytes have no lines; they are checked when they are decompressed.
            if begun > self.limits.line and not (blocks or [block])[0].startswith(GZIP):
                self._refuse("line", f"a line at or after byte {read - begun:,} is too long")
            blocks.append(block)
        return b"".join(blocks)

    def _refuse(self, limit: str, found: str) -> NoReturn:
        raise InvalidInput([self.limits.exceeded(limit, found, self.name)])

    def blocks(self, progress: Progress | None = None) -> Iterator[tuple[int, bytes]]:
        """Yield blocks of whole lines, each with its offset in the uncompressed file."""
        with reporting(self.name), self.open() as stream:
            if self.path is not None and self._kept is None:
                self._stamp = _stamp(self.path)
            offset, first = 0, stream.read(BLOCK)
            if first.startswith(BOM):
                offset, first = len(BOM), first[len(BOM) :]
            # A line may be longer than a block: its parts are joined once, when it ends.
            parts, held = [first], len(first)
            while block := stream.read(BLOCK):
                if progress:
                    progress(len(block))
                cut = block.rfind(b"\n") + 1
                if cut:
                    lines = b"".join((*parts, block[:cut]))
                    yield offset, lines
                    offset, parts, held = offset + len(lines), [], 0
                parts.append(block[cut:])
                held += len(parts[-1])
                if held > self.limits.line:
                    self._refuse("line", f"a line at or after byte {offset:,} is too long")
            if rest := b"".join(parts):
                yield offset, rest

    def beside(self, ending: str) -> Source | None:
        """Return the file with the same name and another extension, if there is one."""
        if self.path is None:
            return None
        stem, dot, _ = self.path.name.removesuffix(".gz").rpartition(".")
        if not dot:
            return None
        return self.other(self.path.with_name(stem + ending))

    def other(self, path: Path) -> Source | None:
        """Return another file, which may be compressed, if it exists."""
        for each in (path, path.with_name(path.name + ".gz")):
            if each.is_file():
                return Source(name=shown(str(each)), path=each, limits=self.limits)
        return None

    def whole(self, progress: Progress | None = None) -> bytes:
        """Return all bytes without a byte-order mark; check later that the file is the same."""
        if self._stamp is not None:
            return self.read().removeprefix(BOM)
        parts, size = [], 0
        for _, block in self.blocks(progress):
            parts.append(block)
            size += len(block)
            if self.is_packed and size > self.limits.memory:
                self._refuse("memory", UNPACKED)
        return b"".join(parts)

    def read(self, start: int = 0, stop: int | None = None) -> bytes:
        """Read a part again; raise ``InvalidInput`` if the file has changed in the meantime."""
        with reporting(self.name):
            if self._stamp is not None and self.path and _stamp(self.path) != self._stamp:
                raise InvalidInput.of(
                    Code.UNREADABLE,
                    "the file changed while it was in use",
                    expected="the file as first read",
                    file=self.name,
                )
            with self.open() as stream:
                if isinstance(stream, gzip.GzipFile):
                    self._kept = stream.read()
                    return self._kept[start:stop]
                stream.seek(start)
                return stream.read() if stop is None else stream.read(stop - start)

    def unpack(self) -> None:
        """Keep what is in a gzip file, of which parts can only be read from its beginning."""
        if self.is_packed and self._kept is None:
            self.read(0, 0)

    def __reduce__(self) -> tuple[Callable[[], Source], tuple[()]]:
        """Return what another process needs to know; it recognises the format itself."""
        state = {name: getattr(self, name) for name in type(self).__struct_fields__}
        # It may have another working directory.
        path = None if self.path is None else self.path.absolute()
        # A file can be unpacked again; what came through a pipe cannot.
        kept = None if self.is_packed and self.path and self.path.is_file() else self._kept
        state |= {"path": path, "format": None, "first_object": None, "_kept": kept}
        return partial(Source, **state), ()


class _LimitedGzip(gzip.GzipFile):
    """A gzip file with a size limit, because a small file can decompress to any size."""

    def __init__(self, stream: IO[bytes], name: str, limits: Limits) -> None:
        super().__init__(fileobj=stream)
        self._stream = stream
        self._file = name
        self._limits = limits

    def read(self, size: int | None = -1) -> bytes:
        if size is None or size < 0:
            return b"".join(self._blocks())
        data = super().read(size)
        if self.tell() > self._limits.decompressed:
            self._refuse("decompressed", LARGE)
        return data

    def _blocks(self) -> Iterator[bytes]:
        """Yield all that is left, if it may be kept in memory."""
        read = 0
        while block := self.read(BLOCK):
            read += len(block)
            if read > self._limits.memory:
                self._refuse("memory", UNPACKED)
            yield block

    def _refuse(self, limit: str, found: str) -> NoReturn:
        raise InvalidInput([self._limits.exceeded(limit, found, self._file)])

    def close(self) -> None:
        super().close()
        self._stream.close()


@contextmanager
def reporting(file: str) -> Iterator[None]:
    """Turn errors of the operating system and of zlib into findings."""
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InvalidInput.of(
            Code.DAMAGED,
            f"the gzip file is damaged ({error})",
            expected="a complete gzip file",
            file=file,
        ) from None
    except (OSError, UnicodeEncodeError) as error:  # A name may contain half a character.
        reason = getattr(error, "strerror", None) or str(error)
        is_absent = isinstance(error, FileNotFoundError)
        raise InvalidInput.of(
            Code.UNREADABLE,
            "there is no such file" if is_absent else f"cannot be read: {reason}",
            expected="a file, a directory or -",
            file=file,
        ) from None


def _stamp(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_size, status.st_mtime_ns
