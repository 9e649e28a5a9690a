"""The layers of the text that heads, mention types and names come from, and what was missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Literal, TypeAlias

from msgspec import field

from corefscope.facts import Facts
from corefscope.findings import Code, Finding, borrowed_layers, documents_have
from corefscope.language import LanguageCheck, MentionType
from corefscope.matching.pairs import DocumentPair

NOTHING = "nothing"
Layer: TypeAlias = Literal["words", "trees", "tags", "names"]


class Sources(Facts, kw_only=True):
    """The number of documents for each source of heads, mention types and names."""

    heads_by: Counter[str] = field(default_factory=Counter)
    """By ``file``, ``parse``, ``dependencies``, ``tags``, ``words``, or ``nothing``."""
    types_by: Counter[str] = field(default_factory=Counter)
    """By ``tags``, ``words``, or ``nothing``."""
    names: int = 0
    """Documents with named entities."""
    are_names_given: bool = False
    """Whether named entities were given separately, not in the files of key and response."""
    borrowed: Counter[str] = field(default_factory=Counter)
    """Documents by the layer that the key lacks and that was taken from the response."""
    languages: Counter[str] = field(default_factory=Counter)
    """Documents by the rules that were used: ``english`` or ``universal``."""
    zeros: int = 0
    """Mentions of key and response that are zeros."""
    unreadable: list[Finding] = field(default_factory=list)
    language: LanguageCheck = field(default_factory=LanguageCheck)

    def add(self, pair: DocumentPair, file: str | None, response_file: str | None) -> None:
        """Count the layers of a document."""
        text = pair.text
        self.heads_by[text.heads_from if text else NOTHING] += 1
        self.types_by[text.types_from if text else NOTHING] += 1
        self.names += bool(text and text.has_names)
        self.borrowed.update(pair.borrowed)
        if text:
            self.languages["universal" if text.is_universal else "english"] += 1
            self.language.add(text)
            self.zeros += _zeros(pair) if text.layers.empty else 0
        for problem in text.problems if text else ():
            message = f"document {pair.name!r}, token {problem.token}: {problem.reason}"
            is_borrowed = problem.layer in pair.borrowed
            where = response_file if is_borrowed else file
            self.unreadable.append(Finding(Code.BAD_LAYER, message, file=where))

    @property
    def heads(self) -> str:
        """The sources of heads, joined by plus signs."""
        order = ("file", "parse", "dependencies", "tags", "words", NOTHING)
        used = [source for source in order if self.heads_by[source]]
        # Counts that use the system's own layers are marked: they are not comparable with others.
        return "+".join("response-" * bool(self.borrowed[s]) + s for s in used) or NOTHING

    @property
    def signature(self) -> str:
        """The sources of heads, and the other layers that do not come from the key."""
        others = [layer for layer in self.borrowed if layer not in self.heads_by]
        borrowed = f"|from-response:{'+'.join(others)}" if others else ""
        names = "|names:given" if self.are_names_given else ""
        return f"{self.heads}{borrowed}{names}{self._language}"

    @property
    def _language(self) -> str:
        """The rules that were used, unless all were the English ones."""
        is_universal = self.languages["universal"] > 0
        return f"|language:{'+'.join(sorted(self.languages))}" if is_universal else ""

    def findings(
        self, key: str | None, layers: Collection[Layer] = ("words", "trees", "tags", "names")
    ) -> Iterator[Finding]:
        """Yield one finding per missing layer for the whole corpus, and what cannot be read.

        Parameters
        ----------
        key
            The file that findings name.
        layers
            The layers that matter.
        """
        documents = self.heads_by.total()
        wordless = self.heads_by[NOTHING]
        parsed = sum(self.heads_by[layer] for layer in ("file", "parse", "dependencies"))
        unparsed = documents - wordless - parsed
        by = " and ".join(source for source in ("tags", "words") if self.heads_by[source])
        is_universal = self.languages["universal"] == documents - wordless
        trees = "dependency trees" if is_universal else "parse trees"
        untagged = self.types_by["words"]
        unnamed = 0 if self.names else documents - wordless
        lacking: Mapping[Layer, tuple[str, int, str]] = {
            "words": (
                "words",
                wordless,
                "types of mentions are unknown there, and span errors and matches cannot be found",
            ),
            "trees": (trees, unparsed, f"heads come from {by}"),
            "tags": ("tags", untagged, "mention types come from closed lists of words"),
            "names": ("named entities", unnamed, "entity types are unknown"),
        }
        for layer, (name, count, so) in lacking.items():
            if count and layer in layers:
                message = f"{documents_have(count, documents)} no {name}; {so}"
                yield Finding(Code.NO_TEXT_LAYER, message, file=key)
        yield from borrowed_layers(self.borrowed, documents, key)
        yield from self.unreadable


def _zeros(pair: DocumentPair) -> int:
    mentions = (mention for entity in (*pair.key, *pair.response) for mention in entity)
    return sum(pair.traits(mention).type is MentionType.ZERO for mention in mentions)
