"""Run ``corefscope stats``."""

from __future__ import annotations

from corefscope.cli.messages import show_findings
from corefscope.cli.printing import emit, emit_json, print_tables
from corefscope.cli.reading import files_of, named
from corefscope.cli.stats import StatsOptions
from corefscope.corpus.description import StatsResult, describe
from corefscope.rendering.description import description_table
from corefscope.results.table import as_csv


def run(options: StatsOptions) -> int:
    """Count what is in files and print the counts."""
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
        emit(as_csv(table.names, table.values, raw=options.csv_raw), options.output)
    else:
        print_tables([table], options.format, options.output)
    return 0
