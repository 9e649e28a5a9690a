"""``corefscope nec``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import click
from msgspec import Struct
from msgspec.structs import replace

from corefscope.choices import AnalysisOptions, HeadsChoice, NecPreset, Singletons
from corefscope.cli.messages import each_once, progress_bar, show_findings
from corefscope.cli.parameters import (
    CAPTION,
    CSV_RAW,
    DOCUMENT,
    KEY,
    LAYOUT,
    LAYOUTS,
    MATCHING,
    NAMES,
    OUTPUT,
    PROFILE,
    RESPONSES,
    Layout,
    OutputFormat,
    ReadingParameters,
    choice,
    flag,
    format_option,
    option,
    singletons_option,
)
from corefscope.cli.typed import Conflicts, command_of, excludes
from corefscope.exceptions import UnknownName

if TYPE_CHECKING:
    from corefscope.corpus import Corpus
    from corefscope.evaluation import Evaluation
    from corefscope.inputs import Given, Inputs
    from corefscope.named_entities import NecOptions as Choices
    from corefscope.named_entities import NecSettings
    from corefscope.named_entities.names_file import NamesOfFile
    from corefscope.options import Options
    from corefscope.results.table import Table


class NecOptions(Struct, frozen=True, kw_only=True):
    """Measure named entity coreference: which named entities are found, and how well.

    Prints NEC F1 by entity type (Agarwal et al. 2019) and lists the entities that were not found,
    split or combined. The key needs named-entity annotation, or see --names.

    \b
    Examples:
      corefscope nec gold.conll system.conll
      corefscope nec gold.conll a=1.conll b=2.conll --tables all --format latex
      corefscope nec gold.conll a=1.conll b=2.conll --layout paper --caption
      corefscope nec gold.conll system.conll --preset paper --genres nw,bn,mz
      corefscope nec gold.conll system.conll --detail --format csv -o chains.csv
    """

    key: Annotated[str, KEY]
    responses: Annotated[tuple[str, ...], RESPONSES]
    reading: ReadingParameters
    types: Annotated[
        str | None,
        option(
            "--types",
            metavar="LIST",
            help="Entity types to measure, among those that tags are mapped to (default: "
            "PER,ORG,GPE).",
        ),
    ]
    maps: Annotated[
        tuple[str, ...],
        option(
            "--map",
            "maps",
            metavar="TAG=TYPE,...",
            multiple=True,
            help="Map tags of the corpus to types, such as LOC=GPE,FAC=GPE; may be repeated.",
        ),
    ]
    names: Annotated[str | None, NAMES]
    heads: Annotated[
        HeadsChoice | None,
        option(
            "--heads",
            type=choice(HeadsChoice),
            show_default="auto",
            help="Annotation that determines the head of a mention.",
        ),
    ]
    preset: Annotated[
        NecPreset,
        option(
            "--preset",
            type=choice(NecPreset),
            default="default",
            help="Which names head a mention: as usual, or as the paper says, literally.",
        ),
    ]
    genres: Annotated[
        str | None,
        option(
            "--genres",
            metavar="LIST",
            help="Use only documents whose names begin with one of these, such as nw,bn,mz.",
        ),
    ]
    singletons: Annotated[Singletons | None, singletons_option("keep")]
    profile: Annotated[str | None, PROFILE]
    matching: Annotated[AnalysisOptions, MATCHING]
    document: Annotated[str | None, DOCUMENT]
    tables: Annotated[
        str | None,
        option("--tables", metavar="LIST", help="Print tables 3 and 4 of the paper, drop, or all."),
    ]
    detail: Annotated[
        bool, flag("--detail", help="Print one row per key entity, to check scores by hand.")
    ]
    most: Annotated[
        int,
        option(
            "--most",
            metavar="N",
            type=click.IntRange(min=0),
            default=10,
            help="How many entities of each kind to list below the table.",
        ),
    ]
    layout: Annotated[Layout, LAYOUT]
    caption: Annotated[bool, CAPTION]
    format: Annotated[OutputFormat, format_option(OutputFormat)]
    csv_raw: Annotated[bool, CSV_RAW]
    output: Annotated[str | None, OUTPUT]

    @property
    def genre_names(self) -> tuple[str, ...]:
        """The prefixes of document names."""
        genres = (genre.strip() for genre in (self.genres or "").split(","))
        return tuple(genre for genre in genres if genre)


CONFLICTS: Conflicts[NecOptions] = (
    *LAYOUTS,
    excludes("--layout paper", "--tables", "--detail"),
    excludes("--detail", "--tables"),
    lambda o: (
        "--genres takes prefixes of document names, such as nw,bn,mz"
        if o.genres is not None and not o.genre_names
        else ""
    ),
)


def run(options: NecOptions) -> int:
    """Measure named entity coreference and print the scores."""
    from corefscope.cli.printing import caption_for, emit, emit_json, print_tables
    from corefscope.cli.reading import inputs_of, named_beside, singletons_of, status
    from corefscope.named_entities import NecSettings
    from corefscope.named_entities.record import nec_result
    from corefscope.named_entities.tables import TABLES
    from corefscope.options import make_options
    from corefscope.results.table import table_record

    systems = named_beside(options.key, options.responses)
    choices = _choices(options)
    wanted = _wanted(options.tables) if options.tables else []
    pairing = make_options(profile=options.profile, **options.matching)
    inputs = inputs_of(options.reading, pairing, options.document)
    settings = NecSettings(
        options=choices,
        singletons=singletons_of(options.singletons, options.profile, pairing, "keep"),
        genres=options.genre_names,
    )
    evaluation = _evaluation(options, pairing, settings, systems, inputs)
    findings = each_once(f for s in evaluation for f in s.named_entities.findings)
    show_findings(findings)
    format, output = options.format, options.output
    if format == "json":
        tables = [table_record(name, TABLES[name](evaluation)) for name in wanted]
        result = nec_result(
            options.key, evaluation, findings, with_detail=options.detail, tables=tables
        )
        emit_json(result, output)
    elif format == "csv":
        emit(_csv(evaluation, wanted, options), options.output)
    elif options.layout == "paper":
        # Imported here because the usual tables need none of it.
        from corefscope.named_entities.tables import paper_types

        caption = caption_for(options.caption, format, output)
        print_tables([paper_types(evaluation, caption=caption)], format, output)
    else:
        shown = _tables(evaluation, wanted, options)
        print_tables(shown, format, output, after=_stories(evaluation, options))
    return status(inputs)


def _choices(options: NecOptions) -> Choices:
    """Return the chosen options of NEC."""
    from corefscope.named_entities.options import TYPES, make_nec_options

    maps = [each.strip() for text in options.maps for each in text.split(",")]
    types = {**TYPES, **_pairs(maps)}
    if options.types is not None:
        wanted = [type.strip() for type in options.types.split(",")]
        for type in wanted:
            if type not in types.values():
                raise UnknownName("entity type", type, list(dict.fromkeys(types.values())))
        types = {tag: type for want in wanted for tag, type in types.items() if type == want}
    return make_nec_options(options.preset, types, options.heads or "auto")


def _pairs(texts: Sequence[str]) -> dict[str, str]:
    """Parse the TAG=TYPE texts of --map; refuse a repeated tag."""
    pairs: dict[str, str] = {}
    for name, value in map(_split, texts):
        if name in pairs:
            raise click.UsageError(
                f"--map is given twice for {name}: {name}={pairs[name]} and {name}={value}; use one"
            )
        pairs[name] = value
    return pairs


def _split(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise click.UsageError(f"--map takes TAG=TYPE, not {text!r}")
    return name.strip(), value.strip()


def _wanted(text: str) -> list[str]:
    """Parse a list of tables such as ``3,4`` or ``all``."""
    from corefscope.named_entities.tables import TABLES

    names = list(TABLES) if text.strip() == "all" else [part.strip() for part in text.split(",")]
    for name in names:
        if name not in TABLES:
            raise UnknownName("table", name, [*TABLES, "all"])
    return names


def _evaluation(
    options: NecOptions,
    pairing: Options,
    settings: NecSettings,
    systems: Sequence[Given],
    inputs: Inputs,
) -> Evaluation:
    """Return the evaluation of the requested documents."""
    from corefscope.evaluation import Evaluation
    from corefscope.inputs import System
    from corefscope.named_entities.measure import only_genres

    gold = inputs.key(options.key, systems)
    names = _names(options, gold, inputs.document)
    whole = inputs.chosen(gold)
    key, read = whole, []
    for system in inputs.systems(gold, systems, pairing, with_scores=False):
        key, theirs = only_genres(whole, system.response, options.genre_names, pairing.pair_by)
        read.append(System(system.name, system.path, theirs))
    if names is not None:
        names = names.without(name for name in whole.document_names if name not in key)
    return Evaluation(
        key=key,
        key_path=options.key,
        systems=read,
        options=pairing,
        nec_settings=settings,
        names=names,
        bar=progress_bar,
    )


def _names(options: NecOptions, key: Corpus, document: str | None) -> NamesOfFile | None:
    """Return the named entities of the file of names, if there is one."""
    from corefscope.named_entities.names_file import as_names

    names = as_names(options.names, key.document_names, options.matching["pair_by"])
    if names is not None and document is not None:
        return names.only(document)
    return names


def _csv(evaluation: Evaluation, wanted: Sequence[str], options: NecOptions) -> str:
    from corefscope.named_entities.tables import detail
    from corefscope.results.rows import of_systems
    from corefscope.results.table import as_csv, as_tables_csv, rows_as_csv

    if options.detail:
        table = detail(evaluation)
        return as_csv(table.names, table.values, raw=options.csv_raw)
    if wanted:
        tables = _tables(evaluation, wanted, options)
        return as_tables_csv(list(zip(wanted, tables, strict=True)), raw=options.csv_raw)
    rows = of_systems((system.name, system.named_entities) for system in evaluation)
    return rows_as_csv(rows, raw=options.csv_raw)


def _tables(evaluation: Evaluation, wanted: Sequence[str], options: NecOptions) -> list[Table]:
    from corefscope.named_entities.tables import TABLES, detail, drop, overview

    if options.detail:
        tables = [detail(evaluation)]
    elif wanted:
        tables = [TABLES[name](evaluation) for name in wanted]
    else:
        tables = [overview(evaluation)] + ([drop(evaluation)] if len(evaluation) > 1 else [])
    signatures = dict.fromkeys(system.named_entities.signature for system in evaluation)
    return [
        replace(
            table,
            heading=table.heading or [table.title or ""],
            # A score without its signature cannot be compared with others.
            notes=list(dict.fromkeys([*table.notes, *signatures])),
        )
        for table in tables
    ]


def _stories(evaluation: Evaluation, options: NecOptions) -> str:
    """List the entities that were not found, split or combined, below the overview."""
    from corefscope.cli.printing import wrapped_for
    from corefscope.error_analysis.tables.context import Context
    from corefscope.named_entities.tables import stories

    if options.format != "table" or options.tables or options.detail or not options.most:
        return ""
    lines: list[str] = []
    for system in evaluation:
        told = stories(system, Context(evaluation.key, system.corpus), options.most)
        heading = ["", f"{system.name}:"] if told and len(evaluation) > 1 else []
        lines += [*heading, *told]
    return "".join(f"{line}\n" for line in wrapped_for(options.output, lines))


command = command_of(NecOptions, run, CONFLICTS)
