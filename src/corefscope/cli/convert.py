"""``corefscope convert``: the same corpus in another format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import click

from corefscope.cli.parameters import FileReading, Input, Output, option
from corefscope.cli.typed import takes


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvertOptions:
    """What ``convert`` takes."""

    source: Annotated[str, click.Argument(["source"], metavar="IN", type=Input())]
    target: Annotated[str, click.Argument(["target"], metavar="OUT", type=Output())]
    from_: Annotated[
        str | None,
        option(
            "--from",
            "from_",
            metavar="FORMAT",
            help="Format to read: conll, jsonl, json or corefud (default: detected from the "
            "content).",
        ),
    ]
    to: Annotated[
        str | None,
        option(
            "--to",
            metavar="FORMAT",
            help="Format to write: conll, jsonl, json or corefud (default: inferred from the file "
            "extension).",
        ),
    ]
    reading: FileReading


@takes(ConvertOptions)
def command(options: ConvertOptions) -> int:
    """Write the corpus IN to the file OUT in another format.

    What the other format cannot hold is refused, and nothing is written: CoNLL brackets, for
    instance, cannot express two crossing mentions of one entity. CorefUD files keep all their
    lines when they are written as CorefUD (.conllu); the annotation of entities gets its usual
    form.

    \b
    Examples:
      corefscope convert system.jsonl system.conll
      corefscope convert gold.conll.gz - --to jsonl
    """
    from corefscope.cli.running.convert import run

    return run(options)
