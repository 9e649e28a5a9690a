"""Read XML without external files, entities of its own and deep nesting; keep line numbers."""

from __future__ import annotations

from collections.abc import Iterator
from xml.parsers import expat

from corefscope.findings import Code
from corefscope.formats.whole_files import Report

DEEPEST = 100
"""The deepest nesting that is read; the formats need fewer than ten levels."""


class Element:
    """An element of an XML file."""

    __slots__ = ("attributes", "children", "line", "tag", "text")

    def __init__(self, tag: str, attributes: dict[str, str], line: int) -> None:
        self.tag = tag
        """Its name without a prefix."""
        self.attributes = attributes
        self.line = line
        self.children: list[Element] = []
        self.text = ""
        """The text before its first child, or all of its text if it has no child."""

    def get(self, name: str) -> str | None:
        """Return an attribute."""
        return self.attributes.get(name)

    def all(self, tag: str) -> Iterator[Element]:
        """Yield the children with a name."""
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> Element | None:
        """Return the first child with a name."""
        return next(self.all(tag), None)

    def inside(self, tag: str) -> list[Element]:
        """Return the children of the first child with a name; none if there is no such child."""
        child = self.first(tag)
        return [] if child is None else child.children

    def child_text(self, tag: str) -> str:
        """Return the text of the first child with a name."""
        child = self.first(tag)
        return "" if child is None else child.text.strip()


class _Refused(ValueError):
    """XML that is well-formed but not read."""


class _Builder:
    def __init__(self, parser: expat.XMLParserType) -> None:
        self.parser = parser
        self.root: Element | None = None
        self.open: list[Element] = []
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.data
        parser.EntityDeclHandler = self.entity
        parser.SkippedEntityHandler = self.skipped

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self.open) >= DEEPEST:
            raise _Refused(f"elements are nested more than {DEEPEST} levels deep")
        plain = tag.rpartition(":")[2] if ":" in tag else tag
        element = Element(plain, attributes, self.parser.CurrentLineNumber)
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def end(self, _tag: str) -> None:
        self.open.pop()

    def data(self, text: str) -> None:
        if self.open and not self.open[-1].children:
            self.open[-1].text += text

    def entity(self, name: str, *_rest: object) -> None:
        raise _Refused(f"the file declares the entity {name!r}")

    def skipped(self, name: str, _is_parameter: bool) -> None:
        raise _Refused(f"the entity &{name}; is declared in another file, which is not read")


def parsed_xml(data: bytes, report: Report) -> Element | None:
    """Return the root element; None if the file is not XML that can be read."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    builder = _Builder(parser)
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
        # The parser refers to the builder: without this cycle, elements are freed at once.
        del builder.parser
    return builder.root
