"""Names of documents as names of files, and back; names of remote files.

What the name of a file cannot have is written as in URLs: ``a/b`` becomes ``a%2Fb``. The readers
undo this, so that documents keep their names, and different documents have different files.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from os import PathLike, fspath

from corefscope.arguments import is_address, of_type

# Patterns are compiled when the first file is written: most commands write none.
FORBIDDEN = r'%(?=[0-9A-F]{2})|[\x00-\x1f\x7f\\/:*?"<>|\ud800-\udfff]|^[.~ -]|[. ]$|\.(?=[A-Za-z])'
"""What the name of a file cannot have, and what would be read as an extension or as an escape."""
ESCAPES = r"(?:%[0-9A-F]{2})+"
LONGEST = 200
"""How many bytes the name of a file may have without its extension."""
ADDRESSES: dict[str, str] = {}
"""The addresses of the copies of remote files and folders, by their paths."""


def local(path: str) -> str:
    """Return the path of a copy for a remote address, and any other path as it is.

    Raises
    ------
    InvalidInput
        If the file or folder cannot be fetched.
    """
    if not is_address(path):
        return path
    # Loaded here because few inputs are remote.
    from corefscope.formats.remote import fetched

    return fetched(path)


def shown(path: str) -> str:
    """Return the address of a file or folder that is a copy, and any other path as it is."""
    return ADDRESSES.get(path, path)


def file_names(documents: Sequence[str]) -> list[str]:
    """Return the names of files for documents, without extensions.

    They are unique, also on systems that do not distinguish ``a`` from ``A``. Only a name that is
    empty or too long is replaced by another one.
    """
    spellings = Counter(name.lower() for name in documents)
    used: set[str] = set()
    names = []
    for number, document in enumerate(documents, start=1):
        name = escaped(document, capitals=spellings[document.lower()] > 1)
        if not name or len(name.encode()) > LONGEST:
            name = f"{name.encode()[: LONGEST - 20].decode(errors='ignore')}_{number}"
        while name.lower() in used:
            name += "_"
        used.add(name.lower())
        names.append(name)
    return names


def escaped(name: str, *, capitals: bool) -> str:
    """Return the name of a document as that of a file; on request, capital letters are escaped."""
    name = re.sub(FORBIDDEN, lambda match: _escape(match[0]), name)
    if not capitals:
        return name
    texts, escapes = re.split(ESCAPES, name), [*re.findall(ESCAPES, name), ""]
    plain = ("".join(_escape(c) if c != c.lower() else c for c in text) for text in texts)
    return "".join(text + escape for text, escape in zip(plain, escapes, strict=True))


def _escape(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode(errors="surrogatepass"))


def document_name(file: str) -> str:
    """Return the name of the document that a file is for.

    Only names that :func:`escaped` can have made are changed: ``a%20b`` is a name of its own.
    """
    if "%" not in file:
        return file
    try:
        name = re.sub(ESCAPES, lambda match: _unescaped(match[0]), file)
    except UnicodeDecodeError:
        return file
    forms = (escaped(name, capitals=capitals) for capitals in (False, True))
    return name if file in forms else file


def _unescaped(text: str) -> str:
    return bytes.fromhex(text.replace("%", "")).decode(errors="surrogatepass")


def path_of(path: str | PathLike[str]) -> str:
    """Return a path that a caller gives as a text; refuse anything else."""
    of_type("path", path, (str, PathLike), "a string or a pathlib.Path")
    return fspath(path)
