"""A table of mentions and their clusters, or of pairs of mentions, as TSV or CSV.

With a column `mention_id`, `record_id`, `mention` or `id` and a column `cluster_id`, `entity_id`,
`cluster` or `entity`, each row puts a mention into a cluster. Names without `_id` are recognised if
there are no columns but those of this page. A table without a header has two columns, the mention
and its cluster, and the format must be named, `pairs`, unless all mentions are spans such as `3-7`;
a first row that looks like a header with other names is an error (`E112`). A column `doc`,
`document`, `doc_id`, `document_id` or `doc_key` divides the table into documents; if there is none,
a column `topic` does. Otherwise the file is one document, named after the file. Beside a column of
documents, `topic` is the topic of each document: a name that occurs in two topics gets the topic
before it, and clusters with mentions in several documents of a topic are reported (`W163`).

With the columns `id_a`, `id_b` and `same`, each row says whether two mentions are the same.
Mentions that are linked, directly or not, are one entity. Rows that say that two mentions of such
an entity are not the same are reported. A row whose cluster is null, NaN, -1 or empty is left out
(`W151`); any other empty cell is an error (`E112`).

- Mentions are ids: both sides must use the same ones.
- If the other side has token spans, ids such as `3-7` are spans, from the first to the last token.
- Names of documents in ids, such as `x:3-7`, belong into a column `document`.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, compress
from typing import NamedTuple, TypeAlias

from corefscope.extensions.tables.extension import (
    CLUSTER_COLUMNS,
    DOCUMENT_COLUMNS,
    LINK_COLUMNS,
    MENTION_COLUMNS,
    NONE,
    TABLE_COLUMNS,
    TOPIC_COLUMN,
    left_out,
)
from corefscope.findings import Code
from corefscope.formats.clusters import ClustersOnly, read_document
from corefscope.formats.reading.builder import Builder
from corefscope.formats.reading.file import File
from corefscope.formats.reading.links import linked
from corefscope.formats.reading.source import Source
from corefscope.formats.reading.whole_files import BARE_RETURNS, has_bare_returns

YES = frozenset({"1", "1.0", "true", "yes", "y", "t", "same", "match"})
NO = frozenset({"0", "0.0", "-1", "false", "no", "n", "f", "different"})
ANSWERS = YES | NO
KNOWN = {*TABLE_COLUMNS, *DOCUMENT_COLUMNS, *chain.from_iterable(LINK_COLUMNS)}
MOST_SHOWN = 3


PairRow: TypeAlias = tuple[int, list[str]]
"""A line of the table, and its cells."""


class PairColumns(NamedTuple):
    """The columns of a table."""

    topic: int | None
    document: int | None
    first: int
    second: int
    same: int | None
    """The column that tells whether two mentions are the same; None in a table of clusters."""
    has_header: bool


def read(file: File) -> None:
    """Read all documents of a table into the corpus."""
    data = file.source.whole(file.progress)
    file.builder.check_bytes(data, file.name, 0)
    if has_bare_returns(data):
        file.report.add(BARE_RETURNS, 1)
        return
    text = data.decode(errors="surrogateescape")
    try:
        lines = list(_lines(text))
    except csv.Error as error:
        file.report(
            Code.BAD_SHAPE,
            f"the table cannot be read: {error}",
            expected="columns with tabs or commas",
        )
        return
    if not lines:
        file.report(
            Code.NO_DOCUMENT,
            "the file has no row",
            expected="mention_id and cluster_id",
        )
        return
    layout = _layout(lines[0][1])
    if not (layout.has_header or _is_mention(lines)):
        number, cells = lines[0]
        file.report(
            Code.BAD_SHAPE,
            f"the first row has the cells {cells[:5]}, as if it were a heading",
            number,
            expected="the columns mention_id and cluster_id, or id_a, id_b and same",
        )
        return
    rows = list(_sound_rows(lines, layout, file.source, file.builder))
    documents = _documents(rows, layout, file.source, file.builder)
    names = Counter(name for _, name in documents)
    for (topic, own), rows in documents.items():
        name = f"{topic}/{own}" if names[own] > 1 else own
        labels, entities = (
            _clusters(rows, layout)
            if layout.same is None
            else _linked(rows, layout, name, file.source, file.builder)
        )
        is_named = layout.document is not None
        # Entities without labels are numbered in each document on its own.
        space = name if labels is None else ""
        columns = (
            {} if topic is None else {"document_topics": [topic], "document_namespaces": [space]}
        )
        given = ClustersOnly(name, entities, labels, is_named, columns=columns)
        read_document(given, file.builder, file.source)
    if not documents:
        file.report(Code.NO_DOCUMENT, "the table has a header, but no row", expected="mentions")


def _lines(text: str) -> Iterator[PairRow]:
    """Yield the rows that are not empty, each with its line."""
    first = text.lstrip().partition("\n")[0]
    if "\t" in first:
        # Quotes mean nothing in tables with tabs.
        for number, line in enumerate(text.split("\n"), start=1):
            if line.strip():
                yield number, list(map(str.strip, line.split("\t")))
        return
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=";" if ";" in first else ",")
    for row in rows:
        if any(cell.strip() for cell in row):
            yield rows.line_num, [cell.strip() for cell in row]


def _layout(header: Sequence[str]) -> PairColumns:
    names = [name.lower() for name in header]

    def column(known: Sequence[str]) -> int | None:
        return next((names.index(name) for name in known if name in names), None)

    document, topic = column(DOCUMENT_COLUMNS), column([TOPIC_COLUMN])
    if topic == document:
        topic = None
    for one, other, same in LINK_COLUMNS:
        if one in names and other in names and same in names:
            first, second, answer = (names.index(name) for name in (one, other, same))
            return PairColumns(topic, document, first, second, answer, has_header=True)
    mention, cluster = column(MENTION_COLUMNS), column(CLUSTER_COLUMNS)
    if mention is None or cluster is None:
        return PairColumns(None, None, 0, 1, None, has_header=False)
    return PairColumns(topic, document, mention, cluster, None, has_header=True)


def _is_mention(lines: Sequence[PairRow]) -> bool:
    """Return whether the first row of a table may be a mention and its cluster, and no heading."""
    (_, first), *below = lines
    if len(first) != 2 or not KNOWN.isdisjoint(map(str.lower, first)):
        return False
    return _has_digit(first) or not (below and all(_has_digit(cells[:1]) for _, cells in below))


def _has_digit(cells: Sequence[str]) -> bool:
    return any(map(str.isdigit, "".join(cells)))


def _sound_rows(
    lines: Sequence[PairRow], layout: PairColumns, source: Source, builder: Builder
) -> Iterator[PairRow]:
    """Yield the rows below the heading; report what repeats it, and rows with other cells."""
    heading = lines[0][1]
    below = lines[layout.has_header :]
    read = [layout.topic, layout.document, layout.first, layout.second, layout.same]
    last = max(column for column in read if column is not None)
    if below and all(last < len(cells) < len(heading) for _, cells in below):
        number, cells = below[0]
        builder.report(
            Code.DOUBTFUL_COLUMN,
            f"all rows have fewer cells than the heading, the first {len(cells)} instead of "
            f"{len(heading)}",
            source.name,
            number,
            expected="as many: are the heading and a row on one line?",
        )
    for number, cells in below:
        if layout.has_header and cells == heading:
            builder.report(
                Code.BAD_SHAPE,
                "the heading is repeated",
                source.name,
                number,
                expected="mentions: are these two tables in one?",
            )
        elif any(cells[len(heading) :]):
            builder.report(
                Code.BAD_SHAPE,
                f"the row has {len(cells)} cells: {cells[:5]}",
                source.name,
                number,
                expected=f"{len(heading)}",
            )
        else:
            yield number, cells


def _documents(
    lines: Sequence[PairRow], layout: PairColumns, source: Source, builder: Builder
) -> dict[tuple[str | None, str], list[PairRow]]:
    """Divide the rows into topics and documents; report rows without a value that they need."""
    topic, document, _, _, same, _ = layout
    wanted = [column for column in layout[:-1] if column is not None]
    last, stem = max(wanted), source.stem
    documents: dict[tuple[str | None, str], list[PairRow]] = {}
    without = 0
    for row in lines:
        number, cells = row
        if same is None and layout.has_header and _has_no_cluster(cells, layout.second):
            without += 1
        elif len(cells) <= last or not all(cells[column] for column in wanted):
            builder.report(
                Code.BAD_SHAPE,
                f"the row has {len(cells)} cells: {cells[:5]}",
                source.name,
                number,
                expected="a value in each column",
            )
        elif same is not None and (answer := cells[same].lower()) not in ANSWERS:
            builder.report(
                Code.BAD_SHAPE,
                f"found {answer!r}, which does not say whether the mentions are the same",
                source.name,
                number,
                expected="1 or 0, or true or false",
            )
        else:
            name = stem if document is None else cells[document]
            key = None if topic is None else cells[topic], name
            documents.setdefault(key, []).append(row)
    if without:
        builder.add(left_out(without, len(lines), source.name))
    return documents


def _has_no_cluster(cells: Sequence[str], cluster: int) -> bool:
    return cluster < len(cells) and cells[cluster].lower() in NONE


def _clusters(rows: Sequence[PairRow], layout: PairColumns) -> tuple[list[str], list[list[str]]]:
    clusters: dict[str, list[str]] = {}
    for _, cells in rows:
        clusters.setdefault(cells[layout.second], []).append(cells[layout.first])
    return list(clusters), list(clusters.values())


def _linked(
    rows: Sequence[PairRow], layout: PairColumns, name: str, source: Source, builder: Builder
) -> tuple[None, list[list[str]]]:
    links = [(cells[layout.first], cells[layout.second]) for _, cells in rows]
    are_same = [layout.same is not None and cells[layout.same].lower() in YES for _, cells in rows]
    entities = linked(dict.fromkeys(chain.from_iterable(links)), list(compress(links, are_same)))
    entity_of = {id: number for number, ids in enumerate(entities) for id in ids}
    wrong = [
        (line, one, other)
        for (line, _), (one, other), is_same in zip(rows, links, are_same, strict=True)
        if not is_same and entity_of[one] == entity_of[other]
    ]
    if wrong:
        pairs = ", ".join(f"{one!r} and {other!r}" for _, one, other in wrong[:MOST_SHOWN])
        builder.report(
            Code.OTHER_RELATIONS,
            f"document {name!r}: {len(wrong)} pairs are said not to be the same, but are linked "
            f"by other rows: {pairs}",
            source.name,
            wrong[0][0],
            expected="no such pair: they are in one entity",
        )
    return None, entities
