"""Parameters that commands share, each declared once: their types, one by one, and in groups.

A parameter that names a file to read has the type :class:`Input`, one that names a file or a folder
to write has the type :class:`Output`. A test refuses a command with a path of another type.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias, get_args

import click

Singletons: TypeAlias = Literal["keep", "drop"]
Duplicates: TypeAlias = Literal["first", "error", "reference"]
Missing: TypeAlias = Literal["empty", "error"]
Tokens: TypeAlias = Literal["error", "ignore"]
PairBy: TypeAlias = Literal["auto", "name"]
LanguageChoice: TypeAlias = Literal["auto", "english", "universal"]
Layout: TypeAlias = Literal["table", "json", "csv", "markdown", "latex"]
"""The formats of most commands."""

FORMAT_HELP = (
    "conll, jsonl or json (default: detected from the content). jsonl:FIELD reads the clusters "
    "from another field; jsonl:ends=exclusive and jsonl:base=1 (or json:…) declare how tokens are "
    "counted."
)
SINGLETONS_HELP = "Entities of one mention, on both sides{}."


def choice(values: object) -> click.Choice[str]:
    """Return the type of an option that takes one of the values of a ``Literal``."""
    return click.Choice(get_args(values))


def option(*names: str, **settings: Any) -> click.Option:
    """Return an option with settings of click; the help shows its default, if it has one."""
    return click.Option(names, **{"show_default": "default" in settings, **settings})


def flag(*names: str, help: str) -> click.Option:
    """Return an option that takes no value."""
    return click.Option(names, is_flag=True, help=help)


# ---- Files that are read ----


def split_name(response: str) -> tuple[str | None, str]:
    """Tell NAME=PATH from a path."""
    name, equals, path = response.partition("=")
    if not equals or not name or os.path.exists(response):  # noqa: PTH110 - it never raises
        return None, response
    return name, path


def _itself(value: str) -> Iterable[str]:
    return [value]


def _path_of_named(value: str) -> list[str]:
    return [split_name(value)[1]]


def _paths_of_set(value: str) -> list[str]:
    key, *responses = value.partition("=")[2].split(":")
    return [key, *(split_name(response)[1] for response in responses)]


def _path_if_file(value: str) -> list[str]:
    return [value] if os.path.isfile(value) else []  # noqa: PTH113 - it never raises


class Input(click.Path):
    """A parameter that names what is read; ``paths`` finds the paths in what was given."""

    def __init__(
        self, paths: Callable[[str], Iterable[str]] = _itself, *, dir_okay: bool = True
    ) -> None:
        super().__init__(dir_okay=dir_okay)
        self.paths = paths


NAMED = Input(_path_of_named)
"""A parameter that names a response: a path, or NAME=PATH."""
SETS = Input(_paths_of_set)
"""A parameter that names a key and responses: NAME=KEY:A:B."""
FILE_OR_WORD = Input(_path_if_file)
"""A parameter that names a file or something else."""


# ---- Files that are written ----


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What a command writes."""

    path: str
    is_folder: bool = False
    of_documents: bool = False
    """Whether the files in the folder can be read as inputs."""
    names: tuple[str, ...] = ()
    """Files in the folder that would be overwritten, as far as they are known beforehand."""
    inputs: tuple[str, ...] = ()
    """What is read besides what parameters name."""


class Output(click.Path):
    """A parameter that names the file to write."""

    def __init__(self) -> None:
        super().__init__()

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str | bytes | os.PathLike[str]:
        """Refuse a name without a character, as an unset variable of a shell gives it."""
        if not os.fspath(value):
            self.fail("the name of what is to be written is empty.", param, ctx)
        return super().convert(value, param, ctx)

    def target(self, value: str | None, options: object) -> Target | None:
        """Return what is written where this value and these options are given."""
        return None if value is None else Target(path=value)


