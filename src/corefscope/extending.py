"""What extensions bring, and where it is found.

An extension is a package with a module ``extension``, whose tuples name what it brings:
``FORMATS``, ``PROFILES``, ``METRICS``, ``GROUPS``, ``COLUMNS``,
``LIVE``, ``CODES``; or the module that has such a tuple. Those of
corefscope are found by their place; other packages name theirs as an entry point of the group
``corefscope.extensions``. These are looked up only for a name that is not known otherwise, or a
file that nothing else recognises, because that takes longer than reading a small file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Generic, TypeVar

from corefscope.findings import AnyCode, Code, Finding, OwnCode

T = TypeVar("T")
GROUP = "corefscope.extensions"
"""The group of entry points."""
HERE = Path(__file__).parent


@cache
def ours() -> tuple[object, ...]:
    """Return the extensions that come with corefscope."""
    names = [
        ".".join(place.relative_to(HERE.parent).with_suffix("").parts)
        for pattern in ("*/extension.py", "extensions/*/extension.py")
        for place in sorted(HERE.glob(pattern))
    ]
    return tuple(map(import_module, names))


@cache
def others() -> tuple[tuple[object, ...], tuple[Finding, ...]]:
    """Return the extensions of other packages, and findings about those that cannot be used."""
    # Loaded here because it takes long.
    from importlib.metadata import entry_points

    found: list[object] = []
    broken = []
    for point in entry_points(group=GROUP):
        try:
            found.append(point.load())
        except Exception as error:  # Whatever the module of somebody else raises.
            message = (
                f"the extension {point.name!r} ({point.value}) cannot be used: "
                f"{type(error).__name__}: {error}"
            )
            broken.append(Finding(Code.BROKEN_EXTENSION, message))
    return tuple(found), tuple(broken)


def broken() -> tuple[Finding, ...]:
    """Return findings about extensions that were looked up and cannot be used."""
    return others()[1] if others.cache_info().currsize else ()


class Registry(Mapping[str, T], Generic[T]):
    """Things of one kind by name: those of the core, and those that extensions bring."""

    def __init__(self, listed: str, own: Iterable[T], name: Callable[[T], str]) -> None:
        self.listed = listed
        """The name of the tuple in which extensions list such things."""
        self.name = name
        self._known = {name(each): each for each in own}
        self._sources: list[Callable[[], tuple[object, ...]]] = [ours, lambda: others()[0]]
        """Where others are found, one after the other."""

    def _load(self) -> None:
        for extension in self._sources.pop(0)():
            listed = getattr(extension, self.listed, ())
            if isinstance(listed, str):  # The module that has them, which is loaded only now.
                listed = getattr(import_module(listed), self.listed)
            for each in listed:
                self._known.setdefault(self.name(each), each)

    def knows(self, name: str) -> bool:
        """Return whether a name is known without asking more extensions."""
        return name in self._known

    def with_others(self) -> Registry[T]:
        """Return the same with the things that other packages bring."""
        while self._sources:
            self._load()
        return self

    def __getitem__(self, name: str) -> T:
        while name not in self._known and self._sources:
            self._load()
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        own = tuple(self._known)
        yield from own  # No extension is loaded if one of these is the one.
        if len(self._sources) > 1:
            self._load()
        yield from (name for name in tuple(self._known) if name not in own)

    def __len__(self) -> int:
        return sum(1 for _ in self)


CODES: Registry[OwnCode] = Registry("CODES", (), lambda code: code.id)
"""The codes of findings that extensions bring."""


def all_codes() -> dict[str, AnyCode]:
    """Return all codes by id, also those of extensions."""
    return {code.id: code for code in (*Code, *CODES.values())}
