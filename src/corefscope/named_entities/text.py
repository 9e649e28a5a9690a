"""The words and names of one document, and the names and types of its mentions."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

from msgspec import Struct, field

from corefscope.corpus.layers import Attributes, MentionAttributes
from corefscope.corpus.mentions import Span
from corefscope.language import HeadScan, MentionType, Text, inner_tokens, known_types
from corefscope.matching.mention_table import MentionTable
from corefscope.named_entities.heads import (
    ANY,
    NO_HEAD,
    ConstituentTest,
    DependencyTest,
    HeadTest,
    Name,
    ScanTest,
)
from corefscope.named_entities.options import NecOptions

POSSESSIVES = frozenset({"'s", "’s", "'", "’"})
LEVELS = {
    "NAM": MentionType.NAME,
    "NOM": MentionType.NOMINAL,
    "PRO": MentionType.PRONOUN,
    "PRON": MentionType.PRONOUN,
}
"""The mention types of annotated mention levels."""


class NameLayers(Struct, frozen=True, kw_only=True):
    """The layers of a document."""

    text: Text
    names: Sequence[Name]
    """In the order of the text."""
    heads: Sequence[int] | None = None
    """The head token of each token in a dependency parse; −1 for a root."""
    relations: Sequence[str] | None = None
    known_heads: dict[Hashable, dict[Span, int]] = field(default_factory=dict)
    """The heads that are known already; the systems of an evaluation share them."""
    attributes: Attributes | None = None
    """Types and levels of mentions, if the corpus has these instead of names."""


class NamedText:
    """Finds the names that head a mention, and the type of the mention."""

    def __init__(
        self, layers: NameLayers, table: MentionTable, strategy: str, options: NecOptions
    ) -> None:
        self.layers = layers
        self.table = table
        self.words = layers.text.words
        self.options = options
        self.test = _head_test(layers, strategy, options)
        self.names = layers.names if layers.attributes is None else self._named(layers.attributes)
        self._starts = [name.start for name in self.names]
        self._longest = max((name.end - name.start for name in self.names), default=0)
        self._heading: dict[int, list[Name]] = {}

    def span(self, mention: int) -> Span:
        """Return the first and last token of a mention."""
        return self.table.spans[mention]

    def heading(self, mention: int) -> list[Name]:
        """Return the names that head a mention, with any tag; there is rarely more than one."""
        if mention not in self._heading:
            self._heading[mention] = self._names_that_head(mention)
        return self._heading[mention]

    def _names_that_head(self, mention: int) -> list[Name]:
        span = self.span(mention)
        if self.table.is_absent(mention):
            return []
        if self.layers.attributes is not None:
            said = self.layers.attributes.get(span)
            name = None if said is None else self._own_name(span, said)
            return [] if name is None else [name]
        if span[1] >= len(self.words):
            return []
        return self._names_at_head(span)

    def _named(self, attributes: Attributes) -> list[Name]:
        """Return the names of the mentions that are names."""
        names = (self._own_name(span, said) for span, said in attributes.items())
        return sorted(name for name in names if name is not None)

    def _own_name(self, mention: Span, said: MentionAttributes) -> Name | None:
        """Return the name that a mention is, if it is one."""
        if said.level != "NAM" or not said.type:
            return None
        return Name(*self.layers.text.name_words(*mention), said.type)

    def _names_at_head(self, span: Span) -> list[Name]:
        """Return the names that contain the head of a mention."""
        if span[0] == span[1] or not self._has_names(span):
            return self.names_in(span)
        head = self.test.head_of(span)
        # A long mention may contain thousands of names: if one token is the head, only the names
        # at that token are tested.
        near = self.names_in(span if head == ANY else (head, head)) if head != NO_HEAD else []
        return [name for name in near if self.test.heads(name, span)]

    def names_in(self, span: Span) -> list[Name]:
        """Return the names that a span overlaps."""
        return [self.names[each] for each in self._near(span) if self.names[each].end >= span[0]]

    def _has_names(self, span: Span) -> bool:
        """Return whether a span overlaps a name; to find the head of one that does not is slow."""
        return any(self.names[each].end >= span[0] for each in self._near(span))

    def _near(self, span: Span) -> range:
        """Return which names begin in a span, or so little before it that they may overlap it."""
        first = bisect_left(self._starts, span[0] - self._longest)
        return range(first, bisect_right(self._starts, span[1]))

    def type_of(self, name: Name) -> str | None:
        """Return the type that a name counts as, or None if its tag does not count."""
        return self.options.types.get(name.tag)

    def unmeasured_tag(self, mentions: Iterable[int]) -> str | None:
        """Return the most frequent tag of the names that head mentions, if no name counts."""
        names = [name for mention in mentions for name in self.heading(mention)]
        if not names or any(map(self.type_of, names)):
            return None
        return Counter(name.tag for name in names).most_common(1)[0][0]

    def name(self, mention: int, type: str) -> Name | None:
        """Return the name of this type that heads a mention, or None."""
        return next((n for n in self.heading(mention) if self.type_of(n) == type), None)

    def variant(self, name: Name, mention: int) -> tuple[str, ...]:
        """Return the words of a name inside a mention, without a possessive ending."""
        first, last = without_possessive(self.words, name.within(self.span(mention)).span)
        return tuple(self.words[first : last + 1])

    def mention_type(self, mention: int) -> MentionType:
        """Return whether a mention is a name, a pronoun, a nominal or a zero."""
        text, span = self.layers.text, self.span(mention)
        start, end = span
        is_in_text = end < len(self.words)
        if self.table.is_absent(mention):
            return MentionType.ZERO
        if is_in_text and text.layers.empty and text.mention_type(*span) is MentionType.ZERO:
            return MentionType.ZERO
        said = self.layers.attributes.get(span) if self.layers.attributes else None
        if said is not None and said.level in LEVELS:
            return LEVELS[said.level]
        if self.heading(mention):
            return MentionType.NAME
        if text.is_universal and is_in_text:
            return self._universal_type(span)
        if start == end and is_in_text and self._is_pronoun(start):
            return MentionType.PRONOUN
        return MentionType.NOMINAL

    def _universal_type(self, span: Span) -> MentionType:
        """Return the type of a mention that no named entity heads, by the tag of its head."""
        type = self.layers.text.mention_type(*span)
        if type is MentionType.PRONOUN and not self._is_pronoun(self.layers.text.head(*span)):
            return MentionType.NOMINAL
        # Where entities have types, tags determine names; else named entities do.
        is_marked = type is MentionType.NAME and self.layers.attributes is None
        return MentionType.NOMINAL if is_marked else type

    def _is_pronoun(self, token: int) -> bool:
        return self.layers.text.is_referring_pronoun(token)

    @property
    def mention_types(self) -> list[MentionType]:
        """The types that mentions can have; zeros only where there are empty nodes."""
        return known_types(zeros=bool(self.layers.text.layers.empty))


def without_possessive(words: Sequence[str], span: Span) -> Span:
    """Return a span without a possessive ending."""
    first, last = span
    while last > first and words[last] in POSSESSIVES:
        last -= 1
    return first, last


def have_levels(attributes: Attributes, spans: Iterable[Span]) -> bool:
    """Return whether the level of every mention is known."""
    known = {span for span, said in attributes.items() if said.level in LEVELS}
    return known.issuperset(spans)


def _head_test(layers: NameLayers, strategy: str, options: NecOptions) -> HeadTest:
    is_literal = options.preset == "paper"
    if strategy == "dependency":
        assert layers.heads is not None
        return DependencyTest(
            heads_of=layers.heads, relations=layers.relations, is_literal=is_literal
        )
    text = layers.text
    if strategy == "constituency":
        return ConstituentTest(
            is_literal=is_literal,
            text=text,
            rules=text.language.nominal_rules,
            known=layers.known_heads.setdefault(is_literal, {}),
        )
    inside = inner_tokens(name.span for name in layers.names)
    rules = text.language.scan_rules
    scan = HeadScan(rules=rules, words=text.words, tags=text.tags, joined=inside)
    return ScanTest(is_literal=is_literal, scan=scan)
