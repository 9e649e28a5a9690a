"""Small random documents, written in every format without the readers under test."""

from __future__ import annotations

import json
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from random import Random

import corefscope as cs
from corefscope.formats.registry import FORMATS, writings
from file_formats import EACH, LINES, SENTENCE, SYLLABLES, WHOLE, Mention, Text, files_of

MOST_MENTIONS, MOST_ENTITIES = 7, 4
"""Per sentence, and per document: the reference implementations try all alignments."""
LINKED_ONLY = frozenset({"brat"})
"""Formats without entities of one mention."""

OF_MENTIONS = frozenset({"pairs", "tables", "cdcr-json"})
"""Formats that say nothing of a document without mentions."""


def random_text(name: str, random: Random) -> Text:
    """Return a document of one or two sentences, no word of which occurs twice."""
    words: list[str] = []
    mentions: list[Mention] = []
    for sentence in range(random.randint(1, 2)):
        begin = sentence * SENTENCE
        words += [f"{random.choice(SYLLABLES)}{begin + n}" for n in range(SENTENCE - 1)] + ["."]
        mentions += random_mentions(begin, random)
    return Text(name, words, mentions)


def random_mentions(begin: int, random: Random) -> list[Mention]:
    """Return mentions of a sentence that do not cross; nested ones are of different entities."""
    found: list[Mention] = []
    for _ in range(random.randint(0, MOST_MENTIONS)):
        first = random.randrange(begin, begin + SENTENCE - 1)
        last = min(first + random.choice([0, 0, 0, 1, 2, 5]), begin + SENTENCE - 2)
        new = Mention(first, last, random.randrange(MOST_ENTITIES))
        if all(_fits(new, old) for old in found):
            found.append(new)
    return sorted(found)


def _fits(one: Mention, other: Mention) -> bool:
    if one.last < other.first or other.last < one.first:
        return True
    outer, inner = sorted((one, other), key=lambda each: each.first - each.last)
    is_nested = outer.first <= inner.first and inner.last <= outer.last
    is_other = (one.first, one.last) != (other.first, other.last)
    return is_nested and is_other and one.entity != other.entity


def changed(text: Text, random: Random) -> Text:
    """Return a document with the same words, some mentions of which are lost, moved or new."""
    begins = range(0, len(text.words), SENTENCE)
    drawn = [mention for begin in begins for mention in random_mentions(begin, random)]
    kept: list[Mention] = []
    for mention in (*text.mentions, *drawn):
        is_kept = random.random() < (0.8 if mention in text.mentions else 0.3)
        if is_kept and all(_fits(mention, other) for other in kept):
            kept.append(mention)
    return Text(text.name, text.words, sorted(kept))


def without_singletons(text: Text) -> Text:
    """Return a document without entities of one mention."""
    kept = [m for m in text.mentions if len(text.entities[m.entity]) > 1]
    return Text(text.name, text.words, kept)


def as_lines(texts: list[Text]) -> bytes:
    """Return documents as plain JSON lines, by which every format is judged."""
    return b"".join(json.dumps(LINES["jsonl"](text)).encode() + b"\n" for text in texts)


def _tagged(text: Text) -> str:
    return EACH["tagged"](text)[f"{text.name}.txt"]


def _answers(texts: list[Text]) -> dict[str, str]:
    lines = [json.dumps({"doc_key": text.name, "output": _tagged(text)}) for text in texts]
    return {"answers.jsonl": "\n".join(lines) + "\n"}


def _corefinst(texts: list[Text]) -> dict[str, str]:
    """One window for each document, with its two sentences."""
    lines = []
    for text in texts:
        pieces: list[str] = []
        for token, word in enumerate(text.words):
            begin, end = text.at(token)
            closed = [f"</m>#{mention.entity}" for mention in reversed(end)]
            pieces += ["<m>" for _ in begin] + [word, *closed]
            if token == SENTENCE - 1 and len(text.words) > SENTENCE:
                pieces.append("[MID]")
        inside = " ".join(pieces).replace(" [MID] ", "[MID]")
        lines.append(json.dumps({"doc_id": text.name, "order": 0, "text": inside}))
    return {"windows.jsonl": "\n".join(lines) + "\n"}


OTHERS: dict[str, Callable[[list[Text]], dict[str, str]]] = {
    "answers": _answers,
    "corefinst": _corefinst,
}
"""Formats that neither corefscope nor the benchmarks write."""


def in_format(format: str, texts: list[Text]) -> dict[str, bytes]:
    """Return the files of documents in a format."""
    if format == "tables":
        return _tables(texts)
    if format in OTHERS:
        files = OTHERS[format](texts)
    elif format in (*LINES, *WHOLE, *EACH):
        files = dict(files_of(format, texts))
    else:
        return _written(format, texts)
    return {name: contents.encode() for name, contents in files.items()}


def _tables(texts: list[Text]) -> dict[str, bytes]:
    """Return a Parquet file for each document."""
    import duckdb

    files = {}
    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as connection:
        for text in texts:
            path = Path(folder) / "table.parquet"
            connection.execute("CREATE OR REPLACE TABLE t (mention_id VARCHAR, cluster_id INTEGER)")
            for mention in text.mentions:
                row = [f"{mention.first}-{mention.last}", mention.entity]
                connection.execute("INSERT INTO t VALUES (?, ?)", row)
            connection.execute(f"COPY t TO '{path}' (FORMAT parquet)")
            files[f"{text.name}.parquet"] = path.read_bytes()
    return files


def _written(format: str, texts: list[Text]) -> dict[str, bytes]:
    """Return the files that corefscope writes, from a format that has text and characters."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", cs.CorefscopeWarning)
        path = Path(folder) / "corpus.jsonl"
        path.write_text(files_of("coref-data", texts)["corpus.jsonl"], encoding="utf-8")
        return dict(writings()[format].write(cs.read(path, "coref-data")))


UNWRITTEN = set(FORMATS) - {"tables", *OTHERS, *LINES, *WHOLE, *EACH, *writings()}
assert not UNWRITTEN, f"no writer of small documents: {', '.join(sorted(UNWRITTEN))}"
