"""A corpus of documents, entities and mentions.

A corpus is a few arrays, with one row per mention or entity, so that a million mentions do not need
a million objects. :class:`Document`, :class:`Entity` and :class:`Mention` are views of these arrays
for code that needs objects.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import ArrayLike, NDArray

from corefscope.arguments import texts
from corefscope.corpus.arrays import Integers, LabelColumns, Numbers, row_numbers, rows_between
from corefscope.corpus.clusters import checked_documents, no_mentions, overview, without_names
from corefscope.corpus.columns import Column, OwnColumns, Selection, columns_of, selected
from corefscope.corpus.copies import UNTAGGED, Copy
from corefscope.corpus.layers import Attributes, TextLayers
from corefscope.corpus.links import Antecedents, Bridges, Openings
from corefscope.corpus.mentions import (
    Clusters,
    Entity,
    Mention,
    MentionId,
    Parts,
    Rows,
    as_word_sets,
    without_spans,
)
from corefscope.corpus.offsets import ARRAYS, IN_MEMORY, Base, Convention, Ends, Offsets
from corefscope.corpus.words import NO_NODES, Comments, EmptyNodes
from corefscope.exceptions import UnknownName, WrongArgument
from corefscope.findings import Code, Finding
from corefscope.formatting import counted

CountedUnit: TypeAlias = Literal["tokens", "characters"]
"""What positions of clusters count."""
Texts: TypeAlias = str | Sequence[str] | Mapping[str, str | Sequence[str]]
"""The text of each document, as a string or as words, or the text of the only document."""
UNKNOWN_LENGTH = -1
"""The number of tokens of a document in a format without text."""
MOST_GAPS = 1_000_000
"""How many documents without rows there may be if they have no names."""


class Corpus(Struct, frozen=True, eq=False, kw_only=True):
    """Entities and their mentions in named documents, as arrays.

    Mentions are sorted by the first appearance of their entity in the document, then by the order
    in which they are closed. This order decides which copy of a repeated mention is the first.
    """

    document_names: Annotated[tuple[str, ...], Column("document")]
    document_tokens: Annotated[Integers, Column("document", is_text=True)]
    """The number of tokens of each document, or ``UNKNOWN_LENGTH``."""
    entity_document: Annotated[Integers, Column("entity", refers="document")]
    """The document of each entity."""
    entity_labels: Annotated[Sequence[str], Column("entity")]
    """The name of each entity in its file."""
    mention_entity: Annotated[Integers, Column("mention", refers="entity")]
    """The entity of each mention, ascending."""
    mention_spans: Annotated[NDArray[np.integer[Any]], Column("mention")]
    """First and last token of each mention in its document; −1 if some mentions are ids."""
    mention_parts: Annotated[Mapping[int, Parts], Column("mention")] = {}
    """First and last token of each part of the mentions that have gaps, by row."""
    mention_cuts: Annotated[Mapping[int, tuple[int, int]], Column("mention")] = field(
        default_factory=dict
    )
    """How many letters of their first and last token some mentions leave out, by row: mentions that
    were carried over from other tokens, and that equal no mention of whole tokens."""
    mention_heads: Annotated[Integers | None, Column("mention", empty=-1)] = None
    """The head token of each mention in its document, −1 if unknown; None if all are unknown."""
    empty_nodes: Annotated[EmptyNodes, Column(is_text=True)] = NO_NODES
    """The tokens that are no plain words."""
    own: Annotated[OwnColumns, Column()] = field(default_factory=OwnColumns)
    """The columns that extensions declare, by name."""
    split_antecedents: Annotated[Antecedents, Column("entity", refers="entity")] = field(
        default_factory=dict
    )
    """The entities that an entity consists of, where the file says so, by entity."""
    bridges: Annotated[Bridges, Column()] = Bridges()
    """The links of mentions to other entities than their own."""
    openings: Annotated[Openings | None, Column()] = None
    """The opening brackets of the mentions, where they have fields that are not scored."""
    mention_ids: Annotated[Sequence[MentionId], Column("mention")] = ()
    """The id of each mention, if some mentions are not spans; else nothing."""
    mention_lines: Annotated[Integers | None, Column("mention")] = None
    """The line of the file on which each mention begins."""
    mention_order: Annotated[Integers | None, Column("mention")] = None
    """The order in which the file closes the mentions."""
    document_files: Annotated[Sequence[str] | None, Column("document", is_text=True)] = None
    """The file of each document."""
    document_topics: Annotated[Sequence[str | None] | None, Column("document", is_text=True)] = None
    """The topic of each document, in cross-document corpora: entities of one topic that have the
    same label are the same entity."""
    document_namespaces: Annotated[
        Sequence[str | None] | None, Column("document", is_text=True)
    ] = None
    """What documents have in common whose entities of one label are the same: the topic, or all
    topics of a file."""
    word_digests: Annotated[Sequence[bytes | None] | None, Column("document", is_text=True)] = None
    """A digest of each document's words, to compare two files without reading the words."""
    sentence_digests: Annotated[Sequence[bytes | None] | None, Column("document", is_text=True)] = (
        None
    )
    """A digest of the number of words in each document's sentences, in formats with empty nodes."""
    comments: Annotated[Sequence[Comments | None] | None, Column("document", is_text=True)] = None
    """The comments of each document, in formats whose scorers compare them."""
    layers: Annotated[TextLayers | None, Column(is_text=True)] = None
    copies: Annotated[Sequence[Copy] | None, Column("document", empty=UNTAGGED)] = None
    """What is known of each document, if they are copies of texts with tags in them."""
    path: Annotated[str | None, Column(is_text=True)] = None
    """The path that was read, as the user wrote it."""
    offsets: Offsets = IN_MEMORY
    """How token offsets were read, so that a message can suggest another convention."""
    findings: tuple[Finding, ...] = ()
    """The warnings of the reader; errors raise an exception."""
    skipped_files: tuple[str, ...] = ()
    """Unreadable files that were skipped at the caller's request."""
    is_unnamed: Annotated[bool, Column(is_text=True)] = False
    """Whether there is one document, and its source does not name it, so that its name is ours."""
    numbered: Annotated[Mapping[str, Mapping[str, str]], Column(is_text=True)] = field(
        default_factory=dict
    )
    """The documents that have no name but their number in a file, such as ``out#3``, with the
    fields of their records that may be names."""
    _index: dict[str, int] = {}

    @classmethod
    def from_clusters(
        cls,
        documents: Mapping[str, Clusters],
        *,
        base: Base = 0,
        ends: Ends | None = None,
        unit: CountedUnit = "tokens",
        text: Texts | None = None,
        path: str | None = None,
    ) -> Corpus:
        """Make a corpus from ``{document name: clusters}``.

        Parameters
        ----------
        documents
            The clusters of each document: a collection of entities, each a collection of mentions.
            A mention is ``(first, last)``, two token numbers, or any other hashable id; a mention
            with gaps is a tuple of such pairs, as ``((0, 1), (3, 3))``. Entities may have names,
            as ``{document: {name: mentions}}``, which hold across documents.
        base
            The number of the first token or character of a document, 0 or 1.
        ends
            Whether the end of a span is its last position, ``"inclusive"`` (the default for
            tokens), or the one after it, ``"exclusive"`` (the default for characters).
        unit
            What positions count: ``"tokens"``, or ``"characters"`` of the text (code points).
        text
            The text of each document, ``{document name: text}``, or the text of the only one. A
            text is a string, which is divided into words and punctuation marks, or a list of words,
            which are the tokens; characters are then those of the words with a blank between them.
        path
            The file that findings name.

        Returns
        -------
        Corpus
            The documents in the order in which they were given.

        Raises
        ------
        TypeError
            If the argument is not clusters; the message says what to pass.
        ValueError
            If characters are counted, and a text is missing.
        InvalidInput
            If a span does not fit the convention or the text (``E113``).

        Examples
        --------
        >>> corpus = Corpus.from_clusters(
        ...     {"a": [[(0, 4), (15, 18)]]}, unit="characters", text="Mary met Tom . She left ."
        ... )
        >>> corpus["a"].entities[0].mentions
        (Mention(id=(0, 0)), Mention(id=(4, 4)))
        """
        if unit != "tokens" or text is not None:
            # Loaded when it is called: formats, which turn characters into tokens, need corpora.
            from corefscope.formats.objects import corpus_of_texts

            return corpus_of_texts(documents, text, unit, base, ends, path)
        convention = Convention(base, ends or "inclusive")
        unnamed, labels = without_names(documents)
        given = checked_documents(unnamed, convention, path=path)
        corpus = cls.from_rows(
            tuple(given), [document.rows for document in given.values()], path=path, labels=labels
        )
        findings = tuple(overview(given.values()).findings("the corpus"))
        return replace(corpus, offsets=Offsets(convention=convention), findings=findings)

    @classmethod
    def from_rows(
        cls,
        names: tuple[str, ...],
        rows: Sequence[Rows],
        *,
        path: str | None = None,
        labels: Sequence[str] | None = None,
    ) -> Corpus:
        """Make a corpus from the sizes of each document's entities and a list of their mentions.

        Parameters
        ----------
        names
            The names of the documents.
        rows
            For each document, the sizes of its entities and a list of all their mentions.
        path
            The file that findings name.
        labels
            The names of all entities, which hold across documents; by default, entities are
            numbered in each document.

        Returns
        -------
        Corpus
            The corpus; nothing is checked.
        """
        numbers = [len(sizes) for sizes, _ in rows]
        sizes = list(chain.from_iterable(sizes for sizes, _ in rows))
        mentions = list(chain.from_iterable(mentions for _, mentions in rows))
        spans, parts = as_word_sets(mentions)
        first = np.cumsum(numbers) - numbers
        return cls(
            document_names=names,
            document_tokens=np.full(len(names), UNKNOWN_LENGTH),
            entity_document=np.repeat(np.arange(len(names)), numbers),
            entity_labels=(
                Numbers(np.arange(len(sizes)) - np.repeat(first, numbers))
                if labels is None
                else labels
            ),
            document_namespaces=None if labels is None else [""] * len(names),
            mention_entity=np.repeat(np.arange(len(sizes)), sizes),
            mention_spans=without_spans(len(mentions)) if spans is None else spans,
            mention_parts=parts,
            mention_ids=mentions if spans is None else (),
            path=path,
        )

    @classmethod
    def from_arrays(
        cls,
        entity: ArrayLike,
        start: ArrayLike | None = None,
        end: ArrayLike | None = None,
        document: ArrayLike | None = None,
        document_names: Sequence[str] | None = None,
    ) -> Corpus:
        """Make a corpus from arrays with one row per mention.

        Parameters
        ----------
        entity
            The entity of each row: any integers, such as hashes, which are local to their
            document. A row whose number is negative, or masked in a numpy masked array, is in no
            entity.
        start, end
            The first and the last token of each row. By default a mention is one token, and the
            rows of a document are its tokens, from 0: two labellings of the same items can be
            compared directly, and must have the same number of rows (``E202``).
        document
            The document of each row, as an index into ``document_names``; by default all rows
            belong to one document.
        document_names
            The names of the documents; by default their numbers.

        Returns
        -------
        Corpus
            One entity for each label of a document, in the order of the labels.

        Raises
        ------
        ValueError
            If the arrays have different lengths, contain anything but integers, or have masked
            values outside ``entity``.
        """
        given = LabelColumns.of(entity, start, end, document)
        where = given.document
        names = [] if document_names is None else list(texts("document_names", document_names))
        if not names and given.documents - 1 > MOST_GAPS + len(where):
            raise WrongArgument(
                f"document has numbers up to {where.max():,} in {len(where):,} rows; expected the "
                "documents to be numbered from 0 without gaps"
            )
        names = names or [str(i) for i in range(given.documents)]
        if where.min(initial=0) < 0 or given.documents > len(names):
            raise WrongArgument("document must be an index into document_names, from 0")
        if len(set(names)) < len(names):
            raise WrongArgument("document_names must be unique")
        tokens = given.sizes(len(names))
        if not given.rows_are_tokens:
            tokens[:] = UNKNOWN_LENGTH
        rows, sizes = given.entities()
        one_of_each = rows[np.cumsum(sizes) - sizes]
        return cls(
            document_names=tuple(names),
            document_tokens=tokens,
            entity_document=where[one_of_each],
            entity_labels=Numbers(given.label[one_of_each]),
            mention_entity=np.repeat(row_numbers(len(sizes)), sizes),
            mention_spans=given.spans(rows),
            offsets=Offsets(format=ARRAYS),
            is_unnamed=document_names is None and len(names) == 1,
            findings=() if len(rows) else (no_mentions("the corpus", len(names)),),
        )

    def __len__(self) -> int:
        return len(self.document_names)

    def __repr__(self) -> str:
        entities, mentions = len(self.entity_document), len(self.mention_entity)
        size = (
            counted(len(self), "document"),
            counted(entities, "entity", "entities"),
            counted(mentions, "mention"),
        )
        return f"<Corpus {self.path or ''}: {', '.join(size)}>"

    def __iter__(self) -> Iterator[Document]:
        return (Document(self, index) for index in range(len(self)))

    def __getitem__(self, name: str) -> Document:
        return Document(self, self.index(name))

    def __contains__(self, name: object) -> bool:
        return name in self._names()

    def index(self, name: str) -> int:
        """Return the position of the document with this name.

        Parameters
        ----------
        name
            The name of a document.

        Returns
        -------
        int
            Its position.
        """
        try:
            return self._names()[name]
        except KeyError:
            raise UnknownName("document", name, self.document_names) from None

    def _names(self) -> dict[str, int]:
        if len(self._index) != len(self):
            self._index.update((name, i) for i, name in enumerate(self.document_names))
        return self._index

    @property
    def has_spans(self) -> bool:
        """Whether mentions are spans of tokens, and not ids."""
        return not self.mention_ids

    def across_documents(self) -> tuple[Finding, ...]:
        """Report entities with mentions in several documents.

        Returns
        -------
        tuple of Finding
            One finding (``W163``), or none if no entity has such mentions.
        """
        if self.document_namespaces is None:
            return ()
        spaces = self.document_namespaces
        named = Counter(
            (space, label)
            for document, label in zip(
                self.entity_document.tolist(), self.entity_labels, strict=True
            )
            if (space := spaces[document]) is not None
        )
        several = sum(count > 1 for count in named.values())
        if not several:
            return ()
        which = "1 entity has" if several == 1 else f"{several:,} entities have"
        message = (
            f"{which} mentions in more than one document; each document is scored on its own, so "
            "links between documents do not count; to count them, choose the level 'topic' or "
            "'corpus'"
        )
        return (Finding(Code.ACROSS_DOCUMENTS, message, file=self.path),)

    @property
    def mention_document(self) -> Integers:
        """The document of each mention."""
        return self.entity_document[self.mention_entity]

    @property
    def mention_sizes(self) -> Integers:
        """The number of tokens of each mention; those in its gaps are not counted."""
        if not self.has_spans:
            raise WrongArgument("mentions that are not spans have no tokens")
        from corefscope.corpus.mentions import size_of

        sizes = (self.mention_spans[:, 1] - self.mention_spans[:, 0] + 1).astype(np.int64)
        for row, parts in self.mention_parts.items():
            sizes[row] = size_of(parts)
        return sizes

    @property
    def word_counts(self) -> Integers:
        """The number of plain words of each document, empty nodes apart, or ``UNKNOWN_LENGTH``."""
        tokens = self.document_tokens
        nodes = np.bincount(self.empty_nodes.document, minlength=len(self))
        return np.where(tokens == UNKNOWN_LENGTH, tokens, tokens - nodes)

    def word_count(self, document: int) -> int:
        """Return the number of plain words of one document.

        Parameters
        ----------
        document
            The position of a document.

        Returns
        -------
        int
            What :attr:`word_counts` has for it.
        """
        tokens = int(self.document_tokens[document])
        known = tokens != UNKNOWN_LENGTH
        return tokens - len(self.empty_nodes.rows_of(document)) if known else UNKNOWN_LENGTH

    def gives_heads(self, document: int) -> bool:
        """Return whether heads of the mentions of a document come from its file.

        If the brackets of a CorefUD file have no field for heads, they do not: the first word of
        each mention is its head by default, which says nothing about the mention.

        Parameters
        ----------
        document
            The position of a document.

        Returns
        -------
        bool
            Whether there are heads, and not only by default.
        """
        if self.mention_heads is None:
            return False
        return self.openings is None or self.openings.give_heads(document)

    def document_of(self, mention: int) -> int:
        """Return the document of one mention.

        Parameters
        ----------
        mention
            The position of a mention in the arrays.

        Returns
        -------
        int
            The position of its document.
        """
        return int(self.entity_document[self.mention_entity[mention]])

    def mention_id(self, mention: int) -> MentionId:
        """Return the id of a mention: its span, or its id in the file.

        Parameters
        ----------
        mention
            The position of a mention in the arrays.

        Returns
        -------
        MentionId
            Its first and last token, the first and last tokens of its parts if it has gaps, or its
            id.
        """
        if self.mention_ids:
            return self.mention_ids[mention]
        parts = self.parts_of(mention)
        return parts if len(parts) > 1 else parts[0]

    def parts_of(self, mention: int) -> Parts:
        """Return the parts of a mention that is not an id.

        Parameters
        ----------
        mention
            The row of a mention.

        Returns
        -------
        tuple
            First and last token of each part; a mention without gaps has one.
        """
        parts = self.mention_parts.get(mention)
        if parts is not None:
            return parts
        start, end = self.mention_spans[mention].tolist()
        return ((start, end),)

    def mentions_of(self, document: int) -> range:
        """Return the rows of the mentions of a document.

        Parameters
        ----------
        document
            The position of a document.

        Returns
        -------
        range
            The positions of its mentions in the arrays.
        """
        entities = rows_between(self.entity_document, document, document + 1)
        return rows_between(self.mention_entity, entities.start, entities.stop)

    def with_clusters(
        self,
        documents: Mapping[str, Clusters],
        *,
        base: Base = 0,
        ends: Ends = "inclusive",
    ) -> Corpus:
        """Return a corpus with the same texts and other entities.

        Parameters
        ----------
        documents
            ``{document name: clusters}``, the mentions as ``(first, last)``. A document of this
            corpus that is not included has no entities, which is reported in ``findings``.
        base, ends
            As for :meth:`from_clusters`.

        Returns
        -------
        Corpus
            The same texts with other entities.

        Raises
        ------
        UnknownName
            If this corpus does not have one of the documents.
        InvalidInput
            If a span lies outside its document (``E113``).
        """
        convention = Convention(base, ends)
        given = checked_documents(documents, convention, self._tokens, self.path)
        rows = [given[name].rows if name in given else ([], []) for name in self.document_names]
        other = replace(self.with_rows(rows), offsets=Offsets(convention=convention))
        missing = [name for name in self.document_names if name not in given]
        findings = [_some_clusters(missing, self.path)] if missing else []
        if not len(other.mention_entity):
            findings.append(no_mentions("the corpus with these clusters", len(self)))
        return replace(other, findings=tuple(findings))

    def _tokens(self, name: str) -> int | None:
        """Return the number of tokens of a document, if it is known."""
        tokens = int(self.document_tokens[self.index(name)])
        return None if tokens == UNKNOWN_LENGTH else tokens

    def with_rows(self, rows: Sequence[Rows]) -> Corpus:
        """Return a corpus with the same texts and other entities, which are not checked.

        Parameters
        ----------
        rows
            For each document, the sizes of its entities and a list of all their mentions.

        Returns
        -------
        Corpus
            The same texts with other entities.
        """
        other = Corpus.from_rows(self.document_names, rows)
        if not other.has_spans:
            raise WrongArgument("mentions of a text must be pairs of first and last token")
        texts = [name for name, each in COLUMNS.items() if each.is_text]
        return replace(other, **{name: getattr(self, name) for name in texts})

    def only(self, name: str) -> Corpus:
        """Return a corpus with one of the documents.

        Parameters
        ----------
        name
            The name of a document.

        Returns
        -------
        Corpus
            A corpus with only this document.
        """
        return self.restricted([self.document_names[self.index(name)]])

    def restricted(self, names: Collection[str]) -> Corpus:
        """Return a corpus with some of the documents, in their original order.

        Parameters
        ----------
        names
            The names of documents.

        Returns
        -------
        Corpus
            A corpus with only these documents.
        """
        wanted = set(texts("names", names))
        chosen = np.array([i for i, name in enumerate(self.document_names) if name in wanted], int)
        is_chosen = np.zeros(len(self), dtype=bool)
        is_chosen[chosen] = True
        return self.chosen(
            document=chosen,
            entity=np.flatnonzero(is_chosen[self.entity_document]),
            mention=np.flatnonzero(is_chosen[self.mention_document]),
        )

    def with_mentions(self, keep: NDArray[np.bool_]) -> Corpus:
        """Return a corpus with some of the mentions, and the same documents and entities.

        Parameters
        ----------
        keep
            Whether each mention is kept.

        Returns
        -------
        Corpus
            A corpus with only these mentions. Entities may be left without mentions.
        """
        return self.chosen(mention=np.flatnonzero(keep))

    def chosen(
        self,
        *,
        document: Integers | None = None,
        entity: Integers | None = None,
        mention: Integers | None = None,
    ) -> Corpus:
        """Return a corpus with some rows of its tables, in any order.

        Parameters
        ----------
        document, entity, mention
            The rows of each table that are kept; None for all of them. Rows that others refer to
            must be kept, and entities be in the order of their documents, mentions in that of
            their entities.

        Returns
        -------
        Corpus
            A corpus with only these rows.
        """
        selection = Selection(
            document=document,
            entity=entity,
            mention=mention,
            sizes={
                "document": len(self),
                "entity": len(self.entity_document),
                "mention": len(self.mention_entity),
            },
        )
        left = {
            name: selected(getattr(self, name), each, selection) for name, each in COLUMNS.items()
        }
        return replace(self, **left, _index={})

    def file_of(self, document: int) -> str | None:
        """Return the file that a document was read from.

        Parameters
        ----------
        document
            The position of a document.

        Returns
        -------
        str or None
            The path of its file, if it comes from one.
        """
        return self.path if self.document_files is None else self.document_files[document]


