"""Which mention of the response is which of the key."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Iterator, Sequence
from numbers import Real

import numpy as np

from corefscope.corpus import Corpus, Integers
from corefscope.corpus.mentions import MentionId, is_span
from corefscope.exceptions import InvalidInput
from corefscope.findings import Code, Finding
from corefscope.matching.documents import Pairing
from corefscope.matching.overlap import Side


def exact(key: Corpus, response: Corpus, pairing: Pairing) -> tuple[Side, Side]:
    """Number the mentions of both sides: the same document and span (or id), the same number."""
    key_side, response_side = compared(key, response, pairing)
    refuse_unlike(key, response)
    if key.mention_spans is None or response.mention_spans is None:
        return _numbered_by_id(key, key_side, response, response_side)
    return _numbered_by_span(key, key_side, response, response_side)


def compared(key: Corpus, response: Corpus, pairing: Pairing) -> tuple[Side, Side]:
    """Return what is compared of both sides, mentions still without numbers."""
    documents = np.arange(len(key))
    documents[[key.index(name) for name in pairing.ignored]] = -1
    return _side(key, documents), _side(response, pairing.key_document)


def refuse_unlike(key: Corpus, response: Corpus) -> None:
    """Refuse mentions that can never match: where one side has spans, the other must have them."""
    for spans, others in ((key, response), (response, key)):
        if spans.mention_spans is not None and len(spans.mention_spans) and others.mention_ids:
            names = ("key", "response") if spans is key else ("response", "key")
            raise InvalidInput([_unlike(names, spans, others)])


def _unlike(names: tuple[str, str], spans: Corpus, others: Corpus) -> Finding:
    assert others.mention_ids
    odd = [row for row, mention in enumerate(others.mention_ids) if not is_span(mention)]
    document = others.document_of(odd[0])
    is_one = len(odd) == 1
    number = (
        "1 mention that is not a span" if is_one else f"{len(odd):,} mentions that are not spans"
    )
    message = (
        f"the {names[1]} has {number}, the first of them "
        f"{reprlib.repr(others.mention_ids[odd[0]])} in document "
        f"{others.document_names[document]!r}; expected first and last token, as in "
        f"{spans.path or f'the {names[0]}'}: they cannot match{_hint(others, odd)}"
    )
    return Finding(Code.UNLIKE_MENTIONS, message, file=others.file_of(document))


def _hint(corpus: Corpus, rows: Sequence[int]) -> str:
    """Say what pairs of numbers may be whose second number is too small for a last token."""
    assert corpus.mention_ids
    pairs = (corpus.mention_ids[row] for row in rows)
    if all(isinstance(pair, tuple) and is_span(pair[::-1]) for pair in pairs):
        return "; if the second number is the length of the mention, give its last token instead"
    return ""


def unlike_ids(key: Corpus, response: Corpus) -> Iterator[Finding]:
    """Report ids of a kind that the other side does not have, such as texts beside numbers.

    If no kind is common, nothing can match, which is an error; otherwise it is a warning.
    """
    if not key.mention_ids or not response.mention_ids:
        return
    ours, theirs = _kinds(key.mention_ids), _kinds(response.mention_ids)
    code = Code.UNLIKE_SOME if ours.keys() & theirs.keys() else Code.UNLIKE_MENTIONS
    for side, found, others, path in (
        ("key", ours, theirs, key.path),
        ("response", theirs, ours, response.path),
    ):
        expected, example = next(iter(others.items()))
        for kind in [kind for kind in found if kind not in others]:
            message = (
                f"the {side} has mentions such as {reprlib.repr(found[kind])} ({kind}); expected "
                f"some like {reprlib.repr(example)} ({expected}), as on the other side: they "
                "cannot match"
            )
            yield Finding(code, message, file=path)


def _kinds(ids: Sequence[MentionId]) -> dict[str, MentionId]:
    """Return the first id of each kind; numbers of all types are one kind."""
    first = {(type(id), len(id) if isinstance(id, tuple) else 0): id for id in reversed(ids)}
    kinds: dict[str, MentionId] = {}
    for (kind, length), id in reversed(first.items()):
        if kind is tuple:
            kinds[f"a list of {length}"] = id
        elif kind is not bool and isinstance(id, Real):
            kinds["a number"] = id
        else:
            kinds[{str: "text", bool: "true or false"}.get(kind, kind.__name__)] = id
    return kinds


def _side(corpus: Corpus, key_document: Integers) -> Side:
    """Return the entities of the paired documents, mentions still without numbers."""
    document = key_document[corpus.entity_document] if len(corpus) else corpus.entity_document
    entities = np.arange(len(document))
    mentions = np.arange(len(corpus.mention_entity))
    side = Side(
        entity_document=document,
        entity_row=entities,
        mention_entity=corpus.mention_entity,
        mention_row=mentions,
        mention=mentions,
    )
    paired = document[corpus.mention_entity] >= 0
    return side.keep(paired)


def _numbered_by_span(
    key: Corpus, key_side: Side, response: Corpus, response_side: Side
) -> tuple[Side, Side]:
    assert key.mention_spans is not None and response.mention_spans is not None
    base = 1 + max(int(s.max(initial=0)) for s in (key.mention_spans, response.mention_spans))
    spans = [
        spans[side.mention_row].astype(np.int64) @ np.array([base, 1])
        for side, spans in ((key_side, key.mention_spans), (response_side, response.mention_spans))
    ]
    different = base**2
    if len(key) * different >= 2**63:
        # Too many for one integer: number the spans that occur.
        ranked, rank = np.unique(np.concatenate(spans), return_inverse=True)
        spans, different = np.split(rank, [len(spans[0])]), len(ranked)

    def number(side: Side, span: Integers) -> Side:
        document = side.entity_document[side.mention_entity].astype(np.int64)
        return side.numbered(document * different + span)

    return number(key_side, spans[0]), number(response_side, spans[1])


def _numbered_by_id(
    key: Corpus, key_side: Side, response: Corpus, response_side: Side
) -> tuple[Side, Side]:
    numbers: dict[object, int] = {}

    def number(side: Side, corpus: Corpus) -> Side:
        names: Iterable[object] = _ids(corpus, side.mention_row)
        if len(key) > 1:
            documents = side.entity_document[side.mention_entity].tolist()
            names = zip(documents, names, strict=True)
        new = (numbers.setdefault(name, len(numbers)) for name in names)
        return side.numbered(np.fromiter(new, dtype=np.int64, count=len(side.mention_row)))

    return number(key_side, key), number(response_side, response)


def _ids(corpus: Corpus, rows: Integers) -> Sequence[MentionId]:
    """Return what identifies the mentions in these rows, true and 1 told apart."""
    if corpus.mention_spans is not None:
        return list(map(tuple, corpus.mention_spans[rows].tolist()))
    ids = corpus.mention_ids or ()
    if len(rows) < len(ids):
        ids = [ids[row] for row in rows.tolist()]
    return ids if {bool, tuple}.isdisjoint(map(type, ids)) else list(map(distinct, ids))


def distinct(id: MentionId) -> MentionId:
    """Tell true from 1, which JSON does and Python does not."""
    if type(id) is tuple:
        return tuple(map(distinct, id))
    return ("true or false", id) if type(id) is bool else id
