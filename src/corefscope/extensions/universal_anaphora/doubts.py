"""Where the official figures are not what one would expect, or cannot be had."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from corefscope.corpus import Corpus
from corefscope.extensions.universal_anaphora.counting import (
    MEASURES,
    Splits,
    align_splits,
)
from corefscope.extensions.universal_anaphora.entities import Scored, UaMention
from corefscope.extensions.universal_anaphora.rules import UaRules
from corefscope.extensions.universal_anaphora.tables import UaTable
from corefscope.findings import Code, Finding


class UaDoubts:
    """Collects what is doubtful about the scores of documents."""

    def __init__(self, rules: UaRules, key: Corpus, response: Corpus) -> None:
        self.rules = rules
        self.corpora = key, response
        self.findings: list[Finding] = []
        self._by_order: dict[str, list[str]] = {}
        """Documents in which a metric depends on the order of a hash set."""
        self._by_minimum: list[str] = []
        """Documents in which some metrics accept a minimum span and others do not."""
        self._unequal: list[str] = []
        """Documents with markables on both sides that have no equal on the other one."""

    def look_at(self, table: UaTable, document: int, metrics: Collection[str]) -> None:
        """Note what the table of a document makes doubtful."""
        name = self.corpora[0].document_names[document]
        if self.rules.split_antecedents != "only":
            for metric in ("blanc", *(("lea",) if self.rules.version == 1 else ())):
                splits = align_splits(table, MEASURES[metric][0]) if metric in metrics else Splits()
                if _depends_on_order(table, splits):
                    self._by_order.setdefault(metric, []).append(name)
        if table.by_minimum and sum(table.overlaps.values()) > sum(
            owners.total() for owners in table.found
        ):
            self._by_minimum.append(name)

    def add(self, key: Scored, response: Scored, document: int) -> None:
        """Note what the entities of a document make doubtful."""
        name = self.corpora[0].document_names[document]
        for side, corpus in zip((key, response), self.corpora, strict=True):
            self.findings += _about(side, name, corpus.path)
        ours, theirs = set(_markables(key)), set(_markables(response))
        if not (ours <= theirs or theirs <= ours):
            self._unequal.append(name)

    def all(self) -> list[Finding]:
        """Return all findings."""
        found = list(self.findings)
        path = self.corpora[1].path
        for metric, names in self._by_order.items():
            message = (
                f"{_documents(names)} {'has' if len(names) == 1 else 'have'} split antecedents "
                f"that differ between key and response; there the official {metric.upper()} "
                "depends on the order of a hash set, which the score given does not"
            )
            found.append(Finding(Code.OFFICIAL_FAULT, message, file=path))
        if self._by_minimum:
            message = (
                f"in {_documents(self._by_minimum)}, only CEAF, non-referring expressions and "
                "bridging accept minimum spans, as in version 1 of the scorer; with version 2 and "
                "partial matching, all metrics do"
            )
            found.append(Finding(Code.OFFICIAL_FAULT, message, file=path))
        if self.rules.match == "head" and self._unequal:
            message = (
                f"the official scorer fails on markables of {_documents(self._unequal)} that have "
                "no equal, because it knows no heads, so there is no official score; here, only "
                "equal markables match"
            )
            found.append(Finding(Code.SCORER_FAILS, message, file=path))
        if self.rules.match in ("partial", "craft", "head") and self.rules.zeros == "linear":
            message = (
                "the official scorer fails on zeros unless matching is exact, so there is no "
                "official score; here, a zero matches only an equal zero"
            )
            if any(corpus.empty_nodes for corpus in self.corpora):
                found.append(Finding(Code.SCORER_FAILS, message, file=path))
        return found


def _depends_on_order(table: UaTable, splits: Splits) -> bool:
    """Tell whether a split antecedent with links is aligned with one that is not its equal."""
    return any(
        splits.equal.get(key) != response and table.found[key].total() > 0
        for key, response in splits.pairs
    )


def _about(side: Scored, name: str, path: str | None) -> Iterator[Finding]:
    repeated = _repeated(side)
    if repeated:
        number = "1 markable" if repeated == 1 else f"{repeated} markables"
        yield Finding(
            Code.REPEATED,
            f"document {name!r} has {number} with the same words as another one",
            expected=(
                "each markable once: as in the official scorer, each counts, and the last entity "
                "has it"
            ),
            file=path,
        )
    if side.emptied:
        message = (
            f"document {name!r} has {_entities(side.emptied)} with nothing but zeros. The official "
            "scorer fails on these if zeros are dropped, so there is no official score; here, they "
            "are left out"
        )
        yield Finding(Code.SCORER_FAILS, message, file=path)
    if side.reduced:
        message = (
            f"document {name!r} has {_entities(side.reduced)} with one mention left after zeros "
            "are dropped. As in the official scorer, such entities count although singletons are "
            "dropped"
        )
        yield Finding(Code.OFFICIAL_FAULT, message, file=path)


def _entities(count: int) -> str:
    return "1 entity" if count == 1 else f"{count} entities"


def _repeated(side: Scored) -> int:
    mentions = _markables(side)
    return len(mentions) - len(set(mentions))


def _markables(side: Scored) -> list[UaMention]:
    return [one for entity in side.entities for one in entity if isinstance(one, UaMention)]


def _documents(names: list[str]) -> str:
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"document {names[0]!r}{more}"
