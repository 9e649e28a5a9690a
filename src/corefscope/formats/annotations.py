"""What JSON lines say of mentions with gaps, heads and empty nodes, and what other formats lose.

``mention_heads`` has the head token of each mention, in the shape of the clusters; ``empty_nodes``
has the tokens that are no plain words, each with its ID in the sentence and its dependencies, as
``[4, "3.1", "2:nsubj"]``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, TypeAlias

import numpy as np

from corefscope.corpus import Corpus, Document
from corefscope.corpus.anaphora import NON_REFERRING, Markables
from corefscope.corpus.offsets import Convention
from corefscope.findings import Code, Finding
from corefscope.formats.builder import SelectiveReader, place_of
from corefscope.formats.word_sets import WordSets

HEADS_FIELD = "mention_heads"
NODES_FIELD = "empty_nodes"
NODE_ID = re.compile(r"(\d{1,9})\.([1-9]\d{0,5})")

Node: TypeAlias = tuple[int, str, str]
"""Token, ID and dependencies of an empty node."""


# ---- Reading ----


def heads_of(
    record: dict[str, Any], clusters: list[Any], convention: Convention
) -> list[int] | None:
    """Return the heads of all mentions in a row, −1 where there is none.

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
    return [-1 if head is None else convention.convert(head, head)[0] for head in flat]


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


def nodes_of(record: dict[str, Any], convention: Convention) -> list[Node] | None:
    """Return the empty nodes of a record; None if they do not fit its sentences."""
    given = record.get(NODES_FIELD)
    if not isinstance(given, list):
        return None
    nodes: list[Node] = []
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
    return nodes if _follow_words(record["sentences"], known) else None


def _follow_words(sentences: list[list[str]], known: dict[int, str]) -> bool:
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


def add_nodes(
    sets: WordSets, document: int, nodes: Sequence[Node], sentences: list[list[str]], line: int
) -> None:
    """Add the empty nodes of a document, which stands on a line of its file."""
    sentence_of = np.repeat(np.arange(len(sentences)), [len(each) for each in sentences])
    tokens = np.array([token for token, *_ in nodes])
    ids = [id.split(".") for _, id, _ in nodes]
    sets.nodes.append(
        np.stack(
            (
                np.full(len(nodes), document),
                tokens,
                sentence_of[tokens],
                tokens - np.arange(len(nodes)),
                [major == "0" for major, _ in ids],
                [int(minor) for _, minor in ids],
                np.full(len(nodes), line),
            )
        )
    )
    sets.node_ids += [id for _, id, _ in nodes]
    sets.node_dependencies += [dependencies for *_, dependencies in nodes]


# ---- Writing ----


def written_fields(document: Document) -> dict[str, Any]:
    """Return the fields of JSON lines for heads and empty nodes, where there are some."""
    corpus, fields = document.corpus, dict[str, Any]()
    heads = corpus.mention_heads
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
    if nodes is not None and (places := nodes.rows_of(document.index)):
        fields[NODES_FIELD] = [
            [int(nodes.token[row]), nodes.ids[row], nodes.dependencies[row]] for row in places
        ]
    return fields


def losses(corpus: Corpus, format: str) -> Iterator[Finding]:
    """Report what a format cannot express as it is."""
    if format in ("conll", "json") and corpus.empty_nodes is not None:
        count = len(corpus.empty_nodes.token)
        nodes = "1 empty node is" if count == 1 else f"{count:,} empty nodes are"
        message = (
            f"{nodes} written as plain words, because {format} cannot mark them; CorefUD and JSON "
            "lines can. The file cannot be scored against one that marks empty nodes, since the "
            "numbers of words differ"
        )
        yield Finding(Code.PLAIN_NODES, message, file=corpus.path)
    single = [e for e, others in corpus.split_antecedents.items() if len(others) < 2]
    if format == "corefud" and single:
        label = corpus.entity_labels[single[0]]
        more = f" and {len(single) - 1} more" if len(single) > 1 else ""
        message = (
            f"entity {label!r}{more} has fewer than two split antecedents, which are not written; "
            "expected two or more"
        )
        yield Finding(Code.ONE_ANTECEDENT, message, file=corpus.path)
    if format == "corefud":
        yield from _across_sentences(corpus)


def lost_annotations(corpus: Corpus, format: str) -> Iterator[str]:
    """Yield what a format has no place for, apart from layers of the text."""
    yield from _lost_markables(corpus)
    yield from _unread(corpus, format)
    if format == "corefud":
        return
    if corpus.bridges:
        yield "bridges"
    if corpus.mention_heads is not None and format != "jsonl":
        yield "heads of mentions"
    if corpus.openings and any(
        field not in ("eid", "GRP", "etype", "entity", "head")
        and any(
            text.count("-") >= place and text.split("-")[place] for text in corpus.openings.texts
        )
        for fields in set(corpus.openings.fields)
        for place, field in enumerate(fields)
    ):
        yield "other fields of brackets"
    if corpus.split_antecedents:
        yield "split antecedents"


def _lost_markables(corpus: Corpus) -> Iterator[str]:
    """Yield what only files of Universal Anaphora say, which are not written."""
    if corpus.anaphora is None:
        return
    for layer, documents in corpus.anaphora.layers.items():
        known = [each for each in documents if each is not None]
        if layer == corpus.anaphora.entities:
            yield from chain.from_iterable(map(_beyond_entities, known))
        elif any(each.markables for each in known):
            yield {"identity": "identity", "deixis": "discourse deixis"}[layer]


def _beyond_entities(layer: Markables) -> Iterator[str]:
    """Yield what a layer of a document says beyond its entities."""
    if layer.bridges:
        yield "bridges"
    for markable in layer.markables:
        if markable.element_of:
            yield "split antecedents"
        if markable.minimum:
            yield "minimum spans"
        if markable.entity.endswith(NON_REFERRING):
            yield "non-referring expressions"


def _unread(corpus: Corpus, format: str) -> Iterator[str]:
    """Yield what the lines of the documents say and the corpus does not keep."""
    for document in range(len(corpus)):
        place = place_of(corpus, document)
        if place is None:
            continue
        source, start, stop, reader = place
        # CoNLL-U keeps all its lines if it is written as CoNLL-U.
        if isinstance(reader, SelectiveReader) and reader.format != format:
            yield from reader.unread(source.read(start, stop))


def _across_sentences(corpus: Corpus) -> Iterator[Finding]:
    """Report mentions that reach into another sentence, which readers of CoNLL-U refuse."""
    if corpus.mention_spans is None or any(
        f.code is Code.ACROSS_SENTENCES for f in corpus.findings
    ):
        return
    for document in corpus:
        begins = [sentence.start for sentence in document.sentences]
        rows = corpus.mentions_of(document.index)
        spans = corpus.mention_spans[rows.start : rows.stop]
        first, last = (np.searchsorted(begins, spans[:, side], "right") for side in (0, 1))
        for row in np.flatnonzero(first != last)[:1].tolist():
            message = (
                f"document {document.name!r}: mention {tuple(spans[row].tolist())} reaches into "
                "another sentence; expected mentions inside sentences: readers of CorefUD refuse "
                "others"
            )
            yield Finding(Code.ACROSS_SENTENCES, message, file=corpus.path)
