"""``corefscope score``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from corefscope.choices import ScoringOptions, SliceKind
from corefscope.cli.messages import each_once, show_findings
from corefscope.cli.parameters import (
    CAPTION,
    CSV_RAW,
    DOCUMENT,
    KEY,
    LAYOUT,
    LAYOUTS,
    OUTPUT,
    RESPONSES,
    SCORING_NAMES,
    Layout,
    ReadingParameters,
    choice,
    flag,
    format_option,
    of_library,
    option,
)
from corefscope.cli.typed import Conflicts, command_of, excludes
from corefscope.exceptions import IncompleteResponse
from corefscope.findings import Code

if TYPE_CHECKING:
    from corefscope.corpus import Corpus
    from corefscope.evaluation import EvaluatedSystem, Evaluation
    from corefscope.extensions.corefud_scorer.crac.empty_nodes import NodeScore
    from corefscope.inputs import Inputs
    from corefscope.options import Options
    from corefscope.results.table import Table


ScoreFormat: TypeAlias = Literal[
    "table", "json", "csv", "markdown", "latex", "reference", "corefud"
]
OF_SCORERS = ("reference", "corefud")
"""Formats that print what another scorer prints."""


class ScoreOptions(Struct, frozen=True, kw_only=True):
    """Score one or more RESPONSEs against a KEY.

    Prints MUC, B³, CEAFm, CEAFe, BLANC, LEA, the mention score and the CoNLL score: recall,
    precision and F1 of one response, or one row per response. NAME=PATH names a system.

    \b
    Examples:
      corefscope score gold.conll system.conll
      corefscope score gold.conll a=1.conll b=2.conll --layout paper --caption
      corefscope score gold/ system/ --metrics muc,b3,ceafe --per-document
      corefscope score gold.conll system.conll --by mention-type
      corefscope score gold.conllu system.conllu --by zero
      corefscope score novel.conll system.conll --window 500,1500,5000
      corefscope score ecb.conll system.conll --level topic
      corefscope score gold.conll system.conll --format reference
      corefscope score gold.conllu answers.txt --profile crac-2026
      corefscope score --crac gold/ submission/
      corefscope score gold.parquet system.parquet
    """

    key: Annotated[str, KEY]
    responses: Annotated[tuple[str, ...], RESPONSES]
    reading: ReadingParameters
    scoring: Annotated[ScoringOptions, of_library(ScoringOptions, *SCORING_NAMES, "major")]
    crac: Annotated[
        bool,
        flag(
            "--crac",
            group="CRAC",
            help="KEY is a folder of CRAC data sets, each response a folder with a file for each: "
            "print the columns of the shared task, and their means.",
        ),
    ]
    empty_nodes: Annotated[
        bool,
        flag(
            "--empty-nodes",
            group="CorefUD",
            help="Also compare the empty nodes of CorefUD files, whether they are mentions or not.",
        ),
    ]
    document: Annotated[str | None, DOCUMENT]
    by: Annotated[
        SliceKind | None,
        option(
            "--by",
            metavar="SLICE",
            type=choice(SliceKind),
            help="Break scores down by slices of the mentions: mention-type, entity-type, "
            "entity-size, distance (to the previous mention), spread (tokens from the first "
            "mention of the entity to the last), nesting, zero, genre (the first part in which "
            "document names differ), upos or relation (of the head). Four ways: filtered, and "
            "with whole entities B³ credit, anaphors, links.",
        ),
    ]
    per_document: Annotated[
        bool,
        flag("--per-document", help="Print the scores of each document, window or topic."),
    ]
    layout: Annotated[Layout, LAYOUT]
    caption: Annotated[bool, CAPTION]
    format: Annotated[ScoreFormat, format_option(ScoreFormat)]
    csv_raw: Annotated[bool, CSV_RAW]
    output: Annotated[str | None, OUTPUT]


def _official_profiles(scorer: str = "") -> list[str]:
    """Return the profiles with the figures of an official scorer: of this one, or of any."""
    from corefscope.profiles import PROFILES

    return [n for n, each in PROFILES.items() if each.scorer and scorer in ("", each.scorer.name)]


def _unlike_the_profile(options: ScoreOptions) -> str:
    """Say what the profile, or the number of responses, does not allow."""
    profile = options.scoring["profile"]
    if options.by and profile in _official_profiles():
        return (
            f"--by cannot be combined with --profile {profile}, whose figures are those of an "
            "official scorer; use --match and --zeros instead"
        )
    what = "--crac" if options.crac else "--format corefud" if options.format == "corefud" else ""
    if what and profile not in (own := [*_official_profiles("corefud"), "conll-2012"]):
        return (
            f"{what} cannot be combined with --profile {profile}; expected one of {', '.join(own)}"
        )
    if options.format in OF_SCORERS and len(options.responses) > 1:
        return f"--format {options.format} takes one response, as the scorer does"
    return ""


def _unlike_the_units(options: ScoreOptions) -> str:
    """Say what windows, topics or a corpus do not allow."""
    given = options.scoring
    is_cut = given["window"] is not None or str(given["profile"]).startswith("bookcoref-window")
    has_units = is_cut or given["level"] in ("topic", "corpus")
    if has_units and (options.by or options.crac or options.format in OF_SCORERS):
        return (
            "--window, --level and --profile bookcoref-window cannot be combined with --by, "
            "--crac, --format reference or --format corefud"
        )
    if "," in str(given["window"]) and (options.per_document or given["major"] is not None):
        return "several sizes of windows cannot be combined with --per-document or --major"
    return ""


AS_SCORERS = tuple(f"--format {name}" for name in OF_SCORERS)
CONFLICTS: Conflicts[ScoreOptions] = (
    *LAYOUTS,
    excludes("--crac", "--document", "--by", "--per-document", "--layout paper", *AS_SCORERS),
    excludes("--empty-nodes", "--by", *AS_SCORERS),
    excludes("--by", "--per-document", "--layout paper", *AS_SCORERS),
    excludes("--major", "--by", "--crac", *AS_SCORERS),
    excludes("--format corefud", "--per-document", "--zeros drop"),
    _unlike_the_profile,
    _unlike_the_units,
)


def run(options: ScoreOptions) -> int:
    """Score responses and print the scores."""
    from corefscope.cli.reading import inputs_of, status

    scoring = _scoring(options)
    inputs = inputs_of(options.reading, scoring, options.document)
    if options.crac:
        return _print_crac(options.key, options, scoring, inputs)
    evaluation = _evaluation(options.key, options, scoring, inputs)
    if options.by:
        _print_by_type(evaluation, options.by, options)
    elif options.format == "reference":
        _print_reference(evaluation, options)
    elif options.format == "corefud":
        _print_corefud(evaluation, options)
    else:
        _print_scores(evaluation, options)
    return status(inputs)


def _scoring(options: ScoreOptions) -> Options:
    """Return the options of scoring; formats of other scorers imply some of them."""
    from corefscope.metrics import CONLL
    from corefscope.options import make_options
    from corefscope.profiles import DEFAULT

    given = options.scoring
    is_usual = given["profile"] == DEFAULT.name
    if options.crac and is_usual:
        given = {**given, "profile": "crac-2026"}
    if options.format == "reference" and given["duplicates"] is None:
        given = {**given, "duplicates": "reference"}
    if options.layout == "paper" and given["metrics"] is None:
        given = {**given, "metrics": CONLL.id}
    if options.format == "corefud":
        name = "corefud" if is_usual else given["profile"]
        given = {**given, "profile": name, "metrics": given["metrics"] or "corefud"}
    return make_options(**given)


def _evaluation(path: str, options: ScoreOptions, scoring: Options, inputs: Inputs) -> Evaluation:
    from corefscope.cli.reading import named_beside
    from corefscope.evaluation import Evaluation

    systems = named_beside(path, options.responses)
    key = inputs.key(path, systems)
    needs_responses = options.by or options.format == "reference"
    return Evaluation(
        key=inputs.chosen(key),
        key_path=path,
        systems=inputs.systems(key, systems, scoring, with_scores=not needs_responses),
        options=scoring,
    )


def _digest(evaluation: Evaluation, options: ScoreOptions) -> str | None:
    """Return the digest of a key that was read as a whole."""
    from corefscope.scoring.stored import key_digest

    return key_digest(evaluation.key) if options.document is None else None


def _print_scores(evaluation: Evaluation, options: ScoreOptions) -> None:
    from corefscope.cli.printing import emit_json, emit_rows, print_tables
    from corefscope.scoring.tables import rows

    findings = each_once(finding for system in evaluation for finding in system.scores.findings)
    show_findings(findings)
    nodes = _empty_nodes(evaluation) if options.empty_nodes else {}
    if options.format == "json":
        from corefscope.scoring.record import score_result

        result = score_result(
            evaluation.key_path,
            evaluation,
            findings,
            per_document=options.per_document,
            key_digest=_digest(evaluation, options),
        )
        if nodes:
            from corefscope.extensions.corefud_scorer.crac.records import node_records

            systems = [
                replace(record, empty_nodes=node_records(nodes[record.name]))
                if record.name in nodes
                else record
                for record in result.systems
            ]
            result = replace(result, systems=systems)
        emit_json(result, options.output)
    elif options.format == "csv":
        shown_rows = list(rows(evaluation, options.per_document))
        emit_rows(shown_rows, options.csv_raw, options.output)
    else:
        shown = _tables(evaluation, options)
        if nodes:
            from corefscope.extensions.corefud_scorer.crac.rendering import empty_node_table

            shown += [empty_node_table(name, scores) for name, scores in nodes.items()]
        print_tables(shown, options.format, options.output)


def _empty_nodes(evaluation: Evaluation) -> dict[str, dict[str, NodeScore]]:
    """Compare the empty nodes of each response with those of the key."""
    from corefscope.extensions.corefud_scorer.crac.empty_nodes import empty_node_scores

    return {
        system.name: empty_node_scores(evaluation.key, system.system.response)
        for system in evaluation
    }


def _tables(evaluation: Evaluation, options: ScoreOptions) -> list[Table]:
    from corefscope.cli.printing import caption_for
    from corefscope.scoring.tables import tables

    if options.layout == "plain":
        return tables(evaluation, options.per_document)
    from corefscope.scoring.paper import score_tables

    return score_tables(
        evaluation,
        per_document=options.per_document,
        caption=caption_for(options.caption, options.format, options.output),
    )


def _print_reference(evaluation: Evaluation, options: ScoreOptions) -> None:
    from corefscope.cli.printing import emit
    from corefscope.reference.printing import reference_result

    (system,) = evaluation
    text, findings = reference_result(
        system.matching,
        evaluation.options,
        per_document=options.per_document,
        document=None if options.document is None else evaluation.key.document_names[0],
    )
    show_findings(findings)
    emit(text, options.output)


def _print_corefud(evaluation: Evaluation, options: ScoreOptions) -> None:
    from corefscope.cli.printing import emit
    from corefscope.extensions.corefud_scorer.printing import as_corefud_scorer
    from corefscope.metrics import metric_names

    (system,) = evaluation
    text = as_corefud_scorer(system.scores, metric_names(options.scoring["metrics"] or "corefud"))
    show_findings(system.scores.findings)
    emit(text, options.output)


def _print_by_type(evaluation: Evaluation, by: SliceKind, options: ScoreOptions) -> None:
    """Print scores by mention type or entity type."""
    from corefscope.breakdown import tables as breakdown
    from corefscope.breakdown.measure import score_by_type
    from corefscope.breakdown.record import breakdown_result
    from corefscope.cli.printing import emit_json, emit_rows, print_tables

    profile, metrics = evaluation.options.profile, evaluation.options.metrics
    typed = [(s, score_by_type(s.matching, profile.singletons, by, metrics)) for s in evaluation]
    findings = each_once(
        finding for s, scores in typed for finding in (*s.matching.findings, *scores.findings)
    )
    show_findings(findings)
    shown = [(system.name, scores) for system, scores in typed]
    if options.format == "json":
        systems = [(s.name, s.path, _signature(s), scores) for s, scores in typed]
        result = breakdown_result(evaluation.key_path, systems, findings)
        emit_json(result, options.output)
    elif options.format == "csv":
        emit_rows(list(breakdown.rows(shown)), options.csv_raw, options.output)
    else:
        signatures = dict.fromkeys(_signature(system) for system in evaluation)
        *first, last = [replace(t, heading=[t.title or ""]) for t in breakdown.tables(shown)]
        signed = replace(last, notes=[*last.notes, *signatures])
        print_tables([*first, signed], options.format, options.output)


def _print_crac(key: str, options: ScoreOptions, scoring: Options, inputs: Inputs) -> int:
    """Print the columns of the shared task for folders of responses."""
    from corefscope.cli.printing import emit_json, emit_rows, print_tables
    from corefscope.cli.reading import named, status
    from corefscope.extensions.corefud_scorer.crac.records import crac_result
    from corefscope.extensions.corefud_scorer.crac.rendering import rows
    from corefscope.extensions.corefud_scorer.crac.rendering import tables as crac_tables
    from corefscope.extensions.corefud_scorer.crac.submissions import (
        PRIMARY,
        column_options,
        data_sets,
        score_submission,
    )
    from corefscope.inputs import Given

    keys = {name: (path, inputs.key(path)) for name, path in data_sets(key).items()}

    def read(path: str, corpus: Corpus, chosen: Options) -> Corpus:
        return inputs.systems(corpus, [Given(path, path)], chosen)[0].response

    submissions = [
        score_submission(
            each.name,
            keys,
            each.path,
            scoring,
            read,
            has_empty_nodes=options.empty_nodes,
            skip_broken=options.reading.skip_broken,
        )
        for each in named(options.responses)
    ]
    findings = each_once(finding for each in submissions for finding in each.findings)
    show_findings(findings)
    profile = column_options(scoring, PRIMARY).profile
    if options.format == "json":
        emit_json(crac_result(submissions, profile.name, findings), options.output)
    elif options.format == "csv":
        emit_rows(list(rows(submissions)), options.csv_raw, options.output)
    else:
        documents = sum(len(corpus) for _, corpus in keys.values())
        shown = crac_tables(submissions, profile.signature(documents))
        print_tables(shown, options.format, options.output)
    skipped = any(finding.code is Code.SKIPPED for finding in findings)
    return IncompleteResponse.exit_status if skipped else status(inputs)


def _signature(system: EvaluatedSystem) -> str:
    profile, documents = system.evaluation.options.profile, len(system.evaluation.key)
    profile = profile.as_read(system.matching)
    return profile.signature(documents, len(system.system.response.skipped_files))


command = command_of(ScoreOptions, run, CONFLICTS)
