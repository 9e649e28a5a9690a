"""The units of resampling: documents, or groups of documents that belong together."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from corefscope.corpus import Corpus, Integers
from corefscope.exceptions import InvalidInput, UnknownName, WrongArgument
from corefscope.findings import Code, Finding, Remedy
from corefscope.formats.reading.limits import side_file
from corefscope.matching.division import topics_of
from corefscope.matching.overlap import Floats
from corefscope.options import ABOVE_DOCUMENTS
from corefscope.scoring.scores import Scores

DOCUMENTS = "documents"
WINDOWS = "windows"
TOPICS = "topics"
PARTS = "parts"
FILES = "files"
FEW_UNITS = 30
"""With fewer units, a warning is given."""
PART = re.compile(r"(?P<text>.+?);?\s*part\s+\d+|(?P<spelt>.+/.+)_\d{1,2}", re.DOTALL)
"""Names of the parts of a text: ``(nw/x); part 001``, ``nw/x_1``."""


class Units(Struct, frozen=True, eq=False, kw_only=True):
    """The units of the documents of a key."""

    kind: str
    """``documents``, ``parts``, ``files``, ``windows``, ``topics``, a regular expression, or the
    path of a file."""
    names: tuple[str, ...]
    unit_of: Integers
    """The unit of each document, or of what else has counts of its own, such as a window."""
    documents: tuple[str, ...]
    """The names of these, in the order of the key."""
    path: str | None = None
    """The file of the key."""

    def __len__(self) -> int:
        return len(self.names)

    @property
    def mark(self) -> str:
        """The kind of units as signatures name it."""
        known = (DOCUMENTS, PARTS, FILES, WINDOWS, TOPICS)
        return self.kind if self.kind in known else "groups"

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
        each line; or a regular expression, whose first group (or whole match) is the unit. Scores
        of windows and corpora with topics also have the units ``windows`` and ``topics``.
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
    return _grouped(by, names, documents, path)


def _grouped(kind: str, names: Sequence[str], documents: Sequence[str], path: str | None) -> Units:
    """Return units, given the name of the unit of each document."""
    places = {name: place for place, name in enumerate(dict.fromkeys(names))}
    unit_of = np.array([places[name] for name in names], dtype=np.int64)
    return Units(
        kind=kind, names=tuple(places), unit_of=unit_of, documents=tuple(documents), path=path
    )


def units_of(key: Corpus, scores: Scores, unit: str, topics: Mapping[str, str]) -> Units:
    """Return the units of resampling of scores; ``unit`` is as in :func:`make_units`.

    Rows of counts are those of documents, or of windows, which have documents, or of topics.
    """
    rows = scores.document_names
    unit = {"window": WINDOWS, "topic": TOPICS}.get(unit, unit)
    if unit == WINDOWS:
        if scores.profile.window is None:
            raise WrongArgument(
                "no document is cut; expected a size of windows, such as window=500"
            )
        return _grouped(WINDOWS, rows, rows, key.path)
    documents = scores.texts
    if scores.profile.level in ABOVE_DOCUMENTS:
        if unit in (DOCUMENTS, TOPICS):
            return _grouped(TOPICS, rows, rows, key.path)
        return make_units(rows, unit, path=key.path)
    if unit == TOPICS:
        return _grouped(TOPICS, _topics(key, documents, topics), rows, key.path)
    files = [key.file_of(key.index(name)) for name in documents]
    made = make_units(documents, unit, files, key.path)
    return replace(made, documents=tuple(rows))


def _topics(key: Corpus, documents: Sequence[str], given: Mapping[str, str]) -> list[str]:
    """Return the topic of each document; refuse documents without one."""
    known = dict(zip(key.document_names, topics_of(key, given), strict=True))
    for name in documents:
        if known[name] is None:
            raise InvalidInput.of(
                Code.NO_UNIT,
                f"document {name!r} of the key has no topic",
                expected="the topics of all",
                file=key.path,
            )
    return [str(known[name]) for name in documents]


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
        pattern = re.compile(str(expression))
    except re.error as error:
        message = (
            f"{expression!r} is neither an existing file nor a valid regular expression ({error})"
        )
        raise InvalidInput.of(Code.NO_UNIT, message, file=path) from None
    found = [pattern.search(name) for name in documents]
    for name, match in zip(documents, found, strict=True):
        if match is None or (pattern.groups and match[1] is None):
            raise InvalidInput.of(
                Code.NO_UNIT,
                f"document {name!r} does not match {expression!r}",
                expected=(
                    "an expression that matches every document name, documents, parts, "
                    "files, or an existing file"
                ),
                file=path,
            )
    return [match[1 if pattern.groups else 0] for match in found if match]


def _listed(documents: Sequence[str], path: str) -> list[str]:
    """Return the unit of each document from a file."""
    listed: Mapping[str, str] = dict(_lines(path))
    for name in documents:
        if name not in listed:
            raise InvalidInput.of(
                Code.NO_UNIT,
                f"document {name!r} has no unit",
                expected="a line with document, tab and unit",
                file=path,
            )
    return [listed[name] for name in documents]


def _lines(path: str) -> Iterable[tuple[str, str]]:
    try:
        text = side_file(path)
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput.of(Code.UNREADABLE, str(error), file=path) from None
    seen: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        document, tab, unit = line.partition("\t")
        if not tab or not document.strip() or not unit.strip():
            raise InvalidInput.of(
                Code.NO_UNIT,
                f"found {line!r}",
                expected="a document, a tab and its unit",
                file=path,
                line=number,
            )
        if document in seen:
            raise InvalidInput.of(
                Code.NO_UNIT,
                f"document {document!r} is on line {seen[document]} already",
                expected="it once",
                file=path,
                line=number,
            )
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
    if count < FEW_UNITS:
        what = "intervals" if is_alone else "intervals and p-values"
        how = "impossible" if count == 1 else "rough"
        findings.append(
            Finding(
                Code.FEW_UNITS,
                f"{_counted(units)}: {what} are {how}",
                expected=f"{FEW_UNITS} or more",
                file=units.path,
            )
        )
    if units.kind == DOCUMENTS:
        names = set(documents)
        texts = len(set(map(text_of, names)))
        if texts < len(names):
            message = (
                f"{len(names)} documents are parts of {texts} texts, and parts of a text are "
                "not independent; use the unit 'parts' to resample whole texts"
            )
            finding = Finding(Code.FEW_UNITS, message, file=units.path)
            findings.append(replace(finding, remedy=Remedy.RESAMPLE_PARTS))
    if units.kind == WINDOWS:
        finding = Finding(
            Code.FEW_UNITS,
            f"{count:,} windows are resampled, and windows of a text are not independent, so that "
            "intervals are too narrow",
            expected="documents, if there are enough of them",
            file=units.path,
        )
        findings.append(replace(finding, remedy=Remedy.RESAMPLE_DOCUMENTS))
    return findings


def _counted(units: Units) -> str:
    kind = "unit" if units.kind != DOCUMENTS else "document"
    return f"{len(units)} {kind}" + ("" if len(units) == 1 else "s")
