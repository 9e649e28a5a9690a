"""``corefscope errors``: what is wrong with it?"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from corefscope.cli.common import (
    Named,
    comparison_options,
    document_option,
    emit,
    format_option,
    is_terminal,
    key_argument,
    named,
    output_option,
    print_tables,
    progress_bar,
    read_key,
    read_systems,
    reading,
    refuse_double_input,
    reports_errors,
    responses_argument,
    say,
    show_findings,
    singletons_option,
)
from corefscope.cli.outputs import DocumentsOutput
from corefscope.escaping import visible

if TYPE_CHECKING:
    from corefscope.corpus import Corpus
    from corefscope.evaluation import EvaluatedSystem, Evaluation
    from corefscope.findings import Finding
    from corefscope.rendering.errors.listing import Listed
    from corefscope.rendering.table import Table

FORMATS = ("table", "json", "jsonl", "csv", "markdown", "latex")
LAST_TABLE = 11
ANALYSIS_OPTIONS = {
    "key_format": None,
    "response_format": None,
    "mode": "standard",
    "singletons": "drop",
    "missing": "empty",
    "tokens": "error",
    "pair_by": "auto",
}
"""Options that an analysis depends on, and their defaults."""


@click.command("errors")
@key_argument
@responses_argument
@click.option(
    "--tables",
    metavar="LIST",
    help="Tables of the paper by number, such as 1,3-5, or all.",
)
@click.option("--groups", is_flag=True, help="Show confusion groups, mention by mention.")
@click.option("--list", "list_", is_flag=True, help="List the errors one by one.")
@click.option(
    "--type",
    "types",
    metavar="TYPE",
    multiple=True,
    help="Only errors of this type, such as missing_mention; may be repeated.",
)
@click.option(
    "--where",
    metavar="CONDITION",
    multiple=True,
    help="Only errors with a property: text=it, mention_type=name, size>=3, text~mayor.",
)
@click.option("--impact", is_flag=True, help="Measure what correcting each type would gain.")
@click.option(
    "--corrected",
    metavar="DIR",
    type=DocumentsOutput(),
    help="Write corrected responses into this folder.",
)
@click.option(
    "--metrics",
    metavar="LIST",
    help="Metrics of --impact; all by default.",
)
@click.option(
    "--cost",
    metavar="METRIC",
    default="conll",
    show_default=True,
    help="The metric by which entities are ranked.",
)
@click.option(
    "--most",
    metavar="N",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    help="How many of the entities that cost most are named.",
)
@click.option(
    "--mode",
    type=click.Choice(["standard", "berkeley"]),
    default="standard",
    show_default=True,
    help="Our rules, or the counts that the published tool prints.",
)
@singletons_option("drop")
@comparison_options
@document_option
@format_option(FORMATS)
@output_option
@reports_errors
def command(key: str, responses: tuple[str, ...], key_format: str | None, **given: Any) -> None:
    """Find the errors of one or more RESPONSEs: what is wrong, and what it costs.

    Transforms each response into the KEY and counts seven types of errors (Kummerfeld & Klein
    2013). --tables prints the tables of the paper, --groups shows the entities that are confused,
    --list every error with its properties; --type and --where choose some of them.

    \b
    Examples:
      corefscope errors gold.conll system.conll
      corefscope errors gold.conll a=run1.conll b=run2.conll --tables all --format markdown
      corefscope errors gold.conll system.conll --groups --type missing_mention
      corefscope errors gold.conll system.conll --list --where text=it --format jsonl
      corefscope errors gold.conll system.conll --impact --corrected corrected/
    """
    systems = named(responses)
    refuse_double_input(key, systems)
    request = _Request({**given, "key_format": key_format})
    folders = _corrected_folders(given["corrected"], systems)
    gold = read_key(key, key_format, given["document"])
    evaluation = request.evaluation(key, gold, systems)
    findings = request.findings(evaluation)
    for system, folder in zip(evaluation, folders, strict=False):
        findings += _write_corrected(system, folder)
    show_findings(findings)
    request.print(evaluation, findings)


class _Request:
    """What was asked for."""

    def __init__(self, given: dict[str, Any]) -> None:
        from corefscope.error_analysis.cost import cost_metric
        from corefscope.error_analysis.selection import Condition, known_types
        from corefscope.metrics import choose, without_text

        self.given = given
        self.format = given["format_"]
        self.tables = _numbers(given["tables"])
        self.types = known_types(given["types"])
        self.where = [Condition.parse(text) for text in given["where"]]
        chosen = bool(self.types or self.where)
        self.list = given["list_"] or self.format == "jsonl" or (chosen and self.format == "csv")
        self.groups = given["groups"] or (chosen and not self.list and self.format == "table")
        cost_metric(given["cost"])
        without_text(choose((given["metrics"] or "all").split(",")))
        self._refuse_what_cannot_be_printed(chosen)

    def _refuse_what_cannot_be_printed(self, chosen: bool) -> None:
        """Refuse what was asked for together and is not printed together."""
        asked = [name for name in ("tables", "groups", "list") if getattr(self, name)]
        if chosen and self.tables and not self.given["list_"] and not self.given["groups"]:
            raise click.UsageError("--type and --where choose errors of --list, not of --tables")
        if len(asked) > 1 and self.format != "json":
            raise click.UsageError(f"choose one of {', '.join(f'--{name}' for name in asked)}")
        if self.groups and self.format != "table":
            raise click.UsageError(f"--groups are not printed as {self.format}")
        if self.list and self.format in ("markdown", "latex"):
            raise click.UsageError("--list is printed as table, json, jsonl or csv")
        if chosen and not (self.list or self.groups):
            raise click.UsageError("--type and --where choose errors: add --list or --groups")
        is_alone = not asked or (asked == ["tables"] and self.format != "csv")
        if self.given["impact"] and self.format != "json" and not is_alone:
            where = "as csv" if asked == ["tables"] else "but as json"
            raise click.UsageError(f"--impact is not printed with --{asked[0]} {where}")
        if self.given["metrics"] and not self.given["impact"] and 10 not in self.tables:
            raise click.UsageError("--metrics are those of --impact and of Table 10")

    @property
    def needs_impact(self) -> bool:
        """Whether what corrections gain is asked for, by itself or by a table."""
        from corefscope.rendering.errors import NEED_IMPACT

        return bool(self.given["impact"] or NEED_IMPACT.intersection(self.tables))

    def _metrics(self) -> str | None:
        """Return the metrics to measure gains in: those asked for, and those of Table 10."""
        from corefscope.rendering.errors import NEED_IMPACT
        from corefscope.rendering.errors.phenomena import TABLE_1

        asked = self.given["metrics"]
        if asked is None or not NEED_IMPACT.intersection(self.tables):
            return None if asked is None else str(asked)
        return ",".join([asked, *(metric.id for metric in TABLE_1)])

    def evaluation(self, key: str, gold: Corpus, systems: Sequence[Named]) -> Evaluation:
        """Read the responses."""
        from corefscope.error_analysis import ErrorOptions
        from corefscope.evaluation import Evaluation
        from corefscope.options import make_options

        names = ("missing", "tokens", "pair_by")
        options = make_options(**{name: self.given[name] for name in names})
        chosen, read = read_systems(
            gold, systems, options, self.given["response_format"], self.given["document"]
        )
        return Evaluation(
            key=chosen,
            key_path=key,
            systems=read,
            options=options,
            error_options=ErrorOptions(self.given["mode"], self.given["singletons"]),
            impact_metrics=self._metrics(),
            bar=progress_bar,
        )

    def findings(self, evaluation: Evaluation) -> list[Finding]:
        """Return what was found, each once."""
        found = (f for system in evaluation for f in system.errors.findings)
        return list(dict.fromkeys(found))

    def listed(self, evaluation: Evaluation) -> Listed:
        """Return the chosen errors of each system."""
        from corefscope.error_analysis.selection import select

        return [
            (system.name, select(system.errors.records, self.types, self.where))
            for system in evaluation
        ]

    def print(self, evaluation: Evaluation, findings: Sequence[Finding]) -> None:
        """Print the result in the format that was asked for."""
        output = self.given["output"]
        if self.format == "json":
            emit(self._json(evaluation, findings), output)
        elif self.groups:
            self._page(self._groups(evaluation))
        elif self.list:
            self._print_list(evaluation)
        elif self.format == "csv":
            emit(self._csv(evaluation), output)
        else:
            tables = self._shown_tables(evaluation)
            print_tables(tables, self.format, output, after=self._costs(evaluation))

    def _json(self, evaluation: Evaluation, findings: Sequence[Finding]) -> str:
        from corefscope.rendering.errors import numbered_table
        from corefscope.rendering.table import table_record
        from corefscope.serialization.common import as_json
        from corefscope.serialization.errors import errors_result

        result = errors_result(
            evaluation.key_path,
            evaluation,
            findings,
            lists=[errors for _, errors in self.listed(evaluation)] if self.list else None,
            costs=(self.given["cost"], self.given["most"]),
            with_impact=self.needs_impact,
            tables=[table_record(n, numbered_table(n, evaluation)) for n in self.tables],
        )
        return as_json(result) + "\n"

    def _groups(self, evaluation: Evaluation) -> list[list[tuple[str, str]]]:
        from corefscope.rendering.errors.groups import group_lines

        lines: list[list[tuple[str, str]]] = []
        for (name, errors), system in zip(self.listed(evaluation), evaluation, strict=True):
            if len(evaluation) > 1:
                lines += [[(f"System {name}", "bold underline")], []]
            analysis = system.errors
            shown = group_lines(analysis.documents, errors, analysis.comparison, _width())
            lines += [[(segment.text, segment.style) for segment in line] for line in shown]
            if not errors:
                lines.append([("no such errors", "")])
        return lines

    def _page(self, lines: list[list[tuple[str, str]]]) -> None:
        """Show lines in a pager with colours, or print them plainly.

        Whatever is in the words, it is shown, not obeyed.
        """
        from corefscope.escaping import visible

        lines = [[(visible(text), style) for text, style in line] for line in lines]
        if is_terminal() and self.given["output"] is None:
            from corefscope.rendering.terminal import painted

            click.echo_via_pager(painted(lines), color=True)
        else:
            plain = ("".join(text for text, _ in line).rstrip() + "\n" for line in lines)
            emit("".join(plain), self.given["output"])

    def _print_list(self, evaluation: Evaluation) -> None:
        from corefscope.rendering.errors.listing import as_jsonl, as_list_csv, as_list_text

        listed = self.listed(evaluation)
        if self.format == "table":
            comparisons = [system.errors.comparison for system in evaluation]
            text = list(as_list_text(listed, comparisons)) or ["no such errors"]
            self._page([[(line, "")] for line in text])
        else:
            is_csv = self.format == "csv"
            text_ = as_list_csv(listed, self.types) if is_csv else as_jsonl(listed)
            emit(text_, self.given["output"])

    def _shown_tables(self, evaluation: Evaluation) -> list[Table]:
        from corefscope.rendering.errors import numbered_table
        from corefscope.rendering.errors.phenomena import gains
        from corefscope.rendering.errors.result import overview

        if not self.tables:
            tables = overview(evaluation, self.needs_impact)
        else:
            tables = [numbered_table(number, evaluation) for number in self.tables]
            tables += gains(evaluation) if self.given["impact"] else []
        return [replace(t, heading=t.heading or [t.title or ""]) for t in tables]

    def _csv(self, evaluation: Evaluation) -> str:
        from corefscope.rendering.errors import numbered_table
        from corefscope.rendering.errors.result import as_counts_csv
        from corefscope.rendering.table import as_tables_csv

        if self.tables:
            return as_tables_csv([(n, numbered_table(n, evaluation)) for n in self.tables])
        return as_counts_csv(evaluation, self.needs_impact)

    def _costs(self, evaluation: Evaluation) -> str:
        """Say which entities cost most, where nothing particular was asked for."""
        from corefscope.rendering.errors.result import cost_lines

        if self.format != "table" or self.tables or not self.given["most"]:
            return ""
        parts = []
        for system in evaluation:
            title = [f"{system.name}:"] if len(evaluation) > 1 else []
            command = self._command(evaluation.key_path, system)
            lines = cost_lines(system, self.given["cost"], self.given["most"], command)
            parts.append("\n".join(map(visible, ["", *title, *lines])) + "\n")
        return "".join(parts)

    def _command(self, key: str, system: EvaluatedSystem) -> str:
        """Return the command that analyses one system in the same way."""
        path = system.path
        # What stands before an equals sign would be taken for a name.
        response = f"{system.name}={path}" if "=" in path else path
        words = ["corefscope", "errors", key, response]
        for name, usual in ANALYSIS_OPTIONS.items():
            if self.given[name] not in (None, usual):
                words += [f"--{name.replace('_', '-')}", self.given[name]]
        return shlex.join([*words, *reading().words()])


def _width() -> int:
    """Return how wide to print: as the terminal is, up to a line that can still be read."""
    return max(60, min(shutil.get_terminal_size().columns, 120)) if is_terminal() else 80


def _numbers(text: str | None) -> list[int]:
    """Read a list of tables such as ``1,3-5`` or ``all``."""
    if text is None:
        return []
    if text.strip() == "all":
        return list(range(1, LAST_TABLE + 1))
    numbers: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d+)\s*(?:-\s*(\d+)\s*)?", part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last <= LAST_TABLE:
            raise click.UsageError(f"no table {part.strip()!r}; there are 1 to {LAST_TABLE}")
        numbers += range(first, last + 1)
    return list(dict.fromkeys(numbers))


def _corrected_folders(given: str | None, systems: Sequence[Named]) -> list[Path]:
    """Return the folder of each system's corrected responses; refuse one with others' files."""
    from corefscope.error_analysis.files import check_folder

    if given is None:
        return []
    folders = [Path(given, name) for name in _folder_names([s.name for s in systems])]
    for folder in folders:
        check_folder(folder)
    return folders


def _write_corrected(system: EvaluatedSystem, folder: Path) -> list[Finding]:
    """Write the response of a system with errors corrected; return what was odd."""
    from corefscope.error_analysis.files import versions, write_corrected

    with progress_bar(f"correcting {system.name}", len(versions())) as advance:
        files, findings = write_corrected(system.errors, folder, advance)
    say(f"wrote {len(files)} corrected responses to {visible(str(folder))}")
    say("score them against the key there, which is the key as analysed")
    return findings


def _folder_names(systems: Sequence[str]) -> list[str]:
    """Return a name of its own for each system's folder, inside the one that was given."""
    names: list[str] = []
    for system in systems:
        name = re.sub(r"[^\w.-]+", "_", system).strip(".") or "system"
        free = (f"{name}-{n}" if n else name for n in count())
        names.append(next(candidate for candidate in free if candidate not in names))
    return names
