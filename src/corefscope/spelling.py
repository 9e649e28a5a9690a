"""Documents that have the same name in different spellings: parts, extensions, folders.

The same document is called ``(x); part 000``, ``(x); part 0``, ``(x);``, ``x`` or ``x_0``, with or
without an extension and folders, by different programs.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

PART = re.compile(r"(?:part\s+(\d+))?")
NUMBERED = re.compile(r"(.+)_(\d+)", re.DOTALL)
EXTENSION = re.compile(
    r"\.(?:(?:v\d+_)?(?:(?:gold|auto)_)?(?:conll|skel|coref|parse)|conllu|jsonl|jsonlines|json"
    r"|txt|text|tsv|csv|xml|ann|gz)",
    re.IGNORECASE,
)
"""Extensions of annotated texts; what else follows a dot may be part of a name."""
DEEPEST = 20
"""Folders of a name that may be missing in the other spelling."""

Forms: TypeAlias = tuple[Sequence[str], Sequence[str]]
"""The standard forms that a name may stand for: whole, and without some of its folders."""


class _Name(NamedTuple):
    """The name of a document, taken apart."""

    text: str
    """The name without blanks around it."""
    stem: str
    part: str | None
    """The number of the part without leading zeros, if the name has one."""

    @classmethod
    def parse(cls, text: str) -> _Name:
        text = text.strip()
        before, _, after = text.rpartition(";")
        match = PART.fullmatch(after.strip()) if before else None
        stem = (before if match else text).strip()
        if stem.startswith("(") and stem.endswith(")"):
            stem = stem[1:-1].strip()
        return cls(text, stem, _number(match[1]) if match and match[1] else None)

    def as_text(self) -> str:
        """Return the standard form; a name without a part is part 0."""
        return f"{self.stem}; part {self.part or '0'}"

    def numbered(self) -> _Name | None:
        """Return the reading of ``x_0`` as part 0 of ``x``, if there is one."""
        match = NUMBERED.fullmatch(self.stem) if self.part is None else None
        return self._replace(stem=match[1], part=_number(match[2])) if match else None

    def without_extensions(self) -> _Name:
        """Drop all known extensions: ``x.txt.json`` is ``x``."""
        stem = self.stem
        while (dot := stem.rfind(".")) > 0 and EXTENSION.fullmatch(stem, dot):
            stem = stem[:dot]
        return self._replace(stem=stem)

    def without_folders(self) -> Iterator[_Name]:
        """Drop folders, one after the other from the left."""
        folders = self.stem.split("/")
        for first in range(max(1, len(folders) - DEEPEST), len(folders)):
            yield self._replace(stem="/".join(folders[first:]))


def _number(digits: str) -> str:
    return digits.lstrip("0") or "0"


Step: TypeAlias = Callable[[_Name], Forms]


def _texts(names: Iterable[_Name | None]) -> list[str]:
    return [name.as_text() for name in names if name is not None]


def _without_extensions(name: _Name) -> list[_Name]:
    """Return what a name may stand for without extensions: ``x.txt_0``, ``x_0.txt``."""
    bare = name.without_extensions()
    numbered = (name.numbered(), bare.numbered())
    return [bare, *(each.without_extensions() for each in numbered if each is not None)]


def _folders(name: _Name) -> Forms:
    names = _without_extensions(name._replace(stem=name.stem.replace("\\", "/")))
    return _texts(names), _texts(shorter for each in names for shorter in each.without_folders())


STEPS: Sequence[Step] = (
    lambda name: ([name.text], []),
    lambda name: ([f"{name.stem}; part {name.part}"], []),
    lambda name: ([name.as_text()], []),
    lambda name: (_texts([name, name.numbered()]), []),
    lambda name: (_texts(_without_extensions(name)), []),
    _folders,
)
"""Ways to spell a name, from strict to loose; each is tried on the names that are left.

Without blanks around it; with the same part in another spelling; without part 0; with ``_0`` as
part 0; without extensions; without folders.
"""


def pair_spellings(key: Mapping[int, str], response: Mapping[int, str]) -> dict[int, int]:
    """Pair names that differ only in spelling, if there is no doubt which belong together.

    Parameters
    ----------
    key, response
        The names without a literal counterpart, by the number of their document.

    Returns
    -------
    dict
        The number of the key's document for each of the response that has one.
    """
    pairs: dict[int, int] = {}
    ours, theirs = (
        {number: _Name.parse(name) for number, name in names.items()} for names in (key, response)
    )
    for step in STEPS:
        if not ours or not theirs:
            break
        found = _unique_pairs(
            {number: step(name) for number, name in ours.items()},
            {number: step(name) for number, name in theirs.items()},
        )
        for number, document in found.items():
            del ours[document], theirs[number]
        pairs |= found
    return pairs


def _unique_pairs(key: Mapping[int, Forms], response: Mapping[int, Forms]) -> dict[int, int]:
    """Pair what has one counterpart, and is its only counterpart.

    Two names belong together if a whole form of one is a form of the other: ``x`` and ``a/x``, but
    not ``a/x`` and ``b/x``.
    """
    partners: dict[tuple[bool, int], set[int]] = defaultdict(set)
    for whole, other, is_key in ((key, response, True), (response, key, False)):
        forms = {form for own, _ in whole.values() for form in own}
        forms &= {form for own, shorter in other.values() for form in chain(own, shorter)}
        numbers = _by_form(forms, ((number, own) for number, (own, _) in whole.items()))
        others = _by_form(forms, ((number, chain(*both)) for number, both in other.items()))
        for form in forms:
            # Two of a group suffice to say that there is more than one counterpart.
            for number in numbers[form]:
                partners[is_key, number].update(others[form][:2])
            for number in others[form]:
                partners[not is_key, number].update(numbers[form][:2])
    return {
        number: document
        for number in response
        if len(found := partners.get((False, number), ())) == 1
        for document in found
        if partners[True, document] == {number}
    }


def _by_form(forms: set[str], names: Iterable[tuple[int, Iterable[str]]]) -> dict[str, list[int]]:
    """Return the documents that have each of some forms."""
    numbers: dict[str, list[int]] = {form: [] for form in forms}
    for number, own in names:
        for form in forms.intersection(own):
            numbers[form].append(number)
    return numbers
