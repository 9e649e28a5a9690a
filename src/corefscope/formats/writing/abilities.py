"""What each written format can express, as data.

A format that is written has an entry in :data:`WRITINGS`, and a module with a function ``write``.
:mod:`corefscope.formats.writing.losses` compares a corpus with the entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from enum import StrEnum
from importlib import import_module
from typing import TypeAlias, cast

from corefscope.records import dataclass

Written: TypeAlias = tuple[str, bytes]
"""The name of a file without folder, and its contents."""


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
    MARKABLES = "what only markables of Universal Anaphora have"


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """How a format is written, and what it can express."""

    module: str
    """The module of ``corefscope.formats`` with the function ``write``."""
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
        module = import_module(f"corefscope.formats.{self.module}")
        return cast(Callable[..., Iterator[Written]], module.write)


OF_CRAC = {
    "zeros": ("drop", "keep"),
    "ids": ("file", "sequential"),
    "tags": ("keep", "none"),
    "forms": ("keep", "drop"),
}
"""The options of the exporter of the shared task."""
BESIDE_TAGS = ALL - OVERLAPS - {Feature.GAPS}
"""What nobody expects in a text with tags: it is left out, and said."""

WRITINGS: Mapping[str, Writing] = {
    "conll": Writing(
        module="conll.writing",
        is_joined=True,
        endings=("conll",),
        features=frozenset({Feature.OVER_SENTENCES}),
        layers=frozenset(
            {
                *(NAMES, LABELS, SENTENCES, WORDS, "tags", "parse", "lemmas", "framesets"),
                *("senses", "speakers", "names"),
            }
        ),
        stands_in={"tags": "xpos"},
    ),
    "corefud": Writing(
        module="corefud.writing",
        endings=(".conllu",),
        features=LINKS | {Feature.TOUCHING, Feature.GAPS, Feature.EMPTY_NODES, Feature.TYPES},
        layers=frozenset(
            {
                *(NAMES, LABELS, SENTENCES, WORDS, "lemmas", "tags", "xpos", "feats", "heads"),
                "deprels",
            }
        ),
    ),
    "jsonl": Writing(
        module="jsonl.writing",
        is_joined=True,
        endings=(".jsonl", ".jsonlines"),
        features=OVERLAPS
        | {Feature.GAPS, Feature.EMPTY_NODES, Feature.TYPES, Feature.LEVELS, Feature.HEADS},
        layers=frozenset(
            {
                *(NAMES, SENTENCES, WORDS, BLANKS, "tags", "names", "speakers", "heads"),
                "deprels",
            }
        ),
    ),
    "json": Writing(
        module="clusters",
        endings=(".json",),
        features=OVERLAPS | {Feature.GAPS},
        layers=frozenset({NAMES, BLANKS}),
    ),
    "native": Writing(
        module="native.writing",
        is_joined=True,
        endings=(".native.jsonl",),
        features=ALL,
        layers=frozenset({EVERYTHING}),
    ),
    "brat": Writing(
        module="brat",
        is_folder=True,
        features=OVERLAPS | {Feature.GAPS, Feature.TYPES},
        layers=frozenset({TEXT, NAMES, BLANKS}),
    ),
    "spacy": Writing(
        module="spacy_docbin",
        endings=(".spacy",),
        features=OVERLAPS | {Feature.TYPES, Feature.HEADS},
        layers=frozenset({TEXT, NAMES, SENTENCES, WORDS, "tags", "lemmas"}),
    ),
    "crac-text": Writing(
        module="crac.text",
        features=frozenset(),
        left_out=BESIDE_TAGS,
        layers=frozenset({WORDS, LABELS, BLANKS}),
        kept_in_part=frozenset({Feature.GAPS}),
        options=OF_CRAC,
    ),
    "crac-json": Writing(
        module="crac.json",
        features=OVERLAPS,
        left_out=BESIDE_TAGS,
        layers=frozenset({WORDS, NAMES, BLANKS}),
        kept_in_part=frozenset({Feature.GAPS}),
        options=OF_CRAC,
    ),
}
"""Every format that is written."""


def writing_by_ending(path: str) -> str | None:
    """Return the name of the format that the extension of a file stands for, if there is one."""
    name = path.lower().removesuffix(".gz")
    found = [
        (len(ending), format)
        for format, writing in WRITINGS.items()
        for ending in writing.endings
        if name.endswith(ending)
    ]
    return max(found)[1] if found else None
