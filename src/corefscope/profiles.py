"""Profiles: named scoring protocols, and the signature that identifies them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from operator import attrgetter
from typing import Any, Literal, NamedTuple, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from corefscope.arguments import one_of
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

    def __hash__(self) -> int:
        return hash((self.name, self.match, self.zeros, self.singletons, self.duplicates))

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
        fields = {
            "corefscope": ".".join(__version__.split(".")[:2]),
            "profile": self.name,
            **{m.name: m.write(self) for m in SIGNED if m.is_shown(self)},
            **dict(self.marks),
            "docs": documents,
            **({"skipped": skipped} if skipped else {}),
        }
        return "|".join(f"{name}:{value}" for name, value in fields.items())

    @classmethod
    def of_signature(cls, signature: str) -> Profile:
        """Return the profile that a signature describes."""
        fields = parse_signature(signature)
        known = PROFILES.get(fields["profile"], cls(name="custom", meaning="choices of its own"))
        rules: dict[str, Any] = {}
        for mark in SIGNED:
            # What is not shown is as usual.
            if mark.name in fields or mark.is_always_shown:
                rules |= mark.read(fields[mark.name])
        if known.scorer.name == fields.get("scorer"):
            # Years of one shared task may have scorers of the same name.
            rules["scorer"] = known.scorer
        return cls(
            name=known.name,
            meaning=known.meaning,
            used_by=known.used_by,
            limits=known.limits,
            marks=tuple((name, fields[name]) for name in PAIRED if name in fields),
            **rules,
        )

    @property
    def is_by_head(self) -> bool:
        """Whether our own rules compare heads."""
        return self.match in ("head", "partial") and not self.scorer.pairs_itself


def _always(profile: Profile) -> bool:
    return True


class Signed(NamedTuple):
    """A field of signatures: when it is shown, and how it is written and read."""

    name: str
    is_shown: Callable[[Profile], bool]
    write: Callable[[Profile], str]
    read: Callable[[str], Mapping[str, object]]

    @property
    def is_always_shown(self) -> bool:
        """Whether every signature has it."""
        return self.is_shown is _always


def _value(name: str, values: object, is_shown: Callable[[Profile], bool] = _always) -> Signed:
    """Return a field with the value of a rule."""

    def read(value: str) -> Mapping[str, object]:
        return {name: one_of(name, value, values)}

    return Signed(name, is_shown, attrgetter(name), read)


def _written_singletons(profile: Profile) -> str:
    exceptions = [f"{metric}={rule}" for metric, rule in profile.singletons_in.items()]
    return ",".join([profile.singletons, *exceptions])


def _read_singletons(value: str) -> Mapping[str, object]:
    rule, *exceptions = value.split(",")
    own = dict(exception.split("=") for exception in exceptions)
    for each in (rule, *own.values()):
        if each not in SINGLETON_RULES:
            raise ValueError(f"{each!r} in the signature; expected one of {SINGLETON_RULES}")
    return {"singletons": rule, "singletons_in": own}


def _read_copies(value: str) -> Mapping[str, object]:
    # That all copies count follows from the scorer.
    return {"duplicates": "first" if value == "all" else one_of("duplicates", value, Duplicates)}


def _read_window(value: str) -> Mapping[str, object]:
    size, _, published = value.partition(",")
    if not size.isdecimal() or published not in ("", "bookcoref"):
        raise ValueError(f"{value!r} in the signature; expected a size of windows")
    return {"window": Window(size=int(size), as_published=bool(published))}


SINGLETON_RULES = ("keep", "drop", "drop-response")
SIGNED = (
    _value("match", UaMatch),
    _value("zeros", Zeros, lambda p: p.zeros != "linear" or p.is_by_head),
    _value("head", HeadSource, lambda p: p.head != "file" and p.is_by_head),
    Signed(
        "scorer",
        lambda p: bool(p.scorer),
        lambda p: p.scorer.name,
        lambda name: {"scorer": scorer_named(name)},
    ),
    _value("split_antecedents", SplitAntecedents, lambda p: len(p.scorer.split_antecedents) > 1),
    _value("layer", Layer, lambda p: p.layer != "identity"),
    Signed("singletons", _always, _written_singletons, _read_singletons),
    Signed("duplicates", _always, lambda p: p.copies, _read_copies),
    _value("average", Average),
    _value("blanc", BlancKinds, lambda p: p.blanc != "key"),
    _value("level", Level, lambda p: p.level != "file"),
    Signed(
        "window",
        lambda p: p.window is not None,
        lambda p: p.window.mark if p.window else "",
        _read_window,
    ),
)
"""The rules that signatures state, in their order."""
PAIRED = ("tokens", "snap", "pair_by")
"""What signatures say about pairing, in their order."""


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
    scorers = {OWN.name: OWN}
    for profile in chain(PROFILES.values(), PROFILES.with_others().values()):
        scorers[profile.scorer.name] = profile.scorer
        if name in scorers:
            return scorers[name]
    raise UnknownName("scorer", name, scorers)


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
