"""A package of somebody else brings a format and a metric, as the page shows it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

import more_references

ROOT = Path(__file__).parents[1]
PAGE = (
    (ROOT / "docs" / "ref" / "formats.md").read_text(encoding="utf-8").partition("(extensions)=")[2]
)
RECIPE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def block(language: str, text: str = PAGE, number: int = 0) -> str:
    found = re.findall(rf"^ *```{language}\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)
    return str(found[number])


class Installed:
    """A folder on the path with what installing packages leaves there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def install(self, name: str, *points: str) -> None:
        """Declare a package with entry points."""
        made = self.folder / f"{name}-1.dist-info"
        made.mkdir()
        (made / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
        (made / "entry_points.txt").write_text("\n".join(["[corefscope.extensions]", *points]))

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "corefscope", *words],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(self.folder)},
            capture_output=True,
            text=True,
        )

    def write(self, name: str, value: object) -> None:
        (self.folder / name).write_text(json.dumps(value), encoding="utf-8")


@pytest.fixture
def story(tmp_path: Path) -> Installed:
    """The package of the page is installed."""
    (tmp_path / "corefscope_story.py").write_text(block("python"), encoding="utf-8")
    (point,) = re.findall(
        r'^(\w+) = "(\w+)"$', block("toml").partition("entry-points")[2], re.MULTILINE
    )
    installed = Installed(tmp_path)
    installed.install("corefscope-story", " = ".join(point))
    return installed


def clusters(random: Random) -> list[list[str]]:
    """A random partition of some of eight mentions."""
    drawn: dict[int, list[str]] = {}
    for mention in random.sample("abcdefgh", 6):
        drawn.setdefault(random.randrange(4), []).append(mention)
    return list(drawn.values())


def test_its_metric(story: Installed) -> None:
    random = Random(1)
    sides = [{f"d{n}": clusters(random) for n in range(40)} for _ in range(2)]
    for name, side in zip(("key.json", "response.json"), sides, strict=True):
        story.write(name, side)
    files = ("key.json", "response.json", "--metrics", "whole")
    done = story.run("score", *files, "--per-document", "--format", "json")
    assert done.returncode == 0
    known = dict(vars(more_references))
    exec(re.sub(r"^   ", "", block("python", RECIPE), flags=re.MULTILINE), known)
    (system,) = json.loads(done.stdout)["systems"]
    for record in system["per_document"]:
        key, response = (side[record["document"]] for side in sides)
        score = record["metrics"]["whole"]
        found = [*score["recall_counts"], *score["precision_counts"]]
        assert found == list(map(float, known["whole"](key, response)))
    assert "Whole entities" in story.run("compare", *files[:2], "b=key.json", *files[2:]).stdout


def test_its_format(story: Installed) -> None:
    example = json.loads(block("json"))
    story.write("tale.json", example)
    words = [["Ann", "slept", "."], ["She", "dreamt", "."]]
    story.write("key.json", {"doc_key": "tale", "sentences": words, "clusters": [[[0, 0], [3, 3]]]})
    done = story.run("score", "key.json", "tale.json", "--metrics", "b3", "--format", "json")
    assert json.loads(done.stdout)["systems"][0]["metrics"]["b3"]["recall_counts"] == [2, 2]
    story.write("bad.json", {**example, "people": [[[0, 9]]]})
    done = story.run("score", "key.json", "bad.json")
    assert done.returncode == 3
    assert "mention [0, 9] of entity 0; expected 0 <= first < end" in done.stderr
    assert "story" in story.run("formats").stdout
    assert "Ends of mentions are exclusive" in story.run("formats", "story").stdout


LINES = """
from corefscope.formats.detection import line
from corefscope.formats.registry import Format, Tier

FORMATS = (
    Format(
        name="lines",
        title="Lines",
        module="lines",
        tier=Tier.LINES,
        test=line("a line of words", rb"words:"),
        endings=(".lines",),
    ),
)
"""


