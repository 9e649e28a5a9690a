"""Small corpora with layers of Universal Dependencies, in German, Spanish and Czech.

A sentence is a block of lines: form, UPOS, FEATS, head, relation. Heads are counted in the sentence
from 1 as in CoNLL-U, 0 for the root. A line whose form begins with ``∅`` is an empty node, whose
head and relation stand in the enhanced graph; it takes no number. The sentences are our own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from msgspec.structs import replace

from corefscope.corpus import Corpus
from corefscope.corpus.layers import Attributes, MentionAttributes, TextColumns, TextLayers
from corefscope.corpus.mentions import Rows
from corefscope.corpus.words import NO_NODES, EmptyNodes

Span = tuple[int, int]
Entities = Sequence[Sequence[Span]]

GERMAN = """
Die DET Case=Nom|Definite=Def|Gender=Fem|Number=Sing|PronType=Art 2 det
Nachbarin NOUN Case=Nom|Gender=Fem|Number=Sing 5 nsubj
von ADP _ 4 case
Otto PROPN Case=Dat|Gender=Masc|Number=Sing 2 nmod
füttert VERB Mood=Ind|Number=Sing|Person=3 0 root
ihren DET Gender=Masc|Gender[psor]=Fem|Number[psor]=Sing|Person=3|Poss=Yes|PronType=Prs 7 det
Kater NOUN Case=Acc|Gender=Masc|Number=Sing 5 obj
. PUNCT _ 5 punct

Sie PRON Case=Nom|Gender=Fem|Number=Sing|Person=3|PronType=Prs 2 nsubj
mag VERB Mood=Ind|Number=Sing|Person=3 0 root
Katzen NOUN Case=Acc|Gender=Fem|Number=Plur 2 obj
und CCONJ _ 5 cc
Hunde NOUN Case=Acc|Gender=Masc|Number=Plur 3 conj
, PUNCT _ 8 punct
die PRON Case=Nom|Number=Plur|PronType=Rel 8 nsubj
schlafen VERB Mood=Ind|Number=Plur|Person=3 3 acl:relcl
. PUNCT _ 2 punct
"""
"""Tokens 0 to 7 and 8 to 16."""

SPANISH = """
Marta PROPN Gender=Fem|Number=Sing 2 nsubj
perdió VERB Mood=Ind|Number=Sing|Person=3 0 root
las DET Definite=Def|Gender=Fem|Number=Plur|PronType=Art 4 det
llaves NOUN Gender=Fem|Number=Plur 2 obj
de ADP _ 7 case
su DET Number=Sing|Person=3|Poss=Yes|PronType=Prs 7 det
casa NOUN Gender=Fem|Number=Sing 4 nmod
. PUNCT _ 2 punct

∅ PRON Gender=Fem|Number=Sing|Person=3|PronType=Prs 1 nsubj
Llamó VERB Mood=Ind|Number=Sing|Person=3 0 root
a ADP _ 4 case
su DET Number=Sing|Number[psor]=Sing|Person=3|Poss=Yes|PronType=Prs 4 det
hermano NOUN Gender=Masc|Number=Sing 1 obj
, PUNCT _ 6 punct
∅ PRON Gender=Fem|Number=Sing|Person=3|PronType=Prs 6 nsubj
esperó VERB Mood=Ind|Number=Sing|Person=3 1 conj
y CCONJ _ 8 cc
él PRON Gender=Masc|Number=Sing|Person=3|PronType=Prs 6 obl
. PUNCT _ 1 punct
"""
"""Tokens 0 to 7, and 8 to 18, of which 8 and 14 are empty nodes."""

CZECH = """
Pan NOUN Animacy=Anim|Case=Nom|Gender=Masc|Number=Sing 3 nsubj
Novák PROPN Animacy=Anim|Case=Nom|Gender=Masc|Number=Sing 1 flat
prodal VERB Gender=Masc|Number=Sing 0 root
jeho DET Gender[psor]=Masc,Neut|Number[psor]=Sing|Person=3|Poss=Yes|PronType=Prs 5 det
chalupu NOUN Case=Acc|Gender=Fem|Number=Sing 3 obj
. PUNCT _ 3 punct

