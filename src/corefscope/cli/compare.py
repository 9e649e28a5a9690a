"""``corefscope compare``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import click
from msgspec import Struct
from msgspec.structs import replace

from corefscope.choices import ScoringOptions, Test
from corefscope.cli.messages import RefusedOption, progress_bar, show_findings
from corefscope.cli.parameters import (
    BASELINE,
    CAPTION,
    CSV_RAW,
    FILE_OR_WORD,
    KEY,
    LAYOUT,
    LAYOUTS,
    OUTPUT,
    RESPONSES,
    SCORING,
    Layout,
    OutputFormat,
    ReadingParameters,
    choice,
    flag,
    format_option,
    option,
)
from corefscope.cli.typed import Conflicts, command_of, excludes, requires
from corefscope.escaping import visible

if TYPE_CHECKING:
    from corefscope.error_analysis.changes import Changes
    from corefscope.evaluation import Evaluation
    from corefscope.inputs import Inputs
    from corefscope.options import Options
    from corefscope.results.table import Table
    from corefscope.statistics import Settings, SystemComparison
    from corefscope.statistics.record import Files


class Testing(Struct, frozen=True, kw_only=True):
    """Which systems to compare, and how to test for significance."""

    baseline: Annotated[str | None, BASELINE]
    all_pairs: Annotated[
        bool, flag("--all-pairs", help="Compare every pair of systems, without verdicts.")
    ]
    test: Annotated[
        Test | None,
        option(
            "--test",
            type=choice(Test),
            help="Significance test (default: randomization, which is paired and approximate). "
            "Cannot be chosen if a system has several runs.",
        ),
    ]
    samples: Annotated[
        int,
        option(
            "--samples",
            type=click.IntRange(1, 1_000_000),
            default=10_000,
            help="Number of samples.",
        ),
    ]
    seed: Annotated[
        int,
        option("--seed", type=click.IntRange(min=0), default=12345, help="Seed of the samples."),
    ]
    unit: Annotated[
        str,
        option(
            "--unit",
            default="documents",
            metavar="UNIT",
            type=FILE_OR_WORD,
            help="What to resample: documents, parts (all parts of a text together), files, "
            "windows (with --window), topics, a regular expression that groups document names, or "
            "a file with lines 'document TAB unit'.",
        ),
    ]
    confidence: Annotated[
        float,
        option(
            "--confidence",
            type=float,
            default=0.95,
            help="Level of the intervals; verdicts are at the level 1 - confidence.",
        ),
    ]


class CompareOptions(Struct, frozen=True, kw_only=True):
    """Compare systems: scores with confidence intervals, and differences with p-values.

    A RESPONSE is a response file, a file of scores (from score --per-document --format json), or
    NAME=PATTERN for several runs of one system. Documents are resampled, and every score is
    recomputed from their summed counts. One comparison is planned and has a verdict: the CoNLL
    score of each system against the baseline. All others are exploratory.

    \b
    Examples:
      corefscope compare gold.conll base=run1.conll ours=run2.conll
      corefscope compare gold.conll a.conll b.conll c.conll --all-pairs
      corefscope compare gold.conll base.conll ours.conll --layout paper --caption
      corefscope compare gold.conll base.conll ours.conll --unit parts --changes
      corefscope compare gold.conll 'base=base-*.conll' 'ours=ours-*.conll'
    """

    key: Annotated[str, KEY]
    responses: Annotated[tuple[str, ...], RESPONSES]
    reading: ReadingParameters
    scoring: Annotated[ScoringOptions, SCORING]
    testing: Testing
    changes: Annotated[
        bool, flag("--changes", help="Show which errors were fixed and which are new.")
    ]
    list_: Annotated[bool, flag("--list", "list_", help="With --changes: list all these errors.")]
    detail: Annotated[bool, flag("--detail", help="Show all differences in every metric.")]
    most: Annotated[
        int,
        option(
            "--most",
            type=click.IntRange(min=0),
            default=0,
            metavar="N",
            help="With two systems, also show the N documents that changed most.",
        ),
    ]
    layout: Annotated[Layout, LAYOUT]
    intervals: Annotated[bool, flag("--intervals", help="Add the intervals of scores.")]
    caption: Annotated[bool, CAPTION]
    format: Annotated[OutputFormat, format_option(OutputFormat)]
    csv_raw: Annotated[bool, CSV_RAW]
    output: Annotated[str | None, OUTPUT]


CONFLICTS: Conflicts[CompareOptions] = (
    *LAYOUTS,
    excludes("--layout paper", "--changes", "--detail"),
    requires("--list", "--changes"),
    excludes("--changes", "--format csv"),
    excludes("--all-pairs", "--baseline"),
)


def run(options: CompareOptions) -> int:
    """Compare systems."""
    from corefscope.cli.reading import inputs_of, status
    from corefscope.metrics import CONLL
    from corefscope.options import make_options

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
    from corefscope.statistics import Settings

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
    from corefscope.statistics.judging import SeveralRuns

    try:
        yield
    except SeveralRuns as error:
        raise RefusedOption(f"{error}: remove --test") from None


def _compare(options: CompareOptions, settings: Settings, scoring: Options, inputs: Inputs) -> None:
    from corefscope.cli.printing import caption_for, emit_json, emit_rows, print_tables
    from corefscope.cli.reading import runs_of
    from corefscope.error_analysis.record import changes_record
    from corefscope.statistics.record import compare_result
    from corefscope.statistics.tables import tables
    from corefscope.statistics.words import sentences

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
        result = compare_result(key, comparison, runs, record)
        emit_json(result, options.output)
    elif options.format == "csv":
        emit_rows(comparison._rows(), options.csv_raw, options.output)
    elif options.layout == "paper":
        # Imported here because the usual tables need none of it.
        from corefscope.statistics.tables import comparison_table

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
    from corefscope.cli.printing import print_tables
    from corefscope.results.table import latex_text, wrapped

    if options.format == "table":
        lines = wrapped(lines)
    comment = "% " if options.format == "latex" else ""
    spelt = latex_text if options.format == "latex" else str
    after = "".join(f"{comment}{spelt(visible(line))}".rstrip() + "\n" for line in lines)
    print_tables(tables, options.format, options.output, after)


def _evaluation(
    key: str, runs: Files, options: CompareOptions, scoring: Options, inputs: Inputs
) -> Evaluation:
    from corefscope.cli.reading import each_run
    from corefscope.error_analysis import ErrorOptions
    from corefscope.evaluation import Evaluation

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
        from corefscope.error_analysis.tables import changes as shown_changes

        found = [shown_changes.changes_by_type(self.changes)]
        found += [shown_changes.changes_by_document(self.changes, most)] if most else []
        return [replace(table, heading=[table.title or ""]) for table in found]

    def lines(self) -> list[str]:
        """Return one description per change."""
        from corefscope.error_analysis.tables import changes as shown_changes

        return ["", *shown_changes.change_lines(self.changes, self.names)]


def _changed(evaluation: Evaluation, comparison: SystemComparison) -> _Changed:
    """Compare the errors of the baseline with those of the other system."""
    from corefscope.error_analysis.changes import changes

    if len(evaluation) != 2 or len(evaluation.systems) != 2:
        raise click.UsageError("--changes needs exactly two systems with one response each")
    if any(system.corpus is None for system in evaluation.systems):
        raise click.UsageError("--changes needs the responses themselves, not files of scores")
    before, after = sorted(evaluation, key=lambda system: system.name != comparison.baseline)
    return _Changed(changes(before.errors, after.errors), (before.name, after.name))


command = command_of(CompareOptions, run, CONFLICTS)
