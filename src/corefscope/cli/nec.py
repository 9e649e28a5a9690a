"""``corefscope nec``: can a reader find everyone who has a name?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from corefscope.cli.common import (
    FORMAT_HELP,
    NAMED,
    Named,
    comparison_options,
    document_option,
    emit,
    format_option,
    named,
    output_option,
    print_tables,
    progress_bar,
    read_key,
    read_systems,
    reading_options,
    refuse_double_input,
    reports_errors,
    response_format,
    show_findings,
    singletons_option,
)
from corefscope.cli.outputs import Input

if TYPE_CHECKING:
    from corefscope.corpus import Corpus
    from corefscope.evaluation import Evaluation
    from corefscope.named_entities import NecOptions
    from corefscope.rendering.table import Table

FORMATS = ("table", "json", "csv", "markdown", "latex")


@click.command("nec")
@click.argument("key", required=False, metavar="KEY", type=Input())
@click.argument("responses", nargs=-1, metavar="RESPONSE...", type=NAMED)
@click.option("--key-format", metavar="FORMAT", help=FORMAT_HELP)
@reading_options
@response_format
@click.option(
    "--types",
    metavar="LIST",
    help="Entity types that count, of those that tags are mapped to; PER,ORG,GPE by default.",
)
@click.option(
    "--map",
    "maps",
    metavar="TAG=TYPE",
    multiple=True,
    help="Count a tag of the corpus as a type, such as LOC=GPE; may be repeated.",
)
@click.option(
    "--names", type=Input(dir_okay=False), help="Named entities from a file of their own."
)
@click.option(
    "--heads",
    type=click.Choice(["auto", "dependency", "constituency", "heuristic"]),
    show_default="auto",
    help="What tells the head of a mention.",
)
@click.option("--preset", metavar="NAME", help="Choices together: paper.")
@click.option(
    "--choice",
    "choice",
    metavar="NAME=VALUE",
    multiple=True,
    help="A choice that the paper leaves open, such as case=folded; see --choices.",
)
@click.option(
    "--choices",
    is_flag=True,
    help="List all values of --choice, and stop.",
)
@click.option("--genres", metavar="LIST", help="Documents whose names begin so, such as nw,bn,mz.")
@singletons_option("keep")
@comparison_options
@document_option
@click.option("--tables", metavar="LIST", help="Of 3 and 4 of the paper, and drop; or all.")
@click.option("--detail", is_flag=True, help="One row a key chain, to follow a score by hand.")
@click.option(
    "--most",
    metavar="N",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    help="How many entities of each kind are named below the table.",
)
@format_option(FORMATS)
@output_option
@reports_errors
def command(
    key: str | None, responses: tuple[str, ...], key_format: str | None, **given: Any
) -> None:
    """Measure named entity coreference: who of those that have a name is found, and how well.

    Prints NEC F1 by entity type (Agarwal et al. 2019), the entities that were not found, and those
    that were split or combined, by name. The corpus needs named entities.

    \b
    Examples:
      corefscope nec gold.conll system.conll
      corefscope nec gold.conll a=run1.conll b=run2.conll --tables all --format latex
      corefscope nec gold.conll system.conll --preset paper --genres nw,bn,mz
      corefscope nec gold.conll system.conll --detail --format csv -o chains.csv
    """
    if given["choices"]:
        emit(_shown_choices(given["format_"]), given["output"])
        return
    if key is None or not responses:
        raise click.UsageError("expected KEY and a response or more (or --choices)")
    systems = named(responses)
    refuse_double_input(key, systems)
    options = _options(given)
    if given["detail"] and given["tables"]:
        raise click.UsageError("choose one of --detail, --tables")
    wanted = _wanted(given["tables"]) if given["tables"] else []
    gold = read_key(key, key_format, given["document"])
    evaluation = _evaluation(key, gold, systems, options, given)
    findings = list(dict.fromkeys(f for s in evaluation for f in s.named_entities.findings))
    show_findings(findings)
    if given["format_"] == "json":
        from corefscope.rendering.named_entities import TABLES
        from corefscope.rendering.table import table_record
        from corefscope.serialization.common import as_json
        from corefscope.serialization.named_entities import nec_result

        tables = [table_record(name, TABLES[name](evaluation)) for name in wanted]
        detail = given["detail"]
        record = nec_result(key, evaluation, findings, with_detail=detail, tables=tables)
        emit(as_json(record) + "\n", given["output"])
    else:
        _print(evaluation, given)


def _options(given: dict[str, Any]) -> NecOptions:
    from corefscope.exceptions import UnknownName
    from corefscope.named_entities.options import TYPES, make_nec_options

    chosen = _pairs(given["choice"], "--choice")
    types = {**TYPES, **_pairs(given["maps"], "--map")}
    if given["types"] is not None:
        wanted = [type.strip() for type in given["types"].split(",")]
        for type in wanted:
            if type not in types.values():
                raise UnknownName("entity type", type, list(dict.fromkeys(types.values())))
        types = {tag: type for want in wanted for tag, type in types.items() if type == want}
    if given["heads"] is not None:
        if "heads" in chosen:
            raise click.UsageError("--heads and --choice heads=… cannot be combined; use one")
        chosen["heads"] = given["heads"]
    return make_nec_options(given["preset"], types, **chosen)


def _pairs(texts: Sequence[str], option: str) -> dict[str, str]:
    """Read NAME=VALUE of an option that may be repeated, but not for the same name."""
    pairs: dict[str, str] = {}
    for name, value in (_split(text, option) for text in texts):
        if name in pairs:
            raise click.UsageError(
                f"{option} is given twice for {name}: {name}={pairs[name]} and {name}={value}; "
                "use one"
            )
        pairs[name] = value
    return pairs


def _split(text: str, option: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise click.UsageError(f"{option} takes NAME=VALUE, not {text!r}")
    return name.strip(), value.strip()


def _shown_choices(format: str) -> str:
    """Return the values and the default of each choice in a format."""
    from dataclasses import fields
    from typing import get_args, get_type_hints

    from corefscope.formatting import TEXT
    from corefscope.named_entities import NecOptions
    from corefscope.rendering.table import LAYOUTS, Table, as_csv, columns
    from corefscope.serialization.common import as_json
    from corefscope.serialization.named_entities import nec_choices_result

    hints, usual = get_type_hints(NecOptions), NecOptions()
    choices = {
        field.name: (get_args(hints[field.name]), getattr(usual, field.name))
        for field in fields(NecOptions)
        if field.name != "types"
    }
    if format == "table":
        lines = [
            f"{name:<16} " + " | ".join(f"[{v}]" if v == default else v for v in values)
            for name, (values, default) in choices.items()
        ]
        return "\n".join(["Values of --choice NAME=VALUE; defaults in brackets:", *lines]) + "\n"
    if format == "json":
        return as_json(nec_choices_result(choices)) + "\n"
    rows = [
        (name, value, "yes" if value == default else "")
        for name, (values, default) in choices.items()
        for value in values
    ]
    table = Table(columns(TEXT, "choice", "value", "default"), rows)
    return as_csv(table.names, rows) if format == "csv" else LAYOUTS[format](table)


def _evaluation(
    key: str, gold: Corpus, systems: Sequence[Named], options: NecOptions, given: dict[str, Any]
) -> Evaluation:
    from dataclasses import replace

    from corefscope.evaluation import Evaluation
    from corefscope.named_entities import NecSettings
    from corefscope.named_entities.measure import only_genres
    from corefscope.named_entities.names_file import as_names
    from corefscope.options import make_options

    names = as_names(given["names"])
    if names is not None:
        names = names.spelled_as(gold.document_names, given["pair_by"])
        if given["document"] is not None:
            names = names.only(given["document"])
    genres = [genre.strip() for genre in (given["genres"] or "").split(",") if genre.strip()]
    if given["genres"] is not None and not genres:
        raise click.UsageError("--genres takes the beginnings of names, such as nw,bn,mz")
    matching = make_options(**{name: given[name] for name in ("missing", "tokens", "pair_by")})
    whole, read = read_systems(gold, systems, matching, given["response_format"], given["document"])
    chosen = whole
    for place, system in enumerate(read):
        chosen, theirs = only_genres(whole, system.response, genres, given["pair_by"])
        read[place] = replace(system, corpus=theirs)
    if names is not None:
        names = names.without(name for name in whole.document_names if name not in chosen)
    return Evaluation(
        key=chosen,
        key_path=key,
        systems=read,
        options=matching,
        nec_settings=NecSettings(
            options=options, singletons=given["singletons"], genres=tuple(genres)
        ),
        names=names,
        bar=progress_bar,
    )


def _print(evaluation: Evaluation, given: dict[str, Any]) -> None:
    from corefscope.escaping import visible
    from corefscope.rendering.named_entities import as_nec_csv, detail
    from corefscope.rendering.table import as_csv, as_tables_csv

    format_, output = given["format_"], given["output"]
    tables = _tables(evaluation, given)
    stories = ""
    if format_ == "table" and not given["tables"] and not given["detail"]:
        stories = "".join(f"{visible(line)}\n" for line in _stories(evaluation, given["most"]))
    if format_ == "csv":
        if given["detail"]:
            table = detail(evaluation)
            emit(as_csv(table.names, table.values), output)
        elif given["tables"]:
            names = _wanted(given["tables"])
            emit(as_tables_csv(list(zip(names, tables, strict=True))), output)
        else:
            emit(as_nec_csv(evaluation), output)
    else:
        print_tables(tables, format_, output, after=stories)


def _tables(evaluation: Evaluation, given: dict[str, Any]) -> list[Table]:
    from corefscope.rendering.named_entities import TABLES, detail, drop, overview

    if given["detail"]:
        tables = [detail(evaluation)]
    elif given["tables"]:
        tables = [TABLES[name](evaluation) for name in _wanted(given["tables"])]
    else:
        tables = [overview(evaluation)] + ([drop(evaluation)] if len(evaluation) > 1 else [])
    signatures = dict.fromkeys(system.named_entities.signature for system in evaluation)
    return [
        replace(
            table,
            heading=table.heading or [table.title or ""],
            # A figure without its choices cannot be compared, least of all in a paper.
            notes=list(dict.fromkeys([*table.notes, *signatures])),
        )
        for table in tables
    ]


def _wanted(text: str) -> list[str]:
    """Read a list of tables such as ``3,4`` or ``all``."""
    from corefscope.exceptions import UnknownName
    from corefscope.rendering.named_entities import TABLES

    names = list(TABLES) if text.strip() == "all" else [part.strip() for part in text.split(",")]
    for name in names:
        if name not in TABLES:
            raise UnknownName("table", name, [*TABLES, "all"])
    return names


def _stories(evaluation: Evaluation, most: int) -> list[str]:
    from corefscope.rendering.named_entities import stories

    lines: list[str] = []
    for system in evaluation:
        told = stories(system, most) if most else []
        heading = ["", f"{system.name}:"] if told and len(evaluation) > 1 else []
        lines += [*heading, *told]
    return lines
