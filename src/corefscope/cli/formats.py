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
    from corefscope.cli.printing import emit_lines
    from corefscope.formats.registry import FORMATS

    if options.name is None:
        FORMATS.with_others()
        show_findings(broken())
        emit_lines(_list(), options.output)
    elif options.name in FORMATS:
        emit_lines(_page(FORMATS[options.name]), options.output)
    else:
        raise UnknownName("format", options.name, FORMATS)
    return 0


def _list() -> list[str]:
    from corefscope.formats.registry import FORMATS

    width = max(map(len, FORMATS))
    return [
        f"{name:<{width}}  {format.title}{' (also written)' if format.writing else ''}"
        for name, format in sorted(FORMATS.items())
    ]


def _page(format: Format) -> list[str]:
    from corefscope.formats.pages import about, facts

    first, rest = about(format)
    rows = facts(format)
    width = max(map(len, rows))
    table = (f"{name:<{width}}  {value}" for name, value in rows.items())
    title = f"{format.name}: {format.title}"
    below = ["", *_plain(rest)] if rest else []
    return [title, "", *_plain(first), "", *table, *below]


LINK = re.compile(r"\[([^\]]+)\]\([^)\s]+\.md[^)]*\)")
RULE = re.compile(r"\|[ |:-]+\|\n")
CODE_OR_EMPHASIS = re.compile(r"(`[^`]*`)|\*(\w[^*\n]*)\*")


def _plain(text: str) -> list[str]:
    """Return the lines of Markdown as plain text: links without addresses, code without signs.

    Emphasis becomes quotes; an asterisk in code is itself. A paragraph, or an item of a list, is
    one line.
    """
    text = CODE_OR_EMPHASIS.sub(lambda found: found[1] or f"'{found[2]}'", text)
    lines: list[str] = []
    for line in RULE.sub("", LINK.sub(r"\1", text)).splitlines():
        if line.startswith("|"):
            line = "  ".join(cell.strip() for cell in line.strip("|").split(" | "))
        elif lines and lines[-1] and line.strip() and not line.startswith(("- ", "```")):
            line = f"{lines.pop()} {line.strip()}"
        lines.append(line)
    return [line.replace("\\|", "|").replace("`", "") for line in lines]


command = command_of(FormatsOptions, run)
