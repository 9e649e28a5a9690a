"""The command line: one module per command, loaded on demand.

A module declares the options of its command, and does the work. Functions load what they need of
the library, so that help loads none of it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import click

from corefscope.escaping import visible
from corefscope.last_resort import status_of
from corefscope.version import __version__

# numpy starts one thread per processor for linear algebra, which we do not use.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

COMMANDS = {
    "score": "Score responses against a key.",
    "errors": "Find the errors of responses and what they cost.",
    "nec": "Measure named entity coreference.",
    "compare": "Test whether a system is better than another.",
    "agree": "Measure the agreement of annotators.",
    "gate": "Fail if a response is worse than a baseline.",
    "profiles": "List scoring profiles, or score under all that apply.",
    "report": "Write an HTML report on scores, errors and texts.",
    "explain": "Show how a metric is computed, term by term.",
    "validate": "List the errors and warnings of files.",
    "stats": "Count documents, tokens, mentions and entities.",
    "convert": "Write a corpus in another format.",
    "formats": "List the formats of files, or describe one.",
    "schema": "Print the JSON Schema of a result.",
    "demo": "Score the example corpus and write its report.",
}
"""The commands with their short help, so that --help need not load them."""


HELP: type[click.ClickException] = getattr(
    click.exceptions, "NoArgsIsHelpError", click.MissingParameter
)
"""What click raises to show the help if nothing was asked for; click 8.1 has no such class."""


def _escaping(work: Callable[[], object]) -> object:
    """Run a command; escape control characters in error messages of click."""
    try:
        return work()
    except (click.MissingParameter, HELP):
        raise  # The message quotes no input, and may have several lines.
    except click.ClickException as error:
        # Imported here because most commands do not fail.
        from corefscope.cli.messages import wrapped_message

        begin = "Error: "
        lines = wrapped_message(begin + visible(error.format_message()))
        shown = "\n".join(lines).removeprefix(begin)
        error.format_message = lambda: shown  # type: ignore[method-assign]
        raise


class _Lazy(click.Group):
    """Load the module of a command when the command is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            # Imported here because it is rarely needed.
            from corefscope.exceptions import UnknownName

            raise click.UsageError(str(UnknownName("command", cmd_name, COMMANDS)), ctx)
        command = import_module(f"corefscope.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def main(self, *args: Any, standalone_mode: bool = True, **kwargs: Any) -> Any:
        """Run a command and exit, in any case with a documented status."""
        work = partial(_escaping, partial(super().main, *args, standalone_mode=False, **kwargs))
        if not standalone_mode:
            return work()
        sys.exit(status_of(work))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="corefscope")
def main() -> None:
    """Evaluate coreference resolution.

    KEY is the correct (gold) annotation, RESPONSE the output of a system for the same texts. Each
    is a file, a directory of files, or - for standard input, in any supported format.

    \b
    Examples:
      corefscope score gold.conll system.conll
      corefscope score gold.conll ours=run7.jsonl base=base.conll --format latex
      corefscope errors gold.conll system.conll --groups
      corefscope explain ceafe gold.conll system.conll --document bn/0001
    """
