"""The data of a report: the results of the other commands, a table of errors, and the documents.

Other modules compute the results; this module only collects them. Findings and the digests of files
are in the summary, not in each result.

A report has three kinds of JSON: one summary; one table of errors, as columns of equal length; and
the documents, each of which is loaded when it is opened. They are defined in
:mod:`corefscope.report.record`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from msgspec import UNSET, Struct
from msgspec.structs import asdict, replace

from corefscope.agreement.record import AgreementResult, agreement_result
from corefscope.agreement.result import Agreement
from corefscope.corpus import UNKNOWN_LENGTH, Corpus
from corefscope.error_analysis import DocumentAnalysis
from corefscope.error_analysis.analysis import AnalysisPart
from corefscope.error_analysis.properties import ShownDocument
from corefscope.error_analysis.record import ErrorsResult, errors_result
from corefscope.evaluation import EvaluatedSystem, Evaluation
from corefscope.exceptions import InvalidInput
from corefscope.findings import Code, Finding
from corefscope.formats.file_names import local
from corefscope.matching.pairs import DocumentPair, document_pairs, paired_entities
from corefscope.metrics import CONLL, METRICS
from corefscope.metrics.mentions import MENTIONS
from corefscope.named_entities import Nec
from corefscope.named_entities.record import NecResult, nec_result
from corefscope.options import ABOVE_DOCUMENTS
from corefscope.report.changed import changes_of
from corefscope.report.distributions import distributions_of
from corefscope.report.error_rows import ERROR_COLUMNS, error_rows
from corefscope.report.record import (
    ErrorColumns,
    KeyEntity,
    ReportDocument,
    ReportFile,
    ReportFinding,
    ReportSystem,
    ReportText,
    ReportUnit,
    ResponseEntity,
    Summary,
    SystemInDocument,
    pack,
)
from corefscope.report.redaction import (
    masked_labels,
    masked_text,
    without_quotes,
    without_words,
)
from corefscope.report.texts import (
    Places,
    SharesByDocument,
    aligned,
    entity_records,
    shares_by_document,
    text_record,
)
from corefscope.results.record import Json, finding_records
from corefscope.scoring.measure import score_matching
from corefscope.scoring.record import CorpusLedgerRecord, ScoredSystem, score_result
from corefscope.scoring.scores import Scores
from corefscope.statistics import Settings, SystemComparison
from corefscope.statistics.record import compare_result

DISPUTED = 50
"""How many of the most disputed entities a report of annotators lists."""


class Contents(Struct, frozen=True, eq=False, kw_only=True, dict=True):
    """The contents of a report."""

    evaluation: Evaluation
    title: str
    command: str = ""
    """The command that makes the report."""
    redact: bool = False
    """Whether words are masked; mention types and counts are still those of the text."""
    agreement: Agreement | None = None
    """The agreement of annotators, if there is no key."""
    reference: int = 0
    """The number of the annotator who is in the place of the key."""
    others: Sequence[Contents] = ()
    """The same report with other annotators in the place of the key."""

    @property
    def gold(self) -> Corpus:
        """The key."""
        return self.evaluation.key

    @cached_property
    def systems(self) -> list[EvaluatedSystem]:
        """The systems."""
        return list(self.evaluation)

    @cached_property
    def comparison(self) -> SystemComparison:
        """The comparison of the systems; no verdicts about annotators."""
        if self.agreement is not None:
            return self.evaluation.compare(Settings(all_pairs=True))
        return self.evaluation.comparison

    @cached_property
    def nec(self) -> list[Nec | None]:
        """Named entity coreference of each system, or None without named entities."""
        return [_nec(system) for system in self.systems]

    @cached_property
    def findings(self) -> list[Finding]:
        """The findings of all parts of the report, without repeats."""
        # Scores come first: what is wrong with options is then said before the long work begins.
        findings: list[Finding] = [*self.comparison.findings]
        _ = self._parts
        if self.agreement is not None:
            findings = [*self.agreement.findings, *findings]
        for system, nec in zip(self.systems, self.nec, strict=True):
            findings += system.errors.findings
            # NEC words some findings differently; skip those that are known already.
            said = {(finding.code, finding.file, finding.line) for finding in findings}
            more = nec.findings if nec else ()
            findings += [f for f in more if (f.code, f.file, f.line) not in said]
        if self.evaluation.options.profile.level in ABOVE_DOCUMENTS:
            # Scores do count links between documents; the errors are those of documents.
            findings = [f for f in findings if f.code is not Code.ACROSS_DOCUMENTS]
        return list(dict.fromkeys(findings))

    def summary(self) -> Summary:
        """Return the data that all views need."""
        evaluation, key = self.evaluation, self.evaluation.key_path
        findings = self.findings
        if self.redact:
            findings = list(dict.fromkeys(map(without_quotes, findings)))
        scores = score_result(key, self.systems)
        has_key = self.agreement is None
        return Summary(
            title=self.title,
            command=self.command,
            redacted=self.redact,
            signature=self.systems[0].scores.signature,
            files=list(self._files()),
            systems=[
                ReportSystem(name=system.name, letter=_letter(place))
                for place, system in enumerate(self.systems)
            ],
            documents=list(self._documents()),
            units=list(self._units()) if evaluation.options.has_units else None,
            ledgers=[_ledger(system) for system in scores.systems],
            scores=replace(
                scores, systems=[replace(system, ledger=UNSET) for system in scores.systems]
            ),
            comparison=replace(compare_result(key, self.comparison, evaluation.files), findings=[]),
            errors=self._errors(),
            nec=self._named_entities(),
            findings=[
                ReportFinding(title=f.code.title, is_doubt=f.code.is_doubt, **asdict(record))
                for f, record in zip(findings, finding_records(findings), strict=True)
            ],
            changes=changes_of([system.errors for system in self.systems]),
            distributions=distributions_of(self.comparison),
            agreement=UNSET if has_key else self._agreement(),
            reference=UNSET if has_key else self.reference,
        )

    def _agreement(self) -> AgreementResult:
        assert self.agreement is not None
        # Findings are those of the summary.
        found = replace(agreement_result(self.agreement, most=DISPUTED), findings=[])
        return without_words(found) if self.redact else found

    def _errors(self) -> ErrorsResult:
        key = self.evaluation.key_path
        found = errors_result(key, self.systems, costs=("conll", 10), with_impact=True)
        return without_words(found) if self.redact else found

    def _named_entities(self) -> NecResult | None:
        measured = [s for s, nec in zip(self.systems, self.nec, strict=True) if nec]
        if not measured:
            return None
        found = nec_result(self.evaluation.key_path, measured, with_detail=True)
        return without_words(found) if self.redact else found

    def _files(self) -> Iterator[ReportFile]:
        # The paths of corpora, because a corpus from memory has none even if such a file exists.
        yield _file("key", "key", self.gold.path)
        for system in self.systems:
            yield _file("response", system.name, system.matching.response.path)
        if self.evaluation.names is not None:
            yield _file("names", "named entities", self.evaluation.names.path)

    def _documents(self) -> Iterator[ReportDocument]:
        scores = [self._in_documents(system) for system in self.systems]
        values = list(zip(*map(_primary_of_rows, scores), strict=True))
        b3 = [_b3_of_documents(each) for each in scores]
        # As in scores, a mention that is annotated twice counts once.
        overlap = self.systems[0].analysed.overlap("keep")
        entities = np.bincount(overlap.key_document, minlength=len(self.gold))
        mentions = np.bincount(overlap.key_document, overlap.key_size, minlength=len(self.gold))
        for number, name in enumerate(self.gold.document_names):
            tokens = int(self.gold.document_tokens[number])
            yield ReportDocument(
                name=name,
                tokens=None if tokens == UNKNOWN_LENGTH else tokens,
                entities=int(entities[number]),
                mentions=int(mentions[number]),
                conll=list(values[number]),
                b3=[of_system.get(name) for of_system in b3],
            )

    def _in_documents(self, system: EvaluatedSystem) -> Scores:
        """Return the scores of a system by document, whatever else was scored as one."""
        options = self.evaluation.options
        if not options.has_units:
            return system.scores
        return score_matching(system.matching, options.in_documents)

    def _units(self) -> Iterator[ReportUnit]:
        """Yield the windows or topics that were scored."""
        scores = [system.scores for system in self.systems]
        values = list(zip(*map(_primary_of_rows, scores), strict=True))
        b3 = [_b3_of_documents(each) for each in scores]
        mentions = MENTIONS.id if MENTIONS.id in scores[0].counts else None
        for number, name in enumerate(scores[0].document_names):
            units = scores[0].units
            document = units.documents[number] if units and units.documents else None
            yield ReportUnit(
                name=name,
                document=None if document is None else self.gold.index(document),
                mentions=int(scores[0].counts[mentions][number, 1]) if mentions else 0,
                conll=list(values[number]),
                b3=[of_system.get(name) for of_system in b3],
            )

    def errors(self) -> ErrorColumns:
        """Return the errors of all systems as columns."""
        columns: dict[str, Any] = {name: [] for name in ERROR_COLUMNS}
        for number in range(len(self.systems)):
            for part in self._parts:
                for name, values in part.errors[number].items():
                    columns[name] += values
        if self.redact:
            columns["entity_type"] = masked_labels(columns["entity_type"])
        # A test compares the columns with the fields of this class.
        return ErrorColumns(**columns)

    def documents(self) -> Iterator[str]:
        """Yield the documents, each packed, with the entities of the key and of every system."""
        for part in self._parts:
            yield from part.documents

    @cached_property
    def _parts(self) -> list[ReportPart]:
        """What the page shows of all documents; it is made while they are analysed."""
        # Computed now, so that processes that make some of the documents have it.
        _ = self._shares, self._aligned, self._every
        return self.evaluation.analyse_in_parts(self._part)

    def _part(self, numbers: range, analysed: Sequence[AnalysisPart]) -> ReportPart:
        """Return what the page shows of some documents, whose errors are known."""
        part = ReportPart([{name: [] for name in ERROR_COLUMNS} for _ in analysed], [])
        known = [_by_number(each) for each in analysed]
        for pairs in self._pairs(numbers):
            # The published tool does not analyse documents that the response lacks.
            found = [of_system.get(pairs[0].number) for of_system in known]
            places = Places(pairs)
            # Errors come first: mentions get numbers in the order in which they are met.
            for number, described in enumerate(found):
                if described is not None:
                    self._add_errors(part.errors[number], number, described, places)
            costs = [
                {} if described is None else _costs(shares, described[0])
                for shares, described in zip(self._shares, found, strict=True)
            ]
            part.documents.append(pack(self._document(pairs, places, costs)))
        return part

    def _add_errors(
        self, columns: dict[str, list[Json]], system: int, described: Described, places: Places
    ) -> None:
        """Add the errors of a system in a document to its columns."""
        document, description = described
        where: dict[str, Json] = {"system": system, "document": document.number}
        for row in error_rows(document.transformation.pair, description, places, self.redact):
            for name, value in (row | where).items():
                columns[name].append(value)

    def _document(
        self, pairs: Sequence[DocumentPair], places: Places, costs: Sequence[Costs]
    ) -> ReportText:
        """Return a document with the entities of the key and of every system."""
        text = text_record(self.gold, pairs, places)
        systems = zip(pairs, self._aligned, costs, strict=True)
        key = list(_key_entities(pairs[0], places, costs))
        entities = [
            _response_entities(pair, places, aligned, known) for pair, aligned, known in systems
        ]
        if self.redact:
            text = masked_text(text, bool(places.ids))
            key, entities = without_words(key), without_words(entities)
        # Collecting the entities has given numbers to marked mentions.
        return ReportText(
            key=key,
            systems=entities,
            marked=places.marked(),
            absent=places.absent(),
            **asdict(text),
        )

    def _pairs(self, numbers: range) -> Iterator[tuple[DocumentPair, ...]]:
        """Yield some documents, each as one pair per system."""
        pairs = [
            document_pairs(
                system.analysed,
                "keep",
                self.evaluation.given_tags,
                every[numbers.start : numbers.stop],
            )
            for system, every in zip(self.systems, self._every, strict=True)
        ]
        return zip(*pairs, strict=True)

    @cached_property
    def _every(self) -> list[list[DocumentPair]]:
        """All documents of each system without their texts."""
        return [
            list(paired_entities(system.analysed, system.analysed.sides("keep")))
            for system in self.systems
        ]

    @cached_property
    def _shares(self) -> list[SharesByDocument]:
        return [
            shares_by_document(
                system.analysed_for_errors.overlap(system.error_options.singleton_rule)
            )
            for system in self.systems
        ]

    @cached_property
    def _aligned(self) -> list[dict[tuple[int, int], int]]:
        return [aligned(system.analysed) for system in self.systems]


def _letter(place: int) -> str:
    """Return the letter of a system: A to Z, then AA, AB and so on."""
    before, last = divmod(place, 26)
    return (_letter(before - 1) if before else "") + chr(ord("A") + last)


Described: TypeAlias = tuple[DocumentAnalysis, ShownDocument]
"""The errors of a document, and their description."""
Costs: TypeAlias = Mapping[str, float]
"""What entities of a document cost in the CoNLL score, by name; others cost nothing."""


class ReportPart(NamedTuple):
    """What the page shows of some documents."""

    errors: list[dict[str, list[Json]]]
    """The errors of each system, as columns."""
    documents: list[str]
    """The documents, packed."""


def _by_number(analysed: AnalysisPart) -> dict[int, Described]:
    """Return the documents with their descriptions, by their positions in the key."""
    described = zip(analysed.documents, analysed.descriptions, strict=True)
    return {each[0].number: each for each in described}


def _costs(shares: SharesByDocument, document: DocumentAnalysis) -> Costs:
    key, response = (of_side[document.number] for of_side in shares)
    names = document.pair.key_names, document.pair.response_names
    every = chain(zip(names[0], key, strict=True), zip(names[1], response, strict=True))
    return {name: share for name, share in every if share > 0}


def _key_entities(
    pair: DocumentPair, places: Places, costs: Sequence[Costs]
) -> Iterator[KeyEntity]:
    for record in entity_records(pair, places, is_key=True):
        cost = [of_system.get(record.name, 0) for of_system in costs]
        yield KeyEntity(cost=cost, **asdict(record))


def _response_entities(
    pair: DocumentPair, places: Places, aligned: Mapping[tuple[int, int], int], costs: Costs
) -> SystemInDocument:
    return SystemInDocument(
        entities=[
            ResponseEntity(
                cost=costs.get(record.name, 0),
                key=aligned.get((pair.number, place)),
                **asdict(record),
            )
            for place, record in enumerate(entity_records(pair, places, is_key=False))
        ]
    )


def _ledger(system: ScoredSystem) -> CorpusLedgerRecord | None:
    """Return the ledger of a system, without the words of its mentions."""
    return replace(system.ledger, mentions=UNSET) if system.ledger else None


def _nec(system: EvaluatedSystem) -> Nec | None:
    """Return named entity coreference, or None without named entities."""
    try:
        return system.named_entities
    except InvalidInput as error:
        are_none = all(finding.code is Code.NO_LAYER for finding in error.findings)
        if system.evaluation.names is None and are_none:
            return None
        raise


def _primary_of_rows(scores: Scores) -> list[float]:
    """Return the CoNLL score of each document or other unit, or F1 if it was not computed."""
    f1 = {
        id: scores.profile.adapted(METRICS[id]).figures(rows)[:, 2]
        for id, rows in scores.counts.items()
    }
    shown = CONLL.mean(f1) if CONLL.is_known(f1) else next(iter(f1.values()))
    return [float(value) for value in shown]


def _b3_of_documents(scores: Scores) -> dict[str, tuple[float, float]]:
    """Return B³ recall and precision of each document, if B³ was computed."""
    if "b3" not in scores.metrics:
        return {}
    return {
        document.document: (document.metrics["b3"].recall, document.metrics["b3"].precision)
        for document in scores.per_document
    }


def _file(role: Literal["key", "response", "names"], name: str, path: str | None) -> ReportFile:
    """Return the size and digest of a file; both are None if it does not exist."""
    data = None
    place = None if path is None else Path(local(path))
    if place is not None and place.is_file():
        data = place.read_bytes()
    return ReportFile(
        role=role,
        name=name,
        path=path,
        bytes=None if data is None else len(data),
        sha256=None if data is None else sha256(data).hexdigest(),
    )
