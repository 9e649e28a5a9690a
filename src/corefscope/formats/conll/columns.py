"""Columns of CoNLL files that the user specifies, such as ``word=4,coref=-1``."""

from __future__ import annotations

import re
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import asdict

from corefscope.exceptions import CorefscopeError, UnknownName

PAIR = r"\s*([^=\s]*)\s*=\s*([+-]?\d{1,9})\s*"


class BadColumns(CorefscopeError, ValueError):
    """A specification of columns that is not valid."""

    exit_status = 2


class ConllColumns(Struct, frozen=True, kw_only=True):
    """The columns of a CoNLL file that the user specifies.

    Columns are counted from 1, negative ones from the end of the line: 1 is the first column and
    -1 the last. A column that is None is detected from the content.

    Parameters
    ----------
    word, tag, parse, lemma, speaker, name : int or None
        The columns of the text layers; ``name`` is the column of named entities.
    coref : int or None
        The column of the coreference cells.

    Raises
    ------
    BadColumns
        If a column is 0, or two names have the same column.
    """

    word: int | None = None
    coref: int | None = None
    tag: int | None = None
    parse: int | None = None
    lemma: int | None = None
    speaker: int | None = None
    name: int | None = None

    LAYERS: ClassVar[dict[str, str]] = {
        "word": "words",
        "tag": "tags",
        "parse": "parse",
        "lemma": "lemmas",
        "speaker": "speakers",
        "name": "names",
    }
    """The text layer of each name."""

    def __post_init__(self) -> None:
        taken: dict[int, str] = {}
        for name, column in self._given().items():
            if column == 0:
                raise BadColumns(
                    f"{name}=0: columns are counted from 1; expected 1 for the first column, "
                    "or -1 for the last"
                )
            if column in taken:
                raise BadColumns(
                    f"{taken[column]} and {name} are both column {column}; "
                    "expected a different column for each name"
                )
            taken[column] = name

    def __str__(self) -> str:
        return ",".join(f"{name}={column}" for name, column in self._given().items())

    def _given(self) -> dict[str, int]:
        return {name: column for name, column in asdict(self).items() if column is not None}

    @property
    def layers(self) -> dict[str, int]:
        """The named layers with the index of their column: from 0, or negative from the end."""
        given = self._given()
        return {layer: _index(given[name]) for name, layer in self.LAYERS.items() if name in given}

    @property
    def coref_index(self) -> int | None:
        """The index of the coreference column, if it is named."""
        return None if self.coref is None else _index(self.coref)


def _index(column: int) -> int:
    return column - 1 if column > 0 else column


def parse_columns(text: str) -> ConllColumns:
    """Parse a specification of columns such as ``word=4,coref=-1``.

    Parameters
    ----------
    text : str
        Pairs of a name and a number, separated by commas. The names are word, coref, tag, parse,
        lemma, speaker and name; columns are counted from 1, negative ones from the end.

    Returns
    -------
    Columns

    Raises
    ------
    UnknownName
        If a name is not one of these.
    BadColumns
        If a pair cannot be read, a name or a column occurs twice, or a column is 0.

    Examples
    --------
    >>> parse_columns("word=4,coref=-1").coref
    -1
    """
    known = ConllColumns.__struct_fields__
    columns: dict[str, int] = {}
    for part in text.split(","):
        pair = re.fullmatch(PAIR, part, re.ASCII)
        if pair is None:
            raise BadColumns(
                f"{part!r} does not name a column; expected NAME=NUMBER, such as "
                "word=4,coref=-1 (counted from 1, negative from the end)"
            )
        name, number = pair.groups()
        if name not in known:
            raise UnknownName("column", name, known)
        if name in columns:
            raise BadColumns(f"{name} is given twice; expected each column once")
        columns[name] = int(number)
    return ConllColumns(**columns)
