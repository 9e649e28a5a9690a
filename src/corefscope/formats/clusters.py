"""One JSON object with the clusters of each document: `{"document": [[mention, …], …]}`.

A mention is `[first, last]`, two token numbers, or any other id, such as a string. Both sides must
use the same ids. There is no text. All rules are in [Formats](../ref/formats.md#json).
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from types import MappingProxyType
from typing import Any, NamedTuple, cast

import numpy as np
from msgspec.structs import replace

from corefscope.corpus import UNKNOWN_LENGTH, Corpus, Integers
from corefscope.corpus.clusters import (
    IN_FILES,
    Given,
    NotClusters,
    doubt_about,
    overview,
)
from corefscope.corpus.layers import TextColumns
from corefscope.corpus.mentions import (
    MentionId,
    Parts,
    as_word_sets,
    is_parts,
    is_span,
    is_whole_pair,
    joined,
)
from corefscope.corpus.offsets import DEFAULT, Convention
from corefscope.findings import Code
from corefscope.formats.reading.block import Block
from corefscope.formats.reading.builder import Builder
from corefscope.formats.reading.file import File
from corefscope.formats.reading.limits import too_deep
from corefscope.formats.reading.source import Source
from corefscope.formats.reading.strict_json import fault, line_of, no_constants, unique_keys
from corefscope.formats.writing.abilities import Written
from corefscope.formats.writing.expressing import json_text

PLAIN = frozenset({str, int, float, bool})
"""Types of ids, and of the parts of ids, that need no check."""
NOTHING: Mapping[Any, Any] = MappingProxyType({})
EXPECTED = '{"document": [[mention, …], …]}'


def read(file: File) -> None:
    """Read a file of plain clusters into the corpus."""
    convention = file.options.convention()
    data = file.source.whole(file.progress)
    file.builder.check_bytes(data, file.name, 0)
    text = data.decode(errors="surrogateescape")
    try:
        documents = json.loads(text, object_pairs_hook=unique_keys, parse_constant=no_constants)
    except json.JSONDecodeError as error:
        file.report(Code.DAMAGED, fault(error), line_of(error), expected=EXPECTED)
    except ValueError as error:
        file.report(Code.DAMAGED, f"not JSON: {error}", expected=EXPECTED)
    except RecursionError:
        file.builder.add(too_deep(file.name))
    else:
        _read_documents(documents, file.builder, file.source, convention)


def _read_documents(
    documents: Any, builder: Builder, source: Source, convention: Convention
) -> None:
    if not isinstance(documents, dict):
        found = f"the file contains a {type(documents).__name__}"
        builder.report(Code.BAD_SHAPE, found, source.name, expected=EXPECTED)
    elif not documents:
        found = "the file contains no document"
        builder.report(Code.NO_DOCUMENT, found, source.name, expected=EXPECTED)
    elif "corefscope" in documents and "systems" in documents:
        found = "the file contains results of corefscope, which have no entities"
        builder.report(Code.BAD_SHAPE, found, source.name, expected=EXPECTED)
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
    columns: Mapping[str, object] = NOTHING
    """Columns of the corpus that only some formats have, by name."""


def read_document(
    given: ClustersOnly,
    builder: Builder,
    source: Source,
    convention: Convention = DEFAULT,
    expected: str = EXPECTED,
) -> None:
    """Read a document that has clusters only; ``expected`` says what they should look like."""
    name, entities, labels, is_named, line, columns = given
    if not isinstance(entities, list) or not all(isinstance(entity, list) for entity in entities):
        found = f"document {name!r} is not a list of lists"
        builder.report(Code.BAD_SHAPE, found, source.name, line, expected=expected)
        return
    row = _ids(given, builder, source)
    if row is None:
        return
    sizes = list(map(len, entities))
    try:
        doubt = doubt_about(entities, (sizes, row), IN_FILES)
        builder.shapes += overview([Given((sizes, row), doubt)])
    except NotClusters as error:
        found = f"document {name!r}: {error.finding.found}"
        builder.add(replace(error.finding, found=found, file=source.name, line=line))
        return
    builder.report_empty(sizes.count(0), source.name, line)
    if convention != DEFAULT:
        row = _converted(row, convention, given, builder, source)
    spans, ids, parts = _located(row)
    numbers = np.repeat(np.arange(len(entities)), sizes)
    builder.add_block(
        Block(
            names=(name,),
            is_named=is_named,
            lines=(line,),
            tokens=(UNKNOWN_LENGTH,),
            digests=(None,),
            places=((source, 0, 0, no_text),),
            labels=labels or list(map(str, range(len(entities)))),
            mentions=np.column_stack((numbers, spans, np.zeros_like(numbers))),
            ids=ids,
            columns={**columns, "mention_parts": parts} if parts else columns,
        )
    )


def _ids(given: ClustersOnly, builder: Builder, source: Source) -> list[Hashable] | None:
    """Return the mentions of all entities in one list; report one that cannot be an id."""
    levels, row = source.limits.nesting, list(chain.from_iterable(given.entities))
    kinds = set(map(type, row))
    if kinds <= PLAIN:
        return row
    if kinds == {list} and levels and PLAIN.issuperset(map(type, chain.from_iterable(row))):
        return list(map(tuple, row))
    try:
        return [hashable(mention, levels) for mention in row]
    except TypeError:
        builder.report(
            Code.BAD_SHAPE,
            f"a mention of document {given.name!r} is null or an object",
            source.name,
            given.line,
            expected=(
                "a string, a number or a list; the format 'strings' reads words of the text, and "
                "leaves null out"
            ),
        )
    except RecursionError:
        found = f"a mention of document {given.name!r} is nested too deeply"
        exceeded = source.limits.exceeded("nesting", found, source.name)
        builder.add(exceeded.at(source.name, given.line))
    return None


def _converted(
    row: Sequence[Hashable],
    convention: Convention,
    given: ClustersOnly,
    builder: Builder,
    source: Source,
) -> list[Hashable]:
    """Return mentions with first and last token from 0; all pairs of numbers are spans."""
    found: list[Hashable] = []
    for id in row:
        is_parted = type(id) is tuple and len(id) > 1 and all(map(is_whole_pair, id))
        parts = cast(Parts, id if is_parted else (id,) if is_whole_pair(id) else ())
        spans = tuple(convention.convert(*part) for part in parts)
        if not all(map(is_span, spans)):
            expected = convention.expected()
            builder.report(
                Code.BAD_SPAN,
                f"document {given.name!r} has the mention {id}",
                source.name,
                given.line,
                expected=expected,
            )
        found.append(spans if is_parted else spans[0] if spans else id)
    return found


def _located(
    row: Sequence[Hashable],
) -> tuple[Integers, Mapping[int, MentionId], Mapping[int, Parts]]:
    """Return first and last token of each mention, other ids, and the parts of those with gaps."""
    spans, parts = as_word_sets(row)
    if spans is not None:
        return spans, NOTHING, parts
    ids = dict(enumerate(row))
    spans = np.zeros((len(row), 2), np.int32)
    for number, id in enumerate(row) if tuple in set(map(type, row)) else ():
        spans_of_id = joined(id) if is_parts(id) else (id,) if is_span(id) else ()
        if spans_of_id:
            del ids[number]
            spans[number] = spans_of_id[0][0], spans_of_id[-1][1]
        if len(spans_of_id) > 1:
            parts[number] = spans_of_id
    return spans, ids, parts


def hashable(mention: Any, levels: int) -> Hashable:
    """Return a JSON value as an id; raise an error if it cannot be one, or is nested too deeply."""
    if mention is None or isinstance(mention, dict):
        raise TypeError
    if not isinstance(mention, list):
        return mention  # type: ignore[no-any-return]
    if levels == 0:
        raise RecursionError
    return tuple(hashable(part, levels - 1) for part in mention)


def no_text(block: bytes) -> TextColumns:
    """Return the text of a document that has none."""
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
