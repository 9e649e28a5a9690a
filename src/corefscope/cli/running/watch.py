"""Run ``corefscope watch``."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import click

from corefscope.cli.messages import say, show_findings
from corefscope.cli.printing import emit, is_terminal
from corefscope.cli.reading import NamedResponse, Reader, scoring_options
from corefscope.cli.typed import words_of
from corefscope.cli.watch import WatchOptions
from corefscope.escaping import visible
from corefscope.evaluation import EvaluatedSystem, Evaluation
from corefscope.exceptions import IncompleteResponse
from corefscope.findings import Code, Finding
from corefscope.formatting import counted
from corefscope.options import Options
from corefscope.rendering.watch import BARS, DIGITS, heading, line
from corefscope.scoring import Scores
from corefscope.serialization.common import as_json
from corefscope.watching.folder import WatchedFolder
from corefscope.watching.history import HistoryFile, series_of
from corefscope.watching.results import checkpoint_result
from corefscope.watching.watcher import Refused, ScoredCheckpoint, WatchedKey, Watcher

LEAST_WIDTH = 16
"""The least width of the column of names."""


def run(options: WatchOptions) -> int:
    """Score checkpoints until interrupted, or once."""
    return watch(options, time.sleep)


def watch(options: WatchOptions, sleep: Callable[[float], None]) -> int:
    """Score checkpoints; ``sleep`` waits between two looks at the folder."""
    scoring = scoring_options(options.protocol, options.pairing)
    if scoring.windows:
        raise click.UsageError("found several sizes of windows; expected one to watch")
    include = options.reading.files.include
    folder = WatchedFolder(options.folder, include, options.key)
    reader = Reader(options.reading, read_as=scoring.reading)
    key = WatchedKey(options.key, include, lambda: reader.key(options.key))
    series = series_of(key.digest, _settings(options))
    printer = _Printer(options, key.corpus.findings)
    with HistoryFile(options.place) as history:
        _say_others(history.others(series))
        watcher = Watcher(
            folder=folder,
            key=key,
            history=history,
            series=series,
            score=_scorer(key, reader, scoring),
        )
        while True:
            for outcome in watcher.poll(at_once=options.once):
                printer.show(outcome)
            printer.say_empty(folder)
            if options.once:
                break
            sleep(options.interval)
    return IncompleteResponse.exit_status if printer.refused else reader.status


def _settings(options: WatchOptions) -> str:
    """Return the options that may change scores, as they were given."""
    groups = (options.reading, options.protocol, options.pairing)
    return shlex.join([word for group in groups for word in words_of(group)])


def _say_others(count: int) -> None:
    if count:
        results = counted(count, "result")
        say(f"note: the history also has {results} of another key, version or options, kept apart")


def _scorer(key: WatchedKey, reader: Reader, scoring: Options) -> Callable[[str, str], Scores]:
    """Return a function that scores a checkpoint; what is derived from the key is made once."""
    evaluation = Evaluation(key=key.corpus, key_path=key.path, systems=(), options=scoring)

    def score(name: str, path: str) -> Scores:
        (system,) = reader.responses(key.corpus, [NamedResponse(name, path)], scoring)
        return EvaluatedSystem(system, evaluation).scores

    return score


class _Printer:
    """Prints what was scored or refused; explains each kind of warning once."""

    def __init__(self, options: WatchOptions, known: Sequence[Finding]) -> None:
        self._options = options
        self._known = set(known)
        """The findings about the key, which concern every checkpoint."""
        self._explained: set[Code] = set()
        self._width = 0
        self._is_empty = False
        self.refused = 0
        show_findings(known)

    def show(self, outcome: ScoredCheckpoint | Refused) -> None:
        """Print a checkpoint, or why it cannot be scored."""
        if isinstance(outcome, Refused):
            self.refused += 1
            show_findings(outcome.findings)
            again = "at the next run" if self._options.once else "when it changes"
            say(f"note: {visible(outcome.name)} is not scored; it is tried again {again}")
            return
        findings = [each for each in outcome.findings if each not in self._known]
        show_findings(each for each in findings if each.code not in self._explained)
        self._explained.update(each.code for each in findings)
        if self._options.format == "json":
            emit(as_json(checkpoint_result(outcome), None) + "\n", None)
        else:
            self._print_line(replace(outcome, findings=findings))

    def _print_line(self, scored: ScoredCheckpoint) -> None:
        is_first = not self._width
        names = [each.name for each in (*scored.earlier, scored.checkpoint)]
        self._width = max(LEAST_WIDTH, self._width, *(len(visible(name)) for name in names))
        if is_first:
            emit(heading(scored, self._width) + "\n", None)
        encoding = (sys.stdout.encoding if sys.stdout else None) or "utf-8"
        is_unicode = encoding.lower().startswith("utf")
        before, mark, rest = line(scored, self._width, bars=BARS if is_unicode else DIGITS)
        if mark.strip() and is_terminal():
            mark = click.style(mark, fg="green", bold=True)
        emit(f"{before}{mark}{rest}".rstrip() + "\n", None)

    def say_empty(self, folder: WatchedFolder) -> None:
        """Say once that there is nothing to score."""
        if folder.is_empty and not self._is_empty:
            what = "" if self._options.once else "; waiting"
            say(f"note: {visible(str(folder.path))} has no checkpoint that can be read{what}")
        self._is_empty = folder.is_empty
