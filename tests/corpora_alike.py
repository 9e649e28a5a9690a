"""Whether two corpora are the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass

import numpy as np

from corefscope.corpus import Corpus
from corefscope.findings import Finding


def comparable(value: object) -> object:
    """A value as data that can be compared, whatever records and arrays are in it."""
    if isinstance(value, np.ndarray):
        return str(value.dtype), value.tolist()
    if is_dataclass(value) and not isinstance(value, type):
        return type(value), [comparable(getattr(value, each.name)) for each in fields(value)]
    if isinstance(value, list | tuple):
        return [comparable(each) for each in value]
    if isinstance(value, Mapping):
        return {key: comparable(each) for key, each in value.items()}
    return value


def assert_same(whole: Corpus | tuple[Finding, ...], other: Corpus | tuple[Finding, ...]) -> None:
    assert type(whole) is type(other)
    if not isinstance(whole, Corpus) or not isinstance(other, Corpus):
        assert whole == other
        return
    for each in fields(Corpus):
        ours, theirs = getattr(whole, each.name), getattr(other, each.name)
        if isinstance(ours, np.ndarray):
            assert ours.dtype == theirs.dtype, each.name
            np.testing.assert_array_equal(ours, theirs, each.name)
        elif each.name not in ("layers", "_index"):
            assert comparable(ours) == comparable(theirs), each.name
    for number in range(len(whole)):
        texts = [side.layers.text(number) if side.layers else None for side in (whole, other)]
        words = [None if text is None else list(text.columns.get("words", [])) for text in texts]
        assert words[0] == words[1]
