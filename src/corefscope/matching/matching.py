"""Match a key and a response: pair documents and mentions, and count the overlap."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar, cast

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import NDArray

from corefscope.choices import (
    Duplicates,
    HeadSource,
    LanguageChoice,
    Match,
    OtherTokens,
    PairBy,
    Singletons,
    Snap,
    Zeros,
)
from corefscope.corpus import UNKNOWN_LENGTH, Corpus, Document, Integers
from corefscope.corpus.clusters import of_both_sides
from corefscope.exceptions import InvalidInput, refuse_errors
from corefscope.findings import Code, Finding, few_alike
from corefscope.matching.documents import Absent, Pairing, differences, pair_documents, refuse
from corefscope.matching.mentions import (
    missing_words,
    needs_words,
    number_mentions,
    unlike_ids,
    with_common_nodes,
    with_spans,
)
from corefscope.matching.overlap import Overlap, Side, count_overlap
from corefscope.matching.shared_texts import Texts
from corefscope.matching.shifts import (
    ShiftCounts,
    count_shifts,
    nothing_in_common,
    shift_finding,
)
from corefscope.matching.stages import STAGES, MatchingRules
from corefscope.transfer.letters import unlike_texts

if TYPE_CHECKING:
    from corefscope.matching.alignment import Alignment
    from corefscope.matching.word_sets import WordSets
    from corefscope.transfer.ledger import CorpusLedger

ALMOST_NONE = 0.1
"""The share of mentions that may be on the other side by chance, whatever positions count."""
SAMPLED = 1000
"""How many mentions are examined, at least, to see whether they count characters."""
OF_KEYS = {"gold", "key", "reference"}
OF_SYSTEMS = {
    *("system", "sys", "response", "output", "pred", "predicted", "predictions", "auto", "hyp"),
    *("ours", "base", "baseline", "model"),
}
"""Words in names of files and their folders that say which side they are."""
T = TypeVar("T")
SingletonRule: TypeAlias = Singletons | Literal["drop-response"]
"""How to treat singletons: keep them, drop them on both sides, or only from the response."""


class MatchingOptions(Struct, frozen=True, kw_only=True):
    """How documents and mentions of a response are paired with those of a key."""

    missing: Absent = "empty"
    tokens: OtherTokens = "carry"
    pair_by: PairBy = "auto"
    snap: Snap | None = None
    duplicates: Duplicates = "first"
    match: Match = "exact"
    zeros: Zeros = "linear"
    is_official: bool = False
    """Whether it is for an official scorer: these compare numbers of tokens and not words, do not
    pair the same words with different heads, and count a mention of two entities in both."""
    needs_words: bool = False
    """Whether mentions must be spans of tokens."""
    language: LanguageChoice = "auto"

    @property
    def marks(self) -> tuple[tuple[str, str], ...]:
        """What the signature of a score says about pairing, where it is not the default."""
        is_asked = self.tokens == "align" or (self.tokens == "ignore" and not self.is_official)
        return (
            *([("tokens", self.tokens)] if is_asked else []),
            *([("snap", self.snap)] if self.snap is not None else []),
            *([("pair_by", self.pair_by)] if self.pair_by != "auto" else []),
        )

    @property
    def rules(self) -> MatchingRules:
        """How mentions are paired."""
        return MatchingRules(
            match=self.match,
            zeros=self.zeros,
            same_words=not self.is_official,
            needs_words=self.match != "exact" or self.needs_words,
        )


class Matching(Struct, frozen=True, eq=False, kw_only=True):
    """A key and a response with their paired documents and mentions, and the overlap.

    It includes singletons; methods have a parameter for how to treat them.
    """

    key: Corpus
    response: Corpus
    """The response; its mentions are on the tokens of the key."""
    given: Corpus
    """The response as it was read."""
    pairing: Pairing
    numbered: tuple[Side, Side]
    """Key and response with all their mentions, repeated ones as well."""
    unique: tuple[Side, Side]
    """Key and response without repeated mentions."""
    counts_copies: bool
    """Whether the reference scorer, or an official one, counts repeated mentions."""
    findings: tuple[Finding, ...]
    shifts: ShiftCounts
    """How many mentions would match if the response were shifted."""
    texts: Texts
    """The texts of the documents, read when they are needed."""
    rules: MatchingRules = field(default_factory=MatchingRules)
    """How mentions are paired."""
    marks: tuple[tuple[str, str], ...] = ()
    """What the signature of a score says about pairing."""
    ledger: CorpusLedger | None = None
    """What became of tagged text."""
    word_sets: WordSets | None = None
    """The mentions as sets of words, unless spans of token numbers were compared."""
    _alignments: dict[SingletonRule, Alignment] = field(default_factory=dict)
    _overlaps: dict[SingletonRule, Overlap] = field(default_factory=dict)
    _made: dict[tuple[object, SingletonRule], object] = field(default_factory=dict)

    @property
    def is_aligned(self) -> bool:
        """Whether mentions are paired in stages, and not all by what they are."""
        return self.word_sets is not None and self.word_sets.needs_stages(self.rules)

    @property
    def head_source(self) -> HeadSource:
        """Where heads were to be read from; minimal spans if one side was read so."""
        openings = (side.openings for side in (self.key, self.response))
        is_minspan = any(each and each.head_field == "minspan" for each in openings)
        return "minspan" if is_minspan else "file"

    @property
    def layers(self) -> tuple[str, str]:
        """The annotations that the entities of key and response come from."""
        return self.key.own.layer, self.response.own.layer

    def alignment(self, singletons: SingletonRule) -> Alignment:
        """Return the pairs that the stages make of what is compared."""
        assert self.word_sets is not None
        if singletons not in self._alignments:
            sides = _sides_under(singletons, self.unique)
            self._alignments[singletons] = self.word_sets.alignment(sides, self.rules)
        return self._alignments[singletons]

    def pairs_by_stage(self, singletons: SingletonRule) -> Mapping[str, int]:
        """Return how many pairs of mentions each stage makes; nothing if there are no stages."""
        if not self.is_aligned:
            return {}
        stages = self.alignment(singletons).stages
        return {stage: stages[stage] for stage in STAGES if stage in stages}

    def sides(self, singletons: SingletonRule) -> tuple[Side, Side]:
        """Return key and response as they are compared, without repeated mentions."""
        if self.is_aligned:
            return self.alignment(singletons).numbered()
        return _sides_under(singletons, self.unique)

    def annotated_sides(self, singletons: SingletonRule) -> tuple[Side, Side]:
        """Return key and response for the reference scorer."""
        return _sides_under(singletons, self.numbered if self.counts_copies else self.unique)

    def overlap(self, singletons: SingletonRule) -> Overlap:
        """Return the overlap of key and response."""
        if singletons not in self._overlaps:
            self._overlaps[singletons] = (
                count_overlap(len(self.key), *self.sides(singletons))
                if self.is_aligned
                else overlap_under(singletons, self._overlaps["keep"])
            )
        return self._overlaps[singletons]

    def in_units(self, sides: tuple[Side, Side], overlap: Overlap) -> Matching:
        """Return the same with other units than documents; all mentions are matched already."""
        return replace(
            self,
            numbered=sides,
            unique=sides,
            word_sets=None,
            _alignments={},
            _overlaps={"keep": overlap},
            _made={},
        )

    def once(self, make: Callable[[Matching, SingletonRule], T], singletons: SingletonRule) -> T:
        """Return the result of a function of this matching; it is computed only once."""
        if (make, singletons) not in self._made:
            self._made[make, singletons] = make(self, singletons)
        return cast(T, self._made[make, singletons])


def match_corpora(
    key: Corpus, given: Corpus, options: MatchingOptions, texts: Texts | None = None
) -> Matching:
    """Pair documents and mentions, and count the overlap.

    ``given`` is the response; ``texts`` of the key can be shared.
    """
    key, given = with_spans(key, given)
    pairing, response, ledger = _paired(key, given, options)
    key, response, counted = with_common_nodes(key, response, pairing.key_document)
    pairing.findings.extend(counted)
    findings = of_both_sides(key.findings, response.findings)
    findings += [*_swapped(key.path, given.path), *pairing.findings, *unlike_ids(key, response)]
    rules = options.rules
    refuse_errors([*findings, *missing_words(key, response, rules)])
    texts = texts or Texts(key, options.language)
    word_sets, sides, odd = _numbered(key, response, pairing, options, texts)
    findings += odd
    orders: Sequence[Integers | None] = (None, None)
    if options.match == "min":
        # Loaded here because it is seldom asked for.
        from corefscope.matching.minimum import with_minimum_spans

        sides, orders = with_minimum_spans((key, response), sides)
    unique = []
    for corpus, side, order in zip((key, response), sides, orders, strict=True):
        # Copies are dropped before singletons, so that copies do not affect what is a singleton.
        once, copies = side.first_copies(order)
        findings += _links(corpus, copies) + few_alike(
            _repeated(corpus, row, first, options.duplicates, _outcome(corpus, row, first, options))
            for row, first in copies
        )
        unique.append(once)
    refuse_errors(findings)
    matching = Matching(
        key=key,
        response=response,
        given=given,
        pairing=pairing,
        numbered=sides,
        unique=(unique[0], unique[1]),
        counts_copies=options.duplicates == "reference" or options.is_official,
        findings=tuple(findings),
        shifts=ShiftCounts(),
        texts=texts,
        rules=rules,
        marks=options.marks,
        ledger=ledger,
        word_sets=word_sets,
    )
    findings += _unlike_layers(matching)
    refuse_errors(_of_characters(key, response, (unique[0], unique[1]), pairing))
    overlap = count_overlap(len(key), unique[0], unique[1])
    shifts = count_shifts(key, unique[0], response, unique[1], overlap)
    findings = _with_shifts(findings, key, response, shifts)
    if matching.is_aligned:
        return replace(matching, findings=tuple(findings))
    findings += nothing_in_common(shifts, findings, response.path)
    return replace(
        matching, findings=tuple(findings), shifts=shifts, _overlaps={"keep": overlap}, _made={}
    )


def _numbered(
    key: Corpus, response: Corpus, pairing: Pairing, options: MatchingOptions, texts: Texts
) -> tuple[WordSets | None, tuple[Side, Side], Sequence[Finding]]:
    """Number the mentions of both sides; as sets of words where their spans do not tell enough."""
    rules = options.rules
    if not needs_words(key, response, rules) and not (
        options.is_official and key.has_spans and response.has_spans
    ):
        return None, number_mentions(key, response, pairing), ()
    # Loaded here because spans are enough for most files.
    from corefscope.matching.word_sets import sets_of_words

    word_sets, odd = sets_of_words(key, response, pairing, rules, texts)
    return word_sets, word_sets.sides, odd


def _with_shifts(
    findings: list[Finding], key: Corpus, response: Corpus, shifts: ShiftCounts
) -> list[Finding]:
    """Add what speaks for other offsets, in place of what one file alone made doubtful."""
    if key.empty_nodes or response.empty_nodes:
        # Where empty nodes differ, token numbers say nothing about shifts.
        return findings
    found = shift_finding(shifts, key.offsets, response.offsets, (key.path, response.path))
    if found:
        findings = [each for each in findings if each.code is not Code.DOUBTFUL_CONVENTION]
    return [*findings, *found]


def _of_characters(
    key: Corpus, response: Corpus, sides: tuple[Side, Side], pairing: Pairing
) -> list[Finding]:
    """Return errors about clusters that count characters instead of tokens."""
    is_bare, other = ((c.document_tokens == UNKNOWN_LENGTH).all() for c in (response, key))
    name, spans, words = ("response", response, key) if is_bare else ("key", key, response)
    if is_bare == other or not (key.has_spans and response.has_spans and spans.offsets.convention):
        return []
    common = len(np.intersect1d(sides[0].mention, sides[1].mention))
    if common > ALMOST_NONE * len(spans.mention_entity):
        return []
    # Loaded here because nearly all annotations count tokens.
    from corefscope.corpus.characters import CharacterEvidence

    evidence = CharacterEvidence()
    for number, document in enumerate(pairing.key_document.tolist()):
        own, others = (number, document) if is_bare else (document, number)
        rows = spans.mentions_of(own) if document >= 0 else range(0)
        text = Document(words, others)
        if rows and evidence.total < SAMPLED and text.words is not None:
            theirs = words.mentions_of(others)
            evidence.add(
                spans.mention_spans[rows.start : rows.stop] - spans.offsets.applied.shift,
                text.words,
                words.mention_spans[theirs.start : theirs.stop],
                text.characters,
            )
    if not evidence.is_enough(common):
        return []
    advice = spans.offsets.advice(name, evidence.convention)
    return [evidence.finding(name, common, advice, spans.path)]


@contextmanager
def _explained(key: Corpus, response: Corpus) -> Iterator[None]:
    """Add what readers found to errors: it may explain why documents cannot be paired."""
    try:
        yield
    except InvalidInput as error:
        raise type(error)([*error.findings, *key.findings, *response.findings]) from None


def _paired(
    key: Corpus, response: Corpus, options: MatchingOptions
) -> tuple[Pairing, Corpus, CorpusLedger | None]:
    """Pair documents, and carry mentions over to the tokens of the key."""
    with _explained(key, response):
        return _carried_over(key, response, options)


def _carried_over(
    key: Corpus, response: Corpus, options: MatchingOptions
) -> tuple[Pairing, Corpus, CorpusLedger | None]:
    pairing = pair_documents(key, response, options.missing, options.pair_by)
    ledger = None
    # Ids may be words of the text.
    is_special = key.copies is not None or response.copies is not None
    if (
        is_special
        or not response.has_spans
        or len(unlike_texts(key, response, pairing.key_document))
    ):
        # Loaded here because most responses have the tokens of the key.
        from corefscope.transfer.carrying import carry_over

        # Official scorers compare the numbers of tokens; tagged text is carried over in any case.
        tokens: OtherTokens = "ignore" if options.is_official else options.tokens
        transfer = carry_over(key, response, pairing.key_document, tokens, options.snap)
        pairing.findings.extend(transfer.findings)
        response, ledger = transfer.response, transfer.ledger
    pairing.findings.extend(differences(key, response, pairing.key_document, options.tokens))
    refuse(pairing.findings)
    return pairing, response, ledger


def _swapped(key: str | None, response: str | None) -> Iterator[Finding]:
    """Report that key and response are swapped, if the names of their files say so."""
    names = ("/".join(Path(each or "").parts[-2:]).lower() for each in (key, response))
    ours, theirs = (set(re.findall(r"[a-z]+", name)) for name in names)
    if ours & OF_SYSTEMS and theirs & OF_KEYS and not (ours & OF_KEYS or theirs & OF_SYSTEMS):
        yield Finding(
            Code.UNLIKE_SIDES,
            f"the key is {key} and the response {response}, as if they were swapped",
            expected="the gold annotation first, then the output of the system",
            file=response,
        )


def _unlike_layers(matching: Matching) -> Iterator[Finding]:
    """Report that the entities of key and response come from different layers."""
    ours, theirs = matching.layers
    if ours != theirs:
        yield Finding(
            Code.UNLIKE_SIDES,
            f"the entities of the response were read from the layer {theirs}, and those of the "
            f"key from {ours}",
            expected="the same layer: name it in the formats of both, or of neither",
            file=matching.response.path,
        )


def _outcome(corpus: Corpus, row: int, first: int, options: MatchingOptions) -> str | None:
    """Return what becomes of a copy, where an official scorer has a rule of its own."""
    entity = corpus.mention_entity
    if options.match == "min" and corpus.mention_id(row) != corpus.mention_id(first):
        return "they have the same minimum span; the first counts, while coval counts both"
    if not options.is_official or options.duplicates == "error" or entity[row] == entity[first]:
        return None
    return "it counts in both, as in the official scorer"


def _sides_under(rule: SingletonRule, sides: Sequence[Side]) -> tuple[Side, Side]:
    """Return key and response with a rule for singletons applied."""
    key, response = sides
    return (
        key.without_singletons() if rule == "drop" else key,
        response if rule == "keep" else response.without_singletons(),
    )


def overlap_under(rule: SingletonRule, overlap: Overlap) -> Overlap:
    """Return the overlap with a rule for singletons applied."""
    if rule == "keep":
        return overlap
    return overlap.keep(kept_in_key(rule, overlap), overlap.response_size > 1)


def kept_in_key(rule: SingletonRule, overlap: Overlap) -> NDArray[np.bool_]:
    """Return which key entities stay under a rule for singletons."""
    return np.asarray((overlap.key_size > 1) | (rule != "drop"))


def repeated_mentions(
    corpus: Corpus, *, across: str | None = None, within: str | None = None
) -> list[Finding]:
    """Report the mentions of a corpus that are annotated twice.

    Messages say that the first is kept, as in scores, unless ``across`` says what happens to copies
    in another entity, and ``within`` what happens to copies in the same one.
    """
    itself = Pairing(key_document=np.arange(len(corpus)))
    if needs_words(corpus, corpus, MatchingRules()):
        from corefscope.matching.word_sets import WordSets

        sides = WordSets.of(corpus, corpus, itself, MatchingRules()).sides
    else:
        sides = number_mentions(corpus, corpus, itself)
    _, copies = sides[0].first_copies()
    entity = corpus.mention_entity
    return _links(corpus, copies) + few_alike(
        _repeated(corpus, row, first, "first", within if entity[row] == entity[first] else across)
        for row, first in copies
    )


def _links(corpus: Corpus, copies: Sequence[tuple[int, int]]) -> list[Finding]:
    """Report that clusters may be links: all are pairs, and a mention is in several."""
    entity = corpus.mention_entity
    if not any(entity[row] != entity[first] for row, first in copies):
        return []
    sizes = np.bincount(entity)
    if len(sizes) < 3 or (sizes != 2).any():
        return []
    found = "every entity is a pair, and some mentions are in several, as if the pairs were links"
    expected = "one entity for all mentions that are linked, directly or not"
    return [Finding(Code.DOUBTFUL_CLUSTERS, found, expected=expected, file=corpus.path)]


def _repeated(
    corpus: Corpus, row: int, first: int, duplicates: Duplicates, outcome: str | None = None
) -> Finding:
    """Report a copy of a mention, with both entities, both lines, and what happens to it."""
    document = corpus.document_of(row)
    label, first_label = (corpus.entity_labels[int(corpus.mention_entity[r])] for r in (row, first))
    line, first_line = (
        (int(corpus.mention_lines[r]) or None) if corpus.mention_lines is not None else None
        for r in (row, first)
    )
    where = f" on line {first_line}" if first_line else ""
    found = (
        f"mention {corpus.mention_id(row)} of entity {label} in document "
        f"{corpus.document_names[document]!r} is already in entity {first_label}{where}"
    )
    place = corpus.file_of(document), line
    if duplicates == "error" and not outcome:
        expected = "each mention once"
        return Finding(Code.REPEATED_REFUSED, found, expected=expected).at(*place)
    ends = {"first": "the first is kept", "reference": "counted as in the reference scorer"}
    code = Code.REPEATED_REFUSED if duplicates == "error" else Code.REPEATED
    return Finding(code, f"{found}; {outcome or ends[duplicates]}").at(*place)
