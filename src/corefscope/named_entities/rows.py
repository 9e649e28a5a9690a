"""One row per key chain with a name: the response chain it is paired with, and their overlap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence

from msgspec import Struct

from corefscope.language import MentionType
from corefscope.matching.mention_table import MentionTable
from corefscope.matching.pairs import NumberedEntity
from corefscope.named_entities.chains import NamedChain, ResponseChains, named_chains
from corefscope.named_entities.text import NamedText


class Chains(Struct, frozen=True):
    """The chains of one side of a document."""

    mentions: Sequence[NumberedEntity]
    """The mentions of each chain, sorted and without duplicates."""
    places: Sequence[int]
    """The number of each chain in its file, from 1, as in K1 and R1."""


class ChainRow(Struct, frozen=True, kw_only=True):
    """A key chain with a name, and the response chain that it is paired with."""

    document: str
    chain: NamedChain
    candidates: Sequence[int]
    """Response chains that have one of its names."""
    best: int | None
    """The candidate that it is paired with."""
    overlap: int
    """The number of common mentions of the two."""
    best_size: int
    by_type: Mapping[MentionType, float | None]
    """F1 of the mentions of each type; None if the chain has no mention of the type."""
    split: Sequence[int]
    """The response chains that have its name, which over-splitting counts."""
    shares_best: bool
    """Whether another key chain with a name is paired with the same response chain."""

    @property
    def size(self) -> int:
        """The number of mentions of the chain."""
        return len(self.chain.numbers)

    @property
    def is_found(self) -> bool:
        """Whether a response chain has its name."""
        return self.best is not None

    @property
    def f1(self) -> float:
        """2|k ∩ r| / (|k| + |r|); 0 if it was not found."""
        return 2 * self.overlap / (self.size + self.best_size)

    @property
    def recall(self) -> float:
        """|k ∩ r| / |k|."""
        return self.overlap / self.size

    @property
    def precision(self) -> float | None:
        """|k ∩ r| / |r|; None if it was not found."""
        return self.overlap / self.best_size if self.is_found else None


class DocumentRows(Struct, frozen=True, kw_only=True):
    """The rows of one document, and the types and names of its response chains."""

    name: str
    rows: Sequence[ChainRow]
    response_types: Sequence[set[str]]
    """The types of names that head a mention of each response chain."""
    holds: Mapping[str, Mapping[int, set[int]]]
    """By type: the key chains whose name each response chain has."""
    key: Chains
    response: Chains
    table: MentionTable
    """The mentions of both sides."""

    def key_name(self, row: ChainRow) -> str:
        """Return K1, K2, … by the position of the row's chain in its file."""
        return f"K{self.key.places[row.chain.number]}"

    def response_name(self, number: int) -> str:
        """Return R1, R2, … by the position of a response chain in its file."""
        return f"R{self.response.places[number]}"

    def held(self, number: int) -> set[int]:
        """Return the key chains whose name a response chain has."""
        return set().union(*(chains.get(number, set()) for chains in self.holds.values()))


def document_rows(name: str, text: NamedText, key: Chains, response: Chains) -> DocumentRows:
    """Pair the named chains of a document."""
    chains = list(named_chains(text, key.mentions))
    others = ResponseChains(text, response.mentions)
    candidates = others.candidates(chains)
    common = [others.common(chain.numbers) for chain in chains]
    pairs = _pairs(chains, others, candidates, common)
    paired = {(chain.number, best) for chain, best in zip(chains, pairs, strict=True)}
    sharing = Counter(best for _, best in paired)
    holds: dict[str, dict[int, set[int]]] = {}
    types = text.mention_types
    rows = []
    for chain, found, overlaps, best in zip(chains, candidates, common, pairs, strict=True):
        # The response chains that have a mention of the chain headed by its name.
        split = sorted(others.common(chain.headed_numbers))
        for number in split:
            holds.setdefault(chain.type, {}).setdefault(number, set()).add(chain.number)
        rows.append(
            ChainRow(
                document=name,
                chain=chain,
                candidates=found,
                best=best,
                overlap=0 if best is None else overlaps[best],
                best_size=0 if best is None else len(response.mentions[best]),
                by_type={t: _typed_f1(text, chain, others, best, t) for t in types},
                split=split,
                shares_best=best is not None and sharing[best] > 1,
            )
        )
    return DocumentRows(
        name=name,
        rows=rows,
        response_types=others.types,
        holds=holds,
        key=key,
        response=response,
        table=text.table,
    )


def _pairs(
    chains: Sequence[NamedChain],
    response: ResponseChains,
    candidates: Sequence[Sequence[int]],
    common: Sequence[Counter[int]],
) -> list[int | None]:
    """Pair each key chain with its best candidate."""
    rows = list(zip(chains, candidates, common, strict=True))
    # Chains with the same names share one list of candidates, which is processed once.
    lists = {id(found): found for found in candidates}
    members = {key: frozenset(found) for key, found in lists.items()}
    first = {
        key: min(found, key=lambda number: response.chains[number][0], default=None)
        for key, found in lists.items()
    }
    pairs = []
    for chain, found, overlaps in rows:
        best = _best(chain, response, members[id(found)], overlaps)
        pairs.append(first[id(found)] if best is None else best)
    return pairs


def _best(
    chain: NamedChain, response: ResponseChains, candidates: Container[int], overlaps: Counter[int]
) -> int | None:
    """Return the candidate with the highest F1, or None if none has a common mention.

    Ties are broken by the number of common mentions, then by the place in the text.
    """

    def rank(number: int) -> tuple[float, int, int]:
        other = response.chains[number]
        f1 = overlaps[number] / (len(chain.numbers) + len(other))
        return f1, overlaps[number], -other[0]

    return max(sorted(n for n in overlaps if n in candidates), key=rank, default=None)


def _typed_f1(
    text: NamedText,
    chain: NamedChain,
    response: ResponseChains,
    best: int | None,
    type: MentionType,
) -> float | None:
    """Return the F1 of the mentions of one type; None without such mentions."""
    mentions = [m for m in chain.numbers if text.mention_type(m) is type]
    if not mentions:
        return None
    if best is None:
        return 0.0
    common = response.common(mentions)[best]
    return 2 * common / (len(mentions) + response.type_counts(best)[type])
