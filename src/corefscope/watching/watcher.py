"""Score each checkpoint of a folder once, and record it in a history."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from corefscope.corpus import Corpus
from corefscope.exceptions import CannotWrite, InvalidInput
from corefscope.findings import Code, Finding
from corefscope.records import dataclass
from corefscope.scoring import Scores
from corefscope.serialization.digest import key_digest
from corefscope.watching.folder import Stamp, WatchedFolder, digest_of, stamp_of
from corefscope.watching.history import Checkpoint, HistoryFile, Series, checkpoint_of

Score: TypeAlias = Callable[[str, str], Scores]
"""Scores a checkpoint, given its name and path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredCheckpoint:
    """A checkpoint that was just scored, and those that it can be compared with."""

    checkpoint: Checkpoint
    earlier: Sequence[Checkpoint]
    """Those scored before it with the same key and rules, in this order."""
    findings: Sequence[Finding]

    @property
    def best_before(self) -> Checkpoint | None:
        """The best of the earlier ones, the first of equal ones; None if it is the first."""
        best: Checkpoint | None = None
        for each in self.earlier:
            if best is None or each.is_better(best):
                best = each
        return best

    @property
    def difference(self) -> float | None:
        """Its figure minus that of the best of the earlier ones; None if it is the first."""
        best = self.best_before
        return None if best is None else self.checkpoint.value - best.value

    @property
    def is_best(self) -> bool:
        """Whether it is better than all earlier ones."""
        best = self.best_before
        return best is None or self.checkpoint.is_better(best)


@dataclass(frozen=True, slots=True)
class Refused:
    """A checkpoint that cannot be scored; it is tried again when it changes."""

    name: str
    findings: Sequence[Finding]


class WatchedKey:
    """The key that stays in memory; notices if its file changes.

    Parameters
    ----------
    path
        The path of the key.
    include
        Patterns of the files that are read if it is a folder.
    read
        Reads the key.
    """

    def __init__(self, path: str, include: Sequence[str], read: Callable[[], Corpus]) -> None:
        self.path = path
        self._include = include
        self._read = read
        self._stamp = self._before = stamp_of(Path(path), include)
        self.corpus = read()
        self.digest = key_digest(self.corpus)

    def check(self) -> None:
        """Raise :class:`InvalidInput` if the key now has other entities.

        As with checkpoints, a changed file is read when its size and time have been the same twice.
        A key that was removed stays in memory.
        """
        now = stamp_of(Path(self.path), self._include)
        before, self._before = self._before, now
        if now in (None, self._stamp) or now != before:
            return
        digest = key_digest(self._read())
        if digest != self.digest:
            raise InvalidInput.of(
                Code.UNLIKE_RESULTS,
                "the key has changed while it was watched",
                expected="the same: start again",
                file=self.path,
            )
        self._stamp = now


def _now() -> datetime:
    return datetime.now(UTC)


class Watcher:
    """Scores new checkpoints of a folder at each poll.

    Parameters
    ----------
    folder
        The folder in which checkpoints appear.
    key
        The key.
    history
        Where scored checkpoints are recorded.
    series
        The key, the options and the version; only results of one series are compared.
    score
        Scores a checkpoint.
    clock
        Returns the time.
    """

    def __init__(
        self,
        *,
        folder: WatchedFolder,
        key: WatchedKey,
        history: HistoryFile,
        series: Series,
        score: Score,
        clock: Callable[[], datetime] = _now,
    ) -> None:
        self.folder = folder
        self.key = key
        self.history = history
        self.series = series
        self._score = score
        self._clock = clock

    def poll(self, *, at_once: bool = False) -> Iterator[ScoredCheckpoint | Refused]:
        """Score the checkpoints that are new or changed and completely written.

        Parameters
        ----------
        at_once
            Whether all that are there count as completely written.

        Returns
        -------
        Iterator
            What was scored or refused, one checkpoint after the other.
        """
        self.key.check()
        for name, stamp in self.folder.settled(at_once=at_once):
            outcome = self._outcome(name, stamp, at_once)
            if outcome is not None:
                yield outcome

    def _outcome(self, name: str, stamp: Stamp, at_once: bool) -> ScoredCheckpoint | Refused | None:
        """Score a checkpoint; None if it was scored before, or has changed or gone meanwhile."""
        path, include = self.folder.path / name, self.folder.include
        if self.history.has(self.series, name, stamp=stamp):
            self.folder.finish(name, stamp)
            return None
        try:
            digest = digest_of(path, include)
            is_known = self.history.has_contents(self.series, name, digest)
            found: Scores | Refused | None = None if is_known else self._score(name, str(path))
        except CannotWrite:
            raise
        except OSError as error:
            found = Refused(name, [_unreadable(path, error)])
        except InvalidInput as error:
            found = Refused(name, error.findings)
        now = stamp_of(path, include)
        if now != stamp:
            # It will be settled at a later poll, if there is one.
            return Refused(name, [_changed(path)]) if at_once and now is not None else None
        self.folder.finish(name, stamp)
        if found is None:
            self.history.renew(self.series, name, digest, stamp)
        return self._recorded(found, name, digest, stamp) if isinstance(found, Scores) else found

    def _recorded(self, scores: Scores, name: str, digest: str, stamp: Stamp) -> ScoredCheckpoint:
        checkpoint = checkpoint_of(
            scores,
            name=name,
            digest=digest,
            key=self.key.path,
            series=self.series,
            stamp=stamp,
            scored=self._clock().strftime("%Y-%m-%dT%H:%M:%SZ"),
        )
        earlier = [
            each
            for each in self.history.checkpoints(self.series)
            # Another watcher may have scored the same checkpoint.
            if checkpoint.is_comparable(each) and (each.name, each.digest) != (name, digest)
        ]
        self.history.add(checkpoint)
        return ScoredCheckpoint(checkpoint=checkpoint, earlier=earlier, findings=scores.findings)


def _changed(path: Path) -> Finding:
    return Finding(
        Code.UNREADABLE,
        "it changed while it was scored",
        expected="a file that is completely written",
        file=str(path),
    )


def _unreadable(path: Path, error: OSError) -> Finding:
    return Finding(
        Code.UNREADABLE,
        f"cannot be read: {error.strerror or error}",
        expected="a readable file",
        file=str(path),
    )
