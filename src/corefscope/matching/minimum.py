"""Minimum spans of mentions, found in parse trees (MINA; Moosavi et al. 2019).

Two mentions of a sentence are the same if their minimum spans are: the words that stand highest in
the tree of the mention. Only the cells of the parse that belong to its own words are read, so that
the tree may be cut; brackets that the cut leaves open, or closes too often, are tolerated.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Hashable, Iterator, Sequence

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from corefscope.corpus import Corpus, Document, Integers
from corefscope.corpus.mentions import Span
from corefscope.exceptions import InvalidInput
from corefscope.findings import Code
from corefscope.matching.overlap import Side

MinimumSpan = frozenset[tuple[str, int]]
"""The terminals of a minimum span: their words, and where they stand in the sentence."""
NOMINAL, VERBAL = ("NP", "NM", "QP", "NX"), ("VP",)
"""The tags of phrases in which a minimum span is looked for, by their first two letters."""
BRACKET = re.compile(r"\(([^()*\s]*)|[*)]")


def with_minimum_spans(
    corpora: tuple[Corpus, Corpus], sides: tuple[Side, Side]
) -> tuple[tuple[Side, Side], Sequence[Integers]]:
    """Give mentions with the same minimum span in the trees of the key the same number.

    Parameters
    ----------
    corpora
        Key and response, whose mentions are on the tokens of the key.
    sides
        What is compared of them, numbered by what mentions are.

    Returns
    -------
    tuple
        The sides with new numbers, where mentions without a tree keep theirs; and for each side
        the places of its mentions in the order of the text, of which the first counts.

    Raises
    ------
    InvalidInput
        If the key has no parse trees.
    """
    key = corpora[0]
    wholes: dict[int, dict[int, Span]] = {}
    orders = []
    for corpus, side in zip(corpora, sides, strict=True):
        spans = corpus.mention_spans[side.mention_row]
        orders.append(np.lexsort((np.arange(len(spans)), -spans[:, 1], spans[:, 0])))
        documents = side.entity_document[side.mention_entity]
        rows = zip(
            *(each.tolist() for each in (documents, side.mention, side.mention_row)), strict=True
        )
        for (document, number, row), (first, last) in zip(rows, spans.tolist(), strict=True):
            if row not in corpus.mention_parts:
                wholes.setdefault(document, {})[number] = (first, last)
    number_of: dict[int, int] = {}
    has_trees = False
    for document, mentions in wholes.items():
        trees = _Trees.of(Document(key, document))
        has_trees |= trees is not None
        known: dict[Hashable, int] = {}
        for number, span in sorted(mentions.items()):
            identity = trees.identity(span) if trees else None
            if identity is not None:
                number_of[number] = known.setdefault(identity, number)
    if wholes and not has_trees:
        raise InvalidInput.of(
            Code.NO_LAYER,
            "the key has no parse trees, in which minimum spans are found",
            expected="trees, as in column 6 of CoNLL-2012; or match exact or head",
            file=key.path,
        )
    ours, theirs = (
        replace(
            side, mention=np.array([number_of.get(n, n) for n in side.mention.tolist()], np.int64)
        )
        for side in sides
    )
    return (ours, theirs), orders


class _Trees(Struct, frozen=True, eq=False, kw_only=True):
    """The parse trees of a document."""

    words: Sequence[str]
    tags: Sequence[str]
    cells: Sequence[str]
    starts: Sequence[int]
    """Where sentences begin."""

    @classmethod
    def of(cls, document: Document) -> _Trees | None:
        """Return the trees of a document; None if it has none."""
        words, cells = document.words, document.parse
        if words is None or cells is None:
            return None
        tags = document.tags or [""] * len(words)
        starts = [sentence.start for sentence in document.sentences]
        return cls(words=words, tags=tags, cells=cells, starts=starts)

    def identity(self, span: Span) -> Hashable:
        """Return the sentence and the minimum span of a mention; None without a tree."""
        first, last = span
        sentence = bisect_right(self.starts, first)
        if sentence != bisect_right(self.starts, last):
            return None
        own = slice(first, last + 1)
        start = first - self.starts[sentence - 1]
        found = minimum_span(self.words[own], self.tags[own], self.cells[own], start)
        return None if found is None else (sentence, found)


class _Node(Struct, eq=False, kw_only=True):
    """A phrase, or a run of words without a bracket between them."""

    tag: str = ""
    children: list[_Node] = field(default_factory=list)
    words: tuple[str, ...] = ()
    position: int = 0
    """Of a run: where it ends in the sentence."""
    counts: bool = False
    """Whether it has a word that may be in a minimum span."""

    def has(self, tags: Sequence[str]) -> bool:
        """Return whether the tag is one of some."""
        return self.tag[:2] in tags


def minimum_span(
    words: Sequence[str], tags: Sequence[str], cells: Sequence[str], start: int
) -> MinimumSpan | None:
    """Return the minimum span of a mention; None if its cells have no node.

    Parameters
    ----------
    words, tags, cells
        The words of the mention, their tags and their cells of the parse.
    start
        Where the mention begins in its sentence.

    Returns
    -------
    frozenset or None
        The terminals; if none of them can be chosen, all words, counted from 0.
    """
    root = _tree(words, tags, cells, start)
    if root is None:
        return None
    chosen = _highest(root)
    if not chosen:
        return frozenset((word, place) for place, word in enumerate(words))
    return frozenset((" ".join(node.words), node.position) for node in chosen)


# ---- The tree of a mention ----


class _Reader:
    """Builds the tree of a mention from the brackets of its cells."""

    def __init__(self) -> None:
        self.roots: list[_Node] = []
        self.open: list[_Node] = []
        self.pending: list[tuple[str, str]] = []

    def add(self, node: _Node) -> None:
        """Put a node below the one that is open."""
        if self.open:
            self.open[-1].children.append(node)

    def flush(self, position: int) -> None:
        """Make a terminal of the words that wait."""
        if not self.pending:
            return
        counts = any(_counts(word, tag) for word, tag in self.pending)
        words = tuple(word for word, _ in self.pending)
        node = _Node(words=words, position=position, counts=counts)
        self.pending = []
        if self.open:
            self.add(node)
        else:
            self.open.append(node)

    def opens(self, label: str, position: int) -> None:
        """Read an opening bracket; words before it without a plain one are forgotten."""
        if any(word.isalpha() or word.isdigit() for word, _ in self.pending):
            self.flush(position)
        self.pending = []
        node = _Node(tag="".join(filter(str.isalpha, label)))
        self.add(node)
        self.open.append(node)

    def closes(self, position: int) -> None:
        """Read a closing bracket."""
        self.flush(position)
        if self.open:
            node = self.open.pop()
            if not self.open:
                self.roots.append(node)


def _tree(
    words: Sequence[str], tags: Sequence[str], cells: Sequence[str], start: int
) -> _Node | None:
    reader, position = _Reader(), start
    for position, (word, tag, cell) in enumerate(zip(words, tags, cells, strict=True), start):
        for bracket in BRACKET.finditer(cell):
            if bracket[0] == "*":
                reader.pending.append((word, tag))
            elif bracket[0] == ")":
                reader.closes(position)
            else:
                reader.opens(bracket[1], position)
    reader.flush(position)
    reader.roots += reader.open[:1]
    if len(reader.roots) > 1:
        return _Node(tag="NP", children=reader.roots)
    return reader.roots[0] if reader.roots else None


def _counts(word: str, tag: str) -> bool:
    """Return whether a word may be in a minimum span."""
    is_word = word == "%" or any(character.isalnum() for character in word)
    return is_word and word not in ("-LRB-", "-RRB-") and tag not in ("CC", "DT", "IN")


# ---- What stands highest ----


def _highest(root: _Node) -> list[_Node]:
    """Return the terminals of the minimum span."""
    if root.words and root.counts:
        return [root]
    children = [child for child in root.children if child.words and child.counts]
    if children:
        return children
    valid = _valid(root)
    phrases = [child for child in root.children if child.has(valid) and child.children]
    if any(child.has(valid) for child in root.children):
        return [node for child in phrases for node in _below(child, valid)]
    return list(_below(root, ()))


def _valid(root: _Node) -> Sequence[str]:
    """Return the tags of phrases in which the span is looked for."""
    if root.has(VERBAL):
        return VERBAL
    if root.has(("NP", "NM")) or any(child.has(("NP", "NM")) for child in root.children):
        return NOMINAL
    return VERBAL if any(child.has(VERBAL) for child in root.children) else NOMINAL


def _fixed_by(node: _Node) -> Sequence[str]:
    """Return the tags that are valid from a node on, if it is a noun phrase or a verb phrase."""
    if node.has(("NP", "NM")):
        return NOMINAL
    return VERBAL if node.has(VERBAL) else ()


def _below(top: _Node, valid: Sequence[str]) -> Iterator[_Node]:
    """Yield the highest terminals below a node, level by level.

    If no tags are valid yet, the first noun phrase or verb phrase that is met decides.
    """
    level, depth, least = [top], 0, None
    while level:
        below: list[_Node] = []
        for node in level:
            valid = valid or _fixed_by(node)
            is_valid = node.has(valid)
            if node is not top and valid and not is_valid:
                continue
            for child in node.children:
                if not child.words:
                    below.append(child)
                elif is_valid and child.counts and (least is None or depth <= least):
                    least = depth
                    yield child
        level, depth = below, depth + 1
