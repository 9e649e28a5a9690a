"""Clusters of strings without positions, as language models write them when asked for JSON.

`{"Chain1": ["Ida", "She"]}` is one document, named after the file; several records are several
documents. A record may also have a name (`doc_key`) and its strings in `clusters`.

- The strings are looked for in the words of the key, one after the other, so the key must have
  words. A string that occurs more often than it is listed is ambiguous, and is reported (`W257`).
- A string that the key does not have is dropped. The ledger counts it; see
  [tagged text](../tagged-text.md).
"""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from itertools import chain
from typing import Any

import numpy as np

from corefscope.corpus import UNKNOWN_LENGTH
from corefscope.corpus.layers import DocumentText
from corefscope.findings import Code
from corefscope.formats.builder import Builder
from corefscope.formats.detection import CLUSTER_FIELDS, NAME_FIELDS
from corefscope.formats.drafting import Unfit, file_stem
from corefscope.formats.options import ReadingOptions
from corefscope.formats.records import records
from corefscope.formats.shapes import are_words, object_of
from corefscope.formats.source import Progress, Source

EXPECTED = 'expected entities as lists of strings: {"Chain1": ["Ida", "She"]}'


def read(
    source: Source, builder: Builder, options: ReadingOptions, progress: Progress | None = None
) -> None:
    """Read the documents of a file into the builder."""
    found = list(records(source, builder, progress))
    for number, record in enumerate(found, start=1):
        try:
            name, entities = _document(record.value)
        except Unfit as error:
            builder.report(Code.BAD_SHAPE, str(error), source.name, record.line)
            continue
        own = file_stem(source) if len(found) == 1 else f"{file_stem(source)}#{number}"
        builder.begin(name or own, source.name, record.line)
        first = len(builder.entity_labels)
        builder.add_entities(list(entities))
        sizes = list(map(len, entities.values()))
        numbers = np.repeat(np.arange(first, first + len(entities)), sizes)
        builder.add_other_mentions(numbers, list(chain.from_iterable(entities.values())))
        builder.end(UNKNOWN_LENGTH, None, (source, 0, 0, _no_text))


def _document(record: Any) -> tuple[str | None, Mapping[str, list[str]]]:
    """Return the name of a document, and its entities."""
    fields = object_of(record)
    name = next((fields[each] for each in NAME_FIELDS if isinstance(fields.get(each), str)), None)
    given = next((fields[each] for each in CLUSTER_FIELDS if fields.get(each)), None)
    if given is None:
        given = {label: each for label, each in fields.items() if label not in NAME_FIELDS}
        given = {} if set(given) <= set(CLUSTER_FIELDS) else given
    return name, _entities(given)


def _entities(given: Any) -> Mapping[str, list[str]]:
    if isinstance(given, list):
        given = {str(number): each for number, each in enumerate(given)}
    if not isinstance(given, Mapping):
        raise Unfit(f"found {reprlib.repr(given)}; {EXPECTED}")
    for label, strings in given.items():
        if not are_words(strings):
            raise Unfit(f"entity {label!r} is {reprlib.repr(strings)}; {EXPECTED}")
    return given


def _no_text(block: bytes) -> DocumentText:
    return DocumentText()
