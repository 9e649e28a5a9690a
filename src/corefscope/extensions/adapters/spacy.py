"""A scorer for spaCy's components. Install ``corefscope[spacy]``.

In a configuration: ``scorer = {"@scorers": "corefscope.coref_scorer.v1"}``. spaCy finds it by its
entry point, so nothing has to be imported. The tokens and blanks of the two documents of an example
may differ; documents with other words are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from reprlib import repr as shown
from typing import Any

from corefscope.corpus import Corpus
from corefscope.exceptions import InvalidInput
from corefscope.extensions.adapters.documents import Reporter
from corefscope.extensions.toolkits.live import groups_of, spacy_draft
from corefscope.findings import Code
from corefscope.formats.objects import corpus_of_drafts
from corefscope.formats.reading.cluster_fields import USUAL_GROUPS
from corefscope.formats.reading.draft import Draft
from corefscope.options import make_options
from corefscope.scoring.measure import score_corpora
from corefscope.scoring.scores import Scores

METRICS = ("muc", "b3", "ceafe", "lea")


def score_examples(
    examples: Iterable[Any],
    *,
    span_cluster_prefix: str = USUAL_GROUPS,
    reporter: Reporter | None = None,
    **_: Any,
) -> dict[str, Any]:
    """Return the scores of examples.

    Parameters
    ----------
    examples
        spaCy's examples: a predicted and a reference document each.
    span_cluster_prefix
        How the names of the groups of spans begin that are entities; a number follows.
    reporter
        Warns of findings; by default, each kind of finding is reported once per call.

    Returns
    -------
    dict
        ``coref_f``, ``coref_p`` and ``coref_r`` are those of LEA, as in spacy-experimental. Further
        keys are ``coref_muc_f``, ``coref_conll`` and so on.

    Raises
    ------
    InvalidInput
        If the two documents of an example have different words, or if there is no group of this
        name in the references, but groups of other names.
    """
    given, prefix = list(examples), span_cluster_prefix.rstrip("_")
    references = [example.reference for example in given]
    _check_prefix(references, prefix)
    _check_texts(given)
    scores = _scores(
        _corpus(references, prefix, "the references"),
        _corpus([example.predicted for example in given], prefix, "the predictions"),
    )
    # The tokens of predictions often differ, because references have tokens of their own.
    findings = [each for each in scores.findings if each.code is not Code.CARRIED_OVER]
    (reporter or Reporter()).report(findings)
    found: dict[str, Any] = {}
    for id, score in scores.metrics.items():
        figures = {"f": score.f1, "p": score.precision, "r": score.recall}
        found |= {f"coref_{id}_{name}": value for name, value in figures.items()}
        if id == "lea":
            found |= {f"coref_{name}": value for name, value in figures.items()}
    return found | {"coref_conll": scores.conll}


def _scores(key: Corpus, response: Corpus) -> Scores:
    return score_corpora(key, response, make_options(metrics=METRICS, pair_by="position"))


def _check_prefix(docs: Sequence[Any], prefix: str) -> None:
    """Raise InvalidInput if no document has such groups, but one has groups of other names."""
    names = {name: None for doc in docs for name in doc.spans}
    if not names or any(groups_of(doc, prefix) for doc in docs):
        return
    raise InvalidInput.of(
        Code.NOT_IN_FILE,
        f"no reference has groups of spans named {prefix}_1 and so on; found "
        f"{', '.join(sorted(names)[:5])}",
        expected="the beginning of these names without the number as span_cluster_prefix",
    )


def _check_texts(examples: Sequence[Any]) -> None:
    """Raise InvalidInput if the documents of an example differ in more than blanks and case."""
    for number, example in enumerate(examples):
        texts = example.predicted.text, example.reference.text
        ours, expected = ("".join(text.split()).lower() for text in texts)
        if ours != expected:
            raise InvalidInput.of(
                Code.NOT_IN_FILE,
                f"the predicted document of example {number} has another text, {shown(texts[0])}",
                expected=f"that of the reference, {shown(texts[1])}",
            )


def _corpus(docs: Sequence[Any], prefix: str, what: str) -> Corpus:
    """Return documents as a corpus in which they are numbered."""
    if not docs:
        return Corpus.from_clusters({})
    return corpus_of_drafts((_draft(n, doc, prefix) for n, doc in enumerate(docs)), what)


def _draft(number: int, doc: Any, prefix: str) -> Draft:
    draft = spacy_draft(doc, prefix=prefix)
    draft.name = str(number)
    return draft


def make_coref_scorer(span_cluster_prefix: str = USUAL_GROUPS) -> Callable[..., dict[str, Any]]:
    """Return a scorer for a configuration of spaCy, which warns of each kind of finding once."""
    reporter = Reporter()

    def score(examples: Iterable[Any], **kwargs: Any) -> dict[str, Any]:
        # nlp.evaluate passes its scorer_cfg, which may have another prefix.
        options = {"span_cluster_prefix": span_cluster_prefix, "reporter": reporter, **kwargs}
        return score_examples(examples, **options)

    return score
