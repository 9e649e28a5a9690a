"""Say what a format is: for ``corefscope formats`` and for its page in the documentation."""

from __future__ import annotations

from importlib import import_module
from inspect import getdoc

from corefscope.corpus.offsets import UNITS, Convention
from corefscope.formats.registry import Format

ENDS = {"inclusive": "inclusive", "exclusive": "exclusive", "length": "length of the mention"}


def about(format: Format) -> tuple[str, str]:
    """Return what a format is, in one paragraph, and what to know about it.

    Parameters
    ----------
    format
        A format.

    Returns
    -------
    tuple of str
        The first paragraph of the docstring of its module, and the others; both are Markdown.
    """
    text = getdoc(import_module(format.module)) or ""
    first, _, rest = text.partition("\n\n")
    return first, rest


def facts(format: Format) -> dict[str, str]:
    """Return what the registry says of a format, by what it is about.

    Parameters
    ----------
    format
        A format.

    Returns
    -------
    dict
        Such as ``{"extensions": "*.ann", "offsets start at": "0"}``.
    """
    found = {"extensions": " ".join(f"*{ending}" for ending in format.endings)}
    if format.companions:
        found["read together with"] = " ".join(f"*{ending}" for ending in format.companions)
    if format.convention is not None:
        found |= _convention(format.convention)
    if format.options:
        found["options"] = " ".join(
            f"{format.name}:FIELD" if option == "clusters" else f"{format.name}:{option}=…"
            for option in format.options
        )
    found["written by convert"] = "yes" if format.writing else "no"
    return found


def _convention(convention: Convention) -> dict[str, str]:
    return {
        "offsets count": UNITS[convention.unit],
        "offsets start at": str(convention.base),
        "end offsets": ENDS[convention.ends],
    }
