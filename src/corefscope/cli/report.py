"""``corefscope report``."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click
from msgspec import Struct
from msgspec.structs import replace

from corefscope.choices import ScoringOptions
from corefscope.cli.messages import progress_bar, say, show_findings
from corefscope.cli.parameters import (
    BASELINE,
    MATCHING,
    NAMED,
    NAMES,
    OPTIONAL_RESPONSES,
    PROFILE,
    Output,
    ReadingParameters,
    Target,
    flag,
    of_library,
    option,
)
from corefscope.cli.typed import Conflicts, command_of, excludes, words_of
from corefscope.escaping import visible

if TYPE_CHECKING:
    from corefscope.evaluation import Evaluation
    from corefscope.inputs import Inputs, System
    from corefscope.options import Options
    from corefscope.report import Contents


PAGE = "index.html"
"""The page of a report that is a folder."""


class _ReportOutput(Output):
    """The type of a file, or of a folder with --split; both have a default."""

    def target(self, value: str | None, options: object) -> Target:
        """Return the page, or the folder with the page and its documents."""
        assert isinstance(options, ReportOptions)
        return Target(path=options.place, is_folder=options.split, names=(PAGE,))


class ReportOptions(Struct, frozen=True, kw_only=True):
    """Write an HTML report to explore the scores, errors, texts and named entities of responses.

    The report is one file that needs no network: mail it, or open it from disk.

    \b
    Examples:
      corefscope report gold.conll system.conll
      corefscope report gold.conll a=run1.conll b=run2.conll -o report.html
      corefscope report novel.conll system.conll --window 1500
      corefscope report gold.conll system.conll --redact
      corefscope report gold.conll system.conll --split -o report
      corefscope report --annotators anna.conll ben.conll carla.conll
    """

    key: Annotated[str, click.Argument(["key"], type=NAMED)]
    responses: Annotated[tuple[str, ...], OPTIONAL_RESPONSES]
    annotators: Annotated[
        bool,
        flag(
            "--annotators",
            help="All files are annotators, none is the key: show their texts side by side, any of "
            "them as the reference, and what they dispute most. A single path may hold several "
            "annotators, as for agree. --key-format is the format of all.",
        ),
    ]
    reading: ReadingParameters
    profile: Annotated[str | None, PROFILE]
    matching: Annotated[ScoringOptions, MATCHING | of_library(ScoringOptions, "level", "window")]
    names: Annotated[str | None, NAMES]
    baseline: Annotated[str | None, BASELINE]
    title: Annotated[
        str | None,
        option("--title", help="Title of the page (default: made of the file names)."),
    ]
    redact: Annotated[
        bool,
        flag(
            "--redact",
            help="Mask the words of the texts, and labels of entities and types that may quote "
            "them. Names of documents, systems and files remain.",
        ),
    ]
    split: Annotated[
        bool,
        flag(
            "--split",
            help="Write a folder with the page and separate files for the documents, if one file "
            "would be too large.",
        ),
    ]
    output: Annotated[
        str | None,
        option(
            "-o",
            "--output",
            type=_ReportOutput(),
            metavar="PATH",
            help="File to write, or folder with --split.  [default: report.html, report]",
        ),
    ]

    @property
    def place(self) -> str:
        """The path to write to; raises a usage error if it cannot be written to."""
        usual = "report" if self.split else "report.html"
        place = self.output or usual
        if self.split and (place == "-" or os.path.isfile(place)):  # noqa: PTH113 - it never raises
            raise click.UsageError(f"--split writes a folder, but {place!r} is not a folder")
        if not self.split and os.path.isdir(place):  # noqa: PTH112 - it never raises
            raise click.UsageError(f"{place!r} is a folder; add --split or name a file")
        return place


CONFLICTS: Conflicts[ReportOptions] = (
    lambda o: (
        ""
        if o.responses or o.annotators
        else "expected KEY and one or more responses, or --annotators"
    ),
    excludes("--annotators", "--response-format", "--skip-broken", "--baseline"),
    excludes("--annotators", "--window", "--level", "--missing"),
)


def run(options: ReportOptions) -> int:
    """Evaluate responses and write the report."""
    from corefscope.cli.reading import inputs_of, status
    from corefscope.options import make_options
    from corefscope.report import Contents, title_of

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
    from corefscope.cli.reading import named_beside
    from corefscope.evaluation import Evaluation
    from corefscope.named_entities.names_file import as_names

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
    from corefscope.agreement.measure import annotated_by_all, measure_agreement
    from corefscope.cli.agree import read_annotators
    from corefscope.report import Contents

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
    from corefscope.evaluation import Evaluation
    from corefscope.named_entities.names_file import as_names

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
    from corefscope.cli.printing import as_bytes
    from corefscope.output.files import write_file
    from corefscope.report.page import render, write_folder

    did = "replaced" if Path(place).is_file() else "wrote"
    if split:
        size = write_folder(contents, Path(place))
    else:
        size = write_file(place, as_bytes(render(contents)))
    if place != "-":
        say(f"{did} {visible(str(Path(place)))} ({size / 1e6:.1f} MB)")


command = command_of(ReportOptions, run, CONFLICTS)
