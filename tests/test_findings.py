"""Every finding has an input that shows it, a place, an exit status, and a line in the docs."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import bad_input
from bad_input import BadInput
from corefscope import CorefscopeError, IncompleteResponse, InvalidInput, read, score
from corefscope.cli import main
from corefscope.extending import CODES, all_codes
from corefscope.findings import Code, Finding, documents_have, few_alike
from corefscope.last_resort import INTERNAL_ERROR

STATUS = {
    Code.MISSING_REFUSED: 4,
    Code.SKIPPED: 4,
    Code.NOT_WRITTEN: 5,
    Code.OUTPUT_IS_INPUT: 2,
}
NO_INPUT_SHOWS = {Code.INTERNAL_ERROR, Code.NO_MEMORY}
"""Shown by tests/faults, since no input should."""


def names(inputs: list[BadInput]) -> list[str]:
    return [f"{bad.code.id}-{number}" for number, bad in enumerate(inputs)]


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(command: str) -> Result:
    result = CliRunner().invoke(main, shlex.split(command))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code != INTERNAL_ERROR, result.stderr
    return result


def status(code: Code) -> int:
    return STATUS.get(code, 3 if code.severity == "error" else 0)


def found(text: str) -> list[tuple[str, str, str]]:
    """Severity, place and code of the lines that are findings."""
    lines = re.findall(r"^(error|warning)\[(\w+)\] (?:([^\s:]+(?::\d+)?): )?", text, re.M)
    return [(severity, place, code) for severity, code, place in lines]


def expected(bad: BadInput, file: str) -> tuple[str, str, str]:
    place = file if bad.line is None else f"{file}:{bad.line}"
    return bad.code.severity, place, bad.code.id


def test_no_code_is_left_out() -> None:
    in_python = {code for code, _ in bad_input.IN_PYTHON}
    known = set(all_codes().values()) - NO_INPUT_SHOWS
    assert {bad.code for bad in bad_input.ALL} | in_python == known


@pytest.mark.parametrize(("code", "find"), bad_input.IN_PYTHON)
def test_findings_in_python_only(code: Code, find: Callable[[], Sequence[Finding]]) -> None:
    assert [finding.code for finding in find()] == [code]


def test_codes_are_stable_and_tell_severity() -> None:
    ids = [code.id for code in (*Code, *CODES.values())]
    assert len(set(ids)) == len(ids)
    for code in (*Code, *CODES.values()):
        assert re.fullmatch(r"[EW][1-7]\d\d", code.id)
        assert code.severity == {"E": "error", "W": "warning"}[code.id[0]]
        assert not code.title.endswith(".")


@pytest.mark.parametrize("bad", bad_input.READING, ids=names(bad_input.READING))
def test_validate_output_and_status(bad: BadInput, directory: Path) -> None:
    bad.write(directory)
    result = run(f"validate {bad.file}")
    assert result.exit_code == status(bad.code)
    assert expected(bad, bad.file) in found(result.stdout)
    assert result.stderr == ""
    others = {code for _, _, code in found(result.stdout)} - {bad.code.id}
    assert others <= {code.id for code in bad.also}, "an input shows one thing"


@pytest.mark.parametrize("bad", bad_input.READING, ids=names(bad_input.READING))
@pytest.mark.parametrize(
    "command",
    [
        "score key.conll {}",
        "score {} key.conll --missing error",
        "score key.conll {} --format json",
        "explain muc key.conll {}",
        "stats {}",
        "convert {} out.json --lossy",
    ],
)
def test_every_command_shows_findings(bad: BadInput, command: str, directory: Path) -> None:
    bad.write(directory)
    result = run(command.format(bad.file))
    assert result.exit_code == status(bad.code), result.stderr
    assert expected(bad, bad.file) in found(result.stderr)
    if status(bad.code):
        assert result.stdout == ""
        assert not (directory / "out.json").exists()
    else:
        assert result.stdout or (directory / "out.json").exists()


@pytest.mark.parametrize("bad", bad_input.WITH_COMMAND, ids=names(bad_input.WITH_COMMAND))
def test_findings_of_specific_commands(bad: BadInput, directory: Path) -> None:
    bad.write(directory)
    result = run(bad.command)
    assert result.exit_code == status(bad.code), result.output
    listed = found(result.stdout if bad.command.startswith("validate") else result.stderr)
    others = {code for _, _, code in listed} - {bad.code.id}
    assert others <= {code.id for code in bad.also}, "an input shows one thing"
    same = {finding for finding in listed if finding[2] == bad.code.id}
    ((severity, place, _),) = same
    assert severity == bad.code.severity
    file = "nowhere.conll" if not bad.files else bad.file
    file = file.partition("/")[0] if bad.names_folder else file
    assert place == (file if bad.line is None else f"{file}:{bad.line}")
    if bad.code.severity == "error":
        assert result.stdout == ""
        assert not list(directory.glob("out.*"))


REAL = [bad_input.READING[0], *bad_input.DIRECTORIES[:1], *bad_input.COMPARING[:2]] + [
    next(bad for bad in bad_input.ALL if bad.code is code)
    for code in (Code.MISSING_REFUSED, Code.CROSSING, Code.EXTRA, Code.BINARY)
]


@pytest.mark.parametrize("bad", REAL, ids=names(REAL))
def test_the_real_command_does_the_same(bad: BadInput, directory: Path) -> None:
    bad.write(directory)
    command = bad.command or f"score key.conll {bad.file}"
    real = subprocess.run(
        [sys.executable, "-m", "corefscope", *shlex.split(command)], capture_output=True
    )
    same = run(command)
    assert real.returncode == same.exit_code == status(bad.code)
    assert real.stderr.decode() == same.stderr
    assert real.stdout.decode() == same.stdout
    assert b"Traceback" not in real.stderr


@pytest.mark.parametrize("bad", bad_input.ALL, ids=names(bad_input.ALL))
def test_an_error_says_what_was_expected(bad: BadInput, directory: Path) -> None:
    bad.write(directory)
    result = run(bad.command or f"score key.conll {bad.file}")
    for line in (result.stderr + result.stdout).splitlines():
        if re.match(r"error\[(?!E118|E301|E601)", line):
            assert "expected" in line


UNREADABLE = [bad for bad in bad_input.READING if bad.code.severity == "error" and not bad.command]


@pytest.mark.parametrize("bad", UNREADABLE, ids=names(UNREADABLE))
def test_python_gets_what_was_expected_apart(bad: BadInput, directory: Path) -> None:
    bad.write(directory)
    with pytest.raises(InvalidInput) as invalid:
        read(bad.file)
    for finding in invalid.value.findings:
        if finding.is_error and finding.code is not Code.OTHER_KIND:
            assert finding.message == f"{finding.found}; expected {finding.expected}"
            assert "; expected" not in finding.found


def test_repeated_mention_with_both_entities_and_lines(directory: Path) -> None:
    text = b"#begin document x\na\t(5|(7\nb\t-\nc\t7)|5)\nd\t(5)|(9)\n#end document\n"
    (directory / "bad.conll").write_bytes(text)
    span, token = run("validate bad.conll").stdout.splitlines()[:2]
    for part in ("bad.conll:2: ", "(0, 2)", "entity 7", "entity 5 on line 2"):
        assert part in span
    for part in ("bad.conll:5: ", "(3, 3)", "entity 9", "entity 5 on line 5"):
        assert part in token


@pytest.mark.parametrize(
    ("key", "response", "alike"),
    [
        ("(bn/x_01); part 000", "(bn/x_01); part 0", True),
        ("(bn/x_01); part 000", "(bn/x_01);", True),
        ("(bn/x_01); part 001", "(bn/x_01); part 1", True),
        ("(bn/x_01); part 001", "(bn/x_01); part 000", False),
        ("(bn/x_01); part 001", "(bn/x_02); part 001", False),
    ],
)
def test_names_in_other_spellings(key: str, response: str, alike: bool, directory: Path) -> None:
    # The texts differ, so that they are no reason to pair the documents.
    for name, file, word in ((key, "a.conll", b"cat"), (response, "b.conll", b"dog")):
        named = bad_input.KEY.replace(b"document x", f"document {name}".encode())
        (directory / file).write_bytes(named.replace(b"cat", word))
    result = run("score a.conll b.conll")
    assert result.exit_code == (0 if alike else 3)
    assert ("[E201]" in result.stderr) != alike and "[W209]" not in result.stderr
    literal = run("score a.conll b.conll --pair-by name")
    assert literal.exit_code == 3 and "[E201]" in literal.stderr
    assert ("spelling" in literal.stderr) == alike


def test_different_words_once_per_document(directory: Path) -> None:
    two = bad_input.KEY + bad_input.KEY.replace(b" x", b" y")
    (directory / "key.conll").write_bytes(two)
    (directory / "bad.conll").write_bytes(two.replace(b"cat", b"dog").replace(b"sat", b"lay"))
    shown = run("score key.conll bad.conll").stderr
    assert found(shown) == [("warning", "bad.conll", "W203")]
    assert "token 1 is 'dog'; expected 'cat'" in shown and "(and 1 more like it)" in shown


@pytest.mark.parametrize("mask", ["_", "___", "[WORD]"])
def test_masked_words_and_sentence_breaks(mask: str, directory: Path) -> None:
    """They are no difference."""
    masked = re.sub(rb"^\w+\t", mask.encode() + b"\t", bad_input.KEY, flags=re.M)
    (directory / "key.conll").write_bytes(bad_input.KEY)
    (directory / "masked.conll").write_bytes(masked.replace(b"1)\n", b"1)\n\n"))
    result = run("score key.conll masked.conll --metrics mentions")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "100.00" in result.stdout


def test_findings_are_in_the_json_of_scores(directory: Path) -> None:
    (directory / "key.conll").write_bytes(bad_input.KEY)
    (directory / "bad.conll").write_bytes(bad_input.KEY.replace(b"sat", b"# a comment line\nsat"))
    result = json.loads(run("score key.conll bad.conll --format json").stdout)
    (finding,) = result["findings"]
    message = finding.pop("message")
    assert "# a comment line" in message
    assert finding == {"code": "W103", "severity": "warning", "file": "bad.conll", "line": 4}


def test_findings_are_the_json_of_validate(directory: Path) -> None:
    bad = bad_input.READING[0]
    bad.write(directory)
    result = run(f"validate key.conll {bad.file} --format json")
    assert result.exit_code == 3
    (finding,) = json.loads(result.stdout)["findings"]
    assert (finding["code"], finding["file"], finding["line"]) == ("E101", bad.file, 4)


def test_many_findings_of_one_code(
    directory: Path,
) -> None:
    """The first are shown, and the others are counted."""
    lines = b"w\t)\n" * 50 + b"w\t1)\n" + b"w\t-\n" * 50
    (directory / "bad.conll").write_bytes(b"#begin document x\n" + lines + b"#end document\n")
    shown = run("score bad.conll bad.conll").stderr
    assert [code for _, _, code in found(shown)] == ["E135", "E101"]
    assert "(and 49 more like it)" in shown
    assert len(found(run("validate bad.conll").stdout)) == 51


COMMENTS = 250


def test_many_warnings_of_one_code(directory: Path) -> None:
    """A hundred of a file are kept, in every output, and the others are counted."""
    data = b"#begin document x\nw\t(1)\n" + b"# a comment\n" * COMMENTS + b"#end document\n"
    for name in ("many.conll", "again.conll"):
        (directory / name).write_bytes(data)
    *lines, last, total = run("validate many.conll").stdout.splitlines()
    assert [int(line.split(":")[1]) for line in lines] == list(range(3, 103))
    assert last == (
        "warning[W103] many.conll: 150 more warnings of this kind; the first 100 are listed"
    )
    assert total == "many.conll: 1 document, 1 mention; 0 errors, 250 warnings"
    shown = run("score many.conll again.conll").stderr
    assert shown.count(f"(and {COMMENTS - 1} more like it)") == 2
    result = json.loads(run("validate many.conll --format json").stdout)
    assert (result["files"][0]["warnings"], len(result["findings"])) == (250, 101)
    findings = read(directory / "many.conll").findings
    assert [finding.unlisted for finding in findings] == [0] * 100 + [150]


def test_many_repeated_mentions(directory: Path) -> None:
    data = b"#begin document x\n" + b"w\t(1)|(1)\n" * COMMENTS + b"#end document\n"
    (directory / "many.conll").write_bytes(data)
    for words in ("validate many.conll", "score many.conll many.conll"):
        result = run(f"{words} --format json")
        listed = [f for f in json.loads(result.stdout)["findings"] if f["code"] == "W108"]
        assert len(listed) == 101 and listed[-1]["message"].startswith("150 more warnings")


def test_a_message_is_made_of_what_was_found_and_expected() -> None:
    finding = Finding(Code.BAD_LINE, "found (", expected="(ID)").at("f.conll", 3)
    assert str(finding) == "f.conll:3: found (; expected (ID) [E135]"
    assert (finding.found, finding.expected) == ("found (", "(ID)")
    assert finding.followed_by(", or -").expected == "(ID), or -"
    bare = Finding(Code.IRREGULAR, "a comment is skipped")
    assert bare.message == bare.found and bare.expected is None
    assert bare.followed_by(" here").message == "a comment is skipped here"


def test_spans_without_entities_say_what_was_expected(tmp_path: Path) -> None:
    (tmp_path / "flat.json").write_text('{"d": [[0, 0], [2, 3]]}', encoding="utf-8")
    with pytest.raises(InvalidInput) as invalid:
        read(tmp_path / "flat.json")
    (finding,) = invalid.value.findings
    assert finding.found.startswith("document 'd': found a flat list of spans such as (0, 0)")
    assert str(finding.expected).startswith("a list of entities, each a list of mentions")


def test_few_warnings_are_not_counted_twice() -> None:
    given = [
        Finding(Code.IRREGULAR, "found", expected="something", file="f", line=n) for n in range(130)
    ]
    once = few_alike(given)
    assert few_alike(once) == once and len(once) == 101 and once[-1].unlisted == 30
    errors = [
        Finding(Code.BAD_LINE, "found", expected="something", file="f", line=n) for n in range(130)
    ]
    assert few_alike(errors) == errors


def test_errors_are_shown_before_warnings(directory: Path) -> None:
    data = b"#begin document x\n# a comment line\nw\t()\n"
    (directory / "bad.conll").write_bytes(data)
    shown = found(run("stats bad.conll").stderr)
    assert [severity for severity, _, _ in shown] == ["error", "warning", "warning"]


def test_exception_tree(directory: Path) -> None:
    bad_input.READING[0].write(directory)
    with pytest.raises(InvalidInput) as invalid:
        read("bad.conll")
    assert isinstance(invalid.value, CorefscopeError) and isinstance(invalid.value, ValueError)
    assert [finding.code for finding in invalid.value.findings] == [Code.UNBALANCED]
    (directory / "two.conll").write_bytes(bad_input.KEY + bad_input.KEY.replace(b" x", b" y"))
    with pytest.raises(IncompleteResponse) as incomplete:
        score("two.conll", "key.conll", missing="error")
    assert isinstance(incomplete.value, LookupError)


@pytest.mark.parametrize(
    ("finding", "shown"),
    [
        (Finding(Code.BAD_LINE, "no", file="a.conll", line=3), "a.conll:3: no [E135]"),
        (Finding(Code.BAD_LINE, "no", file="a.conll"), "a.conll: no [E135]"),
        (Finding(Code.BAD_LINE, "no"), "no [E135]"),
    ],
)
def test_finding_shows_its_place(finding: Finding, shown: str) -> None:
    assert str(finding) == shown


@pytest.mark.parametrize("code", Code, ids=lambda code: code.id)
def test_every_code_is_explained(code: Code) -> None:
    shown = run(f"explain {code.id.lower()}").stdout
    assert shown.partition("\n\n")[0].replace("\n", " ") == f"{code.id}: {code.title}"
    assert 8 <= len(code.help.split()) <= 45


@pytest.mark.parametrize(
    ("count", "documents", "words"),
    [
        (1, 1, "the only document has"),
        (1, 3, "1 of 3 documents has"),
        (3, 3, "3 of 3 documents have"),
    ],
)
def test_singular_and_plural(count: int, documents: int, words: str) -> None:
    assert documents_have(count, documents) == words
