"""The history of a training run: one row per scored checkpoint, in a SQLite file.

Every change is one transaction, so that several watchers can share a file, and that a full disk,
Ctrl-C or a killed process leaves the rows that were there before.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from errno import EACCES, EBUSY, EIO, ENOSPC
from os import PathLike, fspath
from pathlib import Path
from types import TracebackType
from typing import ClassVar, NamedTuple, TypeAlias

from corefscope.exceptions import CannotWrite, InvalidInput
from corefscope.findings import Code
from corefscope.formatting import Value, counted
from corefscope.metrics import CONLL, METRICS, STATISTICS, Statistic
from corefscope.output import check_target
from corefscope.profiles import parse_signature, same_rules
from corefscope.records import dataclass
from corefscope.scoring import Scores
from corefscope.serialization.score import MetricScores, metric_records
from corefscope.tabular import FigureFormats, Row, Tabular
from corefscope.version import __version__
from corefscope.watching.folder import Stamp

APPLICATION = 0x63726673
"""What marks a SQLite file as a history of corefscope."""
VERSION = 1
"""The version of the table."""
PATIENCE = 30.0
"""How many seconds to wait for another process that writes."""
COLUMNS = (
    *("key_digest", "settings", "version", "name", "digest"),
    *("key", "size", "mtime_ns", "listing", "scored", "signature"),
    *("metrics", "conll", "findings"),
)
TABLE = """
CREATE TABLE checkpoints (
    number INTEGER PRIMARY KEY,
    key_digest TEXT NOT NULL,
    settings TEXT NOT NULL,
    version TEXT NOT NULL,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    key TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    listing TEXT NOT NULL,
    scored TEXT NOT NULL,
    signature TEXT NOT NULL,
    metrics TEXT NOT NULL,
    conll REAL,
    findings TEXT NOT NULL,
    UNIQUE (key_digest, settings, version, name, digest)
)
"""
Stored: TypeAlias = tuple[str | int | float | None, ...]
"""A row of the table."""


class Series(NamedTuple):
    """What the results of a history must have in common to be compared."""

    key_digest: str
    """The digest of the entities of the key."""
    settings: str
    """The options that were given and may change scores."""
    version: str
    """The version of corefscope."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """A scored checkpoint: a response file, or a folder of them."""

    name: str
    digest: str
    """The digest of its contents."""
    key: str
    """The path of the key."""
    series: Series
    stamp: Stamp
    scored: str
    """When it was scored, in UTC: ``2026-01-31T12:00:00Z``."""
    signature: str
    metrics: MetricScores
    """Recall, precision and F1 of each metric, with their counts."""
    conll: float | None
    """The CoNLL score, if its metrics were computed."""
    findings: Mapping[str, int]
    """How many warnings there were, by code."""

    @property
    def statistic(self) -> Statistic:
        """The figure by which checkpoints are compared: the CoNLL score, or the first metric."""
        return CONLL if self.conll is not None else METRICS[next(iter(self.metrics))]

    @property
    def value(self) -> float:
        """The value of this figure."""
        return self.conll if self.conll is not None else self.metrics[self.statistic.id]["f1"]

    def is_comparable(self, other: Checkpoint) -> bool:
        """Return whether another checkpoint was scored in the same way, with the same key."""
        return (
            self.series == other.series
            and self.statistic.id == other.statistic.id
            and same_rules(self.signature, other.signature)
        )

    def is_better(self, other: Checkpoint) -> bool:
        """Return whether it is better than another one that it can be compared with."""
        return self.statistic.direction * (self.value - other.value) > 0


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class History(Tabular):
    """The scored checkpoints of a history, in the order in which they were scored."""

    path: str
    checkpoints: Sequence[Checkpoint]

    FORMATS: ClassVar[FigureFormats] = {id: each.format for id, each in STATISTICS.items()}

    def __iter__(self) -> Iterator[Checkpoint]:
        return iter(self.checkpoints)

    def __len__(self) -> int:
        return len(self.checkpoints)

    @property
    def series(self) -> Mapping[Series, Sequence[Checkpoint]]:
        """The checkpoints by key, options and version; only those of one series are compared."""
        found: dict[Series, list[Checkpoint]] = {}
        for checkpoint in self.checkpoints:
            found.setdefault(checkpoint.series, []).append(checkpoint)
        return found

    def _rows(self) -> list[Row]:
        ids = dict.fromkeys(id for each in self.checkpoints for id in each.metrics)
        return [
            {
                "scored": each.scored,
                "name": each.name,
                "conll": each.conll,
                **{id: each.metrics[id]["f1"] if id in each.metrics else None for id in ids},
                "signature": each.signature,
                "settings": each.series.settings,
                "key_digest": each.series.key_digest,
                "digest": each.digest,
            }
            for each in self.checkpoints
        ]

    def to_dict(self) -> dict[str, Value]:
        """Return the F1 of every metric by name of the checkpoint, such as ``epoch-1/muc``.

        Returns
        -------
        dict
            Figures by name; of several checkpoints with one name, those of the last.
        """
        return {
            f"{each.name}/{id}": figure
            for each in self.checkpoints
            for id, figure in {
                **{id: record["f1"] for id, record in each.metrics.items()},
                **({} if each.conll is None else {CONLL.id: each.conll}),
            }.items()
        }

    def __repr__(self) -> str:
        return f"<History of {counted(len(self.checkpoints), 'checkpoint')} in {self.path}>"


def read_history(path: str | PathLike[str]) -> History:
    """Read the history that ``corefscope watch`` keeps.

    Parameters
    ----------
    path
        The SQLite file.

    Returns
    -------
    History
        All scored checkpoints; ``to_frame()`` has one row for each.

    Raises
    ------
    InvalidInput
        If the file does not exist, or is not a history.
    """
    path = fspath(path)
    if not os.path.isfile(path):  # noqa: PTH113 - it never raises
        raise InvalidInput.of(
            Code.UNREADABLE,
            "the history does not exist or is not a file",
            expected="a SQLite file",
            file=path,
        )
    with HistoryFile(path, is_written=False) as file:
        return History(path, tuple(file.checkpoints()))


class HistoryFile:
    """An open history; a new file is created when the first checkpoint is added.

    Parameters
    ----------
    path
        The SQLite file.
    is_written
        Whether checkpoints will be added.
    """

    def __init__(self, path: str, *, is_written: bool = True) -> None:
        self.path = path
        self.is_written = is_written
        self._connection: sqlite3.Connection | None = None
        if is_written:
            check_target(path)
        if os.path.isfile(path):  # noqa: PTH113 - it never raises
            self._connect()

    def __enter__(self) -> HistoryFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._connection is not None:
            self._connection.close()

    def checkpoints(self, series: Series | None = None) -> list[Checkpoint]:
        """Return the checkpoints of a series, or all, in the order in which they were scored."""
        if self._connection is None:
            return []
        chosen, given = _where(series)
        select = f"SELECT {', '.join(COLUMNS)} FROM checkpoints{chosen} ORDER BY number"
        with _reported(self.path):
            rows: list[Stored] = self._connection.execute(select, given).fetchall()
        return [self._checkpoint(row) for row in rows]

    def others(self, series: Series) -> int:
        """Return the number of checkpoints that are not of a series."""
        if self._connection is None:
            return 0
        chosen, given = _where(series)
        select = f"SELECT (SELECT count(*) FROM checkpoints) - count(*) FROM checkpoints{chosen}"
        with _reported(self.path):
            (count,) = self._connection.execute(select, given).fetchone()
        return int(count)

    def has(self, series: Series, name: str, *, stamp: Stamp) -> bool:
        """Return whether a checkpoint was scored that looked like this from outside."""
        return self._has(series, "name = ? AND listing = ?", (storable(name), stamp.listing))

    def has_contents(self, series: Series, name: str, digest: str) -> bool:
        """Return whether a checkpoint with these contents was scored."""
        return self._has(series, "name = ? AND digest = ?", (storable(name), digest))

    def renew(self, series: Series, name: str, digest: str, stamp: Stamp) -> None:
        """Note that a checkpoint with the same contents now looks different from outside."""
        where, given = _where(series)
        update = (
            f"UPDATE checkpoints SET size = ?, mtime_ns = ?, listing = ?{where} "
            "AND name = ? AND digest = ?"
        )
        with self._transaction() as connection:
            connection.execute(update, (*stamp, *given, storable(name), digest))

    def _has(self, series: Series, condition: str, values: Sequence[str]) -> bool:
        if self._connection is None:
            return False
        where, given = _where(series)
        select = f"SELECT 1 FROM checkpoints{where} AND {condition} LIMIT 1"
        with _reported(self.path):
            return self._connection.execute(select, (*given, *values)).fetchone() is not None

    def add(self, checkpoint: Checkpoint) -> None:
        """Add a checkpoint, unless another watcher has added it."""
        if self._connection is None:
            self._connect()
        marks = ", ".join("?" * len(COLUMNS))
        insert = f"INSERT OR IGNORE INTO checkpoints ({', '.join(COLUMNS)}) VALUES ({marks})"
        with self._transaction() as connection:
            connection.execute(insert, _stored(checkpoint))

    def _connect(self) -> None:
        """Open the file; make the table if the file is new."""
        with _reported(self.path):
            mode = "rwc" if self.is_written else "ro"
            place = f"{Path(self.path).absolute().as_uri()}?mode={mode}"
            self._connection = sqlite3.connect(
                place, uri=True, timeout=PATIENCE, isolation_level=None
            )
            if not self.is_written:
                self._is_new(self._connection)
                return
        with self._transaction() as connection:
            if self._is_new(connection):
                connection.execute(TABLE)
                connection.execute(f"PRAGMA application_id = {APPLICATION}")
                connection.execute(f"PRAGMA user_version = {VERSION}")

    def _is_new(self, connection: sqlite3.Connection) -> bool:
        """Return whether the file has no table yet; raise InvalidInput if it is not a history."""
        (mark,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if not tables and not mark and self.is_written:
            return True
        if mark != APPLICATION:
            raise self._refused("the SQLite file is not a history", expected="one, or a new file")
        if version > VERSION:
            raise self._refused(
                f"the history has version {version}",
                expected=f"at most {VERSION}: use a newer corefscope",
            )
        return False

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Change the file completely or not at all."""
        connection = self._connection
        assert connection is not None
        with _reported(self.path):
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    def _refused(self, found: str, *, expected: str) -> InvalidInput:
        return InvalidInput.of(Code.BAD_RESULT, found, expected=expected, file=self.path)

    def _checkpoint(self, row: Stored) -> Checkpoint:
        """Return a row as a checkpoint; raise InvalidInput if it was changed by somebody else."""
        found = dict(zip(COLUMNS, row, strict=True))
        try:
            metrics, findings = (
                json.loads(str(found["metrics"])),
                json.loads(str(found["findings"])),
            )
            conll = found["conll"]
            checkpoint = Checkpoint(
                name=str(found["name"]),
                digest=str(found["digest"]),
                key=str(found["key"]),
                series=Series(*(str(found[name]) for name in Series._fields)),
                stamp=Stamp(
                    int(found["size"] or 0), int(found["mtime_ns"] or 0), str(found["listing"])
                ),
                scored=str(found["scored"]),
                signature=str(found["signature"]),
                metrics={METRICS[id].id: record for id, record in metrics.items()},
                conll=None if conll is None else float(conll),
                findings={str(code): int(count) for code, count in findings.items()},
            )
            parse_signature(checkpoint.signature)
            float(checkpoint.value)
        except (ValueError, LookupError, TypeError, AttributeError, StopIteration):
            raise self._refused(
                f"the row of {found['name']!r} cannot be read",
                expected="scores as JSON: remove the row or the file",
            ) from None
        return checkpoint


