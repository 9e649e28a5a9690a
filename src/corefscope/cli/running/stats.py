"""Run ``corefscope stats``."""

from __future__ import annotations

from corefscope.cli.messages import show_findings
from corefscope.cli.printing import emit
from corefscope.cli.reading import named, read_corpus
from corefscope.cli.stats import StatsOptions
from corefscope.corpus.description import describe
from corefscope.rendering.description import render


def run(options: StatsOptions) -> int:
    """Count what is in files and print the counts."""
    corpora = named(options.files)
    descriptions = []
    for _, path in corpora:
        corpus = read_corpus(path, options.input_format, options.reading)
        show_findings(corpus.findings)
        descriptions.append(describe(corpus))
    names = [name for name, _ in corpora]
    text = render(descriptions, names, options.format, raw=options.csv_raw)
    emit(text, options.output)
    return 0
