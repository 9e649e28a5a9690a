"""What heads, mention types and names were found by, and what was missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from corefscope.findings import Code, Finding, documents_have
from corefscope.language import LanguageCheck
from corefscope.matching.pairs import DocumentPair

NOTHING = "nothing"


@dataclass(slots=True, kw_only=True)
class Sources:
    """Documents by the layer of the text that each thing was found by."""

    heads_by: Counter[str] = field(default_factory=Counter)
    """By ``parse``, ``tags``, ``words``, or ``nothing``."""
    types_by: Counter[str] = field(default_factory=Counter)
    """By ``tags``, ``words``, or ``nothing``."""
    names: int = 0
    """Documents with named entities."""
    are_names_given: bool = False
    """Whether named entities are from elsewhere, not from the files of key and response."""
    borrowed: Counter[str] = field(default_factory=Counter)
    """Documents by the layer that the key lacks, and that was taken from the response."""
    unreadable: list[Finding] = field(default_factory=list)
    language: LanguageCheck = field(default_factory=LanguageCheck)

    def add(self, pair: DocumentPair, file: str | None, response_file: str | None) -> None:
        """Note what a document has."""
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
        """The sources of heads in one word, or several joined by a plus sign."""
        order = ("parse", "tags", "words", NOTHING)
        used = [source for source in order if self.heads_by[source]]
        # Counts that rest on the system's own layers are marked: they do not compare with others.
        return "+".join("response-" * bool(self.borrowed[s]) + s for s in used) or NOTHING

    @property
    def signature(self) -> str:
        """The sources of heads, and which other layers are not the key's."""
        others = [layer for layer in self.borrowed if layer not in self.heads_by]
        borrowed = f"|from-response:{'+'.join(others)}" if others else ""
        return f"{self.heads}{borrowed}{'|names:given' if self.are_names_given else ''}"

    def findings(self, key: str | None) -> Iterator[Finding]:
        """Report the layers that are missing, once for the corpus, and what cannot be read."""
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
            "every mention counts as nominal there, and no span error or match can be seen",
        )
        unparsed = documents - wordless - self.heads_by["parse"]
        by = " and ".join(source for source in ("tags", "words") if self.heads_by[source])
        yield from lacking(Code.NO_PARSE, "parse trees", unparsed, f"heads are found by {by}")
        untagged = self.types_by["words"]
        yield from lacking(
            Code.NO_TAGS, "tags", untagged, "mention types are found by closed lists of words"
        )
        unnamed = documents - wordless - self.names
        if not self.names:
            yield from lacking(
                Code.NO_NAMES, "named entities", unnamed, "types of entities are unknown"
            )
        for layer, count in self.borrowed.items():
            message = (
                f"{documents_have(count, documents)} no {layer} in the key; "
                "those of the response are used"
            )
            yield Finding(Code.BORROWED, message, file=key)
        yield from self.language.findings(key, features=True)
        yield from self.unreadable
