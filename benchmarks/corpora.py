"""Made-up corpora in the columns of CoNLL-2012, the same on every machine: no data is needed.

A response is a noisy copy of the key. ``python corpora.py news`` writes a preset under ``data/``,
unless it is there already, and prints the paths of the key and of each response.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from noise import Mentions, expressible, mistaken_copy, noisy_copy
from sentences import TAGS, Integers, Lexicon, Rows, Sketches, Texts, make_lexicon, make_sketches

VERSION = 1
"""Of what is generated: files of another version are not used."""
DATA = Path(__file__).parent / "data"

WIDENED = 0.04
"""Share of noun phrases that reach beyond their end, so that mentions cross."""
LONGEST = 1 << 12
"""No sentence has so many tokens."""


@dataclass(frozen=True, slots=True)
class Preset:
    """How large a corpus is."""

    name: str
    documents: int
    tokens: int
    mentions: int
    entities: int
    largest: float
    """Share of a document's mentions in its largest entity."""
    smallest: int
    """Mentions of the smallest entities."""
    all_errors: bool = False
    """Whether the response has errors of all types; else it has no wrong boundaries."""
    systems: int = 1
    """Responses, each a noisy copy of its own."""


PRESETS = {
    preset.name: preset
    for preset in (
        Preset("news", 348, 165_000, 20_000, 4_550, 0.2, 2),
        Preset("book", 1, 200_000, 15_000, 6_000, 0.15, 1),
        Preset("large", 5_000, 2_230_000, 270_000, 61_000, 0.2, 2),
        Preset("small-large", 500, 223_000, 27_000, 6_100, 0.2, 2),
        Preset("news-parsed", 348, 165_000, 20_000, 4_550, 0.2, 2, all_errors=True),
        Preset("half-news-parsed", 174, 82_500, 10_000, 2_275, 0.2, 2, all_errors=True),
        Preset("half-saga", 1, 62_500, 7_500, 1_250, 0.335, 2, all_errors=True),
        Preset("saga", 1, 125_000, 15_000, 2_500, 0.335, 2, all_errors=True),
        Preset("double-saga", 1, 250_000, 30_000, 5_000, 0.335, 2, all_errors=True),
        Preset("news-systems", 348, 165_000, 20_000, 4_550, 0.2, 2, systems=10),
        Preset("short", 10_000, 600_000, 80_000, 25_000, 0.4, 2, systems=2),
    )
}


@dataclass(frozen=True, slots=True)
class Text:
    """The tokens of a corpus: everything but coreference."""

    documents: Rows
    """The sentences of each document."""
    sentences: Rows
    """The tokens of each sentence."""
    sketch: Integers
    """The structure of each sentence."""
    word: Integers
    """The number of each token's word."""


def corpus_files(name: str) -> list[Path]:
    """Return the key and the responses of a preset, written now if they are not there."""
    place, preset = DATA / f"{name}-{VERSION}", PRESETS[name]
    names = ["key", "response", *(f"response{n}" for n in range(2, preset.systems + 1))]
    paths = [place / f"{name}.conll" for name in names]
    if not all(path.exists() for path in paths):
        place.mkdir(parents=True, exist_ok=True)
        parts = [path.with_suffix(".part") for path in paths]
        with ExitStack() as stack:
            write_corpus(preset, *(stack.enter_context(part.open("wb")) for part in parts))
        for part, path in zip(parts, paths, strict=True):
            part.rename(path)
    return paths


def write_corpus(preset: Preset, key: BinaryIO, *responses: BinaryIO) -> None:
    """Generate a corpus and write all sides."""
    random, rng = Random(preset.name), np.random.default_rng(list(preset.name.encode()))
    sketches, lexicon = make_sketches(random), make_lexicon(random)
    text = _draw_text(preset, sketches, lexicon, rng)
    key_mentions, spare = _draw_mentions(preset, text, sketches, rng)
    sides = [key_mentions, *(_response(preset, text, key_mentions, spare, rng) for _ in responses)]
    cells = [_cells(mentions, len(text.word)) for mentions in sides]
    for document, lines in enumerate(_left_columns(text, sketches, lexicon, rng)):
        for stream, cell in zip((key, *responses), cells, strict=True):
            stream.writelines(_document_lines(document, text, lines, cell))


