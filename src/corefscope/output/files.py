"""Write files so that each is complete or is not written at all.

A file is written without a name (or under a temporary name if the system has no unnamed files) in
the folder of its target, synced to disk, and only then given its name. After a full disk, an
exception, Ctrl-C or SIGTERM, the previous file is unchanged and no other file is left. After
SIGKILL, the previous file is unchanged; a file named ``.corefscope-….tmp`` can be left behind if
the signal comes between two system calls, or if the file system has no unnamed files.

``-`` is standard output. Anything but a regular file (a pipe, a terminal, ``/dev/null``) is written
directly. A symbolic link stays a link: the file that it points at is replaced.
"""

from __future__ import annotations

import os
import signal
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, EBADF, EINVAL, EISDIR, ENOENT, EOPNOTSUPP, EROFS
from os import PathLike, fspath
from pathlib import Path

from corefscope.arguments import is_address
from corefscope.exceptions import CannotWrite

STANDARD_OUTPUT = "-"
TEMPORARY = ".corefscope-"
"""The beginning of temporary file names; readers skip names that begin with a dot."""
NO_UNNAMED_FILES = (EOPNOTSUPP, EISDIR, ENOENT, EINVAL)
"""The error numbers of systems that cannot create a file without a name."""
MOST_LINKS = 40


def write_file(path: str | PathLike[str], data: bytes | Iterable[bytes]) -> int:
    """Write a file completely, or raise an exception and change nothing.

    Parameters
    ----------
    path
        The file, or ``-`` for standard output.
    data
        The contents of the file, or its parts one after the other.

    Returns
    -------
    int
        The number of bytes.

    Raises
    ------
    CannotWrite
        If the disk is full, the folder is missing or not writable, and so on.
    BrokenPipeError
        If the reader of a pipe has gone.
    """
    path = fspath(path)
    refuse_remote(path)
    with reporting(path):
        if path == STANDARD_OUTPUT:
            return _write_standard_output(data)
        if (descriptor := _descriptor(path)) is not None:
            return write_all(descriptor, data)
        if _is_special(path):
            return _write_directly(path, data)
        return publish(path, data)


def refuse_remote(path: str) -> None:
    """Raise :class:`CannotWrite` if a path is a remote address."""
    if is_address(path):
        raise CannotWrite(EROFS, "remote addresses are only read", path)


def check_target(path: str | PathLike[str]) -> None:
    """Raise :class:`CannotWrite` if it is already clear that a file cannot be written."""
    path = fspath(path)
    refuse_remote(path)
    with reporting(path):
        if path != STANDARD_OUTPUT and _descriptor(path) is None and not _is_special(path):
            _check_regular(_target(path))


@contextmanager
def reporting(path: str) -> Iterator[None]:
    """Turn errors of the operating system into :class:`CannotWrite`."""
    try:
        yield
    except (BrokenPipeError, CannotWrite):
        raise
    except OSError as error:
        raise CannotWrite(error.errno or 0, error.strerror or str(error), path) from None
    except ValueError as error:  # A NUL byte in the path, or a closed stream.
        raise CannotWrite(EINVAL, str(error), path) from None


class StagedFile:
    """A complete file that does not have its name yet."""

    def __init__(self, target: str, data: bytes | Iterable[bytes], *, sync: bool = True) -> None:
        self.target = _target(target)
        self._sync = sync
        self._temporary: Path | None = None
        self._descriptor = -1
        previous = _check_regular(self.target)
        self._is_new = previous is None
        try:
            # The umask applies to new files; an existing one keeps its mode.
            self._create(0o600 if previous else 0o666)
            self.size = write_all(self._descriptor, data)
            if previous:
                _copy_owner_and_mode(previous, self._descriptor)
            if sync:
                os.fsync(self._descriptor)
        except BaseException:
            self.discard()
            raise

    def publish(self) -> None:
        """Give the file its name, replacing the previous file if there is one."""
        with uninterrupted():
            if not self._link_as_new():
                self.give_temporary_name().replace(self.target)
                self._temporary = None
            self._close()
        if self._sync:
            sync_folder(self.target.parent)

    def give_temporary_name(self) -> Path:
        """Give the file a temporary name, because only a named file can be renamed.

        If the process is killed before the renaming, the file is left behind. Renaming needs no
        disk space; a new name may need some.
        """
        if self._temporary is None:
            self._temporary = _temporary_name(self.target)
            self._link(self._temporary)
        return self._temporary

    def discard(self) -> None:
        """Remove the file if it has no name of its own yet."""
        with uninterrupted():
            if self._temporary is not None:
                with suppress(OSError):
                    self._temporary.unlink()
                self._temporary = None
            self._close()

    def _create(self, mode: int) -> None:
        unnamed = _open_unnamed(self.target.parent, mode)
        if unnamed is not None:
            self._descriptor = unnamed
            return
        self._temporary = _temporary_name(self.target)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        self._descriptor = os.open(self._temporary, flags, mode)

    def _link_as_new(self) -> bool:
        """Give an unnamed file its final name, if there is no file to replace."""
        if self._temporary is not None or not self._is_new:
            return False
        try:
            self._link(self.target)
        except FileExistsError:  # Another process created it in the meantime.
            return False
        return True

    def _link(self, name: Path) -> None:
        # With a descriptor of a folder, even an unused one, Python follows the link in /proc.
        own = f"/proc/self/fd/{self._descriptor}"
        os.link(own, name, src_dir_fd=self._descriptor, follow_symlinks=True)

    def _close(self) -> None:
        if self._descriptor >= 0:
            descriptor, self._descriptor = self._descriptor, -1
            os.close(descriptor)


