"""Read scores back from JSON: every field is checked, and every score is recomputed from counts.

The file may have been edited, truncated or merged by a tool, so nothing in it is trusted.
"""

from __future__ import annotations

import json
from collections.abc import Sequence, Set

import numpy as np
from msgspec import UNSET, Struct, ValidationError, convert

from corefscope.exceptions import InvalidInput
from corefscope.findings import Code, Finding, Remedy
from corefscope.formats.reading.limits import side_file
from corefscope.formats.reading.strict_json import NotStrict, no_constants, unique_keys
from corefscope.metrics import CONLL, METRICS
from corefscope.profiles import (
    Profile,
    parse_signature,
)
from corefscope.scoring.record import SCHEMA, ScoredDocuments, ScoredSystem, ScoreResult
from corefscope.scoring.scores import Scores
from corefscope.scoring.stored_counts import TOLERANCE, Damage, Tables, all_differ


class StoredSystem(Struct, frozen=True, eq=False):
    """A system in a file of scores."""

    record: ScoredSystem
    """All its fields, checked."""
    scores: Scores | None
    """Its scores, or None if the file has no counts per document."""
    key_digest: str | None
    """The digest of the key that it was scored against."""

    @property
    def name(self) -> str:
        """The name of the system."""
        return self.record.name

    @property
    def f1(self) -> dict[str, float]:
        """The F1 of each metric, and ``conll``."""
        found = {id: score.f1 for id, score in self.record.metrics.items() if id in METRICS}
        conll = self.record.conll
        return found if conll is None else {**found, CONLL.id: conll}

    @property
    def key_counts(self) -> dict[str, float]:
        """The denominators of recall that depend only on the key, by metric."""
        return {
            id: score.recall_counts[1]
            for id, score in self.record.metrics.items()
            if id in METRICS and METRICS[id].is_recall_of_key
        }


def read_result(path: str) -> list[StoredSystem]:
    """Read the systems of a file that ``corefscope score --format json`` wrote.

    Raises
    ------
    InvalidInput
        If the file cannot be read, is not JSON, or is damaged in any way.
    """
    try:
        text = side_file(path)
        return _systems(
            json.loads(text, object_pairs_hook=unique_keys, parse_constant=no_constants)
        )
    except InvalidInput:
        raise
    except OSError as error:
        finding = Finding(
            Code.UNREADABLE, str(error.strerror), expected="a file of scores", file=path
        )
    except (Damage, NotStrict) as error:
        finding = _refused(path, Code.BAD_RESULT, str(error))
    except json.JSONDecodeError as error:
        message = f"not JSON: {error.msg} in column {error.colno}"
        finding = _refused(path, Code.DAMAGED, message, error.lineno)
    except (ValueError, RecursionError) as error:
        finding = _refused(path, Code.DAMAGED, f"not JSON: {error}")
    raise InvalidInput([finding])


def _refused(path: str, code: Code, found: str, line: int | None = None) -> Finding:
    return Finding(
        code,
        found,
        expected="a file of scores that corefscope wrote",
        file=path,
        line=line,
        remedy=Remedy.WRITE_SCORES,
    )


def _systems(file: object) -> list[StoredSystem]:
    _check_schema(file)
    try:
        result = convert(file, ScoreResult)
    except ValidationError as error:
        found, _, place = str(error).partition(" - at `$")
        raise Damage(f"{place.strip('.`') or 'the file'}: {found}") from None
    except UnicodeEncodeError:
        raise Damage("the file: a text that is not UTF-8 is in the wrong place") from None
    if not result.systems:
        raise Damage("systems: the list is empty")
    systems = [
        _system(each, f"systems[{place}]", result.key_digest or None)
        for place, each in enumerate(result.systems)
    ]
    all_differ([system.name for system in systems], "systems")
    for number, system in enumerate(systems):
        written = parse_signature(system.record.signature)["corefscope"]
        if result.corefscope.split(".")[:2] != written.split("."):
            at = f"systems[{number}].signature"
            raise Damage(
                f"corefscope: version {result.corefscope!r}, but {at} is of version {written!r}"
            )
    return systems


