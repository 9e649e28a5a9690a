"""Official scorers: what a scorer of a shared task has of its own, and what the core asks of it.

A profile names its scorer. The core reads and pairs as the fields of the scorer say, and asks it to
count; what else it asks are the other methods. By default, all of them are our own rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from corefscope.choices import Layer, SplitAntecedents, UaMatch, Zeros
from corefscope.corpus import Corpus
from corefscope.findings import Finding
from corefscope.formatting import PERCENT
from corefscope.matching.matching import Matching
from corefscope.matching.overlap import Floats
from corefscope.metrics.metric import Metric

if TYPE_CHECKING:
    from corefscope.options import Options
    from corefscope.profiles import Profile
    from corefscope.scoring.scores import Scores

OwnCounts: TypeAlias = Callable[[Sequence[Metric]], Mapping[str, Floats]]
"""Counts metrics by our rules: for the id of each, one row per document of the key."""
Counted: TypeAlias = tuple[Mapping[str, Floats], Sequence[Finding]]
"""The counts of metrics by id, and what there is to say about them."""


class OfficialScorer(Struct, frozen=True, kw_only=True):
    """What a scorer has of its own; by default nothing, which are our own rules."""

    name: str = ""
    rules: str = "none"
    """Its rules in words."""
    match: tuple[UaMatch, ...] = ("exact", "head", "partial")
    zeros: tuple[Zeros, ...] = ("dependent", "linear", "drop")
    split_antecedents: tuple[SplitAntecedents, ...] = ("drop",)
    layer: tuple[Layer, ...] = ("identity",)
    metrics: tuple[str, ...] = ()
    """All that it has; by default those that we count ourselves."""
    needs_words: bool = False
    """Whether mentions must be spans of tokens."""
    ignores_words: bool = False
    """Whether it does not notice that texts differ, such as a sentence that is cut short."""
    leaves_out_missing: bool = False
    """Whether a document that the response lacks is not scored, instead of as empty."""
    joins_names: bool = False
    """Whether neighbouring documents with the same name are one."""
    takes_answers: bool = False
    """Whether it puts answers of language models into the file of the key."""
    pairs_itself: bool = False
    """Whether it pairs mentions itself, so that we only compare them exactly."""

    def __bool__(self) -> bool:
        return bool(self.name)

    def response(
        self, path: str, format: str | None, key: Corpus, options: Options
    ) -> Corpus | None:
        """Return a response that it reads in a way of its own; None if it does not."""
        return None

    def as_read(self, profile: Profile, matching: Matching) -> Profile:
        """Return its profile with what matters about how the files were read."""
        return profile

    def can_score(self, matching: Matching) -> bool:
        """Return whether its profiles are worth showing beside others."""
        return True

    def adapted(self, metric: Metric, profile: Profile) -> Metric:
        """Return a metric with its way of computing scores from counts."""
        return metric

    def count(
        self, matching: Matching, profile: Profile, metrics: Sequence[Metric], own: OwnCounts
    ) -> Counted:
        """Return the counts of metrics, and what there is to say about them."""
        return own(metrics), ()

    def completed(self, scores: Scores, matching: Matching, options: Options) -> Scores:
        """Return scores with what else it says of a response that it read itself."""
        return scores


def changed_figures(
    metrics: Sequence[Metric], official: Mapping[str, Floats], clean: Mapping[str, Floats]
) -> str:
    """Return the F1 of each metric that a fault changes: ``MUC 63.45 instead of 100.00, …``.

    Figures that are printed alike are left out; nothing if no figure differs at all.
    """
    scores = [
        (metric, metric.total(official[metric.id]), metric.total(clean[metric.id]))
        for metric in metrics
    ]
    changed = [
        (metric, found, expected)
        for metric, found, expected in scores
        if (found.recall, found.precision) != (expected.recall, expected.precision)
    ]
    shown = [
        f"{metric.name} {here} instead of {there}"
        for metric, found, expected in changed
        for here, there in [(PERCENT.shown(found.f1), PERCENT.shown(expected.f1))]
        if here != there
    ]
    return ", ".join(shown) or ("every F1 changes by less than 0.01" if changed else "")


OWN = OfficialScorer(match=("exact", "head", "partial", "min"))
