"""Score documents one by one, as in a training loop."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from corefscope.arguments import of_type
from corefscope.choices import Duplicates, Singletons
from corefscope.corpus import Corpus
from corefscope.corpus.clusters import (
    CLUSTERS_ARE,
    Given,
    NotClusters,
    Overview,
    checked_document,
    of_both_sides,
    overview,
)
from corefscope.corpus.mentions import Clusters, Rows, are_spans
from corefscope.exceptions import WrongArgument, warn_of
from corefscope.findings import Code, Finding, few_alike
from corefscope.matching.division import Division
from corefscope.matching.matching import (
    match_corpora,
)
from corefscope.matching.mentions import refuse_unlike
from corefscope.matching.overlap import Floats
from corefscope.matching.shifts import ShiftCounts, nothing_in_common, shift_finding
from corefscope.metrics import (
    without_text,
)
from corefscope.options import make_options
from corefscope.scoring.measure import score_corpora, score_matching
from corefscope.scoring.scores import (
    Scores,
)

if TYPE_CHECKING:
    pass


class Scorer:
    """Scores documents one by one, for example in a training loop.

    ``update`` adds the clusters of one document, ``merge`` adds the documents of another scorer,
    and ``compute`` returns the scores so far. Scorers can be pickled, to merge those of several
    processes. They are not thread-safe: use one per thread and merge them.

    Examples
    --------
    >>> scorer = Scorer(metrics=["muc"])
    >>> scorer.update([{"a", "b", "c"}, {"d", "e"}], [{"a", "b"}, {"c", "d"}])
    >>> scorer.update([{"a", "b"}], [{"a", "b"}])
    >>> scorer.compute().muc.recall
    0.5
    """

    FOLD_AT = 1_000_000
    """The number of mentions after which pending documents are counted."""

    def __init__(
        self,
        *,
        metrics: str | Iterable[str] | None = None,
        profile: str = "conll-2012",
        singletons: Singletons | None = None,
        duplicates: Duplicates | None = None,
        window: int | None = None,
    ) -> None:
        self.options = make_options(
            metrics=metrics,
            profile=profile,
            singletons=singletons,
            duplicates=duplicates,
            window=window,
        )
        cut = self.options.profile.window
        if self.options.windows or (cut is not None and cut.as_published):
            raise WrongArgument(
                f"a scorer cannot cut documents into windows {window or profile!r}, because it "
                "does not know their lengths; expected one size, such as window=500"
            )
        if self.options.profile.scorer.pairs_itself:
            raise WrongArgument(
                f"the profile {profile} needs whole corpora, since it scores more than clusters; "
                "use score()"
            )
        without_text(self.options.metrics)
        self.reset()

    def reset(self) -> None:
        """Remove all documents."""
        self._names: list[str] = []
        self._windows: list[int] = []
        """How many windows each document has, if documents are cut."""
        self._unnamed: set[int] = set()
        """Documents named by their number, which changes when scorers are merged."""
        self._counts: list[dict[str, Floats]] = []
        self._findings: list[Finding] = []
        self._shifts = ShiftCounts()
        self._key, self._response = Overview(), Overview()
        self._pending: dict[str, tuple[Given, Given]] = {}
        self._mentions = 0
        self._is_strict = self.options.profile.duplicates == "error"
        """Whether every document is scored at once, because repeated mentions are errors."""

    def update(
        self, key: Clusters | Corpus, response: Clusters | Corpus, name: str | None = None
    ) -> None:
        """Add a document.

        If the document cannot be scored, an error is raised and the scorer is unchanged.

        Parameters
        ----------
        key, response
            The clusters of the document. If positions are not tokens from 0 with inclusive ends,
            a corpus of the document, which says how they are counted:
            ``Corpus.from_clusters({"a": clusters}, ends="exclusive")``.
        name
            The name of the document; its number by default.
        """
        self.add(snapshot(key), snapshot(response), name)

    def add(self, key: Given, response: Given, name: str | None = None) -> None:
        """Add a document whose clusters are checked, as :meth:`update` does.

        Parameters
        ----------
        key, response
            The clusters of the document, as :func:`snapshot` returns them.
        name
            The name of the document; its number by default.
        """
        number = len(self._names) + len(self._pending)
        is_named = name is not None
        name = f"{number}" if name is None else name
        if not (key.are_spans and response.are_spans):
            _check_kinds(name, key.rows, response.rows)
        if self._is_strict:
            corpora = [Corpus.from_rows((name,), [side.rows]) for side in (key, response)]
            score_corpora(corpora[0], corpora[1], self.options)
        if name in self._pending:
            self._fold()
        self._pending[name] = key, response
        if not is_named:
            self._unnamed.add(number)
        self._mentions += len(key.rows[1]) + len(response.rows[1])
        if self._mentions > self.FOLD_AT:
            self._fold()

    def merge(self, other: Scorer) -> None:
        """Add the documents of another scorer.

        Named documents keep their names; documents without a name get new numbers.

        Parameters
        ----------
        other
            A scorer with the same options.
        """
        of_type("other", other, Scorer, "a Scorer with the same options")
        if other is self:
            raise WrongArgument(
                "a scorer cannot be merged into itself, because all its documents would count "
                "twice; expected another scorer"
            )
        if other.options != self.options:
            raise WrongArgument(
                "scorers with different options cannot be merged; expected the same"
            )
        for scorer in (self, other):
            scorer._fold()
        first = len(self._names)
        self._names += [
            f"{first + number}" if number in other._unnamed else name
            for number, name in enumerate(other._names)
        ]
        self._unnamed |= {first + number for number in other._unnamed}
        self._windows += other._windows
        self._counts += other._counts
        self._findings = few_alike([*self._findings, *other._findings])
        self._shifts += other._shifts
        self._key += other._key
        self._response += other._response

    def compute(self, *, warn: bool = True) -> Scores:
        """Return the scores of all documents so far.

        Parameters
        ----------
        warn
            Whether to issue a Python warning if there are findings.

        Returns
        -------
        Scores
            The scores of the documents, in the order in which they were added.
        """
        self._fold()
        units = self._units()
        scores = Scores(
            counts={id: np.array(rows) for id, rows in self._joined().items()},
            document_names=tuple(self._names if units is None else units.names),
            profile=self.options.profile,
            findings=self.findings,
            units=units,
            document_count=None if units is None else len(self._names),
        )
        if warn:
            warn_of(scores.findings)
        return scores

    def _joined(self) -> dict[str, Floats]:
        """Return the counts of all documents."""
        none = {metric.id: np.zeros((0, metric.width)) for metric in self.options.metrics}
        # The parts are joined for good: after each document, only one is new.
        if len(self._counts) != 1:
            parts = [none, *self._counts]
            self._counts = [{id: np.concatenate([part[id] for part in parts]) for id in none}]
        return self._counts[0]

    def _units(self) -> Division | None:
        """Return the windows of all documents, if these are cut."""
        if self.options.profile.window is None:
            return None
        places = zip(self._names, self._windows, strict=True)
        windows = [(name, number + 1) for name, count in places for number in range(count)]
        names = [f"{name}@{number}" for name, number in windows]
        return Division(names, [name for name, _ in windows])

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings about single documents, and about all documents together."""
        self._fold()
        if not self._names:
            return (
                Finding(
                    Code.NO_MENTIONS,
                    "no document was added, so that there are no scores",
                    expected="update() first",
                ),
            )
        key, response = self._key.findings("the key"), self._response.findings("the response")
        together = of_both_sides(list(key), list(response))
        findings = [*together, *self._findings, *shift_finding(self._shifts)]
        return tuple(dict.fromkeys([*findings, *nothing_in_common(self._shifts, findings)]))

    def __copy__(self) -> Scorer:
        other = Scorer.__new__(Scorer)
        other.options = self.options
        other.reset()
        other.merge(self)
        return other

    def _fold(self) -> None:
        """Count the pending documents, in one table."""
        if not self._pending:
            return
        names, (keys, responses) = tuple(self._pending), zip(*self._pending.values(), strict=True)
        key = Corpus.from_rows(names, [each.rows for each in keys])
        response = Corpus.from_rows(names, [each.rows for each in responses])
        self._key += overview(keys)
        self._response += overview(responses)
        matching = match_corpora(key, response, self.options.matching)
        scores = score_matching(matching, self.options)
        self._names += self._pending
        if scores.units is not None:
            self._windows += [len(list(g)) for _, g in groupby(scores.units.documents or ())]
        self._counts.append(dict(scores.counts))
        # Shifted offsets can be detected only in all documents together.
        together = (Code.SHIFTED, Code.NO_COMMON_MENTION)
        found = [f for f in scores.findings if f.code not in together]
        if found:
            self._findings = few_alike([*self._findings, *found])
        self._shifts += matching.shifts
        self._pending, self._mentions = {}, 0


def snapshot(clusters: Clusters | Corpus) -> Given:
    """Copy the clusters of a document, so that the caller can change them afterwards.

    A corpus of one document has clusters as well, whose positions were counted in another way.
    """
    if isinstance(clusters, Corpus) and len(clusters) == 1 and clusters.has_spans:
        (document,) = clusters
        clusters = [list(entity.mentions) for entity in document.entities]
    if type(clusters) is not list and isinstance(clusters, (str, PathLike, Mapping, Corpus)):
        found = type(clusters).__name__
        raise NotClusters(
            f"update takes the clusters of one document, not a {found}; expected {CLUSTERS_ARE}. "
            "Call it once per document"
        )
    given = checked_document(clusters)
    if not given.are_spans:
        set(
            given.rows[1]
        )  # Raise TypeError for unhashable mentions now, not when they are counted.
    return given


def _check_kinds(name: str, key: Rows, response: Rows) -> None:
    """Raise InvalidInput if only one side of a document has spans of tokens as mentions."""
    if key[1] and response[1] and are_spans(key[1]) != are_spans(response[1]):
        refuse_unlike(*(Corpus.from_rows((name,), [side]) for side in (key, response)))
