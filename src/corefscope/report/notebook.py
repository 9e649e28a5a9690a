"""Reports from Python, written to a file or shown in a notebook."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from os import PathLike, fspath
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from corefscope.arguments import by_name
from corefscope.choices import LanguageChoice, Missing, OtherTokens, PairBy, Snap
from corefscope.evaluation import Evaluation, evaluate
from corefscope.exceptions import warn_of
from corefscope.formats.writing.overwriting import refuse_inputs
from corefscope.inputs import Annotation
from corefscope.output.files import check_target, write_file
from corefscope.report.contents import Contents
from corefscope.report.page import render

HEIGHT = 800
"""The height of a report in a notebook, in pixels."""


class Report(Struct, frozen=True):
    """A report; a notebook displays it when it is the last expression in a cell."""

    html: str

    def save(self, path: str | PathLike[str]) -> None:
        """Write the report to a file; if that fails, an existing file stays unchanged.

        Parameters
        ----------
        path
            The file to write.
        """
        write_file(path, self.html.encode("utf-8", "surrogateescape"))

    def _repr_html_(self) -> str:
        frame = f'<iframe title="corefscope report" width="100%" height="{HEIGHT}"'
        return f'{frame} srcdoc="{escape(self.html)}"></iframe>'

    def __repr__(self) -> str:
        return f"<Report of {len(self.html) / 1e6:.1f} MB>"


def make_report(  # noqa: PLR0913 - the options of a report
    key: Annotation,
    responses: Mapping[str, Annotation],
    output: str | PathLike[str] | None = None,
    *,
    baseline: str | None = None,
    title: str = "",
    redact: bool = False,
    missing: Missing = "empty",
    tokens: OtherTokens | None = None,
    snap: Snap | None = None,
    pair_by: PairBy = "auto",
    language: LanguageChoice = "auto",
    jobs: int | None = None,
) -> Report:
    """Make an HTML report to explore the errors of responses.

    Parameters
    ----------
    key, responses
        As for :func:`corefscope.compare`; one or more systems by name.
    output
        The file to write; not needed to show the report in a notebook.
    baseline
        The system that the others are compared with, by default the first.
    title
        The title of the report (default: made of the names of systems and key).
    redact
        Whether to mask the words of the texts, and labels of entities and types that may quote
        them. Names of documents, systems and files remain.
    missing, tokens, snap, pair_by, language, jobs
        As for :func:`corefscope.score`.

    Returns
    -------
    Report
        The report; a notebook displays it when it is the last expression in a cell.

    Examples
    --------
    >>> import warnings
    >>> warnings.simplefilter("ignore")  # A warning says that ten documents are few.
    >>> from corefscope.demo import KEY, RESPONSES
    >>> make_report(KEY, {"sieve": RESPONSES["sieve"]}).html.startswith("<!doctype html>")
    True
    """
    by_name("responses", responses, "{'ours': 'ours.conll'}")
    if output is not None:
        given = [each for each in (key, *responses.values()) if isinstance(each, (str, PathLike))]
        refuse_inputs(fspath(output), [fspath(each) for each in given])
        check_target(output)
    evaluation = evaluate(
        key,
        responses,
        missing=missing,
        tokens=tokens,
        snap=snap,
        pair_by=pair_by,
        language=language,
        jobs=jobs,
    )
    # The report has one warning about all results.
    with evaluation.working:
        evaluation = replace(evaluation, baseline=baseline, warns=False)
        return report_of(evaluation, output, title=title, redact=redact)


def report_of(
    evaluation: Evaluation,
    output: str | PathLike[str] | None = None,
    *,
    title: str = "",
    redact: bool = False,
) -> Report:
    """Make the report of an evaluation, and write it if ``output`` is given."""
    if output is not None:
        inputs = [evaluation.key.path, *(each.response.path for each in evaluation.systems)]
        refuse_inputs(fspath(output), [path for path in inputs if path])
        check_target(output)
    title = title or title_of(evaluation)
    contents = Contents(evaluation=evaluation, title=title, redact=redact)
    warn_of(contents.findings)
    report = Report(render(contents))
    if output is not None:
        report.save(output)
    return report


def title_of(evaluation: Evaluation) -> str:
    """Return a short default title: the system, or the number of systems, and the key."""
    names = list(evaluation.runs)
    what = names[0] if len(names) == 1 else f"{len(names)} systems"
    return f"{what} on {Path(evaluation.key_path).name}"
