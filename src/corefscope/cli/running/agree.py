"""Run ``corefscope agree``."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from corefscope.agreement.measure import measure_agreement
from corefscope.agreement.several import annotators_in
from corefscope.cli.agree import AgreeOptions
from corefscope.cli.messages import show_findings
from corefscope.cli.parameters import FileReading
from corefscope.cli.printing import caption_for, emit, emit_json, print_tables
from corefscope.cli.reading import files_of, named
from corefscope.corpus import Corpus
from corefscope.exceptions import UnknownName
from corefscope.inputs import System, is_result, only_scores
from corefscope.matching.documents import document_named, paired_documents
from corefscope.options import Options, make_options
from corefscope.rendering.agreement import as_agreement_csv, paper_table, tables
from corefscope.serialization.agreement import agreement_result


def run(options: AgreeOptions) -> int:
    """Measure the agreement of annotators and print it."""
    scoring = make_options(**options.scoring)
    annotators = read_annotators(options.files, options.input_format, options.reading, scoring)
    if options.document is not None:
        annotators = _only(annotators, options.document, scoring)
    agreement = measure_agreement(annotators, scoring, options.unmarked)
    is_counted = options.format != "csv" and options.layout == "plain"
    show_findings([*agreement.findings, *(agreement.doubts if is_counted else ())])
    if options.format == "json":
        limit = None if options.list_ else options.most
        emit_json(agreement_result(agreement, most=limit, with_list=options.list_), options.output)
    elif options.format == "csv":
        emit(
            as_agreement_csv(agreement, with_list=options.list_, raw=options.csv_raw),
            options.output,
        )
    elif options.layout == "paper":
        caption = caption_for(options.caption, options.format, options.output)
        print_tables([paper_table(agreement, caption=caption)], options.format, options.output)
    else:
        found = tables(agreement, most=options.most, with_list=options.list_)
        print_tables(found, options.format, options.output)
    return 0


def read_annotators(
    given: Sequence[str], format: str | None, files: FileReading, options: Options
) -> list[System]:
    """Read annotators, each from its own path, or all from one."""

    def read(path: str, format: str | None, include: Sequence[str]) -> Corpus:
        chosen = replace(files, include=tuple(include) or files.include)
        return files_of(chosen, format, **options.reading).corpus(path)

    systems = named(given, "annotators")
    for system in systems:
        if is_result(system.path):
            raise only_scores(system.name, system.path)
    if len(systems) == 1:
        return annotators_in(systems[0].path, format, files.include, read)
    return [System(each.name, each.path, read(each.path, format, ())) for each in systems]


def _only(annotators: Sequence[System], document: str, options: Options) -> list[System]:
    """Return the annotators of one document, with only that document."""
    for annotator in annotators:
        try:
            name = document_named(annotator.response, document)
        except UnknownName:
            if annotator is annotators[-1]:
                raise
            continue
        first = annotator.response.only(name)
        break
    found = []
    for annotator in annotators:
        corpus = annotator.response
        pairs = paired_documents(first, corpus, options.pair_by).all
        names = [corpus.document_names[number] for number in pairs]
        found.append(replace(annotator, corpus=corpus.restricted(names)))
    return [each for each in found if len(each.response)]
