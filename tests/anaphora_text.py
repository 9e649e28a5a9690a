"""Files of Universal Anaphora for tests."""

from __future__ import annotations

COLUMNS = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS"


def row(cell: str = "_", *, id: str = "1", word: str = "w", bridging: str = "_") -> str:
    return "\t".join([id, word, *"________", cell, bridging, "_"]) + "\n"


def document(*cells: str, name: str = "x") -> str:
    """A document with one word per cell."""
    rows = [row(cell, id=str(number), word=f"w{number}") for number, cell in enumerate(cells, 1)]
    return f"# newdoc id = {name}\n{''.join(rows)}"


def mark(entity: int | str, id: str, *fields: str) -> str:
    """What opens a markable."""
    return "(" + "|".join([f"EntityID={entity}", f"MarkableID={id}", *fields])


def only(entity: int | str, id: str, *fields: str) -> str:
    """A markable of one token."""
    return mark(entity, id, *fields) + ")"
