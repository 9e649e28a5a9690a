"""Antecedent-based scores (ARCS): does the response tell a reader who is meant?

Tuggener (2014), Coreference Resolution Evaluation for Higher Level Applications, and the author's
tool in version 1.2. A *nominal* is a mention that is not a pronoun, which includes names; the
*anchor* of an entity is its first nominal. An anaphor is a *tp* if its antecedent is right, a *wl*
(wrong linkage) if it has another antecedent, and an *fn* if the response does not resolve it; an
*fp* is an anaphor of the response that is not one in the key. R = tp / (tp + wl + fn),
P = tp / (tp + wl + fp).

Mentions that the key cannot judge are counted on neither side, so a key scores 1 against itself.
Singletons have no anaphor; as anchors they count, unless the profile drops them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct, field

from corefscope.exceptions import InvalidInput
from corefscope.findings import Code, Finding, borrowed_layers, documents_have
from corefscope.matching.matching import Matching, SingletonRule
from corefscope.matching.overlap import Floats
from corefscope.metrics.counts import BLOCK, plain_figures, ratios
from corefscope.metrics.metric import Metric

if TYPE_CHECKING:
    from corefscope.language import LanguageCheck
    from corefscope.matching.pairs import DocumentPair, NumberedEntity


class _Side(Struct, eq=False, kw_only=True):
    """The entities of one side, and the antecedents of their mentions."""

    entities: Sequence[NumberedEntity]
    home: dict[int, int] = field(default_factory=dict)
    """The entity of each mention, by number."""
    previous: dict[int, int] = field(default_factory=dict)
    """The previous mention of each mention that is not the first of its entity."""
    nominal: dict[int, int] = field(default_factory=dict)
    """The closest nominal before each mention that comes after the anchor of its entity."""
    anchors: list[int | None] = field(default_factory=list)
    """The first nominal of each entity."""


class TextDocument(Struct, frozen=True, eq=False):
    """The two sides of one document, prepared for counting antecedents."""

    key: _Side
    response: _Side


def _side(pair: DocumentPair, entities: Sequence[NumberedEntity]) -> _Side:
    side = _Side(entities=entities)
    is_universal = pair.text is not None and pair.text.is_universal
    for number, entity in enumerate(entities):
        previous: int | None = None
        nominal: int | None = None
        anchor: int | None = None
        for mention in entity:
            side.home[mention] = number
            if previous is not None:
                side.previous[mention] = previous
            if nominal is not None:
                side.nominal[mention] = nominal
            # An English pronoun is one token, so no parse tree has to be read for longer mentions.
            start, end = pair.span(mention)
            is_short = start == end or is_universal
            if not (is_short and pair.is_pronoun(mention)):
                nominal = mention
                anchor = mention if anchor is None else anchor
            previous = mention
        side.anchors.append(anchor)
    return side


def _immediate(document: TextDocument) -> list[int]:
    """Count anaphors whose immediate antecedent, the previous mention, is the same as in the key.

    Anaphors are the mentions that are not the first of their entity. In the key, their entity must
    have an anchor, and they must not come before it, which excludes cataphoric pronouns. *tp*: the
    previous mention is the same span on both sides. *wl*: it is another span. *fn*: the response
    lacks the mention, or has it as the first of its entity. *fp*: an anaphor of the response that
    is not in the key, or is the first of its entity there. Other anaphors of the response, which
    the key has before an anchor or in an entity without one, are not counted.
    """
    key, response = document.key, document.response
    anaphors = resolved = right = 0
    for mention, previous in key.previous.items():
        anchor = key.anchors[key.home[mention]]
        if anchor is None or mention < anchor:
            continue
        anaphors += 1
        resolved += mention in response.previous
        right += response.previous.get(mention) == previous
    spurious = sum(mention not in key.previous for mention in response.previous)
    return [right, anaphors, right, resolved + spurious]


def _inferred(document: TextDocument) -> list[int]:
    """Count anaphors for which the response infers a nominal of their key entity.

    Anaphors are the mentions that come after the anchor of their entity; the others have no nominal
    to infer. *tp*: the closest nominal before it in the response is in its key entity. *wl*: that
    nominal is not in its key entity. *fn*: the response lacks the mention, or has no nominal before
    it in its entity. *fp*: the response infers a nominal, but the key has none (as in version 1.2
    of the tool; versions 1.0 and 1.1 count this as *wl* if the mention is in the key). A mention of
    the response without a nominal before it infers nothing, so it is not an *fp*.
    """
    key, response = document.key, document.response
    right = sum(
        mention in key.nominal and key.home.get(nominal) == key.home[mention]
        for mention, nominal in response.nominal.items()
    )
    return [right, len(key.nominal), right, len(response.nominal)]


def _anchor(document: TextDocument) -> list[int]:
    """Count entities whose anchor the response has, and the mentions of these entities.

    *Detection*: a key entity is found if its anchor is in a response entity. A response entity is
    paired with one key entity only: the one that starts first in the text. The denominators are the
    entities with a nominal of the key (recall) and of the response (precision). *Mentions*: the
    common mentions of these pairs, over all mentions of their key entities (recall) and of their
    response entities (precision).
    """
    key, response = document.key, document.response
    taken: set[int] = set()
    common = of_key = of_response = 0
    for number in sorted(range(len(key.entities)), key=lambda n: key.entities[n][:1]):
        anchor = key.anchors[number]
        found = None if anchor is None else response.home.get(anchor)
        if found is None or found in taken:
            continue
        taken.add(found)
        common += sum(response.home.get(mention) == found for mention in key.entities[number])
        of_key += len(key.entities[number])
        of_response += len(response.entities[found])
    detected = len(taken)
    in_key, in_response = (
        sum(anchor is not None for anchor in side.anchors) for side in (key, response)
    )
    detection = [detected, in_key, detected, in_response]
    return [*detection, common, of_key, common, of_response]


def anchor_figures(counts: Floats) -> Floats:
    """Return the harmonic mean of detection and mentions, for recall, precision and F each.

    F is the tool's F_harm, which is also the harmonic mean of the recall and precision given here.
    """
    parts = plain_figures(counts.reshape(*counts.shape[:-1], 2, BLOCK))
    detection, mentions = parts[..., 0, :], parts[..., 1, :]
    return ratios(2 * detection * mentions, detection + mentions)


class AntecedentMetric(Metric, frozen=True, kw_only=True):
    """A metric that depends on the order of mentions in the text and on which are pronouns."""

    count_document: Callable[[TextDocument], list[int]]
    """Returns the row of counts of one document."""

    def count(self, matching: Matching, singletons: SingletonRule) -> Floats:
        """Return one row of counts per document, from the texts.

        Raises
        ------
        InvalidInput
            If a document with mentions has no words.
        """
        return matching.once(count_antecedents, singletons).counts[self.id]

    def findings(self, matching: Matching, singletons: SingletonRule) -> Sequence[Finding]:
        """Return findings about layers that were missing or taken from the response."""
        return matching.once(count_antecedents, singletons).findings


IMMEDIATE = AntecedentMetric(
    id="immediate",
    name="Immediate antecedent",
    short_name="Immediate",
    count_document=_immediate,
)
INFERRED = AntecedentMetric(
    id="inferred",
    name="Inferred antecedent",
    short_name="Inferred",
    count_document=_inferred,
)
ANCHOR = AntecedentMetric(
    id="anchor",
    name="Anchor",
    figures=anchor_figures,
    parts={"detection": 0, "mentions": 1},
    is_mean=True,
    count_document=_anchor,
)
ANTECEDENT_METRICS = (IMMEDIATE, INFERRED, ANCHOR)


class AntecedentCounts(Struct, frozen=True, eq=False):
    """The counts of all antecedent metrics, and the findings about them."""

    counts: Mapping[str, Floats]
    """For each metric, one row per document of the key."""
    findings: Sequence[Finding]


def count_antecedents(matching: Matching, singletons: SingletonRule) -> AntecedentCounts:
    """Count all antecedent metrics in one pass over the texts.

    Reading the texts takes nearly all of the time, so counting only one metric is not faster.
    """
    # Loaded here because few scores need texts.
    from corefscope.language import LanguageCheck
    from corefscope.matching.pairs import document_pairs

    counts = {
        metric.id: np.zeros((len(matching.key), metric.width)) for metric in ANTECEDENT_METRICS
    }
    layers = _Layers(language=LanguageCheck())
    for pair in document_pairs(matching, singletons):
        if not pair.key and not pair.response:
            continue
        if pair.text is None:
            raise InvalidInput.of(
                Code.NO_LAYER,
                f"document {pair.name!r} has no words",
                expected="words, to recognise pronouns",
                file=matching.key.file_of(pair.number),
            )
        layers.add(pair)
        document = TextDocument(_side(pair, pair.key), _side(pair, pair.response))
        for metric in ANTECEDENT_METRICS:
            counts[metric.id][pair.number] = metric.count_document(document)
    return AntecedentCounts(counts, tuple(layers.findings(matching.key.path)))


class _Layers(Struct, kw_only=True):
    """The layers that pronouns were recognised by, in documents that have mentions."""

    language: LanguageCheck
    documents: int = 0
    untagged: int = 0
    borrowed: Counter[str] = field(default_factory=Counter)

    def add(self, pair: DocumentPair) -> None:
        self.documents += 1
        if pair.text is not None:
            self.language.add(pair.text)
        self.untagged += pair.text is not None and pair.text.tags is None
        self.borrowed.update(layer for layer in pair.borrowed if layer in ("words", "tags"))

    def findings(self, key: str | None) -> Iterator[Finding]:
        """Yield one finding per missing layer for the whole corpus."""
        if self.untagged:
            message = (
                f"{documents_have(self.untagged, self.documents)} no tags; "
                "mention types come from closed lists of words"
            )
            yield Finding(Code.NO_TEXT_LAYER, message, file=key)
        yield from borrowed_layers(self.borrowed, self.documents, key)
        yield from self.language.findings(key)