class DocumentsOutput(Output):
    """A parameter that names the folder to write documents to."""

    def __init__(
        self,
        names: Callable[[], Iterable[str]] = tuple,
        inputs: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        super().__init__()
        self.names = names
        self.inputs = inputs

    def target(self, value: str | None, options: object) -> Target | None:
        """Return the folder, which gets files that can be read as inputs."""
        if value is None:
            return None
        return Target(
            path=value,
            is_folder=True,
            of_documents=True,
            names=tuple(self.names()),
            inputs=tuple(self.inputs()),
        )


# ---- Parameters, one by one ----


def _columns(_: click.Context, __: click.Parameter, text: str | None) -> str | None:
    """Return columns of CoNLL files in their usual spelling."""
    if text is None:
        return None
    # Loaded here: help needs none of it.
    from corefscope.exceptions import UnknownName
    from corefscope.formats.conll.columns import BadColumns, parse_columns

    try:
        return str(parse_columns(text))
    except (BadColumns, UnknownName) as error:
        raise click.BadParameter(str(error)) from None


KEY = click.Argument(["key"], type=Input())
OPTIONAL_KEY = click.Argument(["key"], required=False, type=Input())
RESPONSE = click.Argument(["response"], type=NAMED)
RESPONSES = click.Argument(
    ["responses"], nargs=-1, required=True, metavar="RESPONSE...", type=NAMED
)
FILES = click.Argument(["files"], nargs=-1, required=True, metavar="FILE...", type=NAMED)
INPUT_FORMAT = option("--input-format", metavar="FORMAT", help=FORMAT_HELP)
PAIR_BY = option(
    "--pair-by",
    type=choice(PairBy),
    default="auto",
    help="How to pair documents: by name and then by its usual spelling, such as "
    "'(x); part 000' and 'x_0', or by name only.",
)
LANGUAGE = option(
    "--language",
    type=choice(LanguageChoice),
    default="auto",
    help="How to find heads, mention types and gender of mentions: from English tables, from "
    "Universal Dependencies (for all languages), or as each document suggests.",
)
TOKENS_AS_FOR_SCORE = option(
    "--tokens", type=choice(Tokens), default="error", show_default=False, help="As for score."
)
DOCUMENT = option("--document", metavar="NAME", help="This document alone.")
NAMES = option(
    "--names", type=Input(dir_okay=False), help="Named entities from a file of their own."
)


def singletons_option(default: Singletons) -> click.Option:
    """Return the option for entities of one mention."""
    return option(
        "--singletons", type=choice(Singletons), default=default, help=SINGLETONS_HELP.format("")
    )


def format_option(formats: object, default: str = "table") -> click.Option:
    """Return the option for the format; ``formats`` is a ``Literal``."""
    return option("--format", type=choice(formats), default=default, help="What to print.")


OUTPUT = option(
    "-o",
    "--output",
    type=Output(),
    metavar="FILE",
    help="Write to a file, not to standard output.",
)


# ---- Groups of parameters ----


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReading:
    """How files are read, whatever is in them."""

    include: Annotated[
        tuple[str, ...],
        option(
            "--include",
            metavar="GLOB",
            multiple=True,
            help="Read only the files of a directory that match, such as '*_gold_conll'. Applies "
            "to key and response; repeat it if their suffixes differ: --include '*.gold' "
            "--include '*.pred'.",
        ),
    ]
    columns: Annotated[
        str | None,
        option(
            "--columns",
            callback=_columns,
            metavar="NAME=N,...",
            help="Columns of CoNLL files, such as word=4,coref=-1: counted from 1, negative ones "
            "from the end. Names: word, coref, tag, parse, lemma, speaker, name.",
        ),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How a key and responses are read."""

    key_format: Annotated[str | None, option("--key-format", metavar="FORMAT", help=FORMAT_HELP)]
    files: FileReading
    response_format: Annotated[
        str | None, option("--response-format", metavar="FORMAT", help="As --key-format.")
    ]
    skip_broken: Annotated[
        bool,
        flag(
            "--skip-broken",
            help="Leave out unreadable files of a response directory; exit with status 4.",
        ),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """How documents are compared: what to do if they differ, and what their words say."""

    missing: Annotated[
        Missing,
        option(
            "--missing",
            type=choice(Missing),
            default="empty",
            help="A document that the response lacks: counts as empty, or refuse.",
        ),
    ]
    tokens: Annotated[
        Tokens,
        option(
            "--tokens",
            type=choice(Tokens),
            default="error",
            help="Different numbers of tokens in a document: refuse, or go on.",
        ),
    ]
    pair_by: Annotated[PairBy, PAIR_BY]
    language: Annotated[LanguageChoice, LANGUAGE]


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """Which numbers are computed, and how."""

    metrics: Annotated[
        str | None,
        option(
            "--metrics",
            metavar="LIST",
            help="Of mentions, muc, b3 (bcub), ceafm, ceafe, blanc, lea, conll, all (default); "
            "more, antecedents, legacy, v4, or any of theirs.",
        ),
    ]
    profile: Annotated[
        str,
        option(
            "--profile",
            default="conll-2012",
            metavar="NAME",
            help="The protocol; `corefscope profiles` lists them.",
        ),
    ]
    match: Annotated[
        Literal["exact"],
        option(
            "--match",
            type=choice(Literal["exact"]),
            default="exact",
            help="When two mentions are the same.",
        ),
    ]
    singletons: Annotated[
        Singletons | None,
        option(
            "--singletons",
            type=choice(Singletons),
            help=SINGLETONS_HELP.format("; kept by default"),
        ),
    ]
    duplicates: Annotated[
        Duplicates | None,
        option(
            "--duplicates",
            type=choice(Duplicates),
            help="A mention annotated twice: keep the first (default), refuse, or as the "
            "reference scorer does.",
        ),
    ]
