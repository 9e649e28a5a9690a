"""The error analysis of Kummerfeld and Klein (2013), straight from its definition: the reference.

Clusters are sets of spans, every operation is carried out on sets and every error is made by
consuming operations, so nothing here is quick and nothing is shared with the package. The numbers
in brackets are sections of specification 2, which follows the authors' tool where it and the paper
disagree.

A span is the first and the last token of a mention, counted from 0 in the document. Spans are
ordered as pairs: of two that start together the shorter is the earlier. A mention is in at most
one cluster of a side. Singletons are either dropped from both sides before (`without_singletons`)
or kept on both (section 9): a missing gold singleton is then introduced and is no error.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, Protocol

Span = tuple[int, int]
"""The first and the last token of a mention, counted from 0 in its document."""
Pair = tuple[Span, Span]
"""A system span and the gold span that it becomes."""
Cluster = frozenset[Span]
Clustering = frozenset[Cluster]
Clusters = Iterable[Iterable[Span]]
"""A clustering as callers have it."""
Error = tuple[str, Cluster]
"""The type and the mentions: the part, the mention, the spurious or missing mentions of the entity,
or the two spans of a pair. No two errors of a document are equal."""
Mode = Literal["berkeley", "standard"]

OPERATIONS = ("alter_span", "split", "remove", "introduce", "merge")
REPAIRS = (
    "conflated_entities",
    "extra_mention",
    "extra_entity",
    "divided_entity",
    "missing_mention",
    "missing_entity",
)
"""The errors that are left after span alteration, in the order of their repair (11)."""
ERRORS = ("span_error", *REPAIRS)
CATAPHORA = ("yes_yes_same", "yes_yes_different", "yes_no", "yes_absent", "no_yes", "absent_yes")
"""Rows of Table 9: whether a pronoun is cataphoric in gold, then in the system output (12)."""


class Words(Protocol):
    """What the analysis asks of a document."""

    @property
    def words(self) -> Sequence[str]: ...

    @property
    def sentences(self) -> Sequence[range]: ...

    def head(self, span: Span) -> int: ...

    def is_pronoun(self, span: Span) -> bool: ...


class Operation(NamedTuple):
    """One change, on a piece of a cluster; for `alter_span` the one old span, the one new one."""

    kind: str
    piece: Cluster
    cluster: Cluster


class Transformation(NamedTuple):
    """How a system output becomes gold, and what that says about it."""

    operations: dict[str, int]
    errors: dict[str, int]
    found: frozenset[Error]
    """The errors themselves."""
    steps: tuple[Operation, ...]
    pairs: list[Pair]
    altered: Clustering


class Counts(NamedTuple):
    """Operations and errors, but for those of span alteration."""

    operations: dict[str, int]
    errors: dict[str, int]


def clustering(clusters: Clusters) -> Clustering:
    """The clusters as sets."""
    return frozenset(frozenset(cluster) for cluster in clusters) - {frozenset()}


def without_singletons(clusters: Clusters) -> Clustering:
    """The clusters of two mentions or more."""
    return frozenset(cluster for cluster in clustering(clusters) if len(cluster) > 1)


def mentions(clusters: Clusters) -> Cluster:
    """The mentions of all clusters."""
    return frozenset(span for cluster in clusters for span in cluster)


def alter_spans(document: Words, gold: Clusters, system: Clusters) -> tuple[list[Pair], Clustering]:
    """Stage 1: the pairs of the two passes and the system output with the spans replaced (4)."""
    key, now = clustering(gold), clustering(system)
    first = [_closest(*sides) for sides in _trim_classes(document, key, now) if all(sides)]
    now = _altered(now, first)
    buckets = _only_by({span: document.head(span) for span in mentions(key) ^ mentions(now)}, now)
    second = [(min(ours), min(theirs)) for ours, theirs in buckets if len(ours) == len(theirs) == 1]
    return first + second, _altered(now, second)


def ambiguous_classes(
    document: Words, gold: Clusters, system: Clusters
) -> list[tuple[Cluster, Cluster]]:
    """System and gold spans of the trim classes where the tool's choice is by chance (13)."""
    classes = _trim_classes(document, clustering(gold), clustering(system))
    return [sides for sides in classes if all(sides) and len(sides[0] | sides[1]) > 2]


