"""A report from files: scores, errors, names and comparison, each by the room that knows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from corefscope.corpus import Corpus
from corefscope.error_analysis import analyze_corpora
from corefscope.exceptions import InvalidInput
from corefscope.findings import Code, Finding
from corefscope.matching.comparison import side_by_side
from corefscope.named_entities import Nec, NecOptions, nec_corpora
from corefscope.named_entities.names_file import NamesOfFile
from corefscope.options import Options
from corefscope.report.contents import Contents, ReportSystem
from corefscope.scoring import score_corpora
from corefscope.statistics import Entry, Settings, compare_entries
from corefscope.statistics.comparing import units_of

Advance: TypeAlias = Callable[[int], None]
"""What hears how much more is done."""
Bar: TypeAlias = Callable[[str, int | None], AbstractContextManager[Advance]]
"""What shows how a piece of work goes on: it is told what is done, and how much there is of it."""


def no_bar(what: str, total: int | None) -> AbstractContextManager[Advance]:
    """Show nothing."""
    return nullcontext(lambda step: None)


@dataclass(frozen=True, slots=True)
class Response:
    """A response that a report shows."""

    name: str
    path: str
    corpus: Corpus


def collect(  # noqa: PLR0913 - what a report is made of
    key: str,
    gold: Corpus,
    responses: Sequence[Response],
    options: Options,
    *,
    names: NamesOfFile | None = None,
    title: str = "",
    command: str = "",
    bar: Bar = no_bar,
) -> Contents:
    """Score, analyse and compare responses; ``bar`` shows how far it is.

    ``names`` take the place of the named entities that the files have, in all parts of the report.
    """
    if names is not None:
        names = names.spelled_as(gold.document_names, options.pair_by)
    systems = []
    for response in responses:
        with bar(f"analysing {response.name}", len(gold)) as advance:
            systems.append(_system(gold, response, options, names, advance))
    settings = Settings(all_pairs=True)
    entries = [Entry(s.name, [s.scores], s.path) for s in systems]
    with bar("resampling", 2 * settings.samples) as advance:
        compared = compare_entries(entries, units_of(gold, "documents"), settings, advance)
    findings: list[Finding] = [*compared.findings]
    for system in systems:
        findings += system.analysis.findings
        # NEC has its own words for some of what was found before.
        said = {(finding.code, finding.file, finding.line) for finding in findings}
        more = system.nec.findings if system.nec else ()
        findings += [f for f in more if (f.code, f.file, f.line) not in said]
    return Contents(
        title or _title(key, responses),
        command,
        key,
        gold,
        systems,
        compared,
        list(dict.fromkeys(findings)),
        names=names,
    )


def _title(key: str, responses: Sequence[Response]) -> str:
    """Say what is measured against what, in few words: the page names the systems anyway."""
    what = responses[0].name if len(responses) == 1 else f"{len(responses)} systems"
    return f"{what} on {Path(key).name}"


def _system(
    gold: Corpus,
    response: Response,
    options: Options,
    names: NamesOfFile | None,
    advance: Advance,
) -> ReportSystem:
    analysis = analyze_corpora(
        gold,
        response.corpus,
        missing="error" if options.missing == "error" else "empty",
        tokens=options.tokens,
        pair_by=options.pair_by,
        names=None if names is None else names.tags(),
        progress=advance,
    )
    return ReportSystem(
        response.name,
        response.path,
        side_by_side(gold, response.corpus, options.matching),
        score_corpora(gold, response.corpus, options),
        analysis,
        analysis.impact(),
        _nec(gold, response.corpus, options, names),
    )


def _nec(gold: Corpus, response: Corpus, options: Options, names: NamesOfFile | None) -> Nec | None:
    """Measure named entities, where there are any."""
    try:
        return nec_corpora(
            gold,
            response,
            NecOptions(),
            names=names,
            tokens=options.tokens,
            pair_by=options.pair_by,
        )
    except InvalidInput as error:
        are_none = all(finding.code is Code.NO_NAME_LAYER for finding in error.findings)
        if names is None and are_none:
            return None
        raise
