"""Parameters that commands share: their types, single parameters, and groups of parameters.

A parameter that names a file to read has the type :class:`Input`; one that names a file or a folder
to write has the type :class:`Output`. A test checks that all commands follow this rule.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Annotated, Any, Literal, TypeAlias, get_args

import click
from msgspec import Struct

from corefscope.choices import (
    AnalysisOptions,
    HeadSource,
    ScoringOptions,
    Singletons,
    WorkOptions,
    declared,
    values,
)
from corefscope.cli.typed import COMMON, GroupedOption, OfLibrary, requires

OutputFormat: TypeAlias = Literal["table", "json", "csv", "markdown", "latex"]
"""The formats of most commands."""

FORMAT_HELP = (
    "Name of the format (default: detected from the content); `corefscope formats` lists all. "
    "Options follow the name: jsonl:FIELD reads the clusters from another field, jsonl:base=1, "
    "jsonl:ends=exclusive and fastcoref:unit=utf16 declare how positions are counted, "
    "brat:relations=coref+same names relations that mean identity, ua:layer=deixis reads "
    "discourse deixis."
)


def declared_option(options: type, name: str, meaning: str = "") -> click.Option:
    """Return the option of the command line for one that the library declares.

    ``meaning`` is the declared one, unless a command has its own.
    """
    known = declared(options, name)
    settings: dict[str, Any] = {"help": meaning or known.meaning, "group": known.group}
    if known.metavar:
        settings |= {"metavar": known.metavar, "type": OF_FILES.get(known.metavar)}
    elif values(options, name):
        settings["type"] = click.Choice(values(options, name))
    if known.default is not None:
        settings["default"] = known.default
    return option(f"--{name.replace('_', '-')}", **settings)


def of_library(options: type, *names: str, **meanings: str) -> OfLibrary:
    """Return options that the library declares as one field; some with a meaning of their own."""
    return OfLibrary(
        (each, declared_option(options, each, meanings.get(each, ""))) for each in names
    )


def choice(values: object) -> click.Choice[str]:
    """Return the type of an option that takes one of the values of a ``Literal``."""
    return click.Choice(get_args(values))


def option(*names: str, group: str = COMMON, **settings: Any) -> click.Option:
    """Return an option of a group; its help shows the default, if there is one."""
    settings = {"show_default": "default" in settings, **settings}
    return GroupedOption(names, group=group, **settings)


def flag(*names: str, help: str, group: str = COMMON) -> click.Option:
    """Return an option that takes no value."""
    return GroupedOption(names, group=group, is_flag=True, help=help)


# ---- Files that are read ----


def split_name(response: str) -> tuple[str | None, str]:
    """Split NAME=PATH; the name of a plain path is None."""
    name, equals, path = response.partition("=")
    # A remote address may have an equals sign, as in a query.
    if not equals or not name or "://" in name:
        return None, response
    if os.path.exists(response):  # noqa: PTH110 - it never raises
        return None, response
    return name, path


def _itself(value: str) -> Iterable[str]:
    return [value]


def _path_of_named(value: str) -> list[str]:
    return [split_name(value)[1]]


def _path_if_file(value: str) -> list[str]:
    return [value] if os.path.isfile(value) else []  # noqa: PTH113 - it never raises


class Input(click.Path):
    """The type of an input; ``paths`` extracts the paths from the value of the parameter."""

    def __init__(
        self, paths: Callable[[str], Iterable[str]] = _itself, *, dir_okay: bool = True
    ) -> None:
        super().__init__(dir_okay=dir_okay)
        self.paths = paths


NAMED = Input(_path_of_named)
"""The type of a response: PATH or NAME=PATH."""
FILE_OR_WORD = Input(_path_if_file)
"""The type of a value that may be a file."""
OF_FILES = {"FILE": Input(), "K|FILE": FILE_OR_WORD}
"""The types of declared options that may name a file."""


# ---- Files that are written ----


class Target(Struct, frozen=True, kw_only=True):
    """A file or folder that a command writes."""

    path: str
    is_folder: bool = False
    of_documents: bool = False
    """Whether the files in the folder can be read as inputs."""
    names: tuple[str, ...] = ()
    """Files in the folder that will be written, if known beforehand."""
    inputs: tuple[str, ...] = ()
    """Paths that are read although no parameter names them."""


class Output(click.Path):
    """The type of a file to write."""

    def __init__(self) -> None:
        super().__init__()

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str | bytes | os.PathLike[str]:
        """Refuse an empty name, which an unset shell variable gives."""
        if not os.fspath(value):
            self.fail("the name of the output is empty.", param, ctx)
        return super().convert(value, param, ctx)

    def target(self, value: str | None, options: object) -> Target | None:
        """Return what a command with this value and these options writes."""
        return None if value is None else Target(path=value)


class DocumentsOutput(Output):
    """The type of a folder to write documents to."""

    def __init__(
        self,
        names: Callable[[], Iterable[str]] = tuple,
        inputs: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        super().__init__()
        self.names = names
        self.inputs = inputs

    def target(self, value: str | None, options: object) -> Target | None:
        """Return the folder; its files can be read as inputs."""
        if value is None:
            return None
        return Target(
            path=value,
            is_folder=True,
            of_documents=True,
            names=tuple(self.names()),
            inputs=tuple(self.inputs()),
        )


# ---- Single parameters ----


def _columns(_: click.Context, __: click.Parameter, text: str | None) -> str | None:
    """Return columns of CoNLL files in normalized spelling."""
    if text is None:
        return None
    # Imported here because help needs none of it.
    from corefscope.exceptions import UnknownName
    from corefscope.formats.conll.columns import BadColumns, parse_columns

    try:
        return str(parse_columns(text))
    except (BadColumns, UnknownName) as error:
        raise click.BadParameter(str(error)) from None


KEY = click.Argument(["key"], type=Input())
OPTIONAL_KEY = click.Argument(["key"], required=False, type=Input())
RESPONSE = click.Argument(["response"], type=NAMED)
OPTIONAL_RESPONSES = click.Argument(["responses"], nargs=-1, metavar="[RESPONSE]...", type=NAMED)
RESPONSES = click.Argument(
    ["responses"], nargs=-1, required=True, metavar="RESPONSE...", type=NAMED
)
FILES = click.Argument(["files"], nargs=-1, required=True, metavar="FILE...", type=NAMED)
INPUT_FORMAT = option("--input-format", group="input", metavar="FORMAT", help=FORMAT_HELP)
BASELINE = option(
    "--baseline", metavar="NAME", help="System to compare the others with (default: the first)."
)
DOCUMENT = option(
    "--document",
    metavar="NAME",
    help="Use only this document: its name, or a part of it that no other name has.",
)
NAMES = option("--names", type=Input(dir_okay=False), help="Read named entities from this file.")


def singletons_option(default: Singletons) -> click.Option:
    """Return the option for entities with one mention in commands with a default of their own."""
    return declared_option(
        ScoringOptions,
        "singletons",
        meaning="Whether to keep entities with one mention, in key and response (default: as in "
        f"the profile, without it {default}).",
    )


Layout: TypeAlias = Literal["plain", "paper"]
"""How a table is laid out."""
LAYOUT = option(
    "--layout",
    type=choice(Layout),
    default="plain",
    help="Layout of the table: plain, or as papers print it, one row per system with grouped "
    "headings and the best figures in bold.",
)
CAPTION = flag(
    "--caption",
    group="output",
    help="With --layout paper: add the sentences that a caption needs; takes no text.",
)


def format_option(formats: object, default: str = "table") -> click.Option:
    """Return the option for the format; ``formats`` is a ``Literal``."""
    return option("--format", type=choice(formats), default=default, help="Output format.")


CSV_RAW = flag(
    "--csv-raw",
    group="output",
    help="Write the cells of --format csv unchanged, for programs (default: safe in spreadsheets).",
)
RAW = requires("--csv-raw", "--format csv")
LAYOUTS = (
    RAW,
    requires("--layout paper", "--format table", "--format markdown", "--format latex"),
    requires("--caption", "--layout paper"),
)
"""What options of output need."""

OUTPUT = option(
    "-o",
    "--output",
    type=Output(),
    metavar="FILE",
    help="Write to a file instead of standard output.",
)


# ---- Groups of parameters ----


def _engine(_: click.Context, __: click.Parameter, name: str) -> str:
    """Refuse an engine that does not exist."""
    # Imported here because help needs none of it.
    from corefscope.engines import DASK, LOCAL

    if name not in (LOCAL, DASK) and "://" not in name:
        raise click.BadParameter(
            f"found {name!r}; expected local, dask, or the address of a scheduler of dask, such as "
            "tcp://host:8786"
        )
    return name


class WorkParameters(Struct, frozen=True, kw_only=True):
    """Where the work is done."""

    jobs: Annotated[
        int | None,
        option(
            "--jobs",
            group="input",
            type=click.IntRange(min=1, max=1024),
            metavar="N",
            help=declared(WorkOptions, "jobs").meaning,
        ),
    ]
    engine: Annotated[
        str,
        option(
            "--engine",
            group="input",
            callback=_engine,
            default="local",
            metavar="NAME",
            help="Where the processes are: local, dask (a cluster of dask on this machine), or the "
            "address of a scheduler of dask, such as tcp://host:8786.",
        ),
    ]


class FileReading(Struct, frozen=True, kw_only=True):
    """How to read files of any kind."""

    include: Annotated[
        tuple[str, ...],
        option(
            "--include",
            group="input",
            metavar="GLOB",
            multiple=True,
            help="Read only matching files of a directory, such as '*_gold_conll'. Repeat the "
            "option for several suffixes, such as those of key and response: --include '*.gold' "
            "--include '*.pred'.",
        ),
    ]
    columns: Annotated[
        str | None,
        option(
            "--columns",
            group="input",
            callback=_columns,
            metavar="NAME=N,...",
            help="Columns of CoNLL files, such as word=4,coref=-1. Columns count from 1, negative "
            "numbers from the end. Names: word, coref, tag, parse, lemma, speaker, name.",
        ),
    ]
    head: Annotated[
        HeadSource,
        option(
            "--head",
            group="input",
            type=choice(HeadSource),
            default="file",
            help="Where the heads of mentions come from in CorefUD files: their field head, or the "
            "first number of minspan.",
        ),
    ]
    work: WorkParameters


class ReadingParameters(Struct, frozen=True, kw_only=True):
    """How to read a key and responses."""

    key_format: Annotated[
        str | None, option("--key-format", group="input", metavar="FORMAT", help=FORMAT_HELP)
    ]
    files: FileReading
    response_format: Annotated[
        str | None,
        option("--response-format", group="input", metavar="FORMAT", help="As --key-format."),
    ]
    skip_broken: Annotated[
        bool,
        flag(
            "--skip-broken",
            group="input",
            help="Skip unreadable files of a response directory; exit with status 4.",
        ),
    ]


PAIRING = ("missing", "tokens", "snap", "pair_by", "language")
SCORING_NAMES = (
    *("metrics", "profile", "match", "zeros", "split_antecedents", "layer", "singletons"),
    *("duplicates", "skeleton", "zeros_from", "level", "window", *PAIRING),
)
SCORING = of_library(ScoringOptions, *SCORING_NAMES)
"""Which scores to compute, and how."""
MATCHING = of_library(AnalysisOptions, "match", "zeros", "level", *PAIRING)
"""How analyses pair documents and mentions."""
PROFILE = option(
    "--profile",
    metavar="NAME",
    help="Match mentions and zeros, and treat singletons, as in a profile of score, such as "
    "corefud. Faults of official scorers are left out.",
)
"""The profile of an analysis, which computes no official figures."""
AS_IN_SCORE = "As in score."