def step_by_step(document: Words, gold: Clusters, system: Clusters) -> Transformation:
    """Turn the system output into gold, then map the operations to errors (6, 7)."""
    key = clustering(gold)
    pairs, altered = alter_spans(document, key, system)
    alterations = [Operation("alter_span", _just(old), _just(new)) for old, new in pairs]
    steps = (*alterations, *_splits(key, altered), *_merges(key, altered))
    assert _carried_out(steps, clustering(system)) == key
    found = _errors(document, key, altered, set(steps) - set(alterations))
    found += [("span_error", frozenset(pair)) for pair in pairs]
    assert len(set(found)) == len(found)
    return Transformation(
        _counts(OPERATIONS, (step.kind for step in steps)),
        _counts(ERRORS, (kind for kind, _ in found)),
        frozenset(found),
        steps,
        pairs,
        altered,
    )


def closed_form(document: Words, gold: Clusters, altered: Clusters) -> Counts:
    """The counts without the steps (7.1)."""
    key, now = clustering(gold), clustering(altered)
    operations: Counter[str] = Counter()
    errors: Counter[str] = Counter()
    for cluster in now:
        pieces, spurious = _pieces(cluster, key)
        # A spurious singleton is split off even if it is all of the cluster (6, 9).
        operations.update(split=pieces if pieces > 1 else spurious, remove=spurious)
        entity, links, single = _charged(document, cluster, key)
        errors.update(extra_entity=entity, conflated_entities=links, extra_mention=single)
    for cluster in key:
        pieces, missing = _pieces(cluster, now)
        operations.update(merge=pieces if pieces > 1 else 0, introduce=missing)
        entity, links, single = _charged(document, cluster, now)
        errors.update(missing_entity=entity, divided_entity=links, missing_mention=single)
    return Counts(
        {kind: operations[kind] for kind in OPERATIONS[1:]},
        {kind: errors[kind] for kind in REPAIRS},
    )


def corrected(
    document: Words, gold: Clusters, system: Clusters, mode: Mode = "berkeley"
) -> dict[str, Clustering]:
    """The clusterings after repairing one type of error, and after all types up to one (11).

    Mode "standard" also deletes, after every repair, spurious mentions that stand alone.
    """
    key = clustering(gold)
    done = step_by_step(document, key, system)
    kept = key if mode == "standard" else None
    start = now = _tidied(done.altered, kept)
    result = {"none": clustering(system), "span_error": start}
    for kind in REPAIRS:
        parts = sorted((part for each, part in done.found if each == kind), key=sorted)
        result[kind], now = (
            _tidied(_repaired(document, kind, parts, key, done.altered, state), kept)
            for state in (start, now)
        )
        result[f"cumulative:{kind}"] = now
    return result


def cataphora(document: Words, gold: Clusters, altered: Clusters) -> dict[str, int]:
    """Pronouns by whether they are cataphoric on each side, for the same noun or not (12)."""
    key, now = clustering(gold), clustering(altered)
    pronouns = filter(document.is_pronoun, mentions(key) | mentions(now))
    rows = (_cataphora_row(document, span, key, now) for span in pronouns)
    return _counts(CATAPHORA, (row for row in rows if row in CATAPHORA))


def _just(span: Span) -> Cluster:
    return frozenset([span])


def _counts(kinds: Iterable[str], found: Iterable[str]) -> dict[str, int]:
    counter = Counter(found)
    return {kind: counter[kind] for kind in kinds}


def _holding(part: Cluster, clusters: Clustering) -> Cluster:
    return next(cluster for cluster in clusters if part <= cluster)


