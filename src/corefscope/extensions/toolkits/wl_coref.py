"""Files of wl-coref and CAW-coref, which also Stanza's coreference model is trained with.

An object has `cased_words` (all words of the document), `sent_id` and `speaker` (one value
per word), `span_clusters` and `word_clusters`. Positions are tokens of the document from 0, and
ends are exclusive. A word of `word_clusters` is the head of the mention at the same place in
`span_clusters`. Gold files also have `pos`, `deprel` and `head`; before heads were added to
them, their mentions are in `clusters`, also with exclusive ends.

- The name of a document is `(document_id); part 000` with the number `part_id`, as in CoNLL
  files; without `part_id` it is `document_id`. wl-coref wants ids that begin with a genre, such
  as `wb_`; documents whose names differ for this reason are paired by their text.
- The conversion to heads drops gold mentions that share a head, so `span_clusters` of a gold file
  may lack mentions of the original.
- A response is read from `predicted_clusters` if documents have them, with a warning (`W110`).
  `wl-coref:FIELD` reads the mentions from another field, such as `wl-coref:clusters`.
- Stanza writes objects one after the other without a line break, which is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from corefscope.findings import Code
from corefscope.formats.reading.cluster_fields import GOLD, Chooser
from corefscope.formats.reading.draft import Draft, Mentions
from corefscope.formats.reading.drafting import Unfit
from corefscope.formats.reading.file import File
from corefscope.formats.reading.json_documents import JsonDocument, read_documents
from corefscope.formats.reading.shapes import entities_of, have_sizes, lengths_of, name_of, words_of

LAYERS = {"speaker": "speakers", "pos": "tags", "deprel": "deprels"}


def read(file: File) -> None:
    """Read all documents of a file into the corpus."""
    chooser = Chooser(file)
    if not chooser.has_gold():
        chooser.gold = GOLD
    read_documents(file, _drafts, chooser)


def _drafts(document: JsonDocument) -> Iterator[Draft]:
    fields, convention = document.fields, document.options.convention()
    words = words_of(fields, "cased_words")
    field, is_named = document.field, bool(document.options.clusters)
    if field == "span_clusters" and field not in fields and not is_named:
        field = GOLD
    if field not in fields and not is_named:
        raise Unfit("there is no 'span_clusters' or 'clusters'", expected="[[[first, end], …], …]")
    mentions = entities_of(fields, field)
    if field == "span_clusters":
        _add_heads(mentions, document, convention.base)
    numbers = document.per_token("sent_id", len(words))
    sentences = None if numbers is None else lengths_of(numbers)
    if numbers is not None and sentences is None:
        document.warn(Code.BAD_LAYER, "'sent_id' is not in order; it is left out")
    yield Draft(
        name=_name(fields),
        mentions=mentions,
        convention=convention,
        words=words,
        sentences=sentences,
        columns=_columns(document, len(words), convention.base),
        findings=document.findings,
    )


def _name(record: dict[str, Any]) -> str | None:
    name, part = name_of(record, "document_id"), record.get("part_id")
    if name is None or type(part) is not int or part < 0:
        return name
    return f"({name}); part {part:03d}"


def _add_heads(mentions: Mentions, document: JsonDocument, base: int) -> None:
    """Add the head of each mention, which is the word at the same place."""
    rows = document.fields.get("word_clusters")
    if rows is None:
        return
    if not have_sizes(rows, mentions.sizes) or not {int}.issuperset(
        map(type, chain.from_iterable(rows))
    ):
        found = "'word_clusters' does not have the shape of 'span_clusters'; it is left out"
        document.warn(Code.BAD_LAYER, found)
        return
    mentions.heads = [head - base for head in chain.from_iterable(rows)]


def _columns(document: JsonDocument, length: int, base: int) -> dict[str, list[str]]:
    found = {layer: document.texts_per_token(field, length) for field, layer in LAYERS.items()}
    columns = {layer: values for layer, values in found.items() if values is not None}
    given = document.per_token("head", length)
    if given is None:
        return columns
    heads = [-1 if head is None else head for head in given]
    if all(type(head) is int and -1 <= head < length + base for head in heads):
        columns["heads"] = [str(max(head - base, -1)) for head in heads]
    else:
        document.warn(Code.BAD_LAYER, "'head' has values that are no words; it is left out")
    return columns
