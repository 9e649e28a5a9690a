"""The overlap of two giant tables, joined and counted by DuckDB.

Only the sizes of entities and the cells of the overlap come into memory, not the mentions: these
only if they are few enough, and whole numbers that are close together.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from corefscope.choices import Duplicates
from corefscope.corpus import Integers
from corefscope.corpus.clusters import no_mentions
from corefscope.exceptions import refuse_errors
from corefscope.findings import Code, Finding
from corefscope.formats.reading.options import ReadingOptions
from corefscope.formats.reading.source import Source
from corefscope.formats.tables import TableFile, database, load
from corefscope.formatting import counted
from corefscope.matching.overlap import SPARSE, Overlap, Side, count_overlap, whole_sums

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

WIDEST = 10**9
"""Numbers in a smaller range are counted in an array of bits; DuckDB takes no larger one."""
MOST_IN_ARRAYS = 30_000_000
"""How many rows of both tables are compared in arrays."""

Cells: TypeAlias = tuple[NDArray[np.generic], NDArray[np.generic], Integers]
"""The key entity and the response entity of each cell, and its size."""


class TableOverlap(NamedTuple):
    """The overlap of two tables, which are one document, and what was found."""

    overlap: Overlap
    document: str
    findings: tuple[Finding, ...]
    key_labels: list[str]
    """The labels of the key entities, if they were asked for."""


def overlap_of_tables(
    key: tuple[Source, ReadingOptions],
    response: tuple[Source, ReadingOptions],
    duplicates: Duplicates,
    *,
    with_labels: bool = False,
) -> TableOverlap:
    """Join two tables on their mentions, and count the cells."""
    with database(key[0].name, response[0].name) as connection:
        ours = load(connection, "key", *key)
        theirs = load(connection, "response", *response)
        findings = [*ours.findings, *theirs.findings, *_unlike_types(ours, theirs)]
        overlap = _overlap_of_numbers(connection, ours, theirs)
        if overlap is None:
            overlap, copies = _overlap_by_join(connection, ours, theirs, duplicates)
            findings += copies
        labels = _labels(connection, ours) if with_labels else []
    for table in (ours, theirs):
        if not table.rows:
            findings.append(no_mentions(table.file, 1))
    if ours.rows and theirs.rows and not len(overlap.n):
        message = (
            f"no mention of the response is in the key: {theirs.rows:,} against {ours.rows:,}; "
            "check that both have the same ids"
        )
        findings.append(Finding(Code.NO_COMMON_MENTION, message, file=theirs.file))
    return TableOverlap(overlap, ours.document, tuple(findings), labels)


def _unlike_types(key: TableFile, response: TableFile) -> Iterator[Finding]:
    """Report ids that are numbers on one side, and text on the other."""
    if key.kind and response.kind and key.kind != response.kind:
        yield Finding(
            Code.UNLIKE_SOME,
            f"mentions are {response.kind} in the response, and {key.kind} in the key; compared "
            "as text",
            expected="the same type",
            file=response.file,
        )


def _only_first(
    connection: DuckDBPyConnection, table: TableFile, duplicates: Duplicates
) -> Iterator[Finding]:
    """Report mentions in several rows, and keep one of each.

    As in corpora, it is kept in the entity that begins first.
    """
    copies = table.rows - _distinct(connection, table)
    if not copies:
        return
    name = table.name
    example = connection.execute(
        f"SELECT mention FROM {name} GROUP BY mention HAVING count(*) > 1 ORDER BY mention LIMIT 1"
    ).fetchone()
    assert example is not None
    rows = counted(copies, "row repeats", "rows repeat")
    found = f"{rows} a mention of the table, such as {example[0]!r}"
    if duplicates == "error":
        expected = "each mention once"
        yield Finding(Code.REPEATED_REFUSED, found, expected=expected, file=table.file)
    else:
        yield Finding(Code.REPEATED, f"{found}; the first entity is kept", file=table.file)
        connection.execute("SET preserve_insertion_order = true")
        connection.execute(
            f"CREATE TABLE {name}_first AS WITH numbered AS (SELECT row_number() OVER () AS "
            f"row, * FROM {name}), begins AS (SELECT entity, min(row) AS row FROM numbered GROUP "
            "BY entity) SELECT mention, arg_min(entity, begins.row) AS entity FROM numbered JOIN "
            "begins USING (entity) GROUP BY mention"
        )
        connection.execute("SET preserve_insertion_order = false")
        connection.execute(f"DROP VIEW {name}")
        connection.execute(f"CREATE VIEW {name} AS SELECT * FROM {name}_first")


def _distinct(connection: DuckDBPyConnection, table: TableFile) -> int:
    """Return how many different mentions a table has."""
    name, count = table.name, "count(DISTINCT mention)"
    if table.ends is not None and table.rows:
        least, most = table.ends
        if most - least < WIDEST and _are_long(least, most):
            # One bit per number is ten times as fast as a table of all numbers.
            bits = f"bitstring_agg(mention::BIGINT, {_long(least)}, {_long(most)})"
            count = f"bit_count({bits})"
    found = connection.execute(f"SELECT {count} FROM {name}").fetchone()
    return 0 if found is None else int(found[0] or 0)


def _are_long(*numbers: int) -> bool:
    """Return whether numbers fit into 64 bits with a sign."""
    return min(numbers) >= -(2**63) and max(numbers) < 2**63


def _long(number: int) -> str:
    """Return a number of 64 bits in SQL."""
    return f"({number})::BIGINT"


def _overlap_of_numbers(
    connection: DuckDBPyConnection, key: TableFile, response: TableFile
) -> Overlap | None:
    """Count the overlap in arrays that have a place for each number, if these are small enough.

    That is faster than DuckDB's join, but the mentions come into memory. Copies of mentions are
    left to DuckDB.
    """
    tables = key, response
    ends = [end for table in tables for end in table.ends or ()]
    if any(table.ends is None or table.label_ends is None for table in tables):
        return None
    rows, least = key.rows + response.rows, min(ends)
    if rows > MOST_IN_ARRAYS or max(ends) - least >= SPARSE * rows or not _are_long(*ends):
        return None
    # Numpy and DuckDB let other threads work.
    with ThreadPoolExecutor(len(tables)) as threads:
        sides = list(threads.map(lambda table: _side(connection.cursor(), table, least), tables))
        # In a damaged file, numbers may lie outside the ends that it names.
        is_sound = all(s.mention.min() >= 0 and s.mention.max() <= max(ends) - least for s in sides)
        has_copies = is_sound and any(threads.map(Side.has_copies, sides))
    return count_overlap(1, *sides) if is_sound and not has_copies else None


def _side(connection: DuckDBPyConnection, table: TableFile, least: int) -> Side:
    """Return the entities of a table whose mentions are numbers."""
    first, last = table.label_ends or (0, 0)
    label = "entity::BIGINT"
    if last - first < 2**31:
        label = f"({label} - {_long(first)})::INTEGER"
    columns = connection.execute(
        f"SELECT (mention::BIGINT - {_long(least)})::INTEGER AS mention, {label} AS entity "
        f"FROM {table.name}"
    ).fetchnumpy()
    entity, entities = _numbered(columns["entity"])
    return Side(
        entity_document=np.zeros(entities, dtype=np.int64),
        entity_row=np.arange(entities),
        mention_entity=entity,
        # A mention is found by its number.
        mention_row=columns["mention"],
        mention=columns["mention"],
    )


def _overlap_by_join(
    connection: DuckDBPyConnection, key: TableFile, response: TableFile, duplicates: Duplicates
) -> tuple[Overlap, list[Finding]]:
    """Let DuckDB count the overlap; also report mentions in several rows."""
    copies = list(_only_first(connection, key, duplicates))
    # Two tables with copies of one mention would be joined in as many rows as there are pairs.
    cells = None if copies else _cells(connection, key, response)
    if cells is None or not _has_each_once(cells, key):
        more = list(_only_first(connection, response, duplicates))
        copies += more
        refuse_errors(copies)
        if cells is None or more:
            cells = _cells(connection, key, response)
    return _overlap_of_cells(*cells), copies


def _has_each_once(cells: Cells, key: TableFile) -> bool:
    """Return whether the join shows that the response has each mention once.

    It does if no mention of the key was found twice, and at most one other is there. To look for
    copies of texts takes almost as long as to join them.
    """
    in_key = ~np.ma.getmaskarray(cells[0])
    common = int(cells[2][in_key].sum())
    return common == key.rows and int(cells[2].sum()) - common <= 1


def _cells(connection: DuckDBPyConnection, key: TableFile, response: TableFile) -> Cells:
    """Return both entities of each cell, masked where a side lacks the mentions, and its size."""
    of_both = "VARCHAR" if (key.ends is None) != (response.ends is None) else None
    ours, theirs = (
        f"{side}.mention" if of_both is None else f"{side}.mention::{of_both}" for side in "kr"
    )
    found = connection.execute(
        f"SELECT {_number('key', key)} AS key, {_number('response', response)} AS response, n "
        "FROM (SELECT k.entity AS key, r.entity AS response, count(*) AS n "
        f"FROM key k FULL JOIN response r ON {ours} = {theirs} GROUP BY ALL)"
    ).fetchnumpy()
    return found["key"], found["response"], found["n"]


def _number(side: str, table: TableFile) -> str:
    """Return a number for each entity in SQL, in the order of labels: labels, or their ranks."""
    if table.label_ends is not None:
        return f"{side}::BIGINT"
    return f"CASE WHEN {side} IS NOT NULL THEN dense_rank() OVER (ORDER BY {side}) END::BIGINT"


def _labels(connection: DuckDBPyConnection, key: TableFile) -> list[str]:
    """Return the labels of the key entities, in the order of their numbers."""
    rows = connection.execute(
        f"SELECT entity::VARCHAR FROM {key.name} GROUP BY entity ORDER BY entity"
    ).fetchall()
    return [label for (label,) in rows]


def _overlap_of_cells(
    key: NDArray[np.generic], response: NDArray[np.generic], n: Integers
) -> Overlap:
    """Return the table of one document; masked entities stand for mentions of the other side."""
    in_key, in_response = (~np.ma.getmaskarray(side) for side in (key, response))
    key_number, keys = _numbered(np.ma.getdata(key)[in_key])
    response_number, responses = _numbered(np.ma.getdata(response)[in_response])
    both = in_key & in_response
    row, column = key_number[both[in_key]], response_number[both[in_response]]
    row, column, shared = _sorted_cells(row, column, n[both], max(responses, 1))
    return Overlap(
        documents=1,
        key_document=np.zeros(keys, dtype=np.int64),
        key_size=whole_sums(key_number, n[in_key], keys),
        response_document=np.zeros(responses, dtype=np.int64),
        response_size=whole_sums(response_number, n[in_response], responses),
        key=row,
        response=column,
        n=shared,
    )


def _sorted_cells(
    row: Integers, column: Integers, n: Integers, width: int
) -> tuple[Integers, Integers, Integers]:
    """Sort cells by key entity, then response entity."""
    digits, of_column = int(n.max(initial=0)).bit_length(), width.bit_length()
    if int(row.max(initial=0)).bit_length() + of_column + digits < 64:
        # One number per cell is sorted much faster than the order of cells is found.
        packed = np.sort((row << (of_column + digits)) | (column << digits) | n)
        column = (packed >> digits) & ((1 << of_column) - 1)
        return packed >> (of_column + digits), column, packed & ((1 << digits) - 1)
    order = np.argsort(row * width + column)
    return row[order], column[order], n[order]


def _numbered(labels: Integers) -> tuple[Integers, int]:
    """Number labels from 0, in their order; also return how many there are."""
    least, most = (int(labels.min()), int(labels.max())) if len(labels) else (0, 0)
    if most - least < SPARSE * len(labels):
        # A table of the labels that occur needs no sorting.
        place = labels - least if least else labels
        occurs = np.zeros(most - least + 1, dtype=bool)
        occurs[place] = True
        number = np.cumsum(occurs, dtype=labels.dtype) - 1
        return number[place], int(number[-1]) + 1
    values, numbers = np.unique(labels, return_inverse=True)
    return numbers.astype(np.int64, copy=False), len(values)
