"""Recognise the documents of other libraries by their attributes, without importing them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from corefscope.extending import Registry


class LiveObjects(NamedTuple):
    """Documents that a library has in memory; they are recognised without importing it."""

    library: str
    is_one: Callable[[object], bool]
    reader: str
    """The function that makes drafts of such documents and their role, as ``module:function``."""

    def drafts(self, documents: Sequence[object], role: object) -> Iterator[Any]:
        """Yield documents as drafts."""
        module, _, function = self.reader.partition(":")
        made: Iterator[Any] = getattr(import_module(module), function)(documents, role)
        return made


LIVE: Registry[LiveObjects] = Registry("LIVE", LiveObjects, (), lambda live: live.library)
PLAIN = ("builtins", "numpy", "corefscope.corpus.corpus")
"""Where the types of other arguments come from: for these no extension is asked."""


def library_of(item: object) -> str | None:
    """Return the library whose document this is; None if it is something else."""
    if type(item).__module__ in PLAIN:
        return None
    # What is neither of these is rare, so that other packages are asked, too.
    found = next((name for name, live in LIVE.items() if live.is_one(item)), None)
    others = LIVE.with_others().items() if found is None else ()
    return found or next((name for name, live in others if live.is_one(item)), None)


NAME_FIELDS = (
    *("doc_key", "doc_id", "doc", "docid", "doc_name", "document_id", "document_name", "document"),
)
"""The fields of JSON records with the name of a document, the best one first."""
RECORD_NAMES = (*NAME_FIELDS, "id", "name")
"""These, and others that may name something else."""
WORDS = ("tokens", "sentences", "document", "text", "cased_words")
"""The names of fields with the words of a document."""
CLUSTERS = re.compile("cluster|entit|coref|spans")


def is_record(item: object) -> bool:
    """Return whether this is a document of a JSON format, and not ``{document: clusters}``."""
    if not isinstance(item, Mapping):
        return False
    has_words = any(name in item and not _has_numbers(item[name]) for name in WORDS)
    has_name = any(isinstance(item.get(name), str) for name in RECORD_NAMES)
    return (has_words or has_name or "clusters_token_offsets" in item) and any(
        isinstance(name, str) and CLUSTERS.search(name) and not isinstance(item[name], str)
        for name in item
    )


def _has_numbers(value: object) -> bool:
    """Return whether the first thing in nested lists is a number, as in clusters of spans."""
    while isinstance(value, list | tuple) and value:
        value = value[0]
    return isinstance(value, int)


def has_documents(items: object) -> bool:
    """Return whether this is a list that begins with a document of another library or of JSON."""
    return isinstance(items, list | tuple) and bool(items) and is_document(items[0])


def is_document(item: object) -> bool:
    """Return whether this is a document of another library, or of a JSON format."""
    return is_record(item) or library_of(item) is not None
