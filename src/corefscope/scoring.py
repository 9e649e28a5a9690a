"""Score a response against a key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, field, replace
from functools import partial
from itertools import groupby
from os import PathLike
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, TypeAlias, cast, overload

import numpy as np

from corefscope.arguments import is_address, of_type
from corefscope.choices import Duplicates, Singletons
from corefscope.corpus import UNKNOWN_LENGTH, Corpus
from corefscope.corpus.clusters import (
    CLUSTERS_ARE,
    Given,
    NotClusters,
    Overview,
    checked_document,
    checked_documents,
    of_both_sides,
    overview,
    without_names,
)
from corefscope.corpus.copies import Imported
from corefscope.corpus.mentions import Clusters, Rows, are_spans
from corefscope.corpus.offsets import Convention
from corefscope.engines import ALONE, Processes, current
from corefscope.exceptions import InvalidInput, WrongArgument, warn_of
from corefscope.findings import Code, Finding, documents_have, few_alike
from corefscope.formats import read
from corefscope.formats.reading.options import Role
from corefscope.formats.registry import endings
from corefscope.formatting import PERCENT, Value, counted
from corefscope.matching.division import Division, divided
from corefscope.matching.heads import has_heads
from corefscope.matching.matching import (
    Matching,
    SingletonRule,
    match_corpora,
)
from corefscope.matching.mentions import refuse_unlike
from corefscope.matching.overlap import Floats, Overlap
from corefscope.matching.shifts import ShiftCounts, nothing_in_common, shift_finding
from corefscope.metrics import (
    CONLL,
    METRICS,
    STATISTICS,
    Metric,
    OverlapMetric,
    Score,
    conll_average,
    metric_named,
    statistics_of,
    without_text,
)
from corefscope.metrics.counts import BLOCK, FiguresOfCounts, known
from corefscope.metrics.links import PAIRWISE
from corefscope.options import ABOVE_DOCUMENTS, Options, make_options
from corefscope.profiles import DEFAULT, PROFILES, Profile, path_to, same_rules
from corefscope.records import dataclass
from corefscope.reference import reference_documents
from corefscope.tabular import FigureFormat, FigureFormats, Row, Tabular

if TYPE_CHECKING:
    from corefscope.metrics.major import MajorScores
    from corefscope.transfer.ledger import CorpusLedger

Annotation: TypeAlias = (
    str
    | PathLike[str]
    | Corpus
    | Mapping[str, Clusters]
    | Mapping[str, str | None]
    | Clusters
    | Sequence[object]
)
"""A path, a corpus, ``{document: clusters}``, or the clusters of one document; also a list of
documents of other libraries: see :mod:`corefscope.formats.objects`. A response may also be
``{document: answer}``, the answers of a language model."""

GIANT = 400_000
"""A table with more cells is worth several processes that count its metrics."""
AT_A_TIME = 1_000
"""How many documents are scored together when each has its own scores."""


@dataclass(frozen=True, slots=True)
class DocumentScores:
    """The scores of one document."""

    document: str
    metrics: Mapping[str, Score]

    @property
    def conll(self) -> float | None:
        """The CoNLL score, if its metrics were computed."""
        return conll_average(self.metrics)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFigures:
    """The CoNLL scores of an answer to CRAC: the official one, and those without its faults."""

    zeros_from: str
    skeleton: str | None
    """The file that the answer was put into, if it is not the key."""
    official: float | None
    """None if an official tool stops."""
    recovered: float | None
    """What our own alignment recovers of the answer, by rules without faults."""
    without_shift: float | None
    """The same of the official import, with the empty nodes of the skeleton at their own places."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AcrossDocuments:
    """What else is known of scores in which entities have mentions in several documents."""

    links: Mapping[str, Score]
    """Links between mentions of one document, ``within``, and of different ones, ``across``."""
    singletons: Mapping[str, tuple[int, int]]
    """The singletons of key and response, and all their entities."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Scores(Tabular):
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

    FORMATS: ClassVar[FigureFormats] = {"recall": PERCENT, "precision": PERCENT, "f1": PERCENT}

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
        return STATISTICS[str(row["metric"])].unit.applied_to(Tabular._format(self, column, row))

    def _rows(self) -> list[Row]:
        """Return one row per metric, and one for the CoNLL score."""
        rows: list[Row] = [
            {
                "metric": id,
                "recall": known(score.recall),
                "precision": known(score.precision),
                "f1": score.f1,
            }
            for id, score in self.metrics.items()
        ]
        if self.conll is not None:
            rows.append({"metric": "conll", "recall": None, "precision": None, "f1": self.conll})
        return rows

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
        if metric not in METRICS or metric not in self.counts:
            raise AttributeError(
                f"the scores have no {metric!r}; they have conll and {', '.join(self.counts)}, "
                "each metric with recall, precision and f1"
            )
        return self._score(metric)


@dataclass(frozen=True, slots=True, eq=False)
class System:
    """A system and its output, the response."""

    name: str
    path: str
    """The path of the response, as shown in results."""
    corpus: Corpus | None
    """The response; None if only its scores are known."""
    _: KW_ONLY
    scores: Scores | None = None
    """Scores that were computed earlier, instead of a response."""

    @property
    def response(self) -> Corpus:
        """The response; raises InvalidInput if only its scores are known."""
        if self.corpus is None:
            raise only_scores(self.name, self.path)
        return self.corpus


def only_scores(system: str, path: str) -> InvalidInput:
    """Return the error that scores were given but the response itself is needed."""
    return InvalidInput.of(
        Code.BAD_RESULT,
        f"only the scores of {system!r} were given",
        expected="the response itself",
        file=path,
    )


def as_corpus(
    annotation: Annotation,
    what: str,
    role: Role | None = None,
    *,
    join_names: bool = False,
    by_document: bool = False,
) -> Corpus:
    """Return an annotation as a corpus; raise an error if it is not an annotation.

    ``what`` is the name of the annotation in findings if it has no path, such as "the key". The
    other arguments are those of :func:`corefscope.read`.
    """
    match annotation:
        case Corpus():
            return annotation
        case str() | PathLike():
            return read(annotation, join_names=join_names, by_document=by_document, role=role)
    if isinstance(annotation, Iterator):
        annotation = list(annotation)  # It is read twice.
    # Most annotations are files: what other libraries have in memory is imported when needed.
    from corefscope.formats.objects import corpus_of

    live = corpus_of(annotation, what, role)
    if live is not None:
        return live
    from corefscope.answers.records import are_answers, corpus_of_answers

    if are_answers(annotation):
        if role == "key":
            raise WrongArgument("the key has texts for clusters; expected the gold annotation")
        return corpus_of_answers(cast(Mapping[str, str | None], annotation), what)
    labels = None
    match annotation:
        case Mapping():
            unnamed, labels = without_names(cast(Mapping[str, Clusters], annotation))
            given = checked_documents(unnamed, Convention())
        case _:
            given = {"document": checked_document(_without_paths(cast(Clusters, annotation)))}
    rows = [document.rows for document in given.values()]
    corpus = Corpus.from_rows(tuple(given), rows, labels=labels)
    return replace(
        corpus,
        findings=(*overview(given.values()).findings(what), *corpus.across_documents()),
        is_unnamed=not isinstance(annotation, Mapping),
    )


def _without_paths(annotation: Clusters) -> Clusters:
    """Return entities as a list, because they are read twice; raise WrongArgument for paths."""
    if not isinstance(annotation, Iterable):
        return annotation
    entities = list(annotation)
    if any(isinstance(entity, PathLike) or is_path(entity) for entity in entities):
        raise WrongArgument(
            "found paths instead of clusters; expected one path, or the clusters of a document; "
            "a list of paths is possible only for several runs of a system"
        )
    return entities


def is_path(entity: object) -> bool:
    """Return whether this is a text with a known file extension, or a remote address."""
    if not isinstance(entity, str):
        return False
    return entity.removesuffix(".gz").endswith(endings()) or is_address(entity)


def answer_of(path: str, key: Corpus, options: Options, format: str | None = None) -> Corpus | None:
    """Return an answer of a language model that the profile puts into the file of the key.

    None if the profile does not, or if the file is none.
    """
    if not options.profile.takes_answers:
        return None
    from corefscope.shared_tasks.crac.route import format_of_answer, read_answer

    kind = format_of_answer(path, format)
    if kind is None:
        return None
    skeleton = None if options.skeleton is None else read(options.skeleton, join_names=True)
    return read_answer(path, kind, key, skeleton, options.zeros_from)


def score_corpora(key: Corpus, response: Corpus, options: Options) -> Scores:
    """Score a response against a key."""
    return score_matching(match_corpora(key, response, options.matching), options)


def _counts(
    metrics: Sequence[OverlapMetric], profile: Profile, table: Callable[[SingletonRule], Overlap]
) -> dict[str, Floats]:
    """Count metrics of tables of overlaps, several at the same time if that pays off.

    ``table`` returns the one under a rule for singletons.
    """
    rules = {metric.id: profile.singleton_rule(metric.id) for metric in metrics}
    tables = {rule: table(rule) for rule in dict.fromkeys(rules.values())}
    cells = max((len(each.n) for each in tables.values()), default=0)
    # A table is worth copying to processes of this machine, but not sending to others.
    is_here = isinstance(current(), Processes) and cells > GIANT
    engine = current() if is_here else ALONE
    # The last metrics take the longest, so these come first.
    tasks = [_MetricOfTable(metric, tables[rules[metric.id]]) for metric in reversed(metrics)]
    found = dict(zip(reversed(rules), engine.map(_counted, tasks), strict=True))
    return {id: found[id] for id in rules}


class _MetricOfTable(NamedTuple):
    """A metric that is counted: a task."""

    metric: OverlapMetric
    table: Overlap

    def __str__(self) -> str:
        return self.metric.name


def _counted(task: _MetricOfTable) -> Floats:
    """Count a metric of a table."""
    return task.metric.counts(task.table)


def score_matching(matching: Matching, options: Options) -> Scores:
    """Score a response that is matched with its key."""
    scores = _score_matching(matching, options)
    imported = matching.response.imported
    if imported is not None:
        return _with_answer(scores, matching, options, imported)
    return scores


def _with_answer(
    scores: Scores, matching: Matching, options: Options, imported: Imported
) -> Scores:
    """Return the scores of an answer with what else can be made of it.

    If an official tool stops, the scores are those of what is recovered of the answer.
    """
    from corefscope.shared_tasks.crac.route import perfect_answer

    clean, key = options.of_analyses, matching.key

    def conll(response: Corpus | None, rules: Options) -> float | None:
        bare = None if response is None else replace(response, imported=None)
        return None if bare is None else score_corpora(key, bare, rules).conll

    recovered = score_corpora(key, imported.recovered, clean)
    official = None if imported.stopped else scores.conll
    without_shift = conll(imported.without_shift, clean)
    findings = list(scores.findings)
    if imported.stopped:
        findings = [*matching.response.findings, *recovered.findings]
        scores = replace(recovered, profile=scores.profile, path=scores.path)
    if recovered.conll is not None:
        shown = PERCENT.shown(recovered.conll)
        findings = [
            each.followed_by(f"; the answer scores {shown} without this")
            if each.code is Code.CLEANED_AWAY
            else each
            for each in findings
        ]
    if without_shift is not None and without_shift != conll(matching.response, clean):
        perfect = conll(perfect_answer(key, options.zeros_from), options)
        if perfect is not None and perfect < 1:
            message = (
                "the text format moves empty nodes behind their parents; a perfect answer scores "
                f"{PERCENT.shown(perfect)}; this one, without that, {PERCENT.shown(without_shift)}"
            )
            findings.append(Finding(Code.MOVED_ZEROS, message, file=scores.path))
    figures = AnswerFigures(
        zeros_from=imported.zeros_from,
        skeleton=imported.skeleton,
        official=official,
        recovered=recovered.conll,
        without_shift=without_shift,
    )
    ledger = cast("CorpusLedger | None", imported.ledger)
    return replace(scores, ledger=ledger, crac=figures, findings=tuple(findings))


def _score_matching(matching: Matching, options: Options) -> Scores:
    options = options.as_read(matching)
    whole = _score_units(matching, options)
    if not options.windows:
        return whole
    cut = [
        _score_units(matching, replace(options, profile=replace(options.profile, window=window)))
        for window in options.windows
    ]
    findings = dict.fromkeys(finding for each in (whole, *cut) for finding in each.findings)
    return replace(whole, windows=(*cut, whole), findings=tuple(findings))


def _score_units(matching: Matching, options: Options) -> Scores:
    """Score documents, or other units, each as one."""
    profile = options.profile
    metrics = [profile.adapted(metric) for metric in options.metrics]
    scored, units = matching, None
    if options.has_units:
        scored, units = divided(matching, profile.level, profile.window, options.topics)
    own = partial(_own_counts, scored, profile)
    counts, official = profile.scorer.count(scored, profile.asked, metrics, own)
    found = dict.fromkeys(
        finding
        for metric in metrics
        for finding in metric.findings(scored, profile.singleton_rule(metric.id))
    )
    names = matching.key.document_names if units is None else tuple(units.names)
    # A scorer that leaves out missing documents reports them itself.
    paired = [
        finding
        for finding in matching.findings
        if finding.code is not Code.MISSING or not profile.scorer.leaves_out_missing
    ]
    if profile.limits:
        official = [
            *official,
            Finding(Code.NOT_EXACT, profile.limits, file=matching.response.path),
        ]
    scores = Scores(
        counts=counts,
        document_names=names,
        profile=profile,
        missing=matching.pairing.missing,
        extra=matching.pairing.extra,
        findings=(*paired, *found, *official, *doubts(matching.key.path, counts, options)),
        skipped=len(matching.response.skipped_files),
        path=matching.response.path,
        stages=matching.pairs_by_stage(profile.singletons if units is None else "keep"),
        ledger=matching.ledger,
        major=_major(scored, names, options),
    )
    return scores if units is None else _with_units(scores, matching, scored, options, units)


def _with_units(
    scores: Scores, matching: Matching, scored: Matching, options: Options, units: Division
) -> Scores:
    """Return the scores of units with what is to be said of these."""
    is_joined = options.profile.level in ABOVE_DOCUMENTS
    findings = [
        # Where documents are joined, links between them do count.
        *(f for f in scores.findings if not is_joined or f.code is not Code.ACROSS_DOCUMENTS),
        *units.findings,
    ]
    if options.profile.window is not None and options.profile.window.as_published:
        findings.append(_published(scores, matching, options, units))
    return replace(
        scores,
        findings=tuple(findings),
        units=units,
        document_count=len(matching.key),
        across=_across(matching, scored) if is_joined else None,
    )


def _published(scores: Scores, matching: Matching, options: Options, units: Division) -> Finding:
    """Say what the windows of BookCoref lose and double, and what the score is without that."""
    assert options.profile.window is not None
    own = replace(options.profile, window=replace(options.profile.window, as_published=False))
    corrected = _score_units(matching, replace(options, profile=own)).conll
    (key_lost, lost), (key_twice, twice) = units.lost, units.doubled
    end = "" if corrected is None else f"; correct windows give CoNLL {PERCENT.shown(corrected)}"
    message = (
        f"the published windows lose {key_lost:,} mentions of the key and {lost:,} of the "
        f"response, and count {key_twice:,} and {twice:,} twice{end}"
    )
    return Finding(Code.OFFICIAL_FAULT, message, file=scores.path)


def _across(matching: Matching, joined: Matching) -> AcrossDocuments:
    """Return the links within and across documents, and the numbers of singletons."""
    within, every = (PAIRWISE.count(each, "keep").sum(axis=0) for each in (matching, joined))
    table = joined.overlap("keep")
    sizes = {"key": table.key_size, "response": table.response_size}
    return AcrossDocuments(
        links={"within": PAIRWISE.score(within), "across": PAIRWISE.score(every - within)},
        singletons={side: (int((size == 1).sum()), len(size)) for side, size in sizes.items()},
    )


def _major(scored: Matching, names: Sequence[str], options: Options) -> MajorScores | None:
    if options.major is None:
        return None
    from corefscope.metrics.major import score_major

    profile = options.profile
    unit = "window" if profile.window is not None else "document"
    unit = profile.level if profile.level in ABOVE_DOCUMENTS else unit
    return score_major(scored, names, options.major, profile.singletons, unit)


def _own_counts(
    matching: Matching, profile: Profile, metrics: Sequence[Metric]
) -> dict[str, Floats]:
    """Count metrics by the rules of a profile, but without the faults of an official scorer."""
    counts: dict[str, Floats] = {}
    if profile.duplicates == "reference":
        counts |= matching.once(_reference_counts, profile.singletons)
    others = [metric for metric in metrics if metric.id not in counts]
    of_table = [metric for metric in others if isinstance(metric, OverlapMetric)]
    counts |= _counts(of_table, profile, matching.overlap)
    for metric in others:
        if metric.id not in counts:
            counts[metric.id] = metric.count(matching, profile.singleton_rule(metric.id))
    return {metric.id: counts[metric.id] for metric in metrics}


def _reference_counts(matching: Matching, singletons: SingletonRule) -> Mapping[str, Floats]:
    """Return the counts of the metrics in which the reference scorer counts repeated mentions."""
    documents = list(reference_documents(matching, singletons))
    ids = documents[0].counts if documents else ()
    return {
        id: np.array([document.counts[id] for document in documents], dtype=np.float64)
        for id in ids
    }


def doubts(key: str | None, counts: Mapping[str, Floats], options: Options) -> Iterator[Finding]:
    """Report metrics with a known fault, and indices in documents without common mentions.

    ``key`` is the path of the key.
    """
    for metric in options.metrics:
        if metric.fault:
            message = f"{metric.name} ({metric.id}): {metric.fault}"
            yield Finding(Code.FAULTY_METRIC, message, file=key)
    covered = [metric for metric in options.metrics if "coverage" in metric.parts]
    if covered:
        common, in_key, _, in_response = counts[covered[0].id][:, -BLOCK:].T
        empty = int(((common == 0) & (in_key + in_response > 0)).sum())
        if empty:
            names = ", ".join(metric.name for metric in covered)
            message = (
                f"{names} measure only common mentions, and {documents_have(empty, len(common))} "
                "none: missing and spurious mentions cost nothing there"
            )
            yield Finding(Code.FAULTY_METRIC, message, file=key)


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


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One rule on the way from the default profile to another, and the resulting scores."""

    rule: str
    """The effect of the rule, in words."""
    scores: Scores


