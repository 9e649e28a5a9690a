"""The command line: a module for each command declares its options; it is loaded when needed.

What a command does is in ``running/``, which loads the library.
"""

from __future__ import annotations

import gc
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

# numpy starts a thread for each processor, for linear algebra that we have none of.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Reading and analysing make many objects that live on and few that die: looking through them
# for garbage as often as Python does takes up to half of the time.
gc.set_threshold(100_000, 10, 10)

COMMANDS = {
    "score": "Score responses against a key.",
    "errors": "Find the errors of responses, and what they cost.",
    "nec": "Measure named entity coreference.",
    "compare": "Tell whether a system is better than another, and how sure.",
    "gate": "Fail if a response is worse than a baseline.",
    "profiles": "List the protocols; score under all of them.",
    "report": "Write a page to explore scores, errors and texts.",
    "explain": "Work out one metric of one document, term by term.",
    "validate": "List all findings of files.",
    "stats": "Count documents, tokens, mentions and entities.",
    "convert": "Write a corpus in another format.",
    "schema": "Print the JSON Schema of a result.",
    "demo": "Score the example corpus and write its report.",
}
"""The commands with their short help: enough for --help without loading any of them."""


def _escaping(work: Callable[[], object]) -> object:
    """Run a command; escape control characters in what click says about its arguments."""
    try:
        return work()
    except click.MissingParameter:
        raise  # It shows nothing that was given, and may list choices line by line.
    except click.ClickException as error:
        shown = visible(error.format_message())
        error.format_message = lambda: shown  # type: ignore[method-assign]
        raise


class _Lazy(click.Group):
    """Loads a command's module when the command is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"corefscope.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def main(self, *args: Any, standalone_mode: bool = True, **kwargs: Any) -> Any:
        """Run a command and exit; whatever happens, with a message and a documented status."""
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
    """Measure coreference resolution.

    KEY is the annotation that is right, a RESPONSE what a system made of the same texts. Both are a
    file, a directory of files, or - for standard input, in any known format.

    \b
    Examples:
      corefscope score gold.conll system.conll
      corefscope score gold.conll ours=run7.jsonl theirs=baseline.conll --format latex
      corefscope errors gold.conll system.conll --groups
      corefscope explain ceafe gold.conll system.conll --document '(bn/0001); part 000'
    """
