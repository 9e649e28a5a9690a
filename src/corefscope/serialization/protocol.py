"""The protocol that a signature describes."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from corefscope.arguments import one_of
from corefscope.matching.matching import Duplicates, OfficialScorer, SingletonRule
from corefscope.matching.stages import Match, Zeros
from corefscope.metrics.counts import Average
from corefscope.profiles import PROFILES, BlancKinds, Profile, parse_signature


def stored_profile(signature: str) -> Profile:
    """Return the protocol that a signature describes."""
    fields = parse_signature(signature)
    rule, *exceptions = fields["singletons"].split(",")
    known = PROFILES.get(fields["profile"], Profile(name="custom", meaning="choices of its own"))
    return replace(
        known,
        singletons=_singleton_rule(rule),
        singletons_in={
            metric: _singleton_rule(own)
            for metric, own in (exception.split("=") for exception in exceptions)
        },
        duplicates=one_of("duplicates", cast(Duplicates, fields["duplicates"]), Duplicates),
        average=one_of("average", cast(Average, fields["average"]), Average),
        match=one_of("match", cast(Match, fields["match"]), Match),
        zeros=one_of("zeros", cast(Zeros, fields.get("zeros", "linear")), Zeros),
        scorer=one_of("scorer", cast(OfficialScorer, fields.get("scorer", "")), OfficialScorer),
        blanc=one_of("blanc", cast(BlancKinds, fields.get("blanc", "key")), BlancKinds),
    )


def _singleton_rule(value: str) -> SingletonRule:
    if value not in SINGLETON_RULES:
        raise ValueError(f"{value!r} in the signature; expected one of {SINGLETON_RULES}")
    return cast(SingletonRule, value)


SINGLETON_RULES = ("keep", "drop", "drop-response")
