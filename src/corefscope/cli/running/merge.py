"""Run ``corefscope merge``."""

from __future__ import annotations

from collections.abc import Sequence

from corefscope.cli.merge import MergeOptions
from corefscope.cli.parts import REFUSED, STAGES, kept
from corefscope.engines import current, using
from corefscope.engines.shards import Header, MergedEngine, inputs_of, read_parts
from corefscope.exceptions import InvalidInput
from corefscope.findings import Code, Finding
from corefscope.formats.file_names import local


def run(options: MergeOptions) -> int:
    """Run the command once more, with the results of the parts."""
    parts = read_parts(options.parts)
    header = parts[0].header
    name, words = _command(header, options.parts[0])
    _refuse_changed(header)
    if options.output is not None:
        words = ["--output", options.output, *words]
    engine = MergedEngine(parts, STAGES[name], current())
    with using(engine):
        return _status(name, words)


def _command(header: Header, path: str) -> tuple[str, list[str]]:
    """Return the command of the parts; refuse one that is none, or that would write files."""
    name, *words = header.words or ("",)
    writes = any(word.partition("=")[0] in REFUSED.values() for word in words)
    if name not in STAGES or writes or words != list(kept(name, words)):
        raise InvalidInput.of(
            Code.BAD_RESULT,
            f"the command {' '.join(header.words)!r} cannot be divided",
            expected="another part",
            file=path,
        )
    return name, words


def _status(name: str, words: Sequence[str]) -> int:
    # The group of commands loads this module.
    from corefscope.cli import main

    try:
        main.main([name, *words], prog_name="corefscope", standalone_mode=False)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    return 0


def _refuse_changed(header: Header) -> None:
    """Raise an error if an input is not what it was when the parts were made."""
    found = inputs_of([path for path, *_ in header.inputs], local)
    findings = [
        Finding(
            Code.UNLIKE_RESULTS,
            "the file is not the one that the parts were made from",
            expected="it unchanged",
            file=path,
        )
        for (path, *_), before, now in zip(header.inputs, header.inputs, found, strict=True)
        if before != now
    ]
    if findings:
        raise InvalidInput(findings)
