"""Strict JSON, as in the standard: unique keys, and no NaN or Infinity."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, NoReturn


class NotStrict(ValueError):
    """Text that Python accepts as JSON, but the standard does not."""


def unique_keys(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object; raise :class:`NotStrict` if a key occurs twice.

    Python would keep only the last value.
    """
    record = dict(pairs)
    if len(record) < len(pairs):
        ((twice, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise NotStrict(f"the key {twice!r} occurs twice in one object")
    return record


def no_constants(name: str) -> NoReturn:
    """Raise :class:`NotStrict` for NaN and Infinity, which are not JSON."""
    raise NotStrict(f"{name} is not JSON")


def fault(error: json.JSONDecodeError) -> str:
    """Say what is wrong with a text that is not JSON, and in which column."""
    is_cut = not error.doc[error.pos :].strip() or error.msg.startswith("Unterminated")
    if is_cut:
        return "not JSON: it ends too early"
    if error.msg.startswith("Expecting property name") and error.doc[error.pos] == "'":
        return "not JSON: strings in single quotes, as Python prints them; write it with json.dumps"
    is_before = line_of(error) < error.lineno
    where = "at the end of the line" if is_before else f"in column {error.colno}"
    return f"not JSON: {error.msg} {where}"


BLANKS = " \t\n\r"
DECODER = json.JSONDecoder(object_pairs_hook=unique_keys, parse_constant=no_constants)


def line_of(error: json.JSONDecodeError) -> int:
    """Return the line of an error; what is missing is missing where the text before it ends."""
    before = error.doc[: error.pos]
    is_missing = error.msg.startswith("Expecting ',' ") or error.pos == len(error.doc)
    return 1 + (before.rstrip() if is_missing else before).count("\n")


def value_of(text: str) -> Any:
    """Return the only value of a text, which begins with it; raise ``ValueError`` otherwise.

    ``json.loads`` makes a decoder for each text with hooks, and looks for blanks twice.
    """
    value, end = DECODER.raw_decode(text)
    return DECODER.decode(text) if text[end:].strip(BLANKS) else value
