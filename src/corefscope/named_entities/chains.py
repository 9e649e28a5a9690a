"""Key chains with a name, their name variants, and response chains that have one of these names.

As in the paper, entities are called chains here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from corefscope.corpus.mentions import Span
from corefscope.language import MentionType
from corefscope.matching.mention_table import MentionTable
from corefscope.matching.pairs import NumberedEntity
from corefscope.named_entities.text import NamedText

Variant = tuple[str, ...]
"""The words of a name."""


class NamedChain(Struct, frozen=True, kw_only=True):
    """A key chain with a name of one type."""

    number: int
    """Its position among the key chains of its document."""
    type: str
    numbers: NumberedEntity
    """Its mentions by number, sorted, without duplicates."""
    variants: Sequence[Variant]
    """Its names, sorted."""
    headed_numbers: NumberedEntity
    """The mentions that are headed by a name of the type."""
    table: MentionTable
    """The mentions of the document."""

    @property
    def mentions(self) -> list[Span]:
        """First and last token of its mentions."""
        return [self.table.spans[mention] for mention in self.numbers]

    @property
    def headed(self) -> list[Span]:
        """First and last token of the mentions that are headed by a name of the type."""
        return [self.table.spans[mention] for mention in self.headed_numbers]


def named_chains(text: NamedText, chains: Sequence[NumberedEntity]) -> Iterator[NamedChain]:
    """Yield the key chains that have a name of a type that counts."""
    for number, mentions in enumerate(chains):
        if type := _type_of(text, mentions):
            yield _named_chain(text, number, mentions, type)


def _type_of(text: NamedText, mentions: NumberedEntity) -> str | None:
    """Return the type of most names that head a mention, the first of equally frequent ones."""
    votes: Counter[str] = Counter()
    for mention in mentions:
        types = (text.type_of(name) for name in text.heading(mention))
        votes.update(list(dict.fromkeys(type for type in types if type)))
    return votes.most_common(1)[0][0] if votes else None


def _named_chain(text: NamedText, number: int, mentions: NumberedEntity, type: str) -> NamedChain:
    names = {mention: name for mention in mentions if (name := text.name(mention, type))}
    return NamedChain(
        number=number,
        type=type,
        numbers=mentions,
        variants=sorted({text.variant(name, mention) for mention, name in names.items()}),
        headed_numbers=list(names),
        table=text.table,
    )


class ResponseChains:
    """The response chains of a document, and which of them have a name."""

    def __init__(self, text: NamedText, chains: Sequence[NumberedEntity]) -> None:
        self.text = text
        self.chains = chains
        self.types = [self._types_of(chain) for chain in chains]
        """The types of names that head a mention of each chain."""
        self.home: dict[int, list[int]] = defaultdict(list)
        """The chains of each mention; there is rarely more than one."""
        self._type_counts: dict[int, Counter[MentionType]] = {}
        for number, chain in enumerate(chains):
            for mention in chain:
                self.home[mention].append(number)

    def common(self, mentions: Iterable[int]) -> Counter[int]:
        """Return how many of these mentions each chain has."""
        return Counter(n for mention in mentions for n in self.home.get(mention, ()))

    def type_counts(self, number: int) -> Counter[MentionType]:
        """Return the number of mentions of each type in a chain."""
        if number not in self._type_counts:
            types = map(self.text.mention_type, self.chains[number])
            self._type_counts[number] = Counter(types)
        return self._type_counts[number]

    def _types_of(self, chain: NumberedEntity) -> set[str]:
        names = (name for mention in chain for name in self.text.heading(mention))
        return {type for name in names if (type := self.text.type_of(name))}

    def candidates(self, chains: Sequence[NamedChain]) -> list[list[int]]:
        """Return for each key chain the response chains that have one of its names."""
        holders = self._holders(chains)
        # Thousands of chains may have the same few names, so these chains share one list.
        found: dict[tuple[tuple[Variant, ...], str], list[int]] = {}
        for chain in chains:
            case = tuple(chain.variants), chain.type
            if case not in found:
                numbers = set[int]().union(*(holders[name] for name in chain.variants))
                found[case] = sorted(n for n in numbers if chain.type in self.types[n])
        return [found[tuple(chain.variants), chain.type] for chain in chains]

    def _holders(self, chains: Sequence[NamedChain]) -> dict[Variant, set[int]]:
        """Return the response chains that contain each name of the key chains."""
        found: dict[Variant, set[int]] = defaultdict(set)
        wanted = {variant for chain in chains for variant in chain.variants}
        occurrences = _Occurrences(tuple(self.text.words), wanted)
        for number, chain in enumerate(self.chains):
            for mention in chain:
                for variant in occurrences.inside(self.text.span(mention)):
                    found[variant].add(number)
        return found


class _Occurrences:
    """The places of names in a text."""

    def __init__(self, words: Variant, wanted: set[Variant]) -> None:
        lengths = defaultdict(set)
        for variant in wanted:
            lengths[variant[0]].add(len(variant))
        self.starts: dict[Variant, list[int]] = defaultdict(list)
        self.starting: dict[int, list[Variant]] = defaultdict(list)
        for first, word in enumerate(words):
            for length in lengths.get(word, ()):
                part = words[first : first + length]
                if part in wanted:
                    self.starts[part].append(first)
                    self.starting[first].append(part)

    def inside(self, mention: Span) -> Iterator[Variant]:
        """Yield the names in a mention; a name may come more than once."""
        start, end = mention
        if end - start < len(self.starts):
            for first in range(start, end + 1):
                for variant in self.starting.get(first, ()):
                    if first + len(variant) - 1 <= end:
                        yield variant
            return
        # The mention has more tokens than there are names, so it is faster to search each name.
        for variant, places in self.starts.items():
            next_place = bisect_left(places, start)
            if next_place < len(places) and places[next_place] + len(variant) - 1 <= end:
                yield variant
