"""``corefscope score``: how good is it?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from corefscope.cli.common import (
    Named,
    comparison_options,
    emit,
    is_terminal,
    key_argument,
    named,
    output_option,
    read_corpus,
    refuse_double_input,
    reports_errors,
    responses_argument,
    show_findings,
    show_tables,
)

if TYPE_CHECKING:
    from corefscope.by_type import ByType
    from corefscope.comparison import Options
    from corefscope.corpus import Corpus
    from corefscope.findings import Finding
    from corefscope.tables.scores import Result

FORMATS = ("table", "json", "csv", "markdown", "latex", "reference")


@click.command("score")
@key_argument
@responses_argument
@click.option(
    "--metrics",
    metavar="LIST",
    help="Of mentions, muc, b3 (bcub), ceafm, ceafe, blanc, lea, conll, all; all by default.",
)
@click.option(
    "--profile",
    default="conll-2012",
    show_default=True,
    metavar="NAME",
    help="The protocol: conll-2012 or no-singletons.",
)
@click.option(
    "--match",
    type=click.Choice(["exact"]),
    default="exact",
    show_default=True,
    help="When two mentions are the same.",
)
@click.option(
    "--singletons",
    type=click.Choice(["keep", "drop"]),
    help="Entities of one mention, on both sides; kept by default.",
)
@click.option(
    "--duplicates",
    type=click.Choice(["first", "error", "reference"]),
    help="A mention annotated twice: keep the first (default), refuse, or as the "
    "reference scorer does.",
)
@comparison_options
@click.option(
    "--by",
    type=click.Choice(["mention-type", "entity-type"]),
    help="Scores by type, in four senses: filtered, B³ credit, anaphors, links.",
)
@click.option("--per-document", is_flag=True, help="Give the scores of each document.")
@click.option("--rpf", is_flag=True, help="In tables of several rows: recall and precision, too.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    default="table",
    show_default=True,
    help="What to print.",
)
@output_option
@reports_errors
def command(key: str, responses: tuple[str, ...], key_format: str | None, **given: Any) -> None:
    """Score one or more RESPONSEs against a KEY.

    Prints MUC, B³, CEAFm, CEAFe, BLANC, LEA, the mention score and the CoNLL average: for one
    response with recall and precision, for several as one table. NAME=PATH names a system.

    \b
    Examples:
      corefscope score gold.conll system.conll
      corefscope score gold.conll a=run1.jsonl b=run2.jsonl --rpf --format markdown
      corefscope score gold/ system/ --metrics muc,b3,ceafe --per-document
      corefscope score gold.conll system.conll --by mention-type
      corefscope score gold.conll system.conll --format reference
    """
    systems = named(responses)
    refuse_double_input(key, systems)
    options = _options(given)
    gold = read_corpus(key, key_format)
    if given["document"] is not None:
        gold.index(given["document"])  # Refuses an unknown name before responses are read.
    if given["by"]:
        _by_type(key, gold, systems, options, given)
    elif given["format_"] == "reference":
        text, findings = _reference(gold, systems, options, given)
        show_findings(findings)
        emit(text, given["output"])
    else:
        result = _scores(key, gold, systems, options, given)
        show_findings(result.findings)
        _print(result, given)


def _options(given: dict[str, Any]) -> Options:
    from corefscope.comparison import make_options

    duplicates = given["duplicates"]
    if given["format_"] == "reference" and duplicates is None:
        duplicates = "reference"
    return make_options(
        metrics=given["metrics"],
        profile=given["profile"],
        singletons=given["singletons"],
        duplicates=duplicates,
        missing=given["missing"],
        tokens=given["tokens"],
    )


def _corpora(gold: Corpus, system: Named, given: dict[str, Any]) -> tuple[Corpus, Corpus]:
    """Return key and response: all documents, or the one that was asked for."""
    from corefscope.alignment import only_document

    response = read_corpus(system.path, given["response_format"])
    if given["document"] is None:
        return gold, response
    return only_document(gold, response, given["document"])


def _scores(
    key: str, gold: Corpus, systems: list[Named], options: Options, given: dict[str, Any]
) -> Result:
    from corefscope.scoring import score_corpora
    from corefscope.tables.scores import Result, System

    scored = [
        System(system.name, system.path, score_corpora(*_corpora(gold, system, given), options))
        for system in systems
    ]
    findings = [finding for system in scored for finding in system.scores.findings]
    return Result(key, scored, list(dict.fromkeys(findings)))


def _by_type(
    key: str, gold: Corpus, systems: list[Named], options: Options, given: dict[str, Any]
) -> None:
    """Print scores by type of mention or entity."""
    from dataclasses import replace

    from corefscope.by_type import score_by_type
    from corefscope.comparison import side_by_side
    from corefscope.tables import by_type
    from corefscope.tables.table import LAYOUTS, as_json
    from corefscope.version import __version__

    if given["format_"] == "reference" or given["per_document"] or given["rpf"]:
        raise click.UsageError("--by goes without --per-document, --rpf and --format reference")
    typed: list[tuple[str, ByType]] = []
    findings: list[Finding] = []
    for system in systems:
        comparison = side_by_side(*_corpora(gold, system, given), options)
        by = score_by_type(comparison, given["by"], options.metrics)
        typed.append((system.name, by))
        findings += [*comparison.findings, *by.findings]
    findings = list(dict.fromkeys(findings))
    show_findings(findings)
    signature = options.profile.signature(len(gold) if given["document"] is None else 1)
    tables = [
        replace(t, heading=[t.title or ""], notes=[*t.notes, signature])
        for t in by_type.tables(typed)
    ]
    if given["format_"] == "json":
        records = [
            {"name": name, "response": s.path, "signature": signature, "by": by_type.to_dict(by)}
            for s, (name, by) in zip(systems, typed, strict=True)
        ]
        result = {
            "corefscope": __version__,
            "key": key,
            "systems": records,
            "findings": [finding.to_dict() for finding in findings],
        }
        emit(as_json(result) + "\n", given["output"])
    elif given["format_"] == "csv":
        emit(by_type.as_by_csv(typed), given["output"])
    elif given["format_"] == "table" and is_terminal() and given["output"] is None:
        show_tables(tables)
    else:
        emit("\n".join(LAYOUTS[given["format_"]](t) for t in tables), given["output"])


def _print(result: Result, given: dict[str, Any]) -> None:
    from corefscope.tables.scores import render, tables

    per_document, rpf = given["per_document"], given["rpf"]
    if given["format_"] == "table" and is_terminal() and given["output"] is None:
        show_tables(tables(result, per_document, rpf))
    else:
        text = render(result, given["format_"], per_document=per_document, rpf=rpf)
        emit(text, given["output"])


def _reference(
    gold: Corpus, systems: list[Named], options: Options, given: dict[str, Any]
) -> tuple[str, list[Finding]]:
    from corefscope.tables.reference import reference_result

    if len(systems) > 1:
        raise click.UsageError(
            "--format reference takes one response, as the reference scorer does"
        )
    return reference_result(
        *_corpora(gold, systems[0], given),
        options,
        per_document=given["per_document"],
        document=given["document"],
    )
