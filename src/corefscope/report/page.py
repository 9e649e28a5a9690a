"""The page of a report: one file that contains its data, styles and script."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import chain
from pathlib import Path

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from corefscope.escaping import visible
from corefscope.output.folder import OutputFolder
from corefscope.report.contents import Contents
from corefscope.report.record import pack
from corefscope.report.script import STATIC, bundle

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
"""The styles of the page; later ones may override earlier ones."""

DOCUMENTS = "documents"
"""The folder for the documents of a report that is a folder."""
DIGITS = 12
"""How many hexadecimal digits of its digest a document's file name has."""
PAGE = "index.html"
"""The page of a report that is a folder."""
CALLED = "corefscopeChunk"
"""The JavaScript function that a document's file calls with its data."""


def render(contents: Contents) -> str:
    """Return the page as one text, the same for the same contents."""
    chunks = [*_common(contents), *_documents(contents)]
    return _page(contents.title, [{"id": id, "data": data} for id, data in chunks])


def write_folder(contents: Contents, folder: Path) -> int:
    """Write a folder with the page and a file for each document, which is loaded on demand.

    Returns the number of bytes written. The name of a document's file depends on its contents, so
    that the old page works until the new one replaces it; then the documents of the old report are
    removed. Only files that an earlier report wrote are replaced or removed.
    """
    size = 0
    names: list[str] = []
    common = list(_common(contents))
    with OutputFolder(folder) as output:
        for number, (id, data) in enumerate(_documents(contents)):
            call = f'{CALLED}("{id}", "{data}")\n'.encode("ascii")
            names.append(f"{number}-{sha256(call).hexdigest()[:DIGITS]}.js")
            size += output.write(f"{DOCUMENTS}/{names[-1]}", call)
        chunks = [{"id": id, "data": data} for id, data in common]
        # The script looks here for documents that are not in the page.
        chunks.append({"id": "folder", "data": DOCUMENTS})
        chunks.append({"id": "files", "data": " ".join(names)})
        page = _page(contents.title, chunks, beside=True)
        return size + output.write(PAGE, page.encode("utf-8", "surrogateescape"))


def _common(contents: Contents) -> Iterator[tuple[str, str]]:
    """Yield the chunks that all views need, and those with another annotator as the key."""
    yield "summary", pack(contents.summary())
    yield "errors", pack(contents.errors())
    for number, other in enumerate(contents.others, 1):
        yield f"summary-{number}", pack(other.summary())
        yield f"errors-{number}", pack(other.errors())


def _documents(contents: Contents) -> Iterator[tuple[str, str]]:
    """Yield the chunks of the documents, with one annotator after the other as the key."""
    every = chain.from_iterable(each.documents() for each in (contents, *contents.others))
    for number, document in enumerate(every):
        yield f"document-{number}", document


def _page(title: str, chunks: Sequence[Mapping[str, str]], *, beside: bool = False) -> str:
    """Fill in the page; ``beside`` allows it to load scripts from its folder."""
    style = "\n".join(map(_read, STYLES))
    script = bundle()
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


def _policy(script: str, style: str, beside: bool) -> str:
    """Return a content security policy that allows only the page's own script and style.

    Files in its folder are ``'self'`` on a server; a page on disk has no origin, so they need
    ``file:``.
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
