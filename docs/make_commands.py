"""Write docs/commands.md from the help texts; a test fails when the page is stale."""

from __future__ import annotations

from pathlib import Path

import click

from corefscope.cli import COMMANDS, main

PAGE = Path(__file__).parent / "commands.md"

INTRODUCTION = """# Commands

Results go to standard output, everything else to standard error. The exit status is 0 when the
work was done, 1 if a gate fails, 2 for wrong usage, 3 for input that cannot be used, 4 if documents
are missing and `--missing error` was given, 5 if the output cannot be written, 70 for an internal
error or a process that was lost, and 130 after Ctrl-C; see [Exit status](output.md#exit-status).
Files are [written completely or not at all](output.md#how-files-are-written).
"""


def page() -> str:
    """Return the page: the help of the program and of each command."""
    settings = {**main.context_settings, "terminal_width": 80}
    with click.Context(main, info_name="corefscope", **settings) as context:
        parts = [INTRODUCTION, _section("corefscope", main.get_help(context))]
        for name in COMMANDS:
            command = main.get_command(context, name)
            assert command
            with click.Context(command, context, name, terminal_width=80) as inner:
                parts.append(_section(f"corefscope {name}", command.get_help(inner)))
    return "\n".join(parts)


def _section(title: str, text: str) -> str:
    return f"## {title}\n\n```text\n{text}\n```\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
