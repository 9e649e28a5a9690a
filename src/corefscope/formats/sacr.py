"""SACR: text with braces around the mentions.

SACR is a tool for annotating coreference chains in a browser, used for French corpora. A mention is
`{chain:property="value",property2="value" text}`: the name of its chain, perhaps properties, a
blank, and its text, which may contain other mentions. Lines that begin with `#` are comments;
`#textid:NAME` names the document. Blank lines separate paragraphs.

- Positions are not in the file: they follow from the text without the braces.
- A chain that occurs once, such as `M12`, is an entity of one mention.
- The property `EN` or `type` is the type of the mention. Other properties are not read.
- There are no tokens in the file. The text is divided into words and signs, and also where a
  mention begins or ends.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from corefscope.corpus.offsets import Convention
from corefscope.findings import Code
from corefscope.formats.builder import Builder
from corefscope.formats.draft import Draft, DraftEntity, DraftMention
from corefscope.formats.options import ReadingOptions
from corefscope.formats.source import Progress, Source
from corefscope.formats.whole_files import Report, decoded, read_whole

CONVENTION = Convention(0, "exclusive", "character")
PROPERTY = r'[^\s={}",]+="[^"]*"'
OPENING = re.compile(r'\{([^\s:{}="]+)(?::(' + PROPERTY + r"(?:," + PROPERTY + r")*)?)?[ \t]")
NEWLINE = re.compile(r"\n")
BRACE = re.compile(r"[{}]")
COMMENT = re.compile(r"^#[^\n]*\n?", re.MULTILINE)
NAME = re.compile(r"^#\s*textid\s*:\s*(\S.*?)\s*$", re.MULTILINE | re.IGNORECASE)
TYPE = re.compile(r'(?:^|,)(?:EN|type)="([^"]*)"')


def read(
    source: Source, builder: Builder, options: ReadingOptions, progress: Progress | None = None
) -> None:
    """Read the document of a file into the builder."""
    read_whole(source, builder, progress, _drafts)


def _drafts(data: bytes, report: Report) -> Iterator[Draft]:
    tagged = decoded(data, report)
    if tagged is None:
        return
    name = NAME.search(tagged)
    # Comments become blank lines, so that line numbers stay what they are.
    marked = _Marked(COMMENT.sub("\n", tagged), report)
    marked.read()
    yield Draft(
        name=name[1] if name else None,
        text="".join(marked.parts).rstrip("\r\n"),
        entities=[entity for entity in marked.entities.values() if entity.mentions],
        convention=CONVENTION,
    )


class _Open(NamedTuple):
    """A mention that is not closed yet."""

    label: str
    type: str | None
    begin: int
    """Where it begins in the text without braces."""
    place: int
    """Where it begins in the file."""


class _Marked:
    """Text with braces."""

    def __init__(self, body: str, report: Report) -> None:
        self.body = body
        self.report = report
        self.parts: list[str] = []
        self.length = 0
        self.entities: dict[str, DraftEntity] = {}
        self.open: list[_Open] = []
        self.newlines = [match.start() for match in NEWLINE.finditer(body)]

    def read(self) -> None:
        """Take the mentions out of the text, which begins after comments and blank lines."""
        end = len(self.body) - len(self.body.lstrip("\r\n"))
        for brace in BRACE.finditer(self.body, end):
            if brace.start() < end:
                continue  # A brace in the value of a property.
            self._text(self.body[end : brace.start()])
            if brace[0] == "{":
                end = self._begin(brace.start())
            else:
                self._end(brace.start())
                end = brace.end()
        self._text(self.body[end:])
        for mention in self.open:
            message = "a brace is opened but never closed; expected } at the end of the mention"
            self.report(Code.UNCLOSED, message, self._line(mention.place))

    def _text(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)

    def _begin(self, place: int) -> int:
        match = OPENING.match(self.body, place)
        if match is None:
            found = self.body[place : place + 30]
            message = f'found {found!r}; expected a mention such as {{chain:type="PER" text}}'
            self.report(Code.BAD_LINE, message, self._line(place))
            return place + 1
        label, properties = match.groups()
        type = TYPE.search(properties or "")
        self.entities.setdefault(label, DraftEntity(label=label, mentions=[]))
        self.open.append(_Open(label, type[1] if type else None, self.length, place))
        return match.end()

    def _end(self, place: int) -> None:
        if not self.open:
            message = "a brace is closed but was never opened; expected { before it"
            self.report(Code.UNOPENED, message, self._line(place))
            return
        label, type, begin, opened = self.open.pop()
        mention = DraftMention(
            places=((begin, self.length),), type=type or None, line=self._line(opened)
        )
        self.entities[label].mentions.append(mention)

    def _line(self, place: int) -> int:
        return bisect_left(self.newlines, place) + 1
