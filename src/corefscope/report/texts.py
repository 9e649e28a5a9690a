"""The documents of a report: words, sentences, and the entities of the key and of each system."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from corefscope.comparison import Comparison
from corefscope.corpus import Corpus
from corefscope.errors import Analysis
from corefscope.errors.analysis import entity_title
from corefscope.language import MentionType
from corefscope.metrics.ceaf import align_by_entities
from corefscope.pairs import DocumentPair, Span

TYPES = {type: number for number, type in enumerate(MentionType)}


def text_record(gold: Corpus, pair: DocumentPair) -> dict[str, Any]:
    """Return the words of a document by sentence; where there are none, a dot for each token."""
    record: dict[str, Any] = {"name": pair.name, "has_text": pair.text is not None}
    spans = [span for entity in (*pair.key, *pair.response) for span in entity]
    tokens = max((end + 1 for _, end in spans), default=0)
    if pair.ids is not None:
        words = [str(id) for id in pair.ids]
    elif pair.text is None:
        words = ["·"] * max(tokens, int(gold.document_tokens[pair.number]))
    else:
        words = list(pair.text.words)
    words += ["·"] * (tokens - len(words))
    sentences = [[0, len(words) - 1]] if words else []
    if pair.text is not None and gold.layers is not None:
        ranges = gold.layers.sentences(pair.number)
        if ranges and ranges[-1].stop == len(words):
            sentences = [[each.start, each.stop - 1] for each in ranges if each]
    speakers = gold[pair.name].layer("speakers") if pair.text is not None else None
    spoken = None
    if speakers and any(speaker not in ("-", "", "*") for speaker in speakers):
        spoken = [speakers[first] if first < len(speakers) else "-" for first, _ in sentences]
    return {**record, "words": words, "sentences": sentences, "speakers": spoken}


def entity_record(pair: DocumentPair, place: int, *, is_key: bool) -> dict[str, Any]:
    """Return an entity of the key or of the response."""
    entities, names, labels = (
        (pair.key, pair.key_names, pair.key_labels)
        if is_key
        else (pair.response, pair.response_names, pair.response_labels)
    )
    return {
        "name": names[place],
        "label": labels[place],
        "title": entity_title(pair, entities[place]),
        "mentions": [_mention(pair, span) for span in entities[place]],
    }


def _mention(pair: DocumentPair, span: Span) -> list[int | None]:
    traits = pair.traits(span)
    return [*span, TYPES[traits.type], traits.head_token]


def costs_of(analysis: Analysis) -> dict[str, dict[str, float]]:
    """Return what each entity loses of the CoNLL score, by document and name."""
    costs: dict[str, dict[str, float]] = {}
    for cost in analysis.dearest("conll", None):
        costs.setdefault(cost.document, {})[cost.entity] = cost.share
    return costs


def aligned(comparison: Comparison) -> dict[tuple[int, int], int]:
    """Return the key entity that each response entity is aligned with, by document and place."""
    overlap = comparison.overlap
    first_key = _firsts(overlap.key_document.tolist())
    first_response = _firsts(overlap.response_document.tolist())
    found = {}
    for cell in align_by_entities(overlap).tolist():
        key, response = int(overlap.key[cell]), int(overlap.response[cell])
        document = int(overlap.key_document[key])
        place = response - first_response[document]
        found[document, place] = key - first_key[document]
    return found


def _firsts(documents: Sequence[int]) -> dict[int, int]:
    """Return where the entities of each document begin."""
    firsts: dict[int, int] = {}
    for place, document in enumerate(documents):
        firsts.setdefault(document, place)
    return firsts
