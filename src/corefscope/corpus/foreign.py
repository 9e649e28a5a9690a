"""Recognise the documents of other libraries by their attributes, without importing them."""

from __future__ import annotations

from typing import Literal, TypeAlias

Library: TypeAlias = Literal["spaCy", "fastcoref", "Stanza"]


def library_of(item: object) -> Library | None:
    """Return the library whose document this is; None if it is something else."""
    if all(hasattr(item, name) for name in ("text", "spans", "user_data", "_")):
        return "spaCy"
    if hasattr(item, "text") and callable(getattr(item, "get_clusters", None)):
        return "fastcoref"
    if hasattr(item, "sentences") and hasattr(item, "coref"):
        return "Stanza"
    return None
