"""Giant tables of mentions and their entities, as Parquet, CSV or TSV; DuckDB reads them.

Each row puts a mention, such as a record of a database, into an entity. The whole table is one
document. Install `corefscope[tables]`. Parquet is recognised by its content; tables with commas,
semicolons or tabs are read if the format is named.

`tables:mention=id,entity=cluster` names the columns. Otherwise the mention is in `mention_id`,
`mention`, `record_id` or `id`, and the entity in `cluster_id`, `cluster`, `entity_id` or `entity`;
if a table has several of them, the one to read must be named.

- The table is read into memory, which takes seconds for 10 million rows if mentions are whole
  numbers from 0 to 2,147,483,647. Other ids are possible up to 5 million rows.
- A folder of parts, as Spark and Dask write it, is one table: a folder that is named like a table,
  such as `gold.parquet`; one with a file `_SUCCESS` or `_metadata`; or one whose files all have
  names like `part-00000…`, `part.0…` or `data_0…`. Hidden files and files that begin with an
  underscore are ignored. All parts must have the same format and columns (`E112`). Folders of CSV
  and TSV are read as one table if the format is named.
- Mentions are ids: both sides must use the same ones. Ids of a column of text and of a column of
  numbers are compared as text.
- A row whose entity is null, NaN, -1 or empty is left out (`W151`), and a part without rows is
  ignored (`W109`). A row without a mention, and a heading that is repeated, are errors (`E112`). A
  mention with several rows stays in the entity that begins first in the table (`W108`).
- For small tables, for tables with a column of documents, and for pairs of mentions, use the format
  [`pairs`](pairs.md), which needs no package.
"""

from __future__ import annotations

import csv
import glob
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from corefscope.corpus import UNKNOWN_LENGTH
from corefscope.corpus.arrays import grouped
from corefscope.corpus.mentions import LAST_TOKEN
from corefscope.exceptions import InvalidInput, needs_package
from corefscope.extensions.tables.extension import (
    CLUSTER_COLUMNS,
    MENTION_COLUMNS,
    NONE,
    PARQUET,
    left_out,
)
from corefscope.findings import Code, Finding
from corefscope.formats.clusters import no_text
from corefscope.formats.directories import ignored
from corefscope.formats.divided import parts_of
from corefscope.formats.file_names import shown
from corefscope.formats.reading.block import Block
from corefscope.formats.reading.file import File
from corefscope.formats.reading.options import ReadingOptions
from corefscope.formats.reading.source import Source, reporting
from corefscope.formatting import counted

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MEMORY = "700MB"
"""What DuckDB keeps in memory; beyond that, it uses files."""
MOST_ROWS = 5_000_000
"""How many mentions may have ids that are no small numbers, and take much memory."""
PAIR = ("mention", "entity")
WHOLE = re.compile("U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?")
REAL = re.compile("FLOAT|DOUBLE")
LONG = ("BIGINT", "INTEGER", "SMALLINT", "TINYINT", "UINTEGER", "USMALLINT", "UTINYINT")
"""Types whose values fit into 64 bits with a sign."""
TEXT = re.compile("VARCHAR|UUID|ENUM")
NESTED = re.compile(r"STRUCT|MAP|UNION|.*\[\d*\]$|BLOB|VARIANT|GEOMETRY")
BLANKS = "".join(filter(str.isspace, map(chr, range(1, 0x3001))))
"""What may stand around an id or a label."""
CSV_LINE = re.compile(r"Line: (\d+)")


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
                # Nothing is fetched from a network.
                "autoinstall_known_extensions": "false",
                "autoload_known_extensions": "false",
            }
        )
        try:
            yield connection
        except duckdb.OutOfMemoryException:
            raise InvalidInput.of(
                Code.NO_MEMORY,
                "DuckDB has too little memory or disk space",
                expected=f"{MEMORY} and a free disk",
                file=files[0],
            ) from None
        except RuntimeError as error:
            # DuckDB takes the signal, and with it what would have been raised.
            if "interrupted" not in str(error):
                raise
            raise KeyboardInterrupt from None
        except duckdb.Error as error:
            # Damaged pages of Parquet are noticed when they are read, and so is a full disk.
            reason = str(error).partition("\n")[0].partition(": ")[2][:80]
            raise InvalidInput.of(
                Code.BAD_SHAPE,
                f"DuckDB stopped ({reason})",
                expected="sound tables and a free disk",
                file=" and ".join(files),
            ) from None
        finally:
            connection.close()