def _response(
    preset: Preset, text: Text, key: Mentions, spare: Mentions, rng: np.random.Generator
) -> Mentions:
    if not preset.all_errors:
        return noisy_copy(key, spare, rng)
    last_tokens = text.sentences.first + text.sentences.count - 1
    return mistaken_copy(key, spare, last_tokens, rng)


def _draw_text(
    preset: Preset, sketches: Sketches, lexicon: Lexicon, rng: np.random.Generator
) -> Text:
    """Draw enough sentences, and cut them into documents of unequal length."""
    lengths = sketches.tokens.count
    enough = int(1.2 * preset.tokens / lengths.mean()) + 50
    sketch = rng.integers(len(lengths), size=enough)
    tokens_so_far = np.cumsum(lengths[sketch])
    share = rng.lognormal(sigma=0.5, size=preset.documents)
    ends = np.cumsum(share) / share.sum() * preset.tokens
    last = np.searchsorted(tokens_so_far, ends)
    # A short document may end in the sentence in which the one before it ends.
    last = np.maximum.accumulate(last - np.arange(len(last))) + np.arange(len(last))
    sketch = sketch[: last[-1] + 1]
    return Text(
        Rows.of(np.diff(last, prepend=-1).tolist()),
        Rows.of(lengths[sketch].tolist()),
        sketch,
        lexicon.draw(sketches.tags[sketches.tokens.of_groups(sketch)], rng),
    )


def _draw_mentions(
    preset: Preset, text: Text, sketches: Sketches, rng: np.random.Generator
) -> tuple[Mentions, Mentions]:
    """Draw the key's mentions from the noun phrases; return those that are left as well."""
    phrases = _noun_phrases(text, sketches, rng)
    chosen = np.zeros(len(phrases), dtype=bool)
    chosen[rng.choice(len(phrases), preset.mentions, replace=False)] = True
    mentions = phrases[chosen]
    counts = np.bincount(mentions.document, minlength=preset.documents)
    share = preset.entities / preset.mentions
    entity = [rng.permutation(_entity_numbers(int(n), share, preset)) for n in counts]
    return expressible(mentions.with_entities(np.concatenate(entity))), phrases[~chosen]


def _noun_phrases(text: Text, sketches: Sketches, rng: np.random.Generator) -> Mentions:
    """Return all noun phrases, each span once; a few reach beyond their end."""
    rows = sketches.phrases.of_groups(text.sketch)
    sentence = np.repeat(np.arange(len(text.sketch)), sketches.phrases.count[text.sketch])
    begin = text.sentences.first[sentence]
    last = begin + text.sentences.count[sentence] - 1
    widening = rng.integers(1, 3, len(rows)) * (rng.random(len(rows)) < WIDENED)
    start = begin + sketches.phrase_start[rows]
    end = np.minimum(begin + sketches.phrase_end[rows] + widening, last)
    _, first = np.unique(start * LONGEST + (end - start), return_index=True)
    document = np.repeat(np.arange(len(text.documents.count)), text.documents.count)
    return Mentions(start, end, document[sentence], np.full(len(rows), -1))[first]


