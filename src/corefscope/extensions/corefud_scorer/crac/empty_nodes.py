"""How well the empty nodes of a response are those of the key, whatever they are mentions of.

Nodes are compared by sentence and by what they depend on, as the baseline of CRAC 2026 does it:
the first item of DEPS counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from corefscope.corpus import Corpus
from corefscope.exceptions import InvalidInput
from corefscope.findings import Code
from corefscope.formats.corefud.trees import FORM, parsed
from corefscope.formats.corefud.writing import document_lines


class NodeArc(NamedTuple):
    """An empty node as it is compared."""

    sentence: int
    head: str
    relation: str
    word: int
    """The number of the word before it."""
    columns: tuple[str, ...]
    """FORM, LEMMA, UPOS, XPOS and FEATS."""


class NodeScore(NamedTuple):
    """How many nodes are common, and how many there are."""

    common: int
    key: int
    response: int

    @property
    def recall(self) -> float:
        """Common nodes of those of the key."""
        return self.common / self.key if self.key else 0.0

    @property
    def precision(self) -> float:
        """Common nodes of those of the response."""
        return self.common / self.response if self.response else 0.0

    @property
    def f1(self) -> float:
        """Twice the common nodes, of all nodes."""
        total = self.key + self.response
        return 2 * self.common / total if total else 0.0


Compared = Callable[[NodeArc], tuple[object, ...]]
COMPARED: Mapping[str, Compared] = {
    "ARC": lambda node: (node.sentence, node.head),
    "DEP": lambda node: (node.sentence, node.head, node.relation),
    "WO": lambda node: (node.sentence, node.head, node.word),
    "DEP_WO": lambda node: (node.sentence, node.head, node.relation, node.word),
    "FORM": lambda node: (node.sentence, node.head, node.columns[0]),
    "LEMMA": lambda node: (node.sentence, node.head, node.columns[1]),
    "UPOS": lambda node: (node.sentence, node.head, node.columns[2]),
    "XPOS": lambda node: (node.sentence, node.head, node.columns[3]),
    "FEATS": lambda node: (node.sentence, node.head, node.columns[4]),
    "ALL": lambda node: tuple(node),
}
"""The rows of the evaluation, and what each of them compares."""


def empty_node_scores(key: Corpus, response: Corpus) -> dict[str, NodeScore]:
    """Compare the empty nodes of two corpora of CoNLL-U.

    Parameters
    ----------
    key, response
        Both were read from CoNLL-U, or from an answer that was put into it.

    Returns
    -------
    dict
        The rows ``ARC``, ``DEP``, ``WO``, ``DEP_WO``, ``FORM``, ``LEMMA``, ``UPOS``, ``XPOS``,
        ``FEATS`` and ``ALL``.

    Raises
    ------
    InvalidInput
        If one of them is not CoNLL-U.
    """
    ours, theirs = list(_nodes(key)), list(_nodes(response))
    return {
        name: _score(Counter(map(compared, ours)), Counter(map(compared, theirs)))
        for name, compared in COMPARED.items()
    }


def _score(ours: Counter[tuple[object, ...]], theirs: Counter[tuple[object, ...]]) -> NodeScore:
    return NodeScore((ours & theirs).total(), ours.total(), theirs.total())


def _nodes(corpus: Corpus) -> Iterator[NodeArc]:
    before = 0
    for document in range(len(corpus)):
        lines = document_lines(corpus, document)
        if lines is None:
            raise InvalidInput.of(
                Code.NO_SOURCE,
                "it has no lines of CoNLL-U",
                expected="a file with empty nodes",
                file=corpus.path,
            )
        text = lines.decode(errors="surrogateescape").replace("\r\n", "\n")
        for tree in parsed(text):
            for number, sentence in enumerate(tree.sentences, start=before):
                for node in sentence.empty:
                    first = node.cells[8].partition("|")[0]
                    head, _, relation = first.partition(":")
                    columns = tuple(node.cells[FORM : FORM + 5])
                    yield NodeArc(number, head, relation, node.number // 10, columns)
            before += len(tree.sentences)