class Table(Struct, frozen=True, eq=False, kw_only=True):
    """The rows of a table that have an entity."""

    mention: NDArray[Any]
    """Integers of 64 bits, or strings."""
    entity: NDArray[Any]
    findings: Sequence[Finding]


def load(connection: DuckDBPyConnection, source: Source, options: ReadingOptions) -> Table:
    """Read the mentions and entities of a file.

    Raises InvalidInput if the file cannot be read, or if it is not clear which columns to read.
    """
    import duckdb

    try:
        return _load(connection, source, options)
    except duckdb.OutOfMemoryException:
        raise
    except duckdb.Error as error:
        text = str(error)
        line = CSV_LINE.search(text)
        file = _part_in(text, source)
        reason = text.partition("\n")[0].replace(str(file.path), "").partition(": ")[2][:80]
        found = f"DuckDB cannot read the table ({reason})"
        place = None if line is None else int(line[1])
        expected = "a sound Parquet, CSV or TSV file"
        raise InvalidInput([_wrong(file, found, place, expected=expected)]) from None


def _part_in(message: str, source: Source) -> Source:
    """Return the part that a message of DuckDB names, if the source is a folder."""
    if source.path is None or not source.path.is_dir():
        return source
    named = (part for part in parts_of(source.path)[0] if str(part) in message)
    return _source(next(named, source.path))


def _source(file: Path) -> Source:
    return Source(name=shown(str(file)), path=file)


def _load(connection: DuckDBPyConnection, source: Source, options: ReadingOptions) -> Table:
    files, findings = _files(source)
    is_typed = _are_parquet(files)
    if not is_typed:
        files, ignored = _with_rows(files)
        findings += ignored
    rows = _parquet(files) if is_typed else _text(files)
    types = _types(connection, rows)
    mention = _column(source, list(types), "mention", options.mention, MENTION_COLUMNS)
    entity = _column(source, list(types), "entity", options.entity, CLUSTER_COLUMNS)
    _refuse_mentions(source, mention, types[mention])
    _refuse_entities(source, entity, types[entity])
    if is_typed:
        _refuse_unlike(connection, files, types, (mention, entity))
    connection.execute(
        f"CREATE TABLE given AS SELECT {_identifier(mention)} AS mention, "
        f"{_identifier(entity)} AS entity FROM {rows}"
    )
    if not is_typed:
        _refuse_damage(connection, source, mention, entity)
    id, label = (
        _value(connection, "given", name, types[column])
        for name, column in (("mention", mention), ("entity", entity))
    )
    connection.execute(f"CREATE VIEW named AS SELECT {id} AS mention, {label} AS entity FROM given")
    found = _types(connection, "named")
    none = f"entity IS NULL OR lower(trim(entity::VARCHAR)) IN ({', '.join(map(_quoted, NONE))})"
    total, kept, mentions = connection.execute(
        f"SELECT count(*), count(*) FILTER (WHERE NOT ({none})), count(mention) FROM named"
    ).fetchall()[0]
    findings += _left_out(source, total, kept, mentions)
    if found["mention"] not in LONG and kept > MOST_ROWS:
        raise _too_large(source, kept)
    chosen = (name if found[name] in LONG else f"{name}::VARCHAR AS {name}" for name in PAIR)
    columns = connection.execute(
        f"SELECT {', '.join(chosen)} FROM named WHERE NOT ({none})"
    ).fetchnumpy()
    ids, labels = (np.ma.getdata(columns[name]) for name in PAIR)
    return Table(mention=ids, entity=labels, findings=findings)


def _with_rows(files: Sequence[Source]) -> tuple[list[Source], list[Finding]]:
    """Leave out empty parts of a table of text."""
    kept = [file for file in files if file.head(1)] or files[:1]
    empty = [_short(file) for file in files if file not in kept]
    return list(kept), [ignored(empty, files[0].name)] if empty else []


