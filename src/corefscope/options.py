"""Options of scoring: a profile, metrics, and how documents are paired."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import fspath
from typing import TYPE_CHECKING, Any, Literal, TypedDict, TypeVar, Unpack, cast

from msgspec import Struct, field
from msgspec.structs import replace

from corefscope.arguments import by_name
from corefscope.choices import (
    LanguageChoice,
    Match,
    OtherTokens,
    PairBy,
    ScoringOptions,
    Snap,
    UaMatch,
    Zeros,
    ZerosFrom,
    declared,
    values,
)
from corefscope.engines import known_jobs
from corefscope.exceptions import UnknownName, WrongArgument
from corefscope.matching.division import Window, windows_asked
from corefscope.matching.documents import Absent
from corefscope.matching.matching import Matching, MatchingOptions
from corefscope.metrics import (
    CONLL,
    METRICS,
    STANDARD,
    Metric,
    choose,
    ids_of,
    metric_names,
    without_text,
)
from corefscope.profiles import DEFAULT, PROFILES, Profile, named, profile_named

if TYPE_CHECKING:
    from corefscope.metrics.major import MajorEntities

T = TypeVar("T")


class ReadAs(TypedDict, total=False):
    """What of the options of scoring matters when files are read."""

    join_names: bool
    by_document: bool


class Options(Struct, frozen=True, kw_only=True):
    """Options of scoring responses against a key."""

    profile: Profile
    metrics: tuple[Metric, ...] = tuple(METRICS[id] for id in STANDARD)
    primary: str = CONLL.id
    """The statistic that verdicts are about: the CoNLL average, or else the first metric named."""
    missing: Absent = "empty"
    tokens: OtherTokens | None = None
    snap: Snap | None = None
    pair_by: PairBy = "auto"
    language: LanguageChoice = "auto"
    skeleton: str | None = None
    """The file that answers are put into, if it is not the key."""
    zeros_from: ZerosFrom = "answer"
    windows: tuple[Window, ...] = ()
    """Several sizes of windows, which are scored beside whole documents."""
    topics: Mapping[str, str] = field(default_factory=dict)
    """The topics of documents, if the key does not have them."""
    major: MajorEntities | None = None
    """The entities of the key that are also scored one by one."""
    jobs: int | None = None
    """How many processes work at the same time; None for the engine that is in force."""

    def __hash__(self) -> int:
        return hash((self.profile, self.metrics))

    @property
    def reading(self) -> ReadAs:
        """How files are read: as the scorer of the profile does, and as the level demands."""
        return {
            "join_names": self.profile.scorer.joins_names,
            "by_document": self.profile.level != "file",
        }

    @property
    def has_units(self) -> bool:
        """Whether anything but documents is scored as one."""
        return self.profile.window is not None or self.profile.level in ABOVE_DOCUMENTS

    @property
    def matching(self) -> MatchingOptions:
        """How documents and mentions are paired."""
        scorer = self.profile.scorer
        usual: OtherTokens = "ignore" if scorer.ignores_words else "carry"
        return MatchingOptions(
            missing=self.missing,
            tokens=self.tokens or usual,
            snap=self.snap,
            pair_by=self.pair_by,
            duplicates=self.profile.duplicates,
            # Minimum spans are matched by the scorers of Universal Anaphora alone.
            match="exact" if scorer.pairs_itself else cast(Match, self.profile.match),
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
    def in_documents(self) -> Options:
        """The same with documents as units."""
        level = "document" if self.profile.level in ABOVE_DOCUMENTS else self.profile.level
        profile = named(replace(self.profile, window=None, level=level))
        return replace(self, profile=profile, windows=(), major=None)

    @property
    def of_analyses(self) -> Options:
        """The same without an official scorer, whose figures no analysis can explain.

        Analyses are about mentions that have a place in the text.
        """
        return replace(self, profile=self.profile.without_scorer())


def make_options(**given: Unpack[ScoringOptions]) -> Options:
    """Return options; what is None, or not given, is taken from the profile."""
    name = given.get("profile")
    known = profile_named(DEFAULT.name if name is None else name)
    match = given.get("match")
    chosen = replace(
        known,
        singletons=_choice(given, "singletons") or known.singletons,
        singletons_in=known.singletons_in if given.get("singletons") is None else {},
        duplicates=_choice(given, "duplicates") or known.duplicates,
        match=_one_of_those("match", match or known.match, known),
        zeros=_one_of_those("zeros", given.get("zeros") or _usual_zeros(known, match), known),
        split_antecedents=_one_of_those(
            "split_antecedents", given.get("split_antecedents") or known.split_antecedents, known
        ),
        layer=_one_of_those("layer", given.get("layer") or known.layer, known),
        level=_choice(given, "level"),
    )
    windows = _windows(given)
    if len(windows) == 1:
        chosen = replace(chosen, window=windows[0])
    skeleton = given.get("skeleton")
    if skeleton is not None and not known.scorer.takes_answers:
        takers = [name for name, each in PROFILES.items() if each.scorer.takes_answers]
        raise WrongArgument(
            f"a skeleton was given under the profile {known.name}; expected {' or '.join(takers)}"
        )
    wanted_names = metric_names(given.get("metrics"))
    wanted = tuple(choose(wanted_names))
    _refuse_unknown(wanted, chosen)
    if windows or chosen.window is not None or chosen.level in ABOVE_DOCUMENTS:
        _refuse_units(wanted, known, chosen, windows)
    return Options(
        profile=named(chosen),
        metrics=wanted,
        primary=_primary(wanted, wanted_names[0]),
        windows=windows if len(windows) > 1 else (),
        topics=dict(by_name("topics", given.get("topics") or {}, "{'doc1': 'earthquakes'}")),
        major=_major(given),
        skeleton=None if skeleton is None else fspath(skeleton),
        jobs=known_jobs(given.get("jobs")),
        **{name: _choice(given, name) for name in PAIRING},
    )


def _primary(wanted: Iterable[Metric], first: str) -> str:
    is_conll = CONLL.is_known({metric.id: metric for metric in wanted})
    return CONLL.id if is_conll else ids_of(first)[0]


def _windows(given: ScoringOptions) -> tuple[Window, ...]:
    return windows_asked(given.get("window"))


def _major(given: ScoringOptions) -> MajorEntities | None:
    if given.get("major") is None:
        return None
    from corefscope.metrics.major import major_asked

    return major_asked(given["major"])


ABOVE_DOCUMENTS = ("topic", "corpus")
"""The levels that join documents."""
PAIRING = ("missing", "tokens", "snap", "pair_by", "language", "zeros_from")


def _choice(given: ScoringOptions, option: str) -> Any:
    """Return the value of an option, or its default; refuse one that it cannot have."""
    default = declared(ScoringOptions, option).default
    value = given.get(option, default)
    known = values(ScoringOptions, option)
    if value not in known and not (value is None is default):
        raise UnknownName(f"choice of {option}", str(value), known)
    return value


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
        if metric.id not in known if known else not metric.is_ours:
            ours = (id for id, each in METRICS.items() if each.is_ours)
            raise UnknownName(f"metric of {where}", metric.id, known or tuple(ours))


def _refuse_units(
    metrics: Iterable[Metric], known: Profile, chosen: Profile, windows: Sequence[Window]
) -> None:
    """Refuse what is defined for whole documents alone, and two kinds of units at once."""
    what = "levels above documents" if chosen.level in ABOVE_DOCUMENTS else "windows"
    if chosen.scorer:
        raise WrongArgument(
            f"{what} cannot be scored under the profile {chosen.name}, whose scorer has none; "
            "expected another profile, such as conll-2012 with match='head'"
        )
    if chosen.duplicates == "reference":
        raise WrongArgument(
            f"{what} cannot be combined with duplicates='reference'; expected 'first'"
        )
    if known.window is not None and windows:
        raise WrongArgument(
            f"the profile {known.name} has windows of its own; expected its name with a size, "
            f"such as {known.name}:500"
        )
    if (windows or chosen.window is not None) and chosen.level in ABOVE_DOCUMENTS:
        raise WrongArgument(
            f"windows cannot be combined with the level {chosen.level}; expected one of the two"
        )
    without_text(metrics)


def _usual_zeros(profile: Profile, match: UaMatch | None) -> Zeros:
    """Return how zeros are paired unless it is said: by dependency where heads are compared."""
    if profile.scorer or match in (None, profile.match):
        return profile.zeros
    return "linear" if match in ("exact", "min") else "dependent"
