"""The styles of tagged text: how each writes the beginning and the end of a mention."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Literal, NamedTuple, TypeAlias

Style: TypeAlias = Literal[
    "markdown", "pipe", "subscript", "suffix", "crac", "xml", "prefix", "none"
]
Kind: TypeAlias = Literal["open", "close", "text open", "text close", "foreign"]

LABEL = r"[^\W_](?:[\w.#-]*\w)?"
"""The name of an entity: ``0``, ``e1``, ``cluster_0``."""
NUMBERED = r"[A-Za-z_]{0,12}\d+"
"""A name that stands before the words of a mention, where any word could be taken for it."""
GENERIC = frozenset(
    ("m", "mention", "mentions", "entity", "ent", "e", "span", "coref", "np", "mark", "tag")
)
"""XML elements that mark a mention but do not name its entity."""
HTML = """
a abbr answer article b big blockquote body br center cite code col dd del dfn div dl doc
document dt em figure font footer h1 h2 h3 h4 h5 h6 head header hr html i img ins kbd li link
meta nav ol output p para paragraph pre q response result root s sent sentence script section
small strike strong style sub sup table tbody td text th thead think thinking title tr tt u ul
var
"""
FOREIGN = frozenset(re.findall(r"\w+", HTML))
"""XML elements that mark no mention."""
IDS = ("id", "cluster", "cluster_id", "entity", "entity_id", "chain", "coref", "ref", "name")
"""Attributes that name an entity, the first of them that is there."""

ELEMENT = re.compile(r"<(/?)([A-Za-z][\w.:-]*)((?:\s[^<>]*)?)(/?)>")
ATTRIBUTE = re.compile(r"""([\w:-]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""")
CRAC_TAG = r"(?:\[[^\[\],|\s]+\]?|[^\[\],|\s]+\])"
CRAC_WORD = re.compile(rf"(?P<word>\S+)\|(?P<tags>{CRAC_TAG}(?:,{CRAC_TAG})*)")


class Tag(NamedTuple):
    """A tag in a text."""

    start: int
    stop: int
    kind: Kind
    name: str = ""
    """What an opening and a closing tag must have in common."""
    label: str | None = None
    """The entity, if the tag names it."""
    attributes: Mapping[str, str] = {}


def _brackets(pattern: str) -> Callable[[str], Iterator[Tag]]:
    """Return a function that finds brackets whose closing one names the entity."""
    compiled = re.compile(pattern)

    def tags(text: str) -> Iterator[Tag]:
        for match in compiled.finditer(text):
            if match[0].startswith("["):
                yield Tag(match.start(), match.end(), "open")
            elif match["label"] is None:
                yield Tag(match.start(), match.end(), "text close")
            else:
                yield Tag(match.start(), match.end(), "close", label=match["label"] or None)

    return tags


PREFIX = re.compile(rf"\[(?P<label>{NUMBERED}):?[ \t\n]+(?=\S)")
BRACKET_OR_PREFIX = re.compile(rf"{PREFIX.pattern}|[\[\]]")


def _prefix(text: str) -> Iterator[Tag]:
    for match in BRACKET_OR_PREFIX.finditer(text):
        if match["label"] is not None:
            yield Tag(match.start(), match.end(), "open", label=match["label"])
        elif match[0] == "[":
            yield Tag(match.start(), match.end(), "text open")
        else:
            yield Tag(match.start(), match.end(), "close")


def _pipe(text: str) -> Iterator[Tag]:
    for match in re.finditer(rf"<m>|(?:\|\s*(?P<label>{LABEL})\s*)?</m\s*>", text):
        kind: Kind = "open" if match[0] == "<m>" else "close"
        yield Tag(match.start(), match.end(), kind, label=match["label"])


def _xml(text: str) -> Iterator[Tag]:
    for match in ELEMENT.finditer(text):
        name = match[2].lower()
        place = match.start(), match.end()
        if name in FOREIGN or match[4]:
            yield Tag(*place, "foreign")
        elif match[1]:
            yield Tag(*place, "close", match[2])
        else:
            attributes = {
                key.lower(): value.strip("\"'") for key, value in ATTRIBUTE.findall(match[3])
            }
            label = next((attributes[key] for key in IDS if attributes.get(key)), None)
            named = label or (None if name in GENERIC else match[2])
            yield Tag(*place, "open", match[2], named, attributes)


SINGLE = rf"\[|\]_\{{?(?P<label>\d+|{LABEL})\}}?|\]"
DOUBLE = rf"\[\[|\]\]_\{{?(?P<label>\d+|{LABEL})\}}?|\]\](?!\])"
TAGS: Mapping[Style, Callable[[str], Iterator[Tag]]] = {
    "markdown": _brackets(r"\[|\]\(#(?P<label>[^()\s]*)\)|\]"),
    "pipe": _pipe,
    "suffix": _brackets(rf"\[|\s*:\s*(?P<label>{LABEL})\s*\]|\]"),
    "xml": _xml,
    "prefix": _prefix,
}


def tags_of(text: str, style: Style) -> Iterator[Tag]:
    """Yield the tags of a text."""
    if style == "subscript":
        # A text in single brackets may end with a bracket of its own: [the boat [sic]]_0.
        is_double = "[[" in text and "]]_" in text
        yield from _brackets(DOUBLE if is_double else SINGLE)(text)
    elif style in TAGS:
        yield from TAGS[style](text)


CUT_TAGS: Mapping[Style, re.Pattern[str]] = {
    "markdown": re.compile(r"\]\(#?[^()\s]*$"),
    "pipe": re.compile(rf"(\|\s*({LABEL})?\s*)?(<[^<>]*)?$"),
    "subscript": re.compile(r"\]\]?_\{?$"),
    "xml": re.compile(r"<(?=[/A-Za-z]|$)[^<>]*$"),
}
"""A tag that is cut off at the end of a text."""
LONGEST_TAG = 1000


def without_cut_tag(text: str, style: Style) -> tuple[str, bool]:
    """Return a text without a tag that is cut off at its end, and whether there is one."""
    end = text.rstrip()
    begin = max(0, len(end) - LONGEST_TAG)
    match = CUT_TAGS[style].search(end, begin) if style in CUT_TAGS else None
    return (text[: match.start()], True) if match and match[0] else (text, False)


CLOSINGS: Mapping[Style, re.Pattern[str]] = {
    "markdown": re.compile(r"\]\(#[^()\s]*\)"),
    "pipe": re.compile(rf"\|\s*{LABEL}\s*</m\s*>"),
    "subscript": re.compile(rf"\]_\{{?(?:\d+|{LABEL})"),
    "suffix": re.compile(rf":\s*{LABEL}\s*\](?!\(#|_)"),
    "crac": re.compile(rf"\|(?:{CRAC_TAG},)*[^\[\],|\s]*\]"),
}


def style_of(text: str) -> Style:
    """Return the style that has most closing tags in a text."""
    counts: dict[Style, int] = {
        style: len(pattern.findall(text)) for style, pattern in CLOSINGS.items()
    }
    counts["xml"] = sum(
        bool(match[1]) and match[2].lower() not in FOREIGN for match in ELEMENT.finditer(text)
    )
    counts["prefix"] = min(len(PREFIX.findall(text)), text.count("]"))
    style = max(counts, key=lambda each: counts[each])
    return style if counts[style] else "none"


def wraps_all(text: str) -> bool:
    """Return whether a text is one XML element, so that it is an XML file and no tagged text."""
    first = ELEMENT.match(text.lstrip())
    if text.lstrip().startswith(("<?", "<!")):
        return True
    if first is None or first[1] or first[2].lower() in FOREIGN:
        return False
    closing = f"</{first[2]}"
    return closing not in text or text.rstrip().find(closing) + len(closing) + 1 == len(
        text.rstrip()
    )
