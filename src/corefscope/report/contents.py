"""What the page shows: the JSON that the other commands write, a table of errors, the documents.

Nothing is computed here that another room computes; this puts it side by side.

The page gets three kinds of JSON:

*summary*, once::

    {"corefscope", "title", "command", "signature",
     "files": [{"role": "key" | "response", "name", "path", "bytes", "sha256"}],
     "systems": [{"name", "letter"}],
     "documents": [{"name", "tokens", "mentions", "entities", "conll": [by system]}],
     "scores": as score, "comparison": as compare, "errors": as errors --impact,
     "nec": as nec or null, "findings": [..]}

*errors*, once, as columns of equal length (all systems together)::

    {"id", "system": [number], "type", "document": [number], "start", "end", "text",
     "mention_type", "entity_type", "distance": [tokens to the mention before, or null],
     "entity", "other", "group", "size", "mentions": [spans, the first of many], "words"}

*documents*, one each, read when it is opened::

    {"name", "words": [..], "sentences": [[first, last], ..], "speakers": [by sentence] or null,
     "has_text": bool,
     "key": [{"name", "label", "mentions": [[first, last, type], ..]}],
     "systems": [{"entities": [{.., "key": place of the aligned key entity or null}],
                  "errors": [rows]}]}

Tokens are counted from 0 and ends are inclusive. A type is 0 for a name, 1 nominal, 2 pronoun.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any
from unicodedata import category

from corefscope.comparison import Comparison
from corefscope.corpus import Corpus
from corefscope.errors import Analysis, Error
from corefscope.errors.impact import Impact
from corefscope.errors.records import Difference, MentionText, SpanError
from corefscope.errors.sentences import in_words
from corefscope.findings import Finding
from corefscope.language import MentionType
from corefscope.metrics.ceaf import align_by_entities
from corefscope.named_entities import Nec
from corefscope.pairs import DocumentPair, Entity, Span, document_pairs
from corefscope.scoring import Scores
from corefscope.statistics.ranking import letters
from corefscope.statistics.result import SystemComparison
from corefscope.tables.comparison.record import comparison_dict
from corefscope.tables.errors import Analysed, AnalysedSystem
from corefscope.tables.errors.result import to_dict as errors_dict
from corefscope.tables.named_entities import NecResult, NecSystem
from corefscope.tables.named_entities import to_dict as nec_dict
from corefscope.tables.scores import Result, System
from corefscope.tables.scores import to_dict as scores_dict
from corefscope.version import __version__

TYPES = {type: number for number, type in enumerate(MentionType)}
MASKED = ("L", "M", "N", "Cs", "Co")
"""Beginnings of the categories of characters that words are made of: letters, marks, digits, and
bytes of another encoding."""
WORD_FIELDS = ("title", "names", "text")
"""Fields of the other commands' JSON that quote the text."""


@dataclass(frozen=True, slots=True, eq=False)
class ReportSystem:
    """All that is known of one response."""

    name: str
    path: str
    comparison: Comparison
    """Key and response as they are scored."""
    scores: Scores
    analysis: Analysis
    impact: Impact
    nec: Nec | None


