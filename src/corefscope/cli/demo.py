"""``corefscope demo``: the example corpus, scored."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from corefscope.cli.common import emit, reports_errors

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

    The folder gets the key, three responses, the scores as JSON, and a report in Markdown; the
    printed commands can be run on these files as they are.

    \b
    Examples:
      corefscope demo
      corefscope demo -o /tmp/demo
    """
    from corefscope.comparison import make_options
    from corefscope.demo import KEY, RESPONSES
    from corefscope.formats import read
    from corefscope.scoring import score_corpora
    from corefscope.tables.scores import Result, System, render

    folder = Path(output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file in (KEY, *RESPONSES.values()):
            shutil.copy(file, folder)
    except OSError as error:
        raise click.UsageError(f"cannot write to {output}: {error.strerror}") from None
    key, options = read(str(KEY)), make_options()
    result = Result(
        str(folder / KEY.name),
        [
            System(name, str(folder / path.name), score_corpora(key, read(str(path)), options))
            for name, path in RESPONSES.items()
        ],
    )
    emit(render(result, "json", per_document=True), str(folder / "scores.json"))
    emit(_report(result, folder), str(folder / "report.md"))
    emit(render(result, "table") + _next_steps(folder), None)


def _report(result: object, folder: Path) -> str:
    from corefscope.comparison import make_options
    from corefscope.explain import explain
    from corefscope.formats import read
    from corefscope.tables.scores import Result, documents, many_systems
    from corefscope.tables.table import as_markdown

    assert isinstance(result, Result)
    parts = ["# The example corpus, scored\n", as_markdown(many_systems(result, rpf=False))]
    for system in result.systems:
        parts += [f"## {system.name}, by document\n", as_markdown(documents(result, system, False))]
    key, sieve = (read(str(folder / name)).only(DOCUMENT) for name in ("key.conll", "sieve.conll"))
    working = "\n".join(explain("b3", key, sieve, make_options()).lines())
    parts += ["## One number worked out\n", f"```text\n{working}\n```\n"]
    return "\n".join(parts)


def _next_steps(folder: Path) -> str:
    return (
        f"\nWrote {folder / 'report.md'} and {folder / 'scores.json'}. Try next:\n"
        f"  corefscope score {folder}/key.conll {folder}/sieve.conll\n"
        f"  corefscope explain muc {folder}/key.conll {folder}/sieve.conll "
        f"--document '{DOCUMENT}'\n"
        f"  corefscope stats {folder}/key.conll\n"
    )
