"""The scorers of shared tasks, whose own figures can be had: each an object with what is its own.

A scorer says what can be chosen under its rules, how it pairs, and how it counts, faults included.
What counts is loaded when a score needs it, because most scores are our own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeAlias

from corefscope.choices import Layer, SplitAntecedents, UaMatch, Zeros
from corefscope.findings import Finding
from corefscope.matching.matching import Matching, SingletonRule
from corefscope.matching.overlap import Floats
from corefscope.metrics import ANAPHORA, METRICS, STANDARD, Metric
from corefscope.records import dataclass

ScorerName: TypeAlias = Literal["", "corefud", "ua-1", "ua-2"]
"""The scorer of a shared task whose own figures are wanted, with its faults."""
OwnCounts: TypeAlias = Callable[[Sequence[Metric]], Mapping[str, Floats]]
"""Counts metrics by our rules: for the id of each, one row per document of the key."""
Counted: TypeAlias = tuple[Mapping[str, Floats], Sequence[Finding]]
"""The counts of metrics by id, and what there is to say about them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfficialScorer:
    """What a scorer has of its own; by default nothing, which are our own rules."""

    name: ScorerName = ""
    rules: str = "none"
    """Its rules in words."""
    match: tuple[UaMatch, ...] = ("exact", "head", "partial")
    zeros: tuple[Zeros, ...] = ("dependent", "linear", "drop")
    split_antecedents: tuple[SplitAntecedents, ...] = ("drop",)
    layer: tuple[Layer, ...] = ("identity",)
    metrics: tuple[str, ...] = tuple(id for id in METRICS if id not in ANAPHORA)
    needs_words: bool = False
    """Whether mentions must be spans of tokens."""
    ignores_words: bool = False
    """Whether it does not notice that texts differ, such as a sentence that is cut short."""
    leaves_out_missing: bool = False
    """Whether a document that the response lacks is not scored, instead of as empty."""
    joins_names: bool = False
    """Whether neighbouring documents with the same name are one."""
    is_anaphora: bool = False
    """Whether it scores Universal Anaphora, which has more than entities."""

    def __bool__(self) -> bool:
        return bool(self.name)

    def count(
        self, matching: Matching, asked: Asked, metrics: Sequence[Metric], own: OwnCounts
    ) -> Counted:
        """Return the counts of metrics, and what there is to say about them."""
        return own(metrics), ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a scorer is asked for."""

    match: UaMatch
    zeros: Zeros
    singletons: SingletonRule
    split_antecedents: SplitAntecedents
    layer: Layer


@dataclass(frozen=True, slots=True, kw_only=True)
class CorefudScorer(OfficialScorer):
    """The CorefUD scorer, whose figures are ours but for some documents."""

    def count(
        self, matching: Matching, asked: Asked, metrics: Sequence[Metric], own: OwnCounts
    ) -> Counted:
        """Return its counts, and where they differ from ours."""
        from corefscope.shared_tasks.corefud import official_counts, refused_by_scorer

        counts = own(metrics)
        official, findings = official_counts(matching, asked.singletons, metrics, counts)
        return official, [*refused_by_scorer(matching), *findings]


@dataclass(frozen=True, slots=True, kw_only=True)
class UaScorer(OfficialScorer):
    """A version of the scorer of Universal Anaphora, which counts most metrics itself."""

    version: Literal[1, 2]

    def count(
        self, matching: Matching, asked: Asked, metrics: Sequence[Metric], own: OwnCounts
    ) -> Counted:
        """Return its counts, and what is doubtful about them."""
        from corefscope.shared_tasks.universal_anaphora import (
            UaRules,
            known_metrics,
            score_universal_anaphora,
            shift_findings,
        )

        rules = UaRules(
            version=self.version,
            match=asked.match,
            singletons="drop" if asked.singletons == "drop" else "keep",
            split_antecedents=asked.split_antecedents,
            zeros="drop" if asked.zeros == "drop" else "linear",
            layer=asked.layer,
        )
        known = known_metrics(rules)
        wanted = [metric for metric in metrics if metric.id in known]
        ids = [metric.id for metric in wanted]
        found = score_universal_anaphora(matching.key, matching.response, rules, ids)
        ours = own([metric for metric in metrics if metric.id not in ids])
        counts = {
            metric.id: found.counts[metric.id] if metric.id in ids else ours[metric.id]
            for metric in metrics
        }
        return counts, (*found.findings, *shift_findings(found.shifted, wanted, found.counts))


OWN = OfficialScorer(match=("exact", "head", "partial", "min"))
_OF_UA = (*STANDARD, *ANAPHORA)
SCORERS: Mapping[str, OfficialScorer] = {
    scorer.name: scorer
    for scorer in (
        OWN,
        CorefudScorer(
            name="corefud",
            rules="the CorefUD scorer's own rules and faults",
            ignores_words=True,
            joins_names=True,
        ),
        UaScorer(
            name="ua-1",
            rules="the rules and faults of version 1 of the Universal Anaphora scorer",
            match=("exact", "min"),
            zeros=("linear",),
            split_antecedents=("keep", "drop", "only"),
            layer=("identity", "deixis"),
            metrics=_OF_UA,
            needs_words=True,
            ignores_words=True,
            leaves_out_missing=True,
            is_anaphora=True,
            version=1,
        ),
        UaScorer(
            name="ua-2",
            rules="the rules and faults of version 2 of the Universal Anaphora scorer",
            match=("exact", "partial", "craft", "head"),
            zeros=("linear", "drop"),
            split_antecedents=("keep", "drop", "only"),
            layer=("identity", "deixis"),
            metrics=_OF_UA,
            needs_words=True,
            is_anaphora=True,
            version=2,
        ),
    )
}
"""All scorers by name; the one without a name is our own."""
