"""Masking of words in a report: everything that is not known to be harmless is masked.

The lists below say what remains: characters of texts, fields of JSON that never quote a text, and
the usual labels of named entities. Any other character, field or label is masked.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from string import punctuation
from typing import TypeVar, cast

from msgspec import to_builtins
from msgspec.structs import replace

from corefscope.corpus.mentions import Span
from corefscope.error_analysis import ErrorRecord
from corefscope.error_analysis.mention_text import MentionText
from corefscope.error_analysis.records import EdgeWords, SpanRecord
from corefscope.findings import Finding
from corefscope.matching.texts import ZERO
from corefscope.report.record import DocumentText
from corefscope.results.record import Json

T = TypeVar("T")

KEPT = frozenset(" " + punctuation + "–—‘’‚“”„…«»‹›¡¿·" + ZERO)
"""Characters that remain: the space and punctuation, which separate words and sentences, and the
sign of a zero."""
KEPT_FIELDS = frozenset(
    {
        *("corefscope", "schema", "signature", "profile", "mode", "heads"),
        *("key", "name", "response", "document", "action"),
        *("annotators", "annotator", "a", "b", "unmarked"),
        *("entity", "side", "loses", "type", "types", "candidates", "best", "split", "holds"),
    }
)
"""Fields of other JSON whose text remains: how it was computed, names of files, systems and
documents, and the report's own names of entities and types. The labels of entities in files are
masked, because they may be words of the text."""
KEPT_LABELS = frozenset(
    {
        *("PERSON", "PER", "ORG", "GPE", "LOC", "FAC", "NORP", "EVENT", "PRODUCT", "WORK_OF_ART"),
        *("LAW", "LANGUAGE", "DATE", "TIME", "PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL"),
        *("MISC", "VEH", "WEA", "OTHER"),
    }
)
"""Usual labels of named-entity types. Any other is replaced by a number."""


@lru_cache(maxsize=1 << 16)
def mask(text: str) -> str:
    """Return a text of the same length, with the same capitals and punctuation, but no words."""
    return "".join(c if c in KEPT else "X" if c.isupper() else "x" for c in text)


def masked_labels(labels: Sequence[str | None]) -> list[str | None]:
    """Replace labels of named-entity types, but for the usual ones, by numbers in their order."""
    unusual = dict.fromkeys(label for label in labels if label and label not in KEPT_LABELS)
    numbers = {label: f"type {number}" for number, label in enumerate(unusual, 1)}
    return [numbers.get(label, label) if label else label for label in labels]


def masked_error(error: ErrorRecord, spans: Sequence[Span]) -> ErrorRecord:
    """Return an error without words; ids become numbers: the places where the page shows them.

    The label of its named-entity type remains: see :func:`masked_labels`.
    """
    masked = replace(
        error,
        left=mask(error.left),
        right=mask(error.right),
        title=mask(error.title),
        label=mask(error.label),
        mentions=tuple(map(_masked_mention, error.mentions, spans)),
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


def _masked_mention(mention: MentionText, span: Span) -> MentionText:
    if mention.span is None:
        return replace(mention, text=f"#{span[0]}")
    return replace(mention, text=None if mention.text is None else mask(mention.text))


def _masked_difference(difference: EdgeWords | None) -> EdgeWords | None:
    return difference and replace(difference, text=mask(difference.text))


def masked_text(text: DocumentText, is_ids: bool) -> DocumentText:
    """Mask the words and speakers of a document; ids become numbers."""
    return replace(
        text,
        words=[f"#{i}" if is_ids else mask(word) for i, word in enumerate(text.words)],
        speakers=text.speakers and [mask(speaker) for speaker in text.speakers],
        zeros=[(token, mask(lemma)) for token, lemma in text.zeros],
    )


def without_words(record: T) -> T:
    """Mask all text of other JSON, except fields that never quote a text."""
    return cast(T, _masked(to_builtins(record)))


def _masked(value: Json) -> Json:
    if isinstance(value, dict):
        return {field: _masked_field(field, of_field) for field, of_field in value.items()}
    if isinstance(value, (list, tuple)):
        return [_masked(each) for each in value]
    return mask(value) if isinstance(value, str) else value


def _masked_field(field: str, value: Json) -> Json:
    """Mask the value of a field, unless the field remains."""
    many = value if isinstance(value, (list, tuple)) else [value]
    is_text = all(isinstance(each, str) for each in many)
    # Values of options do not come from files.
    is_kept = field == "options" or (field in KEPT_FIELDS and is_text)
    return value if is_kept else _masked(value)


def without_quotes(finding: Finding) -> Finding:
    """Replace the message of a finding by its title, unless it is about statistics.

    Only messages about statistics never quote a file.
    """
    if finding.code.id.startswith(("W5", "E5")):
        return finding
    return replace(finding, found=finding.code.title, expected=None)
