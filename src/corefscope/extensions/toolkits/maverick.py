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

from msgspec.structs import replace

from corefscope.exceptions import UnknownName
from corefscope.formats.reading.cluster_fields import Chooser
from corefscope.formats.reading.draft import Draft, DraftMention, Mentions
from corefscope.formats.reading.drafting import Unfit
from corefscope.formats.reading.file import File
from corefscope.formats.reading.json_documents import JsonDocument, read_documents
from corefscope.formats.reading.shapes import name_of, sentences_of, words_of

CLUSTERS = "clusters_token_offsets"
STRINGS = ("clusters_token_text", "clusters_text_mentions")
DOCUMENT, TOPIC = DOCUMENTS = ("document", "topic")
"""What is read as a document of xCoRe."""


def read(file: File) -> None:
    """Read all documents of a file into the corpus."""
    if file.options.documents not in (None, *DOCUMENTS):
        raise UnknownName("choice of documents", file.options.documents, DOCUMENTS)
    drafts = partial(_drafts, stem=file.source.stem, topics=Counter())
    read_documents(file, drafts, Chooser(file))


def _drafts(document: JsonDocument, stem: str, topics: Counter[str]) -> Iterator[Draft]:
    """Yield the documents of a record; one that has several is the next topic."""
    tokens = document.fields.get("tokens")
    if isinstance(tokens, list) and tokens and isinstance(tokens[0], list):
        topics[stem] += 1
        yield from _several(document, f"{stem}#{topics[stem]}")
        return
    words = words_of(document.fields, "tokens")
    mentions = document.entities()
    if document.field == CLUSTERS:
        document.add_strings(mentions, *STRINGS)
    yield Draft(
        name=name_of(document.fields),
        mentions=mentions,
        convention=document.options.convention(),
        words=words,
        findings=document.findings,
    )


def _several(document: JsonDocument, topic: str) -> Iterator[Draft]:
    """Yield the documents of a record that has several, or all of them as one."""
    options = document.options
    documents = sentences_of(document.fields, "tokens")
    given = document.entities(numbers=3, first="document")
    if document.field == CLUSTERS:
        document.add_strings(given, *STRINGS)
    if options.documents == TOPIC:
        yield Draft(
            name=None,
            mentions=given,
            # Mentions have the number of a document where others have that of a sentence.
            convention=replace(options.convention(), unit="sentence"),
            usual=replace(options.usual, unit="sentence"),
            words=list(chain.from_iterable(documents)),
            sentences=list(map(len, documents)),
            findings=document.findings,
        )
        return
    strings = given.strings or [None] * len(given.places)
    own: list[dict[str, list[DraftMention]]] = [{} for _ in documents]
    for label, place, string in zip(
        given.of_mentions(given.labels), given.places, strings, strict=True
    ):
        number, first, last = place
        if not 0 <= number < len(documents):
            raise Unfit(
                f"mention {reprlib.repr(place)} of entity {label}",
                expected=f"the number of one of {len(documents)} documents first",
            )
        mention = DraftMention(places=((first, last),), string=string)
        own[number].setdefault(label, []).append(mention)
    for number, words in enumerate(documents):
        yield Draft(
            name=None,
            mentions=Mentions.of(own[number]),
            convention=options.convention(),
            words=words,
            topic=topic,
            findings=[] if number else document.findings,
        )
