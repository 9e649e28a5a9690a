"""The speed of other tools on the files of (a), (b) and (g), where a folder has their code.

Each is looked for in the folder under the name of its repository; the pasted evaluation code is a
file ``metrics.py`` with a class ``CorefEvaluator``, and scorch is installed there by ``pip install
--target``. Nothing of them belongs to this project.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import which

from points import Row, Settings, files
from processes import HERE, PYTHON, best_of, corefscope, run
from treebank_points import files as treebank

LIMIT = 240
"""Seconds after which a tool is stopped."""
PREPARED = HERE / "data" / "peers"
PASTED = """
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("pasted", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
evaluator = module.CorefEvaluator()
for lines in zip(open(sys.argv[2]), open(sys.argv[3])):
    gold, predicted = ([tuple(map(tuple, c)) for c in json.loads(l)["clusters"]] for l in lines)
    of_gold, of_predicted = ({m: c for c in side for m in c} for side in (gold, predicted))
    evaluator.update(predicted, gold, of_predicted, of_gold)
print(evaluator.get_prf())
"""
"""How a training script calls the evaluation code that it pasted."""


@dataclass(frozen=True, slots=True)
class Peer:
    """Another tool, and how it is called."""

    name: str
    path: str
    """Where it is in the folder."""
    commands: Callable[[str, str, str], list[list[str]]]
    """The commands that do what one of ours does, from its path, the key and the response."""
    ours: str = "score"
    presets: tuple[str, ...] = ("news", "book")

    def files(self, preset: str) -> tuple[str, str]:
        """Return key and response of a preset."""
        key, response = treebank(preset) if preset == "treebank" else files(preset)
        return key, response


def peers(settings: Settings) -> Iterator[Row]:
    """Run each tool that is there, in turn with ours."""
    if settings.peers is None:
        yield Row("peers", "not run: give --peers DIR with the code of other tools", None, "s")
        return
    for peer in PEERS:
        path = Path(settings.peers, peer.path)
        if not path.exists():
            yield Row("peers", f"{peer.name}: there is no {peer.path}", None, "s")
            continue
        for preset in peer.presets:
            yield _row(peer, str(path.resolve()), preset, settings)


def _row(peer: Peer, path: str, preset: str, settings: Settings) -> Row:
    key, response = peer.files(preset)
    (ours,) = best_of(settings.few, corefscope(peer.ours, key, response))
    what = f"{preset}, {peer.name}; rival: corefscope {peer.ours}"
    cpu = wall = 0.0
    for command in peer.commands(path, key, response):
        taken = run(command, LIMIT)
        if taken is None:
            ratio = LIMIT / ours.cpu
            return Row("peers", f"{what}: over {LIMIT} s", None, "s", None, ours.cpu, ratio)
        cpu, wall = cpu + taken.cpu, wall + taken.wall
    return Row("peers", what, wall, "s", cpu, ours.cpu, cpu / ours.cpu)


# ---- What the tools want to read ----


def _clusters(path: str) -> Path:
    """Return the clusters of a file as JSON lines."""
    made = PREPARED / f"{Path(path).parent.name}-{Path(path).stem}.jsonl"
    if not made.exists():
        PREPARED.mkdir(parents=True, exist_ok=True)
        run(corefscope("convert", path, str(made), "--to", "jsonl", "--lossy"))
    return made


def _folder_for_scorch(path: str) -> str:
    folder = PREPARED / f"{Path(path).parent.name}-{Path(path).stem}-scorch"
    if not folder.exists():
        lines = _clusters(path).read_text("utf-8").splitlines()
        folder.mkdir()
        for number, line in enumerate(lines):
            entities = json.loads(line)["clusters"]
            clusters = {f"e{e}": list(map(str, mentions)) for e, mentions in enumerate(entities)}
            text = json.dumps({"type": "clusters", "clusters": clusters})
            (folder / f"{number:06}.json").write_text(text, encoding="utf-8")
    return str(folder)


def _folder_for_berkeley(path: str) -> str:
    """Return a folder with one file per document, named as the Berkeley analyser expects."""
    folder = PREPARED / f"{Path(path).parent.name}-berkeley"
    if not folder.exists():
        folder.mkdir(parents=True)
        for number, text in enumerate(Path(path).read_text("utf-8").split("#end document\n")[:-1]):
            name = f"{number:06}.v2_gold_conll"
            (folder / name).write_text(f"{text}#end document\n", encoding="utf-8")
    return str(folder)


def _perl(path: str, key: str, response: str) -> list[list[str]]:
    metrics = ("muc", "bcub", "ceafm", "ceafe", "blanc")
    return [["perl", path, metric, key, response, "none"] for metric in metrics]


def _pasted(path: str, key: str, response: str) -> list[list[str]]:
    made = [str(_clusters(each)) for each in (key, response)]
    return [[PYTHON, "-c", PASTED, path, *made]]


def _scorch(path: str, key: str, response: str) -> list[list[str]]:
    code = f"import sys; sys.path.insert(0, {str(Path(path).parent)!r}); import scorch.main as m; "
    folders = [_folder_for_scorch(key), _folder_for_scorch(response)]
    return [[PYTHON, "-c", f"{code}sys.exit(m.main_entry_point())", *folders]]


def _berkeley(path: str, key: str, response: str) -> list[list[str]]:
    python = which("python2") or PYTHON
    return [[python, path, str(PREPARED / "berkeley"), _folder_for_berkeley(key), response]]


PEERS = (
    Peer("Perl scorer, five metrics", "reference-coreference-scorers/scorer.pl", _perl),
    Peer(
        "coval",
        "coval/scorer.py",
        lambda path, key, response: [[PYTHON, path, key, response, "all", "keep_singletons"]],
    ),
    Peer("pasted CorefEvaluator, without reading", "metrics.py", _pasted),
    Peer("scorch", "scorch", _scorch),
    Peer(
        "corefud-scorer",
        "corefud-scorer/corefud-scorer.py",
        lambda path, key, response: [[PYTHON, path, key, response, "-m", "all"]],
        presets=("treebank",),
    ),
    Peer(
        "Berkeley analyser",
        "berkeley-coreference-analyser/classify_coreference_errors.py",
        _berkeley,
        ours="errors",
        presets=("news-parsed",),
    ),
)
