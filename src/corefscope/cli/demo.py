"""``corefscope demo``."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from msgspec import Struct
from msgspec.structs import replace

from corefscope.cli.parameters import DocumentsOutput, option
from corefscope.cli.typed import command_of
from corefscope.demo import DIRECTORY, KEY, RESPONSES

if TYPE_CHECKING:
    from corefscope.corpus import Corpus
    from corefscope.evaluation import Evaluation


RESULTS = ("scores", "comparison", "errors", "nec")
PAGE = "report.html"


def _names() -> list[str]:
    """Return the names of all files to write."""
    copied = [path.name for path in (KEY, *RESPONSES.values())]
    return [*copied, *(f"{name}.json" for name in RESULTS), PAGE]


def _inputs() -> list[str]:
    """Return the path of the example corpus, which is read."""
    return [str(DIRECTORY)]


class DemoOptions(Struct, frozen=True, kw_only=True):
    """Score the example corpus of the package and write its report.

    The folder contains the key, three responses, the results of score, compare, errors and nec as
    JSON, and the page of `corefscope report`. The printed commands can be run on these files.

    \b
    Examples:
      corefscope demo
      corefscope demo -o /tmp/demo
    """

    output: Annotated[
        str,
        option(
            "-o",
            "--output",
            default="corefscope-demo",
            type=DocumentsOutput(_names, _inputs),
            metavar="FOLDER",
            help="Folder for the files and the report.",
        ),
    ]


def run(options: DemoOptions) -> int:
    """Evaluate the example corpus; write it, the results and the page; print the scores."""
    from corefscope.cli.printing import as_bytes, emit
    from corefscope.demo import KEY, RESPONSES
    from corefscope.output.folder import OutputFolder
    from corefscope.report import Contents, render, title_of
    from corefscope.results.table import as_text
    from corefscope.scoring.tables import tables

    folder = Path(options.output)
    evaluation = _evaluation(folder)
    paths = [system.path for system in evaluation]
    again = ["corefscope", "report", evaluation.key_path, *paths, "-o", str(folder / PAGE)]
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
    return 0


def _evaluation(folder: Path) -> Evaluation:
    """Evaluate the files of the package as if they were already in the folder."""
    from corefscope.demo import KEY, RESPONSES
    from corefscope.evaluation import Evaluation
    from corefscope.inputs import System
    from corefscope.options import make_options

    key = str(folder / KEY.name)
    return Evaluation(
        key=_read_as(KEY, key),
        key_path=key,
        systems=[
            System(name, str(folder / file.name), _read_as(file, str(folder / file.name)))
            for name, file in RESPONSES.items()
        ],
        options=make_options(),
    )


def _read_as(file: Path, path: str) -> Corpus:
    """Read a file of the package as if it were already at the given path."""
    from corefscope.formats import read

    corpus = read(file)
    files = corpus.document_files
    return replace(corpus, path=path, document_files=files and [path for _ in files])


def _results(evaluation: Evaluation) -> Mapping[str, str]:
    """Return the results of the commands as JSON, by name."""
    from corefscope.error_analysis.record import errors_result
    from corefscope.named_entities.record import nec_result
    from corefscope.results.record import as_json
    from corefscope.scoring.record import score_result
    from corefscope.statistics.record import compare_result

    key = evaluation.key_path
    results = {
        "scores": score_result(key, evaluation, per_document=True),
        "comparison": compare_result(key, evaluation.comparison, evaluation.files),
        "errors": errors_result(key, evaluation),
        "nec": nec_result(key, evaluation),
    }
    return {name: as_json(result) + "\n" for name, result in results.items()}


def _next_steps(folder: Path) -> str:
    return (
        f"\nWrote report.html and, as JSON, scores, comparison, errors and nec to {folder}.\n"
        f"Open {folder}/report.html in a browser. Commands to try next:\n"
        f"  corefscope score {folder}/key.conll {folder}/sieve.conll\n"
        f"  corefscope compare {folder}/key.conll {folder}/recency.conll {folder}/sieve.conll\n"
        f"  corefscope errors {folder}/key.conll {folder}/sieve.conll --groups\n"
        f"  corefscope nec {folder}/key.conll {folder}/sieve.conll\n"
        f"  corefscope explain muc {folder}/key.conll {folder}/sieve.conll "
        f"--document harbour\n"
        f"  corefscope stats {folder}/key.conll\n"
    )


command = command_of(DemoOptions, run)
