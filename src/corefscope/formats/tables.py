"""Giant tables of mentions and their entities, as Parquet, CSV or TSV; DuckDB reads them.

Each row puts a mention, such as a record of a database, into an entity. The whole table is one
document. Install `corefscope[tables]`. Parquet is recognised by its content; tables with commas,
semicolons or tabs are read if the format is named.

`tables:mention=id,entity=cluster` names the columns. Otherwise the mention is in `mention_id`,
`mention`, `record_id` or `id`, and the entity in `cluster_id`, `cluster`, `entity_id` or `entity`;
if a table has several of them, the one to read must be named.

- `score` counts two tables in DuckDB, which uses files on a disk if they are larger than its
  memory. Other commands, and a table beside another format, read the table into memory, which is
  possible up to 5 million rows.
- Mentions are ids: both sides must use the same ones. Ids of a column of text and of a column of
  numbers are compared as text.
- A row whose entity is null, empty or NaN is left out (`W151`). A row without a mention is an error
  (`E112`). A mention with several rows stays in the entity that begins first in the table (`W108`).
- For small tables, for tables with a column of documents, and for pairs of mentions, use the format
  [`pairs`](pairs.md), which needs no package.
"""

from __future__ import annotations

import csv
import glob
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from corefscope.exceptions import InvalidInput, needs_package
from corefscope.findings import Code, Finding
from corefscope.formats.clusters import ClustersOnly, read_document
from corefscope.formats.detection import CLUSTER_COLUMNS, MENTION_COLUMNS, PARQUET, is_parquet
from corefscope.formats.file_names import local
from corefscope.formats.reading.builder import Builder
from corefscope.formats.reading.options import ReadingOptions
from corefscope.formats.reading.source import Progress, Source
from corefscope.formatting import counted
from corefscope.records import dataclass

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MEMORY = "700MB"
"""What DuckDB keeps in memory; beyond that, it uses files."""
MOST_ROWS = 5_000_000
"""How many rows become a corpus in memory."""
WHOLE = re.compile("U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?")
REAL = re.compile("FLOAT|DOUBLE")
NESTED = re.compile(r"STRUCT|MAP|UNION|.*\[\d*\]$|BLOB|VARIANT|GEOMETRY")
CSV_LINE = re.compile(r"Line: (\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFile:
    """A table of mentions and entities that a connection of DuckDB has under a name."""

    name: str
    """Its name in SQL; its columns are ``mention`` and ``entity``."""
    file: str
    """The name of the file that messages use."""
    document: str
    """The name of the document."""
    has_numbers: bool
    """Whether mentions are whole numbers, and not text."""
    is_typed: bool
    """Whether columns have types, as in Parquet."""
    labels: str
    """The type of the entities in SQL."""
    rows: int
    """The number of rows with an entity."""
    findings: tuple[Finding, ...] = ()


@contextmanager
def database(*files: str) -> Iterator[DuckDBPyConnection]:
    """Open an empty database, whose temporary files are removed; report what DuckDB refuses."""
    try:
        # Loaded here because it takes longer than scoring a test set, and may not be there.
        import duckdb
    except ImportError:
        raise needs_package("the table is", "DuckDB", "tables", files[0]) from None
    with TemporaryDirectory(prefix="corefscope-") as folder:
        connection = duckdb.connect(
            config={
                "memory_limit": MEMORY,
                "temp_directory": folder,
                "preserve_insertion_order": "false",
                # Nothing is fetched from a network.
                "autoinstall_known_extensions": "false",
                "autoload_known_extensions": "false",
            }
        )
        try:
            yield connection
        except duckdb.OutOfMemoryException:
            message = (
                f"DuckDB has too little memory or disk space; expected {MEMORY} and a free disk"
            )
            raise InvalidInput([Finding(Code.NO_MEMORY, message, file=files[0])]) from None
        except duckdb.Error as error:
            # Damaged pages of Parquet are noticed when they are read, and so is a full disk.
            reason = str(error).partition("\n")[0].partition(": ")[2][:80]
            message = f"DuckDB stopped ({reason}); expected sound tables and a free disk"
            raise InvalidInput(
                [Finding(Code.BAD_SHAPE, message, file=" and ".join(files))]
            ) from None
        finally:
            connection.close()


def load(
    connection: DuckDBPyConnection, name: str, source: Source, options: ReadingOptions
) -> TableFile:
    """Give a connection the mentions and entities of a file as a table.

    Raises InvalidInput if the file cannot be read, or if it is not clear which columns to read.
    """
    import duckdb

    try:
        return _load(connection, name, source, options)
    except duckdb.OutOfMemoryException:
        raise
    except duckdb.Error as error:
        text = str(error)
        line = CSV_LINE.search(text)
        reason = text.partition("\n")[0].replace(str(source.path), "").partition(": ")[2][:80]
        message = (
            f"DuckDB cannot read the table ({reason}); expected a sound Parquet, CSV or TSV file"
        )
        place = None if line is None else int(line[1])
        raise InvalidInput([_wrong(source, message, place)]) from None


def _load(
    connection: DuckDBPyConnection, name: str, source: Source, options: ReadingOptions
) -> TableFile:
    rows, is_typed = _scan(source)
    described = connection.execute(f"DESCRIBE SELECT * FROM {rows}").fetchall()
    types = {str(column): str(kind) for column, kind, *_ in described}
    mention = _column(source, list(types), "mention", options.mention, MENTION_COLUMNS)
    entity = _column(source, list(types), "entity", options.entity, CLUSTER_COLUMNS)
    id, has_numbers = _mention(source, mention, types[mention])
    label, kind = _entity(source, entity, types[entity])
    # A table of text is parsed once; the columns of Parquet are read again where they are needed.
    made = "VIEW" if is_typed else "TABLE"
    connection.execute(
        f"CREATE TEMP {made} {name}_rows AS SELECT {id} AS mention, {label} AS entity FROM {rows}"
    )
    connection.execute(
        f"CREATE TEMP VIEW {name} AS SELECT * FROM {name}_rows WHERE entity IS NOT NULL"
    )
    found = connection.execute(
        f"SELECT count(*), count(entity), count(mention) FROM {name}_rows"
    ).fetchone()
    total, kept, mentions = found or (0, 0, 0)
    return TableFile(
        name=name,
        file=source.name,
        document=source.stem,
        has_numbers=has_numbers,
        is_typed=is_typed,
        labels=kind,
        rows=kept,
        findings=tuple(_left_out(source, total, kept, mentions)),
    )


def _left_out(source: Source, total: int, kept: int, mentions: int) -> Iterator[Finding]:
    """Report rows without a mention or an entity; refuse a table without rows."""
    if not total:
        message = "the table has a header, but no row; expected mentions"
        raise InvalidInput([Finding(Code.NO_DOCUMENT, message, file=source.name)])
    if mentions < total:
        empty = counted(total - mentions, "row has", "rows have")
        raise InvalidInput([_wrong(source, f"{empty} no mention; expected an id in each row")])
    if kept < total:
        empty = counted(total - kept, "row", "rows")
        message = f"{empty} of {total:,} without an entity left out; expected an entity in each row"
        yield Finding(Code.NULL_MENTION, message, file=source.name)


def _wrong(source: Source, message: str, line: int | None = None) -> Finding:
    return Finding(Code.BAD_SHAPE, message, file=source.name, line=line)


def _scan(source: Source) -> tuple[str, bool]:
    """Return the rows of a file in SQL, and whether its columns have types."""
    if source.path is None or not source.path.is_file():
        message = (
            "DuckDB reads tables from files only; expected a file, not standard input or a pipe"
        )
        raise InvalidInput([_wrong(source, message)])
    # A path is a pattern to DuckDB.
    path = _quoted(glob.escape(str(source.path)))
    head = source.head(1 << 16)
    if head.startswith(PARQUET):
        return f"read_parquet({path}, hive_partitioning = false)", True
    header = head.decode(errors="replace").partition("\n")[0].rstrip("\r")
    delimiter = "\t" if "\t" in header else ";" if ";" in header else ","
    # As in the format pairs, quotes mean nothing in tables with tabs.
    quote = "" if delimiter == "\t" else '"'
    names = (
        header.split(delimiter) if not quote else next(csv.reader([header], delimiter=delimiter))
    )
    names = [name.strip() for name in names]
    if len({name.lower() for name in names}) < len(names) or not all(names):
        message = f"the header is {header[:60]!r}; expected a different name for each column"
        raise InvalidInput([_wrong(source, message, 1)])
    columns = ", ".join(f"{_quoted(name)}: 'VARCHAR'" for name in names)
    return (
        f"read_csv({path}, columns = {{{columns}}}, header = true, delim = '{delimiter}', "
        f"quote = '{quote}', escape = '{quote}', auto_detect = false, strict_mode = true, "
        "max_line_size = 16777216)",
        False,
    )


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _column(
    source: Source, names: Sequence[str], what: str, given: str | None, usual: Sequence[str]
) -> str:
    """Return the column of mentions or entities: the one that is named, or the only usual one."""
    wanted = usual if given is None else [given.lower()]
    found = [name for name in names if name.lower() in wanted]
    if len(found) == 1:
        return found[0]
    shown = ", ".join(map(repr, (found or names)[:5]))
    if found:
        message = (
            f"several columns may be the {what}: {shown}; expected one to be named: "
            f"tables:{what}=COLUMN"
        )
        raise InvalidInput([_wrong(source, message)])
    missing = f"no column {given!r}" if given is not None else f"no known column for the {what}"
    message = (
        f"the table has {missing}; expected one of its columns in tables:{what}=COLUMN: {shown}"
    )
    raise InvalidInput([Finding(Code.NOT_IN_FILE, message, file=source.name)])


def _identifier(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'


def _mention(source: Source, column: str, kind: str) -> tuple[str, bool]:
    """Return the mentions of a column in SQL, and whether they are whole numbers."""
    name = _identifier(column)
    if WHOLE.fullmatch(kind):
        return name, True
    if kind not in ("VARCHAR", "UUID") and not kind.startswith("ENUM"):
        message = (
            f"the column {column!r} of mentions has the type {kind}; expected whole numbers or text"
        )
        raise InvalidInput([_wrong(source, message)])
    return f"nullif(trim({name}::VARCHAR), '')", False


def _entity(source: Source, column: str, kind: str) -> tuple[str, str]:
    """Return the entities of a column in SQL, and their type there."""
    name = _identifier(column)
    if NESTED.match(kind):
        message = f"the column {column!r} of entities has the type {kind}; expected numbers or text"
        raise InvalidInput([_wrong(source, message)])
    if WHOLE.fullmatch(kind):
        return name, kind
    if REAL.fullmatch(kind):
        # A column of whole numbers with gaps becomes one of floats in pandas.
        return f"CASE WHEN isnan({name}) THEN NULL ELSE {name} END", kind
    return f"nullif(trim({name}::VARCHAR), '')", "VARCHAR"


def read(
    source: Source, builder: Builder, options: ReadingOptions, progress: Progress | None = None
) -> None:
    """Read a table as one document into the builder."""
    try:
        with database(source.name) as connection:
            table = load(connection, "mentions", source, options)
            labels, entities = _entities(connection, table)
    except InvalidInput as error:
        for finding in error.findings:
            builder.add(finding)
        return
    for finding in table.findings:
        builder.add(finding)
    if progress and source.path is not None:
        progress(source.path.stat().st_size)
    given = ClustersOnly(source.stem, entities, labels, is_named=False)
    read_document(given, builder, source)


def _entities(
    connection: DuckDBPyConnection, table: TableFile
) -> tuple[list[str], list[list[str]]]:
    """Return the labels of all entities, and their mentions in the order of the rows."""
    if table.rows > MOST_ROWS:
        message = (
            f"the table has {table.rows:,} mentions; expected at most {MOST_ROWS:,}; larger tables "
            "can only be scored, against another table"
        )
        raise InvalidInput([Finding(Code.TOO_LARGE, message, file=table.file)])
    connection.execute("SET preserve_insertion_order = true")
    rows = connection.execute(
        "SELECT entity::VARCHAR, mention::VARCHAR FROM (SELECT row_number() OVER () AS row, * "
        f"FROM {table.name}) ORDER BY min(row) OVER (PARTITION BY entity), row"
    ).fetchall()
    groups = [(label, [id for _, id in group]) for label, group in groupby(rows, lambda r: r[0])]
    return [label for label, _ in groups], [ids for _, ids in groups]


def table_at(path: str, format: str | None) -> tuple[Source, ReadingOptions] | None:
    """Return a file and how to read it, if it is a table of this format; None otherwise."""
    from corefscope.formats.registry import parse_format

    given = None if format is None else parse_format(format)
    if given is None:
        is_table, options = is_parquet(path), ReadingOptions()
    else:
        is_table, options = given[0].name == "tables" and Path(local(path)).is_file(), given[1]
    return (Source(name=path, path=Path(local(path))), options) if is_table else None
