"""``corefscope convert``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import click
from msgspec import Struct

from corefscope.choices import ScoringOptions, ZerosFrom
from corefscope.cli.messages import progress_bar, saying_replaced, show_findings
from corefscope.cli.parameters import (
    FileReading,
    Input,
    Output,
    Target,
    declared_option,
    flag,
    option,
)
from corefscope.cli.typed import command_of
from corefscope.exceptions import UnknownName

if TYPE_CHECKING:
    from corefscope.corpus import Corpus


class _ConvertOutput(Output):
    """The type of a file, or of a folder in a format with files for each document."""

    def target(self, value: str | None, options: object) -> Target | None:
        """Return the file; or the folder, if the format or an existing folder says so."""
        # Imported here because help needs none of it.
        from corefscope.formats.registry import writing_by_ending, writings

        assert value is not None
        assert isinstance(options, ConvertOptions)
        name = (options.to or writing_by_ending(value) or "").partition(":")[0]
        writing = writings().get(name)
        is_folder = writing is not None and writing.is_folder
        return Target(path=value, is_folder=is_folder, of_documents=is_folder)


class ConvertOptions(Struct, frozen=True, kw_only=True):
    """Write the corpus IN to the file or folder OUT in another format.

    Nothing is written if the other format cannot express all annotations of coreference: CoNLL
    brackets, for instance, cannot express two crossing mentions of one entity, or types of
    entities. The message lists what would be lost; --lossy leaves it out. Layers of the text that
    have no place in the other format, such as tags, are left out with a warning. The format native
    keeps everything. A CorefUD file that is written as CorefUD (.conllu) keeps all its lines; only
    the annotation of entities gets its usual form.

    \b
    Examples:
      corefscope convert system.jsonl system.conll
      corefscope convert gold.conll.gz - --to jsonl
      corefscope convert gold.conllu gold-brat --to brat --lossy
      corefscope convert gold.conllu prompt.txt --to crac-text:zeros=keep --blind
      corefscope convert answers.txt submission.conllu --skeleton gold.conllu
    """

    source: Annotated[str, click.Argument(["source"], metavar="IN", type=Input())]
    target: Annotated[str, click.Argument(["target"], metavar="OUT", type=_ConvertOutput())]
    from_: Annotated[
        str | None,
        option(
            "--from",
            "from_",
            metavar="FORMAT",
            help="Format of IN (default: detected from the content).",
        ),
    ]
    to: Annotated[
        str | None,
        option(
            "--to",
            metavar="FORMAT",
            help="Format of OUT: conll, corefud, jsonl, json, native, brat, spacy, crac-text or "
            "crac-json (default: by the extension). The last two take options: "
            "crac-text:zeros=keep,ids=sequential.",
        ),
    ]
    blind: Annotated[
        bool, flag("--blind", help="With crac-text and crac-json: write no mentions, as a prompt.")
    ]
    skeleton: Annotated[
        str | None,
        option(
            "--skeleton",
            metavar="FILE",
            type=Input(),
            help="Put IN, an answer to CRAC in text or JSON, into this CoNLL-U file.",
        ),
    ]
    zeros_from: Annotated[ZerosFrom, declared_option(ScoringOptions, "zeros_from")]
    lossy: Annotated[
        bool,
        flag(
            "--lossy",
            help="Leave out annotations that the format of OUT cannot express, and list them.",
        ),
    ]
    reading: FileReading


def run(options: ConvertOptions) -> int:
    """Read a corpus and write it in another format."""
    from corefscope.formats.file_names import shown
    from corefscope.formats.writing.files import write

    corpus = _corpus(options)
    show_findings(corpus.findings)
    to = options.to
    if options.blind:
        name, _, details = (to or "").partition(":")
        if name not in ("crac-text", "crac-json"):
            raise click.UsageError("--blind requires --to crac-text or --to crac-json")
        to = f"{name}:{details},tags=none" if details else f"{name}:tags=none"
    try:
        with saying_replaced(options.target):
            # Documents are examined, and then written.
            with progress_bar(f"writing {shown(options.target)}", 2 * len(corpus)) as advance:
                found = write(corpus, options.target, to, lossy=options.lossy, progress=advance)
            show_findings(found)
    except UnknownName as error:
        raise click.UsageError(f"{error} (see --to)") from None
    return 0


def _corpus(options: ConvertOptions) -> Corpus:
    """Read the input; an answer to CRAC is put into its skeleton."""
    from corefscope.cli.reading import files_of

    if options.skeleton is None:
        return files_of(options.reading, options.from_).corpus(options.source)
    from corefscope.extensions.corefud_scorer.crac.route import format_of_answer, read_answer

    format = format_of_answer(options.source, options.from_)
    if format is None:
        raise click.UsageError(
            "--skeleton requires an answer in text (.txt) or JSON (.json), or --from crac-text or "
            "--from crac-json"
        )
    files = files_of(options.reading, join_names=True)
    skeleton = files.corpus(options.skeleton)
    return read_answer(options.source, format, skeleton, None, options.zeros_from, as_scored=False)


command = command_of(ConvertOptions, run)