@dataclass(frozen=True, slots=True, eq=False)
class Contents:
    """All that a report shows."""

    title: str
    command: str
    """The command line that makes the report again."""
    key: str
    gold: Corpus
    systems: Sequence[ReportSystem]
    compared: SystemComparison
    findings: Sequence[Finding]
    redact: bool = False
    """Whether words are masked; types of mentions and all counts are still those of the text."""

    def summary(self) -> dict[str, Any]:
        """Return what every page needs."""
        files = {system.name: [system.path] for system in self.systems}
        analysed = Analysed(
            self.key,
            [AnalysedSystem(s.name, s.path, s.analysis, s.impact) for s in self.systems],
        )
        measured = [NecSystem(s.name, s.path, s.nec) for s in self.systems if s.nec]
        scored = [System(s.name, s.path, s.scores) for s in self.systems]
        letter = letters([system.name for system in self.systems])
        errors = errors_dict(analysed, costs=("conll", 10))
        nec = nec_dict(NecResult(self.key, measured)) if measured else None
        findings = self.findings
        if self.redact:
            errors, nec = _without_words(errors), _without_words(nec)
            findings = [_without_quotes(finding, self.gold) for finding in findings]
        return {
            "corefscope": __version__,
            "title": self.title,
            "command": self.command,
            "signature": self.systems[0].scores.signature,
            "files": list(self._files()),
            "systems": [{"name": n, "letter": at.upper()} for n, at in letter.items()],
            "documents": list(self._documents()),
            "scores": scores_dict(Result(self.key, scored)),
            "comparison": comparison_dict(self.compared, files),
            "errors": errors,
            "nec": nec,
            "findings": [finding.to_dict() for finding in findings],
        }

    def _files(self) -> Iterator[dict[str, Any]]:
        named = [("key", "key", self.key), *(("response", s.name, s.path) for s in self.systems)]
        for role, name, path in named:
            yield {"role": role, "name": name, "path": path, **_fingerprint(path)}

    def _documents(self) -> Iterator[dict[str, Any]]:
        place = self.compared.statistics.index(self.compared.primary)
        for number, name in enumerate(self.gold.document_names):
            document = self.gold[name]
            values = [self.compared.document_values[s.name][number, place] for s in self.systems]
            yield {
                "name": name,
                "tokens": max(int(self.gold.document_tokens[number]), 0),
                "entities": len(document.entities),
                "mentions": sum(len(entity) for entity in document.entities),
                "conll": [float(value) for value in values],
            }

    def errors(self) -> dict[str, list[Any]]:
        """Return all errors of all systems, as columns."""
        place = {name: number for number, name in enumerate(self.gold.document_names)}
        columns: dict[str, list[Any]] = {name: [] for name in ERROR_COLUMNS}
        for number, system in enumerate(self.systems):
            for document in system.analysis.documents:
                facts = _Facts(document.transformation.pair)
                for error in document.errors:
                    row = _error_row(_masked(error) if self.redact else error)
                    row |= {"system": number, "document": place[error.document]}
                    row |= facts.of(error)
                    for name, column in columns.items():
                        column.append(row[name])
        return columns

    def documents(self) -> Iterator[dict[str, Any]]:
        """Go through the documents, with the entities of the key and of every system."""
        rows = self._error_rows()
        pairs = zip(*(document_pairs(s.comparison) for s in self.systems), strict=True)
        aligned = [_aligned(system.comparison) for system in self.systems]
        for of_systems in pairs:
            first = of_systems[0]
            text = _text(self.gold, first)
            yield {
                **(_masked_text(text, first.ids is not None) if self.redact else text),
                "key": [_entity(first, first.key, i) for i in range(len(first.key))],
                "systems": [
                    {
                        "entities": [
                            {
                                **_entity(pair, pair.response, i),
                                "key": aligned[number].get((pair.number, i)),
                            }
                            for i in range(len(pair.response))
                        ],
                        "errors": rows.get((number, pair.name), []),
                    }
                    for number, pair in enumerate(of_systems)
                ],
            }

    def _error_rows(self) -> Mapping[tuple[int, str], list[int]]:
        """Return which rows of the table of errors are of a system and a document."""
        rows: dict[tuple[int, str], list[int]] = {}
        row = 0
        for number, system in enumerate(self.systems):
            for error in system.analysis.records:
                rows.setdefault((number, error.document), []).append(row)
                row += 1
        return rows


MOST_MENTIONS = 50
"""Mentions of an error that the page knows by their place."""
ERROR_COLUMNS = (
    "id",
    "system",
    "type",
    "document",
    "start",
    "end",
    "text",
    "mention_type",
    "entity_type",
    "distance",
    "entity",
    "other",
    "group",
    "size",
    "mentions",
    "words",
)


class _Facts:
    """What errors are filtered by, beside what their records say."""

    def __init__(self, pair: DocumentPair) -> None:
        self.pair = pair
        self.before: dict[Span, Span | None] = {}
        # The key's word on what comes before a mention counts, where it has the mention.
        for entity in (*pair.response, *pair.key):
            for place, mention in enumerate(entity):
                self.before[mention] = entity[place - 1] if place else None

    def of(self, error: Error) -> dict[str, Any]:
        """Return the type of name among the mentions, and the tokens to the mention before."""
        types = (self.pair.traits(span).entity_type for span in error.spans)
        first = error.spans[0]
        before = self.before.get(first)
        return {
            "entity_type": next(filter(None, types), ""),
            "distance": None if before is None else max(first[0] - before[1], 0),
        }


def _error_row(error: Error) -> dict[str, Any]:
    first = error.mentions[0]
    return {
        "id": error.id,
        "type": str(error.type),
        "start": first.start,
        "end": first.end,
        "text": first.text if first.id is None else first.id,
        "mention_type": str(getattr(error, "mention_type", "") or ""),
        "entity": error.entity,
        "other": getattr(error, "other", ""),
        "group": error.group,
        "size": error.size,
        "mentions": [list(span) for span in error.spans[:MOST_MENTIONS]],
        "words": in_words(error),
    }


def _fingerprint(path: str) -> dict[str, Any]:
    """Return the size and digest of a file; nothing of what is no file."""
    if not Path(path).is_file():
        return {"bytes": None, "sha256": None}
    data = Path(path).read_bytes()
    return {"bytes": len(data), "sha256": sha256(data).hexdigest()}


