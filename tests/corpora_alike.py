"""Whether two corpora are the same."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from msgspec import Struct

from corefscope.corpus import Corpus
from corefscope.findings import Finding


def comparable(value: object) -> object:
    """A value as data that can be compared, whatever records and arrays are in it."""
    if isinstance(value, np.ndarray):
        return str(value.dtype), value.tolist()
    if isinstance(value, Struct):
        return type(value), [comparable(getattr(value, n)) for n in value.__struct_fields__]
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
    for name in Corpus.__struct_fields__:
        ours, theirs = getattr(whole, name), getattr(other, name)
        if isinstance(ours, np.ndarray):
            assert ours.dtype == theirs.dtype, name
            np.testing.assert_array_equal(ours, theirs, name)
        elif name not in ("layers", "_index"):
            assert comparable(ours) == comparable(theirs), name
    for number in range(len(whole)):
        texts = [side.layers.text(number) if side.layers else None for side in (whole, other)]
        words = [None if text is None else list(text.columns.get("words", [])) for text in texts]
        assert words[0] == words[1]
