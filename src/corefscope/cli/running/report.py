"""Run ``corefscope report``."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

import click
from msgspec.structs import replace

from corefscope.choices import ScoringOptions
from corefscope.cli.messages import progress_bar, say, show_findings
from corefscope.cli.printing import as_bytes
from corefscope.cli.reading import inputs_of, named_beside, status
from corefscope.cli.report import ReportOptions
from corefscope.cli.typed import words_of
from corefscope.escaping import visible
from corefscope.evaluation import Evaluation
from corefscope.inputs import Inputs, System
from corefscope.named_entities.names_file import as_names
from corefscope.options import Options, make_options
from corefscope.output.files import write_file
from corefscope.report import Contents, title_of
from corefscope.report.page import render, write_folder


def run(options: ReportOptions) -> int:
    """Evaluate responses and write the report."""
    options = replace(options, output=options.place)
    given: ScoringOptions = {**options.matching, "profile": options.profile}
    pairing = make_options(**given)
    if pairing.windows:
        raise click.UsageError("found several sizes of windows; expected one for a report")
    inputs = inputs_of(options.reading, pairing)
    if options.annotators:
        contents = _of_annotators(options, pairing)
    else:
        evaluation = _evaluation(options, pairing, inputs)
        title = options.title or title_of(evaluation)
        contents = Contents(
            evaluation=evaluation, title=title, command=_command(options), redact=options.redact
        )
    show_findings(contents.findings)
    _write(contents, options.place, options.split)
    return status(inputs)


def _evaluation(options: ReportOptions, pairing: Options, inputs: Inputs) -> Evaluation:
    systems = named_beside(options.key, options.responses)
    key = inputs.key(options.key, systems)
    read = inputs.systems(key, systems, pairing, with_scores=False)
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
    from corefscope.cli.running.agree import read_annotators

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


def _write(contents: Contents, place: str, split: bool) -> None:
    """Write the report, and say where it is and how large."""
    did = "replaced" if Path(place).is_file() else "wrote"
    if split:
        size = write_folder(contents, Path(place))
    else:
        size = write_file(place, as_bytes(render(contents)))
    if place != "-":
        say(f"{did} {visible(str(Path(place)))} ({size / 1e6:.1f} MB)")