def _entity_numbers(mentions: int, share: float, preset: Preset) -> Integers:
    entities = min(max(round(mentions * share), 1), max(mentions // preset.smallest, 1))
    sizes = entity_sizes(mentions, entities, int(mentions * preset.largest), preset.smallest)
    return np.repeat(np.arange(entities), sizes)


@cache
def entity_sizes(mentions: int, entities: int, largest: int, smallest: int) -> Integers:
    """Share mentions out among entities: the k-th has about largest / k**a, as by Pareto's law.

    The steepness ``a`` is found by bisection; what rounding leaves over goes to the largest entity.
    """
    rank = np.arange(1, entities + 1)
    flat, steep = 0.0, 64.0
    for _ in range(40):
        middle = (flat + steep) / 2
        too_many = np.maximum(largest / rank**middle, smallest).astype(np.int64).sum() > mentions
        flat, steep = (middle, steep) if too_many else (flat, middle)
    sizes = np.maximum(largest / rank**steep, smallest).astype(np.int64)
    sizes[0] += mentions - sizes.sum()
    return np.asarray(sizes)


def _cells(mentions: Mentions, tokens: int) -> Texts:
    """Write the brackets of each token: what opens, the longest first, then what closes."""
    start, end, entity = mentions.start.tolist(), mentions.end.tolist(), mentions.entity.tolist()
    brackets: dict[int, list[str]] = {}
    for row in np.lexsort((-mentions.end, mentions.start)).tolist():
        close = ")" if start[row] == end[row] else ""
        brackets.setdefault(start[row], []).append(f"({entity[row]}{close}")
    for row in np.lexsort((-mentions.start, mentions.end)).tolist():
        if start[row] < end[row]:
            brackets.setdefault(end[row], []).append(f"{entity[row]})")
    written = np.array(["|".join(cell) for cell in brackets.values()], dtype=np.bytes_)
    cells = np.full(tokens, b"-", dtype=written.dtype)
    cells[list(brackets)] = written
    return cells


def _left_columns(
    text: Text, sketches: Sketches, lexicon: Lexicon, rng: np.random.Generator
) -> Iterator[NDArray[np.uint8]]:
    """Yield the lines of each document without the last column."""
    tag_names = np.array(TAGS, dtype=np.bytes_)
    for document, first in enumerate(text.documents.first.tolist()):
        sentences = np.arange(first, first + text.documents.count[document])
        tokens = text.sentences.of_groups(sentences)
        rows = sketches.tokens.of_groups(text.sketch[sentences])
        word = text.word[tokens]
        begin, length = text.sentences.first[sentences], text.sentences.count[sentences]
        yield _grid(
            _same(_name(document), tokens),
            _same("0", tokens),
            (tokens - np.repeat(begin, length)).astype(np.bytes_),
            lexicon.words[word],
            tag_names[sketches.tags[rows]],
            sketches.bits[rows],
            lexicon.lemmas[word],
            np.where(lexicon.lemmas[word] == b"-", b"-", b"01"),
            np.where(word % 7 == 0, b"1", b"-"),
            np.repeat(_speakers(document, sentences, rng), length),
            sketches.names[rows],
        )


def _name(document: int) -> str:
    genre = "bc" if document % 4 == 3 else "nw"
    return f"{genre}/{document:04d}"


def _same(value: str, tokens: Integers) -> Texts:
    return np.full(len(tokens), value.encode())


def _speakers(document: int, sentences: Integers, rng: np.random.Generator) -> Texts:
    """Return who says each sentence: in every fourth document people talk."""
    if document % 4 != 3:
        return _same("-", sentences)
    names = np.array([b"Speaker#1", b"Speaker#2", b"Ansel"])
    return np.asarray(names[rng.integers(len(names), size=len(sentences))])


def _grid(*columns: Texts) -> NDArray[np.uint8]:
    """Set columns side by side as OntoNotes does: wide enough for the document, to the right."""
    padded = []
    for column in columns:
        width = int(np.strings.str_len(column).max()) + 2
        cells = np.strings.rjust(column, width)
        padded.append(np.ascontiguousarray(cells).view(np.uint8).reshape(len(column), width))
    padded[0] = padded[0][:, 2:] if len(columns) > 1 else padded[0]
    return np.concatenate(padded, axis=1)


def _document_lines(
    document: int, text: Text, lines: NDArray[np.uint8], cells: Texts
) -> Iterator[bytes]:
    """Yield a document: its lines with the last column, a blank line after each sentence."""
    first = int(text.documents.first[document])
    sentences = slice(first, first + int(text.documents.count[document]))
    begin = int(text.sentences.first[first])
    newline = np.full((len(lines), 1), ord("\n"), dtype=np.uint8)
    last = _grid(cells[begin : begin + len(lines)])
    whole = np.concatenate((lines, last, newline), axis=1)
    yield f"#begin document ({_name(document)}); part 000\n".encode()
    starts = text.sentences.first[sentences] - begin
    for start, count in zip(starts.tolist(), text.sentences.count[sentences].tolist(), strict=True):
        yield whole[start : start + count].tobytes()
        yield b"\n"
    yield b"#end document\n"


def main(names: list[str]) -> None:
    """Write the presets and print where they are."""
    for name in names:
        print(*corpus_files(name), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
