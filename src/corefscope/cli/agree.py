"""``corefscope agree``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import click
from msgspec import Struct
from msgspec.structs import replace

from corefscope.choices import AgreementOptions, AnalysisOptions, ScoringOptions, Unmarked
from corefscope.cli.messages import show_findings
from corefscope.cli.parameters import (
    CAPTION,
    CSV_RAW,
    DOCUMENT,
    INPUT_FORMAT,
    LAYOUTS,
    NAMED,
    OUTPUT,
    FileReading,
    Layout,
    OutputFormat,
    choice,
    declared_option,
    flag,
    format_option,
    of_library,
    option,
)
from corefscope.cli.typed import Conflicts, command_of, excludes
from corefscope.exceptions import UnknownName

if TYPE_CHECKING:
    from corefscope.corpus import Corpus
    from corefscope.inputs import System
    from corefscope.options import Options


SCORING = of_library(
    AgreementOptions,
    *("metrics", "profile", "match", "zeros", "singletons", "duplicates"),
    *("tokens", "snap", "pair_by", "language"),
    singletons="Whether to keep entities with one mention (default: as in the profile).",
    tokens="How to treat documents whose tokens differ: carry (default) carries mentions over if "
    "the letters are the same or at most 2 % of the words differ, and stops otherwise; align does "
    "so whatever differs; ignore compares token numbers.",
)
MATCH = declared_option(
    AnalysisOptions,
    "match",
    "Mention matching criterion: same words (exact) or same head (default: set by the profile, "
    "otherwise exact). Others are rejected: they treat annotators differently.",
)


class AgreeOptions(Struct, frozen=True, kw_only=True):
    """Measure how far annotators of the same texts agree.

    Prints the F1 of every metric for each pair of annotators and their mean, Krippendorff's alpha
    for coreference (Passonneau 2004), how many annotators marked the mentions, and where they
    disagree. No annotator is the key, and their order does not matter. NAME=PATH names an
    annotator. A single path may hold several annotators: an export of Label Studio, a folder with
    one file per annotator (DOC/anna.tsv, as WebAnno and INCEpTION export them, or anna.conll), or
    with one folder per annotator (anna/DOC.conll).

    \b
    Examples:
      corefscope agree anna.conll ben.conll
      corefscope agree anna=a.conll ben=b.conll carla=c.conll --unmarked singleton
      corefscope agree export/annotation --list --format csv -o disagreements.csv
      corefscope agree anna.conll ben.conll --layout paper --caption
    """

    files: Annotated[
        tuple[str, ...],
        click.Argument(["files"], nargs=-1, required=True, metavar="ANNOTATOR...", type=NAMED),
    ]
    input_format: Annotated[str | None, INPUT_FORMAT]
    reading: FileReading
    scoring: Annotated[ScoringOptions, SCORING | {"match": MATCH}]
    unmarked: Annotated[Unmarked, declared_option(AgreementOptions, "unmarked")]
    document: Annotated[str | None, DOCUMENT]
    list_: Annotated[
        bool,
        flag(
            "--list",
            "list_",
            help="List all disagreements, and all disputed entities and documents.",
        ),
    ]
    most: Annotated[
        int,
        option(
            "--most",
            type=click.IntRange(min=0),
            default=5,
            metavar="N",
            help="How many of the most disputed entities and documents to show.",
        ),
    ]
    layout: Annotated[
        Layout,
        option(
            "--layout",
            type=choice(Layout),
            default="plain",
            help="Layout: all tables (plain), or one table of F1 as papers print it.",
        ),
    ]
    caption: Annotated[bool, CAPTION]
    format: Annotated[OutputFormat, format_option(OutputFormat)]
    csv_raw: Annotated[bool, CSV_RAW]
    output: Annotated[str | None, OUTPUT]


CONFLICTS: Conflicts[AgreeOptions] = (*LAYOUTS, excludes("--layout paper", "--list"))


def run(options: AgreeOptions) -> int:
    """Measure the agreement of annotators and print it."""
    from corefscope.agreement.disputes import Dispute
    from corefscope.agreement.measure import measure_agreement
    from corefscope.agreement.record import agreement_result
    from corefscope.agreement.tables import paper_table, tables
    from corefscope.cli.printing import caption_for, emit_json, emit_rows, print_tables
    from corefscope.options import make_options
    from corefscope.results.record import flat

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
        disputes = [flat(each, "_") for each in agreement.listed] if options.list_ else None
        columns = Dispute.__struct_fields__ if options.list_ else ()
        rows = agreement._rows() if disputes is None else disputes
        emit_rows(rows, options.csv_raw, options.output, columns)
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
    from corefscope.agreement.several import annotators_in
    from corefscope.cli.reading import files_of, named
    from corefscope.inputs import System, is_result, only_scores

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
    from corefscope.matching.documents import document_named, paired_documents

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


command = command_of(AgreeOptions, run, CONFLICTS)
