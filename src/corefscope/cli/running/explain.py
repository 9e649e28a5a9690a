"""Run ``corefscope explain``."""

from __future__ import annotations

import click

from corefscope.cli.explain import ExplainOptions
from corefscope.cli.messages import show_findings
from corefscope.cli.printing import emit
from corefscope.cli.reading import Reader, named_beside
from corefscope.corpus import Corpus
from corefscope.escaping import visible
from corefscope.evaluation import Evaluation
from corefscope.explanation import explainable
from corefscope.options import make_options


def run(options: ExplainOptions) -> int:
    """Print the terms of a metric of one document."""
    explainable(options.metric)
    systems = named_beside(options.key, [options.response])
    choices = make_options(
        profile=options.profile,
        singletons=options.singletons,
        match=options.mentions.match,
        zeros=options.mentions.zeros,
        split_antecedents=options.mentions.split_antecedents,
        layer=options.mentions.layer,
        tokens=options.tokens,
        snap=options.snap,
        pair_by=options.pair_by,
    )
    if choices.profile.scorer:
        raise click.UsageError(
            f"the profile {choices.profile.name} gives the figures of an official scorer, which "
            "cannot be explained term by term; use --match and --zeros instead of --profile"
        )
    reader = Reader(options.reading, options.document)
    key = reader.key(options.key)
    reader.document = reader.document or _only_name(key)
    read = reader.responses(key, systems, choices)
    (system,) = Evaluation(
        key=reader.chosen(key), key_path=options.key, systems=read, options=choices
    )
    explanation = system.explain(options.metric)
    show_findings(explanation.findings)
    lines = map(visible, explanation.lines(options.terms))
    emit("\n".join(lines) + "\n", options.output)
    return reader.status


def _only_name(corpus: Corpus) -> str:
    if len(corpus) == 1:
        return corpus.document_names[0]
    some = ", ".join(repr(each) for each in corpus.document_names[:5])
    more = ", …" if len(corpus) > 5 else ""
    raise click.UsageError(
        f"the key has {len(corpus)} documents; choose one with --document: {some}{more}"
    )
