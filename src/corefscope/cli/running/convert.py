"""Run ``corefscope convert``."""

from __future__ import annotations

import click

from corefscope.cli.convert import ConvertOptions
from corefscope.cli.messages import show_findings
from corefscope.cli.reading import read_corpus
from corefscope.exceptions import UnknownName
from corefscope.formats import write


def run(options: ConvertOptions) -> int:
    """Read a corpus and write it in another format."""
    corpus = read_corpus(options.source, options.from_, options.reading)
    show_findings(corpus.findings)
    try:
        show_findings(write(corpus, options.target, options.to, lossy=options.lossy))
    except UnknownName as error:
        raise click.UsageError(f"{error} (see --to)") from None
    return 0
