"""Mentions of cross-document coreference in JSON, as readers of ECB+ write them.

The file is a list of mentions. Each has the document (`doc_id`), the numbers of its tokens
(`tokens_ids`, a list that counts from 1), and the number of its entity (`cluster_id`).

- Only positions are known. The words of a mention are in `tokens`, but not those of the text.
- The numbers are those of the original corpus. They are the positions in the CoNLL file of the same
  data only if that file has all sentences.
- An entity with mentions in several documents has the same label in all of them, and `topic` is
  kept as the topic of the document. Each document is scored on its own (`W163`).
- Mentions may have gaps.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterator
from functools import partial
from typing import Any

from corefscope.corpus.offsets import Convention
from corefscope.findings import Code
from corefscope.formats.builder import Builder
from corefscope.formats.draft import Draft, DraftEntity, DraftMention, places_of
from corefscope.formats.drafting import Placed, add_drafts
from corefscope.formats.options import ReadingOptions
from corefscope.formats.records import records
from corefscope.formats.source import Progress, Source

CONVENTION = Convention(1, "inclusive", "token")
EXPECTED = "expected an object with doc_id, tokens_ids (a list of numbers) and cluster_id"


def read(
    source: Source, builder: Builder, options: ReadingOptions, progress: Progress | None = None
) -> None:
    """Read the mentions of a file into the builder."""
    convention = options.convention(CONVENTION)
    add_drafts(source, builder, _placed(source, builder, convention, progress))


def _placed(
    source: Source, builder: Builder, convention: Convention, progress: Progress | None
) -> Iterator[Placed]:
    drafts: dict[str, Draft] = {}
    entities: dict[str, dict[str, DraftEntity]] = {}
    for record in records(source, builder, progress):
        if not _is_mention(record.value):
            message = f"found {reprlib.repr(record.value)}; {EXPECTED}"
            builder.report(Code.BAD_SHAPE, message, source.name, record.line)
            continue
        mention: dict[str, Any] = record.value
        name, label = mention["doc_id"], str(mention["cluster_id"])
        if name not in drafts:
            topic = str(mention.get("topic", ""))
            drafts[name] = Draft(name=name, convention=convention, topic=topic, line=record.line)
            entities[name] = {}
        own = entities[name]
        if label not in own:
            own[label] = DraftEntity(label=label, mentions=[])
            drafts[name].entities.append(own[label])
        own[label].mentions.append(_mention(mention, record.line))
    for name, draft in drafts.items():
        yield Placed(draft, 0, 0, partial(_without_text, name))


def _without_text(name: str, _block: bytes) -> Draft:
    return Draft(name=name, entities=[])


def _is_mention(value: Any) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("doc_id"), str):
        return False
    tokens, label = value.get("tokens_ids"), value.get("cluster_id")
    is_label = type(label) in (int, str)
    return (
        is_label
        and isinstance(tokens, list)
        and bool(tokens)
        and {int}.issuperset(map(type, tokens))
        and 0 <= min(tokens) <= max(tokens) < 10**9
    )


def _mention(mention: dict[str, Any], line: int) -> DraftMention:
    tags = mention.get("tags")
    return DraftMention(
        places=places_of(mention["tokens_ids"]),
        type=tags if isinstance(tags, str) else None,
        line=line,
    )
