"""``explain``, ``validate``, ``stats`` and ``convert`` as a user calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from corefscope.cli import main

KEY = """#begin document (one)
Anna (1)
saw -
her (2|(1)
dog 2)

It (2)
#end document
"""


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("key.conll").write_text(KEY)
    Path("response.conll").write_text(KEY.replace("It (2)", "It (1)"))
    Path("two.conll").write_text(KEY + KEY.replace("(one)", "(two)"))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def test_explain_only_document() -> None:
    shown = run("explain", "muc", "key.conll", "response.conll").output
    assert "K2 = {her dog (2–3), It (4)}" in shown
    assert "  K2  2 − 2 = 0   parts: {her dog (2–3)} R2 {It (4)} R1" in shown
    assert shown.count("= 50.00 %") >= 2


def test_explain_needs_a_document() -> None:
    shown = run("explain", "muc", "two.conll", "two.conll")
    assert shown.exit_code == 2 and "--document" in shown.stderr and "one, two" in shown.stderr
    chosen = run("explain", "muc", "two.conll", "two.conll", "--document", "(two)")
    assert chosen.output.startswith("MUC of document (two)")


def test_validate_json_with_repeated_mentions() -> None:
    Path("twice.conll").write_text("#begin document d\nx (1)|(2)\ny (1)\n#end document\n")
    shown = run("validate", "twice.conll", "--format", "json")
    (finding,) = json.loads(shown.output)["findings"]
    assert finding["code"] == "W108" and finding["line"] == 2 and finding["file"] == "twice.conll"


def test_convert_infers_formats() -> None:
    for target in ("out.jsonl", "out.json", "out.conll.gz"):
        assert run("convert", "key.conll", target).exit_code == 0
        assert "100.00" in run("score", "key.conll", target, "--metrics", "ceafe").output
    assert run("convert", "out.jsonl", "-", "--to", "conll").output.startswith(
        "#begin document (one)"
    )


@pytest.mark.parametrize(("folder", "format"), [("out", "brat")])
def test_convert_to_existing_folder(folder: str, format: str) -> None:
    """An empty folder can be used, and a folder can be written again."""
    Path(folder).mkdir()
    for _ in range(2):
        assert run("convert", "key.conll", folder, "--to", format).exit_code == 0
        assert "100.00" in run("score", "key.conll", folder, "--metrics", "ceafe").output
    refused = run("convert", "key.conll", folder, "--to", "jsonl")
    assert refused.exit_code == 5 and "it is a folder" in refused.stderr


def test_convert_keeps_files_of_others() -> None:
    Path("out").mkdir()
    assert run("convert", "key.conll", "out", "--to", "brat").exit_code == 0
    (file, *_) = sorted(Path("out").glob("*.txt"))
    file.write_text("mine")
    refused = run("convert", "key.conll", "out", "--to", "brat")
    assert refused.exit_code != 0 and "E601" in refused.stderr
    assert file.read_text() == "mine"


def test_convert_to_missing_folder() -> None:
    assert run("convert", "key.conll", "no/such/out.conll").exit_code == 5
    unknown = run("convert", "key.conll", "out.xml")
    assert unknown.exit_code == 2 and "format" in unknown.stderr


def test_an_unknown_command_names_one_that_is_known() -> None:
    result = CliRunner().invoke(main, ["scor", "a", "b"])
    assert result.exit_code == 2 and "no command named 'scor'; did you mean score?" in result.stderr
