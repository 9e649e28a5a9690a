"""Results as bytes: what can be written and read back, and what is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from enum import Enum
from functools import partial
from pathlib import Path
from subprocess import Popen

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefscope.engines.encoding import LENGTH, BadBytes, CannotEncode, decoded, encoded
from corefscope.findings import Code, Finding
from corefscope.language import MentionType
from corefscope.matching.texts import Traits

plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
keys = st.text() | st.integers() | st.booleans() | st.binary() | st.sampled_from(list(Code))
values = st.recursive(
    plain | st.binary() | st.sampled_from(list(MentionType)) | st.builds(range, st.integers()),
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(keys, inner)
        | st.sets(keys)
        | st.frozensets(keys)
        | st.builds(Finding, st.sampled_from(list(Code)), st.text(), file=st.none() | st.text())
    ),
    max_leaves=20,
)


@given(values)
def test_what_is_written_is_read_back(value: object) -> None:
    found = decoded(encoded(value))
    assert type(found) is type(value) and found == value


@given(values, st.data())
def test_damaged_bytes_are_refused_or_other_data(value: object, data: st.DataObject) -> None:
    written = bytearray(encoded(value))
    with pytest.raises(BadBytes):
        decoded(bytes(written[: data.draw(st.integers(0, len(written) - 1))]))
    with pytest.raises(BadBytes):
        decoded(bytes(written) + b"N")
    written[data.draw(st.integers(0, len(written) - 1))] = data.draw(st.integers(0, 255))
    try:
        found = decoded(bytes(written))
    except BadBytes:
        return
    assert not callable(found) or isinstance(found, Enum)


def test_records_and_arrays() -> None:
    array = np.arange(6, dtype=np.int32).reshape(2, 3)[:, ::-1]
    found = decoded(encoded([array, np.float64(0.1), np.zeros((0, 2)), Path("a/b")]))
    assert isinstance(found, list)
    np.testing.assert_array_equal(found[0], array)
    assert found[0].dtype == np.int32 and type(found[1]) is np.float64 and found[1] == 0.1
    assert found[2].shape == (0, 2) and found[3] == Path("a/b")
    traits = Traits(type=MentionType.PRONOUN, text="she", wording=("x", 1), is_pronoun=True)
    assert decoded(encoded((traits, Counter(a=2)))) == (traits, Counter(a=2))


def test_what_occurs_again_is_one_thing_afterwards() -> None:
    name = "a name that several have"
    shared = [name]
    found = decoded(encoded([shared, shared, {name: shared}]))
    assert isinstance(found, list)
    assert found[0] is found[1] and found[2][found[0][0]] is found[0]
    assert len(encoded([name] * 1000)) < 20_000


@pytest.mark.parametrize(
    "value", [print, partial(print), Popen, object(), np.array([object()]), lambda: None, 1j]
)
def test_what_is_no_data_cannot_be_written(value: object) -> None:
    with pytest.raises(CannotEncode):
        encoded([value])


def named(tag: bytes, name: str, rest: bytes) -> bytes:
    return tag + LENGTH.pack(len(name)) + name.encode() + rest


@pytest.mark.parametrize(
    "data",
    [
        named(b"O", "subprocess:Popen", LENGTH.pack(0)),
        named(b"O", "corefscope.output:write_file", LENGTH.pack(0)),
        named(b"O", "corefscope.cli.parts:click.Path", LENGTH.pack(0)),
        named(b"O", "corefscope.engines.shards:Path", LENGTH.pack(0)),
        named(b"O", "corefscope.engines.shards:ShardEngine", LENGTH.pack(0)),
        named(b"E", "corefscope.findings:Finding", b"N"),
        named(b"U", "corefscope.findings:Finding", LENGTH.pack(0)),
        named(b"O", "corefscope.findings:Nothing", LENGTH.pack(0)),
        b"l" + LENGTH.pack(2**62),
        b"r" + LENGTH.pack(7),
        b"?",
        b"",
        b"l" + LENGTH.pack(1) * 1,
        (b"l" + LENGTH.pack(1)) * 5000 + b"N",
    ],
)
def test_bytes_of_others_make_nothing(data: bytes) -> None:
    with pytest.raises(BadBytes):
        decoded(data)


def test_reading_calls_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    data = encoded(Finding(Code.NO_END, "x"))
    called: list[object] = []
    spy: Callable[..., None] = lambda *given, **more: called.append(given)  # noqa: E731
    monkeypatch.setattr(Finding, "__init__", spy)
    found = decoded(data)
    assert isinstance(found, Finding) and found.message == "x" and not called
