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
    OUTPUT,
    RAW_WITHOUT_CSV,
    RESPONSES,
    SCORING_NAMES,
    Layout,
    ReadingParameters,
    choice,
    flag,
    format_option,
    layout_conflicts,
    of_library,
    option,
)
from corefscope.cli.typed import Conflicts, command_of

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


def _has_units(options: ScoreOptions) -> bool:
    """Return whether anything but documents is scored as one."""
    given = options.scoring
    is_cut = given["window"] is not None or str(given["profile"]).startswith("bookcoref-window")
    return is_cut or given["level"] in ("topic", "corpus")


def _has_sizes(options: ScoreOptions) -> bool:
    """Return whether there are several sizes of windows."""
    return "," in str(options.scoring["window"])


def _printed_as_corefud() -> list[str]:
    """Return the profiles whose figures the CorefUD scorer prints; the default stands for one."""
    return [*_official_profiles("corefud"), "conll-2012"]


CONFLICTS: Conflicts[ScoreOptions] = (
    (lambda o: o.csv_raw and o.format != "csv", RAW_WITHOUT_CSV),
    (
        lambda o: bool(layout_conflicts(o.layout, o.caption, o.format)),
        lambda o: layout_conflicts(o.layout, o.caption, o.format),
    ),
    (
        lambda o: (
            o.crac
            and bool(
                o.document is not None
                or o.by
                or o.per_document
                or o.layout == "paper"
                or o.format in OF_SCORERS
            )
        ),
        "--crac cannot be combined with --document, --by, --per-document, --layout paper, "
        "--format reference or --format corefud",
    ),
    (
        lambda o: o.crac and o.scoring["profile"] not in _printed_as_corefud(),
        lambda o: f"--crac cannot be combined with --profile {o.scoring['profile']}",
    ),
    (
        lambda o: o.empty_nodes and bool(o.by or o.format in OF_SCORERS),
        "--empty-nodes cannot be combined with --by, --format reference or --format corefud",
    ),
    (
        lambda o: o.by and o.scoring["profile"] in _official_profiles(),
        lambda o: (
            f"--by cannot be combined with --profile {o.scoring['profile']}, whose figures are "
            "those of an official scorer; use --match and --zeros instead"
        ),
    ),
    (
        lambda o: o.by and (o.format in OF_SCORERS or o.per_document or o.layout == "paper"),
        "--by cannot be combined with --per-document, --layout paper, --format reference or "
        "--format corefud",
    ),
    (
        lambda o: o.format == "corefud" and (len(o.responses) > 1 or o.per_document),
        "--format corefud takes one response and prints the scores of all documents together, as "
        "the CorefUD scorer does",
    ),
    (
        lambda o: o.format == "corefud" and o.scoring["zeros"] == "drop",
        "--format corefud cannot be combined with --zeros drop, which the CorefUD scorer does not "
        "have",
    ),
    (
        lambda o: o.format == "corefud" and o.scoring["profile"] not in _printed_as_corefud(),
        lambda o: (
            f"--format corefud cannot be combined with --profile {o.scoring['profile']}; "
            f"expected one of {', '.join(_printed_as_corefud())}"
        ),
    ),
    (
        lambda o: _has_units(o) and bool(o.by or o.crac or o.format in OF_SCORERS),
        "--window, --level and --profile bookcoref-window cannot be combined with --by, --crac, "
        "--format reference or --format corefud",
    ),
    (
        lambda o: _has_sizes(o) and bool(o.per_document or o.scoring["major"] is not None),
        "several sizes of windows cannot be combined with --per-document or --major",
    ),
    (
        lambda o: o.scoring["major"] is not None and bool(o.by or o.crac or o.format in OF_SCORERS),
        "--major cannot be combined with --by, --crac, --format reference or --format corefud",
    ),
    (
        lambda o: o.format == "reference" and len(o.responses) > 1,
        "--format reference takes one response, as the reference scorer does",
    ),
)


command = command_of(ScoreOptions, CONFLICTS)
