"""``corefscope profiles``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click
from msgspec import Struct

from corefscope.choices import ScoringOptions
from corefscope.cli.messages import show_findings
from corefscope.cli.parameters import (
    AS_IN_SCORE,
    CSV_RAW,
    NAMED,
    OPTIONAL_KEY,
    OUTPUT,
    RAW,
    OutputFormat,
    ReadingParameters,
    format_option,
    of_library,
)
from corefscope.cli.typed import Conflicts, command_of
from corefscope.extending import broken

if TYPE_CHECKING:
    from corefscope.evaluation import EvaluatedSystem
    from corefscope.scoring.measure import ProfileScores


class ProfilesOptions(Struct, frozen=True, kw_only=True):
    """List the scoring profiles; with KEY and RESPONSE, score under all that apply.

    A name instead of KEY describes that profile.

    Common tools give different "CoNLL scores" for the same two files. The output explains the
    differences: which rule changes which metric, and by how much.

    \b
    Examples:
      corefscope profiles
      corefscope profiles e2e
      corefscope profiles gold.conll system.conll
      corefscope score gold.conll system.conll --profile e2e
    """

    key: Annotated[str | None, OPTIONAL_KEY]
    response: Annotated[str | None, click.Argument(["response"], required=False, type=NAMED)]
    reading: ReadingParameters
    pairing: Annotated[
        ScoringOptions,
        of_library(ScoringOptions, "tokens", "snap", "pair_by", tokens=AS_IN_SCORE),
    ]
    format: Annotated[OutputFormat, format_option(OutputFormat)]
    csv_raw: Annotated[bool, CSV_RAW]
    output: Annotated[str | None, OUTPUT]


CONFLICTS: Conflicts[ProfilesOptions] = (RAW,)


def run(options: ProfilesOptions) -> int:
    """List the profiles, or score a response under all of them."""
    from corefscope.cli.printing import emit
    from corefscope.cli.reading import inputs_of, named_beside, status
    from corefscope.evaluation import Evaluation
    from corefscope.options import make_options
    from corefscope.results.table import wrapped

    if options.key is None:
        _list(options)
        return 0
    if options.response is None:
        emit("".join(f"{line}\n" for line in wrapped([_described(options.key)])), options.output)
        return 0
    systems = named_beside(options.key, [options.response])
    inputs = inputs_of(options.reading)
    key = inputs.key(options.key, systems)
    pairing = make_options(**options.pairing)
    read = inputs.systems(key, systems, pairing, with_scores=False)
    (system,) = Evaluation(key=key, key_path=options.key, systems=read, options=pairing)
    _print(system, options)
    return status(inputs)


def _described(name: str) -> str:
    from corefscope.profiles import profile_named
    from corefscope.scoring import under_profiles as tables

    if Path(name).exists():
        raise click.UsageError("RESPONSE is missing; expected KEY and RESPONSE, or neither")
    return tables.described(profile_named(name))


def _list(options: ProfilesOptions) -> None:
    from corefscope.cli.printing import emit, emit_json, print_tables
    from corefscope.profiles import PROFILES
    from corefscope.results.table import as_csv
    from corefscope.scoring import under_profiles as tables
    from corefscope.scoring.under_profiles import profiles_result

    PROFILES.with_others()
    show_findings(broken())
    table = tables.list_of_profiles()
    if options.format == "json":
        emit_json(profiles_result(PROFILES.values()), options.output)
    elif options.format == "csv":
        emit(as_csv(table.names, table.values, raw=options.csv_raw), options.output)
    else:
        print_tables([table], options.format, options.output)


def _print(system: EvaluatedSystem, options: ProfilesOptions) -> None:
    """Print the scores of a system under all profiles."""
    from corefscope.cli.printing import emit_json, emit_rows, print_tables
    from corefscope.scoring import under_profiles as tables
    from corefscope.scoring.under_profiles import profile_scores_result

    profiles, findings = system.under_all_profiles
    show_findings(findings)
    key = system.evaluation.key_path
    if options.format == "json":
        record = profile_scores_result(key, system.path, profiles, findings)
        emit_json(record, options.output)
    elif options.format == "csv":
        rows = [{"profile": p.profile.name, **row} for p in profiles for row in p.scores._rows()]
        emit_rows(rows, options.csv_raw, options.output)
    else:
        table = tables.under_profiles(key, system.path, profiles)
        print_tables([table], options.format, options.output, _in_words(profiles, options.format))


def _in_words(profiles: Sequence[ProfileScores], format: str) -> str:
    """Explain which rule changes which metric, in a form that suits the format."""
    from corefscope.scoring import under_profiles as tables

    comment = "% " if format == "latex" else ""
    lines = tables.explanation(profiles)
    words = "".join(f"{comment}{line}".rstrip() + "\n" for line in lines)
    return f"\n```\n{words.lstrip()}```\n" if format == "markdown" else words


command = command_of(ProfilesOptions, run, CONFLICTS)
