"""Files that are read at the same time: the same corpora as one after the other."""

from __future__ import annotations

import os
import signal
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

import corefscope as cs
from corefscope.cli import main
from corefscope.corpus import Corpus
from corefscope.demo import KEY, RESPONSES
from corefscope.engines import ALONE, Processes, current, using
from corefscope.exceptions import InvalidInput
from corefscope.formats.reading import at_once as reading
from corefscope.formats.reading.at_once import FileToRead, at_once
from corefscope.formats.registry import FORMATS
from corpora_alike import assert_same
from engines.test_same_results import run
from fuzzing.samples import samples

pytestmark = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")


def to_read(*paths: Path | str) -> list[FileToRead]:
    return [FileToRead(str(path), partial(cs.read, path)) for path in paths]


def in_process() -> Corpus:
    """A corpus that says which process made it."""
    assert current() is ALONE
    return Corpus.from_clusters({str(os.getpid()): []})


@pytest.mark.parametrize("workers", [2, 3])
def test_each_file_is_read_once_here_or_in_another_process(workers: int) -> None:
    files = [FileToRead(str(path), in_process) for path in RESPONSES.values()]
    with using(Processes(workers)):
        corpora = [read() for read in at_once(files)]
    processes = [corpus.document_names[0] for corpus in corpora]
    # The others get the first files; the next one is read here, unless one of them is faster.
    first = processes[: workers - 1]
    assert str(os.getpid()) not in first and len(set(first)) == len(first)
    assert set(processes[workers - 1 :]) <= {*first, str(os.getpid())}


def test_corpora_can_be_asked_for_in_any_order() -> None:
    paths = list(RESPONSES.values())
    with using(Processes(3)):
        first, second, third = at_once(to_read(*paths))
        assert_same(cs.read(paths[2]), third())
        assert_same(cs.read(paths[0]), first())
        assert_same(cs.read(paths[1]), second())


@pytest.mark.parametrize("format", FORMATS)
def test_files_and_folders_of_all_formats(format: str, tmp_path: Path) -> None:
    for name, data in samples()[format].items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    path = path if len(samples()[format]) == 1 else tmp_path
    with using(Processes(2)):
        _, read = at_once(to_read(KEY, path))
        assert_same(cs.read(path), read())


def test_errors_are_raised_when_their_file_is_asked_for(tmp_path: Path) -> None:
    broken = tmp_path / "broken.conll"
    broken.write_text("#begin document (a)\na\t(1\n#end document\n")
    with pytest.raises(InvalidInput) as expected:
        cs.read(broken)
    with using(Processes(3)):
        key, response, other = at_once(to_read(KEY, broken, RESPONSES["sieve"]))
        assert_same(cs.read(KEY), key())
        with pytest.raises(InvalidInput) as error:
            response()
        assert error.value.findings == expected.value.findings
        assert_same(cs.read(RESPONSES["sieve"]), other())
    alone = run("score", str(broken), str(broken), "--jobs", "1")
    assert alone[0] == 3 and alone == run("score", str(broken), str(broken), "--jobs", "2")


def test_the_same_file_on_both_sides() -> None:
    words = ("score", str(KEY), f"a={KEY}", f"b={KEY}")
    assert run(*words, "--jobs", "3") == run(*words, "--jobs", "1")


def test_a_lost_worker_names_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    lost = str(KEY)  # The first file is read by another process.
    read = cs.formats.read

    def killed(path: str, *arguments: object, **keywords: object) -> Corpus:
        if path == lost:
            os.kill(os.getpid(), signal.SIGKILL)
        return read(path, *arguments, **keywords)  # type: ignore[arg-type]

    monkeypatch.setattr("corefscope.inputs.read", killed)
    status, printed, message = run("score", lost, str(RESPONSES["sieve"]), "--jobs", "2")
    assert (status, printed) == (70, "") and "E702" in message and lost in message


def test_what_pays_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a number of jobs: large files at once, small ones in turn."""
    small, large = tmp_path / "small", tmp_path / "large"
    small.write_bytes(b" " * 10)
    large.write_bytes(b" " * 200)
    monkeypatch.setattr(reading, "ENOUGH_AT_ONCE", 100)

    def is_at_once(workers: int, *paths: Path) -> bool:
        engine = Processes()
        engine.workers = workers
        files = to_read(*paths)
        with using(engine):
            return bool([file.read for file in files] != at_once(files))

    assert is_at_once(2, large, large) and is_at_once(8, large, large)
    assert not is_at_once(2, large, small) and is_at_once(2, large, small, large)
    assert not is_at_once(1, large, large) and not is_at_once(2, large)
    assert is_at_once(2, large, tmp_path) and not is_at_once(2, large, Path("-"))


def test_standard_input_beside_a_file_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-").touch()
    text = RESPONSES["sieve"].read_text()
    words = ["score", str(KEY), "-", "--jobs"]
    alone, together = (CliRunner().invoke(main, [*words, jobs], input=text) for jobs in "12")
    assert alone.exit_code == 0 and "73.48" in alone.stdout
    assert (alone.stdout, alone.stderr) == (together.stdout, together.stderr)
    with using(Processes(2)):
        files = to_read(KEY, "-")
        assert at_once(files) == [file.read for file in files]


def test_python() -> None:
    paths = {name: str(path) for name, path in RESPONSES.items()}
    for jobs in (2, 4):
        scores = cs.score(KEY, paths["sieve"], jobs=jobs)
        assert scores.to_dict() == cs.score(KEY, paths["sieve"]).to_dict()
        evaluation = cs.evaluate(KEY, paths, jobs=jobs)
        assert evaluation.to_dict() == cs.evaluate(KEY, paths).to_dict()
