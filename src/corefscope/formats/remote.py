"""Local copies of remote files such as ``s3://bucket/gold.conll``, which fsspec fetches.

Formats, DuckDB and the report read files of the disk, some of them twice or with the files beside
them. So a remote file or folder is copied to a temporary folder first, which is removed when the
process ends. Messages and results name the address, and never the copy.
"""

from __future__ import annotations

import atexit
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path, PurePosixPath
from tempfile import mkdtemp
from typing import Protocol
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from corefscope.exceptions import InvalidInput, needs_package
from corefscope.findings import Code
from corefscope.formats.file_names import ADDRESSES

HTTP = "http"
WITHOUT_VERSION = frozenset({"name", "size", "type", "url", "mimetype", "partial"})
"""What a server says about a file that may stay the same when the file changes."""
LONGEST_REASON = 120

Info = Mapping[str, object]
"""What a file system says about a file: its name, size, type, and often its version."""


class FileSystem(Protocol):
    """What is used of a file system of fsspec, which has no types."""

    protocol: str | tuple[str, ...]

    def invalidate_cache(self) -> None:
        """Forget what is known of folders."""

    def info(self, path: str) -> Info:
        """Return what is known about a file or a folder."""

    def find(self, path: str, *, detail: bool) -> Mapping[str, Info]:
        """Return all files below a folder."""

    def get_file(self, remote: str, local: str) -> None:
        """Copy a file."""


class Copy(Struct, frozen=True, kw_only=True):
    """A remote file or folder on the disk."""

    path: Path
    files: Mapping[str, Info]
    """What was known about each remote file when it was copied."""

    def is_current(self, files: Mapping[str, Info]) -> bool:
        """Return whether the remote files are surely still the same."""
        is_known = all(info.keys() - WITHOUT_VERSION for info in files.values())
        return is_known and files == self.files


_latest: dict[str, Copy] = {}
"""The latest copy of each address. Earlier ones stay, because corpora read their texts again."""


def fetched(address: str) -> str:
    """Return the path of a copy of a remote file or folder as it is now.

    A file that has not changed is copied once.

    Raises
    ------
    InvalidInput
        If it cannot be fetched.
    """
    with _reporting(address):
        # Loaded here because it may not be installed.
        import fsspec

        system: FileSystem
        system, path = fsspec.url_to_fs(address)
        system.invalidate_cache()
        is_folder = system.info(path)["type"] == "directory"
        files = system.find(path, detail=True) if is_folder else _with_companions(system, path)
        known = _latest.get(address)
        if known is None or not known.is_current(files):
            root = PurePosixPath(_plain(system, path).rstrip("/"))
            place = Path(mkdtemp(dir=_home()), root.name or "remote")
            folder, above = (place, root) if is_folder else (place.parent, root.parent)
            folder.mkdir(exist_ok=True)
            for remote in files:
                _fetch(system, remote, folder, above)
            _name_copies(place, address)
            known = _latest[address] = Copy(path=place, files=files)
        return str(known.path)


def _with_companions(system: FileSystem, path: str) -> dict[str, Info]:
    """Return a file, and those beside it that formats read together with it."""
    # Loaded here because formats read sources, which may be copies.
    from corefscope.formats.registry import companions

    files = {path: system.info(path)}
    plain = path.removesuffix(".gz")
    endings = [each for each, others in companions().items() if plain.endswith(tuple(others))]
    for ending in (each + packed for each in endings for packed in ("", ".gz")):
        beside = plain.rpartition(".")[0] + ending
        # Stores that do not let a user list a folder refuse access to files that do not exist.
        with suppress(OSError):
            files[beside] = system.info(beside)
    return files


def _fetch(system: FileSystem, remote: str, folder: Path, above: PurePosixPath) -> None:
    """Copy a file of the remote folder ``above`` to its place in a local folder."""
    name = PurePosixPath(_plain(system, remote)).relative_to(above)
    if ".." in name.parts:
        raise ValueError(f"the name {str(name)!r} leads out of the folder")
    if name.parts:  # Stores may have an empty object with the name of the folder itself.
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        system.get_file(remote, str(target))


def _name_copies(place: Path, address: str) -> None:
    """Keep the addresses of a copy, of its files, and of files that were fetched with it."""
    whole = address.rstrip("/")
    for file in place.parent.rglob("*"):
        if file.is_relative_to(place):
            ADDRESSES[str(file)] = "/".join((whole, *file.relative_to(place).parts))
        else:
            ADDRESSES[str(file)] = f"{whole.rpartition('/')[0]}/{file.name}"
    ADDRESSES[str(place)] = address


def _plain(system: FileSystem, path: str) -> str:
    """Return a path without what only web addresses have: a host, a query, escaped characters."""
    return unquote(urlsplit(path).path) if HTTP in system.protocol else path


@cache
def _home() -> Path:
    """Return the folder of all copies, which is removed when the process ends."""
    folder, owner = mkdtemp(prefix="corefscope-"), os.getpid()

    def remove() -> None:
        if os.getpid() == owner:  # A forked process must not remove the copies of its parent.
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    return Path(folder)


@contextmanager
def _reporting(address: str) -> Iterator[None]:
    """Turn errors of fsspec, and of the libraries behind it, into findings."""
    try:
        yield
    except (InvalidInput, MemoryError):
        raise
    except ImportError as error:
        if error.name == "fsspec":
            raise needs_package("remote files are", "fsspec", "remote", address) from None
        raise InvalidInput.of(
            Code.NEEDS_PACKAGE,
            f"{_first_line(error)}",
            expected="the package that fsspec needs for such addresses",
            file=address,
        ) from None
    except Exception as error:  # Each library has exceptions of its own.
        raise InvalidInput.of(
            Code.UNREADABLE,
            f"cannot be read: {_reason(error)}",
            expected="a file or a folder, and access to it",
            file=address,
        ) from None


def _reason(error: Exception) -> str:
    """Return why a file cannot be read, in one short line."""
    if isinstance(error, FileNotFoundError) and error.__cause__ is None:
        return "there is no such file or folder"
    # What HTTP cannot open is reported as not found, whatever the server said.
    cause = error.__cause__ if isinstance(error, FileNotFoundError) else error
    return getattr(cause, "strerror", None) or _first_line(cause) or type(error).__name__


def _first_line(error: BaseException | None) -> str:
    return str(error).partition("\n")[0][:LONGEST_REASON]
