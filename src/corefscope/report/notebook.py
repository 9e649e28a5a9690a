"""A report made from Python: written to a file, or shown in a notebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from os import PathLike, fspath
from pathlib import Path

from corefscope.arguments import by_name
from corefscope.evaluation import Evaluation, evaluate
from corefscope.exceptions import warn_of
from corefscope.formats.overwriting import refuse_inputs
from corefscope.language import LanguageChoice
from corefscope.matching.documents import Missing, PairBy, Tokens
from corefscope.output import check_target, write_file
from corefscope.report.contents import Contents
from corefscope.report.page import render
from corefscope.scoring import Annotation

HEIGHT = 800
"""Pixels that a report takes in a notebook."""


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """A page; a notebook shows it where it is the last line of a cell."""

    html: str

    def save(self, path: str | PathLike[str]) -> None:
        """Write the page to a file; if that fails, the previous file is as it was.

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
    title: str = "",
    redact: bool = False,
    missing: Missing = "empty",
    tokens: Tokens = "error",
    pair_by: PairBy = "auto",
    language: LanguageChoice = "auto",
) -> Report:
    """Make a page in which responses can be explored.

    Parameters
    ----------
    key, responses
        As for :func:`corefscope.compare`, one system or more by name.
    output
        The file to write, if any; in a notebook the page is shown without.
    title
        The title of the page; made of the names of systems and key by default.
    redact
        Whether the words of the texts are masked, and the labels of entities and types that may
        quote them. Names of documents, systems and files stay.
    missing, tokens, pair_by, language
        As for :func:`corefscope.score`.

    Returns
    -------
    Report
        The page; a notebook shows it where it is the last line of a cell.

    Examples
    --------
    >>> import warnings
    >>> warnings.simplefilter("ignore")  # Ten documents are few, as a warning says.
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
        key, responses, missing=missing, tokens=tokens, pair_by=pair_by, language=language
    )
    return report_of(evaluation, output, title=title, redact=redact)


def report_of(
    evaluation: Evaluation,
    output: str | PathLike[str] | None = None,
    *,
    title: str = "",
    redact: bool = False,
) -> Report:
    """Make the page of an evaluation, and write it if there is an output."""
    if output is not None:
        inputs = [evaluation.key.path, *(system.corpus.path for system in evaluation)]
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
    """Say what is measured against what, in few words: the page names the systems anyway."""
    names = list(evaluation.runs)
    what = names[0] if len(names) == 1 else f"{len(names)} systems"
    return f"{what} on {Path(evaluation.key_path).name}"
