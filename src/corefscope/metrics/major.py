"""Major entities: F1 of the key entities that matter most, such as the characters of a novel.

Each major entity is compared with the response entity that CEAFm aligns with it, and has the F1 of
their mentions, 2|K ∩ R| / (|K| + |R|); an entity without a counterpart has 0. The macro mean gives
every entity the same weight, the weighted mean that of its mentions (Manikantan et al. 2024).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from operator import index
from os import PathLike, fspath
from typing import NamedTuple, NoReturn, SupportsIndex

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from corefscope.corpus import Corpus, Integers
from corefscope.exceptions import InvalidInput, WrongArgument
from corefscope.findings import Code
from corefscope.formats.reading.limits import side_file
from corefscope.matching.matching import Matching, SingletonRule
from corefscope.metrics.ceaf import align_by_mentions
from corefscope.metrics.counts import ratio


class MajorEntities(Struct, frozen=True, kw_only=True):
    """Which entities of the key are major."""

    least: int | None = None
    """The least number of mentions; None if entities are named."""
    names: frozenset[tuple[str | None, str]] = frozenset()
    """The documents and names of entities; a document that is None stands for all."""
    path: str | None = None
    """The file that names them."""


class MajorEntity(NamedTuple):
    """A major entity, and the response entity that is aligned with it."""

    document: str
    entity: str
    """Its name in the key."""
    mentions: int
    response_mentions: int
    """The mentions of the response entity; 0 if there is none."""
    common: int

    @property
    def f1(self) -> float:
        """The F1 of its mentions."""
        return ratio(2 * self.common, self.mentions + self.response_mentions)


class MajorScores(Struct, frozen=True, kw_only=True):
    """The scores of major entities."""

    entities: Sequence[MajorEntity]
    """In the order of documents, the largest first."""

    @property
    def macro(self) -> float:
        """The mean F1 of all entities."""
        return ratio(fsum(each.f1 for each in self.entities), len(self.entities))

    @property
    def weighted(self) -> float:
        """The mean F1, weighted by mentions of the key."""
        mentions = sum(each.mentions for each in self.entities)
        return ratio(fsum(each.mentions * each.f1 for each in self.entities), mentions)


def score_major(
    matching: Matching,
    names: Sequence[str],
    asked: MajorEntities,
    singletons: SingletonRule,
    unit: str = "document",
) -> MajorScores:
    """Score the major entities of a matching.

    Parameters
    ----------
    matching
        Key and response; ``names`` are those of its units.
    asked
        Which entities are major.
    singletons
        How singletons are treated.
    unit
        What is scored as one: a document, a window, a topic or the corpus.
    """
    overlap = matching.overlap(singletons)
    rows = matching.sides(singletons)[0].entity_row
    cells = align_by_mentions(overlap)
    aligned = np.full(len(overlap.key_size), -1)
    aligned[overlap.key[cells]] = cells
    chosen = np.flatnonzero(_chosen(matching.key, rows, overlap.key_size, asked, unit))
    order = chosen[np.lexsort((-overlap.key_size[chosen], overlap.key_document[chosen]))]
    found = []
    for entity, cell in zip(order.tolist(), aligned[order].tolist(), strict=True):
        size = int(overlap.response_size[overlap.response[cell]]) if cell >= 0 else 0
        found.append(
            MajorEntity(
                document=names[int(overlap.key_document[entity])],
                entity=matching.key.entity_labels[int(rows[entity])],
                mentions=int(overlap.key_size[entity]),
                response_mentions=size,
                common=int(overlap.n[cell]) if cell >= 0 else 0,
            )
        )
    return MajorScores(entities=found)


def _chosen(
    key: Corpus, rows: Integers, sizes: Integers, asked: MajorEntities, unit: str
) -> NDArray[np.bool_]:
    """Return which entities are major; refuse a choice of none, or of unknown ones."""
    if asked.least is not None:
        is_major = sizes >= asked.least
        if not is_major.any():
            most = f"at most {int(sizes.max(initial=0)):,}"
            _refuse(key.path, f"no entity has {asked.least:,} mentions in one {unit}", most)
        return np.asarray(is_major)
    called = [
        (key.document_names[int(key.entity_document[row])], key.entity_labels[row])
        for row in rows.tolist()
    ]
    known = {name for each in called for name in (each, (None, each[1]))}
    for document, entity in sorted(asked.names - known, key=str):
        if document is not None and document not in key:
            like = f"its names, such as {next(iter(key.document_names), '')!r}"
            _refuse(asked.path, f"the key has no document {document!r}", like)
        where = "the key" if document is None else f"document {document!r} of the key"
        _refuse(asked.path, f"{where} has no entity {entity!r}", "names of its entities")
    return np.array([not asked.names.isdisjoint((each, (None, each[1]))) for each in called])


def _refuse(path: str | None, found: str, expected: str, line: int | None = None) -> NoReturn:
    raise InvalidInput.of(Code.NOT_IN_FILE, found, expected=expected, file=path, line=line)


def major_asked(major: object) -> MajorEntities:
    """Return the entities that a caller asks for: a least number of mentions, or a file.

    Raises
    ------
    ValueError
        If the number is not positive.
    InvalidInput
        If the file cannot be read, or a line of it (``E108``, ``E138``).
    """
    given = fspath(major) if isinstance(major, PathLike) else major
    if isinstance(given, str) and not given.strip().lstrip("+-").isdigit():
        return _named_in(given)
    number = int(given) if isinstance(given, str) else given
    least = index(number) if isinstance(number, SupportsIndex) else 0
    if least < 1 or isinstance(given, bool):
        raise WrongArgument(f"found {given!r} for major; expected a number of mentions, or a file")
    return MajorEntities(least=least)


def _named_in(path: str) -> MajorEntities:
    """Read the names of entities: a document, a tab and an entity, or an entity alone."""
    try:
        text = side_file(path)
    except InvalidInput:
        raise
    except (OSError, ValueError) as error:
        raise InvalidInput.of(Code.UNREADABLE, str(error), file=path) from None
    names: set[tuple[str | None, str]] = set()
    for number, line in enumerate(text.split("\n"), 1):
        cells = [cell.strip() for cell in line.split("\t")]
        if not any(cells):
            continue
        if len(cells) > 2 or not all(cells):
            _refuse(
                path, f"found {line!r}", "a document, a tab and an entity, or an entity", number
            )
        names.add((cells[0] if len(cells) == 2 else None, cells[-1]))
    if not names:
        _refuse(path, "the file names no entity", "a document, a tab and an entity on each line")
    return MajorEntities(names=frozenset(names), path=path)
