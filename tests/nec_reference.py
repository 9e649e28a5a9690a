"""Named entity coreference (NEC, Agarwal et al. 2019), straight from its definition: the reference.

Chains are sets of spans, everything is looked for by trying all of it, and numbers are fractions,
so nothing here is quick or rounds. Of the package only the word lists of the head scan are used.
The numbers in brackets are sections of specification 3, those with an A its open questions (7).

A span is the first and the last token of a mention, counted from 0 in the document. Spans are
ordered as pairs: of two that start together the shorter is the earlier. Names may be of any tag;
a tag that the table of types lacks is ignored but for the type of a mention (4.1).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from itertools import product
from math import inf
from typing import Literal, NamedTuple, NotRequired, TypedDict

import brute_force
from corefscope.language.english import ENGLISH
from error_reference import Node, Parsed, Span

Name = tuple[int, int, str]
"""The first and the last token of a name and its tag."""
Chain = Collection[Span]
Chains = tuple[tuple[Span, ...], ...]
Value = Fraction | None
"""A number, or that there is nothing to take it of (6)."""
Extent = tuple[int, Value, int]
"""How many chains are split or combined, their share, and how much there is of it in all (4.2)."""

ALL = "ALL"
TYPES = {"PERSON": "PER", "PER": "PER", "ORG": "ORG", "GPE": "GPE"}
MENTION_TYPES = ("name", "pronoun", "nominal")
POSSESSIVES = ("'s", "’s", "'", "’")
TITLES = ("appos", "flat", "nmod:desc")
"""Relations of a name to the noun that it is the name of (3.1)."""
PRONOUN_TAGS = {
    "personal": ("PRP", "PRP$"),
    "wide": ("PRP", "PRP$", "WP", "WP$", "WDT", "DT"),
}
PRONOUNS = (
    " i me my mine myself you your yours yourself yourselves he him his himself she her hers"
    " herself it its itself we us our ours ourselves they them their theirs themselves one "
)
"""The pronouns of a text without tags."""
ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class NamedDocument:
    """A document with names and with what heads are told by; a side has each span once."""

    name: str
    words: tuple[str, ...]
    sentences: tuple[range, ...]
    names: tuple[Name, ...]
    tags: tuple[str, ...] | None
    parse: tuple[str, ...] | None
    """Parse bits, such as `(TOP(S(NP*)`."""
    dep_heads: tuple[int, ...] | None
    """The head of each token, counted in the document; -1 for the root of a sentence."""
    deprels: tuple[str, ...] | None
    key: Chains
    response: Chains

    @cached_property
    def nodes(self) -> list[Node]:
        """The constituents of all sentences, each before those below it."""
        assert self.tags is not None and self.parse is not None
        parsed = Parsed(self.words, self.tags, self.parse, self.sentences)
        return [node for root in parsed.trees for node in _below(root)]


class Options(NamedTuple):
    """The answers to the open questions; the first of each is the default."""

    types: Mapping[str, str] = TYPES
    heads: Literal["dependency", "constituency", "heuristic"] = "dependency"
    head_test: Literal["root", "ancestor"] = "root"
    coordination: Literal["exclude", "literal"] = "exclude"
    title_names: bool = False
    name_extent: Literal["overlap", "inside"] = "overlap"
    aggregate: Literal["macro", "micro"] = "macro"
    variants: Literal["any", "full"] = "any"
    variants_from: Literal["head", "equal", "inside"] = "head"
    response_filter: Literal["type", "any", "none"] = "type"
    containment: Literal["tokens", "characters", "position"] = "tokens"
    case: Literal["sensitive", "folded"] = "sensitive"
    suppliers: Literal["any", "named"] = "any"
    not_found: Literal["candidates", "zero"] = "candidates"
    pairing: Literal["max", "one-to-one"] = "max"
    precision: Literal["found", "one", "zero"] = "found"
    retarget: bool = False
    empty: Literal["exclude", "one", "zero"] = "exclude"
    pronouns: Literal["personal", "wide"] = "personal"
    documents: Literal["pooled", "mean"] = "pooled"
    type_conflict: Literal["majority", "first", "multi"] = "majority"
    key_names: Literal["head", "inside"] = "head"
    split_by: Literal["mention", "variant"] = "mention"


DEFAULT = Options()


class HeadTest(NamedTuple):
    """Those of the options that decide on heads."""

    heads: str
    head_test: str
    coordination: str
    title_names: bool
    name_extent: str


class Row(NamedTuple):
    """What becomes of one named chain of the key (5)."""

    type: str
    chain: int
    """Which chain of the key it is."""
    variants: tuple[str, ...]
    candidates: tuple[int, ...]
    """Chains of the response."""
    best: int | None
    f1: Fraction
    recall: Fraction
    precision: Value
    """None for a chain without a best one."""
    by_type: dict[str, Value]
    """F1 by type of mention; None if the type is left out."""
    split: int
    shared: int
    key_size: int
    best_size: int


class Figures(TypedDict):
    """The scores of the chains of a type (4)."""

    chains: int
    f1: Value
    not_found: Value
    zero_f1: Value
    recall: Value
    precision: Value
    micro_recall: Value
    micro_precision: Value
    micro_f1: Value
    by_mention_type: dict[str, tuple[Value, int]]
    """F1, and of how many chains."""
    over_split: Extent
    over_combined: Extent
    macro_f1: NotRequired[Value]
    """Mean over the types that have chains; beside the scores of all types only."""


class Group(NamedTuple):
    """Chains that are counted together."""

    rows: list[Row]
    combined: list[int]
    """For each named chain of the response, how many named chains of the key it combines."""


def rows(document: NamedDocument, options: Options = DEFAULT) -> list[Row]:
    """A row for each named chain of the key, or for each type of it (A15)."""
    named = _named_chains(document, options)
    groups = [[each] for each in named]
    if options.pairing == "one-to-one":
        earliest = sorted(named, key=lambda each: min(document.key[each[0]]))
        groups = [[each for each in earliest if each[1] == kind] for kind in _types(options)]
    best = {
        each: partner
        for group in groups
        for each, partner in zip(group, _pairing(document, group, options), strict=True)
    }
    return [_row(document, at, kind, best[at, kind], options) for at, kind in named]


def summary(documents: Sequence[NamedDocument], options: Options = DEFAULT) -> dict[str, Figures]:
    """The scores by type, and those of all types."""
    kinds = _types(options)
    texts = [(document, rows(document, options)) for document in documents]
    found = {kind: _figures(texts, [kind], options) for kind in kinds}
    macro = _mean(each["f1"] for each in found.values())
    return {**found, ALL: {**_figures(texts, kinds, options), "macro_f1": macro}}


def typed_conll(
    documents: Sequence[NamedDocument], options: Options = DEFAULT, kind: str = ALL
) -> float | None:
    """Mean F1 of MUC, B3 and CEAFe of the named chains of a type; None without one in the key.

    A span is in at most one chain of a side (4.3).
    """
    kinds = _types(options) if kind == ALL else [kind]
    corpus = [
        (
            [
                chain
                for chain in document.key
                if not set(kinds).isdisjoint(chain_types(document, chain, options))
            ],
            [document.response[at] for at in _named_response(document, kinds, options)],
        )
        for document in documents
    ]
    return float(brute_force.conll(corpus)) if any(key for key, _ in corpus) else None


def head_names(document: NamedDocument, span: Span, options: Options = DEFAULT) -> list[Name]:
    """The names that head a mention, clipped to it, in the order of the text (2, 3).

    There are several only if names overlap, or by the ancestor test.
    """
    test = HeadTest(
        options.heads,
        options.head_test,
        options.coordination,
        options.title_names,
        options.name_extent,
    )
    return _head_names(document, span, test)


def chain_types(document: NamedDocument, chain: Chain, options: Options = DEFAULT) -> list[str]:
    """The type of a chain of the key; none if it has no name, several only by choice (2, A15)."""
    found = [
        kind for span in sorted(set(chain)) for kind in _mention_types(document, span, options)
    ]
    if options.type_conflict == "multi":
        return [kind for kind in _types(options) if kind in found]
    if options.type_conflict == "majority":
        times = Counter(found)
        found = [kind for kind in found if times[kind] == max(times.values())]
    return found[:1]


def mention_type(document: NamedDocument, span: Span, options: Options = DEFAULT) -> str:
    """One of `name`, `pronoun` and `nominal` (4.1)."""
    start, end = span
    if head_names(document, span, options):
        return "name"
    if document.tags is None:
        pronoun = document.words[start].lower() in PRONOUNS.split()
    else:
        pronoun = document.tags[start] in PRONOUN_TAGS[options.pronouns]
    return "pronoun" if start == end and pronoun else "nominal"


def dependency_head(document: NamedDocument, span: Span) -> int:
    """The token with the fewest ancestors, of such the leftmost (3.1)."""
    return min(_tokens(span), key=lambda token: len(_ancestors(document, token)))


def constituency_head(document: NamedDocument, span: Span, literal: bool = False) -> int:
    """Go down from the highest of the smallest constituents around the span, inside of it (3.2)."""
    around = [node for node in document.nodes if _within(span, node.span)]
    node = min(around, key=lambda node: node.span[1] - node.span[0])
    while node.children:
        inside = [child for child in node.children if _overlap(child.span, span)]
        node = _head_child(_plain(node.label), inside, literal)
    return node.span[0]


def heuristic_head(document: NamedDocument, span: Span, literal: bool = False) -> int | None:
    """The last word before the first boundary; None if that coordinates phrases (3.3).

    Taken literally, a coordination is headed by its first phrase.
    """
    start, end = span
    while start < end and _is_tail(document, end):
        end -= 1
    last = None
    for token in range(start, end + 1):
        if last is not None and _is_boundary(document, token, last):
            return last if literal or not _tell(document, "conjunction", token) else None
        if start < token and _tell(document, "possessive", token):
            last = None
        elif document.words[token] not in ENGLISH.scan_rules.punctuation:
            last = token
    return end if last is None else last


def _types(options: Options) -> list[str]:
    return list(dict.fromkeys(options.types.values()))


def _tokens(span: Span | Name) -> range:
    return range(span[0], span[1] + 1)


def _overlap(one: Span, other: Span) -> bool:
    return max(one[0], other[0]) <= min(one[1], other[1])


def _within(inner: Span, outer: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _mean(values: Iterable[Value]) -> Value:
    """The mean of those that there are, if there are any."""
    known = [value for value in values if value is not None]
    return sum(known, ZERO) / len(known) if known else None


@lru_cache(maxsize=4096)
def _head_names(document: NamedDocument, span: Span, test: HeadTest) -> list[Name]:
    start, end = span
    clipped = [
        (max(first, start), min(last, end), tag)
        for first, last, tag in sorted(document.names)
        if _overlap((first, last), span)
        and (test.name_extent == "overlap" or _is_covered(document, (first, last), span))
    ]
    if test.heads == "dependency":
        return [name for name in clipped if _is_dependency_head(document, name, span, test)]
    find = constituency_head if test.heads == "constituency" else heuristic_head
    head = find(document, span, test.coordination == "literal")
    return [name for name in clipped if head is not None and head in _tokens(name)]


def _is_covered(document: NamedDocument, name: Span, span: Span) -> bool:
    """Whether only possessive tokens at the end of a name are outside of a mention (A21)."""
    outside = [token for token in _tokens(name) if token not in _tokens(span)]
    end = [
        token
        for token in _tokens(name)
        if all(document.words[later] in POSSESSIVES for later in range(token, name[1] + 1))
    ]
    return all(token in end and token > name[0] for token in outside)


def _is_dependency_head(document: NamedDocument, name: Name, span: Span, test: HeadTest) -> bool:
    """Whether a name inside a mention is its head, or names its head (3.1)."""
    assert document.dep_heads is not None and document.deprels is not None
    heads, relations = document.dep_heads, document.deprels
    own, others = set(_tokens(name)), set(_tokens(span)) - set(_tokens(name))
    conjuncts = [token for token in others if relations[token] == "conj" and heads[token] in own]
    if conjuncts and test.coordination == "exclude":
        return False
    head, top = dependency_head(document, span), dependency_head(document, name[:2])
    if test.title_names and heads[top] == head and relations[top] in TITLES:
        return True
    if test.head_test == "root":
        return head in own
    return all(others.isdisjoint(_ancestors(document, token)) for token in own)


def _ancestors(document: NamedDocument, token: int) -> list[int]:
    assert document.dep_heads is not None
    above = document.dep_heads[token]
    return [] if above == -1 else [above, *_ancestors(document, above)]


NOMINAL_PHRASES = ("NP", "NML", "NX", "WHNP", "QP", "FRAG", "TOP")
CONJUNCTS = ("NP", "NML", "NX", "NN", "NNS", "NNP", "NNPS", "PRP")
NOMINAL_HEADS = (
    ("last", "NN NNS NNP NNPS NX JJR"),
    ("first", "NP WHNP"),
    ("first", "NML"),
    ("last", "$ ADJP PRN"),
    ("last", "CD"),
    ("last", "JJ JJS RB QP"),
)
"""Rules b to g: the last or the first child with any of the labels (3.2)."""
CLAUSES = ("S", "SBAR", "VP")
CLAUSE_HEADS = tuple(
    ("first", label) for label in ("VP", "S", "VBD", "VBN", "MD", "VBZ", "VB", "VBG", "VBP", "NP")
)
"""The labels are looked for one after the other."""


def _below(node: Node) -> Iterable[Node]:
    yield node
    for child in node.children:
        yield from _below(child)


def _plain(label: str) -> str:
    """The label without function tags; -LRB- stays as it is."""
    return label if label.startswith("-") else re.split("[-=]", label)[0]


def _head_child(label: str, children: list[Node], literal: bool) -> Node:
    labels = [_plain(child.label) for child in children]
    nominal = label in NOMINAL_PHRASES
    if nominal and not literal:
        for at, child in enumerate(children):
            sides = (labels[:at], labels[at + 1 :])
            if labels[at] == "CC" and not any(map(set(CONJUNCTS).isdisjoint, sides)):
                return child
    if label == "PP":
        return children[0]
    for end, wanted in NOMINAL_HEADS if nominal else CLAUSE_HEADS if label in CLAUSES else ():
        found = [
            child for child, own in zip(children, labels, strict=True) if own in wanted.split()
        ]
        if found:
            return found[-1 if end == "last" else 0]
    return children[-1]


def _tell(
    document: NamedDocument,
    kind: Literal["boundary", "conjunction", "possessive", "participle", "modifier"],
    token: int,
) -> bool:
    """Whether a token is of a kind, by its tag or, in a text without tags, by its word."""
    cues = {
        "boundary": ENGLISH.scan_rules.boundary,
        "conjunction": ENGLISH.scan_rules.conjunction,
        "possessive": ENGLISH.scan_rules.possessive,
        "participle": ENGLISH.scan_rules.participle,
        "modifier": ENGLISH.scan_rules.modifier,
    }[kind]
    if document.tags is None:
        return document.words[token].lower() in cues.words
    return document.tags[token] in cues.tags


def _is_tail(document: NamedDocument, token: int) -> bool:
    punctuation = document.words[token] in ENGLISH.scan_rules.punctuation
    return punctuation or _tell(document, "possessive", token)


def _is_boundary(document: NamedDocument, token: int, last: int) -> bool:
    """Whether a token ends the phrase of the word before; not strictly inside of a name."""
    if any(first < token < end for first, end, _ in document.names):
        return False
    if _tell(document, "participle", token):
        return not _tell(document, "modifier", last)
    return document.words[token] in ENGLISH.scan_rules.breaks or _tell(document, "boundary", token)


def _mention_types(document: NamedDocument, span: Span, options: Options) -> list[str]:
    """The types of the names that head a mention, or that are in it (A18)."""
    names = head_names(document, span, options)
    if options.key_names == "inside":
        names = _names_inside(document, span)
    return list(dict.fromkeys(options.types[tag] for _, _, tag in names if tag in options.types))


def _names_inside(document: NamedDocument, span: Span) -> list[Name]:
    return [name for name in sorted(document.names) if _within(name[:2], span)]


def _head_name(
    document: NamedDocument, span: Span, kinds: Collection[str], options: Options
) -> Name | None:
    """The first name of some types that heads a mention."""
    names = head_names(document, span, options)
    return next((name for name in names if options.types.get(name[2]) in kinds), None)


def _named_chains(document: NamedDocument, options: Options) -> list[tuple[int, str]]:
    """The named chains of the key with their types."""
    return [
        (at, kind)
        for at, chain in enumerate(document.key)
        for kind in chain_types(document, chain, options)
    ]


def _named_response(document: NamedDocument, kinds: Collection[str], options: Options) -> list[int]:
    """The chains of the response that a name of some types heads a mention of."""
    return [
        at
        for at, chain in enumerate(document.response)
        if any(_head_name(document, span, kinds, options) for span in chain)
    ]


def _variant_names(
    document: NamedDocument, chain: Chain, kind: str, options: Options
) -> list[Name]:
    """The names that tell how a chain is called, by mention (2, A2, A3)."""
    found: list[Name] = []
    for span in sorted(set(chain)):
        if options.variants_from == "head":
            name = _head_name(document, span, [kind], options)
            found += [name] if name else []
        else:
            # A name inside may be of another type than the chain, such as Boston of Joe (A3).
            inside = _names_inside(document, span)
            if options.variants_from == "equal":
                inside = [name for name in inside if name[:2] == span]
                inside = [name for name in inside if options.types.get(name[2]) == kind]
            found += [name for name in inside if name[2] in options.types]
    if options.variants == "full" and found:
        full = max((_text(document, name) for name in found), key=lambda text: len(" ".join(text)))
        found = [name for name in found if _text(document, name) == full]
    return found


def _text(document: NamedDocument, name: Name) -> tuple[str, ...]:
    """The words of a name without possessive markers at the end, if something remains (2)."""
    words = [document.words[token] for token in _tokens(name)]
    while len(words) > 1 and words[-1] in POSSESSIVES:
        words.pop()
    return tuple(words)


def _candidates(document: NamedDocument, chain: Chain, kind: str, options: Options) -> list[int]:
    """The chains of the response in which the name of a chain of the key is found (2)."""
    names = _variant_names(document, chain, kind, options)
    kinds = [kind] if options.response_filter == "type" else _types(options)
    admitted = _named_response(document, kinds, options)
    if options.response_filter == "none":
        admitted = list(range(len(document.response)))
    return [
        at
        for at in admitted
        if any(
            _contains(document, span, name, options)
            for span in document.response[at]
            if _may_supply(document, span, options)
            for name in names
        )
    ]


def _may_supply(document: NamedDocument, span: Span, options: Options) -> bool:
    named = options.suppliers == "named"
    return not named or _head_name(document, span, _types(options), options) is not None


def _contains(document: NamedDocument, span: Span, name: Name, options: Options) -> bool:
    """Whether a mention contains a name (A5, A6)."""
    if options.containment == "position":
        return _within(name[:2], span)
    words, text = tuple(document.words[token] for token in _tokens(span)), _text(document, name)
    if options.case == "folded":
        words, text = tuple(map(str.casefold, words)), tuple(map(str.casefold, text))
    if options.containment == "characters":
        return " ".join(text) in " ".join(words)
    return any(words[at : at + len(text)] == text for at in range(len(words)))


def _f1(one: Chain, other: Chain) -> Fraction:
    """Twice the mentions in common, over those of both; 1 if there are none at all."""
    both = len(set(one)) + len(set(other))
    return Fraction(2 * len(set(one) & set(other)), both) if both else ONE


def _pairing(
    document: NamedDocument, group: list[tuple[int, str]], options: Options
) -> tuple[int | None, ...]:
    """The best partners of chains of the key, no two the same, by trying all (A9).

    Without the constraint, chains come here one by one.
    """
    choices: list[list[int | None]] = [
        [None, *_candidates(document, document.key[at], kind, options)] for at, kind in group
    ]
    pairings = [
        pairing
        for pairing in product(*choices)
        if max(Counter(each for each in pairing if each is not None).values(), default=1) == 1
    ]
    chains = [document.key[at] for at, _ in group]
    return min(pairings, key=lambda pairing: _rank(document, chains, pairing))


def _rank(
    document: NamedDocument, chains: list[tuple[Span, ...]], pairing: tuple[int | None, ...]
) -> tuple[Fraction, int, int, list[tuple[float, float]]]:
    """Larger F1 first, then larger overlap, then more pairs, then earlier first mentions."""
    pairs = [
        (chain, document.response[partner])
        for chain, partner in zip(chains, pairing, strict=True)
        if partner is not None
    ]
    return (
        -sum((_f1(*pair) for pair in pairs), ZERO),
        -sum(len(set(one) & set(other)) for one, other in pairs),
        -len(pairs),
        [(inf, inf) if each is None else min(document.response[each]) for each in pairing],
    )


def _row(document: NamedDocument, at: int, kind: str, best: int | None, options: Options) -> Row:
    chain = set(document.key[at])
    partner = set() if best is None else set(document.response[best])
    names = _variant_names(document, chain, kind, options)
    candidates = _candidates(document, chain, kind, options)
    partners = candidates if options.retarget else [] if best is None else [best]
    shared = len(chain & partner)
    return Row(
        type=kind,
        chain=at,
        variants=tuple(sorted({" ".join(_text(document, name)) for name in names})),
        candidates=tuple(candidates),
        best=best,
        f1=ZERO if best is None else _f1(chain, partner),
        recall=Fraction(shared, len(chain)),
        precision=None if best is None else Fraction(shared, len(partner)),
        by_type={
            each: _f1_of_type(document, chain, partners, each, options) for each in MENTION_TYPES
        },
        split=len(_pieces(document, chain, kind, options)),
        shared=shared,
        key_size=len(chain),
        best_size=len(partner),
    )


def _f1_of_type(
    document: NamedDocument, chain: Chain, partners: list[int], kind: str, options: Options
) -> Value:
    """F1 of the mentions of a type; the best one if there are several partners (4.1, A12)."""
    key, *others = (
        [span for span in each if mention_type(document, span, options) == kind]
        for each in (chain, *(document.response[at] for at in partners))
    )
    if not key and options.empty != "one":
        return None if options.empty == "exclude" else ZERO
    return max((_f1(key, other) for other in others), default=ZERO)


def _pieces(document: NamedDocument, chain: Chain, kind: str, options: Options) -> list[int]:
    """The chains of the response with a mention that a name of the key chain heads (4.2)."""
    if options.split_by == "variant":
        return _candidates(document, chain, kind, options)
    named = {span for span in chain if _head_name(document, span, [kind], options)}
    return [at for at, other in enumerate(document.response) if named & set(other)]


def _combined(document: NamedDocument, kinds: Collection[str], options: Options) -> list[int]:
    """How many named chains of the key, of any type, each named chain of the response has (4.2)."""
    pairs = {
        (at, piece)
        for at, kind in _named_chains(document, options)
        for piece in _pieces(document, document.key[at], kind, options)
    }
    response = _named_response(document, kinds, options)
    return [sum(piece == each for _, piece in pairs) for each in response]


def _figures(
    texts: list[tuple[NamedDocument, list[Row]]], kinds: Collection[str], options: Options
) -> Figures:
    """The scores of all chains together, or means of those of documents with chains (A14)."""
    each = [
        Group([row for row in own if row.type in kinds], _combined(document, kinds, options))
        for document, own in texts
    ]
    pool = Group(
        [row for group in each for row in group.rows],
        [number for group in each for number in group.combined],
    )
    groups = [group for group in each if group.rows] if options.documents == "mean" else [pool]

    def value(measure: Callable[[Group], Value]) -> Value:
        return _mean(map(measure, groups)) if pool.rows else None

    return {
        "chains": len(pool.rows),
        "f1": value(_micro_f1 if options.aggregate == "micro" else _macro_f1),
        "not_found": value(_zero_f1 if options.not_found == "zero" else _not_found),
        "zero_f1": value(_zero_f1),
        "recall": value(_recall),
        "precision": value(partial(_precision, options)),
        "micro_recall": value(_micro_recall),
        "micro_precision": value(_micro_precision),
        "micro_f1": value(_micro_f1),
        "by_mention_type": {
            kind: (
                value(partial(_f1_by_type, kind)),
                sum(row.by_type[kind] is not None for row in pool.rows),
            )
            for kind in MENTION_TYPES
        },
        "over_split": _extent([[row.split for row in group.rows] for group in [pool, *groups]]),
        "over_combined": _extent([group.combined for group in [pool, *groups]]),
    }


def _macro_f1(group: Group) -> Value:
    return _mean(row.f1 for row in group.rows)


def _f1_by_type(kind: str, group: Group) -> Value:
    return _mean(row.by_type[kind] for row in group.rows)


def _recall(group: Group) -> Value:
    return _mean(row.recall for row in group.rows)


def _not_found(group: Group) -> Value:
    return _mean(Fraction(not row.candidates) for row in group.rows)


def _zero_f1(group: Group) -> Value:
    return _mean(Fraction(row.f1 == 0) for row in group.rows)


def _precision(options: Options, group: Group) -> Value:
    """The mean over chains with a best one, 1 if there are none; or over all chains (A10)."""
    if options.precision == "found":
        known = _mean(row.precision for row in group.rows)
        return ONE if known is None else known
    missing = ONE if options.precision == "one" else ZERO
    return _mean(missing if row.precision is None else row.precision for row in group.rows)


def _micro_recall(group: Group) -> Fraction:
    return Fraction(sum(row.shared for row in group.rows), sum(row.key_size for row in group.rows))


def _micro_precision(group: Group) -> Fraction:
    size = sum(row.best_size for row in group.rows)
    return Fraction(sum(row.shared for row in group.rows), size) if size else ONE


def _micro_f1(group: Group) -> Fraction:
    recall, precision = _micro_recall(group), _micro_precision(group)
    return 2 * recall * precision / (recall + precision) if recall else ZERO


def _extent(numbers: list[list[int]]) -> Extent:
    """Counts of all chains, which come first; the share is a mean over the groups after that."""
    pool, *groups = numbers
    share = _mean(_mean(Fraction(number > 1) for number in group) for group in groups)
    return sum(number > 1 for number in pool), share, sum(max(0, number - 1) for number in pool)
