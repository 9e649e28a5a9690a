"""Pair document names that differ only in spelling: parts, extensions, folders.

Programs call the same document ``(x); part 000``, ``x_part_0``, ``(x);``, ``x`` or ``x_0``,
with or without an extension and folders. A name can have more than one reading: ``x_1`` is a text
of that name, or part 1 of ``x``. All readings of all names are considered together, and two
documents are paired only if each is the only candidate for the other.

- ``x_N`` is part N only if N has no leading zeros: ``2019_00`` is not part 0 of ``2019``.
- A name without a part is part 0 only if the other side has no other part of that text: ``x`` may
  be the whole text if there are ``(x); part 000`` and ``(x); part 001``.
- ``x`` can be ``a/x``, but ``a/x`` cannot be ``b/x``.
- ``a_x`` can be ``a/x``, because file names cannot have a slash.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import chain
from typing import NamedTuple, TypeAlias

PART = re.compile(r"(?:part\s+(\d+))?")
NUMBERED = re.compile(r"(.+)_(0|[1-9]\d*)", re.DOTALL)
WITH_PART = re.compile(r"(.+?)[ _.-]+part[ _.-]*(\d+)", re.DOTALL | re.IGNORECASE)
EXTENSION = re.compile(
    r"\.(?:(?:v\d+_)?(?:(?:gold|auto)_)?(?:conll|skel|coref|parse)|conllu|jsonl|jsonlines|json"
    r"|txt|text|tsv|csv|xml|ann|gz)",
    re.IGNORECASE,
)
"""Extensions of annotated texts; anything else after a dot may be part of the name."""
DEEPEST = 20
"""How many folders of a name may be missing in the other spelling."""
FIRST_PART = "0"


class _Reading(NamedTuple):
    """A possible meaning of a name: a text, and the number of one of its parts."""

    stem: str
    part: str | None = None
    """The number of the part without leading zeros, if the name has one."""

    @classmethod
    def parse(cls, text: str) -> _Reading:
        before, _, after = text.strip().rpartition(";")
        match = PART.fullmatch(after.strip()) if before else None
        stem = (before if match else text).strip()
        if stem.startswith("(") and stem.endswith(")"):
            stem = stem[1:-1].strip()
        part = (match[1].lstrip("0") or FIRST_PART) if match and match[1] else None
        return cls(stem.replace("\\", "/"), part)

    def numbered(self) -> _Reading | None:
        """Return the reading of ``x_0`` or ``x_part_0`` as part 0 of ``x``, if there is one."""
        if self.part is not None:
            return None
        if match := WITH_PART.fullmatch(self.stem):
            return _Reading(match[1], match[2].lstrip("0") or FIRST_PART)
        match = NUMBERED.fullmatch(self.stem)
        return _Reading(match[1], match[2]) if match else None

    def without_extensions(self) -> _Reading:
        """Drop all known extensions: ``x.txt.json`` is ``x``."""
        stem = self.stem
        while (dot := stem.rfind(".")) > 0 and EXTENSION.fullmatch(stem, dot):
            stem = stem[:dot]
        return self if stem == self.stem else _Reading(stem, self.part)

    def without_folders(self, known: Set[str]) -> Iterator[_Reading]:
        """Drop folders one by one from the left, or join all of them with underscores.

        Yield the readings with a known stem.
        """
        folders = self.stem.rsplit("/", DEEPEST)
        shorter = ["/".join(folders[first:]) for first in range(1, len(folders))]
        for stem in (*shorter, self.stem.replace("/", "_")):
            if stem in known and stem != self.stem:
                yield _Reading(stem, self.part)


def is_same_part(name: str, other: str) -> bool:
    """Return whether two names differ only in the brackets and the part 0 of CoNLL files."""
    (stem, part), (other_stem, other_part) = map(_Reading.parse, (name, other))
    return stem == other_stem and (part or FIRST_PART) == (other_part or FIRST_PART)


NameReadings: TypeAlias = Mapping[int, Sequence[_Reading]]
"""Readings of names, by the number of their document."""


def pair_spellings(key: Mapping[int, str], response: Mapping[int, str]) -> dict[int, int]:
    """Pair names that differ only in spelling, unless a name has several candidates.

    Parameters
    ----------
    key, response
        The names that the other side does not have literally, by document number.

    Returns
    -------
    dict
        The number of the key's document for each document of the response that is paired.
    """
    ours, theirs = (
        {number: _readings(name) for number, name in names.items()} for names in (key, response)
    )
    our_shorter, their_shorter = _shorter(ours, theirs), _shorter(theirs, ours)
    our_divided, their_divided = _divided(ours, our_shorter), _divided(theirs, their_shorter)
    return _unique_pairs(
        _with_first_parts(ours, their_divided),
        _with_first_parts(our_shorter, their_divided),
        _with_first_parts(theirs, our_divided),
        _with_first_parts(their_shorter, our_divided),
    )


def _readings(name: str) -> list[_Reading]:
    """Return the readings of a whole name; the part may be before or after an extension."""
    given = _Reading.parse(name)
    bare = given.without_extensions()
    numbered = (given.numbered(), bare.numbered() if bare is not given else None)
    return [bare, *(each.without_extensions() for each in numbered if each is not None)]


def _shorter(names: NameReadings, others: NameReadings) -> NameReadings:
    """Return the readings of names without some folders, if the other side has such a name."""
    known = {reading.stem for readings in others.values() for reading in readings}
    found = (
        (number, [short for each in readings for short in each.without_folders(known)])
        for number, readings in names.items()
    )
    return {number: shorter for number, shorter in found if shorter}


def _divided(*names: NameReadings) -> set[str]:
    """Return the texts that have a part other than the first."""
    return {
        reading.stem
        for readings in chain.from_iterable(each.values() for each in names)
        for reading in readings
        if reading.part not in (None, FIRST_PART)
    }


def _with_first_parts(names: NameReadings, divided: Set[str]) -> NameReadings:
    """Add part 0 to the readings of names without a part, unless the text has other parts."""
    return {
        number: [
            *readings,
            *(
                _Reading(stem, FIRST_PART)
                for stem, part in readings
                if part is None and stem not in divided
            ),
        ]
        for number, readings in names.items()
    }


def _unique_pairs(
    key: NameReadings,
    key_shorter: NameReadings,
    response: NameReadings,
    response_shorter: NameReadings,
) -> dict[int, int]:
    """Pair names that are each other's only candidate.

    Two names are candidates if they have a reading in common; folders may be dropped from only one.
    """
    of_key: dict[int, set[int]] = defaultdict(set)
    of_response: dict[int, set[int]] = defaultdict(set)
    for ours, theirs in ((key, response), (key, response_shorter), (key_shorter, response)):
        numbers, others = _by_reading(ours), _by_reading(theirs)
        for reading in numbers.keys() & others.keys():
            # Two of a group are enough to see that there is more than one candidate.
            for number in numbers[reading]:
                of_key[number].update(others[reading][:2])
            for number in others[reading]:
                of_response[number].update(numbers[reading][:2])
    return {
        number: document
        for number, found in of_response.items()
        if len(found) == 1
        for document in found
        if of_key[document] == {number}
    }


def _by_reading(names: NameReadings) -> dict[_Reading, list[int]]:
    """Return the documents that have each reading."""
    numbers: dict[_Reading, list[int]] = defaultdict(list)
    for number, readings in names.items():
        for reading in dict.fromkeys(readings):
            numbers[reading].append(number)
    return numbers