COLUMNS = columns_of(Corpus)
"""What is declared of each column."""


def _some_clusters(missing: Sequence[str], path: str | None) -> Finding:
    """Return the finding that some documents got no clusters."""
    more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
    return Finding(
        Code.NOTHING_READ,
        f"no clusters were given for document {missing[0]!r}{more}",
        expected="them for all documents of the text: without them a document has no entities",
        file=path,
    )


class Document(Struct, frozen=True, dict=True):
    """A view of one document of a corpus."""

    corpus: Corpus
    index: int

    @property
    def name(self) -> str:
        """The name by which documents are paired."""
        return self.corpus.document_names[self.index]

    def __len__(self) -> int:
        """Return the number of tokens, or, if it is unknown, the end of the last mention."""
        known = int(self.corpus.document_tokens[self.index])
        if known != UNKNOWN_LENGTH:
            return known
        if not self.corpus.has_spans:
            return 0
        return max((m.end + 1 for entity in self.entities for m in entity), default=0)

    def __bool__(self) -> bool:
        return True

    @cached_property
    def entities(self) -> tuple[Entity, ...]:
        """The entities in the order of their first appearance."""
        corpus = self.corpus
        grouped: dict[int, list[Mention]] = {}
        for row in corpus.mentions_of(self.index):
            mention = Mention(corpus.mention_id(row))
            grouped.setdefault(int(corpus.mention_entity[row]), []).append(mention)
        return tuple(Entity(corpus.entity_labels[e], tuple(m)) for e, m in grouped.items())

    @cached_property
    def sentences(self) -> list[range]:
        """The token ranges of the sentences; one range if the file has no sentences."""
        layers, known = self.corpus.layers, list[range]()
        if layers and self.corpus.document_tokens[self.index] != UNKNOWN_LENGTH:
            known = layers.text(self.index).sentences
        # Sentences of numbers instead of words have a length, but no text.
        return known or ([range(len(self))] if len(self) else [])

    @property
    def words(self) -> list[str] | None:
        """The words, if the file has them."""
        return self.layer("words")

    @property
    def tags(self) -> list[str] | None:
        """The part-of-speech tags, if the file has them."""
        return self.layer("tags")

    @property
    def parse(self) -> list[str] | None:
        """The parse bits, if the file has them."""
        return self.layer("parse")

    @property
    def names(self) -> list[str] | None:
        """The named-entity bits, if the file has them."""
        return self.layer("names")

    @property
    def lemmas(self) -> list[str] | None:
        """The lemmas, if the file has them."""
        return self.layer("lemmas")

    @property
    def speakers(self) -> list[str] | None:
        """The speaker of each token, if the file has them."""
        return self.layer("speakers")

    @property
    def text(self) -> str | None:
        """The text with everything between the tokens, if the file has it."""
        layers = self.corpus.layers
        return layers.text(self.index).text if layers else None

    @property
    def characters(self) -> Sequence[tuple[int, int]] | None:
        """Where each token begins and ends in the text, if the file has it; ends are exclusive."""
        layers = self.corpus.layers
        return layers.text(self.index).characters if layers else None

    def layer(self, name: str) -> list[str] | None:
        """Return a text layer by name, if the file has it.

        Parameters
        ----------
        name
            The name of a layer, such as ``"lemmas"``.

        Returns
        -------
        list of str or None
            One value per token; None if the file has no such layer.
        """
        layers = self.corpus.layers
        return layers.text(self.index).columns.get(name) if layers else None

    @property
    def attributes(self) -> Attributes | None:
        """The attributes of the mentions, if the file has them."""
        layers = self.corpus.layers
        return layers.text(self.index).attributes if layers else None
