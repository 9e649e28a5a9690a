"""The analysis of a response: its errors, their properties, their costs, and corrections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import chain

from msgspec import Struct, field
from msgspec.structs import replace

from corefscope.arguments import one_of
from corefscope.choices import Singletons
from corefscope.corpus import Corpus
from corefscope.corpus.mentions import MentionId, Rows
from corefscope.corpus.tasks import document_tasks
from corefscope.engines import Documents, current
from corefscope.error_analysis.correction import Corrections
from corefscope.error_analysis.cost import EntityCost, cost_metric, costliest
from corefscope.error_analysis.impact import Impact, ImpactCounts, impact_counts, measure
from corefscope.error_analysis.kinds import ErrorType, Mode, Operation
from corefscope.error_analysis.phenomena import Cataphora, Disagreement, cataphora
from corefscope.error_analysis.properties import ShownDocument, describe
from corefscope.error_analysis.records import ErrorRecord, error_row, shown_properties
from corefscope.error_analysis.sources import Sources
from corefscope.error_analysis.transformation import Transformation, transform
from corefscope.exceptions import UnknownName
from corefscope.findings import Code, Finding
from corefscope.formatting import Value, counted
from corefscope.language import Text
from corefscope.matching.matching import Matching, SingletonRule
from corefscope.matching.overlap import Overlap
from corefscope.matching.pairs import (
    DocumentPair,
    NamesByDocument,
    NumberedEntity,
    document_pairs,
    paired_entities,
    read_text,
)
from corefscope.metrics import OverlapMetric, choose, metric_names, without_text
from corefscope.options import make_options
from corefscope.profiles import Profile, named
from corefscope.results.rows import Row, Tabular

NOTHING_CORRECTED = "none"


class DocumentAnalysis(Struct, frozen=True, eq=False, kw_only=True, dict=True):
    """The errors of one document; they are described when someone asks for them."""

    name: str
    number: int
    """Its position in the key."""
    pair: DocumentPair
    """The document as it was read, without its text."""
    transformation: Transformation
    """What turns the response into the key, without the text."""
    cataphora: Counter[Cataphora]
    read_text: Callable[[], Text | None] | None
    """Reads the text again: the texts of a corpus would fill the memory."""

    @cached_property
    def description(self) -> ShownDocument:
        """The records of its errors, and what readers are shown of its entities."""
        return self._described()

    @cached_property
    def entities(self) -> ShownDocument:
        """What readers are shown of its entities; its errors may be missing."""
        # Most errors are in other entities than those that are asked for.
        known: ShownDocument | None = self.__dict__.get("description")
        return known or self._described(with_errors=False)

    def with_text(self) -> DocumentPair:
        """Return the document as it was read, with its text."""
        return self.pair.with_text(None if self.read_text is None else self.read_text())

    def _described(self, *, with_errors: bool = True) -> ShownDocument:
        pair = self.with_text()
        pair_after = self.transformation.pair.with_text(pair.text)
        altered = replace(self.transformation, pair=pair_after)
        return describe(pair, altered, with_errors=with_errors)


class ErrorOptions(Struct, frozen=True):
    """Options of the error analysis."""

    mode: Mode = "standard"
    """``"berkeley"`` gives the counts that the published tool prints."""
    singletons: Singletons = "drop"
    """Whether singletons are kept or dropped."""

    def __post_init__(self) -> None:
        """Raise :class:`UnknownName` if a value does not exist."""
        one_of("mode", self.mode, Mode)
        one_of("singletons", self.singletons, Singletons)

    @property
    def singleton_rule(self) -> SingletonRule:
        """Whose singletons are dropped: the published tool keeps those of the key."""
        is_published = self.mode == "berkeley" and self.singletons == "drop"
        return "drop-response" if is_published else self.singletons

    @property
    def profile(self) -> Profile:
        """The scoring profile that treats singletons in the same way."""
        return replace(make_options().profile, singletons=self.singleton_rule)


class Analysis(Tabular, Struct, frozen=True, eq=False, kw_only=True, dict=True):
    """The errors of a response: counts, one record per error, and what each type costs."""

    options: ErrorOptions
    matching: Matching
    documents: Sequence[DocumentAnalysis]
    sources: Sources
    """The layers that heads, mention types and names come from."""
    findings: Sequence[Finding]

    @cached_property
    def operations(self) -> dict[str, int]:
        """The number of times each operation is needed to turn the response into the key."""
        total = Counter[Operation]()
        for document in self.documents:
            total.update(document.transformation.operations)
        return {operation.value: total[operation] for operation in Operation}

    @cached_property
    def errors(self) -> dict[str, int]:
        """The number of errors of each type."""
        total = Counter[ErrorType]()
        for document in self.documents:
            total.update(document.transformation.errors)
        return {type.value: total[type] for type in ErrorType}

    @cached_property
    def records(self) -> list[ErrorRecord]:
        """All errors with their properties, document by document."""
        self.describe()
        return [error for document in self.documents for error in document.description.errors]

    def describe(self) -> None:
        """Describe the errors of all documents, in several processes if that pays off."""
        names = [document.name for document in self.documents]
        tasks = document_tasks(self.matching.key, names)
        is_known = all("description" in vars(document) for document in self.documents)
        if len(tasks) > 1 and not is_known:
            found = current().map(partial(_described, self.documents), tasks)
            _give_descriptions(self.documents, list(chain(*found)))

    @cached_property
    def cataphora(self) -> Counter[Cataphora]:
        """Cataphoric pronouns, counted by how key and response treat them."""
        return sum((document.cataphora for document in self.documents), Counter[Cataphora]())

    @cached_property
    def disagreements(self) -> tuple[Disagreement, Disagreement]:
        """How many entities of key and response have mentions that disagree."""
        key, response = Disagreement(), Disagreement()
        for document in self.documents:
            pair = document.with_text()
            key.count(pair, pair.key)
            response.count(pair, pair.response)
        return key, response

    @property
    def overlap(self) -> Overlap:
        """The table of overlaps of the entities that were analysed."""
        return self.matching.overlap(self.options.singleton_rule)

    @property
    def signature(self) -> str:
        """One line that names all settings of the analysis."""
        skipped = len(self.matching.response.skipped_files)
        rules = self.matching.rules
        profile = replace(self.options.profile, match=rules.match, zeros=rules.zeros)
        signature = named(profile).as_read(self.matching).signature(len(self.documents), skipped)
        return f"{signature}|errors:{self.options.mode}|heads:{self.sources.signature}"

    def __repr__(self) -> str:
        counts = ", ".join(f"{type} {count}" for type, count in self.errors.items())
        return f"<Analysis of {counted(len(self.documents), 'document')}: {counts}>"

    def _rows(self) -> list[Row]:
        """Return one row per error; properties that its type does not have are None."""
        names = shown_properties(self.records)
        return [error_row(error, names) for error in self.records]

    def to_dict(self) -> dict[str, Value]:
        """Return the counts by name: ``errors/span_error``, …, ``operations/split``, ….

        Returns
        -------
        dict
            Counts by name.
        """
        return {
            **{f"errors/{name}": count for name, count in self.errors.items()},
            **{f"operations/{name}": count for name, count in self.operations.items()},
        }

    def impact(self, metrics: str | Iterable[str] | None = None) -> Impact:
        """Measure what correcting each type of error would gain in every metric.

        Parameters
        ----------
        metrics
            Ids such as ``["muc", "b3"]``; the standard metrics by default. Metrics that need the
            words of a text are not supported.

        Returns
        -------
        Impact
            Scores before and after, and what each type gains.
        """
        return measure(self._corrections(), impact_metrics(metrics))

    def corrected(self, type: str = NOTHING_CORRECTED, *, cumulative: bool = False) -> Corpus:
        """Return the response with the errors of a type corrected, on the text of the key.

        ``"none"`` gives the response as it was analysed.
        ``corrected("missing_entity", cumulative=True)`` is the key.

        Parameters
        ----------
        type
            An error type, such as ``"missing_mention"``, or ``"none"``.
        cumulative
            Whether to correct all types before this one as well.

        Returns
        -------
        Corpus
            The corrected response, with the documents that were analysed.
        """
        if type == NOTHING_CORRECTED:
            return self._corpus(lambda document: document.before().entities())
        if type not in list(ErrorType):
            raise UnknownName("error type", type, list(ErrorType))
        kind = ErrorType(type)
        if not cumulative:
            return self._corpus(lambda document: document.alone(kind).entities())
        return self._corpus(lambda document: document.up_to(kind).entities())

    def key(self) -> Corpus:
        """Return the key as it was analysed: without singletons, unless they were kept.

        Returns
        -------
        Corpus
            The key, with the documents that were analysed.
        """
        return self._corpus(lambda document: document.pair.key)

    def costliest_entities(self, metric: str = "conll", most: int | None = 10) -> list[EntityCost]:
        """Return the entities that cost most, the costliest first.

        The shares of all key entities add up to the recall that the metric loses, and those of all
        response entities add up to the precision that it loses. For ``"conll"`` these are means
        over its three metrics.

        Parameters
        ----------
        metric
            The id of a metric, or ``"conll"``.
        most
            The maximum number of entities; None for all entities that cost anything.

        Returns
        -------
        list of EntityCost
            Entities of key and response.
        """
        return costliest(self.documents, self.overlap, cost_metric(metric), most)

    def _corrections(self) -> list[Corrections]:
        return [
            Corrections(document.transformation, self.options.mode) for document in self.documents
        ]

    def _corpus(self, entities: Callable[[Corrections], list[NumberedEntity]]) -> Corpus:
        """Return a corpus of the analysed documents with these entities on the text of the key."""
        clusters: dict[str, list[list[MentionId]]] = {}
        is_text, absent, alike = True, 0, 0
        for document in self._corrections():
            table = document.pair.table
            is_text &= table.has_spans
            given = entities(document)
            placed = [[m for m in entity if not table.is_absent(m)] for entity in given]
            absent += sum(map(len, given)) - sum(map(len, placed))
            clusters[document.pair.name] = [
                [table.mention_id(mention) for mention in entity] for entity in placed if entity
            ]
            ids = list(chain.from_iterable(clusters[document.pair.name]))
            alike += len(ids) - len(set(ids)) if table.has_spans else 0
        if not is_text:
            return Corpus.from_rows(tuple(clusters), list(map(_rows, clusters.values())))
        key = self.matching.key.restricted(clusters)
        corpus = key.with_rows([_rows(clusters[name]) for name in key.document_names])
        path = self.matching.response.path
        return replace(corpus, findings=tuple(_not_as_analysed(absent, alike, path)))


def _not_as_analysed(zeros: int, same_tokens: int, response: str | None) -> Iterator[Finding]:
    """Report mentions that a corrected response cannot have on the text of the key.

    These are zeros that the key has no token for, and mentions that only their heads tell apart.
    """
    for count, code, found in (
        (zeros, Code.LEFT_OUT, "zeros of the response, for which the key has no token, left out"),
        (same_tokens, Code.REPEATED, "mentions with the tokens of another one and another head"),
    ):
        if count:
            message = (
                f"a corrected response, whose text is that of the key, has {found}: {count:,}; "
                "expect other scores of it than in the impact"
            )
            yield Finding(code, message, file=response)


def _rows(entities: list[list[MentionId]]) -> Rows:
    """Return the sizes of entities, and all their mentions in one list."""
    return list(map(len, entities)), list(chain.from_iterable(entities))


def analyze_matching(
    matching: Matching,
    options: ErrorOptions = ErrorOptions(),  # noqa: B008 - it is frozen
    *,
    names: NamesByDocument | None = None,
    parts: Iterable[AnalysisPart] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Analysis:
    """Find the errors of a response that is matched with its key.

    Parameters
    ----------
    matching
        Key and response; for the mode ``"berkeley"``, as the published tool reads them.
    options
        The mode, and whether singletons count.
    names
        Named entities that replace those of the files.
    parts
        What was found in some documents, and in those after them, if that is known.
    progress
        Called once per document.
    """
    key = matching.key
    work = AnalysisPart(sources=Sources(are_names_given=names is not None))
    tasks = document_tasks(key)
    if parts is None and len(tasks) < 2:
        pairs = document_pairs(matching, options.singleton_rule, names)
        work.add_all(matching, names, pairs, progress)
    elif parts is None:
        parts = current().map(AnalysisWork.of(matching, options, names).apart, tasks)
    for part in parts or ():
        work.join(part, matching, names)
        if progress:
            progress(len(part.documents))
    sources = work.sources
    findings = [
        *matching.findings,
        *sources.findings(key.path),
        *sources.language.findings(key.path, features=True),
    ]
    if options.mode == "berkeley":
        findings += [*work.ambiguous, *_missing_singletons(work.documents, key.path)]
    return Analysis(
        options=options,
        matching=matching,
        documents=work.documents,
        sources=work.sources,
        findings=tuple(findings),
    )


def impact_metrics(metrics: str | Iterable[str] | None) -> list[OverlapMetric]:
    """Return the metrics in which corrections are measured."""
    return list(without_text(choose(metric_names(metrics))))


def _give_descriptions(
    documents: Sequence[DocumentAnalysis], descriptions: Sequence[ShownDocument]
) -> None:
    """Tell documents what their errors are, if that was computed elsewhere."""
    for document, description in zip(documents, descriptions, strict=bool(descriptions)):
        # The value of a cached property is an attribute of the same name.
        vars(document)["description"] = description


def _described(documents: Sequence[DocumentAnalysis], task: Documents) -> list[ShownDocument]:
    """Describe the errors of some documents, in a process of its own."""
    return [documents[number].description for number in task.numbers]


class AnalysisWork(Struct, frozen=True, eq=False, kw_only=True):
    """An analysis of some documents at a time, in this process or in others."""

    matching: Matching
    options: ErrorOptions
    names: NamesByDocument | None
    every: Sequence[DocumentPair]
    """All documents without their texts: what they have in common is computed once."""

    @classmethod
    def of(
        cls, matching: Matching, options: ErrorOptions, names: NamesByDocument | None
    ) -> AnalysisWork:
        """Prepare the analysis of a response that is matched with its key."""
        every = list(paired_entities(matching, matching.sides(options.singleton_rule)))
        return cls(matching=matching, options=options, names=names, every=every)

    def described(self, only: range, metrics: str | None) -> AnalysisPart:
        """Analyse some documents, describe their errors, and count what corrections gain."""
        part = self.some(only)
        part.descriptions = [each.description for each in part.documents]
        corrections = [
            Corrections(each.transformation, self.options.mode) for each in part.documents
        ]
        part.impact = impact_counts(corrections, impact_metrics(metrics))
        return part.to_send()

    def apart(self, task: Documents) -> AnalysisPart:
        """Analyse some documents in a process of its own."""
        return self.some(task.numbers).to_send()

    def some(self, only: range) -> AnalysisPart:
        """Analyse some documents."""
        matching, names = self.matching, self.names
        some = self.every[only.start : only.stop]
        work = AnalysisPart(sources=Sources(are_names_given=names is not None))
        rule = self.options.singleton_rule
        work.add_all(matching, names, document_pairs(matching, rule, names, some))
        return work


class AnalysisPart(Struct, kw_only=True):
    """What was found in some documents, collected one by one."""

    documents: list[DocumentAnalysis] = field(default_factory=list)
    descriptions: list[ShownDocument] = field(default_factory=list)
    """The errors of the documents, if they are described already."""
    impact: ImpactCounts = field(default_factory=dict)
    """What correcting them gains, if that is counted already."""
    sources: Sources = field(default_factory=Sources)
    ambiguous: list[Finding] = field(default_factory=list)

    def to_send(self) -> AnalysisPart:
        """Return the same without what reads texts, which has the whole corpus."""
        # The process that asks has the corpus, too.
        return replace(self, documents=[replace(each, read_text=None) for each in self.documents])

    def add_all(
        self,
        matching: Matching,
        names: NamesByDocument | None,
        pairs: Iterable[DocumentPair],
        progress: Callable[[int], None] | None = None,
    ) -> None:
        """Analyse documents of the key."""
        key, response = matching.key, matching.response
        number_of = {k: r for r, k in enumerate(matching.pairing.key_document.tolist())}
        for pair in pairs:
            other = number_of.get(pair.number)
            self.add(
                pair,
                key.file_of(pair.number),
                None if other is None else response.file_of(other),
                partial(read_text, matching, pair.number, names),
            )
            if progress:
                progress(1)

    def join(self, later: AnalysisPart, matching: Matching, names: NamesByDocument | None) -> None:
        """Add the results of documents that come after these."""
        found = [
            replace(each, read_text=partial(read_text, matching, each.number, names))
            for each in later.documents
        ]
        _give_descriptions(found, later.descriptions)
        self.documents += found
        self.sources += later.sources
        self.ambiguous += later.ambiguous

    def add(
        self,
        pair: DocumentPair,
        file: str | None,
        response_file: str | None,
        read_text: Callable[[], Text | None],
    ) -> None:
        """Add a document."""
        self.sources.add(pair, file, response_file)
        transformation = transform(pair)
        altered = transformation.pair
        self.documents.append(
            DocumentAnalysis(
                name=pair.name,
                number=pair.number,
                pair=pair.without_text(),
                transformation=replace(transformation, pair=altered.without_text()),
                cataphora=cataphora(altered),
                read_text=read_text,
            )
        )
        self.ambiguous += [
            Finding(Code.AS_PUBLISHED, _ambiguity(pair, mentions), file=file)
            for mentions in transformation.alterations.ambiguous
        ]


def _missing_singletons(
    documents: Iterable[DocumentAnalysis], key: str | None
) -> Iterator[Finding]:
    """Report singletons of the key that the response lacks, at which the published tool stops."""
    missing = sum(
        len(charges.pieces) == len(charges.unmatched) == 1
        for document in documents
        for charges in document.transformation.key
    )
    if missing:
        found = "1 singleton" if missing == 1 else f"{missing:,} singletons"
        verb = "is" if missing == 1 else "are"
        message = (
            f"{found} of the key {verb} not in the response; the published tool stops there and "
            "prints no counts; here they count as introduced, and not as errors"
        )
        yield Finding(Code.AS_PUBLISHED, message, file=key)


def _ambiguity(pair: DocumentPair, mentions: Sequence[int]) -> str:
    spans = ", ".join(str(pair.span(mention)) for mention in mentions)
    return (
        f"document {pair.name!r}: the mentions {spans} differ only at their "
        "edges; the two closest were paired, but the published tool pairs the two it finds first"
    )
