"""``corefscope formats``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import click
from msgspec import Struct

from corefscope.cli.messages import show_findings
from corefscope.cli.parameters import OUTPUT
from corefscope.cli.typed import command_of
from corefscope.exceptions import UnknownName
from corefscope.extending import broken

if TYPE_CHECKING:
    from corefscope.formats.registry import Format


class FormatsOptions(Struct, frozen=True, kw_only=True):
    """List the formats of files; with NAME, describe one of them.

    Formats are recognised by the content of a file, so you rarely need their names.

    \b
    Examples:
      corefscope formats
      corefscope formats brat
    """

    name: Annotated[str | None, click.Argument(["name"], required=False)]
    output: Annotated[str | None, OUTPUT]


def run(options: FormatsOptions) -> int:
    """List the formats, or describe one of them."""
    from corefscope.cli.printing import emit
    from corefscope.formats.registry import FORMATS

    if options.name is None:
        FORMATS.with_others()
        show_findings(broken())
        emit(_list(), options.output)
    elif options.name in FORMATS:
        emit(_page(FORMATS[options.name]), options.output)
    else:
        raise UnknownName("format", options.name, FORMATS)
    return 0


def _list() -> str:
    from corefscope.formats.registry import FORMATS

    width = max(map(len, FORMATS))
    rows = [
        f"{name:<{width}}  {format.title}{' (also written)' if format.writing else ''}"
        for name, format in sorted(FORMATS.items())
    ]
    return "\n".join(rows) + "\n"


def _page(format: Format) -> str:
    from corefscope.formats.pages import about, facts

    first, rest = about(format)
    rows = facts(format)
    width = max(map(len, rows))
    table = "\n".join(f"{name:<{width}}  {value}" for name, value in rows.items())
    title = f"{format.name}: {format.title}"
    return "\n\n".join(filter(None, [title, _plain(first), table, _plain(rest)])) + "\n"


LINK = re.compile(r"\[([^\]]+)\]\([^)\s]+\.md[^)]*\)")
RULE = re.compile(r"\|[ |:-]+\|\n")
CODE_OR_EMPHASIS = re.compile(r"(`[^`]*`)|\*(\w[^*\n]*)\*")


def _plain(text: str) -> str:
    """Return Markdown as plain text: links without addresses, code and tables without signs.

    Emphasis becomes quotes; an asterisk in code is itself.
    """
    text = CODE_OR_EMPHASIS.sub(lambda found: found[1] or f"'{found[2]}'", text)
    rows = [
        "  ".join(cell.strip() for cell in line.strip("|").split(" | "))
        if line.startswith("|")
        else line
        for line in RULE.sub("", LINK.sub(r"\1", text)).splitlines()
    ]
    return "\n".join(rows).replace("\\|", "|").replace("`", "")


command = command_of(FormatsOptions, run)