∅ PRON Person=3|PronType=Prs 1 nsubj
Koupili VERB Animacy=Anim|Gender=Masc|Number=Plur 0 root
ji PRON Case=Acc|Gender=Fem|Number=Sing|Person=3|PronType=Prs 1 obj
ti DET Animacy=Anim|Case=Nom|Gender=Masc|Number=Plur|PronType=Dem 1 nsubj
dva NUM Case=Nom|Gender=Masc|Number=Dual 3 nummod
. PUNCT _ 1 punct
"""
"""Tokens 0 to 5, and 6 to 11, of which 6 is an empty node."""


@dataclass(frozen=True, slots=True, eq=False)
class InMemory(TextLayers):
    """Text layers of several documents without a file."""

    texts: Sequence[Mapping[str, list[str]]]
    ranges: Sequence[list[range]]
    said: Sequence[Attributes | None] = ()

    def text(self, document: int) -> TextColumns:
        said = self.said[document] if self.said else None
        return TextColumns(
            sentences=self.ranges[document], columns=self.texts[document], attributes=said
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What a document is made of."""

    text: str
    key: Entities
    heads: Mapping[Span, int] = field(default_factory=dict)
    """Heads that the file gives."""
    types: Sequence[str] = ()
    """The type of each entity."""


@dataclass(frozen=True, slots=True, eq=False)
class Layers:
    """A text as columns."""

    columns: dict[str, list[str]]
    sentences: list[range]
    empty: list[tuple[int, int, str]]
    """Token, sentence, and DEPS of each empty node."""


def layers_of(text: str, without: Sequence[str] = ()) -> Layers:
    """Read an example; heads become numbers of tokens in the document."""
    names = ("words", "tags", "feats", "heads", "deprels")
    columns: dict[str, list[str]] = {name: [] for name in names}
    sentences, empty = [], []
    for number, block in enumerate(text.strip().split("\n\n")):
        rows = [line.split() for line in block.split("\n")]
        begin = len(columns["words"])
        places = [begin + i for i, row in enumerate(rows) if not row[0].startswith("∅")]
        for token, row in enumerate(rows, begin):
            head = int(row[3])
            is_empty = row[0].startswith("∅")
            if is_empty:
                empty.append((token, number, f"{head}:{row[4]}"))
            place = -1 if is_empty or head == 0 else places[head - 1]
            values = (*row[:3], str(place), "_" if is_empty else row[4])
            for name, value in zip(names, values, strict=True):
                columns[name].append(value)
        sentences.append(range(begin, begin + len(rows)))
    return Layers({k: v for k, v in columns.items() if k not in without}, sentences, empty)


def corpus(documents: Mapping[str, Document], without: Sequence[str] = ()) -> Corpus:
    """Return a corpus with all layers but some."""
    read = [layers_of(document.text, without) for document in documents.values()]
    rows: list[Rows] = [
        ([len(entity) for entity in document.key], [m for entity in document.key for m in entity])
        for document in documents.values()
    ]
    plain = Corpus.from_rows(tuple(documents), rows, path="key.conllu")
    heads = [
        document.heads.get(mention, -1)
        for document in documents.values()
        for entity in document.key
        for mention in entity
    ]
    said: list[Attributes | None] = [
        {
            mention: MentionAttributes(type, None)
            for entity, type in zip(document.key, document.types, strict=True)
            for mention in entity
        }
        if document.types
        else None
        for document in documents.values()
    ]
    return replace(
        plain,
        document_tokens=np.array([len(each.columns["words"]) for each in read]),
        mention_heads=np.array(heads) if any(head >= 0 for head in heads) else None,
        empty_nodes=_empty_nodes(read),
        layers=InMemory([each.columns for each in read], [each.sentences for each in read], said),
    )


def _empty_nodes(read: Sequence[Layers]) -> EmptyNodes:
    rows = [(number, *each) for number, text in enumerate(read) for each in text.empty]
    if not rows:
        return NO_NODES
    before = [
        token - sum(other[1] < token for other in rows if other[0] == number)
        for number, token, _, _ in rows
    ]
    opens = [int(token == read[number].sentences[place].start) for number, token, place, _ in rows]
    return EmptyNodes(
        document=np.array([row[0] for row in rows]),
        token=np.array([row[1] for row in rows]),
        sentence=np.array([row[2] for row in rows]),
        words_before=np.array(before),
        opens_sentence=np.array(opens),
        order=np.ones(len(rows), dtype=np.int64),
        line=np.zeros(len(rows), dtype=np.int64),
        ids=["1.1" for _ in rows],
        dependencies=[row[3] for row in rows],
    )


KEYS: Mapping[str, Document] = {
    "german": Document(
        text=GERMAN, key=[[(0, 3), (5, 5), (8, 8)], [(3, 3)], [(10, 15), (14, 14)], [(5, 6)]]
    ),
    "spanish": Document(
        text=SPANISH,
        key=[[(0, 0), (5, 5), (8, 8), (11, 11), (14, 14)], [(2, 6)], [(11, 12), (17, 17)]],
        types=["person", "object", "person"],
    ),
    "czech": Document(text=CZECH, key=[[(0, 1), (3, 3)], [(3, 4), (8, 8)], [(6, 6), (9, 10)]]),
}
"""One document per language."""
