"""Limits on what is read, so that a damaged or hostile file cannot fill the memory."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from msgspec import Struct

from corefscope.exceptions import InvalidInput, WrongArgument
from corefscope.findings import Code, Finding
from corefscope.formats.file_names import local

SIZES = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
DEEPEST = 200
"""The highest limit on nesting; to compare deeper lists, Python may exhaust its stack."""


class Limits(Struct, frozen=True, kw_only=True):
    """Limits on what is read from a file.

    Each limit has an environment variable: ``COREFSCOPE_MAX_DECOMPRESSED``,
    ``COREFSCOPE_MAX_MEMORY``, ``COREFSCOPE_MAX_LINE`` and ``COREFSCOPE_MAX_NESTING``.

    Examples
    --------
    >>> Limits(line=1 << 20).line
    1048576
    """

    decompressed: int = 8 << 30
    """Bytes of a gzip file after decompression."""
    memory: int = 2 << 30
    """Bytes kept in memory that are not on a disk: those of standard input, a pipe or a device, and
    those of a gzip file that is read as a whole."""
    line: int = 256 << 20
    """Bytes of one line; checked after each MiB that is read."""
    nesting: int = 50
    """Levels of nested lists in one mention of plain JSON; at most 200."""

    def __post_init__(self) -> None:
        if (
            min(self.decompressed, self.memory, self.line, self.nesting) < 1
            or self.nesting > DEEPEST
        ):
            raise WrongArgument(f"limits must be positive, and nesting at most {DEEPEST}: {self}")

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Limits:
        """Return the limits set in environment variables, and the defaults of all others.

        Parameters
        ----------
        environment
            The environment variables by name.

        Returns
        -------
        Limits
            The limits.

        Raises
        ------
        InvalidInput
            If a variable is not a number such as 500000, 64M or 16G.
        """
        given = {name: environment.get(_variable(name)) for name in cls.__struct_fields__}
        return cls(**{name: _number(name, text) for name, text in given.items() if text})

    def exceeded(self, name: str, found: str, file: str) -> Finding:
        """Return the finding that a limit was exceeded, and how to raise it.

        Parameters
        ----------
        name
            The name of the limit.
        found
            What was found, as the message says it.
        file
            The file in which it was found.

        Returns
        -------
        Finding
            An error.
        """
        unit = "levels" if name == "nesting" else "bytes"
        return Finding(
            Code.TOO_LARGE,
            found,
            expected=(
                f"at most {getattr(self, name):,} {unit}; if the file is right, raise the limit "
                f"with the environment variable {_variable(name)} or Limits({name}=…)"
            ),
            file=file,
        )


def too_deep(file: str | None, line: int | None = None) -> Finding:
    """Return the finding that JSON is nested more deeply than Python can read."""
    return Finding(
        Code.TOO_LARGE,
        "lists or objects are nested too deeply to be read",
        expected="clusters of mentions, which need only a few levels",
        file=file,
        line=line,
    )


def _variable(name: str) -> str:
    return f"COREFSCOPE_MAX_{name.upper()}"


def _number(name: str, text: str) -> int:
    match = re.fullmatch(r"\s*([0-9]{1,18})\s*([KMGT]?)(?:i?B)?\s*", text, re.IGNORECASE)
    number = int(match[1]) * SIZES[match[2].upper()] if match else 0
    most = f" of at most {DEEPEST}" if name == "nesting" else ""
    if number < 1 or (most and number > DEEPEST):
        raise InvalidInput.of(
            Code.TOO_LARGE,
            f"the environment variable {_variable(name)} is {text[:40]!r}",
            expected=f"a positive number{most or ' of bytes, such as 500000, 64M or 16G'}",
        )
    return number


def side_file(path: str | os.PathLike[str]) -> str:
    """Return the text of a file that says something about texts, such as a table of windows.

    Parameters
    ----------
    path
        The file; it may be a pipe or a device.

    Raises
    ------
    InvalidInput
        If it is larger than a line may be (``E119``).
    OSError, UnicodeDecodeError, ValueError
        If it cannot be read.
    """
    most = Limits.from_environment().line
    with open(local(os.fspath(path)), "rb") as file:  # noqa: PTH123 - the empty path must fail
        data = file.read(most + 1)
    if len(data) > most:
        raise InvalidInput.of(
            Code.TOO_LARGE,
            f"the file has more than {most:,} bytes",
            expected="fewer: raise the limit with COREFSCOPE_MAX_LINE if the file is right",
            file=os.fspath(path),
        )
    return data.decode("utf-8-sig")
