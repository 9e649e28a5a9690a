"""``corefscope score``: how good is it?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from corefscope.cli.common import (
    Named,
    comparison_options,
    document_option,
    emit,
    format_option,
    key_argument,
    named,
    output_option,
    print_tables,
    protocol,
    protocol_options,
    read_key,
    read_systems,
    reading,
    refuse_double_input,
    reports_errors,
    responses_argument,
    show_findings,
)

if TYPE_CHECKING:
    from corefscope.breakdown import ByType
    from corefscope.evaluation import Evaluation
    from corefscope.findings import Finding
    from corefscope.options import Options

FORMATS = ("table", "json", "csv", "markdown", "latex", "reference")


@click.command("score")
@key_argument
@responses_argument
@protocol_options
@comparison_options
@document_option
@click.option(
    "--by",
    type=click.Choice(["mention-type", "entity-type"]),
    help="Scores by type, in four senses: filtered, B³ credit, anaphors, links.",
)
@click.option("--per-document", is_flag=True, help="Give the scores of each document.")
@click.option("--rpf", is_flag=True, help="In tables of several rows: recall and precision, too.")
@format_option(FORMATS)
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
    if given["format_"] == "reference" and given["duplicates"] is None:
        given["duplicates"] = "reference"
    options = protocol(given)
    evaluation = _evaluation(key, key_format, systems, options, given)
    if given["by"]:
        _by_type(evaluation, given)
    elif given["format_"] == "reference":
        text, findings = _reference(evaluation, given)
        show_findings(findings)
        emit(text, given["output"])
    else:
        findings = [finding for system in evaluation for finding in system.scores.findings]
        findings = list(dict.fromkeys(findings))
        show_findings(findings)
        _print(evaluation, findings, given)


def _evaluation(
    key: str,
    key_format: str | None,
    systems: list[Named],
    options: Options,
    given: dict[str, Any],
) -> Evaluation:
    from corefscope.evaluation import Evaluation

    gold = read_key(key, key_format, given["document"])
    chosen, read = read_systems(gold, systems, options, given["response_format"], given["document"])
    return Evaluation(key=chosen, key_path=key, systems=read, options=options)


def _by_type(evaluation: Evaluation, given: dict[str, Any]) -> None:
    """Print scores by type of mention or entity."""
    from dataclasses import replace

    from corefscope.breakdown import score_by_type
    from corefscope.rendering import breakdown
    from corefscope.serialization.breakdown import breakdown_result
    from corefscope.serialization.common import as_json

    if given["format_"] == "reference" or given["per_document"] or given["rpf"]:
        raise click.UsageError(
            "--by cannot be combined with --per-document, --rpf or --format reference"
        )
    typed: list[tuple[str, ByType]] = []
    findings: list[Finding] = []
    options = evaluation.options
    for system in evaluation:
        by = score_by_type(
            system.comparison, options.profile.singletons, given["by"], options.metrics
        )
        typed.append((system.name, by))
        findings += [*system.comparison.findings, *by.findings]
    findings = list(dict.fromkeys(findings))
    show_findings(findings)
    signature = options.profile.signature(len(evaluation.key), reading().skipped)
    tables = [
        replace(t, heading=[t.title or ""], notes=[*t.notes, signature])
        for t in breakdown.tables(typed)
    ]
    if given["format_"] == "json":
        systems = [(s.name, s.path, by) for s, (_, by) in zip(evaluation, typed, strict=True)]
        result = breakdown_result(evaluation.key_path, systems, signature, findings)
        emit(as_json(result) + "\n", given["output"])
    elif given["format_"] == "csv":
        emit(breakdown.as_by_csv(typed), given["output"])
    else:
        print_tables(tables, given["format_"], given["output"])


def _print(evaluation: Evaluation, findings: list[Finding], given: dict[str, Any]) -> None:
    from corefscope.rendering.scores import as_score_csv, tables
    from corefscope.serialization.common import as_json
    from corefscope.serialization.digest import key_digest
    from corefscope.serialization.score import score_result

    format_, output, per_document = given["format_"], given["output"], given["per_document"]
    if format_ == "json":
        digest = key_digest(evaluation.key) if given["document"] is None else None
        result = score_result(
            evaluation.key_path,
            evaluation,
            findings,
            per_document=per_document,
            key_digest=digest,
        )
        emit(as_json(result) + "\n", output)
    elif format_ == "csv":
        emit(as_score_csv(evaluation, per_document), output)
    else:
        print_tables(tables(evaluation, per_document, given["rpf"]), format_, output)


def _reference(evaluation: Evaluation, given: dict[str, Any]) -> tuple[str, list[Finding]]:
    from corefscope.rendering.reference import reference_result

    if len(evaluation) > 1:
        raise click.UsageError(
            "--format reference takes one response, as the reference scorer does"
        )
    (system,) = evaluation
    return reference_result(
        system.comparison,
        evaluation.options,
        per_document=given["per_document"],
        document=given["document"],
    )
