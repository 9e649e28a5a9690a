"""What a user imports, and nothing else."""

from __future__ import annotations

import inspect
import pydoc
import re
from types import FunctionType

import pytest

import corefscope as cs


def test_all_names_exist_in_order() -> None:
    assert [name for name in cs.__all__ if not hasattr(cs, name)] == []
    assert dir(cs) == sorted(cs.__all__)


def test_every_lazy_name_is_public() -> None:
    assert {*cs._MODULE_OF, "__version__"} == set(cs.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'scroe'"):
        cs.scroe  # noqa: B018


@pytest.mark.parametrize(
    "name", sorted({*cs.__all__, "evaluation.EvaluatedSystem"} - {"__version__"})
)
def test_help_shows_every_name(name: str) -> None:
    assert name.rpartition(".")[2] in pydoc.render_doc(f"corefscope.{name}")


def public_functions() -> dict[str, FunctionType]:
    """All functions and methods that a user can call, by name."""
    found: dict[str, FunctionType] = {}
    for name in cs.__all__:
        value = getattr(cs, name)
        members = {name: value} if not isinstance(value, type) else vars(value)
        for member, each in members.items():
            function = getattr(each, "__func__", each)
            if isinstance(function, FunctionType) and not member.startswith("_"):
                found[name if member == name else f"{name}.{member}"] = function
    return found


@pytest.mark.parametrize("name", public_functions())
def test_parameters_and_results_are_documented(name: str) -> None:
    function = public_functions()[name]
    text = inspect.getdoc(function) or ""
    signature = inspect.signature(function)
    parameters = [each for each in signature.parameters if each not in ("self", "cls")]
    if parameters:
        assert "Parameters\n----------\n" in text
        documented = re.split(r"[,\n]\s*", text.partition("Parameters\n----------\n")[2])
        for parameter in parameters:
            assert any(word.strip("* ") == parameter for word in documented), parameter
    if signature.return_annotation not in (None, "None", inspect.Signature.empty):
        assert "Returns\n-------\n" in text
