"""A small reader of well-formed CorefUD text, for tests of what comes after reading."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from corefscope.corpus import Corpus
from corefscope.corpus.layers import TextColumns, TextLayers
from corefscope.corpus.words import NO_NODES, EmptyNodes

CHUNK = re.compile(r"\([^()]*\)?|[^()]+\)")


@dataclass
class Node:
    sentence: int
    number: tuple[int, int]
    name: str
    form: str
    deps: str
    entity: str


@dataclass
class Text:
    """One document."""

    name: str
    sentences: list[list[Node]] = field(default_factory=list)


@dataclass
class Layers(TextLayers):
    documents: Sequence[Text]

    def text(self, document: int) -> TextColumns:
        ranges, start = [], 0
        sentences = self.documents[document].sentences
        for sentence in sentences:
            ranges.append(range(start, start + len(sentence)))
            start += len(sentence)
        return TextColumns(
            sentences=ranges,
            columns={"words": [n.form for sentence in sentences for n in sentence]},
        )


@dataclass
class Opened:
    entity: str
    parts: list[tuple[int, int]]
    head: int
    start: int
    is_open: bool = True
    is_done: bool = False


def corpus_of_rows(documents: Sequence[Text], rows: Sequence[list[Opened]]) -> Corpus:
    """Return the corpus of texts and the mentions of each."""
    return _corpus(documents, rows, None)


def corefud(*sentences: str) -> str:
    """Write one document: a sentence is words such as ``1 2:(a--1-) 2.1:(b--1-):1:nsubj``.

    A word is its ID, then what the column Entity has, then for an empty node the column DEPS.
    """
    lines = ["# newdoc id = d", "# global.Entity = eid-etype-head-other"]
    for sentence in sentences:
        for word in sentence.split():
            id, _, rest = word.partition(":")
            entity, _, deps = rest.partition(":")
            misc = f"Entity={entity}" if entity else "_"
            form = "_" if "." in id else f"w{id}"
            lines.append("\t".join([id, form, *"______", deps or "_", misc]))
        lines.append("")
    return "\n".join(lines) + "\n"


def corpus_of(text: str, path: str | None = None) -> Corpus:
    """Read CorefUD text; documents of one name are one document."""
    fields, documents = _documents(text)
    rows = [_mentions(document, fields) for document in documents]
    return _corpus(documents, rows, path)


def _documents(text: str) -> tuple[list[str], list[Text]]:
    fields: list[str] = []
    documents: dict[str, Text] = {}
    current = ""
    for block in re.split(r"\n\s*\n", text.replace("\r\n", "\n")):
        nodes: list[Node] = []
        for line in block.split("\n"):
            if line.startswith("# newdoc"):
                current = line.partition("=")[2].strip() or str(len(documents) + 1)
            elif line.startswith("# global.Entity"):
                fields = line.partition("=")[2].strip().split("-")
            elif re.match(r"\d+(\.\d+)?\t", line):
                nodes.append(_node(line.split("\t")))
        if any(node.number[1] == 0 for node in nodes):
            document = documents.setdefault(current, Text(current))
            for node in nodes:
                node.sentence = len(document.sentences)
            document.sentences.append(sorted(nodes, key=lambda node: node.number))
    return fields, list(documents.values())


def _node(cells: Sequence[str]) -> Node:
    major, _, minor = cells[0].partition(".")
    misc = dict(each.partition("=")[::2] for each in cells[9].split("|"))
    number = int(major), int(minor or 0)
    return Node(0, number, cells[0], cells[1], cells[8], misc.get("Entity", ""))


def _mentions(document: Text, fields: Sequence[str]) -> list[Opened]:
    """Return the mentions that are closed, in the order of closing."""
    stacks: dict[str, list[Opened]] = {}
    closed: list[Opened] = []
    nodes = [node for sentence in document.sentences for node in sentence]
    for token, node in enumerate(nodes):
        for chunk in CHUNK.findall(node.entity):
            if chunk.startswith("("):
                values = dict(zip(fields, chunk.strip("()").split("-"), strict=False))
                name = values.get("eid", values.get("GRP", ""))
                label, is_later = _label(name)
                head = int(values.get("head") or 1)
                if is_later:
                    mention = next(
                        m for m in stacks[label] if not m.is_done and not m.is_open and m.parts
                    )
                    mention.is_open, mention.start, mention.head = True, token, head
                    stacks[label].remove(mention)
                else:
                    mention = Opened(label, [], head, token)
                stacks.setdefault(label, []).append(mention)
            if chunk.endswith(")"):
                name = name if chunk.startswith("(") else chunk.strip(")")
                label, _ = _label(name)
                mention = [m for m in stacks[label] if m.is_open][-1]
                mention.is_open = False
                mention.parts.append((mention.start, token))
                total = re.search(r"\[(\d+)/(\d+)\]$", name)
                if not total or total[1] == total[2]:
                    mention.is_done = True
                    closed.append(mention)
    return closed


def _label(name: str) -> tuple[str, bool]:
    """Return the entity of a name, and whether it is a later part of a mention."""
    part = re.search(r"\[(\d+)/(\d+)\]$", name)
    return (name[: part.start()], part[1] != "1") if part else (name, False)


def _merged(parts: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(parts):
        if merged and merged[-1][1] + 1 >= start:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return tuple(merged)


def _corpus(documents: Sequence[Text], rows: Sequence[list[Opened]], path: str | None) -> Corpus:
    entity_document: list[int] = []
    labels: list[str] = []
    mention_entity: list[int] = []
    spans: list[tuple[int, int]] = []
    heads: list[int] = []
    several: dict[int, tuple[tuple[int, int], ...]] = {}
    for number, mentions in enumerate(rows):
        first: dict[str, tuple[int, int, int]] = {}
        for mention in mentions:
            parts = _merged(mention.parts)
            words = sum(end - start + 1 for start, end in parts)
            place = parts[0][0], -words, parts[-1][1]
            first[mention.entity] = min(first.get(mention.entity, place), place)
        for label in sorted(first, key=lambda label: (first[label], label)):
            for mention in mentions:
                if mention.entity != label:
                    continue
                parts = _merged(mention.parts)
                tokens = [t for start, end in parts for t in range(start, end + 1)]
                if len(parts) > 1:
                    several[len(spans)] = parts
                spans.append((tokens[0], tokens[-1]))
                heads.append(tokens[mention.head - 1] if len(tokens) > 1 else tokens[0])
                mention_entity.append(len(labels))
            labels.append(label)
            entity_document.append(number)
    return Corpus(
        document_names=tuple(document.name for document in documents),
        document_tokens=np.array(
            [sum(map(len, document.sentences)) for document in documents], dtype=np.int64
        ),
        entity_document=np.array(entity_document, dtype=np.int64),
        entity_labels=labels,
        mention_entity=np.array(mention_entity, dtype=np.int64),
        mention_spans=np.array(spans, dtype=np.int32).reshape(-1, 2),
        mention_parts=several,
        mention_heads=np.array(heads, dtype=np.int64),
        empty_nodes=_empty_nodes(documents),
        layers=Layers(documents),
        path=path,
    )


def _empty_nodes(documents: Sequence[Text]) -> EmptyNodes:
    found: list[tuple[int, ...]] = []
    ids: list[str] = []
    deps: list[str] = []
    for number, document in enumerate(documents):
        token = words = 0
        for sentence in document.sentences:
            for node in sentence:
                if node.number[1]:
                    opens = int(node.number[0] == 0)
                    found.append((number, token, node.sentence, words, opens, node.number[1]))
                    ids.append(node.name)
                    deps.append(node.deps)
                else:
                    words += 1
                token += 1
    if not found:
        return NO_NODES
    document_, token_, sentence_, words_, opens_, order_ = np.array(found, dtype=np.int64).T
    return EmptyNodes(
        document=document_,
        token=token_,
        sentence=sentence_,
        words_before=words_,
        opens_sentence=opens_,
        order=order_,
        line=np.zeros_like(token_),
        ids=ids,
        dependencies=deps,
    )
