"""Options of ``corefscope compare``."""

from __future__ import annotations

from typing import Annotated

import click
from msgspec import Struct

from corefscope.choices import ScoringOptions, Test
from corefscope.cli.parameters import (
    BASELINE,
    CAPTION,
    CSV_RAW,
    FILE_OR_WORD,
    KEY,
    LAYOUT,
    LAYOUTS,
    OUTPUT,
    RESPONSES,
    SCORING,
    Layout,
    OutputFormat,
    ReadingParameters,
    choice,
    flag,
    format_option,
    option,
)
from corefscope.cli.typed import Conflicts, command_of, excludes, requires


class Testing(Struct, frozen=True, kw_only=True):
    """Which systems to compare, and how to test for significance."""

    baseline: Annotated[str | None, BASELINE]
    all_pairs: Annotated[
        bool, flag("--all-pairs", help="Compare every pair of systems, without verdicts.")
    ]
    test: Annotated[
        Test | None,
        option(
            "--test",
            type=choice(Test),
            help="Significance test (default: randomization, which is paired and approximate). "
            "Cannot be chosen if a system has several runs.",
        ),
    ]
    samples: Annotated[
        int,
        option(
            "--samples",
            type=click.IntRange(1, 1_000_000),
            default=10_000,
            help="Number of samples.",
        ),
    ]
    seed: Annotated[
        int,
        option("--seed", type=click.IntRange(min=0), default=12345, help="Seed of the samples."),
    ]
    unit: Annotated[
        str,
        option(
            "--unit",
            default="documents",
            metavar="UNIT",
            type=FILE_OR_WORD,
            help="What to resample: documents, parts (all parts of a text together), files, "
            "windows (with --window), topics, a regular expression that groups document names, or "
            "a file with lines 'document TAB unit'.",
        ),
    ]
    confidence: Annotated[
        float,
        option(
            "--confidence",
            type=float,
            default=0.95,
            help="Level of the intervals; verdicts are at the level 1 - confidence.",
        ),
    ]


class CompareOptions(Struct, frozen=True, kw_only=True):
    """Compare systems: scores with confidence intervals, and differences with p-values.

    A RESPONSE is a response file, a file of scores (from score --per-document --format json), or
    NAME=PATTERN for several runs of one system. Documents are resampled, and every score is
    recomputed from their summed counts. One comparison is planned and has a verdict: the CoNLL
    score of each system against the baseline. All others are exploratory.

    \b
    Examples:
      corefscope compare gold.conll base=run1.conll ours=run2.conll
      corefscope compare gold.conll a.conll b.conll c.conll --all-pairs --format latex
      corefscope compare gold.conll base.conll ours.conll --layout paper --format latex --caption
      corefscope compare gold.conll base.conll ours.conll --unit parts --changes
      corefscope compare gold.conll 'base=runs/base-*.conll' 'ours=runs/ours-*.conll'
    """

    key: Annotated[str, KEY]
    responses: Annotated[tuple[str, ...], RESPONSES]
    reading: ReadingParameters
    scoring: Annotated[ScoringOptions, SCORING]
    testing: Testing
    changes: Annotated[
        bool, flag("--changes", help="Show which errors were fixed and which are new.")
    ]
    list_: Annotated[bool, flag("--list", "list_", help="With --changes: list all these errors.")]
    detail: Annotated[bool, flag("--detail", help="Show all differences in every metric.")]
    most: Annotated[
        int,
        option(
            "--most",
            type=click.IntRange(min=0),
            default=0,
            metavar="N",
            help="With two systems, also show the N documents that changed most.",
        ),
    ]
    layout: Annotated[Layout, LAYOUT]
    intervals: Annotated[bool, flag("--intervals", help="Add the intervals of scores.")]
    caption: Annotated[bool, CAPTION]
    format: Annotated[OutputFormat, format_option(OutputFormat)]
    csv_raw: Annotated[bool, CSV_RAW]
    output: Annotated[str | None, OUTPUT]


CONFLICTS: Conflicts[CompareOptions] = (
    *LAYOUTS,
    excludes("--layout paper", "--changes", "--detail"),
    requires("--list", "--changes"),
    excludes("--changes", "--format csv"),
    excludes("--all-pairs", "--baseline"),
)


command = command_of(CompareOptions, CONFLICTS)
