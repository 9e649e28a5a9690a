"""Profiles: named scoring protocols, and the signature that identifies them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Literal, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from corefscope.choices import (
    Duplicates,
    HeadSource,
    Layer,
    Level,
    SplitAntecedents,
    UaMatch,
    Zeros,
)
from corefscope.exceptions import UnknownName
from corefscope.extending import Registry
from corefscope.matching.division import Window, windows_asked
from corefscope.matching.matching import Matching, SingletonRule
from corefscope.metrics import METRICS, Metric
from corefscope.metrics.blanc import BLANC, figures_of_both_sides
from corefscope.metrics.counts import Average
from corefscope.official import OWN, OfficialScorer
from corefscope.version import __version__

BlancKinds: TypeAlias = Literal["key", "both"]
"""BLANC is the mean over the kinds of links that the key has, or that either side has."""
Copies: TypeAlias = Duplicates | Literal["all"]
"""Which copies of a repeated mention count: as was asked for, or all of them."""


class Profile(Struct, frozen=True, kw_only=True):
    """A scoring protocol: the rules that scores depend on, besides the metrics."""

    name: str
    meaning: str
    used_by: str = ""
    """Tools and shared tasks that use this protocol."""
    limits: str = ""
    """What the profile cannot reproduce."""
    scorer: OfficialScorer = OWN
    """The scorer of a shared task whose figures are given, with its faults."""
    match: UaMatch = "exact"
    """The criterion of mention matching."""
    zeros: Zeros = "linear"
    """How zeros are matched: by what they depend on, or by position."""
    split_antecedents: SplitAntecedents = "drop"
    """Whether split antecedents count, which only the Universal Anaphora scorers know."""
    layer: Layer = "identity"
    """Which layer of Universal Anaphora is scored."""
    singletons: SingletonRule = "keep"
    """How to treat singletons."""
    singletons_in: Mapping[str, SingletonRule] = field(default_factory=dict)
    """Metrics that treat singletons differently."""
    duplicates: Duplicates = "first"
    """How to treat a mention that is annotated twice on one side."""
    average: Average = "micro"
    """How documents are combined."""
    level: Level = "file"
    """What is scored as one."""
    window: Window | None = None
    """How documents are cut into windows, if these are scored as documents are."""
    empty: Literal["zero"] = "zero"
    """The value of 0/0."""
    blanc: BlancKinds = "key"
    """The kinds of links that BLANC is the mean over."""
    marks: tuple[tuple[str, str], ...] = ()
    """What else the signature says: how documents and tokens were paired, if not as usual."""
    head: HeadSource = "file"
    """Where CorefUD files give heads: their field for heads, or minimal spans, if told so."""
    rounding: Literal["nearest"] = "nearest"
    """How printed figures are rounded; the reference scorer's own output truncates them."""

    @property
    def copies(self) -> Copies:
        """Which copies of a repeated mention count: all of them in an official scorer."""
        return "all" if self.scorer and self.duplicates == "first" else self.duplicates

    def as_read(self, matching: Matching) -> Profile:
        """Return the profile with what matters about how the files were read: heads and layer."""
        own = self.scorer.as_read(self, matching)
        return replace(own, head=matching.head_source, marks=matching.marks)

    def without_scorer(self) -> Profile:
        """Return what our own rules share with an official scorer: matching, zeros, singletons."""
        if not self.scorer:
            return self
        match = "exact" if self.scorer.pairs_itself else self.match
        shared = replace(
            self, scorer=OWN, match=match, split_antecedents="drop", layer="identity", name="custom"
        )
        return named(shared)

    def singleton_rule(self, metric: str) -> SingletonRule:
        """Return how a metric treats singletons."""
        return self.singletons_in.get(metric, self.singletons)

    def adapted(self, metric: Metric) -> Metric:
        """Return the metric with this protocol's way of computing scores from counts."""
        if metric.id == BLANC.id and self.blanc == "both":
            metric = replace(metric, figures=figures_of_both_sides)
        return self.scorer.adapted(metric, self)

    def signature(self, documents: int, skipped: int = 0) -> str:
        """Return the line that identifies the protocol; :func:`parse_signature` parses it.

        ``skipped`` is the number of unreadable response files that were left out.
        """
        is_by_head = self.match in ("head", "partial") and not self.scorer.pairs_itself
        has_splits = len(self.scorer.split_antecedents) > 1
        exceptions = [f"{metric}={rule}" for metric, rule in self.singletons_in.items()]
        fields = {
            "corefscope": ".".join(__version__.split(".")[:2]),
            "profile": self.name,
            "match": self.match,
            **({"zeros": self.zeros} if self.zeros != "linear" or is_by_head else {}),
            **({"head": self.head} if self.head != "file" and is_by_head else {}),
            **({"scorer": self.scorer.name} if self.scorer else {}),
            **({"split_antecedents": self.split_antecedents} if has_splits else {}),
            **({"layer": self.layer} if self.layer != "identity" else {}),
            "singletons": ",".join([self.singletons, *exceptions]),
            "duplicates": self.copies,
            "average": self.average,
            **({"blanc": self.blanc} if self.blanc != "key" else {}),
            **({"level": self.level} if self.level != "file" else {}),
            **({"window": self.window.mark} if self.window is not None else {}),
            **dict(self.marks),
            "docs": documents,
            **({"skipped": skipped} if skipped else {}),
        }
        return "|".join(f"{name}:{value}" for name, value in fields.items())


