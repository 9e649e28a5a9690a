"""Our dataclasses against those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import KW_ONLY, FrozenInstanceError, field, fields, replace
from typing import Any, ClassVar

import pytest

from corefscope.records import dataclass

OPTIONS: dict[str, dict[str, bool]] = {
    "plain": {},
    "frozen": {"frozen": True},
    "slots": {"slots": True},
    "frozen slots": {"frozen": True, "slots": True},
    "keywords": {"frozen": True, "slots": True, "kw_only": True},
    "identity": {"frozen": True, "slots": True, "eq": False, "kw_only": True},
    "no repr": {"repr": False},
}


def made(decorator: Callable[..., Any], options: dict[str, bool]) -> Any:
    @decorator(**options)
    class Base:
        """A class with a field of each kind."""

        KIND: ClassVar[str] = "base"
        first: int
        second: str = "b"
        third: list[int] = field(default_factory=list)
        ignored: int = field(default=0, compare=False, repr=False)
        computed: int = field(init=False, default=7)
        _: KW_ONLY
        last: float | None = None

        def doubled(self) -> int:
            return 2 * self.first

    @decorator(**options)
    class Derived(Base):
        """A class that inherits fields."""

        more: int = 3

        def __post_init__(self) -> None:
            object.__setattr__(self, "computed", self.first + self.more)

    return Base, Derived


@pytest.fixture(params=OPTIONS)
def classes(request: pytest.FixtureRequest) -> tuple[Any, Any, dict[str, bool]]:
    options = OPTIONS[request.param]
    return made(dataclass, options), made(dataclasses.dataclass, options), options


def test_values_equality_and_text(classes: tuple[Any, Any, dict[str, bool]]) -> None:
    for ours, theirs in zip(classes[0], classes[1], strict=True):
        for arguments in ({"first": 1}, {"first": 2, "second": "x", "last": 1.5, "ignored": 4}):
            one, same, other = ours(**arguments), ours(**arguments), theirs(**arguments)
            assert [getattr(one, f.name) for f in fields(one)] == [
                getattr(other, f.name) for f in fields(other)
            ]
            assert [f.name for f in fields(ours)] == [f.name for f in fields(theirs)]
            if "repr" not in classes[2]:
                assert repr(one) == repr(other)
            assert (one == same) == (other == theirs(**arguments))
            assert one != replace(one, first=9) and one.doubled() == other.doubled()
            assert (one.__hash__ is None) == (other.__hash__ is None)
            assert one != other and ours.__match_args__ == theirs.__match_args__
            assert replace(one, second="z").second == "z"
        assert list(inspect.signature(ours).parameters) == list(
            inspect.signature(theirs).parameters
        )
        assert ours(1).third is not ours(1).third if "kw_only" not in classes[2] else True


def test_what_is_refused(classes: tuple[Any, Any, dict[str, bool]]) -> None:
    (ours, _), (theirs, _), options = classes
    for cls in (ours, theirs):
        with pytest.raises(TypeError):
            cls()
        with pytest.raises(TypeError):
            cls(first=1, computed=3)
        made = cls(first=1)
        if options.get("frozen"):
            with pytest.raises(FrozenInstanceError, match="cannot assign to field 'first'"):
                made.first = 3
            with pytest.raises(FrozenInstanceError, match="cannot delete field 'first'"):
                del made.first
        else:
            made.first = 3
            assert made.first == 3
        assert hasattr(made, "__dict__") != bool(options.get("slots"))


@dataclass(frozen=True, slots=True)
class Pickled:
    """A class that pickle can find."""

    name: str
    values: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Keyed:
    """A class with a field that has no part in hashes."""

    name: str
    rules: dict[str, int] = field(default_factory=dict, hash=False)


def test_pickling_and_hashes() -> None:
    one = Pickled("a", (1, 2))
    assert pickle.loads(pickle.dumps(one)) == one
    assert len({one, Pickled("a", (1, 2)), Pickled("b")}) == 2
    assert hash(Keyed("a", {"b": 1})) == hash(Keyed("a", {}))
    assert Keyed("a", {"b": 1}) != Keyed("a", {})


@pytest.mark.parametrize("decorator", [dataclass, dataclasses.dataclass])
@pytest.mark.parametrize("base", [{"slots": True}, {}], ids=["slots below", "none below"])
@pytest.mark.parametrize("derived", [{"slots": True}, {}, None], ids=["slots", "none", "plain"])
def test_classes_with_and_without_slots_inherit_from_each_other(
    decorator: Callable[..., Any], base: dict[str, bool], derived: dict[str, bool] | None
) -> None:
    @decorator(frozen=True, **base)
    class Below:
        first: int
        second: str = "b"

    class Plain(Below):
        pass

    class Above(Below):
        first: int = 4
        more: int = 3

    above: Any = Plain if derived is None else decorator(frozen=True, **derived)(Above)
    made = above(5, "x")
    for same in (copy.copy(made), copy.deepcopy(made), replace(made)):
        assert same == made and (same.first, same.second) == (5, "x")
    assert replace(made, first=6).first == 6


@pytest.mark.parametrize("decorator", [dataclass, dataclasses.dataclass])
def test_a_field_that_is_declared_again_is_the_same_field(decorator: Callable[..., Any]) -> None:
    @decorator(frozen=True, slots=True)
    class Below:
        first: int

    @decorator(frozen=True, slots=True)
    class Above(Below):
        first: int

        def __init__(self, text: str) -> None:
            below: Any = Below
            below.__init__(self, int(text))

    assert Above("7").first == 7


@pytest.mark.parametrize("decorator", [dataclass, dataclasses.dataclass])
def test_a_frozen_class_with_its_own_equality_has_a_hash(decorator: Callable[..., Any]) -> None:
    @decorator(frozen=True, slots=True)
    class Caseless:
        name: str

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Caseless) and other.name.lower() == self.name.lower()

    made: Any = Caseless
    assert made("a") == made("A") and hash(made("a")) == hash(made("a"))
