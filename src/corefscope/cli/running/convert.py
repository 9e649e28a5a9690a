"""Run ``corefscope convert``."""

from __future__ import annotations

import click

from corefscope.cli.convert import ConvertOptions
from corefscope.cli.messages import progress_bar, saying_replaced, show_findings
from corefscope.cli.reading import files_of
from corefscope.corpus import Corpus
from corefscope.exceptions import UnknownName
from corefscope.formats.file_names import shown
from corefscope.formats.writing.files import write


def run(options: ConvertOptions) -> int:
    """Read a corpus and write it in another format."""
    corpus = _corpus(options)
    show_findings(corpus.findings)
    to = options.to
    if options.blind:
        name, _, details = (to or "").partition(":")
        if name not in ("crac-text", "crac-json"):
            raise click.UsageError("--blind requires --to crac-text or --to crac-json")
        to = f"{name}:{details},tags=none" if details else f"{name}:tags=none"
    try:
        with saying_replaced(options.target):
            # Documents are examined, and then written.
            with progress_bar(f"writing {shown(options.target)}", 2 * len(corpus)) as advance:
                found = write(corpus, options.target, to, lossy=options.lossy, progress=advance)
            show_findings(found)
    except UnknownName as error:
        raise click.UsageError(f"{error} (see --to)") from None
    return 0


def _corpus(options: ConvertOptions) -> Corpus:
    """Read the input; an answer to CRAC is put into its skeleton."""
    if options.skeleton is None:
        return files_of(options.reading, options.from_).corpus(options.source)
    from corefscope.extensions.corefud_scorer.crac.route import format_of_answer, read_answer

    format = format_of_answer(options.source, options.from_)
    if format is None:
        raise click.UsageError(
            "--skeleton requires an answer in text (.txt) or JSON (.json), or --from crac-text or "
            "--from crac-json"
        )
    files = files_of(options.reading, join_names=True)
    skeleton = files.corpus(options.skeleton)
    return read_answer(options.source, format, skeleton, None, options.zeros_from, as_scored=False)
