"""What callers give as key and responses, read as corpora."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, replace
from os import PathLike
from typing import TYPE_CHECKING, TypeAlias, cast

from corefscope.arguments import is_address
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
from corefscope.formats.reading.options import Role
from corefscope.formats.registry import endings
from corefscope.records import dataclass
from corefscope.scores import (
    Scores,
)

if TYPE_CHECKING:
    pass

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


@dataclass(frozen=True, slots=True, eq=False)
class System:
    """A system and its output, the response."""

    name: str
    path: str
    """The path of the response, as shown in results."""
    corpus: Corpus | None
    """The response; None if only its scores are known."""
    _: KW_ONLY
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


def as_corpus(
    annotation: Annotation,
    what: str,
    role: Role | None = None,
    *,
    join_names: bool = False,
    by_document: bool = False,
) -> Corpus:
    """Return an annotation as a corpus; raise an error if it is not an annotation.

    ``what`` is the name of the annotation in findings if it has no path, such as "the key". The
    other arguments are those of :func:`corefscope.read`.
    """
    match annotation:
        case Corpus():
            return annotation
        case str() | PathLike():
            return read(annotation, join_names=join_names, by_document=by_document, role=role)
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
