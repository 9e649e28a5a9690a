"""Put an answer back into its skeleton, as the official importer does: it becomes CoNLL-U."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from corefscope.answers.parsing import ZERO
from corefscope.formats.corefud.trees import (
    MISC,
    NEW_DOCUMENT,
    Node,
    Sentence,
    TreeDocument,
    add_empty,
    head_of,
    lines_of,
    move_behind_parents,
    remove_empty,
)

Range = tuple[int, int]
"""The first and the last token of a mention."""
COREFERENCE = ("Entity", "Bridge", "SplitAnte")
"""The keys of MISC that an answer replaces."""
DECLARATION = "# global.Entity"
USUAL_FIELDS = ("eid", "etype", "head", "other")


class CannotImport(Exception):
    """The official importer stops, so that there is no official figure."""


class Answered(NamedTuple):
    """What an answer says of a document: its tokens, and its mentions by entity."""

    tokens: Sequence[str]
    entities: Sequence[Sequence[Range]]


def tagged(tokens: Sequence[str]) -> Answered:
    """Read the tags of a document in the text format."""
    is_open: dict[str, list[int]] = defaultdict(list)
    entities: dict[str, list[Range]] = {}
    forms = []
    for place, token in enumerate(tokens):
        form, *given = token.split("|")
        forms.append(form)
        for tag in given[0].replace("-", ",").split(",") if given else ():
            name = tag.replace("[", "").replace("]", "")
            if not name:
                continue
            if any(sign in name for sign in "=()"):
                raise CannotImport(f"the id {name!r} has '=', '(' or ')'")
            if tag.startswith("["):
                is_open[name].append(place)
            if tag.endswith("]") and is_open[name]:
                entities.setdefault(name, []).append((is_open[name].pop(), place))
    return Answered(forms, list(entities.values()))


def put_into(
    document: TreeDocument, answer: Answered, *, has_own_zeros: bool, as_scored: bool = True
) -> None:
    """Replace the coreference of a document by that of an answer.

    The empty nodes are those of the answer (``has_own_zeros``), or those of the document. The
    mentions are those that the scorer reads, or those that the importer writes.
    """
    take_coreference(document)
    if has_own_zeros:
        nodes = _with_zeros(document, answer.tokens)
    else:
        for sentence in document.sentences:
            move_behind_parents(sentence)
        nodes = document.nodes
    if len(nodes) != len(answer.tokens):
        raise CannotImport(
            f"document {document.name!r} has {len(nodes):,} words and empty nodes, and the answer "
            f"{len(answer.tokens):,} tokens"
        )
    mentions = [[nodes[a : b + 1] for a, b in each] for each in answer.entities]
    annotate(document, mentions, as_scored=as_scored)


def take_coreference(document: TreeDocument) -> None:
    """Take the entities out of a document."""
    for node in document.nodes:
        kept = [
            item
            for item in node.cells[MISC].split("|")
            if item.partition("=")[0] not in COREFERENCE
        ]
        node.cells[MISC] = "|".join(kept) or "_"


def _with_zeros(document: TreeDocument, tokens: Sequence[str]) -> list[Node]:
    """Replace the empty nodes of a document by the zeros of an answer, behind the words before."""
    for sentence in document.sentences:
        remove_empty(sentence)
    words = [(sentence, word) for sentence in document.sentences for word in sentence.words]
    nodes: list[Node] = []
    place = 0
    for token in tokens:
        if not token.startswith(ZERO):
            if place == len(words):
                raise CannotImport(f"the answer has more words than document {document.name!r}")
            nodes.append(words[place][1])
            place += 1
            continue
        if not place:
            raise CannotImport(f"the answer to document {document.name!r} begins with a zero")
        node = add_empty(*words[place - 1])
        if node is None:
            raise CannotImport(f"ten zeros stand behind one word of document {document.name!r}")
        nodes.append(node)
    if place < len(words):
        raise CannotImport(f"the answer has fewer words than document {document.name!r}")
    return nodes


# ---- Mentions ----


class PlacedMention(NamedTuple):
    """A mention of an answer on the nodes of its sentence, in their order."""

    entity: int
    nodes: Sequence[Node]
    head: Node


class Part(NamedTuple):
    """Neighbouring nodes of a mention: what stands in one pair of brackets."""

    mention: PlacedMention
    first: int
    last: int
    """Their places in the sentence."""
    label: str
    """The entity, with the number of the part if there are several."""


def annotate(
    document: TreeDocument, mentions: Sequence[Sequence[Sequence[Node]]], *, as_scored: bool
) -> None:
    """Write entities, each a list of mentions, which are lists of nodes, into a document."""
    sentence_of = {id(node): each for each in document.sentences for node in each.nodes}
    placed: dict[int, list[PlacedMention]] = defaultdict(list)
    for number, entity in enumerate(mentions, start=1):
        for nodes in entity:
            sentences = {id(sentence_of[id(node)]) for node in nodes}
            if len(sentences) != 1:
                raise CannotImport(
                    f"a mention of document {document.name!r} is in two sentences, or inverted"
                )
            mention = PlacedMention(number, nodes, head_of(nodes, nodes[0]))
            placed[sentences.pop()].append(mention)
    fields = _declaration(document)
    for sentence in document.sentences:
        found = placed[id(sentence)]
        if as_scored and any(is_at_word(node) for node in sentence.nodes):
            found = list(_read_again(sentence, found))
        _write(sentence, found, fields)


def is_at_word(node: Node) -> bool:
    """Return whether an empty node has the number of a word, as 3.0 has."""
    return node.is_empty and node.number % 10 == 0


def _read_again(sentence: Sentence, mentions: Sequence[PlacedMention]) -> Iterator[PlacedMention]:
    """Yield the mentions that the scorer reads where an empty node has the number of a word.

    What follows the first node of a mention are the nodes with higher numbers. So a mention that
    begins at such a word and ends at the node behind it reaches to the end of the sentence.
    """
    is_open: dict[int, list[PlacedMention]] = defaultdict(list)
    for node in sentence.nodes:
        for mention in mentions:
            if len(mention.nodes) > 1 and mention.nodes[-1] is node:
                begun = is_open[mention.entity].pop()
                first = begun.nodes[0]
                rest = [each for each in sentence.nodes if each.number > first.number]
                last = next((n for n, each in enumerate(rest) if each is node), len(rest))
                yield _with_nodes(begun, [first, *rest[: last + 1]])
        begins = [mention for mention in mentions if mention.nodes[0] is node]
        for mention in sorted(begins, key=lambda each: -len(each.nodes)):
            if len(mention.nodes) == 1:
                yield mention
            else:
                is_open[mention.entity].append(mention)


def _with_nodes(mention: PlacedMention, nodes: Sequence[Node]) -> PlacedMention:
    """Return a mention with other nodes; its head keeps its number among them."""
    number = next(n for n, node in enumerate(mention.nodes) if node is mention.head)
    if number >= len(nodes):
        raise CannotImport("the head of a mention has a higher number than its nodes")
    return PlacedMention(mention.entity, nodes, nodes[number])


def _declaration(document: TreeDocument) -> Sequence[str]:
    """Return the fields of brackets that the document declares; declare the usual ones if none."""
    first = document.sentences[0]
    for comment in first.comments:
        if comment.startswith(DECLARATION):
            return comment.partition("=")[2].strip().split("-")
    begins = [n for n, each in enumerate(first.comments) if each.startswith(NEW_DOCUMENT)]
    place = begins[0] + 1 if begins else 0
    first.comments.insert(place, f"{DECLARATION} = {'-'.join(USUAL_FIELDS)}")
    return USUAL_FIELDS


def _write(sentence: Sentence, mentions: Sequence[PlacedMention], fields: Sequence[str]) -> None:
    """Write brackets: closing ones first, the inner before the outer; then the outer before."""
    place = {id(node): number for number, node in enumerate(sentence.nodes)}
    parts = [part for mention in mentions for part in _parts(mention, place)]
    opened, closed = defaultdict(list), defaultdict(list)
    for part in parts:
        opened[part.first].append(part)
        if part.last > part.first:
            closed[part.last].append(part)
    for number, node in enumerate(sentence.nodes):
        ends = sorted(closed[number], key=lambda part: -part.first)
        begins = sorted(opened[number], key=lambda part: -part.last)
        text = "".join(f"{part.label})" for part in ends)
        text += "".join(_opening(part, fields) for part in begins)
        if text:
            rest = "" if node.cells[MISC] == "_" else f"|{node.cells[MISC]}"
            node.cells[MISC] = f"Entity={text}{rest}"


def _parts(mention: PlacedMention, place: dict[int, int]) -> list[Part]:
    runs: list[tuple[int, int]] = []
    for number in (place[id(node)] for node in mention.nodes):
        if runs and runs[-1][1] + 1 == number:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    names = [f"e{mention.entity}"]
    if len(runs) > 1:
        names = [f"e{mention.entity}[{n}/{len(runs)}]" for n in range(1, len(runs) + 1)]
    return [
        Part(mention, first, last, name) for (first, last), name in zip(runs, names, strict=True)
    ]


def _opening(part: Part, fields: Sequence[str]) -> str:
    head = 1 + next(n for n, node in enumerate(part.mention.nodes) if node is part.mention.head)
    known = {"eid": part.label, "GRP": part.label, "head": str(head)}
    values = [known.get(name, "") for name in fields]
    while values[-1] == "":
        values.pop()
    return f"({'-'.join(values)}{')' if part.first == part.last else ''}"


def as_conllu(documents: Sequence[TreeDocument]) -> str:
    """Return documents as a CoNLL-U file."""
    lines = [line for each in documents for s in each.sentences for line in lines_of(s)]
    return "\n".join([*lines, ""])
