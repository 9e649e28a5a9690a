"""Damages to files of names, units and results."""

from __future__ import annotations

import re
from random import Random

from fuzzing.damages.catalogue import RESULTS, TABLES, required
from fuzzing.damages.cells import token_rows


@required(TABLES, "the row has fewer cells than it needs")
def drop_a_cell(data: bytes, random: Random) -> bytes | None:
    """A cell of one line is lost."""
    if b"\t" not in data:
        return None
    lines = data.split(b"\n")
    row = random.choice(token_rows(lines))
    cells = lines[row].split(b"\t")
    del cells[random.randrange(len(cells))]
    lines[row] = b"\t".join(cells)
    return b"\n".join(lines)


@required(TABLES, "cells are separated by tabs")
def separate_by_blanks(data: bytes, random: Random) -> bytes | None:
    """Tabs became blanks."""
    return data.replace(b"\t", b" ")


@required(("names",), "a span has one type")
def give_a_span_two_types(data: bytes, random: Random) -> bytes | None:
    """A name comes again with another type."""
    lines = data.splitlines()
    if b"\t" not in data:
        return None
    row = random.choice(token_rows(lines))
    return data + lines[row].rpartition(b"\t")[0] + b"\tORG\n"


@required(TABLES, "the document of the line is not in the key, or a document has no unit")
def misspell_a_document(data: bytes, random: Random) -> bytes | None:
    """A line names a document that is not there."""
    return data.replace(b"tale/mill", b"tale/mile", 1)


@required(RESULTS, "scores follow from their counts")
def change_a_number(data: bytes, random: Random) -> bytes | None:
    """One number of the results is changed by hand."""
    numbers = list(re.finditer(rb"-?\d+\.\d+(?=[,\s\]}])|(?<=[\s\[])\d+(?=[,\s\]}])", data))
    match = random.choice(numbers)
    values = [b"-500", b"NaN", b"1e999", b"null", b'"0.5"', b"0.123", b"99", b"true", b"[1]"]
    return data[: match.start()] + random.choice(values) + data[match.end() :]


@required(RESULTS, "a key comes twice in one object")
def repeat_a_field(data: bytes, random: Random) -> bytes | None:
    """A field of the results comes twice, with two values."""
    fields = list(re.finditer(rb'("(?:conll|f1|recall|precision)": )[0-9.]+', data))
    match = random.choice(fields)
    return data[: match.end()] + b", " + match[1] + b"0.25" + data[match.end() :]


@required(RESULTS, "the results are not JSON")
def cut_the_results(data: bytes, random: Random) -> bytes | None:
    """The end of the results is lost."""
    return data[: random.randrange(1, len(data) - 2)]


@required(RESULTS, "the signature says by which rules the scores were computed")
def change_the_signature(data: bytes, random: Random) -> bytes | None:
    """The signature names other rules, or none."""
    old, new = random.choice(
        [
            (b"singletons:keep", b"singletons:drop"),
            (b"duplicates:first", b"duplicates:"),
            (b"average:micro", b"average"),
            (b"match:exact", b"match:head"),
            (b"|", b""),
        ]
    )
    return data.replace(old, new, 1)
