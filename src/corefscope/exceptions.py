"""The exceptions that corefscope raises deliberately, with the command's exit status for each.

::

    CorefscopeError
    ├── InvalidInput             (ValueError)   exit 3: an input cannot be used
    │   └── IncompleteResponse   (LookupError)  exit 4: documents are missing, against the options
    ├── CannotExpress            (ValueError)   exit 3: a format cannot represent the corpus
    ├── CannotWrite              (OSError)      exit 5: a file cannot be written
    │   └── WouldDestroy         (OSError)      exit 5: somebody else's file would be overwritten
    ├── OutputIsInput            (ValueError)   exit 2: an input would be overwritten
    ├── WorkerLost               (RuntimeError) exit 70: a process ended before its work was done
    ├── WrongArgument            (TypeError, ValueError) exit 2: an argument cannot be used
    └── UnknownName              (LookupError)  exit 2: no such metric, format or document
        └── SeveralNames         (LookupError)  exit 2: several documents have this in their names
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from errno import EACCES, EBADF, EBUSY, EFBIG, EISDIR, ENOENT, ENOTDIR, EPERM, EROFS
from typing import ClassVar, Self

from corefscope.findings import Code, Finding, Remedy

MOST_KNOWN = 60
"""How many valid names a message lists if none of them is similar to the one given."""


class CorefscopeError(Exception):
    """Base class of the exceptions that this package raises deliberately."""

    exit_status: ClassVar[int] = 3


class InvalidInput(CorefscopeError, ValueError):
    """An input that cannot be used; ``findings`` says why."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__(self.findings)

    @classmethod
    def of(
        cls,
        code: Code,
        found: str,
        *,
        expected: str | None = None,
        file: str | None = None,
        line: int | None = None,
        remedy: Remedy | None = None,
    ) -> Self:
        """Make the exception of one finding.

        Parameters
        ----------
        code, found, expected, file, line, remedy
            The fields of the finding.

        Returns
        -------
        InvalidInput
            The exception, to be raised.
        """
        return cls([Finding(code, found, expected=expected, file=file, line=line, remedy=remedy)])

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings))


def needs_package(what: str, package: str, extra: str, file: str) -> InvalidInput:
    """Return the exception for a file that needs a package which is not installed.

    ``what`` is read, and the ``extra`` of corefscope installs the package.
    """
    return InvalidInput.of(
        Code.NEEDS_PACKAGE,
        f"{what} read by {package}, which is not installed",
        expected=f"pip install 'corefscope[{extra}]'",
        file=file,
    )


class IncompleteResponse(InvalidInput, LookupError):
    """Documents are missing from a response, and the caller did not allow that."""

    exit_status = 4


class _WithFinding(CorefscopeError, ValueError):
    def __init__(self, finding: Finding) -> None:
        self.finding = finding
        super().__init__(finding)

    def __str__(self) -> str:
        return str(self.finding)


class CannotExpress(_WithFinding):
    """A format cannot represent what should be written; ``findings`` says what."""

    def __init__(self, finding: Finding, *others: Finding) -> None:
        self.findings = (finding, *others)
        super().__init__(finding)

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings))


class OutputIsInput(_WithFinding):
    """An output would replace an input, or would be read as one the next time."""

    exit_status = 2


class CannotWrite(CorefscopeError, OSError):
    """A file cannot be written; the previous file, if any, is unchanged.

    The parameters are those of :class:`OSError`: the error number, the reason, and the path.
    """

    exit_status = 5
    code: ClassVar[Code] = Code.NOT_WRITTEN

    @property
    def finding(self) -> Finding:
        """What went wrong, and what was expected."""
        where = "<standard output>" if self.filename == "-" else self.filename
        expected = EXPECTED.get(self.errno or 0)
        return Finding(
            self.code, f"cannot be written: {self.strerror}", expected=expected, file=where
        )

    def __str__(self) -> str:
        return str(self.finding)


EXPECTED = {
    EFBIG: "a file system and limits that allow a file of this size",
    EACCES: "a file and a folder that you may write to",
    EPERM: "a file and a folder that you may write to",
    EROFS: "a file system that can be written",
    ENOENT: "a folder that exists",
    ENOTDIR: "a folder that exists",
    EISDIR: "the name of a file",
    EBADF: "an open output",
    EBUSY: "one run at a time: wait for the other one, or choose another folder",
}
"""What a message says was expected, by error number of the operating system."""


class WouldDestroy(CannotWrite):
    """An output folder has a file of the same name that corefscope did not write."""

    code = Code.NOT_WRITTEN

    @property
    def finding(self) -> Finding:
        """Which file would be overwritten, and what to do."""
        return Finding(
            self.code,
            f"{self.strerror}",
            expected="another folder: choose one, or move the file",
            file=self.filename,
        )


class WorkerLost(CorefscopeError, RuntimeError):
    """A process that did a part of the work ended before it was done, or cannot be reached."""

    exit_status = 70

    def __init__(self, found: str, expected: str | None = None) -> None:
        super().__init__(found, expected)

    @property
    def finding(self) -> Finding:
        """What went wrong, and what was expected."""
        found, expected = self.args
        return Finding(Code.NO_MEMORY, found, expected=expected)

    def __str__(self) -> str:
        return str(self.finding)


class WrongArgument(CorefscopeError, TypeError, ValueError):
    """An argument of a function cannot be used; the message says what to pass instead."""

    exit_status = 2


class UnknownName(CorefscopeError, LookupError):
    """No metric, format, profile or document has this name."""

    exit_status = 2

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        super().__init__(kind, str(name), tuple(known))

    def __str__(self) -> str:
        kind, name, known = self.args
        from difflib import get_close_matches

        close = get_close_matches(name, known, n=1, cutoff=0.5)
        more = [f"… ({len(known)} in all)"] if len(known) > MOST_KNOWN else []
        listed = ", ".join([*known[:MOST_KNOWN], *more])
        hint = f"did you mean {close[0]}?" if close else f"known: {listed}"
        return f"no {kind} named {name!r}; {hint}"


class SeveralNames(UnknownName):
    """Several documents have names that contain this text."""

    def __str__(self) -> str:
        kind, name, known = self.args
        shown = ", ".join(map(repr, known[:MOST_KNOWN]))
        more = f", … ({len(known)} in all)" if len(known) > MOST_KNOWN else ""
        return f"{len(known)} {kind}s have {name!r} in their names; expected one: {shown}{more}"


class CorefscopeWarning(UserWarning):
    """The Python warning for findings that are not errors."""


def warn_of(findings: Sequence[Finding], stacklevel: int = 3) -> None:
    """Issue a Python warning with the first finding, and what the others are about.

    It points to the code that called the public function, which calls this one unless
    ``stacklevel`` says otherwise.
    """
    if not findings:
        return
    more = ""
    if len(findings) > 1:
        codes = dict.fromkeys(finding.code for finding in findings[1:])
        titles = "; ".join(f"{code.title} [{code.id}]" for code in codes)
        count = sum(finding.unlisted or 1 for finding in findings[1:])
        more = f" (and {count} more, see .findings: {titles})"
    read = "".join(
        f"; cs.read(path, format={name!r}) reads the {side} so"
        for side, name in findings[0].formats
    )
    warnings.warn(f"{findings[0]}{read}{more}", CorefscopeWarning, stacklevel=stacklevel)


def refuse_errors(findings: Iterable[Finding]) -> None:
    """Raise :class:`InvalidInput` if one of the findings is an error."""
    errors = [finding for finding in findings if finding.is_error]
    if errors:
        raise InvalidInput(errors)
