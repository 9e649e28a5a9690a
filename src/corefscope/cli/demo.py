"""``corefscope demo``: the example corpus, scored, and its report."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corefscope.cli.common import as_bytes, emit, reports_errors
from corefscope.cli.outputs import DocumentsOutput

if TYPE_CHECKING:
    from corefscope.corpus import Corpus
    from corefscope.evaluation import Evaluation
    from corefscope.rendering.scores import Result

DOCUMENT = "(demo/news/harbour); part 000"


RESULTS = ("scores", "comparison", "errors", "nec")
PAGE = "report.html"


def _names() -> list[str]:
    """Return the names of all files that are written."""
    from corefscope.demo import KEY, RESPONSES

    copied = [path.name for path in (KEY, *RESPONSES.values())]
    return [*copied, *(f"{name}.json" for name in RESULTS), PAGE]


def _inputs() -> list[str]:
    """Return what is read: the example corpus in the package."""
    from corefscope.demo import DIRECTORY

    return [str(DIRECTORY)]


@click.command("demo")
@click.option(
    "-o",
    "--output",
    default="corefscope-demo",
    show_default=True,
    type=DocumentsOutput(_names, _inputs),
    metavar="FOLDER",
    help="The folder for the files and the report.",
)
@reports_errors
def command(output: str) -> None:
    """Score the example corpus in the package and write its report.

    The folder gets the key, three responses, scores, comparison, errors and NEC as JSON, and the
    page of ``corefscope report``; the printed commands can be run on these files as they are.

    \b
    Examples:
      corefscope demo
      corefscope demo -o /tmp/demo
    """
    from corefscope.demo import KEY, RESPONSES
    from corefscope.evaluation import Evaluation
    from corefscope.options import make_options
    from corefscope.output import OutputFolder
    from corefscope.rendering.scores import render as scores_table
    from corefscope.report import Contents, render, title_of
    from corefscope.scoring import System

    folder = Path(output)
    key = str(folder / KEY.name)
    paths = {name: str(folder / path.name) for name, path in RESPONSES.items()}
    evaluation = Evaluation(
        key=_read_as(KEY, key),
        key_path=key,
        systems=[
            System(name, path, _read_as(RESPONSES[name], path)) for name, path in paths.items()
        ],
        options=make_options(),
    )
    again = ["corefscope", "report", key, *paths.values(), "-o", str(folder / PAGE)]
    contents = Contents(
        evaluation=evaluation, title=title_of(evaluation), command=shlex.join(again)
    )
    with OutputFolder(folder) as files:
        for file in (KEY, *RESPONSES.values()):
            files.write(file.name, file.read_bytes())
        for name, text in _results(evaluation).items():
            files.write(f"{name}.json", as_bytes(text))
        files.write(PAGE, as_bytes(render(contents)))
    emit(scores_table(_scores(evaluation), "table") + _next_steps(folder), None)


def _read_as(file: Path, path: str) -> Corpus:
    """Read a file of the package as if it were already where it is going to be."""
    from corefscope.formats import read

    corpus = read(file)
    files = corpus.document_files
    return replace(corpus, path=path, document_files=files and [path for _ in files])


def _results(evaluation: Evaluation) -> Mapping[str, str]:
    """Return what the commands say of the corpus as JSON."""
    from corefscope.rendering.comparison.record import to_dict as comparison_dict
    from corefscope.rendering.comparison.systems import Compared
    from corefscope.rendering.errors import Analysed, AnalysedSystem
    from corefscope.rendering.errors.result import to_dict as errors_dict
    from corefscope.rendering.named_entities import NecResult, NecSystem
    from corefscope.rendering.named_entities import to_dict as nec_dict
    from corefscope.rendering.scores import render
    from corefscope.rendering.table import as_json

    key, systems = evaluation.key_path, list(evaluation)
    files = {s.name: [s.path] for s in systems}
    analysed = Analysed(key, [AnalysedSystem(s.name, s.path, s.errors) for s in systems])
    measured = NecResult(key, [NecSystem(s.name, s.path, s.named_entities) for s in systems])
    return {
        "scores": render(_scores(evaluation), "json", per_document=True),
        "comparison": as_json(comparison_dict(Compared(key, files, evaluation.comparison))) + "\n",
        "errors": as_json(errors_dict(analysed)) + "\n",
        "nec": as_json(nec_dict(measured)) + "\n",
    }


def _scores(evaluation: Evaluation) -> Result:
    from corefscope.rendering.scores import Result, System

    return Result(evaluation.key_path, [System(s.name, s.path, s.scores) for s in evaluation])


def _next_steps(folder: Path) -> str:
    return (
        f"\nWrote report.html, and scores, comparison, errors and nec as JSON, to {folder}.\n"
        f"Open {folder}/report.html in a browser. Try next:\n"
        f"  corefscope score {folder}/key.conll {folder}/sieve.conll\n"
        f"  corefscope compare {folder}/key.conll {folder}/recency.conll {folder}/sieve.conll\n"
        f"  corefscope errors {folder}/key.conll {folder}/sieve.conll --groups\n"
        f"  corefscope nec {folder}/key.conll {folder}/sieve.conll\n"
        f"  corefscope explain muc {folder}/key.conll {folder}/sieve.conll "
        f"--document '{DOCUMENT}'\n"
        f"  corefscope stats {folder}/key.conll\n"
    )
