"""Read XML into trees, without external files and entities of its own."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NoReturn
from xml.etree.ElementTree import XML, Element, ParseError
from xml.parsers import expat

import numpy as np

from corefscope.findings import Code
from corefscope.formats.reading.file import FindingReporter

LONGEST_DECLARATION = 1000
ENCODING = re.compile(rb"""<\?xml[^>]*\bencoding\s*=\s*["']([^"']*)""")
"""The name of an encoding at the beginning of a file."""


TAG = re.compile(r"""=\s*("[^"]*"|'[^']*')\s*/?>""")
"""The end of a tag that has attributes."""


class _Declared(ValueError):
    """An entity is declared in a file."""

    def __init__(self, name: str, line: int) -> None:
        super().__init__(f"the file declares the entity {name!r}")
        self.line = line


def parsed_xml(data: bytes, report: FindingReporter) -> Element | None:
    """Return the root of a file; None if it is not XML that can be read.

    The names of elements have no namespaces.
    """
    try:
        if b"<!ENTITY" in data:
            _refuse_entities(data)
        root = XML(data)
    except ParseError as error:
        reason = expat.ErrorString(error.code)
        report(Code.DAMAGED, f"not XML: {reason}", error.position[0], expected="well-formed XML")
        return None
    except _Declared as error:
        report(
            Code.DAMAGED,
            str(error),
            error.line,
            expected="XML without declarations of its own, such as a program writes",
        )
        return None
    except (ValueError, LookupError):
        # The parser knows few encodings, and none with several bytes but those of Unicode.
        found = ENCODING.search(data[:LONGEST_DECLARATION])
        name = repr(found[1].decode(errors="replace")) if found else "of the file"
        report(
            Code.DAMAGED,
            f"the encoding {name} is not known",
            1,
            expected="UTF-8: convert the file to UTF-8, and change its first line",
        )
        return None
    if b"xmlns" in data:
        for element in root.iter():
            element.tag = element.tag.rpartition("}")[2]
    _report_stray_text(root, data, report)
    return root


def _report_stray_text(root: Element, data: bytes, report: FindingReporter) -> None:
    """Report text beside elements: in these formats, it is an element without its bracket."""
    if data.count(b"<") == data.count(b">"):
        return  # To look at each element takes long.
    beside = [element.tail or "" for element in root.iter()]
    beside += [
        text
        for element in root.iter()
        if (text := element.text or "") and (len(element) or TAG.search(text))
    ]
    if not "".join(beside).strip():
        return
    text = next(filter(None, map(str.strip, beside)))[:40]
    place = data.find(text.encode())
    report(
        Code.BAD_LINE,
        f"found the text {text!r} beside elements",
        data.count(b"\n", 0, place) + 1 if place >= 0 else None,
        expected="elements only: is '<' missing?",
    )


def report_unknown(
    parents: Sequence[Element],
    known: Collection[str],
    root: Element,
    data: bytes,
    report: FindingReporter,
) -> None:
    """Report the elements inside others whose names are not known."""
    others = [child for parent in parents for child in parent if child.tag not in known]
    if not others:
        return
    lines = lines_of(list(root.iter()), root, data)
    for other in others:
        expected = " or ".join(f"<{name}>" for name in known)
        report(Code.BAD_LINE, f"found <{other.tag}>", lines[other], expected=expected)


def _refuse_entities(data: bytes) -> None:
    """Refuse a file that declares entities, which can be as long as the memory allows."""
    parser = expat.ParserCreate()

    def declared(name: str, *_rest: object) -> NoReturn:
        raise _Declared(name, parser.CurrentLineNumber)

    parser.EntityDeclHandler = declared
    parser.Parse(data, True)


def texts(elements: Iterable[Element], name: str) -> list[str]:
    """Return the text of the first child with a name of each element; nothing without one."""
    return [element.findtext(name, "").strip() for element in elements]


def values(elements: Iterable[Element], attribute: str) -> list[str]:
    """Return an attribute of each element; nothing if an element does not have it."""
    return [element.get(attribute, "") for element in elements]


def contents(elements: Iterable[Element]) -> list[str]:
    """Return the text of each element before its first child, without blanks at its edges."""
    return [(element.text or "").strip() for element in elements]


def numbers_by_id(
    elements: Sequence[Element], attribute: str, root: Element, data: bytes, report: FindingReporter
) -> dict[str, int]:
    """Return the number of each element by its id; report an id that two elements have."""
    ids = values(elements, attribute)
    numbers = {id: number for number, id in enumerate(ids) if id}
    if len(numbers) < len(ids) - ids.count(""):
        lines = lines_of(elements, root, data)
        first: dict[str, Element] = {}
        for id, element in zip(ids, elements, strict=True):
            if id and first.setdefault(id, element) is not element:
                report(
                    Code.BAD_LINE,
                    f"the {attribute} {id!r} occurred before, on line {lines[first[id]]}",
                    lines[element],
                    expected=f"each {attribute} once",
                )
    return numbers


def lines_of(elements: Sequence[Element], root: Element, data: bytes) -> Mapping[Element, int]:
    """Return the lines of elements, given in their order; there may be others with them."""
    tags = "|".join(re.escape(tag) for tag in {element.tag for element in elements})
    starts = [match.start() for match in re.finditer(rf"<(?:{tags})[\s/>]".encode(), data)]
    if len(starts) != len(elements):
        # There are others with these names, or prefixes, or comments with elements in them.
        return dict(zip(root.iter(), _all_lines(data), strict=True))
    breaks = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    return dict(zip(elements, (1 + np.searchsorted(breaks, starts)).tolist(), strict=True))


def _all_lines(data: bytes) -> list[int]:
    """Return the lines of all elements."""
    lines: list[int] = []
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda *_: lines.append(parser.CurrentLineNumber)
    parser.Parse(data, True)
    return lines
