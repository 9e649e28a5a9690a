"""Read scores back from JSON: every field is checked, and every score is recomputed from counts.

The file may have been edited, truncated or merged by a tool, so nothing in it is trusted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence, Set
from typing import cast

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from corefscope.arguments import one_of
from corefscope.choices import (
    Duplicates,
    HeadSource,
    Layer,
    Level,
    SplitAntecedents,
    UaMatch,
    Zeros,
)
from corefscope.exceptions import InvalidInput
from corefscope.findings import Code, Finding, Remedy
from corefscope.formats.reading.limits import side_file
from corefscope.formats.reading.strict_json import NotStrict, no_constants, unique_keys
from corefscope.matching.division import Window
from corefscope.matching.matching import SingletonRule
from corefscope.metrics import CONLL, METRICS
from corefscope.metrics.counts import Average
from corefscope.profiles import (
    PROFILES,
    BlancKinds,
    Profile,
    parse_signature,
    scorer_named,
)
from corefscope.scores import Scores
from corefscope.serialization.fields import (
    Damage,
    a_list,
    a_number,
    a_text,
    all_differ,
    an_object,
    field,
)
from corefscope.serialization.score import SCHEMA, ScoredSystem
from corefscope.serialization.tables import TOLERANCE, Tables


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
        return self.record["name"]

    @property
    def f1(self) -> dict[str, float]:
        """The F1 of each metric, and ``conll``."""
        found = {id: score["f1"] for id, score in self.record["metrics"].items() if id in METRICS}
        conll = self.record["conll"]
        return found if conll is None else {**found, CONLL.id: conll}

    @property
    def key_counts(self) -> dict[str, float]:
        """The denominators of recall that depend only on the key, by metric."""
        return {
            id: score["recall_counts"][1]
            for id, score in self.record["metrics"].items()
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
    version = a_text(field(file, "corefscope", ""), "corefscope")
    record = an_object(file, "the file")
    _check_schema(record)
    given_digest = record.get("key_digest")
    digest = None if given_digest is None else a_text(given_digest, "key_digest")
    given = a_list(field(record, "systems", ""), "systems")
    if not given:
        raise Damage("systems: the list is empty")
    systems = [_system(each, f"systems[{place}]", digest) for place, each in enumerate(given)]
    all_differ([system.name for system in systems], "systems")
    for place, system in enumerate(systems):
        written = parse_signature(system.record["signature"])["corefscope"]
        if version.split(".")[:2] != written.split("."):
            at = f"systems[{place}].signature"
            raise Damage(f"corefscope: version {version!r}, but {at} is of version {written!r}")
    return systems


def _check_schema(record: Mapping[str, object]) -> None:
    """Refuse other results, other versions, and files without a version."""
    if "schema" not in record:
        raise Damage(f"schema: missing instead of {SCHEMA!r}: an earlier version wrote the file")
    if record["schema"] != SCHEMA:
        raise Damage(f"schema: {record['schema']!r} instead of {SCHEMA!r}")


def _system(record: object, where: str, digest: str | None) -> StoredSystem:
    _, _, signature, profile_name = (
        a_text(field(record, each, where), f"{where}.{each}")
        for each in ("name", "response", "signature", "profile")
    )
    profile = _profile(signature, f"{where}.signature")
    documents = _Documents(field(record, "documents", where), f"{where}.documents")
    fields = parse_signature(signature)
    if fields.get("docs") != str(documents.scored):
        raise Damage(f"{where}.signature: docs is not documents.scored, {documents.scored}")
    if profile_name != fields["profile"]:
        raise Damage(f"{where}.profile: {profile_name!r} is not that of the signature")
    rows = _rows(record, where, documents.scored)
    totals = Tables([record], [where], profile, rows)
    scores = _scores(an_object(record, where), where, profile, documents, rows, totals)
    if scores is not None and scores.document_count is None:
        documents.refuse_others(scores.document_names)
    return StoredSystem(cast(ScoredSystem, record), scores, digest)


def _rows(record: object, where: str, documents: int) -> int:
    """Return how many documents, windows or topics have counts of their own."""
    if not isinstance(record, Mapping) or "units" not in record:
        return documents
    units = a_number(record["units"], f"{where}.units")
    if units < 0 or units != int(units):
        raise Damage(f"{where}.units: {units} is not a number of units")
    return int(units)


class _Documents:
    """The number of scored documents, and the names of missing and extra ones."""

    def __init__(self, record: object, where: str) -> None:
        scored = a_number(field(record, "scored", where), f"{where}.scored")
        if scored < 0 or scored != int(scored):
            raise Damage(f"{where}.scored: {scored} is not a number of documents")
        self.scored = int(scored)
        self.missing, self.extra = (
            tuple(a_text(name, f"{where}.{each}") for name in a_list(given, f"{where}.{each}"))
            for each in ("missing", "extra")
            for given in [field(record, each, where)]
        )
        self._where = where
        for names, each in ((self.missing, "missing"), (self.extra, "extra")):
            all_differ(names, f"{where}.{each}")
        if len(self.missing) > self.scored:
            found = f"{len(self.missing)} documents, but only {self.scored} were scored"
            raise Damage(f"{where}.missing: {found}")
        self._refuse("extra", set(self.extra) & set(self.missing), "is among the missing documents")

    def refuse_others(self, scored: Sequence[str]) -> None:
        """Refuse missing or extra documents that contradict the scored documents."""
        self._refuse("missing", set(self.missing) - set(scored), "is not in per_document")
        self._refuse("extra", set(self.extra) & set(scored), "is in per_document as well")

    def _refuse(self, field: str, names: Set[str], what: str) -> None:
        if names:
            raise Damage(f"{self._where}.{field}: the document {min(names)!r} {what}")


def _scores(
    record: Mapping[str, object],
    where: str,
    profile: Profile,
    documents: _Documents,
    rows: int,
    totals: Tables,
) -> Scores | None:
    """Return the scores of all documents, if the file has them; they must add up to the totals."""
    if "per_document" not in record:
        return None
    place = f"{where}.per_document"
    given = a_list(record["per_document"], place)
    if len(given) != rows:
        known = "documents.scored" if "units" not in record else "units"
        raise Damage(f"{place}: {len(given)} documents, but {known} is {rows}")
    places = [f"{place}[{number}]" for number in range(len(given))]
    names = [
        a_text(field(each, "document", at), at) for each, at in zip(given, places, strict=True)
    ]
    all_differ(names, place)
    tables = Tables(given, places, profile, None, ids=list(totals.counts))
    scores = Scores(
        counts=tables.counts,
        document_names=tuple(names),
        profile=profile,
        missing=documents.missing,
        extra=documents.extra,
        skipped=_skipped(str(record["signature"]), f"{where}.signature"),
        document_count=documents.scored if "units" in record else None,
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
        return stored_profile(signature)
    except (ValueError, LookupError) as error:
        what = f"{signature!r} has no field {error}" if isinstance(error, KeyError) else error
        raise Damage(f"{where}: {what}") from None


def stored_profile(signature: str) -> Profile:
    """Return the profile that a signature describes."""
    fields = parse_signature(signature)
    rule, *exceptions = fields["singletons"].split(",")
    known = PROFILES.get(fields["profile"], Profile(name="custom", meaning="choices of its own"))
    scorer = fields.get("scorer", "")
    return replace(
        known,
        singletons=_singleton_rule(rule),
        singletons_in={
            metric: _singleton_rule(own)
            for metric, own in (exception.split("=") for exception in exceptions)
        },
        duplicates=_duplicates(fields["duplicates"]),
        match=one_of("match", cast(UaMatch, fields["match"]), UaMatch),
        zeros=one_of("zeros", cast(Zeros, fields.get("zeros", "linear")), Zeros),
        split_antecedents=one_of(
            "split_antecedents",
            cast(SplitAntecedents, fields.get("split_antecedents", "drop")),
            SplitAntecedents,
        ),
        layer=one_of("layer", cast(Layer, fields.get("layer", "identity")), Layer),
        head=one_of("head", cast(HeadSource, fields.get("head", "file")), HeadSource),
        scorer=known.scorer if scorer == known.scorer.name else scorer_named(scorer),
        average=one_of("average", cast(Average, fields["average"]), Average),
        blanc=one_of("blanc", cast(BlancKinds, fields.get("blanc", "key")), BlancKinds),
        level=one_of("level", cast(Level, fields.get("level", "file")), Level),
        window=_window(fields.get("window")),
        marks=tuple((name, fields[name]) for name in MARKS if name in fields),
    )


def _window(mark: str | None) -> Window | None:
    """Return the windows that a signature describes."""
    if mark is None:
        return None
    size, _, published = mark.partition(",")
    if not size.isdecimal() or published not in ("", "bookcoref"):
        raise ValueError(f"{mark!r} in the signature; expected a size of windows")
    return Window(size=int(size), as_published=bool(published))


def _duplicates(value: str) -> Duplicates:
    # That all copies count follows from the scorer.
    return "first" if value == "all" else one_of("duplicates", cast(Duplicates, value), Duplicates)


def _singleton_rule(value: str) -> SingletonRule:
    if value not in SINGLETON_RULES:
        raise ValueError(f"{value!r} in the signature; expected one of {SINGLETON_RULES}")
    return cast(SingletonRule, value)


MARKS = ("tokens", "snap", "pair_by")
"""What signatures say about pairing, in their order."""
SINGLETON_RULES = ("keep", "drop", "drop-response")
