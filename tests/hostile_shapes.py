"""Key and response in shapes that make a careless step quadratic, as JSON lines of any size."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

Clusters = list[list[list[int]]]
Record = tuple[str, int, Clusters]
"""The name of a document, its number of tokens, its entities."""

SENTENCE = 25
WORDS = ("Anna", "of", "Bonn", "saw", "her", "and", "the", "mayor", ",", "who", "'s", "friend")


def one(spans: Iterable[tuple[int, int]]) -> Clusters:
    """All mentions in one entity."""
    return [[list(span) for span in spans]]


def each(spans: Iterable[tuple[int, int]]) -> Clusters:
    """Every mention in an entity of its own."""
    return [[list(span)] for span in spans]


def pairs(spans: Iterable[tuple[int, int]], first: int = 0) -> Clusters:
    """Every two neighbours in one entity, counted from one of the mentions."""
    some = [list(span) for span in spans][first:]
    return [some[place : place + 2] for place in range(0, len(some) - 1, 2)]


def dealt(count: int, entities: int, seed: int) -> Clusters:
    """Single tokens, dealt out to entities by chance."""
    chance = random.Random(seed)
    clusters: dict[int, list[list[int]]] = {}
    for token in range(count):
        clusters.setdefault(chance.randrange(entities), []).append([token, token])
    return list(clusters.values())


def tokens(count: int) -> list[tuple[int, int]]:
    return [(token, token) for token in range(count)]


def _two(length: int, key: Clusters, response: Clusters) -> Iterator[tuple[Record, Record]]:
    yield ("d", length, key), ("d", length, response)


def _nested(count: int) -> Iterator[tuple[Record, Record]]:
    spans = [(place, 2 * count - 1 - place) for place in range(count)]
    return _two(2 * count, one(spans), pairs(spans))


def _crossing(count: int) -> Iterator[tuple[Record, Record]]:
    spans = [(place, place + count) for place in range(count)]
    return _two(2 * count, one(spans), pairs(spans))


def _documents(count: int) -> Iterator[tuple[Record, Record]]:
    for number in range(count // 4):
        key, response = [[[0, 0], [1, 1]], [[2, 2], [3, 3]]], [[[0, 0], [2, 2]], [[1, 1], [3, 3]]]
        yield (f"d{number}", 4, key), (f"d{number}", 4, response)


def _absent(count: int) -> Iterator[tuple[Record, Record | None]]:
    for number, (key, response) in enumerate(_documents(count)):
        yield key, None if number else response


def _signs(count: int) -> Iterator[tuple[Record, Record]]:
    """Mentions that differ only in the signs at their ends: the key's in one, ours in the other."""
    spans = [(place, 2 * count - 1 - place) for place in range(count)]
    return _two(2 * count, one(spans[::2]), one(spans[1::2]))


SHAPES: dict[str, Callable[[int], Iterable[tuple[Record, Record | None]]]] = {
    "nested": _nested,
    "crossing": _crossing,
    "random": lambda n: _two(n, dealt(n, n // 5, 1), dealt(n, n // 5, 2)),
    "one entity, pairs": lambda n: _two(n, one(tokens(n)), pairs(tokens(n))),
    "pairs, one entity": lambda n: _two(n, pairs(tokens(n)), one(tokens(n))),
    "one entity, singletons": lambda n: _two(n, one(tokens(n)), each(tokens(n))),
    "shifted pairs": lambda n: _two(n, pairs(tokens(n)), pairs(tokens(n), 1)),
    "nothing found": lambda n: _two(n, one(tokens(n)), []),
    "wrong boundaries": lambda n: _two(
        3 * n,
        pairs([(3 * i, 3 * i + 1) for i in range(n)]),
        pairs([(3 * i + 1, 3 * i + 1) for i in range(n)]),
    ),
    "signs": _signs,
    "repeated": lambda n: _two(10, one([(0, 0), (2, 3)] * (n // 2)), one([(0, 0)] * n)),
    "documents": _documents,
    "missing documents": _absent,
}


def write(folder: Path, shape: str, size: int, sentence: int = SENTENCE) -> tuple[str, str]:
    """Write a shape of so many mentions; return the paths of key and response."""
    vocabulary = ("-", "'") if shape == "signs" else WORDS
    records = list(SHAPES[shape](size))
    sides: tuple[list[Record], list[Record]] = (
        [key for key, _ in records],
        [response for _, response in records if response is not None],
    )
    paths = folder / f"key-{size}.jsonl", folder / f"response-{size}.jsonl"
    for path, documents in zip(paths, sides, strict=True):
        path.write_text("".join(_line(record, sentence, vocabulary) for record in documents))
    return str(paths[0]), str(paths[1])


def _line(record: Record, sentence: int, vocabulary: tuple[str, ...]) -> str:
    name, length, clusters = record
    words = [vocabulary[token % len(vocabulary)] for token in range(length)]
    sentences = [words[first : first + sentence] for first in range(0, length, sentence)]
    names = [[[t, t, "PERSON"] for t in range(length) if words[t] == "Anna"]]
    names += [[] for _ in sentences[1:]]
    record_ = {"doc_key": name, "sentences": sentences, "ner": names, "clusters": clusters}
    return json.dumps(record_) + "\n"


if __name__ == "__main__":
    print(*write(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])), sep="\n")
