"""Write corpora as WebAnno TSV 3 with a layer of chains: ``X.tsv`` for each document."""

from __future__ import annotations

import re
from collections.abc import Iterator

from corefscope.corpus import Corpus, Document
from corefscope.formats.file_names import file_names
from corefscope.formats.writing.abilities import Written
from corefscope.formats.writing.expressing import cannot, is_cell, whole_span_of
from corefscope.formats.writing.plain_text import PlainText, plain_text, seen_span

HEADER = (
    "#FORMAT=WebAnno TSV 3.3\n"
    "#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink"
    "|referenceType|referenceRelation\n\n"
)
SPECIAL = re.compile(r"([\\\[\]|_;\t\n*]|->)")
NO_TYPE = "*"
NOTHING = "_"


def write(corpus: Corpus) -> Iterator[Written]:
    """Yield the files of a corpus."""
    for document, name in zip(corpus, file_names(corpus.document_names), strict=True):
        text = plain_text(document)
        lines = HEADER + "".join(_lines(document, text))
        yield f"{name}.tsv", lines.encode()


def _lines(document: Document, text: PlainText) -> Iterator[str]:
    cells = _cells(document, text)
    units = _utf16(text.text)
    for number, sentence in enumerate(document.sentences, start=1):
        if not sentence:
            continue
        line = text.string((sentence.start, sentence.stop - 1))
        yield f"\n#Text={_one_line(line)}\n"
        for token in sentence:
            begin, end = text.characters[token]
            word = text.text[begin:end]
            if re.search(r"[\t\n\r]", word) or not word:
                raise cannot(document, f"the word {word!r} cannot stand in a table")
            types, links = zip(*cells.get(token, [(NOTHING, NOTHING)]), strict=True)
            place = f"{number}-{token - sentence.start + 1}\t{units[begin]}-{units[end]}"
            yield f"{place}\t{word}\t{'|'.join(types)}\t{'|'.join(links)}\t\n"


def _cells(document: Document, text: PlainText) -> dict[int, list[tuple[str, str]]]:
    """Return type and link of each mention that a token is in."""
    attributes = document.attributes or {}
    cells: dict[int, list[tuple[str, str]]] = {}
    for chain, entity in enumerate(document.entities, start=1):
        spans = []
        for mention in entity:
            seen_span(document, text, mention)
            spans.append(whole_span_of(document, mention))
        for link, span in enumerate(sorted(spans), start=1):
            known = attributes.get(span)
            given = known.type if known and known.type and is_cell(known.type) else ""
            type = SPECIAL.sub(r"\\\1", given) or NO_TYPE
            for token in range(span[0], span[1] + 1):
                cells.setdefault(token, []).append((f"{type}[{chain}]", f"*->{chain}-{link}"))
    return cells


def _utf16(text: str) -> list[int]:
    """Return the number of UTF-16 units before each character, and before the end."""
    units, count = [], 0
    for character in text:
        units.append(count)
        count += 1 + (character > "\uffff")
    return [*units, count]


def _one_line(text: str) -> str:
    escapes = {"\\": r"\\", "\n": r"\n", "\r": r"\r", "\t": r"\t"}
    return "".join(escapes.get(character, character) for character in text)
