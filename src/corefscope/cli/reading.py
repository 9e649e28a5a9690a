"""Reading of keys, responses and scores, and the names of systems."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click

from corefscope.arguments import is_address
from corefscope.choices import Level, Singletons
from corefscope.cli.messages import progress_bar
from corefscope.cli.parameters import (
    FileReading,
    PairingParameters,
    Protocol,
    ReadingParameters,
    WordMatching,
    split_name,
)
from corefscope.corpus import Corpus
from corefscope.exceptions import IncompleteResponse
from corefscope.formats import read
from corefscope.formats.file_names import local, shown
from corefscope.formats.reading.at_once import FileToRead, at_once
from corefscope.formats.reading.options import Role
from corefscope.inputs import System, only_scores
from corefscope.matching.documents import document_named, only_document
from corefscope.options import AS_USUAL, Options, ReadAs, make_options
from corefscope.profiles import DEFAULT, profile_named
from corefscope.serialization.stored import is_result, stored_scores


class NamedResponse(NamedTuple):
    """The name of a system, and the path of its response."""

    name: str
    path: str


def named(responses: Sequence[str], what: str = "responses") -> list[NamedResponse]:
    """Name each system: by NAME= if given, else by file name, else by path.

    ``what`` they are is said in messages.
    """
    given = [split_name(response) for response in responses]
    if sum(path == "-" for _, path in given) > 1:
        raise click.UsageError("standard input can be read only once")
    asked = [name for name, _ in given if name]
    for name in asked:
        if asked.count(name) > 1:
            raise click.UsageError(f"the name {name!r} is given to two {what}")
    names = [name or short_name(path) for name, path in given]
    systems = [
        NamedResponse(name if asked or names.count(name) == 1 else path, path)
        for name, (asked, path) in zip(names, given, strict=True)
    ]
    taken = [system.name for system in systems]
    for name in taken:
        if taken.count(name) > 1:
            raise click.UsageError(f"two {what} are named {name!r}; give each a name: NAME=PATH")
    return systems


def named_beside(key: str, responses: Sequence[str]) -> list[NamedResponse]:
    """Name systems as :func:`named` does; refuse standard input as both key and response."""
    systems = named(responses)
    if key == "-" and any(system.path == "-" for system in systems):
        raise click.UsageError("standard input can be read only once")
    return systems


def short_name(path: str) -> str:
    """Return the name of a system without a given name: its file name without extension."""
    if path == "-":
        return "standard input"
    name = Path(path).name.removesuffix(".gz")
    for ending in (".conll", ".conllu", ".jsonl", ".jsonlines", ".json", ".parquet"):
        name = name.removesuffix(ending)
    return name or path


def runs_of(responses: Sequence[str]) -> dict[str, list[str]]:
    """Return the paths of each system; several for a pattern or a name that is given twice."""
    runs: dict[str, list[str]] = {}
    given_names: set[str] = set()
    for response in responses:
        name, path = split_name(response)
        called = name or short_name(path)
        paths = _matching(path, is_named=name is not None)
        if called in runs and (name is None or called not in given_names):
            raise click.UsageError(
                f"two responses are named {called!r}; give each a name: NAME=PATH"
            )
        if name is not None:
            given_names.add(name)
        runs.setdefault(called, []).extend(paths)
    return runs


def _matching(path: str, *, is_named: bool) -> list[str]:
    """Return the files that match a pattern, which needs a name; or the path itself."""
    if not glob.has_magic(path) or is_address(path) or os.path.exists(path):  # noqa: PTH110 - it never raises
        return [path]
    if not is_named:
        raise click.UsageError(
            f"{path!r} does not exist; if it is a pattern for several runs of one system, "
            "give the system a name: NAME=PATTERN"
        )
    paths = sorted(glob.glob(path))  # noqa: PTH207 - Path.glob takes no absolute pattern
    if not paths:
        raise click.UsageError(f"no file matches {path!r}")
    return paths


def each_run(runs: Mapping[str, Sequence[str]]) -> list[NamedResponse]:
    """Return every run of every system."""
    return [NamedResponse(name, path) for name, paths in runs.items() for path in paths]


def scoring_options(
    protocol: Protocol,
    pairing: PairingParameters,
    major: str | None = None,
) -> Options:
    """Return the options of scoring; those after ``pairing`` only scores themselves have."""
    if protocol.skeleton is not None and not profile_named(protocol.profile).scorer.takes_answers:
        raise click.UsageError("--skeleton requires --profile crac-2025 or --profile crac-2026")
    return make_options(
        metrics=protocol.metrics,
        profile=protocol.profile,
        singletons=protocol.singletons,
        duplicates=protocol.duplicates,
        skeleton=protocol.skeleton,
        zeros_from=protocol.zeros_from,
        match=protocol.mentions.match,
        zeros=protocol.mentions.zeros,
        split_antecedents=protocol.mentions.split_antecedents,
        layer=protocol.mentions.layer,
        level=protocol.units.level,
        window=protocol.units.window,
        major=major,
        missing=pairing.missing,
        tokens=pairing.tokens,
        snap=pairing.snap,
        pair_by=pairing.pair_by,
        language=pairing.language,
    )


def pairing_options(
    pairing: PairingParameters,
    mentions: WordMatching,
    *,
    level: Level,
    window: str | None = None,
) -> Options:
    """Return the options of an analysis, with these rules for documents, mentions and units."""
    return make_options(
        profile=mentions.profile or DEFAULT.name,
        match=mentions.match,
        zeros=mentions.zeros,
        level=level,
        window=window,
        missing=pairing.missing,
        tokens=pairing.tokens,
        snap=pairing.snap,
        pair_by=pairing.pair_by,
        language=pairing.language,
    )


def singletons_of(
    given: Singletons | None, mentions: WordMatching, options: Options, usual: Singletons
) -> Singletons:
    """Return how an analysis treats singletons: as it is told, as the profile does, or as usual."""
    if given is not None or mentions.profile is None:
        return given or usual
    return "keep" if options.profile.singletons == "keep" else "drop"


def read_corpus(
    path: str,
    format: str | None,
    files: FileReading,
    *,
    role: Role | None = None,
    skip_broken: bool = False,
    read_as: ReadAs = AS_USUAL,
) -> Corpus:
    """Read a corpus, with a progress bar on a terminal if it takes long."""
    with progress_bar(f"reading {shown(path)}", _size(path)) as advance:
        return read(
            path,
            format,
            columns=files.columns,
            include=files.include,
            head=files.head,
            skip_broken=skip_broken,
            role=role,
            progress=advance,
            **read_as,
        )


def _size(path: str) -> int | None:
    place = Path(local(path))
    try:
        files = place.rglob("*") if place.is_dir() else [place]
        return sum(file.stat().st_size for file in files if file.is_file())
    except OSError:
        return None


class Reader:
    """Read a key and responses; count the response files that were skipped."""

    def __init__(
        self,
        reading: ReadingParameters,
        document: str | None = None,
        *,
        read_as: ReadAs = AS_USUAL,
    ) -> None:
        self.reading = reading
        self.read_as = read_as
        """What the options of scoring say about reading."""
        self.document = document
        """The only document to use, if not None."""
        self.skipped = 0
        self._begun: dict[str, Callable[[], Corpus]] = {}
        """What gives the responses that are read at the same time as the key."""

    @property
    def status(self) -> int:
        """The exit status of a command that succeeds, possibly without skipped files."""
        return IncompleteResponse.exit_status if self.skipped else 0

    def key(self, path: str, beside: Sequence[NamedResponse] = ()) -> Corpus:
        """Read the key; find the document to use by its name, or by a part of the name.

        Responses beside it, which are asked for next, are read at the same time if that pays off.
        """
        files = [each.path for each in beside if os.path.exists(each.path)]  # noqa: PTH110 - it never raises
        responses = [each for each in files if not is_result(each)]
        read_key, *others = at_once(
            [FileToRead(path, self._key_reader(path))]
            + [FileToRead(each, self._response_reader(each)) for each in responses]
        )
        self._begun = dict(zip(responses, others, strict=True))
        key = read_key()
        if self.document is not None:
            self.document = document_named(key, self.document)
        return key

    def chosen(self, key: Corpus) -> Corpus:
        """Return the key, or the document to use."""
        return key if self.document is None else key.only(self.document)

    def responses(
        self, key: Corpus, systems: Sequence[NamedResponse], options: Options
    ) -> list[System]:
        """Read responses, or the document to use; refuse files of scores."""
        for system in systems:
            if is_result(system.path):
                raise only_scores(system.name, system.path)
        return [self._response(key, system, options) for system in systems]

    def responses_or_scores(
        self, key: Corpus, systems: Sequence[NamedResponse], options: Options
    ) -> list[System]:
        """Read responses or files of scores."""
        return [
            self._scores(key, system, options)
            if is_result(system.path)
            else self._response(key, system, options)
            for system in systems
        ]

    def _response(self, key: Corpus, system: NamedResponse, options: Options) -> System:
        answer = options.profile.scorer.response(
            system.path, self.reading.response_format, key, options
        )
        begun = self._begun.pop(system.path, None)
        corpus = answer or (begun or self._response_reader(system.path))()
        self.skipped += len(corpus.skipped_files)
        if self.document is not None:
            _, corpus = only_document(key, corpus, self.document, options.pair_by)
        return System(system.name, system.path, corpus)

    def _key_reader(self, path: str) -> Callable[[], Corpus]:
        """Return what reads a key, also in another process."""
        return partial(
            read_corpus,
            path,
            self.reading.key_format,
            self.reading.files,
            role="key",
            read_as=self.read_as,
        )

    def _response_reader(self, path: str) -> Callable[[], Corpus]:
        """Return what reads a response, also in another process."""
        return partial(
            read_corpus,
            path,
            self.reading.response_format,
            self.reading.files,
            role="response",
            skip_broken=self.reading.skip_broken,
            read_as=self.read_as,
        )

    def _scores(self, key: Corpus, system: NamedResponse, options: Options) -> System:
        if self.document is not None:
            raise click.UsageError(
                f"{system.path} contains scores of all documents; remove --document"
            )
        scores = stored_scores(system.path, system.name, key, options)
        return System(system.name, system.path, None, scores=scores)
