"""The layers of the text that heads, mention types and names come from, and what was missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from corefscope.findings import Code, Finding, borrowed_layers, documents_have
from corefscope.language import LanguageCheck
from corefscope.matching.pairs import DocumentPair

NOTHING = "nothing"


@dataclass(slots=True, kw_only=True)
class Sources:
    """The number of documents for each source of heads, mention types and names."""

    heads_by: Counter[str] = field(default_factory=Counter)
    """By ``parse``, ``tags``, ``words``, or ``nothing``."""
    types_by: Counter[str] = field(default_factory=Counter)
    """By ``tags``, ``words``, or ``nothing``."""
    names: int = 0
    """Documents with named entities."""
    are_names_given: bool = False
    """Whether named entities were given separately, not in the files of key and response."""
    borrowed: Counter[str] = field(default_factory=Counter)
    """Documents by the layer that the key lacks and that was taken from the response."""
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
            self.language.add(text)
        for problem in text.problems if text else ():
            message = f"document {pair.name!r}, token {problem.token}: {problem.reason}"
            is_borrowed = problem.layer in pair.borrowed
            where = response_file if is_borrowed else file
            self.unreadable.append(Finding(Code.BAD_TREE, message, file=where))

    @property
    def heads(self) -> str:
        """The sources of heads, joined by plus signs."""
        order = ("parse", "tags", "words", NOTHING)
        used = [source for source in order if self.heads_by[source]]
        # Counts that use the system's own layers are marked: they are not comparable with others.
        return "+".join("response-" * bool(self.borrowed[s]) + s for s in used) or NOTHING

    @property
    def signature(self) -> str:
        """The sources of heads, and the other layers that do not come from the key."""
        others = [layer for layer in self.borrowed if layer not in self.heads_by]
        borrowed = f"|from-response:{'+'.join(others)}" if others else ""
        return f"{self.heads}{borrowed}{'|names:given' if self.are_names_given else ''}"

    def findings(self, key: str | None) -> Iterator[Finding]:
        """Yield one finding per missing layer for the whole corpus, and what cannot be read."""
        documents = self.heads_by.total()
        wordless = self.heads_by[NOTHING]

        def lacking(code: Code, layer: str, count: int, so: str) -> Iterator[Finding]:
            if count:
                message = f"{documents_have(count, documents)} no {layer}; {so}"
                yield Finding(code, message, file=key)

        yield from lacking(
            Code.NO_WORDS,
            "words",
            wordless,
            "every mention counts as nominal there, and span errors and matches cannot be found",
        )
        unparsed = documents - wordless - self.heads_by["parse"]
        by = " and ".join(source for source in ("tags", "words") if self.heads_by[source])
        yield from lacking(Code.NO_PARSE, "parse trees", unparsed, f"heads come from {by}")
        untagged = self.types_by["words"]
        yield from lacking(
            Code.NO_TAGS, "tags", untagged, "mention types come from closed lists of words"
        )
        unnamed = documents - wordless - self.names
        if not self.names:
            yield from lacking(Code.NO_NAMES, "named entities", unnamed, "entity types are unknown")
        yield from borrowed_layers(self.borrowed, documents, key)
        yield from self.language.findings(key, features=True)
        yield from self.unreadable
