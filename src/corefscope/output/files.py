"""Write files so that each is complete or is not written at all.

A file is written without a name (or under a temporary name where the system has no such files) in
the folder of its target, synced to disk, and only then given its name. A full disk, an exception,
Ctrl-C or SIGTERM leave the previous file as it was and nothing else. SIGKILL leaves the previous
file as it was as well; it can leave a file named ``.corefscope-….tmp`` if it strikes between two
system calls, or at any time on a file system that has no files without names.

``-`` is standard output. What is not a regular file (a pipe, a terminal, ``/dev/null``) is written
directly. A symbolic link stays a link: the file that it points at is replaced.
"""

from __future__ import annotations

import os
import signal
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, EBADF, EINVAL, EISDIR, ENOENT, EOPNOTSUPP
from os import PathLike, fspath
from pathlib import Path

from corefscope.exceptions import CannotWrite

STANDARD_OUTPUT = "-"
TEMPORARY = ".corefscope-"
"""How the names of temporary files begin; readers skip names that begin with a dot."""
NO_UNNAMED_FILES = (EOPNOTSUPP, EISDIR, ENOENT, EINVAL)
"""What systems and file systems answer that cannot make a file without a name."""
MOST_LINKS = 40


def write_file(path: str | PathLike[str], data: bytes) -> int:
    """Write a file completely, or raise an exception and leave everything as it was.

    Parameters
    ----------
    path
        The file, or ``-`` for standard output.
    data
        All that the file will hold.

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
    with reporting(path):
        if path == STANDARD_OUTPUT:
            _write_standard_output(data)
        elif (descriptor := _descriptor(path)) is not None:
            _write_all(descriptor, data)
        elif _is_special(path):
            _write_directly(path, data)
        else:
            with staged_file(path, data) as staged:
                staged.publish()
    return len(data)


def check_target(path: str | PathLike[str]) -> None:
    """Raise :class:`CannotWrite` if it is known beforehand that a file cannot be written."""
    path = fspath(path)
    with reporting(path):
        if path != STANDARD_OUTPUT and _descriptor(path) is None and not _is_special(path):
            _check_regular(_target(path))


@contextmanager
def reporting(path: str) -> Iterator[None]:
    """Turn the errors of the operating system into :class:`CannotWrite`."""
    try:
        yield
    except (BrokenPipeError, CannotWrite):
        raise
    except OSError as error:
        raise CannotWrite(error.errno or 0, error.strerror or str(error), path) from None
    except ValueError as error:  # A NUL byte in a path, a stream that was closed.
        raise CannotWrite(EINVAL, str(error), path) from None


class StagedFile:
    """A complete file that waits for its name; see :func:`staged_file`."""

    def __init__(self, target: str, data: bytes, *, sync: bool = True) -> None:
        self.target = _target(target)
        self._sync = sync
        self._temporary: Path | None = None
        self._descriptor = -1
        previous = _check_regular(self.target)
        self._is_new = previous is None
        try:
            # The umask applies to new files; an existing one keeps its mode.
            self._create(0o600 if previous else 0o666)
            _write_all(self._descriptor, data)
            if previous:
                _copy_owner_and_mode(previous, self._descriptor)
            if sync:
                os.fsync(self._descriptor)
        except BaseException:
            self.discard()
            raise

    def publish(self) -> None:
        """Give the file its name, in place of the previous file if there is one."""
        with uninterrupted():
            if not self._link_as_new():
                self.give_temporary_name().replace(self.target)
                self._temporary = None
            self._close()
        if self._sync:
            sync_folder(self.target.parent)

    def give_temporary_name(self) -> Path:
        """Give the file a temporary name, since only a name can be renamed.

        A kill between this and the renaming leaves the file behind. Renaming needs no space on
        the disk; a new name may.
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
        """Name a nameless file directly where nothing has to be replaced."""
        if self._temporary is not None or not self._is_new:
            return False
        try:
            self._link(self.target)
        except FileExistsError:  # Somebody else was faster.
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


@contextmanager
def staged_file(path: str, data: bytes) -> Iterator[StagedFile]:
    """Write a file that has no name yet; it vanishes unless it is published."""
    staged = StagedFile(path, data)
    try:
        yield staged
    finally:
        staged.discard()


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to disk, as far as the file system can."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let signals wait while names change: these are a few system calls."""
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
    """Open a file without a name, which vanishes with this process; None where there is no such."""
    if not hasattr(os, "O_TMPFILE") or not Path("/proc/self/fd").is_dir():
        return None
    try:
        return os.open(folder, os.O_TMPFILE | os.O_WRONLY, mode)
    except OSError as error:
        if error.errno in NO_UNNAMED_FILES:
            return None
        raise


def _temporary_name(target: Path) -> Path:
    """Return a free name beside the target, independent of the length of its own."""
    return target.with_name(f"{TEMPORARY}{os.urandom(8).hex()}.tmp")


def _write_all(descriptor: int, data: bytes) -> None:
    """Write every byte; the system may take fewer at a time."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _write_standard_output(data: bytes) -> None:
    if sys.stdout is None:
        raise OSError(EBADF, "standard output is closed")
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _write_directly(path: str, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY)
    try:
        _write_all(descriptor, data)
    finally:
        os.close(descriptor)


def _descriptor(path: str) -> int | None:
    """Return N for ``/dev/fd/N`` and for links to it, such as ``/dev/stdout``.

    What is behind may be a file, as after ``>> log``: its beginning is not ours to replace.
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
    """Tell whether there is something that is neither a regular file nor a folder."""
    try:
        mode = Path(path).stat().st_mode
    except FileNotFoundError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _target(path: str) -> Path:
    """Return the file that a path leads to, by links as well.

    If ``missing`` does not exist, ``missing/../file`` looks like ``file``, but the system finds
    nothing there. The check for inputs asks the system, so such a path must not be written.
    """
    target = Path(os.path.realpath(path))
    leads_nowhere = target.exists() and not os.path.exists(path)  # noqa: PTH110 - as it stands
    if leads_nowhere or not os.path.isdir(os.path.dirname(path) or "."):  # noqa: PTH112, PTH120
        raise OSError(ENOENT, "its folder does not exist")
    return target


def _check_regular(target: Path) -> os.stat_result | None:
    """Return the status of the previous file, if any; refuse what cannot be replaced.

    A read-only file is not replaced, although renaming would be allowed. A file in a folder in
    which no file can be created is not replaced either: it could only be overwritten in place,
    and would be lost if that failed.
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
