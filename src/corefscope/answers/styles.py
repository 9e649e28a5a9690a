"""The styles of tagged text: how each writes the beginning and the end of a mention."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import partial
from typing import Literal, NamedTuple, TypeAlias

Style: TypeAlias = Literal[
    "markdown",
    "pipe",
    "subscript",
    "suffix",
    "crac",
    "corefinst",
    "tanl",
    "xml",
    "prefix",
    "declared",
    "none",
]
TagKind: TypeAlias = Literal["open", "close", "text open", "text close", "foreign"]

LABEL = r"[^\W_](?:[\w.#-]*\w)?"
"""The name of an entity: ``0``, ``e1``, ``cluster_0``."""
NAME_SIZE = 80
"""The longest name of an entity that has blanks."""
NUMBERED = r"[A-Za-z_]{0,12}\d+"
"""A name that stands before the words of a mention, where any word could be taken for it."""
GENERIC = frozenset(
    ("m", "mention", "mentions", "entity", "ent", "e", "span", "coref", "np", "mark", "tag")
)
"""XML elements that mark a mention but do not name its entity."""
HTML = """
a abbr answer article b big blockquote body br center cite code col dd del dfn div dl doc
document dt em figure font footer h1 h2 h3 h4 h5 h6 head header hr html i img ins kbd li link
meta nav ol output p para paragraph pre q reasoning response result root s sent sentence script
section small strike strong style sub sup table tbody td text th thead think thinking title tr
tt u ul var
"""
FOREIGN = frozenset(re.findall(r"\w+", HTML))
"""XML elements that mark no mention."""
IDS = ("id", "cluster", "cluster_id", "entity", "entity_id", "chain", "coref", "ref", "name")
"""Attributes that name an entity, the first of them that is there."""

ELEMENT = re.compile(
    r"<(?P<closing>/?)(?P<name>[A-Za-z][\w.:-]*)(?P<attributes>(?:\s[^<>]*)?)(?P<empty>/?)>"
)
ATTRIBUTE = re.compile(r"""([\w:-]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""")
CRAC_TAG = r"(?:\[[^\[\],|\s]+\]?|[^\[\],|\s]+\])"
CRAC_WORD = re.compile(rf"(?<!\S)(?P<word>\S+)\|(?P<tags>{CRAC_TAG}(?:,{CRAC_TAG})*+)(?!\S)")


class Tag(NamedTuple):
    """What a tag means."""

    kind: TagKind
    name: str = ""
    """What an opening and a closing tag must have in common."""
    label: str | None = None
    """The entity, if the tag names it."""
    attributes: Mapping[str, str] = {}


def _named(label: str | None) -> str | None:
    """Return the name of an entity; None if it lacks a number, as ``cluster_`` does."""
    name = " ".join((label or "").split())
    return None if name.endswith(("_", "-", "#", ":")) else name or None


def _bracket(match: re.Match[str]) -> Tag:
    """Return what a bracket means whose closing one names the entity."""
    if match[0].startswith("["):
        return Tag("open")
    if match["label"] is None:
        return Tag("text close")
    return Tag("close", label=_named(match["label"]))


PREFIX = rf"\[(?P<label>{NUMBERED}):?[ \t\n]+"
BEFORE_WORD = re.compile(rf"{PREFIX}(?=\S)")


def _prefix(match: re.Match[str]) -> Tag:
    if match["label"] is not None:
        return Tag("open", label=match["label"])
    return Tag("text open" if match[0] == "[" else "close")


def _pipe(match: re.Match[str]) -> Tag:
    return Tag("open" if match[0] == "<m>" else "close", label=_named(match["label"]))


def _xml(match: re.Match[str]) -> Tag:
    name = match["name"].lower()
    if name in FOREIGN or match["empty"]:
        return Tag("foreign")
    if match["closing"]:
        return Tag("close", match["name"])
    attributes = {
        key.lower(): value.strip("\"'") for key, value in ATTRIBUTE.findall(match["attributes"])
    }
    label = _named(next((attributes[key] for key in IDS if attributes.get(key)), None))
    named = label or (None if name in GENERIC else match["name"])
    return Tag("open", match["name"], named, attributes)


MASK = "MASK"
"""What stands for an entity that the model should have named."""


def _corefinst(match: re.Match[str]) -> Tag:
    label = match["label"]
    return Tag("open" if match[0] == "<m>" else "close", label=None if label == MASK else label)


def _tanl(match: re.Match[str]) -> Tag:
    """Return what a bracket of TANL means: the words of an antecedent stand for its entity."""
    if match[0] == "[":
        return Tag("open")
    return Tag("close", label=" ".join((match["label"] or "").split()) or None)


def _declared(match: re.Match[str]) -> Tag:
    """Return what a tag means whose form the user declared."""
    kind: TagKind = "open" if match["open"] is not None else "close"
    groups = match.groupdict()
    return Tag(kind, label=groups.get("id"))


class Tags(NamedTuple):
    """How to find the tags of a style, and what they mean."""

    pattern: re.Pattern[str]
    """Finds tags; its first group is the whole tag."""
    alone: re.Pattern[str]
    """Matches a tag without the text around it."""
    meaning: Callable[[re.Match[str]], Tag]

    @classmethod
    def of(
        cls,
        pattern: str,
        meaning: Callable[[re.Match[str]], Tag] = _bracket,
        alone: str | None = None,
    ) -> Tags:
        """Return the tags that match a pattern."""
        return cls(re.compile(f"({pattern})"), re.compile(alone or pattern), meaning)

    def divide(self, text: str) -> tuple[list[str], list[str]]:
        """Return the parts of a text between tags, and the tags."""
        parts = self.pattern.split(text)
        step = self.pattern.groups + 1
        return parts[::step], parts[1::step]

    def meanings(self, tags: Iterable[str]) -> dict[str, Tag]:
        """Return what each of some tags means."""
        matches = {tag: self.alone.fullmatch(tag) for tag in tags}
        return {tag: self.meaning(match) for tag, match in matches.items() if match}


# Where a sign says that a name ends, it may have blanks.
MARKDOWN_NAME = rf"[^()\n]{{0,{NAME_SIZE}}}"
PIPE_NAME = rf"[^\W_][^|<>\n]{{0,{NAME_SIZE}}}"
INDEX = rf"{LABEL}(?: {LABEL})+(?=\}})|\d+|{LABEL}"
TAGS: Mapping[Style, Tags] = {
    "markdown": Tags.of(rf"\[|\]\*{{0,3}}\(#(?P<label>{MARKDOWN_NAME})\)|\]"),
    "pipe": Tags.of(rf"<m>|(?:\|\s*(?P<label>{PIPE_NAME}))?</m\s*>", _pipe),
    "subscript": Tags.of(rf"\[|\]_\{{?(?P<label>{INDEX})\}}?|\]"),
    # Blanks are taken once and for all: to try parts of them takes long where there are many.
    "suffix": Tags.of(rf"\[|(?<!\s)\s*+:\s*+(?P<label>{LABEL})\s*+\]|\]"),
    "xml": Tags.of(ELEMENT.pattern, _xml),
    "prefix": Tags.of(rf"{BEFORE_WORD.pattern}|[\[\]]", _prefix, rf"{PREFIX}|[\[\]]"),
    "corefinst": Tags.of(rf"<m>|</m>(?:\s*+#\s*+(?P<label>\d+|{MASK}))?", _corefinst),
    "tanl": Tags.of(
        r"\[(?=\s)|(?<=\s)(?:\|\s(?P<label>[^\[\]|]*)(?<=\s))?\]",
        _tanl,
        r"\[|(?:\|\s(?P<label>[^\[\]|]*))?\]",
    ),
    "none": Tags.of(r"(?!)"),
}
ZERO_TAG = re.compile(rf"\s*+</z>\s*+@\s*+(\d+|{MASK})")
"""A zero of CorefInst, behind the word before it."""


def with_zeros_as_words(text: str) -> str:
    """Return a text of CorefInst in which zeros are mentions of a word that is not said.

    It is one token, wherever the text is divided into words and signs.
    """
    return ZERO_TAG.sub(r" <m> _ </m>#\1 ", text)


ID = "{id}"
"""What stands for the name of an entity in a declared tag."""


def declared_tags(opening: str, closing: str) -> Tags:
    """Return the tags of a style that the user declared, one of which has ``{id}``.

    All else is literal; blanks next to the words may be missing or added.
    """
    name = r"(?P<id>[\w.]+)"
    first, last = (
        name.join(map(re.escape, each.split(ID))) for each in (opening.rstrip(), closing.lstrip())
    )
    return Tags.of(rf"(?P<open>{first})\s*+|\s*+{last}", _declared)


DOUBLE = Tags.of(rf"\[\[|\]\]_\{{?(?P<label>{INDEX})\}}?|\]\](?!\])")


def tags_of(text: str, style: Style) -> Tags:
    """Return the tags that a text has in a style."""
    # A text in single brackets may end with a bracket of its own: [the boat [sic]]_0.
    is_double = style == "subscript" and "[[" in text and "]]_" in text
    names = set(_names_in(text)) if style == "suffix" else None
    if names:
        pattern = rf"\[|(?<!\s)\s*+{NAME_AFTER_COLON.pattern}|\]"
        return Tags.of(pattern, partial(_suffix, names))
    return DOUBLE if is_double else TAGS[style]


def _suffix(names: Container[str], match: re.Match[str]) -> Tag:
    """Return what a bracket means in a text where some names have blanks."""
    label = match["label"]
    is_text = label is not None and label not in names and not re.fullmatch(LABEL, label)
    return Tag("text close") if is_text else _bracket(match)


NAME_AFTER_COLON = re.compile(rf":\s*+(?P<label>[^\[\]:\n]{{1,{NAME_SIZE}}}?)\s*+\]")


def _names_in(text: str) -> Iterator[str]:
    """Yield the name of each mention that is tagged as ``[she: Ida Lind]``, with blanks.

    Brackets may be text, so one of the mentions with a name must have a word of it.
    """
    said: defaultdict[str, set[str]] = defaultdict(set)
    found = []
    for match in NAME_AFTER_COLON.finditer(text):
        if not re.fullmatch(LABEL, match["label"]):
            before = text[max(0, match.start() - NAME_SIZE) : match.start()]
            said[match["label"]] |= _words(re.split(r"[\[\]]", before)[-1])
            found.append(match["label"])
    known = {name for name, words in said.items() if words & _words(name)}
    yield from (name for name in found if name in known)


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


THOUGHT = re.compile(r"<(/?)(?:think|thinking|reasoning)>", re.IGNORECASE)
"""A tag around what a model thinks before it answers."""


def thoughts_of(text: str) -> Iterator[tuple[int, int]]:
    """Yield where thoughts of a model begin and end in its output.

    Some models leave out the first opening tag. What is never closed may be the answer as well.
    """
    begin: int | None = 0
    for tag in THOUGHT.finditer(text):
        if tag[1] and begin is not None:
            yield begin, tag.end()
            begin = None
        elif not tag[1]:
            begin = begin or tag.start()


CUT_TAGS: Mapping[Style, re.Pattern[str]] = {
    "markdown": re.compile(rf"\]\*{{0,3}}\((?:#{MARKDOWN_NAME})?$"),
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


CLOSINGS: Mapping[Style, tuple[str, re.Pattern[str]]] = {
    "markdown": ("(#", re.compile(rf"\]\*{{0,3}}\(#{MARKDOWN_NAME}\)")),
    "corefinst": ("</", re.compile(rf"</m>\s*#\s*(?:\d|{MASK})|</z>\s*@\s*(?:\d|{MASK})")),
    "pipe": ("</m", re.compile(rf"\|\s*{PIPE_NAME}</m\s*>")),
    "subscript": ("]_", re.compile(rf"\]_\{{?(?:\d+|{LABEL})")),
    "suffix": (":", re.compile(rf":\s*{LABEL}\s*\](?!\(#|_)")),
}
"""The closing tags of styles, each with a string that is in all of them, and is found faster."""


TANL = re.compile(r"\[\s[^\[\]|]*(?:\[\s[^\[\]]*\]\s[^\[\]|]*)*\|\s(?!e?\d+\s)[^\[\]|]+\s\]")
"""A mention of TANL with the words of its antecedent, which are no name such as ``e1``."""
TANL_END = re.compile(r"\s\]")
NUMBERS = re.compile(r"\[\d[\s\d.,:;–-]*(?:[^\W\d_]+\.\s*\d[\s\d.,:;–-]*)*\](?!\(#|_)")
"""``[2 3]``, ``[12 p. 4]`` or ``[12:30]``: what refers to a page or says a time is no tag."""


def style_of(text: str) -> Style:
    """Return the style that has most closing tags in a text."""
    words = list(CRAC_WORD.finditer(text)) if "|" in text else []
    if words:
        # Brackets of such words count for no other style.
        inside = sum(word["tags"].count("[") + word["tags"].count("]") for word in words)
        if 2 * inside > text.count("[") + text.count("]"):
            return "crac"
        text = CRAC_WORD.sub(" ", text)
    text = NUMBERS.sub(" ", text)
    counts: dict[Style, int] = {
        style: len(pattern.findall(text)) if sign in text else 0
        for style, (sign, pattern) in CLOSINGS.items()
    }
    counts["xml"] = sum(
        bool(match[1]) and match[2].lower() not in FOREIGN for match in ELEMENT.finditer(text)
    )
    if counts["corefinst"]:
        counts["xml"] = 0
    if TANL.search(text):
        counts["tanl"] = len(TANL_END.findall(text))
    counts["suffix"] += sum(1 for _ in _names_in(text)) if ":" in text else 0
    counts["prefix"] = min(len(BEFORE_WORD.findall(text)), text.count("]"))
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
