"""JSON of the CRAC shared tasks' track for language models (2025, 2026), as text2text-coref has it.

An array of documents, each with `doc_id`, `tokens`, `clusters_token_offsets` (tokens of the
document from 0, ends inclusive) and `clusters_text_mentions`, the words of each mention.

- A token `##`, or `##` and a form, is an empty node: a word that is not said. Its string may be
  `_`, `##` or `##` and the form.
- In files without annotation, both fields of clusters are `null`. Such a document has no entities.
- A mention whose first token stands behind its last one is turned round, with a warning (`W231`):
  the exporter writes such mentions where several empty nodes have one place.
- Under the profiles `crac-2025` and `crac-2026`, answers are scored as the organisers do it: see
  [CRAC](../crac.md).
- Written, empty nodes stand behind what they depend on. `crac-json:zeros=keep` writes them,
  `forms=drop` without their forms, `tags=none` no mentions at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from corefscope.findings import Code
from corefscope.formats.reading.builder import Builder
from corefscope.formats.reading.draft import Draft, Mentions
from corefscope.formats.reading.drafting import read_records
from corefscope.formats.reading.options import ReadingOptions
from corefscope.formats.reading.shapes import (
    Findings,
    add_strings,
    entities_of,
    name_of,
    object_of,
    words_of,
)
from corefscope.formats.reading.source import Progress, Source

CLUSTERS = "clusters_token_offsets"
STRINGS = "clusters_text_mentions"
ZERO = "##"
"""What a token begins with that stands for a word which is not said."""
NO_FORM = "_"


def read(
    source: Source, builder: Builder, options: ReadingOptions, progress: Progress | None = None
) -> None:
    """Read all documents of a file into the builder."""
    read_records(source, builder, progress, partial(_drafts, options=options))


def _drafts(record: Any, options: ReadingOptions) -> Iterator[Draft]:
    findings: Findings = []
    fields = object_of(record)
    if CLUSTERS in fields and fields[CLUSTERS] is None:
        fields = {**fields, CLUSTERS: [], STRINGS: None}
    words = words_of(fields, "tokens")
    zeros = [token for token, word in enumerate(words) if word.startswith(ZERO)]
    mentions = entities_of(fields, CLUSTERS)
    add_strings(mentions, fields, (STRINGS,), findings)
    _turn_round(mentions, findings)
    shown = [_form(word) for word in words]
    mentions.strings = _with_forms(mentions, words, shown)
    yield Draft(
        name=name_of(fields, "doc_id"),
        mentions=mentions,
        convention=options.convention(),
        words=shown,
        zeros=zeros,
        findings=findings,
    )


def _form(word: str) -> str:
    """Return a word, or the form of an empty node."""
    return word.removeprefix(ZERO) or NO_FORM if word.startswith(ZERO) else word


def _turn_round(mentions: Mentions, findings: Findings) -> None:
    """Put first and last token of mentions in order, and report how many were not."""
    wrong = sum(place[-2] > place[-1] for place in mentions.places)
    if wrong:
        mentions.places = [(*place[:-2], *sorted(place[-2:])) for place in mentions.places]
        begins = "1 mention ends" if wrong == 1 else f"{wrong:,} mentions end"
        message = f"{begins} before its first token; the tokens are read the other way round"
        findings.append((Code.SCORER_FAILS, message))


def _with_forms(
    mentions: Mentions, words: list[str], shown: list[str]
) -> list[str | None] | tuple[()]:
    """Return the strings of mentions with the forms of empty nodes, however they are shown."""
    if not mentions.strings:
        return ()
    of_zero = {word: form for word, form in zip(words, shown, strict=True) if word != form}
    if not of_zero:
        return list(mentions.strings)
    result: list[str | None] = []
    for place, string in zip(mentions.places, mentions.strings, strict=True):
        first, last = place[-2:]
        own = words[first : last + 1] if 0 <= first <= last < len(words) else []
        given = (string or "").split(" ")
        if len(given) == len(own):
            pairs = zip(own, given, strict=True)
            given = [_same_zero(word, part, of_zero) for word, part in pairs]
        result.append(" ".join(given) if string is not None else None)
    return result


def _same_zero(word: str, given: str, of_zero: dict[str, str]) -> str:
    """Return the form of an empty node where a string shows it in any way."""
    is_shown = word in of_zero and given in (NO_FORM, ZERO, word)
    return of_zero[word] if is_shown else given
