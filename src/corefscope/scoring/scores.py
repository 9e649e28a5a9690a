"""The scores of a response, as counts from which every figure is computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Literal, overload

from msgspec import Struct, field
from msgspec.structs import replace

from corefscope.findings import Code, Finding
from corefscope.formatting import COUNT, DECIMAL, PERCENT, TEXT, Value, counted
from corefscope.matching.division import Division
from corefscope.matching.overlap import Floats
from corefscope.metrics import (
    CONLL,
    METRICS,
    Metric,
    Score,
    conll_average,
    metric_named,
    statistics_of,
)
from corefscope.metrics.counts import FiguresOfCounts, known
from corefscope.profiles import Profile, same_rules
from corefscope.results.record import Record, about
from corefscope.results.rows import FigureFormat, Row, Tabular

if TYPE_CHECKING:
    from corefscope.metrics.major import MajorScores
    from corefscope.transfer.ledger import CorpusLedger
else:
    # `help` evaluates the types of the fields, and these modules are rarely needed.
    MajorScores = CorpusLedger = object

AT_A_TIME = 1_000
"""How many documents are scored together when each has its own scores."""


class DocumentScores(Struct, frozen=True):
    """The scores of one document."""

    document: str
    metrics: Mapping[str, Score]

    @property
    def conll(self) -> float | None:
        """The CoNLL score, if its metrics were computed."""
        return conll_average(self.metrics)


class AnswerFigures(Record, frozen=True, kw_only=True):
    """The CoNLL scores of an answer to CRAC: the official one, and those without its faults."""

    zeros_from: Annotated[Literal["answer", "skeleton"], about("whose empty nodes are scored")]
    skeleton: Annotated[str | None, about("the file that the answer was put into; null: the key")]
    official: Annotated[float | None, about("null if an official tool stops")]
    recovered: Annotated[
        float | None, about("what our own alignment recovers, without official faults")
    ]
    without_shift: Annotated[
        float | None,
        about("the official import with the empty nodes of the skeleton at their own places"),
    ]


class AcrossDocuments(Struct, frozen=True, kw_only=True):
    """What else is known of scores in which entities have mentions in several documents."""

    links: Mapping[str, Score]
    """Links between mentions of one document, ``within``, and of different ones, ``across``."""
    singletons: Mapping[str, tuple[int, int]]
    """The singletons of key and response, and all their entities."""


class Scores(Tabular, Struct, frozen=True, eq=False, kw_only=True):
    """The scores of a response: ``scores.muc.f1``, ``scores["ceafe"].recall``, ``scores.conll``."""

    counts: Mapping[str, Floats]
    """For each metric one row of counts per document, from which all scores are computed."""
    document_names: Sequence[str]
    profile: Profile
    missing: Sequence[str] = ()
    extra: Sequence[str] = ()
    findings: Sequence[Finding] = ()
    skipped: int = 0
    """The number of unreadable response files that were left out."""
    path: str | None = None
    """The path of the response."""
    stages: Mapping[str, int] = field(default_factory=dict)
    """How many pairs of mentions each stage of matching made; empty if all are equal mentions."""
    ledger: CorpusLedger | None = None
    """What became of the tags and words of tagged text; None for other formats."""
    crac: AnswerFigures | None = None
    """What else can be made of an answer to CRAC; None for other responses."""
    units: Division | None = None
    """What was scored as one, if not documents: ``document_names`` are the names of these."""
    document_count: int | None = None
    """The number of documents, if other units were scored."""
    windows: Sequence[Scores] = ()
    """The scores for several sizes of windows, and last those of whole documents."""
    across: AcrossDocuments | None = None
    """What else is known if documents are joined."""
    major: MajorScores | None = None
    """The scores of major entities, if they were asked for."""

    @property
    def metrics(self) -> dict[str, Score]:
        """The score of each metric over all documents."""
        return {id: self._score(id) for id in self.counts}

    @property
    def conll(self) -> float | None:
        """The mean F1 of MUC, B³ and CEAFe, if these were computed."""
        return conll_average(self.metrics)

    @property
    def signature(self) -> str:
        """One line that names all settings that the scores depend on."""
        return self.profile.signature(self.scored_documents, self.skipped)

    @property
    def row_name(self) -> str:
        """What has a row of counts: a document, a window, a topic or the corpus."""
        if self.profile.window is not None:
            return "window"
        return "document" if self.units is None else self.profile.level

    @property
    def texts(self) -> Sequence[str]:
        """The document of each row of counts; the names of rows if these have several."""
        return (self.units and self.units.documents) or self.document_names

    @property
    def scored_documents(self) -> int:
        """The number of documents, whatever was scored as one."""
        return len(self.document_names) if self.document_count is None else self.document_count

    @property
    def per_document(self) -> list[DocumentScores]:
        """The scores of each document, in the order of the key."""
        return list(self.by_document())

    def by_document(self) -> Iterator[DocumentScores]:
        """Yield the scores of each document, in the order of the key.

        Returns
        -------
        Iterator of DocumentScores
            The scores of the documents, a few of which are in memory at a time.
        """
        for begin in range(0, len(self.document_names), AT_A_TIME):
            some = slice(begin, begin + AT_A_TIME)
            columns = [self._metric(id).scores(rows[some]) for id, rows in self.counts.items()]
            for row, name in enumerate(self.document_names[some]):
                scores = (column[row] for column in columns)
                yield DocumentScores(name, dict(zip(self.counts, scores, strict=True)))

    @property
    def without_failed(self) -> Scores:
        """The scores without documents whose tagged text failed, which count as empty otherwise."""
        failed = set(self.ledger.failed if self.ledger else ())
        if not failed:
            return self
        return self._of_rows([row for row, name in enumerate(self.texts) if name not in failed])

    def _of_rows(self, rows: Sequence[int]) -> Scores:
        """Return the scores of some documents or other units, in this order."""
        return replace(
            self,
            counts={id: counts[rows] for id, counts in self.counts.items()},
            document_names=tuple(self.document_names[row] for row in rows),
            units=None if self.units is None else self.units.chosen(rows),
        )

    def additive(self, metric: str) -> tuple[Floats, FiguresOfCounts]:
        """Return the rows of a metric that can be summed over documents, and how to read the sum.

        Parameters
        ----------
        metric
            The id of a metric that was computed.

        Returns
        -------
        tuple
            One row of counts per document, and the function that computes recall, precision and F1
            from their sum.
        """
        return self._metric(metric).additive(self.counts[metric], self.profile.average)

    def in_order_of(self, documents: Sequence[str]) -> Scores:
        """Return the scores with their documents in another order.

        Parameters
        ----------
        documents
            The names of the same documents.

        Returns
        -------
        Scores
            The same scores, with the documents in this order.
        """
        if list(documents) == list(self.document_names):
            return self
        place = {name: row for row, name in enumerate(self.document_names)}
        return self._of_rows([place[name] for name in documents])

    def _format(self, column: str, row: Row) -> FigureFormat:
        return figure_format(column, row)

    def _rows(self) -> list[Row]:
        """Return one row per metric, one for the CoNLL score, and those of links and entities."""
        return [*figure_rows(self.metrics), *self._more_rows()]

    def _more_rows(self) -> Iterator[Row]:
        """Yield the rows of links within and across documents, and of major entities."""
        for where, score in self.across.links.items() if self.across is not None else ():
            yield {"metric": f"links_{where}", **figures_of("pairwise", score)}
        if self.major is not None:
            yield {"metric": "major_macro", **only_f1(self.major.macro)}
            yield {"metric": "major_weighted", **only_f1(self.major.weighted)}

    def to_dict(self) -> dict[str, Value]:
        """Return the figures by name: ``muc/recall``, …, and ``conll``.

        Returns
        -------
        dict
            Figures by name; figures that a metric does not have are left out.

        Examples
        --------
        >>> from corefscope import score
        >>> score([{"a", "b", "c"}], [{"a", "b"}], metrics="muc").to_dict()
        {'muc/recall': 0.5, 'muc/precision': 1.0, 'muc/f1': 0.6666666666666666}
        """
        figures: dict[str, Value] = {
            f"{id}/{name}": figure
            for id, score in self.metrics.items()
            for name in ("recall", "precision", "f1")
            if (figure := known(getattr(score, name))) is not None
        }
        return figures if self.conll is None else {**figures, "conll": self.conll}

    def _metric(self, id: str) -> Metric:
        return self.profile.adapted(METRICS[id])

    def __repr__(self) -> str:
        metrics = self.metrics
        values = ", ".join(
            f"{each.id} {each.format.shown(each.value(metrics))}" for each in statistics_of(metrics)
        )
        documents = counted(self.scored_documents, "document")
        units = counted(len(self.document_names), self.row_name, "corpus")
        units = f" in {units}" if self.units is not None else ""
        return f"<Scores of {documents}{units}, F1: {values}>"

    def __iter__(self) -> Iterator[str]:
        return iter(self.counts)

    def __contains__(self, metric: object) -> bool:
        return metric in self.counts

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *self.counts})

    @overload  # For type checkers, any text but the literal "conll" is the name of a metric.
    def __getitem__(self, metric: Literal["conll"]) -> float: ...  # type: ignore[overload-overlap]
    @overload
    def __getitem__(self, metric: str) -> Score: ...
    def __getitem__(self, metric: str) -> Score | float:
        if metric != CONLL.id:
            return self._score(metric)
        if self.conll is None:
            raise KeyError(
                f"conll needs {', '.join(CONLL.ids)}; computed: {', '.join(self.counts)}"
            )
        return self.conll

    def _score(self, metric: str) -> Score:
        chosen = metric_named(metric)
        if chosen.id not in self.counts:
            raise KeyError(f"{metric} was not computed; computed: {', '.join(self.counts)}")
        return self._metric(chosen.id).total(self.counts[chosen.id], self.profile.average)

    def __getattr__(self, metric: str) -> Score:
        if not METRICS.knows(metric) or metric not in self.counts:
            raise AttributeError(
                f"the scores have no {metric!r}; they have conll and {', '.join(self.counts)}, "
                "each metric with recall, precision and f1"
            )
        return self._score(metric)


def figure_rows(metrics: Mapping[str, Score]) -> list[Row]:
    """Return one row per metric, and one for the CoNLL score if it is known."""
    conll = conll_average(metrics)
    rows: list[Row] = [{"metric": id, **figures_of(id, each)} for id, each in metrics.items()]
    return rows if conll is None else [*rows, {"metric": CONLL.id, **only_f1(conll)}]


def figures_of(id: str, score: Score) -> Row:
    """Return the figures of a metric, and the counts behind them unless it is a mean."""
    fractions: Sequence[Value] = [None] * len(FRACTIONS)
    if not METRICS[id].is_mean:
        fractions = [*counts(id, score.recall_counts), *counts(id, score.precision_counts)]
    return {
        "recall": known(score.recall),
        "precision": known(score.precision),
        "f1": known(score.f1),
        **dict(zip(FRACTIONS, fractions, strict=True)),
    }


def figure_format(column: str, row: Row) -> FigureFormat:
    """Return the format of a cell in a row of figures, or of what stands before them."""
    if column in FRACTIONS:
        return COUNT if isinstance(row[column], int) else DECIMAL
    if column not in ("recall", "precision", "f1"):
        return TEXT
    id = str(row["metric"])
    return METRICS[id].unit.value if id in METRICS else PERCENT


def only_f1(value: float | None) -> Row:
    """Return the row of a figure without recall and precision."""
    return {"recall": None, "precision": None, "f1": value, **dict.fromkeys(FRACTIONS)}


FRACTIONS = (
    "recall_numerator",
    "recall_denominator",
    "precision_numerator",
    "precision_denominator",
)
"""The columns of the counts behind recall and precision."""
ANOTHER_KEY = Finding(
    Code.BAD_RESULT,
    "these scores were computed with another key",
    expected="the same key entities",
)


def unlike(expected: Scores, found: Scores) -> Finding | None:
    """Return the first incompatibility of scores with those expected, or None."""
    lacking = [id for id in expected.counts if id not in found.counts]
    if lacking:
        return _unlike(f"lack the metrics {', '.join(lacking)}", "all compared metrics")
    if not same_rules(expected.signature, found.signature):
        return _unlike(f"have signature {found.signature}", expected.signature)
    if list(expected.document_names) != list(found.document_names):
        if expected.profile.window is not None:
            return _unlike(
                "have other windows",
                "the same: without words of the key, their number depends on the response",
            )
        return _unlike("have other documents", "those of the key, in the same order")
    if _key_counts(expected, expected) != _key_counts(found, expected):
        return ANOTHER_KEY
    return None


def _unlike(found: str, expected: str) -> Finding:
    return Finding(Code.BAD_RESULT, f"these scores {found}", expected=expected)


def _key_counts(scores: Scores, of: Scores) -> list[list[float]]:
    """Return the counts that depend only on the key: denominators of recall by document."""
    return [scores.counts[id][:, 1].tolist() for id in of.counts if METRICS[id].is_recall_of_key]


def counts(id: str, counts: tuple[float, float]) -> tuple[float, float]:
    """Return a pair of counts, as integers where the metric counts whole things."""
    numerator, denominator = counts
    # In a macro average, the numerator is a sum of recall or precision.
    return (
        whole_if_whole(numerator) if METRICS[id].integral else numerator,
        whole_if_whole(denominator),
    )


def whole_if_whole(count: float) -> float:
    """Return an integer if the count is whole; some metrics divide by entropies."""
    return int(count) if count == int(count) else count
