"""Text of the CRAC shared tasks' track for language models (2025, 2026), as text2text-coref has it.

One document per line, in the order of the CoNLL-U file. Tokens are separated by a blank; a token
with tags is `Ida|[e1,[e2]`: `[e1` opens a mention of the entity e1, `e1]` closes it, `[e2]` does
both.

- `##`, optionally followed by a form, marks an empty node such as a dropped pronoun.
- Lines have no names. Under the profiles `crac-2025` and `crac-2026` they are paired with the
  documents of the key by position, and scored as the organisers do it: see
  [CRAC](../howto/shared-tasks.md#crac-language-models).
  Otherwise a file is read as [tagged text](../howto/language-models.md), and paired by its words.
- An empty line is a document without an answer, which counts as failed.
- When writing, corefscope places each empty node after its head.
  `crac-text:zeros=keep` writes them,
  `ids=sequential` calls entities e1, e2 … in each document, `tags=none` writes no mentions,
  `forms=drop` no forms of empty nodes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from corefscope.answers import tagged
from corefscope.corpus import UNKNOWN_LENGTH, Corpus, Document
from corefscope.extensions.corefud_scorer.crac.exporting import (
    Exported,
    ExportedMention,
    ExportOptions,
    as_text,
    exported,
)
from corefscope.formats.corefud.trees import (
    COLUMNS,
    FORM,
    Node,
    Sentence,
    TreeDocument,
    parsed,
)
from corefscope.formats.corefud.writing import document_lines
from corefscope.formats.reading.file import File
from corefscope.formats.writing.abilities import Written
from corefscope.formats.writing.expressing import cannot, is_encodable, relabelled

LABEL = re.compile(r"[^\s\[\],|=()-]+")
"""A name of an entity that can stand in a tag."""


def read(file: File) -> None:
    """Read the documents of a file into the corpus."""
    tagged.read(file, of_words=True)


def is_label(text: str) -> bool:
    """Return whether a tag can hold the name of an entity."""
    return LABEL.fullmatch(text) is not None


def write(corpus: Corpus, **chosen: str) -> Iterator[Written]:
    """Yield the file of a corpus."""
    options = export_options(chosen)
    lines = (
        as_text(document, tags=options.tags) + "\n"
        for _, document in exported_documents(relabelled(corpus, is_label), options)
    )
    yield "corpus.txt", "".join(lines).encode(errors="surrogateescape")


def export_options(chosen: Mapping[str, str]) -> ExportOptions:
    """Return the options that follow the name of the format."""
    return ExportOptions(
        zeros=chosen.get("zeros") == "keep",
        sequential=chosen.get("ids") == "sequential",
        tags=chosen.get("tags") != "none",
        forms=chosen.get("forms") != "drop",
    )


def exported_documents(corpus: Corpus, options: ExportOptions) -> Iterator[tuple[str, Exported]]:
    """Yield the name of each document, and the document as it is written."""
    for document in corpus:
        tree = _tree(document)
        _refuse_words(document, tree)
        yield document.name, exported(tree, mentions_in(corpus, document.index, tree), options)


def _tree(document: Document) -> TreeDocument:
    """Return the nodes of a document: those of its CoNLL-U lines, or words without a tree."""
    lines = document_lines(document.corpus, document.index)
    if lines is not None:
        (tree,) = parsed(lines.decode(errors="surrogateescape").replace("\r\n", "\n"))
        return tree
    words = document.words
    if words is None or document.corpus.document_tokens[document.index] == UNKNOWN_LENGTH:
        raise cannot(document, "its words are not known", expected="a corpus with text")
    tree = TreeDocument(name=document.name)
    for sentence in document.sentences:
        nodes = [
            Node(number=10 * number, cells=_cells(words[token]), origin=token)
            for number, token in enumerate(sentence, start=1)
        ]
        tree.sentences.append(Sentence(comments=[], nodes=nodes))
    return tree


UNFIT = re.compile(r"##|_$|.*[|\x00\t\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]", re.DOTALL)
"""A word that would be taken for an empty node, for none, for a tag, or for two lines."""


def _refuse_words(document: Document, tree: TreeDocument) -> None:
    """Refuse words that could not be read back."""
    if not tree.nodes:
        raise cannot(document, "it has no words, and a line without words is a failed answer")
    if [node.form for node in tree.nodes] != document.words:
        raise cannot(
            document,
            "its words are not in the order of their numbers, by which CRAC tools sort them",
        )
    for node in tree.nodes:
        if not node.is_empty and (UNFIT.match(node.form) or not node.form.strip()):
            raise cannot(document, f"the word {node.form!r} would be read as another one")
        if not is_encodable(node.form, "surrogateescape"):
            raise cannot(document, f"the word {node.form!r} cannot be written as UTF-8")


def _cells(word: str) -> list[str]:
    cells = ["_"] * COLUMNS
    cells[FORM] = word
    return cells


def mentions_in(corpus: Corpus, number: int, document: TreeDocument) -> list[ExportedMention]:
    """Return the mentions of a document on its nodes."""
    nodes, heads = document.nodes, corpus.mention_heads
    found = []
    for row in corpus.mentions_of(number):
        tokens = [t for first, last in corpus.parts_of(row) for t in range(first, last + 1)]
        head = -1 if heads is None else int(heads[row])
        label = corpus.entity_labels[int(corpus.mention_entity[row])]
        own = [nodes[token] for token in tokens]
        found.append(ExportedMention(label, own, nodes[head] if head >= 0 else own[0]))
    return found
