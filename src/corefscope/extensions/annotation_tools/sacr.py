"""SACR: text with braces around the mentions.

SACR is a tool for annotating coreference chains in a browser, used for French corpora. A mention is
`{chain:property="value",property2="value" text}`: the name of its chain, perhaps properties, a
blank, and its text, which may contain other mentions. Lines that begin with `#` are comments;
`#textid:NAME` names the document. Blank lines separate paragraphs.

- Files are recognised by a mention with properties, by the extension `.sacr`, or by lines such as
  `#textid:` and `#COLOR:`.
- Positions are not in the file: they follow from the text without the braces.
- A chain that occurs once, such as `M12`, is an entity of one mention.
- The property `EN` or `type` is the type of the mention. Other properties are not read.
- There are no tokens in the file. The text is divided into words and signs, and also where a
  mention begins or ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain
from operator import add

import numpy as np

from corefscope.corpus.offsets import CHARACTERS
from corefscope.findings import Code
from corefscope.formats.reading.draft import Draft, Mentions
from corefscope.formats.reading.file import File, FindingReporter
from corefscope.formats.reading.whole_files import decoded, whole_reader

PROPERTY = r'[^\s={}",]+="[^"]*"'
OPENING = r'([^\s:{}="]+)(?::(' + PROPERTY + r"(?:," + PROPERTY + r")*)?)?[ \t]"
TAG = re.compile(r"([{}](?:(?<=\{)" + OPENING + ")?)")
"""A brace, with the label and the properties of a mention that begins. Two patterns, one for each
brace, would be found more slowly."""
COMMENT = re.compile(r"#(?<![^\n]#)[^\n]*\n?")
"""A line that begins with #. The pattern begins with that sign, so that it is found fast."""
NAME = re.compile(r"^#\s*textid\s*:\s*(\S.*?)\s*$", re.MULTILINE | re.IGNORECASE)
BREAK = re.compile(r"\n")
TYPE = re.compile(r'(?:^|,)(?:EN|type)="([^"]*)"')


def _drafts(file: File, data: bytes) -> Iterator[Draft]:
    tagged = decoded(data, file.report)
    if tagged is None:
        return
    name = NAME.search(tagged)
    # Comments become blank lines, so that line numbers stay what they are.
    marked = _Marked(COMMENT.sub("\n", tagged), file.report)
    yield Draft(
        name=name[1] if name else None,
        text="".join(marked.texts).rstrip("\r\n"),
        is_marked=True,
        mentions=marked.mentions(),
        convention=CHARACTERS,
    )


read = whole_reader(_drafts)


class _Marked:
    """Text with braces, which begins after comments and blank lines."""

    def __init__(self, body: str, report: FindingReporter) -> None:
        self.body = body
        self.report = report
        self.begin = len(body) - len(body.lstrip("\r\n"))
        parts = TAG.split(body[self.begin :])
        self.texts, self.tags, self.labels, self.properties = (parts[n::4] for n in range(4))

    def mentions(self) -> Mentions:
        """Return the mentions; entities are in the order in which they begin."""
        places = list(accumulate(map(len, self.texts)))
        lines = self._lines(places)
        types = {given: _type(given) for given in set(self.properties)}
        entities = {label: pairs for label, pairs in self._paired(lines).items() if pairs}
        pairs = list(chain.from_iterable(entities.values()))
        return Mentions(
            labels=list(entities),
            sizes=list(map(len, entities.values())),
            places=[(places[first], places[last]) for first, last in pairs],
            types=[types[self.properties[first]] for first, _ in pairs],
            lines=[lines[first] for first, _ in pairs],
        )

    def _paired(self, lines: Sequence[int]) -> dict[str, list[tuple[int, int]]]:
        """Return the opening and the closing tag of each mention, by entity."""
        found: dict[str, list[tuple[int, int]]] = {}
        opened: list[int] = []
        for number, (tag, label) in enumerate(zip(self.tags, self.labels, strict=True)):
            if label is not None:
                found.setdefault(label, [])
                opened.append(number)
            elif tag == "{":
                self._report_brace(number, lines[number])
            elif opened:
                first = opened.pop()
                found[self.labels[first]].append((first, number))
            else:
                self.report(
                    Code.UNBALANCED,
                    "a brace is closed but was never opened",
                    lines[number],
                    expected="{ before it",
                )
        for number in opened:
            self.report(
                Code.UNBALANCED,
                "a brace is opened but never closed",
                lines[number],
                expected="} at the end of the mention",
            )
        return found

    def _report_brace(self, number: int, line: int) -> None:
        after = "".join(map(add, self.tags[number:], self.texts[number + 1 :]))
        self.report(
            Code.BAD_LINE,
            f"found {after[:30]!r}",
            line,
            expected='a mention such as {chain:type="PER" text}',
        )

    def _lines(self, places: Sequence[int]) -> list[int]:
        """Return the lines of tags that stand at some places of the text without tags."""
        breaks = [match.start() for match in BREAK.finditer("".join(self.texts))]
        first = 1 + self.body.count("\n", 0, self.begin)
        lines = first + np.searchsorted(breaks, places)
        if "\n" in "".join(self.tags):
            lines[1:] += np.cumsum([tag.count("\n") for tag in self.tags])
        found: list[int] = lines.tolist()
        return found


def _type(properties: str | None) -> str | None:
    found = TYPE.search(properties or "")
    return found[1] or None if found else None
