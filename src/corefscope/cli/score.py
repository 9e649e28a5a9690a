"""Options of ``corefscope score``."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Struct

from corefscope.choices import ScoringOptions, SliceKind
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
      corefscope score gold.conll a=run1.jsonl b=run2.jsonl --layout paper --format latex
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
            type=choice(SliceKind),
            help="Break scores down by slices of the mentions: by mention type, entity type, size "
            "of the entity, distance to the previous mention, spread (tokens from the first "
            "mention of the entity to the last), nesting, zeros, genre (the first "
            "part in which document names differ), or UPOS or relation of the head. Four ways: "
            "filtered, and with whole entities B³ credit, anaphors, links.",
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
    # Imported here because help needs none of it.
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


command = command_of(ScoreOptions, CONFLICTS)