def publish(path: str, data: bytes | Iterable[bytes], *, sync: bool = True) -> int:
    """Write a regular file and give it its name; nothing is left if that fails."""
    staged = StagedFile(path, data, sync=sync)
    try:
        staged.publish()
    finally:
        staged.discard()
    return staged.size


def sync(path: Path) -> None:
    """Write a file, or the names in a folder, to the disk itself."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Write the names in a folder to the disk itself, if the file system supports that."""
    with suppress(OSError):
        sync(folder)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Delay signals during the few system calls that change names."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    waiting = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    previous = signal.pthread_sigmask(signal.SIG_BLOCK, waiting)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous)


def _open_unnamed(folder: Path, mode: int) -> int | None:
    """Open an unnamed file, which vanishes with this process; return None if that is impossible."""
    if not hasattr(os, "O_TMPFILE") or not Path("/proc/self/fd").is_dir():
        return None
    try:
        return os.open(folder, os.O_TMPFILE | os.O_WRONLY, mode)
    except OSError as error:
        if error.errno in NO_UNNAMED_FILES:
            return None
        raise


def _temporary_name(target: Path) -> Path:
    """Return a free name in the folder of the target; its length does not depend on the target."""
    return target.with_name(f"{TEMPORARY}{os.urandom(8).hex()}.tmp")


def write_all(descriptor: int, data: bytes | Iterable[bytes]) -> int:
    """Write every byte, and return how many; one system call may write fewer."""
    size = 0
    for part in _parts(data):
        size += len(part)
        rest = memoryview(part)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
    return size


def _parts(data: bytes | Iterable[bytes]) -> Iterable[bytes]:
    return (data,) if isinstance(data, bytes) else data


def _write_standard_output(data: bytes | Iterable[bytes]) -> int:
    if sys.stdout is None:
        raise OSError(EBADF, "standard output is closed")
    sys.stdout.flush()
    size = sum(sys.stdout.buffer.write(part) for part in _parts(data))
    sys.stdout.buffer.flush()
    return size


def _write_directly(path: str, data: bytes | Iterable[bytes]) -> int:
    descriptor = os.open(path, os.O_WRONLY)
    try:
        return write_all(descriptor, data)
    finally:
        os.close(descriptor)


def _descriptor(path: str) -> int | None:
    """Return N for ``/dev/fd/N`` and for links to it, such as ``/dev/stdout``.

    The descriptor may be an open file, as after ``>> log``, whose beginning must not be replaced.
    """
    place = Path(path)
    for _ in range(MOST_LINKS):
        if place.name.isdecimal() and os.path.realpath(place.parent) == os.path.realpath("/dev/fd"):
            return int(place.name)
        if not place.is_symlink():
            return None
        place = place.parent / place.readlink()
    return None


def _is_special(path: str) -> bool:
    """Return whether the path exists and is neither a regular file nor a folder."""
    try:
        mode = Path(path).stat().st_mode
    except FileNotFoundError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _target(path: str) -> Path:
    """Return the file that a path leads to, with links resolved.

    If ``missing`` does not exist, ``missing/../file`` looks like ``file``, but the system finds
    nothing there. The check for inputs asks the system, so such a path must not be written.
    """
    target = Path(os.path.realpath(path))
    leads_nowhere = target.exists() and not os.path.exists(path)  # noqa: PTH110 - as it stands
    if leads_nowhere or not os.path.isdir(os.path.dirname(path) or "."):  # noqa: PTH112, PTH120
        raise OSError(ENOENT, "its folder does not exist")
    return target


def _check_regular(target: Path) -> os.stat_result | None:
    """Return the status of the previous file, if any; raise ``OSError`` if it cannot be replaced.

    A read-only file is not replaced, although renaming would be allowed. A file in a folder where
    no file can be created is not replaced either: it could only be overwritten in place, and would
    be lost if that failed.
    """
    if not target.parent.is_dir():
        raise OSError(ENOENT, "its folder does not exist")
    try:
        previous = target.stat()
    except FileNotFoundError:
        previous = None
    if previous is not None and stat.S_ISDIR(previous.st_mode):
        raise OSError(EISDIR, "it is a folder")
    if previous is not None and not os.access(target, os.W_OK):
        raise OSError(EACCES, "the file is read-only")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise OSError(EACCES, "no file can be created in its folder")
    return previous


def _copy_owner_and_mode(previous: os.stat_result, descriptor: int) -> None:
    if not hasattr(os, "fchmod"):
        return
    own = os.fstat(descriptor)
    if (own.st_uid, own.st_gid) != (previous.st_uid, previous.st_gid):
        with suppress(PermissionError):
            os.fchown(descriptor, previous.st_uid, previous.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(previous.st_mode))
