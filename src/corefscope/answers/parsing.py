"""Take the tags out of a text, and find the mentions between them."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from operator import itemgetter
from typing import TypeAlias

from msgspec import Struct, field

from corefscope.answers.styles import (
    CRAC_WORD,
    Style,
    Tag,
    Tags,
    tags_of,
    thoughts_of,
    with_zeros_as_words,
    without_cut_tag,
)
from corefscope.corpus.copies import EMPTY, NEVER_CLOSED, NEVER_OPENED, NO_NAME, Copy

ZERO = "##"
"""What stands for a word that is not said, in the style crac."""


TagPair: TypeAlias = tuple[int, int, str | None]
"""The numbers of an opening and a closing tag, and the name of the entity, if one has it."""


class Parsed(Struct, kw_only=True):
    """A text without tags, and its mentions."""

    copy: Copy
    text: str = ""
    words: list[str] | None = None
    """The words, if the style divides the text into words."""
    mentions: list[tuple[str, int, int]] = field(default_factory=list)
    """The entity of each mention, and where it begins and ends, ends exclusive: in characters, or
    in words if there are words."""


def parse(text: str, style: Style, declared: Tags | None = None) -> Parsed:
    """Take the tags of a style out of a text, or those that the user declared."""
    text, is_cut = without_cut_tag(text, style)
    if style == "corefinst":
        text = with_zeros_as_words(text)
    given = declared or tags_of(text, style)
    between, shown = given.divide(text)
    # A text has many tags, but few that differ. The last one counts if two say different things.
    meanings = given.meanings(dict.fromkeys(reversed(shown)))
    tags = [meanings[tag] for tag in shown]
    pairs, stray, undecided, nameless, brackets = _paired(tags)
    text_tags = {tag: tag if meanings[tag].kind.startswith("text") else "" for tag in meanings}
    kept = [text_tags[tag] for tag in shown]
    for number in (*undecided, *nameless, *brackets):
        kept[number] = shown[number]
    plain, places = _without(between, kept)
    dropped = Counter({NEVER_OPENED: stray})
    mentions = []
    roots = _roots(meanings.values())
    pairs.sort(key=itemgetter(0))
    not_found = 0
    if style == "tanl":
        pairs, not_found = _linked(pairs, plain, places)
    for first, last, label in pairs:
        begin, end = places[first], places[last]
        if label is None:
            dropped[NO_NAME] += 1
        elif begin == end or plain[begin:end].isspace():
            dropped[EMPTY] += 1
        else:
            mentions.append((roots.get(label, label), begin, end))
    copy = Copy(
        style=style,
        opened=len(pairs) + len(undecided) + len(nameless),
        closed=len(pairs) + stray,
        foreign=is_cut
        + sum(shown.count(tag) for tag in meanings if meanings[tag].kind == "foreign"),
        dropped=+dropped,
        undecided=[(places[n], places[n] + len(shown[n].rstrip())) for n in sorted(undecided)],
        nameless=[(places[n], places[n] + len(shown[n].rstrip())) for n in sorted(nameless)],
        asides=_thoughts(text, between, shown, kept),
        antecedent_not_found=not_found,
    )
    return Parsed(copy=copy, text=plain, mentions=mentions)


def _linked(
    pairs: Sequence[TagPair], plain: str, places: Sequence[int]
) -> tuple[list[TagPair], int]:
    """Return mentions that name the words of an antecedent with the names of their entities.

    The antecedent is the latest mention that was opened before and has these words; if there is
    none, the mention is of a new entity. Also return how many such mentions there are.
    """
    latest: dict[str, str] = {}
    linked: list[TagPair] = []
    not_found = 0
    for number, (first, last, words) in enumerate(pairs):
        not_found += words is not None and words not in latest
        entity = latest.get(words or "", str(number))
        latest[" ".join(plain[places[first] : places[last]].split())] = entity
        linked.append((first, last, entity))
    return linked, not_found


def _paired(
    tags: Sequence[Tag],
) -> tuple[list[TagPair], int, list[int], list[int], list[int]]:
    """Return pairs of tags, how many close nothing, and tags that may be text.

    These are opening tags that stay open, those that a bracket without a name closes, and closing
    brackets.

    Each pair has the name of its entity, if one of the tags says it.

    A closing tag takes the latest open one of its name. A bracket that is no tag takes the latest
    bracket, which may be text.
    """
    pairs: list[TagPair] = []
    opened: list[int] = []
    nameless: list[int] = []
    brackets: list[int] = []
    stray = 0
    for number, (kind, name, label, _) in enumerate(tags):
        if kind == "open" or kind == "text open":
            opened.append(number)
        elif kind == "close":
            # Nearly all tags are closed before those that were opened earlier.
            is_last = opened and tags[opened[-1]].name == name
            place = -1 if is_last else _latest(tags, opened, name)
            if place is None and (name or label):
                stray += 1
            elif place is None:
                # A closing bracket that is like any other may be text.
                brackets.append(number)
            elif (before := tags[first := opened.pop(place)]).kind == "open":
                pairs.append((first, number, before.label or label))
            else:
                brackets.append(number)
        elif kind == "text close" and opened:
            nameless.append(opened.pop())
    undecided = [number for number in opened if tags[number].kind == "open"]
    return pairs, stray, undecided, nameless, brackets


def _latest(tags: Sequence[Tag], opened: Sequence[int], name: str) -> int | None:
    """Return the place of the latest open tag of a name."""
    for place in range(len(opened) - 1, -1, -1):
        if tags[opened[place]].name == name:
            return place
    return None


def _without(between: Sequence[str], kept: Sequence[str]) -> tuple[str, list[int]]:
    """Return a text with what is kept of its tags, and where each tag stood in it."""
    parts = [""] * (len(between) + len(kept))
    parts[::2], parts[1::2] = between, kept
    return "".join(parts), list(accumulate(map(len, parts)))[::2]


class _Moved:
    """Finds places of a text in the same text without its tags."""

    def __init__(self, between: Sequence[str], shown: Sequence[str], kept: Sequence[str]) -> None:
        self.shown, self.kept = shown, kept
        self.starts, self.places = (_without(between, tags)[1] for tags in (shown, kept))

    def __call__(self, place: int) -> int:
        tag = bisect_left(self.starts, place) - 1
        if tag < 0:
            return place
        after = place - self.starts[tag] - len(self.shown[tag])
        return self.places[tag] + len(self.kept[tag]) + max(0, after)


def _thoughts(
    text: str, between: Sequence[str], shown: Sequence[str], kept: Sequence[str]
) -> list[tuple[int, int]]:
    """Return the thoughts in an output, as stretches of it without its tags."""
    thoughts = list(thoughts_of(text))
    if not thoughts:
        return []
    moved = _Moved(between, shown, kept)
    return [(moved(begin), moved(end)) for begin, end in thoughts]


def _roots(tags: Iterable[Tag]) -> Mapping[str, str]:
    """Return the entity of each id where tags refer to others, as ``ID="2" REF="1"`` does."""
    parent: dict[str, str] = {}
    for tag in tags:
        id, other = tag.attributes.get("id"), tag.attributes.get("ref")
        if id and other and id != other:
            parent.setdefault(id, other)
    found = {}
    for id in parent:
        seen = {id}
        root = parent[id]
        while root in parent and root not in seen:
            seen.add(root)
            root = parent[root]
        found[id] = root
    return found


def parse_words(line: str) -> Parsed:
    """Take the tags out of a line of CRAC plain text: ``the|[e1 key|e1]``."""
    words: list[str] = []
    opened: defaultdict[str, list[int]] = defaultdict(list)
    mentions: list[tuple[str, int, int]] = []
    counts: Counter[str] = Counter()
    for place, each in enumerate(line.split()):
        match = CRAC_WORD.fullmatch(each)
        word = match["word"] if match else each
        # What is not said may have a form, which the text does not show.
        words.append(ZERO if word.startswith(ZERO) else word)
        for tag in match["tags"].split(",") if match else ():
            label = tag.strip("[]")
            counts["opened"] += tag.startswith("[")
            counts["closed"] += tag.endswith("]")
            if tag.startswith("["):
                opened[label].append(place)
            if tag.endswith("]") and opened[label]:
                mentions.append((label, opened[label].pop(), place + 1))
            elif tag.endswith("]"):
                counts[NEVER_OPENED] += 1
    never_closed = sum(map(len, opened.values()))
    dropped = Counter({NEVER_CLOSED: never_closed, NEVER_OPENED: counts[NEVER_OPENED]})
    copy = Copy(
        style="crac" if counts["opened"] + counts["closed"] else "none",
        opened=counts["opened"],
        closed=counts["closed"],
        dropped=+dropped,
    )
    return Parsed(copy=copy, words=words, mentions=sorted(mentions, key=lambda m: (m[1], -m[2])))
