"""What each written format can express, as data.

A format that is written has a :class:`Writing`, and a module with a function ``write``.
:mod:`corefscope.formats.writing.losses` compares a corpus with the entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from importlib import import_module
from typing import TypeAlias, cast

from msgspec import Struct, field

Written: TypeAlias = tuple[str, bytes]
"""The name of a file without folder, and its contents."""
LabelTest: TypeAlias = Callable[[str], bool]


class Feature(StrEnum):
    """What an annotation may have and not every format can express."""

    CROSSING = "crossing mentions of one entity"
    TOUCHING = "mentions of one entity that share one token at their edges"
    OVER_SENTENCES = "mentions over several sentences"
    GAPS = "mentions with gaps"
    EMPTY_NODES = "empty nodes"
    TYPES = "entity types"
    LEVELS = "mention levels"
    HEADS = "heads of mentions"
    BRIDGES = "bridges"
    SPLIT_ANTECEDENTS = "split antecedents"
    BRACKET_FIELDS = "other fields of brackets"
    OWN = "annotations that only its format has"


ALL = frozenset(Feature)
OVERLAPS = frozenset({Feature.CROSSING, Feature.TOUCHING, Feature.OVER_SENTENCES})
LINKS = frozenset(
    {Feature.BRIDGES, Feature.SPLIT_ANTECEDENTS, Feature.HEADS, Feature.BRACKET_FIELDS}
)

TEXT = "text between tokens"
SENTENCES = "sentences"
NAMES = "names of documents"
LABELS = "labels of entities"
WORDS = "words"
BLANKS = "words that are only blanks, such as a line break, and are written as _"
TOPICS = "topics of documents"
EVERYTHING = "everything"
"""Stands for all text layers."""
SHOWN = {
    WORDS: "tokens",
    "names": "named entities",
    "tags": "part-of-speech tags",
    "xpos": "language-specific tags",
    "feats": "morphological features",
    "heads": "dependency heads",
    "deprels": "dependency relations",
    "parse": "parse trees",
}
"""What layers are called in messages and on pages, where their own names would not be clear."""


class Writing(Struct, frozen=True, kw_only=True):
    """How a format is written, and what it can express."""

    module: str
    """The module with the function ``write``."""
    label_test: str = ""
    """Its function that tells whether a label of an entity can be written, if not all can."""
    type_test: str = ""
    """Its function that tells whether a type of an entity can be written, if not all can."""
    features: frozenset[Feature]
    layers: frozenset[str]
    """The layers of the text that it has a place for, and what else is no annotation."""
    stands_in: Mapping[str, str] = field(default_factory=dict)
    """Layers that a document may lack, and those that are written in their places then."""
    endings: tuple[str, ...] = ()
    """The extensions of files that are written in this format if no format is given."""
    is_folder: bool = False
    """Whether each document has files of its own."""
    is_joined: bool = False
    """Whether the file of a corpus is made of its documents, one after the other."""
    left_out: frozenset[Feature] = frozenset()
    """Features that it cannot express, and that are left out without being asked."""
    kept_in_part: frozenset[Feature] = frozenset()
    """Features that it cannot express, but of which its writer keeps a part."""
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What may follow its name, and the values that this may have, the usual one first."""

    @property
    def write(self) -> Callable[..., Iterator[Written]]:
        """The function that yields the files of a corpus; it takes the options as keywords.

        If files are joined, it also takes some of the documents instead of the corpus.
        """
        module = import_module(self.module)
        return cast(Callable[..., Iterator[Written]], module.write)

    @property
    def is_label(self) -> LabelTest | None:
        """The test of labels."""
        return getattr(import_module(self.module), self.label_test) if self.label_test else None

    @property
    def is_type(self) -> LabelTest | None:
        """The test of types."""
        return getattr(import_module(self.module), self.type_test) if self.type_test else None
