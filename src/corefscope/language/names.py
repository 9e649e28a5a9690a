"""Read named entities from the name column of CoNLL-2012."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct, field

from corefscope.corpus.mentions import Span
from corefscope.language.trees import TreeProblem

_BRACKET = re.compile(r"\(([^()*|]*)|(\))|[*|_-]+|[^()]+")
"""An opening bracket with its type, a closing bracket, placeholders, or anything else."""


class NameSpans(Struct, frozen=True):
    """The type of each span that is a name, and what could not be read."""

    types: dict[Span, str]
    problems: list[TreeProblem]


def read_names(bits: Sequence[str], sentences: Iterable[range] | None = None) -> NameSpans:
    """Read a column of names such as (GPE), (GPE*), (PERSON* ... *), or nested (ORG(GPE*) ... *).

    A name must end in its sentence. If two names have the same span, the outer one is kept.
    """
    reader = _NameReader()
    for sentence in [range(len(bits))] if sentences is None else sentences:
        for token in sentence:
            reader.read(token, bits[token])
        reader.end_sentence()
    return NameSpans(reader.types, reader.problems)


class _NameReader(Struct):
    stack: list[tuple[str, int]] = field(default_factory=list)
    types: dict[Span, str] = field(default_factory=dict)
    problems: list[TreeProblem] = field(default_factory=list)

    def read(self, token: int, bit: str) -> None:
        if not ("(" in bit or ")" in bit) and bit in "*-_":
            return
        for bracket in _BRACKET.finditer(bit):
            text = bracket.group()
            if text[0] == "(":
                self.stack.append((bracket.group(1), token))
            elif text == ")":
                self.close(token)
            elif text.strip("*|_-"):
                self.report(token, f"{text!r} is not a bracket with a type")

    def close(self, token: int) -> None:
        if not self.stack:
            self.report(token, "a name is closed but was never opened")
            return
        kind, start = self.stack.pop()
        if kind:
            # The outer name is closed later and replaces the inner one.
            self.types[start, token] = kind
        else:
            self.report(start, "the name has no type")

    def end_sentence(self) -> None:
        for kind, start in self.stack:
            self.report(start, f"the name ({kind} is not closed in its sentence")
        self.stack.clear()

    def report(self, token: int, reason: str) -> None:
        self.problems.append(TreeProblem("names", token, reason))
