"""A separate file of named entities: JSON, or one name a line."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from corefscope.findings import Code, Finding, InvalidInput
from corefscope.formats.jsonl import unique_keys
from corefscope.named_entities.heads import Name

Names = Mapping[str, list[Name]]
"""Names by document."""


class NamesOfFile(dict[str, list[Name]]):
    """Names by document, and the file that they are from."""

    def __init__(self, names: Names, path: str) -> None:
        super().__init__(names)
        self.path = path

    def only(self, document: str) -> NamesOfFile:
        """Return the names of one document."""
        return NamesOfFile({document: self.get(document, [])}, self.path)


def read_names_file(path: str | PathLike[str]) -> NamesOfFile:
    """Read ``{document: [[first, last, type], …]}``, or lines of document, first, last, type.

    Tokens are counted in the document from 0, and the last is inside; fields of a line are
    separated by tabs.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        message = f"cannot be read: {error}"
        raise InvalidInput([Finding(Code.UNREADABLE, message, str(path))]) from None
    reader = _from_json if text.lstrip().startswith("{") else _from_lines
    names = reader(text, str(path))
    if not any(names.values()):
        message = "the file holds no name; expected document, first, last and type"
        raise InvalidInput([Finding(Code.NO_NAME_LAYER, message, str(path))])
    return NamesOfFile(names, str(path))


def _from_json(text: str, path: str) -> Names:
    try:
        documents = json.loads(text, object_pairs_hook=unique_keys)
    except (ValueError, RecursionError) as error:
        raise InvalidInput([Finding(Code.BAD_JSON, f"not JSON: {error}", path)]) from None
    names: dict[str, list[Name]] = {}
    for document, rows in documents.items():
        read = [_name(row) for row in rows] if isinstance(rows, list) else [None]
        if None in read:
            message = f"names of document {document!r}; expected [[first, last, type], …]"
            raise InvalidInput([Finding(Code.BAD_NAME, message, path)])
        names[document] = [name for name in read if name]
    return names


def _from_lines(text: str, path: str) -> Names:
    names: dict[str, list[Name]] = defaultdict(list)
    wrong = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        document, *fields = line.split("\t")
        numbers = [int(f) if re.fullmatch(r"\s*[0-9]{1,9}\s*", f) else f for f in fields[:2]]
        name = _name([*numbers, *fields[2:]])
        if name is None:
            message = f"{line[:60]!r}; expected document, first, last and type, separated by tabs"
            wrong.append(Finding(Code.BAD_NAME, message, path, number))
        else:
            names[document].append(name)
    if wrong:
        raise InvalidInput(wrong)
    return names


def _name(row: Any) -> Name | None:
    match row:
        case [int(first), int(last), str(tag)] if 0 <= first <= last and tag.strip():
            return None if bool in map(type, row) else Name(first, last, tag.strip())
    return None
