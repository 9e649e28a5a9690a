"""``corefscope demo``: the example corpus, scored."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corefscope.cli.common import emit, reports_errors

if TYPE_CHECKING:
    from corefscope.tables.comparison.systems import Compared
    from corefscope.tables.errors import Analysed
    from corefscope.tables.named_entities import NecResult
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

    The folder gets the key, three responses, scores, comparison, errors and NEC as JSON, and a
    report in Markdown; the printed commands can be run on these files as they are.

    \b
    Examples:
      corefscope demo
      corefscope demo -o /tmp/demo
    """
    from corefscope.comparison import make_options
    from corefscope.demo import KEY, RESPONSES
    from corefscope.errors import analyze_corpora
    from corefscope.formats import read
    from corefscope.named_entities import NecOptions, nec_corpora
    from corefscope.scoring import score_corpora
    from corefscope.tables.comparison.record import to_dict as comparison_dict
    from corefscope.tables.errors import Analysed, AnalysedSystem
    from corefscope.tables.errors.result import to_dict
    from corefscope.tables.named_entities import NecResult, NecSystem
    from corefscope.tables.named_entities import to_dict as nec_dict
    from corefscope.tables.scores import Result, System, render
    from corefscope.tables.table import as_json

    folder = _copied(output, [KEY, *RESPONSES.values()])
    key, options = read(str(KEY)), make_options()
    name_of = {name: str(folder / path.name) for name, path in RESPONSES.items()}
    responses = {name: read(str(path)) for name, path in RESPONSES.items()}
    result = Result(
        str(folder / KEY.name),
        [System(n, name_of[n], score_corpora(key, r, options)) for n, r in responses.items()],
    )
    analysed = Analysed(
        result.key,
        [AnalysedSystem(n, name_of[n], analyze_corpora(key, r)) for n, r in responses.items()],
    )
    emit(render(result, "json", per_document=True), str(folder / "scores.json"))
    emit(as_json(to_dict(analysed)) + "\n", str(folder / "errors.json"))
    measured = NecResult(
        result.key,
        [NecSystem(n, name_of[n], nec_corpora(key, r, NecOptions())) for n, r in responses.items()],
    )
    emit(as_json(nec_dict(measured)) + "\n", str(folder / "nec.json"))
    compared = _compared(result)
    emit(as_json(comparison_dict(compared)) + "\n", str(folder / "comparison.json"))
    emit(_report(result, compared, analysed, measured, folder), str(folder / "report.md"))
    emit(render(result, "table") + _next_steps(folder), None)


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


def _compared(result: Result) -> Compared:
    """Compare the systems, all pairs."""
    from corefscope.statistics import Entry, Settings, compare_entries, make_units
    from corefscope.tables.comparison.systems import Compared

    entries = [Entry(system.name, [system.scores], system.response) for system in result.systems]
    names = result.systems[0].scores.document_names
    comparison = compare_entries(entries, make_units(names, "documents"), Settings(all_pairs=True))
    return Compared(result.key, {s.name: [s.response] for s in result.systems}, comparison)


def _report(
    result: Result, compared: Compared, analysed: Analysed, measured: NecResult, folder: Path
) -> str:
    from corefscope.comparison import make_options
    from corefscope.explain import explain
    from corefscope.formats import read
    from corefscope.tables.comparison.systems import tables as compared_tables
    from corefscope.tables.errors import TABLES
    from corefscope.tables.errors.result import cost_lines
    from corefscope.tables.named_entities import drop, overview
    from corefscope.tables.scores import documents, many_systems
    from corefscope.tables.table import as_markdown

    parts = ["# The example corpus, scored\n", as_markdown(many_systems(result, rpf=False))]
    parts += ["## Which is better\n", *map(as_markdown, compared_tables(compared))]
    parts += ["## What is wrong\n", as_markdown(TABLES[1](analysed))]
    for analysed_system in analysed.systems:
        costs = "\n".join(cost_lines(analysed_system, "conll", 5))
        parts.append(f"### {analysed_system.name}\n\n```text\n{costs}\n```\n")
    parts += ["## Who has a name\n", as_markdown(overview(measured)), as_markdown(drop(measured))]
    for system in result.systems:
        parts += [f"## {system.name}, by document\n", as_markdown(documents(result, system, False))]
    key, sieve = (read(str(folder / name)).only(DOCUMENT) for name in ("key.conll", "sieve.conll"))
    working = "\n".join(explain("b3", key, sieve, make_options()).lines())
    parts += ["## One number worked out\n", f"```text\n{working}\n```\n"]
    return "\n".join(parts)


def _next_steps(folder: Path) -> str:
    return (
        f"\nWrote report.md, scores.json, comparison.json, errors.json and nec.json to {folder}.\n"
        "Try next:\n"
        f"  corefscope score {folder}/key.conll {folder}/sieve.conll\n"
        f"  corefscope compare {folder}/key.conll {folder}/recency.conll {folder}/sieve.conll\n"
        f"  corefscope errors {folder}/key.conll {folder}/sieve.conll --groups\n"
        f"  corefscope nec {folder}/key.conll {folder}/sieve.conll\n"
        f"  corefscope explain muc {folder}/key.conll {folder}/sieve.conll "
        f"--document '{DOCUMENT}'\n"
        f"  corefscope stats {folder}/key.conll\n"
    )