def _refuse_damage(
    connection: DuckDBPyConnection, source: Source, mention: str, entity: str
) -> None:
    """Refuse a table of text with bytes that are no text, or with its heading twice."""
    if _is_any(connection, "given", "contains(mention || coalesce(entity, ''), chr(0))"):
        raise InvalidInput.of(
            Code.BINARY, "the table has a NUL byte", expected="text", file=source.name
        )
    repeated = f"trim(mention) = {_quoted(mention)} AND trim(entity) = {_quoted(entity)}"
    if _is_any(connection, "given", repeated):
        raise InvalidInput([_wrong(source, "the heading is repeated", expected="it once")])


def _left_out(source: Source, total: int, kept: int, mentions: int) -> Iterator[Finding]:
    """Report rows without a mention or an entity; refuse a table without rows."""
    if not total:
        raise InvalidInput.of(
            Code.NO_DOCUMENT,
            "the table has a header, but no row",
            expected="mentions",
            file=source.name,
        )
    if mentions < total:
        empty = counted(total - mentions, "row has", "rows have")
        raise InvalidInput([_wrong(source, f"{empty} no mention", expected="an id in each row")])
    if kept < total:
        yield left_out(total - kept, total, source.name)


def _too_large(source: Source, rows: int) -> InvalidInput:
    return InvalidInput.of(
        Code.TOO_LARGE,
        f"the table has {rows:,} mentions",
        expected=f"at most {MOST_ROWS:,}, unless all are whole numbers below 2,147,483,648",
        file=source.name,
    )


def _wrong(
    source: Source, found: str, line: int | None = None, *, expected: str | None = None
) -> Finding:
    return Finding(Code.BAD_SHAPE, found, expected=expected, file=source.name, line=line)


def _files(source: Source) -> tuple[list[Source], list[Finding]]:
    """Return the file of a table, or its parts, and a finding about other files beside these."""
    if source.path is not None and source.path.is_dir():
        parts, findings = parts_of(source.path)
        return [_source(part) for part in parts], findings
    if source.path is not None:
        with reporting(source.name):
            source.path.stat()
    if source.path is None or not source.path.is_file():
        raise InvalidInput(
            [
                _wrong(
                    source,
                    "DuckDB reads tables from files only",
                    expected="a file, not standard input or a pipe",
                )
            ]
        )
    return [source], []


def _are_parquet(files: Sequence[Source]) -> bool:
    """Return whether files are Parquet, whose columns have types; refuse them if only some are."""
    first, *others = [file.head(len(PARQUET)) == PARQUET for file in files]
    for file, is_typed in zip(files[1:], others, strict=True):
        if is_typed != first:
            kinds = ["text", "Parquet"]
            raise InvalidInput(
                [
                    _wrong(
                        file,
                        f"the part is {kinds[is_typed]}, but {_short(files[0])} is {kinds[first]}",
                        expected="parts of one format",
                    )
                ]
            )
    return first


def _short(file: Source) -> str:
    return "" if file.path is None else file.path.name


def _paths(files: Sequence[Source]) -> str:
    """Return the paths of files in SQL; a path is a pattern to DuckDB."""
    return f"[{', '.join(_quoted(_pattern(file)) for file in files)}]"


def _pattern(file: Source) -> str:
    """Return a pattern that only one file matches."""
    path = str(file.path)
    try:
        path.encode()
    except UnicodeEncodeError:
        raise InvalidInput(
            [
                _wrong(
                    file,
                    "the path is not UTF-8",
                    expected="one that DuckDB can open: rename the file",
                )
            ]
        ) from None
    # A tilde at the beginning would be the folder of a user.
    return glob.escape(f"./{path}" if path.startswith("~") else path)


def _parquet(files: Sequence[Source]) -> str:
    """Return the rows of Parquet files in SQL."""
    return f"read_parquet({_paths(files)}, hive_partitioning = false)"


def _types(connection: DuckDBPyConnection, rows: str) -> dict[str, str]:
    """Return the type of each column in SQL."""
    described = connection.execute(f"DESCRIBE SELECT * FROM {rows}").fetchall()
    return {str(column): str(kind) for column, kind, *_ in described}


