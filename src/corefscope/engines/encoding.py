"""Results of tasks as bytes that only have data in them.

Parts of a result are written on one machine and read on another, so the bytes must not be able to
do anything: unlike ``pickle``, reading them makes numbers, texts, arrays, and records of this
package, and calls nothing.
"""

from __future__ import annotations

import re
import struct
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from importlib import import_module
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, cast

import numpy as np

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

PACKAGE = __name__.partition(".")[0]
MODULE = re.compile(rf"{PACKAGE}(\.[a-z_0-9]+)*")
LENGTH = struct.Struct("<Q")
FLOAT = struct.Struct("<d")
ARRAYS = "biuf"
"""The kinds of numbers in arrays: flags, integers, and fractions."""


class CannotEncode(Exception):
    """A value has something in it that is more than data, such as a function."""


class BadBytes(Exception):
    """Bytes do not stand for a value."""


def encoded(value: object) -> bytes:
    """Return a value as bytes.

    Parameters
    ----------
    value
        Numbers, texts, bytes, arrays, records of this package, and collections of these.

    Raises
    ------
    CannotEncode
        If there is anything else in it.
    """
    writer = _Writer()
    writer.write(value)
    return b"".join(writer.parts)


def decoded(data: bytes) -> object:
    """Return the value that bytes stand for.

    Raises
    ------
    BadBytes
        If they stand for none.
    """
    reader = _Reader(data)
    try:
        value = reader.read()
    except (struct.error, ValueError, TypeError, LookupError, AttributeError, ImportError) as error:
        raise BadBytes(f"{type(error).__name__}: {error}") from None
    except RecursionError:
        raise BadBytes("values are nested too deeply") from None
    if reader.place != len(data):
        raise BadBytes("there is more after the end")
    return value


