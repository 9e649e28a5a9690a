"""Write documents in the text and JSON formats of the shared task, as the official exporter does.

Where the exporter is at fault, the files say what was meant: mentions have tags on the first and
last word that is written, and positions count the tokens that are written.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypedDict

from msgspec import Struct

from corefscope.answers.parsing import ZERO
from corefscope.formats.corefud.trees import (
    Node,
    TreeDocument,
    head_of,
    moved_for_text,
)

BLANK = re.compile(r"\s")
"""Any blank, at which the tools would divide a word."""


class ExportOptions(Struct, frozen=True, kw_only=True):
    """What is written."""

    zeros: bool = False
    """Whether empty nodes are written, behind their parents."""
    sequential: bool = False
    """Whether entities are called e1, e2 … in the order of the text, instead of as in the file."""
    tags: bool = True
    forms: bool = True
    """Whether the forms of empty nodes are written."""


class ExportedMention(NamedTuple):
    """A mention of a file: its entity, its nodes in the order of the file, and its head there."""

    entity: str
    nodes: Sequence[Node]
    head: Node


class CracJson(TypedDict):
    """A document in the JSON format."""

    doc_id: str
    tokens: list[str]
    clusters_token_offsets: list[list[list[int]]] | None
    clusters_text_mentions: list[list[str]] | None


class Exported(Struct, frozen=True, eq=False, kw_only=True):
    """A document as it is written: its tokens, and its mentions on them."""

    tokens: Sequence[str]
    nodes: Sequence[Node]
    mentions: Sequence[tuple[str, int, int]]
    """The entity of each mention, and its first and last token; entity by entity, both in reading
    order at the places of the file."""
    lost: int
    """How many mentions have no token that is written."""


def exported(
    document: TreeDocument, mentions: Sequence[ExportedMention], options: ExportOptions
) -> Exported:
    """Return a document as it is written; its empty nodes lose all but one of their parents."""
    # Heads come first: they depend on all parents of empty nodes.
    heads = [head_of(mention.nodes, mention.head) for mention in mentions]
    known = [mention._replace(head=head) for mention, head in zip(mentions, heads, strict=True)]
    sentences = [
        moved_for_text(sentence) if options.zeros else list(sentence.nodes)
        for sentence in document.sentences
    ]
    order = {id(node): n for n, node in enumerate(node for each in sentences for node in each)}
    written = [n for each in sentences for n in each if options.zeros or not n.is_empty]
    place = {id(node): number for number, node in enumerate(written)}
    known.sort(key=_reading_order)
    runs = [[node for node in _run(mention, order) if id(node) in place] for mention in known]
    by_entity: dict[str, list[tuple[int, int]]] = {mention.entity: [] for mention in known}
    for mention, run in zip(known, runs, strict=True):
        if run:
            by_entity[mention.entity].append((place[id(run[0])], place[id(run[-1])]))
    names = _names(known, place) if options.sequential else {}
    found = [
        (names.get(entity, entity), *ends)
        for entity, all_ends in by_entity.items()
        for ends in all_ends
    ]
    return Exported(
        tokens=[_token(node, forms=options.forms) for node in written],
        nodes=written,
        mentions=found,
        lost=len(mentions) - len(found),
    )


def _reading_order(mention: ExportedMention) -> tuple[int, int, int, str]:
    """Return by what mentions are sorted: more words come first."""
    first, last = mention.nodes[0].origin, mention.nodes[-1].origin
    return first, -len(mention.nodes), last, mention.entity


def _names(mentions: Sequence[ExportedMention], place: Mapping[int, int]) -> dict[str, str]:
    """Number entities in the order in which the text meets a word of any of their mentions."""
    first: dict[str, int] = {}
    for mention in mentions:
        met = min((place[id(node)] for node in mention.nodes if id(node) in place), default=None)
        if met is not None:
            first[mention.entity] = min(met, first.get(mention.entity, met))
    ordered = sorted(first, key=lambda entity: first[entity])
    return {entity: f"e{number}" for number, entity in enumerate(ordered, start=1)}


def _run(mention: ExportedMention, order: Mapping[int, int]) -> list[Node]:
    """Return the neighbouring nodes of a mention that its head is one of."""
    nodes = sorted(mention.nodes, key=lambda node: order[id(node)])
    runs: list[list[Node]] = []
    for node in nodes:
        if runs and order[id(runs[-1][-1])] + 1 == order[id(node)]:
            runs[-1].append(node)
        else:
            runs.append([node])
    return next(run for run in runs if any(node is mention.head for node in run))


def _token(node: Node, *, forms: bool) -> str:
    if not node.is_empty:
        return BLANK.sub("_", node.form)
    return ZERO + BLANK.sub("_", node.form if forms and node.form != "_" else "")


def as_text(document: Exported, *, tags: bool) -> str:
    """Return a document as a line of the text format."""
    of_token: defaultdict[int, list[str]] = defaultdict(list)
    for entity, first, last in document.mentions if tags else ():
        if first == last:
            of_token[first].append(f"[{entity}]")
        else:
            of_token[first].append(f"[{entity}")
            of_token[last].append(f"{entity}]")
    return " ".join(
        f"{token}|{','.join(sorted(of_token[place]))}" if place in of_token else token
        for place, token in enumerate(document.tokens)
    )


def as_json(document: Exported, name: str, *, tags: bool) -> CracJson:
    """Return a document in the JSON format; entities are in reading order."""
    offsets: dict[str, list[list[int]]] = {}
    strings: dict[str, list[str]] = {}
    for entity, first, last in document.mentions:
        offsets.setdefault(entity, []).append([first, last])
        words = [
            token if node.is_empty else node.form
            for node, token in zip(
                document.nodes[first : last + 1], document.tokens[first : last + 1], strict=True
            )
        ]
        strings.setdefault(entity, []).append(" ".join(words))
    return CracJson(
        doc_id=name,
        tokens=list(document.tokens),
        clusters_token_offsets=list(offsets.values()) if tags else None,
        clusters_text_mentions=list(strings.values()) if tags else None,
    )
