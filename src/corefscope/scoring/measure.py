"""Score a response against a key: count its overlaps, by the rules of a profile."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from corefscope.corpus import UNKNOWN_LENGTH, Corpus
from corefscope.engines import ALONE, Processes, current
from corefscope.extending import named_if_it_fails
from corefscope.findings import Code, Finding, documents_have
from corefscope.formatting import PERCENT
from corefscope.matching.division import Division, divided
from corefscope.matching.matching import (
    Matching,
    SingletonRule,
    match_corpora,
)
from corefscope.matching.overlap import Floats, Overlap
from corefscope.metrics import (
    Metric,
    OverlapMetric,
)
from corefscope.metrics.counts import BLOCK
from corefscope.options import ABOVE_DOCUMENTS, Options
from corefscope.profiles import DEFAULT, PROFILES, Profile, path_to
from corefscope.scoring.scores import AcrossDocuments, Scores

if TYPE_CHECKING:
    from corefscope.metrics.major import MajorScores

GIANT = 400_000
"""A table with more cells is worth several processes that count its metrics."""


def score_corpora(key: Corpus, response: Corpus, options: Options) -> Scores:
    """Score a response against a key."""
    return score_matching(match_corpora(key, response, options.matching), options)


def _counts(
    metrics: Sequence[OverlapMetric], profile: Profile, table: Callable[[SingletonRule], Overlap]
) -> dict[str, Floats]:
    """Count metrics of tables of overlaps, several at the same time if that pays off.

    ``table`` returns the one under a rule for singletons.
    """
    rules = {metric.id: profile.singleton_rule(metric.id) for metric in metrics}
    tables = {rule: table(rule) for rule in dict.fromkeys(rules.values())}
    cells = max((len(each.n) for each in tables.values()), default=0)
    # A table is worth copying to processes of this machine, but not sending to others.
    is_here = isinstance(current(), Processes) and cells > GIANT
    engine = current() if is_here else ALONE
    # The last metrics take the longest, so these come first.
    tasks = [_MetricOfTable(metric, tables[rules[metric.id]]) for metric in reversed(metrics)]
    found = dict(zip(reversed(rules), engine.map(_counted, tasks), strict=True))
    return {id: found[id] for id in rules}


class _MetricOfTable(NamedTuple):
    """A metric that is counted: a task."""

    metric: OverlapMetric
    table: Overlap

    def __str__(self) -> str:
        return self.metric.name


def _counted(task: _MetricOfTable) -> Floats:
    """Count a metric of a table."""
    return task.metric.counts(task.table)


def score_matching(matching: Matching, options: Options) -> Scores:
    """Score a response that is matched with its key."""
    scores = _score_matching(matching, options)
    return options.profile.scorer.completed(scores, matching, options)


def _score_matching(matching: Matching, options: Options) -> Scores:
    options = options.as_read(matching)
    whole = _score_units(matching, options)
    if not options.windows:
        return whole
    cut = [
        _score_units(matching, replace(options, profile=replace(options.profile, window=window)))
        for window in options.windows
    ]
    findings = dict.fromkeys(finding for each in (whole, *cut) for finding in each.findings)
    return replace(whole, windows=(*cut, whole), findings=tuple(findings))


def _score_units(matching: Matching, options: Options) -> Scores:
    """Score documents, or other units, each as one."""
    profile = options.profile
    metrics = [profile.adapted(metric) for metric in options.metrics]
    scored, units = matching, None
    if options.has_units:
        scored, units = divided(matching, profile.level, profile.window, options.topics)
    own = partial(_own_counts, scored, profile)
    counts, official = profile.scorer.count(scored, profile, metrics, own)
    found = dict.fromkeys(
        finding
        for metric in metrics
        for finding in metric.findings(scored, profile.singleton_rule(metric.id))
    )
    names = matching.key.document_names if units is None else tuple(units.names)
    # A scorer that leaves out missing documents reports them itself.
    paired = [
        finding
        for finding in matching.findings
        if finding.code is not Code.MISSING or not profile.scorer.leaves_out_missing
    ]
    if profile.limits:
        official = [
            *official,
            Finding(Code.NOT_EXACT, profile.limits, file=matching.response.path),
        ]
    scores = Scores(
        counts=counts,
        document_names=names,
        profile=profile,
        missing=matching.pairing.missing,
        extra=matching.pairing.extra,
        findings=(*paired, *found, *official, *doubts(matching.key.path, counts, options)),
        skipped=len(matching.response.skipped_files),
        path=matching.response.path,
        stages=matching.pairs_by_stage(profile.singletons if units is None else "keep"),
        ledger=matching.ledger,
        major=_major(scored, names, options),
    )
    return scores if units is None else _with_units(scores, matching, scored, options, units)


def _with_units(
    scores: Scores, matching: Matching, scored: Matching, options: Options, units: Division
) -> Scores:
    """Return the scores of units with what is to be said of these."""
    is_joined = options.profile.level in ABOVE_DOCUMENTS
    findings = [
        # Where documents are joined, links between them do count.
        *(f for f in scores.findings if not is_joined or f.code is not Code.ACROSS_DOCUMENTS),
        *units.findings,
    ]
    if options.profile.window is not None and options.profile.window.as_published:
        findings.append(_published(scores, matching, options, units))
    return replace(
        scores,
        findings=tuple(findings),
        units=units,
        document_count=len(matching.key),
        across=_across(matching, scored) if is_joined else None,
    )


def _published(scores: Scores, matching: Matching, options: Options, units: Division) -> Finding:
    """Say what the windows of BookCoref lose and double, and what the score is without that."""
    assert options.profile.window is not None
    own = replace(options.profile, window=replace(options.profile.window, as_published=False))
    corrected = _score_units(matching, replace(options, profile=own)).conll
    (key_lost, lost), (key_twice, twice) = units.lost, units.doubled
    end = "" if corrected is None else f"; correct windows give CoNLL {PERCENT.shown(corrected)}"
    message = (
        f"the published windows lose {key_lost:,} mentions of the key and {lost:,} of the "
        f"response, and count {key_twice:,} and {twice:,} twice{end}"
    )
    return Finding(Code.OFFICIAL_FAULT, message, file=scores.path)


def _across(matching: Matching, joined: Matching) -> AcrossDocuments:
    """Return the links within and across documents, and the numbers of singletons."""
    from corefscope.metrics.links import PAIRWISE

    within, every = (PAIRWISE.count(each, "keep").sum(axis=0) for each in (matching, joined))
    table = joined.overlap("keep")
    sizes = {"key": table.key_size, "response": table.response_size}
    return AcrossDocuments(
        links={"within": PAIRWISE.score(within), "across": PAIRWISE.score(every - within)},
        singletons={side: (int((size == 1).sum()), len(size)) for side, size in sizes.items()},
    )


def _major(scored: Matching, names: Sequence[str], options: Options) -> MajorScores | None:
    if options.major is None:
        return None
    from corefscope.metrics.major import score_major

    profile = options.profile
    unit = "window" if profile.window is not None else "document"
    unit = profile.level if profile.level in ABOVE_DOCUMENTS else unit
    return score_major(scored, names, options.major, profile.singletons, unit)


def _own_counts(
    matching: Matching, profile: Profile, metrics: Sequence[Metric]
) -> Mapping[str, Floats]:
    """Count metrics by the rules of a profile, but without the faults of an official scorer."""
    plain = partial(_plain_counts, matching, profile)
    if profile.duplicates != "reference":
        return plain(metrics)
    from corefscope.reference.counts import REFERENCE

    return REFERENCE.count(matching, profile, metrics, plain)[0]


def _plain_counts(
    matching: Matching, profile: Profile, metrics: Sequence[Metric]
) -> Mapping[str, Floats]:
    of_table = [metric for metric in metrics if isinstance(metric, OverlapMetric)]
    counts = _counts(of_table, profile, matching.overlap)
    for metric in metrics:
        if metric.id not in counts:
            with named_if_it_fails(type(metric).__module__, f"the metric {metric.id}"):
                counts[metric.id] = metric.count(matching, profile.singleton_rule(metric.id))
    return {metric.id: counts[metric.id] for metric in metrics}


def doubts(key: str | None, counts: Mapping[str, Floats], options: Options) -> Iterator[Finding]:
    """Report metrics with a known fault, and indices in documents without common mentions.

    ``key`` is the path of the key.
    """
    for metric in options.metrics:
        if metric.fault:
            message = f"{metric.name} ({metric.id}): {metric.fault}"
            yield Finding(Code.FAULTY_METRIC, message, file=key)
    covered = [metric for metric in options.metrics if "coverage" in metric.parts]
    if covered:
        common, in_key, _, in_response = counts[covered[0].id][:, -BLOCK:].T
        empty = int(((common == 0) & (in_key + in_response > 0)).sum())
        if empty:
            names = ", ".join(metric.name for metric in covered)
            message = (
                f"{names} measure only common mentions, and {documents_have(empty, len(common))} "
                "none: missing and spurious mentions cost nothing there"
            )
            yield Finding(Code.FAULTY_METRIC, message, file=key)


class Step(Struct, frozen=True, eq=False):
    """One rule on the way from the default profile to another, and the resulting scores."""

    rule: str
    """The effect of the rule, in words."""
    scores: Scores


class ProfileScores(Struct, frozen=True, eq=False):
    """The scores under a profile, and the rules that lead to it one after the other."""

    profile: Profile
    steps: Sequence[Step]
    """The first is the default profile, the last is this one."""

    @property
    def scores(self) -> Scores:
        """The scores under this profile."""
        return self.steps[-1].scores


def under_all_profiles(
    matching: Matching, options: Options
) -> tuple[list[ProfileScores], Sequence[Finding]]:
    """Score a response under all profiles that apply, with the options' rule for repeated mentions.

    Profiles that match by head or partially apply only if both sides have heads.
    """
    known: dict[str, Scores] = {}
    duplicates = options.profile.duplicates
    matchings = {options.matching: matching}

    def scored(profile: Profile) -> Scores:
        # Several profiles share steps, so scores are cached by their rules.
        rules = replace(profile, name="", duplicates=duplicates).signature(0)
        if rules not in known:
            chosen = replace(options, profile=profile)
            if chosen.matching not in matchings:
                matchings[chosen.matching] = match_corpora(
                    matching.key, matching.given, chosen.matching, matching.texts
                )
            known[rules] = score_matching(matchings[chosen.matching], chosen)
        return replace(known[rules], profile=profile.as_read(matching))

    found = []
    for profile in PROFILES.values():
        if profile.match != DEFAULT.match and not _has_heads(matching):
            continue
        if not profile.scorer.can_score(matching):
            continue
        if profile.window is not None and not _can_be_cut(matching, options):
            continue
        steps = [Step(rule, scored(each)) for rule, each in path_to(profile, duplicates)]
        named = replace(profile, duplicates=duplicates).as_read(matching)
        steps[-1] = replace(steps[-1], scores=replace(steps[-1].scores, profile=named))
        found.append(ProfileScores(profile, steps))
    return found, found[0].scores.findings


def _can_be_cut(matching: Matching, options: Options) -> bool:
    """Return whether windows can be scored: mentions have positions, and lengths are known."""
    has_positions = matching.key.has_spans and matching.response.has_spans
    has_lengths = bool((matching.key.document_tokens != UNKNOWN_LENGTH).all())
    need_no_text = all(isinstance(metric, OverlapMetric) for metric in options.metrics)
    is_plain = options.profile.duplicates != "reference"
    return has_positions and has_lengths and need_no_text and is_plain


def _has_heads(matching: Matching) -> bool:
    """Return whether the mentions of both sides have heads, or their words trees."""
    from corefscope.matching.heads import has_heads

    return all(has_heads(side) for side in (matching.key, matching.response))
