"""Commands and functions give the same bytes for any number of processes, parts and workers."""

from __future__ import annotations

import gzip
import json
import pickle
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import corefscope as cs
from corefscope.cli import main
from corefscope.corpus import tasks
from corefscope.corpus.mentions import Span
from corefscope.demo import KEY, RESPONSES
from corefscope.engines import ALONE, processes, using
from corefscope.formats.reading.builder import FileLayers
from corefscope.formats.registry import writings
from corefscope.language import Text
from corefscope.matching import pairs, texts
from corefscope.matching.texts import ReadText, Traits, read_text, traits_in
from divided import Divided

pytestmark = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
COMMANDS = {
    "score": ["--format", "json", "--per-document"],
    "score table": [],
    "score by": ["--by", "mention-type"],
    "score reference": ["--format", "reference"],
    "errors": ["--format", "json", "--list"],
    "errors impact": ["--impact", "--tables", "1,3-5"],
    "errors berkeley": ["--mode", "berkeley", "--groups"],
    "nec": ["--format", "json", "--detail"],
    "nec paper": ["--preset", "paper", "--singletons", "drop"],
    "compare": ["--samples", "100", "--format", "json"],
}


def words(name: str, *responses: str) -> list[str]:
    command = name.split()[0]
    given = [str(RESPONSES[each]) for each in responses or ("sieve",)]
    if command == "compare":
        given = [f"a={RESPONSES['sieve']}", f"b={RESPONSES['recency']}"]
    return [command, str(KEY), *given, *COMMANDS[name]]


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, list(arguments))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_commands(name: str) -> None:
    expected = run(*words(name))
    assert expected[0] == 0 and expected[1]
    assert run(*words(name), "--jobs", "2") == expected
    for engine in (Divided(3), Divided(4)):
        with using(engine):
            assert run(*words(name)) == expected
        assert engine.tasks > 1


