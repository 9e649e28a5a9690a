"""What is computed, and how: a profile, metrics, and how documents are paired."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from corefscope.arguments import one_of
from corefscope.language import LanguageChoice
from corefscope.matching.documents import Absent, Missing, PairBy, Tokens
from corefscope.matching.matching import Duplicates, MatchingOptions, Singletons
from corefscope.metrics import METRICS, STANDARD, Metric, choose, metric_names
from corefscope.profiles import Profile, name_of, profile_named

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How responses are compared with a key."""

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
            tokens=self.tokens,
            pair_by=self.pair_by,
            duplicates=self.profile.duplicates,
            language=self.language,
        )


def make_options(  # noqa: PLR0913 - one for each choice
    *,
    metrics: str | Iterable[str] | None = None,
    profile: str = "conll-2012",
    singletons: Singletons | None = None,
    duplicates: Duplicates | None = None,
    missing: Missing = "empty",
    tokens: Tokens = "error",
    pair_by: PairBy = "auto",
    language: LanguageChoice = "auto",
) -> Options:
    """Put choices by name together; what is None is as the profile has it."""
    known = profile_named(profile)
    chosen = replace(
        known,
        singletons=_choice("singletons", singletons, Singletons, known.singletons),
        singletons_in=known.singletons_in if singletons is None else {},
        duplicates=_choice("duplicates", duplicates, Duplicates, known.duplicates),
    )
    return Options(
        profile=replace(chosen, name=name_of(chosen)),
        metrics=tuple(choose(metric_names(metrics))),
        missing=one_of("missing", missing, Missing),
        tokens=one_of("tokens", tokens, Tokens),
        pair_by=one_of("pair_by", pair_by, PairBy),
        language=one_of("language", language, LanguageChoice),
    )


def _choice(option: str, value: T | None, choices: object, otherwise: T) -> T:
    """Return a choice that was made, or what it is otherwise."""
    return otherwise if value is None else one_of(option, value, choices)