def _refuse_unlike(
    connection: DuckDBPyConnection,
    files: Sequence[Source],
    types: Mapping[str, str],
    used: Sequence[str],
) -> None:
    """Refuse parts of Parquet with other columns, or other types of those that are used.

    DuckDB would convert values of another type, and might lose digits.
    """
    for file in files[1:]:
        own = _types(connection, _parquet([file]))
        _refuse_other_columns(file, list(own), files[0], list(types))
        for column in used:
            if own[column] != types[column]:
                raise InvalidInput(
                    [
                        _wrong(
                            file,
                            f"the column {column!r} has the type {own[column]}, but "
                            f"{types[column]} in {_short(files[0])}",
                            expected="the same type in all parts",
                        )
                    ]
                )


def _refuse_other_columns(
    file: Source, found: Sequence[str], first: Source, expected: Sequence[str]
) -> None:
    if found != expected:
        ours, theirs = (", ".join(map(repr, names[:5])) for names in (found, expected))
        raise InvalidInput(
            [
                _wrong(
                    file,
                    f"the columns are {ours}",
                    expected=f"those of the part {_short(first)}: {theirs}",
                )
            ]
        )


def _text(files: Sequence[Source]) -> str:
    """Return the rows of CSV or TSV files in SQL."""
    heads = [(file, file.head(1 << 16)) for file in files]
    first, *others = [
        (file, _header(file, re.split(r"[\r\n]", head.decode(errors="replace"), maxsplit=1)[0]))
        for file, head in heads
    ]
    names, delimiter, quote = first[1]
    for file, (found, mark, _) in others:
        _refuse_other_columns(file, found, first[0], names)
        if mark != delimiter:
            raise InvalidInput(
                [
                    _wrong(
                        file,
                        f"cells are divided by {mark!r}, but by {delimiter!r} in "
                        f"{_short(first[0])}",
                        expected="the same sign in all parts",
                    )
                ]
            )
    columns = ", ".join(f"{_quoted(name)}: 'VARCHAR'" for name in names)
    return (
        f"read_csv({_paths([file for file, _ in heads])}, columns = {{{columns}}}, header = true, "
        f"delim = '{delimiter}', quote = '{quote}', escape = '{quote}', auto_detect = false, "
        f"compression = '{_compression([file for file, _ in heads])}', "
        "strict_mode = true, max_line_size = 16777216)"
    )


def _compression(files: Sequence[Source]) -> str:
    """Return how opened files are compressed, in the words of DuckDB, which looks at names."""
    kinds = {file.is_packed for file in files}
    if len(kinds) == 1:
        return "gzip" if True in kinds else "none"
    for file in files:
        if file.is_packed != file.name.lower().endswith(".gz"):
            found = "a gzip file" if file.is_packed else "not a gzip file"
            raise InvalidInput(
                [
                    _wrong(
                        file,
                        f"this part is {found}",
                        expected="names that end in .gz for just the gzip files",
                    )
                ]
            )
    return "auto"


def _header(source: Source, header: str) -> tuple[list[str], str, str]:
    """Return the columns of a table of text, and what divides and quotes its cells."""
    delimiter = "\t" if "\t" in header else ";" if ";" in header else ","
    # As in the format pairs, quotes mean nothing in tables with tabs.
    quote = "" if delimiter == "\t" else '"'
    names = (
        header.split(delimiter) if not quote else next(csv.reader([header], delimiter=delimiter))
    )
    names = [name.strip() for name in names]
    if len({name.lower() for name in names}) < len(names) or not all(names):
        raise InvalidInput(
            [
                _wrong(
                    source,
                    f"the header is {header[:60]!r}",
                    1,
                    expected="a different name for each column",
                )
            ]
        )
    return names, delimiter, quote


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
        raise InvalidInput(
            [
                _wrong(
                    source,
                    f"several columns may be the {what}: {shown}",
                    expected=f"one to be named: tables:{what}=COLUMN",
                )
            ]
        )
    missing = f"no column {given!r}" if given is not None else f"no known column for the {what}"
    raise InvalidInput.of(
        Code.NOT_IN_FILE,
        f"the table has {missing}",
        expected=f"one of its columns in tables:{what}=COLUMN: {shown}",
        file=source.name,
    )


