"""Watching: each checkpoint is scored once, when it is complete; nothing depends on time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest

import corefscope as cs
from commands import cells_as_conll
from corefscope.scoring import Scores
from corefscope.watching.folder import WatchedFolder, digest_of, stamp_of
from corefscope.watching.history import HistoryFile, series_of
from corefscope.watching.watcher import Refused, ScoredCheckpoint, WatchedKey, Watcher

KEY = {"d1": "1122-", "d2": "1111-"}
CELLS = {"bad": "1-2--", "middle": "1111-", "good": "1122-"}
"""The first document of responses of rising quality."""


def response(quality: str) -> str:
    return cells_as_conll({"d1": CELLS[quality], "d2": "1111-"})


class Run:
    """A folder with checkpoints, and what was scored in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.scored: list[str] = []
        (folder / "runs").mkdir()
        (folder / "key.conll").write_text(cells_as_conll(KEY))
        self.times = count(1_000)
        self.restart()

    def restart(self, settings: str = "", include: tuple[str, ...] = ()) -> None:
        """Begin to watch, as a new process does."""
        key = str(self.folder / "key.conll")
        watched = WatchedKey(key, (), lambda: cs.read(key))
        self.history = HistoryFile(str(self.folder / "history.sqlite"))
        self.watcher = Watcher(
            folder=WatchedFolder(str(self.folder / "runs"), include, key),
            key=watched,
            history=self.history,
            series=series_of(watched.digest, settings),
            score=self.score,
            clock=lambda: datetime(2026, 1, 31, 12, 0, tzinfo=UTC),
        )

    def score(self, name: str, path: str) -> Scores:
        self.scored.append(name)
        return cs.score(self.folder / "key.conll", path)

    def write(self, name: str, text: str) -> Path:
        """Write a file; each is later than all before."""
        path = self.folder / "runs" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        time = next(self.times)
        os.utime(path, (time, time))
        return path

    def poll(self, *, at_once: bool = False) -> list[ScoredCheckpoint | Refused]:
        return list(self.watcher.poll(at_once=at_once))

    def names(self) -> list[str]:
        return [each.checkpoint.name for each in self.poll() if isinstance(each, ScoredCheckpoint)]


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    run = Run(tmp_path)
    yield run
    run.history.__exit__(None, None, None)


def test_a_file_is_scored_when_two_polls_agree(run: Run) -> None:
    run.write("a.conll", response("bad"))
    assert run.poll() == []
    assert run.names() == ["a.conll"]
    assert run.poll() == [] and run.scored == ["a.conll"]


def test_a_file_that_is_being_written_waits(run: Run) -> None:
    text = response("good")
    for end in (5, 20, 40):
        run.write("a.conll", text[:end])
        assert run.poll() == [], "it has grown since the last poll"
    run.write("a.conll", text)
    assert run.poll() == [] and run.scored == []
    (found,) = run.poll()
    assert isinstance(found, ScoredCheckpoint) and found.checkpoint.conll == 1.0


def test_a_file_that_changes_while_it_is_scored_waits(run: Run) -> None:
    run.write("a.conll", response("bad"))
    run.poll()
    before = run.score

    def meanwhile(name: str, path: str) -> Scores:
        scores = before(name, path)
        if len(run.scored) == 1:
            run.write("a.conll", response("good"))
        return scores

    run.watcher._score = meanwhile
    assert run.poll() == [] and run.history.checkpoints() == []
    assert run.poll() == [], "its new stamp is seen for the first time"
    (found,) = run.poll()
    assert isinstance(found, ScoredCheckpoint) and found.checkpoint.conll == 1.0
    assert run.scored == ["a.conll", "a.conll"]


def test_a_file_that_changes_while_it_is_scored_once_is_reported(run: Run) -> None:
    run.write("a.conll", response("bad"))

    def meanwhile(name: str, path: str) -> Scores:
        run.write("a.conll", response("good"))
        return run.score(name, path)

    run.watcher._score = meanwhile
    (refused,) = run.poll(at_once=True)
    assert isinstance(refused, Refused) and run.history.checkpoints() == []
    assert "a.conll: it changed while it was scored" in str(refused.findings[0])


def test_a_broken_file_is_reported_once_and_tried_when_it_changes(run: Run) -> None:
    run.write("a.conll", "#begin document d1\nx\t(1\n#end document\n")
    run.poll()
    (refused,) = run.poll()
    assert isinstance(refused, Refused) and [f.code.id for f in refused.findings] == ["E102"]
    assert run.poll() == [] and run.poll() == [] and run.scored == ["a.conll"]
    run.write("a.conll", response("good"))
    run.poll()
    assert run.names() == ["a.conll"]
    assert [each.name for each in run.history.checkpoints()] == ["a.conll"]


def test_a_file_that_disappears_is_no_error(run: Run) -> None:
    path = run.write("a.conll", response("good"))
    run.poll()
    path.unlink()
    assert run.poll() == [] == run.poll()
    path = run.write("b.conll", response("good"))
    run.poll()

    def gone(name: str, given: str) -> Scores:
        path.unlink()
        return cs.score(run.folder / "key.conll", given)

    run.watcher._score = gone
    assert run.poll() == [] == run.poll()


def test_a_restart_scores_nothing_again(run: Run) -> None:
    run.write("a.conll", response("bad"))
    run.write("b.conll", response("good"))
    assert [type(each) for each in run.poll(at_once=True)] == [ScoredCheckpoint, ScoredCheckpoint]
    run.restart()
    assert run.poll(at_once=True) == [] and len(run.scored) == 2
    os.utime(run.folder / "runs/a.conll", (5_000, 5_000))
    run.restart()
    assert run.poll(at_once=True) == [] and len(run.scored) == 2, "the contents are the same"
    assert run.history.checkpoints()[0].stamp.mtime_ns == 5_000 * 10**9
    run.write("a.conll", response("middle"))
    run.restart()
    assert len(run.poll(at_once=True)) == 1 and run.scored[2:] == ["a.conll"]


