"""Parts of a result that a batch system makes, and what merge makes of them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from corefscope.demo import KEY, RESPONSES
from corefscope.engines import ALONE, FINER, Documents, PartDone, tasks_of, using
from corefscope.engines.shards import MergedEngine, ShardEngine, as_bytes, read_part
from engines.test_same_results import COMMANDS, run, words

DOCS = Path(__file__).parents[2] / "docs"


def parts_of(folder: Path, arguments: Sequence[str], shards: int) -> list[str]:
    paths = [str(folder / f"{shard}.part") for shard in range(1, shards + 1)]
    for shard, path in enumerate(paths, 1):
        done = run(*arguments, "--shard", f"{shard}/{shards}", "-o", path)
        assert done == (0, "", "")
    return paths


NUMBERS = [(name, 3) for name in COMMANDS]
NUMBERS += [("score", 1), ("score", 30), ("errors", 1), ("errors", 12), ("nec", 12)]


@pytest.mark.parametrize(("name", "shards"), NUMBERS)
def test_merged_parts_are_the_undivided_result(name: str, shards: int, tmp_path: Path) -> None:
    arguments = words(name)
    paths = parts_of(tmp_path, arguments, shards)
    assert run("merge", *paths) == run(*arguments)
    # The order in which parts are given does not matter.
    output = tmp_path / "result"
    assert run("merge", *reversed(paths), "-o", str(output), "--jobs", "2")[:2] == (0, "")
    assert output.read_text(encoding="utf-8") == run(*arguments)[1]


@pytest.mark.parametrize("name", ["score", "errors", "nec"])
def test_the_work_is_in_the_parts(name: str, tmp_path: Path) -> None:
    """Nothing that a part has done is done again."""
    parts = [read_part(path) for path in parts_of(tmp_path, words(name), 3)]
    done = sum(len(results) for part in parts for results in part.results.values())
    calls = {key: key[3] for part in parts for key in part.results}
    assert done == sum(calls.values()) > 3
    assert all(any(part.results.values()) for part in parts)


def note(done: list[int], task: Documents) -> None:
    done.extend(task.numbers)


@pytest.mark.parametrize("shards", [1, 2, 7, 16])
def test_each_task_falls_to_one_part_and_parts_are_alike(shards: int) -> None:
    names = [f"d{number}" for number in range(1000)]
    done: list[list[int]] = []
    for shard in range(1, shards + 1):
        engine = ShardEngine(shard, shards, "analysis", ALONE)
        with using(engine):
            tasks = tasks_of(names, None, 0, 1)
        own: list[int] = []
        with suppress(PartDone):
            list(engine.map(partial(note, own), tasks))
        done.append(own)
    assert sorted(number for own in done for number in own) == list(range(1000))
    # A part has at most the documents of the smallest tasks more than another one.
    least, most = min(map(len, done)), max(map(len, done))
    assert most - least <= 1000 // (shards * FINER) // 2, (least, most)


def test_tasks_that_no_part_has_are_done(tmp_path: Path) -> None:
    (path,) = parts_of(tmp_path, words("errors"), 1)
    part = replace(read_part(path), results={})
    tasks = [Documents(range(n, n + 1), ("a", "b")) for n in range(3)]
    engine = MergedEngine([part], "analysis", ALONE)
    assert list(engine.map(lambda task: task.numbers.start, tasks)) == [0, 1, 2]


def test_findings_and_exit_status(tmp_path: Path) -> None:
    response = tmp_path / "response.conll"
    text = RESPONSES["sieve"].read_text(encoding="utf-8")
    response.write_text(text[: text.rindex("#begin document")] + "stray\n", encoding="utf-8")
    arguments = ["score", str(KEY), str(response), "--missing", "error"]
    expected = run(*arguments)
    assert expected[0] == 4 and "W106" in expected[2]
    assert run("merge", *parts_of(tmp_path, arguments, 3)) == expected


def test_errors_of_an_input_are_those_of_the_whole(tmp_path: Path) -> None:
    response = tmp_path / "response.conll"
    text = RESPONSES["sieve"].read_text(encoding="utf-8")
    response.write_text(f"{text}{text[text.rindex('#begin document') :]}", encoding="utf-8")
    arguments = ["score", str(KEY), str(response)]
    expected = run(*arguments)
    assert expected[0] == 3 and "E106" in expected[2]
    assert run("merge", *parts_of(tmp_path, arguments, 3)) == expected


class TestFaults:
    @pytest.fixture
    def parts(self, tmp_path: Path) -> list[str]:
        for name, path in {"key": KEY, "response": RESPONSES["sieve"]}.items():
            shutil.copy(path, tmp_path / f"{name}.conll")
        arguments = ["score", str(tmp_path / "key.conll"), str(tmp_path / "response.conll")]
        return parts_of(tmp_path, arguments, 3)

    def refused(self, *paths: str) -> str:
        status, printed, message = run("merge", *paths)
        assert (status, printed) == (3, "")
        return message

    def test_a_missing_part(self, parts: list[str]) -> None:
        assert "part 2 of 3 is missing" in self.refused(parts[0], parts[2])
        assert "parts 1, 2 of 3 are missing" in self.refused(parts[2])

    def test_a_part_twice(self, parts: list[str]) -> None:
        copied = shutil.copy(parts[1], f"{parts[1]}.copy")
        assert "part 2 is given twice" in self.refused(*parts, copied)

    def test_a_part_of_something_else(self, parts: list[str], tmp_path: Path) -> None:
        key, response = (str(tmp_path / f"{name}.conll") for name in ("key", "response"))
        other = str(tmp_path / "other.part")
        run("score", key, response, "--metrics", "muc", "--shard", "2/3", "-o", other)
        assert "for the command" in self.refused(parts[0], other, parts[2])
        run("score", key, response, "--shard", "2/4", "-o", other)
        assert "for 4 parts; expected 3" in self.refused(parts[0], other, parts[2])

    @pytest.mark.parametrize("name", ["key", "response"])
    def test_an_input_that_was_changed(self, name: str, parts: list[str], tmp_path: Path) -> None:
        path = tmp_path / f"{name}.conll"
        text = path.read_bytes()
        path.write_bytes(text.replace(b"the", b"The", 1))
        message = self.refused(*parts)
        assert f"{name}.conll" in message and "E503" in message
        arguments = ["score", *(str(tmp_path / f"{each}.conll") for each in ("key", "response"))]
        assert run(*arguments, "--shard", "2/3", "-o", parts[1])[0] == 0
        assert f"another {path}" in self.refused(*parts)

    def test_an_input_that_is_gone(self, parts: list[str], tmp_path: Path) -> None:
        (tmp_path / "key.conll").unlink()
        message = self.refused(*parts)
        assert "key.conll" in message and "E108" in message

    @pytest.mark.parametrize("cut", [0, 5, 18, 100, -1])
    def test_a_part_that_is_cut_off(self, cut: int, parts: list[str]) -> None:
        data = Path(parts[0]).read_bytes()
        Path(parts[0]).write_bytes(data[:cut])
        assert "E502" in self.refused(*parts)

    @pytest.mark.parametrize("place", [0, 15, 40, 500, -1])
    def test_a_part_that_was_edited(self, place: int, parts: list[str]) -> None:
        data = bytearray(Path(parts[0]).read_bytes())
        data[place] ^= 1
        Path(parts[0]).write_bytes(bytes(data))
        assert "E502" in self.refused(*parts)

    def test_a_part_of_another_version(self, parts: list[str]) -> None:
        part = read_part(parts[0])
        changed = replace(part, header=replace(part.header, version="0.0.1"))
        Path(parts[0]).write_bytes(as_bytes(changed))
        assert "version 0.0.1" in self.refused(*parts)

    def test_what_is_no_part(self, parts: list[str], tmp_path: Path) -> None:
        assert "this is no part" in self.refused(str(tmp_path / "key.conll"))
        assert "E502" in self.refused(str(tmp_path / "nothing.part"), *parts)

    def test_a_full_disk(self, parts: list[str], tmp_path: Path) -> None:
        key, response = (str(tmp_path / f"{name}.conll") for name in ("key", "response"))
        if not Path("/dev/full").exists():
            pytest.skip("there is no full device")
        status, printed, message = run("score", key, response, "--shard", "1/2", "-o", "/dev/full")
        assert (status, printed) == (5, "") and "E601" in message


def test_key_and_response_share_a_file(tmp_path: Path) -> None:
    """What was read for the response is not taken for the key."""
    record = {
        "sentences": [["x", "y", "z"]],
        "clusters": [[[0, 0], [2, 2]]],
        "predicted_clusters": [[[0, 0], [1, 1]]],
    }
    for name in "ab":
        lines = [json.dumps({"doc_key": f"{name}{n}", **record}) for n in range(40)]
        path = tmp_path / "both" / f"{name}.jsonl"
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(lines), encoding="utf-8")
    arguments = ["score", str(path.parent), str(path), "--metrics", "muc"]
    paths = parts_of(tmp_path, arguments, 2)
    assert run("merge", *paths) == run(*arguments)
    results = [key[0] for path in paths for key in read_part(path).results]
    assert any(name.endswith("_recorded_files") for name in results)


def test_names_that_look_like_patterns_and_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, path in {
        "key": KEY,
        "a[1]": RESPONSES["sieve"],
        "-old": RESPONSES["recency"],
    }.items():
        shutil.copy(path, f"./{name}.conll")
    arguments = ["score", "--metrics", "muc"]
    files = ["--", "key.conll", "a[1].conll", "-old.conll"]
    for shard in (1, 2):
        done = run(*arguments, "--shard", f"{shard}/2", "-o", f"{shard}.part", *files)
        assert done == (0, "", "")
    assert run("merge", "1.part", "2.part") == run(*arguments, *files)
    shutil.copy(RESPONSES["string-match"], "a[1].conll")
    status, _, message = run("merge", "1.part", "2.part")
    assert status == 3 and "E503" in message


def test_patterns_that_match_other_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("runs").mkdir()
    arguments = ["compare", str(KEY), f"b={RESPONSES['recency']}", "a=runs/*.conll"]
    for shard in (1, 2):
        shutil.copy(RESPONSES["sieve"], f"runs/{shard}.conll")
        done = run(*arguments, "--samples", "50", "--shard", f"{shard}/2", "-o", f"{shard}.part")
        assert done[0] == 0
    status, _, message = run("merge", "1.part", "2.part")
    assert status == 3 and "E503" in message


def test_files_with_bridging(tmp_path: Path) -> None:
    rows = (
        "1\tAnna\tAnna\tPROPN\t_\t_\t2\tnsubj\t_\tEntity=(e1-person-1)",
        "2\tfed\tfeed\tVERB\t_\t_\t0\troot\t_\t_",
        "3\ther\tshe\tPRON\t_\t_\t4\tnmod\t_\tEntity=(e2-animal-2(e1-person-1)|Bridge=e1<e2:part",
        "4\tdog\tdog\tNOUN\t_\t_\t2\tobj\t_\tEntity=e2)",
    )
    folder = tmp_path / "texts"
    folder.mkdir()
    for name in "ab":
        head = (
            f"# newdoc id = {name}\n# global.Entity = eid-etype-head-other\n# sent_id = {name}-1\n"
        )
        (folder / f"{name}.conllu").write_text(head + "\n".join(rows) + "\n\n", encoding="utf-8")
    arguments = ["score", str(folder), str(folder)]
    assert run("merge", *parts_of(tmp_path, arguments, 2)) == run(*arguments)


def test_remote_files(tmp_path: Path) -> None:
    arguments = ["score", str(KEY), RESPONSES["sieve"].as_uri()]
    assert run("merge", *parts_of(tmp_path, arguments, 2)) == run(*arguments)


@pytest.mark.parametrize(
    "forged",
    [
        ("score", "--output", "victim", "a", "b"),
        ("errors", "--corrected=victim", "a", "b"),
        ("demo", "-o", "victim"),
        ("nothing",),
        (),
    ],
)
def test_forged_parts_write_nothing(
    forged: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (path,) = parts_of(tmp_path, words("score"), 1)
    part = read_part(path)
    Path(path).write_bytes(as_bytes(replace(part, header=replace(part.header, words=forged))))
    status, printed, message = run("merge", path)
    assert (status, printed) == (3, "") and "E502" in message
    many = replace(part, header=replace(part.header, shards=10**12))
    Path(path).write_bytes(as_bytes(many))
    assert "are missing" in run("merge", path)[2]
    assert not Path("victim").exists()


def test_results_that_cannot_be_read(tmp_path: Path) -> None:
    paths = parts_of(tmp_path, words("score"), 2)
    part = read_part(paths[0])
    results = {key: dict.fromkeys(found, b"?") for key, found in part.results.items()}
    Path(paths[0]).write_bytes(as_bytes(replace(part, results=results)))
    status, printed, message = run("merge", *paths)
    assert (status, printed) == (3, "") and "E502" in message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--shard", "0/2"], "expected I/N"),
        (["--shard", "3/2"], "expected I/N"),
        (["--shard", "2"], "expected I/N"),
        (["--shard", "1/2", "-o", ""], "empty"),
        (["--shard", "1/2"], "--shard requires -o"),
        (["--shard", "1/2", "-o", "-"], "--shard requires -o"),
        (["--shard", "1/2", "-o", "x.part", "--document", "x"], "combined with --document"),
    ],
)
def test_wrong_usage(options: list[str], message: str) -> None:
    status, printed, found = run("score", str(KEY), str(RESPONSES["sieve"]), *options)
    assert (status, printed) == (2, "") and message in found


def test_standard_input_cannot_be_divided() -> None:
    status, _, message = run("score", "-", str(KEY), "--shard", "1/2", "-o", "x.part")
    assert status == 2 and "standard input" in message


def test_the_example_for_slurm(tmp_path: Path) -> None:
    """The script of the page, with a batch system that only counts."""
    page = (DOCS / "scale.md").read_text(encoding="utf-8")
    (script,) = re.findall(r"```bash\n(#!/bin/bash\n.*?)```", page, re.DOTALL)
    tasks = int(re.findall(r"--array=1-(\d+)", script)[0])
    shutil.copy(KEY, tmp_path / "gold.conll")
    shutil.copy(RESPONSES["sieve"], tmp_path / "system.conll")
    job = tmp_path / "job.sh"
    job.write_text(script, encoding="utf-8")
    for task in range(1, tasks + 1):
        environment = {"SLURM_ARRAY_TASK_ID": f"{task}", "SLURM_ARRAY_TASK_COUNT": f"{tasks}"}
        subprocess.run(
            ["bash", "job.sh"],
            cwd=tmp_path,
            env={**environment, "PATH": path_with_command()},
            check=True,
            capture_output=True,
        )
    (merge,) = re.findall(r"corefscope merge [^\n]*", page)[:1]
    done = subprocess.run(
        ["bash", "-c", merge],
        cwd=tmp_path,
        env={"PATH": path_with_command()},
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0
    command = re.findall(r"corefscope score ([^\\\n]*)", script)[0].split(" --shard")[0].split()
    whole = subprocess.run(
        ["corefscope", "score", *command],
        cwd=tmp_path,
        env={"PATH": path_with_command()},
        check=True,
        capture_output=True,
        text=True,
    )
    assert (tmp_path / "scores.json").read_text(encoding="utf-8") == whole.stdout


def path_with_command() -> str:
    """The folders of programs, with that of this environment first."""
    return f"{Path(sys.executable).parent}:{os.environ['PATH']}"
