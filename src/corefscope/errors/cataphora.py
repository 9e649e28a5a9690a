"""Cataphora: pronouns before the first noun of their entity (Table 9)."""

from __future__ import annotations

from collections import Counter
from enum import Enum

from corefscope.pairs import DocumentPair, Entity, Span


class Cataphora(Enum):
    """What key and response make of a pronoun, in the order of Table 9."""

    SAME = ("cataphoric", "cataphoric, same referent")
    DIFFERENT = ("cataphoric", "cataphoric, different referent")
    NOT_SEEN = ("cataphoric", "not cataphoric")
    ABSENT = ("cataphoric", "not present")
    SEEN_WRONGLY = ("not cataphoric", "cataphoric")
    SPURIOUS = ("not present", "cataphoric")


def cataphora(pair: DocumentPair) -> Counter[Cataphora]:
    """Count cataphoric pronouns of a document, boundaries mended."""
    key, response = _first_nouns(pair, pair.key), _first_nouns(pair, pair.response)
    pronouns = [mention for mention in {**key, **response} if pair.is_pronoun(mention)]
    return Counter(
        kind for mention in pronouns if (kind := _compare(mention, key, response)) is not None
    )


def _first_nouns(pair: DocumentPair, entities: list[Entity]) -> dict[Span, Span | None]:
    """Return for each mention the first noun of its entity."""
    firsts = [pair.first_np(entity) for entity in entities]
    return {m: first for entity, first in zip(entities, firsts, strict=True) for m in entity}


def _compare(
    pronoun: Span, key: dict[Span, Span | None], response: dict[Span, Span | None]
) -> Cataphora | None:
    referent, found = key.get(pronoun), response.get(pronoun)
    in_key = referent is not None and pronoun < referent
    in_response = found is not None and pronoun < found
    if in_key and in_response:
        return Cataphora.SAME if referent == found else Cataphora.DIFFERENT
    if in_key:
        return Cataphora.NOT_SEEN if pronoun in response else Cataphora.ABSENT
    if in_response:
        return Cataphora.SEEN_WRONGLY if pronoun in key else Cataphora.SPURIOUS
    return None
