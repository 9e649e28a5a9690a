"""JSON as its standard has it: every key once, and no NaN or Infinity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NoReturn


class NotStrict(ValueError):
    """Text that Python reads as JSON although it is none, or not the same everywhere."""


def unique_keys(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object; refuse a key that occurs twice, of which Python would keep the last."""
    record = dict(pairs)
    if len(record) < len(pairs):
        ((twice, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise NotStrict(f"the key {twice!r} occurs twice in one object")
    return record


def no_constants(name: str) -> NoReturn:
    """Refuse NaN and Infinity, which are not JSON and do not equal themselves."""
    raise NotStrict(f"{name} is not JSON")
