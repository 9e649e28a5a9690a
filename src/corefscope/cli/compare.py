"""``corefscope compare``: is A better than B, and by how much?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

import click

from corefscope.cli.parameters import (
    FILE_OR_WORD,
    NAMED,
    OPTIONAL_KEY,
    OUTPUT,
    SETS,
    Layout,
    Pairing,
    Protocol,
    Reading,
    choice,
    flag,
    format_option,
    option,
)
from corefscope.cli.typed import Conflicts, takes

Test: TypeAlias = Literal["randomization", "bootstrap"]
Family: TypeAlias = Literal["all", "metric", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Testing:
    """Which systems are compared, and how chance is told from difference."""

    baseline: Annotated[
        str | None,
        option(
            "--baseline", metavar="NAME", help="The system to compare with; the first otherwise."
        ),
    ]
    all_pairs: Annotated[
        bool, flag("--all-pairs", help="Compare every system with every other, and rank.")
    ]
    test: Annotated[
        Test | None,
        option(
            "--test",
            type=choice(Test),
            help="Test for one run per system (default: randomization, which is paired and "
            "approximate). With several runs no test can be chosen.",
        ),
    ]
    samples: Annotated[
        int,
        option("--samples", type=click.IntRange(1, 1_000_000), default=10_000, help="Resamples."),
    ]
    seed: Annotated[int, option("--seed", type=click.IntRange(min=0), default=12345)]
    unit: Annotated[
        str,
        option(
            "--unit",
            default="documents",
            metavar="UNIT",
            type=FILE_OR_WORD,
            help="What is resampled: documents, parts (of a text, together), files, a regular "
            "expression on names, or a file of lines 'document TAB unit'.",
        ),
    ]
    confidence: Annotated[
        float, option("--confidence", type=float, default=0.95, help="Of the intervals.")
    ]
    family: Annotated[
        Family,
        option(
            "--family",
            type=choice(Family),
            default="all",
            help="P-values that Holm's correction takes together: all, or those of each metric.",
        ),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareOptions:
    """What ``compare`` takes."""

    key: Annotated[str | None, OPTIONAL_KEY]
    responses: Annotated[
        tuple[str, ...],
        click.Argument(["responses"], nargs=-1, metavar="[RESPONSE]...", type=NAMED),
    ]
    reading: Reading
    protocol: Protocol
    pairing: Pairing
    testing: Testing
    sets: Annotated[
        tuple[str, ...],
        option(
            "--set",
            "sets",
            multiple=True,
            metavar="NAME=KEY:A:B",
            type=SETS,
            help="A set of texts with its key and responses, instead of KEY RESPONSE...; repeat "
            "it.",
        ),
    ]
    changes: Annotated[bool, flag("--changes", help="Which errors were fixed, which are new.")]
    list_: Annotated[bool, flag("--list", "list_", help="With --changes: every one of them.")]
    detail: Annotated[
        bool, flag("--detail", help="Differences of every metric, not of CoNLL alone.")
    ]
    most: Annotated[
        int,
        option(
            "--most",
            type=click.IntRange(min=0),
            default=10,
            metavar="N",
            help="Documents to name that moved most.",
        ),
    ]
    format: Annotated[Layout, format_option(Layout)]
    output: Annotated[str | None, OUTPUT]


CONFLICTS: Conflicts[CompareOptions] = (
    (lambda o: o.list_ and not o.changes, "--list lists the errors of --changes"),
    (
        lambda o: o.changes and o.format == "csv",
        "--changes are printed as table, json, markdown or latex",
    ),
    (
        lambda o: o.testing.all_pairs and o.testing.baseline,
        "--all-pairs compares all with all: there is no --baseline",
    ),
    (lambda o: o.sets and o.key is not None, "--set has its own keys and responses; leave KEY out"),
    (lambda o: o.sets and o.changes, "--changes compares two systems on one key, not on --set"),
    (
        lambda o: not o.sets and (o.key is None or len(o.responses) < 2),
        "expected KEY and two responses or more (or --set)",
    ),
)


@takes(CompareOptions, CONFLICTS)
def command(options: CompareOptions) -> int:
    """Compare systems: scores with intervals, differences with p-values, what changed.

    A RESPONSE is a file, a file of results (score --per-document --format json), or NAME=PATTERN
    for several runs of one system. Units of texts are resampled; every score is computed anew from
    their summed counts. P-values are corrected for the number of tests.

    \b
    Examples:
      corefscope compare gold.conll base=run1.conll ours=run2.conll
      corefscope compare gold.conll a.conll b.conll c.conll --all-pairs --format latex
      corefscope compare gold.conll base.conll ours.conll --unit parts --changes
      corefscope compare gold.conll 'base=runs/base-*.conll' 'ours=runs/ours-*.conll'
      corefscope compare --set news=n/gold:n/a:n/b --set novels=l/gold:l/a:l/b
    """
    from corefscope.cli.running.compare import run

    return run(options)
