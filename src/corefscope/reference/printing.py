"""The output of the reference scorer v8.01, byte for byte after the first line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import fsum

import numpy as np

from corefscope.corpus import Corpus
from corefscope.exceptions import InvalidInput, UnknownName
from corefscope.findings import Code, Finding, Remedy
from corefscope.matching.matching import Matching
from corefscope.metrics import METRICS, STANDARD
from corefscope.metrics.counts import CountRow, harmonic_mean, ratio
from corefscope.options import Options
from corefscope.reference.counts import MOST_REPEATS, ReferenceDocument, reference_documents, shown
from corefscope.version import __version__

PERL_NAMES = {"muc": "muc", "b3": "bcub", "ceafm": "ceafm", "ceafe": "ceafe", "blanc": "blanc"}
"""The reference scorer's metrics and its names for them, in its order."""

RULE = "-" * 74 + "\n"


def reference_result(
    matching: Matching,
    options: Options,
    *,
    per_document: bool = False,
    document: str | None = None,
) -> tuple[str, list[Finding]]:
    """Return the output of the reference scorer, and the findings."""
    metrics = [metric.id for metric in options.metrics]
    if metrics == list(STANDARD):
        metrics = list(PERL_NAMES)
    for metric in metrics:
        if metric not in PERL_NAMES:
            raise UnknownName("metric of the reference scorer", metric, PERL_NAMES)
    documents = list(reference_documents(matching, options.profile.singletons))
    _refuse_repeats(documents, len(metrics), matching.response)
    text = reference_text(documents, metrics, per_document=per_document, document=document)
    return text, list(matching.findings)


def _refuse_repeats(documents: Sequence[ReferenceDocument], metrics: int, response: Corpus) -> None:
    """Refuse what the reference scorer refuses; it counts repeats over documents and metrics."""
    removed = metrics * sum(document.removed for document in documents)
    if removed > MOST_REPEATS:
        raise InvalidInput.of(
            Code.SCORER_REFUSES,
            f"the reference scorer refuses this response: it removes {removed} repeated "
            f"mentions over {metrics} metrics",
            expected=(
                f"at most {MOST_REPEATS}, or that only the first of repeated mentions counts"
            ),
            file=response.path,
            remedy=Remedy.KEEP_FIRST_COPY,
        )


def reference_text(
    documents: Sequence[ReferenceDocument],
    metrics: Sequence[str],
    *,
    per_document: bool = False,
    document: str | None = None,
) -> str:
    """Return totals, as the scorer prints with ``none``, or also each document or a named one."""
    version = ".".join(__version__.split(".")[:2])
    lines = [f"version: 8.01 corefscope {version}\n"]
    for metric in metrics:
        if len(metrics) > 1:
            lines.append(f"\nMETRIC {PERL_NAMES[metric]}:\n")
        for each in documents:
            if document is not None:
                lines.append(f"{document}:\n")
            if per_document or document is not None:
                lines += _listings(each)
            if per_document and document is None:
                lines.append(":\n" if metric == "blanc" else f"{each.name}:\n")
            lines += [f"{message}\n" for message in each.messages]
            if per_document or document is not None:
                lines += _six_counts(each)
                lines += [] if metric == "blanc" else [_shown(each.counts[metric])]
        lines += _totals(documents, metric)
    return "".join(lines)


def _listings(document: ReferenceDocument) -> Iterator[str]:
    for entities, is_missing in ((document.key, False), (document.response, document.is_missing)):
        name = "" if is_missing else document.name
        yield f"====> {name}:\n"
        yield f"File {name}:\n"
        for number, entity in enumerate(entities):
            spans = "".join(f" ({shown(mention, ',')})" for mention in entity)
            yield f"Entity {number}:{spans}\n"


def _six_counts(document: ReferenceDocument) -> Iterator[str]:
    yield f"Total key mentions: {document.key_mentions}\n"
    yield f"Total response mentions: {document.response_mentions}\n"
    yield f"Strictly correct identified mentions: {document.found}\n"
    yield "Partially correct identified mentions: 0\n"
    yield f"No identified: {document.key_mentions - document.found}\n"
    yield f"Invented: {document.invented}\n"


def _totals(documents: Sequence[ReferenceDocument], metric: str) -> Iterator[str]:
    yield "\n====== TOTALS =======\n"
    yield "Identification of Mentions: " + _shown(_sum(documents, "mentions"))
    total = _sum(documents, metric)
    if metric != "blanc":
        yield "Coreference: " + _shown(total)
        return
    yield "\nCoreference:\n"
    yield "Coreference links: " + _shown(total[:4])
    yield "Non-coreference links: " + _shown(total[4:])
    yield "BLANC: " + _blanc_shown(total)


def _sum(documents: Sequence[ReferenceDocument], metric: str) -> CountRow:
    rows = [document.counts[metric] for document in documents]
    return tuple(fsum(column) for column in zip(*rows, strict=True)) if rows else (0.0,) * 8


def _shown(counts: CountRow, f1: float | None = None) -> str:
    rn, rd, pn, pd = counts[:4]
    recall, precision = ratio(rn, rd), ratio(pn, pd)
    f1 = harmonic_mean(recall, precision) if f1 is None else f1
    return (
        f"Recall: ({rn:.15g} / {rd:.15g}) {_truncated(recall)}%"
        f"\tPrecision: ({pn:.15g} / {pd:.15g}) {_truncated(precision)}%"
        f"\tF1: {_truncated(f1)}%\n{RULE}"
    )


def _truncated(fraction: float) -> str:
    """Return a percentage truncated to two digits, not rounded: 0.56 (0.5599…) is 55.99."""
    return f"{int(fraction * 10000) / 100:.15g}"


def _blanc_shown(total: CountRow) -> str:
    score = METRICS["blanc"].score(np.array(total, dtype=np.float64))
    return _shown((score.recall, 1, score.precision, 1), score.f1)