def _without(clusters: Clustering, lost: Cluster) -> Clustering:
    """The clusters without some mentions; a cluster left empty vanishes."""
    return clustering(cluster - lost for cluster in clusters)


def _joined(clusters: Clustering, joined: Clustering) -> Clustering:
    """The clusters with some of them made one."""
    return clusters - joined | {mentions(joined)}


def first_np(document: Words, cluster: Cluster) -> Span | None:
    """The earliest mention that is no pronoun (7)."""
    return min((span for span in cluster if not document.is_pronoun(span)), default=None)


def _anchor(document: Words, cluster: Cluster) -> Span:
    """The earliest mention that is no pronoun, or else the earliest."""
    return first_np(document, cluster) or min(cluster)


def trimmed(document: Words, span: Span) -> Span:
    """The span without articles, possessives and single characters at its ends (4)."""
    start, end = span
    while start < end and _is_trimmed(document.words[start], "the"):
        start += 1
    while start < end and _is_trimmed(document.words[end], "'s"):
        end -= 1
    return start, end


def _is_trimmed(word: str, particle: str) -> bool:
    return word == particle or re.fullmatch("[^A-Za-z]", word) is not None


def _trim_classes(
    document: Words, gold: Clustering, system: Clustering
) -> list[tuple[Cluster, Cluster]]:
    """System and gold spans that the other side lacks, by what is left when they are trimmed."""
    unmatched = mentions(gold) ^ mentions(system)
    return _only_by({span: trimmed(document, span) for span in unmatched}, system)


def _only_by(values: Mapping[Span, Hashable], system: Clustering) -> list[tuple[Cluster, Cluster]]:
    """Those spans of each value that are the system's, and the others."""
    ours = mentions(system)
    classes = [
        frozenset(span for span, own in values.items() if own == value)
        for value in set(values.values())
    ]
    return [(spans & ours, spans - ours) for spans in sorted(classes, key=sorted)]


def _closest(ours: Cluster, theirs: Cluster) -> Pair:
    """The pair that differs by the fewest tokens, of such the first in the document (13)."""
    pairs = sorted((old, new) for old in ours for new in theirs)
    return min(pairs, key=lambda pair: sum(abs(pair[0][end] - pair[1][end]) for end in (0, 1)))


def _altered(clusters: Clustering, pairs: Iterable[Pair]) -> Clustering:
    new = dict(pairs)
    return clustering([new.get(span, span) for span in cluster] for cluster in clusters)


def _splits(gold: Clustering, system: Clustering) -> list[Operation]:
    """Splits, then removals (6)."""
    valid, spurious = _known_and_unknown(system, gold)
    # A spurious mention is split off even if it is all of the cluster (9).
    pieces = [(piece, cluster) for piece, cluster in valid if piece < cluster] + spurious
    splits = [Operation("split", piece, cluster) for piece, cluster in pieces]
    return splits + [Operation("remove", piece, cluster) for piece, cluster in spurious]


def _merges(gold: Clustering, system: Clustering) -> list[Operation]:
    """Introductions, then merges (6)."""
    present, missing = _known_and_unknown(gold, system)
    pieces = [(piece, cluster) for piece, cluster in present + missing if piece < cluster]
    introduced = [Operation("introduce", piece, cluster) for piece, cluster in missing]
    return introduced + [Operation("merge", piece, cluster) for piece, cluster in pieces]


def _known_and_unknown(
    clusters: Clustering, others: Clustering
) -> tuple[list[tuple[Cluster, Cluster]], list[tuple[Cluster, Cluster]]]:
    """Pieces of clusters: what each other cluster shares, and each mention that they all lack."""
    unknown = mentions(clusters) - mentions(others)
    return (
        [(one & other, one) for one in clusters for other in others if one & other],
        [(_just(span), one) for one in clusters for span in one & unknown],
    )


