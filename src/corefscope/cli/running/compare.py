"""Run ``corefscope compare``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click
from msgspec import Struct
from msgspec.structs import replace

from corefscope.cli.compare import CompareOptions
from corefscope.cli.messages import RefusedOption, progress_bar, show_findings
from corefscope.cli.printing import caption_for, emit, emit_json, print_tables
from corefscope.cli.reading import each_run, inputs_of, runs_of, status
from corefscope.error_analysis import ErrorOptions
from corefscope.error_analysis.changes import Changes, changes
from corefscope.escaping import visible
from corefscope.evaluation import Evaluation
from corefscope.inputs import Inputs
from corefscope.metrics import CONLL
from corefscope.options import Options, make_options
from corefscope.rendering.comparison.systems import as_comparison_csv, tables
from corefscope.rendering.comparison.words import sentences
from corefscope.rendering.errors import changes as shown_changes
from corefscope.results.table import Table, latex_text, wrapped
from corefscope.serialization.compare import Files, compare_result
from corefscope.serialization.errors import changes_record
from corefscope.statistics import Settings, SystemComparison
from corefscope.statistics.judging import SeveralRuns


def run(options: CompareOptions) -> int:
    """Compare systems."""
    settings = _settings(options)
    given = options.scoring
    if options.layout == "paper" and given["metrics"] is None:
        # What is not shown is not tested either.
        given = {**given, "metrics": CONLL.id}
    scoring = make_options(**given)
    inputs = inputs_of(options.reading, scoring)
    _compare(options, settings, scoring, inputs)
    return status(inputs)


def _settings(options: CompareOptions) -> Settings:
    testing = options.testing
    return Settings(
        test=testing.test,
        samples=testing.samples,
        seed=testing.seed,
        confidence=testing.confidence,
        baseline=testing.baseline,
        all_pairs=testing.all_pairs,
    )


@contextmanager
def _refused_settings() -> Iterator[None]:
    """Say which option to remove if a test is refused for several runs."""
    try:
        yield
    except SeveralRuns as error:
        raise RefusedOption(f"{error}: remove --test") from None


def _compare(options: CompareOptions, settings: Settings, scoring: Options, inputs: Inputs) -> None:
    key, runs = options.key, runs_of(options.responses)
    paths = [path for each in runs.values() for path in each]
    # --changes reads the texts a second time, when it needs them.
    if [key, *paths].count("-") > 1 or ("-" in paths and options.changes):
        raise click.UsageError("standard input can be read only once")
    if len(runs) < 2:
        raise click.UsageError("found one system; expected two or more to compare")
    evaluation = _evaluation(key, runs, options, scoring, inputs)
    with _refused_settings():
        comparison = evaluation.compare(settings, options.testing.unit)
    show_findings(comparison.findings)
    changed = _changed(evaluation, comparison) if options.changes else None
    if options.format == "json":
        record = changes_record(changed.changes, changed.names) if changed else None
        result = compare_result(key, comparison, runs, sentences, record)
        emit_json(result, options.output)
    elif options.format == "csv":
        emit(as_comparison_csv(comparison, raw=options.csv_raw), options.output)
    elif options.layout == "paper":
        # Imported here because the usual tables need none of it.
        from corefscope.rendering.paper import comparison_table

        table = comparison_table(
            comparison,
            intervals=options.intervals,
            caption=caption_for(options.caption, options.format, options.output),
        )
        print_tables([table], options.format, options.output)
    else:
        found = tables(
            comparison,
            options.most,
            detail=options.detail,
            intervals=options.intervals,
            # The sentences name the protocol; 80 columns have no room for the signature.
            signed=options.format != "table",
        )
        found += changed.tables(options.most) if changed else []
        lines = changed.lines() if changed and options.list_ else []
        _print(found, ["", *sentences(comparison), *lines], options)


def _print(tables: Sequence[Table], lines: Sequence[str], options: CompareOptions) -> None:
    """Print tables with lines of text below them."""
    if options.format == "table":
        lines = wrapped(lines)
    comment = "% " if options.format == "latex" else ""
    spelt = latex_text if options.format == "latex" else str
    after = "".join(f"{comment}{spelt(visible(line))}".rstrip() + "\n" for line in lines)
    print_tables(tables, options.format, options.output, after)


def _evaluation(
    key: str, runs: Files, options: CompareOptions, scoring: Options, inputs: Inputs
) -> Evaluation:
    given = each_run(runs)
    gold = inputs.key(key, given)
    return Evaluation(
        key=gold,
        key_path=key,
        systems=inputs.systems(gold, given, scoring),
        options=scoring,
        error_options=ErrorOptions(singletons=options.scoring["singletons"] or "drop"),
        bar=progress_bar,
    )


class _Changed(Struct, frozen=True):
    """The errors that changed from one system to another."""

    changes: Changes
    names: tuple[str, str]

    def tables(self, most: int) -> list[Table]:
        """Return the tables by type and by document."""
        found = [shown_changes.changes_by_type(self.changes)]
        found += [shown_changes.changes_by_document(self.changes, most)] if most else []
        return [replace(table, heading=[table.title or ""]) for table in found]

    def lines(self) -> list[str]:
        """Return one description per change."""
        return ["", *shown_changes.change_lines(self.changes, self.names)]


def _changed(evaluation: Evaluation, comparison: SystemComparison) -> _Changed:
    """Compare the errors of the baseline with those of the other system."""
    if len(evaluation) != 2 or len(evaluation.systems) != 2:
        raise click.UsageError("--changes needs exactly two systems with one response each")
    if any(system.corpus is None for system in evaluation.systems):
        raise click.UsageError("--changes needs the responses themselves, not files of scores")
    before, after = sorted(evaluation, key=lambda system: system.name != comparison.baseline)
    return _Changed(changes(before.errors, after.errors), (before.name, after.name))
