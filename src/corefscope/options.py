"""Options of scoring: a profile, metrics, and how documents are paired."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal, TypeVar, cast

from corefscope.arguments import one_of
from corefscope.choices import (
    Duplicates,
    LanguageChoice,
    Layer,
    Match,
    Missing,
    OtherTokens,
    PairBy,
    Singletons,
    Snap,
    SplitAntecedents,
    UaMatch,
    Zeros,
)
from corefscope.exceptions import UnknownName
from corefscope.matching.documents import Absent
from corefscope.matching.matching import Matching, MatchingOptions
from corefscope.metrics import METRICS, STANDARD, Metric, choose, metric_names
from corefscope.profiles import Profile, named, profile_named
from corefscope.records import dataclass

T = TypeVar("T")
Other = TypeVar("Other")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Options of scoring responses against a key."""

    profile: Profile
    metrics: tuple[Metric, ...] = tuple(METRICS[id] for id in STANDARD)
    missing: Absent = "empty"
    tokens: OtherTokens | None = None
    snap: Snap | None = None
    pair_by: PairBy = "auto"
    language: LanguageChoice = "auto"

    @property
    def matching(self) -> MatchingOptions:
        """How documents and mentions are paired."""
        scorer = self.profile.scorer
        usual: OtherTokens = "ignore" if scorer.ignores_words else "error"
        return MatchingOptions(
            missing=self.missing,
            tokens=self.tokens or usual,
            snap=self.snap,
            pair_by=self.pair_by,
            duplicates=self.profile.duplicates,
            # Minimum spans are matched by the scorers of Universal Anaphora alone.
            match="exact" if scorer.is_anaphora else cast(Match, self.profile.match),
            zeros=self.profile.zeros,
            is_official=bool(scorer),
            needs_words=scorer.needs_words,
            language=self.language,
        )

    def as_read(self, matching: Matching) -> Options:
        """Return the same with what matters about how files were read; check the metrics again."""
        profile = self.profile.as_read(matching)
        _refuse_unknown(self.metrics, profile)
        return replace(self, profile=profile)

    @property
    def of_analyses(self) -> Options:
        """The same without an official scorer, whose figures no analysis can explain."""
        return replace(self, profile=self.profile.without_scorer())


def make_options(  # noqa: PLR0913 - the options of a profile
    *,
    metrics: str | Iterable[str] | None = None,
    profile: str = "conll-2012",
    singletons: Singletons | None = None,
    duplicates: Duplicates | None = None,
    match: Match | UaMatch | None = None,
    zeros: Zeros | None = None,
    split_antecedents: SplitAntecedents | None = None,
    layer: Layer | None = None,
    missing: Missing = "empty",
    tokens: OtherTokens | None = None,
    snap: Snap | None = None,
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
        match=_one_of_those("match", match or known.match, known),
        zeros=_one_of_those("zeros", zeros or _usual_zeros(known, match), known),
        split_antecedents=_one_of_those(
            "split_antecedents", split_antecedents or known.split_antecedents, known
        ),
        layer=_one_of_those("layer", layer or known.layer, known),
    )
    wanted = tuple(choose(metric_names(metrics)))
    _refuse_unknown(wanted, chosen)
    return Options(
        profile=named(chosen),
        metrics=wanted,
        missing=one_of("missing", missing, Missing),
        tokens=_choice("tokens", tokens, OtherTokens, None),
        snap=None if snap is None else one_of("snap", snap, Snap),
        pair_by=one_of("pair_by", pair_by, PairBy),
        language=one_of("language", language, LanguageChoice),
    )


def _one_of_those(
    option: Literal["match", "zeros", "split_antecedents", "layer"], value: T, profile: Profile
) -> T:
    """Return a choice; refuse one that the scorer of the profile does not know."""
    known = getattr(profile.scorer, option)
    if value not in known:
        raise UnknownName(f"choice of {option} under the profile {profile.name}", str(value), known)
    return value


def _refuse_unknown(metrics: Iterable[Metric], profile: Profile) -> None:
    """Refuse metrics that the rules of the profile do not define.

    The rules of the Universal Anaphora scorers define the standard metrics and their own, and no
    other scorer has the latter.
    """
    where, known = profile.name, profile.scorer.metrics
    if profile.layer == "deixis" or profile.split_antecedents == "only":
        where, known = "discourse deixis or split antecedents alone", STANDARD
    for metric in metrics:
        if metric.id not in known:
            raise UnknownName(f"metric of {where}", metric.id, known)


def _usual_zeros(profile: Profile, match: Match | UaMatch | None) -> Zeros:
    """Return how zeros are paired unless it is said: by dependency where heads are compared."""
    if profile.scorer or match in (None, profile.match):
        return profile.zeros
    return "linear" if match == "exact" else "dependent"


def _choice(option: str, value: T | None, choices: object, otherwise: Other) -> T | Other:
    """Return a valid choice, or ``otherwise`` if no choice was made."""
    return otherwise if value is None else one_of(option, value, choices)
