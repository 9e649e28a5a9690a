"""The values of ``Entity``, ``Bridge`` and ``SplitAnte`` of one document, on their way to mentions.

A value of ``Entity`` is a run of brackets: ``(e1-person-2`` opens a mention of the entity e1,
``e1)`` closes the one of e1 that was opened last, ``(e2-place-1)`` is a mention of one token. The
parts of a mention with gaps have numbers: ``(e1[1/2]-person-1)`` and ``(e1[2/2]-person-1)``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import Struct, field

from corefscope.choices import HeadSource
from corefscope.findings import Code, Finding
from corefscope.formats.corefud.declaration import Declaration

PIECE = re.compile(r"\([^()]*\)?|[^()]*\)|[^()]+")
PART = re.compile(r"(.*)\[(\d+)/(\d+)\]", re.DOTALL)
FORBIDDEN = re.compile(r"[=\s]")
OPEN = -1
"""The last token of a mention that is not closed yet."""


Opening: TypeAlias = tuple[int, int, int, str, str | None]
"""Entity, first token, line and text of an opening bracket, and the text of its head, if any."""
Spans: TypeAlias = tuple[tuple[int, int], ...]


class BracketParts(Struct, kw_only=True):
    """The parts of a mention that may have gaps."""

    line: int
    total: str
    """The number of parts that the first one names."""
    done: list[tuple[int, int]] = field(default_factory=list)
    start: int = 0
    """The first token of the part that is open."""
    is_finished: bool = False
    has_other_total: bool = False
    is_closed_plainly: bool = False
    head: str | None = None
    """What the last part has in its field for the head, if it has the field."""
    last_line: int = 0
    """The line of the last part."""
    last_is_short: bool = False
    """Whether the last part is one token without a head."""


class EntityBrackets(Struct, eq=False, kw_only=True):
    """What a document has so far; mentions are numbered in the order of opening."""

    declaration: Declaration
    report: Callable[[Finding], None]
    head: HeadSource = "file"
    spans_sentences: bool = False
    """Whether the parts of a mention may be in different sentences, as for the CorefUD scorer."""
    entities: dict[str, int] = field(default_factory=dict)
    """The numbers of entities by id."""
    types: list[str] = field(default_factory=list)
    """The type of each entity; empty if no mention has one."""
    openings: list[Opening] = field(default_factory=list)
    last: list[int] = field(default_factory=list)
    """The last token of each mention."""
    parts: dict[int, BracketParts] = field(default_factory=dict)
    antecedents: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    """The ids of split antecedents, and the lines on which they are named, by id."""
    targets: set[str] = field(default_factory=set)
    """The ids that links lead to; they need not have a mention yet."""
    bridges: list[tuple[int, str, str, int]] = field(default_factory=list)
    """Mention, id of the entity, relation, line."""
    open: defaultdict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    """The mentions of each entity that are open, the last opened one at the end."""
    latest: dict[int, int] = field(default_factory=dict)
    """The mention of each entity that was opened last, as far as links needed it."""
    seen: int = 0
    """How many mentions that takes into account."""
    unfinished: dict[int, list[int]] = field(default_factory=dict)
    """The mentions with gaps whose last part has not been closed, by entity."""
    conflicts: dict[int, tuple[str, int]] = field(default_factory=dict)
    """Another type than the first and the line of the first mention that has it, by entity."""

    def read(self, tokens: Sequence[int], lines: Sequence[int], texts: Sequence[str]) -> None:
        """Read values of ``Entity``, and the tokens and lines on which they are."""
        declared = self.declaration
        id_place, type_place, head_place = declared.id, declared.type, declared.head(self.head)
        entities, types, find = self.entities, self.types, PIECE.findall
        openings, last = self.openings, self.last
        for token, line, text in zip(tokens, lines, texts, strict=True):
            for piece in find(text):
                if piece[0] != "(":
                    self._close(piece, token, line)
                    continue
                body = piece[1:-1] if piece[-1] == ")" else piece[1:]
                fields = body.split("-")
                count = len(fields)
                id = fields[id_place] if count > id_place else ""
                entity = entities.get(id)
                if entity is None:
                    entity = self._new_entity(id, piece, fields, token, line)
                    if entity is None:
                        continue
                head = fields[head_place] if count > head_place else None
                openings.append((entity, token, line, body, head))
                if piece[-1] == ")":
                    last.append(token)
                else:
                    self.open[entity].append(len(last))
                    last.append(OPEN)
                if count > type_place and fields[type_place] != types[entity]:
                    self._note_type(entity, fields[type_place], line)

    def _new_entity(
        self, id: str, piece: str, fields: list[str], token: int, line: int
    ) -> int | None:
        """Return a new entity, or None if the bracket is that of a part or cannot be read."""
        if id[-1:] not in ("]", ""):
            return self._add_entity(id)
        if id:
            self._open_part(id, piece, fields, token, line)
            return None
        self.report(
            Finding(
                Code.BAD_LINE,
                f"the bracket {piece!r} has no entity id",
                expected=f"the fields {self.declaration}",
                line=line,
            )
        )
        return None

    def _add_entity(self, id: str) -> int:
        self.entities[id] = number = len(self.types)
        self.types.append("")
        return number

    def check(self) -> None:
        """Report ids with characters that they must not have, and fields that are not declared."""
        width = len(self.declaration.fields)
        for _, _, line, text, _ in self.openings:
            if text.count("-") >= width and not self.declaration.is_cut:
                self._report_surplus(text, line)
        if not FORBIDDEN.search("".join(self.entities)):
            return
        for id, entity in self.entities.items():
            if FORBIDDEN.search(id):
                found = f"the entity id {id!r} has a blank or '='"
                line = next(line for number, _, line, *_ in self.openings if number == entity)
                expected = "an id without them"
                self.report(Finding(Code.BAD_LINE, found, expected=expected, line=line))

    def _note_type(self, entity: int, type: str, line: int) -> None:
        if not self.types[entity]:
            self.types[entity] = type
        elif type and type != self.types[entity]:
            self.conflicts.setdefault(entity, (type, line))

    def _report_surplus(self, text: str, line: int) -> None:
        fields, width = text.split("-"), len(self.declaration.fields)
        self.report(
            Finding(
                Code.IRREGULAR,
                f"the bracket ({text} has {len(fields)} fields, and {'-'.join(fields[width:])!r} "
                "is left out",
                expected=(
                    f"the {width} declared ones, {self.declaration}: write a minus sign in a value "
                    "as %2D"
                ),
                line=line,
            )
        )

    # ---- Parts of mentions with gaps ----

    def _open_part(self, id: str, piece: str, fields: list[str], token: int, line: int) -> None:
        """Open a part of a mention."""
        match = PART.fullmatch(id)
        if match is None or not match[1]:
            self._bad_part(id, line)
            return
        name, number, total = match.groups()
        mention = (
            self._first_part(name, total, fields, line)
            if number == "1"
            else self._next_part(name, id, total, line)
        )
        if mention is None:
            return
        entity, parts, is_whole = self.openings[mention][0], self.parts[mention], piece[-1] == ")"
        head = self.declaration.head(self.head)
        parts.start, parts.last_line = token, line
        parts.head = fields[head] if len(fields) > head else None
        parts.last_is_short = is_whole and number != "1" and parts.head is None
        self.open[entity].append(mention)
        if len(fields) > self.declaration.type:
            self._note_type(entity, fields[self.declaration.type], line)
        if is_whole:
            self._close_part(mention, token, line, finishes=number == total)

    def _first_part(self, name: str, total: str, fields: list[str], line: int) -> int:
        entity = self.entities.get(name)
        if entity is None:
            entity = self._add_entity(name)
        mention = len(self.openings)
        place = self.declaration.id
        text = "-".join([*fields[:place], name, *fields[place + 1 :]])
        self.openings.append((entity, OPEN, line, text, None))
        self.last.append(OPEN)
        self.parts[mention] = BracketParts(line=line, total=total)
        self.unfinished.setdefault(entity, []).append(mention)
        return mention

    def _next_part(self, name: str, id: str, total: str, line: int) -> int | None:
        """Return the mention that a part continues: the oldest unfinished one that is not open."""
        entity = self.entities.get(name, OPEN)
        waiting = self.unfinished.get(entity, [])
        mention = next((m for m in waiting if m not in self.open[entity]), None)
        if mention is None:
            self.report(
                Finding(
                    Code.BAD_LINE,
                    f"{id} continues no mention of {name}",
                    expected=(
                        f"its first part, ({name}[1/{total}], closed before it in the same sentence"
                    ),
                    line=line,
                )
            )
            return None
        self.parts[mention].has_other_total |= self.parts[mention].total != total
        return mention

    def _close_part(self, mention: int, token: int, line: int, *, finishes: bool) -> None:
        """Close the part that is open; the last one finishes the mention."""
        entity, parts = self.openings[mention][0], self.parts[mention]
        self.open[entity].remove(mention)
        parts.done.append((parts.start, token))
        if not finishes:
            return
        parts.is_finished = True
        waiting = self.unfinished[entity]
        if waiting[-1] != mention:
            self.report(
                Finding(
                    Code.BAD_LINE,
                    f"a last part belongs to the mention that begins on line {parts.line}, while "
                    f"that of line {self.parts[waiting[-1]].line} waits for its parts",
                    expected="the one that begins later to end first",
                    line=line,
                )
            )
        waiting.remove(mention)

    def _bad_part(self, id: str, line: int) -> None:
        self.report(
            Finding(
                Code.BAD_LINE,
                f"the entity id {id!r} ends in ']' without part numbers",
                expected="such as e1[1/2], part 1 of 2 of a mention with gaps",
                line=line,
            )
        )

    # ---- Closing ----

    def _close(self, piece: str, token: int, line: int) -> None:
        """Close a mention; ignore text without a bracket."""
        if not piece.strip():
            return
        if piece[-1] != ")":
            self.report(
                Finding(
                    Code.IGNORED,
                    f"{piece!r} in the value of Entity has no bracket and is ignored",
                    expected=(
                        f"({piece}) for a mention of one token, ({piece} to open one, {piece}) to "
                        "close it"
                    ),
                    line=line,
                )
            )
            return
        id = piece[:-1]
        entity = self.entities.get(id)
        if entity is None and id[-1:] == "]":
            self._close_numbered(id, token, line)
        elif entity is None or not self.open[entity]:
            self._unopened(id, id, line)
        elif (mention := self.open[entity][-1]) not in self.parts:
            self.open[entity].pop()
            self.last[mention] = token
        else:
            self.parts[mention].is_closed_plainly = True
            self._close_part(mention, token, line, finishes=False)

    def _close_numbered(self, id: str, token: int, line: int) -> None:
        """Close a part of a mention with gaps."""
        match = PART.fullmatch(id)
        if match is None:
            self._bad_part(id, line)
            return
        name, number, total = match.groups()
        entity = self.entities.get(name)
        if entity is None or not self.open[entity]:
            self._unopened(id, name, line)
            return
        mention = self.open[entity][-1]
        if mention not in self.parts:
            self.report(
                Finding(
                    Code.BAD_LINE,
                    f"{id}) closes the mention of {name} that was opened on line "
                    f"{self.openings[mention][2]} without part numbers",
                    expected=f"{name})",
                    line=line,
                )
            )
            self.open[entity].pop()
            self.last[mention] = token
            return
        self._close_part(mention, token, line, finishes=number == total)

    def _unopened(self, id: str, name: str, line: int) -> None:
        found, expected = f"{id}) closes a mention that was not opened", f"({name} before it"
        if "-" in id:
            expected += f", and the id alone in the closing bracket: {id.split('-')[0]})"
        self.report(Finding(Code.UNBALANCED, found, expected=expected, line=line))

    # ---- Links ----

    def read_link(self, key: str, text: str, line: int) -> None:
        """Read a value of ``Bridge`` or ``SplitAnte``."""
        for pair in text.split(",") if text else ():
            target, sign, source = pair.partition("<")
            relation = ""
            if key == "Bridge":
                source, _, relation = source.partition(":")
            if not sign or "<" in source + relation:
                relation = ":RELATION" if key == "Bridge" else ""
                found, expected = f"{pair!r} in {key} cannot be read", f"ENTITY<ENTITY{relation}"
            elif source == target:
                found, expected = f"{key} links entity {source!r} to itself", "another entity"
            elif source not in self.entities and (key == "Bridge" or source not in self.targets):
                found = f"{key} is about entity {source!r}, of which no mention was opened so far"
                expected = "it on a word of one of its mentions"
            else:
                self._add_link(key, source, target, relation, line)
                continue
            self.report(Finding(Code.BAD_LINE, found, expected=expected, line=line))

    def _add_link(self, key: str, source: str, target: str, relation: str, line: int) -> None:
        self.targets.add(target)
        if key == "Bridge":
            relation = "" if relation == "_" else relation
            self.bridges.append((self._latest(self.entities[source]), target, relation, line))
        else:
            self.antecedents.setdefault(source, []).append((target, line))

    def _latest(self, entity: int) -> int:
        """Return the mention of an entity that was opened last."""
        for mention in range(self.seen, len(self.openings)):
            self.latest[self.openings[mention][0]] = mention
        self.seen = len(self.openings)
        return self.latest[entity]
