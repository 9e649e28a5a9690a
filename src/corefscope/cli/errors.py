"""``corefscope errors``."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import click
from msgspec import Struct
from msgspec.structs import replace

from corefscope.choices import AnalysisOptions, Singletons
from corefscope.cli.messages import each_once, progress_bar, say, show_findings
from corefscope.cli.parameters import (
    CAPTION,
    CSV_RAW,
    DOCUMENT,
    KEY,
    LAYOUT,
    LAYOUTS,
    MATCHING,
    OUTPUT,
    PROFILE,
    RESPONSES,
    DocumentsOutput,
    Layout,
    ReadingParameters,
    choice,
    flag,
    format_option,
    option,
    singletons_option,
)
from corefscope.cli.typed import Conflicts, command_of, excludes, requires, words_of
from corefscope.escaping import visible
from corefscope.findings import Finding

if TYPE_CHECKING:
    from corefscope.error_analysis.cost import EntityCost
    from corefscope.error_analysis.kinds import ErrorType
    from corefscope.error_analysis.selection import Condition
    from corefscope.error_analysis.tables.listing import Listed
    from corefscope.evaluation import EvaluatedSystem, Evaluation
    from corefscope.inputs import Given, Inputs
    from corefscope.options import Options
    from corefscope.results.table import Table


ErrorsFormat: TypeAlias = Literal["table", "json", "jsonl", "csv", "markdown", "latex"]
Mode: TypeAlias = Literal["standard", "berkeley"]
LAST_TABLE = 11
GAINS_TABLE = 10
"""The table of the paper with the gains of corrections."""


def _numbers(_: click.Context, __: click.Parameter, text: str | None) -> tuple[int, ...]:
    """Parse a list of tables such as ``1,3-5`` or ``all``."""
    if text is None:
        return ()
    if text.strip() == "all":
        return tuple(range(1, LAST_TABLE + 1))
    numbers: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d+)\s*(?:-\s*(\d+)\s*)?", part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last <= LAST_TABLE:
            raise click.UsageError(f"no table {part.strip()!r}; expected 1 to {LAST_TABLE}")
        numbers += range(first, last + 1)
    return tuple(dict.fromkeys(numbers))


class CountingParameters(Struct, frozen=True, kw_only=True):
    """How to count errors."""

    mode: Annotated[
        Mode,
        option(
            "--mode",
            type=choice(Mode),
            default="standard",
            help="Rules of counting; berkeley gives the counts of the published tool.",
        ),
    ]
    singletons: Annotated[Singletons | None, singletons_option("drop")]


class ErrorsOptions(Struct, frozen=True, kw_only=True):
    """Find the errors of one or more RESPONSEs and what they cost.

    Transforms each response into the KEY and counts errors of seven types (Kummerfeld & Klein
    2013). --tables prints the tables of the paper, --groups shows entities that are confused with
    each other, --list prints every error. --type and --where select errors.

    \b
    Examples:
      corefscope errors gold.conll system.conll
      corefscope errors gold.conll a=1.conll b=2.conll --tables all --format latex
      corefscope errors gold.conll system.conll --groups --type missing_mention
      corefscope errors gold.conll ours.conll --list --where text=it
      corefscope errors gold.conll system.conll --impact --corrected corrected/
    """

    key: Annotated[str, KEY]
    responses: Annotated[tuple[str, ...], RESPONSES]
    reading: ReadingParameters
    tables: Annotated[
        tuple[int, ...],
        option(
            "--tables",
            metavar="LIST",
            callback=_numbers,
            help="Print tables of the paper by number, such as 1,3-5, or all.",
        ),
    ]
    groups: Annotated[
        bool, flag("--groups", help="Show groups of confused entities with their mentions.")
    ]
    list_: Annotated[bool, flag("--list", "list_", help="List every error.")]
    types: Annotated[
        tuple[str, ...],
        option(
            "--type",
            "types",
            metavar="TYPE",
            multiple=True,
            help="Select errors of this type, such as missing_mention; may be repeated.",
        ),
    ]
    where: Annotated[
        tuple[str, ...],
        option(
            "--where",
            metavar="CONDITION",
            multiple=True,
            help="Select errors by a property: text=it, mention_type=name, size>=3, text~mayor; "
            "may be repeated.",
        ),
    ]
    impact: Annotated[
        bool, flag("--impact", help="Measure the gain of correcting each type of error.")
    ]
    corrected: Annotated[
        str | None,
        option(
            "--corrected",
            metavar="DIR",
            type=DocumentsOutput(),
            help="Write corrected responses to this folder.",
        ),
    ]
    metrics: Annotated[
        str | None, option("--metrics", metavar="LIST", help="Metrics of --impact (default: all).")
    ]
    cost: Annotated[
        str,
        option(
            "--cost",
            metavar="METRIC",
            default="conll",
            help="Metric by which the costliest entities are ranked.",
        ),
    ]
    most: Annotated[
        int,
        option(
            "--most",
            metavar="N",
            type=click.IntRange(min=0),
            default=5,
            help="How many of the costliest entities to show.",
        ),
    ]
    rules: CountingParameters
    profile: Annotated[str | None, PROFILE]
    matching: Annotated[AnalysisOptions, MATCHING]
    document: Annotated[str | None, DOCUMENT]
    layout: Annotated[Layout, LAYOUT]
    caption: Annotated[bool, CAPTION]
    format: Annotated[ErrorsFormat, format_option(ErrorsFormat)]
    csv_raw: Annotated[bool, CSV_RAW]
    output: Annotated[str | None, OUTPUT]

    @property
    def selects(self) -> bool:
        """Whether only some errors are wanted."""
        return bool(self.types or self.where)

    @property
    def shows_list(self) -> bool:
        """Whether errors are listed."""
        return self.list_ or self.format == "jsonl" or (self.selects and self.format == "csv")

    @property
    def shows_groups(self) -> bool:
        """Whether groups of confused entities are shown."""
        is_default = self.selects and not self.shows_list and self.format == "table"
        return self.groups or is_default

    @property
    def shown(self) -> list[str]:
        """The options that replace the overview."""
        asked = {
            "--tables": bool(self.tables),
            "--groups": self.shows_groups,
            "--list": self.shows_list,
        }
        return [option for option, is_asked in asked.items() if is_asked]


def _printed_otherwise(options: ErrorsOptions) -> str:
    """Say what is printed in no such format."""
    shown, format = options.shown, options.format
    if options.selects and options.tables and not (options.list_ or options.groups):
        return "--type and --where cannot be combined with --tables; use --list or --groups"
    if options.selects and not (options.shows_list or options.shows_groups):
        return "--type and --where select errors; add --list or --groups"
    if len(shown) > 1 and format != "json":
        return f"choose one of {', '.join(shown)}"
    if options.impact and format == "csv" and shown == ["--tables"]:
        return "--impact cannot be combined with --tables in --format csv"
    if options.impact and format != "json" and shown not in ([], ["--tables"]):
        return f"--impact can be combined with {shown[0]} only in --format json"
    if options.metrics and not options.impact and GAINS_TABLE not in options.tables:
        return "--metrics requires --impact or --tables 10"
    return ""


CONFLICTS: Conflicts[ErrorsOptions] = (
    *LAYOUTS,
    excludes("--layout paper", "--tables", "--groups", "--list", "--type", "--where", "--impact"),
    excludes("--impact", "--type", "--where"),
    requires("--groups", "--format table"),
    excludes("--list", "--format markdown", "--format latex"),
    _printed_otherwise,
)


Line = list[tuple[str, str]]
"""Pieces of text with their styles."""


def run(options: ErrorsOptions) -> int:
    """Analyse responses, print their errors, and write corrected responses on request."""
    from corefscope.cli.reading import inputs_of, named_beside, status
    from corefscope.error_analysis.cost import cost_metric
    from corefscope.error_analysis.selection import Condition, known_types
    from corefscope.metrics import choose, metric_names, without_text
    from corefscope.options import make_options

    systems = named_beside(options.key, options.responses)
    chosen = _Choice(known_types(options.types), list(map(Condition.parse, options.where)))
    cost_metric(options.cost)
    without_text(choose(metric_names(options.metrics)))
    folders = _corrected_folders(options.corrected, systems)
    pairing = make_options(profile=options.profile, **options.matching)
    inputs = inputs_of(options.reading, pairing, options.document)
    evaluation = _evaluation(options, pairing, systems, inputs)
    findings = each_once(f for system in evaluation for f in system.errors.findings)
    for system, folder in zip(evaluation, folders, strict=False):
        findings += _write_corrected(system, folder)
    show_findings(findings)
    _print(evaluation, chosen, findings, options)
    return status(inputs)


class _Choice(Struct, frozen=True):
    """The selected types and conditions."""

    types: Sequence[ErrorType]
    where: Sequence[Condition]

    def of(self, evaluation: Evaluation) -> Listed:
        """Return the selected errors of each system."""
        from corefscope.error_analysis.selection import select

        return [
            (system.name, select(system.errors.records, self.types, self.where))
            for system in evaluation
        ]


def _evaluation(
    options: ErrorsOptions, pairing: Options, systems: Sequence[Given], inputs: Inputs
) -> Evaluation:
    from corefscope.cli.reading import singletons_of
    from corefscope.error_analysis import ErrorOptions
    from corefscope.evaluation import Evaluation

    singletons = singletons_of(options.rules.singletons, options.profile, pairing, "drop")
    key = inputs.key(options.key, systems)
    return Evaluation(
        key=inputs.chosen(key),
        key_path=options.key,
        systems=inputs.systems(key, systems, pairing, with_scores=False),
        options=pairing,
        error_options=ErrorOptions(options.rules.mode, singletons),
        impact_metrics=_metrics(options),
        bar=progress_bar,
    )


def _metrics(options: ErrorsOptions) -> str | None:
    """Return the metrics of gains: the requested ones and those of Table 10."""
    from corefscope.error_analysis.tables import NEED_IMPACT
    from corefscope.error_analysis.tables.phenomena import TABLE_1

    if options.metrics is None or not NEED_IMPACT.intersection(options.tables):
        return options.metrics
    return ",".join([options.metrics, *(metric.id for metric in TABLE_1)])


def _needs_impact(options: ErrorsOptions) -> bool:
    """Return whether an option or a table needs the gains of corrections."""
    from corefscope.error_analysis.tables import NEED_IMPACT

    return options.impact or bool(NEED_IMPACT.intersection(options.tables))


def _print(
    evaluation: Evaluation, chosen: _Choice, findings: Sequence[Finding], options: ErrorsOptions
) -> None:
    """Print the result in the requested format."""
    from corefscope.cli.printing import caption_for, emit, print_tables

    if options.format == "json":
        emit(_json(evaluation, chosen, findings, options), options.output)
    elif options.shows_groups:
        most = MOST_GROUPS if options.output is None else None
        _page(_groups(evaluation, chosen.of(evaluation), most), options.output)
    elif options.shows_list:
        _print_list(evaluation, chosen, options)
    elif options.format == "csv":
        emit(_csv(evaluation, options), options.output)
    elif options.layout == "paper":
        # Imported here because the usual tables need none of it.
        from corefscope.error_analysis.tables.result import paper_counts

        caption = caption_for(options.caption, options.format, options.output)
        table = paper_counts(evaluation, caption=caption)
        print_tables([table], options.format, options.output)
    else:
        tables = _tables(evaluation, options)
        print_tables(tables, options.format, options.output, after=_costs(evaluation, options))


def _json(
    evaluation: Evaluation, chosen: _Choice, findings: Sequence[Finding], options: ErrorsOptions
) -> str:
    from corefscope.error_analysis.record import errors_result
    from corefscope.error_analysis.tables import numbered_table
    from corefscope.results.record import as_json
    from corefscope.results.table import table_record

    listed = [errors for _, errors in chosen.of(evaluation)] if options.shows_list else None
    result = errors_result(
        evaluation.key_path,
        evaluation,
        findings,
        lists=listed,
        costs=(options.cost, options.most),
        with_impact=_needs_impact(options),
        tables=[table_record(n, numbered_table(n, evaluation)) for n in options.tables],
    )
    return as_json(result) + "\n"


MOST_GROUPS = 10
"""How many groups are shown of a system; a file has all of them."""


def _groups(evaluation: Evaluation, chosen: Listed, most: int | None) -> list[Line]:
    from corefscope.error_analysis.tables.groups import group_lines

    lines: list[Line] = []
    for (name, errors), system in zip(chosen, evaluation, strict=True):
        if len(evaluation) > 1:
            lines += [[(f"System {name}", "bold underline")], []]
        analysis = system.errors
        shown_lines = group_lines(analysis.documents, errors, analysis.matching, _width(), most)
        lines += [[(segment.text, segment.style) for segment in line] for line in shown_lines]
        if not errors:
            lines.append([("no such errors", "")])
    if any(line and line[0][0].startswith("… and") for line in lines):
        how = "Choose groups with --document, --type or --where; -o FILE writes all of them."
        lines += [[], [(how, "dim")]]
    return lines


def _width() -> int:
    """Return the width of the terminal within readable limits, or 80 without a terminal."""
    from corefscope.cli.printing import is_terminal

    return max(60, min(shutil.get_terminal_size().columns, 120)) if is_terminal() else 80


def _page(lines: Sequence[Line], output: str | None) -> None:
    """Show lines in a pager with colours, or print them plainly; escape control characters."""
    from corefscope.cli.printing import emit, is_terminal

    lines = [[(visible(text), style) for text, style in line] for line in lines]
    if is_terminal() and output is None:
        # Imported here because output to a pipe has no colours.
        from corefscope.results.terminal import painted

        # The usual pager shows colours, and ends after less than a page, only if it is told so.
        os.environ.setdefault("LESS", "-FRX")
        click.echo_via_pager(painted(lines), color=True)
    else:
        plain = ("".join(text for text, _ in line).rstrip() + "\n" for line in lines)
        emit("".join(plain), output)


def _print_list(evaluation: Evaluation, chosen: _Choice, options: ErrorsOptions) -> None:
    from corefscope.cli.printing import emit, emit_rows
    from corefscope.error_analysis.records import error_row, shown_properties
    from corefscope.error_analysis.tables.listing import as_jsonl, as_list_text

    listed = chosen.of(evaluation)
    if options.format == "table":
        matchings = [system.errors.matching for system in evaluation]
        text = list(as_list_text(listed, matchings)) or ["no such errors"]
        _page([[(line, "")] for line in text], options.output)
    elif options.format == "csv":
        columns = shown_properties([e for _, errors in listed for e in errors], chosen.types)
        rows = [{"system": s, **error_row(e, columns)} for s, errors in listed for e in errors]
        emit_rows(rows, options.csv_raw, options.output, ["system", *columns])
    else:
        emit(as_jsonl(listed), options.output)


def _tables(evaluation: Evaluation, options: ErrorsOptions) -> list[Table]:
    from corefscope.error_analysis.tables import numbered_table
    from corefscope.error_analysis.tables.phenomena import gains
    from corefscope.error_analysis.tables.result import overview

    if not options.tables:
        tables = overview(evaluation, _needs_impact(options))
    else:
        tables = [numbered_table(number, evaluation) for number in options.tables]
        tables += gains(evaluation) if options.impact else []
    return [replace(t, heading=t.heading or [t.title or ""]) for t in tables]


def _csv(evaluation: Evaluation, options: ErrorsOptions) -> str:
    from corefscope.error_analysis.tables import numbered_table
    from corefscope.error_analysis.tables.result import count_rows
    from corefscope.results.rows import of_systems
    from corefscope.results.table import as_tables_csv, rows_as_csv

    if options.tables:
        return as_tables_csv(
            [(number, numbered_table(number, evaluation)) for number in options.tables],
            raw=options.csv_raw,
        )
    rows = list(count_rows(evaluation))
    if _needs_impact(options):
        rows = of_systems((system.name, system.impact) for system in evaluation)
    return rows_as_csv(rows, raw=options.csv_raw)


def _costs(evaluation: Evaluation, options: ErrorsOptions) -> str:
    """Describe the costliest entities, if the overview is printed."""
    from corefscope.cli.printing import wrapped_for
    from corefscope.error_analysis.tables.result import cost_lines

    if options.format != "table" or options.tables or not options.most:
        return ""
    parts = []
    for system in evaluation:
        title = [f"{system.name}:"] if len(evaluation) > 1 else []
        see = partial(_command, system, options)
        lines = cost_lines(system, options.cost, options.most, see)
        # A command is copied as one line.
        *told, last = ["", *title, *lines]
        shown = [*wrapped_for(options.output, told), visible(last)]
        parts.append("\n".join(shown) + "\n")
    return "".join(parts)


def _command(system: EvaluatedSystem, options: ErrorsOptions, cost: EntityCost) -> str:
    """Return the command that shows the errors of an entity with the same options."""
    from corefscope.matching.documents import short_name

    path = system.path
    # Without a name, the part of the path before "=" would be taken for one.
    response = f"{system.name}={path}" if "=" in path else path
    words = words_of(options, "reading", "rules", "profile", "matching")
    begin = shlex.join(["corefscope", "errors", options.key, response, *words])
    names = system.evaluation.key.document_names
    document = shlex.quote(visible(short_name(cost.document, names)))
    return f"{begin} --document {document} --where group={cost.group}"


def _corrected_folders(folder: str | None, systems: Sequence[Given]) -> list[Path]:
    """Return the folder of each system's corrected responses; refuse one with other files."""
    from corefscope.error_analysis.files import check_folder

    if folder is None:
        return []
    folders = [Path(folder, name) for name in _folder_names([s.name for s in systems])]
    for each in folders:
        check_folder(each)
    return folders


def _write_corrected(system: EvaluatedSystem, folder: Path) -> list[Finding]:
    """Write corrected versions of a response; return the findings."""
    from corefscope.error_analysis.files import versions, write_corrected

    with progress_bar(f"correcting {system.name}", len(versions())) as advance:
        files, findings = write_corrected(system.errors, folder, advance)
    say(f"wrote {len(files)} corrected responses to {visible(str(folder))}")
    say("score them against the key in this folder, which is the key as analysed")
    return findings


def _folder_names(systems: Sequence[str]) -> list[str]:
    """Return a distinct folder name for each system."""
    names: list[str] = []
    for system in systems:
        name = re.sub(r"[^\w.-]+", "_", system).strip(".") or "system"
        free = (f"{name}-{n}" if n else name for n in count())
        names.append(next(candidate for candidate in free if candidate not in names))
    return names


command = command_of(ErrorsOptions, run, CONFLICTS)
