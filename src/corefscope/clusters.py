"""What callers pass as clusters: checked, and made of Python's own numbers and tuples."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from itertools import chain
from numbers import Real
from operator import index
from typing import Any, cast

from corefscope.findings import Code, Finding, refuse_errors
from corefscope.mentions import Clusters, MentionId, Rows, is_span, is_whole_pair
from corefscope.offsets import Convention

PLAIN_ENTITIES = frozenset({list, set, frozenset})
"""Types of entities that need no look."""
PLAIN_PARTS = frozenset({int, str})
"""Types in mentions, and in the tuples that they are, which need no look."""
CONTAINERS = (list, tuple, Set, Mapping)
CLUSTERS_ARE = (
    "expected the clusters of one document, such as [[(0, 1), (4, 4)], [(2, 3)]]: "
    "a list of entities, each a list or a set of mentions"
)
DOCUMENTS_ARE = "expected {document: clusters}, such as {'a': [[(0, 1), (4, 4)]], 'b': []}"
MENTIONS_ARE = "expected (first, last), two token numbers, or one id such as 'm1' or 7"


class NotClusters(TypeError):
    """What was given are not the clusters of a document; the message says what to pass instead."""


def rows_of(entities: Clusters) -> Rows:
    """Return the sizes of the entities of a document, and their mentions in a row.

    Numbers of any type that stand for whole numbers (numpy's, tensors of one number) become
    Python's own; lists, arrays and tensors become tuples. Raises :class:`NotClusters` for anything
    that is not a collection of entities, each a collection of mentions.
    """
    given = _entities(entities)
    mentions = [list(entity) for entity in given]
    sizes = list(map(len, mentions))
    row = as_mentions(chain.from_iterable(mentions))
    if sizes and set(sizes) == {2} and set(map(type, row)) == {int}:
        _refuse_flat_spans(given, cast(list[int], row))
    return sizes, row


def _entities(entities: object) -> list[Iterable[Any]]:
    """Return the entities of a document; refuse what holds none."""
    if entities is None or isinstance(entities, (str, bytes)) or not _is_iterable(entities):
        raise NotClusters(f"{_shown(entities)} is no list of entities; {CLUSTERS_ARE}")
    if isinstance(entities, Mapping):
        raise NotClusters(
            "a dict of entities by name in place of a list; pass its values(): " + CLUSTERS_ARE
        )
    given = list(cast(Iterable[Iterable[Any]], entities))
    if not PLAIN_ENTITIES.issuperset(map(type, given)):
        for entity in given:
            _check_entity(entity)
    return given


def _check_entity(entity: object) -> None:
    if isinstance(entity, (str, bytes)):
        raise NotClusters(
            f"the text {_shown(entity)} in place of an entity (its letters are no mentions); "
            + CLUSTERS_ARE
        )
    if isinstance(entity, Mapping) and any(value is not None for value in entity.values()):
        raise NotClusters(f"a dict in place of an entity; for several documents {DOCUMENTS_ARE}")
    if not _is_iterable(entity):
        raise NotClusters(f"{_shown(entity)} in place of an entity; {CLUSTERS_ARE}")


def _is_iterable(value: object) -> bool:
    """Tell whether a value can be gone through; arrays and tensors of one number cannot."""
    return hasattr(value, "__iter__") and getattr(value, "ndim", 1) != 0


def _refuse_flat_spans(entities: Sequence[Iterable[Any]], row: Sequence[int]) -> None:
    """Refuse spans where entities should be.

    A tuple or an array of two numbers is a span. A list of two numbers may be an entity of two
    mentions with numbers as ids, unless one has the same number twice, as spans of one token do.
    """
    are_spans = all(isinstance(each, tuple) or hasattr(each, "tolist") for each in entities)
    pairs = list(zip(row[::2], row[1::2], strict=True))
    is_ascending = all(first <= last for first, last in pairs)
    if are_spans or (is_ascending and any(first == last for first, last in pairs)):
        raise NotClusters(
            f"a flat list of spans such as {pairs[0]}, without entities around them; "
            f"{CLUSTERS_ARE}. If the numbers are ids of mentions, make every entity a set"
        )


def as_mentions(mentions: Iterable[MentionId | list[int]]) -> list[MentionId]:
    """Return mentions as tuples, numbers and texts of Python; refuse what cannot be a mention."""
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
    _refuse_documents(row)
    return list(map(_as_mention, row))


def _refuse_documents(row: Sequence[object]) -> None:
    """Refuse entities where mentions should be: a list of documents, not of entities."""
    listed = [mention for mention in row if isinstance(mention, (list, Set))]
    if not listed:
        return
    is_nested = any(isinstance(m, Set) or any(map(_is_nested, m)) for m in listed)
    if is_nested or len({len(mention) for mention in listed}) > 1 or min(map(len, listed)) < 2:
        raise NotClusters(
            f"a list of documents, or a mention such as {_shown(listed[0])}; for several documents "
            f"{DOCUMENTS_ARE}; as a mention {MENTIONS_ARE}"
        )


def _is_nested(part: object) -> bool:
    """Tell whether something in a list shows that the list is an entity: a mention in it."""
    return isinstance(part, (str, bytes, *CONTAINERS))


def _as_mention(mention: Any) -> MentionId:
    if hasattr(mention, "tolist"):
        mention = mention.tolist()
    if isinstance(mention, (list, tuple)):
        return _as_tuple(mention)
    number = as_number(mention)
    if number is None or isinstance(number, (Mapping, Set)):
        raise NotClusters(f"{_shown(mention)} in place of a mention; {MENTIONS_ARE}")
    return cast(MentionId, number)


def _as_tuple(mention: list[Any] | tuple[Any, ...]) -> MentionId:
    parts = tuple(map(as_number, mention))
    if not PLAIN_PARTS.issuperset(map(type, parts)):
        if any(part is None or isinstance(part, CONTAINERS) for part in parts):
            raise NotClusters(f"{_shown(mention)} in place of a mention; {MENTIONS_ARE}")
        if len(parts) == 2 and all(isinstance(part, Real) for part in parts):
            return _as_span(parts)
    # A named tuple stays what it is: its type may tell it from other mentions.
    return parts if type(mention) in (list, tuple) else cast(MentionId, mention)


def _as_span(parts: tuple[Any, ...]) -> tuple[int, ...]:
    """Return two numbers as whole numbers; 1.0 is 1, while 1.5 and True are no token."""
    if any(isinstance(part, bool) or part != part // 1 for part in parts):
        raise NotClusters(f"{_shown(parts)} in place of a mention; {MENTIONS_ARE}")
    return tuple(int(part) for part in parts)


def as_number(value: Any) -> Any:
    """Return whatever stands for one number as a number of Python; all else as it is."""
    if type(value) in (int, str, bool, float):
        return value
    if hasattr(value, "__index__"):
        try:
            return index(value)
        except TypeError:  # An array or a tensor, but not of one whole number.
            pass
    if hasattr(value, "item"):
        try:
            return value.item()
        except (TypeError, ValueError, RuntimeError):
            shown = _shown(value)
            raise NotClusters(f"{shown} in place of one number; {MENTIONS_ARE}") from None
    return value


def _shown(value: object) -> str:
    return reprlib.repr(value)


CLUSTER_FIELDS = ("clusters", "predicted_clusters")
RECORD_FIELDS = ("doc_key", "doc_id", "sentences", "tokens", "text", "speakers", *CLUSTER_FIELDS)
"""Fields of a JSON record of one document, as most neural systems write it."""


def document_rows(
    documents: Mapping[str, Clusters],
    convention: Convention,
    tokens_of: Callable[[str], int | None] = lambda name: None,
    path: str | None = None,
) -> dict[str, Rows]:
    """Return the entities of each document, spans as first and last token from 0.

    ``tokens_of`` returns the number of tokens of a document, if it is known. Raises
    :class:`NotClusters` for what are no clusters, and ``InvalidInput`` for spans that do not fit
    the convention or the text.
    """
    _refuse_record(documents)
    rows: dict[str, Rows] = {}
    findings: list[Finding] = []
    for name, clusters in documents.items():
        tokens = tokens_of(name)
        try:
            sizes, mentions = rows_of(clusters)
        except NotClusters as error:
            raise NotClusters(f"document {name!r}: {error}") from None
        if tokens is not None or convention != Convention():
            spans = [_converted(mention, convention) for mention in mentions]
            for mention, span in zip(mentions, spans, strict=True):
                if not _fits(span, tokens):
                    findings.append(_outside(name, mention, convention, tokens, path))
            mentions = spans
        rows[name] = sizes, mentions
    refuse_errors(findings)
    return rows


def _refuse_record(documents: object) -> None:
    """Refuse what is not ``{document: clusters}``, such as the JSON record of one document."""
    if not isinstance(documents, Mapping):
        raise NotClusters(f"a {type(documents).__name__} in place of a dict; {DOCUMENTS_ARE}")
    fields = [field for field in RECORD_FIELDS if field in documents]
    if len(fields) > 1 and any(field in CLUSTER_FIELDS for field in fields):
        name = "record['doc_key']" if "doc_key" in documents else "name"
        raise NotClusters(
            f"a JSON record with the fields {', '.join(fields)} in place of a dict of documents; "
            f"expected {{document: clusters}}, here {{{name}: record['clusters']}}"
        )
    if not all(isinstance(name, str) for name in documents):
        raise TypeError("the names of documents must be text")


def _converted(mention: MentionId, convention: Convention) -> MentionId:
    """Return a span as first and last token from 0; an id that is not a span stays as it is."""
    return convention.convert(*mention) if is_whole_pair(mention) else mention


def _fits(span: MentionId, tokens: int | None) -> bool:
    """Tell whether a mention is no span, or one inside the text."""
    if not is_whole_pair(span):
        return True
    return is_span(span) and (tokens is None or span[1] < tokens)


def _outside(
    name: str, mention: MentionId, convention: Convention, tokens: int | None, path: str | None
) -> Finding:
    assert is_whole_pair(mention)
    message = (
        f"document {name!r} has the mention {mention}; expected {convention.expected(tokens)}"
        f"{convention.hint(*mention, tokens)}"
    )
    return Finding(Code.BAD_SPAN, message, path)
