"""Run ``corefscope stats``."""

from __future__ import annotations

from corefscope.cli.messages import show_findings
from corefscope.cli.printing import emit
from corefscope.cli.reading import files_of, named
from corefscope.cli.stats import StatsOptions
from corefscope.corpus.description import describe
from corefscope.rendering.description import render


def run(options: StatsOptions) -> int:
    """Count what is in files and print the counts."""
    corpora = named(options.files)
    descriptions = []
    for each in corpora:
        corpus = files_of(options.reading, options.input_format).corpus(each.path)
        show_findings(corpus.findings)
        descriptions.append(describe(corpus))
    names = [each.name for each in corpora]
    text = render(descriptions, names, options.format, raw=options.csv_raw)
    emit(text, options.output)
    return 0
