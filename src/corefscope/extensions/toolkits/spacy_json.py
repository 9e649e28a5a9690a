"""spaCy documents as JSON: what `Doc.to_json()` returns.

An object has `text`, `tokens` and `spans`. Entities are the groups of spans that are named
`coref_clusters_1`, `coref_clusters_2` and so on, as spacy-experimental names them. All positions
are characters (Unicode code points) from 0, and ends are exclusive. The label of a span is the type
of the mention. Sentences are read from `sents`, if the document has them.

- A document without `spans` has no mentions: spaCy leaves the field out.
- Blank lines are tokens in spaCy. They are left out, so that tokens are those of other formats.
- `coref_head_clusters_1` and so on have the heads of the mentions, in the same order. If such a
  span has several tokens, the head of its mention is not known.
- Documents have no name; several in one file are numbered, and paired by their text.
- The number of a group means nothing.
- If there are also groups such as `gold_clusters_1`, a key is read from them, and a response from
  `coref_clusters_1` and so on. You get a warning (`W110`). A document without the groups that are
  read has no entities. `spacy-json:gold_clusters` chooses groups.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from operator import le
from typing import Any

import numpy as np
from msgspec.structs import replace

from corefscope.findings import Code, Finding
from corefscope.formats.reading.cluster_fields import (
    SPAN_GROUP,
    USUAL_GROUPS,
    chosen_groups,
    unnumbered_groups,
)
from corefscope.formats.reading.draft import Draft, Mentions
from corefscope.formats.reading.drafting import Unfit
from corefscope.formats.reading.file import File
from corefscope.formats.reading.json_documents import JsonDocument, read_documents
from corefscope.formats.reading.options import ReadingOptions
from corefscope.formats.reading.shapes import (
    are_words,
    list_of,
    name_of,
    object_of,
    refuse_misspelt,
)
from corefscope.formats.reading.source import Source
from corefscope.formats.reading.units import locate

NUMBERED = re.compile(rb'_\d+"\s*:')
"""The end of the name of a group, and of few other fields."""
HEADS = re.compile(r"coref_head_clusters_\d+")
LAYERS = {"tag": "tags", "lemma": "lemmas"}


def read(file: File) -> None:
    """Read all documents of a file into the corpus."""
    chooser = _Groups(file.source, file.options)
    read_documents(file, partial(_drafts, chooser=chooser))


class _Groups:
    """Chooses between groups of spans, such as gold and predicted ones, and warns once."""

    def __init__(self, source: Source, options: ReadingOptions) -> None:
        names = () if options.clusters else _groups_in(source)
        choice = chosen_groups(names, options, "use the format 'spacy-json:{}'")
        self.prefix = choice.prefix or USUAL_GROUPS
        self.doubt = choice.doubt

    def say(self, groups: Iterable[str], findings: list[Finding]) -> None:
        """Report the choice with the first document that has one of the groups."""
        if self.doubt is not None and any(map(SPAN_GROUP.fullmatch, groups)):
            findings.append(self.doubt)
            self.doubt = None


def _groups_in(source: Source) -> Iterator[str]:
    """Yield the names of the groups in a file that may be entities.

    Some documents may lack gold or predicted entities. To parse all of them twice would take long.
    """
    prefixes: dict[bytes, None] = {}
    for _, block in source.blocks():
        for end in NUMBERED.finditer(block):
            begin = block.rfind(b'"', 0, end.start()) + 1
            prefixes[block[begin : end.start()]] = None
    yield from (f"{prefix.decode(errors='replace')}_1" for prefix in prefixes)


def _drafts(document: JsonDocument, chooser: _Groups) -> Iterator[Draft]:
    fields = document.fields
    text = fields.get("text")
    if not isinstance(text, str):
        raise Unfit("there is no 'text'", expected="the text of the document")
    tokens = list_of(fields, "tokens", "a list of tokens")
    edges = [_pair(object_of(token), len(text)) for token in tokens]
    begins, ends = [begin for begin, _ in edges], [end for _, end in edges]
    words = [text[begin:end] for begin, end in zip(begins, ends, strict=True)]
    # Few documents have blank tokens.
    if any(map(str.isspace, words)) or "" in words:
        kept = [number for number, word in enumerate(words) if word.strip()]
        tokens, words = [tokens[n] for n in kept], [words[n] for n in kept]
        begins, ends = [begins[n] for n in kept], [ends[n] for n in kept]
    if not all(map(le, ends, begins[1:])):
        raise Unfit("'tokens' are not in order", expected="tokens one after the other")
    refuse_misspelt(fields, "spans")
    groups = object_of(fields.get("spans", {}))
    draft = Draft(
        name=name_of(fields),
        mentions=_mentions(groups, chooser, document.findings),
        convention=document.options.convention(),
        text=text,
        words=words,
        characters=list(zip(begins, ends, strict=True)),
        sentences=_sentences(fields.get("sents"), begins),
        complete=partial(_add_layers, tokens),
        findings=document.findings,
    )
    if any(map(HEADS.fullmatch, groups)):
        _add_heads(draft, groups)
    yield draft


def _add_layers(tokens: Sequence[dict[str, Any]], draft: Draft) -> None:
    for field, layer in LAYERS.items():
        values: list[Any] = [token.get(field) for token in tokens]
        if values and are_words(values):
            draft.columns[layer] = values


def _pair(given: dict[str, Any], length: int) -> tuple[int, int]:
    begin, end = given.get("start"), given.get("end")
    if type(begin) is not int or type(end) is not int or not 0 <= begin <= end <= length:
        raise Unfit(f"a token has {begin!r} and {end!r}", expected="'start' and 'end' in the text")
    return begin, end


def _mentions(groups: dict[str, Any], chooser: _Groups, findings: list[Finding]) -> Mentions:
    chooser.say(groups, findings)
    findings += unnumbered_groups(groups)
    found = {
        match[2]: _spans(groups, name)
        for name in groups
        if (match := SPAN_GROUP.fullmatch(name)) and match[1] == chooser.prefix
    }
    if not found and chooser.prefix == USUAL_GROUPS and any(map(HEADS.fullmatch, groups)):
        raise Unfit(
            "there are heads of mentions, but no mentions",
            expected="groups such as 'coref_clusters_1': run the span resolver",
        )
    return Mentions(
        labels=list(found),
        sizes=list(map(len, found.values())),
        places=[
            _place(span, f"{chooser.prefix}_{label}")
            for label, group in found.items()
            for span in group
        ],
        types=[_type(span) for group in found.values() for span in group],
    )


def _spans(groups: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return [object_of(span) for span in list_of(groups, name, "a list of spans")]


def _type(span: dict[str, Any]) -> str | None:
    """Return the label of a span, if it has one."""
    label = span.get("label")
    return label if isinstance(label, str) and label else None


def _add_heads(draft: Draft, groups: dict[str, Any]) -> None:
    """Add the heads of the mentions, which stand in groups of their own, in the same order."""
    table = draft.mentions
    given: list[tuple[int, int] | None] = []
    for label, size in zip(table.labels, table.sizes, strict=True):
        name = f"coref_head_clusters_{label}"
        spans = _spans(groups, name) if name in groups else []
        if len(spans) == size:
            given += [_place(span, name) for span in spans]
            continue
        given += [None] * size
        if spans:
            draft.findings.append(other_number(name, len(spans), size))
    places = [place for place in given if place is not None]
    heads = Mentions(labels=["heads"], sizes=[len(places)], places=places)
    located = locate(replace(draft, mentions=heads))
    if located.findings:
        draft.findings.append(
            Finding(
                Code.BAD_LAYER,
                "the heads of mentions are not tokens",
                expected="one token each: they are left out",
            )
        )
        return
    first, last, _ = located.edges
    found = iter(np.where(first == last, first, -1).tolist())
    numbers = [-1 if place is None else next(found) for place in given]
    table.heads = [None if number < 0 else number for number in numbers]


def other_number(name: str, heads: int, mentions: int) -> Finding:
    """Return that a group has another number of heads than its entity has mentions."""
    return Finding(
        Code.BAD_LAYER,
        f"the group of spans {name!r} has {heads} heads",
        expected=f"{mentions}, one for each mention of the entity: they are left out",
    )


def _place(span: dict[str, Any], name: str) -> tuple[int, int]:
    begin, end = span.get("start"), span.get("end")
    if type(begin) is not int or type(end) is not int:
        raise Unfit(f"a span of {name!r} has {begin!r} and {end!r}", expected="'start' and 'end'")
    return begin, end


def _sentences(given: Any, begins: Sequence[int]) -> list[int] | None:
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
    places = [0, *(bisect_left(begins, end) for end in ends[:-1]), len(begins)]
    return [after - before for before, after in pairwise(places)]


# ---- Writing ----
