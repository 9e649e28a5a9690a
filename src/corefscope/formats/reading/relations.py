"""Which relations between annotations mean identity."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from corefscope.findings import Code, Finding
from corefscope.formats.reading.options import Reading

WORD = re.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
"""A word of a name. Capitals, digits and signs begin a new one, as in ``CorefIdent`` and
``ident_2``."""
CO_REF = re.compile(r"\bco ref")
IDENTITY = re.compile(r"coref|anaphor|cataphor|\b(?:ident(?!if)|same|(?:ana|cata)\b)")
"""Words of relations between mentions of the same entity. Other words end like these, such as
``president``."""
OTHER = re.compile(r"bridg|split|\b(?:non|not?(?=\b|coref|ident)|(?:part(?:s|ial|of)?|near)\b)")
"""Words of other relations, which may have one of those words, such as ``bridging_anaphor``."""
USUAL = re.compile(
    r"(?:coref|anaphor|cataphor|ident|same)\w*|ana|cata|as|chain|entity|event|has|id|is|link|"
    "mention|nominal|of|pron|pronominal|ref|reference|rel|relation|to|type|with"
)
"""Those words, and others beside them that do not change what a name means."""
MOST_SHOWN = 5


class Relations:
    """Decides which relations mean identity, and counts those of all files."""

    def __init__(self, reading: Reading) -> None:
        self.format = reading.format
        self.chosen = set(reading.options.relations)
        self.read: Counter[str] = Counter()
        self.others: Counter[str] = Counter()
        self._decided: dict[str, bool] = {}

    def accepts(self, name: str) -> bool:
        """Return whether a relation means identity; count it."""
        is_identity = self.is_identity(name)
        (self.read if is_identity else self.others)[name] += 1
        return is_identity

    def is_identity(self, name: str) -> bool:
        """Return whether a relation means identity."""
        if name not in self._decided:
            self._decided[name] = (
                name in self.chosen
                if self.chosen
                else names_identity(name) and not OTHER.search(_words(name))
            )
        return self._decided[name]

    def findings(self) -> Iterator[Finding]:
        """Yield what there is to say about relations that are not read, or have unusual names."""
        if self.chosen and not self.read:
            yield Finding(
                Code.NOT_IN_FILE,
                f"there is no relation named {' or '.join(sorted(self.chosen))}",
                expected=f"one of these: {counted(self.others) or 'none'}",
            )
        elif self.others:
            # Those that are named are read instead of others, so that the example has them all.
            names = "+".join([*sorted(self.read), *sorted(self.others)[:2]])
            message = (
                "relations that do not mean identity by their names are not read: "
                f"{counted(self.others)}; if some of them do, name all that do, as in "
                f"{self.format}:relations={names}"
            )
            yield Finding(Code.OTHER_RELATIONS, message)
        unusual = {name: n for name, n in self.read.items() if not _is_usual(name)}
        if unusual and not self.chosen:
            names = "+".join(sorted(self.read.keys() - unusual) or ["NAME"])
            yield Finding(
                Code.OTHER_RELATIONS,
                "relations are read as identity because of a part of their names: "
                f"{counted(unusual)}",
                expected=(
                    "mentions of one entity: if some are not, name those that are, as in "
                    f"{self.format}:relations={names}"
                ),
            )


def names_identity(name: str) -> bool:
    """Return whether a name has a word that means identity."""
    return bool(IDENTITY.search(_words(name)))


def _words(name: str) -> str:
    """Return the words of a name in small letters, separated by blanks.

    ``CoRef`` and ``co-reference`` are one word.
    """
    return CO_REF.sub("coref", " ".join(WORD.findall(name)).lower())


def _is_usual(name: str) -> bool:
    """Return whether a name that means identity says nothing else."""
    return all(map(USUAL.fullmatch, _words(name).split()))


def counted(counts: Mapping[str, int]) -> str:
    """Return names with their counts, the most frequent first."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    shown = ", ".join(f"{name} ({count})" for name, count in ordered[:MOST_SHOWN])
    more = len(ordered) - MOST_SHOWN
    return f"{shown} and {more} more" if more > 0 else shown
