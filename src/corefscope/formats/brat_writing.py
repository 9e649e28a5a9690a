"""Write corpora as brat annotations: ``X.ann`` and ``X.txt`` for each document.

Mentions of one entity are in an ``Equiv`` line. An entity of one mention is an annotation without a
link, and with a note if no other annotation of its type is linked: without the note, nothing would
tell it from annotations that are no mentions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from corefscope.corpus import Corpus, Document
from corefscope.formats.abilities import Written
from corefscope.formats.brat import SINGLETON
from corefscope.formats.expressing import cannot
from corefscope.formats.file_names import file_names
from corefscope.formats.plain_text import PlainText, plain_text, seen_span

TYPE = re.compile(r"[^\s;:]+")
BLANK = re.compile(r"[\n\r\t]")
NO_TYPE = "Mention"


def write(corpus: Corpus) -> Iterator[Written]:
    """Yield the files of a corpus."""
    for document, name in zip(corpus, file_names(corpus.document_names), strict=True):
        text = plain_text(document)
        yield f"{name}.ann", "".join(_lines(document, text)).encode()
        yield f"{name}.txt", text.text.encode()


def _lines(document: Document, text: PlainText) -> Iterator[str]:
    attributes = document.attributes or {}
    number = 0
    chains: list[list[str]] = []
    types: dict[str, str] = {}
    for entity in document.entities:
        chains.append([])
        for mention in entity:
            number += 1
            known = attributes.get(seen_span(document, text, mention))
            type = (known and known.type) or NO_TYPE
            if not TYPE.fullmatch(type):
                raise cannot(document, f"the type {type!r} cannot stand in a file of brat")
            places = ";".join(f"{begin} {end}" for begin, end in map(text.place, mention.parts))
            string = " ".join(map(text.string, mention.parts))
            string = BLANK.sub(" ", string)
            yield f"T{number}\t{type} {places}\t{string}\n"
            chains[-1].append(f"T{number}")
            types[f"T{number}"] = type
    for chain in chains:
        if len(chain) > 1:
            yield f"*\tEquiv {' '.join(chain)}\n"
    linked = {types[id] for chain in chains if len(chain) > 1 for id in chain}
    alone = [chain[0] for chain in chains if len(chain) == 1 and types[chain[0]] not in linked]
    for note, id in enumerate(alone, start=1):
        yield f"#{note}\tAnnotatorNotes {id}\t{SINGLETON}\n"
