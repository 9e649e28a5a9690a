"""``corefscope compare``: is A better than B, and by how much?"""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from corefscope.cli.common import (
    FILE_OR_WORD,
    FORMAT_HELP,
    NAMED,
    SETS,
    Named,
    Refused,
    comparison_options,
    emit,
    format_option,
    output_option,
    print_tables,
    progress_bar,
    protocol,
    protocol_options,
    read_corpus,
    read_systems,
    reading_options,
    reports_errors,
    response_format,
    short_name,
    show_findings,
)
from corefscope.cli.outputs import Input, split_name

if TYPE_CHECKING:
    from corefscope.evaluation import Evaluation
    from corefscope.options import Options
    from corefscope.rendering.table import Table
    from corefscope.serialization.errors import ChangesRecord
    from corefscope.statistics import Runs, Settings, SystemComparison, Units

FORMATS = ("table", "json", "csv", "markdown", "latex")


@dataclass(frozen=True, slots=True)
class _System:
    """A system and the files of its runs: annotations, or results."""

    name: str
    paths: tuple[str, ...]
    is_named: bool = False
    """Whether it was given its name, and not called by its file."""


@click.command("compare")
@click.argument("key", required=False, type=Input())
@click.argument("responses", nargs=-1, metavar="[RESPONSE]...", type=NAMED)
@click.option(
    "--key-format",
    metavar="FORMAT",
    help=FORMAT_HELP,
)
@reading_options
@response_format
@protocol_options
@comparison_options
@click.option("--baseline", metavar="NAME", help="The system to compare with; the first otherwise.")
@click.option("--all-pairs", is_flag=True, help="Compare every system with every other, and rank.")
@click.option(
    "--test",
    type=click.Choice(["randomization", "bootstrap"]),
    help="Test for one run per system (default: randomization, which is paired and approximate). "
    "With several runs no test can be chosen.",
)
@click.option(
    "--samples",
    type=click.IntRange(1, 1_000_000),
    default=10_000,
    show_default=True,
    help="Resamples.",
)
@click.option("--seed", type=click.IntRange(min=0), default=12345, show_default=True)
@click.option(
    "--unit",
    default="documents",
    show_default=True,
    metavar="UNIT",
    type=FILE_OR_WORD,
    help="What is resampled: documents, parts (of a text, together), files, a regular expression "
    "on names, or a file of lines 'document TAB unit'.",
)
@click.option(
    "--confidence",
    type=float,
    default=0.95,
    show_default=True,
    help="Of the intervals.",
)
@click.option(
    "--family",
    type=click.Choice(["all", "metric", "none"]),
    default="all",
    show_default=True,
    help="P-values that Holm's correction takes together: all, or those of each metric.",
)
@click.option(
    "--set",
    "sets",
    multiple=True,
    metavar="NAME=KEY:A:B",
    type=SETS,
    help="A set of texts with its key and responses, instead of KEY RESPONSE...; repeat it.",
)
@click.option("--changes", is_flag=True, help="Which errors were fixed, which are new.")
@click.option("--list", "list_", is_flag=True, help="With --changes: every one of them.")
@click.option("--detail", is_flag=True, help="Differences of every metric, not of CoNLL alone.")
@click.option(
    "--most",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    metavar="N",
    help="Documents to name that moved most.",
)
@format_option(FORMATS)
@output_option
@reports_errors
def command(
    key: str | None, responses: tuple[str, ...], key_format: str | None, **given: Any
) -> None:
    """Compare systems: scores with intervals, differences with p-values, what changed.

    A RESPONSE is a file, a file of results (score --per-document --format json), or NAME=PATTERN
    for several runs of one system. Units of texts are resampled; every score is computed anew from
    their summed counts. P-values are corrected for the number of tests.

    \b
    Examples:
      corefscope compare gold.conll base=run1.conll ours=run2.conll
      corefscope compare gold.conll a.conll b.conll c.conll --all-pairs --format latex
      corefscope compare gold.conll base.conll ours.conll --unit parts --changes
      corefscope compare gold.conll 'base=runs/base-*.conll' 'ours=runs/ours-*.conll'
      corefscope compare --set news=n/gold:n/a:n/b --set novels=l/gold:l/a:l/b
    """
    settings, options = _settings(given), protocol(given)
    if given["sets"]:
        if key is not None:
            raise click.UsageError("--set has its own keys and responses; leave KEY out")
        _compare_sets(settings, options, key_format, given)
        return
    if key is None or len(responses) < 2:
        raise click.UsageError("expected KEY and two responses or more (or --set)")
    _compare(key, _systems(responses), settings, options, key_format, given)


