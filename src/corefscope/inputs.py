"""What callers give as key and responses, read as corpora: the one reader of inputs.

Functions of the library and commands use :class:`Inputs`. A key or a response can be a path (a
file, a folder, standard input), a corpus, clusters, documents of other libraries, answers of
language models, or scores that were computed earlier.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from os import PathLike, fspath
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypeGuard, cast

from msgspec import Struct
from msgspec.structs import replace

from corefscope.arguments import is_address
from corefscope.choices import HeadSource
from corefscope.corpus import Corpus
from corefscope.corpus.clusters import (
    checked_document,
    checked_documents,
    overview,
    without_names,
)
from corefscope.corpus.mentions import Clusters
from corefscope.corpus.offsets import Convention
from corefscope.exceptions import InvalidInput, WrongArgument
from corefscope.findings import Code
from corefscope.formats import read
from corefscope.formats.file_names import local
from corefscope.formats.reading.at_once import FileToRead, at_once
from corefscope.formats.reading.options import Role
from corefscope.formats.reading.source import Progress
from corefscope.formats.registry import endings
from corefscope.matching.documents import document_named, only_document
from corefscope.options import Options
from corefscope.scoring.scores import Scores

Annotation: TypeAlias = (
    str
    | PathLike[str]
    | Corpus
    | Mapping[str, Clusters]
    | Mapping[str, str | None]
    | Clusters
    | Sequence[object]
)
"""A path, a corpus, ``{document: clusters}``, or the clusters of one document; also a list of
documents of other libraries: see :mod:`corefscope.formats.objects`. A response may also be
``{document: answer}``, the answers of a language model."""


Run: TypeAlias = Annotation | Scores
"""The output of a system: an annotation, its scores, or the path of a file of results."""
FileBar: TypeAlias = "Callable[[str], AbstractContextManager[Progress | None]]"
"""Makes a progress bar for a file that is read."""


def no_bar(path: str) -> AbstractContextManager[None]:
    """Make a progress bar that shows nothing."""
    return nullcontext()


class Given(NamedTuple):
    """The output of a system, with the name of the system."""

    name: str
    run: Run
    what: str = "the response"
    """What messages call it if it has no path."""

    @property
    def path(self) -> str:
        """The path, or the name if it is no file."""
        return path_or_name(self.run, self.name)


def path_or_name(given: object, name: str) -> str:
    """Return the path of a file, or the name of something that is not a file."""
    return fspath(given) if isinstance(given, (str, PathLike)) else name


class System(Struct, frozen=True, eq=False):
    """A system and its output, the response."""

    name: str
    path: str
    """The path of the response, as shown in results."""
    corpus: Corpus | None
    """The response; None if only its scores are known."""
    scores: Scores | None = None
    """Scores that were computed earlier, instead of a response."""

    @property
    def response(self) -> Corpus:
        """The response; raises InvalidInput if only its scores are known."""
        if self.corpus is None:
            raise only_scores(self.name, self.path)
        return self.corpus


def only_scores(system: str, path: str) -> InvalidInput:
    """Return the error that scores were given but the response itself is needed."""
    return InvalidInput.of(
        Code.BAD_RESULT,
        f"only the scores of {system!r} were given",
        expected="the response itself",
        file=path,
    )


class Files(Struct, frozen=True, kw_only=True):
    """How files are read."""

    key_format: str | None = None
    """The format of the key, or of inputs that are neither key nor response."""
    response_format: str | None = None
    columns: str | None = None
    include: tuple[str, ...] = ()
    head: HeadSource = "file"
    skip_broken: bool = False
    """Whether unreadable files of a response are left out."""
    join_names: bool = False
    by_document: bool = False
    bar: FileBar = no_bar

    def corpus(self, given: Annotation, what: str = "", role: Role | None = None) -> Corpus:
        """Return an annotation as a corpus; ``what`` it is called in messages without a path."""
        if not isinstance(given, (str, PathLike)):
            return as_corpus(given, what, role)
        with self.bar(fspath(given)) as advance:
            return read(
                given,
                self.response_format if role == "response" else self.key_format,
                columns=self.columns,
                include=self.include,
                head=self.head,
                skip_broken=self.skip_broken and role == "response",
                join_names=self.join_names,
                by_document=self.by_document,
                role=role,
                progress=advance,
            )


class Inputs:
    """Reads a key and responses, each once, and several files at once if that pays off."""

    def __init__(self, files: Files, document: str | None = None) -> None:
        self.files = files
        self.document = document
        """The only document to use, if not None: its name, or a part of it."""
        self.skipped = 0
        """How many files of responses were left out."""
        self._begun: dict[int, Callable[[], Corpus]] = {}
        """What gives the responses that are read at the same time as the key, by number."""

    def key(self, given: Annotation, beside: Sequence[Given] = ()) -> Corpus:
        """Read the key; responses beside it, which are asked for next, at the same time."""
        read_key = self._reader(given, "the key", "key")
        numbers = [n for n, each in enumerate(beside) if _is_file(each.run)]
        files = [
            FileToRead(beside[n].path, self._reader(beside[n].run, beside[n].what)) for n in numbers
        ]
        if _is_file(given):
            read_key, *readers = at_once([FileToRead(fspath(given), read_key), *files])
        else:
            readers = at_once(files)
        self._begun = dict(zip(numbers, readers, strict=True))
        key = read_key()
        if self.document is not None:
            self.document = document_named(key, self.document)
        return key

    def chosen(self, key: Corpus) -> Corpus:
        """Return the key, or the document to use."""
        return key if self.document is None else key.only(self.document)

    def systems(
        self, key: Corpus, given: Sequence[Given], options: Options, *, with_scores: bool = True
    ) -> list[System]:
        """Read responses, or the document to use; scores, if they are enough."""
        if not with_scores:
            for each in given:
                if _are_scores(each.run):
                    raise only_scores(each.name, each.path)
        return [self._system(number, key, each, options) for number, each in enumerate(given)]

    def _reader(
        self, given: Annotation, what: str, role: Role = "response"
    ) -> Callable[[], Corpus]:
        return partial(self.files.corpus, given, what, role)

    def _system(self, number: int, key: Corpus, given: Given, options: Options) -> System:
        name, run, path = given.name, given.run, given.path
        is_path = isinstance(run, (str, PathLike))
        if _are_scores(run):
            if self.document is not None:
                raise WrongArgument(
                    f"{path} contains scores of all documents; expected a response, of which "
                    "one document can be chosen"
                )
            # Loaded here because most responses are no scores.
            from corefscope.scoring.stored import checked, stored_scores

            if isinstance(run, Scores):
                return System(name, path, None, scores=checked(run, key, options))
            return System(name, path, None, scores=stored_scores(path, name, key, options))
        begun = self._begun.pop(number, None)
        form = self.files.response_format
        corpus = options.profile.scorer.response(path, form, key, options) if is_path else None
        if corpus is None:
            run = run if is_path else by_position(run, key)
            corpus = (begun or self._reader(run, given.what))()
        self.skipped += len(corpus.skipped_files)
        if self.document is not None:
            _, corpus = only_document(key, corpus, self.document, options.pair_by)
        return System(name, path, corpus)


def _are_scores(run: Run) -> bool:
    """Return whether this is scores, or a file of scores."""
    if isinstance(run, (str, PathLike)):
        return is_result(fspath(run))
    return isinstance(run, Scores)


def _is_file(given: object) -> TypeGuard[str | PathLike[str]]:
    """Return whether something is a file or folder on this machine that has an annotation."""
    if not isinstance(given, (str, PathLike)) or not os.path.exists(given):  # noqa: PTH110 - it never raises
        return False
    return not is_result(fspath(given))


def as_corpus(
    annotation: Annotation,
    what: str,
    role: Role | None = None,
) -> Corpus:
    """Return an annotation in memory as a corpus; raise an error if it is not an annotation.

    ``what`` is the name of the annotation in findings, such as "the key".
    """
    if isinstance(annotation, Corpus):
        return annotation
    if isinstance(annotation, Iterator):
        annotation = list(annotation)  # It is read twice.
    # Most annotations are files: what other libraries have in memory is imported when needed.
    from corefscope.formats.objects import corpus_of

    live = corpus_of(annotation, what, role)
    if live is not None:
        return live
    from corefscope.answers.records import are_answers, corpus_of_answers

    if are_answers(annotation):
        if role == "key":
            raise WrongArgument("the key has texts for clusters; expected the gold annotation")
        return corpus_of_answers(cast(Mapping[str, str | None], annotation), what)
    labels = None
    match annotation:
        case Mapping():
            unnamed, labels = without_names(cast(Mapping[str, Clusters], annotation))
            given = checked_documents(unnamed, Convention())
        case _:
            given = {"document": checked_document(_without_paths(cast(Clusters, annotation)))}
    rows = [document.rows for document in given.values()]
    corpus = Corpus.from_rows(tuple(given), rows, labels=labels)
    return replace(
        corpus,
        findings=(*overview(given.values()).findings(what), *corpus.across_documents()),
        is_unnamed=not isinstance(annotation, Mapping),
    )


def by_position(response: Annotation, key: Corpus) -> Annotation:
    """Return a list of answers of a language model by document; anything else as it is."""
    if not isinstance(response, list | tuple) or not response or not any(key.word_digests or ()):
        return response
    texts = [each for each in response if each is not None]
    if not texts or not all(isinstance(each, str) and not is_path(each) for each in texts):
        return response
    if len(response) != len(key):
        raise InvalidInput.of(
            Code.NOT_PAIRED,
            f"found {len(response):,} answers for {len(key):,} documents of the key",
            expected="one for each, because they are paired by position",
        )
    return dict(zip(key.document_names, response, strict=True))


def _without_paths(annotation: Clusters) -> Clusters:
    """Return entities as a list, because they are read twice; raise WrongArgument for paths."""
    if not isinstance(annotation, Iterable):
        return annotation
    entities = list(annotation)
    if any(isinstance(entity, PathLike) or is_path(entity) for entity in entities):
        raise WrongArgument(
            "found paths instead of clusters; expected one path, or the clusters of a document; "
            "a list of paths is possible only for several runs of a system"
        )
    return entities


def is_path(entity: object) -> bool:
    """Return whether this is a text with a known file extension, or a remote address."""
    if not isinstance(entity, str):
        return False
    return entity.removesuffix(".gz").endswith(endings()) or is_address(entity)


BEGINNING = 200
"""How many bytes to read to detect a file of scores."""


def is_result(path: str) -> bool:
    """Return whether a file is a result that corefscope wrote."""
    place = local(path)
    # A pipe, for example, cannot be read twice.
    if not os.path.isfile(place):  # noqa: PTH113 - it never raises
        return False
    try:
        with Path(place).open("rb") as file:
            begin = file.read(BEGINNING).decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    except OSError:
        return False
    is_ours = begin.startswith("{") and begin[1:].lstrip().startswith('"corefscope"')
    # A corpus in the native format begins in the same way.
    return is_ours and re.search(r'"schema"\s*:\s*"corpus/', begin) is None
