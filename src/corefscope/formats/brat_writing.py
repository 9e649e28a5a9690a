"""Write corpora as brat annotations: ``X.ann`` and ``X.txt`` for each document.

Mentions of one entity are in an ``Equiv`` line. An entity of one mention is an annotation without a
link, and with a note if no other annotation of its type is linked: without the note, nothing would
tell it from annotations that are no mentions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from corefscope.corpus import Corpus, Document
from corefscope.formats.brat import LEVEL, NO_TYPE, SINGLETON
from corefscope.formats.file_names import file_names
from corefscope.formats.writing.abilities import Written
from corefscope.formats.writing.expressing import is_encodable
from corefscope.formats.writing.plain_text import PlainText, plain_text, seen_span

TYPE = re.compile(r"[^\s;:]+")
BLANK = re.compile(r"[\n\r\t]")
BOM = "\ufeff"


def write(corpus: Corpus) -> Iterator[Written]:
    """Yield the files of a corpus."""
    for document, name in zip(corpus, file_names(corpus.document_names), strict=True):
        text = _readable(plain_text(document))
        yield f"{name}.ann", "".join(_lines(document, text)).encode()
        yield f"{name}.txt", text.text.encode()


def is_type(type: str) -> bool:
    """Return whether a type of entities is read as it is written."""
    is_read = bool(TYPE.fullmatch(type)) and not LEVEL.fullmatch(type) and type != NO_TYPE
    return is_read and is_encodable(type)


def _readable(text: PlainText) -> PlainText:
    """Return a text that does not begin with a byte-order mark, which readers would leave out."""
    if not text.text.startswith(BOM):
        return text
    return PlainText(f"\n{text.text}", [(begin + 1, end + 1) for begin, end in text.characters])


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
            type = known.type if known and known.type and is_type(known.type) else NO_TYPE
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
