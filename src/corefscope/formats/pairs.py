"""A table of mentions and their clusters, or of pairs of mentions, as TSV or CSV.

With the columns `mention_id` and `cluster_id`, each row puts a mention into a cluster. Without a
header the first column is the mention and the second its cluster, but the format must be named:
`pairs`. A column `doc`, `document` or `topic` divides the table into documents; otherwise the file
is one document, named after the file.

With the columns `id_a`, `id_b` and `same`, each row says whether two mentions are the same.
Mentions that are linked, directly or not, are one entity. Rows that say that two mentions of such
an entity are not the same are reported.

- Mentions are ids: both sides must use the same ones.
- If the other side has token spans, ids such as `3-7` are spans, from the first to the last token.
- Names of documents in ids, such as `x:3-7`, belong into a column `document`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from corefscope.corpus.offsets import DEFAULT
from corefscope.findings import Code
from corefscope.formats.builder import Builder
from corefscope.formats.clusters import read_document
from corefscope.formats.detection import (
    CLUSTER_COLUMNS,
    DOCUMENT_COLUMNS,
    LINK_COLUMNS,
    MENTION_COLUMNS,
)
from corefscope.formats.linking import linked
from corefscope.formats.options import ReadingOptions
from corefscope.formats.source import Progress, Source

YES = frozenset({"1", "1.0", "true", "yes", "y", "t", "same", "match"})
NO = frozenset({"0", "0.0", "-1", "false", "no", "n", "f", "different", ""})
MOST_SHOWN = 3


class Row(NamedTuple):
    """A row of the table, without the column of documents."""

    line: int
    first: str
    second: str
    same: str = ""


class Layout(NamedTuple):
    """The columns of a table."""

    document: int | None
    first: int
    second: int
    same: int | None
    """The column that tells whether two mentions are the same; None in a table of clusters."""
    has_header: bool


def read(
    source: Source, builder: Builder, options: ReadingOptions, progress: Progress | None = None
) -> None:
    """Read all documents of a table into the builder."""
    del options  # Mentions are ids.
    text = source.read().decode(errors="surrogateescape").removeprefix("\ufeff")
    if progress:
        progress(len(text))
    try:
        lines = list(_lines(text))
    except csv.Error as error:
        message = f"the table cannot be read: {error}; expected columns with tabs or commas"
        builder.report(Code.BAD_SHAPE, message, source.name)
        return
    if not lines:
        message = "the file has no row; expected mention_id and cluster_id"
        builder.report(Code.NO_DOCUMENT, message, source.name)
        return
    layout = _layout(lines[0][1])
    documents = _documents(lines[layout.has_header :], layout, source, builder)
    for name, rows in documents.items():
        labels, entities = (
            _clusters(rows) if layout.same is None else _linked(rows, name, source, builder)
        )
        is_named = layout.document is not None
        read_document(name, entities, builder, source, DEFAULT, labels, is_named=is_named)
    if not documents:
        message = "the table has a header, but no row; expected mentions"
        builder.report(Code.NO_DOCUMENT, message, source.name)


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not empty, each with its line."""
    first = text.lstrip().partition("\n")[0]
    if "\t" in first:
        # Quotes mean nothing in tables with tabs.
        for number, line in enumerate(text.split("\n"), start=1):
            if line.strip():
                yield number, [cell.strip() for cell in line.split("\t")]
        return
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=";" if ";" in first else ",")
    for row in rows:
        if any(cell.strip() for cell in row):
            yield rows.line_num, [cell.strip() for cell in row]


def _layout(header: Sequence[str]) -> Layout:
    names = [name.lower() for name in header]

    def column(known: Sequence[str]) -> int | None:
        return next((names.index(name) for name in known if name in names), None)

    document = column(DOCUMENT_COLUMNS)
    for one, other, same in LINK_COLUMNS:
        if one in names and other in names and same in names:
            return Layout(
                document, names.index(one), names.index(other), names.index(same), has_header=True
            )
    first, second = column(MENTION_COLUMNS), column(CLUSTER_COLUMNS)
    if first is None or second is None:
        return Layout(None, 0, 1, None, has_header=False)
    return Layout(document, first, second, None, has_header=True)


def _documents(
    lines: Sequence[tuple[int, list[str]]], layout: Layout, source: Source, builder: Builder
) -> dict[str, list[Row]]:
    """Divide the rows into documents; report rows without a value that they need."""
    wanted = [
        c for c in (layout.document, layout.first, layout.second, layout.same) if c is not None
    ]
    documents: dict[str, list[Row]] = {}
    for number, cells in lines:
        if len(cells) <= max(wanted) or not cells[layout.first] or not cells[layout.second]:
            message = (
                f"the row has {len(cells)} cells: {cells[:4]}; expected a value in each column"
            )
            builder.report(Code.BAD_SHAPE, message, source.name, number)
            continue
        name = source.stem if layout.document is None else cells[layout.document]
        same = "" if layout.same is None else cells[layout.same].lower()
        if layout.same is not None and same not in YES | NO:
            message = f"found {same!r} in the column 'same'; expected 1 or 0, or true or false"
            builder.report(Code.BAD_SHAPE, message, source.name, number)
            continue
        row = Row(number, cells[layout.first], cells[layout.second], same)
        documents.setdefault(name, []).append(row)
    return documents


def _clusters(rows: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    clusters: dict[str, list[str]] = {}
    for row in rows:
        clusters.setdefault(row.second, []).append(row.first)
    return list(clusters), list(clusters.values())


def _linked(
    rows: Sequence[Row], name: str, source: Source, builder: Builder
) -> tuple[None, list[list[str]]]:
    mentions = dict.fromkeys(id for row in rows for id in (row.first, row.second))
    entities = linked(mentions, [(row.first, row.second) for row in rows if row.same in YES])
    entity_of = {id: number for number, ids in enumerate(entities) for id in ids}
    wrong = [
        row for row in rows if row.same not in YES and entity_of[row.first] == entity_of[row.second]
    ]
    if wrong:
        pairs = ", ".join(f"{row.first!r} and {row.second!r}" for row in wrong[:MOST_SHOWN])
        message = (
            f"document {name!r}: {len(wrong)} pairs are said not to be the same, but are linked by "
            f"other rows: {pairs}; expected no such pair: they are in one entity"
        )
        builder.report(Code.CONTRADICTION, message, source.name, wrong[0].line)
    return None, entities
