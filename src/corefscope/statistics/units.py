"""The units of resampling: documents, or groups of documents that belong together."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from corefscope.corpus import Corpus, Integers
from corefscope.exceptions import InvalidInput, UnknownName
from corefscope.findings import Code, Finding
from corefscope.matching.overlap import Floats
from corefscope.records import dataclass

DOCUMENTS = "documents"
PARTS = "parts"
FILES = "files"
FEWEST_UNITS = 10
"""With fewer units, no p-value is given."""
FEW_UNITS = 30
"""With fewer units, a warning is given."""
PART = re.compile(r"(?P<text>.+?);?\s*part\s+\d+|(?P<spelt>.+/.+)_\d{1,2}", re.DOTALL)
"""Names of the parts of a text: ``(nw/x); part 001``, ``nw/x_1``."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Units:
    """The units of the documents of a key."""

    kind: str
    """``documents``, ``parts``, ``files``, a regular expression, or the path of a file."""
    names: tuple[str, ...]
    unit_of: Integers
    """The unit of each document of the key."""
    documents: tuple[str, ...]
    """The names of the documents, in the order of the key."""
    path: str | None = None
    """The file of the key."""

    def __len__(self) -> int:
        return len(self.names)

    @property
    def mark(self) -> str:
        """The kind of units as signatures name it."""
        return self.kind if self.kind in (DOCUMENTS, PARTS, FILES) else "groups"

    def sums(self, rows: Floats) -> Floats:
        """Sum one row per document to one row per unit."""
        # Sums of fractions depend on their order in the last digit, so the order is fixed.
        order = np.array(_sorted_places(self.documents), dtype=np.int64)
        total = np.zeros((len(self), rows.shape[1]))
        np.add.at(total, self.unit_of[order], rows[order])
        return total

    def by_name(self, rows: Floats) -> Floats:
        """Return the sums of units, sorted by name.

        Resamples draw units by position. Because units are sorted, the order of documents in the
        key does not change intervals and p-values.
        """
        return self.sums(rows)[_sorted_places(self.names)]


def _sorted_places(names: Sequence[str]) -> list[int]:
    return sorted(range(len(names)), key=names.__getitem__)


def make_units(
    documents: Sequence[str],
    by: str,
    files: Sequence[str | None] = (),
    path: str | None = None,
) -> Units:
    """Group documents by name.

    Parameters
    ----------
    documents
        Their names.
    by
        ``documents``; ``parts`` (all parts of a text are one unit); ``files`` (all documents of a
        file are one unit); the path of a file with a document and its unit, separated by a tab, on
        each line; or a regular expression, whose first group (or whole match) is the unit.
    files
        The file of each document, for ``files``.
    path
        The file of the key, for findings.
    """
    by = {"document": DOCUMENTS, "part": PARTS, "file": FILES}.get(by, by)
    if by == DOCUMENTS:
        names: Sequence[str] = documents
    elif by == PARTS:
        names = [text_of(name) for name in documents]
    elif by == FILES:
        names = _of_files(documents, files)
    elif os.path.isfile(by):  # noqa: PTH113 - it never raises
        names = _listed(documents, by)
    else:
        names = _matched(documents, by, path)
    places = {name: place for place, name in enumerate(dict.fromkeys(names))}
    unit_of = np.array([places[name] for name in names], dtype=np.int64)
    return Units(
        kind=by, names=tuple(places), unit_of=unit_of, documents=tuple(documents), path=path
    )


def units_of(key: Corpus, unit: str) -> Units:
    """Return the units of a key's documents; ``unit`` is as in :func:`make_units`."""
    files = [key.file_of(document) for document in range(len(key))]
    return make_units(key.document_names, unit, files, key.path)


def text_of(document: str) -> str:
    """Return the name of the text that a document is a part of."""
    match = PART.fullmatch(document)
    return (match["text"] or match["spelt"]) if match else document


def _of_files(documents: Sequence[str], files: Sequence[str | None]) -> list[str]:
    if len(files) != len(documents) or None in files:
        raise UnknownName("unit", FILES, [DOCUMENTS, PARTS, "a regular expression"])
    return [str(file) for file in files]


def _matched(documents: Sequence[str], expression: str, path: str | None) -> list[str]:
    """Return what a regular expression matches in each name; every name must match."""
    try:
        pattern = re.compile(expression)
    except re.error as error:
        message = (
            f"{expression!r} is neither an existing file nor a valid regular expression ({error})"
        )
        raise InvalidInput([Finding(Code.NO_UNIT, message, file=path)]) from None
    found = [pattern.search(name) for name in documents]
    for name, match in zip(documents, found, strict=True):
        if match is None or (pattern.groups and match[1] is None):
            message = (
                f"document {name!r} does not match {expression!r}; expected an expression that "
                "matches every document name, documents, parts, files, or an existing file"
            )
            raise InvalidInput([Finding(Code.NO_UNIT, message, file=path)])
    return [match[1 if pattern.groups else 0] for match in found if match]


def _listed(documents: Sequence[str], path: str) -> list[str]:
    """Return the unit of each document from a file."""
    listed: Mapping[str, str] = dict(_lines(path))
    for name in documents:
        if name not in listed:
            message = f"document {name!r} has no unit; expected a line with document, tab and unit"
            raise InvalidInput([Finding(Code.NO_UNIT, message, file=path)])
    return [listed[name] for name in documents]


def _lines(path: str) -> Iterable[tuple[str, str]]:
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput([Finding(Code.UNREADABLE, str(error), file=path)]) from None
    seen: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        document, tab, unit = line.partition("\t")
        if not tab or not document.strip() or not unit.strip():
            message = f"found {line!r}; expected a document, a tab and its unit"
            raise InvalidInput([Finding(Code.NO_UNIT, message, file=path, line=number)])
        if document in seen:
            message = f"document {document!r} is on line {seen[document]} already; expected it once"
            raise InvalidInput([Finding(Code.NO_UNIT, message, file=path, line=number)])
        seen[document] = number
        yield document, unit.strip()


def unit_findings(
    units: Units, documents: Sequence[str], *, is_alone: bool = False
) -> list[Finding]:
    """Report too few units, and parts of one text that are treated as independent.

    A single system is not tested, so its findings do not mention p-values.
    """
    findings = []
    count = len(units)
    if count < FEWEST_UNITS and not is_alone:
        message = (
            f"{_counted(units)}: too few to test differences, so no p-value is given, and "
            f"intervals are too narrow; expected {FEWEST_UNITS} or more"
        )
        findings.append(Finding(Code.NO_P_VALUE, message, file=units.path))
    elif count < FEW_UNITS:
        what = "intervals" if is_alone else "intervals and p-values"
        message = f"{_counted(units)}: {what} are rough; expected {FEW_UNITS} or more"
        findings.append(Finding(Code.FEW_UNITS, message, file=units.path))
    if units.kind == DOCUMENTS:
        texts = len({text_of(name) for name in documents})
        if texts < len(documents):
            message = (
                f"{len(documents)} documents are parts of {texts} texts, and parts of a text are "
                "not independent; use the unit 'parts' to resample whole texts"
            )
            findings.append(Finding(Code.PARTS_AS_UNITS, message, file=units.path))
    return findings


def _counted(units: Units) -> str:
    kind = "unit" if units.kind != DOCUMENTS else "document"
    return f"{len(units)} {kind}" + ("" if len(units) == 1 else "s")
