"""Options of ``corefscope report``."""

from __future__ import annotations

import os
from typing import Annotated

import click
from msgspec import Struct

from corefscope.choices import ScoringOptions
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
from corefscope.cli.typed import Conflicts, command_of, excludes

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


command = command_of(ReportOptions, CONFLICTS)
