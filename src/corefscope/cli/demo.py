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
    from corefscope.rendering.scores import tables
    from corefscope.rendering.table import as_text
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
    emit("\n".join(map(as_text, tables(evaluation))) + _next_steps(folder), None)


def _read_as(file: Path, path: str) -> Corpus:
    """Read a file of the package as if it were already where it is going to be."""
    from corefscope.formats import read

    corpus = read(file)
    files = corpus.document_files
    return replace(corpus, path=path, document_files=files and [path for _ in files])


def _results(evaluation: Evaluation) -> Mapping[str, str]:
    """Return what the commands say of the corpus as JSON."""
    from corefscope.rendering.comparison.words import sentences
    from corefscope.serialization.common import as_json
    from corefscope.serialization.compare import compare_result
    from corefscope.serialization.errors import errors_result
    from corefscope.serialization.named_entities import nec_result
    from corefscope.serialization.score import score_result

    key = evaluation.key_path
    results = {
        "scores": score_result(key, evaluation, per_document=True),
        "comparison": compare_result(key, evaluation.comparison, evaluation.files, sentences),
        "errors": errors_result(key, evaluation),
        "nec": nec_result(key, evaluation),
    }
    return {name: as_json(result) + "\n" for name, result in results.items()}


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
