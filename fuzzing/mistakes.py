"""Mistakes that people or programs were seen to make, each made on purpose in a well-formed file.

Only for these is silence a defect: the file has to be refused, or read with a finding of one of the
codes, or read as if the mistake had not been made. Add a mistake when somebody was seen to make it,
and say who. Everything else that the fuzzer thinks of must only not crash, hang, destroy data or
compute wrongly.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

Change = Callable[[bytes, Random], bytes | None]
"""A change of a file at a place drawn from random numbers; None where it cannot be made."""
Cells = list[bytes]
Record = dict[str, Any]


# ---- Rows and cells of CoNLL ----


def _token_rows(lines: Sequence[bytes]) -> list[int]:
    return [n for n, line in enumerate(lines) if line.strip() and not line.startswith(b"#")]


def _cells(line: bytes) -> Cells:
    """Split a row into its cells (even places) and the gaps between them (odd places)."""
    return re.split(rb"(\t)" if b"\t" in line else rb"( +)", line)


def _in_a_row(change: Callable[[Cells], Cells]) -> Change:
    """Change the cells of one row that has brackets."""

    def changed(data: bytes, random: Random) -> bytes | None:
        lines = data.split(b"\n")
        rows = [n for n in _token_rows(lines) if re.search(rb"[()]", _cells(lines[n])[-1])]
        if not rows:
            return None
        row = random.choice(rows)
        lines[row] = b"".join(change(_cells(lines[row])))
        return b"\n".join(lines)

    return changed


def _in_all_rows(change: Callable[[Cells], Cells]) -> Change:
    def changed(data: bytes, _: Random) -> bytes:
        lines = data.split(b"\n")
        for row in _token_rows(lines):
            lines[row] = b"".join(change(_cells(lines[row])))
        return b"\n".join(lines)

    return changed


def _swap_two_columns(data: bytes, random: Random) -> bytes | None:
    """The last column and another change places."""
    other = -1 - 2 * random.randint(1, 12)

    def swapped(cells: Cells) -> Cells:
        if -other <= len(cells):
            cells[-1], cells[other] = cells[other], cells[-1]
        return cells

    return _in_all_rows(swapped)(data, random)


def _without_a_line(start: bytes) -> Change:
    def changed(data: bytes, random: Random) -> bytes | None:
        lines = data.split(b"\n")
        found = [n for n, line in enumerate(lines) if line.startswith(start)]
        if not found:
            return None
        del lines[random.choice(found)]
        return b"\n".join(lines)

    return changed


def _glue_two_documents(data: bytes, _: Random) -> bytes:
    return re.sub(rb"(#end document|\})\n(#begin|\{)", rb"\1\2", data, count=1)


# ---- Documents of JSON ----


def _records(data: bytes) -> list[Record]:
    if b'"doc_key"' in data:
        return [json.loads(line) for line in data.splitlines()]
    return [{"doc_key": name, "clusters": each} for name, each in json.loads(data).items()]


def _written(data: bytes, records: Sequence[Record]) -> bytes:
    if b'"doc_key"' in data:
        return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in records).encode()
    return json.dumps({each["doc_key"]: each["clusters"] for each in records}).encode()


def _in_a_record(change: Callable[[Record, Random], Record]) -> Change:
    def changed(data: bytes, random: Random) -> bytes:
        records = _records(data)
        row = random.randrange(len(records))
        records[row] = change(records[row], random)
        return _written(data, records)

    return changed


def _in_all_spans(change: Callable[[int, int], list[int]]) -> Change:
    """Change all spans of a file; None if more than half of them hit another mention."""

    def changed(data: bytes, _: Random) -> bytes | None:
        records = _records(data)
        total = kept = 0
        for record in records:
            spans = [span for cluster in record["clusters"] for span in cluster]
            if not all(isinstance(span, list) for span in spans):
                return None
            total, kept = total + len(spans), kept + sum(change(*span) in spans for span in spans)
            record["clusters"] = [[change(*span) for span in c] for c in record["clusters"]]
        return None if 2 * kept > total else _written(data, records)

    return changed


def _count_characters(data: bytes, _: Random) -> bytes | None:
    """Positions count the characters of the words, joined by blanks."""
    records = _records(data)
    for record in records:
        words = [word for sentence in record["sentences"] for word in sentence]
        starts = [sum(map(len, words[:n])) + n for n in range(len(words))]
        if not all(isinstance(span, list) for cluster in record["clusters"] for span in cluster):
            return None
        record["clusters"] = [
            [[starts[first], starts[last] + len(words[last])] for first, last in cluster]
            for cluster in record["clusters"]
        ]
    return _written(data, records)


def _flatten(record: Record, _: Random) -> Record:
    return {**record, "clusters": [each for entity in record["clusters"] for each in entity]}


def _nest_deeper(record: Record, _: Random) -> Record:
    return {**record, "clusters": [[entity] for entity in record["clusters"]]}


def _lose_a_word(record: Record, random: Random) -> Record:
    sentence = random.choice(record["sentences"])
    del sentence[random.randrange(len(sentence))]
    return record


def _add_an_answer(data: bytes, _: Random) -> bytes:
    """The clusters are gold, and the answer stands beside them, with other entities."""
    records = [{**each, "predicted_clusters": each["clusters"][:1]} for each in _records(data)]
    return _written(data, records)


def _one_document(data: bytes, random: Random) -> bytes:
    return json.dumps(random.choice(list(json.loads(data).values()))).encode()


# ---- Files beside the corpora ----


def _two_types(data: bytes, random: Random) -> bytes | None:
    lines = data.splitlines()
    if b"\t" not in data:
        return None
    return data + lines[random.choice(_token_rows(lines))].rpartition(b"\t")[0] + b"\tORG\n"


def _change_a_score(data: bytes, random: Random) -> bytes:
    match = random.choice(list(re.finditer(rb"-?\d+\.\d+(?=[,\s\]}])", data)))
    value = random.choice([b"-500", b"NaN", b"null", b"0.123", b"99"])
    return data[: match.start()] + value + data[match.end() :]


def _change_the_signature(data: bytes, random: Random) -> bytes:
    rules = [(b"singletons:keep", b"singletons:drop"), (b"match:exact", b"match:head")]
    return data.replace(*random.choice(rules), 1)


def _replacing(old: bytes, new: bytes) -> Change:
    return lambda data, _: data.replace(old, new)


# ---- The list ----


class Mistake(NamedTuple):
    """A mistake, the files it is made in, and what has to be said."""

    change: Change
    kinds: tuple[str, ...]
    codes: str
    """Codes of findings, one of which is enough; none if the file means the same."""
    seen: str
    """Who made it: a program, an issue of it, a data set, a user of ours."""


CONLL, JSONL, JSON, PYTHON = "conll", "jsonl", "json", "python"
MISTAKES: dict[str, Mistake] = {
    "a row lost its last cell": Mistake(
        _in_a_row(lambda cells: cells[:-2] or cells), (CONLL,), "E117 E112 W116", "a spreadsheet"
    ),
    "all rows lost their last cell": Mistake(
        _in_all_rows(lambda cells: cells[:-2] or cells),
        (CONLL,),
        "E117 E112 E135 W115 W116",
        "a converter that writes no column without mentions",
    ),
    "a column of dashes at the end": Mistake(
        _in_all_rows(lambda cells: [*cells, *cells[-2:-1], b"-"]), (CONLL,), "W115 W116", "SemEval"
    ),
    "the word is in another column": Mistake(
        _swap_two_columns, (CONLL,), "E117 E135 W116 W203", "ECB+, Hebrew data"
    ),
    "a lost bracket": Mistake(
        _in_a_row(lambda cells: [*cells[:-1], re.sub(rb"[()]", b"", cells[-1], count=1)]),
        (CONLL,),
        "E101 E117 E135 W103",
        "neuralcoref#208",
    ),
    "exclusive ends": Mistake(
        _in_all_spans(lambda first, last: [first, last + 1]),
        (JSONL, JSON, PYTHON),
        "W208 E113 E120 W120",
        "most libraries with spans",
    ),
    "counted from one": Mistake(
        _in_all_spans(lambda first, last: [first + 1, last + 1]),
        (JSONL, JSON, PYTHON),
        "W208 E113 E120 W120",
        "annotators' tables",
    ),
    "characters for tokens": Mistake(
        _count_characters, (JSONL,), "E113 E120 W120 W208", "fastcoref"
    ),
    "glued files": Mistake(_glue_two_documents, (CONLL, JSONL), "W103", "cat without a newline"),
    "no end of a document": Mistake(
        _without_a_line(b"#end"), (CONLL,), "W103", "the data of OntoNotes"
    ),
    "names in another spelling": Mistake(
        _replacing(b"(tale/mill); part 000", b"tale/mill_0"),
        (CONLL, JSONL),
        "W209 W201 E106",
        "the usual converters of OntoNotes",
    ),
    "another word": Mistake(_in_a_record(_lose_a_word), (JSONL,), "E113 E202 W113 W252", "spaCy"),
    "lines of Windows": Mistake(_replacing(b"\n", b"\r\n"), (CONLL, JSONL), "", "Windows"),
    "the clusters have another name": Mistake(
        _replacing(b'"clusters"', b'"cluster"'), (JSONL,), "E112 E118 W110", "silent zeros"
    ),
    "one list of all mentions": Mistake(
        _in_a_record(_flatten), (JSONL, JSON), "E112 E113 W213", "users of Python"
    ),
    "clusters one list deeper": Mistake(
        _in_a_record(_nest_deeper), (JSONL, JSON), "E112 W212 E206 W213", "users of Python"
    ),
    "an answer beside the gold clusters": Mistake(
        _add_an_answer, (JSONL,), "W110", "outputs of models in the records of the data"
    ),
    "one document for all": Mistake(_one_document, (PYTHON,), "E201", "users of Python"),
    "a name of two types": Mistake(_two_types, ("names",), "E135", "joined lists of names"),
    "a document that is not there": Mistake(
        _replacing(b"tale/mill", b"tale/mile"), ("names", "units"), "W407 E501", "typing"
    ),
    "a score changed by hand": Mistake(_change_a_score, ("results",), "E502", "lowered baselines"),
    "another signature": Mistake(
        _change_the_signature, ("results",), "E502", "baselines of other rules"
    ),
}
