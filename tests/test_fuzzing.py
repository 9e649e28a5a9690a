"""The fuzzer finds what is planted, makes it small, and finds nothing in a short run."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

import fuzzing.oracles
from corefscope import Scores
from corefscope.cli import COMMANDS
from corefscope.formats.jsonl import reading as jsonl
from corefscope.formats.registry import FORMATS, writings
from fuzzing import samples
from fuzzing.cases import Case, Violation
from fuzzing.execution import Outcome, cpu_limit, run_elsewhere, run_here
from fuzzing.generation import Generator, draw_format, make_generator, sample_files
from fuzzing.minimising import minimised
from fuzzing.mistakes import MISTAKES
from fuzzing.mutations import change_json
from fuzzing.oracles import examine, relations
from fuzzing.oracles.commands import check_outcome
from fuzzing.oracles.relations import RELATIONS
from fuzzing.run import OF_FORMATS, bury_worker, main
from fuzzing.worker import Plan, Tally, Worker

ROOT = Path(__file__).parents[1]
KEY = b"#begin document x\nthe\t(1\ncat\t1)\nsat\t-\nit\t(1)\n#end document\n"
LINE = b'{"doc_key": "x", "sentences": [["a", "b", "c"]], "clusters": [[[0, 1], [2, 2]]]}\n'


@pytest.fixture(scope="module")
def generator() -> Generator:
    return make_generator()


def command(*arguments: str, **files: bytes) -> Case:
    names = {f"{name}.conll": data for name, data in files.items()}
    return Case(check="command", label=arguments[0], arguments=arguments, files=names)


def plan(tmp_path: Path, inputs: int = 10) -> Plan:
    return Plan(
        seed="1",
        end=1e12,
        inputs=inputs,
        findings=str(tmp_path / "findings"),
        scratch=str(tmp_path),
        use_cache=False,
    )


def planted(*_: Any, **__: Any) -> Any:
    raise ZeroDivisionError("planted")


def test_a_short_run_finds_nothing(tmp_path: Path) -> None:
    words = ["--inputs", "400", "--seed", "1", "--findings", str(tmp_path / "findings")]
    result = subprocess.run(
        [sys.executable, "-m", "fuzzing.run", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.startswith("fuzzing: 400 inputs")


PLACES = 4
"""Places at which the suite makes each mistake in a file of each kind."""


@pytest.mark.parametrize(
    ("name", "kind"), [(name, kind) for name, each in MISTAKES.items() for kind in each.kinds]
)
def test_a_mistake_is_noticed(name: str, kind: str, generator: Generator, tmp_path: Path) -> None:
    pair = {name: generator.seeds[name] for name in ("full.key.conll", "full.response.conll")}
    random = Random(f"{name} {kind}")
    is_made = False
    for place, file in enumerate(random.choices(generator.of_kind(kind), k=PLACES)):
        case = Case(
            check="silence",
            label=kind,
            arguments=(name, str(place), ("key", "response")[place % 2]),
            files={file: generator.seeds[file], **pair},
        )
        folder = tmp_path / str(place)
        folder.mkdir()
        assert examine(case, folder) == []
        is_made |= (folder / f"wrong-{file}").exists()
    assert is_made


def test_a_silent_misreading_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mistake = MISTAKES["exclusive ends"]._replace(codes="")
    monkeypatch.setitem(MISTAKES, "exclusive ends", mistake)
    arguments = ("exclusive ends", "0", "response")
    longer = LINE.replace(b'"c"', b'"c", "d"')
    case = Case(check="silence", label="jsonl", arguments=arguments, files={"a.jsonl": longer})
    found = examine(case, tmp_path)
    assert [violation.where for violation in found] == ["exclusive ends: jsonl"]


# ---- Samples of all formats ----


@pytest.mark.parametrize("format", FORMATS)
def test_a_converted_sample_scores_like_its_source(format: str, tmp_path: Path) -> None:
    for target in writings():
        files = sample_files(format)
        case = Case(check="reader", label=format, arguments=(target,), files=files)
        folder = tmp_path / target
        folder.mkdir()
        assert examine(case, folder) == [], target


@pytest.mark.parametrize("format", FORMATS)
def test_scores_through_every_format(format: str, tmp_path: Path) -> None:
    random, done = Random(format), 0
    while done < 3:
        case = draw_format(make_generator(), random, format)
        folder = tmp_path / str(done)
        folder.mkdir()
        assert examine(case, folder) == []
        done += 1


def test_a_wrong_score_through_a_format_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = draw_format(make_generator(), Random(1), "corefud")
    wrong = {
        name: data.replace(b'"clusters": [[[', b'"clusters": [[[19, 19], [')
        for name, data in case.files.items()
        if name in samples.ROLES
    }
    (found,) = examine(replace(case, files={**case.files, **wrong}), tmp_path)
    assert found.where == "scores through the format: corefud"


def test_exception_is_located(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "tokens_of", planted)
    files = {"sample/input.jsonl": LINE}
    case = Case(check="reader", label="jsonl", arguments=("conll",), files=files)
    (found,) = examine(case, tmp_path)
    assert found.kind == "traceback"
    assert found.where == "ZeroDivisionError in formats/jsonl/reading.py _words_and_length"


def test_an_exception_of_a_command_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jsonl, "tokens_of", planted)
    case = Case(
        check="command", label="stats", arguments=("stats", "a.jsonl"), files={"a.jsonl": LINE}
    )
    assert [violation.kind for violation in examine(case, tmp_path)] == ["traceback"]


def test_a_loop_without_end_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(case: Case) -> list[Violation]:
        while True:
            pass

    monkeypatch.setattr(fuzzing.oracles, "CPU_SECONDS", 0.1)
    monkeypatch.setitem(fuzzing.oracles.CHECKS, "reader", endless)
    case = Case(check="reader", label="conll", arguments=("conll",), files={})
    (found,) = examine(case, tmp_path)
    assert found.kind == "hang"


def test_waiting_is_no_hang() -> None:
    with cpu_limit(0.2):
        subprocess.run([sys.executable, "-c", "import time; time.sleep(0.5)"], check=True)


BROKEN = {
    "traceback": Outcome(status=1, stdout=b"", stderr="", traceback="Traceback"),
    "traceback ": Outcome(status=70, stdout=b"", stderr="error[E901] internal error\n"),
    "exit status 1": Outcome(status=1, stdout=b"", stderr=""),
    "exit status 9": Outcome(status=9, stdout=b"", stderr="error[E101] odd\n"),
    "output beside an error": Outcome(status=3, stdout=b"0.5", stderr="error[E101] bad\n"),
    "form of a message": Outcome(status=3, stdout=b"", stderr="error: bad\n"),
    "error without a message": Outcome(status=3, stdout=b"", stderr=""),
    "error without a message ": Outcome(status=2, stdout=b"", stderr="Error: no usage text\n"),
    "warning of Python": Outcome(status=0, stdout=b"", stderr="", warnings=("RuntimeWarning",)),
    "control character in a message": Outcome(
        status=0, stdout=b"", stderr="warning[W103] \x1b[31m\n"
    ),
    "output that is not JSON": Outcome(status=0, stdout=b'{"conll": NaN}', stderr=""),
}


@pytest.mark.parametrize("rule", BROKEN)
def test_a_broken_rule_is_found(rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    case = command("score", "key.conll", "key.conll", "--format", "json")
    found = check_outcome(case, BROKEN[rule])
    (violation,) = found
    assert rule.strip() in (violation.kind, violation.where.partition(":")[0])


def test_an_overwritten_input_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = Outcome(status=0, stdout=b"", stderr="")
    for words, rules in (
        (("stats", "key.conll", "-o", "key.conll"), ["an input was overwritten: stats"]),
        (("convert", "key.conll", "key.conll"), ["an input was overwritten: convert"]),
        (("score", "a=key.conll", "-o", "key.conll"), ["an input was overwritten: score"]),
        (("stats", "other.conll", "-o", "key.conll"), []),
    ):
        (tmp_path / "key.conll").write_bytes(b"")
        found = check_outcome(command(*words, key=KEY), done)
        assert [violation.where for violation in found] == rules


def test_a_file_beside_an_error_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "left-behind").touch()
    refused = Outcome(status=3, stdout=b"", stderr="error[E101] bad\n")
    (found,) = check_outcome(command("stats", "x"), refused)
    assert found.where == "a file beside an error: stats"


@pytest.mark.parametrize("name", RELATIONS)
def test_a_relation_that_does_not_hold_is_found(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = LINE.replace(b"[0, 1], ", b"")
    files = {"key.jsonl": LINE, "response.jsonl": other}
    case = Case(check="scores", label="score", arguments=(name,), files=files)
    assert examine(case, tmp_path) == []
    real, calls = relations.figures, count(1)

    def worse_each_time(scores: Scores) -> relations.Figures:
        off = next(calls) / 100
        return {id: (a - off, b - off, c - off) for id, (a, b, c) in real(scores).items()}

    monkeypatch.setattr(relations, "figures", worse_each_time)
    (found,) = examine(case, tmp_path)
    assert found.where == f"{name} scores: score"


def test_a_process_of_its_own_does_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "key.conll").write_bytes(KEY)
    words = ["stats", "key.conll", "--format", "json"]
    here, elsewhere = run_here(words, None), run_elsewhere(words, None)
    assert here.stdout and (here.status, here.stdout) == (elsewhere.status, elsewhere.stdout)


def test_a_failing_case_is_made_small() -> None:
    case = command("score", "key.conll", "a.conll", "--rpf", key=KEY * 20, a=KEY)
    small = minimised(case, lambda c: b"sat" in c.files.get("key.conll", b""))
    assert small.files == {"key.conll": b"sat"}
    assert small.arguments == ("score",)


def test_a_case_is_saved_and_checked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(jsonl, "tokens_of", planted)
    files = {"a.jsonl": LINE, "sub/b.jsonl": LINE}
    words = ("stats", "a.jsonl", "sub")
    case = Case(check="command", label="stats", arguments=words, files=files)
    worker = Worker(plan(tmp_path), 0)
    worker.check(case)
    ((identity, folder),) = worker.tally.defects.items()
    assert identity == "traceback: ZeroDivisionError in formats/jsonl/reading.py _words_and_length"
    assert Case.load(Path(folder)).arguments == ("stats", "a.jsonl")
    assert "corefscope stats a.jsonl" in (Path(folder) / "README.txt").read_text("utf-8")
    assert main(["--again", folder]) == 1
    monkeypatch.undo()
    assert main(["--again", folder]) == 0
    assert "nothing is wrong with this input" in capsys.readouterr().out


def test_an_input_that_kills_the_worker_is_saved(tmp_path: Path) -> None:
    folder = tmp_path / "worker-0"
    case = command("stats", "key.conll", key=KEY)
    case.save(folder / "pending")
    Tally(next=7).save(folder / "tally.json")
    bury_worker(plan(tmp_path), folder, -24)
    tally = Tally.load(folder / "tally.json")
    ((identity, saved),) = tally.defects.items()
    assert identity == "hang: command stats ends the process"
    assert (tally.next, tally.failures["hang"]) == (7, 1)
    assert Case.load(Path(saved)) == case


def test_a_seed_draws_the_same_inputs(generator: Generator) -> None:
    drawn = [[make_generator().case(Random(f"1/0/{n}")) for n in range(30)] for _ in range(2)]
    assert drawn[0] == drawn[1]


def test_inputs_that_reach_new_lines(tmp_path: Path) -> None:
    worker = Worker(plan(tmp_path), 0)
    files = {"sample/input.conll": KEY.replace(b"(1)", b"(1+2)")}
    case = Case(check="reader", label="conll", arguments=("conll",), files=files)
    worker.traced(case)
    worker.traced(case)
    assert worker.generator.queue == {"conll": [files["sample/input.conll"]]}


def test_every_command_and_reader_is_drawn(generator: Generator) -> None:
    drawn = [generator.case(Random(n)) for n in range(3000)]
    labels = {case.label for case in drawn}
    assert labels >= {*COMMANDS, "names", "units"}
    for check in OF_FORMATS:
        assert {case.label for case in drawn if case.check == check} >= set(FORMATS)


def test_numbers_that_are_too_large_are_edited_as_text() -> None:
    """A float cannot hold them, and Python does not write them."""
    data = b'{"x": ' + b"9" * 4300 + b"}"
    assert len({change_json(data, Random(seed)) for seed in range(200)}) > 50
