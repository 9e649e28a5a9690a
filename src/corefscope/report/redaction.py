"""A report without words: what is quoted from the text is masked, counts and structure stay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any
from unicodedata import category

from corefscope.errors import Error
from corefscope.errors.records import Difference, MentionText, SpanError
from corefscope.findings import Finding

MASKED = ("L", "M", "N", "So", "Cs", "Co")
"""Beginnings of the categories of characters that words are made of: letters, marks, digits, signs
that stand for letters or things, and bytes of another encoding."""
WORD_FIELDS = ("title", "names", "text", "label")
"""Fields of the other commands' JSON that quote the text, or may: files name entities by words."""


@lru_cache(maxsize=1 << 16)
def mask(text: str) -> str:
    """Return a text of the same length and look in which no word can be read."""
    return "".join(
        ("X" if c.isupper() else "x") if category(c).startswith(MASKED) else c for c in text
    )


def masked_error(error: Error) -> Error:
    """Return an error that quotes nothing; a mention without a place is known by its number."""
    masked = replace(error, mentions=tuple(map(_masked_mention, error.mentions)))
    if not isinstance(masked, SpanError):
        return masked
    return replace(
        masked,
        extra_left=_masked_difference(masked.extra_left),
        missing_left=_masked_difference(masked.missing_left),
        extra_right=_masked_difference(masked.extra_right),
        missing_right=_masked_difference(masked.missing_right),
    )


def _masked_mention(mention: MentionText) -> MentionText:
    if mention.id is not None:
        return replace(mention, id=f"#{mention.start}")
    return replace(mention, text=None if mention.text is None else mask(mention.text))


def _masked_difference(difference: Difference | None) -> Difference | None:
    return difference and replace(difference, text=mask(difference.text))


def masked_text(text: Mapping[str, Any], is_ids: bool) -> dict[str, Any]:
    """Mask the words of a document, and who says them; ids become numbers."""
    speakers = text["speakers"]
    words = text["words"]
    return {
        **text,
        "words": [f"#{i}" if is_ids else mask(word) for i, word in enumerate(words)],
        "speakers": speakers and [mask(speaker) for speaker in speakers],
    }


def without_words(value: Any, is_quoted: bool = False) -> Any:
    """Mask what another command's JSON quotes from the text."""
    if isinstance(value, dict):
        return {name: without_words(v, name in WORD_FIELDS) for name, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_words(each, is_quoted) for each in value]
    return mask(value) if is_quoted and isinstance(value, str) else value


def without_quotes(finding: Finding) -> Finding:
    """Say what was found in general: only what is said of statistics never quotes a file."""
    if finding.code.id.startswith(("W5", "E5")):
        return finding
    return replace(finding, message=finding.code.title)
