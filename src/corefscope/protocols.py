"""One pair of files under every protocol, and which rule moves which metric by how much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from corefscope.comparison import Options
from corefscope.corpus import Corpus
from corefscope.findings import Finding
from corefscope.metrics import METRICS
from corefscope.profiles import PROFILES, Duplicates, Profile, SingletonRule
from corefscope.scoring import Scores, score_corpora

DEFAULT = PROFILES["conll-2012"]


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One rule on the way from the default protocol to another, and the scores it leads to."""

    rule: str
    """What the rule does, in words."""
    scores: Scores


@dataclass(frozen=True, slots=True, eq=False)
class Protocol:
    """The scores under a protocol, and the rules that lead there one after the other."""

    profile: Profile
    steps: Sequence[Step]
    """The first is the default protocol, the last is this one."""

    @property
    def scores(self) -> Scores:
        """The scores under this protocol."""
        return self.steps[-1].scores


def under_all_profiles(
    key: Corpus, response: Corpus, options: Options
) -> tuple[list[Protocol], Sequence[Finding]]:
    """Score a response under every known profile; repeated mentions are treated as in options."""
    known: dict[str, Scores] = {}
    duplicates = options.profile.duplicates

    def scored(profile: Profile) -> Scores:
        # The same rules are met on the way to several protocols.
        rules = replace(profile, name="", duplicates=duplicates).signature(0)
        if rules not in known:
            known[rules] = score_corpora(key, response, replace(options, profile=profile))
        return replace(known[rules], profile=profile)

    protocols = []
    for profile in PROFILES.values():
        steps = [Step(rule, scored(each)) for rule, each in path_to(profile, duplicates)]
        named = replace(profile, duplicates=duplicates)
        steps[-1] = replace(steps[-1], scores=replace(steps[-1].scores, profile=named))
        protocols.append(Protocol(profile, steps))
    return protocols, protocols[0].scores.findings


def path_to(profile: Profile, duplicates: Duplicates = "first") -> Iterator[tuple[str, Profile]]:
    """Go from the default protocol to another, one rule at a time."""
    here = replace(DEFAULT, duplicates=duplicates)
    yield "", here
    for rule, singletons, exceptions in _singleton_steps(profile):
        here = replace(here, name="custom", singletons=singletons, singletons_in=exceptions)
        yield rule, here
    if profile.blanc != here.blanc:
        here = replace(here, name="custom", blanc=profile.blanc)
        yield "BLANC is the mean of both kinds of links if either side has them", here
    if profile.average != here.average:
        here = replace(here, name="custom", average=profile.average)
        yield "recall and precision are averaged over documents", here


def _singleton_steps(
    profile: Profile,
) -> Iterator[tuple[str, SingletonRule, Mapping[str, SingletonRule]]]:
    """Drop singletons from the response first, then from the key where that is the rule, too."""
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
            f"singletons of the key are dropped, too{apart}",
            profile.singletons,
            profile.singletons_in,
        )
