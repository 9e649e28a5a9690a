"""The heads of mentions: those of the file, else those of its dependency trees.

Mentions are paired by head in ``stages.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from corefscope.corpus import Corpus, Document, Integers
from corefscope.findings import Code, Finding, Remedy
from corefscope.matching.stages import UNKNOWN, MatchingRules

if TYPE_CHECKING:
    from corefscope.language.dependencies import DependencyTree

ROOT = "-1"
"""The head of a word that depends on no other."""


class Heads(Struct, frozen=True, eq=False, kw_only=True):
    """The heads of the mentions of a corpus, which are spans of tokens."""

    token: Integers
    """The head token of each mention in its document, −1 if it is not known."""
    from_trees: int = 0
    """How many of them come from dependency trees."""

    @property
    def unknown(self) -> int:
        """How many heads are not known."""
        return int((self.token == UNKNOWN).sum())


def file_heads(corpus: Corpus, *, first_words: bool = True) -> Heads:
    """Return the heads that a file gives; the head of a single token is this token.

    If its brackets have no field for heads, a CorefUD file gives the first word of each mention;
    without ``first_words`` such heads count as unknown.
    """
    first, last = corpus.mention_spans.T.astype(np.int64)
    given = np.full(len(first), UNKNOWN)
    if corpus.mention_heads is not None:
        given = np.maximum(corpus.mention_heads, UNKNOWN)
        if not first_words:
            says = [corpus.gives_heads(document) for document in range(len(corpus))]
            given = np.where(np.array(says, dtype=bool)[corpus.mention_document], given, UNKNOWN)
    return Heads(token=np.where((given < 0) & (first == last), first, given))


def known_heads(corpus: Corpus, rules: MatchingRules, of_trees: Callable[[], Integers]) -> Heads:
    """Return the heads by which mentions are paired.

    Parameters
    ----------
    corpus
        The mentions.
    rules
        How they are paired.
    of_trees
        Returns what :func:`tree_heads` finds in the corpus; called only if it is needed.

    Returns
    -------
    Heads
        The heads of the file. If heads decide what is paired, those that the file does not give
        come from its trees.
    """
    # The CorefUD scorer takes the first word.
    heads = file_heads(corpus, first_words=not rules.needs_heads or not rules.same_words)
    is_unknown = heads.token == UNKNOWN
    if not rules.needs_heads or not is_unknown.any():
        return heads
    token = np.where(is_unknown, of_trees(), heads.token)
    return Heads(token=token, from_trees=int((token[is_unknown] != UNKNOWN).sum()))


def tree_heads(corpus: Corpus) -> Integers:
    """Return the head of each mention in the basic tree of its document, −1 without a tree.

    It is the first word of the mention that depends on none of its words; an empty node is a head
    only if the mention has no word. If all words depend on others of them, it is the first token.
    """
    heads = np.full(len(corpus.mention_entity), UNKNOWN)
    if not corpus.has_spans:
        return heads
    for document in corpus:
        rows = corpus.mentions_of(document.index)
        tree = _tree(document) if len(rows) else None
        if tree is None:
            continue
        own = corpus.mention_spans[rows.start : rows.stop].tolist()
        heads[rows.start : rows.stop] = [
            tree.root_of_parts(corpus.mention_parts[row])
            if row in corpus.mention_parts
            else tree.root(start, end)
            for row, (start, end) in zip(rows, own, strict=True)
        ]
    return heads


def has_heads(corpus: Corpus) -> bool:
    """Return whether mentions have heads; judge trees by the first document that has mentions."""
    if corpus.mention_heads is not None:
        return True
    having = (document for document in corpus if len(corpus.mentions_of(document.index)))
    first = next(having, None)
    return first is not None and _tree(first) is not None


def _tree(document: Document) -> DependencyTree | None:
    # Loaded here because nearly all files with trees have heads.
    from corefscope.language import UniversalLayers

    column = document.layer("heads")
    if column is None or all(head == ROOT for head in column):
        return None
    empty = document.corpus.empty_nodes.tokens_of(document.index)
    return UniversalLayers(heads=column, empty=frozenset(empty)).tree


def head_findings(
    corpus: Corpus, heads: Heads, rules: MatchingRules, side: str
) -> Iterator[Finding]:
    """Report heads that come from trees, and mentions without heads where these are needed."""
    if not rules.needs_heads:
        return
    mentions, unknown = len(heads.token), heads.unknown
    if unknown and unknown == _longer(corpus):
        yield Finding(
            Code.NO_HEADS,
            f"the mentions of the {side} have no heads, and its words no dependency tree",
            expected=(
                f"one of them for {rules.match} matching: add heads or trees, or match exactly"
            ),
            file=corpus.path,
        )
    elif unknown:
        yield Finding(
            Code.OTHER_HEADS,
            f"{unknown:,} of {mentions:,} mentions of the {side} have no head, and their "
            "documents no dependency tree",
            expected="heads of all: these match only the same words",
            file=corpus.path,
        )
    if heads.from_trees:
        yield Finding(
            Code.OTHER_HEADS,
            f"the file gives no head for {heads.from_trees:,} of {mentions:,} mentions of the "
            f"{side}",
            expected=(
                f"it for {rules.match} matching: the first word that depends on no other is used"
            ),
            file=corpus.path,
        )


def fields_without_heads(corpus: Corpus) -> tuple[str, ...] | None:
    """Return the fields of the first document whose brackets have no field for heads.

    None if all documents with longer mentions have one, or if the file has no brackets.
    """
    openings = corpus.openings
    if openings is None or not corpus.has_spans:
        return None
    is_long = corpus.mention_spans[:, 0] != corpus.mention_spans[:, 1]
    documents = np.unique(corpus.mention_document[is_long]).tolist()
    return next(
        (openings.fields[each] for each in documents if not openings.give_heads(each)), None
    )


def no_head_field(fields: Sequence[str], path: str | None, unlike: str = "") -> Finding:
    """Return the finding that a declaration has no heads; ``unlike`` is what has them."""
    finding = Finding(
        Code.NO_HEAD_FIELD,
        f"the declaration '{'-'.join(fields)}' has no field head{unlike}",
        expected=(
            "one: the CorefUD scorer and the profiles with its figures take the first word of "
            "each mention as its head"
        ),
        file=path,
    )
    if "minspan" not in fields:
        return finding
    hint = ". The file has minimal spans: read heads from minspan"
    return replace(finding.followed_by(hint), remedy=Remedy.READ_MINIMAL_SPANS)


def heads_of_one_side(key: Corpus, response: Corpus, rules: MatchingRules) -> Iterator[Finding]:
    """Report that only one side has heads, if the other has first words as in the scorer."""
    if not rules.needs_heads or rules.same_words or not (key.openings and response.openings):
        return
    fields = [fields_without_heads(corpus) for corpus in (key, response)]
    for corpus, own, other, side in zip(
        (key, response), fields, reversed(fields), ("response", "key"), strict=True
    ):
        if own is not None and other is None:
            yield no_head_field(own, corpus.path, f", unlike that of the {side}")


def _longer(corpus: Corpus) -> int:
    """Return how many mentions have several tokens."""
    return int((corpus.mention_spans[:, 0] != corpus.mention_spans[:, 1]).sum())
