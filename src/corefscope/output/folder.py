"""Write a folder of files that belong together: all of one run, never a mixture of two runs.

A list in the folder names every file that was written there, with the digest of its contents (in
the format of ``sha256sum``). Only files that still have this digest are replaced or removed. If
somebody else wrote or changed a file, or it is a symbolic link, which may point anywhere, an
exception is raised before anything is written.

Only one run at a time writes into a folder: it holds a lock on the folder from its first file to
its end. Another run that comes in between is refused before it has changed anything.

Files of one run whose names differ only in their extensions belong together, as an annotation and
its text do. If somebody changed one of them, none of them is removed.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from errno import EACCES, EBUSY, EEXIST, ENOTDIR
from hashlib import file_digest, sha256
from pathlib import Path
from types import TracebackType

from corefscope.exceptions import WouldDestroy
from corefscope.output import LIST
from corefscope.output.files import (
    StagedFile,
    publish,
    reporting,
    sync,
    sync_folder,
    uninterrupted,
    write_all,
)

if sys.platform == "win32":
    fcntl = None  # No lock: of two runs at a time, the later one replaces the files of the other.
else:
    import fcntl

NO_LOCK = -1
LINE = re.compile(r"([0-9a-f]{64})  ([^/].*)")


class OutputFolder:
    """Writes the files of a folder, and removes those that only an earlier run wrote.

    Use it in a ``with`` block. New files appear at once, in the order in which they are written.
    Existing files are replaced together at the end of the block, and then old ones are removed. If
    the block ends with an exception, the folder is as it was before. If the process is killed, each
    file is either old or new; the next run removes those that are left over.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with reporting(str(path)):
            self._listed, self._list_size = _read_list(path / LIST)
        self._written: dict[str, str] = {}
        self._staged: list[StagedFile] = []
        self._created: list[Path] = []
        self._folders: list[Path] = []
        self._is_listing = self._is_replaced = False
        self._lock: int | None = None
        self.removed: list[str] = []
        """The files of earlier runs that were removed at the end."""
        self.kept: list[str] = []
        """Those that stay, because somebody changed them or files that belong to them."""

    def check(self, names: Iterable[str]) -> None:
        """Check before any work that files with these names can be written.

        Raises
        ------
        WouldDestroy
            If somebody else's file has one of these names.
        CannotWrite
            If the folder cannot be created, or no file can be created in it.
        """
        with reporting(str(self.path)):
            folders = (self.path, *self.path.absolute().parents)
            nearest = next(folder for folder in folders if os.path.lexists(folder))
            if not nearest.is_dir():
                raise OSError(ENOTDIR, f"{nearest} is not a folder")
            if not os.access(nearest, os.W_OK | os.X_OK):
                raise OSError(EACCES, f"no file can be created in {nearest}")
            for name in names:
                if os.path.lexists(self.path / name) and not self._is_ours(name):
                    self._refuse(name)

    def __enter__(self) -> OutputFolder:
        return self

    def write(self, name: str, data: bytes) -> int:
        """Write a file of the folder; return its number of bytes."""
        path = self.path / name
        with reporting(str(self.path)):
            self._take_lock()
        with reporting(str(path)):
            digest = sha256(data).hexdigest()
            self._written[name] = digest
            if _digest(path) == digest:
                return len(data)
            is_new = not os.path.lexists(path)
            if not is_new and not self._is_ours(name):
                self._refuse(name)
            self._make_folder(path.parent)
            # Listed first, so that the next run recognises the file if this one is killed.
            self._list(name, digest)
            if is_new:
                self._created.append(path)
                # All files are synced together at the end, which is far faster than one by one.
                publish(str(path), data, sync=False)
            else:
                self._staged.append(StagedFile(str(path), data))
        return len(data)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                with reporting(str(self.path)):
                    self._commit()
        finally:
            # After a commit there is nothing to undo.
            self._undo()
            self._release_lock()

    def _take_lock(self) -> None:
        """Make the folder, if necessary, and lock it; raise ``OSError`` if another run has it."""
        while self._lock is None:
            self._make_folder(self.path)
            self._lock = _locked(self.path)
            if self._lock is None:
                self._folders.clear()  # They are those of the other run now.
                raise OSError(EBUSY, "another run is writing into this folder")
            if self._lock >= 0 and not _is_same(self._lock, self.path):
                self._release_lock()  # The other run ended, and removed the folder.
            else:
                # The other run may have ended after the list was read.
                self._listed, self._list_size = _read_list(self.path / LIST)

    def _release_lock(self) -> None:
        descriptor, self._lock = self._lock, None
        if descriptor is not None and descriptor >= 0:
            os.close(descriptor)

    def _commit(self) -> None:
        for path in self._created:
            sync(path)
        for folder in {path.parent for path in self._created}:
            sync_folder(folder)
        with uninterrupted():
            # The last steps that need disk space; nothing has been replaced or removed yet.
            listing = self._stage_list()
            for staged in self._staged:
                staged.give_temporary_name()
            self._is_replaced = True
            for staged in self._staged:
                if staged is not listing:
                    staged.publish()
        self._remove_old()
        # Until now the list has old and new files, so that a later run recognises all of them.
        listing.publish()

    def _stage_list(self) -> StagedFile:
        """Write the list of the files of this run, not yet under its name."""
        lines = (f"{digest}  {name}\n" for name, digest in self._written.items())
        listing = StagedFile(str(self.path / LIST), "".join(lines).encode())
        self._staged.append(listing)
        return listing

    def _undo(self) -> None:
        """Remove what was written, unless new files have begun to replace old ones."""
        with uninterrupted():
            for staged in self._staged:
                staged.discard()
            if self._is_replaced:
                return
            left = [path for path in self._created if not _is_removed(path)]
            if not left and self._is_listing:
                # Otherwise the list still has the files left over, for the next run to remove.
                self._shorten_list()
            for folder in reversed(self._folders):
                with suppress(OSError):
                    folder.rmdir()

    def _shorten_list(self) -> None:
        """Restore the previous list."""
        with suppress(OSError):
            if self._list_size is None:
                (self.path / LIST).unlink(missing_ok=True)
            else:
                os.truncate(self.path / LIST, self._list_size)

    def _remove_old(self) -> None:
        """Remove unchanged files of earlier runs, and folders that become empty."""
        old = sorted(self._listed.keys() - self._written.keys())
        ours = set(filter(self._is_ours, old))
        changed = {
            path.with_suffix("")
            for name in old
            if name not in ours and os.path.lexists(path := self.path / name)
        }
        folders = set()
        for name in old:
            path = self.path / name
            if name in ours and path.with_suffix("") not in changed:
                path.unlink()
                self.removed.append(name)
                folders.add(path.parent)
            elif os.path.lexists(path):
                self.kept.append(name)
        for folder in folders - {self.path}:
            with suppress(OSError):
                folder.rmdir()

    def _make_folder(self, folder: Path) -> None:
        missing = [each for each in (folder, *folder.parents) if not each.exists()]
        for each in reversed(missing):
            each.mkdir(exist_ok=True)
            self._folders.append(each)

    def _list(self, name: str, digest: str) -> None:
        descriptor = os.open(self.path / LIST, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            if not self._is_listing:
                # A run that was killed may have left half a line.
                os.ftruncate(descriptor, self._list_size or 0)
                self._is_listing = True
            write_all(descriptor, f"{digest}  {name}\n".encode())
        finally:
            os.close(descriptor)
        self._listed.setdefault(name, set()).add(digest)

    def _is_ours(self, name: str) -> bool:
        return _digest(self.path / name) in self._listed.get(name, ())

    def _refuse(self, name: str) -> None:
        path = self.path / name
        reason = "the file was not written by corefscope"
        if path.is_symlink():
            reason = "this is a symbolic link, not written by corefscope"
        elif name in self._listed:
            reason = "the file was changed since corefscope wrote it"
        raise WouldDestroy(EEXIST, f"{reason}, and would be overwritten", str(path))


def _read_list(path: Path) -> tuple[dict[str, set[str]], int | None]:
    """Return the digests of each file that earlier runs wrote, and the size of the list, if any.

    After a run that was killed, a file has two digests: it may be the old or the new one.
    """
    listed: dict[str, set[str]] = {}
    if path.is_symlink():
        raise WouldDestroy(EEXIST, "the list of corefscope's files is a symbolic link", str(path))
    if not path.exists():
        return listed, None
    data = path.read_bytes()
    size = data.rfind(b"\n") + 1
    for line in data[:size].decode("utf-8", "replace").split("\n")[:-1]:
        match = LINE.fullmatch(line)
        if match is None or ".." in Path(match[2]).parts:
            raise WouldDestroy(EEXIST, "the file is not a list of corefscope's files", str(path))
        listed.setdefault(match[2], set()).add(match[1])
    return listed, size


def _locked(folder: Path) -> int | None:
    """Return the descriptor of a folder that is locked; −1 without locks, None if it has one."""
    if fcntl is None:
        return NO_LOCK
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except PermissionError:  # Files can be written into it, but it cannot be read.
        return NO_LOCK
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    except OSError:  # Some file systems have no locks.
        os.close(descriptor)
        return NO_LOCK
    return descriptor


def _is_same(descriptor: int, path: Path) -> bool:
    """Return whether a path still leads to the folder that was opened."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def _is_removed(path: Path) -> bool:
    """Remove a file, if possible; return whether it is gone."""
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return False
    return True


def _digest(path: Path) -> str | None:
    """Return the digest of a file; None for a link, or if there is no file."""
    if path.is_symlink() or not path.is_file():
        return None
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
