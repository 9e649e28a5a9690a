"""``corefscope demo``: the example corpus, scored, and its report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from corefscope.cli.parameters import DocumentsOutput, option
from corefscope.cli.typed import takes
from corefscope.demo import DIRECTORY, KEY, RESPONSES

RESULTS = ("scores", "comparison", "errors", "nec")
PAGE = "report.html"


def _names() -> list[str]:
    """Return the names of all files that are written."""
    copied = [path.name for path in (KEY, *RESPONSES.values())]
    return [*copied, *(f"{name}.json" for name in RESULTS), PAGE]


def _inputs() -> list[str]:
    """Return what is read: the example corpus in the package."""
    return [str(DIRECTORY)]


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoOptions:
    """What ``demo`` takes."""

    output: Annotated[
        str,
        option(
            "-o",
            "--output",
            default="corefscope-demo",
            type=DocumentsOutput(_names, _inputs),
            metavar="FOLDER",
            help="The folder for the files and the report.",
        ),
    ]


@takes(DemoOptions)
def command(options: DemoOptions) -> int:
    """Score the example corpus in the package and write its report.

    The folder gets the key, three responses, scores, comparison, errors and NEC as JSON, and the
    page of ``corefscope report``; the printed commands can be run on these files as they are.

    \b
    Examples:
      corefscope demo
      corefscope demo -o /tmp/demo
    """
    from corefscope.cli.running.demo import run

    return run(options)
