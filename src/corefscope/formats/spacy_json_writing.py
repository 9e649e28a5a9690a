"""Write corpora as spaCy's ``Doc.to_json()`` does, without spaCy.

Each entity is a group of spans ``coref_clusters_1`` and so on; the heads of its mentions are in
``coref_head_clusters_1``, one for each: a mention whose head is not known stands there itself. The
label of a span is the type of the mention. Text between tokens that is more than a space becomes a
token, as in spaCy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from corefscope.corpus import Corpus, Document
from corefscope.formats.writing.abilities import Written
from corefscope.formats.writing.expressing import cannot, json_text, said_values, whole_span_of
from corefscope.formats.writing.plain_text import PlainText, plain_text, seen_span


def write(corpus: Corpus) -> Iterator[Written]:
    """Yield the file of a corpus."""
    lines = [json_text(document, record_of(document)) for document in corpus]
    yield "corpus.jsonl", "".join(f"{line}\n" for line in lines).encode(errors="surrogateescape")


def record_of(document: Document) -> dict[str, Any]:
    """Return a document as ``Doc.to_json()`` does, with its name in ``doc_key``."""
    text = plain_text(document)
    tokens = list(_tokens(document, text))
    sentences = [
        {"start": begin, "end": end}
        for begin, end in (text.place((s.start, s.stop - 1)) for s in document.sentences if s)
    ]
    return {
        "doc_key": document.name,
        "text": text.text,
        "ents": [],
        "sents": sentences,
        "tokens": [{"id": number, **token} for number, token in enumerate(tokens)],
        "spans": _groups(document, text),
    }


def _tokens(document: Document, text: PlainText) -> Iterator[dict[str, Any]]:
    layers = {"tag": said_values(document, "tags"), "lemma": said_values(document, "lemmas")}
    end = 0
    for number, (begin, stop) in enumerate(text.characters):
        if begin >= stop or begin < end:
            raise cannot(document, f"token {number} has no characters of its own; expected some")
        yield from _blanks(text.text, end, begin, layers)
        known = {name: values[number] for name, values in layers.items() if values}
        yield {"start": begin, "end": stop, **known}
        end = stop
    yield from _blanks(text.text, end, len(text.text), layers)


def _blanks(
    text: str, end: int, begin: int, layers: Mapping[str, object]
) -> Iterator[dict[str, Any]]:
    """Yield a token for what is between two tokens, unless it is one space or nothing."""
    first = end + (text[end : end + 1] == " " and end > 0)
    if first < begin:
        # Either all tokens of a document have an attribute, or none has.
        usual = {"tag": "_SP", "lemma": text[first:begin]}
        known = {name: usual[name] for name, values in layers.items() if values}
        yield {"start": first, "end": begin, **known}


def _groups(document: Document, text: PlainText) -> dict[str, list[dict[str, Any]]]:
    attributes = document.attributes or {}
    corpus = document.corpus
    heads = corpus.mention_heads if corpus.gives_heads(document.index) else None
    rows = iter(corpus.mentions_of(document.index))
    groups: dict[str, list[dict[str, Any]]] = {}
    for number, entity in enumerate(document.entities, start=1):
        spans, of_heads, has_heads = [], [], False
        for mention, row in zip(entity, rows, strict=False):
            seen_span(document, text, mention)
            span = whole_span_of(document, mention)
            known = attributes.get(span)
            label = (known and known.type) or ""
            spans.append(_span(text, span, label))
            head = -1 if heads is None else int(heads[row])
            of_heads.append(_span(text, span if head < 0 else (head, head), label))
            has_heads |= head >= 0
        groups[f"coref_clusters_{number}"] = spans
        if has_heads:
            groups[f"coref_head_clusters_{number}"] = of_heads
    return groups


def _span(text: PlainText, span: tuple[int, int], label: str) -> dict[str, Any]:
    begin, end = text.place(span)
    return {"start": begin, "end": end, "label": label, "kb_id": ""}
