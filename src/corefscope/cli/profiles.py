"""``corefscope profiles``: which number is it?"""

from __future__ import annotations

from typing import Any

import click

from corefscope.cli.common import (
    FORMAT_HELP,
    NAMED,
    emit,
    format_option,
    named,
    output_option,
    pair_by_option,
    print_tables,
    read_corpus,
    read_response,
    reading_options,
    refuse_double_input,
    reports_errors,
    response_format,
    show_findings,
)
from corefscope.cli.outputs import Input

FORMATS = ("table", "json", "csv", "markdown", "latex")


@click.command("profiles")
@click.argument("key", required=False, type=Input())
@click.argument("response", required=False, type=NAMED)
@click.option(
    "--key-format",
    metavar="FORMAT",
    help=FORMAT_HELP,
)
@reading_options
@response_format
@click.option(
    "--tokens",
    type=click.Choice(["error", "ignore"]),
    default="error",
    help="As for score.",
)
@pair_by_option
@format_option(FORMATS)
@output_option
@reports_errors
def command(key: str | None, response: str | None, key_format: str | None, **given: Any) -> None:
    """List the profiles by name; with KEY and RESPONSE, score these under all of them.

    The same two files give different "CoNLL scores" in the tools that people use. The steps from
    one to the other are spelt out: which rule moves which metric, and by how much.

    \b
    Examples:
      corefscope profiles
      corefscope profiles gold.conll system.conll
      corefscope score gold.conll system.conll --profile e2e
    """
    if key is None:
        _list(given)
    elif response is None:
        raise click.UsageError("a RESPONSE is missing; expected KEY RESPONSE, or neither")
    else:
        _under_all(key, response, key_format, given)


def _list(given: dict[str, Any]) -> None:
    from corefscope.profiles import PROFILES
    from corefscope.rendering.profiles import list_of_profiles
    from corefscope.rendering.table import as_csv
    from corefscope.serialization.common import as_json
    from corefscope.serialization.profiles import profiles_result

    table = list_of_profiles()
    if given["format_"] == "json":
        emit(as_json(profiles_result(PROFILES.values())) + "\n", given["output"])
    elif given["format_"] == "csv":
        emit(as_csv(table.names, table.values), given["output"])
    else:
        print_tables([table], given["format_"], given["output"])


def _under_all(key: str, response: str, key_format: str | None, given: dict[str, Any]) -> None:
    from corefscope.options import make_options
    from corefscope.rendering import profiles as tables
    from corefscope.scoring import under_all_profiles
    from corefscope.serialization.common import as_json
    from corefscope.serialization.profiles import profile_scores_result

    (system,) = named([response])
    refuse_double_input(key, [system])
    gold = read_corpus(key, key_format)
    theirs = read_response(system.path, given["response_format"])
    options = make_options(tokens=given["tokens"], pair_by=given["pair_by"])
    profiles, findings = under_all_profiles(gold, theirs, options)
    show_findings(findings)
    if given["format_"] == "json":
        record = profile_scores_result(key, system.path, profiles, findings)
        emit(as_json(record) + "\n", given["output"])
    elif given["format_"] == "csv":
        emit(tables.profiles_csv(profiles), given["output"])
    else:
        lines = tables.explanation(profiles)
        comment = "% " if given["format_"] == "latex" else ""
        after = "".join(f"{comment}{line}".rstrip() + "\n" for line in lines)
        if given["format_"] == "markdown":
            after = f"\n```\n{after.lstrip()}```\n"
        table = tables.under_profiles(key, system.path, profiles)
        print_tables([table], given["format_"], given["output"], after)
