"""CoNLL-U with entities read line by line from the specification: a brute-force reference.

Nothing is shared with the package. A word is known by its sentence and its ID.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

Id = tuple[int, int]
"""The two numbers of the ID of a word: (3, 0) of 3, (3, 1) of 3.1."""
Word = tuple[int, Id]
"""The sentence in its document, and the ID."""


class Refused(Exception):
    """The specification calls this an error."""


@dataclass
class SlowMention:
    words: list[Word]
    head: Word
    type: str


@dataclass
class SlowDocument:
    name: str
    sentences: list[dict[Id, list[str]]] = field(default_factory=list)
    """The columns of each word and empty node, by ID."""
    entities: dict[str, list[SlowMention]] = field(default_factory=dict)
    split: dict[str, list[str]] = field(default_factory=dict)
    bridges: list[tuple[str, str, str]] = field(default_factory=list)


@dataclass
class _Open:
    """A mention on its way."""

    entity: str
    parts: list[list[Word]]
    is_numbered: bool
    head: str | None
    is_open: bool = True
    is_finished: bool = False
    types: list[tuple[int, str]] = field(default_factory=list)
    """The number of each opening bracket in the document, and the type that it gives."""
    """What the opening brackets of its parts say."""
    last_is_one_word: bool = False


def slow_read(text: str, name: str) -> list[SlowDocument]:
    """Read a file that has one declaration; a document without a name before it has ``name``."""
    lines = text.replace("\r\n", "\n").split("\n")
    declared = re.findall(r"^# global\.Entity\s*=\s*(\S+)", text, re.MULTILINE)
    fields = declared[-1].split("-") if declared else []
    if declared and not {"eid", "GRP"} & set(fields):
        raise Refused("no id")
    documents: list[SlowDocument] = []
    last_id = None
    for block in _blocks(lines):
        words = _words(block)
        if not any(minor == 0 for _, minor in words):
            continue
        ids = re.findall(r"^# sent_id\s*=\s*(\S+)", "\n".join(block), re.MULTILINE)[:1]
        if ids and ids == last_id:
            raise Refused("the same sent_id twice")
        last_id = ids
        begins = re.findall(r"^# newdoc(?:\s+id\s*=\s*(.*))?$", "\n".join(block), re.MULTILINE)
        if begins or not documents:
            called = (begins[-1].strip() or str(len(documents) + 1)) if begins else name
            documents.append(SlowDocument(called))
        documents[-1].sentences.append(words)
    if len({document.name for document in documents}) < len(documents):
        raise Refused("the same name twice")
    for document in documents:
        _Entities(document, fields).read()
    return documents


def _words(block: list[str]) -> dict[Id, list[str]]:
    """Return the columns of words and empty nodes by ID."""
    rows = [line.split("\t") for line in block if not line.startswith("#")]
    rows = [row for row in rows if "-" not in row[0]]
    words = {_id(row[0]): (row + ["_"] * 10)[:10] for row in rows}
    if len(words) < len(rows):
        raise Refused("the same ID twice")
    return dict(sorted(words.items()))


def _blocks(lines: list[str]) -> list[list[str]]:
    blocks: list[list[str]] = [[]]
    for line in lines:
        if line.strip():
            blocks[-1].append(line)
        else:
            blocks.append([])
    return [block for block in blocks if block]


def _id(text: str) -> Id:
    match = re.fullmatch(r"(\d+)(?:\.([1-9]\d*))?", text)
    if match is None:
        raise Refused(f"the ID {text}")
    return int(match[1]), int(match[2] or 0)


def _misc(columns: list[str]) -> dict[str, str]:
    found = {}
    for pair in columns[9].split("|"):
        key, equals, value = pair.partition("=")
        if key in ("Entity", "Bridge", "SplitAnte") and not equals:
            raise Refused("a key without a value")
        found[key] = value
    return found


class _Entities:
    """The entities of a document, read word by word."""

    def __init__(self, document: SlowDocument, fields: list[str]) -> None:
        self.document = document
        self.fields = fields
        self.words = [(n, id) for n, each in enumerate(document.sentences) for id in each]
        self.mentions: list[_Open] = []
        self.targets: set[str] = set()
        self.split: list[tuple[str, str]] = []
        self.bridges: list[tuple[_Open, str, str]] = []

    def read(self) -> None:
        for word in self.words:
            misc = _misc(self.document.sentences[word[0]][word[1]])
            if misc.get("Entity"):
                self._read_word(misc, word)
        if self.targets - {mention.entity for mention in self.mentions}:
            raise Refused("a link to nothing")
        _finish(self.document, self.mentions)
        known = self.document.entities
        for target, source in self.split:
            if source in known and target in known:
                self.document.split.setdefault(source, []).append(target)
        self.document.bridges += [
            (mention.entity, target, relation)
            for mention, target, relation in self.bridges
            if not mention.is_open and target in known
        ]

    def _read_word(self, misc: dict[str, str], word: Word) -> None:
        self._read_brackets(misc["Entity"], word)
        for pair in filter(None, misc.get("Bridge", "").split(",")):
            self._read_bridge(pair)
        for pair in filter(None, misc.get("SplitAnte", "").split(",")):
            self._read_split(pair)

    def _read_brackets(self, text: str, word: Word) -> None:
        if not self.fields:
            raise Refused("no declaration")
        for piece in re.findall(r"\([^()]*\)?|[^()]*\)|[^()]+", text):
            body = piece.strip("()")
            if piece.startswith("("):
                _open(self.mentions, body, word, self.fields)
                body = body.split("-")[_place(self.fields, "eid", "GRP")]
            if piece.endswith(")"):
                _close(self.mentions, body, word, self.words, is_one_word=piece[0] == "(")

    def _read_bridge(self, pair: str) -> None:
        target, *rest = pair.split("<")
        source, _, relation = "<".join(rest).partition(":")
        own = [mention for mention in self.mentions if mention.entity == source]
        if len(rest) != 1 or source == target or not own:
            raise Refused("a bridge")
        self.bridges.append((own[-1], target, "" if relation == "_" else relation))
        self.targets.add(target)

    def _read_split(self, pair: str) -> None:
        target, *rest = pair.split("<")
        known = self.targets | {mention.entity for mention in self.mentions}
        if len(rest) != 1 or rest[0] == target or rest[0] not in known:
            raise Refused("a split antecedent")
        self.split.append((target, rest[0]))
        self.targets.add(target)


def _place(fields: list[str], *names: str) -> int:
    return max((place for place, name in enumerate(fields) if name in names), default=99)


def _open(mentions: list[_Open], body: str, word: Word, fields: list[str]) -> None:
    said = body.split("-")
    place = _place(fields, "eid", "GRP")
    id = said[place] if place < len(said) else ""
    head_place, type_place = _place(fields, "head"), _place(fields, "etype", "entity")
    head = said[head_place] if head_place < len(said) else None
    type = (
        sum(len(each.types) for each in mentions),
        (said[type_place] if type_place < len(said) else ""),
    )
    if not id or re.search(r"[=\s]", id):
        raise Refused("the id")
    if not id.endswith("]"):
        mentions.append(_Open(id, [[word]], False, head, types=[type]))
        return
    match = re.fullmatch(r"(.+)\[(\d+)/(\d+)\]", id)
    if match is None:
        raise Refused("the part")
    entity, number, _ = match.groups()
    if number == "1":
        mentions.append(_Open(entity, [[word]], True, head, types=[type]))
        return
    for mention in mentions:
        waits = mention.is_numbered and not mention.is_open and not mention.is_finished
        if mention.entity == entity and waits:
            mention.parts.append([word])
            mention.is_open, mention.head = True, head
            mention.types.append(type)
            return
    raise Refused("nothing to continue")


def _close(
    mentions: list[_Open], id: str, word: Word, all_words: list[Word], *, is_one_word: bool
) -> None:
    match = re.fullmatch(r"(.*)\[(\d+)/(\d+)\]", id)
    if id.endswith("]") and match is None:
        raise Refused("the part")
    entity = match[1] if match else id
    opened = [mention for mention in mentions if mention.entity == entity and mention.is_open]
    if not opened:
        raise Refused("not opened")
    # The last opened one: that whose open part begins last, of equal ones the later.
    mention = max(
        enumerate(opened), key=lambda each: (all_words.index(each[1].parts[-1][0]), each[0])
    )[1]
    if match and not mention.is_numbered:
        raise Refused("part numbers on a plain mention")
    first = all_words.index(mention.parts[-1][0])
    mention.parts[-1] = all_words[first : all_words.index(word) + 1]
    mention.is_open = False
    mention.last_is_one_word = is_one_word and len(mention.parts) > 1
    if match and match[2] == match[3]:
        waiting = [
            other
            for other in mentions
            if other.entity == entity and other.is_numbered and not other.is_finished
        ]
        if waiting[-1] is not mention:
            raise Refused("interleaved")
        mention.is_finished = True
        if mention.last_is_one_word and mention.head is None:
            raise Refused("no head in the last part")


def _finish(document: SlowDocument, mentions: list[_Open]) -> None:
    types: dict[str, str] = {}
    for _, entity, type in sorted((n, m.entity, t) for m in mentions for n, t in m.types):
        types[entity] = types.get(entity) or type
    found: list[tuple[str, SlowMention]] = []
    for mention in mentions:
        if mention.is_open:
            continue
        words = sorted({word for part in mention.parts for word in part})
        sentences = {sentence for sentence, _ in words}
        if max(sentences) - min(sentences) > (0 if mention.is_numbered else 1):
            raise Refused("too many sentences")
        head = words[_head(mention, words) - 1]
        found.append((mention.entity, SlowMention(words, head, types[mention.entity])))
    found.sort(key=lambda each: (each[1].words[0], -len(each[1].words), each[1].words[-1], each[0]))
    for entity, slow in found:
        document.entities.setdefault(entity, []).append(slow)


def _head(mention: _Open, words: list[Word]) -> int:
    """Return the number of the head."""
    if mention.head is None or (mention.is_numbered and not mention.is_finished):
        return 1
    if not re.fullmatch(r"\d+", mention.head):
        raise Refused("the head")
    number = max(int(mention.head), 1) if len(words) > 1 else 1
    if number > len(words):
        raise Refused("the head")
    return number
