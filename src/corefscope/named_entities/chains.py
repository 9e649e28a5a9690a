"""Key chains with a name, their name variants, and response chains that have one of these names.

As in the paper, entities are called chains here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from corefscope.corpus.mentions import Span
from corefscope.language import MentionType
from corefscope.matching.mention_table import MentionTable
from corefscope.matching.pairs import NumberedEntity
from corefscope.named_entities.heads import Name
from corefscope.named_entities.text import NamedText
from corefscope.records import dataclass

Variant = tuple[str, ...]
"""The words of a name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedChain:
    """A key chain with a name of one type."""

    number: int
    """Its position among the key chains of its document."""
    type: str
    numbers: NumberedEntity
    """Its mentions by number, sorted, without duplicates."""
    variants: Sequence[Variant]
    """Its names, sorted."""
    places: Sequence[Span]
    """The spans of its names."""
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
        for type in _types(text, mentions):
            yield _named_chain(text, number, mentions, type)


def _types(text: NamedText, mentions: NumberedEntity) -> list[str]:
    """Return the type of a chain; with the option ``multi``, all its types (A15, A18)."""
    votes: Counter[str] = Counter()
    for mention in mentions:
        names = (
            text.heading(mention)
            if text.options.key_names == "head"
            else _names_inside(text, mention)
        )
        if names:
            votes.update(list(dict.fromkeys(t for name in names if (t := text.type_of(name)))))
    if not votes or text.options.type_conflict == "multi":
        return list(votes)
    if text.options.type_conflict == "first":
        return list(votes)[:1]
    # Counters keep the order of insertion, so the first of several equally frequent types wins.
    return [votes.most_common(1)[0][0]]


def _names_inside(text: NamedText, mention: int) -> list[Name]:
    first, last = span = text.span(mention)
    return [name for name in text.names_in(span) if first <= name.start and name.end <= last]


def _named_chain(text: NamedText, number: int, mentions: NumberedEntity, type: str) -> NamedChain:
    found = [(name, mention) for mention in mentions for name in _sources(text, mention, type)]
    variants = {text.variant(name, mention) for name, mention in found}
    if text.options.variants == "full" and variants:
        longest = max(len(" ".join(variant)) for variant in variants)
        full = next(v for n, m in found if len(" ".join(v := text.variant(n, m))) == longest)
        found = [(name, mention) for name, mention in found if text.variant(name, mention) == full]
        variants = {full}
    return NamedChain(
        number=number,
        type=type,
        numbers=mentions,
        variants=sorted(variants),
        places=[name.within(text.span(mention)).span for name, mention in found],
        headed_numbers=[mention for mention in mentions if text.name(mention, type)],
        table=text.table,
    )


def _sources(text: NamedText, mention: int, type: str) -> list[Name]:
    """Return the names that give a chain its variants (A3)."""
    match text.options.variants_from:
        case "head":
            name = text.name(mention, type)
            return [name] if name else []
        case "equal":
            span = text.span(mention)
            names = [name for name in text.names_in(span) if name.span == span]
        case "inside":
            # Names of any type: "Boston" is then a variant of "Mr Joe from Boston".
            return [name for name in _names_inside(text, mention) if text.type_of(name)]
    return [name for name in names if text.type_of(name) == type]


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

    def passes(self, number: int, type: str) -> bool:
        """Return whether a chain passes the filter for entities of a type (A4)."""
        match self.text.options.response_filter:
            case "type":
                return type in self.types[number]
            case "any":
                return bool(self.types[number])
        return True

    def candidates(self, chains: Sequence[NamedChain]) -> list[list[int]]:
        """Return for each key chain the response chains that have one of its names."""
        holders = _Holders(self, chains)
        # Thousands of chains may have the same few names, so these chains share one list.
        found: dict[tuple[object, str], list[int]] = {}
        for chain in chains:
            case = holders.names_of(chain), chain.type
            if case not in found:
                numbers = holders.of(chain)
                found[case] = sorted(n for n in numbers if self.passes(n, chain.type))
        return [found[holders.names_of(chain), chain.type] for chain in chains]


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


class _Holders:
    """An index from the names of key chains to the response chains that contain them."""

    def __init__(self, response: ResponseChains, chains: Sequence[NamedChain]) -> None:
        self.response = response
        self.options = response.text.options
        self.by_name: dict[Variant | Span, set[int]] = defaultdict(set)
        index = {
            "tokens": self._index_words,
            "characters": self._index_characters,
            "position": self._index_places,
        }
        index[self.options.containment](chains)

    def names_of(self, chain: NamedChain) -> frozenset[Variant | Span]:
        """Return the names (or their places) of a chain; a response chain needs one of them."""
        if self.options.containment == "position":
            return frozenset(chain.places)
        return frozenset(map(self._folded, chain.variants))

    def of(self, chain: NamedChain) -> set[int]:
        return set().union(*(self.by_name[name] for name in self.names_of(chain)))

    def _folded(self, words: Iterable[str]) -> Variant:
        if self.options.case == "sensitive":
            return tuple(words)
        return tuple(word.casefold() for word in words)

    def _suppliers(self) -> Iterator[tuple[int, Span]]:
        """Yield the spans of the response mentions that may supply a name (A7)."""
        text = self.response.text
        for number, chain in enumerate(self.response.chains):
            for mention in chain:
                if self.options.suppliers == "any" or any(map(text.type_of, text.heading(mention))):
                    yield number, text.span(mention)

    def _index_words(self, chains: Sequence[NamedChain]) -> None:
        wanted = {self._folded(variant) for chain in chains for variant in chain.variants}
        occurrences = _Occurrences(self._folded(self.response.text.words), wanted)
        for number, mention in self._suppliers():
            for variant in occurrences.inside(mention):
                self.by_name[variant].add(number)

    def _index_characters(self, chains: Sequence[NamedChain]) -> None:
        words = self._folded(self.response.text.words)
        phrases: dict[str, set[int]] = defaultdict(set)
        for number, (start, end) in self._suppliers():
            phrases[" ".join(words[start : end + 1])].add(number)
        for variant in {self._folded(v) for chain in chains for v in chain.variants}:
            name = " ".join(variant)
            for phrase, numbers in phrases.items():
                if name in phrase:
                    self.by_name[variant] |= numbers

    def _index_places(self, chains: Sequence[NamedChain]) -> None:
        beginning: dict[int, set[Span]] = defaultdict(set)
        for chain in chains:
            for place in chain.places:
                beginning[place[0]].add(place)
        for number, (start, end) in self._suppliers():
            for token in range(start, end + 1):
                for place in beginning.get(token, ()):
                    if place[1] <= end:
                        self.by_name[place].add(number)