def _carried_out(steps: Iterable[Operation], clusters: Clustering) -> Clustering:
    """What the operations make of the clusters."""
    for kind, piece, cluster in steps:
        if kind == "alter_span":
            home = _holding(piece, clusters)
            clusters = clusters - {home} | {home - piece | cluster}
        elif kind == "split":
            home = _holding(piece, clusters)
            assert home <= cluster
            clusters = clusters - {home} | _without(frozenset([home]), piece) | {piece}
        elif kind == "remove":
            assert piece in clusters
            clusters = clusters - {piece}
        elif kind == "introduce":
            assert not piece & mentions(clusters)
            clusters = clusters | {piece}
        else:
            home, own = _holding(_just(min(cluster)), clusters), _holding(piece, clusters)
            assert own in (home, piece)
            clusters = _joined(clusters, frozenset([home, own]))
    return clusters


def _errors(
    document: Words, gold: Clustering, system: Clustering, left: set[Operation]
) -> list[Error]:
    """Map the operations to errors in the order of section 7; `left` is used up."""
    extra = _entity_errors(document, left, system, gold, ("split", "remove", "extra_entity"))
    lacking = _entity_errors(document, left, gold, system, ("merge", "introduce", "missing_entity"))
    _drop_main_pieces(document, left, "split", "remove")
    _drop_main_pieces(document, left, "merge", "introduce")
    extra += _mention_errors(left, "split", "remove", "extra_mention")
    lacking += _mention_errors(left, "merge", "introduce", "missing_mention")
    conflated = [("conflated_entities", step.piece) for step in left if step.kind == "split"]
    divided = [("divided_entity", step.piece) for step in left if step.kind == "merge"]
    rest = [step for step in left if step.kind not in ("split", "merge")]
    assert all(step.kind == "introduce" and len(step.cluster) == 1 for step in rest)
    return [*extra, *lacking, *conflated, *divided]


def _entity_errors(
    document: Words,
    left: set[Operation],
    clusters: Clustering,
    others: Clustering,
    kinds: tuple[str, str, str],
) -> list[Error]:
    """Steps 1 and 2: entities of two unknown mentions or more whose known ones are pronouns."""
    link, single, error = kinds
    found = []
    for cluster in clusters:
        unknown = cluster - mentions(others)
        if len(unknown) >= 2 and all(map(document.is_pronoun, cluster - unknown)):
            found.append((error, unknown))
            for span in unknown:
                left.remove(Operation(link, _just(span), cluster))
                left.remove(Operation(single, _just(span), cluster))
    return found


def _drop_main_pieces(document: Words, left: set[Operation], link: str, single: str) -> None:
    """Steps 3 and 4: the piece with the first noun, or the first pronoun, stays where it is."""
    for step in [step for step in left if step.kind == link]:
        noun = first_np(document, step.cluster)
        same = first_np(document, step.piece) == noun
        if same and (noun is not None or min(step.piece) == min(step.cluster)):
            left.remove(step)
            left.discard(step._replace(kind=single))


def _mention_errors(left: set[Operation], link: str, single: str, error: str) -> list[Error]:
    """Steps 5 and 6: a link of a mention that is removed, or introduced."""
    steps = [step for step in left if step.kind == link and step._replace(kind=single) in left]
    for step in steps:
        left.remove(step)
        left.remove(step._replace(kind=single))
    return [(error, step.piece) for step in steps]


def _pieces(cluster: Cluster, others: Clustering) -> tuple[int, int]:
    """In how many pieces the other side has a cluster, and how many of its mentions it lacks."""
    unknown = len(cluster - mentions(others))
    return sum(not cluster.isdisjoint(other) for other in others) + unknown, unknown


def _charged(document: Words, cluster: Cluster, others: Clustering) -> tuple[int, int, int]:
    """Errors of the entity, of its known pieces, and of its unknown mentions (7.1)."""
    pieces, unknown = _pieces(cluster, others)
    if pieces == 1:
        return 0, 0, 0
    known = cluster & mentions(others)
    main_is_known = _anchor(document, cluster) in known
    links = pieces - unknown - main_is_known
    if unknown >= 2 and all(map(document.is_pronoun, known)):
        return 1, links, 0
    return 0, links, unknown - (not main_is_known)


