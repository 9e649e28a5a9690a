"""Options of ``corefscope compare``."""

from __future__ import annotations

from typing import Annotated

import click

from corefscope.choices import Family, Test
from corefscope.cli.parameters import (
    CAPTION,
    CSV_RAW,
    FILE_OR_WORD,
    LAYOUT,
    OPTIONAL_KEY,
    OPTIONAL_RESPONSES,
    OUTPUT,
    RAW_WITHOUT_CSV,
    SETS_AND_ARGUMENTS,
    SHARD,
    Layout,
    OutputFormat,
    PairingParameters,
    Protocol,
    ReadingParameters,
    choice,
    flag,
    format_option,
    layout_conflicts,
    option,
    sets_option,
)
from corefscope.cli.typed import Conflicts, command_of
from corefscope.records import dataclass

SET_FORM = "NAME=KEY:A:B"
"""What a value of --set looks like: a comparison needs two responses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Testing:
    """Which systems to compare, and how to test for significance."""

    baseline: Annotated[
        str | None,
        option("--baseline", metavar="NAME", help="System to compare with (default: the first)."),
    ]
    all_pairs: Annotated[
        bool, flag("--all-pairs", help="Compare every pair of systems, and rank them.")
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
        float, option("--confidence", type=float, default=0.95, help="Level of the intervals.")
    ]
    family: Annotated[
        Family,
        option(
            "--family",
            type=choice(Family),
            default="all",
            help="P-values to correct together by Holm's method: all, or those of each metric.",
        ),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareOptions:
    """Compare systems: scores with confidence intervals, and differences with p-values.

    A RESPONSE is a response file, a file of scores (from score --per-document --format json), or
    NAME=PATTERN for several runs of one system. Documents are resampled, and every score is
    recomputed from their summed counts. P-values are corrected for the number of tests.

    \b
    Examples:
      corefscope compare gold.conll base=run1.conll ours=run2.conll
      corefscope compare gold.conll a.conll b.conll c.conll --all-pairs --format latex
      corefscope compare gold.conll base.conll ours.conll --layout paper --format latex --caption
      corefscope compare gold.conll base.conll ours.conll --unit parts --changes
      corefscope compare gold.conll 'base=runs/base-*.conll' 'ours=runs/ours-*.conll'
      corefscope compare --set news=n/gold:n/a:n/b --set novels=l/gold:l/a:l/b
    """

    key: Annotated[str | None, OPTIONAL_KEY]
    responses: Annotated[tuple[str, ...], OPTIONAL_RESPONSES]
    reading: ReadingParameters
    protocol: Protocol
    pairing: PairingParameters
    testing: Testing
    sets: Annotated[tuple[str, ...], sets_option(SET_FORM)]
    changes: Annotated[
        bool, flag("--changes", help="Show which errors were fixed and which are new.")
    ]
    list_: Annotated[bool, flag("--list", "list_", help="With --changes: list all these errors.")]
    detail: Annotated[
        bool, flag("--detail", help="Show differences of every metric, not only of CoNLL.")
    ]
    most: Annotated[
        int,
        option(
            "--most",
            type=click.IntRange(min=0),
            default=10,
            metavar="N",
            help="How many of the documents that changed most to show.",
        ),
    ]
    layout: Annotated[Layout, LAYOUT]
    intervals: Annotated[
        bool, flag("--intervals", help="With --layout paper: add the interval of the last score.")
    ]
    caption: Annotated[bool, CAPTION]
    format: Annotated[OutputFormat, format_option(OutputFormat)]
    csv_raw: Annotated[bool, CSV_RAW]
    output: Annotated[str | None, OUTPUT]
    shard: Annotated[tuple[int, int] | None, SHARD]


CONFLICTS: Conflicts[CompareOptions] = (
    (lambda o: o.csv_raw and o.format != "csv", RAW_WITHOUT_CSV),
    (
        lambda o: bool(layout_conflicts(o.layout, o.caption, o.format)),
        lambda o: layout_conflicts(o.layout, o.caption, o.format),
    ),
    (
        lambda o: o.intervals and o.layout != "paper",
        "--intervals requires --layout paper; the plain tables have intervals",
    ),
    (
        lambda o: o.layout == "paper" and (o.sets or o.changes or o.detail),
        "--layout paper cannot be combined with --set, --changes or --detail",
    ),
    (lambda o: o.list_ and not o.changes, "--list requires --changes"),
    (
        lambda o: o.changes and o.format == "csv",
        "--changes cannot be printed as csv; use table, json, markdown or latex",
    ),
    (
        lambda o: o.testing.all_pairs and o.testing.baseline,
        "--all-pairs cannot be combined with --baseline",
    ),
    (lambda o: o.sets and o.key is not None, SETS_AND_ARGUMENTS),
    (lambda o: o.sets and o.changes, "--changes cannot be combined with --set"),
    (
        lambda o: not o.sets and (o.key is None or len(o.responses) < 2),
        "expected KEY and two or more responses, or --set",
    ),
)


command = command_of(CompareOptions, CONFLICTS)
