"""Key and response side by side: paired, made comparable, and counted in one table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from corefscope.alignment import (
    Absent,
    Missing,
    PairBy,
    Pairing,
    Tokens,
    exact,
    pair_documents,
    unlike_ids,
)
from corefscope.arguments import one_of
from corefscope.clusters import of_both_sides
from corefscope.corpus import Corpus
from corefscope.findings import Code, Finding, refuse_errors
from corefscope.metrics import METRICS, STANDARD, Metric, choose, metric_names
from corefscope.overlap import Floats, Overlap, Side, count_overlap
from corefscope.profiles import (
    Duplicates,
    Profile,
    SingletonRule,
    Singletons,
    name_of,
    profile_named,
)
from corefscope.reference import ReferenceDocument, reference_documents
from corefscope.shifts import (
    ShiftCounts,
    count_shifts,
    nothing_in_common,
    shift_finding,
    unexplained,
)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Options:
    """How a response is compared with a key."""

    profile: Profile
    missing: Absent = "empty"
    tokens: Tokens = "error"
    metrics: tuple[Metric, ...] = tuple(METRICS[id] for id in STANDARD)
    pair_by: PairBy = "auto"


def make_options(
    *,
    metrics: str | Iterable[str] | None = None,
    profile: str = "conll-2012",
    singletons: Singletons | None = None,
    duplicates: Duplicates | None = None,
    missing: Missing = "empty",
    tokens: Tokens = "error",
    pair_by: PairBy = "auto",
) -> Options:
    """Put choices by name together; what is None is as the profile has it."""
    known = profile_named(profile)
    chosen = replace(
        known,
        singletons=_choice("singletons", singletons, Singletons, known.singletons),
        singletons_in=known.singletons_in if singletons is None else {},
        duplicates=_choice("duplicates", duplicates, Duplicates, known.duplicates),
    )
    chosen = replace(chosen, name=name_of(chosen))
    one_of("missing", missing, Missing)
    one_of("tokens", tokens, Tokens)
    one_of("pair_by", pair_by, PairBy)
    return Options(chosen, missing, tokens, tuple(choose(metric_names(metrics))), pair_by)


def _choice(option: str, value: T | None, choices: object, otherwise: T) -> T:
    """Return a choice that was made, or what it is otherwise."""
    return otherwise if value is None else one_of(option, value, choices)


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Two corpora side by side: what was paired, what is compared, and how it overlaps."""

    key: Corpus
    response: Corpus
    pairing: Pairing
    key_side: Side
    response_side: Side
    """What is compared: every mention once."""
    overlaps: Mapping[SingletonRule, Overlap]
    """The table under each rule on singletons that some metric has."""
    annotated: tuple[Side, Side]
    """Key and response as the reference scorer gets them: repeated mentions may still be there."""
    profile: Profile
    findings: tuple[Finding, ...]
    shifts: ShiftCounts
    """How many mentions both would share if the response were shifted."""

    @property
    def overlap(self) -> Overlap:
        """The table of what is compared."""
        return self.overlaps[self.profile.singletons]

    def count(self, metric: Metric) -> Floats:
        """Count a metric under its own rule on singletons."""
        return metric.count(self.overlaps[self.profile.singleton_rule(metric.id)])

    def reference_documents(self) -> Iterator[ReferenceDocument]:
        """Go through the documents as the reference scorer sees them."""
        key_side, response_side = self.annotated
        # The reference scorer takes a document without tokens for one that is there.
        missing = {name for name in self.pairing.missing if name not in self.response}
        return reference_documents(self.key, key_side, self.response, response_side, missing)


def side_by_side(key: Corpus, response: Corpus, options: Options) -> Comparison:
    """Pair documents and mentions, apply the profile's rules, and count the table."""
    pairing = pair_documents(key, response, options.missing, options.tokens, options.pair_by)
    findings = of_both_sides(key.findings, response.findings)
    findings += [*pairing.findings, *unlike_ids(key, response)]
    annotated, unique = [], []
    for corpus, side in zip((key, response), exact(key, response, pairing), strict=True):
        # Copies go before singletons, so that what is a singleton does not depend on copies.
        once, copies = side.first_copies()
        findings += [_repeated(corpus, row, first, options) for row, first in copies]
        annotated.append(side if options.profile.duplicates == "reference" else once)
        unique.append(once)
    refuse_errors(findings)
    whole = count_overlap(len(key), unique[0], unique[1])
    shifts = count_shifts(key, unique[0], response, unique[1], whole)
    findings += shift_finding(shifts, key.offsets, response.offsets, response.path)
    findings += unexplained(findings, nothing_in_common(shifts, response.path))
    profile = options.profile
    rules = {profile.singletons, *profile.singletons_in.values()}
    key_side, response_side = _under(profile.singletons, unique)
    return Comparison(
        key,
        response,
        pairing,
        key_side,
        response_side,
        {rule: _overlap_under(rule, whole) for rule in rules},
        _under(profile.singletons, annotated),
        profile,
        tuple(findings),
        shifts,
    )


def _under(rule: SingletonRule, sides: Sequence[Side]) -> tuple[Side, Side]:
    """Return key and response as a rule leaves them."""
    key, response = sides
    return (
        key.without_singletons() if rule == "drop" else key,
        response if rule == "keep" else response.without_singletons(),
    )


def _overlap_under(rule: SingletonRule, overlap: Overlap) -> Overlap:
    """Return the table as a rule leaves it."""
    return (
        overlap
        if rule == "keep"
        else overlap.keep(
            (overlap.key_size > 1) | (rule == "drop-response"), overlap.response_size > 1
        )
    )


def repeated_mentions(
    corpus: Corpus, *, across: str | None = None, within: str | None = None
) -> list[Finding]:
    """Report the mentions of a corpus that are annotated twice.

    What becomes of a copy is that of scores, unless it is said for copies ``across`` two entities
    and ``within`` one.
    """
    itself = Pairing(np.arange(len(corpus)))
    _, copies = exact(corpus, corpus, itself)[0].first_copies()
    entity, options = corpus.mention_entity, make_options()
    return [
        _repeated(corpus, row, first, options, within if entity[row] == entity[first] else across)
        for row, first in copies
    ]


def _repeated(
    corpus: Corpus, row: int, first: int, options: Options, outcome: str | None = None
) -> Finding:
    """Report a copy of a mention, with both entities, both lines, and what becomes of it."""
    document = corpus.document_of(row)
    label, first_label = (corpus.entity_labels[int(corpus.mention_entity[r])] for r in (row, first))
    line, first_line = (
        (int(corpus.mention_lines[r]) or None) if corpus.mention_lines is not None else None
        for r in (row, first)
    )
    where = f" on line {first_line}" if first_line else ""
    refused = options.profile.duplicates == "error"
    ends = {
        "error": "expected each mention once",
        "first": "the first is kept",
        "reference": "counted as the reference scorer does",
    }
    end = outcome or ends[options.profile.duplicates]
    message = (
        f"mention {corpus.mention_id(row)} of entity {label} in document "
        f"{corpus.document_names[document]!r} is already in entity {first_label}{where}; {end}"
    )
    code = Code.REPEATED_REFUSED if refused else Code.REPEATED
    return Finding(code, message, corpus.file_of(document), line)
