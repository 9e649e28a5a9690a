"""What a user imports, and nothing else."""

from __future__ import annotations

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
