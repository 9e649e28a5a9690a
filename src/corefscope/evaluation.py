"""Evaluate systems: read files once, match systems once, and compute results when needed.

Commands, reports and notebooks all use :class:`Evaluation`. The functions for a single result
(:func:`score`, :func:`analyze`, :func:`nec`, :func:`compare`, :func:`explain`) use it internally.
Analyses and statistics are imported only where they are used, so that scoring starts fast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property, partial
from os import PathLike
from typing import (
    TYPE_CHECKING,
    Generic,
    NamedTuple,
    TypeAlias,
    TypeVar,
    Unpack,
)

from msgspec import Struct, field
from msgspec.structs import replace

from corefscope.arguments import by_name, keywords, one_of, texts
from corefscope.choices import (
    AnalysisLevel,
    AnalysisOptions,
    ExplanationOptions,
    HeadsChoice,
    NecPreset,
    ScoringOptions,
    Singletons,
    Test,
    takes,
)
from corefscope.corpus import Corpus
from corefscope.corpus.foreign import has_documents
from corefscope.engines import Engine, working
from corefscope.exceptions import InvalidInput, UnknownName, WrongArgument, warn_of
from corefscope.findings import Code, Finding
from corefscope.formatting import Value, counted
from corefscope.inputs import Annotation, Files, Given, Inputs, Run, System, is_path, path_or_name
from corefscope.matching.division import topics_of
from corefscope.matching.documents import only_document, paired_documents
from corefscope.matching.matching import Matching, match_corpora
from corefscope.matching.shared_texts import Texts
from corefscope.metrics import column_format
from corefscope.options import Options, make_options
from corefscope.profiles import Profile
from corefscope.results.rows import FigureFormat, Row, Tabular
from corefscope.scoring.measure import ProfileScores, score_matching, under_all_profiles
from corefscope.scoring.scores import Scores

if TYPE_CHECKING:
    from corefscope.corpus.description import Description
    from corefscope.error_analysis import Analysis, ErrorOptions, Mode
    from corefscope.error_analysis.analysis import AnalysisPart, AnalysisWork
    from corefscope.error_analysis.impact import Impact
    from corefscope.error_analysis.phenomena import Candidates
    from corefscope.explanation import Explanation
    from corefscope.matching.pairs import NamesByDocument
    from corefscope.named_entities import Nec, NecSettings
    from corefscope.named_entities.measure import NecPart, NecWork
    from corefscope.named_entities.names_file import GivenNames, NamesOfFile
    from corefscope.report import Report
    from corefscope.statistics import Settings, SystemComparison, Units
else:
    # `help` evaluates the types of the fields, and these modules are slow to import.
    AnalysisPart = ErrorOptions = NamesOfFile = NecPart = NecSettings = object

T = TypeVar("T")
Show: TypeAlias = Callable[[range, "Sequence[AnalysisPart]"], T]
"""Makes something of some documents, of which the errors of each system are known."""
Advance: TypeAlias = Callable[[int], None]
"""Advances a progress bar by this number of steps."""
ProgressBar: TypeAlias = Callable[[str, int | None], AbstractContextManager[Advance]]
"""Makes a progress bar with a title and a total number of steps."""


def no_bar(what: str, total: int | None) -> AbstractContextManager[Advance]:
    """Make a progress bar that shows nothing."""
    return nullcontext(lambda step: None)


class EvaluatedSystem(Struct, frozen=True, eq=False, dict=True):
    """One response of an evaluation; every result is computed when it is first used."""

    system: System
    evaluation: Evaluation
    parts: list[tuple[AnalysisPart, NecPart | None]] = field(default_factory=list)
    """What :meth:`Evaluation.analyse_in_parts` found, in the order of the documents."""

    @property
    def name(self) -> str:
        """The name of the system."""
        return self.system.name

    @property
    def path(self) -> str:
        """The path of the response, as shown in results."""
        return self.system.path

    @property
    def corpus(self) -> Corpus:
        """The response; its mentions are on the tokens of the key."""
        return self.matching.response

    @cached_property
    def matching(self) -> Matching:
        """The response matched with the key: documents, mentions, and the table of overlaps."""
        evaluation = self.evaluation
        return match_corpora(
            evaluation.key, self.system.response, evaluation.options.matching, evaluation.texts
        )

    @cached_property
    def analysed(self) -> Matching:
        """The response matched with the key by our own rules, which all analyses use."""
        evaluation = self.evaluation
        profile = evaluation.options.profile
        if not profile.scorer:
            return self.matching
        found = match_corpora(
            evaluation.key, self.corpus, evaluation.options.of_analyses.matching, evaluation.texts
        )
        return replace(found, findings=(*found.findings, _not_official(profile, self.path)))

    @cached_property
    def scores(self) -> Scores:
        """Recall, precision and F1 of every metric."""
        if self.system.scores is not None:
            return self.system.scores
        scores = score_matching(self.matching, self.evaluation.options)
        if self.evaluation.warns:
            # The property is computed by a function of the standard library, which users call.
            warn_of(scores.findings, stacklevel=4)
        return scores

    @cached_property
    def errors(self) -> Analysis:
        """The errors of the response; without singletons, unless the error options keep them."""
        from corefscope.error_analysis import analyze_matching

        evaluation = self.evaluation
        title = f"analysing {self.name}"
        with evaluation.working, evaluation.bar(title, len(evaluation.key)) as advance:
            return analyze_matching(
                self.analysed_for_errors,
                self.error_options,
                names=evaluation.given_tags,
                parts=[errors for errors, _ in self.parts] or None,
                progress=advance,
            )

    @property
    def error_options(self) -> ErrorOptions:
        """The options of the error analysis."""
        from corefscope.error_analysis import ErrorOptions

        return self.evaluation.error_options or ErrorOptions()

    @cached_property
    def analysed_for_errors(self) -> Matching:
        """The response matched with the key as the error analysis does it."""
        from corefscope.error_analysis.published import published_matching

        if self.error_options.mode != "berkeley":
            return self.analysed
        rules = self.evaluation.options.of_analyses.matching
        return published_matching(self.evaluation.key, self.system.response, rules)

    @cached_property
    def impact(self) -> Impact:
        """What correcting each type of error would gain in every metric."""
        from corefscope.error_analysis.analysis import impact_metrics
        from corefscope.error_analysis.impact import impact_of

        metrics = self.evaluation.impact_metrics
        if not self.parts:
            return self.errors.impact(metrics)
        return impact_of([errors.impact for errors, _ in self.parts], impact_metrics(metrics))

    @cached_property
    def named_entities(self) -> Nec:
        """Named entity coreference by entity type."""
        from corefscope.named_entities import NecSettings, measure_names

        evaluation = self.evaluation
        settings = evaluation.nec_settings or NecSettings()
        title = f"measuring names of {self.name}"
        with evaluation.working, evaluation.bar(title, len(evaluation.key)) as advance:
            return measure_names(
                self.analysed,
                settings,
                names=evaluation.names,
                parts=self._name_parts,
                progress=advance,
            )

    @property
    def _name_parts(self) -> list[NecPart] | None:
        """The named entities of all documents, if they were measured in parts."""
        measured = [names for _, names in self.parts if names is not None]
        return measured if measured and len(measured) == len(self.parts) else None

    @cached_property
    def under_all_profiles(self) -> tuple[Sequence[ProfileScores], Sequence[Finding]]:
        """The scores under every known profile, and the findings."""
        return under_all_profiles(self.matching, self.evaluation.options)

    def explain(self, metric: str) -> Explanation:
        """Explain a metric term by term; the key must have exactly one document."""
        from corefscope.explanation import explain_document

        options = self.evaluation.options
        return explain_document(metric, self.matching, options.profile, options.topics)

    def __repr__(self) -> str:
        return f"<EvaluatedSystem {self.name}: {self.scores!r}>"


class Evaluation(Tabular, Struct, frozen=True, eq=False, kw_only=True, dict=True):
    """An evaluation of systems: ``evaluation["ours"].scores``, ``evaluation.comparison``.

    Use :func:`evaluate` to make one.
    """

    key: Corpus
    key_path: str
    """The path of the key, as shown in results."""
    systems: Sequence[System]
    """All runs of all systems; runs of one system have the same name."""
    options: Options
    error_options: ErrorOptions | None = None
    """Options of the error analysis, if they are not the default."""
    impact_metrics: str | None = None
    """The metrics that gains are measured in; the standard metrics by default."""
    nec_settings: NecSettings | None = None
    """Settings of named entity coreference, if they are not the default."""
    names: NamesOfFile | None = None
    """Named entities that replace those of the files."""
    baseline: str | None = None
    """The system that the others are compared with; the first by default."""
    bar: ProgressBar = no_bar
    warns: bool = False
    """Whether findings about scores are also Python warnings, when they are computed."""

    def _format(self, column: str, row: Row) -> FigureFormat:
        """Return the format of a cell: most columns are metrics."""
        return column_format(column)

    def _rows(self) -> list[Row]:
        """Return one row per run: the F1 of every metric, and the CoNLL score."""
        return [
            {
                "system": run.name,
                **{str(row["metric"]): row["f1"] for row in run.scores._rows()},
            }
            for runs in self.runs.values()
            for run in runs
        ]

    def to_dict(self) -> dict[str, Value]:
        """Return the scores of all systems by name, such as ``ours/muc/f1``.

        Returns
        -------
        dict
            Figures by name.
        """
        return {
            f"{system.name}/{name}": figure
            for system in self
            for name, figure in system.scores.to_dict().items()
        }

    @cached_property
    def given_tags(self) -> NamesByDocument | None:
        """The spans and tags of named entities that replace those of the files."""
        return None if self.names is None else self.names.tags()

    @property
    def working(self) -> AbstractContextManager[Engine]:
        """Puts as many processes in force as the options say."""
        return working(self.options.jobs)

    def analyse_in_parts(self, show: Show[T]) -> list[T]:
        """Compute errors and named entities of all systems, some documents at a time.

        Each text is read once, in one of several processes if that pays off.

        Parameters
        ----------
        show
            Called with the numbers of some documents and the errors of each system in them, while
            their texts are in memory.

        Returns
        -------
        list
            What ``show`` returned, in the order of the documents.
        """
        from corefscope.corpus.tasks import in_parts
        from corefscope.error_analysis.analysis import AnalysisWork
        from corefscope.named_entities import NecSettings
        from corefscope.named_entities.measure import NecWork

        systems = list(self)
        settings = self.nec_settings or NecSettings()
        work: list[tuple[AnalysisWork, NecWork | None]] = []
        for system in systems:
            matching, options = system.analysed_for_errors, system.error_options
            errors, names = AnalysisWork.of(matching, options, self.given_tags), None
            # Names that were given are compared with all texts at once.
            if self.names is None:
                names = NecWork(matching=system.analysed, settings=settings, names=None)
                _ = names.pairs  # Computed here, so that all processes have it.
            work.append((errors, names))
        analyse = partial(_analysed_part, self.texts, work, self.impact_metrics, show)
        with self.bar("analysing", len(self.key)) as advance:
            parts = list(in_parts(analyse, self.key, advance))
        # Only now: an analysis that was interrupted leaves nothing.
        for number, system in enumerate(systems):
            system.parts[:] = [(part.errors[number], part.names[number]) for part in parts]
        return [part.shown for part in parts]

    @cached_property
    def texts(self) -> Texts:
        """The texts of the key, which all systems share."""
        return Texts(self.key, self.options.language)

    @cached_property
    def runs(self) -> Mapping[str, Sequence[EvaluatedSystem]]:
        """The runs of each system; several if it was trained with several seeds."""
        runs: dict[str, list[EvaluatedSystem]] = {}
        for system in self.systems:
            runs.setdefault(system.name, []).append(EvaluatedSystem(system, self))
        return runs

    @property
    def files(self) -> Mapping[str, Sequence[str]]:
        """The paths of the runs of each system."""
        return {name: [run.path for run in runs] for name, runs in self.runs.items()}

    def __getitem__(self, name: str) -> EvaluatedSystem:
        if name not in self.runs:
            raise UnknownName("system", name, self.runs)
        only, *others = self.runs[name]
        if others:
            count = len(others) + 1
            raise WrongArgument(f"{name} has {count} runs; use evaluation.runs[{name!r}]")
        return only

    def __iter__(self) -> Iterator[EvaluatedSystem]:
        return (self[name] for name in self.runs)

    def __len__(self) -> int:
        return len(self.runs)

    @cached_property
    def comparison(self) -> SystemComparison:
        """Scores with intervals, and the differences between all pairs of systems.

        The comparison of each system with the baseline is planned and has a verdict.
        """
        from corefscope.statistics import Settings

        baseline = self.baseline or next(iter(self.runs))
        return self.compare(Settings(all_pairs=True, baseline=baseline))

    def compare(self, settings: Settings, unit: str = "documents") -> SystemComparison:
        """Compare the systems with chosen settings.

        Parameters
        ----------
        settings
            The test, the number of resamples, the baseline, and so on.
        unit
            The unit of resampling; see :func:`corefscope.statistics.units.make_units`.

        Returns
        -------
        SystemComparison
            Estimates, and the requested differences.
        """
        from corefscope.statistics import compare_runs

        scores = {name: [run.scores for run in runs] for name, runs in self.runs.items()}
        units = self.resampled(unit)
        with self.bar("resampling", 2 * settings.samples) as advance:
            return compare_runs(scores, units, settings, self.options.primary, advance)

    def resampled(self, unit: str) -> Units:
        """Return the units of resampling.

        Parameters
        ----------
        unit
            What they are; see :func:`corefscope.statistics.units.make_units`.

        Returns
        -------
        Units
            The unit of each document, window or topic.
        """
        from corefscope.statistics.units import units_of

        if self.options.windows:
            raise WrongArgument("found several sizes of windows; expected one to compare systems")
        (first, *_), *_ = self.runs.values()
        return units_of(self.key, first.scores, unit, self.options.topics)

    @cached_property
    def candidates(self) -> Candidates:
        """Phrases of the key that could be mentions, by type."""
        from corefscope.error_analysis import ErrorOptions
        from corefscope.error_analysis.phenomena import count_candidates

        options = self.error_options or ErrorOptions()
        return count_candidates(self.key, options.singleton_rule)

    def report(
        self, path: str | PathLike[str] | None = None, *, title: str = "", redact: bool = False
    ) -> Report:
        """Make an interactive HTML report, and write it if a path is given.

        Parameters
        ----------
        path
            The file to write, if any.
        title
            The title of the report; by default, the names of the systems and of the key.
        redact
            Whether to mask the words of the texts.

        Returns
        -------
        Report
            The report; a notebook displays it.
        """
        from corefscope.report import report_of

        with self.working:
            return report_of(self, path, title=title, redact=redact)

    def __repr__(self) -> str:
        names = ", ".join(self.runs)
        documents = counted(len(self.key), "document")
        return f"<Evaluation of {names} on {documents} of {self.key_path}>"


class _AnalysedPart(NamedTuple, Generic[T]):
    """What was found in some documents."""

    errors: list[AnalysisPart]
    """The errors of each system."""
    names: list[NecPart | None]
    """The named entities of each system; None if they cannot be measured in parts."""
    shown: T


def _analysed_part(
    texts: Texts,
    work: Sequence[tuple[AnalysisWork, NecWork | None]],
    metrics: str | None,
    show: Show[T],
    some: range,
) -> _AnalysedPart[T]:
    """Analyse some documents of all systems, whose texts are kept in memory."""
    texts.forget()
    errors = [each.described(some, metrics) for each, _ in work]
    names = [_names_of(each, some) for _, each in work]
    return _AnalysedPart(errors, names, show(some, errors))


def _names_of(work: NecWork | None, some: range) -> NecPart | None:
    if work is None:
        return None
    try:
        return work.some(some)
    except InvalidInput:
        # Whether names can be measured, and what is wrong if not, is a matter of all documents.
        return None


def _not_official(profile: Profile, path: str) -> Finding:
    """Report that an analysis does not follow an official scorer in everything."""
    message = (
        f"the profile {profile.name} gives the figures of an official scorer, faults included; "
        "analyses have its rules for matching, zeros and singletons only, without faults and split "
        "antecedents"
    )
    return Finding(Code.NOT_EXACT, message, file=path)


@takes(ScoringOptions)
def evaluate(
    key: Annotation,
    responses: Mapping[str, Run | Sequence[Run]],
    *,
    names: GivenNames | None = None,
    **options: Unpack[ScoringOptions],
) -> Evaluation:
    """Evaluate systems against a key; each result is computed when it is first used.

    Parameters
    ----------
    key
        A path, a corpus, ``{document: clusters}``, or the clusters of one document.
    responses
        The responses by system name. Each can be anything that the key can be, scores, the path of
        a file of results, or a list of these for several runs (seeds) of one system.
    names
        Named entities that replace those of the files: the path of a file, or
        ``{document: [(first, last, type), …]}``.
    **options
        How to score. The error analysis drops singletons in any case, as in its paper.

        OPTIONS

    Returns
    -------
    Evaluation
        ``evaluation["ours"]`` has ``scores``, ``errors``, ``impact`` and ``named_entities``.
        Doubtful input is reported as a warning when scores are computed.

    Examples
    --------
    >>> from corefscope.demo import KEY, RESPONSES
    >>> evaluation = evaluate(KEY, RESPONSES)
    >>> round(100 * evaluation["sieve"].scores.conll, 2)
    73.48
    >>> evaluation["sieve"].errors.errors["divided_entity"]
    48
    """
    chosen = make_options(**keywords(options, ScoringOptions, evaluate))
    by_name("responses", responses, "{'ours': 'ours.conll', 'base': 'base.conll'}")
    with working(chosen.jobs):
        return replace(_evaluation(key, responses, chosen, names), warns=True)


def _evaluation(
    key: Annotation,
    responses: Mapping[str, Run | Sequence[Run]],
    chosen: Options,
    names: GivenNames | None = None,
) -> Evaluation:
    """Return the evaluation of systems, without Python warnings."""
    from corefscope.named_entities.names_file import as_names

    runs = [
        Given(name, run, f"the response {name!r}")
        for name, given in responses.items()
        for run in _runs(given)
    ]
    inputs = Inputs(Files(**chosen.reading))
    gold = inputs.key(key, runs)
    for each in runs:
        _refuse_empty(key, each.run)
    return Evaluation(
        key=gold,
        key_path=path_or_name(key, "key"),
        systems=inputs.systems(gold, runs, chosen),
        options=chosen,
        names=as_names(names, gold.document_names, chosen.pair_by),
    )


def _runs(given: Run | Sequence[Run]) -> list[Run]:
    """Return the runs of a system: a list of paths, corpora or scores has several runs.

    So has a list of lists of documents, but a list of documents is one run.
    """
    if isinstance(given, (list, tuple)) and given and not has_documents(given):
        runs = [_listed(run) for run in given]
        return runs if all(map(_is_run, runs)) else [runs]
    return [given]


def _listed(run: Run) -> Run:
    """Return an iterator over documents as a list, and any other iterator as one."""
    if not isinstance(run, Iterator):
        return run
    items = list(run)
    return items if has_documents(items) else iter(items)


def _refuse_empty(key: object, response: object) -> None:
    """Raise TypeError for an empty list beside documents: it would be a document without entities.

    An empty list is more likely to come from something that failed.
    """
    for side, given, other in (("key", key, response), ("response", response, key)):
        if isinstance(given, list | tuple) and not given and has_documents(other):
            raise WrongArgument(
                f"the {side} is an empty list; expected documents, as on the other side"
            )


def _is_run(item: object) -> bool:
    is_one = isinstance(item, (PathLike, Corpus, Mapping, Scores)) or is_path(item)
    return is_one or has_documents(item)


@takes(ScoringOptions)
def score(key: Annotation, response: Annotation, **options: Unpack[ScoringOptions]) -> Scores:
    """Score a response against a key.

    Parameters
    ----------
    key, response
        Paths, corpora, ``{document: clusters}``, or the clusters of one document: an iterable of
        entities, each an iterable of hashable mentions.
    **options
        How to score.

        OPTIONS

    Returns
    -------
    Scores
        The scores; doubtful input is reported as a warning and in ``findings``.

    Examples
    --------
    The example of Pradhan et al. (2014), section 4:

    >>> key = [{"a", "b", "c"}, {"d", "e", "f", "g"}]
    >>> scores = score(key, [{"a", "b"}, {"c", "d"}, {"f", "g", "h", "i"}])
    >>> scores.muc.recall, round(scores.b3.precision, 2), round(scores.ceafe.f1, 2)
    (0.4, 0.5, 0.52)
    """
    chosen = make_options(**keywords(options, ScoringOptions, score))
    with working(chosen.jobs):
        scores = _only_system(key, response, chosen).scores
    warn_of(scores.findings)
    return scores


@takes(AnalysisOptions)
def analyze(
    key: Annotation,
    response: Annotation,
    *,
    mode: Mode = "standard",
    singletons: Singletons = "drop",
    **options: Unpack[AnalysisOptions],
) -> Analysis:
    """Find the errors of a response by transforming it into the key.

    Parameters
    ----------
    key, response
        As for :func:`corefscope.score`. Heads and mention types come from the key's parse trees,
        dependencies, tags or words; ``analysis.sources`` says which.
    mode
        ``"berkeley"`` gives the counts that the published tool of Kummerfeld & Klein prints.
    singletons
        Whether to ``"drop"`` singletons from both sides first, as in the paper, or to ``"keep"``
        them.
    **options
        How documents and mentions are paired.

        OPTIONS

    Returns
    -------
    Analysis
        ``errors`` and ``operations`` have counts, ``records`` lists every error.

    Examples
    --------
    >>> from corefscope.demo import KEY, RESPONSES
    >>> analysis = analyze(KEY, RESPONSES["sieve"])
    >>> analysis.errors["divided_entity"], analysis.errors["missing_mention"]
    (48, 33)
    """
    from corefscope.error_analysis import ErrorOptions

    error_options = ErrorOptions(mode, singletons)
    one_of("level", options.get("level", "file"), AnalysisLevel)
    chosen = make_options(**keywords(options, AnalysisOptions, analyze))
    with working(chosen.jobs):
        analysis = _only_system(key, response, chosen, error_options=error_options).errors
    warn_of(analysis.findings)
    return analysis


@takes(AnalysisOptions)
def nec(  # noqa: PLR0913 - what is measured, and how
    key: Annotation,
    response: Annotation,
    *,
    preset: NecPreset = "default",
    heads: HeadsChoice = "auto",
    types: Mapping[str, str] | None = None,
    type_map: Mapping[str, str] | None = None,
    names: GivenNames | None = None,
    genres: Sequence[str] = (),
    singletons: Singletons = "keep",
    **options: Unpack[AnalysisOptions],
) -> Nec:
    """Measure how well named entities are resolved (Agarwal et al. 2019).

    Parameters
    ----------
    key, response
        As for :func:`corefscope.score`; words and named entities are required.
    preset
        ``"paper"`` follows the wording of the paper where our defaults differ.
    heads
        Which annotation determines the head of a mention; by default the best one.
    types
        The type of each tag that counts; by default PERSON and PER, ORG, and GPE.
    type_map
        Tags to count in addition, such as ``{"LOC": "GPE"}``.
    names
        Named entities that replace those of the files: the path of a file, or
        ``{document: [(first, last, type), …]}``.
    genres
        Measure only documents whose names start with one of these; the paper uses ``nw``, ``bn``
        and ``mz``.
    singletons
        Whether singletons count: ``"keep"`` or ``"drop"``.
    **options
        How documents and mentions are paired.

        OPTIONS

    Returns
    -------
    Nec
        ``found["PER"]`` has the figures of one type, ``found["ALL"]`` those of all types.

    Examples
    --------
    >>> from corefscope.demo import KEY, RESPONSES
    >>> found = nec(KEY, RESPONSES["sieve"])
    >>> found["PER"].chains
    23
    """
    from corefscope.named_entities import NecSettings, make_nec_options
    from corefscope.named_entities.measure import only_genres
    from corefscope.named_entities.names_file import as_names
    from corefscope.named_entities.options import TYPES

    if types is not None:
        types = by_name("types", types, "{'PERSON': 'PER'}")
    if type_map is not None:
        more = by_name("type_map", type_map, "{'LOC': 'GPE'}")
        types = {**(TYPES if types is None else types), **more}
    one_of("level", options.get("level", "file"), AnalysisLevel)
    matching = make_options(**options)
    settings = NecSettings(
        options=make_nec_options(preset, types, heads),
        singletons=singletons,
        genres=texts("genres", genres),
    )
    with working(matching.jobs):
        whole = Files(**matching.reading).corpus(key, "the key", "key")
        given_response = Files(**matching.reading).corpus(response, "the response", "response")
    chosen, theirs = only_genres(whole, given_response, settings.genres, matching.pair_by)
    read_names = as_names(names, whole.document_names, matching.pair_by)
    if read_names is not None:
        others = (name for name in whole.document_names if name not in chosen)
        read_names = read_names.without(others)
    found = _only_system(chosen, theirs, matching, nec_settings=settings, names=read_names)
    warn_of(found.named_entities.findings)
    return found.named_entities


@takes(ScoringOptions)
def compare(  # noqa: PLR0913 - the options of a test
    key: Annotation,
    responses: Mapping[str, Run | Sequence[Run]],
    *,
    baseline: str | None = None,
    all_pairs: bool = False,
    test: Test | None = None,
    samples: int = 10_000,
    seed: int = 12345,
    unit: str = "documents",
    confidence: float = 0.95,
    **options: Unpack[ScoringOptions],
) -> SystemComparison:
    """Compare systems: scores with intervals, differences with p-values.

    One comparison is planned: the CoNLL score of each system against the baseline (or the first
    metric named, if CoNLL is not computed). Only its differences have verdicts; their p-values are
    corrected for the number of systems. All others are exploratory.

    Parameters
    ----------
    key, responses
        As for :func:`corefscope.evaluate`, with two or more systems.
    baseline, all_pairs
        The system that the others are compared with, by default the first; or compare all pairs,
        which gives no verdicts.
    test
        For one run per system: paired approximate ``"randomization"`` (the default), or the paired
        ``"bootstrap"``. With several runs of a system no test can be chosen, because the variance
        over documents and runs is used.
    samples, seed
        The number of resamples, and the seed of the random numbers.
    unit
        The unit of resampling; see :func:`corefscope.statistics.units.make_units`.
    confidence
        The confidence level of intervals; verdicts are at the level 1 − ``confidence``.
    **options
        How to score.

        OPTIONS

    Returns
    -------
    SystemComparison
        ``estimates`` by system, and ``difference(system, other)``.

    Examples
    --------
    >>> from corefscope.demo import KEY, RESPONSES
    >>> import warnings
    >>> warnings.simplefilter("ignore")  # Ten documents are few, as a warning says.
    >>> found = compare(KEY, {name: RESPONSES[name] for name in ("recency", "sieve")})
    >>> difference = found.difference("sieve", "recency")
    >>> round(100 * difference.difference, 2), difference.is_significant
    (28.41, True)
    """
    from corefscope.statistics import Settings

    settings = Settings(
        test=test,
        samples=samples,
        seed=seed,
        confidence=confidence,
        baseline=baseline,
        all_pairs=all_pairs,
    )
    scoring = keywords(options, ScoringOptions, compare)
    by_name("responses", responses, "{'ours': 'ours.conll', 'base': 'base.conll'}")
    if len(responses) < 2:
        found = counted(len(responses), "system")
        raise WrongArgument(f"found {found} to compare; expected two or more")
    chosen = make_options(**scoring)
    with working(chosen.jobs):
        evaluation = _evaluation(key, responses, chosen)
    result = evaluation.compare(settings, unit)
    warn_of(result.findings)
    return result


@takes(ExplanationOptions)
def explain(
    metric: str,
    key: Annotation,
    response: Annotation,
    *,
    document: str | None = None,
    **options: Unpack[ExplanationOptions],
) -> Explanation:
    """Explain one metric on one document, term by term.

    Parameters
    ----------
    metric
        The id of the metric, such as ``"ceafe"``.
    key, response
        As for :func:`corefscope.score`.
    document
        The name of the document, or a part of it that no other name has; not needed if the key has
        only one. At the level of topics, the name of the topic.
    **options
        How to score.

        OPTIONS

    Returns
    -------
    Explanation
        Use ``print`` to read it.

    Examples
    --------
    >>> explanation = explain("muc", [{"a", "b", "c"}], [{"a", "b"}])
    >>> explanation.score.recall
    0.5
    """
    chosen = make_options(**keywords(options, ExplanationOptions, explain))
    gold = Files(**chosen.reading).corpus(key, "the key", "key")
    theirs = Files(**chosen.reading).corpus(response, "the response", "response")
    if document is not None:
        gold, theirs = only_unit(gold, theirs, document, chosen)
    explanation = _only_system(gold, theirs, chosen).explain(metric)
    warn_of(explanation.findings)
    return explanation


def only_unit(key: Corpus, response: Corpus, name: str, options: Options) -> tuple[Corpus, Corpus]:
    """Return the documents of one topic, or one document, of key and response.

    Parameters
    ----------
    key, response
        All documents.
    name
        The name of the topic if documents are joined to topics, otherwise of the document.
    options
        The level, topics, and how documents are paired.

    Returns
    -------
    tuple of Corpus
        Key and response with these documents alone.
    """
    if options.profile.level != "topic":
        return only_document(key, response, name, options.pair_by)
    topics = topics_of(key, options.topics)
    if name not in topics:
        raise UnknownName("topic", name, dict.fromkeys(filter(None, topics)))
    pairs = zip(key.document_names, topics, strict=True)
    chosen = key.restricted([document for document, topic in pairs if topic == name])
    paired = paired_documents(chosen, response, options.pair_by).all
    return chosen, response.restricted([response.document_names[number] for number in paired])


def describe(corpus: Annotation) -> Description:
    """Count what is in a corpus: documents, tokens, mentions, entities, singletons, distances.

    Parameters
    ----------
    corpus
        As the key of :func:`corefscope.score`.

    Returns
    -------
    Description
        The figures; those that the format does not provide are None.

    Examples
    --------
    >>> describe([{"a", "b", "c"}, {"d"}]).singletons
    1
    """
    from corefscope.corpus.description import describe as describe_corpus

    return describe_corpus(Files().corpus(corpus, "the corpus"))


def _only_system(
    key: Annotation,
    response: Annotation,
    options: Options,
    *,
    error_options: ErrorOptions | None = None,
    nec_settings: NecSettings | None = None,
    names: NamesOfFile | None = None,
) -> EvaluatedSystem:
    """Return the evaluation of one response."""
    _refuse_empty(key, response)
    inputs, given = Inputs(Files(**options.reading)), [Given("response", response)]
    ours = inputs.key(key, given)
    evaluation = Evaluation(
        key=ours,
        key_path=path_or_name(key, "key"),
        systems=inputs.systems(ours, given, options, with_scores=False),
        options=options,
        error_options=error_options,
        nec_settings=nec_settings,
        names=names,
    )
    return evaluation["response"]
