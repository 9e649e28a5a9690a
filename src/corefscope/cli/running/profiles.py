"""Run ``corefscope profiles``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from corefscope.cli.messages import show_findings
from corefscope.cli.printing import emit, emit_json, print_tables
from corefscope.cli.profiles import ProfilesOptions
from corefscope.cli.reading import inputs_of, named_beside, status
from corefscope.evaluation import EvaluatedSystem, Evaluation
from corefscope.extending import broken
from corefscope.options import make_options
from corefscope.profiles import PROFILES, profile_named
from corefscope.rendering import profiles as tables
from corefscope.results.table import as_csv, wrapped
from corefscope.scoring import ProfileScores
from corefscope.serialization.profiles import profile_scores_result, profiles_result


def run(options: ProfilesOptions) -> int:
    """List the profiles, or score a response under all of them."""
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
    if Path(name).exists():
        raise click.UsageError("RESPONSE is missing; expected KEY and RESPONSE, or neither")
    return tables.described(profile_named(name))


def _list(options: ProfilesOptions) -> None:
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
    profiles, findings = system.under_all_profiles
    show_findings(findings)
    key = system.evaluation.key_path
    if options.format == "json":
        record = profile_scores_result(key, system.path, profiles, findings)
        emit_json(record, options.output)
    elif options.format == "csv":
        emit(tables.profiles_csv(profiles, raw=options.csv_raw), options.output)
    else:
        table = tables.under_profiles(key, system.path, profiles)
        print_tables([table], options.format, options.output, _in_words(profiles, options.format))


def _in_words(profiles: Sequence[ProfileScores], format: str) -> str:
    """Explain which rule changes which metric, in a form that suits the format."""
    comment = "% " if format == "latex" else ""
    lines = tables.explanation(profiles)
    words = "".join(f"{comment}{line}".rstrip() + "\n" for line in lines)
    return f"\n```\n{words.lstrip()}```\n" if format == "markdown" else words
