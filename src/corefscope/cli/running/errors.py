"""Run ``corefscope errors``."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Sequence
from functools import partial
from itertools import count
from pathlib import Path

import click
from msgspec import Struct
from msgspec.structs import replace

from corefscope.cli.errors import ErrorsOptions
from corefscope.cli.messages import each_once, progress_bar, say, show_findings
from corefscope.cli.printing import caption_for, emit, is_terminal, print_tables
from corefscope.cli.reading import inputs_of, named_beside, singletons_of, status
from corefscope.cli.typed import words_of
from corefscope.error_analysis import ErrorOptions
from corefscope.error_analysis.cost import EntityCost, cost_metric
from corefscope.error_analysis.files import check_folder, versions, write_corrected
from corefscope.error_analysis.kinds import ErrorType
from corefscope.error_analysis.selection import Condition, known_types, select
from corefscope.escaping import visible
from corefscope.evaluation import EvaluatedSystem, Evaluation
from corefscope.findings import Finding
from corefscope.inputs import Given, Inputs
from corefscope.metrics import choose, metric_names, without_text
from corefscope.options import Options, make_options
from corefscope.rendering.errors import NEED_IMPACT, numbered_table
from corefscope.rendering.errors.groups import group_lines
from corefscope.rendering.errors.listing import Listed, as_jsonl, as_list_csv, as_list_text
from corefscope.rendering.errors.phenomena import TABLE_1, gains
from corefscope.rendering.errors.result import as_counts_csv, cost_lines, overview
from corefscope.results.record import as_json
from corefscope.results.table import Table, as_tables_csv, table_record
from corefscope.serialization.errors import errors_result

Line = list[tuple[str, str]]
"""Pieces of text with their styles."""


def run(options: ErrorsOptions) -> int:
    """Analyse responses, print their errors, and write corrected responses on request."""
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
        return [
            (system.name, select(system.errors.records, self.types, self.where))
            for system in evaluation
        ]


def _evaluation(
    options: ErrorsOptions, pairing: Options, systems: Sequence[Given], inputs: Inputs
) -> Evaluation:
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
    if options.metrics is None or not NEED_IMPACT.intersection(options.tables):
        return options.metrics
    return ",".join([options.metrics, *(metric.id for metric in TABLE_1)])


def _needs_impact(options: ErrorsOptions) -> bool:
    """Return whether an option or a table needs the gains of corrections."""
    return options.impact or bool(NEED_IMPACT.intersection(options.tables))


def _print(
    evaluation: Evaluation, chosen: _Choice, findings: Sequence[Finding], options: ErrorsOptions
) -> None:
    """Print the result in the requested format."""
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
        from corefscope.rendering.paper import errors_table

        caption = caption_for(options.caption, options.format, options.output)
        table = errors_table(evaluation, caption=caption)
        print_tables([table], options.format, options.output)
    else:
        tables = _tables(evaluation, options)
        print_tables(tables, options.format, options.output, after=_costs(evaluation, options))


def _json(
    evaluation: Evaluation, chosen: _Choice, findings: Sequence[Finding], options: ErrorsOptions
) -> str:
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
    return max(60, min(shutil.get_terminal_size().columns, 120)) if is_terminal() else 80


def _page(lines: Sequence[Line], output: str | None) -> None:
    """Show lines in a pager with colours, or print them plainly; escape control characters."""
    lines = [[(visible(text), style) for text, style in line] for line in lines]
    if is_terminal() and output is None:
        # Imported here because output to a pipe has no colours.
        from corefscope.results.terminal import painted

        click.echo_via_pager(painted(lines), color=True)
    else:
        plain = ("".join(text for text, _ in line).rstrip() + "\n" for line in lines)
        emit("".join(plain), output)


def _print_list(evaluation: Evaluation, chosen: _Choice, options: ErrorsOptions) -> None:
    listed = chosen.of(evaluation)
    if options.format == "table":
        matchings = [system.errors.matching for system in evaluation]
        text = list(as_list_text(listed, matchings)) or ["no such errors"]
        _page([[(line, "")] for line in text], options.output)
    elif options.format == "csv":
        emit(as_list_csv(listed, chosen.types, raw=options.csv_raw), options.output)
    else:
        emit(as_jsonl(listed), options.output)


def _tables(evaluation: Evaluation, options: ErrorsOptions) -> list[Table]:
    if not options.tables:
        tables = overview(evaluation, _needs_impact(options))
    else:
        tables = [numbered_table(number, evaluation) for number in options.tables]
        tables += gains(evaluation) if options.impact else []
    return [replace(t, heading=t.heading or [t.title or ""]) for t in tables]


def _csv(evaluation: Evaluation, options: ErrorsOptions) -> str:
    if options.tables:
        return as_tables_csv(
            [(number, numbered_table(number, evaluation)) for number in options.tables],
            raw=options.csv_raw,
        )
    return as_counts_csv(evaluation, _needs_impact(options), raw=options.csv_raw)


def _costs(evaluation: Evaluation, options: ErrorsOptions) -> str:
    """Describe the costliest entities, if the overview is printed."""
    if options.format != "table" or options.tables or not options.most:
        return ""
    parts = []
    for system in evaluation:
        title = [f"{system.name}:"] if len(evaluation) > 1 else []
        see = partial(_command, system, options)
        lines = cost_lines(system, options.cost, options.most, see)
        parts.append("\n".join(map(visible, ["", *title, *lines])) + "\n")
    return "".join(parts)


def _command(system: EvaluatedSystem, options: ErrorsOptions, cost: EntityCost) -> str:
    """Return the command that shows the errors of an entity with the same options."""
    path = system.path
    # Without a name, the part of the path before "=" would be taken for one.
    response = f"{system.name}={path}" if "=" in path else path
    words = words_of(options, "reading", "rules", "profile", "matching")
    begin = shlex.join(["corefscope", "errors", options.key, response, *words])
    document = shlex.quote(visible(cost.document))
    return f"{begin} --document {document} --where group={cost.group}"


def _corrected_folders(folder: str | None, systems: Sequence[Given]) -> list[Path]:
    """Return the folder of each system's corrected responses; refuse one with other files."""
    if folder is None:
        return []
    folders = [Path(folder, name) for name in _folder_names([s.name for s in systems])]
    for each in folders:
        check_folder(each)
    return folders


def _write_corrected(system: EvaluatedSystem, folder: Path) -> list[Finding]:
    """Write corrected versions of a response; return the findings."""
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
