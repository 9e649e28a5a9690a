"""Dataclasses that are made quickly: a command makes about a hundred of them before it starts.

:func:`dataclass` does what :func:`dataclasses.dataclass` does with the options used here, and
``fields`` and ``replace`` of that module work on the result. It compiles one function per class,
the constructor, instead of six; the other methods are shared by all classes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    import dataclasses
    from dataclasses import MISSING, Field, FrozenInstanceError, field
    from inspect import get_annotations
    from operator import attrgetter
    from types import MemberDescriptorType

    FIELDS = "__dataclass_fields__"
    """The attribute by which ``dataclasses`` recognises its classes."""
    FACTORY = object()
    """The default of an argument whose value is made anew for each object."""

    def dataclass(cls=None, /, *, frozen=False, slots=False, eq=True, repr=True, kw_only=False):
        """Add a constructor, and the methods that were asked for, to a class with annotations."""

        def make(cls):
            own = _own_fields(cls, kw_only)
            known = {}
            for base in reversed(cls.__mro__[1:]):
                known |= base.__dict__.get(FIELDS, {})
            known |= own
            members = {FIELDS: known, **_methods(known, frozen=frozen, eq=eq, repr=repr)}
            members["__init__"] = _constructor(cls, known, frozen=frozen, slots=slots)
            members["__match_args__"] = tuple(
                name for name, each in known.items() if each.init and not each.kw_only
            )
            for name, member in members.items():
                # A class with its own __eq__ has None as its hash, which is not its own choice.
                if name in (FIELDS, "__match_args__") or cls.__dict__.get(name) is None:
                    setattr(cls, name, member)
            if not slots:
                return cls
            made = _with_slots(cls, own, frozen=frozen)
            if frozen:
                members["__init__"].__globals__.update(_setters(made))
            return made

        return make if cls is None else make(cls)

    def _own_fields(cls, kw_only):
        """Return the fields that a class declares, and leave plain defaults in their place."""
        found = {}
        for name, annotation in get_annotations(cls).items():
            if annotation == "KW_ONLY":
                kw_only = True
                continue
            if annotation.startswith("ClassVar"):
                continue
            default = cls.__dict__.get(name, MISSING)
            each = default if isinstance(default, Field) else field(default=default)
            each.name, each.type = name, annotation
            each.kw_only = kw_only if each.kw_only is MISSING else each.kw_only
            each._field_type = dataclasses._FIELD
            found[name] = each
            if each.default is not MISSING:
                setattr(cls, name, each.default)
            elif default is not MISSING:
                delattr(cls, name)
        return found

    def _constructor(cls, known, *, frozen, slots):
        """Compile the constructor of a class."""
        places = {"_set": object.__setattr__, "_FACTORY": FACTORY}
        plain, named, body = ["self"], [], []
        for name, each in known.items():
            value = name
            if each.default_factory is not MISSING:
                places[f"_make_{name}"] = each.default_factory
                value = f"_make_{name}()"
                if each.init:
                    value += f" if {name} is _FACTORY else {name}"
            elif each.default is not MISSING:
                places[f"_default_{name}"] = each.default
                value = name if each.init else f"_default_{name}"
            elif not each.init:
                continue
            if each.init:
                default = "_FACTORY" if each.default_factory is not MISSING else f"_default_{name}"
                has_one = each.default is not MISSING or default == "_FACTORY"
                (named if each.kw_only else plain).append(f"{name}={default}" if has_one else name)
            body.append(_assignment(name, value, frozen=frozen, slots=slots))
        if hasattr(cls, "__post_init__"):
            body.append("self.__post_init__()")
        arguments = ", ".join([*plain, *(["*", *named] if named else [])])
        exec(f"def __init__({arguments}):\n " + "\n ".join(body or ["pass"]), places)
        init = places["__init__"]
        init.__qualname__, init.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
        init.__annotations__ = {name: each.type for name, each in known.items() if each.init}
        init.__annotations__["return"] = "None"
        return init

    def _assignment(name, value, *, frozen, slots):
        """Return the line of a constructor that gives a field its value."""
        if frozen and slots:
            # Setting a slot takes two thirds of the time of finding it by its name.
            return f"_set_{name}(self, {value})"
        return f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}"

    def _methods(known, *, frozen, eq, repr):
        """Return the methods other than the constructor."""
        found = {}
        if repr:
            found["__repr__"] = _repr
        if eq:
            compared = [name for name, each in known.items() if each.compare]
            found["__eq__"] = _equality(_values_of(compared))
            hashed = [
                name
                for name, each in known.items()
                if (each.compare if each.hash is None else each.hash)
            ]
            found["__hash__"] = _hash(_values_of(hashed)) if frozen else None
        if frozen:
            found["__setattr__"], found["__delattr__"] = _refuse, _refuse
        return found

    def _values_of(names):
        """Return a function that returns the values of some fields."""
        if len(names) == 1:
            return lambda self: (getattr(self, names[0]),)
        return attrgetter(*names) if names else lambda self: ()

    def _equality(values):
        def __eq__(self, other):
            if other.__class__ is self.__class__:
                return values(self) == values(other)
            return NotImplemented

        return __eq__

    def _hash(values):
        def __hash__(self):
            return hash(values(self))

        return __hash__

    def _repr(self):
        values = (
            f"{name}={getattr(self, name)!r}"
            for name, each in getattr(self, FIELDS).items()
            if each.repr
        )
        return f"{type(self).__qualname__}({', '.join(values)})"

    def _refuse(self, name, *value):
        change = "assign to" if value else "delete"
        raise FrozenInstanceError(f"cannot {change} field {name!r}")

    def _with_slots(cls, own, *, frozen):
        """Return the class with a slot for each field that it declares."""
        members = {name: value for name, value in cls.__dict__.items() if name not in own}
        for name in ("__dict__", "__weakref__"):
            members.pop(name, None)
        inherited = {name for base in cls.__mro__[1:] for name in getattr(base, "__slots__", ())}
        members["__slots__"] = tuple(name for name in own if name not in inherited)
        if frozen:
            members.setdefault("__getstate__", _state)
            members.setdefault("__setstate__", _set_state)
        made = type(cls)(cls.__name__, cls.__bases__, members)
        made.__qualname__ = cls.__qualname__
        return made

    def _setters(cls):
        """Return what sets each field of a class."""
        return {f"_set_{name}": _setter(cls, name) for name in getattr(cls, FIELDS)}

    def _setter(cls, name):
        slot = getattr(cls, name, None)
        if isinstance(slot, MemberDescriptorType):
            return slot.__set__
        # A base class without slots declares it.
        return lambda self, value: object.__setattr__(self, name, value)

    ACCESS = {}
    """What gets the values of the fields of a class, and what sets them."""

    def _access(cls):
        """Return how the fields of a class are read and written; results have many objects."""
        names = tuple(getattr(cls, FIELDS))
        places = _setters(cls)
        lines = [f"[{', '.join(names)}] = state", *(f"_set_{name}(self, {name})" for name in names)]
        exec("def set_values(self, state):\n " + "\n ".join(lines), places)
        ACCESS[cls] = _values_of(names), places["set_values"]
        return ACCESS[cls]

    def _state(self):
        values, _ = ACCESS.get(type(self)) or _access(type(self))
        return values(self)

    def _set_state(self, state):
        _, set_values = ACCESS.get(type(self)) or _access(type(self))
        set_values(self, state)
