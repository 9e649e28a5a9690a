"""A report without words: only what is known to be harmless stays, all other text is masked.

What stays is listed: the characters that may stay in a text, the fields of JSON that never quote
one, the usual labels of named entities. A character, a field or a label that nobody thought of is
masked.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from string import punctuation
from typing import TypeVar, cast

from corefscope.error_analysis import ErrorRecord
from corefscope.error_analysis.mention_text import MentionText
from corefscope.error_analysis.records import Difference, SpanRecord
from corefscope.findings import Finding
from corefscope.serialization.common import Json
from corefscope.serialization.report import DocumentText

T = TypeVar("T")

KEPT = frozenset(" " + punctuation + "–—‘’‚“”„…«»‹›¡¿·")
"""Characters that stay: the space, and punctuation. It tells where words and sentences end."""
KEPT_FIELDS = frozenset(
    {
        *("corefscope", "schema", "signature", "profile", "mode", "heads"),
        *("key", "name", "response", "document"),
        *("entity", "side", "loses", "type", "types", "candidates", "best", "split", "holds"),
    }
)
"""Fields of other JSON whose text stays: how it was computed, names of files, systems and
documents, and the report's own names of entities and types. Files name entities by words, maybe;
such labels are masked."""
KEPT_LABELS = frozenset(
    {
        *("PERSON", "PER", "ORG", "GPE", "LOC", "FAC", "NORP", "EVENT", "PRODUCT", "WORK_OF_ART"),
        *("LAW", "LANGUAGE", "DATE", "TIME", "PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL"),
        *("MISC", "VEH", "WEA", "OTHER"),
    }
)
"""Types of named entities as corpora call them. Any other is known by its number."""


@lru_cache(maxsize=1 << 16)
def mask(text: str) -> str:
    """Return a text of the same length, with the same capitals and punctuation, and no word."""
    return "".join(c if c in KEPT else "X" if c.isupper() else "x" for c in text)


class MaskedLabels:
    """Types of named entities: the usual ones as they are, the others by number."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def shown(self, label: str) -> str:
        """Return what to show of a label; the same for the same label."""
        if not label or label in KEPT_LABELS:
            return label
        return f"type {self._numbers.setdefault(label, len(self._numbers) + 1)}"


def masked_error(error: ErrorRecord, labels: MaskedLabels) -> ErrorRecord:
    """Return an error that quotes nothing; a mention without a place is known by its number."""
    masked = replace(
        error,
        left=mask(error.left),
        right=mask(error.right),
        title=mask(error.title),
        label=mask(error.label),
        entity_type=None if error.entity_type is None else labels.shown(error.entity_type),
        mentions=tuple(map(_masked_mention, error.mentions)),
    )
    if not isinstance(masked, SpanRecord):
        return masked
    return replace(
        masked,
        extra_left=_masked_difference(masked.extra_left),
        missing_left=_masked_difference(masked.missing_left),
        extra_right=_masked_difference(masked.extra_right),
        missing_right=_masked_difference(masked.missing_right),
    )


def _masked_mention(mention: MentionText) -> MentionText:
    if not mention.is_span:
        return replace(mention, text=f"#{mention.span[0]}")
    return replace(mention, text=None if mention.text is None else mask(mention.text))


def _masked_difference(difference: Difference | None) -> Difference | None:
    return difference and replace(difference, text=mask(difference.text))


def masked_text(text: DocumentText, is_ids: bool) -> DocumentText:
    """Mask the words of a document, and who says them; ids become numbers."""
    speakers = text["speakers"]
    words = text["words"]
    return {
        **text,
        "words": [f"#{i}" if is_ids else mask(word) for i, word in enumerate(words)],
        "speakers": speakers and [mask(speaker) for speaker in speakers],
    }


def without_words(record: T) -> T:
    """Mask all text of other JSON but that of fields which never quote a text."""
    return cast(T, _masked(cast(Json, record)))


def _masked(value: Json) -> Json:
    if isinstance(value, dict):
        return {field: _masked_field(field, of_field) for field, of_field in value.items()}
    if isinstance(value, (list, tuple)):
        return [_masked(each) for each in value]
    return mask(value) if isinstance(value, str) else value


def _masked_field(field: str, value: Json) -> Json:
    """Mask the value of a field, unless it is one that stays."""
    many = value if isinstance(value, (list, tuple)) else [value]
    is_text = all(isinstance(each, str) for each in many)
    # Options are those of the report, whatever the files are.
    is_kept = field == "options" or (field in KEPT_FIELDS and is_text)
    return value if is_kept else _masked(value)


def without_quotes(finding: Finding) -> Finding:
    """Say what was found in general: only what is said of statistics never quotes a file."""
    if finding.code.id.startswith(("W5", "E5")):
        return finding
    return replace(finding, message=finding.code.title)
