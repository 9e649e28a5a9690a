"""Check that scores have not dropped below a baseline, for continuous integration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from corefscope.corpus import Corpus
from corefscope.exceptions import InvalidInput, UnknownName
from corefscope.findings import Code, Finding
from corefscope.formatting import DECIMAL, PERCENT, POINTS
from corefscope.metrics import CONLL, statistic_named, statistics_of
from corefscope.profiles import parse_signature, same_rules
from corefscope.results.record import Record, Result, about
from corefscope.results.table import Cell, RowCells, Table, TableColumn
from corefscope.scoring.scores import ANOTHER_KEY, Scores
from corefscope.scoring.stored import key_digest
from corefscope.scoring.stored_reading import StoredSystem

ROUNDING = 1e-9
"""The rounding error in points that is not counted as a drop."""


class Check(Record, frozen=True, kw_only=True):
    """A score and its baseline."""

    statistic: str
    baseline: float
    now: float
    drop: Annotated[float, about("in points; negative if the score is better")]
    max_drop: Annotated[
        float | None, about("the allowed drop; null for a score that is only shown")
    ]
    passes: bool

    @classmethod
    def of(cls, id: str, baseline: float, now: float, max_drop: float | None) -> Check:
        """Compare a score with its baseline."""
        statistic = statistic_named(id)
        drop = statistic.format.scale * statistic.direction * (baseline - now)
        return cls(
            statistic=id,
            baseline=baseline,
            now=now,
            drop=drop,
            max_drop=max_drop,
            passes=max_drop is None or drop <= max_drop + ROUNDING,
        )


class GateResult(Result, frozen=True, kw_only=True):
    """Whether a response is as good as a baseline."""

    schema: Literal["gate/1"] = "gate/1"
    signature: str
    passes: bool
    missing: Annotated[
        Sequence[str], about("documents missing from the response; they fail the gate")
    ]
    checks: Sequence[Check]

    @classmethod
    def of(cls, checks: Sequence[Check], scores: Scores) -> GateResult:
        """Judge all checks; a response with missing documents fails."""
        return cls(
            signature=scores.signature,
            passes=not scores.missing and all(check.passes for check in checks),
            missing=scores.missing,
            checks=checks,
        )


def checks(
    scores: Scores,
    baseline: StoredSystem,
    max_drops: Mapping[str, float | None],
    path: str,
    key: Corpus | None = None,
) -> Sequence[Check]:
    """Check each statistic that has a limit, and the CoNLL score, which may not drop by default.

    A score with the limit None is shown but not checked. Raises InvalidInput if the baseline was
    computed in another way.
    """
    _check_comparable(scores, baseline, path, key)
    metrics = scores.metrics
    found = {statistic.id: statistic.value(metrics) for statistic in statistics_of(metrics)}
    before = baseline.f1
    limits = dict(max_drops)
    if CONLL.id in found:
        limits.setdefault(CONLL.id, 0.0)
    for id, limit in limits.items():
        if limit is None and not (id in found and id in before):
            continue
        if id not in found:
            raise UnknownName("computed score", id, found)
        if id not in before:
            raise InvalidInput.of(
                Code.BAD_RESULT,
                f"the baseline has no {id}, only {', '.join(before)}",
                expected=f"{id} as well",
                file=path,
            )
    return [
        Check.of(id, before[id], found[id], limit)
        for id, limit in limits.items()
        if id in found and id in before
    ]


def incomplete(baseline: StoredSystem, path: str) -> list[Finding]:
    """Report a baseline whose response lacked documents, which makes it too low."""
    missing = baseline.record.documents.missing
    if not missing:
        return []
    count = "1 document" if len(missing) == 1 else f"{len(missing):,} documents"
    message = (
        f"the baseline was made from an incomplete response, which lacked {count} such as "
        f"{missing[0]!r}: its scores are too low; make it again from a complete response"
    )
    return [Finding(Code.MISSING, message, file=path)]


def _check_comparable(
    scores: Scores, baseline: StoredSystem, path: str, key: Corpus | None
) -> None:
    """Raise InvalidInput if the baseline has another protocol or another key."""
    signature = baseline.record.signature
    if not same_rules(scores.signature, signature):
        theirs, ours = _differing(signature, scores.signature)
        raise InvalidInput.of(
            Code.BAD_RESULT,
            f"the baseline was scored with {theirs}",
            expected=f"{ours}, as here",
            file=path,
        )
    is_other = key is not None and baseline.key_digest not in (None, key_digest(key))
    expected = baseline.key_counts
    counted = {id: scores[id].recall_counts[1] for id in expected if id in scores}
    if is_other or any(expected[id] != count for id, count in counted.items()):
        raise InvalidInput([ANOTHER_KEY.at(path)])
    others = _other_documents(scores.document_names, baseline)
    if others:
        found, wanted = others
        raise InvalidInput.of(Code.BAD_RESULT, found, expected=wanted, file=path)


def _differing(one: str, other: str) -> tuple[str, str]:
    """Return the fields of two signatures that differ, without the name of the profile."""
    ours, theirs = parse_signature(one), parse_signature(other)
    names = [
        name
        for name in dict.fromkeys([*ours, *theirs])
        if name not in ("profile", "skipped") and ours.get(name) != theirs.get(name)
    ]
    found, expected = (
        ", ".join(f"{name}:{each[name]}" if name in each else f"no {name}" for name in names)
        for each in (ours, theirs)
    )
    return found, expected


def _other_documents(scored: Sequence[str], baseline: StoredSystem) -> tuple[str, str] | None:
    """Return the first document of the baseline that the key does not have so, and what it has."""
    known = set(scored)
    documents = baseline.record.documents
    unknown = [name for name in documents.missing if name not in known]
    if unknown:
        return f"documents.missing has {unknown[0]!r}", "names of documents of the key"
    both = [name for name in documents.extra if name in known]
    if both:
        return f"documents.extra has {both[0]!r}", "documents that the key does not have"
    stored = scored if baseline.scores is None else baseline.scores.document_names
    for place, (expected, found) in enumerate(zip(scored, stored, strict=True)):
        if found != expected:
            at = f"per_document[{place}].document"
            return f"{at} is {found!r}", f"{expected!r}, as in the key and in its order"
    return None


VERDICTS = {(True, True): "ok", (False, False): "FAILS", (False, True): "not checked"}
"""The verdict by (is checked and passes, passes)."""


def gate_table(result: GateResult) -> Table:
    """Return a table with one row per check; a response with missing documents fails."""
    notes = [f"FAILS: {_lacking(result.missing)}"] if result.missing else []
    columns = [
        TableColumn("metric"),
        *(
            TableColumn("baseline", PERCENT),
            TableColumn("now", PERCENT),
            TableColumn("difference", POINTS),
        ),
        *(TableColumn("allowed drop", DECIMAL), TableColumn("gate")),
    ]
    rows = [_row(check) for check in result.checks]
    return Table(columns=columns, rows=rows, notes=[*notes, result.signature])


def _row(check: Check) -> RowCells:
    statistic = statistic_named(check.statistic)
    return [
        statistic.name,
        Cell(check.baseline, statistic.format),
        Cell(check.now, statistic.format),
        Cell(check.now - check.baseline, statistic.unit.change),
        check.max_drop,
        VERDICTS[check.max_drop is not None and check.passes, check.passes],
    ]


def _lacking(missing: Sequence[str]) -> str:
    shown = ", ".join(map(repr, missing[:MOST_NAMED]))
    more = ", …" if len(missing) > MOST_NAMED else ""
    return f"the response is incomplete, documents missing: {len(missing)} ({shown}{more})"


MOST_NAMED = 3
"""How many missing documents are named."""
