"""``corefscope stats``."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from corefscope.cli.messages import show_findings
from corefscope.cli.parameters import (
    CSV_RAW,
    FILES,
    INPUT_FORMAT,
    OUTPUT,
    RAW,
    FileReading,
    OutputFormat,
    format_option,
)
from corefscope.cli.typed import Conflicts, command_of


class StatsOptions(Struct, frozen=True, kw_only=True):
    """Count documents, tokens, mentions, entities, singletons, sizes, nesting and distances.

    \b
    Examples:
      corefscope stats gold.conll
      corefscope stats gold.conll system.jsonl --format markdown
    """

    files: Annotated[tuple[str, ...], FILES]
    input_format: Annotated[str | None, INPUT_FORMAT]
    reading: FileReading
    format: Annotated[OutputFormat, format_option(OutputFormat)]
    csv_raw: Annotated[bool, CSV_RAW]
    output: Annotated[str | None, OUTPUT]


CONFLICTS: Conflicts[StatsOptions] = (RAW,)


def run(options: StatsOptions) -> int:
    """Count what is in files and print the counts."""
    from corefscope.cli.printing import emit_json, emit_rows, print_tables
    from corefscope.cli.reading import files_of, named
    from corefscope.corpus.description import StatsResult, describe, description_table

    corpora = named(options.files)
    descriptions = []
    for each in corpora:
        corpus = files_of(options.reading, options.input_format).corpus(each.path)
        show_findings(corpus.findings)
        descriptions.append(describe(corpus))
    names = [each.name for each in corpora]
    table = description_table(descriptions, names)
    if options.format == "json":
        emit_json(StatsResult(corpora=descriptions), options.output)
    elif options.format == "csv":
        named_rows = zip(names, descriptions, strict=True)
        rows = [{"corpus": name, **row} for name, each in named_rows for row in each._rows()]
        emit_rows(rows, options.csv_raw, options.output)
    else:
        print_tables([table], options.format, options.output)
    return 0


command = command_of(StatsOptions, run, CONFLICTS)
