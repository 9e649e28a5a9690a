"""Make the words of a text answer those of the skeleton, as the official cleaner does.

Words are aligned by edit distance, in which zeros (``##``) cost nothing. A word that is not that of
the text loses its tags.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from corefscope.answers.parsing import ZERO
from corefscope.formats.corefud.trees import FORM, TreeDocument

MOST_CELLS = 25_000_000
"""How large a table of edit distances may be; beyond it there is no official figure."""
TAG = re.compile(r"\[?e\d+\]?")
Distances = NDArray[np.int32]


def words_of(document: TreeDocument) -> list[list[str]]:
    """Return the words of each sentence as the cleaner sees them: forms are cut at blanks."""
    return [
        [_second_field(word.cells) for word in sentence.words] for sentence in document.sentences
    ]


def _second_field(cells: Sequence[str]) -> str:
    fields = "\t".join(cells[: FORM + 1]).split()
    return fields[1] if len(fields) > 1 else ""


def is_too_long(answer: str, words: Sequence[Sequence[str]]) -> bool:
    """Return whether the distances of an answer would take too much memory."""
    return (len(answer.split()) + 1) * (sum(map(len, words)) + 1) > MOST_CELLS


def cleaned(answer: str, words: Sequence[Sequence[str]]) -> list[str]:
    """Return the tokens of an answer with the words of the sentences, and with zeros."""
    tokens = _aligned(answer.split(), [word for sentence in words for word in sentence])
    result: list[str] = []
    for sentence in _sentences(tokens, [len(each) for each in words]):
        result += _with_tags(sentence)
    return result


def _aligned(tokens: Sequence[str], words: Sequence[str]) -> list[str]:
    forms = [token.partition("|")[0] for token in tokens]
    distance = distances(forms, words)
    i, j = len(forms), len(words)
    kept: list[str] = []
    while i and j:
        if forms[i - 1].startswith(ZERO):
            kept.append(tokens[i - 1])
            i -= 1
        elif forms[i - 1] == words[j - 1]:
            kept.append(tokens[i - 1])
            i, j = i - 1, j - 1
        elif distance[i, j] == distance[i - 1, j - 1] + 1:
            kept.append(words[j - 1])
            i, j = i - 1, j - 1
        elif distance[i, j] == distance[i - 1, j] + 1:
            i -= 1
        else:
            kept.append(words[j - 1])
            j -= 1
    kept += words[:j][::-1]
    return kept[::-1]


def distances(forms: Sequence[str], words: Sequence[str]) -> Distances:
    """Return the edit distance of every beginning of an answer from every beginning of a text."""
    numbers: dict[str, int] = {}
    text = np.array([numbers.setdefault(word, len(numbers)) for word in words], np.int64)
    steps = np.arange(len(words) + 1, dtype=np.int32)
    table = np.empty((len(forms) + 1, len(words) + 1), np.int32)
    table[0] = steps
    for i, form in enumerate(forms, start=1):
        before, row = table[i - 1], table[i]
        row[0] = i
        if form.startswith(ZERO):
            row[1:] = before[1:]
            continue
        is_equal = text == numbers.get(form, -1)
        row[1:] = np.where(is_equal, before[:-1], np.minimum(before[:-1], before[1:]) + 1)
        chained = np.minimum.accumulate(row - steps) + steps
        if (chained[1:][is_equal] == row[1:][is_equal]).all():
            row[:] = chained
        else:
            _chain(row, is_equal)
    return table


def _chain(row: NDArray[np.int32], is_equal: NDArray[np.bool_]) -> None:
    """Let each cell be one more than the one before, if that is less; but not if words are equal.

    Only zeros before the first word make this different from the least of all ways.
    """
    for j, same in enumerate(is_equal.tolist(), start=1):
        if not same:
            row[j] = min(row[j], row[j - 1] + 1)


def _sentences(tokens: Sequence[str], lengths: Sequence[int]) -> Iterator[list[str]]:
    """Divide tokens: a sentence has its number of words, and the zeros in front of them."""
    place = 0
    for length in lengths:
        sentence: list[str] = []
        while length:
            sentence.append(tokens[place])
            length -= not tokens[place].startswith(ZERO)
            place += 1
        yield sentence


def _with_tags(tokens: Sequence[str]) -> Iterator[str]:
    """Yield the tokens of a sentence with the tags that are right, or can be made so."""
    is_open: Counter[str] = Counter()
    for token in tokens:
        form, *given = token.split("|")
        if len(given) != 1:
            yield form
            continue
        tags = [tag for tag in map(_known, given[0].split(",")) if tag]
        kept = [_closed(tag, is_open) for tag in tags]
        yield f"{form}|{','.join(kept)}" if kept else form


def _known(text: str) -> str:
    """Return the tag that a text begins with; nothing if it has no bracket."""
    found = TAG.match(text)
    return found[0] if found and ("[" in found[0] or "]" in found[0]) else ""


def _closed(tag: str, is_open: Counter[str]) -> str:
    """Count what is open; a closing tag of what is not open marks its word alone."""
    name = tag.strip("[]")
    opens, closes = tag.startswith("["), tag.endswith("]")
    if opens and not closes:
        is_open[name] += 1
    elif closes and not opens:
        if not is_open[name]:
            return f"[{name}]"
        is_open[name] -= 1
    return tag