class _Writer:
    """Writes values; one that occurs again is written once."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.known: dict[int, int] = {}
        """The numbers of records and texts by their identity."""
        self.kept: list[object] = []
        """These, so that no other value gets the identity of one that is gone."""

    def write(self, value: object) -> None:
        """Write a value."""
        if value is None or isinstance(value, bool):
            self.parts.append({None: b"N", True: b"T", False: b"F"}[value])
        elif isinstance(value, Enum):
            self._named(b"E", type(value))
            self.write(value.name)
        elif isinstance(value, np.ndarray | np.generic):
            self._array(b"a" if isinstance(value, np.ndarray) else b"g", np.asarray(value))
        else:
            self._plain(value)

    def _plain(self, value: object) -> None:
        if type(value) is int:
            self._sized(b"i", str(value).encode())
        elif type(value) is float:
            self.parts.append(b"f" + FLOAT.pack(value))
        elif isinstance(value, PurePath):
            self._sized(b"p", str(value).encode(errors="surrogateescape"))
        else:
            self._shared(value)

    def _shared(self, value: object) -> None:
        if id(value) in self.known:
            self.parts.append(b"r" + LENGTH.pack(self.known[id(value)]))
            return
        if type(value) is str:
            self._sized(b"s", value.encode(errors="surrogatepass"))
        elif isinstance(value, bytes):
            self._sized(b"b", value)
        elif isinstance(value, range):
            self._many(b"R", (value.start, value.stop, value.step))
        elif is_dataclass(value) and not isinstance(value, type):
            self._named(b"O", type(value))
            self._many(b"", _values(value))
        elif isinstance(value, tuple) and hasattr(value, "_fields"):
            self._named(b"U", type(value))
            self._many(b"", value)
        else:
            self._collection(value)
        # Numbers are given when a value is complete: readers then know it, too.
        self.known[id(value)] = len(self.kept)
        self.kept.append(value)

    def _collection(self, value: object) -> None:
        for tag, mapping in ((b"C", Counter), (b"d", dict)):
            if type(value) is mapping:
                items = cast(dict[object, object], value).items()
                self._many(tag, [each for pair in items for each in pair])
                return
        for tag, kind in ((b"l", list), (b"t", tuple), (b"S", set), (b"Z", frozenset)):
            if type(value) is kind:
                self._many(tag, cast(Iterable[object], value))
                return
        raise CannotEncode(type(value).__qualname__)

    def _sized(self, tag: bytes, data: bytes) -> None:
        self.parts += [tag, LENGTH.pack(len(data)), data]

    def _many(self, tag: bytes, values: Iterable[object]) -> None:
        given = list(values)
        self.parts += [tag, LENGTH.pack(len(given))]
        for each in given:
            self.write(each)

    def _named(self, tag: bytes, kind: type) -> None:
        if not MODULE.fullmatch(kind.__module__):
            raise CannotEncode(f"{kind.__module__}.{kind.__qualname__}")
        self._sized(tag, f"{kind.__module__}:{kind.__qualname__}".encode())

    def _array(self, tag: bytes, value: np.ndarray) -> None:
        if value.dtype.kind not in ARRAYS:
            raise CannotEncode(f"an array of {value.dtype}")
        self._sized(tag, value.dtype.str.encode())
        self._many(b"", value.shape)
        self._sized(b"", np.ascontiguousarray(value).tobytes())


def _values(record: DataclassInstance) -> list[object]:
    """Return the values of a record; some know what others need of them."""
    state = record.__getstate__()
    known = state if isinstance(state, dict) else {}
    return [known.get(each.name, getattr(record, each.name)) for each in fields(record)]


class _Reader:
    """Reads values."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.place = 0
        self.kept: list[object] = []
        self.kinds: dict[str, type] = {}

    def read(self) -> object:
        """Read a value."""
        tag = self._take(1)
        if tag in CONSTANTS:
            return CONSTANTS[tag]
        if tag == b"r":
            (number,) = LENGTH.unpack(self._take(LENGTH.size))
            return self.kept[number]
        if tag in UNSHARED:
            return UNSHARED[tag](self)
        value = SHARED[tag](self)
        self.kept.append(value)
        return value

    def _take(self, size: int) -> bytes:
        if size > len(self.data) - self.place:
            raise BadBytes("the end is missing")
        found = self.data[self.place : self.place + size]
        self.place += size
        return found

    def sized(self) -> bytes:
        """Read bytes with their number."""
        (size,) = LENGTH.unpack(self._take(LENGTH.size))
        return self._take(size)

    def many(self) -> list[object]:
        """Read values with their number."""
        (size,) = LENGTH.unpack(self._take(LENGTH.size))
        if size > len(self.data) - self.place:
            raise BadBytes("the end is missing")
        return [self.read() for _ in range(size)]

    def text(self) -> str:
        """Read a text."""
        return self.sized().decode(errors="surrogatepass")

    def kind(self) -> type:
        """Read the name of a class of this package."""
        name = self.sized().decode()
        if name not in self.kinds:
            module, _, path = name.partition(":")
            if not MODULE.fullmatch(module):
                raise BadBytes(f"{name!r} is not ours")
            found: object = import_module(module)
            for part in path.split("."):
                found = getattr(found, part)
            if not isinstance(found, type) or found.__module__ != module:
                raise BadBytes(f"{name!r} is no record")
            self.kinds[name] = found
        return self.kinds[name]

    def enum(self) -> object:
        """Read a member of an enumeration."""
        kind = self.kind()
        if not issubclass(kind, Enum):
            raise BadBytes(f"{kind.__qualname__} is no enumeration")
        return kind[str(self.read())]

    def record(self) -> object:
        """Read a record, without calling anything of its class."""
        kind = self.kind()
        if not is_dataclass(kind):
            raise BadBytes(f"{kind.__qualname__} is no record")
        values, names = self.many(), [field.name for field in fields(kind)]
        made = object.__new__(kind)
        for name, value in zip(names, values, strict=True):
            object.__setattr__(made, name, value)
        return made

    def named_tuple(self) -> object:
        """Read a tuple with names."""
        kind, values = self.kind(), self.many()
        if not issubclass(kind, tuple) or len(getattr(kind, "_fields", ())) != len(values):
            raise BadBytes(f"{kind.__qualname__} has other fields")
        return tuple.__new__(kind, values)

    def array(self) -> np.ndarray:
        """Read an array of numbers."""
        kind = np.dtype(self.sized().decode())
        if kind.kind not in ARRAYS:
            raise BadBytes(f"an array of {kind}")
        shape = tuple(cast(list[int], self.many()))
        return np.array(np.frombuffer(self.sized(), dtype=kind).reshape(shape))

    def mapping(self) -> dict[Hashable, object]:
        """Read the pairs of a mapping."""
        values = self.many()
        return dict(zip(values[::2], values[1::2], strict=True))


CONSTANTS: Mapping[bytes, object] = {b"N": None, b"T": True, b"F": False}
UNSHARED: Mapping[bytes, Callable[[_Reader], object]] = {
    b"E": _Reader.enum,
    b"i": lambda reader: int(reader.sized()),
    b"f": lambda reader: FLOAT.unpack(reader._take(FLOAT.size))[0],
    b"g": lambda reader: reader.array()[()],
    b"a": _Reader.array,
    b"p": lambda reader: Path(reader.sized().decode(errors="surrogateescape")),
}
SHARED: Mapping[bytes, Callable[[_Reader], object]] = {
    b"s": _Reader.text,
    b"b": _Reader.sized,
    b"R": lambda reader: range(*cast(list[int], reader.many())),
    b"O": _Reader.record,
    b"U": _Reader.named_tuple,
    b"C": lambda reader: Counter(cast(dict[Hashable, int], reader.mapping())),
    b"d": _Reader.mapping,
    b"l": _Reader.many,
    b"t": lambda reader: tuple(reader.many()),
    b"S": lambda reader: set(reader.many()),
    b"Z": lambda reader: frozenset(reader.many()),
}
"""What reads each kind of value; texts and records that occur again are read once."""
