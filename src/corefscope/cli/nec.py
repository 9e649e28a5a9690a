"""Options of ``corefscope nec``."""

from __future__ import annotations

from typing import Annotated

import click
from msgspec import Struct

from corefscope.choices import AnalysisOptions, HeadsChoice, NecPreset, Singletons
from corefscope.cli.parameters import (
    CAPTION,
    CSV_RAW,
    DOCUMENT,
    KEY,
    LAYOUT,
    LAYOUTS,
    MATCHING,
    NAMES,
    OUTPUT,
    PROFILE,
    RESPONSES,
    Layout,
    OutputFormat,
    ReadingParameters,
    choice,
    flag,
    format_option,
    option,
    singletons_option,
)
from corefscope.cli.typed import Conflicts, command_of, excludes


class NecOptions(Struct, frozen=True, kw_only=True):
    """Measure named entity coreference: which named entities are found, and how well.

    Prints NEC F1 by entity type (Agarwal et al. 2019) and lists the entities that were not found,
    split or combined. The key needs named-entity annotation, or see --names.

    \b
    Examples:
      corefscope nec gold.conll system.conll
      corefscope nec gold.conll a=run1.conll b=run2.conll --tables all --format latex
      corefscope nec gold.conll a=run1.conll b=run2.conll --layout paper --format latex
      corefscope nec gold.conll system.conll --preset paper --genres nw,bn,mz
      corefscope nec gold.conll system.conll --detail --format csv -o chains.csv
    """

    key: Annotated[str, KEY]
    responses: Annotated[tuple[str, ...], RESPONSES]
    reading: ReadingParameters
    types: Annotated[
        str | None,
        option(
            "--types",
            metavar="LIST",
            help="Entity types to measure, among those that tags are mapped to (default: "
            "PER,ORG,GPE).",
        ),
    ]
    maps: Annotated[
        tuple[str, ...],
        option(
            "--map",
            "maps",
            metavar="TAG=TYPE,...",
            multiple=True,
            help="Map tags of the corpus to types, such as LOC=GPE,FAC=GPE; may be repeated.",
        ),
    ]
    names: Annotated[str | None, NAMES]
    heads: Annotated[
        HeadsChoice | None,
        option(
            "--heads",
            type=choice(HeadsChoice),
            show_default="auto",
            help="Annotation that determines the head of a mention.",
        ),
    ]
    preset: Annotated[
        NecPreset,
        option(
            "--preset",
            type=choice(NecPreset),
            default="default",
            help="Which names head a mention: as usual, or as the paper says, literally.",
        ),
    ]
    genres: Annotated[
        str | None,
        option(
            "--genres",
            metavar="LIST",
            help="Use only documents whose names begin with one of these, such as nw,bn,mz.",
        ),
    ]
    singletons: Annotated[Singletons | None, singletons_option("keep")]
    profile: Annotated[str | None, PROFILE]
    matching: Annotated[AnalysisOptions, MATCHING]
    document: Annotated[str | None, DOCUMENT]
    tables: Annotated[
        str | None,
        option("--tables", metavar="LIST", help="Print tables 3 and 4 of the paper, drop, or all."),
    ]
    detail: Annotated[
        bool, flag("--detail", help="Print one row per key entity, to check scores by hand.")
    ]
    most: Annotated[
        int,
        option(
            "--most",
            metavar="N",
            type=click.IntRange(min=0),
            default=10,
            help="How many entities of each kind to list below the table.",
        ),
    ]
    layout: Annotated[Layout, LAYOUT]
    caption: Annotated[bool, CAPTION]
    format: Annotated[OutputFormat, format_option(OutputFormat)]
    csv_raw: Annotated[bool, CSV_RAW]
    output: Annotated[str | None, OUTPUT]

    @property
    def genre_names(self) -> tuple[str, ...]:
        """The prefixes of document names."""
        genres = (genre.strip() for genre in (self.genres or "").split(","))
        return tuple(genre for genre in genres if genre)


CONFLICTS: Conflicts[NecOptions] = (
    *LAYOUTS,
    excludes("--layout paper", "--tables", "--detail"),
    excludes("--detail", "--tables"),
    lambda o: (
        "--genres takes prefixes of document names, such as nw,bn,mz"
        if o.genres is not None and not o.genre_names
        else ""
    ),
)


command = command_of(NecOptions, CONFLICTS)
