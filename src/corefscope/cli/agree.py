"""Options of ``corefscope agree``."""

from __future__ import annotations

from typing import Annotated

import click
from msgspec import Struct

from corefscope.choices import AgreementOptions, AnalysisOptions, ScoringOptions, Unmarked
from corefscope.cli.parameters import (
    CAPTION,
    CSV_RAW,
    DOCUMENT,
    INPUT_FORMAT,
    LAYOUTS,
    NAMED,
    OUTPUT,
    FileReading,
    Layout,
    OutputFormat,
    choice,
    declared_option,
    flag,
    format_option,
    of_library,
    option,
)
from corefscope.cli.typed import Conflicts, command_of, excludes

SCORING = of_library(
    AgreementOptions,
    *("metrics", "profile", "match", "zeros", "singletons", "duplicates"),
    *("tokens", "snap", "pair_by", "language"),
    singletons="Whether to keep entities with one mention (default: as in the profile).",
    tokens="How to treat documents whose tokens differ: carry (default) carries mentions over if "
    "the letters are the same or at most 2 % of the words differ, and stops otherwise; align does "
    "so whatever differs; ignore compares token numbers.",
)
MATCH = declared_option(
    AnalysisOptions,
    "match",
    "Mention matching criterion: same words (exact) or same head (default: set by the profile, "
    "otherwise exact). Others are rejected: they treat annotators differently.",
)


class AgreeOptions(Struct, frozen=True, kw_only=True):
    """Measure how far annotators of the same texts agree.

    Prints the F1 of every metric for each pair of annotators and their mean, Krippendorff's alpha
    for coreference (Passonneau 2004), how many annotators marked the mentions, and where they
    disagree. No annotator is the key, and their order does not matter. NAME=PATH names an
    annotator. A single path may hold several annotators: an export of Label Studio, a folder with
    one file per annotator (DOC/anna.tsv, as WebAnno and INCEpTION export them, or anna.conll), or
    with one folder per annotator (anna/DOC.conll).

    \b
    Examples:
      corefscope agree anna.conll ben.conll
      corefscope agree anna=a.conll ben=b.conll carla=c.conll --unmarked singleton
      corefscope agree export/annotation --list --format csv -o disagreements.csv
      corefscope agree anna.conll ben.conll --layout paper --format latex --caption
    """

    files: Annotated[
        tuple[str, ...],
        click.Argument(["files"], nargs=-1, required=True, metavar="ANNOTATOR...", type=NAMED),
    ]
    input_format: Annotated[str | None, INPUT_FORMAT]
    reading: FileReading
    scoring: Annotated[ScoringOptions, SCORING | {"match": MATCH}]
    unmarked: Annotated[Unmarked, declared_option(AgreementOptions, "unmarked")]
    document: Annotated[str | None, DOCUMENT]
    list_: Annotated[
        bool,
        flag(
            "--list",
            "list_",
            help="List all disagreements, and all disputed entities and documents.",
        ),
    ]
    most: Annotated[
        int,
        option(
            "--most",
            type=click.IntRange(min=0),
            default=5,
            metavar="N",
            help="How many of the most disputed entities and documents to show.",
        ),
    ]
    layout: Annotated[
        Layout,
        option(
            "--layout",
            type=choice(Layout),
            default="plain",
            help="Layout: all tables (plain), or one table of F1 as papers print it.",
        ),
    ]
    caption: Annotated[bool, CAPTION]
    format: Annotated[OutputFormat, format_option(OutputFormat)]
    csv_raw: Annotated[bool, CSV_RAW]
    output: Annotated[str | None, OUTPUT]


CONFLICTS: Conflicts[AgreeOptions] = (*LAYOUTS, excludes("--layout paper", "--list"))


command = command_of(AgreeOptions, CONFLICTS)