def parse_signature(signature: str) -> dict[str, str]:
    """Return the fields of a signature by name."""
    fields = dict(part.partition(":")[::2] for part in signature.strip().split("|"))
    if "corefscope" not in fields or "profile" not in fields:
        raise ValueError(f"{signature!r} is not a signature, such as corefscope:…|profile:…|…")
    return fields


def same_rules(signature: str, other: str) -> bool:
    """Return whether two signatures have the same rules and the same number of documents.

    The name of the profile and the number of skipped response files are ignored.
    """
    one, two = (
        {**parse_signature(each), "profile": "", "skipped": ""} for each in (signature, other)
    )
    return one == two


def other_rules(signature: str, other: str) -> str:
    """Return the rules of a signature that another one has as well, but with other values.

    The name of the profile and the number of documents are ignored.
    """
    ours, theirs = parse_signature(signature), parse_signature(other)
    return ", ".join(
        f"{name}:{value}"
        for name, value in ours.items()
        if theirs.get(name, value) != value and name not in ("profile", "docs")
    )


BOOKCOREF = "bookcoref-window"
"""The profile with the windows of BookCoref; a size can follow, as in ``bookcoref-window:500``."""
PROFILES = Registry(
    "PROFILES",
    Profile,
    (
        Profile(
            name="conll-2012",
            meaning="the reference scorer v8.01 on well-formed input",
            used_by="CoNLL-2011 and -2012 as rescored in 2014, Maverick, BookCoref, most papers",
        ),
        Profile(
            name="no-singletons",
            meaning="entities of one mention dropped on both sides",
            used_by="coval with remove_singletons",
            singletons="drop",
        ),
        Profile(
            name="coval",
            meaning="coval with its defaults: on well-formed input the same numbers as conll-2012",
            used_by="coval, and what calls it",
        ),
        Profile(
            name="e2e",
            meaning="the metrics file of e2e-coref: singletons skipped, in CEAFe those of the "
            "response alone, so that a perfect response with singletons scores below 100",
            used_by="e2e-coref, fastcoref, s2e-coref, AllenNLP",
            singletons="drop",
            singletons_in={"ceafe": "drop-response"},
        ),
        Profile(
            name="macro",
            meaning="recall and precision averaged over documents, then F1",
            used_by="Stanza",
            average="macro",
        ),
        Profile(
            name=BOOKCOREF,
            meaning="the window protocol of BookCoref with its faults: documents are cut into "
            "windows of 1,500 tokens, mentions at their edges are lost, and others count twice",
            used_by="BookCoref, for systems that read windows",
            window=Window(size=1500, as_published=True),
        ),
    ),
    lambda profile: profile.name,
)


def profile_named(name: str) -> Profile:
    """Return a profile by name; the size of windows may follow the name of their profile."""
    known, colon, size = str(name).partition(":")
    if known == BOOKCOREF and colon:
        if not size.isdecimal():
            raise UnknownName("profile", name, [*PROFILES, f"{BOOKCOREF}:SIZE"])
        (window,) = windows_asked(int(size))
        return replace(PROFILES[known], window=replace(window, as_published=True))
    if str(name) not in PROFILES:
        raise UnknownName("profile", name, PROFILES)
    return PROFILES[name]


