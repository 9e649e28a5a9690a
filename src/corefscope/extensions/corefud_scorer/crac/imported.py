"""What is kept of an answer to CRAC that was put into the file of the key."""

from __future__ import annotations

from typing import ClassVar

from corefscope.corpus import Corpus
from corefscope.corpus.columns import OwnColumn, Selection
from corefscope.records import dataclass


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Imported(OwnColumn):
    """How a response was made from an answer to CRAC, and what else can be made of it."""

    name: ClassVar[str] = "imported"

    zeros_from: str
    """Whether its empty nodes are those of the ``answer`` or of the ``skeleton``."""
    skeleton: str | None
    """The file that the answer was put into, if it is not the key."""
    recovered: Corpus
    """The answer as our own alignment reads it."""
    ledger: object
    """What became of its tags and words in that alignment: a ``CorpusLedger``, or None."""
    without_shift: Corpus | None = None
    """The response with the empty nodes of the skeleton at their own places, if possible."""
    stopped: str | None = None
    """Why an official tool stops, so that there is no official figure."""

    def selected(self, selection: Selection) -> Imported:
        """Return it: it is about the whole response."""
        return self


def imported_of(corpus: Corpus) -> Imported | None:
    """Return what is known of an answer; None if a corpus was not made from one."""
    found = corpus.own.get(Imported.name)
    return found if isinstance(found, Imported) else None
