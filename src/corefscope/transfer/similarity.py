"""Pair documents whose texts are nearly the same: a word was changed, a sentence is missing.

Two texts are compared by their runs of three words. Only runs that a single document of the key has
count, so that the work grows with the number of words, not with that of pairs of documents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from corefscope.corpus import Corpus
from corefscope.transfer.letters import spoken_letters

RUN = 3
"""How many words a run has."""
FEWEST = 5
"""How many runs two texts must have in common; a few may be chance."""
ENOUGH = 0.5
"""The share of the runs of the shorter text that two texts must have in common."""


def pair_similar(
    key: Corpus, ours: Collection[int], response: Corpus, theirs: Collection[int]
) -> dict[int, int]:
    """Pair documents that have most of their text in common, and with no other document.

    Parameters
    ----------
    key, response
        The two corpora.
    ours, theirs
        The documents of the key, and those of the response, that may be paired.

    Returns
    -------
    dict
        The key's document for each document of the response that is paired.
    """
    if not ours or not theirs:
        return {}
    owner, sizes = _owned_runs(key, ours)
    if not owner:
        return {}
    found = {number: _most_similar(response, number, owner, sizes) for number in theirs}
    wanted = Counter(document for document in found.values() if document is not None)
    return {
        number: document
        for number, document in found.items()
        if document is not None and wanted[document] == 1
    }


def _owned_runs(corpus: Corpus, documents: Collection[int]) -> tuple[dict[str, int], Counter[int]]:
    """Return the document of each run that only one has, and how many such runs documents have."""
    owner: dict[str, int] = {}
    shared: set[str] = set()
    for document in documents:
        for run in _runs(corpus, document):
            if owner.setdefault(run, document) != document:
                shared.add(run)
    kept = {run: document for run, document in owner.items() if run not in shared}
    return kept, Counter(kept.values())


def _most_similar(
    corpus: Corpus, document: int, owner: dict[str, int], sizes: Counter[int]
) -> int | None:
    """Return the document of the key that has enough of a text, if only one has."""
    runs = set(_runs(corpus, document))
    votes = Counter(owner[run] for run in runs if run in owner)
    enough = [
        other
        for other, count in votes.items()
        if count >= max(FEWEST, ENOUGH * min(sizes[other], len(runs)))
    ]
    return enough[0] if len(enough) == 1 else None


def _runs(corpus: Corpus, document: int) -> Iterator[str]:
    """Yield the runs of words of a text; none if it has no words, or fewer than a run."""
    words: Sequence[str] = [word for word in spoken_letters(corpus, document) if word]
    for place in range(len(words) - RUN + 1):
        yield "\n".join(words[place : place + RUN])
