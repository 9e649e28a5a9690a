"""The documentation is true: pages that are made from the code, and examples that run."""

from __future__ import annotations

import doctest
import importlib
import json
import pkgutil
import pydoc
import re
import shlex
import subprocess
import sys
from pathlib import Path

import make_examples
import pytest
from click.testing import CliRunner

import corefscope
from corefscope.cli import COMMANDS, main
from corefscope.demo import KEY, RESPONSES

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


def test_commands_page_equals_help() -> None:
    code = "import make_commands; print(make_commands.page() == make_commands.PAGE.read_text())"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=DOCS, capture_output=True, text=True, check=True
    )
    assert done.stdout == "True\n", "run python docs/make_commands.py"


def test_error_properties_page_equals_records() -> None:
    code = (
        "import make_properties as m; print(m.page() == m.PAGE.read_text(), m.table() in m.page())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=DOCS, capture_output=True, text=True, check=True
    )
    assert done.stdout == "True True\n", "run python docs/make_properties.py"


def test_pages_of_formats_equal_the_registry() -> None:
    code = (
        "import make_formats as m; "
        "print([str(p) for p, text in m.pages().items() "
        "if not p.exists() or p.read_text('utf-8') != text], "
        "{p.stem for p in m.DOCS.glob('formats/*.md')} == set(m.FORMATS))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=DOCS, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[] True\n", "run python docs/make_formats.py"


def test_help_has_examples_and_a_short_first_line() -> None:
    for name, short in COMMANDS.items():
        assert len(short) <= 60
        shown = CliRunner().invoke(main, [name, "--help"])
        assert shown.exit_code == 0
        assert shown.output.count(f"  corefscope {name}") >= 2, f"{name} needs worked examples"


def names_of_modules() -> list[str]:
    found = pkgutil.walk_packages(corefscope.__path__, "corefscope.")
    # These need packages that `make test-adapters` installs.
    others = {"corefscope.adapters.hugging_face", "corefscope.adapters.torchmetrics"}
    return [
        "corefscope",
        *(module.name for module in found if module.name not in {"corefscope.__main__", *others}),
    ]


@pytest.mark.parametrize("name", names_of_modules())
def test_examples_in_docstrings_run(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("page", make_examples.PAGES, ids=lambda page: page.name)
def test_shown_output_equals_command_output(page: Path, tmp_path: Path) -> None:
    text = page.read_text("utf-8")
    assert make_examples.EXAMPLE.search(text)
    assert make_examples.refreshed(page, tmp_path) == text, "run python docs/make_examples.py"


@pytest.mark.parametrize("name", ["quickstart", "errors", "errors-reference"])
def test_commands_of_a_page_run_as_they_stand(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also those whose output is not shown, in the folder of ``corefscope demo``."""
    monkeypatch.chdir(tmp_path)
    CliRunner().invoke(main, ["demo"])
    text = (DOCS / f"{name}.md").read_text("utf-8")
    commands = re.findall(r"^\$ corefscope ([^\n]*)$", text, re.M)
    assert commands
    for command in commands:
        shown = CliRunner().invoke(main, shlex.split(command))
        assert shown.exit_code == 0, f"{command}: {shown.output}"
        assert "no such errors" not in shown.output, command


@pytest.mark.parametrize("name", ["python", "errors", "agreement", "migration/coref-evaluator"])
def test_examples_in_python_on_a_page_run(name: str) -> None:
    done = doctest.testfile(str(DOCS / f"{name}.md"), module_relative=False, encoding="utf-8")
    assert done.attempted and not done.failed


@pytest.mark.parametrize(
    "page",
    [*ROOT.glob("*.md"), *DOCS.glob("*.md"), *DOCS.glob("migration/*.md")],
    ids=lambda page: page.name,
)
def test_every_link_to_a_file_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text("utf-8"))
    lost = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert lost == []


def test_every_page_is_in_the_table_of_contents() -> None:
    index = (DOCS / "index.md").read_text("utf-8")
    pages = {page.stem for page in DOCS.glob("*.md")} - {"index"}
    assert set(re.search(r"maxdepth: 1\n\n(.*?)```", index, re.DOTALL)[1].split()) == pages  # type: ignore[index]


def documented_members() -> list[tuple[str, str]]:
    """Return the classes of the Python reference, each with a member that it documents."""
    page = (DOCS / "python.md").read_text(encoding="utf-8")
    classes = re.findall(r"\.\. autoclass:: (\S+)\n\s+:members: (.+)", page)
    return [(name, member) for name, members in classes for member in members.split(", ")]


def test_documented_members_exist() -> None:
    missing = [
        f"{name}.{member}"
        for name, member in documented_members()
        if not (
            hasattr(cls := pydoc.locate(name), member)
            or member in getattr(cls, "__annotations__", {})
        )
    ]
    assert documented_members()
    assert not missing


def blocks(page: str, heading: str) -> list[str]:
    """The blocks of text after a heading or a phrase of a page."""
    text = (DOCS / f"{page}.md").read_text("utf-8")
    return re.findall(r"^```text\n(.*?)^```$", text[text.index(heading) :], re.M | re.S)


def test_the_example_of_zeros_that_collide_gives_what_the_page_says(tmp_path: Path) -> None:
    key, nodes, table, *_ = blocks("corefud", "**Zeros that stand where another zero stands**")
    response = re.sub(r"(?m)(^1\.\d.*\n)+", nodes, key)
    assert response != key
    paths = [tmp_path / "key.conllu", tmp_path / "response.conllu"]
    for path, text in zip(paths, (key, response), strict=True):
        path.write_text(text, encoding="utf-8")
    command = ["score", *map(str, paths), "--metrics", "muc,b3,ceafe"]
    official = CliRunner().invoke(main, [*command, "--profile", "corefud"])
    assert table in official.stdout and official.stderr.count("[W") == 1
    clean = CliRunner().invoke(main, [*command, "--match", "head"])
    assert "100.00" in clean.stdout.split("CoNLL")[1].splitlines()[0] and not clean.stderr


def test_the_sample_of_universal_anaphora_has_nothing_to_report(tmp_path: Path) -> None:
    sample, *_ = blocks("formats", "## `ua`: Universal Anaphora")
    path = tmp_path / "sample.conllua"
    path.write_text(sample, encoding="utf-8")
    shown = CliRunner().invoke(main, ["validate", str(path)]).stdout
    assert shown.endswith("1 document, 5 mentions; 0 errors, 0 warnings\n")


BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OTHER_LIBRARIES = (
    "import ray",
    "pyspark",
    "LightningModule",
    "import evaluate",
    "Trainer(",
    "keras",
    "wandb",
    "gold_docs",
)
"""What stands in blocks that need another library, or documents of one: these are only compiled
here, and tested with the adapters."""
WITH_BLOCKS = [
    page
    for page in (ROOT / "README.md", *sorted(DOCS.glob("*.md")), *sorted(DOCS.glob("migration/*")))
    if BLOCK.search(page.read_text("utf-8"))
]


def ready(folder: Path) -> dict[str, object]:
    """Write the files that blocks read, and return the names that they take for granted."""
    corpus = corefscope.read(KEY)
    sieve = corefscope.read(RESPONSES["sieve"])
    for name, written in {"gold": corpus, "ours": sieve, "theirs": sieve}.items():
        corefscope.write(written, folder / f"{name}.conll")
    corefscope.write(sieve, folder / "system.jsonl")
    demo = folder / "corefscope-demo"
    demo.mkdir()
    for path in (KEY, RESPONSES["sieve"]):
        (demo / path.name).write_bytes(path.read_bytes())
    answers = folder / "answers"
    answers.mkdir()
    for document in corpus:
        words = document.words or []
        said = [[words[mention.start] for mention in entity] for entity in document.entities]
        name = document.name.replace("/", "_")
        record = {"doc_key": document.name, "clusters": said}
        (answers / f"{name}.json").write_text(json.dumps(record), encoding="utf-8")
    clusters = [[(0, 0), (2, 3)], [(5, 5), (7, 7)]]
    return {
        "cs": corefscope,
        "corpus": corpus,
        "key": clusters,
        "response": clusters,
        "gold": clusters,
        "predicted": clusters,
        "batches": [(clusters, clusters)],
        "documents": [(clusters, clusters)],
        "other": corefscope.Scorer(),
        "resolve": lambda document: [[(0, 0), (1, 1)]],
        "key_labels": [1, 1, 2],
        "system_labels": [1, 2, 2],
    }


@pytest.mark.parametrize("page", WITH_BLOCKS, ids=lambda page: page.name)
@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_blocks_of_python_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = ready(tmp_path)
    ran = 0
    for code in BLOCK.findall(page.read_text("utf-8")):
        compiled = compile(code, str(page), "exec")
        if not any(word in code for word in OTHER_LIBRARIES):
            exec(compiled, names)
            ran += 1
    assert ran
