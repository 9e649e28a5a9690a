"""Options of ``corefscope demo``."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from corefscope.cli.parameters import DocumentsOutput, option
from corefscope.cli.typed import command_of
from corefscope.demo import DIRECTORY, KEY, RESPONSES

RESULTS = ("scores", "comparison", "errors", "nec")
PAGE = "report.html"


def _names() -> list[str]:
    """Return the names of all files to write."""
    copied = [path.name for path in (KEY, *RESPONSES.values())]
    return [*copied, *(f"{name}.json" for name in RESULTS), PAGE]


def _inputs() -> list[str]:
    """Return the path of the example corpus, which is read."""
    return [str(DIRECTORY)]


class DemoOptions(Struct, frozen=True, kw_only=True):
    """Score the example corpus of the package and write its report.

    The folder contains the key, three responses, the results of score, compare, errors and nec as
    JSON, and the page of ``corefscope report``. The printed commands can be run on these files.

    \b
    Examples:
      corefscope demo
      corefscope demo -o /tmp/demo
    """

    output: Annotated[
        str,
        option(
            "-o",
            "--output",
            default="corefscope-demo",
            type=DocumentsOutput(_names, _inputs),
            metavar="FOLDER",
            help="Folder for the files and the report.",
        ),
    ]


command = command_of(DemoOptions)
