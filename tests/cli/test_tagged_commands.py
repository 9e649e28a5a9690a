"""What commands print about tagged text, as language models write it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from commands import Command

KEY = """#begin document (b); part 000
b 0 0 Otto - (0)
b 0 1 saw - -
b 0 2 a - (1
b 0 3 boat - 1)
b 0 4 . - -

b 0 0 He - (0)
b 0 1 bought - -
b 0 2 it - (1)
b 0 3 . - -

#end document
#begin document (a); part 000
a 0 0 Ida - (0)
a 0 1 met - -
a 0 2 Eve - (1)
a 0 3 . - -

a 0 0 She - (0)
a 0 1 waved - -
a 0 2 . - -

#end document
"""
GOOD = {
    "a": "[Ida](#0) met [Eve](#1). [She](#0) waved.",
    "b": "[Otto](#0) saw [a boat](#1). [He](#0) bought [it](#1).",
}


@pytest.fixture
def key(tmp_path: Path) -> str:
    path = tmp_path / "key.conll"
    path.write_text(KEY, encoding="utf-8")
    return str(path)


def answers(tmp_path: Path, **texts: str) -> str:
    """A folder with one answer per document."""
    folder = tmp_path / "answers"
    folder.mkdir()
    for name, text in (GOOD | texts).items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return str(folder)


class TestValidate:
    @pytest.mark.parametrize(
        ("answer", "code", "message"),
        [
            ("", "W255", "the answer has no words"),
            ("\n \n", "W255", "the answer has no words"),
            ("Ida met Eve.", "W258", "no tag was found"),
            ("[Ida](#0) met [Eve].", "W256", "dropped tags: no entity name 1; expected"),
            ("[Ida](#0) met [](#1).", "W256", "dropped mentions: empty 1; expected"),
            ("[Ida](#0) met [Eve", "W256", "dropped tags: opened but never closed 1; expected"),
            ("[Ida](#0) met Eve](#1).", "W256", "dropped tags: closed but never opened 1; exp"),
            ("[Ida](#0) met Eve](#", "W256", "'a': the last tag is cut off; expected"),
            ("<m id='0'>Ida</m> <b>met</b>", "W256", "'a': 2 tags mark no mention: elements of"),
        ],
    )
    def test_one_warning_per_document(
        self, tmp_path: Path, answer: str, code: str, message: str
    ) -> None:
        folder = answers(tmp_path, a=answer)
        shown = Command("validate").run(folder).stdout.splitlines()
        assert len(shown) == 2 and "0 errors, 1 warning" in shown[1]
        assert shown[0].startswith(f"warning: {Path(folder, 'a.txt')}: document 'a': ")
        assert message in shown[0] and shown[0].endswith(f"[{code}]")

    def test_brackets_may_be_text(self, tmp_path: Path) -> None:
        folder = answers(tmp_path, a="[Ida](#0) met [Eve].", b="[Otto](#0) saw [](#1).")
        first, second, _ = Command("validate").run(folder).stdout.splitlines()
        text = "; brackets that are also in the key's text are not dropped"
        assert text in first and text not in second

    def test_good_answers_and_strings_have_no_warnings(self, tmp_path: Path) -> None:
        assert "0 warnings" in Command("validate").run(answers(tmp_path)).stdout
        path = tmp_path / "refusal.txt"
        path.write_text("I cannot do that.", encoding="utf-8")
        shown = Command("validate").run(str(path), "--input-format", "strings").stdout
        assert "W255" in shown and "W258" not in shown

    def test_scores_do_not_repeat_it(self, key: str, tmp_path: Path) -> None:
        folder = answers(tmp_path, a="[Ida](#0) met [Eve]. [](#0) She waved.", b="")
        shown = Command("score").run(key, folder).stderr
        assert re.findall(r"\[(W\d+)\]", shown) == ["W255", "W256"]
        assert "; dropped tags: no entity name 1; dropped mentions: empty 1 [W256]" in shown


class TestScore:
    def test_rows_are_in_the_order_of_the_key(self, key: str, tmp_path: Path) -> None:
        folder = answers(tmp_path)
        lines = Command("score").run(key, folder, "--per-document").stdout.splitlines()
        names = [line.split(";")[0] for line in lines if line.startswith("(")]
        assert names == ["(b)", "(a)", "(b)", "(a)"]
        ledger = Command("score").system_of(key, folder)["ledger"]
        assert list(ledger["documents"]) == ["(b); part 000", "(a); part 000"]
        strings = tmp_path / "strings.json"
        strings.write_text('{"a": {"Ida": ["Ida"]}, "b": {"Otto": ["Otto"]}}', encoding="utf-8")
        ledger = Command("score").system_of(key, str(strings))["ledger"]
        assert list(ledger["documents"]) == ["(b); part 000", "(a); part 000"]

    def test_what_is_not_counted_is_a_dash(self, key: str, tmp_path: Path) -> None:
        folder = answers(tmp_path, a="I cannot do that.")
        shown = Command("score").run(key, folder, "--per-document").stdout
        (row,) = [
            line for line in shown.splitlines() if line.startswith("(a)") and "failed" in line
        ]
        assert row.split()[-4:] == ["7", "–", "–", "5"]
        path = tmp_path / "b.json"
        path.write_text('{"Otto": ["Otto", "He"]}', encoding="utf-8")
        shown = Command("score").run(key, str(path), "--per-document").stdout
        (row,) = [line for line in shown.splitlines() if "  strings  " in line]
        assert row.split()[-6:] == ["0", "0", "–", "–", "–", "–"]

    def test_leaving_out_failed_documents(self, key: str, tmp_path: Path) -> None:
        better = "; leaving it out makes scores look better"
        folder = Path(answers(tmp_path, a=""))
        assert better in Command("score").run(key, str(folder)).stdout
        (folder / "b.txt").write_text("", encoding="utf-8")
        shown = Command("score").run(key, str(folder), "--response-format", "tagged").stdout
        assert shown.endswith("a failed document counts as empty\n")

    def test_markdown_and_latex_keep_the_indentation(self, key: str, tmp_path: Path) -> None:
        folder = answers(tmp_path, a="[Ida](#0) met [Eve]. She waved.")
        shown = Command("score").run(key, folder, "--format", "markdown").stdout
        assert "| &nbsp;&nbsp;dropped tags | 1 |" in shown and "| tags closed | 6 |" in shown
        assert "| &nbsp;&nbsp;&nbsp;&nbsp;no entity name | 1 |" in shown
        shown = Command("score").run(key, folder, "--format", "latex").stdout
        assert "\n~~dropped tags & 1 " in shown and "\n~~~~no entity name & 1 " in shown

    @pytest.mark.parametrize(
        ("command", "option"), [("score", "--response-format"), ("validate", "--input-format")]
    )
    def test_an_empty_answer_alone(
        self, key: str, tmp_path: Path, command: str, option: str
    ) -> None:
        path = tmp_path / "a.txt"
        path.write_text("", encoding="utf-8")
        arguments = [key, str(path)] if command == "score" else [str(path)]
        shown = Command(command).run(*arguments).output
        assert "is read with the format tagged, as failed" in shown
        assert f"[E105]\n  see {option} tagged\n" in shown