def _text(gold: Corpus, pair: DocumentPair) -> dict[str, Any]:
    """Return the words of a document by sentence; where there are none, a dot for each token."""
    record: dict[str, Any] = {"name": pair.name, "has_text": pair.text is not None}
    spans = [span for entity in (*pair.key, *pair.response) for span in entity]
    tokens = max((end + 1 for _, end in spans), default=0)
    if pair.ids is not None:
        words = [str(id) for id in pair.ids]
    elif pair.text is None:
        words = ["·"] * max(tokens, int(gold.document_tokens[pair.number]))
    else:
        words = list(pair.text.words)
    words += ["·"] * (tokens - len(words))
    sentences = [[0, len(words) - 1]] if words else []
    if pair.text is not None and gold.layers is not None:
        ranges = gold.layers.sentences(pair.number)
        if ranges and ranges[-1].stop == len(words):
            sentences = [[each.start, each.stop - 1] for each in ranges if each]
    speakers = gold[pair.name].layer("speakers") if pair.text is not None else None
    spoken = None
    if speakers and any(speaker not in ("-", "", "*") for speaker in speakers):
        spoken = [speakers[first] if first < len(speakers) else "-" for first, _ in sentences]
    return {**record, "words": words, "sentences": sentences, "speakers": spoken}


def _entity(pair: DocumentPair, entities: Sequence[Entity], place: int) -> dict[str, Any]:
    is_key = entities is pair.key
    names, labels = (
        (pair.key_names, pair.key_labels) if is_key else (pair.response_names, pair.response_labels)
    )
    return {
        "name": names[place],
        "label": labels[place],
        "mentions": [[*span, TYPES[pair.traits(span).type]] for span in entities[place]],
    }


def _aligned(comparison: Comparison) -> dict[tuple[int, int], int]:
    """Return the key entity that each response entity is aligned with, by document and place."""
    overlap = comparison.overlap
    first_key = _firsts(overlap.key_document.tolist())
    first_response = _firsts(overlap.response_document.tolist())
    aligned = {}
    for cell in align_by_entities(overlap).tolist():
        key, response = int(overlap.key[cell]), int(overlap.response[cell])
        document = int(overlap.key_document[key])
        place = response - first_response[document]
        aligned[document, place] = key - first_key[document]
    return aligned


def _firsts(documents: Sequence[int]) -> dict[int, int]:
    """Return where the entities of each document begin."""
    firsts: dict[int, int] = {}
    for place, document in enumerate(documents):
        firsts.setdefault(document, place)
    return firsts


@lru_cache(maxsize=1 << 16)
def mask(text: str) -> str:
    """Return a text of the same length and look in which no word can be read."""
    return "".join(
        ("X" if c.isupper() else "x") if category(c).startswith(MASKED) else c for c in text
    )


def _masked(error: Error) -> Error:
    """Return an error that quotes nothing; a mention without a place is known by its number."""
    masked = replace(error, mentions=tuple(map(_masked_mention, error.mentions)))
    if not isinstance(masked, SpanError):
        return masked
    return replace(
        masked,
        extra_left=_masked_difference(masked.extra_left),
        missing_left=_masked_difference(masked.missing_left),
        extra_right=_masked_difference(masked.extra_right),
        missing_right=_masked_difference(masked.missing_right),
    )


def _masked_mention(mention: MentionText) -> MentionText:
    if mention.id is not None:
        return replace(mention, id=f"#{mention.start}")
    return replace(mention, text=None if mention.text is None else mask(mention.text))


def _masked_difference(difference: Difference | None) -> Difference | None:
    return difference and replace(difference, text=mask(difference.text))


def _masked_text(text: Mapping[str, Any], is_ids: bool) -> dict[str, Any]:
    """Mask the words of a document, and who says them; ids become numbers."""
    speakers = text["speakers"]
    words = text["words"]
    return {
        **text,
        "words": [f"#{i}" if is_ids else mask(word) for i, word in enumerate(words)],
        "speakers": speakers and [mask(speaker) for speaker in speakers],
    }


def _without_words(value: Any, is_quoted: bool = False) -> Any:
    """Mask what another command's JSON quotes from the text."""
    if isinstance(value, dict):
        return {name: _without_words(v, name in WORD_FIELDS) for name, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_words(each, is_quoted) for each in value]
    return mask(value) if is_quoted and isinstance(value, str) else value


def _without_quotes(finding: Finding, gold: Corpus) -> Finding:
    """Say what was found in general: only what is said of statistics never quotes a file."""
    if finding.code.id.startswith(("W5", "E5")):
        return finding
    message = finding.code.title
    for name in gold.document_names:
        if finding.message.startswith(f"document {name!r}"):
            message = f"document {name!r}: {message}"
    return replace(finding, message=message)
