"""Where the columns of a file are: by name where the file names them, else by position."""

from __future__ import annotations

import re
from functools import cached_property

from msgspec import Struct

from corefscope.choices import Layer

DECLARATION = "global.columns"
NEW_DOCUMENT = re.compile(r"#\s*newdoc\b(?:\s+id\s*=\s*(.*))?", re.DOTALL)
USUAL = (
    "ID",
    "FORM",
    "LEMMA",
    "UPOS",
    "XPOS",
    "FEATS",
    "HEAD",
    "DEPREL",
    "DEPS",
    "MISC",
    "IDENTITY",
    "BRIDGING",
    "DISCOURSE_DEIXIS",
    "REFERENCE",
    "NOM_SEM",
)
"""The columns of a file that does not name them."""
COLUMN_OF: dict[Layer, str] = {"identity": "IDENTITY", "deixis": "DISCOURSE_DEIXIS"}
TEXT_LAYERS = {
    "words": "FORM",
    "lemmas": "LEMMA",
    "tags": "UPOS",
    "xpos": "XPOS",
    "feats": "FEATS",
    "heads": "HEAD",
    "deprels": "DEPREL",
}
"""The columns of the layers of a text."""


ANNOTATIONS = (*COLUMN_OF.values(), "BRIDGING", "SPLIT")
"""The columns that are read for each token; the others are read with the text."""


class NamedColumns(Struct, frozen=True, dict=True):
    """The names of the columns of a file, in their order."""

    names: tuple[str, ...] = USUAL
    is_declared: bool = False

    @classmethod
    def declared(cls, comment: str) -> NamedColumns | None:
        """Read a comment; None if it does not name the columns."""
        name, equals, value = comment.lstrip("#").partition("=")
        if not equals or name.strip() != DECLARATION:
            return None
        return cls(tuple(value.split()), True)

    @cached_property
    def annotations(self) -> list[tuple[str, int]]:
        """The columns of annotations that the file has, and where they are."""
        return [(name, self.names.index(name)) for name in ANNOTATIONS if name in self.names]

    @cached_property
    def markables(self) -> int | None:
        """Where the column of the markables is."""
        return self.place("IDENTITY")

    def place(self, name: str) -> int | None:
        """Return where a column is, from 0; None if the file has none of this name."""
        return self.names.index(name) if name in self.names else None

    def fields(self, line: str) -> list[str]:
        """Return the cells of a line.

        Columns are separated by any run of blanks or tabs. Where tabs alone give the expected
        number of columns, these hold: a cell may be empty, or have a blank inside.
        """
        tabbed = line.rstrip("\r\n").split("\t")
        if len(tabbed) == len(self.names):
            return [field.strip() or "_" for field in tabbed]
        return line.split()
