"""Run ``corefscope report``."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import click

from corefscope.cli.messages import progress_bar, say, show_findings
from corefscope.cli.printing import as_bytes
from corefscope.cli.reading import Reader, named_beside, pairing_options
from corefscope.cli.report import ReportOptions
from corefscope.cli.typed import words_of
from corefscope.escaping import visible
from corefscope.evaluation import Evaluation
from corefscope.named_entities.names_file import as_names
from corefscope.options import Options
from corefscope.output import write_file
from corefscope.report import Contents, title_of
from corefscope.report.page import render, render_history, write_folder
from corefscope.scoring import System


def run(options: ReportOptions) -> int:
    """Evaluate responses and write the report."""
    options = replace(options, output=options.place)
    if options.history is not None:
        return _report_history(options.history, options)
    pairing = pairing_options(
        options.pairing,
        options.mentions,
        level=options.units.level,
        window=options.units.window,
    )
    if pairing.windows:
        raise click.UsageError("found several sizes of windows; expected one for a report")
    reader = Reader(options.reading, read_as=pairing.reading)
    if options.annotators:
        contents = _of_annotators(options, pairing)
    else:
        evaluation = _evaluation(options, pairing, reader)
        title = options.title or title_of(evaluation)
        contents = Contents(
            evaluation=evaluation, title=title, command=_command(options), redact=options.redact
        )
    show_findings(contents.findings)
    _say_written(options.place, lambda: _write(contents, options.place, options.split))
    return reader.status


def _say_written(place: str, write: Callable[[], int]) -> None:
    """Write a report, and say where it is and how large."""
    did = "replaced" if Path(place).is_file() else "wrote"
    size = write()
    if place != "-":
        say(f"{did} {visible(str(Path(place)))} ({size / 1e6:.1f} MB)")


def _report_history(path: str, options: ReportOptions) -> int:
    """Write the page of a history."""
    # Imported here because other reports need no database.
    from corefscope.watching import read_history
    from corefscope.watching.results import history_page

    title = options.title or f"History of {Path(path).absolute().parent.name}"
    page = render_history(history_page(read_history(path), title))
    _say_written(options.place, lambda: write_file(options.place, as_bytes(page)))
    return 0


def _evaluation(options: ReportOptions, pairing: Options, reader: Reader) -> Evaluation:
    assert options.key is not None
    systems = named_beside(options.key, options.responses)
    key = reader.key(options.key, systems)
    read = reader.responses(key, systems, pairing)
    return Evaluation(
        key=key,
        key_path=options.key,
        systems=read,
        options=pairing,
        names=as_names(options.names, key.document_names, pairing.pair_by),
        baseline=options.baseline,
        bar=progress_bar,
    )


def _command(options: ReportOptions) -> str:
    return shlex.join(["corefscope", "report", *words_of(options)])


def _of_annotators(options: ReportOptions, pairing: Options) -> Contents:
    """Return the report with each annotator in the place of the key."""
    # Imported here because other reports have a key.
    from corefscope.agreement.measure import annotated_by_all, measure_agreement
    from corefscope.cli.running.agree import read_annotators, refused

    assert options.key is not None
    with refused():
        annotators = read_annotators(
            [options.key, *options.responses],
            options.reading.key_format,
            options.reading.files,
            pairing,
        )
        systems, findings = annotated_by_all(annotators, pairing)
        agreement = measure_agreement(systems, pairing)
    show_findings(findings)
    contents = [
        Contents(
            evaluation=_against(number, systems, options, pairing),
            title=options.title or f"Agreement of {len(systems)} annotators",
            command=_command(options),
            redact=options.redact,
            agreement=agreement,
            reference=number,
        )
        for number in range(len(systems))
    ]
    return replace(contents[0], others=contents[1:])


def _against(
    number: int, systems: Sequence[System], options: ReportOptions, pairing: Options
) -> Evaluation:
    """Return the evaluation of all annotators but one against that one."""
    key = systems[number]
    return Evaluation(
        key=key.response,
        key_path=key.path,
        systems=[each for each in systems if each is not key],
        options=replace(pairing, pair_by="name"),
        names=as_names(options.names, key.response.document_names, pairing.pair_by),
        bar=progress_bar,
    )


def _write(contents: Contents, output: str, split: bool) -> int:
    """Write the report; return its size in bytes."""
    if split:
        return write_folder(contents, Path(output))
    return write_file(output, as_bytes(render(contents)))
