"""The rows of the table of errors, one per error."""

from __future__ import annotations

from collections.abc import Iterator

from corefscope.error_analysis.catalogue import plain
from corefscope.error_analysis.properties import ShownDocument
from corefscope.matching.pairs import DocumentPair
from corefscope.report.redaction import masked_error
from corefscope.report.texts import Places
from corefscope.results.record import Json

MOST_SPANS = 50
"""How many mentions of an error have their tokens in the table."""
PROPERTIES = (
    *("id", "type", "sentence", "left", "text", "right", "mention_type", "entity_type"),
    *("distance", "entity", "title", "group", "size", "description"),
)
"""The properties of errors that the page shows."""
ERROR_COLUMNS = ("system", "document", *PROPERTIES, "other", "start", "end", "spans", "mark")


def error_rows(
    pair: DocumentPair, description: ShownDocument, places: Places, redact: bool
) -> Iterator[dict[str, Json]]:
    """Yield the errors of a system in one document, as rows without system and document.

    ``redact`` masks words, but not the types of named entities.
    """
    for error in description.errors:
        spans = [places.of(pair, mention.number) for mention in error.mentions]
        shown = masked_error(error, spans) if redact else error
        start, end = spans[0]
        yield {
            **{name: plain(getattr(shown, name)) for name in PROPERTIES},
            "other": getattr(shown, "other", None),
            "start": start,
            "end": end,
            "spans": [list(span) for span in spans[:MOST_SPANS]],
            "mark": places.mark(error.mentions[0].where),
        }
