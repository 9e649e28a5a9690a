"""The history: a SQLite file that only grows, that several processes share, and that is ours."""

from __future__ import annotations

import multiprocessing
import sqlite3
from pathlib import Path

import pytest

import corefscope as cs
from corefscope.exceptions import CannotWrite
from corefscope.watching.folder import Stamp
from corefscope.watching.history import (
    APPLICATION,
    Checkpoint,
    HistoryFile,
    Series,
    checkpoint_of,
    series_of,
)

KEY = [{"a", "b", "c"}, {"d", "e"}]
GOOD, BAD = [{"a", "b", "c"}, {"d"}], [{"a", "d"}, {"b", "e"}]
SERIES = series_of("0123", "")


def made(
    name: str,
    response: list[set[str]],
    series: Series = SERIES,
    metrics: str | None = None,
    digest: str = "",
) -> Checkpoint:
    return checkpoint_of(
        cs.score(KEY, response, metrics=metrics),
        name=name,
        digest=digest or f"digest of {name}",
        key="gold.conll",
        series=series,
        stamp=Stamp(7, 8, f"listing of {name}"),
        scored="2026-01-31T12:00:00Z",
    )


def test_what_is_added_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    checkpoints = [made("one", BAD), made("two", GOOD), made("lea", GOOD, metrics="lea")]
    with HistoryFile(str(path)) as file:
        assert file.checkpoints() == [] and not path.exists(), "a history begins with a checkpoint"
        for each in checkpoints:
            file.add(each)
        found = file.checkpoints(SERIES)
    assert [each.name for each in found] == ["one", "two", "lea"]
    for given, again in zip(checkpoints, found, strict=True):
        assert again.series == given.series and again.stamp == given.stamp
        assert again.conll == given.conll and again.value == given.value
        assert again.metrics.keys() == given.metrics.keys()
        for id, record in given.metrics.items():
            assert again.metrics[id]["f1"] == record["f1"]
            assert tuple(again.metrics[id]["recall_counts"]) == record["recall_counts"]
    assert found[1].is_better(found[0]) and not found[0].is_better(found[1])
    assert found[1].is_comparable(found[0]) and not found[2].is_comparable(found[0])


def test_the_history_in_python(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    with HistoryFile(str(path)) as file:
        file.add(made("one", BAD))
        file.add(made("two", GOOD))
        file.add(made("one", GOOD, series_of("4567", "--profile macro")))
    history = cs.read_history(path)
    assert len(history) == 3 and repr(history) == f"<History of 3 checkpoints in {path}>"
    frame = history.to_frame()
    expected = [cs.score(KEY, each).conll for each in (BAD, GOOD, GOOD)]
    assert frame["name"].tolist() == ["one", "two", "one"] and frame["conll"].tolist() == expected
    assert frame["muc"].tolist() == [each.metrics["muc"]["f1"] for each in history]
    assert history.to_dict()["two/conll"] == expected[1]
    assert [len(each) for each in history.series.values()] == [2, 1]
    assert "<table>" in history._repr_html_()


def test_series_are_kept_apart(tmp_path: Path) -> None:
    other = series_of("4567", "")
    with HistoryFile(str(tmp_path / "h.sqlite")) as file:
        file.add(made("one", BAD))
        file.add(made("one", GOOD, other))
        assert [each.conll for each in file.checkpoints(other)] == [cs.score(KEY, GOOD).conll]
        assert file.others(SERIES) == file.others(other) == 1
        stamp = Stamp(7, 8, "listing of one")
        assert file.has(other, "one", stamp=stamp)
        assert not file.has(series_of("0123", "--metrics lea"), "one", stamp=stamp)
        assert not file.has(other, "one", stamp=Stamp(7, 8, "another"))


def test_the_same_checkpoint_is_added_once(tmp_path: Path) -> None:
    path = str(tmp_path / "h.sqlite")
    with HistoryFile(path) as one, HistoryFile(path) as two:
        for file in (one, two, one):
            file.add(made("one", GOOD))
        two.add(made("one", BAD, digest="changed"))
        assert [each.digest for each in one.checkpoints()] == ["digest of one", "changed"]
        one.renew(SERIES, "one", "changed", Stamp(1, 2, "touched"))
        assert two.has(SERIES, "one", stamp=Stamp(1, 2, "touched"))


def add_many(path: str, worker: int) -> None:
    with HistoryFile(path) as file:
        for number in range(20):
            file.add(made(f"{worker}-{number}", GOOD))


def test_several_processes_share_a_history(tmp_path: Path) -> None:
    path = str(tmp_path / "h.sqlite")
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=add_many, args=(path, number)) for number in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    names = {each.name for each in cs.read_history(path)}
    assert names == {f"{worker}-{number}" for worker in range(3) for number in range(20)}


