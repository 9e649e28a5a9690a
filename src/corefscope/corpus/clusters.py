"""Check clusters that callers pass, and convert them to plain Python numbers and tuples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from enum import Enum
from itertools import chain, islice, pairwise
from numbers import Real
from operator import index
from reprlib import repr as shown
from typing import Any, NamedTuple, NoReturn, TypeGuard, cast

from corefscope.corpus.foreign import library_of
from corefscope.corpus.mentions import (
    Clusters,
    Mention,
    MentionId,
    Parts,
    Rows,
    are_spans,
    is_parts,
    is_span,
    is_whole_pair,
)
from corefscope.corpus.offsets import Convention
from corefscope.exceptions import WrongArgument, refuse_errors
from corefscope.facts import Facts
from corefscope.findings import Code, Finding

PLAIN_ENTITIES = frozenset({list, set, frozenset})
"""Types of entities that need no check."""
PLAIN_PARTS = frozenset({int, str})
"""Types of mentions, and of the parts of tuples, that need no check."""
CONTAINERS = (list, tuple, Set, Mapping)
CLUSTERS_ARE = (
    "the clusters of one document, such as [[(0, 1), (4, 4)], [(2, 3)]]: "
    "a list of entities, each a list or a set of mentions"
)
DOCUMENTS_ARE = "expected {document: clusters}, such as {'a': [[(0, 1), (4, 4)]], 'b': []}"
MENTIONS_ARE = (
    "expected (first, last), two token numbers, or one id such as 'm1', 7 or the tuple ('m', 7)"
)


class MessageWording(NamedTuple):
    """The wording of messages, which differs for Python objects and for JSON files."""

    tuple: str
    clusters: str
    ids: str
    """How to say that numbers are ids of mentions."""
    gaps: str
    """How to say that mentions have gaps."""
    clusters_are: str
    documents_are: str
    mentions_are: str


IN_PYTHON = MessageWording(
    tuple="tuple",
    clusters="[[(0, 1), (4, 4)], [(2, 3)]]",
    ids="make every entity a set",
    gaps="make each of them a corefscope.Mention to say so",
    clusters_are=CLUSTERS_ARE,
    documents_are=DOCUMENTS_ARE,
    mentions_are=MENTIONS_ARE,
)
IN_FILES = MessageWording(
    tuple="list",
    clusters="[[[0, 1], [4, 4]], [[2, 3]]]",
    ids='write them as strings such as "7"',
    gaps="nothing needs to be done",
    clusters_are=(
        "a list of entities, each a list of mentions, such as [[[0, 1], [4, 4]], [[2, 3]]]"
    ),
    documents_are='expected one key for each, such as {"a": [[[0, 1], [4, 4]]], "b": []}',
    mentions_are='expected [first, last], two token numbers, or one id such as "m1", 7 or ["m", 7]',
)


class NotClusters(WrongArgument):
    """The argument is not the clusters of a document; the message says what to pass instead."""

    def __init__(self, found: str, expected: str | None = None) -> None:
        self.finding = Finding(Code.BAD_SHAPE, found, expected=expected)
        super().__init__(self.finding.message)


class Doubt(Enum):
    """What clusters may be instead, if they look exactly like it, and what to pass then."""

    SPANS = (
        "every entity of {what} is a list of two numbers, which may be a span; if these are spans, "
        "expected a list of entities around them, such as {clusters}; if the "
        "numbers are ids of mentions, {ids} to say so"
    )
    GAPS = (
        "every mention of {what} has several parts, as if it were an entity of several mentions; "
        "if these are the entities of several documents, {documents_are}; if they are mentions "
        "with gaps, {gaps}"
    )
    DOCUMENTS = (
        "every mention of {what} is a {tuple} of strings or numbers, which may be an entity; if "
        "these are the entities of several documents, {documents_are}; if they are ids of "
        "mentions, join the parts of each id into one string to say so"
    )


class Given(NamedTuple):
    """The clusters of a document, checked and converted."""

    rows: Rows
    doubt: Doubt | None = None
    is_spent: bool = False
    """Whether an iterator was empty, probably because it was used before."""
    are_spans: bool = False
    """Whether all mentions are known to be spans."""


class Overview(Facts, kw_only=True):
    """What can be said only when the clusters of all documents are known."""

    documents: int = 0
    mentions: int = 0
    doubts: frozenset[Doubt | None] = frozenset()
    """The doubts about documents with mentions; None is for a document without doubt."""
    spent: int = 0
    """The number of documents whose iterator was empty."""

    def findings(self, what: str) -> Iterator[Finding]:
        """Report that there is no mention, or that clusters may be something else.

        ``what`` is what messages call the clusters.
        """
        if not self.mentions:
            yield no_mentions(what, self.documents)
        elif self.spent:
            which = "a document" if self.spent == 1 else f"{self.spent:,} documents"
            yield Finding(
                Code.NOTHING_READ,
                f"{which} of {what} got a generator or another iterator that was empty; an "
                "iterator can be used only once",
                expected="a list of entities, each a list or a set",
            )
        if (doubtful := self.doubtful(what)) is not None:
            yield doubtful

    def doubtful(
        self, what: str, wording: MessageWording = IN_PYTHON, path: str | None = None
    ) -> Finding | None:
        """Return a finding if all documents with mentions look like something else."""
        (doubt,) = self.doubts if len(self.doubts) == 1 else (None,)
        if doubt is None:
            return None
        message = doubt.value.format(what=what, **wording._asdict())
        return Finding(Code.DOUBTFUL_CLUSTERS, message, file=path)


def overview(documents: Iterable[Given]) -> Overview:
    """Summarise the clusters of several documents."""
    given = list(documents)
    return Overview(
        documents=len(given),
        mentions=sum(len(each.rows[1]) for each in given),
        doubts=frozenset(each.doubt for each in given if each.rows[1]),
        spent=sum(each.is_spent for each in given),
    )


def no_mentions(what: str, documents: int) -> Finding:
    """Return the finding that a number of documents have no mention, as readers do for a file."""
    found = {0: f"{what} has no document", 1: f"the only document of {what} has no mention at all"}
    several = f"the {documents:,} documents of {what} have no mention at all"
    return Finding(
        Code.NO_MENTIONS,
        found.get(documents, several),
        expected=(
            "at least one mention: check what was passed, such as a generator, which can be used "
            "only once"
        ),
    )


def of_both_sides(key: Sequence[Finding], response: Sequence[Finding]) -> list[Finding]:
    """Return the findings of both sides, without a doubt that the other side resolves.

    For example, if the key has entities of three numbers, the numbers of the response are ids too.
    """
    doubtful = [{f for f in side if f.code is Code.DOUBTFUL_CLUSTERS} for side in (key, response)]
    settled = set() if all(doubtful) else set.union(*doubtful)
    return [finding for finding in (*key, *response) if finding not in settled]


def checked_clusters(entities: Clusters) -> Given:
    """Check the clusters of a document.

    Integers of any type (numpy scalars, tensors with one number) become Python integers; lists,
    arrays, tensors and named tuples become tuples.

    Returns
    -------
    Given
        The sizes of the entities, and all mentions in one list.

    Raises
    ------
    NotClusters
        If this is not a collection of entities, each a collection of mentions.
    """
    if type(entities) is list and PLAIN_ENTITIES.issuperset(map(type, entities)):
        # The usual case, which a training loop meets once per document.
        plain = list(chain.from_iterable(entities))
        if are_spans(plain):
            return Given((list(map(len, entities)), plain), are_spans=True)
    given = _entities(entities)
    mentions = [list(entity) for entity in given]
    sizes = list(map(len, mentions))
    row = as_mentions(chain.from_iterable(mentions))
    doubt = doubt_about(given, (sizes, row))
    if doubt is Doubt.GAPS and any(isinstance(m, Mention) for m in chain.from_iterable(mentions)):
        doubt = None
    are_iterators = isinstance(entities, Iterator) or any(isinstance(e, Iterator) for e in given)
    return Given((sizes, row), doubt, is_spent=are_iterators and not (sizes and all(sizes)))


def checked_document(entities: Clusters) -> Given:
    """Check the clusters of what should be one document, and not a list of documents.

    A few mentions that all have gaps are possible in one of many documents, but here they are more
    likely to be entities that are tuples.

    Raises
    ------
    NotClusters
        As :func:`checked_clusters`, or if three or more mentions all have several parts.
    """
    given = checked_clusters(entities)
    if given.doubt is Doubt.GAPS and len(given.rows[1]) >= 3:
        raise NotClusters(
            f"found a list of documents, or {len(given.rows[1])} mentions that all have gaps, such "
            f"as {shown(given.rows[1][0])}; for several documents {DOCUMENTS_ARE}; if they are "
            f"mentions with gaps, {IN_PYTHON.gaps}"
        )
    if not given.are_spans:
        wrong = [mention for mention in given.rows[1] if not _fits(mention, None)]
        refuse_errors([_outside(None, mention, Convention()) for mention in wrong])
    return given


def doubt_about(
    entities: Sequence[Iterable[Any]], rows: Rows, wording: MessageWording = IN_PYTHON
) -> Doubt | None:
    """Return what else the entities of a document may be; ``rows`` has the same entities.

    Raises
    ------
    NotClusters
        If they are a flat list of spans, or a list of documents.
    """
    if entities and all(map(_is_placed, entities)):
        raise NotClusters(
            f"found {shown(entities[0])}, as if it were a document, a first and a last token; "
            "expected the mentions of each document: {document: {entity: [(first, last), …]}}"
        )
    sizes, row = rows
    kinds = set(map(type, row))
    if kinds == {int} and set(sizes) == {2}:
        return _doubt_about_numbers(entities, cast(list[int], row), wording)
    if kinds == {tuple}:
        return _doubt_about_tuples(sizes, cast(list[tuple[Any, ...]], row), wording)
    return None


def _is_placed(entity: object) -> bool:
    """Return whether something is the name of a document with a first and a last token."""
    return (
        isinstance(entity, list | tuple)
        and len(entity) == 3
        and isinstance(entity[0], str)
        and all(type(each) is int for each in entity[1:])
    )


def _entities(entities: object) -> list[Iterable[Any]]:
    """Return the entities of a document; raise :class:`NotClusters` if they cannot be entities."""
    if type(entities) is not list:
        _refuse_foreign(entities)
    if entities is None or isinstance(entities, (str, bytes)) or not _is_iterable(entities):
        raise NotClusters(f"{shown(entities)} is not a list of entities", CLUSTERS_ARE)
    if isinstance(entities, Mapping):
        raise NotClusters(
            "found a dict of entities by name instead of a list; pass its values(): expected "
            f"{CLUSTERS_ARE}"
        )
    given = list(cast(Iterable[Iterable[Any]], entities))
    if not PLAIN_ENTITIES.issuperset(map(type, given)):
        for entity in given:
            _check_entity(entity)
    return given


def _refuse_foreign(item: object) -> None:
    """Raise :class:`NotClusters` for a document of another library."""
    library = library_of(item)
    if library is not None:
        raise NotClusters(
            f"found a document of {library} instead of clusters; expected such documents in one "
            "list, such as score([gold_doc, …], [predicted_doc, …]), without a list or a dict "
            "around them; to pass clusters, give each mention as (first, last)"
        )


def _check_entity(entity: object) -> None:
    if type(entity) is tuple:
        return
    _refuse_foreign(entity)
    if isinstance(entity, (str, bytes)):
        raise NotClusters(
            f"found the string {shown(entity)} instead of an entity (strings are not split into "
            "letters)",
            CLUSTERS_ARE,
        )
    if isinstance(entity, Mapping) and any(value is not None for value in entity.values()):
        raise NotClusters(
            f"found a dict instead of an entity; for several documents {DOCUMENTS_ARE}"
        )
    if not _is_iterable(entity):
        raise NotClusters(f"found {shown(entity)} instead of an entity", CLUSTERS_ARE)


def _is_iterable(value: object) -> bool:
    """Return whether a value can be iterated over; arrays without a dimension cannot."""
    return hasattr(value, "__iter__") and getattr(value, "ndim", 1) != 0


def _doubt_about_numbers(
    entities: Sequence[Iterable[Any]], row: Sequence[int], wording: MessageWording
) -> Doubt | None:
    """Return whether entities of two numbers may be spans; raise :class:`NotClusters` if they are.

    A tuple or an array of two numbers is a span. A list of two numbers may be an entity of two
    mentions with numbers as ids, unless one has the same number twice, like a span of one token.
    Numbers in a set are ids.
    """
    are_spans = all(isinstance(each, tuple) or hasattr(each, "tolist") for each in entities)
    pairs = list(zip(row[::2], row[1::2], strict=True))
    is_ascending = all(0 <= first <= last for first, last in pairs)
    if are_spans or (is_ascending and any(first == last for first, last in pairs)):
        raise NotClusters(
            f"found a flat list of spans such as {pairs[0]}, without entities around them",
            f"{wording.clusters_are}. If the numbers are ids of mentions, {wording.ids}",
        )
    return Doubt.SPANS if is_ascending and set(map(type, entities)) == {list} else None


def _doubt_about_tuples(
    sizes: Sequence[int], row: Sequence[tuple[Any, ...]], wording: MessageWording
) -> Doubt | None:
    """Return whether tuples may be entities; raise :class:`NotClusters` if they are.

    If this were a list of documents, the parts of the tuples would be mentions, and each would
    occur once in its document. A part that occurs twice therefore shows that the tuples are ids.
    Otherwise tuples of different lengths are entities, and tuples of one length may be either.
    """
    if len(row[0]) == 2 and type(row[0][0]) is int:
        return None  # Spans, by far the most frequent case.
    lengths, kinds = set(map(len, row)), set(map(type, chain.from_iterable(row)))
    if kinds == {tuple} and 0 not in lengths and all(map(is_span, chain.from_iterable(row))):
        if all(map(is_parts, row)):
            return Doubt.GAPS
        _refuse_documents(row[0], wording)
    if kinds != {str} and not (kinds == {int} and 2 not in lengths):
        return None
    rest = iter(row)
    for size in sizes:
        parts = list(chain.from_iterable(islice(rest, size)))
        if len(set(parts)) < len(parts):
            return None
    if len(lengths) > 1 or lengths == {1}:
        _refuse_documents(row[0], wording)
    return Doubt.DOCUMENTS


def as_mentions(mentions: Iterable[MentionId | list[int]]) -> list[MentionId]:
    """Return mentions as plain tuples, numbers and strings; raise :class:`NotClusters` if wrong."""
    row: list[Any] = list(mentions)
    kinds = set(map(type, row))
    if kinds <= PLAIN_PARTS:
        return row
    if kinds in ({tuple}, {list}):
        parts = set(map(type, chain.from_iterable(row)))
        if kinds == {tuple} and parts <= PLAIN_PARTS:
            return row
        if kinds == {list} and parts == {int} and set(map(len, row)) == {2}:
            return list(map(tuple, row))
    return list(map(_as_mention, row))


def _refuse_documents(mention: object, wording: MessageWording = IN_PYTHON) -> NoReturn:
    """Raise :class:`NotClusters` for an entity instead of a mention."""
    raise NotClusters(
        f"found a list of documents, or a mention such as {shown(mention)}; for several documents "
        f"{wording.documents_are}; as a mention {wording.mentions_are}"
    )


def _as_mention(mention: Any) -> MentionId:
    if isinstance(mention, Mention):
        mention = mention.id
    if hasattr(mention, "tolist"):
        mention = mention.tolist()
    if isinstance(mention, Set) or (isinstance(mention, list) and not _can_be_pair(mention)):
        _refuse_documents(mention)
    if isinstance(mention, (list, tuple)) or _is_other_pair(mention):
        return _as_tuple(tuple(mention))
    number = as_number(mention)
    _refuse_foreign(number)
    if number is None or isinstance(number, Mapping):
        _refuse_mention(mention)
    return cast(MentionId, number)


def _refuse_mention(found: object) -> NoReturn:
    raise NotClusters(f"found {shown(found)} instead of a mention; {MENTIONS_ARE}")


def _can_be_pair(parts: Sequence[object]) -> bool:
    """Return whether there are two parts, neither of which is a mention itself."""
    return len(parts) == 2 and not any(isinstance(p, (str, bytes, *CONTAINERS)) for p in parts)


def _is_other_pair(mention: object) -> bool:
    """Return whether a sequence of a type that is not built in has two numbers."""
    if not isinstance(mention, Sequence) or isinstance(mention, (str, bytes, range)):
        return False
    return len(mention) == 2 and all(isinstance(as_number(part), Real) for part in mention)


def _as_tuple(mention: tuple[Any, ...]) -> MentionId:
    if is_row_of_pairs(mention):
        return _as_parts(mention)
    if len(mention) == 1 and is_whole_pair(mention[0]):
        _refuse_documents(mention)
    parts = tuple(map(as_number, mention))
    if not PLAIN_PARTS.issuperset(map(type, parts)):
        if any(part is None or isinstance(part, CONTAINERS) for part in parts):
            _refuse_mention(mention)
        if len(parts) == 2 and all(isinstance(part, Real) for part in parts):
            return _as_span(parts)
    return parts


def _as_parts(mention: Parts) -> Parts:
    """Return the parts of a mention; raise :class:`NotClusters` if they are not in order."""
    if not all(before[1] <= after[0] for before, after in pairwise(mention)):
        raise NotClusters(
            f"found {shown(mention)} instead of a mention with gaps; expected its parts in order "
            "and without common tokens, such as ((0, 1), (3, 3)); for several documents "
            f"{DOCUMENTS_ARE}"
        )
    return mention


def is_row_of_pairs(mention: MentionId) -> TypeGuard[Parts]:
    """Return whether a mention is given as parts, which may be valid in some convention."""
    return type(mention) is tuple and len(mention) > 1 and all(map(is_whole_pair, mention))


def _as_span(parts: tuple[Any, ...]) -> tuple[int, ...]:
    """Return two numbers as integers; 1.0 is 1, but 1.5 and True are not token numbers."""
    if any(isinstance(part, bool) or part != part // 1 for part in parts):
        _refuse_mention(parts)
    return tuple(int(part) for part in parts)


def as_number(value: Any) -> Any:
    """Return a number of any type as a Python number; return everything else unchanged."""
    if type(value) in (int, str, bool, float):
        return value
    if hasattr(value, "__index__"):
        try:
            return index(value)
        except TypeError:  # An array or a tensor that is not one integer.
            pass
    if hasattr(value, "item"):
        try:
            return value.item()
        except (TypeError, ValueError, RuntimeError):
            found = shown(value)
            raise NotClusters(f"found {found} instead of one number; {MENTIONS_ARE}") from None
    return value


CLUSTER_FIELDS = ("clusters", "predicted_clusters")
RECORD_FIELDS = ("doc_key", "doc_id", "sentences", "tokens", "text", "speakers", *CLUSTER_FIELDS)
"""Fields of a JSON record of one document, as most neural systems write it."""


def checked_documents(
    documents: Mapping[str, Clusters],
    convention: Convention,
    tokens_of: Callable[[str], int | None] = lambda name: None,
    path: str | None = None,
    *,
    as_given: bool = False,
) -> dict[str, Given]:
    """Check the clusters of each document, and convert spans to first and last token from 0.

    ``tokens_of`` returns the number of tokens of a document, if it is known. With ``as_given``,
    spans are not converted, because they do not count tokens. Raises
    :class:`NotClusters` for anything but clusters, and ``InvalidInput`` for spans that do not fit
    the convention or the text.
    """
    _refuse_record(documents)
    checked: dict[str, Given] = {}
    findings: list[Finding] = []
    for name, clusters in documents.items():
        tokens = tokens_of(name)
        try:
            given = checked_clusters(clusters)
        except NotClusters as error:
            raise NotClusters(f"document {name!r}: {error}") from None
        sizes, mentions = given.rows
        if as_given:
            checked[name] = given
            continue
        if tokens is not None or convention != Convention() or not given.are_spans:
            # Ids that are not spans are unchanged.
            spans = [_converted(mention, convention) for mention in mentions]
            for mention, span in zip(mentions, spans, strict=True):
                if not _fits(span, tokens):
                    findings.append(_outside(name, mention, convention, tokens, path))
            given = given._replace(rows=(sizes, spans))
        checked[name] = given
    refuse_errors(findings)
    return checked


def without_names(
    documents: Mapping[str, Clusters],
) -> tuple[Mapping[str, Clusters], list[str] | None]:
    """Return clusters without the names of entities, and the names if all documents have them.

    ``{document: {name: mentions}}`` has names, which hold across documents.
    """
    if not isinstance(documents, Mapping) or not documents:
        return documents, None
    if not all(isinstance(entities, Mapping) for entities in documents.values()):
        return documents, None
    named = cast(Mapping[str, Mapping[object, Iterable[Any]]], documents)
    names = [str(name) for entities in named.values() for name in entities]
    return {name: list(entities.values()) for name, entities in named.items()}, names


def _refuse_record(documents: object) -> None:
    """Raise an exception for anything but ``{document: clusters}``, such as a JSON record."""
    if not isinstance(documents, Mapping):
        found = type(documents).__name__
        raise NotClusters(f"found a {found} instead of a dict; {DOCUMENTS_ARE}")
    fields = [field for field in RECORD_FIELDS if field in documents]
    clusters = [field for field in CLUSTER_FIELDS if field in documents]
    # A document may be called "clusters", but hardly if it is the only one.
    if clusters and (len(fields) > 1 or len(documents) == 1):
        name = "record['doc_key']" if "doc_key" in documents else "name"
        raise NotClusters(
            f"found a JSON record with the field{'s' * (len(fields) > 1)} {', '.join(fields)} "
            "instead of a dict of documents; expected {document: clusters}, here "
            f"{{{name}: record[{clusters[0]!r}]}}"
        )
    if not all(isinstance(name, str) for name in documents):
        raise WrongArgument("the names of documents must be strings")


def _converted(mention: MentionId, convention: Convention) -> MentionId:
    """Return a span as first and last token from 0, and an id that is not a span unchanged."""
    if is_row_of_pairs(mention):
        return tuple(convention.convert(*part) for part in mention)
    return convention.convert(*mention) if is_whole_pair(mention) else mention


def _fits(span: MentionId, tokens: int | None) -> bool:
    """Return whether a mention is inside the text; ids that are not spans always are."""
    if is_row_of_pairs(span):
        return is_parts(span) and (tokens is None or span[-1][1] < tokens)
    if not is_whole_pair(span):
        return True
    return is_span(span) and (tokens is None or span[1] < tokens)


def _outside(
    name: str | None,
    mention: MentionId,
    convention: Convention,
    tokens: int | None = None,
    path: str | None = None,
) -> Finding:
    hint = _hint(convention, *mention, tokens) if is_whole_pair(mention) else ""
    expected = convention.expected(tokens)
    where = "a document" if name is None else f"document {name!r}"
    return Finding(
        Code.BAD_SPAN, f"{where} has the mention {mention}", expected=f"{expected}{hint}", file=path
    )


def _hint(convention: Convention, start: int, end: int, tokens: int | None) -> str:
    """Return which argument to give if an invalid span suggests another convention."""
    found = convention.suggestion(start, end, tokens)
    if found is None:
        return ""
    changes = (f"{part}={value!r}" for part, value in found.convention.options(convention))
    return f"; if {found.reason}, make it with Corpus.from_clusters and {', '.join(changes)}"
