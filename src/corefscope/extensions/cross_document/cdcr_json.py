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
from itertools import chain
from typing import Any, TypeAlias

from corefscope.findings import Code
from corefscope.formats.reading.draft import Draft, Mentions, Place, places_of
from corefscope.formats.reading.drafting import Placed, add_drafts
from corefscope.formats.reading.file import File
from corefscope.formats.reading.records import records

_Mention: TypeAlias = tuple[tuple[Place, ...], int]
"""The places of a mention and its line."""
INTEGERS = frozenset({int})
LIMIT = 10**9
"""Beyond the number of any token."""
EXPECTED = "an object with doc_id, tokens_ids (a list of numbers) and cluster_id"


def read(file: File) -> None:
    """Read the mentions of a file into the corpus."""
    add_drafts(file, _placed(file))


def _placed(file: File) -> Iterator[Placed]:
    convention = file.options.convention()
    drafts: dict[str, Draft] = {}
    entities: dict[str, dict[str, list[_Mention]]] = {}
    for value, line, _, _ in records(file):
        places = _places(value)
        if not places:
            found = f"found {reprlib.repr(value)}"
            file.report(Code.BAD_SHAPE, found, line, expected=EXPECTED)
            continue
        name = value["doc_id"]
        words = value.get("tokens")
        if isinstance(words, str) and len(words.split()) != len(value["tokens_ids"]):
            file.report(
                Code.DOUBTFUL_CONVENTION,
                f"document {name!r}: 'tokens' has {len(words.split())} words, {words[:40]!r}, and "
                f"'tokens_ids' {len(value['tokens_ids'])} numbers",
                line,
                expected="one for each word",
            )
        if name not in drafts:
            topic = str(value.get("topic", ""))
            drafts[name] = Draft(
                name=name, convention=convention, topic=topic, namespace="", line=line
            )
            entities[name] = {}
        entities[name].setdefault(str(value["cluster_id"]), []).append((places, line))
    for name, draft in drafts.items():
        draft.mentions = _table(entities[name])
        yield Placed(draft, 0, 0, partial(_without_text, name))


def _table(entities: dict[str, list[_Mention]]) -> Mentions:
    mentions = list(chain.from_iterable(entities.values()))
    flat = list(chain.from_iterable([places for places, _ in mentions]))
    has_gaps = len(flat) > len(mentions)
    return Mentions(
        labels=list(entities),
        sizes=list(map(len, entities.values())),
        places=flat,
        parts=[len(places) for places, _ in mentions] if has_gaps else (),
        lines=[line for _, line in mentions],
    )


def _without_text(name: str, _block: bytes) -> Draft:
    return Draft(name=name)


def _places(value: Any) -> tuple[Place, ...]:
    """Return the places of a mention; none if it is no mention."""
    if not isinstance(value, dict) or not isinstance(value.get("doc_id"), str):
        return ()
    tokens, label = value.get("tokens_ids"), value.get("cluster_id")
    is_label = type(label) is int or type(label) is str
    if not is_label or not isinstance(tokens, list) or not INTEGERS.issuperset(map(type, tokens)):
        return ()
    places = places_of(tokens)
    return places if places and places[0][0] >= 0 and places[-1][-1] < LIMIT else ()
