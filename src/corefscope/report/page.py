"""The page: one file with its data, style and script inside, and no need of a network."""

from __future__ import annotations

import gzip
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from corefscope.escaping import visible
from corefscope.output import OutputFolder
from corefscope.report.contents import Contents
from corefscope.report.script import STATIC, bundle
from corefscope.serialization.common import as_json

STYLES = tuple(
    f"{folder}/style.css"
    for folder in (
        "shared",
        "charts",
        "overview",
        "systems",
        "errors",
        "document",
        "entities",
        "names",
        "statistics",
        "data",
    )
)
"""The styles of the page, where a later one may change what an earlier one says."""

DOCUMENTS = "documents"
"""The folder beside a split page."""
DIGITS = 12
"""Hexadecimal digits of the contents in the name of a document's file."""
PAGE = "index.html"
"""The page of a report that is split."""
COMPRESSION = 6
"""The level that is nearly as small as the highest, in a fraction of the time."""
CALLED = "corefscopeChunk"
"""The function by which a document beside the page hands over its data."""


def render(contents: Contents, progress: Callable[[int], None] | None = None) -> str:
    """Return the page as one text, the same for the same contents.

    ``progress`` hears of each document.
    """
    chunks = [*_common(contents), *_documents(contents, progress)]
    return _page(contents.title, [{"id": id, "data": data} for id, data in chunks])


def write_folder(
    contents: Contents, folder: Path, progress: Callable[[int], None] | None = None
) -> int:
    """Write a folder: the page, and beside it a file for each document, loaded when it is opened.

    Returns how many bytes were written. The name of a document's file depends on its contents, so
    that the old page has its documents until the new page replaces it; only then are documents
    of the earlier report removed. Nothing but what an earlier report wrote is replaced or removed.
    """
    size = 0
    names: list[str] = []
    with OutputFolder(folder) as output:
        for number, (id, data) in enumerate(_documents(contents, progress)):
            call = f'{CALLED}("{id}", "{data}")\n'.encode("ascii")
            names.append(f"{number}-{sha256(call).hexdigest()[:DIGITS]}.js")
            size += output.write(f"{DOCUMENTS}/{names[-1]}", call)
        chunks = [{"id": id, "data": data} for id, data in _common(contents)]
        # The script looks here for what the page does not hold.
        chunks.append({"id": "folder", "data": DOCUMENTS})
        chunks.append({"id": "files", "data": " ".join(names)})
        page = _page(contents.title, chunks, beside=True)
        return size + output.write(PAGE, page.encode("utf-8", "surrogateescape"))


def _common(contents: Contents) -> Iterator[tuple[str, str]]:
    """Go through the chunks that every view needs."""
    yield "summary", pack(contents.summary())
    yield "errors", pack(contents.errors())


def _documents(
    contents: Contents, progress: Callable[[int], None] | None
) -> Iterator[tuple[str, str]]:
    """Go through the chunks of the documents."""
    for number, document in enumerate(contents.documents()):
        yield f"document-{number}", pack(document)
        if progress:
            progress(1)


def _page(title: str, chunks: Sequence[Mapping[str, str]], *, beside: bool = False) -> str:
    """Fill in the page; ``beside`` allows it to load scripts that lie beside it."""
    script, style = bundle(), "\n".join(map(_read, STYLES))
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True
    )
    return environment.from_string(_read("page.html")).render(
        title=visible(title),
        policy=_policy(script, style, beside),
        style=Markup(style),
        script=Markup(script),
        chunks=chunks,
    )


def pack(value: object) -> str:
    """Return JSON, compressed, as letters that no parser takes for anything else."""
    data = as_json(value, indent=None).encode("utf-8", "surrogatepass")
    return b64encode(gzip.compress(data, COMPRESSION, mtime=0)).decode("ascii")


def _policy(script: str, style: str, beside: bool) -> str:
    """Allow what the page brings with it, and nothing else.

    What lies beside it is ``'self'`` on a server; a page on disk has no origin to be compared with.
    """
    own = f"'sha256-{_hash(script)}'" + (" 'self' file:" if beside else "")
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src {own}",
            f"style-src 'sha256-{_hash(style)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def _hash(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode("ascii")


def _read(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")
