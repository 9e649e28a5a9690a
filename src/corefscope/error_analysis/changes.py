"""What changed between two systems: errors that were fixed, broken, or replaced by other errors.

Two errors of a document are *the same* if they have the same type and the same mentions. Conflated
parts must also still be joined to the same thing: to one key entity, or one spurious mention, that
is in the response entity both before and after. For example, a pronoun that is in one entity with
Anna before, and with the dog after, is not the same error. The labels and the order of response
entities do not matter. This is stricter than :attr:`ErrorRecord.id`, which names only the first
mention: a missing entity with three missing mentions before and two after keeps its id, but it is
not the same error.

An error is *about* its mentions: for a span error, the response mention and the key mention; for
extra mentions and entities, the spurious mentions; for missing ones, the mentions that were not
found; for conflated and divided entities, the part that is charged and not the rest. Of the errors
that are not the same, one before and one after are *wrong differently* if they are about a common
mention, whatever their types. For example, a pronoun that was missing is now found, but in a wrong
entity. All errors that are connected by common mentions form one :class:`Exchange`. An error before
that is in no exchange is *fixed*, and an error after that is in no exchange is *broken*.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import chain, islice
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import asdict

from corefscope.error_analysis.analysis import Analysis, DocumentAnalysis
from corefscope.error_analysis.kinds import ErrorType
from corefscope.error_analysis.records import ConflatedEntities, ErrorRecord
from corefscope.error_analysis.transformation import Charges
from corefscope.facts import Facts
from corefscope.formatting import counted
from corefscope.matching.overlap import components
from corefscope.matching.pairs import DocumentPair


class ChangeCounts(Facts):
    """Errors counted by what became of them; every error of both analyses is counted once."""

    fixed: int = 0
    differently_before: int = 0
    """Errors before that were replaced by other errors."""
    unchanged: int = 0
    differently_after: int = 0
    """Errors after that replaced other errors."""
    broken: int = 0

    @property
    def before(self) -> int:
        """All errors before."""
        return self.fixed + self.differently_before + self.unchanged

    @property
    def after(self) -> int:
        """All errors after."""
        return self.unchanged + self.differently_after + self.broken

    @property
    def net(self) -> int:
        """How many more errors there are after than before; negative if there are fewer."""
        return self.after - self.before

    @property
    def moved(self) -> int:
        """Errors that only one of the two analyses has."""
        return self.fixed + self.differently_before + self.differently_after + self.broken

    @property
    def figures(self) -> dict[str, int]:
        """All counts by name, with the sums."""
        return {"before": self.before, **asdict(self), "after": self.after, "net": self.net}


class Exchange(Struct, frozen=True):
    """Errors before and after that are about common mentions: both are wrong, but differently."""

    document: str
    before: tuple[ErrorRecord, ...]
    after: tuple[ErrorRecord, ...]


class DocumentChanges(Struct, frozen=True, kw_only=True):
    """What changed in one document; errors are in the order of the analyses."""

    name: str
    fixed: tuple[ErrorRecord, ...]
    """Errors that only the analysis before has."""
    broken: tuple[ErrorRecord, ...]
    """Errors that only the analysis after has."""
    differently: tuple[Exchange, ...]
    unchanged: tuple[ErrorRecord, ...]
    """Errors that both have, as the analysis after describes them."""

    @property
    def counts(self) -> ChangeCounts:
        """The errors of the document, counted by what became of them."""
        return ChangeCounts(
            fixed=len(self.fixed),
            differently_before=sum(len(exchange.before) for exchange in self.differently),
            unchanged=len(self.unchanged),
            differently_after=sum(len(exchange.after) for exchange in self.differently),
            broken=len(self.broken),
        )


class Changes(Struct, frozen=True, eq=False, dict=True):
    """What changed between two analyses of the same key."""

    before: Analysis
    after: Analysis
    documents: Sequence[DocumentChanges]
    """All documents, in the order of the analysis before."""

    @cached_property
    def fixed(self) -> list[ErrorRecord]:
        """Errors that only the analysis before has, document by document."""
        return [error for document in self.documents for error in document.fixed]

    @cached_property
    def broken(self) -> list[ErrorRecord]:
        """Errors that only the analysis after has, document by document."""
        return [error for document in self.documents for error in document.broken]

    @cached_property
    def differently(self) -> list[Exchange]:
        """Errors that were replaced by other errors, document by document."""
        return [exchange for document in self.documents for exchange in document.differently]

    @cached_property
    def unchanged(self) -> list[ErrorRecord]:
        """Errors that both have, as the analysis after describes them."""
        return [error for document in self.documents for error in document.unchanged]

    @cached_property
    def counts(self) -> ChangeCounts:
        """All errors, counted by what became of them."""
        return sum((document.counts for document in self.documents), ChangeCounts())

    @cached_property
    def by_type(self) -> dict[str, ChangeCounts]:
        """The errors of each type, counted by what became of them."""
        exchanged = self.differently
        fixed, unchanged, broken = map(_types, (self.fixed, self.unchanged, self.broken))
        before = _types(chain.from_iterable(exchange.before for exchange in exchanged))
        after = _types(chain.from_iterable(exchange.after for exchange in exchanged))
        return {
            type.value: ChangeCounts(
                fixed=fixed[type],
                differently_before=before[type],
                unchanged=unchanged[type],
                differently_after=after[type],
                broken=broken[type],
            )
            for type in ErrorType
        }

    @cached_property
    def by_document(self) -> list[DocumentChanges]:
        """All documents, sorted by how much the number of errors changed.

        Ties are sorted by how many errors only one analysis has, and then as in the key.
        """
        return sorted(self.documents, key=lambda d: (-abs(d.counts.net), -d.counts.moved))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name} {count}" for name, count in self.counts.figures.items())
        return f"<Changes in {counted(len(self.documents), 'document')}: {shown}>"


def _types(errors: Iterable[ErrorRecord]) -> Counter[ErrorType]:
    return Counter(error.type for error in errors)


def changes(before: Analysis, after: Analysis) -> Changes:
    """Compare two analyses: find which errors were fixed, broken, or replaced by other errors.

    Documents are paired by name. Raises ``ValueError`` unless both are analyses of the same key
    with the same options.

    Examples
    --------
    >>> from corefscope.demo import KEY, RESPONSES
    >>> from corefscope import analyze
    >>> recency, sieve = (analyze(KEY, RESPONSES[name]) for name in ("recency", "sieve"))
    >>> counts = changes(recency, sieve).by_type["missing_entity"]
    >>> counts.before - counts.fixed - counts.differently_before == counts.unchanged
    True
    """
    _check_comparable(before, after)
    others = {document.name: document for document in after.documents}
    return Changes(
        before,
        after,
        [_document_changes(document, others[document.name]) for document in before.documents],
    )


def _check_comparable(before: Analysis, after: Analysis) -> None:
    """Raise ValueError if the errors of two analyses cannot be compared."""
    if before.options.mode != after.options.mode:
        raise _unlike(f"modes: {before.options.mode!r} before, {after.options.mode!r} after")
    rules = [analysis.options.singletons for analysis in (before, after)]
    if rules[0] != rules[1]:
        raise _unlike(f"rules on singletons: {rules[0]!r} before, {rules[1]!r} after")
    pairs = [
        {document.name: document.transformation.pair for document in analysis.documents}
        for analysis in (before, after)
    ]
    for ours, theirs, when in ((*pairs, "before"), (*reversed(pairs), "after")):
        alone = [name for name in ours if name not in theirs]
        if alone:
            hint = "; this mode leaves out documents that a response lacks" * (
                before.options.mode == "berkeley"
            )
            raise _unlike(f"documents: {alone[0]!r} was analysed only {when}{hint}")
    for name, pair in pairs[0].items():
        if _key(pair) != _key(pairs[1][name]):
            raise _unlike(f"keys: the key entities of document {name!r} are not the same")


def _unlike(what: str) -> ValueError:
    return ValueError(f"analyses cannot be compared: they have different {what}")


def _key(pair: DocumentPair) -> set[frozenset[Hashable]]:
    return {frozenset(pair.table.identity(mention) for mention in entity) for entity in pair.key}


Identity: TypeAlias = tuple[ErrorType, tuple[Hashable, ...]]
"""The type of an error and its mentions, which identify it within its document."""


class _Errors:
    """The errors of one analysis of a document, by their identity."""

    def __init__(self, document: DocumentAnalysis) -> None:
        self.pair = document.transformation.pair
        identity = self.pair.table.identity
        self.errors: dict[Identity, ErrorRecord] = {
            (error.type, tuple(identity(mention.number) for mention in error.mentions)): error
            for error in document.description.errors
        }
        entities = zip(self.pair.response_names, document.transformation.response, strict=True)
        self.joined = {name: self._joined(charges) for name, charges in entities if charges.parts}
        """What each response entity with conflated parts joins."""

    def _joined(self, charges: Charges) -> frozenset[Hashable]:
        """Return the spurious mentions, and the first mention of each key entity that is joined."""
        firsts = [
            piece.mentions[0] if piece.other is None else self.pair.key[piece.other][0]
            for piece in charges.pieces
        ]
        return frozenset(map(self.pair.table.identity, firsts))


def _same(ours: _Errors, theirs: _Errors) -> set[Identity]:
    """Return the errors that are the same in both analyses."""

    @cache
    def still_joined(one: str, other: str) -> bool:
        few, many = sorted((ours.joined[one], theirs.joined[other]), key=len)
        # Both contain the key entity of the part itself, so one more common element is needed.
        return len(list(islice((mention for mention in few if mention in many), 2))) > 1

    return {
        identity
        for identity, error in ours.errors.items()
        if (other := theirs.errors.get(identity))
        and (not isinstance(error, ConflatedEntities) or still_joined(error.entity, other.entity))
    }


def _document_changes(before: DocumentAnalysis, after: DocumentAnalysis) -> DocumentChanges:
    ours, theirs = _Errors(before), _Errors(after)
    same = _same(ours, theirs)
    gone = [identity for identity in ours.errors if identity not in same]
    new = [identity for identity in theirs.errors if identity not in same]
    groups = _groups([about for _, about in gone], [about for _, about in new])
    exchanged, others = ({i for group in groups for i in group[side]} for side in (0, 1))
    return DocumentChanges(
        name=before.name,
        fixed=tuple(ours.errors[name] for i, name in enumerate(gone) if i not in exchanged),
        broken=tuple(theirs.errors[name] for i, name in enumerate(new) if i not in others),
        differently=tuple(
            Exchange(
                before.name,
                tuple(ours.errors[gone[i]] for i in old),
                tuple(theirs.errors[new[i]] for i in instead),
            )
            for old, instead in groups
        ),
        unchanged=tuple(error for identity, error in theirs.errors.items() if identity in same),
    )


def _groups(
    before: Sequence[Sequence[Hashable]], after: Sequence[Sequence[Hashable]]
) -> list[tuple[list[int], list[int]]]:
    """Group errors that are connected by common mentions; errors without any are in no group.

    This takes linear time, because a mention is in at most one error of each type.
    """
    ties = list(dict.fromkeys(_ties(before, after)))
    found: dict[int, tuple[set[int], set[int]]] = defaultdict(lambda: (set(), set()))
    names = components([one for one, _ in ties], [other for _, other in ties])
    for (one, other), name in zip(ties, names, strict=True):
        ours, theirs = found[name]
        ours.add(one)
        theirs.add(other)
    return [(sorted(ours), sorted(theirs)) for ours, theirs in found.values()]


def _ties(
    before: Sequence[Sequence[Hashable]], after: Sequence[Sequence[Hashable]]
) -> Iterator[tuple[int, int]]:
    """Yield the pairs of an error before and an error after that have a common mention."""
    holders = defaultdict[Hashable, list[int]](list)
    for other, mentions in enumerate(after):
        for mention in mentions:
            holders[mention].append(other)
    for one, mentions in enumerate(before):
        for mention in mentions:
            for other in holders.get(mention, ()):
                yield one, other
