"""Match the mentions of a response with those of the key."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterable, Iterator, Sequence
from numbers import Real

import numpy as np
from msgspec.structs import replace

from corefscope.corpus import UNKNOWN_LENGTH, Corpus, Integers
from corefscope.corpus.arrays import row_numbers
from corefscope.corpus.mentions import MentionId, is_span
from corefscope.corpus.offsets import TABLE
from corefscope.exceptions import InvalidInput
from corefscope.findings import Code, Finding
from corefscope.matching.documents import Pairing
from corefscope.matching.overlap import Side
from corefscope.matching.stages import MatchingRules


def with_common_nodes(
    key: Corpus, response: Corpus, key_document: Integers
) -> tuple[Corpus, Corpus, list[Finding]]:
    """Return both sides with the empty nodes that positions count, and what to say about it.

    Tokens are words and empty nodes, so that positions without words count both.
    """
    paired = np.flatnonzero(key_document >= 0)
    response_document = np.full(len(key), -1)
    response_document[key_document[paired]] = paired
    findings: list[Finding] = []
    given = response
    response = _with_nodes_of(response, key, key_document, findings)
    key = _with_nodes_of(key, given, response_document, findings)
    return key, response, findings


def _with_nodes_of(
    bare: Corpus, other: Corpus, other_document: Integers, findings: list[Finding]
) -> Corpus:
    nodes = other.empty_nodes
    if not nodes or not bare.has_spans or bare.empty_nodes:
        return bare
    number = np.full(len(other), -1)
    is_bare = (bare.document_tokens == UNKNOWN_LENGTH) & (other_document >= 0)
    number[other_document[is_bare]] = np.flatnonzero(is_bare)
    length = np.zeros(len(bare), dtype=np.int64)
    np.maximum.at(length, bare.mention_document, bare.mention_spans[:, 1] + 1)
    rows = np.flatnonzero(number[nodes.document] >= 0)
    rows = rows[nodes.token[rows] < length[number[nodes.document[rows]]]]
    if not len(rows):
        return bare
    rows = rows[np.argsort(number[nodes.document[rows]], kind="stable")]
    first = int(number[nodes.document[rows[0]]])
    count = "an empty node" if len(rows) == 1 else f"{len(rows):,} empty nodes"
    message = (
        f"document {bare.document_names[first]!r} has positions but no words, and the other side "
        f"empty nodes; positions also count {count}; if they count words alone, write the words "
        "into the file"
    )
    findings.append(Finding(Code.ZEROS_IN_DOUBT, message, file=bare.file_of(first)))
    return replace(bare, empty_nodes=nodes.chosen(rows, number), _index={})


SPAN_ID = re.compile(r"(?:(\d{1,9})\.)?(\d{1,9})-(\d{1,9})")
"""An id that names its first and its last token, perhaps after the number of a block."""


def with_spans(key: Corpus, response: Corpus) -> tuple[Corpus, Corpus]:
    """Read ids such as ``3-7`` as spans, if the other side has spans.

    The numbers of a table are compared as numbers with those of another table, and else as ids.
    """
    are_tables = [side.offsets.format == TABLE for side in (key, response)]
    if any(are_tables) and not (all(are_tables) and key.has_spans and response.has_spans):
        key, response = (
            _as_ids(side) if is_table and side.has_spans else side
            for side, is_table in zip((key, response), are_tables, strict=True)
        )
    if key.mention_ids and response.has_spans and len(response.mention_spans):
        return _as_spans(key), response
    if response.mention_ids and key.has_spans and len(key.mention_spans):
        return key, _as_spans(response)
    return key, response


def _as_ids(corpus: Corpus) -> Corpus:
    """Return a corpus whose mentions have their first token as id, written as text."""
    return replace(corpus, mention_ids=tuple(map(str, corpus.mention_spans[:, 0].tolist())))


def _as_spans(corpus: Corpus) -> Corpus:
    """Return a corpus with spans for ids that name tokens; the same corpus if not all of them do.

    scorch numbers blocks; the numbers of tokens are those of a document only if there is one block.
    """
    spans, blocks = np.empty((len(corpus.mention_ids), 2), dtype=np.int32), dict[int, str | None]()
    documents = corpus.entity_document[corpus.mention_entity].tolist()
    for row, (id, document) in enumerate(zip(corpus.mention_ids, documents, strict=True)):
        if is_span(id):
            spans[row] = id
            continue
        found = SPAN_ID.fullmatch(id) if isinstance(id, str) else None
        if found is None or blocks.setdefault(document, found[1]) != found[1]:
            return corpus
        span = int(found[2]), int(found[3])
        if not is_span(span):
            return corpus
        spans[row] = span
    # They are no strings to look for, even if the file was read as one of strings.
    return replace(corpus, mention_ids=(), mention_spans=spans, copies=None)


def number_mentions(key: Corpus, response: Corpus, pairing: Pairing) -> tuple[Side, Side]:
    """Number the mentions of both sides; two with the same document and id get the same number."""
    key_side, response_side = compared(key, response, pairing)
    refuse_unlike(key, response)
    if not key.has_spans or not response.has_spans:
        return _numbered_by_id(key, key_side, response, response_side)
    return _numbered_by_span(key, key_side, response, response_side)


def compared(key: Corpus, response: Corpus, pairing: Pairing) -> tuple[Side, Side]:
    """Return what is compared of both sides, mentions still without numbers."""
    documents = np.arange(len(key))
    documents[[key.index(name) for name in pairing.ignored]] = -1
    return _side(key, documents), _side(response, pairing.key_document)


def refuse_unlike(key: Corpus, response: Corpus) -> None:
    """Raise ``InvalidInput`` if only one side has spans, so that no mention can match."""
    for spans, others in ((key, response), (response, key)):
        if spans.has_spans and len(spans.mention_spans) and others.mention_ids:
            names = ("key", "response") if spans is key else ("response", "key")
            raise InvalidInput([_unlike(names, spans, others)])


def _unlike(names: tuple[str, str], spans: Corpus, others: Corpus) -> Finding:
    odd = [row for row, mention in enumerate(others.mention_ids) if not is_span(mention)]
    document = others.document_of(odd[0])
    is_one = len(odd) == 1
    number = (
        "1 mention that is not a span" if is_one else f"{len(odd):,} mentions that are not spans"
    )
    hint = _strings_hint(others, spans)
    return Finding(
        Code.UNLIKE_MENTIONS,
        f"the {names[1]} has {number}, the first of them "
        f"{reprlib.repr(others.mention_ids[odd[0]])} in document "
        f"{others.document_names[document]!r}",
        expected=(
            f"first and last token, as in {spans.path or f'the {names[0]}'}: they cannot "
            f"match{_hint(others, odd)}{hint}"
        ),
        file=others.file_of(document),
    )


def _strings_hint(corpus: Corpus, other: Corpus) -> str:
    """Return a hint if ids of plain JSON may be words of the text, which the other side has."""
    may_be = corpus.offsets.format == "json" and any(other.word_digests or ())
    if not may_be or not all(isinstance(id, str) for id in corpus.mention_ids):
        return ""
    return "; if they are words of the text, and no ids, use the format 'strings'"


def _hint(corpus: Corpus, rows: Sequence[int]) -> str:
    """Return a hint if all ids are pairs whose second number is too small for a last token."""
    pairs = (corpus.mention_ids[row] for row in rows)
    if all(isinstance(pair, tuple) and is_span(pair[::-1]) for pair in pairs):
        return "; if the second number is the length of the mention, give its last token instead"
    return ""


def unlike_ids(key: Corpus, response: Corpus) -> Iterator[Finding]:
    """Report ids of a kind that the other side does not have, such as strings against numbers.

    If the sides have no kind in common, nothing can match, which is an error; otherwise it is a
    warning.
    """
    if not key.mention_ids or not response.mention_ids:
        return
    ours, theirs = _kinds(key.mention_ids), _kinds(response.mention_ids)
    code = Code.UNLIKE_SIDES if ours.keys() & theirs.keys() else Code.UNLIKE_MENTIONS
    for side, found, others, path in (
        ("key", ours, theirs, key.path),
        ("response", theirs, ours, response.path),
    ):
        expected, example = next(iter(others.items()))
        for kind in [kind for kind in found if kind not in others]:
            yield Finding(
                code,
                f"the {side} has mentions such as {reprlib.repr(found[kind])} ({kind})",
                expected=(
                    f"some like {reprlib.repr(example)} ({expected}), as on the other side: they "
                    "cannot match"
                ),
                file=path,
            )


def _kinds(ids: Sequence[MentionId]) -> dict[str, MentionId]:
    """Return the first id of each kind; all types of numbers are one kind."""
    first = {(type(id), len(id) if isinstance(id, tuple) else 0): id for id in reversed(ids)}
    kinds: dict[str, MentionId] = {}
    for (kind, length), id in reversed(first.items()):
        if kind is tuple:
            kinds[f"a list of {length}"] = id
        elif kind is not bool and isinstance(id, Real):
            kinds["a number"] = id
        else:
            kinds[{str: "a string", bool: "true or false"}.get(kind, kind.__name__)] = id
    return kinds


def _side(corpus: Corpus, key_document: Integers) -> Side:
    """Return the entities of the paired documents; the mentions have no common numbers yet."""
    document = key_document[corpus.entity_document] if len(corpus) else corpus.entity_document
    entities = np.arange(len(document))
    mentions = row_numbers(len(corpus.mention_entity))
    side = Side(
        entity_document=document,
        entity_row=entities,
        mention_entity=corpus.mention_entity,
        mention_row=mentions,
        mention=mentions,
    )
    is_paired = document >= 0
    if is_paired.all():
        return side.keep(np.broadcast_to(np.True_, mentions.shape))
    return side.keep(is_paired[corpus.mention_entity])


def _numbered_by_span(
    key: Corpus, key_side: Side, response: Corpus, response_side: Side
) -> tuple[Side, Side]:
    given = (key_side, key.mention_spans), (response_side, response.mention_spans)
    base = 1 + max(int(spans.max(initial=0)) for _, spans in given)
    longest = 1 + max(int((spans[:, 1] - spans[:, 0]).max(initial=0)) for _, spans in given)
    spans = [
        _span_numbers(
            spans if len(spans) == len(side.mention_row) else spans[side.mention_row], longest
        )
        for side, spans in given
    ]
    different = base * longest
    if len(key) * different >= 2**63:
        # Document and span do not fit into one integer: number the spans that occur.
        ranked, rank = np.unique(np.concatenate(spans), return_inverse=True)
        spans, different = np.split(rank, [len(spans[0])]), len(ranked)

    def number(side: Side, span: Integers) -> Side:
        if len(key) > 1:
            document = side.entity_document[side.mention_entity].astype(np.int64)
            document *= different
            span += document
        return replace(side, mention=span)

    return number(key_side, spans[0]), number(response_side, spans[1])


def _span_numbers(spans: Integers, longest: int) -> Integers:
    """Return a number for each span: its first token, and its length.

    If all mentions have one token, their numbers are those of tokens. In place, because there may
    be many millions.
    """
    numbers = spans[:, 0].astype(np.int64)
    if longest == 1:
        return numbers
    numbers *= longest
    numbers += spans[:, 1]
    numbers -= spans[:, 0]
    return numbers


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
        mention = np.fromiter(new, dtype=np.int64, count=len(side.mention_row))
        return replace(side, mention=mention)

    return number(key_side, key), number(response_side, response)


def _ids(corpus: Corpus, rows: Integers) -> Sequence[MentionId]:
    """Return the ids of the mentions in these rows; true and 1 are different ids."""
    if corpus.has_spans:
        return list(map(tuple, corpus.mention_spans[rows].tolist()))
    ids = corpus.mention_ids
    if len(rows) < len(ids):
        ids = [ids[row] for row in rows.tolist()]
    return ids if {bool, tuple}.isdisjoint(map(type, ids)) else list(map(distinct, ids))


def distinct(id: MentionId) -> MentionId:
    """Return an id in which true and 1 are different, as in JSON but not in Python."""
    if type(id) is tuple:
        return tuple(map(distinct, id))
    return ("true or false", id) if type(id) is bool else id


def needs_words(key: Corpus, response: Corpus, rules: MatchingRules) -> bool:
    """Return whether spans of token numbers are not enough to tell what is the same mention."""
    if not key.has_spans or not response.has_spans:
        return False
    has_more = (
        bool(side.mention_parts or side.mention_cuts or side.empty_nodes)
        for side in (key, response)
    )
    return rules.needs_heads or any(has_more)


def missing_words(key: Corpus, response: Corpus, rules: MatchingRules) -> Iterator[Finding]:
    """Report mentions without words, where these decide what is paired."""
    if rules.needs_words:
        yield from (without_words(side) for side in (key, response) if not side.has_spans)


def without_words(corpus: Corpus) -> Finding:
    """Report mentions that are ids where their words are needed."""
    return Finding(
        Code.UNLIKE_MENTIONS,
        "mentions are ids without words",
        expected="first and last token, because the words of mentions are compared",
        file=corpus.path,
    )
