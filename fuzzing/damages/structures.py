"""Damages to the structure of JSON files, and of objects in Python."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

from fuzzing.damages.catalogue import JSON, JSONL, PYTHON, Change, required

STRUCTURES = (*JSONL, *JSON, *PYTHON)


def in_one_record(change: Callable[[dict[str, Any], Random], Any]) -> Change:
    """Make a change of one document, given as a record with ``clusters``."""

    def changed(data: bytes, random: Random) -> bytes | None:
        if is_lines(data):
            lines = data.splitlines()
            row = random.randrange(len(lines))
            lines[row] = as_json(change(json.loads(lines[row]), random))
            return b"\n".join(lines) + b"\n"
        documents = json.loads(data)
        name = random.choice(list(documents))
        documents[name] = change({"clusters": documents[name]}, random)["clusters"]
        return as_json(documents)

    return changed


def in_all_spans(data: bytes, change: Callable[[int, int], list[int]]) -> bytes | None:
    """Change all spans of a file; None if more than half of them hit another mention."""
    lines = is_lines(data)
    records = (
        [json.loads(line) for line in data.splitlines()]
        if lines
        else [{"doc_key": k, "clusters": c} for k, c in json.loads(data).items()]
    )
    total = kept = 0
    for record in records:
        spans = [span for cluster in record["clusters"] for span in cluster]
        if not all(isinstance(span, list) for span in spans):
            return None
        moved = [change(*span) for span in spans]
        total, kept = total + len(spans), kept + sum(span in spans for span in moved)
        record["clusters"] = [[change(*span) for span in c] for c in record["clusters"]]
    if 2 * kept > total:
        return None
    if lines:
        return b"\n".join(map(as_json, records)) + b"\n"
    return as_json({record["doc_key"]: record["clusters"] for record in records})


def is_lines(data: bytes) -> bool:
    """Tell JSON lines from one JSON object."""
    return b'"doc_key"' in data


def as_json(value: Any) -> bytes:
    """Write JSON as the seeds have it."""
    return json.dumps(value, ensure_ascii=False).encode()


OFF_BY_ONE = "at least twice as many mentions match once the offsets are moved back"


@required(STRUCTURES, OFF_BY_ONE)
def count_ends_exclusively(data: bytes, random: Random) -> bytes | None:
    """Ends are one larger."""
    return in_all_spans(data, lambda first, last: [first, last + 1])


@required(STRUCTURES, OFF_BY_ONE)
def count_from_one(data: bytes, random: Random) -> bytes | None:
    """Starts and ends are one larger."""
    return in_all_spans(data, lambda first, last: [first + 1, last + 1])


@required(STRUCTURES, OFF_BY_ONE)
def move_starts(data: bytes, random: Random) -> bytes | None:
    """Starts are one smaller."""
    return in_all_spans(data, lambda first, last: [max(first - 1, 0), last])


def _one_mention(change: Callable[[Any], Any]) -> Change:
    """Change one mention, whatever it is."""

    def changed(record: dict[str, Any], random: Random) -> dict[str, Any]:
        clusters = record["clusters"]
        cluster = random.choice(clusters)
        place = random.randrange(len(cluster))
        cluster[place] = change(cluster[place])
        return record

    return in_one_record(changed)


@required(STRUCTURES, "a mention ends before it begins")
def swap_first_and_last(data: bytes, random: Random) -> bytes | None:
    """One mention has its last token first."""
    return _one_mention(lambda m: m[::-1] if isinstance(m, list) else m)(data, random)


@required(STRUCTURES, "a mention is two whole numbers, or text like the others")
def write_numbers_as_text(data: bytes, random: Random) -> bytes | None:
    """``[3, 4]`` becomes ``["3", "4"]``."""
    return _one_mention(lambda m: [str(n) for n in m] if isinstance(m, list) else m)(data, random)


@required(STRUCTURES, "a mention is two whole numbers, or text like the others")
def write_numbers_as_floats(data: bytes, random: Random) -> bytes | None:
    """``[3, 4]`` becomes ``[3.5, 4.5]``."""
    return _one_mention(lambda m: [n + 0.5 for n in m] if isinstance(m, list) else m)(data, random)


@required(STRUCTURES, "null is no mention")
def write_null_for_a_mention(data: bytes, random: Random) -> bytes | None:
    """One mention is null."""
    return _one_mention(lambda mention: None)(data, random)


@required(STRUCTURES, "a mention is two whole numbers, or text like the others")
def nest_one_mention_deeper(data: bytes, random: Random) -> bytes | None:
    """``[3, 4]`` becomes ``[[3, 4]]``."""
    return _one_mention(lambda mention: [mention])(data, random)


@required(STRUCTURES, "the mentions of an entity are not mentions, or all of one kind")
def nest_clusters_deeper(data: bytes, random: Random) -> bytes | None:
    """Every entity is in another list."""
    return in_one_record(lambda r, _: {**r, "clusters": [[entity] for entity in r["clusters"]]})(
        data, random
    )


@required(STRUCTURES, "an entity is a list of mentions")
def flatten_clusters(data: bytes, random: Random) -> bytes | None:
    """The mentions of all entities are in one list."""
    return in_one_record(
        lambda r, _: {**r, "clusters": [mention for entity in r["clusters"] for mention in entity]}
    )(data, random)


@required(JSONL, "a line needs a name and clusters")
def drop_a_field(data: bytes, random: Random) -> bytes | None:
    """A field of one line is lost."""

    def change(record: dict[str, Any], random: Random) -> dict[str, Any]:
        del record[random.choice(list(record))]
        return record

    return in_one_record(change)(data, random)


@required(JSONL, "a line needs clusters under a known name")
def rename_the_clusters(data: bytes, random: Random) -> bytes | None:
    """The field ``clusters`` has another name."""
    return data.replace(b'"clusters"', random.choice([b'"cluster"', b'"Clusters"', b'"entities"']))


@required((*JSONL, *JSON), "a key comes twice in one object")
def repeat_a_key(data: bytes, random: Random) -> bytes | None:
    """A document, or a field, is given a second time and is empty there."""
    first = data.index(b'"')
    key = b'"clusters"' if is_lines(data) else data[first : data.index(b":", first)]
    end = data.index(b"\n") - 1 if is_lines(data) else data.rindex(b"}")
    return data[:end] + b", " + key + b": []" + data[end:]


@required(JSONL, "empty sentences have no tokens; mentions lie outside a text of none")
def empty_the_sentences(data: bytes, random: Random) -> bytes | None:
    """One line gets an empty sentence, or nothing but empty ones."""

    def change(record: dict[str, Any], random: Random) -> dict[str, Any]:
        sentences = record["sentences"]
        return {**record, "sentences": random.choice([[[], *sentences], [[] for _ in sentences]])}

    return in_one_record(change)(data, random)


@required(JSONL, "a word less: mentions lie outside, or the numbers of tokens differ")
def lose_a_word(data: bytes, random: Random) -> bytes | None:
    """One word is missing from the sentences."""

    def change(record: dict[str, Any], random: Random) -> dict[str, Any]:
        sentence = random.choice(record["sentences"])
        del sentence[random.randrange(len(sentence))]
        return record

    return in_one_record(change)(data, random)


@required(JSONL, "the file is one JSON value, not one object on each line")
def write_lines_as_a_list(data: bytes, random: Random) -> bytes | None:
    """The lines became one JSON list."""
    return as_json([json.loads(line) for line in data.splitlines()])


@required(JSONL, "a line is not a JSON object")
def indent_the_lines(data: bytes, random: Random) -> bytes | None:
    """A formatter spread each object over several lines."""
    return "\n".join(
        json.dumps(json.loads(line), indent=1, ensure_ascii=False) for line in data.splitlines()
    ).encode()


@required(PYTHON, "a list of documents is not the clusters of one document")
def pass_a_list_of_documents(data: bytes, random: Random) -> bytes | None:
    """The documents lose their names."""
    return as_json(list(json.loads(data).values()))


@required(PYTHON, "a record of JSON lines is not a dictionary of documents")
def pass_a_record(data: bytes, random: Random) -> bytes | None:
    """One document is given as a line of JSON lines."""
    name, clusters = random.choice(list(json.loads(data).items()))
    return as_json({"doc_key": name, "sentences": [["w"] * 40], "clusters": clusters})


@required(PYTHON, "the clusters of one document are not those of all")
def pass_one_document(data: bytes, random: Random) -> bytes | None:
    """The clusters of one document stand for all documents."""
    return as_json(random.choice(list(json.loads(data).values())))


@required(PYTHON, "text is not a list of mentions")
def join_the_mentions(data: bytes, random: Random) -> bytes | None:
    """The entities of one document are text, such as ``"0-1 3-3"``."""
    documents = json.loads(data)
    name = random.choice(list(documents))
    documents[name] = [" ".join(map(str, entity)) for entity in documents[name]]
    return as_json(documents)


@required(PYTHON, "None is not clusters")
def pass_none(data: bytes, random: Random) -> bytes | None:
    """A document, or all of them, are None."""
    documents = json.loads(data)
    return as_json(random.choice([None, {**documents, random.choice(list(documents)): None}]))
