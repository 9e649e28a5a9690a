"""What extensions bring, and where it is found.

An extension is a package with a module ``extension``, whose tuples name what it brings:
``FORMATS``, ``REFUSED``, ``PROFILES``, ``METRICS``, ``GROUPS``, ``COLUMNS``, ``LIVE``, ``CODES``,
``RESULTS``; or the module that has such a tuple. Those of corefscope are found by their place;
other packages name theirs as an entry point of the group ``corefscope.extensions``. These are
looked up only for a name that is not known otherwise, or a file that nothing else recognises,
because that takes longer than reading a small file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import RLock
from typing import Any, Generic, TypeVar

from corefscope.exceptions import CorefscopeError, InvalidInput
from corefscope.findings import AnyCode, Code, Finding, OwnCode

T = TypeVar("T")
GROUP = "corefscope.extensions"
"""The group of entry points."""
HERE = Path(__file__).parent


BROKEN: list[Finding] = []
"""What was found of extensions that cannot be used."""


@cache
def ours() -> Mapping[str, object]:
    """Return the extensions that come with corefscope, by the names of their modules."""
    names = [
        ".".join(place.relative_to(HERE.parent).with_suffix("").parts)
        for pattern in ("*/extension.py", "extensions/*/extension.py")
        for place in sorted(HERE.glob(pattern))
    ]
    return {name: import_module(name) for name in names}


@cache
def others() -> Mapping[str, object]:
    """Return the extensions of other packages by name, without those that cannot be loaded."""
    # Loaded here because it takes long.
    from importlib.metadata import entry_points

    found: dict[str, object] = {}
    for point in entry_points(group=GROUP):
        name = f"{point.name!r} ({point.value})"
        with noticing(f"the extension {name} cannot be used"):
            found[name] = point.load()
    return found


@contextmanager
def noticing(what: str) -> Iterator[None]:
    """Turn whatever the code of somebody else raises into a finding."""
    try:
        yield
    except (Exception, SystemExit) as error:
        message = f"{what}: {type(error).__name__}: {error}"
        BROKEN.append(Finding(Code.BROKEN_EXTENSION, message))


@contextmanager
def named_if_it_fails(module: str, what: str, file: str | None = None) -> Iterator[None]:
    """Refuse what the module of another package cannot do, and name the package."""
    try:
        yield
    except CorefscopeError:
        raise
    except Exception as error:
        if module.startswith("corefscope."):
            raise
        name = module.partition(".")[0]
        found = f"{what} of the package {name} failed: {type(error).__name__}: {error}"
        raise InvalidInput.of(Code.UNREADABLE, found, file=file) from error


def broken() -> tuple[Finding, ...]:
    """Return findings about extensions that were looked up and cannot be used."""
    return tuple(dict.fromkeys(BROKEN))


def listed_by(extension: object, name: str, kind: type) -> tuple[Any, ...]:
    """Return what an extension lists; raise TypeError for anything of another kind."""
    listed = getattr(extension, name, ())
    if isinstance(listed, str):  # The module that has them, which is loaded only now.
        listed = getattr(import_module(listed), name)
    if isinstance(listed, Registry):  # It was imported from the core.
        return ()
    for each in listed:
        if not isinstance(each, kind):
            raise TypeError(f"found {each!r}, expected {kind.__name__}")
    return tuple(listed)


class Registry(Mapping[str, T], Generic[T]):
    """Things of one kind by name: those of the core, and those that extensions bring."""

    def __init__(self, listed: str, kind: type, own: Iterable[T], name: Callable[[T], str]) -> None:
        self.listed = listed
        """The name of the tuple in which extensions list such things."""
        self.kind = kind
        self.name = name
        self._known = {name(each): each for each in own}
        self._sources: list[Callable[[], Mapping[str, object]]] = [ours, others]
        """Where others are found, one after the other."""
        self._lock = RLock()

    def _load(self, left: int) -> None:
        """Ask extensions until this many sources are left."""
        with self._lock:  # Another thread must not think that there is nothing more.
            while len(self._sources) > left:
                for name, extension in self._sources[0]().items():
                    self._ask(name, extension)
                del self._sources[0]

    def _ask(self, name: str, extension: object) -> None:
        with noticing(f"what the extension {name} has as {self.listed} cannot be used"):
            for each in listed_by(extension, self.listed, self.kind):
                self._add(each, name)

    def _add(self, each: T, extension: str) -> None:
        name = self.name(each)
        if self._known.setdefault(name, each) is not each:
            message = f"the extension {extension} brings {name!r}, which is known, in {self.listed}"
            BROKEN.append(Finding(Code.BROKEN_EXTENSION, message))

    def knows(self, name: str) -> bool:
        """Return whether a name is known without asking more extensions."""
        return name in self._known

    def is_ours(self, name: str) -> bool:
        """Return whether a name is known without asking other packages."""
        if name not in self._known:
            self._load(left=1)
        return name in self._known

    def with_others(self) -> Registry[T]:
        """Return the same with the things that other packages bring."""
        self._load(left=0)
        return self

    def __getitem__(self, name: str) -> T:
        if not self.is_ours(name):
            self._load(left=0)
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        own = tuple(self._known)
        yield from own  # No extension is loaded if one of these is the one.
        self._load(left=1)
        yield from (name for name in tuple(self._known) if name not in own)

    def __len__(self) -> int:
        return len(self.names())

    def names(self) -> tuple[str, ...]:
        """Return the names of all that our own extensions bring, without asking others."""
        self._load(left=1)
        return tuple(self._known)


CODES: Registry[OwnCode] = Registry("CODES", OwnCode, (), lambda code: code.id)
"""The codes of findings that extensions bring."""


def all_codes() -> dict[str, AnyCode]:
    """Return all codes by id, also those of extensions."""
    return {code.id: code for code in (*Code, *CODES.with_others().values())}