@pytest.mark.parametrize("name", ["score", "errors", "nec", "compare"])
def test_processes_that_are_started_anew(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on systems that cannot copy a process: all that a worker needs is sent to it."""
    expected = run(*words(name), "--jobs", "1")
    monkeypatch.setattr(processes, "_context", lambda: get_context("spawn"))
    assert run(*words(name), "--jobs", "2") == expected


def test_convert_by_processes_that_are_started_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = converted(tmp_path / "one", KEY, "jsonl", "--jobs", "1")
    files = str(KEY), str(RESPONSES["sieve"])
    examined = run("validate", *files, "--jobs", "1")
    monkeypatch.setattr(processes, "_context", lambda: get_context("spawn"))
    assert converted(tmp_path / "two", KEY, "jsonl", "--jobs", "2") == expected
    assert run("validate", *files, "--jobs", "2") == examined


def test_a_report_by_processes_that_are_started_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    systems = {"sieve": str(RESPONSES["sieve"])}
    expected = cs.make_report(KEY, systems).html
    monkeypatch.setattr(processes, "_context", lambda: get_context("spawn"))
    assert cs.make_report(KEY, systems, jobs=2).html == expected


def test_several_systems() -> None:
    names = ("sieve", "recency", "string-match")
    for name in ("score", "errors impact", "nec"):
        expected = run(*words(name, *names))
        with using(Divided(3)):
            assert run(*words(name, *names)) == expected


@pytest.mark.parametrize("options", [[], ["--split"], ["--redact"]])
def test_the_report(options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    systems = [f"{name}={path}" for name, path in RESPONSES.items()]
    found = []
    for jobs in ("1", "3"):
        (tmp_path / jobs).mkdir()
        monkeypatch.chdir(tmp_path / jobs)
        target = "report" if "--split" in options else "report.html"
        made = run("report", str(KEY), *systems, "-o", target, *options, "--jobs", jobs)
        assert made[0] == 0, made[2]
        files = [each for each in sorted((tmp_path / jobs).rglob("*")) if each.is_file()]
        found.append({str(each.relative_to(tmp_path / jobs)): each.read_bytes() for each in files})
    assert found[0] == found[1] and found[0]


def test_reports_in_python() -> None:
    systems = {"sieve": str(RESPONSES["sieve"])}
    assert cs.make_report(KEY, systems, jobs=3).html == cs.make_report(KEY, systems).html


def test_traits_are_found_once_for_a_report(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found for the analysis is there for the page."""
    found = list[object]()

    def counted(text: Text, span: Span) -> Traits:
        found.append((id(text), span))
        return traits_in(text, span)

    monkeypatch.setattr(pairs, "traits_in", counted)
    numbers = []
    for engine in (ALONE, Divided(3)):
        found.clear()
        with using(engine):
            cs.make_report(KEY, {"sieve": str(RESPONSES["sieve"])})
        numbers.append(len(found))
    assert numbers[0] == numbers[1] > 0


def test_texts_are_read_once_for_a_report(monkeypatch: pytest.MonkeyPatch) -> None:
    """Errors, names and pages of a document are made before its text is forgotten."""
    read = list[int]()

    def counted(key: cs.Corpus, document: int, *others: Any) -> ReadText | None:
        read.append(document)
        return read_text(key, document, *others)

    monkeypatch.setattr(texts, "read_text", counted)
    systems = {name: str(path) for name, path in RESPONSES.items()}
    expected = cs.make_report(KEY, systems).html
    assert read == list(range(10))
    # So few words at a time that each document is a part of its own.
    monkeypatch.setattr(tasks, "ENOUGH", 10)
    read.clear()
    assert cs.make_report(KEY, systems).html == expected
    assert read == list(range(10))


def test_validate() -> None:
    files = [str(KEY), *map(str, RESPONSES.values())]
    for options in ([], ["--format", "json"]):
        expected = run("validate", *files, *options)
        assert expected[0] == 0
        assert run("validate", *files, *options, "--jobs", "3") == expected


def test_files_that_cannot_be_scored(tmp_path: Path) -> None:
    """They are reported in the order in which they were given, whoever examines them."""
    bad = tmp_path / "bad.conll"
    bad.write_text(KEY.read_text(encoding="utf-8").replace("#end document", "", 1))
    files = [str(KEY), str(bad), str(tmp_path / "none"), str(RESPONSES["sieve"])]
    expected = run("validate", *files, "--jobs", "1")
    assert expected[0] == 3
    assert run("validate", *files, "--jobs", "3") == expected


@pytest.mark.parametrize("format", sorted(set(writings()) - {"spacy"}))
def test_convert(format: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Labels that brackets cannot hold, types and crossing mentions: all that is said of texts."""
    source, lines = tmp_path / "in.jsonl", tmp_path / "lines.jsonl"
    lines.write_text("".join(map(record, range(30))), encoding="utf-8")
    native = cs.write(cs.read(lines), source, "native")
    assert not native
    source.write_text(source.read_text().replace('"label": "1"', '"label": "a|b"'))
    expected = converted(tmp_path / "whole", source, format, "--jobs", "1")
    # So few words at a time that most documents are parts of their own.
    monkeypatch.setattr(tasks, "ENOUGH", 10)
    assert converted(tmp_path / "parts", source, format, "--jobs", "1") == expected
    assert converted(tmp_path / "two", source, format, "--jobs", "2") == expected
    engine = Divided(3)
    with using(engine):
        assert converted(tmp_path / "three", source, format) == expected
    # Documents are examined, and written if their files can be joined.
    assert engine.tasks > (20 if writings()[format].is_joined else 10)


def record(number: int) -> str:
    """Return a document in which a mention crosses another, and some mentions have types."""
    words = [f"w{place}" for place in range(number % 7 + 5)]
    fields = {
        "doc_key": f"d{number}",
        "sentences": [words[:3], words[3:]],
        "clusters": [[[0, 1], [1, 2]], [[3, 3], [2, 4]]],
        "speakers": [["Ann"] * 3, ["Bob"] * (len(words) - 3)],
    }
    if number % 5 == 0:
        fields["entity_types"] = ["PER", "a b"]
    return json.dumps(fields) + "\n"


def converted(folder: Path, source: Path, format: str, *options: str) -> dict[str, object]:
    """Convert a file; return what was said and written."""
    folder.mkdir()
    target = folder / "out"
    said = run("convert", str(source), str(target), "--to", format, "--lossy", *options)
    assert said[0] == 0, said[2]
    files = [target] if target.is_file() else sorted(target.iterdir())
    written = {each.name: each.read_bytes() for each in files}
    assert any(written.values())
    return {"said": said, **written}


def test_a_gzip_file_is_unpacked_once_for_all_processes(tmp_path: Path) -> None:
    path = tmp_path / "key.conll.gz"
    path.write_bytes(gzip.compress(KEY.read_bytes()))
    corpus = cs.read(path)
    with using(Divided(3)):
        assert len(tasks.document_tasks(corpus)) > 1
    assert isinstance(corpus.layers, FileLayers)
    (source,) = {id(place[0]): place[0] for place in corpus.layers.places}.values()
    assert source._kept == KEY.read_bytes()
    # Where processes are not copied, it is not sent: they unpack it themselves.
    sent = pickle.dumps(corpus)
    assert len(sent) < len(KEY.read_bytes())
    assert [document.words for document in pickle.loads(sent)] == [d.words for d in cs.read(KEY)]


def test_functions() -> None:
    response = RESPONSES["sieve"]
    assert cs.score(KEY, response, jobs=2).to_dict() == cs.score(KEY, response).to_dict()
    ours, theirs = cs.analyze(KEY, response, jobs=2), cs.analyze(KEY, response)
    assert ours.to_dict() == theirs.to_dict() and ours.signature == theirs.signature
    assert [each.text for each in ours.records] == [each.text for each in theirs.records]
    assert cs.nec(KEY, response, jobs=2).to_dict() == cs.nec(KEY, response).to_dict()
    systems = {"a": str(response), "b": str(RESPONSES["recency"])}
    first, second = (cs.compare(KEY, systems, samples=50, jobs=jobs) for jobs in (1, 2))
    assert first.difference("b", "a") == second.difference("b", "a")
    evaluation = cs.evaluate(KEY, systems, jobs=2)
    assert evaluation["a"].errors.to_dict() == theirs.to_dict()


def test_documents_that_differ_in_how_heads_are_found(tmp_path: Path) -> None:
    """Some documents have no named entities, and some no trees: parts must agree on one way."""
    lines = KEY.read_text(encoding="utf-8").splitlines(keepends=True)
    documents = "".join(lines).split("#begin document")[1:]
    changed = []
    for number, document in enumerate(documents):
        rows = [line.split() for line in document.splitlines()]
        for row in rows:
            if len(row) > 11 and number < 5:
                row[10] = "*"
            if len(row) > 11 and number > 7:
                row[5] = "*"
        text = "\n".join("\t".join(row) if len(row) > 11 else " ".join(row) for row in rows)
        changed.append(f"#begin document {text.strip()}\n")
    path = tmp_path / "key.conll"
    path.write_text("".join(changed), encoding="utf-8")
    for name in ("nec", "errors"):
        expected = run(name, str(path), str(RESPONSES["sieve"]), "--format", "json")
        for workers in (2, 5):
            with using(Divided(workers)):
                found = run(name, str(path), str(RESPONSES["sieve"]), "--format", "json")
            assert found == expected


def test_the_number_of_jobs_is_not_part_of_a_result() -> None:
    status, printed, _ = run(*words("errors impact"), "--jobs", "2")
    assert status == 0 and "--jobs" not in printed
    status, printed, _ = run(*words("score"), "--jobs", "2")
    assert "jobs" not in json.dumps(json.loads(printed)["systems"])


@pytest.mark.parametrize("jobs", ["0", "-1", "two"])
def test_numbers_that_are_none(jobs: str) -> None:
    status, _, message = run(*words("score"), "--jobs", jobs)
    assert status == 2 and "--jobs" in message


def test_engines_that_are_none() -> None:
    status, _, message = run(*words("score"), "--engine", "spark")
    assert status == 2 and "expected local, dask" in message


def test_what_is_said_of_all_texts_together(tmp_path: Path) -> None:
    """Texts of another language in groups of documents, and trees that cannot be read."""
    rows = [
        f"x\t0\t{place}\t{word}\t{tag}\t{tree}\t-\t-\t-\t-\t*\t({place % 3})"
        for place, (word, tag, tree) in enumerate(
            [("Der", "-", "*"), ("Hund", "-", "*"), ("bellt", "-", "*")] * 12
        )
    ]
    broken = [row.replace("\t-\t*\t", "\tNN\t(S(NP*\t", 1) for row in rows]
    documents = []
    for number in range(36):
        text = "\n".join(broken if number > 30 else rows)
        documents.append(f"#begin document d{number}\n{text}\n\n#end document\n")
    path = tmp_path / "key.conll"
    path.write_text("".join(documents), encoding="utf-8")
    expected = run("errors", str(path), str(path))
    assert expected[0] == 0 and "W408" in expected[2] and "W113" in expected[2]
    for workers in (2, 5):
        with using(Divided(workers)):
            assert run("errors", str(path), str(path)) == expected
