"""The rows of the table of errors, one per error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from corefscope.error_analysis import DocumentAnalysis, ErrorRecord
from corefscope.error_analysis.catalogue import plain
from corefscope.report.redaction import MaskedLabels, masked_error
from corefscope.report.texts import Places
from corefscope.serialization.common import Json

MOST_SPANS = 50
"""How many mentions of an error have their tokens in the table."""
PROPERTIES = (
    *("id", "type", "sentence", "left", "text", "right", "mention_type", "entity_type"),
    *("distance", "entity", "title", "group", "size", "description"),
)
"""The properties of errors that the page shows."""
ERROR_COLUMNS = ("system", "document", *PROPERTIES, "other", "start", "end", "spans", "mark")


def error_rows(
    document: DocumentAnalysis, places: Places, labels: MaskedLabels | None
) -> Iterator[dict[str, Json]]:
    """Yield the errors of a system in one document, as rows without system and document.

    With ``labels``, which mask the types of named entities, words are masked as well.
    """
    for error in document.description.errors:
        placed = _placed(error, document, places)
        yield _row(masked_error(placed, labels) if labels else placed, places)


def _placed(error: ErrorRecord, document: DocumentAnalysis, places: Places) -> ErrorRecord:
    """Return an error with the places where the page shows its mentions."""
    if places.ids is None:
        return error
    pair = document.transformation.pair
    mentions = (replace(each, span=places.of(pair, each.span)) for each in error.mentions)
    return replace(error, mentions=tuple(mentions))


def _row(error: ErrorRecord, places: Places) -> dict[str, Json]:
    spans = error.spans()
    start, end = spans[0]
    return {
        **{name: plain(getattr(error, name)) for name in PROPERTIES},
        "other": getattr(error, "other", None),
        "start": start,
        "end": end,
        "spans": [list(span) for span in spans[:MOST_SPANS]],
        "mark": places.mark(spans[0]),
    }