def scorer_named(name: str) -> OfficialScorer:
    """Return an official scorer by name; our own rules have none."""
    scorers = [profile.scorer for profile in PROFILES.with_others().values()]
    for scorer in scorers:
        if scorer.name == name:
            return scorer
    raise UnknownName("scorer", name, dict.fromkeys(each.name for each in scorers))


def named(profile: Profile) -> Profile:
    """Return a profile with the name and description of the known one that has the same rules.

    The profile's own name has priority. A profile that cannot reproduce what it is named after
    (``limits``) gives its name to no other: its figures are not those that a reader of the name
    expects. If no known profile has the same rules, the name is ``custom``. The rule for repeated
    mentions, the level and the size of windows are ignored, because they have their own fields in
    the signature.
    """
    own = PROFILES.get(profile.name)
    others = (known for known in PROFILES.values() if not known.limits)
    for known in chain([own] if own else [], others):
        as_known = replace(
            profile,
            name=known.name,
            meaning=known.meaning,
            used_by=known.used_by,
            limits=known.limits,
        )
        window = profile.window
        if (known.window is not None) != (window is not None and window.as_published):
            continue
        if as_known == replace(
            known, duplicates=profile.duplicates, level=profile.level, window=window
        ):
            return as_known
    return replace(profile, name="custom")


DEFAULT = PROFILES["conll-2012"]
MATCHED = {
    "head": "by head",
    "partial": "partially",
    "exact": "exactly",
    "min": "by minimum spans",
    "craft": "as in CRAFT",
}
ZEROS_MATCHED = {
    "dependent": "zeros are matched by what they depend on",
    "linear": "zeros are matched by their place",
    "drop": "zeros are dropped",
}


def path_to(profile: Profile, duplicates: Duplicates = "first") -> Iterator[tuple[str, Profile]]:
    """Yield the steps from the default profile to another, one rule at a time."""
    here = replace(DEFAULT, duplicates=duplicates)
    yield "", here
    if profile.match != here.match:
        here = replace(here, name="custom", match=profile.match)
        yield f"mentions are matched {MATCHED[profile.match]}", here
    if profile.zeros != here.zeros:
        here = replace(here, name="custom", zeros=profile.zeros)
        yield ZEROS_MATCHED[profile.zeros], here
    for rule, singletons, exceptions in _singleton_steps(profile):
        here = replace(here, name="custom", singletons=singletons, singletons_in=exceptions)
        yield rule, here
    if profile.blanc != here.blanc:
        here = replace(here, name="custom", blanc=profile.blanc)
        yield "BLANC is the mean of both kinds of links if either side has them", here
    if profile.average != here.average:
        here = replace(here, name="custom", average=profile.average)
        yield "recall and precision are averaged over documents", here
    if profile.window != here.window:
        here = replace(here, name="custom", window=profile.window)
        yield "documents are cut into the published windows of BookCoref", here
    if profile.scorer != here.scorer:
        here = replace(
            here,
            name="custom",
            scorer=profile.scorer,
            split_antecedents=profile.split_antecedents,
            layer=profile.layer,
        )
        yield profile.scorer.rules, here


def _singleton_steps(
    profile: Profile,
) -> Iterator[tuple[str, SingletonRule, Mapping[str, SingletonRule]]]:
    """Yield the rules for singletons: drop those of the response first, then those of the key."""
    rules = [profile.singletons, *profile.singletons_in.values()]
    if all(rule == "keep" for rule in rules):
        return
    halfway: SingletonRule = "keep" if profile.singletons == "keep" else "drop-response"
    exceptions: dict[str, SingletonRule] = {
        id: "keep" if rule == "keep" else "drop-response"
        for id, rule in profile.singletons_in.items()
        if (rule == "keep") != (halfway == "keep")
    }
    yield "singletons of the response are dropped", halfway, exceptions
    if "drop" in rules:
        spared = [METRICS[id].name for id, rule in profile.singletons_in.items() if rule != "drop"]
        apart = f", but not in {', '.join(spared)}" if spared else ""
        yield (
            f"singletons of the key are also dropped{apart}",
            profile.singletons,
            profile.singletons_in,
        )