def _check_schema(record: object) -> None:
    """Refuse other results, other versions, and files without a version."""
    if not isinstance(record, dict):
        raise Damage("the file: not an object")
    if "schema" not in record:
        raise Damage(f"schema: missing instead of {SCHEMA!r}: an earlier version wrote the file")
    if record["schema"] != SCHEMA:
        raise Damage(f"schema: {record['schema']!r} instead of {SCHEMA!r}")
    if "corefscope" not in record:
        raise Damage("corefscope: missing")


def _system(record: ScoredSystem, where: str, digest: str | None) -> StoredSystem:
    """Check a system and recompute its scores from its counts."""
    profile = _profile(record.signature, f"{where}.signature")
    fields, scored = parse_signature(record.signature), record.documents.scored
    if fields.get("docs") != str(scored):
        raise Damage(f"{where}.signature: docs is not documents.scored, {scored}")
    if fields["profile"] != record.profile:
        raise Damage(f"{where}.profile: {record.profile!r} is not that of the signature")
    _check_documents(record.documents, f"{where}.documents")
    rows = scored if record.units is UNSET else record.units
    totals = Tables([record], [where], profile, rows)
    scores = _scores(record, where, profile, rows, totals)
    if scores is not None and record.units is UNSET:
        _refuse_others(record.documents, f"{where}.documents", scores.document_names)
    return StoredSystem(record, scores, digest)


def _check_documents(documents: ScoredDocuments, where: str) -> None:
    """Refuse numbers and names of documents that cannot be."""
    if documents.scored < 0:
        raise Damage(f"{where}.scored: {documents.scored} is not a number of documents")
    for each, names in (("missing", documents.missing), ("extra", documents.extra)):
        all_differ(names, f"{where}.{each}")
    if len(documents.missing) > documents.scored:
        found = f"{len(documents.missing)} documents, but only {documents.scored} were scored"
        raise Damage(f"{where}.missing: {found}")
    both = set(documents.extra) & set(documents.missing)
    _refuse(where, "extra", both, "is among the missing documents")


def _refuse_others(documents: ScoredDocuments, where: str, scored: Sequence[str]) -> None:
    """Refuse missing or extra documents that contradict the scored documents."""
    missing, extra = set(documents.missing), set(documents.extra)
    _refuse(where, "missing", missing - set(scored), "is not in per_document")
    _refuse(where, "extra", extra & set(scored), "is in per_document as well")


def _refuse(where: str, field: str, names: Set[str], what: str) -> None:
    if names:
        raise Damage(f"{where}.{field}: the document {min(names)!r} {what}")


def _scores(
    record: ScoredSystem, where: str, profile: Profile, rows: int, totals: Tables
) -> Scores | None:
    """Return the scores of all documents, if the file has them; they must add up to the totals."""
    if record.per_document is UNSET:
        return None
    place, given = f"{where}.per_document", record.per_document
    if len(given) != rows:
        known = "documents.scored" if record.units is UNSET else "units"
        raise Damage(f"{place}: {len(given)} documents, but {known} is {rows}")
    places = [f"{place}[{number}]" for number in range(len(given))]
    names = [each.document for each in given]
    all_differ(names, place)
    tables = Tables(given, places, profile, None, ids=list(totals.counts))
    scores = Scores(
        counts=tables.counts,
        document_names=tuple(names),
        profile=profile,
        missing=tuple(record.documents.missing),
        extra=tuple(record.documents.extra),
        skipped=_skipped(record.signature, f"{where}.signature"),
        document_count=None if record.units is UNSET else record.documents.scored,
    )
    for id, found in totals.own.items():
        expected = scores[id]
        counted = np.array([*expected.recall_counts, *expected.precision_counts])
        if not np.allclose(found[0], counted, rtol=TOLERANCE, atol=TOLERANCE):
            raise Damage(f"{where}.metrics.{id}: the documents do not give {found.tolist()}")
    return scores


def _skipped(signature: str, where: str) -> int:
    """Return the number of response files that were skipped."""
    number = parse_signature(signature).get("skipped", "0")
    if not number.isdecimal():
        raise Damage(f"{where}: skipped is {number!r}, not a number of files")
    return int(number)


def _profile(signature: str, where: str) -> Profile:
    try:
        return Profile.of_signature(signature)
    except (ValueError, LookupError) as error:
        what = f"{signature!r} has no field {error}" if isinstance(error, KeyError) else error
        raise Damage(f"{where}: {what}") from None