def _where(series: Series | None) -> tuple[str, tuple[str, ...]]:
    """Return the condition that chooses a series, and its values."""
    if series is None:
        return "", ()
    return " WHERE " + " AND ".join(f"{name} = ?" for name in Series._fields), tuple(series)


def _stored(checkpoint: Checkpoint) -> Stored:
    """Return a checkpoint as a row, in the order of the columns."""
    return (
        *checkpoint.series,
        storable(checkpoint.name),
        checkpoint.digest,
        storable(checkpoint.key),
        *checkpoint.stamp,
        checkpoint.scored,
        checkpoint.signature,
        json.dumps(checkpoint.metrics),
        checkpoint.conll,
        json.dumps(checkpoint.findings),
    )


def storable(text: str) -> str:
    """Return a text without bytes that were not UTF-8, which a SQLite file cannot hold."""
    return text.encode("utf-8", "backslashreplace").decode()


def checkpoint_of(
    scores: Scores, *, name: str, digest: str, key: str, series: Series, stamp: Stamp, scored: str
) -> Checkpoint:
    """Return the record of scores."""
    return Checkpoint(
        name=name,
        digest=digest,
        key=key,
        series=series,
        stamp=stamp,
        scored=scored,
        signature=scores.signature,
        metrics=metric_records(scores.metrics),
        conll=scores.conll,
        findings=dict(Counter(finding.code.id for finding in scores.findings)),
    )


