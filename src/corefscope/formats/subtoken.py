"""JSON lines whose positions count word pieces: coref-hoi, mandarjoshi90/coref, fast-coref.

These files have the fields of JSON lines (`doc_key`, `sentences`, `clusters` or
`predicted_clusters`), but `sentences` are segments of word pieces. Positions count the pieces of
all segments from 0, and ends are inclusive. `subtoken_map` has the word of each piece, and
`sentence_map` its sentence. The words are in `tokens` or `orig_tokens`; otherwise they are put
together from the pieces (`##x`, `▁x`, `Ġx`).

- coref-hoi and mandarjoshi90/coref count the pieces `[CLS]` and `[SEP]` of every segment,
  fast-coref has none. Both are right as they are.
- A mention that begins at `[CLS]` belongs to the last word of the segment before; this is reported.
- If `subtoken_map` has another length than all segments together, the file is refused (`E112`). If
  `sentences` has words in place of pieces, read the file as `jsonl`.
- If the pieces are numbers, the words are unknown.
- A file often has `clusters` and `predicted_clusters`: a key is read from the first, a response
  from the second.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, pairwise
from typing import Any

from corefscope.corpus.offsets import Convention
from corefscope.findings import Code, Finding
from corefscope.formats.reading.draft import Draft
from corefscope.formats.reading.drafting import Unfit
from corefscope.formats.reading.json_documents import JsonDocument, document_reader
from corefscope.formats.reading.shapes import lengths_of, list_of, name_of, words_of

PIECES = Convention(0, "inclusive", "piece")
SPECIAL = frozenset({"[CLS]", "[SEP]", "[PAD]", "<s>", "</s>", "<pad>", "<|endoftext|>"})
"""Pieces that are no part of a word."""
MARKS = ("##", "▁", "Ġ")
"""What pieces begin with that go on a word, or begin one; alone it is a word."""


def _drafts(document: JsonDocument) -> Iterator[Draft]:
    fields = document.fields
    segments = list_of(fields, "sentences", "a list of segments, [[piece, …], …]")
    if not all(isinstance(segment, list) for segment in segments):
        raise Unfit("'sentences' is no list of lists", expected="a list of segments")
    pieces: list[Any] = list(chain.from_iterable(segments))
    draft = _of_pieces(fields, pieces, _places(fields, len(pieces)))
    draft.name = name_of(fields)
    draft.usual = draft.convention
    draft.convention = document.options.convention(draft.usual)
    draft.mentions = document.entities()
    draft.findings = document.findings
    _report_special(draft, pieces)
    _report_skipped(draft)
    if draft.complete is not None and draft.convention.unit == "sentence":
        draft.complete(draft)
    yield draft


def _places(record: dict[str, Any], count: int) -> list[int]:
    """Return the word of each piece."""
    places = list_of(record, "subtoken_map", "a list with the word of each piece")
    if len(places) != count:
        raise Unfit(
            f"'subtoken_map' has {len(places)} numbers",
            expected=(
                f"{count}, one for each piece in 'sentences': if 'sentences' has words, use the "
                "format 'jsonl'"
            ),
        )
    if not {int}.issuperset(map(type, places)) or min(places, default=0) < 0:
        raise Unfit("'subtoken_map' has values that are no words", expected="a number per piece")
    falls = next((n for n, (one, two) in enumerate(pairwise(places), 1) if two < one), None)
    if falls is not None:
        raise Unfit(
            f"'subtoken_map' falls from {places[falls - 1]} to {places[falls]} at piece {falls}",
            expected="the words in their order",
        )
    return places


def _of_pieces(record: dict[str, Any], pieces: Sequence[Any], places: list[int]) -> Draft:
    """Return a draft with the words, their sentences and speakers."""
    count = max(places, default=-1) + 1
    if count > len(pieces):
        raise Unfit(f"'subtoken_map' has word {count - 1}", expected="no more words than pieces")
    words = _words(record, pieces, places, count)
    layers = None if words is None else partial(_add_layers, record, pieces, places)
    return Draft(name=None, convention=PIECES, words=words, pieces=places, complete=layers)


def _add_layers(
    record: dict[str, Any], pieces: Sequence[Any], places: Sequence[int], draft: Draft
) -> None:
    """Add the sentences and the speakers of the words, if the file has them for each piece."""
    order = _first_pieces(pieces, places, len(draft.words or ()))
    numbers = record.get("sentence_map")
    if isinstance(numbers, list) and len(numbers) == len(pieces) and None not in order:
        draft.sentences = lengths_of([numbers[place] for place in order if place is not None])
    speakers = _flat(record.get("speakers"))
    if len(speakers) == len(pieces) and all(isinstance(each, str) for each in speakers):
        draft.columns["speakers"] = ["-" if p is None else speakers[p] for p in order]


def _first_pieces(pieces: Sequence[Any], places: Sequence[int], count: int) -> list[int | None]:
    """Return the first piece of each word; a special piece only if there is no other."""
    special = {number for number, piece in enumerate(pieces) if _is_special(piece)}
    found: list[int | None] = [None] * count
    for number in range(len(pieces) - 1, -1, -1):
        if number in special:
            continue
        found[places[number]] = number
    for number in special:
        if found[places[number]] is None:
            found[places[number]] = number
    return found


def _is_special(piece: Any) -> bool:
    return type(piece) is str and piece in SPECIAL


def _flat(rows: Any) -> list[Any]:
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        return []
    return list(chain.from_iterable(rows))


def _words(
    record: dict[str, Any], pieces: Sequence[Any], places: Sequence[int], count: int
) -> list[str] | None:
    """Return the words of a document; None if pieces are numbers."""
    for field in ("tokens", "orig_tokens"):
        if record.get(field) is not None:
            words = words_of(record, field)
            if len(words) < count:
                raise Unfit(f"{field!r} has {len(words)} words; 'subtoken_map' names {count}")
            return words
    if not {str}.issuperset(map(type, pieces)):
        return None
    # A text has many pieces, but few that differ.
    bare = {piece: _bare(piece) for piece in set(pieces)}
    glued = [""] * count
    for piece, place in zip(pieces, places, strict=True):
        glued[place] += bare[piece]
    return glued


def _bare(piece: str) -> str:
    """Return a piece without its mark; nothing if it is no part of a word."""
    if piece in SPECIAL:
        return ""
    mark = next((mark for mark in MARKS if piece.startswith(mark)), "")
    return piece[len(mark) :] or piece


def _report_skipped(draft: Draft) -> None:
    """Report words without a piece, which no mention can begin or end with."""
    places = draft.pieces or ()
    skipped = sorted(set(range(max(places, default=-1) + 1)) - set(places))
    if skipped:
        words = "word" if len(skipped) == 1 else "words"
        draft.findings.append(
            Finding(
                Code.BAD_LAYER,
                f"'subtoken_map' skips {len(skipped)} {words}, the first is {skipped[0]}",
                expected="a piece of each: positions after it may be wrong",
            )
        )


def _report_special(draft: Draft, pieces: Sequence[Any]) -> None:
    count = len(pieces)
    found = [
        place
        for place in draft.mentions.places
        for first, last in [draft.convention.convert(*place)]
        if (0 <= first < count and _is_special(pieces[first]))
        or (0 <= last < count and _is_special(pieces[last]))
    ]
    if found:
        mentions = "mention begins or ends" if len(found) == 1 else "mentions begin or end"
        draft.findings.append(
            Finding(
                Code.INSIDE_TOKEN,
                f"{len(found)} {mentions} at a special piece such as [CLS], the first is "
                f"{list(found[0])}",
                expected="pieces of words: the word is that of 'subtoken_map'",
            )
        )


read = document_reader(_drafts)