def _settings(given: dict[str, Any]) -> Settings:
    from corefscope.statistics import Settings

    names = ("test", "samples", "seed", "confidence", "baseline", "all_pairs", "family")
    if given["list_"] and not given["changes"]:
        raise click.UsageError("--list lists the errors of --changes")
    if given["changes"] and given["format_"] == "csv":
        raise click.UsageError("--changes are printed as table, json, markdown or latex")
    if given["all_pairs"] and given["baseline"]:
        raise click.UsageError("--all-pairs compares all with all: there is no --baseline")
    try:
        return Settings(**{name: given[name] for name in names})
    except ValueError as error:
        raise _usage(error) from None


def _systems(responses: Sequence[str]) -> list[_System]:
    """Tell the systems apart; a pattern, or a name given twice, makes several runs."""
    found: dict[str, list[str]] = {}
    given_names: set[str] = set()
    for response in responses:
        name, path = split_name(response)
        is_pattern = name is not None and glob.has_magic(path) and not os.path.exists(path)  # noqa: PTH110
        # Path.glob takes no absolute pattern.
        paths = sorted(glob.glob(path)) if is_pattern else [path]  # noqa: PTH207
        if not paths:
            raise click.UsageError(f"no file matches {path!r}")
        if name is None and glob.has_magic(path) and not os.path.exists(path):  # noqa: PTH110
            raise click.UsageError(
                f"there is no file {path!r}; if it is a pattern for several runs of one system, "
                "give the system a name: NAME=PATTERN"
            )
        called = name or short_name(path)
        if called in found and (name is None or called not in given_names):
            raise click.UsageError(
                f"two responses are named {called!r}; give each a name: NAME=PATH"
            )
        if name is not None:
            given_names.add(name)
        found.setdefault(called, []).extend(paths)
    return [_System(name, tuple(paths), name in given_names) for name, paths in found.items()]


def _compare(
    key: str,
    systems: Sequence[_System],
    settings: Settings,
    options: Options,
    key_format: str | None,
    given: dict[str, Any],
) -> None:
    from corefscope.rendering.comparison.record import as_comparison_csv, csv_rows
    from corefscope.rendering.comparison.systems import tables
    from corefscope.rendering.comparison.words import sentences
    from corefscope.serialization.common import as_json
    from corefscope.serialization.compare import compare_result

    _refuse_double_input(key, [path for system in systems for path in system.paths], given)
    if len(systems) < 2:
        raise click.UsageError("1 system; expected two or more to compare")
    evaluation = _evaluation(key, key_format, systems, options, given)
    comparison = _compared(evaluation, given["unit"], settings)
    show_findings(comparison.findings)
    files = evaluation.files
    changed = _changes(evaluation, comparison, given) if given["changes"] else None
    if given["format_"] == "json":
        record = changed.record if changed else None
        result = compare_result(key, comparison, files, sentences, record)
        emit(as_json(result) + "\n", given["output"])
    elif given["format_"] == "csv":
        emit(as_comparison_csv(csv_rows(comparison)), given["output"])
    else:
        shown = tables(comparison, key, files, most=given["most"], detail=given["detail"])
        shown += changed.tables if changed else []
        lines = ["", *sentences(comparison), *(changed.lines if changed else [])]
        _print(shown, lines, given)


def _refuse_double_input(key: str, paths: Sequence[str], given: dict[str, Any]) -> None:
    """Standard input can be read once; --changes reads a response again."""
    if [key, *paths].count("-") > 1 or ("-" in paths and given["changes"]):
        raise click.UsageError("standard input can be read only once")


def _print(tables: Sequence[Table], lines: Sequence[str], given: dict[str, Any]) -> None:
    """Print tables, and below them what is said in words."""
    from corefscope.escaping import visible
    from corefscope.rendering.table import latex_text

    comment = "% " if given["format_"] == "latex" else ""
    spelt = latex_text if given["format_"] == "latex" else str
    after = "".join(f"{comment}{spelt(visible(line))}".rstrip() + "\n" for line in lines)
    print_tables(tables, given["format_"], given["output"], after)


def _evaluation(
    key: str,
    key_format: str | None,
    systems: Sequence[_System],
    options: Options,
    given: dict[str, Any],
) -> Evaluation:
    from corefscope.error_analysis import ErrorOptions
    from corefscope.evaluation import Evaluation

    gold = read_corpus(key, key_format)
    named = [Named(system.name, path) for system in systems for path in system.paths]
    _, read = read_systems(gold, named, options, given["response_format"])
    return Evaluation(
        key=gold,
        key_path=key,
        systems=read,
        options=options,
        error_options=ErrorOptions(singletons=given["singletons"] or "drop"),
        bar=progress_bar,
    )


def _compared(evaluation: Evaluation, unit: str, settings: Settings) -> SystemComparison:
    try:
        return evaluation.compare(settings, unit)
    except ValueError as error:
        raise _usage(error) from None


def _usage(error: ValueError) -> Exception:
    """Return a refused setting as a wrong usage; findings stay what they are."""
    from corefscope.exceptions import CorefscopeError
    from corefscope.statistics.judging import SeveralRuns

    if isinstance(error, SeveralRuns):
        return Refused(f"{error}: remove --test")
    return error if isinstance(error, CorefscopeError) else click.UsageError(str(error))


