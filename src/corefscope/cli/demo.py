"""``corefscope demo``: the example corpus, scored, and its report."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corefscope.cli.common import emit, reports_errors

if TYPE_CHECKING:
    from corefscope.report import Contents
    from corefscope.tables.scores import Result

DOCUMENT = "(demo/news/harbour); part 000"


@click.command("demo")
@click.option(
    "-o",
    "--output",
    default="corefscope-demo",
    show_default=True,
    type=click.Path(file_okay=False),
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
    from corefscope.comparison import make_options
    from corefscope.demo import KEY, RESPONSES
    from corefscope.formats import read
    from corefscope.report import Response, collect, render
    from corefscope.tables.scores import render as scores_table

    folder = _copied(output, [KEY, *RESPONSES.values()])
    key = str(folder / KEY.name)
    paths = {name: str(folder / path.name) for name, path in RESPONSES.items()}
    page = str(folder / "report.html")
    contents = collect(
        key,
        read(key),
        [Response(name, path, read(path)) for name, path in paths.items()],
        make_options(),
        command=shlex.join(["corefscope", "report", key, *paths.values(), "-o", page]),
    )
    _write_results(contents, folder)
    emit(render(contents), page)
    emit(scores_table(_scores(contents), "table") + _next_steps(folder), None)


def _copied(output: str, files: Sequence[Path]) -> Path:
    """Copy files into a folder."""
    folder = Path(output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file in files:
            shutil.copy(file, folder)
    except OSError as error:
        raise click.UsageError(f"cannot write to {output}: {error.strerror}") from None
    return folder


def _write_results(contents: Contents, folder: Path) -> None:
    """Write what the commands say of the corpus as JSON."""
    from corefscope.tables.comparison.record import to_dict as comparison_dict
    from corefscope.tables.comparison.systems import Compared
    from corefscope.tables.errors import Analysed, AnalysedSystem
    from corefscope.tables.errors.result import to_dict as errors_dict
    from corefscope.tables.named_entities import NecResult, NecSystem
    from corefscope.tables.named_entities import to_dict as nec_dict
    from corefscope.tables.scores import render
    from corefscope.tables.table import as_json

    key, systems = contents.key, contents.systems
    files = {s.name: [s.path] for s in systems}
    analysed = Analysed(key, [AnalysedSystem(s.name, s.path, s.analysis) for s in systems])
    measured = NecResult(key, [NecSystem(s.name, s.path, s.nec) for s in systems if s.nec])
    results = {
        "comparison": comparison_dict(Compared(key, files, contents.compared)),
        "errors": errors_dict(analysed),
        "nec": nec_dict(measured),
    }
    emit(render(_scores(contents), "json", per_document=True), str(folder / "scores.json"))
    for name, result in results.items():
        emit(as_json(result) + "\n", str(folder / f"{name}.json"))


def _scores(contents: Contents) -> Result:
    from corefscope.tables.scores import Result, System

    return Result(contents.key, [System(s.name, s.path, s.scores) for s in contents.systems])


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
