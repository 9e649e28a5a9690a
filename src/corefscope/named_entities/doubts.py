"""What a reader of the figures should know: types left out, and tables that do not suit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from reprlib import repr as shortened

from corefscope.findings import Code, Finding
from corefscope.language import LanguageCheck
from corefscope.named_entities.options import ALIASES, TYPES, VALUE_TAGS, NecOptions
from corefscope.named_entities.rows import Chains
from corefscope.named_entities.text import NamedText, have_levels

MOST_TAGS = 5
"""Types that a finding lists."""


@dataclass(slots=True)
class Doubts:
    """Collects doubts document by document, for one finding each per corpus."""

    unmeasured: Counter[str] = field(default_factory=Counter)
    """Key chains whose names have tags of no type that counts, by tag."""
    language: LanguageCheck = field(default_factory=LanguageCheck)

    def add(self, text: NamedText, key: Chains, response: Chains) -> None:
        """Look at a document that was measured."""
        self.unmeasured.update(
            tag for chain in key.mentions if (tag := text.unmeasured_tag(chain)) is not None
        )
        attributes = text.layers.attributes
        mentions = (m for chain in (*key.mentions, *response.mentions) for m in chain)
        if attributes is None or not have_levels(attributes, mentions):
            self.language.add(text.layers.text)

    def findings(self, options: NecOptions, file: str | None) -> Iterator[Finding]:
        """Report all doubts."""
        yield from self.language.findings(file, levels=True)
        yield from self._unmeasured(options, file)

    def _unmeasured(self, options: NecOptions, file: str | None) -> Iterator[Finding]:
        """Report types that are left out by default; dates and numbers are only counted."""
        # If PER, ORG or GPE is not measured, the caller has chosen so.
        tags = [t for t, _ in self.unmeasured.most_common() if t not in VALUE_TAGS.union(TYPES)]
        if not tags:
            return
        listed = ", ".join(f"{shortened(t)} ({self.unmeasured[t]})" for t in tags[:MOST_TAGS])
        more = f" and {len(tags) - MOST_TAGS} more" if len(tags) > MOST_TAGS else ""
        count = sum(self.unmeasured[tag] for tag in tags)
        found = "entity of the key has a type" if count == 1 else "entities of the key have types"
        example = next((tag for tag in tags if tag in ALIASES), tags[0])
        target = ALIASES.get(example)
        how = "itself, to measure it as a type of its own" if target is None else repr(target)
        message = (
            f"{count} {found} that NEC does not measure: {listed}{more}; it measures "
            f"{', '.join(dict.fromkeys(options.types.values()))}; "
            f"to include them, map tags to types, such as {shortened(example)} to {how}"
        )
        yield Finding(Code.UNMEASURED_TYPES, message, file)
