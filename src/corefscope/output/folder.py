"""A folder of files that belong together: those of this run, or those of the run before.

A list in the folder names every file that was written there, with the digest of its contents (in
the format of ``sha256sum``). Only files that are still as the list has them are ever replaced or
removed: a file that somebody else wrote, or changed, is refused before anything is written, and so
is a symbolic link, since what it points at may lie anywhere.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from errno import EACCES, EEXIST, ENOTDIR
from hashlib import sha256
from pathlib import Path
from types import TracebackType

from corefscope.exceptions import WouldDestroy
from corefscope.output.files import StagedFile, reporting, sync_folder, uninterrupted

LIST = ".corefscope-files"
"""The list of the files; readers skip names that begin with a dot."""
LINE = re.compile(r"([0-9a-f]{64})  ([^/].*)")


class OutputFolder:
    """Writes the files of a folder; what an earlier run wrote, and this one does not, is removed.

    Used in a ``with`` block. New files appear at once, in the order in which they are written.
    Files that exist are replaced together at the end of the block, and old ones are removed after
    that. If the block ends with an exception, the folder is as it was before. A kill at any
    moment leaves each file either old or new; what is superfluous is removed by the next run.
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

    def check(self, names: Iterable[str]) -> None:
        """Refuse, before any work, a folder that cannot be written or that has others' files.

        Raises
        ------
        WouldDestroy
            If a file that is not ours has one of these names.
        CannotWrite
            If the folder cannot be made, or no file can be created in it.
        """
        with reporting(str(self.path)):
            nearest = next(
                each for each in (self.path, *self.path.absolute().parents) if _is_there(each)
            )
            if not nearest.is_dir():
                raise OSError(ENOTDIR, f"{nearest} is not a folder")
            if not os.access(nearest, os.W_OK | os.X_OK):
                raise OSError(EACCES, f"no file can be created in {nearest}")
            for name in names:
                if _is_there(self.path / name) and not self._is_ours(name):
                    self._refuse(name)

    def __enter__(self) -> OutputFolder:
        return self

    def write(self, name: str, data: bytes) -> int:
        """Write a file of the folder; return the number of bytes."""
        path = self.path / name
        with reporting(str(path)):
            digest = sha256(data).hexdigest()
            self._written[name] = digest
            if _digest(path) == digest:
                return len(data)
            is_new = not _is_there(path)
            if not is_new and not self._is_ours(name):
                self._refuse(name)
            self._make_folder(path.parent)
            # Listed first, so that a file which a killed run has left is known to be ours.
            self._list(name, digest)
            if is_new:
                self._create(path, data)
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
            # After a commit nothing is left to undo.
            self._undo()

    def _commit(self) -> None:
        for path in self._created:
            _sync(path)
        for folder in {path.parent for path in self._created}:
            sync_folder(folder)
        with uninterrupted():
            # The last steps that need space on the disk; nothing was replaced or removed yet.
            listing = self._stage_list()
            for staged in self._staged:
                staged.give_temporary_name()
            self._is_replaced = True
            for staged in self._staged:
                if staged is not listing:
                    staged.publish()
        self._remove_old()
        # Until now the list names old and new files, so that a later run knows all of them.
        listing.publish()

    def _stage_list(self) -> StagedFile:
        """Write the list of the files of this run, without its name."""
        lines = (f"{digest}  {name}\n" for name, digest in self._written.items())
        listing = StagedFile(str(self.path / LIST), "".join(lines).encode())
        self._staged.append(listing)
        return listing

    def _undo(self) -> None:
        """Take back what was written, unless the new files have begun to replace the old ones."""
        with uninterrupted():
            for staged in self._staged:
                staged.discard()
            if self._is_replaced:
                return
            left = [path for path in self._created if not _is_removed(path)]
            if not left:
                # Otherwise the list still names what is left, and the next run removes it.
                self._shorten_list()
            for folder in reversed(self._folders):
                with suppress(OSError):
                    folder.rmdir()

    def _shorten_list(self) -> None:
        """Make the list what it was before."""
        with suppress(OSError):
            if self._list_size is None:
                (self.path / LIST).unlink(missing_ok=True)
            else:
                os.truncate(self.path / LIST, self._list_size)

    def _remove_old(self) -> None:
        """Remove the files of earlier runs, unless they were changed, and folders left empty."""
        folders = set()
        for name in self._listed.keys() - self._written.keys():
            path = self.path / name
            if self._is_ours(name):
                path.unlink()
                folders.add(path.parent)
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
            line = f"{digest}  {name}\n".encode()
            while line:
                line = line[os.write(descriptor, line) :]
        finally:
            os.close(descriptor)
        self._listed.setdefault(name, set()).add(digest)

    def _create(self, path: Path, data: bytes) -> None:
        self._created.append(path)
        # All files are synced together at the end, which is far faster than one by one.
        staged = StagedFile(str(path), data, sync=False)
        try:
            staged.publish()
        finally:
            staged.discard()

    def _is_ours(self, name: str) -> bool:
        return _digest(self.path / name) in self._listed.get(name, ())

    def _refuse(self, name: str) -> None:
        path = self.path / name
        reason = "the file is not corefscope's file"
        if path.is_symlink():
            reason = "this is a symbolic link, which is not corefscope's"
        elif name in self._listed:
            reason = "the file was changed since corefscope wrote it"
        raise WouldDestroy(EEXIST, f"{reason}, and would be overwritten", str(path))


def _read_list(path: Path) -> tuple[dict[str, set[str]], int | None]:
    """Return the digests of each file that earlier runs wrote, and the size of the list, if any.

    A file has two digests after a run that was killed: it may be the old one or the new one.
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


def _is_there(path: Path) -> bool:
    """Tell whether a name is taken, be it by a link that leads nowhere."""
    return os.path.lexists(path)


def _is_removed(path: Path) -> bool:
    """Remove a file, if possible; tell whether it is gone."""
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return False
    return True


def _digest(path: Path) -> str | None:
    """Return the digest of a file; None if there is none, or a link."""
    if path.is_symlink() or not path.is_file():
        return None
    with path.open("rb") as file:
        digest = sha256()
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
