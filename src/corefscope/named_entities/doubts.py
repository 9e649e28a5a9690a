"""Findings about named entities: types left out or absent, few names, unsuitable tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from reprlib import repr as shortened

from msgspec import field

from corefscope.facts import Facts
from corefscope.findings import Code, Finding, Remedy
from corefscope.language import LanguageCheck
from corefscope.named_entities.options import ALIASES, TYPES, VALUE_TAGS, NecOptions
from corefscope.named_entities.rows import Chains
from corefscope.named_entities.text import NamedText, have_levels

MOST_TAGS = 5
"""The maximum number of tags that a finding lists."""
ENOUGH_NAMED = 0.9
"""The share of documents for which a file of names should have names."""


class NecDoubts(Facts):
    """Collects what is doubtful, document by document, for one finding each per corpus."""

    unmeasured: Counter[str] = field(default_factory=Counter)
    """The number of key chains whose names have only tags that do not count, by tag."""
    tags: Counter[str] = field(default_factory=Counter)
    """All names, by tag."""
    language: LanguageCheck = field(default_factory=LanguageCheck)

    def add(self, text: NamedText, key: Chains, response: Chains) -> None:
        """Add a document that was measured."""
        self.unmeasured.update(
            tag for chain in key.mentions if (tag := text.unmeasured_tag(chain)) is not None
        )
        self.tags.update(name.tag for name in text.names)
        attributes = text.layers.attributes
        chains = (*key.mentions, *response.mentions)
        spans = (text.span(mention) for chain in chains for mention in chain)
        if attributes is None or not have_levels(attributes, spans):
            self.language.add(text.layers.text)

    def findings(self, options: NecOptions, file: str | None) -> Iterator[Finding]:
        """Yield all findings."""
        yield from self.language.findings(file, levels=True)
        yield from self._unmeasured(options, file)
        yield from self._absent(options, file)

    def _absent(self, options: NecOptions, file: str | None) -> Iterator[Finding]:
        """Report types and tags that the caller chose and that no name has."""
        known = {type for tag, type in options.types.items() if tag in self.tags}
        absent = [t for t in _chosen(options) if t not in known]
        found = [tag for tag, _ in self.tags.most_common()]
        shown = ", ".join(map(shortened, found[:MOST_TAGS])) + (", …" * (len(found) > MOST_TAGS))
        tags = [tag for tag, type in options.types.items() if type in absent]
        if absent:
            message = (
                f"no name has the {'type' if len(absent) == 1 else 'types'} "
                f"{', '.join(map(shortened, absent))} ({_listed(tags)}); the tags of the names "
                f"are {shown}"
            )
            yield Finding(Code.UNMEASURED_TYPES, message, file=file, remedy=Remedy.CHOOSE_TYPES)
        # Common tags may be mapped in case they occur; any other tag may be misspelled.
        expected = {*TYPES, *ALIASES, *VALUE_TAGS, *tags, *self.tags}
        unused = [tag for tag in options.types if tag not in expected]
        if unused:
            message = (
                f"no name has the {_listed(unused)}, which should count as "
                f"{', '.join(dict.fromkeys(shortened(options.types[tag]) for tag in unused))}; "
                f"the tags of the names are {shown}"
            )
            yield Finding(Code.UNMEASURED_TYPES, message, file=file, remedy=Remedy.CHOOSE_TYPES)

    def _unmeasured(self, options: NecOptions, file: str | None) -> Iterator[Finding]:
        """Report types that are left out by default; dates and numbers are not reported."""
        # If PER, ORG or GPE is not measured, the caller chose that.
        tags = [t for t, _ in self.unmeasured.most_common() if t not in VALUE_TAGS.union(TYPES)]
        if not tags:
            return
        listed = ", ".join(f"{shortened(t)} ({self.unmeasured[t]})" for t in tags[:MOST_TAGS])
        more = f" and {len(tags) - MOST_TAGS} more" if len(tags) > MOST_TAGS else ""
        count = sum(self.unmeasured[tag] for tag in tags)
        found = "entity of the key has a type" if count == 1 else "entities of the key have types"
        example = next((tag for tag in tags if _usual_type(tag)), tags[0])
        target = _usual_type(example)
        how = "itself, to measure it as a type of its own" if target is None else repr(target)
        message = (
            f"{count} {found} that NEC does not measure: {listed}{more}; it measures "
            f"{', '.join(dict.fromkeys(options.types.values()))}; "
            f"to include them, map tags to types, such as {shortened(example)} to {how}"
        )
        yield Finding(Code.UNMEASURED_TYPES, message, file=file)


def _usual_type(tag: str) -> str | None:
    """Return the type that a tag most likely means, in capitals or not."""
    return ALIASES.get(tag.upper(), TYPES.get(tag.upper()))


def _listed(tags: Sequence[str]) -> str:
    return f"{'tag' if len(tags) == 1 else 'tags'} {', '.join(map(shortened, tags))}"


def _chosen(options: NecOptions) -> list[str]:
    """Return the types that the caller chose; the default types may be absent from a text."""
    types = list(dict.fromkeys(options.types.values()))
    is_usual = set(TYPES.values()).issubset(types)
    return [type for type in types if type not in TYPES.values()] if is_usual else types


def few_named(names: Collection[str], documents: Sequence[str], file: str | None) -> list[Finding]:
    """Report separately given names that cover only some of the documents of the key.

    ``names`` has the documents that are listed there, also those with an empty list of names.
    """
    listed = sum(document in names for document in documents)
    if listed >= ENOUGH_NAMED * len(documents):
        return []
    absent = next(document for document in documents if document not in names)
    have = "has" if listed == 1 else "have"
    message = (
        f"{listed:,} of {len(documents):,} documents of the key {have} names here; the named "
        f"entities of the others are not measured; the first document without names is {absent!r}"
    )
    return [Finding(Code.NAMES_FILE, message, file=file)]
