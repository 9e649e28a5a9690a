"""The result: how far annotators agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Annotated

import numpy as np
from msgspec import Struct

from corefscope.agreement.alpha import Alpha, alpha
from corefscope.agreement.common_texts import CommonTexts
from corefscope.agreement.disputes import (
    DisagreementCounts,
    Dispute,
    DisputedDocument,
    DisputedEntity,
    SharedTexts,
    count_disagreements,
    disagreements,
    document_scores,
    most_disputed,
)
from corefscope.agreement.pairs import PairAgreement, common_sides, mean_figures
from corefscope.choices import Unmarked
from corefscope.exceptions import UnknownName
from corefscope.findings import Finding
from corefscope.formatting import NumberFormat, Value, counted
from corefscope.matching.overlap import Side
from corefscope.metrics import CONLL
from corefscope.options import Options
from corefscope.results.record import Record, about
from corefscope.results.rows import FigureFormat, Row, Tabular
from corefscope.scoring.scores import figure_format, figure_rows, only_f1

ALPHA = NumberFormat(digits=3, absent="–")
"""The format of α."""


class MarkedMentions(Record, frozen=True, kw_only=True):
    """How many annotators marked the mentions that someone marked."""

    marked_by: Annotated[list[int], about("the number of mentions that 1, 2, … annotators marked")]
    by_all: Annotated[
        int, about("the number of mentions that all annotators of their document marked")
    ]

    @property
    def total(self) -> int:
        """The number of mentions that someone marked."""
        return sum(self.marked_by)


class Agreement(Tabular, Struct, frozen=True, eq=False, kw_only=True, dict=True):
    """How far annotators agree: ``agreement.mean["conll"]``, ``agreement.alpha.masi``.

    There is no key: apart from the order of rows, nothing depends on the order of annotators.
    """

    annotators: Sequence[str]
    """The names, in the order in which they were given."""
    texts: CommonTexts
    """The annotators on the same documents and tokens."""
    by_number: Mapping[tuple[int, int], PairAgreement]
    """The pairs by the numbers of annotators in ``texts``."""
    options: Options
    unmarked: Unmarked

    def _format(self, column: str, row: Row) -> FigureFormat:
        return figure_format(column, row)

    @cached_property
    def pairs(self) -> Sequence[PairAgreement]:
        """Every pair of annotators that share a document, in the order of annotators."""
        place = {name: number for number, name in enumerate(self.annotators)}
        return sorted(self.by_number.values(), key=lambda pair: (place[pair.a], place[pair.b]))

    @property
    def files(self) -> Mapping[str, str]:
        """The path of each annotator, as shown in results."""
        paths = {each.name: each.path for each in self.texts.annotators}
        return {name: paths[name] for name in self.annotators}

    def __getitem__(self, names: tuple[str, str]) -> PairAgreement:
        for pair in self.pairs:
            if {pair.a, pair.b} == set(names):
                return pair
        known_pairs = [f"{pair.a}, {pair.b}" for pair in self.pairs]
        raise UnknownName("pair of annotators", ", ".join(names), known_pairs)

    def __iter__(self) -> Iterator[PairAgreement]:
        return iter(self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    @cached_property
    def mean(self) -> Mapping[str, float]:
        """The unweighted mean F1 over pairs of each metric, and of the CoNLL score."""
        return mean_figures(self.pairs)

    @cached_property
    def sides(self) -> Sequence[Side]:
        """The entities of each annotator; equal mentions have equal numbers."""
        return common_sides(self.texts, self.by_number)

    @cached_property
    def alpha(self) -> Alpha:
        """Krippendorff's α."""
        return alpha(self.sides, self.texts.annotated, self.unmarked)

    @cached_property
    def mentions(self) -> MarkedMentions:
        """How many annotators marked the mentions that someone marked."""
        numbers = np.concatenate([side.mention for side in self.sides])
        documents = np.concatenate(
            [side.entity_document[side.mention_entity] for side in self.sides]
        )
        count = np.bincount(numbers)
        of_document = self.texts.annotated.sum(axis=0)
        expected = np.zeros(len(count), dtype=np.int64)
        expected[numbers] = of_document[documents]
        marked = np.bincount(count, minlength=len(self.annotators) + 1)[1:]
        return MarkedMentions(marked_by=marked.tolist(), by_all=int((count == expected).sum()))

    @cached_property
    def disagreements(self) -> Mapping[tuple[str, str], DisagreementCounts]:
        """How often each pair disagrees, by kind."""
        return {(pair.a, pair.b): count_disagreements(pair, self._shared) for pair in self.pairs}

    @cached_property
    def _shared(self) -> SharedTexts:
        return SharedTexts(self.texts, self.options.language)

    @cached_property
    def doubts(self) -> Sequence[Finding]:
        """Warnings about the disagreements, whose boundaries are compared by heads of mentions."""
        _, first = min(self.by_number.items())
        return tuple(self._shared.doubts(first))

    @cached_property
    def listed(self) -> Sequence[Dispute]:
        """Every disagreement, pair by pair and document by document."""
        return [each for pair in self.pairs for each in disagreements(pair, self._shared)]

    def disputed_entities(self, most: int | None = 10) -> list[DisputedEntity]:
        """Return the entities that other annotators agree with least.

        Parameters
        ----------
        most
            The maximum number of entities; None for all that someone disagrees with.

        Returns
        -------
        list of DisputedEntity
            The smallest mean B³ comes first, then the largest entity.
        """
        return most_disputed(self.texts, self.sides, self.options.language, most)

    @cached_property
    def documents(self) -> Sequence[DisputedDocument]:
        """The documents that two annotators or more have, the most disputed one first."""
        return document_scores(self.texts, self.by_number)

    @property
    def compared(self) -> int:
        """The number of documents that two annotators or more have."""
        return int(self.texts.compared.sum())

    @property
    def signature(self) -> str:
        """One line that names all settings that the figures depend on."""
        (first, *_) = self.pairs
        return f"{first.scores.profile.signature(self.compared)}|unmarked:{self.unmarked}"

    @cached_property
    def findings(self) -> Sequence[Finding]:
        """Warnings about the annotators and their documents."""
        of_pairs = chain.from_iterable(pair.scores.findings for pair in self.pairs)
        return tuple(dict.fromkeys([*self.texts.findings, *of_pairs]))

    def _rows(self) -> list[Row]:
        """Return one row per pair and metric, the means over pairs, and α of all annotators."""
        pairs = [
            {"a": pair.a, "b": pair.b, **row}
            for pair in self.pairs
            for row in figure_rows(pair.metrics)
        ]
        alpha = {"alpha_passonneau": self.alpha.passonneau, "alpha_masi": self.alpha.masi}
        of_all = [("mean", self.mean), ("all", alpha)]
        return [
            *pairs,
            *(
                {"a": who, "b": "", "metric": id, **only_f1(value)}
                for who, figures in of_all
                for id, value in figures.items()
            ),
        ]

    def to_dict(self) -> dict[str, Value]:
        """Return the figures by name: ``mean/muc``, ``alpha/masi``, ``anna/ben/muc``, ….

        Returns
        -------
        dict
            The F1 of each metric in each pair, their means, and α.
        """
        figures: dict[str, Value] = {f"mean/{id}": value for id, value in self.mean.items()}
        figures |= {"alpha/passonneau": self.alpha.passonneau, "alpha/masi": self.alpha.masi}
        of_pairs = (row for row in self._rows() if row["b"])
        return figures | {f"{r['a']}/{r['b']}/{r['metric']}": r["f1"] for r in of_pairs}

    def __repr__(self) -> str:
        conll = self.mean.get(CONLL.id)
        shown = "" if conll is None else f"mean {CONLL.id} {CONLL.format.shown(conll)}, "
        who = counted(len(self.annotators), "annotator")
        documents = counted(self.compared, "document")
        return (
            f"<Agreement of {who} on {documents}: {shown}alpha "
            f"{ALPHA.shown(self.alpha.passonneau)} (passonneau), "
            f"{ALPHA.shown(self.alpha.masi)} (masi)>"
        )
