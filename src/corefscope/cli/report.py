"""``corefscope report``: open it, and in one minute know what to fix."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import click

from corefscope.cli.parameters import (
    KEY,
    NAMES,
    RESPONSES,
    Output,
    Pairing,
    Reading,
    Target,
    flag,
    option,
)
from corefscope.cli.typed import takes

PAGE = "index.html"
"""The page of a report that is split."""


class _ReportOutput(Output):
    """Names a file, or a folder with --split; both have a default."""

    def target(self, value: str | None, options: object) -> Target:
        """Return the page, or the folder with the page and its documents."""
        assert isinstance(options, ReportOptions)
        return Target(path=options.place, is_folder=options.split, names=(PAGE,))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions:
    """What ``report`` takes."""

    key: Annotated[str, KEY]
    responses: Annotated[tuple[str, ...], RESPONSES]
    reading: Reading
    pairing: Pairing
    names: Annotated[str | None, NAMES]
    title: Annotated[
        str | None,
        option("--title", help="The title of the page; made of the file names otherwise."),
    ]
    redact: Annotated[
        bool,
        flag(
            "--redact",
            help="Mask the words of the texts, and the labels of entities and types that may quote "
            "them. Names of documents, systems and files stay.",
        ),
    ]
    split: Annotated[
        bool,
        flag(
            "--split",
            help="Write a folder, for what is too large for one file: documents lie beside the "
            "page.",
        ),
    ]
    output: Annotated[
        str | None,
        option(
            "-o",
            "--output",
            type=_ReportOutput(),
            metavar="PATH",
            help="The file to write, or the folder if split.  [default: report.html, report]",
        ),
    ]

    @property
    def place(self) -> str:
        """Where to write; a place that cannot be it is refused."""
        place = self.output or ("report" if self.split else "report.html")
        if self.split and (place == "-" or Path(place).is_file()):
            raise click.UsageError(f"--split writes a folder, which {place!r} is not")
        if not self.split and Path(place).is_dir():
            raise click.UsageError(f"{place!r} is a folder; --split writes one")
        return place


@takes(ReportOptions)
def command(options: ReportOptions) -> int:
    """Write a page in which responses can be explored: scores, errors, texts, names.

    The page is one file that needs no network: mail it, or open it from disk.

    \b
    Examples:
      corefscope report gold.conll system.conll
      corefscope report gold.conll a=run1.conll b=run2.conll -o report.html
      corefscope report gold.conll system.conll --redact
      corefscope report gold.conll system.conll --split -o report
    """
    from corefscope.cli.running.report import run

    return run(options)