def _tidied(clusters: Clustering, gold: Clustering | None) -> Clustering:
    """The clusters without the spurious mentions that stand alone."""
    if gold is None:
        return clusters
    return frozenset(c for c in clusters if len(c) > 1 or c <= mentions(gold))


def _repaired(
    document: Words,
    kind: str,
    parts: list[Cluster],
    gold: Clustering,
    altered: Clustering,
    now: Clustering,
) -> Clustering:
    """The clusters with all errors of a type repaired (11)."""
    for part in parts:
        if kind == "conflated_entities":
            rest = _holding(part, altered) - part
            now = _without(now, part) | {part}
            now = _without(now, rest - mentions(gold)) if len(rest) == 1 else now
        elif kind in ("extra_mention", "extra_entity"):
            now = _without(now, part)
        elif kind == "divided_entity":
            anchor = _just(_anchor(document, _holding(part, gold)))
            now = now if anchor <= mentions(now) else now | {anchor}
            now = _joined(now, frozenset(each for each in now if each & (part | anchor)))
        elif kind == "missing_mention":
            home = _just(min(_holding(part, gold) & mentions(now)))
            now = _joined(now | {part}, frozenset([part, _holding(home, now)]))
        else:
            entity = _holding(part, gold)
            now = _without(now, entity) | {entity}
    return now


def _cataphora_row(document: Words, span: Span, gold: Clustering, system: Clustering) -> str:
    here, there = (_referent(document, span, side) for side in (gold, system))
    row = f"{here[0]}_{there[0]}"
    return f"{row}_{'same' if here == there else 'different'}" if row == "yes_yes" else row


def _referent(document: Words, span: Span, clusters: Clustering) -> tuple[str, Span | None]:
    """Whether a pronoun comes before the first noun of its cluster, and that noun."""
    if span not in mentions(clusters):
        return "absent", None
    noun = first_np(document, _holding(_just(span), clusters))
    return ("yes" if noun is not None and span < noun else "no"), noun


PRONOUN_TAGS = ("PRP", "PRP$", "WP", "WP$", "WDT", "WRB", "DT")
PRONOUNS = (
    " her hers herself she he him himself his it its itself what when where which how i me mine my"
    " myself one our ours ourselves us we yours thyself ya you your yourself yourselves they their"
    " theirs anybody anyone nobody none noone them 'em em themselves everybody everyone all few"
    " several some many most these those somebody someone that this whoever whomever whose"
    " something whatever who whom nothing everything "
)
"""The words that are pronouns whatever their tag (3.1)."""

NOMINAL_HEADS = (
    ("last", "NN NNP NNPS NNS NX POS JJR"),
    ("first", "NP NML"),
    ("last", "$ ADJP PRN"),
    ("last", "CD"),
    ("last", "JJ JJS RB QP"),
)
"""Rules 2 to 6 for NP and NML: the last or the first child that matches any label (2.2)."""