@dataclass(frozen=True, slots=True, eq=False)
class ProfileScores:
    """The scores under a profile, and the rules that lead to it one after the other."""

    profile: Profile
    steps: Sequence[Step]
    """The first is the default profile, the last is this one."""

    @property
    def scores(self) -> Scores:
        """The scores under this profile."""
        return self.steps[-1].scores


def under_all_profiles(
    matching: Matching, options: Options
) -> tuple[list[ProfileScores], Sequence[Finding]]:
    """Score a response under all profiles that apply, with the options' rule for repeated mentions.

    Profiles that match by head or partially apply only if both sides have heads.
    """
    known: dict[str, Scores] = {}
    duplicates = options.profile.duplicates
    matchings = {options.matching: matching}

    def scored(profile: Profile) -> Scores:
        # Several profiles share steps, so scores are cached by their rules.
        rules = replace(profile, name="", duplicates=duplicates).signature(0)
        if rules not in known:
            chosen = replace(options, profile=profile)
            if chosen.matching not in matchings:
                matchings[chosen.matching] = match_corpora(
                    matching.key, matching.given, chosen.matching, matching.texts
                )
            known[rules] = score_matching(matchings[chosen.matching], chosen)
        return replace(known[rules], profile=profile.as_read(matching))

    found = []
    for profile in PROFILES.values():
        if profile.match != DEFAULT.match and not _has_heads(matching):
            continue
        if profile.scorer.is_anaphora and not _has_markables(matching):
            continue
        if profile.window is not None and not _can_be_cut(matching, options):
            continue
        steps = [Step(rule, scored(each)) for rule, each in path_to(profile, duplicates)]
        named = replace(profile, duplicates=duplicates).as_read(matching)
        steps[-1] = replace(steps[-1], scores=replace(steps[-1].scores, profile=named))
        found.append(ProfileScores(profile, steps))
    return found, found[0].scores.findings


def _has_markables(matching: Matching) -> bool:
    """Return whether both sides are annotated as in Universal Anaphora."""
    return all(side.anaphora is not None for side in (matching.key, matching.response))


def _can_be_cut(matching: Matching, options: Options) -> bool:
    """Return whether windows can be scored: mentions have positions, and lengths are known."""
    has_positions = matching.key.has_spans and matching.response.has_spans
    has_lengths = bool((matching.key.document_tokens != UNKNOWN_LENGTH).all())
    need_no_text = all(isinstance(metric, OverlapMetric) for metric in options.metrics)
    is_plain = options.profile.duplicates != "reference"
    return has_positions and has_lengths and need_no_text and is_plain


def _has_heads(matching: Matching) -> bool:
    """Return whether the mentions of both sides have heads, or their words trees."""
    return all(has_heads(side) for side in (matching.key, matching.response))


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
        if self.options.profile.scorer.is_anaphora:
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
