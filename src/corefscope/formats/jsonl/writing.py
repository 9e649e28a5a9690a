"""Write corpora as JSON lines with doc_key, sentences and clusters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from corefscope.corpus import Document, Mention
from corefscope.corpus.mentions import is_parts
from corefscope.formats.jsonl.heads_and_nodes import written_fields
from corefscope.formats.jsonl.layers import LAYER_FIELDS
from corefscope.formats.writing.abilities import Written
from corefscope.formats.writing.expressing import all_words, json_text, span_of
from corefscope.language import read_names, says_something


def write(documents: Iterable[Document]) -> Iterator[Written]:
    """Yield the file of documents."""
    yield "corpus.jsonl", "".join(jsonl_lines(documents)).encode(errors="surrogateescape")


def jsonl_lines(documents: Iterable[Document]) -> Iterator[str]:
    """Yield one object per document: ``doc_key``, ``sentences``, ``speakers``, ``clusters``."""
    for document in documents:
        words = all_words(document)
        record: dict[str, Any] = {
            "doc_key": document.name,
            "sentences": [[words[t] for t in s] for s in document.sentences],
        }
        for field, layer in LAYER_FIELDS.items():
            values = document.layer(layer)
            if values and (layer == "speakers" or says_something(values)):
                shown = [int(v) for v in values] if layer == "heads" else values
                record[field] = [[shown[t] for t in s] for s in document.sentences]
        if names := document.names:
            found = sorted((*span, tag) for span, tag in read_names(names).types.items())
            record["ner"] = [[n for n in found if n[0] in s] for s in document.sentences]
            if not found:
                del record["ner"]
        record["clusters"] = [[_place(document, m) for m in e] for e in document.entities]
        record.update(_attributes(document))
        record.update(written_fields(document))
        yield json_text(document, record) + "\n"


def _attributes(document: Document) -> dict[str, Any]:
    """Return the fields for entity types and mention levels, in the shape of the clusters."""
    known = document.attributes
    if known is None:
        return {}
    of = [[known.get((m.start, m.end)) for m in entity] for entity in document.entities]
    types = [next((a.type for a in entity if a and a.type), None) for entity in of]
    levels = [[a.level if a else None for a in entity] for entity in of]
    return {
        **({"entity_types": types} if any(types) else {}),
        **({"mention_levels": levels} if any(map(any, levels)) else {}),
    }


def _place(document: Document, mention: Mention) -> object:
    """Return first and last token, or those of each part of a mention with gaps."""
    span = span_of(document, mention)
    return mention.parts if is_parts(mention.id) else span
