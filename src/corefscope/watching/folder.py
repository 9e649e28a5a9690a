"""The checkpoints in a folder: which there are, and which are completely written."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import file_digest, sha256
from pathlib import Path
from typing import NamedTuple

from corefscope.exceptions import InvalidInput
from corefscope.findings import Code
from corefscope.formats.directories import (
    TEXT_ENDINGS,
    files_below,
    has_known_ending,
    is_companion,
    matches_any,
)


class Stamp(NamedTuple):
    """What a file, or the files of a folder, look like from outside."""

    size: int
    """In bytes; of a folder, of all files together."""
    mtime_ns: int
    """When it was last changed, in nanoseconds; of a folder, its last file."""
    listing: str
    """A digest of the names, sizes and times of all files."""


def files_of(path: Path, include: Sequence[str]) -> list[Path]:
    """Return the files of a checkpoint: the file itself, or those of a folder that may be read."""
    if not path.is_dir():
        return [path]
    below = sorted(files_below(str(path)))
    if include:
        return [file for file in below if matches_any(file.relative_to(path), include)]
    return [file for file in below if has_known_ending(file)]


def stamp_of(path: Path, include: Sequence[str] = ()) -> Stamp | None:
    """Return the stamp of a file or folder; None if it does not exist or has no file."""
    try:
        files = files_of(path, include)
        stats = [(str(file.relative_to(path)), file.stat()) for file in files]
    except FileNotFoundError:
        return None
    except OSError as error:
        # It is reported when it is read, and tried again if the reason changes.
        return Stamp(0, 0, error.strerror or str(error))
    if not stats:
        return None
    listing = repr([(name, each.st_size, each.st_mtime_ns) for name, each in stats])
    return Stamp(
        size=sum(each.st_size for _, each in stats),
        mtime_ns=max(each.st_mtime_ns for _, each in stats),
        listing=sha256(listing.encode("utf-8", "surrogateescape")).hexdigest(),
    )


def digest_of(path: Path, include: Sequence[str] = ()) -> str:
    """Return the SHA-256 digest of a file, or of the names and contents of a folder's files."""
    if not path.is_dir():
        with path.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()
    whole = sha256()
    for each in files_of(path, include):
        name = str(each.relative_to(path)).encode("utf-8", "surrogateescape")
        whole.update(b"%s\0%s\n" % (name, digest_of(each).encode()))
    return whole.hexdigest()


class WatchedFolder:
    """A folder in which checkpoints appear: files, or folders of files.

    Parameters
    ----------
    path
        The folder.
    include
        Patterns of the files that are read. By default, files are chosen by their extensions, and
        plain text, which may be anything, is left out.
    key
        The path of the key, which is no checkpoint if it is in the folder.
    """

    def __init__(self, path: str, include: Sequence[str] = (), key: str | None = None) -> None:
        self.path = Path(path)
        self.include = include
        self._key = key
        self._before: dict[str, Stamp] = {}
        """The stamps at the last poll."""
        self._done: dict[str, Stamp] = {}
        """The stamps of checkpoints that need no more attention until they change."""
        self.check()

    def check(self) -> None:
        """Raise :class:`InvalidInput` if the folder is not a directory that can be listed."""
        self._names()

    def _names(self) -> list[str]:
        try:
            with os.scandir(self.path) as entries:
                return [entry.name for entry in entries]
        except (OSError, ValueError) as error:  # A NUL byte in the path is a ValueError.
            reason = getattr(error, "strerror", None) or str(error)
        raise InvalidInput.of(
            Code.UNREADABLE,
            f"the directory cannot be listed: {reason}",
            expected="a directory of checkpoints",
            file=str(self.path),
        )

    def settled(self, *, at_once: bool = False) -> list[tuple[str, Stamp]]:
        """Poll the folder; return checkpoints that are new or changed and completely written.

        Parameters
        ----------
        at_once
            Whether a checkpoint counts as completely written when it is first seen. By default,
            its size and time must have been the same at the previous poll.

        Returns
        -------
        list of tuple
            Names and stamps, in the order in which the checkpoints were written.
        """
        now = dict(self._stamps())
        before, self._before = (now if at_once else self._before), now
        settled = [
            (name, stamp)
            for name, stamp in now.items()
            if before.get(name) == stamp and self._done.get(name) != stamp
        ]
        return sorted(settled, key=lambda each: (each[1].mtime_ns, each[0]))

    @property
    def is_empty(self) -> bool:
        """Whether the last poll found no checkpoint."""
        return not self._before

    def finish(self, name: str, stamp: Stamp) -> None:
        """Leave a checkpoint alone until it changes."""
        self._done[name] = stamp

    def _stamps(self) -> Iterator[tuple[str, Stamp]]:
        for name in self._names():
            if self._is_checkpoint(name):
                stamp = stamp_of(self.path / name, self.include)
                if stamp is not None:
                    yield name, stamp

    def _is_checkpoint(self, name: str) -> bool:
        file = self.path / name
        if self._is_key(file):
            return False
        if os.path.isdir(file):  # noqa: PTH112 - it never raises
            return not name.startswith(".")
        if self.include:
            return matches_any(Path(name), self.include)
        if not has_known_ending(file) or name.lower().endswith(TEXT_ENDINGS):
            return False
        try:
            return not is_companion(file)
        except OSError:
            return True  # It is reported when it is read.

    def _is_key(self, file: Path) -> bool:
        if self._key is None:
            return False
        # If one of the two does not exist, they are different.
        with suppress(OSError):
            return os.path.samefile(file, self._key)  # noqa: PTH121
        return False
