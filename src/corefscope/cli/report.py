"""``corefscope report``: open it, and in one minute know what to fix."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from corefscope.cli.common import (
    as_bytes,
    comparison_options,
    key_argument,
    named,
    progress_bar,
    read_corpus,
    read_systems,
    reading,
    refuse_double_input,
    reports_errors,
    responses_argument,
    say,
    show_findings,
)
from corefscope.cli.outputs import Input, Output, Target
from corefscope.escaping import visible

if TYPE_CHECKING:
    from corefscope.report import Contents

OPTIONS = {
    "key_format": None,
    "response_format": None,
    "missing": "empty",
    "tokens": "error",
    "pair_by": "auto",
    "names": None,
    "title": None,
    "redact": False,
    "split": False,
}
"""What else a report depends on, and what it is where nothing is said."""
PAGE = "index.html"
"""The page of a report that is split."""


class _ReportOutput(Output):
    """Names a file, or a folder with --split; both have a default."""

    def target(self, value: str | None, given: Mapping[str, Any]) -> Target:
        """Return the page, or the folder with the page and its documents."""
        output = _output(value, given["split"])
        return Target(path=output, is_folder=given["split"], names=(PAGE,))


@click.command("report")
@key_argument
@responses_argument
@comparison_options
@click.option(
    "--names", type=Input(dir_okay=False), help="Named entities from a file of their own."
)
@click.option("--title", help="The title of the page; made of the file names otherwise.")
@click.option(
    "--redact",
    is_flag=True,
    help="Mask the words of the texts, and the labels of entities and types that may quote them. "
    "Names of documents, systems and files stay.",
)
@click.option(
    "--split",
    is_flag=True,
    help="Write a folder, for what is too large for one file: documents lie beside the page.",
)
@click.option(
    "-o",
    "--output",
    type=_ReportOutput(),
    metavar="PATH",
    help="The file to write, or the folder if split.  [default: report.html, report]",
)
@reports_errors
def command(key: str, responses: tuple[str, ...], key_format: str | None, **given: Any) -> None:
    """Write a page in which responses can be explored: scores, errors, texts, names.

    The page is one file that needs no network: mail it, or open it from disk.

    \b
    Examples:
      corefscope report gold.conll system.conll
      corefscope report gold.conll a=run1.conll b=run2.conll -o report.html
      corefscope report gold.conll system.conll --redact
      corefscope report gold.conll system.conll --split -o report
    """
    from corefscope.evaluation import Evaluation
    from corefscope.named_entities.names_file import as_names
    from corefscope.options import make_options
    from corefscope.report import Contents, title_of

    output = _output(given["output"], given["split"])
    systems = named(responses)
    refuse_double_input(key, systems)
    matching = ("missing", "tokens", "pair_by")
    options = make_options(**{name: given[name] for name in matching})
    gold = read_corpus(key, key_format)
    _, read = read_systems(gold, systems, options, given["response_format"])
    names = as_names(given["names"])
    if names is not None:
        names = names.spelled_as(gold.document_names, options.pair_by)
    evaluation = Evaluation(
        key=gold, key_path=key, systems=read, options=options, names=names, bar=progress_bar
    )
    contents = Contents(
        evaluation=evaluation,
        title=given["title"] or title_of(evaluation),
        command=_again([key, *responses], {**given, "key_format": key_format, "output": output}),
        redact=given["redact"],
    )
    show_findings(contents.findings)
    size = _write(contents, output, given["split"])
    if output != "-":
        say(f"wrote {visible(str(Path(output)))} ({size / 1e6:.1f} MB)")


def _output(given: str | None, split: bool) -> str:
    """Return where to write; refuse a place that cannot be it before the work begins."""
    output = given or ("report" if split else "report.html")
    if split and (output == "-" or Path(output).is_file()):
        raise click.UsageError(f"--split writes a folder, which {output!r} is not")
    if not split and Path(output).is_dir():
        raise click.UsageError(f"{output!r} is a folder; --split writes one")
    return output


def _again(files: Sequence[str], given: Mapping[str, Any]) -> str:
    """Return the command line that makes the report again."""
    words = ["corefscope", "report", *files]
    for name, usual in OPTIONS.items():
        value = given[name]
        if value not in (None, usual):
            words += [f"--{name.replace('_', '-')}", *([] if value is True else [value])]
    return shlex.join([*words, *reading().words(), "-o", given["output"]])


def _write(contents: Contents, output: str, split: bool) -> int:
    """Write the report; return how many bytes it has."""
    from corefscope.output import write_file
    from corefscope.report.page import render, write_folder

    with progress_bar("writing documents", len(contents.gold)) as advance:
        if split:
            return write_folder(contents, Path(output), advance)
        page = as_bytes(render(contents, advance))
    return write_file(output, page)
