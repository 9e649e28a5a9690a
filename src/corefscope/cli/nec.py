"""``corefscope nec``: can a reader find everyone who has a name?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

import click

from corefscope.cli.parameters import (
    DOCUMENT,
    NAMED,
    NAMES,
    OUTPUT,
    Input,
    Layout,
    Pairing,
    Reading,
    Singletons,
    choice,
    flag,
    format_option,
    option,
    singletons_option,
)
from corefscope.cli.typed import Conflicts, takes

Heads: TypeAlias = Literal["auto", "dependency", "constituency", "heuristic"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NecOptions:
    """What ``nec`` takes."""

    key: Annotated[str | None, click.Argument(["key"], required=False, metavar="KEY", type=Input())]
    responses: Annotated[
        tuple[str, ...],
        click.Argument(["responses"], nargs=-1, metavar="RESPONSE...", type=NAMED),
    ]
    reading: Reading
    types: Annotated[
        str | None,
        option(
            "--types",
            metavar="LIST",
            help="Entity types that count, of those that tags are mapped to; PER,ORG,GPE by "
            "default.",
        ),
    ]
    maps: Annotated[
        tuple[str, ...],
        option(
            "--map",
            "maps",
            metavar="TAG=TYPE",
            multiple=True,
            help="Count a tag of the corpus as a type, such as LOC=GPE; may be repeated.",
        ),
    ]
    names: Annotated[str | None, NAMES]
    heads: Annotated[
        Heads | None,
        option(
            "--heads",
            type=choice(Heads),
            show_default="auto",
            help="What tells the head of a mention.",
        ),
    ]
    preset: Annotated[
        str | None, option("--preset", metavar="NAME", help="Choices together: paper.")
    ]
    choice: Annotated[
        tuple[str, ...],
        option(
            "--choice",
            metavar="NAME=VALUE",
            multiple=True,
            help="A choice that the paper leaves open, such as case=folded; see --choices.",
        ),
    ]
    choices: Annotated[bool, flag("--choices", help="List all values of --choice, and stop.")]
    genres: Annotated[
        str | None,
        option(
            "--genres", metavar="LIST", help="Documents whose names begin so, such as nw,bn,mz."
        ),
    ]
    singletons: Annotated[Singletons, singletons_option("keep")]
    pairing: Pairing
    document: Annotated[str | None, DOCUMENT]
    tables: Annotated[
        str | None,
        option("--tables", metavar="LIST", help="Of 3 and 4 of the paper, and drop; or all."),
    ]
    detail: Annotated[
        bool, flag("--detail", help="One row a key chain, to follow a score by hand.")
    ]
    most: Annotated[
        int,
        option(
            "--most",
            metavar="N",
            type=click.IntRange(min=0),
            default=10,
            help="How many entities of each kind are named below the table.",
        ),
    ]
    format: Annotated[Layout, format_option(Layout)]
    output: Annotated[str | None, OUTPUT]

    @property
    def genre_names(self) -> tuple[str, ...]:
        """The beginnings of names of documents, one by one."""
        genres = (genre.strip() for genre in (self.genres or "").split(","))
        return tuple(genre for genre in genres if genre)


CONFLICTS: Conflicts[NecOptions] = (
    (
        lambda o: not o.choices and (o.key is None or not o.responses),
        "expected KEY and a response or more (or --choices)",
    ),
    (
        lambda o: o.heads and any(text.partition("=")[0].strip() == "heads" for text in o.choice),
        "--heads and --choice heads=… cannot be combined; use one",
    ),
    (lambda o: o.detail and o.tables, "choose one of --detail, --tables"),
    (
        lambda o: o.genres is not None and not o.genre_names,
        "--genres takes the beginnings of names, such as nw,bn,mz",
    ),
)


@takes(NecOptions, CONFLICTS)
def command(options: NecOptions) -> int:
    """Measure named entity coreference: who of those that have a name is found, and how well.

    Prints NEC F1 by entity type (Agarwal et al. 2019), the entities that were not found, and those
    that were split or combined, by name. The corpus needs named entities.

    \b
    Examples:
      corefscope nec gold.conll system.conll
      corefscope nec gold.conll a=run1.conll b=run2.conll --tables all --format latex
      corefscope nec gold.conll system.conll --preset paper --genres nw,bn,mz
      corefscope nec gold.conll system.conll --detail --format csv -o chains.csv
    """
    from corefscope.cli.running.nec import run

    return run(options)
