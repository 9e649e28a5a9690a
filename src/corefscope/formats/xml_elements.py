"""Read XML as columns, without external files and entities of its own.

The formats here have little structure and many elements: an object for each of them would take most
of the time. What an element belongs to follows from the order of the start tags.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter
from typing import NoReturn
from xml.parsers import expat

import numpy as np
from numpy.typing import NDArray

from corefscope.findings import Code
from corefscope.formats.whole_files import Report

SEPARATOR = "\0"
"""Stands before the text of each element; XML cannot contain this character."""
NOTHING: Mapping[str, str] = {}

Places = NDArray[np.intp]
"""The numbers of some elements, in their order."""


@dataclass(slots=True, kw_only=True)
class Elements:
    """The elements of an XML file in the order of their start tags."""

    names: NDArray[np.uint32]
    """The number of the name of each element."""
    numbers: Mapping[str, int]
    """The numbers of the names, without their prefixes."""
    ordered: list[str]
    """The names by their numbers."""
    attributes: list[Mapping[str, str]]
    texts: list[str]
    """The text between the start tag of each element and the next start tag.

    It is the text of the element, because these formats have only blanks between elements.
    """
    lines: Mapping[int, int]
    """The lines of the elements whose lines were asked for."""

    def named(self, name: str, within: range | None = None) -> Places:
        """Return the elements with a name, in all of the file or in a part of it."""
        part = range(len(self.names)) if within is None else within
        if name not in self.numbers:
            return np.empty(0, np.intp)
        found = np.flatnonzero(self.names[part.start : part.stop] == self.numbers[name])
        return found + part.start

    def others(self, within: range, *names: str) -> Places:
        """Return the elements of a part of the file, except the first one and those with a name."""
        known = [self.numbers[name] for name in names if name in self.numbers]
        found = ~np.isin(self.names[within.start + 1 : within.stop], known)
        return np.flatnonzero(found) + within.start + 1

    def parts(self, *names: str, within: range | None = None) -> list[range]:
        """Return parts that begin with the first element of a name and end where another begins."""
        whole = range(len(self.names)) if within is None else within
        begins = [self.named(name, whole)[:1].tolist() for name in names]
        edges = sorted([*(place for found in begins for place in found), whole.stop])
        return [
            range(found[0], edges[bisect_right(edges, found[0])]) if found else range(0)
            for found in begins
        ]

    def following(self, name: str, owners: Places, within: range) -> list[list[int]]:
        """Return the elements with a name between each of some elements and the next of these."""
        found = self.named(name, within)
        places, edges = found.tolist(), np.searchsorted(found, owners).tolist()
        return [places[begin:end] for begin, end in pairwise([*edges, len(places)])]

    def tag(self, place: int) -> str:
        """Return the name of an element."""
        return self.ordered[int(self.names[place])]

    def values(self, attribute: str, places: Places) -> list[str]:
        """Return an attribute of some elements; nothing if an element does not have it."""
        found = list(map(self.attributes.__getitem__, places.tolist()))
        try:
            return list(map(itemgetter(attribute), found))
        except KeyError:
            return [attributes.get(attribute, "") for attributes in found]

    def value(self, attribute: str, place: int) -> str:
        """Return an attribute of an element; nothing if it does not have it."""
        return self.attributes[place].get(attribute, "")

    def text(self, name: str, within: range | None = None) -> str:
        """Return the text of the first element with a name."""
        found = self.named(name, within)
        return self.texts[found[0]].strip() if len(found) else ""

    def stripped(self, places: Places) -> list[str]:
        """Return the texts of some elements without blanks at their edges."""
        return list(map(str.strip, map(self.texts.__getitem__, places.tolist())))

    def column(self, name: str, owners: Places, within: range) -> list[str]:
        """Return the text of the first element with a name that follows each of some elements."""
        found = self.named(name, within)
        owner = np.searchsorted(owners, found) - 1
        is_first = np.diff(owner, prepend=-1) > 0
        texts = self.stripped(found[is_first])
        if len(texts) == len(owners):
            return texts
        values = [""] * len(owners)
        for place, text in zip(owner[is_first].tolist(), texts, strict=True):
            values[place] = text
        return values


class _Refused(ValueError):
    """XML that is well-formed but not read."""


def _plain(tag: str) -> str:
    return tag.rpartition(":")[2]


def parsed_xml(
    data: bytes, report: Report, has_line: Callable[[str], bool] = "".__eq__
) -> Elements | None:
    """Return the elements of a file; None if it is not XML that can be read.

    ``has_line`` tells by its name whether the line of an element is needed; by default none is.
    """
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.EntityDeclHandler = _declared
    parser.SkippedEntityHandler = _skipped
    elements = _collector(parser, has_line)
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        report(Code.BAD_XML, f"not XML: {reason}; expected well-formed XML", error.lineno)
        return None
    except (_Refused, ValueError, LookupError) as error:
        message = f"{error}; expected XML without declarations of its own, such as a program writes"
        report(Code.BAD_XML, message, parser.CurrentLineNumber)
        return None
    finally:
        # The parser refers to the function, which refers to the parser: without this cycle, what
        # was read is freed at once.
        parser.StartElementHandler = None
    return elements()


def _collector(
    parser: expat.XMLParserType, has_line: Callable[[str], bool]
) -> Callable[[], Elements]:
    """Let a parser collect elements; return a function that gives what was collected."""
    lined: set[str] = set()
    others: set[str] = set()
    tags: list[str] = []
    pieces: list[str] = []
    attributes: list[Mapping[str, str]] = []
    lines: dict[int, int] = {}
    add_tag, add_piece, add_attributes = tags.append, pieces.append, attributes.append

    def is_new_lined(tag: str) -> bool:
        (lined if has_line(_plain(tag)) else others).add(tag)
        return tag in lined

    def start(tag: str, given: dict[str, str]) -> None:
        if tag not in others and (tag in lined or is_new_lined(tag)):
            lines[len(tags)] = parser.CurrentLineNumber
        add_tag(tag)
        add_attributes(given or NOTHING)
        add_piece(SEPARATOR)

    def elements() -> Elements:
        plain = {tag: _plain(tag) for tag in (*lined, *others)}
        numbers = {name: number for number, name in enumerate(sorted(set(plain.values())))}
        number_of = {tag: numbers[name] for tag, name in plain.items()}
        return Elements(
            names=np.fromiter(map(number_of.__getitem__, tags), np.uint32, len(tags)),
            numbers=numbers,
            ordered=list(numbers),
            attributes=attributes,
            texts="".join(pieces).split(SEPARATOR)[1:],
            lines=lines,
        )

    parser.StartElementHandler = start
    parser.CharacterDataHandler = add_piece
    return elements


def _declared(name: str, *_rest: object) -> NoReturn:
    raise _Refused(f"the file declares the entity {name!r}")


def _skipped(name: str, _is_parameter: bool) -> NoReturn:
    raise _Refused(f"the entity &{name}; is declared in another file, which is not read")
