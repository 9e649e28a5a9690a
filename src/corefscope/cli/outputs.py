"""Where a command may write: found out before the work begins."""

from __future__ import annotations

from pathlib import Path

import click


def refuse_to_overwrite(context: click.Context) -> None:
    """Refuse, before the work begins, to write over a file that is read."""
    output = context.params.get("output")
    if output in (None, "-"):
        return
    for parameter in context.command.params:
        is_file = isinstance(parameter, click.Argument) or isinstance(parameter.type, click.Path)
        if is_file and parameter.name != "output":
            given = context.params[parameter.name or ""]
            for path in [given] if isinstance(given, str) else given or ():
                # A response may have its name before it: a=run1.conll.
                if any(_is_same(output, each) for each in (path, path.partition("=")[2])):
                    message = f"{output!r} is an input; expected another file to write"
                    raise click.UsageError(message)


def _is_same(one: str, other: str) -> bool:
    return Path(one).is_file() and Path(other).is_file() and Path(one).samefile(other)


def check_folder(_: click.Context, __: click.Parameter, output: str | None) -> str | None:
    """Refuse a file in a folder that does not exist, before the work begins."""
    if output not in (None, "-") and not Path(output).parent.is_dir():
        raise click.UsageError(f"cannot write {output}: there is no folder {Path(output).parent}")
    return output
