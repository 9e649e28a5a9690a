"""Write what the reference pages take from the code; a test fails when a page is stale.

``ref/commands``, ``ref/messages`` and ``ref/fields`` are written whole; ``ref/errors`` has a table
that is made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from corefscope.cli import COMMANDS, main
from corefscope.error_analysis.catalogue import NULL, Property, PropertyKind, properties_of
from corefscope.error_analysis.kinds import ErrorType
from corefscope.error_analysis.records import RECORDS
from corefscope.extending import all_codes
from corefscope.schemas import RESULTS, schema_id, schema_of
from corefscope.schemas import meaning as meaning_of

REF = Path(__file__).parent / "ref"
PROPERTIES = re.compile(r"(?<=<!-- made by make_reference\.py: properties -->\n\n)\|.*?\n\n", re.S)
DEEPEST = 3
"""How many names the path of a field has at most."""
SHARED = 2
"""From this number of commands on, an option is described once for all."""


def pages() -> dict[Path, str]:
    """Return the text of every page that is written here."""
    errors = (REF / "errors.md").read_text("utf-8")
    return {
        REF / "commands.md": commands(),
        REF / "messages.md": messages(),
        REF / "errors.md": PROPERTIES.sub(lambda _: properties() + "\n", errors, count=1),
        REF / "fields.md": fields(),
    }


# ---- Commands ----


def commands() -> str:
    """Return all commands: the options that several have, and then those of each."""
    context = click.Context(main, info_name="corefscope")
    options: dict[str, list[click.Option]] = {}
    users: dict[tuple[str, str | None], list[str]] = {}
    for name in COMMANDS:
        command = main.get_command(context, name)
        assert command
        options[name] = [each for each in command.params if isinstance(each, click.Option)]
        for option in options[name]:
            users.setdefault(_key(option), []).append(name)
    shared = {key: names for key, names in users.items() if len(names) >= SHARED}
    first = {_key(option): option for each in options.values() for option in each}
    lines = ["# Commands", "", INTRODUCTION, "", "## Options of several commands", ""]
    lines += ["| Option | Meaning | Commands |", "| --- | --- | --- |"]
    lines += [
        f"| {_usage(first[key])} | {_help(first[key])} | {_named(shared[key])} |" for key in shared
    ]
    for name in COMMANDS:
        command = main.get_command(context, name)
        assert command
        lines += ["", f"## `corefscope {name}`", "", *_about(command, name)]
        own = [option for option in options[name] if _key(option) not in shared]
        if own:
            lines += ["", "| Option | Meaning |", "| --- | --- |"]
            lines += [f"| {_usage(option)} | {_help(option)} |" for option in own]
    return "\n".join(lines) + "\n"


INTRODUCTION = """Results go to standard output, messages to standard error. [Exit
status](output.md#exit-status) lists what a command returns. `corefscope COMMAND --help` prints the
common options of one command, `--help-all` all of them."""


def _key(option: click.Option) -> tuple[str, str | None]:
    return option.opts[-1], option.help


def _usage(option: click.Option) -> str:
    metavar = option.make_metavar(click.Context(main)) if not option.is_flag else ""
    return f"`{option.opts[-1]} {metavar}".strip().replace("|", "\\|") + "`"


def _help(option: click.Option) -> str:
    return " ".join((option.help or "").split()).replace("|", "\\|")


def _named(names: list[str]) -> str:
    return ", ".join(names) if len(names) <= len(COMMANDS) / 2 else f"all but {_others(names)}"


def _others(names: list[str]) -> str:
    return ", ".join(name for name in COMMANDS if name not in names)


def _about(command: click.Command, name: str) -> list[str]:
    """Return what a command does, how it is called, and its examples."""
    text, _, examples = (command.help or "").partition("\b")
    arguments = [each for each in command.params if isinstance(each, click.Argument)]
    usage = " ".join(each.make_metavar(click.Context(main)) for each in arguments)
    shown = "\n".join(line.strip() for line in examples.splitlines()[2:] if line.strip())
    return [
        " ".join(text.split()),
        "",
        f"```text\ncorefscope {name} [OPTIONS] {usage}\n\n{shown}\n```",
    ]


# ---- Messages ----


def messages() -> str:
    """Return all messages, each below an anchor of its code."""
    lines = ["# Messages", "", ABOUT_MESSAGES]
    for heading, letter in (("Errors", "E"), ("Warnings", "W")):
        lines += ["", f"## {heading}"]
        for _, code in sorted(all_codes().items()):
            if code.id.startswith(letter):
                title = code.title[0].upper() + code.title[1:]
                lines += ["", f"({code.id.lower()})=", f"### {code.id}", ""]
                lines += [f"**{title}.** {code.help}"]
    return "\n".join(lines) + "\n"


ABOUT_MESSAGES = """Each message names the file, the line, what was found, and a code. `E` codes are
errors: the command stops with [exit status](output.md#exit-status) 3. `W` codes are warnings: the
command continues. At most five messages of a code are printed; `corefscope validate FILE` prints
all. `corefscope explain W208` prints one of these paragraphs."""


# ---- Properties of errors ----


def properties() -> str:
    """Return one row per property, or one per meaning if types of errors differ in it."""
    types: dict[tuple[str, str], list[ErrorType]] = {}
    values: dict[tuple[str, str], str] = {}
    for record in RECORDS:
        for name, each in properties_of(record).items():
            types.setdefault((name, each.about), []).append(record.type)
            values[name, each.about] = _values(each)
    rows = sorted(types, key=lambda row: -(len(types[row]) == len(ErrorType)))
    lines = ["| Property | Values | Errors | Meaning |", "| --- | --- | --- | --- |"]
    for name, meaning in rows:
        of = _types(types[name, meaning])
        lines.append(f"| `{name}` | {values[name, meaning]} | {of} | {meaning} |")
    return "\n".join(lines) + "\n"


def _values(of: Property) -> str:
    """Return the values that a property can have."""
    known = ", ".join(f"`{value}`" for value in of.known_values if value != NULL)
    said = known or ("number" if of.kind is PropertyKind.NUMBER else "text")
    if of.is_list:
        return f"any of {said}" if known else f"{said}s"
    return f"{said}, or `{NULL}`" if of.is_nullable else said


def _types(types: list[ErrorType]) -> str:
    return "all" if len(types) == len(ErrorType) else ", ".join(type.label for type in types)


# ---- Fields of JSON ----


def fields() -> str:
    """Return the fields of every result, from its schema; shared parts are listed once."""
    lines = ["# JSON fields", "", ABOUT_FIELDS]
    seen: set[str] = set()
    for name in RESULTS:
        if name == "report":
            continue
        schema = schema_of(name)
        lines += ["", f"## `{schema_id(name)}`", "", meaning_of(name), ""]
        lines += ["| Field | Type | Meaning |", "| --- | --- | --- |"]
        rows = list(_rows(schema, schema["$defs"], "", seen))
        lines += [
            f"| {row} |"
            for row in rows
            if not row.endswith("| ") and row.partition(" |")[0].count(".") < DEEPEST
        ]
    return "\n".join(lines) + "\n"


ABOUT_FIELDS = """`corefscope schema NAME` prints the whole schema of a result. This page lists
fields whose names do not say enough; what several results share is listed once. `[]` stands for
each item of a list, `NAME` for any name. Errors have the [properties](errors.md#properties) of
their type."""


def _rows(node: Any, known: Any, path: str, seen: set[str]) -> Iterator[str]:
    """Yield the fields below a part of a schema."""
    if "$ref" in node:
        name = node["$ref"].rpartition("/")[2]
        if name in seen:
            return
        seen.add(name)
        yield from _rows(known[name], known, path, seen)
        return
    choices = [each for each in node.get("anyOf", ()) if each.get("type") != "null"]
    if len(choices) == 1:
        yield from _rows(choices[0], known, path, seen)
    for name, field in node.get("properties", {}).items():
        if name == "list":
            continue
        place = f"{path}.{name}" if path else name
        yield f"`{place}` | {_type(field)} | {field.get('description', '')}"
        yield from _rows(field, known, place, seen)
    if isinstance(node.get("items"), dict):
        yield from _rows(node["items"], known, f"{path}[]", seen)
    if isinstance(node.get("additionalProperties"), dict):
        yield from _rows(node["additionalProperties"], known, f"{path}.NAME", seen)


def _type(field: Any) -> str:
    """Return the type of a field in words."""
    if "const" in field:
        return f"`{field['const']}`"
    if "enum" in field:
        return " or ".join(f"`{value}`" for value in field["enum"])
    if "$ref" in field:
        return "object"
    if "anyOf" in field:
        return " or ".join(dict.fromkeys(map(_type, field["anyOf"])))
    kind = field.get("type", "any")
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
