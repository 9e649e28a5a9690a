"""Options of ``corefscope convert``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import click

from corefscope.cli.parameters import FileReading, Input, Output, option
from corefscope.cli.typed import command_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvertOptions:
    """Write the corpus IN to the file OUT in another format.

    Nothing is written if the other format cannot express the mentions: CoNLL brackets, for
    instance, cannot express two crossing mentions of one entity. A CorefUD file that is written as
    CorefUD (.conllu) keeps all its lines; only the annotation of entities gets its usual form.

    \b
    Examples:
      corefscope convert system.jsonl system.conll
      corefscope convert gold.conll.gz - --to jsonl
    """

    source: Annotated[str, click.Argument(["source"], metavar="IN", type=Input())]
    target: Annotated[str, click.Argument(["target"], metavar="OUT", type=Output())]
    from_: Annotated[
        str | None,
        option(
            "--from",
            "from_",
            metavar="FORMAT",
            help="Format of IN: conll, jsonl, json, corefud or ua (default: detected).",
        ),
    ]
    to: Annotated[
        str | None,
        option(
            "--to",
            metavar="FORMAT",
            help="Format of OUT: conll, jsonl, json or corefud (default: by the extension).",
        ),
    ]
    reading: FileReading


command = command_of(ConvertOptions)
