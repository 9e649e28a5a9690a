"""One JSON object with the clusters of each document: `{"document": [[mention, …], …]}`.

A mention is `[first, last]`, two token numbers, or any other id, such as a string. Both sides must
use the same ids. There is no text. All rules are in [Formats](../formats.md#json-bare-clusters).
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np

from corefscope.corpus import UNKNOWN_LENGTH, Corpus
from corefscope.corpus.clusters import (
    IN_FILES,
    Given,
    NotClusters,
    doubt_about,
    overview,
)
from corefscope.corpus.layers import TextColumns
from corefscope.corpus.mentions import as_spans, is_parts, is_span, is_whole_pair
from corefscope.corpus.offsets import DEFAULT, Convention
from corefscope.findings import Code
from corefscope.formats.reading.builder import Builder
from corefscope.formats.reading.limits import too_deep
from corefscope.formats.reading.options import ReadingOptions
from corefscope.formats.reading.source import Progress, Source
from corefscope.formats.reading.strict_json import no_constants, unique_keys
from corefscope.formats.writing.abilities import Written
from corefscope.formats.writing.expressing import json_text

PLAIN = frozenset({str, int, float, bool})
"""Types of ids, and of the parts of ids, that need no check."""
EXPECTED = 'expected {"document": [[mention, …], …]}'


def read(
    source: Source, builder: Builder, options: ReadingOptions, progress: Progress | None = None
) -> None:
    """Read a file of plain clusters into the builder."""
    convention = options.convention()
    data = source.whole(progress)
    builder.check_bytes(data, source.name, 0)
    text = data.decode(errors="surrogateescape")
    try:
        documents = json.loads(text, object_pairs_hook=unique_keys, parse_constant=no_constants)
    except json.JSONDecodeError as error:
        message = f"not JSON: {error.msg}; {EXPECTED}"
        builder.report(Code.BAD_JSON, message, source.name, error.lineno)
    except ValueError as error:
        builder.report(Code.BAD_JSON, f"not JSON: {error}; {EXPECTED}", source.name)
    except RecursionError:
        builder.add(too_deep(source.name))
    else:
        _read_documents(documents, builder, source, convention)


def _read_documents(
    documents: Any, builder: Builder, source: Source, convention: Convention
) -> None:
    if not isinstance(documents, dict):
        found = type(documents).__name__
        builder.report(Code.BAD_SHAPE, f"the file contains a {found}; {EXPECTED}", source.name)
    elif not documents:
        builder.report(Code.NO_DOCUMENT, f"the file contains no document; {EXPECTED}", source.name)
    elif "corefscope" in documents and "systems" in documents:
        found = "the file contains results of corefscope, which have no entities"
        builder.report(Code.BAD_SHAPE, f"{found}; {EXPECTED}", source.name)
    else:
        for name, entities in documents.items():
            read_document(ClustersOnly(name, entities), builder, source, convention)


class ClustersOnly(NamedTuple):
    """A document that has clusters and no words, as a file has it."""

    name: str
    entities: Any
    labels: Sequence[str] | None = None
    """The labels of its entities; they are numbered without."""
    is_named: bool = True
    """Whether the file names it."""
    line: int | None = None
    """Where it begins, if the format has lines."""


def read_document(
    document: ClustersOnly,
    builder: Builder,
    source: Source,
    convention: Convention = DEFAULT,
    expected: str = EXPECTED,
) -> None:
    """Read a document that has clusters only; ``expected`` says what they should look like."""
    name, entities, labels, is_named, line = document
    if not isinstance(entities, list) or not all(isinstance(entity, list) for entity in entities):
        message = f"document {name!r} is not a list of lists; {expected}"
        builder.report(Code.BAD_SHAPE, message, source.name, line)
        return
    row = _ids(name, entities, builder, source)
    if row is None:
        return
    rows = list(map(len, entities)), row
    try:
        builder.shapes += overview([Given(rows, doubt_about(entities, rows, IN_FILES))])
    except NotClusters as error:
        builder.report(Code.BAD_SHAPE, f"document {name!r}: {error}", source.name, line)
        return
    builder.report_empty(rows[0].count(0), source.name, line)
    builder.begin(name, source.name, line, is_named=is_named)
    first = len(builder.entity_labels)
    builder.add_entities(labels or list(map(str, range(len(entities)))))
    numbers = np.repeat(np.arange(first, first + len(entities)), rows[0])
    spans = as_spans([_span(id, convention) for id in row] if convention != DEFAULT else row)
    if spans is not None:
        builder.add_mentions(np.stack((numbers, *spans.T, np.zeros_like(numbers)), axis=1))
    elif tuple not in set(map(type, row)):
        builder.add_other_mentions(numbers, row)
    else:
        for entity, id in zip(numbers.tolist(), row, strict=True):
            _add(entity, id, name, builder, source, convention)
    builder.end(UNKNOWN_LENGTH, None, (source, 0, 0, _no_text))


def _ids(
    name: str, entities: list[list[Any]], builder: Builder, source: Source
) -> list[Hashable] | None:
    """Return the mentions of all entities in one list; report one that cannot be an id."""
    levels, row = source.limits.nesting, list(chain.from_iterable(entities))
    kinds = set(map(type, row))
    if kinds <= PLAIN:
        return row
    if kinds == {list} and levels and PLAIN.issuperset(map(type, chain.from_iterable(row))):
        return list(map(tuple, row))
    try:
        return [hashable(mention, levels) for mention in row]
    except TypeError:
        message = (
            f"a mention of document {name!r} is null or an object; expected a string, a number or "
            "a list; words of the text are read with the format 'strings', which leaves null out"
        )
        builder.report(Code.BAD_SHAPE, message, source.name)
    except RecursionError:
        found = f"a mention of document {name!r} is nested too deeply"
        builder.add(source.limits.exceeded("nesting", found, source.name))
    return None


def _add(
    entity: int, id: Hashable, name: str, builder: Builder, source: Source, convention: Convention
) -> None:
    """Add a mention; with a convention other than the default, all pairs of numbers are spans."""
    span = _span(id, convention)
    if is_span(span):
        builder.mention(entity, *span, 0)
    elif is_parts(parts := _converted(id, convention)):
        builder.parted_mention(entity, parts, 0)
    elif convention != DEFAULT and is_whole_pair(id):
        message = f"document {name!r} has the mention {id}; expected {convention.expected()}"
        builder.report(Code.BAD_SPAN, message, source.name)
    else:
        builder.other_mention(entity, id)


def _span(id: Hashable, convention: Convention) -> Hashable:
    """Return two numbers as first and last token from 0; any other id stays."""
    return convention.convert(*id) if is_whole_pair(id) else id


def _converted(id: Hashable, convention: Convention) -> Hashable:
    """Return the parts of a mention as tokens from 0; what is not given as parts stays."""
    if type(id) is tuple and len(id) > 1 and all(map(is_whole_pair, id)):
        return tuple(convention.convert(*part) for part in id)
    return id


def hashable(mention: Any, levels: int) -> Hashable:
    """Return a JSON value as an id; raise an error if it cannot be one, or is nested too deeply."""
    if mention is None or isinstance(mention, dict):
        raise TypeError
    if not isinstance(mention, list):
        return mention  # type: ignore[no-any-return]
    if levels == 0:
        raise RecursionError
    return tuple(hashable(part, levels - 1) for part in mention)


def _no_text(block: bytes) -> TextColumns:
    return TextColumns()


# ---- Writing ----


def write(corpus: Corpus) -> Iterator[Written]:
    """Yield the file of a corpus."""
    yield "corpus.json", "".join(clusters_lines(corpus)).encode(errors="surrogateescape")


def clusters_lines(corpus: Corpus) -> Iterator[str]:
    """Yield the lines of ``{"document": [[mention, …], …]}``, one line per document."""
    yield "{\n"
    for document, following in pairwise([*corpus, None]):
        assert document is not None
        entities = [[mention.id for mention in entity] for entity in document.entities]
        ends = "" if following is None else ","
        yield f"{json_text(document, document.name)}: {json_text(document, entities)}{ends}\n"
    yield "}\n"