HEADS = {
    "ADJP": ("last", "NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB"),
    "ADVP": ("first", "RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN"),
    "CONJP": ("first", "CC RB IN"),
    "FRAG": ("first", ""),
    "INTJ": ("last", ""),
    "LST": ("first", "LS :"),
    "NAC": ("last", "NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW"),
    "NX": ("last", "NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW"),
    "X": ("last", "NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW"),
    "PP": ("first", "IN TO VBG VBN RP FW"),
    "PRN": ("last", ""),
    "PRT": ("first", "RP"),
    "QP": ("last", "$ IN NNS NN JJ RB DT CD NCD QP JJR JJS"),
    "RRC": ("first", "VP NP ADVP ADJP PP"),
    "S": ("last", "TO IN VP S SBAR ADJP UCP NP"),
    "SBAR": ("last", "WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG"),
    "SBARQ": ("last", "SQ S SINV SBARQ FRAG"),
    "SINV": ("last", "VBZ VBD VBP VB MD VP S SINV ADJP NP"),
    "SQ": ("last", "VBZ VBD VBP VB MD VP SQ"),
    "UCP": ("first", ""),
    "VP": ("last", "TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP"),
    "WHADJP": ("last", "CC WRB JJ ADJP"),
    "WHADVP": ("first", "CC WRB"),
    "WHNP": ("last", "WDT WP WP$ WHADJP WHPP WHNP"),
    "WHPP": ("first", "IN TO FW"),
    "META": ("last", ""),
}
"""The end from which children are looked at, and the labels looked for one after the other."""


class Node(NamedTuple):
    """A node of a parse; that of a token has its tag as label and no children."""

    label: str
    span: Span
    head: int
    head_tag: str
    children: tuple[Node, ...] = ()


@dataclass(frozen=True)
class Parsed:
    """A document with tags and parse bits, one a token (1.3)."""

    words: Sequence[str]
    tags: Sequence[str]
    parse: Sequence[str]
    sentences: Sequence[range]

    def head(self, span: Span) -> int:
        """The head of the deepest node of this span, or else the last token (2.1)."""
        return self._heads.get(span, span[1])

    def is_pronoun(self, span: Span) -> bool:
        """Whether it is one token with the tag or the word of a pronoun (3)."""
        start, end = span
        return start == end and (
            self.tags[start] in PRONOUN_TAGS or self.words[start].lower() in PRONOUNS.split()
        )

    @cached_property
    def _heads(self) -> dict[Span, int]:
        """Every node comes before its children, so the deepest of a span has the last word."""
        return {node.span: node.head for root in self.trees for node in _below(root)}

    @cached_property
    def trees(self) -> list[Node]:
        """The roots of all sentences."""
        return [root for sentence in self.sentences for root in self._read(sentence)]

    def _read(self, sentence: range) -> list[Node]:
        """Read the bits of a sentence; brackets that are not closed make no node."""
        levels: list[tuple[str, list[Node]]] = [("", [])]
        for token in sentence:
            opened, _, rest = self.parse[token].partition("*")
            levels += [(label, []) for label in opened.split("(")[1:]]
            tag = self.tags[token]
            levels[-1][1].append(Node(tag, (token, token), token, tag))
            for _ in range(min(rest.partition("*")[0].count(")"), len(levels) - 1)):
                label, children = levels.pop()
                levels[-1][1].append(_node(label, tuple(children)))
        return levels[0][1]


def _node(label: str, children: tuple[Node, ...]) -> Node:
    """A node over these children, with its head (2.2)."""
    chosen = _nominal_head(children) if label in ("NP", "NML") else _listed_head(label, children)
    span = (children[0].span[0], children[-1].span[1])
    return Node(label, span, chosen.head, chosen.head_tag, children)


def _nominal_head(children: tuple[Node, ...]) -> Node:
    if children[-1].head_tag == "POS":
        return children[-1]
    for end, labels in NOMINAL_HEADS:
        matching = [child for child in children if _matches(child, labels.split())]
        if matching:
            return matching[-1 if end == "last" else 0]
    return children[-1]


def _listed_head(label: str, children: tuple[Node, ...]) -> Node:
    end, labels = HEADS.get(label, ("last", ""))
    ordered = children[::-1] if end == "last" else children
    for wanted in labels.split():
        for child in ordered:
            if _matches(child, [wanted]):
                return child
    return ordered[0]


def _matches(child: Node, labels: Sequence[str]) -> bool:
    """By its own label or by the tag of its head."""
    return child.label in labels or child.head_tag in labels


def _below(root: Node) -> Iterable[Node]:
    yield root
    for child in root.children:
        yield from _below(child)