def test_its_format_of_text(story: Installed) -> None:
    module = block("python", number=1)
    (story.folder / "lines.py").write_text(module + LINES, encoding="utf-8")
    story.install("lines", "lines = lines")
    text = "words: Ann slept . She dreamt .\n0\t0\tA\n3\t3\tA\n"
    (story.folder / "key.lines").write_text(text, encoding="utf-8")
    done = story.run("score", "key.lines", "key.lines", "--metrics", "muc", "--format", "json")
    assert done.returncode == 0, done.stderr
    (system,) = json.loads(done.stdout)["systems"]
    assert system["metrics"]["muc"]["recall_counts"] == [1, 1]
    (story.folder / "bad.lines").write_text(f"{text}x\n", encoding="utf-8")
    done = story.run("score", "key.lines", "bad.lines")
    assert done.returncode == 3 and "error[E135] bad.lines:4: found 'x'" in done.stderr
    (story.folder / "lines.py").write_text(module.replace("rows, 2", "rows, None") + LINES)
    done = story.run("score", "key.lines", "key.lines")
    assert done.returncode == 3 and "of the package lines failed: TypeError" in done.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import no_such_module", "cannot be used: ModuleNotFoundError"),
        ("raise SystemExit(3)", "cannot be used: SystemExit"),
        ("FORMATS = ('toktab',)", "FORMATS cannot be used: TypeError: found 'toktab'"),
        ("PROFILES = 'no.such.module'", "PROFILES cannot be used: ModuleNotFoundError"),
        ("from corefscope.metrics import METRICS", ""),
        (
            "from corefscope.profiles import Profile\n"
            "PROFILES = (Profile(name='macro', meaning='x', singletons='drop'),)",
            "brings 'macro', which is known",
        ),
        (
            "from corefscope.formats.registry import Format\n"
            "x = dict(name='x', title='x', module='x', endings=(), test=lambda head: 1 / 0)\n"
            "FORMATS = (Format(**x),)",
            "the test of the format 'x' fails: ZeroDivisionError",
        ),
    ],
)
def test_a_broken_extension_is_named_and_stops_nothing(
    text: str, said: str, story: Installed
) -> None:
    (story.folder / "broken.py").write_text(text, encoding="utf-8")
    story.install("broken", "theirs = broken")
    story.write("tale.json", json.loads(block("json")))
    done = story.run("score", "tale.json", "tale.json", "--profile", "ua-2", "--metrics", "whole")
    assert done.returncode == 2 and "metric of ua-2" in done.stderr
    done = story.run("score", "tale.json", "tale.json", "--metrics", "whole")
    assert done.returncode == 0 and "100.00" in done.stdout
    listed = story.run("profiles").stderr
    assert said in done.stderr + listed
    assert ("W602" in done.stderr + listed) == bool(said)
    assert "'story'" not in done.stderr + listed


def test_its_groups_come_after_our_names(story: Installed) -> None:
    module = (story.folder / "corefscope_story.py").read_text(encoding="utf-8")
    groups = 'GROUPS = (MetricGroup("mixed", ("whole", "muc")), MetricGroup("mor", ("muc",)))\n'
    imported = "from corefscope.metrics import MetricGroup\n"
    (story.folder / "corefscope_story.py").write_text(f"{module}\n{imported}{groups}")
    story.write("key.json", {"a": [[[0, 1], [2, 2]]]})
    for name, ids in {"mixed": ["muc", "whole"], "mor": ["mor"]}.items():
        asked = ("--metrics", name, "--format", "json")
        done = story.run("score", "key.json", "key.json", *asked)
        assert list(json.loads(done.stdout)["systems"][0]["metrics"]) == ids


def test_threads_that_ask_at_the_same_time_find_the_same() -> None:
    code = (
        "import corefscope as cs\n"
        "from concurrent.futures import ThreadPoolExecutor as Pool\n"
        "key = {'a': [[(0, 1), (2, 2)]]}\n"
        "names = ['more', 'v4', 'legacy', 'links', 'exact', 'rand', 'purity', 'b3_sys'] * 4\n"
        "score = lambda name: cs.score(key, key, metrics=name).metrics\n"
        "assert all(Pool(8).map(score, names))\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
