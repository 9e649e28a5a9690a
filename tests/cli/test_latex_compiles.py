"""What is printed for LaTeX can be compiled, with booktabs and nothing else."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from corefscope.cli import main
from corefscope.demo import KEY, RESPONSES

pytestmark = pytest.mark.skipif(not shutil.which("pdflatex"), reason="no pdflatex on this machine")

ODD = r"a_b&c 100% #1 {x} $y ~z ^w \v"
"""All that is special to LaTeX."""
RECENCY, SIEVE, MATCH = (str(RESPONSES[name]) for name in ("recency", "sieve", "string-match"))
GOLD = str(KEY)
TWO = (GOLD, f"{ODD}={RECENCY}", f"*[b]={SIEVE}")
THREE = (*TWO, MATCH)
FEW = ("--samples", "100")

COMMANDS = {
    "score-one": ["score", GOLD, SIEVE, "--metrics", "all,more,antecedents,legacy"],
    "score-many": ["score", *THREE, "--metrics", "all,more,antecedents,legacy"],
    "score-paper": ["score", *TWO, "--layout", "paper", "--caption"],
    "score-paper-documents": ["score", *TWO, "--layout", "paper", "--per-document"],
    "compare-paper": ["compare", *THREE, "--layout", "paper", "--caption", "--intervals", *FEW],
    "errors-paper": ["errors", *TWO, "--layout", "paper", "--caption"],
    "nec-paper": ["nec", *TWO, "--layout", "paper", "--caption"],
    "score-by-mention": ["score", *TWO, "--by", "mention-type"],
    "score-by-entity": ["score", *TWO, "--by", "entity-type"],
    "compare-two": ["compare", *TWO],
    "compare-changes": ["compare", *TWO, "--changes", "--list", *FEW],
    "compare-three": ["compare", *THREE, "--detail", "--metrics", "all,more", *FEW],
    "compare-all-pairs": ["compare", *THREE, "--all-pairs", "--family", "metric"],
    "compare-runs": ["compare", GOLD, f"a_b={RECENCY}", f"a_b={SIEVE}", MATCH, *FEW],
    "errors": ["errors", *TWO],
    "errors-tables": ["errors", *TWO, "--tables", "all"],
    "errors-impact": ["errors", GOLD, SIEVE, "--impact"],
    "nec": ["nec", *TWO],
    "nec-tables": ["nec", *TWO, "--tables", "all"],
    "nec-detail": ["nec", GOLD, SIEVE, "--detail"],
    "profiles": ["profiles", GOLD, SIEVE],
    "profiles-list": ["profiles"],
    "stats": ["stats", GOLD],
}


def formats(command: str) -> list[str]:
    """The formats that a command knows."""
    shown = CliRunner().invoke(main, [command, "--help"]).output
    found = re.search(r"--format\s+\[([^\]]+)\]", shown)
    return re.split(r"[|\s]+", found[1]) if found else []


@pytest.mark.parametrize("name", COMMANDS)
def test_it_compiles(name: str, tmp_path: Path) -> None:
    arguments = COMMANDS[name]
    if "latex" not in formats(arguments[0]):
        pytest.skip(f"{arguments[0]} prints no LaTeX")
    printed = CliRunner().invoke(main, [*arguments, "--format", "latex"])
    assert printed.exit_code == 0, printed.output
    assert printed.stdout.count(r"\begin{tabular}") >= 1
    log = compiled(printed.stdout, tmp_path)
    assert "Missing character" not in log, re.findall("Missing character.*", log)


def compiled(text: str, folder: Path) -> str:
    """Compile a minimal document around a text; return what LaTeX says."""
    document = (
        "\\documentclass{article}\n\\usepackage{booktabs}\n"
        f"\\begin{{document}}\n{text}\n\\end{{document}}\n"
    )
    (folder / "table.tex").write_text(document, encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "table.tex"],
        cwd=folder,
        capture_output=True,
        timeout=120,
    )
    said = done.stdout.decode("utf-8", "replace")
    assert done.returncode == 0, said[-2000:]
    assert (folder / "table.pdf").exists()
    return (folder / "table.log").read_text("utf-8", "replace")


def test_what_is_wrong_does_not_compile(tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        compiled("a_b", tmp_path)
