"""Antecedent-based scores (ARCS): does a reader of the response learn who is meant?

Tuggener (2014), Coreference Resolution Evaluation for Higher Level Applications, and the author's
tool in version 1.2. A *nominal* is a mention that is no pronoun, be it a name; the *anchor* of an
entity is its first nominal. Of an anaphor, *tp* says that its antecedent is right, *wl* (wrong
linkage) that it is another, *fn* that the response does not resolve it; *fp* is an anaphor of the
response that is none in the key. R = tp / (tp + wl + fn), P = tp / (tp + wl + fp).

What the key cannot judge is counted on neither side, so that a key scores 1 against itself.
Entities of one mention have no anaphor; as anchors they count unless the profile drops them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from corefscope.exceptions import InvalidInput
from corefscope.findings import Code, Finding, documents_have
from corefscope.language import LanguageCheck
from corefscope.matching.matching import Matching, SingletonRule
from corefscope.matching.overlap import Floats
from corefscope.matching.pairs import DocumentPair, Entity, document_pairs
from corefscope.matching.texts import Span
from corefscope.metrics.counts import BLOCK, plain_figures, ratios
from corefscope.metrics.metric import Metric


@dataclass(slots=True, eq=False, kw_only=True)
class _Side:
    """The entities of one side, and what comes before each of their mentions."""

    entities: Sequence[Entity]
    home: dict[Span, int] = field(default_factory=dict)
    """The entity of each mention, by number."""
    previous: dict[Span, Span] = field(default_factory=dict)
    """The mention before each one that is not the first of its entity."""
    nominal: dict[Span, Span] = field(default_factory=dict)
    """The closest nominal before each mention that comes after its anchor."""
    anchors: list[Span | None] = field(default_factory=list)
    """The first nominal of each entity."""


@dataclass(frozen=True, slots=True, eq=False)
class TextDocument:
    """One document of both sides, as antecedents are counted in it."""

    key: _Side
    response: _Side


def _side(pair: DocumentPair, entities: Sequence[Entity]) -> _Side:
    side = _Side(entities=entities)
    is_universal = pair.text is not None and pair.text.is_universal
    for number, entity in enumerate(entities):
        previous: Span | None = None
        nominal: Span | None = None
        anchor: Span | None = None
        for mention in entity:
            side.home[mention] = number
            if previous is not None:
                side.previous[mention] = previous
            if nominal is not None:
                side.nominal[mention] = nominal
            # An English pronoun is one token; so no tree is read to tell the others.
            is_short = mention[0] == mention[1] or is_universal
            if not (is_short and pair.is_pronoun(mention)):
                nominal = mention
                anchor = anchor or mention
            previous = mention
        side.anchors.append(anchor)
    return side


def _immediate(document: TextDocument) -> list[int]:
    """Count anaphors whose immediate antecedent, the mention before them, is that of the key.

    Anaphors are the mentions that are not the first of their entity. The key's are those of
    entities with a nominal, without cataphoric pronouns: the ones before the anchor. *tp*: the
    mention before it is the same span on both sides; *wl*: it is another one; *fn*: the response
    lacks the mention, or begins an entity with it. *fp*: an anaphor of the response that is not in
    the key, or is the first of its entity there. One that the key has later in its entity, but
    before the anchor or in an entity of pronouns, is not counted.
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
    """Count anaphors that the response leads to a nominal of their entity in the key.

    Anaphors are the mentions that come after the anchor of their entity: before it, and at it,
    there is no nominal to infer. *tp*: the closest nominal before it in the response is in its
    entity of the key; *wl*: that nominal is not; *fn*: the response lacks the mention, or has no
    nominal before it in its entity. *fp*: the response infers a nominal, and the key has none
    (version 1.2; 1.0 and 1.1 of the tool take this for a *wl* if the mention is in the key). A
    mention of the response with no nominal before it infers nothing, so it is no *fp*.
    """
    key, response = document.key, document.response
    right = sum(
        mention in key.nominal and key.home.get(nominal) == key.home[mention]
        for mention, nominal in response.nominal.items()
    )
    return [right, len(key.nominal), right, len(response.nominal)]


