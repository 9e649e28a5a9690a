"""What JSON lines say of mentions with gaps, heads and empty nodes.

``mention_heads`` has the head token of each mention, in the shape of the clusters; ``empty_nodes``
has the tokens that are no plain words, each with its ID in the sentence and its dependencies, as
``[4, "3.1", "2:nsubj"]``.
"""

from __future__ import annotations

import re
from typing import Any

from corefscope.corpus import Document
from corefscope.corpus.offsets import Convention
from corefscope.formats.reading.block import GivenNode

HEADS_FIELD = "mention_heads"
NODES_FIELD = "empty_nodes"
NODE_ID = re.compile(r"(\d{1,9})\.([1-9]\d{0,5})")


# ---- Reading ----


def heads_of(
    record: dict[str, Any], clusters: list[Any], convention: Convention
) -> list[int | None] | None:
    """Return the heads of all mentions in a row, None where there is none.

    None if they do not have the shape of the clusters, or lie outside their mentions.
    """
    given = record.get(HEADS_FIELD)
    if not isinstance(given, list) or not all(isinstance(each, list) for each in given):
        return None
    if [len(heads) for heads in given] != [len(cluster) for cluster in clusters]:
        return None
    flat = [head for heads in given for head in heads]
    mentions = [mention for cluster in clusters for mention in cluster]
    if not all(_is_head(head, mention) for head, mention in zip(flat, mentions, strict=True)):
        return None
    return [None if head is None else convention.convert(head, head)[0] for head in flat]


def _is_head(head: Any, mention: Any) -> bool:
    """Tell whether a head is unknown, or a token of a mention."""
    if head is None:
        return True
    match mention:
        case [int(first), int(last)]:
            return type(head) is int and first <= head <= last
        case [list(), *_]:
            return any(_is_head(head, part) for part in mention)
    return False


def nodes_of(record: dict[str, Any], convention: Convention) -> list[GivenNode] | None:
    """Return the empty nodes of a record; None if they do not fit its sentences."""
    given = record.get(NODES_FIELD)
    if not isinstance(given, list):
        return None
    nodes: list[GivenNode] = []
    for each in given:
        match each:
            case [int(token), str(id), str(dependencies)] if NODE_ID.fullmatch(id):
                nodes.append((convention.convert(token, token)[0], id, dependencies))
            case _:
                return None
    known = {token: id for token, id, _ in nodes}
    tokens = [token for token, *_ in nodes]
    length = sum(len(sentence) for sentence in record["sentences"])
    if tokens != sorted(known) or (tokens and not 0 <= tokens[0] <= tokens[-1] < length):
        return None
    return nodes if follow_words(record["sentences"], known) else None


def follow_words(sentences: list[list[str]], known: dict[int, str]) -> bool:
    """Tell whether the IDs of empty nodes agree with the words before them, and go up."""
    token = 0
    for sentence in sentences:
        words, last = 0, 0
        for _ in sentence:
            id = NODE_ID.fullmatch(known.get(token, ""))
            if id is None:
                words, last = words + 1, 0
            elif int(id[1]) != words or int(id[2]) <= last:
                return False
            else:
                last = int(id[2])
            token += 1
    return True


# ---- Writing ----


def written_fields(document: Document) -> dict[str, Any]:
    """Return the fields of JSON lines for heads and empty nodes, where there are some."""
    corpus, fields = document.corpus, dict[str, Any]()
    heads = corpus.mention_heads if corpus.gives_heads(document.index) else None
    rows = corpus.mentions_of(document.index)
    if heads is not None and len(rows):
        known: dict[int, list[int | None]] = {}
        for row in rows:
            head = int(heads[row])
            known.setdefault(int(corpus.mention_entity[row]), []).append(
                head if head >= 0 else None
            )
        fields[HEADS_FIELD] = list(known.values())
    nodes = corpus.empty_nodes
    if places := nodes.rows_of(document.index):
        fields[NODES_FIELD] = [
            [int(nodes.token[row]), nodes.ids[row], nodes.dependencies[row]] for row in places
        ]
    return fields
