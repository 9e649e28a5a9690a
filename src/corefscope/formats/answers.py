"""Answers of a language model that are in memory: a text for each document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from corefscope.corpus import Corpus
from corefscope.exceptions import InvalidInput, refuse_errors
from corefscope.findings import Code, Finding
from corefscope.formats.reading.builder import Builder
from corefscope.formats.reading.options import ReadingOptions
from corefscope.formats.reading.source import Source
from corefscope.formats.registry import FORMATS, recognise


def are_answers(given: object) -> bool:
    """Return whether this is ``{document: answer}``, where an answer is a text."""
    if not isinstance(given, Mapping) or not given:
        return False
    return all(isinstance(each, str) for pair in given.items() for each in pair)


def corpus_of_answers(answers: Mapping[str, str], what: str) -> Corpus:
    """Return answers as a response: tagged text, or JSON with clusters of strings.

    Parameters
    ----------
    answers
        The answer to each document, by the name of the document.
    what
        What messages call them.

    Returns
    -------
    Corpus
        A response, whose mentions are found in the words of the key when it is scored. An answer
        without tags and without JSON is one that failed.

    Raises
    ------
    InvalidInput
        If the JSON of an answer has an unknown shape.
    """
    builder = Builder()
    sources = [
        Source(
            name=f"{what}, document {name!r}",
            path=Path(f"answer-{number}"),
            _kept=answer.encode(errors="surrogatepass"),
        )
        for number, (name, answer) in enumerate(answers.items())
    ]
    format = FORMATS[_format_of(sources, what)]
    builder.reading = format.reading(ReadingOptions(role="response", is_answer=True))
    for source in sources:
        format.read(source, builder, builder.reading.options, None)
    refuse_errors(builder.findings)
    return replace(
        builder.corpus(what),
        document_names=tuple(answers),
        path=None,
        is_unnamed=False,
        numbered=frozenset(),
        _index={},
    )


def _format_of(sources: Sequence[Source], what: str) -> str:
    """Return the format of all answers; those without tags and without JSON say nothing."""
    found = {kind.name for kind in map(recognise, sources) if not isinstance(kind, Finding)}
    known = sorted(found & {"tagged", "strings"})
    if len(known) > 1:
        message = (
            f"{what} has answers in tagged text and answers in JSON; expected one of the two: "
            "score them apart"
        )
        raise InvalidInput([Finding(Code.BAD_SHAPE, message)])
    return known[0] if known else "tagged"
