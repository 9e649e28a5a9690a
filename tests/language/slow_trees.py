"""Trees as nested tuples, and the definitions over them word for word: naive and recursive.

The tables are written out again from the specification, so that a slip in one of the two shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from hypothesis import strategies as st

from corefscope.corpus.mentions import Span
from corefscope.language import Tree

Shape: TypeAlias = "str | tuple[str, list[Shape]]"
"""A tag, or a label over children."""

TABLE = """
ADJP R NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB
ADVP L RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN
CONJP L CC RB IN
FRAG L
INTJ R
LST L LS :
NAC R NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW
NX R NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW
X R NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW
PP L IN TO VBG VBN RP FW
PRN R
PRT L RP
QP R $ IN NNS NN JJ RB DT CD NCD QP JJR JJS
RRC L VP NP ADVP ADJP PP
S R TO IN VP S SBAR ADJP UCP NP
SBAR R WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG
SBARQ R SQ S SINV SBARQ FRAG
SINV R VBZ VBD VBP VB MD VP S SINV ADJP NP
SQ R VBZ VBD VBP VB MD VP SQ
UCP L
VP R TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP
WHADJP R CC WRB JJ ADJP
WHADVP L CC WRB
WHNP R WDT WP WP$ WHADJP WHPP WHNP
WHPP L IN TO FW
META R
"""

PRIORITIES = {row.split()[0]: row.split()[1:] for row in TABLE.strip().splitlines()}
OTHER_LABELS = ["TOP", "ROOT", "EDITED", "NP-SBJ", "ADJP-PRD"]
TAGS = sorted({label for _, *row in PRIORITIES.values() for label in row} - set(PRIORITIES))
TAGS += ["POS", "UH", ".", "-LRB-"]


@dataclass(frozen=True)
class Slow:
    """A node with its span, its head and the tag of its head, all found by recursion."""

    label: str
    start: int
    end: int
    children: list[Slow]
    head: int
    tag: str

    def matches(self, *labels: str) -> bool:
        return self.label in labels or self.tag in labels


def slow(shape: Shape, start: int = 0) -> Slow:
    if isinstance(shape, str):
        return Slow(shape, start, start, [], start, shape)
    label, shapes = shape
    children: list[Slow] = []
    for child in shapes:
        children.append(slow(child, children[-1].end + 1 if children else start))
    chosen = slow_noun_head(children) if label in ("NP", "NML") else slow_head(label, children)
    return Slow(label, start, children[-1].end, children, chosen.head, chosen.tag)


def slow_noun_head(children: list[Slow]) -> Slow:
    if children[-1].tag == "POS":
        return children[-1]
    nouns = [c for c in children if c.matches("NN", "NNP", "NNPS", "NNS", "NX", "POS", "JJR")]
    if nouns:
        return nouns[-1]
    for child in children:
        if child.matches("NP", "NML"):
            return child
    for labels in (["$", "ADJP", "PRN"], ["CD"], ["JJ", "JJS", "RB", "QP"]):
        matching = [child for child in children if child.matches(*labels)]
        if matching:
            return matching[-1]
    return children[-1]


def slow_head(label: str, children: list[Slow]) -> Slow:
    side, *labels = PRIORITIES.get(label, ["R"])
    scanned = children if side == "L" else children[::-1]
    for wanted in labels:
        for child in scanned:
            if child.matches(wanted):
                return child
    return scanned[0]


def slow_nodes(node: Slow) -> list[Slow]:
    return [node] + [below for child in node.children for below in slow_nodes(child)]


def slow_labels(node: Slow, start: int, end: int) -> list[str]:
    """Walk top-down with a cursor, as the specification words it."""
    labels: list[str] = []

    def visit(node: Slow, cursor: int) -> int:
        if node.start == cursor and node.end <= end:
            labels.append(node.label)
            return node.end + 1
        for child in node.children:
            cursor = visit(child, cursor)
        return cursor

    visit(node, start)
    return labels


def columns(shape: Shape) -> tuple[list[str], list[str]]:
    """Return the parse bits and the tags of a tree."""
    if isinstance(shape, str):
        return ["*"], [shape]
    label, children = shape
    parts = [columns(child) for child in children]
    bits = [bit for part, _ in parts for bit in part]
    bits[0] = f"({label}{bits[0]}"
    bits[-1] += ")"
    return bits, [tag for _, part in parts for tag in part]


def shape_of(tree: Tree, node: int = 0) -> Shape:
    children, label = tree.children(node), tree.labels[node]
    return (label, [shape_of(tree, child) for child in children]) if children else label


def spans(node: Slow) -> list[Span]:
    return [(start, end) for end in range(node.end + 1) for start in range(end + 1)]


def _phrases(children: st.SearchStrategy[Shape]) -> st.SearchStrategy[Shape]:
    labels = st.sampled_from(["NP", "NML", *PRIORITIES, *OTHER_LABELS])
    return st.tuples(labels, st.lists(children, min_size=1, max_size=4))


def shapes() -> st.SearchStrategy[Shape]:
    """Random trees whose root is a phrase."""
    tags: st.SearchStrategy[Shape] = st.sampled_from(TAGS)
    return _phrases(st.recursive(tags, _phrases, max_leaves=12))