def _anchor(document: TextDocument) -> list[int]:
    """Count entities that the response has by their anchor, then the mentions of these.

    *Detection*: an entity of the key with a nominal is found if its anchor is in an entity of the
    response. One of the response stands for one of the key: of several, for that which begins
    first in the text. Recall is over the entities with a nominal of the key, precision over those
    of the response. *Mentions*: of the pairs so found, the common mentions over those of the key,
    and over those of the response.
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
    """Harmonic mean of detection and mentions, of each figure: F is the tool's F_harm.

    That F is also the harmonic mean of the recall and the precision given here.
    """
    parts = plain_figures(counts.reshape(*counts.shape[:-1], 2, BLOCK))
    detection, mentions = parts[..., 0, :], parts[..., 1, :]
    return ratios(2 * detection * mentions, detection + mentions)


@dataclass(frozen=True, slots=True, kw_only=True)
class AntecedentMetric(Metric):
    """A metric that is counted from texts: the order of mentions, and which are pronouns."""

    count_document: Callable[[TextDocument], list[int]]
    """Counts the row of one document."""

    def count(self, matching: Matching, singletons: SingletonRule) -> Floats:
        """Count one row per document from the texts.

        Raises
        ------
        InvalidInput
            If a document with mentions has no words.
        """
        return matching.once(count_antecedents, singletons).counts[self.id]

    def findings(self, matching: Matching, singletons: SingletonRule) -> Sequence[Finding]:
        """Return which layers pronouns were found by, if it was not the best one."""
        return matching.once(count_antecedents, singletons).findings


IMMEDIATE = AntecedentMetric(
    id="immediate",
    name="Immediate antecedent",
    short_name="Immediate",
    group="antecedents",
    count_document=_immediate,
)
INFERRED = AntecedentMetric(
    id="inferred",
    name="Inferred antecedent",
    short_name="Inferred",
    group="antecedents",
    count_document=_inferred,
)
ANCHOR = AntecedentMetric(
    id="anchor",
    name="Anchor",
    group="antecedents",
    figures=anchor_figures,
    parts={"detection": 0, "mentions": 1},
    is_mean=True,
    count_document=_anchor,
)
ANTECEDENT_METRICS = (IMMEDIATE, INFERRED, ANCHOR)


@dataclass(frozen=True, slots=True, eq=False)
class AntecedentCounts:
    """The counts of all antecedent metrics, and what is to be reported about them."""

    counts: Mapping[str, Floats]
    """One row per document of the key for each metric."""
    findings: Sequence[Finding]


def count_antecedents(matching: Matching, singletons: SingletonRule) -> AntecedentCounts:
    """Count all antecedent metrics in one pass over the texts.

    Reading the texts takes nearly all of the time, so that counting one metric is not faster.
    """
    counts = {
        metric.id: np.zeros((len(matching.key), metric.width)) for metric in ANTECEDENT_METRICS
    }
    layers = _Layers()
    for pair in document_pairs(matching, singletons):
        if not pair.key and not pair.response:
            continue
        if pair.text is None:
            message = f"document {pair.name!r} has no words; expected them to tell pronouns by"
            path = matching.key.file_of(pair.number)
            raise InvalidInput([Finding(Code.NO_HEAD_LAYER, message, file=path)])
        layers.add(pair)
        document = TextDocument(_side(pair, pair.key), _side(pair, pair.response))
        for metric in ANTECEDENT_METRICS:
            counts[metric.id][pair.number] = metric.count_document(document)
    return AntecedentCounts(counts, tuple(layers.findings(matching.key.path)))


@dataclass(slots=True, kw_only=True)
class _Layers:
    """What pronouns were told by, in documents that have mentions."""

    documents: int = 0
    untagged: int = 0
    borrowed: Counter[str] = field(default_factory=Counter)
    language: LanguageCheck = field(default_factory=LanguageCheck)

    def add(self, pair: DocumentPair) -> None:
        self.documents += 1
        if pair.text is not None:
            self.language.add(pair.text)
        self.untagged += pair.text is not None and pair.text.tags is None
        self.borrowed.update(layer for layer in pair.borrowed if layer in ("words", "tags"))

    def findings(self, key: str | None) -> Iterator[Finding]:
        """Report what is missing once for the corpus."""
        if self.untagged:
            message = (
                f"{documents_have(self.untagged, self.documents)} no tags; "
                "mention types are found by closed lists of words"
            )
            yield Finding(Code.NO_TAGS, message, file=key)
        for layer, count in self.borrowed.items():
            message = (
                f"{documents_have(count, self.documents)} no {layer} in the key; "
                "those of the response are used"
            )
            yield Finding(Code.BORROWED, message, file=key)
        yield from self.language.findings(key)
