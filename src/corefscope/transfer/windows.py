"""Windows of a document that are documents of their own: ``NAME@1``, ``NAME@2`` and so on.

They become one document with the words of all windows one after the other. Each window is then
placed in the text of the key by its words, and what two windows say of the same text is put
together.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from corefscope.corpus import UNKNOWN_LENGTH, Corpus, Integers
from corefscope.corpus.copies import NO_STYLE, Copy
from corefscope.corpus.layers import TextColumns, TextLayers
from corefscope.corpus.mentions import Parts
from corefscope.corpus.windows import MergedWindows, WindowCounts
from corefscope.records import dataclass
from corefscope.transfer.copies import FEW, Carried
from corefscope.transfer.documents import CarriedDocument
from corefscope.transfer.ledger import CorpusLedger, Ledger, Status
from corefscope.transfer.texts import LetterText

WINDOW = re.compile(r"(.+)@(\d+)")
"""The name of a window: that of its document, and its number."""


@dataclass(slots=True, eq=False, kw_only=True)
class WindowLayers(TextLayers):
    """The texts of documents, some of which consist of windows."""

    own: TextLayers
    copies: Sequence[Copy]
    """What is known of each window, and of each other document."""
    windows: Sequence[Sequence[int]]
    """The documents that each one consists of."""

    def parts(self, document: int) -> list[tuple[Copy, TextColumns]]:
        """Return what is known of each window of a document, and its text layers."""
        return [(self.copies[number], self.own.text(number)) for number in self.windows[document]]

    def text(self, document: int) -> TextColumns:
        """Return the text layers of a document; of one that has windows only the words."""
        parts = [self.own.text(number) for number in self.windows[document]]
        if len(parts) == 1:
            return parts[0]
        words = [word for part in parts for word in part.columns.get("words", [])]
        return TextColumns(sentences=[range(len(words))], columns={"words": words})


def with_windows_joined(key: Corpus, response: Corpus) -> Corpus:
    """Return a response in which windows of tagged text are one document.

    Documents with such names are windows only if the key has no document of that name.
    """
    if response.copies is None or response.layers is None:
        return response
    groups = windows_by_document(key, response)
    if len(groups) == len(response):
        return response
    documents = list(groups.values())
    offsets, first = np.zeros((2, len(response)), dtype=np.int64)
    for numbers in documents:
        lengths = response.document_tokens[numbers]
        offsets[numbers] = np.cumsum(lengths) - lengths
        first[numbers] = min(numbers)
    moved = replace(
        _shifted(response, offsets), entity_document=first[response.entity_document], _index={}
    )
    entities = np.argsort(moved.entity_document, kind="stable")
    rank = np.argsort(entities)
    mentions = np.argsort(rank[moved.mention_entity], kind="stable")
    joined = moved.chosen(
        document=np.array([min(numbers) for numbers in documents]),
        entity=entities,
        mention=mentions,
    )
    digests = response.word_digests
    return replace(
        joined,
        document_names=tuple(groups),
        document_tokens=np.array([response.document_tokens[each].sum() for each in documents]),
        word_digests=None
        if digests is None
        else [digests[each[0]] if len(each) == 1 else None for each in documents],
        copies=[_copy([response.copies[number] for number in each]) for each in documents],
        layers=WindowLayers(own=response.layers, copies=response.copies, windows=documents),
        _index={},
    )


def _shifted(response: Corpus, offsets: Integers) -> Corpus:
    """Return a response with the spans of each document shifted; other answers have strings."""
    of_mentions = offsets[response.mention_document]
    if response.has_spans:
        return replace(response, mention_spans=response.mention_spans + of_mentions[:, None])
    ids = [
        id if isinstance(id, str) else tuple((np.array(id) + offset).tolist())
        for id, offset in zip(response.mention_ids, of_mentions.tolist(), strict=True)
    ]
    return replace(response, mention_ids=tuple(ids))


def windows_by_document(key: Corpus, response: Corpus) -> dict[str, list[int]]:
    """Return the documents of a response by name; windows of one document have its name."""
    found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, name in enumerate(response.document_names):
        window = WINDOW.fullmatch(name)
        is_one = window is not None and name not in key
        if window is not None and is_one and response.document_tokens[number] != UNKNOWN_LENGTH:
            found[window[1]].append((int(window[2]), number))
        else:
            found[name].append((0, number))
    return {name: [number for _, number in sorted(windows)] for name, windows in found.items()}


def _copy(windows: Sequence[Copy]) -> Copy:
    """Return what is known of a document, which may have several windows."""
    if len(windows) == 1:
        return windows[0]
    styles = dict.fromkeys(each.style for each in windows if each.style != NO_STYLE)
    return Copy(
        style=" and ".join(styles) or NO_STYLE,
        opened=sum(each.opened for each in windows),
        closed=sum(each.closed for each in windows),
    )


# ---- Putting windows together ----


def put_together(
    found: CarriedDocument, rows: Sequence[Sequence[int]], entities: Sequence[int], regions: Regions
) -> WindowCounts:
    """Put the entities of windows together: mentions move to others, or are left out.

    Parameters
    ----------
    found
        The document; what becomes of the mentions is noted there.
    rows
        The rows of the mentions of each window.
    entities
        The entity of each mention of the corpus, by row.
    regions
        The words of the key that each window has.

    Returns
    -------
    WindowCounts
        How they were put together.
    """
    together = MergedWindows()
    name_of: dict[int, int] = {}
    """The entity of the corpus that stands for each that is put together."""
    for number, own in enumerate(rows):
        known = {mention for entity in together.entities for mention in entity}
        mentions: defaultdict[int, list[int]] = defaultdict(list)
        for row in own:
            if row in found.parts or row in found.unplaced:
                mentions[int(entities[row])].append(row)
        identities = [
            [_identity(found, row) for row in group if row in found.parts]
            for group in mentions.values()
        ]
        homes = together.add(identities, partial(_is_in, regions.in_common(found, number)))
        for home, (entity, group) in zip(homes, mentions.items(), strict=True):
            name = name_of.setdefault(home, entity)
            for row in group:
                found.moved[row] = name
                if row in found.parts and _identity(found, row) in known:
                    del found.parts[row]
    return together.counts


def _identity(found: CarriedDocument, row: int) -> Parts:
    """Return what a mention is on the tokens of the key; it may leave out letters at its edges."""
    cuts = found.cuts.get(row)
    return found.parts[row] if cuts is None else (*found.parts[row], cuts)


def _is_in(tokens: range, parts: Parts) -> bool:
    return parts[0][0] in tokens and parts[0][1] in tokens


class Regions:
    """The words of the key that each window of a document has."""

    def __init__(self, source: LetterText, windows: Sequence[Carried]) -> None:
        self.letters = [each.region for each in windows]
        self.source = source

    def in_common(self, found: CarriedDocument, number: int) -> range:
        """Return the tokens of the text that a window and the one before have in common."""
        ours, before = (self.letters[n] if n >= 0 else None for n in (number, number - 1))
        if ours is None or before is None:
            return range(0)
        begin, end = max(ours.begin, before.begin), min(ours.end, before.end)
        begins, ends = self.source.tokens.begins, self.source.tokens.ends
        inside = [n for n, at in enumerate(begins) if begin <= at and ends[n] <= end]
        if not inside:
            return range(0)
        return range(found.word_tokens[inside[0]], found.word_tokens[inside[-1]] + 1)

    def uncovered(self) -> tuple[int, int]:
        """Return how many words of the source no window has, and how many after the last."""
        known = [each for each in self.letters if each is not None]
        end = max((each.end for each in known), default=0)
        begins = self.source.begins[:-1]
        lost = [at for at in begins if not any(each.begin <= at < each.end for each in known)]
        tail = sum(at >= end for at in lost)
        return len(lost) - tail, tail


def ledger_of(windows: Sequence[Carried], regions: Regions, counts: WindowCounts) -> Ledger:
    """Return the ledger of a document with several windows: sums, and what no window has."""
    ledgers = {str(number): each.ledger for number, each in enumerate(windows)}
    total = CorpusLedger(ledgers).total
    lost, tail = regions.uncovered()
    words = total.words
    words = replace(words, source=words.source + lost + tail, deleted=words.deleted + lost)
    status: Status = "ok"
    if all(each.ledger.status == "failed" for each in windows):
        status = "failed"
    elif tail > FEW:
        status = "cut off"
    elif lost or tail or any(each.ledger.status != "ok" for each in windows):
        status = "repaired"
    return replace(
        total, words=words, missing_tail=total.missing_tail + tail, status=status, windows=counts
    )
