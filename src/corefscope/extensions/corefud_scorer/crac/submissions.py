"""Whole submissions to CRAC: a folder of data sets, and folders of responses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from msgspec import Struct, field
from msgspec.structs import replace

from corefscope.choices import Match
from corefscope.corpus import Corpus
from corefscope.exceptions import IncompleteResponse, InvalidInput
from corefscope.extensions.corefud_scorer.crac.empty_nodes import (
    COMPARED,
    NodeScore,
    empty_node_scores,
)
from corefscope.findings import Code, Finding, Remedy
from corefscope.formats.file_names import local, shown
from corefscope.matching.matching import SingletonRule
from corefscope.metrics import METRICS as METRICS_BY_ID
from corefscope.options import Options
from corefscope.profiles import named
from corefscope.scoring.measure import score_corpora

PRIMARY, ZERO = "head", "zero"
COLUMNS: Mapping[str, tuple[Match, SingletonRule]] = {
    PRIMARY: ("head", "drop"),
    "partial": ("partial", "drop"),
    "exact": ("exact", "drop"),
    "singletons": ("head", "keep"),
}
"""The columns with a CoNLL score: how mentions match, and singletons; ``zero`` is of the first."""
METRICS = tuple(METRICS_BY_ID[id] for id in ("muc", "b3", "ceafe", ZERO))
ENDINGS = (".conllu", ".txt", ".json")
USUAL = "crac-2026"


class Dataset(Struct, frozen=True, eq=False, kw_only=True):
    """The figures of one data set."""

    name: str
    key: str
    response: str | None
    """The file of the response; None if there is none, so that all figures are 0."""
    columns: Mapping[str, float | None]
    """F1 by column; None where the key has no zero among its mentions."""
    empty_nodes: Mapping[str, NodeScore] = field(default_factory=dict)


class Submission(Struct, frozen=True, eq=False, kw_only=True):
    """The figures of a system on all data sets."""

    name: str
    path: str
    datasets: Sequence[Dataset]
    extra: Sequence[str]
    """Response files without a data set."""
    findings: Sequence[Finding]

    @property
    def missing(self) -> list[str]:
        """The data sets without a response."""
        return [each.name for each in self.datasets if each.response is None]

    @property
    def mean(self) -> dict[str, float | None]:
        """The unweighted mean over all data sets; of zeros over those that have some."""
        means: dict[str, float | None] = {}
        for column in (*COLUMNS, ZERO):
            known = [v for each in self.datasets if (v := each.columns[column]) is not None]
            means[column] = fmean(known) if known else None
        return means

    @property
    def mean_empty_nodes(self) -> dict[str, float]:
        """The mean F1 of the evaluation of empty nodes; nothing if it was not asked for."""
        measured = [each.empty_nodes for each in self.datasets]
        if not any(measured):
            return {}
        return {row: fmean(each[row].f1 if each else 0.0 for each in measured) for row in COMPARED}

    @property
    def zero_datasets(self) -> int:
        """How many data sets have zeros among the mentions of the key."""
        return sum(each.columns[ZERO] is not None for each in self.datasets)


Reads = Callable[[str, Corpus, Options], Corpus]
"""Reads a response to a key."""


def data_sets(folder: str) -> dict[str, str]:
    """Return the CoNLL-U file of each data set; refuse two of one name."""
    return _named(folder, (".conllu",))


def _named(folder: str, endings: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    place = Path(local(folder))
    if not place.is_dir():
        raise InvalidInput.of(
            Code.UNREADABLE,
            "this is no folder",
            expected="one with a file per data set",
            file=folder,
        )
    for path in sorted(place.iterdir()):
        plain = path.name.removesuffix(".gz")
        ending = next((each for each in endings if plain.endswith(each)), None)
        if ending is None or not path.is_file() or plain.startswith("."):
            continue
        name = plain.removesuffix(ending).partition("-")[0]
        if name in found:
            raise InvalidInput.of(
                Code.SAME_DOCUMENT,
                f"the data set {name!r} has another file, {Path(found[name]).name}",
                expected="one file whose name begins with it",
                file=shown(str(path)),
            )
        found[name] = shown(str(path))
    if not found:
        expected = ", ".join(endings)
        raise InvalidInput.of(
            Code.NO_DOCUMENT,
            "the folder has no file of a data set",
            expected=f"names that end in {expected}",
            file=folder,
            remedy=Remedy.CHOOSE_FILES,
        )
    return found


def score_submission(
    name: str,
    keys: Mapping[str, tuple[str, Corpus]],
    folder: str,
    options: Options,
    read: Reads,
    *,
    has_empty_nodes: bool = False,
    skip_broken: bool = False,
) -> Submission:
    """Score a folder of responses.

    Parameters
    ----------
    name
        The name of the system.
    keys
        The file of each data set, and its corpus.
    folder
        The folder with the responses.
    options
        The options of the score; columns change matching and singletons.
    read
        Reads a response to a key; each file is read once.
    has_empty_nodes
        Whether empty nodes are compared as well.
    skip_broken
        Whether a response that cannot be read counts 0, instead of raising an exception.

    Returns
    -------
    Submission
        The figures of all data sets.

    Raises
    ------
    InvalidInput
        If a response cannot be read, or two files belong to one data set.
    IncompleteResponse
        If a data set has no response, and the options do not allow that.
    """
    paths = _named(folder, ENDINGS)
    extra = [path for each, path in paths.items() if each not in keys]
    findings = [*_absent(keys, paths, folder, options), *_extra(extra)]
    datasets = []
    for each, (key_path, key) in keys.items():
        path = paths.get(each)
        response = None
        if path is not None:
            try:
                response = read(path, key, options)
            except InvalidInput as error:
                if not skip_broken:
                    raise
                message = f"a broken response counts 0, as requested: {error.findings[0].message}"
                findings.append(Finding(Code.SKIPPED, message, file=path))
        columns, found = _figures(key, response, options)
        findings += found
        nodes = empty_node_scores(key, response) if has_empty_nodes and response is not None else {}
        datasets.append(
            Dataset(name=each, key=key_path, response=path, columns=columns, empty_nodes=nodes)
        )
    return Submission(
        name=name,
        path=folder,
        datasets=datasets,
        extra=extra,
        findings=tuple(dict.fromkeys(findings)),
    )


def _figures(
    key: Corpus, response: Corpus | None, options: Options
) -> tuple[dict[str, float | None], list[Finding]]:
    columns: dict[str, float | None] = dict.fromkeys((*COLUMNS, ZERO), 0.0)
    findings: list[Finding] = []
    if response is not None:
        for column in COLUMNS:
            scores = score_corpora(key, response, column_options(options, column))
            columns[column] = scores.conll
            if column == PRIMARY:
                columns[ZERO] = scores[ZERO].f1
                findings += scores.findings
    if not _has_zeros(key):
        columns[ZERO] = None
    return columns, findings


def column_options(options: Options, column: str) -> Options:
    """Return the options of a column."""
    match, singletons = COLUMNS[column]
    profile = replace(options.profile, match=match, singletons=singletons)
    return replace(options, profile=named(profile), metrics=METRICS, missing="empty")


def _has_zeros(key: Corpus) -> bool:
    """Return whether the head of some mention is an empty node."""
    if key.mention_heads is None or not len(key.empty_nodes):
        return False
    nodes = set(zip(key.empty_nodes.document.tolist(), key.empty_nodes.token.tolist(), strict=True))
    heads = zip(key.mention_document.tolist(), key.mention_heads.tolist(), strict=True)
    return any(each in nodes for each in heads)


def _absent(
    keys: Mapping[str, object], paths: Mapping[str, str], folder: str, options: Options
) -> Iterator[Finding]:
    absent = [each for each in keys if each not in paths]
    if absent and options.missing == "error":
        raise IncompleteResponse(
            [
                Finding(
                    Code.MISSING_REFUSED,
                    f"the data set {absent[0]!r} has no response",
                    expected="one for each data set",
                    file=folder,
                )
            ]
        )
    for each in absent:
        message = f"the data set {each!r} has no response; it counts 0 in every column"
        yield Finding(Code.MISSING, message, file=folder)


def _extra(paths: Sequence[str]) -> Iterator[Finding]:
    for path in paths:
        yield Finding(Code.EXTRA, "the file belongs to no data set; it is ignored", file=path)