@dataclass(frozen=True, slots=True)
class _Changed:
    """What changed between two systems: for people, and for JSON."""

    tables: list[Table]
    lines: list[str]
    record: ChangesRecord


def _changes(
    evaluation: Evaluation, comparison: SystemComparison, given: dict[str, Any]
) -> _Changed:
    """Compare the errors of the baseline and of another system."""
    from dataclasses import replace

    from corefscope.error_analysis.changes import changes
    from corefscope.rendering.errors import changes as shown
    from corefscope.serialization.errors import changes_record

    if len(evaluation) != 2 or len(evaluation.systems) != 2:
        raise click.UsageError("--changes compares two systems, of one response each")
    if any(system.corpus is None for system in evaluation.systems):
        raise click.UsageError("--changes needs the responses themselves, not files of results")
    before, after = sorted(evaluation, key=lambda system: system.name != comparison.baseline)
    analyses = [before.errors, after.errors]
    changed = changes(*analyses)
    names = (before.name, after.name)
    tables = [shown.changes_by_type(changed)]
    tables += [shown.changes_by_document(changed, given["most"])] if given["most"] else []
    return _Changed(
        [replace(table, heading=[table.title or ""]) for table in tables],
        ["", *shown.change_lines(changed, names)] if given["list_"] else [],
        changes_record(changed, names),
    )


def _compare_sets(
    settings: Settings, options: Options, key_format: str | None, given: dict[str, Any]
) -> None:
    from corefscope.rendering.comparison.record import as_comparison_csv
    from corefscope.rendering.comparison.sets import sets_rows, tables
    from corefscope.rendering.comparison.words import sentences
    from corefscope.serialization.common import as_json
    from corefscope.serialization.compare import compare_sets_result
    from corefscope.statistics import compare_sets

    if given["changes"]:
        raise click.UsageError("--changes compares two systems on one key, not on --set")
    files, sets, is_named = _read_sets(options, key_format, given)
    # Names that were given stay; if they differ from set to set, that is refused.
    sets = sets if is_named else _renamed(sets)
    try:
        with progress_bar("resampling", 2 * settings.samples * (len(sets) + 1)) as advance:
            compared = compare_sets(sets, settings, advance)
    except ValueError as error:
        raise _usage(error) from None
    show_findings(compared.findings)
    used = {
        name: (key, dict(zip(compared.sets[name].systems, paths, strict=True)))
        for name, (key, paths) in files.items()
    }
    if given["format_"] == "json":
        emit(as_json(compare_sets_result(compared, used, sentences)) + "\n", given["output"])
    elif given["format_"] == "csv":
        emit(as_comparison_csv(sets_rows(compared)), given["output"])
    else:
        shown = tables(compared, used, given["detail"])
        _print(shown, ["", *sentences(compared.average)], given)


def _read_sets(
    options: Options, key_format: str | None, given: dict[str, Any]
) -> tuple[dict[str, tuple[str, list[tuple[str, ...]]]], dict[str, tuple[Runs, Units]], bool]:
    """Return the files of each set, its scores, and whether any system was given a name."""
    from corefscope.statistics.units import units_of

    files: dict[str, tuple[str, list[tuple[str, ...]]]] = {}
    sets: dict[str, tuple[Runs, Units]] = {}
    is_named = False
    for text in given["sets"]:
        name, key, systems = _set(text)
        if name in sets:
            raise click.UsageError(f"two sets are named {name!r}")
        is_named |= any(system.is_named for system in systems)
        files[name] = (key, [system.paths for system in systems])
        evaluation = _evaluation(key, key_format, systems, options, given)
        scores = {n: [run.scores for run in runs] for n, runs in evaluation.runs.items()}
        sets[name] = scores, units_of(evaluation.key, given["unit"])
    return files, sets, is_named


def _set(text: str) -> tuple[str, str, list[_System]]:
    """Read NAME=KEY:A:B."""
    name, equals, paths = text.partition("=")
    key, *responses = paths.split(":")
    if not equals or not name or not key or len(responses) < 2 or not all(responses):
        raise click.UsageError(f"--set takes NAME=KEY:A:B, not {text!r}")
    return name, key, _systems(responses)


def _renamed(
    sets: dict[str, tuple[Runs, Units]],
) -> dict[str, tuple[Runs, Units]]:
    """Call systems by their place where files of the same place have other names in other sets."""
    from corefscope.statistics.ranking import letters

    names = {tuple(runs) for runs, _ in sets.values()}
    if len(names) == 1 or len({len(each) for each in names}) > 1:
        return sets
    if len({frozenset(each) for each in names}) < len(names):
        # The same names in another order are other systems in the same place: that is refused.
        return sets
    places = [letter.upper() for letter in letters(next(iter(names))).values()]
    return {
        name: (dict(zip(places, runs.values(), strict=True)), units)
        for name, (runs, units) in sets.items()
    }
