"""Read a separate file of named entities: JSON, or one name per line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from operator import index
from os import PathLike
from typing import Any, SupportsIndex, TypeAlias

from msgspec import Struct, field

from corefscope.arguments import by_name
from corefscope.choices import PairBy
from corefscope.corpus.mentions import Span
from corefscope.exceptions import InvalidInput
from corefscope.findings import Code, Finding
from corefscope.formats.reading.limits import side_file, too_deep
from corefscope.formats.reading.strict_json import unique_keys
from corefscope.matching.documents import pair_names, spelled_findings
from corefscope.named_entities.heads import Name

Names = Mapping[str, list[Name]]
"""Names by document."""


class NamesOfFile(dict[str, list[Name]]):
    """Names by document, with the path of their file and the findings about it."""

    def __init__(self, names: Names, path: str | None, findings: Sequence[Finding] = ()) -> None:
        super().__init__(names)
        self.path = path
        self.findings = findings

    def only(self, document: str) -> NamesOfFile:
        """Return the names of one document."""
        return NamesOfFile({document: self.get(document, [])}, self.path, self.findings)

    def without(self, documents: Iterable[str]) -> NamesOfFile:
        """Return the names of all but some documents."""
        left_out = set(documents)
        names = {name: rows for name, rows in self.items() if name not in left_out}
        return NamesOfFile(names, self.path, self.findings)

    def tags(self) -> dict[str, dict[Span, str]]:
        """Return the tag of each span, by document."""
        return {document: {name.span: name.tag for name in self[document]} for document in self}

    def spelled_as(self, documents: Sequence[str], pair_by: PairBy) -> NamesOfFile:
        """Return the names by documents of the key, which may be spelled differently."""
        given = list(self)
        _, spelled = pair_names(documents, given, pair_by)
        if not spelled:
            return self
        names = {
            documents[spelled[number]] if number in spelled else document: self[document]
            for number, document in enumerate(given)
        }
        findings = spelled_findings(documents, given, spelled, lambda number: self.path)
        return NamesOfFile(names, self.path, [*self.findings, *findings])


GivenNames: TypeAlias = str | PathLike[str] | Mapping[str, Iterable[Sequence[Any]]]
"""A file of names, or ``{document: [(first, last, type), …]}``."""


def as_names(
    given: GivenNames | None, documents: Sequence[str], pair_by: PairBy
) -> NamesOfFile | None:
    """Return given names by documents of the key; None if no names were given."""
    if given is None:
        return None
    if isinstance(given, (str, PathLike)):
        names = read_names_file(given)
    elif isinstance(given, NamesOfFile):
        names = given
    else:
        names = names_of_mapping(by_name("names", given, "{'document': [(0, 1, 'PER')]}"))
    return names.spelled_as(documents, pair_by)


def read_names_file(path: str | PathLike[str]) -> NamesOfFile:
    """Read ``{document: [[first, last, type], …]}``, or lines of document, first, last, type.

    Tokens are counted from 0 in each document, and the last token is included. The fields of a line
    are separated by tabs.
    """
    try:
        text = side_file(path)
    except (OSError, UnicodeDecodeError) as error:
        message = f"cannot be read: {error}"
        raise InvalidInput.of(Code.UNREADABLE, message, file=str(path)) from None
    collected = _Collected(path=str(path))
    (_from_json if text.lstrip().startswith("{") else _from_lines)(text, collected)
    names = collected.names()
    if not any(names.values()):
        raise InvalidInput.of(
            Code.NO_LAYER,
            "the file has no names",
            expected="document, first token, last token and type",
            file=str(path),
        )
    return names


def names_of_mapping(documents: Mapping[str, Iterable[Sequence[Any]]]) -> NamesOfFile:
    """Check names that are given as ``{document: [(first, last, type), …]}``."""
    collected = _Collected(path=None)
    for document, rows in documents.items():
        collected.add_all(document, rows)
    return collected.names()


class _Collected(Struct, kw_only=True):
    """The names read so far: one type per span, each name once."""

    path: str | None
    documents: dict[str, list[Name]] = field(default_factory=dict)
    errors: list[Finding] = field(default_factory=list)
    repeated: list[Finding] = field(default_factory=list)
    _seen: dict[tuple[str, Span], tuple[str, int | None]] = field(default_factory=dict)
    """Tag and line of each span of a document."""

    def add_error(self, found: str, line: int | None = None, *, expected: str) -> None:
        self.errors.append(
            Finding(Code.BAD_LINE, found, expected=expected, file=self.path, line=line)
        )

    def add_all(self, document: str, rows: Any) -> None:
        """Add a list of names of a document."""
        self.documents.setdefault(document, [])
        is_rows = isinstance(rows, Iterable) and not isinstance(rows, (str, bytes, Mapping))
        read = [_name(row) for row in rows] if is_rows else [None]
        if None in read:
            found = f"the names of document {document!r} cannot be read"
            self.add_error(found, expected="[[first, last, type], …]")
        for name in read:
            if name is not None:
                self.add(document, name)

    def add(self, document: str, name: Name, line: int | None = None) -> None:
        """Add a name; record an error if the same span has another type."""
        known = self._seen.get((document, name.span))
        if known is None:
            self._seen[document, name.span] = name.tag, line
            self.documents.setdefault(document, []).append(name)
            return
        tag, before = known
        place = "" if before is None else f" on line {before}"
        what = f"tokens {name.start} to {name.end} of document {document!r}"
        if tag != name.tag:
            found = f"{what} are {name.tag!r} here and {tag!r}{place or ' before'}"
            self.add_error(found, line, expected="one type per name")
        else:
            message = f"{what} are {tag!r} twice{place and ', first' + place}; they count once"
            self.repeated.append(Finding(Code.NAMES_FILE, message, file=self.path, line=line))

    def names(self) -> NamesOfFile:
        """Return the names; raise :class:`InvalidInput` if there were errors."""
        if self.errors:
            raise InvalidInput(self.errors)
        return NamesOfFile(self.documents, self.path, self.repeated)


def _from_json(text: str, collected: _Collected) -> None:
    try:
        documents = json.loads(text, object_pairs_hook=unique_keys)
    except RecursionError:
        raise InvalidInput([too_deep(collected.path)]) from None
    except ValueError as error:
        raise InvalidInput.of(
            Code.DAMAGED,
            f"not JSON: {error}",
            expected="{document: [[first, last, type], …]}",
            file=collected.path,
        ) from None
    for document, rows in documents.items():
        collected.add_all(document, rows)


def _from_lines(text: str, collected: _Collected) -> None:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        document, *fields = line.split("\t")
        numbers = [int(f) if re.fullmatch(r"\s*[0-9]{1,9}\s*", f) else f for f in fields[:2]]
        name = _name([*numbers, *fields[2:]])
        if name is None:
            expected = "document, first, last and type, separated by tabs"
            collected.add_error(f"found {line[:60]!r}", number, expected=expected)
        else:
            collected.add(document, name, number)


def _name(row: Any) -> Name | None:
    """Return a name from first token, last token and type; None if the row is not valid."""
    match row:
        case [SupportsIndex(), SupportsIndex(), str(tag)] if tag.strip():
            first, last = index(row[0]), index(row[1])
            is_right = 0 <= first <= last and bool not in map(type, row)
            return Name(first, last, tag.strip()) if is_right else None
    return None