def test_other_settings_and_keys_are_other_series(run: Run) -> None:
    run.write("a.conll", response("bad"))
    run.poll(at_once=True)
    run.restart("--metrics lea")
    (found,) = run.poll(at_once=True)
    assert isinstance(found, ScoredCheckpoint) and found.earlier == []
    (run.folder / "key.conll").write_text(cells_as_conll({**KEY, "d2": "1122-"}))
    run.restart()
    (found,) = run.poll(at_once=True)
    assert isinstance(found, ScoredCheckpoint) and found.earlier == [] and len(run.scored) == 3


def test_each_is_compared_with_the_best_before(run: Run) -> None:
    for number, quality in enumerate(["middle", "bad", "good", "good", "middle"]):
        run.write(f"{number}.conll", response(quality))
    found = [each for each in run.poll(at_once=True) if isinstance(each, ScoredCheckpoint)]
    conll = [each.checkpoint.conll for each in found]
    expected = [cs.score(cs.read(run.folder / "key.conll"), cs.read(run.folder / f"runs/{n}.conll"))
                for n in range(5)]  # fmt: skip
    assert conll == [each.conll for each in expected] and None not in conll
    middle, bad, good = expected[0]["conll"], expected[1]["conll"], expected[2]["conll"]
    assert bad < middle < good == 1.0
    assert [each.is_best for each in found] == [True, False, True, False, False]
    assert [each.difference for each in found] == [None, bad - middle, good - middle, 0, middle - 1]
    best = [each.best_before and each.best_before.name for each in found]
    assert best == [None, "0.conll", "0.conll", "2.conll", "2.conll"]


def test_checkpoints_are_scored_in_the_order_in_which_they_were_written(run: Run) -> None:
    for name in ("epoch-9.conll", "epoch-10.conll", "epoch-11.conll"):
        run.write(name, response("good"))
    run.poll()
    assert run.names() == ["epoch-9.conll", "epoch-10.conll", "epoch-11.conll"]


def test_what_is_a_checkpoint(run: Run) -> None:
    run.write("a.conll", response("good"))
    run.write("folder/part.conll", response("bad"))
    run.write("empty/notes.md", "no document")
    for name in (".hidden.conll", "notes.txt", "model.bin", "log"):
        run.write(name, "nothing to read")
    (run.folder / "runs/gold.conll").hardlink_to(run.folder / "key.conll")
    (run.folder / "runs/link.conll").symlink_to("nowhere")
    (run.folder / "runs/.corefscope-history.sqlite").write_bytes(b"")
    found = run.poll(at_once=True)
    names = [each.checkpoint.name for each in found if isinstance(each, ScoredCheckpoint)]
    assert names == ["a.conll", "folder"] and len(found) == 2
    run.write("folder/part.conll", response("good"))
    run.poll()
    assert run.names() == ["folder"]


def test_links_in_a_circle_are_reported(run: Run) -> None:
    (run.folder / "runs/loop.conll").symlink_to("loop.conll")
    (refused,) = run.poll(at_once=True)
    assert isinstance(refused, Refused) and refused.findings[0].code.id == "E108"
    assert run.poll(at_once=True) == []


def test_files_can_be_chosen(run: Run) -> None:
    run.write("x.pred", response("good"))
    run.write("a.conll", response("good"))
    run.write("one/x.pred", response("good"))
    run.write("one/log.conll", "growing")
    run.restart(include=("*.pred",))
    run.watcher._score = lambda name, path: cs.score(
        run.folder / "key.conll", cs.read(path, include=["*.pred"])
    )
    found = run.poll(at_once=True)
    assert [each.checkpoint.name for each in found if isinstance(each, ScoredCheckpoint)] == [
        "x.pred",
        "one",
    ]
    run.write("one/log.conll", "growing and growing")
    assert run.poll(at_once=True) == [], "a file that is not read may change"


def test_stamps_and_digests_of_folders(tmp_path: Path) -> None:
    for name in ("a.conll", "b.conll"):
        (tmp_path / name).write_text(name)
    stamp, digest = stamp_of(tmp_path), digest_of(tmp_path)
    assert stamp is not None and stamp.size == 14
    (tmp_path / "b.conll").rename(tmp_path / "c.conll")
    assert stamp_of(tmp_path) != stamp and digest_of(tmp_path) != digest
    assert stamp_of(tmp_path / "none") is None


def test_a_key_that_changes_ends_it(run: Run) -> None:
    run.poll()
    key = run.folder / "key.conll"
    os.utime(key, (9_000, 9_000))
    assert run.poll() == [] == run.poll(), "the same entities"
    key.write_text(cells_as_conll({**KEY, "d2": "1122-"}))
    assert run.poll() == [], "it may be half-written"
    with pytest.raises(cs.InvalidInput, match=r"key.conll: the key has changed .*\[E503\]"):
        run.poll()


def test_a_key_that_disappears_stays_in_memory(run: Run) -> None:
    (run.folder / "key.conll").unlink()
    assert run.poll() == [] == run.poll()


def test_a_folder_that_disappears_is_an_error(run: Run) -> None:
    (run.folder / "runs").rmdir()
    with pytest.raises(cs.InvalidInput, match=r"runs: the directory cannot be listed.*\[E108\]"):
        run.poll()
