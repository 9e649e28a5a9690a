"""Output of Maverick and of xCoRe.

An object has `tokens` and `clusters_token_offsets`: tokens of the document from 0, ends
inclusive. `clusters_token_text` has the words of each mention. Documents have no names, unless
`doc_id` was added.

- `clusters_char_offsets` are not used: the package adds one character at each end of a sentence,
  so that they are wrong after a blank line. Token offsets are right.
- A response is read from `predicted_clusters` if documents have them, with a warning (`W110`).
  `maverick:FIELD` reads the mentions from another field, such as gold clusters beside the output.
- xCoRe writes several documents into one object: `tokens` is a list of documents, and a mention
  is `[document, first, last]`. Each document is read on its own; an entity keeps its number in
  all of them. Links between documents do not count then (`W163`). `maverick:documents=topic` makes
  one document of each object, in which they do: read key and response in the same way.
"""

from __future__ import annotations

import reprlib
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import Any

from msgspec.structs import replace

from corefscope.exceptions import UnknownName
from corefscope.formats.reading.cluster_fields import Chooser
from corefscope.formats.reading.draft import Draft, DraftEntity, DraftMention
from corefscope.formats.reading.drafting import Unfit, read_records
from corefscope.formats.reading.file import File
from corefscope.formats.reading.options import ReadingOptions
from corefscope.formats.reading.shapes import (
    Findings,
    add_strings,
    entities_of,
    name_of,
    object_of,
    sentences_of,
    words_of,
)

CLUSTERS = "clusters_token_offsets"
STRINGS = ("clusters_token_text", "clusters_text_mentions")
DOCUMENT, TOPIC = DOCUMENTS = ("document", "topic")
"""What is read as a document of xCoRe."""


def read(file: File) -> None:
    """Read all documents of a file into the corpus."""
    if file.options.documents not in (None, *DOCUMENTS):
        raise UnknownName("choice of documents", file.options.documents, DOCUMENTS)
    chooser = Chooser(file)
    drafts = partial(_drafts, chooser=chooser, stem=file.source.stem, topics=Counter())
    read_records(file, drafts)


def _drafts(record: Any, chooser: Chooser, stem: str, topics: Counter[str]) -> Iterator[Draft]:
    """Yield the documents of a record; one that has several is the next topic."""
    findings: Findings = []
    fields = chooser.with_entities(object_of(record), findings)
    field, options = chooser.choice.field, chooser.reading.options
    tokens = fields.get("tokens")
    if isinstance(tokens, list) and tokens and isinstance(tokens[0], list):
        topics[stem] += 1
        yield from _several(fields, field, options, f"{stem}#{topics[stem]}", findings)
        return
    words = words_of(fields, "tokens")
    mentions = entities_of(fields, field)
    if field == CLUSTERS:
        add_strings(mentions, fields, STRINGS, findings)
    yield Draft(
        name=name_of(fields),
        mentions=mentions,
        convention=options.convention(),
        words=words,
        findings=findings,
    )


def _several(
    record: dict[str, Any], field: str, options: ReadingOptions, topic: str, findings: Findings
) -> Iterator[Draft]:
    """Yield the documents of a record that has several, or all of them as one."""
    documents = sentences_of(record, "tokens")
    given = entities_of(record, field, numbers=3, first="document")
    if field == CLUSTERS:
        add_strings(given, record, STRINGS, findings)
    if options.documents == TOPIC:
        yield Draft(
            name=None,
            mentions=given,
            # Mentions have the number of a document where others have that of a sentence.
            convention=replace(options.convention(), unit="sentence"),
            usual=replace(options.usual, unit="sentence"),
            words=list(chain.from_iterable(documents)),
            sentences=list(map(len, documents)),
            findings=findings,
        )
        return
    strings = given.strings or [None] * len(given.places)
    own: list[list[DraftEntity]] = [[] for _ in documents]
    for label, place, string in zip(
        given.of_mentions(given.labels), given.places, strings, strict=True
    ):
        document, first, last = place
        if not 0 <= document < len(documents):
            raise Unfit(
                f"mention {reprlib.repr(place)} of entity {label}",
                expected=f"the number of one of {len(documents)} documents first",
            )
        if not own[document] or own[document][-1].label != label:
            own[document].append(DraftEntity(label=label, mentions=[]))
        own[document][-1].mentions.append(DraftMention(places=((first, last),), string=string))
    for number, words in enumerate(documents):
        yield Draft(
            name=None,
            entities=own[number],
            convention=options.convention(),
            words=words,
            topic=topic,
            findings=[] if number else findings,
        )
