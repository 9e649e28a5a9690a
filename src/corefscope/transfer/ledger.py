"""The ledger of a copy: what became of its tags, its mentions and its words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal, TypeAlias, TypeVar, get_args

from msgspec import Struct, field
from msgspec.structs import asdict

from corefscope.corpus.copies import NEVER_CLOSED, NEVER_OPENED, NO_NAME, NO_STYLE, WindowCounts
from corefscope.results.record import Record, about

Status: TypeAlias = Literal["ok", "repaired", "cut off", "failed"]
STATUSES: tuple[Status, ...] = get_args(Status)
"""From good to bad."""

UNCERTAIN = "uncertain"
NO_COUNTERPART = "no counterpart in the source"
OUTSIDE = "outside the copied text"
REPEATED = "repeated"
TOO_OFTEN = "listed more often than it occurs"
BEFORE_PARSING = (NO_NAME, NEVER_CLOSED, NEVER_OPENED)
"""Reasons why tags give no mention."""


class WordCounts(Record, frozen=True, kw_only=True):
    """The words of a copy and of its source."""

    source: Annotated[
        int, about("equal, respelt, replaced, deleted, and those missing at the end")
    ] = 0
    output: Annotated[int, about("equal, respelt, replaced, inserted, and those outside")] = 0
    equal: int = 0
    respelt: Annotated[int, about("the same word in other letters, such as upper case")] = 0
    replaced: int = 0
    inserted: int = 0
    deleted: int = 0


class ChangedMention(Struct, frozen=True, kw_only=True):
    """A mention that is not in the source as it is in the copy."""

    entity: str
    text: str
    """Its words in the copy."""
    outcome: str
    """``edited``, ``shrunk``, or why it was dropped."""
    becomes: str | None = None
    """Its words in the source; None if it was dropped."""


class Ledger(Struct, frozen=True, kw_only=True):
    """What became of one copy."""

    style: str
    opened: int = 0
    closed: int = 0
    foreign: int = 0
    parsed: int = 0
    """Mentions that the tags give: exact, edited, shrunk, and those dropped afterwards."""
    exact: int = 0
    """Mentions whose words are those of the source."""
    edited: int = 0
    """Mentions with changed words, whose edges are certain."""
    shrunk: int = 0
    """Mentions that lost words at an edge."""
    dropped: Mapping[str, int] = field(default_factory=dict)
    """Tags and mentions that were dropped, by reason."""
    words: WordCounts = field(default_factory=WordCounts)
    missing_tail: int = 0
    """Words at the end of the source that the copy lacks."""
    outside: int = 0
    """Words of the copy before the first word of the source, and after the last."""
    status: Status | None = "ok"
    """None in the sums over documents."""
    changed: Sequence[ChangedMention] = ()
    """The mentions that were edited, shrunk or dropped."""
    antecedent_not_found: int = 0
    """Mentions of the style tanl that name an antecedent which no mention before is."""
    windows: WindowCounts | None = None
    """How the windows of the document were put together; None if it has none."""

    @property
    def dropped_tags(self) -> Mapping[str, int]:
        """Tags that give no mention, by reason."""
        return {why: count for why, count in self.dropped.items() if why in BEFORE_PARSING}

    @property
    def dropped_mentions(self) -> Mapping[str, int]:
        """Mentions that have no place in the source, by reason."""
        return {why: count for why, count in self.dropped.items() if why not in BEFORE_PARSING}


class CorpusLedger(Struct, frozen=True):
    """The ledgers of all copies of a response."""

    documents: Mapping[str, Ledger]
    """The ledger of each document, by its name in the key."""

    @classmethod
    def in_order(cls, ledgers: Mapping[str, Ledger], names: Iterable[str]) -> CorpusLedger:
        """Return the ledgers of documents in the order of some names, those of the key."""
        return cls({name: ledgers[name] for name in names if name in ledgers})

    @property
    def statuses(self) -> dict[Status, int]:
        """How many documents have each status."""
        found = Counter(ledger.status for ledger in self.documents.values())
        return {status: found[status] for status in STATUSES}

    @property
    def failed(self) -> list[str]:
        """The names of the documents that failed; they have no mention."""
        return [name for name, each in self.documents.items() if each.status == "failed"]

    @property
    def styles(self) -> Counter[str]:
        """How many documents have each style."""
        return Counter(each.style for each in self.documents.values())

    @property
    def total(self) -> Ledger:
        """The sums over all documents, with the styles of all that have tags, and no status."""
        ledgers = list(self.documents.values())
        styles = dict.fromkeys(each.style for each in ledgers if each.style != NO_STYLE)
        dropped: Counter[str] = Counter()
        for ledger in ledgers:
            dropped.update(ledger.dropped)
        sums = {
            name: sum(getattr(ledger, name) for ledger in ledgers)
            for name, value in asdict(Ledger(style=NO_STYLE)).items()
            if isinstance(value, int)
        }
        windows = [each.windows for each in ledgers if each.windows is not None]
        return Ledger(
            style=" and ".join(styles) or NO_STYLE,
            dropped=dict(dropped.most_common()),
            words=sum_of([WordCounts(), *(ledger.words for ledger in ledgers)]),
            status=None,
            changed=[each for ledger in ledgers for each in ledger.changed],
            windows=sum_of(windows) if windows else None,
            **sums,
        )


Counts = TypeVar("Counts", WordCounts, WindowCounts)


def sum_of(counts: Sequence[Counts]) -> Counts:
    """Add counts up, field by field; there must be some."""
    kind = type(counts[0])
    return kind(**{name: sum(getattr(c, name) for c in counts) for name in kind.__struct_fields__})
