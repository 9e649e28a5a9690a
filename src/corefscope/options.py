"""Options of scoring: a profile, metrics, and how documents are paired."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from corefscope.arguments import one_of
from corefscope.language import LanguageChoice
from corefscope.matching.documents import Absent, Missing, PairBy, Tokens
from corefscope.matching.matching import Duplicates, MatchingOptions, Singletons
from corefscope.matching.stages import Match, Zeros
from corefscope.metrics import METRICS, STANDARD, Metric, choose, metric_names
from corefscope.profiles import Profile, name_of, profile_named

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Options of scoring responses against a key."""

    profile: Profile
    metrics: tuple[Metric, ...] = tuple(METRICS[id] for id in STANDARD)
    missing: Absent = "empty"
    tokens: Tokens = "error"
    pair_by: PairBy = "auto"
    language: LanguageChoice = "auto"

    @property
    def matching(self) -> MatchingOptions:
        """How documents and mentions are paired."""
        return MatchingOptions(
            missing=self.missing,
            # The official scorer does not notice that a sentence is cut short.
            tokens="ignore" if self.profile.scorer == "corefud" else self.tokens,
            pair_by=self.pair_by,
            duplicates=self.profile.duplicates,
            match=self.profile.match,
            zeros=self.profile.zeros,
            scorer=self.profile.scorer,
            language=self.language,
        )


def make_options(  # noqa: PLR0913 - the options of a profile
    *,
    metrics: str | Iterable[str] | None = None,
    profile: str = "conll-2012",
    singletons: Singletons | None = None,
    duplicates: Duplicates | None = None,
    match: Match | None = None,
    zeros: Zeros | None = None,
    missing: Missing = "empty",
    tokens: Tokens = "error",
    pair_by: PairBy = "auto",
    language: LanguageChoice = "auto",
) -> Options:
    """Return options; what is None is taken from the profile."""
    known = profile_named(profile)
    chosen = replace(
        known,
        singletons=_choice("singletons", singletons, Singletons, known.singletons),
        singletons_in=known.singletons_in if singletons is None else {},
        duplicates=_choice("duplicates", duplicates, Duplicates, known.duplicates),
        match=_choice("match", match, Match, known.match),
        zeros=_choice("zeros", zeros, Zeros, _usual_zeros(known, match)),
    )
    return Options(
        profile=replace(chosen, name=name_of(chosen)),
        metrics=tuple(choose(metric_names(metrics))),
        missing=one_of("missing", missing, Missing),
        tokens=one_of("tokens", tokens, Tokens),
        pair_by=one_of("pair_by", pair_by, PairBy),
        language=one_of("language", language, LanguageChoice),
    )


def _usual_zeros(profile: Profile, match: Match | None) -> Zeros:
    """Return how zeros are paired unless it is said: by dependency where heads are compared."""
    if profile.scorer or match in (None, profile.match):
        return profile.zeros
    return "linear" if match == "exact" else "dependent"


def _choice(option: str, value: T | None, choices: object, otherwise: T) -> T:
    """Return a valid choice, or ``otherwise`` if no choice was made."""
    return otherwise if value is None else one_of(option, value, choices)
