"""Run the console examples of the pages again, and write what they print; a test says if stale.

A block ``console`` has commands with what they print, a block ``bash`` commands alone. Both run in
a folder with the files that the pages speak of: ``gold.conll`` is the key of the demo,
``ours.conll`` its system ``sieve``, and ``base.conll`` its system ``recency``.
"""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from pathlib import Path

from click.testing import CliRunner, Result

from corefscope.cli import main
from corefscope.corpus import Corpus
from corefscope.demo import KEY, RESPONSES
from corefscope.formats import read

DOCS = Path(__file__).parent
PAGES = [
    DOCS.parent / "README.md",
    *sorted(page for page in DOCS.rglob("*.md") if "formats" not in page.parts[:-1]),
]
EXAMPLE = re.compile(r"^\$ (corefscope [^\n]*)\n((?:(?!^\$ |^```).*\n)*)", re.MULTILINE)
SHELL = re.compile(r"^```bash\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ENDS = re.compile(r" \| (head|tail) -(\d+)$")
FILES = {
    "key.json": '{"example": [["a", "b", "c"], ["d", "e", "f", "g"]]}\n',
    "response.json": '{"example": [["a", "b"], ["c", "d"], ["f", "g", "h", "i"]]}\n',
    "itself.json": '{"example": [["a", "b"], ["c", "d"], ["e", "f"], ["g"]]}\n',
    "gold.jsonl": '{"doc_key": "table1", "sentences": '
    '[["John", "Doe", "says", "he", "thinks", "he", "knows", "he", "won", "."], '
    '["Richard", "Roe", "says", "he", "knows", "he", "lost", "."]], '
    '"ner": [[[0, 1, "PERSON"]], [[10, 11, "PERSON"]]], '
    '"clusters": [[[0, 1], [3, 3], [5, 5], [7, 7]], [[10, 11], [13, 13], [15, 15]]]}\n',
    "solution1.json": '{"table1": [[[0, 1], [3, 3], [5, 5]], [[10, 11], [13, 13]]]}\n',
    "solution2.json": '{"table1": [[[3, 3], [5, 5], [7, 7]], [[13, 13], [15, 15]]]}\n',
    "answers.txt": "Nora|[e1] llega Si quiere ##|[e1] ver ##|[e1] el|[e2 faro|e2] Ese|[e2] mira "
    "##|[e1] .\n",
}
"""The examples of Pradhan et al. (2014) and of Table 1 of Agarwal et al. (2019), a key with a
singleton, and an answer to CRAC."""


def write_files(folder: Path) -> None:
    """Write the files that the pages speak of."""
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    copies = {KEY: "gold.conll", RESPONSES["sieve"]: "ours.conll"}
    copies |= {RESPONSES["recency"]: "base.conll", RESPONSES["string-match"]: "string-match.conll"}
    for path, name in copies.items():
        (folder / name).write_bytes(path.read_bytes())
    runs = {"base-1": "recency", "base-2": "string-match", "ours-1": "sieve", "ours-2": "recency"}
    for name, system in runs.items():
        (folder / f"{name}.conll").write_bytes(RESPONSES[system].read_bytes())
    for path in sorted((DOCS / "examples").rglob("*.*")):
        (folder / path.name).write_bytes(path.read_bytes())
    (folder / "both.conllua").write_bytes((DOCS / "samples/ua/both.conllua").read_bytes())
    for name in ("gold", "ours", "answers"):
        (folder / name).mkdir()
    (folder / "gold" / "one_gold_conll").write_bytes(KEY.read_bytes())
    (folder / "ours" / "one.pred").write_bytes(RESPONSES["sieve"].read_bytes())
    for name, text in tagged(read(RESPONSES["sieve"])).items():
        (folder / "answers" / f"{name}.txt").write_text(text, encoding="utf-8")
    done = ["score", "gold.conll", "ours.conll", "--format", "json", "-o", "baseline.json"]
    for command in (done, ["demo"]):
        CliRunner().invoke(main, command)


def tagged(corpus: Corpus) -> dict[str, str]:
    """Return each document as a language model would write it, with its first mentions in tags."""
    found = {}
    for document in corpus:
        words = list(document.words or ())
        for number, entity in enumerate(document.entities):
            for mention in entity:
                if mention.start == mention.end:
                    words[mention.start] = f"[{words[mention.start]}](#{number})"
        found[document.name.replace("/", "_")] = " ".join(words)
    return found


def refreshed(page: Path, folder: Path) -> str:
    """Return a page with the output of its examples, run in a folder of files."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        write_files(folder)
        text = EXAMPLE.sub(_transcript, page.read_text("utf-8"))
        for block in SHELL.findall(text):
            for command in block.splitlines():
                if command.startswith("corefscope "):
                    run(command)
        return text
    finally:
        os.chdir(before)


def run(command: str) -> Result:
    """Run a command of a page; it must not fail, unless it is a gate."""
    words = shlex.split(ENDS.sub("", command), comments=True)[1:]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, f"{command}: {result.output}"
    return result


def _transcript(example: re.Match[str]) -> str:
    command = example[1]
    lines = run(command).output.strip("\n").splitlines()
    if end := ENDS.search(command):
        number = int(end[2])
        lines = lines[:number] if end[1] == "head" else lines[-number:]
    return "\n".join([f"$ {command}", *(line.rstrip() for line in lines)]) + "\n"


if __name__ == "__main__":
    for page in PAGES:
        with tempfile.TemporaryDirectory() as folder:
            page.write_text(refreshed(page, Path(folder)), encoding="utf-8")
