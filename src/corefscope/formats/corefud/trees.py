"""Sentences of CoNLL-U as nodes, whose empty ones can be moved, and the heads of mentions.

A node has a number in tenths: word 3 is 30, the empty node 3.1 is 31. All rules are those of the
tools of the shared task, including what they do wrong.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence

from msgspec import Struct, field

FORM, LEMMA, HEAD, DEPS, MISC = 1, 2, 6, 8, 9
COLUMNS = 10


class Node(Struct, eq=False, kw_only=True):
    """A word, an empty node, or the root of a sentence."""

    number: int
    """Ten times its number in the sentence; 0 is the root."""
    cells: list[str]
    """The columns of its line."""
    is_empty: bool = False
    parent: Node | None = None
    """In the basic tree; None for the root and for empty nodes."""
    deps: list[tuple[Node, str]] = field(default_factory=list)
    """The parents in the enhanced graph, with their relations."""
    parents: list[Node] = field(default_factory=list)
    """The parents by which heads are found."""
    origin: int = -1
    """Its place in the document as it was read; −1 if it was added."""

    @property
    def form(self) -> str:
        """Its form, as it stands in the file."""
        return self.cells[FORM]


class Sentence(Struct, eq=False, kw_only=True):
    """A sentence: its comments, its words and empty nodes in order, and its multiword tokens."""

    comments: list[str]
    nodes: list[Node] = field(default_factory=list)
    """Words and empty nodes, in the order of their numbers."""
    multiwords: list[tuple[int, list[str]]] = field(default_factory=list)
    """Lines of multiword tokens, with the number of their first word."""
    root: Node = field(default_factory=lambda: Node(number=0, cells=["0", "<ROOT>", *"________"]))

    @property
    def words(self) -> list[Node]:
        """The nodes that are words."""
        return [node for node in self.nodes if not node.is_empty]

    @property
    def empty(self) -> list[Node]:
        """The nodes that are not."""
        return [node for node in self.nodes if node.is_empty]

    def sort(self) -> None:
        """Put the nodes into the order of their numbers; a word comes before an equal number."""
        self.nodes.sort(key=lambda node: (node.number, node.is_empty))


class TreeDocument(Struct, eq=False, kw_only=True):
    """A document of a CoNLL-U file."""

    name: str
    sentences: list[Sentence] = field(default_factory=list)

    @property
    def nodes(self) -> list[Node]:
        """All words and empty nodes."""
        return [node for sentence in self.sentences for node in sentence.nodes]


NEW_DOCUMENT = "# newdoc"


def parsed(text: str) -> list[TreeDocument]:
    """Return the documents of a CoNLL-U file that was read without errors."""
    documents: list[TreeDocument] = []
    comments: list[str] = []
    rows: list[list[str]] = []
    for line in [*text.split("\n"), ""]:
        if line.startswith("#"):
            comments.append(line)
        elif line.strip():
            cells = line.split("\t")
            # The reader has reported columns that are missing, and read them like this.
            rows.append([*cells, *["_"] * (COLUMNS - len(cells))])
        elif rows:
            _begin(documents, comments)
            documents[-1].sentences.append(_sentence(comments, rows))
            comments, rows = [], []
    for document in documents:
        for place, node in enumerate(document.nodes):
            node.origin = place
    return documents


def _begin(documents: list[TreeDocument], comments: Sequence[str]) -> None:
    """Begin a document where a comment says so, and with the first sentence."""
    begins = [comment for comment in comments if comment.startswith(NEW_DOCUMENT)]
    if begins or not documents:
        name = begins[0].partition("=")[2].strip() if begins else ""
        documents.append(TreeDocument(name=name))


def _sentence(comments: list[str], rows: Sequence[list[str]]) -> Sentence:
    sentence = Sentence(comments=comments)
    for cells in rows:
        id = cells[0]
        if "-" in id:
            sentence.multiwords.append((10 * int(id.partition("-")[0]), cells))
            continue
        word, _, place = id.partition(".")
        number = 10 * int(word) + int(place or 0)
        sentence.nodes.append(Node(number=number, cells=cells, is_empty=bool(place)))
    by_id = {node.cells[0]: node for node in sentence.nodes} | {"0": sentence.root}
    for node in sentence.nodes:
        if not node.is_empty:
            node.parent = by_id.get(node.cells[HEAD], sentence.root)
        for item in [] if node.cells[DEPS] == "_" else node.cells[DEPS].split("|"):
            parent, _, relation = item.partition(":")
            if parent in by_id:
                node.deps.append((by_id[parent], relation))
        node.parents = [parent for parent, _ in node.deps]
        if node.cells[DEPS] == "_" and node.parent is not None:
            node.parents = [node.parent]
    return sentence


# ---- Empty nodes ----


def keep_one_parent(sentence: Sentence) -> None:
    """Leave each empty node with several parents one that is a word, the one that governs most.

    It may depend on this one in several ways.
    """
    for node in sentence.empty:
        if len(node.deps) < 2:
            continue
        known = [(parent, relation) for parent, relation in node.deps if not parent.is_empty]
        kept = _governor([parent for parent, _ in known])
        node.deps = [pair for pair in known if pair[0] is kept]
        node.parents = [parent for parent, _ in node.deps]


def _governor(parents: Sequence[Node]) -> Node | None:
    if not parents:
        return None
    top = walk(parents)
    return top if any(top is each for each in parents) else min(parents, key=_depth)


def _depth(node: Node) -> int:
    depth = 0
    while node.parent is not None:
        node, depth = node.parent, depth + 1
    return depth


def moved_for_text(sentence: Sentence) -> list[Node]:
    """Return the nodes in the order of the text format: empty nodes stand behind their parents.

    Those that leave their places go behind all that stand behind the parent at that moment.
    """
    keep_one_parent(sentence)
    place = {id(node): (node.number, 0) for node in sentence.nodes}
    arrived = 0
    for node in sentence.empty:
        parent = node.deps[0][0] if node.deps else None
        if parent is None or node.number // 10 * 10 == parent.number:
            continue
        arrived += 1
        base = parent.number
        if not parent.is_empty:
            behind = [
                each
                for each in sentence.empty
                if each is not node and place[id(each)][0] // 10 == base // 10
            ]
            place[id(node)] = (base + 1 + len(behind), arrived)
        else:
            place[id(node)] = (base // 10 * 10 + 2, arrived)
    order = {id(node): number for number, node in enumerate(sentence.nodes)}
    return sorted(
        sentence.nodes,
        key=lambda node: (*place[id(node)][:1], node.is_empty, place[id(node)][1], order[id(node)]),
    )


def move_behind_parents(sentence: Sentence) -> None:
    """Give each empty node that does not follow its parent a new number, as the importer does.

    The gap that it leaves is closed for all numbers up to the next integer part and beyond, so that
    a number may become that of a word.
    """
    keep_one_parent(sentence)
    for node in sentence.empty:
        parent = node.deps[0][0] if node.deps else None
        if parent is None or node.number // 10 * 10 == parent.number:
            continue
        old = node.number
        taken = {each.number for each in sentence.empty if each is not node}
        if parent is sentence.root:
            node.number = 1 + sum(number < 10 for number in taken)
        else:
            node.number = parent.number + 1
            while node.number in taken:
                node.number += 1
        # It becomes another node, with form, lemma and dependencies of this one.
        node.cells[LEMMA + 1 : DEPS] = ["_"] * (DEPS - LEMMA - 1)
        for word in sentence.words:
            word.deps = [pair for pair in word.deps if pair[0] is not node]
            word.parents = [each for each in word.parents if each is not node]
        for each in sentence.empty:
            if old < each.number < old + 10:
                each.number -= 1
    sentence.sort()


def remove_empty(sentence: Sentence) -> None:
    """Take all empty nodes away, and the dependencies on them."""
    for word in sentence.words:
        word.deps = [pair for pair in word.deps if not pair[0].is_empty]
        word.parents = [each for each in word.parents if not each.is_empty]
    sentence.nodes = sentence.words


def add_empty(sentence: Sentence, after: Node) -> Node | None:
    """Put a new empty node, without a form, behind a word; None if there are nine already."""
    behind = [each for each in sentence.empty if each.number // 10 == after.number // 10]
    if len(behind) == 9:
        return None
    node = Node(number=after.number + 1 + len(behind), cells=["_"] * COLUMNS, is_empty=True)
    node.deps, node.parents = [(after, "_")], [after]
    sentence.nodes.append(node)
    sentence.sort()
    return node


# ---- Heads ----


def head_of(nodes: Sequence[Node], present: Node) -> Node:
    """Return the head of a mention, as the tools compute it; ``present`` is the one so far."""
    if len(nodes) == 1:
        return nodes[0]
    inside = set(map(id, nodes))
    outer = [node for node in nodes if node.parent is None or id(node.parent) not in inside]
    if len(outer) == 1:
        return outer[0]
    candidates = [node for node in outer if not _has(node.parents, inside)]
    candidates = candidates or [
        node for node in outer if not all(id(parent) in inside for parent in node.parents)
    ]
    if len(candidates) < 2:
        return candidates[0] if candidates else present
    words = [_word_of(node) for node in candidates]
    known = sorted({id(word): word for word in words if word}.values(), key=lambda n: n.number)
    top = walk(known) if known else None
    if any(top is each for each in candidates):
        assert top is not None
        return top
    return present if any(present is each for each in candidates) else candidates[0]


def _has(nodes: Iterable[Node], inside: Collection[int]) -> bool:
    return any(id(node) in inside for node in nodes)


def _word_of(node: Node) -> Node | None:
    """Return a word, or the first parent of an empty node that is not empty."""
    if not node.is_empty:
        return node
    return next((parent for parent, _ in node.deps if not parent.is_empty), None)


def walk(nodes: Sequence[Node]) -> Node:
    """Climb from nodes until one is left, which is meant to be their lowest common governor.

    It stops too early if one climb reaches the root while another is under way.
    """
    queue = deque(nodes)
    # The node that each was reached from; None if it is surely above some of the nodes.
    reached: dict[int, Node | None] = {id(node): None for node in nodes}
    top: Node | None = None
    while len(queue) > 1:
        node = queue.popleft()
        if node.parent is None:
            top = node
        elif id(node.parent) in reached:
            reached[id(node.parent)] = None
        else:
            reached[id(node.parent)] = node
            queue.append(node.parent)
    top = top or queue[-1]
    while (below := reached[id(top)]) is not None:
        top = below
    return top


# ---- Writing ----


def lines_of(sentence: Sentence) -> Iterator[str]:
    """Yield the lines of a sentence; the empty nodes behind a word are numbered in order."""
    yield from sentence.comments
    multiwords = dict(sentence.multiwords)
    ids = {id(sentence.root): "0"}
    behind = word = 0
    for node in sentence.nodes:
        behind = behind + 1 if node.is_empty and node.number // 10 == word else int(node.is_empty)
        word = node.number // 10
        ids[id(node)] = f"{word}.{behind}" if node.is_empty else str(word)
    for node in sentence.nodes:
        if not node.is_empty and node.number in multiwords:
            yield "\t".join(multiwords[node.number])
        deps = "|".join(f"{ids[id(parent)]}:{relation}" for parent, relation in node.deps)
        cells = [*node.cells]
        cells[0], cells[DEPS] = ids[id(node)], deps or "_"
        yield "\t".join(cells)
    yield ""
