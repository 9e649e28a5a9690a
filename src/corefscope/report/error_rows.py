"""The table of all errors: one row an error, as the page filters, sorts and shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from corefscope.error_analysis import DocumentAnalysis, ErrorRecord
from corefscope.error_analysis.sentences import in_words
from corefscope.matching.pairs import DocumentPair, Span
from corefscope.rendering.errors.context import Context
from corefscope.report.redaction import MaskedLabels, mask, masked_error
from corefscope.report.texts import Places

MOST_MENTIONS = 50
"""Mentions of an error that the page knows by their place."""
CONTEXT_WIDTH = 100
"""Columns that a mention and the words around it may take."""


class DocumentErrors:
    """The errors of a system in one document, as rows."""

    def __init__(
        self,
        document: DocumentAnalysis,
        places: Places,
        context: Context,
        labels: MaskedLabels | None,
    ) -> None:
        """Take a document; where there are labels to mask, words are masked as well."""
        self.document = document
        self.places = places
        self.pair: DocumentPair = document.transformation.pair
        self.context = context
        self.labels = labels
        self.titles = {
            **dict(zip(self.pair.key_names, document.key_titles, strict=True)),
            **dict(zip(self.pair.response_names, document.response_titles, strict=True)),
        }
        self.before = _mentions_before(self.pair)

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each error."""
        return [self._row(error) for error in self.document.errors]

    def _row(self, error: ErrorRecord) -> dict[str, Any]:
        first = error.spans[0]
        before = self.before.get(first)
        types = (self.pair.traits(span).entity_type for span in error.spans)
        label = next(filter(None, types), "")
        placed = self._placed(error)
        return {
            **_record(masked_error(placed) if self.labels else placed),
            "mention_type": str(self.pair.traits(first).type),
            "entity_type": self.labels.shown(label) if self.labels else label,
            "distance": None if before is None else max(first[0] - before[1], 0),
            **self._place(first),
            "title": self._shown(self.titles[error.entity]),
        }

    def _placed(self, error: ErrorRecord) -> ErrorRecord:
        """Return an error whose mentions stand where the page shows them."""
        if self.places.ids is None:
            return error
        at = [self.places.of(self.pair, span) for span in error.spans]
        mentions = zip(error.mentions, at, strict=True)
        return replace(error, mentions=tuple(replace(m, start=s, end=e) for m, (s, e) in mentions))

    def _place(self, first: Span) -> dict[str, Any]:
        """Return the sentence of a mention, and the words around it."""
        if self.pair.ids is not None:
            return {"sentence": None, "left": "", "right": ""}
        left, _, right = self.context.around(self.document.name, first, CONTEXT_WIDTH)
        return {
            "sentence": self.context.sentence(self.document.name, first[0]),
            "left": self._shown(left.strip()),
            "right": self._shown(right.strip()),
        }

    def _shown(self, text: str) -> str:
        return mask(text) if self.labels else text


def _mentions_before(pair: DocumentPair) -> Mapping[Span, Span | None]:
    """Return the mention before each in its entity; the key's word counts, where it has both."""
    before: dict[Span, Span | None] = {}
    for entity in (*pair.response, *pair.key):
        for place, mention in enumerate(entity):
            before[mention] = entity[place - 1] if place else None
    return before


def _record(error: ErrorRecord) -> dict[str, Any]:
    """Return what an error says of itself."""
    first = error.mentions[0]
    return {
        "id": error.id,
        "type": str(error.type),
        "start": first.start,
        "end": first.end,
        "text": first.text if first.id is None else first.id,
        "entity": error.entity,
        "other": getattr(error, "other", ""),
        "group": error.group,
        "size": error.size,
        "mentions": [list(span) for span in error.spans[:MOST_MENTIONS]],
        "words": in_words(error),
    }


ERROR_COLUMNS = (
    *("id", "system", "type", "document", "sentence", "start", "end", "left", "text", "right"),
    *("mention_type", "entity_type", "distance", "entity", "title", "other", "group", "size"),
    *("mentions", "words"),
)
