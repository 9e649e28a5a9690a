"""spaCy documents as JSON: what `Doc.to_json()` returns.

An object has `text`, `tokens` and `spans`. Entities are the groups of spans that are named
`coref_clusters_1`, `coref_clusters_2` and so on, as spacy-experimental names them. All positions
are characters (Unicode code points) from 0, and ends are exclusive. The label of a span is the type
of its entity. Sentences are read from `sents`, if the document has them.

- Blank lines are tokens in spaCy. They are left out, so that tokens are those of other formats.
- `coref_head_clusters_1` and so on are heads, not mentions. They are not read.
- Documents have no name; several in one file are numbered, and paired by their text.
- The number of a group means nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from corefscope.corpus.offsets import Convention
from corefscope.formats.builder import Builder
from corefscope.formats.draft import Draft, DraftEntity, DraftMention
from corefscope.formats.drafting import Unfit, read_records
from corefscope.formats.options import ReadingOptions
from corefscope.formats.shapes import list_of, name_of, object_of
from corefscope.formats.source import Progress, Source

CONVENTION = Convention(0, "exclusive", "character")
GROUP = re.compile(r"coref_clusters_(\d+)")
HEADS = re.compile(r"coref_head_clusters_\d+")
LAYERS = {"tag": "tags", "lemma": "lemmas"}


def read(
    source: Source, builder: Builder, options: ReadingOptions, progress: Progress | None = None
) -> None:
    """Read all documents of a file into the builder."""
    read_records(source, builder, progress, partial(_drafts, options=options))


def _drafts(record: Any, options: ReadingOptions) -> Iterator[Draft]:
    fields = object_of(record)
    text = fields.get("text")
    if not isinstance(text, str):
        raise Unfit("there is no 'text'; expected the text of the document")
    tokens = [object_of(token) for token in list_of(fields, "tokens", "a list of tokens")]
    pairs = [_pair(token, len(text)) for token in tokens]
    kept = [number for number, (begin, end) in enumerate(pairs) if text[begin:end].strip()]
    characters = [pairs[number] for number in kept]
    if any(before > begin for (_, before), (begin, _) in pairwise(characters)):
        raise Unfit("'tokens' are not in order; expected tokens one after the other")
    yield Draft(
        name=name_of(fields, "doc_key", "doc_id"),
        entities=_entities(fields.get("spans")),
        convention=options.convention(CONVENTION),
        text=text,
        words=[text[begin:end] for begin, end in characters],
        characters=characters,
        sentences=_sentences(fields.get("sents"), characters),
        columns={
            layer: [tokens[number][field] for number in kept]
            for field, layer in LAYERS.items()
            if tokens and all(isinstance(token.get(field), str) for token in tokens)
        },
    )


def _pair(given: dict[str, Any], length: int) -> tuple[int, int]:
    begin, end = given.get("start"), given.get("end")
    if type(begin) is not int or type(end) is not int or not 0 <= begin <= end <= length:
        raise Unfit(f"a token has {begin!r} and {end!r}; expected 'start' and 'end' in the text")
    return begin, end


def _entities(spans: Any) -> list[DraftEntity]:
    groups = object_of(spans)
    found = []
    for name in groups:
        group = GROUP.fullmatch(name)
        if group is None:
            continue
        mentions = [object_of(span) for span in list_of(groups, name, "a list of spans")]
        labels = [span.get("label") for span in mentions]
        found.append(
            DraftEntity(
                label=group[1],
                mentions=[DraftMention(places=(_place(span, name),)) for span in mentions],
                type=next((label for label in labels if isinstance(label, str) and label), None),
            )
        )
    if not found and any(map(HEADS.fullmatch, groups)):
        raise Unfit(
            "there are heads of mentions, but no mentions; expected groups such as "
            "'coref_clusters_1': run the span resolver"
        )
    return found


def _place(span: dict[str, Any], name: str) -> tuple[int, int]:
    begin, end = span.get("start"), span.get("end")
    if type(begin) is not int or type(end) is not int:
        raise Unfit(f"a span of {name!r} has {begin!r} and {end!r}; expected 'start' and 'end'")
    return begin, end


def _sentences(given: Any, characters: Sequence[tuple[int, int]]) -> list[int] | None:
    """Return the lengths of the sentences, if there are some."""
    if not isinstance(given, list) or not given:
        return None
    ends = [
        sentence["end"]
        for sentence in given
        if isinstance(sentence, dict) and type(sentence.get("end")) is int
    ]
    if len(ends) < len(given) or ends != sorted(ends):
        return None
    begins = [begin for begin, _ in characters]
    places = [0, *(bisect_left(begins, end) for end in ends[:-1]), len(begins)]
    return [after - before for before, after in pairwise(places)]
