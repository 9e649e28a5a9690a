"""The documentation is true, short and plain: what is generated is fresh, and examples run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import pydoc
import re
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import make_examples
import make_formats
import pytest
from click.testing import CliRunner

import corefscope
from corefscope.cli import COMMANDS, main
from corefscope.formats.registry import FORMATS

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [*ROOT.glob("*.md"), *sorted(DOCS.rglob("*.md"))]
GENERATED = {"commands.md", "messages.md", "fields.md", "python.md"}
WRITTEN = [
    page
    for page in PAGES
    if page.parent.name != "formats" and not (page.parent.name == "ref" and page.name in GENERATED)
]
"""The pages that people write."""
NAMES = [str(page.relative_to(ROOT)) for page in WRITTEN]


# ---- What is generated ----


@pytest.mark.parametrize("module", ["make_reference", "make_formats"])
def test_generated_pages_are_fresh(module: str) -> None:
    code = (
        f"import {module} as m; "
        "print([str(p) for p, text in m.pages().items() "
        "if not p.exists() or p.read_text('utf-8') != text])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=DOCS, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n", "run make generated"


def test_every_format_has_a_page() -> None:
    assert {page.stem for page in DOCS.glob("formats/*.md")} == set(FORMATS)


def test_help_has_examples_and_a_short_first_line() -> None:
    for name, short in COMMANDS.items():
        assert len(short) <= 60
        shown = CliRunner().invoke(main, [name, "--help"])
        assert shown.exit_code == 0
        assert shown.output.count(f"  corefscope {name}") >= 2, f"{name} needs worked examples"


# ---- What is short and plain ----

BUDGETS = {
    "README.md": 700,
    "CONTRIBUTING.md": 1600,
    "SECURITY.md": 350,
    "CHANGELOG.md": 200,
    "index.md": 250,
    "first-score.md": 900,
    "start/python.md": 900,
    "your-files.md": 1500,
    "howto/compare.md": 1500,
    "howto/errors.md": 1300,
    "report.md": 1000,
    "shared-tasks.md": 1800,
    "language-models.md": 1200,
    "long-and-linked.md": 1500,
    "named-entities.md": 1200,
    "agreement.md": 900,
    "training-and-ci.md": 1200,
    "coming-from.md": 1000,
    "large-data.md": 700,
    "ref/formats.md": 2000,
    "output.md": 900,
    "metrics.md": 2500,
    "profiles.md": 1200,
    "ref/errors.md": 2500,
    "scores-disagree.md": 800,
    "statistics.md": 1600,
    "speed.md": 600,
    "about.md": 200,
}
"""How many words a page may have, what is generated aside."""
MOST_WORDS = 32_000
LONGEST_SENTENCE = 35
PHRASES = (
    *("says so", "is said", "without a word", "in any case", "stands behind", "what becomes of"),
    *("as many as pay off", "of its own", "so counted", "a word that is not"),
)
"""Phrases that need a second reading, or that everybody else would put in another way."""
TRANSCRIPT = re.compile(r"^```console\n.*?^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"^ *````?.*?^ *````?$", re.MULTILINE | re.DOTALL)
MADE = re.compile(r"<!-- made by [^>]*-->\n\n(\|.*\n)+")


def written(page: Path) -> str:
    """What people wrote of a page: all but transcripts and tables that are made."""
    return MADE.sub("", TRANSCRIPT.sub("", page.read_text("utf-8")))


def prose(page: Path) -> str:
    """The paragraphs and bullets of a page."""
    text = CODE.sub("", written(page))
    lines = (line for line in text.splitlines() if not line.startswith(("|", "#", "(", "```")))
    return re.sub(r"`[^`]*`|\$[^$]*\$|\]\([^)]*\)", "CODE", "\n".join(lines))


@pytest.mark.parametrize("name", NAMES)
def test_a_page_keeps_its_budget(name: str) -> None:
    (budget,) = [words for page, words in BUDGETS.items() if f"/{name}".endswith(f"/{page}")]
    assert len(written(ROOT / name).split()) <= budget


def test_all_pages_together_keep_theirs() -> None:
    assert sum(len(written(page).split()) for page in WRITTEN) <= MOST_WORDS


@pytest.mark.parametrize("name", NAMES)
def test_sentences_are_short(name: str) -> None:
    paragraphs = re.split(r"\n\s*\n|\n\s*(?:[-*]|\d+\.) ", prose(ROOT / name))
    sentences = [s for text in paragraphs for s in re.split(r"(?<=[.!?:;])\s+", text)]
    assert [s for s in sentences if len(s.split()) > LONGEST_SENTENCE] == []


@pytest.mark.parametrize("name", NAMES)
def test_phrases_that_nobody_uses(name: str) -> None:
    text = " ".join(prose(ROOT / name).split())
    assert [phrase for phrase in PHRASES if phrase in text] == []


# ---- What runs ----


@pytest.mark.parametrize("page", make_examples.PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_of_commands_are_fresh(page: Path, tmp_path: Path) -> None:
    text = page.read_text("utf-8")
    assert make_examples.refreshed(page, tmp_path) == text, "run make generated"


@pytest.mark.parametrize("name", FORMATS)
def test_the_command_of_a_format_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needed = {"spacy": "spacy", "tables": "duckdb"}.get(name)
    if needed and not find_spec(needed):
        pytest.skip(f"{needed} is not installed")
    shutil.copytree(DOCS / "samples" / name, tmp_path / name)
    for file in (tmp_path / name).iterdir():
        if file.is_file():
            shutil.copy(file, tmp_path)
    shutil.copy(DOCS / "samples" / "conll" / "both.conll", tmp_path / "gold.conll")
    monkeypatch.chdir(tmp_path)
    command = make_formats.command(FORMATS[name])
    assert command in (DOCS / "formats" / f"{name}.md").read_text("utf-8")
    if name not in OTHER_TEXTS:
        shown = CliRunner().invoke(main, shlex.split(command)[1:])
        assert shown.exit_code == 0, shown.output


OTHER_TEXTS = {"tables", "pairs", "cdcr-json", "scorch"}
"""Formats whose samples have ids, which a key of positions cannot be compared with."""


def names_of_modules() -> list[str]:
    found = pkgutil.walk_packages(corefscope.__path__, "corefscope.")
    # These need packages that `make test-adapters` installs.
    others = {
        "corefscope.extensions.adapters.hugging_face",
        "corefscope.extensions.adapters.torchmetrics",
    }
    return [
        "corefscope",
        *(module.name for module in found if module.name not in {"corefscope.__main__", *others}),
    ]


@pytest.mark.parametrize("name", names_of_modules())
def test_examples_in_docstrings_run(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


WITH_DIALOGUES = [name for name in NAMES if "```pycon" in (ROOT / name).read_text("utf-8")]


@pytest.mark.parametrize("name", WITH_DIALOGUES)
def test_dialogues_in_python_run(name: str) -> None:
    done = doctest.testfile(str(ROOT / name), module_relative=False, encoding="utf-8")
    assert done.attempted and not done.failed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    text = re.sub(r"`[^`\n]+`", "", CODE.sub("", page.read_text("utf-8")))
    links = re.findall(r"\]\(([^)\s]+)\)", text)
    lost = []
    for link in links:
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        is_there = target.exists() and (not anchor or anchor in anchors(target))
        if "://" not in link and not is_there:
            lost.append(link)
    assert lost == []


def anchors(page: Path) -> set[str]:
    """The places of a page that links can name: headings, and names in parentheses above them."""
    text = page.read_text("utf-8") if page.suffix == ".md" else ""
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    slugs = {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings}
    return slugs | set(re.findall(r"^\(([\w-]+)\)=$", text, re.M))


def test_every_page_is_in_the_table_of_contents() -> None:
    index = (DOCS / "index.md").read_text("utf-8")
    trees = re.findall(r"```\{toctree\}.*?\n\n(.*?)```", index, re.DOTALL)
    listed = {name for tree in trees for name in tree.split()}
    found = {str(page.relative_to(DOCS).with_suffix("")) for page in DOCS.rglob("*.md")}
    assert listed == {name for name in found if not name.startswith("formats/")} - {"index"}


def documented_members() -> list[tuple[str, str]]:
    """Return the classes of the Python reference, each with a member that it documents."""
    page = (DOCS / "ref" / "python.md").read_text(encoding="utf-8")
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


BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OTHER_LIBRARIES = ("LightningModule", "import evaluate")
"""What stands in blocks that need another library: these are only compiled here, and tested with
the adapters."""
WITH_BLOCKS = [
    page
    for page in WRITTEN
    if BLOCK.search(page.read_text("utf-8")) and page.name != "CONTRIBUTING.md"
]


def ready(folder: Path) -> dict[str, object]:
    """Write the files that blocks read, and return the names that they take for granted."""
    make_examples.write_files(folder)
    clusters = [[(0, 0), (2, 3)], [(5, 5), (7, 7)]]
    return {
        "cs": corefscope,
        "gold": clusters,
        "predicted": clusters,
        "batches": [(clusters, clusters)],
        "documents": [(clusters, clusters)],
        "other": corefscope.Scorer(),
    }


@pytest.mark.parametrize("page", WITH_BLOCKS, ids=lambda page: str(page.relative_to(ROOT)))
@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_blocks_of_python_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = ready(tmp_path)
    for code in BLOCK.findall(page.read_text("utf-8")):
        compiled = compile(code, str(page), "exec")
        if not any(word in code for word in OTHER_LIBRARIES):
            exec(compiled, names)
