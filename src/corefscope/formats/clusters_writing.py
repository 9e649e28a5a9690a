"""Write corpora as plain clusters."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from corefscope.corpus import Corpus
from corefscope.formats.writing.abilities import Written
from corefscope.formats.writing.expressing import json_text


def write(corpus: Corpus) -> Iterator[Written]:
    """Yield the file of a corpus."""
    yield "corpus.json", "".join(clusters_lines(corpus)).encode(errors="surrogateescape")


def clusters_lines(corpus: Corpus) -> Iterator[str]:
    """Yield the lines of ``{"document": [[mention, …], …]}``, one line per document."""
    yield "{\n"
    for document, following in pairwise([*corpus, None]):
        assert document is not None
        entities = [[mention.id for mention in entity] for entity in document.entities]
        ends = "" if following is None else ","
        yield f"{json_text(document, document.name)}: {json_text(document, entities)}{ends}\n"
    yield "}\n"
