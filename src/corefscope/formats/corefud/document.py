"""A document of CoNLL-U: its brackets as mentions in the order of the format."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from corefscope.corpus.mentions import merged
from corefscope.findings import Code, Finding, Remedy
from corefscope.formats.corefud.brackets import OPEN, EntityBrackets, Spans
from corefscope.formats.corefud.lines import MiscValue

Positions = NDArray[np.int64]


class EntityCells(Struct, eq=False, kw_only=True):
    """The values of MISC that a document has, before its brackets are read."""

    tokens: list[int] = field(default_factory=list)
    """The tokens that have ``Entity``, in order."""
    lines: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    links: list[tuple[int, MiscValue]] = field(default_factory=list)
    """Values of ``Bridge`` and ``SplitAnte``, each with its token."""
    sentences: list[Positions] = field(default_factory=list)
    """The first tokens of the sentences."""

    @property
    def sentence_begins(self) -> Positions:
        """The first token of each sentence."""
        return np.concatenate(self.sentences) if self.sentences else np.zeros(0, np.int64)

    def read_into(self, brackets: EntityBrackets) -> None:
        """Read all values in the order of the tokens."""
        done = 0
        for token, value in self.links:
            upto = done
            while upto < len(self.tokens) and self.tokens[upto] <= token:
                upto += 1
            some = slice(done, upto)
            brackets.read(self.tokens[some], self.lines[some], self.texts[some])
            brackets.read_link(value.key, value.text or "", value.line)
            done = upto
        rest = slice(done, None)
        brackets.read(self.tokens[rest], self.lines[rest], self.texts[rest])


class BracketMentions(Struct, frozen=True, eq=False, kw_only=True):
    """The mentions of a document: entities by their first mention, and mentions by place.

    An earlier first token comes first, then more tokens, then an earlier last token.
    """

    labels: list[str]
    types: list[str]
    """The name and the type of each entity."""
    entity: Positions
    first: Positions
    last: Positions
    head: Positions
    line: Positions
    parts: dict[int, Spans]
    openings: list[str]
    antecedents: dict[int, tuple[int, ...]]
    bridges: list[tuple[int, int, str]]


_NONE = np.zeros(0, np.int64)
NO_MENTIONS = BracketMentions(
    labels=[],
    types=[],
    entity=_NONE,
    first=_NONE,
    last=_NONE,
    head=_NONE,
    line=_NONE,
    parts={},
    openings=[],
    antecedents={},
    bridges=[],
)
"""The mentions of a document whose brackets have no fields."""


def read_mentions(
    annotation: EntityCells, brackets: EntityBrackets, nodes: Collection[int] = ()
) -> BracketMentions:
    """Read the annotation of a document; ``nodes`` are its tokens that are empty nodes."""
    annotation.read_into(brackets)
    return _Ending(brackets, annotation.sentence_begins, nodes).mentions()


class _Ending:
    """The end of a document: what its brackets have come to."""

    def __init__(
        self, brackets: EntityBrackets, sentence_begins: Positions, nodes: Collection[int]
    ) -> None:
        self.brackets = brackets
        self.nodes = nodes
        self.report = brackets.report
        self.begins = sentence_begins
        self.labels = list(brackets.entities)
        columns = zip(*brackets.openings, strict=True) if brackets.openings else ((),) * 5
        entity, first, line, texts, heads = columns
        self.entity = np.array(entity, np.int64)
        self.first = np.array(first, np.int64)
        self.last = np.array(brackets.last, np.int64)
        self.line: Sequence[int] = line
        self.openings: Sequence[str] = texts
        self.head_texts: list[str | None] = list(heads)
        self.parts: dict[int, Spans] = {}
        """The parts of the mentions that have gaps, by number of opening."""

    def mentions(self) -> BracketMentions:
        """Return the mentions in the order of the format."""
        self.brackets.check()
        self._report_types()
        self._end_parts()
        self._report_unclosed()
        self._report_crossing()
        size = self.last - self.first + 1
        for mention, parts in self.parts.items():
            size[mention] = sum(end - start + 1 for start, end in parts)
        head = self._heads(size)
        order = self._order(size)
        old, begin, number = np.unique(self.entity[order], return_index=True, return_inverse=True)
        by_place = np.argsort(begin)
        entity = np.argsort(by_place)[number]
        by_entity = np.argsort(entity, kind="stable")
        rows = order[by_entity]
        entities = old[by_place].tolist()
        new = {each: number for number, each in enumerate(entities)}
        is_linked = bool(self.parts or self.brackets.bridges)
        row_of = {m: row for row, m in enumerate(rows.tolist())} if is_linked else {}
        return BracketMentions(
            labels=[self.labels[each] for each in entities],
            types=[self.brackets.types[each] for each in entities],
            entity=entity[by_entity],
            first=self.first[rows],
            last=self.last[rows],
            head=head[rows],
            line=np.array(self.line, np.int64)[rows],
            parts={row_of[m]: parts for m, parts in self.parts.items()},
            openings=[self.openings[row] for row in rows.tolist()],
            antecedents=self._antecedents(new),
            bridges=list(self._bridges(row_of, new)),
        )

    def _order(self, size: Positions) -> Positions:
        """Return the mentions that are closed, in the order of the format."""
        kept = np.flatnonzero(self.last != OPEN)
        places = np.stack((self.last[kept], -size[kept], self.first[kept]))
        order = np.lexsort(places)
        entity = self.entity[kept[order]]
        is_same = (places[:, order[1:]] == places[:, order[:-1]]).all(axis=0)
        if (is_same & (entity[1:] != entity[:-1])).any():
            # Mentions of different entities at the same place are in the order of names.
            rank = np.argsort(np.argsort(np.array(self.labels, dtype=object), kind="stable"))
            order = np.lexsort((rank[self.entity[kept]], *places))
        return kept[order]

    # ---- Parts ----

    def _end_parts(self) -> None:
        """Give the mentions with part numbers their first and last token."""
        for mention, parts in self.brackets.parts.items():
            if mention in self.brackets.open[self.entity[mention]]:
                continue
            spans = merged(parts.done)
            self.first[mention], self.last[mention] = spans[0][0], spans[-1][1]
            self.head_texts[mention] = parts.head if parts.is_finished else None
            if len(spans) > 1:
                self.parts[mention] = spans
            self._report_parts(mention)

    def _report_parts(self, mention: int) -> None:
        parts, label = self.brackets.parts[mention], self.labels[self.entity[mention]]
        sentences = {int(np.searchsorted(self.begins, start, "right")) for start, _ in parts.done}
        if len(sentences) > 1:
            is_official = self.brackets.spans_sentences
            self.report(
                Finding(
                    Code.IRREGULAR if is_official else Code.BAD_LINE,
                    f"the parts of a mention of {label} are in different sentences",
                    expected="all parts in one sentence",
                    line=parts.line,
                )
            )
            return
        if parts.is_finished and parts.last_is_short:
            undeclared = self._no_head_declared()
            has_spans = "minspan" in self.brackets.declaration.fields
            self.report(
                Finding(
                    Code.BAD_LINE,
                    f"the last part of a mention of {label} is one token and names no head",
                    expected=f"the number of the head among the tokens of all parts{undeclared}",
                    line=parts.last_line,
                    remedy=Remedy.READ_MINIMAL_SPANS if has_spans and undeclared else None,
                )
            )
        found = _doubt(parts.done, self.parts.get(mention), parts.total)
        if parts.has_other_total:
            found = "its parts name different totals"
        elif not parts.is_finished:
            found = f"its last part, [{parts.total}/{parts.total}], is missing"
        elif parts.is_closed_plainly:
            found = "a closing bracket lacks its part number"
        if found:
            self.report(
                Finding(
                    Code.IRREGULAR,
                    f"a mention of {label} has part numbers, but {found}",
                    expected=(
                        "parts [1/n] to [n/n] with gaps between them, numbered in both brackets"
                    ),
                    line=parts.line,
                )
            )

    def _no_head_declared(self) -> str:
        """Return why no head is found, if the declaration has none."""
        declaration = self.brackets.declaration
        if declaration.has_heads(self.brackets.head):
            return ""
        found = f". The declaration {declaration} has no field head"
        if "minspan" in declaration.fields:
            found += ", but minimal spans: read heads from minspan"
        return found

    # ---- Findings ----

    def _report_types(self) -> None:
        conflicts = self.brackets.conflicts
        if not conflicts:
            return
        entity, (type, line) = next(iter(conflicts.items()))
        first = self.brackets.types[entity]
        more = f" ({len(conflicts)} entities of the document)" if len(conflicts) > 1 else ""
        self.report(
            Finding(
                Code.IRREGULAR,
                f"entity {self.labels[entity]} has the type {type!r} here and {first!r} "
                f"before{more}; the first is kept",
                expected="one type per entity",
                line=line,
            )
        )

    def _report_unclosed(self) -> None:
        for mention in np.flatnonzero(self.last == OPEN).tolist():
            label = self.labels[self.entity[mention]]
            self.report(
                Finding(
                    Code.LEFT_OUT,
                    f"a mention of {label} is opened here and never closed; it is left out",
                    expected=f"{label}) on its last token",
                    line=self.line[mention],
                )
            )

    def _report_crossing(self) -> None:
        """Report mentions that reach into the next sentence; refuse those that reach further."""
        begin = np.searchsorted(self.begins, self.first, side="right")
        end = np.searchsorted(self.begins, self.last, side="right")
        for mention in np.flatnonzero((begin != end) & (self.last != OPEN)).tolist():
            if mention in self.parts:
                continue
            further = int(end[mention] - begin[mention])
            label = self.labels[self.entity[mention]]
            if further == 1:
                self.report(
                    Finding(
                        Code.IRREGULAR,
                        f"a mention of {label} is opened here and closed in the next sentence; it "
                        "has all tokens in between",
                        expected="mentions inside sentences: the CorefUD scorer refuses others",
                        line=self.line[mention],
                    )
                )
            else:
                self.report(
                    Finding(
                        Code.UNBALANCED,
                        f"a mention of {label} is opened here and closed {further} sentences later",
                        expected=(
                            f"{label}) in the same sentence: a bracket may be missing, and another "
                            "one superfluous"
                        ),
                        line=self.line[mention],
                    )
                )

    # ---- Heads ----

    def _heads(self, size: Positions) -> Positions:
        """Return the head token of each mention."""
        texts = self.head_texts
        if self.brackets.head == "minspan":
            texts = [text and text.split(",")[0] for text in texts]
        try:
            number = np.array([1 if text is None else int(text) for text in texts], np.int64)
        except (ValueError, OverflowError):
            number = np.array([self._number(m, text) for m, text in enumerate(texts)], np.int64)
        number = np.where(size > 1, np.maximum(number, 1), 1)
        for mention in np.flatnonzero((number > size) & (size > 0)).tolist():
            self.report(
                Finding(
                    Code.BAD_LINE,
                    f"the head of this mention is token {texts[mention]} of {size[mention]}",
                    expected=f"a number from 1 to {size[mention]}",
                    line=self.line[mention],
                )
            )
        head = self.first + number - 1
        for mention, parts in self.parts.items():
            tokens = [token for start, end in parts for token in range(start, end + 1)]
            if self.brackets.spans_sentences:
                # The official reader sorts words by their numbers, whatever sentence they are in.
                tokens.sort(key=self._number_in_sentence)
            head[mention] = tokens[min(int(number[mention]), len(tokens)) - 1]
        return head

    def _number_in_sentence(self, token: int) -> tuple[int, int]:
        """Return the number of a word in its sentence; of an empty node, that after a word."""
        sentence = int(np.searchsorted(self.begins, token, "right")) - 1
        before = range(int(self.begins[sentence]), token + 1)
        words = [place for place in before if place not in self.nodes]
        return len(words), token - words[-1] if words else len(before)

    def _number(self, mention: int, text: str | None) -> int:
        if text is not None and not (text.isascii() and text.isdigit() and len(text) < 10):
            self.report(
                Finding(
                    Code.BAD_LINE,
                    f"the head of this mention is {text!r}",
                    expected=(
                        "its number among the tokens of the mention, from 1; the fields are "
                        f"{self.brackets.declaration}, which a minus sign inside would shift"
                    ),
                    line=self.line[mention],
                )
            )
            return 1
        return 1 if text is None else int(text)

    # ---- Links ----

    def _antecedents(self, new: dict[int, int]) -> dict[int, tuple[int, ...]]:
        found: dict[int, tuple[int, ...]] = {}
        for source, targets in self.brackets.antecedents.items():
            entity = self._target("SplitAnte", source, targets[0][1], new)
            known = [self._target("SplitAnte", id, line, new) for id, line in targets]
            kept = tuple(target for target in known if target is not None)
            if entity is not None and kept:
                found[entity] = kept
        return found

    def _bridges(
        self, row_of: dict[int, int], new: dict[int, int]
    ) -> Iterator[tuple[int, int, str]]:
        for mention, id, relation, line in self.brackets.bridges:
            target = self._target("Bridge", id, line, new)
            if target is not None and mention in row_of:
                yield row_of[mention], target, relation

    def _target(self, key: str, id: str, line: int, new: dict[int, int]) -> int | None:
        """Return the entity that a link leads to; None if it has no mention."""
        entity = self.brackets.entities.get(id)
        if entity is None:
            self.report(
                Finding(
                    Code.BAD_LINE,
                    f"{key} names entity {id!r}, which has no mention in the document",
                    expected="an entity with a mention",
                    line=line,
                )
            )
        elif entity not in new:
            message = (
                f"{key} names entity {id!r}, whose only mention is never closed; the link is left "
                "out"
            )
            self.report(Finding(Code.LEFT_OUT, message, line=line))
        return None if entity is None else new.get(entity)


def _doubt(done: Sequence[tuple[int, int]], spans: Spans | None, total: str) -> str:
    if len(done) == 1:
        return "it has a single part"
    if len(done) != len(spans or ((0, 0),)):
        return "some of its parts touch"
    return "" if str(len(done)) == total else f"it has {len(done)} of {total} parts"