def other_program(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE mine (x)")
    connection.close()


def newer(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute("CREATE TABLE checkpoints (x)")
        connection.execute("PRAGMA user_version = 2")
    connection.close()


def damaged(path: Path) -> None:
    with HistoryFile(str(path)) as file:
        file.add(made("one", GOOD))
    data = bytearray(path.read_bytes())
    data[4096:6000] = b"\xff" * (6000 - 4096)
    path.write_bytes(bytes(data))


def edited(path: Path) -> None:
    with HistoryFile(str(path)) as file:
        file.add(made("one", GOOD))
    with sqlite3.connect(path) as connection:
        connection.execute("""UPDATE checkpoints SET metrics = '{"nope": 1}'""")
    connection.close()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: path.write_bytes(b"#begin document x\n" * 100), "not an intact SQLite file"),
        (other_program, "is not a history"),
        (newer, "has version 2; expected at most 1"),
        (damaged, "not an intact SQLite file"),
        (edited, "the row of 'one' cannot be read"),
    ],
    ids=["text", "other-program", "newer", "damaged", "edited"],
)
@pytest.mark.parametrize("is_written", [True, False])
def test_other_files_are_refused_and_unchanged(
    make: object, message: str, is_written: bool, tmp_path: Path
) -> None:
    path = tmp_path / "h.sqlite"
    assert callable(make)
    make(path)
    before = path.read_bytes()
    with (
        pytest.raises(cs.InvalidInput, match=rf"{message}.*\[E502\]"),
        HistoryFile(str(path), is_written=is_written) as file,
    ):
        file.checkpoints()
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


def test_a_history_that_does_not_exist(tmp_path: Path) -> None:
    for path in (tmp_path / "none.sqlite", tmp_path):
        with pytest.raises(cs.InvalidInput, match=r"does not exist or is not a file.*\[E108\]"):
            cs.read_history(path)
    with pytest.raises(CannotWrite, match=r"its folder does not exist.*\[E601\]"):
        HistoryFile(str(tmp_path / "none" / "h.sqlite"))


class Failing:
    """A connection that fails when something is inserted."""

    in_transaction = False

    def __init__(self, code: int) -> None:
        self.code = code

    def execute(self, statement: str, *_: object) -> None:
        if statement.startswith("INSERT"):
            error = sqlite3.OperationalError("failed")
            error.sqlite_errorcode = self.code
            raise error


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (sqlite3.SQLITE_FULL, "the disk is full; expected free space"),
        (sqlite3.SQLITE_READONLY_DBMOVED, "the file is read-only; expected a file"),
        (sqlite3.SQLITE_BUSY, "another process has locked it for 30 seconds"),
        (sqlite3.SQLITE_IOERR_WRITE, "the disk reports an error"),
    ],
)
def test_what_cannot_be_written_is_an_error_with_a_code(
    code: int, message: str, tmp_path: Path
) -> None:
    file = HistoryFile(str(tmp_path / "h.sqlite"))
    file._connection = Failing(code)  # type: ignore[assignment]
    with pytest.raises(CannotWrite, match=rf"{message}.*\[E601\]"):
        file.add(made("one", GOOD))


def test_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    """SQLite refuses pages beyond a limit as it does on a full disk."""
    path = str(tmp_path / "h.sqlite")
    with HistoryFile(path) as file:
        file.add(made("one", GOOD))
        connection = file._connection
        assert connection is not None
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(CannotWrite, match=r"the disk is full.*\[E601\]"):
            for number in range(100):
                file.add(made(f"more-{number}", GOOD))
    names = [each.name for each in cs.read_history(path)]
    assert names == ["one", *(f"more-{number}" for number in range(len(names) - 1))]