def series_of(key_digest: str, settings: str) -> Series:
    """Return the series of results that are computed now."""
    return Series(key_digest, storable(settings), __version__)


NOT_SQLITE = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
REASONS = {
    sqlite3.SQLITE_FULL: (ENOSPC, "the disk is full"),
    sqlite3.SQLITE_READONLY: (EACCES, "the file is read-only"),
    sqlite3.SQLITE_CANTOPEN: (EACCES, "the file cannot be opened"),
    sqlite3.SQLITE_BUSY: (EBUSY, f"another process has locked it for {PATIENCE:.0f} seconds"),
    sqlite3.SQLITE_IOERR: (EIO, "the disk reports an error"),
}
"""Errors of SQLite as those of the operating system."""


@contextmanager
def _reported(path: str) -> Iterator[None]:
    """Turn exceptions of SQLite into ours."""
    try:
        yield
    except sqlite3.Error as error:
        # The low byte is the kind of the error, the others say more about it.
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in NOT_SQLITE:
            raise InvalidInput.of(
                Code.BAD_RESULT,
                "the file is not an intact SQLite file",
                expected="a history, or a new file",
                file=path,
            ) from None
        number, reason = REASONS.get(code, (EIO, str(error)))
        raise CannotWrite(number, reason, path) from None
