"""Write a page for each format, and the table of all of them; a test fails when one is stale.

A page has what the registry says of the format, the docstring of its module, and the beginning of
its sample in docs/samples.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from corefscope.formats.pages import about, facts
from corefscope.formats.registry import FORMATS, Format, writings
from corefscope.formats.writing.abilities import (
    EVERYTHING,
    LABELS,
    NAMES,
    SENTENCES,
    SHOWN,
    TEXT,
    TOPICS,
    WORDS,
    Feature,
)

DOCS = Path(__file__).parent
OVERVIEW = DOCS / "ref" / "formats.md"
TABLE = re.compile(r"(?<=<!-- made by make_formats\.py -->\n\n)\|.*?\n\n", re.DOTALL)
ABILITIES = re.compile(
    r"(?<=<!-- made by make_formats\.py: abilities -->\n\n)(\|.*?\n\n)?", re.DOTALL
)
READ_AS = {"cdcr": "cdcr:documents=column:3"}
"""Formats that are not recognised as what the sample is, and what to say instead."""
MOST_LINES = 10
MOST_FILES = 2
LONGEST_LINE = 100


def pages() -> dict[Path, str]:
    """Return the text of every page that is written here."""
    overview = TABLE.sub(lambda _: table() + "\n", OVERVIEW.read_text("utf-8"), count=1)
    overview = ABILITIES.sub(lambda _: abilities() + "\n", overview, count=1)
    own = {DOCS / "formats" / f"{name}.md": page(format) for name, format in FORMATS.items()}
    return {OVERVIEW: overview, **own}


def table() -> str:
    """Return one row per format."""
    lines = ["| Name | Format | Extensions | Written |", "| --- | --- | --- | --- |"]
    for name, format in sorted(FORMATS.items()):
        endings = " ".join(f"`*{ending}`" for ending in format.endings)
        written = "yes" if format.writing else ""
        lines.append(
            f"| [`{name}`](../formats/{name}.md) | {format.title} | {endings} | {written} |"
        )
    return "\n".join(lines) + "\n"


def abilities() -> str:
    """Return what each written format can express: one row per feature."""
    lines = [
        f"| | {' | '.join(f'`{name}`' for name in writings())} |",
        "| --- |" + " --- |" * len(writings()),
    ]
    for feature in Feature:
        cells = ["yes" if feature in writing.features else "" for writing in writings().values()]
        lines.append(f"| {feature} | {' | '.join(cells)} |")
    for layer in (NAMES, TOPICS, LABELS, SENTENCES, WORDS, TEXT):
        cells = [
            "yes" if {layer, EVERYTHING} & writing.layers else "" for writing in writings().values()
        ]
        lines.append(f"| {SHOWN.get(layer, layer)} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def page(format: Format) -> str:
    """Return the page of a format."""
    first, rest = about(format)
    title = f"# `{format.name}`: {format.title}"
    parts = [title, first, _command(format), _facts(format), rest, _sample(format)]
    return "\n\n".join(part.strip() for part in parts if part.strip()) + "\n"


def command(format: Format) -> str:
    """Return a command that scores the sample of a format."""
    files = [file for file in (DOCS / "samples" / format.name).rglob("*") if file.is_file()]
    path = files[0].name if len(files) == 1 else f"{format.name}/"
    read_as = f" --response-format {READ_AS[format.name]}" if format.name in READ_AS else ""
    return f"corefscope score gold.conll {path}{read_as}"


def _command(format: Format) -> str:
    return f"```bash\n{command(format)}\n```"


def _facts(format: Format) -> str:
    rows = [f"| {name} | {_with_code(value)} |" for name, value in facts(format).items()]
    return "\n".join(["| | |", "| --- | --- |", *rows])


def _with_code(value: str) -> str:
    """Mark extensions and options as code."""
    return re.sub(r"\*\S+|\S+=…", r"`\g<0>`", value)


def _sample(format: Format) -> str:
    """Return the beginning of the files of a sample."""
    folder = DOCS / "samples" / format.name
    files = [file for file in sorted(folder.rglob("*")) if file.is_file()]
    shown = [_beginning(file, folder) for file in files[:MOST_FILES]]
    return "\n\n".join(["## A sample", *filter(None, shown)])


def _beginning(file: Path, folder: Path) -> str:
    try:
        text = file.read_text("utf-8")
    except UnicodeDecodeError:
        return f"`{file.relative_to(folder)}` is a binary file."
    lines = _fields(text) or text.splitlines()
    more = ["…"] if len(lines) > MOST_LINES else []
    shown = "\n".join([*map(_cut, lines[:MOST_LINES]), *more])
    return f"`{file.relative_to(folder)}`:\n\n````text\n{shown}\n````"


def _fields(text: str) -> list[str]:
    """Return the first object of a JSON text with one field per line, as far as it can be shown."""
    try:
        record, _ = json.JSONDecoder().raw_decode(text)
    except ValueError:
        return []
    record = record[0] if isinstance(record, list) and record else record
    if not isinstance(record, dict) or text.startswith("{\n"):
        return []
    fields = [
        f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}"
        for name, value in record.items()
    ]
    return [f"{{{fields[0]},", *(f" {_cut(field)}," for field in fields[1:-1]), f" {fields[-1]}}}"]


def _cut(line: str) -> str:
    return line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 1] + "…"


if __name__ == "__main__":
    (DOCS / "formats").mkdir(exist_ok=True)
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