def _identifier(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'


def _refuse_mentions(source: Source, column: str, kind: str) -> None:
    """Refuse a column of mentions that are neither whole numbers nor text."""
    if not (WHOLE.fullmatch(kind) or TEXT.match(kind)):
        raise InvalidInput(
            [
                _wrong(
                    source,
                    f"the column {column!r} of mentions has the type {kind}",
                    expected="whole numbers or text",
                )
            ]
        )


def _refuse_entities(source: Source, column: str, kind: str) -> None:
    """Refuse a column of entities that are lists or records."""
    if NESTED.match(kind):
        raise InvalidInput(
            [
                _wrong(
                    source,
                    f"the column {column!r} of entities has the type {kind}",
                    expected="numbers or text",
                )
            ]
        )


def _value(connection: DuckDBPyConnection, rows: str, column: str, kind: str) -> str:
    """Return the values of a column in SQL; null where there is none."""
    name = _identifier(column)
    if kind in LONG:
        return name
    if REAL.fullmatch(kind):
        # A column of whole numbers with gaps becomes one of floats in pandas.
        known = f"CASE WHEN isnan({name}) THEN NULL ELSE {name} END"
        is_whole = not _is_any(connection, rows, f"{known} <> floor({name}) OR abs({known}) > 1e15")
        return f"({known})::BIGINT" if is_whole else known
    text = f"{name}::VARCHAR"
    # Numbers are compared much faster than texts, and are the same if they are written alike.
    number = f"TRY_CAST({name} AS BIGINT)"
    if not _is_any(connection, rows, f"{text} IS DISTINCT FROM {number}::VARCHAR"):
        return number
    # To take blanks away takes longer than a join of two tables, and most columns have none.
    ends = f"{text} < '!' OR ({text})[-1] < '!'"
    # Other blanks are not ASCII.
    others = f"strlen({text}) > length({text})"
    is_trimmed = not _is_any(connection, rows, f"{ends} OR {others}")
    return text if is_trimmed else f"nullif(trim({text}, {_quoted(BLANKS)}), '')"


def _is_any(connection: DuckDBPyConnection, rows: str, condition: str) -> bool:
    """Return whether a condition is true of any row."""
    found = connection.execute(f"SELECT 1 FROM {rows} WHERE {condition} LIMIT 1").fetchone()
    return found is not None


def read(file: File) -> None:
    """Read a table as one document into the corpus."""
    try:
        with database(file.name) as connection:
            table = load(connection, file.source, file.options)
        block = _block(file.source, table)
    except InvalidInput as error:
        for finding in error.findings:
            file.builder.add(finding)
        return
    for finding in table.findings:
        file.builder.add(finding)
    if file.progress:
        file.progress(sum(file.path.stat().st_size for file in _files(file.source)[0] if file.path))
    file.builder.add_block(block)


def _block(source: Source, table: Table) -> Block:
    """Return a table as a document whose mentions are in the order of entities, then of rows."""
    code = table.entity
    if code.dtype == object or code.min(initial=0) < 0:
        _, code = np.unique(code, return_inverse=True)
    by_label, sizes = grouped(code.astype(np.int64, copy=False))
    # Entities are in the order in which they begin, which decides who keeps a repeated mention.
    first = by_label[np.cumsum(sizes) - sizes]
    order = np.argsort(first)
    entity = np.empty(len(code), dtype=np.int64)
    entity[by_label] = np.repeat(np.argsort(order), sizes)
    rows, _ = grouped(entity)
    mentions = np.zeros((len(rows), 4), dtype=np.int64)
    mentions[:, 0] = entity[rows]
    id, texts = table.mention[rows], {}
    if id.dtype != object and id.min(initial=0) >= 0 and id.max(initial=0) <= LAST_TOKEN:
        mentions[:, 1] = mentions[:, 2] = id
    elif len(id) > MOST_ROWS:
        raise _too_large(source, len(id))
    else:
        texts = dict(enumerate(map(str, id.tolist())))
    return Block(
        names=(source.stem,),
        is_named=False,
        lines=(None,),
        tokens=(UNKNOWN_LENGTH,),
        digests=(None,),
        places=((source, 0, 0, no_text),),
        labels=list(map(str, table.entity[first[order]].tolist())),
        mentions=mentions,
        ids=texts,
    )
